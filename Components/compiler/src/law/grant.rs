//! Tables that say who may do what, or answer what their header asks.

use mentci_authority::{Force, Level};
use mentci_reader::markdown::{Block, RichText};

use super::draft::Book;
use super::follow::names_act;
use super::row::{row_draft, whole_row};
use super::setting::Setting;
use super::speech::column::Column;
use super::speech::lexicon::{is_role, is_verb};
use super::speech::prose::Prose;
use super::speech::verdict::{Answer, answer};
use super::speech::word::{Word, WordKind};

/// `| Open the lock | no | yes |` under `| | Guests | Pilots |`: who may do it. `| charts/ | no |` under `| Place | Paint by hand? |`:
/// what the header asks, answered. False where the answers only tell.
pub(super) fn grants(
    book: &mut Book<'_>,
    row: &Block,
    cells: &[(Prose<'_>, Column, &str)],
    here: &Setting,
) -> bool {
    let Some(((first, ..), behind)) = cells.split_first() else { return false };
    let header = |name: &str| Prose::new(&RichText::plain(name, row.span)).words;
    let acts = first.words.first().is_some_and(|word| word.kind == WordKind::Plain && is_verb(&word.lower));
    let of_whom = |name: &str| header(name).iter().any(is_party);
    let by_whom = behind.len() > 1 && behind.iter().all(|(_, _, name)| of_whom(name));
    if by_whom || acts && behind.iter().any(|(_, _, name)| of_whom(name)) {
        whole_row(book, row, cells, Level::Must, here);
        return true;
    }
    if permits_acts(book, row, cells, here) {
        return true;
    }
    let asked = behind.iter().filter(|(_, _, name)| names_act(&header(name)));
    let denied: Vec<_> = asked.filter(|(prose, ..)| matches!(answer(prose), Some(Answer::No))).collect();
    let all = 0..first.words.len();
    for (prose, _, name) in &denied {
        let said = prose.condensed(0..prose.words.len());
        let text = format!("{}: {name} {said}", first.condensed(all.clone()));
        // `Ask? No`: where one need not wait, one is free.
        let waits = header(name).first().is_some_and(|verb| verb.any(&["ask", "confirm", "wait", "notify"]));
        let force = (if waits { Level::May } else { Level::MustNot }, Force::Explicit);
        let mut draft = row_draft(text, force, first.literals(all.clone()), row.span, here);
        draft.original.clone_from(&draft.text);
        book.add(draft);
    }
    !denied.is_empty()
}

/// `` `charts/` | yes | no `` under `Place | Read | Write`, `Guests | yes | no` under `Role | Board | Steer`: what may be done there, or by
/// them. `` `tow` | no | yes `` under `Command | Without leave | With leave`: in which case it may. Of other things such a row tells what they
/// can do.
fn permits_acts(
    book: &mut Book<'_>,
    row: &Block,
    cells: &[(Prose<'_>, Column, &str)],
    here: &Setting,
) -> bool {
    const ACTS: &[&str] = &[
        "read", "write", "edit", "delete", "create", "modify", "update", "execute", "run", "push", "merge",
        "deploy", "release", "publish", "commit", "approve", "rename", "move",
    ];
    const CASES: &[&str] = &[
        "without", "with", "on", "in", "during", "before", "after", "inside", "outside", "under", "when",
        "if",
    ];
    let Some(((first, _, of_what), behind)) = cells.split_first() else { return false };
    // `Users` under `Part` are no people.
    let of_people = ["role", "who", "actor", "agent", "party", "person", "team", ""]
        .contains(&of_what.trim().to_lowercase().as_str());
    let path = |word: &Word| word.kind == WordKind::Code && word.lower.contains(['/', '.', '*']);
    let owned = matches!(&first.words[..], [only] if path(only) || of_people && is_party(only));
    let acts = |name: &str| ACTS.contains(&name.trim().to_lowercase().as_str());
    let of_acts = owned && behind.iter().all(|(_, _, name)| acts(name));
    let does = first.words.first().is_some_and(|word| word.kind == WordKind::Code || is_verb(&word.lower));
    let in_case =
        |name: &str| name.trim().to_lowercase().split_once(' ').is_some_and(|(at, _)| CASES.contains(&at));
    let of_cases = does && behind.iter().all(|(_, _, name)| in_case(name));
    if behind.len() < 2 || !(of_acts || of_cases) {
        return false;
    }
    let all = 0..first.words.len();
    let answered = |wanted: fn(&Answer) -> bool| {
        let named = behind.iter().filter(move |(prose, ..)| answer(prose).as_ref().is_some_and(wanted));
        named.map(|(_, _, name)| name.trim().to_lowercase()).collect::<Vec<_>>().join(", ")
    };
    let (denied, granted) =
        (answered(|said| matches!(said, Answer::No)), answered(|said| matches!(said, Answer::Yes)));
    for (level, word, acts) in [(Level::MustNot, "NEVER", &denied), (Level::May, "may", &granted)] {
        if !acts.is_empty() {
            let text = format!("{}: {word} {acts}", first.condensed(all.clone()));
            let mut draft =
                row_draft(text, (level, Force::Explicit), first.literals(all.clone()), row.span, here);
            draft.original.clone_from(&draft.text);
            book.add(draft);
        }
    }
    !denied.is_empty() || !granted.is_empty()
}

/// `Pilots`, `Guest`: whom a column is about.
fn is_party(word: &Word) -> bool {
    const MORE: &[&str] = &[
        "admin",
        "administrator",
        "intern",
        "guest",
        "user",
        "member",
        "viewer",
        "contractor",
        "public",
        "dev",
        "prod",
        "production",
        "staging",
        "development",
        "local",
        "lead",
    ];
    let one = word.lower.strip_suffix('s').unwrap_or(&word.lower);
    is_role(&word.lower) || MORE.contains(&one)
}
