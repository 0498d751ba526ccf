//! A light look into code of other languages: which commands it starts, and which files it deletes.
//!
//! No grammar: the names of well-known calls, and the string literals behind them.

mod input;
mod sweeps;

pub(crate) use self::input::{Input, input};
use crate::{Word, wrapper::Inner};

/// A call that runs a command: what follows is a string for a shell, or strings for its words.
const RUNS: &[&str] = &[
    "os.system",
    "os.popen",
    "subprocess.run",
    "subprocess.call",
    "subprocess.Popen",
    "subprocess.check_output",
    "subprocess.check_call",
    "subprocess.getoutput",
    "subprocess.getstatusoutput",
    "pty.spawn",
    "os.execv",
    "os.execvp",
    "os.execl",
    "os.execlp",
    "os.spawnl",
    "os.spawnv",
    "commands.getoutput",
    "execSync",
    "execFileSync",
    "execFile",
    "spawnSync",
    "spawn",
    "exec",
    "system",
    "popen",
    "Bun.spawn",
    "Bun.spawnSync",
    "Deno.Command",
    "Deno.run",
    "System.cmd",
    "System.shell",
    "os.cmd",
    "shell_exec",
    "passthru",
    "proc_open",
    "check_output",
    "check_call",
    "Popen",
    "os.execute",
    "io.popen",
    "do shell script",
    "qx",
    "%x",
    "Open3.capture2",
    "Kernel.exec",
    "run",
    "call",
];

/// A call that deletes or changes files, and the command that does the same.
const DOES: &[(&str, &[&str])] = &[
    ("shutil.rmtree", &["rm", "-rf"]),
    ("rmtree", &["rm", "-rf"]),
    ("FileUtils.rm_rf", &["rm", "-rf"]),
    ("FileUtils.rm_r", &["rm", "-r"]),
    ("FileUtils.remove_dir", &["rm", "-rf"]),
    ("FileUtils.remove_entry_secure", &["rm", "-rf"]),
    ("FileUtils.rm", &["rm"]),
    ("File.delete", &["rm"]),
    ("File.unlink", &["rm"]),
    ("Dir.rmdir", &["rmdir"]),
    ("os.remove", &["rm"]),
    ("os.unlink", &["rm"]),
    ("os.rmdir", &["rmdir"]),
    ("os.removedirs", &["rmdir"]),
    ("fs.rmSync", &["rm", "-rf"]),
    ("fs.rm", &["rm", "-rf"]),
    ("rmSync", &["rm", "-rf"]),
    ("fs.rmdirSync", &["rm", "-r"]),
    ("rmdirSync", &["rm", "-r"]),
    ("fs.unlinkSync", &["rm"]),
    ("unlinkSync", &["rm"]),
    ("fs.unlink", &["rm"]),
    ("rimraf", &["rm", "-rf"]),
    ("remove_tree", &["rm", "-rf"]),
    ("unlink", &["rm"]),
    ("Deno.remove", &["rm", "-rf"]),
    ("Deno.removeSync", &["rm", "-rf"]),
    ("os.chmod", &["chmod"]),
    ("File.rm_rf", &["rm", "-rf"]),
    ("File.rm", &["rm"]),
    ("deleteDir", &["rm", "-rf"]),
];

/// The modules that these calls stand in, which may go by other names.
const MODULES: &[&str] = &["os", "subprocess", "shutil", "pty", "commands"];

/// How many calls are told of one code.
const MOST_CALLS: usize = 256;
/// How many folders are told that a code goes through.
const MOST_ROOTS: usize = 32;
/// How far behind a call its strings are looked for.
const REACH: usize = 65_536;

