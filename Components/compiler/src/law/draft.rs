//! A norm while it is being read, and the book that reading fills.

use std::cell::Cell;

use mentci_authority::{
    EntryKind, Force, Level, Norm, NormId, Omission, OmissionReason, Provenance, Scope, SourceSpan, Step,
    Tier,
};
use mentci_source::{Source, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use super::fence::one_line;
use super::outline::Outline;
use super::setting::Setting;
use super::speech::judgement::says_no;
use super::speech::lexicon::is_nounish;
use super::speech::stance::Stance;
use super::speech::word::Word;
use crate::words::bag;

/// A line longer than this many bytes takes no more names.
const LONGEST: usize = 1_200;

/// A norm that may still gain what completes it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Draft {
    pub level: Level,
    pub force: Force,
    pub kind: EntryKind,
    pub text: String,
    pub terse: Option<String>,
    pub condition: Option<String>,
    pub exceptions: Vec<String>,
    pub literals: Vec<String>,
    pub original: String,
    pub step: Option<Step>,
    /// Its own bytes first, then those of the lead-in that it rests on.
    pub spans: Vec<Span>,
    /// The heading that it stands under.
    pub heading: Option<usize>,
    /// How many names were added to it.
    pub completions: usize,
    /// The draft that takes further names, once this one is long.
    pub goes_on_in: Option<usize>,
    /// Whether it was read from code or a comment in it.
    pub is_of_fence: bool,
}

impl Draft {
    /// The order itself, without what completed it.
    pub(crate) fn head(&self) -> String {
        let cut = if self.completions == 0 {
            self.text.len()
        } else {
            self.text.find(": ").unwrap_or(self.text.len())
        };
        self.text[..cut].to_owned()
    }

    /// Puts a name and a colon in front, behind its condition.
    pub(crate) fn put_in(&mut self, name: &str) {
        let behind = self.condition.as_deref().and_then(|condition| self.text.strip_prefix(condition));
        let rest = behind.and_then(|rest| rest.strip_prefix(": "));
        let at = rest.map_or(0, |rest| self.text.len() - rest.len());
        self.text.insert_str(at, &format!("{name}: "));
    }
}

/// A prohibition that only names a thing, and has no word that forbids it, says so in front, behind its condition: a line is read alone.
/// What tells (`The folder is read-only`) says it by itself.
fn denied(mut draft: Draft) -> Draft {
    let tells = |text: &str| text.split(' ').any(|word| matches!(word, "is" | "are" | "stays" | "remains"));
    if !draft.level.is_prohibition() || says_no(&draft.text) || tells(&draft.text) {
        return draft;
    }
    draft.put_in(if draft.level == Level::ShouldNot { "AVOID" } else { "NEVER" });
    draft
}

/// `` `port` (optional): where it ends ``, `Coil the rope (optional): by hand`: its name leaves it free.
fn left_free(draft: Draft) -> Draft {
    const FREE: &[&str] = &[" (optional)", " (opcional)", ", optional)"];
    let named = || {
        let (name, _) = draft.text.split_once(": ")?;
        FREE.iter().find_map(|free| name.strip_suffix(free)).filter(|name| !name.is_empty())
    };
    let level = if draft.level == Level::Must && named().is_some() { Level::May } else { draft.level };
    Draft { level, ..draft }
}

/// What stands under a heading that only shows.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shows {
    #[default]
    Nothing,
    /// What somebody asks for, among samples: all that follows shows what is done then.
    Session,
    /// What a tool does, and its parameters.
    Manual,
}

/// A heading that was met.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Heading {
    pub text: String,
    pub span: Span,
    pub depth: u8,
    pub stance: Stance,
    /// What its own words say.
    pub own: Stance,
    /// What it forbids as a whole.
    pub forbids_all: Option<Stance>,
    /// Whether it turns to what helps, or names what is bad.
    pub turn: Turn,
    /// What it shows below, where that is no law.
    pub shows: Shows,
    /// Whether it is a prohibition itself, `No dead code`: an order under it says how to keep it.
    pub denies: bool,
    /// `If …`, `When …`: holds for all that stands under it.
    pub condition: Option<String>,
    /// It begins a sentence that its items end: `When NOT to use` (the skill must not be used), `Stop conditions` and `The only
    /// commands allowed` (must).
    pub refuses: Option<Level>,
    /// What it says of the things or acts that its items name.
    pub binds: Option<Binds>,
    /// What it orders itself, should nothing under it.
    pub orders: Vec<Draft>,
    pub used: bool,
}

