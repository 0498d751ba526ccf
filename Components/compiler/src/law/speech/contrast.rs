//! What half a sentence sets against the other half, in brackets or behind a dash: `Use letters only (no digits)`, `Store dates as UTC,
//! never local`. Each half is a line of its own, that says again what it needs of the other one.

use std::ops::Range;

use mentci_authority::Level;

use super::bracket::brackets;
use super::condense::flat;
use super::imperative::imperative;
use super::label::{Label, label};
use super::leniency::LEAVING;
use super::lexicon::{DETERMINERS, is_verb};
use super::mood::{Mood, has_finite, mood_of};
use super::prose::Prose;
use super::referent::{act_of, thing_of};
use super::thing::points;
use super::thing::says_little;
use super::word::{Word, WordKind};

/// A bracket that turns the polarity of its clause.
pub(crate) struct Turned {
    /// The words in it.
    pub words: Range<usize>,
    /// What it says, readable alone.
    pub text: String,
    pub level: Level,
}

/// The brackets of a clause that forbid beside its order, or order beside its prohibition.
pub(crate) fn turned(
    prose: &Prose<'_>,
    sentence: &Range<usize>,
    clause: &Range<usize>,
    level: Level,
) -> Vec<Turned> {
    if level == Level::May {
        return Vec::new();
    }
    let inner = brackets(prose, clause).into_iter().map(|bracket| bracket.start + 1..bracket.end - 1);
    inner
        .filter_map(|inner| {
            turned_by(prose, sentence, clause, inner.clone(), level)
                .or_else(|| turned_within(prose, inner).filter(|_| !level.is_prohibition()))
        })
        .collect()
}

/// `(BASE is the start commit — never HEAD~1)`: a piece of a bracket that forbids, with the piece in front of it.
fn turned_within(prose: &Prose<'_>, inner: Range<usize>) -> Option<Turned> {
    let parts = |at: &usize| {
        prose.words[*at].kind == WordKind::Mark && matches!(prose.words[*at].lower.as_str(), "—" | ";")
    };
    let turns = |at: usize| parts(&at) || prose.words[at].lower == ",";
    let never = inner.clone().skip(1).find(|&at| prose.words[at].is("never") && turns(at - 1))?;
    let start = (inner.start..never - 1).rev().find(parts).map_or(inner.start, |turn| turn + 1);
    let end = (never..inner.end).find(|&at| prose.words[at].lower == ";").unwrap_or(inner.end);
    // `Sail on (optional; never at night)` says both of the act in front of it.
    if start == inner.start && start + 2 == never {
        return None;
    }
    let (head, rest) = (prose.condensed(start..never - 1), prose.condensed(never..end));
    (start < never - 1).then(|| Turned {
        words: never..end,
        text: format!("{head}, {rest}"),
        level: Level::MustNot,
    })
}

fn turned_by(
    prose: &Prose<'_>,
    sentence: &Range<usize>,
    clause: &Range<usize>,
    inner: Range<usize>,
    level: Level,
) -> Option<Turned> {
    // `(but don't wake her)`.
    let inner = inner.start + usize::from(prose.words[inner.start].is("but") && inner.len() > 1)..inner.end;
    let words = flat(&prose.words[inner.clone()]);
    let first = words.iter().find(|word| word.kind != WordKind::Mark)?;
    let said = prose.condensed(inner.clone());
    let whole = |said: &str| match topic(prose, sentence, clause, inner.start - 1) {
        Some(topic) => format!("{topic}: {said}"),
        None => said.to_owned(),
    };
    if level.is_prohibition() {
        // `Don't draw a map (draw a chart)`.
        let again =
            || prose.words[clause.clone()].iter().any(|word| word.depth == 0 && word.lower == first.lower);
        let remedy = is_remedy(&words, first, again);
        let text = if points(&words) { whole(&said) } else { said };
        return remedy.then_some(Turned { words: inner, text, level: Level::Must });
    }
    let advised = level == Level::Should;
    let level = if advised || first.is("avoid") { Level::ShouldNot } else { Level::MustNot };
    let behind_code = words.len() <= 2
        && inner.start.checked_sub(2).is_some_and(|before| prose.words[before].kind == WordKind::Code);
    let text = if first.is("no") && tells_cases(&prose.words[sentence.clone()]) {
        return None;
    } else if first.is("no") {
        (denies(&words) && !behind_code).then(|| whole(&said))?
    } else if mood_of(&words).mood.forbids() {
        let elliptic = first.is("never") && !imperative(words.get(1..).unwrap_or(&[]));
        match elliptic.then(|| never_does(prose, clause, &(inner.start + 1..inner.end))) {
            // `Depths are taken from the chart (never from memory)`.
            // `Moor at the quay (never during a storm)`
            Some(None) if words.get(1).is_some_and(|next| next.any(&["during", "without", "outside"])) => {
                format!("{}, {said}", prose.condensed(clause.start..inner.start - 1))
            }
            Some(None) if words.get(1).is_some_and(|next| next.any(HOW)) => whole(&said),
            // `Sails of flax (never raw hemp)`: nothing is done there.
            Some(None) if words.len() > 2 && act_of(&prose.words, clause).is_none() => said,
            Some(text) => text?,
            None if points(&words) || takes_up(&words) => whole(&said),
            None if has_no_object(&words) => {
                format!("{}, {said}", prose.condensed(clause.start..inner.start - 1))
            }
            None => said,
        }
    } else {
        return None;
    };
    // `(the agent does NOT sign it)`
    let does_not = || {
        words
            .windows(2)
            .take(4)
            .any(|pair| pair[0].any(&["does", "do", "must", "may"]) && pair[1].is("not") && pair[1].shouted)
    };
    let opens = first.any(&["no", "never", "don't", "do", "avoid", "not"]) || does_not();
    opens.then_some(Turned { words: inner, text, level })
}