/// The commands that a code starts, in order.
pub(crate) fn commands(language: &str, code: &str) -> Vec<Inner> {
    let mut found = Vec::new();
    let mut budget = 2 * code.len() + 1024;
    let mut start = 0;
    let aliases = sweeps::aliases(code, |name| {
        let last = name.rsplit(['.', ':']).next().unwrap_or_default();
        let is = |known: &str| known.rsplit('.').next() == Some(last);
        MODULES.contains(&name)
            || !last.is_empty() && (RUNS.iter().any(|run| is(run)) || DOES.iter().any(|(does, _)| is(does)))
    });
    let mut roots: Vec<Word> = Vec::new();
    let mut deletes_unknown = false;
    let ends = code.char_indices().filter(|(_, c)| !is_name(*c)).map(|(at, c)| (at, c.len_utf8()));
    for (end, len) in ends.chain([(code.len(), 0)]) {
        if found.len() >= MOST_CALLS {
            break;
        }
        let name = code.get(start..end).unwrap_or_default();
        start = end + len;
        if name.is_empty() && !code[end..].starts_with('`') {
            continue;
        }
        let behind = code.get(end..).unwrap_or_default();
        let before = code.get(..end - name.len()).unwrap_or_default();
        if name.starts_with('.') && !before.ends_with(')') && !(language == "groovy" && name == ".execute") {
            continue; // `/regex/.exec("…")` runs nothing
        }
        let name = &*sweeps::meant(&aliases, name);
        if roots.len() < MOST_ROOTS {
            roots.extend(sweeps::root(language, name, before, behind));
        }
        if let Some(inner) = call(language, name, before, behind, &mut budget) {
            deletes_unknown |= sweeps::is_unknown_deletion(&inner);
            found.push(inner);
        }
    }
    if deletes_unknown {
        let each = |root: Word| Inner::Words(vec![Word::known("rm"), Word::known("-rf"), root]);
        found.extend(roots.into_iter().map(each));
    }
    backticks(language, code, &mut found);
    if language == "awk" {
        found.extend(pipes(code));
    }
    if language == "osascript"
        && let Some((_, text)) = code.split_once("do shell script").or_else(|| code.split_once("do script"))
    {
        found.extend(strings(text, &mut budget).into_iter().next().map(Inner::Text));
    }
    found
}

/// What the code of an interpreter prints: the texts behind `print` and its like.
pub(crate) fn printed(language: &str, args: &[Word]) -> Option<String> {
    const PRINTS: &[&str] = &["print", "println", "console.log", "puts", "echo", "say", "write", "printf"];
    let options = crate::program::code_options(language);
    let code = crate::handed::values(args, options).pop()?;
    let mut budget = 2 * code.len() + 1024;
    let mut texts = Vec::new();
    for name in PRINTS {
        for (at, _) in code.match_indices(name).take(MOST_CALLS) {
            let behind = &code[at + name.len()..];
            if behind.starts_with([' ', '(', '"', '\'']) {
                texts.extend(strings(behind.trim_start(), &mut budget).into_iter().next());
            }
        }
    }
    (!texts.is_empty()).then(|| texts.join("\n") + "\n")
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '%')
}