impl Heading {
    /// Whether an order under it says what to do, though what stands above forbids.
    pub(crate) fn heals(&self) -> bool {
        self.turn != Turn::Nowhere
    }
}

/// Where a heading turns among those that forbid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Turn {
    Nowhere,
    /// `The fix`.
    Remedy,
    /// `God objects` under `Anti-patterns`: under it stands what that is, or how to do without.
    Bad,
}

/// What a heading says of what its items name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Binds {
    /// They wait for something: `Requires approval`.
    Acts,
    /// They stay as they are: `Read-only`.
    Things,
}

/// What reading has found so far.
pub(crate) struct Book<'s> {
    pub source: &'s Source,
    /// The headings of the whole document.
    pub outline: &'s Outline,
    pub drafts: Vec<Draft>,
    pub omitted: Vec<(Span, OmissionReason)>,
    pub headings: Vec<Heading>,
    /// The headings that stand open above the next block, outermost first.
    pub open: Vec<usize>,
    /// The headings under which steps have numbered steps of their own.
    pub nested_steps: std::collections::BTreeSet<Option<usize>>,
    /// The last question behind a `Q:`, which an `A:` answers.
    pub asked: Option<Asked>,
    /// Whether a norm names a line of the source by its number.
    pub names_lines: Cell<bool>,
}

/// A question that waits for its answer: its words, and what it says.
#[derive(Debug)]
pub(crate) struct Asked {
    pub words: Vec<Word>,
    pub text: String,
    pub span: Span,
}

impl<'s> Book<'s> {
    /// The book of a section, with the title that stands open above it.
    pub(crate) fn under(source: &'s Source, outline: &'s Outline, title: Option<Heading>) -> Self {
        Self {
            source,
            outline,
            drafts: Vec::new(),
            omitted: Vec::new(),
            open: (0..usize::from(title.is_some())).collect(),
            headings: title.into_iter().collect(),
            nested_steps: std::collections::BTreeSet::new(),
            asked: None,
            names_lines: Cell::new(false),
        }
    }

    /// Passes bytes over, with the reason.
    pub(crate) fn omit(&mut self, span: Span, reason: OmissionReason) {
        if !span.is_empty() {
            self.omitted.push((span, reason));
        }
    }

    /// The open heading that one of this depth stands under.
    pub(crate) fn above(&self, depth: u8) -> Option<usize> {
        self.open.iter().rev().copied().find(|&heading| self.headings[heading].depth < depth)
    }

    /// Opens a heading; those of its depth and deeper are closed. Gives the one that it stands under.
    pub(crate) fn open_heading(&mut self, heading: Heading) -> Option<usize> {
        while self.open.last().is_some_and(|&last| self.headings[last].depth >= heading.depth) {
            self.open.pop();
        }
        let parent = self.open.last().copied();
        self.headings.push(heading);
        self.open.push(self.headings.len() - 1);
        parent
    }

    /// What the open headings forbid as a whole.
    pub(crate) fn forbids_all(&self) -> Option<Stance> {
        self.forbidding().and_then(|heading| heading.forbids_all)
    }

    /// The nearest open heading that forbids; none when a nearer one turns to something else.
    pub(crate) fn forbidding(&self) -> Option<&Heading> {
        let open = self.open.iter().rev().map(|&heading| &self.headings[heading]);
        open.take_while(|heading| {
            matches!(heading.stance, Stance::Forbid | Stance::Discourage | Stance::Neutral)
        })
        .take_while(|heading| !heading.heals())
        .find(|heading| matches!(heading.own, Stance::Forbid | Stance::Discourage))
    }

    /// Adds a norm and tells where.
    pub(crate) fn add(&mut self, mut draft: Draft) -> usize {
        // A lead-in may stand on two lines.
        if draft.text.contains('\n') {
            draft.text = one_line(&draft.text);
        }
        if let Some(heading) = draft.heading {
            self.headings[heading].used = true;
        }
        self.drafts.push(draft);
        self.drafts.len() - 1
    }

