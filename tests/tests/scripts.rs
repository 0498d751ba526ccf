//! Rules that ask Luau scripts, rules that hear what others emit, and what rules say, from the command line.

use mentci_tests::Scratch;
use serde_json::{Value, json};

/// A workspace with one rule at a hook that asks `s.luau`.
fn asking(rule: &str, script: &str) -> Scratch {
    let scratch = Scratch::new(&[(".pi/rules/s.luau", script)]);
    scratch.write(".pi/rules/r.toml", &format!("[rule]\nid = \"r\"\n{rule}\n[script]\nfile = \"s.luau\"\n"));
    scratch
}

/// The outcome of one event by the rules of `.pi/rules`.
fn outcome(scratch: &Scratch, event: &Value) -> Value {
    scratch.write("event.json", &event.to_string());
    let output = scratch.run(&["decide", "--rules", ".pi/rules", "event.json"]);
    let text = String::from_utf8_lossy(&output.stdout);
    let said = String::from_utf8_lossy(&output.stderr);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}{said}"))
}

fn call(command: &str) -> Value {
    json!({"event": "pre_tool_call", "session": "s", "tool": {"name": "exec", "args": {"command": command}}})
}

/// Each action as its type and what it says.
fn done(outcome: &Value) -> Vec<String> {
    let said = |action: &Value| {
        let words = ["message", "key", "event"].into_iter().find_map(|key| action[key].as_str());
        format!("{} {}", action["type"].as_str().unwrap_or_default(), words.unwrap_or_default())
    };
    outcome["actions"].as_array().into_iter().flatten().map(said).collect()
}

fn fault(outcome: &Value) -> &str {
    outcome["faults"][0]["message"].as_str().unwrap_or_default()
}

#[test]
fn us3_1_a_condition_reads_the_share_of_tokens() {
    let scratch = asking("trigger = \"on_turn_start\"", "return context.turn.token_usage > 0.8");
    scratch.write(
        ".pi/rules/r.toml",
        "[rule]\nid = \"r\"\ntrigger = \"on_turn_start\"\n[script]\nfile = \"s.luau\"\n[action]\ntype = \
         \"notify_self\"\nmessage = \"at {{ (context.turn.token_usage * 100) | int }}%\"\n",
    );
    let at = |usage: f64| json!({"event": "turn_start", "session": "s", "usage": {"token_usage": usage}});
    assert_eq!(done(&outcome(&scratch, &at(0.85))), ["notify at 85%"]);
    assert_eq!(done(&outcome(&scratch, &at(0.5))), [""; 0]);
}

#[test]
fn us3_2_a_script_reads_the_recent_calls_with_names_and_results() {
    let script = "for _, call in context.history.tools do\n  if call.name == 'search' and call.result == 'nothing' \
                  then notify(call.name .. ' found nothing') end\nend";
    let scratch = asking("trigger = \"on_turn_start\"", script);
    scratch.write(
        "events.jsonl",
        concat!(
            r#"{"event":"pre_tool_call","session":"s","tool":{"name":"search","args":{},"call_id":"1"}}"#,
            "\n",
            r#"{"event":"post_tool_response","session":"s","tool":{"name":"search","call_id":"1"},"result":{"value":"nothing"}}"#,
            "\n",
            r#"{"event":"turn_start","session":"s"}"#,
            "\n"
        ),
    );
    let lines = scratch.must(&["replay", "--rules", ".pi/rules", "events.jsonl"]);
    let last: Value = serde_json::from_str(lines.lines().last().unwrap_or_default()).unwrap();
    assert_eq!(done(&last), ["notify search found nothing"]);
}

#[test]
fn us3_3_state_survives_turns_sessions_and_processes() {
    let scratch = asking(
        "trigger = \"on_turn_start\"",
        "local seen = context.state.get('seen', 0) + 1\nset_state('seen', seen)\nnotify('turn ' .. seen)",
    );
    scratch.must(&["trust"]);
    let turn = |session: &str| {
        let event = json!({"event": "turn_start", "session": session});
        scratch.write("event.json", &event.to_string());
        let line = scratch.must(&["decide", "event.json"]);
        done(&serde_json::from_str(&line).unwrap()).pop().unwrap_or_default()
    };
    assert_eq!([turn("a"), turn("a"), turn("b")], ["notify turn 1", "notify turn 2", "notify turn 3"]);
}

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
fn a_message_names_what_conditions_name_and_what_is_not_known_is_empty() {
    let tells = "[rule]\nid = \"tells\"\ntrigger = \"on_turn_start\"\n[action]\ntype = \"notify_self\"\n\
                 message = \"{{ turn_index }} {{ history_length }} [{{ context.turn.token_usage }}]\"\n";
    let scratch = Scratch::new(&[(".pi/rules/tells.toml", tells)]);
    let told = outcome(&scratch, &json!({"event": "turn_start", "session": "s", "turn": 3}));
    assert_eq!(done(&told), ["notify 3 0 []"]);
}

