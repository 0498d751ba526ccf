//! Lead-ins that their items end: `Ask before you:`, `Only the mate may:`, `The tide will:`. An item that opens with a verb orders nothing
//! there by itself, so it is read with the words above it, or not at all where they tell of somebody else.

use mentci_authority::Level;

use super::lead::Lead;
use super::lexicon::{DETERMINERS, ROLES, is_nounish, is_role, is_verb};
use super::mood::Mood;
use super::stance::Stance;
use super::word::{Word, WordKind};

/// Words that join a case to what stands in front of them.
const JOINING: &[&str] = &[
    "before", "after", "when", "whenever", "if", "unless", "until", "because", "once", "while", "that", "who",
];

/// What such a lead-in does with its items; none for a lead-in that is whole.
pub(crate) fn open_lead(plain: &[&Word], mood: Mood) -> Option<Lead> {
    let last = plain.last()?;
    if plain.len() < 2 {
        return last
            .any(&["either", "cons", "drawbacks", "downsides", "disadvantages", "pros"])
            .then(|| if last.is("either") { Lead::Stem(Level::May) } else { Lead::Told });
    }
    if lists_contents(plain, mood) {
        return Some(Lead::Stance(Stance::Example, None));
    }
    chosen(plain, mood)
        .or_else(|| waited_for(plain, mood))
        .or_else(|| punished(plain, mood))
        .or_else(|| endangered(plain))
        .or_else(|| reserved(plain))
        .or_else(|| tempting(plain))
        .or_else(|| told_of_others(plain, mood))
}

/// `Complete guide for drawing charts:`, `Checklist covering:`: what a file holds.
fn lists_contents(plain: &[&Word], mood: Mood) -> bool {
    const HOLDING: &[&str] =
        &["guide", "reference", "checklist", "documentation", "template", "catalog", "overview"];
    const WHOLE: &[&str] = &["complete", "comprehensive", "full", "detailed", "in-depth"];
    // `` `charts.md`: Complete guide to charts``
    let plain = &plain[plain.iter().take_while(|word| word.kind == WordKind::Code).count()..];
    let [opens, next, ..] = plain else { return false };
    let holds = plain.iter().take(5).any(|word| word.any(HOLDING));
    let covers = plain.last().is_some_and(|last| last.any(&["covering", "containing"]));
    // `Complete plan template` beside `Complete the plan template`
    let orders = matches!(mood, Mood::Order(..))
        && !(opens.is("complete") && plain.len() > 2 && !next.among(DETERMINERS));
    holds && (covers || opens.any(WHOLE)) && !orders
}

/// `Before you:`, and nothing to do then; `In a storm, the pilot may:`, where a case stands in front of who may.
pub(crate) fn of_whom(plain: &[&str]) -> Option<Lead> {
    const MORE: &[&str] = &["admin", "manager", "pilot", "operator", "bot", "service", "contributor"];
    match plain {
        ["before" | "after" | "when" | "if", "you"] => Some(Lead::Told),
        // `The agent can:`, and not what anybody can.
        ["the" | "your" | "this", "agent" | "assistant", "can" | "may"] => Some(Lead::Stem(Level::May)),
        // `Claude will:`: it is told what it does, and does it.
        ["claude" | "codex" | "gemini" | "copilot" | "cursor", "will"]
        | ["the" | "your", "agent" | "assistant", "will"] => Some(Lead::Stance(Stance::Order, None)),
        // `Before a release the agent must:`
        [.., "the" | "your", "agent" | "assistant", "must"] => Some(Lead::Stem(Level::Must)),
        [.., "the" | "your", "agent" | "assistant", "should"] => Some(Lead::Stem(Level::Should)),
        [.., who, "may"] if is_role(who) || MORE.contains(&who.trim_end_matches('s')) => {
            Some(Lead::Stem(Level::May))
        }
        _ => None,
    }
}

