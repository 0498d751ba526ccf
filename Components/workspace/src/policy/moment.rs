//! When an event happens: what an agent says of it is a claim.

use mentci_authority::{At, Event};

use crate::workspace::Workspace;

/// What an event says itself of when it happens, among what it claims.
const CLAIM: &str = "at";

/// An event of an agent happens when it is heard: an `at` of its own would use what has expired, open what is closed at this
/// hour, and fall out of every window. What it says is kept as what it claims.
pub(super) fn heard(event: &mut Event, now: At) {
    if let Some(said) = event.at.replace(now) {
        event.claimed.insert(CLAIM.to_owned(), said.to_string().into());
    }
}

/// An event that a person dates may lag behind the clock; one from the future would empty every window.
pub(super) fn dated(at: Option<At>, now: At) -> At {
    at.filter(|at| at.ms <= now.ms).unwrap_or(now)
}

impl Workspace {
    /// A moment as the clocks on the wall show it: schedules without a zone of their own are read by them, whatever offset it was
    /// written with.
    pub(super) fn on_the_wall(&self, at: At) -> At {
        at.with_offset(self.clock.offset_seconds(at.ms))
    }
}

#[cfg(test)]
mod tests {
    use mentci_authority::Hook;

    use super::*;

    const NOON: &str = "2026-03-02T12:00:00Z";

    fn at(text: &str) -> At {
        At::parse(text).unwrap()
    }

    #[test]
    fn an_agents_time_is_a_claim() {
        let mut told = Event { at: Some(at("2026-03-01T12:00:00+02:00")), ..Event::new(Hook::PreToolCall) };
        heard(&mut told, at(NOON));
        assert_eq!((told.at, &told.claimed["at"]), (Some(at(NOON)), &"2026-03-01T12:00:00+02:00".into()));
        let mut silent = Event::new(Hook::PreToolCall);
        heard(&mut silent, at(NOON));
        assert_eq!((silent.at, silent.claimed.len()), (Some(at(NOON)), 0));
    }

    #[test]
    fn a_persons_time_lies_in_the_past() {
        for (told, is) in [
            ("2026-03-02T11:59:00Z", "2026-03-02T11:59:00Z"),
            ("2026-03-02T12:00:01Z", NOON),
            ("2026-03-02T23:00:00+11:00", NOON),
            ("2026-03-02T23:00:00-11:00", NOON),
        ] {
            let dated = dated(Some(at(told)), at(NOON));
            assert_eq!(dated.ms, at(is).ms, "{told}");
        }
        assert_eq!(dated(None, at(NOON)), at(NOON));
    }
}
