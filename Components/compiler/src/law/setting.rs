//! What holds for a block from above.

use std::ops::Range;

use mentci_authority::Step;
use mentci_reader::markdown::BlockKind;
use mentci_source::Span;

use super::draft::Draft;
use super::speech::lead::Lead;
use super::speech::stance::Stance;

/// What holds for a block from above.
#[derive(Debug, Clone, Default)]
pub(crate) struct Setting {
    /// The nearest heading.
    pub heading: Option<usize>,
    /// The stance of the section.
    pub section: Stance,
    /// The lead-in of the list, table or fence that comes.
    pub lead: Option<LeadIn>,
    /// Conditions that hold for all norms here, with their bytes.
    pub conditions: Vec<(String, Span)>,
    /// How many of these come from above all blocks here, and not from a label among them.
    pub inherited: usize,
    /// The norm that bare names here complete.
    pub parent: Option<usize>,
    /// The step that is being read.
    pub step: Option<Step>,
    /// Whether this is an item of a checklist.
    pub is_task: bool,
    /// Whether the last paragraph ordered something: a table or list after it goes on with it.
    pub after_order: bool,
    /// What an order that ended in a colon does with the names under it, where this goes on with it: `Gather these facts:`, and then labels,
    /// each above a list. The verb is empty where it takes no names.
    pub enumerates: Option<&'static str>,
    /// What stands beside this.
    pub beside: Beside,
    /// What the items of this list are, among mistakes.
    pub listed: Listed,
    /// The norms of the paragraph right above.
    pub above: Range<usize>,
}

/// What stands beside a block.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Beside {
    /// What the items of this list are together.
    pub items: Items,
    /// Whether each item of this list says of a case what it is, and then what is to be done.
    pub cases: bool,
    /// Whether each item of this list says what is done with what is of its grade.
    pub grades: bool,
    /// Whether a list stands above it under the same heading.
    pub list: bool,
    /// What stands right below it.
    pub below: Below,
    /// How the blocks of this list, or under this heading, open.
    pub openings: Openings,
}

/// How blocks side by side open.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Openings {
    /// Each in its way.
    #[default]
    Various,
    /// With headlines, most of which order: then the others bind, too.
    Headlines,
}

/// What stands right below a paragraph.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Below {
    /// Nothing, or something else.
    #[default]
    Other,
    List,
    /// A paragraph or a heading.
    Text,
}

impl Below {
    pub(crate) fn of(next: Option<&BlockKind>) -> Self {
        match next {
            Some(BlockKind::List(_)) => Self::List,
            Some(BlockKind::Paragraph | BlockKind::Heading(_)) => Self::Text,
            _ => Self::Other,
        }
    }
}

/// What the items of a list are together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Items {
    /// Nothing in common.
    #[default]
    Various,
    /// Most of them order: then those that only name are to be done, too.
    Orders,
    /// Each has a label, and some order behind it: then those that only name what is to be are due, too.
    Specified,
    /// Each has a label: then each names a field of what its lead-in orders.
    Fields,
    /// Names in small letters, which go on with the sentence of their lead-in: then those that open with a verb name, too.
    Names,
    /// Names of things, of which a few open with a word that may be a verb.
    Things,
    /// Acts with numbers, most of which order: then one whose verb may be a noun orders, too.
    Steps,
    /// Which of several tools is used when: `Flax: Use for short trips`.
    Tools,
}

/// What the items of a list are, among mistakes.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Listed {
    /// Whether some say in so many words what they forbid: those that do not order.
    pub forbids_itself: bool,
    /// Whether all but a few do so.
    pub mostly_forbids_itself: bool,
    /// Whether some name acts: `Forgetting the header`.
    pub names_acts: bool,
}

/// A lead-in with its bytes.
#[derive(Debug, Clone)]
pub(crate) struct LeadIn {
    pub lead: Lead,
    pub text: String,
    pub span: Span,
    /// The norm that the lead-in is itself.
    pub draft: Option<usize>,
    /// When its items hold, where it says more than that: `Before you release, always:`.
    pub when: Option<String>,
}

impl LeadIn {
    /// A norm, which what stands below completes.
    pub(crate) fn of_draft(drafts: &[Draft], draft: usize, span: Span) -> Self {
        let norm = &drafts[draft];
        Self { lead: Lead::Order(norm.level), text: norm.text.clone(), span, draft: Some(draft), when: None }
    }

    /// When its items hold, and the bytes that say so.
    pub(crate) fn condition(&self) -> Option<(&str, Span)> {
        let when = if self.lead == Lead::Condition { Some(self.text.as_str()) } else { self.when.as_deref() };
        Some((when?, self.span))
    }

    /// Whether its items are forbidden or advised against.
    pub(crate) fn forbids(&self) -> bool {
        match &self.lead {
            Lead::Stance(stance, _) => matches!(stance, Stance::Forbid | Stance::Discourage),
            Lead::Order(level) | Lead::Stem(level) | Lead::Parts(level) => level.is_prohibition(),
            Lead::Condition | Lead::Trigger | Lead::Told => false,
        }
    }
}

impl Setting {
    /// Past a block that takes what leads it in.
    pub(crate) fn pass(&mut self) {
        self.lead = None;
        self.above = 0..0;
    }

    /// Under the condition of a lead-in, once.
    pub(crate) fn under(&mut self, lead: &LeadIn) {
        if let Some((when, span)) = lead.condition()
            && !self.conditions.iter().any(|(_, known)| *known == span)
        {
            self.conditions.push((when.to_owned(), span));
        }
    }
}
