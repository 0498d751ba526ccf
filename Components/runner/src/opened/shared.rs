//! What a run and the agents below it share: the documents that they may not change, and the bound on what they ask.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use mentci_authority::ModelUsage;
use mentci_chatmd::{Block, Declarations, Document, Reference, ToolKind};
use mentci_source::{Hash, Source};
use mentci_workspace::{Beside, Workspace};

use super::Embedder;

/// The most files that are held.
const MOST: usize = 64;

/// What a run shares with its agents, and these with theirs.
pub(crate) struct Shared {
    /// The transcript that is written, without links: no agent's tool writes to it either.
    transcript: PathBuf,
    held: Held,
    /// The most replies of all agents in one exchange.
    most_replies: u64,
    replies: AtomicU64,
    usage: Mutex<ModelUsage>,
    /// Held while an agent's call is decided and reserved: agents run side by side.
    deciding: Mutex<()>,
    /// A tool ran that may have written files.
    has_written: AtomicBool,
}

impl Shared {
    pub(crate) fn new(transcript: PathBuf, held: Held, most_replies: u64, has_written: bool) -> Self {
        let (replies, usage, deciding) = Default::default();
        Self {
            transcript,
            held,
            most_replies,
            replies,
            usage,
            deciding,
            has_written: AtomicBool::new(has_written),
        }
    }

    /// Whether this file, without links, is the transcript of the run.
    pub(crate) fn is_transcript(&self, real: &Path) -> bool {
        real == self.transcript
    }

    /// The documents that are held.
    pub(crate) fn held(&self) -> &Held {
        &self.held
    }

    /// Whether the agents may ask their models once more.
    pub(crate) fn may_reply(&self) -> bool {
        self.replies.load(Ordering::Relaxed) < self.most_replies
    }

    /// Counts a reply of an agent's model, and what it took.
    pub(crate) fn count(&self, took: ModelUsage) {
        self.replies.fetch_add(1, Ordering::Relaxed);
        let mut usage = self.usage.lock().unwrap_or_else(PoisonError::into_inner);
        *usage = usage.and(took);
    }

    /// Nobody else decides until this is dropped.
    pub(crate) fn decide_alone(&self) -> MutexGuard<'_, ()> {
        self.deciding.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next exchange begins.
    pub(crate) fn begin_exchange(&self) {
        self.replies.store(0, Ordering::Relaxed);
    }

    /// What the models of all agents took.
    pub(crate) fn usage(&self) -> ModelUsage {
        *self.usage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn has_written(&self) -> bool {
        self.has_written.load(Ordering::Relaxed)
    }

    /// A tool is called.
    pub(crate) fn calls(&self, tool: &str) {
        if may_write(tool) {
            self.has_written.store(true, Ordering::Relaxed);
        }
    }
}

/// The files that give a run its rules, its tools and its agents, as they stood when it began: documents, what their law is
/// read from, and what a scripted model of theirs says. INVARIANT (held): no tool on files writes to one of them, and no agent
/// is run once one was changed otherwise.
#[derive(Debug, Default)]
pub(crate) struct Held {
    files: BTreeMap<PathBuf, Hash>,
}

impl Held {
    /// What a document names, and what these name: imports, and agents of tools, of rules and in messages.
    pub(crate) fn of(source: &Source, document: &Document, from: &Embedder, workspace: &Workspace) -> Self {
        let mut held = Self::default();
        let mut waiting = named(source, document, from);
        let mut sources = vec![source.clone()];
        while let Some(path) = waiting.pop() {
            let Some(bytes) = held.hold(&path, from) else { continue };
            let source = Source::decode(&workspace.told_path(&path), &bytes).value;
            let document = Document::read(&source).value;
            waiting.extend(named(&source, &document, &from.at(&path)));
            sources.push(source);
        }
        for source in &sources {
            held.hold_law(source, from, workspace);
        }
        held
    }

    /// Holds what a document's law is read from: imports of any dialect, and scripts. They name nothing more.
    fn hold_law(&mut self, source: &Source, from: &Embedder, workspace: &Workspace) {
        let law = workspace.law(&Beside::new(source.clone()));
        for path in law.files().filter_map(|path| from.fs.canonicalize(path).ok()) {
            self.hold(&path, from);
        }
    }

    /// Holds a file as it stands; none where it is held already, or cannot be read.
    fn hold(&mut self, path: &Path, from: &Embedder) -> Option<Vec<u8>> {
        if self.files.len() >= MOST || self.files.contains_key(path) {
            return None;
        }
        let mut bytes = Vec::new();
        from.fs.read_into(path, 64 << 20, &mut bytes).ok()?;
        self.files.insert(path.to_owned(), Hash::of_bytes(&bytes));
        Some(bytes)
    }

    /// Whether this file, without links, is one of them.
    pub(crate) fn holds(&self, real: &Path) -> bool {
        self.files.contains_key(real)
    }

    /// The first of them that is not what it was.
    pub(crate) fn changed(&self, from: &Embedder) -> Option<&Path> {
        let is_same = |path: &Path, hash: &Hash| {
            let mut bytes = Vec::new();
            from.fs.read_into(path, 64 << 20, &mut bytes).is_ok() && Hash::of_bytes(&bytes) == *hash
        };
        let mut files = self.files.iter();
        files.find(|(path, hash)| !is_same(path, hash)).map(|(path, _)| path.as_path())
    }
}

/// Whether a tool may write files: all but those that are known to read alone.
pub(crate) fn may_write(tool: &str) -> bool {
    const READERS: [&str; 5] =
        ["read_file", "read_dir", "get_artifact", "search_artifacts", "list_artifacts"];
    !READERS.contains(&tool)
}

/// The files that a document names as its law, its tools and its agents.
fn named(source: &Source, document: &Document, from: &Embedder) -> Vec<PathBuf> {
    let declared = Declarations::read(source, document).value;
    let imports = declared.imports.iter().map(|import| import.src.clone());
    let agents = declared.tools.iter().filter_map(|tool| match &tool.kind {
        ToolKind::Agent { src } => Some(src.clone()),
        _ => None,
    });
    let script = declared.config.model.as_deref().and_then(|model| model.strip_prefix("script:"));
    let script = script.map(|path| path.trim().to_owned());
    let mut names: Vec<String> = imports.chain(agents).chain(script).collect();
    document.blocks().for_each(|block| of_block(block, &mut names));
    names.iter().filter_map(|name| from.inside(name).ok()).collect()
}

/// The agents of a rule or of a message. In `<rules>` they are actions, and no elements of their own.
fn of_block(block: &Block, names: &mut Vec<String>) {
    for child in block.children() {
        if child.name() == "agent" {
            names.extend(Reference::of(child).map(|named| named.src));
        } else {
            of_block(child, names);
        }
    }
}
