//! Lists that are one rule: what somebody is handed (`Each agent gets:`), what a good one is like (`Good tests:`), what a
//! specification names (`Dark: #141413`), and what leads where (`Status → status template`).

use std::ops::Range;

use mentci_authority::{Force, Level, OmissionReason};
use mentci_reader::markdown::{Block, BlockKind, RichText};
use mentci_source::Span;

use super::done_with;
use super::draft::{Book, Draft};
use super::fence::command_draft;
use super::handed::{Hands, handed, hands};
use super::norm::read_sentence;
use super::praise::ideal;
use super::procedure::classifies;
use super::roster;
use super::setting::{LeadIn, Setting};
use super::specified::{leading, specified};
use super::speech::condition::is_lettered;
use super::speech::imperative::imperative;
use super::speech::in_turn;
use super::speech::label::{Label, label};
use super::speech::lead::Lead;
use super::speech::lead_words::DECIDING;
use super::speech::lexicon::{DETERMINERS, is_nounish, is_verb};
use super::speech::mood::{Mood, mood_of};
use super::speech::prose::Prose;
use super::speech::sentence::is_lone_tag;
use super::speech::stance::Stance;
use super::speech::word::Word;
use super::speech::word::words_of;
use super::stem::ends_in_must;
use super::trigger::is_trigger;

/// The lead-in of a list whose items are parts of one rule; none for any other list.
pub(crate) fn of_list(book: &mut Book<'_>, list: &Block, here: &Setting) -> Option<LeadIn> {
    let texts: Vec<&RichText> = list.children.iter().filter_map(text_of).collect();
    let points = || here.lead.as_ref().is_some_and(|lead| roster::points_on(&lead.text));
    if texts.is_empty() || here.section == Stance::Example && !points() {
        return None;
    }
    handed(book, &texts, here)
        .or_else(|| named(&texts, here))
        .or_else(|| determined(book, here))
        .or_else(|| ideal(book, &texts, here))
        .or_else(|| owed(book, &texts, here))
        .or_else(|| ordered(list, &texts, here))
        .or_else(|| ranking(book, list, &texts, here))
        .or_else(|| asked(book, list, &texts, here))
        .or_else(|| leading(book, list, &texts, here))
        .or_else(|| specified(book, list, &texts, here))
        .or_else(|| either(book, here))
}

pub(super) fn text_of(item: &Block) -> Option<&RichText> {
    item.children.first().filter(|first| first.kind == BlockKind::Paragraph).map(|first| &first.text)
}

/// Reads an item of such a list: a part of the rule. What binds by itself stays apart, under the name of the whole, but where
/// the whole is what somebody else is told.
pub(crate) fn part(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    sentences: &[Range<usize>],
    (lead, draft): (&LeadIn, usize),
    here: &Setting,
) {
    let all = 0..prose.words.len();
    if matches!(hands(&lead.text), Some(Hands::Told | Hands::Others))
        || done_with::looks_for(book, here)
        || in_turn::ranks(&lead.text)
        || in_turn::prefers(&lead.text)
    {
        let text = prose.condensed(all.clone());
        return book.complete(draft, &text, prose.span(&all), prose.literals(all));
    }
    let lettered = is_lettered(&lead.text);
    for (at, sentence) in sentences.iter().enumerate() {
        if is_lone_tag(&prose.words[sentence.clone()]) {
            book.omit(prose.span(sentence), OmissionReason::Comment);
            continue;
        }
        let (named, body) = label(prose, sentence.clone());
        let mood = mood_of(&prose.words[body]).mood;
        // `Major: a new plan is required` under `Categorize the change:` says when it is that.
        let says_class = named == Label::Topic
            && !mood.forbids()
            && (classifies(&lead.text) || recommended_in_brackets(&prose.words[sentence.clone()]))
            && !prose.words[sentence.clone()].iter().any(|word| word.any(&["must", "always", "never"]));
        // What tells of a case says when it is that, and what orders is done then.
        let tells = lettered && prose.words[sentence.start].any(&["no", "nothing", "none"]);
        let binds = !tells && lettered && matches!(mood, Mood::Order(..))
            || !tells
                && matches!(mood, Mood::Order(level, force) if force == Force::Explicit || level.is_prohibition())
                && !says_class
                && !lacks_case(&prose.words[sentence.clone()])
                && !prose.words[sentence.start]
                    .any(&["whether", "how", "what", "which", "who", "where", "why"]);
        if binds && !book.drafts[draft].level.is_prohibition() {
            let name = bare_name(lead, here);
            let mut under = Setting { lead: None, ..here.clone() };
            under.conditions.push((name, lead.span));
            read_sentence(book, prose, sentence.clone(), &under, book.drafts.len());
        } else if at == 0 || matches!(mood, Mood::Fragment | Mood::Question) {
            let text = prose.condensed(sentence.clone());
            if text.is_empty() {
                book.omit(prose.span(sentence), OmissionReason::Description);
                continue;
            }
            book.complete(draft, &text, prose.span(sentence), prose.literals(sentence.clone()));
        } else {
            let inside = Setting { lead: None, ..here.clone() };
            read_sentence(book, prose, sentence.clone(), &inside, book.drafts.len());
        }
    }
}

