//! The verbs of contexts.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context as Polling, Poll, Waker};
use std::time::Duration;

use mentci_authority::{NewArtifact, ToolAnswer, ToolCall, ToolFailure, ToolProvider, ToolSpec, told_text};
use mentci_context::{
    CompileConfig, CompileError, Compiled, ContextCompiler, Counts, Document, GateAnswer, PerceptionAligner,
    SchemaRegistry, Session, SessionEventKind, Timer, ToolEvent, ToolEvents, ToolInterruptHandler,
    mcp_answer,
};
use mentci_disk::{SourcePattern, discover};
use mentci_host::policy::Input;
use mentci_host::session::{
    AlignedAnswer, ContextAnswer, ContextExplained, ContextQuery, ContextRequest, DemoAnswer,
};
use mentci_host::{Answer, Outcome, Response};
use mentci_source::{Code, Finding, Reading, Severity, did_you_mean};
use serde_json::{Map, Value, json};

use super::artifacts::refused;
use super::remembered::Remembered;
use crate::workspace::Workspace;

/// How many bytes of artifacts are stored in one commit.
const MOST_AT_ONCE: usize = 8 << 20;

/// What a compile gave, for whom.
struct Made {
    session: String,
    compiled: Compiled,
    tokenizer: String,
    findings: Vec<Finding>,
}

impl Workspace {
    /// Carries out a verb of contexts.
    pub(crate) fn context(&self, request: ContextRequest) -> Response {
        let wrong = self.wrong_flags();
        if !wrong.is_empty() {
            return Response::bad(wrong);
        }
        let answered = match request {
            ContextRequest::Compile(query) => self.compile_context(&query),
            ContextRequest::Explain(query) => self.explain_context(&query),
            ContextRequest::Demo { budget } => self.demo(budget),
            ContextRequest::Align { tool, schemas, output } => self.align(&tool, schemas.as_ref(), &output),
        };
        answered.unwrap_or_else(|finding| Response::bad([finding]))
    }

    fn compile_context(&self, query: &ContextQuery) -> Result<Response, Finding> {
        let made = self.made_context(query)?;
        let context = made.compiled.context;
        let answer = ContextAnswer {
            session: made.session,
            messages: context.to_messages(),
            context,
            tokenizer: made.tokenizer,
        };
        Ok(made_response(answer, made.findings))
    }

    fn explain_context(&self, query: &ContextQuery) -> Result<Response, Finding> {
        let made = self.made_context(query)?;
        let answer = ContextExplained {
            session: made.session,
            tokenizer: made.tokenizer,
            ledger: made.compiled.ledger,
        };
        Ok(made_response(answer, made.findings))
    }

    /// Compiles, and stores what was moved out: a handle that is shown can be fetched.
    fn made_context(&self, query: &ContextQuery) -> Result<Made, Finding> {
        let (config, unread) = self.compile_config(query)?;
        // A document is counted as its run counts it.
        let model = query
            .model
            .clone()
            .or_else(|| self.document_model(&query.session).filter(|_| !query.is_id))
            .or_else(|| self.lock().settings.config.text("context.model").map(str::to_owned));
        // Without a model o200k counts, which is known under its models' names alone.
        let family = mentci_tokens::for_model(model.as_deref().unwrap_or("gpt-5"));
        let tokenizer = match family.thousandths() {
            1_000 => family.family().to_owned(),
            factor => format!("{} as {factor} thousandths of o200k", family.family()),
        };
        let remembered = Remembered::open(&tokenizer, &self.state_folder().join("counts.db"));
        let counts = Arc::new(Counts::new(family).remembering(remembered.clone()));
        let (session, moved, findings) = self.open_as_kept(&query.session, query.is_id, counts)?;
        let compiled = self.compiled_session(&session, &config, moved)?;
        remembered.write();
        let named = compiled.context.artifact_refs.iter().map(|handle| handle.artifact_id);
        let lost = self.lost(&named.collect(), "that the context names")?;
        let odd = self.wrong_settings();
        let findings = odd.into_iter().chain(unread).chain(findings).chain(lost).collect();
        Ok(Made { session: session.session_id().to_owned(), compiled, tokenizer, findings })
    }

