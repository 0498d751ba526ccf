//! A call with its answer.

use mentci_chatmd::Block;
use serde_json::Value;

use crate::block::{long, pill};
use crate::html::Html;
use crate::page::Desk;

pub(crate) fn write(desk: &Desk<'_>, at: usize, html: &mut Html) {
    let call = desk.story.blocks[at];
    arguments(call, html);
    match desk.story.calls.answer_of(at) {
        Some(answer) => self::answer(desk, answer, html),
        None => html.own("<p class=\"lost\">Nothing answers this call.</p>"),
    }
}

/// The arguments: JSON with space in it, or the words as they stand; attributes of the tag in older documents.
fn arguments(call: &Block, html: &mut Html) {
    let text = call.text();
    let text = text.as_str().trim();
    if !text.is_empty() {
        return html.leaf("pre", &[("class", "arguments"), ("tabindex", "0")], &spaced(text));
    }
    let known = ["id", "name", "tool_call_id", "function_name", "via_rule", "synthetic", "at", "type"];
    let said = call.attributes().iter().filter(|attribute| !known.contains(&attribute.name.as_str()));
    let said: Vec<String> =
        said.map(|attribute| format!("{}: {}", attribute.name, attribute.text())).collect();
    if !said.is_empty() {
        html.leaf("pre", &[("class", "arguments"), ("tabindex", "0")], &said.join("\n"));
    }
}

/// JSON on lines of its own; what is none stands as it is.
fn spaced(text: &str) -> String {
    let value =
        serde_json::from_str::<Value>(text).ok().filter(|value| value.is_object() || value.is_array());
    let spaced = value
        .and_then(|value| if text.len() > 60 { serde_json::to_string_pretty(&value).ok() } else { None });
    spaced.unwrap_or_else(|| text.to_owned())
}

pub(crate) fn answer(desk: &Desk<'_>, at: usize, html: &mut Html) {
    let answer = desk.story.blocks[at];
    let denied = answer.value("denied");
    let class = if denied.is_some() { "answer denied" } else { "answer" };
    html.element("div", &[("class", class), ("id", &format!("b{}", at + 1))], |html| {
        html.element("p", &[("class", "outcome")], |html| {
            html.leaf("span", &[("class", "arrow"), ("aria-hidden", "true")], "↳");
            outcome(answer, denied, html);
            html.leaf(
                "a",
                &[("class", "number"), ("href", &format!("#b{}", at + 1))],
                &format!("{}", at + 1),
            );
        });
        let text = answer.text();
        if text.as_str().trim().is_empty() {
            html.own("<p class=\"empty\">(no output)</p>");
        } else {
            long(text.as_str(), html);
        }
        artifact(answer, html);
    });
}

fn outcome(answer: &Block, denied: Option<&str>, html: &mut Html) {
    match (denied, answer.value("status")) {
        (Some(by), _) => {
            let by = match by {
                "policy" => "denied by policy",
                "approval" => "denied: not approved",
                "cancelled" => "cancelled",
                _ => "denied",
            };
            pill("bad", by, html);
        }
        (None, Some("success")) => pill("good", "success", html),
        (None, Some(status)) => pill("bad", status, html),
        (None, None) => pill("", "answer", html),
    }
    for (name, before) in [("redacted", "redacted "), ("mime", "")] {
        if let Some(value) = answer.value(name) {
            pill("", &format!("{before}{value}"), html);
        }
    }
}

fn artifact(answer: &Block, html: &mut Html) {
    let Some(id) = answer.value("artifact") else { return };
    html.element("p", &[("class", "place")], |html| {
        html.text("whole output: artifact ");
        html.leaf("code", &[], id);
        if let Some(size) = answer.value("size").and_then(|size| size.parse().ok()) {
            html.text(&format!(", {} bytes", crate::head::grouped(size)));
        }
    });
}