/// `By barge (recommended): …` among ways to choose from.
fn recommended_in_brackets(words: &[Word]) -> bool {
    let colon = words.iter().position(|word| word.mark(":")).unwrap_or(0);
    words[..colon].iter().any(|word| word.depth > 0 && word.any(&["recommended", "preferred", "default"]))
}

/// `No prefix → a step by hand` among items that say what leads where: a case, and no prohibition.
fn lacks_case(words: &[Word]) -> bool {
    words.first().is_some_and(|first| first.is("no")) && words.iter().any(|word| word.mark("→"))
}

/// What the rule is called, without the conditions that stand before each rule here.
fn bare_name(lead: &LeadIn, here: &Setting) -> String {
    let name = lead.text.trim_end_matches([':', ' ']);
    let conditions = here.conditions.iter().map(|(condition, _)| condition.as_str());
    conditions
        .fold(name, |name, condition| {
            name.strip_prefix(condition).map_or(name, |rest| rest.trim_start_matches([':', ',', ' ']))
        })
        .to_owned()
}

/// `Goal: Make these tests pass`, `Goal - Make these tests pass`: a short name in front.
pub(crate) fn labelled(text: &RichText) -> bool {
    let text = text.as_str();
    let end = [": ", " - ", " — ", " – "].iter().filter_map(|mark| text.find(mark)).min();
    end.is_some_and(|end| (1..=4).contains(&text[..end].split_whitespace().count()))
}

/// `Write either:`: what there is to choose from.
fn either(book: &mut Book<'_>, here: &Setting) -> Option<LeadIn> {
    let lead = here.lead.as_ref().filter(|lead| lead.draft.is_none())?;
    let words = words_of(&lead.text);
    let chooses = matches!(&words[..], [verb, either] if either == "either" && is_verb(verb));
    let name = lead.text.trim_end_matches([':', ' ']).to_owned();
    chooses.then(|| begin(book, name, Level::Must, lead.span, here))
}

/// `Reset button`, `Jump to seed input` under the item `Actions section`: what a bare name is made of are names.
fn named(texts: &[&RichText], here: &Setting) -> Option<LeadIn> {
    const LONGEST: usize = 6;
    let lead = here.lead.as_ref().filter(|lead| here.parent.is_some() && here.parent == lead.draft)?;
    let Lead::Order(level @ (Level::Must | Level::Should)) = lead.lead else { return None };
    let short = |text: &&RichText| {
        let text = text.as_str();
        text.split_whitespace().count() <= LONGEST && !text.contains([':', '.', '!', '?'])
    };
    if !texts.iter().all(short) {
        return None;
    }
    let name = lead.text.rsplit_once(": ").map_or(lead.text.as_str(), |(_, name)| name);
    let rich = RichText::plain(name, lead.span);
    let fragment = |text: &RichText| matches!(mood_of(&Prose::new(text).words).mood, Mood::Fragment);
    let nounish = || {
        let first = name.split_whitespace().next().unwrap_or("").to_lowercase();
        is_nounish(&first) && texts.iter().any(|text| fragment(text))
    };
    let bare = fragment(&rich) || nounish();
    bare.then(|| LeadIn { lead: Lead::Parts(level), when: None, ..lead.clone() })
}

/// `The exit code decides what you do next:`: each item says it of one case.
fn determined(book: &mut Book<'_>, here: &Setting) -> Option<LeadIn> {
    let lead = here.lead.as_ref().filter(|lead| lead.lead == Lead::Stance(Stance::Order, None))?;
    let words = words_of(&lead.text);
    let decides = words.iter().any(|word| DECIDING.contains(&word.as_str()));
    let name = lead.text.trim_end_matches([':', ' ']).to_owned();
    decides.then(|| begin(book, name, Level::Must, lead.span, here))
}

