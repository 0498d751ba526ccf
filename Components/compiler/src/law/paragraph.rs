//! Running text: its sentences, and the one that leads in what follows.

use std::ops::Range;

use mentci_authority::{Force, Level, OmissionReason};
use mentci_reader::markdown::RichText;
use mentci_source::Span;

use super::bare_item::bare;
use super::caption::{Caption, end_cases, opens_strong};
use super::chain::{Chain, capital, case_of, exclude_each_other};
use super::composed::{both, draft_of};
use super::done_with;
use super::draft::Book;
use super::follow::answered;
use super::forbidden::forbidden;
use super::heading::glosses_tool;
use super::headline::headline;
use super::kinds::completes_with_kinds;
use super::lead_in::{bare_lead, is_lead, lead_in, uses_for};
use super::norm::read_sentence;
use super::samples::among_examples;
use super::setting::{Below, LeadIn, Setting};
use super::speech::guard::{plain_in, plain_of};
use super::speech::label::{Label, label};
use super::speech::lead::{Lead, orders_openly};
use super::speech::leniency::LEAVING;
use super::speech::lexicon::{DETERMINERS, is_nounish, is_verb};
use super::speech::mood::{IMPERATIVE, Mood, mood_of};
use super::speech::prose::Prose;
use super::speech::sentence::{is_cross, is_lone_tag, is_verdict, split_sentences};
use super::speech::stance::Stance;
use super::speech::word::{Word, WordKind};
use super::stem::{refusing_heading, stem};
use super::trigger::{heads_triggers, is_trigger};
use super::waiting::waits_for;

pub(crate) fn paragraph(book: &mut Book<'_>, text: &RichText, here: &mut Setting, leads: bool) {
    let prose = Prose::new(text);
    if is_code(text) {
        here.pass();
        return book.omit(prose.span(&(0..prose.words.len())), OmissionReason::Code);
    }
    let sentences = split_sentences(&prose.words);
    let carried = here.lead.take();
    here.above = 0..0;
    let in_example = matches!(&carried, Some(LeadIn { lead: Lead::Stance(Stance::Example, _), .. }));
    if !in_example && here.section == Stance::Example && carried.is_none() {
        here.lead = among_examples(book, &prose, &sentences, here, leads);
        return;
    }
    if in_example {
        book.omit(prose.span(&(0..prose.words.len())), OmissionReason::Example);
        let goes_on = is_lead(&prose, sentences.last(), &sentences, leads);
        here.lead = carried.filter(|_| goes_on);
        return;
    }
    let kinds = completes_with_kinds(book, &prose, carried.as_ref());
    if kinds || quoted(book, &prose, carried.as_ref()) || short(book, &prose, &sentences, here) {
        here.lead = carried.filter(|_| kinds);
        return;
    }
    let Some(sentences) = behind_triggers(book, &prose, sentences, here) else {
        here.lead = leads.then(|| bare_lead(Lead::Stance(Stance::Describe, None)));
        return;
    };
    let strong = carried.is_none() && here.conditions.len() > here.inherited && opens_strong(book, &prose);
    if strong {
        end_cases(book, here, true, false);
    }
    let instead = end_rivals(&prose, &sentences, here);
    let above = here.conditions.len();
    if let Some(carried) = &carried {
        here.under(carried);
    }
    let named = names_bad_things(book, &prose, &sentences);
    let before = book.drafts.len();
    let bad = matches!(here.section, Stance::Mistakes | Stance::Forbid | Stance::Discourage);
    let caption = Caption::of(&prose, &sentences).filter(|caption| !(bad && caption.is_whole()));
    let mut chain = Chain::default();
    let mut sentences_left = sentences.iter().enumerate().peekable();
    while let Some((at, sentence)) = sentences_left.next() {
        if answer(book, &prose, sentence, sentences.get(at + 1), here) {
            sentences_left.next();
            continue;
        }
        if at == 0 && answers_heading(book, &prose, sentence, here) {
            continue;
        }
        if at == 0 && Caption::labels(caption.as_ref(), book, (&prose, sentence), here) {
            continue;
        }
        if is_lone_tag(&prose.words[sentence.clone()]) {
            book.omit(prose.span(sentence), OmissionReason::Comment);
            continue;
        }
        let last = at + 1 == sentences.len();
        let is_lead = last && leads_on(&prose, sentence, &sentences, leads, here);
        if let Some(condition) = waits_for(&prose, sentence, &sentences[at + 1..]).filter(|_| !is_lead) {
            chain.wait(&prose, sentence, condition);
            continue;
        }
        Caption::before(caption.as_ref(), at, &prose, sentence, here);
        let first = book.drafts.len() == before;
        let mut sentence = sentence.clone();
        let entered = chain.enter(&prose, &mut sentence, here);
        let sentence = &sentence;
        if is_lead {
            let case = || caption.as_ref().filter(|_| at > 0).and_then(Caption::case);
            let when = || chain.condition().filter(|_| entered > 0).or_else(case);
            let lead = lead_below(book, &prose, sentence, (carried.as_ref(), when), here);
            here.lead = Some(in_full(book, &chain, lead, here));
        } else if let Some(stance) =
            named.or_else(|| forbidding(book, &prose, sentence, carried.as_ref(), here))
        {
            forbidden(book, &prose, sentence.clone(), here, stance);
        } else if let Some((level, lead)) = refused(book, &prose, sentence, here) {
            stem(book, &prose, sentence.clone(), here, (level, &lead.text, lead.span));
        } else if let Some(level) = bound_by_place(book, &prose, sentence, here).filter(|_| at == 0) {
            bare(book, &prose, sentence, (level, None), here);
        } else {
            read_sentence(book, &prose, sentence.clone(), here, before);
        }
        here.conditions.truncate(here.conditions.len() - entered);
        if !last {
            chain.pass(&prose, sentence, entered, first);
        }
        Caption::behind(caption.as_ref(), at, book.drafts.len() > before, here);
    }
    Caption::leave(caption.as_ref(), here);
    end(book, (&prose, &sentences), (before, above, strong), carried.as_ref(), here);
    here.conditions.extend(instead);
}

