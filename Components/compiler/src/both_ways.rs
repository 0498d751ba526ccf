//! Lines that demand one thing and forbid another: `Use pnpm, never npm`, `Keep the log short (no verses)`. What such a line says second
//! is a level of its own in the coverage map.

use mentci_authority::Level;

use crate::law::{is_verb, opens_condition, says_no};
use crate::words::opens_negated;

/// The other level that a line states beside its own, if it does.
pub(crate) fn other_level(level: Level, text: &str) -> Option<Level> {
    match level {
        Level::MustNot | Level::ShouldNot => demanded(text),
        Level::Must | Level::May => denies_beside(text).then_some(Level::MustNot),
        Level::Should => denies_beside(text).then_some(Level::ShouldNot),
    }
}

/// What a line demands that forbids behind `, never` or `, not`, or in front of a remedy.
fn demanded(text: &str) -> Option<Level> {
    const SOFT: &[&str] = &["prefer", "consider", "try", "favor", "favour"];
    // `The mate must not sail, not even by day` demands nothing.
    let against = || {
        [", not ", ", NOT ", " but NOT ", ", no "].iter().find_map(|cue| {
            text.split_once(cue).filter(|(head, rest)| !says_no(head) && !rest.starts_with("even "))
        })
    };
    let parted = || {
        [", never ", ", don't ", ", do not ", " - NO ", " — NO "].iter().find_map(|cue| text.split_once(cue))
    };
    // `Collect; do not judge`, `Weigh each sack alone and never together`
    let acted = || {
        let cues = ["; do not ", "; don't ", "; never ", " and never "];
        let act = |head: &str| is_verb(&head.split(' ').next().unwrap_or_default().to_lowercase());
        cues.iter().find_map(|cue| text.split_once(cue).filter(|(head, _)| act(head)))
    };
    let joined = || parts_told(text).or_else(|| bounded(text));
    let Some((head, _)) = parted().or_else(against).or_else(acted).or_else(joined) else {
        let other = remedied(text) || waits_for_all(text) || halts(text) || measures(text) || weighs(text);
        return other.then_some(Level::Must);
    };
    let rest = head.rsplit_once(": ").map_or(head, |(_, rest)| rest);
    // `In tests, never delete x` demands nothing, `In tests, use x, never y` does.
    let conditional = opens_condition(rest) || concedes(rest);
    let rest = if conditional { rest.split_once(", ")?.1 } else { rest };
    let opening = rest.split(' ').next().unwrap_or_default().to_lowercase();
    let level = if SOFT.contains(&opening.as_str()) { Level::Should } else { Level::Must };
    // `When an id is given, which others see, never …` only goes on with its condition.
    let relative = conditional && matches!(opening.as_str(), "which" | "who");
    (!relative && !opens_negated(rest)).then_some(level)
}

/// `Border: no frame, 3pt of white`, `No keys on board, all in the office`: what is there in place of what shall not be.
fn measures(text: &str) -> bool {
    let said = text.rsplit_once(": ").map_or(text, |(_, said)| said);
    let rest =
        said.strip_prefix("No ").or_else(|| said.strip_prefix("no ")).and_then(|said| said.split_once(", "));
    rest.is_some_and(|(_, rest)| rest.starts_with(|c: char| c.is_ascii_digit()) || rest.starts_with("all "))
}

/// `Don't mock — kind words over wit`: what goes before what, behind a ban.
fn weighs(text: &str) -> bool {
    const LONGEST: usize = 4;
    let short = |side: &str| (1..=LONGEST).contains(&side.split(' ').count());
    let over = |said: &str| said.split_once(" over ").is_some_and(|(one, other)| short(one) && short(other));
    opens_negated(text)
        && [" — ", ": "].iter().any(|mark| text.split_once(mark).is_some_and(|(_, said)| over(said)))
}