    /// Takes the last norm into one that says it all again, and what it is set against: `Reviews are done by people` and `Reviews are
    /// done by people, never by bots`.
    pub(crate) fn take_in(&mut self, draft: &mut Draft) {
        const CUES: &[&str] = &[", never", " — never", ", don't", ", do not"];
        let said = |last: &&mut Draft| {
            let rest = draft.text.strip_prefix(&last.text);
            last.level == Level::Must
                && draft.level == Level::MustNot
                && rest.is_some_and(|rest| CUES.iter().any(|cue| rest.starts_with(cue)))
        };
        if let Some(last) = self.drafts.last_mut().filter(said) {
            draft.spans.append(&mut last.spans);
            draft.literals.append(&mut last.literals);
            self.drafts.pop();
        }
    }

    /// `You might want to skip it. Don't.`: what a ban says again in front was no leave and no advice. `You may read it. Do not share it.`
    /// bans something else.
    pub(crate) fn take_back(&mut self, draft: &mut Draft) {
        const SHORTEST: usize = 3;
        let said = |last: &&mut Draft| {
            let rest = draft.text.strip_prefix(&last.text).and_then(|rest| rest.strip_prefix(": "));
            let whole = |rest: &str| {
                let does = |word: &str| word == "do";
                last.level == Level::Should
                    || rest.split(' ').count() < SHORTEST
                    || rest.split(' ').nth(1).is_some_and(does)
            };
            matches!(last.level, Level::May | Level::Should)
                && draft.level == Level::MustNot
                && rest.is_some_and(whole)
        };
        if let Some(last) = self.drafts.last_mut().filter(said) {
            draft.spans.append(&mut last.spans);
            self.drafts.pop();
        }
    }

    /// Completes a norm with a name that stands under it. A norm that has grown long goes on in another one.
    pub(crate) fn complete(&mut self, draft: usize, text: &str, span: Span, literals: Vec<String>) {
        let mut at = self.drafts[draft].goes_on_in.unwrap_or(draft);
        if self.drafts[at].text.len() > LONGEST {
            let next = Draft { text: self.drafts[at].head(), completions: 0, ..self.drafts[draft].clone() };
            at = self.add(Draft {
                spans: next.spans.iter().skip(1).take(1).copied().collect(),
                literals: Vec::new(),
                ..next
            });
            self.drafts[draft].goes_on_in = Some(at);
        }
        let draft = &mut self.drafts[at];
        draft.text.push_str(match draft.completions {
            0 if draft.text.ends_with(['?', '!']) => " ",
            0 if draft.text.ends_with(':') => " ",
            0 => ": ",
            _ => "; ",
        });
        draft.text.push_str(text);
        draft.completions += 1;
        draft.spans.push(span);
        draft.literals.extend(literals);
    }

    /// Says more of what completes a norm last: `Ask about: Costs: cranes and crews`.
    pub(crate) fn detail(&mut self, draft: usize, text: &str, span: Span, literals: Vec<String>) {
        let at = self.drafts[draft].goes_on_in.unwrap_or(draft);
        let draft = &mut self.drafts[at];
        draft.text.push_str(if draft.text.ends_with(['?', '!']) { " " } else { ": " });
        draft.text.push_str(text);
        draft.spans.push(span);
        draft.literals.extend(literals);
    }

    /// The last norm goes on with another sentence: `STOP. Return to Phase 1`.
    pub(crate) fn go_on(&mut self, text: &str, span: Span, literals: Vec<String>) {
        let ends = self.drafts.last().is_some_and(|draft| draft.text.ends_with(['?', '!']));
        self.append(if ends { " " } else { ". " }, text, (span, literals));
    }

    /// The last norm goes on with another clause of its sentence: `Verify: the log is open; the chart exists`.
    pub(crate) fn go_on_in_sentence(&mut self, text: &str, span: Span, literals: Vec<String>) {
        self.append("; ", text, (span, literals));
    }

    fn append(&mut self, mark: &str, text: &str, (span, literals): (Span, Vec<String>)) {
        if let Some(draft) = self.drafts.last_mut() {
            draft.terse = None;
            draft.text.push_str(mark);
            draft.text.push_str(text);
            draft.spans.push(span);
            draft.literals.extend(literals);
        }
    }

