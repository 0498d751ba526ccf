//! What somebody does while he is told: `before you commit` is `before committing`.

use super::RefusalReason as Reason;
use super::actor::acts;
use super::leading::is_end;
use super::piece::{Kind, Piece};
use super::reader;
use super::words::{PARTICLES, decides};
use crate::law::{is_nounish, is_verb};

/// In front of what the reader does himself.
const OPENERS: &[&str] = &["before", "after", "when", "while", "if"];

/// Behind `you` these do nothing that could be said of `doing`.
const NO_DEEDS: &[&str] = &["are", "have", "were", "had", "did", "do", "want", "know", "be", "get", "got"];

/// What somebody does, to something that must be named, and no thing does by itself: a device may `update`, a phone `charge` and a server
/// `start`, and then `while updating` would be said of it.
const DEEDS: &[&str] = &[
    "add", "ask", "bump", "change", "close", "commit", "copy", "create", "delete", "deploy", "edit",
    "install", "merge", "migrate", "open", "plan", "publish", "push", "rebase", "refactor", "release",
    "remove", "rename", "resize", "review", "rotate", "scrape", "send", "sign", "tag", "tune", "upgrade",
    "write",
];
/// These need no object: nothing else does them.
const ALONE: &[&str] = &["commit", "merge", "push"];
/// Nor is there need of one behind `use` something `when`: what is used does not do them by itself.
const WITH_MEANS: &[&str] = &["build", "debug", "deploy", "test"];
/// And in front of an order, which says who does it, these.
const LEADING: &[&str] = &["begin", "start", "finish", "work", "wait", "test", "merge", "deploy"];
/// Behind the object of these `when` and `while` cannot be said of the object: `use the profiler when you tune a query`, but
/// `never interrupt the device while you update the host`.
const MEANS: &[&str] = &["use", "prefer", "write", "add"];

/// Writes what `you` do behind an opener in one way, where nobody else is spoken of who could be meant instead: `users who leave when
/// you stop` are not `users who leave when stopping`, and `never let QA merge when you are unsure` is no `… when unsure`.
pub(super) fn unify(pieces: &[Piece]) -> Vec<Piece> {
    let told = ["must", "should", "may", "can", "who", "that", "which"];
    let leads = reader::leads(pieces, OPENERS);
    let others = pieces.iter().any(|piece| piece.any(&told)) || (pieces.iter().any(acts) && !leads);
    let yours = pieces.iter().filter(|piece| piece.is("you")).count();
    let mut out: Vec<Piece> = Vec::with_capacity(pieces.len());
    let mut at = 0;
    while at < pieces.len() {
        let opens =
            !others && yours == 1 && pieces[at].is("you") && out.last().is_some_and(|last| last.any(OPENERS));
        let behind = pieces.get(at + 1..).unwrap_or_default();
        if opens && is_unsure(&out, behind, leads) {
            at += 2;
            continue;
        }
        let is_yours = opens && is_meant(&out, behind, leads);
        let deed = pieces.get(at + 1).filter(|deed| is_yours && is_deed(deed));
        if let Some(doing) = deed.and_then(|deed| doing(&deed.text)) {
            out.push(Piece::word(&doing));
            at += 2;
        } else {
            out.push(pieces[at].clone());
            at += 1;
        }
    }
    out
}

/// `If you are unsure`, `when you are in doubt`: the doubt is yours where the order is. `When you are done` is so in front alone: at the end
/// it may be the thing that is.
fn is_unsure(before: &[Piece], behind: &[Piece], leads: bool) -> bool {
    let Some((opener, front)) = before.split_last() else { return false };
    let is_doubt = match behind {
        [are, unsure, ..] if are.is("are") && unsure.is("unsure") => true,
        [are, done, end, ..] if are.is("are") && front.is_empty() && is_end(end) => {
            done.any(&["done", "finished", "ready"])
        }
        [are, in_, doubt, ..] => are.is("are") && in_.is("in") && doubt.is("doubt"),
        _ => false,
    };
    let is_yours = if front.is_empty() { leads } else { reader::ordered(front).is_some() };
    opener.any(&["if", "when"]) && is_doubt && is_yours
}

