//! Other people's MCP clients against our server: the official Inspector and the official Python SDK, over
//! stdio, over HTTP and through the gateway.

#![expect(clippy::disallowed_methods, reason = "tests start processes")]

use std::process::{Command, Output};

use mentci_tests::{Scratch, Served, clients, engine};
use serde_json::{Value, json};

const LAW: &str = "---
name: sema-programmer
description: How Sema code is changed
---
# Sema programmer

- Use `structural_edit` over text replacement.
- You MUST run `cargo check` before you hand over.
";

const TOOLS: [&str; 4] = ["explain_rule", "get_absolute_rules", "list_heuristics", "update_skill_heuristics"];

/// The Inspector's exit code for a tool result with `isError`.
const TOOL_ERROR: i32 = 5;

#[test]
fn the_inspector_lists_what_is_offered() {
    each_way(|workspace, target| {
        let answer = inspect(workspace, target, &["--method", "tools/list", "--strict"]);
        let tools = names(&answer["tools"], "name");
        for tool in TOOLS {
            assert!(tools.contains(&tool.to_owned()), "{target:?}: {tools:?}");
        }
        let resources = inspect(workspace, target, &["--method", "resources/list"]);
        let uris = names(&resources["resources"], "uri");
        assert!(uris.contains(&"mentci://digest".to_owned()), "{uris:?}");
        let prompts = inspect(workspace, target, &["--method", "prompts/list"]);
        assert!(!names(&prompts["prompts"], "name").is_empty(), "{prompts}");
    });
}

#[test]
fn the_inspector_reads_the_rules_both_ways() {
    each_way(|workspace, target| {
        let called =
            inspect(workspace, target, &["--method", "tools/call", "--tool-name", "get_absolute_rules"]);
        let read = inspect(workspace, target, &["--method", "resources/read", "--uri", "mentci://digest"]);
        let of_tool = called["content"][0]["text"].as_str().unwrap();
        let of_resource = read["contents"][0]["text"].as_str().unwrap();
        assert!(of_tool.contains("structural_edit"), "{of_tool}");
        assert!(of_resource.contains("structural_edit"), "{of_resource}");
        assert!(!of_resource.contains("<!-- mentci"), "the seal is not for the model");
    });
}

#[test]
fn the_inspector_teaches_a_lesson() {
    each_way(|workspace, target| {
        let answer = inspect(workspace, target, &teaching("skill_name=sema-programmer"));
        assert_ne!(answer["isError"], true, "{answer}");
        let runtime = workspace.read(".pi/skills/sema-programmer/runtime.edn");
        assert!(runtime.contains("structural_edit fails on module include macros"), "{runtime}");
        workspace.must(&["compile-rules"]);
        let digest = workspace.read(".pi/absolute_rules.md");
        assert!(digest.contains("include macros"), "{digest}");
    });
}

#[test]
fn the_inspector_is_told_why_a_lesson_is_refused() {
    each_way(|workspace, target| {
        let Output { status, stdout, .. } = inspector(workspace, target, &teaching("skill_name=../../etc"));
        assert_eq!(status.code(), Some(TOOL_ERROR), "{target:?}");
        let answer: Value = serde_json::from_slice(&stdout).unwrap();
        let sentence = answer["content"][0]["text"].as_str().unwrap();
        assert!(sentence.contains("skill"), "{sentence}");
        assert!(!workspace.path("../etc").exists());
    });
}

#[test]
fn the_python_sdk_goes_through_all_of_it() {
    for era in ["legacy", "auto"] {
        each_way(|workspace, target| {
            let seen = python(era, workspace, target);
            assert_offers(&seen);
            assert!(seen["before"].as_str().unwrap().contains("structural_edit"), "{seen}");
            assert_eq!(seen["rules"]["error"], false, "{seen}");
            assert!(seen["rules"]["text"].as_str().unwrap().contains("structural_edit"), "{seen}");
            assert_eq!(seen["refused"]["error"], true, "{seen}");
            assert_eq!(seen["taught"]["error"], false, "{seen}");
            assert_eq!(seen["updated"], json!(["mentci://digest"]), "{era}, {target:?}");
            assert!(seen["after"].as_str().unwrap().contains("include macros"), "{seen}");
        });
    }
}

