//! Stories with the real pi coding agent under rules of policy: what its model is shown, and which tools run. The acceptance
//! scenarios of the plugin system's user stories 1 and 2 bear their numbers.

use mentci_tests::{Pi, Request, Scratch, Story, Told};
use serde_json::{Value, json};

/// A tool that searches, and one that is named as a shell and only writes down what it was told to run.
const TOOLS: &str = "import { appendFileSync } from 'node:fs';
const text = (text) => ({ content: [{ type: 'text', text }], details: {} });
const parameters = (name) => ({ type: 'object', properties: { [name]: { type: 'string' } } });
export default (pi) => {
  pi.registerTool({ name: 'vault_search', label: 'Search', description: 'Searches', parameters: parameters('query'),
    execute: async (_id, { query }) => text(JSON.stringify(Array.from({ length: Number(query) }, (_, at) => `note-${at}`))) });
  pi.registerTool({ name: 'exec', label: 'Run', description: 'Runs', parameters: parameters('command'),
    execute: async (_id, { command }) => (appendFileSync('ran.txt', command + '\\n'), text('mail a.person@mail.example')) });
};";

/// The lines of the reminder that a text ends with; what is shipped tells its own beside those of the story.
fn reminder(text: &str) -> Vec<&str> {
    let end = text.trim_end().strip_suffix("\n</system-reminder>");
    let told = end.and_then(|told| told.rsplit_once("<system-reminder>\n"));
    told.map_or(Vec::new(), |(_, lines)| lines.lines().collect())
}

#[test]
fn us1_scenario_1_usage_beyond_the_threshold_is_told_in_the_next_request_and_in_no_other() {
    let rules = "[[rule]]
id = \"budget\"
trigger = \"on_turn_start\"
[rule.condition]
expression = \"context.turn.token_usage > 0.8\"
[rule.action]
type = \"notify_self\"
message = \"wrap up, {{ (context.turn.token_usage * 100) | round | int }} percent are used\"
priority = \"high\"
category = \"warning\"
";
    for pi in Pi::BOTH {
        let workspace = workspace(&[("own.toml", rules)]);
        let told = Story::new(&workspace, pi)
            .model(json!([
                { "call": [search(1)], "usedTokens": 64_000 },
                { "call": [search(1)], "usedTokens": 110_000 },
                { "call": [search(1)], "usedTokens": 111_000 },
                { "say": "done", "usedTokens": 112_000 },
            ]))
            .session(json!([{ "prompt": "one" }]))
            .tell();
        let message = "- [high warning] wrap up, 86 percent are used (rule own/budget)";
        assert_eq!(each(&told, message), [0, 0, 1, 0], "{pi:?}");
        let user = told.turns()[2].texts("user");
        assert!(reminder(&user).contains(&message), "{pi:?}: {user}");
        // The next turn is of other words, and so is told too.
        assert_eq!(each(&told, "wrap up, 87 percent"), [0, 0, 0, 1], "{pi:?}");
        assert_eq!(told.notices(), [""; 0], "{pi:?}");
    }
}

#[test]
fn us1_scenario_2_seven_results_bring_the_suggestion_with_the_result() {
    let rules = "[[rule]]
id = \"many\"
trigger = \"on_tool_complete\"
[rule.condition]
expression = \"result.count > 6\"
[rule.action]
type = \"notify_self\"
message = \"{{ result.count }} results: sum them up\"
deliver_at = \"after_tool\"
";
    for pi in Pi::BOTH {
        let workspace = workspace(&[("own.toml", rules)]);
        let told = Story::new(&workspace, pi)
            .model(json!([{ "call": [search(6)] }, { "call": [search(7)] }, { "say": "done" }]))
            .session(json!([{ "prompt": "one" }]))
            .tell();
        assert_eq!(each(&told, "results: sum them up"), [0, 0, 1], "{pi:?}");
        let results = told.turns()[2].texts("tool");
        let message = "- [info] 7 results: sum them up (rule own/many)";
        assert!(results.contains("note-6") && reminder(&results).contains(&message), "{pi:?}: {results}");
    }
}

