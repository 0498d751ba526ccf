//! Norms that several skills state, and norms of several skills that contradict each other.

use std::collections::BTreeMap;

use mentci_authority::{EntryKind, Level};
use mentci_source::{Code, Finding};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::body::Group;
use crate::budget::LineId;
use crate::case::{at_first, set_column};
use crate::conflict::{Claim, LineClaim, Says};
use crate::gather::conflict;
use crate::line::{Class, Line};
use crate::tally::Tally;
use crate::words::{Polarity, polarity};
use crate::workspace_digest::Scope;

/// More norms of several skills than this are one finding.
const MOST_FINDINGS: usize = 50;

/// A norm that may have twins, in few bytes: a thousand skills are looked through at every save.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mark {
    subject: u64,
    line: u32,
    level: Level,
    polarity: Polarity,
    class: Class,
    has_lessons: bool,
}

/// The norms that may have twins. Steps of procedures, lessons and facts stand for themselves.
pub(crate) fn marks(lines: &[Line], groups: &[Group]) -> Vec<Mark> {
    let mark = |(index, (line, group)): (usize, (&Line, &Group))| {
        let is_norm = matches!(line.kind, EntryKind::Norm | EntryKind::Procedure);
        let stands_alone = !is_norm || matches!(group, Group::Procedure(..));
        let (subject, class, has_lessons) = (line.subject, line.class, !line.exceptions.is_empty());
        let (index, level) = (u32::try_from(index).ok()?, line.level?);
        (!stands_alone).then(|| {
            let polarity = polarity(&line.text, level);
            Mark { subject, line: index, level, polarity, class, has_lessons }
        })
    };
    lines.iter().zip(groups).enumerate().filter_map(mark).collect()
}

/// A mark and its skill.
#[derive(Debug, Clone, Copy)]
struct Place {
    scope: u32,
    mark: Mark,
}

impl Place {
    fn id(self) -> LineId {
        LineId { scope: self.scope as usize, line: self.mark.line as usize }
    }

    /// Whether the two bind alike.
    fn says_with(self, other: Self) -> bool {
        self.mark.level == other.mark.level && self.mark.polarity == other.mark.polarity
    }

    /// Whether this line says the opposite of a claim.
    fn denies(&self, claim: Claim) -> bool {
        let says = if self.mark.polarity.forbids { Says::Forbids } else { Says::Demands };
        says.opposes(claim.says)
    }

    /// Whether a line of another skill forbids what this one does not, or the other way round.
    fn opposes(self, other: Self) -> bool {
        self.scope != other.scope && self.mark.polarity.forbids != other.mark.polarity.forbids
    }
}

impl Ordered for Place {
    fn order(&self) -> (u64, u32, u32) {
        (self.mark.subject, self.scope, self.mark.line)
    }
}

/// The marks and claims of all scopes by what they speak of, and what follows from that, kept from one compile to the next: a save moves
/// those of one scope, and only what its lines speak of is sorted out anew.
#[derive(Debug, Default)]
pub(crate) struct Twins {
    /// By subject, scope and line.
    places: Sorted<Place>,
    /// By key, scope and line.
    claims: Sorted<Claimed>,
    /// What is said of a subject by lines of several scopes.
    of_subject: FxHashMap<u64, OfSubject>,
    /// The lines that contradict each other in what they claim of a key beside what their subjects say.
    of_key: FxHashMap<u64, Vec<(LineId, LineId)>>,
    /// The lines that say the same as a stated one, by that one.
    stated: BTreeMap<LineId, Vec<LineId>>,
    /// The lines that another one states.
    merged: FxHashSet<LineId>,
    /// For each scope, how many of its lines others state.
    tallies: Vec<Tally>,
    /// What was told of two lines that contradict each other.
    told: FxHashMap<(LineId, LineId), Finding>,
}

/// What lines of several scopes say of one subject.
#[derive(Debug, Default)]
struct OfSubject {
    merged: Vec<Merged>,
    opposed: Vec<(LineId, LineId)>,
}

/// A line that a stated one says as well.
#[derive(Debug, Clone, Copy)]
struct Merged {
    stated: LineId,
    line: LineId,
    level: Level,
}

