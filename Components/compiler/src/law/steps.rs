//! The numbers of steps, where the law speaks of steps by number: `go back to step 1`, `the values captured in Phase 2`.

use std::collections::{BTreeMap, BTreeSet};

use super::draft::{Draft, Heading};
use super::speech::number::{Numbered, digits};
use crate::line::Class;

/// Writes its number in front of each step that is spoken of by number: the items of a list, or what stands under a heading that is
/// a step itself (`## Step 2: Detect`, `### 1) Gather`). Where a section has several lists, or steps in steps, nobody can tell which
/// step is meant, and none is written.
pub(crate) fn number(drafts: &mut [Draft], headings: &[Heading], nested: &BTreeSet<Option<usize>>) {
    let stations = Stations::of(headings);
    let taken = number_sections(drafts, headings, &stations);
    number_items(drafts, headings, nested, &taken);
}

/// Writes its number in front of the items of each list that is spoken of by number; `taken` are the numbers of headings.
fn number_items(
    drafts: &mut [Draft],
    headings: &[Heading],
    nested: &BTreeSet<Option<usize>>,
    taken: &BTreeSet<u32>,
) {
    let named = headings.iter().any(|heading| !numbers(&heading.text).is_empty());
    let mut spoken: BTreeSet<(Option<usize>, u32)> = BTreeSet::new();
    let with_steps: BTreeSet<Option<usize>> =
        drafts.iter().filter(|draft| draft.step.is_some()).map(|draft| draft.heading).collect();
    for draft in drafts.iter() {
        for number in numbers(&draft.text) {
            let has = |heading: &Option<usize>| {
                drafts.iter().any(|other| {
                    other.heading == *heading && other.step.as_ref().is_some_and(|step| step.number == number)
                })
            };
            if taken.contains(&number) {
                continue;
            }
            if with_steps.contains(&draft.heading) {
                spoken.extend(Some((draft.heading, number)).filter(|(heading, _)| has(heading)));
            } else if with_steps.len() == 1 && !named {
                spoken.extend(
                    with_steps.iter().filter(|heading| has(heading)).map(|heading| (*heading, number)),
                );
            }
        }
    }
    spoken.retain(|(heading, _)| !nested.contains(heading) && ascends(drafts, *heading));
    for draft in drafts.iter_mut() {
        let Some(step) = draft.step.as_ref().filter(|step| spoken.contains(&(draft.heading, step.number)))
        else {
            continue;
        };
        let label = format!("Step {}", step.number);
        put_in_front(draft, &label);
    }
}

/// Writes `Step 2` in front of what stands under the heading `Step 2: Detect`, where the law speaks of it elsewhere. Where nothing
/// stands right under it, the first norm below it tells where it begins. Gives the numbers of steps that headings bear.
fn number_sections(drafts: &mut [Draft], headings: &[Heading], stations: &Stations) -> BTreeSet<u32> {
    if stations.places.is_empty() {
        return BTreeSet::new();
    }
    let parents = parents(headings);
    let mut spoken: BTreeSet<usize> = BTreeSet::new();
    for draft in drafts.iter() {
        for (kind, number) in references(&draft.text) {
            if !stations.named && has_item(drafts, draft, number) {
                continue;
            }
            let found = stations.find((kind, number), draft.heading, &parents);
            spoken.extend(found.filter(|&station| !stands_under(draft.heading, station, &parents)));
        }
    }
    let mut taken: BTreeSet<u32> = BTreeSet::new();
    if stations.named {
        taken
            .extend(stations.places.keys().filter(|(kind, _)| *kind == Kind::Step).map(|(_, number)| number));
    }
    for station in spoken {
        let Some((kind, number)) = station_of(&headings[station].text) else { continue };
        for at in labelled(drafts, station, &parents) {
            put_in_front(&mut drafts[at], &format!("{} {number}", kind.name()));
        }
        if kind == Kind::Step {
            taken.insert(number);
        }
    }
    taken
}

