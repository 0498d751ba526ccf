//! `policy-engine run`, the real process: the example that ships, by its script and behind HTTP, kill -9 at any step, Ctrl-C.

#![expect(clippy::disallowed_methods, reason = "tests start processes and read files")]

use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::Duration;

use insta::assert_snapshot;
use mentci_tests::{ModelServer, Scratch, checkout::read};

const SCRIPT: &str = "Library/guide/examples/sema.model.json";

const LAW: &str = "---
name: mentci-rust
description: How the Rust of this workspace is written
---
# Rust

- You MUST NOT call `unwrap` outside tests.
";

/// A clean workspace with the example that ships.
fn example() -> Scratch {
    let scratch = Scratch::new(&[(".pi/skills/mentci-rust/SKILL.md", LAW)]);
    for name in ["sema.chatmd", "sema.model.json"] {
        let path = format!("Library/guide/examples/{name}");
        scratch.write(&path, &read(&path));
    }
    scratch.must(&["compile-rules"]);
    scratch
}

/// The openings of the blocks that a run wrote, with what varies from law to law left out.
fn outline(transcript: &str) -> String {
    let heads = transcript.lines().filter(|line| line.starts_with('<') && !line.starts_with("</"));
    heads.collect::<Vec<_>>().join("\n")
}

