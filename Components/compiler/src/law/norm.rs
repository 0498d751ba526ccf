//! From a sentence to norms: clauses that order become drafts, all else is omitted with its reason.

use std::ops::Range;

use mentci_authority::{Force, Level, OmissionReason};
use mentci_source::Span;

use super::caption::{case_named, styled};
use super::clause_case::case_behind;
use super::command::runs_on_occasion;
use super::composed::{both, draft_of, under_case, under_name, with_label, with_topic};
use super::convention::bind_conventions;
use super::denial::denied_in_brackets;
use super::draft::{Book, Draft};
use super::ellipsis::{code_told_of, fill_in, subject_above, subject_of_modal};
use super::follow::permit_taken_back;
use super::forbidden::warns;
use super::forms::{Placed, has_form};
use super::joined::{adds_to_last, waits_for_leave};
use super::pronoun::{add_reverse, denies_reverse, is_rest, takes_up_subject};
use super::quoted::read_quoted_rule;
use super::roster;
use super::setting::Setting;
use super::speech::aside::is_done_by;
use super::speech::clause::{Clause, clauses};
use super::speech::contrast::{Turned, turned};
use super::speech::exempt::{excepts_before, excused, may_there, needs_nothing, waived};
use super::speech::label::{Label, label, names_remedy, says_under_label, tells_optional};
use super::speech::lexicon::{MADE, is_verb};
use super::speech::modal::bounds;
use super::speech::mood::{Mood, asks, has_finite, mood_of};
use super::speech::prose::Prose;
use super::speech::referent::{is_use_case, meant, named_above, points_back, taken_on, told_of};
use super::speech::sentence::sentences_back;
use super::speech::stance::Stance;
use super::speech::thing::points;
use super::speech::told::told;
use super::speech::verbless::weigh;
use super::speech::withdrawn::all_but;
use super::speech::word::{Word, WordKind};
use super::steps::named_step;
use super::topic;
use super::wording::{
    clause_text, demands_apart, leading_condition, named_by_dash, replaces, rests_on, told_condition,
    under_subject, without, worded_alone,
};

/// Whether the sentence right before this one is the last norm, of this text.
pub(super) fn follows(book: &Book<'_>, prose: &Prose<'_>, sentence: &Range<usize>, before: usize) -> bool {
    let Some(last) = book.drafts.last().filter(|_| book.drafts.len() > before) else { return false };
    let start = prose.span(sentence).start;
    let ends = last.spans.iter().map(|span| span.end).filter(|end| *end <= start);
    let between = ends.max().map(|end| book.source.slice(Span { start: end, end: start }));
    between.is_some_and(|between| !between.contains(char::is_alphanumeric))
}

/// `Old logs may be thinned, but must be kept`: a clause without a subject of its own goes on with the one that only tells.
fn share_subject(words: &[Word], found: &mut Vec<Clause>) {
    let goes_on = |clause: &Clause| {
        let mut plain = words[clause.words.clone()].iter().filter(|word| word.kind != WordKind::Mark);
        let turns = plain.next().is_some_and(|word| word.any(&["but", "yet"]));
        turns && plain.next().is_some_and(|word| word.any(&["must", "should", "shall", "cannot"]))
    };
    let at = (1..found.len()).find(|&at| {
        goes_on(&found[at])
            && !matches!(found[at - 1].mood, Mood::Order(..) | Mood::Question)
            && found[at - 1].words.end == found[at].words.start
    });
    if let Some(at) = at {
        found[at].words.start = found[at - 1].words.start;
        found.remove(at - 1);
    }
}

/// Reads one sentence of running text.
pub(crate) fn read_sentence(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    sentence: Range<usize>,
    here: &Setting,
    before: usize,
) {
    let at = Placed { prose, sentence: &sentence, here, before };
    if needs_nothing(&prose.words[sentence.clone()]) {
        return book.omit(prose.span(&sentence), OmissionReason::Description);
    }
    if !has_form(book, at) {
        read_by_clauses(book, at);
    }
}

