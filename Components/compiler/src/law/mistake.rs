//! Lists of mistakes: which of their items are bad acts, and which say how to do without.

use std::ops::Range;

use mentci_authority::{Force, Level};
use mentci_reader::markdown::Block;

use super::composed::draft_of;
use super::draft::Book;
use super::setting::{LeadIn, Setting};
use super::speech::label::{Label, label};
use super::speech::lead::Lead;
use super::speech::lexicon::is_verb;
use super::speech::mood::{IMPERATIVE, Mood, mood_of};
use super::speech::prose::Prose;
use super::speech::stance::{Stance, is_verb_in_ing};
use super::speech::thing::points;
use super::speech::thing::says_little;
use super::speech::word::{Word, WordKind, lowered};
use super::wording::rather_than;

/// Whether the heading right above says by itself that what is counted under it is bad: `Anti-patterns` and `1. Force-push`.
pub(super) fn counts_bad(book: &Book<'_>, here: &Setting) -> bool {
    let bad = |heading: usize| matches!(book.headings[heading].own, Stance::Forbid | Stance::Discourage);
    book.forbids_all().is_some() || here.heading.is_some_and(bad)
}

/// `Never X`, `Don't Y` among the items of `Common mistakes`: the others say what to do.
pub(super) fn forbids_itself(list: &Block) -> bool {
    denials(list) > 0
}

/// Whether all but a few items, or all but one of three, do so: then one that orders means it.
pub(super) fn mostly_forbids_itself(list: &Block) -> bool {
    const FEWEST: usize = 2;
    let (denials, all) = (denials(list), list.children.len());
    denials >= FEWEST && denials * 3 >= all * 2
}

fn denials(list: &Block) -> usize {
    const FORBIDDING: &[&str] = &["never", "don't", "dont", "avoid", "not"];
    let opens = |item: &Block| -> Option<bool> {
        let text = lowered(item.children.first()?.text.as_str());
        let mut words =
            text.split(|c: char| !(c.is_alphabetic() || c == '\'')).filter(|word| !word.is_empty());
        let (first, next) = (words.next()?, words.next());
        Some(FORBIDDING.contains(&first) || first == "do" && next == Some("not"))
    };
    list.children.iter().filter(|item| opens(item).unwrap_or(false)).count()
}

/// `Forgetting the header` among the items.
pub(super) fn names_acts(list: &Block) -> bool {
    let acts = |item: &Block| {
        let text = item.children.first().map_or("", |first| first.text.as_str());
        text.split_whitespace().next().is_some_and(|first| first.len() > 5 && first.ends_with("ing"))
    };
    list.children.iter().any(acts)
}

/// `Force-push to main` under `Common mistakes`: an act that is wrong, in the words of an order. What takes care (`Check the logs`), turns
/// (`Use A instead`) or binds by itself says what to do.
pub(super) fn errs(book: &Book<'_>, words: &[Word], own: Mood, here: &Setting) -> bool {
    const TURNING: &[&str] = &[
        "instead", "not", "never", "don't", "avoid", "rather", "only", "first", "always", "must", "should",
        "if", "when", "whenever", "every", "each", "until", "unless", "so",
    ];
    if own != IMPERATIVE
        || here.listed.forbids_itself
        || here.lead.as_ref().is_some_and(|lead| lead.draft.is_some())
    {
        return false;
    }
    let marked = words.iter().any(|word| word.mark(":") || word.mark("→"));
    // `Use the flag` beside `Forgetting the flag`, and not `Use the wrong flag`.
    let mends = here.listed.names_acts
        && !words.iter().any(|word| word.is("wrong"))
        && words[0].any(&["use", "run", "add", "set", "pin", "write"]);
    !marked
        && !mends
        && under_mistakes(book, here)
        && !advises_too(book, here)
        && !words.iter().any(|word| word.any(TURNING))
        && !takes_care(words, own)
}

