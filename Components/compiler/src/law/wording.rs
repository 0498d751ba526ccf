//! How a clause is worded when it stands alone: what it leaves to the clauses beside it is put back.

use std::ops::Range;

use mentci_authority::{Force, Level};

use super::composed::{draft_of, under_name};
use super::denial::tells_at;
use super::draft::Book;
use super::setting::Setting;
use super::speech::clause::{Clause, fine};
use super::speech::contrast::{denies, never_does};
use super::speech::in_case::quotes_more;
use super::speech::label::{Label, label};
use super::speech::lexicon::{CONDITIONS, SUBJECTS, is_verb};
use super::speech::mood::{Mood, mood_of};
use super::speech::opposed::{asked_of, route};
use super::speech::prose::Prose;
use super::speech::referent::thing_of;
use super::speech::thing::points;
use super::speech::thing::says_little;
use super::speech::turn::denies_modally;
use super::speech::withdrawn::whole_denial;
use super::speech::word::{Word, WordKind};

/// The line of a clause, without the words that only connect it.
pub(super) fn clause_text(prose: &Prose<'_>, found: &[Clause], at: usize) -> String {
    let clause = &found[at];
    let skip = connectives(&prose.words[clause.words.clone()]);
    let text = prose.condensed(clause.words.start + skip..clause.words.end);
    // `asking twice is not` behind `Asking once is fine`
    let bare = text.trim_end_matches(['.', ' ']);
    let ends = [" is not", " are not"].iter().any(|end| bare.ends_with(end));
    let fine =
        at.checked_sub(1).filter(|_| ends).and_then(|before| fine(&prose.words[found[before].words.clone()]));
    fine.map_or(text.clone(), |fine| format!("{bare} {}", &*fine.lower))
}

/// A clause behind others, with what it needs of them to be understood alone.
pub(super) fn worded_alone(
    prose: &Prose<'_>,
    sentence: &Range<usize>,
    (found, at): (&[Clause], usize),
    text: String,
) -> String {
    if let Some(until) = until_then(prose, found, at) {
        let text = text.trim_end_matches(" yet");
        return format!("{text} {until}");
    }
    let text = match taken_up_by_pronoun(prose, found, at) {
        Some(before) => under_subject(prose, &before, text),
        None => under_told(prose, found, at, text),
    };
    let text = under_label(prose, sentence, &found[at], text);
    if let Some(head) = head_of_rest(prose, found, at) {
        return against(prose, &head, &found[at].words, &text);
    }
    whole_denial(prose, found, at)
        .or_else(|| for_that(prose, found, at, &text))
        .or_else(|| in_place_of_one(prose, found, at, &text))
        .or_else(|| beside_order(prose, found, at, &text))
        .or_else(|| in_place_of(prose, found, at, &text))
        .unwrap_or(text)
}

/// `use the boat` of `Do not take the steamer for small cargo — use the boat`: so short a remedy says little without what it replaces.
fn in_place_of(prose: &Prose<'_>, found: &[Clause], at: usize, text: &str) -> Option<String> {
    const LONGEST: usize = 14;
    let (clause, before) = (&found[at], found.get(at.checked_sub(1)?)?);
    let mark = &prose.words[clause.words.start - 1];
    // `Never push by hand; use the bot`
    let parted = mark.mark("—") || mark.mark(";") && prose.words[clause.words.start].is("use");
    let said = &prose.words[clause.words.clone()];
    if !(parted && before.mood.forbids() && !clause.mood.forbids() && says_little(said))
        || clause.condition.is_some()
    {
        return None;
    }
    let negator =
        |word: &Word| word.any(&["do", "not", "don't", "never", "avoid"]) || word.kind == WordKind::Mark;
    // `Avoid knots: Never coil a wet rope — hang it up`
    let label = before
        .words
        .clone()
        .rfind(|&at| prose.words[at].mark(":"))
        .map_or(before.words.start, |colon| colon + 1);
    let start = (label..before.words.end).find(|&at| !negator(&prose.words[at]))?;
    let denied = prose.words[label..start].iter().any(|word| word.kind != WordKind::Mark);
    let opens = denied && before.condition.is_none();
    let bad = prose.lowered(start..before.words.end - 1).trim_end_matches([' ', '—', ',']).to_owned();
    // `Don't spam the port — call it once`: what stands behind `don't` is a verb, be it in no list.
    let acts = prose.words[label..start].iter().any(|word| word.any(&["don't", "do", "never"]));
    let short = (2..=LONGEST).contains(&(before.words.end - 1 - start));
    let twice = bad.contains("instead of") || bad.contains("rather than");
    (opens && short && !twice)
        .then(|| if acts { format!("rather than {bad}: {text}") } else { rather_than(&bad, text) })
}

