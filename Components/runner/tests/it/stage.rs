//! A scratch workspace, a model that says what is written, and nobody who watches.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use mentci_authority::{
    ChatCall, Model, ModelAnswer, ModelEar, ModelFailure, ModelFailureKind, ModelPiece, ModelReply,
    ModelRequest, ToolAnswer, ToolCall, ToolFailure, ToolProvider, ToolSpec,
};
use mentci_disk::{Fs, RealFs};
use mentci_host::{Ask, Request};
use mentci_runner::{
    Approvals, Audience, Cancel, Connect, Connecting, Parts, Question, Reading, RunEnd, RunEvent, RunOptions,
    Start, Waiting, run,
};
use mentci_workspace::{StoppedClock, Surroundings, Workspace};
use serde_json::Value;

/// A scratch workspace with a document in it.
pub(crate) struct Stage {
    folder: tempfile::TempDir,
    pub(crate) fs: Arc<dyn Fs>,
    pub(crate) options: RunOptions,
    pub(crate) model: Arc<Scripted>,
    pub(crate) audience: Arc<Watching>,
    pub(crate) servers: Arc<Servers>,
    pub(crate) cancel: Cancel,
}

impl Stage {
    /// A document, and what the model answers, in order.
    pub(crate) fn new(document: &str, replies: Vec<ModelReply>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("w")).unwrap();
        std::fs::write(folder.path().join("w/a.chatmd"), document).unwrap();
        let options = RunOptions {
            file: folder.path().join("w/a.chatmd"),
            budget: Some(8_000),
            approvals: Approvals::Ask,
            ..RunOptions::default()
        };
        Self {
            folder,
            fs: Arc::new(RealFs),
            options,
            model: Arc::new(Scripted { replies, asked: Mutex::default() }),
            audience: Arc::default(),
            servers: Arc::default(),
            cancel: Cancel::default(),
        }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("w").join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        std::fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        std::fs::write(self.path(name), text).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    pub(crate) fn workspace(&self) -> Workspace {
        let around =
            Surroundings { state: Some(self.folder.path().join("state")), ..Surroundings::default() };
        let clock = Arc::new(StoppedClock("2026-11-22T10:00:00Z".into()));
        Workspace::open(&self.path(""), around, self.fs.clone(), clock)
    }

    /// What stands in the workspace's configuration counts.
    pub(crate) fn trust(&self) {
        self.workspace().ask(Request::Trust { revoke: false });
    }

    /// Runs it to its end.
    pub(crate) fn run(&self) -> RunEnd {
        let (model, workspace) = (self.model.clone(), Arc::new(self.workspace()));
        let scripts = workspace.clone();
        let parts = Parts {
            workspace,
            models: Arc::new(move |name| match name.filter(|name| name.starts_with("script:")) {
                Some(script) => scripts.model(Some(script)),
                None => Ok(model.clone()),
            }),
            connect: self.servers.clone(),
            audience: self.audience.clone(),
            cancel: self.cancel.clone(),
        };
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        runtime.block_on(run(self.options.clone(), parts))
    }

    /// What the run appended.
    pub(crate) fn transcript(&self) -> String {
        self.run();
        self.appended()
    }

    pub(crate) fn appended(&self) -> String {
        let text = self.read("a.chatmd");
        let at = text.find("<!-- run -->\n").map_or(0, |at| at + 13);
        text[at..].to_owned()
    }

    /// The messages of the nth request, from 1, one line each.
    pub(crate) fn request(&self, number: usize) -> String {
        let asked = self.model.asked.lock().unwrap();
        let messages = asked[number - 1].messages.iter().map(|message| {
            let calls: Vec<String> =
                message.tool_calls.iter().map(|call| format!("{}({})", call.name, call.arguments)).collect();
            format!("{}: {}{}", message.role, message.content.as_deref().unwrap_or(""), calls.join(" "))
        });
        messages.collect::<Vec<_>>().join("\n")
    }
}

/// A document with this head, in which somebody says to go on.
pub(crate) fn document(head: &str) -> String {
    asking(head, "Go on.")
}

/// A document with this head, in which somebody says this; what a run appends stands behind the mark.
pub(crate) fn asking(head: &str, text: &str) -> String {
    let gap = if head.is_empty() || head.ends_with('\n') { "" } else { "\n" };
    format!("{head}{gap}<user>\n{text}\n</user>\n<!-- run -->\n")
}