/// `Metrics to track:`, `What you deliver:`, and a list right under `Report shape`: the items make one rule.
fn owed(book: &mut Book<'_>, texts: &[&RichText], here: &Setting) -> Option<LeadIn> {
    if let Some(lead) = &here.lead {
        let level = roster::owed(book, lead, texts, here)?;
        let name = lead.text.trim_end_matches([':', ' ']).to_owned();
        let name = under_file(book, here, under_act(book, here, name));
        return Some(begin(book, name, level, lead.span, here));
    }
    let heading = &book.headings[here.heading.filter(|_| here.step.is_none() && here.parent.is_none())?];
    let level = roster::owed_by_heading(&heading.text, texts, here)?;
    let (name, span) = (heading.text.trim_end_matches([':', ' ']).to_owned(), heading.span);
    Some(begin(book, name, level, span, here))
}

/// `Update each page:` above short orders: they say nothing without what they are done to.
fn each_time(list: &Block, lead: &str, texts: &[&RichText]) -> bool {
    const LONGEST: usize = 12;
    let each = || words_of(lead).iter().any(|word| word == "each" || word == "every");
    let short = |text: &&RichText| {
        let prose = Prose::new(text);
        prose.words.len() <= LONGEST
            && matches!(mood_of(&prose.words).mood, Mood::Order(Level::Must, Force::Implied))
    };
    !is_numbered(list) && each() && texts.iter().all(short)
}

/// `Ask for these:`, `Present it to the owner with:`: names that are numbered are counted, and no steps.
fn takes_names(lead: &str) -> bool {
    done_with::is_open(lead) || done_with::act_on_names(lead).is_some()
}

/// `chart.md: Content` of the label `Content:` under `2. chart.md`.
fn under_file(book: &Book<'_>, here: &Setting, label: String) -> String {
    let heading = here.heading.filter(|_| roster::holds(&label, book));
    let named = heading.and_then(|heading| {
        let text = &book.headings[heading].text;
        text.split_whitespace()
            .find(|word| word.split_once('.').is_some_and(|(name, end)| !name.is_empty() && end.len() > 1))
    });
    match named {
        Some(file) => format!("{file}: {label}"),
        None => label,
    }
}

/// `Gather: Key facts` of the label `Key facts:` under `Gather the following:`.
fn under_act(book: &Book<'_>, here: &Setting, label: String) -> String {
    let act = here.enumerates.or_else(|| done_with::gathers_here(book, here));
    let Some(act) = act.filter(|act| !act.is_empty() && !is_lettered(&label)) else { return label };
    let (first, rest) = act.split_at(1);
    format!("{}{rest}: {label}", first.to_uppercase())
}

/// `Follow this order:` above names that are numbered, `Include exactly as shown:` above names that open with a verb.
fn ordered(list: &Block, texts: &[&RichText], here: &Setting) -> Option<LeadIn> {
    let lead = here.lead.as_ref().filter(|lead| lead.draft.is_some())?;
    let Lead::Order(level @ (Level::Must | Level::Should)) = lead.lead else { return None };
    let ranks = is_numbered(list) && in_turn::ranks(&lead.text);
    let name = |text: &&&RichText| {
        let prose = Prose::new(text);
        let determined = prose.words.first().is_some_and(|first| first.among(DETERMINERS));
        let mood = mood_of(&prose.words).mood;
        determined || matches!(mood, Mood::Fragment | Mood::Question) || ranks && mood == Mood::Statement
    };
    let names = || texts.iter().filter(name).count();
    let numbered = is_numbered(list)
        && (in_turn::orders_parts(&lead.text) && names() == texts.len()
            || takes_names(&lead.text) && names() * 2 >= texts.len()
            || in_turn::ranks(&lead.text) && !texts.iter().any(|text| imperative(&Prose::new(text).words)));
    let numbered = numbered || each_time(list, &lead.text, texts);
    (numbered || in_turn::shows_names(&lead.text, texts)).then(|| LeadIn {
        lead: Lead::Parts(level),
        when: None,
        ..lead.clone()
    })
}

