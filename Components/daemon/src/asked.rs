//! The calls about which people are asked, as clients told them: what a request for approval keeps of one may be cut short, and
//! whether the call may run when it was granted is decided about all of it. And who asked: what became of a request is told,
//! and an approval given, to nobody else. Who asked first is in the store too; who asked for the same call again, here alone.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use mentci_authority::{Event, Verdict};

/// How many bytes of calls are kept, and how many calls.
const BYTES: usize = 32 * 1024 * 1024;
const MOST: usize = 4_096;
/// Of how many requests it is known who asked.
const MOST_ASKERS: usize = 65_536;
/// How many of them of one request.
const MOST_OF_ONE: usize = 16;

/// The calls by the ids of the requests, the oldest first, and who asked.
#[derive(Debug, Default)]
pub(crate) struct AskedCalls(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    calls: VecDeque<(String, usize, Event)>,
    bytes: usize,
    askers: HashMap<String, BTreeSet<String>>,
    /// The oldest first.
    order: VecDeque<String>,
}

impl AskedCalls {
    /// Notes who asked, where a verdict asks a person: the answer is theirs.
    pub(crate) fn note(&self, verdict: &Verdict, asker: &str) {
        let Some(approval) = &verdict.approval else { return };
        let mut kept = self.lock();
        if !kept.askers.contains_key(approval) {
            kept.order.push_back(approval.clone());
        }
        let askers = kept.askers.entry(approval.clone()).or_default();
        if askers.len() < MOST_OF_ONE {
            askers.insert(asker.to_owned());
        }
        while kept.order.len() > MOST_ASKERS {
            let Some(gone) = kept.order.pop_front() else { return };
            kept.askers.remove(&gone);
        }
    }

    /// Whether somebody asked for an approval, while it is known.
    pub(crate) fn has_asked(&self, approval: &str, asker: &str) -> bool {
        self.lock().askers.get(approval).is_some_and(|askers| askers.contains(asker))
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps the call of a request, and forgets the oldest where there are too many.
    pub(crate) fn keep(&self, approval: &str, event: Event) {
        // OK because an event is plain data; one of no size is kept for nothing.
        let bytes = serde_json::to_vec(&event).map_or(0, |text| text.len());
        let mut kept = self.lock();
        kept.bytes += bytes;
        kept.calls.push_back((approval.to_owned(), bytes, event));
        while kept.bytes > BYTES || kept.calls.len() > MOST {
            let Some((_, gone, _)) = kept.calls.pop_front() else { return };
            kept.bytes -= gone;
        }
    }

    /// The call of a request, while it is kept.
    pub(crate) fn call(&self, approval: &str) -> Option<Event> {
        let kept = self.lock();
        let found = kept.calls.iter().rev().find(|(id, _, _)| id == approval);
        found.map(|(_, _, event)| event.clone())
    }
}

#[cfg(test)]
mod tests {
    use mentci_authority::Hook;

    use super::*;

    #[test]
    fn the_oldest_calls_are_forgotten() {
        let asked = AskedCalls::default();
        for number in 0..=MOST {
            let event = Event { session: format!("s{number}"), ..Event::new(Hook::PreToolCall) };
            asked.keep(&format!("a{number}"), event);
        }
        assert_eq!(asked.call("a0"), None);
        assert_eq!(asked.call("a1").map(|event| event.session).as_deref(), Some("s1"));
        let kept = asked.0.lock().unwrap();
        assert_eq!(kept.bytes, kept.calls.iter().map(|(_, bytes, _)| bytes).sum::<usize>());
    }

    #[test]
    fn each_who_asks_for_one_call_is_known_up_to_a_number() {
        let asked = AskedCalls::default();
        let verdict = Verdict { approval: Some("a".to_owned()), ..Verdict::default() };
        (0..=MOST_OF_ONE).for_each(|number| asked.note(&verdict, &format!("t{number}")));
        assert!(asked.has_asked("a", "t0") && asked.has_asked("a", "t15") && !asked.has_asked("a", "t16"));
    }

    #[test]
    fn the_oldest_askers_are_forgotten() {
        let asked = AskedCalls::default();
        for number in 0..=MOST_ASKERS {
            let verdict = Verdict { approval: Some(format!("a{number}")), ..Verdict::default() };
            asked.note(&verdict, "ci");
            asked.note(&verdict, "ci");
        }
        assert!(!asked.has_asked("a0", "ci") && asked.has_asked("a1", "ci"));
        let kept = asked.0.lock().unwrap();
        assert_eq!((kept.askers.len(), kept.order.len()), (MOST_ASKERS, MOST_ASKERS));
    }
}
