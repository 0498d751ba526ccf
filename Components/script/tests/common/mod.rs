//! What the tests of scripts share.

use std::sync::Arc;

use mentci_script::{Facts, Limits, Ran, Script, ScriptError, Scripts};
use serde_json::{Value, json};

/// Enough for every script of the tests, and soon over for those that run away.
pub(crate) fn limits() -> Limits {
    Limits { steps: 30_000, ..Limits::default() }
}

pub(crate) fn facts() -> Value {
    json!({
        "turn": {"number": 7, "token_usage": 0.85, "iteration": 3},
        "history": {
            "tools": [
                {"name": "exec", "status": "failed", "args": {"command": "ls"}},
                {"name": "exec", "status": "ok", "args": {}},
                {"name": "read_file", "status": "ok", "args": {"path": "a.rs"}},
            ],
            "messages": [],
            "failures": {"exec": 1},
        },
        "user": {"id": "u1", "settings": {"quiet": false}},
        "project": {"id": "p1", "settings": {}},
        "state": {"count": 3, "seen": ["a", "b"], "nothing": null, "get me": true},
        "event": {"type": "pre_tool_call", "at": 1_700_000_000_000_u64},
        "result": {"count": 9, "text": "ok"},
        "plugin": {"settings": {"limit": 0.8}},
        "parameters": {"threshold": 0.8},
    })
}

/// Runs a source named `rule.luau` on a machine of its own.
pub(crate) fn run(source: &str) -> Result<Ran, ScriptError> {
    run_on(&Scripts::new(|| 0), source)
}

pub(crate) fn run_on(scripts: &Scripts, source: &str) -> Result<Ran, ScriptError> {
    run_within(scripts, source, &limits())
}

pub(crate) fn run_within(scripts: &Scripts, source: &str, limits: &Limits) -> Result<Ran, ScriptError> {
    let facts: Arc<dyn Facts> = Arc::new(facts());
    scripts.run(&Script::compile("rule.luau", source)?, &facts, limits)
}
