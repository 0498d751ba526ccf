//! Tables: what each pass makes of law, lessons and workspace.

mod common;

use std::sync::Arc;

use common::{Desk, codes, lesson, workspace};
use insta::assert_snapshot;
use mentci_authority::{EntryKind, Lesson, LessonId, LessonStatus, Level, OmissionReason, RuleLock};
use mentci_compiler::lessons::{add_lesson, move_lesson, read_lessons};
use mentci_compiler::{
    FixedInventory, LawKind, LawReading, ManifestSources, SchemaSource, SkillOptions, WorkspaceInput,
    WorkspaceOptions, compile_workspace, read_lock, verify_coverage, write_lock,
};
use mentci_reader::{capnp, cargo};
use mentci_source::{Finding, Severity, Source};

/// The skill of the case study.
fn desk() -> Desk {
    let mut desk = Desk::new("sema");
    desk.explicit(Level::MustNot, "Never edit generated code");
    desk.explicit(Level::Must, "You must run `cargo test` before each commit");
    desk.implied(Level::Must, "Use structural_edit over text replacement");
    desk.implied(Level::Must, "Format Rust files with rustfmt");
    desk
}

fn told(lessons: &[(&str, &str)]) -> String {
    let mut text = None;
    for (condition, resolution) in lessons {
        let source = text.map(|text: String| Source::new("runtime.edn", &text));
        let told = lesson("sema", condition, resolution, "s");
        text = Some(add_lesson(source.as_ref(), &told).expect("sound").0);
    }
    text.unwrap_or_default()
}

fn printed(findings: &[Finding]) -> String {
    findings.iter().fold(String::new(), |all, finding| all + &finding.to_string() + "\n")
}

#[test]
fn a_lesson_goes_where_it_belongs() {
    // condition, resolution, where it goes
    let table = [
        ("structural_edit fails on macros", "use text edit", "exception"),
        ("rust analyzer cannot find `setup.bin`", "link it into the crate first", "case"),
        ("cargo test hangs", "commit without `cargo test`", "waits"),
        ("the header of generated code is wrong", "edit generated code by hand", "waits"),
        ("a rule is in the way", "ignore the rules", "waits"),
    ];
    for (condition, resolution, place) in table {
        let mut desk = desk();
        desk.runtime(&told(&[(condition, resolution)]));
        let compiled = desk.compile();
        let id = LessonId::of("sema", condition, resolution);
        let line = compiled.digest.lines.iter().find(|line| line.provenance.lessons.contains(&id));
        let found = match line.map(|line| line.kind) {
            Some(EntryKind::Exception) => "exception",
            Some(EntryKind::Case) => "case",
            _ => "waits",
        };
        assert_eq!(found, place, "{condition}");
        assert_eq!(codes(&compiled.findings).contains(&"lesson-pending"), place == "waits");
        let waiting =
            compiled.digest.omitted.iter().any(|omission| omission.reason == OmissionReason::Pending);
        assert_eq!(waiting, place == "waits");

        desk.accept(&id);
        let accepted = desk.compile();
        assert!(
            accepted.digest.lines.iter().any(|line| line.provenance.lessons.contains(&id)),
            "{condition}"
        );
        assert!(!accepted.digest.text.contains("(unreviewed)"));
    }
}

