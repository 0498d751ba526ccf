//! Where a sentence is cut into pieces: at semicolons, at dashes, and where a clause begins behind a comma or a conjunction.

use std::ops::Range;

use super::contrast::denies;
use super::imperative::imperative;
use super::in_case::within_aside;
use super::lexicon::{DETERMINERS, FINITE, OBJECT_STARTS, is_nounish, is_verb};
use super::mood::{IMPERATIVE, Mood, has_finite, mood_of, skip_connectives};
use super::order::supposes;
use super::told::told;
use super::turn::denies_modally;
use super::turn::{other_half, remedies, says_how, series_goes_on, turns_to_demand, turns_to_refusal};
use super::withdrawn::turns_to_denial;
use super::word::{Word, WordKind};

/// The pieces of a sentence, in their order: each is judged by itself, and may be joined with the one before it.
pub(crate) fn pieces(words: &[Word], sentence: Range<usize>) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = sentence.start;
    let due = is_due(&words[sentence.clone()]);
    for at in sentence.clone() {
        if due && start == sentence.start && at > start && words[at - 1].mark(",") {
            continue;
        }
        // A clause begins behind a mark, or where two are joined.
        if at <= start || words[at - 1].kind != WordKind::Mark && !words[at].any(&["and", "but"]) {
            continue;
        }
        if within_aside(&words[sentence.clone()], at - 1 - sentence.start) {
            continue;
        }
        if words[at - 1].mark(";") && goes_on_waiting(&words[sentence.start..at], &words[at..sentence.end]) {
            continue;
        }
        if at > start && words[at - 1].mark(":") && mood_of(&words[start..at]).mood.forbids() {
            let (label, body) = (&words[start..at], &words[at..sentence.end]);
            if remedies(label, body) || start > sentence.start && says_how(label, body) {
                parts.push(start..at);
                start = at;
                continue;
            }
            let Some(turn) = turns_behind_reason(words, at, sentence.end) else { break };
            parts.push(start..turn);
            start = turn;
            continue;
        }
        if at > start
            && (other_half(words, &(start..at), at, sentence.end)
                || turns_to_refusal(words, start, at, sentence.end)
                || turns_to_demand(words, start, at, sentence.end)
                || turns_to_denial(words, at, sentence.end)
                || turns_to_remedy(words, start, at, sentence.end)
                || series_goes_on(words, &parts, start, at, sentence.end))
        {
            parts.push(start..at);
            start = at;
            continue;
        }
        let resumes =
            at > start && words[start].is("no") && start > sentence.start && words[at - 1].mark(",");
        if resumes
            || (at > start
                && splits(words, at, sentence.end)
                && !waits(&words[start..at])
                && !lone_force(&words[start..at])
                && !(words[at - 1].mark(";") && lists(&words[start..at]))
                && !(words[at].is("but") && permits(&words[start..at], words.get(at + 1)))
                && !turns(&words[start..at])
                && !leaves_one(words, start, at, sentence.end)
                && !(words[at].is("no") && lists_cases(&words[start..at], &words[at..sentence.end]))
                && (!words[at].is("no")
                    || words[at].shouted
                    || words[start].is("only") && denies(&words[at..sentence.end])
                    || words[at - 1].mark(";") && parts_from_denial(words, start, at, sentence.end)
                    || matches!(mood_of(&words[start..at]).mood, Mood::Order(..))))
        {
            parts.push(start..at);
            start = at;
        }
    }
    parts.push(start..sentence.end);
    without_asides(words, parts)
}

