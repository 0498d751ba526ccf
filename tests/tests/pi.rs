//! Stories with the real pi coding agent, both generations of it: what a model is shown, request by request.

#![expect(clippy::disallowed_methods, reason = "tests start processes")]

use std::process::Command;

use mentci_tests::{Pi, Scratch, Story, Told, checkout, clients};
use serde_json::{Value, json};

const LAW: &str = "---
name: sema-programmer
description: How Sema code is changed
---
# Sema programmer

- Use `structural_edit` over text replacement.
- Never rename a field of a schema without its migration.
- You MUST run `cargo check` before you hand over.
";

const SECOND_LAW: &str = "---
name: release-keeper
description: How a release is made
---
# Release keeper

- Never publish a release from a dirty tree.
- Always tag the release commit.
";

/// The seed's case study: what the agent learns the hard way.
const CONDITION: &str = "structural_edit fails on module include macros";
const RESOLUTION: &str = "use text edit to insert #[allow(...)] before the macro";

#[test]
fn the_digest_stands_once_in_each_request() {
    for pi in Pi::BOTH {
        let workspace = workspace("");
        let digest = digest(&workspace);
        let told = long_story(&workspace, pi).tell();
        assert_eq!(told.turns().len(), 8, "{pi:?}");
        for (index, turn) in told.turns().iter().enumerate() {
            assert_eq!(turn.times(&digest), 1, "{pi:?}, request {index}");
            assert_eq!(turn.times_in_system(&digest), 1, "{pi:?}, request {index}");
        }
        assert_all_stood(&told, &digest);
        assert_eq!(told.notices(), [""; 0], "{pi:?}");
        // Within one process, for the provider's cache.
        let first = told.turns()[0].system();
        assert!(told.turns()[..7].iter().all(|turn| turn.system() == first), "{pi:?}");
    }
}

#[test]
fn full_every_turn_does_not_pile_up() {
    for pi in Pi::BOTH {
        let workspace = workspace("full-every-turn");
        let digest = digest(&workspace);
        let reminder = format!("<system-reminder>\n{digest}\n</system-reminder>");
        let told = long_story(&workspace, pi).tell();
        assert_eq!(told.turns().len(), 8, "{pi:?}");
        for (index, turn) in told.turns().iter().enumerate() {
            assert_eq!(turn.times(&digest), 1, "{pi:?}, request {index}");
            assert_eq!(turn.texts("user").matches(&reminder).count(), 1, "{pi:?}, request {index}");
        }
        assert_all_stood(&told, &digest);
    }
}

#[test]
fn a_lesson_of_turn_one_is_in_force_in_turn_two() {
    for mode in ["system-prompt", "full-every-turn"] {
        for pi in Pi::BOTH {
            let workspace = workspace(mode);
            let before = digest(&workspace);
            let told = Story::new(&workspace, pi)
                .model(json!([
                    { "call": [teach(CONDITION, RESOLUTION)] },
                    { "say": "learned" },
                    { "say": "applied" },
                ]))
                .session(json!([{ "prompt": "try it" }, { "prompt": "try again" }]))
                .tell();
            let after = digest(&workspace);
            assert_ne!(before, after, "{pi:?}");
            assert!(exception(&after).is_some(), "{after}");

            let [first, _, second] = told.turns()[..] else {
                panic!("{pi:?}: {} requests", told.turns().len());
            };
            assert_eq!((first.times(&before), first.times(&after)), (1, 0), "{pi:?}");
            assert_eq!((second.times(&before), second.times(&after)), (0, 1), "{pi:?}, {mode}");
            let answer = told.turns()[1].texts("tool");
            assert!(!answer.contains("not kept"), "{answer}");
            assert!(workspace.read(".pi/skills/sema-programmer/runtime.edn").contains(CONDITION));
        }
    }
}

#[test]
fn a_lesson_that_is_refused_tells_the_agent_what_to_do() {
    for pi in Pi::BOTH {
        let workspace = workspace("");
        let mut bad = teach(CONDITION, RESOLUTION);
        bad["with"]["skill_name"] = json!("../../etc");
        let told = Story::new(&workspace, pi)
            .model(json!([{ "call": [bad] }, { "say": "so be it" }]))
            .session(json!([{ "prompt": "try it" }]))
            .tell();
        let answer = told.turns()[1].texts("tool");
        assert!(answer.contains("skill"), "{pi:?}: {answer}");
        assert!(answer.contains("E0"), "{pi:?}: {answer}");
        assert!(tool_errors(&told) == 1, "{pi:?}: {answer}");
    }
}

