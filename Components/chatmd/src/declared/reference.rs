//! What a document names and does not hold: imports, files, pictures, other agents.

use mentci_source::Span;

use super::said::Said;
use crate::{Block, Element};

/// A place that a document names: a file, or an address.
#[derive(Debug, Clone)]
pub struct Reference {
    /// As written: a path relative to the folder of the document, or `scheme://…`.
    pub src: String,
    /// Where it is written.
    pub span: Span,
}

/// Places stand outside equality.
impl PartialEq for Reference {
    fn eq(&self, other: &Self) -> bool {
        self.src == other.src
    }
}

impl Eq for Reference {}

impl Reference {
    /// What a block names: by `src`, or by `file` as older documents write it.
    pub fn of(block: &Block) -> Option<Self> {
        let attribute = block.attribute("src").or_else(|| block.attribute("file"))?;
        let src = attribute.value.as_ref()?.as_str().trim();
        (!src.is_empty()).then(|| Self { src: src.to_owned(), span: attribute.value_span })
    }

    /// Whether it is an address: `https://…`. All else is a path, with `local` and without.
    pub fn is_remote(&self) -> bool {
        self.src.split_once("://").is_some_and(|(scheme, _)| {
            !scheme.is_empty()
                && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
        })
    }
}

/// What stands in the text of a message for something else: `<doc>`, `<img>`, `<agent>`, `<import>`.
///
/// ```
/// use mentci_chatmd::{Document, Embedded};
/// use mentci_source::Source;
/// let source = Source::new("a.chatmd", "<user>Sum up <doc src=\"README.md\" local strip/></user>");
/// let document = Document::read(&source).value;
/// let doc = document.blocks().next().and_then(|user| user.children().find_map(Embedded::of));
/// assert!(matches!(doc, Some(Embedded::Doc { from, strip: true }) if from.src == "README.md"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Embedded {
    /// The text of a file, in place.
    Doc {
        /// The file.
        from: Reference,
        /// Whether markup in it is taken off: of HTML, its text alone.
        strip: bool,
    },
    /// A picture, in place.
    Img(Reference),
    /// What another agent answers to the block's text, in place.
    Agent(Reference),
    /// The text of another document, in place.
    Import(Reference),
}

impl Embedded {
    /// What a block stands for; `None` where it names nothing, or is none of these.
    pub fn of(block: &Block) -> Option<Self> {
        let from = Reference::of(block);
        Some(match block.element()? {
            Element::Doc => Self::Doc { from: from?, strip: is_on(block, "strip") },
            Element::Img => Self::Img(from?),
            Element::Agent => Self::Agent(from?),
            Element::Import => Self::Import(from?),
            _ => return None,
        })
    }

    /// What it names.
    pub fn reference(&self) -> &Reference {
        match self {
            Self::Doc { from, .. } | Self::Img(from) | Self::Agent(from) | Self::Import(from) => from,
        }
    }
}

fn is_on(block: &Block, name: &str) -> bool {
    block.value(name).is_some_and(|value| !matches!(value.trim(), "false" | "0" | "no"))
}

pub(crate) fn import(said: &mut Said<'_>) -> Option<Reference> {
    said.expect(&["src", "file", "local"]);
    said.switch("local");
    let from = Reference::of(said.block);
    if from.is_none() {
        said.odd("this `<import>` names no file", "write `<import src=\"tools.chatmd\"/>`");
    }
    from
}
