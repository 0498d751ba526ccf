//! What has to stand in an event for a rule to apply: most rules about commands and files are passed over by it, unread.
//!
//! - Deriving: a guard to what it needs, in the words of commands and files ([`derive`]).
//! - Writing: that as bytes, which a pack holds ([`bytes`]).
//! - Looking: bytes and an event to whether the rule must be asked ([`Sight`]).
//!
//! INVARIANT (never passed over in error): a guard that would hold or fault is asked. What is not surely false is left to
//! the guard.

mod bytes;
mod derive;
mod fields;
mod sight;

pub(crate) use derive::needed;
pub(crate) use sight::Sight;

/// What has to be so, or the guard neither holds nor faults.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Necessary {
    /// Nothing that is known of: the guard is asked.
    Nothing,
    /// It never holds and never faults.
    Never,
    All(Vec<Self>),
    Any(Vec<Self>),
    /// There is one.
    There(Of),
    /// A field of one of them is one of these texts, or a list or map in which one of them stands.
    Is(Of, String, Vec<String>),
    /// One of these texts stands in one of them, small letters and capitals being one.
    Stands(Vec<String>),
}

/// What is looked through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Of {
    Commands,
    Files,
}

impl Necessary {
    pub(crate) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Never, _) | (_, Self::Never) => Self::Never,
            (Self::Nothing, one) | (one, Self::Nothing) => one,
            (one, other) if one == other => one,
            (one, other) => Self::All(joined(one, other, |all| match all {
                Self::All(parts) => Ok(parts),
                single => Err(single),
            })),
        }
    }

    pub(crate) fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::Nothing, _) | (_, Self::Nothing) => Self::Nothing,
            (Self::Never, one) | (one, Self::Never) => one,
            (one, other) if one.implies(&other) => other,
            (one, other) if other.implies(&one) => one,
            (one, other) => Self::Any(joined(one, other, |any| match any {
                Self::Any(parts) => Ok(parts),
                single => Err(single),
            })),
        }
    }

    /// Whether the other is surely so where this is.
    fn implies(&self, other: &Self) -> bool {
        match (self, other) {
            (one, other) if one == other => true,
            (Self::All(parts), Self::All(others)) => others.iter().all(|other| parts.contains(other)),
            (Self::All(parts), other) => parts.contains(other),
            _ => false,
        }
    }
}

