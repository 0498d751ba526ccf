//! Proof that a session is what was recorded.

mod export;
mod merkle;

use mentci_source::Hash;
use serde::{Deserialize, Serialize};

pub(crate) use export::{Header, Proof, body, split_line};
pub use merkle::InclusionProof;

use crate::Session;

/// Hash-chained entries, one for each event, and the Merkle root over them.
///
/// A leaf is the hash of an event's line, a link the hash of the link before it and the leaf. Whoever keeps the root alone can
/// check any one event with an [`InclusionProof`], and the whole session with [`verify`](Self::verify).
///
/// ```
/// use std::sync::Arc;
/// use mentci_authority::At;
/// use mentci_context::{Counts, Session, SessionEventKind};
/// let mut session = Session::new("s1", Arc::new(Counts::new(mentci_tokens::Bytes)));
/// session.record(SessionEventKind::PhaseResult, Default::default(), At::utc(1));
/// session.record(SessionEventKind::PhaseResult, Default::default(), At::utc(2));
/// let mut pack = session.to_evidence_pack();
/// assert!(pack.verify().is_ok());
/// let proof = pack.prove(1).unwrap();
/// assert!(proof.holds(&pack.entries[1].leaf, &pack.root));
/// pack.entries.swap(0, 1);
/// assert_eq!(pack.verify().unwrap_err().index, 0);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EvidencePack {
    /// Whose.
    pub session_id: String,
    /// One for each event, in order.
    pub entries: Vec<Evidence>,
    /// The Merkle root over the leaves.
    pub root: Hash,
}

/// What is proved of one event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// Which.
    pub event_id: String,
    /// The hash of its line.
    pub leaf: Hash,
    /// The hash of the link before it and its leaf.
    pub link: Hash,
}

/// The first entry that does not hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BrokenEvidence {
    /// Its place, from 0; the number of entries when all hold and the root does not.
    pub index: usize,
    /// Its event, when there is one.
    pub event_id: Option<String>,
}

impl std::fmt::Display for BrokenEvidence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.event_id {
            Some(id) => {
                write!(f, "event {} (`{}`) is not what was recorded", self.index + 1, id.escape_debug())
            }
            None => f.write_str("the events are not those that the root names"),
        }
    }
}

impl std::error::Error for BrokenEvidence {}

impl EvidencePack {
    /// The proof of a session as it stands.
    pub fn of(session: &Session) -> Self {
        let mut link = first_link(session.session_id());
        let entries: Vec<Evidence> = session
            .log()
            .entries()
            .iter()
            .map(|entry| {
                let leaf = *entry.leaf.get_or_init(|| leaf_of(body(&entry.event).as_bytes()));
                link = next_link(&link, &leaf);
                Evidence { event_id: entry.event.event_id.clone(), leaf, link }
            })
            .collect();
        let root = merkle::root(entries.iter().map(|entry| entry.leaf));
        Self { session_id: session.session_id().to_owned(), entries, root }
    }

    /// Whether links and root follow from the leaves.
    ///
    /// # Errors
    /// - [`BrokenEvidence`]: the first entry whose link does not.
    pub fn verify(&self) -> Result<(), BrokenEvidence> {
        let mut link = first_link(&self.session_id);
        for (index, entry) in self.entries.iter().enumerate() {
            link = next_link(&link, &entry.leaf);
            if link != entry.link {
                return Err(self.broken(index));
            }
        }
        let root = merkle::root(self.entries.iter().map(|entry| entry.leaf));
        if root == self.root { Ok(()) } else { Err(self.broken(self.entries.len())) }
    }

    /// Whether this session is the one that was proved.
    ///
    /// # Errors
    /// - [`BrokenEvidence`]: the first event that is another, is missing, or was added.
    pub fn verify_session(&self, session: &Session) -> Result<(), BrokenEvidence> {
        self.verify()?;
        let now = Self::of(session);
        let pairs = self.entries.iter().zip(&now.entries);
        let same = pairs.take_while(|(then, now)| then == now).count();
        if same == self.entries.len() && same == now.entries.len() && self.root == now.root {
            return Ok(());
        }
        Err(BrokenEvidence {
            event_id: now.entries.get(same).map(|entry| entry.event_id.clone()),
            ..self.broken(same)
        })
    }

    /// The proof that one entry is under the root; none beyond the last.
    pub fn prove(&self, index: usize) -> Option<InclusionProof> {
        merkle::prove(self.entries.iter().map(|entry| entry.leaf), index)
    }

    fn broken(&self, index: usize) -> BrokenEvidence {
        BrokenEvidence { index, event_id: self.entries.get(index).map(|entry| entry.event_id.clone()) }
    }
}

/// The hash of a line's bytes, without what closes it.
pub(crate) fn leaf_of(body: &[u8]) -> Hash {
    Hash::of("mentci session leaf", [body])
}

pub(crate) fn first_link(session_id: &str) -> Hash {
    Hash::of("mentci session chain", [session_id.as_bytes()])
}

pub(crate) fn next_link(link: &Hash, leaf: &Hash) -> Hash {
    Hash::of("mentci session link", [link.as_bytes().as_slice(), leaf.as_bytes().as_slice()])
}
