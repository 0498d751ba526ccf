//! When what stands under a heading or a lead-in holds: the condition that either of them is.

use std::ops::Range;

use mentci_authority::Force;

use super::guard::{GUARDS, guards, needs_leave, plain_of};
use super::lexicon::is_verb;
use super::mood::{Mood, has_finite, mood_of};
use super::stance::Stance;
use super::word::{Word, WordKind};

/// Words that open a circumstance in a heading: `In production`, `During a release`, `For admins`.
pub(crate) const CIRCUMSTANCES: &[&str] = &[
    "in", "on", "during", "for", "under", "while", "outside", "inside", "only", "except", "unless",
    "without", "within", "at",
];

/// Words behind `only` and `always` that open a circumstance, too.
const BOUNDING: &[&str] = &[
    "if", "when", "after", "before", "with", "by", "together", "through", "via", "from", "at", "where",
    "while", "until", "once",
];

/// Nouns that name one of several cases: `Scenario A`, `Mode: strict`, `Option 1: merge`.
pub(crate) const CASES: &[&str] = &[
    "scenario",
    "case",
    "mode",
    "option",
    "variant",
    "alternative",
    "environment",
    "env",
    "platform",
    "profile",
];

/// Nouns that name one of several ways where they are counted: `Method 1: by hand`.
const WAYS: &[&str] = &["method", "approach", "pattern", "strategy"];

/// Formats of documents, of which a heading says more: `PDF reports`, `DOCX Word documents`.
const FORMATS: &[&str] = &["pdf", "docx", "pptx", "xlsx", "csv", "svg", "png", "epub"];

/// Families of which only one holds at a time.
const FAMILIES: &[&[&str]] = &[
    &["windows", "linux", "macos", "mac", "unix", "posix", "wsl", "android", "ios", "freebsd"],
    &["production", "prod", "staging", "development", "dev", "ci", "local", "locally", "preview"],
    &["bash", "zsh", "fish", "powershell", "cmd"],
    &["rust", "python", "go", "java", "typescript", "javascript", "ruby", "php", "c", "kotlin", "swift"],
    &["npm", "yarn", "pnpm", "bun"],
    FORMATS,
    &["beginner", "beginners", "intermediate", "advanced", "expert", "experts"],
    &["admin", "admins", "user", "users", "guest", "guests", "maintainers", "contributors"],
    &[
        "x",
        "twitter",
        "linkedin",
        "instagram",
        "tiktok",
        "youtube",
        "facebook",
        "threads",
        "bluesky",
        "mastodon",
        "reddit",
        "newsletter",
        "newsletters",
        "podcast",
    ],
];

/// What a way of working is called, alone or as `Full mode`: `Quick start` is none.
const MODES: &[&str] =
    &["quick", "fast", "lite", "standard", "full", "minimal", "custom", "deep", "thorough", "strict"];

/// What opens a heading above points that are gone through before something: `Checklist before landing`.
pub(crate) const CHECKLISTS: &[&str] = &["checklist", "checks", "review", "verification"];

/// Where a heading goes on behind `Step 2:`.
fn behind_step(words: &[Word], start: usize) -> usize {
    let [step, number, mark, case, ..] = &words[start..] else { return start };
    let counted = step.any(&["step", "phase", "stage"]) && number.lower.chars().all(|c| c.is_ascii_digit());
    let waits = case.any(&["if", "when", "unless"]);
    if counted && waits && (mark.mark(":") || mark.mark("—")) { start + 3 } else { start }
}

/// ``Barges (`--kind barge`)``: a part that holds where the flag in its bracket is given.
fn asked_by_flag(words: &[Word]) -> bool {
    const LONGEST: usize = 6;
    let [named @ .., open, flag, close] = words else { return false };
    let flagged = open.lower == "("
        && close.lower == ")"
        && flag.kind == WordKind::Code
        && flag.lower.trim_matches('`').starts_with("--");
    flagged && (1..=LONGEST).contains(&named.len()) && mood_of(named).mood == Mood::Fragment
}

