//! What `install` puts beside the settings of others, what `uninstall` leaves, and what `doctor` says of it.

#![expect(clippy::disallowed_methods, reason = "these stories write files and start processes")]

use mentci_tests::Scratch;
use serde_json::Value;

const SKILL: (&str, &str) = (".pi/skills/house/SKILL.md", "# House\n\n- Never paint the door red.\n");

#[test]
fn install_is_kept_beside_foreign_hooks_and_uninstall_restores() {
    let scratch = Scratch::new(&[SKILL]);
    let foreign = "{\n  // mine\n  \"model\": \"opus\",\n  \"hooks\": {\"PreToolUse\": [{\"matcher\": \"Bash\", \"hooks\": [{\"type\": \"command\", \"command\": \"./guard.sh\"}]}]}\n}\n";
    scratch.write(".claude/settings.json", foreign);
    let shown = scratch.must(&["install", "claude", "--dry-run"]);
    assert!(shown.contains("would change") && shown.contains("hook claude PreToolUse"), "{shown}");
    assert_eq!(scratch.read(".claude/settings.json"), foreign);
    scratch.must(&["install", "claude"]);
    let installed = scratch.read(".claude/settings.json");
    assert!(installed.contains("// mine") && installed.contains("./guard.sh"), "{installed}");
    scratch.must(&["install", "claude"]);
    assert_eq!(scratch.read(".claude/settings.json"), installed, "twice is once");
    let checks = scratch.run(&["doctor"]);
    let checks = String::from_utf8_lossy(&checks.stdout).into_owned();
    assert!(
        checks.contains("claude-code hooks: they stand, and others beside them at PreToolUse (`./guard.sh` in `.claude/settings.json`)"),
        "{checks}"
    );
    // A person goes on editing: ours go, theirs stays.
    scratch.write(".claude/settings.json", &installed.replace("\"opus\"", "\"sonnet\""));
    scratch.must(&["uninstall", "claude"]);
    let left = scratch.read(".claude/settings.json");
    assert!(
        left.contains("sonnet") && left.contains("./guard.sh") && !left.contains("hook claude"),
        "{left}"
    );
    // Nobody edits: byte for byte.
    scratch.write(".claude/settings.json", foreign);
    scratch.must(&["install", "claude"]);
    scratch.must(&["uninstall", "claude"]);
    assert_eq!(scratch.read(".claude/settings.json"), foreign);
}

/// Settings as people write them, with a place that somebody edits while our hooks stand there.
const SETTINGS: &[(&str, &str)] = &[
    ("{}", ""),
    ("{ }\n", ""),
    ("\n", ""),
    ("{\"model\":\"opus\"}", "\"opus\""),
    ("{\n  \"model\": \"opus\"\n}\n", "\"opus\""),
    ("{\r\n\t\"model\": \"opus\",\r\n\t\"hooks\": {\r\n\t}\r\n}\r\n", "\"opus\""),
    ("\u{feff}{\n    \"model\": \"opus\", // mine\n}", "// mine"),
    ("{\n\t// mine\n\t\"hooks\": {\"Stop\": []}, /* all */\n\t\"model\": \"opus\"\n}\n", "\"opus\""),
    (
        "{\n  \"model\": \"opus\",\n  \"hooks\": {\n    \"EVENT\": [{\"hooks\":[{\"type\": \"command\", \"command\": \"./st.sh\"}]}] // st\n  }\n}\n",
        "\"opus\"",
    ),
    (
        "{\"hooks\": {\"EVENT\": [ { \"matcher\": \"Bash\", \"hooks\": [ { \"type\": \"command\", \"command\": \"./st.sh\" }, ] }, ], }, \"model\": \"opus\", }",
        "\"opus\"",
    ),
    (
        "{\n  \"hooks\": {\n    // before\n    \"EVENT\": [\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"./st.sh\"}]}\n      // behind\n    ]\n  },\n\n  \"model\": \"opus\" }",
        "./st.sh",
    ),
    (
        "// first\n{\n  \"model\": \"opus\",\n  \"hooks\": {\n    \"EVENT\": [ ],\n    \"Other\": [ /* none */ ]\n  }\n}\n// last",
        "// last",
    ),
];

