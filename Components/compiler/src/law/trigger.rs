//! `When to use`, `Don't use when:`, `When to redraw the chart`: when a skill applies, when it must not be used, and when an act is due.

use std::ops::Range;

use mentci_authority::Level;
use mentci_reader::markdown::Block;

use super::chain::capital;
use super::draft::Book;
use super::setting::{LeadIn, Setting};
use super::speech::clause::clauses;
use super::speech::guard::plain_in;
use super::speech::lead::Lead;
use super::speech::lexicon::{is_nounish, is_verb};
use super::speech::mood::{IMPERATIVE, Mood, has_finite, mood_of};
use super::speech::prose::Prose;
use super::speech::refusal::refusal;
use super::speech::stance::Stance;
use super::speech::trigger_words::{CASES, ITSELF, SKILL, TAKING, USES};
use super::speech::word::{Word, WordKind};

/// `When to Use`: says when the skill applies, which its front matter says to the harness.
pub(crate) fn is_trigger(heading: &str) -> bool {
    const STARTS: &[&str] = &[
        "when to use",
        "use when",
        "use this skill when",
        "use this skill for",
        "use this when",
        "when to apply",
        "when to activate",
        "when to invoke",
        "when to trigger",
        "when should",
    ];
    let lower = heading.to_lowercase();
    let starts = STARTS.iter().any(|start| lower.starts_with(start)) && refusal(heading).is_none();
    starts
        || matches!(
            lower.as_str(),
            "triggers" | "trigger" | "trigger phrases" | "trigger words" | "activation triggers"
        )
}

/// Whether a heading says when the skill applies. `When to use a pilot` in a skill of another name says when that one is taken.
pub(crate) fn heads_triggers(book: &Book<'_>, heading: usize) -> bool {
    let text = &book.headings[heading].text;
    is_trigger(text) && other_tool(book, text).is_none()
}

/// `WebFetch` of `When to use WebFetch`, where the title does not name it.
fn other_tool<'t>(book: &Book<'_>, heading: &'t str) -> Option<&'t str> {
    const LONGEST: usize = 3;
    let opens = heading.get(..12).filter(|opens| opens.eq_ignore_ascii_case("when to use "))?;
    let name = heading[opens.len()..].trim().trim_end_matches(':');
    let lower = name.to_lowercase();
    let words = plain_in(&lower);
    let title = book.outline.title()?.to_lowercase();
    let titled = plain_in(&title);
    let other = |word: &&str| !ITSELF.contains(word) && !titled.contains(word);
    let chooses = ["each", "every", "which", "what", "either", "both", "one", "them", "vs"];
    let bare = (1..=LONGEST).contains(&words.len()) && !words.iter().any(|word| chooses.contains(word));
    (bare && words.iter().all(other)).then_some(name)
}

/// `When to use a pilot`, `When to redraw the chart` right above a list: the cases in which that is to be done.
pub(super) fn done_when(book: &Book<'_>, list: &Block, here: &Setting) -> Option<LeadIn> {
    const TIMES: &[&str] =
        &["after", "before", "when", "whenever", "if", "once", "during", "while", "on", "at"];
    let heading = here.heading.filter(|_| here.lead.is_none() && here.above.is_empty())?;
    let heading = &book.headings[heading];
    let used = || other_tool(book, &heading.text).filter(|_| is_trigger(&heading.text));
    let (act, of_things) = match used() {
        Some(name) => (format!("Use {name}"), true),
        None => (act_of_cases(book, list, here)?, false),
    };
    let first = list.children.first().and_then(|item| item.children.first())?;
    let case = Prose::new(&first.text);
    let opens = case.words.first()?;
    let text = if opens.any(TIMES) {
        act
    } else if of_things && !has_finite(&case.words) && !opens.any(&["you", "user", "users"]) {
        format!("{act} for")
    } else {
        format!("{act} when")
    };
    Some(LeadIn { lead: Lead::Stem(Level::Must), text, span: heading.span, draft: None, when: None })
}

/// `Redraw the chart` of a heading `When to redraw the chart`, where the items below say nothing but when. Where another heading says
/// when to use the text itself, `When to skip` speaks of that, too.
fn act_of_cases(book: &Book<'_>, list: &Block, here: &Setting) -> Option<String> {
    const OPENING: &[&str] =
        &["apply", "invoke", "trigger", "activate", "load", "read", "choose", "run", "call"];
    const LONGEST: usize = 5;
    let heading = book.headings[here.heading?].text.trim().trim_end_matches([':', '?']);
    let act = heading.get(..8).filter(|opens| opens.eq_ignore_ascii_case("when to "))?.len();
    let act = heading[act..].trim();
    let lower = act.to_lowercase();
    let words = plain_in(&lower);
    let verb = *words.first()?;
    let of_itself = book.outline.headings().any(|other| {
        let other = other.to_lowercase();
        matches!(plain_in(&other)[..], ["when", "to", own, ..] if USES.contains(&own) || OPENING.contains(&own))
    });
    let acts = !USES.contains(&verb) && !OPENING.contains(&verb) && !matches!(verb, "not" | "never");
    let items = || list.children.iter().map(|item| Prose::new(&item.children[0].text));
    let goes_on = |word: &Word| word.mark("→") || word.mark("->") || word.mark(":");
    let whole = list.children.iter().all(|item| item.children.len() == 1)
        && !items()
            .any(|prose| prose.words.iter().any(goes_on) || mood_of(&prose.words).mood == Mood::Question);
    // `Test runs of new rigging`: a noun that may be a verb.
    let orders = || items().filter(|prose| matches!(mood_of(&prose.words).mood, Mood::Order(..))).count();
    let sound = matches!(here.section, Stance::Neutral | Stance::Order | Stance::Describe)
        && acts
        && words.len() <= LONGEST
        && !(of_itself && matches!(verb, "skip" | "avoid" | "stop"))
        && whole
        && orders() * 3 <= list.children.len();
    sound.then(|| capital(act))
}

