//! Headings that are orders themselves: `### 2. Read the error carefully`, `### Keep functions small` under `Best practices`. Such a step
//! is stated unless something under it says the same; a principle is where nothing under it is, which then only explains it. So is any
//! heading with nothing under it.

use mentci_authority::{Force, Level};

use super::composed::draft_of;
use super::draft::{Draft, Heading, Turn};
use super::setting::Setting;
use super::speech::lexicon::{is_nounish, is_verb};
use super::speech::mood::{Mood, mood_of};
use super::speech::prose::Prose;
use super::speech::stance::Stance;
use super::speech::word::{Word, WordKind};
use super::steps::named_step;

/// `Log style: whole sentences`, `` File pattern: `*.log` ``: in which manner something is done here.
fn sets_manner(words: &[Word]) -> bool {
    const MANNERS: &[&str] = &["style", "convention", "conventions", "naming"];
    const LONGEST: usize = 6;
    let Some(colon) = words.iter().position(|word| word.mark(":")) else { return false };
    let (name, value) = (&words[..colon], &words[colon + 1..]);
    let plain = name.iter().all(|word| word.kind == WordKind::Plain);
    let manner = name.last().is_some_and(|last| {
        last.any(MANNERS)
            || last.is("pattern") && value.first().is_some_and(|value| value.kind == WordKind::Code)
    });
    plain && name.len() > 1 && manner && (1..=LONGEST).contains(&value.len())
}

/// What a heading orders, if it is the name of a numbered step, or stands among principles.
pub(crate) fn order_of(
    prose: &Prose<'_>,
    (heading, empty): (&Heading, bool),
    above: Stance,
    here: &Setting,
) -> Option<Draft> {
    const LONGEST: usize = 14;
    let text = prose.text.as_str();
    let step = named_step(text);
    if let Some(order) = stressed(prose, heading, here) {
        return Some(order);
    }
    if sets_manner(&prose.words) && !matches!(above, Stance::Example | Stance::Excuses | Stance::Describe) {
        let (all, level) = (0..prose.words.len(), (Level::Must, Force::Implied));
        return Some(draft_of(prose, all.clone(), prose.condensed(all.clone()), level, here, &all));
    }
    // `Keep logs short`, and nothing under it: it can only be meant itself.
    let whole = empty && heading.depth > 1;
    let apart = heading.turn == Turn::Bad || heading.condition.is_some() && !whole;
    let starts = step.map_or(0, |step| text.len() - step.len());
    let start = prose.words.iter().position(|word| word.range.start >= starts)?;
    if let Some(order) = bound_by_name(prose, start, (heading, above), here) {
        return Some(order);
    }
    // `4. Call again — the toll is paid`
    let dash = prose.words[start..].iter().position(|word| word.mark("—")).filter(|_| step.is_some());
    let all = start..dash.map_or(prose.words.len(), |dash| start + dash);
    let words = &prose.words[all.clone()];
    let unmarked =
        (2..=LONGEST).contains(&words.len()) && words.iter().all(|word| word.kind != WordKind::Mark);
    // `Never sail alone`, `Always sign the log`: it binds by itself, whatever tells of it below.
    if let Mood::Order(level, force) = mood_of(words).mood
        && unmarked
        && (force == Force::Explicit && binds_outright(words) || words[0].is("prefer"))
        && heading.depth > 1
        && heading.condition.is_none()
        && !matches!(above, Stance::Example | Stance::Excuses | Stance::Describe)
    {
        return Some(draft_of(prose, all.clone(), prose.condensed(all.clone()), (level, force), here, &all));
    }
    let level = match above {
        Stance::Advise => Level::Should,
        Stance::Order => Level::Must,
        _ if step.is_some() && heading.own != Stance::Neutral => Level::Must,
        Stance::Neutral if step.is_some() || bears_on_conduct(words) => Level::Must,
        Stance::Neutral | Stance::Forbid if whole => Level::Must,
        _ => return None,
    };
    let parted = |word: &Word| word.kind != WordKind::Code && word.lower.contains(['?', ':', '(', '/', '&']);
    if apart || words.iter().any(parted) {
        return None;
    }
    let mood = mood_of(words).mood;
    if let Mood::Order(ban, force) = mood
        && (step.is_some() || whole && words.len() == 2 && !words[0].is("do"))
        && ban.is_prohibition()
        && unmarked
        && !(words.len() == 2 && words[0].any(&["forbidden", "prohibited", "banned", "disallowed"]))
    {
        return Some(draft_of(prose, all.clone(), prose.condensed(all.clone()), (ban, force), here, &all));
    }
    // `5. Decide with guardrails`
    let named = step.is_some() && matches!(heading.own, Stance::Order | Stance::Advise);
    if heading.own != Stance::Neutral && !whole && !named || mood != Mood::Order(Level::Must, Force::Implied)
    {
        return None;
    }
    // `Mooring` may be a topic, and `Deploy staging` a task.
    let fewest = if whole && step.is_none() { 3 } else { 2 };
    if !(fewest..=LONGEST).contains(&words.len()) || !is_order(words) {
        return None;
    }
    let text = prose.condensed(all.clone());
    Some(draft_of(prose, all.clone(), text, (level, Force::Implied), here, &all))
}

