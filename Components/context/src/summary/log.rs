//! Logs: how many lines of each level, the first error, the end.

use std::collections::BTreeMap;

use super::lines::{Lines, many};
use super::sample::Sample;

/// Words for levels, the gravest first.
const LEVELS: &[(&str, &[&str])] = &[
    ("fatal", &["FATAL", "CRITICAL", "CRIT", "EMERG", "ALERT", "PANIC"]),
    ("error", &["ERROR", "ERR", "SEVERE", "E"]),
    ("warning", &["WARN", "WARNING", "W"]),
    ("notice", &["NOTICE"]),
    ("info", &["INFO", "I"]),
    ("debug", &["DEBUG", "FINE", "D"]),
    ("trace", &["TRACE", "VERBOSE"]),
];
/// How far into a line its level is looked for, in bytes.
const REACH: usize = 96;
/// Names of months and days in times are short: `Mar`, `Sept`.
const LONGEST_MONTH: usize = 4;

pub(super) fn is_log(sample: &Sample<'_>) -> bool {
    let has_time = |line: &str| has_time(line);
    let is_line = |line: &str| has_time(line) || begins_with_level(line);
    sample.mostly(50, is_line) && (sample.count(has_time) > 0 || sample.mostly(80, begins_with_level))
}

/// Whether a line starts with a time, or with an address and a time as web servers write them.
fn has_time(line: &str) -> bool {
    let head = &line.as_bytes()[..line.len().min(REACH)];
    let start = usize::from(head.first() == Some(&b'['));
    is_clock(&head[start..head.len().min(start + 24)]) || head.windows(13).any(is_web_time)
}

/// A date and a time of day, or a time of day, near the start: the first digits belong to it.
fn is_clock(head: &[u8]) -> bool {
    let clock = |five: &[u8]| five[2] == b':' && [0, 1, 3, 4].iter().all(|at| five[*at].is_ascii_digit());
    let is_date = |before: &[u8]| {
        let is_such = |byte: &u8| byte.is_ascii_alphanumeric() || b"-/ .:,".contains(byte);
        let mut words = before.split(|byte| !byte.is_ascii_alphabetic());
        before.iter().all(is_such) && words.all(|word| word.len() <= LONGEST_MONTH)
    };
    head.windows(5).position(clock).is_some_and(|at| is_date(&head[..at]))
}

/// `[10/Oct/2000:`
fn is_web_time(window: &[u8]) -> bool {
    window[0] == b'['
        && window[3] == b'/'
        && window[7] == b'/'
        && window[12] == b':'
        && window[1].is_ascii_digit()
}

fn begins_with_level(line: &str) -> bool {
    let word = line.trim_start_matches(['[', '<', ' ']).split([' ', ']', ':', '>', '\t', '(']).next();
    word.is_some_and(|word| word.len() > 1 && level_of(word).is_some())
}

/// The level that a word names.
fn level_of(word: &str) -> Option<usize> {
    let is_upper = word.bytes().all(|byte| byte.is_ascii_uppercase());
    let named = |names: &[&str]| names.iter().any(|name| name.eq_ignore_ascii_case(word));
    let known = || LEVELS.iter().position(|(_, names)| named(names));
    // `error` in a sentence is no level; `Info:` and `error]` are told by who asks.
    (is_upper || word.len() > 3).then(known).flatten()
}

/// The level of a line: a word in capitals, or one in brackets or after `level=`, in its beginning.
fn level(line: &str) -> Option<usize> {
    let head = &line[..line.floor_char_boundary(REACH)];
    let mut from = 0;
    for word in head.split(|one: char| !one.is_ascii_alphabetic()) {
        let before = head[..from].bytes().next_back();
        let after = head[from + word.len()..].bytes().next();
        let is_set_off = matches!(before, Some(b'[' | b'=' | b'<' | b'"')) || after == Some(b']');
        let is_upper = word.bytes().all(|byte| byte.is_ascii_uppercase());
        let is_told = is_upper && (word.len() > 1 || after == Some(b' ')) || is_set_off && word.len() > 2;
        if let Some(level) = Some(word).filter(|_| is_told && !word.is_empty()).and_then(level_of) {
            return Some(level);
        }
        // Words are parted by one character each, of any length.
        from += word.len();
        from += head[from..].chars().next().map_or(0, char::len_utf8);
    }
    None
}

/// `2 errors`, `40 info`
fn told(level: usize, count: usize) -> String {
    match LEVELS[level].0 {
        name @ ("error" | "warning" | "notice") => many(count, name),
        name => format!("{count} {name}"),
    }
}

pub(super) fn summary(text: &str) -> Lines {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    let (mut count, mut first_error, mut last_error, mut first) = (0, None, None, None);
    let mut tail = [""; 3];
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        count += 1;
        first = first.or(Some(line));
        tail = [tail[1], tail[2], line];
        let Some(level) = level(line) else { continue };
        *counts.entry(level).or_default() += 1;
        if level <= 1 {
            first_error = first_error.or(Some(line));
            last_error = Some(line);
        }
    }
    let levels: Vec<String> =
        counts.iter().map(|(level, count)| format!(", {}", told(*level, *count))).collect();
    let levels = levels.concat();
    let mut lines = Lines::under(format!("log, {}{levels}", many(count, "line")));
    lines.push(1, first_error.map(|line| format!("first error: {line}")).unwrap_or_default());
    let other = last_error.filter(|last| first_error != Some(last));
    lines.push(2, other.map(|line| format!("last error: {line}")).unwrap_or_default());
    lines.push(3, first.map(|line| format!("first: {line}")).unwrap_or_default());
    for (at, line) in tail.into_iter().enumerate().filter(|(_, line)| !line.is_empty()) {
        lines.push(if at == 2 { 2 } else { 4 }, format!("end: {line}"));
    }
    lines
}
