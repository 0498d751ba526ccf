//! The sentence that leads in what follows it, as a lead-in with its bytes.

use std::ops::Range;

use mentci_authority::{Force, Level, OmissionReason};
use mentci_source::Span;

use super::bare_item::bare;
use super::composed::draft_of;
use super::denial::denies_behind;
use super::draft::Book;
use super::forbidden::BRACKETED;
use super::last_word::judged_at_the_end;
use super::norm::read_sentence;
use super::run_below::{pointed_before, run_below};
use super::setting::{Below, Items, LeadIn, Setting};
use super::speech::befalling::befalls;
use super::speech::clause::{Clause, clauses};
use super::speech::condense::flat;
use super::speech::condition::{self, is_lettered};
use super::speech::guard::plain_of;
use super::speech::label::{Label, label};
use super::speech::lead::{Lead, ends_in_negation, label as lead_label, lead_of, permits_outright};
use super::speech::lead_names::leave;
use super::speech::lexicon::is_verb;
use super::speech::mood::{IMPERATIVE, Mood, mood_of};
use super::speech::naming::{Naming, naming};
use super::speech::open_lead::of_whom;
use super::speech::prose::Prose;
use super::speech::sentence::is_verdict;
use super::speech::stance::Stance;
use super::speech::theme::unbending;
use super::speech::word::{Word, WordKind};
use super::trigger::{is_trigger, takes_itself_up, takes_up};

/// `Use the long log for:`, and not `Use this skill for:`.
pub(super) fn uses_for(plain: &[&str]) -> bool {
    const LONGEST: usize = 7;
    matches!(plain, ["use", what, .., "for" | "when"] if !matches!(*what, "this" | "it"))
        && !plain.contains(&"skill")
        && (3..=LONGEST).contains(&plain.len())
}

/// A lead-in that says no more than what stance its items have.
pub(super) fn bare_lead(lead: Lead) -> LeadIn {
    LeadIn { lead, text: String::new(), span: Span::default(), draft: None, when: None }
}

pub(crate) fn is_lead(
    prose: &Prose<'_>,
    sentence: Option<&Range<usize>>,
    sentences: &[Range<usize>],
    leads: bool,
) -> bool {
    let Some(sentence) = sentence.filter(|_| leads) else { return false };
    if judged_at_the_end(&prose.words, sentence).is_some() {
        return false;
    }
    let words = &prose.words[sentence.clone()];
    let colon = words.iter().rev().find(|word| word.lower != "\n").is_some_and(|word| word.lower == ":");
    let strong = prose.text.styled(0..prose.text.as_str().len(), |style| style.strong);
    let all_strong =
        sentences.len() == 1 && strong.len() == 1 && strong[0].len() + 2 >= prose.text.as_str().trim().len();
    let stops = words.last().is_some_and(|word| matches!(word.lower.as_str(), "." | "!" | "?"));
    let plain: Vec<&Word> = words.iter().filter(|word| word.kind != WordKind::Mark).collect();
    let prohibits = mood_of(words).mood.forbids();
    let alone = sentences.len() == 1 && !stops || condition::pointing(words).is_some();
    let waits = alone && condition::of_lead_in(words).is_some()
        || sentences.len() == 1 && condition::confined(words).is_some();
    // `The following acts need approval.`
    let listed = sentences.len() == 1
        && matches!(&plain[..], [the, following, ..] if the.is("the") && following.is("following"));
    // `Crews should`, `Don't forget to`: the items end it.
    let open = sentences.len() == 1
        && !stops
        && plain.len() > 1
        && plain.last().is_some_and(|last| last.any(&["to", "should", "must", "shall"]));
    // `If it burns, sail; otherwise don't.`
    let parted = words.iter().any(|word| word.mark(";"));
    colon
        || listed
        || open
        || waits
        || (ends_in_negation(&plain)
            && !(stops && (sentences.len() > 1 || (answers(words) || parted) && plain.len() > 1)))
        || (all_strong && !stops && (!prohibits || begins(&plain, prose.text.as_str())))
}