/// `Harbour survey (ALWAYS FIRST)`, `Open the raw log — only when the short one was not enough`: a name that says when what stands under it
/// is done, or that it always is.
fn bound_by_name(
    prose: &Prose<'_>,
    start: usize,
    (heading, above): (&Heading, Stance),
    here: &Setting,
) -> Option<Draft> {
    const SHORTEST: usize = 4;
    const WHEN: &[&str] = &["when", "if", "for", "after", "once", "with"];
    let words = &prose.words[start..];
    let told = matches!(above, Stance::Example | Stance::Excuses | Stance::Describe);
    if told || heading.depth < 2 || heading.turn == Turn::Bad || heading.condition.is_some() {
        return None;
    }
    let plain = words.iter().filter(|word| word.kind == WordKind::Plain).count();
    let whispers =
        words.iter().any(|word| word.kind == WordKind::Plain && !word.shouted && word.lower.len() > 3);
    let stressed = |at: usize| {
        let next = words.get(at + 1);
        at > 1
            && words[at].shouted
            && words[at].any(&["always", "only"])
            && next.is_some_and(|next| next.kind == WordKind::Plain)
    };
    let bounded = |at: usize| {
        at > 1
            && words[at].is("only")
            && words.get(at + 1).is_some_and(|next| next.any(WHEN))
            && words.len() > at + 3
    };
    // `Cycle (maximum 5)`
    let counted = |at: usize| {
        at > 0
            && words[at].depth > 0
            && words[at].any(&["maximum", "max", "most"])
            && words.get(at + 1).is_some_and(|next| next.lower.starts_with(|c: char| c.is_ascii_digit()))
    };
    let counts = (0..words.len()).any(counted);
    let binds = counts || (0..words.len()).any(|at| whispers && stressed(at) || bounded(at));
    let all = start..prose.words.len();
    (binds && (counts || plain >= SHORTEST) && !prose.text.as_str().contains('?')).then(|| {
        draft_of(prose, all.clone(), prose.condensed(all.clone()), (Level::Must, Force::Explicit), here, &all)
    })
}

/// `MANDATORY: Read the tide tables first!`: a heading that says by itself how it binds.
fn stressed(prose: &Prose<'_>, heading: &Heading, here: &Setting) -> Option<Draft> {
    const LONGEST: usize = 14;
    const STRESSES: &[&str] = &["mandatory", "critical", "required", "important"];
    let colon = prose.words.iter().take(4).position(|word| word.mark(":"))?;
    // `MANDATORY RULE: …`
    let label = prose.words[..colon].iter().filter(|word| word.kind == WordKind::Plain);
    let stress = label.rev().find(|word| !word.any(&["rule", "rules"]))?;
    let all = colon + 1..prose.words.len();
    let words = &prose.words[all.clone()];
    let acts = |at: usize| words.get(at).is_some_and(|word| is_verb(&word.lower));
    let level = match mood_of(words).mood {
        Mood::Order(level, Force::Explicit) => level,
        Mood::Order(level, _) if level.is_prohibition() => level,
        Mood::Order(Level::Must, _) if acts(0) && words.len() > 2 && !words[0].is("default") => Level::Must,
        _ => return None,
    };
    if !(stress.any(STRESSES) && words.len() <= LONGEST) || heading.turn == Turn::Bad {
        return None;
    }
    Some(draft_of(prose, all.clone(), prose.condensed(all.clone()), (level, Force::Explicit), here, &all))
}