/// What a name with what stands behind it does.
fn call(language: &str, name: &str, before: &str, behind: &str, budget: &mut usize) -> Option<Inner> {
    if name.is_empty() || name.len() > 64 {
        return None;
    }
    let name = name.replace("::", ".");
    let last = name.rsplit('.').next().unwrap_or_default();
    if language == "julia" && name == "rm" {
        let recursive = if behind.contains("recursive") { "-rf" } else { "-f" };
        let words = [Word::known("rm"), Word::known(recursive)];
        return Some(Inner::Words(words.into_iter().chain(arguments(before, behind, budget)).collect()));
    }
    if language == "vim" && name == "delete" {
        let path = strings(behind, budget).into_iter().next()?;
        return Some(Inner::Words(["rm", "-rf", &path].map(Word::known).to_vec()));
    }
    if language == "groovy" && name.trim_start_matches('.') == "execute" {
        return Some(Inner::Text(owner(before).text));
    }
    let quoted = if matches!(language, "perl" | "ruby") { quoted(behind) } else { None };
    let opens = quoted.is_some()
        || behind.trim_start().trim_start_matches('!').starts_with(['(', '"', '\'', '{', '[', '$']);
    let fits = |known: &str| {
        name == known || name.ends_with(&format!(".{known}")) || (!known.contains('.') && last == known)
    };
    // Perl's takes a list without brackets, and `$_` where there is none.
    let opens_does =
        opens || language == "perl" && last == "unlink" && !before.ends_with(['$', '@', '%', '&', '>']);
    if let Some((_, words)) = DOES.iter().find(|(known, _)| opens_does && fits(known)) {
        let mut words: Vec<Word> = words.iter().map(|word| Word::known(*word)).collect();
        words.extend(arguments(before, behind, budget));
        return Some(Inner::Words(words));
    }
    let method = matches!(last, "exec" | "run" | "call" | "spawn" | "system");
    // `re.exec("…")` and `app.run("…")` run nothing.
    let known = |name: &str| match name {
        "run" | "call" => !matches!(language, "python" | "julia"),
        "exec" => language == "python",
        _ => false,
    };
    if !opens || !RUNS.iter().any(|run| fits(run) && !known(run)) {
        return None;
    }
    if method
        && name.contains('.')
        && !RUNS.contains(&name.as_str())
        && !["child_process", "cp", "Kernel", "shell", "subprocess", "sp", "process", "os", "pty", "execa"]
            .iter()
            .any(|owner| name.starts_with(owner))
        && !name.starts_with('.')
    {
        return None;
    }
    let mut texts = quoted.unwrap_or_else(|| strings(behind, budget));
    if texts.is_empty() {
        texts.extend(sweeps::assigned(before, behind));
    }
    let is_list = behind.trim_start_matches(['(', ' ']).starts_with('[')
        || texts.len() > 1
            && matches!(
                last,
                "spawn"
                    | "Command"
                    | "cmd"
                    | "spawnSync"
                    | "execFile"
                    | "execFileSync"
                    | "execl"
                    | "execlp"
                    | "system"
                    | "exec"
                    | "execvp"
                    | "execv"
            );
    match texts.split_first() {
        None => None,
        Some((first, more)) if is_list && !first.contains(' ') => {
            let mut words = vec![Word::known(first.clone())];
            words.extend(more.iter().cloned().map(Word::known));
            Some(Inner::Words(words))
        }
        Some((first, _)) => Some(Inner::Text(first.clone())),
    }
}

/// The arguments behind a call as words: its strings, or its text when it has none.
fn arguments(before: &str, behind: &str, budget: &mut usize) -> Vec<Word> {
    let texts = strings(behind, budget);
    if texts.is_empty() && behind.starts_with("()") {
        return vec![owner(before)];
    }
    if texts.is_empty()
        && let Some(text) = sweeps::assigned(before, behind).or_else(|| sweeps::pattern(behind))
    {
        return vec![Word::known(text)];
    }
    if texts.is_empty() {
        let inside = behind.trim_start().trim_start_matches('(');
        let end = inside.find([')', ',', ';', '\n']).unwrap_or(inside.len()).min(256);
        return vec![Word {
            text: inside.get(..end).unwrap_or_default().trim().to_owned(),
            ..Word::default()
        }];
    }
    texts.into_iter().map(Word::known).collect()
}

/// Perl's `qw(rm -rf x)` and Ruby's `%w[rm -rf x]`, and a text by `q(…)` or `qq{…}`.
fn quoted(behind: &str) -> Option<Vec<String>> {
    let text = behind.trim_start().trim_start_matches(['(', ' ', '*']);
    let len = ["qw", "%w", "qq", "%q", "q"].iter().find(|sign| text.starts_with(**sign))?.len();
    let (is_list, rest) = (text[..len].ends_with('w'), text[len..].trim_start());
    let close = match rest.chars().next()? {
        '(' => ')',
        '{' => '}',
        '[' => ']',
        '<' => '>',
        c @ ('/' | '|' | '!' | '#' | '~') => c,
        _ => return None,
    };
    let end = rest.char_indices().skip(1).take(4096).find(|(_, c)| *c == close)?.0;
    let inside = &rest[1..end];
    let words = inside.split_whitespace().map(str::to_owned);
    Some(if is_list { words.collect() } else { vec![inside.to_owned()] }).filter(|texts| !texts.is_empty())
}

