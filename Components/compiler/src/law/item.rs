//! Items of lists, in the light of their lead-in.

use std::ops::Range;

use mentci_authority::{Force, Level, OmissionReason, Step};
use mentci_reader::markdown::{Block, BlockKind, RichText};
use mentci_source::Span;

use super::banned::remedied;
use super::bare_item::bare;
use super::caption::{Caption, lists_cases, lists_grades, tells_case, under_grade};
use super::chain::{Chain, is_local};
use super::done_with;
use super::draft::Book;
use super::forbidden::forbidden;
use super::headline::openings;
use super::item_case::{
    against_use, asked_above, chooses_tools, names_case, numbered_case, reaction, subject_of,
};
use super::item_first::first_sentence;
use super::item_words::{tells_why, ticks_off};
use super::lead_in::{is_lead, lead_in};
use super::led::complete_lead;
use super::list_order::{counts_rules, in_any_order};
use super::mistake::{
    counts_bad, forbids_itself, mended, mostly_forbids_itself, names_acts, opens_with_no, remedy_below,
};
use super::norm::read_sentence;
use super::occasion;
use super::outputs::outputs;
use super::paragraph::{answer, paragraph};
use super::parts;
use super::procedure::{answers, choices, counted_names, glossed_names, leaves_undone, opens_procedure};
use super::quote::quote;
use super::reference::{is_reference, tells_of_name};
use super::run_below::{acts_below, pointed_before, run_below};
use super::samples::{has_modal, read_sample};
use super::sent_for::sent_for;
use super::setting::{Items, LeadIn, Listed, Openings, Setting};
use super::speech::condition;
use super::speech::label::{Label, label};
use super::speech::lead::Lead;
use super::speech::mood::{Mood, mood_of};
use super::speech::prose::Prose;
use super::speech::sentence::{is_cross, is_lone_tag, split_sentences};
use super::speech::stance::Stance;
use super::speech::thing::is_generic;
use super::speech::word::{Word, WordKind};
use super::stem::refusing_heading;
use super::together::items_of;
use super::trigger::{acts_before, binds_first, done_when, lists_triggers, orders_in, runs_behind_case};
use super::unfinished::{says_itself, unfinished};
use super::waiting::waits_for;
use super::walk::{leads, walk};

