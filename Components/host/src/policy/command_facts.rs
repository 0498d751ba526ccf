//! What rules read of one command, beside what the shell's reader tells.

use mentci_shell::{ANYTHING, Command, Operation, Script, Word};
use serde_json::{Value, json};

use super::{found, plain_path::plain, statements, whole, within};

/// A command as `event.commands` holds it: its own fields, and
///
/// - `paths`: its operands and the files that it is fed from, joined to its directory, in one form; `${...}` before one
///   that may be any by then, since the text changes its variable in a way that only the run tells; behind them the files that it
///   names within a word (`dd if=x`, `curl -d @x`, `git show HEAD:x`), and the file that lists what it reads, with `$(...)` for
///   what that holds (`tar -T x`);
/// - `globs`: those of the paths in which the shell fills a pattern with the names of files;
/// - `emptied`: what those paths are that a variable starts, should it be empty: `/*` of `"$dir"/*`;
/// - `starts`: where a search starts, in the same form;
/// - `found`: the paths that a search hands to it, and all that lies in the folders that it reads whole;
/// - `statements`: what it tells a database, without texts in quotes and comments;
/// - `output_of`: the programs whose output stands in its arguments;
/// - `forks`: whether it starts a function that starts itself in a pipeline or in the background.
pub(super) fn of(script: &Script, at: usize) -> Option<Value> {
    let command = script.commands.get(at)?;
    let mut value = serde_json::to_value(command).ok()?;
    let fields = value.as_object_mut()?;
    fields.insert("paths".into(), json!(paths(command)));
    fields.insert("globs".into(), json!(globs(command)));
    fields.insert("emptied".into(), json!(emptied(command)));
    fields.insert("starts".into(), json!(starts(command)));
    let found = [found::of(command, script, at), whole::of(command)].concat();
    fields.insert("found".into(), json!(found));
    fields.insert("statements".into(), json!(statements::of(command)));
    fields.insert("output_of".into(), json!(output_of(command)));
    fields.insert("forks".into(), json!(script.forks.contains(&command.program)));
    Some(value)
}

/// How many paths of one command are told.
const MOST_PATHS: usize = 10_000;

fn paths(command: &Command) -> Vec<String> {
    let read = command.redirects.iter().filter(|redirect| redirect.op == Operation::Read);
    let words = command.operands.iter().chain(read.map(|redirect| &redirect.target));
    let told = |word: &Word| {
        let anything = word.is_changed.then(|| ANYTHING.to_owned());
        anything.into_iter().chain([path(command, word)])
    };
    let within = within::of(command);
    words.chain(&within).take(MOST_PATHS).flat_map(told).collect()
}

fn globs(command: &Command) -> Vec<String> {
    let read = command.redirects.iter().filter(|redirect| redirect.op == Operation::Read);
    let words = command.operands.iter().chain(read.map(|redirect| &redirect.target));
    words.filter(|word| word.is_glob).take(MOST_PATHS).map(|word| path(command, word)).collect()
}

/// The operands that are below the root if the variables in them are empty, as they are then.
fn emptied(command: &Command) -> Vec<String> {
    let words = command.operands.iter().filter(|word| !word.is_static && word.text.contains('$'));
    let paths = words.take(MOST_PATHS).filter_map(|word| {
        let text = joined(command, word);
        let emptied = without_variables(&text)?;
        (text.starts_with('$') && emptied.starts_with('/')).then(|| plain(&emptied))
    });
    paths.collect()
}

/// A path without its variables; none where one stands that is never empty (`${NAME:?}`), or where a `$` is none of one.
fn without_variables(path: &str) -> Option<String> {
    let mut parts = path.split('$');
    let mut left = parts.next()?.to_owned();
    for part in parts {
        let rest = match part.strip_prefix('{') {
            Some(braced) => {
                let (name, rest) = braced.split_once('}')?;
                let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
                is_name.then_some(rest)?
            }
            None => part.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_'),
        };
        if rest.len() == part.len() {
            return None;
        }
        left.push_str(rest);
    }
    Some(left)
}

fn starts(command: &Command) -> Vec<String> {
    command.starts.iter().take(MOST_PATHS).map(|word| path(command, word)).collect()
}

pub(super) fn path(command: &Command, word: &Word) -> String {
    plain(&joined(command, word))
}

/// A path joined to the command's directory.
fn joined(command: &Command, word: &Word) -> String {
    let text = known(command, &word.text);
    let base = command.cwd.as_deref().map(|cwd| known(command, cwd));
    match base {
        Some(base) if !text.starts_with(['/', '~', '$']) => format!("{base}/{text}"),
        _ => text,
    }
}

