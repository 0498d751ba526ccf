//! Imperatives: whether a clause opens with a verb that orders, or with a noun that looks like one.

use super::lexicon::{
    CONDITIONS, CONNECTIVES, DETERMINERS, FINITE, OBJECT_STARTS, SUBJECTS, is_nounish, is_verb,
};
use super::mood::{ADVICE, IMPERATIVE, Mood, finite_at};
use super::named_thing::{names_in_front, names_thing};
use super::series::{acts_by_role, acts_in_company, opens_series};
use super::word::{Word, WordKind, may_hold};

/// Nouns that look like verbs where only one word follows: `test failures`, `build errors`.
const COMPOUND_HEADS: &[&str] = &[
    "test",
    "build",
    "type",
    "process",
    "state",
    "base",
    "default",
    "order",
    "group",
    "structure",
    "style",
    "version",
    "value",
    "work",
    "output",
    "design",
    "model",
    "number",
    "point",
    "position",
    "key",
    "issue",
    "format",
    "name",
    "document",
    "list",
    "log",
    "query",
    "release",
    "import",
    "export",
    "research",
    "support",
    "surface",
    "target",
    "record",
    "reference",
    "plan",
    "map",
    "index",
    "filter",
    "focus",
    "file",
    "label",
    "link",
    "access",
    "email",
    "error",
    "set",
    "balance",
    "time",
    "lead",
    "account",
    "stream",
    "stage",
    "frame",
    "view",
    "display",
    "present",
    "prompt",
    "profile",
    "post",
    "place",
    "package",
    "order",
    "process",
    "complete",
    "clear",
    "clean",
    "correct",
    "separate",
    "open",
    "free",
    "lower",
    "chase",
    "claim",
    "crop",
    "diff",
    "dump",
    "fork",
    "fuse",
    "offset",
    "rework",
    "sandbox",
    "seal",
    "shift",
    "silence",
    "stub",
    "trash",
    "vote",
    "alert",
    "fall",
    "redesign",
    "aggregate",
    "complement",
    "supplement",
];

/// `Nobody commits to main`: the third person of a verb.
pub(crate) fn acts(word: &Word) -> bool {
    let base = word.lower.strip_suffix('s').unwrap_or("");
    let ends_in_y = || base.strip_suffix("ie").is_some_and(|stem| is_verb(&format!("{stem}y")));
    word.kind == WordKind::Plain
        && (is_verb(base) || base.strip_suffix('e').is_some_and(is_verb) || ends_in_y())
        && !word.any(&["needs", "wants", "likes", "knows"])
}

/// Of the words that look like finite verbs, those that are as often things to act on.
const PLURALS: &[&str] = &[
    "builds", "calls", "changes", "checks", "clusters", "costs", "handles", "leads", "loads", "matches",
    "returns", "runs", "sets", "triggers", "updates", "tracks", "passes", "writes", "reads", "requests",
    "records", "queries", "inserts", "results", "inputs", "outputs", "exports", "imports", "stops", "links",
    "names", "fixes", "claims", "steps", "tests",
];

/// `Merge conflicts happen often`, `Force pushes destroy history`: a noun of two words, and what it does. `Check files exist` orders.
fn tells_of_things(clause: &[Word]) -> bool {
    const MINDING: &[&str] = &[
        "check", "verify", "ensure", "confirm", "make", "let", "help", "see", "use", "set", "test", "watch",
    ];
    const HAPPENING: &[&str] = &["happen", "occur", "exist", "mean", "cause", "fail", "break", "block"];
    let [verb, things, does, rest @ ..] = clause else { return false };
    let plain = |word: &Word| word.kind == WordKind::Plain && !word.capital && !word.among(DETERMINERS);
    let ends = |word: &Word| word.kind == WordKind::Mark;
    let plural = things.lower.len() > 4
        && things.lower.ends_with('s')
        && !things.lower.ends_with("ss")
        && !acts_alone(things);
    let tells = does.any(HAPPENING)
        || is_verb(&does.lower) && !is_nounish(&does.lower) && rest.first().is_some_and(|next| !ends(next));
    // `Watch crews carry only lamps` binds all the same.
    let binds = || rest.iter().any(|word| word.any(&["only", "never", "must"]));
    is_nounish(&verb.lower)
        && !binds()
        && !verb.any(MINDING)
        && plain(things)
        && plain(does)
        && plural
        && tells
}

