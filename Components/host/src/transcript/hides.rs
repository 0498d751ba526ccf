//! Which blocks a compaction hides: `4-17,19`.

use std::ops::RangeInclusive;

/// Reads the numbers of blocks.
///
/// # Errors
/// The part that is none.
pub(super) fn read(text: &str) -> Result<Vec<RangeInclusive<usize>>, String> {
    let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
    parts.map(|part| range(part).ok_or_else(|| part.to_owned())).collect()
}

fn range(part: &str) -> Option<RangeInclusive<usize>> {
    let (first, last) = part.split_once('-').unwrap_or((part, part));
    let (first, last): (usize, usize) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
    (first > 0 && first <= last).then_some(first..=last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_runs() {
        assert_eq!(read("4-17, 19"), Ok(vec![4..=17, 19..=19]));
        assert_eq!(read(""), Ok(vec![]));
        for wrong in ["0", "7-3", "x", "1-", "4-17-19"] {
            assert_eq!(read(wrong), Err(wrong.to_owned()));
        }
    }
}
