//! The line of a comment that judges the code under it: `BAD: copies the whole file` reads `NEVER copy the whole file`, so that the line
//! says the same where it stands alone.

use mentci_authority::Level;

use super::lexicon::{is_nounish, is_verb};
use super::word::of_other_language;

/// What a comment is to read, behind its `BAD:` or its mark; none where it only tells of the sample. `whole` has the label.
pub(crate) fn judgement(level: Level, said: &str, whole: &str) -> Option<String> {
    if tells(said) || level.is_prohibition() && tells_effect(said) {
        return None;
    }
    let (labelled, said) = (said.len() < whole.len(), without_pronoun(said));
    if level.is_prohibition() {
        return forbidden(said, labelled);
    }
    Some(acting(said).map_or_else(|| whole.to_owned(), |act| raised(&act)))
}

/// Whether a line says by a word of its own that it forbids.
pub(crate) fn says_no(text: &str) -> bool {
    const WHOLE: &[&str] = &[
        "never",
        "not",
        "no",
        "avoid",
        "avoided",
        "dont",
        "donts",
        "cannot",
        "without",
        "nothing",
        "none",
        "nobody",
        "neither",
        "nor",
        "stop",
        "refrain",
        "abstain",
        "away",
        "clear",
        "resist",
        "cease",
        "quit",
        "skip",
        "instead",
        "rather",
        "unless",
        "except",
        "only",
        "zero",
        "hardly",
        "rarely",
        "seldom",
        "bad",
        "wrong",
        "deprecated",
        "off",
        "out",
        "antipattern",
        "antipatterns",
    ];
    const STEMS: &[&str] = &[
        "forbid",
        "forbad",
        "prohibit",
        "ban",
        "disallow",
        "refus",
        "reject",
        "discourag",
        "unsuit",
        "mistake",
        "pitfall",
        "anti-",
        "limit",
        "fail",
        "unaccept",
        "illegal",
        "danger",
    ];
    let lower = text.to_lowercase().replace('’', "'");
    let mut words = lower.split(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '-')));
    words.any(|word| {
        WHOLE.contains(&word)
            || word.ends_with("n't")
            || word.ends_with("n'ts")
            || matches!(of_other_language(word), Some("never" | "forbidden"))
            || STEMS.iter().any(|stem| word.starts_with(stem))
    }) || lower.contains('❌')
}

/// `copies the whole file`, `no limit`, `Don't copy it`: what is bad, with a word that says so.
/// What bad code does.
const EFFECTS: &[&str] = &[
    "blocks",
    "breaks",
    "corrupts",
    "crashes",
    "deadlocks",
    "fails",
    "freezes",
    "hangs",
    "leaks",
    "loses",
    "overflows",
    "panics",
    "races",
    "throws",
];

/// `crashes when empty` of `BAD — crashes when empty`: why the code below is bad, and no act that is forbidden.
pub(crate) fn fault_of(comment: &str) -> Option<&str> {
    let (label, why) = [": ", " - ", " – ", " — "].iter().find_map(|mark| comment.trim().split_once(mark))?;
    let label = label.trim_start_matches(|c: char| !c.is_alphabetic()).to_lowercase();
    let bad = matches!(label.as_str(), "bad" | "wrong" | "incorrect" | "fail");
    (bad && EFFECTS.contains(&split_first(why).0.as_str())).then_some(why.trim_end_matches(['.', ' ']))
}

