//! Plugins and parameters, from the command line: user stories 5 and 6 of the seed by the numbers of their scenarios, and
//! what a broken or hostile plugin meets.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may stop, and touch files")]

mod story;

use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::process::Stdio;

use serde_json::{Value, json};
use story::{Ran, Story};

const MANIFEST: &str = r#"[plugin]
id = "hush"
name = "Hush"
version = "1.2.0"
description = "Says when much was called."

[capabilities]
requires = ["notifications", "state"]

[settings.limit]
type = "int"
default = 3
min = 1
max = 9

[settings.mood]
type = "enum"
options = ["calm", "loud"]
default = "calm"
"#;

const RULE: &str = r#"[rule]
id = "many"
trigger = "on_turn_start"

[condition]
expression = 'session("total_calls") >= plugin.settings.limit'

[action]
type = "notify_self"
message = "{{ plugin.settings.limit }} calls, {{ plugin.settings.mood }}"
"#;

fn given(story: &Story, arguments: &[&str], text: &str) -> Ran {
    let mut command = story.command(arguments);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let _ = child.stdin.take().unwrap().write_all(text.as_bytes());
    story.ran(&child.wait_with_output().unwrap())
}

/// What came of an event by the workspace's rules.
fn decide(story: &Story, event: &Value) -> Value {
    let ran = given(story, &["decide"], &event.to_string());
    serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{}{}", ran.out, ran.err))
}

fn call(story: &Story) {
    decide(story, &json!({"event": "pre_tool_call", "session": "s", "tool": {"name": "ls", "args": {}}}));
}

/// What the agent is told at the start of a turn.
fn told(story: &Story) -> Vec<String> {
    let outcome = decide(story, &json!({"event": "turn_start", "session": "s"}));
    let actions = outcome["actions"].as_array().unwrap().iter();
    let texts = actions.filter(|action| action["type"] == "notify").map(|action| &action["message"]);
    texts.map(|text| text.as_str().unwrap().to_owned()).collect()
}

fn must(story: &Story, arguments: &[&str]) -> Ran {
    let ran = story.run(arguments);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    ran
}

/// A trusted workspace with one plugin.
fn hush() -> Story {
    let story = Story::new();
    story.write(".pi/plugins/hush/plugin.toml", MANIFEST);
    story.write(".pi/plugins/hush/rules/many.toml", RULE);
    must(&story, &["trust"]);
    story
}

/// The plugins as they stand: id and state.
fn states(story: &Story) -> Vec<(String, String)> {
    let answer = story.run(&["plugins", "list", "--json"]).json();
    let text = |row: &Value, key: &str| row[key].as_str().unwrap().to_owned();
    answer["plugins"].as_array().unwrap().iter().map(|row| (text(row, "id"), text(row, "state"))).collect()
}

fn state(story: &Story) -> String {
    states(story).into_iter().next().unwrap().1
}

#[test]
fn us5_1_every_rule_is_listed_with_whether_it_is_on() {
    let story = hush();
    must(&story, &["rules", "disable", "large-result-hint"]);
    let answer = must(&story, &["rules", "list", "--json"]).json();
    let rows = answer["rules"].as_array().unwrap();
    let on = |name: &str| rows.iter().find(|row| row["rule"] == name).unwrap()["enabled"].as_bool().unwrap();
    assert!(on("builtin/token-budget-warning") && on("hush/many") && !on("builtin/large-result-hint"));
    let result = json!({"event": "post_tool_response", "session": "s", "tool": {"name": "find"}, "result": {"count": 70}});
    assert_eq!(decide(&story, &result)["actions"], json!([]));
    must(&story, &["rules", "enable", "large-result-hint"]);
    assert_eq!(decide(&story, &result)["actions"][0]["rule"], "large-result-hint");
}

