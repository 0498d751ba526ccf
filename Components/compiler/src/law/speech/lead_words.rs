//! What the words of a lead-in say of what stands under it: that it is required, left free, told of others, or a case.

use mentci_authority::Level;

use super::condense::flat;
use super::lead::ends_in_negation;
use super::lexicon::is_verb;
use super::mood::{Mood, mood_of};
use super::stance::Stance;
use super::word::{Word, WordKind};

/// `Small repairs don't need a dock:`, `You do not have to ask for:`: what stands under it is free of that.
pub(crate) fn lets_off(names: &[&str]) -> bool {
    const NEEDING: &[&str] = &["need", "require", "have"];
    const LONGEST: usize = 12;
    let denied = |run: &[&str]| {
        matches!(run, ["don't" | "doesn't", need, ..] if NEEDING.contains(need))
            || matches!(run, ["do" | "does", "not", need] if NEEDING.contains(need))
    };
    let off = names.windows(3).position(denied).filter(|&at| at > 0);
    // `None of the following need review:`
    let none = matches!(names[..], ["none" | "no" | "nobody", _, ..])
        && names.iter().any(|name| matches!(*name, "need" | "needs" | "require" | "requires"));
    if none && names.len() <= LONGEST {
        return true;
    }
    // `You don't have one until:` tells.
    let owed = |at: usize| {
        !names[at..].contains(&"have") || names[at..].windows(2).any(|pair| pair == ["have", "to"])
    };
    names.len() <= LONGEST && !names.contains(&"if") && off.is_some_and(owed)
}

/// `Large repairs require a dock:`: what calls for it stands under it. `The script requires these files:` tells of a tool.
pub(crate) fn calls_for(names: &[&str]) -> bool {
    const TOOLS: &[&str] =
        &["this", "it", "script", "tool", "server", "api", "skill", "which", "that", "you", "command"];
    const LONGEST: usize = 10;
    if names_least(names) {
        return true;
    }
    let asked = names.iter().position(|name| *name == "require").filter(|at| (1..=4).contains(at));
    asked.is_some_and(|at| at + 1 < names.len() && !names[..at].iter().any(|name| TOOLS.contains(name)))
        && names.len() <= LONGEST
        && !names.iter().any(|name| matches!(*name, "not" | "don't" | "following" | "these" | "all" | "both"))
}

/// `Minimum useful chart set:`: the least that there has to be. `Minimum: 5` is a bound.
fn names_least(names: &[&str]) -> bool {
    const SETS: &[&str] =
        &["set", "sets", "coverage", "content", "contents", "fields", "requirements", "checks", "evidence"];
    matches!(names, ["minimum" | "minimal", _, ..]) && names.last().is_some_and(|last| SETS.contains(last))
}

/// `A trip requires` of `A trip requires all of the following:`, `Done when` of `Done when all of these hold:`.
pub(crate) fn requires_all(text: &str) -> Option<&str> {
    const LONGEST: usize = 90;
    const ALL: &[&str] = &[" all of the following", " all of these", " all the following"];
    const CUES: &[&str] = &[" requires", " require", " when", " if"];
    let (before, behind) = ALL.iter().find_map(|all| text.split_once(all))?;
    let behind = behind.trim_matches([':', ' ']);
    let whole = matches!(behind, "" | "hold" | "are true" | "apply" | "are met" | "conditions" | "is true");
    let case = ["If", "When", "Only"].iter().any(|opens| before.starts_with(opens));
    // `Split the fleet if all of these hold:` is an order, of which these are the cases.
    let orders = before.ends_with(" when") || before.ends_with(" if");
    let case = case || orders && is_verb(&before.split(' ').next().unwrap_or_default().to_lowercase());
    (whole && !case && text.len() <= LONGEST && CUES.iter().any(|cue| before.ends_with(cue)))
        .then_some(before)
}