    /// `…; everything else does`: what the last permission leaves out; it binds.
    pub(crate) fn leave_out(&mut self, text: &str, span: Span) {
        if let Some(draft) = self.drafts.last_mut() {
            draft.terse = None;
            draft.text.push_str("; ");
            draft.text.push_str(text);
            draft.spans.push(span);
        }
        self.bound();
    }

    /// `Stop when: a; b`: the norm holds in this case, too.
    pub(crate) fn or_condition(&mut self, draft: usize, case: &str) {
        if let Some(condition) = &mut self.drafts[draft].condition {
            condition.push_str("; ");
            condition.push_str(case);
        }
    }

    /// A permission that leaves something out binds.
    pub(crate) fn bound(&mut self) {
        if let Some(draft) = self.drafts.last_mut().filter(|draft| draft.level == Level::May) {
            (draft.level, draft.force) = (Level::Must, Force::Explicit);
        }
    }

    /// What the last norm goes on with binds outright, and the norm with it.
    pub(crate) fn stress(&mut self) {
        if let Some(draft) = self.drafts.last_mut() {
            draft.force = Force::Explicit;
        }
    }

    /// Puts the name of what a norm is about in front of it.
    pub(crate) fn name(&mut self, draft: usize, name: &str, span: Span, literals: Vec<String>) {
        let draft = &mut self.drafts[draft];
        if draft.text.starts_with(name) {
            return;
        }
        draft.text = format!("{name}: {}", draft.text);
        draft.terse = draft.terse.take().map(|terse| format!("{name}: {terse}"));
        draft.spans.push(span);
        draft.literals.extend(literals);
    }

    /// `Nothing else.` behind what is asked for: a prohibition of its own.
    pub(crate) fn and_nothing_else(&mut self, text: &str, span: Span) {
        let Some(last) = self.drafts.last() else { return };
        let (level, force) = (Level::MustNot, Force::Explicit);
        let text = format!("{}. {text}", last.text);
        let draft = Draft { level, force, text, terse: None, goes_on_in: None, ..last.clone() };
        let at = self.add(draft);
        self.drafts[at].spans.insert(0, span);
    }

    /// Notes that what the last norm goes on with is an exception to it.
    pub(crate) fn excepted(&mut self, text: &str) {
        if let Some(draft) = self.drafts.last_mut() {
            draft.exceptions.push(text.to_owned());
        }
    }

    /// The norm under the same heading that an exception speaks of gains it; false when there is none.
    pub(crate) fn except(&mut self, text: &str, span: Span, literals: Vec<String>, here: &Setting) -> bool {
        let last = self.drafts.len().checked_sub(1);
        let Some(last) = last.filter(|&last| self.drafts[last].heading == here.heading) else { return false };
        let rule = self.spoken_of(text, last).unwrap_or(last);
        self.except_at(rule, text, span, literals);
        true
    }

    /// `Exceptions: generated files may skip the linter` behind `Run the linter` and `Never commit keys`: the only norm that it shares a
    /// word with, where it shares none with the `last` one.
    fn spoken_of(&self, text: &str, last: usize) -> Option<usize> {
        const FARTHEST: usize = 8;
        let named = bag(text);
        let rule = |draft: &Draft| draft.text.split(" EXCEPT ").next().map(bag).unwrap_or_default();
        let shares = |draft: &Draft| rule(draft).keys().any(|word| named.contains_key(word));
        let heading = self.drafts[last].heading;
        let near = (last.saturating_sub(FARTHEST)..=last).rev();
        let mut near_rules =
            near.take_while(|&at| self.drafts[at].heading == heading).filter(|&at| shares(&self.drafts[at]));
        let (first, more) = (near_rules.next()?, near_rules.next().is_some());
        (first != last && !more).then_some(first)
    }

    /// A norm gains an exception.
    pub(crate) fn except_at(&mut self, at: usize, text: &str, span: Span, literals: Vec<String>) {
        let draft = &mut self.drafts[at];
        if draft.level == Level::May {
            (draft.level, draft.force) = (Level::Must, Force::Explicit);
        }
        draft.terse = None;
        draft.text.push_str(if draft.text.ends_with(['!', '?']) { " EXCEPT " } else { ". EXCEPT " });
        draft.text.push_str(text);
        draft.exceptions.push(text.to_owned());
        draft.spans.push(span);
        draft.literals.extend(literals);
    }