pub(crate) fn list(book: &mut Book<'_>, block: &Block, here: &Setting) {
    let mut here = here.clone();
    here.conditions.extend(asked_above(book, block, &here));
    // `Don't guess:` above what to do.
    if let Some(lead) = here.lead.take_if(|lead| {
        lead.draft.is_none()
            && lead.forbids()
            && remedied(lead.text.trim_end_matches([':', ' ']), std::slice::from_ref(block))
    }) {
        add_ban(book, &lead, &here);
    }
    if here.lead.as_ref().is_none_or(|lead| matches!(lead.lead, Lead::Stance(Stance::Describe, _))) {
        here.lead = refusing_heading(book, &here).filter(|lead| !says_itself(lead, block)).or(here.lead);
    }
    here.lead = here.lead.map(|lead| against_use(book, lead, here.heading));
    here.lead = reaction(book, block, &here).or_else(|| occasion::case_of(book, block, &here)).or(here.lead);
    let mistakes = |lead: &LeadIn| matches!(lead.lead, Lead::Stance(Stance::Mistakes, _));
    if matches!(here.section, Stance::Mistakes | Stance::Forbid | Stance::Discourage)
        || here.lead.as_ref().is_some_and(mistakes)
    {
        let denies = here.section == Stance::Forbid && block.children.iter().any(opens_with_no);
        let forbids_itself = denies || forbids_itself(block);
        let mostly_forbids_itself = mostly_forbids_itself(block);
        here.listed = Listed { forbids_itself, mostly_forbids_itself, names_acts: names_acts(block) };
    }
    if here.lead.is_none() {
        here.lead = unfinished(book, block, &here)
            .or_else(|| done_when(book, block, &here))
            .or_else(|| outputs(book, block, &here));
    }
    here.lead = answers(book, &here)
        .or_else(|| parts::of_list(book, block, &here))
        .or_else(|| choices(here.lead.as_ref()).or_else(|| counted_names(block, here.lead.as_ref())))
        .or_else(|| glossed_names(block, here.lead.as_ref()))
        .or(here.lead);
    here.enumerates = here.enumerates.or_else(|| here.lead.as_ref().and_then(done_with::enumerates));
    let is_reference = is_reference(book, block, &here);
    here.beside.items = items_of(book, block, &here);
    here.beside.cases = lists_cases(block);
    if here.lead.is_none() && chooses_tools(book, block, here.heading) {
        here.beside.items = Items::Tools;
    }
    here.beside.grades = here.lead.as_ref().is_none_or(|lead| lead.draft.is_none()) && lists_grades(block);
    here.beside.openings =
        openings(block.children.iter().filter_map(|item| Some(&item.children.first()?.text)));
    // `This is what sets a crew apart:` takes nothing from headlines that order.
    if here.beside.openings == Openings::Headlines {
        let tells = |lead: &Lead| matches!(lead, Lead::Told | Lead::Stance(Stance::Describe, _));
        here.lead = here.lead.filter(|lead| lead.draft.is_some() || !tells(&lead.lead));
    }
    for (at, item) in block.children.iter().enumerate() {
        let BlockKind::Item { number, task } = item.kind else { continue };
        if is_reference && tells_of_name(item) {
            book.omit(item.span, OmissionReason::Description);
            continue;
        }
        let is_task = task.is_some() || number.is_none() && ticks_off(book, &here);
        let mut inside = Setting { is_task, ..here.clone() };
        let mut first = None;
        match here.lead.as_ref().filter(|lead| number.is_some() && opens_procedure(lead)) {
            // What is not done then may be done elsewhere, and what is lost then must not be lost elsewhere.
            Some(lead) if at > 0 && leaves_undone(item) => inside.under(lead),
            // It says when the first one comes; those that only name or ask are to be done all the same.
            Some(lead) if at > 0 && lead.lead == Lead::Condition => {
                let (lead, span) = (Lead::Stance(Stance::Order, None), lead.span);
                inside.lead = Some(LeadIn { lead, text: String::new(), span, draft: None, when: None });
            }
            Some(_) if at > 0 => {}
            Some(lead) => first = Some(lead.clone()),
            None => {
                if let Some(lead) = &here.lead {
                    inside.under(lead);
                }
            }
        }
        let procedure = here.heading.map(|heading| book.headings[heading].text.clone()).unwrap_or_default();
        if number.is_some() && here.step.is_some() {
            book.nested_steps.insert(here.heading);
        }
        let in_order = match &here.lead {
            Some(lead) => !in_any_order(&lead.text),
            None => !counts_rules(&procedure),
        };
        if let Some(number) = number.filter(|_| in_order) {
            inside.step = Some(Step { procedure, number: u32::try_from(number).unwrap_or(u32::MAX) });
        }
        read_item(book, item, inside, first.as_ref());
        if let Some(lead) = lead_after(book, item, &here) {
            parts::close(book, here.lead.as_ref());
            here.lead = Some(lead);
        }
    }
    parts::close(book, here.lead.as_ref());
}

/// Adds what a lead-in forbids by itself.
fn add_ban(book: &mut Book<'_>, lead: &LeadIn, here: &Setting) {
    let text = lead.text.trim_end_matches([':', ' ']).to_owned();
    let draft = super::row::row_draft(text, (Level::MustNot, Force::Explicit), Vec::new(), lead.span, here);
    book.add(draft);
}

/// Whether an item among such fields names one, though its label alone would mean something else: `Fix: a proposal`.
pub(super) fn names_field(prose: &Prose<'_>, sentence: &Range<usize>) -> bool {
    const REMARKS: &[&str] =
        &["note", "tip", "warning", "caution", "remember", "important", "reminder", "e.g"];
    let words = &prose.words[sentence.clone()];
    let (named, body) = match label(prose, sentence.clone()) {
        // `Place: file and line`: alone it would order.
        (Label::Plain, _) if words.len() > 2 && words[1].mark(":") => {
            (Label::Dropped, sentence.start + 2..sentence.end)
        }
        labelled => labelled,
    };
    let Some(opens) = prose.words[body.clone()].first() else { return false };
    let remarks = words.first().is_some_and(|word| word.any(REMARKS));
    let asked = opens.any(&["what", "which", "how", "whether", "why", "who", "where"]);
    let taken = matches!(named, Label::Dropped | Label::Example | Label::Telling)
        && mood_of(&prose.words[body.clone()]).mood == Mood::Fragment;
    body.start > sentence.start && !remarks && (asked || taken)
}

