//! `<tool>`: what the agent may call.

use mentci_source::Span;

use super::said::Said;
use super::words::{CommandError, command_words};

/// The tools that a runner brings: `<tool name="read_file"/>` declares one of them.
pub const BUILTIN_TOOLS: &[&str] = &[
    "read_file",
    "write_file",
    "append_to_file",
    "find_and_replace",
    "apply_patch",
    "read_dir",
    "get_artifact",
    "search_artifacts",
    "list_artifacts",
    "update_skill_heuristics",
];

const KNOWN: &[&str] = &[
    "name",
    "description",
    "command",
    "agent",
    "mcp_server",
    "include",
    "includes",
    "local",
    "args_schema",
    "roots",
    "timeout_seconds",
    "strict",
    "id",
];

/// A tool, or the tools of a server, as a document declares them.
#[derive(Debug, Clone)]
pub struct ToolDeclaration {
    /// Its name; `None` for a server, whose tools bear names of their own.
    pub name: Option<String>,
    /// What it is.
    pub kind: ToolKind,
    /// What it is for, in the words of `description` or of the element's text.
    pub description: Option<String>,
    /// What `args_schema` says, as written: JSON Schema, or `{text:string}`.
    pub args_schema: Option<String>,
    /// The folders in which it may read and write, relative to the document's; empty where it does not say.
    pub roots: Vec<String>,
    /// After how long it is stopped, in seconds.
    pub timeout_seconds: Option<u32>,
    /// The whole of the declaration.
    pub span: Span,
}

/// Places stand outside equality.
impl PartialEq for ToolDeclaration {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, &self.kind, &self.description) == (&other.name, &other.kind, &other.description)
            && (&self.args_schema, &self.roots, self.timeout_seconds)
                == (&other.args_schema, &other.roots, other.timeout_seconds)
    }
}

impl Eq for ToolDeclaration {}

/// What a declared tool is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToolKind {
    /// One that the runner brings: `<tool name="read_file"/>`.
    Builtin,
    /// A command, without a shell: its words. The model's arguments come after them.
    Command {
        /// The program and its first arguments; never empty.
        words: Vec<String>,
    },
    /// The tools of a server.
    Mcp {
        /// Where it is.
        server: McpServer,
        /// Only these of its tools; all, where it is empty.
        include: Vec<String>,
    },
    /// Another document, run as an agent.
    Agent {
        /// Its path relative to the folder of the document, or an address.
        src: String,
    },
}

/// Where a server of tools is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum McpServer {
    /// A program that is started, and spoken to on its standard input and output: `stdio:npx -y some-server`.
    Stdio {
        /// The program and its arguments; never empty.
        words: Vec<String>,
    },
    /// An address: `https://…`, `http://…`.
    Http {
        /// The whole address.
        url: String,
    },
}

impl ToolDeclaration {
    /// Whether a call of this name is surely one of it.
    pub fn declares(&self, name: &str) -> bool {
        match &self.kind {
            ToolKind::Mcp { include, .. } => include.iter().any(|included| included == name),
            _ => self.name.as_deref() == Some(name),
        }
    }

    /// Whether both would answer to the same name.
    pub(crate) fn collides(&self, other: &Self) -> bool {
        match (&self.kind, &other.kind) {
            (ToolKind::Mcp { .. }, ToolKind::Mcp { .. }) => self.kind == other.kind,
            (ToolKind::Mcp { .. }, _) | (_, ToolKind::Mcp { .. }) => false,
            _ => self.name == other.name,
        }
    }
}

pub(crate) fn read(said: &mut Said<'_>) -> Option<ToolDeclaration> {
    said.expect(KNOWN);
    said.switch("local");
    said.switch("strict");
    let kinds: Vec<&str> = ["command", "agent", "mcp_server"]
        .into_iter()
        .filter(|kind| said.block.attribute(kind).is_some())
        .collect();
    if let [first, .., last] = kinds[..] {
        said.odd(
            format!("this `<tool>` is both `{first}` and `{last}`"),
            "declare two tools; this one is left out",
        );
        return None;
    }
    let kind = match kinds.first() {
        Some(&"command") => ToolKind::Command { words: words(said, "command", "")? },
        Some(&"agent") => ToolKind::Agent { src: agent(said)? },
        Some(_) => mcp(said)?,
        None => ToolKind::Builtin,
    };
    Some(ToolDeclaration {
        name: name(said, &kind)?,
        kind,
        description: description(said),
        args_schema: said.text("args_schema"),
        roots: said.names("roots"),
        timeout_seconds: said.value("timeout_seconds", "a number of seconds, from 1", super::config::count),
        span: said.block.span(),
    })
}

/// The name that the tool answers to: `Some(None)` for a server, `None` for a tool without one.
#[expect(clippy::option_option, reason = "a server has no name, and a tool without one is left out")]
fn name(said: &mut Said<'_>, kind: &ToolKind) -> Option<Option<String>> {
    if matches!(kind, ToolKind::Mcp { .. }) {
        return Some(None);
    }
    let name = said.text("name").map(|name| name.trim().to_owned());
    if name.is_none() {
        said.odd(
            "this `<tool>` has no name",
            "write `name=\"…\"`, by which the agent calls it; it is left out",
        );
    }
    Some(Some(name?))
}

fn description(said: &Said<'_>) -> Option<String> {
    let body = || said.block.text().into_string().trim().to_owned();
    said.text("description").or_else(|| Some(body()).filter(|text| !text.is_empty()))
}

fn words(said: &mut Said<'_>, attribute: &str, prefix: &str) -> Option<Vec<String>> {
    let text = said.text(attribute).unwrap_or_default();
    match command_words(text.strip_prefix(prefix).unwrap_or(&text)) {
        Ok(words) => Some(words),
        Err(error) => {
            let help = match error {
                CommandError::Empty => "name a program; the tool is left out",
                CommandError::Quote(_) => "close it; the tool is left out",
                CommandError::Shell(_) => {
                    "quote it, or put the line into a script and name that; the tool is left out"
                }
            };
            said.odd_at(attribute, error.to_string(), help);
            None
        }
    }
}

fn agent(said: &mut Said<'_>) -> Option<String> {
    let src = said.text("agent").map(|src| src.trim().to_owned());
    if src.is_none() {
        said.odd_at(
            "agent",
            "`agent` names no document",
            "write `agent=\"reviewer.chatmd\"`; the tool is left out",
        );
    }
    src
}

/// A server; its `name` is one more tool of it to include, as older documents write it.
fn mcp(said: &mut Said<'_>) -> Option<ToolKind> {
    let server = said.text("mcp_server").unwrap_or_default();
    let server = server.trim();
    let server = if server.starts_with("stdio:") {
        McpServer::Stdio { words: words(said, "mcp_server", "stdio:")? }
    } else if server.starts_with("https://") || server.starts_with("http://") {
        McpServer::Http { url: server.to_owned() }
    } else {
        let message = format!("`{server}` is no server");
        let help = "write `stdio:PROGRAM ARGUMENTS…` or `https://…`; the tools of it are left out";
        said.odd_at("mcp_server", message, help);
        return None;
    };
    let mut include = said.names("include");
    include.extend(said.names("includes"));
    include.extend(said.names("name"));
    Some(ToolKind::Mcp { server, include })
}
