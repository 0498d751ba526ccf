//! Who else could be meant: persons, and things that act by themselves.
//!
//! `Stop users while you work` is not `stop users while working`, and `agents that are asked` are not `agents asked`: where somebody is
//! spoken of who could do it himself, what is done needs its subject. A thing that is taken for an actor costs a shorter line.

use super::piece::{Kind, Piece};
use super::words::decides;

/// Without the ending that tells most of them.
const ACTORS: &[&str] = &[
    "agent",
    "people",
    "person",
    "everyone",
    "everybody",
    "someone",
    "somebody",
    "anyone",
    "anybody",
    "team",
    "client",
    "guest",
    "tenant",
    "child",
    "children",
    "parent",
    "bot",
    "daemon",
    "job",
    "process",
    "service",
    "task",
    "thread",
    "model",
    "colleague",
    "staff",
    "crew",
    "friend",
    "student",
    "candidate",
    "participant",
    "applicant",
    "assistant",
    "host",
    "node",
    "peer",
    "replica",
    "pipeline",
    "machine",
    "script",
    "they",
    "them",
    "he",
    "she",
    "him",
    "us",
    "we",
    "others",
    "human",
    "man",
    "men",
    "woman",
    "women",
    "expert",
    "contact",
    "intern",
    "lead",
    "group",
    "company",
    "vendor",
    "app",
    "program",
    "tool",
    "engine",
    "subagent",
    "instance",
    "container",
    "kid",
    "cat",
    "dog",
    "robot",
    "patient",
    "adult",
    "witness",
    "judge",
    "guard",
];

/// What ends as an actor does and cannot act.
const THINGS: &[&str] = &[
    "buffer",
    "chapter",
    "character",
    "cluster",
    "color",
    "compiler",
    "counter",
    "cursor",
    "editor",
    "error",
    "factor",
    "filter",
    "floor",
    "folder",
    "footer",
    "formatter",
    "header",
    "identifier",
    "layer",
    "letter",
    "linter",
    "marker",
    "mirror",
    "monitor",
    "number",
    "order",
    "paper",
    "parameter",
    "pointer",
    "profiler",
    "register",
    "semaphore",
    "vector",
    "wrapper",
    "better",
    "ever",
    "faster",
    "former",
    "further",
    "higher",
    "however",
    "inner",
    "larger",
    "latter",
    "longer",
    "lower",
    "newer",
    "older",
    "outer",
    "proper",
    "rather",
    "shorter",
    "slower",
    "smaller",
    "together",
    "under",
    "upper",
    "her",
    "regular",
    "similar",
];

/// Whether this may be somebody who acts: by its name, or as `user`, `author` and `trainee` do by their ending. A word with a capital
/// may be anybody's name.
pub(super) fn acts(piece: &Piece) -> bool {
    let text = piece.text.as_str();
    if piece.kind == Kind::Literal {
        let mut letters = text.chars();
        return letters.next().is_some_and(char::is_uppercase) && letters.all(char::is_lowercase);
    }
    let singular = text.strip_suffix("es").filter(|one| ACTORS.contains(one));
    let one = singular.or_else(|| text.strip_suffix('s')).unwrap_or(text);
    let ends = ["er", "or", "ee", "ist"].iter().any(|end| one.len() > 3 && one.ends_with(end));
    piece.kind == Kind::Word
        && decides(text).is_none()
        && (ACTORS.contains(&one) || ACTORS.contains(&text) || (ends && !THINGS.contains(&one)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_acts_is_told_by_name_and_by_ending() {
        for word in
            ["user", "users", "authors", "trainee", "process", "processes", "everyone", "daemon", "dentist"]
        {
            assert!(acts(&Piece::word(word)), "{word}");
        }
        for word in ["test", "errors", "header", "after", "never", "larger", "branch", "volume"] {
            assert!(!acts(&Piece::word(word)), "{word}");
        }
        assert!(acts(&Piece::literal("Alice")) && !acts(&Piece::literal("`Alice`")));
    }
}
