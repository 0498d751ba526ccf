//! From the parser's events to a tree of blocks.

use std::ops::Range;

use mentci_source::Span;
use pulldown_cmark::{CodeBlockKind, CowStr, Event, Options, Parser, Tag, TagEnd};

use super::emphasis::is_of_name;
use super::parts::{Part, parts};
use super::{Block, BlockKind, Style, html};

/// Reads the text from `start` on; all spans are offsets into the whole text.
pub(super) fn read(text: &str, start: usize) -> Vec<Block> {
    read_inside(text, start, 0)
}

/// Reads what stands within `elements` blocks of HTML.
pub(super) fn read_inside(text: &str, start: usize, elements: usize) -> Vec<Block> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_GFM;
    let mut blocks = Vec::new();
    for part in parts(text, start) {
        let part = match part {
            Part::Text(part) => part,
            Part::Nested(part) => {
                blocks.push(nested(text, &part));
                continue;
            }
        };
        let mut builder = Builder::new(&text[..part.end], part.start, elements);
        for (event, range) in Parser::new_ext(&text[part.clone()], options).into_offset_iter() {
            builder.take(event, range.start + part.start..range.end + part.start);
        }
        blocks.append(&mut builder.finish());
    }
    blocks
}

/// A fence that holds others.
fn nested(text: &str, fence: &Range<usize>) -> Block {
    let builder = Builder::new(text, fence.start, 0);
    let info = text[fence.clone()].lines().next().unwrap_or_default().trim_start_matches(['`', '~']).trim();
    Block::new(builder.fence(&CodeBlockKind::Fenced(info.into()), fence), span(fence))
}

/// Containers nested deeper than this are read as if they stood on this level: nobody means them, and the walk over the
/// tree stays bounded.
const MAX_DEPTH: usize = 64;

struct Builder<'t> {
    text: &'t str,
    /// Open blocks, the document first.
    open: Vec<Block>,
    /// Marks around the text that comes next.
    marks: Marks,
    /// Open links: where their text starts, and where they lead.
    links: Vec<(usize, String)>,
    /// Numbers of the open lists' next items.
    numbers: Vec<Option<u64>>,
    /// How many containers were opened beyond [`MAX_DEPTH`].
    beyond: usize,
    /// Within how many blocks of HTML the text stands.
    elements: usize,
    /// The letter of the line that comes next, where that is `b. …` below `a. …`, and whether the text that comes now opens with one.
    letter: Option<char>,
    lettered: bool,
}

#[derive(Default)]
struct Marks {
    strong: u32,
    emphasis: u32,
    link: u32,
    /// What is struck out is no text.
    struck: u32,
    /// For each open piece of emphasis: what stands between its marks, where these are letters of a name.
    of_name: Vec<Option<Range<usize>>>,
}

impl Marks {
    fn style(&self, code: bool) -> Style {
        Style { code, strong: self.strong > 0, emphasis: self.emphasis > 0, link: self.link > 0 }
    }
}

impl<'t> Builder<'t> {
    fn new(text: &'t str, start: usize, elements: usize) -> Self {
        let document = Block::new(BlockKind::Quote, Span::new(start, text.len()));
        Self {
            text,
            open: vec![document],
            marks: Marks::default(),
            links: Vec::new(),
            numbers: Vec::new(),
            beyond: 0,
            elements,
            letter: None,
            lettered: false,
        }
    }

    fn finish(mut self) -> Vec<Block> {
        while self.open.len() > 1 {
            self.close();
        }
        self.open.pop().map(|document| document.children).unwrap_or_default()
    }