#[test]
fn us1_scenario_3_all_rules_that_match_fire_in_the_order_of_their_priority() {
    let rule = |id: &str, priority: u32| {
        format!(
            "[[rule]]\nid = \"{id}\"\ntrigger = \"on_turn_start\"\npriority = {priority}\n\
             [rule.action]\ntype = \"notify_self\"\nmessage = \"from {id}\"\n"
        )
    };
    let rules =
        [("last", 1), ("first", 900), ("second", 500)].map(|(id, priority)| rule(id, priority)).concat();
    for pi in Pi::BOTH {
        let workspace = workspace(&[("own.toml", &rules)]);
        let told = Story::new(&workspace, pi).session(json!([{ "prompt": "one" }])).tell();
        let user = told.turns()[0].texts("user");
        let places = ["from first", "from second", "from last"].map(|text| user.find(text).expect(text));
        assert!(places.is_sorted(), "{pi:?}: {user}");
    }
}

#[test]
fn us2_scenario_1_a_rule_at_the_turn_start_is_asked_at_each_turn() {
    let rules = "[[rule]]
id = \"turns\"
trigger = \"on_turn_start\"
[rule.condition]
expression = \"context.turn.number >= 2\"
[rule.action]
type = \"notify_self\"
message = \"turn {{ context.turn.number }}, request {{ context.turn.iteration_count }}\"
";
    for pi in Pi::BOTH {
        let workspace = workspace(&[("own.toml", rules)]);
        let told = Story::new(&workspace, pi)
            .model(json!([{ "call": [search(1)] }, { "say": "one" }, { "say": "two" }]))
            .session(json!([{ "prompt": "one" }, { "prompt": "two" }]))
            .tell();
        assert_eq!(each(&told, "turn 1"), [0, 0, 0], "{pi:?}");
        assert_eq!(each(&told, "turn 2, request 2"), [0, 1, 0], "{pi:?}");
        assert_eq!(each(&told, "turn 3, request 1"), [0, 0, 1], "{pi:?}");
    }
}

#[test]
fn us2_scenario_2_a_rule_about_one_tool_reads_its_result() {
    let rules = "[[rule]]
id = \"found\"
trigger = \"on_tool_complete\"
tool = \"vault_search\"
[rule.action]
type = \"notify_self\"
message = \"{{ result.tool_name }} gave {{ result.result }}\"
deliver_at = \"after_tool\"
";
    for pi in Pi::BOTH {
        let workspace = workspace(&[("own.toml", rules)]);
        let told = Story::new(&workspace, pi)
            .model(json!([{ "call": [exec("ls")] }, { "call": [search(2)] }, { "say": "done" }]))
            .session(json!([{ "prompt": "one" }]))
            .tell();
        assert_eq!(each(&told, "exec gave"), [0, 0, 0], "{pi:?}");
        assert_eq!(each(&told, "vault_search gave [\"note-0\",\"note-1\"]"), [0, 0, 1], "{pi:?}");
    }
}

#[test]
fn us2_scenario_3_what_a_rule_keeps_at_the_session_end_is_there_in_the_next() {
    let rules = "[[rule]]
id = \"keep\"
trigger = \"on_session_end\"
[rule.action]
type = \"set_state\"
key = \"handover\"
value = \"finish the index\"

[[rule]]
id = \"recall\"
trigger = \"on_turn_start\"
once = true
[rule.condition]
expression = \"context.state.get('handover', '') != ''\"
[rule.action]
type = \"notify_self\"
message = \"last time: {{ context.state.handover }}\"
";
    for pi in Pi::BOTH {
        let workspace = workspace(&[("own.toml", rules)]);
        let told = Story::new(&workspace, pi)
            .session(json!([{ "prompt": "one" }]))
            .session(json!([{ "prompt": "two" }]))
            .tell();
        assert_eq!(each(&told, "last time: finish the index"), [0, 1], "{pi:?}");
    }
}

