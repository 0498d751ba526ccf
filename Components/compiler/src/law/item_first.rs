//! The first sentence of an item, read in the light of its lead-in.

use std::ops::Range;

use mentci_authority::{Force, Level, OmissionReason};

use super::bare_item::{bare, denied, deny};
use super::caption::label_words;
use super::composed::draft_of;
use super::convention::tells;
use super::denial::denies_and_orders;
use super::draft::{Binds, Book};
use super::forbidden::{forbidden, names_bad};
use super::forms::Placed;
use super::headline::headline;
use super::item_words::{chooses, rules_out};
use super::judged::judges;
use super::last_word::{judged_at_the_end, taken_back};
use super::led::{complete_lead, is_bare_name, led, remedied_by_dash};
use super::limits::keeps_off;
use super::mistake::{
    errs, labels_order, lacks_by_nature, names_bad_thing, opens_denied, takes_care, under_mistakes,
    under_red_lines,
};
use super::norm::read_sentence;
use super::scope::under_exceptions;
use super::setting::{Items, LeadIn, Setting};
use super::speech::clause::{Clause, clauses};
use super::speech::guard::plain_in;
use super::speech::label::{Label, label};
use super::speech::lead::Lead;
use super::speech::lexicon::{FINITE, is_verb};
use super::speech::mood::{IMPERATIVE, Mood, mood_of};
use super::speech::prose::Prose;
use super::speech::sentence::{is_cross, is_verdict};
use super::speech::stance::Stance;
use super::speech::word::{Word, WordKind};
use super::standing::{due_by_heading, is_due, states_requirement, states_rule};
use super::stem::stem;
use super::together::{names_with_others, tells_of_tool};

/// Reads the first sentence of an item, which may be a headline.
pub(super) fn first_sentence(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    sentence: Range<usize>,
    here: &Setting,
    stance: Stance,
) {
    match headline(prose, &sentence, here) {
        Some(level) => bare(book, prose, &sentence, (level, None), here),
        None => led_sentence(book, prose, sentence, here, stance),
    }
}

/// What describes by its form: a field that may be left out, or what something is good for.
fn only_tells(words: &[Word]) -> bool {
    is_free_parameter(words) || is_praise(words)
}

/// `**Best for**: long trips; no coal costs`: what somebody would choose it for.
fn is_praise(words: &[Word]) -> bool {
    matches!(words, [best, on, colon, ..] if best.any(&["best", "good", "ideal", "great"]) && on.is("for") && colon.mark(":"))
}

/// `` `depth` (number, optional): How deep it is``: a field of a call, with its type. `` `depth` (number, required)`` has to be given.
fn is_free_parameter(words: &[Word]) -> bool {
    const TYPES: &[&str] = &[
        "string", "number", "boolean", "bool", "integer", "int", "float", "array", "object", "list", "enum",
        "date", "json",
    ];
    let [name, open, kind, rest @ ..] = words else { return false };
    let close = rest.iter().position(|word| word.lower == ")");
    name.kind == WordKind::Code
        && open.lower == "("
        && kind.any(TYPES)
        && close.is_some_and(|close| {
            rest[..close].iter().any(|word| word.any(&["optional", "default", "nullable"]))
        })
}

