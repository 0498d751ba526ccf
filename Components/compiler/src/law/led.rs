//! An item of a list that a lead-in leads: what it says is ordered, named or forbidden by the words above the list.

use std::ops::Range;

use mentci_authority::{Force, Level, OmissionReason};

use super::bare_item::{bare, denied, deny, halves, labelled};
use super::composed::draft_of;
use super::done_with::is_open;
use super::draft::Book;
use super::item::{field, names_field};
use super::norm::read_sentence;
use super::setting::{Items, LeadIn, Setting};
use super::speech::clause::{Clause, clauses};
use super::speech::contrast::{Remedied, remedied};
use super::speech::imperative::acts;
use super::speech::label::{Label, label};
use super::speech::lead::Lead;
use super::speech::lexicon::{DETERMINERS, FINITE, SUBJECTS, is_nounish, is_verb};
use super::speech::mood::{IMPERATIVE, Mood, asks, mood_of};
use super::speech::naming::{Naming, forbids_act, naming};
use super::speech::prose::Prose;
use super::speech::stance::Stance;
use super::speech::word::{Word, WordKind};
use super::standing::{desires, states_requirement, states_rule_under};
use super::together::{gathers, is_offered, names_part_with_others};
use super::wording::rather_than;

/// Whether an item only names what its lead-in orders.
fn names_alone(prose: &Prose<'_>, sentence: &Range<usize>, found: &[Clause], steps: bool) -> bool {
    let alone = prose.words[sentence.clone()].iter().filter(|word| word.kind != WordKind::Mark).count() == 1;
    // `what it should be` ends `Write down:`.
    let asked = prose.words[sentence.start].any(&["what", "which", "how", "whether", "why", "who", "where"]);
    // `Which berths are full — ask: "Which?"`
    let asks = |clause: &Clause| {
        let opens = prose.words[clause.words.clone()].iter().find(|word| word.kind != WordKind::Mark);
        opens.is_some_and(|word| word.any(&["ask", "say"]))
    };
    let one = found.len() == 1 || found.iter().skip(1).all(asks);
    // `Implement`, between `Write a failing test` and `Verify it`
    let verb = &prose.words[sentence.start];
    let acts = verb.capital && is_verb(&verb.lower) && !is_nounish(&verb.lower);
    alone && !(acts && steps) || asked && one || is_name(&prose.words, sentence, found)
}

/// `Sail speed?`, `Lead line depth?`: what may be a noun is one where nothing but a name is asked for.
fn asks_by_name(clause: &[Word]) -> bool {
    let [name, next, ..] = clause else { return false };
    asks(clause)
        && name.kind == WordKind::Plain
        && (is_nounish(&name.lower) || !is_verb(&name.lower))
        && next.kind == WordKind::Plain
        && !next.among(DETERMINERS)
        && !clause.iter().any(|word| [":", "—", "–"].iter().any(|mark| word.mark(mark)))
}

