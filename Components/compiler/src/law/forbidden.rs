//! Items under `Never:` and kin: what they name is forbidden, what they say to do instead is not.

use std::ops::Range;

use mentci_authority::{Force, Level, OmissionReason};

use super::composed::draft_of;
use super::draft::Book;
use super::judged::judges;
use super::norm::write_clauses;
use super::setting::{LeadIn, Setting};
use super::speech::bracket::brackets;
use super::speech::clause::{Clause, clauses};
use super::speech::condense::flat;
use super::speech::contrast::is_order;
use super::speech::guard::plain_in;
use super::speech::imperative::{imperative, verbal};
use super::speech::judgement::says_no;
use super::speech::label::{Label, label};
use super::speech::lead::Lead;
use super::speech::leniency::{LEAVING, no_exceptions};
use super::speech::lexicon::{DETERMINERS, is_verb};
use super::speech::mood::{IMPERATIVE, Mood, has_finite, mood_of};
use super::speech::naming::{Naming, naming};
use super::speech::prose::Prose;
use super::speech::sentence::is_cross;
use super::speech::stance::Stance;
use super::speech::thing::points;
use super::speech::thing::says_little;
use super::speech::word::{Word, WordKind};
use super::trigger::heads_triggers;
use super::wording::rather_than;

/// An item under `Never:` and kin: what it names is forbidden, unless it forbids by itself.
pub(crate) fn forbidden(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    sentence: Range<usize>,
    here: &Setting,
    stance: Stance,
) {
    if judges(book, prose, &sentence, here) {
        return;
    }
    let words = &prose.words[sentence.clone()];
    let found = clauses(&prose.words, sentence.clone());
    let start = sentence.start
        + words
            .iter()
            .take_while(|word| !word.lower.chars().any(char::is_alphanumeric) && word.kind == WordKind::Plain)
            .count();
    if replaces(words) {
        let rest = sentence.start + 2..sentence.end;
        if !(is_verb(&words[2].lower) || verbal(&words[2])) {
            return book.omit(prose.span(&sentence), OmissionReason::Description);
        }
        let text = prose.condensed(rest.clone());
        let force = (Level::Must, Force::Implied);
        book.add(draft_of(prose, rest, text, force, here, &sentence));
        return;
    }
    if let Some(lacked) = lacked(words).filter(|_| here.section == Stance::Mistakes) {
        let named = sentence.start + lacked..sentence.end;
        let text = format!("NEVER without {}", prose.lowered(named));
        let force = (Level::MustNot, Force::Implied);
        let draft = draft_of(prose, sentence.clone(), text, force, here, &sentence);
        book.add(draft);
        return;
    }
    if lacks(words, &["no", "missing", "lack", "lacking"])
        || lacks(words, &["without", "not"]) && label(prose, sentence.clone()).0 == Label::Example
    {
        return book.omit(prose.span(&sentence), OmissionReason::Example);
    }
    if names_bad(prose, &sentence)
        && let Some(label) = bad_label(book, here)
    {
        let level = stance.level().unwrap_or(Level::MustNot);
        let text = format!("{label}: {}", prose.lowered(sentence.clone()));
        let mut draft = draft_of(prose, sentence.clone(), text, (level, Force::Implied), here, &sentence);
        draft.spans.extend(here.lead.as_ref().map(|lead| lead.span));
        book.add(draft);
        return;
    }
    let negative = found.first().is_some_and(|clause| clause.mood.forbids());
    let named = if words.first().is_some_and(is_cross) { None } else { names(book, here) };
    let own = found.first().map(|clause| clause.mood);
    let lacking = |label: &str| negative && words[0].is("no") && bars_use(label);
    if let Some((_, label)) =
        named.as_ref().filter(|(_, label)| !negative || denies_again(words) || lacking(label))
        && let Some(level) = under_denial(words, label, stance, own)
    {
        let text = format!("{label}: {}", prose.lowered(sentence.clone()));
        let mut draft = draft_of(prose, sentence.clone(), text, (level, Force::Implied), here, &sentence);
        draft.spans.extend(here.lead.as_ref().map(|lead| lead.span));
        book.add(draft);
        return;
    }
    let remedied = matches!(named, Some((Naming::Whole, _)))
        && matches!(found.first().map(|clause| clause.mood), Some(Mood::Order(level, _)) if !level.is_prohibition());
    let rule = (orders_under_heading(book, here)
        || takes_care(words)
        || named.as_ref().is_some_and(|(_, label)| no_exceptions(label)))
        && own == Some(IMPERATIVE)
        && !words.iter().find(|word| word.kind == WordKind::Plain).is_some_and(|word| word.any(LEAVING));
    let speaks = (negative || rule || speaks(words) && !(own == Some(IMPERATIVE) && goes_on(words, here)))
        && !never_does(words);
    if speaks || remedied || reacts(words, named.as_ref()) {
        return write_clauses(book, prose, &sentence, &found, here);
    }
    let end = first_remedy(prose, &sentence);
    // `Long tows → two tugs` among smells: what is named behind the arrow takes its place.
    let turn =
        named_remedy(prose, &sentence).filter(|_| end == sentence.end && bad_label(book, here).is_some());
    let end = turn.unwrap_or(end);
    let level = stance.level().unwrap_or(Level::MustNot);
    let mark = if level == Level::ShouldNot { "AVOID" } else { "NEVER" };
    let (forbids, remedy) = (start.min(end)..end, end..sentence.end);
    let bare = without_orders_in_brackets(prose, &forbids);
    if !bare.iter().any(|part| names_something(&prose.words[part.clone()])) {
        book.omit(prose.span(&forbids), OmissionReason::Description);
        if remedy.is_empty() {
            return;
        }
        let found = clauses(&prose.words, remedy);
        return write_clauses(book, prose, &sentence, &found, here);
    }
    let label = named.filter(|(naming, _)| matches!(naming, Naming::Part | Naming::Whole));
    let text = banned_text(words, mark, label.as_ref().map(|(_, label)| label), render_words(prose, &bare));
    let mut draft = draft_of(prose, forbids, text, (level, Force::Implied), here, &sentence);
    if let Some(lead) = &here.lead {
        draft.spans.push(lead.span);
    }
    book.add(draft);
    bracketed_orders(book, prose, &sentence, &render_words(prose, &bare), here);
    if turn.is_some() {
        let text = prose.condensed(sentence.clone());
        let force = (Level::Must, Force::Implied);
        book.add(draft_of(prose, sentence.clone(), text, force, here, &sentence));
    } else if !remedy.is_empty() {
        add_remedy(book, prose, (&sentence, remedy), &render_words(prose, &bare), here);
    }
}

