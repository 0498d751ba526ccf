//! Reading a source again: a section that stands as it stood says what it said.

use std::hash::Hasher as _;
use std::sync::Arc;

use mentci_source::{Source, Span};
use rustc_hash::FxHasher;

use super::draft::{Book, Draft, Heading};
use super::outline::Outline;
use super::section::{Document, Part, Section, Sections};

/// What the sections of a source said when it was read last. It is several times as large as the source.
#[derive(Debug, Clone)]
pub struct SectionsRead {
    source: Source,
    outline: Outline,
    sections: Vec<Option<Arc<Read>>>,
    taken_over: usize,
}

/// What a section said, and what that hangs on beside the outline.
#[derive(Debug)]
struct Read {
    at: Mark,
    title: Option<Heading>,
    part: Part,
}

/// Names a section.
#[derive(Debug, Clone, Copy)]
struct Mark {
    span: Span,
    /// Which of the headings opens it, counted from the first.
    heading: usize,
    /// Its blocks, wherever they stand: the same bytes are other blocks where a link is defined elsewhere.
    blocks: u64,
}

/// How far the bytes of a section, and those of the title above it, moved.
#[derive(Clone, Copy)]
struct Way {
    from: u32,
    section: u32,
    title: u32,
}

impl SectionsRead {
    /// Reads a document of which much may stand as it stood `before`.
    pub(super) fn read<'s>(document: Document<'s>, before: Option<&Self>) -> (Book<'s>, Self) {
        let Document { source, outline, .. } = document;
        let sections = Sections::of(document);
        // What a section reads of the others is what their headings say.
        let before = before.filter(|before| before.outline == *outline);
        let (mut read, mut parts, mut taken_over) = (Vec::new(), Vec::new(), 0);
        for (at, section) in sections.list.iter().enumerate() {
            let title = sections.title(section);
            if section.is_titled {
                read.push(None);
                parts.push(document.read_section(section, title));
                continue;
            }
            let mark = Mark::of(section, document);
            if let Some(known) = before.and_then(|before| before.section(at, mark, title, source)) {
                read.push(Some(Arc::clone(known)));
                parts.push(known.part.moved(known.way(mark, title)));
                taken_over += 1;
            } else {
                let part = document.read_section(section, title);
                parts.push(part.clone());
                read.push(Some(Arc::new(Read { at: mark, title: title.cloned(), part })));
            }
        }
        let book = sections.join(document, parts.into_iter());
        (book, Self { source: source.clone(), outline: outline.clone(), sections: read, taken_over })
    }

    /// How many sections stood as they stood the time before, and were not read.
    pub fn taken_over(&self) -> usize {
        self.taken_over
    }

    /// What the section at this place said, if it says the same now.
    fn section(&self, at: usize, now: Mark, title: Option<&Heading>, source: &Source) -> Option<&Arc<Read>> {
        let read = self.sections.get(at)?.as_ref()?;
        let same_line = || self.source.lines_of(read.at.span).0 == source.lines_of(now.span).0;
        let same_title = || match (&read.title, title) {
            (Some(before), Some(now_title)) => before.clone().moved(read.way(now, title)) == *now_title,
            (before, title) => before.is_none() && title.is_none(),
        };
        let stands = (read.at.heading, read.at.blocks) == (now.heading, now.blocks)
            && self.source.slice(read.at.span) == source.slice(now.span)
            && (!read.part.names_lines || same_line())
            && same_title();
        stands.then_some(read)
    }
}

impl Mark {
    fn of(section: &Section, Document { outline, blocks, .. }: Document<'_>) -> Self {
        let blocks = &blocks[section.blocks.clone()];
        let span = blocks.iter().map(|block| block.span).reduce(Span::join).unwrap_or_default();
        let mut hasher = FxHasher::default();
        for block in blocks {
            block.hash_from(span.start, &mut hasher);
        }
        Self { span, heading: outline.before(span), blocks: hasher.finish() }
    }
}

impl Read {
    fn way(&self, to: Mark, title: Option<&Heading>) -> Way {
        let began = self.title.as_ref().map_or(0, |title| title.span.start);
        let begins = title.map_or(0, |title| title.span.start);
        Way {
            from: self.at.span.start,
            section: to.span.start.wrapping_sub(self.at.span.start),
            title: begins.wrapping_sub(began),
        }
    }
}

impl Way {
    fn place(self, span: Span) -> Span {
        let by = if span.start < self.from { self.title } else { self.section };
        Span { start: span.start.wrapping_add(by), end: span.end.wrapping_add(by) }
    }
}

impl Part {
    /// The same, elsewhere in the source.
    fn moved(&self, way: Way) -> Self {
        let mut moved = self.clone();
        moved.drafts.iter_mut().for_each(|draft| draft.go(way));
        moved.omitted.iter_mut().for_each(|(span, _)| *span = way.place(*span));
        moved.headings = moved.headings.into_iter().map(|heading| heading.moved(way)).collect();
        moved
    }
}

impl Heading {
    fn moved(mut self, way: Way) -> Self {
        self.span = way.place(self.span);
        for order in &mut self.orders {
            order.go(way);
        }
        self
    }
}

impl Draft {
    fn go(&mut self, way: Way) {
        self.spans.iter_mut().for_each(|span| *span = way.place(*span));
    }
}