/// The words of a heading that say when what stands under it holds: `If …`, `In production`, `For admins only`,
/// `Mode: strict`.
pub(crate) fn of_heading(words: &[Word]) -> Option<Range<usize>> {
    let start = words
        .iter()
        .position(|word| word.kind == WordKind::Plain && !word.lower.chars().all(|c| c.is_ascii_digit()))?;
    let start = behind_step(words, start);
    let (first, second) = (words.get(start)?, words.get(start + 1)?);
    let end = |least: usize| {
        let turns = |at: &usize| words[*at].mark(",") || words[*at].mark(":") || words[*at].mark("—");
        (start..words.len()).find(turns).filter(|&end| end > start + least).unwrap_or(words.len())
    };
    let whole = start..words.len();
    let plain = words[start..].iter().filter(|word| word.kind != WordKind::Mark).count();
    if asked_by_flag(words) {
        return Some(whole);
    }
    // `Checklist before landing`
    if first.any(CHECKLISTS) && waits_for(second, words.get(start + 2)?, words.get(start + 3)) && plain <= 7 {
        return Some(start + 1..end(1));
    }
    if guards(&plain_of(&words[start..])) {
        let named = |word: &Word| word.lower.chars().any(char::is_alphabetic);
        return words.iter().position(named).map(|named| named..words.len());
    }
    if first.any(&["if"]) || first.any(&["when"]) && !second.any(&["to", "not"]) {
        return Some(start..end(2));
    }
    if waits_for(first, second, words.get(start + 2)) && plain <= 7 {
        return Some(start..end(1));
    }
    let idle = first.is("at")
        && second.any(&["a", "an", "the", "least", "most", "first", "last", "once", "all", "any"])
        || second.any(&[
            "example",
            "instance",
            "summary",
            "short",
            "general",
            "practice",
            "detail",
            "depth",
            "brief",
            "action",
            "reference",
            "more",
            "further",
            "this",
            "naming",
            "all",
            "each",
            "every",
            "addition",
            "use",
            "using",
            "order",
            "scope",
        ]) && !(first.is("for") && second.any(&["short", "brief", "general"]) && words.len() > start + 2)
        || second.is("you") && !first.is("unless");
    // `Only use rg` is a rule, `Only in tests` a circumstance.
    let bounded = first.any(&["only", "always"]) && (second.any(CIRCUMSTANCES) || second.any(BOUNDING));
    let guarded = first.any(&["with", "by"]) && words[start..].iter().any(|word| word.any(GUARDS));
    let idle = idle
        || first.is("only") && !bounded
        || words
            .get(start + 2)
            .is_some_and(|third| third.is("hood") || second.is("other") && third.is("words"));
    if (first.any(CIRCUMSTANCES) || bounded || guarded)
        && !idle
        && words[start..end(1)]
            .iter()
            .filter(|word| word.depth == 0 && word.lower != "(" && word.lower != ")")
            .count()
            <= 7
        && plain > 1
    {
        return Some(start..end(1));
    }
    let last = words.iter().rposition(|word| word.kind != WordKind::Mark)?;
    let orders = || matches!(mood_of(words).mood, Mood::Order(_, Force::Implied));
    if words[last].is("only") && plain <= 4 && !orders() {
        return Some(whole);
    }
    let labelled = second.mark(":")
        || words.get(start + 2).is_none_or(|third| third.mark(":") || third.mark("—"))
            && is_letter_or_number(second);
    let counted = labelled && !second.mark(":") && words.len() > start + 3;
    (first.any(CASES) && labelled || first.any(WAYS) && counted).then_some(whole)
}

fn is_letter_or_number(word: &Word) -> bool {
    word.lower.len() <= 2 || word.lower.chars().all(|c| c.is_ascii_digit())
}

/// `if the tide is out` of `Low berths (if the tide is out)`, `before any tow` of `Check the ropes (before any tow)`.
pub(crate) fn in_last_bracket(words: &[Word]) -> Option<Range<usize>> {
    const OPENING: &[&str] = &["if", "when", "whenever", "unless", "before", "after", "once", "until"];
    const VAGUE: &[&str] = &[
        "needed",
        "available",
        "applicable",
        "any",
        "possible",
        "necessary",
        "present",
        "relevant",
        "exists",
        "exist",
        "enabled",
        "configured",
        "used",
        "installed",
        "both",
        "requested",
        "asked",
    ];
    const AS_IT_COMES: &[&str] =
        &["needed", "any", "applicable", "possible", "necessary", "relevant", "both"];
    const FEWEST: usize = 2;
    const FARTHEST: usize = 5;
    let last = words.last().filter(|last| last.lower == ")")?;
    let open = words.iter().rposition(|word| word.lower == "(" && word.kind == last.kind)?;
    let said = open + 1..words.len() - 1;
    // `Rules (apply to open berths)`
    if let [applies, to, _, ..] = &words[said.clone()]
        && applies.any(&["apply", "applies"])
        && to.any(&["to", "for"])
        && said.len() <= FARTHEST
    {
        return Some(said);
    }
    let opens = words.get(said.start).is_some_and(|first| first.any(OPENING));
    // `(if available)`, `(if needed)`: as it comes.
    // `(if the log exists)` is a case.
    let short = said.len() == FEWEST;
    let vague = words[said.clone()].iter().any(|word| word.any(if short { VAGUE } else { AS_IT_COMES }));
    (open > 0 && opens && !vague && said.len() >= FEWEST).then_some(said)
}