/// What is forbidden, with what forbids it. `Not merged into the log.` says it already.
fn banned_text(words: &[Word], mark: &str, label: Option<&String>, bad: String) -> String {
    match (label, words) {
        (Some(label), _) => format!("{label}: {bad}"),
        (None, [not, done, ..]) if not.is("not") && !done.lower.ends_with("ing") => bad,
        _ => format!("{mark} {bad}"),
    }
}

/// `Long tows; split them`, or no more than code to use: adds what is to be done about what is forbidden, with its name where the rest says
/// little without it.
fn add_remedy(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    (sentence, remedy): (&Range<usize>, Range<usize>),
    bad: &str,
    here: &Setting,
) {
    let words = &prose.words[remedy.clone()];
    let bare = says_little(words);
    // `follow the sail book`: for what, the name in front says.
    let source =
        words.last().is_some_and(|last| last.any(&["docs", "documentation", "handbook", "guide", "book"]));
    let bad = if source { bad.split(": ").next().unwrap_or(bad) } else { bad };
    // `Fouled lines: never coil a wet one` says what is not done, and is no name.
    let denied =
        [": never ", ": don't ", ": do not "].iter().any(|negation| bad.to_lowercase().contains(negation));
    let (before, points) = (book.drafts.len(), points(words) || bare && !denied || source);
    let found = clauses(&prose.words, remedy);
    write_clauses(book, prose, sentence, &found, here);
    if let Some(draft) = book.drafts.get_mut(before).filter(|_| points) {
        // `row by night: wait for day` would order both; `tides: see the tide book` only names.
        draft.text = if source { format!("{bad}: {}", draft.text) } else { rather_than(bad, &draft.text) };
    }
}

