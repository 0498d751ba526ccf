//! What a lead-in lends to the items under it.

use mentci_authority::{Force, Level};

use super::ban_names::stance_of_ban;
use super::cues::{cue, is_topic};
use super::guard::{keeps, waives};
use super::in_turn::counts_steps;
use super::lead_names::{binds_things, blames, leave};
use super::lead_words::{
    affirms_in_front, calls_for, counts_cases, denies_in_case, determines, goes_through, has_requirements,
    insists, is_barred, leaves_to_liking, lets_off, ordered_in_brackets, reminds, replaces, requires_all,
    shares_rules, tells_of_others,
};
use super::lexicon::{CONDITIONS, is_nounish, is_verb};
use super::mood::{Mood, mood_of};
use super::naming::{Naming, forbids_act, naming};
use super::open_lead::open_lead;
use super::refusal::refusal_of_words;
use super::sentence::{is_cross, is_verdict};
use super::stance::{Stance, stance_of_kind};
use super::told_names::out_of_force;
use super::trigger_words::{is_cadence, leads_case, leads_trigger};
use super::word::{Word, WordKind};

/// `Provide examples:`, `Compress examples:`: they are what is acted on, and no samples of the law.
fn acts_on_examples(plain: &[&Word], mood: Mood) -> bool {
    const POINTING: &[&str] = &["see", "consider", "compare", "note", "study", "recall"];
    matches!(mood, Mood::Order(Level::Must | Level::Should, _))
        && plain.len() > 1
        && plain
            .first()
            .is_some_and(|first| is_verb(&first.lower) && !is_nounish(&first.lower) && !first.any(POINTING))
        && !plain.iter().any(|word| word.any(&["this", "these", "following", "good", "bad"]))
}

/// `For samples of rope, keep the tar off:`: the case has samples in it, and what is done then none.
fn acts_in_case_of_examples(words: &[Word]) -> bool {
    const POINTING: &[&str] =
        &["see", "consider", "compare", "note", "study", "recall", "refer", "look", "read", "check"];
    let opens = words.first().is_some_and(|first| first.any(&["for", "in", "when", "if", "with"]));
    let comma = words.iter().position(|word| word.mark(",")).filter(|_| opens);
    comma.is_some_and(|comma| {
        let rest = &words[comma + 1..];
        matches!(mood_of(rest).mood, Mood::Order(..))
            && !rest
                .iter()
                .any(|word| word.any(POINTING) || word.any(&["example", "examples", "sample", "samples"]))
    })
}

/// What a lead-in lends to the items under it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Lead {
    /// A stance; bare names take its level. `label` goes before them where it carries the meaning.
    Stance(Stance, Option<String>),
    /// `If X:`: the condition of each item.
    Condition,
    /// `Don't skip when:`: the start of a sentence that each item ends. The level is the whole sentence's.
    Stem(Level),
    /// `Use when:`: when the skill applies, which orders nothing.
    Trigger,
    /// `The tide will:`: what somebody or something else does, which orders nothing either, but for what binds outright.
    Told,
    /// An order of its own; bare names under it complete it.
    Order(Level),
    /// The items are parts of one rule, orders included: `Each agent gets:`.
    Parts(Level),
}

/// Words that a sentence cannot end with: the items go on with it.
const STEM_ENDS: &[&str] = &[
    "when", "if", "unless", "because", "for", "to", "where", "that", "as", "of", "on", "by", "from",
    "whenever", "until", "are", "is", "either", "before", "without",
];

/// `Leaks first:`, `Then ropes:`, `Finally, lamps:`: in which order the items are dealt with.
fn comes_in_turn(plain: &[&Word], mood: Mood) -> bool {
    const LONGEST: usize = 4;
    let first = plain.last().is_some_and(|last| last.is("first"));
    let then = plain.first().is_some_and(|word| word.any(&["then", "finally", "lastly"]));
    let names = mood == Mood::Fragment || first && mood == Mood::Order(Level::Must, Force::Implied);
    (2..=LONGEST).contains(&plain.len())
        && (first || then)
        && names
        && !plain.iter().any(|word| is_verb(&word.lower) && !is_nounish(&word.lower))
}