/// `Read the guide to avoid common pitfalls:`: an order, and what it keeps from.
fn leads_away(words: &[Word]) -> bool {
    const LAST: usize = 4;
    let mut plain = words.iter().rev().filter(|word| word.kind != WordKind::Mark);
    let names = plain.next().is_some_and(|last| {
        last.any(&[
            "pitfalls",
            "mistakes",
            "traps",
            "errors",
            "anti-patterns",
            "antipatterns",
            "gotchas",
            "smells",
        ])
    });
    names && plain.take(LAST).any(|word| word.any(&["avoid", "prevent", "avoiding", "preventing", "against"]))
}

/// `When in doubt, don't.`: a rule that says all.
pub(super) fn answers(words: &[Word]) -> bool {
    mood_of(words).main > 0
}

/// `**Never**`, `**Must not have**`: a prohibition that says nothing yet.
fn begins(plain: &[&Word], text: &str) -> bool {
    let has = plain.len() <= 3
        && plain.last().is_some_and(|word| word.any(&["have", "do", "be", "use", "contain"]));
    has || naming(text) == Naming::Bare
}

/// The clause of a lead-in that says what holds for the items: the first that orders, unless a later one points at them or takes the
/// place of what is forbidden.
fn telling<'c>(words: &[Word], parts: &'c [Clause]) -> Option<&'c Clause> {
    let orders = || parts.iter().filter(|clause| matches!(clause.mood, Mood::Order(..)));
    let points = |clause: &&Clause| {
        let plain = words[clause.words.clone()].iter().rev().find(|word| word.kind != WordKind::Mark);
        plain.is_some_and(|word| word.any(&["them", "these", "following", "this", "those"]))
    };
    orders().find(points).or_else(|| turning(parts)).or_else(|| orders().next())
}

/// `Don't poll; use the watcher:`: what stands under it is what the order at its end takes, and not what is forbidden.
fn turning(parts: &[Clause]) -> Option<&Clause> {
    let (last, before) = parts.split_last()?;
    let orders = matches!(last.mood, Mood::Order(level, _) if !level.is_prohibition() && level != Level::May);
    (orders && before.iter().any(|clause| clause.mood.forbids())).then_some(last)
}

/// `Writes go through the script (don't read the log):`: what a lead-in says without the prohibition in its brackets, which does not hold
/// for the items.
fn mood_outside_brackets(words: &[Word]) -> Option<Mood> {
    let open = words
        .iter()
        .position(|word| word.lower == "(")
        .filter(|&open| open > 1 && mood_of(words).mood.forbids())?;
    Some(mood_of(&words[..open]).mood).filter(|mood| !mood.forbids())
}

/// `Review gate: after the tests pass, ask the user:`: what stands behind the topic, where that orders.
fn ordered_body(prose: &Prose<'_>, sentence: &Range<usize>) -> Range<usize> {
    let (named, body) = label(prose, sentence.clone());
    let orders = || matches!(mood_of(&prose.words[body.clone()]).mood, Mood::Order(..));
    if named == Label::Topic && orders() { body } else { sentence.clone() }
}

/// `Each theme includes`, said where the text tells what there is: under `Purpose`, `Overview`, `Details`.
fn tells_of_each(book: &Book<'_>, words: &[Word], here: &Setting) -> bool {
    const TELLING: &[&str] = &[
        "purpose",
        "overview",
        "about",
        "introduction",
        "details",
        "features",
        "contents",
        "background",
        "catalog",
        "catalogue",
        "available",
        "included",
    ];
    let each = words.first().is_some_and(|word| word.any(&["each", "every"]));
    let heading = here.heading.filter(|_| each).map(|heading| book.headings[heading].text.to_lowercase());
    let last = heading
        .as_deref()
        .and_then(|heading| heading.split(|c: char| !c.is_alphanumeric()).rfind(|word| !word.is_empty()));
    last.is_some_and(|last| TELLING.contains(&last))
}

