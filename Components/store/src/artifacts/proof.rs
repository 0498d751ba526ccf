//! Which pieces make the content that an id names.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use mentci_authority::ArtifactId;

use super::chunk::Sum;

/// The pieces of contents that were read as a whole and found to be what their ids name. What a store notes of a piece says
/// only that the piece was not damaged: whoever changes both, or moves a piece with its note, is found out by the id alone.
/// Since an id names one content, what is proved stays so, whatever becomes of the file.
#[derive(Debug, Clone, Default)]
pub(crate) struct Proofs(Arc<Mutex<HashMap<ArtifactId, Arc<[Sum]>>>>);

/// So many pieces are remembered: 2 GiB of contents, in less than 2 MiB.
const MOST_PIECES: usize = 1 << 15;

impl Proofs {
    pub(super) fn of(&self, id: &ArtifactId) -> Option<Arc<[Sum]>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(id).cloned()
    }

    pub(super) fn add(&self, id: ArtifactId, pieces: Arc<[Sum]>) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let held: usize = known.values().map(|pieces| pieces.len()).sum();
        if held + pieces.len() > MOST_PIECES {
            known.clear();
        }
        known.insert(id, pieces);
    }
}
