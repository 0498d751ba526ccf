//! The examples of rules and policy as running documents: by their script, and by a model behind HTTP over both wires, streamed
//! and whole. Each leaves the same transcript.

use mentci_tests::{ModelServer, Scratch};
use serde_json::{Value, json};

/// A document's law, what its model answers, and what must stand in the transcript, in this order.
struct Scene {
    name: &'static str,
    law: &'static str,
    steps: Vec<Value>,
    shows: &'static [&'static str],
}

fn calls(called: &[(&str, Value)]) -> Value {
    let called = called.iter().map(|(name, args)| json!({"name": name, "args": args}));
    json!({"text": ["I ", "go on."], "calls": called.collect::<Vec<_>>()})
}

fn done() -> Value {
    json!({"text": ["Do", "ne", "."]})
}

/// One tool, then two others, then the first once more.
fn again_after_two() -> Vec<Value> {
    let called =
        |names: &[&'static str]| calls(&names.iter().map(|name| (*name, json!({}))).collect::<Vec<_>>());
    vec![called(&["X"]), called(&["Y", "Z"]), called(&["X"]), done()]
}

fn scenes() -> Vec<Scene> {
    let none = || json!({});
    vec![
        Scene {
            name: "a reminder every second turn",
            law: r#"<rules><on id="remind" event="turn_start" if="turn_index % 2 == 0">
<insert role="user" synthetic="true" via_rule="remind">Keep it short.</insert></on></rules>"#,
            steps: vec![calls(&[("Y", none())]), calls(&[("Y", none())]), calls(&[("Z", none())]), done()],
            shows: &[
                "name=\"Y\" status=\"success\"",
                "<user synthetic=\"true\" via_rule=\"remind\">",
                "Done.",
            ],
        },
        Scene {
            name: "one tool after two others, by policy",
            law: r#"<policy><tool name="X"><requires tools="Y,Z" mode="enforce"/></tool></policy>"#,
            steps: again_after_two(),
            shows: &[
                "name=\"X\" status=\"error\" denied=\"policy\" via_rule=\"X/requires\"",
                "name=\"X\" status=\"success\"",
            ],
        },
        Scene {
            name: "one tool after two others, by a rule that tells the way",
            law: r#"<rules max_actions_per_event="2"><on id="first" event="pre_tool_call" tool="X" if="not (ever_called('Y') and ever_called('Z'))">
<deny reason="Y and Z come first"/><insert role="developer" synthetic="true" via_rule="first">Call Y and Z, then X again.</insert></on></rules>"#,
            steps: again_after_two(),
            shows: &[
                "Y and Z come first",
                "<developer synthetic=\"true\" via_rule=\"first\">",
                "name=\"X\" status=\"success\"",
            ],
        },
        Scene {
            name: "arguments that are checked, and a quota among calls side by side",
            law: r#"<policy><tool name="X"><validate level="error"><check if='arg("to") in ["en", "fr"]' message="only en and fr"/></validate></tool>
<tool name="Y"><quota per_turn="1" per_session="2"/></tool></policy>"#,
            steps: vec![
                calls(&[("X", json!({"to": "tlh"}))]),
                calls(&[("X", json!({"to": "fr"})), ("Y", json!({"n": 1})), ("Y", json!({"n": 2}))]),
                done(),
            ],
            shows: &[
                "only en and fr",
                "name=\"X\" status=\"success\"",
                "name=\"Y\" status=\"success\"",
                "via_rule=\"Y/quota\"",
            ],
        },
        Scene {
            name: "a call that a rule adds",
            law: r#"<rules><on id="enrich" event="post_tool_response" tool="Y" once="true">
<call tool="Z">{"about": "more"}</call></on></rules>"#,
            steps: vec![calls(&[("Y", none())]), done()],
            shows: &["name=\"Y\" status=\"success\"", "via_rule=\"enrich\"", "name=\"Z\" status=\"success\""],
        },
        Scene {
            name: "what is compacted",
            law: r#"<rules><on id="tidy" event="turn_end" if="context_tokens > 300" cooldown_turns="3">
<compact threshold_tokens="200" keep="system,developer,latest:2" strategy="relevance+summary"/></on></rules>"#,
            steps: vec![
                calls(&[("long", none())]),
                calls(&[("long", none())]),
                calls(&[("search_artifacts", json!({"query": "heron"}))]),
                done(),
            ],
            shows: &[
                "<compaction",
                "name=\"search_artifacts\" status=\"success\"",
                "the code word is heron",
                "Done.",
            ],
        },
    ]
}

const TOOLS: &str = "<tool name=\"X\" command=\"echo X\"/>
<tool name=\"Y\" command=\"echo Y\"/>
<tool name=\"Z\" command=\"echo Z\"/>
<tool name=\"long\" command=\"sh long.sh\"/>
<tool name=\"search_artifacts\"/>
";

/// Many lines of which one holds a fact.
const LONG: &str =
    "seq 1 200 | sed 's/^/nothing much is said in line /'\necho 'the code word is heron'\nseq 201 400\n";

fn workspace(scene: &Scene) -> Scratch {
    let document = format!(
        "<config model=\"script:scene.json\"/>\n{TOOLS}{}\n<system>\nBe brief.\n</system>\n<user>\nGo on.\n</user>\n",
        scene.law
    );
    let script = json!({"format": 1, "model": "scene", "steps": scene.steps}).to_string();
    Scratch::new(&[("scene.chatmd", &document), ("scene.json", &script), ("long.sh", LONG)])
}

/// What a run leaves with this model and these settings.
fn transcript(scratch: &Scratch, model: &str, settings: &[(&str, &str)]) -> String {
    let mut command = scratch.engine();
    command.args(["run", "scene.chatmd", "--out", "out.chatmd", "--no-approvals", "--model", model]);
    let output = command.envs(settings.iter().copied()).output().expect("it starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    scratch.read("out.chatmd")
}

/// Whether the parts stand in the text, one after the other.
fn stand_in_order(text: &str, parts: &[&str]) -> bool {
    let mut rest = text;
    parts.iter().all(|part| {
        let found = rest.split_once(part);
        rest = found.map_or("", |(_, rest)| rest);
        found.is_some()
    })
}

#[test]
fn each_scene_is_the_same_by_its_script_and_over_every_wire() {
    for scene in scenes() {
        let expected = transcript(&workspace(&scene), "script:scene.json", &[]);
        assert!(stand_in_order(&expected, scene.shows), "{}: {expected}", scene.name);
        for provider in ["compatible", "anthropic-compatible"] {
            for stream in ["on", "off"] {
                let scratch = workspace(&scene);
                let server = ModelServer::new(&scratch, "scene.json");
                let settings = [
                    ("MENTCI_MODEL_PROVIDER", provider),
                    ("MENTCI_MODEL_BASE_URL", server.url()),
                    ("MENTCI_MODEL_STREAM", stream),
                ];
                let written = transcript(&scratch, "scene", &settings);
                assert_eq!(written, expected, "{}, {provider}, streamed: {stream}", scene.name);
            }
        }
    }
}
