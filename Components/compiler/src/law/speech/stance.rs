//! What a heading or a lead-in does to what stands under it.

use std::ops::Range;

use mentci_authority::Level;

use super::ban_names::stance_of_ban;
use super::bracket::is_force;
use super::cues::cue;
use super::guard::{not_there, plain_in, two_sided, waives};
use super::leniency::no_exceptions;
use super::lexicon::{is_nounish, is_verb};
use super::naming::{Naming, forbids_manner, naming};
use super::phrase::level_of;
use super::theme::halts;
use super::told_names::stance_of_told;
use super::word::{ending_bracket, lowered};

/// The force that a heading or a lead-in lends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Stance {
    /// None of its own.
    #[default]
    Neutral,
    /// What is named here must be done: `Mandatory:`, `Check:`.
    Order,
    /// It is advice: `Design principles`.
    Advise,
    /// What is named here is forbidden, orders included: `Never:`, `Red Flags`.
    Forbid,
    /// What is named here is advised against: `Avoid:`.
    Discourage,
    /// What is named without a verb is a mistake: `Common mistakes`.
    Mistakes,
    /// What is named without a verb is not used any more: `Deprecated APIs`. What is ordered is done about it.
    Things(Level),
    /// It is optional.
    Permit,
    /// Quotations of excuses.
    Excuses,
    /// Worked examples, samples, good and bad ones.
    Example,
    /// It describes.
    Describe,
}

impl Stance {
    /// The level that a bare name gets under this stance.
    pub(crate) fn level(self) -> Option<Level> {
        match self {
            Self::Order => Some(Level::Must),
            Self::Advise => Some(Level::Should),
            Self::Forbid | Self::Mistakes => Some(Level::MustNot),
            Self::Discourage => Some(Level::ShouldNot),
            Self::Permit => Some(Level::May),
            Self::Things(level) => Some(level),
            Self::Neutral | Self::Excuses | Self::Example | Self::Describe => None,
        }
    }
}

impl Stance {
    /// The stance of a heading that is the name of a level.
    fn of(level: Level) -> Self {
        match level {
            Level::Must => Self::Order,
            Level::MustNot => Self::Forbid,
            Level::Should => Self::Advise,
            Level::ShouldNot => Self::Discourage,
            Level::May => Self::Permit,
        }
    }
}

/// The stance of a heading.
pub(crate) fn stance_of_heading(text: &str) -> Stance {
    let lower = lowered(text);
    let name =
        lower.trim_start_matches(|c: char| !c.is_alphanumeric()).trim_end_matches([':', '.', '!', ' ']);
    let marked = |marks: &[char]| lower.trim_start().starts_with(marks);
    let bracket = ending_bracket(name);
    if affirms(name) || bracket.is_some_and(|(_, force)| is_force(force)) {
        return Stance::Order;
    }
    let words = plain_in(name);
    if waives(&words) {
        return Stance::Permit;
    }
    if sets_rules(&words) {
        return Stance::Order;
    }
    if let Some(stance) =
        stance_of_ban(&words).or_else(|| stance_of_told(&words)).or_else(|| stance_of_kind(&words))
    {
        return stance;
    }
    if no_exceptions(name) && name.split_whitespace().count() <= 3 || not_there(&words) || two_sided(&words) {
        return Stance::Forbid;
    }
    if both(name) || allows_only(name) {
        return Stance::Neutral;
    }
    if matches!(name, "bad" | "the bad" | "wrong" | "worst") && !marked(&['❌', '✗', '✘']) {
        return Stance::Mistakes;
    }
    // `If you cannot sail` is a case.
    let case =
        matches!(words.first(), Some(&("if" | "when" | "where" | "unless"))) && words.get(1) == Some(&"you");
    match cue(text) {
        // `Clean up resources`, `Advice boundary`
        Stance::Describe if frees(&words) => Stance::Neutral,
        Stance::Advise if words.len() == 2 && words[0] == "advice" => Stance::Neutral,
        Stance::Forbid | Stance::Discourage if case || bans_behind_order(name) => Stance::Neutral,
        Stance::Forbid | Stance::Discourage | Stance::Mistakes if heals(text) => Stance::Neutral,
        Stance::Example if works_on_samples(&words) || is_about_demos(&words) || told_after(name) => {
            Stance::Neutral
        }
        // `⛔ Hard rules`, `🛑 Stop and read`: the mark only says that it matters.
        stance @ (Stance::Neutral | Stance::Order) if marked(&['⛔', '🛑']) && halts(name, stance) => {
            stance
        }
        Stance::Neutral | Stance::Order | Stance::Describe if marked(&['🚫', '⛔', '🛑']) => {
            Stance::Forbid
        }
        Stance::Neutral if marked(&['✅', '❌', '✓', '✗', '✔', '✘']) => Stance::Example,
        stance => stance,
    }
}

