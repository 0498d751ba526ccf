//! One block: whose it is, what it says, what became of it.

use mentci_authority::Role;
use mentci_chatmd::{Block, Element, Embedded, Node};

use crate::html::Html;
use crate::page::Desk;
use crate::{call, head, markdown, story};

/// Outputs with more lines or bytes than this are folded.
const LINES: usize = 16;
const BYTES: usize = 2_000;

pub(crate) fn write(desk: &Desk<'_>, at: usize, html: &mut Html) {
    let block = desk.story.blocks[at];
    let hidden = desk.story.hidden_by(at);
    let class = format!(
        "{} {}{}",
        kind(block),
        if block.is_synthetic() { "synthetic " } else { "" },
        if hidden.is_some() { "hidden" } else { "" }
    );
    html.element("article", &[("class", class.trim_end()), ("id", &format!("b{}", at + 1))], |html| {
        title(desk, at, html);
        pills(block, hidden, html);
        html.element("div", &[("class", "body")], |html| body(desk, at, html));
    });
}

/// The name of the block's class in the style.
fn kind(block: &Block) -> &'static str {
    match (block.element(), block.role()) {
        (Some(Element::ToolCall), _) => "call",
        (Some(Element::ToolResponse), _) => "call orphan",
        (Some(Element::Reasoning), _) => "reasoning",
        (Some(Element::Compaction | Element::Summary), _) => "compaction",
        (Some(Element::Note), _) => "note",
        (_, Some(Role::System)) => "system",
        (_, Some(Role::Developer)) => "developer",
        (_, Some(Role::User)) => "user",
        (_, Some(Role::Assistant)) => "assistant",
        _ => "declaration",
    }
}

fn title(desk: &Desk<'_>, at: usize, html: &mut Html) {
    let block = desk.story.blocks[at];
    html.element("h3", &[], |html| {
        html.leaf("span", &[("class", "who")], who(block));
        if let Some(name) = block.tool_name().filter(|_| has_tool(block)) {
            html.own(" ");
            html.leaf("code", &[], name);
        }
        if let Some(turn) = desk.story.turn_at(at) {
            html.leaf("span", &[("class", "turn")], &format!(" turn {turn}"));
        }
        html.own(" ");
        let number = (at + 1).to_string();
        html.element("a", &[("class", "number"), ("href", &format!("#b{number}"))], |html| {
            html.own("<span class=\"unseen\">block </span>");
            html.text(&number);
        });
    });
}

fn has_tool(block: &Block) -> bool {
    matches!(block.element(), Some(Element::ToolCall | Element::ToolResponse | Element::Tool))
}

fn who(block: &Block) -> &'static str {
    match (block.element(), block.role()) {
        (Some(Element::ToolCall), _) => "Tool call",
        (Some(Element::ToolResponse), _) => "Answer without a call",
        (Some(Element::Reasoning), _) => "Reasoning",
        (Some(Element::Summary), _) => "Summary",
        (Some(Element::Compaction), _) => "Compaction",
        (Some(Element::Note), _) => "Note",
        (_, Some(Role::System)) => "System",
        (_, Some(Role::Developer)) => "Developer",
        (_, Some(Role::User)) => "User",
        (_, Some(Role::Assistant)) => "Assistant",
        (Some(Element::Config), _) => "Settings",
        (Some(Element::Tool), _) => "Tool",
        (Some(Element::Import), _) => "Import",
        (Some(Element::Rules), _) => "Rules",
        (Some(Element::Policy), _) => "Policy",
        _ => "Block",
    }
}

pub(crate) fn pill(class: &str, text: &str, html: &mut Html) {
    html.leaf("span", &[("class", format!("pill {class}").trim_end())], text);
}

fn pills(block: &Block, hidden: Option<usize>, html: &mut Html) {
    let mut said: Vec<(&str, String)> = Vec::new();
    said.extend(block.is_synthetic().then(|| ("rule", "synthetic".to_owned())));
    said.extend(block.value("digest").map(|hash| ("digest", format!("digest {}", short(hash)))));
    said.extend(block.value("notification").map(|id| ("", format!("notification {}", short(id)))));
    if block.element() == Some(Element::Note) {
        said.extend(
            block.value("type").map(|kind| (if kind == "error" { "bad" } else { "" }, kind.to_owned())),
        );
    }
    if said.is_empty() && hidden.is_none() {
        return;
    }
    html.element("p", &[("class", "pills")], |html| {
        for (class, text) in &said {
            pill(class, text, html);
        }
        if let Some(by) = hidden {
            let to = format!("#b{}", by + 1);
            let text = format!("the model no longer sees this: compaction {}", by + 1);
            html.leaf("a", &[("class", "pill"), ("href", &to)], &text);
        }
    });
}

/// The first digits of a hash.
fn short(hash: &str) -> String {
    if hash.len() > 16 && hash.is_ascii() { format!("{}…", &hash[..12]) } else { hash.to_owned() }
}