/// `Thoughts like these mean STOP — you are tired:`: what is done at the sight of what stands below.
fn halts(words: &[Word]) -> bool {
    words.windows(2).any(|pair| pair[0].any(&["mean", "means"]) && pair[1].shouted && is_verb(&pair[1].lower))
}

/// `Always:`, `Use the long log for:` under `When to use`: in the cases that its items name the skill must be used.
fn always_taken_up(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    sentence: &Range<usize>,
    here: &Setting,
) -> Option<LeadIn> {
    let plain = plain_of(&prose.words[sentence.clone()]);
    let uses = uses_for(&plain);
    let always = plain[..] == ["always"];
    let heading = &book.headings[here.heading.filter(|_| always || uses)?];
    if !is_trigger(&heading.text) {
        return None;
    }
    let span = prose.span(sentence);
    let text = if always { format!("{}: always", heading.text) } else { prose.condensed(sentence.clone()) };
    book.omit(span, OmissionReason::Description);
    Some(LeadIn { lead: Lead::Stem(Level::Must), text, span, draft: None, when: None })
}

/// `This includes:` behind a rule: what stands below completes it.
fn counts_among(book: &Book<'_>, words: &[Word], here: &Setting) -> Option<Lead> {
    let last = book.drafts.last().filter(|last| last.heading == here.heading)?;
    match plain_of(words)[..] {
        ["this" | "that" | "these" | "those" | "which", "includes" | "include"] => {
            Some(Lead::Order(last.level))
        }
        _ => None,
    }
}

/// `Use for:` under `### Barge`: what the thing that the heading names is for.
fn used_for(book: &Book<'_>, words: &[Word], here: &Setting) -> Option<String> {
    const SHALLOWEST: u8 = 3;
    let uses = matches!(plain_of(words)[..], ["use" | "used", "for"]);
    let heading = &book.headings[here.heading.filter(|_| uses)?];
    (heading.depth >= SHALLOWEST && !is_trigger(&heading.text)).then(|| format!("{}: use for", heading.text))
}

/// `` Keys in `.env` (never committed): ``, `Keys (kept by the mate — never lend one):`: said of what it names, and not of what stands under
/// it.
fn denies_in_brackets(words: &[Word]) -> bool {
    const LONGEST: usize = 16;
    let Some(open) = words.iter().position(|word| word.lower == "(").filter(|&open| open > 0) else {
        return false;
    };
    let Some(never) = (open + 1..words.len()).find(|&at| words[at].is("never")) else { return false };
    let alone = never == open + 1;
    let Some(done) = words.get(never + 1) else { return false };
    let ends = |word: &&Word| !matches!(word.lower.as_str(), ":" | "\n");
    let closes = words.iter().rev().find(ends).is_some_and(|word| word.lower == ")");
    let denies =
        if alone { done.lower.ends_with("ed") } else { is_verb(&done.lower) || done.lower.ends_with("ed") };
    denies && closes && words.len() <= LONGEST && mood_of(&words[..open]).mood == Mood::Fragment
}

/// `Hands CANNOT use the crane — they use ropes:`: a ban, and what is done in its place.
fn bars_in_front(words: &[Word]) -> bool {
    const SHORTEST: usize = 4;
    let dash = words.iter().position(|word| word.mark("—")).filter(|&dash| dash >= SHORTEST);
    dash.is_some_and(|dash| {
        let bars = matches!(mood_of(&words[..dash]).mood, Mood::Order(Level::MustNot, Force::Explicit));
        bars && words.get(dash + 1).is_some_and(|next| next.any(&["they", "it"]))
    })
}