pub(super) fn field(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    sentence: Range<usize>,
    lead: &LeadIn,
    here: &Setting,
) {
    if let Lead::Order(level) = lead.lead {
        return complete_lead(book, prose, sentence, lead, level, here);
    }
    let mut inside = here.clone();
    inside.under(lead);
    bare(book, prose, &sentence, (Level::Must, None), &inside);
}

/// `NEVER:` on a line of its own right after an item, without a blank line: it leads in the items that come.
fn lead_after(book: &mut Book<'_>, item: &Block, here: &Setting) -> Option<LeadIn> {
    let [only] = &item.children[..] else { return None };
    let prose = Prose::new(&only.text);
    let tail = tail(&prose, &split_sentences(&prose.words))?;
    Some(lead_in(book, &prose, tail, here))
}

/// The sentence that follows a broken line and ends in a colon.
fn tail(prose: &Prose<'_>, sentences: &[Range<usize>]) -> Option<Range<usize>> {
    let last = sentences.last().filter(|last| last.start > 0)?;
    let colon = prose.words[last.clone()].iter().rev().find(|word| word.lower != "\n")?.lower == ":";
    // `**Forbidden**`
    let place = || prose.words[last.start].range.start..prose.words[last.end - 1].range.end;
    let strong = || prose.text.styled(place(), |style| style.strong) == [place()];
    ((colon || strong()) && prose.words[last.start - 1].lower == "\n").then(|| last.clone())
}

/// Reads an item; `opening` is the lead-in that says when it comes, and says it of nothing that is nested in it.
fn read_item(book: &mut Book<'_>, item: &Block, mut here: Setting, opening: Option<&LeadIn>) {
    if completes_with_words(book, item, &here) {
        return;
    }
    let mut rest = &item.children[..];
    let above = here.conditions.len();
    if let Some(lead) = opening {
        here.under(lead);
    }
    if let Some((first, others)) = rest.split_first().filter(|(first, _)| first.kind == BlockKind::Paragraph)
    {
        let next = others.first().map(|next| &next.kind);
        let lead = occasion::asked(book, item)
            .or_else(|| item_part(book, &first.text, &here, next))
            .or_else(|| item_text(book, &first.text, &here, next));
        rest = others;
        here.conditions.truncate(if opening.is_some() { above } else { here.conditions.len() });
        here.parent = lead.as_ref().and_then(|lead| lead.draft);
        if let Some(lead) = &lead {
            // `On the owner's word:` above the item holds for what stands below it, too.
            if let Some(case) = here.lead.clone().filter(|case| case.lead == Lead::Condition) {
                here.under(&case);
            }
            here.under(lead);
        }
        here.lead = lead.or(here.lead);
    }
    let mut inside = Setting { inherited: here.conditions.len(), ..here.clone() };
    inside.lead = None;
    inside.conditions.extend(subject_of(item).or_else(|| numbered_case(item, &here)));
    let lead = here.lead.clone();
    for (at, block) in rest.iter().enumerate() {
        let next = rest.get(at + 1).map(|next| &next.kind);
        match &block.kind {
            BlockKind::Paragraph => paragraph(book, &block.text, &mut inside, leads(next)),
            BlockKind::List(_) => {
                let under = Setting { lead: inside.lead.take().or_else(|| lead.clone()), ..inside.clone() };
                list(book, block, &under);
            }
            BlockKind::Fence { .. } => {
                let under = Setting { lead: inside.lead.take().or_else(|| lead.clone()), ..inside.clone() };
                super::fence::read(book, block, &under);
            }
            BlockKind::Quote if led_by_colon(rest, at, item) => {
                let mut under =
                    Setting { lead: inside.lead.take().or_else(|| lead.clone()), ..inside.clone() };
                quote(book, block, &mut under, next);
            }
            _ => walk(book, std::slice::from_ref(block), &inside),
        }
    }
}

