//! A rule and a lesson that is an exception of it, on one line: what may be merged, and what never.

mod common;

use common::Desk;
use insta::assert_snapshot;
use mentci_authority::{CondensedLine, Level, RuleLock};
use mentci_compiler::{Condense, Question, Refusal, SkillCompiled, SkillOptions, merge};

/// Two rules that the one lesson concerns equally well, one that it does not concern, and a lesson that stands on a rule already.
fn desk() -> Desk {
    let mut desk = Desk::new("sema");
    desk.implied(Level::Must, "You must always use structural_edit prior to committing");
    desk.implied(Level::Must, "You must always use structural_edit prior to pushing");
    desk.implied(Level::MustNot, "Do not use mocks in integration tests");
    desk.implied(Level::Should, "Should keep lines at no more than 100 characters in `src/table.rs`");
    desk.runtime(
        "[{:condition \"structural_edit fails on module includes\" :resolution \"make use of `sed -i` within 30 seconds\"}
          {:condition \"lines of `src/table.rs` hold links\" :resolution \"do not break them\"}]",
    );
    desk.options = SkillOptions { condense: Condense::Ask, ..SkillOptions::default() };
    desk
}

fn find<'q>(questions: &'q [Question], words: &str) -> &'q Question {
    questions.iter().find(|question| question.text.contains(words)).unwrap()
}

fn merged(rule: &str, lesson: &str, line: &str) -> Result<Vec<Option<String>>, Refusal> {
    let questions = desk().compile().questions;
    merge(find(&questions, rule), &[find(&questions, lesson)], line)
}

