//! Sessions from the command line: what comes into the log, what goes out, and what proves that it is as it was.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests change what was kept, and may stop"
)]

mod answers;
mod damaged;
mod imports;
mod secrets;

use mentci_tests::Scratch;
use serde_json::{Value, json};

/// Compiles the session that most tests write.
const COMPILE: [&str; 6] = ["context", "compile", "--session", "s.jsonl", "--budget", "2000"];

fn said(session: &str, role: &str, text: &str) -> Value {
    json!({"event": "message_appended", "at": 1, "session": session, "message": {"role": role, "text": text}})
}

/// A call and its answer.
fn called(session: &str, id: &str, result: &Value) -> [Value; 2] {
    let tool = json!({"name": "bash", "args": {"command": format!("make {id}")}, "call_id": id});
    [
        json!({"event": "pre_tool_call", "at": 3, "session": session, "tool": tool}),
        json!({"event": "post_tool_response", "at": 4, "session": session, "tool": tool, "result": result}),
    ]
}

fn lines(events: &[Value]) -> String {
    events.iter().map(Value::to_string).collect::<Vec<_>>().join("\n") + "\n"
}

fn large() -> Value {
    json!("a line of a large output\n".repeat(200))
}

/// What is said on standard error, and the exit code.
fn refused(scratch: &Scratch, args: &[&str]) -> (Option<i32>, String) {
    let output = scratch.run(args);
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}
