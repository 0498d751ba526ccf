//! What stands in a message for something else: the text of a file, a picture, what an agent answers.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use mentci_authority::Role;
use mentci_chatmd::{Block, Document, Embedded};
use mentci_disk::Fs;
use mentci_source::{Code, Finding, Hash, Source};

use super::markup::without_markup;
use super::pictures::Pictures;

/// The largest file that a message embeds.
const MOST_EMBEDDED: u64 = 1 << 20;
/// The largest picture: providers take 5 MB of it in base64.
const MOST_PICTURE: u64 = 3_700_000;

/// Puts what is meant in the place of the elements that name it, inside the workspace.
#[derive(Debug, Clone)]
pub(crate) struct Embedder {
    pub(crate) fs: Arc<dyn Fs>,
    pub(crate) root: PathBuf,
    /// The document's folder.
    pub(crate) folder: PathBuf,
    /// What agents answered, by whom was asked and what.
    answers: Arc<Mutex<BTreeMap<Question, String>>>,
    pictures: Pictures,
}

/// What an agent is asked in a message.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Question {
    pub(crate) src: String,
    pub(crate) text: String,
}

impl Question {
    /// What the transcript knows it by.
    pub(crate) fn key(&self) -> String {
        let parts = [self.src.as_bytes(), self.text.as_bytes()];
        Hash::of("mentci-runner 2026 question of an agent", parts).to_string().chars().take(16).collect()
    }
}

impl Embedder {
    pub(crate) fn new(fs: Arc<dyn Fs>, root: PathBuf, folder: PathBuf) -> Self {
        Self { fs, root, folder, answers: Arc::default(), pictures: Pictures::default() }
    }

    /// A block's text, with what it embeds.
    pub(crate) fn text(&self, block: &Block) -> String {
        let mut text = block.text().into_string();
        let mut from = 0;
        for child in block.children() {
            let Some(embedded) = Embedded::of(child) else { continue };
            let Some(at) = text[from..].find(child.written()).map(|at| from + at) else { continue };
            let stands = self.stands_for(&embedded, child, block);
            text.replace_range(at..at + child.written().len(), &stands);
            from = at + stands.len();
        }
        text
    }

    fn stands_for(&self, embedded: &Embedded, child: &Block, within: &Block) -> String {
        let src = &embedded.reference().src;
        if let Embedded::Agent(_) = embedded {
            let question = self.question(src, child);
            let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
            return answers
                .get(&question)
                .cloned()
                .unwrap_or_else(|| format!("[agent `{src}` was not asked]"));
        }
        match self.embedded(embedded, within) {
            Ok(text) => text,
            Err(_) if embedded.reference().is_remote() => {
                format!("[`{src}` is not fetched: a message embeds files alone]")
            }
            Err(why) if matches!(embedded, Embedded::Img(_)) && !shows_pictures(within) => {
                format!("[`{src}` is not shown: {why}]")
            }
            Err(why) => format!("[`{src}` cannot be read: {why}]"),
        }
    }

    /// What an element stands for that stands in this block; a picture is kept.
    fn embedded(&self, embedded: &Embedded, within: &Block) -> Result<String, String> {
        let from = embedded.reference();
        if from.is_remote() {
            return Err("it is an address, and nothing is fetched".to_owned());
        }
        match embedded {
            Embedded::Img(_) if !shows_pictures(within) => {
                Err("pictures are shown in `<user>` messages alone".to_owned())
            }
            Embedded::Img(_) => self.pictures.keep(&from.src, self.bytes(&from.src, MOST_PICTURE)?),
            Embedded::Doc { strip: true, .. } => self.read(&from.src).map(|text| without_markup(&text)),
            Embedded::Doc { .. } | Embedded::Import(_) => self.read(&from.src),
            Embedded::Agent(_) => self.inside(&from.src).map(|_| String::new()),
        }
    }

    fn read(&self, path: &str) -> Result<String, String> {
        Ok(String::from_utf8_lossy(&self.bytes(path, MOST_EMBEDDED)?).into_owned())
    }

    fn bytes(&self, path: &str, most: u64) -> Result<Vec<u8>, String> {
        let path = self.inside(path)?;
        let mut bytes = Vec::new();
        match self.fs.read_into(&path, most, &mut bytes) {
            Ok(_) => Ok(bytes),
            Err(error) if error.kind() == std::io::ErrorKind::FileTooLarge => {
                Err(format!("it is larger than {most} bytes"))
            }
            Err(error) => Err(error.to_string()),
        }
    }

    /// The pictures that were met.
    pub(crate) fn pictures(&self) -> &Pictures {
        &self.pictures
    }

    fn question(&self, src: &str, child: &Block) -> Question {
        Question { src: src.to_owned(), text: self.text(child).trim().to_owned() }
    }

    /// What agents are asked in a message that people wrote, and have not answered yet.
    pub(crate) fn unasked(&self, block: &Block) -> Vec<Question> {
        if !is_of_people(block) {
            return Vec::new();
        }
        let asks = |child: &Block| match Embedded::of(child) {
            Some(Embedded::Agent(from)) => Some(self.question(&from.src, child)),
            _ => None,
        };
        let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        block.children().filter_map(asks).filter(|question| !answers.contains_key(question)).collect()
    }

    /// Takes up an answer.
    pub(crate) fn answered(&self, question: Question, answer: String) {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner).insert(question, answer);
    }

    /// Takes up the answers that a transcript tells, by the keys of their questions.
    pub(crate) fn recall(&self, document: &Document, told: &BTreeMap<String, String>) {
        for question in document.blocks().flat_map(|block| self.unasked(block)) {
            if let Some(answer) = told.get(&question.key()) {
                self.answered(question, answer.clone());
            }
        }
    }

    /// What people's messages name and what cannot be put in its place.
    pub(crate) fn lost(&self, source: &Source, document: &Document) -> Vec<Finding> {
        let mut findings = Vec::new();
        for block in document.blocks().filter(|block| is_of_people(block)) {
            self.lost_in(source, block, &mut findings);
        }
        findings
    }

    fn lost_in(&self, source: &Source, block: &Block, findings: &mut Vec<Finding>) {
        for child in block.children() {
            let Some(embedded) = Embedded::of(child) else { continue };
            if let Err(why) = self.embedded(&embedded, block) {
                let from = embedded.reference();
                let message = format!("`{}` cannot be put in its place: {why}", from.src.escape_debug());
                let finding = Finding::new(Code::CHATMD_REFERENCE, message).at(source, from.span);
                findings.push(finding.help(match embedded {
                    Embedded::Agent(_) => {
                        "nobody is asked before it is there; paths count from the document's folder"
                    }
                    Embedded::Img(_) if !shows_pictures(block) => {
                        "move it into a `<user>` message; the model is told so"
                    }
                    _ => "the model is told so; paths count from the folder of the document",
                }));
            }
            // What an agent is asked may embed files too.
            self.lost_in(source, child, findings);
        }
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

/// Whether a picture in this block reaches the model: providers take pictures in what users say, and an agent is asked in words.
fn shows_pictures(block: &Block) -> bool {
    block.role() == Some(Role::User)
}

fn is_of_people(block: &Block) -> bool {
    !block.is_synthetic() && matches!(block.role(), Some(Role::System | Role::Developer | Role::User))
}