/// Whether whoever speaks of a step is an item of a list that has one of this number.
fn has_item(drafts: &[Draft], from: &Draft, number: u32) -> bool {
    let of_list = |other: &Draft| {
        other.heading == from.heading && other.step.as_ref().is_some_and(|step| step.number == number)
    };
    from.step.is_some() && drafts.iter().any(of_list)
}

/// The norms of a section that say which step it is: those right under its heading, but for a list of steps, which is printed under
/// that heading; of many, the first of each force. Where there are none, the first norm below it.
fn labelled(drafts: &[Draft], station: usize, parents: &[Option<usize>]) -> Vec<usize> {
    const MOST: usize = 8;
    let own: Vec<usize> = (0..drafts.len()).filter(|&at| drafts[at].heading == Some(station)).collect();
    let steps: BTreeSet<u32> =
        own.iter().filter_map(|&at| drafts[at].step.as_ref().map(|step| step.number)).collect();
    let mut free = own.iter().copied().filter(|&at| steps.len() < 2 || drafts[at].step.is_none());
    if own.is_empty() {
        return (0..drafts.len())
            .find(|&at| stands_under(drafts[at].heading, station, parents))
            .into_iter()
            .collect();
    }
    if own.len() <= MOST {
        return free.collect();
    }
    let mut seen = BTreeSet::new();
    free.by_ref().filter(|&at| seen.insert(Class::of(drafts[at].level, drafts[at].force))).collect()
}

fn put_in_front(draft: &mut Draft, label: &str) {
    let opens = |text: &str| text.get(..label.len()).is_some_and(|start| start.eq_ignore_ascii_case(label));
    if opens(&draft.text) || draft.text.to_lowercase().starts_with("step ") {
        return;
    }
    draft.text = format!("{label}: {}", draft.text);
    draft.terse = draft.terse.take().map(|terse| format!("{label}: {terse}"));
}

/// What a law calls a part of its procedure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Step,
    Phase,
    Stage,
    Part,
}

impl Kind {
    fn of(word: &str) -> Option<Self> {
        let is = |name: &str| {
            word.eq_ignore_ascii_case(name)
                || word.len() == name.len() + 1
                    && word.ends_with(['s', 'S'])
                    && word.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name))
        };
        [Self::Step, Self::Phase, Self::Stage, Self::Part].into_iter().find(|kind| is(kind.name()))
    }

    fn name(self) -> &'static str {
        match self {
            Self::Step => "Step",
            Self::Phase => "Phase",
            Self::Stage => "Stage",
            Self::Part => "Part",
        }
    }
}

/// The headings that are steps.
#[derive(Default)]
struct Stations {
    places: BTreeMap<(Kind, u32), Vec<usize>>,
    /// Of these, whether their headings say what they are: `Step 2: …`, not `2) …`.
    named: bool,
}

impl Stations {
    fn of(headings: &[Heading]) -> Self {
        let mut stations = Self::default();
        for (place, heading) in headings.iter().enumerate() {
            let Some(station) = station_of(&heading.text).filter(|_| !counts_things(&heading.text)) else {
                continue;
            };
            stations.named |= starts_with_kind(&heading.text);
            stations.places.entry(station).or_default().push(place);
        }
        stations
    }

    /// The heading that is meant: the only one, or the only one under the same heading as whoever speaks of it.
    fn find(&self, station: (Kind, u32), from: Option<usize>, parents: &[Option<usize>]) -> Option<usize> {
        let places = self.places.get(&station)?;
        if let [only] = places[..] {
            return Some(only);
        }
        let near =
            |place: &&usize| parents[**place].is_some_and(|parent| stands_under(from, parent, parents));
        let mut near = places.iter().filter(near);
        near.next().copied().filter(|_| near.next().is_none())
    }
}

fn starts_with_kind(heading: &str) -> bool {
    heading.split(|c: char| !c.is_alphabetic()).find(|word| !word.is_empty()).and_then(Kind::of).is_some()
}

