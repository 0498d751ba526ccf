//! Programs that run other programs: what of their arguments is theirs, and what runs.

mod known;

use crate::{Word, editor, handed, marks, program, quote};

use known::{RUNNER_VALUES, RUNNERS, Rest, WRAPPERS, Wrapper, wrapper};

/// A command line taken apart.
#[derive(Debug, Default)]
pub(crate) struct Unwrapped {
    /// The wrapper's own arguments.
    pub(crate) own: Vec<Word>,
    pub(crate) inner: Vec<Inner>,
    /// What it sets for what it runs.
    pub(crate) env: Vec<(String, Word)>,
    /// Where it runs it.
    pub(crate) cwd: Option<String>,
    /// Whether its arguments hold the script, so that standard input does not.
    pub(crate) has_script: bool,
}

/// What a wrapper runs.
#[derive(Debug)]
pub(crate) enum Inner {
    /// A program with its arguments.
    Words(Vec<Word>),
    /// A text for a shell.
    Text(String),
}

/// Takes a command line apart.
pub(crate) fn unwrap(name: &str, args: &[Word]) -> Unwrapped {
    let mut unwrapped = taken_apart(name, args);
    unwrapped.inner.extend(handed::in_arguments(name, args));
    unwrapped
}

fn taken_apart(name: &str, args: &[Word]) -> Unwrapped {
    match name {
        "powershell" | "pwsh" => powershell(args),
        _ if program::is_shell(name) => shell(args),
        "bwrap" => bubble(args),
        "env" => env(args),
        "xargs" => xargs(args),
        "find" => find(args),
        "fd" | "fdfind" => until_end(args, &["-x", "-X", "--exec", "--exec-batch"]),
        "parallel" => parallel(args),
        "command"
            if args
                .iter()
                .take_while(|arg| arg.text.starts_with('-'))
                .any(|arg| arg.text.contains(['v', 'V'])) =>
        {
            plain(args)
        }
        _ if editor::is_editor(name) => Unwrapped { inner: editor::commands(args), ..plain(args) },
        "git"
            if args.iter().any(|arg| {
                matches!(arg.text.as_str(), "foreach" | "--exec" | "-x") || arg.text.ends_with("-filter")
            }) =>
        {
            git(args)
        }
        "kubectl" | "oc"
            if args.iter().any(|arg| arg.text == "exec" || arg.text == "run" || arg.text == "debug") =>
        {
            after_dashes(args)
        }
        "nix" if args.iter().any(|arg| matches!(arg.text.as_str(), "-c" | "--command")) => {
            until_end(args, &["-c", "--command"])
        }
        _ => match WRAPPERS.iter().find(|wrapper| wrapper.name == name) {
            Some(wrapper) => rest_of(wrapper, args),
            None => runner(name, args),
        },
    }
}

fn plain(args: &[Word]) -> Unwrapped {
    Unwrapped { own: args.to_vec(), ..Unwrapped::default() }
}

/// `sudo -u root X=1 rm -rf /`: options, assignments, then the command.
fn rest_of(wrapper: &Wrapper, args: &[Word]) -> Unwrapped {
    let mut unwrapped = Unwrapped::default();
    let mut at = 0;
    let mut skip = wrapper.skip;
    while let Some(arg) = args.get(at) {
        let text = arg.text.as_str();
        if text == "--" {
            at += 1;
            if skip == 0 {
                break;
            }
        } else if text == "-" && wrapper.name == "env" {
            at += 1;
        } else if text.starts_with('-') && text.len() > 1 {
            let taken = option_len(text, wrapper.short, wrapper.long);
            let value = args.get(at + 1).map(|word| word.text.clone());
            if taken == 2 && matches!(text, "-C" | "-D" | "--chdir") && matches!(wrapper.name, "env" | "sudo")
            {
                unwrapped.cwd = value;
            }
            at += taken;
        } else if wrapper.assigns && (is_assignment(text) || (wrapper.name == "env" && text.contains('='))) {
            let (name, value) = text.split_once('=').unwrap_or((text, ""));
            unwrapped.env.push((name.to_owned(), Word { text: value.to_owned(), ..arg.clone() }));
            at += 1;
        } else if skip > 0 {
            skip -= 1;
            at += 1;
        } else {
            break;
        }
    }
    let at = at.min(args.len());
    unwrapped.own = args[..at].to_vec();
    let rest = &args[at..];
    if rest.is_empty() {
        return unwrapped;
    }
    unwrapped.has_script = true;
    unwrapped.inner.push(match wrapper.rest {
        Rest::Words => Inner::Words(rest.to_vec()),
        Rest::Text => Inner::Text(joined(rest)),
    });
    if wrapper.rest == Rest::Text {
        unwrapped.own.extend_from_slice(rest);
    }
    unwrapped
}

