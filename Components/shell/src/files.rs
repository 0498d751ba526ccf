//! The files that commands write, move or delete.

use std::collections::BTreeSet;

use crate::{
    Command, FileChange, FileOp, Operation, Word, files_of_patch, handed::sed_scripts, pipeline::join, sed,
};

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
        for file in patched(command, commands) {
            add(&file.path, file.op);
        }
    }
    files
}

/// Which operands a program touches.
#[derive(Clone, Copy)]
enum Which {
    All,
    /// All but the first.
    Rest,
    /// The second alone: `uniq IN OUT`.
    Second,
    /// The last, when there are others.
    Last,
    /// What the others are called below the last: `cp a/x .` writes `x`.
    Into,
}

use Which::{All, Into, Last, Rest, Second};

/// Programs that copy or link into their last operand.
const COPIES: &[&str] = &["cp", "ln", "install", "rsync", "scp", "ditto"];

/// A program, some of its subcommands (`|` between them; none: whichever), the operands that it touches, and how.
const OPERANDS: &[(&[&str], &str, Which, FileOp)] = &[
    (&["rm", "unlink", "rmdir", "shred", "trash", "rimraf", "srm"], "", All, FileOp::Delete),
    (&["git"], "rm", All, FileOp::Delete),
    (&["tee", "truncate", "touch", "sponge"], "", All, FileOp::Update),
    (&["git"], "restore|stash push|stash save", All, FileOp::Update),
    (&["mkdir", "mkfifo", "mknod"], "", All, FileOp::Create),
    (&["chmod", "chown", "chgrp", "chattr"], "", Rest, FileOp::Update),
    (&["mv"], "", All, FileOp::Rename),
    (&["mv"], "", Into, FileOp::Rename),
    (&["git"], "mv", All, FileOp::Rename),
    (COPIES, "", Last, FileOp::Update),
    (COPIES, "", Into, FileOp::Update),
    (&["uniq", "xxd", "unix2dos", "fold", "ffmpeg", "convert", "magick"], "", Second, FileOp::Update),
    (&["ffmpeg", "convert", "magick", "rclone", "gsutil"], "", Last, FileOp::Update),
    (&["docker", "podman"], "cp|container cp", Last, FileOp::Update),
    (&["kubectl"], "cp", Last, FileOp::Update),
    (&["git"], "clone|submodule add", Last, FileOp::Update),
    (&["git"], "worktree add|init", All, FileOp::Update),
    (&["mount"], "", Last, FileOp::Update),
];

/// Programs, and their options that name a file which is written.
const OUTPUTS: &[(&[&str], &[&str])] = &[
    (&["curl"], &["-o", "--output"]),
    (&["wget"], &["-O", "--output-document", "-o", "--output-file"]),
    (
        &["sort", "shuf", "tree", "iconv", "pandoc", "gcc", "cc", "clang", "gpg", "uniq", "jq", "bat"],
        &["-o", "--output"],
    ),
    (&["openssl"], &["-out"]),
    (&["git"], &["--output"]),
    (&["find"], &["-fprintf", "-fprint0", "-fprint", "-fls"]),
    (&["policy-engine", "mentci-policy-engine"], &["--out"]),
    (&["script", "ltrace", "strace"], &["-o", "--output", "--log-out"]),
];

/// Programs, and their options that name a folder which is filled.
const FOLDERS: &[(&[&str], &[&str])] = &[
    (&["unzip"], &["-d"]),
    (&["cpio", "pax"], &["-D", "--directory"]),
    (&["7z", "7za", "7zz"], &["-o"]),
    (&["cp", "mv", "ln", "install"], &["-t", "--target-directory"]),
    (&["git"], &["--directory", "--prefix", "--separate-git-dir"]),
    (&["patch"], &["-d", "--directory"]),
    (&["wget"], &["-P", "--directory-prefix"]),
    (&["curl"], &["--output-dir"]),
    (&["rsync"], &["--backup-dir", "--partial-dir"]),
];

/// Whether an argument has an editor work without anybody before it.
fn is_scripted(argument: &str) -> bool {
    matches!(argument, "-c" | "-e" | "-es" | "-Es" | "-s" | "-S" | "--headless") || argument.starts_with('+')
}