/// An item under a lead-in that lends its force, or its condition.
pub(super) fn led(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    sentence: Range<usize>,
    lead: &LeadIn,
    here: &Setting,
) {
    if here.beside.items == Items::Fields && names_field(prose, &sentence) {
        return field(book, prose, sentence, lead, here);
    }
    if let Lead::Order(level) = lead.lead
        && names_under_verb(prose, &sentence)
    {
        return complete_lead(book, prose, sentence, lead, level, here);
    }
    let found = clauses(&prose.words, sentence.clone());
    let words = &prose.words[sentence.clone()];
    if only_tells(words, lead, &found) {
        return book.omit(prose.span(&sentence), OmissionReason::Description);
    }
    let names_alone = matches!(lead.lead, Lead::Order(_))
        && names_alone(prose, &sentence, &found, here.beside.items == Items::Steps);
    let softens = lead.lead == Lead::Order(Level::Should);
    let advises = softens || matches!(lead.lead, Lead::Stance(Stance::Advise, _));
    let completes = matches!(found.first().map(|clause| clause.mood), Some(Mood::Order(level, Force::Implied)) if !level.is_prohibition())
        && lends(lead)
        && (found.len() == 1 || !advises);
    // `Regenerate button` under `Fixed (always include exactly as shown):`.
    let bracketed = matches!(&lead.lead, Lead::Stance(Stance::Order, Some(label)) if label.contains('('))
        && found.iter().all(|clause| !matches!(clause.mood, Mood::Order(level, force) if force == Force::Explicit || level.is_prohibition()));
    // `Naming: Use snake_case`.
    let under_label = || {
        let (named, body) = label(prose, sentence.clone());
        let lends = matches!(lead.lead, Lead::Stance(..)) && named == Label::Topic;
        lends && matches!(mood_of(&prose.words[body]).mood, Mood::Order(..))
    };
    let ordered = || found.iter().any(|clause| matches!(clause.mood, Mood::Order(..))) || under_label();
    let part = names_part(prose, &sentence, lead)
        || names_part_with_others(words, lead, here)
        || only_in_case(words, lead)
        || lacks(words, lead)
        || completes_order(prose, &sentence, lead)
        || (here.beside.items == Items::Names || here.beside.items == Items::Fields && gathers(&lead.text))
            && (at_most_implies(&found) || names_by_clause(words) && gathers(&lead.text));
    let orders = !bracketed && !names_alone && !completes && !part && ordered();
    let mut inside = here.clone();
    if lead.lead == Lead::Condition {
        inside.under(lead);
    }
    if softens && matches!(inside.section, Stance::Neutral | Stance::Order) {
        inside.section = Stance::Advise;
    }
    if orders || label(prose, sentence.clone()).0 == Label::Example {
        return read_sentence(book, prose, sentence, &inside, book.drafts.len());
    }
    let names = names_alone
        || here.is_task
        || completes
        || part
        || matches!(found.first().map(|clause| clause.mood), Some(Mood::Fragment | Mood::Question))
        || tells_part(prose, &sentence, lead, here);
    match (&lead.lead, names) {
        (Lead::Order(level), true) => complete_lead(book, prose, sentence, lead, *level, here),
        (Lead::Stance(Stance::Neutral, _), true) if checks(&lead.text) && commands(prose, &sentence) => {
            labelled(book, prose, &sentence, lead, &inside);
        }
        (Lead::Stance(Stance::Neutral, _), true)
            if here.after_order && prose.words[sentence.start].kind == WordKind::Code =>
        {
            bare(book, prose, &sentence, (Level::Must, None), &inside);
        }
        (Lead::Stance(Stance::Neutral, _), true)
            if here.beside.items == Items::Orders && is_bare_name(words, &found) =>
        {
            labelled(book, prose, &sentence, lead, &inside);
        }
        // `Seed navigation` under `Required features`.
        (Lead::Stance(Stance::Neutral, _), true)
            if here.section == Stance::Order && !lead.text.is_empty() && lead.draft.is_none() =>
        {
            labelled(book, prose, &sentence, lead, &inside);
        }
        (Lead::Stance(Stance::Neutral, _), _) if states_under_label(book, here, lead, words, &found) => {
            bare(book, prose, &sentence, (Level::Must, None), &inside);
        }
        (Lead::Condition, true) => {
            let rejects = prose.words[sentence.start].any(&["not", "no"]);
            let level = if rejects { Level::MustNot } else { Level::Must };
            bare(book, prose, &sentence, (level, None), &inside);
        }
        (Lead::Condition, false)
            if !matches!(here.section, Stance::Describe | Stance::Example)
                && due(&lead.text, words, &found) =>
        {
            bare(book, prose, &sentence, (Level::Must, None), &inside);
        }
        (Lead::Stance(stance, label), _) if stance.level().is_some() => {
            let level = stance.level().unwrap_or(Level::Must);
            let whole = *stance == Stance::Advise && says_of_what(words);
            let label = label.as_deref().filter(|_| !whole);
            bare(book, prose, &sentence, (level, label), &Setting { lead: Some(lead.clone()), ..inside });
        }
        (Lead::Condition, _) if !names && asks_under_label(prose, &sentence) => {
            bare(book, prose, &sentence, (Level::Must, None), &inside);
        }
        _ => read_sentence(book, prose, sentence, &inside, book.drafts.len()),
    }
}

