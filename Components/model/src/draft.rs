//! An answer while it comes.

use mentci_authority::{ChatCall, ModelEar, ModelPiece, ModelReply, ModelUsage, StopReason};

use crate::Fault;
use crate::tool_names::ToolNames;

/// The longest answer that is read.
pub(crate) const MAX_ANSWER: usize = 32 << 20;

/// What came of an answer so far.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    names: ToolNames,
    text: String,
    reasoning: String,
    calls: Vec<DraftCall>,
    pub(crate) stop: Option<StopReason>,
    pub(crate) usage: ModelUsage,
    /// Whether anything of an answer came at all.
    pub(crate) began: bool,
    pub(crate) bytes: usize,
}

#[derive(Debug, Default)]
struct DraftCall {
    place: Option<u64>,
    id: String,
    name: String,
    arguments: String,
}

impl Draft {
    pub(crate) fn new(names: ToolNames) -> Self {
        Self { names, ..Self::default() }
    }

    pub(crate) fn text(&mut self, piece: &str, ear: &mut ModelEar<'_>) -> Result<(), Fault> {
        self.grow(piece.len())?;
        self.text += piece;
        if !piece.is_empty() {
            ear(ModelPiece::Text(piece));
        }
        Ok(())
    }

    pub(crate) fn reasoning(&mut self, piece: &str, ear: &mut ModelEar<'_>) -> Result<(), Fault> {
        self.grow(piece.len())?;
        self.reasoning += piece;
        if !piece.is_empty() {
            ear(ModelPiece::Reasoning(piece));
        }
        Ok(())
    }

    /// A piece of a call. It goes on with the call at its place; a new id with a new name begins another, because some servers
    /// give every call the same place, or none.
    pub(crate) fn call(&mut self, piece: CallPiece<'_>, ear: &mut ModelEar<'_>) -> Result<(), Fault> {
        self.grow(piece.id.len() + piece.name.len() + piece.arguments.len())?;
        let begins = |call: &DraftCall| {
            let other_id = !piece.id.is_empty() && !call.id.is_empty() && piece.id != call.id;
            let complete = serde_json::from_str::<serde_json::Value>(&call.arguments).is_ok();
            !piece.name.is_empty()
                && !call.name.is_empty()
                && (other_id || (piece.place.is_none() && complete))
        };
        let same = |call: &DraftCall| piece.place.is_none() || call.place == piece.place;
        let at = match self.calls.iter().rposition(same) {
            Some(at) if !begins(&self.calls[at]) => at,
            _ => {
                self.calls.push(DraftCall { place: piece.place, ..DraftCall::default() });
                self.calls.len() - 1
            }
        };
        let call = &mut self.calls[at];
        if call.id.is_empty() {
            piece.id.clone_into(&mut call.id);
        }
        if call.name.is_empty() && !piece.name.is_empty() {
            call.name = self.names.ours(piece.name);
            ear(ModelPiece::Call(&call.name));
        }
        call.arguments += piece.arguments;
        Ok(())
    }

    fn grow(&mut self, bytes: usize) -> Result<(), Fault> {
        self.began = true;
        self.bytes += bytes;
        if self.bytes > MAX_ANSWER {
            return Err(Fault::garbled(format!("the answer is longer than {MAX_ANSWER} bytes")));
        }
        Ok(())
    }

    /// The whole answer.
    ///
    /// # Errors
    /// It never ended, or a call names no tool.
    pub(crate) fn reply(self) -> Result<ModelReply, Fault> {
        if !self.began {
            return Err(Fault::garbled("the answer is empty"));
        }
        let stop = self.stop.ok_or_else(|| Fault::garbled("the answer broke off"))?;
        if self.calls.iter().any(|call| call.name.is_empty()) {
            return Err(Fault::garbled("a call of the answer names no tool"));
        }
        let calls = with_ids(self.calls);
        let stop = if stop == StopReason::End && !calls.is_empty() { StopReason::Calls } else { stop };
        Ok(ModelReply {
            text: self.text,
            reasoning: self.reasoning,
            calls,
            stop,
            usage: self.usage,
            lost: ModelUsage::default(),
            retries: 0,
        })
    }
}

/// One piece of a call.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct CallPiece<'a> {
    pub(crate) place: Option<u64>,
    pub(crate) id: &'a str,
    pub(crate) name: &'a str,
    pub(crate) arguments: &'a str,
}

/// Each call under an id of its own: what is missing or double gets a number.
fn with_ids(drafts: Vec<DraftCall>) -> Vec<ChatCall> {
    let mut calls: Vec<ChatCall> = Vec::new();
    for (at, draft) in drafts.into_iter().enumerate() {
        let wished = if draft.id.is_empty() { format!("call_{}", at + 1) } else { draft.id };
        let numbered = (2..).map(|number| format!("{wished}_{number}"));
        let is_free = |id: &String| calls.iter().all(|call| call.id != *id);
        let id = std::iter::once(wished.clone()).chain(numbered).find(is_free).unwrap_or(wished);
        let arguments = if draft.arguments.trim().is_empty() { "{}".to_owned() } else { draft.arguments };
        calls.push(ChatCall { id, name: draft.name, arguments });
    }
    calls
}
