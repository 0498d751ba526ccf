//! A document's declarations, carried out: its model, its tools, its rules.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use mentci_authority::{Model, ToolFailure, ToolProvider};
use mentci_chatmd::{BUILTIN_TOOLS, Declarations, Document, Element, McpServer, ToolDeclaration, ToolKind};
use mentci_context::{ContextCompiler, Counts, SchemaRegistry};
use mentci_host::transcript::Conversation;
use mentci_source::{Code, Finding, Severity, Source, did_you_mean};
use serde_json::{Value, json};

use super::agents::{AGENT_TIME, Asker, Nested, RuleAgents};
use super::broken::broken;
use super::{Embedder, Held, Limits, Shared, may_write};
use crate::court::Court;
use crate::machine::{AGENT_NOTE, Machine, Tally};
use crate::prompt::Prompt;
use crate::tools::{
    AgentTool, Agents, Builtin, CommandTool, FileTool, Gathered, KeptTool, ServerTools, TokioTimer, builtin,
    start_server,
};
use crate::transcript::Journal;
use crate::{Parts, RunEvent, RunOptions};

/// The most files that imports may bring.
const MAX_IMPORTS: usize = 64;

/// What is opened, and for whom.
#[derive(Clone, Copy)]
pub(crate) struct Opening<'a> {
    pub(crate) options: &'a RunOptions,
    pub(crate) parts: &'a Parts,
    pub(crate) path: &'a Path,
    /// For whom it is run, where it is an agent.
    pub(crate) asker: Option<&'a Asker>,
}

impl Opening<'_> {
    /// The document from whose folder paths are read: of a copy, the one that was copied.
    fn home(&self) -> &Path {
        if self.depth() == 0 { &self.options.file } else { self.path }
    }

    /// How deep in other agents' runs.
    fn depth(&self) -> usize {
        self.asker.map_or(0, |asker| asker.depth + 1)
    }
}

/// Sets up a document that holds these bytes; nothing of it is taken in yet.
///
/// # Errors
/// What is wrong with it: a run never begins with half of its law, its tools or its model.
pub(crate) async fn open(
    opening: Opening<'_>,
    bytes: &[u8],
) -> Result<(Machine, Vec<Finding>), Vec<Finding>> {
    let Opening { options, parts, path, asker } = opening;
    let depth = opening.depth();
    let workspace = &parts.workspace;
    let told = workspace.told_path(path);
    let source = Source::decode(&told, bytes);
    let mut findings = source.findings;
    let source = source.value;
    let reading = Document::read(&source);
    let document = reading.value;
    let broken = broken(&document, &reading.findings);
    if depth == 0 && !broken.is_empty() {
        return Err(broken);
    }
    findings.extend(reading.findings.into_iter().filter(|finding| finding.severity > Severity::Note));
    let embedder = embedder(workspace, opening.home());
    let declared = Declarations::read(&source, &document);
    findings.extend(declared.findings);
    let mut declared = declared.value;
    findings.extend(imported(&mut declared, &embedder, path));
    embedder.recall(&document, &answers(&document));
    findings.extend(embedder.lost(&source, &document));
    let (mut court, odd) = Court::open(workspace, &source, asker)?;
    findings.extend(odd);
    for tool in &declared.tools {
        if let (Some(name), ToolKind::Command { words }) = (&tool.name, &tool.kind) {
            court.declare_command(name, words);
        }
    }
    let model = model(opening, &declared).map_err(|finding| vec![finding])?;
    let session = if depth == 0 { told.clone() } else { format!("{told}#agent") };
    let limits =
        Limits::new(options.budget, options.max_turns, declared.config.clone(), workspace.request_config());
    let limits = limits.within(asker);
    let shared = if let Some(asker) = asker {
        asker.shared.clone()
    } else {
        let held = Held::of(&source, &document, &embedder, workspace);
        let transcript = embedder.fs.canonicalize(path).unwrap_or_else(|_| path.to_owned());
        Arc::new(Shared::new(transcript, held, limits.max_turns, has_written(&document)))
    };
    let own = Asker::of(asker, (source, court.quotas()), depth, &limits, shared.clone());
    let gathered =
        gather(opening, &declared, &embedder, &session, own).await.map_err(|finding| vec![finding])?;
    let mut schemas = SchemaRegistry::default();
    findings.extend(schemas.discover_tools(gathered.specs()));
    let aligner = Arc::new(workspace.perception(schemas).map_err(|finding| vec![finding])?);
    let tools = Arc::new(gathered.close(&aligner, &TokioTimer(workspace.clone())));
    let names = tools.specs().iter().map(|tool| tool.name.clone()).collect();
    parts.audience.hear(&RunEvent::Start { file: &told, model: model.name(), tools: names, depth });
    let counts =
        Arc::new(Counts::new(embedder.pictures().counted_by(mentci_tokens::for_model(model.name()))));
    let machine = Machine {
        parts: parts.clone(),
        conversation: Conversation::new(&session, counts.clone()),
        prompt: Prompt::new(&session, counts),
        session,
        journal: Journal::new(document, parts.audience.clone()),
        court,
        compiler: ContextCompiler::default(),
        embedder,
        model,
        tools,
        aligner,
        limits,
        approvals: options.approvals,
        depth,
        shared,
        looked_for: BTreeSet::new(),
        findings: Vec::new(),
        tally: Tally::default(),
    };
    Ok((machine, findings))
}