#[test]
fn a_blocked_call_does_not_run_and_the_model_gets_the_reason() {
    let rules = "rules:
  - {id: no-root, when: {tool: exec, args: {command: {contains: 'rm -rf /'}}}, then: block, message: never at the root}
  - {id: mask, on: on_tool_complete, when: {tool: exec}, then: redact}
";
    for pi in Pi::BOTH {
        let workspace = workspace(&[("own.yaml", rules)]);
        let told = Story::new(&workspace, pi)
            .model(json!([{ "call": [exec("rm -rf /")] }, { "call": [exec("ls")] }, { "say": "done" }]))
            .session(json!([{ "prompt": "one" }]))
            .tell();
        assert_eq!(workspace.read("ran.txt"), "ls\n", "{pi:?}");
        let denied = told.turns()[1].texts("tool");
        assert!(denied.contains("no-root (.pi/rules/own.yaml:2:5): never at the root"), "{pi:?}: {denied}");
        let masked = told.turns()[2].texts("tool");
        assert!(masked.contains("mail [EMAIL]") && !masked.contains("a.person"), "{pi:?}: {masked}");
    }
}

#[test]
fn a_call_that_waits_for_a_person_runs_when_they_say_yes() {
    let rules = "rules:
  - {id: ask, when: {tool: exec}, then: approve, message: sends mail}
";
    for pi in Pi::BOTH {
        let workspace = workspace(&[("own.yaml", rules)]);
        let told = Story::new(&workspace, pi)
            .model(json!([
                { "call": [exec("yes")] }, { "say": "one" },
                { "call": [exec("no")] }, { "say": "two" },
            ]))
            .session(json!([{ "prompt": "one", "confirm": true }, { "prompt": "two", "confirm": false }]))
            .tell();
        assert_eq!(workspace.read("ran.txt"), "yes\n", "{pi:?}");
        let refused = told.turns()[3].texts("tool");
        assert!(
            refused.contains("sends mail") && refused.contains("The user has refused this call"),
            "{refused}"
        );
    }
}

#[test]
fn changed_arguments_run() {
    let rules = "rules:
  - {id: no-names, when: {tool: shell, args_match: {command: {contains: write-to}}}, then: redact}
";
    for pi in Pi::BOTH {
        let workspace = workspace(&[("own.yaml", rules)]);
        Story::new(&workspace, pi)
            .model(json!([{ "call": [exec("write-to jane.doe@mail.example")] }, { "say": "done" }]))
            .session(json!([{ "prompt": "one" }]))
            .tell();
        assert_eq!(workspace.read("ran.txt"), "write-to [EMAIL]\n", "{pi:?}");
    }
}

#[test]
fn a_warning_stands_in_the_next_request() {
    let rules = "rules:
  - {id: careful, when: {tool: exec}, then: warn, message: mind the water}
";
    for pi in Pi::BOTH {
        let workspace = workspace(&[("own.yaml", rules)]);
        let told = Story::new(&workspace, pi)
            .model(json!([{ "call": [exec("ls")] }, { "call": [search(1)] }, { "say": "done" }]))
            .session(json!([{ "prompt": "one" }]))
            .tell();
        assert_eq!(each(&told, "- [warning] mind the water (rule careful)"), [0, 1, 0], "{pi:?}");
    }
}

#[test]
fn a_large_result_is_shown_as_a_summary_and_can_be_read_back() {
    let rules = "rules:
  - {id: mask, on: on_tool_complete, when: {tool: lorem}, then: redact}
";
    let tool = "export default (pi) => pi.registerTool({ name: 'lorem', label: 'Long', description: 'Long',
        parameters: { type: 'object', properties: {} },
        execute: async () => ({ content: [{ type: 'text', text: 'first\\nmail a.person@mail.example\\n' + 'a line of prose\\n'.repeat(6000) + 'last' }], details: {} }) });";
    for pi in Pi::BOTH {
        let workspace = workspace(&[("own.yaml", rules)]);
        workspace.write(".pi/extensions/long.js", tool);
        let told = Story::new(&workspace, pi)
            .model(json!([{ "call": [{ "tool": "lorem", "with": {} }] }, { "say": "done" }]))
            .session(json!([{ "prompt": "one" }]))
            .tell();
        let shown = told.turns()[1].texts("tool");
        assert!(shown.len() < 8_000 && shown.contains("are kept as artifact"), "{pi:?}: {shown}");
        let id = shown.split("policy-engine artifact get ").nth(1).and_then(|rest| rest.split(' ').next());
        let whole = told.engine(&workspace, &["artifact", "get", id.expect("an id")]);
        assert!(whole.ends_with("last") && whole.contains("mail [EMAIL]"), "{pi:?}: {}", whole.len());
    }
}

