//! One file's text under its path.

use std::sync::Arc;

use crate::{Code, Finding, Hash, LineIndex, Place, Reading, Span};

/// The largest file that is read as law: 64 MiB. A larger one is a finding, not a source.
pub const MAX_SOURCE_BYTES: u64 = 64 << 20;

/// The text of one file, decoded, with its lines indexed and its bytes hashed. Cheap to clone.
///
/// It can never hold text that is not UTF-8, and its text never starts with a byte order mark.
#[derive(Debug, Clone)]
pub struct Source {
    path: Arc<str>,
    text: Arc<str>,
    hash: Hash,
    lines: Arc<LineIndex>,
}

impl Source {
    /// A source from text that is known to be UTF-8.
    pub fn new(path: &str, text: &str) -> Self {
        Self::with_hash(path, text, Hash::of_bytes(text.as_bytes()))
    }

    fn with_hash(path: &str, text: &str, hash: Hash) -> Self {
        Self { path: path.into(), text: text.into(), hash, lines: Arc::new(LineIndex::new(text)) }
    }

    /// Decodes a file's bytes. Never fails: a byte order mark is taken off, bytes that are not UTF-8 become U+FFFD,
    /// and each oddity is a finding with its place.
    pub fn decode(path: &str, bytes: &[u8]) -> Reading<Self> {
        let hash = Hash::of_bytes(bytes);
        let body = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        let mut findings = Vec::new();
        let source = match std::str::from_utf8(body) {
            Ok(text) => Self::with_hash(path, text, hash),
            Err(error) => {
                let source = Self::with_hash(path, &String::from_utf8_lossy(body), hash);
                let finding = Finding::new(Code::NOT_UTF8, "this is not UTF-8 text")
                    .help("save the file as UTF-8; the bytes that could not be read stand as `\u{FFFD}`")
                    .at(&source, Span::at(error.valid_up_to()));
                findings.push(finding);
                source
            }
        };
        if let Some(at) = body.iter().position(|&byte| byte == 0) {
            findings.push(
                Finding::new(Code::BINARY_FILE, "this file holds a NUL byte")
                    .help("save the law as text; what could be read was read")
                    .at(&source, Span::at(at)),
            );
        }
        if body.len() != bytes.len() {
            findings.push(
                Finding::new(Code::BYTE_ORDER_MARK, "the file starts with a byte order mark")
                    .help("it was ignored; save the file without it")
                    .at(&source, Span::at(0)),
            );
        }
        Reading { value: source, findings }
    }

    /// The path, relative to the workspace, with `/` between its parts.
    pub fn path(&self) -> &Arc<str> {
        &self.path
    }

    /// The decoded text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The same, shared.
    pub fn shared_text(&self) -> Arc<str> {
        self.text.clone()
    }

    /// The hash of the bytes as they stand on disk.
    pub fn hash(&self) -> Hash {
        self.hash
    }

    /// The text of `span`; empty where the span does not lie on character boundaries.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or("")
    }

    /// Line and column of a byte offset.
    pub fn place(&self, offset: usize) -> Place {
        self.lines.place(&self.text, offset)
    }

    /// First and last line of a span, both from 1, both included. A line break at the span's end is not counted.
    pub fn lines_of(&self, span: Span) -> (u32, u32) {
        let text = self.slice(span);
        let end = span.start as usize + text.trim_end_matches(['\n', '\r']).len();
        (
            self.lines.line(span.start as usize),
            self.lines.line(end.saturating_sub(1).max(span.start as usize)),
        )
    }

    /// The line index.
    pub fn lines(&self) -> &LineIndex {
        &self.lines
    }

    /// How many lines the text has.
    pub fn line_count(&self) -> u32 {
        self.lines.count(&self.text)
    }

    /// The bytes of one line (from 1), without its line break.
    pub fn span_of_line(&self, line: u32) -> Span {
        self.lines.span_of_line(&self.text, line)
    }
}

/// Two sources are the same when path and bytes are.
impl PartialEq for Source {
    fn eq(&self, other: &Self) -> bool {
        self.path == other.path && self.hash == other.hash
    }
}

impl Eq for Source {}
