//! Where a session stands: its turn, its exchange, its model requests.

use mentci_authority::{Event, Hook, Role};
use serde::{Deserialize, Serialize};

use crate::Seen;

/// The position in a session. Turns and exchanges only rise: a client that numbers from 1 again after a resume goes on
/// from where the session stood.
///
/// A turn is a request to the model; for a client that shows only prompts, a prompt is a turn. An exchange opens with a
/// query or a user's message; a query and its message, in either order, open one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Turns {
    /// The turn, from 1; 0 before the first.
    pub turn: u64,
    /// The exchange, from 1; 0 before the first.
    pub exchange: u64,
    /// Model requests since the exchange opened.
    pub iterations: u64,
    /// What opened the exchange, while nothing else has happened in it.
    fresh: Option<Opened>,
    /// The client shows its model requests.
    shows_requests: bool,
    /// The turn was opened by a prompt: the next model request is this turn.
    by_prompt: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Opened {
    Query,
    Message,
    Both,
}

/// What of an event moves the position.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tick {
    hook: Hook,
    stated: Option<u64>,
    role: Option<Role>,
    synthetic: bool,
}

impl From<&Event> for Tick {
    fn from(event: &Event) -> Self {
        let message = event.message.as_ref();
        Self {
            hook: event.hook,
            stated: event.turn,
            role: message.map(|message| message.role),
            synthetic: message.is_some_and(|message| message.synthetic),
        }
    }
}

impl From<&Seen> for Tick {
    fn from(seen: &Seen) -> Self {
        let message = seen.message.as_ref();
        Self {
            hook: seen.hook,
            stated: seen.turn,
            role: message.map(|message| message.role),
            synthetic: message.is_some_and(|message| message.synthetic),
        }
    }
}

impl Turns {
    /// The position as this event sees it: at `turn_start`, the turn about to be sent.
    pub(crate) fn after(mut self, tick: Tick) -> Self {
        match tick.hook {
            Hook::QueryStart => self.prompted(Opened::Query, tick.stated),
            Hook::MessageAppended => self.appended(tick),
            Hook::TurnStart => self.requested(tick.stated),
            Hook::TurnEnd | Hook::PreToolCall | Hook::PostToolResponse => self.went_on(),
            Hook::SessionStart | Hook::SessionEnd | Hook::PreCompact | Hook::EventEmitted => {}
        }
        self.turn = self.turn.max(tick.stated.unwrap_or(0));
        self
    }

    /// Whether the client shows prompts alone, as far as that was seen: a prompt came, and no request to the model after
    /// the one before.
    pub fn shows_only_prompts(self) -> bool {
        !self.shows_requests && self.exchange > 1
    }

    fn appended(&mut self, tick: Tick) {
        match tick.role {
            Some(Role::User) if !tick.synthetic => self.prompted(Opened::Message, tick.stated),
            Some(Role::Assistant) => self.went_on(),
            _ => {}
        }
    }

    fn prompted(&mut self, opened: Opened, stated: Option<u64>) {
        if self.fresh.is_some_and(|fresh| fresh != opened && fresh != Opened::Both) {
            self.fresh = Some(Opened::Both);
            return;
        }
        self.exchange += 1;
        self.iterations = 0;
        self.fresh = Some(opened);
        if !self.shows_requests {
            self.by_prompt = true;
            self.advance(stated);
        }
    }

    fn requested(&mut self, stated: Option<u64>) {
        self.iterations += 1;
        self.fresh = None;
        self.shows_requests = true;
        let same = std::mem::take(&mut self.by_prompt) && stated.is_none();
        let restarted = stated.is_some_and(|turn| turn < self.turn);
        if !same {
            self.advance(stated.filter(|_| !restarted));
        }
    }

    fn went_on(&mut self) {
        self.fresh = None;
        self.turn = self.turn.max(1);
    }

    fn advance(&mut self, stated: Option<u64>) {
        self.turn = stated.unwrap_or(self.turn.saturating_add(1)).max(self.turn);
    }
}
