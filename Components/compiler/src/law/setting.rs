//! What holds for a block from above.

use mentci_authority::Step;
use mentci_source::Span;

use super::stance::{Lead, Stance};

/// What holds for a block from above.
#[derive(Debug, Clone)]
pub(crate) struct Setting {
    /// The nearest heading.
    pub heading: Option<usize>,
    /// The stance of the section.
    pub section: Stance,
    /// The lead-in of the list, table or fence that comes.
    pub lead: Option<LeadIn>,
    /// Conditions that hold for all norms here, with their bytes.
    pub conditions: Vec<(String, Span)>,
    /// The norm that bare names here complete.
    pub parent: Option<usize>,
    /// The step that is being read.
    pub step: Option<Step>,
    /// Whether this is an item of a checklist.
    pub is_task: bool,
    /// Whether the last paragraph ordered something: a table or list after it goes on with it.
    pub after_order: bool,
}

/// A lead-in with its bytes.
#[derive(Debug, Clone)]
pub(crate) struct LeadIn {
    pub lead: Lead,
    pub text: String,
    pub span: Span,
    /// The norm that the lead-in is itself.
    pub draft: Option<usize>,
}
