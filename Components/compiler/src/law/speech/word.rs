//! A sentence as words: the smallest pieces that reading and condensing look at.

use std::borrow::Cow;
use std::ops::{Deref, Range};

use mentci_reader::markdown::RichText;

use super::known::Known;
use super::lexicon::{Lists, listed};

/// What a word is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WordKind {
    /// Letters, digits, hyphens, apostrophes, and what sticks to them.
    Plain,
    /// Backticked text, in one piece.
    Code,
    /// A quotation in one piece, its marks included.
    Quote,
    /// One mark of punctuation: `,` `;` `:` `.` `?` `!` `(` `)` `—` `→`.
    Mark,
}

/// One word of a text.
#[derive(Debug, Clone)]
pub(crate) struct Word {
    /// Where it stands in the plain text.
    pub range: Range<usize>,
    /// In lower case, with typographic apostrophes made plain; of code and quotations the text itself, code in a quotation with its ticks.
    pub lower: Lower,
    /// The word lists that hold it; none for code, quotations and marks.
    pub lists: Lists,
    /// One bit of 64, by the letters of a plain word.
    pub bit: u64,
    /// What it is.
    pub kind: WordKind,
    /// How many parentheses are open around it.
    pub depth: u16,
    /// Whether white space stands before it.
    pub spaced: bool,
    /// Whether its first letter is a capital.
    pub capital: bool,
    /// Whether it stands out: in capitals, two at least, or emphasised alone: `NEVER`, `**not**`.
    pub shouted: bool,
    /// What was found out about the words that begin here.
    pub known: Known,
}

impl Word {
    /// Whether it is this plain word.
    pub(crate) fn is(&self, lower: &str) -> bool {
        self.kind == WordKind::Plain && self.lower == lower
    }

    /// Whether it is one of these plain words.
    pub(crate) fn any(&self, lowers: &[&str]) -> bool {
        let lower = self.lower.as_bytes();
        // Most words differ in their length or first letter from most of a list: only few are compared as a whole.
        let same = |other: &&str| {
            let other = other.as_bytes();
            other.len() == lower.len() && other.first() == lower.first() && other == lower
        };
        self.kind == WordKind::Plain && lowers.iter().any(same)
    }

    /// Whether it stands in one of these lists.
    pub(crate) fn among(&self, lists: Lists) -> bool {
        self.lists.meet(lists)
    }

    /// Whether it is this mark outside parentheses.
    pub(crate) fn mark(&self, mark: &str) -> bool {
        self.kind == WordKind::Mark && self.depth == 0 && self.lower == mark
    }
}

/// The letters of a word in lower case. Those of the word lists and of marks are not copied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Lower(Cow<'static, str>);

