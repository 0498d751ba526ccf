//! What stands in a result's place when it is an artifact.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use mentci_authority::{ArtifactHandle, ArtifactId};
use mentci_source::Hash;
use mentci_tokens::Tokenizer;
use sha2::{Digest, Sha256};

use crate::session::{Entry, handle_text, safe};
use crate::{Counts, Summary};

/// What a content says in short.
pub(super) type Summarise = Arc<dyn Fn(&str, &dyn Tokenizer) -> Summary + Send + Sync>;

/// What stands in a result's place.
#[derive(Debug, Clone)]
pub(super) struct Outside {
    id: ArtifactId,
    mime_type: String,
    size_bytes: u64,
    summary: String,
    /// The tokens of the handle with its summary.
    pub(super) summary_tokens: u64,
    /// The tokens of the handle alone.
    pub(super) placeholder_tokens: u64,
}

/// What was summarised, by the hash of the content: each content once.
pub(super) struct Outsides {
    summarise: Summarise,
    known: Mutex<HashMap<Hash, Arc<Outside>>>,
}

impl Outsides {
    pub(super) fn new(summarise: Summarise) -> Self {
        Self { summarise, known: Mutex::default() }
    }

    pub(super) fn of(&self, entry: &Entry, counts: &Counts) -> Arc<Outside> {
        let known = |outsides: &Self| {
            outsides.known.lock().unwrap_or_else(PoisonError::into_inner).get(&entry.body.hash).cloned()
        };
        known(self).unwrap_or_else(|| {
            let made = Arc::new(self.make(entry, counts));
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            known.insert(entry.body.hash, made.clone());
            made
        })
    }

    fn make(&self, entry: &Entry, counts: &Counts) -> Outside {
        let mut outside = match &entry.body.handle {
            Some(handle) => Outside {
                id: handle.artifact_id,
                mime_type: handle.mime_type.clone(),
                size_bytes: handle.size_bytes,
                summary: handle.summary.clone(),
                summary_tokens: entry.body.tokens,
                placeholder_tokens: 0,
            },
            None => self.summed_up(&entry.body.content(&entry.event), counts),
        };
        outside.placeholder_tokens = counts.of(&outside.text(entry, false));
        if entry.body.handle.is_none() {
            outside.summary_tokens = counts.of(&outside.text(entry, true));
        }
        outside
    }

    fn summed_up(&self, content: &str, counts: &Counts) -> Outside {
        let Summary { mime_type, text, .. } = (self.summarise)(content, counts.tokenizer());
        Outside {
            id: ArtifactId::from_bytes(Sha256::digest(content.as_bytes()).into()),
            mime_type,
            size_bytes: content.len() as u64,
            summary: text,
            summary_tokens: 0,
            placeholder_tokens: 0,
        }
    }
}

impl Outside {
    /// The handle, as of the event.
    pub(super) fn handle(&self, entry: &Entry) -> ArtifactHandle {
        if let Some(handle) = &entry.body.handle {
            return (**handle).clone();
        }
        let source = format!("tool:{}", entry.event.text("tool"));
        ArtifactHandle {
            artifact_id: self.id,
            summary: self.summary.clone(),
            size_bytes: self.size_bytes,
            mime_type: self.mime_type.clone(),
            created_at: entry.event.timestamp,
            source,
        }
    }

    /// What stands in the result's place.
    pub(super) fn text(&self, entry: &Entry, with_summary: bool) -> String {
        let summary = if with_summary { self.summary.as_str() } else { "" };
        safe(handle_text(&self.handle(entry), summary).into()).into_owned()
    }

    pub(super) fn id(&self) -> ArtifactId {
        self.id
    }
}

impl fmt::Debug for Outsides {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outsides").finish_non_exhaustive()
    }
}