/// `Merge conflict found`, `Plan approved by the owner`, `Build broken on main`: a thing, and what befell it. `Report errors found` orders.
fn tells_of_an_event(clause: &[Word]) -> bool {
    const BEFALLEN: &[&str] = &[
        "approved",
        "rejected",
        "broken",
        "failed",
        "failing",
        "missing",
        "blocked",
        "stale",
        "interrupted",
        "aborted",
        "passed",
        "passing",
        "completed",
        "denied",
        "skipped",
    ];
    const TROUBLES: &[&str] = &[
        "conflict",
        "conflicts",
        "failure",
        "failures",
        "error",
        "errors",
        "gap",
        "gaps",
        "drift",
        "mismatch",
        "mismatches",
        "warning",
        "warnings",
        "violation",
        "violations",
        "timeout",
        "timeouts",
        "crash",
        "issue",
        "issues",
        "problem",
        "problems",
        "regression",
        "regressions",
    ];
    const MET: &[&str] = &[
        "found",
        "detected",
        "remaining",
        "remain",
        "reported",
        "discovered",
        "encountered",
        "unresolved",
        "left",
        "present",
        "persist",
        "persists",
    ];
    const NAMES: &[&str] = &[
        "spec", "plan", "build", "test", "merge", "lint", "type", "import", "compile", "release", "deploy",
        "commit", "format", "link", "schema", "version", "design", "lock", "load", "run", "rebase", "review",
        "sync", "audit",
    ];
    const BEHIND: &[&str] = &["on", "in", "by", "during", "after", "before", "at", "while", "for", "with"];
    let [name, rest @ ..] = clause else { return false };
    let (state, rest) = match rest {
        [trouble, state, rest @ ..] if trouble.any(TROUBLES) && state.any(MET) => (state, rest),
        [state, rest @ ..] if state.any(BEFALLEN) => (state, rest),
        _ => return false,
    };
    let plain = |word: &Word| word.kind == WordKind::Plain;
    name.any(NAMES)
        && plain(name)
        && plain(state)
        && rest.first().is_none_or(|next| next.kind == WordKind::Mark || next.any(BEHIND))
}

/// `runs`, `calls`: hardly a noun.
fn acts_alone(word: &Word) -> bool {
    acts(word) && !is_nounish(word.lower.strip_suffix('s').unwrap_or(""))
}

/// `` Set to `false` to turn it off ``: what a value of a field is for, whichever that is.
fn tells_value(clause: &[Word]) -> bool {
    matches!(clause, [set, to, value, why, ..] if set.is("set")
        && to.is("to")
        && value.kind == WordKind::Code
        && why.any(&["to", "for", "if", "when"]))
}

