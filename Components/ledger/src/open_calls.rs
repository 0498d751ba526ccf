//! Calls that may still be answered.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use mentci_source::Hash;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What is known of a call's execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Progress {
    /// Admitted, and not answered yet.
    Admitted,
    /// A person is asked.
    Waiting,
    /// Denied: whatever answer it has is ignored.
    Denied,
    /// Counted as executed without an answer.
    Counted,
    /// Answered, or made anew under the same id.
    Done,
}

/// A call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct OpenCall {
    pub(crate) tool: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) id: Option<Arc<str>>,
    pub(crate) hash: Hash,
    pub(crate) turn: u64,
    pub(crate) at_ms: i64,
    pub(crate) progress: Progress,
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub(crate) args: Value,
    /// What taints the session once it has run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) taints: Vec<String>,
}

/// The last [`MAX`] calls. One that falls out unanswered counts as executed.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(from = "Kept")]
pub(crate) struct OpenCalls {
    calls: VecDeque<OpenCall>,
    /// The number of the first of them.
    first: u64,
    /// Before this number none is [`Progress::Admitted`].
    settled: u64,
    #[serde(skip)]
    by_id: BTreeMap<Arc<str>, u64>,
}

#[derive(Deserialize)]
struct Kept {
    calls: VecDeque<OpenCall>,
    first: u64,
    settled: u64,
}

const MAX: usize = 256;

impl OpenCalls {
    /// Adds a call. Gives back the tool of the call that it takes the place of, and the oldest call when it fell out
    /// unanswered: that counts as executed.
    pub(crate) fn push(&mut self, call: OpenCall) -> (Option<usize>, Option<OpenCall>) {
        let number = self.first + self.calls.len() as u64;
        let superseded = call.id.clone().and_then(|id| self.supersede(id, &call, number));
        self.calls.push_back(call);
        (superseded, if self.calls.len() > MAX { self.drop_first() } else { None })
    }

    /// The same call asked again under the same id is one call.
    fn supersede(&mut self, id: Arc<str>, call: &OpenCall, number: u64) -> Option<usize> {
        let earlier = self.by_id.insert(id, number)?;
        let earlier = self.at(earlier).filter(|earlier| earlier.hash == call.hash)?;
        let admitted = std::mem::replace(&mut earlier.progress, Progress::Done) == Progress::Admitted;
        admitted.then_some(earlier.tool)
    }

    fn drop_first(&mut self) -> Option<OpenCall> {
        let call = self.calls.pop_front()?;
        if let Some(id) = &call.id
            && self.by_id.get(id) == Some(&self.first)
        {
            self.by_id.remove(id);
        }
        self.first += 1;
        self.settled = self.settled.max(self.first);
        (call.progress == Progress::Admitted).then_some(call)
    }

    fn at(&mut self, number: u64) -> Option<&mut OpenCall> {
        let at = usize::try_from(number.checked_sub(self.first)?).ok()?;
        self.calls.get_mut(at)
    }

    /// The call that an answer is about.
    pub(crate) fn get(&self, tool: Option<usize>, id: Option<&str>) -> Option<&OpenCall> {
        self.calls.get(self.position(tool, id)?)
    }

    /// The call that was made last.
    pub(crate) fn last_mut(&mut self) -> Option<&mut OpenCall> {
        self.calls.back_mut()
    }

    /// The call that an answer is about, to be changed.
    pub(crate) fn get_mut(&mut self, tool: Option<usize>, id: Option<&str>) -> Option<&mut OpenCall> {
        let at = self.position(tool, id)?;
        self.calls.get_mut(at)
    }

    /// By its id, whatever the answer calls the tool; without one, the latest of the tool that may run, else one that was
    /// denied.
    fn position(&self, tool: Option<usize>, id: Option<&str>) -> Option<usize> {
        if let Some(id) = id {
            let number = self.by_id.get(id)?;
            return usize::try_from(number.checked_sub(self.first)?).ok();
        }
        let tool = tool?;
        let latest = |wanted: &[Progress]| {
            self.calls.iter().rposition(|call| call.tool == tool && wanted.contains(&call.progress))
        };
        latest(&[Progress::Admitted, Progress::Waiting, Progress::Counted])
            .or_else(|| latest(&[Progress::Denied]))
    }

    /// What [`settle`](Self::settle) would hand out.
    pub(crate) fn admitted(&self) -> impl Iterator<Item = &OpenCall> {
        let from = usize::try_from(self.settled.saturating_sub(self.first)).unwrap_or(usize::MAX);
        self.calls.iter().skip(from).filter(|call| call.progress == Progress::Admitted)
    }

    /// The turn is over: hands every admitted call to `count`.
    pub(crate) fn settle(&mut self, mut count: impl FnMut(&mut OpenCall)) {
        let from = usize::try_from(self.settled.saturating_sub(self.first)).unwrap_or(usize::MAX);
        for call in self.calls.iter_mut().skip(from).filter(|call| call.progress == Progress::Admitted) {
            call.progress = Progress::Counted;
            count(call);
        }
        self.settled = self.first + self.calls.len() as u64;
    }
}

impl From<Kept> for OpenCalls {
    fn from(Kept { calls, first, settled }: Kept) -> Self {
        let numbered = (first..).zip(&calls);
        let by_id = numbered.filter_map(|(number, call)| Some((call.id.clone()?, number))).collect();
        Self { calls, first, settled, by_id }
    }
}
