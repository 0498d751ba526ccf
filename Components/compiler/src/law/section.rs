//! A document in sections: what stands under each heading of the two outermost depths is read by itself, in the light of the title above it
//! and of what the other headings say. So no rule reaches from one section into another.

use std::collections::BTreeSet;
use std::ops::Range;

use mentci_authority::OmissionReason;
use mentci_reader::markdown::{Block, BlockKind};
use mentci_source::{Source, Span};

use super::draft::{Book, Draft, Heading};
use super::heading::enter;
use super::outline::Outline;
use super::setting::Setting;
use super::walk::walk_part;

/// A document, as its sections see it.
#[derive(Clone, Copy)]
pub(super) struct Document<'s> {
    pub(super) source: &'s Source,
    pub(super) outline: &'s Outline,
    pub(super) blocks: &'s [Block],
}

/// Blocks that are read by themselves.
pub(super) struct Section {
    pub(super) blocks: Range<usize>,
    /// Whether a title opens it. What a title says depends on all that stands below.
    pub(super) is_titled: bool,
    /// The section whose first heading is the title above this one.
    under: Option<usize>,
}

/// What one section says.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub(super) drafts: Vec<Draft>,
    pub(super) omitted: Vec<(Span, OmissionReason)>,
    /// The title above it first.
    pub(super) headings: Vec<Heading>,
    pub(super) nested_steps: BTreeSet<Option<usize>>,
    pub(super) names_lines: bool,
}

/// The sections of a document, and what the title that opens each, if one does, lends to those below it.
pub(super) struct Sections {
    pub(super) list: Vec<Section>,
    titles: Vec<Option<Heading>>,
}

impl Sections {
    pub(super) fn of(document: Document<'_>) -> Self {
        let mut list: Vec<Section> = Vec::new();
        let (mut titles, mut title) = (Vec::new(), None);
        let blocks = document.blocks;
        for (at, block) in blocks.iter().enumerate() {
            let under = match block.kind {
                BlockKind::Heading(1) => None,
                BlockKind::Heading(2) => title,
                _ if at == 0 => None,
                _ => continue,
            };
            if let Some(last) = list.last_mut() {
                last.blocks.end = at;
            }
            let is_titled = block.kind == BlockKind::Heading(1);
            if is_titled {
                title = Some(list.len());
            }
            titles.push(if is_titled { document.title(at) } else { None });
            list.push(Section { blocks: at..blocks.len(), is_titled, under });
        }
        Self { list, titles }
    }

    /// The title above a section.
    pub(super) fn title(&self, section: &Section) -> Option<&Heading> {
        self.titles[section.under?].as_ref()
    }

    /// One book of what the sections say, in which each heading has the place that it has in the document.
    pub(super) fn join<'s>(&self, document: Document<'s>, parts: impl Iterator<Item = Part>) -> Book<'s> {
        let mut book = Book::under(document.source, document.outline, None);
        // Where the headings of each section begin.
        let mut begins: Vec<usize> = Vec::with_capacity(self.list.len());
        for (section, part) in self.list.iter().zip(parts) {
            begins.push(book.headings.len());
            book.take_part(part, section.under.map(|title| begins[title]));
        }
        book
    }
}

impl<'s> Document<'s> {
    /// Reads it.
    pub(super) fn read(self) -> Book<'s> {
        let sections = Sections::of(self);
        let read = |section| self.read_section(section, sections.title(section));
        sections.join(self, sections.list.iter().map(read))
    }

    /// Reads one section, under its title.
    pub(super) fn read_section(self, section: &Section, title: Option<&Heading>) -> Part {
        let mut book = Book::under(self.source, self.outline, title.cloned());
        let Range { start, end } = section.blocks;
        let blocks = &self.blocks[start..self.blocks.len().min(end + 1)];
        let (above, mut here, mut part) = (Setting::default(), Setting::default(), 0..end - start);
        if matches!(blocks[0].kind, BlockKind::Heading(1 | 2)) {
            // A title looks at all that stands below, another heading at what is its own, and where that ends.
            let below = if section.is_titled { &self.blocks[start + 1..] } else { &blocks[1..] };
            here = enter(&mut book, &blocks[0], self.outline.siblings(blocks[0].span), &above, below);
            part.start = 1;
        }
        walk_part(&mut book, blocks, part, &above, here);
        Part {
            drafts: book.drafts,
            omitted: book.omitted,
            headings: book.headings,
            nested_steps: book.nested_steps,
            names_lines: book.names_lines.get(),
        }
    }

    fn title(self, at: usize) -> Option<Heading> {
        let mut book = Book::under(self.source, self.outline, None);
        let (title, below) = (&self.blocks[at], &self.blocks[at + 1..]);
        enter(&mut book, title, self.outline.siblings(title.span), &Setting::default(), below);
        book.headings.pop()
    }
}

impl Book<'_> {
    /// Adds what a section says, whose title stands in this book at `title`.
    fn take_part(&mut self, mut part: Part, title: Option<usize>) {
        let (drafts, headings) = (self.drafts.len(), self.headings.len());
        let place = |heading: usize| match title {
            Some(title) if heading == 0 => title,
            Some(_) => headings + heading - 1,
            None => headings + heading,
        };
        for draft in &mut part.drafts {
            draft.heading = draft.heading.map(place);
            draft.goes_on_in = draft.goes_on_in.map(|at| drafts + at);
        }
        for order in part.headings.iter_mut().flat_map(|heading| &mut heading.orders) {
            order.heading = order.heading.map(place);
        }
        let mut of_part = part.headings.into_iter();
        if let Some(title) = title {
            self.headings[title].used |= of_part.next().is_some_and(|title| title.used);
        }
        self.headings.extend(of_part);
        self.drafts.append(&mut part.drafts);
        self.omitted.append(&mut part.omitted);
        self.nested_steps.extend(part.nested_steps.into_iter().map(|heading| heading.map(place)));
    }
}
