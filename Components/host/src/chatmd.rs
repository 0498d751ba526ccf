//! ChatMD documents: what is asked of them, and what comes back.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::policy::Input;

/// What a door asks of a ChatMD document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "chatmd", rename_all = "snake_case", deny_unknown_fields)]
pub enum ChatmdRequest {
    /// Its blocks. -> [`DocumentAnswer`]
    Parse {
        /// The document.
        document: Input,
    },
    /// Its canonical text, written where a file is named. -> [`CanonicalAnswer`]
    Format {
        /// The document.
        document: Input,
        /// Writes nothing; findings where it would change.
        #[serde(default)]
        check: bool,
    },
    /// What a reader would silently pass over. -> [`CheckedAnswer`] with findings
    Check {
        /// The document.
        document: Input,
    },
    /// A page of HTML. -> [`PageAnswer`]
    Render {
        /// The document.
        document: Input,
        /// The file to write; the page is given back when absent.
        #[serde(default)]
        out: Option<String>,
    },
}

/// The blocks of a document.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DocumentAnswer {
    /// Its file.
    pub path: String,
    /// Its parts, in order: blocks, and what stands between them.
    pub nodes: Vec<NodeView>,
}

/// A part of a document.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum NodeView {
    /// An element.
    Block(BlockView),
    /// Text.
    Text(PassageView),
    /// `RAW|…|RAW`.
    Raw(PassageView),
    /// `<!-- … -->`.
    Comment(PassageView),
}

/// Some bytes of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PassageView {
    /// As they stand.
    pub text: String,
    /// From which byte to before which.
    pub span: [u32; 2],
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// A block.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BlockView {
    /// Its number among the blocks of the document, from 1; none within another block.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<usize>,
    /// Its name.
    pub name: String,
    /// Whose message it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<&'static str>,
    /// Whether a rule wrote it.
    pub synthetic: bool,
    /// The rule that wrote it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub via_rule: Option<String>,
    /// Whether it counts: declarations and law count in the head.
    pub in_force: bool,
    /// Its attributes, in order.
    pub attributes: Vec<AttributeView>,
    /// What it says: entities decoded, fences taken off. None where it holds elements.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// What stands in it, where it holds elements.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<NodeView>,
    /// From which byte to before which.
    pub span: [u32; 2],
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// An attribute of a tag.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AttributeView {
    /// Its name.
    pub name: String,
    /// Its value; none for a bare name.
    pub value: Option<String>,
    /// From which byte to before which.
    pub span: [u32; 2],
}

/// A document rewritten.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CanonicalAnswer {
    /// Its file.
    pub path: String,
    /// Whether the canonical text is another than the one that stands.
    pub changed: bool,
    /// The canonical text, where no file was to be written.
    pub text: Option<String>,
}

/// A document looked at.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CheckedAnswer {
    /// Its file.
    pub path: String,
    /// How many blocks it has.
    pub blocks: usize,
    /// How many rules its law states, with what it imports.
    pub rules: usize,
    /// Whether its law could be read; what could not be is closed.
    pub law_reads: bool,
    /// The tools that it declares, with what it imports.
    pub tools: Vec<String>,
    /// The files that it imports, in the order in which they were read.
    pub imports: Vec<String>,
    /// What is set for the model.
    pub config: Value,
}

/// A page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PageAnswer {
    /// The document's file.
    pub path: String,
    /// The file that was written.
    pub out: Option<String>,
    /// The page, where no file was written.
    pub html: Option<String>,
    /// How long it is.
    pub bytes: usize,
    /// The rules that blocks name and that stand neither in the document nor in the workspace.
    pub rules_not_found: Vec<String>,
}
