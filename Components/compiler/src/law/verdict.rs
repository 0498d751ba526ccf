//! What a cell or a header says of a table's row: that it is forbidden, allowed, or only answered.

use mentci_authority::Level;

use super::prose::Prose;
use super::sentence::{is_cross, is_verdict};
use super::table::{Column, prohibition};
use super::word::WordKind;

/// What a cell says of its row: `❌`, `MUST NOT`, `no` under `Allowed`.
pub(crate) fn verdict(cells: &[(Prose<'_>, Column, &str)]) -> Option<Level> {
    let (first, ..) = cells.first().filter(|_| cells.len() > 1)?;
    let named =
        |(prose, ..): &(Prose<'_>, Column, &str)| prose.words.iter().any(|word| word.kind != WordKind::Mark);
    if let Some(level) = force_of(first).filter(|_| cells[1..].iter().any(named)) {
        return Some(level);
    }
    let allows = |name: &str| {
        let name = name.to_lowercase();
        let name = name.trim().trim_end_matches('?');
        ["permission", "may i", "ok"].contains(&name)
            || ["allowed", "permitted"]
                .iter()
                .any(|cue| name.starts_with(cue) && name.split(' ').count() <= 4)
    };
    let (prose, ..) = cells[1..].iter().find(|(_, _, name)| allows(name))?;
    let answer = prose.verbatim(0..prose.words.len()).to_lowercase();
    match answer.trim_end_matches('\u{fe0f}') {
        "yes" | "y" | "allow" | "always allowed" => Some(Level::May),
        "no" | "n" | "deny" | "denied" | "never" => Some(Level::MustNot),
        _ => Some(match force_of(prose) {
            Some(level) if level.is_prohibition() => level,
            Some(_) => Level::May,
            None => Level::Must,
        }),
    }
}

/// The level that a header lends to its column: `May read`, `Must not`.
pub(crate) fn modal_header(name: &str) -> Option<Level> {
    let lower = name.to_lowercase();
    let starts =
        |cue: &str| lower.strip_prefix(cue).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
    let cues: [(&str, Level); 12] = [
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
    !refuses(prose) && (prohibition(prose).is_some() || spoken(prose))
}

fn spoken(prose: &Prose<'_>) -> bool {
    force_of(prose).is_some_and(Level::is_prohibition) && !prose.words.iter().any(is_cross)
}

/// `Allowed?`: its answer says all, and `Allowed in CI?` does not.
pub(crate) fn answers_all(name: &str) -> bool {
    ["allowed", "permitted", "ok", "may i"]
        .contains(&name.trim().trim_end_matches('?').to_lowercase().as_str())
}

/// `no`, `never` as an answer.
pub(crate) fn refuses(prose: &Prose<'_>) -> bool {
    matches!(&prose.words[..], [word] if word.any(&["no", "never", "denied", "deny"]))
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
    match prose.verbatim(0..prose.words.len()).to_lowercase().as_str() {
        "must" | "always" | "required" | "shall" => Some(Level::Must),
        "must not" | "never" | "don't" | "do not" | "shall not" | "forbidden" | "prohibited"
        | "not allowed" | "banned" => Some(Level::MustNot),
        "should" | "recommended" | "prefer" | "preferred" => Some(Level::Should),
        "should not" | "avoid" | "discouraged" | "not recommended" => Some(Level::ShouldNot),
        "may" | "optional" | "allowed" | "permitted" => Some(Level::May),
        _ => None,
    }
}
