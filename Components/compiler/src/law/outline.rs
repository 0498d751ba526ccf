//! The headings of a document or of a part of it: all that a section knows of the others.

use mentci_reader::markdown::{Block, BlockKind};
use mentci_source::Span;

/// Headings in their order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Outline {
    headings: Vec<Named>,
}

/// A heading, by what it says.
#[derive(Debug, Clone, Eq)]
struct Named {
    text: String,
    depth: u8,
    /// What stands between it and a colon at the end of the first such paragraph below it.
    lead: Option<String>,
    span: Span,
}

/// Where a heading stands makes no other heading of it.
impl PartialEq for Named {
    fn eq(&self, other: &Self) -> bool {
        (&self.text, self.depth, &self.lead) == (&other.text, other.depth, &other.lead)
    }
}

impl Outline {
    pub(crate) fn of(blocks: &[Block]) -> Self {
        let named = |(at, block): (usize, &Block)| {
            let BlockKind::Heading(depth) = block.kind else { return None };
            let section =
                blocks[at + 1..].iter().take_while(|block| !matches!(block.kind, BlockKind::Heading(_)));
            let lead = section.take(Siblings::FARTHEST).enumerate().find_map(|(at, below)| {
                let text = below.text.as_str().trim();
                let lead = text.strip_suffix(':').filter(|_| below.kind == BlockKind::Paragraph)?;
                // What is allowed where may stand below a sample; others say of the whole section what it needs.
                let near = at == 0 || lead.split(' ').any(|word| matches!(word, "Allowed" | "Forbidden"));
                (near && lead.split(' ').count() <= Siblings::LONGEST_LEAD).then_some(lead)
            });
            let text = block.text.as_str().to_owned();
            Some(Named { text, depth, lead: lead.map(str::to_owned), span: block.span })
        };
        Self { headings: blocks.iter().enumerate().filter_map(named).collect() }
    }

    /// What the headings say.
    pub(crate) fn headings(&self) -> impl Iterator<Item = &str> {
        self.headings.iter().map(|heading| heading.text.trim())
    }

    /// What the heading of the outermost depth says, where it stands first.
    pub(crate) fn title(&self) -> Option<&str> {
        self.headings.first().filter(|first| first.depth == 1).map(|first| first.text.trim())
    }

    /// How many headings stand before these bytes.
    pub(crate) fn before(&self, span: Span) -> usize {
        self.headings.partition_point(|heading| heading.span.start < span.start)
    }

    /// The heading at these bytes among the others.
    pub(crate) fn siblings(&self, heading: Span) -> Siblings<'_> {
        Siblings { headings: &self.headings, at: self.before(heading) }
    }
}

/// A heading among those of its document.
#[derive(Clone, Copy)]
pub(crate) struct Siblings<'o> {
    headings: &'o [Named],
    at: usize,
}

impl<'o> Siblings<'o> {
    const LONGEST_LEAD: usize = 4;
    /// How many blocks below a heading its lead-in may stand.
    const FARTHEST: usize = 3;

    pub(crate) fn depth(self) -> u8 {
        self.headings[self.at].depth
    }

    /// Whether it is the first heading, and of the outermost depth.
    pub(crate) fn is_title(self) -> bool {
        self.at == 0 && self.depth() == 1
    }

    /// What the headings of its depth under the same one say. There may be thousands: they are gone through only where it matters.
    pub(crate) fn texts(self) -> impl Iterator<Item = &'o str> {
        self.around().map(|heading| heading.text.as_str())
    }

    /// The headings of its depth under the same one, itself among them.
    fn around(self) -> impl Iterator<Item = &'o Named> {
        let depth = self.depth();
        let near = move |heading: &&Named| heading.depth >= depth;
        let (before, from) = self.headings.split_at(self.at);
        let around = before.iter().rev().take_while(near).chain(from.iter().take_while(near));
        around.filter(move |heading| heading.depth == depth)
    }

    /// `### Mooring` and `### Sailing`, each above `Requirements:`: what is required where.
    pub(crate) fn requires_apart(self) -> bool {
        const REQUIRING: &[&str] = &[
            "require",
            "requires",
            "required",
            "requirements",
            "criteria",
            "prerequisites",
            "needs",
            "allowed",
            "forbidden",
        ];
        let Some(own) = &self.headings[self.at].lead else { return false };
        let requires = own.split(' ').any(|word| REQUIRING.contains(&word.to_lowercase().as_str()));
        requires && self.around().filter(|heading| heading.lead.as_ref() == Some(own)).count() > 1
    }
}