/// `2. Pilot agent`, `3. Lower layer`: its number counts things, and no steps.
fn counts_things(heading: &str) -> bool {
    const THINGS: &[&str] = &[
        "agent",
        "role",
        "layer",
        "component",
        "module",
        "principle",
        "pillar",
        "mode",
        "model",
        "type",
        "level",
        "tier",
        "pattern",
        "anti-pattern",
        "mistake",
        "service",
        "option",
        "strategy",
    ];
    let last = heading.rsplit(' ').next().unwrap_or("").to_lowercase();
    !starts_with_kind(heading) && THINGS.contains(&last.trim_end_matches([':', '.']))
}

/// `Step 2: Detect`, `Phase 1 - Look`, `3) Choose`, `4. Write`: which step a heading is.
fn station_of(heading: &str) -> Option<(Kind, u32)> {
    let text = heading.trim_start_matches(|c: char| !c.is_alphanumeric());
    if digits(text).is_some() {
        let number = Numbered::of(text)?.number.parse().ok()?;
        return Some((Kind::Step, number));
    }
    let (word, rest) = text.split_once(' ')?;
    let kind = Kind::of(word)?;
    let (number, behind) = digits(rest)?;
    let decimal = behind.strip_prefix('.').is_some_and(|rest| digits(rest).is_some());
    let parted = !decimal && !behind.starts_with(char::is_alphanumeric);
    number.parse().ok().filter(|_| parted).map(|number| (kind, number))
}

/// `Phase 1.5: Rigging`, `Step 2`: a heading that says by its own name that it is a part of a procedure.
pub(crate) fn is_named_station(heading: &str) -> bool {
    let text = heading.trim_start_matches(|c: char| !c.is_alphanumeric());
    text.split_once(' ').is_some_and(|(word, rest)| Kind::of(word).is_some() && digits(rest).is_some())
}

/// What stands behind the number of a heading that is a step: `Detect the shell` of `Step 2: Detect the shell`.
pub(crate) fn named_step(heading: &str) -> Option<&str> {
    station_of(heading)?;
    let text = heading.trim_start_matches(|c: char| !c.is_ascii_digit());
    let rest = text.trim_start_matches(|c: char| !c.is_alphabetic());
    (!rest.is_empty()).then_some(rest)
}

/// The heading above each.
fn parents(headings: &[Heading]) -> Vec<Option<usize>> {
    let mut open: Vec<usize> = Vec::new();
    let mut parents = Vec::with_capacity(headings.len());
    for (place, heading) in headings.iter().enumerate() {
        while open.last().is_some_and(|&last| headings[last].depth >= heading.depth) {
            open.pop();
        }
        parents.push(open.last().copied());
        open.push(place);
    }
    parents
}

/// Whether a heading is `above`, or stands somewhere under it.
fn stands_under(heading: Option<usize>, above: usize, parents: &[Option<usize>]) -> bool {
    let mut at = heading;
    while let Some(heading) = at {
        if heading == above {
            return true;
        }
        at = parents[heading];
    }
    false
}

fn ascends(drafts: &[Draft], heading: Option<usize>) -> bool {
    let numbers = drafts.iter().filter(|draft| draft.heading == heading);
    let numbers: Vec<u32> = numbers.filter_map(|draft| draft.step.as_ref().map(|step| step.number)).collect();
    numbers.is_sorted()
}

/// The numbers of the steps that a text speaks of: `step 4`, `steps 2 and 3`.
fn numbers(text: &str) -> Vec<u32> {
    let steps = references(text).into_iter().filter(|(kind, _)| *kind == Kind::Step);
    steps.map(|(_, number)| number).collect()
}

/// The steps that a text speaks of, and as what.
fn references(text: &str) -> Vec<(Kind, u32)> {
    let mut found = Vec::new();
    if !text.bytes().any(|byte| byte.is_ascii_digit()) {
        return found;
    }
    let mut speaks = None;
    // `Phase 1.5` is neither the first nor the fifth.
    let words = text.split(|c: char| !(c.is_alphanumeric() || c == '.')).map(|word| word.trim_matches('.'));
    for word in words.filter(|word| !word.is_empty()) {
        match (word.parse(), speaks) {
            (Ok(number), Some(kind)) => found.push((kind, number)),
            _ => {
                speaks = Kind::of(word).or(speaks.filter(|_| matches!(word, "and" | "or" | "to")));
            }
        }
    }
    found
}