impl Lower {
    /// A plain word as it is written, and the lists that hold it.
    fn of_plain(written: &str) -> (Self, Lists) {
        let is_lower = written.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase());
        let lower: Cow<'_, str> = if is_lower {
            written.into()
        } else if written.is_ascii() {
            written.to_ascii_lowercase().into()
        } else {
            lowered(written).into()
        };
        let lower = of_other_language(&lower).map_or(lower, Cow::Borrowed);
        match listed(&lower) {
            Some((word, lists)) => (Self(word.into()), lists),
            None => (Self(lower.into_owned().into()), Lists::default()),
        }
    }

    fn of_mark(written: &str) -> Self {
        const MARKS: &[&str] = &[",", ".", ":", "\n", "(", ")", ";", "—", "→", "?", "!", "\"", "[", "]", "…"];
        let mark = match written {
            "–" | "--" | "-" => "—",
            "->" | "-->" | "=>" => "→",
            mark => mark,
        };
        let known = MARKS.iter().find(|known| **known == mark);
        Self(known.map_or_else(|| mark.to_owned().into(), |known| (*known).into()))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl Deref for Lower {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl PartialEq<str> for Lower {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for Lower {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

/// Words of force in Spanish, Portuguese, French, German and Italian, each as the English one that binds alike: a law in another language
/// is not read, but what it forbids outright is never taken for an order.
pub(crate) fn of_other_language(lower: &str) -> Option<&'static str> {
    const LONGEST: usize = 9;
    if !(3..=LONGEST).contains(&lower.len()) {
        return None;
    }
    Some(match lower {
        "nunca" | "jamás" | "jamais" | "niemals" => "never",
        "siempre" | "toujours" | "sempre" => "always",
        "debe" | "deben" | "doit" | "doivent" | "müssen" | "devem" => "must",
        "prohibido" | "proibido" | "interdit" | "verboten" | "vietato" => "forbidden",
        _ => return None,
    })
}

/// A text in lower case, with typographic apostrophes made plain.
pub(crate) fn lowered(text: &str) -> String {
    let lower = text.to_lowercase();
    if lower.contains('’') { lower.replace('’', "'") } else { lower }
}

/// `Berths` and `by day` of `Berths (by day)`: a name, and the bracket that ends it.
pub(crate) fn ending_bracket(name: &str) -> Option<(&str, &str)> {
    name.trim_end().strip_suffix(')')?.rsplit_once(" (")
}

/// One bit of 64, by the first and the last letter of a word and its length.
fn bit_of(lower: &str) -> u64 {
    let bytes = lower.as_bytes();
    let (first, last) = (bytes.first().copied().unwrap_or(0), bytes.last().copied().unwrap_or(0));
    1 << ((usize::from(first) + 5 * usize::from(last) + 11 * bytes.len()) % 64)
}

/// Whether one of these plain words may be among the words; where none may, none is.
pub(crate) fn may_hold(words: &[Word], lowers: &[&str]) -> bool {
    let held = words.iter().fold(0, |held, word| held | word.bit);
    lowers.iter().any(|lower| held & bit_of(lower) != 0)
}

/// The first word outside brackets that is one of these plain words: of a long list, only those are looked for whose bit a word has.
pub(crate) fn first_of(words: &[Word], lowers: &[&str]) -> Option<usize> {
    let held = words.iter().fold(0, |held, word| held | word.bit);
    let near = lowers.iter().map(|lower| (lower, bit_of(lower))).filter(|(_, bit)| held & bit != 0);
    let first = |(lower, bit): (&&str, u64)| {
        words.iter().position(|word| word.bit == bit && word.depth == 0 && word.is(lower))
    };
    near.filter_map(first).min()
}

/// Splits a text into words. Code and short quotations are one word each, whatever they hold.
pub(crate) fn split_words(text: &RichText) -> Vec<Word> {
    let mut splitter = Splitter {
        text: text.as_str(),
        code: text.styled(0..text.as_str().len(), |s| s.code),
        next_code: 0,
        strong: text.styled(0..text.as_str().len(), |s| s.strong || s.emphasis),
        words: Vec::with_capacity(text.as_str().len() / 5 + 1),
        at: 0,
        depth: 0,
        spaced: false,
    };
    while splitter.at < splitter.text.len() {
        splitter.step();
    }
    splitter.words
}

struct Splitter<'t> {
    text: &'t str,
    code: Vec<Range<usize>>,
    /// The first piece of code that does not end before `at`.
    next_code: usize,
    /// Emphasised pieces.
    strong: Vec<Range<usize>>,
    words: Vec<Word>,
    at: usize,
    depth: u16,
    spaced: bool,
}

impl Splitter<'_> {
    fn step(&mut self) {
        let rest = &self.text[self.at..];
        let Some(c) = rest.chars().next() else { return };
        if let Some(code) = self.code_here() {
            return self.push(code, WordKind::Code);
        }
        if c.is_whitespace() {
            if c == '\n' {
                return self.push(self.at + 1, WordKind::Mark);
            }
            self.spaced = true;
            self.at += c.len_utf8();
            return;
        }
        if let Some(end) = self.quotation(c) {
            let parts = self.text[..end].trim_end_matches(['"', '”', '\'', '’']).ends_with(',');
            self.push(end, WordKind::Quote);
            // `If it "looks rough," stay`: the comma inside the quotation parts what stands around it.
            if parts {
                self.push(end, WordKind::Mark);
                self.words.last_mut().into_iter().for_each(|comma| comma.lower = Lower(",".into()));
            }
            return;
        }
        let stop = self.coming_code().map_or(self.text.len(), |code| code.start);
        if let Some(len) = placeholder(rest).filter(|len| self.at + len <= stop) {
            return self.push(self.at + len, WordKind::Plain);
        }
        match c {
            '(' | '[' => {
                self.push(self.at + 1, WordKind::Mark);
                self.depth = self.depth.saturating_add(1);
            }
            ')' | ']' => {
                self.depth = self.depth.saturating_sub(1);
                self.push(self.at + 1, WordKind::Mark);
            }
            '.' if rest[1..].starts_with(|next: char| next.is_alphanumeric() || next == '/') => self.plain(),
            ',' | ';' | ':' | '.' | '?' | '!' | '—' | '–' | '→' | '…' | '"' | '“' | '”' => {
                self.mark(c);
            }
            '-' if self.lone_dash() => self.mark(c),
            '=' if self.spaced && rest.starts_with("=> ") => self.mark(c),
            _ => self.plain(),
        }
    }

    fn code_here(&mut self) -> Option<usize> {
        while self.coming_code().is_some_and(|code| code.end <= self.at) {
            self.next_code += 1;
        }
        self.coming_code().filter(|code| code.start == self.at).map(|code| code.end)
    }

    fn coming_code(&self) -> Option<&Range<usize>> {
        self.code.get(self.next_code)
    }

    /// `-` between spaces, or `->`.
    fn lone_dash(&self) -> bool {
        let rest = &self.text[self.at..];
        let arrow = rest.starts_with("->") || rest.starts_with("-->");
        let alone = self.spaced && rest[1..].starts_with([' ', '\n']);
        alone
            || (arrow && self.spaced)
            || (rest.starts_with("--") && self.spaced && rest[2..].starts_with(' '))
    }

    fn mark(&mut self, c: char) {
        let rest = &self.text[self.at..];
        let len = match c {
            '-' if rest.starts_with("-->") => 3,
            '-' if rest.starts_with("->") || rest.starts_with("--") => 2,
            '=' => 2,
            '.' if rest.starts_with("...") => 3,
            _ => c.len_utf8(),
        };
        self.push(self.at + len, WordKind::Mark);
    }

    /// The end of a quotation that opens here and closes within 300 bytes on balance.
    fn quotation(&self, open: char) -> Option<usize> {
        if !matches!(open, '\'' | '‘' | '"' | '“') {
            return None;
        }
        let rest = &self.text[self.at..];
        let opens =
            self.spaced || !self.text[..self.at].ends_with(|c: char| c.is_alphanumeric() || c == '\'');
        let single = single_quotation(rest).filter(|_| opens).map(|len| self.at + len);
        if let Some(end) =
            single.filter(|&end| self.coming_code().is_none_or(|code| code.start >= end || code.end <= end))
        {
            return Some(end);
        }
        let close = match open {
            '"' => '"',
            '“' => '”',
            _ => return None,
        };
        let body = self.at + open.len_utf8();
        let end = window(self.text, body).find(close)? + body;
        let inner = &self.text[body..end];
        let crosses_code = self.coming_code().is_some_and(|code| code.start < end && code.end > end);
        (!inner.is_empty() && !inner.starts_with(' ') && !crosses_code).then_some(end + close.len_utf8())
    }

    fn plain(&mut self) {
        let coming = self.coming_code().filter(|code| code.start > self.at);
        let stop = coming.map_or(self.text.len(), |code| code.start);
        let rest = &self.text[self.at..stop];
        let mut end = rest.len();
        // Past the first letter, and all that are plain.
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let from = rest.bytes().take_while(u8::is_ascii_alphanumeric).count().max(first);
        for (at, c) in rest[from..].char_indices() {
            let at = from + at;
            if c.is_ascii_alphanumeric() {
                continue;
            }
            let next = rest[at + c.len_utf8()..].chars().next();
            let breaks = match c {
                c if c.is_whitespace() => true,
                '(' | ')' | '[' | ']' | ',' | ';' | '→' | '—' | '"' | '“' | '”' | '…' => {
                    !(c == ',' && joins_digits(rest, at, next))
                }
                '.' | ':' | '!' | '?' => {
                    !next.is_some_and(|n| n.is_alphanumeric() || matches!(n, '/' | '\\' | '_' | '*'))
                }
                _ => false,
            };
            if breaks {
                end = at;
                break;
            }
        }
        self.push(self.at + end, WordKind::Plain);
    }

    fn push(&mut self, end: usize, kind: WordKind) {
        let range = self.at..end;
        let written = &self.text[range.clone()];
        let (lower, lists) = match kind {
            WordKind::Plain => Lower::of_plain(written),
            WordKind::Mark => (Lower::of_mark(written), Lists::default()),
            WordKind::Quote => (Lower(self.quoted(&range).into()), Lists::default()),
            WordKind::Code => (Lower(written.to_owned().into()), Lists::default()),
        };
        let capital = written.chars().next().is_some_and(char::is_uppercase);
        let letters = || written.chars().filter(|c| c.is_alphabetic()).count();
        let shouted = (!written.chars().any(char::is_lowercase) && letters() >= 2)
            || self
                .strong
                .binary_search_by(|piece| piece.start.cmp(&range.start))
                .is_ok_and(|at| self.strong[at] == range);
        let bit = if kind == WordKind::Plain { bit_of(&lower) } else { 0 };
        self.words.push(Word {
            range,
            lower,
            lists,
            bit,
            kind,
            depth: self.depth,
            spaced: self.spaced,
            capital,
            shouted,
            known: Known::default(),
        });
        self.spaced = false;
        self.at = end;
    }

    /// A quotation as it is to be said, code in it with its ticks.
    fn quoted(&self, range: &Range<usize>) -> String {
        let mut quoted = String::with_capacity(range.len());
        let mut at = range.start;
        // A piece may go on behind the mark that closes the quotation.
        let inner = |code: &&Range<usize>| code.start >= range.start && code.end <= range.end;
        for code in self.code[self.next_code..].iter().take_while(inner) {
            quoted.push_str(&self.text[at..code.start]);
            quoted.push('`');
            quoted.push_str(&self.text[code.clone()]);
            quoted.push('`');
            at = code.end;
        }
        quoted.push_str(&self.text[at..range.end]);
        quoted
    }
}

/// The bytes of a quotation in single marks with which a text begins, `'open the door'`, closed within 300 bytes; none where the mark
/// is an apostrophe, as in `'til the users' turn`.
pub(crate) fn single_quotation(text: &str) -> Option<usize> {
    let open = text.chars().next()?;
    let close = match open {
        '\'' => '\'',
        '‘' => '’',
        _ => return None,
    };
    let start = open.len_utf8();
    let inner = window(text, start);
    let opens = inner.starts_with(|c: char| !c.is_whitespace() && c != close);
    let closes = |at: usize| {
        let behind = inner[at + close.len_utf8()..].chars().next();
        !inner[..at].ends_with(char::is_whitespace)
            && !behind.is_some_and(|c| c.is_alphanumeric() || c == close)
    };
    let end = inner.match_indices(close).map(|(at, _)| at).find(|&at| closes(at)).filter(|_| opens)?;
    Some(start + end + close.len_utf8())
}

/// The bytes of a placeholder with which a text begins: `<what it should be>` is one name, and orders nothing.
fn placeholder(text: &str) -> Option<usize> {
    let inner = text.starts_with('<').then(|| window(text, 1))?;
    let inner = &inner[..inner.find('>')?];
    let named = inner.starts_with(|c: char| c.is_alphabetic()) && inner.contains(' ') && inner.len() <= 80;
    let plain = !inner.contains(['<', '\n', '`', '"', '=', '/', ':']);
    (named && plain).then_some(inner.len() + 2)
}

/// `1,000`.
fn joins_digits(rest: &str, at: usize, next: Option<char>) -> bool {
    rest[..at].ends_with(|c: char| c.is_ascii_digit()) && next.is_some_and(|n| n.is_ascii_digit())
}

/// At most 300 bytes from `start` on, so that a mark that never closes costs nothing.
fn window(text: &str, start: usize) -> &str {
    let mut end = (start + 300).min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[start..end]
}

/// The words of a text, in small letters.
pub(crate) fn words_of(text: &str) -> Vec<String> {
    let joins = |c: char| c.is_alphanumeric() || matches!(c, '\'' | '-');
    let lower = text.to_lowercase();
    lower.split(|c| !joins(c)).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}
