//! What compilers, tests and interpreters say: the first error, what failed, how many.

use super::lines::{Lines, many};
use super::sample::Sample;

/// The most failures that are told by name.
const TOLD: usize = 24;

pub(super) fn is_trace(sample: &Sample<'_>) -> bool {
    sample.lines.iter().any(|line| matches!(sign(line), Some(Sign::Sure)))
        || sample.count(|line| matches!(sign(line), Some(Sign::Frame))) >= 3
        || sample.count(|line| sign(line).is_some()) >= 2 && sample.mostly(20, |line| sign(line).is_some())
}

/// What a line is a sign of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sign {
    /// Nothing but a trace has such a line.
    Sure,
    /// An error.
    Error,
    /// A warning.
    Warning,
    /// A test that failed.
    Failed,
    /// A test that passed.
    Passed,
    /// A frame of a stack.
    Frame,
    /// How it all ended.
    Result,
}

fn sign(line: &str) -> Option<Sign> {
    let line = &line[..line.floor_char_boundary(400)];
    let bare = line.trim_start();
    let starts = |starts: &[&str]| starts.iter().any(|start| bare.starts_with(start));
    let has = |parts: &[&str]| parts.iter().any(|part| line.contains(part));
    match () {
        () if bare.starts_with("Traceback (most recent call last)") => Some(Sign::Sure),
        () if has(&["' panicked at ", " panicked at "]) && line.starts_with("thread ") => Some(Sign::Sure),
        () if line.starts_with("test ") && line.ends_with("... FAILED") => Some(Sign::Failed),
        () if line.starts_with("test ") && line.ends_with("... ok") => Some(Sign::Passed),
        () if starts(&["--- FAIL: ", "FAIL ", "FAIL\t", "FAILED ", "not ok ", "✕ ", "✗ ", "× "]) => {
            Some(Sign::Failed)
        }
        () if starts(&["--- PASS: ", "PASS ", "PASSED ", "ok ", "✓ ", "✔ ", "=== RUN "]) => {
            Some(Sign::Passed)
        }
        () if starts(&[
            "test result: ",
            "Tests: ",
            "Tests run: ",
            "error: could not compile",
            "Summary [",
        ]) || is_pytest_end(line) =>
        {
            Some(Sign::Result)
        }
        () if is_error_word(line) || is_placed(line, &["error:", "fatal error:", "error TS"]) => {
            Some(Sign::Error)
        }
        () if line.starts_with("warning: ")
            || line.starts_with("warning[")
            || is_placed(line, &["warning:"]) =>
        {
            Some(Sign::Warning)
        }
        () if is_frame(bare, line) => Some(Sign::Frame),
        () => None,
    }
}

/// `==== 3 failed, 10 passed in 1.2s ====`
fn is_pytest_end(line: &str) -> bool {
    line.starts_with("==") && (line.contains(" passed") || line.contains(" failed")) && line.contains(" in ")
}

/// `error: …`, `error[E0308]: …`, `ValueError: …`, `Exception in thread`, `npm ERR!`
fn is_error_word(line: &str) -> bool {
    let word = line.split([':', ' ', '[', '(']).next().unwrap_or_default();
    let is_named = word.len() > 5
        && (word.ends_with("Error") || word.ends_with("Exception"))
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._$".contains(&byte));
    is_named && line[word.len()..].starts_with([':', ' ', '('])
        || ["error: ", "error[", "Error: ", "E   ", "npm ERR!", "Exception in ", "Caused by: ", "make: *** "]
            .iter()
            .any(|start| line.starts_with(start))
}

/// `path:12:5: error: …`, `path(12,5): error TS2322: …`
fn is_placed(line: &str, words: &[&str]) -> bool {
    words.iter().any(|word| {
        line.find(word).is_some_and(|at| {
            let before = line[..at].trim_end();
            let place = before.strip_suffix(':').unwrap_or("");
            let mut parts = place.trim_end_matches(')').rsplit([':', ',', '(']);
            parts
                .next()
                .is_some_and(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
                && parts.next().is_some()
        })
    })
}

/// `at name (file:1:2)`, `  File "a.py", line 3`, `  12: name`
fn is_frame(bare: &str, line: &str) -> bool {
    let is_inner = line.len() > bare.len();
    is_inner
        && (bare.starts_with("at ") && bare.contains([':', '('])
            || bare.starts_with("File \"") && bare.contains(", line "))
}

/// What is counted and kept of a trace.
#[derive(Default)]
struct Found<'a> {
    errors: usize,
    warnings: usize,
    passed: usize,
    failed: usize,
    frames: usize,
    first_error: Option<usize>,
    failures: Vec<&'a str>,
    results: Vec<&'a str>,
}

pub(super) fn summary(text: &str) -> Lines {
    let mut found = Found::default();
    let (mut count, mut last) = (0, "");
    for (at, line) in text.lines().enumerate() {
        count = at + 1;
        last = if line.trim().is_empty() { last } else { line };
        found.take(at, line);
    }
    let mut lines = Lines::under(found.headline(count));
    // The line that says what went wrong, and what stands under it.
    if let Some(first) = found.first_error {
        text.lines()
            .skip(first)
            .take(4)
            .enumerate()
            .for_each(|(at, line)| lines.push(if at == 0 { 1 } else { 3 }, line));
    }
    found.failures.iter().for_each(|line| lines.push(2, line.trim()));
    found.results.iter().for_each(|line| lines.push(2, line.trim()));
    if !found.results.contains(&last) {
        lines.push(2, format!("end: {}", last.trim()));
    }
    lines
}

impl<'a> Found<'a> {
    fn take(&mut self, at: usize, line: &'a str) {
        let Some(sign) = sign(line) else { return };
        match sign {
            Sign::Error => self.errors += 1,
            Sign::Sure => {}
            Sign::Warning => self.warnings += 1,
            Sign::Passed => self.passed += 1,
            Sign::Frame => self.frames += 1,
            Sign::Failed => {
                self.failed += 1;
                if self.failures.len() < TOLD {
                    self.failures.push(line);
                }
            }
            Sign::Result => {
                if self.results.len() < 4 {
                    self.results.push(line);
                }
            }
        }
        if matches!(sign, Sign::Error | Sign::Sure) {
            self.first_error = self.first_error.or(Some(at));
        }
    }

    fn headline(&self, lines: usize) -> String {
        let mut headline = format!("errors and tests, {}", many(lines, "line"));
        let counts = [
            (self.errors, "error"),
            (self.warnings, "warning"),
            (self.failed, "failing test"),
            (self.passed, "passing test"),
            (self.frames, "frame"),
        ];
        for (count, noun) in counts.into_iter().filter(|(count, _)| *count > 0) {
            headline.push_str(", ");
            headline.push_str(&many(count, noun));
        }
        headline
    }
}
