//! Norms that several skills state, and norms of several skills that contradict each other.

use mentci_authority::{EntryKind, Level};
use mentci_source::{Code, Finding};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::body::Group;
use crate::budget::LineId;
use crate::case::at_first;
use crate::conflict::{Claim, LineClaim, Says};
use crate::gather::conflict;
use crate::line::{Class, Line};
use crate::tally::Tally;
use crate::words::{Polarity, polarity};
use crate::workspace_digest::Scope;

/// More norms of several skills than this are one finding.
const MOST_FINDINGS: usize = 50;

/// Which lines are stated by another one.
#[derive(Debug)]
pub(crate) struct Twins {
    /// A line that is stated and one that says the same, by the first.
    pairs: Vec<(LineId, LineId)>,
    /// For each line of each scope in turn, whether another line states it.
    merged: Vec<bool>,
    /// Where the lines of each scope begin in `merged`.
    starts: Vec<usize>,
    /// For each scope, how many of its lines others state.
    tallies: Vec<Tally>,
}

impl Twins {
    /// Finds them among the marks of `scopes`.
    pub(crate) fn find(scopes: &[Scope<'_>], subjects: &mut Subjects, findings: &mut Vec<Finding>) -> Self {
        let mut twins = Self::none(scopes);
        for merged in &subjects.merged {
            twins.take(merged);
        }
        let mut conflicts: Vec<(LineId, LineId)> =
            subjects.opposed.iter().map(|opposed| (opposed.one, opposed.other)).collect();
        conflicts.extend(subjects.claimed());
        conflicts.sort_by_key(|(one, other)| (*other, *one));
        conflicts.dedup_by_key(|(_, other)| *other);
        twins.report(scopes, findings);
        subjects.report(scopes, &conflicts, findings);
        twins
    }

    fn none(scopes: &[Scope<'_>]) -> Self {
        let (mut lines, mut starts) = (0, Vec::with_capacity(scopes.len()));
        for scope in scopes {
            starts.push(lines);
            lines += scope.lines.len();
        }
        Self {
            pairs: Vec::new(),
            merged: vec![false; lines],
            starts,
            tallies: vec![Tally::default(); scopes.len()],
        }
    }

    /// The lines that say what `id` says.
    pub(crate) fn of(&self, id: LineId) -> impl Iterator<Item = LineId> {
        let first = self.pairs.partition_point(|(stated, _)| *stated < id);
        self.pairs[first..].iter().take_while(move |(stated, _)| *stated == id).map(|(_, other)| *other)
    }

    /// Whether another line states this one.
    pub(crate) fn is_merged(&self, id: LineId) -> bool {
        self.merged[self.starts[id.scope] + id.line]
    }

    /// How many lines another one states as well.
    pub(crate) fn merged(&self) -> usize {
        self.merged.iter().filter(|is_merged| **is_merged).count()
    }

    /// The lines of each scope that others state, counted.
    pub(crate) fn tallies(&self) -> &[Tally] {
        &self.tallies
    }

    fn take(&mut self, merged: &Merged) {
        let line = merged.line;
        self.merged[self.starts[line.scope] + line.line] = true;
        self.tallies[line.scope].add(Tally::of_level(merged.level));
        self.pairs.push((merged.stated, line));
    }

    fn report(&self, scopes: &[Scope<'_>], findings: &mut Vec<Finding>) {
        let line = |id: LineId| &scopes[id.scope].lines[id.line];
        let same = |one: &(LineId, LineId), next: &(LineId, LineId)| one.0 == next.0;
        for pairs in self.pairs.chunk_by(same).take(MOST_FINDINGS) {
            let (id, first) = pairs[0];
            let mut stands: Vec<usize> =
                pairs.iter().map(|(_, other)| other.scope).chain([id.scope]).collect();
            stands.sort_unstable();
            stands.dedup();
            let message = format!("`{}` stands in {}", line(id).text, listed(scopes, &stands));
            let finding = Finding::new(Code::DUPLICATE_NORM, message)
                .help(format!("it is stated once, as `{}`; keep it in one place", line(id).rule));
            findings.push(at_first(finding, &line(first).provenance.spans));
        }
        let stated = self.pairs.chunk_by(same).count();
        if stated > MOST_FINDINGS {
            let more = stated - MOST_FINDINGS;
            let message = format!("{more} more norms stand in several skills, and are stated once each");
            findings.push(Finding::new(Code::DUPLICATE_NORM, message));
        }
    }
}

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

    fn order(&self) -> (u64, u32, u32) {
        (self.mark.subject, self.scope, self.mark.line)
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

/// The marks and claims of all scopes by what they speak of, and what follows from that, kept from one compile to the next: a save moves
/// those of one scope.
#[derive(Debug, Default)]
pub(crate) struct Subjects {
    /// By subject, scope and line.
    places: Vec<Place>,
    /// By key, scope and line.
    claims: Vec<Claimed>,
    /// By the stated line.
    merged: Vec<Merged>,
    /// In no order.
    opposed: Vec<Opposed>,
    /// What was told of two lines that contradict each other.
    told: FxHashMap<(LineId, LineId), Finding>,
}

/// A line that a stated one says as well.
#[derive(Debug, Clone, Copy)]
struct Merged {
    subject: u64,
    stated: LineId,
    line: LineId,
    level: Level,
}

/// Two lines that contradict each other in what they say of a subject.
#[derive(Debug, Clone, Copy)]
struct Opposed {
    subject: u64,
    one: LineId,
    other: LineId,
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

    fn order(&self) -> (u64, u32, u32) {
        (self.claim.key, self.scope, self.line)
    }
}

impl Subjects {
    /// Takes in the marks and claims of the scopes that moved. As long as any scope changes its place, all have moved.
    pub(crate) fn renew(&mut self, scopes: &[Scope<'_>], moved: &[bool]) {
        let has_stayed = |scope: usize| moved.get(scope) == Some(&false);
        let mut touched: FxHashSet<u64> = FxHashSet::default();
        self.places.retain(|place| {
            let stays = has_stayed(place.scope as usize);
            if !stays {
                touched.insert(place.mark.subject);
            }
            stays
        });
        self.claims.retain(|claimed| has_stayed(claimed.scope as usize));
        self.told.retain(|(one, other), _| has_stayed(one.scope) && has_stayed(other.scope));
        let kept = (self.places.len(), self.claims.len());
        for (scope, there) in scopes.iter().enumerate().filter(|(scope, _)| moved[*scope]) {
            // OK because nobody has four thousand million skills.
            let scope = u32::try_from(scope).unwrap_or(u32::MAX);
            self.places.extend(there.marks.iter().map(|&mark| Place { scope, mark }));
            self.claims.extend(there.claims.iter().map(|&LineClaim { claim, line }| Claimed {
                scope,
                line,
                claim,
            }));
        }
        touched.extend(self.places[kept.0..].iter().map(|place| place.mark.subject));
        self.places[kept.0..].sort_unstable_by_key(Place::order);
        self.claims[kept.1..].sort_by_key(Claimed::order);
        // Two sorted runs each: this merges them.
        self.places.sort_by_key(Place::order);
        self.claims.sort_by_key(Claimed::order);
        self.settle(touched);
    }

    /// Sorts out anew what is said of the subjects that were touched.
    fn settle(&mut self, touched: FxHashSet<u64>) {
        self.merged.retain(|merged| !touched.contains(&merged.subject));
        self.opposed.retain(|opposed| !touched.contains(&opposed.subject));
        let mut touched: Vec<u64> = touched.into_iter().collect();
        touched.sort_unstable();
        let mut meeting = Meeting::default();
        for subject in touched {
            let first = self.places.partition_point(|place| place.mark.subject < subject);
            let places = &self.places[first..];
            let places = &places[..places.partition_point(|place| place.mark.subject == subject)];
            // Lines of one scope alone have no twins.
            let (Some(first), Some(last)) = (places.first(), places.last()) else { continue };
            if first.scope == last.scope {
                continue;
            }
            meeting.hold(places);
            self.opposed.extend(meeting.opposed.iter().map(|&(one, other)| Opposed { subject, one, other }));
            self.merged.extend(meeting.merged.iter().map(|&(stated, line)| Merged {
                subject,
                stated: meeting.stated[stated].id(),
                line: line.id(),
                level: line.mark.level,
            }));
        }
        self.merged.sort_by_key(|merged| merged.stated);
    }

    /// Tells of the lines that contradict each other.
    fn report(&mut self, scopes: &[Scope<'_>], conflicts: &[(LineId, LineId)], findings: &mut Vec<Finding>) {
        let line = |id: LineId| &scopes[id.scope].lines[id.line];
        for &(one, other) in conflicts {
            let tell = || {
                let (one, other) = (line(one), line(other));
                conflict((&one.text, &other.text), &one.provenance.spans, &other.provenance.spans)
            };
            findings.push(self.told.entry((one, other)).or_insert_with(tell).clone());
        }
    }

    /// The lines of two scopes that contradict each other in what they claim beside what their subjects say.
    fn claimed(&self) -> Vec<(LineId, LineId)> {
        let mut pairs = Vec::new();
        let mut places = self.places.as_slice();
        for of_key in self.claims.chunk_by(|one, next| one.claim.key == next.claim.key) {
            let key = of_key[0].claim.key;
            places = &places[places.partition_point(|place| place.mark.subject < key)..];
            let of_subject = &places[..places.partition_point(|place| place.mark.subject == key)];
            for (at, here) in of_key.iter().enumerate() {
                let opposed = of_key[..at].iter().find(|earlier| {
                    earlier.scope != here.scope && earlier.claim.says.opposes(here.claim.says)
                });
                let stated =
                    || of_subject.iter().find(|place| place.scope != here.scope && place.denies(here.claim));
                let other = opposed.map(|earlier| earlier.id()).or_else(|| stated().map(|place| place.id()));
                pairs.extend(other.map(|other| ordered(other, here.id())));
            }
        }
        pairs
    }
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
