//! Headings that name what is forbidden: `### God objects` under `Anti-patterns`, `### ❌ Story telling`, `### No dead code`. What
//! stands under them says why, shows it, or says what to do instead.

use std::ops::Range;

use mentci_authority::{Force, Level};
use mentci_reader::markdown::{Block, BlockKind};

use super::draft::Heading;
use super::speech::condition::CASES;
use super::speech::guard::{not_there, plain_in};
use super::speech::lexicon::is_verb;
use super::speech::mood::{IMPERATIVE, Mood, mood_of};
use super::speech::prose::Prose;
use super::speech::sentence::{first_sentence, is_cross, is_verdict};
use super::speech::stance::{Stance, heals, is_verb_in_ing};
use super::speech::theme::{halts, is_remedy};
use super::speech::thing::is_generic;
use super::speech::word::{Word, WordKind, lowered};

/// A name longer than this many words, of something that is shown to ail, is a sentence.
const LONGEST_AILING: usize = 16;

/// `**Problem:** …`, and then `**Before:**` and `**After:**`: what stands under a heading says what is bad about what it names, and shows
/// how it is mended.
pub(crate) fn ails(section: &[Block]) -> bool {
    let below = || section.iter().take_while(|block| !matches!(block.kind, BlockKind::Heading(_)));
    let opens = |cue: &str| {
        below().any(|block| block.kind == BlockKind::Paragraph && block.text.as_str().starts_with(cue))
    };
    opens("Problem:") && opens("Before:") && opens("After:")
}

/// `Don't guess` above `Take the depth`: the heading forbids an act that needs no object, and what orders under it says what to do.
pub(crate) fn remedied(heading: &str, below: &[Block]) -> bool {
    let lower = lowered(heading);
    // `Ask, don't guess`.
    if [", don't ", ", never ", ", do not "]
        .iter()
        .any(|cue| lower.split_once(cue).is_some_and(|(act, _)| act.split(' ').next().is_some_and(is_verb)))
    {
        return true;
    }
    let (["don't" | "never" | "avoid", act] | ["do", "not", act]) = plain_in(&lower)[..] else {
        return false;
    };
    let orders = |block: &Block| {
        let prose = Prose::new(&block.text);
        let first = first_sentence(&prose.words);
        first.is_some_and(|first| {
            let words = &prose.words[first];
            mood_of(words).mood == IMPERATIVE && is_verb(&words[0].lower)
        })
    };
    let alone = is_verb(act) && !matches!(act, "do" | "use" | "be" | "forget" | "list");
    let Some(next) = below.first().filter(|_| alone) else { return false };
    match next.kind {
        BlockKind::Paragraph => orders(next),
        BlockKind::List(_) => next.children.iter().filter_map(|item| item.children.first()).all(orders),
        _ => false,
    }
}

/// `- Leaving the pump`, `- No clear order`: mistakes under a heading that says what they are about, and is none itself.
pub(crate) fn lists_mistakes(list: &Block) -> bool {
    const FEWEST: usize = 2;
    const LACKS: &[&str] = &["no", "not", "wrong", "missing", "too"];
    let errs = |item: &&Block| {
        item.children.first().is_some_and(|first| {
            let word = first.text.as_str().split_whitespace().next().unwrap_or_default().to_lowercase();
            LACKS.contains(&word.as_str()) || word.len() > 5 && word.ends_with("ing")
        })
    };
    matches!(list.kind, BlockKind::List(_))
        && list.children.len() >= FEWEST
        && list.children.iter().filter(errs).count() * 2 >= list.children.len()
}

/// `- Push to main`, `- Delete the log` and nothing that bounds anything: acts that restrictions name because they are not to be done.
pub(crate) fn lists_risks(list: &Block) -> bool {
    const RISKY: &[&str] = &[
        "push",
        "delete",
        "commit",
        "merge",
        "deploy",
        "drop",
        "force",
        "force-push",
        "modify",
        "edit",
        "overwrite",
        "remove",
        "rewrite",
        "install",
        "execute",
        "publish",
        "change",
        "rename",
        "move",
        "disable",
        "bypass",
        "skip",
        "ignore",
        "share",
        "expose",
        "leak",
        "hardcode",
        "touch",
        "rebase",
        "squash",
        "access",
        "invent",
        "fabricate",
        "guess",
        "assume",
        "upload",
        "post",
        "spawn",
        "alter",
        "erase",
        "truncate",
        "amend",
    ];
    const BOUNDING: &[&str] = &[
        "only",
        "must",
        "no",
        "not",
        "don't",
        "never",
        "unless",
        "within",
        "under",
        "most",
        "max",
        "maximum",
        "limit",
        "without",
        "before",
        "after",
        "always",
        "should",
        "if",
        "when",
        "first",
        "except",
        "carefully",
        "minimal",
        "nothing",
        "none",
        "little",
        "sparingly",
    ];
    let risks = |item: &Block| {
        item.children.first().is_some_and(|first| {
            let lower = lowered(first.text.as_str());
            let words = plain_in(&lower);
            words.first().is_some_and(|first| RISKY.contains(first))
                && !words.iter().any(|word| BOUNDING.contains(word))
        })
    };
    matches!(list.kind, BlockKind::List(_)) && !list.children.is_empty() && list.children.iter().all(risks)
}

