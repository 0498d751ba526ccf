//! Sessions as they stood a moment ago, so that a process that decides many events folds each record once.

use std::collections::HashMap;

use mentci_ledger::Windows;

use crate::Loaded;

/// Of so many sessions, those used last.
const MOST: usize = 1_024;

/// Sessions that were just written.
#[derive(Debug, Default)]
pub(crate) struct Warm {
    sessions: HashMap<String, Kept>,
    /// Rises with each use.
    uses: u64,
    /// Rises when somebody else wrote: what was kept before is looked at again before it is used.
    age: u64,
}

#[derive(Debug)]
struct Kept {
    loaded: Loaded,
    used: u64,
    /// In which age nothing was written to it but what it holds; none where nobody looked.
    age: Option<u64>,
}

/// A session that was kept.
#[derive(Debug)]
pub(crate) struct Warmed {
    pub(crate) loaded: Loaded,
    /// Whether others may have written since.
    pub(crate) is_stale: bool,
}

impl Warm {
    /// Keeps a session as it stands; whoever takes it looks at what came since.
    pub(crate) fn keep(&mut self, loaded: Loaded) {
        self.put(loaded, None);
    }

    /// Keeps a session to which nobody writes in this age without its being kept anew.
    pub(crate) fn keep_current(&mut self, loaded: Loaded) {
        self.put(loaded, Some(self.age));
    }

    /// Somebody else wrote.
    pub(crate) fn grow_old(&mut self) {
        self.age += 1;
    }

    /// Gives a session away, if it remembers calls for long enough.
    pub(crate) fn take(&mut self, session: &str, windows: Windows) -> Option<Warmed> {
        let Kept { loaded, age, .. } = self.sessions.remove(session)?;
        let is_stale = age != Some(self.age);
        loaded.ledger.windows().covers(windows).then_some(Warmed { loaded, is_stale })
    }

    /// Forgets all: the store is another one.
    pub(crate) fn clear(&mut self) {
        self.sessions.clear();
    }

    fn put(&mut self, loaded: Loaded, age: Option<u64>) {
        if self.sessions.len() >= MOST && !self.sessions.contains_key(&loaded.session) {
            self.forget_oldest();
        }
        self.uses += 1;
        self.sessions.insert(loaded.session.clone(), Kept { loaded, used: self.uses, age });
    }

    /// Half of them, so that few are looked through often.
    fn forget_oldest(&mut self) {
        let mut used: Vec<u64> = self.sessions.values().map(|kept| kept.used).collect();
        let middle = used.len() / 2;
        let (_, middle, _) = used.select_nth_unstable(middle);
        let middle = *middle;
        self.sessions.retain(|_, kept| kept.used >= middle);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(warm: &mut Warm, session: &str) -> Option<bool> {
        warm.take(session, Windows::default()).map(|warmed| warmed.is_stale)
    }

    fn kept(names: impl IntoIterator<Item = usize>) -> Warm {
        let mut warm = Warm::default();
        for number in names {
            warm.keep_current(Loaded::empty(&format!("s{number}"), Windows::default()));
        }
        warm
    }

    #[test]
    fn the_sessions_used_last_are_kept_and_given_away_once() {
        let mut warm = kept(0..=MOST);
        assert_eq!(taken(&mut warm, "s0"), None);
        assert_eq!(taken(&mut warm, &format!("s{MOST}")), Some(false));
        assert_eq!(taken(&mut warm, &format!("s{MOST}")), None);
        assert!(warm.sessions.len() <= MOST);
        warm.keep(Loaded::empty("s2", Windows::default()));
        assert!(warm.take("s2", Windows { longest_ms: u64::MAX }).is_none(), "it forgot what is asked for");
    }

    #[test]
    fn a_session_is_current_until_somebody_else_writes() {
        let mut warm = kept(0..2);
        assert_eq!(taken(&mut warm, "s0"), Some(false));
        warm.grow_old();
        assert_eq!(taken(&mut warm, "s1"), Some(true));
        warm.keep(Loaded::empty("s1", Windows::default()));
        assert_eq!(taken(&mut warm, "s1"), Some(true));
    }
}
