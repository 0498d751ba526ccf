//! The calls of a transcript, until their answers stand in it.

use std::collections::{BTreeMap, BTreeSet};

use mentci_authority::{At, ToolStatus};
use serde_json::Value;

/// A call whose answer does not stand in the transcript.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenCall {
    /// Its block's number.
    pub block: usize,
    /// When it was made.
    pub at: At,
    /// What ties its answer to it: the id in the block where it is new, otherwise one that is.
    pub id: String,
    /// The tool.
    pub name: String,
    /// The arguments: an object, or the model's own words where they are none.
    pub args: Value,
    /// The rule that made it, as the transcript names it.
    pub via_rule: Option<String>,
    /// The turn in which it was made.
    pub turn: u64,
    /// What a person said about it.
    pub granted: Option<bool>,
    /// The rule that asked the person.
    pub(super) asked_by: Option<String>,
    /// The id in the block.
    pub(super) told: Option<String>,
    pub(super) answer: Option<Answer>,
}

/// How a call ended.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Answer {
    pub(super) block: usize,
    pub(super) at: At,
    pub(super) status: ToolStatus,
    pub(super) denied: bool,
    pub(super) via_rule: Option<String>,
    pub(super) text: String,
    /// The value as rules read it; a handle where the content was moved out.
    pub(super) value: Value,
}

/// The calls that wait for answers, and the ids that were given.
#[derive(Debug, Clone, Default)]
pub(super) struct Calls {
    open: Vec<OpenCall>,
    /// In the order in which they came: places in `open`.
    answered: Vec<usize>,
    used: BTreeSet<String>,
    /// The calls that were given up waiting for: their answers may come late.
    given_up: BTreeMap<String, OpenCall>,
    count: usize,
}

impl Calls {
    /// How many calls there were.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Those that are not answered.
    pub(super) fn unanswered(&self) -> impl Iterator<Item = &OpenCall> {
        self.open.iter().filter(|call| call.answer.is_none())
    }

    pub(super) fn is_waiting(&self) -> bool {
        self.open.len() > self.answered.len()
    }

    /// Adds a call under an id that no other has.
    pub(super) fn add(&mut self, mut call: OpenCall) {
        self.count += 1;
        call.id = self.new_id(call.told.as_deref());
        self.used.insert(call.id.clone());
        self.open.push(call);
    }

    fn new_id(&self, told: Option<&str>) -> String {
        let (mut id, base) = match told {
            Some(told) => (told.to_owned(), told.to_owned()),
            None => (format!("call_{}", self.count), format!("call_{}", self.count)),
        };
        let mut times = 1;
        while self.used.contains(&id) {
            times += 1;
            id = format!("{base}#{times}");
        }
        id
    }

    /// The open call that an answer means: by id; without one, or where no call said an id, the oldest of the name.
    pub(super) fn find(&self, id: Option<&str>, name: &str) -> Option<usize> {
        let open = || self.open.iter().enumerate().filter(|(_, call)| call.answer.is_none());
        let told = id.and_then(|id| {
            open()
                .find(|(_, call)| call.told.as_deref() == Some(id) || (call.told.is_none() && call.id == id))
        });
        let fits = |call: &OpenCall| name.is_empty() || call.name == name;
        let nameless = || open().find(|(_, call)| fits(call) && (id.is_none() || call.told.is_none()));
        told.or_else(nameless).map(|(at, _)| at)
    }

    /// The call of an answer that comes late.
    pub(super) fn late(&mut self, id: Option<&str>) -> Option<OpenCall> {
        self.given_up.remove(id?)
    }

    pub(super) fn answer(&mut self, at: usize, answer: Answer) {
        if let Some(call) = self.open.get_mut(at) {
            call.answer = Some(answer);
            self.answered.push(at);
        }
    }

    /// The open call of this id.
    pub(super) fn named(&mut self, id: &str) -> Option<&mut OpenCall> {
        self.open.iter_mut().find(|call| call.told.as_deref().unwrap_or(&call.id) == id)
    }

    /// Takes those that were answered; the others stay open.
    pub(super) fn take_answered(&mut self) -> (Vec<OpenCall>, Vec<usize>) {
        let (open, answered): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.open).into_iter().partition(|call| call.answer.is_none());
        self.open = open;
        let mut order = std::mem::take(&mut self.answered);
        let mut sorted = order.clone();
        sorted.sort_unstable();
        // Where each stands among those that were answered.
        for at in &mut order {
            *at = sorted.binary_search(at).unwrap_or_default();
        }
        (answered, order)
    }

    /// Takes all of them: in the order in which they were made, and the places of those that were answered in the order of
    /// their answers.
    pub(super) fn take(&mut self) -> (Vec<OpenCall>, Vec<usize>) {
        let taken = (std::mem::take(&mut self.open), std::mem::take(&mut self.answered));
        for call in taken.0.iter().filter(|call| call.answer.is_none()) {
            self.given_up.insert(call.told.clone().unwrap_or_else(|| call.id.clone()), call.clone());
        }
        taken
    }
}