/// The last string before a call without arguments: `x` in `Path("x").unlink()`.
fn owner(before: &str) -> Word {
    let mut parts = before.rsplit(['\'', '"']);
    let near = parts.next().is_some_and(|rest| rest.len() < 64);
    match parts.next().filter(|text| near && text.len() < 4096) {
        Some(text) => Word::known(text),
        None => Word { text: crate::marks::OUTPUT_TEXT.to_owned(), ..Word::default() },
    }
}

/// The string literals of one call, up to its closing bracket or the end of the statement.
fn strings(behind: &str, budget: &mut usize) -> Vec<String> {
    let mut texts = Vec::new();
    let mut depth = 0_i32;
    let mut chars = behind.char_indices();
    while let Some((at, c)) = chars.next() {
        if at > REACH || *budget == 0 {
            break;
        }
        *budget -= 1;
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth <= 1 => break,
            ')' | ']' | '}' => depth -= 1,
            ';' | '\n' if depth == 0 => break,
            '\'' | '"' | '`' => {
                let mut text = String::new();
                while let Some((_, inner)) = chars.next() {
                    *budget = budget.saturating_sub(1);
                    match inner {
                        _ if inner == c => break,
                        '\\' => match chars.next() {
                            Some((_, 'n')) => text.push('\n'),
                            Some((_, escaped)) => text.push(escaped),
                            None => {}
                        },
                        _ => text.push(inner),
                    }
                }
                if !(text.is_empty() && texts.is_empty()) {
                    texts.push(text);
                }
            }
            _ => {}
        }
    }
    texts
}

/// The strings beside a pipe of awk: `print | "rm x"`, `"date" | getline`.
fn pipes(code: &str) -> Vec<Inner> {
    let mut found = Vec::new();
    let parts: Vec<&str> = code.split('"').take(4 * MOST_CALLS).collect();
    for (at, text) in parts.iter().enumerate().skip(1).step_by(2) {
        let before = parts[at - 1].trim_end().ends_with(['|', '&']) && parts[at - 1].contains('|');
        let behind = parts.get(at + 1).is_some_and(|behind| behind.trim_start().starts_with('|'));
        let doubled = |part: &str| part.trim().ends_with("||") || part.trim_start().starts_with("||");
        let or = doubled(parts[at - 1])
            || parts.get(at + 1).is_some_and(|behind| behind.trim_start().starts_with("||"));
        if (before || behind) && !or {
            found.push(Inner::Text((*text).to_owned()));
        }
    }
    found
}

/// Ruby's and Perl's `` `…` ``, `%x(…)` and `qx{…}`.
fn backticks(language: &str, code: &str, found: &mut Vec<Inner>) {
    if !matches!(language, "ruby" | "perl" | "php") {
        return;
    }
    let texts = code.split('`').skip(1).step_by(2).filter(|text| !text.is_empty());
    found.extend(texts.take(MOST_CALLS).map(|text| Inner::Text(text.to_owned())));
    for opener in ["%x", "qx"] {
        for (at, _) in code.match_indices(opener).take(MOST_CALLS) {
            let rest = &code[at + opener.len()..];
            let close = match rest.chars().next() {
                Some('(') => ')',
                Some('{') => '}',
                Some('[') => ']',
                Some(c @ ('/' | '|' | '!')) => c,
                _ => continue,
            };
            let inside = rest.get(1..rest.len().min(4096)).and_then(|inside| inside.split(close).next());
            found.extend(inside.map(|text| Inner::Text(text.to_owned())));
        }
    }
}