#[test]
fn us5_2_a_parameter_that_is_set_holds_at_the_next_event() {
    let story = Story::new();
    let event = json!({"event": "turn_start", "session": "s", "usage": {"token_usage": 0.6}});
    let fired = |story: &Story| decide(story, &event)["actions"].as_array().unwrap().len();
    assert_eq!(fired(&story), 0);
    let ran = must(&story, &["rules", "set", "token-budget-warning", "threshold", "0.5"]);
    insta::assert_snapshot!(ran.shown(), @r"
    exit 0
    builtin/token-budget-warning: threshold is 0.5
    ");
    assert_eq!(fired(&story), 1);
    let shown = must(&story, &["rules", "show", "token-budget-warning"]).out;
    assert!(shown.contains("threshold = 0.5 (yours; the rule says 0.8)"), "{shown}");
    must(&story, &["rules", "unset", "token-budget-warning", "threshold"]);
    assert_eq!(fired(&story), 0);
}

#[test]
fn a_parameter_that_does_not_fit_is_refused() {
    let story = Story::new();
    insta::assert_snapshot!(story.run(&["rules", "set", "token-budget-warning", "treshold", "0.5"]).shown(), @r"
    exit 2
    --- findings
    error[E0270]: `builtin/token-budget-warning` has no parameter `treshold`
     = help: did you mean `threshold`?
    ");
    insta::assert_snapshot!(story.run(&["rules", "set", "token-budget-warning", "threshold", "much"]).shown(), @r"
    exit 2
    --- findings
    error[E0271]: `threshold` of `builtin/token-budget-warning` must be a number, not `much`
    ");
    insta::assert_snapshot!(story.run(&["rules", "set", "token-budget-warning", "threshold", "9"]).shown(), @r"
    exit 2
    --- findings
    error[E0271]: `threshold` of `builtin/token-budget-warning` must be a number from 0 to 0.95, not `9`
    ");
    for (rule, name, value) in [
        ("token-budget-warning", "threshold", "-5"),
        ("context-limit-warning", "threshold", "1"),
        ("iteration-budget-warning", "threshold", "0.96"),
        ("iteration-budget-warning", "maximum", "-1"),
        ("large-result-hint", "threshold", "-1"),
        ("large-result-hint", "characters", "-1"),
        ("repeated-failure-warning", "threshold", "0"),
    ] {
        let ran = story.run(&["rules", "set", rule, name, value]);
        assert!(ran.code == 2 && ran.err.contains("must be a number from "), "{rule}: {}", ran.err);
    }
    insta::assert_snapshot!(story.run(&["rules", "set", "token-budget", "threshold", "1"]).shown(), @r"
    exit 2
    --- findings
    error[E0706]: no rule is named `token-budget`
     = help: `policy-engine rules list` shows the rules
    ");
}

#[test]
fn a_rule_may_bound_its_parameters() {
    let story = Story::new();
    let rule = "[rule]\nid = \"own\"\ntrigger = \"on_turn_start\"\n[rule.parameters]\nmost = 5\nword = \"a\"\n\
                [rule.bounds]\nmost = { min = 1, max = 10 }\n[condition]\nexpression = \"turn_index < parameters.most\"\n\
                [action]\ntype = \"log\"\nmessage = \"{{ parameters.most }}\"\n";
    story.write(".pi/rules/own.toml", rule);
    let says = |story: &Story| {
        decide(story, &json!({"event": "turn_start", "session": "s"}))["actions"][0]["message"].clone()
    };
    must(&story, &["rules", "set", "own", "most", "10"]);
    assert_eq!(says(&story), "10");
    assert_eq!(story.run(&["rules", "set", "own", "most", "11"]).code, 2);
    assert!(
        must(&story, &["rules", "show", "own"])
            .out
            .contains("most = 10 (yours; the rule says 5): from 1 to 10")
    );
    // Narrower bounds: what was set no longer fits.
    story.write(".pi/rules/own.toml", rule.replace("max = 10", "max = 9"));
    assert_eq!(says(&story), "5");
    for (was, is, says) in [
        ("max = 10", "max = 4", "`most` is 5, and its bounds are from 1 to 4"),
        ("most = {", "more = {", "`more` has bounds, and is no parameter of the rule"),
        ("most = { min = 1, max = 10 }", "word = { min = 1 }", "`word` has bounds, and is no number"),
        ("min = 1,", "least = 1,", "a pair of bounds has no key `least`"),
        ("min = 1,", "min = \"a\",", "`min` must be a number, not the text `a`"),
        ("most = { min = 1, max = 10 }", "most = 10", "must be a map"),
    ] {
        story.write(".pi/rules/own.toml", rule.replace(was, is));
        let ran = story.run(&["check", ".pi/rules/own.toml"]);
        assert!(ran.code == 2 && ran.err.contains(says), "{says}: {}", ran.err);
    }
}

#[test]
fn no_event_rule_or_script_sets_a_parameter() {
    let story = Story::new();
    story.write(
        ".pi/rules/sly.toml",
        "[[rule]]\nid = \"sly\"\ntrigger = \"on_turn_start\"\n\
         [rule.parameters]\nlimit = 1\n[rule.condition]\nexpression = \"parameters.limit == 1\"\n\
         [[rule.action]]\ntype = \"set_state\"\nkey = \"parameters.sly.limit\"\nvalue = 2\n\
         [[rule.action]]\ntype = \"set_state\"\nkey = \"settings.limit\"\nvalue = 2\n\
         [[rule.action]]\ntype = \"notify_self\"\nmessage = \"{{ parameters.limit }}\"\n",
    );
    must(&story, &["trust"]);
    assert_eq!((told(&story), told(&story)), (vec!["1".to_owned()], vec!["1".to_owned()]));
    let forged = json!({"event": "turn_start", "session": "s", "parameters": {"sly": {"limit": 7}}});
    assert_eq!(decide(&story, &forged)["actions"].as_array().unwrap().len(), 3);
}

#[test]
fn us5_3_a_core_rule_cannot_be_switched_off() {
    let story = Story::new();
    insta::assert_snapshot!(story.run(&["rules", "disable", "token-budget-warning"]).shown(), @r"
    exit 2
    --- findings
    error[E0234]: `builtin/token-budget-warning` is a core rule: it cannot be switched off
     = help: core rules keep an agent from rewriting its own rules and from running on without a word
    ");
    // Neither does a threshold silence it.
    must(&story, &["rules", "set", "token-budget-warning", "threshold", "0.95"]);
    let event = json!({"event": "turn_start", "session": "s", "usage": {"token_usage": 0.96}});
    assert_eq!(decide(&story, &event)["actions"][0]["rule"], "token-budget-warning");
}

#[test]
fn us6_1_a_plugin_with_a_manifest_is_loaded() {
    let story = hush();
    assert_eq!(states(&story), [("hush".to_owned(), "on".to_owned())]);
    assert_eq!(told(&story), Vec::<String>::new());
    (0..3).for_each(|_| call(&story));
    assert_eq!(told(&story), ["3 calls, calm"]);
}

#[test]
fn us6_2_a_plugin_that_lacks_a_capability_is_skipped_with_a_warning() {
    let story = Story::new();
    story.write(".pi/plugins/hush/plugin.toml", MANIFEST.replace("\"state\"", "\"teleport\", \"luaau\""));
    story.write(".pi/plugins/hush/rules/many.toml", RULE.replace(">=", "> -"));
    must(&story, &["trust"]);
    let ran = story.run(&["plugins", "list"]);
    insta::assert_snapshot!(ran.err, @r#"
    warning[E0276]: `hush` needs `teleport`, which is not there: the plugin is left out
     --> .pi/plugins/hush/plugin.toml:8:30
      |
    8 | requires = ["notifications", "teleport", "luaau"]
      |                              ^^^^^^^^^^
      = help: the capabilities are `luau`, `notifications`, `redaction`, `shell-facts`, `state`, `templates` and `tool:NAME`
    warning[E0276]: `hush` needs `luaau`, which is not there: the plugin is left out
     --> .pi/plugins/hush/plugin.toml:8:42
      |
    8 | requires = ["notifications", "teleport", "luaau"]
      |                                          ^^^^^^^
      = help: did you mean `luau`?
    "#);
    assert_eq!((ran.code, state(&story)), (1, "lacking".to_owned()));
    assert_eq!(told(&story), Vec::<String>::new());
}

#[test]
fn us6_3_settings_are_shown_set_and_bounded() {
    let story = hush();
    call(&story);
    insta::assert_snapshot!(must(&story, &["plugins", "show", "hush"]).shown(), @r#"
    exit 0
    hush 1.2.0: on
      .pi/plugins/hush
      Says when much was called.
      needs notifications, which is there
      needs state, which is there
      limit = 3 (the plugin's own): a whole number from 1 to 9
      mood = "calm" (the plugin's own): one of `calm`, `loud`

     rule        hook         tools   says         place
     hush/many   turn_start   *       acts   low   .pi/plugins/hush/rules/many.toml:1:1
    1 rule
    "#);
    must(&story, &["plugins", "set", "hush", "limit", "1"]);
    must(&story, &["plugins", "set", "hush", "mood", "loud"]);
    assert_eq!(told(&story), ["1 calls, loud"]);
    must(&story, &["plugins", "unset", "hush", "mood"]);
    assert_eq!(told(&story), ["1 calls, calm"]);
    for (name, value, problem) in [
        ("limit", "0", "error[E0271]: `limit` of `hush` must be a whole number from 1 to 9, not `0`\n"),
        ("limit", "2.5", "error[E0271]: `limit` of `hush` must be a whole number from 1 to 9, not `2.5`\n"),
        ("mood", "angry", "error[E0271]: `mood` of `hush` must be one of `calm`, `loud`, not `angry`\n"),
        (
            "limt",
            "2",
            "error[E0270]: the plugin `hush` has no setting `limt`\n = help: did you mean `limit`?\n",
        ),
    ] {
        let ran = story.run(&["plugins", "set", "hush", name, value]);
        assert_eq!((ran.code, ran.err.as_str()), (2, problem));
    }
}

#[test]
fn what_was_set_and_no_longer_fits_is_passed_over() {
    let story = hush();
    must(&story, &["plugins", "set", "hush", "limit", "9"]);
    story.write(".pi/plugins/hush/plugin.toml", MANIFEST.replace("max = 9", "max = 4"));
    must(&story, &["trust"]);
    (0..3).for_each(|_| call(&story));
    assert_eq!(told(&story), ["3 calls, calm"]);
}

#[test]
fn a_plugin_is_switched_off_and_on() {
    let story = hush();
    (0..3).for_each(|_| call(&story));
    must(&story, &["plugins", "disable", "hush"]);
    assert_eq!((state(&story), told(&story)), ("off".to_owned(), Vec::<String>::new()));
    must(&story, &["plugins", "enable", "hush"]);
    assert_eq!(told(&story), ["3 calls, calm"]);
    story.write(
        ".pi/plugins/hush/rules/gate.yaml",
        "- {id: gate, core: true, when: {tool: x}, then: block, message: never}\n",
    );
    story
        .write(".pi/plugins/hush/plugin.toml", MANIFEST.replace("[cap", "[rules]\ninclude = [\"**\"]\n[cap"));
    must(&story, &["trust"]);
    let ran = story.run(&["plugins", "disable", "hush"]);
    assert!(ran.code == 2 && ran.err.contains("holds the core rule `gate`"), "{}", ran.err);
}

#[test]
fn an_untrusted_workspace_brings_no_plugin_that_acts() {
    let story = hush();
    must(&story, &["trust", "--revoke"]);
    assert_eq!(state(&story), "untrusted");
    (0..3).for_each(|_| call(&story));
    let ran = given(&story, &["decide"], "{\"event\":\"turn_start\",\"session\":\"s\"}");
    let says = "the plugin `hush` is not trusted: only its gates hold, without scripts";
    assert!(ran.err.contains(says) && ran.json()["actions"] == json!([]), "{}{}", ran.out, ran.err);
    must(&story, &["trust"]);
    assert_eq!((state(&story), told(&story)), ("on".to_owned(), vec!["3 calls, calm".to_owned()]));
}

#[test]
fn a_broken_manifest_keeps_its_last_good_version_and_takes_no_other_plugin_down() {
    let story = hush();
    let other = MANIFEST.replace("\"hush\"", "\"other\"");
    story.write(".pi/plugins/other/plugin.toml", &other);
    story.write(".pi/plugins/other/rules/many.toml", RULE.replace("calls,", "others,"));
    must(&story, &["trust"]);
    (0..3).for_each(|_| call(&story));
    story.write(".pi/plugins/other/plugin.toml", other.replace("version = ", "version = 5 #"));
    story.write(".pi/plugins/third/plugin.toml", "[plugin]\nid = 7\n");
    must(&story, &["trust"]);
    let expected = [("hush", "on"), ("other", "last_good"), ("third", "broken")];
    assert_eq!(states(&story), expected.map(|(id, state)| (id.to_owned(), state.to_owned())));
    assert_eq!(told(&story), ["3 calls, calm", "3 others, calm"]);
}

#[test]
fn ids_are_the_names_of_folders_and_stand_once() {
    let story = hush();
    for (folder, id, says) in [
        ("one", "../one", "an id is words of `a` to `z` and digits, with `-` between them: `../one`"),
        ("two", "hush", "the id `hush` is not the name of its folder, `two`"),
        ("git", "git", "`git` is the name of a pack that is shipped"),
    ] {
        let path = format!(".pi/plugins/{folder}/plugin.toml");
        story.write(&path, MANIFEST.replace("\"hush\"", &format!("\"{id}\"")));
        must(&story, &["trust"]);
        let ran = story.run(&["plugins", "list"]);
        assert!(ran.err.contains(&format!("error[E0273]: {says}")), "{}", ran.err);
        assert!(states(&story).contains(&("hush".to_owned(), "on".to_owned())));
        story.remove(&path);
    }
    let home = story.home().join(".config/mentci/plugins/hush");
    fs::create_dir_all(home.join("rules")).unwrap();
    fs::write(home.join("plugin.toml"), MANIFEST).unwrap();
    fs::write(home.join("rules/many.toml"), RULE.replace("calls,", "of mine,")).unwrap();
    must(&story, &["trust"]);
    let twice = states(&story).into_iter().filter(|(id, _)| id == "hush").map(|(_, state)| state);
    assert_eq!(twice.collect::<Vec<_>>(), ["on", "twice"]);
    (0..3).for_each(|_| call(&story));
    assert_eq!(told(&story), ["3 of mine, calm"]);
}

#[test]
fn a_plugin_reads_nothing_outside_its_folder() {
    for (include, says) in [
        ("../../rules/*.toml", "error[E0275]: `../../rules/*.toml` leaves the plugin's folder"),
        ("/etc/passwd", "error[E0275]: `/etc/passwd` leaves the plugin's folder"),
        ("rules/[", "error[E0275]: `rules/[` is no path or pattern"),
        ("rules/none.toml", "warning[E0275]: `rules/none.toml` fits no file of rules"),
    ] {
        let story = Story::new();
        let manifest = MANIFEST.replace("[cap", &format!("[rules]\ninclude = [\"{include}\"]\n[cap"));
        story.write(".pi/plugins/hush/plugin.toml", manifest);
        must(&story, &["trust"]);
        let ran = story.run(&["plugins", "list"]);
        assert!(ran.err.contains(says), "{include}: {}", ran.err);
    }
    let story = hush();
    symlink("/etc/passwd", story.root().join(".pi/plugins/hush/rules/passwd.yaml")).unwrap();
    must(&story, &["trust"]);
    let ran = story.run(&["plugins", "list"]);
    assert!(ran.err.contains("this link leaves the plugin's folder and was not followed"), "{}", ran.err);
    assert!(!ran.err.contains("root:") && state(&story) != "on", "{}", ran.err);
}

#[test]
fn a_script_of_a_plugin_lies_in_its_folder() {
    let story = hush();
    let rule = "[rule]\nid = \"asks\"\ntrigger = \"on_turn_start\"\n[script]\nfile = \"../scripts/yes.luau\"\n\
                [action]\ntype = \"notify_self\"\nmessage = \"yes\"\n";
    story.write(".pi/plugins/hush/rules/asks.toml", rule);
    story.write(".pi/plugins/hush/scripts/yes.luau", "return context.plugin.settings.limit == 3\n");
    must(&story, &["trust"]);
    assert_eq!(told(&story), ["yes"]);
    story.write(".pi/plugins/hush/rules/asks.toml", rule.replace("../scripts", "../../../scripts"));
    story.write(".pi/scripts/yes.luau", "return true\n");
    must(&story, &["trust"]);
    let ran = story.run(&["plugins", "list"]);
    assert!(ran.err.contains("there is no script `../../../scripts/yes.luau`"), "{}", ran.err);
}

#[test]
fn a_setting_that_the_manifest_does_not_state_is_told() {
    let story = hush();
    story.write(".pi/plugins/hush/rules/many.toml", RULE.replace("settings.limit'", "settings.limits'"));
    let ran = story.run(&["check", ".pi/plugins/hush"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("did you mean `limit`?"), "{}", ran.err);
}

#[test]
fn what_is_made_passes_its_own_tests() {
    let story = Story::new();
    insta::assert_snapshot!(must(&story, &["plugins", "new", "mine"]).shown(), @r"
    exit 0
    .pi/plugins/mine is written
    next: policy-engine test .pi/plugins/mine
    read it, then run `policy-engine trust`: until then only its gates hold
    ");
    must(&story, &["check", ".pi/plugins/mine"]);
    assert_eq!(must(&story, &["test", ".pi/plugins/mine"]).out, "2 passed, 0 failed\n");
    assert_eq!(must(&story, &["test", ".pi/plugins"]).out, "2 passed, 0 failed\n");
    for id in ["mine", "../up", "core", ""] {
        assert_eq!(story.run(&["plugins", "new", id]).code, 2, "{id}");
    }
}

#[test]
fn what_is_installed_was_read_whole() {
    let story = Story::new();
    let source = story.home().join("src/anything");
    fs::create_dir_all(source.join("rules")).unwrap();
    fs::write(source.join("plugin.toml"), MANIFEST).unwrap();
    fs::write(source.join("rules/many.toml"), "[rule]\nid = 5\n").unwrap();
    let path = source.to_string_lossy().into_owned();
    let ran = story.run(&["plugins", "install", &path]);
    assert!(ran.code == 2 && ran.err.contains("error[E0277]: `hush` was not installed"), "{}", ran.err);
    assert!(!story.exists(".pi/plugins/hush"));
    fs::write(source.join("rules/many.toml"), RULE).unwrap();
    symlink(story.home(), source.join("out")).unwrap();
    assert_eq!(story.run(&["plugins", "install", &path]).code, 2);
    fs::remove_file(source.join("out")).unwrap();
    // A link within it leads to a file.
    symlink("rules", source.join("alias")).unwrap();
    let ran = story.run(&["plugins", "install", &path]);
    assert!(ran.err.contains("this link leads to a folder and was not followed"), "{}", ran.err);
    fs::remove_file(source.join("alias")).unwrap();
    // Nothing is left of what fails, and nothing is put where a link stands, wherever it leads.
    story.write(".pi/plugins/other/keep", "");
    for target in ["nowhere", "other"] {
        symlink(target, story.root().join(".pi/plugins/hush")).unwrap();
        let ran = story.run(&["plugins", "install", &path]);
        assert!(ran.code == 2 && ran.err.contains("`hush` is there already"), "{}", ran.err);
        fs::remove_file(story.root().join(".pi/plugins/hush")).unwrap();
    }
    // What an earlier try left is taken away, and nothing that a link in its place leads to.
    symlink("other", story.root().join(".pi/plugins/.new-hush")).unwrap();
    must(&story, &["plugins", "install", &path]);
    assert!(story.exists(".pi/plugins/other/keep") && story.exists(".pi/plugins/hush/plugin.toml"));
    assert!(!story.exists(".pi/plugins/.new-hush"));
    fs::remove_dir_all(story.root().join(".pi/plugins")).unwrap();
    must(&story, &["plugins", "install", &path, "--user"]);
    assert_eq!(states(&story), [("hush".to_owned(), "on".to_owned())]);
    let again = story.run(&["plugins", "install", &path]);
    assert!(again.code == 2 && again.err.contains("`hush` is there already"), "{}", again.err);
    assert_eq!(story.run(&["plugins", "install", "nowhere"]).code, 2);
    let unknown = story.run(&["plugins", "show", "hash"]);
    insta::assert_snapshot!(unknown.shown(), @r"
    exit 2
    --- findings
    error[E0706]: no plugin is called `hash`
     = help: did you mean `hush`?
    ");
}

#[test]
fn what_a_plugin_keeps_lasts_and_is_its_own() {
    let story = Story::new();
    let keeps = |id: &str| {
        format!(
            "[rule]\nid = \"{id}\"\ntrigger = \"on_turn_start\"\n\
             [condition]\nexpression = \"true\"\n[[action]]\ntype = \"notify_self\"\n\
             message = \"{id} {{{{ state.count or 0 }}}}\"\n[[action]]\ntype = \"set_state\"\nkey = \"count\"\n\
             expr = \"state.get('count', 0) + 1\"\n"
        )
    };
    for id in ["one", "two"] {
        let manifest = format!("[plugin]\nid = \"{id}\"\nname = \"{id}\"\nversion = \"1.0.0\"\n");
        story.write(&format!(".pi/plugins/{id}/plugin.toml"), manifest);
        story.write(&format!(".pi/plugins/{id}/rules/{id}.toml"), keeps(id));
    }
    must(&story, &["trust"]);
    assert_eq!(told(&story), ["one 0", "two 0"]);
    must(&story, &["plugins", "disable", "two"]);
    assert_eq!(told(&story), ["one 1"]);
    must(&story, &["plugins", "enable", "two"]);
    assert_eq!(told(&story), ["one 2", "two 1"]);
}