/// `Output: a list of reefs`, `Validation: all ropes hold` right under `2. Sound the bottom`: what a step ends in.
fn ends_step(book: &Book<'_>, prose: &Prose<'_>, sentence: &Range<usize>, here: &Setting) -> bool {
    const ENDS: &[&str] =
        &["output", "outputs", "deliverable", "deliverables", "validation", "verification", "gate"];
    const LONGEST: usize = 20;
    let [end, colon, said @ ..] = &prose.words[sentence.clone()] else { return false };
    let apt =
        matches!(here.section, Stance::Neutral | Stance::Order) && here.lead.is_none() && here.step.is_none();
    let step = || here.heading.is_some_and(|heading| named_step(&book.headings[heading].text).is_some());
    let named = || matches!(mood_of(said).mood, Mood::Fragment | Mood::Statement);
    apt && end.any(ENDS) && colon.mark(":") && (1..=LONGEST).contains(&said.len()) && step() && named()
}

/// Reads a sentence by its label and its clauses.
fn read_by_clauses(book: &mut Book<'_>, at: Placed<'_, '_>) {
    let Placed { prose, sentence, here, before } = at;
    let (label, body) = label(prose, sentence.clone());
    if ends_step(book, prose, sentence, here) {
        return add_whole(book, prose, sentence, here);
    }
    match label {
        Label::Example
            if here.section == Stance::Mistakes && names_remedy(&prose.words[sentence.clone()]) =>
        {
            return add_whole(book, prose, sentence, here);
        }
        Label::Example => return book.omit(prose.span(sentence), OmissionReason::Example),
        Label::Telling => return book.omit(prose.span(sentence), OmissionReason::Rationale),
        Label::Plain | Label::Dropped | Label::Topic | Label::Force(_) => {}
    }
    let graded = label == Label::Topic
        && roster::grades_here(book, here)
        && mood_of(&prose.words[body.clone()]).mood == Mood::Fragment;
    let runs = here.section != Stance::Example && runs_on_occasion(prose, sentence);
    if graded || runs || says_under_label(prose, sentence, &body, here.section == Stance::Example) {
        return add_whole(book, prose, sentence, here);
    }
    if label != Label::Plain && read_quoted_rule(book, prose, sentence, &body, here) {
        return;
    }
    let words = &prose.words;
    let all = &words[sentence.clone()];
    let mut found = clauses(words, body.clone());
    join_bare_verb(words, &mut found);
    keep_label(prose, &mut found);
    weigh(words, &mut found);
    fill_in(book, words, (sentence, &mut found), (book.drafts.len() > before, here));
    permit_taken_back(prose, sentence, &mut found);
    if takes_up_subject(book, prose, (sentence, &found), before, here) {
        return;
    }
    if denies_reverse(all) && add_reverse(book, prose, sentence, before, here) {
        return;
    }
    share_subject(words, &mut found);
    let fresh = book.drafts.len() > before;
    if let Label::Force(level) = label
        && bound_by_label(book, prose, (sentence, &body), (level, &mut found), here)
    {
        return;
    }
    if label == Label::Topic {
        topic(&mut found, sentence, all, fresh);
    }
    describes_case(prose, sentence, &mut found);
    rates(prose, sentence, &body, &mut found);
    bind_conventions(book, words, &mut found, here);
    if fresh && adds_to_last(book, prose, sentence, &mut found, before) {
        return;
    }
    let halts = fresh
        && book.drafts.last().is_some_and(|last| last.text.ends_with("STOP") || last.text.ends_with("Stop"));
    if halts && found.len() == 1 && matches!(found[0].mood, Mood::Order(level, _) if !level.is_prohibition())
    {
        return book.go_on(
            &clause_text(prose, &found, 0),
            prose.span(sentence),
            prose.literals(sentence.clone()),
        );
    }
    let acts = || matches!(found[0].mood, Mood::Order(level, _) if !level.is_prohibition());
    if found.len() == 1 && waits_for_leave(book, all) && acts() && follows(book, prose, sentence, before) {
        return book.go_on(
            &prose.condensed(sentence.clone()),
            prose.span(sentence),
            prose.literals(sentence.clone()),
        );
    }
    let first = book.drafts.len();
    write_clauses(book, prose, sentence, &found, here);
    if book.drafts.len() == first {
        return;
    }
    if prose.words[sentence.start].is("instead")
        && let Some(answered) = told_before(book, prose, sentence, before..first)
    {
        let (name, literals) = (prose.condensed(answered.clone()), prose.literals(answered.clone()));
        return book.name(first, name.trim_end_matches('.'), prose.span(&answered), literals);
    }
    let above = || {
        named_above(prose, sentence)
            .or_else(|| subject_above(prose, sentence))
            .or_else(|| code_told_of(prose, sentence).filter(|_| book.drafts.len() == first + 1))
    };
    let opens = first == before || first == before + 1 && is_use_case(all);
    let name = opens.then(above).flatten();
    if let Some(name) = name.or_else(|| subject_of_modal(prose, sentence).filter(|_| first > before)) {
        book.name(first, &prose.condensed(name.clone()), prose.span(&name), prose.literals(name));
    }
}