/// `Before:`, `After (shorter)`: a label or a heading above a quotation or a fence that shows a text as it was, or as it shall be.
pub(crate) fn shows_change(text: &str, next: Option<&BlockKind>) -> bool {
    let lower = text.trim().trim_end_matches(':').to_lowercase();
    let rest = lower.strip_prefix("before").or_else(|| lower.strip_prefix("after"));
    matches!(next, Some(BlockKind::Quote | BlockKind::Fence { .. }))
        && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(" (") && rest.ends_with(')'))
}

/// What a heading forbids by its name: the words that name it, and the level.
pub(crate) fn banned(
    prose: &Prose<'_>,
    own: Stance,
    above: Option<&Heading>,
    (next, ails): (Option<(&BlockKind, &str)>, bool),
) -> Option<(Range<usize>, Level)> {
    let words = &prose.words;
    if ails {
        let start = start_of_name(words).at;
        let name = start..start + end_of_act(&words[start..])?;
        return (!name.is_empty() && name.len() <= LONGEST_AILING).then_some((name, Level::MustNot));
    }
    if is_ticked(words) {
        return None;
    }
    let crossed = words.first().is_some_and(is_cross) && !names_all(own, prose.text.as_str());
    let start = start_of_name(words);
    let led = above
        .filter(|above| names_kind(above) && shown(above, next.map(|(kind, _)| kind)))
        .filter(|above| !surprises(above) || names_act(&words[start.at..]))
        .and_then(|above| above.own.level());
    let shows = matches!(next, Some((BlockKind::Fence { .. }, text)) if says_what_is_wrong(text));
    if is_remedy(prose.text.as_str()) || shows && !crossed && !start.labelled {
        return None;
    }
    let level = if crossed || start.labelled { Level::MustNot } else { led? };
    let name = start.at..start.at + end_of_act(&words[start.at..])?;
    let thing = names_thing(&words[name.clone()], prose.text.as_str())
        || crossed && above.is_some_and(names_kind) && lacks(&words[name.clone()]);
    thing.then_some((name, level))
}

/// Where the act ends of `Editing a chart by hand breaks later trips`; what only tells what befalls, as `The bell does not ring on deck`, names
/// none.
fn end_of_act(name: &[Word]) -> Option<usize> {
    const TELLING: &[&str] = &[
        "breaks", "causes", "leaks", "fails", "throws", "returns", "requires", "require", "resets", "hides",
        "leads", "does", "doesn't", "can", "cannot", "is", "are", "will",
    ];
    let Some(told) = name.iter().skip(1).position(|word| word.depth == 0 && word.any(TELLING)) else {
        return Some(name.len());
    };
    let first = &name[0];
    let acts = is_verb_in_ing(&first.lower) || first.lower.ends_with("ing") && first.lower.len() > 5;
    // Behind `that` and `which` it says which one.
    let which =
        name[..=told].iter().any(|word| word.any(&["that", "which", "who", "when", "where", "what", "if"]));
    match (which, acts) {
        (true, _) => Some(name.len()),
        (false, true) => Some(told + 1),
        (false, false) => None,
    }
}

/// `No lookout`, under `Anti-patterns`: a lack.
pub(crate) fn lacks(name: &[Word]) -> bool {
    const LONGEST: usize = 6;
    matches!(name, [no, next, ..] if no.is("no") && next.kind == WordKind::Plain) && name.len() <= LONGEST
}

/// `### DON'T: Moor by one rope`, `### Avoid: Long tows`: what the label forbids, and the level.
pub(crate) fn denied_by_label(prose: &Prose<'_>) -> Option<(Range<usize>, Level)> {
    let (label, name) = labelled(prose)?;
    let said: Vec<&str> = label.iter().map(|word| word.lower.as_str()).collect();
    match said[..] {
        ["don't" | "never" | "don'ts" | "forbidden" | "prohibited" | "banned"]
        | ["do" | "never" | "not", "not" | "allowed"] => Some((name, Level::MustNot)),
        ["avoid"] => Some((name, Level::ShouldNot)),
        _ => None,
    }
}

