//! Headlines: strong sentences that open blocks side by side. Where most of them order (`**Keep the log.** …`), the others are meant as rules,
//! too: `**A rope longer than ten yards is coiled.**`, `**Nothing is assumed.**`.

use std::ops::Range;

use mentci_authority::Level;
use mentci_reader::markdown::RichText;

use super::setting::{Openings, Setting};
use super::speech::mood::{Mood, asks, mood_of};
use super::speech::prose::Prose;
use super::speech::stance::Stance;
use super::speech::word::{Word, WordKind};

/// How these texts open: with headlines, where most of those order.
pub(super) fn openings<'t>(texts: impl Iterator<Item = &'t RichText>) -> Openings {
    const FEWEST: usize = 3;
    let (mut all, mut orders) = (0, 0);
    for text in texts {
        let Some(end) = headline_end(text) else { continue };
        let prose = Prose::new(text);
        let words = words_within(&prose, end);
        all += 1;
        orders += usize::from(matches!(mood_of(&prose.words[words]).mood, Mood::Order(..)));
    }
    let bind = all >= FEWEST && orders * 2 >= all && orders < all;
    if bind { Openings::Headlines } else { Openings::Various }
}

/// What the headline of a block beside such others binds to, where it orders nothing by its words.
pub(super) fn headline(prose: &Prose<'_>, sentence: &Range<usize>, here: &Setting) -> Option<Level> {
    const SHORTEST: usize = 3;
    const TELLING: &[&str] = &[
        "can", "may", "might", "will", "was", "were", "would", "could", "you", "we", "i", "because", "why",
        "how",
    ];
    if here.beside.openings != Openings::Headlines || here.lead.is_some() {
        return None;
    }
    let words = &prose.words[sentence.clone()];
    let whole = headline_end(prose.text).is_some_and(|end| words_within(prose, end) == *sentence);
    let opens = words.iter().find(|word| word.kind != WordKind::Mark)?;
    let plain = words.iter().filter(|word| word.kind != WordKind::Mark).count();
    let says = match mood_of(words).mood {
        Mood::Statement => plain >= SHORTEST,
        // `Speed.` is a topic.
        Mood::Fragment => plain > SHORTEST,
        _ => false,
    };
    // `The log is the mast of the trade` tells what it is like.
    let likens = words.windows(2).any(|pair| pair[0].any(&["is", "are"]) && pair[1].any(&["the", "a", "an"]));
    // `It reads like a talk, not a report` says how it is to read.
    let contrasts = words.windows(2).any(|pair| pair[0].mark(",") && pair[1].is("not"));
    let told = opens.any(&["it", "this", "that", "they", "there", "these", "those"]) && !contrasts
        || likens
        || words.iter().any(|word| word.any(TELLING))
        || asks(words);
    let level = match here.section {
        Stance::Neutral | Stance::Order => Level::Must,
        Stance::Advise => Level::Should,
        _ => return None,
    };
    (whole && says && !told).then(|| if denies(words) && !contrasts { level.negated() } else { level })
}

/// `Nothing is assumed`, `A knot is never cut`.
fn denies(words: &[Word]) -> bool {
    const DENYING: &[&str] =
        &["nothing", "nobody", "none", "never", "not", "isn't", "aren't", "don't", "doesn't"];
    words.iter().any(|word| word.any(DENYING)) || words.first().is_some_and(|first| first.is("no"))
}

/// Where the strong sentence ends that a text opens with, if more stands behind it.
fn headline_end(text: &RichText) -> Option<usize> {
    let all = text.as_str();
    let strong = text.styled(0..all.len(), |style| style.strong);
    let first = strong.first().filter(|first| first.start == 0)?;
    let stops = all[first.clone()].trim_end().ends_with('.');
    (stops && !all[first.end..].trim().is_empty()).then_some(first.end)
}

/// The words in front of a place.
fn words_within(prose: &Prose<'_>, end: usize) -> Range<usize> {
    0..prose.words.partition_point(|word| word.range.end <= end)
}
