//! Bars in a terminal.

use owo_colors::OwoColorize;

/// The width of the longest bar.
const WIDTH: usize = 40;

/// A bar of `whole` with the part `part` filled, both on the scale where `most` is the full width.
///
/// A part that is not zero always shows.
pub(crate) fn bar(part: usize, whole: usize, most: usize) -> String {
    let scaled = |number: usize| (number * WIDTH).div_ceil(most.max(1)).min(WIDTH);
    let (filled, whole) = (scaled(part), scaled(whole));
    format!("{}{}", "█".repeat(filled).green(), "░".repeat(whole.saturating_sub(filled)).dimmed())
}