/// Whether the clause opens with a verb in the imperative.
pub(crate) fn imperative(clause: &[Word]) -> bool {
    let Some(verb) = clause.first().filter(|word| word.kind == WordKind::Plain) else { return false };
    if names_in_front(verb, clause) || tells_of_things(clause) || tells_of_an_event(clause) {
        return false;
    }
    // `Key points for the crew`, `Go: the kit of that name`
    let named = |names: &[&str]| clause.get(1).is_some_and(|next| next.any(names));
    if verb.is("key")
        && named(&["points", "findings", "takeaways", "features", "rules", "principles", "ideas"])
        || verb.is("go") && clause.get(1).is_some_and(|next| next.mark(":"))
    {
        return false;
    }
    // `Fan out with two boats`
    if verb.capital && verb.is("fan") && clause.get(1).is_some_and(|next| next.is("out")) {
        return true;
    }
    // `Auto-close old logs`
    if verb.capital && verb.lower.strip_prefix("auto-").is_some_and(is_verb) && clause.len() > 3 {
        return !finite_at(clause, 1) && !names_thing(verb, clause);
    }
    // `Focus on keeping the deck clean`, whatever is told behind it.
    if verb.capital
        && verb.any(&["focus", "concentrate", "block", "gate", "insist", "err"])
        && clause.get(1).is_some_and(|next| next.is("on"))
        && clause.len() > 2
    {
        return true;
    }
    if clause.get(1).is_some_and(|next| checks_out(verb, next)) || searches(clause) {
        return true;
    }
    let head = verb.lower.split(['/', '-']).next().unwrap_or("");
    // `Click-through rate`
    if verb.lower.ends_with("-through") || tells_value(clause) {
        return false;
    }
    let is_order_word = is_verb(&verb.lower)
        || (verb.lower.contains(['/', '-']) && is_verb(head) && !is_nounish(head))
        || verb.capital && acts_by_role(&verb.lower, clause.get(1));
    if !is_order_word {
        return verb.capital && (unknown_verb(verb, clause.get(1)) || bounds_unknown(verb, &clause[1..]))
            || acts_in_company(verb, clause);
    }
    // `Force-push.`
    let alone = || {
        !is_nounish(&verb.lower)
            || verb.capital && verb.any(&["wait", "pause", "retry", "repeat", "halt"])
            || verb.shouted
            || verb.lower.contains('-') && is_verb(&verb.lower)
    };
    let Some(next) = clause.get(1) else { return alone() };
    // `Order follows the product`
    let tells = is_nounish(&verb.lower)
        && next.kind == WordKind::Plain
        && next.lower.ends_with('s')
        && acts_alone(next)
        && !next.any(PLURALS)
        && clause.get(2).is_some_and(|third| third.any(&["the", "its", "their", "our", "a", "an"]));
    if tells {
        return false;
    }
    if shows_findings(verb, &clause[1..]) {
        return true;
    }
    // `Complete guide to mooring`
    if verb.is("complete")
        && next.any(&[
            "guide",
            "reference",
            "overview",
            "documentation",
            "handbook",
            "list",
            "catalog",
            "catalogue",
        ])
        && clause
            .get(2)
            .is_none_or(|third| third.any(&["for", "to", "of", "on"]) || third.kind == WordKind::Mark)
    {
        return false;
    }
    // `Work ID`, `Build URL`.
    if is_nounish(&verb.lower) && next.shouted && next.any(&["id", "ids", "url", "urls", "uri", "key"]) {
        return false;
    }
    // `Pre-commit hooks`, `Cross-reference table`.
    let named = verb.lower.contains('-') && is_nounish(&verb.lower) && !is_verb(head);
    if named && next.kind == WordKind::Plain && !next.among(OBJECT_STARTS) {
        return false;
    }
    // `Verify builds with it`: behind a word that is only a verb this is no finite verb.
    let tells = is_nounish(&verb.lower) || verb.lower.contains(['/', '-']) || !next.any(PLURALS);
    if next.kind == WordKind::Plain
        && finite_at(clause, 1)
        && tells
        && !next.any(&["used", "made", "have", "do"])
        && !acts_on_changes(verb, clause)
        && !makes_sure(verb, next)
    {
        return false;
    }
    !is_nounish(&verb.lower) || takes_object(verb, next, clause) && !names_thing(verb, clause)
}

/// `Review changes on this branch`, `Test updates in staging`: a noun alone is no subject, so what looks like a finite verb is its object.
fn acts_on_changes(verb: &Word, clause: &[Word]) -> bool {
    const ACTS: &[&str] = &[
        "review", "test", "check", "audit", "document", "log", "track", "report", "plan", "stage", "batch",
        "group", "limit", "support", "record", "note", "list", "scan", "watch", "monitor", "post", "share",
        "queue", "stream", "draft", "flag", "file", "time", "return", "map", "access", "run", "fail",
    ];
    (verb.capital || verb.is("run"))
        && verb.any(ACTS)
        && clause[1].any(&[
            "changes", "updates", "calls", "results", "comments", "issues", "writes", "reads", "requests",
            "queries", "inserts", "messages", "fields", "files", "checks", "tests", "tracks", "jobs",
            "builds", "merges",
        ])
        && clause.get(2).is_some_and(|word| {
            word.any(&["on", "in", "to", "for", "with", "at", "by", "from"])
                || word.lower.ends_with("ly") && word.kind == WordKind::Plain
        })
}

/// `Verify you're at sea`, `Ensure there's a lamp`: what is made sure of.
fn makes_sure(verb: &Word, next: &Word) -> bool {
    verb.any(&["verify", "ensure", "confirm", "check", "assert", "validate"])
        && next.any(&[
            "you're", "you've", "it's", "that's", "there's", "they're", "they've", "we're", "we've",
            "nobody's",
        ])
}

/// `Checkout base commit`: of a repository. `Checkout flow` is part of a shop.
fn checks_out(verb: &Word, next: &Word) -> bool {
    const TAKEN: &[&str] = &[
        "base", "target", "branch", "commit", "main", "master", "default", "feature", "pr", "head", "source",
        "tag",
    ];
    verb.capital
        && verb.is("checkout")
        && (next.any(TAKEN) || next.among(DETERMINERS) || next.kind == WordKind::Code)
}

/// `Web search every claim`: a verb of two words.
fn searches(clause: &[Word]) -> bool {
    let [web, search, object, ..] = clause else { return false };
    web.is("web") && search.any(&["search", "fetch"]) && object.among(DETERMINERS)
}

