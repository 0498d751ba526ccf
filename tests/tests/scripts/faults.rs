//! Scripts that fail, run too long, reach too far or do not read.

use mentci_tests::Scratch;
use serde_json::json;

use super::{asking, call, done, fault, outcome};

#[test]
fn what_is_too_large_is_not_kept_and_the_other_rules_run() {
    let keeps = "[[rule]]\nid = \"keeps\"\ntrigger = \"on_tool_complete\"\n\
                 action = {type = \"set_state\", key = \"last\", expr = \"result.result\"}\n\
                 [[rule]]\nid = \"tells\"\ntrigger = \"on_tool_complete\"\n\
                 action = {type = \"notify_self\", message = \"kept: {{ state.has('last') }}\"}\n";
    let scratch = Scratch::new(&[(".pi/rules/keeps.toml", keeps)]);
    let ended = |text: &str| json!({"event": "post_tool_response", "session": "s", "tool": {"name": "exec", "args": {}, "call_id": "c"}, "result": {"value": text}});
    let large = outcome(&scratch, &ended(&"x".repeat(2 << 20)));
    assert_eq!(
        fault(&large),
        "the value of `last` has 2097152 bytes: a value of the state has at most 1 MiB"
    );
    assert_eq!(done(&large), ["notify kept: False"]);
    scratch.must(&["trust"]);
    let decided = |text: &str| {
        scratch.write("event.json", &ended(text).to_string());
        done(&scratch.json(&["decide", "event.json"]))
    };
    assert_eq!(
        [decided("small"), decided("small")].map(|done| done[1].clone()),
        ["notify kept: False", "notify kept: True"]
    );
}

#[test]
fn a_script_stays_below_the_rules_of_the_workspace() {
    let named = "[rule]\nid = \"x\"\ntrigger = \"on_turn_start\"\n[script]\nfile = \"../../x.luau\"\n";
    let scratch = Scratch::new(&[(".pi/rules/a.toml", named), ("x.luau", "notify('x')")]);
    scratch.must(&["trust"]);
    for args in [&["check", ".pi/rules"][..], &["check"]] {
        let said = String::from_utf8_lossy(&scratch.run(args).stderr).into_owned();
        assert!(said.contains("the script `../../x.luau` leaves `.pi/rules/`"), "{args:?}: {said}");
    }
}

#[test]
fn a_script_that_a_link_leads_out_of_the_workspace_to_is_not_read() {
    let elsewhere = Scratch::new(&[("x.luau", "notify('x')")]);
    let named = "[rule]\nid = \"x\"\ntrigger = \"on_turn_start\"\n[script]\nfile = \"x.luau\"\n";
    let scratch = Scratch::new(&[(".pi/rules/a.toml", named)]);
    std::os::unix::fs::symlink(elsewhere.path("x.luau"), scratch.path(".pi/rules/x.luau")).unwrap();
    scratch.must(&["trust"]);
    let said = String::from_utf8_lossy(&scratch.run(&["check"]).stderr).into_owned();
    assert!(said.contains("there is no script `x.luau`"), "{said}");
    assert!(said.contains("no link is followed out of the workspace"), "{said}");
}