#[test]
fn the_example_shows_all_that_rules_do_twice_the_same() {
    let written = [(); 2].map(|()| {
        let scratch = example();
        let document = scratch.read("Library/guide/examples/sema.chatmd");
        scratch.must(&["run", "Library/guide/examples/sema.chatmd", "--out", "sema.chatmd"]);
        assert_eq!(scratch.read("Library/guide/examples/sema.chatmd"), document);
        assert!(scratch.read(".pi/skills/mentci-rust/runtime.edn").contains("trim it first"));
        let checked = scratch.run(&["chatmd", "check", "sema.chatmd"]);
        assert_eq!((checked.status.code(), String::from_utf8_lossy(&checked.stderr).as_ref()), (Some(0), ""));
        let page = scratch.must(&["chatmd", "render", "sema.chatmd"]);
        for rule in ["adaptive-authority", "read-first", "look-around", "auto-compact"] {
            assert!(page.contains(rule), "{rule}");
        }
        scratch.read("sema.chatmd")
    });
    assert_eq!(written[0], written[1]);
    let began = written[0].find("into `target/sema/port.rs`, and teach").unwrap();
    assert_snapshot!(outline(&written[0][began..]), @r#"
    <developer synthetic="true" via_rule="builtin/adaptive-authority" digest="ebc42a729c8e504e652187dfde449df279d31a4362f27add6efff7de8e492c27">
    <rule_event type="set" rule="builtin/adaptive-authority" event="turn_start" var="digest_shown">
    <assistant>
    <tool_call id="call_1_1" name="write_file">
    <tool_response id="call_1_1" name="write_file" status="error" denied="policy" via_rule="write_file/requires">
    <developer synthetic="true" via_rule="read-first">
    <assistant>
    <tool_call id="call_2_1" name="read_file">
    <tool_response id="call_2_1" name="read_file" status="success">
    <tool_call id="call_3" name="read_dir" synthetic="true" via_rule="look-around">
    <tool_response id="call_3" name="read_dir" status="success" synthetic="true" via_rule="look-around">
    <assistant>
    <tool_call id="call_3_1" name="write_file">
    <tool_response id="call_3_1" name="write_file" status="success">
    <rule_event type="set" rule="builtin/adaptive-authority-again" event="pre_compact" var="digest_shown">
    <compaction synthetic="true" via_rule="auto-compact" strategy="relevance+summary" keep="system,developer,latest:2" hides="13-15,17-22" tokens_before="588" tokens_after="408" artifact="5ac99ad2c71026b56264e4c7e9a5279b2f50fc0b45e6e209b86654d264c455eb" size="572">
    <developer synthetic="true" via_rule="auto-compact">
    <developer synthetic="true" via_rule="builtin/adaptive-authority" digest="ebc42a729c8e504e652187dfde449df279d31a4362f27add6efff7de8e492c27">
    <rule_event type="set" rule="builtin/adaptive-authority" event="turn_start" var="digest_shown">
    <assistant>
    <tool_call id="call_4_1" name="update_skill_heuristics">
    <tool_response id="call_4_1" name="update_skill_heuristics" status="success">
    <developer synthetic="true" via_rule="builtin/adaptive-authority" digest="d17f56c304aab7450bfc7d520d6ae28a444dc46773fd61d91038671377b87332">
    <rule_event type="set" rule="builtin/adaptive-authority" event="turn_start" var="digest_shown">
    <assistant>
    "#);
}

/// A document whose turns take a while, so that there is time to kill its run anywhere.
fn slow() -> Scratch {
    let steps: Vec<String> = (1..=6)
        .map(|n| {
            let args = format!(r#"{{"path": "out/{n}.txt", "content": "{n}"}}"#);
            let calls =
                format!(r#"{{"name": "write_file", "args": {args}}}, {{"name": "nap", "args": {{}}}}"#);
            format!(r#"{{"text": ["Step ", "{n}, ", "step ", "by ", "step."], "calls": [{calls}]}}"#)
        })
        .collect();
    let script = format!(r#"{{"format": 1, "steps": [{}, {{"text": "Done."}}]}}"#, steps.join(", "));
    let document = r#"<config model="script:slow.json"/>
<tool name="write_file"/>
<tool name="read_dir"/>
<tool name="nap" command="sleep 0.1"/>
<tool name="wait" command="sleep 30"/>
<rules>
<on id="look" event="post_tool_response" tool="write_file"><call tool="read_dir">{"path": "out"}</call></on>
<on id="mind" event="turn_start" if="turn_index % 3 == 0"><insert role="developer">Mind the gap.</insert></on>
</rules>
<policy><tool name="write_file"><quota per_session="5"/></tool></policy>
<user>
Go on.
</user>
"#;
    Scratch::new(&[("task.chatmd", document), ("slow.json", &script)])
}

fn start(scratch: &Scratch) -> Child {
    let mut command = scratch.engine();
    command.args(["run", "task.chatmd", "--no-approvals", "--root"]).arg(scratch.root());
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("the binary starts")
}

/// Waits until the document holds so many bytes; whether the run is still under way then.
fn grown(scratch: &Scratch, child: &mut Child, bytes: usize) -> bool {
    loop {
        if child.try_wait().expect("the child is ours").is_some() {
            return false;
        }
        if scratch.read("task.chatmd").len() >= bytes {
            return true;
        }
        sleep(Duration::from_millis(1));
    }
}

#[test]
fn killed_at_any_step_it_goes_on_as_if_nothing_had_happened() {
    let whole = slow();
    let begun = whole.read("task.chatmd").len();
    whole.must(&["run", "task.chatmd", "--no-approvals"]);
    let expected = whole.read("task.chatmd");
    assert!(expected.contains("via_rule=\"write_file/quota\""), "{expected}");
    let mut broken = 0;
    for round in 0..14 {
        let scratch = slow();
        let mut child = start(&scratch);
        broken += usize::from(grown(&scratch, &mut child, begun + round * (expected.len() - begun) / 14));
        let _ = child.kill();
        child.wait().unwrap();
        scratch.must(&["run", "task.chatmd", "--no-approvals"]);
        assert_eq!(scratch.read("task.chatmd"), expected, "killed in round {round}");
    }
    assert!(broken >= 10, "only {broken} runs were killed under way");
}

#[cfg(unix)]
#[test]
fn stopped_by_the_keyboard_the_transcript_is_whole() {
    let scratch = slow();
    let waits = r#"{"format": 1, "steps": [{"calls": [{"name": "wait", "args": {}}]}, {"text": "Done."}, {"text": "Now."}]}"#;
    scratch.write("slow.json", waits);
    let begun = scratch.read("task.chatmd").len();
    let mut child = start(&scratch);
    assert!(grown(&scratch, &mut child, begun + 20), "it ended by itself");
    let id = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    scratch.must(&["chatmd", "check", "task.chatmd"]);
    assert_snapshot!(scratch.read("task.chatmd")[begun..], @r#"
    <tool_call id="call_1_1" name="wait">
    {}
    </tool_call>
    <tool_response id="call_1_1" name="wait" status="error" denied="cancelled">
    the call was given up before its tool answered; it may have done its work
    </tool_response>
    <note type="cancelled">
    The run was stopped while tools ran.
    </note>
    "#);
    scratch.must(&["run", "task.chatmd", "--ask", "And now?", "--no-approvals"]);
    assert!(scratch.read("task.chatmd").ends_with("<assistant>\nNow.\n</assistant>\n"));
}

/// What a run of the example with this model leaves.
fn transcript(scratch: &Scratch, model: &str, settings: &[(&str, &str)]) -> String {
    let mut command = scratch.engine();
    command.args(["run", "Library/guide/examples/sema.chatmd", "--out", "sema.chatmd", "--model", model]);
    let output = command.envs(settings.iter().copied()).output().expect("it starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    scratch.read("sema.chatmd")
}

#[test]
fn a_model_behind_http_writes_what_its_script_writes_over_both_wires() {
    let expected = transcript(&example(), &format!("script:{SCRIPT}"), &[]);
    for provider in ["compatible", "anthropic-compatible"] {
        let scratch = example();
        let server = ModelServer::new(&scratch, SCRIPT);
        let settings = [("MENTCI_MODEL_PROVIDER", provider), ("MENTCI_MODEL_BASE_URL", server.url())];
        assert_eq!(transcript(&scratch, "sema-script", &settings), expected, "{provider}");
    }
}

#[test]
fn a_run_that_cannot_begin_leaves_no_copy_behind() {
    let document = "<config model=\"script:absent.json\"/>\n<user>\nGo on.\n</user>\n";
    let scratch = Scratch::new(&[("session.chatmd", document)]);
    let tried = [(); 2].map(|()| {
        let output = scratch.run(&["run", "session.chatmd", "--out", "out.chatmd"]);
        (
            output.status.code(),
            scratch.path("out.chatmd").exists(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    });
    assert_eq!(tried[0], tried[1]);
    assert_eq!((tried[0].0, tried[0].1), (Some(2), false), "{}", tried[0].2);
}
