//! What a rule has used up: its firing, its rest, its quota.

use mentci_authority::{Cooldown, Quota};
use serde::{Deserialize, Serialize};

use crate::Turns;

/// A count within the turn, the exchange and the session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Used {
    /// Where the first two counts belong: they are 0 in any other turn or exchange.
    #[serde(rename = "at")]
    turn_exchange: (u64, u64),
    #[serde(rename = "t")]
    in_turn: u64,
    #[serde(rename = "x")]
    in_exchange: u64,
    #[serde(rename = "s")]
    in_session: u64,
}

impl Used {
    /// How many in this turn.
    pub fn in_turn(&self, turns: Turns) -> u64 {
        if self.turn_exchange.0 == turns.turn { self.in_turn } else { 0 }
    }

    /// How many in this exchange.
    pub fn in_exchange(&self, turns: Turns) -> u64 {
        if self.turn_exchange.1 == turns.exchange { self.in_exchange } else { 0 }
    }

    /// How many in the session.
    pub fn in_session(&self) -> u64 {
        self.in_session
    }

    /// The turn of the last one.
    pub fn last_turn(&self) -> Option<u64> {
        (self.in_session > 0).then_some(self.turn_exchange.0)
    }

    /// Whether one more would overspend.
    pub fn is_spent(&self, quota: &Quota, turns: Turns) -> bool {
        let spent = |limit: Option<u32>, used: u64| limit.is_some_and(|limit| used >= u64::from(limit));
        spent(quota.per_turn, self.in_turn(turns))
            || spent(quota.per_exchange, self.in_exchange(turns))
            || spent(quota.per_session, self.in_session)
    }

    /// Whether fewer than `skipped` whole turns lie between the last one and this turn.
    pub fn is_resting(&self, skipped: u32, turns: Turns) -> bool {
        self.last_turn().is_some_and(|last| rests(last, skipped, turns.turn))
    }

    pub(crate) fn add(&mut self, turns: Turns) {
        (self.in_turn, self.in_exchange) = (self.in_turn(turns) + 1, self.in_exchange(turns) + 1);
        self.turn_exchange = (turns.turn, turns.exchange);
        self.in_session += 1;
    }

    pub(crate) fn take(&mut self, turn: u64, exchange: u64) {
        if self.turn_exchange.0 == turn {
            self.in_turn = self.in_turn.saturating_sub(1);
        }
        if self.turn_exchange.1 == exchange {
            self.in_exchange = self.in_exchange.saturating_sub(1);
        }
        self.in_session = self.in_session.saturating_sub(1);
    }
}

fn rests(last: u64, skipped: u32, turn: u64) -> bool {
    skipped > 0 && turn <= last.saturating_add(u64::from(skipped))
}

/// What a rule did in the session.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct RuleUses {
    /// How often it fired: `once` is consumed when not 0.
    pub fired: u64,
    /// The turn in which it fired last.
    pub last_turn: u64,
    /// When it fired last, in milliseconds since 1970 UTC.
    pub last_ms: i64,
    /// The calls that its quota holds.
    pub reserved: Used,
}

impl RuleUses {
    /// Whether the rule rests: `turns` whole turns, or `ms` milliseconds, have not passed since it fired.
    pub fn is_resting(&self, cooldown: Cooldown, turns: Turns, now_ms: i64) -> bool {
        let too_soon = now_ms < self.last_ms.saturating_add_unsigned(cooldown.ms);
        self.fired > 0 && (rests(self.last_turn, cooldown.turns, turns.turn) || (cooldown.ms > 0 && too_soon))
    }

    pub(crate) fn fire(&mut self, turns: Turns, now_ms: i64) {
        self.fired += 1;
        (self.last_turn, self.last_ms) = (turns.turn, now_ms);
    }
}