/// `The last watch ends otherwise.` in front of `Instead, write the log.`: what `instead` answers, where it is no norm itself.
fn told_before(
    book: &Book<'_>,
    prose: &Prose<'_>,
    sentence: &Range<usize>,
    norms: Range<usize>,
) -> Option<Range<usize>> {
    const LONGEST: usize = 20;
    let told = sentences_back(&prose.words[..sentence.start]).next().filter(|told| told.len() <= LONGEST)?;
    let span = prose.span(&told);
    let normed = book.drafts[norms].iter().flat_map(|norm| &norm.spans);
    let normed = normed.filter(|own| own.start < span.end && span.start < own.end).count() > 0;
    let orders = matches!(mood_of(&prose.words[told.clone()]).mood, Mood::Order(..));
    (!normed && !orders).then_some(told)
}

/// `Detect and avoid loops`: a verb that takes its object from the half behind it.
fn join_bare_verb(words: &[Word], found: &mut Vec<Clause>) {
    let [first, second, ..] = &found[..] else { return };
    let ordered = |clause: &Clause| matches!(clause.mood, Mood::Order(..));
    let (start, end) = (first.words.start, second.words.end);
    let joined = matches!(&words[start..end], [verb, and, avoid, ..] if verb.kind == WordKind::Plain && and.is("and") && avoid.is("avoid"));
    // `Trim — fine turns of the sheet`: the verb says nothing without what stands behind the dash.
    let named = matches!(&words[first.words.clone()], [verb, dash] if verb.kind == WordKind::Plain && dash.mark("—"))
        && (second.mood == Mood::Fragment || opens_as_order(&words[second.words.clone()]));
    // `Sound often — 3-4 casts an hour keep you off the rocks`
    let counted = words[first.words.end - 1].mark("—")
        && words[second.words.start].lower.starts_with(|c: char| c.is_ascii_digit())
        && !matches!(second.mood, Mood::Order(..));
    if ordered(first) && (joined && ordered(second) || (named || counted) && found.len() == 2) {
        found[0].words.end = end;
        found.remove(1);
    }
}

/// `**Test ropes in the dry** - Use a rack`: what the order is about, though its verb may be a noun.
fn keep_label(prose: &Prose<'_>, found: &mut Vec<Clause>) {
    const LONGEST: usize = 7;
    let [first, second] = &found[..] else { return };
    let Some(end) = first.words.end.checked_sub(1) else { return };
    let name = first.words.start..end;
    let dash = prose.words[end].mark("—");
    let named = (2..=LONGEST).contains(&name.len()) && dash && styled(prose, &name);
    let told = matches!(first.mood, Mood::Statement | Mood::Fragment);
    let ordered = matches!(second.mood, Mood::Order(level, _) if !level.is_prohibition());
    if named && told && ordered {
        found[1].words.start = first.words.start;
        found.remove(0);
    }
}