/// `Do not take the launch for short trips; use the skiff for that`, `Never use chalk for the log; use ink`: for what it is used, the ban says.
fn for_that(prose: &Prose<'_>, found: &[Clause], at: usize, text: &str) -> Option<String> {
    const LONGEST: usize = 8;
    let (clause, before) = (&found[at], found.get(at.checked_sub(1)?)?);
    let parted = prose.words[before.words.end - 1].mark(";") || prose.words[before.words.end - 1].mark("—");
    let orders = matches!(clause.mood, Mood::Order(level, _) if !level.is_prohibition());
    if !(parted && orders && before.mood.forbids()) || clause.condition.is_some() {
        return None;
    }
    let words = &prose.words[before.words.clone()];
    let purpose = words.iter().rposition(|word| word.depth == 0 && word.is("for")).filter(|&at| at > 1)?;
    let purpose = &words[purpose + 1..words.len() - 1];
    let named = (1..=LONGEST).contains(&purpose.len())
        && purpose.iter().all(|word| word.kind != WordKind::Mark && !word.any(&["that", "this", "it"]));
    let start = before.words.end - 1 - purpose.len();
    let purpose = prose.condensed(start..before.words.end - 1);
    if !named {
        return None;
    }
    if let Some(front) = text.strip_suffix(" for that").or_else(|| text.strip_suffix(" for this")) {
        return Some(format!("{front} for {purpose}"));
    }
    let said = &prose.words[clause.words.clone()];
    let used = said[connectives(said)..].first().is_some_and(|word| word.is("use"));
    let own = said.iter().any(|word| word.any(&["for", "to", "when", "if", "in", "on", "with"]));
    (used && !own && words.iter().any(|word| word.is("use")) && says_little(said))
        .then(|| format!("for {purpose}: {text}"))
}

/// `Use a winch to hoist; don't add one for a single sail`: what `one` stands for, the order says.
fn in_place_of_one(prose: &Prose<'_>, found: &[Clause], at: usize, text: &str) -> Option<String> {
    let (clause, before) = (&found[at], found.get(at.checked_sub(1)?)?);
    let words = &prose.words[clause.words.clone()];
    let one = words.iter().position(|word| word.is("one")).filter(|&one| one > 0)?;
    let object = is_verb(&words[one - 1].lower)
        && words.get(one + 1).is_none_or(|next| {
            next.kind == WordKind::Mark
                || next.any(&["for", "to", "when", "if", "in", "on", "unless", "without"])
        });
    let asked = &prose.words[before.words.clone()];
    let article = asked.iter().position(|word| word.any(&["a", "an"]))?;
    let name = asked[article + 1..].iter().take_while(|word| {
        word.kind != WordKind::Mark
            && !word.any(&["to", "for", "when", "if", "in", "on", "of", "with", "that", "as"])
    });
    let named = before.words.start + article + 1;
    let named = named..named + name.count();
    let orders = matches!(before.mood, Mood::Order(..)) && matches!(clause.mood, Mood::Order(..));
    if !(object && orders && (1..=4).contains(&named.len())) {
        return None;
    }
    Some(text.replacen(" one", &format!(" {}", prose.condensed(named)), 1))
}