/// `Make (no plan), mend (an old plan) or judge (critique only)`: each bracket says when its name is meant.
fn tells_cases(words: &[Word]) -> bool {
    const FEWEST: usize = 2;
    let closes = |at: &usize| {
        words[*at].lower == ")"
            && words
                .get(at + 1)
                .is_none_or(|next| next.mark(",") || next.mark(".") || next.any(&["or", "and"]))
    };
    (0..words.len()).filter(closes).count() >= FEWEST
}

/// `don't overwrite`, `NEVER splice`, `don't overwrite existing`: to what it is not done stands in front of the bracket.
fn has_no_object(words: &[Word]) -> bool {
    let plain: Vec<&Word> = words.iter().filter(|word| word.kind != WordKind::Mark).collect();
    let rest = match plain[..] {
        [first, ref rest @ ..] if first.any(&["never", "don't"]) => rest,
        [first, not, ref rest @ ..] if first.is("do") && not.is("not") => rest,
        _ => return false,
    };
    match rest {
        [act] => act.kind == WordKind::Plain,
        [_, which] => which.any(&["existing", "again", "twice", "yet"]),
        _ => false,
    }
}

/// `never commit this`, `don't share it`: what is spoken of stands outside.
fn takes_up(words: &[Word]) -> bool {
    let last = words.iter().rev().find(|word| word.kind != WordKind::Mark);
    last.is_some_and(|last| last.any(&["this", "it", "them", "these"]))
}

/// `(put them in the README)`, `(use tabs instead)`: what to do in the place of what is forbidden. `(skip tests)` goes on with it, and so may
/// any order that has no such word.
fn is_remedy(words: &[Word], first: &Word, again: impl Fn() -> bool) -> bool {
    const REMEDIES: &[&str] = &[
        "use",
        "prefer",
        "put",
        "keep",
        "move",
        "choose",
        "pick",
        "rely",
        "regenerate",
        "write",
        "link",
        "store",
        "focus",
        "stick",
    ];
    // `Never stack votes (use multiple accounts)` says how that is done, and not what to do instead.
    const DOINGS: &[&str] = &["multiple", "several", "many", "fake", "false"];
    let instead = words.iter().any(|word| word.any(&["instead", "them", "it"]));
    let tells_how = !instead && words.get(1).is_some_and(|next| next.any(DOINGS));
    // `Avoid slack lines (always take in the rest)`
    let always = first.is("always") && words.len() > 3 && is_verb(&words[1].lower);
    always && !words.iter().any(|word| word.any(&["not", "never", "no"]))
        || words.len() > 2
            && imperative(words)
            && !first.any(LEAVING)
            && !tells_how
            && (instead || first.any(REMEDIES) || again())
            && !words.iter().any(|word| word.any(&["if", "unless", "only", "when", "not", "never", "no"]))
}

/// `no slashes`, and not `no setup needed`, `no exceptions`, `no need`: what is denied is what shall not be there.
pub(crate) fn denies(words: &[Word]) -> bool {
    const IDLE: &[&str] = &[
        "need",
        "needed",
        "needs",
        "required",
        "necessary",
        "exception",
        "exceptions",
        "omissions",
        "gaps",
        "matter",
        "longer",
        "wonder",
        "problem",
        "problems",
        "error",
        "worries",
        "rush",
        "doubt",
        "exemptions",
        "excuses",
        "way",
        "reason",
        "sense",
        "point",
        "use",
        "good",
        "more",
        "less",
        "later",
        "fewer",
        "one",
        "default",
        "effect",
        "result",
        "if",
        "available",
        "yet",
        // `no user present` is a case.
        "present",
        "given",
        "set",
        "configured",
        "connected",
        "running",
        "specified",
        "provided",
        // What is to be absent tells how it turned out: `All green (no warnings)`.
        "errors",
        "warnings",
        "failures",
        "regressions",
        "crashes",
        "typos",
    ];
    let mut plain = words.iter().filter(|word| word.kind != WordKind::Mark);
    plain.next().is_some_and(|word| word.is("no") && !word.shouted)
        && plain.next().is_some_and(|word| word.kind != WordKind::Plain || word.lower.len() > 1)
        && !words.iter().any(|word| word.any(IDLE))
        && !has_finite(words)
}