#[test]
fn a_change_of_the_law_is_seen_by_the_next_prompt() {
    for pi in Pi::BOTH {
        let workspace = workspace("");
        let before = digest(&workspace);
        let changed = LAW.replace("Never rename a field", "Never edit a `generated` field");
        let told = Story::new(&workspace, pi)
            .session(json!([
                { "prompt": "one" },
                { "write": ".pi/skills/sema-programmer/SKILL.md", "text": changed },
                { "prompt": "two" },
            ]))
            .tell();
        let after = digest(&workspace);
        assert!(after.contains("`generated`"), "{after}");
        assert_eq!(told.turns()[0].times(&before), 1, "{pi:?}");
        assert_eq!(told.turns()[1].times(&after), 1, "{pi:?}");
        assert_eq!(told.turns()[1].times(&before), 0, "{pi:?}");
    }
}

#[test]
fn a_skill_that_the_agent_opens_brings_its_section() {
    for pi in Pi::BOTH {
        let workspace = workspace("");
        let path = ".pi/skills/release-keeper/SKILL.md";
        let told = Story::new(&workspace, pi)
            .model(json!([
                { "call": [{ "tool": "read", "with": { "path": path } }] },
                { "say": "read" },
            ]))
            .session(json!([{ "prompt": "one" }, { "prompt": "two" }]))
            .session(json!([{ "prompt": "three" }]))
            .tell();
        let active = injected(&workspace, &["--active", "release-keeper"]);
        for turn in &told.turns()[2..] {
            assert_eq!(turn.times_in_system(&active), 1, "{pi:?}");
        }
    }
}

#[test]
fn without_the_engine_the_last_digest_serves_and_that_is_said_once() {
    for pi in Pi::BOTH {
        let workspace = workspace("");
        let digest = digest(&workspace);
        let told = Story::new(&workspace, pi)
            .without_engine()
            .session(json!([{ "prompt": "one" }, { "prompt": "two" }, { "prompt": "three" }]))
            .tell();
        for turn in told.turns() {
            assert_eq!(turn.times_in_system(&digest), 1, "{pi:?}");
            assert_eq!(turn.times("<!-- mentci"), 0, "the seal is not for the model");
        }
        let notices = told.notices();
        assert_eq!(notices.len(), 1, "{pi:?}: {notices:?}");
        assert!(notices[0].contains("`policy-engine` was not found"), "{notices:?}");
    }
}

#[test]
fn a_digest_replaced_in_the_midst_of_a_session_is_picked_up() {
    for pi in Pi::BOTH {
        let workspace = workspace("");
        let replaced = "<!-- mentci replaced -->\n# Absolute Rules\nother-1 Only this.\n";
        let told = Story::new(&workspace, pi)
            .without_engine()
            .session(json!([
                { "prompt": "one" },
                { "write": ".pi/absolute_rules.md", "text": replaced },
                { "prompt": "two" },
            ]))
            .tell();
        assert_eq!(told.turns()[0].times("Only this."), 0, "{pi:?}");
        assert_eq!(told.turns()[1].times("Only this."), 1, "{pi:?}");
    }
}

/// Such a run starts without `before_agent_start` in older pi.
#[test]
fn a_run_that_another_extension_starts_stands_under_the_rules() {
    let kick = "export default (pi) => pi.registerCommand('kick', { handler: async () =>
        pi.sendMessage({ customType: 'kick', content: 'kicked', display: true }, { triggerTurn: true }) });";
    for pi in Pi::BOTH {
        let workspace = workspace("");
        workspace.write(".pi/extensions/kick.js", kick);
        let told = Story::new(&workspace, pi)
            .session(json!([
                { "prompt": "/kick", "runs": true },
                { "prompt": "one" },
                { "prompt": "/kick", "runs": true },
            ]))
            .tell();
        assert_eq!(told.turns().len(), 3, "{pi:?}");
        for turn in told.turns() {
            assert_eq!(turn.times(&digest(&workspace)), 1, "{pi:?}");
        }
    }
}