/// Reads the first sentence of an item in the light of its lead-in.
fn led_sentence(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    sentence: Range<usize>,
    here: &Setting,
    stance: Stance,
) {
    let words = &prose.words[sentence.clone()];
    let own = mood_of(words).mood;
    if names_with_others(book, words, here) || tells_of_tool(here, words) || only_tells(words) {
        return book.omit(prose.span(&sentence), OmissionReason::Description);
    }
    if words.first().is_some_and(|first| is_cross(first) || is_verdict(first)) {
        return judged_sentence(book, prose, sentence, here, own);
    }
    if excepted_above(book, prose, &sentence, here)
        || under_exceptions(book, prose, &sentence, here)
        || keeps_off(book, prose, &sentence, here)
    {
        return;
    }
    let binds = here.heading.filter(|_| here.lead.is_none()).and_then(|heading| book.headings[heading].binds);
    match binds {
        Some(Binds::Acts) => return bare(book, prose, &sentence, (Level::Must, None), here),
        Some(Binds::Things) if own == Mood::Fragment => {
            let label = heading_label(book, here);
            return bare(book, prose, &sentence, (Level::Must, Some(&label)), here);
        }
        _ => {}
    }
    let free = matches!(stance, Stance::Neutral | Stance::Order | Stance::Advise)
        && here.lead.as_ref().is_none_or(|lead| match lead.lead {
            Lead::Stance(..) | Lead::Condition => true,
            Lead::Order(_) => here.step.is_some(),
            _ => false,
        });
    let inside = || {
        let mut inside = here.clone();
        if let Some(lead) = here.lead.as_ref().filter(|lead| lead.lead == Lead::Condition) {
            inside.under(lead);
        }
        inside
    };
    if free && denies_and_orders(book, prose, &sentence, &inside()) {
        return;
    }
    if matches!(stance, Stance::Forbid | Stance::Discourage) && turns_back(book, prose, &sentence, here) {
        return;
    }
    match (&here.lead, stance) {
        (Some(lead), _)
            if matches!(lead.lead, Lead::Stem(Level::Must) | Lead::Order(Level::Must))
                && denied(words, &lead.text) =>
        {
            let force = if lead.draft.is_some() { Force::Explicit } else { Force::Implied };
            deny(book, prose, &sentence, (&lead.text, force), here);
        }
        (Some(LeadIn { lead: Lead::Stem(level), text, span, .. }), _) => {
            stem(book, prose, sentence, here, (*level, text, *span));
        }
        (_, Stance::Excuses) => book.omit(prose.span(&sentence), OmissionReason::Rationale),
        (None, Stance::Forbid | Stance::Discourage)
            if takes_care(words, own) && under_mistakes(book, here) =>
        {
            read_sentence(book, prose, sentence, here, book.drafts.len());
        }
        (None, Stance::Forbid)
            if here.listed.forbids_itself && under_red_lines(book, here) && !opens_denied(words) =>
        {
            bare(book, prose, &sentence, (Level::Must, None), here);
        }
        // `Keep the log dry` among `Never …` and `Do not …`.
        (_, Stance::Forbid | Stance::Discourage | Stance::Mistakes)
            if own == IMPERATIVE && here.listed.mostly_forbids_itself =>
        {
            read_sentence(book, prose, sentence, here, book.drafts.len());
        }
        // `Are passes checked?` among risks asks, and names nothing bad.
        (_, Stance::Forbid | Stance::Discourage | Stance::Mistakes)
            if own == Mood::Question && words.first().is_some_and(|word| word.among(FINITE)) =>
        {
            read_sentence(book, prose, sentence, here, book.drafts.len());
        }
        (_, Stance::Forbid | Stance::Discourage) => forbidden(book, prose, sentence, here, stance),
        (_, Stance::Mistakes) if labels_order(prose, &sentence) => {
            read_sentence(book, prose, sentence, here, book.drafts.len());
        }
        _ if names_bad_thing(book, prose, &sentence, here, (own, stance)) => {
            forbidden(book, prose, sentence, here, stance);
        }
        (_, Stance::Mistakes) if names_bad(prose, &sentence) || errs(book, words, own, here) => {
            let here = &Setting { step: None, ..here.clone() };
            forbidden(book, prose, sentence, here, Stance::Mistakes);
        }
        (Some(_), _) if remedied_by_dash(book, prose, &sentence, here) => {}
        (Some(lead), _) => led(book, prose, sentence, &lead.clone(), here),
        (None, _)
            if here.is_task
                && (matches!(own, Mood::Fragment | Mood::Statement) || ends_well(words, own))
                && here.section.level() != Some(Level::May) =>
        {
            let level = if tells(words) == Some(true) { Level::MustNot } else { Level::Must };
            bare(book, prose, &sentence, (level, None), here);
        }
        (None, _) => plain_item(book, prose, sentence, here),
    }
}