/// `Instead:`, `Do this instead:`, `What to do instead:`, `Better alternatives:`: what stands under it takes the place of what was forbidden.
pub(crate) fn replaces(plain: &[&Word]) -> bool {
    const LONGEST: usize = 5;
    const OTHERS: &[&str] =
        &["instead", "alternative", "alternatives", "remedy", "remedies", "replacement", "replacements"];
    const DENIALS: &[&str] = &["no", "not", "never", "don't", "avoid", "bad", "of"];
    // `Instead, show the form:` orders itself.
    let orders = || {
        plain.get(1).is_some_and(|act| is_verb(&act.lower))
            && plain.len() > 3
            && !plain.iter().any(|word| word.any(&["this", "these", "following", "one"]))
    };
    let turns = |(first, last): (&&Word, &&Word)| first.is("instead") && !orders() || last.any(OTHERS);
    plain.len() <= LONGEST
        && plain.first().zip(plain.last()).is_some_and(turns)
        && !plain.iter().any(|word| word.any(DENIALS))
}

/// Verbs of what settles what is done.
pub(crate) const DECIDING: &[&str] = &["determines", "decides", "dictates"];

/// `This determines which menu to show:`: what stands under it says what to do, and when.
pub(crate) fn determines(plain: &[&Word]) -> bool {
    let verb = plain.iter().position(|word| word.any(DECIDING));
    let Some(rest) = verb.map(|at| &plain[at + 1..]) else { return false };
    let asks =
        rest.first().is_some_and(|word| word.any(&["which", "what", "how", "where", "when", "whether"]));
    let acts = |pair: &[&Word]| pair[0].is("to") && is_verb(&pair[1].lower);
    asks && (rest.windows(2).any(acts) || rest.iter().any(|word| word.is("you")))
}

/// `Stop if any of these is true:`, `Sail when BOTH hold:`: what stands under it are cases, whatever they look like.
pub(crate) fn counts_cases(names: &[&str]) -> bool {
    if let [
        ..,
        "if" | "when" | "unless" | "until",
        "both" | "all" | "either",
        "hold" | "holds" | "apply" | "applies",
    ] = names
    {
        return true;
    }
    names.windows(4).any(|run| {
        matches!(run[0], "if" | "when" | "unless" | "until")
            && matches!(run[1], "any" | "all" | "one" | "either" | "none")
            && run[2] == "of"
            && matches!(run[3], "these" | "the" | "those")
    })
}

/// `All watches follow the same rules:`: the items say what these are.
pub(crate) fn shares_rules(plain: &[&Word]) -> bool {
    const RULES: &[&str] = &[
        "pattern",
        "patterns",
        "rules",
        "model",
        "flow",
        "structure",
        "conventions",
        "convention",
        "approach",
    ];
    plain.first().is_some_and(|first| first.any(&["all", "every", "each"]))
        && plain.iter().take(6).any(|word| word.any(&["follow", "follows", "obey", "obeys", "observe"]))
        && plain.last().is_some_and(|last| last.any(RULES))
}

/// `Night watches have stricter requirements than day ones:`: what stands under it is required.
pub(crate) fn has_requirements(plain: &[&Word]) -> bool {
    const NEAR: usize = 3;
    let has = plain.iter().position(|word| word.any(&["has", "have"])).filter(|&at| at > 0);
    has.is_some_and(|at| {
        let behind = plain[at + 1..].iter().take(NEAR);
        behind.into_iter().any(|word| word.any(&["requirement", "requirements", "rules", "constraints"]))
            && !plain.iter().any(|word| word.any(&["no", "not", "its", "their", "own", "few"]))
    })
}

/// `A lamp cannot be hung until:`: what has to be so first.
pub(crate) fn is_barred(plain: &[&Word]) -> bool {
    let waits = plain.last().is_some_and(|last| last.any(&["until", "unless", "without"]));
    waits && plain.iter().any(|word| word.any(&["cannot", "can't"]))
}