/// What agents in messages answered, as the transcript tells, by the keys of their questions.
fn answers(document: &Document) -> BTreeMap<String, String> {
    let notes = document
        .blocks()
        .filter(|block| block.element() == Some(Element::Note) && block.value("type") == Some(AGENT_NOTE));
    notes.filter_map(|note| Some((note.value("asked")?.to_owned(), note.text().into_string()))).collect()
}

/// Whether a tool that may write was called in what stands there.
fn has_written(document: &Document) -> bool {
    let calls = document.blocks().filter(|block| block.element() == Some(Element::ToolCall));
    calls.filter_map(mentci_chatmd::Block::tool_name).any(may_write)
}

fn embedder(workspace: &mentci_workspace::Workspace, path: &Path) -> Embedder {
    let fs = workspace.files().clone();
    let real = fs.canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = real.parent().unwrap_or(workspace.root()).to_owned();
    Embedder::new(fs, workspace.root().to_owned(), folder)
}

/// Takes up what imported documents declare, each once, inside the workspace.
fn imported(declared: &mut Declarations, embedder: &Embedder, path: &Path) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut seen: BTreeSet<PathBuf> = embedder.fs.canonicalize(path).into_iter().collect();
    let mut waiting: Vec<(Embedder, mentci_chatmd::Reference)> =
        declared.imports.iter().map(|import| (embedder.clone(), import.clone())).collect();
    while let Some((from, import)) = waiting.pop() {
        let odd = |why: String| {
            Finding::new(
                Code::CHATMD_DECLARATION,
                format!("`{}` is not imported: {why}", import.src.escape_debug()),
            )
        };
        if import.is_remote() {
            findings.push(odd("only files are".to_owned()));
            continue;
        }
        let real = match from.inside(&import.src) {
            Ok(real) => real,
            Err(why) => {
                findings.push(odd(why));
                continue;
            }
        };
        if !seen.insert(real.clone()) {
            continue;
        }
        if seen.len() > MAX_IMPORTS {
            findings.push(odd(format!("more than {MAX_IMPORTS} files are imported")));
            break;
        }
        let mut bytes = Vec::new();
        if let Err(error) = embedder.fs.read_into(&real, 1 << 20, &mut bytes) {
            findings.push(odd(error.to_string()));
            continue;
        }
        let source = Source::decode(&real.to_string_lossy(), &bytes).value;
        let document = Document::read(&source).value;
        let other = Declarations::read(&source, &document).value;
        let next = from.at(&real);
        waiting.extend(other.imports.iter().map(|import| (next.clone(), import.clone())));
        declared.import(other);
    }
    findings
}

/// The model: the one that is asked for, the document's, or the configuration's. A script is found beside the document.
fn model(opening: Opening<'_>, declared: &Declarations) -> Result<Arc<dyn Model>, Finding> {
    let asked = opening.options.model.clone();
    let own = declared.config.model.as_ref().map(|name| match name.strip_prefix("script:") {
        Some(script) => {
            let folder = opening.home().parent().unwrap_or(Path::new(""));
            format!("script:{}", folder.join(script.trim()).to_string_lossy())
        }
        None => name.clone(),
    });
    (opening.parts.models)(asked.or(own).as_deref())
}

async fn gather(
    opening: Opening<'_>,
    declared: &Declarations,
    embedder: &Embedder,
    session: &str,
    own: Asker,
) -> Result<Gathered, Finding> {
    let mut gathered = Gathered::default();
    let shared = own.shared.clone();
    let agents: Arc<dyn Agents> = Arc::new(Nested::new(opening, embedder.clone(), own));
    for tool in declared.tools.iter().filter(|tool| !matches!(tool.kind, ToolKind::Mcp { .. })) {
        let provider = own_tool(opening, tool, embedder, session, (&agents, &shared))?;
        let own = tool.timeout_seconds.map(|seconds| Duration::from_secs(seconds.into()));
        let is_agent = matches!(tool.kind, ToolKind::Agent { .. });
        gathered.add(&provider, "own", own.or(is_agent.then_some(AGENT_TIME)));
    }
    for tool in &declared.tools {
        let ToolKind::Mcp { server, include } = &tool.kind else { continue };
        let (prefix, provider) = reach(opening, server, embedder).await;
        let provider = provider.map_err(|failure| {
            let finding =
                Finding::new(Code::RUN_TOOL, format!("the server `{prefix}` cannot be reached: {failure}"));
            finding.help("start it by hand to see what it says")
        })?;
        let provider: Arc<dyn ToolProvider> = Arc::new(ServerTools { provider, include: include.clone() });
        gathered.add(
            &provider,
            &prefix,
            tool.timeout_seconds.map(|seconds| Duration::from_secs(seconds.into())),
        );
    }
    gathered.by_rules(Arc::new(RuleAgents { agents, embedder: embedder.clone() }));
    Ok(gathered)
}