/// `Clean up resources`, `Release resources when done`: what is done with them.
fn frees(words: &[&str]) -> bool {
    const FREEING: &[&str] =
        &["clean", "close", "dispose", "free", "limit", "manage", "release", "reuse", "share", "stop"];
    words.len() > 1 && FREEING.contains(&words[0]) && words.contains(&"resources")
}

/// `Use a winch — never pull by hand`: what stands under it shows both.
fn bans_behind_order(name: &str) -> bool {
    const BANS: &[&str] = &["never ", "no ", "not ", "don't ", "do not ", "avoid "];
    let Some((act, ban)) = [" — ", " – ", " - "].iter().find_map(|dash| name.split_once(dash)) else {
        return false;
    };
    act.split(' ').next().is_some_and(is_verb) && BANS.iter().any(|cue| ban.starts_with(cue))
}

/// `After the trip: mending the sample sails`: behind when it is done stands what is done.
fn told_after(name: &str) -> bool {
    name.rsplit_once(": ").is_some_and(|(_, what)| works_on_samples(&plain_in(what)))
}

/// `Step 2: Learning the harbour by examples`, `3. Demonstrate the leak`: what is done with samples is no sample.
fn works_on_samples(words: &[&str]) -> bool {
    const SHOWING: &[&str] = &["see", "show", "compare", "study", "consider", "real", "working"];
    let counts = |word: &&&str| {
        matches!(**word, "step" | "phase" | "stage") || word.starts_with(|c: char| c.is_ascii_digit())
    };
    // `How to mend the sample sails`
    let words = words.strip_prefix(&["how", "to"]).unwrap_or(words);
    let mut rest = words.iter().skip_while(counts);
    let Some(first) = rest.next() else { return false };
    let stepped = words.first().is_some_and(|word| matches!(*word, "step" | "phase" | "stage"));
    let acts = first.len() > 5 && first.ends_with("ing") && (stepped || is_verb_in_ing(first))
        || is_verb(first) && !is_nounish(first);
    acts && rest.count() > 1 && (stepped || !SHOWING.contains(first))
}

/// `Animation and video demos`: what is made, and nothing that shows it. `Demo: mooring` shows.
fn is_about_demos(words: &[&str]) -> bool {
    let [first, .., last] = words else { return false };
    last.starts_with("demo") && !first.starts_with("demo") && words.len() > 2
}

/// `learning`, `writing`, `skipping`: of a known verb.
pub(crate) fn is_verb_in_ing(word: &str) -> bool {
    let Some(stem) = word.strip_suffix("ing") else { return false };
    let doubled = |last: char| stem.strip_suffix(last).filter(|rest| rest.ends_with(last));
    is_verb(stem)
        || is_verb(&format!("{stem}e"))
        || stem.chars().next_back().and_then(doubled).is_some_and(is_verb)
}

