//! The beginning of a text, as recognisers see it.

/// How much of a text a recogniser sees: bytes and lines.
const SEEN: (usize, usize) = (64 << 10, 400);

/// The beginning of a text.
pub(super) struct Sample<'a> {
    /// All of it.
    pub(super) whole: &'a str,
    /// Its first lines that are not empty; the last one may be cut.
    pub(super) lines: Vec<&'a str>,
}

impl<'a> Sample<'a> {
    pub(super) fn of(whole: &'a str) -> Self {
        let head = &whole[..whole.floor_char_boundary(SEEN.0)];
        let lines = head.lines().filter(|line| !line.trim().is_empty()).take(SEEN.1).collect();
        Self { whole, lines }
    }

    /// How many lines are such.
    pub(super) fn count(&self, is_such: impl Fn(&str) -> bool) -> usize {
        self.lines.iter().filter(|line| is_such(line)).count()
    }

    /// Whether so many lines of a hundred are such, and two at least.
    pub(super) fn mostly(&self, percent: usize, is_such: impl Fn(&str) -> bool) -> bool {
        let count = self.count(is_such);
        count >= 2 && count * 100 >= self.lines.len() * percent
    }
}