/// `Sails fit the mast and do not touch the deck`: the half in front of what shall not be, of the same things.
fn parts_told(text: &str) -> Option<(&str, &str)> {
    const CUES: &[&str] = &[
        " and does not ",
        " and do not ",
        " and doesn't ",
        " and don't ",
        " and should not ",
        " and must not ",
        " and are not ",
        " and is not ",
        " and never ",
    ];
    const FEWEST: usize = 3;
    let (head, rest) = CUES.iter().find_map(|cue| text.split_once(cue))?;
    let relative =
        |word: &str| matches!(word, "that" | "which" | "who" | "if" | "when" | "because" | "unless");
    let told = head.split(' ').count() >= FEWEST && !says_no(head) && !head.split(' ').any(relative);
    told.then_some((head, rest))
}

/// `Sound ropes only: Don't tow with old ones`: what is in front bounds what is allowed.
fn bounded(text: &str) -> Option<(&str, &str)> {
    let (head, rest) = text.split_once(": ")?;
    (head.ends_with(" only") && !opens_negated(head) && opens_negated(rest)).then_some((head, rest))
}

/// `Even in fog, never row`, `Should it leak, do not sail`: what stands in front of the comma is no demand.
fn concedes(text: &str) -> bool {
    const OPENING: &[&str] = &[
        "Due to ",
        "Even ",
        "Although ",
        "Though ",
        "Despite ",
        "Regardless ",
        "Apart from ",
        "Aside from ",
        "Notwithstanding ",
        "Barring ",
        "Besides ",
        "Unlike ",
        "Other than ",
        "Should ",
    ];
    OPENING.iter().any(|opening| text.starts_with(opening))
}

/// `Do not sail until all are true: the hull is dry; …`: what it waits for is demanded.
fn waits_for_all(text: &str) -> bool {
    // `until: the hull is dry; the mate is there`
    if text.split_once(" until: ").is_some_and(|(_, list)| list.contains("; ")) {
        return true;
    }
    let Some((_, rest)) = text.split_once(" until ") else { return false };
    let Some((all, _)) = rest.split_once(": ") else { return false };
    let all = all.to_lowercase();
    let mut words = all.split(' ');
    let whole = words.next().is_some_and(|first| matches!(first, "all" | "every" | "each" | "these" | "the"));
    let last = words.next_back().unwrap_or_default();
    // `until the mate confirms: …`
    let told = matches!(last, "confirms" | "confirm" | "verifies" | "verified" | "confirmed");
    let all = matches!(
        last,
        "true" | "met" | "done" | "hold" | "pass" | "satisfied" | "following" | "complete" | "apply"
    );
    told || whole && all
}

/// `Stop the trip: Cannot sail without a mate`: the label orders.
fn halts(text: &str) -> bool {
    const LONGEST: usize = 3;
    let Some((label, _)) = text.split_once(": ") else { return false };
    let first = label.split(' ').next().unwrap_or_default();
    matches!(first, "Stop" | "Halt" | "Abort" | "Block") && label.split(' ').count() <= LONGEST
}