/// `Post fresh notes of the trip`: a verb that is as often a noun, in front of several words.
fn opens_as_order(words: &[Word]) -> bool {
    const LONGEST: usize = 14;
    words.first().is_some_and(|first| is_verb(&first.lower) && first.capital) && words.len() <= LONGEST
}

/// Adds a sentence as one order.
pub(super) fn add_whole(book: &mut Book<'_>, prose: &Prose<'_>, sentence: &Range<usize>, here: &Setting) {
    let text = prose.condensed(sentence.clone());
    book.add(draft_of(prose, sentence.clone(), text, (Level::Must, Force::Implied), here, sentence));
}

/// `Required: a log`: adds what a label binds that says so; false where the sentence has a force of its own.
fn bound_by_label(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    (sentence, body): (&Range<usize>, &Range<usize>),
    (level, found): (Level, &mut [Clause]),
    here: &Setting,
) -> bool {
    if found.iter().any(|clause| matches!(clause.mood, Mood::Order(_, Force::Explicit))) {
        // `Fixed lamps: one height, NO coloured glass`: what turns the label round needs it.
        let turns = |clause: &Clause| matches!(clause.mood, Mood::Order(own, _) if own.is_prohibition());
        if !level.is_prohibition() && found.iter().any(turns) && found[0].words.start == body.start {
            found[0].words.start = sentence.start;
        }
        return false;
    }
    let text = prose.condensed(sentence.clone());
    let topic = topic::of_bound(book, &prose.words[sentence.start..body.start], here);
    let text = topic.map_or_else(|| text.clone(), |topic| format!("{topic}: {text}"));
    book.add(draft_of(prose, sentence.clone(), text, (level, Force::Implied), here, sentence));
    true
}

/// `SOUND: No leaks, lamps lit`: the name of a grade, and what is so of whatever has it; nothing is forbidden there.
fn rates(prose: &Prose<'_>, sentence: &Range<usize>, body: &Range<usize>, found: &mut [Clause]) {
    const SPOKEN: &[&str] = &[
        "note",
        "important",
        "warning",
        "critical",
        "caution",
        "rule",
        "rules",
        "never",
        "forbidden",
        "danger",
        "must",
        "mandatory",
        "required",
        "always",
        "stop",
    ];
    let words = &prose.words;
    let mut name = words[sentence.start..body.start].iter().filter(|word| word.kind == WordKind::Plain);
    let capitals = |name: &Word| {
        let written = &prose.text.as_str()[name.range.clone()];
        written.len() > 3 && written.chars().all(char::is_uppercase) && !name.any(SPOKEN)
    };
    let graded = name.next().is_some_and(capitals) && name.next().is_none();
    let none = words.get(body.start).is_some_and(|first| first.is("no")) && body.len() > 3;
    if let Some(first) = found.first_mut().filter(|_| graded && none) {
        first.mood = Mood::Order(Level::Must, Force::Implied);
    }
}

/// `STALE_LOCK: The worker holds an old lock.`, `late — the reply comes after the deadline`: what stands right behind the name of a case
/// says what the case is, though it reads as if it told a rule.
fn describes_case(prose: &Prose<'_>, sentence: &Range<usize>, found: &mut [Clause]) {
    let [first, ..] = found else { return };
    let Some(name) =
        case_named(prose, sentence).filter(|_| matches!(first.mood, Mood::Order(_, Force::Implied)))
    else {
        return;
    };
    let body = first.words.start.max(name.end + 1)..first.words.end;
    if body.is_empty() || first.words.start > name.end + 1 {
        return;
    }
    let said = &prose.words[body];
    let orders = matches!(mood_of(said).mood, Mood::Order(..));
    if !orders && told(said).is_some() {
        first.mood = Mood::Statement;
    }
}