/// `If a guest asks for any of these, refuse:`: the items are what it is about, and not what is to be done.
fn reacts_to_any(words: &[Word]) -> bool {
    const LONGEST: usize = 4;
    const REACTING: &[&str] =
        &["refuse", "stop", "decline", "say", "halt", "escalate", "ask", "abort", "warn"];
    let Some(comma) = words.iter().position(|word| word.mark(",")) else { return false };
    let case = plain_of(&words[..comma]);
    let opens = matches!(case.first(), Some(&("if" | "when" | "whenever")));
    let any = case.windows(2).any(|pair| {
        matches!(pair[0], "of") && matches!(pair[1], "these" | "those") || pair == ["the", "following"]
    });
    let behind = plain_of(&words[comma + 1..]);
    opens
        && any
        && (1..=LONGEST).contains(&behind.len())
        && behind.first().is_some_and(|first| REACTING.contains(first))
}

/// `Ring three bells, for example:`: where the order ends that what stands below shows.
fn exemplified(words: &[Word]) -> Option<usize> {
    let last = words.iter().rposition(|word| word.kind != WordKind::Mark)?;
    let before = last.checked_sub(1)?;
    let example = words[before].is("for") && words[last].any(&["example", "instance"]);
    let end = words[..before].iter().rposition(|word| word.kind != WordKind::Mark)? + 1;
    let parted = example && words[end].kind == WordKind::Mark && end > 2;
    (parted && matches!(mood_of(&words[..end]).mood, Mood::Order(..))).then_some(end)
}

/// A lead-in that only names what stands under it, or the case in which it holds: `Route 3: by barge:`, `Storms:`, `If the wind turns:`.
fn named_lead(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    sentence: &Range<usize>,
    here: &Setting,
) -> Option<LeadIn> {
    const SHORT: usize = 16;
    if let Some(lead) = denies_behind(book, prose, sentence, here) {
        return Some(lead);
    }
    let words = &prose.words[sentence.clone()];
    let span = prose.span(sentence);
    if let Some(lead) = counts_among(book, words, here) {
        book.omit(span, OmissionReason::Description);
        let (text, draft) = (prose.condensed(sentence.clone()), book.drafts.len().checked_sub(1));
        return Some(LeadIn { lead, text, span, draft, when: None });
    }
    if let Some(text) = used_for(book, words, here) {
        book.omit(span, OmissionReason::Description);
        return Some(LeadIn { lead: Lead::Stem(Level::Must), text, span, draft: None, when: None });
    }
    if denies_in_brackets(words) {
        let force = (Level::MustNot, Force::Explicit);
        let text = prose.condensed(sentence.clone());
        book.add(draft_of(prose, sentence.clone(), text, force, here, sentence));
        return Some(bare_lead(Lead::Stance(Stance::Neutral, None)));
    }
    if bars_in_front(words) {
        read_sentence(book, prose, sentence.clone(), here, book.drafts.len());
        return Some(bare_lead(Lead::Stance(Stance::Neutral, None)));
    }
    if reacts_to_any(words) {
        book.omit(span, OmissionReason::Description);
        let text = prose.condensed(sentence.clone());
        return Some(LeadIn { lead: Lead::Stem(Level::Must), text, span, draft: None, when: None });
    }
    if let Some(lead) = leave(&plain_of(words)).or_else(|| of_whom(&plain_of(words))) {
        book.omit(span, OmissionReason::Description);
        let text = prose.condensed(sentence.clone());
        return Some(LeadIn { lead, text, span, draft: None, when: None });
    }
    // `Route 3: by barge` routes nothing.
    let verb = words.iter().find(|word| word.kind != WordKind::Mark);
    let opens = sentence.len() <= SHORT && verb.is_some_and(|verb| verb.capital && is_verb(&verb.lower));
    let text = || prose.condensed(sentence.clone());
    let lettered = opens && is_lettered(&text());
    if lettered || sentence.len() <= SHORT && befalls(&prose.verbatim(sentence.clone())) {
        book.omit(span, OmissionReason::Description);
        let lead = Lead::Stance(Stance::Neutral, None);
        return Some(LeadIn { lead, text: text(), span, draft: None, when: None });
    }
    if let Some(lead) = always_taken_up(book, prose, sentence, here) {
        return Some(lead);
    }
    if halts(words) {
        let force = (Level::Must, Force::Explicit);
        book.add(draft_of(prose, sentence.clone(), text(), force, here, sentence));
    }
    if takes_up(words) || takes_itself_up(book, words, here) {
        book.omit(span, OmissionReason::Description);
        return Some(LeadIn { lead: Lead::Trigger, text: text(), span, draft: None, when: None });
    }
    let listed = here.beside.below != Below::Text;
    if offers_tools(&plain_of(words)) || listed && may_be_done(&plain_of(words)) {
        book.omit(span, OmissionReason::Description);
        return Some(LeadIn { lead: Lead::Told, text: text(), span, draft: None, when: None });
    }
    let condition = condition::of_lead_in(words)?;
    let mut text = prose.condensed(sentence.start + condition.start..sentence.start + condition.end);
    // `Only do the following when the owner asks:`
    if words[..condition.start].iter().any(|word| word.is("only")) {
        text = format!("only {text}");
    }
    book.omit(span, OmissionReason::Description);
    Some(LeadIn { lead: Lead::Condition, text, span, draft: None, when: None })
}