/// Whether `doing` can be said of nobody else here: `before` ends with the opener, and `behind` begins with the deed.
fn is_meant(before: &[Piece], behind: &[Piece], leads: bool) -> bool {
    let (Some((deed, rest)), Some((opener, front))) = (behind.split_first(), before.split_last()) else {
        return false;
    };
    let has_object = rest.first().is_some_and(|next| match next.kind {
        Kind::Word => {
            decides(&next.text).is_none_or(|reason| reason == Reason::Quantifier) && !next.any(PARTICLES)
        }
        Kind::Literal => true,
        _ => false,
    });
    if opener.is("if") || goes_on(rest, has_object) {
        return false;
    }
    let is_done = (deed.any(DEEDS) && has_object) || deed.any(ALONE);
    if front.is_empty() {
        return leads && (is_done || deed.any(LEADING));
    }
    let lasts = opener.any(&["when", "while"]);
    let Some(verb) = reader::ordered(front) else { return false };
    let is_used = lasts && verb.is("use") && deed.any(WITH_MEANS);
    is_used || (is_done && (!lasts || verb.any(MEANS)))
}

/// Whether something else is done behind it: `before you commit and push`, but not `before you delete a volume or a table`.
fn goes_on(rest: &[Piece], has_object: bool) -> bool {
    let joins = |piece: &Piece| piece.any(&["and", "or", "and/or", "then"]);
    let does = |piece: &Piece| piece.kind == Kind::Word && is_verb(&piece.text) && !is_nounish(&piece.text);
    let clause: Vec<&Piece> = rest.iter().take_while(|piece| piece.kind != Kind::Mark).collect();
    let is_bare = !has_object && clause.iter().any(|piece| joins(piece));
    // One more thing, and nothing that it does: `before you close the ticket and marketing posts`.
    let others = |at: usize| joins(clause[at]) && (clause.len() != at + 2 || does(clause[at + 1]));
    is_bare || (0..clause.len()).any(others)
}

fn is_deed(piece: &Piece) -> bool {
    let is_plain = piece.kind == Kind::Word && decides(&piece.text).is_none() && !piece.any(NO_DEEDS);
    // `You already merged` and `you quickly run` hold no deed here, `you merged` is over.
    is_plain && !piece.text.ends_with("ed") && !piece.text.ends_with("ly") && !piece.text.ends_with("ing")
}

/// `Merging` of `merge`, `planning` of `plan`, `planing` of `plane`: the one regular spelling; none where a reader could take it for
/// another verb, or where the stress decides that no letter shows.
fn doing(deed: &str) -> Option<String> {
    // The `u` of `quit` sounds as a consonant.
    let sounds = deed.replace("qu", "qw");
    let is_vowel = |at: usize| b"aeiouy".contains(&sounds.as_bytes()[at]);
    let len = deed.len();
    if len < 3 || !deed.bytes().all(|byte| byte.is_ascii_lowercase()) || HOMOGRAPHS.contains(&deed) {
        return None;
    }
    if let Some(stem) = deed.strip_suffix("ie") {
        return Some(format!("{stem}ying"));
    }
    if let Some(stem) = deed.strip_suffix('e') {
        let keeps = ["e", "o", "y", "g"].iter().any(|end| stem.ends_with(end)) && !deed.ends_with("ge");
        return Some(if keeps { format!("{deed}ing") } else { format!("{stem}ing") });
    }
    // `Plan` doubles its last letter; `mail`, `test`, `show` and `fix` do not.
    let closes = !is_vowel(len - 1) && is_vowel(len - 2) && !is_vowel(len - 3);
    let is_short = closes && !deed.ends_with(['w', 'x']);
    let doubled = || format!("{deed}{}ing", &deed[len - 1..]);
    let vowels = (0..len).filter(|&at| is_vowel(at)).count();
    match (is_short, vowels) {
        (false, _) => Some(format!("{deed}ing")),
        (true, 1) => Some(doubled()),
        (true, _) if DOUBLING.contains(&deed) => Some(doubled()),
        (true, _) => UNSTRESSED.iter().any(|end| deed.ends_with(end)).then(|| format!("{deed}ing")),
    }
}