/// What was odd about a run, one after the other.
pub(crate) fn told(end: &RunEnd) -> String {
    end.findings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// A model that says what is written, one answer after the other.
#[derive(Default)]
pub(crate) struct Scripted {
    replies: Vec<ModelReply>,
    pub(crate) asked: Mutex<Vec<ModelRequest>>,
}

impl Scripted {
    pub(crate) fn of(replies: Vec<ModelReply>) -> Self {
        Self { replies, asked: Mutex::default() }
    }
}

impl Model for Scripted {
    fn name(&self) -> &'static str {
        "scripted"
    }

    fn ask<'a>(&'a self, request: &'a ModelRequest, ear: &'a mut ModelEar<'a>) -> ModelAnswer<'a> {
        self.asked.lock().unwrap().push(request.clone());
        let number = usize::try_from(request.turn.unwrap_or_default()).unwrap();
        Box::pin(async move {
            let over = || ModelFailure {
                kind: ModelFailureKind::Failed,
                message: "the script is over".into(),
                tries: 1,
                lost: mentci_authority::ModelUsage::default(),
            };
            let reply = self.replies.get(number).cloned().ok_or_else(over)?;
            ear(ModelPiece::Text(&reply.text));
            Ok(reply)
        })
    }
}

/// Says this.
pub(crate) fn says(text: &str) -> ModelReply {
    ModelReply { text: text.to_owned(), ..ModelReply::default() }
}

/// Calls these.
pub(crate) fn calls<const N: usize>(calls: [(&str, Value); N]) -> ModelReply {
    let call = |(at, (name, args)): (usize, (&str, Value))| ChatCall {
        id: format!("c{at}"),
        name: name.to_owned(),
        arguments: if let Value::String(text) = args { text } else { args.to_string() },
    };
    ModelReply { calls: calls.into_iter().enumerate().map(call).collect(), ..ModelReply::default() }
}

/// Hears everything; answers and types what was laid out.
#[derive(Default)]
pub(crate) struct Watching {
    pub(crate) heard: Mutex<Vec<String>>,
    pub(crate) grants: Mutex<Vec<bool>>,
    pub(crate) types: Mutex<Vec<String>>,
    /// What is done by other hands while the run waits for the next message.
    pub(crate) meanwhile: Mutex<VecDeque<Box<dyn FnOnce() + Send>>>,
}

impl Audience for Watching {
    fn hear(&self, event: &RunEvent<'_>) {
        self.heard.lock().unwrap().push(serde_json::to_string(event).unwrap());
    }

    fn approve<'a>(&'a self, _: &'a Question) -> Waiting<'a, Option<bool>> {
        let mut grants = self.grants.lock().unwrap();
        let grant = if grants.is_empty() { None } else { Some(grants.remove(0)) };
        Box::pin(async move { grant })
    }

    fn next(&self) -> Waiting<'_, Option<Reading>> {
        let meanwhile = self.meanwhile.lock().unwrap().pop_front();
        if let Some(does) = meanwhile {
            does();
        }
        let mut types = self.types.lock().unwrap();
        let next = if types.is_empty() { None } else { Some(Reading::Message(types.remove(0))) };
        Box::pin(async move { next })
    }
}

/// The servers that answer.
#[derive(Default)]
pub(crate) struct Servers(pub(crate) Option<Arc<dyn ToolProvider>>);

impl Connect for Servers {
    fn over_pipes(&self, _: Start) -> Connecting<'_> {
        let provider = self.0.clone();
        Box::pin(async move { provider.ok_or_else(|| ToolFailure::new("nobody answers")) })
    }

    fn over_http<'a>(&'a self, _: &'a str) -> Connecting<'a> {
        Box::pin(async { Err(ToolFailure::new("nobody answers")) })
    }
}

/// The tools of the scratch server: each says that it was called.
struct Scratch;

impl ToolProvider for Scratch {
    fn tools(&self) -> Vec<ToolSpec> {
        [
            "search",
            "markdown_search",
            "odoc_search",
            "build",
            "review",
            "deploy",
            "slow",
            "translate",
            "X",
            "Y",
            "Z",
        ]
        .map(|name| ToolSpec { name: name.to_owned(), ..ToolSpec::default() })
        .to_vec()
    }

    fn call<'a>(&'a self, call: &'a ToolCall) -> ToolAnswer<'a> {
        Box::pin(async move {
            Ok(Value::String(match call.name.as_str() {
                "deploy" => "deployed".to_owned(),
                "slow" => {
                    std::future::pending::<()>().await;
                    String::new()
                }
                name => format!("{name} says {}", call.args),
            }))
        })
    }
}

impl Stage {
    /// With the tools of the scratch server.
    pub(crate) fn with_tools(mut self) -> Self {
        self.servers = Arc::new(Servers(Some(Arc::new(Scratch))));
        self
    }
}
