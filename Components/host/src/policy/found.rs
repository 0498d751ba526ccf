//! The files that a search hands to a command, as far as the search tells: `find ~/.ssh -type f -exec cat {} +`.

use mentci_shell::{Command, Script, Via};

use super::{command_facts::path, plain_path::plain};

/// How far before a command its search is looked for.
const NEAR: usize = 64;
/// How many paths of one search are told.
const MOST: usize = 64;

/// The paths that a search may hand to the command at `at`, by `-exec` or through `xargs`: each place where it starts with
/// each name that it looks for, `*` where it looks for none. Empty when no search is all that hands it something.
pub(super) fn of(command: &Command, script: &Script, at: usize) -> Vec<String> {
    let near = script.commands[..at.min(script.commands.len())].iter().rev().take(NEAR);
    let search = match command.via.last() {
        Some(Via::Program(by)) if is_search(by) => {
            near.into_iter().find(|other| other.program == *by && other.span.start == command.span.start)
        }
        Some(Via::Program(by)) if by == "xargs" || by == "parallel" => only_before(command, near),
        _ => None,
    };
    search.map(paths).unwrap_or_default()
}

fn is_search(program: &str) -> bool {
    matches!(program, "find" | "fd" | "fdfind")
}

/// The search that is all that stands right before a command in its pipeline.
fn only_before<'s>(command: &Command, near: impl Iterator<Item = &'s Command>) -> Option<&'s Command> {
    let pipe = command.pipe?;
    let before = pipe.position.checked_sub(1)?;
    let is_before =
        |other: &&Command| other.pipe.is_some_and(|other| other.id == pipe.id && other.position == before);
    let mut stage = near.filter(is_before);
    let search = stage.next().filter(|search| is_search(&search.program))?;
    let prints =
        !search.flags.iter().any(|flag| flag.contains("print") && flag != "print" && flag != "print0");
    let reached_so = command.via.len() == search.via.len() + 1 && command.via.starts_with(&search.via);
    (stage.next().is_none() && prints && reached_so).then_some(search)
}

/// Each start with each name.
fn paths(search: &Command) -> Vec<String> {
    let mut paths = Vec::new();
    for start in search.starts.iter().take(MOST) {
        for way in search.guards.iter().take(MOST - paths.len().min(MOST)) {
            paths.push(plain(&format!("{}/{}", path(search, start), name(way))));
        }
    }
    paths
}

/// The name that a file has which passed these tests.
fn name(way: &[String]) -> String {
    let mut named = way.iter().filter_map(|test| {
        let (test, value) = test.split_once(' ')?;
        match test {
            "-name" | "-iname" => Some(value.to_owned()),
            "-regex" => written_out(value),
            _ => None,
        }
    });
    named.next_back().unwrap_or_else(|| "*".to_owned())
}

/// A regex that is one name, or one ending, as a pattern: `^a$` is `a`, `\.orig$` is `*.orig`.
fn written_out(regex: &str) -> Option<String> {
    let (starts, rest) = regex.strip_prefix('^').map_or((false, regex), |rest| (true, rest));
    let (ends, rest) = rest.strip_suffix('$').map_or((false, rest), |rest| (true, rest));
    let name = rest.replace("\\.", ".");
    let is_plain = name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
    let is_bare = !rest.replace("\\.", "").contains('.');
    let star = |written: bool| if written { "" } else { "*" };
    (is_plain && is_bare && !name.is_empty()).then(|| format!("{}{name}{}", star(starts), star(ends)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use mentci_shell::{Limits, parse};

    #[test]
    fn what_a_search_hands_on_is_told() {
        for (text, expected) in [
            ("find ~/.ssh -type f -exec cat {} \\;", "~/.ssh/*"),
            ("find . src -name '*.pyc' -print0 | xargs -0 rm -rf", "*.pyc src/*.pyc"),
            ("find . \\( -name a -o -name b \\) | xargs rm", "a b"),
            ("fd '^a$' x -x rm", "x/a"),
            ("fd '\\.orig$' -X rm", "*.orig"),
            ("fd -e bak -X rm", "*.bak"),
            ("fd 'a.b' -X rm", "*"),
            ("find . -name a -printf '%h' | xargs rm", ""),
            ("find . -name a | sed s/a/b/ | xargs rm", ""),
            ("{ find . -name a; ls; } | xargs rm", ""),
            ("find . -name a; ls | xargs rm", ""),
            ("ls | xargs rm", ""),
        ] {
            let script = parse(text, Limits::default());
            let at = script.commands.len() - 1;
            let found = of(&script.commands[at], &script, at).join(" ");
            assert_eq!(found, expected, "{text}");
        }
    }
}