/// Whether an item only counts, or tells of what its lead-in names.
fn only_tells(words: &[Word], lead: &LeadIn, found: &[Clause]) -> bool {
    is_number(words)
        || tells_what_lacks(words, lead)
        || tells_of_each(words, lead, found)
        || tells_of_flag(words, lead)
}

/// `5a.` in front of what is to be done.
fn is_number(words: &[Word]) -> bool {
    let mut named = words.iter().filter(|word| word.kind != WordKind::Mark);
    let number = named.next().is_some_and(|word| {
        let letters = word.lower.trim_start_matches(|c: char| c.is_ascii_digit());
        letters.len() < word.lower.len() && letters.len() < 2
    });
    number && named.next().is_none() && words.last().is_some_and(|last| last.mark("."))
}

/// `The task that the mate should do`, `The ropes it may need`: a name, and what is said of it.
fn names_by_clause(words: &[Word]) -> bool {
    const FARTHEST: usize = 6;
    let modal = words.iter().position(|word| word.any(&["should", "may", "can", "could", "might"]));
    let subject = modal.and_then(|at| words.get(at.checked_sub(2)?..at));
    let inner = subject.is_some_and(|pair| {
        pair[0].among(DETERMINERS) && pair[1].kind == WordKind::Plain || pair[1].any(&["it", "they", "you"])
    });
    words[0].among(DETERMINERS) && inner && modal.is_some_and(|at| (3..=FARTHEST).contains(&at))
}

/// Whether clauses order nothing, or no more than by their verbs.
fn at_most_implies(found: &[Clause]) -> bool {
    found.iter().all(|clause| match clause.mood {
        Mood::Order(level, force) => level == Level::Must && force == Force::Implied,
        _ => true,
    })
}

/// What an item tells that is no step, or has a label under `Write a report, covering:`: a part of what is ordered.
fn tells_part(prose: &Prose<'_>, sentence: &Range<usize>, lead: &LeadIn, here: &Setting) -> bool {
    let words = &prose.words[sentence.clone()];
    let labelled = || label(prose, sentence.clone()).1.start > sentence.start;
    let names = || {
        (!words[0].among(SUBJECTS) || opens_clause(words))
            && (here.step.is_none() || lead.draft.is_some() && is_open(&lead.text) && labelled())
    };
    matches!(lead.lead, Lead::Order(_)) && (looks_at(&lead.text) || names()) && !argues(words)
}

/// `Before sailing, verify:` above `You are on deck`: each item is to be so.
fn looks_at(lead: &str) -> bool {
    let lower = lead.trim_end_matches([':', ' ', '*']).to_lowercase();
    let mut last = lower.rsplit(' ');
    let open = |word: &str| {
        matches!(word, "verify" | "confirm" | "check" | "ensure" | "validate" | "assert" | "that")
    };
    last.next().is_some_and(open)
}

/// `That the fog lifts at noon` under `Explain:`; `That is a fact` is a sentence of its own.
fn opens_clause(words: &[Word]) -> bool {
    matches!(words, [that, subject, _, ..] if that.is("that") && !subject.among(FINITE) && !is_verb(&subject.lower))
}

/// `Next acts: Recommended ropes`, `Deck: Required ropes` under `Report these parts:`: of which kind its things are.
fn names_kind(prose: &Prose<'_>, sentence: &Range<usize>, lead: &LeadIn) -> bool {
    const KINDS: &[&str] = &["recommended", "required", "optional", "mandatory", "suggested", "needed"];
    let (named, body) = label(prose, sentence.clone());
    // `Required ropes`, where names are asked for.
    let asked = |words: &[Word]| words.get(1).is_some_and(|next| next.any(BEFORE_NAME));
    let alone = || lead.draft.is_some() && body.start == sentence.start && !asked(&prose.words[body.clone()]);
    matches!(lead.lead, Lead::Order(_))
        && (named == Label::Topic || alone())
        && matches!(&prose.words[body.clone()], [kind, thing, ..] if kind.any(KINDS) && thing.kind == WordKind::Plain)
        && !super::speech::mood::has_finite(&prose.words[body])
}

