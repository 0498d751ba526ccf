//! Tables: columns, rows, the first and the last.

use super::lines::{Lines, many};
use super::sample::Sample;

/// How a table's cells are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// By one character.
    Separated(char),
    /// `| a | b |` with a line of dashes.
    Markdown,
    /// By room.
    Aligned,
}

pub(super) fn is_table(sample: &Sample<'_>) -> bool {
    form(sample).is_some()
}

/// The type of a table.
pub(super) fn mime_type(text: &str) -> &'static str {
    match form(&Sample::of(text)) {
        Some(Form::Separated('\t')) => "text/tab-separated-values",
        Some(Form::Separated(',')) => "text/csv",
        Some(Form::Markdown) => "text/markdown",
        _ => "text/plain",
    }
}

fn form(sample: &Sample<'_>) -> Option<Form> {
    let is_rule = |line: &&str| {
        line.contains("---") && line.contains('|') && line.trim().chars().all(|one| "|-: ".contains(one))
    };
    if sample.lines.iter().take(3).any(is_rule) && sample.mostly(60, |line| line.contains('|')) {
        return Some(Form::Markdown);
    }
    let separated = ['\t', ',', ';'].into_iter().find(|mark| is_separated(sample, *mark));
    separated.map(Form::Separated).or_else(|| is_aligned(sample).then_some(Form::Aligned))
}

/// Three lines at least of as many cells as the first one, whose cells are names.
fn is_separated(sample: &Sample<'_>, mark: char) -> bool {
    let Some(head) = sample.lines.first() else { return false };
    let columns = cells(head, mark);
    let is_name = |cell: &str| {
        let cell = cell.trim().trim_matches('"');
        let is_worded = |one: char| one.is_alphanumeric() || " _-./#%()[]:".contains(one);
        !cell.is_empty()
            && cell.len() <= 40
            && cell.chars().all(is_worded)
            && cell.chars().any(char::is_alphabetic)
            && !cell.starts_with(|one: char| one.is_ascii_digit())
            && !cell.ends_with('.')
    };
    let is_head = head.split(mark).all(is_name)
        && head.split(mark).all(|cell| mark == '\t' || cell.trim().split(' ').count() <= 3);
    // The last line of a sample may be cut.
    let rows = &sample.lines[..sample.lines.len() - usize::from(sample.lines.len() > 3)];
    let alike = rows.iter().filter(|line| cells(line, mark) == columns).count();
    columns >= 2 && is_head && sample.lines.len() >= 3 && alike * 100 >= rows.len() * 90
}

/// How many cells a line has; marks inside of quotes part none.
fn cells(line: &str, mark: char) -> usize {
    let (count, _) = line.chars().fold((1, false), |(count, is_quoted), one| match one {
        '"' => (count, !is_quoted),
        one if one == mark && !is_quoted => (count + 1, false),
        _ => (count, is_quoted),
    });
    count
}

/// A head of three names in capitals at least over rows; or a listing of files.
fn is_aligned(sample: &Sample<'_>) -> bool {
    let is_name = |word: &str| {
        word.len() > 1
            && word.bytes().all(|byte| byte.is_ascii_uppercase() || b"%-_()/".contains(&byte))
            && word.bytes().any(|byte| byte.is_ascii_uppercase())
    };
    let head = sample.lines.first().map_or(0, |line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.iter().all(|word| is_name(word)) { words.len() } else { 0 }
    });
    let is_row = |line: &str| line.split_whitespace().count() + 1 >= head;
    head >= 3 && sample.lines.len() >= 3 && sample.mostly(80, is_row) || sample.mostly(80, is_listed)
}

/// A line of `ls -l`.
fn is_listed(line: &str) -> bool {
    let mode = line.as_bytes().get(..10);
    mode.is_some_and(|mode| {
        b"-dlcbps".contains(&mode[0])
            && mode[1..].iter().all(|byte| b"rwxsStT-".contains(byte))
            && line.contains(' ')
    })
}

pub(super) fn summary(text: &str) -> Lines {
    let form = form(&Sample::of(text)).unwrap_or(Form::Aligned);
    let is_rule = |line: &&str| form == Form::Markdown && line.trim().chars().all(|one| "|-: ".contains(one));
    let mut rows = text.lines().filter(|line| !line.trim().is_empty() && !is_rule(line));
    let head = rows.next().unwrap_or_default();
    let columns = match form {
        Form::Separated(mark) => cells(head, mark),
        Form::Markdown => head.trim().trim_matches('|').split('|').count(),
        Form::Aligned => head.split_whitespace().count(),
    };
    let (mut count, mut first, mut last) = (0, Vec::new(), ["", ""]);
    for row in rows {
        count += 1;
        if first.len() < 3 {
            first.push(row);
        } else {
            last = [last[1], row];
        }
    }
    let mut lines = Lines::under(format!("table, {}, {}", many(count, "row"), many(columns, "column")));
    lines.push(1, head);
    first.iter().enumerate().for_each(|(at, row)| lines.push(if at == 0 { 2 } else { 4 }, row));
    if count > 5 {
        lines.push(4, "…");
    }
    last.iter().enumerate().for_each(|(at, row)| lines.push(if at == 1 { 3 } else { 5 }, row));
    lines
}