#[test]
fn what_a_script_asks_for_wrongly_is_told_at_its_line() {
    let scratch = Scratch::new(&[]);
    let mut said = String::new();
    for script in [
        "\nnotify{message = 'x', colour = 'red'}",
        "\nnotify{message = 'x', priority = 'urgent'}",
        "\n\nreturn {type = 'launch'}",
        "local t = {type = 'log', message = 'x'}\nt.f = print or math.abs\nreturn t",
        "local t = {}\nfor i = 1, 3 do t[i] = string.rep('x', 1e9) end",
    ] {
        scratch.write("x.luau", script);
        said += &String::from_utf8_lossy(&scratch.run(&["script", "run", "x.luau"]).stderr);
    }
    insta::assert_snapshot!(said, @r"
    error[E0237]: an action that a script asks for has no `colour`: it has `message`, `category`, `priority`, `deliver_at`
     --> x.luau:2:1
    error[E0237]: `urgent` is no priority
     --> x.luau:2:1
    error[E0237]: a script asked for an action `launch`: it may ask for `notify_self`, `log`, `set_state` and `emit_event`
     --> x.luau:3:1
    error[E0237]: a function is no data
     --> x.luau:3:1
    error[E0237]: wanted more than 32768 KiB of memory
     --> x.luau:2:1
    ");
}

#[test]
fn us4_3_a_script_that_runs_too_long_is_stopped_and_the_other_rules_run() {
    let scratch = asking("trigger = \"on_turn_start\"", "while true do end");
    scratch.write(
        ".pi/rules/r.toml",
        "[rule]\nid = \"r\"\ntrigger = \"on_turn_start\"\n[script]\nfile = \"s.luau\"\ntimeout = 0.05\n",
    );
    scratch.write(
        ".pi/rules/other.toml",
        "[rule]\nid = \"other\"\ntrigger = \"on_turn_start\"\n[action]\ntype = \"notify_self\"\nmessage = \"hi\"\n",
    );
    let outcome = outcome(&scratch, &json!({"event": "turn_start", "session": "s"}));
    assert_eq!(fault(&outcome), "s.luau:1: stopped after 50 ms");
    assert_eq!(done(&outcome), ["notify hi"]);
}

/// Each script, and what is said of it when a gate asks it: the gate closes.
const FAULTY: &[(&str, &str)] = &[
    ("return {1, 2}", "s.luau:"),
    ("error('no')", "s.luau:1: no"),
    ("local t = {}\nt.t = t\nreturn t", "s.luau:3: a table contains itself"),
    ("return {type = 'exec', command = 'ls'}", "a script asked for an action `exec`: it may ask for"),
    ("return {{message = 'x'}}", "needs a `type`"),
    ("notify{message = 'x', prio = 'high'}", "has no `prio`"),
    ("notify{message = 'x', priority = 'highest'}\nreturn true", "`highest` is no priority"),
    ("set_state('x', string.rep('x', 1e8))", "memory"),
    ("local s = 'x'\nwhile true do s = s .. s end", "memory"),
    ("local function f() return f() + 1 end\nreturn f()", "stack overflow"),
];

#[test]
fn a_gate_whose_script_gives_no_answer_closes() {
    let scratch = asking("trigger = \"on_tool_call\"\neffect = \"block\"\ntool = \"exec\"", "");
    for (script, said) in FAULTY {
        scratch.write(".pi/rules/s.luau", script);
        let outcome = outcome(&scratch, &call("ls"));
        let fault = fault(&outcome);
        assert!(outcome["decision"] == "block" && fault.contains(said), "{script}\n{outcome}");
    }
}

#[test]
fn a_script_that_does_not_read_breaks_its_own_file_and_says_where() {
    let scratch =
        asking("trigger = \"on_tool_call\"\neffect = \"block\"\ntool = \"exec\"", "local x =\nreturn x");
    let said = |scratch: &Scratch| {
        let output = scratch.run(&["check", ".pi/rules"]);
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    insta::assert_snapshot!(said(&scratch).1, @r"
    error[E0236]: expected identifier when parsing expression, got 'return'
     --> .pi/rules/s.luau:2:1
     = help: mend the script there; `Library/specs/scripts.md` says what a script can do
    ");
    scratch.write(
        ".pi/rules/r.toml",
        "[rule]\nid = \"r\"\ntrigger = \"on_turn_start\"\n[script]\nfile = \"t.luau\"\n",
    );
    insta::assert_snapshot!(said(&scratch).1, @r#"
    error[E0236]: there is no script `t.luau`
     --> .pi/rules/r.toml:5:9
      |
    5 | file = "t.luau"
      |         ^
      = help: it is looked for at `.pi/rules/t.luau`, beside the file that names it; no link is followed out of the workspace
    "#);
    scratch.write(
        ".pi/rules/r.toml",
        "[rule]\nid = \"r\"\ntrigger = \"on_turn_start\"\n[script]\nfile = \"../../../t.luau\"\n",
    );
    insta::assert_snapshot!(said(&scratch).1, @r#"
    error[E0236]: the script `../../../t.luau` leaves the workspace
     --> .pi/rules/r.toml:5:9
      |
    5 | file = "../../../t.luau"
      |         ^
      = help: scripts stand beside the file that names them, or below
    "#);
    assert_eq!(said(&scratch).0, Some(2));
}

#[test]
fn the_last_good_script_stays_in_force_with_its_rule() {
    let gate = "trigger = \"on_tool_call\"\neffect = \"block\"\ntool = \"exec\"";
    let scratch = asking(gate, "return string.find(event.tool.args.command, 'rm') ~= nil");
    scratch.must(&["trust"]);
    scratch.write("event.json", &call("rm x").to_string());
    assert_eq!(scratch.run(&["decide", "event.json"]).status.code(), Some(1));
    scratch.write(".pi/rules/s.luau", "return (");
    scratch.must(&["trust"]);
    let output = scratch.run(&["decide", "event.json"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains("\"rules\":[\"r\"]"), "{output:?}");
    scratch.write("event.json", &call("ls").to_string());
    assert_eq!(scratch.run(&["decide", "event.json"]).status.code(), Some(0));
}

#[test]
fn rules_in_force_reach_no_script_beyond_their_folders() {
    let scratch = asking("trigger = \"on_tool_call\"\neffect = \"block\"\ntool = \"exec\"", "return false");
    scratch.write(
        ".pi/rules/r.toml",
        "[rule]\nid = \"r\"\ntrigger = \"on_tool_call\"\neffect = \"block\"\ntool = \"exec\"\n[script]\nfile = \"../../s.luau\"\n",
    );
    scratch.write("s.luau", "return false");
    scratch.write("event.json", &call("make").to_string());
    scratch.must(&["trust"]);
    let output = scratch.run(&["decide", "event.json"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("the script `../../s.luau` leaves `.pi/rules/`"),
        "{output:?}"
    );
}

#[test]
fn a_script_that_catches_its_end_and_goes_on_is_stopped_all_the_same() {
    let scratch = asking("trigger = \"on_turn_start\"", "");
    scratch.write(
        ".pi/rules/r.toml",
        "[rule]\nid = \"r\"\ntrigger = \"on_turn_start\"\n[script]\nfile = \"s.luau\"\ntimeout = 0.05\n",
    );
    for script in [
        "local function f() pcall(f) f() end f()",
        "local function f() pcall(f) pcall(f) end f()",
        "local function f() xpcall(f, function() end) f() end f()",
        "local t = setmetatable({}, {})\ngetmetatable(t).__index = function(t, k) pcall(function() return t[k] end) return t[k] \
         end\nreturn t.x",
    ] {
        scratch.write(".pi/rules/s.luau", script);
        let outcome = outcome(&scratch, &json!({"event": "turn_start", "session": "s"}));
        assert!(fault(&outcome).contains("stopped after 50 ms"), "{script}: {outcome}");
    }
}