/// Whether the text above a block of an item ends in a colon.
fn led_by_colon(rest: &[Block], at: usize, item: &Block) -> bool {
    let above = at.checked_sub(1).map_or(item.children.first(), |above| rest.get(above));
    above.is_some_and(|above| above.text.as_str().trim_end().ends_with(':'))
}

/// `way of the trip:` above `sail` and `row`, under an order that names complete: the words are what there is to choose from.
fn completes_with_words(book: &mut Book<'_>, item: &Block, here: &Setting) -> bool {
    const LONGEST: usize = 2;
    const LONGEST_NAME: usize = 4;
    let lead = here.lead.as_ref().filter(|lead| lead.lead == Lead::Order(Level::Must));
    let (Some(draft), [name, list]) = (lead.and_then(|lead| lead.draft), &item.children[..]) else {
        return false;
    };
    let word = |item: &Block| match &item.children[..] {
        [only] => {
            let text = only.text.as_str();
            let bare = text.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '-'));
            Some(text.to_owned()).filter(|_| bare && text.split(' ').count() <= LONGEST)
        }
        _ => None,
    };
    let words: Option<Vec<String>> = list.children.iter().map(word).collect();
    let prose = Prose::new(&name.text);
    let named = name.text.as_str().trim_end().strip_suffix(':').filter(|named| {
        (1..=LONGEST_NAME).contains(&named.split(' ').count())
            && named.starts_with(char::is_lowercase)
            && mood_of(&prose.words).mood == Mood::Fragment
    });
    let (Some(named), Some(words)) = (named, words.filter(|_| matches!(list.kind, BlockKind::List(_))))
    else {
        return false;
    };
    book.complete(draft, &format!("{named}: {}", words.join(", ")), item.span, Vec::new());
    true
}

/// Reads an item that is a part of one rule; what is nested in it completes the rule, too.
fn item_part(
    book: &mut Book<'_>,
    text: &RichText,
    here: &Setting,
    next: Option<&BlockKind>,
) -> Option<LeadIn> {
    let lead = here.lead.as_ref()?;
    let (Lead::Parts(level), Some(draft)) = (&lead.lead, lead.draft) else { return None };
    let prose = Prose::new(text);
    let mut sentences = split_sentences(&prose.words);
    if next.is_none() && tail(&prose, &sentences).is_some() {
        sentences.pop();
    }
    parts::part(book, &prose, &sentences, (lead, draft), here);
    Some(LeadIn { lead: Lead::Order(*level), ..lead.clone() })
}

/// `Why this is wrong:`, `Why it matters:`: what stands under it argues.
fn argues_why(lead: &LeadIn) -> bool {
    let why = lead.text.get(..4).is_some_and(|first| first.eq_ignore_ascii_case("why "));
    why && lead.draft.is_none() && matches!(lead.lead, Lead::Stance(Stance::Describe | Stance::Neutral, _))
}

/// Whether a heading says that all here argues: `Why the order matters`.
fn under_why(book: &Book<'_>, here: &Setting) -> bool {
    let why = |heading: usize| {
        let text = &book.headings[heading].text;
        text.get(..4).is_some_and(|first| first.eq_ignore_ascii_case("why "))
    };
    here.lead.as_ref().is_none_or(|lead| lead.draft.is_none()) && here.heading.is_some_and(why)
}

/// Whether an item only tells what a tool does, or when the skill applies.
fn only_tells(book: &Book<'_>, prose: &Prose<'_>, sentences: &[Range<usize>], here: &Setting) -> bool {
    let acts = || {
        let steps = || here.step.is_some() && orders_in(prose, sentences);
        runs_behind_case(prose) || acts_before(prose) || binds_first(prose) || steps()
    };
    let told = matches!(&here.lead, Some(LeadIn { lead: Lead::Told, .. }));
    told && !sentences.iter().any(|sentence| has_modal(&prose.words[sentence.clone()]))
        || lists_triggers(book, here) && here.beside.items != Items::Tools && !acts()
}