/// `Stop conditions`, `Abort criteria`, `When to escalate`: what stands under it says when to do what it names.
pub(crate) fn stops(heading: &str) -> bool {
    const ENDS: &[&str] = &["stop", "stopping", "abort", "halt", "exit", "escalation", "rollback", "kill"];
    const CALLED: &[&str] = &["condition", "conditions", "criteria", "criterion", "triggers"];
    const ACTS: &[&str] = &["stop", "abort", "halt", "escalate", "quit"];
    let lower = heading.to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    match words[..] {
        [end, called] => ENDS.contains(&end) && CALLED.contains(&called) || end == "when" && called == "stop",
        ["when", "to", act] => ACTS.contains(&act),
        ["when", "to", "roll", "back"] => true,
        ["when", "to", act, "and", then] => {
            ACTS.contains(&act) && matches!(then, "ask" | "report" | "escalate" | "wait")
        }
        _ => false,
    }
}

/// `To write a release note, use this skill`, `Use this skill when …`: says what the skill is for, and orders nothing.
pub(crate) fn takes_up(sentence: &[Word]) -> bool {
    const BINDING: &[&str] =
        &["must", "always", "never", "only", "not", "don't", "should", "may", "required", "before", "after"];
    const USED: &[&str] = &["used", "applied", "invoked", "activated", "loaded", "triggered"];
    if !sentence.iter().any(|word| word.any(SKILL)) {
        return false;
    }
    let plain: Vec<&Word> = sentence.iter().filter(|word| word.kind != WordKind::Mark).collect();
    let opens_case = |at: usize| plain.get(at).is_some_and(|word| word.any(CASES) || word.is("to"));
    // `This skill should be used when …`.
    if let [this, skill, can, be, used, ..] = plain[..]
        && this.is("this")
        && skill.is("skill")
    {
        return can.any(&["should", "can", "may"]) && be.is("be") && used.any(USED) && opens_case(5);
    }
    let taking = |three: &[&Word]| three[0].any(TAKING) && three[1].is("this") && three[2].any(SKILL);
    if taken_up_in_case(sentence, 3) && plain.get(..3).is_some_and(taking) {
        return true;
    }
    let Some(at) = plain.windows(3).position(taking) else { return false };
    let opens = at == 0 || plain[0].is("to");
    let rest = plain.get(at + 3);
    let ends = opens_case(at + 3) || rest.is_none_or(|word| word.lower.ends_with("ly"));
    let goes_on = sentence.iter().any(|word| word.mark(";") || word.mark("—") || word.is("then"));
    opens && ends && !goes_on && (at > 0 || rest.is_some()) && !plain.iter().any(|word| word.any(BINDING))
}

/// `Use this when …`, `Use for …` right under the title: the text speaks of itself.
pub(crate) fn takes_itself_up(book: &Book<'_>, sentence: &[Word], here: &Setting) -> bool {
    let opens = here.heading.is_none_or(|heading| heading == 0 && book.headings[heading].depth == 1)
        && book.drafts.iter().all(|draft| draft.heading != here.heading);
    let itself = || match sentence {
        [take, this, ..] if take.any(TAKING) && this.is("this") => taken_up_in_case(sentence, 2),
        [take, case, ..] if take.any(TAKING) && case.is("for") => taken_up_in_case(sentence, 1),
        _ => false,
    };
    opens && itself()
}

/// Whether a case opens there, and what is said of it neither binds nor refuses anything.
fn taken_up_in_case(sentence: &[Word], at: usize) -> bool {
    let Some((case, rest)) = sentence.get(at..).and_then(<[Word]>::split_first) else { return false };
    let refuses = |pair: &[Word]| {
        pair[1].any(&["not", "never", "only"]) && (pair[0].kind == WordKind::Mark || pair[0].is("do"))
            || pair[1].any(&["don't", "never"])
            || pair[0].mark(";")
            || pair[0].mark("—")
    };
    case.any(CASES) && !case.any(&["before", "after"]) && !rest.windows(2).any(refuses)
}