/// Whether a line says what it takes the place of.
pub(super) fn replaces(text: &str) -> bool {
    text.starts_with("rather than ") || text.starts_with("instead of ")
}

/// `instead of wet ropes: hang them up`, `rather than coil wet ropes: hang them up`.
pub(super) fn rather_than(bad: &str, order: &str) -> String {
    let acts = bad.split(' ').next().is_some_and(|first| is_verb(&first.to_lowercase()));
    format!("{} {bad}: {order}", if acts { "rather than" } else { "instead of" })
}

/// `Lie at anchor until the fog lifts; do not sail yet`: how long what is not done yet is not done.
fn until_then(prose: &Prose<'_>, found: &[Clause], at: usize) -> Option<String> {
    let before = found.get(at.checked_sub(1)?)?;
    let plain = |range: &Range<usize>| {
        prose.words[range.clone()].iter().rev().find(|word| word.kind != WordKind::Mark)
    };
    let yet = plain(&found[at].words).is_some_and(|last| last.is("yet"));
    let until = before.words.clone().rfind(|&at| prose.words[at].is("until")).filter(|_| yet)?;
    Some(prose.condensed(until..before.words.end))
}

/// `Don't skim.` right behind `Read the log to its end — with all notes.`: the order that says of what.
pub(super) fn order_in_front(
    book: &Book<'_>,
    prose: &Prose<'_>,
    sentence: &Range<usize>,
    here: &Setting,
) -> Option<String> {
    const LONGEST: usize = 60;
    let words: Vec<&Word> =
        prose.words[sentence.clone()].iter().filter(|word| word.kind != WordKind::Mark).collect();
    let act = match words[..] {
        [not, act] if not.any(&["don't", "never"]) => act,
        [does, not, act] if does.is("do") && not.is("not") => act,
        _ => return None,
    };
    let last = book.drafts.last().filter(|last| {
        let (near, own) = (prose.span(&(0..sentence.start)), last.spans.first());
        own.is_some_and(|own| own.start >= near.start && own.end <= near.end)
            && last.heading == here.heading
            && !last.level.is_prohibition()
            && last.condition.is_none()
    })?;
    let head = [" — ", ": ", "; ", ", ", " ("].iter().filter_map(|mark| last.text.find(mark)).min();
    let head = &last.text[..head.unwrap_or(last.text.len())];
    (is_verb(&act.lower) && head.len() <= LONGEST).then(|| head.to_owned())
}

/// How many words at the start of a clause only connect it, or number it.
fn connectives(words: &[Word]) -> usize {
    const CONNECTING: &[&str] = &[
        "also",
        "similarly",
        "however",
        "therefore",
        "thus",
        "so",
        "but",
        "and",
        "additionally",
        "furthermore",
        "moreover",
        "then",
        "likewise",
    ];
    let connects = |word: &&Word| word.kind == WordKind::Mark && word.lower != "(" || word.any(CONNECTING);
    // `So long as it is red`, `However small it is` are cases.
    let opens_case = matches!(words, [so, long, ..] if so.is("so") && long.is("long"))
        || matches!(words, [however, small, ..] if however.is("however") && small.kind == WordKind::Plain);
    let skip = if opens_case { 0 } else { words.iter().take_while(connects).count() };
    let numbered = words.len() > skip + 2
        && words[skip].lower.chars().all(|c| c.is_ascii_digit())
        && matches!(words[skip + 1].lower.as_str(), "." | ")");
    let skip = if numbered { skip + 2 } else { skip };
    if skip < words.len() { skip } else { 0 }
}

/// `late — set it aside, never answer it`: the name that a sentence says something of.
pub(super) fn named_by_dash(prose: &Prose<'_>, sentence: &Range<usize>) -> Option<Range<usize>> {
    const LONGEST: usize = 4;
    let words = &prose.words[sentence.clone()];
    let dash = words.iter().take(LONGEST + 1).position(|word| word.mark("—")).filter(|&dash| dash > 0)?;
    let name = &words[..dash];
    let named = name.iter().all(|word| word.kind != WordKind::Mark)
        && matches!(mood_of(name).mood, Mood::Fragment)
        && !is_verb(&name[0].lower)
        && words[dash + 1..].iter().any(|word| word.mark(","));
    named.then(|| sentence.start..sentence.start + dash)
}