/// `Print:` above a text: what is to be said, and no name.
fn speaks_alone(words: &[Word]) -> bool {
    let [verb, marks @ ..] = words else { return false };
    verb.capital
        && verb.any(&["print", "say", "ask", "announce", "reply", "respond"])
        && marks.iter().all(|word| word.kind == WordKind::Mark)
}

/// `When the crane is up, these commands are available:`: what there is then, and nothing to do.
fn offers_tools(plain: &[&str]) -> bool {
    const OFFERED: &[&str] =
        &["tools", "commands", "functions", "options", "endpoints", "methods", "flags", "skills"];
    let offered = plain.len().checked_sub(3).is_some_and(|at| OFFERED.contains(&plain[at]));
    offered && plain.ends_with(&["are", "available"])
}

/// `With the crane up, the following moves may be made:`: what a tool does by itself.
fn may_be_done(plain: &[&str]) -> bool {
    const DONE: &[&str] =
        &["applied", "made", "performed", "used", "triggered", "generated", "created", "taken"];
    let following = plain.windows(2).any(|pair| pair == ["the", "following"]);
    let opens = plain.first().is_some_and(|first| matches!(*first, "when" | "with" | "if" | "the"));
    following && opens && matches!(plain, [.., "may" | "might" | "will", "be", done] if DONE.contains(done))
}

/// `Strike out and rewrite any of these:` above what is banned: what is done where it stands already.
fn rewrites(words: &[Word]) -> bool {
    const TAKING: &[&str] = &["delete", "remove", "cut", "strike"];
    words.first().is_some_and(|first| first.any(TAKING))
        && words.iter().take(4).any(|word| word.any(&["rewrite", "replace"]))
}

/// `Each watch uses two lamps:` above them.
fn each_uses(words: &[Word], here: &Setting) -> bool {
    const FARTHEST: usize = 4;
    let verb =
        words.iter().take(FARTHEST).position(|word| word.any(&["uses", "has", "gets", "takes", "follows"]));
    words[0].any(&["each", "every"])
        && verb.is_some_and(|verb| verb > 1)
        && here.beside.below == Below::List
        && matches!(here.section, Stance::Neutral | Stance::Order)
}

/// `4. Format output:` among steps that order: an act, though its verb might be a name.
fn acts_among_steps(words: &[Word], here: &Setting) -> bool {
    const LONGEST: usize = 4;
    let plain: Vec<&Word> = words.iter().filter(|word| word.kind != WordKind::Mark).collect();
    here.step.is_some()
        && matches!(here.beside.items, Items::Steps | Items::Orders)
        && here.beside.below == Below::Other
        && (2..=LONGEST).contains(&plain.len())
        && plain.iter().all(|word| word.kind == WordKind::Plain)
        && plain[0].capital
        && is_verb(&plain[0].lower)
}