/// Headings of the same kind: `Human-only`, `Ask me first`, `How to lose data`, `Ignore`: their items go on with them.
pub(crate) fn open_heading(name: &[&str]) -> Option<Level> {
    match name {
        ["human-only" | "humans-only"] | ["humans" | "people", "only"] | ["for", "humans", "only"] => {
            Some(Level::Must)
        }
        ["leave", "to", ..] | ["ask", _, .., "first"] if name.len() <= 4 => Some(Level::Must),
        // `Escalate when`, `Ask the mate if`.
        [
            "escalate" | "stop" | "ask" | "abort" | "halt" | "pause" | "alert" | "warn" | "refuse" | "reject"
            | "notify" | "decline" | "confirm",
            ..,
            "when" | "if",
        ] if name.len() <= 5 => Some(Level::Must),
        ["must", "avoid"]
        | [
            "destructive" | "dangerous" | "irreversible" | "risky",
            "actions" | "operations" | "commands" | "acts" | "patterns",
        ] => Some(Level::MustNot),
        // `Must include`, `Must avoid`
        ["must" | "always", "include" | "contain" | "cover" | "have" | "state" | "name"]
        | ["ignore"]
        | ["things" | "what", "to", "ignore"] => Some(Level::Must),
        // `Use the red lamp for`; what this text itself is used for, its front matter says.
        ["use" | "choose" | "apply" | "reserve", _, .., "for"]
            if name.len() <= 8 && !name.iter().any(|word| matches!(*word, "this" | "skill" | "when")) =>
        {
            Some(Level::Must)
        }
        ["must", "be", done, ..] if name.len() <= 6 && done.ends_with("ed") => Some(Level::Must),
        ["what" | "actions" | "changes" | "operations", "requires" | "require" | "that", ..]
            if name.len() <= 5
                && name.last().is_some_and(|last| {
                    matches!(*last, "approval" | "confirmation" | "review" | "permission")
                }) =>
        {
            Some(Level::Must)
        }
        ["exempt", ..] if name.len() <= 4 => Some(Level::May),
        // What is not to be reported.
        ["false", "positives", ..]
        | [_, "false", "positives"]
        | ["not", "issues" | "findings" | "violations"]
            if !name.contains(&"avoid") =>
        {
            Some(Level::MustNot)
        }
        ["how" | "ways", "to", rest @ ..] if ruins(rest) => Some(Level::MustNot),
        _ => None,
    }
}

/// `Options:`, `Present exactly these options:`: what there is to choose from.
fn chosen(plain: &[&Word], mood: Mood) -> Option<Lead> {
    const LONGEST: usize = 6;
    let options = plain.last()?.any(&["options", "choices", "alternatives"]) && plain.len() <= LONGEST;
    let level = match mood {
        Mood::Order(level, _) => level,
        _ => Level::May,
    };
    let shown = plain[0].any(&[
        "present",
        "offer",
        "show",
        "give",
        "list",
        "your",
        "the",
        "available",
        "two",
        "three",
    ]);
    (options && shown).then_some(Lead::Stem(level))
}

/// `Ask before you:`, `Confirm with the owner before doing any of these:`, `Do everything except:`.
fn waited_for(plain: &[&Word], mood: Mood) -> Option<Lead> {
    let (last, before) = plain.split_last()?;
    let joined = last.any(&["you", "we", "they"]) && before.last().is_some_and(|word| word.any(JOINING));
    let doing = last.any(&["these", "this", "following"])
        && plain.iter().rev().take(5).any(|word| word.any(&["before"]))
        && plain.iter().any(|word| word.any(&["doing", "any"]));
    match mood {
        Mood::Order(level, _) if joined || doing || last.is("except") => Some(Lead::Stem(level)),
        _ => None,
    }
}

