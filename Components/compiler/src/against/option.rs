//! Options of commands: the short one of a long one, and what switches a check off.

use super::said::tokens_of_shell;

/// A short option, its long ones, and the programs of which it is another option.
const SHORT: &[(char, &[&str], &[&str])] = &[
    (
        'f',
        &["force"],
        &["awk", "compose", "cut", "grep", "journalctl", "kubectl", "make", "sed", "tail", "tar", "test"],
    ),
    ('n', &["no-verify"], &["echo", "grep", "head", "journalctl", "sed", "sort", "tail", "xargs"]),
    ('y', &["yes", "assume-yes"], &[]),
    ('k', &["insecure"], &["keyword", "pytest", "sort"]),
    ('r', &["recursive"], &["read", "sed", "xargs"]),
    ('i', &["in-place", "interactive"], &["grep", "cargo"]),
    ('a', &["all"], &[]),
    ('d', &["delete"], &["curl", "date", "docker"]),
];

/// The words that the short options of a command stand for: `git push -f` has `force`.
pub(super) fn words_of_short(command: &str) -> Vec<&'static str> {
    let tokens: Vec<&str> = tokens_of_shell(command).collect();
    tokens.iter().flat_map(|token| longs(token, &tokens)).collect()
}

/// The words that the options of a command stand for, in either form.
fn words_of_options(command: &str) -> Vec<&str> {
    let long_ones = tokens_of_shell(command).filter_map(long);
    words_of_short(command).into_iter().chain(long_ones).collect()
}

/// Whether all words of `command` stand in `text` in this order, an option in its short or its long form.
pub(super) fn runs(text: &str, command: &str) -> bool {
    let all: Vec<String> = unbundled(text);
    let said: Vec<&str> = all.iter().map(String::as_str).collect();
    let mut left = said.iter();
    let wanted = unbundled(command);
    !wanted.is_empty() && wanted.iter().all(|word| left.any(|token| is_same(token, word, &said)))
}

/// The words of a command, its short options one by one and in order: `-r -f` and `-fr` are `-rf`.
fn unbundled(command: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut letters: Vec<char> = Vec::new();
    let put = |letters: &mut Vec<char>, words: &mut Vec<String>| {
        letters.sort_unstable();
        letters.dedup();
        words.extend(letters.drain(..).map(|letter| format!("-{letter}")));
    };
    for token in tokens_of_shell(command) {
        if is_cluster(token) {
            letters.extend(token.chars().skip(1));
        } else {
            put(&mut letters, &mut words);
            words.push(token.to_owned());
        }
    }
    put(&mut letters, &mut words);
    words
}

/// What `--no-verify` leaves out: `verify`.
pub(super) fn left_out(command: &str) -> impl Iterator<Item = &str> {
    words_of_options(command)
        .into_iter()
        .filter_map(|option| {
            ["no-", "skip-", "disable-", "without-", "ignore-"].iter().find_map(|no| option.strip_prefix(no))
        })
        .flat_map(|rest| rest.split('-'))
}

/// Marks in code and commands that switch a check off, in lower case.
const SWITCHES: &[&str] = &[
    "--no-",
    "--skip",
    "--ignore",
    "--disable",
    "#[allow",
    "#[ignore",
    "#[cfg(any())]",
    "# noqa",
    "#noqa",
    "nolint",
    "# type: ignore",
    "eslint-disable",
    "@ts-ignore",
    "@ts-nocheck",
    "prettier-ignore",
    "rustfmt::skip",
    "|| true",
    "|| :",
    "2>/dev/null",
    "set +e",
    "continue-on-error",
    "allow_failure",
    "allow-failure",
    "xfail",
    "@skip",
    ".skip(",
    "@disabled",
    "@ignore",
    "pragma: no cover",
    "skip ci",
    "skip-checks",
];

/// Whether a text holds a mark that switches a check off.
pub(super) fn switches_off(text: &str) -> bool {
    let text = text.to_lowercase();
    let is_bypass = words_of_options(&text).into_iter().any(|option| option == "no-verify");
    is_bypass && text.contains("commit") || SWITCHES.iter().any(|mark| text.contains(mark))
}

fn is_same(token: &str, word: &str, said: &[&str]) -> bool {
    // `HEAD:main` leads to `main`.
    let end = || token.rsplit([':', '/']).next().unwrap_or(token);
    token.eq_ignore_ascii_case(word)
        || end().eq_ignore_ascii_case(word)
        || long(word).is_some_and(|word| longs(token, said).contains(&word))
        || long(token).is_some_and(|token| longs(word, said).contains(&token))
        || is_cluster(token) && is_cluster(word) && word.chars().skip(1).all(|letter| token.contains(letter))
}

fn long(token: &str) -> Option<&str> {
    token
        .strip_prefix("--")
        .filter(|word| !word.is_empty())
        .map(|word| word.split('=').next().unwrap_or(word))
}

/// The long options of `-f`, or of `-fq`, in a command of these words.
fn longs(token: &str, said: &[&str]) -> Vec<&'static str> {
    if !is_cluster(token) {
        return Vec::new();
    }
    let rows = SHORT
        .iter()
        .filter(|(letter, _, not)| token.contains(*letter) && !said.iter().any(|word| not.contains(word)));
    rows.flat_map(|(_, longs, _)| longs.iter().copied()).collect()
}

/// `-f`, `-fq`: a minus and up to three letters.
fn is_cluster(token: &str) -> bool {
    let letters = token.strip_prefix('-').unwrap_or("");
    (1..=3).contains(&letters.len()) && letters.chars().all(|c| c.is_ascii_alphabetic())
}
