//! What `${name op …}` makes of values that are known: cases, ends cut off, parts replaced, slices.

use crate::reader::LONGEST_VALUE;

/// The longest value, and the longest pattern, that a pattern with signs is tried on: trying is quadratic.
const LONGEST_TRIED: usize = 256;

/// The values that an operator gives; none when that cannot be foretold.
pub(crate) fn applied(values: &[String], op: &str, inner: &str) -> Option<Vec<String>> {
    values.iter().map(|value| one(value, op, inner)).collect()
}

fn one(value: &str, op: &str, inner: &str) -> Option<String> {
    match op {
        "^^" if inner.is_empty() => Some(value.to_uppercase()),
        ",," if inner.is_empty() => Some(value.to_lowercase()),
        "^" if inner.is_empty() => Some(first(value, |c| c.to_uppercase().collect())),
        "," if inner.is_empty() => Some(first(value, |c| c.to_lowercase().collect())),
        "@" => match inner {
            "U" => Some(value.to_uppercase()),
            "L" => Some(value.to_lowercase()),
            "u" => Some(first(value, |c| c.to_uppercase().collect())),
            "E" | "P" => Some(value.to_owned()),
            _ => None,
        },
        "#" | "##" => cut(value, inner, op.len() > 1, false),
        "%" | "%%" => cut(value, inner, op.len() > 1, true),
        "/" | "//" | "/#" | "/%" => replaced(value, op, inner),
        ":" => slice(value, inner),
        _ => None,
    }
}

fn first(value: &str, change: impl Fn(char) -> String) -> String {
    let mut chars = value.chars();
    chars.next().map_or_else(String::new, |c| change(c) + chars.as_str())
}

/// The value without the shortest or longest start or end that fits the pattern.
fn cut(value: &str, pattern: &str, longest: bool, from_end: bool) -> Option<String> {
    if !is_pattern(pattern) {
        let rest = if from_end { value.strip_suffix(pattern) } else { value.strip_prefix(pattern) };
        return Some(rest.unwrap_or(value).to_owned());
    }
    may_try(value, pattern)?;
    let ends: Vec<usize> = value.char_indices().map(|(at, _)| at).chain([value.len()]).collect();
    let found = |at: &&usize| fits(pattern, if from_end { &value[**at..] } else { &value[..**at] });
    let at = if longest == from_end { ends.iter().find(found) } else { ends.iter().rev().find(found) };
    let rest = |at: &usize| if from_end { value[..*at].to_owned() } else { value[*at..].to_owned() };
    Some(at.map_or_else(|| value.to_owned(), rest))
}

/// `${name/pattern/text}`, with `//` for each, `/#` at the start and `/%` at the end.
fn replaced(value: &str, op: &str, inner: &str) -> Option<String> {
    let (pattern, text) = inner.split_once('/').unwrap_or((inner, ""));
    if pattern.is_empty() || value.len() * (1 + text.len()) > LONGEST_VALUE {
        return (pattern.is_empty()).then(|| value.to_owned());
    }
    if is_pattern(pattern) {
        return replaced_by_signs(value, op, pattern, text);
    }
    Some(match op {
        "//" => value.replace(pattern, text),
        "/#" => value.strip_prefix(pattern).map_or(value.to_owned(), |rest| format!("{text}{rest}")),
        "/%" => value.strip_suffix(pattern).map_or(value.to_owned(), |rest| format!("{rest}{text}")),
        _ => value.replacen(pattern, text, 1),
    })
}

fn replaced_by_signs(value: &str, op: &str, pattern: &str, text: &str) -> Option<String> {
    if op == "/#" || op == "/%" {
        let rest = cut(value, pattern, true, op == "/%")?;
        let is_same = rest.len() == value.len();
        return Some(match op {
            _ if is_same => rest,
            "/#" => format!("{text}{rest}"),
            _ => format!("{rest}{text}"),
        });
    }
    may_try(value, pattern)?;
    let ends: Vec<usize> = value.char_indices().map(|(at, _)| at).chain([value.len()]).collect();
    let mut out = String::new();
    let mut at = 0;
    while at < value.len() {
        let longest = ends.iter().rev().find(|end| **end > at && fits(pattern, &value[at..**end]));
        let Some(&end) = longest else {
            let next = ends.iter().find(|end| **end > at).copied().unwrap_or(value.len());
            out.push_str(&value[at..next]);
            at = next;
            continue;
        };
        out.push_str(text);
        at = end;
        if op == "/" {
            break;
        }
    }
    out.push_str(&value[at..]);
    Some(out)
}

