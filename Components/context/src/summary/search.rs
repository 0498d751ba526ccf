//! What a search found: files with counts, and the first hits.

use std::collections::BTreeMap;

use super::lines::{Lines, many};
use super::sample::Sample;

/// The most files that are told by name.
const TOLD: usize = 24;

pub(super) fn is_search(sample: &Sample<'_>) -> bool {
    sample.mostly(80, |line| hit(line).is_some() || line == "--")
        && sample.count(|line| hit(line).is_some()) >= 2
}

/// A line that a search found.
struct Hit<'a> {
    path: &'a str,
    number: &'a str,
    text: &'a str,
}

/// `path:12:text`; of a path that reads like one.
fn hit(line: &str) -> Option<Hit<'_>> {
    let (path, rest) = line.split_once(':')?;
    let (number, text) = rest.split_once(':')?;
    let is_number =
        !number.is_empty() && number.len() <= 9 && number.bytes().all(|byte| byte.is_ascii_digit());
    let is_path =
        path.len() <= 400 && path.contains(['.', '/', '\\']) && !path.contains(['"', '{', '\t', '<']);
    (is_number && is_path && !path.starts_with(' ')).then_some(Hit { path, number, text })
}

pub(super) fn summary(text: &str) -> Lines {
    let mut files: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut count = 0;
    for found in text.lines().filter_map(hit) {
        let order = files.len();
        files.entry(found.path).or_insert((order, 0)).1 += 1;
        count += 1;
    }
    let mut lines = Lines::under(format!("search, {} in {}", many(count, "hit"), many(files.len(), "file")));
    let mut by_count: Vec<(&str, (usize, usize))> = files.into_iter().collect();
    by_count.sort_by_key(|(_, (order, count))| (std::cmp::Reverse(*count), *order));
    for (path, (_, count)) in by_count.into_iter().take(TOLD) {
        lines.push(1, format!("{path} {count}"));
    }
    for found in text.lines().filter_map(hit).take(8) {
        lines.push(2, format!("{}:{}: {}", found.path, found.number, found.text.trim()));
    }
    lines
}