/// `A good lamp is:`, `Good lamps are:`: what a good one is like.
fn likens(plain: &[&Word]) -> bool {
    let opens = plain.first().is_some_and(|word| word.any(&["good", "right", "correct"]));
    let last = plain.last().is_some_and(|last| last.any(&["is", "are", "has", "have"]));
    opens && last && plain.len() > 2
}

/// `Not responsible for:`, `Not responsibilities (the mate's):`: what somebody else does.
fn disowns(words: &[Word]) -> bool {
    let outside: Vec<&str> = words
        .iter()
        .filter(|word| word.depth == 0 && word.kind == WordKind::Plain)
        .map(|word| word.lower.as_str())
        .collect();
    matches!(
        outside[..],
        ["not", "responsible", "for"]
            | ["not", "responsibilities"]
            | ["not", "in", "scope"]
            | ["not", "my" | "your" | "our", "job" | "responsibility" | "responsibilities"]
    )
}

/// `This skill does not weigh:`: what whoever follows it leaves undone.
fn leaves_undone(plain: &[&Word]) -> bool {
    const LONGEST: usize = 7;
    const FOLLOWED: &[&str] = &["skill", "agent", "command", "workflow", "role", "mode"];
    let [this, what, does, rest @ ..] = plain else { return false };
    let denied = match rest {
        [not, verb, ..] if does.is("does") && not.is("not") => is_verb(&verb.lower),
        [verb, ..] if does.is("doesn't") => is_verb(&verb.lower),
        _ => false,
    };
    this.any(&["this", "the"]) && what.any(FOLLOWED) && denied && plain.len() <= LONGEST
}

/// `Six signals determine what comes up:`, `Your temper affects what you keep:`: how a thing works.
fn shaping(plain: &[&Word], mood: Mood) -> Option<Lead> {
    const SHAPING: &[&str] = &["determine", "determines", "affect", "affects", "influence", "influences"];
    let at = plain.iter().position(|word| word.any(SHAPING)).filter(|&at| at > 0)?;
    let named = plain[at - 1].lower.ends_with('s') || plain[at].lower.ends_with('s');
    let asked =
        plain[..at].iter().any(|word| word.any(&["to", "that", "which", "who", "must", "should", "how"]));
    let shaped = plain.get(at + 1).is_some_and(|next| next.any(&["what", "how", "which", "the", "whether"]));
    let tells = named && !asked && shaped && !matches!(mood, Mood::Order(..));
    tells.then_some(Lead::Stance(Stance::Describe, None))
}

/// `The preferred course is:`: the items say what it is.
fn prefers(plain: &[&Word]) -> bool {
    const LONGEST: usize = 6;
    let [the, like, .., is] = plain else { return false };
    the.is("the")
        && like.any(&["preferred", "recommended", "suggested", "advised"])
        && is.any(&["is", "are"])
        && plain.len() <= LONGEST
}

/// `Strike out any of these:` under a heading that forbids: what is taken away where it is found is not wanted there.
fn takes_away(plain: &[&Word], mood: Mood, section: Stance) -> bool {
    const LONGEST: usize = 8;
    const TAKING: &[&str] = &["delete", "remove", "cut", "strip", "strike", "drop", "rewrite", "ban", "kill"];
    matches!(section, Stance::Forbid | Stance::Discourage)
        && matches!(mood, Mood::Order(Level::Must, _))
        && plain.first().is_some_and(|first| first.any(TAKING))
        && plain.last().is_some_and(|last| last.any(&["these", "this", "following", "those"]))
        && plain.len() <= LONGEST
}

/// `Avoid shortcuts that could:`: the items say what it is that is advised against.
fn ends_relative(plain: &[&Word]) -> bool {
    let [.., which, may] = plain else { return false };
    which.any(&["that", "which"]) && may.any(&["could", "would", "might", "can", "will", "may"])
}

