//! The forms that a sentence may have as a whole: a question by its letter, a verdict at the end, the name of a case, an exception to the
//! rule before it. What has none is read clause by clause.

use std::ops::Range;

use mentci_authority::{Force, Level, OmissionReason};

use super::composed::draft_of;
use super::draft::Book;
use super::follow::{asked_by_letter, goes_on, permits_against, permits_some, refuses_other};
use super::joined::{answers_last, guards_last};
use super::judged::judges;
use super::last_word::taken_back;
use super::led::complete_lead;
use super::norm::{add_whole, follows};
use super::said_of_heading::judges_heading;
use super::scope::{scopes, under_exceptions};
use super::setting::Setting;
use super::speech::exempt::{excused, exempts, permits, so_are, suffices, unless_alone, waived};
use super::speech::lead::Lead;
use super::speech::literal::is_literal;
use super::speech::mood::{Mood, mood_of};
use super::speech::prose::Prose;
use super::speech::stance::Stance;
use super::speech::word::{Word, WordKind};
use super::trigger::{takes_itself_up, takes_up};

/// A sentence in its place.
#[derive(Clone, Copy)]
pub(super) struct Placed<'a, 't> {
    pub prose: &'a Prose<'t>,
    pub sentence: &'a Range<usize>,
    pub here: &'a Setting,
    /// How many rules there were before its text.
    pub before: usize,
}

impl<'a> Placed<'a, '_> {
    pub(super) fn words(&self) -> &'a [Word] {
        &self.prose.words[self.sentence.clone()]
    }

    /// Whether its text has brought a rule already.
    pub(super) fn goes_on(&self, book: &Book<'_>) -> bool {
        book.drafts.len() > self.before
    }
}