/// `You lose your berth when you:`, `We turn back ships that:`: what is punished is forbidden.
fn punished(plain: &[&Word], mood: Mood) -> Option<Lead> {
    const ENDS: &[&str] = &[
        "fired",
        "lose",
        "loses",
        "reject",
        "rejects",
        "rejected",
        "fail",
        "fails",
        "failed",
        "banned",
        "blocked",
        "revert",
        "reverted",
        "suspended",
        "penalized",
        "punished",
        "expelled",
        "denied",
        "refuse",
        "refuses",
        "revoked",
    ];
    let (last, before) = plain.split_last()?;
    let case = |word: &Word| word.any(&["if", "when", "whenever", "that", "because", "who"]);
    let open = case(last) || last.any(&["you", "we", "they"]) && before.last().is_some_and(|word| case(word));
    let lower: Vec<&str> = plain.iter().map(|word| word.lower.as_str()).collect();
    let ways = plain.iter().any(|word| word.any(&["ways", "way", "how"]))
        && (1..lower.len()).any(|at| lower[at - 1] == "to" && ruins(&lower[at..]));
    // `Revert it if:`, `If the lock fails because:`, `Retry calls that fail when:` order themselves.
    let orders = matches!(mood, Mood::Order(level, _) if !level.is_prohibition()) || plain[0].any(JOINING);
    (open && !orders && plain[1..].iter().any(|word| word.any(ENDS)) || ways)
        .then_some(Lead::Stem(Level::MustNot))
}

/// `lose cargo`, `break the build`: what nobody wants to do. `break down a task`, `break a deadlock` is work.
fn ruins(act: &[&str]) -> bool {
    const RUINING: &[&str] =
        &["lose", "destroy", "corrupt", "ruin", "wreck", "crash", "sink", "leak", "damage"];
    const WHOLE: &[&str] =
        &["prod", "production", "things", "everything", "trust", "main", "build", "builds", "ci"];
    let what = act.iter().skip(1).find(|word| !matches!(**word, "the" | "your" | "our"));
    act.first().is_some_and(|first| {
        RUINING.contains(first) || *first == "break" && what.is_some_and(|what| WHOLE.contains(what))
    })
}

/// `Dangerous manoeuvres:`, `The following acts are destructive:`: the label says what is to be minded.
fn endangered(plain: &[&Word]) -> Option<Lead> {
    const LONGEST: usize = 6;
    const DANGEROUS: &[&str] =
        &["dangerous", "destructive", "irreversible", "risky", "sensitive", "privileged"];
    let first = plain[0].any(DANGEROUS) && plain.len() <= 3;
    let listed = plain[0].any(&["the", "these"]) && plain.len() <= LONGEST && plain.last()?.any(DANGEROUS);
    let guarded = plain[0].any(&["the", "these"])
        && plain.iter().any(|word| word.any(&["require", "requires", "need", "needs"]))
        && plain.last()?.any(&["confirmation", "approval", "review", "permission", "consent", "sign-off"]);
    (first || listed || guarded).then_some(Lead::Stem(Level::Must))
}

/// `Only the mate may:`, `Leave these to the pilot:`, `In a storm, the pilot may:`.
fn reserved(plain: &[&Word]) -> Option<Lead> {
    let last = plain.last()?;
    let may = last.any(&["may", "can"]);
    let acts = |word: &&Word| is_verb(&word.lower) && !is_nounish(&word.lower);
    if plain[0].is("only") && may && plain.len() <= 6 {
        return Some(Lead::Stem(Level::Must));
    }
    if plain[0].is("leave") && plain.iter().any(|word| word.is("to")) && !last.is("to") && plain.len() <= 6 {
        return Some(Lead::Stem(Level::Must));
    }
    let role = plain.iter().any(|word| word.among(ROLES) || word.lower.contains("on-call"));
    (last.is("may") && role && !plain.iter().any(acts)).then_some(Lead::Stem(Level::May))
}