/// Verbs in front of a colon that take what is listed behind it, though they may be nouns.
const GIVING: &[&str] = &[
    "report", "capture", "record", "collect", "gather", "note", "list", "show", "display", "output",
    "return", "print", "log", "extract", "track", "include", "state", "document", "provide", "read", "load",
];

/// `Always in sight` behind a label: how what it names is kept. `Always active` and `Always carries guests` tell.
fn kept_always(words: &[Word]) -> bool {
    const TOLD: &[&str] = &["active", "on", "available", "enabled", "running", "true", "false", "present"];
    let [always, kept, ..] = words else { return false };
    let acts = kept.lower.ends_with('s') && !kept.lower.ends_with("ss");
    always.capital && always.is("always") && kept.kind == WordKind::Plain && !acts && !kept.any(TOLD)
}

/// A sentence `Topic: …`: the topic goes into its norm; a question or a name after it is what to check or to give.
pub(super) fn topic(found: &mut [Clause], sentence: &Range<usize>, all: &[Word], fresh: bool) {
    if let Some(first) = found.first_mut() {
        let always = first.mood == Mood::Fragment
            && all.get(first.words.start.saturating_sub(sentence.start)..).is_some_and(kept_always);
        first.words.start = sentence.start;
        let check = first.mood == Mood::Question && asks(all);
        // `Every round, either way: the implementer fixes it.`
        let told = matches!(first.mood, Mood::Statement | Mood::Fragment);
        // `Each leak: +3 points`
        let counts = |word: &Word| {
            word.lower.starts_with(['+', '-']) && word.lower.contains(|c: char| c.is_ascii_digit())
        };
        let each = told
            && all[0].any(&["each", "every"])
            && (all.get(1).is_some_and(|word| word.among(MADE)) || all.iter().any(counts));
        let lists = told && all[0].any(GIVING) && all.iter().any(|word| word.mark(","));
        let lone = all.get(1).is_some_and(|colon| colon.mark(":"));
        if check || each || always || lists && lone || (fresh && !matches!(first.mood, Mood::Order(..))) {
            first.mood = Mood::Order(Level::Must, Force::Implied);
        }
    }
}

/// A clause that orders nothing: alone in its sentence, or right behind a norm.
fn orders_nothing(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    clause: &Clause,
    (alone, behind): (bool, bool),
    (here, sentence): (&Setting, &Range<usize>),
) {
    let words = &clause.words;
    let tells = clause.mood == Mood::Statement || clause.mood == Mood::Fragment && alone;
    if tells && warns(book, prose, clause, here, sentence) {
        return;
    }
    if behind && is_rest(&prose.words[words.clone()]) {
        return book.leave_out(&prose.condensed(words.clone()), prose.span(words));
    }
    if behind && is_done_by(&prose.words[words.clone()]) {
        book.go_on(&prose.condensed(words.clone()), prose.span(words), prose.literals(words.clone()));
        return;
    }
    if alone && denied_in_brackets(prose, clause, here) {
        let text = prose.condensed(words.clone());
        let force = (Level::MustNot, Force::Explicit);
        book.add(draft_of(prose, words.clone(), text, force, here, sentence));
        return;
    }
    let reason = if alone { OmissionReason::Description } else { OmissionReason::Rationale };
    book.omit(prose.span(words), reason);
}

