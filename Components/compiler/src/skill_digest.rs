//! The digest of one skill.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use mentci_authority::{
    Digest, DigestLine, EntryKind, Omission, OmissionReason, Provenance, SkillName, SourceSpan,
};
use mentci_source::{Code, Finding, Hash, Source};

use crate::body::{Group, Section, write_body};
use crate::budget::{Budget, Candidate, LineId, Shelf, Shown, choose, choose_all, tokens};
use crate::case::at_first;
use crate::cover::left_over;
use crate::line::{Class, Line};
use crate::skill::{Classes, SkillOptions, scope_of};
use crate::tally::Tally;

/// The lines of one skill, laid out.
pub(crate) struct Sheet<'a> {
    pub(crate) name: &'a SkillName,
    pub(crate) lines: &'a [Line],
    pub(crate) classes: &'a Classes,
    pub(crate) groups: &'a [Group],
    pub(crate) sources: &'a [Source],
}

impl Shelf for Sheet<'_> {
    fn class(&self, class: Class) -> impl Iterator<Item = LineId> {
        self.classes.get(class).iter().map(|&line| LineId { scope: 0, line })
    }

    fn candidate(&self, id: LineId) -> Candidate<'_> {
        let line = &self.lines[id.line];
        Candidate { line, heading: self.groups[id.line].heading(), number: &line.rule.number }
    }
}

/// The text of a digest, and its pointer lines.
struct Written {
    text: String,
    hash: Hash,
    pointers: Vec<String>,
}

impl Sheet<'_> {
    /// Emits the digest. `omitted` is what the earlier passes left out.
    pub(crate) fn emit(
        &self,
        omitted: Vec<Omission>,
        options: &SkillOptions,
        findings: &mut Vec<Finding>,
    ) -> Digest {
        let (shown, written) = self.fit(options);
        findings.extend(self.over_budget(&shown));
        let mut digest = self.digest(&shown, written, omitted);
        digest.omitted.sort();
        digest
    }

    /// Shows as much as the budget has room for.
    fn fit(&self, options: &SkillOptions) -> (Vec<Shown>, Written) {
        let Some(most) = options.tokens else {
            let shown = choose_all(self);
            let written = self.write(&shown, usize::MAX);
            return (shown, written);
        };
        let mut left = most.saturating_sub(tokens(&self.title("000000000000")) + tokens(&self.last()) + 2);
        loop {
            let budget =
                Budget { tokens: left, chars: usize::MAX, unreviewed: most * 15 / 100, schema: 0, facts: 0 };
            let shown = choose(self, &budget);
            let written = self.write(&shown, most / 5);
            let over = tokens(&written.text).saturating_sub(most);
            if over == 0 || shown.is_empty() {
                return (shown, written);
            }
            left = left.saturating_sub(over.max(4));
        }
    }

    fn write(&self, shown: &[Shown], pointer_tokens: usize) -> Written {
        let mut sections: BTreeMap<&Group, Vec<(usize, String)>> = BTreeMap::new();
        for line in shown {
            let there = &self.lines[line.id.line];
            let group = &self.groups[line.id.line];
            let said = there.render(line.detail, line.unreviewed);
            let text = format!("{} {}", there.rule.number, group.without_name(&said));
            sections.entry(group).or_default().push((line.id.line, text));
        }
        let mut sections: Vec<Section> =
            sections.into_iter().map(|(group, lines)| section(group.heading(), lines)).collect();
        let pointers = self.pointers(shown, pointer_tokens);
        if !pointers.is_empty() {
            sections.push(Section { heading: "More".into(), lines: pointers.clone() });
        }
        let (text, hash) = write_body(|digits| self.title(digits), &sections, &self.last());
        Written { text, hash, pointers }
    }

    fn title(&self, digits: &str) -> String {
        let (name, count) = (scope_of(self.name), self.lines.len());
        format!("# Absolute Rules, cited as {name}-N ({count}, {digits})")
    }

    /// Where the law stands, the folder once. Lessons are left out: they move between files and mean the same.
    fn last(&self) -> String {
        let mut folder = "";
        let mut out = String::new();
        for source in self.sources.iter().filter(|source| !source.path().ends_with(".edn")) {
            let (place, file) = source.path().rsplit_once('/').unwrap_or(("", source.path()));
            out.push_str(if out.is_empty() { "Law: " } else { ", " });
            out.push_str(if place == folder { file } else { source.path() });
            folder = place;
        }
        out
    }

    /// One counted line for each section of the law that is not shown whole; one for all when these take too much.
    fn pointers(&self, shown: &[Shown], most: usize) -> Vec<String> {
        let mut tallies: BTreeMap<(usize, &str), Tally> = BTreeMap::new();
        let mut first: BTreeMap<&str, usize> = BTreeMap::new();
        let kept: BTreeMap<usize, &Shown> = shown.iter().map(|line| (line.id.line, line)).collect();
        let mut all = Tally::default();
        for (index, line) in self.lines.iter().enumerate() {
            let missing = missing(line, kept.get(&index).copied());
            if !missing.is_empty() {
                let at = *first.entry(&line.section).or_insert(index);
                tallies.entry((at, &line.section)).or_default().add(missing);
                all.add(missing);
            }
        }
        let file =
            self.sources.first().map_or("", |source| source.path().rsplit('/').next().unwrap_or_default());
        let name =
            |section: &str| if section.is_empty() { String::new() } else { format!(" \u{a7}{section}") };
        let lines: Vec<String> =
            tallies.iter().map(|((_, section), tally)| format!("{tally}: {file}{}", name(section))).collect();
        let cost: usize = lines.iter().map(|line| tokens(line) + 1).sum();
        if lines.len() > 1 && cost > most { vec![format!("{all}: {file}")] } else { lines }
    }

    fn digest(&self, shown: &[Shown], written: Written, mut omitted: Vec<Omission>) -> Digest {
        let mut order: Vec<&Shown> = shown.iter().collect();
        order.sort_by_key(|line| (&self.groups[line.id.line], line.id.line));
        let mut lines: Vec<DigestLine> = order
            .into_iter()
            .map(|line| self.lines[line.id.line].digest_line(line.detail, line.unreviewed))
            .collect();
        let kept: BTreeMap<usize, &Shown> = shown.iter().map(|line| (line.id.line, line)).collect();
        let out = self
            .lines
            .iter()
            .enumerate()
            .flat_map(|(index, line)| moved_out(line, kept.get(&index).copied()));
        omitted.extend(for_want_of_room(out.collect(), &lines, self.sources));
        lines.extend(written.pointers.into_iter().map(pointer));
        Digest { text: written.text, hash: written.hash, lines, omitted }
    }

    fn over_budget(&self, shown: &[Shown]) -> Option<Finding> {
        let kept: BTreeSet<usize> = shown.iter().map(|line| line.id.line).collect();
        let out =
            self.lines.iter().enumerate().filter(|(index, line)| !kept.contains(index) && line.is_binding());
        must_over_budget(&out.map(|(_, line)| line).collect::<Vec<_>>())
    }
}