#[test]
fn what_stood_before_stands_again_with_what_others_changed_meanwhile() {
    for (harness, file, event) in [
        ("claude", ".claude/settings.json", "PreToolUse"),
        ("codex", ".codex/hooks.json", "PreToolUse"),
        ("gemini", ".gemini/settings.json", "BeforeTool"),
    ] {
        let scratch = Scratch::new(&[]);
        for (settings, edited) in SETTINGS {
            let stood = settings.replace("EVENT", event);
            scratch.write(file, &stood);
            for installs in 1..=2 {
                for _ in 0..installs {
                    scratch.must(&["install", harness]);
                }
                assert!(scratch.read(file).contains(" hook "), "{harness}: {stood}");
                scratch.must(&["uninstall", harness]);
                assert_eq!(scratch.read(file), stood, "{harness}");
            }
            if edited.is_empty() {
                continue;
            }
            // Somebody edits another line, before the hooks are taken out or put there once more.
            let edit = |text: &str| text.replacen(edited, &edited.replace(['s', 'e'], "n"), 1);
            for again in [false, true] {
                scratch.write(file, &stood);
                scratch.must(&["install", harness]);
                scratch.write(file, &edit(&scratch.read(file)));
                if again {
                    let now = scratch.read(file).replacen("\"timeout\": ", "\"timeout\": 1", 1);
                    scratch.write(file, &now);
                    scratch.must(&["install", harness]);
                }
                scratch.must(&["uninstall", harness]);
                let left = scratch.read(file);
                if again {
                    assert!(!left.contains("policy-engine"), "{harness}: {left}");
                } else {
                    assert_eq!(left, edit(&stood), "{harness}");
                }
            }
        }
    }
}

#[test]
fn every_harness_installs_and_leaves_nothing_behind() {
    for harness in ["pi", "claude", "codex", "gemini", "opencode", "openclaw", "cline"] {
        let scratch = Scratch::new(&[]);
        let before = scratch.json(&["install", harness]);
        let files = before["files"].as_array().expect("files").clone();
        assert!(files.iter().all(|file| file["did"] == "wrote"), "{before}");
        let again = scratch.json(&["install", harness]);
        assert!(
            again["files"].as_array().expect("files").iter().all(|file| file["did"] == "kept"),
            "{again}"
        );
        scratch.must(&["uninstall", harness]);
        for file in &files {
            let path = file["path"].as_str().expect("a path");
            assert!(!scratch.path(path).exists(), "{file}");
            let folder = path.split('/').next().expect("a folder");
            assert!(!scratch.path(folder).exists(), "{harness}: `{folder}` was made by us");
        }
    }
}

#[test]
fn settings_that_do_not_read_are_left_alone() {
    let scratch = Scratch::new(&[(".gemini/settings.json", "{\n  \"a\": 1\n  \"b\": 2\n}\n")]);
    let output = scratch.run(&["install", "gemini"]);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains(".gemini/settings.json:2:") || said.contains(".gemini/settings.json:3:"), "{said}");
    assert_eq!(scratch.read(".gemini/settings.json"), "{\n  \"a\": 1\n  \"b\": 2\n}\n");
    // A script of somebody else's.
    scratch.write(".clinerules/hooks/PreToolUse", "#!/bin/sh\nexit 0\n");
    assert_eq!(scratch.run(&["install", "cline"]).status.code(), Some(2));
    assert!(!scratch.path(".clinerules/hooks/TaskStart").exists(), "all or nothing");
}

