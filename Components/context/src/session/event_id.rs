//! Ids that sort as the log does.

use mentci_source::Hash;

/// The most events that one millisecond holds.
const MOST: u32 = 1 << 24;

/// Gives ids: 12 hexadecimal digits of the time in milliseconds, 6 of the order within it, 14 of the session.
///
/// INVARIANT (event ids ascend): each id is greater than the one before. When the clock goes back, or a millisecond is full,
/// the last time stands or moves on by one.
#[derive(Debug, Clone)]
pub(crate) struct EventIds {
    session: String,
    last: Option<(u64, u32)>,
}

impl EventIds {
    pub(crate) fn new(session_id: &str) -> Self {
        Self { session: Hash::of("mentci session", [session_id.as_bytes()]).short(14), last: None }
    }

    /// The next id, for an event at this time.
    pub(crate) fn next(&mut self, ms: i64) -> String {
        // 48 bits of milliseconds last until the year 10889.
        let ms = u64::try_from(ms).unwrap_or(0).min((1 << 48) - 2);
        let next = match self.last {
            Some((last, order)) if ms <= last && order + 1 < MOST => (last, order + 1),
            Some((last, _)) if ms <= last => (last + 1, 0),
            _ => (ms, 0),
        };
        self.last = Some(next);
        format!("{:012x}{:06x}{}", next.0, next.1, self.session)
    }

    /// Goes on after an id that was read; whether that id is one and comes after the last.
    pub(crate) fn follow(&mut self, id: &str) -> bool {
        let digits = |range| id.get(range).and_then(|part| u64::from_str_radix(part, 16).ok());
        let is_hex = id.len() == 32 && id.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        let (true, Some(ms), Some(order)) = (is_hex, digits(0..12), digits(12..18)) else { return false };
        let next = (ms.min((1 << 48) - 2), u32::try_from(order).unwrap_or(MOST - 1));
        if self.last.is_some_and(|last| next <= last) {
            return false;
        }
        self.last = Some(next);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_ascend_inside_a_millisecond_and_when_the_clock_goes_back() {
        let mut ids = EventIds::new("s");
        let given: Vec<String> =
            [5, 5, 5, 3, -1, 6, i64::MAX, 7].into_iter().map(|ms| ids.next(ms)).collect();
        assert!(given.is_sorted_by(|a, b| a < b), "{given:?}");
        assert!(given.iter().all(|id| id.len() == 32));
    }

    #[test]
    fn a_full_millisecond_moves_on() {
        let mut ids = EventIds { last: Some((5, MOST - 1)), ..EventIds::new("s") };
        assert!(ids.next(5).starts_with("000000000006000000"));
    }

    #[test]
    fn what_was_read_is_followed() {
        let mut ids = EventIds::new("s");
        let id = EventIds::new("other").next(9);
        assert!(ids.follow(&id) && !ids.follow(&id) && !ids.follow("x") && !ids.follow(&"é".repeat(16)));
        assert!(ids.next(1) > id);
    }
}
