//! The head of the page: what was run, and what came of it in figures.

use mentci_chatmd::{Block, Config, Declarations, Element};

use crate::html::Html;
use crate::page::Desk;

/// The document's name, without its folders.
pub(crate) fn name<'d>(desk: &Desk<'d>) -> &'d str {
    let path: &str = desk.source.path();
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

pub(crate) fn write(desk: &Desk<'_>, html: &mut Html) {
    html.own("<p class=\"kind\">Transcript</p>");
    html.leaf("h1", &[], name(desk));
    let declared = Declarations::read(desk.source, desk.document).value;
    settings(&declared.config, html);
    figures(desk, html);
}

fn settings(config: &Config, html: &mut Html) {
    let mut said: Vec<(&'static str, String)> = Vec::new();
    said.extend(config.model.clone().map(|model| ("model", model)));
    said.extend(config.budget.map(|budget| ("budget", format!("{} tokens", grouped(budget.into())))));
    said.extend(config.max_tokens.map(|most| ("reply", format!("up to {} tokens", grouped(most.into())))));
    said.extend(config.temperature.map(|temperature| ("temperature", temperature.to_string())));
    said.extend(config.reasoning_effort.map(|effort| ("reasoning", effort.name().to_owned())));
    if said.is_empty() {
        return;
    }
    html.element("dl", &[("class", "settings")], |html| {
        for (name, value) in &said {
            html.element("div", &[], |html| {
                html.leaf("dt", &[], name);
                html.leaf("dd", &[], value);
            });
        }
    });
}

fn figures(desk: &Desk<'_>, html: &mut Html) {
    let story = &desk.story;
    let element = |wanted: Element| story.count(|block| block.element() == Some(wanted));
    let counts = [
        (story.exchanges().count(), "exchange", "exchanges"),
        (story.turns(), "turn of the model", "turns of the model"),
        (element(Element::ToolCall), "tool call", "tool calls"),
        (story.count(is_denied), "denied", "denied"),
        (story.count(Block::is_synthetic), "block by rules", "blocks by rules"),
        (element(Element::Compaction), "compaction", "compactions"),
    ];
    html.element("ul", &[("class", "figures"), ("aria-label", "In figures")], |html| {
        for (count, one, many) in counts.into_iter().filter(|(count, ..)| *count > 0) {
            html.element("li", &[], |html| {
                html.leaf("strong", &[], &grouped(count as u64));
                html.own(" ");
                html.text(if count == 1 { one } else { many });
            });
        }
    });
}

pub(crate) fn is_denied(block: &Block) -> bool {
    block.element() == Some(Element::ToolResponse) && block.value("denied").is_some()
}

/// A number as people read it: `41,200`.
///
/// ```
/// assert_eq!(mentci_page::grouped(41_200), "41,200");
/// ```
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
