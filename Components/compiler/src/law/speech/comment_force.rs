//! Whether a comment in code orders somebody, by its own words: `// ALWAYS seed the generator`; most only tell what the code does.

use mentci_authority::Force;

use super::comment::Comment;
use super::lexicon::LETTER_CASES;
use super::mood::{IMPERATIVE, Mood, mood_of};
use super::prose::Prose;
use super::sentence::split_sentences;
use super::word::{Word, WordKind};

/// Whether a comment orders: outright, or standing alone where no code carries it out.
pub(crate) fn binds(comment: &Comment, prose: &Prose<'_>, skeleton: bool) -> bool {
    const FORCE: &[&str] = &[
        "always",
        "never",
        "must",
        "mustn't",
        "required",
        "mandatory",
        "don't",
        "do",
        "only",
        "avoid",
        "prefer",
        "should",
        "shouldn't",
        "ensure",
        "forbidden",
        "cannot",
        "optional",
    ];
    let words = &prose.words;
    let plain = || words.iter().filter(|word| word.kind != WordKind::Mark);
    let speaks_of_self =
        plain().take(3).any(|word| word.any(&["we", "we'll", "i", "i'll", "they", "user", "users"]));
    let outright = |sentence: &[Word]| {
        let explicit = |words: &[Word]| matches!(mood_of(words).mood, Mood::Order(_, Force::Explicit));
        // `Best practice: avoid slack lines`
        let behind =
            sentence.iter().take(6).position(|word| word.mark(":")).map(|colon| &sentence[colon + 1..]);
        (explicit(sentence) || behind.is_some_and(explicit)) && sentence.iter().any(|word| word.any(FORCE))
    };
    let tells = plain().next().is_some_and(|word| word.any(&["should", "shouldn't"]))
        || comment.trails && plain().any(|word| word.is("only"));
    if names_letters(words)
        || writes_letters(comment, words)
        || keeps_within(words)
        || rejects_other(words)
        || chooses(comment, words)
    {
        return true;
    }
    // `port: 587, // optional, default: 587` tells of a field, and not which.
    let of_field = comment.trails && plain().next().is_some_and(|word| word.is("optional"));
    if speaks_of_self
        || tells
        || of_field
        || plain().count() < 3
        || expects(comment, words)
        || tells_result(words)
        || is_banner(words)
    {
        return false;
    }
    let alone = !comment.trails && (comment.closes || comment.lists()) && comment.code.is_empty();
    skeleton && may_be(words)
        || stresses_behind_dash(words)
        || split_sentences(words).into_iter().any(|sentence| outright(&words[sentence]))
        || alone && !skeleton && mood_of(words).mood == IMPERATIVE && plain().count() > 3
        || stresses(words) && stressed_order(words)
}

/// `Use ropes when you need speed` above what is used then: when that is taken, and not something else.
fn chooses(comment: &Comment, words: &[Word]) -> bool {
    const FARTHEST: usize = 5;
    let [act, rest @ ..] = words else { return false };
    let when = rest.iter().take(FARTHEST).position(|word| word.any(&["when", "if", "only"]));
    let case = when.is_some_and(|when| rest.get(when + 1).is_some_and(|next| next.kind == WordKind::Plain));
    !comment.trails && act.is("use") && act.capital && case && !rest.iter().any(|word| word.mark("?"))
}

/// `Use the long rope (not the short one).`: what is done, and what is not done in its place.
fn rejects_other(words: &[Word]) -> bool {
    let ends = words.iter().rposition(|word| word.lower == ")");
    let open = words.iter().rposition(|word| word.lower == "(").filter(|&open| open > 2);
    let last = ends.is_some_and(|end| words.len() - end <= 2);
    let negated = open.is_some_and(|open| words.get(open + 1).is_some_and(|not| not.any(&["not", "never"])));
    last && negated && words[0].any(&["use", "call", "return", "pass", "keep"]) && words[0].capital
}

/// `greet("Ann") returns "Ahoy"`, `Each call prints the count`: what a sample does when it is run.
fn tells_result(words: &[Word]) -> bool {
    const FARTHEST: usize = 8;
    const DOING: &[&str] = &["returns", "prints", "outputs", "logs", "yields", "throws", "raises"];
    let called = match words {
        [each, call, ..] if each.any(&["each", "every"]) => call.is("call"),
        [_, open, ..] => open.lower == "(" && !open.spaced,
        _ => false,
    };
    let does = || words.iter().take(FARTHEST).any(|word| word.any(DOING));
    called && split_sentences(words).len() == 1 && does()
}

