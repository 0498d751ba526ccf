//! Trust goes file by file: what the user vouched for stays in force while other files appear, change and go; what nobody
//! vouched for may only tighten.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may stop, and touch files")]

mod story;

use std::fs;

use serde_json::{Value, json};
use story::{Ran, Story};

const GATE: &str = "[rule]\nid = \"no-danger\"\ntrigger = \"on_tool_call\"\ntool = \"danger\"\neffect = \"block\"\nmessage = \"never\"\n";

const MANIFEST: &str = "[plugin]\nid = \"gate\"\nname = \"Gate\"\nversion = \"1.0.0\"\n";

const SCRIPTED: &str = "[rule]\nid = \"asks\"\ntrigger = \"on_tool_call\"\ntool = \"fetch\"\n[script]\nfile = \"asks.luau\"\n[action]\ntype = \"log\"\nmessage = \"asked\"\n";

fn must(story: &Story, arguments: &[&str]) -> Ran {
    let ran = story.run(arguments);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    ran
}

fn decided(story: &Story, tool: &str) -> Ran {
    let event =
        json!({"event": "pre_tool_call", "session": "s", "tool": {"name": tool, "args": {}, "call_id": "c"}});
    story.write("event.json", event.to_string());
    story.run(&["decide", "event.json", "--dry-run"])
}

fn decision(story: &Story, tool: &str) -> String {
    decided(story, tool).json()["decision"].as_str().unwrap().to_owned()
}

fn does(story: &Story, tool: &str) -> Value {
    decided(story, tool).json()["actions"].clone()
}

/// A trusted workspace: a plugin with a gate, and a rule that asks a script.
fn trusted(gate: &str) -> Story {
    let story = Story::new();
    story.write(".pi/plugins/gate/plugin.toml", MANIFEST);
    story.write(".pi/plugins/gate/README.md", "# Gate\n");
    story.write(".pi/plugins/gate/rules/g.toml", gate);
    story.write(".pi/rules/asks.toml", SCRIPTED);
    story.write(".pi/rules/asks.luau", "return true\n");
    must(&story, &["trust"]);
    assert_eq!((decision(&story, "danger"), decision(&story, "other")), ("block".into(), "allow".into()));
    story
}

fn asks(story: &Story) -> bool {
    does(story, "fetch") == json!([{"rule": "asks", "type": "log", "level": "info", "message": "asked"}])
}

#[test]
fn a_file_that_appears_or_changes_takes_nothing_from_those_that_were_vouched_for() {
    type Step = fn(&Story);
    let changes: [(&str, Step); 8] = [
        ("an editor's copy", |story| story.write(".pi/plugins/gate/rules/g.toml~", GATE)),
        ("an editor's swap file", |story| story.write(".pi/plugins/gate/rules/.g.toml.swp", "x")),
        ("a page", |story| story.write(".pi/plugins/gate/README.md", "# Gate\n\nMore.\n")),
        ("a folder of no plugin", |story| story.write(".pi/plugins/other/README.md", "x\n")),
        ("another plugin", |story| {
            must(story, &["plugins", "new", "zz"]);
        }),
        ("another rule", |story| {
            story.write(".pi/rules/n.toml", "[rule]\nid = \"n\"\ntrigger = \"on_turn_start\"\n[action]\ntype = \"log\"\nmessage = \"n\"\n");
        }),
        ("a broken rule", |story| story.write(".pi/rules/n.toml", "[rule\n")),
        ("a file beside the rules", |story| story.write(".pi/rules/notes.txt", "x\n")),
    ];
    for core in ["", "core = true\n"] {
        for (what, change) in changes {
            let story = trusted(&format!("{GATE}{core}"));
            change(&story);
            assert_eq!(decision(&story, "danger"), "block", "{what}");
            assert!(asks(&story), "{what}");
        }
    }
}