/// `Option 2`, `Case B`.
pub(crate) fn names_case(words: &[Word]) -> bool {
    matches!(words, [case, which] if case.any(CASES) && is_letter_or_number(which))
}

/// `Only for long voyages.`, `Night crews only.`: a sentence that says no more than when or for whom the next one holds.
pub(crate) fn confines(words: &[Word]) -> bool {
    const LONGEST: usize = 8;
    const BEFORE: &[&str] = &[
        "for", "in", "on", "when", "if", "during", "under", "with", "after", "before", "at", "within", "from",
    ];
    let plain: Vec<&Word> = words.iter().filter(|word| word.kind != WordKind::Mark).collect();
    if !words.iter().any(|word| word.is("only")) {
        return is_purpose(words, &plain);
    }
    let [first, second, ..] = plain[..] else { return false };
    let last = plain[plain.len() - 1];
    let opens = first.is("only") && second.any(BEFORE);
    let closes = last.is("only") && (first.any(BEFORE) || plain.len() <= 4 && !is_verb(&first.lower));
    let marked = words.iter().any(|word| word.mark(":") || word.mark("—") || word.mark("→"));
    (opens || closes)
        && plain.len() <= LONGEST
        && !marked
        && (!has_finite(words) || opens && second.any(&["when", "if", "once", "after", "while"]))
        && words.last().is_some_and(|last| last.mark("."))
}

/// `For long voyages.`: what the next sentence is for. `For example.` says nothing.
fn is_purpose(words: &[Word], plain: &[&Word]) -> bool {
    const LONGEST: usize = 6;
    const IDLE: &[&str] = &[
        "example",
        "instance",
        "reference",
        "context",
        "details",
        "detail",
        "information",
        "more",
        "now",
        "this",
        "that",
        "you",
        "free",
        "sure",
    ];
    let ([first, second, ..], Some(last)) = (plain, plain.last()) else { return false };
    first.is("for")
        && first.capital
        && !second.any(IDLE)
        && !last.any(IDLE)
        && plain.len() <= LONGEST
        && words.last().is_some_and(|last| last.mark("."))
        && words.iter().filter(|word| word.kind == WordKind::Mark).count() == 1
        && mood_of(words).mood == Mood::Fragment
}

/// `Path A: the harbour is open`, `Option 2`: one of several cases by its letter or number, whatever is said of it.
pub(crate) fn is_lettered(name: &str) -> bool {
    const MORE: &[&str] = &["path", "route", "track", "branch", "tier", "situation", "outcome", "approach"];
    let Some((case, rest)) = name.split_once(' ') else { return false };
    let case = case.to_lowercase();
    let which = rest.split([':', ' ', '—', '.']).next().unwrap_or("");
    let behind = rest[which.len()..].trim_start();
    let parted = behind.is_empty() || behind.starts_with([':', '—', '(', '.']);
    let short = which.chars().count() == 1 || which.starts_with(|c: char| c.is_ascii_digit());
    let lettered = which.starts_with(char::is_alphanumeric) && which.len() <= 2 && short;
    parted && lettered && (CASES.contains(&case.as_str()) || MORE.contains(&case.as_str()))
}