/// How many arguments an option takes: itself, and its value when that stands apart.
fn option_len(text: &str, short: &str, long: &[&str]) -> usize {
    if let Some(name) = text.strip_prefix("--") {
        // An option that is cut short takes its value all the same.
        let cut_short = |known: &&&str| name.len() > 1 && known.starts_with(name);
        return 1 + usize::from(long.iter().find(cut_short).is_some());
    }
    let letters = &text[1..];
    let found = letters.char_indices().take(64).find(|(_, letter)| short.contains(*letter));
    1 + usize::from(found.is_some_and(|(at, letter)| at + letter.len_utf8() == letters.len()))
}

fn is_assignment(text: &str) -> bool {
    crate::keyword::split_assignment(text).is_some()
}

/// Words as one text for a shell, as `eval` and `ssh` join them.
fn joined(words: &[Word]) -> String {
    words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
}

/// `bash -c TEXT`, `bash FILE`, `bash`.
fn shell(args: &[Word]) -> Unwrapped {
    let mut unwrapped = plain(args);
    let mut at = 0;
    let mut is_text = false;
    while let Some(arg) = args.get(at) {
        let text = arg.text.as_str();
        if text.starts_with("--") && text.len() > 2 {
            is_text |= text == "--command";
            if matches!(text, "--rcfile" | "--init-file") {
                let file = args.get(at + 1).cloned();
                unwrapped.inner.extend(file.map(|file| Inner::Words(vec![Word::known("source"), file])));
                at += 1;
            }
            at += 1;
        } else if text.len() > 1 && text.starts_with(['-', '+']) && text != "--" {
            is_text |= text.starts_with('-') && text.bytes().take(64).any(|byte| byte == b'c');
            at += 1 + usize::from(text.len() < 64 && text.ends_with(['o', 'O']));
        } else {
            at += usize::from(text == "--" || text == "-");
            break;
        }
    }
    if let Some(word) = args.get(at) {
        unwrapped.has_script = true;
        if is_text {
            unwrapped.inner.push(Inner::Text(word.text.clone()));
            let names = (0..10).map(|name: u8| name.to_string());
            unwrapped.env = names.zip(args[at + 1..].iter().cloned()).collect();
        }
    }
    if args.iter().any(|arg| arg.text == "-s") && !is_text {
        let names = (1..10).map(|name: u8| name.to_string());
        unwrapped.env = names.zip(args.iter().skip(at).cloned()).collect();
        unwrapped.has_script = false;
    }
    unwrapped
}

/// `powershell -Command TEXT`: the rest of the line is the text.
fn powershell(args: &[Word]) -> Unwrapped {
    let is = |arg: &Word, long: &str| {
        let name = arg.text.strip_prefix(['-', '/']).unwrap_or_default().to_ascii_lowercase();
        !name.is_empty() && long.starts_with(&name)
    };
    let text = args.iter().position(|arg| is(arg, "command")).and_then(|at| args.get(at + 1..));
    let inner = text.filter(|words| !words.is_empty()).map(|words| Inner::Text(joined(words)));
    let has_script = inner.is_some() || args.iter().any(|arg| is(arg, "file") || is(arg, "encodedcommand"));
    Unwrapped { inner: inner.into_iter().collect(), has_script, ..plain(args) }
}

