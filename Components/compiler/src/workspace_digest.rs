//! The digest of the workspace.

use std::borrow::Cow;
use std::collections::BTreeMap;

use mentci_authority::{Digest, DigestLine, Omission, OmissionReason, SourceSpan};
use mentci_source::{Code, Finding, Hash, Source, Span};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::body::{Group, Section, write_body};
use crate::budget::{Budget, Candidate, LineId, Shelf, Shown, choose, tokens, tokens_of_lines};
use crate::case::at_first;
use crate::conflict::LineClaim;
use crate::cover::{gaps, omit, trimmed};
use crate::line::{Class, Line};
use crate::remainder::Remainder;
use crate::skill::{Classes, SkillCompiled};
use crate::skill_digest::{for_want_of_room, missing, moved_out, must_over_budget, pointer};
use crate::tally::Tally;
use crate::twins::{Mark, Twins};
use crate::workspace::WorkspaceOptions;

/// Up to so many places, the map lists each omission; beyond, what lies between two stated places is one.
const DETAILED: usize = 6_000;
/// More skills than this with must-rules that do not fit are one finding.
const MOST_FINDINGS: usize = 20;

/// A skill, or the workspace's own law and facts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scope<'a> {
    pub(crate) name: &'a str,
    pub(crate) is_skill: bool,
    pub(crate) lines: &'a [Line],
    pub(crate) groups: &'a [Group],
    pub(crate) classes: &'a Classes,
    /// Those that may have twins.
    pub(crate) marks: &'a [Mark],
    /// What they claim beside what their subjects say.
    pub(crate) claims: &'a [LineClaim],
    /// All its lines, counted.
    pub(crate) tally: Tally,
    /// What no line rests on.
    pub(crate) omitted: &'a [Omission],
    pub(crate) sources: &'a [Source],
    /// One for each of `sources`.
    pub(crate) remainders: &'a [Remainder],
}

impl<'a> Scope<'a> {
    /// A compiled skill.
    pub(crate) fn of(skill: &'a SkillCompiled) -> Self {
        Self {
            name: skill.name.as_str(),
            is_skill: true,
            lines: &skill.lines,
            groups: &skill.groups,
            classes: &skill.classes,
            marks: &skill.marks,
            claims: &skill.claims,
            tally: skill.tally,
            omitted: &skill.digest.omitted,
            sources: &skill.sources,
            remainders: &skill.remainders,
        }
    }
}

/// All lines of the workspace, laid out. The first scope is the workspace's own, the others are skills by name.
pub(crate) struct Board<'a> {
    pub(crate) scopes: &'a [Scope<'a>],
    pub(crate) twins: &'a Twins,
    pub(crate) options: &'a WorkspaceOptions,
}

/// Fair across skills: the first rule of each, then the second of each.
impl Shelf for Board<'_> {
    fn class(&self, class: Class) -> impl Iterator<Item = LineId> {
        let (mut rank, mut scope, mut found) = (0, 0, false);
        std::iter::from_fn(move || {
            loop {
                let Some(there) = self.scopes.get(scope) else {
                    // Nobody has a line of this rank, and so of none behind it.
                    if !std::mem::take(&mut found) {
                        return None;
                    }
                    (rank, scope) = (rank + 1, 0);
                    continue;
                };
                let at = scope;
                scope += 1;
                // Of a thousand skills, few are looked into.
                let line = Some(there).filter(|there| there.tally.may_have(class));
                if let Some(&line) = line.and_then(|there| there.classes.get(class).get(rank)) {
                    found = true;
                    let id = LineId { scope: at, line };
                    if !self.twins.is_merged(id) {
                        return Some(id);
                    }
                }
            }
        })
    }

    fn candidate(&self, id: LineId) -> Candidate<'_> {
        let line = self.line(id);
        Candidate { line, heading: self.heading(id), number: &line.rule }
    }
}

/// The text of a digest, and its pointer lines.
struct Written {
    text: String,
    hash: Hash,
    tokens: usize,
    pointers: Vec<String>,
}

