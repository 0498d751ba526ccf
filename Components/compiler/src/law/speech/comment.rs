//! Comments in code, line by line: what they say, where they stand, and the code under them.

use std::ops::Range;

use super::lexicon::is_verb;
use super::number::{Numbered, opens_step};
use mentci_reader::markdown::{RichText, Style};
use mentci_source::Span;

/// A comment, of one line or of several that belong together.
#[derive(Debug, Default)]
pub(crate) struct Comment {
    /// Its lines without their marks: plain text and bytes.
    lines: Vec<(String, Span)>,
    /// The code right under it, up to a blank line or the next comment.
    pub code: Vec<String>,
    /// The line that opens the block in which it stands: `function setup() {`.
    pub opener: Option<String>,
    /// It stands at the end of a line of code.
    pub trails: bool,
    /// That line of code, where it is short.
    pub beside: Option<String>,
    /// Nothing but the ends of blocks stands behind it, and a blank line or nothing before it.
    pub closes: bool,
    /// Another comment stands right under its code, without a blank line.
    pub cut: bool,
}

impl Comment {
    /// Its words, with their places in the source.
    pub(crate) fn rich(&self) -> RichText {
        let mut rich = RichText::default();
        for (at, (text, span)) in self.lines.iter().enumerate() {
            if at > 0 {
                let between = Span { start: self.lines[at - 1].1.end, end: span.start };
                let item = text.starts_with(is_bullet) && !rich.as_str().ends_with(':');
                let mark = if item { "; " } else { " " };
                rich.push(mark, between, Style::default());
            }
            let (text, span) = without_bullet(text, *span, at > 0);
            rich.push(text, span, Style::default());
        }
        rich
    }

    /// All its bytes.
    pub(crate) fn span(&self) -> Span {
        let (first, last) = (self.lines.first(), self.lines.last());
        first.zip(last).map_or_else(Span::default, |(first, last)| first.1.join(last.1))
    }

    /// `1. React`, `2) Next`, `Step 2: Next`.
    pub(crate) fn is_numbered(&self) -> bool {
        self.lines.first().is_some_and(|(text, _)| Numbered::of(text).is_some() || opens_step(text))
    }

    /// `Step 2: Next`.
    pub(crate) fn is_step(&self) -> bool {
        self.lines.first().is_some_and(|(text, _)| opens_step(text))
    }

    /// `Add what you need:` and a list of what that is.
    pub(crate) fn lists(&self) -> bool {
        self.lines.first().is_some_and(|(text, _)| text.ends_with(':'))
            && self.lines.iter().skip(1).filter(|(text, _)| text.starts_with(is_bullet)).count() > 1
    }

    /// `// retries: 3,` right under what has been said of it: code that is shut off.
    fn shuts_off(&self, next: &Self) -> bool {
        let ended = self.lines.last().is_some_and(|(last, _)| last.ends_with(['.', '!']));
        let code = |text: &str| {
            text.ends_with([',', ';', '{', '}']) && text.contains([':', '=', '(']) && !text.contains(". ")
        };
        ended && next.lines.iter().all(|(text, _)| code(text))
    }

    /// The code that it stands behind.
    pub(crate) fn behind(&self) -> Option<&str> {
        self.beside.as_deref().filter(|_| self.trails)
    }

    /// Whether it stands on lines of its own, and leads nothing in.
    fn is_told(&self) -> bool {
        !self.trails && self.lines.last().is_some_and(|(last, _)| !last.ends_with(':'))
    }

    /// Whether a line goes on with it: an item of its list, or a sentence that has not ended.
    fn goes_on(&self, line: &str) -> bool {
        let Some((last, _)) = self.lines.last() else { return false };
        let listed = self.lines.len() > 1 && last.starts_with(is_bullet) || last.ends_with(':');
        line.starts_with(is_bullet) && listed
            || line.starts_with(char::is_lowercase) && Numbered::of(line).is_none() && !last.ends_with('.')
            || wraps(last) && line.starts_with(char::is_uppercase)
    }
}

