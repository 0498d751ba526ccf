//! What a heading or a lead-in is about: the cue of a prohibition is often but a piece of its name. `Forbidden` and `Forbidden actions`
//! forbid; `Banned users`, `Removing forbidden files` and `Never-ending jobs` are topics, and `Deprecated APIs` names things.

use std::ops::Range;

use mentci_authority::Level;

use super::guard::plain_in;
use super::leniency::LENIENT;
use super::stance::Stance;
use super::word::lowered;

/// What a cue of a prohibition makes of the name that it stands in.
pub(crate) fn bearing(stance: Stance, name: &str, cue: &Range<usize>) -> Stance {
    // `Recommendation categories`: which kinds of them there are.
    let kinds = || {
        plain_in(&name[cue.end..]).iter().find(|word| **word != "s").is_some_and(|next| {
            ["categories", "types", "kinds", "engine", "engines", "system", "systems"].contains(next)
        })
    };
    if stance == Stance::Advise && name[cue.clone()].starts_with("recommendation") && kinds() {
        return Stance::Neutral;
    }
    if !matches!(stance, Stance::Forbid | Stance::Discourage | Stance::Mistakes) {
        return stance;
    }
    if is_compound(name, cue) {
        return Stance::Neutral;
    }
    if keeps_rules(name, cue) || keeps_whole(name, cue) {
        return Stance::Order;
    }
    let noun = &name[cue.start..];
    let adjective = ADJECTIVES.iter().any(|adjective| noun.starts_with(adjective));
    let named = adjective || NOUNS.iter().any(|named| noun.starts_with(named));
    if named && (treats(&name[..cue.start]) || looks_for(&name[..cue.start]) || is_treated(&name[cue.end..]))
    {
        return Stance::Neutral;
    }
    if says_state(name, cue) {
        return Stance::Neutral;
    }
    if adjective { of_things(stance, &name[cue.end..]) } else { stance }
}

/// `Celestial logbook (deprecated)`, `Sextant v1: deprecated`: how the thing stands that the heading names. What is written under it
/// tells of that thing, and may tell what to do instead; `What is deprecated` has a list under it.
fn says_state(name: &str, cue: &Range<usize>) -> bool {
    const ASKING: &[&str] = &["what", "what's", "things", "everything", "anything", "all", "list", "these"];
    let before = plain_in(&name[..cue.start]);
    name[cue.clone()] == *"deprecated"
        && plain_in(&name[cue.end..]).is_empty()
        && before.first().is_some_and(|first| !ASKING.contains(first))
        && before.iter().any(|word| !matches!(*word, "now" | "the" | "is" | "are" | "our"))
}

/// `Hard rules`, `Stop and read`: a name behind a stop sign that orders by itself.
pub(crate) fn halts(name: &str, stance: Stance) -> bool {
    const HALTING: &[&str] = &[
        "stop",
        "halt",
        "wait",
        "pause",
        "read",
        "ask",
        "check",
        "confirm",
        "think",
        "important",
        "critical",
    ];
    let Some(&first) = plain_in(name).first() else { return false };
    stance == Stance::Order && !first.ends_with("ing") || HALTING.contains(&first)
}

/// Cues that say how things are.
const ADJECTIVES: &[&str] =
    &["forbidden", "prohibited", "banned", "disallowed", "discouraged", "deprecated", "off-limits"];

/// Cues that name what is bad.
const NOUNS: &[&str] = &[
    "anti-pattern",
    "antipattern",
    "red flag",
    "warning sign",
    "danger sign",
    "bad practice",
    "worst practice",
    "bad habit",
    "common mistake",
    "mistakes",
    "pitfall",
    "common error",
    "gotcha",
];

/// `Never-ending`, `soft-deprecated`, `Go/No-Go`: a piece of another word.
fn is_compound(name: &str, cue: &Range<usize>) -> bool {
    let (before, behind) = (&name[..cue.start], &name[cue.end..]);
    let joined = |rest: Option<char>| rest.is_some_and(char::is_alphanumeric);
    let goes = &name[cue.clone()] == "no-go"
        && ["go", "go or", "go vs", "go and"]
            .iter()
            .any(|go| before.trim_end_matches([' ', '/', '.', '-']).ends_with(go));
    goes || behind.strip_prefix('-').is_some_and(|rest| joined(rest.chars().next()))
        || before.strip_suffix('-').is_some_and(|rest| joined(rest.chars().next_back()))
}

