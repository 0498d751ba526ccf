//! Whether nobody but the reader can be meant, so that what `you` do may be told without you.
//!
//! `Never let QA merge before you sign` is not `never let QA merge before signing`: whatever else a sentence names may be who does it, and no
//! list of names is complete. So it is told from the build of the sentence: it is an order to you, to do something with a thing and nothing
//! more. `Run tests before you push` is; what has a clause, a person, a name or a place of its own is none, and `let`, `tell`, `watch` and
//! `wait until` speak of what others do.
//!
//! INVARIANT (the reader alone): `you` goes only where the subject of the main clause is you, and no other subject stands in it.

use super::RefusalReason as Reason;
use super::leading::is_end;
use super::piece::{Kind, Piece};
use super::words::{OPENERS, decides};
use crate::law::{is_nounish, is_verb};

/// What you do with a thing, which does nothing itself by it.
const HANDLING: &[&str] = &[
    "add",
    "archive",
    "build",
    "bump",
    "capture",
    "clean",
    "clear",
    "collect",
    "commit",
    "compile",
    "compute",
    "copy",
    "create",
    "delete",
    "document",
    "draft",
    "drop",
    "dump",
    "edit",
    "encrypt",
    "export",
    "fetch",
    "fill",
    "fix",
    "format",
    "generate",
    "import",
    "install",
    "lint",
    "load",
    "measure",
    "merge",
    "migrate",
    "move",
    "open",
    "pin",
    "prefer",
    "prepare",
    "print",
    "publish",
    "pull",
    "push",
    "read",
    "rebase",
    "rebuild",
    "record",
    "refactor",
    "regenerate",
    "remove",
    "rename",
    "replace",
    "reset",
    "resize",
    "resolve",
    "restore",
    "review",
    "rotate",
    "run",
    "save",
    "scan",
    "set",
    "sign",
    "snapshot",
    "sort",
    "squash",
    "stage",
    "store",
    "sync",
    "tag",
    "take",
    "test",
    "update",
    "upgrade",
    "use",
    "validate",
    "wipe",
    "write",
];
/// In front of the verb of an order to you.
const TOLD: &[&str] = &["you", "must", "always", "should", "not!", "never", "do", "not"];
/// No plain thing holds one of these: behind them something else is spoken of, or goes on.
const BEYOND: &[&str] = &[
    "of", "in", "on", "at", "as", "up", "off", "out", "down", "away", "back", "about", "under", "near",
    "against", "beside", "behind", "through", "via", "this", "that", "it", "they", "there", "you", "we",
    "how", "what", "why", "who", "which", "whose",
];
/// They pass when you run them, and do nothing else.
const RUN_BY_YOU: &[&str] = &["test", "tests", "check", "checks"];

/// The verb of an order to you that `pieces` are, behind the condition in front of it: it takes one plain thing, or none. What is asked for
/// is that nobody else is its subject, and that nothing in it could be the subject of what follows.
pub(super) fn ordered(pieces: &[Piece]) -> Option<&Piece> {
    let opens = pieces.first().is_some_and(|first| first.any(OPENERS));
    let end = pieces.iter().position(is_end).filter(|_| opens);
    let clause = &pieces[end.map_or(0, |end| end + 1)..];
    let told = clause.iter().take_while(|piece| piece.any(TOLD)).count();
    let (verb, thing) = clause[told..].split_first()?;
    let is_handled = verb.any(HANDLING) && is_plain_thing(thing);
    let is_alone = thing.is_empty() && verb.kind == Kind::Word && is_verb(&verb.text);
    let is_run = verb.is("ensure") && passes(thing);
    let names = pieces.iter().any(is_name);
    (!names && (is_handled || is_alone || is_run)).then_some(verb)
}