#[test]
fn a_link_is_followed_inside_the_workspace_and_refused_outside() {
    let scratch = Scratch::new(&[("settings/claude.json", "{}\n"), (".claude/keep", "")]);
    let link = scratch.path(".claude/settings.json");
    std::os::unix::fs::symlink(scratch.path("settings/claude.json"), &link).expect("a link");
    scratch.must(&["install", "claude"]);
    assert!(link.is_symlink() && scratch.read("settings/claude.json").contains("hook claude"));
    std::fs::remove_file(&link).expect("it stands");
    let outside = scratch.root().with_file_name("outside.json");
    std::fs::write(&outside, "{}\n").expect("a file");
    std::os::unix::fs::symlink(&outside, &link).expect("a link");
    assert_eq!(scratch.run(&["install", "claude"]).status.code(), Some(2));
    assert_eq!(std::fs::read_to_string(&outside).expect("it stands"), "{}\n");
}

#[test]
fn a_link_among_the_users_own_settings_is_followed() {
    let scratch = Scratch::new(&[]);
    let home = scratch.root().with_file_name("nobody");
    let kept = scratch.root().with_file_name("dotfiles").join("claude.json");
    std::fs::create_dir_all(kept.parent().expect("a folder")).expect("a folder");
    std::fs::create_dir_all(home.join(".claude")).expect("a folder");
    std::fs::write(&kept, "{ /* mine */ }\n").expect("a file");
    let link = home.join(".claude/settings.json");
    std::os::unix::fs::symlink(&kept, &link).expect("a link");
    scratch.must(&["install", "claude", "--user"]);
    let text = std::fs::read_to_string(&kept).expect("it stands");
    assert!(link.is_symlink() && text.contains("/* mine */") && text.contains("hook claude"), "{text}");
    scratch.must(&["uninstall", "claude", "--user"]);
    assert!(link.is_symlink());
    assert_eq!(std::fs::read_to_string(&kept).expect("it stands"), "{ /* mine */ }\n");
}