/// The variables that mean a place, when the command itself does not set them.
const PLACES: [(&str, &str); 6] = [
    ("HOME", "~"),
    ("PWD", "."),
    ("TMPDIR", "/tmp"),
    ("TMP", "/tmp"),
    ("TEMP", "/tmp"),
    ("USERPROFILE", "~"),
];

/// A path with `$HOME` as `~`, `$PWD` as `.` and `$TMPDIR` as `/tmp`.
fn known(command: &Command, text: &str) -> String {
    for (name, place) in PLACES {
        let rest = [format!("${{{name}}}"), format!("${name}")]
            .iter()
            .find_map(|written| text.strip_prefix(written));
        let whole = rest.filter(|rest| rest.is_empty() || rest.starts_with('/'));
        if let Some(rest) = whole.filter(|_| !command.env.contains_key(name)) {
            return format!("{place}{rest}");
        }
    }
    text.to_owned()
}

fn output_of(command: &Command) -> Vec<&str> {
    let mut programs: Vec<&str> =
        command.args.iter().flat_map(|word| &word.output_of).map(String::as_str).collect();
    programs.sort_unstable();
    programs.dedup();
    programs
}

#[cfg(test)]
mod tests {
    use super::*;
    use mentci_shell::{Limits, parse};

    fn last(text: &str) -> Value {
        let script = parse(text, Limits::default());
        of(&script, script.commands.len() - 1).unwrap()
    }

    #[test]
    fn paths_are_joined_and_plain() {
        for (text, paths) in [
            ("rm -rf /tmp/../etc", json!(["/etc"])),
            ("cd / && rm -rf ./*", json!(["/*"])),
            ("rm -rf \"$HOME\" ${HOME}/x ~/y", json!(["~", "~/x", "~/y"])),
            ("rm -rf $TMPDIR/x ${TMPDIR:-/var/tmp}/y", json!(["/tmp/x", "/var/tmp/y"])),
            ("env TMPDIR=/etc rm $TMPDIR/x", json!(["$TMPDIR/x"])),
            ("rm -rf . ./ $PWD/a ..", json!([".", ".", "a", ".."])),
            ("cat < /etc/passwd", json!(["/etc/passwd"])),
            ("cd a && dd if=x of=y bs=1", json!(["a/if=x", "a/of=y", "a/bs=1", "a/x"])),
            ("cd \"$D\" && rm -rf *", json!(["$D/*"])),
            ("X=$(mktemp -d); rm -rf \"$X/../../etc\"", json!(["/etc"])),
            ("X=$(mktemp -d \"$D/a.XXX\"); rm -rf \"$X\"", json!(["$D/a.XXX"])),
            ("X=/tmp/x; read X; rm \"$X\"", json!(["${...}", "$X"])),
            ("X=/tmp/x; source a; cd $X && rm *", json!(["${...}/*"])),
            ("X=/tmp/x; X=/tmp/y; rm $X", json!(["/tmp/y"])),
        ] {
            assert_eq!(last(text)["paths"], paths, "{text}");
        }
    }

    #[test]
    fn a_path_is_told_without_its_variables() {
        for (text, emptied) in [
            ("rm -rf \"$x/\"* ${x}/ $x", json!(["/*", "/"])),
            ("cd $x/ && rm *", json!([])),
            ("rm $a$b/lib $a/$b/../etc", json!(["/lib", "/etc"])),
            ("rm \"${x:?}/\"* ${x%/*}/ $HOME/ '$x/' $(ls)/", json!([])),
            ("x=a; rm \"$x/\"*", json!([])),
            ("unset x; rm \"$x/\"*", json!([])),
        ] {
            assert_eq!(last(text)["emptied"], emptied, "{text}");
        }
    }

    #[test]
    fn a_search_tells_where_it_starts_and_what_guards_it() {
        let find = last("cd /w && find dist ../x -name '*.o' -delete");
        assert_eq!((&find["starts"], &find["guards"]), (&json!(["/w/dist", "/x"]), &json!([["-name *.o"]])));
        assert_eq!(last("rm x")["guards"], json!([]));
    }

    #[test]
    fn a_command_tells_whose_output_it_takes() {
        assert_eq!(last("X=$(ls); rm -rf \"$X\"")["output_of"], json!(["ls"]));
        assert_eq!(last(":(){ :|:& };:")["forks"], json!(true));
    }
}