/// Up to four words, of which none says what somebody does.
fn is_plain_thing(thing: &[Piece]) -> bool {
    let is_plain = |piece: &Piece| match piece.kind {
        Kind::Word => {
            let counts = matches!(decides(&piece.text), None | Some(Reason::Quantifier));
            counts && !piece.any(BEYOND) && !piece.text.ends_with("ing")
        }
        Kind::Literal | Kind::Number => true,
        Kind::Mark => false,
    };
    (1..=4).contains(&thing.len()) && thing.iter().all(is_plain)
}

/// `All tests pass`: nobody is spoken of but who runs them.
fn passes(clause: &[Piece]) -> bool {
    let [all @ .., tests, pass] = clause else { return false };
    let is_all = all.iter().all(|piece| piece.any(&["all", "each", "every"])) && all.len() < 2;
    is_all && tests.any(RUN_BY_YOU) && pass.any(&["pass", "passes"])
}

/// What may be a name: letters with a capital among them, and no code. `QA`, `Bob`, `GPT-4`.
fn is_name(piece: &Piece) -> bool {
    let letters = |c: char| c.is_alphanumeric() || matches!(c, '-' | '\'' | '’' | '.');
    piece.kind == Kind::Literal && piece.text.contains(char::is_uppercase) && piece.text.chars().all(letters)
}

/// Whether a line begins with what you do, and goes on with an order to you: then nobody else can be meant in front.
pub(super) fn leads(pieces: &[Piece], openers: &[&str]) -> bool {
    let opens = pieces.first().is_some_and(|first| first.any(openers))
        && pieces.get(1).is_some_and(|next| next.is("you"));
    let end = pieces.iter().position(is_end).filter(|_| opens);
    end.is_some_and(|end| begins_order(&pieces[end + 1..]))
}

/// `Support the change`, but not `support deploys the change`: a word that is as often a thing orders where nothing behind it says what
/// that thing does.
fn begins_order(pieces: &[Piece]) -> bool {
    let Some(first) = pieces.first() else { return false };
    if first.any(&["not!", "do", "always"]) {
        return true;
    }
    let does = |at: usize| {
        let stem = |piece: &Piece| {
            let text = piece.text.as_str();
            let stems = [text.strip_suffix("es"), text.strip_suffix('s')];
            stems.into_iter().flatten().find(|stem| is_verb(stem)).map(str::to_owned)
        };
        let goes_on = pieces.get(at + 1).is_some_and(|next| {
            next.kind == Kind::Literal
                || (next.kind == Kind::Word && decides(&next.text).is_none() && !next.any(BEYOND))
        });
        let stem = pieces.get(at).filter(|piece| piece.kind == Kind::Word).and_then(stem);
        stem.is_some_and(|stem| goes_on || !is_nounish(&stem))
    };
    let is_subject = is_nounish(&first.text) && (does(1) || does(2));
    first.kind == Kind::Word && is_verb(&first.text) && !is_subject
}

#[cfg(test)]
mod tests {
    use super::super::piece::split;
    use super::*;

    #[test]
    fn an_order_to_you_names_a_thing_and_nobody() {
        for (words, is_order) in [
            ("run tests", true),
            ("must run all slow tests", true),
            ("never resize volume", true),
            ("use `--locked` flag", true),
            ("stop", true),
            ("ensure all tests pass", true),
            ("if host is down: take snapshot", true),
            ("ensure marketing signs", false),
            ("never let finance pay", false),
            ("use QA", false),
            ("add note for marketing", false),
            ("keep what marketing wrote", false),
            ("use what marketing says", false),
            ("reviewers stop", false),
            ("wait until ops sign", false),
            ("use account of root", false),
        ] {
            assert_eq!(ordered(&split(words, &[])).is_some(), is_order, "{words}");
        }
    }

    #[test]
    fn what_leads_is_yours_where_an_order_follows() {
        for (words, is_order) in [
            ("when you merge : run checks", true),
            ("when you merge : update docs", true),
            ("when you merge : support deploys docs", false),
            ("when you merge : staging waits", false),
        ] {
            assert_eq!(leads(&split(words, &[]), &["when"]), is_order, "{words}");
        }
    }
}
