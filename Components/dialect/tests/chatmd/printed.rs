//! What is printed, and what cannot be.

use std::sync::Arc;

use mentci_authority::{Effect, Trust};
use mentci_dialect::{Dialect, OriginHint, print, read};
use mentci_source::Source;

use super::{set, told};

fn canonical(text: &str) -> String {
    print(&set(text), Dialect::Chatmd).expect("it can be said")
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