/// Reads an item's own text; gives the lead-in that it is for what is nested in it.
fn item_text(
    book: &mut Book<'_>,
    text: &RichText,
    here: &Setting,
    next: Option<&BlockKind>,
) -> Option<LeadIn> {
    let (leads, fenced) = (leads(next), matches!(next, Some(BlockKind::Fence { .. })));
    let prose = Prose::new(text);
    let mut sentences = split_sentences(&prose.words);
    if next.is_none() && tail(&prose, &sentences).is_some() {
        sentences.pop();
    }
    if sentences.len() == 1 && remedy_below(book, &prose, here) {
        return None;
    }
    let cases = names_case(&prose.words) || condition::only_binds(&prose.words).is_some();
    if sentences.len() == 1 && matches!(next, Some(BlockKind::List(_))) && cases {
        return Some(lead_in(book, &prose, sentences[0].clone(), here));
    }
    if only_tells(book, &prose, &sentences, here) {
        book.omit(prose.span(&(0..prose.words.len())), OmissionReason::Description);
        return None;
    }
    let lead_stance = stance_of_item(book, here);
    let argued = || {
        under_why(book, here) && !sentences.iter().any(|sentence| has_modal(&prose.words[sentence.clone()]))
    };
    if here.lead.as_ref().is_some_and(argues_why) || argued() {
        book.omit(prose.span(&(0..prose.words.len())), OmissionReason::Rationale);
        return None;
    }
    if lead_stance == Stance::Example && here.lead.is_some() {
        book.omit(prose.span(&(0..prose.words.len())), OmissionReason::Example);
        return None;
    }
    let before = book.drafts.len();
    if here.section == Stance::Example && here.lead.is_none() {
        read_samples(book, &prose, sentences, here);
        return None;
    }
    if lead_stance.level().is_none() && sent_for(book, &prose, &sentences, here) {
        return None;
    }
    let (mut answered, mut chain, mut when) = (false, Chain::default(), None);
    let caption = caption_of(&prose, &sentences, lead_stance, here);
    let mut here = uncounted(here, lead_stance);
    here.conditions.extend(banned_by_label(&prose, sentences.first(), &here));
    under_grade(&prose, sentences.first_mut(), &mut here);
    for (at, sentence) in sentences.iter().enumerate() {
        if std::mem::take(&mut answered) {
            continue;
        }
        if lead_stance == Stance::Neutral && answer(book, &prose, sentence, sentences.get(at + 1), &here) {
            answered = true;
            continue;
        }
        if is_lone_tag(&prose.words[sentence.clone()]) {
            book.omit(prose.span(sentence), OmissionReason::Comment);
            continue;
        }
        let last = at + 1 == sentences.len();
        let is_lead = last
            && leads
            && is_lead(&prose, Some(sentence), &sentences, leads)
            && !matches!(mood_of(&prose.words[sentence.clone()]).mood, Mood::Order(level, _) if !level.is_prohibition());
        if is_lead && at == 0 && lead_stance.level().is_none() {
            return Some(lead_in(book, &prose, sentence.clone(), &here));
        }
        if let Some(condition) = waits_for(&prose, sentence, &sentences[at + 1..]) {
            chain.wait(&prose, sentence, condition);
            continue;
        }
        Caption::before(caption.as_ref(), at, &prose, sentence, &mut here);
        let first = book.drafts.len() == before;
        let mut sentence = sentence.clone();
        let entered = chain.enter(&prose, &mut sentence, &mut here);
        let sentence = &sentence;
        if at == 0 && (labels(caption.as_ref(), &here) || here.beside.cases && tells_case(&prose, sentence)) {
            book.omit(prose.span(sentence), OmissionReason::Description);
        } else if at > 0
            && matches!(lead_stance, Stance::Forbid | Stance::Discourage | Stance::Mistakes)
            && tells_why(&prose.words[sentence.clone()])
        {
            book.omit(prose.span(sentence), OmissionReason::Rationale);
        } else if at == 0 && lead_stance == Stance::Mistakes && mended(book, &prose, sentence, &here) {
        } else if at == 0 {
            first_sentence(book, &prose, sentence.clone(), &here, lead_stance);
        } else if crosses_out(&prose.words[sentence.clone()]) {
            // `✅ Write tests. ❌ Mock the store.`
            forbidden(book, &prose, sentence.clone(), &here, Stance::Forbid);
        } else if last && fenced && acts_below(&prose.words[sentence.clone()]) {
            bare(book, &prose, sentence, (Level::Must, None), &here);
        } else if entered > 0 || !goes_on_asking(book, &prose, sentence, &here, before) {
            read_sentence(book, &prose, sentence.clone(), &here, before);
        }
        here.conditions.truncate(here.conditions.len() - entered);
        if last {
            when = chain.condition().filter(|_| entered > 0);
        } else {
            chain.pass(&prose, sentence, entered, first);
        }
        Caption::behind(caption.as_ref(), at, book.drafts.len() > before, &mut here);
    }
    let when = when.or_else(|| caption.as_ref().and_then(Caption::case));
    leave_to_choose(book, &prose, before);
    let draft = (book.drafts.len() > before).then_some(before)?;
    Some(LeadIn { when, ..led_by(book, &prose, &sentences, draft) })
}

