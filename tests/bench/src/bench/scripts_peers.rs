//! The same work in Python: conditions by simpleeval, scripts by lupa (`LuaJIT`), templates by jinja2.
//!
//! Each parses once, and is asked again and again; the Python checks every answer before its clock runs.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::scripts::{CONDITION, FILLED, TEMPLATE, WALKED};
use crate::options::Options;

/// What Python took, in seconds by what it did; nothing where it is not installed.
pub(super) struct Times(Value);

impl Times {
    pub(super) fn condition(&self) -> Option<(&'static str, f64)> {
        self.of("condition", "simpleeval")
    }

    pub(super) fn trivial(&self) -> Option<(&'static str, f64)> {
        self.of("trivial", "lupa (LuaJIT)")
    }

    pub(super) fn walk_again(&self) -> Option<(&'static str, f64)> {
        self.of("walk_again", "lupa (LuaJIT)")
    }

    pub(super) fn walk_new(&self) -> Option<(&'static str, f64)> {
        self.of("walk_new", "lupa (LuaJIT)")
    }

    pub(super) fn template(&self) -> Option<(&'static str, f64)> {
        self.of("template", "jinja2")
    }

    pub(super) fn hook(&self) -> Option<(&'static str, f64)> {
        self.of("hook", "simpleeval and jinja2")
    }

    fn of(&self, what: &str, who: &'static str) -> Option<(&'static str, f64)> {
        Some((who, self.0.get(what)?.as_f64()?))
    }
}

/// Runs the Python over these facts.
pub(super) fn measure(options: &Options, facts: &Value) -> Result<Times, String> {
    let python = options.tools.join("acting/bin/python");
    if !python.exists() {
        eprintln!("simpleeval, lupa and jinja2 are not installed in {}: left out", options.tools.display());
        return Ok(Times(Value::Null));
    }
    let told = |error: std::io::Error| format!("Python: {error}");
    let asked = json!({
        "facts": facts, "rounds": options.amount(41, 5), "condition": CONDITION, "template": TEMPLATE,
        "filled": FILLED, "walked": WALKED,
    });
    let mut child = Command::new(python)
        .args(["-c", include_str!("scripts.py")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(told)?;
    if let Some(mut input) = child.stdin.take() {
        input.write_all(asked.to_string().as_bytes()).map_err(told)?;
    }
    let output = child.wait_with_output().map_err(told)?;
    let times = serde_json::from_slice(&output.stdout).map(Times);
    times.map_err(|_| format!("Python: {}", String::from_utf8_lossy(&output.stderr)))
}