/// `Never sail alone`, `Always sign the log`, `Do not row`, and not `Do not use when`, which what stands below ends.
fn binds_outright(words: &[Word]) -> bool {
    const ENDS: &[&str] =
        &["when", "if", "for", "to", "in", "on", "with", "the", "use", "these", "this", "do", "it"];
    let acts = |at: usize| words.get(at).is_some_and(|word| is_verb(&word.lower));
    let [first, second, ..] = words else { return false };
    let opens = first.any(&["never", "always", "don't"]) && acts(1) && words.len() > 2
        || first.is("do") && second.is("not") && acts(2) && words.len() > 3
        || first.is("always") && acts(1) && !is_nounish(&second.lower);
    opens && !words.last().is_some_and(|last| last.any(ENDS))
}

/// `Read the log`, not `Test plan`: what begins with a word that is a noun as well needs an object behind it.
fn is_order(words: &[Word]) -> bool {
    const OBJECTS: &[&str] = &[
        "the", "a", "an", "it", "them", "this", "that", "each", "every", "all", "any", "your", "its", "for",
        "with", "from", "two", "three", "four", "multiple", "several",
    ];
    const KINDS: &[&str] = &[
        "mode", "phase", "step", "stage", "pattern", "patterns", "plan", "flow", "workflow", "process",
        "hooks",
    ];
    let [first, second, ..] = words else { return false };
    is_verb(&first.lower)
        && !(words.len() == 2 && second.any(KINDS))
        && !first.is("go")
        && (!is_nounish(&first.lower)
            || second.any(OBJECTS)
            || first.is("use") && words.len() > 2
            // `Test ropes before every voyage`, `Separate tows from barges`
            || words.len() > 3 && words[2..].iter().any(|word| word.any(&["before", "every", "from"])))
        && words.iter().all(|word| word.kind != WordKind::Mark || word.mark("→") || word.mark(","))
}

/// `Sound before sailing`, `Treat tides as hostile`: how something is done, and no task that a guide explains.
fn bears_on_conduct(words: &[Word]) -> bool {
    const BEARING: &[&str] =
        &["before", "as", "only", "first", "always", "over", "instead", "until", "every", "each"];
    const SHORTEST: usize = 3;
    words.len() >= SHORTEST && words[1..].iter().any(|word| word.any(BEARING))
}

/// Adds what headings order to the norms, at their places: a step where no norm under it says the same, any other one where no norm stands
/// under it at all.
pub(crate) fn state(drafts: &mut Vec<Draft>, headings: &mut [Heading]) {
    for at in (0..headings.len()).rev() {
        let orders = std::mem::take(&mut headings[at].orders);
        let deeper = headings[at + 1..].iter().take_while(|below| below.depth > headings[at].depth).count();
        let section = at..=at + deeper;
        let step = named_step(&headings[at].text);
        let said = |draft: &Draft, order: &Draft| match step {
            Some(step) => draft.text.contains(&order.text) || draft.text.contains(step),
            None if order.force == Force::Explicit => draft.text.contains(&order.text),
            // What code shows is no further rule.
            None => !draft.is_of_fence || draft.text.contains(&order.text),
        };
        let under = |draft: &&Draft| draft.heading.is_some_and(|heading| section.contains(&heading));
        let unsaid = |order: &Draft| !drafts.iter().filter(under).any(|draft| said(draft, order));
        let orders: Vec<Draft> = orders.into_iter().filter(unsaid).collect();
        let place = drafts.iter().position(|draft| draft.heading >= Some(at)).unwrap_or(drafts.len());
        headings[at].used |= !orders.is_empty();
        drafts.splice(place..place, orders.into_iter().map(|order| Draft { heading: Some(at), ..order }));
    }
}