fn forbidden(said: &str, labelled: bool) -> Option<String> {
    const DENYING: &[&str] = &["don't", "never", "avoid", "do not", "must not", "cannot", "stop"];
    const LACKING: &[&str] = &["no", "missing", "lacks", "lacking", "without", "not"];
    let (first, rest) = split_first(said);
    // `WRONG - must clear the tank` says what is right.
    if matches!(first.as_str(), "must" | "should" | "always" | "needs") && !rest.starts_with("not ") {
        return None;
    }
    // `BAD: Never turning the chart` is bad of never doing so.
    if labelled && matches!(first.as_str(), "never" | "not") && split_first(rest).0.ends_with("ing") {
        return Some(format!("NEVER skip {rest}"));
    }
    // `BAD - Harbour data should come from loaders` says what is right.
    let modal = said.split(' ').take(6).position(|word| matches!(word, "should" | "must"));
    if modal.is_some_and(|at| at > 0 && said.split(' ').nth(at + 1).is_some_and(|next| next != "not")) {
        return None;
    }
    let lower = said.to_lowercase();
    if DENYING.iter().any(|cue| lower.strip_prefix(cue).is_some_and(|rest| rest.starts_with([' ', ':']))) {
        return Some(said.to_owned());
    }
    // `The deck cannot carry the mast`
    if lower
        .split(' ')
        .take(4)
        .skip(1)
        .any(|word| matches!(word, "cannot" | "can't" | "never" | "mustn't" | "don't"))
    {
        return Some(said.to_owned());
    }
    // `NOT NULL in an old column`: a name in capitals says nothing. `NOT OPEN - call first` does.
    let mut words = said.split(' ');
    let capital = |word: &str| word.len() > 1 && !word.contains(char::is_lowercase);
    let named = words.by_ref().take(2).all(capital)
        && words.next().is_some_and(|next| next.starts_with(char::is_lowercase));
    if LACKING.contains(&first.as_str()) && !named {
        // `❌ No secrets` may forbid them as well as miss them.
        return labelled.then(|| format!("NEVER without {}", or_with_faults(rest)));
    }
    Some(format!("NEVER {}", acting(said).map_or_else(|| lowered(said), |act| lowered(&act))))
}

/// `types, or with unclear names` of `types, unclear names`: the second is not missed.
fn or_with_faults(missed: &str) -> String {
    const FAULTS: &[&str] = &[
        "bad",
        "broken",
        "confusing",
        "cryptic",
        "deep",
        "duplicated",
        "excessive",
        "generic",
        "hidden",
        "inconsistent",
        "messy",
        "mixed",
        "poor",
        "too",
        "unclear",
        "unused",
        "vague",
        "wrong",
    ];
    match missed.split_once(", ") {
        Some((thing, fault)) if FAULTS.contains(&split_first(fault).0.as_str()) => {
            format!("{thing}, or with {fault}")
        }
        _ => missed.to_owned(),
    }
}

/// `Reads one line` as `read one line`, `Use one loop` as it stands; none where it does not act.
fn acting(said: &str) -> Option<String> {
    let (first, rest) = split_first(said);
    let named = |base: &str| is_nounish(base) && !opens_object(rest);
    if is_verb(&first) {
        return (!named(&first)).then(|| said.to_owned());
    }
    let base = base_of(&first).filter(|base| !named(base)).or_else(|| plain_base(&first, rest))?;
    Some(format!("{base} {rest}").trim_end().to_owned())
}

/// `copies`: `copy`.
fn base_of(third: &str) -> Option<String> {
    let stem = third.strip_suffix('s')?;
    let longer = || stem.strip_suffix('e').filter(|base| is_verb(base)).map(str::to_owned);
    let soft = || stem.strip_suffix("ie").map(|base| format!("{base}y")).filter(|base| is_verb(base));
    if is_verb(stem) { Some(stem.to_owned()) } else { longer().or_else(soft) }
}

/// `leaks the token`: a word that takes an object is a verb, be it in no list.
fn plain_base(third: &str, rest: &str) -> Option<String> {
    let stem = third.strip_suffix('s').filter(|stem| stem.len() > 2 && opens_object(rest))?;
    let hissing = ["sse", "she", "che", "xe", "zze"].iter().any(|end| stem.ends_with(end));
    let base = if hissing { stem.strip_suffix('e')? } else { stem };
    (!base.ends_with(['s', 'u', 'i']) || hissing).then(|| base.to_owned())
}

/// Whether words go on as what a verb acts on: `tests the parser`, where `tests for the parser` names.
fn opens_object(rest: &str) -> bool {
    const OPENING: &[&str] = &[
        "the", "a", "an", "all", "every", "each", "your", "its", "their", "it", "them", "one", "this", "that",
    ];
    OPENING.contains(&split_first(rest).0.as_str())
}

