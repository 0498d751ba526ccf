//! Trying a rule: an event that may be edited, and what each part of the condition gave.

use mentci_authority::Event;
use mentci_host::policy::{GuardTrace, RuleShown, TrialAnswer};
use mentci_host::session::SessionTotals;
use mentci_page::Html;
use mentci_source::Finding;
use serde_json::Value;

use super::one::example;
use crate::frame::{button, form, hidden};
use crate::words::{count, effect, excerpt, json, pretty, sentence};
use crate::{link, notice};

/// What is tried, and what came of it.
pub(super) struct Trying<'t> {
    /// The event as it stands in its field.
    pub(super) event: String,
    /// The session whose log the rule sees; empty for a new one.
    pub(super) session: String,
    pub(super) sessions: &'t [SessionTotals],
    pub(super) result: Option<&'t TrialAnswer>,
    /// What is wrong with the event.
    pub(super) wrong: &'t [Finding],
}

/// An event as it is edited: without what the user's own settings put into it.
pub(super) fn told(event: &Event) -> String {
    let plain = Event {
        disabled: Vec::new(),
        parameters: std::collections::BTreeMap::new(),
        settings: std::collections::BTreeMap::new(),
        zones: std::collections::BTreeMap::new(),
        commands: Vec::new(),
        files: Vec::new(),
        session: String::new(),
        ..event.clone()
    };
    serde_json::to_value(&plain).map_or_else(|_| String::new(), |event| pretty(&event))
}

pub(super) fn write(trying: &Trying<'_>, shown: &RuleShown, html: &mut Html) {
    html.own("<section aria-labelledby=\"test\"><h2 id=\"test\">Test</h2>");
    html.own("<p class=\"soft\">Change the event and see what the rule makes of it. Nothing happens, and nothing is remembered.</p>");
    // Whoever comes back to the address by itself is led to this rule.
    let action = link::to("/rule/test", "rule", &shown.full_name);
    form(&action, "trying", html, |html| fields(trying, shown, html));
    examples(shown, html);
    if let Some(result) = trying.result {
        outcome(result, html);
    }
    html.own("</section>");
}

fn fields(trying: &Trying<'_>, shown: &RuleShown, html: &mut Html) {
    hidden("rule", &shown.full_name, html);
    html.own("<label for=\"event\">The event, as JSON</label>");
    let lines = trying.event.lines().count().clamp(6, 24).to_string();
    let mut said = vec![
        ("id", "event"),
        ("name", "event"),
        ("rows", lines.as_str()),
        ("spellcheck", "false"),
        ("autocomplete", "off"),
    ];
    if !trying.wrong.is_empty() && trying.result.is_none() {
        said.extend([("aria-invalid", "true"), ("aria-describedby", "event-wrong")]);
    }
    html.leaf("textarea", &said, &trying.event);
    html.element("div", &[("id", "event-wrong")], |html| notice::findings(trying.wrong, html));
    html.element("div", &[("class", "sending")], |html| {
        html.element("label", &[], |html| {
            html.own("In the session <select name=\"session\">");
            choice("", "a new one", &trying.session, html);
            for row in trying.sessions {
                choice(&row.session, &excerpt(&row.session, 40), &trying.session, html);
            }
            html.own("</select>");
        });
        button("main", "Test", html);
    });
}

fn choice(value: &str, text: &str, chosen: &str, html: &mut Html) {
    let mut said = vec![("value", value)];
    if value == chosen {
        said.push(("selected", ""));
    }
    html.leaf("option", &said, text);
}

fn examples(shown: &RuleShown, html: &mut Html) {
    if shown.shown.tests.is_empty() {
        return;
    }
    html.element("p", &[("class", "examples soft")], |html| {
        html.own("Events of its tests: ");
        for (at, test) in shown.shown.tests.iter().enumerate() {
            let name =
                if test.name.is_empty() { format!("test {}", at + 1) } else { excerpt(&test.name, 60) };
            html.leaf("a", &[("href", &example(&shown.full_name, at))], &name);
            html.own(" ");
        }
    });
}

fn outcome(result: &TrialAnswer, html: &mut Html) {
    let class = if result.fires { "outcome fires" } else { "outcome" };
    html.element("div", &[("class", class), ("role", "status"), ("id", "outcome")], |html| {
        html.element("p", &[("class", "verdict")], |html| {
            html.leaf("strong", &[], if result.fires { "It fires." } else { "It does not fire." });
            html.own(" ");
            if result.fires {
                html.own("Alone, it says ");
                effect(result.decision, html);
            }
            html.leaf("span", &[("class", "soft")], &format!(" asked in {} µs", result.took_us));
        });
        for why in &result.unasked {
            html.element("p", &[], |html| sentence(&format!("Not asked: {why}."), html));
        }
        html.own("<h3>What its condition gave</h3>");
        html.element("ul", &[("class", "trace")], |html| part(&result.guard, html));
        actions(result, html);
        faults(result, html);
    });
}

/// A part of the condition with its value, and the parts that were looked at for it.
fn part(guard: &GuardTrace, html: &mut Html) {
    html.element("li", &[], |html| {
        html.leaf("code", &[("class", "guard")], &guard.text);
        html.own(
            " <span class=\"gives\" aria-hidden=\"true\">→</span><span class=\"unseen\"> gives </span> ",
        );
        gave(&guard.gave, html);
        if !guard.parts.is_empty() {
            html.element("ul", &[], |html| guard.parts.iter().for_each(|inner| part(inner, html)));
        }
    });
}

fn gave(value: &Value, html: &mut Html) {
    let fault = value
        .get("fault")
        .and_then(Value::as_str)
        .filter(|_| value.as_object().is_some_and(|map| map.len() == 1));
    match (fault, value) {
        (Some(fault), _) => html.leaf("span", &[("class", "gave fault")], &format!("fault: {fault}")),
        (None, Value::Bool(true)) => html.leaf("span", &[("class", "gave yes")], "true"),
        (None, Value::Bool(false)) => html.leaf("span", &[("class", "gave no")], "false"),
        (None, other) => html.leaf("code", &[("class", "gave")], &excerpt(&other.to_string(), 400)),
    }
}

fn actions(result: &TrialAnswer, html: &mut Html) {
    if result.actions.is_empty() {
        return;
    }
    html.leaf("h3", &[], &format!("What it would do: {}", count(result.actions.len(), "action")));
    for action in &result.actions {
        json(&Value::Object(action.clone()), html);
    }
}

fn faults(result: &TrialAnswer, html: &mut Html) {
    for fault in &result.faults {
        html.element("p", &[("class", "notice error")], |html| {
            html.own("<strong>Fault</strong> ");
            sentence(&fault.message, html);
            if let Some(decided) = fault.decided {
                html.own(" Decided instead: ");
                effect(decided, html);
            }
        });
    }
}