    /// Compiles, and stores what was moved out: by the compile, and before it.
    fn compiled_session(
        &self,
        session: &Session,
        config: &CompileConfig,
        moved: Vec<NewArtifact>,
    ) -> Result<Compiled, Finding> {
        let contexts = ContextCompiler::default();
        let compiled = contexts
            .compile(session, config)
            .map_err(|error| over(&error, || contexts.least_budget(session, config)))?;
        // One batch at a time: what is moved out may be larger than memory.
        let mut batch: Vec<NewArtifact> = Vec::new();
        let mut bytes = 0;
        let now = self.seconds();
        for mut artifact in moved.into_iter().chain(compiled.new_artifacts(session)) {
            // What is kept for its age was used now, however old the event is.
            artifact.handle.created_at = now;
            bytes += artifact.content.len();
            batch.push(artifact);
            if bytes > MOST_AT_ONCE {
                self.artifacts()?.store(session.session_id(), &batch).map_err(refused)?;
                (batch, bytes) = (Vec::new(), 0);
            }
        }
        if !batch.is_empty() {
            self.artifacts()?.store(session.session_id(), &batch).map_err(refused)?;
        }
        Ok(compiled)
    }

    /// How it is compiled, and what of the memory could not be read.
    fn compile_config(&self, query: &ContextQuery) -> Result<(CompileConfig, Vec<Finding>), Finding> {
        let system_prompt = match &query.system {
            Some(input) => self.keeper().aligner().redact_text(self.input(input)?.text()),
            None => String::new(),
        };
        let tools = match &query.tools {
            Some(input) => tools(&self.json(input)?)?,
            None => Vec::new(),
        };
        let Reading { value: documents, findings } =
            if self.remembers() { self.documents() } else { Reading::clean(Vec::new()) };
        let inner = self.lock();
        let own = &inner.settings.config;
        let budget = query.budget.or_else(|| own.number("context.budget").map(|budget| budget as u64));
        let budget = budget.ok_or_else(no_budget)?;
        let size = |key, otherwise| own.number(key).unwrap_or(otherwise);
        let mut config = CompileConfig::new(budget);
        (config.system_prompt, config.tools, config.documents) = (system_prompt, tools, documents);
        config.processors = own.names("context.processors").iter().map(|name| (*name).to_owned()).collect();
        config.artifacts.min_bytes = size("context.external_bytes", 1_024);
        config.artifacts.min_tokens = own.count("context.external_tokens", 300);
        config.compaction.clear_at_least = own.number("context.clear_at_least").map(|tokens| tokens as u64);
        (config.history.first, config.history.last) = (size("context.first", 1), size("context.last", 6));
        config.memory.top_k = size("context.memory_hits", 5);
        Ok((config, findings))
    }

    fn json(&self, input: &Input) -> Result<Value, Finding> {
        let source = self.input(input)?;
        serde_json::from_str(source.text()).map_err(|error| {
            let said = error.to_string();
            let said = said.split(" at line ").next().unwrap_or_default().to_owned();
            let mut finding = Finding::new(Code::SESSION_LINE, said).in_file(source.path());
            (finding.line, finding.column) =
                (u32::try_from(error.line()).ok(), u32::try_from(error.column().max(1)).ok());
            finding
        })
    }

    /// Whether anything that can be remembered would be shown: otherwise nobody reads it.
    fn remembers(&self) -> bool {
        let inner = self.lock();
        let own = &inner.settings.config;
        own.names("context.processors").contains(&"memory_preloader")
            && own.number("context.memory_hits") != Some(0)
    }

    /// What can be remembered: the lessons that are in force, and the files of notes by paragraph.
    fn documents(&self) -> Reading<Vec<Document>> {
        let (lessons, globs) = {
            let mut inner = self.lock();
            self.refresh(&mut inner, crate::engine::Mode::Check);
            (self.views(&inner), inner.settings.config.globs("context.memory").to_vec())
        };
        let in_force = |status| {
            matches!(
                status,
                mentci_authority::LessonStatus::Active | mentci_authority::LessonStatus::Promoted
            )
        };
        let mut documents: Vec<Document> = lessons
            .into_iter()
            .filter(|lesson| in_force(lesson.status))
            .map(|lesson| Document {
                source: format!("{}#{}", lesson.path, lesson.id),
                text: format!("{}: {}", lesson.condition, lesson.resolution),
            })
            .collect();
        let patterns: Vec<SourcePattern> = globs.iter().filter_map(|glob| glob.parse().ok()).collect();
        let Reading { value: walked, mut findings } = discover(self.fs.as_ref(), &self.root, &patterns);
        for path in walked.found.into_iter().map(|found| found.path) {
            let source = match self.input(&Input::Path(path.to_string())) {
                Ok(source) => source,
                Err(finding) => {
                    findings.push(finding);
                    continue;
                }
            };
            let paragraphs = source.text().split("\n\n").map(str::trim).filter(|text| !text.is_empty());
            let numbered = (1..).zip(paragraphs);
            documents.extend(
                numbered.map(|(at, text)| Document { source: format!("{path}#{at}"), text: text.to_owned() }),
            );
        }
        let keeper = self.keeper();
        for document in &mut documents {
            document.text = keeper.aligner().redact_text(&document.text);
        }
        // What cannot be remembered stops nothing.
        for finding in &mut findings {
            finding.severity = Severity::Warning;
        }
        Reading { value: documents, findings }
    }