    /// The norms and the omissions: headings that no norm rests on are omitted, equal norms become one.
    pub(crate) fn close(mut self, scope: &Scope) -> (Vec<Norm>, Vec<Omission>) {
        let norms = self.norms(scope);
        let omitted = self.omissions(&norms);
        (norms, omitted)
    }

    /// The norms, equal ones joined.
    pub(crate) fn norms(&mut self, scope: &Scope) -> Vec<Norm> {
        super::ordered::state(&mut self.drafts, &mut self.headings);
        for heading in &self.headings {
            if !heading.used {
                self.omitted.push((heading.span, OmissionReason::Heading));
            }
        }
        super::steps::number(&mut self.drafts, &self.headings, &self.nested_steps);
        super::topic::tell_apart(&mut self.drafts, &self.headings);
        super::topic::count_under(&mut self.drafts, &self.headings);
        let mut norms: Vec<Norm> = Vec::with_capacity(self.drafts.len());
        let mut by_id: FxHashMap<NormId, usize> = FxHashMap::default();
        for draft in std::mem::take(&mut self.drafts) {
            if !draft.text.contains(char::is_alphanumeric) {
                self.omitted.extend(draft.spans.first().map(|&span| (span, OmissionReason::Separator)));
                continue;
            }
            if self.only_names(&draft) {
                self.omitted.extend(draft.spans.first().map(|&span| (span, OmissionReason::Description)));
                continue;
            }
            let mut norm = self.norm(draft, scope);
            if let Some(step) = by_id.get(&norm.id).and_then(|&first| other_step(&norms[first], &norm)) {
                norm.id = step;
            }
            if let Some(&first) = by_id.get(&norm.id) {
                norms[first].provenance.spans.extend(norm.provenance.spans);
            } else {
                by_id.insert(norm.id.clone(), norms.len());
                norms.push(norm);
            }
        }
        super::speech::repeat::fold(&mut norms);
        for norm in &mut norms {
            keep_first(&mut norm.provenance.spans);
        }
        norms
    }

    /// `Schedule:` above orders that say all by themselves: a name, though the word orders elsewhere.
    fn only_names(&self, draft: &Draft) -> bool {
        if draft.level != Level::Must || draft.force != Force::Implied {
            return false;
        }
        let Some(said) = draft.spans.first().map(|&span| self.source.slice(span).trim_end()) else {
            return false;
        };
        let Some(name) = said.strip_suffix(':').filter(|_| draft.completions == 0 && draft.step.is_none())
        else {
            return false;
        };
        is_nounish(&name.trim_matches(['*', '_', ' ']).to_lowercase())
    }

    fn norm(&self, draft: Draft, scope: &Scope) -> Norm {
        let draft = left_free(denied(draft));
        let heading = draft.heading.map(|heading| &self.headings[heading]);
        let cited = draft.spans.iter().copied().chain(heading.map(|heading| heading.span));
        let spans: Vec<SourceSpan> = cited.map(|span| self.place(span)).collect();
        let mut literals = draft.literals;
        literals.retain(|literal| draft.text.contains(literal.as_str()));
        if literals.len() > 1 {
            let mut seen = FxHashSet::default();
            literals.retain(|literal| seen.insert(literal.clone()));
        }
        let scope_name = match scope {
            Scope::Skill(name) => name.as_str().to_owned(),
            Scope::Workspace => String::new(),
        };
        Norm {
            id: NormId::of(Some(draft.level), &draft.text, draft.condition.as_deref(), &scope_name),
            kind: draft.kind,
            level: draft.level,
            force: draft.force,
            terse: draft.terse.filter(|terse| draft.text.starts_with(terse.as_str())),
            text: draft.text,
            condition: draft.condition,
            exceptions: draft.exceptions,
            literals,
            original: draft.original,
            section: heading.map(|heading| heading.text.clone()).unwrap_or_default(),
            tier: Tier::Core,
            scope: scope.clone(),
            step: draft.step,
            provenance: Provenance { spans, lessons: Vec::new() },
        }
    }

