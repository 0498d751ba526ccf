//! ChatMD's rules: what each element means, and what is said where one is wrong.

mod printed;
mod refused;

use std::sync::Arc;

use mentci_authority::{
    Action, Admission, Assigned, Effect, Guard, Hook, Quota, Role, Rule, RuleSet, ToolMatch, Trust,
};
use mentci_dialect::{Dialect, OriginHint, print, read};
use mentci_expr::{Expr, parse};
use mentci_source::{Reading, Source};

fn reading(text: &str) -> Reading<Option<RuleSet>> {
    let origin = OriginHint { pack: Arc::from("law"), trust: Trust::Workspace };
    read(&Source::new("law.chatmd", text), Dialect::Chatmd, &origin, &mut |_| None)
}

fn told(reading: &Reading<Option<RuleSet>>) -> String {
    reading.findings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// The set of a text without errors, which is also what its canonical text says.
fn set(text: &str) -> RuleSet {
    let reading = reading(text);
    let said = told(&reading);
    let set = reading.value.unwrap_or_else(|| panic!("{text}\n{said}"));
    let printed = print(&set, Dialect::Chatmd).expect("it can be said");
    let again = self::reading(&printed);
    assert_eq!(
        without_lines(again.value.clone()),
        without_lines(Some(set.clone())),
        "{printed}\n{}",
        told(&again)
    );
    assert_eq!(print(&set, Dialect::Chatmd).expect("it can be said"), printed);
    set
}

/// Where a test stands is no part of what it says.
fn without_lines(set: Option<RuleSet>) -> Option<RuleSet> {
    let mut set = set?;
    set.rules
        .iter_mut()
        .flat_map(|rule| &mut rule.tests)
        .chain(&mut set.tests)
        .for_each(|test| test.line = 0);
    Some(set)
}

fn rule(text: &str) -> Rule {
    let mut set = set(text);
    assert_eq!(set.rules.len(), 1, "{text}");
    set.rules.remove(0)
}

fn on(inside: &str) -> Rule {
    rule(&format!("<rules><on id=\"r\" event=\"pre_tool_call\" {inside}</on></rules>"))
}

fn expr(text: &str) -> Expr {
    let parsed = parse(text);
    parsed.expr.unwrap_or_else(|| panic!("{:?}", parsed.problems))
}

#[test]
fn a_rule_as_it_is_written() {
    let rule = rule(
        "<rules>\n  <on id=\"remind\"\n      event=\"turn_start\"\n      if=\"turn_index % 4 == 0\"\n      priority=\"3\" once=\"true\" cooldown_turns='2' cooldown_ms=500>\n    \
         <insert role=\"user\" synthetic=\"true\" via_rule=\"remind\">\n      keep notes\n        and order\n    </insert>\n  </on>\n</rules>\n",
    );
    assert_eq!((rule.id.as_str(), rule.hook, rule.order, rule.once), ("remind", Hook::TurnStart, 3, true));
    assert_eq!((rule.cooldown.turns, rule.cooldown.ms), (2, 500));
    assert_eq!(rule.guard, Guard::Expr(expr("turn_index % 4 == 0")));
    let text = "keep notes\n  and order".to_owned();
    assert_eq!(rule.actions, [Action::Insert { role: Role::User, text, synthetic: true }]);
    assert_eq!((rule.origin.line, rule.origin.column), (2, 3));
}

#[test]
fn a_guard_points_into_the_file() {
    let text = "<rules><on event=\"turn_end\" if=\"3 &lt; turn_index\"><stop/></on></rules>";
    let rule = rule(text);
    let Guard::Expr(guard) = &rule.guard else { panic!("{:?}", rule.guard) };
    let places: Vec<&str> = guard.children().iter().map(|child| &text[child.span().range()]).collect();
    assert_eq!(places, ["3", "turn_index"]);
}

#[test]
fn a_document_acts_once_an_event_unless_it_says_otherwise() {
    let caps = |text: &str| {
        let set = set(text);
        (set.max_fired, set.max_calls, set.visible_trace)
    };
    assert_eq!(caps("<rules></rules>"), (Some(1), 1, false));
    assert_eq!(
        caps("<rules max_actions_per_event='3' allow_auto_calls=\"0\" trace=visible/>"),
        (Some(3), 0, true)
    );
    assert_eq!(caps("<rules max_actions_per_event='unlimited'/>"), (None, 1, false));
    assert_eq!(caps(""), (Some(1), 1, false));
}

#[test]
fn actions() {
    let rule = on(r#">
      <insert role="system" synthetic="false">a &lt;b&gt;</insert>
      <call tool="search" via_rule="r">
        {"q": "about " + arg("query"), "n": [1, 2]}   <!-- the arguments of the call -->
      </call>
      <agent src="review.chatmd">Look again.</agent>
      <compact keep="system, latest:6" strategy="relevance+summary" threshold_tokens="40000"/>
      <set var="seen" value="count_calls('x') + 1"/>
      <set var="who" scope="plugin">{"name": "{{ sender }}"}</set>
      <log level="warn">careful</log>
      <notify category="budget" priority="high" deliver_at="immediate">80%</notify>
      <emit event="budget.near">{"left": 20}</emit>
      <emit event="bare"/>
      <stop/>
    "#);
    let names: Vec<&str> = rule.actions.iter().map(Action::name).collect();
    assert_eq!(
        names,
        ["insert", "call", "agent", "compact", "set", "set", "log", "notify", "emit", "emit", "stop"]
    );
    assert_eq!(
        rule.actions[0],
        Action::Insert { role: Role::System, text: "a <b>".into(), synthetic: false }
    );
    let arguments = expr(r#"{"q": "about " + arg("query"), "n": [1, 2]}"#);
    assert_eq!(rule.actions[1], Action::Call { tool: "search".into(), arguments });
    assert!(matches!(&rule.actions[4], Action::Set { value: Assigned::Expr(_), .. }));
    assert!(matches!(&rule.actions[5], Action::Set { value: Assigned::Value(_), .. }));
}

#[test]
fn a_comment_in_a_string_is_a_string() {
    let rule = on(r#"><call tool="t">{"a": "<!-- x -->"} <!-- y --></call>"#);
    assert_eq!(rule.actions, [Action::Call { tool: "t".into(), arguments: expr(r#"{"a": "<!-- x -->"}"#) }]);
}

#[test]
fn effects() {
    let deny = on(r#"tool="X"><deny reason="no" remind="do Y first"/>"#);
    assert_eq!((deny.effect, deny.message.as_deref()), (Some(Effect::Block), Some("no")));
    assert_eq!((deny.remind.as_deref(), deny.tools), (Some("do Y first"), ToolMatch::exact("X")));
    assert_eq!(on("><deny>no, and why</deny>").message.as_deref(), Some("no, and why"));
    let approve = on(r#"><approve reason="ask" seconds="60"/>"#);
    assert_eq!((approve.effect, approve.approval_seconds), (Some(Effect::Approve), Some(60)));
    let redact = on(r#"><redact kinds="EMAIL, PHONE"><pattern name="TICKET" regex="T-[0-9]+"/></redact>"#);
    let redaction = redact.redaction.unwrap();
    assert_eq!(
        (redaction.kinds, redaction.patterns[0].name.as_str()),
        (vec!["EMAIL".to_owned(), "PHONE".to_owned()], "TICKET")
    );
    assert_eq!(on("><redact/>").redaction, None);
    assert_eq!(on("><warn reason=\"mind\"/>").effect, Some(Effect::Warn));
    assert_eq!(on("><allow/>").effect, Some(Effect::Allow));
}

#[test]
fn all_that_the_other_dialects_say() {
    let rule = on(
        r#"tool='["exec", {"regex": "sh.."}]' severity="high" enabled="false" mode="shadow" on_fault="approve"
           overrides="base/a, base/b" taints="secret" timezone="Europe/Oslo" synthetic="include" name="n" version="2">
      <description>What it is for.</description>
      <deny/>
      <parameter name="most">5</parameter>
      <parameter name="word" value="plain"/>
      <test name="stops it">{"event": {"event": "pre_tool_call", "tool": {"name": "exec", "args": {}}}, "decision": "block"}</test>
    "#,
    );
    assert_eq!(
        (rule.overrides.len(), rule.taints.len(), rule.tests.len(), rule.parameters.len()),
        (2, 1, 1, 2)
    );
    assert!(!rule.enabled && !rule.core && rule.sees_synthetic);
    assert_eq!(rule.parameters["most"], 5);
    assert_eq!(rule.parameters["word"], "plain");
    assert_eq!(rule.description.as_deref(), Some("What it is for."));
    let core = on("core=\"true\"><deny/>");
    assert!(core.enabled && core.core);
}

#[test]
fn conditions_that_look_back() {
    let rule = on(r#"if="turn_index > 1">
      <deny/>
      <chain ordered="true"><step tool="read_*" within_seconds="60" min_count="2" verdict="allow,block"/><step tool="*" within_seconds="0.5"/></chain>
      <any><when if="last_role == 'user'"/><all><not><requires tools="Y"/></not><quota per_turn="2"/></all><cooldown turns="3"/></any>
      <script file="check.luau" timeout_ms="200"/>
    "#);
    let Guard::All(guards) = &rule.guard else { panic!("{:?}", rule.guard) };
    assert_eq!(guards.len(), 4);
    let Guard::Chain(chain) = &guards[1] else { panic!("{:?}", guards[1]) };
    assert!(chain.ordered);
    assert_eq!(
        (chain.steps[0].within_ms, chain.steps[0].min_count, chain.steps[0].verdicts.len()),
        (60_000, 2, 2)
    );
    assert_eq!((&chain.steps[1].tools, chain.steps[1].within_ms), (&ToolMatch::Any, 500));
    assert!(matches!(&guards[2], Guard::Any(inner) if inner.len() == 3));
}

#[test]
fn a_policy_is_rules() {
    let set = set(r#"<policy>
  <honeypot tool="dump_keys" message="caught" severity="critical"/>
  <tool name="X">
    <requires tools="Y, Z" mode="enforce"/>  <!-- or mode="warn" -->
    <requires tools="W" mode="warn"/>
    <validate level="error">
      <check if='arg("lang") in ["en","fr"]' message="one of en, fr"/>
      <check if='arg("text") != ""'/>
    </validate>
    <validate level="warn"><check if="tokens('last_user') &lt;= 4000" message="long"/></validate>
    <quota per_turn="1" per_exchange="3" per_session="10"/>
    <cooldown turns="1"/>
  </tool>
</policy>
<rules><on event="turn_end"><stop/></on></rules>"#);
    let told: Vec<String> = set
        .rules
        .iter()
        .map(|rule| {
            format!(
                "{} {:?} {:?}",
                rule.id,
                rule.effect.map(Effect::name),
                rule.message.as_deref().unwrap_or("")
            )
        })
        .collect();
    insta::assert_snapshot!(told.join("\n"), @r#"
    X/requires Some("block") "`X` requires `Y` and `Z` first"
    X/requires-2 Some("warn") "`X` requires `W` first"
    X/validate-1 Some("block") "one of en, fr"
    X/validate-2 Some("block") "`X` needs `arg(\"text\") != \"\"`"
    X/validate-3 Some("warn") "long"
    X/quota Some("block") "`X` may be called at most 1 time a turn, 3 times an exchange and 10 times a session"
    X/cooldown Some("block") "`X` rests for 1 turn after each call"
    on-1 None ""
    "#);
    assert_eq!(set.rules[0].guard, Guard::Admission(Admission::Requires(vec!["Y".into(), "Z".into()])));
    assert_eq!(set.rules[2].guard, Guard::Expr(expr(r#"not (arg("lang") in ["en","fr"])"#)));
    let quota = Quota { per_turn: Some(1), per_exchange: Some(3), per_session: Some(10) };
    assert_eq!(set.rules[5].guard, Guard::Admission(Admission::Quota(quota)));
    assert!(
        set.rules[..7]
            .iter()
            .all(|rule| rule.hook == Hook::PreToolCall && rule.tools == ToolMatch::exact("X"))
    );
    assert_eq!(set.honeypots.len(), 1);
}

#[test]
fn policy_comes_first_wherever_it_stands() {
    let set = set(
        "<rules><on id=a event='turn_end'><stop/></on></rules><policy><tool name=X><cooldown turns=1/></tool></policy>",
    );
    let ids: Vec<&str> = set.rules.iter().map(|rule| rule.id.as_str()).collect();
    assert_eq!(ids, ["X/cooldown", "a"]);
}

#[test]
fn hooks_of_other_dialects() {
    let rule = rule("<rules><on event='on_tool_failure' tool='t'><log>x</log></on></rules>");
    assert_eq!(rule.hook, Hook::PostToolResponse);
    assert_eq!(rule.guard, Guard::Expr(expr(r#"event.tool.status in ["error", "timeout"]"#)));
}

#[test]
fn ids_are_given_where_none_is_said() {
    let set = set(
        "<rules><on event='turn_end'><stop/></on><on id='on-2' event='turn_end'><stop/></on><on event='turn_end'><stop/></on></rules>",
    );
    let ids: Vec<&str> = set.rules.iter().map(|rule| rule.id.as_str()).collect();
    assert_eq!(ids, ["on-1", "on-2", "on-4"]);
}

#[test]
fn variables_that_a_rule_sets_are_known() {
    set(
        "<rules><on id=a event='turn_end'><set var='seen' value='turn_index'/></on><on id=b event='turn_end' if='seen &gt; 2'><stop/></on></rules>",
    );
}

#[test]
fn law_outside_the_head_is_inert() {
    let rules = "<rules><on id=r event='pre_tool_call'><allow/></on></rules>";
    for before in ["<user>hi</user>", "<tool_response name='x'>\n", "<assistant>", "<user>RAW|"] {
        assert_eq!(set(&format!("{before}{rules}")).rules, [], "{before}");
    }
    assert_eq!(set(&format!("<developer>d</developer>{rules}<user>u</user>")).rules.len(), 1);
}

#[test]
fn imports_of_the_head_bring_law() {
    let origin = OriginHint { pack: Arc::from("law"), trust: Trust::Workspace };
    let mut loader = |path: &str| {
        (path == "lib/more.chatmd")
            .then(|| Source::new(path, "<policy><tool name='X'><quota per_turn='1'/></tool></policy><user><import src='no.chatmd'/></user>"))
    };
    let text = "<import src=\"./more.chatmd\" local/><import src=\"https://a.example/b.md\"/><import src=\"notes.txt\"/><user>u</user><import src='late.chatmd'/>";
    let reading = read(&Source::new("lib/a.chatmd", text), Dialect::Chatmd, &origin, &mut loader);
    assert_eq!(reading.value.unwrap().rules[0].id.as_str(), "X/quota");
}