fn joined(
    one: Necessary,
    other: Necessary,
    parts: impl Fn(Necessary) -> Result<Vec<Necessary>, Necessary>,
) -> Vec<Necessary> {
    let mut all: Vec<Necessary> = Vec::new();
    for side in [one, other] {
        let side = parts(side).unwrap_or_else(|single| vec![single]);
        for part in side {
            if !all.contains(&part) {
                all.push(part);
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use mentci_authority::{Event, Guard, Hook};
    use mentci_expr::{Budget, Compiled, JsonFacts, holds, parse};
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    fn guard(text: &str) -> Guard {
        Guard::expr(parse(text).expr.unwrap())
    }

    fn told(text: &str) -> String {
        String::from_utf8_lossy(&needed(&guard(text)).bytes()).escape_default().to_string()
    }

    #[test]
    fn what_a_guard_needs_is_written_in_few_bytes() {
        for (text, bytes) in [
            ("true", ""),
            ("arg('path') == 'x'", ""),
            (
                "any(c.program == 'rm' for c in event.commands)",
                r"&\u{10}\u{0}\u{2}cC\u{7}program\u{3}\u{0}\u{2}rm",
            ),
            ("any('f' in c.flags for c in event.commands)", r"&\r\u{0}\u{2}cC\u{5}flags\u{2}\u{0}\u{1}f"),
            (
                "any(matches(f.path, '(?i)^/ETC/') for f in event.files)",
                r"&\u{b}\u{0}\u{2}f~\u{6}\u{0}\u{5}/etc/",
            ),
            // What may fault is asked, but for what stands before it.
            ("any(c.x > 1 and c.program == 'rm' for c in event.commands)", "c"),
            (
                "any(c.program == 'rm' and c.x > 1 for c in event.commands)",
                r"&\u{10}\u{0}\u{2}cC\u{7}program\u{3}\u{0}\u{2}rm",
            ),
            ("not any(c.program == 'rm' for c in event.commands)", ""),
            ("any(c.env.A == 'b' for c in event.commands)", r"&\u{b}\u{0}\u{2}cC\u{3}env\u{2}\u{0}\u{1}A"),
            (
                "any(any(e in ['A'] for e in c.env) for c in event.commands)",
                r"&\u{b}\u{0}\u{2}cC\u{3}env\u{2}\u{0}\u{1}A",
            ),
            // What stands in keys is not looked through.
            ("any(any(matches(e, 'A') for e in c.env) for c in event.commands)", "c"),
        ] {
            assert_eq!(told(text), bytes, "{text}");
        }
    }

    #[test]
    fn what_does_not_read_is_asked() {
        let event = Event::new(Hook::PreToolCall);
        let sight = Sight::of(&event).unwrap();
        let whole = needed(&guard("any(c.program in ['rm', 'cp'] for c in event.commands)")).bytes();
        assert!(!sight.shows(&whole));
        assert!((0..whole.len()).all(|length| sight.shows(&whole[..length])));
        assert!(sight.shows(&[b'&'; 500]) && sight.shows(b"?"));
    }

    #[test]
    fn odd_facts_are_asked_about() {
        let mut event = Event::new(Hook::PreToolCall);
        event.commands = vec![json!({"program": "rm"})];
        assert!(Sight::of(&event).is_none());
        event.commands = vec![command("rm", &["r"], "a", Some("x"))];
        assert!(Sight::of(&event).is_some());
        event.unread = Some("too long".to_owned());
        assert!(Sight::of(&event).is_none());
    }

    fn command(program: &str, flags: &[&str], path: &str, code: Option<&str>) -> Value {
        json!({
            "program": program, "path": program, "is_static": true, "program_is_static": true, "args": [path, "-x"],
            "flags": flags, "values": {}, "operands": [path], "subcommand": "", "cwd": null, "env": {"A": "b"}, "redirects": [],
            "via": [{"program": "sudo"}], "pipe": null, "pipes_from": [], "pipes_into": [], "code_from": [], "code": code,
            "background": false, "span": {"start": 0, "end": 9}, "paths": [path], "globs": [], "emptied": [], "found": [], "statements": [], "output_of": [], "forks": false,
            "starts": [], "guards": [],
        })
    }

    /// What may be asked of one command.
    const ASKED: &[&str] = &[
        "c.program == 'rm'",
        "c.program in ['rm', 'cp']",
        "'cp' == c.program",
        "'r' in c.flags",
        "any(f in ['r', 'x'] for f in c.flags)",
        "matches(c.code, '(?i)AB')",
        "any(matches(p, r'^/(a|b)') for p in c.paths)",
        "matches(c.args, r'a.*x')",
        r#"matches(c.args, '"/a')"#,
        "matches(c.args, '^/a')",
        "starts_with(c.args, '/b')",
        "ends_with(c.paths, 'c')",
        "contains(c.program, 'R')",
        "c.operands[0] == '/a'",
        "c.operands[7] == '/a'",
        "len(c.operands) > 1",
        "c.is_static",
        "c.code is not null",
        "c.nothing == 'x'",
        "c.nothing > 3",
        "'x' in c.nothing",
        "c.subcommand != 'push'",
        "{'program': 'sudo'} in c.via",
        "'A' in c.env",
        "c.env.A == 'b'",
        "c.env.B == 'b'",
        "c.env.B != 'b'",
        "c.env.A in ['b', 'c']",
        "any(e in ['A', 'C'] for e in c.env)",
        "any(e == 'B' for e in c.env)",
        "any(matches(e, '^A$') for e in c.env)",
        "any(contains(e, 'B') for e in c.values)",
        "c.span.start < 3",
        "any(d.program == c.program for d in event.commands if 'x' in d.flags)",
    ];

    fn body() -> impl Strategy<Value = String> {
        let leaf = proptest::sample::select(ASKED).prop_map(str::to_owned);
        leaf.prop_recursive(3, 12, 3, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 2..4)
                    .prop_map(|all| format!("({})", all.join(" and "))),
                proptest::collection::vec(inner.clone(), 2..4)
                    .prop_map(|all| format!("({})", all.join(" or "))),
                inner.prop_map(|one| format!("not ({one})")),
            ]
        })
    }

    fn condition() -> impl Strategy<Value = String> {
        let one = (body(), body(), 0..4).prop_map(|(body, filter, form)| match form {
            0 => format!("any({body} for c in event.commands if {filter})"),
            1 => format!("all({body} for c in event.commands)"),
            2 => "any(f.op == 'delete' and matches(f.path, '^/b') for f in event.files)".to_owned(),
            _ => format!("any({body} for c in event.commands)"),
        });
        proptest::collection::vec((one, any::<bool>()), 1..3).prop_map(|all| {
            let all = all.into_iter().map(|(one, denied)| if denied { format!("not {one}") } else { one });
            all.collect::<Vec<_>>().join(" or ")
        })
    }

    fn commands() -> impl Strategy<Value = Vec<Value>> {
        let one = (
            proptest::sample::select(vec!["rm", "cp", "R", "ls"]),
            proptest::sample::subsequence(vec!["r", "x", "f"], 0..3),
            proptest::sample::select(vec!["/a", "/b/c", "d", "\"/a", "é"]),
            proptest::option::of(proptest::sample::select(vec!["aB", "no"])),
        );
        proptest::collection::vec(one.prop_map(|(p, f, path, code)| command(p, &f, path, code)), 0..3)
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]
        #[test]
        fn what_is_passed_over_surely_fails(
            text in condition(), commands in commands(), times in proptest::sample::select(vec![1, 20]), file in "/[ab]"
        ) {
            let guard = guard(&text);
            let mut event = Event::new(Hook::PreToolCall);
            event.files = vec![json!({"path": file, "op": "delete"})];
            event.commands = vec![commands; times].concat();
            let facts = json!({"event": {"commands": event.commands, "files": event.files}});
            let is_asked = Sight::of(&event).is_none_or(|sight| sight.shows(&needed(&guard).bytes()));
            let program = Compiled::new(&parse(&text).expr.unwrap());
            let truth = holds(&program, &JsonFacts::new(&facts), &mut Budget::default());
            // The whole guard is what its parts are by Kleene: it may hold or fail where the expression faults.
            prop_assert!(is_asked || truth.is_err() && matches!(guard, Guard::Any(_)) || truth == Ok(false), "{text}: {truth:?}");
        }
    }
}