    fn take(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag, range),
            Event::End(tag) => self.end(tag, range),
            Event::Code(text) => self.push_text(&text, range, true),
            Event::InlineHtml(text) if is_markup(&text) => {}
            Event::Text(text) if text.trim().is_empty() && self.text[range.clone()].starts_with('&') => {
                self.push_text(&self.text[range.clone()], range, true);
            }
            Event::Text(text) if std::mem::take(&mut self.lettered) && text.len() == range.len() => {
                let mark = text.len() - text[2.min(text.len())..].trim_start().len();
                self.push_text(&text[mark..], range.start + mark..range.end, false);
            }
            Event::Text(text) | Event::InlineHtml(text) => self.push_text(&text, range, false),
            Event::SoftBreak if self.opens_letter(range.end) => {
                self.lettered = true;
                self.push_text("\n", range, false);
            }
            Event::Html(_) => self.grow(range.end),
            Event::SoftBreak if self.opens_anew(range.end) || self.is_beside_tag(range.end) => {
                self.push_text("\n", range, false);
            }
            Event::SoftBreak => self.push_text(" ", range, false),
            Event::HardBreak if self.goes_on(range.end) => self.push_text(" ", range, false),
            Event::HardBreak => self.push_text("\n", range, false),
            Event::Rule => self.leaf(Block::new(BlockKind::Rule, span(&range))),
            Event::TaskListMarker(ticked) => self.tick(ticked),
            _ => self.push_text(self.text.get(range.clone()).unwrap_or(""), range, false),
        }
    }

    fn start(&mut self, tag: Tag<'_>, range: Range<usize>) {
        if matches!(tag, Tag::Paragraph | Tag::Item | Tag::Heading { .. }) {
            (self.letter, self.lettered) = (None, false);
        }
        let container = matches!(tag, Tag::BlockQuote(_) | Tag::List(_) | Tag::Item);
        if container && (self.beyond > 0 || self.open.len() >= MAX_DEPTH) {
            self.close_implied();
            self.beyond += 1;
            return;
        }
        let kind = match tag {
            Tag::Heading { level, .. } => BlockKind::Heading(level as u8),
            Tag::Paragraph => BlockKind::Paragraph,
            Tag::List(first) => {
                self.numbers.push(first);
                BlockKind::List(first)
            }
            Tag::Item => BlockKind::Item { number: self.next_number(), task: None },
            Tag::BlockQuote(_) => BlockKind::Quote,
            Tag::Table(_) => BlockKind::Table,
            Tag::TableHead | Tag::TableRow => BlockKind::Row,
            Tag::TableCell => BlockKind::Cell,
            Tag::CodeBlock(kind) => self.fence(&kind, &range),
            Tag::HtmlBlock => BlockKind::Html,
            Tag::Strong => return self.emphasise(&range, 2),
            Tag::Emphasis => return self.emphasise(&range, 1),
            Tag::Strikethrough => return self.marks.struck += 1,
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => return self.open_link(&dest_url),
            _ => return,
        };
        if !matches!(kind, BlockKind::Paragraph) {
            self.close_implied();
        }
        self.open.push(Block::new(kind, span(&range)));
    }

    fn end(&mut self, tag: TagEnd, range: Range<usize>) {
        let container = matches!(tag, TagEnd::BlockQuote(_) | TagEnd::List(_) | TagEnd::Item);
        if container && self.beyond > 0 {
            self.close_implied();
            self.beyond -= 1;
            return;
        }
        match tag {
            TagEnd::Strong => self.end_emphasis(&range, 2),
            TagEnd::Strikethrough => self.marks.struck = self.marks.struck.saturating_sub(1),
            TagEnd::Emphasis => self.end_emphasis(&range, 1),
            TagEnd::Link | TagEnd::Image => self.close_link(&range),
            TagEnd::Paragraph => self.close(),
            TagEnd::List(_) => {
                self.numbers.pop();
                self.close_implied();
                self.close();
            }
            TagEnd::Heading(_)
            | TagEnd::Item
            | TagEnd::BlockQuote(_)
            | TagEnd::Table
            | TagEnd::TableHead
            | TagEnd::TableRow
            | TagEnd::TableCell
            | TagEnd::CodeBlock
            | TagEnd::HtmlBlock => {
                self.close_implied();
                self.close();
            }
            _ => {}
        }
    }

    /// Opens an emphasised piece with marks of `width` bytes; marks that are letters of a name are text.
    fn emphasise(&mut self, range: &Range<usize>, width: usize) {
        let around = self.marks.of_name.last().is_some_and(|inner| inner.as_ref() == Some(range));
        let of_name = around || is_of_name(self.text, range, width);
        self.marks.of_name.push(of_name.then(|| range.start + width..range.end - width));
        match width {
            _ if of_name => self.push_mark(range.start..range.start + width),
            1 => self.marks.emphasis += 1,
            _ => self.marks.strong += 1,
        }
    }

    fn end_emphasis(&mut self, range: &Range<usize>, width: usize) {
        let of_name = self.marks.of_name.pop().flatten().is_some();
        match width {
            _ if of_name => self.push_mark(range.end - width..range.end),
            1 => self.marks.emphasis = self.marks.emphasis.saturating_sub(1),
            _ => self.marks.strong = self.marks.strong.saturating_sub(1),
        }
    }

    fn push_mark(&mut self, range: Range<usize>) {
        let text = self.text;
        self.push_text(&text[range.clone()], range, false);
    }

    /// Text right in an item opens a paragraph of its own; block starts and ends close it.
    fn push_text(&mut self, text: &str, range: Range<usize>, code: bool) {
        if self.marks.struck > 0 {
            return;
        }
        let style = self.marks.style(code);
        let Some(top) = self.open.last_mut() else { return };
        let opens = matches!(top.kind, BlockKind::Item { .. } | BlockKind::Quote)
            || !matches!(top.kind, BlockKind::Fence { .. } | BlockKind::Html)
                && (top.text.as_str().is_empty() || top.text.as_str().ends_with('\n'));
        if let Some((mark, rest)) = verdict_in_words(text).filter(|_| opens && !code) {
            let behind = range.end - rest.len();
            self.push_text(mark, range.start..behind, code);
            return self.push_text(rest, behind..range.end, code);
        }
        let Some(top) = self.open.last_mut() else { return };
        match top.kind {
            BlockKind::Fence { .. } => top.text.push(text, span(&range), style),
            BlockKind::Html => {}
            BlockKind::Item { .. } | BlockKind::Quote => {
                let mut paragraph = Block::new(BlockKind::Paragraph, span(&range));
                paragraph.text.push(text, span(&range), style);
                self.open.push(paragraph);
            }
            _ => {
                top.text.push(text, span(&range), style);
                top.span = top.span.join(span(&range));
            }
        }
    }

    /// Whether `<Output_Contract>` stands alone on the line that ends here, or `</Output_Contract>` on the one that begins: HTML has no such
    /// name, and what stands beside it is a text of its own.
    fn is_beside_tag(&self, next: usize) -> bool {
        let lone = |line: &str| {
            let name = line.trim().strip_prefix('<').and_then(|rest| rest.strip_suffix('>'));
            let name = name.map(|name| name.strip_prefix('/').unwrap_or(name));
            name.is_some_and(|name| {
                name.contains('_')
                    && name.starts_with(|c: char| c.is_ascii_alphabetic())
                    && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            })
        };
        let ended =
            self.open.last().and_then(|top| top.text.as_str().rsplit('\n').next()).unwrap_or_default();
        let begins = self.text.get(next..).and_then(|rest| rest.lines().next()).unwrap_or_default();
        lone(ended) || lone(begins)
    }

    /// Whether a paragraph is a list without marks: three short lines at least, each of which opens with a capital and ends
    /// without a mark.
    fn is_list_of_lines(&self, paragraph: &Block) -> bool {
        const LONGEST: usize = 4_096;
        let start = paragraph.span.start as usize;
        let Some(text) = self.text.get(start..) else { return false };
        let mut lines = 0;
        let mut bytes = 0;
        for line in text.lines().take_while(|line| !line.trim().is_empty()) {
            let line = line.trim();
            bytes += line.len() + 1;
            let opens = line.starts_with(|c: char| c.is_uppercase());
            let ends = line.ends_with(char::is_alphanumeric);
            if bytes > LONGEST || !opens || !ends || line.len() > 60 {
                return false;
            }
            lines += 1;
        }
        lines >= 3
    }

    /// `**Shared state:** …` or `Good: …` on a line of its own, where the first line of the text, the line above or the one below is
    /// one, too.
    fn is_line_of_labels(&self, paragraph: &Block, at: usize) -> bool {
        let first = self.text.get(paragraph.span.start as usize..).map_or("", opening_line);
        let above = self.text[..at].lines().next_back().map_or("", opening_line);
        let line = opening_line(&self.text[at..]);
        let below = self.text[at..].lines().nth(1).map_or("", opening_line);
        paragraph.kind == BlockKind::Paragraph
            && has_label(line)
            && [first, above, below].into_iter().any(has_label)
    }

    /// `Never cut the line` under `Always reef the sails`: the line at `at` opens with a word that begins a sentence only, and the
    /// line above it is over.
    fn is_order_anew(&self, at: usize) -> bool {
        const OPENING: &[&str] = &["Never ", "Always ", "Don't ", "Do not "];
        let above = self.text.get(..at).unwrap_or("").trim_end();
        let line = opening_line(&self.text[at..]);
        above.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '`' | ')' | '"'))
            && OPENING.iter().any(|word| line.starts_with(word))
    }

    /// Whether the line at `at` goes on with the text above it only because no blank line parts them: `NEVER:` or `</rules>` right
    /// after an item, without indentation; or as one of a list of lines.
    fn opens_anew(&self, at: usize) -> bool {
        let line = self.text[at..].lines().next().unwrap_or("");
        if verdict_in_words(line).is_some() || self.is_order_anew(at) {
            return true;
        }
        if self.open.last().is_some_and(|top| self.is_title(top, at) || self.is_line_of_labels(top, at)) {
            return true;
        }
        let in_item = self.open.iter().any(|block| matches!(block.kind, BlockKind::Item { .. }));
        if !in_item {
            return self.open.last().is_some_and(|top| self.is_list_of_lines(top));
        }
        let lead =
            line.trim_end().trim_end_matches('*').ends_with(':') && line.split_whitespace().count() <= 6;
        // `✅ Do:` opens as `Do:` does.
        let bare = line.trim_start_matches(|c: char| !c.is_ascii() && !c.is_alphanumeric()).trim_start();
        // `**Forbidden**` at the margin, right under an item.
        let strong = line.trim_end().strip_prefix("**").and_then(|rest| rest.strip_suffix("**"));
        let title = strong.is_some_and(|title| {
            title.starts_with(char::is_uppercase)
                && !title.contains('*')
                && title.split_whitespace().count() <= 4
        });
        line.starts_with("</") || title || lead && bare.starts_with(|c: char| c.is_uppercase() || c == '*')
    }

    /// `**Somebody else's notes**` alone on the first line of a paragraph, and a sentence on the line at `at`.
    fn is_title(&self, paragraph: &Block, at: usize) -> bool {
        const LONGEST: usize = 60;
        let start = paragraph.span.start as usize;
        // In an item without blank lines the paragraph begins with its first text.
        let marks = if self.text.get(..start).is_some_and(|before| before.ends_with("**")) { 2 } else { 0 };
        let Some(line) = self.text.get(start - marks..at).map(str::trim) else { return false };
        let title = line.strip_prefix("**").and_then(|rest| rest.strip_suffix("**")).unwrap_or("");
        let opens = self.text[at..].trim_start_matches([' ', '*', '_', '`']).starts_with(char::is_uppercase);
        let ends = title.ends_with(|c: char| c.is_alphanumeric() || c == ')');
        paragraph.kind == BlockKind::Paragraph
            && opens
            && ends
            && title.len() <= LONGEST
            && !title.contains(['\n', '*'])
    }

    /// Whether the line at `at` is `a. …` below a colon, or `b. …` below such a line: Markdown knows no such lists, and would make one sentence
    /// of them.
    fn opens_letter(&mut self, at: usize) -> bool {
        let line = self.text[at..].lines().next().unwrap_or("").trim_start();
        let mut chars = line.chars();
        let (letter, mark, space) = (chars.next(), chars.next(), chars.next());
        let marked = matches!(mark, Some('.' | ')')) && space == Some(' ');
        let above = self.text[..at].trim_end().ends_with(':');
        let expected = if above { Some('a') } else { self.letter };
        let opens = marked && letter.is_some() && letter == expected;
        if opens {
            self.letter = letter.and_then(|letter| char::from_u32(u32::from(letter) + 1));
        }
        opens
    }

    /// Whether the line at `at` goes on with the sentence above it: that one has no end, and this one opens with a small letter.
    fn goes_on(&self, at: usize) -> bool {
        let open = |block: &Block| !block.text.as_str().trim_end().ends_with(['.', '!', '?', ':', ';']);
        let small = self.text[at..].trim_start().starts_with(char::is_lowercase);
        small && self.open.last().is_some_and(open)
    }

    fn close_implied(&mut self) {
        if self.open.last().is_some_and(|block| block.kind == BlockKind::Paragraph) {
            self.close();
        }
    }

    fn close(&mut self) {
        if self.open.len() < 2 {
            return;
        }
        let Some(block) = self.open.pop() else { return };
        self.leaf(block);
    }

    fn leaf(&mut self, block: Block) {
        if block.kind == BlockKind::Rule {
            self.close_implied();
        }
        let Some(parent) = self.open.last_mut() else { return };
        match block.kind {
            BlockKind::Html => parent.children.extend(html::split(self.text, block, self.elements)),
            _ => parent.children.push(block),
        }
    }

    fn grow(&mut self, end: usize) {
        if let Some(top) = self.open.last_mut() {
            top.span = top.span.join(Span::at(end));
        }
    }

    fn next_number(&mut self) -> Option<u64> {
        let slot = self.numbers.last_mut()?;
        let number = (*slot)?;
        *slot = Some(number + 1);
        Some(number)
    }

    fn tick(&mut self, ticked: bool) {
        let item = self.open.iter_mut().rev().find(|block| matches!(block.kind, BlockKind::Item { .. }));
        if let Some(Block { kind: BlockKind::Item { task, .. }, .. }) = item {
            *task = Some(ticked);
        }
    }

    fn open_link(&mut self, destination: &CowStr<'_>) {
        self.marks.link += 1;
        let at = self.open.last().map_or(0, |block| block.text.as_str().len());
        self.links.push((at, destination.to_string()));
    }

    fn close_link(&mut self, range: &Range<usize>) {
        self.marks.link = self.marks.link.saturating_sub(1);
        let (Some((start, destination)), Some(top)) = (self.links.pop(), self.open.last_mut()) else {
            return;
        };
        let start = if start > top.text.as_str().len() { 0 } else { start };
        let told = names_file(&destination) && !top.text.as_str()[start..].contains(&destination);
        let shown = told && !matches!(top.kind, BlockKind::Heading(_)) && self.marks.struck == 0;
        top.text.link(start, destination.clone());
        let place = self.text.get(range.clone()).and_then(|link| link.rfind(&destination));
        if let Some(at) = place.filter(|_| shown) {
            let at = range.start + at;
            self.push_text(&format!(" ({destination})"), at..at + destination.len(), false);
        }
    }

    fn fence(&self, kind: &CodeBlockKind<'_>, range: &Range<usize>) -> BlockKind {
        let text = &self.text[range.clone()];
        let CodeBlockKind::Fenced(info) = kind else {
            return BlockKind::Fence { language: String::new(), body: span(range), closed: true };
        };
        let language = info.split([' ', ',', '{']).next().unwrap_or("").to_lowercase();
        let body_start = text.find('\n').map_or(text.len(), |at| at + 1);
        let marker: &str = {
            let opening = text.trim_start();
            let first = opening.chars().next().unwrap_or('`');
            &opening[..opening.len() - opening.trim_start_matches(first).len()]
        };
        let last = text.trim_end().rfind('\n').map_or("", |at| text.trim_end()[at + 1..].trim());
        let closed = text.trim_end().contains('\n') && last.starts_with(marker);
        let body_end =
            if closed { text.trim_end().rfind('\n').map_or(text.len(), |at| at + 1) } else { text.len() };
        let body = Span::new(range.start + body_start.min(body_end), range.start + body_end);
        BlockKind::Fence { language, body, closed }
    }
}

