//! EDN: what each field means.

mod common;

use common::{rule, said, set, told};
use mentci_authority::{Effect, Hook, ToolMatch};
use mentci_dialect::Dialect;

fn guard(when: &str) -> String {
    told(&rule(&format!("{{:rule/id :r :then :block :when {when}}}"), Dialect::Edn).guard)
}

#[test]
fn forms_are_expressions() {
    let table = [
        (
            r#"(and (> context-tokens 40000) (ever-called "Y"))"#,
            r#"context_tokens > 40000 and ever_called("Y")"#,
        ),
        (
            r#"(and (> (ctx-token-usage) 0.8) (any (ctx-recent-tools 5) (lambda (t) (eq (tool-name t) "vault_search"))))"#,
            r#"turn.token_usage > 0.8 and any(t.name == "vault_search" for t in recent_tools(5))"#,
        ),
        ("(< 0 turn-index 9)", "0 < turn_index < 9"),
        ("(not= (% turn-index 5) 0)", "turn_index % 5 != 0"),
        ("(= (- 3 1 1) (- turn-index))", "3 - 1 - 1 == -turn_index"),
        ("(if (exists (arg :a)) true false)", r#"true if exists(arg("a")) else false"#),
        ("(in (arg \"l\") [\"en\" :fr])", r#"arg("l") in ["en", "fr"]"#),
        ("(not-in event.tool.name #{\"a\"})", r#"event.tool.name not in ["a"]"#),
        ("(= (get (arg \"m\") \"k\") {:a 1})", r#"arg("m").k == {"a": 1}"#),
        (
            "(all event.files (fn [f] (= (:op f) \"read\")) :if (!= f.path \"\"))",
            r#"all(f.op == "read" for f in event.files if f.path != "")"#,
        ),
        ("(some (fn [a-b] (= a-b 1)) (arg \"xs\"))", r#"any(a_b == 1 for a_b in arg("xs"))"#),
        ("(is (state.get \"k\" nil) nil)", r#"state.get("k", null) is null"#),
        (r#"(= (session :user-role) "admin")"#, r#"session("user_role") == "admin""#),
        (r#"(= (session "user-role") "admin")"#, r#"session("user-role") == "admin""#),
        ("(= (get (arg :m-n) :k-l) {:a-b 1})", r#"arg("m_n").k_l == {"a_b": 1}"#),
        ("(ever-called :my-tool)", r#"ever_called("my-tool")"#),
        ("\"turn_index > 3\"", "turn_index > 3"),
        (
            "{:args {:cmd {:regex \"rm\"}} :session {:user-role \"!admin\"}}",
            r#"matches(arg("cmd"), "rm") and session("user_role") != "admin""#,
        ),
        ("{:any [(> turn-index 3) {:sender \"bob\"}]}", r#"turn_index > 3 or sender() == "bob""#),
    ];
    for (when, expected) in table {
        assert_eq!(guard(when), expected, "{when}");
    }
}

#[test]
fn conditions_may_stand_beside_when() {
    let text = r#"{:rule/id :x :tool "exec" :args {:command {:regex "rm\\s+-rf"}} :then :block :when (> turn-index 1)}"#;
    let rule = rule(text, Dialect::Edn);
    assert_eq!(rule.tools, ToolMatch::exact("exec"));
    assert_eq!(told(&rule.guard), r#"matches(arg("command"), "rm\\s+-rf") and turn_index > 1"#);
}

#[test]
fn files_are_forms_vectors_or_one_map() {
    let rules = "{:rule/id :a :then :block} {:id \"b\" :on :turn-start :actions [:stop]}";
    let apart = set(&format!("{{:rules/name \"n\" :rules/default :block}}\n{rules}"), Dialect::Edn);
    let vector = set(&format!("[{rules}] {{:rules/name \"n\" :rules/default :block}}"), Dialect::Edn);
    let whole = set(&format!("{{:rules/name \"n\" :rules/default :block :rules [{rules}]}}"), Dialect::Edn);
    assert_eq!(apart, whole);
    assert_eq!(vector, whole);
    assert_eq!((whole.default_effect, whole.rules[1].hook), (Some(Effect::Block), Hook::TurnStart));
}

#[test]
fn what_is_wrong_is_told_at_once() {
    insta::assert_snapshot!(said(r#"{:rule/id :x :toll 4 :when (and (> context-tokns 4) (ever-caled "Y") (not) (< 1)) :then :blok} 5"#, Dialect::Edn), @r#"
    mine.edn:1:14: error[E0221]: a rule has no key `toll`
      help: `Library/specs/dialects.md` lists the keys
    mine.edn:1:54: error[E0222]: there is no function `ever-caled`
      help: did you mean `ever-called`?
    mine.edn:1:70: error[E0222]: `(not …)` takes 1 value, not 0
      help: write `(not …)`
    mine.edn:1:76: error[E0222]: `(< …)` compares at least two values
      help: write `(< turn-index 5)`
    mine.edn:1:89: error[E0222]: `then` cannot be the text `blok`
      help: did you mean `block`?
    mine.edn:1:96: error[E0222]: a rule must be a map, not the number `5`
      help: write its keys and their values: `{:key "value"}`
    "#);
    insta::assert_snapshot!(said("{:rule/id :x :when (> context-tokns 4) :then :block}", Dialect::Edn), @r"
    mine.edn:1:23: error[E0211]: there is no variable `context_tokns`
      help: did you mean `context_tokens`?
    ");
    insta::assert_snapshot!(said("{:rule/id :y :id :z :then :block} {:rule/id :y :then :block :then :allow}", Dialect::Edn), @r"
    mine.edn:1:14: error[E0221]: the key `id` stands twice
      help: keep one of them
    mine.edn:1:61: error[E0510]: the key `:then` stands here again
      help: it stands first at 1:48; take one out
    ");
    insta::assert_snapshot!(said("{:rule/id :x :then :block", Dialect::Edn), @r"
    mine.edn:1:1: error[E0501]: `{` is never closed
      help: it opened at 1:1; put a `}` before 1:26
    ");
    insta::assert_snapshot!(said("{:rule/id #inst \"2026\" :then :block}", Dialect::Edn), @r"
    mine.edn:1:11: error[E0222]: the tag `#inst` is no value of a rule
      help: write a text, a plain number, a keyword, a vector or a map
    ");
}
