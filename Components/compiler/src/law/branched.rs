//! Drawn trees that choose: `What do you carry?` above `├── Grain` above `│   └── The barge`. What stands at the end of a branch is taken
//! in the cases that lead there.

use std::borrow::Cow;

use mentci_authority::{Level, OmissionReason};
use mentci_source::Span;

use super::boxes::drawn;
use super::draft::{Book, Draft};
use super::fence::{command_draft, placed};
use super::setting::Setting;
use super::speech::lexicon::is_verb;
use super::speech::number::{Numbered, digits};
use super::speech::stance::Stance;
use crate::words::opens_negated;

/// A tree that is longer when told in one line is told branch by branch.
const LONGEST: usize = 600;

/// A line of the tree.
struct Twig<'t> {
    /// How far its text is indented.
    depth: usize,
    said: Cow<'t, str>,
    span: Span,
    /// Whether an arrow leads to it: `└─> Take the barge`.
    led_to: bool,
}

/// A branch from the question on.
struct Branch {
    said: String,
    span: Span,
}

/// Reads a tree under a question; false where the text is none.
pub(super) fn branched(book: &mut Book<'_>, body: Span, here: &Setting) -> bool {
    const FEWEST: usize = 2;
    let source = book.source.clone();
    let Some(twigs) = drawn_twigs(source.slice(body), body, here) else { return false };
    let Some((root, rest)) = twigs.split_first() else { return false };
    let led = ends_in_arrows(rest);
    // What asks again on the way is a drawing of another kind.
    if !(root.said.ends_with('?') || led)
        || rest.iter().any(|twig| twig.said.contains('?'))
        || rest.iter().any(|twig| twig.depth <= root.depth)
    {
        return false;
    }
    let branches = branches(rest);
    let chooses = rest.iter().filter(|twig| twig.said.contains('→') && !twig.led_to).count() + rest.len();
    if branches.len() < FEWEST || chooses < branches.len() * 2 {
        return false;
    }
    let whole: usize = branches.iter().map(|branch| branch.said.len() + 2).sum();
    // What an arrow leads to is done, and what stands at the end of a branch is recommended.
    let level = if led { Level::Must } else { Level::Should };
    let mut add = |said: String, span: Span| {
        let mark = if root.said.ends_with(['?', ':']) { "" } else { ":" };
        let draft =
            command_draft(format!("{}{mark} {said}", root.said), level, Vec::new(), (span, span), here);
        book.add(Draft { spans: vec![span, root.span], completions: 0, ..draft });
    };
    if whole <= LONGEST {
        let said: Vec<String> = branches.into_iter().map(|branch| branch.said).collect();
        add(said.join("; "), body);
    } else {
        for branch in branches {
            add(branch.said, branch.span);
        }
    }
    book.omit(body, OmissionReason::Code);
    true
}

/// `Used by one ship?` above `-> a log of its own`, and so on: each question with what is taken where the answer is yes; false where the
/// text is anything else.
pub(super) fn questioned(book: &mut Book<'_>, body: Span, here: &Setting) -> bool {
    const FEWEST: usize = 2;
    let source = book.source.clone();
    let mut asked: Option<(String, Span)> = None;
    let mut pairs: Vec<(String, Span)> = Vec::new();
    for (line, at) in placed(source.slice(body), body) {
        let said = line.trim();
        let start = at + line.len() - line.trim_start().len();
        let span = Span::new(start, start + said.len());
        let taken = ["->", "→", "=>"].iter().find_map(|arrow| said.strip_prefix(arrow)).map(str::trim);
        match (taken, asked.take()) {
            _ if said.is_empty() => {}
            (Some(taken), Some((question, opens))) if question.ends_with('?') => {
                pairs.push((format!("{question} {taken}"), opens.join(span)));
            }
            (None, None) => asked = Some((said.to_owned(), span)),
            // A question of two lines.
            (None, Some((question, opens))) if !question.ends_with('?') => {
                asked = Some((format!("{question} {said}"), opens.join(span)));
            }
            _ => return false,
        }
    }
    if asked.is_some() || pairs.len() < FEWEST || here.section == Stance::Describe {
        return false;
    }
    for (said, span) in pairs {
        let draft = command_draft(said, Level::Must, Vec::new(), (span, span), here);
        book.add(Draft { spans: vec![span], completions: 0, ..draft });
    }
    book.omit(body, OmissionReason::Code);
    true
}

/// Whether a text is drawn in branches and nothing else, where drawings may bind.
fn draws_branches(text: &str, here: &Setting) -> bool {
    here.section != Stance::Describe && text.contains(['├', '└']) && !text.contains(['┌', '▼'])
}