/// `Open the request — its page if there is one — and report the URL`: an aside between two dashes is no clause of its own, and what
/// follows goes on with what stands before.
fn without_asides(words: &[Word], parts: Vec<Range<usize>>) -> Vec<Range<usize>> {
    if parts.len() < 3 {
        return parts;
    }
    let orders = |part: &Range<usize>| matches!(mood_of(&words[part.clone()]).mood, Mood::Order(..));
    let ends_in_dash = |part: &Range<usize>| words[part.end - 1].mark("—");
    let goes_on = |part: &Range<usize>| {
        let first = &words[part.start];
        first.any(&["and", "or"])
            || first.lower.len() > 5 && first.lower.ends_with("ing") && first.kind == WordKind::Plain
    };
    let mut joined: Vec<Range<usize>> = Vec::with_capacity(parts.len());
    let mut rest = parts.into_iter().peekable();
    while let Some(part) = rest.next() {
        let aside = joined.last().is_some_and(|before| ends_in_dash(before) && orders(before))
            && ends_in_dash(&part)
            && !orders(&part);
        match rest.peek().filter(|next| aside && goes_on(next)).cloned() {
            Some(next) => {
                rest.next();
                if let Some(before) = joined.last_mut() {
                    before.end = next.end;
                }
            }
            None => joined.push(part),
        }
    }
    joined
}

/// `Done only when the log is read; depths are taken; and the hold is dry`: each part is one more of the cases that all have to hold.
fn goes_on_waiting(said: &[Word], rest: &[Word]) -> bool {
    only_then(said)
        && rest.split(|word| word.mark(";")).all(|part| {
            let part = &part[skip_connectives(part)..];
            !part.is_empty()
                && !imperative(part)
                && part.iter().any(|word| word.among(FINITE) || word.lower.ends_with('s'))
        })
}

/// `Sail only when …`: an order that waits for all that is said behind it.
fn only_then(words: &[Word]) -> bool {
    words.windows(2).skip(1).any(|pair| pair[0].is("only") && pair[1].any(&["when", "if", "once"]))
}

/// `By hand when any of: no wind, no crew`: cases, and no bans.
fn lists_cases(words: &[Word], denied: &[Word]) -> bool {
    // `only when all lamps are lit, no tows remain, and no cargo is left`
    let end = denied.iter().position(|word| word.mark(",")).unwrap_or(denied.len());
    let state = denied[..end]
        .iter()
        .any(|word| word.any(&["remain", "remains", "is", "are", "exist", "exists", "left", "open"]));
    if only_then(words) && state {
        return true;
    }
    words.windows(2).any(|pair| pair[0].any(&["of", "when", "if"]) && pair[1].mark(":"))
}

/// `Go on at once — no questions`: two words behind an order's dash that say again how it is meant.
fn leaves_one(words: &[Word], start: usize, at: usize, end: usize) -> bool {
    let short = words[at - 1].mark("—")
        && words[at].is("no")
        && words[at..end].iter().filter(|word| word.kind != WordKind::Mark).count() == 2;
    short
        && !words[at + 1].any(&["exceptions", "exception", "excuses", "matter"])
        && matches!(mood_of(&words[start..at]).mood, Mood::Order(level, _) if !level.is_prohibition())
}

/// `Never sail to the reef, take a pilot`, `Don't guess, ask`: what to do stands behind the comma of a ban. What a list goes on with is
/// forbidden, too.
fn turns_to_remedy(words: &[Word], start: usize, at: usize, end: usize) -> bool {
    const SHORTEST: usize = 2;
    const SOFT: &[&str] = &["prefer", "favor", "favour"];
    let (ban, rest) = (&words[start..at], &words[at..end]);
    let opens = ban.first().is_some_and(|first| first.any(&["never", "don't"]))
        || matches!(ban, [first, what, ..] if first.is("no") && !what.any(&["matter", "longer", "need"]))
        || matches!(ban, [first, not, ..] if first.is("do") && not.is("not"))
        // `Avoid gaps, prefer one long run`.
        || ban.first().is_some_and(|first| first.is("avoid")) && rest.first().is_some_and(|act| act.any(SOFT));
    let lone = words[start..end].iter().filter(|word| word.mark(",") || word.mark(";")).count() == 1;
    let Some(act) = rest.first().filter(|_| opens && lone && words[at - 1].mark(",")) else { return false };
    let plain = rest.iter().filter(|word| word.kind != WordKind::Mark).count();
    let acts = act.kind == WordKind::Plain
        && is_verb(&act.lower)
        && (plain == 1 || act.is("use") || !is_nounish(&act.lower) || rest[1].among(DETERMINERS))
        && !act.capital;
    ban.len() > SHORTEST
        && acts
        && !rest.iter().any(|word| word.any(&["or", "nor"]))
        && (plain == 1 || act.any(SOFT) || mood_of(rest).mood == IMPERATIVE)
}

