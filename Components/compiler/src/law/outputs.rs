//! `Output`, `Deliverables` right above a list of names: what is to be delivered.

use mentci_authority::Level;
use mentci_reader::markdown::{Block, BlockKind};

use super::draft::Book;
use super::guard::plain_in;
use super::lead::Lead;
use super::mood::{Mood, mood_of};
use super::prose::Prose;
use super::setting::{LeadIn, Setting};
use super::stance::Stance;

/// The heading as the lead-in of such a list, whose items end its sentence.
pub(super) fn outputs(book: &Book<'_>, list: &Block, here: &Setting) -> Option<LeadIn> {
    const FEWEST: usize = 2;
    const LONGEST: usize = 14;
    let heading = &book.headings[here.heading.filter(|_| here.lead.is_none() && here.above.is_empty())?];
    let lower = heading.text.to_lowercase();
    let delivers = matches!(
        plain_in(&lower)[..],
        ["output" | "outputs" | "deliverable" | "deliverables"]
            | ["required" | "expected" | "final", "output" | "outputs" | "deliverables"]
            | ["output", "contract"]
    );
    let names = |item: &Block| {
        let [only] = &item.children[..] else { return false };
        let prose = Prose::new(&only.text);
        only.kind == BlockKind::Paragraph
            && prose.words.len() <= LONGEST
            && !prose.words.iter().any(|word| word.mark(":") || word.mark("→"))
            && mood_of(&prose.words).mood == Mood::Fragment
    };
    let binds = matches!(here.section, Stance::Neutral | Stance::Order) && !here.beside.list;
    (delivers && binds && list.children.len() >= FEWEST && list.children.iter().all(names)).then(|| LeadIn {
        lead: Lead::Stem(Level::Must),
        text: heading.text.clone(),
        span: heading.span,
        draft: None,
        when: None,
    })
}