/// What a lead-in lends by the words that it opens or ends with, whatever its section.
fn lead_by_words(
    words: &[Word],
    plain: &[&Word],
    (mood, first_cue): (Mood, Stance),
    text: &str,
) -> Option<Lead> {
    let short = plain.len() <= 5;
    let commands = plain.len() <= 2
        && plain.first().is_some_and(|word| word.any(&["do", "dos", "do's", "always"]))
        && !plain.last().is_some_and(|word| word.any(STEM_ENDS))
        // `Always report:` has an act, which its items complete.
        && !plain.get(1).is_some_and(|act| is_verb(&act.lower) && !act.is("do"))
        && mood_tells(mood);
    let names: Vec<&str> = plain.iter().map(|word| word.lower.as_str()).collect();
    if reminds(&names) {
        // `Before you land, don't forget:` says when, too.
        let says_more = names.len() > 3;
        return Some(Lead::Stance(Stance::Order, says_more.then(|| label(text))));
    }
    if out_of_force(&names) {
        return Some(Lead::Stance(Stance::Excuses, None));
    }
    if let Some(lead) =
        stance_of_ban(&names).map(|stance| Lead::Stance(stance, None)).or_else(|| leave(&names))
    {
        return Some(lead);
    }
    if binds_things(&names) {
        return Some(Lead::Stem(Level::Must));
    }
    if commands || insists(&names) || replaces(plain) || shares_rules(plain) {
        return Some(Lead::Stance(Stance::Order, None));
    }
    if keeps(&names) || affirms_in_front(words) {
        return Some(Lead::Stance(Stance::Order, Some(label(text))));
    }
    if let Some(name) = calls_for(&names).then_some(text).or_else(|| requires_all(text)) {
        return Some(Lead::Stance(Stance::Order, Some(label(name))));
    }
    if short && waives(&names) {
        return Some(Lead::Stance(Stance::Permit, Some(label(text))));
    }
    if let Some(stance) = stance_of_kind(&names).filter(|stance| *stance == Stance::Forbid && short) {
        return Some(Lead::Stance(stance, None));
    }
    let judged = plain.first().is_some_and(|word| {
        word.any(&["good", "bad", "wrong", "right", "correct", "incorrect"])
            || matches!(word.lower.as_str(), "❌" | "✅")
    });
    if let Some(lead) = blames(&names) {
        return Some(lead);
    }
    if tells_of_tool_or_others(&names, mood) {
        return Some(Lead::Told);
    }
    match names[..] {
        ["things" | "what", "that" | "which", "might" | "may" | "could" | "can", ..]
        | ["what", "might" | "may" | "could", ..] => return Some(Lead::Stance(Stance::Describe, None)),
        ["must", "nots" | "not's"] => return Some(Lead::Stance(Stance::Forbid, None)),
        ["can" | "may"] => return Some(Lead::Stance(Stance::Permit, Some(label(text)))),
        _ => {}
    }
    if likens(plain) || names[..] == ["use"] {
        return Some(Lead::Stem(Level::Must));
    }
    if disowns(words) || leaves_undone(plain) {
        return Some(Lead::Stem(Level::MustNot));
    }
    if prefers(plain) {
        return Some(Lead::Stem(Level::Should));
    }
    if tells_of_others(&names) {
        return Some(Lead::Stance(Stance::Example, None));
    }
    if let Some(lead) = open_lead(plain, mood) {
        return Some(lead);
    }
    if let Some(lead) = says_what_kind(words, &names) {
        return Some(lead);
    }
    if judged && short && first_cue != Stance::Forbid {
        return Some(forced_behind_mark(plain).unwrap_or(Lead::Stance(Stance::Example, None)));
    }
    if matches!(first_cue, Stance::Example)
        && !acts_on_examples(plain, mood)
        && !acts_in_case_of_examples(words)
        && (short
            || plain.first().is_some_and(|word| word.any(&["example", "examples", "for", "good", "bad"])))
    {
        return Some(Lead::Stance(Stance::Example, None));
    }
    if denies_in_case(words, plain) {
        return Some(Lead::Condition);
    }
    if leaves_to_liking(plain) {
        return Some(Lead::Stance(Stance::Permit, None));
    }
    if ends_in_negation(plain) {
        let discouraged = plain.last().is_some_and(|word| word.is("avoid"));
        let stance = match mood {
            // `What do we have that others don't?`
            Mood::Question => Stance::Neutral,
            _ if discouraged => Stance::Discourage,
            _ => Stance::Forbid,
        };
        return Some(Lead::Stance(stance, None));
    }
    None
}

