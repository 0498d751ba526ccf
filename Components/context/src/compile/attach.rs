//! Large results become artifacts.

use super::{Draft, Processor};

/// Replaces results from [`ArtifactLimits`](super::ArtifactLimits) on by their handle and summary, where that is shorter.
#[derive(Debug, Clone, Copy, Default)]
pub struct ArtifactAttacher;

impl Processor for ArtifactAttacher {
    fn name(&self) -> &'static str {
        "artifact_attacher"
    }

    fn process(&self, draft: &mut Draft<'_>) {
        let limits = draft.config().artifacts;
        for at in 0..draft.len() {
            let body = &draft.entry(at).body;
            let is_large = body.bytes >= limits.min_bytes || body.tokens >= limits.min_tokens;
            if is_large && body.handle.is_none() {
                draft.externalise(at);
            }
        }
    }
}
