//! The files that commands write, move or delete.

use std::collections::BTreeSet;

use crate::{Command, FileChange, FileOp, Operation, Word, pipeline::join};

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
        ("tee" | "truncate" | "touch", _) => all(operands, FileOp::Update),
        ("mkdir" | "mkfifo" | "mknod", _) => all(operands, FileOp::Create),
        ("chmod" | "chown" | "chgrp" | "chattr", _) => {
            all(operands.get(1..).unwrap_or_default(), FileOp::Update);
        }
        ("mv", _) | ("git", "mv") => all(operands, FileOp::Rename),
        ("cp" | "ln" | "install" | "rsync" | "scp", _) if operands.len() > 1 => {
            all(&operands[operands.len() - 1..], FileOp::Update);
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

fn values(command: &Command, options: &[&str], add: &mut dyn FnMut(&str, FileOp)) {
    let values = options.iter().filter_map(|option| command.values.get(*option)).flatten();
    values.for_each(|value| add(value, FileOp::Update));
}
