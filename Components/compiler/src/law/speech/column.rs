//! What a column of a table holds, by its header.

use mentci_authority::Level;

use super::ban_names::stance_of_ban;
use super::lexicon::is_verb;
use super::stance::Stance;
use super::word::ending_bracket;

/// What a column holds, by its header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Column {
    /// Nothing special.
    Plain,
    /// Excuses and thoughts: never rules.
    Excuse,
    /// What to do.
    Do,
    /// What not to do.
    Dont,
    /// When to do it.
    When,
    /// Samples.
    Example,
    /// Why, or what it is.
    Telling,
}

const HEADERS: &[(Column, &[&str])] = &[
    (
        Column::Excuse,
        &[
            "excuse",
            "rationalization",
            "thought",
            "myth",
            "temptation",
            "lie",
            "what you think",
            "you think",
            "you might think",
        ],
    ),
    (
        Column::Dont,
        &[
            "don't",
            "dont",
            "do not",
            "never",
            "avoid",
            "omit",
            "exclude",
            "leave out",
            "bad",
            "wrong",
            "❌",
            "anti-pattern",
            "instead of",
            "not this",
            "mistake",
            "incorrect",
        ],
    ),
    (
        Column::Do,
        &[
            "do",
            "do this",
            "action",
            "fix",
            "solution",
            "good",
            "right",
            "✅",
            "use",
            "what to do",
            "instead",
            "required",
            "response",
            "remedy",
            "correct",
            "rule",
            "guideline",
            "convention",
            "requirement",
            "how to handle",
            "approach",
            "then",
            "do instead",
            "recommended",
            "recommendation",
            "best",
            "prefer",
            "preferred",
            "better",
            "resolution",
            "recovery",
            "mitigation",
            "workaround",
            "include",
            "read",
            "read first",
            "load first",
            "start with",
        ],
    ),
    (
        Column::When,
        &[
            "when",
            "situation",
            "trigger",
            "condition",
            "if",
            "scenario",
            "case",
            "problem",
            "symptom",
            "error",
            "if you see",
        ],
    ),
    (Column::Example, &["example", "sample", "examples"]),
    (
        Column::Telling,
        &[
            "why",
            "reality",
            "reason",
            "description",
            "meaning",
            "purpose",
            "notes",
            "rationale",
            "impact",
            "default",
            "result",
            "why it fails",
            "what it",
            "usage",
            "typical outcome",
            "what goes wrong",
            "what breaks",
        ],
    ),
];

pub(crate) fn column(header: &str) -> Column {
    let lower = header.to_lowercase().replace('’', "'");
    let lower = lower.trim();
    let fits = |cue: &str| {
        lower == cue
            || lower.strip_prefix(cue).is_some_and(|rest| {
                rest.starts_with([' ', '/', '(', 's', ':']) && !cue.is_empty() && cue.len() > 2
            })
    };
    // `Use case` tells what for, `Use` what.
    if lower.starts_with("use case") || lower.starts_with("best for") || lower.starts_with("best practice") {
        return Column::Plain;
    }
    if lower == "not" {
        return Column::Dont;
    }
    if lower.ends_with('?') && !lower.starts_with(['❌', '✅']) {
        return Column::Plain;
    }
    // `Fail-open (BAD)`, `By hand ❌`: what is judged behind its name.
    let bracket = ending_bracket(lower);
    let mark = || lower.rsplit_once(' ').filter(|(_, last)| matches!(*last, "❌" | "✅"));
    if is_to_do(header) || sets_rules_for(lower) {
        return Column::Do;
    }
    match bracket.or_else(mark).map_or("", |(_, judged)| judged) {
        "bad" | "wrong" | "❌" | "avoid" | "don't" | "deprecated" | "rejected" => return Column::Dont,
        "good" | "right" | "✅" | "correct" | "do" | "recommended" | "preferred" => return Column::Do,
        _ => {}
    }
    if stance_of_ban(&lower.split_whitespace().collect::<Vec<_>>()) == Some(Stance::Forbid) {
        return Column::Dont;
    }
    HEADERS
        .iter()
        .find(|(_, cues)| cues.iter().any(|cue| fits(cue)))
        .map_or(Column::Plain, |(column, _)| *column)
}

/// `Default policy`, `Import rules`: what holds for what the first cell names.
fn sets_rules_for(header: &str) -> bool {
    const RULES: &[&str] = &["policy", "rules", "restriction", "restrictions", "constraints"];
    const LONGEST: usize = 3;
    let words: Vec<&str> = header.split(' ').collect();
    (2..=LONGEST).contains(&words.len()) && words.last().is_some_and(|last| RULES.contains(last))
}

