//! ChatMD's rules: what each element means, and what is said where one is wrong.

use std::sync::Arc;

use mentci_authority::{
    Action, Admission, Assigned, Effect, Guard, Hook, Quota, Role, Rule, RuleSet, ToolMatch, Trust,
};
use mentci_dialect::{Dialect, OriginHint, print, read};
use mentci_expr::{Expr, parse};
use mentci_source::{Reading, Severity, Source};

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

fn canonical(text: &str) -> String {
    print(&set(text), Dialect::Chatmd).expect("it can be said")
}

/// The errors of a text that does not load.
fn refused(text: &str) -> String {
    let reading = reading(text);
    if reading.value.is_some() {
        return "IT LOADS".to_owned();
    }
    let errors = reading.findings.iter().filter(|finding| finding.severity == Severity::Error);
    errors.map(ToString::to_string).collect::<Vec<_>>().join("\n")
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

#[test]
fn canonical_texts() {
    insta::assert_snapshot!(canonical(
        "<rules trace='visible' ><on event='pre_tool_call' id=a tool='X' if=\"not (ever_called('Y') and ever_called('Z'))\" severity=high description='Says what to call before it does anything else'>\n<deny reason='X needs Y &amp; Z'/><insert role=developer>Call \n  Y.\n\n</insert></on></rules>\n<policy><tool name='t*'><requires mode=warn tools=' a, b'/><validate><check if='arg(\"x\") == 1'/></validate></tool></policy>"
    ), @r#"
    <policy>
      <tool name="t*">
        <requires tools="a,b" mode="warn"/>
        <validate level="error">
          <check if='arg("x") == 1'/>
        </validate>
      </tool>
    </policy>

    <rules trace="visible">
      <on id="a"
          event="pre_tool_call"
          tool="X"
          if='not (ever_called("Y") and ever_called("Z"))'
          description="Says what to call before it does anything else"
          severity="high">
        <deny reason="X needs Y &amp; Z"/>
        <insert role="developer">
          Call
          Y.
        </insert>
      </on>
    </rules>
    "#);
    insta::assert_snapshot!(canonical("<rules/>"), @r#"
    <rules name="law">
    </rules>
    "#);
    insta::assert_snapshot!(canonical("<policy><tool name=X><cooldown turns=2 message='rest'/></tool></policy>"), @r#"
    <policy>
      <tool name="X">
        <cooldown turns="2" message="rest"/>
      </tool>
    </policy>
    "#);
}

#[test]
#[expect(clippy::too_many_lines, reason = "one table")]
fn what_is_refused() {
    let cases = [
        "<rules><on event='turn_strt'><stop/></on></rules>",
        "<rules><on id=a><stop/></on></rules>",
        "<rules><on event='turn_end' prioritty=1 if='true'><stop/></on></rules>",
        "<rules><on event='turn_end' once='yes' cooldown_turns='-1' priority='high'><stop/></on></rules>",
        "<rules><on event='turn_end'><insrt role=user>x</insrt></on></rules>",
        "<rules><on event='turn_end'><deny reason='x'/></on></rules>",
        "<rules><on event='pre_tool_call'><deny/><allow/></on></rules>",
        "<rules><on event='turn_end'></on></rules>",
        "<rules>loose <on event='turn_end'>words<stop/></on></rules>",
        "<rules><on id=a event='turn_end'><stop/></on><on id=a event='turn_end'><stop/></on></rules>",
        "<rules><on id='' event='turn_end'><stop/></on></rules>",
        "<rules><on event='turn_end' if='turn_indx > 1'><stop/></on></rules>",
        "<rules><on event='turn_end' if='a &lt;'><stop/></on></rules>",
        "<rules><on event='turn_end' if><stop/></on></rules>",
        "<rules><on event='turn_end'><insert role='tool'>x</insert><call tool='t'>[1]</call><call>{}</call></on></rules>",
        "<rules><on event='turn_end'><set var='x'/><set value='1'/><set var=y value='1'>2</set><set var=z>{</set></on></rules>",
        "<rules><on event='turn_end'><compact keep='latest:x'/><log level='loud'>x</log><emit event=e>{</emit></on></rules>",
        "<rules max_actions_per_event='none' trace='on' colour='x'/>",
        "<rules trace=visible/><rules trace=hidden/>",
        "<rules><rule/></rules>",
        "<policy><tool><requires/></tool><tol name=x/></policy>",
        "<policy><tool name='X'><requires tools='' mode='maybe'/><quota/><quota per_turn='many'/><cooldown/><validate level='high'><check message='x'/><chek/></validate><limit/></tool></policy>",
        "<policy><honeypot/><tool name='('><cooldown turns=1/></tool></policy>",
        "<rules><on event='pre_tool_call'><deny/><chain/><any/><not><stop/></not><when/><script/><quota/></on></rules>",
        "<rules><on event='pre_tool_call' event='turn_end'><deny/></on></rules>",
        "<rules><on event=\"pre_tool_call\" if=\"a><deny/></on></rules>",
        "<rules><on event='pre_tool_call'><deny/></rules>",
        "<rules max=\"1><on event='pre_tool_call'><deny/></on></rules>",
        "<ruels><on event='pre_tool_call'><deny/></on></ruels>",
        "<rules><on event='pre_tool_call'><deny reason='a'>b</deny><test>{}</test><test>x</test><parameter/></on></rules>",
    ];
    let told: Vec<String> = cases.iter().map(|case| format!("{case}\n{}\n", refused(case))).collect();
    insta::assert_snapshot!(told.join("\n"), @r#"
    <rules><on event='turn_strt'><stop/></on></rules>
    law.chatmd:1:19: error[E0222]: `event` cannot be the text `turn_strt`: there is no such hook
      help: did you mean `turn_start`?

    <rules><on id=a><stop/></on></rules>
    law.chatmd:1:8: error[E0222]: this `<on>` needs `event`
      help: say when it is asked: one of `session_start`, `query_start`, `turn_start`, `turn_end`, `pre_tool_call`, `post_tool_response`, `message_appended`, `pre_compact`, `session_end`, `event_emitted`

    <rules><on event='turn_end' prioritty=1 if='true'><stop/></on></rules>
    law.chatmd:1:29: error[E0221]: `<on>` has no attribute `prioritty`
      help: did you mean `priority`?

    <rules><on event='turn_end' once='yes' cooldown_turns='-1' priority='high'><stop/></on></rules>
    law.chatmd:1:35: error[E0222]: `once` must be `true` or `false`, not the text `yes`
      help: write `once="true"`
    law.chatmd:1:56: error[E0222]: `cooldown_turns` must be a whole number from 0 to 4294967295, not the number `-1`
      help: write `cooldown_turns="10"`
    law.chatmd:1:70: error[E0222]: `priority` must be a whole number, not the text `high`
      help: write `priority="10"`

    <rules><on event='turn_end'><insrt role=user>x</insrt></on></rules>
    law.chatmd:1:29: error[E0221]: `<insrt>` cannot stand in `<on>`
      help: did you mean `<insert>`?

    <rules><on event='turn_end'><deny reason='x'/></on></rules>
    law.chatmd:1:8: error[E0222]: `block` is decided at `pre_tool_call`, not at `turn_end`
      help: at other hooks a rule can warn, redact or act

    <rules><on event='pre_tool_call'><deny/><allow/></on></rules>
    law.chatmd:1:41: error[E0221]: a rule has one effect
      help: write a rule for each

    <rules><on event='turn_end'></on></rules>
    law.chatmd:1:8: error[E0227]: the rule `on-1` neither decides nor does anything
      help: give it an action, or an effect such as `<deny reason="…"/>`

    <rules>loose <on event='turn_end'>words<stop/></on></rules>
    law.chatmd:1:8: error[E0220]: `loose` is no element, and `<rules>` holds no text
      help: put remarks into a comment `<!-- … -->`
    law.chatmd:1:35: error[E0220]: `words` is no element, and `<on>` holds no text
      help: put remarks into a comment `<!-- … -->`

    <rules><on id=a event='turn_end'><stop/></on><on id=a event='turn_end'><stop/></on></rules>
    law.chatmd:1:46: error[E0224]: the id `a` stands twice
      help: it stands first at law.chatmd:1:8

    <rules><on id='' event='turn_end'><stop/></on></rules>
    law.chatmd:1:16: error[E0223]: an id is empty: ``
      help: an id has 1 to 200 characters that all show, such as `no-force-push`

    <rules><on event='turn_end' if='turn_indx > 1'><stop/></on></rules>
    law.chatmd:1:33: error[E0211]: there is no variable `turn_indx`
      help: did you mean `turn_index`?

    <rules><on event='turn_end' if='a &lt;'><stop/></on></rules>
    law.chatmd:1:39: error[E0210]: the expression ends where a value is missing
      help: add the value, as in `turn_index > 5`, or take the last operator off

    <rules><on event='turn_end' if><stop/></on></rules>
    law.chatmd:1:29: error[E0222]: `if` needs an expression
      help: write `if="turn_index > 5"`

    <rules><on event='turn_end'><insert role='tool'>x</insert><call tool='t'>[1]</call><call>{}</call></on></rules>
    law.chatmd:1:43: error[E0222]: `role` cannot be the text `tool`
      help: it is one of `system`, `developer`, `user`, `assistant`
    law.chatmd:1:74: error[E0214]: this must give a map and gives a list
      help: write an expression that gives a map
    law.chatmd:1:84: error[E0222]: this `<call>` needs `tool`
      help: write `<call tool="…">`

    <rules><on event='turn_end'><set var='x'/><set value='1'/><set var=y value='1'>2</set><set var=z>{</set></on></rules>
    law.chatmd:1:29: error[E0222]: this `<set>` says no value
      help: give `value`, an expression, or JSON in the element
    law.chatmd:1:43: error[E0222]: this `<set>` needs `var`
      help: write `<set var="…">`
    law.chatmd:1:70: error[E0221]: a value stands in the tag and in the element
      help: keep `value`, an expression, or the JSON in the element
    law.chatmd:1:87: error[E0222]: this `<set>` says no value
      help: give `value`, an expression, or JSON in the element
    law.chatmd:1:98: error[E0222]: what stands in this `<set>` is no JSON: EOF while parsing an object at line 1 column 1
      help: write JSON, such as `{"key": "value"}`

    <rules><on event='turn_end'><compact keep='latest:x'/><log level='loud'>x</log><emit event=e>{</emit></on></rules>
    law.chatmd:1:44: error[E0222]: `keep` cannot hold `latest:x`
      help: it names roles, and `latest:N` for the last N messages
    law.chatmd:1:67: error[E0222]: `level` cannot be the text `loud`
      help: it is one of `debug`, `info`, `warn`, `warning`, `error`
    law.chatmd:1:94: error[E0222]: what stands in this `<emit>` is no JSON: EOF while parsing an object at line 1 column 1
      help: write JSON, such as `{"key": "value"}`

    <rules max_actions_per_event='none' trace='on' colour='x'/>
    law.chatmd:1:31: error[E0222]: `max_actions_per_event` must be a whole number from 1 to 4294967295, not the text `none`
      help: write `max_actions_per_event="10"`
    law.chatmd:1:44: error[E0222]: `trace` cannot be the text `on`
      help: it is one of `visible`, `hidden`
    law.chatmd:1:48: error[E0221]: `<rules>` has no attribute `colour`
      help: it has `name`, `version`, `description`, `default`, `max_actions_per_event`, `allow_auto_calls`, `trace`

    <rules trace=visible/><rules trace=hidden/>
    law.chatmd:1:30: error[E0221]: another `<rules>` says `trace` otherwise
      help: it holds for the whole document: say it once

    <rules><rule/></rules>
    law.chatmd:1:8: error[E0221]: `<rule>` cannot stand in `<rules>`
      help: it holds `on`, `test`

    <policy><tool><requires/></tool><tol name=x/></policy>
    law.chatmd:1:9: error[E0222]: this `<tool>` needs `name`
      help: write `<tool name="exec">`
    law.chatmd:1:33: error[E0221]: `<tol>` cannot stand in `<policy>`
      help: did you mean `<tool>`?

    <policy><tool name='X'><requires tools='' mode='maybe'/><quota/><quota per_turn='many'/><cooldown/><validate level='high'><check message='x'/><chek/></validate><limit/></tool></policy>
    law.chatmd:1:24: error[E0222]: this `<requires>` needs `tools`
      help: name them with commas between them
    law.chatmd:1:49: error[E0222]: `mode` cannot be the text `maybe`
      help: it is one of `enforce`, `warn`
    law.chatmd:1:57: error[E0222]: this `<quota>` needs `per_turn`, `per_exchange` or `per_session`
      help: write `<quota per_session="10"/>`
    law.chatmd:1:82: error[E0222]: `per_turn` must be a whole number from 0 to 4294967295, not the text `many`
      help: write `per_turn="10"`
    law.chatmd:1:89: error[E0222]: this `<cooldown>` needs `turns`
      help: write `<cooldown turns="3"/>`
    law.chatmd:1:117: error[E0222]: `level` cannot be the text `high`
      help: it is one of `error`, `warn`
    law.chatmd:1:123: error[E0222]: this `<check>` needs `if`
      help: write `<check if="turn_index > 5"/>`
    law.chatmd:1:143: error[E0221]: `<chek>` cannot stand in `<validate>`
      help: did you mean `<check>`?
    law.chatmd:1:161: error[E0221]: `<limit>` cannot stand in `<tool>`
      help: it holds `requires`, `validate`, `quota`, `cooldown`

    <policy><honeypot/><tool name='('><cooldown turns=1/></tool></policy>
    law.chatmd:1:9: error[E0222]: this `<honeypot>` needs `tool`
      help: write `<honeypot tool="read_secrets"/>`
    law.chatmd:1:32: error[E0226]: the regex `(` does not read: unclosed group
      help: put a `\` before a sign that stands for itself, as in `\(`

    <rules><on event='pre_tool_call'><deny/><chain/><any/><not><stop/></not><when/><script/><quota/></on></rules>
    law.chatmd:1:41: error[E0222]: this chain has no steps
      help: give it one or more: `<step tool="fetch" within_seconds="60"/>`
    law.chatmd:1:49: error[E0222]: this `<any>` is empty
      help: take it out, or say what it asks
    law.chatmd:1:60: error[E0221]: `<stop>` cannot stand in `<not>`
      help: it holds `when`, `all`, `any`, `not`, `chain`, `requires`, `quota`, `cooldown`, `script`
    law.chatmd:1:73: error[E0222]: this `<when>` needs `if`
      help: write `<when if="turn_index > 5"/>`
    law.chatmd:1:80: error[E0222]: this `<script>` needs a `file`, and numbers above 0
      help: write `<script file="gate.js" timeout_ms="500"/>`
    law.chatmd:1:89: error[E0222]: this `<quota>` needs `per_turn`, `per_exchange` or `per_session`
      help: write `<quota per_session="10"/>`

    <rules><on event='pre_tool_call' event='turn_end'><deny/></on></rules>
    law.chatmd:1:34: error[E0221]: `event` stands twice in this `<on>`
      help: keep one of them

    <rules><on event="pre_tool_call" if="a><deny/></on></rules>
    law.chatmd:1:8: error[E0220]: `<on event=\"pre_tool_call\" if=\"a>` is no element, and `<rules>` holds no text
      help: put remarks into a comment `<!-- … -->`
    law.chatmd:1:37: error[E0261]: a quote in `<on` is never closed
      help: write attributes as `name="value"` and end the tag with `>`; it was read as text
    law.chatmd:1:40: error[E0221]: `<deny>` cannot stand in `<rules>`
      help: it holds `on`, `test`
    law.chatmd:1:47: error[E0262]: `</on>` closes nothing
      help: take it out, or open the element
    law.chatmd:1:47: error[E0220]: `</on>` is no element, and `<rules>` holds no text
      help: put remarks into a comment `<!-- … -->`

    <rules><on event='pre_tool_call'><deny/></rules>
    law.chatmd:1:8: error[E0260]: `<on>` is never closed
      help: close it; it was read up to the end of what it stands in

    <rules max="1><on event='pre_tool_call'><deny/></on></rules>
    law.chatmd:1:12: error[E0261]: a quote in `<rules` is never closed
      help: write attributes as `name="value"` and end the tag with `>`; it was read as text

    <ruels><on event='pre_tool_call'><deny/></on></ruels>
    law.chatmd:1:1: error[E0261]: `<ruels>` is no element
      help: did you mean `<rules>`?

    <rules><on event='pre_tool_call'><deny reason='a'>b</deny><test>{}</test><test>x</test><parameter/></on></rules>
    law.chatmd:1:51: error[E0221]: the reason stands twice
      help: keep `reason`, or what stands in the element
    law.chatmd:1:59: error[E0222]: this test expects nothing
      help: give `decision`, `rules` or both
    law.chatmd:1:74: error[E0222]: this `<test>` cannot be read
      help: it holds an event and what must come of it, as a JSON object
    law.chatmd:1:80: error[E0222]: what stands in this `<test>` is no JSON: expected value at line 1 column 1
      help: write JSON, such as `{"key": "value"}`
    law.chatmd:1:88: error[E0222]: this `<parameter>` needs `name`
      help: write `<parameter name="limit">5</parameter>`
    "#);
}

#[test]
fn via_rule_names_its_rule() {
    let reading =
        reading("<rules><on id=a event='turn_end'><insert role=user via_rule=b>x</insert></on></rules>");
    assert!(reading.value.is_some());
    insta::assert_snapshot!(reading.findings[0], @r#"
    law.chatmd:1:61: warning[E0222]: `via_rule` says `b`, and the rule is `a`
      help: leave it out: the rule's own id is written
    "#);
}

#[test]
fn bad_input_ends() {
    let many = 20_000;
    let cases = [
        "<rules>".to_owned() + &"<on event='turn_end'>".repeat(many),
        format!("<rules><on event='pre_tool_call'><deny/>{}</on></rules>", "<not>".repeat(many)),
        format!("<rules><on event='pre_tool_call' if='{}'><deny/></on></rules>", "(".repeat(many)),
        format!("<rules><on event='pre_tool_call' tool='{}'><deny/></on></rules>", "[".repeat(many)),
        format!("<rules><on event='turn_end'><emit event=e>{}</emit></on></rules>", "[".repeat(many)),
        format!("<rules><on {}><deny/></on></rules>", "x ".repeat(500)),
        format!("<rules><on event='turn_end'><call tool=t>{}</call></on></rules>", "<!--".repeat(many)),
        "<rules><on event='turn_end' id='a\0b'><stop/></on></rules>".to_owned(),
    ];
    for case in cases {
        assert!(reading(&case).value.is_none(), "{}", &case[..60]);
    }
    let long = format!("<rules><on event='turn_end'><log>{}</log></on></rules>", "x\n".repeat(20_000));
    assert_eq!(set(&long).rules.len(), 1);
    assert!(reading(&"\0".repeat(1_000)).value.is_some());
}

/// One rule in two dialects.
#[test]
fn equal_to_yaml() {
    let pairs = [
        (
            r#"<rules max_actions_per_event="unlimited"><on id="a" event="pre_tool_call" tool="exec|shell" severity="high" if="turn_index > 3"><deny reason="no"/></on></rules>"#,
            "rules:\n- id: a\n  severity: high\n  when:\n    tool: exec|shell\n    expr: turn_index > 3\n  then: block\n  message: \"no\"\n",
        ),
        (
            r#"<rules max_actions_per_event="unlimited"><on id="a" event="turn_start" priority="2" once="true"><insert role="user">x</insert><stop/></on></rules>"#,
            "rules:\n- id: a\n  on: turn_start\n  priority: 2\n  once: true\n  actions:\n  - type: insert\n    role: user\n    text: x\n  - stop\n",
        ),
        (
            r#"<rules max_actions_per_event="unlimited"><on id="a" event="pre_tool_call" tool="send"><chain ordered="true"><step tool="read_*" within_seconds="60"/></chain><approve seconds="30"/></on></rules>"#,
            "rules:\n- id: a\n  when:\n    tool: send\n    chain:\n      ordered: true\n      steps:\n      - {tool: read_*, within_seconds: 60}\n  then: approve\n  approve: 30\n",
        ),
    ];
    for (chatmd, yaml) in pairs {
        let origin = OriginHint { pack: Arc::from("law"), trust: Trust::Workspace };
        let reading = read(&Source::new("law.yaml", yaml), Dialect::Yaml, &origin, &mut |_| None);
        assert_eq!(reading.value, Some(set(chatmd)), "{}", told(&reading));
    }
}

/// What ChatMD has no words for is named.
#[test]
fn what_cannot_be_said() {
    let yaml = "rules:\n- id: a\n  on: turn_end\n  then: warn\n  message: x\n";
    let origin = OriginHint { pack: Arc::from("law"), trust: Trust::Workspace };
    let mut set = read(&Source::new("law.yaml", yaml), Dialect::Yaml, &origin, &mut |_| None).value.unwrap();
    assert!(print(&set, Dialect::Chatmd).is_ok());
    set.rules[0].effect = Some(Effect::Block);
    set.default_effect = Some(Effect::Warn);
    let told: Vec<String> =
        print(&set, Dialect::Chatmd).unwrap_err().iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(told.join("\n"), @r#"
    chatmd cannot say `default`
    chatmd cannot say `a permission at another hook than pre_tool_call` (rule `a`)
    "#);
}