/// Of a clause that is only the rejected rest of the one before it (`never npm`, `no other files`), the words that it needs of that one.
fn head_of_rest(prose: &Prose<'_>, found: &[Clause], at: usize) -> Option<Range<usize>> {
    let head = found.get(at.checked_sub(1)?)?;
    let before = head.condition.as_ref().map_or(head.words.start, |condition| condition.end)..head.words.end;
    let words = &prose.words[found[at].words.clone()];
    let rest = &words[connectives(words)..];
    // `never just delete it`
    let manner = |word: &&Word| word.any(MANNER) || word.lower.ends_with("ly") && !is_verb(&word.lower);
    let elliptic = rest.first().is_some_and(|word| word.is("never"))
        && rest
            .iter()
            .skip(1)
            .find(|word| !manner(word))
            .is_some_and(|next| next.kind != WordKind::Plain || !is_verb(&next.lower))
        && !acts_on_it(rest);
    let end = &prose.words[head.words.end - 1];
    let shouted = || rest.first().is_some_and(|word| word.is("no") && word.shouted);
    let none = end.mark("—") && denies(rest) || end.mark(",") && shouted();
    let turns = |word: &Word| word.mark("—") || word.mark(":") || word.mark(";") || word.mark("→");
    // `Fixed lamps: one height, NO glass`: what is denied is denied of the lamps.
    let colon = before.clone().find(|&at| prose.words[at].mark(":")).filter(|_| end.mark(",") && none);
    if let Some(colon) = colon {
        return Some(before.start..colon);
    }
    let inner = before.start..before.end.saturating_sub(1).max(before.start);
    let start = prose.words[inner].iter().rposition(turns).map_or(before.start, |at| before.start + at + 1);
    (elliptic || none).then_some(start..before.end)
}

/// How something is done, between `never` and what is done.
const MANNER: &[&str] = &["just", "ever", "again", "even", "also", "then", "merely", "manually"];

/// `never splice them`: a verb, be it in no list. `never overrides it` tells.
fn acts_on_it(rest: &[Word]) -> bool {
    matches!(rest, [_, verb, object, ..] if object.any(&["it", "them"]) && !verb.lower.ends_with('s'))
}

/// `Read the depth, never guess`: a bare verb that forbids, with the order that it is set against, or with the object of a longer one.
fn beside_order(prose: &Prose<'_>, found: &[Clause], at: usize, text: &str) -> Option<String> {
    const LONGEST: usize = 6;
    const LONGEST_TOLD: usize = 10;
    let head = found.get(at.checked_sub(1)?).filter(|head| head.words.end == found[at].words.start)?;
    let demands = matches!(head.mood, Mood::Order(level, _) if !level.is_prohibition());
    let forbids = found[at].mood.forbids();
    let words = &prose.words[found[at].words.clone()];
    let mut plain =
        words.iter().filter(|word| word.kind != WordKind::Mark && !word.any(&["and", "but", "just"]));
    let negated = match plain.next()? {
        first if first.any(&["never", "don't"]) => true,
        first => first.is("do") && plain.next()?.is("not"),
    };
    let alone = plain.next().is_some_and(|verb| is_verb(&verb.lower)) && plain.next().is_none();
    // `Fill in the rest; missing keys take the defaults, never block`
    let parted = head.words.clone().rev().skip(1).find(|&at| prose.words[at].mark(";"));
    let end = head.words.end.checked_sub(1)?;
    let told = parted.map_or(head.words.start, |mark| mark + 1)..end;
    let tells = (parted.is_some()
        || matches!(head.mood, Mood::Statement | Mood::Fragment) && head.condition.is_none())
        && prose.words[end].mark(",")
        && (2..=LONGEST_TOLD).contains(&told.len());
    // `Tempting as it is, never retry`
    let concedes = prose.words[told.clone()].iter().any(|word| word.is("as"));
    if tells && forbids && negated && alone && !concedes {
        return Some(format!("{}, {text}", prose.condensed(told)));
    }
    if !(demands && forbids && negated && alone) || head.condition.is_some() {
        return None;
    }
    // `Key missing: ask the owner; never guess`
    let behind = head.words.clone().take(LONGEST).find(|&at| prose.words[at].mark(":"));
    if head.words.end - behind.map_or(head.words.start, |colon| colon + 1) <= LONGEST {
        return Some(format!("{}, {text}", clause_text(prose, found, at - 1)));
    }
    let thing = prose.condensed(thing_of(&prose.words, &head.words)?);
    Some(format!("{thing}: {text}"))
}