/// Whether an item only completes the order that leads it in, whatever it reads like by itself.
fn completes_order(prose: &Prose<'_>, sentence: &Range<usize>, lead: &LeadIn) -> bool {
    let words = &prose.words[sentence.clone()];
    names_kind(prose, sentence, lead)
        || names_change(words, lead)
        || matches!(lead.lead, Lead::Order(_))
            && (asks_by_name(words) || glosses(words) || lead.draft.is_some() && waits_for_case(&lead.text))
        || is_offered(lead)
        || lead.draft.is_some() && done_by_user(&lead.text)
}

/// `The user must set the key by one of these:`: what the items say is done by the user.
fn done_by_user(lead: &str) -> bool {
    let lower = lead.to_lowercase();
    let said = lower.strip_prefix("the ").unwrap_or(&lower);
    ["user must ", "owner must ", "user should ", "user needs to ", "user has to ", "users must "]
        .iter()
        .any(|cue| said.starts_with(cue))
}

/// `Stop when:`, `Go on unless:`: each item is a case of it.
fn waits_for_case(lead: &str) -> bool {
    let last = lead.trim_end_matches([':', ' ']).rsplit(' ').next().unwrap_or_default();
    // `Only when two of these are true:`
    let told = || lead.split(' ').any(|word| matches!(word, "when" | "if" | "unless" | "until"));
    // `Do not open the gate until the owner confirms:`
    let awaited = || lead.split(' ').any(|word| matches!(word, "until" | "unless"));
    matches!(last, "when" | "if" | "unless" | "until" | "once" | "relevant")
        || matches!(last, "confirms" | "confirm" | "confirmed" | "agrees" | "verified" | "verify")
            && awaited()
        || matches!(last, "true" | "apply" | "applies" | "hold" | "holds" | "met") && told()
}

/// `` `--all` — sail to every port `` under `Flags:`.
fn tells_of_flag(words: &[Word], lead: &LeadIn) -> bool {
    const FLAGS: &[&str] = &["flags", "options", "parameters", "arguments", "settings"];
    let named = || FLAGS.iter().any(|name| lead.text.to_lowercase().contains(name));
    !matches!(lead.lead, Lead::Order(_)) && (glosses(words) && named() || explains_kind(words, &lead.text))
}

/// `` `CUT` — take the rope off `` under `**Action types:**`: what a word of a plan means.
fn explains_kind(words: &[Word], lead: &str) -> bool {
    const LONGEST: usize = 3;
    let named = lead.trim_end_matches([':', '*', ' ']).to_lowercase();
    let kinds = named.ends_with(" types") && named.split(' ').count() <= LONGEST;
    let [name, dash, rest @ ..] = words else { return false };
    kinds && name.kind == WordKind::Code && dash.mark("—") && mood_of(rest).mood == IMPERATIVE
}

/// `` `--all` — sail to every port ``, `tides.md — Read when the tide turns`: what a flag or a file is for, and nothing that is done now.
fn glosses(words: &[Word]) -> bool {
    let Some((name, behind)) = words.split_first() else { return false };
    // `tides.md (books/tides.md)`: where a link leads.
    let leads = behind.first().is_some_and(|open| open.lower == "(");
    let closes = behind.iter().position(|word| leads && word.lower == ")").map_or(0, |close| close + 1);
    let Some((dash, rest)) = behind[closes..].split_first() else { return false };
    let set = || name.lower.starts_with("--") || name.lower.contains(": ");
    let named = name.kind == WordKind::Code && set() || name.lower.ends_with(".md");
    // `` `--all`: sail to every port ``
    let parted = dash.mark("—") || dash.mark(":") && name.lower.trim_start_matches('`').starts_with("--");
    named && parted && mood_of(rest).mood == IMPERATIVE
}

