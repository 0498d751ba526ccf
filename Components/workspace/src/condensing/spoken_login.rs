//! Secrets that somebody logs in with or sets, where no word for a password stands: `as admin:Sup3rS3cret`, `user ci with pass Winter2024!`,
//! `unlock the vault with code 99182`, `set DEPLOY_KEY to …`.

use super::named::Named;
use super::spoken_word::{SpokenWord, spoken};

/// Whether these words give what opens something.
pub(super) fn gives_access(words: &[SpokenWord<'_>]) -> bool {
    (0..words.len()).any(|at| {
        logs_in_with(&words[at..])
            || opens_with(words, at)
            || is_stroke(words, at)
            || is_pair(words, at)
            || is_pass(words, at)
            || is_code(words, at)
            || is_set(words, at)
    })
}

/// Who does these says who he is.
const ENTERS: &[&str] =
    &["connect", "connecting", "login", "log", "logging", "sign", "signing", "authenticate", "ssh", "auth"];
/// In front of a name and what proves it.
const WHO: &[&str] = &["as", "user", "username", "login", "account", "auth", "creds", "credentials"];
/// Who logs in, or that somebody does.
const USERS: &[&str] = &["user", "username", "login", "account", "log", "connect", "ssh", "authenticate"];
/// What a code opens.
const LOCKED: &[&str] = &[
    "unlock",
    "unlocking",
    "disarm",
    "vault",
    "door",
    "gate",
    "safe",
    "locker",
    "alarm",
    "login",
    "authenticate",
    "verify",
];
fn is(word: &SpokenWord<'_>, list: &[&str]) -> bool {
    list.contains(&word.bare.to_lowercase().as_str())
}

fn is_plain(word: &SpokenWord<'_>) -> bool {
    word.stands_for_another() || word.is_code() || word.is_technical()
}

/// Letters and digits, or a sign among letters: no word of prose.
fn is_odd(word: &SpokenWord<'_>) -> bool {
    let is_mixed = word.has_letter_and_digit() || word.has_sign_inside();
    word.is_jumbled() || (word.bare.len() >= 6 && is_mixed && !is_plain(word))
}

/// What stands where a value is to be expected, and is no word: also with the signs of base64 in it, which elsewhere make a path.
fn is_odd_value(word: &SpokenWord<'_>) -> bool {
    is_odd(word) || (word.bare.len() >= 6 && word.is_encoded())
}

/// `Log in as ops with hunter22`: what somebody logs in with, where it is no method by its look.
fn logs_in_with(words: &[SpokenWord<'_>]) -> bool {
    let opens = match words {
        [first, second, ..] if is(second, &["in", "on"]) => is(first, &["log", "sign", "logging", "signing"]),
        [first, ..] => is(first, &["login", "authenticate"]),
        [] => false,
    };
    let mut pairs = words.windows(2).take(9);
    opens && pairs.any(|pair| is(&pair[0], &["with", "using", "by"]) && is_odd(&pair[1]))
}

/// `Unlock the vault with Sup3rS3cret!`, `connect as admin with Sup3rS3cret`, and a lone number behind `unlock`.
fn opens_with(words: &[SpokenWord<'_>], at: usize) -> bool {
    let (with, value) = match &words[at..] {
        [with, the, value, ..] if is(the, &["the"]) => (with, value),
        [with, value, ..] => (with, value),
        _ => return false,
    };
    let before = &words[at.saturating_sub(8)..at];
    let unlocks = before.iter().any(|word| is(word, &["unlock", "unlocking", "disarm"]));
    let opens = before.iter().any(|word| is(word, &["open", "opening"]))
        && before.iter().any(|word| is(word, &["vault", "door", "gate", "safe", "locker"]));
    let enters = before.windows(2).any(|pair| is(&pair[0], &["as"]) && !is(&pair[1], &["the", "a", "an"]))
        && before.iter().any(|word| is(word, ENTERS));
    let is_number = value.bare.len() > 3 && value.bare.bytes().all(|byte| byte.is_ascii_digit());
    is(with, &["with", "using", "by"])
        && (((unlocks || opens) && (is_odd(value) || is_number)) || (enters && is_odd(value)))
}

/// `With admin/Sup3rS3cret`, `as admin / hunter22`: who he is, and behind the stroke what proves it.
fn is_stroke(words: &[SpokenWord<'_>], at: usize) -> bool {
    let enters = || {
        let before = &words[..at];
        before.iter().any(|word| is(word, ENTERS)) || before.last().is_some_and(|last| is(last, WHO))
    };
    let is_name = |name: &str| name.len() > 1 && name.bytes().all(|byte| byte.is_ascii_alphabetic());
    match &words[at..] {
        [user, stroke, value, ..] if stroke.bare == "/" => is_name(user.bare) && is_odd(value) && enters(),
        [pair, ..] => pair.bare.split_once('/').is_some_and(|(user, value)| {
            is_name(user) && spoken(value).iter().any(is_odd) && !value.contains(['/', '.']) && enters()
        }),
        [] => false,
    }
}

/// `As admin:Sup3rS3cret`, `admin:Sup3rS3cret at the host`: a name, and behind its colon what is no word.
fn is_pair(words: &[SpokenWord<'_>], at: usize) -> bool {
    let [name, value, rest @ ..] = &words[at..] else { return false };
    let is_name =
        name.is_joined() && name.bare.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.'));
    let before = at.checked_sub(1).map(|at| &words[at]);
    let is_who = before.is_some_and(|before| is(before, WHO));
    let enters = words[..at].iter().any(|word| is(word, ENTERS));
    let is_there = rest.first().is_some_and(|next| is(next, &["at", "@"]));
    let is_word = value.bare.len() >= 4 && value.bare.chars().any(char::is_alphabetic) && !is_plain(value);
    let has_capital = value.bare.chars().skip(1).any(char::is_uppercase) || value.has_sign_inside();
    is_name
        && ((is_who && (is_odd_value(value) || (enters && is_word)))
            || (is_there && is_odd(value) && has_capital))
}

/// `With pass Winter2024!`, `user ci with pass swordfish`, `pass: x1y2z3`; `pass 2 of the compiler` and `pass arg1 on` give nothing.
fn is_pass(words: &[SpokenWord<'_>], at: usize) -> bool {
    let [pass, value, ..] = &words[at..] else { return false };
    let value = if is(value, &["is", "was"]) { words.get(at + 2).unwrap_or(value) } else { value };
    let is_set = pass.ends_with_mark() || is(&words[at + 1], &["is", "was"]);
    let before = at.checked_sub(1).map(|at| &words[at]);
    let is_given = before.is_some_and(|before| is(before, &["with", "using", "and", "by"]));
    let has_user = words[..at].iter().any(|word| is(word, USERS));
    let is_told = before.is_some_and(|before| is(before, &["with", "using"]));
    let is_word = value.bare.len() >= 4 && !is_plain(value) && value.is_unlike_a_state();
    let is_odd = is_odd(value) || (value.has_letter_and_digit() && !is_plain(value) && value.bare.len() > 3);
    let is_verb = before.is_some_and(|before| is(before, &["and"])) && !has_user;
    is(pass, &["pass"]) && ((is_odd && (is_given || is_set) && !is_verb) || (has_user && is_told && is_word))
}

/// `Unlock the vault with code 99182`; `close the socket with code 1008` opens nothing.
fn is_code(words: &[SpokenWord<'_>], at: usize) -> bool {
    let [code, value, ..] = &words[at..] else { return false };
    let value = if is(value, &["is", "was", "number"]) { words.get(at + 2).unwrap_or(value) } else { value };
    let digits = value.bare.bytes().filter(u8::is_ascii_digit).count();
    let is_number = digits > 3 && value.bare.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    let opens = words[..at].iter().any(|word| is(word, LOCKED))
        || words[..at].windows(2).any(|pair| is(&pair[0], &["log", "sign"]) && is(&pair[1], &["in", "on"]));
    let is_given =
        at.checked_sub(1).is_some_and(|at| is(&words[at], &["with", "using", "the", "by", "and", "its"]));
    is(code, &["code", "combination"]) && is_given && is_number && opens
}

/// `Set AWS_SECRET_ACCESS_KEY to wJalr…`: a name of code that ends as secrets do, and behind `to`, `is`, `=` or `with` its value, or right
/// behind it what is none of its words; or `put hunter22 into db.password`.
fn is_set(words: &[SpokenWord<'_>], at: usize) -> bool {
    let Some(named) = Named::of(words[at].bare) else { return false };
    let link = |word: &&SpokenWord<'_>| {
        word.bare.is_empty() || is(word, &["to", "is", "as", "with", "value", "the"])
    };
    let is_secret = named == Named::Secret;
    let links = words[at + 1..].iter().take_while(link).count();
    let is_set = links > 0 || words[at].sets_next();
    let is_told = words.get(at + 1 + links).is_some_and(|value| {
        let is_word = is_secret && links < 2 && value.is_all() && !value.stands_for_another();
        is_odd_value(value) && (is_set || is_secret) || (is_set && is_word)
    });
    is_told || (is_secret && is_put(&words[..at]))
}

/// `Put hunter22 into`, in front of the name that it is kept under.
fn is_put(before: &[SpokenWord<'_>]) -> bool {
    let before = match before {
        [before @ .., the] if is(the, &["the"]) => before,
        before => before,
    };
    let [.., value, into] = before else { return false };
    is(into, &["into", "in", "to", "as", "under"]) && is_odd_value(value)
}

#[cfg(test)]
mod tests {
    use super::super::spoken_word::all_spoken;
    use super::*;

    /// What must never leave the machine.
    const GIVEN: &[&str] = &[
        "Set `AWS_SECRET_ACCESS_KEY` to wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY.",
        "Set AWS_SECRET_ACCESS_KEY to wJalrXUtnFEMIKMDENGbPxRfiCYEXAMPLEKEY",
        "Export `STRIPE_KEY` as 4eC39HqLyjWDarjtT1zdp7dc",
        "Start the job with DB_PASSWORD = swordfish.",
        "Set `DB_PASSWORD` to swordfish.",
        "Set DEPLOY_TOKEN to opensesame, then run the job",
        "Set `DEPLOY_TOKEN` to `opensesame` in the job",
        "Set DB_PASSWORD to swordfish",
        "The value of DEPLOY_TOKEN is a81c-77f2-0b",
        "Set `api-key` to k91zz40b77",
        "Set `api-key` to ./k91zz40b77",
        "Set dbPassword to /k91zz40b77",
        "Unlock the vault with ~/k91zz40b77",
        "Give `SMTP_PASS` as Tr0ub4dor to the mailer",
        "Set SIGNING_SECRET to the value Zx81qqv7aa",
        "Use user ci with pass Winter2024! for staging.",
        "Use user ci with pass swordfish for staging",
        "Log in as ci and pass hunter2 to the box",
        "Connect with pass Winter2024 to the box",
        "The pass is Winter2024 on staging",
        "Pass: tr0ub4dor",
        "Connect as admin:Sup3rS3cret at the host prior to testing.",
        "Log in as admin:swordfish",
        "Use admin:Sup3rS3cret at the staging host",
        "Use the account ci:hunter22 for uploads",
        "Use basic auth bob:letmein99 on the mirror",
        "SSH as ops:Winter-2024! before the drill",
        "Unlock the vault with code 99182 prior to testing.",
        "Open the door with code 4711",
        "Log in to the console with code 123456",
        "Disarm the alarm, the code is 83920",
        "Log in as ops with hunter22",
        "Sign in to the console using letmein9 and wait",
    ];
    /// What is an ordinary rule.
    const ORDINARY: &[&str] = &[
        "Use pass 2 of the compiler",
        "Run pass 100 with the profiler",
        "Set the exit code to 2",
        "Return code 99",
        "Exit with code 10000 where the budget is spent",
        "Close the socket with code 1008 on a policy violation",
        "Open the file and fail with code 1045",
        "Respond with code 404",
        "Verify that the exit code is 2",
        "Pass arg1 and pass arg2 to the callee",
        "Fork and pass fd3data to the child",
        "Pass x86 flags to the linker",
        "Build with pass manager enabled",
        "Compile with pass timing on",
        "Tests must pass on main",
        "Connect to localhost:8080",
        "Connect as the service account",
        "Pull postgres:16alpine at the start",
        "Use node:lts20 on the runner",
        "Run redis:alpine3 on the host",
        "Log in as the user:group pair of the file",
        "Write the map as key:value pairs",
        "Sort by user:name at the end",
        "Keep std::collections::HashMap at the top",
        "Set `API_KEY` from the vault",
        "Set `API_KEY` to $SECRET",
        "Set `API_KEY` to `<key>`",
        "Set `SORT_KEY` to name",
        "Set `CACHE_KEY` to the hash of the lock file",
        "Set `CACHE_KEY` to sha256",
        "Read `DEPLOY_TOKEN` from the environment",
        "Set `DEPLOY_TOKEN` to the token of the job",
        "Never set `DB_PASSWORD` to a word of the dictionary",
        "Unset `DB_PASSWORD` as soon as the job ends",
        "Keep `primary-key` as the first column",
        "Set `max_tokens` to 4096",
        "Set `PORT` to 8080 and `HOST` to localhost",
        "Log in to the runner with SSO",
        "Authenticate with mTLS or OAuth2",
        "Open the door panel of the rack with code owners",
        "Unlock the mutex before returning code 1045",
        "Read VERCEL_TOKEN: `grep '^VERCEL_TOKEN=' .env`",
        "Export it as VERCEL_TOKEN: `export VERCEL_TOKEN=$(grep '^<NAME>=' .env | cut -d= -f2-)`",
        "Hand it over as a file and pass reviewer file paths",
        "Log in as the user and pass both flags",
    ];

    #[test]
    fn what_opens_something_is_told_from_what_looks_like_it() {
        let gives = |text: &str| gives_access(&all_spoken(text));
        let missed: Vec<_> = GIVEN.iter().filter(|text| !gives(text)).collect();
        let held_back: Vec<_> = ORDINARY.iter().filter(|text| gives(text)).collect();
        assert!(missed.is_empty() && held_back.is_empty(), "missed {missed:#?}, held back {held_back:#?}");
    }
}
