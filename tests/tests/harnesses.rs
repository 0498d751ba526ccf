//! Real harnesses, guarded by what `install` writes: a denied command does not run and the model reads why, changed
//! arguments run, and the digest is where it should be, exactly once.

#![expect(clippy::disallowed_methods, reason = "a check of types is a process")]

use std::process::Command;

use mentci_harness::Capability;
use mentci_host::Harness;
use mentci_tests::clients::{driver, folder};
use mentci_tests::harnesses::{Client, Play, play, play_compacting, play_typed};
use mentci_tests::{Browser, Scratch};
use serde_json::json;

const SKILL: (&str, &str) =
    (".pi/skills/house/SKILL.md", "# House\n\n- Never paint the door red.\n- Always sweep the floor.\n");

/// Rules by the canonical name: the same file for every harness.
const RULES: (&str, &str) = (
    ".pi/rules/own.yaml",
    r#"
shield_name: own
rules:
  - id: no-fire
    when: { tool: shell, args_match: { command: { contains: light-a-fire } } }
    then: block
    message: "no open fire in the house"
  - id: no-names
    when: { tool: shell, args_match: { command: { contains: "write-to" } } }
    then: redact
    message: "addresses stay at home"
  - id: ask-first
    when: { tool: shell, args_match: { command: { contains: open-the-gate } } }
    then: approve
    message: "somebody must be asked"
  - id: careful
    when: { tool: shell, args_match: { command: { contains: boil-water } } }
    then: warn
    message: "mind the water"
  - id: no-addresses
    on: post_tool_response
    when: { tool: shell }
    then: redact
"#,
);

const MAIL: (&str, &str) = ("mail.txt", "from john.roe@example.com, with love\n");
/// Shells show a model some thousand characters, so less is large here.
const CONFIG: (&str, &str) = ("mentci.toml", "[hook]\nartifact_bytes = 2000\n");

/// The first line of a digest, which stands in nothing else.
const WHOLE: &str = "# Absolute Rules";
const PULSE: &str = "still hold, all of them";

fn guarded(harness: &str) -> Scratch {
    let workspace = Scratch::new(&[SKILL, RULES, MAIL, CONFIG]);
    workspace.must(&["compile-rules"]);
    workspace.must(&["install", harness]);
    // Else the first decision does.
    workspace.must(&["pack"]);
    workspace
}

/// What a model calls: each harness has a name of its own for its shell.
fn turns(tool: &str) -> serde_json::Value {
    let run = |command: &str| json!({"tool": tool, "args": {"command": command, "description": "a step"}});
    json!([
        run("echo light-a-fire > burnt.txt"),
        run("echo write-to jane.doe@example.com > letter.txt"),
        run("echo open-the-gate > open.txt"),
        run("cat mail.txt"),
        run("echo boil-water"),
        run("seq 1000 1700"),
        {"say": "done"},
        {"say": "done again"},
    ])
}

/// The request with the answers of all calls, and that of the next prompt.
const LAST: usize = 6;
const NEXT: usize = 7;

/// What the model read and what ran is as the table says, line by line.
fn check(harness: Harness, workspace: &Scratch, told: &Play) {
    let can = Capability::of(harness).expect("a row");
    let last = &told.requests[LAST];
    assert!(last.contains("no open fire in the house"), "the model reads why: {last}");
    assert!(!workspace.path("burnt.txt").exists() && can.deny.can, "the denied command did not run");
    let letter = workspace.read("letter.txt");
    let changed = !letter.contains("jane.doe") && letter.contains("write-to");
    assert_eq!(changed, can.rewrite.can, "changed arguments ran: {letter}");
    assert!(!workspace.path("open.txt").exists(), "nobody was there to be asked");
    // With `-p` nobody is there whom Claude Code could ask, and its own words say so.
    let how = if can.ask.can { "somebody must be asked" } else { "approvals grant" };
    assert!(last.contains(how), "the model reads how a person can allow it: {last}");
    assert_eq!(!last.contains("john.roe"), can.redact.can, "the answer is redacted: {last}");
    assert_eq!(last.contains("are kept as artifact"), can.artifacts.can, "a summary stands for it: {last}");
    assert_eq!(!last.contains("1600"), can.artifacts.can, "and the whole does not: {last}");
    let warned = told.requests[5..].iter().any(|request| request.contains("mind the water"));
    assert_eq!(warned, can.warn.can, "the model reads the warning");
    assert!(told.requests.iter().all(|request| times(request, WHOLE) == 1), "whole exactly once");
}

