//! A session as JSON lines that prove themselves: a header, then a line for each event; each ends with its hash.

use std::fmt::Write;

use mentci_source::Hash;
use serde::{Deserialize, Serialize};

use super::{EvidencePack, first_link, leaf_of, merkle, next_link};
use crate::{SESSION_FORMAT, Session, SessionEvent};

/// The first line of an export.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Header {
    pub(crate) format: u32,
    pub(crate) session: String,
    pub(crate) events: usize,
    pub(crate) root: Hash,
}

/// What stands between a line's body and its hash, and what closes it.
const HASH: &str = ",\"hash\":\"";
const CLOSE: &str = "\"}";

impl Session {
    /// The session as JSON lines: a header with the format, the session and the Merkle root, then a line for each event; each
    /// ends with a hash of all before it. Any byte that is changed is found when it is read.
    pub fn to_jsonl(&self) -> String {
        let mut out = String::new();
        for line in self.export() {
            out.push_str(&line);
        }
        out
    }

    /// The lines of [`to_jsonl`](Self::to_jsonl) one by one, each with its line break.
    pub fn export(&self) -> impl Iterator<Item = String> {
        let pack = EvidencePack::of(self);
        let header = Header {
            format: SESSION_FORMAT,
            session: pack.session_id.clone(),
            events: pack.entries.len(),
            root: pack.root,
        };
        let body = open(&header);
        let hash = leaf_of(body.as_bytes());
        let lines = self.log().entries().iter().zip(pack.entries);
        std::iter::once(line(body, &hash))
            .chain(lines.map(|(entry, proved)| line(self::body(&entry.event), &proved.link)))
    }
}

/// An event's line without its hash.
pub(crate) fn body(event: &SessionEvent) -> String {
    open(event)
}

/// The JSON of an object that is not closed.
fn open(value: &impl Serialize) -> String {
    // OK because plain data with text keys is always JSON.
    let mut text = serde_json::to_string(value).unwrap_or_default();
    text.pop();
    text
}

fn line(mut body: String, hash: &Hash) -> String {
    // OK because writing to a string cannot fail.
    let _ = writeln!(body, "{HASH}{hash}{CLOSE}");
    body
}

/// A line's body and its hash.
pub(crate) fn split_line(line: &[u8]) -> Option<(&[u8], Hash)> {
    let rest = line.strip_suffix(CLOSE.as_bytes())?;
    let (rest, digits) = rest.split_at_checked(rest.len().checked_sub(64)?)?;
    let body = rest.strip_suffix(HASH.as_bytes())?;
    let digits =
        std::str::from_utf8(digits).ok().filter(|digits| !digits.contains(|one: char| one.is_uppercase()))?;
    Some((body, Hash::parse(digits)?))
}

impl Header {
    /// Reads a header that holds. A newer format is only read for its number.
    pub(crate) fn read(line: &[u8]) -> Option<Self> {
        #[derive(Deserialize)]
        struct Format {
            format: u32,
        }
        let stated: Format = serde_json::from_slice(line).ok()?;
        if stated.format > SESSION_FORMAT {
            let root = Hash::of_bytes(&[]);
            return Some(Self { format: stated.format, session: String::new(), events: 0, root });
        }
        let (body, hash) = split_line(line)?;
        if leaf_of(body) != hash {
            return None;
        }
        serde_json::from_slice(line).ok()
    }
}

/// Follows an export line by line.
pub(crate) struct Proof {
    header: Header,
    link: Hash,
    leaves: Vec<Hash>,
    broken: Option<u32>,
    last: u32,
}

/// Where an export does not hold.
pub(crate) struct BrokenLine {
    pub(crate) line: u32,
    pub(crate) message: String,
}

impl Proof {
    pub(crate) fn new(header: Header) -> Self {
        let link = first_link(&header.session);
        Self { header, link, leaves: Vec::new(), broken: None, last: 1 }
    }

    /// The leaf of the next line, if everything holds up to it.
    pub(crate) fn line(&mut self, number: u32, bytes: &[u8]) -> Option<Hash> {
        self.last = number;
        if self.broken.is_some() {
            return None;
        }
        let holds = split_line(bytes).and_then(|(body, hash)| {
            let leaf = leaf_of(body);
            let link = next_link(&self.link, &leaf);
            (link == hash).then_some((leaf, link))
        });
        let Some((leaf, link)) = holds else {
            self.broken(number);
            return None;
        };
        self.link = link;
        self.leaves.push(leaf);
        Some(leaf)
    }

    /// A line that is none.
    pub(crate) fn broken(&mut self, number: u32) {
        self.broken.get_or_insert(number);
    }

    /// The root, if all of it holds.
    pub(crate) fn end(self, whole: bool) -> Result<Hash, BrokenLine> {
        if let Some(line) = self.broken {
            let message = "this line is not what was exported, or a line before it is missing".to_owned();
            return Err(BrokenLine { line, message });
        }
        let said = |message: String| Err(BrokenLine { line: self.last, message });
        if self.leaves.len() != self.header.events {
            let (there, stated) = (self.leaves.len(), self.header.events);
            return said(format!("{there} events are there, and the header states {stated}"));
        }
        if merkle::root(self.leaves.iter().copied()) != self.header.root {
            return said("the events are not those that the header's root names".to_owned());
        }
        if whole { Ok(self.header.root) } else { said("the last line break is missing".to_owned()) }
    }
}
