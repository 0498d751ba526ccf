//! Facts of the workspace on their way into its digest.

use std::sync::Arc;

use mentci_authority::{EntryKind, NormId, Provenance, RuleNo, SourceSpan};

use crate::line::{Class, Line};

/// One fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FactLine {
    /// What it is about, whatever it says: its number hangs on it.
    pub(crate) key: String,
    pub(crate) kind: EntryKind,
    pub(crate) text: String,
    pub(crate) spans: Vec<SourceSpan>,
}

impl FactLine {
    /// The line, not yet numbered.
    pub(crate) fn into_line(self, scope: &Arc<str>) -> Line {
        Line {
            rule: RuleNo { scope: scope.clone(), number: 0 },
            norm: NormId::of(None, &self.key, None, scope),
            kind: self.kind,
            level: None,
            class: Class::Fact,
            text: self.text,
            terse: None,
            exceptions: Vec::new(),
            section: String::new(),
            step: None,
            subject: 0,
            provenance: Provenance { spans: self.spans, lessons: Vec::new() },
        }
    }
}