/// `Do`, `Always`, `Don't forget`: what stands under it is to be done.
fn affirms(name: &str) -> bool {
    const WHOLE: &[&str] = &[
        "do",
        "do's",
        "dos",
        "always",
        "always do",
        "do this",
        "must",
        "must do",
        "do always",
        "must-haves",
        "must haves",
    ];
    WHOLE.contains(&name)
        || ["don't forget", "do not forget", "never forget", "remember"]
            .iter()
            .any(|cue| name.starts_with(cue))
}

/// `What the agent cannot do`.
const LONGEST_DONE: usize = 6;

/// `Who may`: the rows or items say who.
fn asks_who(word: &str) -> bool {
    matches!(word, "who" | "what" | "when" | "where" | "how" | "which" | "whoever")
}

/// A heading of more words than these says what it is about, and not for whom what stands under it binds.
const LONGEST_RULED: usize = 3;

/// `Acceptable`, `Unacceptable`, `History`: a heading whose few words say what its items are.
pub(crate) fn stance_of_kind(words: &[&str]) -> Option<Stance> {
    if words.len() <= LONGEST_RULED
        && let Some(level) = level_of(&words.join(" ")).filter(|level| *level != Level::Must)
    {
        return Some(Stance::of(level));
    }
    match words {
        ["never", "allowed" | "permitted" | "acceptable" | "ok" | "okay" | "fine", "without", ..]
        | [.., "cannot" | "can't", "do"]
        | ["refuse", "to"]
        | ["reserved", "for", _]
        | ["stay", "away", "from"]
        | ["unsafe" | "no"]
        | ["not", "this"]
            if words.len() <= LONGEST_DONE =>
        {
            Some(Stance::Forbid)
        }
        // What a tool can do.
        ["what", "this" | "the", "skill" | "tool" | "script" | "command", "can", "do"] => {
            Some(Stance::Example)
        }
        ["what", .., "may" | "can", "do"]
        | ["can"]
        | ["can" | "may", "do"]
        | ["up", "to", "you"]
        | ["if", "you", "like" | "want" | "wish"] => Some(Stance::Permit),
        ["never", "fine"] | ["must", "nots" | "not's"] | [.., "cannot" | "can't" | "mustn't"]
            if words.len() <= LONGEST_RULED =>
        {
            Some(Stance::Forbid)
        }
        [.., "should", "not"] | [.., "shouldn't"] if words.len() <= LONGEST_RULED + 1 => {
            Some(Stance::Discourage)
        }
        ["what", "bad", "looks", "like"] | ["failure", "modes"] => Some(Stance::Mistakes),
        [who, "may" | "can"] | ["the" | "any" | "every", who, "may" | "can"] if !asks_who(who) => {
            Some(Stance::Permit)
        }
        ["what", .., "should", "do"] | [_, "should"] | ["the" | "any" | "every", _, "should"] => {
            Some(Stance::Advise)
        }
        [
            "unacceptable" | "inappropriate" | "refuse" | "non-responsibilities" | "non-goals" | "anti-goals",
        ]
        | ["not", "responsible", "for"]
        | ["not", "your" | "my" | "our", "job" | "responsibility" | "responsibilities"]
        | ["not", "fine" | "good" | "welcome"]
        | ["what" | "things", .., "not", "ok" | "okay" | "fine" | "acceptable"]
        | ["what", "isn't", "ok" | "okay" | "fine" | "acceptable"]
        | ["things", "that", "go" | "went", "wrong"]
        | ["what", "this", "skill" | "agent" | "command", "does", "not", ..]
        | ["what", "this", "skill" | "agent" | "command", "doesn't", ..]
        | ["out", "of", "scope", ..]
        | ["not", "in", "scope"]
        | ["stop", "doing", ..] => Some(Stance::Forbid),
        ["ok" | "okay" | "fine" | "acceptable" | "appropriate"]
        | ["always", "ok" | "okay" | "fine" | "permitted"]
        | ["what" | "things", .., "fine" | "ok" | "okay" | "acceptable"] => Some(Stance::Permit),
        // What was, may be once, or is told of a tool: only what binds outright is law there.
        [
            "history" | "roadmap" | "features" | "scenario" | "capabilities" | "benefits" | "motivation"
            | "todo" | "todos" | "curriculum" | "syllabus",
        ]
        | ["use", "cases"]
        | ["hardware" | "system", "requirements"]
        | ["key" | "core" | "main", "benefits" | "features"]
        | ["alternatives" | "options", "considered" | "rejected"]
        | ["considered" | "rejected", "alternatives" | "options"]
        | ["future", "work" | "plans" | "ideas"]
        | ["related", .., "skills" | "skill" | "commands" | "tools" | "resources" | "agents"]
        | ["what's", "new", "in", ..]
        | ["release" | "version", "history"]
        | ["known", "issues" | "problems" | "bugs" | "limitations"]
        | ["skill" | "learning", "progression" | "path" | "levels"]
        | ["you", "will" | "you'll", "learn", ..]
        | ["what", "you'll", "learn", ..]
        | ["what", "you", "will", "learn", ..]
        | ["things" | "what", "we", "tried", ..] => Some(Stance::Example),
        // What is ordered there orders all the same: `1. Read the log`.
        ["what", "this" | "it", "does"] | ["what", .., "sees"] => Some(Stance::Describe),
        // What happened once is told there, and what has been learnt from it.
        ["never", "again"] => Some(Stance::Neutral),
        ["myths" | "changelog" | "glossary"]
        | ["common", "myths"]
        | ["change", "log"]
        | ["release", "notes"] => Some(Stance::Excuses),
        ["use" | "essentials"] | ["complete" | "done" | "finished", "when"] | [_, "essentials"] => {
            Some(Stance::Order)
        }
        _ => None,
    }
}