/// `### Always: Moor by two ropes`, `### Do not: Row alone`: a label of a word or two, and the words behind its colon.
fn labelled<'p>(prose: &'p Prose<'_>) -> Option<(&'p [Word], Range<usize>)> {
    const LONGEST: usize = 12;
    let words = &prose.words;
    let start = words.iter().take_while(|word| is_verdict(word)).count();
    let colon = (start + 1..=start + 2).find(|&at| words.get(at).is_some_and(|word| word.mark(":")))?;
    let name = colon + 1..words.len();
    let names = (2..=LONGEST).contains(&name.len()) && !words[name.clone()].iter().any(|word| word.mark(":"));
    names.then(|| (&words[start..colon], name))
}

/// `✅ Small knots`.
pub(crate) fn is_ticked(words: &[Word]) -> bool {
    words.first().is_some_and(|first| is_verdict(first) && !is_cross(first))
}

/// `### ✅ CORRECT: Small knots`, `### Always: Small knots`, beside what is wrong: the words that name it. `### ✅ Small knots` stands beside
/// it where another heading is crossed out, or the one above says that what is named below it is bad.
pub(crate) fn praised(prose: &Prose<'_>, above: Option<&Heading>, crossed: bool) -> Option<Range<usize>> {
    const LONGEST: usize = 12;
    if let [_, name @ ..] = &prose.words[..]
        && is_ticked(&prose.words)
        && (crossed || above.is_some_and(names_kind))
        && (2..=LONGEST).contains(&name.len())
        && name.iter().all(|word| word.kind != WordKind::Mark)
        && !name[0].any(&["what", "when", "how", "why", "where"])
        && !matches!(mood_of(name).mood, Mood::Order(_, Force::Explicit))
    {
        return Some(1..prose.words.len());
    }
    if let Some(([first], name)) = labelled(prose)
        && first.any(&["do", "always", "must", "do's", "required"])
    {
        return Some(name);
    }
    let [mark, judges, colon, name @ ..] = &prose.words[..] else { return None };
    let good = is_verdict(mark) && !is_cross(mark) && judges.any(&["correct", "right", "good", "better"]);
    (good && colon.mark(":") && (2..=LONGEST).contains(&name.len())).then_some(3..prose.words.len())
}

/// `// WRONG - Spinner above old data`: the sample says itself what is wrong with it, and the heading above it is its topic.
pub(crate) fn says_what_is_wrong(fence: &str) -> bool {
    const FEWEST: usize = 2;
    let names = |line: &str| {
        let comment = line.trim_start().trim_start_matches(['/', '#', '-', '*', '<', '!', ' ', '❌']);
        let rest =
            ["WRONG", "BAD", "Wrong", "Bad", "INCORRECT"].iter().find_map(|cue| comment.strip_prefix(cue));
        let behind = rest.and_then(|rest| rest.trim_start().strip_prefix(['-', ':', '—', '–']));
        behind.is_some_and(|behind| behind.split_whitespace().take(FEWEST).count() == FEWEST)
    };
    fence.lines().any(names)
}

/// Whether a text opens with a short label, such as `Anti-pattern 12:`.
pub(crate) fn may_title(text: &str) -> bool {
    const LONGEST_LABEL: usize = 24;
    text.find(':').is_some_and(|colon| colon < LONGEST_LABEL)
}

/// `**Mistake 2: Confusing cost with price**`: a paragraph that does no more than name what is bad.
pub(crate) fn titled(prose: &Prose<'_>) -> Option<Range<usize>> {
    let words = &prose.words;
    let start = Some(start_of_name(words)).filter(|start| start.labelled)?;
    let name = start.at..words.len();
    let ends = words.last().is_some_and(|last| last.mark(":") || last.mark("."));
    (!ends && names_thing(&words[name.clone()], prose.text.as_str())).then_some(name)
}

/// `❌ Common mistakes`, `⛔ Hard rules`, `🛑 Stop and read`: what it says holds for what stands under it, and it names nothing.
fn names_all(own: Stance, text: &str) -> bool {
    let lower = text.to_lowercase();
    let words = plain_in(&lower);
    let kind = || words.iter().any(|word| KINDS.contains(word));
    match own {
        Stance::Mistakes | Stance::Neutral => true,
        Stance::Order => halts(&lower, own),
        Stance::Forbid | Stance::Discourage => kind(),
        _ => false,
    }
}

/// Nouns for bad things of any kind.
const KINDS: &[&str] = &[
    "pattern",
    "patterns",
    "antipattern",
    "antipatterns",
    "anti-pattern",
    "anti-patterns",
    "practices",
    "practice",
    "habits",
    "smells",
    "mistakes",
    "mistake",
    "pitfalls",
    "errors",
    "gotchas",
    "things",
    "what",
    "traps",
];