/// An item under `Except:`: an exception of the rule before; false for any other.
fn excepted_above(book: &mut Book<'_>, prose: &Prose<'_>, sentence: &Range<usize>, here: &Setting) -> bool {
    let Some(lead) = here.lead.as_ref().filter(|lead| excepts(book, &lead.text)) else { return false };
    let text = excepted(&lead.text, &prose.condensed(sentence.clone()));
    let taken = book.except(&text, prose.span(sentence), prose.literals(sentence.clone()), here);
    if taken {
        book.omit(lead.span, OmissionReason::Description);
    }
    taken
}

/// `Keys are safe` in a checklist: what is to be so, and no leave.
fn ends_well(words: &[Word], own: Mood) -> bool {
    const WELL: &[&str] = &["safe", "fine", "ok", "okay", "acceptable"];
    let mut plain = words.iter().rev().filter(|word| word.kind != WordKind::Mark);
    let well = plain.next().is_some_and(|last| last.any(WELL));
    let be = plain.next().is_some_and(|be| be.any(&["is", "are"]));
    matches!(own, Mood::Order(Level::May, _)) && well && be
}

/// `❌ Trust the eye`, `✅ Write tests`: what stands behind such a mark.
fn judged_sentence(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    sentence: Range<usize>,
    here: &Setting,
    own: Mood,
) {
    if is_cross(&prose.words[sentence.start]) {
        return forbidden(book, prose, sentence, here, Stance::Forbid);
    }
    if judges(book, prose, &sentence, here) {
        return;
    }
    if matches!(own, Mood::Order(..)) {
        return read_sentence(book, prose, sentence, here, book.drafts.len());
    }
    let ordered = here.lead.as_ref().filter(|lead| lead.draft.is_some());
    if let Some(lead) = ordered
        && let Lead::Order(level @ (Level::Must | Level::Should)) = lead.lead
        && sentence.len() > 1
    {
        return complete_lead(book, prose, sentence.start + 1..sentence.end, lead, level, here);
    }
    bare(book, prose, &sentence, (Level::Must, None), here);
}

/// `But do row` under `Do not`: an order all the same; false for anything else.
fn turns_back(book: &mut Book<'_>, prose: &Prose<'_>, sentence: &Range<usize>, here: &Setting) -> bool {
    let words = &prose.words[sentence.clone()];
    let but = matches!(words, [but, act, _, ..] if but.is("but") && act.is("do"));
    // `Do use early returns`, `Instead, test the whole`.
    let does = matches!(words, [act, verb, _, ..] if act.is("do") && act.capital && is_verb(&verb.lower));
    let instead = matches!(words, [instead, comma, ..] if instead.is("instead") && comma.mark(","))
        && mood_of(words).mood == Mood::Order(Level::Must, Force::Implied);
    let turns = but || does || instead;
    if turns {
        let text = prose.condensed(sentence.start + usize::from(but)..sentence.end);
        book.add(draft_of(prose, sentence.clone(), text, (Level::Must, Force::Explicit), here, sentence));
    }
    turns
}

/// What is excepted under `Exceptions (ask the mate):`, which says how.
fn excepted(lead: &str, item: &str) -> String {
    let bracket = lead.split_once(" (").and_then(|(_, rest)| rest.split_once(')'));
    bracket.map_or_else(|| item.to_owned(), |(how, _)| format!("{item} ({how})"))
}