    fn align(&self, tool: &str, schemas: Option<&Input>, output: &Input) -> Result<Response, Finding> {
        let (mut registry, mut findings) = (SchemaRegistry::default(), Vec::new());
        if let Some(schemas) = schemas {
            findings = registry.discover(&self.json(schemas)?);
            // Whoever names schemas wants to be told whether they hold, and not that what breaks none is well.
            if let Some(refusal) = registry.refusal(tool) {
                return Err(Finding { severity: Severity::Error, ..refusal.clone() });
            }
            if !registry.listed().any(|listed| listed == tool) {
                return Err(no_tool(tool, &registry));
            }
        }
        let source = self.input(output)?;
        let raw =
            serde_json::from_str(source.text()).unwrap_or_else(|_| Value::String(source.text().to_owned()));
        let tokenizer = Arc::new(mentci_tokens::o200k());
        let aligner = PerceptionAligner::new(self.align_options(), registry, tokenizer)
            .map_err(|error| Finding::new(Code::CONFIG_VALUE, error))?;
        // What an MCP server gives is unwrapped: a schema is about the content.
        let is_mcp =
            raw.get("content").is_some_and(Value::is_array) || raw.get("structuredContent").is_some();
        let answer = if is_mcp { mcp_answer(raw) } else { Ok(raw) };
        let kept = match &answer {
            Ok(raw) => {
                let told = told_text(source.text().trim(), raw).filter(|_| !is_mcp);
                aligner.normalize_told(tool, raw, told.as_deref(), self.seconds())
            }
            Err(failure) => aligner.align_text(tool, &failure.message, self.seconds()),
        };
        if let Some(artifact) = &kept.artifact {
            self.artifacts()?.store("align", std::slice::from_ref(artifact)).map_err(refused)?;
        }
        let status = match &answer {
            Err(_) => "error",
            Ok(_) if kept.errors.is_empty() => "ok",
            Ok(_) => "invalid",
        };
        let answer = AlignedAnswer {
            tool: tool.to_owned(),
            status,
            errors: kept.errors.iter().map(ToString::to_string).collect(),
            redactions: kept
                .redactions
                .iter()
                .map(|part| format!("{} at `{}`", part.kind, part.place))
                .collect(),
            summary: kept.summary.map(|summary| summary.text).unwrap_or_default(),
            value: kept.value,
        };
        let outcome = if status == "ok" { Outcome::Ok } else { Outcome::Findings };
        Ok(Response::ok(answer).with(findings).at_least(outcome))
    }

    /// The demo of a large tool output: through the interrupt handler, out of the context, and back by its handle.
    fn demo(&self, budget: u64) -> Result<Response, Finding> {
        const SESSION: &str = "context-demo";
        let store = self.artifacts()?;
        let counts = Arc::new(Counts::new(mentci_tokens::o200k()));
        let at = self.now();
        let mut session = Session::new(SESSION, counts);
        let asked = json!({"role": "user", "text": "Why does the nightly build fail?"});
        session.record(SessionEventKind::UserInput, object(asked), at);
        let events = Arc::new(Recorded::default());
        let handler = ToolInterruptHandler::new(
            Arc::new(Builds),
            Arc::new(self.keeper().aligner().clone()),
            events.clone(),
            Arc::new(|_: &ToolCall| GateAnswer::Allowed),
            Arc::new(NoTimer(self.seconds())),
        );
        wait(handler.call("build_log", json!({"job": "nightly"}), None));
        for event in events.take() {
            store.store(SESSION, event.artifact.as_slice()).map_err(refused)?;
            session.record(event.kind.session_kind(), event.data.clone(), at);
        }
        let config = CompileConfig {
            system_prompt: "You look after a build.".to_owned(),
            ..CompileConfig::new(budget)
        };
        let compiled = self.compiled_session(&session, &config, Vec::new())?;
        let context = compiled.context;
        let Some(handle) = context.artifact_refs.first().cloned() else {
            let message = "the tool's output is no artifact: `context.external_bytes` is larger than it";
            return Err(Finding::new(Code::CONFIG_VALUE, message));
        };
        let bytes = store.retrieve(&handle.artifact_id).map_err(refused)?.unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let answer = DemoAnswer {
            session: SESSION.to_owned(),
            output_bytes: Builds::log().len() as u64,
            messages: context.to_messages(),
            token_count: context.token_count,
            budget,
            retrieved: text == Builds::log(),
            first_line: text.lines().next().unwrap_or_default().to_owned(),
            handle,
        };
        Ok(Response::ok(answer))
    }
}

