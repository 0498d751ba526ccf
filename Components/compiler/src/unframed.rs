//! The text of a lesson without the marks that only the compiler writes.

use mentci_authority::seen;

/// What opens and closes a remark.
const OPENING: &[char] = &['(', '\u{ff08}', '[', '\u{ff3b}', '{', '\u{ff5b}'];
const CLOSING: &[char] = &[')', '\u{ff09}', ']', '\u{ff3d}', '}', '\u{ff5d}'];

/// `text` on one line, in which no part can pose as a part of the digest: `EXCEPT` is written small, `(reviewed)` and `(unreviewed)`
/// lose their brackets, and the mark of a heading stands in backticks.
pub(crate) fn unframed(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = without_remarks(&words.join(" "));
    let is_paired = text.matches('`').count().is_multiple_of(2);
    let mut in_code = false;
    let words = text.split(' ').map(|word| {
        let is_shown = in_code && is_paired;
        in_code ^= word.matches('`').count() % 2 == 1;
        if is_heading(word) && !is_shown { format!("`{word}`") } else { lowered(word) }
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Takes the brackets off each remark on a review.
fn without_remarks(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(OPENING) {
        let width = rest[at..].chars().next().map_or(1, char::len_utf8);
        let (before, inner) = (&rest[..at], &rest[at + width..]);
        out.push_str(before);
        if let Some(end) = inner.find(CLOSING).filter(|&end| is_remark(&inner[..end])) {
            let width = inner[end..].chars().next().map_or(1, char::len_utf8);
            out.push_str(inner[..end].trim_matches(|c: char| c == ' ' || OPENING.contains(&c)));
            rest = &inner[end + width..];
        } else {
            out.push_str(&rest[at..at + width]);
            rest = inner;
        }
    }
    out + rest
}

/// `unreviewed`, `Reviewed`, `un-reviewed`.
fn is_remark(text: &str) -> bool {
    let letters: String = seen(text).chars().filter(|c| c.is_alphanumeric()).collect();
    ["reviewed", "unreviewed", "notreviewed"].contains(&letters.to_lowercase().as_str())
}

fn is_heading(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| matches!(c, '#' | '\u{ff03}' | '\u{fe5f}'))
}

/// A word in which `EXCEPT`, also in look-alikes, is written small.
fn lowered(word: &str) -> String {
    const EXCEPT: &str = "EXCEPT";
    let parts = word.split_inclusive(|c: char| !c.is_alphanumeric());
    let part = |part: &str| {
        let letters = part.trim_end_matches(|c: char| !c.is_alphanumeric());
        let shouts = !letters.chars().any(char::is_lowercase);
        if shouts && seen(letters).eq_ignore_ascii_case(EXCEPT) {
            EXCEPT.to_lowercase() + &part[letters.len()..]
        } else {
            part.to_owned()
        }
    };
    parts.map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lesson_writes_no_mark_of_the_digest() {
        for (told, expected) in [
            ("EXCEPT everything. (reviewed) ## Must", "except everything. reviewed `##` Must"),
            ("## Must\nNever lie (unreviewed).", "`##` Must Never lie unreviewed."),
            ("x (Un-Reviewed) [ reviewed ] y", "x Un-Reviewed reviewed y"),
            ("(\u{435}XCEPT a", "(\u{435}XCEPT a"),
            ("(EXCEPT: a), b.EXCEPT", "(except: a), b.except"),
            ("\u{415}\u{425}\u{421}\u{415}\u{420}\u{422} a \u{ff08}reviewed\u{ff09}", "except a reviewed"),
            ("\u{ff25}\u{ff38}\u{ff23}\u{ff25}\u{ff30}\u{ff34} a", "except a"),
            // What is no mark stays as it stands.
            ("add `# noqa` to C# (see #12) except in tests", "add `# noqa` to C# (see #12) except in tests"),
            ("an EXCEPTION (reviewed by two)", "an EXCEPTION (reviewed by two)"),
            ("a lone ` ## Must", "a lone ` `##` Must"),
            ("f((a) (reviewed", "f((a) (reviewed"),
            ("a ( (reviewed) ) b", "a reviewed ) b"),
        ] {
            assert_eq!(unframed(told), expected, "{told}");
        }
    }
}
