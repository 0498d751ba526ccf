//! The margin: which rule wrote a block, and what rules did that left no block to see.

use std::ops::Range;

use mentci_chatmd::Block;

use crate::html::Html;
use crate::page::Desk;
use crate::rules::{rule_of, rules_named};

/// What stands beside a block: its rule, and the rule events after it.
pub(crate) fn write(desk: &Desk<'_>, block: Option<usize>, events: Range<usize>, html: &mut Html) {
    let rule = block.and_then(|at| rule_of(desk.story.blocks[at]).or_else(|| answer_rule(desk, at)));
    if rule.is_none() && events.is_empty() {
        return;
    }
    html.element("aside", &[("class", "margin"), ("aria-label", "What rules did")], |html| {
        if let Some(rule) = rule {
            provenance(desk, rule, html);
        }
        if !events.is_empty() {
            html.element("ul", &[("class", "trace")], |html| {
                events.for_each(|at| event(desk, at, html));
            });
        }
    });
}

/// The rule of the answer, where the call has none: a rule that denied.
fn answer_rule<'d>(desk: &Desk<'d>, call: usize) -> Option<&'d str> {
    rule_of(desk.story.blocks[desk.story.calls.answer_of(call)?])
}

/// The rule with its text and place, or that it is nowhere to be found.
fn provenance(desk: &Desk<'_>, name: &str, html: &mut Html) {
    match desk.rule(name) {
        Some(rule) => html.element("details", &[("class", "rule")], |html| {
            html.element("summary", &[], |html| {
                html.text("by rule ");
                html.leaf("code", &[], name);
                html.own(" ");
                html.leaf("span", &[("class", "place")], &rule.at);
            });
            html.leaf("pre", &[("tabindex", "0")], &rule.text);
        }),
        None => html.element("p", &[("class", "rule lost")], |html| {
            html.text("by rule ");
            html.leaf("code", &[], name);
            html.text(" · not found");
        }),
    }
}

fn event(desk: &Desk<'_>, at: usize, html: &mut Html) {
    let block = desk.story.blocks[at];
    let kind = block.value("type").unwrap_or("event");
    let class = format!("event {}", if matches!(kind, "fault") { "bad" } else { "" });
    html.element("li", &[("class", class.trim_end()), ("id", &format!("b{}", at + 1))], |html| {
        html.leaf("span", &[("class", "what")], &told(block, kind));
        for (name, before) in [("rule", "rule "), ("event", "at ")] {
            if let Some(value) = block.value(name) {
                html.element("span", &[], |html| {
                    html.own(" ");
                    html.text(before);
                    html.leaf("code", &[], value);
                });
            }
        }
        body(block, kind, html);
    });
}

fn told(block: &Block, kind: &str) -> String {
    match kind {
        "set" => format!("set {}", block.value("var").unwrap_or("?")),
        "approval" if block.value("granted") == Some("true") => "approved".to_owned(),
        "approval" => "refused".to_owned(),
        "suppressed" => match block.value("why") {
            Some(why) => format!("suppressed: {why}"),
            None => "suppressed".to_owned(),
        },
        "reserved" => format!("agents spent {}", block.value("count").unwrap_or("?")),
        _ => kind.to_owned(),
    }
}

fn body(block: &Block, kind: &str, html: &mut Html) {
    let text = block.text();
    let text = text.as_str().trim();
    if !text.is_empty() {
        html.own(if kind == "set" { " = " } else { " " });
        html.leaf("code", &[("class", "value")], text);
    }
}

/// All rules that acted, each with the blocks that it made.
pub(crate) fn rules(desk: &Desk<'_>, html: &mut Html) {
    let named = rules_named(desk.document);
    if named.is_empty() {
        return;
    }
    html.element("section", &[("class", "rules"), ("aria-labelledby", "rules-title")], |html| {
        html.own("<h2 id=\"rules-title\">Rules that acted</h2>");
        for (name, places) in named {
            html.element("article", &[("class", "rule")], |html| one(desk, name, &places, html));
        }
    });
}

fn one(desk: &Desk<'_>, name: &str, places: &[usize], html: &mut Html) {
    html.element("h3", &[], |html| html.leaf("code", &[], name));
    html.element("p", &[("class", "place")], |html| {
        html.text(desk.rule(name).map_or("not found in this document or the workspace", |rule| &rule.at));
        html.text(" · acted at");
        for &at in places {
            let at = desk.story.calls.call_of(at).unwrap_or(at) + 1;
            html.own(" ");
            html.leaf("a", &[("href", &format!("#b{at}"))], &at.to_string());
        }
    });
    if let Some(rule) = desk.rule(name) {
        html.leaf("pre", &[("tabindex", "0")], &rule.text);
    }
}