/// `never record HEAD~1` of `Record the base, never HEAD~1`; where it has no verb to say again, all of the head stands in front.
fn against(prose: &Prose<'_>, head: &Range<usize>, rest: &Range<usize>, text: &str) -> String {
    const LONGEST: usize = 6;
    let never = rest.clone().find(|&at| prose.words[at].is("never"));
    if let Some(never) = never {
        return never_does(prose, head, &(never + 1..rest.end))
            .unwrap_or_else(|| format!("{}, {text}", prose.condensed(head.clone())));
    }
    match thing_of(&prose.words, head) {
        Some(thing) => format!("{}: {text}", prose.condensed(thing)),
        None if head.len() > LONGEST => text.to_owned(),
        None => format!("{}: {text}", prose.condensed(head.clone())),
    }
}

/// A line without a bracket that has its own.
pub(super) fn without(prose: &Prose<'_>, text: String, bracket: &Range<usize>) -> String {
    let said = prose.condensed(bracket.clone());
    [format!(" ({said})"), format!(" ({said}.)")]
        .iter()
        .fold(text, |text, said| text.replacen(said.as_str(), "", 1))
}

/// `Once X is exported, Y happens — do not Z`: the condition of the order in a clause that only tells.
pub(super) fn told_condition(prose: &Prose<'_>, first: Option<&Clause>) -> Option<Range<usize>> {
    let clause = first.filter(|clause| !matches!(clause.mood, Mood::Order(..)))?;
    let words = &prose.words[clause.words.clone()];
    // `Without a log there is no list; say so`
    let none = words.windows(3).position(|run| run[0].is("there") && run[1].is("is") && run[2].is("no"));
    if let Some(none) = none.filter(|&at| at > 1 && words[0].is("without")) {
        return Some(clause.words.start..clause.words.start + none);
    }
    let opens = words
        .iter()
        .find(|word| word.kind != WordKind::Mark)?
        .any(&["if", "when", "once", "after", "before", "unless", "while", "where"]);
    let comma = (0..words.len()).find(|&at| words[at].mark(",") && !quotes_more(words, at));
    // `If it holds A, B or C — stop`: what follows the comma is no clause.
    let dash = words.last().filter(|last| last.mark("—")).map(|_| words.len() - 1);
    let whole = dash.filter(|&dash| {
        comma.is_none_or(|comma| {
            matches!(mood_of(&words[comma + 1..dash.max(comma + 2)]).mood, Mood::Fragment)
        })
    });
    let end = whole.or(comma)?;
    opens.then(|| clause.words.start..clause.words.start + end)
}

/// `disable if the crew sleeps` of `The pump is loud; disable …`, `never share with guests` of `The log holds keys — never …`: what is to be done
/// with, the words in front say.
fn leaves_object(plain: &[&Word], parted: bool) -> bool {
    const SETTING: &[&str] =
        &["disable", "enable", "remove", "skip", "avoid", "omit", "use", "set", "increase", "reduce"];
    const GIVING: &[&str] = &[
        "expose", "share", "store", "send", "publish", "copy", "pass", "leave", "show", "reveal", "leak",
        "print", "cache", "hardcode", "embed", "commit", "log",
    ];
    match plain {
        [act, when, ..] if parted && when.any(&["if", "when", "unless"]) => act.any(SETTING),
        [never, act, to, ..] => {
            never.any(&["never", "don't"])
                && act.any(GIVING)
                && to.any(&["to", "in", "with", "on", "as", "outside"])
        }
        _ => false,
    }
}

