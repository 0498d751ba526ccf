//! Whether a law reads as English: what other languages order is not understood, and that must not pass in silence.

use mentci_reader::markdown::{Block, BlockKind};
use mentci_source::{Code, Finding, Source, Span};

/// Words that stand in any English text, and hardly in others.
const ENGLISH: &[&str] = &[
    "the", "and", "to", "for", "with", "when", "this", "that", "from", "use", "must", "should", "your",
    "you", "not", "are", "it", "be", "or", "by", "each", "every", "before", "after", "do", "never", "always",
    "all", "only",
];

/// None of them has more bytes.
const LONGEST: usize = 6;

/// Fewer words than these tell nothing.
const FEWEST: usize = 40;

/// More words than these are not looked at.
const MOST: usize = 1_000;

/// One of so many words has to be an English one. Telegraphic lists have one of twenty.
const SHARE: usize = 50;

/// What was counted of a text outside code.
#[derive(Debug, Default)]
struct Counted {
    words: usize,
    english: usize,
    /// Letters outside the Latin script, of these letters.
    other_letters: usize,
    letters: usize,
    /// Where the first words stand.
    first: Option<Span>,
}

impl Counted {
    fn is_full(&self) -> bool {
        self.words >= MOST || self.letters >= MOST * 6
    }

    fn is_foreign(&self) -> bool {
        let enough = self.words >= FEWEST || self.other_letters >= FEWEST * 3;
        let other_script = self.other_letters * 3 > self.letters;
        enough && (other_script || self.english * SHARE < self.words)
    }

    fn take_in(&mut self, block: &Block) {
        if self.is_full() || matches!(block.kind, BlockKind::Fence { .. }) {
            return;
        }
        let text = block.text.as_str();
        for run in block.text.styled(0..text.len(), |style| !style.code) {
            self.count(&text[run]);
        }
        if self.first.is_none() && self.words > 0 && block.kind == BlockKind::Paragraph {
            self.first = Some(block.span);
        }
        for child in &block.children {
            self.take_in(child);
        }
    }

    fn count(&mut self, text: &str) {
        for word in text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()) {
            self.words += 1;
            let short = word.len() <= LONGEST;
            self.english +=
                usize::from(short && ENGLISH.iter().any(|english| word.eq_ignore_ascii_case(english)));
            if word.is_ascii() {
                self.letters += word.len();
                continue;
            }
            for letter in word.chars() {
                self.letters += 1;
                self.other_letters += usize::from(letter > '\u{24f}');
            }
        }
    }
}

/// A finding where a law is hardly in English.
pub(crate) fn foreign(source: &Source, blocks: &[Block]) -> Option<Finding> {
    let mut counted = Counted::default();
    for block in blocks {
        counted.take_in(block);
    }
    counted.is_foreign().then(|| {
        Finding::new(Code::FOREIGN_LAW, "this law does not read as English: what it orders in another language is not stated")
            .help("state what binds in English (`You must …`, `Never …`); `policy-engine coverage` shows what is left out")
            .at(source, counted.first.unwrap_or(Span::at(0)))
    })
}