/// `DRY (Don't Repeat Yourself):`: what the letters of a name stand for forbids nothing.
fn spells_out(words: &[Word]) -> bool {
    let end = words.iter().rposition(|word| word.lower == ")").map_or(0, |close| close + 1);
    let [name, open, rest @ .., _] = &words[..end] else { return false };
    let spelled =
        rest.iter().filter(|word| word.kind == WordKind::Plain).map(|word| word.lower.chars().next());
    name.shouted
        && open.lower == "("
        && words[end..].iter().all(|word| word.kind == WordKind::Mark)
        && spelled.map(Option::unwrap_or_default).eq(name.lower.chars())
}

/// `Where:` above what the letters of a formula mean, `Bad pattern:`.
fn says_what_kind(words: &[Word], names: &[&str]) -> Option<Lead> {
    let stance = match names {
        _ if spells_out(words) => Stance::Neutral,
        ["given" | "where" | "let"] => Stance::Describe,
        // What it looks like when something goes wrong.
        ["symptoms" | "symptom"] | ["common" | "typical", "symptoms"] => Stance::Example,
        ["when", "to", "use"] => return Some(Lead::Trigger),
        [what] | ["key" | "core" | "main" | "common" | "primary", what] if ABILITIES.contains(what) => {
            return Some(Lead::Told);
        }
        ["bad" | "wrong" | "poor", way] if WAYS.contains(&way.trim_end_matches('s')) => Stance::Forbid,
        // `Common fields that get missed:`
        [.., "get" | "gets" | "often" | "commonly" | "are", "missed" | "forgotten" | "overlooked"] => {
            Stance::Order
        }
        // `separate:` asks for all that stands below it at once, `It requires:`, `This skill needs:`.
        ["separate" | "distinguish" | "compare" | "combine" | "balance" | "weigh"]
        | ["it" | "this", "requires" | "needs"]
        | ["this" | "the", _, "requires" | "needs"] => {
            return Some(Lead::Stem(Level::Must));
        }
        // `The script provides functions to:`
        [_, .., "functions" | "methods" | "commands" | "helpers" | "tools" | "utilities", "to" | "for"]
            if names
                .iter()
                .any(|name| matches!(*name, "provides" | "offers" | "exposes" | "has" | "gives")) =>
        {
            return Some(Lead::Told);
        }
        // `Usual approaches fail:`
        ["provides" | "exposes"]
        | ["use", "cases"]
        | [_, "use", "cases"]
        | ["extends", .., "with"]
        | [_, .., "support" | "supports"]
        | [.., "approaches" | "methods" | "solutions" | "tools", "fail" | "break"] => {
            return Some(Lead::Told);
        }
        // `Each result includes:`
        [.., "result" | "results" | "response", "include" | "includes" | "contain" | "contains"]
            if !names.iter().any(|name| matches!(*name, "your" | "must" | "should" | "final"))
                && names.len() <= 5
                && (!names.contains(&"response") || names.iter().any(|name| ANSWERING.contains(name))) =>
        {
            return Some(Lead::Told);
        }
        // `GPS (in old boats) cannot:`
        [_, .., "cannot"] if words[0].shouted && words[0].lower.len() > 2 && words[1].lower == "(" => {
            return Some(Lead::Told);
        }
        _ => return None,
    };
    Some(Lead::Stance(stance, None))
}

/// What answers with a response that is none of the reader's.
const ANSWERING: &[&str] = &["detailed", "api", "json", "server", "tool", "http", "full", "raw"];

/// What somebody or something can do, or is good for.
const ABILITIES: &[&str] =
    &["capabilities", "features", "strengths", "benefits", "advantages", "limitations", "weaknesses"];

/// What is done, where `bad` stands in front of it: no sample of what is written.
const WAYS: &[&str] =
    &["pattern", "practice", "habit", "approach", "approache", "behavior", "behaviour", "sign", "idea"];

/// `Each rope is checked for:`, `Logs are reviewed against:`: what is looked at, and for what.
fn is_judged(names: &[&str]) -> bool {
    const JUDGED: &[&str] =
        &["validated", "checked", "verified", "tested", "judged", "reviewed", "evaluated", "inspected"];
    matches!(names, [_, .., "is" | "are", judged, "for" | "against" | "by"] if JUDGED.contains(judged))
}