/// Where the arrow stands in `Long tows → two tugs`.
fn named_remedy(prose: &Prose<'_>, sentence: &Range<usize>) -> Option<usize> {
    let mut arrows = sentence.clone().filter(|&at| prose.words[at].mark("→"));
    let arrow = arrows.next().filter(|&at| at > sentence.start && at + 1 < sentence.end)?;
    let named = prose.words[arrow + 1].kind != WordKind::Mark
        && mood_of(&prose.words[arrow + 1..sentence.end]).mood == Mood::Fragment;
    (named && arrows.next().is_none()).then_some(arrow)
}

/// `Instead, test the rope` among what is forbidden: what to do in its place.
fn replaces(words: &[Word]) -> bool {
    let [instead, comma, _, _, ..] = words else { return false };
    instead.is("instead") && comma.mark(",")
}

/// A stray mark and `$ARGUMENTS`, which stands for what is typed, name nothing.
fn names_something(words: &[Word]) -> bool {
    let filled = |word: &Word| word.lower.starts_with('$') && word.shouted;
    words.iter().any(|word| word.lower.chars().any(char::is_alphanumeric) && !filled(word))
}

/// What an item says under a label that denies by itself: `Not for hotfixes` denies once more, and under `No exceptions:` what tells
/// (`Delete means delete`) is the rule, and what is named is an exception.
fn under_denial(words: &[Word], label: &str, stance: Stance, own: Option<Mood>) -> Option<Level> {
    if denies_again(words) || words.first().is_some_and(|first| first.is("no")) && bars_use(label) {
        return stance.level();
    }
    if !no_exceptions(label) {
        return None;
    }
    match own? {
        Mood::Statement => Some(Level::Must),
        Mood::Order(Level::Must, Force::Implied)
            if words.first().is_some_and(|word| word.any(&["each", "every"])) =>
        {
            Some(Level::Must)
        }
        Mood::Fragment => stance.level(),
        _ => None,
    }
}

/// `Not for hotfixes`, `Not even once`: what the label denies, in other words. `Not checking the input` is a lack.
fn denies_again(words: &[Word]) -> bool {
    const CASES: &[&str] = &[
        "for", "even", "in", "on", "when", "if", "because", "as", "with", "without", "during", "while", "by",
        "at", "once", "under", "until", "unless", "to", "from", "after", "before", "a", "an", "the", "this",
        "that", "just", "now", "here", "today", "any", "one", "your", "their", "yet", "ever",
    ];
    let mut plain = words.iter().filter(|word| word.kind != WordKind::Mark);
    plain.next().is_some_and(|word| word.is("not"))
        && plain.next().is_some_and(|word| word.any(CASES) || matches!(word.kind, WordKind::Quote))
}

/// `compare with memory instead of the chart`: it goes on with `Do not:`.
fn goes_on(words: &[Word], here: &Setting) -> bool {
    let turns = |word: &Word| word.mark("—") || word.mark(";") || word.mark(":") || word.mark("→");
    here.lead.as_ref().is_some_and(|lead| ends_in_denial(&lead.text))
        && words.first().is_some_and(|first| !first.capital && !first.is("instead"))
        && !words.iter().any(turns)
}

/// `Do not:`, `The mate must never:`
fn ends_in_denial(label: &str) -> bool {
    let lower = label.to_lowercase();
    matches!(plain_in(&lower)[..], [.., "not" | "never" | "don't"])
}

/// `Do NOT activate`, `Do not use when`: a lack under it, `No chart is on board`, is a case of it and no ban.
fn bars_use(label: &str) -> bool {
    const TAKING: &[&str] = &["use", "activate", "apply", "invoke", "trigger", "load", "run", "start"];
    const CLOSING: &[&str] = &["when", "if", "this", "skill", "it", "where", "for"];
    let lower = label.to_lowercase();
    let words = plain_in(&lower);
    let (["do", "not", rest @ ..] | ["don't" | "never", rest @ ..]) = &words[..] else { return false };
    rest.split_first()
        .is_some_and(|(act, rest)| TAKING.contains(act) && rest.iter().all(|word| CLOSING.contains(word)))
}

