//! An answer's content as it is stored.

use mentci_authority::{ArtifactHandle, ArtifactId, NewArtifact};
use sha2::{Digest, Sha256};

use crate::Summary;
use crate::summary::cut;

/// The longest summary in a handle, in bytes.
const HANDLE: usize = 200;

/// What stands for a content in its handle: the summary's beginning.
pub(super) fn artifact(content: Vec<u8>, summary: &Summary, source: String, created_at: f64) -> NewArtifact {
    let artifact_id = ArtifactId::from_bytes(Sha256::digest(&content).into());
    let handle = ArtifactHandle {
        artifact_id,
        summary: cut(&summary.text, HANDLE),
        size_bytes: content.len() as u64,
        mime_type: summary.mime_type.clone(),
        created_at,
        source,
    };
    NewArtifact { handle, content }
}