/// `Required ropes removed`, `Effort needed vs gain`, `Rope length changed` under `Look for:`: a change or a measure that is named.
fn names_change(item: &[Word], lead: &LeadIn) -> bool {
    const ASKED: &[&str] = &["required", "needed", "needs", "mandatory"];
    const BINDING: &[&str] = &["must", "should", "never", "always", "not", "don't", "avoid"];
    if !matches!(lead.lead, Lead::Order(_))
        || lead.draft.is_none()
        || item.iter().any(|word| word.any(BINDING))
    {
        return false;
    }
    // `Compare the old rope vs the new one`
    if is_verb(&item[0].lower) && !is_nounish(&item[0].lower) {
        return false;
    }
    let weighs = item.iter().any(|word| word.any(&["vs", "versus"]));
    let plain = |word: &Word| word.kind == WordKind::Plain;
    let done = |word: &Word| word.lower.ends_with("ed") && word.lower.len() > 4 && !word.any(ASKED);
    let named = |pair: &[Word]| pair[0].any(ASKED) && plain(&pair[1]) && !pair[1].any(BEFORE_NAME);
    let changed =
        item.len() >= 3 && item.iter().skip(2).any(done) && !item.iter().any(|word| word.any(FINITE_BE));
    weighs || changed && (item.windows(2).any(named) || item.last().is_some_and(done))
}

/// Words behind `required` that make no name of it: `required to sail`.
const BEFORE_NAME: &[&str] = &["to", "for", "when", "if", "before", "by", "in", "on", "at", "that", "only"];

/// What would make a sentence of such a name.
const FINITE_BE: &[&str] = &["is", "are", "was", "were", "be", "has", "have"];

/// `Lamps are lit` under `Posting policy:`, `The hold is dry` under `Hull:`, under `Required checks`: what a bare name tells is to be so.
fn states_under_label(
    book: &Book<'_>,
    here: &Setting,
    lead: &LeadIn,
    words: &[Word],
    found: &[Clause],
) -> bool {
    lead.draft.is_none()
        && matches!(here.section, Stance::Neutral | Stance::Order)
        && (states_rule_under(&lead.text, words)
            || here.section == Stance::Order && states_requirement(book, words, found)
            || desires(book, here)
                && matches!(found, [Clause { mood: Mood::Fragment | Mood::Statement, .. }]))
}

/// `only when the tide is out` under `Sound the depth`: it says when, and orders nothing of its own.
fn only_in_case(item: &[Word], lead: &LeadIn) -> bool {
    const CASES: &[&str] = &["when", "if", "after", "before", "with", "in", "on", "for", "during", "where"];
    // `Spare ropes only when the old ones chafe`
    let only = item.iter().position(|word| word.is("only"));
    let opens = only.is_some_and(|only| {
        let names = |word: &Word| word.kind != WordKind::Mark && !word.among(FINITE);
        item[..only].iter().all(names)
            && (only == 0 || !is_verb(&item[0].lower))
            && item.len() > only + 2
            && item[only + 1].any(CASES)
    });
    opens
        && lead.draft.is_some()
        && matches!(lead.lead, Lead::Order(_))
        && !item[..only.unwrap_or(0)].iter().any(|word| word.mark(","))
}

/// `**Fix**: Concrete suggestion` under `For each finding:`: a label that reads like an order, and a name behind it.
fn names_part(prose: &Prose<'_>, sentence: &Range<usize>, lead: &LeadIn) -> bool {
    let colon = || sentence.clone().take(3).find(|&at| prose.words[at].mark(":"));
    lead.lead == Lead::Condition
        && colon().is_some_and(|colon| {
            let behind = &prose.words[colon + 1..sentence.end];
            colon == sentence.start + 1
                && prose.words[sentence.start].shouted
                && behind.first().is_some_and(|word| word.kind == WordKind::Plain)
                && mood_of(behind).mood == Mood::Fragment
        })
}