/// `**Chart** (keep beside the log):` above code: what is done with it.
fn bracket_acts(words: &[Word]) -> bool {
    let open = words.iter().position(|word| word.lower == "(" && word.depth == 0).filter(|&open| open > 0);
    let close = words.iter().rposition(|word| word.lower == ")");
    let (Some(open), Some(close)) = (open, close) else { return false };
    close > open + 3
        && words[open + 1].any(BRACKETED)
        && !words[0].any(&["for", "if", "when"])
        && words[close + 1..].iter().all(|word| word.kind == WordKind::Mark)
        && mood_of(&words[..open]).mood == Mood::Fragment
        && mood_of(&flat(&words[open + 1..close])).mood == IMPERATIVE
}

/// `before you write any HTML:` of `CRITICAL: before you write any HTML:`
fn behind_dropped_label(book: &mut Book<'_>, prose: &Prose<'_>, sentence: Range<usize>) -> Range<usize> {
    match label(prose, sentence.clone()) {
        (Label::Dropped, body) if body.len() > 1 => {
            book.omit(prose.span(&(sentence.start..body.start)), OmissionReason::Description);
            body
        }
        _ => sentence,
    }
}

/// `Strike out and rewrite any of these:` under a name of bans, which it is one of the rules of.
fn order_to_rewrite(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    sentence: &Range<usize>,
    (lead, mood): (&Lead, Mood),
    here: &Setting,
) {
    let bans = matches!(lead, Lead::Stance(Stance::Forbid | Stance::Discourage, _));
    let orders = mood == Mood::Order(Level::Must, Force::Implied);
    if bans && orders && rewrites(&prose.words[sentence.clone()]) {
        let name = here.heading.map(|heading| book.headings[heading].text.clone());
        bare(book, prose, sentence, (Level::Must, name.as_deref()), here);
    }
}