fn assert_offers(seen: &Value) {
    for tool in TOOLS {
        assert_eq!(seen["tools"][tool]["type"], "object", "{tool}: {seen}");
    }
    let required = &seen["tools"]["update_skill_heuristics"]["required"];
    assert_eq!(required, &json!(["skill_name", "condition", "resolution"]));
    assert!(seen["resources"].as_array().expect("a list").contains(&json!("mentci://digest")), "{seen}");
    let templates = seen["templates"].to_string() + &seen["resources"].to_string();
    assert!(templates.contains("mentci://skills/"), "{templates}");
}

/// Over stdio, over HTTP, and over stdio through the gateway, each with a workspace of its own.
fn each_way(story: impl Fn(&Scratch, &[&str])) {
    let workspace = workspace();
    let program = engine().display().to_string();
    story(&workspace, &[&program, "mcp"]);

    let workspace = self::workspace();
    let served = Served::new(&workspace);
    story(&workspace, &[served.url()]);

    let workspace = self::workspace();
    // The Inspector takes `--` for its own.
    let behind = format!("exec '{program}' mcp gateway --name mentci -- '{program}' mcp\n");
    workspace.write("gateway.sh", &behind);
    story(&workspace, &["sh", &workspace.path("gateway.sh").display().to_string()]);
}

fn workspace() -> Scratch {
    let workspace = Scratch::new(&[(".pi/skills/sema-programmer/SKILL.md", LAW)]);
    workspace.must(&["init"]);
    workspace.must(&["compile-rules"]);
    workspace
}

/// The arguments that teach; the skill as `skill_name=…`.
fn teaching(skill: &str) -> Vec<&str> {
    [
        &["--method", "tools/call", "--tool-name", "update_skill_heuristics"][..],
        &["--tool-arg", skill],
        &["--tool-arg", "condition=structural_edit fails on module include macros"],
        &["--tool-arg", "resolution=use text edit to insert #[allow(...)] before the macro"],
    ]
    .concat()
}

/// The Inspector's answer, when it succeeds.
fn inspect(workspace: &Scratch, target: &[&str], args: &[&str]) -> Value {
    let Output { status, stdout, stderr } = inspector(workspace, target, args);
    let (stdout, stderr) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    assert!(status.success(), "{args:?} at {target:?}: {status}\n{stdout}\n{stderr}");
    serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stdout}"))
}

fn inspector(workspace: &Scratch, target: &[&str], args: &[&str]) -> Output {
    let home = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(clients::node());
    command.arg(clients::inspector()).arg("--cli").args(target);
    if target[0].starts_with("http://") {
        command.args(["--transport", "http"]);
    }
    // It keeps a catalogue of servers at home.
    command
        .args(args)
        .current_dir(workspace.root())
        .env("HOME", home.path())
        .output()
        .expect("it can be started")
}

/// What the Python SDK saw.
fn python(era: &str, workspace: &Scratch, target: &[&str]) -> Value {
    let Output { status, stdout, stderr } = Command::new(clients::python())
        .arg(clients::driver("mcp_client.py"))
        .arg(era)
        .arg(workspace.root())
        .args(target)
        .output()
        .expect("it can be started");
    assert!(status.success(), "{era} at {target:?}: {}", String::from_utf8_lossy(&stderr));
    serde_json::from_slice(&stdout).expect("one JSON object")
}

fn names(list: &Value, key: &str) -> Vec<String> {
    let items = list.as_array().into_iter().flatten();
    items.filter_map(|item| item[key].as_str().map(str::to_owned)).collect()
}