/// `Sail early: with the tide`, `Sails are dried at noon`: an item under `Recommended …:` that says itself what it is about.
fn says_of_what(words: &[Word]) -> bool {
    mood_of(words).mood != Mood::Fragment || words.iter().any(|word| word.mark(":"))
}

/// `no open questions` under `Require:`: in small letters it goes on with the sentence of its lead-in.
fn lacks(item: &[Word], lead: &LeadIn) -> bool {
    let opens = item.first().is_some_and(|first| first.is("no") && !first.capital && !first.shouted);
    opens
        && matches!(lead.lead, Lead::Order(Level::Must | Level::Should))
        && !super::speech::mood::has_finite(item)
}

/// `Evidence: why this is real`, `Owner: who fixes it` under `For each finding:`: a part of what is written then, and what it says.
fn asks_under_label(prose: &Prose<'_>, sentence: &Range<usize>) -> bool {
    let (named, body) = label(prose, sentence.clone());
    let asks = prose
        .words
        .get(body.start)
        .is_some_and(|word| word.any(&["what", "which", "how", "whether", "why", "who", "where", "when"]));
    named == Label::Topic && asks
}

/// `Small units are easier to test` under `Design for clarity:`: it compares, and says nothing that is to be so.
pub(super) fn argues(item: &[Word]) -> bool {
    const BETTER: &[&str] = &[
        "easier", "better", "worse", "faster", "slower", "cheaper", "safer", "simpler", "harder", "clearer",
        "more", "less",
    ];
    let compares = |at: usize| {
        let rest = &item[at + 1..];
        item[at].any(&["is", "are"])
            && rest
                .iter()
                .take_while(|word| word.kind == WordKind::Plain)
                .take(3)
                .any(|word| word.any(BETTER))
    };
    let than = |word: &Word| word.any(&["than", "must", "should"]);
    (1..item.len().min(8)).any(compares) && mood_of(item).mood == Mood::Statement && !item.iter().any(than)
}

/// `Proper error handling`: a name, and neither a label with its text nor what something does (`Helps clients`, `Crates rot`).
pub(super) fn is_bare_name(item: &[Word], found: &[Clause]) -> bool {
    const BEHIND: &[&str] = &[
        "and", "or", "for", "of", "in", "with", "without", "from", "on", "at", "to", "that", "as", "by",
        "over",
    ];
    let plural = |word: &Word| word.lower.ends_with('s') && !word.lower.ends_with("ss");
    let told =
        plural(&item[0]) && item.get(1).is_some_and(|next| next.kind == WordKind::Plain && !next.any(BEHIND));
    let parted = item.iter().any(|word| word.mark(":") || word.mark("—") || word.mark("→"));
    matches!(found, [Clause { mood: Mood::Fragment, .. }])
        && !parted
        && !told
        && item.len() > 1
        && item[0].kind == WordKind::Plain
        && !acts(&item[0])
}

pub(super) fn comes_before(when: &str) -> bool {
    const UNTIL: &[&str] = &["before", "until", "unless", "prior"];
    let first = when.split_whitespace().next().unwrap_or("").to_lowercase();
    UNTIL.contains(&first.as_str())
}

/// `The log is empty` under `Before you ship:`: what must be so by then. `It may take a while` tells.
pub(super) fn due(lead: &str, item: &[Word], found: &[Clause]) -> bool {
    const TELLING: &[&str] =
        &["can", "may", "might", "could", "will", "would", "was", "were", "because", "it", "this", "that"];
    const LONGEST: usize = 24;
    comes_before(lead)
        && item.len() <= LONGEST
        && matches!(found, [Clause { mood: Mood::Statement, .. }, ..])
        && !item.iter().take(6).any(|word| word.depth == 0 && word.any(TELLING))
        && !argues(item)
}

