//! Addresses of pages. Whatever a name holds, it stays one value of the query.

use std::fmt::Write as _;

/// `/rule?name=core%2Fa`: a path with one value.
pub(crate) fn to(path: &str, name: &str, value: &str) -> String {
    format!("{path}?{name}={}", encoded(value))
}

/// The page of a rule.
pub(crate) fn rule(full_name: &str) -> String {
    to("/rule", "name", full_name)
}

/// The page of a session.
pub(crate) fn session(id: &str) -> String {
    to("/session", "id", id)
}

/// The page of a plugin.
pub(crate) fn plugin(id: &str) -> String {
    to("/plugin", "id", id)
}

/// A value as it stands in a query: all but letters, digits and `-._~` in percent.
pub(crate) fn encoded(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    for byte in value.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => out.push(char::from(byte)),
            _ => {
                // OK to ignore: a text takes everything.
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}

/// A name as the `id` of an element: letters and digits, the rest as its code, so that no two names are one.
pub(crate) fn anchor(kind: &str, name: &str) -> String {
    let mut out = format!("{kind}-");
    for c in name.chars() {
        if c.is_ascii_alphanumeric() || c == '-' {
            out.push(c);
        } else {
            let _ = write!(out, "_{:x}_", u32::from(c));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stays_one_value() {
        assert_eq!(rule("pack/a&b=c#\"<"), "/rule?name=pack%2Fa%26b%3Dc%23%22%3C");
        assert_eq!(session("ünï"), "/session?id=%C3%BCn%C3%AF");
    }

    #[test]
    fn two_names_are_two_anchors() {
        assert_eq!(anchor("rule", "a/b"), "rule-a_2f_b");
        assert_ne!(anchor("rule", "a/b"), anchor("rule", "a-b"));
    }
}