#[test]
fn a_command_shows_the_rules() {
    for pi in Pi::BOTH {
        let workspace = workspace("");
        let told = Story::new(&workspace, pi).session(json!([{ "prompt": "/absolute-rules" }])).tell();
        assert_eq!(told.notices(), [digest(&workspace)], "{pi:?}");
        assert!(told.requests.is_empty(), "{pi:?}");
    }
}

#[test]
fn the_extension_is_written_by_init() {
    let written = workspace("").read(".pi/extensions/mentci-workspace.ts");
    assert!(written == checkout::read("Components/harness/assets/mentci-workspace.ts"));
}

#[test]
fn the_extension_holds_in_its_corners() {
    let tests = clients::driver("extension.test.mjs");
    run(Command::new(clients::node()).arg("--test").arg(tests));
}

#[test]
fn the_plugins_of_other_harnesses_fail_closed() {
    let tests = clients::driver("plugins.test.mjs");
    run(Command::new(clients::node()).arg("--test").arg(tests));
}

#[test]
fn the_extension_fits_the_types_of_both_generations() {
    run(Command::new(clients::driver("check-types.sh")).arg(clients::folder()));
}

/// Three prompts with a tool and a steering message among them, a compaction, one prompt more, and one in a
/// process of its own that continues.
fn long_story(workspace: &Scratch, pi: Pi) -> Story<'_> {
    Story::new(workspace, pi)
        .model(json!([
            { "call": [{ "tool": "bash", "with": { "command": "echo first" } }] },
            { "say": "one" },
            { "call": [{ "tool": "bash", "with": { "command": "sleep 1" } }] },
            { "say": "two, steered" },
        ]))
        .session(json!([
            { "prompt": "prompt-one" },
            { "prompt": "prompt-two", "steer": "steer-two" },
            { "prompt": "prompt-three" },
            { "prompt": "prompt-four" },
            { "compact": true },
            { "prompt": "prompt-five" },
        ]))
        .session(json!([{ "prompt": "prompt-six" }]))
}

/// That the story went as its words say: the steering came before the next request, the compaction cut, the second
/// process continued; and that no summary was made of rules.
fn assert_all_stood(told: &Told, digest: &str) {
    let turns = told.turns();
    assert_eq!(turns[3].times("steer-two"), 1);
    assert_eq!(turns[5].times("prompt-one"), 1);
    assert_eq!(turns[6].times("prompt-one"), 0);
    assert_eq!(turns[7].times("prompt-five"), 1);
    assert!(!told.asides().is_empty());
    for aside in told.asides() {
        assert_eq!(aside.times(digest), 0);
    }
}

/// A workspace of two skills, set up as a user would. An empty mode leaves the default.
fn workspace(mode: &str) -> Scratch {
    let config = format!("[inject]\nmode = \"{mode}\"\n");
    let mut files = vec![
        (".pi/skills/sema-programmer/SKILL.md", LAW),
        (".pi/skills/release-keeper/SKILL.md", SECOND_LAW),
    ];
    if !mode.is_empty() {
        files.push(("mentci.toml", &config));
    }
    let workspace = Scratch::new(&files);
    workspace.must(&["init"]);
    workspace.must(&["compile-rules"]);
    workspace
}

/// What the engine hands to pi now.
fn digest(workspace: &Scratch) -> String {
    injected(workspace, &[])
}

fn injected(workspace: &Scratch, more: &[&str]) -> String {
    let answer = workspace.json(&[&["inject", "pi"], more].concat());
    let text = answer["text"].as_str().expect("a text").trim().to_owned();
    assert!(text.contains("structural_edit"), "{text}");
    text
}

/// The one line that holds the norm and its exception.
fn exception(digest: &str) -> Option<&str> {
    digest.lines().find(|line| {
        let (norm, exception) = line.split_once("EXCEPT").unwrap_or_default();
        norm.contains("structural_edit")
            && exception.contains("include macros")
            && exception.contains("#[allow(...)]")
    })
}

fn teach(condition: &str, resolution: &str) -> Value {
    json!({ "tool": "update_skill_heuristics", "with": {
        "skill_name": "sema-programmer", "condition": condition, "resolution": resolution,
    } })
}

fn tool_errors(told: &Told) -> usize {
    let ends = told.events.iter().filter(|event| event["type"] == "tool_execution_end");
    ends.filter(|event| event["isError"] == true).count()
}

fn run(command: &mut Command) {
    let output = command.output().expect("it can be started");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
}