/// `Value — does it pay?`, `Space and form`: words that are as often nouns, and nothing that they act on.
fn is_name(words: &[Word], sentence: &Range<usize>, found: &[Clause]) -> bool {
    let end = found.first().map_or(sentence.end, |clause| clause.words.end);
    let plain: Vec<&Word> =
        words[sentence.start..end].iter().filter(|word| word.kind != WordKind::Mark).collect();
    let nouns = plain
        .iter()
        .all(|word| word.any(&["and", "or"]) || word.kind == WordKind::Plain && is_nounish(&word.lower));
    let parted = words[end - 1].mark("—") && plain.len() == 1;
    nouns && (parted || plain.len() == 3 && plain[1].any(&["and", "or"]))
}

/// `Full CI check:`, `Before a commit, test:`: a lead-in whose last word says what is done with the commands under it.
fn checks(lead: &str) -> bool {
    const DONE: &[&str] = &[
        "check",
        "checks",
        "test",
        "tests",
        "build",
        "lint",
        "format",
        "run",
        "verify",
        "validation",
        "gate",
        "gates",
    ];
    let last = lead.trim_end_matches([':', ' ']).rsplit(' ').next().unwrap_or("").to_lowercase();
    DONE.contains(&last.as_str())
}

/// Whether an item is a command and nothing else.
pub(super) fn commands(prose: &Prose<'_>, sentence: &Range<usize>) -> bool {
    let mut plain = prose.words[sentence.clone()].iter().filter(|word| word.kind != WordKind::Mark);
    let code =
        plain.next().is_some_and(|word| word.kind == WordKind::Code && word.lower.trim().contains(' '));
    code && plain.next().is_none()
}

/// Whether an item that orders only ends what its lead-in forbids or allows: `You must not do these without asking:`,
/// `You may:`.
fn lends(lead: &LeadIn) -> bool {
    match &lead.lead {
        Lead::Order(Level::May | Level::Should) | Lead::Stance(Stance::Permit | Stance::Advise, _) => true,
        Lead::Order(level) if level.is_prohibition() => {
            naming(&lead.text) != Naming::Whole && !forbids_act(&lead.text)
        }
        Lead::Order(_) => leaves_out(&lead.text),
        _ => false,
    }
}

/// `Skip these:`, `You may omit the following steps for mail:`: what the items name is left out.
fn leaves_out(lead: &str) -> bool {
    const LONGEST: usize = 12;
    const LEAVING: &[&str] = &["skip", "omit", "ignore", "drop", "forgo", "bypass", "exclude", "leave"];
    let lower = lead.to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !(c.is_alphanumeric() || c == '-')).filter(|word| !word.is_empty()).collect();
    let words = words.strip_prefix(&["you", "can"]).or(words.strip_prefix(&["you", "may"])).unwrap_or(&words);
    let points = words.iter().any(|word| matches!(*word, "these" | "following" | "those" | "this" | "all"));
    let out = words.first() != Some(&"leave") || words.contains(&"out");
    words.first().is_some_and(|first| LEAVING.contains(first)) && out && points && words.len() <= LONGEST
}

pub(super) fn complete_lead(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    sentence: Range<usize>,
    lead: &LeadIn,
    level: Level,
    here: &Setting,
) {
    let whole =
        here.step.is_none() || here.parent.is_some() || leaves_out(&lead.text) || looks_at(&lead.text);
    let Some(draft) = lead.draft.filter(|_| whole) else {
        return bare(book, prose, &sentence, (level, None), here);
    };
    if level.is_prohibition()
        && let Some(item) = remedied(prose, &sentence)
    {
        let text = item.named(&prose.condensed(item.name.clone()));
        let Remedied { name, remedies, .. } = item;
        book.complete(draft, &text, prose.span(&name), prose.literals(name));
        for (words, text) in remedies {
            let force = (Level::Must, Force::Implied);
            book.add(draft_of(prose, words, text, force, here, &sentence));
        }
        return;
    }
    if let Some((name, bracket)) = halves(prose, &sentence, level) {
        book.complete(draft, &prose.condensed(name.clone()), prose.span(&name), prose.literals(name));
        let force = (bracket.level, Force::Explicit);
        book.add(draft_of(prose, bracket.words, bracket.text, force, here, &sentence));
        return;
    }
    if !level.is_prohibition() && denied(&prose.words[sentence.clone()], &lead.text) {
        return deny(book, prose, &sentence, (&lead.text, Force::Implied), here);
    }
    let quoted = prose.words[sentence.start].kind == WordKind::Quote;
    let dash = sentence.clone().find(|&at| prose.words[at].mark("—")).filter(|_| quoted);
    let named = sentence.start..dash.unwrap_or(sentence.end);
    book.complete(draft, &prose.condensed(named.clone()), prose.span(&named), prose.literals(named.clone()));
    if let Some(dash) = dash {
        book.omit(prose.span(&(dash..sentence.end)), OmissionReason::Rationale);
    }
}