/// `They don't know:`, `This command:`: what others lack, or what a tool does.
fn tells_of_tool_or_others(names: &[&str], mood: Mood) -> bool {
    const SENSING: &[&str] = &["know", "see", "understand", "have"];
    match names {
        ["they" | "it" | "users" | "subagents", "don't" | "doesn't" | "can't" | "cannot", verb] => {
            SENSING.contains(verb)
        }
        ["this" | "the", "command" | "script" | "tool" | "function"] => mood == Mood::Fragment,
        _ => false,
    }
}

/// `Log entries should not:`: said of these, and not of who reads.
fn advises_against(names: &[&str]) -> bool {
    const LONGEST: usize = 6;
    let ([first, .., "should", "not"] | [first, .., "shouldn't"]) = names else { return false };
    (3..=LONGEST).contains(&names.len())
        && !matches!(*first, "you" | "we" | "agents" | "what" | "things" | "if" | "when")
}

/// Reads a lead-in: the words of its last sentence without the colon.
pub(crate) fn lead_of(words: &[Word], mood: Mood, text: &str, section: Stance) -> Lead {
    let words = without_mark_behind(words);
    let plain: Vec<&Word> = words.iter().filter(|word| word.kind != WordKind::Mark).collect();
    let short = plain.len() <= 5;
    let names: Vec<&str> = plain.iter().map(|word| word.lower.as_str()).collect();
    let first_cue = cue(text);
    if advises_against(&names) {
        return Lead::Stem(Level::ShouldNot);
    }
    if let Some(lead) = lead_by_words(words, &plain, (mood, first_cue), text) {
        return lead;
    }
    let thinks =
        plain.iter().any(|word| word.any(&["thinking", "think", "saying", "tempted", "catch", "about"]));
    // `Instead of guessing, ask the index:` leads in what to do.
    if plain.first().is_some_and(|word| word.any(&["instead", "rather"]))
        && plain.get(1).is_some_and(|word| word.any(&["of", "than"]))
        && !matches!(mood, Mood::Order(level, _) if !level.is_prohibition())
    {
        // `Rather than guessing:` above what is done in its place.
        let act = plain.get(2).is_some_and(|act| act.lower.len() > 5 && act.lower.ends_with("ing"));
        return Lead::Stance(if act { Stance::Order } else { Stance::Discourage }, None);
    }
    // `These thoughts should make you stop:` orders itself.
    let binds = matches!(mood, Mood::Order(Level::Must | Level::Should, Force::Explicit));
    if thinks && !binds && matches!(section, Stance::Forbid | Stance::Excuses) {
        return Lead::Stance(Stance::Forbid, None);
    }
    if takes_away(&plain, mood, section) {
        return Lead::Stance(section, None);
    }
    if leads_trigger(&plain) {
        return Lead::Trigger;
    }
    if mood == Mood::Fragment && section != Stance::Example && (names_purpose(&plain) || names_place(&names))
    {
        return Lead::Condition;
    }
    if let Some(lead) = dated(&plain, &names).or_else(|| shaping(&plain, mood)) {
        return lead;
    }
    let speaks = section != Stance::Example;
    if (is_judged(&names) || counts_steps(text)) && speaks {
        return Lead::Stance(Stance::Order, None);
    }
    if let Some(level) = refusal_of_words(&plain) {
        return Lead::Stem(level);
    }
    if comes_in_turn(&plain, mood) || speaks && grades(&plain, text) {
        return Lead::Stem(Level::Must);
    }
    if let Mood::Order(level, _) = mood
        && level.is_prohibition()
        && ends_relative(&plain)
    {
        return Lead::Stem(level);
    }
    if goes_through(&plain) && !matches!(mood, Mood::Order(..)) {
        return Lead::Stance(Stance::Order, Some(label(text)));
    }
    if is_barred(&plain) {
        return Lead::Stem(Level::MustNot);
    }
    let open = plain.len() > 1
        && (plain.last().is_some_and(|word| word.any(STEM_ENDS)) || is_unfinished(&plain, mood));
    if open || asks_leave(&plain, mood) {
        return match mood {
            Mood::Order(level, _) => Lead::Stem(level),
            _ if plain.first().is_some_and(|word| word.any(&["use", "skip", "apply", "trigger"])) => {
                Lead::Stem(Level::Must)
            }
            // `It is a good idea to:`
            _ if first_cue == Stance::Advise => Lead::Stance(Stance::Advise, None),
            _ => Lead::Stance(Stance::Describe, None),
        };
    }
    if let Mood::Order(level, _) = mood
        && counts_cases(&names)
    {
        return Lead::Stem(level);
    }
    match mood {
        Mood::Order(level, _) if level.is_prohibition() => {
            prohibition(level, text, short || ends_with_pronoun(&plain))
        }
        Mood::Order(..) if matches!(first_cue, Stance::Order | Stance::Permit) && is_bare_force(&names) => {
            Lead::Stance(first_cue, Some(label(text)))
        }
        Mood::Order(level, _) => Lead::Order(level),
        _ if plain.first().is_some_and(|word| {
            word.among(CONDITIONS) && !word.any(&["to", "only", "rather", "instead", "from"])
        }) =>
        {
            Lead::Condition
        }
        _ if waits_behind_label(words) || is_handed_on(&names) || by_default(&names) => Lead::Condition,
        Mood::Fragment | Mood::Question => named_or_bracketed(words, first_cue, (short, text), section),
        Mood::Statement if has_requirements(&plain) || determines(&plain) && section != Stance::Describe => {
            Lead::Stance(Stance::Order, None)
        }
        Mood::Statement => match first_cue {
            Stance::Forbid | Stance::Discourage => Lead::Stance(first_cue, None),
            _ => Lead::Stance(Stance::Describe, None),
        },
    }
}