/// `${name:offset:length}`; what is negative counts from the end.
fn slice(value: &str, inner: &str) -> Option<String> {
    let (from, to) = range(value.chars().count(), inner)?;
    Some(value.chars().skip(from).take(to - from).take(LONGEST_VALUE).collect())
}

/// Where `offset:length` starts and ends among so many.
pub(crate) fn range(count: usize, inner: &str) -> Option<(usize, usize)> {
    let (offset, length) = inner.split_once(':').map_or((inner, None), |(at, len)| (at, Some(len)));
    let number = |text: &str| text.trim().trim_matches(['(', ')']).parse::<i64>().ok();
    let count = i64::try_from(count).ok()?;
    let from = number(offset)?;
    let from = if from < 0 { count.saturating_add(from) } else { from }.clamp(0, count);
    let to = match length.map(number) {
        None => count,
        Some(Some(length)) if length < 0 => count.saturating_add(length),
        Some(length) => from.saturating_add(length?),
    };
    Some((usize::try_from(from).ok()?, usize::try_from(to.clamp(from, count)).ok()?))
}

fn is_pattern(pattern: &str) -> bool {
    pattern.contains(['*', '?', '['])
}

/// Nothing when trying the pattern would take too long.
fn may_try(value: &str, pattern: &str) -> Option<()> {
    (value.len() <= LONGEST_TRIED && pattern.len() <= LONGEST_TRIED / 8 && !pattern.contains('['))
        .then_some(())
}

/// Whether a pattern of `*` and `?` fits the whole text.
fn fits(pattern: &str, text: &str) -> bool {
    let mut open: Vec<char> = pattern.chars().collect();
    open.dedup_by(|one, other| *one == '*' && *other == '*');
    let mut states = vec![false; open.len() + 1];
    states[0] = true;
    spread(&open, &mut states);
    for c in text.chars() {
        let mut next = vec![false; open.len() + 1];
        for (at, sign) in open.iter().enumerate().filter(|(at, _)| states[*at]) {
            match sign {
                '*' => next[at] = true,
                '?' => next[at + 1] = true,
                sign => next[at + 1] |= *sign == c,
            }
        }
        spread(&open, &mut next);
        states = next;
    }
    states[open.len()]
}

/// What a `*` lets pass without a character.
fn spread(pattern: &[char], states: &mut [bool]) {
    for (at, sign) in pattern.iter().enumerate() {
        states[at + 1] |= states[at] && *sign == '*';
    }
}

#[cfg(test)]
mod tests {
    use super::{applied, range};

    #[test]
    fn operators_do_as_bash_does() {
        let cases = [
            ("RM", ",,", "", Some("rm")),
            ("rm", "^", "", Some("Rm")),
            ("foorm", "#", "foo", Some("rm")),
            ("a/b/rm", "##", "*/", Some("rm")),
            ("a/b/rm", "#", "*/", Some("b/rm")),
            ("rm.a.b", "%", ".*", Some("rm.a")),
            ("rm.a.b", "%%", ".*", Some("rm")),
            ("rXXm", "//", "X/", Some("rm")),
            ("rXXm", "/", "X/", Some("rXm")),
            ("r12m", "//", "?/x", Some("xxxx")),
            ("xrm", "/#", "x/", Some("rm")),
            ("rmx", "/%", "x", Some("rm")),
            ("xxrmxx", ":", " -4:2", Some("rm")),
            ("xxrmxx", ":", "2:-2", Some("rm")),
            ("x", "@", "Q", None),
        ];
        for (value, op, inner, expected) in cases {
            let given = applied(&[value.to_owned()], op, inner).map(|values| values.concat());
            assert_eq!(given.as_deref(), expected, "${{{value}{op}{inner}}}");
        }
    }

    #[test]
    fn ranges_stay_within() {
        assert_eq!(range(3, "1"), Some((1, 3)));
        assert_eq!(range(3, "9:9"), Some((3, 3)));
        assert_eq!(range(3, "-9:-9"), Some((0, 0)));
        assert_eq!(range(3, "x"), None);
    }
}
