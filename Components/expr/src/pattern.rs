//! Patterns in linear time: regexes and globs.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};

use regex::{Regex, RegexBuilder};
use regex_automata::meta;
use regex_syntax::hir::{Class, Hir, HirKind};

use crate::{Fault, FaultKind};

/// How large a compiled pattern may be, in bytes.
const MAX_COMPILED: usize = 2 << 20;

/// In how long a text a pattern is looked for by its sparing form.
const SHORT: usize = 128;
/// How often its sparing form is used: from then on it pays to compile it whole.
const FEW: u8 = 16;

/// A pattern that is compiled when it is first used.
///
/// Most processes decide one event and look for a pattern once, in a short text. Compiling it whole, with all that makes
/// long searches fast, would be most of their work: so it is made sparingly first, and whole when it is used often or on more.
#[derive(Debug)]
pub(crate) struct Pattern {
    source: Box<str>,
    /// None where it is compiled whole at once.
    sparing: OnceLock<Option<meta::Regex>>,
    used: AtomicU8,
    whole: OnceLock<Result<Regex, String>>,
}

impl Pattern {
    /// A regex, searched for.
    pub(crate) fn regex(source: &str) -> Self {
        Self {
            source: source.into(),
            sparing: OnceLock::new(),
            used: AtomicU8::new(0),
            whole: OnceLock::new(),
        }
    }

    /// A glob, matched from end to end.
    pub(crate) fn glob(source: &str) -> Self {
        Self::regex(&glob_regex(source))
    }

    /// Whether it is found.
    pub(crate) fn is_found(&self, text: &str) -> Result<bool, Fault> {
        if is_plain(&self.source) {
            return Ok(memchr::memmem::find(text.as_bytes(), self.source.as_bytes()).is_some());
        }
        if let Some(sparing) = self.sparing(text) {
            return Ok(sparing.is_match(text));
        }
        match self.whole.get_or_init(|| compile(&self.source)) {
            Ok(regex) => Ok(regex.is_match(text)),
            Err(reason) => Err(Fault::new(FaultKind::Pattern, reason.clone())),
        }
    }

    /// Its sparing form, while that is the one to use.
    fn sparing(&self, text: &str) -> Option<&meta::Regex> {
        // OK because threads that count past each other only use it a few times more.
        let used = self.used.load(Ordering::Relaxed);
        if text.len() > SHORT || used >= FEW {
            return None;
        }
        self.used.store(used + 1, Ordering::Relaxed);
        self.sparing.get_or_init(|| compile_sparingly(&self.source)).as_ref()
    }
}

/// Whether a regex is the letters that it is written in.
fn is_plain(pattern: &str) -> bool {
    pattern.bytes().all(|byte| byte.is_ascii_alphanumeric() || b" _-/:".contains(&byte))
}

/// The same language, without tables and prefilters.
fn compile_sparingly(pattern: &str) -> Option<meta::Regex> {
    let config = meta::Config::new()
        .nfa_size_limit(Some(MAX_COMPILED))
        .auto_prefilter(false)
        .onepass(false)
        .dfa(false)
        .hybrid(false);
    meta::Regex::builder().configure(config).build(pattern).ok()
}

/// Why a regex is refused, with the reason: it does not parse, cannot be linear, or is too large. None: it is fine.
///
/// ```
/// use mentci_expr::regex_problem;
/// assert_eq!(regex_problem(r"rm\s+-rf"), None);
/// assert_eq!(
///     regex_problem("a(?=b)").unwrap(),
///     "the regex `a(?=b)` looks ahead (`(?=`), which cannot be matched in linear time"
/// );
/// ```
pub fn regex_problem(pattern: &str) -> Option<String> {
    // Most words hold no sign of regexes at all.
    if is_plain(pattern) || surely_compiles(pattern) {
        return None;
    }
    compile(pattern).err()
}

/// What to do about a regex that is [refused](regex_problem).
///
/// ```
/// use mentci_expr::regex_help;
/// assert_eq!(regex_help("a("), r"put a `\` before a sign that stands for itself, as in `\(`");
/// assert_eq!(regex_help("a(?!b)"), "ask for what must not stand there in a condition of its own");
/// ```
pub fn regex_help(pattern: &str) -> &'static str {
    if regex_syntax::parse(pattern).is_ok() {
        return "repeat less, or take the pattern apart into several";
    }
    match not_linear(pattern) {
        Some(what) if what.contains("(?!") || what.contains("(?<!") => {
            "ask for what must not stand there in a condition of its own"
        }
        Some(what) if what.starts_with("looks") => {
            "write what stands around it into the pattern, or into a condition of its own"
        }
        Some(_) => "write out what may stand there again",
        None => r"put a `\` before a sign that stands for itself, as in `\(`",
    }
}

/// What to do about a glob that is [refused](glob_problem).
pub const GLOB_HELP: &str = "`*` is any text, `?` any one character, `[a-z]` one of these: `*.env`";

/// Whether a pattern reads, and stays within the bound however it is compiled: reading costs a small part of compiling.
fn surely_compiles(pattern: &str) -> bool {
    regex_syntax::parse(pattern).is_ok_and(|hir| most_bytes(&hir) <= MAX_COMPILED)
}

