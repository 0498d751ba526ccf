//! Which answer belongs to which call.

use std::collections::{BTreeMap, VecDeque};

use crate::{Block, Document, Element};

/// The calls of a document and their answers, by the places of their blocks from 0.
///
/// A call and its answer bear the same id; of several with one id the first call is tied to the first answer. Those without
/// an id, as people write them by hand, are tied in order: a call to the next answer of its tool.
///
/// ```
/// use mentci_chatmd::{Calls, Document};
/// use mentci_source::Source;
/// let text = "<tool_call id=\"a\" name=\"x\">{}</tool_call>\n<tool_call name=\"y\" q=\"1\"/>\n<tool_response name=\"y\"/>\n<tool_response id=\"a\" name=\"x\"/>\n";
/// let calls = Calls::of(&Document::read(&Source::new("a.chatmd", text)).value);
/// assert_eq!((calls.answer_of(0), calls.answer_of(1), calls.call_of(2)), (Some(3), Some(2), Some(1)));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Calls {
    answers: BTreeMap<usize, usize>,
    answered: BTreeMap<usize, usize>,
    /// Calls that nothing answers.
    pub unanswered: Vec<usize>,
    /// Answers to no call.
    pub orphans: Vec<usize>,
    /// Calls with the id of an earlier one.
    pub repeated: Vec<usize>,
}

impl Calls {
    /// Ties the calls of a document to their answers.
    pub fn of(document: &Document) -> Self {
        Self::among(document.blocks())
    }

    /// Ties the calls among these blocks to their answers, by their places among them.
    pub fn among<'b>(blocks: impl IntoIterator<Item = &'b Block>) -> Self {
        let mut open = Open::default();
        let mut calls = Self::default();
        for (at, block) in blocks.into_iter().enumerate() {
            match block.element() {
                Some(Element::ToolCall) if open.call(at, block) => {}
                Some(Element::ToolCall) => calls.repeated.push(at),
                Some(Element::ToolResponse) => match open.answer(block) {
                    Some(call) => calls.tie(call, at),
                    None => calls.orphans.push(at),
                },
                _ => {}
            }
        }
        calls.unanswered = open.left();
        calls
    }

    fn tie(&mut self, call: usize, answer: usize) {
        self.answers.insert(call, answer);
        self.answered.insert(answer, call);
    }

    /// The answer to the call at this place.
    pub fn answer_of(&self, call: usize) -> Option<usize> {
        self.answers.get(&call).copied()
    }

    /// The call that the answer at this place answers.
    pub fn call_of(&self, answer: usize) -> Option<usize> {
        self.answered.get(&answer).copied()
    }
}

impl Block {
    /// The id of a call, or of the call that it answers: `id`, or `tool_call_id` as older documents write it.
    pub fn call_id(&self) -> Option<&str> {
        self.value("id").or_else(|| self.value("tool_call_id"))
    }

    /// The tool that it calls, or that answers: `name`, or `function_name` as older documents write it.
    pub fn tool_name(&self) -> Option<&str> {
        self.value("name").or_else(|| self.value("function_name"))
    }
}

/// Calls that wait for their answer.
#[derive(Default)]
struct Open<'d> {
    by_id: BTreeMap<&'d str, VecDeque<usize>>,
    by_name: BTreeMap<&'d str, VecDeque<usize>>,
}

impl<'d> Open<'d> {
    /// Whether it is the first of its id.
    fn call(&mut self, at: usize, block: &'d Block) -> bool {
        let Some(id) = block.call_id() else {
            self.by_name.entry(block.tool_name().unwrap_or("")).or_default().push_back(at);
            return true;
        };
        let is_new = !self.by_id.contains_key(id);
        self.by_id.entry(id).or_default().push_back(at);
        is_new
    }

    fn answer(&mut self, block: &Block) -> Option<usize> {
        if let Some(id) = block.call_id() {
            return self.by_id.get_mut(id)?.pop_front();
        }
        self.by_name.get_mut(block.tool_name().unwrap_or(""))?.pop_front()
    }

    fn left(self) -> Vec<usize> {
        let named = self.by_name.into_values().flatten();
        let mut left: Vec<usize> = self.by_id.into_values().flatten().chain(named).collect();
        left.sort_unstable();
        left
    }
}