/// Turns clauses into norms and omissions.
pub(crate) fn write_clauses(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    sentence: &Range<usize>,
    found: &[Clause],
    here: &Setting,
) {
    let told = told_condition(prose, found.first());
    let leading = leading_condition(prose, found, told.as_ref());
    let (mut added, mut spoken_of) = (None, None);
    for (at, clause) in found.iter().enumerate() {
        if at > 0 && added == Some(at - 1) && exempts_before(book, prose, clause, here) {
            continue;
        }
        let Some((level, force)) = ordered(prose, clause, here.section) else {
            let behind = at > 0 && added == Some(at - 1);
            // `Verify: the log is open; the chart exists`
            if behind && clause.mood == Mood::Statement && checks(&prose.words[sentence.clone()]) {
                let (span, literals) = (prose.span(&clause.words), prose.literals(clause.words.clone()));
                book.go_on_in_sentence(&prose.condensed(clause.words.clone()), span, literals);
                added = Some(at);
                continue;
            }
            let place = (at == 0 && found.len() == 1, behind);
            orders_nothing(book, prose, clause, place, (here, sentence));
            continue;
        };
        if at > 0 && added == Some(at - 1) && looked_for(book, prose, found, at) {
            added = Some(at);
            continue;
        }
        let level = advised(&prose.words[clause.words.clone()], (level, force), here.section);
        if level == Level::May && permits_all_but(book, prose, clause, force, (here, sentence)) {
            added = Some(at);
            continue;
        }
        let (level, force) = bounded(prose, clause, (level, force));
        if at > 0 && level == Level::May && excepts_before(prose, &found[at - 1], clause) {
            let (span, literals) = (prose.span(&clause.words), prose.literals(clause.words.clone()));
            if book.except(&prose.lowered(clause.words.clone()), span, literals, here) {
                continue;
            }
        }
        let mut text = clause_text(prose, found, at);
        let mut words = clause.words.clone();
        // `If it names your plan, tasks that are done stay so — do not run them again`.
        let waiting = told.is_some() && at == 1 && points(&prose.words[clause.words.clone()]);
        let rests = rests_on(prose, found, at).filter(|_| leading.is_none() || waiting);
        let says_case = waiting && rests.is_some();
        if let Some(before) = &rests {
            if level.is_prohibition() && demands_apart(book, prose, before, here, sentence) {
                text = under_subject(prose, before, text);
            } else {
                words.start = before.start;
                text = prose.condensed(words.clone());
            }
        }
        text = worded_alone(prose, sentence, (found, at), text);
        let mut turned = turned(prose, sentence, &clause.words, level);
        // `If the survey fails (no lead line), go on`: what stands in the case tells of it.
        turned.retain(|bracket| clause.condition.as_ref().is_none_or(|case| bracket.words.start >= case.end));
        text = turned.iter().fold(text, |text, bracket| without(prose, text, &bracket.words));
        let mut condition = clause.condition.clone().map(|words| prose.condensed(words));
        let case = || case_behind(prose, sentence, &clause.words, leading.as_ref());
        if let Some(case) = case().filter(|_| clause.condition.is_none() && at > 0) {
            text = if says_case { text } else { under_case(&case, &text) };
            condition = Some(case);
        }
        if level.is_prohibition() && condition.is_none() && at == 0 && clause.words.len() <= 4 {
            text = under_parent(book, here).map_or(text.clone(), |head| format!("{head}: {text}"));
        }
        let opens = at == 0 && sentence.start == 0;
        let binds = at == 0 && !opens && force == Force::Explicit && level != Level::May;
        let named = named_by_dash(prose, sentence).filter(|name| at > 0 && name.end < clause.words.start);
        let named = named.filter(|_| level.is_prohibition() && clause.condition.is_none());
        text = named.map_or(text.clone(), |name| under_name(&prose.condensed(name), &text));
        let meant = match binds {
            true => meant(prose, sentence, clause),
            false if at == 0 && !opens => told_of(prose, sentence, clause),
            // `Extend it, don't replace it`.
            false => taken_on(prose, found, at)
                .or_else(|| spoken_of.clone().filter(|_| points_back(prose, clause))),
        };
        spoken_of = spoken_of.or_else(|| meant.clone());
        let name = meant.as_ref().map(|meant| prose.condensed(meant.clone()));
        // `rather than rename file: only update its content` names it already.
        let name = name.filter(|name| !(replaces(&text) && text.contains(name.as_str())));
        text = name.map_or(text.clone(), |name| under_name(&name, &text));
        let alone = at == 0 && found.len() == 1 && level.is_prohibition();
        text = with_topic(book, prose, (sentence, clause), text, (alone, opens), here);
        text = with_label(prose, sentence, text, level, (at, added.is_some()));
        let mut draft = draft_of(prose, words, text, (level, force), here, sentence);
        if let Some(meant) = meant {
            draft.spans.push(prose.span(&meant));
            draft.literals.extend(prose.literals(meant));
        }
        if at > 0 {
            // A rest such as `never by Y` stands on its line with what it is set against.
            draft.literals.extend(prose.literals(found[at - 1].words.clone()));
        }
        if condition.is_some() && clause.condition.is_none() {
            draft.spans.extend(told.iter().map(|_| prose.span(&found[0].words)));
        }
        draft.condition = both(draft.condition, condition);
        let condition = draft.condition.clone();
        if added.is_some() {
            book.take_in(&mut draft);
        }
        book.take_back(&mut draft);
        book.add(draft);
        added = Some(at);
        add_turned(book, prose, turned, condition.as_ref(), here, sentence);
    }
}

