//! What is written about scripts holds.
#![cfg(feature = "luau")]

#[allow(dead_code, reason = "each test takes what it needs")]
mod common;

use common::run;

const PAGE: &str = include_str!("../../../Library/specs/scripts.md");

#[test]
fn every_example_answers() {
    let blocks = PAGE.split("```lua\n").skip(1).filter_map(|rest| rest.split("```").next());
    let told: Vec<String> =
        blocks.map(|source| format!("{:?}", run(source).map(|ran| ran.outcome))).collect();
    insta::assert_snapshot!(told.join("\n"), @r#"
    Ok(Match)
    Ok(Match)
    Ok(Actions([{"message": String("turn 7"), "priority": String("high"), "type": String("notify_self")}]))
    Ok(Match)
    "#);
}

#[test]
fn every_global_named_is_there_and_no_other() {
    let (_, rest) = PAGE.split_once("## What is there\n\n`").expect("the section");
    let (named, _) = rest.split_once('`').expect("the list");
    for name in named.split_whitespace() {
        let ran = run(&format!("return {name} ~= nil")).map(|ran| ran.outcome);
        assert_eq!(ran, Ok(mentci_script::ScriptOutcome::Match), "{name}");
    }
    assert_eq!(named.split_whitespace().count(), 26);
}