/// `X is deprecated — use Y instead`, `It counts as input; it must not bind`: what an order behind a dash or a semicolon rests on.
pub(super) fn rests_on(prose: &Prose<'_>, found: &[Clause], at: usize) -> Option<Range<usize>> {
    let before = found.get(at.checked_sub(1)?)?;
    let told = !matches!(before.mood, Mood::Order(..)) && before.words.len() <= 30;
    let turn = &prose.words[before.words.end - 1];
    let words = &prose.words[found[at].words.clone()];
    let plain: Vec<&Word> =
        words[connectives(words)..].iter().filter(|word| word.kind != WordKind::Mark).collect();
    let bound = plain.len() <= 5 && plain.last()?.any(&["maximum", "minimum", "limit"]);
    let bare = (turn.mark(";") || turn.mark("—")) && leaves_object(&plain, turn.mark(";"));
    let subject = bound || bare || plain.first()?.any(&["it", "they", "these", "those", "its", "their"]);
    let but =
        turn.mark(",") && words.first().is_some_and(|word| word.is("but")) && before.mood == Mood::Statement;
    if told && but && subject {
        return Some(before.words.clone());
    }
    // `The ledger is another's: leave it in place`.
    let tells =
        || prose.words[before.words.clone()].iter().any(|word| word.any(&["is", "are", "was", "has"]));
    // `The log rots, so read it before each trip`.
    let so = turn.mark(",") && words[0].is("so");
    let named = (turn.mark(":") || turn.mark("—") || turn.mark(";") || so)
        && (before.mood == Mood::Statement || before.mood == Mood::Fragment && tells())
        && (points(words) || takes_up(&plain) || so && plain.iter().any(|word| word.any(&["it", "them"])));
    let instead = plain.last()?.is("instead");
    // `That is a visual question — use the browser`.
    let telling = || {
        plain.len() <= 5 && plain[0].any(&["tell", "warn", "inform", "notify", "mention", "flag", "report"])
    };
    let brief = (plain.len() <= 3 || telling())
        && turn.mark("—")
        && before.mood == Mood::Statement
        && matches!(found[at].mood, Mood::Order(Level::Must, Force::Implied));
    let parted = turn.mark("—") || turn.mark(";") || so;
    let replaces = || {
        plain[0].any(&["use", "choose", "pick", "switch", "fall"])
            && lacks(&prose.words[before.words.clone()])
    };
    (told && (named || parted && (subject || instead || brief || looks_back(&plain) || replaces())))
        .then(|| before.words.clone())
}

/// `The tug does not support long tows`, `Night tows are not available`, `The old chart is deprecated`: for what something else is used.
pub(super) fn lacks(words: &[Word]) -> bool {
    const GONE: &[&str] = &["deprecated", "obsolete", "discontinued", "retired"];
    const LACKED: &[&str] = &["support", "supported", "available", "allow", "offer", "provide"];
    const DENYING: &[&str] = &["not", "doesn't", "don't", "isn't", "aren't", "cannot", "can't"];
    // `` `tow $ROPE:` fails ``
    let fails = words.first().is_some_and(|first| first.kind == WordKind::Code)
        && words.iter().take(5).any(|word| word.any(&["fails", "breaks", "crashes"]));
    fails
        || words.windows(2).any(|pair| {
            pair[0].any(DENYING) && pair[1].any(LACKED) || pair[0].any(&["is", "are"]) && pair[1].any(GONE)
        })
}

/// `…; send them one by one there`, `…; use those refs`, `…; split larger files`: an order that says little without what stands before it.
fn looks_back(plain: &[&Word]) -> bool {
    const COMPARED: &[&str] = &["larger", "bigger", "longer", "smaller", "shorter"];
    let there = plain.last().is_some_and(|last| last.is("there"));
    let those = plain.iter().position(|word| word.any(&["those", "such"]));
    let compared =
        plain.get(1).is_some_and(|word| word.any(COMPARED)) && !plain.iter().any(|word| word.is("than"));
    there || those.is_some() || compared
}

