//! The time that the scripts of one event have together: less than the hook has that waits for them.

use std::sync::{Mutex, PoisonError};

use mentci_authority::{Rule, ScriptId};
use mentci_pdp::{ScriptAnswer, ScriptFacts, Scripts};

use super::scripts::ScriptShelf;

/// How much of a hook's deadline the scripts of one event may take: two events come with a prompt, and all else needs time too.
const SHARE: (u64, u64) = (2, 5);

/// How much of that is left to gates: scripts that only tell have one half at most.
const TELLING: u64 = 2;

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
}

impl<'s> ScriptTime<'s> {
    /// The time of one event, where its hook answers within `deadline_ms`.
    pub(crate) fn of(shelf: &'s ScriptShelf, deadline_ms: u64) -> Self {
        let (share, of) = SHARE;
        Self { shelf, whole_ms: (deadline_ms * share / of).max(1), spent: Mutex::default() }
    }

    fn spend(&self, took_ms: u64, is_gate: bool) {
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        spent.all += took_ms;
        spent.telling += if is_gate { 0 } else { took_ms };
    }

    /// How many milliseconds a script has together with others, and how many are left of these.
    fn left(&self, is_gate: bool) -> (u64, u64) {
        let spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        let own = if is_gate { self.whole_ms } else { self.whole_ms.div_ceil(TELLING) };
        let left = self.whole_ms.saturating_sub(spent.all);
        (own, if is_gate { left } else { left.min(own.saturating_sub(spent.telling)) })
    }
}

impl Scripts for ScriptTime<'_> {
    fn ask(&self, script: &ScriptId, rule: &Rule, facts: &dyn ScriptFacts) -> Result<ScriptAnswer, String> {
        let is_gate = rule.is_gate();
        let (own, left) = self.left(is_gate);
        let what = if is_gate { "the scripts of one event" } else { "the advisory scripts of one event" };
        if left == 0 {
            let file = &script.file;
            return Err(format!("{file}: not asked: {what} have {own} ms together, and others took them"));
        }
        let (answer, took_ms) = self.shelf.ask_within(script, rule, facts, left);
        self.spend(took_ms, is_gate);
        answer.map_err(|error| match self.left(is_gate).1 {
            0 => format!("{error}; {what} have {own} ms together"),
            _ => error,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn gates_keep_their_half() {
        let shelf = ScriptShelf::new(Arc::new(crate::SystemClock::new()));
        let time = ScriptTime::of(&shelf, 5_000);
        assert_eq!((time.left(true), time.left(false)), ((2_000, 2_000), (1_000, 1_000)));
        time.spend(1_200, false);
        assert_eq!((time.left(true), time.left(false)), ((2_000, 800), (1_000, 0)));
        time.spend(900, true);
        assert_eq!((time.left(true), time.left(false)), ((2_000, 0), (1_000, 0)));
        let short = ScriptTime::of(&shelf, 50);
        short.spend(5, true);
        assert_eq!((short.left(true), short.left(false)), ((20, 15), (10, 10)));
    }
}