/// `1. Grain` above `└── The barge`, `2. Is it wet?` above `├── Yes → Dry it`: each case by its number, and what is taken in it. False where
/// the text is none such.
pub(super) fn counted_branches(book: &mut Book<'_>, body: Span, here: &Setting) -> bool {
    const FEWEST: usize = 3;
    let source = book.source.clone();
    let text = source.slice(body);
    if !draws_branches(text, here) {
        return false;
    }
    let mut cases: Vec<(Branch, Vec<Branch>)> = Vec::new();
    // What a line names by way of example goes on until the next branch.
    let mut shown = false;
    for (line, at) in placed(text, body) {
        let branches = line.contains(['├', '└']);
        let Some(Twig { said, span, .. }) = twig(line, at) else { continue };
        shown = !branches && (shown || said.to_lowercase().starts_with("example"));
        let said = said.into_owned();
        let numbered = || Numbered::item(&said).map(|item| item.said);
        let head = (!branches && digits(line).is_some()).then(numbered).flatten();
        match (head, cases.last_mut()) {
            (Some(head), _) => cases.push((Branch { said: head.to_owned(), span }, Vec::new())),
            (None, Some((_, ends))) if branches => ends.push(Branch { said, span }),
            (None, Some((head, ends))) if !shown => {
                let last = ends.last_mut().unwrap_or(head);
                last.said = format!("{} {said}", last.said);
                last.span = last.span.join(span);
            }
            _ => {}
        }
    }
    if cases.len() < FEWEST || cases.iter().any(|(_, ends)| ends.is_empty()) {
        return false;
    }
    for (head, ends) in cases {
        let mark = if head.said.ends_with(['?', ':']) { "" } else { ":" };
        for end in ends {
            let said = end.said.trim_end_matches(',').replace(" → ", ": ");
            let text = format!("{}{mark} {said}", head.said);
            let draft = command_draft(text, Level::Must, Vec::new(), (end.span, end.span), here);
            book.add(Draft { spans: vec![end.span, head.span], completions: 0, ..draft });
        }
    }
    book.omit(body, OmissionReason::Code);
    true
}

/// `├─ If no berth is free → wait at anchor`: each case by itself, with what is done in it; false where the text is anything else.
pub(super) fn cased(book: &mut Book<'_>, body: Span, here: &Setting) -> bool {
    const FEWEST: usize = 2;
    let source = book.source.clone();
    let Some(twigs) = drawn_twigs(source.slice(body), body, here) else { return false };
    let acts = |said: &str| {
        let first = said.split(|c: char| !c.is_alphabetic()).find(|word| !word.is_empty());
        first.is_some_and(|first| is_verb(&first.to_lowercase()))
    };
    let case = |twig: &Twig<'_>| {
        let (case, done) = twig.said.split_once(" → ")?;
        let opens = ["If ", "When ", "Unless "].iter().any(|word| case.starts_with(word));
        opens.then(|| acts(done))
    };
    let told: Vec<bool> = twigs.iter().filter_map(case).collect();
    if told.len() < FEWEST || told.len() * 2 < twigs.len() || !told.iter().any(|acts| *acts) {
        return false;
    }
    for twig in twigs.iter().filter(|twig| case(twig).is_some() || twig.depth > 0 && acts(&twig.said)) {
        let said = twig.said.clone().into_owned();
        let done = said.split_once(" → ").map_or(&*said, |(_, done)| done);
        let level = if opens_negated(done) { Level::MustNot } else { Level::Must };
        let draft = command_draft(said, level, Vec::new(), (twig.span, twig.span), here);
        book.add(Draft { spans: vec![twig.span], completions: 0, ..draft });
    }
    book.omit(body, OmissionReason::Code);
    true
}

/// The ends of the branches, each behind its cases.
fn branches(twigs: &[Twig<'_>]) -> Vec<Branch> {
    let mut cases: Vec<&Twig<'_>> = Vec::new();
    let mut branches = Vec::new();
    for (at, twig) in twigs.iter().enumerate() {
        cases.retain(|case| case.depth < twig.depth);
        cases.push(twig);
        let ends = twigs.get(at + 1).is_none_or(|next| next.depth <= twig.depth);
        if ends {
            let said: Vec<&str> = cases.iter().map(|case| &*case.said).collect();
            let (last, before) = said.split_last().unwrap_or((&"", &[]));
            let last = if twig.led_to { (*last).to_owned() } else { last.replace(" → ", ": ") };
            let said = if before.is_empty() { last } else { format!("{}: {last}", before.join(", ")) };
            let span = cases.iter().skip(1).fold(cases[0].span, |span, case| span.join(case.span));
            branches.push(Branch { said, span });
        }
    }
    branches
}

/// The lines of a tree, where a text is one and may bind.
fn drawn_twigs<'t>(text: &'t str, body: Span, here: &Setting) -> Option<Vec<Twig<'t>>> {
    draws_branches(text, here).then(|| twigs(text, body))
}

/// The lines of a tree. A line that no branch leads to goes on with the one before it, where an arrow leads to that.
fn twigs(text: &str, body: Span) -> Vec<Twig<'_>> {
    let mut twigs: Vec<Twig<'_>> = Vec::new();
    for (line, at) in placed(text, body) {
        let Some(twig) = twig(line, at) else { continue };
        let branches = line.contains(['├', '└']);
        match twigs.last_mut().filter(|last| last.led_to && !branches && twig.depth > last.depth) {
            Some(last) => {
                last.said = format!("{}; {}", last.said, twig.said).into();
                last.span = last.span.join(twig.span);
            }
            None => twigs.push(twig),
        }
    }
    twigs
}

/// `├─ Rope` above `└─> Splice it`: each branch ends in what an arrow leads to.
fn ends_in_arrows(twigs: &[Twig<'_>]) -> bool {
    let ends = |at: usize| twigs.get(at + 1).is_none_or(|next| next.depth <= twigs[at].depth);
    twigs.iter().enumerate().all(|(at, twig)| twig.led_to == ends(at))
}

/// What a line says behind what is drawn.
fn twig(line: &str, at: usize) -> Option<Twig<'_>> {
    let said = line.trim_start_matches(drawn).trim_end();
    let start = line.find(said).filter(|_| !said.is_empty())?;
    let led_to = said.starts_with(['>', '→', '▶']);
    let said = said.trim_start_matches(['✅', '→', '>', '▶', ' ']);
    let depth = line[..start].chars().count();
    let span = Span::new(at + start, at + line.trim_end().len());
    (!said.is_empty()).then_some(Twig { depth, said: said.into(), span, led_to })
}