/// What `doctor` says of hooks, and its exit code.
fn checked(scratch: &Scratch, envs: &[(&str, &str)]) -> (Option<i32>, String) {
    let mut command = scratch.engine();
    let output = command.arg("doctor").envs(envs.iter().copied()).output().expect("it starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let hooks: Vec<&str> = text.lines().filter(|line| line.contains(" hooks")).collect();
    (output.status.code(), hooks.join("\n"))
}

#[test]
fn a_fresh_workspace_that_one_harness_guards_is_well() {
    let scratch = Scratch::new(&[]);
    scratch.must(&["install", "claude"]);
    let text = scratch.must(&["doctor"]);
    assert!(text.contains("ok   claude-code hooks: they stand as this version writes them"), "{text}");
    assert!(text.lines().all(|line| line.starts_with("ok ")), "{text}");
}

#[test]
fn pi_that_the_user_has_guarded_is_guarded_here() {
    let scratch = Scratch::new(&[]);
    scratch.must(&["install", "pi", "--user"]);
    let program = mentci_tests::engine();
    let output = scratch.engine().arg("doctor").env("PATH", program.parent().expect("a folder")).output();
    let text = String::from_utf8_lossy(&output.expect("it starts").stdout).into_owned();
    assert!(text.contains("ok   pi hooks of the user"), "{text}");
    assert!(text.contains("it is not installed here: pi has the user's"), "{text}");
    assert!(!text.contains("not guarded"), "{text}");
}

/// pi does not start with two of our extensions; Codex and Cline ask both.
#[test]
fn what_stands_for_the_user_and_here_is_told() {
    let scratch = Scratch::new(&[]);
    let refused = |args: &[&str]| {
        let output = scratch.run(args);
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    scratch.must(&["install", "pi", "--user"]);
    let (code, said) = refused(&["install", "pi"]);
    assert_eq!(code, Some(2));
    insta::assert_snapshot!(said, @r"
    error[E0906]: the user's stands already, and pi does not start with both
     = help: one is enough: `policy-engine uninstall pi --user` takes that one away
    ");
    assert!(!scratch.path(".pi/extensions").exists());
    let made = scratch.must(&["init"]);
    assert!(made.contains("left out: the user's stands"), "{made}");
    assert!(!scratch.path(".pi/extensions").exists() && scratch.path("mentci.toml").exists());
    scratch.must(&["uninstall", "pi", "--user"]);
    scratch.must(&["init"]);
    assert!(scratch.path(".pi/extensions/mentci-workspace.ts").exists());
    let (code, said) = refused(&["install", "pi", "--user"]);
    assert!(code == Some(2) && said.contains("the workspace's stands already"), "{said}");
    for harness in ["codex", "cline"] {
        scratch.must(&["install", harness, "--user"]);
        let (code, said) = refused(&["install", harness]);
        assert_eq!(code, Some(0), "{said}");
        assert!(
            said.contains(&format!("warning[E0906]: the user's stands already, and {harness} asks")),
            "{said}"
        );
        let (code, hooks) = checked(&scratch, &[]);
        let twice = format!("odd  {harness} hooks twice: ");
        assert!(code == Some(1) && hooks.contains(&twice), "{hooks}");
        scratch.must(&["uninstall", harness]);
        assert!(!checked(&scratch, &[]).1.contains("twice"));
    }
}

/// pi's extension looks for the program itself.
#[test]
fn a_program_that_pi_would_not_find_is_told() {
    let scratch = Scratch::new(&[]);
    scratch.must(&["init"]);
    let (code, hooks) = checked(&scratch, &[("PATH", "/nowhere")]);
    assert_eq!(code, Some(1));
    assert!(
        hooks.contains("odd  pi hooks: they look for `policy-engine`, which is not on `PATH`"),
        "{hooks}"
    );
    let program = mentci_tests::engine();
    let folder = program.parent().expect("a folder").to_string_lossy().into_owned();
    assert!(checked(&scratch, &[("PATH", &folder)]).1.contains("ok   pi hooks"));
    let named = program.to_string_lossy().into_owned();
    assert!(
        checked(&scratch, &[("PATH", "/nowhere"), ("MENTCI_POLICY_ENGINE", &named)])
            .1
            .contains("ok   pi hooks")
    );
}

/// `install` and `uninstall` take away what they wrote, and nothing that only names it.
#[test]
fn a_hook_that_names_ours_stays() {
    let foreign = r#"{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "./audit.sh; echo policy-engine hook claude ran >> log"}]}]}}"#;
    let scratch = Scratch::new(&[(".claude/settings.json", foreign)]);
    for verb in ["install", "install", "uninstall"] {
        scratch.must(&[verb, "claude"]);
        let settings = scratch.read(".claude/settings.json");
        assert_eq!(settings.matches("./audit.sh").count(), 1, "{verb}: {settings}");
    }
}

/// What a person put around our hook is theirs to have: it stays, it is not put there twice, and `doctor` says so.
#[test]
fn a_hook_that_somebody_wrapped_is_kept_and_told() {
    for (harness, file, event) in [
        ("claude", ".claude/settings.json", "PreToolUse"),
        ("codex", ".codex/hooks.json", "PreToolUse"),
        ("gemini", ".gemini/settings.json", "BeforeTool"),
    ] {
        let scratch = Scratch::new(&[]);
        scratch.must(&["install", harness]);
        let sound = scratch.read(file);
        let value: Value = serde_json::from_str(&sound).expect("JSON");
        let command = value["hooks"][event][0]["hooks"][0]["command"].as_str().expect("a command");
        for wrapped in [
            format!("timeout 5 {command}"),
            format!("exec {command}"),
            format!("env X=1 {command}"),
            format!("{command} --config hook.deadline_ms=400"),
        ] {
            let changed = sound.replace(command, &wrapped);
            scratch.write(file, &changed);
            scratch.must(&["install", harness]);
            assert_eq!(scratch.read(file), changed, "{harness}: {wrapped}");
            let (_, said) = checked(&scratch, &[]);
            let note = format!("the hook at {event} is kept as somebody changed it: `{wrapped}`");
            assert!(said.contains(&note), "{harness}: {said}");
        }
        let shared = sound.replace(command, &format!("{command}; ./audit.sh"));
        scratch.write(file, &shared);
        scratch.must(&["install", harness]);
        let (_, said) = checked(&scratch, &[]);
        assert!(said.contains(&format!("it is called once more at {event}, within `")), "{harness}: {said}");
        scratch.must(&["uninstall", harness]);
        let left = scratch.read(file);
        assert!(left.contains("./audit.sh") && left.matches(" hook ").count() == 1, "{left}");
    }
}

#[test]
fn what_a_hook_no_longer_hears_is_told_and_mended() {
    for (harness, file, from, to, said) in [
        (
            "claude",
            ".claude/settings.json",
            "\"matcher\": \"*\"",
            "\"matcher\": \"Read\"",
            "it hears `Read` only",
        ),
        ("codex", ".codex/hooks.json", "\"matcher\": \".*\"", "\"matcher\": \"^x$\"", "it hears `^x$` only"),
        (
            "gemini",
            ".gemini/settings.json",
            "\"timeout\": 10000",
            "\"timeout\": 1",
            "the time-out 1 instead of 10000",
        ),
        (
            "claude",
            ".claude/settings.json",
            "\"PreToolUse\"",
            "\"PreTool\"",
            "there is no hook at PreToolUse",
        ),
        ("cline", ".clinerules/hooks/PreToolUse", "exec ", "exit 0 ", "is of another version"),
    ] {
        let scratch = Scratch::new(&[]);
        scratch.must(&["install", harness]);
        let sound = scratch.read(file);
        scratch.write(file, &sound.replacen(from, to, 1));
        let (code, said_of) = checked(&scratch, &[]);
        assert_eq!(code, Some(1), "{harness}: {said_of}");
        assert!(said_of.contains(said) && said_of.contains("policy-engine install"), "{harness}: {said_of}");
        scratch.must(&["install", harness]);
        if harness == "cline" {
            assert_eq!(scratch.read(file), sound);
        } else {
            let value = |text: &str| serde_json::from_str::<Value>(text).expect("JSON");
            assert_eq!(value(&scratch.read(file)), value(&sound), "{harness}");
        }
    }
}

#[test]
fn settings_that_silence_hooks_are_found_wherever_they_stand() {
    for (harness, path, text, said) in [
        ("claude", ".claude/settings.local.json", "{\"disableAllHooks\": true}", "it switches all hooks off"),
        (
            "claude",
            "~/.claude/settings.json",
            "{ /* mine */ \"disableAllHooks\": true}",
            "it switches all hooks off",
        ),
        ("claude", "~/.claude/settings.json", "{\"a\"", "cannot be read"),
        ("codex", "~/.codex/config.toml", "[features]\nhooks = false\n", "it switches all hooks off"),
        ("codex", "~/.codex/config.toml", "", "`/hooks` and trust them"),
        (
            "gemini",
            ".gemini/settings.json",
            "{\"hooksConfig\": {\"enabled\": false}}",
            "it switches all hooks off",
        ),
        (
            "gemini",
            ".gemini/settings.json",
            "{\"hooksConfig\": {\"disabled\": [\"mentci\"]}}",
            "switches the hook `mentci` off",
        ),
        (
            "gemini",
            "~/.gemini/trustedFolders.json",
            "{\"{root}\": \"DO_NOT_TRUST\"}",
            "the folder is not trusted",
        ),
        ("gemini", "~/.gemini/settings.json", "{}", "skips the hooks of a folder that is not trusted"),
        (
            "gemini",
            "~/.gemini/trustedFolders.json",
            "{\"/\": \"TRUST_FOLDER\", \"{root}/..\": \"TRUST_FOLDER\", \"{root}\": \"DO_NOT_TRUST\"}",
            "the folder is not trusted",
        ),
        (
            "gemini",
            "~/.gemini/trustedFolders.json",
            "{\"{root}/src\": \"TRUST_FOLDER\"}",
            "skips the hooks of a folder that is not trusted",
        ),
        ("gemini", "~/.gemini/trustedFolders.json", "{\"{root}\"", "trustedFolders.json` cannot be read"),
        (
            "openclaw",
            "~/.openclaw/openclaw.json",
            "{\"plugins\": {\"allow\": []}}",
            "once `plugins.allow` holds `mentci`",
        ),
        ("pi", "~/.pi/agent/settings.json", "{\"defaultProjectTrust\": \"never\"}", "pi trusts no project"),
        (
            "pi",
            "~/.pi/agent/settings.json",
            "{\"defaultProjectTrust\": \"ask\"}",
            "until the project is trusted",
        ),
        ("pi", "~/.pi/agent/trust.json", "{\"/\": true, \"{root}\": false}", "the project is not trusted"),
    ] {
        let scratch = Scratch::new(&[]);
        let home = scratch.root().with_file_name("nobody");
        let file = path.strip_prefix("~/").map_or_else(|| scratch.path(path), |path| home.join(path));
        std::fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        std::fs::write(&file, text.replace("{root}", &scratch.root().to_string_lossy())).expect("a file");
        scratch.must(&["install", harness]);
        let (code, hooks) = checked(&scratch, &[]);
        assert_eq!(code, Some(1), "{harness} {path}: {hooks}");
        assert!(hooks.starts_with("odd ") && hooks.contains(said), "{harness} {path}: {hooks}");
    }
}

/// Gemini CLI asks nobody where a folder's trust is switched off by the user or a variable; the workspace's own settings cannot do it.
#[test]
fn what_gemini_trusts_is_told_as_gemini_has_it() {
    const UNTRUSTED: &str = "odd ";
    const TRUSTED: &str = "ok ";
    let off = "{\"security\": {\"folderTrust\": {\"enabled\": false}}}";
    let on = "{\"security\": {\"folderTrust\": {\"enabled\": true}}}";
    for (path, text, variable, said) in [
        ("~/.gemini/settings.json", off, ("NONE", ""), TRUSTED),
        ("~/.gemini/settings.json", on, ("NONE", ""), UNTRUSTED),
        (".gemini/settings.json", off, ("NONE", ""), UNTRUSTED),
        ("~/.gemini/trustedFolders.json", "{\"{root}\": \"TRUST_PARENT\"}", ("NONE", ""), TRUSTED),
        ("~/.gemini/trustedFolders.json", "{\"{beside}\": \"TRUST_PARENT\"}", ("NONE", ""), TRUSTED),
        ("~/.gemini/trustedFolders.json", "{\"{beside}\": \"TRUST_FOLDER\"}", ("NONE", ""), UNTRUSTED),
        ("~/.gemini/settings.json", "{}", ("GEMINI_CLI_TRUST_WORKSPACE", "true"), TRUSTED),
        ("~/.gemini/settings.json", off, ("GEMINI_CLI_TRUST_WORKSPACE", "false"), UNTRUSTED),
        ("~/.gemini/settings.json", off, ("GEMINI_RESTRICTED_MODE", "true"), UNTRUSTED),
    ] {
        let scratch = Scratch::new(&[]);
        let home = scratch.root().with_file_name("nobody");
        std::fs::create_dir_all(home.join(".gemini")).expect("a folder");
        let file = path.strip_prefix("~/").map_or_else(|| scratch.path(path), |path| home.join(path));
        std::fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        let beside = scratch.root().with_file_name("beside");
        let text = text.replace("{root}", &scratch.root().to_string_lossy());
        std::fs::write(&file, text.replace("{beside}", &beside.to_string_lossy())).expect("a file");
        scratch.must(&["install", "gemini"]);
        let (_, hooks) = checked(&scratch, &[variable]);
        assert!(hooks.starts_with(said), "{path} {text} {variable:?}: {hooks}");
        assert_eq!(hooks.contains("not trusted"), said == UNTRUSTED, "{hooks}");
    }
    // Who never ran it has trusted nothing yet: its hooks are skipped as well.
    let scratch = Scratch::new(&[]);
    scratch.must(&["install", "gemini"]);
    let (code, hooks) = checked(&scratch, &[]);
    assert_eq!(code, Some(1), "{hooks}");
    assert!(hooks.starts_with(UNTRUSTED) && hooks.contains("open it here and trust it"), "{hooks}");
    let (code, hooks) = checked(&scratch, &[("GEMINI_CLI_TRUST_WORKSPACE", "true")]);
    assert_eq!(code, Some(0), "{hooks}");
}

/// Harnesses that are programs for node name in their manifest which one they want; hooks of one that does not start guard nothing.
#[test]
fn a_node_that_is_missing_or_too_old_is_found() {
    for (harness, program, wanted, node, said) in [
        ("pi", "pi", ">=22.19.0", Some("v22.18.0"), "node is 22.18, and pi wants 22.19 or newer"),
        ("pi", "pi", ">=22.19.0", Some("v22.19.0"), ""),
        ("pi", "pi", ">=22.19.0", None, "pi wants node, which is not on `PATH`"),
        ("gemini", "gemini", ">=20", Some("18.20.1"), "node is 18.20, and gemini wants 20.0 or newer"),
        ("gemini", "gemini", ">=20", Some("20.0.0"), ""),
        (
            "openclaw",
            "openclaw",
            ">=24.16.0 <25 || >=26.1.0",
            Some("v22.23.3"),
            "and openclaw wants 24.16 or newer",
        ),
        ("openclaw", "openclaw", ">=24.16.0 <25 || >=26.1.0", Some("v24.16.0"), ""),
        // A node that does not say which it is, and a harness that needs none.
        ("pi", "pi", ">=22.19.0", Some("usr"), ""),
        ("claude", "claude", ">=99", Some("v18.0.0"), ""),
    ] {
        let scratch = Scratch::new(&[]);
        let home = scratch.root().with_file_name("nobody");
        put(&home, ".gemini/trustedFolders.json", "{\"/\": \"TRUST_FOLDER\"}");
        put(
            &home,
            ".openclaw/openclaw.json",
            "{\"plugins\": {\"allow\": [\"mentci\"], \"entries\": {\"mentci\": {\"enabled\": true, \"hooks\": {\"allowConversationAccess\": true}}}}}",
        );
        scratch.must(&["install", harness]);
        let folder = home.join("path");
        std::fs::create_dir_all(&folder).expect("a folder");
        put(&home, &format!("lib/{program}/dist/cli.js"), "#!/usr/bin/env node\n");
        put(
            &home,
            &format!("lib/{program}/package.json"),
            &format!("{{\"engines\": {{\"node\": \"{wanted}\"}}}}"),
        );
        std::os::unix::fs::symlink(home.join(format!("lib/{program}/dist/cli.js")), folder.join(program))
            .expect("a link");
        if let Some(version) = node {
            put(&home, &format!("versions/{version}/bin/node"), "");
            std::os::unix::fs::symlink(
                home.join(format!("versions/{version}/bin/node")),
                folder.join("node"),
            )
            .expect("a link");
        }
        let (_, hooks) = checked(&scratch, &[("PATH", &folder.to_string_lossy())]);
        assert!(hooks.contains(said), "{harness} {node:?}: {hooks}");
        assert_eq!(hooks.contains("node"), !said.is_empty(), "{harness} {node:?}: {hooks}");
    }
}

/// A file that can be run.
fn put(folder: &std::path::Path, path: &str, text: &str) {
    use std::os::unix::fs::PermissionsExt;
    let file = folder.join(path);
    std::fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
    std::fs::write(&file, text).expect("a file");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).expect("it stands");
}

#[test]
fn a_harness_that_was_trusted_is_well() {
    let scratch = Scratch::new(&[]);
    let home = scratch.root().with_file_name("nobody");
    let root = scratch.root().to_string_lossy().into_owned();
    for (harness, path, text) in [
        (
            "codex",
            ".codex/config.toml",
            "[hooks.state.\"{root}/.codex/hooks.json:pre_tool_use:0:0\"]\ntrusted_hash = \"x\"\n",
        ),
        ("gemini", ".gemini/trustedFolders.json", "{\"{root}\": \"TRUST_FOLDER\"}"),
        ("pi", ".pi/agent/trust.json", "{\"/\": true}"),
        (
            "openclaw",
            ".openclaw/openclaw.json",
            "{\"plugins\": {\"allow\": [\"mentci\"], \"entries\": {\"mentci\": {\"enabled\": true, \"hooks\": {\"allowConversationAccess\": true}}}}}",
        ),
    ] {
        let file = home.join(path);
        std::fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        std::fs::write(&file, text.replace("{root}", &root)).expect("a file");
        scratch.must(&["install", harness]);
    }
    let program = mentci_tests::engine();
    let folder = program.parent().expect("a folder").to_string_lossy().into_owned();
    let (code, hooks) = checked(&scratch, &[("PATH", &folder)]);
    assert_eq!(code, Some(0), "{hooks}");
    assert_eq!(hooks.matches("they stand as this version writes them").count(), 4, "{hooks}");
}

#[test]
fn a_program_that_is_not_on_the_path_is_found() {
    let scratch = Scratch::new(&[]);
    for (harness, file) in [
        ("claude", ".claude/settings.json"),
        ("cline", ".clinerules/hooks/PreToolUse"),
        ("opencode", ".opencode/plugin/mentci.ts"),
    ] {
        scratch.must(&["install", harness]);
        let installed = scratch.read(file);
        let program = mentci_tests::engine();
        let own = program.to_string_lossy().into_owned();
        let bare = installed.replace(&own, "policy-engine");
        scratch.write(file, &bare);
        let (code, hooks) = checked(&scratch, &[("PATH", "/nowhere")]);
        assert_eq!(code, Some(1), "{hooks}");
        assert!(hooks.contains("`policy-engine`, which is not on `PATH`"), "{harness}: {hooks}");
        assert!(hooks.contains("run `policy-engine install"), "{harness}: {hooks}");
        let folder = program.parent().expect("a folder").to_string_lossy().into_owned();
        let (_, hooks) = checked(&scratch, &[("PATH", &folder)]);
        assert!(!hooks.contains("odd"), "{harness}: {hooks}");
        scratch.must(&["uninstall", harness]);
    }
}

#[test]
fn the_users_folder_of_a_harness_is_made_and_taken_away() {
    let scratch = Scratch::new(&[]);
    let home = scratch.root().with_file_name("nobody");
    for harness in ["claude", "codex", "gemini", "opencode", "openclaw", "cline", "pi"] {
        scratch.must(&["install", harness, "--user"]);
        scratch.must(&["uninstall", harness, "--user"]);
    }
    let left: Vec<_> =
        std::fs::read_dir(&home).expect("it stands").map(|entry| entry.expect("one").file_name()).collect();
    assert_eq!(left, ["state"]);
    // What cannot be read is named in full.
    std::fs::create_dir_all(home.join(".claude/settings.json")).expect("a folder");
    let output = scratch.run(&["install", "claude", "--user"]);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains(&format!("{}/.claude/settings.json", home.display())), "{said}");
}

#[test]
fn a_program_that_is_gone_is_found() {
    let scratch = Scratch::new(&[SKILL]);
    scratch.must(&["install", "codex"]);
    let settings = scratch.read(".codex/hooks.json");
    let value: Value = serde_json::from_str(&settings).expect("JSON");
    let command =
        value["hooks"]["PreToolUse"][0]["hooks"][0]["command"].as_str().expect("a command").to_owned();
    let program = command.split_whitespace().next().expect("a program");
    if program.starts_with('/') {
        let moved = settings.replace(program, "/nowhere/policy-engine");
        scratch.write(".codex/hooks.json", &moved);
        let output = scratch.run(&["doctor"]);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            said.contains("names `/nowhere/policy-engine`, which is not there") && said.contains("odd "),
            "{said}"
        );
        scratch.must(&["install", "codex"]);
        assert_eq!(scratch.read(".codex/hooks.json"), settings);
    }
}
