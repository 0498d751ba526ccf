//! What goes wrong on purpose.

use mentci_authority::ModelFailureKind;
use serde::{Deserialize, Serialize};

use crate::Took;
use crate::refusal::took;

/// Something that goes wrong on purpose before an answer comes.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Mishap {
    /// The HTTP status with which the request is refused.
    pub status: Option<u16>,
    /// How the answer breaks, where it is not refused.
    pub wire: Option<Breakage>,
    /// What the provider says about it.
    pub message: Option<String>,
    /// After how many seconds it may be asked again.
    pub retry_after: Option<u64>,
    /// How many times in a row.
    #[serde(default = "once")]
    pub times: u32,
}

fn once() -> u32 {
    1
}

/// How an answer breaks on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Breakage {
    /// Bytes that are no answer.
    Garbage,
    /// A page of HTML, as proxies send it.
    Html,
    /// The answer ends in the middle of its JSON.
    Cut,
    /// An answer without anything in it.
    Empty,
    /// The connection is closed without a word.
    Close,
    /// Nothing ever comes.
    Hang,
    /// It begins and then nothing comes any more.
    Stall,
    /// It comes, a byte now and then.
    Slow,
}

impl Mishap {
    /// The failure that it is for whoever asks.
    pub fn kind(&self) -> ModelFailureKind {
        match (self.status, self.wire) {
            (Some(401 | 403), _) => ModelFailureKind::Unauthorized,
            (Some(429), _) => ModelFailureKind::Limited,
            (Some(408), _) | (None, Some(Breakage::Hang | Breakage::Stall)) => ModelFailureKind::TimedOut,
            (Some(400..=499), _) => ModelFailureKind::Refused,
            (None, Some(Breakage::Close)) => ModelFailureKind::Unreachable,
            (None, Some(_)) => ModelFailureKind::Garbled,
            (Some(_), _) | (None, None) => ModelFailureKind::Failed,
        }
    }

    /// What it takes all the same.
    pub(crate) fn took(&self) -> Took {
        match (self.status, self.wire) {
            (Some(status), _) => took(status),
            (None, Some(_)) => Took::Answer,
            (None, None) => Took::Request,
        }
    }

    /// Whether it only makes the answer late.
    pub fn is_slowness(&self) -> bool {
        self.status.is_none() && self.wire == Some(Breakage::Slow)
    }

    /// Whether asking again may help.
    pub fn may_pass(&self) -> bool {
        self.status.is_none_or(may_pass)
    }

    /// In words.
    pub fn words(&self) -> String {
        let what = match (self.status, self.wire) {
            (Some(status), _) => format!("the provider answered with status {status}"),
            (None, Some(Breakage::Garbage)) => "what came is no answer".to_owned(),
            (None, Some(Breakage::Html)) => "a page of HTML came instead of an answer".to_owned(),
            (None, Some(Breakage::Cut)) => "the answer broke off".to_owned(),
            (None, Some(Breakage::Empty)) => "the answer is empty".to_owned(),
            (None, Some(Breakage::Close)) => "the connection was closed without an answer".to_owned(),
            (None, Some(Breakage::Hang | Breakage::Stall)) => "no answer came in time".to_owned(),
            (None, Some(Breakage::Slow)) => "the answer came slowly".to_owned(),
            (None, None) => "the provider failed".to_owned(),
        };
        self.message.as_ref().map_or(what.clone(), |message| format!("{what}: {message}"))
    }
}

/// Whether a refused request may be accepted later: the status says so.
pub(crate) fn may_pass(status: u16) -> bool {
    matches!(status, 408 | 409 | 425 | 429 | 500 | 502 | 503 | 504 | 520..=529)
}
