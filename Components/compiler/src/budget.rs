//! The budget: which lines are shown, and in how much detail. May, facts and should move out first, must and must-not
//! last.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::{Display, Write as _};
use std::sync::OnceLock;

use mentci_authority::EntryKind;
use mentci_tokens::{Memo, O200k, Tokenizer, o200k};

use crate::line::{Class, Detail, Line};

/// After so many lines of a class that do not fit, the rest of the class is not tried.
const PATIENCE: usize = 32;
/// No line has fewer tokens than this.
const SHORTEST: usize = 4;

/// Tokens of a line, remembered.
pub(crate) fn tokens(text: &str) -> usize {
    static LINES: OnceLock<Memo<O200k>> = OnceLock::new();
    LINES.get_or_init(|| Memo::new(*o200k())).count(text)
}

/// Tokens of a digest's text: the sum over its lines, as no token reaches past a line break into a line that starts with
/// a letter, a digit, `#` or `+`, and all do.
pub(crate) fn tokens_of_lines(text: &str) -> usize {
    text.split_inclusive('\n').map(tokens).sum()
}

/// What a digest may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Budget {
    pub(crate) tokens: usize,
    pub(crate) chars: usize,
    /// Tokens of lessons that no person accepted, of schema facts, of workspace facts.
    pub(crate) unreviewed: usize,
    pub(crate) schema: usize,
    pub(crate) facts: usize,
}

/// A line by its skill and its place in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct LineId {
    /// Which skill.
    pub(crate) scope: usize,
    /// Which of its lines.
    pub(crate) line: usize,
}

/// A line that may be shown: under which heading, and with which number in front.
#[derive(Clone)]
pub(crate) struct Candidate<'a> {
    pub(crate) line: &'a Line,
    pub(crate) heading: Cow<'static, str>,
    pub(crate) number: &'a dyn Display,
}

/// The lines that there are to choose from.
pub(crate) trait Shelf {
    /// The lines of a class, in the order in which they are tried.
    fn class(&self, class: Class) -> impl Iterator<Item = LineId>;
    /// One line.
    fn candidate(&self, id: LineId) -> Candidate<'_>;
}

/// A line that is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shown {
    /// Which.
    pub(crate) id: LineId,
    /// How much of it.
    pub(crate) detail: Detail,
    /// How many of its unreviewed exceptions.
    pub(crate) unreviewed: usize,
}

/// Chooses what is shown, in the order of admission: the most binding class first.
pub(crate) fn choose(shelf: &impl Shelf, budget: &Budget) -> Vec<Shown> {
    let mut purse = Purse { left: *budget, headings: BTreeSet::new() };
    let mut shown = Vec::new();
    for class in Class::ALL {
        let mut failures = 0;
        for id in shelf.class(class) {
            if failures >= PATIENCE || purse.left.tokens < SHORTEST {
                break;
            }
            match purse.admit(id, &shelf.candidate(id)) {
                Some(line) => shown.push(line),
                None => failures += 1,
            }
        }
    }
    for line in &mut shown {
        purse.widen(line, &shelf.candidate(line.id));
    }
    shown
}

/// Everything, in full.
pub(crate) fn choose_all(shelf: &impl Shelf) -> Vec<Shown> {
    let all = Class::ALL.into_iter().flat_map(|class| shelf.class(class));
    all.map(|id| Shown { id, detail: Detail::Full, unreviewed: usize::MAX }).collect()
}

/// What is left of a budget.
struct Purse {
    left: Budget,
    headings: BTreeSet<Cow<'static, str>>,
}

impl Purse {
    /// Takes the shorter form of a line, with as many of its unreviewed exceptions as their share has room for.
    fn admit(&mut self, id: LineId, candidate: &Candidate<'_>) -> Option<Shown> {
        let line = candidate.line;
        let bare = cost(candidate, Detail::Terse, 0);
        let (unreviewed, price) = self.with_unreviewed(candidate, bare);
        let whole = price.plus(self.heading_price(&candidate.heading));
        let too_much = self.share(line).is_some_and(|left| price.tokens > *left);
        if too_much || whole.tokens > self.left.tokens || whole.chars > self.left.chars {
            return None;
        }
        if let Some(left) = self.share(line) {
            *left -= price.tokens;
        }
        self.left.unreviewed = self.left.unreviewed.saturating_sub(price.minus(bare).tokens);
        self.pay(whole);
        if !self.headings.contains(&candidate.heading) {
            self.headings.insert(candidate.heading.clone());
        }
        Some(Shown { id, detail: Detail::Terse, unreviewed })
    }

    /// The most unreviewed exceptions of a line that their share has room for, and the line's price with them.
    fn with_unreviewed(&self, candidate: &Candidate<'_>, bare: Price) -> (usize, Price) {
        let most = candidate.line.exceptions.iter().filter(|exception| !exception.is_reviewed).count();
        let priced =
            (1..=most).rev().map(|unreviewed| (unreviewed, cost(candidate, Detail::Terse, unreviewed)));
        let fits = |(_, price): &(usize, Price)| price.minus(bare).tokens <= self.left.unreviewed;
        { priced }.find(fits).unwrap_or((0, bare))
    }

    /// Takes the whole line instead of the shorter form, when there is room.
    fn widen(&mut self, shown: &mut Shown, candidate: &Candidate<'_>) {
        if candidate.line.terse.is_none() {
            shown.detail = Detail::Full;
            return;
        }
        let terse = cost(candidate, Detail::Terse, shown.unreviewed);
        let full = cost(candidate, Detail::Full, shown.unreviewed);
        let more = full.minus(terse);
        if more.tokens <= self.left.tokens && more.chars <= self.left.chars {
            self.pay(more);
            shown.detail = Detail::Full;
        }
    }

    fn share(&mut self, line: &Line) -> Option<&mut usize> {
        match (line.kind, line.class) {
            (EntryKind::Schema, _) => Some(&mut self.left.schema),
            (EntryKind::Workspace, _) => Some(&mut self.left.facts),
            (_, Class::Unreviewed) => Some(&mut self.left.unreviewed),
            _ => None,
        }
    }

    fn heading_price(&self, heading: &str) -> Price {
        if self.headings.contains(heading) { Price::default() } else { Price::of(&format!("## {heading}\n")) }
    }

    fn pay(&mut self, price: Price) {
        self.left.tokens = self.left.tokens.saturating_sub(price.tokens);
        self.left.chars = self.left.chars.saturating_sub(price.chars);
    }
}

/// What a piece of text takes.
#[derive(Debug, Clone, Copy, Default)]
struct Price {
    tokens: usize,
    chars: usize,
}

impl Price {
    fn of(text: &str) -> Self {
        Self { tokens: tokens(text), chars: text.chars().count() }
    }

    fn plus(self, other: Self) -> Self {
        Self { tokens: self.tokens + other.tokens, chars: self.chars + other.chars }
    }

    fn minus(self, other: Self) -> Self {
        Self {
            tokens: self.tokens.saturating_sub(other.tokens),
            chars: self.chars.saturating_sub(other.chars),
        }
    }
}

fn cost(candidate: &Candidate<'_>, detail: Detail, unreviewed: usize) -> Price {
    let mut text = String::with_capacity(candidate.line.text.len() + 32);
    // OK because writing into a string never fails.
    let _ = write!(text, "{} ", candidate.number);
    candidate.line.render_into(&mut text, detail, unreviewed);
    text.push('\n');
    Price::of(&text)
}