/// `Guidelines`, `Our working agreements`, `API standards`: a name that says nothing but that rules stand under it.
pub(crate) fn sets_rules(words: &[&str]) -> bool {
    const NAMES: &[&str] = &[
        "guidelines",
        "guidance",
        "standards",
        "expectations",
        "agreements",
        "etiquette",
        "invariants",
        "policies",
        "ethos",
    ];
    const WHOLE: &[&[&str]] = &[
        &["style"],
        &["style", "guide"],
        &["code", "quality"],
        &["house", "style"],
        &["quality", "gates"],
        &["preferences"],
        &["how", "we", "work"],
        &["ways", "of", "working"],
        &["what", "we", "expect"],
        &["boundaries"],
        &["formatting"],
        &["qa"],
        &["qa", "checks"],
    ];
    // `Pod security policies`, `Web standards` are things.
    const BEFORE: &[&str] = &[
        "our",
        "the",
        "team",
        "project",
        "code",
        "coding",
        "working",
        "general",
        "core",
        "key",
        "quality",
        "team's",
        "repo",
        "repository",
        "engineering",
        "development",
        "platform",
        "writing",
        "design",
        "api",
        "testing",
        "review",
        "documentation",
        "style",
        "commit",
        "communication",
        "implementation",
        "formatting",
        "naming",
        "important",
        "global",
        "house",
        "basic",
        "content",
        "output",
        "response",
        "usage",
    ];
    let bare = words.strip_prefix(&["our"]).or(words.strip_prefix(&["the"])).unwrap_or(words);
    let Some((last, before)) = bare.split_last() else { return false };
    WHOLE.contains(&bare)
        || before.len() <= 2 && NAMES.contains(last) && before.iter().all(|word| BEFORE.contains(word))
}

/// `Do's and don'ts`: says nothing by itself.
fn both(name: &str) -> bool {
    let words: Vec<&str> = name.split(|c: char| !(c.is_alphanumeric() || c == '\'')).collect();
    if ["and what is not", "and what isn't", "and is not", "and what's not", "and what not"]
        .iter()
        .any(|cue| name.contains(cue))
    {
        return true;
    }
    let does = words.iter().any(|word| matches!(*word, "do's" | "dos" | "always" | "allowed"))
        || words.windows(2).any(|pair| pair[0] == "do" && matches!(pair[1], "and" | "" | "or" | "vs"));
    does && words
        .iter()
        .any(|word| matches!(*word, "don't" | "don'ts" | "donts" | "dont" | "never" | "forbidden"))
}