/// `No tows` below `**Small ships**:` is said of them alone.
fn banned_by_label(
    prose: &Prose<'_>,
    first: Option<&Range<usize>>,
    here: &Setting,
) -> Option<(String, Span)> {
    const LONGEST: usize = 4;
    let words = &prose.words[first?.clone()];
    let lead = here.lead.as_ref().filter(|lead| {
        lead.draft.is_none() && lead.lead == Lead::Stance(Stance::Neutral, None) && !lead.text.is_empty()
    })?;
    let Mood::Order(level, _) = mood_of(words).mood else { return None };
    let name = lead.text.trim_end_matches([':', ' ']);
    let rich = RichText::plain(name, lead.span);
    let named = Prose::new(&rich);
    let told = (1..=LONGEST).contains(&named.words.len()) && !named.words.iter().any(is_generic);
    (told && is_local(words, level)).then(|| (name.to_owned(), lead.span))
}

/// The label of an item; what is bad is no label of what is done about it.
fn caption_of(
    prose: &Prose<'_>,
    sentences: &[Range<usize>],
    stance: Stance,
    here: &Setting,
) -> Option<Caption> {
    let neutral = matches!(stance, Stance::Neutral | Stance::Order | Stance::Advise);
    let caption = Caption::among(prose, sentences, here.beside.cases);
    caption.filter(|caption| neutral || !caption.is_whole())
}

/// Whether the first sentence is a label alone, which names nothing that is ordered above.
fn labels(caption: Option<&Caption>, here: &Setting) -> bool {
    caption.is_some_and(Caption::is_whole) && here.lead.as_ref().is_none_or(|lead| lead.draft.is_none())
}

/// `Or run it at once` behind another item is left to choose.
fn leave_to_choose(book: &mut Book<'_>, prose: &Prose<'_>, before: usize) {
    let other = prose.words.first().is_some_and(|first| first.is("or"));
    for draft in book.drafts[before..].iter_mut().filter(|draft| other && draft.level == Level::Must) {
        draft.level = Level::May;
    }
}

fn read_samples(book: &mut Book<'_>, prose: &Prose<'_>, sentences: Vec<Range<usize>>, here: &Setting) {
    let before = book.drafts.len();
    for sentence in sentences {
        read_sample(book, prose, sentence, here, before);
    }
}

/// The stance that a lead-in or a heading lends to an item.
fn stance_of_item(book: &Book<'_>, here: &Setting) -> Stance {
    match here.lead.as_ref().map(|lead| &lead.lead) {
        Some(Lead::Stance(Stance::Neutral, _)) | None => {
            if matches!(here.section, Stance::Mistakes | Stance::Things(_))
                || matches!(
                    here.section,
                    Stance::Forbid | Stance::Discourage | Stance::Permit | Stance::Example | Stance::Excuses
                ) && (here.step.is_none() || counts_bad(book, here))
            {
                here.section
            } else {
                Stance::Neutral
            }
        }
        Some(Lead::Stance(stance, _)) => *stance,
        Some(
            Lead::Condition | Lead::Trigger | Lead::Told | Lead::Stem(_) | Lead::Order(_) | Lead::Parts(_),
        ) => Stance::Neutral,
    }
}

/// What is bad is counted, and not done step by step.
fn uncounted(here: &Setting, stance: Stance) -> Setting {
    let mut here = here.clone();
    here.step = here.step.filter(|_| !matches!(stance, Stance::Forbid | Stance::Discourage));
    here
}