/// `Short sentences; no jargon`, `Calls use the client; no raw requests`: whether what the second half denies is forbidden beside the first.
/// `It runs offline; no calls leave it` tells.
fn parts_from_denial(words: &[Word], start: usize, at: usize, end: usize) -> bool {
    denies(&words[at..end]) && (!has_finite(&words[start..at]) || told(&words[start..end]).is_some())
}

/// `Don't quiz: open questions tell more; keep menus for forks`, `Avoid gaps: never skip a page — leave it blank`: where an order begins
/// behind the reason for what is forbidden, or behind how. What a semicolon parts within a list of forbidden things is no order.
fn turns_behind_reason(words: &[Word], reason: usize, end: usize) -> Option<usize> {
    let parts = |at: &usize| words[*at].depth == 0 && (words[*at].mark(";") || words[*at].mark("—"));
    let turn = (reason..end).find(parts)? + 1;
    let said = &words[reason..turn];
    let tells = words[turn - 1].mark(";") && has_finite(said) && mood_of(said).mood == Mood::Statement;
    let forbids = words[reason].capital && mood_of(said).mood.forbids() && !excepts(words, turn, end);
    let orders = matches!(mood_of(&words[turn..end]).mood, Mood::Order(level, _) if !level.is_prohibition());
    (orders && (tells || forbids && imperative(&words[turn..end]))).then_some(turn)
}

/// `**Never** —`, `MUST NOT -`: the force of what follows.
fn lone_force(words: &[Word]) -> bool {
    let mut plain = words.iter().filter(|word| word.kind != WordKind::Mark).peekable();
    plain.peek().is_some()
        && words.last().is_some_and(|word| word.mark("—"))
        && plain.all(|word| {
            word.any(&["never", "don't", "do", "not", "must", "always", "avoid", "mustn't", "should", "only"])
        })
}

/// `Stop and ask if: a; b`: the semicolon parts cases.
fn lists(words: &[Word]) -> bool {
    const OPENING: &[&str] = &["if", "when", "unless", "before", "after", "where", "whenever", "until"];
    words.windows(2).any(|pair| pair[1].mark(":") && pair[0].any(OPENING))
}

/// `Maintainers may merge, but only …`, `Guests are allowed to sail, but only …`: what follows bounds it.
fn permits(words: &[Word], next: Option<&Word>) -> bool {
    let free = words.windows(2).any(|pair| {
        pair[0].any(&["is", "are", "you're"])
            && pair[1].any(&["allowed", "permitted", "free", "welcome", "fine"])
    });
    next.is_some_and(|next| next.any(&["only", "not"]) && !(free && next.is("not")))
        && (free || words.iter().any(|word| word.any(&["may", "can"])))
}

/// `otherwise,`: what follows goes on with it.
fn turns(words: &[Word]) -> bool {
    words.last().is_some_and(|word| word.mark(","))
        && words.iter().all(|word| word.kind == WordKind::Mark || word.any(&["otherwise", "else"]))
}

/// `No later than Friday, sign the log`: by when it is done.
pub(crate) fn is_due(words: &[Word]) -> bool {
    matches!(words, [no, later, than, ..] if no.is("no") && later.any(&["later", "earlier", "sooner"]) && than.is("than"))
}

/// Whether words are a bare condition: what follows belongs to it.
fn waits(words: &[Word]) -> bool {
    let opens = words
        .iter()
        .find(|word| word.kind != WordKind::Mark && !word.any(&["but", "and", "so", "then", "even"]))
        .is_some_and(|word| {
            word.any(&[
                "if", "when", "whenever", "once", "after", "before", "unless", "where", "while", "for", "in",
                "because", "since", "as", "although", "though",
            ])
        });
    let opens =
        opens || matches!(words, [so, long, as_, ..] if so.is("so") && long.is("long") && as_.is("as"));
    if words.len() > 1 && super::in_case::end_of_list(words) == words.len() - 1 {
        return true;
    }
    if words.last().is_some_and(|word| word.mark(",")) && (supposes(words) || concedes(words)) {
        return true;
    }
    let commas = words.iter().filter(|word| word.mark(",")).count();
    let conditional = words
        .iter()
        .find(|word| word.kind != WordKind::Mark)
        .is_some_and(|word| word.any(&["if", "when", "whenever", "unless"]))
        && commas == 1
        && !words.iter().any(|word| word.mark("→") || word.mark(":") || word.mark("—"));
    opens
        && commas <= 1
        && words.last().is_some_and(|word| word.mark(","))
        && (conditional || !matches!(mood_of(words).mood, Mood::Order(..)))
}

