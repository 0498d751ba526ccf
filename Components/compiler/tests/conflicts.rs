//! Which norms of one skill contradict each other, and which only look as if they did.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use mentci_authority::{RuleLock, SkillName};
use mentci_compiler::{
    FixedInventory, LawKind, SkillCompiled, SkillInput, SkillOptions, WorkspaceInput, WorkspaceOptions,
    compile_skill, compile_workspace, read_law,
};
use mentci_source::{Finding, Source};

const OPPOSED: &[(&str, &str)] = &[
    ("Retry up to 3 times.", "Retry up to 5 times."),
    ("Retry up to three times.", "Retry up to 5 times."),
    ("Keep functions under 20 lines.", "Keep functions under 30 lines."),
    ("Requests must finish within 100ms.", "Requests must finish within 200ms."),
    ("Indent with 4 spaces.", "Indent with 2 spaces."),
    ("Do not use rg.", "Prefer rg."),
    ("Do not use `rg`.", "Prefer `rg`."),
    ("Do not use rg.", "Prefer rg over grep."),
    ("Use m1 not m2.", "Use m2."),
    ("Use `m1`, not `m2`.", "Always use `m2`."),
    ("Use pnpm, never npm.", "Use npm."),
    ("Use m1 instead of m2.", "Use m2 instead of m1."),
    ("Prefer tabs over spaces.", "Prefer spaces over tabs."),
    ("Push to dev, never to main.", "Push to main."),
    ("Commits must be signed.", "Commits must not be signed."),
    ("Force-pushing is forbidden.", "Force-pushing is allowed."),
    ("You may use rg.", "Never use rg."),
];

const AT_PEACE: &[(&str, &str)] = &[
    ("Use 2 spaces in YAML.", "Use 4 spaces in Python."),
    ("Keep functions under 20 lines.", "Keep files under 300 lines."),
    ("1. Wait 5 seconds.", "2. Wait 10 seconds."),
    ("Return to Phase 1.", "Return to Phase 2."),
    ("Never edit module 12 alone.", "Never edit module 13 alone."),
    ("Use m1 not m2.", "When offline, use m2."),
    ("Use m1 not m2.", "Use m1."),
    ("Use pnpm, never npm.", "Use pnpm."),
    ("Fail if the file is found.", "Fail if the file is not found."),
    ("Never commit to main.", "Commit to develop."),
    ("Commits must be signed.", "Tags must not be signed."),
    ("If a test fails, you must stop.", "If a test fails, you must not merge."),
    ("Prefer tabs over spaces.", "Prefer tabs."),
];

#[test]
fn what_contradicts_is_told_with_both_places() {
    for (one, other) in OPPOSED {
        let findings = skill("a", &format!("# A\n\n{one}\n\n{other}\n")).findings;
        let told = conflicts(&findings);
        assert_eq!(told.len(), 1, "{one} / {other}: {told:?}");
        assert_eq!(told[0].line, Some(5), "{one} / {other}");
        let help = told[0].help.as_deref().unwrap_or_default();
        assert!(help.contains("SKILL.md:3"), "{one} / {other}: {help}");
    }
}

#[test]
fn what_contradicts_in_two_skills_is_told_too() {
    for (one, other) in OPPOSED {
        let told = across(one, other);
        assert_eq!(told.len(), 1, "{one} / {other}: {told:?}");
        assert!(told[0].path.as_deref().is_some_and(|path| path.contains("/b/")), "{one} / {other}");
    }
}

#[test]
fn what_only_looks_so_is_not_told() {
    for (one, other) in AT_PEACE {
        let told = skill("a", &format!("# A\n\n{one}\n\n{other}\n")).findings;
        assert!(conflicts(&told).is_empty(), "{one} / {other}: {told:?}");
        let told = across(one, other);
        assert!(told.is_empty(), "{one} / {other}: {told:?}");
    }
}

fn across(one: &str, other: &str) -> Vec<Finding> {
    let skills =
        [("a", one), ("b", other)].map(|(name, law)| Arc::new(skill(name, &format!("# A\n\n{law}\n"))));
    let input = WorkspaceInput { skills: &skills, law: &[], schemas: &[], manifests: None };
    let compiled = compile_workspace(
        &input,
        &RuleLock::default(),
        &WorkspaceOptions::default(),
        &FixedInventory::default(),
    );
    conflicts(&compiled.findings)
}

fn conflicts(findings: &[Finding]) -> Vec<Finding> {
    findings.iter().filter(|finding| finding.code.name() == "conflict").cloned().collect()
}

fn skill(name: &str, law: &str) -> SkillCompiled {
    let skill = SkillName::parse(name).expect("a name");
    let law = Source::new(&format!(".pi/skills/{name}/SKILL.md"), law);
    let input = SkillInput {
        name: skill.clone(),
        law: vec![Arc::new(read_law(&law, &LawKind::Skill(skill)))],
        runtime: None,
        promoted: None,
        acceptances: BTreeSet::new(),
        waiting: BTreeMap::new(),
    };
    compile_skill(&input, &RuleLock::default(), &SkillOptions::default(), &FixedInventory::default())
}
