//! Laws: what holds for any law, any lessons, any order.

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use common::{Desk, lesson};
use mentci_authority::{EntryKind, Lesson, LessonStatus, Level, NormId, OmissionReason, RuleLock, SkillName};
use mentci_compiler::lessons::{
    LessonFile, add_lesson, add_lessons, add_sessions, move_lesson, read_lessons, set_status,
};
use mentci_compiler::{
    FixedInventory, LawKind, LawReading, SkillCompiled, SkillInput, SkillOptions, WorkspaceCompiler,
    WorkspaceInput, WorkspaceOptions, compile_skill, compile_workspace, read_law, verify_coverage,
};
use mentci_source::Source;
use proptest::prelude::*;

const SUBJECTS: &[&str] = &[
    "edit the generated code",
    "run `cargo test`",
    "commit to `main`",
    "use structural_edit",
    "keep setup.bin",
    "ask the user",
    "format the files",
    "update the schema",
    "release on Friday",
    "log secrets",
    "split the module",
    "name the crate",
];

/// A skill of some norms: subject, prohibition, strength.
fn desk(name: &str, norms: &[(usize, usize)]) -> Desk {
    let mut desk = Desk::new(name);
    for (place, (subject, level)) in norms.iter().enumerate() {
        let subject = SUBJECTS[subject % SUBJECTS.len()];
        match level % 5 {
            0 => desk.explicit(Level::MustNot, &format!("Never {subject} in part {place}")),
            1 => desk.explicit(Level::Must, &format!("Always {subject} in part {place}")),
            2 => desk.implied(Level::Must, &format!("{subject} in part {place}")),
            3 => desk.explicit(Level::Should, &format!("You should {subject} in part {place}")),
            _ => desk.explicit(Level::May, &format!("You may {subject} in part {place}")),
        };
    }
    desk
}

fn norms() -> impl Strategy<Value = Vec<(usize, usize)>> {
    prop::collection::vec((0..SUBJECTS.len(), 0..5_usize), 0..14)
}

fn told(desk: &Desk, lessons: &[(usize, usize)]) -> String {
    let mut text: Option<String> = None;
    for (subject, resolution) in lessons {
        let source = text.map(|text| Source::new("runtime.edn", &text));
        let condition = format!("{} fails", SUBJECTS[subject % SUBJECTS.len()]);
        let resolution = format!("try way {resolution} and {}", SUBJECTS[resolution % SUBJECTS.len()]);
        let told = lesson(desk.name.as_str(), &condition, &resolution, "s");
        text = Some(add_lesson(source.as_ref(), &told).expect("sound").0);
    }
    text.unwrap_or_else(|| "[]\n".to_owned())
}

fn compile_all(
    skills: &[Arc<SkillCompiled>],
    law: &[Arc<LawReading>],
    tokens: usize,
) -> mentci_compiler::WorkspaceCompiled {
    let input = WorkspaceInput { skills, law, schemas: &[], manifests: None };
    let options = WorkspaceOptions { tokens, ..WorkspaceOptions::default() };
    compile_workspace(&input, &RuleLock::default(), &options, &FixedInventory::default())
}

/// The lessons that a digest states, and those that it says it leaves out.
fn accounted(compiled: &SkillCompiled, file: &LessonFile) -> bool {
    file.lessons.iter().all(|there| {
        let stated =
            compiled.digest.lines.iter().any(|line| line.provenance.lessons.contains(&there.lesson.id));
        let waits = compiled.digest.omitted.iter().any(|omission| {
            let source = compiled.sources().iter().find(|source| *source.path() == omission.span.path);
            let text = source.map_or("", |source| source.slice(omission.span.span));
            omission.reason == OmissionReason::Pending && text.contains(there.lesson.id.as_str())
        });
        stated || waits
    })
}

