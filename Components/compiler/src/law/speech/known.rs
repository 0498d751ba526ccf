//! What was found out about words, so that no rule need find it out again.

use std::cell::{Cell, RefCell};
use std::ops::Range;

use super::clause::Clause;
use super::mood::{ClauseMood, Mood};

/// What was found out about the words that begin at a word: many rules ask the same of the same words. A copy of a word knows nothing,
/// for it may stand among others.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// What was found out last, first.
    moods: Cell<[Option<Found>; 2]>,
    /// Of how many words, and what they tell as a rule.
    told: Cell<Option<(u32, Option<Mood>)>>,
    /// Of which sentence among how many words, and its clauses.
    clauses: RefCell<Option<Box<Divided>>>,
}

/// What so many words do, which a colon ends or not, and where behind a condition.
#[derive(Debug, Clone, Copy)]
struct Found {
    len: u32,
    leads: bool,
    main: u32,
    mood: Mood,
}

/// A sentence among so many words, and its clauses.
#[derive(Debug)]
struct Divided {
    among: usize,
    sentence: Range<usize>,
    clauses: Vec<Clause>,
}

impl Known {
    /// The mood of so many words, which a colon ends or not, found out by `find` where it is not known.
    pub(crate) fn mood(&self, (len, leads): (usize, bool), find: impl FnOnce() -> ClauseMood) -> ClauseMood {
        let Ok(len) = u32::try_from(len) else { return find() };
        let known = self.moods.get();
        if let Some(known) = known.iter().flatten().find(|known| (known.len, known.leads) == (len, leads)) {
            return ClauseMood { mood: known.mood, main: known.main as usize };
        }
        let found = find();
        let [last, _] = self.moods.get();
        if let Ok(main) = u32::try_from(found.main) {
            self.moods.set([Some(Found { len, leads, main, mood: found.mood }), last]);
        }
        found
    }

    /// What so many words tell as a rule.
    pub(crate) fn told(&self, len: usize, find: impl FnOnce() -> Option<Mood>) -> Option<Mood> {
        let Ok(len) = u32::try_from(len) else { return find() };
        if let Some((_, told)) = self.told.get().filter(|(known, _)| *known == len) {
            return told;
        }
        let told = find();
        self.told.set(Some((len, told)));
        told
    }

    /// The clauses of a sentence among so many words.
    pub(crate) fn clauses(
        &self,
        among: usize,
        sentence: &Range<usize>,
        find: impl FnOnce() -> Vec<Clause>,
    ) -> Vec<Clause> {
        let is_it = |known: &&Divided| known.among == among && known.sentence == *sentence;
        if let Some(known) = self.clauses.borrow().as_deref().filter(is_it) {
            return known.clauses.clone();
        }
        let clauses = find();
        let divided = Divided { among, sentence: sentence.clone(), clauses: clauses.clone() };
        self.clauses.replace(Some(Box::new(divided)));
        clauses
    }
}

impl Clone for Known {
    fn clone(&self) -> Self {
        Self::default()
    }
}
