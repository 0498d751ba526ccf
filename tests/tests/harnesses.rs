//! Real harnesses, guarded by what `install` writes: a denied command does not run and the model reads why, changed
//! arguments run, and the digest is where it should be, exactly once.

use mentci_tests::harnesses::{Client, Play, play};
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
"#,
);

/// The first line of a digest, which stands in nothing else.
const WHOLE: &str = "# Absolute Rules";
const PULSE: &str = "still hold, all of them";

fn guarded(harness: &str) -> Scratch {
    let workspace = Scratch::new(&[SKILL, RULES]);
    workspace.must(&["compile-rules"]);
    workspace.must(&["install", harness]);
    workspace
}

/// What each harness calls its shell.
fn turns(tool: &str) -> serde_json::Value {
    let run = |command: &str| json!({"tool": tool, "args": {"command": command, "description": "a step"}});
    json!([
        run("echo light-a-fire > burnt.txt"),
        run("echo write-to jane.doe@example.com > letter.txt"),
        run("echo open-the-gate > open.txt"),
        {"say": "done"},
        {"say": "done again"},
    ])
}

fn check(workspace: &Scratch, told: &Play) {
    let last = &told.requests[3];
    assert!(last.contains("no open fire in the house"), "the model reads why: {last}");
    assert!(!workspace.path("burnt.txt").exists(), "the denied command did not run");
    let letter = workspace.read("letter.txt");
    assert!(!letter.contains("jane.doe") && letter.contains("write-to"), "changed arguments ran: {letter}");
    assert!(!workspace.path("open.txt").exists(), "nobody was there to be asked");
    assert!(last.contains("approvals grant"), "the model reads how a person can allow it: {last}");
}

fn times(text: &str, what: &str) -> usize {
    text.matches(what).count()
}

#[test]
fn claude_code_is_guarded() {
    let workspace = guarded("claude");
    let told = play(Client::ClaudeCode, &workspace, &["tidy up", "and again"], &turns("Bash"));
    let last = &told.requests[3];
    assert!(last.contains("no open fire in the house"), "the model reads why: {last}");
    assert!(!workspace.path("burnt.txt").exists() && !workspace.path("open.txt").exists());
    let letter = workspace.read("letter.txt");
    assert!(!letter.contains("jane.doe") && letter.contains("write-to"), "changed arguments ran: {letter}");
    assert!(told.requests.iter().all(|request| times(request, WHOLE) == 1), "whole exactly once");
    assert_eq!((times(&told.requests[3], PULSE), times(&told.requests[4], PULSE)), (0, 1));
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
fn codex_is_guarded() {
    let workspace = guarded("codex");
    let told = play(Client::Codex, &workspace, &["tidy up", "and again"], &codex_turns());
    check(&workspace, &told);
    assert!(told.requests.iter().all(|request| times(request, WHOLE) == 1), "whole exactly once");
    assert_eq!((times(&told.requests[3], PULSE), times(&told.requests[4], PULSE)), (0, 1));
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
    check(&workspace, &told);
    assert!(told.requests.iter().all(|request| times(request, WHOLE) == 1), "whole exactly once");
}

#[test]
fn opencode_is_guarded() {
    let workspace = guarded("opencode");
    let told = play(Client::Opencode, &workspace, &["tidy up", "and again"], &turns("bash"));
    check(&workspace, &told);
    assert!(told.requests.iter().all(|request| times(request, WHOLE) == 1), "whole exactly once");
}

#[test]
fn openclaw_is_guarded() {
    let workspace = guarded("openclaw");
    let told = play(Client::Openclaw, &workspace, &["tidy up", "and again"], &turns("exec"));
    check(&workspace, &told);
    assert!(told.requests.iter().all(|request| times(request, WHOLE) == 1), "whole exactly once");
}
