//! A line as pieces: words, literals, numbers and marks.

use super::words::decides;
use crate::law::single_quotation;

/// What a piece is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Kind {
    /// A plain word, in lower case.
    Word,
    /// What is verbatim: code, quotations, paths, names with marks or capitals inside.
    Literal,
    /// A number, a unit or a bound: `20`, `ms`, `≥`.
    Number,
    /// A mark between parts.
    Mark,
}

/// One piece of a line.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Piece {
    pub(super) kind: Kind,
    pub(super) text: String,
}

impl Piece {
    pub(super) fn word(text: &str) -> Self {
        Self { kind: Kind::Word, text: text.to_owned() }
    }

    pub(super) fn number(text: &str) -> Self {
        Self { kind: Kind::Number, text: text.to_owned() }
    }

    pub(super) fn mark(text: &str) -> Self {
        Self { kind: Kind::Mark, text: text.to_owned() }
    }

    pub(super) fn literal(text: &str) -> Self {
        Self { kind: Kind::Literal, text: text.to_owned() }
    }

    pub(super) fn is(&self, word: &str) -> bool {
        self.kind == Kind::Word && self.text == word
    }

    pub(super) fn any(&self, words: &[&str]) -> bool {
        self.kind == Kind::Word && words.contains(&self.text.as_str())
    }

    /// Whether it is one of these words, also in capitals, which are kept where they may name something.
    pub(super) fn shouts(&self, words: &[&str]) -> bool {
        self.kind != Kind::Mark && words.contains(&self.text.to_lowercase().as_str())
    }

    pub(super) fn is_mark(&self, mark: &str) -> bool {
        self.kind == Kind::Mark && self.text == mark
    }
}

/// Splits a line. A run of characters that is one of `literals` is verbatim whatever it looks like.
pub(super) fn split(line: &str, literals: &[String]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let len = match c {
            c if c.is_whitespace() => c.len_utf8(),
            '`' => enclosed(rest, '`', &mut pieces),
            '"' => enclosed(rest, '"', &mut pieces),
            '“' => enclosed(rest, '”', &mut pieces),
            '\'' | '‘' => single_quoted(rest, literals, &mut pieces),
            c if is_mark(c) => {
                pieces.push(Piece::mark(mark_name(c)));
                c.len_utf8()
            }
            _ => run(rest, literals, &mut pieces),
        };
        rest = &rest[len..];
    }
    pieces
}

fn is_mark(c: char) -> bool {
    matches!(c, '(' | ')' | '[' | ']' | '{' | '}' | ',' | ';' | '—' | '–' | '→' | '…' | '”')
}

/// What ends a thought is one mark, however it is written.
fn mark_name(c: char) -> &'static str {
    match c {
        '(' => "(",
        ')' => ")",
        '[' => "[",
        ']' => "]",
        '{' => "{",
        '}' => "}",
        ',' => ",",
        '→' => "→",
        '…' => "…",
        '”' => "”",
        ':' => ":",
        '?' => "?",
        '–' => "–",
        _ => ";",
    }
}

/// Text between ticks or quotation marks, one literal with its marks; a mark that never closes stands for itself.
fn enclosed(rest: &str, close: char, pieces: &mut Vec<Piece>) -> usize {
    let open = rest.chars().next().map_or(1, char::len_utf8);
    match rest[open..].find(close) {
        Some(inner) if inner > 0 => {
            let end = open + inner + close.len_utf8();
            pieces.push(Piece::literal(&rest[..end]));
            end
        }
        _ => {
            pieces.push(Piece::literal(&rest[..open]));
            open
        }
    }
}

/// `'open the door'`: one literal, and an apostrophe where nothing closes it.
fn single_quoted(rest: &str, literals: &[String], pieces: &mut Vec<Piece>) -> usize {
    match single_quotation(rest) {
        Some(end) => {
            pieces.push(Piece::literal(&rest[..end]));
            end
        }
        None => run(rest, literals, pieces),
    }
}

