//! Blocks of HTML: what stands between their tags is text as any other.

use mentci_source::Span;

use super::{Block, BlockKind, within};

/// Elements whose tags only mark up, so that text runs on over them.
const INLINE: &[&str] = &[
    "a", "abbr", "b", "big", "cite", "code", "del", "dfn", "em", "font", "i", "ins", "kbd", "mark", "q", "s",
    "samp", "small", "span", "strong", "sub", "sup", "tt", "u", "var",
];

/// Elements that part what stands before them from what stands in them. Tags of other names may be placeholders, such as `<file>`.
const PARTING: &[&str] = &[
    "address",
    "article",
    "aside",
    "base",
    "basefont",
    "blockquote",
    "body",
    "br",
    "caption",
    "center",
    "col",
    "colgroup",
    "dd",
    "details",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "frame",
    "frameset",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "header",
    "hr",
    "html",
    "iframe",
    "img",
    "legend",
    "li",
    "link",
    "main",
    "menu",
    "menuitem",
    "meta",
    "nav",
    "noframes",
    "ol",
    "optgroup",
    "option",
    "p",
    "param",
    "picture",
    "pre",
    "search",
    "section",
    "source",
    "summary",
    "table",
    "tbody",
    "td",
    "textarea",
    "tfoot",
    "th",
    "thead",
    "title",
    "tr",
    "track",
    "ul",
    "video",
];

/// Elements that hold no text.
const MUTE: &[&str] = &["script", "style", "svg"];

/// HTML within Markdown within HTML, and so on, is read this deep: the rest is nobody's text.
const MAX_DEPTH: usize = 8;

/// A block of HTML runs to the next blank line. Lines of tags and comments stay HTML; what else stands in it is Markdown again, without the
/// tags.
pub(super) fn split(text: &str, block: Block, elements: usize) -> Vec<Block> {
    let start = block.span.start as usize;
    let body = &text[block.span.range()];
    let told = told(body);
    if elements >= MAX_DEPTH || told.lines().all(is_tag) {
        return vec![block];
    }
    let mut pieces: Vec<(bool, usize, usize)> = Vec::new();
    let mut at = 0;
    for line in body.split_inclusive('\n') {
        let end = at + line.len();
        let is_text = !told[at..end].lines().all(is_tag);
        match pieces.last_mut() {
            Some((was_text, _, last)) if *was_text == is_text => *last = end,
            _ => pieces.push((is_text, at, end)),
        }
        at = end;
    }
    let read = |(is_text, from, to): (bool, usize, usize)| {
        // What is HTML still when all its tags are gone would be read for ever.
        if is_text && told[from..to] != *body {
            let had_tags = told[from..to] != body[from..to];
            within_tags((&told[from..to], start + from), had_tags, elements + 1)
        } else {
            vec![Block::new(BlockKind::Html, Span::new(start + from, start + to))]
        }
    };
    pieces.into_iter().flat_map(read).collect()
}

/// Reads the text that stands at `start`. Where tags stood in it, the space at the start of its lines is layout.
fn within_tags((text, start): (&str, usize), had_tags: bool, elements: usize) -> Vec<Block> {
    let mut kept = String::with_capacity(text.len());
    let mut places = Vec::with_capacity(text.len());
    let mut at = start;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let trimmed = if had_tags || index == 0 { line.trim_start_matches([' ', '\t']) } else { line };
        let skipped = line.len() - trimmed.len();
        kept.push_str(trimmed);
        places.extend(at + skipped..at + line.len());
        at += line.len();
    }
    within::read_inside(&kept, elements, |offset| places.get(offset).copied().unwrap_or(at))
}

/// `<file>` alone on its line.
fn is_tag(line: &str) -> bool {
    let mut rest = line.trim();
    while let Some((_, behind)) = rest.strip_prefix('<').and_then(|inner| inner.split_once('>')) {
        rest = behind.trim_start();
    }
    rest.is_empty() || line.trim_end().ends_with("/>") && line.trim_start().starts_with(['<', '/'])
}

/// The text of a block, byte for byte in its place: tags and comments are blank, and end the line where they part.
fn told(body: &str) -> String {
    let mut told = String::with_capacity(body.len());
    let mut at = 0;
    while let Some(open) = body[at..].find('<').map(|open| at + open) {
        told.push_str(&body[at..open]);
        let (end, kind) = markup(body, open);
        match kind {
            Markup::None => told.push_str(&body[open..end]),
            Markup::Inline => blank(&mut told, &body[open..end], false),
            Markup::Parting => blank(&mut told, &body[open..end], true),
        }
        at = end;
    }
    told.push_str(&body[at..]);
    told
}

enum Markup {
    None,
    Inline,
    Parting,
}

/// Blanks, with the line ends kept; a tag of three bytes at least holds an empty line.
fn blank(told: &mut String, tag: &str, parts: bool) {
    let last = tag.len() - if parts { 2 } else { 0 };
    for (at, byte) in tag.bytes().enumerate() {
        told.push(if at >= last || byte == b'\n' { '\n' } else { ' ' });
    }
}

/// What opens at `open`, and where it ends.
fn markup(body: &str, open: usize) -> (usize, Markup) {
    let rest = &body[open..];
    let until = |end: &str| rest.find(end).map_or(body.len(), |at| open + at + end.len());
    if rest.starts_with("<!--") {
        return (until("-->"), Markup::Inline);
    }
    if rest.starts_with("<!") || rest.starts_with("<?") {
        return (until(">"), Markup::Inline);
    }
    let name = rest[1..].strip_prefix('/').unwrap_or(&rest[1..]);
    let name = &name[..name.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(name.len())];
    let is = |names: &[&str]| names.iter().any(|known| name.eq_ignore_ascii_case(known));
    if is(MUTE) && !rest.starts_with("</") {
        return (until(&format!("</{name}>")), Markup::Parting);
    }
    match () {
        () if is(INLINE) => (until(">"), Markup::Inline),
        () if is(PARTING) || is(MUTE) => (until(">"), Markup::Parting),
        () => (open + 1, Markup::None),
    }
}
