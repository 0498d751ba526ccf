//! The page: head, contents, the transcript in exchanges, the rules that acted.

use mentci_chatmd::{Block, Document, Element, Node};
use mentci_source::Source;

use crate::html::Html;
use crate::rules::{self, RuleText, RuleTexts};
use crate::story::Story;
use crate::{block, head, margin};

/// What the page is made from.
pub(crate) struct Desk<'d> {
    pub(crate) source: &'d Source,
    pub(crate) document: &'d Document,
    pub(crate) story: Story<'d>,
    pub(crate) rules: RuleTexts,
}

impl Desk<'_> {
    pub(crate) fn rule(&self, name: &str) -> Option<&RuleText> {
        self.rules.get(name)
    }
}

/// A transcript as one page of HTML. `elsewhere` holds the rules that are not the document's own; what stands in neither
/// is told as not found.
///
/// ```
/// use mentci_chatmd::Document;
/// use mentci_page::{RuleTexts, page};
/// use mentci_source::Source;
/// let source = Source::new("a.chatmd", "<user>\n<script>alert(1)</script>\n</user>\n");
/// let page = page(&source, &Document::read(&source).value, &RuleTexts::new());
/// assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;") && !page.contains("<script"));
/// ```
pub fn page(source: &Source, document: &Document, elsewhere: &RuleTexts) -> String {
    let desk =
        Desk { source, document, story: Story::of(document), rules: texts(source, document, elsewhere) };
    let mut html = Html::default();
    html.own("<!doctype html>\n");
    html.element("html", &[("lang", "en")], |html| {
        html.element("head", &[], |html| head_of(&desk, html));
        html.element("body", &[], |html| body(&desk, html));
    });
    html.own("\n");
    html.into_string()
}

fn texts(source: &Source, document: &Document, elsewhere: &RuleTexts) -> RuleTexts {
    let mut own = rules::own_rules(source, document);
    let found = rules::rules_named(document).into_keys().filter_map(|name| {
        let text = own.remove(name).or_else(|| elsewhere.get(name).cloned())?;
        Some((name.to_owned(), text))
    });
    found.collect()
}

fn head_of(desk: &Desk<'_>, html: &mut Html) {
    html.own(
        "<meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
    );
    html.own(
        "<meta name=\"color-scheme\" content=\"light dark\"><meta name=\"referrer\" content=\"no-referrer\">",
    );
    // Should the escaping ever fail, the page still runs and fetches nothing.
    html.own("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">");
    html.leaf("title", &[], &format!("{} · transcript", head::name(desk)));
    html.own(concat!("<style>", include_str!("page.css"), "</style>"));
}

fn body(desk: &Desk<'_>, html: &mut Html) {
    html.own("<a class=\"skip\" href=\"#transcript\">Skip to the transcript</a>");
    html.element("header", &[], |html| head::write(desk, html));
    contents(desk, html);
    html.element("main", &[("id", "transcript")], |html| {
        for (number, part) in desk.story.parts().into_iter().enumerate() {
            if !part.is_empty() {
                section(desk, number, part, html);
            }
        }
    });
    margin::rules(desk, html);
    html.own("<footer><p>Made by <code>policy-engine chatmd render</code>. Every block stands in the file; the numbers count its blocks.</p></footer>");
}

/// The way to each exchange; a document of one needs none.
fn contents(desk: &Desk<'_>, html: &mut Html) {
    if desk.story.exchanges().count() < 2 {
        return;
    }
    html.element("nav", &[("aria-label", "Exchanges")], |html| {
        html.own("<h2>Exchanges</h2>");
        html.element("ol", &[], |html| {
            for (number, at) in desk.story.exchanges().enumerate() {
                let text = words(desk.story.blocks[at]);
                html.element("li", &[], |html| {
                    let to = format!("#exchange-{}", number + 1);
                    html.leaf("a", &[("href", &to)], &excerpt(&text));
                });
            }
        });
    });
}

/// What a block says beside what it embeds.
fn words(block: &Block) -> String {
    if block.children().next().is_none() {
        return block.text().into_string();
    }
    block.nodes().iter().filter(|node| node.as_block().is_none()).map(Node::written).collect()
}

/// The first words of a text.
fn excerpt(text: &str) -> String {
    const MOST: usize = 72;
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("(nothing)");
    if line.chars().count() <= MOST {
        return line.to_owned();
    }
    line.chars().take(MOST - 1).chain(['…']).collect()
}

fn section(desk: &Desk<'_>, number: usize, part: std::ops::Range<usize>, html: &mut Html) {
    let (id, title) = match number {
        0 => ("head".to_owned(), "Before the first exchange".to_owned()),
        _ => (format!("exchange-{number}"), format!("Exchange {number}")),
    };
    html.element("section", &[("aria-labelledby", &format!("{id}-title")), ("id", &id)], |html| {
        html.leaf("h2", &[("id", &format!("{id}-title"))], &title);
        let mut at = part.start;
        while at < part.end {
            at = row(desk, at, part.end, html);
        }
    });
}

/// One block with what stands in its margin: who wrote it, and what rules did after it. Gives the next block's place.
fn row(desk: &Desk<'_>, at: usize, end: usize, html: &mut Html) -> usize {
    let is_event = |at: &usize| desk.story.blocks[*at].element() == Some(Element::RuleEvent);
    let first_event = if is_event(&at) { at } else { at + 1 };
    let next = (first_event..end).find(|at| !is_event(at)).unwrap_or(end);
    // An answer stands with its call.
    let is_told = is_event(&at) || desk.story.calls.call_of(at).is_some();
    if is_told && first_event == next {
        return next;
    }
    html.element("div", &[("class", "row")], |html| {
        if !is_told {
            block::write(desk, at, html);
        }
        margin::write(desk, (!is_told).then_some(at), first_event..next, html);
    });
    next
}
