//! Formatting: canonical text, and what is left alone.

#![allow(clippy::unwrap_used, reason = "tests may")]

mod common;

use common::origin;
use mentci_dialect::{Dialect, format, print};
use mentci_source::Source;

fn formatted(text: &str, dialect: Dialect) -> String {
    let path = format!("mine.{}", dialect.name());
    let reading = format(&Source::new(&path, text), dialect, &origin());
    let said: Vec<String> = reading.findings.iter().map(ToString::to_string).collect();
    reading.value.unwrap_or_else(|| said.join("\n"))
}

#[test]
fn yaml_says_conditions_in_its_own_words() {
    let text = r##"
- when: {sender: "!eve", context: {env: [a, b], day_of_week: "!Mon-Fri"}, args: {c: {regex: "rm\\s", normalize: true}, "$.f[*]": {contains: "#1"}, p: {starts_with: [/etc, /usr]}}, tool: {exact: "a b*"}}
  id: "no"
  then: block
  message: "two\nlines"
- {id: b, on: turn_start, when: {any: [{chain: {tool: x, within_seconds: 5}}, {not: {session: {r: {gt: 1, lt: 5}}}}], if: 'turn_index > 1'}, actions: [stop]}
"##;
    insta::assert_snapshot!(formatted(text, Dialect::Yaml), @r##"
    rules:
      - id: "no"
        when:
          tool:
            exact: "a b*"
          sender: "!eve"
          context:
            env: [a, b]
            day_of_week: "!Mon-Fri"
          args_match:
            c:
              regex: 'rm\s'
              normalize: true
            "$.f[*]":
              contains: "#1"
            p:
              starts_with: ["/etc", "/usr"]
        then: block
        message: |-
          two
          lines
      - id: b
        on: turn_start
        when:
          any:
            - chain:
                - tool: x
                  within_seconds: 5
            - not:
                session:
                  r:
                    gt: 1
                    lt: 5
          if: "turn_index > 1"
        actions:
          - type: stop
    "##);
}

#[test]
fn toml_and_edn_say_expressions() {
    let toml = "[rule]\nid=\"a\"\ntrigger='on_tool_complete'\n[condition]\nexpression='context.result.count > 6'\n[action]\ntype='notify'\nmessage='m'\n";
    insta::assert_snapshot!(formatted(toml, Dialect::Toml), @r#"
    [rule]
    id = "a"
    trigger = "on_tool_complete"

    [condition]
    expression = "result.count > 6"

    [action]
    type = "notify_self"
    message = "m"
    category = "info"
    "#);
    let edn = "{:id a :tool [x \"y*\"] :then block :args {:c {:contains \"x\"}} :parameters {\"n\" {\"a-b\" [1 nil]}}}";
    insta::assert_snapshot!(formatted(edn, Dialect::Edn), @r#"
    {:rules
     [{:rule/id "a"
       :tool ["x" "y*"]
       :when (contains (arg "c") "x")
       :then :block
       :parameters {"n" {"a-b" [1 nil]}}}]}
    "#);
}

#[test]
fn nothing_is_lost() {
    insta::assert_snapshot!(formatted("rules: [] # why\n", Dialect::Yaml), @r"
    mine.yaml:1:11: warning[E0232]: the file has comments, which would be lost
      help: the file was left as it stands
    ");
    insta::assert_snapshot!(formatted("[rule] # why\nid = \"a\"\ntrigger = \"on_tool_call\"\neffect = \"block\"\n", Dialect::Toml), @r"
    mine.toml:1:8: warning[E0232]: the file has comments, which would be lost
      help: the file was left as it stands
    ");
    insta::assert_snapshot!(formatted("{:id :a :then :block #_ :gone}", Dialect::Edn), @r"
    mine.edn:1:22: warning[E0232]: the file has comments, which would be lost
      help: the file was left as it stands
    ");
    insta::assert_snapshot!(formatted("include: b.yaml\nrules: []\n", Dialect::Yaml), @r"
    mine.yaml:1:10: warning[E0232]: the file includes others, whose rules would be written into it
      help: the file was left as it stands
    ");
    insta::assert_snapshot!(formatted("- {id: 'a #b', then: block, message: \"x # y\"}", Dialect::Yaml), @r#"
    rules:
      - id: "a #b"
        then: block
        message: "x # y"
    "#);
}

#[test]
fn what_a_dialect_cannot_say_is_named() {
    let set =
        common::set("- {id: a, on: turn_end, actions: [{set: {key: k, value: {x: null}}}]}", Dialect::Yaml);
    let unsayable = print(&set, Dialect::Toml).unwrap_err();
    insta::assert_snapshot!(unsayable[0], @r"toml cannot say `null` (rule `a`)");
}