fn own_tool(
    opening: Opening<'_>,
    tool: &ToolDeclaration,
    embedder: &Embedder,
    session: &str,
    (agents, shared): (&Arc<dyn Agents>, &Arc<Shared>),
) -> Result<Arc<dyn ToolProvider>, Finding> {
    let name = tool.name.clone().unwrap_or_default();
    let description = tool.description.clone().unwrap_or_default();
    let workspace = &opening.parts.workspace;
    match &tool.kind {
        ToolKind::Command { words } => {
            let schema = tool.args_schema.as_deref().and_then(schema);
            let (words, folder) = (words.clone(), embedder.root.clone());
            Ok(Arc::new(CommandTool { name, description, words, folder, schema }))
        }
        ToolKind::Agent { src } => {
            let document = embedder.inside(src).map_err(|why| {
                let finding = Finding::new(
                    Code::RUN_TOOL,
                    format!("the agent `{}` cannot be run: {why}", src.escape_debug()),
                );
                finding.help("name a document of this workspace, relative to this one")
            })?;
            Ok(Arc::new(AgentTool { name, description, document, agents: agents.clone() }))
        }
        _ => match builtin(&name) {
            Some(Builtin::File(spec)) => {
                let document =
                    embedder.fs.canonicalize(opening.path).unwrap_or_else(|_| opening.path.to_owned());
                let roots = roots(tool, embedder)?;
                Ok(Arc::new(FileTool {
                    spec,
                    fs: embedder.fs.clone(),
                    home: embedder.root.clone(),
                    roots,
                    document,
                    shared: shared.clone(),
                }))
            }
            Some(Builtin::Kept(spec)) => {
                let (workspace, author) = (workspace.clone(), "run".to_owned());
                Ok(Arc::new(KeptTool { spec, workspace, session: session.to_owned(), author }))
            }
            None => Err(unknown_tool(&name)),
        },
    }
}

fn unknown_tool(name: &str) -> Finding {
    let finding = Finding::new(Code::RUN_TOOL, format!("the run brings no tool `{}`", name.escape_debug()));
    match did_you_mean(name, BUILTIN_TOOLS.iter().copied()) {
        Some(near) => finding.help(format!("did you mean `{near}`?")),
        None => finding.help(format!(
            "it brings {}; others need `command`, `mcp_server` or `agent`",
            BUILTIN_TOOLS.join(", ")
        )),
    }
}

/// The folders of a tool on files: the workspace, or those that the document names, inside of it.
fn roots(tool: &ToolDeclaration, embedder: &Embedder) -> Result<Vec<PathBuf>, Finding> {
    if tool.roots.is_empty() {
        return Ok(vec![embedder.root.clone()]);
    }
    let root = |path: &String| {
        embedder.inside(path).map_err(|why| {
            Finding::new(
                Code::RUN_TOOL,
                format!("the folder `{}` cannot be a root: {why}", path.escape_debug()),
            )
            .help("roots are folders of the workspace, relative to the document")
        })
    };
    tool.roots.iter().map(root).collect()
}

async fn reach(
    opening: Opening<'_>,
    server: &McpServer,
    embedder: &Embedder,
) -> (String, Result<Arc<dyn ToolProvider>, ToolFailure>) {
    let connect = &opening.parts.connect;
    match server {
        McpServer::Http { url } => {
            let host =
                url.split("//").nth(1).and_then(|rest| rest.split(['/', ':']).next()).unwrap_or("server");
            (plain(host), connect.over_http(url).await)
        }
        McpServer::Stdio { words } => {
            let named =
                words.iter().rev().find(|word| !word.starts_with('-')).map_or("server", String::as_str);
            let name = plain(named.rsplit('/').next().unwrap_or(named));
            let (words, folder) = (words.clone(), embedder.root.clone());
            let start = Arc::new(move || start_server(&words, &folder));
            (name, connect.over_pipes(start).await)
        }
    }
}

/// A name as it may stand before a tool's.
fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

/// `args_schema`: JSON Schema, or `{text:string}`.
fn schema(text: &str) -> Option<Value> {
    if let Ok(schema @ Value::Object(_)) = serde_json::from_str(text) {
        return Some(schema);
    }
    let inner = text.trim().strip_prefix('{')?.strip_suffix('}')?;
    let pairs = inner.split(',').filter_map(|pair| pair.split_once(':'));
    let properties: serde_json::Map<String, Value> =
        pairs.map(|(name, kind)| (name.trim().to_owned(), json!({"type": kind.trim()}))).collect();
    Some(json!({"type": "object", "properties": properties}))
}