impl Board<'_> {
    /// Emits the digest, and its tokens.
    pub(crate) fn emit(&self, findings: &mut Vec<Finding>) -> (Digest, usize) {
        let (shown, written) = self.fit();
        findings.extend(self.over_budget(&shown));
        findings.extend(self.over_share(&shown));
        let mut lines: Vec<DigestLine> =
            self.in_order(&shown).into_iter().map(|line| self.digest_line(line)).collect();
        let omitted = self.omitted(&shown);
        lines.extend(written.pointers.into_iter().map(pointer));
        (Digest { text: written.text, hash: written.hash, lines, omitted }, written.tokens)
    }

    fn line(&self, id: LineId) -> &Line {
        &self.scopes[id.scope].lines[id.line]
    }

    fn heading(&self, id: LineId) -> Cow<'static, str> {
        let scope = &self.scopes[id.scope];
        let heading = scope.groups[id.line].heading();
        match scope.groups[id.line] {
            Group::Procedure(..) if scope.is_skill => format!("{}: {heading}", scope.name).into(),
            _ => heading,
        }
    }

    /// Shows as much as the budget has room for. When it cannot be all, room for pointers is kept from the start; what is
    /// still too much is taken off again.
    fn fit(&self) -> (Vec<Shown>, Written) {
        let most = self.options.tokens.min(self.options.cap_tokens);
        let title = self.title("000000000000");
        let mut left = most.saturating_sub(tokens(&title) + 1);
        let mut chars = self.options.cap_chars.saturating_sub(title.chars().count() + 1);
        let reserve = self.pointer_reserve(most);
        let mut is_reserved = self.is_surely_more_than(left);
        if is_reserved {
            left = left.saturating_sub(reserve);
        }
        loop {
            let shown = choose(self, &self.budget(most, left, chars));
            let written = self.write(&shown, most / 5);
            let over = written.tokens.saturating_sub(most);
            let over_chars = written.text.chars().count().saturating_sub(self.options.cap_chars);
            if (over == 0 && over_chars == 0) || shown.is_empty() {
                return (shown, written);
            }
            let least = if is_reserved { 4 } else { reserve };
            left = left.saturating_sub(if over > 0 { over.max(least) } else { 0 });
            chars = chars.saturating_sub(if over_chars > 0 { over_chars.max(least * 3) } else { 0 });
            is_reserved = true;
        }
    }

    /// Whether all lines together have more than `left` tokens: few tokens are longer than sixteen bytes.
    fn is_surely_more_than(&self, left: usize) -> bool {
        let mut bytes = 0;
        let lines = self.scopes.iter().flat_map(|scope| scope.lines);
        lines.take(left).any(|line| {
            bytes += line.text.len();
            bytes > left * 16
        })
    }

    fn budget(&self, most: usize, tokens: usize, chars: usize) -> Budget {
        let share = |percent: usize| most * percent / 100;
        Budget {
            tokens,
            chars,
            unreviewed: share(self.options.unreviewed_share),
            schema: share(self.options.schema_share),
            facts: share(self.options.facts_share),
        }
    }

    /// What pointers will take, about: a line a skill, at most a fifth of all.
    fn pointer_reserve(&self, most: usize) -> usize {
        (self.scopes.len() * 12 + 16).min(most / 5)
    }

    fn title(&self, digits: &str) -> String {
        let lines: usize = self.scopes.iter().map(|scope| scope.lines.len()).sum();
        let facts: usize = self.scopes.iter().map(|scope| scope.tally.types + scope.tally.facts).sum();
        // What several skills state is one rule.
        let rules = lines - facts - self.twins.merged();
        let facts = match facts {
            0 => String::new(),
            1 => ", 1 fact".to_owned(),
            more => format!(", {more} facts"),
        };
        let skills = self.scopes.iter().filter(|scope| scope.is_skill).count();
        let noun = if skills == 1 { "skill" } else { "skills" };
        format!("# Absolute Rules, cited by number ({rules} of {skills} {noun}{facts}, {digits})")
    }

    /// The shown lines as they are printed: by section, skill and place.
    fn in_order<'s>(&self, shown: &'s [Shown]) -> Vec<&'s Shown> {
        let mut order: Vec<&Shown> = shown.iter().collect();
        order.sort_by_key(|line| {
            let group = &self.scopes[line.id.scope].groups[line.id.line];
            (group.rank(), line.id.scope, group, line.id.line)
        });
        order
    }

    fn write(&self, shown: &[Shown], pointer_tokens: usize) -> Written {
        let mut sections: Vec<Section> = Vec::new();
        let alone = self.steps_alone(shown);
        for line in self.in_order(shown) {
            let heading = match alone.get(&line.id) {
                Some(place) => place.clone().into(),
                None => self.heading(line.id),
            };
            let there = self.line(line.id);
            let text = format!("{} {}", there.rule, there.render(line.detail, line.unreviewed));
            match sections.last_mut().filter(|section| section.heading == heading) {
                Some(section) => section.lines.push(text),
                None => sections.push(Section { heading, lines: vec![text] }),
            }
        }
        let pointers = self.pointers(shown, pointer_tokens);
        if !pointers.is_empty() {
            let heading = "More, in .pi/skills/<skill>/absolute_rules.md";
            sections.push(Section { heading: heading.into(), lines: pointers.clone() });
        }
        let (text, hash) = write_body(|digits| self.title(digits), &sections, "");
        let tokens = tokens_of_lines(&text);
        Written { text, hash, tokens, pointers }
    }

    /// The headings of steps that are all that is shown of their procedures: there is no order to see, and each says which step it is.
    fn steps_alone(&self, shown: &[Shown]) -> BTreeMap<LineId, String> {
        let mut procedures: BTreeMap<(usize, &Group), Vec<(u32, LineId)>> = BTreeMap::new();
        for id in shown.iter().map(|line| line.id) {
            let group = &self.scopes[id.scope].groups[id.line];
            if let (Group::Procedure(..), Some(step)) = (group, &self.line(id).step) {
                procedures.entry((id.scope, group)).or_default().push((step.number, id));
            }
        }
        let lone =
            procedures.into_values().filter(|steps| steps.iter().all(|(number, _)| *number == steps[0].0));
        let named = |id: LineId| {
            let heading = self.heading(id);
            let place = heading.strip_suffix(", in order").unwrap_or(&heading);
            let number = self.line(id).step.as_ref().map_or(0, |step| step.number);
            (id, format!("{place}, step {number}"))
        };
        lone.flatten().map(|(_, id)| named(id)).collect()
    }

    fn digest_line(&self, shown: &Shown) -> DigestLine {
        let mut line = self.line(shown.id).digest_line(shown.detail, shown.unreviewed);
        for twin in self.twins.of(shown.id) {
            line.provenance.spans.extend(self.line(twin).provenance.spans.iter().cloned());
        }
        line
    }

    /// What is not shown of each scope. Lines that another one states are not counted.
    fn tallies(&self, shown: &[Shown]) -> Vec<Tally> {
        let mut tallies: Vec<Tally> = self.scopes.iter().map(|scope| scope.tally).collect();
        for line in shown {
            let there = self.line(line.id);
            let mut seen = missing(there, None);
            seen.remove(missing(there, Some(line)));
            tallies[line.id.scope].remove(seen);
        }
        for (tally, merged) in tallies.iter_mut().zip(self.twins.tallies()) {
            tally.remove(*merged);
        }
        tallies
    }

    /// One counted line a skill while `most` tokens have room for them, then one for all the rest.
    fn pointers(&self, shown: &[Shown], most: usize) -> Vec<String> {
        let tallies = self.tallies(shown);
        let mut left = most.saturating_sub(24);
        let mut lines = Vec::new();
        let mut rest = (Tally::default(), 0);
        for (scope, tally) in self.scopes.iter().zip(tallies).filter(|(_, tally)| !tally.is_empty()) {
            let line = (rest.1 == 0).then(|| format!("{tally}: {}", target(scope, tally)));
            match line.map(|line| (tokens(&line) + 1, line)) {
                Some((cost, line)) if cost <= left => {
                    left -= cost;
                    lines.push(line);
                }
                _ => {
                    rest.0.add(tally);
                    rest.1 += 1;
                }
            }
        }
        if rest.1 > 0 {
            lines.push(format!("{}: {} more skills", rest.0, rest.1));
        }
        lines
    }

    /// A finding for each skill with must-rules that are not shown; beyond some, one for all.
    fn over_budget(&self, shown: &[Shown]) -> Vec<Finding> {
        let mut findings = Vec::new();
        let (mut skills, mut rules) = (0, 0);
        let kept: FxHashSet<LineId> = shown.iter().map(|line| line.id).collect();
        for (scope, tally) in self.tallies(shown).into_iter().enumerate().filter(|(_, tally)| tally.must > 0)
        {
            if findings.len() < MOST_FINDINGS {
                findings.extend(must_over_budget(&self.binding_out(scope, &kept)));
            } else {
                (skills, rules) = (skills + 1, rules + tally.must);
            }
        }
        if skills > 0 {
            let message = format!(
                "{rules} more must-rules of {skills} more skills do not fit the budget and became pointers"
            );
            findings.push(
                Finding::new(Code::MUST_OVER_BUDGET, message)
                    .help("raise `digest.tokens`, or shorten the law; `policy-engine digest --skill` shows each skill's whole"),
            );
        }
        findings
    }

    /// A note for each skill with lessons that no person accepted and that have no room; beyond some skills, none more.
    fn over_share(&self, shown: &[Shown]) -> Vec<Finding> {
        let kept: FxHashMap<LineId, usize> = shown.iter().map(|line| (line.id, line.unreviewed)).collect();
        let of_scope = |(scope, there): (usize, &Scope<'_>)| {
            let lines = there.lines.iter().enumerate();
            let out: Vec<&SourceSpan> = lines
                .flat_map(|(line, it)| {
                    let id = LineId { scope, line };
                    let is_out =
                        it.class == Class::Unreviewed && !kept.contains_key(&id) && !self.twins.is_merged(id);
                    let unreviewed = it.exceptions.iter().filter(|exception| !exception.is_reviewed);
                    let exceptions = unreviewed.skip(kept.get(&id).copied().unwrap_or(0));
                    let own = is_out.then(|| it.provenance.spans.first()).flatten();
                    own.into_iter().chain(exceptions.filter_map(|exception| exception.spans.first()))
                })
                .collect();
            let first = out.first().map(|span| (*span).clone())?;
            Some(lessons_over_share(out.len(), &first))
        };
        let with_lessons = self.scopes.iter().enumerate().filter(|(_, scope)| scope.tally.lessons > 0);
        with_lessons.filter_map(of_scope).take(MOST_FINDINGS).collect()
    }

    /// The must-rules of a scope that are neither shown nor stated by another line.
    fn binding_out(&self, scope: usize, shown: &FxHashSet<LineId>) -> Vec<&Line> {
        let lines = self.scopes[scope].lines.iter().enumerate();
        let is_out = |line: usize| {
            let id = LineId { scope, line };
            !shown.contains(&id) && !self.twins.is_merged(id)
        };
        lines.filter(|(index, line)| line.is_binding() && is_out(*index)).map(|(_, line)| line).collect()
    }

    /// Everything that no shown line rests on.
    fn omitted(&self, shown: &[Shown]) -> Vec<Omission> {
        let places: usize = self.scopes.iter().map(|scope| scope.lines.len() + scope.omitted.len()).sum();
        let mut omitted =
            if places <= DETAILED { self.omitted_in_detail(shown) } else { self.omitted_between(shown) };
        omitted.sort();
        omitted
    }

    fn omitted_in_detail(&self, shown: &[Shown]) -> Vec<Omission> {
        let kept: FxHashMap<LineId, &Shown> = shown.iter().map(|line| (line.id, line)).collect();
        let lines: Vec<DigestLine> = shown.iter().map(|line| self.digest_line(line)).collect();
        let mut omitted = Vec::new();
        for (scope, there) in self.scopes.iter().enumerate() {
            omitted.extend(
                there.omitted.iter().filter(|omission| omission.reason != OmissionReason::Budget).cloned(),
            );
            let lines_there = there.lines.iter().enumerate();
            let out =
                lines_there.flat_map(|(line, it)| moved_out(it, kept.get(&LineId { scope, line }).copied()));
            omitted.extend(for_want_of_room(out.collect(), &lines, there.sources));
        }
        omitted
    }

    /// Source by source, what lies between the stated places: one omission each.
    fn omitted_between(&self, shown: &[Shown]) -> Vec<Omission> {
        let mut stated: FxHashMap<&str, Vec<SourceSpan>> = FxHashMap::default();
        let lines: Vec<DigestLine> = shown.iter().map(|line| self.digest_line(line)).collect();
        for span in lines.iter().flat_map(|line| &line.provenance.spans) {
            stated.entry(&span.path).or_default().push(span.clone());
        }
        let mut omitted = Vec::new();
        for scope in self.scopes {
            for (source, remainder) in scope.sources.iter().zip(scope.remainders) {
                match stated.get(&**source.path()) {
                    Some(spans) => omitted.extend(between(source, spans)),
                    None => omitted.extend(remainder.omission.clone()),
                }
            }
        }
        omitted
    }
}