/// `bwrap --bind A B COMMAND`
fn bubble(args: &[Word]) -> Unwrapped {
    let mut at = 0;
    while let Some(name) = args.get(at).and_then(|arg| arg.text.strip_prefix("--")) {
        at += match name {
            "" => break,
            "overlay" => 4,
            _ if name.contains("bind") => 3,
            "symlink" | "setenv" | "file" | "chmod" => 3,
            "clearenv"
            | "die-with-parent"
            | "new-session"
            | "as-pid-1"
            | "share-net"
            | "help"
            | "version"
            | "disable-userns"
            | "assert-userns-disabled" => 1,
            _ if name.starts_with("unshare-") => 1,
            _ => 2,
        };
    }
    at += usize::from(args.get(at).is_some_and(|arg| arg.text == "--"));
    let at = at.min(args.len());
    let inner = (at < args.len()).then(|| Inner::Words(args[at..].to_vec()));
    Unwrapped { own: args[..at].to_vec(), inner: inner.into_iter().collect(), ..Unwrapped::default() }
}

/// `env -S TEXT WORD …`: the text is split into words, and those behind it are added.
fn env(args: &[Word]) -> Unwrapped {
    let Some(wrapper) = WRAPPERS.iter().find(|wrapper| wrapper.name == "env") else { return plain(args) };
    let mut unwrapped = rest_of(wrapper, args);
    let Some(text) = handed::values(args, &["S", "split-string"]).pop() else { return unwrapped };
    let rest = unwrapped.inner.drain(..).flat_map(|inner| match inner {
        Inner::Words(words) => words.into_iter().map(|word| quote(&word.text)).collect(),
        Inner::Text(text) => vec![text],
    });
    let text = std::iter::once(text).chain(rest).collect::<Vec<_>>().join(" ");
    let has_options = text.trim_start().starts_with('-');
    unwrapped.inner.push(Inner::Text(if has_options { format!("env {text}") } else { text }));
    unwrapped
}

/// `xargs -I NAME COMMAND`: where the name stands, its command has `{}`.
fn xargs(args: &[Word]) -> Unwrapped {
    let mut unwrapped = match WRAPPERS.iter().find(|wrapper| wrapper.name == "xargs") {
        Some(wrapper) => rest_of(wrapper, args),
        None => plain(args),
    };
    let own = unwrapped.own.clone();
    let own = own.iter().map(|word| word.text.as_str());
    let mut names = own.clone().zip(own.skip(1).chain([""])).filter_map(|(option, next)| match option {
        "-I" | "-J" => Some(next),
        "-i" | "--replace" => Some("{}"),
        _ => option.strip_prefix("--replace=").or_else(|| option.strip_prefix("-I")),
    });
    let name = names.next().filter(|name| !name.is_empty() && *name != "{}").map(str::to_owned);
    let words = unwrapped.inner.iter_mut().flat_map(|inner| match inner {
        Inner::Words(words) => words.as_mut_slice(),
        Inner::Text(_) => &mut [],
    });
    if let Some(name) = name {
        words.for_each(|word| word.text = word.text.replace(&name, "{}"));
    }
    unwrapped
}

/// `find … -exec COMMAND ;`
fn find(args: &[Word]) -> Unwrapped {
    until_end(args, &["-exec", "-execdir", "-ok", "-okdir"])
}

/// Commands that stand between one of `starts` and `;` or `+`.
fn until_end(args: &[Word], starts: &[&str]) -> Unwrapped {
    let mut unwrapped = Unwrapped::default();
    let mut inner: Option<Vec<Word>> = None;
    for arg in args {
        match &mut inner {
            Some(words)
                if arg.text == ";"
                    || (arg.text == "+" && words.last().is_some_and(|last| last.text == "{}")) =>
            {
                unwrapped.inner.extend(inner.take().map(Inner::Words));
            }
            Some(words) => {
                let filled = arg.text.contains("{}");
                words.push(Word { is_static: arg.is_static && !filled, ..arg.clone() });
            }
            None => {
                if starts.contains(&arg.text.as_str()) {
                    inner = Some(Vec::new());
                }
                unwrapped.own.push(arg.clone());
            }
        }
    }
    unwrapped.inner.extend(inner.map(Inner::Words));
    unwrapped
}