/// A long line that ends within its sentence: `Behind a breakwater you MUST tell`, above `Harbour Control of …`.
fn wraps(line: &str) -> bool {
    const SHORTEST: usize = 60;
    const OPEN: &[&str] = &[
        "with", "by", "of", "the", "a", "an", "to", "for", "and", "or", "from", "via", "as", "is", "are",
        "be", "must", "should", "not",
    ];
    const MODALS: &[&str] = &["must", "should", "to", "not", "can"];
    let lower = line.to_lowercase();
    let mut words = lower.rsplit(' ');
    let (last, before) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    line.len() >= SHORTEST && (OPEN.contains(&last) || MODALS.contains(&before) && is_verb(last))
}

/// `deck/plan.ts`, `deck/plan.ts (the plan)`.
fn is_path(line: &str) -> bool {
    let line = line.trim();
    let (name, rest) = line.split_once(' ').unwrap_or((line, ""));
    let ended = name.rsplit_once('.').is_some_and(|(stem, end)| {
        !stem.is_empty() && (1..=4).contains(&end.len()) && end.chars().all(|c| c.is_ascii_lowercase())
    });
    ended && name.contains('/') && (rest.is_empty() || rest.starts_with('('))
}

fn is_bullet(c: char) -> bool {
    matches!(c, '-' | '*' | '•')
}

fn without_bullet(text: &str, span: Span, goes_on: bool) -> (&str, Span) {
    let bare = text.trim_start_matches(|c| is_bullet(c) || c == ' ');
    let cut = u32::try_from(text.len() - bare.len()).unwrap_or(0);
    if goes_on { (bare, Span { start: span.start + cut, end: span.end }) } else { (text, span) }
}

/// The comments of code, in order.
pub(crate) fn comments(body: &str, base: usize, language: &str) -> Vec<Comment> {
    let marks = Marks::of(language);
    let mut found: Vec<Comment> = Vec::new();
    let mut near = Near::default();
    let mut at = base;
    for line in body.split_inclusive('\n') {
        let start = at;
        at += line.len();
        match marks.find(line, &mut near.until) {
            Some(range) if line[..range.start].contains(char::is_alphanumeric) => {
                near.code(&mut found, line);
                if outside_strings(&line[..range.start]) {
                    found.push(near.behind(line, range, start));
                }
            }
            Some(range) if range.is_empty() => {}
            Some(range) => {
                // `// deck/plan.ts` below `// GOOD: one plan` says where the code stands.
                if near.open && found.last().is_some_and(Comment::is_told) && is_path(&line[range.clone()]) {
                    continue;
                }
                near.cut(&mut found);
                let comment = near.comment(line, range, start);
                if let Some(last) = found.last_mut().filter(|last| near.open && last.shuts_off(&comment)) {
                    last.code.extend(comment.lines.into_iter().map(|(text, _)| text));
                    continue;
                }
                match found.last_mut().filter(|last| {
                    near.open && comment.lines.first().is_some_and(|(text, _)| last.goes_on(text))
                }) {
                    Some(last) => last.lines.extend(comment.lines),
                    None => found.push(comment),
                }
                near.under = found.len().checked_sub(1);
                (near.open, near.blank) = (true, false);
            }
            None => near.code(&mut found, line),
        }
    }
    found
}

/// What stands around a line.
#[derive(Debug, Default)]
struct Near {
    /// The mark that ends the comment which stands open.
    until: Option<&'static str>,
    /// Whether the last line was a comment.
    open: bool,
    /// The comment under which code goes on.
    under: Option<usize>,
    /// Whether the last line was blank.
    blank: bool,
    /// Whether code was met at all.
    coded: bool,
    /// The last line that opens a block, until its comments are met.
    opener: Option<String>,
}

impl Near {
    /// Passes a line of code, or a blank one.
    fn code(&mut self, found: &mut [Comment], line: &str) {
        let text = line.trim();
        let words = text.contains(char::is_alphanumeric);
        let ends = !words || text.starts_with("</");
        if let Some(above) =
            self.under.take_if(|_| ends).or(self.under).and_then(|above| found.get_mut(above))
        {
            above.code.extend((!ends).then(|| text.to_owned()));
        }
        if let Some(last) = found.last_mut() {
            last.closes &= ends;
        }
        self.open = false;
        self.blank = text.is_empty();
        self.coded |= words;
        let opens = text.ends_with(['{', '(', ':', '[', '>']) && !text.ends_with("/>") && !ends;
        self.opener = if opens {
            Some(text.trim_end_matches(['{', '[', ':', ' ']).to_owned())
        } else {
            self.opener.take().filter(|_| !ends || text.is_empty())
        };
    }

