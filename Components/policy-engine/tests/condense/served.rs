//! A model in a process of its own, a dead one, and none.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::story::Story;
use crate::{DIGEST, GOOD, LAW, LOCK, SKILL, Server, condense, example, line, script};

#[test]
fn a_served_model_is_asked_once_and_again_about_what_changed() {
    let story = example();
    let changed = script("four servers", &json!({ "lines": [line(1, "Deploy to ≤4 servers at time")] }));
    let mut both: Value = serde_json::from_str(GOOD).unwrap();
    let first: Value = serde_json::from_str(&changed).unwrap();
    both["steps"].as_array_mut().unwrap().insert(0, first["steps"][0].clone());
    let server = Server::start(&story, &both.to_string());
    let ran = server.condense(&story, &["--require-model"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("19 lines shorter"), "{}", ran.out);
    assert!(server.condense(&story, &[]).out.contains("nothing was asked"));
    story.write(SKILL, LAW.replace("at most two servers", "at most four servers"));
    let ran = server.condense(&story, &["--json"]);
    assert_eq!((&ran.json()["condensed"]["calls"], ran.code), (&json!(1), 0), "{}", ran.err);
    assert!(story.read(DIGEST).contains("Deploy to ≤4 servers at time"));
    // Without any network a fresh copy of sources and locks gives the same bytes.
    let copy = Story::new();
    for path in [SKILL, LOCK, ".pi/absolute_rules.lock"] {
        copy.write(path, story.read(path));
    }
    let requests = server.requests();
    let ran =
        condense(&copy, &["--config", "model.base_url=http://127.0.0.1:9/v1", "--config", "model.name=m"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let bytes = |story: &Story| story.digests().into_iter().map(|(_, bytes)| bytes).collect::<Vec<_>>();
    assert!(bytes(&copy) == bytes(&story));
    // One request for all, one for the norm that changed: the law as data, and nothing of it in the prompt.
    assert_eq!(requests.len(), 2, "{requests:?}");
    let body = &requests[1]["body"];
    assert_eq!(body["messages"][1]["content"], json!("{\"1\":\"Deploy to at most four servers at a time\"}"));
    assert_eq!(body["response_format"]["type"], "json_schema");
    assert!(!body["messages"][0]["content"].as_str().unwrap().contains("servers"));
    assert_eq!(requests[0]["body"]["messages"][0], body["messages"][0]);
}

#[test]
fn a_dead_endpoint_gives_the_deterministic_digest_and_one_warning() {
    let story = example();
    assert_eq!(story.run(&["compile-rules"]).code, 0);
    let plain = story.digests();
    let dead = [
        "--config",
        "model.base_url=http://127.0.0.1:9/v1",
        "--config",
        "model.name=m",
        "--config",
        "model.retries=0",
    ];
    let ran = condense(&story, &dead);
    assert_eq!(ran.code, 0);
    assert_eq!(ran.err.matches("E1107").count(), 1, "{}", ran.err);
    assert_snapshot!(ran.err, @r"
    warning[E1107]: the rules were not shortened: nobody answers at http://127.0.0.1:9/v1: Connection refused (os error 111)
     = help: the deterministic lines stand; the next compile asks again, and `--require-model` fails instead
    ");
    assert!(story.digests() == plain);
    // Where a model is required nothing is published.
    story.write(SKILL, LAW.replace("20 lines", "30 lines"));
    let ran = condense(&story, &[&dead[..], &["--require-model"]].concat());
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("error[E1107]"), "{}", ran.err);
    assert!(story.digests() == plain);
}

/// A key that this machine does not have is no mistake of the workspace.
#[test]
fn without_its_key_a_model_is_nobody() {
    let story = example();
    let named = ["--model", "openai/m", "--config", "model.key_env=NO_SUCH_KEY"];
    let ran = condense(&story, &named);
    assert_eq!((ran.code, ran.err.matches("E1107").count()), (0, 1), "{}", ran.err);
    assert_eq!(condense(&story, &[&named[..], &["--require-model"]].concat()).code, 2);
}

#[test]
fn an_untrusted_workspace_asks_nobody_and_still_uses_its_lock() {
    let story = example();
    story.write(
        "mentci.toml",
        "[digest]\ncondense = \"model\"\ncondense_model = \"script:good.model.json\"\n",
    );
    let ran = story.run(&["compile-rules"]);
    assert!(ran.err.contains("E0704") && !ran.out.contains("condensed"), "{}{}", ran.out, ran.err);
    assert_eq!(story.run(&["trust"]).code, 0);
    let ran = story.run(&["compile-rules"]);
    assert!(ran.out.contains("19 lines shorter"), "{}{}", ran.out, ran.err);
    let digests = story.digests();
    assert_eq!(story.run(&["trust", "--revoke"]).code, 0);
    story.run(&["compile-rules"]);
    assert!(story.digests() == digests);
}