/// A claim and its skill.
#[derive(Debug, Clone, Copy)]
struct Claimed {
    scope: u32,
    line: u32,
    claim: Claim,
}

impl Claimed {
    fn id(self) -> LineId {
        LineId { scope: self.scope as usize, line: self.line as usize }
    }
}

impl Ordered for Claimed {
    fn order(&self) -> (u64, u32, u32) {
        (self.claim.key, self.scope, self.line)
    }
}

impl Twins {
    /// The lines that say what `id` says.
    pub(crate) fn of(&self, id: LineId) -> impl Iterator<Item = LineId> {
        self.stated.get(&id).into_iter().flatten().copied()
    }

    /// Whether another line states this one.
    pub(crate) fn is_merged(&self, id: LineId) -> bool {
        self.merged.contains(&id)
    }

    /// How many lines another one states as well.
    pub(crate) fn merged(&self) -> usize {
        self.merged.len()
    }

    /// The lines of each scope that others state, counted.
    pub(crate) fn tallies(&self) -> &[Tally] {
        &self.tallies
    }

    /// Takes in the marks and claims of the scopes that moved, of which `before` gives those of the time before. As long as any scope
    /// changes its place, all have moved.
    pub(crate) fn renew<'b>(
        &mut self,
        scopes: &[Scope<'_>],
        moved: &[bool],
        before: impl Fn(usize) -> (&'b [Mark], &'b [LineClaim]),
    ) {
        let is_new = self.tallies.len() != scopes.len();
        if is_new {
            *self = Self { tallies: vec![Tally::default(); scopes.len()], ..Self::default() };
        }
        let has_stayed = |scope: usize| moved.get(scope) == Some(&false);
        self.told.retain(|(one, other), _| has_stayed(one.scope) && has_stayed(other.scope));
        let mut touched: FxHashSet<u64> = FxHashSet::default();
        let (mut places, mut claims) = (Vec::new(), Vec::new());
        for (at, there) in scopes.iter().enumerate().filter(|(at, _)| moved[*at]) {
            // OK because nobody has four thousand million skills.
            let scope = u32::try_from(at).unwrap_or(u32::MAX);
            if !is_new {
                let (marks, claims) = before(at);
                for key in marks.iter().map(|mark| mark.subject) {
                    self.places.take_out(key, |place| place.scope == scope);
                    touched.insert(key);
                }
                for key in claims.iter().map(|claim| claim.claim.key) {
                    self.claims.take_out(key, |claimed| claimed.scope == scope);
                    touched.insert(key);
                }
            }
            places.extend(there.marks.iter().map(|&mark| Place { scope, mark }));
            claims.extend(there.claims.iter().map(|&LineClaim { claim, line }| Claimed {
                scope,
                line,
                claim,
            }));
        }
        places.sort_unstable_by_key(Place::order);
        claims.sort_by_key(Claimed::order);
        touched.extend(places.iter().map(|place| place.mark.subject));
        touched.extend(claims.iter().map(|claimed| claimed.claim.key));
        self.places.put_in(&places);
        self.claims.put_in(&claims);
        self.settle(touched);
    }

    /// Sorts out anew what is said of the subjects and keys that were touched.
    fn settle(&mut self, touched: FxHashSet<u64>) {
        // All is forgotten first: a line may have taken the place of one that spoke of something else.
        for &subject in &touched {
            self.forget(subject);
        }
        let mut meeting = Meeting::default();
        for subject in touched {
            let (places, claims) = (self.places.of(subject), self.claims.of(subject));
            let contradictions = contradictions(claims, places);
            if !contradictions.is_empty() {
                self.of_key.insert(subject, contradictions);
            }
            // Lines of one scope alone have no twins.
            if places.first().map(|place| place.scope) == places.last().map(|place| place.scope) {
                continue;
            }
            meeting.hold(places);
            let merged = meeting.merged.iter().map(|&(stated, line)| Merged {
                stated: meeting.stated[stated].id(),
                line: line.id(),
                level: line.mark.level,
            });
            let of_subject =
                OfSubject { merged: merged.collect(), opposed: std::mem::take(&mut meeting.opposed) };
            for &Merged { stated, line, level } in &of_subject.merged {
                self.merged.insert(line);
                self.stated.entry(stated).or_default().push(line);
                self.tallies[line.scope].add(Tally::of_level(level));
            }
            if !(of_subject.merged.is_empty() && of_subject.opposed.is_empty()) {
                self.of_subject.insert(subject, of_subject);
            }
        }
    }

