//! `Load this reference when …` below the name of a file: which one `this` is.

use mentci_reader::markdown::{Block, BlockKind};
use mentci_source::Span;

use super::draft::Book;

/// The files that `this` may stand for.
#[derive(Default)]
pub(super) struct ShownFiles {
    /// The file that the heading names.
    headed: Option<(String, Span)>,
    /// Those that the paragraph or the list right above opens with.
    shown: Vec<(String, Span)>,
}

impl ShownFiles {
    /// Looks at a block that was read, which added the norms from `before` on: what they point at stands in front of them.
    pub(super) fn meet(&mut self, book: &mut Book<'_>, block: &Block, before: usize) {
        match &block.kind {
            BlockKind::Heading(_) => {
                let name = block.text.as_str().trim();
                self.headed = is_file(name).then(|| (name.to_owned(), block.span));
                self.shown.clear();
            }
            BlockKind::Paragraph => {
                self.name(book, before);
                self.shown = opening_file(block).into_iter().collect();
            }
            BlockKind::List(_) => {
                self.name(book, before);
                let items = block.children.iter().filter_map(|item| opening_file(item.children.first()?));
                let listed: Vec<_> = items.collect();
                if !listed.is_empty() {
                    self.shown = listed;
                }
            }
            _ => {}
        }
    }

    fn name(&self, book: &mut Book<'_>, before: usize) {
        let files: Vec<&(String, Span)> = match &self.headed {
            Some(headed) if self.shown.is_empty() => vec![headed],
            _ => self.shown.iter().collect(),
        };
        let Some((_, span)) = files.first() else { return };
        let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
        for draft in before..book.drafts.len() {
            if points(&book.drafts[draft].text) == Some(names.len() > 1) {
                let literals = names.iter().map(|name| (*name).to_owned()).collect();
                book.name(draft, &names.join(", "), *span, literals);
            }
        }
    }
}

/// `Reference this for exact depths`, `Load these guides when …`: whether it points at several; none where it does not point.
fn points(text: &str) -> Option<bool> {
    const READING: &[&str] = &["Reference", "Load", "Read", "Consult", "Use", "See", "Check", "Open"];
    const KINDS: &[&str] =
        &["reference", "template", "guide", "file", "checklist", "document", "script", "asset", "example"];
    const WHEN: &[&str] = &["when", "whenever", "for", "to", "if", "before", "while", "during"];
    let mut words = text.split([' ', ':']);
    let (verb, this) = (words.next()?, words.next()?);
    let several = this == "these";
    if !(READING.contains(&verb) && (several || this == "this")) {
        return None;
    }
    let mut next = words.next()?;
    if KINDS.contains(&next.strip_suffix('s').unwrap_or(next)) {
        next = words.next().unwrap_or("when");
    }
    WHEN.contains(&next).then_some(several)
}

/// The file that a paragraph opens with: `` **`references/depths.md`**: How deep it is ``.
fn opening_file(block: &Block) -> Option<(String, Span)> {
    let text = block.text.as_str();
    let codes = block.text.styled(0..text.len(), |style| style.code);
    let first = codes.first().filter(|code| code.start == 0)?;
    let name = &text[first.clone()];
    is_file(name).then(|| (name.to_owned(), block.span))
}

/// `references/depths.md`, `TEMPLATE.md`: one word that ends as files do.
fn is_file(name: &str) -> bool {
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    !name.contains(char::is_whitespace)
        && (1..=5).contains(&ending.len())
        && ending.chars().all(|c| c.is_ascii_alphanumeric())
        && !ending.chars().all(|c| c.is_ascii_digit())
}
