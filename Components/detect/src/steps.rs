//! How much was looked at.

/// Bytes that checks looked at beside the searches for anchors, which look at each byte once for each set.
///
/// INVARIANT (linear work): a text of n bytes takes at most [`Steps::PER_BYTE`] × n + [`Steps::PER_TEXT`] steps.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Steps(u64);

impl Steps {
    /// The most steps that a byte of text costs, whatever the text.
    pub const PER_BYTE: u64 = 128;
    /// The most steps that come on top.
    pub const PER_TEXT: u64 = 4096;

    /// The count.
    pub fn count(self) -> u64 {
        self.0
    }

    pub(crate) fn add(&mut self, bytes: usize) {
        self.0 += bytes as u64 + 1;
    }
}