/// `Display results`, `List options`: what there is to show, and nothing behind it.
fn shows_findings(verb: &Word, rest: &[Word]) -> bool {
    const SHOWING: &[&str] = &["display", "present", "list", "log", "document", "record", "report"];
    const FINDINGS: &[&str] = &[
        "results",
        "findings",
        "errors",
        "options",
        "decisions",
        "changes",
        "issues",
        "progress",
        "matches",
        "candidates",
        "risks",
    ];
    let [found, behind @ ..] = rest else { return false };
    verb.capital
        && verb.any(SHOWING)
        && found.any(FINDINGS)
        && behind.iter().all(|word| word.kind == WordKind::Mark)
}

/// `Page no more than two people`, `Spawn at most 3 workers`.
fn bounds_unknown(verb: &Word, rest: &[Word]) -> bool {
    let is = |at: usize, lowers: &[&str]| rest.get(at).is_some_and(|word| word.any(lowers));
    let bounded = is(0, &["no"]) && is(1, &["more", "fewer", "less"]) && is(2, &["than"])
        || is(0, &["at"]) && is(1, &["most", "least"]);
    bounded && verbal(verb)
}

/// A word in no list, in front of a determiner: `Grok the module`.
pub(crate) fn unknown_verb(word: &Word, next: Option<&Word>) -> bool {
    // `File A tests`.
    let letter = next.is_some_and(|next| next.is("a") && next.capital && !word.shouted);
    let someone =
        |next: &Word| next.any(&["everyone", "everybody", "someone", "somebody", "anyone", "us", "me"]);
    verbal(word) && !letter && next.is_some_and(|next| next.among(DETERMINERS) || someone(next))
}

/// Whether a word in no list may be a verb.
pub(crate) fn verbal(word: &Word) -> bool {
    let plain = word.lower.chars().all(char::is_alphabetic) && word.lower.len() > 2;
    // `Access` is no plural.
    let whole = word.lower.ends_with("ss") && !word.lower.ends_with("ness");
    let inflected = !whole
        && ["s", "ing", "ed", "ly", "tion", "ness", "ment", "ity", "er"]
            .iter()
            .any(|end| word.lower.ends_with(end));
    let listed = word.among(CONDITIONS)
        || word.among(CONNECTIVES)
        || word.among(FINITE)
        || word.among(SUBJECTS)
        || word.among(DETERMINERS)
        || word.among(OBJECT_STARTS);
    let other = word.any(&[
        "not",
        "half",
        "rather",
        "quite",
        "such",
        "many",
        "much",
        "almost",
        "nearly",
        "note",
        "thanks",
        "despite",
        "toward",
        "towards",
        "behind",
        "above",
        "below",
        "near",
        "along",
        "upon",
        "onto",
        "than",
        "either",
        "neither",
        "nor",
        "whereas",
        "although",
        "though",
        "because",
        "plus",
        "minus",
        "versus",
        "till",
        "against",
        "concerning",
        "regarding",
    ]);
    plain && !inflected && !listed && !other
}