/// Whether the heading or the lead-in right above names what goes wrong: `Common mistakes`, `Pitfalls to avoid`.
pub(super) fn under_mistakes(book: &Book<'_>, here: &Setting) -> bool {
    const BAD: &[&str] =
        &["mistake", "pitfall", "worst", "bad", "wrong", "common error", "code smell", "traps"];
    let bad = |name: &str| {
        let lower = name.to_lowercase();
        BAD.iter().any(|cue| lower.contains(cue))
    };
    let lead = here.lead.as_ref().filter(|lead| matches!(lead.lead, Lead::Stance(Stance::Mistakes, _)));
    lead.is_some_and(|lead| bad(&lead.text))
        || here.heading.is_some_and(|heading| bad(&book.headings[heading].text))
}

/// `Pitfalls and best practices`: what orders under it says what to do.
fn advises_too(book: &Book<'_>, here: &Setting) -> bool {
    const GOOD: &[&str] = &["practice", "tip", "guideline", "recommendation", "principle", "advice"];
    here.heading.is_some_and(|heading| {
        let lower = book.headings[heading].text.to_lowercase();
        GOOD.iter().any(|cue| lower.contains(cue))
            && !lower.contains("bad practice")
            && !lower.contains("worst")
    })
}

/// `Be honest`, `Check the logs`, `Make sure that …`: among mistakes these are no mistakes.
pub(super) fn takes_care(words: &[Word], own: Mood) -> bool {
    const CARING: &[&str] = &[
        "be", "check", "verify", "ensure", "confirm", "validate", "review", "remember", "prefer", "consider",
        "note", "see", "fix", "watch", "document",
    ];
    let mut plain = words.iter().filter(|word| word.kind == WordKind::Plain);
    let cares = |first: &Word, next: Option<&Word>| {
        first.any(CARING) || first.is("make") && next.is_some_and(|next| next.is("sure"))
    };
    own == IMPERATIVE && plain.next().is_some_and(|first| cares(first, plain.next()))
}

/// Whether an item names what is bad, under a heading that says so or that names kinds of things.
pub(super) fn names_bad_thing(
    book: &Book<'_>,
    prose: &Prose<'_>,
    sentence: &Range<usize>,
    here: &Setting,
    (own, stance): (Mood, Stance),
) -> bool {
    let named = || names_mistake(book, prose, sentence, here);
    match stance {
        Stance::Things(_) => own == Mood::Fragment && (here.lead.is_none() || named()),
        Stance::Mistakes => !matches!(own, Mood::Order(..)) && named(),
        _ => false,
    }
}

/// Under `Common mistakes`: a short name, not a topic that is explained.
fn names_mistake(book: &Book<'_>, prose: &Prose<'_>, sentence: &Range<usize>, here: &Setting) -> bool {
    let words = &prose.words[sentence.clone()];
    let denied = usize::from(words.first().is_some_and(|first| first.is("not")));
    let acts_on = |word: &Word| {
        word.lower.len() > 4
            && word.lower.ends_with("ing")
            && !word.any(&["thing", "bring", "being", "string"])
    };
    let gerund = words.get(denied).is_some_and(acts_on);
    let alone = sentence.end == prose.words.len()
        && words.len() <= 8
        && !words.iter().any(|word| matches!(word.lower.as_str(), "≠" | "=" | "==" | "—" | "→"));
    // `**Overload**: Stowing more than the hold carries`.
    let explained = || match label(prose, sentence.clone()) {
        (Label::Plain, _) => false,
        (_, rest) => prose.words[rest].first().is_some_and(acts_on),
    };
    gerund
        || explained()
        || (alone
            && !advises_too(book, here)
            && label(prose, sentence.clone()).0 == Label::Plain
            && !super::speech::mood::has_finite(words))
}

/// `No night trips` under `Limitations`: what the thing described cannot do.
pub(super) fn lacks_by_nature(book: &Book<'_>, here: &Setting, item: &[Word]) -> bool {
    let heading = here.heading.filter(|_| item.first().is_some_and(|word| word.is("no")));
    heading.is_some_and(|heading| {
        let text = book.headings[heading].text.to_lowercase();
        text.contains("limitation") || text.contains("known issue")
    })
}