/// `parallel rm -rf ::: a b`
fn parallel(args: &[Word]) -> Unwrapped {
    let end = args.iter().position(|arg| arg.text.starts_with(":::")).unwrap_or(args.len());
    let wrapper = Wrapper {
        rest: Rest::Text,
        ..wrapper(
            "parallel",
            "jNnaISPCdL",
            &["jobs", "arg-file", "delay", "timeout", "max-args", "colsep", "joblog", "results", "sshlogin"],
            0,
        )
    };
    let mut unwrapped = rest_of(&wrapper, &args[..end]);
    if unwrapped.inner.is_empty() {
        // `parallel ::: 'a b' 'c d'`: each value is a command.
        let values = args[end..].iter().filter(|arg| !arg.text.starts_with(":::"));
        unwrapped.inner.extend(values.map(|value| Inner::Text(value.text.clone())));
        unwrapped.own = args.to_vec();
        return unwrapped;
    }
    for inner in &mut unwrapped.inner {
        if let Inner::Text(text) = inner {
            let values: Vec<&str> = args[end..].iter().skip(1).map(|arg| arg.text.as_str()).collect();
            if text.contains("{}") {
                *text = text.replacen(
                    "{}",
                    &values.iter().map(|value| quote(value)).collect::<Vec<_>>().join(" "),
                    1,
                );
            } else {
                text.push(' ');
                text.push_str(&if values.is_empty() {
                    marks::OUTPUT_TEXT.to_owned()
                } else {
                    values.join(" ")
                });
            }
        }
    }
    unwrapped.own.extend_from_slice(&args[end..]);
    unwrapped
}

/// `kubectl exec POD -- COMMAND`
fn after_dashes(args: &[Word]) -> Unwrapped {
    let Some(end) = args.iter().position(|arg| arg.text == "--") else { return plain(args) };
    let mut unwrapped = plain(&args[..=end]);
    if args.len() > end + 1 {
        unwrapped.inner.push(Inner::Words(args[end + 1..].to_vec()));
    }
    unwrapped
}

/// `git submodule foreach TEXT`, `git rebase --exec TEXT`, `git filter-branch --tree-filter TEXT`.
fn git(args: &[Word]) -> Unwrapped {
    let mut unwrapped = plain(args);
    let runs = args.iter().any(|arg| matches!(arg.text.as_str(), "rebase" | "difftool"));
    for (at, arg) in args.iter().enumerate() {
        let text = arg.text.as_str();
        if text == "foreach" {
            let rest: Vec<Word> =
                args[at + 1..].iter().skip_while(|arg| arg.text.starts_with('-')).cloned().collect();
            unwrapped.inner.push(Inner::Text(joined(&rest)));
            break;
        } else if text.ends_with("-filter") || (runs && matches!(text, "--exec" | "-x")) {
            unwrapped.inner.extend(args.get(at + 1).map(|arg| Inner::Text(arg.text.clone())));
        }
    }
    unwrapped
}

/// `docker exec CONTAINER COMMAND`, `poetry run COMMAND`.
fn runner(name: &str, args: &[Word]) -> Unwrapped {
    let words = |parts: &[&str]| {
        args.iter().zip(parts).filter(|(arg, part)| arg.text == **part).count() == parts.len()
    };
    let Some((_, parts, short, skip)) =
        RUNNERS.iter().find(|(tool, parts, ..)| *tool == name && args.len() >= parts.len() && words(parts))
    else {
        return plain(args);
    };
    let wrapper = Wrapper { skip: *skip, ..wrapper("", short, RUNNER_VALUES, 0) };
    let mut unwrapped = rest_of(&wrapper, &args[parts.len()..]);
    unwrapped.own.splice(0..0, args[..parts.len()].iter().cloned());
    unwrapped
}