/// `Rules you must never break`, `Iron law (breaking it is forbidden)`, `Rules: do not skip`: whoever forbids to break rules orders
/// what they say.
fn keeps_rules(name: &str, cue: &Range<usize>) -> bool {
    const BREAKING: &[&str] = &[
        "break",
        "breaking",
        "violate",
        "violating",
        "violations",
        "skip",
        "skipping",
        "ignore",
        "ignoring",
        "bypass",
        "bypassing",
        "omit",
        "omitting",
        "disobey",
        "compromise",
        "miss",
    ];
    let words = plain_in(name);
    let rule = words.iter().position(|word| RULES.contains(word));
    let breaks = |rule: usize| words[rule + 1..].iter().any(|word| BREAKING.contains(word));
    let rules_first = rule.is_some_and(|rule| plain_in(&name[..cue.start]).len() > rule);
    rules_first && rule.is_some_and(breaks)
}

/// `Required flow (do not skip)`, `Setup: never skip this`, `Don't reorder these steps`: what must not be left out or put in another
/// order is to be done. `Never skip` alone, and `Never skip the tests`, leave it to what stands under them to say what of.
fn keeps_whole(name: &str, cue: &Range<usize>) -> bool {
    const LEAVING: &[&str] = &[
        "skip", "forget", "miss", "omit", "ignore", "bypass", "neglect", "reorder", "rush", "shortcut",
        "deviate", "depart",
    ];
    const POINTING: &[&str] = &[
        "this", "these", "it", "them", "any", "of", "from", "a", "step", "steps", "section", "part", "ever",
        "here", "phase", "order",
    ];
    let behind = plain_in(&name[cue.end..]);
    let Some((verb, rest)) = behind.split_first() else { return false };
    let is_named = !plain_in(&name[..cue.start]).is_empty();
    LEAVING.contains(verb)
        && rest.iter().all(|word| POINTING.contains(word))
        && (is_named || !rest.is_empty())
}

/// Nouns for what binds.
const RULES: &[&str] = &[
    "rule",
    "rules",
    "law",
    "laws",
    "requirement",
    "requirements",
    "standards",
    "conventions",
    "steps",
    "checks",
    "gates",
    "mandates",
    "musts",
    "checklist",
    "invariants",
];

/// `Rules: no exceptions`, `Hard rules, no excuses`: they hold always.
pub(crate) fn unbending(words: &[&str]) -> bool {
    let rule = words.iter().position(|word| RULES.contains(word));
    rule.is_some_and(|rule| {
        words[rule + 1..].windows(2).any(|pair| pair[0] == "no" && LENIENT.contains(&pair[1]))
    })
}

/// Beginnings of words for what is done about bad things: `Removing`, `Detection`, `Migrate`.
const TREATMENTS: &[&str] = &[
    "remov",
    "fix",
    "handl",
    "detect",
    "delet",
    "migrat",
    "replac",
    "clean",
    "correct",
    "refactor",
    "resolv",
    "resolut",
    "scan",
    "filter",
    "eliminat",
    "updat",
    "upgrad",
    "convert",
    "rewrit",
    "repair",
    "recover",
    "respond",
    "respons",
    "debug",
    "unban",
    "prevent",
    "remedia",
    "mitigat",
    "troubleshoot",
    "find",
    "check",
];

fn is_treatment(word: &str) -> bool {
    TREATMENTS.iter().any(|start| word.starts_with(start))
}

/// `Removing forbidden files`, `Migration from deprecated calls`: what stands in front of the cue does something about it.
fn treats(before: &str) -> bool {
    plain_in(before).into_iter().find(|word| word.chars().any(char::is_alphabetic)).is_some_and(is_treatment)
}

/// `Step 2: Scan for anti-patterns`: it is looked for, and what stands under it says where and how.
fn looks_for(before: &str) -> bool {
    const LOOKING: &[&str] = &["scan", "search", "check", "look", "grep", "watch", "screen", "hunt"];
    let words = plain_in(before);
    words.windows(2).any(|pair| LOOKING.contains(&pair[0]) && pair[1] == "for")
}