    /// Takes back what was said of a subject and a key.
    fn forget(&mut self, subject: u64) {
        self.of_key.remove(&subject);
        let Some(of_subject) = self.of_subject.remove(&subject) else { return };
        for Merged { stated, line, level } in of_subject.merged {
            self.merged.remove(&line);
            self.stated.remove(&stated);
            self.tallies[line.scope].remove(Tally::of_level(level));
        }
    }

    /// Tells of the norms that several skills state.
    pub(crate) fn report_merged(&self, scopes: &[Scope<'_>], findings: &mut Vec<Finding>) {
        let line = |id: LineId| &scopes[id.scope].lines[id.line];
        for (&id, others) in self.stated.iter().take(MOST_FINDINGS) {
            let mut stands: Vec<usize> = others.iter().map(|other| other.scope).chain([id.scope]).collect();
            stands.sort_unstable();
            stands.dedup();
            let message = format!("`{}` stands in {}", line(id).text, listed(scopes, &stands));
            let finding = Finding::new(Code::DUPLICATE_NORM, message)
                .help(format!("it is stated once, as `{}`; keep it in one place", line(id).rule));
            findings.extend(others.first().map(|&first| at_first(finding, &line(first).provenance.spans)));
        }
        if self.stated.len() > MOST_FINDINGS {
            let more = self.stated.len() - MOST_FINDINGS;
            let message = format!("{more} more norms stand in several skills, and are stated once each");
            findings.push(Finding::new(Code::DUPLICATE_NORM, message));
        }
    }

    /// Tells of the lines of several skills that contradict each other, each of the later ones once. The findings have their columns.
    pub(crate) fn report_opposed(&mut self, scopes: &[Scope<'_>], findings: &mut Vec<Finding>) {
        let opposed = self.of_subject.values().flat_map(|of_subject| &of_subject.opposed);
        let mut pairs: Vec<(LineId, LineId)> =
            opposed.chain(self.of_key.values().flatten()).copied().collect();
        pairs.sort_unstable_by_key(|(one, other)| (*other, *one));
        pairs.dedup_by_key(|(_, other)| *other);
        for (one, other) in pairs {
            let tell = || {
                let line = |id: LineId| &scopes[id.scope].lines[id.line];
                let (first, second) = (line(one), line(other));
                let (spans, others) = (&first.provenance.spans, &second.provenance.spans);
                let mut told = conflict((&first.text, &second.text), spans, others);
                let sources = [one, other].map(|id| scopes[id.scope].sources);
                set_column(&mut told, |path| {
                    sources.into_iter().flatten().find(|source| **source.path() == *path)
                });
                told
            };
            findings.push(self.told.entry((one, other)).or_insert_with(tell).clone());
        }
    }
}

/// Puts what is sorted into what is sorted; what was there stands before what comes, where they are alike.
fn insert_sorted<T: Copy, K: Ord>(there: &mut Vec<T>, come: &[T], key: impl Fn(&T) -> K) {
    let mut end = there.len();
    there.extend_from_slice(come);
    for (before, new) in come.iter().enumerate().rev() {
        let at = there[..end].partition_point(|old| key(old) <= key(new));
        there.copy_within(at..end, at + before + 1);
        there[at + before] = *new;
        end = at;
    }
}

/// What stands in order: by a key, the scope and the line.
trait Ordered: Copy {
    fn order(&self) -> (u64, u32, u32);
}

/// Much that stands in order, in many short runs, so that what is taken out or put in moves only what stands beside it.
#[derive(Debug)]
struct Sorted<T> {
    runs: Vec<Vec<T>>,
}

impl<T> Default for Sorted<T> {
    fn default() -> Self {
        Self { runs: std::iter::repeat_with(Vec::new).take(1 << RUN_BITS).collect() }
    }
}

/// Keys are hashes: by their first bits they fall into runs of about one length.
const RUN_BITS: u32 = 9;

fn run_of(key: u64) -> usize {
    // OK because so few bits are left.
    usize::try_from(key >> (u64::BITS - RUN_BITS)).unwrap_or_default()
}

impl<T: Ordered> Sorted<T> {
    /// What has this key.
    fn of(&self, key: u64) -> &[T] {
        let run = &self.runs[run_of(key)];
        let run = &run[run.partition_point(|one| one.order().0 < key)..];
        &run[..run.partition_point(|one| one.order().0 == key)]
    }

    /// Takes out of what has this key.
    fn take_out(&mut self, key: u64, goes: impl Fn(&T) -> bool) {
        let run = &mut self.runs[run_of(key)];
        let start = run.partition_point(|one| one.order().0 < key);
        if run[start..].first().is_some_and(|one| one.order().0 == key) {
            run.retain(|one| !(one.order().0 == key && goes(one)));
        }
    }

    /// Puts in what is sorted; what was there stands before what comes, where they are alike.
    fn put_in(&mut self, come: &[T]) {
        for come in come.chunk_by(|one, other| run_of(one.order().0) == run_of(other.order().0)) {
            insert_sorted(&mut self.runs[run_of(come[0].order().0)], come, T::order);
        }
    }
}

/// The lines of two scopes that contradict each other in what they claim of a key, or in what the one claims and the other says.
fn contradictions(claims: &[Claimed], places: &[Place]) -> Vec<(LineId, LineId)> {
    let mut pairs = Vec::new();
    for (at, here) in claims.iter().enumerate() {
        let opposed = claims[..at]
            .iter()
            .find(|earlier| earlier.scope != here.scope && earlier.claim.says.opposes(here.claim.says));
        let stated = || places.iter().find(|place| place.scope != here.scope && place.denies(here.claim));
        let other = opposed.map(|earlier| earlier.id()).or_else(|| stated().map(|place| place.id()));
        pairs.extend(other.map(|other| ordered(other, here.id())));
    }
    pairs
}

fn ordered(one: LineId, other: LineId) -> (LineId, LineId) {
    (one.min(other), one.max(other))
}

/// The places of one subject, sorted out.
#[derive(Debug, Default)]
struct Meeting {
    /// The lines that are stated.
    stated: Vec<Place>,
    /// Lines that say the same as one of `stated`, and which.
    merged: Vec<(usize, Place)>,
    /// Lines that say the opposite of each other.
    opposed: Vec<(LineId, LineId)>,
}

impl Meeting {
    /// Sorts out the places of another subject: scope by scope, line by line.
    fn hold(&mut self, places: &[Place]) {
        self.stated.clear();
        self.merged.clear();
        self.opposed.clear();
        for &here in places {
            let same = |other: &Place| other.scope != here.scope && other.says_with(here);
            match self.stated.iter().position(same) {
                Some(at) if !here.mark.has_lessons => self.merge(at, here),
                _ => {
                    let opposed = self.stated.iter().find(|other| other.opposes(here));
                    self.opposed.extend(opposed.map(|other| (other.id(), here.id())));
                    self.stated.push(here);
                }
            }
        }
    }

    /// Merges a line into the stated one, or the other way round when it is more binding and that one has no lessons.
    fn merge(&mut self, at: usize, line: Place) {
        let stated = &mut self.stated[at];
        let swap = line.mark.class < stated.mark.class && !stated.mark.has_lessons;
        let dropped = if swap { std::mem::replace(stated, line) } else { line };
        self.merged.push((at, dropped));
    }
}

/// ``​`a`, `b`, `c` and 3 more``, by name; `stands` are places among `scopes`, in order.
fn listed(scopes: &[Scope<'_>], stands: &[usize]) -> String {
    const SHOWN: usize = 3;
    // Skills are in the order of their names; before them stands the workspace's own scope, whose name may come later.
    let mut names: Vec<&str> = stands.iter().take(SHOWN + 1).map(|&scope| scopes[scope].name).collect();
    names.sort_unstable();
    let shown: Vec<String> = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
    match stands.len() {
        0..=SHOWN => shown.join(", "),
        more => format!("{} and {} more", shown.join(", "), more - SHOWN),
    }
}