fn body(desk: &Desk<'_>, at: usize, html: &mut Html) {
    let block = desk.story.blocks[at];
    match block.element() {
        Some(Element::ToolCall) => call::write(desk, at, html),
        Some(Element::ToolResponse) => call::answer(desk, at, html),
        Some(Element::Reasoning) => folded("What it thought", html, |html| prose(block, html)),
        Some(Element::Compaction) => compaction(desk, at, html),
        Some(Element::Rules | Element::Policy) => {
            folded("Its text", html, |html| code(block.written(), html));
        }
        Some(Element::Config | Element::Tool | Element::Import) => declaration(block, html),
        _ if block.role() == Some(Role::Assistant) => {
            let text = block.text();
            if text.as_str().trim().is_empty() {
                html.own("<p class=\"empty\">(said nothing)</p>");
            }
            html.element("div", &[("class", "markdown")], |html| markdown::write(text.as_str(), html));
        }
        _ => prose(block, html),
    }
}

/// What a declaration says, on one line.
fn declaration(block: &Block, html: &mut Html) {
    html.element("ul", &[("class", "said")], |html| {
        for attribute in block.attributes().iter().filter(|attribute| attribute.name != "name") {
            html.element("li", &[], |html| {
                html.leaf("span", &[], &attribute.name);
                if attribute.value.is_some() {
                    html.own(" ");
                    html.leaf("code", &[], attribute.text());
                }
            });
        }
    });
    let text = block.text();
    if !text.as_str().trim().is_empty() {
        html.leaf("div", &[("class", "text")], text.as_str().trim());
    }
}

/// Text with what it embeds.
fn prose(block: &Block, html: &mut Html) {
    let has_embedded = block.children().next().is_some();
    if !has_embedded {
        return text(block.text().as_str(), html);
    }
    html.element("div", &[("class", "text")], |html| {
        for (index, node) in block.nodes().iter().enumerate() {
            match node {
                Node::Block(child) => embedded(child, html),
                other if index == 0 => html.text(other.written().trim_start_matches(['\r', '\n'])),
                other => html.text(other.written()),
            }
        }
    });
}

fn embedded(child: &Block, html: &mut Html) {
    match Embedded::of(child) {
        Some(embedded) => html.element("span", &[("class", "embedded")], |html| {
            html.leaf("b", &[], child.name());
            html.text(&format!(" {}", embedded.reference().src));
        }),
        None => html.text(child.written()),
    }
}

/// Text as it is written; folded where it is long.
fn text(text: &str, html: &mut Html) {
    if is_long(text) && text.lines().count() > 3 * LINES {
        return folded(&measure(text), html, |html| html.leaf("div", &[("class", "text")], text));
    }
    html.leaf("div", &[("class", "text")], text);
}

fn code(text: &str, html: &mut Html) {
    html.leaf("pre", &[("tabindex", "0")], text);
}

/// An output: its first lines where it is long, and all of it on demand.
pub(crate) fn long(text: &str, html: &mut Html) {
    if is_long(text) {
        folded(&measure(text), html, |html| code(text, html));
    } else {
        code(text, html);
    }
}

fn is_long(text: &str) -> bool {
    text.len() > BYTES || text.lines().count() > LINES
}

fn measure(text: &str) -> String {
    let lines = text.lines().count();
    let first = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("");
    let first: String = first.chars().take(60).collect();
    format!("{} lines, {} bytes: {first}…", head::grouped(lines as u64), head::grouped(text.len() as u64))
}

fn folded(summary: &str, html: &mut Html, inner: impl FnOnce(&mut Html)) {
    html.element("details", &[], |html| {
        html.leaf("summary", &[], summary);
        inner(html);
    });
}

/// What a compaction hides, and what stands for it.
fn compaction(desk: &Desk<'_>, at: usize, html: &mut Html) {
    let block = desk.story.blocks[at];
    let hides = block.value("hides").unwrap_or("");
    let count = story::numbers(hides, at).len();
    html.element("p", &[], |html| {
        html.text(&format!(
            "{} hidden from the model",
            if count == 1 { "1 block is".to_owned() } else { format!("{count} blocks are") }
        ));
        if !hides.is_empty() {
            html.text(&format!(" ({hides})"));
        }
        let tokens = |name| block.value(name).and_then(|tokens| tokens.parse().ok()).map(head::grouped);
        if let (Some(before), Some(after)) = (tokens("tokens_before"), tokens("tokens_after")) {
            html.text(&format!("; {before} tokens became {after}"));
        }
        html.text(". Nothing was deleted.");
    });
    let said: Vec<String> = ["strategy", "keep"]
        .iter()
        .filter_map(|name| Some(format!("{name} {}", block.value(name)?)))
        .collect();
    if !said.is_empty() {
        html.leaf("p", &[("class", "place")], &said.join(" · "));
    }
    text(block.text().as_str(), html);
}