/// A run without white space and marks, with what hangs on its end.
fn run(rest: &str, literals: &[String], pieces: &mut Vec<Piece>) -> usize {
    let whole = &rest[..run_end(rest)];
    if let (Some(mark), 1) =
        (whole.chars().next().filter(|c| matches!(c, '.' | ':' | '!' | '?')), whole.len())
    {
        pieces.push(Piece::mark(mark_name(mark)));
        return 1;
    }
    if is_listed(whole, literals) {
        pieces.push(Piece::literal(whole));
        return whole.len();
    }
    let body = whole.trim_end_matches(['.', ':', '!', '?']);
    let hanging = &whole[body.len()..];
    if body.is_empty() || hanging.len() > 1 {
        pieces.push(Piece::literal(whole));
        return whole.len();
    }
    push_run(body, literals, pieces);
    let is_abbreviation = pieces.last().is_some_and(|piece| piece.any(&["e.g", "i.e", "etc", "vs"]));
    if let Some(mark) = hanging.chars().next().filter(|c| !(is_abbreviation && *c == '.')) {
        pieces.push(Piece::mark(mark_name(mark)));
    }
    whole.len()
}

fn run_end(rest: &str) -> usize {
    let ends = |(at, c): (usize, char)| {
        let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        let joins = c == ',' && digit(rest[..at].chars().last()) && digit(rest[at + 1..].chars().next());
        (c.is_whitespace() || (is_mark(c) && !joins) || matches!(c, '`' | '"' | '“')).then_some(at)
    };
    rest.char_indices().skip(1).find_map(ends).unwrap_or(rest.len())
}

fn push_run(body: &str, literals: &[String], pieces: &mut Vec<Piece>) {
    if is_listed(body, literals) {
        return pieces.push(Piece::literal(body));
    }
    if let Some(sign) = lone_sign(body) {
        return pieces.push(sign);
    }
    if measured(body, pieces) {
        return;
    }
    let lower = body.to_lowercase().replace('’', "'");
    let is_plain = if says_nothing(body, pieces) { is_plain(body, &lower) } else { is_small(body, &lower) };
    if is_plain { pieces.push(Piece::word(&lower)) } else { pieces.push(Piece::literal(body)) }
}

/// Whether the law says that this is verbatim. A number is a number all the same: it may be written with its unit.
fn is_listed(body: &str, literals: &[String]) -> bool {
    !starts_with_number(body) && literals.iter().any(|literal| literal == body)
}

fn starts_with_number(body: &str) -> bool {
    body.trim_start_matches(['≥', '≤', '>', '<', '=', '~']).starts_with(|c: char| c.is_ascii_digit())
}

fn lone_sign(body: &str) -> Option<Piece> {
    Some(match body {
        "&" => Piece::word("and"),
        "-" | "--" => Piece::mark("–"),
        "->" | "-->" => Piece::mark("→"),
        "≥" | ">=" => Piece::number("≥"),
        "≤" | "<=" => Piece::number("≤"),
        ">" => Piece::number(">"),
        "<" => Piece::number("<"),
        "~" => Piece::number("~"),
        _ => return None,
    })
}

/// `≥20ms`: the bound, the number and the unit.
fn measured(body: &str, pieces: &mut Vec<Piece>) -> bool {
    let digits = body.find(|c: char| c.is_ascii_digit()).unwrap_or(body.len());
    let (sign, rest) = body.split_at(digits);
    let end =
        rest.find(|c: char| !(c.is_ascii_digit() || matches!(c, ',' | '_' | '.'))).unwrap_or(rest.len());
    let (number, unit) = rest.split_at(end);
    let sign = match sign {
        "" => None,
        sign => match lone_sign(sign).filter(|piece| piece.kind == Kind::Number) {
            Some(sign) => Some(sign),
            None => return false,
        },
    };
    if sign.is_none() && is_ordinal(number, unit) {
        pieces.push(Piece::number(body));
        return true;
    }
    let unit_is_known = unit.is_empty() || super::measure::unit(unit).is_some();
    if number.is_empty() || !is_number(number) || !unit_is_known {
        return false;
    }
    pieces.extend(sign);
    pieces.push(Piece::number(&number.replace([',', '_'], "")));
    pieces.extend(super::measure::unit(unit).map(Piece::number));
    true
}