#[test]
fn a_gate_of_a_plugin_that_nobody_vouched_for_holds() {
    type Step = fn(&Story);
    let changes: [(&str, Step); 5] = [
        ("needs what is not there", |story| {
            story.write(
                ".pi/plugins/gate/plugin.toml",
                format!("{MANIFEST}[capabilities]\nrequires = [\"teleport\"]\n"),
            );
        }),
        ("includes it no more", |story| {
            story.write(
                ".pi/plugins/gate/plugin.toml",
                format!("{MANIFEST}[rules]\ninclude = [\"none/*\"]\n"),
            );
        }),
        ("does not read", |story| story.write(".pi/plugins/gate/plugin.toml", "[plugin\n")),
        ("is gone", |story| story.remove(".pi/plugins/gate/plugin.toml")),
        ("says something else", |story| {
            story.write(".pi/plugins/gate/rules/g.toml", GATE.replace("never", "not now"));
        }),
    ];
    for (what, change) in changes {
        let story = trusted(GATE);
        change(&story);
        let ran = decided(&story, "danger");
        assert_eq!(ran.json()["decision"], "block", "{what}: {}{}", ran.out, ran.err);
        assert!(ran.err.contains("E0704") || ran.err.contains("E0250"), "{what}: {}", ran.err);
        assert!(asks(&story), "{what}");
    }
}