/// `Except:`, `The following are exempt:` above items: each is an exception to the rule before; `Exempt from review:` where that rule
/// speaks of reviews.
fn excepts(book: &Book<'_>, lead: &str) -> bool {
    const LONGEST: usize = 6;
    let lower = lead.to_lowercase();
    let name = lower.trim_end_matches([':', ' ']);
    // `Exceptions (ask the mate):`
    let name = name.split(" (").next().unwrap_or(name);
    // `The following are exempt:`
    let exempt = || name.split(' ').any(|word| matches!(word, "exempt" | "exempted" | "excepted"));
    let last = || book.drafts.last().map(|last| last.text.to_lowercase()).unwrap_or_default();
    let other = name.split_once("exempt from ").is_some_and(|(_, what)| {
        let what = what.rsplit(' ').next().unwrap_or(what);
        !["this", "it", "that", "these", "rule", "rules", "above"].contains(&what)
            && (!last().contains(what) || last().starts_with(name))
    });
    if other {
        return false;
    }
    let name = [" to this rule", " to the rule", " to this", " to that", " to the above"]
        .iter()
        .find_map(|of| name.strip_suffix(of))
        .unwrap_or(name);
    let name = name.strip_prefix("the ").unwrap_or(name).trim_end_matches(" are");
    ["except", "except for", "exception", "exceptions", "only exception", "only exceptions", "unless"]
        .contains(&name)
        || name.split(' ').count() <= LONGEST && exempt()
}

/// ``Plan B: `make tow` ``: a label, and what is run or written then.
fn names_literal(prose: &Prose<'_>, sentence: &Range<usize>) -> bool {
    let (_, body) = label(prose, sentence.clone());
    let words = &prose.words[body.clone()];
    body.start > sentence.start
        && prose.words[sentence.start].kind == WordKind::Plain
        && words.first().is_some_and(|word| word.kind == WordKind::Code)
        && mood_of(words).mood == Mood::Fragment
}

/// The heading as a label.
fn heading_label(book: &Book<'_>, here: &Setting) -> String {
    let heading = here.heading.map_or("", |heading| book.headings[heading].text.as_str());
    heading.trim_start_matches(|c: char| !c.is_alphanumeric()).trim_end_matches([':', '.', ' ']).to_owned()
}

/// `Clear names beat short ones`: what comes first of two things.
fn ranks_above(words: &[Word]) -> bool {
    const FARTHEST: usize = 6;
    let beats = |word: &Word| word.any(&["beats", "beat", "trumps", "outranks", "outweighs"]);
    words.iter().take(FARTHEST).skip(1).any(beats)
}

/// `Migrations use plain names (no verbs)`: what is not to be, and what is in front of the bracket.
fn rule_out(book: &mut Book<'_>, prose: &Prose<'_>, sentence: &Range<usize>, here: &Setting) {
    // `Migrations use plain names (no verbs)` says what they use as well.
    let open =
        sentence.clone().find(|&at| prose.words[at].kind == WordKind::Mark && prose.words[at].lower == "(");
    let told = sentence.start..open.unwrap_or(sentence.start);
    let verb = |word: &Word| word.kind == WordKind::Plain && is_verb(&word.lower);
    if told.len() > 3 && prose.words[told.clone()].iter().skip(1).any(verb) {
        let force = (Level::Must, Force::Implied);
        let text = prose.condensed(told.clone());
        book.add(draft_of(prose, told, text, force, here, sentence));
    }
    let text = prose.condensed(sentence.clone());
    let force = (Level::MustNot, Force::Explicit);
    book.add(draft_of(prose, sentence.clone(), text, force, here, sentence));
}