/// `Verify: …`, `3. Confirm that …`: whether a sentence says what has to be so.
fn checks(sentence: &[Word]) -> bool {
    let verb = sentence.iter().find(|word| word.kind == WordKind::Plain);
    let parted = sentence.iter().any(|word| word.mark(";"));
    parted && verb.is_some_and(|verb| verb.capital && verb.any(&["verify", "confirm", "ensure", "validate"]))
}

/// `no crates off deck` of `Verify the deck — no crates off deck, no loose ropes`: adds what is looked for; false for any other clause.
fn looked_for(book: &mut Book<'_>, prose: &Prose<'_>, found: &[Clause], at: usize) -> bool {
    const LOOKING: &[&str] = &["verify", "confirm", "check", "validate"];
    let (front, clause) = (&prose.words[found[at - 1].words.clone()], &found[at].words);
    let looks = front.iter().find(|word| word.kind == WordKind::Plain).is_some_and(|verb| verb.any(LOOKING));
    let said = &prose.words[clause.clone()];
    let parted = prose.words[clause.start - 1].mark("—") || prose.words[clause.start - 1].mark(":");
    let names = looks && parted && said[0].is("no") && !has_finite(said);
    if names {
        let (text, literals) = (prose.condensed(clause.clone()), prose.literals(clause.clone()));
        book.detail(book.drafts.len() - 1, &text, prose.span(clause), literals);
    }
    names
}

/// `You may push but not merge`: two rules; false for any other permission.
fn permits_all_but(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    clause: &Clause,
    force: Force,
    (here, sentence): (&Setting, &Range<usize>),
) -> bool {
    let Some((head, rest)) = all_but(prose, &clause.words) else { return false };
    let (permitted, denied) = ((Level::May, force), (Level::MustNot, Force::Explicit));
    for (text, force) in [(prose.condensed(head), permitted), (rest, denied)] {
        let mut draft = draft_of(prose, clause.words.clone(), text, force, here, sentence);
        let own = clause.condition.clone().map(|words| prose.condensed(words));
        draft.condition = both(draft.condition, own);
        book.add(draft);
    }
    true
}

/// The head of the item that a short ban stands under.
fn under_parent(book: &Book<'_>, here: &Setting) -> Option<String> {
    here.parent.and_then(|parent| book.drafts.get(parent)).map(Draft::head)
}

/// Adds the brackets that turn a clause, under its condition.
fn add_turned(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    turned: Vec<Turned>,
    condition: Option<&String>,
    here: &Setting,
    sentence: &Range<usize>,
) {
    for bracket in turned {
        let force = (bracket.level, Force::Explicit);
        // `never a note` of `For lost ropes, write a log (never a note)`
        let text = match condition {
            Some(case) if !bracket.text.starts_with(case.as_str()) => format!("{case}: {}", bracket.text),
            _ => bracket.text,
        };
        let draft = draft_of(prose, bracket.words, text, force, here, sentence);
        book.add(Draft { condition: draft.condition.or_else(|| condition.cloned()), ..draft });
    }
}