/// `The only commands allowed`, `What only maintainers may do`: what stands under it is allowed, and nothing else.
pub(crate) fn allows_only(name: &str) -> bool {
    let lower = name.to_lowercase();
    if !lower.contains("only") {
        return false;
    }
    let words: Vec<&str> = lower.split(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '-'))).collect();
    let only = words.iter().position(|word| *word == "only");
    let allows = |word: &&str| matches!(*word, "allowed" | "permitted" | "acceptable" | "may");
    only.is_some_and(|only| words.iter().any(allows) && (only == 0 || words[only - 1] != "not"))
        && !words.iter().any(|word| matches!(*word, "not" | "never" | "no"))
}

/// Whether a heading turns from what is forbidden to what helps: `Do this instead`, `How to avoid them`, `Avoiding races`.
pub(crate) fn heals(heading: &str) -> bool {
    const STARTS: &[&str] = &[
        "instead",
        "do this instead",
        "what to do",
        "alternative",
        "better",
        "the fix",
        "fix",
        "solution",
        "correct",
        "the right way",
        "right way",
        "how to",
        "avoiding",
        "preventing",
        "troubleshooting",
        "error",
        "handling",
        "recommended",
        "allowed",
        "exception",
        "do instead",
        "use instead",
    ];
    let lower = lowered(heading);
    // `Use labels sparingly`
    if lower.trim_end().ends_with(" sparingly") {
        return true;
    }
    let name = lower.trim_start_matches(|c: char| !c.is_alphanumeric());
    if two_sided(&plain_in(name)) {
        return false;
    }
    STARTS.iter().any(|start| name.starts_with(start))
        || ["how to avoid", "how to prevent", " instead", " error"].iter().any(|cue| name.contains(cue))
            && !name.contains("instead of")
            && !name.contains("common error")
}

/// Whether a heading says nothing but that what stands under it is forbidden, so that it holds for running text, too:
/// `Never`, `Don't`, `Things to avoid`; not `Red flags`, under which people also write what to do.
pub(crate) fn forbids_all(heading: &str) -> Option<Stance> {
    let stance = cue(heading);
    let lower = heading.to_lowercase();
    let mixed = ["red flag", "anti-pattern", "antipattern", "bad practice", ":", " - ", "—", "?", "\"", "`"];
    // `Bad` alone above a sentence that orders it.
    if matches!(
        plain_in(lower.trim_matches(|c: char| !c.is_alphanumeric()))[..],
        ["bad" | "incorrect" | "anti-pattern" | "antipattern"]
            | ["wrong", "approach" | "way"]
            | ["the", "wrong", "approach" | "way"]
    ) {
        return Some(Stance::Forbid);
    }
    let pure = matches!(stance, Stance::Forbid | Stance::Discourage)
        && stance_of_heading(heading) == stance
        && naming(heading) != Naming::Whole
        && !forbids_manner(heading)
        && heading.split_whitespace().count() <= 7
        && !mixed.iter().any(|mark| lower.contains(mark));
    pure.then_some(stance)
}

/// Whether a cue is words of its own, and not a piece of others such as `avoiding`, where that matters.
pub(crate) fn is_whole(lower: &str, cue: Range<usize>) -> bool {
    const ALONE: &[&str] = &["never", "avoid", "don't", "do not", "always", "allowed", "permitted"];
    let letter = |c: char| c.is_alphanumeric();
    !ALONE.contains(&&lower[cue.clone()])
        || (!lower[..cue.start].ends_with(letter) && !lower[cue.end..].starts_with(letter))
}