/// `Writes go through the shared script:`: the items are the ways to do it.
pub(crate) fn goes_through(plain: &[&Word]) -> bool {
    const FARTHEST: usize = 5;
    let goes = |pair: &[&Word]| pair[0].any(&["go", "goes"]) && pair[1].is("through");
    plain[..plain.len().min(FARTHEST)].windows(2).any(goes)
}

/// `We used to:`, `Signs that you went wrong:`, `Users often ask us to:`: what was, what shows it, or what somebody wants.
pub(crate) fn tells_of_others(names: &[&str]) -> bool {
    matches!(
        names,
        ["we" | "they" | "people" | "agents", "used", "to"] | ["signs" | "symptoms", "that" | "of", ..]
    ) || matches!(names, ["users" | "people" | "customers" | "clients", .., "ask", "us" | "you", "to"])
}

/// `Never forget:`, `Don't forget:`
pub(crate) fn reminds(names: &[&str]) -> bool {
    matches!(names, [.., "never" | "don't", "forget"] | [.., "do", "not", "forget"])
}

/// `If you like:`, `If you want to:`.
pub(crate) fn leaves_to_liking(plain: &[&Word]) -> bool {
    match plain {
        [iff, you, like, rest @ ..] => {
            iff.is("if")
                && you.is("you")
                && like.any(&["like", "want", "wish", "prefer"])
                && (rest.is_empty() || matches!(rest, [to] if to.is("to")))
        }
        _ => false,
    }
}

/// `If some crews have lamps but others don't:`: what a case is told apart by forbids nothing.
pub(crate) fn denies_in_case(words: &[Word], plain: &[&Word]) -> bool {
    let opens = plain.first().is_some_and(|first| first.any(&["if", "when", "where", "whenever"]));
    let turn = plain.iter().rposition(|word| word.any(&["but", "and", "or", "while"]));
    let short = turn.is_some_and(|turn| (2..=4).contains(&(plain.len() - turn - 1)));
    opens && short && ends_in_negation(plain) && !words.iter().any(|word| word.mark(","))
}

/// `Do NOT skip this step:`, `Never leave out any of these:`: what is not to be left out is to be done.
pub(crate) fn insists(names: &[&str]) -> bool {
    const LONGEST: usize = 5;
    const LEFT_OUT: &[&str] = &["skip", "omit", "bypass"];
    const PARTS: &[&str] = &[
        "this",
        "these",
        "any",
        "the",
        "a",
        "of",
        "step",
        "steps",
        "section",
        "part",
        "parts",
        "phase",
        "check",
        "checks",
        "following",
        "them",
        "it",
    ];
    let rest = match names {
        ["do", "not", verb, rest @ ..] | ["don't" | "never", verb, rest @ ..] if LEFT_OUT.contains(verb) => {
            rest
        }
        _ => return false,
    };
    !rest.is_empty() && rest.len() <= LONGEST && rest.iter().all(|word| PARTS.contains(word))
}

/// `Always (never skip):`: a word of force, and brackets that only say it again.
pub(crate) fn affirms_in_front(words: &[Word]) -> bool {
    let bracketed = words.iter().any(|word| word.depth > 0);
    let mut outside = words.iter().filter(|word| word.depth == 0 && word.kind != WordKind::Mark).peekable();
    bracketed
        && outside.peek().is_some()
        && outside.all(|word| word.any(&["always", "do", "must", "mandatory"]))
}

/// `Variable (customize for each artwork):`, `Secrets (keep out of the repository):`: what its brackets say holds for the items.
pub(crate) fn ordered_in_brackets(words: &[Word]) -> Option<Stance> {
    let open = words.iter().position(|word| word.lower == "(" && word.depth == 0)?;
    let close = words.iter().rposition(|word| word.lower == ")").filter(|&close| close > open + 2)?;
    match mood_of(&flat(&words[open + 1..close])).mood {
        Mood::Order(Level::MustNot, _) => Some(Stance::Forbid),
        Mood::Order(Level::Must, _) => Some(Stance::Order),
        _ => None,
    }
}
