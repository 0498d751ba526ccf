//! What can still be told of the gates of a file that does not read.
#![allow(clippy::unwrap_used, reason = "tests may")]

mod common;

use common::origin;
use mentci_dialect::{Dialect, Gates, gates, read};
use mentci_source::Source;

fn of(text: &str, dialect: Dialect) -> Gates {
    let source = Source::new(&format!("mine.{}", dialect.name()), text);
    assert!(read(&source, dialect, &origin(), &mut |_| None).value.is_none(), "it reads whole: {text}");
    gates(&source, dialect, &origin(), &mut |_| None)
}

/// `pre_tool_call deploy; …`, or `all` where something could not be read.
fn told(text: &str, dialect: Dialect) -> String {
    let gates = of(text, dialect);
    if gates.unread {
        return "all".to_owned();
    }
    let named = gates.named.iter().map(|gate| format!("{} {}", gate.hook.name(), gate.tools));
    named.collect::<Vec<_>>().join("; ")
}

#[test]
fn yaml() {
    for (text, expected) in [
        ("rules: [\n", "all"),
        ("", "all"),
        ("just words", "all"),
        ("rules: 5", "all"),
        ("ruls:\n- {id: a, then: block}\n", "all"),
        ("rules:\n- [a]\n", "all"),
        ("include: [gone.yaml]\nrules: []\n", "all"),
        ("honeypots: 5\nrules: []\n", "all"),
        // The condition does not read; which tool it is about does.
        ("- {id: a, when: {tool: deploy, args: {x: {equls: 5}}}, then: block}", "pre_tool_call deploy"),
        ("- {id: a, when: {tool: [ship, deploy], foo: 1}, then: approve}", "pre_tool_call ship, deploy"),
        ("- {id: a, when: {tol: deploy}, then: block}", "pre_tool_call *"),
        ("- {id: a, when: {tool: '('}, then: block}", "pre_tool_call *"),
        ("- {when: {tool: deploy}, then: block}", "pre_tool_call deploy"),
        ("- {id: a, on: post_tool_response, then: redact, foo: 1}", "post_tool_response *"),
        ("- {id: a, on: pre_tool_cal, when: {tool: x}, then: block}", "pre_tool_call x"),
        // What it decides is in doubt.
        ("- {id: a, when: {tool: deploy}, then: blok}", "pre_tool_call deploy"),
        ("- {id: a, when: {tool: deploy}, thn: block}", "pre_tool_call deploy"),
        ("- {id: a, when: {tool: deploy}, verdict: block, actions: [{notify: x}]}", "pre_tool_call deploy"),
        // What only advises gates nothing.
        ("- {id: a, when: {tool: deploy}, then: warn, mesage: x}", ""),
        ("- {id: a, on: turn_start, actions: [{notfy: x}]}", ""),
        ("description: {}\nrules:\n- {id: a, then: warn}\n", ""),
        ("- {id: a, then: block, enabled: false, foo: 1}", ""),
        ("- {id: a, then: block, mode: shadow, foo: 1}", ""),
        ("- {id: a, then: allow, foo: 1}", ""),
        ("default_verdict: blok\nrules: []\n", "pre_tool_call *"),
        ("default_verdict: allow\nfoo: 1\nrules: []\n", ""),
        ("honeypots: [bait]\nfoo: 1\nrules: []\n", "pre_tool_call bait"),
    ] {
        assert_eq!(told(text, Dialect::Yaml), expected, "{text}");
    }
}

#[test]
fn the_other_dialects() {
    let toml =
        "[rule]\nid = \"a\"\ntrigger = \"on_tool_call\"\ntool = \"deploy\"\neffect = \"block\"\nfoo = 1\n";
    assert_eq!(told(toml, Dialect::Toml), "pre_tool_call deploy");
    let notifies = "[rule]\nid = \"a\"\ntrigger = \"on_turn_end\"\nfoo = 1\n[action]\ntype = \"notify_self\"\nmessage = \"x\"\n";
    assert_eq!(told(notifies, Dialect::Toml), "");
    assert_eq!(told("[rule\n", Dialect::Toml), "all");
    assert_eq!(
        told("{:rule/id :a :tool \"deploy\" :then :block :foo 1}", Dialect::Edn),
        "pre_tool_call deploy"
    );
    assert_eq!(told("{:rule/id :a :tool \"deploy\" :then", Dialect::Edn), "all");
    for (law, expected) in [
        (
            "<rules><on id=\"a\" event=\"pre_tool_call\" tool=\"deploy\" if=\"1 +\"><deny reason=\"x\"/></on></rules>",
            "pre_tool_call deploy",
        ),
        (
            "<rules><on id=\"a\" event=\"pre_tool_call\" tool=\"deploy\"><dny reason=\"x\"/></on></rules>",
            "pre_tool_call deploy",
        ),
        (
            "<rules><on id=\"a\" event=\"turn_start\" foo=\"1\"><insert role=\"developer\">x</insert></on></rules>",
            "",
        ),
        ("<rules><onn id=\"a\"><deny/></onn></rules>", "all"),
        ("<policy><tool name=\"deploy\"><quota per_trn=\"5\"/></tool></policy>", "pre_tool_call deploy"),
        ("<policy><tool name=\"deploy\"><quota mode=\"warn\" per_trn=\"5\"/></tool></policy>", ""),
        ("<policy><tool name=\"deploy\"><quta per_turn=\"5\"/></tool></policy>", "pre_tool_call deploy"),
    ] {
        assert_eq!(told(law, Dialect::Chatmd), expected, "{law}");
    }
}
