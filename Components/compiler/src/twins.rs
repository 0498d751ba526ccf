//! Norms that several skills state, and norms of several skills that contradict each other.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasherDefault, Hasher};

use mentci_authority::{EntryKind, Level};
use mentci_source::{Code, Finding};

use crate::body::Group;
use crate::budget::LineId;
use crate::case::at_first;
use crate::gather::conflict;
use crate::line::{Class, Line};
use crate::tally::Tally;
use crate::workspace_digest::Scope;

/// More norms of several skills than this are one finding.
const MOST_FINDINGS: usize = 50;

/// Which lines are stated by another one.
#[derive(Debug)]
pub(crate) struct Twins {
    /// For a line that is stated, those that say the same.
    others: BTreeMap<LineId, Vec<LineId>>,
    /// For each line of each scope, whether another line states it.
    merged: Vec<Vec<bool>>,
    /// For each scope, how many of its lines others state.
    tallies: Vec<Tally>,
}

impl Twins {
    /// Finds them.
    pub(crate) fn find(scopes: &[Scope<'_>], findings: &mut Vec<Finding>) -> Self {
        let mut index = Index::of(scopes);
        let merged = scopes.iter().map(|scope| vec![false; scope.lines.len()]).collect();
        let mut twins =
            Self { others: BTreeMap::new(), merged, tallies: vec![Tally::default(); scopes.len()] };
        let mut conflicts = Vec::new();
        for (scope, there) in scopes.iter().enumerate() {
            for &mark in there.marks {
                let here = Place { scope, mark };
                if !index.may_repeat(mark.subject) {
                    continue;
                }
                let Some(known) = index.enter(here) else { continue };
                let elsewhere = |other: &&mut Place| other.scope != scope;
                let same = |other: &&mut Place| other.mark.level == mark.level;
                match known.iter_mut().filter(elsewhere).find(same) {
                    Some(stated) if !mark.has_lessons => twins.merge(stated, here),
                    _ => {
                        conflicts.extend(
                            known
                                .iter()
                                .find(|other| other.opposes(here))
                                .map(|other| (other.id(), here.id())),
                        );
                        known.push(here);
                    }
                }
            }
        }
        twins.report(scopes, &conflicts, findings);
        twins
    }

    /// The lines that say what `id` says.
    pub(crate) fn of(&self, id: LineId) -> &[LineId] {
        self.others.get(&id).map_or(&[], Vec::as_slice)
    }

    /// Whether another line states this one.
    pub(crate) fn is_merged(&self, id: LineId) -> bool {
        self.merged[id.scope][id.line]
    }

    /// The lines of each scope that others state, counted.
    pub(crate) fn tallies(&self) -> &[Tally] {
        &self.tallies
    }

    /// Merges a line into the stated one, or the other way round when it is more binding and that one has no lessons.
    fn merge(&mut self, stated: &mut Place, line: Place) {
        let swap = line.mark.class < stated.mark.class && !stated.mark.has_lessons;
        let (keep, drop) = if swap { (line, *stated) } else { (*stated, line) };
        if swap && let Some(others) = self.others.remove(&drop.id()) {
            self.others.insert(keep.id(), others);
        }
        self.merged[drop.scope][drop.mark.line as usize] = true;
        self.tallies[drop.scope].add(Tally::of_level(drop.mark.level));
        self.others.entry(keep.id()).or_default().push(drop.id());
        *stated = keep;
    }

    fn report(&self, scopes: &[Scope<'_>], conflicts: &[(LineId, LineId)], findings: &mut Vec<Finding>) {
        let line = |id: LineId| &scopes[id.scope].lines[id.line];
        for (id, others) in self.others.iter().take(MOST_FINDINGS) {
            let mut names: Vec<&str> = others.iter().chain([id]).map(|id| scopes[id.scope].name).collect();
            names.sort_unstable();
            names.dedup();
            let message = format!("`{}` stands in {}", line(*id).text, listed(&names));
            let finding = Finding::new(Code::DUPLICATE_NORM, message)
                .help(format!("it is stated once, as `{}`; keep it in one place", line(*id).rule));
            let at = others.first().map_or(&[][..], |other| &line(*other).provenance.spans);
            findings.push(at_first(finding, at));
        }
        if self.others.len() > MOST_FINDINGS {
            let more = self.others.len() - MOST_FINDINGS;
            let message = format!("{more} more norms stand in several skills, and are stated once each");
            findings.push(Finding::new(Code::DUPLICATE_NORM, message));
        }
        for (one, other) in conflicts {
            let (one, other) = (line(*one), line(*other));
            findings.push(conflict((&one.text, &other.text), &one.provenance.spans, &other.provenance.spans));
        }
    }
}

/// A norm that may have twins, in few bytes: a thousand skills are looked through at every save.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mark {
    subject: u64,
    line: u32,
    level: Level,
    class: Class,
    has_lessons: bool,
}

/// The norms that may have twins. Steps of procedures, lessons and facts stand for themselves.
pub(crate) fn marks(lines: &[Line], groups: &[Group]) -> Vec<Mark> {
    let mark = |(index, (line, group)): (usize, (&Line, &Group))| {
        let is_norm = matches!(line.kind, EntryKind::Norm | EntryKind::Procedure);
        let stands_alone = !is_norm || matches!(group, Group::Procedure(..));
        let (subject, class, has_lessons) = (line.subject, line.class, !line.exceptions.is_empty());
        let mark = Mark { subject, line: u32::try_from(index).ok()?, level: line.level?, class, has_lessons };
        (!stands_alone).then_some(mark)
    };
    lines.iter().zip(groups).enumerate().filter_map(mark).collect()
}

/// A mark and its skill.
#[derive(Debug, Clone, Copy)]
struct Place {
    scope: usize,
    mark: Mark,
}

impl Place {
    fn id(self) -> LineId {
        LineId { scope: self.scope, line: self.mark.line as usize }
    }