/// What a program does with its arguments.
fn by_program(command: &Command, add: &mut dyn FnMut(&str, FileOp)) {
    let (program, operands) = (command.program.as_str(), command.operands.as_slice());
    for (programs, subcommands, which, op) in OPERANDS {
        let fits = subcommands.is_empty() || subcommands.split('|').any(|sub| sub == command.subcommand);
        if fits && programs.contains(&program) {
            touched(operands, *which, &mut |path| add(path, *op));
        }
    }
    for (_, options) in OUTPUTS.iter().filter(|(programs, _)| programs.contains(&program)) {
        if let Some(file) = option(&command.args, options) {
            add(&file, FileOp::Update);
        }
        let names = options.iter().map(|option| option.trim_start_matches('-'));
        names
            .filter_map(|name| command.values.get(name))
            .flatten()
            .for_each(|file| add(file, FileOp::Update));
    }
    match (program, command.subcommand.as_str()) {
        ("git", "checkout" | "stash") => {
            let paths = command.args.iter().skip_while(|word| word.text != "--").skip(1);
            paths.for_each(|path| add(&path.text, FileOp::Update));
        }
        ("ed" | "red" | "ex", _) => touched(operands, All, &mut |path| add(path, FileOp::Update)),
        ("vim" | "vi" | "nvim", _) if command.args.iter().any(|word| is_scripted(&word.text)) => {
            let files = operands.iter().filter(|word| !word.text.starts_with('+'));
            files.for_each(|file| add(&file.text, FileOp::Update));
        }
        ("sed", _) => by_sed(command, add),
        ("dd", _) => {
            let targets = operands.iter().filter_map(|word| word.text.strip_prefix("of="));
            targets.for_each(|target| add(target, FileOp::Update));
        }
        ("find", _) if command.has_flag(&["delete"]) => {
            command.starts.iter().for_each(|start| add(&start.text, FileOp::Delete));
        }
        _ => {}
    }
}

/// The paths among the operands that are touched.
fn touched(operands: &[Word], which: Which, add: &mut dyn FnMut(&str)) {
    let last = operands.len().saturating_sub(1).max(1);
    let one = |at: usize| operands.get(at..=at).unwrap_or_default();
    let words = match which {
        All => operands,
        Rest => operands.get(1..).unwrap_or_default(),
        Second => one(1),
        Last => one(last),
        Into => {
            let target = one(last).iter();
            let paths =
                target.flat_map(|target| carried(operands.get(..last).unwrap_or_default(), &target.text));
            return paths.for_each(|path| add(&path));
        }
    };
    for word in words {
        add(&word.text);
    }
}

/// What sources are called in a folder that they are copied into: `.pi` for `evil/.pi` and `.`. A source that bears no
/// more than a name takes nothing along that was not here.
fn carried(sources: &[Word], folder: &str) -> Vec<String> {
    let here = folder.trim_end_matches('/');
    let is_here = matches!(here, "." | ".." | "") || here.starts_with("../");
    let is_folder = is_here || folder.ends_with('/') || sources.len() > 1;
    let name = |source: &Word| {
        let path = source.text.strip_prefix("./").unwrap_or(&source.text);
        // `rsync a/ b` copies what is in `a`.
        let (above, name) = path.rsplit_once(['/', ':'])?;
        let hidden = name.starts_with('.') && !matches!(name, "." | "..");
        (!above.is_empty() && (is_folder || hidden) && !name.is_empty()).then(|| join(Some(folder), name))
    };
    sources.iter().filter_map(name).collect()
}

/// `sed -i`, and what a script writes by `w`.
fn by_sed(command: &Command, add: &mut dyn FnMut(&str, FileOp)) {
    let scripts = sed_scripts(&command.args);
    for script in &scripts {
        sed::read(script).writes.iter().for_each(|file| add(file, FileOp::Update));
    }
    if command.has_flag(&["in-place"]) {
        let given = command.has_flag(&["e", "expression", "f", "file"]);
        let files = command.operands.get(usize::from(!given)..).unwrap_or_default();
        for file in files {
            add(&file.text, FileOp::Update);
        }
    }
}

/// The folder that an archive is unpacked into, or that files are put into, where an option names it.
fn unpacked_into(command: &Command) -> Option<String> {
    if command.program == "tar" {
        // `-C` is where the command runs.
        let unpacks = command.has_flag(&["x", "extract", "get"]);
        let here = option(&command.args, &["-C"]).map(|_| String::new());
        return here.or_else(|| option(&command.args, &["--directory"])).filter(|_| unpacks);
    }
    let mut folders = FOLDERS.iter().filter(|(programs, _)| programs.contains(&command.program.as_str()));
    folders.find_map(|(_, options)| option(&command.args, options))
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
fn patched(command: &Command, all: &[Command]) -> Vec<FileChange> {
    let (program, subcommand) = (command.program.as_str(), command.subcommand.as_str());
    let takes_text = ["apply_patch", "applypatch"].contains(&program);
    if !takes_text && program != "patch" && !(program == "git" && ["apply", "am"].contains(&subcommand)) {
        return Vec::new();
    }
    let words = command.args.iter().filter(|_| takes_text).map(|word| word.text.as_str());
    let texts = here(command).chain(words).chain(piped(command, all));
    texts.flat_map(files_of_patch).collect()
}

/// The texts of `<<EOF` and `<<<`.
fn here(command: &Command) -> impl Iterator<Item = &str> {
    let here = command.redirects.iter().filter(|redirect| redirect.op == Operation::Here);
    here.map(|redirect| redirect.target.text.as_str())
}

/// The texts that the programs before it in its pipeline are given to hand on: `cat <<EOF | patch`, `echo TEXT | patch`.
fn piped<'c>(command: &Command, all: &'c [Command]) -> Vec<&'c str> {
    let Some(place) = command.pipe else { return Vec::new() };
    let before = all
        .iter()
        .filter(|other| other.pipe.is_some_and(|pipe| pipe.id == place.id && pipe.position < place.position));
    before.flat_map(|other| here(other).chain(other.args.iter().map(|word| word.text.as_str()))).collect()
}