/// `Problem`, `Risk`: what comes of what is bad, beside which it stands.
pub(crate) fn is_harm(header: &str) -> bool {
    const HARMS: &[&str] = &[
        "problem",
        "risk",
        "consequence",
        "consequences",
        "impact",
        "cost",
        "effect",
        "outcome",
        "symptom",
        "issue",
        "why it hurts",
        "what goes wrong",
        "harm",
        "danger",
    ];
    HARMS.contains(&header.trim().to_lowercase().as_str())
}

/// `Document | Skip`, `Always | Never`: two headers of which one says what is done, the other what is not.
pub(crate) fn opposites(columns: &[Column], names: &[String]) -> Option<[Column; 2]> {
    let [first, second] = names else { return None };
    let (first, second) = (first.trim().to_lowercase(), second.trim().to_lowercase());
    let acts = |name: &str| name.split(' ').next().is_some_and(is_verb);
    let good = |name: &str, column: Column| column == Column::Plain && (name == "always" || acts(name));
    let bad = |name: &str, column: Column| column == Column::Dont || name == "skip";
    if good(&first, columns[0]) && bad(&second, columns[1]) && first != "skip" {
        Some([Column::Do, Column::Dont])
    } else if bad(&first, columns[0]) && good(&second, columns[1]) && second != "skip" {
        Some([Column::Dont, Column::Do])
    } else {
        None
    }
}

/// `Field to set`, `Files to read first`: a header that says what to do with what stands under it.
pub(crate) fn is_to_do(header: &str) -> bool {
    const ACTS: &[&str] =
        &["set", "use", "run", "call", "read", "load", "apply", "check", "include", "install", "invoke"];
    let words: Vec<String> = header.to_lowercase().split_whitespace().map(str::to_owned).collect();
    words.windows(2).skip(1).any(|pair| pair[0] == "to" && ACTS.contains(&pair[1].as_str()))
        && words
            .first()
            .is_some_and(|first| !["when", "what", "how", "why", "where"].contains(&first.as_str()))
}

/// `Concern | Modern choice | Never use`: what is taken beside what is banned.
pub(crate) fn is_choice(header: &str) -> bool {
    const TAKEN: &[&str] = &["choice", "replacement", "alternative", "standard", "successor"];
    let lower = header.to_lowercase();
    let mut words = lower.split_whitespace();
    words.next().is_some_and(|first| first == "modern" || TAKEN.contains(&first))
        || words.next_back().is_some_and(|last| TAKEN.contains(&last))
}

/// `Severity | Examples | Action`: the examples say what falls under each of these.
pub(crate) fn is_class(header: &str) -> bool {
    const CLASSES: &[&str] = &[
        "severity", "level", "class", "priority", "category", "tier", "grade", "rating", "risk", "kind",
        "type",
    ];
    let lower = header.to_lowercase();
    lower.split_whitespace().next_back().is_some_and(|last| CLASSES.contains(&last))
}

/// `Mistake`, `Wrong`: what stands under it is bad, also where it names a lack.
pub(crate) fn blames(header: &str) -> bool {
    const BAD: &[&str] = &["mistake", "bad", "wrong", "incorrect", "anti-pattern", "common mistake"];
    let lower = header.to_lowercase();
    BAD.iter().any(|cue| lower.starts_with(cue))
}

/// `Role | Colour | Use for`: which value is used for what. `Flag | Use` only says what there is.
pub(crate) fn assigns(names: &[String]) -> bool {
    const USES: &[&str] = &[
        "use",
        "usage",
        "use for",
        "used for",
        "used in",
        "use in",
        "use on",
        "where",
        "where used",
        "apply to",
        "applies to",
        "for",
    ];
    const PARTS: &[&str] = &["element", "component", "part", "surface", "text style"];
    const VALUES: &[&str] = &[
        "color", "colour", "hex", "token", "font", "typeface", "size", "weight", "spacing", "radius",
        "shadow", "duration", "easing", "icon", "gradient",
    ];
    let lower: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
    let used = lower.iter().any(|name| USES.contains(&name.as_str()))
        || lower.first().is_some_and(|name| PARTS.contains(&name.as_str()));
    let valued = |name: &String| name.split_whitespace().any(|word| VALUES.contains(&word));
    used && lower.iter().any(valued)
}