/// `Never push by hand. Use the bot`, `Don't guess (ask the mate)`: what to do instead stands behind.
fn remedied(text: &str) -> bool {
    const REMEDIES: &[&str] = &[
        "use", "ask", "prefer", "put", "keep", "move", "choose", "pick", "check", "read", "run", "write",
        "link", "store", "pass", "call", "report", "return", "stop", "add", "create", "fix", "verify",
        "minimum", "maximum",
    ];
    // `Before the trip: No loose ropes (use a cleat)`
    let behind = || text.split_once(": ").is_some_and(|(_, said)| opens_negated(said));
    if !opens_negated(text) && !behind() {
        return false;
    }
    let first_word = |piece: &str| {
        piece.split(|c: char| !(c.is_alphanumeric() || c == '-')).next().unwrap_or_default().to_lowercase()
    };
    let sentence =
        |(_, piece): (&str, &str)| piece.starts_with(char::is_uppercase) && is_verb(&first_word(piece));
    let acts = |said: &str| {
        said.starts_with(char::is_uppercase) && is_verb(&first_word(said)) && !opens_negated(said)
    };
    let aside = |(_, piece): (&str, &str)| REMEDIES.contains(&first_word(piece).as_str());
    // `Never row at night — only by day`
    let only = || text.split_once(" — ").is_some_and(|(_, piece)| piece.starts_with("only "));
    only()
        || text.split_once(". ").is_some_and(sentence)
        || [" (", " — ", "; "].iter().any(|mark| text.split_once(mark).is_some_and(aside))
        || text.split_once(": ").is_some_and(|(head, piece)| {
            let bare = head.to_lowercase().ends_with(" not");
            // `Do not write "TODO: use it"`
            let quoted = head.matches('"').count() % 2 == 1;
            head.contains(' ') && !bare && !quoted && aside((head, piece))
        })
        || text.ends_with(" first") && text.rsplit_once(", ").is_some_and(aside)
        || text.starts_with("No ") && cells(text).any(acts)
        || text.contains("; instead ")
        || text.starts_with("NEVER ")
            && text
                .match_indices(": ")
                .map(|(at, mark)| &text[at + mark.len()..])
                .any(|said| acts(said) || said.starts_with("One "))
        || text.ends_with(" instead") && text.rsplit_once(", ").is_some()
}

/// `Sound the hull` of `No leaks: Check: Sound the hull; Remedy: Caulk it`: what stands under the names of columns.
fn cells(text: &str) -> impl Iterator<Item = &str> {
    const LONGEST: usize = 3;
    let (_, row) = text.split_once(": ").unwrap_or_default();
    let named = |name: &str| name.split(' ').count() <= LONGEST && !name.contains(['`', '"']);
    row.split("; ")
        .filter_map(|cell| cell.split_once(": "))
        .filter(move |(name, _)| named(name))
        .map(|(_, said)| said)
}

/// `What to note: Skip: one-off hacks`: what is left out.
fn leaves_out(text: &str) -> bool {
    const LEAVING: &[&str] = &[
        "Skip these: ",
        "Skip These: ",
        "Reject: ",
        "Skip: ",
        "Exclude: ",
        "Ignore: ",
        "Omit: ",
        "Leave out: ",
    ];
    let leaves = |piece: &str| LEAVING.iter().any(|cue| piece.starts_with(cue));
    let Some((_, rest)) = text.split_once(": ") else { return false };
    leaves(text) || leaves(rest) || text.split("; ").skip(1).any(leaves)
}

/// `No colour alone: use a letter, too`: what shall not be, and what to do about it. `No boat found: call the pier` is a case.
fn names_none(text: &str) -> bool {
    const CASES: &[&str] = &[
        "found",
        "exists",
        "exist",
        "available",
        "set",
        "match",
        "matches",
        "response",
        "answer",
        "results",
        "result",
        "given",
        "provided",
        "yet",
        "left",
        "changes",
        "issues",
        "errors",
        "files",
        "file",
        "tests",
        "test",
        "data",
        "access",
        "args",
        "argument",
        "arguments",
        "input",
        "config",
        "commits",
        "findings",
        "template",
        "templates",
        "spec",
        "plan",
        "branch",
        "remote",
        "repo",
        "network",
        "internet",
        "lockfile",
        "key",
        "token",
        "user",
        "context",
    ];
    let Some((name, _)) = text.strip_prefix("No ").and_then(|rest| rest.split_once(": ")) else {
        return false;
    };
    let words: Vec<&str> = name.split(' ').collect();
    (1..=4).contains(&words.len()) && !words.iter().any(|word| CASES.contains(word))
}

