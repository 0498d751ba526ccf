//! What a model says, as the Markdown that it is: raw HTML in it is text, pictures are named and not fetched.

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use crate::html::Html;

/// Writes Markdown. Headings are lowered, so that those of the page stay above them.
pub(crate) fn write(text: &str, html: &mut Html) {
    let mut writer = Writer { html, open: Vec::new(), head: false };
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    Parser::new_ext(text, options).for_each(|event| writer.event(event));
}

struct Writer<'h> {
    html: &'h mut Html,
    /// The elements that are open; `None` for those that are not written.
    open: Vec<Option<&'static str>>,
    head: bool,
}

impl Writer<'_> {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(&tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => self.html.text(&text),
            Event::Code(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                self.html.leaf("code", &[], &text);
            }
            Event::FootnoteReference(name) => self.html.text(&format!("[{name}]")),
            Event::SoftBreak => self.html.text("\n"),
            Event::HardBreak => self.html.own("<br>"),
            Event::Rule => self.html.own("<hr>"),
            Event::TaskListMarker(done) => self.html.text(if done { "☑ " } else { "☐ " }),
        }
    }

    fn start(&mut self, tag: &Tag<'_>) {
        let name = match tag {
            Tag::Paragraph => "p",
            Tag::Heading { level, .. } => lowered(*level),
            Tag::BlockQuote(_) => "blockquote",
            Tag::CodeBlock(kind) => return self.code_block(kind),
            Tag::List(None) => "ul",
            Tag::List(Some(first)) => return self.push("ol", &[("start", &first.to_string())]),
            Tag::Item => "li",
            Tag::Table(_) => "table",
            Tag::TableHead => {
                self.head = true;
                self.push("thead", &[]);
                self.html.open("tr", &[]);
                return;
            }
            Tag::TableRow => "tr",
            Tag::TableCell => return self.push(if self.head { "th" } else { "td" }, &[]),
            Tag::Emphasis => "em",
            Tag::Strong => "strong",
            Tag::Strikethrough => "del",
            Tag::Link { dest_url, .. } if is_safe(dest_url) => {
                return self.push("a", &[("href", dest_url), ("rel", "noopener noreferrer nofollow")]);
            }
            // An address that is no link stands in words: nobody follows what nobody sees.
            Tag::Link { dest_url, .. } => {
                self.html.text(&format!("⟨{dest_url}⟩ "));
                return self.open.push(None);
            }
            Tag::Image { dest_url, .. } => {
                self.html.text(&format!("🖼 ⟨{dest_url}⟩ "));
                "em"
            }
            _ => return self.open.push(None),
        };
        self.push(name, &[]);
    }

    fn push(&mut self, name: &'static str, said: &[(&'static str, &str)]) {
        self.html.open(name, said);
        self.open.push(Some(name));
    }

    fn code_block(&mut self, kind: &CodeBlockKind<'_>) {
        match kind {
            CodeBlockKind::Fenced(language) if !language.is_empty() => {
                self.push("pre", &[("tabindex", "0"), ("data-language", language)]);
            }
            _ => self.push("pre", &[("tabindex", "0")]),
        }
    }

    fn end(&mut self, tag: TagEnd) {
        if tag == TagEnd::TableHead {
            self.head = false;
            self.html.close("tr");
        }
        if let Some(Some(name)) = self.open.pop() {
            self.html.close(name);
        }
    }
}

fn lowered(level: HeadingLevel) -> &'static str {
    match level {
        HeadingLevel::H1 | HeadingLevel::H2 => "h4",
        HeadingLevel::H3 => "h5",
        _ => "h6",
    }
}

/// Addresses that a click may open: no script, no data.
fn is_safe(address: &str) -> bool {
    let address = address.to_ascii_lowercase();
    ["https://", "http://", "mailto:"].iter().any(|scheme| address.starts_with(scheme))
}