/// `One ship per berth` under `Red lines`, beside `No fires`: what must not be crossed, and not what is forbidden.
pub(super) fn under_red_lines(book: &Book<'_>, here: &Setting) -> bool {
    here.heading.is_some_and(|heading| book.headings[heading].text.to_lowercase().contains("red line"))
}

/// `- No fires`.
pub(super) fn opens_with_no(item: &Block) -> bool {
    let text = item.children.first().map_or("", |first| first.text.as_str());
    text.get(..3).is_some_and(|opens| opens.eq_ignore_ascii_case("no "))
}

/// `No fires`, `Never light one`, `Do not light one`.
pub(super) fn opens_denied(words: &[Word]) -> bool {
    let plain: Vec<&Word> = words.iter().filter(|word| word.kind != WordKind::Mark).take(2).collect();
    plain
        .first()
        .is_some_and(|first| first.any(&["no", "never", "don't", "not", "avoid", "nothing", "nobody"]))
        || matches!(plain[..], [first, next] if first.is("do") && next.is("not"))
}

/// `**Hidden work**: the log stands in a letter only` under `Failure modes`: what goes wrong by its name, and how it looks;
/// false for any other item.
fn named_failure(book: &mut Book<'_>, prose: &Prose<'_>, sentence: &Range<usize>, here: &Setting) -> bool {
    const LONGEST: usize = 5;
    let headed = here
        .heading
        .filter(|_| here.lead.is_none())
        .is_some_and(|heading| book.headings[heading].text.to_lowercase().contains("failure mode"));
    let colon = sentence.clone().take(LONGEST + 1).find(|&at| prose.words[at].mark(":"));
    let Some(colon) = colon.filter(|&colon| headed && colon > sentence.start && colon + 1 < sentence.end)
    else {
        return false;
    };
    let acts = is_verb(&prose.words[colon + 1].lower);
    if acts && mood_of(&prose.words[colon + 1..sentence.end]).mood == IMPERATIVE {
        return false;
    }
    let lacked = usize::from(prose.words[sentence.start].is("no"));
    let name = prose.lowered(sentence.start + lacked..sentence.end);
    let text = if lacked > 0 { format!("NEVER without {name}") } else { format!("NEVER {name}") };
    let here = Setting { step: None, ..here.clone() };
    book.add(draft_of(prose, sentence.clone(), text, (Level::MustNot, Force::Implied), &here, sentence));
    true
}

/// `Knots: Tie them twice` among mistakes: what is to be done about a topic.
pub(super) fn labels_order(prose: &Prose<'_>, sentence: &Range<usize>) -> bool {
    let (named, body) = label(prose, sentence.clone());
    named == Label::Topic && mood_of(&prose.words[body]).mood == IMPERATIVE
}