/// Whether a heading says that what its subheadings name is bad: `Anti-patterns`, `Forbidden patterns`, `Common mistakes`.
fn names_kind(heading: &Heading) -> bool {
    let lower = heading.text.to_lowercase();
    let words = plain_in(&lower);
    let bad = matches!(heading.own, Stance::Forbid | Stance::Discourage | Stance::Mistakes);
    bad && !heading.heals()
        && !not_there(&words)
        && words.len() <= 5
        && (words.iter().any(|word| KINDS.contains(word))
            || matches!(words[..], ["do", "not"] | ["don't" | "don'ts" | "never" | "avoid"]))
}

/// `Gotchas`, `Common errors`: what surprises there is a topic (`Load order`), where it is no act or lack (`Reusing a token`).
fn surprises(heading: &Heading) -> bool {
    let lower = heading.text.to_lowercase();
    let words = plain_in(&lower);
    words.iter().any(|word| matches!(*word, "gotcha" | "gotchas" | "errors"))
        && !words.iter().any(|word| matches!(*word, "mistakes" | "anti-patterns" | "antipatterns"))
}

fn names_act(name: &[Word]) -> bool {
    name.first().is_some_and(|first| {
        first.lower.len() > 4 && first.lower.ends_with("ing")
            || first.any(&["no", "not", "wrong", "bad", "too"])
    })
}

/// Whether what follows speaks of one thing: a list under a forbidding heading may name several, each of which is forbidden.
fn shown(above: &Heading, next: Option<&BlockKind>) -> bool {
    let listed = matches!(next, Some(BlockKind::List(_)));
    matches!(next, Some(BlockKind::Paragraph | BlockKind::Fence { .. } | BlockKind::Quote))
        || listed && above.own == Stance::Mistakes
}

struct Start {
    at: usize,
    /// `Anti-pattern 2: …`
    labelled: bool,
}

/// Where the name begins behind a cross, a number and `Anti-pattern 2:`.
fn start_of_name(words: &[Word]) -> Start {
    const LABELS: &[&str] = &["anti-pattern", "antipattern", "mistake", "pitfall", "smell"];
    let empty = |word: &Word| {
        word.kind == WordKind::Mark || is_verdict(word) || word.lower.chars().all(|c| !c.is_alphabetic())
    };
    let at = words.iter().take_while(|word| empty(word)).count();
    // `❌ WRONG - Copying values`.
    let judged = words.get(at).is_some_and(|word| word.any(&["wrong", "bad", "incorrect"]))
        && words.get(at + 1).is_some_and(|next| next.mark("—") || next.mark(":"));
    let at = if judged { at + 2 } else { at };
    let colon = words.iter().position(|word| word.mark(":")).filter(|&colon| (at..=at + 2).contains(&colon));
    let labelled = words.get(at).is_some_and(|word| word.any(LABELS)) && colon.is_some();
    Start { at: if labelled { colon.map_or(at, |colon| colon + 1) } else { at }, labelled }
}

/// A name of something that can be left out: no question, no quotation, no label such as `Bad`.
fn names_thing(words: &[Word], text: &str) -> bool {
    const LONGEST: usize = 8;
    const JUDGED: &[&str] = &[
        "bad",
        "good",
        "wrong",
        "right",
        "incorrect",
        "correct",
        "before",
        "after",
        "don't",
        "avoid",
        "never",
        "not",
        "restrictions",
        "limitations",
        "limits",
        "exceptions",
        "consequences",
    ];
    let plain: Vec<&Word> = words.iter().filter(|word| word.kind != WordKind::Mark).collect();
    let Some(first) = plain.first() else { return false };
    let told = plain.iter().any(|word| !is_generic(word) && !word.any(JUDGED));
    let lower = text.to_lowercase();
    let quoted = text.contains(['?', '"', '“', '→']) || words.iter().any(|word| word.mark(":"));
    let prohibits = mood_of(words).mood.forbids();
    let asks = first
        .any(&["why", "how", "what", "when", "where", "who", "no", "if", "example", "examples", "quick"])
        || first.any(CASES);
    told && plain.len() <= LONGEST && !quoted && !prohibits && !asks && !heals(&lower)
}

/// The name as it goes into a norm: with a small first letter, but where it is a title (`God Objects`).
pub(crate) fn rendered(prose: &Prose<'_>, name: &Range<usize>) -> String {
    let title = prose.words[name.clone()].iter().skip(1).any(|word| word.capital);
    if title { prose.condensed(name.clone()) } else { prose.lowered(name.clone()) }
}
