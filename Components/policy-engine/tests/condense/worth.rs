//! What shorter lines are worth, and a real model.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::{DIGEST, condense, example, script};

#[test]
fn an_evaluation_holds_both_digests_against_the_law() {
    let story = example();
    assert_eq!(condense(&story, &["--model", "script:good.model.json"]).code, 0);
    let ran = story.run(&["eval-digest"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_snapshot!(ran.out, @r"
     of          measure                deterministic                   condensed
     skills      recall     20 of 20, 100.0% (84-100)   20 of 20, 100.0% (84-100)
     skills      polarity   20 of 20, 100.0% (84-100)   20 of 20, 100.0% (84-100)
     skills      literals     6 of 6, 100.0% (61-100)     6 of 6, 100.0% (61-100)
     workspace   recall     20 of 20, 100.0% (84-100)   20 of 20, 100.0% (84-100)
     workspace   polarity   20 of 20, 100.0% (84-100)   20 of 20, 100.0% (84-100)
     workspace   literals     6 of 6, 100.0% (61-100)     6 of 6, 100.0% (61-100)
     skills      tokens                           285                 232 (81.4%)
     workspace   tokens                           316                 265 (83.9%)
    20 norms; 95% intervals in brackets; `--judge` asks a model, too
    ");
    let judged: Vec<Value> =
        (1..=20).map(|id| json!({ "id": id, "do": true, "not": id != 3, "when": true })).collect();
    story.write("judge.json", script("law", &json!({ "answers": judged })));
    let json = story.run(&["eval-digest", "--judge", "script:judge.json", "--probes", "8", "--json"]).json();
    assert_eq!((&json["judge"], &json["norms"]), (&json!("m"), &json!(20)));
    let rows = json["rows"].as_array().unwrap();
    let row = |measure: &str| rows.iter().find(|row| row["measure"] == measure).unwrap();
    assert_eq!(
        row("knows what to do")["condensed"],
        json!({ "hits": 8, "of": 8, "low": 0.6756, "high": 1.0 })
    );
    assert!(row("knows what not to do")["condensed"]["of"] == 8);
    // This judge lets pass whatever it is shown: the controls tell.
    assert!(row("controls caught")["condensed"]["hits"].as_u64().unwrap() <= 1);
    assert_eq!(json["is_judge_sound"], false);
    let ran = story.run(&["eval-digest", "--judge", "script:judge.json", "--probes", "8"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("controls: what it says of the lines says nothing"), "{}", ran.err);
    // A judge that says half, or each twice, could choose what counts.
    let judge = |ids: Vec<i64>| {
        let said = |id| json!({ "id": id, "do": true, "not": true, "when": true });
        let judged: Vec<Value> = ids.into_iter().map(said).collect();
        story.write("judge.json", script("law", &json!({ "answers": judged })));
        story.run(&["eval-digest", "--judge", "script:judge.json", "--probes", "4"])
    };
    for ids in [(1..=4).collect(), (1..=20).chain(1..=20).collect()] {
        let ran = judge(ids);
        assert_eq!(ran.code, 1, "{}", ran.out);
        assert!(ran.err.contains("E1105") && ran.err.contains("pairs once"), "{}", ran.err);
    }
    // A judge that says nothing leaves the deterministic part.
    story.write("judge.json", script("law", &json!("fine")));
    let ran = story.run(&["eval-digest", "--judge", "script:judge.json"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("E1105") && ran.out.contains("recall"), "{}{}", ran.out, ran.err);
}

/// Forty bullets under a heading.
fn law(rule: impl Fn(usize) -> String) -> String {
    let rules: Vec<String> = (1..=40).map(|at| format!("- {}", rule(at))).collect();
    format!("# House\n\n{}", rules.join("\n"))
}

/// An order that the budget leaves out of the only digest that could say it is named, and `--strict` tells it to a build.
#[test]
fn what_is_lost_is_named_and_strict_fails() {
    let story = example();
    assert_eq!(story.run(&["eval-digest", "--strict"]).code, 0);
    let rules = law(|at| format!("You should keep module number {at} of the tree small."));
    story.write("AGENTS.md", format!("{rules}\n- You may skip the tour of the house.\n"));
    story.write("mentci.toml", "[sources]\nlaw = [\"AGENTS.md\"]\n\n[digest]\ntokens = 420\n");
    let told = story.run(&["eval-digest"]);
    let json = story.run(&["eval-digest", "--json"]).json();
    assert_eq!(told.code, 0, "{}", told.err);
    let lost = json["lost"].as_array().unwrap();
    assert!(
        !lost.is_empty() && lost.iter().all(|loss| loss["what"] == "left-out" && loss["detail"] == "budget"),
        "{json}"
    );
    assert!(lost.iter().all(|loss| loss["place"].as_str().unwrap().starts_with("AGENTS.md:")), "{json}");
    // What the workspace's digest leaves to the skill's own stands there: nothing of it is lost.
    assert_eq!(json["failing"], 0);
    assert_eq!(story.run(&["eval-digest", "--strict"]).code, 0);
    let musts = law(|at| format!("You must never touch module {at} of the tree."));
    story.write("AGENTS.md", musts);
    let told = story.run(&["eval-digest", "--strict"]);
    assert_eq!(told.code, 1, "{}", told.out);
    let end: Vec<&str> = told.out.lines().rev().take(4).collect();
    assert_eq!(story.run(&["eval-digest"]).code, 0);
    assert_snapshot!(end.into_iter().rev().collect::<Vec<_>>().join("\n"), @r"
    no line left-out: budget  workspace, both  norm 584d8865338601da  AGENTS.md:42
      law     You must never touch module 40 of the tree

    27 of these fail `--strict`
    ");
}

/// What is measured is what the law and the locks make; a published file that says something else is no part of it, and is told.
#[test]
fn a_published_digest_that_is_another_is_told() {
    let story = example();
    let strict = || story.run(&["eval-digest", "--strict"]);
    assert_eq!(
        (strict().code, strict().err.as_str()),
        (0, ""),
        "what was never published is measured all the same"
    );
    assert_eq!(story.run(&["compile-rules"]).code, 0);
    assert_eq!((strict().code, strict().err.as_str()), (0, ""));
    let digest = story.read(DIGEST);
    story.write(DIGEST, digest.replace("cargo test --workspace", "cargo test"));
    let told = strict();
    assert!(told.code == 1 && told.err.contains("E0805") && told.err.contains(DIGEST), "{}", told.err);
    let told = story.run(&["eval-digest"]);
    assert!(told.code == 0 && told.err.contains("out of date"), "{}", told.err);
    assert_eq!(story.run(&["compile-rules"]).code, 0);
    assert_eq!(strict().code, 0);
}

/// A real model, which says whatever it says: `scripts/test --model=URL` runs this.
#[test]
#[ignore = "wants the server of a model: scripts/test --model=URL"]
#[expect(clippy::disallowed_methods, reason = "the address of the server is the tester's")]
fn whatever_a_real_model_says_the_digest_is_never_worse() {
    let url = std::env::var("MENTCI_TEST_MODEL_URL").unwrap();
    let name = std::env::var("MENTCI_TEST_MODEL_NAME").unwrap_or_else(|_| "default".to_owned());
    let story = example();
    let (url, name) = (format!("model.base_url={url}"), format!("model.name={name}"));
    let ran = condense(&story, &["--config", &url, "--config", &name, "--explain"]);
    println!("{}{}", ran.out, ran.err);
    assert_eq!(ran.code, 0);
    let answer = story.run(&["eval-digest", "--json"]).json();
    for row in answer["rows"].as_array().unwrap() {
        let hits = |side: &str| row[side]["hits"].as_u64().unwrap();
        assert!(hits("condensed") >= hits("deterministic"), "{row}");
    }
    for tokens in answer["tokens"].as_array().unwrap() {
        assert!(tokens["condensed"].as_u64() <= tokens["deterministic"].as_u64(), "{tokens}");
    }
}