/// `The ship takes the colours of the port` under `Without this setting:`: what comes of it.
fn tells_what_lacks(item: &[Word], lead: &LeadIn) -> bool {
    let without = lead.text.get(..8).is_some_and(|opens| opens.eq_ignore_ascii_case("without "));
    let binds = match mood_of(item).mood {
        Mood::Order(Level::Must | Level::MustNot, Force::Explicit) | IMPERATIVE => true,
        Mood::Order(level, _) => level.is_prohibition(),
        _ => false,
    };
    without && lead.lead == Lead::Condition && !binds
}

/// `Each lamp burns alone` under a lead-in that lends nothing: it tells.
fn tells_of_each(item: &[Word], lead: &LeadIn, found: &[Clause]) -> bool {
    item[0].any(&["each", "every"])
        && matches!(lead.lead, Lead::Stance(Stance::Describe | Stance::Neutral, _))
        && !found.iter().any(|clause| matches!(clause.mood, Mood::Order(_, Force::Explicit)))
}

/// `Plan: the steps` under `Write these parts:`: a name that would order alone, and what it is.
fn names_under_verb(prose: &Prose<'_>, sentence: &Range<usize>) -> bool {
    let words = &prose.words[sentence.clone()];
    let named = words.len() > 3 && words[0].kind == WordKind::Plain && words[1].mark(":");
    let told = words.get(2).is_some_and(|word| word.any(&["the", "a", "an", "your", "its", "their"]));
    // `Structure: folders, names, imports`
    let lists = || is_nounish(&words[0].lower) && words[2..].iter().any(|word| word.mark(","));
    named
        && (told || lists())
        && matches!(label(prose, sentence.clone()).0, Label::Plain | Label::Topic)
        && mood_of(&words[2..]).mood == Mood::Fragment
}

/// `a lost rope — log it instead` below `Do not file:`: what is not done, and what is in its place; false for any other item.
pub(super) fn remedied_by_dash(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    sentence: &Range<usize>,
    here: &Setting,
) -> bool {
    let words = &prose.words;
    let Some((lead, level)) = here.lead.clone().and_then(|lead| match lead.lead {
        Lead::Order(level) if level.is_prohibition() && lead.draft.is_some() => Some((lead, level)),
        _ => None,
    }) else {
        return false;
    };
    let Some(dash) = sentence.clone().skip(1).find(|&at| words[at].depth == 0 && words[at].mark("—"))
    else {
        return false;
    };
    let (name, remedy) = (sentence.start..dash, dash + 1..sentence.end);
    let (front, behind) = (&words[name.clone()], &words[remedy.clone()]);
    let instead = behind.iter().any(|word| word.is("instead"));
    let force = match mood_of(behind).mood {
        Mood::Order(level, _) if level.is_prohibition() => return false,
        Mood::Order(Level::Must, force) => force,
        _ => Force::Implied,
    };
    if !(instead && mood_of(front).mood == Mood::Fragment) {
        return false;
    }
    let text = prose.condensed(remedy.clone()).replacen(" instead", "", 1);
    let text = rather_than(&prose.lowered(name.clone()), &text);
    complete_lead(book, prose, name, &lead, level, here);
    book.add(draft_of(prose, remedy, text, (Level::Must, force), here, sentence));
    true
}