#[test]
fn a_file_of_comments_has_no_rules_and_an_unfinished_rule_closes_nothing() {
    for (file, text, code) in [
        ("a.toml", "# nothing yet\n", 0),
        ("a.yaml", "# nothing yet\n", 0),
        ("a.toml", "rule = []\n", 0),
        ("a.toml", "[rule]\nid = \"x\"\ntrigger = \"on_tool_call\"\n[condition]\nexpression = \"true\"\n", 2),
    ] {
        let path = format!(".pi/rules/{file}");
        let scratch = Scratch::new(&[(&path, text), ("event.json", &call("ls").to_string())]);
        assert_eq!(scratch.run(&["check", ".pi/rules"]).status.code(), Some(code), "{text}");
        assert_eq!(scratch.json(&["decide", "event.json"])["decision"], "allow", "{text}");
    }
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
fn a_rule_that_is_left_out_says_what_is_not_trusted() {
    let scratch = asking("trigger = \"on_turn_start\"", "notify('x')");
    let said = String::from_utf8_lossy(&scratch.run(&["rules", "test", "r"]).stderr).into_owned();
    assert!(
        said.contains("is not trusted, and its rules that need it are left out: `policy-engine trust`"),
        "{said}"
    );
}

#[test]
fn us4_1_the_script_is_run_with_the_whole_context() {
    let script = "local there = {}\nfor _, name in {'turn', 'history', 'user', 'project', 'state', 'event', 'result', \
                  'parameters', 'plugin'} do\n  if context[name] ~= nil then table.insert(there, name) end\nend\n\
                  notify(table.concat(there, ' '))";
    let scratch = asking("trigger = \"on_tool_complete\"", script);
    let event = json!({"event": "on_tool_complete", "session": "s", "tool": {"name": "exec", "args": {}},
        "result": {"value": "done"}});
    let all = "notify turn history user project state event result parameters plugin";
    assert_eq!(done(&outcome(&scratch, &event)), [all]);
}

#[test]
fn us4_2_every_action_of_a_script_is_done_in_order() {
    let script = "notify{message = 'one', priority = 'high'}\nlog('warn', 'two')\nset_state('three', 3)\n\
                  emit('four', {n = 4})\nreturn {{type = 'notify_self', message = 'five'}}";
    let scratch = asking("trigger = \"on_turn_start\"", script);
    let outcome = outcome(&scratch, &json!({"event": "turn_start", "session": "s"}));
    assert_eq!(done(&outcome), ["notify one", "log two", "set three", "emit four", "notify five"]);
    assert_eq!(outcome["actions"][0]["priority"], "high");
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
fn an_untrusted_workspace_runs_no_script_and_its_gates_close() {
    let scratch = asking("trigger = \"on_tool_call\"\neffect = \"block\"\ntool = \"exec\"", "return false");
    scratch.write(
        ".pi/rules/acts.toml",
        "[rule]\nid = \"acts\"\ntrigger = \"on_tool_call\"\n[script]\nfile = \"s.luau\"\n[action]\ntype = \"log\"\nmessage = \"x\"\n",
    );
    scratch.write("event.json", &call("ls").to_string());
    let output = scratch.run(&["decide", "event.json"]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr);
    for told in [
        "`r` asks a script, and its file is not trusted as it stands: it closes",
        "`acts` asks a script, and its file is not trusted as it stands: it is left out",
    ] {
        assert!(said.contains(told), "{said}");
    }
}

#[test]
fn what_a_script_says_is_never_rendered() {
    let scratch = asking("trigger = \"on_turn_start\"", "notify('{{ 7 * 7 }}{% for x in range(9) %}')");
    let outcome = outcome(&scratch, &json!({"event": "turn_start", "session": "s"}));
    assert_eq!(done(&outcome), ["notify {{ 7 * 7 }}{% for x in range(9) %}"]);
}

/// Rules that emit and hear: id, trigger, and the event that each emits.
fn emitting(rules: &[(&str, &str, &str)]) -> Scratch {
    let scratch = Scratch::new(&[]);
    for (id, trigger, event) in rules {
        let action = if event.is_empty() {
            "type = \"log\"\nmessage = \"heard {{ event.type }} {{ event.payload.n }} of {{ event.source }}\""
                .to_owned()
        } else {
            format!(
                "type = \"emit_event\"\nevent = \"{event}\"\npayload = {{ n = \"{{{{ turn.number }}}}\" }}"
            )
        };
        let text = format!("[rule]\nid = \"{id}\"\ntrigger = \"{trigger}\"\n[action]\n{action}\n");
        scratch.write(&format!(".pi/rules/{id}.toml"), &text);
    }
    scratch
}

#[test]
fn a_rule_hears_what_another_emits() {
    let scratch = emitting(&[
        ("a", "on_turn_start", "budget.low"),
        ("b", "event:budget.low", ""),
        ("c", "event:budget.high", ""),
        ("d", "on_event", ""),
    ]);
    let outcome = outcome(&scratch, &json!({"event": "turn_start", "session": "s", "turn": 3}));
    let heard = "log heard budget.low 3 of a";
    assert_eq!(done(&outcome), ["emit budget.low", heard, heard]);
}

#[test]
fn events_that_cause_each_other_end() {
    let scratch = emitting(&[
        ("a", "on_turn_start", "x"),
        ("b", "event:x", "y"),
        ("c", "event:y", "x"),
        ("itself", "event:x", "x"),
    ]);
    let outcome = outcome(&scratch, &json!({"event": "turn_start", "session": "s"}));
    assert_eq!(done(&outcome).len(), 7, "{outcome}");
    assert_eq!(outcome["faults"], json!([]));
}

#[test]
fn what_is_emitted_too_deep_is_dropped_and_said() {
    let chain: Vec<(String, String, String)> =
        (0..7).map(|at| (format!("r{at}"), format!("event:e{at}"), format!("e{}", at + 1))).collect();
    let mut rules = vec![("start", "on_turn_start", "e0")];
    rules.extend(chain.iter().map(|(id, on, emits)| (id.as_str(), on.as_str(), emits.as_str())));
    let outcome = outcome(&emitting(&rules), &json!({"event": "turn_start", "session": "s"}));
    assert_eq!(done(&outcome), ["emit e0", "emit e1", "emit e2", "emit e3", "emit e4"]);
    assert_eq!(fault(&outcome), "the event `e4` is dropped: events are emitted about events, 4 deep");
    assert_eq!(outcome["faults"][0]["at"], ".pi/rules/r3.toml:1:1");
}

#[test]
fn a_listener_warns_in_the_answer_to_what_it_heard_of() {
    let scratch = emitting(&[("a", "on_turn_start", "budget.low")]);
    let warns =
        "[rule]\nid = \"warns\"\ntrigger = \"event:budget.low\"\neffect = \"warn\"\nmessage = \"careful\"\n";
    scratch.write(".pi/rules/warns.toml", warns);
    let outcome = outcome(&scratch, &json!({"event": "turn_start", "session": "s"}));
    assert_eq!((&outcome["decision"], &outcome["rules"]), (&json!("warn"), &json!(["warns"])), "{outcome}");
    assert_eq!(outcome["reasons"][0]["message"], "careful");
}

#[test]
fn a_listener_names_one_event_those_that_begin_so_or_any() {
    let scratch = emitting(&[
        ("a", "on_turn_start", "budget.low"),
        ("any", "event:*", ""),
        ("begins", "event:budget.*", ""),
        ("other", "event:turn.*", ""),
        ("marks", "event:budget.l?w", ""),
    ]);
    let outcome = outcome(&scratch, &json!({"event": "turn_start", "session": "s"}));
    assert_eq!(done(&outcome).len(), 3, "{outcome}");
}

#[test]
fn a_listener_whose_event_no_rule_emits_is_named() {
    let scratch = emitting(&[
        ("a", "on_turn_start", "budget.low"),
        ("heard", "event:budget.low", ""),
        ("typo", "event:budget.lwo", ""),
        ("far", "event:weather", ""),
        ("some", "event:budget.*", ""),
        ("neither", "event:wind.*", ""),
        ("none", "event:", ""),
    ]);
    let said = String::from_utf8_lossy(&scratch.run(&["check", ".pi/rules"]).stderr).into_owned();
    insta::assert_snapshot!(said, @r#"
    error[E0222]: `trigger` cannot be the text `event:`: there is no such hook
     --> .pi/rules/none.toml:3:11
      |
    3 | trigger = "event:"
      |           ^^^^^^^^
      = help: `event:NAME` is an event that rules emit, `on_event` all of them
    warning[E0258]: `far` waits for `weather`, and no rule emits that
     --> .pi/rules/far.toml:1:1
      |
    1 | [rule]
      | ^
      = help: a rule does by `emit_event`
    warning[E0258]: `neither` waits for `wind.*`, and no rule emits that
     --> .pi/rules/neither.toml:1:1
      |
    1 | [rule]
      | ^
      = help: a rule does by `emit_event`
    warning[E0258]: `typo` waits for `budget.lwo`, and no rule emits that
     --> .pi/rules/typo.toml:1:1
      |
    1 | [rule]
      | ^
      = help: did you mean `budget.low`?
    "#);
}

#[test]
fn a_condition_reads_at_which_hook_an_event_was_raised() {
    let scratch = emitting(&[("a", "on_turn_start", "x")]);
    let text = "[rule]\nid = \"b\"\ntrigger = \"event:x\"\n[condition]\nexpression = \"event.hook == 'turn_start' and float(event.payload.n) \
                > 2\"\n[action]\ntype = \"log\"\nmessage = \"at {{ event.hook }}\"\n";
    scratch.write(".pi/rules/b.toml", text);
    let outcome = outcome(&scratch, &json!({"event": "turn_start", "session": "s", "turn": 3}));
    assert_eq!(done(&outcome), ["emit x", "log at turn_start"], "{outcome}");
}

#[test]
fn trying_a_rule_says_why_and_changes_nothing() {
    let scratch = Scratch::new(&[(
        ".pi/rules/w.toml",
        "[rule]\nid = \"late\"\ntrigger = \"on_tool_call\"\ntool = \"exec\"\neffect = \"block\"\nonce = true\n[condition]\n\
         expression = \"turn_index > 3 and len(arg('command')) > 2 or count_calls('exec') >= 1\"\n",
    )]);
    scratch.write(
        "event.json",
        &json!({"event": "pre_tool_call", "turn": 5, "tool": {"name": "exec",
        "args": {"command": "ls"}}})
        .to_string(),
    );
    let tried = |args: &[&str]| {
        let text = scratch.must(&[&["rules", "test", "late"], args].concat());
        // How long it took is no matter of the test.
        text.lines().filter(|line| !line.ends_with(" ms")).collect::<Vec<_>>().join("\n")
    };
    insta::assert_snapshot!(tried(&[]), @r#"
    w/late  does not fire
      .pi/rules/w.toml:1:1
      tried on pre_tool_call of exec

    its condition
      any of  false
        all of  false
          turn_index > 3  false
            turn_index  1
        count_calls("exec") >= 1  false
          count_calls("exec")  0
    "#);
    insta::assert_snapshot!(tried(&["--event", "event.json"]), @r#"
    w/late  does not fire
      .pi/rules/w.toml:1:1
      tried on pre_tool_call of exec

    its condition
      any of  false
        all of  false
          turn_index > 3  true
            turn_index  5
          len(arg("command")) > 2  false
            len(arg("command"))  2
              arg("command")  "ls"
        count_calls("exec") >= 1  false
          count_calls("exec")  0
    "#);
    assert_eq!(tried(&["--event", "event.json"]), tried(&["--event", "event.json"]));
}

#[test]
fn a_rule_is_tried_in_a_session_that_was() {
    let scratch = Scratch::new(&[(
        ".pi/rules/w.toml",
        "[rule]\nid = \"again\"\ntrigger = \"on_tool_call\"\ntool = \"exec\"\neffect = \"warn\"\n[condition]\n\
         expression = \"count_calls('exec') >= 1 and arg('command') == 'ls'\"\n",
    )]);
    let done = json!({"event": "post_tool_response", "session": "s", "tool": {"name": "exec", "args": {"command": "ls"}},
        "result": {"value": "x"}});
    for event in [call("ls"), done] {
        scratch.write("event.json", &event.to_string());
        scratch.must(&["decide", "event.json"]);
    }
    assert_eq!(scratch.json(&["rules", "test", "again"])["fires"], false);
    // The session's call was the first of its kind; the next one is not.
    assert_eq!(scratch.json(&["rules", "test", "again", "--from-session", "s"])["fires"], false);
    scratch.write("event.json", &call("ls").to_string());
    scratch.run(&["decide", "event.json"]);
    assert_eq!(scratch.json(&["rules", "test", "again", "--from-session", "s"])["fires"], true);
}

#[test]
fn a_script_is_run_by_hand() {
    let scratch = Scratch::new(&[("s.luau", "log('seen')\nreturn turn.number > 1")]);
    scratch.write("event.json", r#"{"event": "turn_start", "turn": 2}"#);
    let answer = scratch.json(&["script", "run", "s.luau", "--event", "event.json"]);
    assert_eq!(answer["outcome"], "match");
    assert_eq!(answer["asked"], json!([{"type": "log", "level": "info", "message": "seen"}]));
    let output = scratch.run(&["script", "run", "nowhere.luau"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn what_rules_log_is_printed_from_a_level_on() {
    let scratch =
        asking("trigger = \"on_turn_start\"", "log('info', 'quiet')\nlog('warn', 'loud\\27[31m')\nemit('x')");
    scratch.write(
        ".pi/rules/faulty.toml",
        "[rule]\nid = \"faulty\"\ntrigger = \"event:x\"\n[script]\nfile = \"raises.luau\"\n",
    );
    scratch.write(".pi/rules/raises.luau", "error('broken')");
    scratch.must(&["trust"]);
    scratch.write("event.json", r#"{"event": "turn_start", "session": "s"}"#);
    let printed = |level: &[&str]| {
        let output = scratch.run(&[&["decide", "event.json"], level].concat());
        assert_eq!(output.status.code(), Some(0));
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        // Each line starts with its time.
        let told = text.lines().filter_map(|line| Some(line.split_once("Z ")?.1.trim().to_owned()));
        told.collect::<Vec<_>>()
    };
    let (loud, fault) = ("WARN rule: loud\u{fffd}[31m rule=\"r\"", "ERROR rule: raises.luau:1: broken");
    let warned = printed(&[]);
    assert_eq!(warned[0], loud);
    assert!(warned[1].starts_with(fault), "{warned:?}");
    assert_eq!(printed(&["--config", "log.level=off"]), [""; 0]);
    assert_eq!(printed(&["--config", "log.level=info"])[0], "INFO rule: quiet rule=\"r\"");
}

#[test]
fn a_template_that_does_not_read_breaks_its_own_file() {
    let rule = |message: &str| {
        format!(
            "[rule]\nid = \"r\"\ntrigger = \"on_turn_start\"\n[action]\ntype = \"notify_self\"\nmessage = \"{message}\"\n"
        )
    };
    let scratch = Scratch::new(&[("r.toml", &rule("{{ turn.number "))]);
    let output = scratch.run(&["check", "r.toml"]);
    assert_eq!(output.status.code(), Some(2));
    insta::assert_snapshot!(String::from_utf8_lossy(&output.stderr), @r#"
    error[E0238]: syntax error: unexpected end of input, expected end of variable block (line 1)
     --> r.toml:6:12
      |
    6 | message = "{{ turn.number "
      |            ^
      = help: close each part of it, as in `{{ event.tool.name }}` and `{% if … %}…{% endif %}`
    "#);
    scratch.write(
        "r.toml",
        &rule("{% for x in range(9999) %}{% for y in range(9999) %}{{ x }}{% endfor %}{% endfor %}"),
    );
    scratch.write("event.json", r#"{"event": "turn_start", "session": "s"}"#);
    let line = scratch.must(&["decide", "--rules", "r.toml", "event.json"]);
    let outcome: Value = serde_json::from_str(&line).unwrap();
    assert!(fault(&outcome).contains("fuel"), "{outcome}");
}

#[test]
fn what_the_user_trusts_holds_the_scripts_too() {
    let gate = "trigger = \"on_tool_call\"\neffect = \"block\"\ntool = \"exec\"";
    let scratch = asking(gate, "return true");
    scratch.write("event.json", &call("ls").to_string());
    scratch.must(&["trust"]);
    assert_eq!(scratch.run(&["decide", "event.json"]).status.code(), Some(1));
    scratch.write(".pi/rules/s.luau", "notify('I was never trusted')\nreturn true");
    let output = scratch.run(&["decide", "event.json"]);
    assert!(!String::from_utf8_lossy(&output.stdout).contains("never trusted"), "{output:?}");
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

#[test]
fn the_message_of_a_gate_is_filled_in() {
    let scratch = Scratch::new(&[(
        "r.toml",
        "[rule]\nid = \"r\"\ntrigger = \"on_tool_call\"\neffect = \"block\"\nmessage = \"no {{ event.tool.name }} in turn {{ turn.number \
         }}\"\n",
    )]);
    scratch.write("event.json", &call("{{ 7 * 7 }}").to_string());
    let output = scratch.run(&["decide", "--rules", "r.toml", "event.json"]);
    let outcome: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(outcome["reasons"][0]["message"], "no exec in turn 1");
    assert_eq!(outcome["faults"], json!([]));
}

#[test]
fn the_message_of_a_gate_that_cannot_be_filled_in_is_told_as_it_is_written_with_a_fault() {
    let gate =
        "[rule]\nid = \"r\"\ntrigger = \"on_tool_call\"\neffect = \"block\"\nmessage = \"{{ 1 // 0 }} no\"\n";
    let outcome = outcome(&Scratch::new(&[(".pi/rules/r.toml", gate)]), &call("ls"));
    assert_eq!(
        (&outcome["decision"], &outcome["reasons"][0]["message"]),
        (&json!("block"), &json!("{{ 1 // 0 }} no"))
    );
    insta::assert_snapshot!(format!("{} at {}", fault(&outcome), outcome["faults"][0]["at"]), @r#"invalid operation: unable to calculate 1 // 0 (line 1) at ".pi/rules/r.toml:1:1""#);
}

#[test]
fn a_result_is_redacted_in_whatever_shape_it_comes() {
    let scratch = Scratch::new(&[(
        "r.yaml",
        "rules:\n- {id: r, on: post_tool_response, when: {tool: '*'}, then: redact}\n",
    )]);
    for (result, redacted) in [
        (json!({"a": ["leak@example.com"]}), json!({"a": ["[EMAIL]"]})),
        (json!({"count": 7, "items": ["leak@example.com"]}), json!({"items": ["[EMAIL]"]})),
        (json!("to leak@example.com"), json!("to [EMAIL]")),
        (json!(["leak@example.com"]), json!(["[EMAIL]"])),
        (json!({"error": "no leak@example.com"}), json!("no [EMAIL]")),
    ] {
        let event = json!({"event": "post_tool_response", "session": "s", "tool": {"name": "send", "args": {}}, "result": result});
        scratch.write("event.json", &event.to_string());
        let line = scratch.must(&["decide", "--rules", "r.yaml", "event.json"]);
        let outcome: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(outcome["result"], redacted, "{result}");
    }
}

#[test]
fn a_pack_is_never_written_over_another_file() {
    let scratch = Scratch::new(&[("rules/r.yaml", "rules: []\n"), ("mine.toml", "x = 1\n")]);
    assert_eq!(scratch.run(&["pack", "--out", "mine.toml", "rules"]).status.code(), Some(2));
    assert_eq!(scratch.read("mine.toml"), "x = 1\n");
}

#[test]
fn a_script_is_asked_by_the_function_of_its_hook() {
    let script = "function on_tool_complete() notify('came back') end\nfunction on_tool_failure() notify('failed') end";
    let scratch = asking("trigger = \"post_tool_response\"", script);
    let ended = |result: Value| {
        let event = json!({"event": "post_tool_response", "session": "s", "tool": {"name": "exec", "args": {}}, "result": result});
        done(&outcome(&scratch, &event))
    };
    assert_eq!(ended(json!({"value": "x"})), ["notify came back"]);
    assert_eq!(ended(json!({"error": "no"})), ["notify failed"]);
}

#[test]
fn with_what_it_caused_one_event_tells_no_more_than_4_kib() {
    let scratch = Scratch::new(&[(
        ".pi/rules/r.toml",
        r#"
        [[rule]]
        id = "emits"
        trigger = "on_turn_start"
        once = true
        [[rule.action]]
        type = "notify_self"
        message = '{{ "e" * 1800 }}'
        [[rule.action]]
        type = "emit_event"
        event = "begun"

        [[rule]]
        id = "hears"
        trigger = "event:begun"
        [[rule.action]]
        type = "notify_self"
        message = '{{ "h" * 1900 }}'
        [[rule.action]]
        type = "notify_self"
        message = '{{ "i" * 600 }}'
        "#,
    )]);
    scratch.must(&["trust"]);
    let told = || -> Vec<usize> {
        scratch.write("event.json", &json!({"event": "turn_start", "session": "s"}).to_string());
        let verdict: Value = serde_json::from_str(&scratch.must(&["decide", "event.json"])).unwrap();
        let told = verdict["notifications"].as_array().into_iter().flatten();
        told.map(|one| one["message"].as_str().unwrap_or_default().len()).collect()
    };
    assert_eq!([told(), told(), told()], [vec![1800, 1900], vec![600], vec![]]);
}
