//! Plays for the real pi coding agent, against a model that follows a script.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::clients::{driver, installed, node};
use crate::{Scratch, engine};

/// The two generations of pi that differ in what extensions see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pi {
    /// 0.73.1, by its first publisher.
    V0,
    /// 1.5.2, by its second.
    V1,
}

impl Pi {
    /// Both.
    pub const BOTH: [Self; 2] = [Self::V0, Self::V1];

    fn program(self) -> PathBuf {
        installed(match self {
            Self::V0 => "pi-old/node_modules/@mariozechner/pi-coding-agent/dist/cli.js",
            Self::V1 => "pi/package/dist/bundle/cli.js",
        })
    }
}

/// What the user does and what the model answers.
///
/// ```no_run
/// # use mentci_tests::{Pi, Scratch, Story};
/// # use serde_json::json;
/// let workspace = Scratch::new(&[]);
/// let told = Story::new(&workspace, Pi::V1)
///     .model(json!([{ "say": "hello" }]))
///     .session(json!([{ "prompt": "hi" }]))
///     .tell();
/// assert_eq!(told.turns().len(), 1);
/// ```
pub struct Story<'a> {
    workspace: &'a Scratch,
    pi: Pi,
    env: BTreeMap<&'static str, String>,
    turns: Value,
    sessions: Vec<Value>,
}

impl<'a> Story<'a> {
    /// A story in this workspace, with the engine under test named in the environment.
    pub fn new(workspace: &'a Scratch, pi: Pi) -> Self {
        let engine = engine().display().to_string();
        Self {
            workspace,
            pi,
            env: BTreeMap::from([
                ("MENTCI_POLICY_ENGINE", engine),
                // A program that is built for tests takes longer than one that is built for people.
                ("MENTCI_HOOK_DEADLINE_MS", "8000".to_owned()),
            ]),
            turns: json!([]),
            sessions: Vec::new(),
        }
    }

    /// Takes the engine away.
    #[must_use]
    pub fn without_engine(mut self) -> Self {
        self.env.clear();
        self
    }

    /// The model's turns, as `model-server.mjs` reads them.
    #[must_use]
    pub fn model(mut self, turns: Value) -> Self {
        self.turns = turns;
        self
    }

    /// One more pi process and its steps, as `pi-drive.mjs` reads them. The second and later ones continue the first.
    #[must_use]
    pub fn session(mut self, steps: Value) -> Self {
        self.sessions.push(steps);
        self
    }

    /// Plays it.
    ///
    /// # Panics
    ///
    /// With what pi said, when a step is refused or takes too long.
    pub fn tell(self) -> Told {
        let out = tempfile::Builder::new()
            .prefix("mentci-pi-")
            .tempdir()
            .expect("the temporary folder can be written");
        let node = node();
        let story = json!({
            "pi": self.pi.program(),
            "node": node,
            "workspace": self.workspace.root(),
            "out": out.path(),
            "env": self.env,
            "script": { "turns": self.turns },
            "sessions": self.sessions,
        });
        let script = out.path().join("story.json");
        std::fs::write(&script, story.to_string()).expect("a new file");
        let driven =
            Command::new(node).arg(driver("pi-drive.mjs")).arg(script).output().expect("node can be started");
        let told = Told::read(out);
        let said = String::from_utf8_lossy(&driven.stderr);
        assert!(driven.status.success(), "pi was not driven to the end: {said}\n{}", told.stderr);
        told
    }
}

/// What happened.
pub struct Told {
    /// Every request that the model was sent, in order.
    pub requests: Vec<Request>,
    /// Every event that pi wrote in rpc mode, in order.
    pub events: Vec<Value>,
    /// What pi wrote on standard error.
    pub stderr: String,
    folder: Option<TempDir>,
}

impl Told {
    fn read(folder: TempDir) -> Self {
        let requests = lines(&folder.path().join("requests.jsonl"));
        Self {
            requests: requests.iter().map(Request::new).collect(),
            events: lines(&folder.path().join("events.jsonl")),
            stderr: std::fs::read_to_string(folder.path().join("stderr.log")).unwrap_or_default(),
            folder: Some(folder),
        }
    }

    /// The requests that offered tools: the agent's own, not summaries.
    pub fn turns(&self) -> Vec<&Request> {
        self.requests.iter().filter(|r| r.offers_tools).collect()
    }

    /// The requests for summaries.
    pub fn asides(&self) -> Vec<&Request> {
        self.requests.iter().filter(|r| !r.offers_tools).collect()
    }

    /// What the engine says about what pi told it, whose state is that of pi's user.
    ///
    /// # Panics
    ///
    /// When it fails.
    pub fn engine(&self, workspace: &Scratch, args: &[&str]) -> String {
        let home = self.folder.as_ref().map(|folder| folder.path().join("home")).unwrap_or_default();
        let mut command = workspace.engine();
        command.env("HOME", home).env_remove("XDG_CONFIG_HOME").env_remove("XDG_STATE_HOME");
        let output = command.args(args).output().expect("the engine can be started");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// What extensions told the user, in order.
    pub fn notices(&self) -> Vec<&str> {
        self.events
            .iter()
            .filter(|event| event["method"] == "notify")
            .filter_map(|event| event["message"].as_str())
            .collect()
    }
}

impl Drop for Told {
    fn drop(&mut self) {
        if std::thread::panicking()
            && let Some(folder) = self.folder.take()
        {
            eprintln!("kept for a look: {}", folder.keep().display());
        }
    }
}

/// One request to the model.
pub struct Request {
    offers_tools: bool,
    body: Value,
}

impl Request {
    fn new(line: &Value) -> Self {
        Self { offers_tools: line["kind"] == "turn", body: line["body"].clone() }
    }

    /// How often this text stands anywhere in the body.
    pub fn times(&self, text: &str) -> usize {
        times(&self.body, text)
    }

    /// How often it stands in the system prompt.
    pub fn times_in_system(&self, text: &str) -> usize {
        self.system().matches(text).count()
    }

    /// The system prompt.
    pub fn system(&self) -> String {
        self.texts("system")
    }

    /// What stands in messages of this role, a line each.
    pub fn texts(&self, role: &str) -> String {
        let messages = self.body["messages"].as_array();
        let of_role = messages.into_iter().flatten().filter(|m| m["role"] == role);
        of_role.map(|message| flat(&message["content"])).collect::<Vec<_>>().join("\n")
    }
}

fn times(value: &Value, text: &str) -> usize {
    match value {
        Value::String(string) => string.matches(text).count(),
        Value::Array(items) => items.iter().map(|item| times(item, text)).sum(),
        Value::Object(fields) => fields.values().map(|field| times(field, text)).sum(),
        _ => 0,
    }
}

/// A message's content: a string, or parts with text.
fn flat(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(|p| p["text"].as_str()).collect(),
        _ => String::new(),
    }
}

fn lines(path: &Path) -> Vec<Value> {
    std::fs::read_to_string(path)
        .unwrap_or_default()
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}