fn takes_object(verb: &Word, next: &Word, clause: &[Word]) -> bool {
    match next.kind {
        WordKind::Code | WordKind::Quote => true,
        WordKind::Mark => {
            matches!(next.lower.as_str(), "," | ":" | "(" | "→") && clause.len() > 2
                // `Use [brackets] for what is filled in`.
                || next.lower == "[" && verb.is("use") && clause.len() > 4
                || verb.shouted
                || (next.lower == "." && verb.lower != "default")
        }
        WordKind::Plain => {
            let adverb = next.lower.ends_with("ly")
                || next.any(&["later", "again", "early", "often", "twice"])
                || next.lower.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '#' | '-' | '{' | '<'));
            // What stands in brackets behind the object does not end it.
            let brackets = |word: &Word| word.depth > 0 || matches!(word.lower.as_str(), "(" | ")");
            let plain: Vec<&Word> = clause
                .iter()
                .take_while(|word| word.kind != WordKind::Mark || brackets(word))
                .filter(|word| word.kind == WordKind::Plain && word.depth == 0)
                .collect();
            // `Read it and confirm that it is whole`.
            let told_of = clause.get(2).is_some_and(|third| third.among(FINITE));
            if next.any(&["it", "them"]) && !told_of {
                return true;
            }
            // `Check file paths are right`.
            let named = next.shouted || next.lower.contains(['.', '_', '/']);
            let claims = verb.is("check")
                && verb.capital
                && (3 - usize::from(named || states_quality(clause))..clause.len().min(6))
                    .any(|at| clause[at].any(&["is", "are"]));
            // `Document the analysis was done`: no noun stands right in front of an article.
            let records = verb.capital
                && verb.any(&["document", "record", "log", "report", "state"])
                && next.any(&["the", "that", "no", "which"]);
            let tells = !(claims || records)
                && (2..clause.len().min(6))
                    .take_while(|&at| {
                        !clause[at].any(&[
                            "when",
                            "if",
                            "that",
                            "that's",
                            "what",
                            "which",
                            "who",
                            "where",
                            "how",
                            "why",
                            "before",
                            "after",
                            "until",
                            "unless",
                            "once",
                            "as",
                            "so",
                            "because",
                            "whether",
                            "whatever",
                            "whichever",
                            "whoever",
                        ]) && !opens_contact_clause(clause, at)
                            && clause[at].kind != WordKind::Mark
                    })
                    .any(|at| {
                        clause[at].among(FINITE)
                            && !clause[at].any(&["do", "have", "made", "got"])
                            && !is_done_to(clause, at)
                    });
            if tells
                && !next.any(&[
                    "what", "which", "how", "why", "where", "who", "whether", "that", "if", "when", "until",
                    "unless",
                ])
            {
                return false;
            }
            next.among(OBJECT_STARTS)
                || adverb
                // `Comment asking for a date`.
                || verb.is("comment") && next.any(&["asking", "noting", "saying", "on", "with"])
                // `Prompt user: "…"`.
                || verb.is("prompt") && verb.capital && next.any(&["user", "users"])
                // `Set properties: …`.
                || verb.is("set") && plain.len() == 2 && next.lower.ends_with('s')
                || plain.len() > 2
                || verb.capital && ends_in_manner(clause)
                || (plain.len() == 2 && (!verb.any(COMPOUND_HEADS) || opens_series(clause)))
        }
    }
}

/// `Label lamps, bells and ropes clearly`: behind a name nothing says how.
fn ends_in_manner(clause: &[Word]) -> bool {
    const MANNERS: &[&str] = &[
        "clearly",
        "explicitly",
        "carefully",
        "separately",
        "consistently",
        "accordingly",
        "immediately",
        "regularly",
        "exactly",
        "precisely",
        "thoroughly",
        "properly",
        "correctly",
        "concisely",
        "briefly",
        "honestly",
        "individually",
        "visibly",
        "sparingly",
        "gracefully",
        "safely",
        "faithfully",
        "promptly",
        "plainly",
        "transparently",
    ];
    clause.iter().rev().find(|word| word.kind != WordKind::Mark).is_some_and(|last| last.any(MANNERS))
}

/// `Use one log for batch writes`, `Keep a lamp for night prints`: behind a preposition a thing, and no verb.
fn is_done_to(clause: &[Word], at: usize) -> bool {
    const FARTHEST: usize = 3;
    clause[at].any(&["writes", "prints", "sends", "takes", "burns", "beats"])
        && clause[at.saturating_sub(FARTHEST)..at]
            .iter()
            .any(|word| word.any(&["for", "of", "on", "in", "with", "between", "during", "across"]))
}

/// `Check target is reachable`: a quality that may be there or not, and nothing that was done to what is named (`Check constraint is violated`).
fn states_quality(clause: &[Word]) -> bool {
    let [_, _, is, quality, ..] = clause else { return false };
    let quality = quality.lower.as_str();
    is.any(&["is", "are"])
        && ["able", "ible", "empty", "clean", "valid", "complete", "present", "current", "unique", "set"]
            .iter()
            .any(|end| quality.ends_with(end))
}

/// `List the hosts you could not reach`: what stands from here on says which ones. `Clear to you is not clear to them` tells.
fn opens_contact_clause(clause: &[Word], at: usize) -> bool {
    const BEFORE: &[&str] =
        &["to", "for", "with", "of", "from", "by", "at", "on", "in", "and", "or", "than", "about"];
    clause[at].is("you") && !clause[at - 1].any(BEFORE)
}

/// `… if possible`, `ideally` make an order advice.
pub(crate) fn softened(clause: &[Word]) -> Mood {
    if !may_hold(clause, &["possible", "practical", "ideally", "preferably"]) {
        return IMPERATIVE;
    }
    let pair = |a: &str, b: &str| clause.windows(2).any(|pair| pair[0].is(a) && pair[1].is(b));
    let soft = pair("if", "possible")
        || pair("where", "possible")
        || pair("when", "possible")
        || pair("if", "practical")
        || pair("where", "practical");
    let soft_word = clause.iter().any(|word| word.depth == 0 && word.any(&["ideally", "preferably"]));
    if soft || soft_word { ADVICE } else { IMPERATIVE }
}