/// What is spelled as the `doing` of another verb: `singing`, `routing`, `bathing`.
const HOMOGRAPHS: &[&str] = &["sing", "singe", "rout", "route", "bath", "bathe", "ting", "tinge"];
/// The last syllable of these bears the stress.
const DOUBLING: &[&str] = &[
    "commit", "submit", "permit", "omit", "emit", "admit", "transmit", "refer", "defer", "transfer", "begin",
];
/// The last syllable of other verbs that end like this does not.
const UNSTRESSED: &[&str] = &["er", "or", "en", "dit", "sit", "get", "lish"];

#[cfg(test)]
mod tests {
    use super::super::piece::split;
    use super::*;

    #[test]
    fn each_verb_is_spelled_in_one_way() {
        for (deed, spelled) in [
            ("scrape", Some("scraping")),
            ("scrap", Some("scrapping")),
            ("plane", Some("planing")),
            ("plan", Some("planning")),
            ("fill", Some("filling")),
            ("file", Some("filing")),
            ("can", Some("canning")),
            ("cane", Some("caning")),
            ("star", Some("starring")),
            ("stare", Some("staring")),
            ("merge", Some("merging")),
            ("commit", Some("committing")),
            ("edit", Some("editing")),
            ("open", Some("opening")),
            ("deploy", Some("deploying")),
            ("agree", Some("agreeing")),
            ("push", Some("pushing")),
            ("mail", Some("mailing")),
            ("tie", Some("tying")),
            ("dye", Some("dyeing")),
            ("rout", None),
            ("route", None),
            ("replan", None),
            ("quit", Some("quitting")),
            ("go", None),
        ] {
            assert_eq!(doing(deed).as_deref(), spelled, "{deed}");
        }
    }

    #[test]
    fn what_you_do_is_doing() {
        for (words, read) in [
            ("run tests before you commit", "run tests before committing"),
            ("run tests before committing", "run tests before committing"),
            ("when you merge", "when you merge"),
            ("when you merge: stop", "when merging : stop"),
            ("use mirror when you merge branches", "use mirror when merging branches"),
            ("stop mirror when you merge branches", "stop mirror when you merge branches"),
            ("watch device while you update", "watch device while you update"),
            ("check server before you start", "check server before you start"),
            ("before you start: check server", "before starting : check server"),
            ("when adding", "when adding"),
            ("when you are unsure", "when you are unsure"),
            ("when you are unsure: ask", "when unsure : ask"),
            ("stop if you are in doubt", "stop if in doubt"),
            ("let ops merge if you are unsure", "let ops merge if you are unsure"),
            ("when you are unsure: ops wait", "when you are unsure : ops wait"),
            ("never let ops run before you merge", "never let ops run before you merge"),
            ("run tests before you merge and ops wait", "run tests before you merge and ops wait"),
            ("tests must pass before you merge", "tests must pass before you merge"),
            ("ask who leaves when you stop", "ask who leaves when you stop"),
            ("after you merged", "after you merged"),
            ("if you merge", "if you merge"),
            ("stop users while you work", "stop users while you work"),
            ("while you work: stop users", "while working : stop users"),
            ("while you work: users stop", "while you work : users stop"),
            ("ask Alice before you merge", "ask Alice before you merge"),
        ] {
            let said: Vec<String> = unify(&split(words, &[])).into_iter().map(|piece| piece.text).collect();
            assert_eq!(said.join(" "), read);
        }
    }
}