/// Lessons of few subjects, ways and sessions, so that some are told again.
fn some_lessons(count: Range<usize>, sessions: Range<usize>) -> impl Strategy<Value = Vec<Lesson>> {
    let told = (0..3_usize, 0..3_usize, sessions).prop_map(|(subject, way, session)| {
        let condition = format!("{} fails", SUBJECTS[subject]);
        lesson("sema", &condition, &format!("try way {way}"), &format!("session {session}"))
    });
    prop::collection::vec(told, count)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn lessons_added_at_once_stand_as_if_added_one_by_one(
        standing in some_lessons(0..4, 7..8),
        lessons in some_lessons(0..9, 0..3),
    ) {
        let file = add_lessons(None, &standing).expect("sound").0;

        let (at_once, outcomes) = add_lessons(Some(&Source::new("runtime.edn", &file)), &lessons).expect("sound");
        let mut text = file;
        let one_by_one: Vec<_> = lessons.iter().map(|lesson| {
            let (after, outcome) = add_lesson(Some(&Source::new("runtime.edn", &text)), lesson).expect("sound");
            text = after;
            outcome
        }).collect();
        prop_assert_eq!(outcomes, one_by_one);
        let read = |text: &str| {
            let read = read_lessons(&Source::new("runtime.edn", text), &SkillName::parse("sema").expect("a name"));
            read.value.lessons.into_iter().map(|entry| entry.lesson).collect::<Vec<_>>()
        };
        prop_assert_eq!(read(&at_once), read(&text));
    }

    #[test]
    fn sessions_go_to_the_lessons_that_stand_and_nothing_else_moves(
        standing in some_lessons(0..4, 7..8),
        lessons in some_lessons(0..9, 0..3),
    ) {
        let file = Source::new("promoted.edn", &format!("; ours\n{}", add_lessons(None, &standing).expect("sound").0));

        let stands = |lesson: &Lesson| standing.iter().any(|other| other.id == lesson.id);
        let known: Vec<_> = lessons.iter().filter(|lesson| stands(lesson)).cloned().collect();
        let (text, outcomes) = add_sessions(&file, &lessons).expect("sound");
        let of_known: Vec<_> = outcomes.iter().copied().flatten().collect();
        prop_assert_eq!((text, of_known), add_lessons(Some(&file), &known).expect("sound"));
        let told: Vec<_> = outcomes.iter().map(Option::is_some).collect();
        prop_assert_eq!(told, lessons.iter().map(stands).collect::<Vec<_>>());
    }

    #[test]
    fn what_is_kept_from_the_last_compile_does_not_show(
        skills in prop::collection::vec(norms(), 1..6),
        saves in prop::collection::vec((0..6_usize, norms()), 1..5),
        tokens in 60_usize..600,
    ) {
        let compiled = |index: usize, norms: &[(usize, usize)]| {
            Arc::new(desk(&format!("skill-{index}"), norms).compile())
        };
        let mut all: Vec<_> = skills.iter().enumerate().map(|(index, norms)| compiled(index, norms)).collect();
        let options = WorkspaceOptions { tokens, ..WorkspaceOptions::default() };
        let mut kept = WorkspaceCompiler::default();
        for (index, norms) in &saves {
            // One past the last is a skill that appears.
            let index = index % (all.len() + 1);
            if index == all.len() { all.push(compiled(index, norms)) } else { all[index] = compiled(index, norms) }
            let input = WorkspaceInput { skills: &all, law: &[], schemas: &[], manifests: None };
            let again = kept.compile(&input, &RuleLock::default(), &options, &FixedInventory::default());
            let afresh = compile_all(&all, &[], tokens);
            prop_assert_eq!(&again.files, &afresh.files);
            prop_assert_eq!(&again.findings, &afresh.findings);
            prop_assert_eq!(again.tokens, mentci_tokens::Tokenizer::count(mentci_tokens::o200k(), &again.digest.text));
        }
    }

    #[test]
    fn the_order_of_files_does_not_matter(
        skills in prop::collection::vec(norms(), 1..6),
        tokens in 60_usize..600,
        turn in 0_usize..6,
    ) {
        let compiled: Vec<_> = skills
            .iter()
            .enumerate()
            .map(|(index, norms)| Arc::new(desk(&format!("skill-{index}"), norms).compile()))
            .collect();
        let mut turned = compiled.clone();
        turned.rotate_left(turn % compiled.len());
        turned.reverse();
        let (one, other) = (compile_all(&compiled, &[], tokens), compile_all(&turned, &[], tokens));
        prop_assert_eq!(&one.files, &other.files);
        prop_assert_eq!(&one.findings, &other.findings);
        prop_assert!(one.files.is_committed());
    }

    #[test]
    fn the_order_of_a_skills_sources_does_not_matter(a in norms(), b in norms()) {
        let (one, other) = (desk("sema", &a), desk("sema", &b));
        let reading = |desk: &Desk, path: &str| {
            let mut law = (*desk.law()).clone();
            law.source = Source::new(path, &desk.text);
            for place in law.norms.iter_mut().flat_map(|norm| &mut norm.provenance.spans) {
                place.path = path.into();
            }
            Arc::new(law)
        };
        let law = [reading(&one, ".pi/skills/sema/SKILL.md"), reading(&other, ".claude/skills/sema/SKILL.md")];
        let compile = |law: Vec<Arc<LawReading>>| {
            compile_skill(&SkillInput { law, ..one.input() }, &RuleLock::default(), &SkillOptions::default(), &one.inventory)
        };
        let there = compile(law.to_vec());
        let back = compile(law.iter().rev().cloned().collect());
        prop_assert_eq!(there.files(), back.files());
    }

    #[test]
    fn every_line_is_accounted_for_and_the_budget_holds(
        skills in prop::collection::vec(norms(), 1..6),
        lessons in prop::collection::vec((0..20_usize, 0..20_usize), 0..12),
        tokens in 120_usize..900,
    ) {
        let compiled: Vec<_> = skills
            .iter()
            .enumerate()
            .map(|(index, norms)| {
                let mut desk = desk(&format!("skill-{index}"), norms);
                desk.runtime(&told(&desk, &lessons));
                Arc::new(desk.compile())
            })
            .collect();
        for skill in &compiled {
            let coverage = verify_coverage(&skill.map(), skill.sources());
            prop_assert_eq!((coverage.percent(), coverage.gaps, coverage.overlaps), (100, vec![], vec![]));
        }
        let all = compile_all(&compiled, &[], tokens);
        prop_assert!(all.tokens <= tokens, "{} of {}", all.tokens, tokens);
        let coverage = verify_coverage(&all.map(), all.sources());
        prop_assert_eq!((coverage.percent(), coverage.gaps, coverage.overlaps), (100, vec![], vec![]));
    }

    #[test]
    fn a_must_that_moves_out_is_a_pointer_and_a_finding(norms in norms(), tokens in 40_usize..260) {
        let skill = Arc::new(desk("sema", &norms).compile());
        let binding = |level: Option<Level>| level.is_some_and(Level::is_binding);
        let whole = skill.digest.lines.iter().filter(|line| binding(line.level)).count();
        let all = compile_all(&[skill], &[], tokens);
        let shown = all.digest.lines.iter().filter(|line| binding(line.level)).count();
        let pointer = all.digest.lines.iter().find(|line| line.kind == EntryKind::Pointer);
        let found = all.findings.iter().any(|finding| finding.code.name() == "must-over-budget");
        prop_assert_eq!(found, shown < whole);
        if shown < whole {
            let text = format!("+{} must", whole - shown);
            prop_assert!(pointer.is_some_and(|line| line.text.contains(&text)), "{:?}", pointer);
        }
    }

    #[test]
    fn numbers_are_never_reused(edits in prop::collection::vec(norms(), 1..8)) {
        let mut lock = RuleLock::default();
        let mut given: BTreeMap<u32, NormId> = BTreeMap::new();
        for norms in &edits {
            let mut desk = desk("sema", norms);
            desk.lock = lock.clone();
            let compiled = desk.compile();
            let numbers: BTreeSet<u32> =
                compiled.digest.lines.iter().filter_map(|line| line.rule.as_ref()).map(|rule| rule.number).collect();
            prop_assert_eq!(numbers.len(), compiled.digest.lines.len());
            for line in &compiled.digest.lines {
                let number = line.rule.as_ref().map_or(0, |rule| rule.number);
                let norm = line.norm.clone().expect("a norm");
                prop_assert_eq!(given.entry(number).or_insert_with(|| norm.clone()), &norm);
            }
            lock = compiled.lock;
        }
    }

    #[test]
    fn promotion_never_loses_a_lesson(
        norms in norms(),
        lessons in prop::collection::vec((0..20_usize, 0..20_usize), 1..10),
        moved in prop::collection::vec(0..10_usize, 1..10),
        accepted in any::<bool>(),
    ) {
        let mut desk = desk("sema", &norms);
        let (mut runtime, mut promoted) = (told(&desk, &lessons), String::new());
        let file = read_lessons(&desk.lessons("runtime.edn", &runtime), &desk.name).value;
        if accepted {
            desk.acceptances = file.lessons.iter().map(|there| there.lesson.id.clone()).collect();
        }
        desk.runtime(&runtime);
        let before = desk.compile().digest.text;
        for index in moved {
            let id = &file.lessons[index % file.lessons.len()].lesson.id;
            let from = desk.lessons("runtime.edn", &runtime);
            let to = desk.lessons("promoted.edn", &promoted);
            let Ok(step) = move_lesson(&from, Some(&to), &desk.name, id, LessonStatus::Promoted, None) else { continue };
            // Between the two writes the lesson stands in both files.
            promoted = step.to;
            desk.promoted(&promoted);
            let between = desk.compile();
            prop_assert!(accounted(&between, &file));
            prop_assert_eq!(&between.digest.text, &before);
            runtime = step.from;
            desk.runtime(&runtime);
            let after = desk.compile();
            prop_assert!(accounted(&after, &file));
            prop_assert_eq!(&after.digest.text, &before);
        }
    }

    #[test]
    fn editing_lessons_keeps_every_other_byte(
        comment in "[ -~]{0,20}",
        conditions in prop::collection::btree_set("[a-zA-Z0-9 \"\\\\é\n]{1,30}[a-z]", 1..6),
    ) {
        let desk = Desk::new("sema");
        let mut text = format!("; {comment}\n[]\n");
        for condition in &conditions {
            let told = lesson("sema", condition, "try again", "s");
            text = add_lesson(Some(&Source::new("runtime.edn", &text)), &told).expect("sound").0;
        }
        let source = Source::new("runtime.edn", &text);
        let file = read_lessons(&source, &desk.name).value;
        let first = &file.lessons[0];
        let edited = set_status(&source, &desk.name, &first.lesson.id, LessonStatus::Rejected).expect("there");
        let old = text[first.span.range()].to_owned();
        let new = old.replace(":status :active", ":status :rejected");
        prop_assert_eq!(edited, text.replacen(&old, &new, 1));
        let opening = format!("; {comment}\n[");
        prop_assert!(text.starts_with(&opening));
    }

    #[test]
    fn any_text_is_read_compiled_and_covered(text in "(\\PC|[\n#*`|>.-]| must | never ){0,200}") {
        let desk = Desk::new("sema");
        let source = Source::new(".pi/skills/sema/SKILL.md", &text);
        let reading = read_law(&source, &LawKind::Skill(desk.name.clone()));
        let input = SkillInput { law: vec![Arc::new(reading)], ..desk.input() };
        let compiled = compile_skill(&input, &RuleLock::default(), &SkillOptions::default(), &desk.inventory);
        prop_assert!(compiled.files().is_committed());
        let lessons = read_lessons(&Source::new("runtime.edn", &text), &desk.name).value;
        prop_assert!(lessons.lessons.is_empty() || lessons.source.text() == text);
    }
}