/// `Before merging`, `After you deploy`, `Before each release`.
fn waits_for(first: &Word, second: &Word, third: Option<&Word>) -> bool {
    const BEGINS: &[&str] = &[
        "start",
        "starting",
        "begin",
        "beginning",
        "getting",
        "go",
        "do",
        "proceed",
        "proceeding",
        "continue",
        "continuing",
        "read",
        "reading",
        "use",
        "using",
        "anything",
    ];
    let acts = second.lower.len() > 5 && second.lower.ends_with("ing") && !second.any(BEGINS);
    let you =
        second.is("you") && third.is_some_and(|third| third.kind == WordKind::Plain && !third.any(BEGINS));
    // `After deployment`.
    let named = third.is_none()
        && second.kind == WordKind::Plain
        && !second.any(BEGINS)
        && !second.any(&["that", "this", "all"]);
    first.any(&["before", "after"]) && (acts || you || named || second.any(&["each", "every"]))
}

/// Whether one of `siblings` names another of the cases of which `name` is one: `Windows` beside `Linux`.
pub(crate) fn is_alternative<'t>(name: &str, mut siblings: impl Iterator<Item = &'t str>) -> bool {
    let Some(family) = family(name) else { return false };
    let name = name.trim();
    siblings.any(|other| other.trim() != name && self::family(other) == Some(family))
}

/// `Production`, `Windows`: one of several of which one is the case.
pub(crate) fn is_member(name: &str) -> bool {
    family(name).is_some()
}

/// The family of a heading that names one of its members and hardly more.
pub(crate) fn family(name: &str) -> Option<usize> {
    let lower = name.to_lowercase();
    let named = || lower.split(|c: char| !(c.is_alphanumeric() || c == '-')).filter(|word| !word.is_empty());
    let words: Vec<&str> = named().take(4).collect();
    let flows = words.last().is_some_and(|last| matches!(*last, "flow" | "workflow"));
    let most = if flows || words.first().is_some_and(|first| FORMATS.contains(first)) { 3 } else { 2 };
    if words.len() > most {
        return None;
    }
    let mode = matches!(words[..], [mode] | [mode, "mode" | "review" | "path" | "track" | "depth" | "run"] if MODES.contains(&mode));
    // `Night mode` beside `Day mode`; `Dark mode` stands alone.
    if mode || matches!(words[..], [_, "mode"]) {
        return Some(FAMILIES.len());
    }
    // `Quick scan flow` beside `Full scan flow`
    if !name.contains(['_', '`'])
        && matches!(words[..], [first, .., "flow" | "workflow"] if !matches!(first, "the" | "your" | "core" | "main" | "common" | "recommended" | "basic" | "standard" | "typical" | "general"))
    {
        return Some(FAMILIES.len() + 1);
    }
    FAMILIES.iter().position(|family| words.iter().any(|word| family.contains(word)))
}

/// More words than this say more than what an act waits for.
const LONGEST_GUARD: usize = 12;

/// The words of a lead-in that only says when its items hold: `Only when the flag is given:`, `If, and only if, X, then:`,
/// `Only after a backup do the following.`
pub(crate) fn of_lead_in(words: &[Word]) -> Option<Range<usize>> {
    let start = words.iter().position(|word| word.kind != WordKind::Mark)?;
    if let Some(confined) = confined(words) {
        return Some(confined);
    }
    if words.len() <= LONGEST_GUARD && needs_leave(&plain_of(&words[start..])) {
        return Some(start..without_then(words));
    }
    if let Some(done) = done_only_when(&words[start..]) {
        return Some(start + done..without_then(words));
    }
    let only = usize::from(words[start].any(&["only", "always"]));
    let opener = words.get(start + only)?;
    let opens = opener
        .any(&["if", "when", "whenever", "unless", "once", "after", "before", "while", "until"])
        || opener.any(&["in", "on", "for", "during", "under", "with", "without", "except"])
        || only == 1 && opener.any(BOUNDING);
    let end = pointing(words).unwrap_or_else(|| without_then(words));
    let body = words.get(start + only..end).filter(|body| body.len() > 1)?;
    let insists =
        body.get(1).is_some_and(|word| word.mark(",")) && body.get(2).is_some_and(|word| word.is("and"));
    let told =
        if insists { body.iter().skip(2).position(|word| word.mark(",")).map(|at| at + 3)? } else { 1 };
    let orders = matches!(mood_of(&body[told.min(body.len() - 1)..]).mood, Mood::Order(..));
    let bound = only == 1 || insists || pointing(words).is_some() || opener.is("in");
    // `In the harbour, do not:` says how its items bind, too.
    (opens && bound && !orders && only_binds(words).is_none()).then_some(start..end)
}

