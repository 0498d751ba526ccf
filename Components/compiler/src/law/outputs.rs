//! `Output`, `Deliverables`, `Boat selection` right above a list of names: what is to be delivered, or what is chosen for what.

use mentci_authority::{Force, Level};
use mentci_reader::markdown::{Block, BlockKind};

use super::caption::styled;
use super::draft::Book;
use super::setting::{LeadIn, Setting};
use super::speech::guard::plain_in;
use super::speech::lead::Lead;
use super::speech::mood::{Mood, mood_of};
use super::speech::prose::Prose;
use super::speech::stance::Stance;
use super::speech::word::{Word, WordKind};

/// The heading as the lead-in of such a list, whose items end its sentence.
pub(super) fn outputs(book: &Book<'_>, list: &Block, here: &Setting) -> Option<LeadIn> {
    const FEWEST: usize = 2;
    const LONGEST: usize = 14;
    let heading = &book.headings[here.heading.filter(|_| here.lead.is_none() && here.above.is_empty())?];
    let lower = heading.text.to_lowercase();
    let delivers = matches!(
        plain_in(&lower)[..],
        ["output" | "outputs" | "deliverable" | "deliverables"]
            | ["required" | "expected" | "final", "output" | "outputs" | "deliverables"]
            | ["output", "contract"]
    );
    let names = |item: &Block| {
        let [only] = &item.children[..] else { return false };
        let prose = Prose::new(&only.text);
        only.kind == BlockKind::Paragraph
            && prose.words.len() <= LONGEST
            && !prose.words.iter().any(|word| word.mark("→"))
            && (!prose.words.iter().any(|word| word.mark(":")) || is_named(&prose))
            && (mood_of(&prose.words).mood == Mood::Fragment || says_shortly(&prose.words))
    };
    let binds = matches!(here.section, Stance::Neutral | Stance::Order) && !here.beside.list;
    let all = list.children.len();
    // `Draft of the route` may be an order elsewhere.
    let fragments = list.children.iter().filter(|item| names(item)).count();
    let chooses = routes(&plain_in(&lower)) && list.children.iter().all(names_choice);
    let lists = all >= FEWEST && (delivers && fragments * 4 >= all * 3 || chooses);
    (binds && lists).then(|| LeadIn {
        lead: Lead::Stem(Level::Must),
        text: heading.text.clone(),
        span: heading.span,
        draft: None,
        when: None,
    })
}

/// `**Findings**: most severe first`: a part of it in strong type, and what stands in it.
fn is_named(prose: &Prose<'_>) -> bool {
    const LONGEST: usize = 3;
    let colon =
        prose.words.iter().position(|word| word.mark(":")).filter(|colon| (1..=LONGEST).contains(colon));
    colon.is_some_and(|colon| {
        styled(prose, &(0..colon)) && prose.words[..colon].iter().all(|word| word.kind == WordKind::Plain)
    })
}

/// `What is still open`, `Proof that it floats`: what is told, though there is a verb in it.
fn says_shortly(words: &[Word]) -> bool {
    const LONGEST: usize = 6;
    let told = matches!(mood_of(words).mood, Mood::Question | Mood::Statement);
    let said =
        |word: &Word| word.any(&["you", "we", "i", "must", "should", "may", "can", "will", "is", "are"]);
    let opens = words.first().is_some_and(|first| first.any(&["what", "how", "which", "why"]));
    told && words.len() <= LONGEST
        && (opens || !words.iter().any(said))
        && !words.iter().any(|word| word.mark("?"))
}

/// `Model routing`, `Boat selection`.
fn routes(words: &[&str]) -> bool {
    matches!(words, [_, .., "routing" | "selection"] | ["which", _, "to", "use"])
}

/// `` `barge` — heavy cargo, by day ``: what there is to choose, and for what.
fn names_choice(item: &Block) -> bool {
    const LONGEST: usize = 24;
    let [only] = &item.children[..] else { return false };
    let prose = Prose::new(&only.text);
    let dash = prose.words.iter().position(|word| word.mark("—") || word.mark(":"));
    dash.is_some_and(|dash| {
        dash == 1
            && prose.words[0].kind == WordKind::Code
            && prose.words.len() <= LONGEST
            && !matches!(mood_of(&prose.words[dash + 1..]).mood, Mood::Order(_, Force::Explicit))
    })
}
