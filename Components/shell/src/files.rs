//! The files that commands write, move or delete.

use std::collections::BTreeSet;

use crate::{Command, FileChange, FileOp, Operation, Word, files_of_patch, pipeline::join};

/// How many files are told.
const MOST_FILES: usize = 10_000;

/// The files that these commands write, move or delete, as far as the text tells.
pub(crate) fn of(commands: &[Command]) -> Vec<FileChange> {
    let mut files = Vec::new();
    let mut told = BTreeSet::new();
    for command in commands {
        let mut add = |word: &str, op: FileOp| {
            let path = join(command.cwd.as_deref(), word);
            let device = matches!(word, "/dev/null" | "/dev/stdout" | "/dev/stderr" | "/dev/tty" | "-" | "");
            let file = FileChange { path, op };
            if !device && files.len() < MOST_FILES && told.insert(file.clone()) {
                files.push(file);
            }
        };
        for redirect in &command.redirects {
            if matches!(redirect.op, Operation::Write | Operation::Append) {
                add(&redirect.target.text, FileOp::Update);
            }
        }
        by_program(command, &mut add);
        if let Some(folder) = unpacked_into(command) {
            let all = if folder.is_empty() { "*".to_owned() } else { join(Some(&folder), "*") };
            add(&all, FileOp::Update);
        }
        for file in patched(command) {
            add(&file.path, file.op);
        }
    }
    files
}

/// What a program does with its operands.
fn by_program(command: &Command, add: &mut dyn FnMut(&str, FileOp)) {
    let operands = command.operands.as_slice();
    let mut all = |words: &[Word], op: FileOp| words.iter().for_each(|word| add(&word.text, op));
    match (command.program.as_str(), command.subcommand.as_str()) {
        ("rm" | "unlink" | "rmdir" | "shred" | "trash" | "rimraf", _) | ("git", "rm") => {
            all(operands, FileOp::Delete);
        }
        ("tee" | "truncate" | "touch", _) | ("git", "restore" | "stash push" | "stash save") => {
            all(operands, FileOp::Update);
        }
        ("mkdir" | "mkfifo" | "mknod", _) => all(operands, FileOp::Create),
        ("chmod" | "chown" | "chgrp" | "chattr", _) => {
            all(operands.get(1..).unwrap_or_default(), FileOp::Update);
        }
        ("mv", _) | ("git", "mv") => all(operands, FileOp::Rename),
        ("cp" | "ln" | "install" | "rsync" | "scp", _) if operands.len() > 1 => {
            all(&operands[operands.len() - 1..], FileOp::Update);
        }
        ("git", "checkout" | "stash") => {
            let paths = command.args.iter().skip_while(|word| word.text != "--").skip(1);
            all(&paths.cloned().collect::<Vec<_>>(), FileOp::Update);
        }
        ("sed", _) if command.has_flag(&["in-place"]) => {
            let scripts =
                usize::from(!command.values.contains_key("e") && !command.values.contains_key("expression"));
            all(operands.get(scripts..).unwrap_or_default(), FileOp::Update);
        }
        ("dd", _) => {
            let targets = operands.iter().filter_map(|word| word.text.strip_prefix("of="));
            targets.for_each(|target| add(target, FileOp::Update));
        }
        ("curl", _) => values(command, &["output"], add),
        ("wget", _) => values(command, &["output-document"], add),
        ("sort", _) => values(command, &["o", "output"], add),
        ("find", _) if command.has_flag(&["delete"]) => {
            let roots = operands.iter().take_while(|word| !word.text.starts_with(['(', '!']));
            roots.take(1).for_each(|root| add(&root.text, FileOp::Delete));
        }
        _ => {}
    }
}

/// The folder that an archive is unpacked into, or that files are copied into, where an option names it.
fn unpacked_into(command: &Command) -> Option<String> {
    let options: &[&str] = match command.program.as_str() {
        // `-C` is where the command runs.
        "tar" if command.has_flag(&["x", "extract", "get"]) => {
            let here = option(&command.args, &["-C"]).map(|_| String::new());
            return here.or_else(|| option(&command.args, &["--directory"]));
        }
        "unzip" => &["-d"],
        "cpio" => &["-D", "--directory"],
        "7z" | "7za" | "7zz" => &["-o"],
        "cp" | "mv" | "ln" | "install" => &["-t", "--target-directory"],
        _ => return None,
    };
    option(&command.args, options)
}

/// The value of an option, beside it or grown on: `-d X`, `-oX`, `--directory=X`.
fn option(args: &[Word], names: &[&str]) -> Option<String> {
    args.iter().enumerate().find_map(|(at, arg)| {
        names.iter().find_map(|name| {
            let rest = arg.text.strip_prefix(name)?;
            match rest.strip_prefix('=') {
                Some(value) => Some(value.to_owned()),
                None if rest.is_empty() => args.get(at + 1).map(|word| word.text.clone()),
                None => (!name.starts_with("--")).then(|| rest.to_owned()),
            }
        })
    })
}

/// The files of a patch that stands in the text itself: `git apply <<EOF`.
fn patched(command: &Command) -> Vec<FileChange> {
    let patches = command.program == "patch"
        || command.program == "git" && matches!(command.subcommand.as_str(), "apply" | "am");
    let here = command.redirects.iter().filter(|redirect| patches && redirect.op == Operation::Here);
    here.flat_map(|redirect| files_of_patch(&redirect.target.text)).collect()
}

fn values(command: &Command, options: &[&str], add: &mut dyn FnMut(&str, FileOp)) {
    let values = options.iter().filter_map(|option| command.values.get(*option)).flatten();
    values.for_each(|value| add(value, FileOp::Update));
}
