//! What whoever is denied, warned or asked reads: each reason with its place, the deciding one first.

use std::fmt::Write as _;

use mentci_authority::{Event, Trust};
use mentci_host::policy::{Alone, Court, Outside, RuleFile, Rulebook, admit};
use mentci_ledger::{Act, Record};
use mentci_pdp::Options;
use mentci_source::Source;

const RULES: &str = r#"
honeypots: [dump_all]
rules:
  - id: no-etc
    when: {tool: write, args: {path: {starts_with: /etc}}}
    then: block
    severity: critical
    message: "`/etc` is not yours"
  - {id: ask, description: writing is asked for, when: {tool: write}, then: approve}
  - {id: tell, when: {tool: write}, then: warn, severity: high}
  - {id: size, when: {tool: write, if: "arg('bytes') > 10"}, then: block}
"#;

fn told(lines: &[&str], killed: bool) -> String {
    let files = [RuleFile::new(Source::new("rules.yaml", RULES), Trust::User)];
    let rulebook = Rulebook::read(&files, Options::default(), &mut Alone);
    let mut court = Court::new(&rulebook, Outside::nothing());
    if killed {
        let act = Act::Killed { reason: "it ran away".into(), by: "ada".into() };
        court.fold(&Record::act("", mentci_authority::At::default(), act));
    }
    let mut text = String::new();
    for line in lines {
        let event: Event = serde_json::from_str(line).expect("an event");
        let verdict = court.hear(&admit(event), true);
        writeln!(text, "{}", verdict.decision.name()).expect("text is written");
        for reason in verdict.reasons {
            let (effect, at) = (reason.effect.name(), reason.at);
            writeln!(text, "  {effect} {} at {at}: {}", reason.rule, reason.message)
                .expect("text is written");
        }
        for fault in verdict.faults {
            writeln!(text, "  fault {} at {}: {}", fault.rule, fault.at, fault.message)
                .expect("text is written");
        }
    }
    text
}

fn write(args: &str) -> String {
    format!(r#"{{"event":"pre_tool_call","tool":{{"name":"write","args":{args}}}}}"#)
}

#[test]
fn every_reason_has_its_place() {
    let text = told(&[&write(r#"{"path":"/etc/x","bytes":11}"#)], false);
    insta::assert_snapshot!(text, @r"
    block
      block no-etc at rules.yaml:4:5: `/etc` is not yours
      block size at rules.yaml:11:5: rule `size` says block
      approve ask at rules.yaml:9:5: writing is asked for
      warn tell at rules.yaml:10:5: rule `tell` says warn
    ");
}

#[test]
fn a_fault_is_the_reason() {
    let text = told(&[&write(r#"{"path":"x","bytes":"many"}"#), &write(r#"{"path":"x"}"#)], false);
    insta::assert_snapshot!(text, @r"
    block
      block size at rules.yaml:11:5: the rule could not be decided: a string and a whole number cannot be ordered
      approve ask at rules.yaml:9:5: writing is asked for
      warn tell at rules.yaml:10:5: rule `tell` says warn
      fault size at rules.yaml:11:5: a string and a whole number cannot be ordered
    block
      block size at rules.yaml:11:5: the rule could not be decided: a value that is not there cannot be ordered
      approve ask at rules.yaml:9:5: writing is asked for
      warn tell at rules.yaml:10:5: rule `tell` says warn
      fault size at rules.yaml:11:5: a value that is not there cannot be ordered
    ");
}

#[test]
fn what_is_no_rule_says_what_it_is() {
    let honey = r#"{"event":"pre_tool_call","tool":{"name":"dump_all","args":{}}}"#;
    insta::assert_snapshot!(told(&[honey], false), @r"
    block
      block __honeypot__ at rules.yaml:2:13: `dump_all` is a honeypot: no honest agent calls it
    ");
    insta::assert_snapshot!(told(&[r#"{"event":"pre_tool_call","tool":{"name":"read","args":{}}}"#], true), @r"
    block
      block __kill_switch__ at read: the kill switch is on: it ran away
    ");
}