#[test]
fn what_changed_since_it_was_trusted_is_told() {
    let story = trusted(GATE);
    story.write(".pi/plugins/gate/plugin.toml", MANIFEST.replace("1.0.0", "1.0.1"));
    story.write(".pi/plugins/gate/rules/g.toml", GATE.replace("never", "not now"));
    story.write(".pi/rules/asks.luau", "return false\n");
    insta::assert_snapshot!(decided(&story, "danger").err, @r"
    warning[E0704]: this manifest changed since it was trusted: what was trusted stays in force
     --> .pi/plugins/gate/plugin.toml
     = help: read its rules and scripts, then run `policy-engine trust`
    warning[E0704]: this file is not trusted as it stands: only its gates hold, without scripts
     --> .pi/plugins/gate/rules/g.toml
     = help: read it, then run `policy-engine trust`
    warning[E0704]: `asks` asks a script, and `.pi/rules/asks.luau` is not trusted as it stands: it is left out
     --> .pi/rules/asks.toml:1:1
     = help: read the rules, then run `policy-engine trust`
    ");
    let plugin = &story.run(&["plugins", "list", "--json"]).json()["plugins"][0];
    assert_eq!((&plugin["state"], &plugin["version"]), (&json!("last_good"), &json!("1.0.0")));
    must(&story, &["trust"]);
    let ran = decided(&story, "danger");
    assert_eq!((ran.err.as_str(), &ran.json()["reasons"][0]["message"]), ("", &json!("not now")));
    assert!(!asks(&story));
}

#[test]
fn of_a_plugin_that_was_never_trusted_only_the_gates_hold() {
    let story = Story::new();
    story.write(".pi/plugins/gate/plugin.toml", MANIFEST);
    story.write(".pi/plugins/gate/rules/g.toml", GATE);
    let asked = SCRIPTED.replace("[script]", "effect = \"block\"\nmessage = \"m\"\n[script]");
    story.write(
        ".pi/plugins/gate/rules/s.toml",
        asked.replace("\"fetch\"", "\"send\"").replace("asks", "sends"),
    );
    story.write(".pi/plugins/gate/rules/sends.luau", "return false\n");
    let tells = SCRIPTED.replace("[script]\nfile = \"asks.luau\"\n", "");
    story.write(".pi/plugins/gate/rules/t.toml", tells.replace("asks", "tells"));
    let allows = GATE.replace("no-danger", "lets").replace("block", "allow").replace("danger", "read");
    story.write(".pi/plugins/gate/rules/a.toml", allows);
    story.write("mentci.toml", "[policy]\ndefault = \"block\"\n");
    insta::assert_snapshot!(decided(&story, "danger").err, @r"
    warning[E0704]: the plugin `gate` is not trusted: only its gates hold, without scripts
     --> .pi/plugins/gate/plugin.toml
     = help: read its rules and scripts, then run `policy-engine trust`
    warning[E0704]: `sends` asks a script, and its file is not trusted as it stands: it closes
     --> .pi/plugins/gate/rules/s.toml:1:1
     = help: read the rules, then run `policy-engine trust`
    ");
    let told = ["danger", "send", "fetch", "read"].map(|tool| {
        let verdict = decided(&story, tool).json();
        (verdict["decision"].clone(), verdict["rules"].clone(), verdict["actions"].clone())
    });
    let expected = ["no-danger", "sends", "__default__", "__default__"];
    assert_eq!(told, expected.map(|rule| (json!("block"), json!([rule]), json!([]))));
    must(&story, &["trust"]);
    let told = ["danger", "send", "fetch", "read"].map(|tool| decision(&story, tool));
    assert_eq!(told, ["block", "block", "block", "allow"]);
    assert_eq!(does(&story, "fetch")[0]["rule"], "tells");
}

#[test]
fn a_script_counts_as_it_was_when_it_was_vouched_for() {
    let story = trusted(GATE);
    let gate =
        SCRIPTED.replace("[script]", "effect = \"block\"\nmessage = \"m\"\non_fault = \"allow\"\n[script]");
    story.write(".pi/rules/gates.toml", gate.replace("asks", "gates").replace("fetch", "send"));
    story.write(".pi/rules/gates.luau", "return false\n");
    must(&story, &["trust"]);
    assert_eq!(decision(&story, "send"), "allow");
    story.write(".pi/rules/gates.luau", "return  false\n");
    assert_eq!(decision(&story, "send"), "block", "it closes, whatever its faults may");
    assert!(asks(&story), "the other script runs");
    story.write(".pi/rules/asks.luau", "return 1 == 1\n");
    let ran = decided(&story, "send");
    insta::assert_snapshot!(ran.err, @r"
    warning[E0704]: `asks` asks a script, and `.pi/rules/asks.luau` is not trusted as it stands: it is left out
     --> .pi/rules/asks.toml:1:1
     = help: read the rules, then run `policy-engine trust`
    warning[E0704]: `gates` asks a script, and `.pi/rules/gates.luau` is not trusted as it stands: it closes
     --> .pi/rules/gates.toml:1:1
     = help: read the rules, then run `policy-engine trust`
    ");
    assert!(!asks(&story));
    story.write(".pi/rules/gates.luau", "return false\n");
    assert_eq!(decision(&story, "send"), "allow", "as it was when it was vouched for");
}

#[test]
fn rules_that_include_what_nobody_vouched_for_may_only_tighten() {
    let story = Story::new();
    story.write(".pi/rules/own.yaml", "default_verdict: block\ninclude: [more/base.inc.yaml]\nrules:\n  - {id: reads, when: {tool: read}, then: allow}\n");
    story.write(".pi/rules/more/base.inc.yaml", "rules:\n  - {id: base, when: {tool: list}, then: allow}\n");
    must(&story, &["trust"]);
    assert_eq!((decision(&story, "read"), decision(&story, "list")), ("allow".into(), "allow".into()));
    story.write(".pi/rules/more/base.inc.yaml", "rules:\n  - {id: base, then: allow}\n");
    let ran = decided(&story, "exec");
    assert_eq!(ran.json()["decision"], "block");
    assert_eq!(decision(&story, "read"), "block");
    assert!(
        ran.err
            .contains("this file includes `.pi/rules/more/base.inc.yaml`, which is not trusted as it stands"),
        "{}",
        ran.err
    );
}

#[test]
fn what_was_taken_back_is_trusted_no_more_though_it_was_kept() {
    let story = trusted(GATE);
    story.write(
        ".pi/rules/own.yaml",
        "default_verdict: block\nrules:\n  - {id: f, when: {tool: fetch}, then: allow}\n",
    );
    must(&story, &["trust"]);
    assert_eq!(decision(&story, "fetch"), "allow");
    // While it does not read, what was vouched for stays.
    story.write(".pi/rules/own.yaml", "rules: {\n");
    assert_eq!(decision(&story, "fetch"), "allow");
    must(&story, &["trust", "--revoke"]);
    assert_eq!(decision(&story, "fetch"), "block");
    assert_eq!(decision(&story, "danger"), "block");
    assert!(!asks(&story));
    let plugin = &story.run(&["plugins", "list", "--json"]).json()["plugins"][0];
    assert_eq!(plugin["state"], "untrusted");
    story.write(".pi/plugins/gate/plugin.toml", MANIFEST.replace("1.0.0", "1.0.1"));
    let plugin = &story.run(&["plugins", "list", "--json"]).json()["plugins"][0];
    assert_eq!((&plugin["state"], &plugin["version"]), (&json!("untrusted"), &json!("1.0.1")));
}

#[test]
fn a_record_of_an_earlier_version_is_read_and_says_when_trust_must_be_given_again() {
    let story = trusted(GATE);
    let path = story.home().join(".local/state/mentci/consent.json");
    let mut record: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    assert_eq!(record["format"], 3);
    // As format 2 wrote it: one hash over everything, of which the log tells as well.
    let hash = must(&story, &["trust", "--json"]).json()["hash"].clone();
    let (root, own) = record["workspaces"].as_object().unwrap().iter().next().unwrap();
    let (root, mut own) = (root.clone(), own.clone());
    own.as_object_mut().unwrap().remove("files").unwrap();
    own["policy"] = hash;
    record["workspaces"][root] = own;
    record["format"] = json!(2);
    fs::write(&path, record.to_string()).unwrap();
    let ran = decided(&story, "fetch");
    assert!(asks(&story) && ran.err.is_empty(), "{}", ran.err);
    story.write(".pi/rules/asks.luau", "return true \n");
    assert!(!asks(&story));
    assert_eq!(decision(&story, "danger"), "block");
    insta::assert_snapshot!(decided(&story, "danger").err, @r"
    warning[E0704]: the plugin `gate` is not trusted: only its gates hold, without scripts
     --> .pi/plugins/gate/plugin.toml
     = help: read its rules and scripts, then run `policy-engine trust`
    warning[E0704]: trust in this workspace's rules was given by an earlier version, and a file changed since
     --> .pi/rules
     = help: read the rules, then run `policy-engine trust`: from then on a change takes the trust of its file alone
    warning[E0704]: `asks` asks a script, and its file is not trusted as it stands: it is left out
     --> .pi/rules/asks.toml:1:1
     = help: read the rules, then run `policy-engine trust`
    ");
    must(&story, &["trust"]);
    assert!(asks(&story));
}

const BLOCKS_BY_SCRIPT: &str =
    "[rule]\nid = \"g\"\ntrigger = \"on_tool_call\"\neffect = \"block\"\n[script]\nfile = \"g.luau\"\n";

const TELLS_BY_SCRIPT: &str = "[rule]\nid = \"g\"\ntrigger = \"on_tool_call\"\n[script]\nfile = \"g.luau\"\n[action]\ntype = \"log\"\nmessage = \"heard\"\n";

fn looks_for(word: &str) -> String {
    format!("return tool.name == \"{word}\"\n")
}

/// Whether the rule answers to a call of a tool.
fn hears(story: &Story, tool: &str) -> bool {
    let verdict = decided(story, tool).json();
    verdict["decision"] == "block" || verdict["actions"][0]["message"] == "heard"
}

#[test]
fn the_last_good_version_of_a_script_is_the_last() {
    type Step = fn(&Story, &str);
    let unreadable: Step = |story, at| story.write(&format!("{at}/g.luau"), "if then\n");
    let gone: Step = |story, at| story.remove(&format!("{at}/g.luau"));
    let rule: Step = |story, at| story.write(&format!("{at}/g.toml"), "[rule\n");
    let (own, plugin) = (".pi/rules", ".pi/plugins/own/rules");
    let users = ["..", "home", ".config/mentci/plugins/own/rules"].join("/");
    let cases = [
        ("a gate's script does not parse", BLOCKS_BY_SCRIPT, own, unreadable),
        ("a gate's script is gone", BLOCKS_BY_SCRIPT, own, gone),
        ("a gate's own file does not read", BLOCKS_BY_SCRIPT, own, rule),
        ("the script of a plugin's gate", BLOCKS_BY_SCRIPT, plugin, unreadable),
        ("a user's plugin", BLOCKS_BY_SCRIPT, users.as_str(), unreadable),
        ("what only tells", TELLS_BY_SCRIPT, own, unreadable),
    ];
    for (broken, rule, at, breaks) in cases {
        let story = Story::new();
        if let Some(plugin) = at.strip_suffix("/rules").filter(|plugin| plugin.contains("plugins")) {
            story.write(&format!("{plugin}/plugin.toml"), MANIFEST.replace("\"gate\"", "\"own\""));
        }
        story.write(&format!("{at}/g.toml"), rule);
        for word in ["alpha", "beta"] {
            story.write(&format!("{at}/g.luau"), looks_for(word));
            // There is nothing to trust in a workspace whose rules are all the user's own.
            story.run(&["trust"]);
            assert!(hears(&story, word), "{at}: {word}");
        }
        breaks(&story, at);
        story.run(&["trust"]);
        assert!(hears(&story, "beta"), "{at}: {broken}: the second version counts");
        assert!(!hears(&story, "alpha"), "{at}: {broken}: the first does not");
    }
}

#[test]
fn a_script_that_nobody_vouched_for_yet_takes_no_good_version_away() {
    let story = Story::new();
    story.write(".pi/rules/g.toml", BLOCKS_BY_SCRIPT);
    story.write(".pi/rules/g.luau", looks_for("beta"));
    must(&story, &["trust"]);
    story.write(".pi/rules/g.luau", looks_for("gamma"));
    assert!(hears(&story, "beta") && hears(&story, "other"), "closed while nobody vouches for it");
    story.write(".pi/rules/g.luau", "if then\n");
    story.run(&["trust"]);
    assert!(hears(&story, "beta") && !hears(&story, "other"), "what was vouched for stands in");
}

#[test]
fn the_last_good_version_of_what_a_file_includes_is_the_last() {
    let story = Story::new();
    let base = |tool: &str| format!("rules:\n  - id: b\n    when: {{tool: {tool}}}\n    then: block\n");
    story.write(".pi/rules/main.yaml", "include: [parts/base.yaml]\nrules: []\n");
    for word in ["alpha", "beta"] {
        story.write(".pi/rules/parts/base.yaml", base(word));
        must(&story, &["trust"]);
        assert!(hears(&story, word));
    }
    story.remove(".pi/rules/parts/base.yaml");
    story.run(&["trust"]);
    assert!(hears(&story, "beta") && !hears(&story, "alpha"));
}

#[test]
fn without_a_place_for_state_no_repository_brings_switches() {
    let story = Story::new();
    let alone = |arguments: &[&str]| {
        let mut command = story.command(arguments);
        story.ran(&command.env_remove("HOME").output().unwrap())
    };
    let event = json!({"event": "pre_tool_call", "session": "s", "tool": {"name": "bash", "args": {"command": "rm -rf /"}}});
    story.write("event.json", event.to_string());
    must(&story, &["rules", "disable", "destructive/rm-system"]);
    let names = |ran: &Ran| ran.json()["rules"].as_array().unwrap().contains(&json!("rm-system"));
    assert!(!names(&story.run(&["decide", "event.json", "--dry-run"])));
    // What a repository would bring: the log of somebody who switched the rule off.
    let workspaces = story.home().join(".local/state/mentci/workspaces");
    let own = fs::read_dir(workspaces).unwrap().map(|entry| entry.unwrap().path()).next().unwrap();
    fs::create_dir_all(story.root().join(".mentci")).unwrap();
    fs::copy(own.join("store.db"), story.root().join(".mentci/store.db")).unwrap();
    if own.join("store.db-wal").exists() {
        fs::copy(own.join("store.db-wal"), story.root().join(".mentci/store.db-wal")).unwrap();
    }

    let ran = alone(&["decide", "event.json", "--dry-run"]);
    assert!(names(&ran), "{}", ran.out);
    insta::assert_snapshot!(ran.err, @r"
    warning[E0818]: there is no place for the user's state: what `.mentci` says was granted, switched and set does not count
     --> .mentci/store.db
     = help: set `XDG_STATE_HOME` or `HOME`
    ");
    let ran = alone(&["rules", "disable", "destructive/rm-system"]);
    assert_eq!(ran.code, 2);
    insta::assert_snapshot!(ran.err, @r"
    error[E0005]: there is no place for the user's state
     = help: set `XDG_STATE_HOME` or `HOME`
    ");
}

#[test]
fn a_file_that_another_one_extends_is_a_part_of_it() {
    let story = Story::new();
    story.write(".pi/rules/base.yaml", "rules:\n- {id: a, when: {tool: danger}, then: block, message: base}\n- {id: n, when: {tool: other}, then: warn, message: once}\n");
    story.write(
        ".pi/rules/own.yaml",
        "extends: base.yaml\nrules:\n- {id: a, when: {tool: danger}, then: approve, message: own}\n",
    );
    let listed = || {
        let rules = story.run(&["rules", "list", "--json"]).json()["rules"].clone();
        let names = rules.as_array().unwrap().iter().map(|rule| rule["rule"].as_str().unwrap().to_owned());
        names.filter(|name| name.starts_with("own/") || name.starts_with("base/")).collect::<Vec<_>>()
    };
    // Nobody vouched for the file that replaces: both hold.
    assert_eq!(decision(&story, "danger"), "block");
    must(&story, &["trust"]);
    assert_eq!(listed(), ["own/a", "own/n"]);
    assert_eq!(decision(&story, "danger"), "approve");
    assert_eq!(decided(&story, "other").json()["rules"], json!(["n"]));
    let ran = story.run(&["check", ".pi/rules"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    story.write(".pi/rules/own.yaml", "extends: base.yaml\nrules: {\n");
    assert_eq!(decision(&story, "danger"), "block", "what does not read takes nothing out of force");
}

#[test]
fn rules_that_are_checked_by_path_may_name_what_is_in_force() {
    let story = Story::new();
    story.write(".pi/rules/own.yaml", "rules:\n- {id: a, when: {tool: bash, args: {command: '^make clean$'}}, then: allow, overrides: [destructive/rm-system]}\n");
    let ran = story.run(&["check", ".pi/rules"]);
    assert!(!ran.err.contains("E0246") && !ran.out.contains("E0246"), "{}{}", ran.out, ran.err);
}

#[test]
fn files_are_formatted_wherever_they_are_named() {
    let story = Story::new();
    let loose = "rules: [{then: block, id: a, when: {tool: x}, message: m}]\n";
    story.write("d.yaml", loose);
    story.write("sub/e.yaml", loose);
    fs::write(story.home().join("f.yaml"), loose).unwrap();
    must(&story, &["fmt", "."]);
    assert!(story.read("d.yaml") != loose && story.read("sub/e.yaml") == story.read("d.yaml"));
    let beside = ["..", "home", "f.yaml"].join("/");
    must(&story, &["fmt", &beside]);
    assert_eq!(fs::read_to_string(story.home().join("f.yaml")).unwrap(), story.read("d.yaml"));
    for path in ["nosuch.yaml", "nosuchdir", "event.txt"] {
        let ran = story.run(&["fmt", path]);
        assert_eq!(ran.code, 2, "{path}: {}", ran.err);
    }
    insta::assert_snapshot!(story.run(&["fmt", "nosuch.yaml"]).err, @r"
    error[E0005]: there is no such file or folder of rules
     --> nosuch.yaml
     = help: `builtin` stands for the shipped packs
    ");
}

#[test]
fn an_empty_id_names_no_session_and_who_is_stopped_by_name_stays_so() {
    let story = Story::new();
    for verb in ["kill", "resume"] {
        let ran = story.run(&[verb, "--session", ""]);
        assert_eq!(ran.code, 2, "{}", ran.out);
    }
    insta::assert_snapshot!(story.run(&["kill", "--session", ""]).err, @r"
    error[E0706]: the id of a session is empty
     = help: leave `--session` out to stop every session
    ");
    story.run(&["kill", "--session", "s"]);
    story.run(&["kill"]);
    insta::assert_snapshot!(story.run(&["resume"]).out, @r"
    tool calls run again
    still stopped by name: `s`; `policy-engine resume --session ID`
    ");
    assert_eq!(decision(&story, "other"), "block");
}

#[test]
fn trust_names_each_file_that_it_covers() {
    let story = Story::new();
    story.write("mentci.toml", "[policy]\n");
    story.write(".pi/rules/a.yaml", "- {id: a, when: {tool: x}, then: block}\n");
    let told = must(&story, &["trust"]).out;
    assert!(told.starts_with("`mentci.toml` is trusted (content "), "{told}");
    assert!(told.contains("\n  .pi/rules/a.yaml (content "), "{told}");
    let files = must(&story, &["trust", "--json"]).json()["files"].clone();
    let named: Vec<&String> = files.as_object().unwrap().keys().collect();
    assert_eq!(named, [".pi/rules/a.yaml", "mentci.toml"]);
    assert_eq!(must(&story, &["trust", "--revoke", "--json"]).json()["files"], serde_json::json!({}));
}
