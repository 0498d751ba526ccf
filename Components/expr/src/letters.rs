//! What letters must stand in a text for a pattern to be found in it: asked before the pattern is compiled.

use regex_syntax::hir::{Class, Hir, HirKind};

use crate::regex_problem;

/// More texts than this tell little.
const MOST: usize = 512;

/// Texts, in small letters, of which one stands in every ASCII text that the regex is found in, capitals made small. None
/// where nothing is sure, or where the regex is refused.
///
/// ```
/// use mentci_expr::regex_letters;
/// assert_eq!(regex_letters(r"\brm\s+-rf"), Some(vec!["-rf".to_owned()]));
/// assert_eq!(regex_letters(r"(?i)Policy-Engine$|^mentci"), Some(vec!["policy-engine".to_owned(), "mentci".to_owned()]));
/// assert_eq!(regex_letters(r"a?\d*"), None);
/// ```
pub fn regex_letters(pattern: &str) -> Option<Vec<String>> {
    if regex_problem(pattern).is_some() {
        return None;
    }
    needed(&regex_syntax::parse(pattern).ok()?)
}

/// The depth is bounded by the parser, so recursion is too.
fn needed(hir: &Hir) -> Option<Vec<String>> {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => None,
        HirKind::Literal(_) | HirKind::Class(_) => Some(vec![spelled(hir)?]),
        HirKind::Capture(capture) => needed(&capture.sub),
        HirKind::Repetition(repetition) => needed(&repetition.sub).filter(|_| repetition.min > 0),
        HirKind::Concat(parts) => best(runs(parts).into_iter().chain(parts.iter().filter_map(needed))),
        HirKind::Alternation(parts) => {
            let all = parts.iter().map(needed).collect::<Option<Vec<_>>>()?.concat();
            (all.len() <= MOST).then_some(all)
        }
    }
}

/// Neighbours that are spelled out, put together.
fn runs(parts: &[Hir]) -> Vec<Vec<String>> {
    let mut runs = vec![String::new()];
    for part in parts {
        match (spelled(part), runs.last_mut()) {
            (Some(text), Some(run)) => run.push_str(&text),
            // What takes no room lies between neighbours.
            _ if matches!(part.kind(), HirKind::Look(_)) => {}
            _ => runs.push(String::new()),
        }
    }
    runs.into_iter().filter(|run| !run.is_empty()).map(|run| vec![run]).collect()
}

/// The texts that tell most: none of them short, and few.
fn best(choices: impl Iterator<Item = Vec<String>>) -> Option<Vec<String>> {
    let shortest = |texts: &Vec<String>| texts.iter().map(String::len).min().unwrap_or(0);
    // Of equals the first.
    choices.reduce(|one, other| {
        let rank = |texts: &Vec<String>| (shortest(texts), std::cmp::Reverse(texts.len()));
        if rank(&other) > rank(&one) { other } else { one }
    })
}

/// The small letters of what is spelled out in ASCII, in whatever case.
fn spelled(hir: &Hir) -> Option<String> {
    match hir.kind() {
        HirKind::Literal(literal) => {
            let text = std::str::from_utf8(&literal.0).ok().filter(|text| text.is_ascii())?;
            Some(text.to_ascii_lowercase())
        }
        HirKind::Class(Class::Unicode(class)) => {
            // No ASCII text holds the others.
            let mut ascii = class.iter().flat_map(|range| range.start()..=range.end().min('\x7f'));
            let first = ascii.next()?.to_ascii_lowercase();
            ascii.all(|letter| letter.to_ascii_lowercase() == first).then(|| first.to_string())
        }
        HirKind::Capture(capture) => spelled(&capture.sub),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn letters_are_those_of_every_match() {
        for (pattern, letters) in [
            (r"^/(bin|boot)(/|$)|^/usr/lib", Some(vec!["bin", "boot", "/usr/lib"])),
            ("(?i)mk", Some(vec!["mk"])),
            (r"ab\bcd", Some(vec!["abcd"])),
            ("x(ab)+y", Some(vec!["ab"])),
            ("x(ab)*y", Some(vec!["x"])),
            ("[ab]c", Some(vec!["c"])),
            ("é", None),
            ("", None),
            ("(", None),
        ] {
            let letters = letters.map(|all| all.into_iter().map(str::to_owned).collect::<Vec<_>>());
            assert_eq!(regex_letters(pattern), letters, "{pattern}");
        }
    }

    proptest! {
        #[test]
        fn what_is_found_holds_the_letters(
            pattern in r"(\(\?i\))?([a-dA-D]{1,3}|\.|\^|\$|\[ab\]|\[\^a\]|\(a\|bc?\)|\(ab\)\+|c\*|\\b|\\w|k|S){1,6}",
            text in "[a-dA-DkKsS ]{0,12}",
        ) {
            let Some(letters) = regex_letters(&pattern) else { return Ok(()) };
            let is_found = regex::Regex::new(&pattern).is_ok_and(|regex| regex.is_match(&text));
            let folded = text.to_ascii_lowercase();
            let stands = letters.iter().any(|letters| folded.contains(letters.as_str()));
            prop_assert!(!is_found || stands, "{pattern} in {text}: {letters:?}");
        }
    }
}
