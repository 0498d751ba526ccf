//! Prose: its headings and its beginning.

use super::lines::{Lines, many};
use super::sample::Sample;

pub(super) fn is_prose(sample: &Sample<'_>) -> bool {
    let is_such = |line: &str| is_heading(line) || is_sentence(line);
    let percent = if sample.lines.len() == 1 { 0 } else { 50 };
    let one = sample.lines.len() == 1 && sample.lines.iter().all(|line| is_sentence(line));
    one || sample.mostly(percent, is_such) && sample.count(is_sentence) > 0
}

/// `# Heading`, up to six signs.
fn is_heading(line: &str) -> bool {
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    (1..=6).contains(&level) && line[level..].starts_with(' ')
}

/// Words, not signs: five of them at least, or as many letters where words are not parted.
fn is_sentence(line: &str) -> bool {
    let line = &line[..line.floor_char_boundary(2000)];
    let (mut letters, mut others) = (0, 0);
    for one in line.chars() {
        match one {
            one if one.is_alphabetic() => letters += 1,
            one if one.is_whitespace() || ".,'’;!?".contains(one) => {}
            _ => others += 1,
        }
    }
    let words = line.split_whitespace().filter(|word| word.chars().any(char::is_alphabetic)).count();
    let is_dense = line.chars().any(|one| ('\u{3040}'..='\u{9fff}').contains(&one)) && letters >= 8;
    (words >= 5 || is_dense) && letters >= others * 6
}

/// Markdown when it has headings.
pub(super) fn mime_type(text: &str) -> &'static str {
    let has_heading = Sample::of(text).lines.iter().any(|line| is_heading(line));
    if has_heading { "text/markdown" } else { "text/plain" }
}

pub(super) fn summary(text: &str) -> Lines {
    let (mut count, mut words, mut in_fence) = (0, 0, false);
    let (mut headings, mut begun) = (Vec::new(), Vec::new());
    for line in text.lines() {
        count += 1;
        words += line.split_whitespace().count();
        in_fence ^= line.trim_start().starts_with("```");
        if !in_fence && is_heading(line) {
            headings.push(line);
        } else if begun.len() < 4 && !line.trim().is_empty() {
            begun.push(line);
        }
    }
    let mut lines = Lines::under(format!("text, {}, {}", many(count, "line"), many(words, "word")));
    begun.iter().take(1).for_each(|line| lines.push(2, line));
    for heading in headings {
        lines.push(if heading.starts_with("# ") { 1 } else { 3 }, heading);
    }
    begun.iter().skip(1).for_each(|line| lines.push(4, line));
    lines
}