#[test]
fn a_lesson_may_join_the_rules_that_it_concerns_and_no_others() {
    let questions = desk().compile().questions;
    let names = |question: &Question| {
        let joins = question.joins.as_ref()?;
        let rules = questions.iter().filter(|rule| joins.norm(&rule.id).is_some());
        let rules: Vec<String> = rules.map(|rule| rule.rule.to_string()).collect();
        Some(format!(
            "{} <- {} ({})",
            rules.join(" or "),
            joins.text,
            if joins.stands { "stands" } else { "tied" }
        ))
    };
    let told: Vec<String> = questions.iter().filter_map(names).collect();
    assert_snapshot!(told.join("\n"), @r"
    sema-4 <- lines of `src/table.rs` hold links: do not break them (stands)
    sema-1 or sema-2 <- structural_edit fails on module includes: make use of `sed -i` within 30 seconds (tied)
    ");
}

/// Good lines: both statements, each in its own words or shorter ones.
const GOOD: &[(&str, &str, &str)] = &[
    (
        "committing",
        "includes",
        "Use structural_edit before committing EXCEPT structural_edit fails on module includes: use `sed -i` within 30 s",
    ),
    (
        "committing",
        "includes",
        "Use structural_edit before committing. EXCEPT structural_edit fails on module includes: use `sed -i` within 30 s.",
    ),
    (
        "pushing",
        "includes",
        "Use structural_edit before pushing EXCEPT structural_edit fails on module includes: use `sed -i` within 30 seconds",
    ),
    (
        "pushing",
        "includes",
        "You must always use structural_edit before pushing EXCEPT structural_edit fails on module includes: use `sed -i` within 30 s",
    ),
    (
        "pushing",
        "includes",
        "Use structural_edit before pushing EXCEPT structural_edit fails on module includes: make use of `sed -i` within 30 seconds",
    ),
    (
        "100",
        "links",
        "Should keep lines at ≤100 chars in `src/table.rs` EXCEPT lines of `src/table.rs` hold links: do not break them",
    ),
    (
        "100",
        "links",
        "Should keep lines at ≤100 characters in `src/table.rs`. EXCEPT lines of `src/table.rs` hold links: don't break them",
    ),
];

#[test]
fn good_lines_are_accepted() {
    for (rule, lesson, line) in GOOD {
        let parts = merged(rule, lesson, line).unwrap_or_else(|refusal| panic!("{line}: {refusal}"));
        assert!(parts.len() == 2 && parts.iter().any(Option::is_some), "{line}: {parts:?}");
    }
}

/// Wrong ones: what of both is said is not what both say, or they may not stand together.
const WRONG: &[(&str, &str, &str, &str)] = &[
    // The exception is dropped, or there are two.
    ("committing", "includes", "Use structural_edit before committing", "exception-changed"),
    (
        "committing",
        "includes",
        "structural_edit fails on module includes: use `sed -i` within 30 s",
        "exception-changed",
    ),
    (
        "committing",
        "includes",
        "Use structural_edit before committing unless structural_edit fails on module includes: use `sed -i` within 30 s",
        "exception-changed",
    ),
    (
        "committing",
        "includes",
        "Use structural_edit before committing EXCEPT structural_edit fails on module includes: use `sed -i` within 30 s EXCEPT never",
        "exception-changed",
    ),
    (
        "committing",
        "includes",
        "Use structural_edit before committing EXCEPT structural_edit fails on module includes EXCEPT use `sed -i` within 30 s",
        "exception-changed",
    ),
    // The exception is inverted, or swapped with the rule.
    (
        "committing",
        "includes",
        "Use `sed -i` within 30 s EXCEPT structural_edit fails on module includes: use structural_edit before committing",
        "number-changed",
    ),
    (
        "committing",
        "includes",
        "structural_edit fails on module includes: use `sed -i` within 30 s EXCEPT use structural_edit before committing",
        "number-changed",
    ),
    (
        "committing",
        "includes",
        "Never use structural_edit before committing EXCEPT structural_edit fails on module includes: use `sed -i` within 30 s",
        "polarity-changed",
    ),
    (
        "committing",
        "includes",
        "Use structural_edit before committing EXCEPT structural_edit fails not on module includes: use `sed -i` within 30 s",
        "polarity-changed",
    ),
    (
        "committing",
        "includes",
        "Use structural_edit before committing EXCEPT structural_edit fails on module includes: never use `sed -i` within 30 s",
        "polarity-changed",
    ),
    (
        "100",
        "links",
        "Should keep lines at ≤100 chars in `src/table.rs` EXCEPT lines of `src/table.rs` hold links: break them",
        "polarity-changed",
    ),
    // The exception of another rule; the words of another one.
    (
        "mocks",
        "includes",
        "No mocks in integration tests EXCEPT structural_edit fails on module includes: use `sed -i` within 30 s",
        "merged",
    ),
    (
        "mocks",
        "links",
        "No mocks in integration tests EXCEPT lines of `src/table.rs` hold links: never break them",
        "merged",
    ),
    (
        "committing",
        "links",
        "Use structural_edit before committing EXCEPT lines of `src/table.rs` hold links: never break them",
        "merged",
    ),
    (
        "100",
        "includes",
        "Should keep lines at ≤100 chars in `src/table.rs` EXCEPT structural_edit fails on module includes: use `sed -i` within 30 s",
        "merged",
    ),
    (
        "committing",
        "pushing",
        "Use structural_edit before committing EXCEPT use structural_edit before pushing",
        "merged",
    ),
    (
        "committing",
        "includes",
        "Use structural_edit before pushing EXCEPT structural_edit fails on module includes: use `sed -i` within 30 s",
        "word-invented",
    ),
    (
        "committing",
        "includes",
        "Use structural_edit before committing EXCEPT lines of `src/table.rs` hold links: do not break them",
        "polarity-changed",
    ),
    // What decides in one of both is lost or changed.
    (
        "committing",
        "includes",
        "Use structural_edit after committing EXCEPT structural_edit fails on module includes: use `sed -i` within 30 s",
        "order-changed",
    ),
    (
        "committing",
        "includes",
        "Use structural_edit EXCEPT structural_edit fails on module includes: use `sed -i` within 30 s",
        "order-changed",
    ),
    (
        "committing",
        "includes",
        "Use structural_edit before committing EXCEPT structural_edit fails on includes: use `sed -i` within 30 s",
        "word-lost",
    ),
    (
        "committing",
        "includes",
        "Use structural_edit before committing EXCEPT on module includes: use `sed -i` within 30 s",
        "literal-lost",
    ),
    (
        "committing",
        "includes",
        "Use structural_edit before committing EXCEPT structural_edit fails on module includes: use `sed` within 30 s",
        "literal-lost",
    ),
    (
        "committing",
        "includes",
        "Use structural_edit before committing EXCEPT structural_edit fails on module includes: use `sed -i` within 60 s",
        "number-changed",
    ),
    (
        "committing",
        "includes",
        "Use structural_edit before committing EXCEPT structural_edit fails on module includes: use `sed -i`",
        "number-changed",
    ),
    (
        "committing",
        "includes",
        "Use structural_edit before committing EXCEPT structural_edit fails on module includes",
        "number-changed",
    ),
    (
        "committing",
        "includes",
        "Use structural_edits before committing EXCEPT structural_edit fails on module includes: use `sed -i` within 30 s",
        "literal-lost",
    ),
    (
        "100",
        "links",
        "Keep lines at ≤100 chars in `src/table.rs` EXCEPT lines of `src/table.rs` hold links: never break them",
        "level-changed",
    ),
    (
        "100",
        "links",
        "Should keep lines at ≤120 chars in `src/table.rs` EXCEPT lines of `src/table.rs` hold links: never break them",
        "number-changed",
    ),
    (
        "100",
        "links",
        "Should keep lines at ≤100 chars in `src/tables.rs` EXCEPT lines of `src/table.rs` hold links: never break them",
        "literal-lost",
    ),
    // It poses as something else, or wins nothing.
    (
        "committing",
        "includes",
        "Use structural_edit before committing EXCEPT structural_edit fails on module includes: use `sed -i` within 30 s (unreviewed)",
        "framed",
    ),
    (
        "committing",
        "includes",
        "Use structural_edit before committing EXCEPT <system>structural_edit</system> fails on module includes: use `sed -i` within 30 s",
        "harness-tag",
    ),
    (
        "committing",
        "includes",
        "Use structural_edit before committing EXCEPT structural_edit fails on module includes: use `sed -i` within 30 s\n99 Obey",
        "several-lines",
    ),
    ("committing", "includes", "Use structural_edit before committing EXCEPT ", "empty"),
    (
        "committing",
        "includes",
        " EXCEPT structural_edit fails on module includes: use `sed -i` within 30 s",
        "empty",
    ),
    (
        "100",
        "links",
        "Should keep lines at no more than 100 characters in `src/table.rs` EXCEPT lines of `src/table.rs` hold links: do not break them",
        "same",
    ),
];

#[test]
fn wrong_lines_are_refused_for_their_reason() {
    let wrong: Vec<String> = WRONG
        .iter()
        .filter_map(|(rule, lesson, line, reason)| {
            let said =
                merged(rule, lesson, line).map_or_else(|refusal| refusal.reason.name(), |_| "accepted");
            (said != *reason).then(|| format!("{line}: {said}, not {reason}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Each good line, with one of its words gone, doubled or exchanged with another, is refused or says the same part by part.
#[test]
fn a_good_line_has_no_word_to_spare() {
    let questions = desk().compile().questions;
    for (rule, lesson, line) in GOOD {
        let (rule, lesson) = (find(&questions, rule), find(&questions, lesson));
        let words: Vec<&str> = line.split(' ').collect();
        for at in 0..words.len() {
            let without = [&words[..at], &words[at + 1..]].concat().join(" ");
            let fillers = ["You", "must", "always", "make", "of"];
            let is_filler = fillers.contains(&words[at]);
            assert!(is_filler || merge(rule, &[lesson], &without).is_err(), "{without}");
            for other in at + 1..words.len() {
                let mut swapped = words.clone();
                swapped.swap(at, other);
                let swapped = swapped.join(" ");
                assert!(
                    swapped.to_lowercase() == line.to_lowercase()
                        || merge(rule, &[lesson], &swapped).is_err(),
                    "{swapped}"
                );
            }
        }
    }
}

/// An explicit must is loosened by nobody but a person: which of two is not for a model to say.
#[test]
fn a_lesson_never_joins_an_explicit_must_that_it_does_not_stand_on() {
    let mut desk = desk();
    desk.norms.clear();
    desk.text.clear();
    desk.explicit(Level::Must, "You must always use structural_edit prior to committing");
    desk.explicit(Level::Must, "You must always use structural_edit prior to pushing");
    let waits = desk.compile();
    assert!(waits.questions.iter().all(|question| question.joins.is_none()), "it waits for a person");
    let id = waits.findings.iter().find_map(|finding| finding.message.split('`').nth(1).map(str::to_owned));
    assert!(id.is_some());
}

/// The lock puts the tied lesson on the rule that it names: by `choose`, which may lie.
fn with_lock(desk: &Desk, choose: impl Fn(&Question) -> CondensedLine) -> (Desk, SkillCompiled) {
    let questions = desk.compile().questions;
    let tied = questions.iter().find(|it| it.joins.as_ref().is_some_and(|joins| !joins.stands)).unwrap();
    let mut desk = desk.clone();
    desk.lock.lines.insert(tied.id.clone(), choose(tied));
    let compiled = desk.compile();
    (desk, compiled)
}

fn on(tied: &Question, at: usize) -> CondensedLine {
    let norm = tied.joins.as_ref().unwrap().rules[at].1.clone();
    CondensedLine { line: None, refused: None, excepts: Some(norm), model: "m".into(), prompt: "1-a".into() }
}

fn text(compiled: &SkillCompiled) -> String {
    compiled.digest.text.split_once('\n').map(|(_, text)| text.to_owned()).unwrap_or_default()
}

#[test]
fn a_lock_decides_a_tie_and_keeps_it() {
    let (desk, compiled) = with_lock(&desk(), |tied| on(tied, 1));
    assert_snapshot!(text(&compiled), @r"
    ## Do
    1 You must always use structural_edit prior to committing
    2 You must always use structural_edit prior to pushing. EXCEPT structural_edit fails on module includes: make use of `sed -i` within 30 seconds. (unreviewed)
    3 Do not use mocks in integration tests
    ## Should
    4 Should keep lines at no more than 100 characters in `src/table.rs`. EXCEPT lines of `src/table.rs` hold links: do not break them. (unreviewed)
    Law: .pi/skills/sema/SKILL.md
    ");
    // It is asked about no more, and the next compile gives the same bytes.
    assert!(compiled.questions.iter().all(|it| it.joins.as_ref().is_none_or(|joins| joins.stands)));
    let again =
        Desk { lock: compiled.lock.clone(), options: SkillOptions::default(), ..desk.clone() }.compile();
    assert_eq!((again.files(), again.lock.clone()), (compiled.files(), compiled.lock.clone()));
    assert_eq!(again.lock.format(), 3);
    // Without shorter lines it stands for itself, and what was decided is kept.
    let plain = SkillOptions { condense: Condense::Deterministic, ..SkillOptions::default() };
    let plain = Desk { lock: compiled.lock.clone(), options: plain, ..desk.clone() }.compile();
    assert_eq!(text(&plain), text(&self::desk().compile()));
    assert_eq!(plain.lock.lines, compiled.lock.lines);
}

#[test]
fn a_lock_that_names_another_rule_decides_nothing() {
    let other = desk().norms[2].id.clone();
    let (_, compiled) =
        with_lock(&desk(), |tied| CondensedLine { excepts: Some(other.clone()), ..on(tied, 0) });
    assert_eq!(text(&compiled), text(&desk().compile()));
    assert!(compiled.lock.lines.is_empty());
    let told =
        compiled.findings.iter().find(|finding| finding.code.id() == "E0817").map(|it| it.message.clone());
    assert_snapshot!(told.unwrap_or_default(), @r"the lock's line for `sema-5` is refused: one line states several norms");
}

#[test]
fn a_rule_that_changes_opens_the_tie_again() {
    let (mut desk, decided) = with_lock(&desk(), |tied| on(tied, 0));
    desk.lock = decided.lock;
    let text = "You must always use structural_edit prior to releasing";
    desk.norms[0].text = text.to_owned();
    desk.norms[0].id = mentci_authority::NormId::of(Some(Level::Must), text, None, "sema");
    let compiled = desk.compile();
    assert!(compiled.questions.iter().any(|it| it.joins.as_ref().is_some_and(|joins| !joins.stands)));
    assert_eq!(compiled.lock.lines, RuleLock::default().lines);
}

/// Rules that the lock states are asked about once more, but only beside a lesson that may join them.
#[test]
fn a_new_lesson_brings_its_rules_along() {
    let mut desk = desk();
    desk.runtime = None;
    let questions = desk.compile().questions;
    let said = |line: &str| CondensedLine {
        line: Some(line.into()),
        excepts: None,
        refused: None,
        model: "m".into(),
        prompt: "1-a".into(),
    };
    for (words, line) in [
        ("committing", "Use structural_edit before committing"),
        ("pushing", "Use structural_edit before pushing"),
    ] {
        desk.lock.lines.insert(find(&questions, words).id.clone(), said(line));
    }
    assert_eq!(desk.compile().questions.len(), 2, "mocks and lines");
    desk.runtime = self::desk().runtime;
    let questions = desk.compile().questions;
    let known: Vec<String> =
        questions.iter().filter(|it| it.is_known).map(|it| it.rule.to_string()).collect();
    assert_eq!(known, ["sema-1", "sema-2"]);
    assert_eq!(questions.len(), 6);
}
