//! What is refused, and why.

use mentci_source::Severity;

use super::{reading, set};

/// The errors of a text that does not load.
fn refused(text: &str) -> String {
    let reading = reading(text);
    if reading.value.is_some() {
        return "IT LOADS".to_owned();
    }
    let errors = reading.findings.iter().filter(|finding| finding.severity == Severity::Error);
    errors.map(ToString::to_string).collect::<Vec<_>>().join("\n")
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

#[test]
fn a_script_has_as_much_memory_as_it_needs_to_run() {
    let script = |memory: &str| {
        refused(&format!(
            "<rules><on event='pre_tool_call'><deny/><script file='a.luau' memory_bytes='{memory}'/></on></rules>"
        ))
    };
    for memory in ["65536", "268435456"] {
        assert_eq!(script(memory), "IT LOADS");
    }
    for memory in ["1", "65535", "268435457"] {
        let said = script(memory);
        assert!(said.contains("`memory_bytes` is 65536 at least and 268435456 at most"), "{said}");
    }
}
