//! The document that a run reads, goes through again, and appends to.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use mentci_chatmd::{Block, Document, Element};
use mentci_disk::{AppendError, LogFile};
use mentci_source::{Code, Finding};

use super::words::{Said, attributes, is_reply, is_reserved};
use crate::end::Stop;
use crate::{Audience, RunEvent};

/// A document, and the file that it stands in. INVARIANT (before the next step): a step's blocks are in the file before
/// anything is done that they do not tell of.
pub(crate) struct Journal {
    document: Document,
    /// None for an agent's document: it is told of in its caller's.
    file: Option<LogFile>,
    /// What stands there already and is gone through again.
    recorded: VecDeque<Block>,
    /// Notes in it that were passed.
    skipped: Vec<Block>,
    /// Blocks of the step that is under way, and their text.
    step: (Vec<Block>, String),
    audience: Arc<dyn Audience>,
    count: usize,
}

impl Journal {
    /// A document that is not written anywhere.
    pub(crate) fn new(document: Document, audience: Arc<dyn Audience>) -> Self {
        let count = document.blocks().count();
        let (recorded, skipped, step) = Default::default();
        Self { document, file: None, recorded, skipped, step, audience, count }
    }

    /// Appends to this file, which holds the document.
    pub(crate) fn write_to(&mut self, file: LogFile) {
        self.file = Some(file);
    }

    /// Its blocks, in order.
    pub(crate) fn blocks(&self) -> impl DoubleEndedIterator<Item = &Block> {
        self.document.blocks()
    }

    /// Those that were gone through, or written.
    pub(crate) fn passed(&self) -> impl Iterator<Item = &Block> {
        self.blocks().take(self.count())
    }

    /// How many blocks there are: the number of the last one.
    pub(crate) fn count(&self) -> usize {
        self.count - self.recorded.len()
    }

    /// Goes through what stands behind the first `from` blocks again.
    pub(crate) fn rewind(&mut self, from: usize) {
        self.recorded = self.document.blocks().skip(from).cloned().collect();
    }

    /// Whether something stands there that was not gone through.
    pub(crate) fn is_rewound(&self) -> bool {
        !self.recorded.is_empty()
    }

    /// What was answered when a person was asked about a call, in what is gone through.
    pub(crate) fn recorded_approval(&self, call: &str) -> Option<bool> {
        let mut blocks = self.recorded.iter();
        let asked = blocks.find(|block| {
            block.element() == Some(Element::RuleEvent)
                && block.value("type") == Some("approval")
                && block.value("call") == Some(call)
        })?;
        Some(asked.value("granted") == Some("true"))
    }

    /// Whether a person refused this call in what was taken in: nobody is asked twice about it.
    pub(crate) fn was_refused(&self, call: &str) -> bool {
        let refused = |block: &&Block| {
            block.element() == Some(Element::RuleEvent)
                && block.value("type") == Some("approval")
                && block.value("call") == Some(call)
                && block.value("granted") == Some("false")
        };
        self.passed().any(|block| refused(&block))
    }

    /// The reply that comes next in what is gone through.
    pub(crate) fn recorded_reply(&mut self) -> Vec<Block> {
        self.pass_notes();
        let length = self.recorded.iter().take_while(|block| is_reply(block)).count();
        self.recorded.drain(..length).collect()
    }

    /// The response that comes next in what is gone through.
    pub(crate) fn recorded_response(&mut self) -> Option<Block> {
        self.pass_notes();
        let next = self.recorded.front()?;
        (next.element() == Some(Element::ToolResponse)).then(|| self.recorded.pop_front()).flatten()
    }

    /// What agents reserved, where that comes next in what is gone through.
    pub(crate) fn recorded_reserved(&mut self) -> Option<Block> {
        self.pass_notes();
        self.recorded.front().filter(|block| is_reserved(block))?;
        self.recorded.pop_front()
    }

    /// Whether something stands there that nobody passed: notes apart.
    pub(crate) fn has_rest(&mut self) -> bool {
        self.pass_notes();
        self.is_rewound()
    }

    /// What a model said of hidden messages, and its name, where that comes next in what is gone through.
    pub(crate) fn recorded_summary(&mut self) -> Option<(String, String)> {
        self.pass_notes();
        let next = self.recorded.front().filter(|block| block.element() == Some(Element::Compaction))?;
        Some((next.text().into_string(), next.value("model")?.to_owned()))
    }

    fn pass_notes(&mut self) {
        while self.recorded.front().is_some_and(|block| block.element() == Some(Element::Note)) {
            self.skipped.extend(self.recorded.pop_front());
        }
    }

    /// The notes that were passed since it was asked last: they have their numbers too.
    pub(crate) fn skipped(&mut self) -> Vec<Block> {
        std::mem::take(&mut self.skipped)
    }

    /// Adds a block to the step that is under way; one that stands there already is passed.
    ///
    /// # Errors
    /// [`Stop::Diverged`]: another one stands there.
    pub(crate) fn put(&mut self, said: &Said) -> Result<Block, Stop> {
        let block = said.block();
        self.pass_notes();
        match self.recorded.pop_front() {
            None => {}
            Some(there) if says_the_same(&there, &block) => return Ok(there),
            Some(_) => return Err(Stop::Diverged),
        }
        let text = self.document.push(block.clone());
        self.count += 1;
        self.step.1.push_str(&text);
        self.step.0.push(block.clone());
        Ok(block)
    }

    /// Appends the step to the file.
    ///
    /// # Errors
    /// When the disk refuses, or somebody else wrote to the file: nothing of the step is in it.
    pub(crate) fn commit(&mut self) -> Result<(), Stop> {
        let (blocks, text) = std::mem::take(&mut self.step);
        if blocks.is_empty() {
            return Ok(());
        }
        if let Some(file) = &mut self.file {
            file.append(text.as_bytes()).map_err(|error| Stop::from(unwritten(error)))?;
            for block in &blocks {
                tell(&*self.audience, block);
            }
        }
        Ok(())
    }

    /// Brings what was appended to the disk. A disk that cannot says so at the next append.
    pub(crate) fn sync(&self) {
        if let Some(file) = &self.file {
            let _ = file.sync();
        }
    }

    /// Gives the file away: nothing more is written.
    pub(crate) fn take_file(&mut self) -> Option<LogFile> {
        self.file.take()
    }

    /// Whether somebody else wrote to the file.
    pub(crate) fn is_changed(&self) -> bool {
        self.file.as_ref().is_some_and(LogFile::is_changed)
    }
}

fn tell(audience: &dyn Audience, block: &Block) {
    let text = block.text();
    let attributes: BTreeMap<&str, &str> = attributes(block).collect();
    audience.hear(&RunEvent::Block { element: block.name(), attributes, text: text.as_str() });
}

/// Whether two blocks say the same, but for their time.
fn says_the_same(one: &Block, other: &Block) -> bool {
    let told = |block: &Block| -> Vec<(String, String)> {
        let all = attributes(block).filter(|(name, _)| *name != "at");
        all.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
    };
    one.element() == other.element() && one.text() == other.text() && told(one) == told(other)
}

fn unwritten(error: AppendError) -> Finding {
    match error {
        AppendError::Changed(path) => {
            let message = "this document was changed by somebody else while it was run";
            let finding = Finding::new(Code::RUN_APPEND, message).in_file(&path.to_string_lossy());
            finding.help("what they wrote stands; run it again to go on from there")
        }
        AppendError::Disk(error) => {
            let finding = error.finding(Code::RUN_APPEND);
            finding.help("everything up to the last whole step is kept; make room and run it again")
        }
    }
}