/// `Mutating the input, copy it first`, `Using hemp: use flax` under `Common mistakes`: adds the bad act, and what to do; of a failure by its
/// name, what goes wrong. False for any other item.
pub(super) fn mended(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    sentence: &Range<usize>,
    here: &Setting,
) -> bool {
    if named_failure(book, prose, sentence, here) {
        return true;
    }
    if befalls_and_bans(book, prose, sentence, here) {
        return true;
    }
    let words = &prose.words;
    let first = &words[sentence.start];
    let names = first.kind == WordKind::Plain
        && (is_verb_in_ing(&first.lower) || first.lower.len() > 5 && first.lower.ends_with("ing"));
    // `Charts that lack a scale — redraw them`
    let dash = sentence.clone().find(|&at| words[at].depth == 0 && words[at].mark("—"));
    let lacks = |dash: usize| {
        let said = &words[sentence.start..dash];
        mood_of(said).mood == Mood::Fragment
            && said.windows(2).any(|pair| {
                pair[0].any(&["that", "which"])
                    && pair[1].any(&["lack", "lacks", "miss", "skip", "omit", "hide", "ignore"])
            })
    };
    let dash = dash.filter(|&dash| dash > sentence.start + 1 && (names || lacks(dash)));
    let remedied = dash.is_some_and(|dash| mood_of(&words[dash + 1..sentence.end]).mood == IMPERATIVE);
    let names = names || remedied;
    let replaces = words[sentence.clone()].windows(2).any(|pair| pair[0].is("instead") && pair[1].is("of"));
    if names && replaces && !remedied {
        let text = format!("NEVER {}", prose.lowered(sentence.clone()));
        book.add(draft_of(prose, sentence.clone(), text, (Level::MustNot, Force::Implied), here, sentence));
        return true;
    }
    let turns = |at: &usize| {
        let word = &words[*at];
        word.depth == 0 && [",", ":", "→"].iter().any(|mark| word.mark(mark))
    };
    let first_turn = || sentence.clone().find(turns).filter(|&turn| names && turn > sentence.start + 1);
    let Some(turn) = dash.filter(|_| remedied).or_else(first_turn) else { return false };
    let remedy = turn + 1..sentence.end;
    let said = &words[remedy.clone()];
    let acts = said.len() > 1
        && said[0].kind == WordKind::Plain
        && is_verb(&said[0].lower)
        && (said[0].is("use") || mood_of(said).mood == IMPERATIVE);
    let single = !said.iter().any(|word| word.mark(",") || word.any(&["or", "nor"]));
    if !(remedied || acts && single) {
        return false;
    }
    let name = sentence.start..turn;
    let ban = format!("NEVER {}", prose.lowered(name.clone()));
    book.add(draft_of(prose, name.clone(), ban, (Level::MustNot, Force::Implied), here, sentence));
    let order = prose.condensed(remedy.clone());
    let text =
        if points(said) || says_little(said) { rather_than(&prose.lowered(name), &order) } else { order };
    book.add(draft_of(prose, remedy, text, (Level::Must, Force::Implied), here, sentence));
    true
}

/// `Bells are swallowed - never catch them in silence`: what befalls, and what is never done about it. False for any other item.
fn befalls_and_bans(book: &mut Book<'_>, prose: &Prose<'_>, sentence: &Range<usize>, here: &Setting) -> bool {
    let words = &prose.words;
    let Some(dash) = sentence.clone().skip(1).find(|&at| words[at].depth == 0 && words[at].mark("—"))
    else {
        return false;
    };
    let (front, rest) = (&words[sentence.start..dash], &words[dash + 1..sentence.end]);
    let befell = front.windows(2).any(|pair| {
        pair[0].any(&["is", "are", "was", "were", "gets", "get"]) && pair[1].lower.ends_with("ed")
    });
    let Mood::Order(level, force) = mood_of(rest).mood else { return false };
    if !(befell && level.is_prohibition()) {
        return false;
    }
    let text = prose.condensed(sentence.clone());
    book.add(draft_of(prose, sentence.clone(), text, (level, force), here, sentence));
    true
}

/// `Instead: use flax`, `Use: flax` under the item `Don't use hemp`: adds what to do; false for any other item.
pub(super) fn remedy_below(book: &mut Book<'_>, prose: &Prose<'_>, here: &Setting) -> bool {
    const REMEDIES: &[&str] = &[
        "instead",
        "alternative",
        "alternatives",
        "better",
        "use",
        "do",
        "prefer",
        "fix",
        "correct",
        "solution",
    ];
    let banned = matches!(
        &here.lead,
        Some(LeadIn { lead: Lead::Order(level), draft: Some(draft), .. })
            if level.is_prohibition() && here.parent == Some(*draft)
    );
    let [first, colon, _, ..] = &prose.words[..] else { return false };
    if !banned || !first.any(REMEDIES) || !colon.mark(":") {
        return false;
    }
    let (all, body) = (0..prose.words.len(), 2..prose.words.len());
    let said = &prose.words[body.clone()];
    let orders = matches!(mood_of(said).mood, Mood::Order(..));
    let text = if orders { prose.condensed(body) } else { prose.condensed(all.clone()) };
    let level = if first.any(&["better", "prefer"]) { Level::Should } else { Level::Must };
    let inside = Setting { lead: None, parent: None, ..here.clone() };
    book.add(draft_of(prose, all.clone(), text, (level, Force::Implied), &inside, &all));
    true
}