/// `**Sub-agent task**:`: somebody else does what stands below.
fn is_handed_on(names: &[&str]) -> bool {
    const HANDS: &[&str] = &["sub-agent", "subagent", "worker", "implementer", "reviewer", "delegate"];
    matches!(names, [who, "task"] if HANDS.contains(who))
}

/// `Default:`, `By default:` above what is done as long as nobody asks for something else.
fn by_default(names: &[&str]) -> bool {
    matches!(names, ["default" | "defaults"] | ["by", "default"] | ["default", "order"])
}

/// `**Charts**: When the tide is out:`: a label, and the case behind it.
fn waits_behind_label(words: &[Word]) -> bool {
    const LONGEST: usize = 4;
    let opens = |word: &Word| word.any(&["if", "when", "unless", "once", "after", "before", "whenever"]);
    let colon = words.iter().take(LONGEST + 1).position(|word| word.mark(":"));
    colon.is_some_and(|colon| {
        let mut rest = words[colon + 1..].iter().skip_while(|word| word.kind == WordKind::Mark);
        let named = words[..colon].iter().any(|word| word.kind != WordKind::Mark);
        let case = named && rest.next().is_some_and(opens);
        case && rest.clone().any(|word| word.kind != WordKind::Mark)
            && !rest.any(|word| word.mark(",") || word.is("then"))
    })
}

/// `You must:`, `Always present:`; `Always report:` has an act, which its items complete.
fn is_bare_force(names: &[&str]) -> bool {
    names.len() <= 3 && !matches!(names, ["always", act] if *act != "present")
}

/// `Pick the berth based on where they come from:`: an order that is whole without what stands below it.
pub(crate) fn orders_openly(words: &[Word]) -> bool {
    let mood = mood_of(words).mood;
    let plain: Vec<&Word> = words.iter().filter(|word| word.kind != WordKind::Mark).collect();
    let from = plain.last().is_some_and(|last| last.any(&["from", "of", "by", "on", "for"]));
    let whole = from && plain.iter().any(|word| word.any(&["what", "which", "where", "who"]));
    let ordered = matches!(mood, Mood::Order(level, _) if !level.is_prohibition());
    plain.len() > 3 && ordered && (whole || is_unfinished(&plain, mood))
}