    /// Whether a line of another skill forbids what this one does not, or the other way round.
    fn opposes(self, other: Self) -> bool {
        self.scope != other.scope && self.mark.level.is_prohibition() != other.mark.level.is_prohibition()
    }
}

/// Lines by what they are about. Most subjects have one line: a table of bits tells them, so that they cost no entry, and
/// only the others cost a list.
struct Index {
    repeated: Vec<u64>,
    first: HashMap<u64, Place, BuildHasherDefault<AsItIs>>,
    several: HashMap<u64, Vec<Place>, BuildHasherDefault<AsItIs>>,
}

impl Index {
    fn of(scopes: &[Scope<'_>]) -> Self {
        let lines: usize = scopes.iter().map(|scope| scope.marks.len()).sum();
        // Sixteen bits a line: one subject in sixteen is taken for a repeated one that is none.
        let words = (lines / 4).next_power_of_two();
        let (mut once, mut repeated) = (vec![0_u64; words], vec![0_u64; words]);
        for mark in scopes.iter().flat_map(|scope| scope.marks) {
            let (word, bit) = bit_of(mark.subject, words);
            repeated[word] |= once[word] & bit;
            once[word] |= bit;
        }
        Self { repeated, first: HashMap::default(), several: HashMap::default() }
    }

    /// Whether another line may be about the same.
    fn may_repeat(&self, subject: u64) -> bool {
        let (word, bit) = bit_of(subject, self.repeated.len());
        self.repeated[word] & bit != 0
    }

    /// Enters the first line of a subject; for a further one, gives those that are known.
    fn enter(&mut self, line: Place) -> Option<&mut Vec<Place>> {
        let subject = line.mark.subject;
        match self.first.entry(subject) {
            Entry::Vacant(vacant) => {
                vacant.insert(line);
                None
            }
            Entry::Occupied(first) => Some(self.several.entry(subject).or_insert_with(|| vec![*first.get()])),
        }
    }
}

/// The bit of a subject in a table of `words`, a power of two.
fn bit_of(subject: u64, words: usize) -> (usize, u64) {
    ((subject >> 6) as usize & (words - 1), 1 << (subject & 63))
}

/// ``​`a`, `b` and 3 more``.
fn listed(names: &[&str]) -> String {
    let shown: Vec<String> = names.iter().take(3).map(|name| format!("`{name}`")).collect();
    match names.len() {
        0..=3 => shown.join(", "),
        more => format!("{} and {} more", shown.join(", "), more - 3),
    }
}

/// Subjects are hashes already.
#[derive(Debug, Default, Clone, Copy)]
struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }
}
