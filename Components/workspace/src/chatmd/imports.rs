//! The files that a document names: imports, read for what they declare, and files in messages, looked for.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use mentci_chatmd::{Block, Declarations, Document, Embedded, Reference, ToolKind};
use mentci_disk::exists;
use mentci_source::{Code, Finding, Reading, Source, Span};

use crate::workspace::Workspace;

/// How many files a document may import, with what these import.
const MOST: usize = 64;

/// What was imported.
pub(super) struct Imported {
    /// The files, in the order in which they were read.
    pub(super) files: Vec<String>,
    /// Whether all of it could be read.
    pub(super) whole: bool,
}

impl Workspace {
    /// Reads what a document imports, adds what that declares, and looks for the files that its messages name.
    pub(super) fn imported(
        &self,
        source: &Source,
        document: &Document,
        declared: &mut Declarations,
        findings: &mut Vec<Finding>,
    ) -> Imported {
        let path: &str = source.path();
        let mut walk = Walk {
            workspace: self,
            root: self.home_of(path),
            seen: BTreeSet::new(),
            files: Vec::new(),
            whole: true,
            findings,
        };
        let mut above = vec![walk.real(path)];
        walk.imports(source, declared, &mut above);
        for tool in &declared.tools {
            if let ToolKind::Agent { src } = &tool.kind {
                walk.names(source, &Reference { src: src.clone(), span: tool.span });
            }
        }
        document.blocks().for_each(|block| walk.embedded(source, block));
        Imported { files: walk.files, whole: walk.whole }
    }

    /// The folder that a document may not leave: the workspace where it lies in it, else its own.
    fn home_of(&self, path: &str) -> PathBuf {
        let path = self.root.join(path);
        let real = self.fs.canonicalize(&path).unwrap_or(path);
        if real.starts_with(&self.root) {
            self.root.clone()
        } else {
            real.parent().map(Path::to_owned).unwrap_or_default()
        }
    }

    /// The text of a file.
    pub(super) fn read_source(&self, path: &str) -> Result<Reading<Source>, Finding> {
        match mentci_disk::read_optional(self.fs.as_ref(), &self.root.join(path)) {
            Ok(Some(bytes)) => Ok(Source::decode(path, &bytes)),
            Ok(None) => Err(Finding::new(Code::UNREADABLE, "there is no such file").in_file(path)),
            Err(error) => Err(error.finding(Code::UNREADABLE).in_file(path)),
        }
    }
}

struct Walk<'w> {
    workspace: &'w Workspace,
    root: PathBuf,
    /// The files that were read, without links.
    seen: BTreeSet<PathBuf>,
    files: Vec<String>,
    whole: bool,
    findings: &'w mut Vec<Finding>,
}

impl Walk<'_> {
    fn real(&self, path: &str) -> PathBuf {
        let path = self.workspace.root.join(path);
        self.workspace.fs.canonicalize(&path).unwrap_or(path)
    }

    fn note(&mut self, source: &Source, span: Span, message: String, help: &str) {
        let finding = Finding::new(Code::CHATMD_REFERENCE, message).help(help);
        self.findings.push(finding.at(source, span));
    }

    /// Reads what `source` imports; `above` are the files that lead to it.
    fn imports(&mut self, source: &Source, declared: &mut Declarations, above: &mut Vec<PathBuf>) {
        for import in declared.imports.clone() {
            if let Some((shown, real)) = self.found(source, &import) {
                if above.contains(&real) {
                    let message = format!("`{}` imports itself in a circle", import.src);
                    self.note(source, import.span, message, "take one of the imports out; it was read once");
                } else if self.files.len() < MOST && self.seen.insert(real.clone()) {
                    above.push(real);
                    declared.import(self.import(&shown, above));
                    above.pop();
                }
            } else {
                self.whole = false;
            }
        }
    }

    fn import(&mut self, shown: &str, above: &mut Vec<PathBuf>) -> Declarations {
        let source = match self.workspace.read_source(shown) {
            Ok(reading) => reading.take(self.findings),
            Err(finding) => {
                self.findings.push(finding);
                self.whole = false;
                return Declarations::default();
            }
        };
        self.files.push(shown.to_owned());
        let document = Document::read(&source).take(self.findings);
        let mut declared = Declarations::read(&source, &document).take(self.findings);
        self.imports(&source, &mut declared, above);
        declared
    }

    fn embedded(&mut self, source: &Source, block: &Block) {
        for child in block.children() {
            if let Some(embedded) = Embedded::of(child) {
                self.names(source, embedded.reference());
            }
            self.embedded(source, child);
        }
    }

    fn names(&mut self, source: &Source, reference: &Reference) {
        self.found(source, reference);
    }

    /// The file that a reference names: as findings cite it, and without links.
    fn found(&mut self, source: &Source, reference: &Reference) -> Option<(String, PathBuf)> {
        let src = reference.src.as_str();
        if reference.is_remote() {
            self.note(
                source,
                reference.span,
                format!("`{src}` is an address"),
                "save it as a file and name that; nothing is fetched",
            );
            return None;
        }
        let folder = Path::new(&**source.path()).parent().map(Path::to_owned).unwrap_or_default();
        let path = lexical(&folder.join(src));
        let absolute = self.workspace.root.join(&path);
        if !exists(self.workspace.fs.as_ref(), &absolute) {
            self.note(
                source,
                reference.span,
                format!("there is no file `{src}`"),
                "paths are relative to the folder of the document",
            );
            return None;
        }
        let real = self.workspace.fs.canonicalize(&absolute).unwrap_or(absolute);
        if !real.starts_with(&self.root) {
            self.note(
                source,
                reference.span,
                format!("`{src}` leads out of the workspace"),
                "it is never read; copy it into the workspace",
            );
            return None;
        }
        Some((path.to_string_lossy().into_owned(), real))
    }
}

/// A path without `.` and, where it can be, without `..`.
fn lexical(path: &Path) -> PathBuf {
    use std::path::Component;
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(plain.components().next_back(), Some(Component::Normal(_))) => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}