/// `Never cleaning up`, `Always trusting the cache`, `No error handling`: among bad practices the name of one, and no order.
pub(crate) fn names_bad(prose: &Prose<'_>, sentence: &Range<usize>) -> bool {
    let words = &prose.words[sentence.clone()];
    let end = words
        .iter()
        .position(|word| word.mark("—") || word.mark(":") || word.mark("→"))
        .unwrap_or(words.len());
    let plain: Vec<&Word> = words[..end].iter().filter(|word| word.kind != WordKind::Mark).collect();
    let [first, next, ..] = plain[..] else { return false };
    let noun = |word: &Word| {
        word.kind == WordKind::Plain
            && word.lower.len() > 4
            && (word.lower.ends_with("ing") || word.lower.ends_with("ed"))
            && !is_verb(&word.lower)
    };
    let bound = || {
        plain.iter().any(|word| word.any(&["without", "unless", "until", "must", "should", "may", "allowed"]))
    };
    first.any(&["never", "always"]) && noun(next)
        || first.is("no")
            && next.kind == WordKind::Plain
            && plain.len() <= 6
            && !bound()
            && end == words.len().min(end + 1)
            && words.len() <= 8
}

/// The heading or lead-in that names bad practices.
fn bad_label(book: &Book<'_>, here: &Setting) -> Option<String> {
    const BAD: &[&str] = &[
        "anti-pattern",
        "antipattern",
        "anti pattern",
        "red flag",
        "bad practice",
        "bad habit",
        "mistake",
        "pitfall",
        "smell",
        "bad pattern",
    ];
    let text = match &here.lead {
        Some(lead) if !lead.text.is_empty() => &lead.text,
        _ => &book.headings[here.heading?].text,
    };
    let label =
        text.trim_start_matches(|c: char| !c.is_alphanumeric()).trim_end_matches([':', '.', '!', ' ']);
    let lower = label.to_lowercase();
    BAD.iter().any(|cue| lower.contains(cue)).then(|| label.to_owned())
}

/// What the heading or the lead-in that forbids names itself, and its text.
fn names(book: &Book<'_>, here: &Setting) -> Option<(Naming, String)> {
    let text = match &here.lead {
        Some(LeadIn { lead: Lead::Stance(Stance::Forbid | Stance::Discourage, _), text, .. }) => {
            text.as_str()
        }
        _ => book.forbidding()?.text.as_str(),
    };
    let label =
        text.trim_start_matches(|c: char| !c.is_alphanumeric()).trim_end_matches([':', '.', '!', ' ']);
    // Its condition stands in front already, and the rest of it names nothing.
    let bare = here.lead.as_ref().is_some_and(|lead| lead.when.is_some());
    let denies = label.len() > 3 && label.is_char_boundary(3) && label[..3].eq_ignore_ascii_case("no ");
    let lower = label.to_lowercase();
    // `Not your job`: whose it is not, and no rule of its own.
    let denies = denies
        || matches!(
            plain_in(&lower)[..],
            ["not", "your" | "my" | "our" | "for", _]
                | ["not", "responsible", "for"]
                | ["out", "of", "scope"]
                | ["not", "in", "scope"]
        );
    let named = if denies { Naming::Part } else { naming(label) };
    Some((if bare { Naming::Bare } else { named }, label.to_owned()))
}

/// Whether what stands under a prohibition orders by itself: with a modal word of its own, under a condition, or in the
/// place of what is forbidden. What is thought or said (`I should …`, `Assuming it must …`) orders nothing.
pub(crate) fn speaks(words: &[Word]) -> bool {
    let end = words
        .iter()
        .position(|word| word.mark("—") || word.mark(";") || word.mark(":") || word.mark("→"))
        .unwrap_or(words.len());
    let start = words[..end].iter().take_while(|word| word.kind == WordKind::Mark).count();
    let part = &words[start..end];
    let Some(first) = part.first() else { return false };
    let found = mood_of(part);
    match found.mood {
        Mood::Order(_, Force::Explicit) => {
            !thought(first) && !only_names(part) && !names_optional(part) && !depends(part)
        }
        Mood::Order(_, Force::Implied) => {
            let crossed = words.first().is_some_and(is_cross);
            let replaces = !crossed && part.windows(2).any(|pair| pair[0].is("instead") && pair[1].is("of"));
            replaces || found.main > 0 && first.any(&["if", "when", "whenever", "unless", "instead"])
        }
        _ => false,
    }
}