/// `It is tempting to:`, `Agents often believe that they may:`; `It might help to:`, `You could also:`; `You must not only:`.
fn tempting(plain: &[&Word]) -> Option<Lead> {
    let (last, before) = plain.split_last()?;
    let any = |lowers: &[&str]| plain.iter().any(|word| word.any(lowers));
    if any(&["tempting", "tempted", "attackers", "attacker"]) && last.is("to")
        || any(&["believe", "assume", "imagine"]) && last.any(&["may", "can"])
    {
        return Some(Lead::Stem(Level::MustNot));
    }
    let helps = plain[0].is("it") && last.is("to") && any(&["help", "helps"]);
    if helps || last.is("also") && any(&["could", "can", "may"]) {
        return Some(Lead::Stem(Level::May));
    }
    (last.is("only") && before.last()?.is("not")).then_some(Lead::Stem(Level::Must))
}

/// `The tide will:`, `Guests can:`, `The old way was:`, `These are lies:`: told of somebody or something else.
fn told_of_others(plain: &[&Word], mood: Mood) -> Option<Lead> {
    const TELLING: &[&str] = &["lies", "myths", "misconceptions", "falsehoods"];
    const TOLD: &[&str] = &["phrases", "things", "like"];
    const FOLLOWED: &[&str] =
        &["skill", "workflow", "process", "procedure", "phase", "step", "subagent", "subagents", "model"];
    let (last, before) = plain.split_last()?;
    let first = plain[0];
    if last.any(TELLING) {
        return Some(Lead::Stance(Stance::Excuses, None));
    }
    if first.is("trigger") && last.is("phrases") {
        return Some(Lead::Told);
    }
    let addressed = first
        .any(&["you", "agents", "agent", "claude", "we", "let's", "please", "always", "to", "in"])
        || first.any(JOINING)
        || matches!(mood, Mood::Order(..))
        // `The mate will:`, `This procedure will:`: who follows the text, and what it makes of them.
        || last.is("will") && before.iter().take(3).any(|word| word.among(ROLES) || word.any(FOLLOWED));
    // `The following steps will help you:`
    let rules = plain.iter().take(4).any(|word| {
        word.any(&["following", "steps", "rules", "guidelines", "principles", "tips", "questions"])
    });
    let modal = last.any(&["will", "can", "could", "would", "might", "may", "helps", "lets"])
        || last.is("you")
            && !rules
            && before.last().is_some_and(|word| word.any(&["helps", "lets", "help", "let"]))
        || last.is("to") && plain.iter().any(|word| word.any(&["may", "might", "will"])) && !first.is("you");
    let spoken =
        last.any(TOLD) && plain.iter().any(|word| word.any(&["say", "says", "trigger", "does", "do", "did"]));
    let past = last.any(&["was", "were"])
        || first.is("the") && plain.iter().take(3).any(|word| word.any(&["old", "former", "previous"]));
    let some = first.any(&["some", "many", "most", "others"])
        && plain.len() <= 3
        && last.any(&["people", "agents", "users", "teams", "developers", "engineers", "others"]);
    let of_others = first.any(&["i", "users", "user", "customers", "humans"])
        || plain[0].is("the") && plain[1].any(&["user", "customer", "human"]);
    let duty = of_others
        && last.any(&["for", "to"])
        && plain.iter().any(|word| word.any(&["responsible", "going", "want", "wants"]));
    let symptom = plain.iter().any(|word| word.any(&["indicating", "suggesting"]))
        && first.any(&["pattern", "patterns", "signs", "symptoms", "symptom"]);
    // `The system picks a berth based on:`
    let weighed = !matches!(mood, Mood::Order(..))
        && first.any(&["the", "this"])
        && plain[1].any(&["system", "tool", "engine", "script", "service", "app", "algorithm"])
        && last.is("on")
        && before.last().is_some_and(|word| word.is("based"));
    let told = !addressed && (modal || spoken || past || weighed) || some || duty || symptom;
    told.then_some(Lead::Told)
}
