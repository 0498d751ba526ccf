//! What goes on with the subject or the things of what stands right before it: `Agents may open reports. They may not sign.`, a list of
//! files and then `Do not edit these.`, `Small repairs need no leave; everything else does.`

use std::ops::Range;

use mentci_authority::{Force, Level};
use mentci_reader::markdown::{Block, BlockKind};
use mentci_source::Span;

use super::composed::draft_of;
use super::draft::Book;
use super::norm::follows;
use super::setting::Setting;
use super::speech::clause::Clause;
use super::speech::lexicon::is_verb;
use super::speech::mood::{Mood, mood_of};
use super::speech::prose::Prose;
use super::speech::sentence::sentences_back;
use super::speech::word::{Word, WordKind};

/// The words that bind or permit whatever stands in front of them.
const MODALS: &[&str] = &["may", "can", "must", "should", "cannot", "can't", "mustn't", "shouldn't"];

/// What somebody does of their own will.
const DEEDS: &[&str] = &[
    "call", "write", "merge", "push", "approve", "edit", "delete", "modify", "import", "commit", "deploy",
    "ask", "skip", "land", "sign", "touch", "read", "run", "remove", "publish",
];

/// `They may not merge.` behind `Agents may open reports.`: adds what is said of the subject in front; false for any other sentence.
pub(super) fn takes_up_subject(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    (sentence, found): (&Range<usize>, &[Clause]),
    before: usize,
    here: &Setting,
) -> bool {
    const LONGEST: usize = 5;
    let words = &prose.words[sentence.clone()];
    let [pronoun, modal, rest @ ..] = words else { return false };
    let told = matches!(found, [only] if !matches!(only.mood, Mood::Order(..) | Mood::Question));
    if !(told && pronoun.any(&["they", "he", "she"]) && rest.len() > 1) {
        return false;
    }
    // `They may not exist yet` behind what only tells is no ban.
    let deed = || rest.get(1).is_some_and(|act| act.any(DEEDS));
    let Some(level) = level_of(modal, rest).filter(|_| follows(book, prose, sentence, before) || deed())
    else {
        return false;
    };
    let Some(told) = sentences_back(&prose.words[..sentence.start]).next() else { return false };
    let subject = prose.words[told.clone()].iter().position(|word| word.any(MODALS));
    let subject = subject.or_else(|| acts_behind(&prose.words[told.clone()]));
    let Some(subject) = subject.filter(|end| (1..=LONGEST).contains(end)) else { return false };
    if prose.words[told.clone()][..subject].iter().any(|word| word.kind == WordKind::Mark || word.is("you")) {
        return false;
    }
    let who = prose.condensed(told.start..told.start + subject);
    let text = format!("{who} {}", prose.lowered(sentence.start + 1..sentence.end));
    let mut draft = draft_of(prose, sentence.clone(), text, (level, Force::Explicit), here, sentence);
    draft.spans.push(prose.span(&told));
    book.add(draft);
    true
}

/// `Mates read the log`: the place of the verb behind the many who act.
fn acts_behind(words: &[Word]) -> Option<usize> {
    const FARTHEST: usize = 4;
    let acts = |at: &usize| {
        let many = &words[at - 1];
        many.kind == WordKind::Plain && many.lower.ends_with('s') && is_verb(&words[*at].lower)
    };
    (1..words.len().min(FARTHEST)).find(acts)
}

fn level_of(modal: &Word, rest: &[Word]) -> Option<Level> {
    let denied = rest.first().is_some_and(|next| next.any(&["not", "never"]));
    // `They can fail` and `They may be old` tell.
    Some(match modal.lower.as_str() {
        "may" | "can" | "must" if denied => Level::MustNot,
        "cannot" | "can't" | "mustn't" => Level::MustNot,
        "should" if denied => Level::ShouldNot,
        "shouldn't" => Level::ShouldNot,
        "must" => Level::Must,
        "should" => Level::Should,
        _ => return None,
    })
}