/// Reads a sentence that has one form as a whole; false where it has not.
type Reader = fn(&mut Book<'_>, Placed<'_, '_>) -> bool;

/// The forms, in this order: each is looked for where those before it were not found.
const READERS: &[Reader] = &[
    |_, at| at.words().iter().all(|word| word.lower == "\n"),
    asked_by_letter,
    judges_heading,
    taken_back,
    |book, at| judges(book, at.prose, at.sentence, at.here),
    names_status,
    names_use,
    excepted,
    scopes,
    |book, at| under_exceptions(book, at.prose, at.sentence, at.here),
    refuses_other,
    goes_on,
    guards_last,
    answers_last,
    passed_over,
    takes_in_turn,
];

/// Reads a sentence that has one of the forms; false where it has none.
pub(super) fn has_form(book: &mut Book<'_>, at: Placed<'_, '_>) -> bool {
    READERS.iter().any(|reads| reads(book, at))
}

/// `Use when: large repairs`, `When to use: short trips` under the heading of one of several: when that one is chosen.
fn names_use(book: &mut Book<'_>, at: Placed<'_, '_>) -> bool {
    const DEPTH: u8 = 3;
    let Placed { prose, sentence, here, .. } = at;
    let words = at.words();
    let Some(colon) = words.iter().take(4).position(|word| word.mark(":")) else { return false };
    let label: Vec<&str> = words[..colon].iter().map(|word| word.lower.as_str()).collect();
    let chosen = matches!(label[..], ["use", "when" | "for"] | ["when", "to", "use"]);
    let named = chosen
        && here.lead.is_none()
        && !matches!(here.section, Stance::Example | Stance::Describe)
        && words.get(colon + 1).is_some_and(|next| next.kind == WordKind::Plain)
        && mood_of(&words[colon + 1..]).mood == Mood::Fragment;
    let Some(heading) = here.heading.map(|heading| &book.headings[heading]) else { return false };
    if !named || heading.depth < DEPTH {
        return false;
    }
    let numbered = |c: char| c.is_ascii_digit() || matches!(c, '.' | ')' | ' ');
    let name = heading.text.split(" (").next().unwrap_or_default();
    let name = name.trim_start_matches(numbered).trim_end_matches([':', ' ']);
    let text = format!("{name}: {}", prose.condensed(sentence.clone()));
    let level = if here.section == Stance::Advise { Level::Should } else { Level::Must };
    book.add(draft_of(prose, sentence.clone(), text, (level, Force::Implied), here, sentence));
    true
}

/// A sentence that takes something out of the rule before it.
fn excepted(book: &mut Book<'_>, at: Placed<'_, '_>) -> bool {
    let Placed { prose, sentence, here, before } = at;
    let added = at.goes_on(book);
    let permitted = added && book.drafts.last().is_some_and(|last| last.level.is_prohibition());
    let exempt = exempts(prose, sentence, permitted)
        .or_else(|| if permitted { permits(prose, sentence) } else { None })
        .or_else(|| lets_off(book, prose, sentence, added))
        .or_else(|| if permitted { permits_some(prose, sentence, &book.drafts.last()?.text) } else { None })
        .or_else(|| if permitted { permits_against(prose, sentence) } else { None })
        .or_else(|| {
            unless_alone(prose, sentence, permitted).filter(|_| follows(book, prose, sentence, before))
        });
    exempt.is_some_and(|exempt| {
        book.except(&prose.lowered(exempt), prose.span(sentence), prose.literals(sentence.clone()), here)
    })
}

/// A sentence that points elsewhere, shows a sample or says when the text is taken up.
fn passed_over(book: &mut Book<'_>, at: Placed<'_, '_>) -> bool {
    let words = at.words();
    let reason = if points_within(words) {
        OmissionReason::Description
    } else if tells_example(words) {
        OmissionReason::Example
    } else if takes_up(words) || takes_itself_up(book, words, at.here) {
        OmissionReason::Description
    } else {
        return false;
    };
    book.omit(at.prose.span(at.sentence), reason);
    true
}

/// `NOT SATISFIED: No proof of it`, `` Remarks, no blockers: `--comment` ``: the name of a case, and what it is or what belongs to it. Its
/// words deny nothing.
fn names_status(book: &mut Book<'_>, at: Placed<'_, '_>) -> bool {
    const LONGEST: usize = 6;
    const BANNING: &[&str] = &[
        "allowed",
        "permitted",
        "for",
        "in",
        "on",
        "ok",
        "okay",
        "when",
        "acceptable",
        "do",
        "this",
        "recommended",
        "required",
        "needed",
        "advised",
    ];
    let Placed { prose, sentence, here, .. } = at;
    let words = at.words();
    let Some(colon) = words.iter().position(|word| word.mark(":")).filter(|&colon| colon + 1 < words.len())
    else {
        return false;
    };
    let name: Vec<&Word> = words[..colon].iter().filter(|word| word.kind != WordKind::Mark).collect();
    let status = matches!(name[..], [not, what, ..] if not.is("not") && !what.any(BANNING))
        && name.iter().all(|word| word.shouted)
        && name.len() <= LONGEST;
    let valued = matches!(&words[colon + 1..], [only] if only.kind == WordKind::Code)
        && words[..colon].windows(2).any(|pair| pair[0].mark(",") && pair[1].is("no"))
        && !name[0].any(&["no", "not", "never", "don't"]);
    if status || valued {
        let lead = here.lead.as_ref().filter(|lead| lead.draft.is_some());
        match lead.map(|lead| (lead, &lead.lead)) {
            Some((lead, Lead::Order(level))) if !level.is_prohibition() => {
                complete_lead(book, prose, sentence.clone(), lead, *level, here);
            }
            _ => add_whole(book, prose, sentence, here),
        }
    }
    status || valued
}

/// `` 2. `sound` for the depth ``, `` 3. `git push` — sends the branch ``: a step that only names what it takes or runs.
fn takes_in_turn(book: &mut Book<'_>, at: Placed<'_, '_>) -> bool {
    const LONGEST: usize = 16;
    let [what, to, _, ..] = at.words() else { return false };
    let told = matches!(at.here.section, Stance::Describe | Stance::Example | Stance::Mistakes);
    let takes = to.any(&["for", "to"]) && mood_of(at.words()).mood == Mood::Fragment;
    let runs = to.mark("—") && what.lower.contains(' ');
    let named = at.here.step.is_some() && what.kind == WordKind::Code && at.words().len() <= LONGEST;
    let is_step = named && (takes || runs) && !told;
    if is_step {
        add_whole(book, at.prose, at.sentence, at.here);
    }
    is_step
}

/// `Old logs are exempt.`, `Bots need not.`: whom a sentence lets off from the rule right before it, be that in the paragraph above.
fn lets_off(
    book: &Book<'_>,
    prose: &Prose<'_>,
    sentence: &Range<usize>,
    added: bool,
) -> Option<Range<usize>> {
    const LONGEST: usize = 16;
    if sentence.len() > LONGEST {
        return None;
    }
    let last = book.drafts.last()?;
    let off = so_are(prose, sentence)
        .filter(|_| !last.exceptions.is_empty())
        .or_else(|| excused(prose, sentence))
        .or_else(|| waived(prose, sentence, last.level.is_prohibition()))
        .or_else(|| suffices(&prose.words[sentence.clone()]).then(|| sentence.clone()))?;
    (added || follows(book, prose, sentence, 0)).then_some(off)
}

/// `See the Deployment section below`: it only points at another place of the same law.
fn points_within(words: &[Word]) -> bool {
    const PLACES: &[&str] = &["section", "sections", "above", "below"];
    let plain = || words.iter().filter(|word| word.kind != WordKind::Mark);
    let opens = plain().next().is_some_and(|word| word.is("see"));
    opens
        && plain().any(|word| word.any(PLACES))
        && plain().count() <= 8
        && plain().all(|word| {
            word.kind == WordKind::Plain && !word.any(&["before", "first", "if", "when", "only", "not"])
        })
        && !words.iter().any(|word| is_literal(word) || word.mark(",") || word.mark("—"))
}

/// `For example, X merges Y, which need not hold`: a sample that tells, whatever words it has.
fn tells_example(words: &[Word]) -> bool {
    let opens = words.first().is_some_and(|word| word.is("for"))
        && words.get(1).is_some_and(|word| word.any(&["example", "instance"]))
        && words.get(2).is_some_and(|word| word.mark(","));
    opens
        && !matches!(mood_of(&words[3..]).mood, Mood::Order(level, force) if level.is_prohibition() || force == Force::Implied || level == Level::Must)
}
