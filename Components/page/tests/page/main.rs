//! The page: what it shows of a session, and that nothing of a transcript is ever markup.

#![allow(clippy::unwrap_used, clippy::too_many_lines, reason = "a test may stop; a page in words is long")]

mod hostile;
mod words;

use mentci_chatmd::Document;
use mentci_page::{RuleText, RuleTexts, page};
use mentci_source::Source;

const SESSION: &str = include_str!("../fixtures/session.chatmd");

fn rendered(text: &str) -> String {
    let source = Source::new("sema.chatmd", text);
    let elsewhere = RuleTexts::from([(
        "builtin/adaptive-authority".to_owned(),
        RuleText { text: "- id: adaptive-authority".to_owned(), at: "builtin.yaml:12:3".to_owned() },
    )]);
    page(&source, &Document::read(&source).value, &elsewhere)
}

/// The tags of a page, opened and closed; panics where one is closed that is not open.
fn tags(html: &str) -> Vec<&str> {
    let body = html.split_once("<body>").map_or("", |(_, body)| body);
    let mut names = Vec::new();
    let mut open: Vec<&str> = Vec::new();
    for part in body.split('<').skip(1) {
        let (tag, _) = part.split_once('>').expect("a tag ends");
        if let Some(name) = tag.strip_prefix('/') {
            if let Some(last) = open.pop() {
                assert_eq!(last, name, "{tag}");
            } else {
                assert!(matches!(name, "body" | "html"), "{tag}");
            }
            continue;
        }
        let name = tag.split(' ').next().unwrap();
        names.push(name);
        if !matches!(name, "br" | "hr") {
            open.push(name);
        }
    }
    assert_eq!(open, Vec::<&str>::new());
    names
}

const KNOWN: &[&str] = &[
    "a",
    "article",
    "aside",
    "b",
    "blockquote",
    "br",
    "code",
    "dd",
    "del",
    "details",
    "div",
    "dl",
    "dt",
    "em",
    "footer",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "li",
    "main",
    "nav",
    "ol",
    "p",
    "pre",
    "section",
    "span",
    "strong",
    "summary",
    "table",
    "tbody",
    "td",
    "th",
    "thead",
    "tr",
    "ul",
];

fn is_clean(html: &str) {
    for tag in tags(html) {
        assert!(KNOWN.contains(&tag), "<{tag}> in {html}");
    }
    let body = html.split_once("<body>").unwrap().1;
    for part in body.split('<').skip(1).filter_map(|part| part.split_once('>')).map(|(tag, _)| tag) {
        for attribute in part.split_once(' ').map_or("", |(_, said)| said).split("\" ") {
            let name = attribute.split('=').next().unwrap_or("").trim();
            let known = [
                "",
                "class",
                "id",
                "href",
                "rel",
                "tabindex",
                "aria-label",
                "aria-labelledby",
                "aria-hidden",
                "start",
                "data-language",
            ];
            assert!(known.contains(&name), "`{name}` in <{part}>");
            if let Some(address) = attribute.strip_prefix("href=\"") {
                let safe = ["#", "https://", "http://", "mailto:"]
                    .iter()
                    .any(|start| address.to_ascii_lowercase().starts_with(start));
                assert!(safe, "{address}");
            }
        }
    }
}