    /// Passes a comment: it cuts the code short that stands right above it.
    fn cut(&self, found: &mut [Comment]) {
        if let Some(above) = self.under.filter(|_| !self.blank).and_then(|above| found.get_mut(above)) {
            above.cut = !above.code.is_empty();
        }
    }

    /// A comment behind code.
    fn behind(&mut self, line: &str, range: Range<usize>, start: usize) -> Comment {
        const LONGEST: usize = 80;
        let code = line[..range.start].trim_end_matches(['/', '#', '*', '-', '<', '!', ' ', '\t']).trim();
        let beside = Some(code).filter(|code| code.len() <= LONGEST).map(str::to_owned);
        Comment { trails: true, beside, ..self.comment(line, range, start) }
    }

    fn comment(&mut self, line: &str, range: Range<usize>, start: usize) -> Comment {
        let span = Span::new(start + range.start, start + range.end);
        Comment {
            lines: vec![(line[range].to_owned(), span)],
            opener: self.opener.take(),
            closes: self.blank || !self.coded,
            ..Comment::default()
        }
    }
}

/// Whether a comment behind this code stands outside its strings.
fn outside_strings(code: &str) -> bool {
    ['"', '\'', '`'].iter().all(|quote| code.matches(*quote).count() % 2 == 0)
}

/// The marks of comments in a language.
struct Marks {
    lines: &'static [&'static str],
}

impl Marks {
    fn of(language: &str) -> Self {
        let lines: &[&str] = match language {
            "sql" | "lua" | "haskell" | "elm" => &["-- "],
            "css" | "json" | "c" | "cpp" | "rust" | "java" | "go" | "js" | "ts" | "javascript"
            | "typescript" | "tsx" | "jsx" | "html" | "vue" | "svelte" | "swift" | "kotlin" | "json5"
            | "jsonc" => &["//"],
            "python" | "py" | "yaml" | "yml" | "toml" | "properties" | "ini" | "dotenv" | "env" | "ruby"
            | "rb" | "r" | "dockerfile" | "makefile" | "nix" | "markdown" | "md" => &["# "],
            _ => &["//", "# "],
        };
        Self { lines }
    }

    /// The words of the comment in a line; none where there is only code.
    fn find(&self, line: &str, until: &mut Option<&'static str>) -> Option<Range<usize>> {
        let first = line.len() - line.trim_start().len();
        let text = line.trim_end();
        if let Some(end) = *until {
            let close = text.find(end);
            if close.is_some() {
                *until = None;
            }
            return Some(words_in(line, first..close.unwrap_or(text.len()).max(first)));
        }
        for (open, close) in [("/*", "*/"), ("<!--", "-->")] {
            if let Some(at) = opening(text, open) {
                let rest = at + open.len();
                let end = text[rest..].find(close).map(|end| rest + end);
                if end.is_none() {
                    *until = Some(close);
                }
                return Some(words_in(line, rest..end.unwrap_or(text.len())));
            }
        }
        let at = self.lines.iter().find_map(|mark| opening(text, mark).map(|at| at + mark.len()))?;
        Some(words_in(line, at..text.len()))
    }
}

/// Where a mark opens a comment: at the start of a line, or behind white space.
fn opening(line: &str, mark: &str) -> Option<usize> {
    let first = line.len() - line.trim_start().len();
    if line[first..].starts_with(mark) {
        return Some(first);
    }
    line.match_indices(mark).map(|(at, _)| at).find(|&at| line[..at].ends_with([' ', '\t']))
}

/// The words of a comment without the marks around them.
fn words_in(line: &str, range: Range<usize>) -> Range<usize> {
    let comment = &line[range.clone()];
    // `-- never use SELECT *`: only a comment that opens with a star closes with one.
    let starred =
        comment.trim_start_matches(['/', ' ', '\t']).starts_with('*') || comment.trim_end().ends_with("*/");
    let is_mark = |c: char| c == '/' || c == '*' && starred || c.is_ascii_whitespace();
    let text = comment.trim_end_matches(is_mark);
    let words = text.trim_start_matches(['/', '*', '!', '#', ' ', '\t']);
    let end = range.start + text.len();
    end - words.len()..end
}