/// `If the mode is slow, …` ends what stands below `**If the mode is quick**:`, and what comes then stands below it.
fn end_rivals(prose: &Prose<'_>, sentences: &[Range<usize>], here: &mut Setting) -> Option<(String, Span)> {
    let own = here.inherited.min(here.conditions.len());
    if here.conditions.len() == own {
        return None;
    }
    let first = sentences.first()?;
    let case = case_of(&prose.words[first.clone()])?;
    let case = first.start + case.start..first.start + case.end;
    let said = prose.condensed(case.clone());
    let rival = here.conditions[own..].iter().position(|(known, _)| exclude_each_other(known, &said))?;
    here.conditions.truncate(own + rival);
    Some((capital(&said), prose.span(&case)))
}

/// What a paragraph leaves behind it: `before` so many norms, and `above` so many conditions.
fn end(
    book: &mut Book<'_>,
    (prose, sentences): (&Prose<'_>, &[Range<usize>]),
    (before, above, strong): (usize, usize, bool),
    carried: Option<&LeadIn>,
    here: &mut Setting,
) {
    name_object(book, prose, sentences, (before, carried.is_none()), here);
    here.above = before..book.drafts.len();
    let only_label = sentences.len() == 1 && here.lead.as_ref().is_some_and(|lead| lead.draft.is_none());
    here.after_order = book.drafts.len() > before || (only_label && here.after_order);
    here.enumerates =
        here.enumerates.or_else(|| carried.and_then(done_with::enumerates)).filter(|_| only_label);
    let conditional = || here.lead.as_ref().is_some_and(|lead| lead.lead == Lead::Condition);
    if here.lead.is_none() {
        here.conditions.truncate(above);
    } else if only_label && carried.is_none() && conditional() {
        end_cases(book, here, strong, true);
    }
}

/// `Prefix with the berth's number` right under `Cargo labels`: the heading names what the order says nothing of.
fn name_object(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    sentences: &[Range<usize>],
    (before, free): (usize, bool),
    here: &Setting,
) {
    const TRANSITIVE: &[&str] = &[
        "use",
        "prefix",
        "suffix",
        "apply",
        "name",
        "wrap",
        "format",
        "declare",
        "define",
        "implement",
        "place",
    ];
    const BEHIND: &[&str] = &["with", "for", "as", "when", "only", "before", "after", "sparingly", "to"];
    const LONGEST: usize = 5;
    let Some(heading) = here.heading.map(|heading| &book.headings[heading]) else { return };
    let (Some(first), Some(draft)) = (sentences.first(), book.drafts.get(before)) else { return };
    let lone = prose.words[first.clone()].split_first().is_some_and(|(verb, rest)| {
        // `Treat this as a hard gate`
        let this = verb.is("treat") && rest.first().is_some_and(|this| this.any(&["this", "it"]));
        this || verb.any(TRANSITIVE) && rest.first().is_some_and(|next| next.any(BEHIND))
    });
    let own = prose.span(first);
    let begins = draft.spans.first().is_some_and(|span| own.start <= span.start && span.end <= own.end);
    let end = heading.span.end.min(own.start);
    let fresh = book.source.slice(Span { start: end, end: own.start }).trim().is_empty();
    let named = (1..=LONGEST).contains(&heading.text.split_whitespace().count())
        && !draft.text.starts_with(&heading.text)
        && !is_trigger(&heading.text)
        && matches!(here.section, Stance::Neutral | Stance::Order | Stance::Advise);
    if free && fresh && lone && begins && named && mood_of(&prose.words[first.clone()]).mood == IMPERATIVE {
        let (name, span) = (heading.text.clone(), heading.span);
        book.name(before, &name, span, Vec::new());
    }
}

/// `Otherwise:`, with the case that it is the other of.
fn in_full(book: &Book<'_>, chain: &Chain, lead: LeadIn, here: &Setting) -> LeadIn {
    let last = || book.drafts.last().filter(|last| last.heading == here.heading)?.condition.clone();
    match chain.other_case(&lead, last) {
        Some(text) => LeadIn { text, ..lead },
        None => lead,
    }
}

/// What a sentence lends to what stands below. Under `Guidelines by page:`, what stands under `*Cover:*` is a rule for the cover.
fn lead_below(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    sentence: &Range<usize>,
    (carried, when): (Option<&LeadIn>, impl Fn() -> Option<String>),
    here: &Setting,
) -> LeadIn {
    let mut lead = lead_in(book, prose, sentence.clone(), here);
    if lead.condition().is_none() {
        lead.when = when();
    }
    let named = lead.draft.is_none() && lead.lead == Lead::Stance(Stance::Neutral, None);
    if named && carried.is_some_and(guides) {
        let label = lead.text.trim_end_matches([':', ' ']).to_owned();
        lead.lead = Lead::Stance(Stance::Order, Some(label));
    }
    lead
}

/// Whether the last sentence leads in what stands below, and is not whole without it.
fn leads_on(
    prose: &Prose<'_>,
    sentence: &Range<usize>,
    sentences: &[Range<usize>],
    leads: bool,
    here: &Setting,
) -> bool {
    let whole = || here.beside.below == Below::Text && orders_openly(&prose.words[sentence.clone()]);
    is_lead(prose, Some(sentence), sentences, leads) && !whole()
}

/// `Guidelines by section:` above labels, each with a list of its own.
fn guides(lead: &LeadIn) -> bool {
    let lower = lead.text.to_lowercase();
    lead.draft.is_none()
        && matches!(lead.lead, Lead::Stance(Stance::Neutral | Stance::Order, _))
        && plain_in(&lower).iter().any(|word| matches!(*word, "guidelines" | "rules" | "requirements"))
}

/// `` `[<deck>] <what was done>` `` alone under `Title format`: what such a thing looks like.
fn formats(book: &mut Book<'_>, prose: &Prose<'_>, here: &Setting) -> bool {
    const FORMS: &[&str] = &["format", "pattern", "syntax", "convention", "template", "scheme"];
    let [code] = &prose.words[..] else { return false };
    let Some(heading) = here.heading.map(|heading| book.headings[heading].text.clone()) else { return false };
    let lower = heading.to_lowercase();
    let named = plain_in(&lower);
    let formed = named.len() > 1 && named.last().is_some_and(|last| FORMS.contains(last));
    if code.kind != WordKind::Code || !formed || !matches!(here.section, Stance::Neutral | Stance::Order) {
        return false;
    }
    let all = 0..1;
    let text = format!("{heading}: {}", prose.verbatim(all.clone()));
    book.add(draft_of(prose, all.clone(), text, (Level::Must, Force::Implied), here, &all));
    true
}

/// `Use this when …` under a heading that says when the skill applies; `Use **towing** instead when …` says what else to use.
fn triggers(book: &Book<'_>, prose: &Prose<'_>, here: &Setting) -> bool {
    const OPENING: &[&str] = &["use", "this", "when", "trigger", "apply", "invoke", "load", "activate"];
    const FARTHEST_INSTEAD: usize = 6;
    here.heading.is_some_and(|heading| heads_triggers(book, heading))
        && prose.words.first().is_some_and(|word| word.any(OPENING))
        // `Use only for long tows` bars the others.
        && !prose.words.get(1).is_some_and(|only| only.is("only"))
        && !uses_for(&plain_of(&prose.words))
        && !prose.words.iter().take(FARTHEST_INSTEAD).any(|word| word.is("instead"))
}

/// The sentences of a paragraph behind those that say when the skill applies; none where all of them do.
fn behind_triggers(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    mut sentences: Vec<Range<usize>>,
    here: &Setting,
) -> Option<Vec<Range<usize>>> {
    if !triggers(book, prose, here) {
        return Some(sentences);
    }
    let acts = sentences.iter().position(|sentence| acts_apart(&prose.words[sentence.clone()]));
    let end = acts.map_or(prose.words.len(), |acts| sentences[acts].start);
    book.omit(prose.span(&(0..end)), OmissionReason::Description);
    sentences.drain(..acts?);
    Some(sentences)
}

/// `Read the log before you sail.` behind `Use for long voyages.`: what is done, whatever the skill is for.
fn acts_apart(words: &[Word]) -> bool {
    const TAKING_UP: &[&str] = &[
        "use", "using", "used", "trigger", "apply", "invoke", "load", "activate", "skill", "reach", "skip",
        "prefer",
    ];
    mood_of(words).mood == IMPERATIVE
        && mood_of(words).main == 0
        && !words.iter().any(|word| word.any(TAKING_UP))
}

/// How the first sentence of a paragraph binds by where it stands.
fn bound_by_place(
    book: &Book<'_>,
    prose: &Prose<'_>,
    sentence: &Range<usize>,
    here: &Setting,
) -> Option<Level> {
    specifies_name(book, prose, sentence, here)
        .then_some(Level::Must)
        .or_else(|| headline(prose, sentence, here))
}

/// `` `notes.md` — lower case, at the root `` under `File naming`: what such a thing is called, and where it stands.
fn specifies_name(book: &Book<'_>, prose: &Prose<'_>, sentence: &Range<usize>, here: &Setting) -> bool {
    const NAMING: &[&str] = &["naming", "name", "names", "format", "location", "locations", "path", "paths"];
    let words = &prose.words[sentence.clone()];
    if words[0].kind != WordKind::Code || !words.iter().any(|word| word.mark("—") || word.mark(":")) {
        return false;
    }
    let heading = here.heading.map(|heading| book.headings[heading].text.to_lowercase());
    let named = heading
        .is_some_and(|text| text.split(|c: char| !c.is_alphanumeric()).any(|word| NAMING.contains(&word)));
    named && mood_of(words).mood == Mood::Fragment
}

/// `expect(sum).toBe(3); });`: code outside a fence, as where a blank line in it ends the tag that it stands in.
fn is_code(text: &RichText) -> bool {
    let said = text.as_str().trim_end();
    let ends = [");", "};", "})", "}"].iter().any(|end| said.ends_with(end));
    // `(see the log);` has white space in front of its bracket.
    let calls = |at: usize| said[..at].ends_with(char::is_alphanumeric);
    ends && said.contains(");")
        && said.match_indices('(').any(|(at, _)| calls(at))
        && !text.runs().iter().any(|run| run.style.code)
}

/// A paragraph that opens with a quotation: it completes what leads it in, or is a sample. False when it is none.
fn quoted(book: &mut Book<'_>, prose: &Prose<'_>, carried: Option<&LeadIn>) -> bool {
    let opens = |word: &Word| word.kind == WordKind::Mark && matches!(word.lower.as_str(), "\"" | "“");
    if !prose.words.first().is_some_and(opens) {
        return false;
    }
    let all = 0..prose.words.len();
    match carried.and_then(|carried| carried.draft) {
        Some(draft) => {
            book.complete(draft, &prose.verbatim(all.clone()), prose.span(&all), prose.literals(all));
        }
        None => book.omit(prose.span(&all), OmissionReason::Example),
    }
    true
}

/// A paragraph of few words that is one norm; false for any other.
fn short(book: &mut Book<'_>, prose: &Prose<'_>, sentences: &[Range<usize>], here: &Setting) -> bool {
    formats(book, prose, here) || terse(book, prose, sentences, here)
}

/// `Look. Ask. Then steer.`: orders of a word or two, which together are one; false where it is anything else.
fn terse(book: &mut Book<'_>, prose: &Prose<'_>, sentences: &[Range<usize>], here: &Setting) -> bool {
    let order = |sentence: &Range<usize>| {
        let plain = prose.words[sentence.clone()].iter().filter(|word| word.kind != WordKind::Mark);
        let plain: Vec<&Word> = plain.collect();
        let verb = match plain[..] {
            [verb] => verb,
            [then, verb] if then.any(&["then", "and", "finally", "always"]) => verb,
            _ => return false,
        };
        is_verb(&verb.lower) && prose.words[sentence.end - 1].mark(".")
    };
    if sentences.len() < 2 || !sentences.iter().all(order) || here.section != Stance::Neutral {
        return false;
    }
    let all = 0..prose.words.len();
    let text = prose.verbatim(all.clone());
    book.add(draft_of(prose, all.clone(), text, (Level::Must, Force::Implied), here, &all));
    true
}

/// `Can I push to main? Never.`: one rule; false when the next sentence is no answer.
pub(crate) fn answer(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    question: &Range<usize>,
    answer: Option<&Range<usize>>,
    here: &Setting,
) -> bool {
    let Some(answer) = answer else { return false };
    let whole = question.start..answer.end;
    let text = prose.condensed(whole.clone());
    if here.step.is_some() && leads_to_name(prose, question, answer) {
        let mut draft = draft_of(prose, whole.clone(), text, (Level::Must, Force::Implied), here, &whole);
        draft.condition = both(draft.condition, Some(prose.condensed(question.clone())));
        book.add(draft);
        return true;
    }
    let level = answered(&prose.words[question.clone()], &prose.words[answer.clone()]);
    let Some(level) = level else { return false };
    book.add(draft_of(prose, whole.clone(), text, (level, Force::Explicit), here, &whole));
    true
}

/// `Storms with fog? → **Harbour**` among others that say what to take then.
fn leads_to_name(prose: &Prose<'_>, question: &Range<usize>, answer: &Range<usize>) -> bool {
    const LONGEST: usize = 10;
    let [arrow, named @ ..] = &prose.words[answer.clone()] else { return false };
    let asks = prose.words[question.clone()].iter().rev().find(|word| word.kind == WordKind::Mark);
    let strong = named.first().is_some_and(|first| first.kind == WordKind::Code || first.shouted);
    arrow.mark("→")
        && asks.is_some_and(|mark| mark.lower == "?")
        && (1..=LONGEST).contains(&named.len())
        && strong
        && mood_of(named).mood == Mood::Fragment
}

/// `## Can I push to main?` / `Never.`
fn answers_heading(book: &mut Book<'_>, prose: &Prose<'_>, sentence: &Range<usize>, here: &Setting) -> bool {
    if glosses_tool(book, prose, sentence, here) {
        return true;
    }
    let Some(heading) = here.heading.map(|heading| &book.headings[heading]) else { return false };
    if !heading.text.contains('?') {
        return false;
    }
    let asked = RichText::plain(&heading.text, heading.span);
    let question = Prose::new(&asked);
    let Some(level) = answered(&question.words, &prose.words[sentence.clone()]) else { return false };
    let text = format!("{} {}", heading.text, prose.condensed(sentence.clone()));
    book.add(draft_of(prose, sentence.clone(), text, (level, Force::Explicit), here, sentence));
    true
}

/// Whether a sentence of running text names what is forbidden: after a cross, under `Never:`, or under a heading that
/// forbids all that stands under it. What tells, asks, forbids by itself or says what to do instead speaks for itself.
fn forbidding(
    book: &Book<'_>,
    prose: &Prose<'_>,
    sentence: &Range<usize>,
    carried: Option<&LeadIn>,
    here: &Setting,
) -> Option<Stance> {
    let words = &prose.words[sentence.clone()];
    if words.first().is_some_and(is_cross) {
        return Some(Stance::Forbid);
    }
    // `Extract them to constants` under `No magic numbers`, `Wait until Monday` under `Do not deploy on Fridays`.
    let denied = here.heading.is_some_and(|heading| book.headings[heading].denies);
    let leaves = words.first().is_none_or(|first| first.any(LEAVING));
    let keeps = match mood_of(words).mood {
        IMPERATIVE => denied || here.beside.list,
        // `Be plain, not grand. For more, see X` behind the list under `Words to avoid`: the list says what is forbidden.
        Mood::Order(level, _) => here.beside.list && !level.is_prohibition(),
        _ => false,
    };
    if keeps && !leaves && carried.is_none() {
        return None;
    }
    let led = match carried.map(|carried| &carried.lead) {
        Some(Lead::Stance(stance @ (Stance::Forbid | Stance::Discourage), _)) => Some(*stance),
        _ => None,
    };
    let stance = led.or_else(|| book.forbids_all())?;
    let opens = words.iter().find(|word| word.kind != WordKind::Mark)?;
    let remedy =
        words.iter().any(|word| word.any(&["instead"])) || opens.any(&["always", "only", "if", "when"]);
    let named = match mood_of(words).mood {
        Mood::Order(level, Force::Implied) => !level.is_prohibition(),
        Mood::Fragment => true,
        _ => false,
    };
    (named && !remedy && !is_verdict(&words[0])).then_some(stance)
}

/// Under `Bad practices`: a paragraph that only names things, one a sentence.
fn names_bad_things(book: &Book<'_>, prose: &Prose<'_>, sentences: &[Range<usize>]) -> Option<Stance> {
    const BAD: &[&str] = &[
        "bad practice",
        "bad habit",
        "bad pattern",
        "anti-pattern",
        "antipattern",
        "anti pattern",
        "code smell",
    ];
    let heading = book.forbidding()?;
    let name = heading.text.to_lowercase();
    if !BAD.iter().any(|cue| name.contains(cue)) {
        return None;
    }
    let moods: Vec<Mood> =
        sentences.iter().map(|sentence| mood_of(&prose.words[sentence.clone()]).mood).collect();
    let marked = prose
        .words
        .iter()
        .any(|word| word.mark(":") || word.mark("—") || word.mark("→") || word.any(&["instead"]));
    let ends = prose.words.last().is_some_and(|word| word.mark("."));
    let nouns = sentences.iter().zip(&moods).all(|(sentence, mood)| match mood {
        Mood::Fragment => sentence.len() > 2,
        Mood::Order(level, Force::Implied) => {
            let first = &prose.words[sentence.start];
            !level.is_prohibition()
                && is_nounish(&first.lower)
                && prose.words.get(sentence.start + 1).is_some_and(|next| !next.among(DETERMINERS))
        }
        _ => false,
    });
    (nouns && !marked && ends && moods.contains(&Mood::Fragment)).then_some(heading.own)
}

/// Under `When NOT to use`: a sentence that names a case, or `**Shared state:** …`.
fn refused(
    book: &Book<'_>,
    prose: &Prose<'_>,
    sentence: &Range<usize>,
    here: &Setting,
) -> Option<(Level, LeadIn)> {
    let lead = refusing_heading(book, here)?;
    let Lead::Stem(level) = lead.lead else { return None };
    let named = matches!(mood_of(&prose.words[sentence.clone()]).mood, Mood::Fragment)
        || label(prose, sentence.clone()).0 == Label::Topic;
    named.then_some((level, lead))
}