    fn place(&self, span: Span) -> SourceSpan {
        let (start_line, end_line) = self.source.lines_of(span);
        SourceSpan { path: self.source.path().clone(), start_line, end_line, span }
    }

    /// What is no norm: what was passed over, and what was not read at all, such as the numbers of items.
    fn omissions(&self, norms: &[Norm]) -> Vec<Omission> {
        let taken = merged(
            norms.iter().flat_map(|norm| norm.provenance.spans.iter().map(|span| span.span)).collect(),
        );
        let mut omissions: Vec<(Span, OmissionReason)> = Vec::new();
        for &(span, reason) in &self.omitted {
            omissions.extend(
                subtract(span, &taken).into_iter().map(|piece| (trimmed(self.source, piece), reason)),
            );
        }
        let read = merged(taken.into_iter().chain(omissions.iter().map(|(span, _)| *span)).collect());
        for line in 1..=self.source.line_count() {
            let line = self.source.span_of_line(line);
            let bare = !self.source.slice(line).contains(char::is_alphanumeric);
            for piece in subtract(line, &read) {
                omissions.extend(self.unread(piece, bare && piece == line));
            }
        }
        omissions.retain(|(span, _)| !span.is_empty());
        omissions.sort_unstable();
        omissions.dedup();
        omissions.into_iter().map(|(span, reason)| Omission { span: self.place(span), reason }).collect()
    }

    /// A piece that nothing claimed: the marks of a list or a table part what they stand between, words are a label.
    fn unread(&self, piece: Span, whole_line: bool) -> Option<(Span, OmissionReason)> {
        let piece = trimmed(self.source, piece);
        let text = self.source.slice(piece);
        let reason = if is_tags(text) {
            OmissionReason::Comment
        } else if text.contains(char::is_alphabetic) {
            OmissionReason::Description
        } else {
            OmissionReason::Separator
        };
        (text.contains(char::is_alphanumeric) || (whole_line && !text.is_empty())).then_some((piece, reason))
    }
}

/// The id of a step whose words are those of another norm: a step stands in its place all the same.
fn other_step(first: &Norm, norm: &Norm) -> Option<NormId> {
    let step = norm.step.as_ref().filter(|_| first.step != norm.step)?;
    let condition = norm.condition.as_deref();
    let place = format!("{}\0{}\0{}", first.id.as_str(), step.procedure, step.number);
    Some(NormId::of(Some(norm.level), &norm.text, condition, &place))
}

/// `</td><td>`: tags alone.
fn is_tags(text: &str) -> bool {
    text.starts_with('<')
        && text.ends_with('>')
        && text.split('<').skip(1).all(|tag| tag.trim_end().ends_with('>'))
}

/// Each span once, where it stood first.
fn keep_first(spans: &mut Vec<SourceSpan>) {
    if spans.len() < 2 {
        return;
    }
    let mut seen = std::collections::HashSet::with_capacity(spans.len());
    spans.retain(|span| seen.insert(span.span));
}

/// `span` without its white space.
fn trimmed(source: &Source, span: Span) -> Span {
    let text = source.slice(span);
    let start = span.start as usize + (text.len() - text.trim_start().len());
    Span::new(start, start + text.trim().len())
}

/// Sorted, and joined where they touch.
fn merged(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_unstable();
    let mut merged: Vec<Span> = Vec::with_capacity(spans.len());
    for span in spans {
        match merged.last_mut() {
            Some(last) if span.start <= last.end => last.end = last.end.max(span.end),
            _ => merged.push(span),
        }
    }
    merged
}

/// The parts of `span` that none of `taken` covers, which is sorted and disjoint.
fn subtract(span: Span, taken: &[Span]) -> Vec<Span> {
    let mut parts = Vec::new();
    let mut start = span.start;
    let first = taken.partition_point(|cut| cut.end <= span.start);
    for cut in taken[first..].iter().take_while(|cut| cut.start < span.end) {
        if cut.start > start {
            parts.push(Span { start, end: cut.start });
        }
        start = start.max(cut.end);
    }
    if start < span.end {
        parts.push(Span { start, end: span.end });
    }
    parts
}
