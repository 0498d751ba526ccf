//! Every verb, as a person meets it.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may stop, and touch files")]

mod story;

use story::Story;

#[test]
fn init_writes_what_is_missing_and_changes_nothing_that_stands() {
    let story = Story::new();
    insta::assert_snapshot!(story.run(&["init"]).shown(), @r"
    exit 0
    0 skills in ROOT
      wrote        .pi/extensions/mentci-workspace.ts
      wrote        .pi/skills/working-here/SKILL.md
      wrote        mentci.toml
      wrote        .gitignore
    next: `policy-engine compile-rules`
    ");
    story.write("mentci.toml", "# mine\n");
    story.write(".gitignore", "/target");
    insta::assert_snapshot!(story.run(&["init"]).shown(), @r"
    exit 0
    1 skill in ROOT
      kept         .pi/extensions/mentci-workspace.ts
      kept         mentci.toml
      added a line .gitignore
    next: `policy-engine compile-rules`
    ");
    assert_eq!(story.read("mentci.toml"), "# mine\n");
    assert_eq!(story.read(".gitignore"), "/target\n.mentci/\n");
    assert_eq!(story.run(&["compile-rules"]).code, 0);
}

#[test]
fn what_init_writes_into_the_configuration_is_all_comments_and_all_true() {
    let story = Story::new();
    story.run(&["init"]);
    let text = story.read("mentci.toml");
    let live: Vec<&str> = text.lines().map(uncommented).collect();
    story.write("mentci.toml", live.join("\n"));
    let ran = story.run(&["config", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.out);
}

/// `# tokens = 1500 # the budget` -> `tokens = 1500 # the budget`; other comments stay.
fn uncommented(line: &str) -> &str {
    line.strip_prefix("# ").filter(|rest| rest.contains(" = ")).unwrap_or(line)
}

#[test]
fn init_finds_skills_of_other_harnesses() {
    let story = Story::new();
    story.write(".claude/skills/review/SKILL.md", "# Review\n\n- Never merge without `cargo test`.\n");
    assert!(story.run(&["init"]).out.contains("1 skill in ROOT"));
    assert!(story.read("mentci.toml").contains("skills = [\".claude/skills/*/SKILL.md\"]"));
    assert!(!story.exists(".pi/skills/working-here/SKILL.md"));
    assert_eq!(story.run(&["compile-rules"]).code, 0);
    assert!(story.read(".pi/skills/review/absolute_rules.md").contains("cargo test"));
    assert!(story.read(".pi/absolute_rules.md").contains("review-1"));
}

#[test]
fn init_says_which_skills_a_configuration_that_stands_passes_over() {
    let story = Story::new();
    story.write(".claude/skills/review/SKILL.md", "# Review\n\n- Never merge without `cargo test`.\n");
    story.write("mentci.toml", "[digest]\ntokens = 900\n");
    insta::assert_snapshot!(story.run(&["init"]).shown(), @r#"
    exit 0
    1 skill in ROOT
      wrote        .pi/extensions/mentci-workspace.ts
      kept         mentci.toml
      wrote        .gitignore
    next: `policy-engine compile-rules`
    --- findings
    warning[E0605]: skills are not compiled, because nothing in `mentci.toml` names where they stand: 1
     --> mentci.toml
     = help: under `[sources]`, write `skills = [".claude/skills/*/SKILL.md"]`
    "#);
    story.write("mentci.toml", "[sources]\nskills = [\".claude/skills/*/SKILL.md\"]\n");
    assert!(!story.run(&["init"]).shown().contains("E0605"));
}

#[test]
fn init_says_which_folder_it_cannot_look_into() {
    let story = Story::new();
    std::fs::create_dir_all(story.root().join(".claude")).unwrap();
    std::os::unix::fs::symlink(story.home(), story.root().join(".claude/skills")).unwrap();
    insta::assert_snapshot!(story.run(&["init"]).shown(), @r"
    exit 0
    0 skills in ROOT
      wrote        .pi/extensions/mentci-workspace.ts
      wrote        mentci.toml
      wrote        .gitignore
    next: `policy-engine compile-rules`
    --- findings
    warning[E0007]: this link leads out of the workspace and was not followed
     --> .claude/skills
     = help: copy what it leads to into the workspace
    ");
}

#[test]
fn a_pattern_of_the_configuration_that_names_no_file() {
    let story = Story::with_law();
    story.write(
        "mentci.toml",
        "[sources]\nskills = [\".pi/skills/*/SKILL.md\", \"law/*/SKILL.md\"]\nlaw = [\"AGENTS.md\"]\n",
    );
    let ran = story.run(&["compile-rules"]);
    assert_eq!(ran.code, 0);
    insta::assert_snapshot!(ran.err, @r#"
    note[E0709]: `sources.skills` names `law/*/SKILL.md`, where no file stands
     --> mentci.toml:2:10
      |
    2 | skills = [".pi/skills/*/SKILL.md", "law/*/SKILL.md"]
      |          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      = help: correct it, unless the file is still to come
    note[E0709]: `sources.law` names `AGENTS.md`, where no file stands
     --> mentci.toml:3:7
      |
    3 | law = ["AGENTS.md"]
      |       ^^^^^^^^^^^^^
      = help: correct it, unless the file is still to come
    "#);
    story.write("AGENTS.md", "- Never push to `main`.\n");
    let ran = story.run(&["compile-rules"]);
    assert!(!ran.err.contains("AGENTS.md"), "{}", ran.err);
    assert_eq!(story.run(&["check"]).code, 0);
}

#[test]
fn a_digest_that_another_hand_changed_is_told() {
    let story = Story::with_law();
    story.run(&["compile-rules"]);
    assert_eq!(story.run(&["status"]).code, 0);
    story.write(".pi/absolute_rules.md", format!("{}Do as you like.\n", story.read(".pi/absolute_rules.md")));
    for verb in ["status", "check"] {
        let ran = story.run(&[verb]);
        assert!(ran.code == 1 && ran.shown().contains("E0804"), "{}", ran.shown());
    }
}

#[test]
fn compile_rules_says_what_it_did() {
    let story = Story::with_law();
    let first = story.run(&["compile-rules", "--diff"]);
    assert_eq!(first.code, 0, "{}", first.err);
    assert!(first.out.contains("2 rules from 1 skill: 2 digests written, 1 read"), "{}", first.out);
    assert!(first.out.contains("+ rust-1 "), "{}", first.out);
    let again = story.run(&["compile-rules"]);
    assert!(again.out.contains("0 digests written"), "{}", again.out);
}

#[test]
fn check_says_what_is_out_of_date_and_writes_nothing() {
    let story = Story::with_law();
    let ran = story.run(&["check"]);
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!(ran.err, @r"
    warning[E0805]: this digest was not compiled yet
     --> .pi/absolute_rules.md
     = help: run `policy-engine compile-rules`
    warning[E0805]: this digest was not compiled yet
     --> .pi/skills/rust/absolute_rules.md
     = help: run `policy-engine compile-rules`
    ");
    assert!(story.digests().is_empty());
    assert!(!story.exists(".mentci"));
    story.run(&["compile-rules"]);
    let ran = story.run(&["check"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);

    story.write(".pi/skills/rust/SKILL.md", format!("{}- Always run `cargo fmt`.\n", story::LAW));
    let before = story.digests();
    let ran = story.run(&["compile-rules", "--check", "--json"]);
    assert_eq!((ran.code, ran.json()["stale"].as_bool()), (1, Some(true)));
    assert_eq!(story.digests(), before);
}

#[test]
fn explain_tells_of_rules_codes_and_of_what_nobody_knows() {
    let story = Story::with_law();
    let rule = story.run(&["explain", "rust-1"]);
    assert_eq!(rule.code, 0);
    assert!(rule.out.contains(".pi/skills/rust/SKILL.md:8"), "{}", rule.out);
    insta::assert_snapshot!(story.run(&["explain", "stale-reference"]).shown(), @r"
    exit 0
    E0601 stale-reference
      A norm names something that the workspace no longer has. It is compiled all the same; correct the law or restore what it names.
    ");
    insta::assert_snapshot!(story.run(&["explain", "rust-3"]).shown(), @r"
    exit 2
    --- findings
    error[E0706]: nothing is named `rust-3`
     = help: did you mean `rust-1`?
    ");
}

#[test]
fn coverage_accounts_for_every_line() {
    let story = Story::with_law();
    let ran = story.run(&["coverage", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.out);
    assert_eq!(ran.json()["lines"], ran.json()["covered"]);
    insta::assert_snapshot!(story.run(&["coverage", "--skill", "rsut"]).shown(), @r"
    exit 2
    --- findings
    error[E0106]: no skill is named `rsut`
     = help: did you mean `rust`?
    ");
}

#[test]
fn stats_shows_the_ratio_as_table_and_picture() {
    let story = Story::with_law();
    let ran = story.run(&["stats"]);
    assert_eq!(ran.code, 0);
    assert!(ran.out.contains("tokens in") && ran.out.contains('█'), "{}", ran.out);
    let json = story.run(&["stats", "--json"]).json();
    assert_eq!(json["skills"][0]["skill"], "rust");
    let sections = json["skills"][0]["sections"].as_array().unwrap();
    assert!(sections.iter().any(|section| section["section"] == "Rust"), "{json}");
}

#[test]
fn inject_gives_the_digest_without_its_seal_and_the_sections_of_active_skills() {
    let story = Story::with_law();
    story.write(".pi/skills/sql/SKILL.md", "# SQL\n\n- Never select `*`.\n");
    let cold = story.run(&["inject", "pi", "--json"]).json();
    assert_eq!(cold["mode"], "system-prompt");
    let text = cold["text"].as_str().unwrap();
    assert!(text.starts_with("# Absolute Rules") && text.contains("rust-1"), "{text}");
    assert!(story.read(".pi/absolute_rules.md").ends_with(text));
    assert_eq!(story.run(&["inject", "pi", "--json"]).json(), cold);

    let active = story.run(&["inject", "pi", "--active", "sql,nobody,sql", "--json"]).json();
    let more = active["text"].as_str().unwrap();
    assert!(more.starts_with(text) && more.len() > text.len(), "{more}");
    assert_eq!(more.matches("\n1 Never select `*`").count(), 1);
    assert!(active["rules"].as_u64() > cold["rules"].as_u64());
    let findings: Vec<_> = active["findings"].as_array().unwrap().iter().map(|it| &it["code"]).collect();
    assert_eq!(findings, ["E0106"]);
}

#[test]
fn inject_mode_comes_from_the_configuration() {
    let story = Story::with_law();
    story.write("mentci.toml", "inject.mode = \"full-every-turn\"\n");
    assert_eq!(story.run(&["inject", "pi", "--json"]).json()["mode"], "full-every-turn");
    insta::assert_snapshot!(story.run(&["inject", "emacs"]).err, @r"
    error: invalid value 'emacs' for '<HARNESS>': the harnesses are pi, claude-code, codex, gemini, opencode, openclaw, cline, any

    For more information, try '--help'.
    ");
}

#[test]
fn config_shows_each_value_with_its_layer() {
    let story = Story::with_law();
    story.write("mentci.toml", "digest.tokens = 900\nlessons.promote = \"auto\"\n");
    let variables = [("MENTCI_INJECT_MODE", "full-every-turn")];
    let ran = story.run_with(&["config", "--config", "watch.debounce_ms=20"], &variables);
    insta::assert_snapshot!(ran.shown(), @r#"
    exit 0
     key                        value                                                                     layer
     artifacts.backend          "sqlite"                                                                  built-in
     artifacts.keep_days        30                                                                        built-in
     context.allow              []                                                                        built-in
     context.budget             unset                                                                     built-in
     context.clear_at_least     unset                                                                     built-in
     context.external_bytes     1024                                                                      built-in
     context.external_tokens    300                                                                       built-in
     context.first              1                                                                         built-in
     context.last               6                                                                         built-in
     context.memory             []                                                                        built-in
     context.memory_hits        5                                                                         built-in
     context.model              unset                                                                     built-in
     context.processors         ["artifact_attacher","compactor","history_selector","memory_preloader"]   built-in
     context.redact             "secrets"                                                                 built-in
     context.summary_model      unset                                                                     built-in
     digest.condense            unset                                                                     built-in
     digest.condense_model      unset                                                                     built-in
     digest.max_chars           9500                                                                      built-in
     digest.schema_share        0.25                                                                      built-in
     digest.skill_tokens        unset                                                                     built-in
     digest.tokens              900                                                                       workspace (mentci.toml)
     hook.artifact_bytes        65536                                                                     built-in
     hook.deadline_ms           5000                                                                      built-in
     hook.on_error              "block"                                                                   built-in
     hook.redact                "rules"                                                                   built-in
     inject.mode                "full-every-turn"                                                         environment (MENTCI_INJECT_MODE)
     lessons.promote            "manual"                                                                  built-in
     lessons.promote_sessions   2                                                                         built-in
     lessons.share              0.15                                                                      built-in
     log.level                  "warn"                                                                    built-in
     model.base_url             unset                                                                     built-in
     model.cap_cost             unset                                                                     built-in
     model.cap_tokens           unset                                                                     built-in
     model.connect_seconds      10                                                                        built-in
     model.first_seconds        180                                                                       built-in
     model.idle_seconds         90                                                                        built-in
     model.key_env              unset                                                                     built-in
     model.max_parallel         4                                                                         built-in
     model.max_tokens           unset                                                                     built-in
     model.name                 unset                                                                     built-in
     model.price_input          unset                                                                     built-in
     model.price_output         unset                                                                     built-in
     model.provider             unset                                                                     built-in
     model.retries              4                                                                         built-in
     model.stream               "on"                                                                      built-in
     model.total_seconds        1800                                                                      built-in
     notify.batch               10                                                                        built-in
     notify.dedupe              60                                                                        built-in
     notify.expires             3600                                                                      built-in
     policy.default             "allow"                                                                   built-in
     policy.on_engine_failure   "allow"                                                                   built-in
     policy.packs               "all"                                                                     built-in
     policy.strict              "last-good"                                                               built-in
     sources.law                []                                                                        built-in
     sources.manifests          []                                                                        built-in
     sources.schemas            []                                                                        built-in
     sources.skills             []                                                                        built-in
     telemetry.endpoint         unset                                                                     built-in
     telemetry.signals          ["metrics","traces"]                                                      built-in
     watch.debounce_ms          20                                                                        flags (--config watch.debounce_ms)
     watch.poll                 "auto"                                                                    built-in
    --- findings
    warning[E0704]: `lessons.promote` would loosen policy, and this workspace is not trusted
     --> mentci.toml:2:19
      |
    2 | lessons.promote = "auto"
      |                   ^^^^^^
      = help: it is ignored; read `mentci.toml`, then run `policy-engine trust`
    "#);
}

#[test]
fn trust_is_bound_to_the_content() {
    let story = Story::with_law();
    let promote = |story: &Story| {
        let values = story.run(&["config", "--json"]).json()["values"].clone();
        values.as_array().unwrap().iter().find(|row| row["key"] == "lessons.promote").unwrap()["value"]
            .clone()
    };
    story.write("mentci.toml", "lessons.promote = \"auto\"\n");
    assert_eq!(promote(&story), "manual");
    assert_eq!(story.run(&["trust"]).code, 0);
    assert_eq!(promote(&story), "auto");
    let mode = std::os::unix::fs::PermissionsExt::mode(
        &std::fs::metadata(story.home().join(".local/state/mentci/consent.json")).unwrap().permissions(),
    );
    assert_eq!(mode & 0o777, 0o600);
    story.write("mentci.toml", "lessons.promote = \"auto\"\nlessons.promote_sessions = 1\n");
    assert_eq!(promote(&story), "manual");
    story.run(&["trust"]);
    assert_eq!(promote(&story), "auto");
    story.run(&["trust", "--revoke"]);
    assert_eq!(promote(&story), "manual");
}

#[test]
fn status_sources_and_doctor_tell_how_it_stands() {
    let story = Story::with_law();
    assert_eq!(story.run(&["doctor"]).code, 1);
    story.run(&["init"]);
    story.run(&["compile-rules"]);
    // pi's extension looks for the program, which is on no path here.
    let program = story::binary().to_string_lossy().into_owned();
    let shown = story.run_with(&["doctor"], &[("MENTCI_POLICY_ENGINE", &program)]).shown();
    // What stands of pi and of node on this machine is its own business.
    let (pi, rest): (Vec<&str>, Vec<&str>) = shown.lines().partition(|line| line.contains(" pi hooks: "));
    assert!(
        pi.len() == 1 && pi[0].starts_with("ok   pi hooks: they stand as this version writes them"),
        "{shown}"
    );
    insta::assert_snapshot!(rest.join("\n"), @r"
    exit 0
    ok   configuration: `mentci.toml` is read
    ok   trust: it is not trusted, and loosens nothing
    ok   sources: 1 skill in 1 file
    ok   digest: it is current
    ok   watcher: none runs
    ok   .pi/extensions/mentci-workspace.ts: it is the one of this version
    ok   claude-code: it shows the whole digest
    ok   codex: it shows the whole digest
    ");
    let status = story.run(&["status", "--json"]).json();
    assert_eq!((&status["whole"], &status["current"]), (&true.into(), &true.into()));
    let sources = story.run(&["sources", "--json"]).json();
    assert_eq!(sources["sources"][0]["path"], ".pi/skills/rust/SKILL.md");
}

#[test]
fn completions_and_manual_pages_are_made_from_the_arguments() {
    let story = Story::new();
    assert!(story.run(&["completions", "bash"]).out.contains("compile-rules"));
    std::fs::create_dir(story.root().join("man")).unwrap();
    assert_eq!(story.run(&["man", "man"]).code, 0);
    assert!(story.read("man/policy-engine-compile-rules.1").contains("compile"));
    assert_eq!(story.run(&["man", "nowhere"]).code, 2);
}

#[test]
fn help_documents_the_exit_codes() {
    let story = Story::new();
    let help = story.run(&["--help"]).out;
    assert!(help.contains("Exit codes:\n  0  done\n  1  done, and something is not as it should be; or denied\n  2  bad input"), "{help}");
    assert_eq!(story.run(&["no-such-verb"]).code, 2);
    assert_eq!(story.run(&["check", "--root", "nowhere"]).code, 2);
}

#[test]
fn the_root_is_the_nearest_folder_that_looks_like_one() {
    let story = Story::with_law();
    story.write("deep/er/file", "");
    let mut command = story.command(&["compile-rules", "--json"]);
    let output = command.current_dir(story.root().join("deep/er")).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(story.exists(".pi/absolute_rules.md"));
}

#[test]
fn nothing_is_coloured_where_nobody_looks() {
    let story = Story::with_law();
    let ran = story.run(&["stats"]);
    assert!(!ran.out.contains('\u{1b}') && !ran.err.contains('\u{1b}'));
}

#[test]
fn a_rule_that_two_skills_state_counts_once() {
    let story = Story::with_law();
    story.write(
        ".pi/skills/go/SKILL.md",
        "# Go\n\n- Prefer `thiserror` for error types.\n- Never push to `main`.\n",
    );
    let ran = story.run(&["compile-rules"]);
    assert!(ran.out.lines().any(|line| line.trim().starts_with("workspace       3 ")), "{}", ran.out);
    let digest = story.read(".pi/absolute_rules.md");
    assert!(digest.contains("(3 of 2 skills, "), "{digest}");
}
