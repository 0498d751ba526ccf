//! The folders that a command reads with all that lies in them: `tar c vault`, `cp -r vault x`, `grep -r key vault`.

use mentci_shell::{Command, Word};

use super::{command_facts::path, plain_path::plain};

/// How many folders of one command are told.
const MOST: usize = 64;

/// Which operands of a program are read.
#[derive(Clone, Copy)]
enum Which {
    All,
    /// The first is an archive, or what is looked for.
    ButFirst,
    /// The first two are what is done, and the archive.
    ButTwo,
    /// The last is where it goes.
    ButLast,
}

use Which::{All, ButFirst, ButLast, ButTwo};

/// Programs, one of their subcommands (none: whichever), the options of which one must be given (none: none need be), and what
/// they read whole then.
const READERS: &[(&[&str], &str, &[&str], Which)] = &[
    (&["tar", "bsdtar"], "", &["c", "create", "r", "append", "u", "update"], All),
    (&["pax"], "", &["w"], All),
    (&["zip"], "", &["r", "recurse-paths", "R", "recurse-patterns"], ButFirst),
    (&["7z", "7za", "7zz", "rar"], "", &[], ButTwo),
    (&["rsync"], "", &["r", "recursive", "a", "archive"], ButLast),
    (&["cp", "scp"], "", &["r", "R", "recursive", "a", "archive"], ButLast),
    (&["ditto"], "", &[], ButLast),
    (&["docker", "podman"], "cp", &[], ButLast),
    (&["kubectl"], "cp", &[], ButLast),
    (&["rclone"], "", &[], ButLast),
    (&["grep", "egrep", "fgrep", "zgrep"], "", &["r", "R", "recursive", "dereference-recursive"], ButFirst),
    (&["rgrep", "rg", "ag", "ack", "ugrep"], "", &[], ButFirst),
    (&["diff"], "", &["r", "recursive"], All),
];

/// Options by which no operand is what is looked for, or where it goes.
const NAMES_IT: &[&str] = &["e", "f", "regexp", "file", "t", "target-directory"];

/// All that lies in each folder that a command reads whole: `vault/*`. Of an operand that is a file nothing lies there.
pub(super) fn of(command: &Command) -> Vec<String> {
    let fits = |(programs, subcommand, options, _): &&(&[&str], &str, &[&str], Which)| {
        programs.contains(&command.program.as_str())
            && (subcommand.is_empty() || *subcommand == command.subcommand)
            && (options.is_empty() || command.has_flag(options))
    };
    let Some((.., which)) = READERS.iter().find(fits) else { return Vec::new() };
    let all = |folder: &Word| plain(&format!("{}/*", path(command, folder)));
    operands(command, *which).iter().take(MOST).map(all).collect()
}

fn operands(command: &Command, which: Which) -> &[Word] {
    let words = command.operands.as_slice();
    let is_named = command.has_flag(NAMES_IT);
    match which {
        ButFirst if !is_named => words.get(1..).unwrap_or_default(),
        ButTwo => words.get(2..).unwrap_or_default(),
        ButLast if !is_named => words.split_last().map_or(&[], |(_, rest)| rest),
        All | ButFirst | ButLast => words,
    }
}

#[cfg(test)]
mod tests {
    use mentci_shell::{Limits, parse};

    use super::*;

    #[test]
    fn all_that_lies_in_a_folder_is_told_where_it_is_read() {
        for (text, folders) in [
            ("tar czf x.tgz vault", "x.tgz/* vault/*"),
            ("tar -c -f x vault/", "vault/*"),
            ("tar xzf x.tgz vault", ""),
            ("tar -cf x -C vault .", "vault/*"),
            ("cd vault && tar cf ../x .", "x/* vault/*"),
            ("zip -r x.zip vault", "vault/*"),
            ("zip x.zip vault/a", ""),
            ("7z a x.7z vault", "vault/*"),
            ("rsync -a vault/ host:", "vault/*"),
            ("cp -r a vault /tmp/x", "a/* vault/*"),
            ("cp -a vault -t /tmp/x", "vault/* /tmp/x/*"),
            ("cp vault/a x", ""),
            ("scp -r vault host:", "vault/*"),
            ("docker cp vault c:/x", "vault/*"),
            ("grep -r key vault", "vault/*"),
            ("grep -r -e key vault", "vault/*"),
            ("grep key vault", ""),
            ("rg key ~/.ssh", "~/.ssh/*"),
            ("diff -r vault /other", "vault/* /other/*"),
            ("ls -R vault", ""),
        ] {
            let script = parse(text, Limits::default());
            assert_eq!(of(script.commands.last().unwrap()).join(" "), folders, "{text}");
        }
    }
}
