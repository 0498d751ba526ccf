//! What a tool answered, as it may be kept: redacted, checked, summarised, and moved out when it is large.

mod aligned;
mod aligner;
mod content;
mod depth;
mod options;
mod pairs;
mod terminal;

pub use aligned::{Aligned, AlignedStatus, RedactedPart};
pub use aligner::PerceptionAligner;
pub use options::AlignOptions;