/// `Priority order:`, `Recommended flow:` above names that are numbered, or a heading of that name: which comes before which.
fn ranking(book: &mut Book<'_>, list: &Block, texts: &[&RichText], here: &Setting) -> Option<LeadIn> {
    const FEWEST: usize = 2;
    const SHORT: usize = 5;
    let (title, span) = match &here.lead {
        Some(lead) => (&lead.text, lead.span),
        None => here.heading.map(|heading| (&book.headings[heading].text, book.headings[heading].span))?,
    };
    let bare = here.lead.as_ref().is_none_or(|lead| {
        let lends = matches!(
            lead.lead,
            Lead::Stance(Stance::Neutral | Stance::Describe | Stance::Advise | Stance::Order, _)
        );
        lead.draft.is_none() && lends
    });
    let level = in_turn::ranks_by_name(title).filter(|_| bare && here.parent.is_none())?;
    let is_name = |text: &&&RichText| mood_of(&Prose::new(text).words).mood == Mood::Fragment;
    // `use of funds` among such names.
    let short = |text: &&RichText| text.as_str().split(' ').count() <= SHORT;
    let names = texts.iter().filter(is_name).count();
    let sound = (is_numbered(list) || in_turn::prefers(title))
        && texts.len() >= FEWEST
        && !matches!(here.section, Stance::Describe | Stance::Example)
        && (names == texts.len()
            || in_turn::prefers(title)
            || texts.iter().all(short) && names * 3 >= texts.len() * 2);
    let title = title.trim_end_matches([':', ' ']).to_owned();
    sound.then(|| begin(book, title, level, span, here))
}

/// `Who steers?`, `Who steers? (the mate, a guest)`.
pub(super) fn ends_in_question(text: &str) -> bool {
    let text = text.trim_end();
    text.ends_with('?') || text.ends_with(')') && (text.contains("? (") || text.ends_with("?)"))
}

/// Nothing but questions under a label or a heading that says no more than what they are about: they are to be answered.
fn asked(book: &mut Book<'_>, list: &Block, texts: &[&RichText], here: &Setting) -> Option<LeadIn> {
    if !texts.iter().all(|text| ends_in_question(text.as_str())) {
        return None;
    }
    let alone = list.children.iter().all(|item| item.children.len() == 1);
    let told = here.section == Stance::Describe
        && here.heading.is_some_and(|heading| book.headings[heading].own == Stance::Describe);
    let apt = matches!(here.section, Stance::Neutral | Stance::Order | Stance::Describe) && !told;
    if !alone || !apt || here.parent.is_some() {
        return None;
    }
    if texts.iter().all(|text| labelled(text))
        || texts.iter().any(|text| text.as_str().starts_with(['"', '“']))
    {
        return None;
    }
    let heading = here.heading.map(|heading| &book.headings[heading]);
    if heading.is_some_and(|heading| is_trigger(&heading.text) || titles_answers(&heading.text)) {
        return None;
    }
    let (name, span) = match &here.lead {
        Some(LeadIn { lead: Lead::Stance(Stance::Neutral, _), draft: None, text, span, .. })
            if !text.is_empty() =>
        {
            (text.clone(), *span)
        }
        None => (heading?.text.clone(), heading?.span),
        _ => return None,
    };
    let name = name.trim_end_matches([':', ' ']).to_owned();
    let name = if here.lead.is_some() { under_act(book, here, name) } else { name };
    Some(begin(book, name, Level::Must, span, here))
}

/// `FAQ`, `Common questions`: what people ask, and not what is to be asked.
fn titles_answers(heading: &str) -> bool {
    let words = words_of(heading);
    let has = |names: &[&str]| words.iter().any(|word| names.contains(&word.as_str()));
    has(&["faq", "faqs", "q", "triggers", "examples"]) || has(&["common", "frequent", "frequently", "sample"])
}

pub(super) fn is_numbered(list: &Block) -> bool {
    list.children.iter().any(|item| matches!(item.kind, BlockKind::Item { number: Some(_), .. }))
}

/// A rule that has only a name as yet.
pub(super) fn begin(book: &mut Book<'_>, name: String, level: Level, span: Span, here: &Setting) -> LeadIn {
    let draft = command_draft(name.clone(), level, Vec::new(), (span, span), here);
    let force = if ends_in_must(&name) { Force::Explicit } else { draft.force };
    let draft = book.add(Draft { completions: 0, force, ..draft });
    LeadIn { lead: Lead::Parts(level), text: name, span, draft: Some(draft), when: None }
}

/// Takes back a rule that no item completed.
pub(crate) fn close(book: &mut Book<'_>, lead: Option<&LeadIn>) {
    let Some(LeadIn { lead: Lead::Parts(_), draft: Some(draft), text, .. }) = lead else { return };
    let begun = &mut book.drafts[*draft];
    let bare = begun.force == Force::Implied || ends_in_must(text);
    if begun.completions == 0 && begun.text.ends_with(text.as_str()) && bare {
        begun.text.clear();
    }
}