/// `— handle that in your logic`: what was told in front is what it is done to.
fn takes_up(plain: &[&Word]) -> bool {
    matches!(plain, [act, that, how, ..] if act.kind == WordKind::Plain
        && that.any(&["that", "this"])
        && how.any(&["in", "by", "with", "before", "after", "for", "as", "to", "on"]))
}

/// The condition that a sentence opens with: the clauses behind the first one stand under it, too.
pub(super) fn leading_condition(
    prose: &Prose<'_>,
    found: &[Clause],
    told: Option<&Range<usize>>,
) -> Option<Range<usize>> {
    let samples = |condition: &Range<usize>| {
        prose.words[condition.clone()].iter().any(|word| word.any(&["example", "instance"]))
    };
    let own = found.first().and_then(|clause| clause.condition.clone());
    let flagged = || found.first().and_then(|clause| flagged(prose, &clause.words));
    own.filter(|condition| !samples(condition)).or_else(|| told.cloned()).or_else(flagged)
}

/// ``With `--quiet` `` of ``With `--quiet`: skip the bell, never hail``.
fn flagged(prose: &Prose<'_>, clause: &Range<usize>) -> Option<Range<usize>> {
    const FARTHEST: usize = 8;
    let opens = prose.words.get(clause.start)?.is("with");
    let colon = clause.clone().take(FARTHEST).find(|&at| prose.words[at].mark(":")).filter(|_| opens)?;
    let flag = |word: &Word| word.kind == WordKind::Code && word.lower.contains("--");
    prose.words[clause.start..colon].iter().any(flag).then_some(clause.start..colon)
}

/// Adds what the first half of a sentence asks for, whose second half forbids: `Input that should be used; it should not bind`.
pub(super) fn demands_apart(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    before: &Range<usize>,
    here: &Setting,
    sentence: &Range<usize>,
) -> bool {
    let words = &prose.words[before.clone()];
    let Some(asked) = asked_of(words).or_else(|| route(words).map(|_| Level::Must)) else { return false };
    let text = prose.condensed(before.clone());
    book.add(draft_of(prose, before.clone(), text, (asked, Force::Explicit), here, sentence));
    true
}

/// `The key must be kept; it must not be printed`: the order that the pronoun takes its subject from.
fn taken_up_by_pronoun(prose: &Prose<'_>, found: &[Clause], at: usize) -> Option<Range<usize>> {
    let before = found.get(at.checked_sub(1)?)?;
    let words = &prose.words[found[at].words.clone()];
    let opens = connectives(words);
    let parted = prose.words[before.words.end - 1].mark(";");
    let pronoun = words[opens].any(&["it", "they"]) && parted;
    // `The name must be short and cannot start with a dot`, `The mast must not bend and must be dry`.
    let modal = opens > 0 && words[opens].any(&["must", "should"]);
    let shared = !parted && (denies_modally(words, opens) || modal);
    let last = before.words.start..before.words.end - 1;
    let turn = last.rev().find(|&at| shared && prose.words[at].mark(";"));
    let from = turn.map_or(before.words.start, |turn| turn + 1);
    ((pronoun || shared) && matches!(before.mood, Mood::Order(..))).then_some(from..before.words.end)
}

