//! Headings above code that is judged (`// Good: …`, `// Bad: …`): what the code shows, the heading says. `Take plain ropes, return tarred ones`
//! orders, `Ropes over chains` prefers, and `Closed lists — no default case` bans as well.

use std::ops::Range;

use mentci_authority::{Force, Level};
use mentci_reader::markdown::{Block, BlockKind};
use mentci_source::Source;

use super::composed::draft_of;
use super::draft::{Book, Draft, Heading, Turn};
use super::heading::under_heading;
use super::setting::Setting;
use super::speech::lexicon::{is_nounish, is_verb};
use super::speech::mood::{Mood, mood_of};
use super::speech::prose::Prose;
use super::speech::stance::{Stance, heals};
use super::speech::word::{Word, WordKind};

/// Whether a section is code, and a comment of it judges what stands below.
fn judges(source: &Source, below: &[Block]) -> bool {
    let section = || below.iter().take_while(|block| !matches!(block.kind, BlockKind::Heading(_)));
    let fence = |block: &&Block| matches!(block.kind, BlockKind::Fence { .. });
    section().all(|block| matches!(block.kind, BlockKind::Fence { .. } | BlockKind::Rule))
        && section().filter(fence).any(|fence| source.slice(fence.span).lines().any(judges_line))
}

/// `// Good: short names`, `# ❌ BAD`.
fn judges_line(line: &str) -> bool {
    const VERDICTS: &[&str] = &["good", "bad", "wrong", "right", "correct", "incorrect", "better"];
    let line = line.trim_start();
    let Some(comment) = ["//", "#", "--", "/*"].iter().find_map(|mark| line.strip_prefix(mark)) else {
        return false;
    };
    let said = comment.trim_start_matches(|c: char| !c.is_alphanumeric());
    let word = said.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    let behind = said[word.len()..].trim_start();
    VERDICTS.contains(&word.to_lowercase().as_str())
        && (behind.is_empty() || behind.starts_with([':', '-', '—', '–']))
}

/// What a heading says above such code: a rule, and a ban behind a dash.
pub(super) fn guidelines(
    book: &Book<'_>,
    (prose, below): (&Prose<'_>, &[Block]),
    heading: usize,
) -> Vec<Draft> {
    if judges(book.source, below) {
        said_by(prose, &book.headings[heading], &under_heading(heading))
    } else {
        Vec::new()
    }
}

fn said_by(prose: &Prose<'_>, heading: &Heading, here: &Setting) -> Vec<Draft> {
    const LONGEST: usize = 14;
    let words = &prose.words;
    let neutral = matches!(heading.own, Stance::Neutral | Stance::Order | Stance::Advise);
    let odd = |word: &Word| {
        word.kind == WordKind::Mark && !matches!(word.lower.as_str(), "—" | "," | "&" | "/") || word.depth > 0
    };
    let plain = heading.depth > 1
        && heading.turn != Turn::Bad
        && !heals(&heading.text)
        && heading.condition.is_none();
    if !neutral || !plain || words.len() > LONGEST || words.iter().any(odd) {
        return Vec::new();
    }
    let dash = words.iter().position(|word| word.mark("—")).filter(|&at| at > 0 && at + 1 < words.len());
    let stated = |all: Range<usize>, level, force| {
        draft_of(prose, all.clone(), prose.condensed(all.clone()), (level, force), here, &all)
    };
    let Some(dash) = dash else {
        let all = 0..words.len();
        return if says(words) { vec![stated(all, Level::Must, Force::Implied)] } else { Vec::new() };
    };
    let (first, second) = (0..dash, dash + 1..words.len());
    match mood_of(&words[second.clone()]).mood {
        Mood::Order(level, force) if level.is_prohibition() => {
            vec![stated(first, Level::Must, Force::Implied), stated(second, level, force)]
        }
        Mood::Order(Level::Must, _) if !says(&words[first.clone()]) => {
            vec![stated(0..words.len(), Level::Must, Force::Implied)]
        }
        _ if says(&words[first.clone()]) => vec![stated(0..words.len(), Level::Must, Force::Implied)],
        _ => Vec::new(),
    }
}

/// `Model states as lists`, `Ropes over chains`, `Sort by place, not by size`.
fn says(words: &[Word]) -> bool {
    const BEARING: &[&str] = &["as", "over", "instead", "not", "before", "only", "by"];
    let [first, rest @ ..] = words else { return false };
    let bears = |word: &Word| word.kind == WordKind::Plain && word.any(BEARING);
    match mood_of(words).mood {
        Mood::Order(Level::Must, _) => {
            !rest.is_empty()
                && is_verb(&first.lower)
                && (!is_nounish(&first.lower)
                    || first.is("use")
                    || rest.iter().any(bears)
                    || rest[0].kind == WordKind::Code)
        }
        Mood::Fragment => rest.iter().any(|word| bears(word) && word.any(&["over", "not", "instead", "as"])),
        _ => false,
    }
}
