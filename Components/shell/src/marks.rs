//! Signs inside a word under construction: characters that mean something because they are not quoted.
//!
//! They are Unicode noncharacters, which no text should hold; [`clean`] takes them out of what is read.

use std::borrow::Cow;

use crate::{Word, known, known::Filled};

/// The output of a substitution that cannot be foretold.
pub(crate) const OUTPUT: char = '\u{FDD0}';
/// The `$` of a variable that is not known.
pub(crate) const DOLLAR: char = '\u{FDD1}';
/// A place where the shell splits the word.
pub(crate) const SPLIT: char = '\u{FDD2}';
/// An unquoted `{`.
pub(crate) const OPEN: char = '\u{FDD3}';
/// An unquoted `,`.
pub(crate) const COMMA: char = '\u{FDD4}';
/// An unquoted `}`.
pub(crate) const CLOSE: char = '\u{FDD5}';
/// An unquoted `*`.
pub(crate) const STAR: char = '\u{FDD6}';
/// An unquoted `?`.
pub(crate) const QUESTION: char = '\u{FDD7}';
/// An unquoted `[`.
pub(crate) const BRACKET: char = '\u{FDD8}';
/// An unquoted `~` at the start.
pub(crate) const TILDE: char = '\u{FDD9}';
/// Nothing, quoted: the word is there although it is empty.
pub(crate) const NOTHING: char = '\u{FDDA}';
/// Nothing, but what stands here is a guess: the default of a variable.
pub(crate) const UNSURE: char = '\u{FDDB}';
/// Nothing, but the variable whose value stands here may hold something else by now.
pub(crate) const CHANGED: char = '\u{FDDC}';

/// One of several values: where they start, what stands between them, and where they end.
pub(crate) const ONE: char = '\u{FDDD}';
pub(crate) const OR: char = '\u{FDDE}';
pub(crate) const END: char = '\u{FDDF}';

/// How a substitution that cannot be foretold reads.
pub(crate) const OUTPUT_TEXT: &str = "$(...)";

/// The most words that one word is expanded to; fewer for long ones.
const MOST_WORDS: usize = 64;
/// The most bytes that one word is expanded to, about.
const MOST_BYTES: usize = 65_536;

/// What an unquoted sign is written as.
pub(crate) fn plain(c: char) -> char {
    match c {
        OPEN => '{',
        COMMA => ',',
        CLOSE => '}',
        STAR => '*',
        QUESTION => '?',
        BRACKET => '[',
        TILDE => '~',
        c => c,
    }
}

/// The text without our signs: each becomes U+FFFD, which is as long, so offsets stay.
pub(crate) fn clean(text: &str) -> std::borrow::Cow<'_, str> {
    let sign = |c: char| ('\u{FDD0}'..='\u{FDEF}').contains(&c);
    if text.contains(sign) { text.replace(sign, "\u{FFFD}").into() } else { text.into() }
}

/// The words that a marked text gives: braces expanded, split where the shell splits.
pub(crate) fn words(marked: &str, output_of: &[String]) -> Vec<Word> {
    let mut words = Vec::new();
    let marked = if marked.contains(OR) { each_alone(marked).into() } else { Cow::Borrowed(marked) };
    for part in marked.split(SPLIT).filter(|part| !part.is_empty()) {
        if part.contains(OPEN) && part.contains(COMMA) {
            for part in braces(part) {
                found(&part, output_of, &mut words);
            }
        } else {
            found(part, output_of, &mut words);
        }
    }
    words
}

/// Several values as the choices of braces, so that each stands in a word of its own. Where there are spaces around them,
/// the word is a text rather than a path, and holds them all.
fn each_alone(marked: &str) -> String {
    let is_text = marked.contains([' ', '\t', '\n']);
    let sign = |c: char| match c {
        ONE if !is_text => Some(OPEN),
        END if !is_text => Some(CLOSE),
        OR if is_text => Some(' '),
        OR => Some(COMMA),
        ONE | END => None,
        c => Some(c),
    };
    marked.chars().filter_map(sign).collect()
}

/// A word, and the known files that it may find.
fn found(marked: &str, output_of: &[String], words: &mut Vec<Word>) {
    match known::filled(marked) {
        Filled::Instead(program) => words.push(word(&program, output_of)),
        Filled::Beside(paths) if words.len() < MOST_WORDS => {
            words.push(word(marked, output_of));
            words.extend(paths.iter().map(|path| Word { is_static: false, ..word(path, output_of) }));
        }
        _ => words.push(word(marked, output_of)),
    }
}

/// The single word that a marked text gives where the shell does not split: values and here-documents.
pub(crate) fn word(marked: &str, output_of: &[String]) -> Word {
    let mut word = Word { is_static: true, ..Word::default() };
    word.text.reserve(marked.len());
    for c in marked.chars() {
        match c {
            OUTPUT => word.text.push_str(OUTPUT_TEXT),
            DOLLAR => word.text.push('$'),
            SPLIT | OR => word.text.push(' '),
            OPEN => word.text.push('{'),
            COMMA => word.text.push(','),
            CLOSE => word.text.push('}'),
            STAR => word.text.push('*'),
            QUESTION => word.text.push('?'),
            BRACKET => word.text.push('['),
            TILDE => word.text.push('~'),
            NOTHING | UNSURE | CHANGED | ONE | END => {}
            c => word.text.push(c),
        }
        word.is_glob |= matches!(c, STAR | QUESTION | BRACKET);
        word.is_home |= c == TILDE;
        word.is_changed |= c == CHANGED;
        word.is_static &=
            !matches!(c, OUTPUT | DOLLAR | STAR | QUESTION | BRACKET | TILDE | UNSURE | CHANGED);
        if matches!(c, OUTPUT | DOLLAR) {
            word.output_of = output_of.to_vec();
        }
    }
    if matches!(word.text.as_str(), "[" | "[[") {
        (word.is_static, word.is_glob) = (true, false);
    }
    word
}

/// Expands the first brace group that holds a comma, then the groups of what that gives, until there are none or there
/// are [`MOST_WORDS`].
fn braces(marked: &str) -> Vec<String> {
    let most = (MOST_BYTES / marked.len().max(1)).clamp(1, MOST_WORDS);
    let mut done = Vec::new();
    let mut open = vec![marked.to_owned()];
    while let Some(text) = open.pop() {
        match group(&text) {
            Some((start, commas, end)) if done.len() + open.len() < most - 1 => {
                let mut from = start;
                let mut choices = Vec::new();
                for &to in commas.iter().chain([&end]) {
                    let choice = &text[from + OPEN.len_utf8()..to];
                    choices.push(format!("{}{choice}{}", &text[..start], &text[end + CLOSE.len_utf8()..]));
                    from = to;
                    if choices.len() >= most {
                        break;
                    }
                }
                open.extend(choices.into_iter().rev());
            }
            _ => done.push(text),
        }
    }
    done
}

/// The first group with a comma: where it opens, its own commas, where it closes.
fn group(text: &str) -> Option<(usize, Vec<usize>, usize)> {
    let mut stack: Vec<(usize, Vec<usize>)> = Vec::new();
    for (at, c) in text.char_indices() {
        match c {
            OPEN => stack.push((at, Vec::new())),
            COMMA => {
                if let Some((_, commas)) = stack.last_mut() {
                    commas.push(at);
                }
            }
            CLOSE => {
                if let Some((start, commas)) = stack.pop().filter(|(_, commas)| !commas.is_empty()) {
                    return Some((start, commas, at));
                }
            }
            _ => {}
        }
    }
    None
}