fn span(range: &Range<usize>) -> Span {
    Span::new(range.start, range.end)
}

/// Whether inline HTML only marks up: a comment, or a tag such as `<b>`; other tags may be placeholders, such as `<file>`.
fn is_markup(html: &str) -> bool {
    const TAGS: &[&str] = &[
        "b", "strong", "i", "em", "u", "s", "br", "kbd", "sub", "sup", "small", "mark", "span", "ins", "del",
        "font",
    ];
    let name = html.trim_start_matches(['<', '/']).split([' ', '>', '/', '\n']).next().unwrap_or("");
    html.starts_with("<!--") || TAGS.contains(&name.to_ascii_lowercase().as_str())
}

/// `FAIL: Two knots`, `PASS: ALWAYS …`: the mark of a verdict in words, and what stands behind it. `FAIL: 3 of 4` counts.
fn verdict_in_words(text: &str) -> Option<(&'static str, &str)> {
    let (mark, rest) = match (text.strip_prefix("FAIL:"), text.strip_prefix("PASS:")) {
        (Some(rest), _) => ("❌", rest),
        (_, Some(rest)) => ("✅", rest),
        _ => return None,
    };
    let said = rest.strip_prefix(' ')?;
    said.starts_with(|c: char| c.is_uppercase() || c == '`').then_some((mark, rest))
}

