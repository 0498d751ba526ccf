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
    /// The story with the real client that sees it, as its suite and its name; none where no story does.
    pub story: Option<&'static str>,
}

impl Ability {
    /// Seen by this story.
    const fn by(self, story: &'static str) -> Self {
        Self { story: Some(story), ..self }
    }
}

const fn yes(how: &'static str) -> Ability {
    Ability { can: true, how, story: None }
}

const fn no(how: &'static str) -> Ability {
    Ability { can: false, how, story: None }
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
}

/// The table, in the order of [`Harness::ALL`].
pub const CAPABILITIES: &[Capability] = &[
    Capability {
        harness: Harness::Pi,
        version: "0.73.1, 1.5.2",
        rules: yes("resent with each request, in the system prompt")
            .by("pi::the_digest_stands_once_in_each_request"),
        compaction: yes("they stand in the system prompt")
            .by("pi::the_digest_stands_once_in_each_request"),
        deny: yes("`tool_call` answers `block` with the reason")
            .by("pi_policy::a_blocked_call_does_not_run_and_the_model_gets_the_reason"),
        rewrite: yes("the arguments are changed in place")
            .by("pi_policy::changed_arguments_run"),
        ask: yes("in pi's dialog; without one it is denied, with how to approve")
            .by("pi_policy::a_call_that_waits_for_a_person_runs_when_they_say_yes"),
        redact: yes("`tool_result` answers with other content")
            .by("pi_policy::a_blocked_call_does_not_run_and_the_model_gets_the_reason"),
        warn: yes("in the next request")
            .by("pi_policy::a_warning_stands_in_the_next_request"),
        artifacts: yes("`tool_result` answers with the summary")
            .by("pi_policy::a_large_result_is_shown_as_a_summary_and_can_be_read_back"),
        fails_open: "the program is missing, unless `policy.on_engine_failure` is `block`",
        limit: "none",
    },
    Capability {
        harness: Harness::ClaudeCode,
        version: "2.1.330",
        rules: yes("in context: whole at session start, a pulse with each prompt")
            .by("harnesses::claude_code_is_guarded"),
        compaction: yes("`SessionStart` with `source` `compact`")
            .by("harnesses::claude_code_has_the_digest_after_compaction"),
        deny: yes("`permissionDecision` `deny` with the reason")
            .by("harnesses::claude_code_is_guarded"),
        rewrite: yes("`updatedInput`")
            .by("harnesses::claude_code_is_guarded"),
        ask: yes("`permissionDecision` `ask`; with `-p` that is a denial, which says how to approve")
            .by("harnesses::claude_code_is_guarded"),
        redact: yes("`updatedToolOutput`, in the shape of the tool's own output; not of a call that failed, whose text it shows as it is")
            .by("harnesses::claude_code_is_guarded"),
        warn: yes("`additionalContext` of the call itself")
            .by("harnesses::claude_code_is_guarded"),
        artifacts: yes("`updatedToolOutput`, in the shape of the tool's own output")
            .by("harnesses::claude_code_is_guarded"),
        fails_open: "exit 1, a time-out, an answer that is no JSON, a hook that cannot be started",
        limit: "10,000 characters",
    },
    Capability {
        harness: Harness::Codex,
        version: "0.169.0",
        rules: yes("in context, as developer messages: whole at session start, a pulse with each prompt")
            .by("harnesses::codex_is_guarded"),
        compaction: yes("`SessionStart` with `source` `compact`")
            .by("harnesses::codex_has_the_digest_after_compaction"),
        deny: yes("`permissionDecision` `deny` with the reason; of what is typed into a running program it asks nothing: a shell or an interpreter that would wait for it does not start")
            .by("harnesses::codex_is_guarded"),
        rewrite: yes("`updatedInput` beside `allow`")
            .by("harnesses::codex_is_guarded"),
        ask: no("`ask` is ignored and the call runs: it is denied, with how to approve")
            .by("harnesses::codex_is_guarded"),
        redact: yes("a blocked result is replaced by the reason; not what a command says before it ends")
            .by("harnesses::codex_is_guarded"),
        warn: yes("`additionalContext` of the call itself")
            .by("harnesses::codex_is_guarded"),
        artifacts: yes("in the place of the result")
            .by("harnesses::codex_is_guarded"),
        fails_open: "exit 1, a time-out, an answer with one unknown key, hooks that were not trusted",
        limit: "2,500 tokens",
    },
    Capability {
        harness: Harness::Gemini,
        version: "0.61.0",
        rules: yes(
            "in context: whole at session start, a pulse with each prompt; lost on resume, and told again then",
        )
            .by("harnesses::gemini_is_guarded"),
        compaction: yes(
            "`BeforeModel` puts them into a request in which they no longer stand; the next prompt tells them again",
        )
            .by("harnesses::gemini_has_the_digest_after_compaction"),
        deny: yes("`decision` `deny` with the reason")
            .by("harnesses::gemini_is_guarded"),
        rewrite: yes("`tool_input`, laid over the arguments: none can be taken away")
            .by("harnesses::gemini_is_guarded"),
        ask: no("without a person `ask` ends the run: it is denied, with how to approve")
            .by("harnesses::gemini_is_guarded"),
        redact: yes("a denied result is replaced by the reason")
            .by("harnesses::gemini_is_guarded"),
        warn: yes("with the result, or the next prompt: the call itself takes no text")
            .by("harnesses::gemini_is_guarded"),
        artifacts: yes("in the place of the result")
            .by("harnesses::gemini_is_guarded"),
        fails_open: "exit 1, a time-out, an answer that is no JSON; in `--acp` mode tool hooks do not fire",
        limit: "none known",
    },
    Capability {
        harness: Harness::Opencode,
        version: "1.18.33",
        rules: yes("resent with each request, through `experimental.chat.system.transform`")
            .by("harnesses::opencode_is_guarded"),
        compaction: yes("they stand in the system prompt")
            .by("harnesses::opencode_has_the_digest_after_compaction"),
        deny: yes("the plugin throws in `tool.execute.before`")
            .by("harnesses::opencode_is_guarded"),
        rewrite: yes("the arguments are changed in place")
            .by("harnesses::opencode_is_guarded"),
        ask: no("`permission.ask` is never called: it is denied, with how to approve")
            .by("harnesses::opencode_is_guarded"),
        redact: yes("`tool.execute.after` changes the output; it does not come for a server's tool that failed, which the gateway redacts")
            .by("harnesses::opencode_is_guarded"),
        warn: yes("with the next request, in the system prompt")
            .by("harnesses::opencode_is_guarded"),
        artifacts: yes("`tool.execute.after` changes the output")
            .by("harnesses::opencode_is_guarded"),
        fails_open: "the plugin does not load",
        limit: "none",
    },
    Capability {
        harness: Harness::Openclaw,
        version: "2026.9.6",
        rules: yes("resent with each request, as `appendSystemContext` of `before_prompt_build`")
            .by("harnesses::openclaw_is_guarded"),
        compaction: yes("they stand in the system context")
            .by("harnesses::openclaw_has_the_digest_after_compaction"),
        deny: yes("`before_tool_call` answers `block` with the reason")
            .by("harnesses::openclaw_is_guarded"),
        rewrite: yes("`params`")
            .by("harnesses::openclaw_is_guarded"),
        ask: no("without a person `requireApproval` is refused: it is denied, with how to approve")
            .by("harnesses::openclaw_is_guarded"),
        redact: yes("the plugin stands between tool and model, as `registerAgentToolResultMiddleware`")
            .by("harnesses::openclaw_is_guarded"),
        warn: yes("with the next prompt: the call itself takes no text")
            .by("harnesses::openclaw_is_guarded"),
        artifacts: yes("the plugin stands between tool and model, as `registerAgentToolResultMiddleware`")
            .by("harnesses::openclaw_is_guarded"),
        fails_open: "the plugin is not enabled",
        limit: "none",
    },
    Capability {
        harness: Harness::Cline,
        version: "3.0.65",
        rules: yes("in context, after a tool's answer only: whole at the first one")
            .by("harnesses::cline_is_guarded"),
        compaction: yes("after the next tool's answer"),
        deny: yes("`cancel`, which ends the whole run")
            .by("harnesses::cline_is_guarded"),
        rewrite: yes("`overrideInput`")
            .by("harnesses::cline_is_guarded"),
        ask: no("there is nothing to ask with: it is denied, with how to approve")
            .by("harnesses::cline_is_guarded"),
        redact: no("a hook cannot change an answer")
            .by("harnesses::cline_is_guarded"),
        warn: yes("with the result: the call itself takes no text")
            .by("harnesses::cline_is_guarded"),
        artifacts: no("a hook cannot change an answer")
            .by("harnesses::cline_is_guarded"),
        fails_open: "exit 1, exit 2, an answer that is no JSON",
        limit: "none known",
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
    let mut text =
        String::from("| harness | what | possible | how, or why not | seen by |\n|---|---|---|---|---|\n");
    for capability in CAPABILITIES {
        let name = format!("{} {}", capability.harness.name(), capability.version);
        for (at, (what, ability)) in capability.abilities().into_iter().enumerate() {
            let name = if at == 0 { name.as_str() } else { "" };
            let can = if ability.can { "yes" } else { "no" };
            let seen = ability.story.map_or("no story".to_owned(), |story| format!("`{story}`"));
            let _ = writeln!(text, "| {name} | {what} | {can} | {} | {seen} |", ability.how);
        }
        let _ = writeln!(text, "| | lets a call run undecided | | {} | no story |", capability.fails_open);
        let _ = writeln!(text, "| | shows of a hook's text | | {} | no story |", capability.limit);
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