fn no_tool(tool: &str, registry: &SchemaRegistry) -> Finding {
    let message = format!("no tool `{}` is among the schemas", tool.escape_debug());
    let finding = Finding::new(Code::TOOL_SCHEMA, message);
    let finding = Finding { severity: Severity::Error, ..finding };
    match did_you_mean(tool, registry.listed()) {
        Some(near) => finding.help(format!("did you mean `{near}`?")),
        None => finding.help("`--tool` names the tool as the listing does"),
    }
}

/// A context that was compiled; by settings that do not hold, it is another one than was wanted.
fn made_response(answer: impl Into<Answer>, findings: Vec<Finding>) -> Response {
    let is_wrong = findings.iter().any(|finding| finding.severity == Severity::Error);
    Response::ok(answer).with(findings).at_least(if is_wrong { Outcome::Findings } else { Outcome::Ok })
}

fn object(value: Value) -> Map<String, Value> {
    if let Value::Object(object) = value { object } else { Map::new() }
}

/// The tools of an answer to `tools/list`, or of a plain list.
fn tools(listing: &Value) -> Result<Vec<Value>, Finding> {
    let list = listing.get("tools").or_else(|| listing.pointer("/result/tools")).unwrap_or(listing);
    let list = list.as_array().cloned().unwrap_or_else(|| vec![list.clone()]);
    let name =
        |tool: &Value| tool.get("name").or_else(|| tool.pointer("/function/name"))?.as_str().map(str::len);
    match list.iter().position(|tool| name(tool).unwrap_or(0) == 0) {
        None => Ok(list),
        Some(at) => {
            let finding =
                Finding::new(Code::TOOL_SCHEMA, format!("tool {} of `--tools` has no name", at + 1));
            let help = "`--tools` takes what MCP's `tools/list` answers, or a list of tools with `name`, `description` and `inputSchema`";
            Err(finding.severity(Severity::Error).help(help))
        }
    }
}

fn no_budget() -> Finding {
    Finding::new(Code::CONTEXT_BUDGET, "there is no budget")
        .help("name one with `--budget 8000`, or set `context.budget` in mentci.toml")
}

fn over(error: &CompileError, sufficient: impl FnOnce() -> Option<u64>) -> Finding {
    let finding = |code| Finding::new(code, error.to_string());
    let held = |or: &str| match sufficient() {
        Some(budget) => finding(Code::CONTEXT_OVER_BUDGET).help(format!("a budget of {budget} holds it{or}")),
        None => finding(Code::CONTEXT_OVER_BUDGET),
    };
    match error {
        CompileError::NoBudget => {
            finding(Code::CONTEXT_BUDGET).help("a budget is a whole number of tokens above 0")
        }
        CompileError::UnknownProcessor { .. } => finding(Code::CONFIG_VALUE),
        CompileError::MessageTooLarge { .. } => held("; or take the message out of the session"),
        CompileError::OverBudget { .. } => held(""),
    }
}

/// The demo's tool: a build's log of 10 KB.
struct Builds;

impl Builds {
    fn log() -> String {
        let line = |at: usize| {
            match at {
            97 => "02:14:55 ERROR store: could not write artifact cache: No space left on device (os error 28)\n".to_owned(),
            at => format!("02:{:02}:{:02} INFO  build: crate {at:03} of 180 compiled in {} ms\n", 13 + at / 60, at % 60, 40 + at * 7 % 400),
        }
        };
        (0..180).map(line).collect()
    }
}

impl ToolProvider for Builds {
    fn tools(&self) -> Vec<ToolSpec> {
        vec![ToolSpec { name: "build_log".to_owned(), ..ToolSpec::default() }]
    }

    fn call<'a>(&'a self, call: &'a ToolCall) -> ToolAnswer<'a> {
        let answer = match call.name.as_str() {
            "build_log" => Ok(Value::String(Self::log())),
            other => Err(ToolFailure::new(format!("there is no tool `{other}`"))),
        };
        Box::pin(async move { answer })
    }
}

/// What the handler tells.
#[derive(Default)]
struct Recorded(Mutex<Vec<ToolEvent>>);

impl Recorded {
    fn take(&self) -> Vec<ToolEvent> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl ToolEvents for Recorded {
    fn record(&self, event: &ToolEvent) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(event.clone());
    }
}

/// The demo's tool answers at once: no time-out ever rings.
struct NoTimer(f64);

impl Timer for NoTimer {
    fn sleep(&self, _: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(std::future::pending())
    }

    fn now(&self) -> f64 {
        self.0
    }
}

/// Waits for what is never long in coming.
fn wait<F: Future>(future: F) -> F::Output {
    let mut future = std::pin::pin!(future);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut Polling::from_waker(Waker::noop())) {
            return output;
        }
        std::thread::yield_now();
    }
}
