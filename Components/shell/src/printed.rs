//! What commands print, as far as that can be foretold.

use crate::reader::LONGEST_VALUE;

/// How much of what several commands print is kept.
const MOST: usize = LONGEST_VALUE * 16;

/// What commands print: surely, or most likely.
///
/// What is sure becomes the value of a word. What is likely is close enough to what is printed for a look at what a shell
/// would run of it, and for nothing else: both branches of an `if`, a line that a filter may have left out.
#[derive(Debug, Clone, Default)]
pub(crate) struct Printed {
    pub(crate) sure: Option<String>,
    pub(crate) likely: Option<String>,
}

impl Printed {
    /// Surely nothing.
    pub(crate) fn nothing() -> Self {
        Self { sure: Some(String::new()), likely: None }
    }

    /// The text that a shell would read of it.
    pub(crate) fn text(&self) -> Option<&str> {
        self.sure.as_deref().or(self.likely.as_deref()).filter(|text| !text.is_empty())
    }

    /// The same where it depends on the run whether it is printed.
    pub(crate) fn perhaps(self) -> Self {
        let likely = self.text().map(str::to_owned);
        Self { sure: None, likely }
    }

    /// This, and then more.
    pub(crate) fn then(&mut self, more: &Self) {
        let likely = [self.text(), more.text()].into_iter().flatten().collect::<Vec<_>>().concat();
        let sure = self.sure.take().zip(more.sure.as_deref()).map(|(so_far, more)| so_far + more);
        self.sure = sure.filter(|text| text.len() <= MOST);
        self.likely = (self.sure.is_none() && !likely.is_empty() && likely.len() <= MOST).then_some(likely);
    }
}