/// The first line of a text, without what stands in front of its words: indentation, marks of a quotation, signs.
fn opening_line(text: &str) -> &str {
    let line = text.lines().next().unwrap_or("");
    line.trim_start_matches(|c: char| c != '*' && !c.is_alphanumeric())
}

/// `**Shared state:** …`, `Good: …`, `Must not: …`: what is bold, or few plain words with a capital, in front of a colon.
fn has_label(line: &str) -> bool {
    const MOST: usize = 3;
    let bold = line.strip_prefix("**").and_then(|rest| rest.split_once("**"));
    bold.is_some_and(|(label, rest)| label.ends_with(':') || rest.starts_with(':'))
        || line.split_once(": ").is_some_and(|(label, said)| {
            label.starts_with(char::is_uppercase)
                && label.chars().all(|c| c.is_alphabetic() || matches!(c, ' ' | '\'' | '’' | '-'))
                && label.split(' ').count() <= MOST
                && !said.trim().is_empty()
        })
}

/// Whether a link leads to a file beside this one: its name says more than the words that are linked.
fn names_file(destination: &str) -> bool {
    let elsewhere =
        destination.contains("://") || destination.starts_with(['#', '/']) || destination.contains("mailto:");
    !elsewhere && destination.contains(['.', '/']) && !destination.contains(char::is_whitespace)
}
