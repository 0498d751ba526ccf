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
    questions.iter().find(|question| question.text.contains(words)).expect("it is asked about")
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

/// The cases: what names the rule, what names the lesson, the line, and `accepted` or why it is refused.
fn cases() -> Vec<[&'static str; 4]> {
    let rows = include_str!("merge.case").lines().filter(|row| !row.is_empty() && !row.starts_with('#'));
    let cells = |row: &'static str| -> Vec<&'static str> { row.split(" | ").collect() };
    rows.map(|row| cells(row).try_into().expect("four cells")).collect()
}

#[test]
fn each_line_is_accepted_or_refused_for_its_reason() {
    let (mut good, mut wrong) = (0, Vec::new());
    for [rule, lesson, line, expected] in cases() {
        let said = merged(rule, lesson, &line.replace("\\n", "\n"));
        let said = said.map_or_else(|refusal| refusal.reason.name(), |_| "accepted");
        good += usize::from(said == "accepted");
        wrong.extend((said != expected).then(|| format!("{line}: {said}, not {expected}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(good >= 6 && cases().len() >= 40);
}

/// Each good line, with one of its words gone or exchanged with another, is refused.
#[test]
fn a_good_line_has_no_word_to_spare() {
    let questions = desk().compile().questions;
    for [rule, lesson, line, _] in cases().into_iter().filter(|case| case[3] == "accepted") {
        let accepted = |words: &[&str]| {
            merge(find(&questions, rule), &[find(&questions, lesson)], &words.join(" ")).is_ok()
        };
        let words: Vec<&str> = line.split(' ').collect();
        for at in 0..words.len() {
            let is_filler = ["You", "must", "always", "make", "of"].contains(&words[at]);
            let without = [&words[..at], &words[at + 1..]].concat();
            assert!(is_filler || !accepted(&without), "{line} without {}", words[at]);
            for other in at + 1..words.len() {
                let mut swapped = words.clone();
                swapped.swap(at, other);
                let same = words[at].eq_ignore_ascii_case(words[other]);
                assert!(same || !accepted(&swapped), "{}", swapped.join(" "));
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
    let tied =
        questions.iter().find(|it| it.joins.as_ref().is_some_and(|joins| !joins.stands)).expect("a tie");
    let mut desk = desk.clone();
    desk.lock.lines.insert(tied.id.clone(), choose(tied));
    let compiled = desk.compile();
    (desk, compiled)
}

fn on(tied: &Question, at: usize) -> CondensedLine {
    let norm = tied.joins.as_ref().expect("it is tied").rules[at].1.clone();
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
    assert_snapshot!(told.unwrap_or_default(), @r"the lock's line for `sema-5` is refused: one line states several norms: the lesson concerns another rule");
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