/// `Never merge alone; hotfixes are the exception`, `…, but FFI code may`, `Sign each tag; bots don't`: joined to the rule in front of it.
fn exempts_before(book: &mut Book<'_>, prose: &Prose<'_>, clause: &Clause, here: &Setting) -> bool {
    let Some(forbidden) = book.drafts.last().map(|last| last.level.is_prohibition()) else { return false };
    if only_contrasts(prose, clause) {
        return false;
    }
    let exempt = (if forbidden { may_there(&prose.words, &clause.words) } else { None })
        .or_else(|| waived(prose, &clause.words, forbidden))
        .or_else(|| {
            excused(prose, &clause.words).filter(|exempt| forbidden || exempt.end < clause.words.end - 1)
        });
    let Some(exempt) = exempt else { return false };
    book.except(&prose.lowered(exempt), prose.span(&clause.words), prose.literals(clause.words.clone()), here)
}

/// `the story doesn't` of `Say that it goes on — the book stops; the story doesn't`: both halves behind the dash tell.
fn only_contrasts(prose: &Prose<'_>, clause: &Clause) -> bool {
    let before = ..clause.words.start.saturating_sub(1);
    let dash = prose.words[before].iter().rposition(|word| word.mark("—") || word.mark("."));
    let Some(dash) = dash.filter(|&dash| prose.words[dash].mark("—")) else { return false };
    let told = &prose.words[dash + 1..clause.words.start - 1];
    let article = |words: &[Word]| words.first().is_some_and(|first| first.is("the"));
    article(told)
        && article(&prose.words[clause.words.clone()])
        && !told.iter().any(|word| word.mark(","))
        && !matches!(mood_of(told).mood, Mood::Order(..))
}

/// What a clause orders. `Each node is visited` under `How it works` only tells.
fn ordered(prose: &Prose<'_>, clause: &Clause, section: Stance) -> Option<(Level, Force)> {
    let Mood::Order(level, force) = clause.mood else { return None };
    let of_each = section == Stance::Describe
        && force == Force::Implied
        && (prose.words[clause.words.start].any(&["each", "every"])
            || told(&prose.words[clause.words.clone()]).is_some());
    let arrow = || prose.words[clause.words.clone()].iter().position(|word| word.mark("→"));
    // `Input → parser`.
    let leads = section == Stance::Describe
        && force == Force::Implied
        && arrow().is_some_and(|at| {
            let rest = clause.words.start + at + 1..clause.words.end;
            !rest.is_empty() && matches!(mood_of(&prose.words[rest]).mood, Mood::Fragment)
        });
    (!of_each && !leads && !presents(prose, clause)).then_some((level, force))
}

/// `You are an editor. You write posts and plan campaigns`: it says who reads, not what to do.
fn presents(prose: &Prose<'_>, clause: &Clause) -> bool {
    let words = &prose.words;
    let [you, are, ..] = &words[..] else { return false };
    let role = you.is("you") && are.is("are") && clause.words.start > 0;
    role && words[clause.words.start].is("you") && told(&words[clause.words.clone()]).is_some()
}

/// `You may edit anything except X` forbids X. `Chart: Optional sheet (coast only)` bounds nothing: it says what may be given.
fn bounded(prose: &Prose<'_>, clause: &Clause, (level, force): (Level, Force)) -> (Level, Force) {
    let words = &prose.words[clause.words.clone()];
    let body = words.iter().position(|word| word.mark(":")).map_or(0, |colon| colon + 1);
    let binds = level == Level::May && !tells_optional(&words[body..]) && bounds(words);
    if binds { (Level::Must, Force::Explicit) } else { (level, force) }
}

/// An order under `Tips` is advice, unless it says `must` itself.
fn advised(words: &[Word], (level, force): (Level, Force), section: Stance) -> Level {
    let binds = || words.iter().any(|word| word.any(&["must", "shall", "mandatory"]));
    match (level, force, section) {
        (Level::Must, Force::Implied, Stance::Advise) if !binds() => Level::Should,
        (level, _, _) => level,
    }
}