/// ``Moving to another berth — use `--tow` ``, `"log it" → Open the log`: a case in which the skill applies, and what is done then.
pub(super) fn runs_behind_case(prose: &Prose<'_>) -> bool {
    let behind = |mark: &str| {
        let at = prose.words.iter().position(|word| word.mark(mark)).filter(|&at| at > 0)?;
        prose.words.get(at + 1..)
    };
    if behind("→").is_some_and(|said| mood_of(said).mood == IMPERATIVE && !takes_up(said)) {
        return true;
    }
    let dash = prose.words.iter().position(|word| word.mark("—")).filter(|&dash| dash > 1);
    dash.and_then(|dash| prose.words.get(dash + 1..)).is_some_and(|rest| {
        matches!(rest, [act, code, ..] if act.any(&["use", "run", "pass", "add"]) && code.kind == WordKind::Code)
    })
}

/// `Before loading: determine whether the hold is dry`: what is done then, among the cases in which the skill applies.
pub(super) fn acts_before(prose: &Prose<'_>) -> bool {
    const FARTHEST: usize = 8;
    let opens = prose.words.first().is_some_and(|word| word.any(&["before", "after", "at", "during"]));
    let colon = prose.words.iter().take(FARTHEST).position(|word| word.mark(":")).filter(|_| opens);
    colon.and_then(|colon| prose.words.get(colon + 1..)).is_some_and(|said| {
        said.first().is_some_and(|act| is_verb(&act.lower) && !is_nounish(&act.lower))
            && mood_of(said).mood == IMPERATIVE
    })
}

/// `Never use it at sea`, `**Prefer rowing** for short ways`: a rule of use among the cases in which the skill applies.
pub(super) fn binds_first(prose: &Prose<'_>) -> bool {
    let Some(first) = prose.words.iter().position(|word| word.kind != WordKind::Mark) else { return false };
    let said = &prose.words[first..];
    let opens = said[0].any(&["never", "don't", "avoid", "prefer", "always"])
        || said[0].is("do") && said.get(1).is_some_and(|next| next.is("not"))
        || said[0].is("you") && said.iter().skip(1).take(2).any(|next| next.any(&["not", "never", "cannot"]));
    opens && said[0].capital && matches!(mood_of(said).mood, Mood::Order(level, _) if level != Level::May)
}

/// `2. Once the ropes lie, run the check.` behind the cases in which the skill applies.
pub(super) fn orders_in(prose: &Prose<'_>, sentences: &[Range<usize>]) -> bool {
    const LABEL: usize = 6;
    let orders = |sentence: &Range<usize>| {
        !takes_up(&prose.words[sentence.clone()])
            && clauses(&prose.words, sentence.clone())
                .iter()
                .any(|clause| matches!(clause.mood, Mood::Order(level, _) if level != Level::May))
    };
    prose.words.last().is_some_and(|last| last.mark("."))
        && !prose.words.iter().take(LABEL).any(|word| word.mark(":"))
        && sentences.iter().any(orders)
}

/// `Deck work` under `When to use`: a kind of case.
fn below_triggers(book: &Book<'_>, heading: usize) -> bool {
    const LONGEST: usize = 3;
    const RULES: &[&str] = &[
        "considerations",
        "rules",
        "requirements",
        "guidelines",
        "tips",
        "notes",
        "principles",
        "practices",
        "constraints",
    ];
    let own = &book.headings[heading];
    let last = own.text.rsplit(' ').next().unwrap_or_default().to_lowercase();
    let above = book.open.iter().rev().find(|&&above| book.headings[above].depth < own.depth);
    own.own == Stance::Neutral
        && !RULES.contains(&last.as_str())
        && own.text.split_whitespace().count() <= LONGEST
        && above.is_some_and(|&above| heads_triggers(book, above))
}

/// Whether items here say when the skill applies.
pub(super) fn lists_triggers(book: &Book<'_>, here: &Setting) -> bool {
    match here.lead.as_ref().map(|lead| &lead.lead) {
        Some(Lead::Trigger) => true,
        None | Some(Lead::Stance(Stance::Describe, _)) => {
            here.heading.is_some_and(|heading| heads_triggers(book, heading) || below_triggers(book, heading))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_says_in_which_cases_the_skill_is_not_used() {
        for text in [
            "When NOT to use",
            "When not to use this skill",
            "When you should not use it",
            "When this skill does not apply",
            "When to avoid this pattern",
            "Don't use when:",
            "Don’t use this if",
            "Do not use this skill when:",
            "Do NOT use for",
            "Never use this skill for:",
            "You must not use this tool when",
            "Not for:",
            "When NOT to use `rg`",
            "Not suitable for",
            "When not to mock",
            "When you don't need lamps",
        ] {
            assert_eq!(refusal(text), Some(Level::MustNot), "{text}");
        }
        assert_eq!(refusal("Avoid using this when:"), Some(Level::ShouldNot));
        for text in [
            "When to use",
            "Use when:",
            "Don't use mocks",
            "Never use these",
            "Do not run in",
            "Not in",
            "Don't use",
            "When deploying",
        ] {
            assert_eq!(refusal(text), None, "{text}");
        }
    }
}
