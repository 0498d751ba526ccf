//! What each harness lets a guard do, and what not and why: the table that `policy-engine harness list` prints and the
//! guide shows.

use std::fmt::Write;

use mentci_host::Harness;

/// One thing that is possible, or is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ability {
    /// Whether it is.
    pub can: bool,
    /// How; or why not.
    pub how: &'static str,
}

const fn yes(how: &'static str) -> Ability {
    Ability { can: true, how }
}

const fn no(how: &'static str) -> Ability {
    Ability { can: false, how }
}

/// What one harness lets a guard do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Capability {
    /// The harness.
    pub harness: Harness,
    /// The version on which this was seen.
    pub version: &'static str,
    /// Where the rules stand: resent with each request, or in context.
    pub rules: Ability,
    /// The rules after the conversation was summarised.
    pub compaction: Ability,
    /// A call that is denied does not run.
    pub deny: Ability,
    /// A call runs with other arguments.
    pub rewrite: Ability,
    /// A person is asked.
    pub ask: Ability,
    /// A result is changed before the model reads it.
    pub redact: Ability,
    /// The model reads what a rule warns of at a call that runs.
    pub warn: Ability,
    /// A large result is shown as a summary, with the way to the whole.
    pub artifacts: Ability,
    /// When it lets a call run though nothing was decided.
    pub fails_open: &'static str,
    /// The most that it shows of a hook's text.
    pub limit: &'static str,
    /// The story with the real client that saw the denied command not run; none where there is none.
    pub story: Option<&'static str>,
}

/// The table, in the order of [`Harness::ALL`].
pub const CAPABILITIES: &[Capability] = &[
    Capability {
        harness: Harness::Pi,
        version: "0.73.1, 1.5.2",
        rules: yes("resent with each request, in the system prompt"),
        compaction: yes("they stand in the system prompt"),
        deny: yes("`tool_call` answers `block` with the reason"),
        rewrite: yes("the arguments are changed in place"),
        ask: yes("in pi's dialog; without one it is denied, with how to approve"),
        redact: yes("`tool_result` answers with other content"),
        warn: yes("beside the result"),
        artifacts: no("its extension asks `decide`, which keeps the whole result"),
        fails_open: "the program is missing, unless `policy.on_engine_failure` is `block`",
        limit: "none",
        story: Some("tests/tests/pi_policy.rs"),
    },
    Capability {
        harness: Harness::ClaudeCode,
        version: "2.1.330",
        rules: yes("in context: whole at session start, a pulse with each prompt"),
        compaction: yes("`SessionStart` with `source` `compact`"),
        deny: yes("`permissionDecision` `deny` with the reason"),
        rewrite: yes("`updatedInput`"),
        ask: yes("`permissionDecision` `ask`; with `-p` that is a denial, which says how to approve"),
        redact: yes("`updatedToolOutput`, in the shape of the tool's own output"),
        warn: yes("`additionalContext` of the call itself"),
        artifacts: yes("`updatedToolOutput`, in the shape of the tool's own output"),
        fails_open: "exit 1, a time-out, an answer that is no JSON, a hook that cannot be started",
        limit: "10,000 characters",
        story: Some("tests/tests/harnesses.rs claude_code"),
    },
    Capability {
        harness: Harness::Codex,
        version: "0.169.0",
        rules: yes("in context, as developer messages: whole at session start, a pulse with each prompt"),
        compaction: yes("`SessionStart` with `source` `compact`"),
        deny: yes("`permissionDecision` `deny` with the reason"),
        rewrite: yes("`updatedInput` beside `allow`"),
        ask: no("`ask` is ignored and the call runs: it is denied, with how to approve"),
        redact: yes("a blocked result is replaced by the reason"),
        warn: yes("`additionalContext` of the call itself"),
        artifacts: yes("in the place of the result"),
        fails_open: "exit 1, a time-out, an answer with one unknown key, hooks that were not trusted",
        limit: "2,500 tokens",
        story: Some("tests/tests/harnesses.rs codex"),
    },
    Capability {
        harness: Harness::Gemini,
        version: "0.61.0",
        rules: yes(
            "in context: whole at session start, a pulse with each prompt; lost on resume, and told again then",
        ),
        compaction: no(
            "`PreCompress` comes before each request and cannot tell anything; the rules are told again after 20,000 tokens, which it keeps",
        ),
        deny: yes("`decision` `deny` with the reason"),
        rewrite: yes("`tool_input`, laid over the arguments: none can be taken away"),
        ask: no("without a person `ask` ends the run: it is denied, with how to approve"),
        redact: yes("a denied result is replaced by the reason"),
        warn: yes("with the result, or the next prompt: the call itself takes no text"),
        artifacts: yes("in the place of the result"),
        fails_open: "exit 1, a time-out, an answer that is no JSON; in `--acp` mode tool hooks do not fire",
        limit: "none known",
        story: Some("tests/tests/harnesses.rs gemini"),
    },
    Capability {
        harness: Harness::Opencode,
        version: "1.18.33",
        rules: yes("resent with each request, through `experimental.chat.system.transform`"),
        compaction: yes("they stand in the system prompt"),
        deny: yes("the plugin throws in `tool.execute.before`"),
        rewrite: yes("the arguments are changed in place"),
        ask: no("`permission.ask` is never called: it is denied, with how to approve"),
        redact: yes("`tool.execute.after` changes the output"),
        warn: yes("with the next request, in the system prompt"),
        artifacts: yes("`tool.execute.after` changes the output"),
        fails_open: "the plugin does not load",
        limit: "none",
        story: Some("tests/tests/harnesses.rs opencode"),
    },
    Capability {
        harness: Harness::Openclaw,
        version: "2026.9.6",
        rules: yes("resent with each request, as `appendSystemContext` of `before_prompt_build`"),
        compaction: yes("they stand in the system context"),
        deny: yes("`before_tool_call` answers `block` with the reason"),
        rewrite: yes("`params`"),
        ask: no("without a person `requireApproval` is refused: it is denied, with how to approve"),
        redact: no("`tool_result_persist` cannot wait for a program"),
        warn: yes("with the next prompt: the call itself takes no text"),
        artifacts: no("`tool_result_persist` cannot wait for a program"),
        fails_open: "the plugin is not enabled",
        limit: "none",
        story: Some("tests/tests/harnesses.rs openclaw"),
    },
    Capability {
        harness: Harness::Cline,
        version: "3.0.65",
        rules: yes("in context, after a tool's answer only: whole at the first one"),
        compaction: yes("after the next tool's answer"),
        deny: yes("`cancel`, which ends the whole run"),
        rewrite: yes("`overrideInput`"),
        ask: no("there is nothing to ask with: it is denied, with how to approve"),
        redact: no("a hook cannot change an answer"),
        warn: yes("with the result: the call itself takes no text"),
        artifacts: no("a hook cannot change an answer"),
        fails_open: "exit 1, exit 2, an answer that is no JSON",
        limit: "none known",
        story: None,
    },
];