/// `A guess is needed to find the port`: on what something depends, among what is bad. `A permit is required to sail` binds.
fn depends(part: &[Word]) -> bool {
    const GRANTS: &[&str] = &[
        "approval",
        "permission",
        "permit",
        "consent",
        "review",
        "confirmation",
        "authorization",
        "authorisation",
        "sign-off",
        "signature",
        "token",
        "login",
        "authentication",
        "test",
        "tests",
        "backup",
    ];
    let needs = part.windows(3).position(|run| {
        run[0].any(&["is", "are"]) && run[1].any(&["required", "needed", "necessary"]) && run[2].is("to")
    });
    needs.is_some_and(|at| at > 0 && !part[..at].iter().any(|word| word.any(GRANTS)))
}

/// `Optional settings without a default`: the name of a mistake, and no permission.
fn names_optional(part: &[Word]) -> bool {
    const BEHIND: &[&str] = &["for", "if", "when", "but", "in", "unless", "and", "on", "to"];
    let names = |next: &Word| next.kind == WordKind::Plain && !next.any(BEHIND);
    part[0].is("optional") && part.get(1).is_some_and(names)
}

/// `❌ No tests`, `❌ No context: …`: the cross stands at a lack, which is bad; what is there would be good.
fn lacks(words: &[Word], lacking: &[&str]) -> bool {
    words.first().is_some_and(is_cross)
        && words
            .iter()
            .find(|word| word.kind == WordKind::Plain && word.lower.chars().all(char::is_alphabetic))
            .is_some_and(|word| word.any(lacking))
}

/// `❌ No context: the agent guesses` among mistakes: where what is lacking begins.
fn lacked(words: &[Word]) -> Option<usize> {
    let at = words.iter().position(|word| word.is("no")).filter(|&at| at > 0 && at + 1 < words.len())?;
    let marks = words[..at].iter().all(|word| !word.lower.chars().any(char::is_alphanumeric));
    (marks && words[0].kind != WordKind::Quote && is_cross(&words[0])).then_some(at + 1)
}

/// `❌ Never testing`: it is bad never to test.
fn never_does(words: &[Word]) -> bool {
    let plain: Vec<&Word> =
        words.iter().filter(|word| word.kind == WordKind::Plain && !is_cross(word)).collect();
    words.first().is_some_and(is_cross)
        && plain.first().is_some_and(|word| word.is("never"))
        && plain.get(1).is_some_and(|word| word.lower.len() > 4 && word.lower.ends_with("ing"))
}

/// What is done at the sight of something bad.
pub(crate) const REACTIONS: &[&str] = &["stop", "halt", "pause", "ask", "escalate"];

/// `Stop and ask the user` among red flags: what to do at their sight.
fn reacts(words: &[Word], named: Option<&(Naming, String)>) -> bool {
    named.is_some_and(|(_, name)| name.to_lowercase().contains("red flag"))
        && words.first().is_some_and(|word| word.any(REACTIONS))
        && imperative(words)
}

/// `It must be X`, `Assuming that …`: what somebody thinks.
fn thought(first: &Word) -> bool {
    first.any(&[
        "i",
        "i'll",
        "it",
        "it's",
        "this",
        "that",
        "maybe",
        "probably",
        "assuming",
        "thinking",
        "believing",
        "saying",
        "claiming",
        "hoping",
        "guessing",
        "deciding",
        "pretending",
    ])
}

/// `Only fix symptoms`, `Commits that must be amended`: its modal word says nothing of the whole.
fn only_names(part: &[Word]) -> bool {
    const MODALS: &[&str] = &["must", "may", "can", "should", "shall"];
    let modal = part.iter().position(|word| word.any(MODALS));
    let relative = modal.is_some_and(|at| {
        at > 0 && part[at - 1].any(&["that", "which", "who", "whose", "where", "what", "how"])
    });
    // `Sailing only by night`: an act, however narrow.
    let act = part[0].lower.len() > 5 && part[0].lower.ends_with("ing") && !has_finite(part);
    relative || (act || part[0].is("only")) && modal.is_none()
}

/// Where a dash, an arrow or a semicolon turns from the mistake to what to do instead.
fn first_remedy(prose: &Prose<'_>, sentence: &Range<usize>) -> usize {
    let turn = sentence.clone().find(|&at| {
        let rest = &prose.words[(at + 1).min(sentence.end)..sentence.end];
        (prose.words[at].mark("—") || prose.words[at].mark("→") || prose.words[at].mark(":"))
            && matches!(mood_of(rest).mood, Mood::Order(..))
            && !rest.is_empty()
            && !(prose.words[at].mark(":") && only_lists(rest))
            || at > sentence.start
                && turns_to_remedy(&prose.words[sentence.start..at], &prose.words[at], rest)
            || at > sentence.start
                && prose.words[at].mark(";")
                && mood_of(&prose.words[sentence.start..at]).mood == Mood::Fragment
                && is_order(rest)
            || at > sentence.start
                && turns_to_source(&prose.words[sentence.start..at], &prose.words[at], rest)
    });
    turn.filter(|&at| at > sentence.start).unwrap_or(sentence.end)
}