/// `Even then,`, `Despite the wind,`, `Apart from merges,`: what does not matter, or is left out.
fn concedes(words: &[Word]) -> bool {
    const LONGEST: usize = 10;
    let first = words.iter().find(|word| word.kind != WordKind::Mark);
    let apart = matches!(words, [apart, from, ..] if apart.any(&["apart", "aside"]) && from.is("from"));
    words.len() <= LONGEST
        && (apart
            || first.is_some_and(|first| {
                first.any(&["even", "despite", "regardless", "notwithstanding", "besides"])
            }))
}

/// `Never amend — unless you alone have it`: what a dash adds takes something out, and orders nothing itself.
fn excepts(words: &[Word], at: usize, end: usize) -> bool {
    let is = |at: usize, lowers: &[&str]| at < end && words[at].any(lowers);
    let opens = is(at, &["unless", "except", "excepting", "excluding", "barring"])
        || is(at, &["apart", "aside"]) && is(at + 1, &["from"])
        || is(at, &["other"]) && is(at + 1, &["than"])
        || is(at, &["save"]) && is(at + 1, &["for", "when", "if"])
        || is(at, &["with"]) && is(at + 1, &["the"]) && is(at + 2, &["exception"])
        || is(at, &["but"]) && is(at + 1, &["only", "not"]) && is(at + 2, CASES)
        || is(at, &["only", "even"]) && is(at + 1, CASES)
        || is(at, CASES);
    let rest = words[at..end].iter().position(|word| word.mark("—") || word.mark(";"));
    let rest = &words[at..rest.map_or(end, |stop| at + stop)];
    let found = mood_of(rest);
    let ordered = found.main > 0 && (words[at].any(CASES) || words[at].any(&["unless", "except"]));
    opens && !ordered && rest.iter().all(|word| !word.mark("→"))
}

/// `Tell the crew and — where there is one — the pilot`: a dash behind a conjunction opens an aside, and the next one ends it.
fn closes_aside(words: &[Word], dash: usize) -> bool {
    const LONGEST: usize = 16;
    let opening =
        (dash.saturating_sub(LONGEST)..dash).rev().find(|&at| words[at].mark("—") || words[at].mark("."));
    opening.is_some_and(|at| words[at].mark("—") && at > 0 && words[at - 1].any(&["and", "or"]))
}

/// `Never — under any circumstances — row there`: either dash of an aside right behind what denies.
fn denied_aside(words: &[Word], dash: usize) -> bool {
    const LONGEST: usize = 12;
    let denies = |at: usize| at > 0 && words[at].mark("—") && words[at - 1].any(&["never", "not"]);
    denies(dash)
        || (dash.saturating_sub(LONGEST)..dash)
            .rev()
            .find(|&at| words[at].mark("—") || words[at].mark("."))
            .is_some_and(denies)
}

const CASES: &[&str] =
    &["if", "when", "whenever", "while", "until", "after", "before", "in", "on", "for", "during"];

/// `…, so run it in a sandbox`: what a sentence that tells comes to.
fn concludes(rest: &[Word]) -> bool {
    let only = usize::from(rest.first().is_some_and(|word| word.any(&["only", "always", "just", "still"])));
    let acts = rest.get(only).is_some_and(|verb| verb.kind == WordKind::Plain && is_verb(&verb.lower));
    let ends =
        |next: &Word| next.kind != WordKind::Plain || next.among(DETERMINERS) || next.among(OBJECT_STARTS);
    let plainly = acts && !is_nounish(&rest[only].lower);
    // `so read positions from the picture`.
    let from = rest.get(only + 2).is_some_and(|next| next.any(&["from", "with", "before", "instead"]));
    let object = rest.get(only + 1).is_some_and(|next| plainly || ends(next) || from);
    acts && object && matches!(mood_of(rest).mood, Mood::Order(..))
}

