//! Sessions as they stood a moment ago, so that a process that decides many events folds each record once.

use std::collections::VecDeque;

use mentci_ledger::Windows;

use crate::Loaded;

/// Of so many sessions, those used last.
const MOST: usize = 16;

/// Sessions that were just written, the newest last.
#[derive(Debug, Default)]
pub(crate) struct Warm(VecDeque<Loaded>);

impl Warm {
    /// Keeps a session as it stands.
    pub(crate) fn keep(&mut self, loaded: Loaded) {
        self.0.retain(|kept| kept.session != loaded.session);
        if self.0.len() >= MOST {
            self.0.pop_front();
        }
        self.0.push_back(loaded);
    }

    /// Gives a session away, if it remembers calls for long enough. Whoever takes it looks at what came since.
    pub(crate) fn take(&mut self, session: &str, windows: Windows) -> Option<Loaded> {
        let at = self.0.iter().position(|kept| kept.session == session)?;
        self.0.remove(at).filter(|kept| kept.ledger.windows().covers(windows))
    }

    /// Forgets all: the store is another one.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sessions_used_last_are_kept_and_given_away_once() {
        let mut warm = Warm::default();
        for number in 0..=MOST {
            warm.keep(Loaded::empty(&format!("s{number}"), Windows::default()));
        }
        assert!(warm.take("s0", Windows::default()).is_none());
        assert!(warm.take("s1", Windows::default()).is_some());
        assert!(warm.take("s1", Windows::default()).is_none());
        warm.keep(Loaded::empty("s2", Windows::default()));
        assert_eq!(warm.0.len(), MOST - 1);
        assert!(warm.take("s2", Windows { longest_ms: u64::MAX }).is_none(), "it forgot what is asked for");
    }
}