/// Whether a line that demands forbids something, too: behind a mark, and not in a condition or a reason.
fn denies_beside(text: &str) -> bool {
    // `Lead paints are absent`
    let lacks = text.ends_with(" are absent") || text.ends_with(" is absent");
    if lacks || leaves_out(text) || names_none(text) {
        return true;
    }
    let mut clause = 0;
    let mut quoted: Option<char> = None;
    let mut before = None;
    for (at, c) in text.char_indices() {
        if let Some(mark) = quoted {
            quoted = Some(mark).filter(|mark| *mark != c);
        } else if matches!(c, '`' | '"') {
            quoted = Some(c);
        } else if matches!(c, ',' | ';' | ':' | '(' | '[' | '—' | '–' | '→')
            || c == '.' && !text[at + 1..].starts_with(char::is_alphanumeric)
        {
            clause = at + c.len_utf8();
        }
        // `plain words - NO verses`
        if c == '-' && before == Some(' ') && text[at + 1..].starts_with(' ') {
            clause = at + 1;
        }
        let opens =
            quoted.is_none() && before.is_some_and(|before| matches!(before, ' ' | '(' | '[' | '—' | '–'));
        before = Some(c);
        if opens && may_deny(&text[at..]) && denies_at(text, clause, at) {
            return true;
        }
    }
    false
}

/// Whether the first word may forbid: few do, and what stands around the others need not be looked at.
fn may_deny(rest: &str) -> bool {
    const DENYING: &[&str] = &[
        "never",
        "can't",
        "cannot",
        "don't",
        "doesn't",
        "forbidden",
        "prohibited",
        "banned",
        "do",
        "not",
        "no",
        "avoid",
        "deny",
        "forbid",
        "block",
        "without",
    ];
    let first = rest.split(|c: char| !(c.is_alphanumeric() || c == '\'')).next().unwrap_or_default();
    // `a NO-GO decision`, `do-not-touch ropes`: a name.
    !rest[first.len()..].starts_with('-') && DENYING.iter().any(|denying| denying.eq_ignore_ascii_case(first))
}