/// `Ask the owner about:`, `For the rates, consult:`: an order that its items finish.
fn is_unfinished(plain: &[&Word], mood: Mood) -> bool {
    matches!(mood, Mood::Order(level, _) if !level.is_prohibition())
        && plain.last().is_some_and(|word| word.any(&["about", "consult", "against", "using", "via"]))
}

/// `Don't do this ❌:`: a mark behind the words says again what they say.
fn without_mark_behind(words: &[Word]) -> &[Word] {
    let end = words.iter().rposition(|word| word.kind != WordKind::Mark);
    end.filter(|&end| end > 0 && is_verdict(&words[end])).map_or(words, |end| &words[..end])
}

/// A lead-in that names, or whose brackets order.
fn named_or_bracketed(words: &[Word], cue: Stance, (short, text): (bool, &str), section: Stance) -> Lead {
    match ordered_in_brackets(words) {
        Some(stance) if cue == Stance::Neutral || cue == stance && stance == Stance::Order => {
            Lead::Stance(stance, Some(label(text)))
        }
        _ => fragment(cue, short, text, section),
    }
}

/// `SAFE if:`, `CAUTION when:`: a verdict, and below it when it is given.
fn grades(plain: &[&Word], text: &str) -> bool {
    const SHORTEST: usize = 3;
    let name = text.trim_start_matches('*').split([' ', '*']).next().unwrap_or_default();
    let shouted = name.len() >= SHORTEST && name.chars().all(|c| c.is_ascii_uppercase() || c == '_');
    matches!(plain, [_, when] if when.any(&["if", "when"])) && shouted
}

/// `Production`, `Staging:`: where its items hold.
fn names_place(names: &[&str]) -> bool {
    const PLACES: &[&str] = &[
        "production",
        "prod",
        "staging",
        "development",
        "dev",
        "local",
        "locally",
        "ci",
        "preview",
        "sandbox",
    ];
    matches!(names, [place] | ["in" | "on", place] if PLACES.contains(place))
}

/// `To clear the hold:`: what its items are done for.
fn names_purpose(plain: &[&Word]) -> bool {
    const LONGEST: usize = 9;
    (3..=LONGEST).contains(&plain.len()) && plain[0].is("to") && is_verb(&plain[1].lower)
}

/// `✅ Always:`, `❌ Don't do this:`, `❌ You must not:`, `✅ What to do:`: the words behind the mark say how the items bind.
fn forced_behind_mark(plain: &[&Word]) -> Option<Lead> {
    let (mark, rest) = plain.split_first().filter(|(mark, _)| is_verdict(mark))?;
    let names: Vec<&str> = rest.iter().map(|word| word.lower.as_str()).collect();
    let said = names.strip_prefix(&["you"]).unwrap_or(&names);
    let mut label = None;
    let stance = match *said {
        ["do" | "must" | "should" | "may" | "can", "not", ..]
        | ["what", "not", "to", ..]
        | [
            "don't" | "dont" | "never" | "don'ts" | "donts" | "forbidden" | "mustn't" | "cannot" | "can't",
            ..,
        ] => Stance::Forbid,
        ["do" | "dos" | "do's" | "always" | "must" | "required" | "mandatory"]
        | ["do" | "always", "this" | "these" | "do" | "use"]
        | ["do", "this", "instead"]
        | ["what", "to", "do", ..] => Stance::Order,
        // `✅ Do commit:`
        ["do" | "always", act] if super::lexicon::is_verb(act) => {
            label = Some(rest.iter().map(|word| word.lower.as_str()).collect::<Vec<_>>().join(" "));
            Stance::Order
        }
        ["avoid", ..] => Stance::Discourage,
        ["should" | "prefer" | "recommended" | "preferred"] => Stance::Advise,
        ["may" | "can" | "allowed" | "permitted" | "optional"] => Stance::Permit,
        _ => return None,
    };
    (names.len() <= 4 && is_cross(mark) == matches!(stance, Stance::Forbid | Stance::Discourage))
        .then_some(Lead::Stance(stance, label))
}

