//! What each harness is answered.

use mentci_authority::{Effect, Notification, NotifyPriority, Verdict};
use mentci_harness::{Payload, closed, hear, reply};
use mentci_host::{Harness, HookAnswer, Part, ShownRules};
use mentci_source::Hash;
use serde_json::{Value, json};

use super::{GATES, answer, verdict};

/// What each harness is answered at its gate (0), its result (1) or its prompt (2).
fn answers(at: usize, answer: &HookAnswer) -> String {
    let lines = GATES.iter().map(|(harness, gate, result, prompt)| {
        let event = [gate, result, prompt][at];
        let reply = reply(&hear(*harness, event, &Payload::default()), event, answer);
        assert_eq!((reply.code, reply.stderr.as_str()), (0, ""));
        format!("{}: {}", harness.name(), reply.stdout.trim_end())
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_denied_call() {
    insta::assert_snapshot!(answers(0, &answer(verdict(Effect::Block))), @r#"
    claude-code: {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"Blocked by own/no-rm (own.yaml:3:5): never at the root"}}
    codex: {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"Blocked by own/no-rm (own.yaml:3:5): never at the root"}}
    gemini: {"decision":"deny","reason":"Blocked by own/no-rm (own.yaml:3:5): never at the root"}
    cline: {"cancel":true,"errorMessage":"Blocked by own/no-rm (own.yaml:3:5): never at the root"}
    opencode: {"decision":"deny","reason":"Blocked by own/no-rm (own.yaml:3:5): never at the root"}
    openclaw: {"decision":"deny","reason":"Blocked by own/no-rm (own.yaml:3:5): never at the root"}
    pi: {"decision":"deny","reason":"Blocked by own/no-rm (own.yaml:3:5): never at the root"}
    "#);
}

#[test]
fn a_call_that_a_person_must_allow() {
    let waiting = Verdict { approval: Some("a1b2c3".into()), ..verdict(Effect::Approve) };
    insta::assert_snapshot!(answers(0, &answer(waiting)), @r#"
    claude-code: {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"Waits for approval by own/no-rm (own.yaml:3:5): never at the root\nA person can allow it with `policy-engine approvals grant a1b2c3`; then make the same call again."}}
    codex: {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"Waits for approval by own/no-rm (own.yaml:3:5): never at the root\nA person can allow it with `policy-engine approvals grant a1b2c3`; then make the same call again."}}
    gemini: {"decision":"deny","reason":"Waits for approval by own/no-rm (own.yaml:3:5): never at the root\nA person can allow it with `policy-engine approvals grant a1b2c3`; then make the same call again."}
    cline: {"cancel":true,"errorMessage":"Waits for approval by own/no-rm (own.yaml:3:5): never at the root\nA person can allow it with `policy-engine approvals grant a1b2c3`; then make the same call again."}
    opencode: {"decision":"deny","reason":"Waits for approval by own/no-rm (own.yaml:3:5): never at the root\nA person can allow it with `policy-engine approvals grant a1b2c3`; then make the same call again."}
    openclaw: {"decision":"deny","reason":"Waits for approval by own/no-rm (own.yaml:3:5): never at the root\nA person can allow it with `policy-engine approvals grant a1b2c3`; then make the same call again."}
    pi: {"approval":{"id":"a1b2c3","why":"Waits for approval by own/no-rm (own.yaml:3:5): never at the root"},"decision":"ask","reason":"Waits for approval by own/no-rm (own.yaml:3:5): never at the root\nA person can allow it with `policy-engine approvals grant a1b2c3`; then make the same call again."}
    "#);
}

#[test]
fn a_call_with_other_arguments() {
    let changed = Verdict { args: Some(json!({"command": "ls"})), ..verdict(Effect::Redact) };
    insta::assert_snapshot!(answers(0, &answer(changed)), @r#"
    claude-code: {"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"ls"}}}
    codex: {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"command":"ls"}}}
    gemini: {"hookSpecificOutput":{"hookEventName":"BeforeTool","tool_input":{"command":"ls"}}}
    cline: {"cancel":false,"overrideInput":{"command":"ls"}}
    opencode: {"args":{"command":"ls"},"decision":"allow"}
    openclaw: {"args":{"command":"ls"},"decision":"allow"}
    pi: {"args":{"command":"ls"},"decision":"allow"}
    "#);
}

#[test]
fn a_result_that_is_changed_and_what_rules_tell() {
    let notice = Notification {
        id: "n1".into(),
        message: "narrow it </system-reminder>".into(),
        category: "hint".into(),
        priority: NotifyPriority::High,
        rule: "own/large".into(),
    };
    let changed =
        Verdict { result: Some(json!("[EMAIL]")), notifications: vec![notice], ..verdict(Effect::Redact) };
    insta::assert_snapshot!(answers(1, &answer(changed)), @r#"
    claude-code: {"hookSpecificOutput":{"additionalContext":"- [high hint] narrow it &lt;/system-reminder> (rule own/large)","hookEventName":"PostToolUse","updatedToolOutput":"[EMAIL]"}}
    codex: {"decision":"block","hookSpecificOutput":{"additionalContext":"- [high hint] narrow it &lt;/system-reminder> (rule own/large)","hookEventName":"PostToolUse"},"reason":"[EMAIL]"}
    gemini: {"decision":"deny","reason":"[EMAIL]\n\n- [high hint] narrow it &lt;/system-reminder> (rule own/large)"}
    cline: {"cancel":false,"contextModification":"- [high hint] narrow it &lt;/system-reminder> (rule own/large)"}
    opencode: {"context":"- [high hint] narrow it &lt;/system-reminder> (rule own/large)","decision":"allow","result":"[EMAIL]"}
    openclaw: {"context":"- [high hint] narrow it &lt;/system-reminder> (rule own/large)","decision":"allow","result":"[EMAIL]"}
    pi: {"context":"- [high hint] narrow it &lt;/system-reminder> (rule own/large)","decision":"allow","result":"[EMAIL]"}
    "#);
}

#[test]
fn a_call_that_is_warned_of() {
    insta::assert_snapshot!(answers(0, &answer(verdict(Effect::Warn))), @r#"
    claude-code: {"hookSpecificOutput":{"additionalContext":"- [warning] never at the root (rule own/no-rm)","hookEventName":"PreToolUse"}}
    codex: {"hookSpecificOutput":{"additionalContext":"- [warning] never at the root (rule own/no-rm)","hookEventName":"PreToolUse"}}
    gemini: 
    cline: {"cancel":false}
    opencode: {"context":"- [warning] never at the root (rule own/no-rm)","decision":"allow"}
    openclaw: {"context":"- [warning] never at the root (rule own/no-rm)","decision":"allow"}
    pi: {"context":"- [warning] never at the root (rule own/no-rm)","decision":"allow"}
    "#);
}

#[test]
fn a_prompt_with_the_rules() {
    let rules = ShownRules {
        part: Part::Whole,
        text: "The rules\n## Must\na-1 Never <b>\n".into(),
        hash: Hash::of_bytes(b""),
        tokens: 10,
    };
    let answer = HookAnswer { verdicts: vec![], rules: Some(rules), earlier: Vec::new() };
    insta::assert_snapshot!(answers(2, &answer), @r#"
    claude-code: {"hookSpecificOutput":{"additionalContext":"The rules\n## Must\na-1 Never <b>","hookEventName":"UserPromptSubmit"}}
    codex: {"hookSpecificOutput":{"additionalContext":"The rules\n## Must\na-1 Never <b>","hookEventName":"UserPromptSubmit"}}
    gemini: {"hookSpecificOutput":{"additionalContext":"The rules\n## Must\na-1 Never <b>","hookEventName":"BeforeAgent"}}
    cline: {"cancel":false}
    opencode: {"context":"The rules\n## Must\na-1 Never <b>","decision":"allow"}
    openclaw: {"context":"The rules\n## Must\na-1 Never <b>","decision":"allow"}
    pi: {"context":"The rules\n## Must\na-1 Never <b>","decision":"allow"}
    "#);
}

#[test]
fn nothing_to_say_is_nothing_said() {
    for (harness, gate, result, _) in &GATES[..3] {
        for event in [gate, result] {
            let reply =
                reply(&hear(*harness, event, &Payload::default()), event, &answer(Verdict::default()));
            assert_eq!(reply.stdout, "", "{} {event}", harness.name());
        }
    }
}

#[test]
fn what_is_told_stays_within_the_harnesss_limit() {
    let notice = |at: usize| Notification {
        id: format!("n{at}"),
        message: "x".repeat(900),
        category: String::new(),
        priority: NotifyPriority::Normal,
        rule: "own/much".into(),
    };
    let told = Verdict { notifications: (0..40).map(notice).collect(), ..Verdict::default() };
    let rules = ShownRules {
        part: Part::Whole,
        text: format!("# Absolute Rules\n{}\n", "y".repeat(7_000)),
        hash: Hash::of_bytes(b""),
        tokens: 1_400,
    };
    let answer = HookAnswer { verdicts: vec![told], rules: Some(rules), earlier: Vec::new() };
    for (harness, most) in [(Harness::ClaudeCode, 10_000), (Harness::Codex, 2_500 * 3 + 7_000)] {
        let reply =
            reply(&hear(harness, "UserPromptSubmit", &Payload::default()), "UserPromptSubmit", &answer);
        let value: Value = serde_json::from_str(&reply.stdout).unwrap();
        let context = value["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
        assert!(context.chars().count() <= most, "{}: {}", harness.name(), context.chars().count());
        assert!(
            context.contains("yyyy") && context.contains(" more: `policy-engine notifications"),
            "{context}"
        );
    }
}

#[test]
fn where_nothing_could_be_decided_gates_close_and_advice_is_silent() {
    for (harness, gate, result, prompt) in GATES {
        let told = closed(*harness, gate, "the log is locked");
        assert!(
            told.stdout.contains("Blocked by mentci: the log is locked"),
            "{}: {}",
            harness.name(),
            told.stdout
        );
        let told = closed(*harness, prompt, "the log is locked");
        assert_eq!((told.stdout.as_str(), told.stderr.as_str()), ("", "mentci: the log is locked\n"));
        // What nobody looked at is withheld, where a hook can do that.
        let told = closed(*harness, result, "the log is locked");
        assert_eq!(
            told.stdout.contains("withheld by mentci: the log is locked"),
            harness.changes_results(),
            "{}: {}",
            harness.name(),
            told.stdout
        );
        assert_eq!(told.stderr, "mentci: the log is locked\n");
    }
}

/// The tool failed, and Claude Code takes nothing in the place of that.
#[test]
fn a_failure_that_nobody_looked_at_stays() {
    assert_eq!(closed(Harness::ClaudeCode, "PostToolUseFailure", "no time").stdout, "");
}