/// `Sails: cut, hem — another craft, use the sail book`, `… but follow the sail book`: where to look instead.
fn turns_to_source(said: &[Word], mark: &Word, rest: &[Word]) -> bool {
    let behind_dash = mark.mark(",") && said.iter().any(|word| word.mark("—"));
    (behind_dash || mark.is("but"))
        && rest.first().is_some_and(|first| first.any(&["use", "see", "follow", "consult"]))
        && rest.len() > 1
        && !rest.iter().any(|word| word.mark(","))
        && mood_of(rest).mood == IMPERATIVE
}

/// Whether an order under this heading stays one: it denies, as `Do not guess` does, or is `Deprecated`, where an order
/// says what to do instead.
fn orders_under_heading(book: &Book<'_>, here: &Setting) -> bool {
    here.heading.map(|heading| &book.headings[heading]).is_some_and(|heading| {
        here.lead.is_none() && heading.denies || heading.text.trim().eq_ignore_ascii_case("deprecated")
    })
}

/// `Ask the mate if unsure`, `Remember to sign`: what nobody would forbid.
fn takes_care(words: &[Word]) -> bool {
    words.first().is_some_and(|first| first.is("remember"))
        || words.iter().any(|word| word.any(&["unsure", "doubt"]))
}

/// `push by hand; use the bot`, `tow alone, ask the pilot`: what to do in the place of an act that is forbidden.
fn turns_to_remedy(said: &[Word], mark: &Word, rest: &[Word]) -> bool {
    const REMEDIES: &[&str] = &["use", "ask", "open", "request", "propose", "prefer", "file", "raise"];
    let parts = mark.mark(";") || mark.mark(",") && !said.iter().any(|word| word.mark(","));
    let Some(first) = rest.first().filter(|_| parts && rest.len() > 1) else { return false };
    // `Copying a chart, draw a new one`.
    let gerund = said.first().is_some_and(|said| said.lower.len() > 5 && said.lower.ends_with("ing"))
        && is_verb(&first.lower)
        && rest[1].among(DETERMINERS);
    (first.any(REMEDIES) || gerund)
        && mood_of(rest).mood == IMPERATIVE
        && !rest.iter().any(|word| word.depth == 0 && (word.mark(",") || word.any(&["or", "if"])))
        && !said.first().is_some_and(|opens| opens.lower == first.lower)
}

/// `leverage, foster, delve, underscore`: words that are listed, and order nothing.
fn only_lists(words: &[Word]) -> bool {
    const LONGEST: usize = 2;
    let mut names = words.split(|word| word.mark(","));
    words.iter().filter(|word| word.mark(",")).count() > 1
        && names.clone().next().is_some_and(|first| first.len() == 1)
        && names.all(|name| (1..=LONGEST).contains(&name.len()))
}

/// The words outside brackets that hold an order of their own.
fn without_orders_in_brackets(prose: &Prose<'_>, words: &Range<usize>) -> Vec<Range<usize>> {
    let mut kept = Vec::new();
    let mut start = words.start;
    for bracket in brackets(prose, words) {
        if bracket_orders(prose, &bracket) {
            kept.push(start..bracket.start);
            start = bracket.end;
        }
    }
    kept.push(start..words.end);
    kept
}

fn render_words(prose: &Prose<'_>, ranges: &[Range<usize>]) -> String {
    let pieces: Vec<String> = ranges
        .iter()
        .filter(|range| !range.is_empty())
        .enumerate()
        .map(
            |(at, range)| if at == 0 { prose.lowered(range.clone()) } else { prose.condensed(range.clone()) },
        )
        .filter(|piece| !piece.is_empty())
        .collect();
    pieces.join(" ")
}