/// An item without a lead-in.
fn plain_item(book: &mut Book<'_>, prose: &Prose<'_>, sentence: Range<usize>, here: &Setting) {
    // `Force pushes: not allowed` under `Style`.
    let at = Placed { prose, sentence: &sentence, here, before: book.drafts.len() };
    if here.section.level().is_some_and(|level| !level.is_prohibition()) && taken_back(book, at) {
        return;
    }
    let found = clauses(&prose.words, sentence.clone());
    let orders = found.iter().any(|clause| matches!(clause.mood, Mood::Order(..)));
    let section = match here.section {
        Stance::Order | Stance::Advise | Stance::Permit => here.section.level(),
        _ => None,
    };
    let implied = found
        .iter()
        .all(|clause| matches!(clause.mood, Mood::Order(level, Force::Implied) if !level.is_prohibition()));
    if here.section == Stance::Describe && lacks_by_nature(book, here, &prose.words[sentence.clone()]) {
        return book.omit(prose.span(&sentence), OmissionReason::Description);
    }
    if here.section == Stance::Permit && orders && implied {
        let label = heading_label(book, here);
        return bare(book, prose, &sentence, (Level::May, Some(&label)), here);
    }
    if !orders
        && matches!(here.section, Stance::Neutral | Stance::Order)
        && rules_out(&prose.words[sentence.clone()], chooses(book, here))
    {
        return rule_out(book, prose, &sentence, here);
    }
    let mut plain = prose.words[sentence.clone()].iter().filter(|word| word.kind != WordKind::Mark);
    let acts = plain.next().is_some_and(|word| word.kind == WordKind::Plain && is_verb(&word.lower));
    match (orders, section) {
        // `**Otherwise**: the mate writes the plan`
        (false, None) if is_other_branch(&prose.words[sentence.clone()]) => {
            bare(book, prose, &sentence, (Level::Must, None), here);
        }
        // `3. Report.`
        (false, None)
            if acts
                && plain.next().is_none()
                && (here.step.is_some()
                    || here.heading.is_some_and(|heading| book.headings[heading].condition.is_some())) =>
        {
            bare(book, prose, &sentence, (Level::Must, None), here);
        }
        // `4. Stock stores — bread, lamps`, `2. **First cast** — a wide one` among steps that order.
        (false, None)
            if (acts && here.beside.items == Items::Steps
                || here.step.is_some()
                    && matches!(here.beside.items, Items::Steps | Items::Orders)
                    && label_words(prose, &sentence).is_some())
                && matches!(found.first().map(|clause| clause.mood), Some(Mood::Fragment)) =>
        {
            bare(book, prose, &sentence, (Level::Must, None), here);
        }
        (false, Some(level))
            if matches!(found.first().map(|clause| clause.mood), Some(Mood::Fragment | Mood::Question)) =>
        {
            // `Allowed on branches, not on main` says more than that they are allowed.
            let label = heading_label(book, here);
            let says_more = here.section == Stance::Permit && plain_in(&label).len() > 2;
            bare(book, prose, &sentence, (level, Some(label.as_str()).filter(|_| says_more)), here);
        }
        (false, Some(Level::Must)) if states_rule(book, here, &prose.words[sentence.clone()]) => {
            bare(book, prose, &sentence, (Level::Must, None), here);
        }
        (false, Some(level @ (Level::Must | Level::Should)))
            if ranks_above(&prose.words[sentence.clone()]) =>
        {
            bare(book, prose, &sentence, (level, None), here);
        }
        (false, Some(Level::Must)) if states_requirement(book, &prose.words[sentence.clone()], &found) => {
            bare(book, prose, &sentence, (Level::Must, None), here);
        }
        (false, None) if is_due(book, here, prose, &sentence, &found) => {
            bare(book, prose, &sentence, (Level::Must, None), here);
        }
        (false, None)
            if here.beside.items == Items::Orders
                && is_bare_name(&prose.words[sentence.clone()], &found)
                && judged_at_the_end(&prose.words, &sentence).is_none()
                && !prose.words[sentence.start].any(&["no", "not", "without", "none", "nothing"]) =>
        {
            let label = heading_label(book, here);
            bare(book, prose, &sentence, (Level::Must, Some(&label)), here);
        }
        (false, None)
            if here.beside.items == Items::Specified
                && label(prose, sentence.clone()).0 == Label::Topic
                && matches!(&found[..], [Clause { mood: Mood::Fragment, .. }, ..]) =>
        {
            bare(book, prose, &sentence, (Level::Must, None), here);
        }
        (false, None)
            if here.beside.items == Items::Orders && names_literal(prose, &sentence)
                || due_by_heading(book, here, &prose.words[sentence.clone()], &found) =>
        {
            bare(book, prose, &sentence, (Level::Must, None), here);
        }
        _ => read_sentence(book, prose, sentence, here, book.drafts.len()),
    }
}

/// `Otherwise: …`, what is done or is so where none of the cases above holds.
fn is_other_branch(words: &[Word]) -> bool {
    matches!(words, [other, colon, _, ..] if other.any(&["otherwise", "else"]) && colon.mark(":"))
}