/// Whether the word at `at`, in the clause that begins at `clause`, forbids.
fn denies_at(text: &str, clause: usize, at: usize) -> bool {
    /// What is denied here forbids nothing.
    const IDLE: &[&str] = &[
        "always",
        "need",
        "needed",
        "longer",
        "matter",
        "more",
        "less",
        "later",
        "fewer",
        "exceptions",
        "exception",
        "idea",
        "way",
        "problem",
        "one",
        "such",
        "issue",
        "issues",
        "errors",
        "warnings",
        "failures",
        "results",
        "matches",
        "only",
        "just",
        "yet",
        "even",
        "necessarily",
        "all",
        "found",
        "available",
        "set",
        "have",
        "mind",
        "required",
        "necessary",
        "started",
        "blocking",
        "applicable",
    ];
    const OPENING: &[&str] = &[
        "if", "when", "unless", "whether", "that", "which", "who", "what", "why", "where", "because",
        "since", "whenever", "once", "after", "until", "so", "as", "while", "for",
    ];
    const TOLD: &[&str] = &["Meaning:", "Why:", "Reason:", "Description:", "Cause:", "Rationale:"];
    // `429: Meaning: do not try again at once; Action: …`
    let cases = ["when: ", "any of: ", "if: "].iter().any(|cue| text[..at].contains(cue));
    if cases || TOLD.iter().any(|told| text[..clause].ends_with(told)) {
        return false;
    }
    let letters = |c: char| c.is_alphanumeric() || c == '\'';
    let rest = &text[at..];
    let mut words = rest.split(|c: char| !letters(c)).filter(|word| !word.is_empty()).map(str::to_lowercase);
    let Some(word) = words.next() else { return false };
    let said = &text[clause..at];
    let own = || said.split(|c: char| !letters(c)).filter(|word| !word.is_empty());
    let last = own().next_back().unwrap_or_default().to_lowercase();
    let leads = || last.is_empty() || matches!(last.as_str(), "and" | "but" | "or" | "then");
    let denies = match word.as_str() {
        // `Reading is allowed, writing never`
        "never" if !last.is_empty() && rest.len() == word.len() => {
            return !own().any(|word| word == "almost");
        }
        "can't" | "cannot" => matches!(last.as_str(), "but" | "and" | "those" | "these"),
        "doesn't" => last == "ensure",
        // `Cut the lines you don't use`: which ones.
        "don't" | "do" if matches!(last.as_str(), "you" | "we" | "they" | "i") && own().count() > 1 => false,
        "never" | "don't" | "forbidden" | "prohibited" | "banned" => true,
        "do" => words.next().is_some_and(|next| next == "not"),
        "not" => {
            // `Reefs were not left unmarked`; `If the log.md was not kept, ask` is a case.
            let state = matches!(last.as_str(), "were" | "was") && !opens_condition(text);
            let modal = matches!(last.as_str(), "must" | "should" | "shall" | "may");
            leads() && clause > 0 || modal || state
        }
        "no" | "avoid" => {
            leads() && clause > 0
                || word == "no" && last == "with"
                || word == "no" && matches!(last.as_str(), "contain" | "contains")
                || last == "and"
        }
        "block" if !stops(rest) => false,
        "deny" | "forbid" | "block" => leads() && (clause > 0 || last == "and"),
        "without" => {
            // `Allowed without asking` says how freely.
            let free = |next: &str| matches!(next, "asking" | "needing" | "waiting" | "checking");
            // `If it can be done without asking, …` is a case.
            let case = own().any(|word| matches!(word, "If" | "if" | "When" | "when" | "whether" | "unless"));
            let does = |next: String| next.len() > 5 && next.ends_with("ing") && !free(&next);
            return !case && words.next().is_some_and(does);
        }
        _ => false,
    };
    // `no permit needed`
    let mut idle = || {
        let (next, behind) = (words.next(), words.next());
        let needless =
            |word: String| matches!(word.as_str(), "needed" | "required" | "necessary" | "available");
        next.is_none_or(|next| IDLE.contains(&next.as_str())) || behind.is_some_and(needless)
    };
    // `Asking is not forbidden`, `nothing is banned there`.
    let lifted =
        || own().any(|word| matches!(word, "not" | "isn't" | "aren't" | "nothing" | "longer" | "Nothing"));
    let waits = || own().any(|word| OPENING.contains(&word.to_lowercase().as_str()));
    let whole = matches!(word.as_str(), "forbidden" | "prohibited" | "banned");
    denies && !waits() && (whole && !lifted() || !whole && !idle() && !needless_later(rest))
}

/// `block the merge`, `BLOCK until it is mended`; `Block names stand in the list` and `block-wise` name a thing.
fn stops(rest: &str) -> bool {
    const STOPPED: &[&str] = &[
        "the",
        "a",
        "an",
        "any",
        "all",
        "it",
        "them",
        "this",
        "that",
        "these",
        "every",
        "each",
        "until",
        "and",
        "merge",
        "merging",
        "closure",
        "workflow",
        "commit",
        "commits",
        "push",
        "deploy",
        "deployment",
        "approval",
        "release",
        "access",
        "requests",
        "completion",
    ];
    let Some((word, behind)) = rest.split_at_checked("block".len()) else { return false };
    let next = behind.trim_start().split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let shouted = word.chars().all(char::is_uppercase);
    !behind.starts_with('-') && (shouted || STOPPED.contains(&next.to_lowercase().as_str()))
}

/// `no types are required`, `no review is needed`: what may be left out.
fn needless_later(rest: &str) -> bool {
    const FARTHEST: usize = 6;
    let opens = rest.get(..3).is_some_and(|no| no.eq_ignore_ascii_case("no "));
    let near = rest.split([' ', ',', '.', ';']).take(FARTHEST);
    opens && near.into_iter().any(|word| matches!(word, "required" | "needed" | "necessary"))
}

#[cfg(test)]
mod tests;