/// More bytes than a pattern takes once compiled. Its depth is bounded by the parser, so recursion is too.
fn most_bytes(hir: &Hir) -> usize {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => 64,
        HirKind::Literal(literal) => 64 * literal.0.len(),
        HirKind::Class(Class::Bytes(class)) => 64 + 64 * class.ranges().len(),
        // A range of characters is at most a few sequences of four bytes each.
        HirKind::Class(Class::Unicode(class)) => 64 + 512 * class.ranges().len(),
        HirKind::Capture(capture) => 128 + most_bytes(&capture.sub),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => {
            parts.iter().map(|part| 64 + most_bytes(part)).fold(0, usize::saturating_add)
        }
        HirKind::Repetition(repetition) => {
            let times = repetition.max.unwrap_or(repetition.min).max(1);
            (128 + most_bytes(&repetition.sub)).saturating_mul(times as usize)
        }
    }
}

/// Why a glob is refused. None: it is fine.
pub fn glob_problem(pattern: &str) -> Option<String> {
    if pattern.bytes().all(|byte| byte.is_ascii_alphanumeric() || b" _-/:.*?".contains(&byte)) {
        return None;
    }
    compile(&glob_regex(pattern)).err().map(|_| format!("the glob `{pattern}` does not read"))
}

fn compile(pattern: &str) -> Result<Regex, String> {
    let regex = RegexBuilder::new(pattern).size_limit(MAX_COMPILED).dfa_size_limit(MAX_COMPILED).build();
    regex.map_err(|error| reason(pattern, &error))
}

/// The reason in a line of ours.
fn reason(pattern: &str, error: &regex::Error) -> String {
    if let regex::Error::CompiledTooBig(_) = error {
        return format!("the regex `{pattern}` is too large once compiled: repeat fewer things fewer times");
    }
    let text = error.to_string();
    let last = text.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned();
    match not_linear(pattern) {
        Some(what) if last.contains("not supported") => {
            format!("the regex `{pattern}` {what}, which cannot be matched in linear time")
        }
        _ => format!("the regex `{pattern}` does not read: {last}"),
    }
}

/// What a pattern asks for that needs backtracking.
fn not_linear(pattern: &str) -> Option<String> {
    let signs =
        [("(?<=", "looks behind"), ("(?<!", "looks behind"), ("(?=", "looks ahead"), ("(?!", "looks ahead")];
    if let Some((sign, what)) = signs.iter().find(|(sign, _)| pattern.contains(sign)) {
        return Some(format!("{what} (`{sign}`)"));
    }
    let digit = pattern.match_indices('\\').find_map(|(at, _)| {
        pattern[at + 1..].chars().next().filter(|c| ('1'..='9').contains(c) || *c == 'k')
    });
    digit.map(|digit| format!("refers back to a group (`\\{digit}`)"))
}

/// The regex of a glob: `*` any run, `?` one character, `[a-z]` and `[!a-z]` a class, all else itself.
fn glob_regex(glob: &str) -> String {
    let mut regex = String::from("(?s)\\A");
    let mut rest = glob;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '*' if regex.ends_with(".*") => {}
            '*' => regex.push_str(".*"),
            '?' => regex.push('.'),
            '[' => rest = class(rest, &mut regex),
            c => regex.push_str(&regex::escape(c.encode_utf8(&mut [0; 4]))),
        }
    }
    regex.push_str("\\z");
    regex
}

/// Writes the class that stands before the rest that is given back; a `[` that is never closed is itself.
fn class<'g>(rest: &'g str, regex: &mut String) -> &'g str {
    let (negated, body) = match rest.strip_prefix(['!', '^']) {
        Some(body) => (true, body),
        None => (false, rest),
    };
    // A `]` right after the opening is part of the class.
    let first = body.chars().next().map_or(0, char::len_utf8);
    let Some(len) = body.get(first..).and_then(|tail| tail.find(']')).map(|len| len + first) else {
        regex.push_str("\\[");
        return rest;
    };
    regex.push_str(if negated { "[^" } else { "[" });
    for c in body[..len].chars() {
        if matches!(c, '\\' | '[' | ']' | '^' | '&' | '~') {
            regex.push('\\');
        }
        regex.push(c);
    }
    regex.push(']');
    &body[len + 1..]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn both_forms_find_the_same(
            pattern in r"(\(\?i\))?\^?[ab.]{0,2}(\([abc]\|[\\]w\+\))?[[:space:]]?([\\]d|[\\]b|é|[x-z]\*)?\$?",
            texts in proptest::collection::vec("[abcABC1 éÉxyz]{0,9}", 20),
        ) {
            let whole = Regex::new(&pattern);
            let lazy = Pattern::regex(&pattern);
            for text in texts {
                let found = lazy.is_found(&text).ok();
                prop_assert_eq!(found, whole.as_ref().ok().map(|whole| whole.is_match(&text)), "{} in {}", pattern, text);
            }
            prop_assert!(lazy.used.load(Ordering::Relaxed) <= FEW);
        }
    }
}