/// Where the case begins of `Only do the following when the owner asks:`, `Do these only if it rains:`.
fn done_only_when(words: &[Word]) -> Option<usize> {
    const FARTHEST: usize = 7;
    const DOING: &[&str] = &["do", "perform", "run", "follow", "take", "execute", "apply"];
    let acts = words.iter().take(2).any(|word| word.any(DOING));
    let end = words.iter().take(FARTHEST + 1).position(|word| word.any(&["when", "if", "once", "after"]))?;
    let said = &words[..end];
    let pointed = said.iter().any(|word| word.any(&["following", "these", "this"]));
    let only = said.iter().any(|word| word.is("only"));
    (acts && pointed && only && end + 1 < words.len()).then_some(end)
}

/// `The following rules apply only to barges:`, `This section holds in winter only.`: how far what stands below holds.
pub(crate) fn confined(words: &[Word]) -> Option<Range<usize>> {
    const SUBJECTS: &[&str] =
        &["the", "these", "this", "following", "rules", "rule", "section", "steps", "rest", "all", "of"];
    let start = words.iter().position(|word| word.kind != WordKind::Mark)?;
    let end = words.iter().rposition(|word| word.kind != WordKind::Mark)? + 1;
    let verb = start + words[start..end].iter().take_while(|word| word.any(SUBJECTS)).count();
    let only = (verb..end).find(|&at| words[at].is("only"))?;
    let reaches = words.get(verb)?.any(&["apply", "applies", "hold", "holds"]);
    // `apply only to barges`, `apply to barges only`
    let rest = if only == verb + 1 { only } else { verb + 1 + usize::from(words.get(verb + 1)?.is("to")) };
    let placed = only == verb + 1 || only + 1 == end;
    (verb > start && reaches && placed && rest + 1 < end).then_some(rest..end)
}

/// Words that open the condition of a lead-in.
const OPENING: &[&str] =
    &["if", "when", "whenever", "unless", "once", "before", "after", "while", "until", "during", "except"];

/// Of these, the words that are as often no condition.
const PLACES: &[&str] = &["in", "on", "for", "under", "without", "at", "outside", "inside"];

/// Words behind them that make it none: `in general`, `in this order`, `when in doubt`.
pub(crate) const IDLE: &[&str] = &[
    "general",
    "short",
    "addition",
    "particular",
    "order",
    "all",
    "other",
    "fact",
    "summary",
    "example",
    "instance",
    "top",
    "case",
    "mind",
    "doubt",
    "in",
    "first",
    "sequence",
    "turn",
    "parallel",
    "possible",
    "needed",
    "applicable",
    "appropriate",
    "necessary",
    "practice",
    "both",
];

/// Of a lead-in that says more, the words that say when its items hold: `When touching SQL, always:`, `Always, when touching SQL:`,
/// `Ensure the following hold before you release:`.
pub(crate) fn bound(words: &[Word]) -> Option<Range<usize>> {
    Some(parted(words)?.0)
}

/// What such a lead-in lends to its items when the rest of its words says nothing else.
pub(crate) fn only_binds(words: &[Word]) -> Option<Stance> {
    force(&words[parted(words)?.1])
}

/// The condition of a lead-in, and the rest of it.
fn parted(words: &[Word]) -> Option<(Range<usize>, Range<usize>)> {
    let start = words.iter().position(|word| word.kind != WordKind::Mark)?;
    let last = words.iter().rposition(|word| word.kind != WordKind::Mark)? + 1;
    // `In port (by day):`
    let end = last + usize::from(words.get(last).is_some_and(|word| word.lower == ")"));
    let idle = |word: Option<&Word>| word.is_none_or(|word| word.any(IDLE));
    let comma =
        words.iter().position(|word| word.mark(",")).filter(|&comma| comma > start + 1 && comma + 1 < end);
    let opens = |word: &Word| word.any(OPENING) || word.any(PLACES);
    if let Some(comma) = comma.filter(|_| opens(&words[start]) && !idle(words.get(start + 1))) {
        let rest = comma + 1..end;
        let said = &words[rest.clone()];
        let binds =
            force(said).is_some() || said.iter().any(|word| word.any(&["following", "these", "this"]));
        // `Before reading examples, find out the language:` says when that comes, and nothing of the items.
        let waits = words[start].any(&["before", "after", "once", "until", "in", "on", "for", "at", "under"]);
        // `In convoy mode, sound and moor one by one:`
        let mode = words[comma - 1].is("mode");
        return (binds || !waits || mode).then_some((start..comma, rest));
    }
    let turned =
        |at: usize| words[at].any(OPENING) || words[at].any(PLACES) && force(&words[start..at]).is_some();
    let opener = (start + 1..end.saturating_sub(1)).find(|&at| words[at].depth == 0 && turned(at))?;
    let ordered = words[opener..end].iter().any(|word| word.any(&["order", "sequence", "turn", "parallel"]));
    let pointed = words[start..opener].iter().rev().find(|word| word.kind != WordKind::Mark)?;
    let points =
        pointed.any(&["following", "these", "this", "them", "things", "steps", "checks", "rules", "all"]);
    let head = start..opener;
    ((points || force(&words[head.clone()]).is_some()) && !ordered && !idle(words.get(opener + 1)))
        .then_some((opener..end, head))
}