/// `Prohibited words filter`, `Anti-pattern detection`: the last word of the name does something about it. `Mistakes and fixes` has both.
fn is_treated(behind: &str) -> bool {
    let named = behind.split(['(', ':', '—', '–', ',', '&', '/', '+', '.']).next().unwrap_or("");
    let words = plain_in(named.trim_start_matches('s'));
    !words.iter().any(|word| matches!(*word, "and" | "or" | "with" | "to" | "that" | "without" | "in"))
        && words.last().is_some_and(|last| is_treatment(last))
}

/// `Cache stampede prevention`, `Leak detection`: a heading for what helps, be it among anti-patterns. `Missing leak detection` lacks it.
pub(crate) fn is_remedy(heading: &str) -> bool {
    const REMEDIES: &[&str] = &[
        "prevention",
        "detection",
        "recovery",
        "remediation",
        "mitigation",
        "avoidance",
        "solution",
        "solutions",
        "fix",
        "fixes",
        "workaround",
        "workarounds",
        "alternatives",
        "resolution",
    ];
    const LACKS: &[&str] = &[
        "no",
        "missing",
        "lack",
        "lacking",
        "poor",
        "bad",
        "weak",
        "without",
        "incomplete",
        "insufficient",
        "improper",
        "late",
        "quick",
        "hacky",
        "temporary",
        "partial",
        "untested",
        "over-engineered",
    ];
    let Some(last) = heading.rsplit(' ').next().filter(|last| last.len() < heading.len()) else {
        return false;
    };
    if !REMEDIES.contains(&lowered(last).as_str()) {
        return false;
    }
    let lower = lowered(heading);
    !plain_in(&lower).iter().any(|word| LACKS.contains(word) || word.ends_with("ing"))
}

/// What the noun behind `Forbidden` or `Deprecated` makes of it.
fn of_things(stance: Stance, behind: &str) -> Stance {
    let named = behind.split(['(', ':', '—', '–', ',', '.', '!', '?']).next().unwrap_or("");
    let words = plain_in(named);
    let end = words.iter().position(|word| PARTING.contains(word)).unwrap_or(words.len());
    let Some((head, others)) = words[..end].split_last() else { return stance };
    let acts = |word: &&str| ACTS.contains(word);
    if acts(head) || others.iter().any(acts) && !BEINGS.contains(head) {
        stance
    } else if BEINGS.contains(head) {
        Stance::Neutral
    } else if stance == Stance::Discourage {
        Stance::Things(Level::ShouldNot)
    } else {
        stance
    }
}

/// Words that end a name: what follows says where or when.
const PARTING: &[&str] = &[
    "in", "on", "for", "without", "when", "during", "unless", "before", "after", "if", "with", "while", "at",
    "under", "until", "except", "from", "by", "of", "to", "and", "or", "is", "are", "as", "that", "which",
];

/// Nouns that name what somebody does or says: an order under `Forbidden actions` is what is forbidden.
const ACTS: &[&str] = &[
    "action",
    "actions",
    "act",
    "acts",
    "operation",
    "operations",
    "command",
    "commands",
    "pattern",
    "patterns",
    "practice",
    "practices",
    "behavior",
    "behaviors",
    "behaviour",
    "behaviours",
    "thing",
    "things",
    "move",
    "moves",
    "shortcut",
    "shortcuts",
    "change",
    "changes",
    "habit",
    "habits",
    "technique",
    "techniques",
    "approach",
    "approaches",
    "activity",
    "activities",
    "edit",
    "edits",
    "word",
    "words",
    "phrase",
    "phrases",
    "language",
    "vocabulary",
    "term",
    "terms",
    "expressions",
    "topics",
    "usage",
    "uses",
    "use",
    "style",
    "styles",
    "idioms",
    "constructs",
    "methods",
    "way",
    "ways",
    "here",
    "always",
    "list",
    "outright",
    "entirely",
    "everywhere",
    "ideas",
    "steps",
    "tactics",
    "responses",
    "excuses",
];

/// Nouns for whom or what is dealt with, and not for what is done: an order under `Banned users` says what is done about them.
const BEINGS: &[&str] = &[
    "user",
    "users",
    "account",
    "accounts",
    "member",
    "members",
    "client",
    "clients",
    "customer",
    "customers",
    "person",
    "people",
    "player",
    "players",
    "ips",
    "error",
    "errors",
    "page",
    "pages",
    "status",
    "handler",
    "handlers",
    "middleware",
    "filter",
    "filters",
    "process",
    "workflow",
    "test",
    "tests",
];