/// `This is slow`, `It will crash`: what the sample is or does.
fn tells(said: &str) -> bool {
    const TELLING: &[&str] = &[
        "is", "are", "was", "were", "will", "would", "can", "could", "may", "might", "has", "have", "had",
        "does", "won't", "isn't", "doesn't", "can't",
    ];
    let (first, rest) = split_first(said);
    is_pronoun(&first) && TELLING.contains(&split_first(rest).0.as_str())
}

/// `Empty lists can cause errors`, `The old key will be lost`: what comes of it.
fn tells_effect(said: &str) -> bool {
    let mut words = said.split_whitespace().skip(1).take(4);
    words.any(|word| matches!(word, "can" | "will" | "may" | "could" | "might" | "would"))
}

/// `You mutate the state`, `This leaks the key`: without who does it.
fn without_pronoun(said: &str) -> &str {
    let (first, rest) = split_first(said);
    let (next, _) = split_first(rest);
    let acts = is_verb(&next) || base_of(&next).is_some();
    if is_pronoun(&first) && acts { rest } else { said }
}

fn is_pronoun(lower: &str) -> bool {
    matches!(lower, "this" | "it" | "you" | "we" | "that" | "they" | "these")
}

/// The first word in small letters, and what follows it.
fn split_first(text: &str) -> (String, &str) {
    let text = text.trim_start();
    let (first, rest) = text.split_once(' ').unwrap_or((text, ""));
    (first.trim_end_matches([',', ':', ';']).to_lowercase().replace('’', "'"), rest.trim_start())
}

/// With a large first letter.
fn raised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}

/// With a small first letter, unless the word has other large ones: `JSON`, `useState`.
fn lowered(text: &str) -> String {
    let mut letters = text.chars();
    let Some(first) = letters.next() else { return String::new() };
    let word = letters.as_str().split(' ').next().unwrap_or_default();
    if word.is_empty() || word.chars().any(|c| c.is_uppercase() || c.is_ascii_digit() || c == '_' || c == '.')
    {
        return text.to_owned();
    }
    first.to_lowercase().chain(letters).collect()
}

/// `BAD: copies the whole file`, `✅ Reads one line`: the level and the line; a bare `Good` judges only the code.
pub(crate) fn verdict(comment: &str) -> Option<(Level, String)> {
    let text = comment.trim_start();
    let graded = text.strip_prefix("FAIL: ").or_else(|| text.strip_prefix("PASS: "));
    // `PASS: short names` says in the words of a test what `GOOD: short names` says.
    let said = || {
        let said = graded.filter(|said| !said.starts_with("BAD:") && !said.starts_with("GOOD:"))?;
        let level = if text.starts_with('F') { "BAD" } else { "GOOD" };
        verdict_of(&format!("{level}: {said}"))
    };
    verdict_of(graded.unwrap_or(text)).or_else(said)
}

fn verdict_of(text: &str) -> Option<(Level, String)> {
    const BAD: &[&str] = &["bad", "wrong", "incorrect", "forbidden", "prohibited", "never"];
    const GOOD: &[&str] = &["good", "right", "correct", "better", "best"];
    const FREE: &[&str] = &["acceptable", "allowed"];
    let bare = text.trim_start_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '`' | '"' | '<'));
    let mark = &text[..text.len() - bare.len()];
    let marked = match (mark.contains(['❌', '✗', '✘', '🚫']), mark.contains(['✅', '✓', '✔'])) {
        (true, false) => Some(Level::MustNot),
        (false, true) => Some(Level::Must),
        _ => None,
    };
    let end = bare.find(|c: char| !c.is_alphabetic()).unwrap_or(bare.len());
    let word = bare[..end].to_lowercase();
    let behind = bare[end..].trim_start();
    let judged = match word.as_str() {
        word if BAD.contains(&word) => Some(Level::MustNot),
        word if GOOD.contains(&word) => Some(Level::Must),
        word if FREE.contains(&word) && bare[end..].starts_with(": ") && !bare.contains('❌') => {
            Some(Level::May)
        }
        // `OK — wait only where the tide is known`
        "ok" | "okay" if behind.contains(" only ") => Some(Level::May),
        _ => None,
    };
    let parted = [":", "- ", "– ", "— "].iter().any(|mark| behind.starts_with(mark));
    let (level, said, whole) = match judged.filter(|_| parted) {
        Some(level) => (level, behind.trim_start_matches([':', '-', '–', '—', ' ']), bare),
        None => (marked.filter(|_| !reports(bare))?, bare, bare),
    };
    let names = said.split_whitespace().filter(|word| word.chars().filter(|c| c.is_alphabetic()).count() > 1);
    let end = |text: &str| text.trim_end_matches(['.', ' ']).len();
    let text = judgement(level, &said[..end(said)], &whole[..end(whole)])?;
    (names.count() > 1 && !is_code(said)).then_some((level, text))
}