/// `Always`, `you must do the following`, `ensure that all of these hold`: words that only say how their items bind.
fn force(words: &[Word]) -> Option<Stance> {
    const POINTING: &[&str] = &[
        "you",
        "we",
        "agents",
        "agent",
        "claude",
        "do",
        "does",
        "be",
        "is",
        "are",
        "of",
        "that",
        "the",
        "following",
        "these",
        "this",
        "those",
        "things",
        "thing",
        "all",
        "steps",
        "step",
        "rules",
        "rule",
        "hold",
        "holds",
        "true",
        "to",
        "apply",
        "applies",
        "please",
        "also",
        "and",
        "conditions",
        "points",
        "items",
        "it",
        "met",
        "so",
    ];
    const BINDING: &[&str] = &["always", "must", "shall", "ensure", "required", "mandatory"];
    const ADVISING: &[&str] = &["should", "prefer"];
    const NEGATING: &[&str] = &["never", "not", "don't", "cannot", "can't", "mustn't", "shouldn't"];
    let plain: Vec<&Word> = words.iter().filter(|word| word.kind != WordKind::Mark).collect();
    let has = |lowers: &[&str]| plain.iter().any(|word| word.any(lowers));
    let known = |word: &&Word| {
        word.any(POINTING)
            || word.any(&["make", "sure", "have", "need"])
            || word.any(BINDING)
            || word.any(ADVISING)
            || word.any(NEGATING)
            || word.any(&["may", "can"])
    };
    if plain.is_empty() || !plain.iter().all(known) || words.iter().any(|word| word.kind == WordKind::Code) {
        return None;
    }
    let denied = has(NEGATING);
    match (denied, has(ADVISING) || has(&["shouldn't"])) {
        (true, _) if has(&["need", "have"]) => None,
        (true, true) => Some(Stance::Discourage),
        (true, false) => Some(Stance::Forbid),
        (false, true) => Some(Stance::Advise),
        (false, false) if has(&["may", "can"]) => {
            has(&["you", "we", "agents", "agent", "claude"]).then_some(Stance::Permit)
        }
        (false, false) => {
            let owes = has(&["have", "need"]) && has(&["to"]) || has(&["make"]) && has(&["sure"]);
            (owes || has(BINDING) || has(&["do"])).then_some(Stance::Order)
        }
    }
}

/// Where the words begin that only point at the items: `do the following`.
pub(crate) fn pointing(words: &[Word]) -> Option<usize> {
    let plain: Vec<usize> = (0..words.len()).filter(|&at| words[at].kind != WordKind::Mark).collect();
    let is = |back: usize, lowers: &[&str]| {
        plain.len().checked_sub(back).is_some_and(|at| words[plain[at]].any(lowers))
    };
    let length = if is(3, &["do"]) && is(2, &["the"]) && is(1, &["following"]) {
        3
    } else if is(2, &["do"]) && is(1, &["this", "these"]) {
        2
    } else {
        return None;
    };
    Some(plain[plain.len() - length]).filter(|&at| at > 2)
}

/// Without `, then:`.
fn without_then(words: &[Word]) -> usize {
    let last = words.iter().rposition(|word| word.kind != WordKind::Mark).unwrap_or(0);
    let end = if words.get(last).is_some_and(|word| word.is("then")) { last } else { last + 1 };
    let end = words[..end].iter().rposition(|word| word.kind != WordKind::Mark).map_or(end, |at| at + 1);
    // `In the hold (by day):`
    end + usize::from(words.get(end).is_some_and(|word| word.lower == ")"))
}