/// `Lamps should go out` above what tests it: what a test expects.
fn expects(comment: &Comment, words: &[Word]) -> bool {
    const TESTS: &[&str] = &["expect(", "cy.", "assert", ".should(", "toBe("];
    let tested = comment.code.iter().any(|line| TESTS.iter().any(|test| line.contains(test)));
    let should = words.iter().position(|word| word.any(&["should", "shouldn't"]));
    tested
        && should.is_some_and(|should| {
            should > 0 && !words[..should].iter().any(|word| word.any(&["you", "tests", "test"]))
        })
}

/// `DO NOT EDIT - this file is generated`: said of the file that the sample shows.
fn is_banner(words: &[Word]) -> bool {
    let made = |word: &Word| word.any(&["generated", "auto-generated", "autogenerated"]);
    let edit = words.windows(2).any(|pair| pair[0].is("not") && pair[1].any(&["edit", "modify", "change"]));
    let judges = words.first().is_some_and(|first| first.any(&["never", "always", "bad", "wrong", "good"]));
    edit && !judges && words.iter().any(made)
}

/// `Classes: PascalCase`, `Functions and variables: snake_case`: how names are written.
pub(crate) fn names_letters(words: &[Word]) -> bool {
    const LONGEST: usize = 5;
    let Some(colon) = words.iter().position(|word| word.mark(":")) else { return false };
    let plural = words[..colon].last().is_some_and(|last| last.lower.ends_with('s'));
    let behind: Vec<&Word> = words[colon + 1..].iter().filter(|word| word.kind != WordKind::Mark).collect();
    plural && colon <= LONGEST && matches!(behind[..], [case] if case.among(LETTER_CASES))
}

/// `keep ≤ 0.1s`, `Keep under 200 lines`: a bound for what stands there.
pub(crate) fn keeps_within(words: &[Word]) -> bool {
    let [keep, bound, rest @ ..] = words else { return false };
    let bounds = bound.any(&["under", "below", "within", "above", "over"])
        || matches!(bound.lower.as_str(), "≤" | "≥" | "<" | ">" | "<=" | ">=")
        || bound.lower.starts_with(['≤', '≥', '<', '>']);
    let number = |word: &Word| word.lower.contains(|c: char| c.is_ascii_digit());
    keep.is("keep") && bounds && (number(bound) || rest.first().is_some_and(number))
}

/// `parts/Sail.tsx  # PascalCase for parts`: how what stands beside it is written.
pub(crate) fn writes_letters(comment: &Comment, words: &[Word]) -> bool {
    const LONGEST: usize = 8;
    let [case, of, rest @ ..] = words else { return false };
    comment.trails
        && case.among(LETTER_CASES)
        && of.any(&["for", "with", "in"])
        && (1..=LONGEST).contains(&rest.len())
}

/// `Replies - always seal them`: behind a dash, what holds for all that is named.
fn stresses_behind_dash(words: &[Word]) -> bool {
    let Some(dash) = words.iter().position(|word| word.mark("—")) else { return false };
    let behind = &words[dash + 1..];
    let shouted = || behind.iter().all(|word| word.shouted || word.kind == WordKind::Mark);
    behind.first().is_some_and(|first| first.any(&["always", "never"]) || first.is("no") && shouted())
        && behind.len() > 2
        && matches!(mood_of(behind).mood, Mood::Order(_, Force::Explicit))
}

/// `CRITICAL: wait for the lock`: what stands behind the colon orders.
fn stressed_order(words: &[Word]) -> bool {
    let colon = words.iter().position(|word| word.mark(":"));
    colon.is_some_and(|colon| matches!(mood_of(&words[colon + 1..]).mood, Mood::Order(..)))
}

/// `ALWAYS close it`, `CRITICAL: wait for the lock`: it stresses what holds for all code, and not for the sample that it stands in.
pub(crate) fn stresses(words: &[Word]) -> bool {
    const STRESSES: &[&str] = &["critical", "important", "mandatory", "required", "crucial", "warning"];
    // `⚠️ Pass the whole list`
    if words.first().is_some_and(|mark| mark.lower.starts_with('⚠'))
        && matches!(mood_of(&words[1..]).mood, Mood::Order(..))
    {
        return true;
    }
    let mut plain = words.iter().filter(|word| word.kind != WordKind::Mark);
    let Some(first) = plain.next() else { return false };
    first.any(&["always", "never"]) && plain.count() > 2
        || first.any(STRESSES) && words.iter().take(3).any(|word| word.mark(":"))
}

/// `Can be static or animated`, of what stands there.
pub(crate) fn may_be(words: &[Word]) -> bool {
    let mut plain = words.iter().filter(|word| word.kind != WordKind::Mark);
    plain.next().is_some_and(|word| word.any(&["can", "may"]))
        && plain.next().is_some_and(|word| word.is("be"))
}