/// `Need | Pick`, `Use case | Lamp type | Why`, `Session event | Signal status`: what is taken or set in which case.
pub(crate) fn decides(names: &[String]) -> bool {
    const CASES: &[&str] = &[
        "use case",
        "need",
        "goal",
        "situation",
        "scenario",
        "task",
        "event",
        "when",
        "case",
        "intent",
        "request",
        "user says",
        "user asks",
        "user wants",
        "you want",
        "you need",
        "if you need",
        "i want",
        "i need",
    ];
    const TAKEN: &[&str] = &[
        "pick",
        "choose",
        "choice",
        "use",
        "tool",
        "skill",
        "agent",
        "model",
        "approach",
        "option",
        "strategy",
        "method",
        "type",
        "status",
        "mode",
        "command",
        "template",
        "workflow",
        "recommendation",
        "library",
        "api",
        "format",
        "provider",
        "service",
        "transition",
    ];
    const FIRST: &[&str] = &["primary ", "recommended ", "preferred "];
    const LOGGED: &[&str] = &["date", "id", "#", "adr", "question", "topic", "area", "phase", "no."];
    let [case, taken, ..] = names else { return false };
    let (case, taken) = (case.to_lowercase(), taken.to_lowercase());
    // `Weather | Primary sail | Fallback`, `Sails | Decision`; `Date | Decision` is a log.
    if FIRST.iter().any(|first| taken.starts_with(first))
        || taken == "decision" && !LOGGED.contains(&case.as_str())
    {
        return true;
    }
    let case = case.trim_end_matches(['.', '…', ':', ' ']);
    let ends = |cues: &[&str], name: &str| {
        cues.iter()
            .any(|cue| name.strip_suffix(cue).is_some_and(|rest| rest.is_empty() || rest.ends_with(' ')))
    };
    ends(CASES, case) && ends(TAKEN, &taken)
}

/// `Pattern | Why it's wrong | Correct approach`: the first column names what is wrong, though its header does not.
pub(crate) fn sets_right(columns: &[Column], names: &[String]) -> bool {
    let blamed = |name: &String| {
        let lower = name.to_lowercase();
        lower.contains("wrong") || lower.contains("bad") || lower.contains("problem")
    };
    matches!(columns.first(), Some(Column::Plain))
        && columns.contains(&Column::Do)
        && names.iter().skip(1).any(blamed)
}

/// `Kind | Test location`: where things of a kind are put.
pub(crate) fn places(names: &[String]) -> bool {
    const PLACES: &[&str] = &["location", "destination", "placement"];
    let placed = |name: &String| {
        let lower = name.to_lowercase();
        lower.split_whitespace().next_back().is_some_and(|last| PLACES.contains(&last))
    };
    names.len() > 1 && names[1..].iter().any(placed)
}

/// `Claim | Requires | Not sufficient`: what is no proof beside what is.
pub(crate) fn is_insufficient(name: &str) -> bool {
    let name = name.to_lowercase().replace('’', "'");
    ["not sufficient", "insufficient", "not enough", "doesn't count", "does not count", "not proof"]
        .iter()
        .any(|cue| name.starts_with(cue))
}

/// `State | Exit criteria`: what has to be so first.
pub(crate) fn is_criterion(name: &str) -> bool {
    const WHICH: &[&str] = &["exit", "entry", "acceptance", "completion", "success", "pass", "done", "gate"];
    let lower = name.to_lowercase();
    let words: Vec<&str> = lower.split_whitespace().collect();
    matches!(words[..], [which, "criteria" | "criterion" | "condition" | "conditions"] if WHICH.contains(&which))
        || matches!(words[..], ["done", "when"] | ["definition", "of", "done"])
}

/// What a row binds to by its headers: `Best tool`, `Recommended size` advise.
pub(crate) fn due(names: &[String]) -> Level {
    const ADVISING: &[&str] =
        &["best", "recommended", "recommendation", "preferred", "target", "targets", "goal"];
    let advises = |name: &String| {
        name.to_lowercase().split_whitespace().next().is_some_and(|word| ADVISING.contains(&word))
    };
    if names.iter().any(advises) { Level::Should } else { Level::Must }
}

/// `Metric | Target`, `Part | Limit`: a column of measures to be kept.
pub(crate) fn measures(name: &str) -> bool {
    const MEASURES: &[&str] =
        &["target", "targets", "limit", "limits", "threshold", "budget", "maximum", "minimum", "goal"];
    const LONGEST: usize = 4;
    let words = || name.split_whitespace();
    // What a service grants is no measure to keep.
    if name.trim().to_lowercase().starts_with("rate limit") {
        return false;
    }
    let opens = words().next().is_some_and(|first| first.eq_ignore_ascii_case("target"));
    opens && words().count() <= LONGEST
        || words().count() <= 2
            && words().any(|word| MEASURES.iter().any(|measure| word.eq_ignore_ascii_case(measure)))
}