#[test]
fn without_the_engine_tools_run_unchecked_or_not_at_all_and_that_is_said_once() {
    for (config, ran) in [("", true), ("[policy]\non_engine_failure = \"block\"\n", false)] {
        for pi in Pi::BOTH {
            let workspace = workspace(&[]);
            workspace.write("mentci.toml", config);
            let told = Story::new(&workspace, pi)
                .without_engine()
                .model(json!([{ "call": [exec("one")] }, { "call": [exec("two")] }, { "say": "done" }]))
                .session(json!([{ "prompt": "one" }]))
                .tell();
            assert_eq!(workspace.path("ran.txt").exists(), ran, "{pi:?}");
            let said = if ran { "tool calls run unchecked" } else { "tool calls are blocked" };
            let notices = told.notices();
            assert_eq!(notices.iter().filter(|notice| notice.contains(said)).count(), 1, "{notices:?}");
            let blocked = told.turns()[2].times("The rules of policy cannot be asked");
            assert_eq!(blocked, if ran { 0 } else { 2 }, "{pi:?}");
        }
    }
}

#[test]
fn what_was_said_stands_in_the_contexts_of_the_session() {
    for pi in Pi::BOTH {
        let workspace = workspace(&[]);
        let told = Story::new(&workspace, pi)
            .model(json!([{ "call": [search(1)], "say": "I look it up" }, { "say": "there is one note" }]))
            .session(json!([{ "prompt": "how many notes are there" }]))
            .tell();
        let listed = told.engine(&workspace, &["session", "list", "--json"]);
        let sessions: Value = serde_json::from_str(&listed).unwrap();
        let id = sessions["sessions"][0]["session"].as_str().unwrap_or_else(|| panic!("{sessions}"));
        let context = told.engine(&workspace, &["context", "compile", "--session", id, "--budget", "4000"]);
        for said in ["how many notes are there", "I look it up", "note-0", "there is one note"] {
            assert_eq!(context.matches(said).count(), 1, "{pi:?}: {said}: {context}");
        }
    }
}

#[test]
fn what_is_told_at_the_last_turn_end_stands_in_the_first_request_when_the_session_goes_on() {
    let rules = "[[rule]]
id = \"parting\"
trigger = \"on_turn_end\"
once = true
[rule.action]
type = \"notify_self\"
message = \"write down what is left\"
deliver_at = \"turn_end\"
";
    for pi in Pi::BOTH {
        let workspace = workspace(&[("own.toml", rules)]);
        let told = Story::new(&workspace, pi)
            .session(json!([{ "prompt": "one" }]))
            .session(json!([{ "prompt": "two" }, { "prompt": "three" }]))
            .tell();
        assert_eq!(each(&told, "write down what is left"), [0, 1, 0], "{pi:?}");
    }
}

/// How often a text stands in each request.
fn each(told: &Told, text: &str) -> Vec<usize> {
    told.turns().into_iter().map(|turn: &Request| turn.times(text)).collect()
}

fn search(results: u32) -> Value {
    json!({ "tool": "vault_search", "with": { "query": results.to_string() } })
}

fn exec(command: &str) -> Value {
    json!({ "tool": "exec", "with": { "command": command } })
}

/// A workspace with rules of its own and the two tools, set up as a user would.
fn workspace(rules: &[(&str, &str)]) -> Scratch {
    let workspace = Scratch::new(&[(".pi/extensions/tools.js", TOOLS)]);
    for (name, text) in rules {
        workspace.write(&format!(".pi/rules/{name}"), text);
    }
    workspace.must(&["init"]);
    // Else the first decision does.
    workspace.must(&["pack"]);
    workspace
}