/// What lies between the stated places of a source.
fn between(source: &Source, stated: &[SourceSpan]) -> Vec<Omission> {
    let mut spans: Vec<Span> = stated.iter().map(|place| place.span).collect();
    let gaps = gaps(source.text().len(), &mut spans).into_iter().filter_map(|gap| trimmed(source, gap));
    gaps.map(|gap| omit(source, gap, OmissionReason::Budget)).collect()
}

fn lessons_over_share(count: usize, first: &SourceSpan) -> Finding {
    let lessons = if count == 1 { "1 lesson does".to_owned() } else { format!("{count} lessons do") };
    let message = format!("{lessons} not fit the share of lessons that no person accepted");
    let finding = Finding::new(Code::LESSON_OVER_SHARE, message)
        .help("`policy-engine lessons promote` and `archive` make room; until then it is kept outside the workspace's rules");
    at_first(finding, std::slice::from_ref(first))
}

/// Where to read on: the skill's name; for the workspace its own files.
fn target(scope: &Scope<'_>, tally: Tally) -> String {
    if scope.is_skill {
        return scope.name.to_owned();
    }
    let file = |ending: &str| {
        scope.sources.iter().map(|source| &**source.path()).find(|path| path.ends_with(ending))
    };
    let mut files = Vec::new();
    files.extend((tally.must + tally.should + tally.may > 0).then(|| file(".md")).flatten());
    files.extend((tally.types > 0).then(|| file(".capnp")).flatten());
    files.extend((tally.facts > 0).then(|| file("Cargo.toml")).flatten());
    files.join(", ")
}
