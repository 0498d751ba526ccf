//! How often each tool was called, ran and failed.

use mentci_authority::{Effect, ToolStatus};
use serde::{Deserialize, Serialize};

use crate::open_calls::Progress;
use crate::{Turns, Used};

/// The calls of one tool.
///
/// Every call counts once it was decided, whatever was decided. A call has executed when its answer arrived (refused
/// arguments are no execution), or when it was admitted and the next turn came without one. A denied call never executes,
/// whatever answer it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Tally {
    /// Calls that were decided, denied ones included.
    pub calls: u64,
    /// Of those, by decision: allow, warn, redact, approve, block.
    pub by_decision: [u64; Effect::ALL.len()],
    /// Calls that ran.
    pub executed: u64,
    /// Of those, answered with success.
    pub completed: u64,
    /// Of those, answered with an error or not in time.
    pub failed: u64,
    /// Failures since the last success.
    pub failed_in_a_row: u64,
    /// Admitted calls of this turn that have no answer yet.
    pub open: u64,
    /// The turn of the last call that ran.
    pub last_turn: Option<u64>,
    /// Admitted calls, by turn, exchange and session.
    pub admitted: Used,
}

impl Tally {
    /// How many calls were decided so.
    pub fn decided(&self, effect: Effect) -> u64 {
        self.by_decision[effect as usize]
    }

    /// Whether it ran in this turn or in one of the `turns` before.
    pub fn called_since(&self, turns: u64, now: Turns) -> bool {
        self.last_turn.is_some_and(|last| now.turn.saturating_sub(last) <= turns)
    }

    pub(crate) fn call(&mut self, effect: Effect, admits: bool, unanswered: bool, turns: Turns) {
        self.calls += 1;
        self.by_decision[effect as usize] += 1;
        if admits {
            self.admitted.add(turns);
            if unanswered { self.execute(turns.turn) } else { self.open += 1 }
        }
    }

    /// The call was taken back: the same call was asked again under the same id.
    pub(crate) fn supersede(&mut self) {
        self.open = self.open.saturating_sub(1);
    }

    /// An admitted call counts as executed without its answer.
    pub(crate) fn settle(&mut self, turn: u64) {
        self.open = self.open.saturating_sub(1);
        self.execute(turn);
    }

    /// Every open call counts as executed.
    pub(crate) fn settle_all(&mut self, turn: u64) {
        if self.open > 0 {
            self.executed += std::mem::take(&mut self.open) - 1;
            self.execute(turn);
        }
    }

    /// The answer of a call with this progress; `None` for a call that was never seen.
    pub(crate) fn answer(&mut self, progress: Option<Progress>, status: ToolStatus, turn: u64) {
        match progress {
            Some(Progress::Denied | Progress::Done) => return,
            Some(Progress::Admitted) => self.open = self.open.saturating_sub(1),
            Some(Progress::Waiting | Progress::Counted) | None => {}
        }
        match status {
            ToolStatus::Invalid | ToolStatus::Denied if progress == Some(Progress::Counted) => {
                self.executed = self.executed.saturating_sub(1);
            }
            ToolStatus::Invalid | ToolStatus::Denied => return,
            _ if progress == Some(Progress::Counted) => {}
            _ => self.execute(turn),
        }
        match status {
            ToolStatus::Success => (self.completed, self.failed_in_a_row) = (self.completed + 1, 0),
            ToolStatus::Error | ToolStatus::Timeout | ToolStatus::Cancelled => {
                (self.failed, self.failed_in_a_row) = (self.failed + 1, self.failed_in_a_row + 1);
            }
            ToolStatus::Invalid | ToolStatus::Denied => {}
        }
    }

    fn execute(&mut self, turn: u64) {
        self.executed += 1;
        self.last_turn = self.last_turn.max(Some(turn));
    }
}