#[test]
fn ties_are_not_guessed() {
    let mut desk = Desk::new("sema");
    desk.implied(Level::Must, "Build with `just build`");
    desk.implied(Level::Must, "Publish with `just build`");
    desk.runtime(&told(&[("`just build` hangs", "delete the cache")]));
    let compiled = desk.compile();
    assert_snapshot!(printed(&compiled.findings), @r#"
    .pi/skills/sema/runtime.edn:1:2: note[E0607]: the lesson `4d059930a21b68a6` concerns `Build with `just build`` and `Publish with `just build`` equally well
      help: it stands under Case law; name the norm's own words in the condition to tie it to one
    "#);
    assert!(
        compiled
            .digest
            .text
            .contains("## Case law\n3 When `just build` hangs: delete the cache (unreviewed)")
    );
}

#[test]
fn a_name_in_backticks_brings_its_lesson_to_its_norm() {
    // condition, the norm on whose line the lesson stands
    let table = [
        ("wget stalls behind the proxy", Some("Fetch archives with `wget`")),
        ("the proxy cuts off wget", Some("Fetch archives with `wget`")),
        ("podman-compose cannot bind the port", Some("Start services with `podman-compose`")),
        ("black mangles the fixtures", Some("Style scripts with `black`")),
        ("the screen turns black", None),
        ("eslint is too old", None),
    ];
    for (condition, norm) in table {
        let mut desk = Desk::new("web");
        desk.implied(Level::Must, "Fetch archives with `wget`");
        desk.implied(Level::Must, "Start services with `podman-compose`");
        desk.implied(Level::Must, "Style scripts with `black`");
        desk.implied(Level::Must, "Check pages with `eslint`");
        desk.implied(Level::Must, "Check templates with `eslint`");
        desk.runtime(&told(&[(condition, "ask whoever keeps it")]));
        let compiled = desk.compile();
        let line = compiled.digest.lines.iter().find(|line| line.text.contains("ask whoever"));
        let line = line.map(|line| line.text.as_str()).unwrap_or_default();
        match norm {
            Some(norm) => assert!(line.contains(&format!("{norm}. EXCEPT {condition}")), "{line}"),
            None => assert!(line.contains(&format!("When {condition}")), "{line}"),
        }
        let is_tie = codes(&compiled.findings).contains(&"ambiguous-lesson");
        assert_eq!(is_tie, condition.starts_with("eslint"), "{condition}");
    }
}

#[test]
fn claims_are_not_believed() {
    let mut desk = desk();
    let text = told(&[
        ("structural_edit fails on macros", "use text edit"),
        ("cargo test hangs", "skip cargo test"),
    ]);
    desk.promoted(&text.replace(":active", ":promoted"));
    let compiled = desk.compile();
    assert_snapshot!(printed(&compiled.findings), @r#"
    .pi/skills/sema/promoted.edn:1:2: note[E0508]: the file says that the lesson `4290a67fb14ad76c` was accepted, no acceptance is recorded
      help: `policy-engine lessons accept 4290a67fb14ad76c` records it for this user
    .pi/skills/sema/promoted.edn:6:2: warning[E0508]: the file says that the lesson `bc561b0c44da7aa8` was accepted, no acceptance is recorded
      help: `policy-engine lessons accept bc561b0c44da7aa8` records it for this user
    "#);
    assert!(compiled.digest.text.contains("use text edit. (unreviewed)"));
    assert!(!compiled.digest.text.contains("skip cargo test"));
}

#[test]
fn refused_and_retired_lessons_are_never_compiled() {
    for status in ["rejected", "archived"] {
        let mut desk = desk();
        let text = told(&[("structural_edit fails on macros", "use text edit")]);
        desk.promoted(&text);
        desk.runtime(&text.replace(":active", &format!(":{status}")));
        desk.accept(&LessonId::of("sema", "structural_edit fails on macros", "use text edit"));
        assert!(!desk.compile().digest.text.contains("text edit."), "{status}");
    }
}

#[test]
fn a_lesson_in_both_files_counts_once() {
    let text = told(&[("rust analyzer is lost", "link `setup.bin`")]);
    let mut in_one = desk();
    in_one.runtime(&text);
    let mut in_both = desk();
    in_both.runtime(&text);
    in_both.promoted(&text);
    assert_eq!(in_one.compile().digest.text, in_both.compile().digest.text);
    let lines = in_both.compile().digest.lines;
    assert_eq!(
        lines.iter().find(|line| line.kind == EntryKind::Case).map(|line| line.provenance.spans.len()),
        Some(2)
    );
}

#[test]
fn near_duplicates_are_merged() {
    let mut desk = desk();
    desk.runtime(&told(&[
        (
            "the analyzer fails when setup.bin is missing in mentci-user",
            "link setup.bin into mentci-user first",
        ),
        (
            "the analyzer fails when setup.bin is missing in mentci-user",
            "first, link the setup.bin into mentci-user",
        ),
        (
            "the analyzer fails when setup.bin is missing in mentci-user",
            "do not link setup.bin into mentci-user first",
        ),
        (
            "the analyzer fails when other.bin is missing in mentci-user",
            "link other.bin into mentci-user first",
        ),
    ]));
    let compiled = desk.compile();
    assert_eq!(codes(&compiled.findings), ["lesson-duplicate", "conflict"], "to link it, and not to");
    assert_eq!(compiled.digest.lines.iter().filter(|line| line.kind == EntryKind::Case).count(), 3);
}

#[test]
fn a_noun_beside_a_name_is_evidence_enough_in_an_empty_workspace() {
    let mut desk = Desk::new("sema");
    for text in [
        "Never touch the crate `criome-contract`",
        "Ask the skill `nonexistent-skill`",
        "Keep the field `DaemonStatus.uptime2`",
        "Keep `git-rebase`, `Promise.all` and `serde_json` crates out of this",
    ] {
        desk.implied(Level::Must, text);
    }
    assert_snapshot!(printed(&desk.compile().findings), @r"
    .pi/skills/sema/SKILL.md:1:26: warning[E0601]: stale: `criome-contract` is not in this workspace
      help: correct the law, or restore what it names
    .pi/skills/sema/SKILL.md:2:18: warning[E0601]: stale: `nonexistent-skill` is not in this workspace
      help: correct the law, or restore what it names
    .pi/skills/sema/SKILL.md:3:19: warning[E0601]: stale: `DaemonStatus.uptime2` is not in this workspace
      help: correct the law, or restore what it names
    ");
}

#[test]
fn commands_name_scripts_and_features() {
    let mut desk = Desk::new("sema");
    let names = &mut desk.inventory.names;
    names.crates.insert("mentci-core".to_owned());
    names.features.insert("mentci-core".to_owned(), ["fast".to_owned()].into());
    desk.inventory.paths.extend(["scripts", "scripts/deploy.sh"].map(str::to_owned));
    for text in [
        "Run `./scripts/deploy.sh --now`",
        "Run `./scripts/deploy2.sh --now`",
        "Run `bash scripts/gone.sh`",
        "Run `./configure --prefix x`",
        "Run `cargo test -p mentci-core --features fast,quick`",
        "Build with `--features slow` of `mentci-core`",
        "Build `serde` with `--features derive`",
        "Run `cargo test --features NAME -p mentci-core`",
    ] {
        desk.implied(Level::Must, text);
    }
    assert_snapshot!(printed(&desk.compile().findings), @r"
    .pi/skills/sema/SKILL.md:2:8: warning[E0601]: stale: `scripts/deploy2.sh` is not in this workspace
      help: correct the law, or restore what it names
    .pi/skills/sema/SKILL.md:3:8: warning[E0601]: stale: `scripts/gone.sh` is not in this workspace
      help: correct the law, or restore what it names
    .pi/skills/sema/SKILL.md:5:8: warning[E0601]: stale: the feature `quick` of `mentci-core` is not in this workspace
      help: correct the law, or restore what it names
    .pi/skills/sema/SKILL.md:6:15: warning[E0601]: stale: the feature `slow` of `mentci-core` is not in this workspace
      help: correct the law, or restore what it names
    ");
}

#[test]
fn stale_names_are_flagged_with_evidence() {
    let mut desk = Desk::new("sema");
    let names = &mut desk.inventory.names;
    names.crates.extend(["mentci-user".to_owned(), "mentci-core".to_owned()]);
    names.types.insert("DaemonStatus".to_owned(), ["version".to_owned()].into());
    names.skills.extend(["sema".to_owned(), "reviewer".to_owned()]);
    desk.inventory.paths.extend(["Components".to_owned(), ".pi/skills/sema/notes.md".to_owned()]);
    for text in [
        "Regenerate the `criome-contract` crate after each schema change",
        "Keep `mentci_core` free of IO",
        "Read `Components/old/lib.rs` first",
        "Read `notes.md` and `docs/gone.md`",
        "Ask the `reviewr` skill",
        "Set `DaemonStatus.version`, never `DaemonStatus.uptime`",
        "Use the struct `DaemonState` for that",
        "Run `cargo test -p mentci-usr` and `git log --oneline`",
        "Save the plan to `docs/plans/today.md`",
        "Look at `path/to/file.rs`, `src/*.rs`, `~/.config/x.toml`, `https://a.org/b.md`, `<crate>/lib.rs`, `/etc/hosts`",
        "Prefer `serde_json` and `snake_case`",
        "Open `.env/local.toml`, `origin/main`, `foo/bar.rs`",
    ] {
        desk.implied(Level::Must, text);
    }
    let compiled = desk.compile();
    assert_snapshot!(printed(&compiled.findings), @r#"
    .pi/skills/sema/SKILL.md:1:19: warning[E0601]: stale: `criome-contract` is not in this workspace
      help: correct the law, or restore what it names
    .pi/skills/sema/SKILL.md:3:9: warning[E0601]: stale: `Components/old/lib.rs` is not in this workspace
      help: correct the law, or restore what it names
    .pi/skills/sema/SKILL.md:4:24: warning[E0601]: stale: `docs/gone.md` is not in this workspace
      help: correct the law, or restore what it names
    .pi/skills/sema/SKILL.md:6:38: warning[E0601]: stale: `DaemonStatus.uptime` is not in this workspace
      help: correct the law, or restore what it names
    .pi/skills/sema/SKILL.md:7:19: warning[E0601]: stale: `DaemonState` is not in this workspace
      help: did you mean `DaemonStatus`?
    .pi/skills/sema/SKILL.md:8:8: warning[E0601]: stale: `mentci-usr` is not in this workspace
      help: did you mean `mentci-user`?
    "#);
    assert!(compiled.lock.names.contains("mentci_core"));
    assert!(compiled.is_current(&desk.inventory));
    desk.inventory.names.crates.remove("mentci-core");
    assert!(!compiled.is_current(&desk.inventory));

    // What was there once needs no further evidence.
    desk.lock = compiled.lock;
    let later = desk.compile();
    assert!(printed(&later.findings).contains("stale: `mentci_core` is not in this workspace"));
    assert!(later.lock.names.contains("mentci_core"), "it is remembered until the law drops it");
}

#[test]
fn contradictions_are_reported_inside_and_across_skills() {
    let mut one = Desk::new("one");
    one.explicit(Level::MustNot, "Never commit to `main`");
    one.implied(Level::Must, "Use npm");
    one.explicit(Level::MustNot, "Do not use npm");
    let mut two = Desk::new("two");
    two.implied(Level::Must, "Commit to `main`");
    let one = one.compile();
    assert_snapshot!(printed(&one.findings), @r#"
    .pi/skills/one/SKILL.md:3:1: warning[E0602]: `Do not use npm` contradicts `Use npm`
      help: the other stands at .pi/skills/one/SKILL.md:2; decide which one holds
    "#);
    let both = workspace(&[Arc::new(one), Arc::new(two.compile())], &WorkspaceOptions::default());
    assert_snapshot!(printed(&both.findings), @r#"
    .pi/skills/two/SKILL.md:1:1: warning[E0602]: `Commit to `main`` contradicts `Never commit to `main``
      help: the other stands at .pi/skills/one/SKILL.md:1; decide which one holds
    "#);
}

#[test]
fn what_is_negated_twice_is_no_duplicate_of_what_is_forbidden() {
    // one skill's norm, the other's, what is found
    let table = [
        ("Never log secrets", "Never avoid logging secrets", "conflict"),
        ("Do not test on prod", "Never avoid testing on prod", "conflict"),
        ("Don't not test", "Never avoid tests", ""),
        ("Never avoid tests", "Never avoid the tests", "duplicate-norm"),
        ("Never log secrets", "Do not log secrets", "duplicate-norm"),
    ];
    for (first, second, expected) in table {
        let (mut one, mut two) = (Desk::new("one"), Desk::new("two"));
        one.explicit(Level::MustNot, first);
        two.explicit(Level::MustNot, second);
        let both =
            workspace(&[Arc::new(one.compile()), Arc::new(two.compile())], &WorkspaceOptions::default());
        assert_eq!(codes(&both.findings).join(" "), expected, "{first} / {second}");
        one.explicit(Level::MustNot, second);
        let alone = one.compile();
        assert_eq!(
            codes(&alone.findings).contains(&"conflict"),
            expected == "conflict",
            "{first} / {second}"
        );
        assert_eq!(
            alone.digest.lines.len(),
            if expected == "duplicate-norm" { 1 } else { 2 },
            "{first} / {second}"
        );
    }
}

#[test]
fn a_norm_of_several_skills_is_stated_once() {
    let mut skills = Vec::new();
    for name in ["one", "three", "two"] {
        let mut desk = Desk::new(name);
        desk.implied(Level::Must, &format!("Load {name}"));
        desk.explicit(Level::MustNot, "Never commit to `main`");
        skills.push(Arc::new(desk.compile()));
    }
    let all = workspace(&skills, &WorkspaceOptions::default());
    assert_snapshot!(all.digest.text, @r#"
    # Absolute Rules, cited by number (4 of 3 skills, f48a949aa3ce)
    ## Must
    one-2 Never commit to `main`
    ## Do
    one-1 Load one
    three-1 Load three
    two-1 Load two
    "#);
    assert_snapshot!(printed(&all.findings), @r#"
    .pi/skills/three/SKILL.md:2:1: note[E0603]: `Never commit to `main`` stands in `one`, `three`, `two`
      help: it is stated once, as `one-2`; keep it in one place
    "#);
    let line = all.digest.lines.iter().find(|line| line.text.starts_with("Never")).expect("stated");
    assert_eq!(line.provenance.spans.len(), 3);
}

#[test]
fn a_name_of_one_letter_is_no_article() {
    for (one, other) in [
        ("Deploy to cluster A", "Deploy to a cluster"),
        ("Ask reviewer A first", "Ask the reviewer first"),
        ("Keep the A list short", "Keep a list short"),
    ] {
        let skill = |name: &str, text: &str| {
            let mut desk = Desk::new(name);
            desk.implied(Level::Must, text);
            Arc::new(desk.compile())
        };
        let all = workspace(&[skill("one", one), skill("two", other)], &WorkspaceOptions::default());
        assert!(all.findings.is_empty(), "{}", printed(&all.findings));
        assert!(all.digest.text.contains(one) && all.digest.text.contains(other), "{}", all.digest.text);
    }
}

#[test]
fn what_does_not_fit_is_counted_and_a_must_is_a_finding() {
    let mut desk = Desk::new("sema");
    for number in 0..30 {
        desk.explicit(Level::Must, &format!("You must keep the invariant number {number} of the ledger"));
        desk.explicit(Level::May, &format!("You may ignore the hint number {number} of the ledger"));
    }
    let options = WorkspaceOptions { tokens: 200, ..WorkspaceOptions::default() };
    let all = workspace(&[Arc::new(desk.compile())], &options);
    assert!(all.tokens <= 200, "{}", all.tokens);
    assert_snapshot!(all.digest.text, @r#"
    # Absolute Rules, cited by number (60 of 1 skill, db04c36934a4)
    ## Must
    sema-1 You must keep the invariant number 0 of the ledger
    sema-3 You must keep the invariant number 1 of the ledger
    sema-5 You must keep the invariant number 2 of the ledger
    sema-7 You must keep the invariant number 3 of the ledger
    sema-9 You must keep the invariant number 4 of the ledger
    sema-11 You must keep the invariant number 5 of the ledger
    sema-13 You must keep the invariant number 6 of the ledger
    sema-15 You must keep the invariant number 7 of the ledger
    ## More, in .pi/skills/<skill>/absolute_rules.md
    +22 must, +30 may: sema
    "#);
    assert_snapshot!(printed(&all.findings), @r#"
    .pi/skills/sema/SKILL.md:17:1: warning[E0604]: `sema-17`, `sema-19`, `sema-21`, `sema-23`, `sema-25`, `sema-27`, `sema-29`, `sema-31`, `sema-33`, `sema-35`, `sema-37`, `sema-39`, `sema-41`, `sema-43`, `sema-45`, `sema-47`, `sema-49`, `sema-51`, `sema-53`, `sema-55`, `sema-57`, `sema-59` do not fit the budget and became a pointer
      help: raise `digest.tokens`, or shorten the law; `policy-engine explain` shows each rule
    "#);
    let coverage = verify_coverage(&all.map(), all.sources());
    assert_eq!((coverage.covered, coverage.gaps.len(), coverage.overlaps.len()), (60, 0, 0));

    desk.options = SkillOptions { tokens: Some(150), ..SkillOptions::default() };
    let bounded = desk.compile();
    assert!(bounded.tokens() <= 150);
    assert!(bounded.digest.text.contains("## More\n+"), "{}", bounded.digest.text);
    assert_eq!(codes(&bounded.findings), ["must-over-budget"]);
}

#[test]
fn unreviewed_lessons_keep_to_their_share() {
    let mut desk = desk();
    let conditions: Vec<String> =
        (0..60).map(|number| format!("service{number} refuses connections")).collect();
    let lessons: Vec<(&str, &str)> =
        conditions.iter().map(|it| (it.as_str(), "restart it and look at its log")).collect();
    desk.runtime(&told(&lessons));
    let all = desk.workspace();
    let shown = all.digest.lines.iter().filter(|line| line.kind == EntryKind::Case).count();
    assert!((1..20).contains(&shown), "{shown}");
    assert!(all.digest.text.contains(&format!("+{} lessons: sema", 60 - shown)), "{}", all.digest.text);
    assert_eq!(desk.compile().digest.lines.len(), 64, "the skill's own digest has no bound");
}

#[test]
fn procedures_keep_their_order_under_their_heading() {
    let mut desk = Desk::new("sema");
    desk.implied(Level::Must, "Read the law");
    desk.step("Releasing", 1, "Tag the commit");
    desk.step("Releasing", 2, "Push the tag");
    desk.explicit(Level::MustNot, "Never release on Friday");
    assert_snapshot!(desk.compile().digest.text, @r#"
    # Absolute Rules, cited as sema-N (4, ef48b6f0a95a)
    ## Must
    4 Never release on Friday
    ## Do
    1 Read the law
    ## Releasing, in order
    2 Tag the commit
    3 Push the tag
    Law: .pi/skills/sema/SKILL.md
    "#);
}

#[test]
fn a_step_does_not_repeat_the_name_that_its_heading_says() {
    let mut desk = Desk::new("sema");
    desk.step("Adding a lamp", 1, "Adding a lamp: Open the lamp room");
    desk.step("Adding a lamp", 2, "Adding a lampshade: Ask the mate");
    let text = desk.compile().digest.text;
    assert!(
        text.contains(
            "## Adding a lamp, in order\n1 Open the lamp room\n2 Adding a lampshade: Ask the mate\n"
        ),
        "{text}"
    );
    // Wherever it stands without that heading it says so.
    let whole = workspace(&[Arc::new(desk.compile())], &WorkspaceOptions::default()).digest.text;
    assert!(whole.contains("Adding a lamp: Open the lamp room"), "{whole}");
}

#[test]
fn a_step_that_is_shown_alone_says_which_it_is() {
    let mut desk = Desk::new("sema");
    desk.step(
        "",
        1,
        "Fetch the rules of the ledger, with every line that was changed since the last audit of it",
    );
    desk.step("", 2, "Stop");
    assert_eq!(headings(&desk.compile().digest.text), ["Steps, in order"]);
    let shown = |tokens: usize| {
        let options = WorkspaceOptions { tokens, ..WorkspaceOptions::default() };
        workspace(&[Arc::new(desk.compile())], &options).digest.text
    };
    assert_eq!(headings(&shown(1_000)), ["sema: Steps, in order"]);
    let short = (50..150).map(shown).find(|text| text.contains("sema: Steps")).unwrap_or_default();
    assert_eq!(headings(&short), ["sema: Steps, step 2", "More, in .pi/skills/<skill>/absolute_rules.md"]);
}

#[test]
fn steps_that_say_the_same_all_stand() {
    let mut desk = Desk::new("sema");
    desk.step("Testing", 1, "Run the suite");
    desk.step("Testing", 2, "Fix what it found");
    desk.step("Testing", 3, "Run suite");
    let text = desk.compile().digest.text;
    assert!(text.contains("1 Run the suite\n2 Fix what it found\n3 Run suite\n"), "{text}");
}

/// The headings of a digest.
fn headings(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.strip_prefix("## ")).collect()
}

#[test]
fn a_condition_before_never_demands_nothing() {
    let mut desk = Desk::new("sema");
    desk.explicit(Level::MustNot, "If nobody asks for it, never offer it");
    desk.explicit(Level::MustNot, "On Fridays, never push");
    desk.explicit(Level::MustNot, "If it fails, run the suite again, never skip it");
    desk.explicit(Level::MustNot, "Use pnpm, never npm");
    let levels: Vec<Vec<Option<Level>>> = (1..=4)
        .map(|number| {
            let map = desk.compile().map();
            let of_rule = |entry: &&mentci_authority::MapEntry| {
                entry.rule.as_ref().is_some_and(|rule| rule.number == number)
            };
            map.entries.iter().filter(of_rule).map(|entry| entry.level).collect()
        })
        .collect();
    let (not, must) = (Some(Level::MustNot), Some(Level::Must));
    assert_eq!(levels, [vec![not], vec![not], vec![not, must], vec![not, must]]);
}

#[test]
fn facts_stand_behind_the_law() {
    let schema = Source::new(
        "Components/daemon/status.capnp",
        "@0x8f5d14e1c273738f;\n# About the daemon.\nstruct DaemonStatus {\n  version @0 :Text;\n}\nenum Colour { red @0; }\n",
    );
    let root = Source::new(
        "Cargo.toml",
        "# ours\n[workspace]\nmembers = [\"a\"]\nresolver = \"3\"\n[workspace.package]\nedition = \"2024\"\n[workspace.dependencies]\nserde = \"1\"\nregex = \"1.13\"\n",
    );
    let member = Source::new(
        "a/Cargo.toml",
        "[package]\nname = \"a\"\n[features]\ndefault = [\"fast\"]\nfast = []\nslow = []\n",
    );
    let facts = cargo::read_workspace(&root, std::slice::from_ref(&member)).value;
    let manifests = ManifestSources::new(vec![root, member], Arc::new(facts));
    let schemas = [SchemaSource::new(schema.clone(), Arc::new(capnp::read(&schema).value))];
    let mut desk = Desk::new("sema");
    desk.inventory.names.add_schema(&schemas[0].schema);
    desk.inventory.names.add_workspace(&manifests.facts);
    desk.implied(Level::Must, "Patterns go through `regex`; status is a `DaemonStatus`");
    let skills = [Arc::new(desk.compile())];
    let input = WorkspaceInput { skills: &skills, law: &[], schemas: &schemas, manifests: Some(&manifests) };
    let lock = RuleLock::default();
    let all = compile_workspace(&input, &lock, &WorkspaceOptions::default(), &desk.inventory);
    assert_snapshot!(all.digest.text, @r"
    # Absolute Rules, cited by number (1 of 1 skill, 6 facts, c2f413df7353)
    ## Do
    sema-1 Patterns go through `regex`; status is a `DaemonStatus`
    ## Schema
    workspace-5 DaemonStatus{version:Text}
    workspace-6 Colour(red)
    ## Workspace
    workspace-1 edition 2024, resolver 3
    workspace-2 members: a
    workspace-3 features: a: fast, slow (default: fast)
    workspace-4 dependencies: regex 1.13
    ");
    let coverage = verify_coverage(&all.map(), all.sources());
    assert_eq!((coverage.percent(), coverage.gaps, coverage.overlaps), (100, vec![], vec![]));
}

#[test]
fn a_skill_called_workspace_is_numbered_apart() {
    let (mut law, mut desk) = (Desk::new("own"), Desk::new("workspace"));
    desk.explicit(Level::MustNot, "Never rewrite a release");
    let skill = desk.compile();
    assert_snapshot!(printed(&skill.findings), @r"
    .pi/skills/workspace/SKILL.md: warning[E0104]: `workspace` is the name of the workspace's own law; the skill's rules are numbered `workspace.skill-N`
      help: rename the skill's folder, so that its rules bear its name
    ");
    assert!(
        skill.digest.text.starts_with("# Absolute Rules, cited as workspace.skill-N"),
        "{}",
        skill.digest.text
    );

    law.explicit(Level::Must, "Every merge must be reviewed");
    let law = LawReading { kind: LawKind::Workspace, ..(*law.law()).clone() };
    let (skills, law) = ([Arc::new(skill)], [Arc::new(law)]);
    let input = WorkspaceInput { skills: &skills, law: &law, schemas: &[], manifests: None };
    let options = WorkspaceOptions::default();
    let all = compile_workspace(&input, &RuleLock::default(), &options, &FixedInventory::default());
    let text = &all.digest.text;
    assert!(
        text.contains("\nworkspace-1 Every merge") && text.contains("\nworkspace.skill-1 Never rewrite"),
        "{text}"
    );
}

#[test]
fn the_map_is_what_the_specification_says() {
    let mut desk = Desk::new("sema");
    desk.implied(Level::Must, "Use structural_edit over text replacement");
    desk.runtime(&format!("; learned\n{}", told(&[("structural_edit fails on macros", "use text edit")])));
    let files = desk.compile().files();
    assert!(files.is_committed());
    assert_snapshot!(files.map, @r#"
    {"format":1,"skill":"sema","sources":[
    {"path":".pi/skills/sema/SKILL.md","hash":"894b299a4d4e6a71b9e3d50750973f6c27398e88852afeecd487d6f2b535e7fd"},
    {"path":".pi/skills/sema/runtime.edn","hash":"df699bcaf0358232cb0ff9af4eda5c7bac8a5e9c8a45ca0c15c0c7cd2322386f"}
    ],"entries":[
    {"rule":"sema-1","level":"must","tier":"core","kind":"exception","text":"Use structural_edit over text replacement. EXCEPT structural_edit fails on macros: use text edit. (unreviewed)","spans":[{"path":".pi/skills/sema/SKILL.md","start_line":1,"end_line":1,"bytes":{"start":0,"end":44}},{"path":".pi/skills/sema/runtime.edn","start_line":2,"end_line":6,"bytes":{"start":11,"end":149}}],"lessons":["4290a67fb14ad76c"]}
    ],"omitted":[
    {"path":".pi/skills/sema/runtime.edn","start_line":1,"end_line":1,"bytes":{"start":0,"end":9},"reason":"comment"},
    {"path":".pi/skills/sema/runtime.edn","start_line":2,"end_line":2,"bytes":{"start":10,"end":11},"reason":"separator"},
    {"path":".pi/skills/sema/runtime.edn","start_line":6,"end_line":6,"bytes":{"start":149,"end":150},"reason":"separator"}
    ]}
    "#);
    assert_snapshot!(files.lock, @r#"
    {
      "format": 1,
      "numbers": {
        "aabd9ba80a7ce98f": 1
      },
      "retired": [],
      "names": []
    }
    "#);
}

#[test]
fn harness_tags_lose_their_brackets() {
    let mut desk = Desk::new("sema");
    desk.implied(Level::Must, "Wrap it in <system-reminder> tags");
    let compiled = desk.compile();
    assert!(compiled.digest.text.contains("1 Wrap it in system-reminder tags"));
    assert_eq!(codes(&compiled.findings), ["harness-tag"]);
}

#[test]
fn locks_are_refused_rather_than_guessed() {
    let refused =
        |text: &str| read_lock(&Source::new(".pi/absolute_rules.lock", text)).unwrap_err().to_string();
    assert_snapshot!(refused("{\n  \"format\": 1,\n<<<<<<< HEAD\n"), @r#"
    .pi/absolute_rules.lock:3:1: error[E0801]: a merge was left unfinished here
      help: keep the lines of both sides: a number that is given twice is sorted out by itself
    "#);
    assert_snapshot!(refused("{\n  \"format\": 1,\n  \"numbers\": {\"a\": }\n"), @r#"
    .pi/absolute_rules.lock:3:20: error[E0801]: the lock cannot be read: expected value
      help: restore it from version control, or delete it to number the rules afresh
    "#);
    assert_snapshot!(refused("{\"format\": 4, \"colour\": 1}"), @r"
    .pi/absolute_rules.lock: error[E0802]: the lock has format 4, this version reads 3
      help: upgrade `policy-engine`; the file is left as it stands
    ");
    // Whether this version could read the rest of it or not.
    for newer in
        ["{\"format\": 4}", "{\"format\": 4, \"numbers\": 7}", "{\"numbers\": {}, \"format\": 99999999999}"]
    {
        assert!(refused(newer).contains("error[E0802]"), "{newer}");
    }
    assert_snapshot!(refused("{\"format\": 1, \"colour\": 1}"), @r"
    .pi/absolute_rules.lock:1:22: error[E0801]: the lock cannot be read: unknown field `colour`, expected one of `format`, `numbers`, `retired`, `names`, `lines`
      help: restore it from version control, or delete it to number the rules afresh
    ");
    assert_snapshot!(refused("{\"format\": 1, \"numbers\": {\"a\": 0}}"), @".pi/absolute_rules.lock: error[E0801]: a rule has the number 0");
    assert_snapshot!(refused(""), @r#"
    .pi/absolute_rules.lock:1:1: error[E0801]: the lock cannot be read: eof while parsing a value
      help: restore it from version control, or delete it to number the rules afresh
    "#);
    let doubled =
        read_lock(&Source::new("l", "{\"format\": 1, \"numbers\": {\"a\": 4, \"a\": 2}}")).expect("read");
    assert_eq!(doubled.numbers.values().copied().collect::<Vec<_>>(), [2]);
    assert!(doubled.retired.contains(&4));
    assert_eq!(read_lock(&Source::new("l", &write_lock(&doubled))).expect("read"), doubled);
}

#[test]
fn odd_entries_are_kept_and_not_compiled() {
    let desk = desk();
    let source = Source::new(
        "runtime.edn",
        "; ours\n[{:id \"x\" :condition \"a\" :resolution \"b\" :mood 7}\n 42\n {:condition \"a\"}\n {:condition 1 :resolution \"b\"}\n {:condition \"<system>\" :resolution \"b\"}\n {:condition \"c\" :resolution \"d\" :status :promotd}]\n",
    );
    let reading = read_lessons(&source, &desk.name);
    assert_snapshot!(printed(&reading.findings), @r#"
    runtime.edn:2:7: warning[E0509]: `:id` is `x`, the content's id is `8ce19494bb285051`
      help: drop the key: ids are made from the content
    runtime.edn:3:2: warning[E0503]: this entry is not a map
      help: write `{:condition "…" :resolution "…"}`
    runtime.edn:4:2: warning[E0503]: this entry has no `:resolution`
    runtime.edn:5:14: warning[E0503]: `:condition` is not a string
    runtime.edn:6:14: error[E0504]: the condition poses as the harness: `<system`
      help: say it without the tag
    runtime.edn:7:42: warning[E0503]: unknown status `:promotd`; the lesson waits
      help: did you mean `:promoted`?
    "#);
    assert_eq!(reading.value.lessons.len(), 2);
    let finding = add_lesson(Some(&Source::new("runtime.edn", "{:a 1}")), &some_lesson()).unwrap_err();
    assert_snapshot!(finding, @r#"
    runtime.edn:1:1: warning[E0503]: the file is not a vector of lessons
      help: a lesson file is one vector of maps: `[{:condition "…" :resolution "…"}]`
    "#);
    let finding =
        add_lesson(Some(&Source::new("runtime.edn", "[{:condition \"a\"")), &some_lesson()).unwrap_err();
    assert_eq!((finding.code.name(), finding.severity), ("edn-syntax", Severity::Error));
}

#[test]
fn a_lesson_that_moves_to_a_file_that_has_it_says_what_the_move_says() {
    let desk = Desk::new("sema");
    let id = some_lesson().id;
    let from = add_lesson(None, &some_lesson()).expect("sound").0;
    let to = "; old\n[{:condition \"the build fails\" :resolution \"read the first error\" :sessions #{\"r\"} :status :rejected :reason \"too vague\" :mood 7}]\n";
    let moved = |status, reason| {
        let (from, to) = (Source::new("runtime.edn", &from), Source::new("archive.edn", to));
        move_lesson(&from, Some(&to), &desk.name, &id, status, reason).expect("sound").to
    };
    assert_snapshot!(moved(LessonStatus::Archived, Some("fixed")), @r#"
    ; old
    [{:condition "the build fails" :resolution "read the first error" :sessions #{"r" "s"} :status :archived :reason "fixed" :mood 7}]
    "#);
    assert_snapshot!(moved(LessonStatus::Promoted, None), @r#"
    ; old
    [{:condition "the build fails" :resolution "read the first error" :sessions #{"r" "s"} :status :promoted :mood 7}]
    "#);
}

fn some_lesson() -> Lesson {
    lesson("sema", "the build fails", "read the first error", "s")
}

/// A schema, and the lines of law that its comments and annotations give.
const REMARKS: &[(&str, &[&str])] = &[
    // Doc comments name what they stand on.
    (
        "struct Ticket {\n  # You must never print this to a log.\n  seat @0 :Text;  # Must not be empty.\n}\n",
        &["Ticket: You must never print this to log", "Ticket.seat must not be empty"],
    ),
    (
        "enum Gate {\n  north @0;\n  south @1;  # deprecated, do not use\n  # Visitors see it no more.\n}\n",
        &["Gate.south: deprecated, do not use"],
    ),
    (
        "interface Desk {\n  book @0 (seat :Text) -> (id :UInt64);\n  # Books a seat. The caller must hold a\n  # `Ticket` before.\n}\n",
        &["Desk.book: caller must hold Ticket before"],
    ),
    (
        "const limit :UInt32 = 5;\n# Never raise this without asking operations.\n",
        &["limit: Never raise this without asking operations"],
    ),
    (
        "struct Outer {\n  union {\n    left @0 :Text;  # Always escape it.\n    right @1 :Text;\n  }\n  struct Inner {\n    # A row of the table.\n    key @0 :UInt8;  # must be below 100\n  }\n}\n",
        &["Outer.left: Always escape it", "Outer.Inner.key must be below 100"],
    ),
    // Texts of annotations, too.
    (
        "annotation rule(field, struct) :Text;\nstruct Login $rule(\"must never be cached\") {\n  token @0 :Text $rule(\"never empty\");\n}\n",
        &["Login must never be cached", "Login.token: never empty"],
    ),
    // Comments beside no declaration name the file.
    (
        "# Never reorder the fields of this file.\n# You must bump `version` when you add one.\n\nstruct A { x @0 :Text; }\n",
        &["a.capnp: Never reorder fields of this file", "a.capnp: You must bump `version` when you add one"],
    ),
    // What describes orders nothing.
    (
        "struct Reply {\n  # Always holds the newest value. It is never null, and can only be read once. Creates a session.\n  x @0 :Text;  # We must decide what to do here. Should be short. May be empty.\n  y @1 :Text;  # They must have come from one host. Never used, as you don't want to wait. Shall be embargoed. Required. Copies must be:\n  # 1. short\n}\n",
        &[],
    ),
    (
        "# Copyright (c) 2024. The above notice must be included in all copies.\n\nstruct A { x @0 :Text; }\n",
        &[],
    ),
    ("struct A {\n  # x @0 :Text;  # must be short\n  #     $ tool --must run\n  y @0 :Text;\n}\n", &[]),
    (
        "using Cxx = import \"/capnp/c++.capnp\";\n$Cxx.namespace(\"must_not\");\nstruct A { x @0 :Text; }\n",
        &[],
    ),
];

#[test]
fn comments_and_annotations_of_schemas_are_law_where_they_order() {
    for (text, expected) in REMARKS {
        let source = Source::new("schema/a.capnp", text);
        let schema = capnp::read(&source);
        let schemas = [SchemaSource::new(source.clone(), Arc::new(schema.value))];
        let found: Vec<&str> = schemas[0].law.norms.iter().map(|norm| norm.text.as_str()).collect();
        assert_eq!(found, *expected, "{text}");
        let input = WorkspaceInput { skills: &[], law: &[], schemas: &schemas, manifests: None };
        let options = WorkspaceOptions::default();
        for tokens in [options.tokens, 60] {
            let options = WorkspaceOptions { tokens, ..options };
            let all = compile_workspace(
                &input,
                &RuleLock::default(),
                &options,
                &mentci_compiler::FixedInventory::default(),
            );
            let coverage = verify_coverage(&all.map(), all.sources());
            assert_eq!(
                (coverage.percent(), coverage.gaps, coverage.overlaps),
                (100, vec![], vec![]),
                "{text}"
            );
        }
        for place in schemas[0].law.norms.iter().flat_map(|norm| &norm.provenance.spans) {
            let said = source.slice(place.span);
            assert!(!said.starts_with('#') && !said.ends_with('\n') && !said.contains('@'), "{said}");
        }
    }
}