/// What a clause is about, in few words: its label, its object or subject, or all of it.
fn topic(prose: &Prose<'_>, sentence: &Range<usize>, clause: &Range<usize>, end: usize) -> Option<String> {
    const LONGEST: usize = 12;
    if let (Label::Topic, body) = label(prose, sentence.clone())
        && body.start <= end
    {
        return Some(prose.condensed(sentence.start..body.start));
    }
    let head = clause.start..end;
    let thing = thing_of(&prose.words, &head).or_else(|| (head.len() <= LONGEST).then_some(head))?;
    Some(prose.condensed(thing))
}

/// What says how or where, and names nothing.
const HOW: &[&str] = &[
    "when", "if", "while", "until", "once", "as", "by", "in", "on", "at", "to", "with", "from", "for",
    "into", "before", "after", "under", "via", "through", "during", "without", "outside",
];

/// `never store dates local` of `Store dates as UTC, never as text`: what is done is said again, and to what, where the rest says only how.
pub(crate) fn never_does(prose: &Prose<'_>, head: &Range<usize>, rest: &Range<usize>) -> Option<String> {
    const ANYBODY: &[&str] = &[
        "anyone",
        "anybody",
        "anything",
        "someone",
        "somebody",
        "something",
        "everyone",
        "everything",
        "others",
        "people",
        "it",
        "them",
        "him",
        "us",
        "you",
        "me",
        "yourself",
        "itself",
        "themselves",
    ];
    let words = &prose.words;
    let first = words[rest.clone()].iter().find(|word| word.kind != WordKind::Mark)?;
    // `Skip it by default; never runs at night`: it says itself what is not done.
    let base = first.lower.strip_suffix('s').filter(|base| is_verb(base));
    let parted = rest.start > 1 && words[rest.start - 2].mark(";");
    // `never wake the owner`: a verb that no list knows.
    let behind = words[rest.clone()].get(1).is_some_and(|next| next.among(DETERMINERS) || next.any(ANYBODY));
    let unknown = behind
        && !first.lower.ends_with('s')
        && first.kind == WordKind::Plain
        && !first.among(DETERMINERS)
        && !first.any(HOW);
    let whole = parted && first.kind == WordKind::Plain && !first.any(HOW) && words[rest.clone()].len() > 1;
    if (base.is_some() && parted || unknown || whole) && !first.capital {
        return Some(format!("never {}", prose.condensed(rest.clone())));
    }
    let act = act_of(words, head)?;
    let plain = words[rest.clone()].iter().filter(|word| word.kind != WordKind::Mark).count();
    // `never local` may be a name or a manner.
    if plain == 1 && first.kind == WordKind::Plain && !first.capital {
        return None;
    }
    let verb = prose.condensed(act.verb).to_lowercase();
    let object = if first.any(HOW) { format!(" {}", prose.condensed(act.object)) } else { String::new() };
    // `Keep all keys in the safe (never in code)` is said of each of them.
    let object = object.strip_prefix(" all ").map_or(object.clone(), |rest| format!(" {rest}"));
    Some(format!("never {verb}{} {}", object.trim_end(), prose.condensed(rest.clone())))
}

/// What an item that names something forbidden says to do with it: `Tables → a page of their own`, `conventions (put them in the README)`.
pub(crate) struct Remedied {
    /// The words that only name it.
    pub name: Range<usize>,
    /// `if a regex can catch it`: when it is forbidden.
    pub case: Option<String>,
    /// The words of the remedy, and the line of it.
    pub remedies: Vec<(Range<usize>, String)>,
}

impl Remedied {
    /// The name of what is forbidden, and its case.
    pub(crate) fn named(&self, name: &str) -> String {
        self.case.as_ref().map_or_else(|| name.to_owned(), |case| format!("{name} ({case})"))
    }
}

