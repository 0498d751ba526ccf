//! Every event of every harness: what is heard in its payload, and what it is answered.

mod answered;
mod heard;

use mentci_authority::{Effect, Reason, Verdict};
use mentci_host::{Harness, HookAnswer};
use serde_json::{Value, json};

#[expect(clippy::needless_pass_by_value, reason = "payloads are written in place")]
fn tool_hook(name: &str, input: Value) -> Value {
    json!({"session_id": "s1", "cwd": "/w", "tool_name": name, "tool_input": input, "tool_use_id": "t1"})
}

/// The gate, the result and the prompt of each harness that has hooks of its own or a plugin of ours.
const GATES: &[(Harness, &str, &str, &str)] = &[
    (Harness::ClaudeCode, "PreToolUse", "PostToolUse", "UserPromptSubmit"),
    (Harness::Codex, "PreToolUse", "PostToolUse", "UserPromptSubmit"),
    (Harness::Gemini, "BeforeTool", "AfterTool", "BeforeAgent"),
    (Harness::Cline, "PreToolUse", "PostToolUse", "UserPromptSubmit"),
    (Harness::Opencode, "tool.execute.before", "tool.execute.after", "chat.message"),
    (Harness::Openclaw, "before_tool_call", "tool_result", "before_prompt_build"),
    (Harness::Pi, "tool_call", "tool_result", "before_agent_start"),
];

fn verdict(decision: Effect) -> Verdict {
    let reason = Reason {
        rule: "own/no-rm".into(),
        effect: decision,
        message: "never at the root".into(),
        at: "own.yaml:3:5".into(),
        severity: None,
    };
    Verdict { decision, rules: vec!["own/no-rm".into()], reasons: vec![reason], ..Verdict::default() }
}

fn answer(verdict: Verdict) -> HookAnswer {
    HookAnswer { verdicts: vec![verdict], rules: None, earlier: Vec::new() }
}