fn section(heading: Cow<'static, str>, mut lines: Vec<(usize, String)>) -> Section {
    lines.sort();
    Section { heading, lines: lines.into_iter().map(|(_, line)| line).collect() }
}

/// What of a line is not shown, counted: the line, or lessons on it.
pub(crate) fn missing(line: &Line, shown: Option<&Shown>) -> Tally {
    let lessons = match shown {
        Some(shown) => line.exceptions.len() - line.shown(shown.unreviewed).count(),
        None => line.exceptions.len(),
    };
    let mut tally = Tally::of_lessons(lessons);
    if shown.is_none() {
        tally.add(Tally::of(line));
    }
    tally
}

/// The places of a line, or of lessons on it, that are not shown.
pub(crate) fn moved_out<'a>(line: &'a Line, shown: Option<&Shown>) -> Vec<&'a SourceSpan> {
    let Some(shown) = shown else { return line.spans().collect() };
    let visible: Vec<_> = line.shown(shown.unreviewed).collect();
    let hidden = line.exceptions.iter().filter(|exception| !visible.contains(exception));
    hidden.flat_map(|exception| &exception.spans).collect()
}

/// Omissions for want of room.
pub(crate) fn for_want_of_room<'a>(
    out: Vec<&'a SourceSpan>,
    lines: &'a [DigestLine],
    sources: &[Source],
) -> impl Iterator<Item = Omission> {
    let stated = lines.iter().flat_map(|line| &line.provenance.spans);
    left_over(out, stated, sources).into_iter().map(|span| Omission { span, reason: OmissionReason::Budget })
}

/// The line of the digest that says where the law goes on.
pub(crate) fn pointer(text: String) -> DigestLine {
    let provenance = Provenance::default();
    DigestLine { rule: None, norm: None, kind: EntryKind::Pointer, level: None, text, provenance }
}

/// All rules of one scope, runs of numbers joined: `sema-4`, `sema-17` to `sema-19`.
fn named(rules: &[&Line]) -> String {
    let Some(scope) = rules.first().map(|line| line.rule.scope.clone()) else { return String::new() };
    let mut numbers: Vec<u32> = rules.iter().map(|line| line.rule.number).collect();
    numbers.sort_unstable();
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some((_, last)) if number <= *last + 1 => *last = number,
            _ => runs.push((number, number)),
        }
    }
    let name = |number: u32| format!("`{scope}-{number}`");
    let runs = runs.into_iter().map(|(first, last)| match last - first {
        0 => name(first),
        1 => format!("{}, {}", name(first), name(last)),
        _ => format!("{} to {}", name(first), name(last)),
    });
    let runs: Vec<String> = runs.collect();
    let more = runs.len().saturating_sub(MOST_NAMED);
    let shown = runs[..runs.len() - more].join(", ");
    if more == 0 { shown } else { format!("{shown} and {more} more, which the skill's own digest shows,") }
}

/// A finding names so many runs of rules at most.
const MOST_NAMED: usize = 100;

/// The finding for the must-rules of one skill that are not shown.
pub(crate) fn must_over_budget(out: &[&Line]) -> Option<Finding> {
    let first = out.first()?;
    let verb = if out.len() == 1 { "does not fit" } else { "do not fit" };
    let message = format!("{} {verb} the budget and became a pointer", named(out));
    let finding = Finding::new(Code::MUST_OVER_BUDGET, message)
        .help("raise `digest.tokens`, or shorten the law; `policy-engine explain` shows each rule");
    Some(at_first(finding, &first.provenance.spans))
}