/// What opens a bracket that plainly orders, behind a name.
pub(super) const BRACKETED: &[&str] = &[
    "use", "keep", "add", "run", "check", "flag", "follow", "fix", "try", "adjust", "ask", "set", "must",
    "avoid", "only", "replace",
];

fn bracket_orders(prose: &Prose<'_>, bracket: &Range<usize>) -> bool {
    // `(scope creep risk)`, `(default "x" is slow)`: what is named, though the word may be a verb.
    const NAMING: &[&str] = &[
        "scope", "default", "cost", "risk", "cause", "state", "type", "version", "result", "value", "name",
        "time", "case", "design", "model", "process", "base", "access", "form", "format", "file", "list",
        "table", "page", "key", "input", "output", "feature", "function", "object", "group", "part", "point",
        "branch", "label",
    ];
    if bracket.len() < 4 {
        return false;
    }
    let inner = flat(&prose.words[bracket.start + 1..bracket.end - 1]);
    let names = inner[0].any(NAMING) && !inner.get(1).is_some_and(|next| next.among(DETERMINERS));
    !names
        && matches!(mood_of(&inner).mood, Mood::Order(level, _) if level != Level::May)
        && (imperative(&inner) || inner.iter().any(|word| word.any(&["required", "must"])))
        && !inner.iter().any(|word| word.any(&["if", "whether"]))
}

/// Adds what brackets behind `bad` say to do; of few words, with what it is done in place of.
fn bracketed_orders(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    sentence: &Range<usize>,
    bad: &str,
    here: &Setting,
) {
    for bracket in brackets(prose, sentence) {
        if bracket_orders(prose, &bracket) {
            let inner = bracket.start + 1..bracket.end - 1;
            let Mood::Order(level, force) = mood_of(&flat(&prose.words[inner.clone()])).mood else {
                continue;
            };
            let cut = prose.words[inner.clone()]
                .iter()
                .position(|word| word.lower == "—")
                .filter(|_| inner.len() > 14)
                .map_or(inner.end, |at| inner.start + at);
            let said = prose.condensed(inner.start..cut);
            // `Sailing when no pilot is there (wait for one)` names an act, whatever it denies behind that.
            let acts = bad.split(' ').next().is_some_and(|first| first.len() > 5 && first.ends_with("ing"));
            let acts = acts && !bad.contains("instead of");
            let denied = says_no(bad) && !acts || level.is_prohibition();
            let text = if says_little(&prose.words[inner.clone()]) && !denied {
                rather_than(bad, said.strip_suffix(" instead").unwrap_or(&said))
            } else {
                said
            };
            let draft = draft_of(prose, inner.start..inner.end, text, (level, force), here, sentence);
            book.add(draft);
        }
    }
}

/// `The shade is thin (check it before you sail)`: what is told, and the order that a bracket draws from it.
pub(super) fn warns(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    clause: &Clause,
    here: &Setting,
    sentence: &Range<usize>,
) -> bool {
    if !prose.words[clause.words.clone()].iter().any(|word| word.lower == "(") {
        return false;
    }
    let points =
        |bracket: &Range<usize>| prose.words[bracket.start + 1].any(&["see", "note", "read", "default"]);
    // `(approach, scope)` names.
    let lists = |bracket: &Range<usize>| prose.words[bracket.start + 2].lower == ",";
    let orders = |bracket: &Range<usize>| {
        bracket.end - bracket.start > 4
            && !points(bracket)
            && !lists(bracket)
            && bracket_orders(prose, bracket)
    };
    // `Tertiary sources: songs, tales (use only for context)`: a name orders nothing, so its bracket has to be plain.
    let plain = |bracket: &Range<usize>| {
        let inner = &prose.words[bracket.start + 1..bracket.end - 1];
        clause.mood != Mood::Fragment
            || inner[0].any(BRACKETED)
                && bracket.end + 1 >= clause.words.end
                && !inner.iter().any(|word| word.lower == ":" || word.lower == "/")
    };
    let orders = |bracket: &Range<usize>| orders(bracket) && plain(bracket);
    if here.section == Stance::Describe
        || here.heading.is_some_and(|heading| heads_triggers(book, heading))
        || !brackets(prose, &clause.words).iter().any(orders)
    {
        return false;
    }
    let text = prose.condensed(clause.words.clone());
    let force = (Level::Must, Force::Implied);
    book.add(draft_of(prose, clause.words.clone(), text, force, here, sentence));
    true
}