/// Parts the name of what is forbidden from its remedy; none where the item has no remedy.
pub(crate) fn remedied(prose: &Prose<'_>, item: &Range<usize>) -> Option<Remedied> {
    const CASES: &[&str] = &["during", "for", "when", "if", "while", "in", "on", "at", "after", "before"];
    let words = &prose.words;
    if let Some(arrow) = item.clone().find(|&at| words[at].mark("→")) {
        let led = arrow > item.start && arrow + 1 < item.end;
        let line = prose.condensed(item.clone());
        let behind = &words[arrow + 1..item.end];
        // `Lamps of other makers → not supported` says only why.
        let denied = behind.first().is_some_and(|word| word.any(&["not", "no", "never", "unsupported"]));
        let forbids = mood_of(behind).mood.forbids();
        return (led && !denied && !forbids).then(|| Remedied {
            name: item.start..arrow,
            case: None,
            remedies: vec![(item.clone(), line)],
        });
    }
    // `Rowing without a pilot; be clear about who steers`.
    if let Some(turn) = item.clone().find(|&at| words[at].mark(";")).filter(|&turn| turn > item.start)
        && let Some(begins) = (turn + 1..item.end).find(|&at| words[at].kind != WordKind::Mark)
        && mood_of(&words[item.start..turn]).mood == Mood::Fragment
        && is_order(&words[begins..item.end])
    {
        let (name, remedy) = (item.start..turn, begins..item.end);
        let line = prose.condensed(remedy.clone());
        // `During a storm; use the tow`.
        let little = says_little(&words[remedy.clone()]);
        let line = if points(&words[remedy.clone()]) || words[name.start].any(CASES) || little {
            format!("{}: {line}", prose.condensed(name.clone()))
        } else {
            line
        };
        return Some(Remedied { name, case: None, remedies: vec![(remedy, line)] });
    }
    // `Related faults — look into them together first`.
    if let Some(dash) = item.clone().find(|&at| words[at].mark("—")).filter(|&dash| dash > item.start)
        && is_told(&words[dash + 1..item.end])
    {
        let (name, remedy) = (item.start..dash, dash + 1..item.end);
        let line = format!("{}: {}", prose.condensed(name.clone()), prose.condensed(remedy.clone()));
        return Some(Remedied { name, case: None, remedies: vec![(remedy, line)] });
    }
    let bracket =
        brackets(prose, item).into_iter().next_back().filter(|bracket| bracket.start > item.start)?;
    let ends = words[bracket.end..item.end].iter().all(|word| word.kind == WordKind::Mark);
    let inner = bracket.start + 1..bracket.end - 1;
    if !ends || !is_told(&flat(&words[inner.clone()])) {
        return None;
    }
    // What the bracket says of the case belongs to the name, too.
    let waits = mood_of(&flat(&words[inner.clone()])).main;
    let case = (waits > 0).then(|| prose.condensed(inner.start..inner.start + waits));
    let name = item.start..bracket.start;
    let parts = inner_parts(prose, &inner);
    let remedies = parts
        .into_iter()
        .map(|part| (part.clone(), format!("{}: {}", prose.condensed(name.clone()), prose.condensed(part))))
        .collect();
    Some(Remedied { name, case, remedies })
}

/// `put them in the README`, `if a regex can catch it, automate it`: an order, and no further name of what is forbidden.
fn is_told(inner: &[Word]) -> bool {
    let found = mood_of(inner);
    let orders = matches!(found.mood, Mood::Order(Level::Must | Level::Should, _));
    let waits = found.main > 0 && inner[0].any(&["if", "when"]);
    let first = inner.iter().find(|word| word.kind != WordKind::Mark);
    orders
        && inner.len() > 2
        && !inner[0].is("see")
        && (waits || first.is_some_and(|first| !first.any(LEAVING)) && imperative(inner))
}

/// `be clear about who steers`, `split them`: an order, be it short, and no further name of what is forbidden.
pub(crate) fn is_order(inner: &[Word]) -> bool {
    let Some(first) = inner.iter().find(|word| word.kind != WordKind::Mark) else { return false };
    is_told(inner)
        || inner.len() > 1
            && is_verb(&first.lower)
            && !first.any(LEAVING)
            && inner.get(1).is_some_and(|object| {
                object.any(&["it", "them"])
                    || first.any(&["use", "see", "call", "ask"]) && object.kind == WordKind::Code
            })
}

/// `automate it — save pages for judgment`: two orders.
fn inner_parts(prose: &Prose<'_>, inner: &Range<usize>) -> Vec<Range<usize>> {
    let turns = |at: &usize| {
        prose.words[*at].kind == WordKind::Mark
            && matches!(prose.words[*at].lower.as_str(), "—" | ";")
            && imperative(&flat(&prose.words[at + 1..inner.end]))
    };
    match inner.clone().find(turns) {
        Some(turn) => vec![inner.start..turn, turn + 1..inner.end],
        None => vec![inner.clone()],
    }
}