/// The lead-in that an item with norms is for what is nested in it: its first one, or the one that ends in a colon, as in `Do not
/// edit it. Regenerate it with:`, or the order that stands against a prohibition.
fn led_by(book: &Book<'_>, prose: &Prose<'_>, sentences: &[Range<usize>], first: usize) -> LeadIn {
    let ends = sentences.last().map_or(0, |last| prose.span(last).start);
    let led = prose.words.iter().rev().find(|word| word.lower != "\n").is_some_and(|word| word.lower == ":");
    let last = (first..book.drafts.len())
        .find(|&at| led && book.drafts[at].spans.first().is_some_and(|span| span.start >= ends));
    // `Do not start it again; reattach` and the commands that do so.
    let turned = || {
        let (opens, last) = (book.drafts.get(first)?, book.drafts.last()?);
        let points = [" these", " those", "following"].iter().any(|cue| opens.text.contains(cue));
        let turns = !points && opens.level.is_prohibition() && !last.level.is_prohibition();
        turns.then(|| book.drafts.len() - 1)
    };
    let turns =
        |at: &usize| book.drafts[*at].level.is_prohibition() && !book.drafts[at + 1].level.is_prohibition();
    // `Do not log it; record what is missing:`
    let last = last.map(|at| if at + 2 == book.drafts.len() && turns(&at) { at + 1 } else { at });
    let run = sentences.last().and_then(|last| run_below(book, prose, last, first..book.drafts.len()));
    let pointed = || {
        let last = sentences.last().filter(|_| led)?;
        pointed_before(book, prose, last).filter(|pointed| *pointed >= first)
    };
    let draft = run.or_else(pointed).or(last).or_else(turned).unwrap_or(first);
    LeadIn::of_draft(&book.drafts, draft, prose.span(&(0..prose.words.len())))
}

/// `What happens on Windows? With other locales?`, `Costs. Cranes and crews.` under `Ask:`: both complete it.
fn goes_on_asking(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    sentence: &Range<usize>,
    here: &Setting,
    before: usize,
) -> bool {
    let Some(LeadIn { lead: Lead::Order(_), draft: Some(draft), .. }) = &here.lead else { return false };
    let span = prose.span(&(0..1));
    let completed = book.drafts.len() == before
        && book.drafts[*draft].spans.iter().any(|known| known.start == span.start);
    let asks = mood_of(&prose.words[sentence.clone()]).mood == Mood::Question;
    if completed && asks {
        book.complete(
            *draft,
            &prose.condensed(sentence.clone()),
            prose.span(sentence),
            prose.literals(sentence.clone()),
        );
    }
    let details = completed && !asks && details_name(prose, sentence);
    if details {
        let text = prose.condensed(sentence.clone());
        book.detail(
            *draft,
            text.trim_end_matches('.'),
            prose.span(sentence),
            prose.literals(sentence.clone()),
        );
    }
    completed && (asks || details)
}

/// `Cranes, crews and quays.` behind `Costs.`: what belongs to what the first sentence names.
fn details_name(prose: &Prose<'_>, sentence: &Range<usize>) -> bool {
    const LONGEST_NAME: usize = 3;
    const LONGEST: usize = 24;
    let name = &prose.words[..sentence.start];
    let plain = name.iter().filter(|word| word.kind != WordKind::Mark).count();
    let stops = name.iter().filter(|word| word.kind == WordKind::Mark && word.lower == ".").count();
    (1..=LONGEST_NAME).contains(&plain)
        && stops == 1
        && sentence.len() <= LONGEST
        && mood_of(&prose.words[sentence.clone()]).mood == Mood::Fragment
}

/// `❌ Trust the eye` behind a sentence. `❌ Not supported` says only that it is so.
fn crosses_out(words: &[Word]) -> bool {
    let [cross, first, ..] = words else { return false };
    is_cross(cross) && !first.any(&["not", "no", "unsupported"])
}

#[cfg(test)]
mod tests {
    use super::counts_rules;

    #[test]
    fn what_is_counted_is_in_no_order() {
        for heading in ["Golden rules", "Tips for Searching", "Lessons to read in parallel"] {
            assert!(counts_rules(heading), "{heading}");
        }
        for heading in ["Sailing", "Step 2: row", "Rules first, then the trip"] {
            assert!(!counts_rules(heading), "{heading}");
        }
    }
}
