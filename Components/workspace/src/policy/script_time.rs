//! The time that the scripts of one event have together: less than the hook has that waits for them.

use std::sync::{Mutex, PoisonError};

use mentci_authority::{Rule, ScriptId};
use mentci_pdp::{ScriptAnswer, ScriptFacts, Scripts};

use super::scripts::ScriptShelf;

/// How much of a hook's deadline the scripts of one event may take: two events come with a prompt, and all else needs time too.
const SHARE: (u64, u64) = (2, 5);

/// How much of that is left to gates: scripts that only tell have one half at most.
const TELLING: u64 = 2;

/// INVARIANT (fair share): of what those that only tell have left, one has a half at most, and an eighth once one of them used its
/// share up. However many hang, what comes then finds time for what a script commonly takes, and all together take no more.
const OF_ONE: u64 = 2;
const AFTER_A_STOP: u64 = 8;

/// Scripts that share the time of one event. What comes when it is over is not asked: a gate closes, all else is told.
#[derive(Debug)]
pub(crate) struct ScriptTime<'s> {
    shelf: &'s ScriptShelf,
    whole_ms: u64,
    spent: Mutex<Spent>,
}

/// Milliseconds.
#[derive(Debug, Default)]
struct Spent {
    all: u64,
    telling: u64,
    /// Whether one that only tells used its share up.
    stopped: bool,
}

/// The time of one script, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Share {
    /// What it has together with others.
    together: u64,
    /// What it may take of that now; none where it is over.
    own: u64,
}

impl Share {
    /// Whether a script that took so long was stopped by it. Clocks of whole milliseconds may differ by one.
    fn is_used_up(self, took_ms: u64) -> bool {
        took_ms + 1 >= self.own
    }
}

impl<'s> ScriptTime<'s> {
    /// The time of one event, where its hook answers within `deadline_ms`.
    pub(crate) fn of(shelf: &'s ScriptShelf, deadline_ms: u64) -> Self {
        let (share, of) = SHARE;
        Self { shelf, whole_ms: (deadline_ms * share / of).max(1), spent: Mutex::default() }
    }

    fn spend(&self, took_ms: u64, is_gate: bool, is_stopped: bool) {
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        spent.all += took_ms;
        if !is_gate {
            spent.telling += took_ms;
            spent.stopped |= is_stopped;
        }
    }

    /// What the next script may take.
    fn share(&self, is_gate: bool) -> Share {
        let spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        let left = self.whole_ms.saturating_sub(spent.all);
        if is_gate {
            return Share { together: self.whole_ms, own: left };
        }
        let together = self.whole_ms.div_ceil(TELLING);
        let left = left.min(together.saturating_sub(spent.telling));
        let part = if spent.stopped { AFTER_A_STOP } else { OF_ONE };
        Share { together, own: left.div_ceil(part) }
    }
}

impl Scripts for ScriptTime<'_> {
    fn ask(&self, script: &ScriptId, rule: &Rule, facts: &dyn ScriptFacts) -> Result<ScriptAnswer, String> {
        let is_gate = rule.is_gate();
        let share = self.share(is_gate);
        let what = if is_gate { "the scripts of one event" } else { "the advisory scripts of one event" };
        let together = share.together;
        if share.own == 0 {
            let file = &script.file;
            return Err(format!(
                "{file}: not asked: {what} have {together} ms together, and others took them"
            ));
        }
        let (answer, took_ms) = self.shelf.ask_within(script, rule, facts, share.own);
        let is_stopped = answer.is_err() && share.is_used_up(took_ms);
        self.spend(took_ms, is_gate, is_stopped);
        answer.map_err(|error| {
            if is_stopped { format!("{error}; {what} have {together} ms together") } else { error }
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn own(time: &ScriptTime<'_>) -> (u64, u64) {
        (time.share(true).own, time.share(false).own)
    }

    #[test]
    fn gates_keep_their_half() {
        let shelf = ScriptShelf::new(Arc::new(crate::SystemClock::new()));
        let time = ScriptTime::of(&shelf, 5_000);
        assert_eq!(time.share(true), Share { together: 2_000, own: 2_000 });
        assert_eq!(time.share(false), Share { together: 1_000, own: 500 });
        time.spend(1_200, false, true);
        assert_eq!(own(&time), (800, 0));
        time.spend(900, true, true);
        assert_eq!(own(&time), (0, 0));
        let short = ScriptTime::of(&shelf, 50);
        short.spend(5, true, false);
        assert_eq!(own(&short), (15, 5));
    }

    #[test]
    fn those_that_hang_leave_time_to_the_next() {
        let shelf = ScriptShelf::new(Arc::new(crate::SystemClock::new()));
        let time = ScriptTime::of(&shelf, 5_000);
        // What takes little takes nothing from the others.
        time.spend(3, false, false);
        assert_eq!(own(&time), (1_997, 499));
        let mut taken = 3;
        for _ in 0..30 {
            let share = time.share(false).own;
            assert!(share > 0, "after {taken} ms");
            time.spend(share, false, true);
            taken += share;
        }
        // All together take no more than they have.
        for _ in 0..1_000 {
            let share = time.share(false).own;
            time.spend(share, false, true);
            taken += share;
        }
        assert_eq!((taken, own(&time)), (1_000, (1_000, 0)));
    }
}