/// Whether a new clause begins at `at`.
fn splits(words: &[Word], at: usize, end: usize) -> bool {
    const FARTHEST: usize = 14;
    let word = &words[at];
    let before = &words[at - 1];
    if word.depth > 0 || before.depth > 0 {
        return false;
    }
    if before.mark("—")
        && (excepts(words, at, end) || closes_aside(words, at - 1) || denied_aside(words, at - 1))
    {
        return false;
    }
    if before.mark("—") || before.mark(";") {
        return true;
    }
    let next = |lowers: &[&str]| at + 1 < end && words[at + 1].any(lowers);
    let comma = before.mark(",");
    let negator = word.any(&["never", "don't"]) || (word.is("do") && next(&["not"]));
    if comma && (negator || word.is("no") && at + 1 < end && words[at + 1].kind == WordKind::Plain) {
        return true;
    }
    // `You may sail, but you may not tow`, `You may sail, you may not tow`
    let other = at + usize::from(word.is("but"));
    let permits = || words[at.saturating_sub(FARTHEST)..at].iter().any(|word| word.any(&["may", "can"]));
    if (comma || word.is("but"))
        && permits()
        && words.get(other).is_some_and(|who| who.any(&["you", "they", "we"]))
        && other + 1 < end
        && denies_modally(words, other + 1)
    {
        return true;
    }
    if comma && word.is("so") && concludes(&words[at + 1..end]) {
        return true;
    }
    // `Check not just that it floats, but that it is dry`
    if comma && word.is("but") && adds_to(&words[at.saturating_sub(2 * FARTHEST)..at]) {
        return false;
    }
    if comma && (word.is("but") || (word.is("and") && next(&["nothing"]))) {
        return true;
    }
    if before.mark(":") && at + 2 < end && mood_of(&words[at..end]).main == 0 {
        return matches!(mood_of(&words[at..end]).mood, Mood::Order(..));
    }
    // `Use the quay and avoid the reef`, and not what something is for: `to save time and avoid waste`.
    let for_what = || {
        let near = &words[at.saturating_sub(FARTHEST)..at];
        near.windows(2).any(|pair| pair[0].is("to") && is_verb(&pair[1].lower))
            || near.iter().any(|word| {
                word.any(&[
                    "help", "helps", "will", "can", "should", "must", "may", "lets", "so", "which", "who",
                    "you", "we",
                ])
            })
    };
    let joined = word.any(&["and", "but"])
        && (next(&["never", "don't", "always"])
            || word.is("but")
                && next(&["may", "must", "can", "should"])
                && words.get(at + 2).is_some_and(|not| not.is("not"))
            || next(&["avoid"]) && at + 2 < end && !for_what()
            || (next(&["do"]) && at + 2 < end && !words[at + 2].any(&["it", "this", "that", "so"])));
    // `Do not use it, and if it is loose, tie it`.
    let in_case = || {
        let opens =
            words[at.saturating_sub(FARTHEST)..at].iter().any(|word| word.any(&["never", "don't", "not"]));
        let rest = mood_of(&words[at + 1..end]);
        opens && rest.main > 0 && matches!(rest.mood, Mood::Order(level, _) if !level.is_prohibition())
    };
    if comma && word.is("and") && next(&["if", "when", "whenever", "once"]) && in_case() {
        return true;
    }
    // `Avoid thinking of it and instead think of her`.
    let replaces = word.any(&["and", "but"])
        && next(&["instead", "rather"])
        && words.get(at + 2).is_some_and(|verb| verb.kind == WordKind::Plain && is_verb(&verb.lower));
    joined || replaces || (comma && word.any(&["instead", "just"]) && at + 1 < end)
}

/// `not just that it floats`: what a clause with `but` adds to.
fn adds_to(words: &[Word]) -> bool {
    words.windows(2).any(|pair| pair[0].is("not") && pair[1].any(&["just", "only", "merely", "simply"]))
}