/// `Ropes marked red are worn — replace the outer strand`, `Sails are out of scope — send them to the loft`: what an order behind a dash is
/// about, said of it in front.
fn told_in_front(prose: &Prose<'_>, found: &[Clause], at: usize) -> Option<Range<usize>> {
    const LONGEST: usize = 8;
    let before = found.get(at.checked_sub(1)?)?;
    let words = &prose.words[before.words.clone()];
    let said = &prose.words[found[at].words.clone()];
    // `The masthead lamp is the red one; don't confuse it with the stern lamp`
    let pronoun = words.last().is_some_and(|last| last.mark(";") || last.mark("—"))
        && said.iter().skip(1).take(3).any(|word| word.any(&["it", "them"]));
    let orders = found[at].mood == Mood::Order(Level::Must, Force::Implied)
        || pronoun && matches!(found[at].mood, Mood::Order(..));
    let told = before.mood == Mood::Statement
        || words.windows(3).any(|run| run[0].is("out") && run[1].is("of") && run[2].is("scope"));
    let dash = words.last().is_some_and(|last| last.mark("—"));
    let first = words.first().filter(|_| orders && told && (dash || pronoun))?;
    let idle = first.among(SUBJECTS)
        || first.among(CONDITIONS)
        || first.any(&["there", "here", "all", "what", "not", "nothing", "no", "both", "neither"]);
    let verb = words.iter().position(|word| word.depth == 0 && word.any(&["is", "are"]))?;
    let plain = words[..verb].iter().all(|word| {
        word.depth > 0 || word.kind != WordKind::Mark || matches!(word.lower.as_str(), "(" | ")")
    });
    // `Ropes marked `x:` lie in `{store}` — fetch them`: where they lie is needed, too.
    let named =
        dash && words.len() <= 2 * LONGEST && words[verb..].iter().any(|word| word.kind == WordKind::Code);
    let end = if named { words.len() - 1 } else { verb };
    (!idle && plain && (1..=LONGEST).contains(&verb)).then_some(before.words.start..before.words.start + end)
}

/// A clause behind what it is about, where that stands in front of it and the clause does not take in all of it.
fn under_told(prose: &Prose<'_>, found: &[Clause], at: usize, text: String) -> String {
    match told_in_front(prose, found, at).filter(|_| rests_on(prose, found, at).is_none()) {
        Some(front) => under_name(&prose.condensed(front), &text),
        None => text,
    }
}

/// `Hawser and heaving line: do not mix them up` of `**Hawser and heaving line**: the one holds, the other is thrown — do not mix them up`:
/// a clause that only points, and so is no rule without what its sentence is about.
fn under_label(prose: &Prose<'_>, sentence: &Range<usize>, clause: &Clause, text: String) -> String {
    let bare = text == prose.condensed(clause.words.clone());
    if !bare || !points(&prose.words[clause.words.clone()]) || clause.condition.is_some() {
        return text;
    }
    match label(prose, sentence.clone()) {
        (Label::Topic, body) if body.start < clause.words.start => {
            let name = prose.condensed(sentence.start..body.start);
            if name.contains(": ") { text } else { under_name(&name, &text) }
        }
        _ => text,
    }
}

/// `key: it must not be printed`: a clause behind the topic of the one before it, or the subject of that one's modal word.
pub(super) fn under_subject(prose: &Prose<'_>, before: &Range<usize>, text: String) -> String {
    const LONGEST: usize = 6;
    const MODALS: &[&str] = &["must", "should", "may", "shall", "can", "cannot"];
    let words = &prose.words[before.clone()];
    let topic = words.iter().take(8).position(|word| word.mark(":"));
    let modal = words.iter().take(LONGEST + 1).position(|word| word.any(MODALS));
    let modal = modal.or_else(|| {
        words.windows(2).take(LONGEST + 1).position(|pair| pair[0].is("need") && pair[1].is("not"))
    });
    let plain = |end: &usize| words[..*end].iter().all(|word| word.kind != WordKind::Mark);
    let told = || (1..words.len().min(LONGEST + 1)).find(|&at| tells_at(words, at));
    let subject = topic.or(modal.or_else(|| route(words)).or_else(told).filter(plain)).filter(|end| *end > 0);
    let pronoun = words
        .first()
        .is_some_and(|word| word.any(&["it", "they", "you", "this", "there"]) || word.among(CONDITIONS));
    match subject.filter(|_| !pronoun) {
        Some(end) => format!("{}: {text}", prose.condensed(before.start..before.start + end)),
        None => text,
    }
}