/// Reads the sentence that leads in what follows.
pub(crate) fn lead_in(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    sentence: Range<usize>,
    here: &Setting,
) -> LeadIn {
    let sentence = behind_dropped_label(book, prose, sentence);
    if let Some(end) = exemplified(&prose.words[sentence.clone()]) {
        let before = book.drafts.len();
        read_sentence(book, prose, sentence.start..sentence.start + end, here, before);
        return bare_lead(Lead::Stance(Stance::Example, None));
    }
    if permits_outright(&prose.words[sentence.clone()]) {
        let name = lead_label(&prose.verbatim(sentence.clone()));
        let lead = Lead::Stance(Stance::Permit, Some(name));
        let (text, span) = (prose.condensed(sentence.clone()), prose.span(&sentence));
        book.omit(span, OmissionReason::Description);
        return LeadIn { lead, text, span, draft: None, when: None };
    }
    if let Some(lead) = named_lead(book, prose, &sentence, here) {
        return lead;
    }
    // `❌ → ✅ Migration:` is about both.
    let turns = |before: usize| prose.words[before].mark("→") && is_verdict(&prose.words[sentence.start]);
    if sentence.start.checked_sub(1).is_some_and(turns) {
        book.omit(prose.span(&sentence), OmissionReason::Description);
        return bare_lead(Lead::Stance(Stance::Neutral, None));
    }
    let bound = condition::bound(&prose.words[sentence.clone()]);
    let when = bound.map(|words| prose.condensed(sentence.start + words.start..sentence.start + words.end));
    let unbent = || unbending(&plain_of(&prose.words[sentence.clone()])).then_some(Stance::Order);
    if let Some(stance) = condition::only_binds(&prose.words[sentence.clone()]).or_else(unbent) {
        let (text, span) = (prose.condensed(sentence.clone()), prose.span(&sentence));
        book.omit(span, OmissionReason::Description);
        return LeadIn { lead: Lead::Stance(stance, None), text, span, draft: None, when };
    }
    let parts = clauses(&prose.words, ordered_body(prose, &sentence));
    let telling = telling(&prose.words, &parts);
    let orders_before = parts
        .iter()
        .filter(|clause| matches!(clause.mood, Mood::Order(..)))
        .position(|clause| telling.is_some_and(|telling| telling.words == clause.words));
    let mood = telling.map_or_else(|| mood_of(&prose.words[sentence.clone()]).mood, |clause| clause.mood);
    let telling = telling.map_or(sentence.clone(), |clause| clause.words.clone());
    let mood = mood_outside_brackets(&prose.words[telling.clone()]).unwrap_or(mood);
    let acts = speaks_alone(&prose.words[telling.clone()])
        || here.beside.below == Below::Other && bracket_acts(&prose.words[telling.clone()])
        || mood == Mood::Fragment && acts_among_steps(&prose.words[telling.clone()], here)
        || matches!(mood, Mood::Statement | Mood::Fragment) && each_uses(&prose.words[telling.clone()], here);
    let mood = if acts { IMPERATIVE } else { mood };
    let text = prose.condensed(sentence.clone());
    let span = prose.span(&sentence);
    let lead = match turning(&parts).filter(|turning| turning.words == telling).map(|turning| turning.mood) {
        // `Do not search by hand; use the index instead:` forbids and orders.
        Some(Mood::Order(level, _)) => Lead::Order(level),
        _ => lead_of(&prose.words[telling.clone()], mood, &prose.verbatim(telling), here.section),
    };
    // `Each theme includes:` under `Purpose` tells what there is.
    let lead = match lead {
        Lead::Order(_) if mood == IMPERATIVE && tells_of_each(book, &prose.words[sentence.clone()], here) => {
            Lead::Stance(Stance::Describe, None)
        }
        lead => lead,
    };
    order_to_rewrite(book, prose, &sentence, (&lead, mood), here);
    let mut run = None;
    let draft = match &lead {
        Lead::Order(_) => {
            let before = book.drafts.len();
            read_sentence(book, prose, sentence.clone(), here, before);
            if book.drafts.len() == before && acts {
                bare(book, prose, &sentence, (Level::Must, None), here);
            }
            let last = book.drafts.len();
            let told =
                || (last > before).then(|| (before + orders_before.unwrap_or(usize::MAX / 2)).min(last - 1));
            run = run_below(book, prose, &sentence, 0..before);
            run.or_else(told)
        }
        _ => None,
    };
    // `Never print it when you run:` holds for what it says, and not for what is run.
    let lead = run.map_or(lead, |run| Lead::Order(book.drafts[run].level));
    if draft.is_none() {
        let reason = if matches!(lead, Lead::Stance(Stance::Example, _)) {
            OmissionReason::Example
        } else {
            OmissionReason::Description
        };
        book.omit(span, reason);
    }
    // `Each node has three properties:` under `How it works` lends nothing.
    let told = draft.is_none() && here.section == Stance::Describe && matches!(lead, Lead::Order(_));
    let lead = if told { Lead::Stance(Stance::Describe, None) } else { lead };
    let when = when.filter(|_| matches!(lead, Lead::Order(_)));
    // What the items name is what the order keeps from.
    let (lead, draft) = match lead {
        Lead::Order(level) if leads_away(&prose.words[sentence.clone()]) && !level.is_prohibition() => {
            (Lead::Stance(Stance::Mistakes, None), None)
        }
        lead => (lead, draft),
    };
    match pointed_before(book, prose, &sentence).filter(|_| draft.is_some()) {
        Some(pointed) => LeadIn::of_draft(&book.drafts, pointed, span),
        None => LeadIn { lead, text, span, draft, when },
    }
}