/// `NEVER`, `Bad: no lock`, `Good`, `Better: a constant`: what a remark behind a line of code says of that line, and why.
pub(crate) fn judgement_behind(remark: &str) -> Option<(Level, &str)> {
    const BAD: &[&str] =
        &["never", "never do this", "bad", "wrong", "incorrect", "avoid", "don't", "dangerous", "unsafe"];
    const GOOD: &[&str] = &["good", "right", "correct", "better", "best", "safe", "preferred"];
    let bare = remark.trim_start_matches(['❌', '✅', '✗', '✓', ' ']);
    let (judged, why) = [": ", " - ", " – ", " — ", ", "]
        .iter()
        .filter_map(|mark| bare.split_once(mark))
        .min_by_key(|(judged, _)| judged.len())
        .unwrap_or((bare, ""));
    let judged = judged.trim_end_matches(['!', '.', ' ']);
    // `// right` beside `// left` says where something is.
    if judged == "right" && why.is_empty() && bare == remark {
        return None;
    }
    let judged = judged.to_lowercase();
    let judged = judged.strip_prefix("still ").unwrap_or(&judged);
    let level = if BAD.contains(&judged) {
        Level::MustNot
    } else if GOOD.contains(&judged) {
        Level::Must
    } else {
        return None;
    };
    Some((level, why.trim_end_matches(['.', ' '])))
}

/// `Generated chart.md (2.5K)`, `Several trips found: …` behind a mark: what a program says that it did or met.
fn reports(said: &str) -> bool {
    const DONE: &[&str] = &[
        "generated",
        "created",
        "detected",
        "auto-detected",
        "saved",
        "updated",
        "completed",
        "installed",
        "deleted",
        "removed",
        "validated",
        "synced",
        "loaded",
        "copied",
        "wrote",
        "published",
        "deployed",
    ];
    let first = said.split(' ').next().unwrap_or_default().to_lowercase();
    DONE.contains(&first.as_str()) || said.contains(" found: ") || said.ends_with(" found:")
}

/// `return x;`, `f(a, b)`: code that is shown, and no words about it.
fn is_code(text: &str) -> bool {
    // `Checking type with type()` is said of a call.
    let call = text.ends_with("()") && text.split(' ').count() > 2;
    text.ends_with([';', '{', '}', ')']) && !text.contains(" (") && !call
        || text.contains(" = ")
        || text.contains("=>")
}

/// `GOOD`, `❌ Bad:`: a comment that judges what stands under it, and says nothing of it.
pub(crate) fn bare_verdict(comment: &str) -> Option<Level> {
    let word = comment.trim_matches(|c: char| !c.is_alphabetic());
    match word {
        "GOOD" | "Good" | "RIGHT" | "Right" | "CORRECT" | "Correct" | "PASS" | "Use" | "Use this" | "Do"
        | "DO" | "Do this" | "do this" => Some(Level::Must),
        "Instead of" | "Instead of this" | "BAD" | "Bad" | "WRONG" | "Wrong" | "INCORRECT" | "Incorrect"
        | "FAIL" | "FORBIDDEN" | "Don't" | "DON'T" | "Do not" | "DO NOT" | "Don't do this" | "Not this" => {
            Some(Level::MustNot)
        }
        _ => None,
    }
}
