//! Odd trees: a clear finding, nothing lost, no panic.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may stop, and touch files")]

mod story;

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use story::Story;

/// Everything that reads, on this tree: no panic, and the exit code of `compile-rules`.
fn all_verbs(story: &Story) -> i32 {
    let verbs: &[&[&str]] = &[
        &["check"],
        &["coverage"],
        &["stats"],
        &["sources"],
        &["status"],
        &["doctor"],
        &["lessons", "list"],
        &["inject", "pi"],
        &["config"],
    ];
    let code = story.run(&["compile-rules"]).code;
    for verb in verbs {
        let ran = story.run(verb);
        assert!(ran.code <= 2 && !ran.err.contains("panicked"), "{verb:?} {}", ran.err);
    }
    code
}

fn codes(story: &Story) -> Vec<String> {
    let json = story.run(&["compile-rules", "--json"]).json();
    let findings = json["findings"].as_array().unwrap().clone();
    findings.iter().map(|finding| finding["code"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn an_empty_workspace() {
    let story = Story::new();
    assert!(all_verbs(&story) < 2);
    assert!(!story.exists(".pi"), "a folder without law gets no digest");
}

#[test]
fn a_folder_named_skill_md() {
    let story = Story::with_law();
    fs::create_dir_all(story.root().join(".pi/skills/odd/SKILL.md")).unwrap();
    assert_eq!(all_verbs(&story), 2);
    assert_eq!(codes(&story), ["E0006"]);
    assert!(story.read(".pi/absolute_rules.md").contains("rust-1"));
}

#[test]
fn a_folder_in_the_place_of_a_skill_s_file_takes_no_law_away() {
    let story = Story::with_law();
    story.run(&["compile-rules"]);
    let digest = story.read(".pi/absolute_rules.md");
    let file = story.root().join(".pi/skills/rust/SKILL.md");
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    assert_eq!(all_verbs(&story), 2);
    assert_eq!(codes(&story), ["E0006", "E0803", "E0605"]);
    assert_eq!(story.read(".pi/absolute_rules.md"), digest);
}

#[test]
fn an_emptied_skill_s_file_takes_no_law_away() {
    let story = Story::with_law();
    story.run(&["compile-rules"]);
    let digests = story.digests();
    story.write(".pi/skills/rust/SKILL.md", "");
    assert_eq!(all_verbs(&story), 2);
    assert_eq!(codes(&story), ["E0012", "E0803", "E0803"]);
    assert_eq!(story.digests(), digests);

    // Nor does one that was cut to its front matter.
    story.write(".pi/skills/rust/SKILL.md", "---\nname: rust\ndescription: Rust.\n---\n");
    assert_eq!(codes(&story), ["E0012", "E0803", "E0803"]);
    assert_eq!(story.digests(), digests);

    // One that never said anything is only noted, and one that is deleted takes its law with it.
    fs::remove_file(story.root().join(".pi/skills/rust/SKILL.md")).unwrap();
    story.write(".pi/skills/bare/SKILL.md", "\n");
    for _ in 0..2 {
        assert!(all_verbs(&story) < 2);
        assert!(codes(&story).contains(&"E0003".to_owned()));
    }
    assert!(!story.read(".pi/absolute_rules.md").contains("rust-1"));
}

#[test]
fn a_link_in_the_place_of_a_skill_s_file_that_leads_nowhere_or_away_takes_no_law_away() {
    for leads in ["SKILL.md", "/etc/hostname"] {
        let story = Story::with_law();
        story.run(&["compile-rules"]);
        let digests = story.digests();
        let file = story.root().join(".pi/skills/rust/SKILL.md");
        fs::remove_file(&file).unwrap();
        symlink(leads, &file).unwrap();
        assert_eq!(all_verbs(&story), 2, "{leads}");
        assert_eq!(story.digests(), digests, "{leads}");
        fs::remove_file(&file).unwrap();
        assert!(all_verbs(&story) < 2, "{leads}");
        assert_ne!(story.digests(), digests, "{leads}");
    }
}

#[test]
fn a_glob_of_the_configuration_that_is_none() {
    let story = Story::with_law();
    story.write("mentci.toml", "[sources]\nskills = [\"docs/[x/*.md\"]\n");
    let ran = story.run(&["compile-rules"]);
    assert_eq!(ran.code, 2);
    insta::assert_snapshot!(ran.err, @r#"
    error[E0703]: `docs/[x/*.md` is not a source pattern: unclosed character class; missing ']'
     --> mentci.toml:2:10
      |
    2 | skills = ["docs/[x/*.md"]
      |          ^^^^^^^^^^^^^^^^
    "#);
    let config = story.run(&["config"]);
    assert!(config.code == 2 && config.err.contains("E0703"), "{}", config.err);
    let doctor = story.run(&["doctor"]);
    assert!(!doctor.out.contains("`mentci.toml` is read"), "{}", doctor.out);
}

#[test]
fn a_skill_s_folder_whose_name_is_none() {
    let story = Story::with_law();
    story.write(".pi/skills/--help/SKILL.md", "- Never.\n");
    story.write(".pi/skills/a b/SKILL.md", "- Never.\n");
    assert_eq!(all_verbs(&story), 2);
    insta::assert_snapshot!(story.run(&["compile-rules"]).err, @r"
    error[E0104]: `--help` is not a skill name
     --> .pi/skills/--help/SKILL.md
     = help: rename the folder; until then the skill is passed over
    error[E0104]: `a b` is not a skill name
     --> .pi/skills/a b/SKILL.md
     = help: rename the folder; until then the skill is passed over
    ");
}

#[test]
fn a_file_that_may_not_be_read_takes_no_law_away() {
    if fs::read("/proc/self/mem").is_ok() || is_root() {
        return; // permissions do not bind the superuser
    }
    let story = Story::with_law();
    story.run(&["compile-rules"]);
    let before = story.digests();
    let path = story.root().join(".pi/skills/rust/SKILL.md");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o0)).unwrap();
    assert_eq!(all_verbs(&story), 2);
    assert_eq!(story.digests(), before);
}

fn is_root() -> bool {
    fs::read_to_string("/proc/self/status").is_ok_and(|status| status.contains("Uid:\t0\t"))
}

/// In a build without optimisation a tenth of it is long enough to wait for.
#[test]
fn a_skill_of_fifty_megabytes() {
    let story = Story::with_law();
    let line = "Some prose that goes on and on about nothing in particular, line after line.\n";
    let megabytes = if cfg!(debug_assertions) { 5 } else { 50 };
    story.write(".pi/skills/long/SKILL.md", line.repeat((megabytes << 20) / line.len()));
    let ran = story.run(&["compile-rules"]);
    assert!(ran.code < 2);
    assert!(
        ran.err.contains(&format!("warning[E0013]: this law is {} MiB long", megabytes - 1)),
        "{}",
        ran.err
    );
}

/// Work on a line grows with its length, and no faster: this one took minutes when each of its sentences looked at all the others.
#[test]
fn a_line_of_many_sentences() {
    const SENTENCES: usize = 16_000;
    let story = Story::new();
    let law: Vec<String> = (0..SENTENCES).map(|n| format!("Never push branch{n}.")).collect();
    story.write(
        ".pi/skills/long/SKILL.md",
        format!("---\nname: long\ndescription: d\n---\n\n{}\n", law.join(" ")),
    );
    assert!(story.run(&["compile-rules"]).code < 2);
    assert!(story.read(".pi/skills/long/absolute_rules.lock").contains(&format!(": {SENTENCES}")));
}

#[test]
fn a_skill_past_the_limit_takes_no_law_away() {
    let story = Story::with_law();
    story.run(&["compile-rules"]);
    let before = story.digests();
    fs::File::options()
        .write(true)
        .open(story.root().join(".pi/skills/rust/SKILL.md"))
        .unwrap()
        .set_len(65 << 20)
        .unwrap();
    assert_eq!(all_verbs(&story), 2);
    assert!(codes(&story).contains(&"E0004".to_owned()));
    assert_eq!(story.digests(), before);
    assert!(story.run(&["inject", "pi"]).out.contains("rust-1"));
}

/// Law of a skill and of the workspace, compiled.
fn with_law_of_both() -> Story {
    let story = Story::with_law();
    story.write("mentci.toml", "[sources]\nlaw = [\"AGENTS.md\"]\n");
    story.write("AGENTS.md", "- Never lie.\n");
    story.run(&["compile-rules"]);
    story
}

/// The same text in other bytes than UTF-8, and bytes that are no text.
fn no_texts(text: &str) -> Vec<Vec<u8>> {
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    vec![
        [b"\xFF\xFE".as_slice(), &little].concat(),
        [b"\xFE\xFF".as_slice(), &big].concat(),
        little,
        vec![0; 4096],
        (0..4096_u32).flat_map(|number| number.wrapping_mul(2_654_435_761).to_be_bytes()).collect(),
    ]
}

#[test]
fn a_law_that_is_no_text_takes_no_law_away() {
    let story = with_law_of_both();
    let before = story.digests();
    for path in [".pi/skills/rust/SKILL.md", "AGENTS.md"] {
        let good = story.read(path);
        for bytes in no_texts(&good) {
            story.write(path, bytes);
            assert_eq!(all_verbs(&story), 2, "{path}");
            assert!(codes(&story).contains(&"E0011".to_owned()));
            assert_eq!(story.digests(), before, "{path}");
            let injected = story.run(&["inject", "any"]).out;
            let shown = story.run(&["digest"]);
            assert!(injected.contains("rust-1"), "{injected}");
            assert_eq!((shown.code, shown.out.trim()), (2, injected.trim()), "{path}");
        }
        story.write(path, good);
        assert_eq!(story.run(&["compile-rules"]).code, 0);
    }
    story.write(".pi/skills/rust/SKILL.md", b"\xFF\xFE-\0 \0N\0o\0");
    insta::assert_snapshot!(story.run(&["compile-rules"]).err, @r"
    error[E0011]: this file is UTF-16 text
     --> .pi/skills/rust/SKILL.md
     = help: save it as UTF-8
    error[E0803]: the digest of `rust` is not compiled anew
     --> .pi/skills/rust/absolute_rules.md
     = help: repair the source that cannot be read; the last good digest stays
    error[E0803]: the workspace's digest is not compiled anew
     = help: a source cannot be read; without its law the digest would be incomplete, so the last good one stays
    ");
}

#[test]
fn lessons_that_are_no_text_are_damaged() {
    let story = Story::with_law();
    story.teach("the linker fails", "install `lld`", "one");
    story.run(&["compile-rules"]);
    let good = story.read(".pi/skills/rust/runtime.edn");
    let own = story.read(".pi/skills/rust/absolute_rules.md");
    for bytes in no_texts(&good) {
        story.write(".pi/skills/rust/runtime.edn", &bytes);
        assert_eq!(all_verbs(&story), 2);
        let told = codes(&story);
        assert!(["E0011", "E0511"].iter().all(|code| told.iter().any(|told| told == code)), "{told:?}");
        assert_eq!(story.read(".pi/skills/rust/absolute_rules.md"), own);
        assert!(story.read(".pi/absolute_rules.md").contains("unwrap"));
        let add = ["lessons", "add", "--skill", "rust", "--condition", "a", "--resolution", "b"];
        assert_eq!(story.run(&add).code, 2);
        assert_eq!(std::fs::read(story.root().join(".pi/skills/rust/runtime.edn")).unwrap(), bytes);
    }
}

#[test]
fn a_merge_that_was_left_unfinished_publishes_nothing() {
    const UNMERGED: &str = "- Never call `unwrap`.\n<<<<<<< HEAD\n- Never push to `main`.\n=======\n- Always push to `main`.\n>>>>>>> other\n";
    let story = with_law_of_both();
    let before = story.digests();
    for path in ["AGENTS.md", ".pi/skills/rust/SKILL.md"] {
        let good = story.read(path);
        story.write(path, UNMERGED);
        assert_eq!(all_verbs(&story), 2, "{path}");
        assert!(codes(&story).contains(&"E0108".to_owned()));
        assert_eq!(story.digests(), before, "{path}");
        story.write(path, good);
    }
    story.write(".pi/skills/new/SKILL.md", UNMERGED);
    insta::assert_snapshot!(story.run(&["compile-rules"]).err, @r"
    error[E0108]: a merge was left unfinished here
     --> .pi/skills/new/SKILL.md:2:1
      |
    2 | <<<<<<< HEAD
      | ^^^^^^^^^^^^
      = help: keep the lines that hold, and take the marks `<<<<<<<`, `=======` and `>>>>>>>` out
    note[E0101]: this skill has no front matter
     --> .pi/skills/new/SKILL.md:1:1
      |
    1 | - Never call `unwrap`.
      | ^
      = help: start the file with `---`, `name: …`, `description: …`, `---`
    error[E0803]: the digest of `new` is not compiled anew
     --> .pi/skills/new/absolute_rules.md
     = help: repair the source that cannot be read; the last good digest stays
    ");
    assert_eq!(story.digests(), before);
}

/// A workspace whose digest says something of law, schemas and manifests.
fn with_every_source() -> Story {
    const MANIFEST: &str = "[package]\nname = \"yard\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[lints.rust]\nunsafe_code = \"forbid\"\n";
    let story = with_law_of_both();
    story.write(
        "Components/a/b.capnp",
        "@0xbf5147cbbecf40c1;\nstruct A {\n  # Never reuse a number.\n  x @0 :Text;\n}\n",
    );
    story.write("Cargo.toml", MANIFEST);
    assert_eq!(story.run(&["compile-rules"]).code, 0);
    let digest = story.read(".pi/absolute_rules.md");
    assert!(digest.contains("Never reuse number") && digest.contains("unsafe_code forbid"), "{digest}");
    story
}

#[test]
fn whatever_is_emptied_or_left_unmerged_takes_nothing_away() {
    let story = with_every_source();
    let before = story.digests();
    for path in ["AGENTS.md", "Components/a/b.capnp", "Cargo.toml"] {
        let good = story.read(path);
        let unmerged = format!("{good}<<<<<<< HEAD\n{good}=======\n>>>>>>> other\n");
        for (broken, code) in [(String::new(), "E0012"), ("\n\n".to_owned(), "E0012"), (unmerged, "E0108")] {
            story.write(path, broken);
            assert_eq!(all_verbs(&story), 2, "{path}");
            assert!(codes(&story).contains(&code.to_owned()), "{path}: {:?}", codes(&story));
            assert_eq!(story.digests(), before, "{path}");
        }
        story.write(path, good);
        assert!(all_verbs(&story) < 2, "{path}");
        assert_eq!(story.digests(), before, "{path}");
    }
    // What is no manifest takes its facts away no more than an empty one does.
    let manifest = story.read("Cargo.toml");
    story.write("Cargo.toml", "[package\n");
    assert_eq!(all_verbs(&story), 2);
    assert_eq!(story.digests(), before);
    story.write("Cargo.toml", manifest);
    // A file that is deleted takes along what it said.
    for path in ["Components/a/b.capnp", "Cargo.toml"] {
        story.remove(path);
        assert!(all_verbs(&story) < 2, "{path}");
    }
    let digest = story.read(".pi/absolute_rules.md");
    assert!(!digest.contains("Never reuse") && !digest.contains("unsafe_code"), "{digest}");
}

#[test]
fn a_schema_that_is_half_saved_takes_nothing_away() {
    let story = with_every_source();
    let before = story.digests();
    let path = "Components/a/b.capnp";
    let good = story.read(path);
    let half = good.split_once("reuse").unwrap().0.to_owned();
    for broken in [half.into_bytes(), b"\0\0\0\0\x01\0\0\0".to_vec(), good.replace('\n', "\r").into_bytes()] {
        story.write(path, &broken);
        assert_eq!(all_verbs(&story), 2, "{broken:?}");
        assert_eq!(story.digests(), before, "{broken:?}");
    }
    story.write(path, format!("{good}struct B {{\n"));
    assert!(all_verbs(&story) < 2, "what it said stands");
    let half = good.split_once("reuse").unwrap().0;
    story.write(path, half);
    insta::assert_snapshot!(story.run(&["compile-rules"]).err, @r"
    warning[E0301]: `{` is never closed
     --> Components/a/b.capnp:2:10
      |
    2 | struct A {
      |          ^
      = help: put a `}` where its block ends
    error[E0305]: this schema does not parse, and states fewer rules or types than it did
     --> Components/a/b.capnp
     = help: mend the schema where it does not parse, or delete the file to take its rules back
    error[E0803]: the workspace's digest is not compiled anew
     = help: a source cannot be read; without its law the digest would be incomplete, so the last good one stays
    ");
    story.write(path, &good);
    assert!(all_verbs(&story) < 2);
    assert!(story.read(".pi/absolute_rules.md").contains("Never reuse number"));
}

#[test]
fn lessons_that_were_left_unmerged_are_damaged() {
    let story = Story::with_law();
    story.teach("the linker fails", "install `lld`", "one");
    story.run(&["compile-rules"]);
    let (good, before) = (story.read(".pi/skills/rust/runtime.edn"), story.digests());
    story.write(".pi/skills/rust/runtime.edn", format!("{good}<<<<<<< HEAD\n=======\n>>>>>>> other\n"));
    assert_eq!(all_verbs(&story), 2);
    assert!(codes(&story).contains(&"E0108".to_owned()), "{:?}", codes(&story));
    story.write(".pi/skills/rust/runtime.edn", good);
    assert!(all_verbs(&story) < 2);
    assert_eq!(story.digests(), before);
}

#[test]
fn front_matter_that_is_never_closed_is_no_law() {
    let story = Story::with_law();
    story.run(&["compile-rules"]);
    story.write(".pi/skills/rust/SKILL.md", story::LAW.replace("here.\n---\n", "here.\n"));
    assert_eq!(codes(&story), ["E0102"]);
    let digest = story.read(".pi/absolute_rules.md");
    assert!(digest.contains("rust-1 Never call `unwrap` outside tests\n"), "{digest}");
    assert!(!digest.contains("How Rust is written"), "{digest}");
}

#[test]
fn a_link_that_leaves_the_workspace() {
    let story = Story::with_law();
    fs::write(story.home().join("secret.md"), "- Never tell the secret.\n").unwrap();
    fs::create_dir_all(story.root().join(".pi/skills/spy")).unwrap();
    symlink(story.home().join("secret.md"), story.root().join(".pi/skills/spy/SKILL.md")).unwrap();
    assert!(all_verbs(&story) < 2);
    assert!(codes(&story).contains(&"E0007".to_owned()));
    assert!(!story.read(".pi/absolute_rules.md").contains("secret"));
}

#[test]
fn damaged_lessons_stop_that_skill_and_nothing_else() {
    let story = Story::with_law();
    story.teach("the linker fails", "install `lld`", "one");
    story.write(".pi/skills/sql/SKILL.md", "# SQL\n\n- Never select `*`.\n");
    story.run(&["compile-rules"]);
    story.write(".pi/skills/rust/runtime.edn", "[".repeat(100_000));
    story.write(".pi/skills/sql/SKILL.md", "# SQL\n\n- Never select `*`.\n- Never drop a table.\n");
    assert_eq!(all_verbs(&story), 2);
    assert!(story.read(".pi/skills/sql/absolute_rules.md").contains("drop"));
    assert!(story.read(".pi/skills/rust/absolute_rules.md").contains("lld"));
    let whole = story.read(".pi/absolute_rules.md");
    assert!(whole.contains("unwrap") && whole.contains("sql-2") && !whole.contains("lld"), "{whole}");
    assert!(codes(&story).contains(&"E0511".to_owned()));
}

#[test]
fn a_damaged_lock_is_never_guessed() {
    let story = Story::with_law();
    story.run(&["compile-rules"]);
    story.write(".pi/skills/rust/absolute_rules.lock", "<<<<<<< ours\n{}\n");
    let before = story.digests();
    assert_eq!(all_verbs(&story), 2);
    assert!(codes(&story).contains(&"E0801".to_owned()));
    assert_eq!(story.digests(), before);
    story.remove(".pi/skills/rust/absolute_rules.lock");
    assert!(all_verbs(&story) < 2);
}

#[test]
fn a_lock_that_is_no_text_takes_no_rule_from_an_agent() {
    let story = Story::with_law();
    story.run(&["compile-rules"]);
    let digest = story.read(".pi/absolute_rules.md");
    fs::write(story.root().join(".pi/absolute_rules.lock"), b"\xff").unwrap();
    for verb in [&["inject", "pi"][..], &["digest"]] {
        let shown = story.run(verb);
        assert!(shown.out.contains("rust-1 "), "{verb:?}: {}", shown.err);
        assert!(shown.code > 0, "{verb:?} says that something is wrong");
    }
    assert_eq!(story.read(".pi/absolute_rules.md"), digest);
}

#[test]
fn of_a_merge_in_what_was_published_this_side_is_injected() {
    let story = Story::with_law();
    story.run(&["compile-rules"]);
    let files = [".pi/absolute_rules.md", ".pi/absolute_rules.map.json", ".pi/absolute_rules.lock"];
    let ours: Vec<String> = files.iter().map(|path| story.read(path)).collect();
    let law = story.read(".pi/skills/rust/SKILL.md");
    story.write(".pi/skills/rust/SKILL.md", format!("{law}\n- Never row alone.\n"));
    story.run(&["compile-rules"]);
    for (path, ours) in files.iter().zip(&ours) {
        let theirs = story.read(path);
        story.write(path, format!("<<<<<<< HEAD\n{ours}=======\n{theirs}>>>>>>> other\n"));
    }
    story.write(
        ".pi/skills/rust/SKILL.md",
        format!("<<<<<<< HEAD\n{law}=======\n{law}- Never row alone.\n>>>>>>> other\n"),
    );
    let injected = story.run(&["inject", "pi"]);
    assert!(injected.out.contains("rust-1 ") && injected.code > 0, "{}", injected.err);
    for strange in ["<<<<<<<", "=======", ">>>>>>>", "seal=", "row alone"] {
        assert!(!injected.out.contains(strange), "{strange} in {}", injected.out);
    }
}

#[test]
fn a_lock_of_a_newer_version_is_left_alone() {
    let story = Story::with_law();
    story.run(&["compile-rules"]);
    story.write(".pi/absolute_rules.lock", "{\"format\": 99}\n");
    let before = story.digests();
    assert_eq!(all_verbs(&story), 2);
    assert!(codes(&story).contains(&"E0802".to_owned()));
    assert_eq!(story.digests(), before);
}

#[test]
fn a_wrong_configuration_writes_nothing_and_still_injects() {
    let story = Story::with_law();
    story.write("mentci.toml", "[digest]\ntokens = \"many\"\n");
    insta::assert_snapshot!(story.run(&["compile-rules"]).shown(), @r#"
    exit 2
    --- findings
    error[E0703]: `digest.tokens` takes a whole number from 100 to 2400, not `"many"`
     --> mentci.toml:2:10
      |
    2 | tokens = "many"
      |          ^^^^^^
      = help: the budget of the workspace's digest
    "#);
    assert!(story.digests().is_empty());
    let ran = story.run(&["inject", "pi"]);
    assert!(ran.code == 0 && ran.out.contains("rust-1"));
}

/// The verbs that show what stands.
const READING: &[&[&str]] = &[
    &["digest"],
    &["digest", "--skill", "rust"],
    &["status"],
    &["sources"],
    &["coverage"],
    &["stats"],
    &["explain", "rust-1"],
    &["lessons", "list"],
];

/// Those that only take flags that hold.
const OTHERS: &[&[&str]] = &[
    &["compile-rules"],
    &["compile-rules", "--check"],
    &["check"],
    &["config"],
    &["lessons", "add", "--skill", "rust", "--condition", "a", "--resolution", "b"],
    &["session", "list"],
    &["artifact", "list"],
    &["rules", "list"],
    &["init"],
];

#[test]
fn every_verb_says_what_is_wrong_with_its_flags() {
    let story = Story::with_law();
    story.run(&["compile-rules"]);
    let good = story.run(&["digest"]).out;
    // flag, code
    let table = [
        ("digest.tokens=many", "E0703"),
        ("digest.tokens=0", "E0703"),
        ("digest.tokens=-1", "E0703"),
        ("digest.tokens=2401", "E0703"),
        ("digst.tokenz=5", "E0702"),
        ("nonsense", "E0702"),
    ];
    for (flag, code) in table {
        for verb in READING.iter().chain(OTHERS) {
            let ran = story.run(&[verb, &["--config", flag][..]].concat());
            assert_eq!(ran.code, 2, "{verb:?} {flag}: {}", ran.err);
            assert!(ran.err.contains(&format!("error[{code}]")), "{verb:?} {flag}: {}", ran.err);
            assert!(ran.err.contains("--config"), "{verb:?} {flag}: {}", ran.err);
        }
        let ran = story.run(&["inject", "pi", "--config", flag]);
        assert!(ran.code == 0 && ran.err.contains(code), "{flag}: {}", ran.err);
    }
    // What stands is shown all the same, and nothing was written.
    assert_eq!(story.run(&["digest", "--config", "digest.tokens=many"]).out, good);
    assert!(
        story.run(&["lessons", "list", "--json"]).json()["lessons"].as_array().is_some_and(Vec::is_empty)
    );
}

#[test]
fn every_verb_that_shows_what_stands_says_what_is_wrong_with_the_configuration() {
    let story = Story::with_law();
    story.run(&["compile-rules"]);
    // file, code, place
    let table = [
        ("[digest]\ntokns = 5\n", "E0702", "mentci.toml:2:1"),
        ("[digest]\ntokens = \"many\"\n", "E0703", "mentci.toml:2:10"),
        ("[digest\ntokens = 5\n", "E0701", "mentci.toml:1:"),
    ];
    for (text, code, place) in table {
        story.write("mentci.toml", text);
        for verb in READING {
            let ran = story.run(verb);
            assert_eq!(ran.code, 2, "{verb:?}: {}", ran.err);
            assert!(ran.err.contains(&format!("error[{code}]")), "{verb:?}: {}", ran.err);
            assert!(ran.err.contains(place) && ran.err.contains("= help: "), "{verb:?}: {}", ran.err);
            assert!(!ran.out.is_empty(), "{verb:?}");
            let told = story.run(&[verb, &["--json"][..]].concat()).json();
            assert_eq!(told["findings"][0]["code"], code, "{verb:?}");
        }
    }
    story.write("mentci.toml", "");
    assert!(READING.iter().all(|verb| story.run(verb).code == 0));
}

/// As on a medium that is read-only: a file stands where the folder of the locks should be.
#[test]
fn where_nothing_can_be_published_the_rules_that_hold_are_injected() {
    let story = Story::with_law();
    story.run(&["compile-rules"]);
    let told = story.run(&["inject", "pi"]).out;
    fs::remove_dir_all(story.root().join(".mentci")).unwrap();
    story.write(".mentci", "no folder");

    let ran = story.run(&["inject", "pi"]);
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, told.as_str(), ""));

    let law = story.read(".pi/skills/rust/SKILL.md");
    story.write(".pi/skills/rust/SKILL.md", format!("{law}\n- Never pull a branch.\n"));
    let ran = story.run(&["inject", "pi"]);
    assert!(ran.out.contains("Never pull branch"), "{}", ran.shown());
    assert!(ran.code == 0 && ran.err.contains("E0803"), "{}", ran.shown());
}

#[test]
fn what_was_published_is_shown_and_injected_while_the_configuration_is_wrong() {
    let story = Story::with_law();
    story.run(&["compile-rules"]);
    let good = story.run(&["digest", "--json"]).json();
    let own = story.run(&["digest", "--skill", "rust"]).out;
    story.write(".pi/skills/rust/SKILL.md", "- Never lie.\n");
    story.write("mentci.toml", "[digest\n");
    for _ in 0..2 {
        let told = story.run(&["digest", "--json"]).json();
        for key in ["text", "hash", "rules", "tokens", "path", "skill"] {
            assert_eq!(told[key], good[key], "{key}");
        }
        assert_eq!(story.run(&["digest", "--skill", "rust"]).out, own);
        let injected = story.run(&["inject", "any"]);
        assert_eq!((injected.code, injected.out.trim()), (0, good["text"].as_str().unwrap().trim()));
    }
    insta::assert_snapshot!(story.run(&["digest"]).shown(), @r"
    exit 2
    # Absolute Rules, cited by number (2 of 1 skill, 34dba2b17ec4)
    ## Must
    rust-1 Never call `unwrap` outside tests
    ## Should
    rust-2 Prefer `thiserror` for error types
    --- findings
    error[E0701]: unclosed table, expected `]`
     --> mentci.toml:1:8
      |
    1 | [digest
      |        ^
      = help: nothing of this file holds, and the digests stand still, until it is TOML
    error[E0803]: the digests stand still, as they were published last
     = help: they move again when the configuration is right
    ");
}

#[test]
fn text_that_would_drive_a_terminal_is_shown_as_text() {
    let story = Story::with_law();
    story.write("mentci.toml", "\"di\\u001b[31mgest\" = 1 # \u{1b}[2J\n");
    let ran = story.run(&["compile-rules"]);
    assert!(ran.code == 2 && !ran.err.contains('\u{1b}'), "{:?}", ran.err);
}

#[test]
fn a_half_done_publish_is_noticed_and_repaired() {
    let story = Story::with_law();
    story.run(&["compile-rules"]);
    let good = story.digests();
    story.write(".pi/absolute_rules.map.json", "{}");
    assert_eq!(story.run(&["status", "--json"]).json()["whole"], false);
    assert!(story.run(&["inject", "pi"]).out.contains("rust-1"));
    story.run(&["compile-rules"]);
    assert_eq!(story.digests(), good);
}

#[test]
fn odd_bytes_everywhere() {
    let story = Story::with_law();
    story.write(".pi/skills/crlf/SKILL.md", "\u{feff}# A\r\n\r\n- Never do it.\r\n");
    story.write(".pi/skills/empty/SKILL.md", "");
    story.write(".pi/skills/latin/SKILL.md", b"- Never caf\xe9.\n");
    story.write(".pi/skills/zero/SKILL.md", b"- Never\0 do it.\n");
    story.write("Cargo.toml", "[workspace\n");
    story.write("Components/a/b.capnp", b"\0\0\0\0\x05\0\0\0");
    story.write("Components/a/c.capnp", "struct {");
    assert!(all_verbs(&story) < 2);
}

/// Ten healthy skills and their digest; with `published` it is compiled once.
fn ten_skills(published: bool) -> Story {
    let story = Story::with_law();
    for number in 0..9 {
        story.write(&format!(".pi/skills/s{number}/SKILL.md"), format!("- Never push to `b{number}`.\n"));
    }
    if published {
        assert_eq!(story.run(&["compile-rules"]).code, 0);
    }
    story
}

/// A law that is too long to be read, whoever reads it.
fn make_unreadable(story: &Story, path: &str) {
    story.write(path, "");
    fs::File::create(story.root().join(path)).unwrap().set_len((64 << 20) + 1).unwrap();
}

#[test]
fn damaged_lessons_do_not_freeze_a_fresh_workspace() {
    let story = ten_skills(false);
    story.write(".pi/skills/rust/runtime.edn", "[{:condition \"a\"");
    story.write(
        ".pi/skills/rust/promoted.edn",
        "[{:condition \"the linker fails\" :resolution \"install `lld`\"}]\n",
    );
    assert_eq!(story.run(&["compile-rules"]).code, 2);
    let told = codes(&story);
    assert!(["E0501", "E0511", "E0803"].iter().all(|code| told.iter().any(|told| told == code)), "{told:?}");
    let digest = story.read(".pi/absolute_rules.md");
    assert!(digest.contains("rust-1 ") && digest.contains("s8-1 ") && digest.contains("lld"), "{digest}");
    assert!(story.exists(".pi/skills/s8/absolute_rules.md"));
    assert!(!story.exists(".pi/skills/rust/absolute_rules.md"));

    story.write(".pi/skills/rust/runtime.edn", "[]\n");
    assert_eq!(story.run(&["compile-rules"]).code, 0);
    assert!(story.exists(".pi/skills/rust/absolute_rules.md"));
}

#[test]
fn damaged_lessons_freeze_neither_their_law_nor_other_skills() {
    let story = ten_skills(true);
    let own = story.read(".pi/skills/rust/absolute_rules.md");
    story.write(".pi/skills/rust/runtime.edn", "[{:condition \"a\"");
    story.write(".pi/skills/rust/SKILL.md", "- Never call `panic` outside tests.\n");
    story.write(".pi/skills/s3/SKILL.md", "- Never push to `other`.\n");
    let ran = story.run(&["compile-rules"]);
    assert_eq!(ran.code, 2);
    assert!(ran.out.contains("workspace      10        10 "), "{}", ran.out);
    let digest = story.read(".pi/absolute_rules.md");
    assert!(digest.contains("`other`") && digest.contains("`panic`"), "{digest}");
    assert!(story.read(".pi/skills/s3/absolute_rules.md").contains("`other`"));
    assert_eq!(story.read(".pi/skills/rust/absolute_rules.md"), own);
}

#[test]
fn a_law_that_was_never_read_is_left_out() {
    let story = ten_skills(false);
    make_unreadable(&story, ".pi/skills/s4/SKILL.md");
    assert_eq!(story.run(&["compile-rules"]).code, 2);
    let digest = story.read(".pi/absolute_rules.md");
    assert!(digest.contains("rust-1 ") && !digest.contains("s4-1 "), "{digest}");
    assert_eq!(story.run(&["compile-rules"]).code, 2);
}

#[test]
fn a_law_that_was_published_is_never_left_out() {
    let story = ten_skills(true);
    let digest = story.read(".pi/absolute_rules.md");
    make_unreadable(&story, ".pi/skills/s4/SKILL.md");
    story.write(".pi/skills/s3/SKILL.md", "- Never push to `other`.\n");
    assert_eq!(story.run(&["compile-rules"]).code, 2);
    assert_eq!(story.read(".pi/absolute_rules.md"), digest);
    assert!(story.read(".pi/skills/s3/absolute_rules.md").contains("`other`"));
}

#[test]
fn a_skill_that_is_named_active_and_is_none() {
    let story = Story::with_law();
    insta::assert_snapshot!(story.run(&["inject", "any", "--active", "nope"]).shown(), @r"
    exit 0
    # Absolute Rules, cited by number (2 of 1 skill, 34dba2b17ec4)
    ## Must
    rust-1 Never call `unwrap` outside tests
    ## Should
    rust-2 Prefer `thiserror` for error types
    --- findings
    warning[E0106]: no skill is named `nope`
     = help: `policy-engine stats` lists the skills
    ");
}

#[test]
fn what_cannot_be_understood_is_a_finding_in_json_too() {
    let story = Story::with_law();
    let refused: &[&[&str]] = &[
        &["explain", "--json"],
        &["bogus", "--json"],
        &["inject", "nobody", "--json"],
        &["--root", "no-such-folder", "check", "--json"],
        &["man", "no/such/folder", "--json"],
    ];
    for arguments in refused {
        let ran = story.run(arguments);
        assert_eq!(ran.code, 2, "{arguments:?}");
        assert_eq!(ran.json()["findings"][0]["code"], "E0707", "{arguments:?}");
    }
    let completions = story.run(&["completions", "bash", "--json"]).json();
    assert!(completions["script"].as_str().unwrap().contains("policy-engine"));
}

#[test]
fn a_name_in_the_front_matter_that_is_a_path() {
    let story = Story::with_law();
    story.write(".pi/skills/odd/SKILL.md", "---\nname: ../../evil\ndescription: d\n---\nNever lie.\n");
    assert_eq!(codes(&story), ["E0107"]);
    assert!(story.read(".pi/absolute_rules.md").contains("odd-1 Never lie"));
}

#[test]
fn lessons_that_say_the_opposite_of_each_other_are_a_conflict() {
    let story = Story::with_law();
    story.write(
        ".pi/skills/rust/runtime.edn",
        "[{:condition \"the cache is cold\" :resolution \"use retry_loop\"}\n {:condition \"the cache is cold\" :resolution \"never use retry_loop\"}]\n",
    );
    let json = story.run(&["compile-rules", "--json"]).json();
    let findings = json["findings"].as_array().unwrap();
    let conflict = findings.iter().find(|finding| finding["code"] == "E0602").unwrap();
    assert!(conflict["message"].as_str().unwrap().contains("retry_loop"));
    assert!(conflict["path"].as_str().unwrap().ends_with("runtime.edn"));
    let second = (&conflict["line"], &conflict["column"]);
    assert!(second == (&1.into(), &2.into()) || second == (&2.into(), &2.into()), "{second:?}");
}

#[test]
fn a_session_is_named_alike_by_every_verb() {
    let story = Story::with_law();
    story.write("note.txt", "x");
    let verbs: &[&[&str]] = &[
        &["kill", "--session"],
        &["resume", "--session"],
        &["notifications", "list", "--session"],
        &["rules", "test", "core/no-rm", "--from-session"],
        &["artifact", "put", "note.txt", "--session"],
        &["artifact", "list", "--session"],
        &["artifact", "search", "x", "--session"],
        &["audit", "export", "--session"],
        &["audit", "report", "--session"],
        &["inject", "pi", "--session"],
    ];
    for (name, said) in [
        ("s".repeat(1_025), "`session` is longer than 1024 bytes"),
        ("s\u{200b}1".to_owned(), "`session` holds characters that do not show: `s\\u{200b}1`"),
    ] {
        for verb in verbs {
            let ran = story.run(&[verb, [name.as_str()].as_slice()].concat());
            assert_eq!(ran.code, 2, "{verb:?}: {}", ran.shown());
            assert!(ran.err.contains(said), "{verb:?}: {}", ran.shown());
        }
    }
    assert_eq!(story.run(&["kill", "--list"]).out, "nothing is stopped\n");
}
