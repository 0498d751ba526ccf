//! Diffs: files, what was added and removed, where.

use super::lines::{Lines, many};
use super::sample::Sample;

pub(super) fn is_diff(sample: &Sample<'_>) -> bool {
    let has_git = sample.lines.iter().any(|line| line.starts_with("diff --git "));
    let is_head = |three: &[&str]| {
        three[0].starts_with("--- ") && three[1].starts_with("+++ ") && three[2].starts_with("@@ ")
    };
    has_git && sample.lines.iter().any(|line| line.starts_with("@@ ") || line.starts_with("index "))
        || sample.lines.windows(3).any(is_head)
}

/// A file of a diff.
#[derive(Default)]
struct File {
    name: String,
    added: usize,
    removed: usize,
    hunks: usize,
    heads: Vec<String>,
}

/// The most files and heads of hunks of one file that are told by name.
const TOLD: (usize, usize) = (40, 4);

pub(super) fn summary(text: &str) -> Lines {
    let (mut files, mut total): (Vec<File>, _) = (Vec::new(), File::default());
    let mut count = 0;
    let mut body = (0_usize, 0_usize);
    let mut current = File::default();
    for line in text.lines() {
        if body != (0, 0) {
            count_line(line, &mut body, &mut current);
        } else if let Some(name) = named(line) {
            if name.is_new && !current.name.is_empty() {
                finish(&mut files, &mut total, std::mem::take(&mut current), &mut count);
            }
            if name.is_better || current.name.is_empty() {
                name.text.clone_into(&mut current.name);
            }
        } else if let Some((sizes, head)) = hunk(line) {
            body = sizes;
            current.hunks += 1;
            if current.heads.len() < TOLD.1 {
                current.heads.push(head.to_owned());
            }
        }
    }
    finish(&mut files, &mut total, current, &mut count);
    tell(&files, &total, count)
}

fn tell(files: &[File], total: &File, count: usize) -> Lines {
    let changes = format!("+{} -{}", total.added, total.removed);
    let mut lines =
        Lines::under(format!("diff, {}, {changes}, {}", many(count, "file"), many(total.hunks, "hunk")));
    for file in files {
        lines.push(1, format!("{} +{} -{}", file.name, file.added, file.removed));
        for head in &file.heads {
            lines.push(3, format!("  {head}"));
        }
    }
    lines
}

fn finish(files: &mut Vec<File>, total: &mut File, file: File, count: &mut usize) {
    if file.name.is_empty() && file.hunks == 0 {
        return;
    }
    *count += 1;
    total.added += file.added;
    total.removed += file.removed;
    total.hunks += file.hunks;
    if files.len() < TOLD.0 {
        files.push(file);
    }
}

/// A line of a hunk's body, whose head said how many there are.
fn count_line(line: &str, (old, new): &mut (usize, usize), file: &mut File) {
    match line.as_bytes().first() {
        Some(b'+') => {
            file.added += 1;
            *new = new.saturating_sub(1);
        }
        Some(b'-') => {
            file.removed += 1;
            *old = old.saturating_sub(1);
        }
        Some(b'\\') => {}
        _ => (*old, *new) = (old.saturating_sub(1), new.saturating_sub(1)),
    }
}

/// A line that names a file.
struct Name<'a> {
    text: &'a str,
    /// Whether another file begins here.
    is_new: bool,
    /// Whether it names the file better than a line before it.
    is_better: bool,
}

fn named(line: &str) -> Option<Name<'_>> {
    let path = |text: &'_ str| -> usize { text.find('\t').unwrap_or(text.len()) };
    if let Some(rest) = line.strip_prefix("diff --git ") {
        let text = rest.rsplit_once(" b/").map_or(rest, |(_, path)| path);
        return Some(Name { text, is_new: true, is_better: true });
    }
    if let Some(rest) = line.strip_prefix("+++ ") {
        let text = rest[..path(rest)].trim();
        let text = text.strip_prefix("b/").unwrap_or(text);
        return Some(Name { text, is_new: false, is_better: text != "/dev/null" });
    }
    // Without git's line, a file begins here.
    let rest = line.strip_prefix("--- ")?;
    let text = rest[..path(rest)].trim();
    Some(Name { text: text.strip_prefix("a/").unwrap_or(text), is_new: false, is_better: false })
}

/// `@@ -1,3 +1,4 @@ fn name()`: how many old and new lines follow, and the line itself.
fn hunk(line: &str) -> Option<((usize, usize), &str)> {
    let ranges = line.strip_prefix("@@ -")?;
    let (old, rest) = ranges.split_once(" +")?;
    let (new, _) = rest.split_once(" @@")?;
    let length = |range: &str| match range.split_once(',') {
        Some((_, length)) => length.parse().ok(),
        None => range.parse::<usize>().ok().map(|_| 1),
    };
    Some(((length(old)?, length(new)?), line))
}
