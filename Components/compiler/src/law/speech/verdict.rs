//! What a cell or a header says of a table's row: that it is forbidden, allowed, or only answered.

use mentci_authority::Level;

use super::cell::prohibition;
use super::column::Column;
use super::mood::{IMPERATIVE, mood_of};
use super::phrase::level_of;
use super::prose::Prose;
use super::sentence::{is_cross, is_verdict};
use super::word::{Word, WordKind};

/// What a cell says of its row: `❌`, `MUST NOT`, `no` under `Allowed`.
pub(crate) fn verdict(cells: &[(Prose<'_>, Column, &str)]) -> Option<Level> {
    let (first, ..) = cells.first().filter(|_| cells.len() > 1)?;
    let named =
        |(prose, ..): &(Prose<'_>, Column, &str)| prose.words.iter().any(|word| word.kind != WordKind::Mark);
    if let Some(level) = force_of(first).filter(|_| cells[1..].iter().any(named)) {
        return Some(level);
    }
    // `Rotate keys | SHOULD` under `Rule | Level`.
    let levelled = cells[1..].iter().find(|(_, _, name)| {
        ["level", "strength", "force", "obligation"].contains(&name.to_lowercase().trim())
    });
    if let Some(level) = levelled.and_then(|(prose, ..)| force_of(prose)) {
        return Some(level);
    }
    // `Steer by night | Nobody` under `Act | Who may`.
    let nobody = |(prose, _, name): &(Prose<'_>, Column, &str)| asks_who(name) && is_nobody(prose);
    if cells[1..].iter().any(nobody) {
        return Some(Level::MustNot);
    }
    let one_act = cells[1..].iter().filter(|(_, _, name)| asks_act(name)).count() == 1;
    let allows = |name: &str| {
        let one_act = one_act && asks_act(name);
        let name = name.to_lowercase();
        let name = name.trim().trim_end_matches('?');
        [
            "permission",
            "may i",
            "ok",
            "editable",
            "writable",
            "deletable",
            "mergeable",
            "deployable",
            "modifiable",
            "verdict",
        ]
        .contains(&name)
            || may_it(name)
            || one_act
            || ["allowed", "permitted"]
                .iter()
                .any(|cue| name.starts_with(cue) && name.split(' ').count() <= 4)
    };
    let Some((prose, ..)) = cells[1..].iter().find(|(_, _, name)| allows(name)) else {
        return binding_answer(cells);
    };
    match answer(prose) {
        Some(Answer::Yes) => Some(Level::May),
        Some(Answer::No) => Some(Level::MustNot),
        Some(Answer::Nothing) => None,
        None => Some(match force_of(prose) {
            Some(level) if level.is_prohibition() => level,
            // `Preferred` under `Verdict` advises.
            Some(Level::Should) => Level::Should,
            Some(_) => Level::May,
            None => Level::Must,
        }),
    }
}

/// `yes` under `Forbidden` or `Required?`. Where the table describes parameters, `Required` says what they are.
fn binding_answer(cells: &[(Prose<'_>, Column, &str)]) -> Option<Level> {
    let describes = describes(cells);
    cells[1..]
        .iter()
        .find_map(|(prose, _, name)| match answer(prose)? {
            Answer::Yes if is_headed(name, FORBIDS) => Some(Level::MustNot),
            Answer::No if is_headed(name, FORBIDS) => Some(Level::May),
            Answer::Yes if is_headed(name, REQUIRES) && !describes => Some(Level::Must),
            // `Burn the log | denied`.
            Answer::No if orders(cells) && is_denied(prose) => Some(Level::MustNot),
            Answer::Yes if asks_leave(name) => Some(Level::Must),
            Answer::No if asks_leave(name) => Some(Level::May),
            Answer::No if is_headed(name, REQUIRES) && !describes && orders(cells) => Some(Level::May),
            _ => None,
        })
        .or_else(|| {
            let eased = |(prose, _, name): &(Prose<'_>, Column, &str)| {
                force_of(prose)
                    .filter(|level| is_headed(name, REQUIRES) && matches!(level, Level::May | Level::Should))
            };
            cells[1..].iter().find_map(eased).filter(|_| !describes)
        })
        .or_else(|| eased_at_the_end(cells))
}

pub(crate) fn is_denied(prose: &Prose<'_>) -> bool {
    matches!(&prose.words[..], [word] if word.any(&["denied", "deny", "refused"]))
}

/// `Edit?`, `May merge?`: an act that its answer leaves free or forbids.
pub(crate) fn asks_act(name: &str) -> bool {
    const ACTS: &[&str] = &[
        "edit", "merge", "push", "commit", "delete", "deploy", "modify", "log", "touch", "publish", "write",
    ];
    let name = name.trim().to_lowercase();
    let act = name.strip_suffix('?').map(|act| act.strip_prefix("may ").unwrap_or(act));
    act.is_some_and(|act| ACTS.contains(&act))
}

/// `Ask first?`, `Needs approval`: whether leave is asked before.
pub(crate) fn asks_leave(name: &str) -> bool {
    const LEAVE: &[&str] = &[
        "ask",
        "ask first",
        "ask user",
        "ask the user",
        "confirm",
        "confirm first",
        "needs approval",
        "need approval",
        "approval needed",
        "needs confirmation",
        "needs review",
        "review required",
        "approval required",
        "confirmation required",
        "tests required",
        "test required",
        "needs tests",
        "confirmation needed",
    ];
    LEAVE.contains(&name.trim().trim_end_matches('?').to_lowercase().as_str())
}

/// `Sign the log`: what is done or left.
fn orders(cells: &[(Prose<'_>, Column, &str)]) -> bool {
    cells.first().is_some_and(|(first, ..)| mood_of(&first.words).mood == IMPERATIVE)
}

/// `Read the log | Allowed`, `Small change | Not required`: a last cell that is the name of a level below an order.
fn eased_at_the_end(cells: &[(Prose<'_>, Column, &str)]) -> Option<Level> {
    let [_, (prose, ..)] = cells else { return None };
    force_of(prose)
        .filter(|level| {
            // `403 | Forbidden` is what an answer is called.
            let barred = || matches!(said(prose).as_str(), "not allowed" | "not permitted" | "never allowed");
            matches!(level, Level::May | Level::Should | Level::ShouldNot) || barred()
        })
        .filter(|_| !describes_need(cells))
}

const FORBIDS: &[&str] = &["forbidden", "prohibited", "banned", "disallowed"];
const REQUIRES: &[&str] = &["required", "requires", "mandatory", "obligatory"];

/// Whether a header asks what is forbidden or required: its answer says nothing without it.
pub(crate) fn binds(name: &str) -> bool {
    is_headed(name, FORBIDS) || is_headed(name, REQUIRES)
}

fn is_headed(name: &str, cues: &[&str]) -> bool {
    let name = name.to_lowercase();
    let starts =
        |cue: &&str| name.strip_prefix(*cue).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
    name.split(' ').count() <= 4 && cues.iter().any(starts)
}

/// Whether a table describes parameters.
fn describes(cells: &[(Prose<'_>, Column, &str)]) -> bool {
    const DESCRIBES: &[&str] = &[
        "type",
        "default",
        "parameter",
        "param",
        "field",
        "option",
        "flag",
        "argument",
        "key",
        "property",
        "attribute",
        "column",
        "name",
        "variable",
        "input",
        "output",
        "version",
        "format",
    ];
    let is_one = |name: &str| DESCRIBES.contains(&name.to_lowercase().trim_end_matches('s'));
    cells.iter().any(|(_, _, name)| is_one(name))
}

/// Whether a row only says which parameter is required.
pub(crate) fn describes_need(cells: &[(Prose<'_>, Column, &str)]) -> bool {
    let asks = |(prose, _, name): &(Prose<'_>, Column, &str)| {
        is_headed(name, REQUIRES) && (answer(prose).is_some() || force_of(prose).is_some())
    };
    describes(cells) && cells.iter().any(asks)
}

/// What a cell that is no text answers to its header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    Yes,
    No,
    /// `-`, `n/a`: the question does not arise.
    Nothing,
}

/// The answer that a cell is; none for text.
pub(crate) fn answer(prose: &Prose<'_>) -> Option<Answer> {
    if let [word] = &prose.words[..]
        && is_verdict(word)
    {
        return Some(if is_cross(word) { Answer::No } else { Answer::Yes });
    }
    let text = if is_long(prose) { String::new() } else { said(prose) };
    match text.trim_end_matches(['\u{fe0f}', '.']) {
        "yes" | "y" | "allow" | "always" | "always allowed" | "true" => Some(Answer::Yes),
        "no" | "n" | "deny" | "denied" | "never" | "false" => Some(Answer::No),
        "-" | "--" | "\u{2013}" | "\u{2014}" | "none" | "n/a" | "na" | "n.a" | "nothing"
        | "not applicable" | "tbd" => Some(Answer::Nothing),
        _ => prose.words.iter().all(|word| word.kind == WordKind::Mark).then_some(Answer::Nothing),
    }
}

/// The level of a column, given its answer: what one need not do, one may leave; what one need not leave, one may do.
pub(crate) fn answered(level: Level, answer: Option<Answer>) -> Option<Level> {
    match answer {
        None | Some(Answer::Yes) => Some(level),
        Some(Answer::No) if level == Level::May => Some(Level::MustNot),
        Some(Answer::No) => Some(Level::May),
        Some(Answer::Nothing) => None,
    }
}

/// The level that a header lends to its column: `May read`, `Must not`.
pub(crate) fn modal_header(name: &str) -> Option<Level> {
    let lower = name.to_lowercase();
    let lower = lower.replace('’', "'");
    let lower = lower.strip_prefix("you ").unwrap_or(&lower);
    let starts =
        |cue: &str| lower.strip_prefix(cue).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
    let cues: [(&str, Level); 22] = [
        ("can't", Level::MustNot),
        ("ask first", Level::Must),
        ("not allowed", Level::MustNot),
        ("not permitted", Level::MustNot),
        ("prohibited", Level::MustNot),
        ("banned", Level::MustNot),
        ("disallowed", Level::MustNot),
        ("mandatory", Level::Must),
        ("allowed", Level::May),
        ("permitted", Level::May),
        ("must not", Level::MustNot),
        ("must never", Level::MustNot),
        ("may not", Level::MustNot),
        ("cannot", Level::MustNot),
        ("forbidden", Level::MustNot),
        ("should not", Level::ShouldNot),
        ("must", Level::Must),
        ("required", Level::Must),
        ("should", Level::Should),
        ("may", Level::May),
        ("can", Level::May),
        ("optional", Level::May),
    ];
    cues.iter().find(|(cue, _)| starts(cue)).map(|(_, level)| *level)
}

/// `✅`, `off`, `yes`: an answer to a question that the header asks, which orders nothing by itself.
pub(crate) fn only_answers(prose: &Prose<'_>) -> bool {
    if let [word] = &prose.words[..] {
        return is_verdict(word)
            || word.any(&["off", "on", "yes", "no", "none", "n/a", "disabled", "enabled"]);
    }
    prose.words.iter().all(|word| word.kind == WordKind::Mark)
}

/// Whether a cell forbids in words, so that the row needs no `NEVER`.
pub(crate) fn forbids_itself(prose: &Prose<'_>) -> bool {
    let none = prose.words.len() > 1 && prose.words[0].is("no") && prose.words[0].capital;
    !refuses(prose) && (none || prohibition(prose).is_some() || spoken(prose))
}

fn spoken(prose: &Prose<'_>) -> bool {
    force_of(prose).is_some_and(Level::is_prohibition) && !prose.words.iter().any(is_cross)
}

/// `Editable`: what its answer says holds for the verb in it.
pub(crate) fn is_able(name: &str) -> bool {
    const ABLE: &[&str] = &["editable", "writable", "deletable", "mergeable", "deployable", "modifiable"];
    asks_act(name) || ABLE.contains(&name.trim().trim_end_matches('?').to_lowercase().as_str())
}

/// `Allowed?`: its answer says all, and `Allowed in CI?` does not.
pub(crate) fn answers_all(name: &str) -> bool {
    ["allowed", "permitted", "ok", "may i", "forbidden", "prohibited", "banned", "disallowed", "verdict"]
        .contains(&name.trim().trim_end_matches('?').to_lowercase().as_str())
        || asks_who(name)
        || may_it(name)
}

/// `Agent may?`
fn may_it(name: &str) -> bool {
    let name = name.trim().trim_end_matches('?').to_lowercase();
    name.split(' ').count() <= 3 && (name.ends_with(" may") || name.ends_with(" can"))
}

/// `Who may`, `By whom`.
fn asks_who(header: &str) -> bool {
    let header = header.trim().to_lowercase();
    ["who ", "by whom"].iter().any(|cue| header.starts_with(cue)) || header == "who" || header == "who?"
}

/// `nobody`, `No one`.
fn is_nobody(prose: &Prose<'_>) -> bool {
    let mut plain = prose.words.iter().filter(|word| word.kind != WordKind::Mark);
    let Some(first) = plain.next() else { return false };
    let nobody =
        first.any(&["nobody", "none"]) || first.is("no") && plain.next().is_some_and(|one| one.is("one"));
    nobody && plain.next().is_none()
}

/// `no`, `never` as an answer.
pub(crate) fn refuses(prose: &Prose<'_>) -> bool {
    matches!(&prose.words[..], [word] if word.any(&["no", "never", "denied", "deny"])) || is_nobody(prose)
}

/// All of a cell in lower case.
fn said(prose: &Prose<'_>) -> String {
    prose.verbatim(0..prose.words.len()).to_lowercase()
}

/// Whether a cell says more than any of the words that are looked for in it.
fn is_long(prose: &Prose<'_>) -> bool {
    const LONGEST: usize = 20;
    // Words that are spaced stay so, and what is looked for are two at most.
    let apart = |word: &&Word| {
        word.kind == WordKind::Plain
            && word.spaced
            && word.lower.starts_with(|c: char| c.is_ascii_alphanumeric())
    };
    if prose.words.iter().filter(apart).nth(3).is_some() {
        return true;
    }
    let mut letters = 0;
    prose.words.iter().any(|word| {
        let written = prose.text.as_str()[word.range.clone()].bytes();
        letters += written.filter(u8::is_ascii_alphanumeric).count();
        letters > LONGEST
    })
}

/// The level that a cell is the name or the mark of.
fn force_of(prose: &Prose<'_>) -> Option<Level> {
    if let [word] = &prose.words[..] {
        if is_cross(word) {
            return Some(Level::MustNot);
        }
        if is_verdict(word) {
            return Some(Level::Must);
        }
    }
    if is_long(prose) {
        return None;
    }
    let said = said(prose);
    level_of(&said).or((said == "prefer").then_some(Level::Should))
}
