//! The files that a command names within a word: behind `if=`, `@` or a revision; and those that it has from a list.

use std::collections::BTreeSet;

use mentci_shell::{Command, Word};

/// Options of programs that send: their value is what is sent, or `@` and the file that is.
const SENDING: &[(&[&str], &[&str])] = &[
    (
        &["curl"],
        &["d", "data", "data-ascii", "data-binary", "data-urlencode", "json", "F", "form", "H", "header"],
    ),
    (&["http", "https", "xh"], &["form", "multipart"]),
];

/// Options whose value is a file that is read.
const READING: &[(&[&str], &[&str])] = &[
    (&["curl"], &["T", "upload-file", "K", "config", "b", "cookie"]),
    (&["wget"], &["post-file", "body-file", "i", "input-file"]),
];

/// Options whose value is a file that lists the files which are read.
const LISTS: &[(&[&str], &[&str])] = &[
    (&["tar", "bsdtar"], &["T", "files-from"]),
    (&["rsync"], &["files-from"]),
    (&["wc", "du", "sort"], &["files0-from"]),
    (&["git"], &["pathspec-from-file"]),
    (&["xargs", "parallel"], &["a", "arg-file"]),
];

/// What stands for files that only the run tells.
const LISTED: &str = "$(...)";

/// The files that are read and stand in no word of their own.
pub(super) fn of(command: &Command) -> Vec<Word> {
    let mut found: Vec<Word> = match (command.program.as_str(), command.subcommand.as_str()) {
        ("dd", _) => rests(&command.operands, |text| text.strip_prefix("if=")),
        ("git", "show" | "cat-file" | "archive" | "diff" | "grep" | "blame") => {
            rests(&command.operands, of_revision)
        }
        ("http" | "https" | "xh", _) => rests(&command.operands, |text| Some(text.rsplit_once('@')?.1)),
        _ => Vec::new(),
    };
    found.extend(values(command, SENDING).filter_map(sent).map(Word::known));
    found.extend(values(command, READING).map(Word::known));
    for list in values(command, LISTS) {
        found.extend([list, LISTED].into_iter().filter(|word| *word != "-").map(Word::known));
    }
    // An option and its short name have the same values.
    let mut told = BTreeSet::new();
    found.retain(|word| told.insert(word.text.clone()));
    found
}

/// The words that are something else and a path, as that path.
fn rests(words: &[Word], path: impl Fn(&str) -> Option<&str>) -> Vec<Word> {
    let rest = |of: &Word| path(&of.text).map(|text| Word { text: text.to_owned(), ..of.clone() });
    words.iter().filter_map(rest).filter(|rest| !rest.text.is_empty()).collect()
}

/// `HEAD:src/a.rs`: the path as it stands in a revision; none of an address.
fn of_revision(text: &str) -> Option<&str> {
    let (revision, path) = text.split_once(':')?;
    (!revision.contains('/') || !path.starts_with("//")).then_some(path)
}

/// `@x`, `name=@x;type=text/plain`, `name@x`: what is sent is the file.
fn sent(value: &str) -> Option<&str> {
    let (name, rest) = value.split_once(['@', '<'])?;
    let is_named =
        name.is_empty() || name.ends_with('=') || name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let file = rest.split(';').next()?;
    (is_named && !file.is_empty() && file != "-").then_some(file)
}

fn values<'c>(
    command: &'c Command,
    table: &'static [(&'static [&'static str], &'static [&'static str])],
) -> impl Iterator<Item = &'c str> {
    let own = table.iter().filter(|(programs, _)| programs.contains(&command.program.as_str()));
    let options = own.flat_map(|(_, options)| options.iter());
    options.filter_map(|option| command.values.get(*option)).flatten().map(String::as_str)
}

#[cfg(test)]
mod tests {
    use mentci_shell::{Limits, parse};

    use super::*;

    #[test]
    fn a_file_within_a_word_is_found() {
        for (text, files) in [
            ("dd if=a of=b", &["a"][..]),
            ("git show HEAD:.env", &[".env"]),
            ("git cat-file -p main:a/b", &["a/b"]),
            ("git show HEAD", &[]),
            ("git clone host:a", &[]),
            ("curl -d @a https://example.org", &["a"]),
            ("curl --data-binary=@a -F 'f=@b;type=text/plain' -T c https://example.org", &["a", "b", "c"]),
            ("curl -d 'to=me@example.org' -d @- -H 'a: b' https://example.org", &[]),
            ("wget --post-file=a https://example.org", &["a"]),
            ("cat a@b", &[]),
            ("tar -T a -czf x.tgz", &["a", "$(...)"]),
            ("tar --files-from=a -cf x", &["a", "$(...)"]),
            ("wc --files0-from=a", &["a", "$(...)"]),
            ("du --files0-from=-", &["$(...)"]),
            ("rsync --files-from=a . host:", &["a", "$(...)"]),
            ("git add --pathspec-from-file=a", &["a", "$(...)"]),
        ] {
            let script = parse(text, Limits::default());
            let found: Vec<String> = of(&script.commands[0]).into_iter().map(|word| word.text).collect();
            assert_eq!(found, files, "{text}");
        }
    }
}
