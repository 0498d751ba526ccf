//! A set laid out for a dialect, or what that dialect cannot say of it.

use mentci_authority::{Dialect, Honeypot, RuleSet, RuleSeverity, RuleTest};
use serde_json::Value as Json;

use super::doc::{Doc, MAX_DEPTH};
use super::rule::{name_pattern, rule_fields};
use super::{Unsayable, rule};

/// A set laid out: what is around the rules, and the rules.
pub(super) struct Laid {
    pub(super) head: Vec<(&'static str, Doc)>,
    pub(super) rules: Vec<rule::LaidRule>,
}

pub(super) fn lay_out(set: &RuleSet, dialect: Dialect, named: bool) -> Result<Laid, Vec<Unsayable>> {
    let laid = Laid {
        head: head(set, dialect, named),
        rules: set.rules.iter().map(|rule| rule_fields(rule, dialect)).collect(),
    };
    let mut unsayable = Vec::new();
    let mut look = |doc: &Doc, rule: Option<&str>| {
        doc.unsayable(dialect != Dialect::Toml, MAX_DEPTH, &mut |feature| {
            unsayable.push(Unsayable { rule: rule.map(str::to_owned), feature: feature.to_owned(), dialect });
        });
    };
    laid.head.iter().for_each(|(_, doc)| look(doc, None));
    for (rule, laid) in set.rules.iter().zip(&laid.rules) {
        let id = Some(rule.id.as_str());
        let parts = laid.fields.iter().chain(&laid.condition).map(|(_, doc)| doc).chain(&laid.actions);
        parts.for_each(|doc| look(doc, id));
    }
    unsayable.sort();
    unsayable.dedup();
    if unsayable.is_empty() { Ok(laid) } else { Err(unsayable) }
}

fn head(set: &RuleSet, dialect: Dialect, named: bool) -> Vec<(&'static str, Doc)> {
    let name = if dialect == Dialect::Yaml { "shield_name" } else { "name" };
    let default = if dialect == Dialect::Edn { "default" } else { "default_verdict" };
    let fields = [
        (name, named.then(|| Doc::text(&set.name))),
        ("version", set.version.as_deref().map(Doc::version)),
        ("description", set.description.as_ref().map(Doc::text)),
        (default, set.default_effect.map(|effect| Doc::Word(effect.name()))),
        ("max_actions_per_event", set.max_fired.map(|count| Doc::Int(i64::from(count)))),
        ("allow_auto_calls", (set.max_calls != 1).then(|| Doc::Int(i64::from(set.max_calls)))),
        ("trace", set.visible_trace.then_some(Doc::Word("visible"))),
        (
            "honeypots",
            (!set.honeypots.is_empty()).then(|| Doc::List(set.honeypots.iter().map(honeypot).collect())),
        ),
        ("tests", (!set.tests.is_empty()).then(|| tests(&set.tests))),
    ];
    fields.into_iter().filter_map(|(key, doc)| Some((key, doc?))).collect()
}

fn honeypot(pot: &Honeypot) -> Doc {
    let mut fields = vec![("name", name_pattern(&pot.tool))];
    fields.extend(pot.message.as_ref().map(|message| ("alert", Doc::text(message))));
    if pot.severity != RuleSeverity::default() {
        fields.push(("severity", Doc::Word(pot.severity.name())));
    }
    Doc::Map(fields)
}

pub(super) fn tests(tests: &[RuleTest]) -> Doc {
    Doc::List(tests.iter().map(test).collect())
}

fn test(test: &RuleTest) -> Doc {
    let mut fields = Vec::new();
    if !test.name.is_empty() {
        fields.push(("name", Doc::text(&test.name)));
    }
    if !test.before.is_empty() {
        fields.push(("before", Doc::List(test.before.iter().map(event).collect())));
    }
    fields.push(("event", event(&test.event)));
    fields.extend(test.decision.map(|effect| ("decision", Doc::Word(effect.name()))));
    fields.extend(test.rules.as_ref().map(|rules| ("rules", Doc::texts(rules))));
    Doc::Map(fields)
}

/// An event as its JSON; what is absent anyway is left out.
fn event(event: &mentci_authority::Event) -> Doc {
    let Ok(mut json) = serde_json::to_value(event) else { return Doc::Unsayable("an event that is no JSON") };
    for (outer, inner) in [("tool", "args"), ("result", "value")] {
        if let Some(Json::Object(map)) = json.get_mut(outer)
            && map.get(inner).is_some_and(Json::is_null)
        {
            map.remove(inner);
        }
    }
    Doc::json(&json)
}