fn times(text: &str, what: &str) -> usize {
    text.matches(what).count()
}

#[test]
fn claude_code_is_guarded() {
    let workspace = guarded("claude");
    let told = play(Client::ClaudeCode, &workspace, &["tidy up", "and again"], &turns("Bash"));
    check(Harness::ClaudeCode, &workspace, &told);
    assert_eq!((times(&told.requests[LAST], PULSE), times(&told.requests[NEXT], PULSE)), (0, 1));
}

#[test]
fn claude_code_has_the_digest_after_compaction() {
    let workspace = guarded("claude");
    let prompts = ["tidy up", "/compact", "go on"];
    let turns = json!([{"say": "done"}, {"say": "a summary"}, {"say": "done"}, {"say": "done"}]);
    let told = play(Client::ClaudeCode, &workspace, &prompts, &turns);
    let last = told.requests.last().expect("a request after the compaction");
    assert_eq!(times(last, WHOLE), 1, "{last}");
}

/// One process of Claude Code, in one turn: its first call runs, a person switches the rule on in the browser, and the same call
/// is denied.
#[test]
fn a_switch_on_the_page_holds_for_the_next_call_of_a_claude_code_that_runs() {
    let workspace = guarded("claude");
    workspace.must(&["rules", "disable", "own/no-fire"]);
    let browser = Browser::new(&workspace);
    let (asked, switched) = (workspace.path("asked"), workspace.path("switched"));
    let burn =
        |file: &str| json!({"command": format!("echo light-a-fire > {file}"), "description": "a step"});
    let turns = json!([
        {"tool": "Bash", "args": burn("first.txt")},
        // The model has the first result, and says nothing before the switch is made.
        {"tool": "Bash", "args": burn("second.txt"), "tells": asked, "awaits": switched},
        {"say": "done"},
    ]);
    let told = std::thread::scope(|scope| {
        let session = scope.spawn(|| play(Client::ClaudeCode, &workspace, &["tidy up"], &turns));
        while !asked.exists() && !session.is_finished() {
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        browser.walk(json!([
            { "open": "/rules" },
            { "state": ["switch", "own/no-fire in force", "unchecked"] },
            { "click": ["switch", "own/no-fire in force"] },
            { "see": "Switched on." },
            { "touch": switched },
        ]));
        session.join().expect("it runs to its end")
    });
    assert!(workspace.path("first.txt").exists(), "the first call runs: {}", told.said);
    assert!(!workspace.path("second.txt").exists(), "the same call is denied once the rule is on");
    assert!(!told.requests[1].contains("no open fire in the house"), "{}", told.requests[1]);
    assert!(
        told.requests[2].contains("no open fire in the house"),
        "the model reads why: {}",
        told.requests[2]
    );
}

#[test]
fn codex_has_the_digest_after_compaction() {
    let workspace = guarded("codex");
    let call = json!({"tool": "exec_command", "args": {"cmd": "echo one"}, "usedTokens": 90_000});
    let turns = json!([call, {"say": "a summary"}, {"say": "done"}, {"say": "done"}, {"say": "done"}]);
    let told = play_compacting(Client::Codex, &workspace, &["tidy up", "go on"], &turns, 50_000);
    let after: Vec<&String> = told
        .requests
        .iter()
        .filter(|request| request.contains("a summary") && !request.contains("echo one"))
        .collect();
    assert!(!after.is_empty(), "it was summarised: {:?}", told.requests);
    assert!(after.iter().all(|request| times(request, WHOLE) == 1), "{after:?}");
}

/// A person types `/compress` between two prompts: the summary stands for what was said, and the rules with it.
#[test]
fn gemini_has_the_digest_after_compaction() {
    let workspace = guarded("gemini");
    let burn =
        json!({"tool": "run_shell_command", "args": {"command": "echo a-fine-day", "description": "a step"}});
    // What its summary is shorter than, and less than it summarises by itself.
    let answered = json!({"say": "done", "usedTokens": 100_000});
    let turns = json!([burn, answered, burn, {"say": "done"}]);
    let prompts = ["tidy up", "/compress", "go on"];
    let told = play_typed(Client::Gemini, &workspace, &prompts, &turns);
    let after = after_summary(&told);
    assert_eq!(after.len(), 2, "a prompt, and the answer of its call: {}", told.said);
    assert!(after.iter().all(|request| times(request, WHOLE) == 1 && request.contains("go on")), "{after:?}");
    // What is no text is as Gemini CLI had it.
    assert!(after[1].contains("functionResponse"), "{}", after[1]);
}

#[test]
fn opencode_has_the_digest_after_compaction() {
    let workspace = guarded("opencode");
    let call =
        json!({"tool": "bash", "args": {"command": "echo one", "description": "x"}, "usedTokens": 58_000});
    let turns = json!([call, {"say": "done"}, {"say": "done again"}]);
    let told = play_compacting(Client::Opencode, &workspace, &["tidy up", "go on"], &turns, 60_000);
    let after = after_summary(&told);
    assert_eq!(after.len(), 2, "the same turn, and the next: {:?}", told.requests);
    assert!(
        after.iter().all(|request| times(request, WHOLE) == 1 && !request.contains("echo one")),
        "{after:?}"
    );
}

/// OpenClaw summarises before the next prompt is sent.
#[test]
fn openclaw_has_the_digest_after_compaction() {
    let workspace = guarded("openclaw");
    let call = json!({"tool": "exec", "args": {"command": "echo one"}});
    let turns = json!([call, {"say": "done", "usedTokens": 29_000}, {"say": "done"}, {"say": "done"}]);
    let prompts = ["tidy up", "go on", "and more"];
    let told = play_compacting(Client::Openclaw, &workspace, &prompts, &turns, 30_000);
    let after = after_summary(&told);
    assert_eq!(after.len(), 2, "each prompt since: {:?}", told.requests);
    assert!(after.iter().all(|request| times(request, WHOLE) == 1), "{after:?}");
}

/// The requests that hold the summary of the conversation before.
fn after_summary(told: &Play) -> Vec<&String> {
    told.requests.iter().filter(|request| request.contains("SUMMARY")).collect()
}

#[test]
fn codex_is_guarded() {
    let workspace = guarded("codex");
    let told = play(Client::Codex, &workspace, &["tidy up", "and again"], &codex_turns());
    check(Harness::Codex, &workspace, &told);
    assert_eq!((times(&told.requests[LAST], PULSE), times(&told.requests[NEXT], PULSE)), (0, 1));
}

/// Codex's model calls its shell by another name and with other arguments than its hooks tell.
fn codex_turns() -> serde_json::Value {
    let mut turns = turns("exec_command");
    for turn in turns.as_array_mut().into_iter().flatten() {
        if let Some(command) = turn["args"]["command"].as_str().map(str::to_owned) {
            turn["args"] = json!({"cmd": command});
        }
    }
    turns
}

#[test]
fn gemini_is_guarded() {
    let workspace = guarded("gemini");
    let told = play(Client::Gemini, &workspace, &["tidy up"], &turns("run_shell_command"));
    check(Harness::Gemini, &workspace, &told);
}

#[test]
fn opencode_is_guarded() {
    let workspace = guarded("opencode");
    let told = play(Client::Opencode, &workspace, &["tidy up", "and again"], &turns("bash"));
    check(Harness::Opencode, &workspace, &told);
}

const NOTES: (&str, &str) = (
    ".pi/rules/notes.yaml",
    r#"
shield_name: notes
rules:
  - id: hello
    on: turn_start
    when: { if: "true" }
    actions: [{ notify: { message: "the-turn-begins" } }]
  - id: careful-too
    when: { tool: shell, args_match: { command: { contains: cut-the-hedge } } }
    then: warn
    message: "mind the shears"
"#,
);

/// opencode asks a model for a title first, with the same hook: what is told there, the agent never reads. And it may call
/// several tools at once.
#[test]
fn opencode_tells_its_agent_all_that_rules_tell() {
    let workspace = Scratch::new(&[SKILL, RULES, NOTES, MAIL, CONFIG]);
    workspace.must(&["compile-rules"]);
    // Where the user's stands beside it, one of the two answers.
    workspace.must(&["install", "opencode", "--user"]);
    workspace.must(&["install", "opencode"]);
    workspace.must(&["pack"]);
    let run = |command: &str| json!({"tool": "bash", "args": {"command": command, "description": "a step"}});
    let turns = json!([{"calls": [run("echo boil-water"), run("echo cut-the-hedge")]}, {"say": "done"}]);
    let told = play(Client::Opencode, &workspace, &["tidy up"], &turns);
    let [first, second] = &told.requests[..] else { panic!("{:?}", told.requests) };
    assert_eq!([first, second].map(|request| times(request, WHOLE)), [1, 1]);
    assert_eq!([first, second].map(|request| times(request, "the-turn-begins")), [1, 0]);
    assert_eq!(["mind the water", "mind the shears"].map(|words| times(second, words)), [1, 1], "{second}");
}

#[test]
fn openclaw_is_guarded() {
    let workspace = guarded("openclaw");
    let told = play(Client::Openclaw, &workspace, &["tidy up", "and again"], &turns("exec"));
    check(Harness::Openclaw, &workspace, &told);
}

/// A denial ends Cline's run: each run of the story takes up the script where the one before was ended.
#[test]
fn cline_is_guarded() {
    let workspace = guarded("cline");
    let run = |commands: &[&str]| json!({"tool": "run_commands", "args": {"commands": commands}});
    let turns = json!([
        run(&["echo a-fine-day", "echo light-a-fire > burnt.txt"]),
        run(&["echo write-to jane.doe@example.com > letter.txt", "echo two > second.txt"]),
        run(&["echo open-the-gate > open.txt"]),
        {"say": "done"},
    ]);
    let told = play(Client::Cline, &workspace, &["tidy up now", "and go on", "and once more"], &turns);
    assert!(!workspace.path("burnt.txt").exists(), "the denied command did not run");
    assert!(!workspace.path("open.txt").exists(), "nobody was there to be asked");
    let letter = workspace.read("letter.txt");
    assert!(!letter.contains("jane.doe") && letter.contains("write-to"), "changed arguments ran: {letter}");
    assert_eq!(workspace.read("second.txt"), "two\n", "each command ran by itself");
    assert!(told.said.contains("aborted"), "the denial ended the run: {}", told.said);
    let [first, second, after, again] = &told.requests[..] else { panic!("{}", told.requests.len()) };
    // Cline tells hooks' words after a tool's answer only, and each run is a session of its own.
    assert_eq!([first, second, after, again].map(|request| times(request, WHOLE)), [0, 0, 1, 0]);
}

/// A plugin of ours that no longer fits its harness is seen before a person sees it.
#[test]
fn the_plugins_fit_the_types_of_their_harnesses() {
    let output = Command::new(driver("check-types.sh"))
        .arg(folder())
        .args(["opencode", "openclaw"])
        .output()
        .expect("it can be started");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}