impl Capability {
    /// What of a harness.
    pub fn of(harness: Harness) -> Option<&'static Self> {
        CAPABILITIES.iter().find(|capability| capability.harness == harness)
    }

    /// The abilities by name, in order.
    pub fn abilities(&self) -> [(&'static str, Ability); 8] {
        [
            ("rules", self.rules),
            ("after compaction", self.compaction),
            ("deny", self.deny),
            ("rewrite", self.rewrite),
            ("ask", self.ask),
            ("redact", self.redact),
            ("warn", self.warn),
            ("artifacts", self.artifacts),
        ]
    }
}

/// The table as Markdown: what the guide shows. Writing to a string cannot fail.
pub fn capability_table() -> String {
    let mut text = String::from("| harness | what | possible | how, or why not |\n|---|---|---|---|\n");
    for capability in CAPABILITIES {
        let name = format!("{} {}", capability.harness.name(), capability.version);
        for (at, (what, ability)) in capability.abilities().into_iter().enumerate() {
            let name = if at == 0 { name.as_str() } else { "" };
            let can = if ability.can { "yes" } else { "no" };
            let _ = writeln!(text, "| {name} | {what} | {can} | {} |", ability.how);
        }
        let _ = writeln!(text, "| | lets a call run undecided | | {} |", capability.fails_open);
        let _ = writeln!(text, "| | shows of a hook's text | | {} |", capability.limit);
        let story =
            capability.story.map_or("none: read from its payloads".to_owned(), |story| format!("`{story}`"));
        let _ = writeln!(text, "| | the story that saw a denied command not run | | {story} |");
    }
    text
}

/// The one vocabulary as Markdown: what the guide shows.
pub fn vocabulary_table() -> String {
    let harnesses: Vec<Harness> = CAPABILITIES.iter().map(|capability| capability.harness).collect();
    let names: Vec<&str> = harnesses.iter().map(|harness| harness.name()).collect();
    let mut text = format!("| canonical | what it does | {} | elsewhere |\n", names.join(" | "));
    let _ = writeln!(text, "|---|---|{}---|", "---|".repeat(names.len()));
    for tool in mentci_host::policy::TOOLS {
        let quoted =
            |names: &[&str]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let of = |harness: &Harness| {
            tool.names
                .iter()
                .find(|(own, _)| own == harness)
                .map_or(String::new(), |(_, names)| quoted(names))
        };
        let cells: Vec<String> = harnesses.iter().map(of).collect();
        let _ = writeln!(
            text,
            "| `{}` | {} | {} | {} |",
            tool.canonical,
            tool.about,
            cells.join(" | "),
            quoted(tool.elsewhere)
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_harness_has_its_row() {
        let told: Vec<Harness> = CAPABILITIES.iter().map(|capability| capability.harness).collect();
        let all: Vec<Harness> = Harness::ALL.into_iter().filter(|harness| *harness != Harness::Any).collect();
        assert_eq!(told, all);
    }
}