/// `3rd`, `4th`.
fn is_ordinal(number: &str, end: &str) -> bool {
    let digits = number.bytes().all(|byte| byte.is_ascii_digit());
    digits && !number.is_empty() && matches!(end, "st" | "nd" | "rd" | "th")
}

/// `1,000`, `1_000`, `0.5`: in `3,5` the comma parts two numbers.
fn is_number(text: &str) -> bool {
    let (whole, rest) = text.split_once('.').unwrap_or((text, "0"));
    let mut groups = whole.split([',', '_']);
    let first = groups.next().unwrap_or_default();
    let grouped = groups.clone().next().is_none() || first.len() <= 3;
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits(first) && grouped && groups.all(|group| group.len() == 3 && digits(group)) && digits(rest)
}

/// Whether a capital says nothing here: at the start of a sentence, and in a whole word behind what it can only stress (`you MUST`,
/// `do NOT`). Elsewhere it may be a name: `the word NEVER`, `Polish`, `C and Go`.
fn says_nothing(body: &str, before: &[Piece]) -> bool {
    let stressed = ["you", "must", "do", "does", "should", "shall", "may", "never"];
    let is_stressed = |last: &Piece| last.any(&stressed) && is_shouted(body);
    before.last().is_none_or(|last| last.is_mark(":") || last.is_mark(";") || is_stressed(last))
}

/// Without a capital that could be a name; short forms are written in capitals as well.
fn is_small(body: &str, lower: &str) -> bool {
    let is_short_form = is_shouted(body.strip_suffix('s').unwrap_or(body)) && SHORT_FORMS.contains(&lower);
    is_plain(body, lower) && (is_short_form || !body.starts_with(char::is_uppercase))
}

/// Letters, with hyphens and apostrophes between them, and no capital inside: all else is verbatim.
fn is_plain(body: &str, lower: &str) -> bool {
    if matches!(lower, "and/or" | "e.g" | "i.e") {
        return true;
    }
    // `Mb` is another unit than `MB`.
    if matches!(body, "Kb" | "Mb" | "Gb") {
        return false;
    }
    // `PATH` is a name, `NEVER` is emphasis.
    let emphasised =
        decides(lower).is_some() || [SHORT_FORMS, VERBS].iter().any(|words| words.contains(&lower));
    if is_shouted(body) && !emphasised {
        return false;
    }
    let letters = body.chars().all(|c| c.is_alphabetic() || matches!(c, '-' | '\'' | '’'));
    let opens = body.starts_with(|c: char| c.is_alphabetic());
    letters && opens && !has_inner_capital(body)
}

/// Short forms that the table of phrases knows; they are written in capitals.
const SHORT_FORMS: &[&str] = &["pr", "prs", "ci", "ui", "os", "db", "dbs", "id", "ids"];

/// What opens a sentence in capitals as often as what decides: `DO NOT`, `YOU MUST`, `PLEASE`.
const VERBS: &[&str] = &["do", "use", "you", "run", "please", "ensure", "make"];

/// Two capitals at least, and nothing small.
fn is_shouted(body: &str) -> bool {
    body.chars().filter(|c| c.is_uppercase()).count() > 1 && !body.chars().any(char::is_lowercase)
}

/// `BTreeMap` and `iOS`, but neither `NEVER` nor `Never`.
fn has_inner_capital(body: &str) -> bool {
    // `PRs` is the plural of `PR`.
    let shouted = !body.strip_suffix('s').unwrap_or(body).chars().any(char::is_lowercase);
    let parts = body.split('-');
    !shouted && parts.into_iter().any(|part| part.chars().skip(1).any(char::is_uppercase))
}
