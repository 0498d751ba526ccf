//! What a document says of its run, set up.

mod agents;
mod equipped;
mod shared;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use mentci_authority::{ModelRequest, ToolSpec};
use mentci_chatmd::{Block, Config, Embedded};
use mentci_context::CompileConfig;
use mentci_disk::Fs;
use serde_json::json;

/// The budget of a run that names none.
pub(crate) const BUDGET: u64 = 128_000;
/// The most replies of the model in one exchange, where nobody says.
const MAX_TURNS: u64 = 50;
/// How often the model may make the same calls in a row.
const MAX_REPEATS: u64 = 5;
/// The largest file that a message embeds.
const MOST_EMBEDDED: u64 = 1 << 20;

pub(crate) use agents::Asker;
pub(crate) use equipped::{Opening, open};
pub(crate) use shared::{Held, Shared, may_write};

/// What bounds a run.
#[derive(Debug, Clone)]
pub(crate) struct Limits {
    pub(crate) budget: u64,
    pub(crate) max_turns: u64,
    pub(crate) max_repeats: u64,
    config: Config,
    compile: CompileConfig,
}

impl Limits {
    pub(crate) fn new(
        budget: Option<u64>,
        max_turns: Option<u64>,
        config: Config,
        compile: CompileConfig,
    ) -> Self {
        let own = config.budget.map(u64::from).or(Some(compile.budget).filter(|budget| *budget > 0));
        let budget = budget.or(own).unwrap_or(BUDGET);
        let max_turns = max_turns.or(config.max_turns.map(u64::from)).unwrap_or(MAX_TURNS);
        Self { budget, max_turns, max_repeats: MAX_REPEATS, config, compile }
    }

    /// The same, and no more than whoever asks may.
    fn within(self, asker: Option<&Asker>) -> Self {
        let (budget, max_turns) = asker.map_or((u64::MAX, u64::MAX), |asker| (asker.budget, asker.max_turns));
        Self { budget: self.budget.min(budget), max_turns: self.max_turns.min(max_turns), ..self }
    }

    pub(crate) fn compile_config(&self, tools: &[ToolSpec]) -> CompileConfig {
        let told = |tool: &ToolSpec| json!({"name": tool.name, "description": tool.description, "parameters": tool.input_schema});
        let tools = tools.iter().map(told).collect();
        CompileConfig { budget: self.budget, tools, ..self.compile.clone() }
    }

    /// A request as the document sets it, without what is asked.
    pub(crate) fn request(&self) -> ModelRequest {
        ModelRequest {
            max_tokens: self.config.max_tokens.map(u64::from),
            temperature: self.config.temperature,
            reasoning_effort: self.config.reasoning_effort.map(|effort| effort.name().to_owned()),
            ..ModelRequest::default()
        }
    }
}

/// Puts the texts of files in the place of the elements that name them, inside the workspace.
#[derive(Debug, Clone)]
pub(crate) struct Embedder {
    pub(crate) fs: Arc<dyn Fs>,
    pub(crate) root: PathBuf,
    /// The document's folder.
    pub(crate) folder: PathBuf,
}

impl Embedder {
    /// A block's text, with what it embeds.
    pub(crate) fn text(&self, block: &Block) -> String {
        let mut text = block.text().into_string();
        let mut from = 0;
        for child in block.children() {
            let Some(embedded) = Embedded::of(child) else { continue };
            let Some(at) = text[from..].find(child.written()).map(|at| from + at) else { continue };
            let stands = self.stands_for(&embedded);
            text.replace_range(at..at + child.written().len(), &stands);
            from = at + stands.len();
        }
        text
    }

    fn stands_for(&self, embedded: &Embedded) -> String {
        let from = embedded.reference();
        match embedded {
            Embedded::Img(_) => format!("[picture `{}`]", from.src),
            Embedded::Agent(_) => format!("[agent `{}`]", from.src),
            _ if from.is_remote() => format!("[`{}` is not fetched: a message embeds files alone]", from.src),
            _ => self.read(&from.src).unwrap_or_else(|why| format!("[`{}` cannot be read: {why}]", from.src)),
        }
    }

    fn read(&self, path: &str) -> Result<String, String> {
        let path = self.inside(path)?;
        let mut bytes = Vec::new();
        self.fs.read_into(&path, MOST_EMBEDDED, &mut bytes).map_err(|error| error.to_string())?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The file that a document names, without links.
    ///
    /// # Errors
    /// When there is none, or it lies outside of the workspace.
    pub(crate) fn inside(&self, path: &str) -> Result<PathBuf, String> {
        let real =
            self.fs.canonicalize(&self.folder.join(path)).map_err(|_| "there is no such file".to_owned())?;
        if real.starts_with(&self.root) || real.starts_with(&self.folder) {
            Ok(real)
        } else {
            Err("it lies outside of the workspace".to_owned())
        }
    }

    /// The same, for a document in another folder.
    pub(crate) fn at(&self, file: &Path) -> Self {
        let folder = file.parent().unwrap_or(file).to_owned();
        Self { folder, ..self.clone() }
    }
}