/// `In tests you may:`, `Exempt from review:`, `None of these need review:`: what its items name is left free.
pub(crate) fn permits_outright(words: &[Word]) -> bool {
    const LONGEST: usize = 8;
    let plain = words.iter().filter(|word| word.kind != WordKind::Mark);
    let names: Vec<&str> = plain.map(|word| word.lower.as_str()).collect();
    let allows = matches!(names[..], ["in" | "on" | "at" | "during" | "for", _, .., "you", "may" | "can"])
        && names.len() <= LONGEST
        && !words.iter().any(|word| word.mark(","));
    let exempts = matches!(names[..], ["exempt", "from", _] | ["exempt", "from", _, _]);
    allows || exempts || lets_off(&names)
}

/// `When to write a record:`, `Monthly:`, `Otherwise:`, `Always before:`: when something is done.
fn dated(plain: &[&Word], names: &[&str]) -> Option<Lead> {
    let case = leads_case(plain).then_some(Lead::Stem(Level::Must));
    match plain {
        [only] if only.any(&["else", "otherwise"]) => return Some(Lead::Condition),
        [always, when] if always.is("always") && when.any(STEM_ENDS) => return Some(Lead::Stem(Level::Must)),
        _ => {}
    }
    case.or_else(|| is_cadence(names).then_some(Lead::Condition))
}

fn mood_tells(mood: Mood) -> bool {
    !mood.forbids()
}

pub(crate) fn fragment(first_cue: Stance, short: bool, text: &str, section: Stance) -> Lead {
    match first_cue {
        Stance::Neutral if section == Stance::Example => Lead::Stance(Stance::Example, None),
        Stance::Neutral => Lead::Stance(Stance::Neutral, None),
        Stance::Permit | Stance::Order if short => Lead::Stance(first_cue, Some(label(text))),
        Stance::Advise if short && recommends_of_what(text) => Lead::Stance(first_cue, Some(label(text))),
        stance => Lead::Stance(stance, None),
    }
}

/// `Recommended split of the crew:`: of what, its items do not say again.
fn recommends_of_what(text: &str) -> bool {
    const GENERIC: &[&str] = &[
        "approach",
        "practices",
        "practice",
        "steps",
        "actions",
        "tools",
        "workflow",
        "way",
        "order",
        "use",
        "usage",
        "rules",
        "guidelines",
        "patterns",
        "options",
        "settings",
        "setup",
        "libraries",
        "next",
    ];
    let lower = text.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.next() == Some("recommended") && {
        let rest: Vec<&str> = words.collect();
        !rest.is_empty() && !rest.iter().any(|word| GENERIC.contains(word))
    }
}

pub(crate) fn prohibition(level: Level, text: &str, short: bool) -> Lead {
    if is_topic(text) {
        return Lead::Stance(Stance::Neutral, None);
    }
    match (level, naming(text) != Naming::Whole && short && !forbids_act(text)) {
        (Level::ShouldNot, true) => Lead::Stance(Stance::Discourage, None),
        (_, true) => Lead::Stance(Stance::Forbid, None),
        (level, false) => Lead::Order(level),
    }
}

/// `…, never:`, `You must not:`, `It is vital that you do NOT:`.
pub(crate) fn ends_in_negation(plain: &[&Word]) -> bool {
    let Some((last, before)) = plain.split_last() else { return false };
    let asks = before.last().is_some_and(|word| word.any(&["or", "why", "if", "need"]));
    last.any(&["never", "don't", "not", "avoid", "cannot", "can't", "mustn't", "shouldn't"]) && !asks
}

/// `Ask first:`, `Get approval before:`: what the items name waits for leave.
fn asks_leave(plain: &[&Word], mood: Mood) -> bool {
    matches!(mood, Mood::Order(level, _) if !level.is_prohibition())
        && plain.first().is_some_and(|word| {
            word.any(&["ask", "confirm", "check", "consult", "request", "get", "seek", "stop"])
        })
        && plain.last().is_some_and(|word| word.any(&["first", "before", "permission", "approval", "ask"]))
}

/// `never write them`, `avoid these`.
fn ends_with_pronoun(plain: &[&Word]) -> bool {
    plain.last().is_some_and(|word| word.any(&["them", "these", "following", "this", "any"]))
}

/// What a lead-in is called.
pub(crate) fn label(text: &str) -> String {
    text.trim_end_matches([':', ' ']).to_owned()
}
