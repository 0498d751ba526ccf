//! Lines of no kind: the first and the last.

use super::lines::{Lines, many, size};

pub(super) fn summary(text: &str) -> Lines {
    let mut count = 0;
    let (mut first, mut last) = (Vec::new(), ["", ""]);
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        count += 1;
        if first.len() < 5 {
            first.push(line);
        } else {
            last = [last[1], line];
        }
    }
    let mut lines = Lines::under(format!("text, {}, {}", many(count, "line"), size(text.len())));
    first.iter().enumerate().for_each(|(at, line)| lines.push(if at == 0 { 1 } else { 3 }, line));
    if count > 7 {
        lines.push(3, "…");
    }
    last.iter().enumerate().for_each(|(at, line)| lines.push(if at == 1 { 2 } else { 4 }, line));
    lines
}