/// `…; everything else does.`: the rest of what a permission leaves out, by which alone it says nothing.
pub(super) fn is_rest(words: &[Word]) -> bool {
    let plain: Vec<&str> =
        words.iter().filter(|word| word.kind != WordKind::Mark).map(|word| word.lower.as_str()).collect();
    matches!(
        plain[..],
        [
            "everything" | "anything" | "all" | "everyone" | "anyone",
            "else",
            "does" | "do" | "must" | "is" | "needs" | "should"
        ] | ["all" | "the", "others" | "rest", "do" | "does" | "must" | "are" | "is" | "should"]
    )
}

/// Adds `Never the reverse.` to the sentence in front, which it makes a rule; false where none stands there.
pub(super) fn add_reverse(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    sentence: &Range<usize>,
    before: usize,
    here: &Setting,
) -> bool {
    let text = prose.verbatim(sentence.clone());
    let text = text.trim_end_matches('.');
    if follows(book, prose, sentence, before) {
        book.go_on(text, prose.span(sentence), Vec::new());
        return true;
    }
    let Some(told) = sentences_back(&prose.words[..sentence.start]).next() else { return false };
    let whole = format!("{}. {text}", prose.condensed(told.clone()));
    let words = told.start..sentence.end;
    book.add(draft_of(prose, words.clone(), whole, (Level::Must, Force::Explicit), here, &words));
    true
}

/// `Never the reverse.`, `Not the other way round.`
pub(super) fn denies_reverse(words: &[Word]) -> bool {
    let said = || words.iter().filter(|word| word.kind != WordKind::Mark);
    if !said().next().is_some_and(|first| first.any(&["never", "not"])) {
        return false;
    }
    let plain: Vec<&str> = said().map(|word| word.lower.as_str()).collect();
    matches!(
        plain[..],
        ["never" | "not", "the", "reverse" | "opposite"]
            | ["never" | "not", "the", "other", "way", "round" | "around"]
            | ["never" | "not", "vice", "versa"]
    )
}

/// The names in a list of nothing else, and where they stand: the files of `Protected files`.
pub(super) fn names_of(list: &Block) -> Option<(Vec<String>, Span)> {
    const MOST: usize = 12;
    const LONGEST: usize = 60;
    let BlockKind::List(_) = list.kind else { return None };
    let name = |item: &Block| {
        let [only] = &item.children[..] else { return None };
        let prose = Prose::new(&only.text);
        let code = prose.words.iter().any(|word| word.kind == WordKind::Code);
        let name = prose.condensed(0..prose.words.len());
        (code && name.len() <= LONGEST && mood_of(&prose.words).mood == Mood::Fragment).then_some(name)
    };
    let names: Option<Vec<String>> = list.children.iter().map(name).collect();
    names.filter(|names| (1..=MOST).contains(&names.len())).map(|names| (names, list.span))
}

/// `Do not edit these.`, `Never touch any of them` right below such a list: the norm gains its names.
pub(super) fn completes_with_names(
    book: &mut Book<'_>,
    paragraph: &Block,
    names: Option<&(Vec<String>, Span)>,
) {
    const LONGEST: usize = 12;
    let Some((names, span)) = names else { return };
    let prose = Prose::new(&paragraph.text);
    let plain: Vec<&Word> = prose.words.iter().filter(|word| word.kind != WordKind::Mark).collect();
    let points = plain.iter().any(|word| word.any(&["these", "them", "those"]));
    let code = plain.iter().any(|word| word.kind == WordKind::Code);
    if !points || code || plain.len() > LONGEST {
        return;
    }
    let own = |span: &Span| paragraph.span.start <= span.start && span.end <= paragraph.span.end;
    let Some(at) = book.drafts.iter().rposition(|draft| draft.spans.first().is_some_and(own)) else { return };
    for name in names {
        book.complete(at, name, *span, vec![name.trim_matches('`').to_owned()]);
    }
}
