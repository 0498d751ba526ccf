//! In which case what stands under a heading holds: `If the lamp fails`, `Night mode`, `Issue: slow pumps`, `Windows` beside `Linux`.

use std::ops::Range;

use mentci_reader::markdown::{Block, BlockKind};

use super::chain::capital;
use super::draft::Book;
use super::occasion::lists_cases;
use super::outline::Siblings;
use super::speech::befalling::befalls;
use super::speech::condition;
use super::speech::guard::plain_in;
use super::speech::mood::{Mood, mood_of};
use super::speech::number::Numbered;
use super::speech::prose::Prose;
use super::speech::sentence::first_sentence;
use super::speech::stance::{Stance, is_verb_in_ing, stance_of_heading};
use super::speech::word::{Word, WordKind, ending_bracket};
use super::steps::named_step;

/// When what stands under a heading holds; nothing where it always does.
pub(super) fn case_of_heading(
    book: &Book<'_>,
    block: &Block,
    siblings: Siblings<'_>,
    below: &[Block],
) -> Option<String> {
    let text = block.text.as_str().trim();
    heading_condition(block, siblings)
        .or_else(|| case_by_name(book, block, siblings.depth()))
        .or_else(|| mode_entered(text, below))
        .or_else(|| mode_beside(text, siblings, below))
}

fn opens(text: &str, cue: &str) -> bool {
    text.get(..cue.len()).is_some_and(|start| start.eq_ignore_ascii_case(cue))
}

/// `ropetk (if available)`: a name, and what must be so of it. An order holds as far as it can: `Run the linter (if available)`.
fn is_where_available(prose: &Prose<'_>) -> bool {
    const STATES: &[&str] = &["available", "installed", "present", "enabled", "configured"];
    let [name @ .., open, case, state, close] = &prose.words[..] else { return false };
    let said =
        open.lower == "(" && close.lower == ")" && case.any(&["if", "when", "where"]) && state.any(STATES);
    said && !name.is_empty() && mood_of(name).mood == Mood::Fragment
}

/// `No ship in port` beside `If a ship is in port`.
pub(super) fn is_other_case(heading: &str, siblings: Siblings<'_>) -> bool {
    opens(heading, "no ") && siblings.texts().any(|other| opens(other, "if ") || opens(other, "when "))
}

/// When what stands under a heading holds.
fn heading_condition(block: &Block, siblings: Siblings<'_>) -> Option<String> {
    let prose = Prose::new(&block.text);
    if let Some(words) = condition::of_heading(&prose.words) {
        return Some(capital(&prose.condensed(words)));
    }
    let text = block.text.as_str();
    if let Some(words) = condition::in_last_bracket(&prose.words) {
        return Some(capital(&prose.condensed(words)));
    }
    if let Some(mode) = flagged_mode(text) {
        return Some(mode.to_owned());
    }
    if is_where_available(&prose) {
        return Some(prose.condensed(0..prose.words.len()));
    }
    if befalls(text) && stance_of_heading(text) == Stance::Neutral || is_other_case(text, siblings) {
        return Some(prose.condensed(0..prose.words.len()));
    }
    let mends = || siblings.texts().filter(|other| opens(other, "fix: ")).nth(1).is_some();
    if let Some(trouble) = trouble(&prose, mends) {
        return Some(prose.condensed(trouble));
    }
    let beside = || siblings.texts().filter(|other| task(other).is_some()).nth(1).is_some();
    if let Some(task) = task(text).filter(|_| beside()) {
        return Some(task.to_owned());
    }
    (condition::is_alternative(text, siblings.texts()) || siblings.requires_apart())
        .then(|| text.trim().to_owned())
}

/// `First mode (no log)` beside `Second mode (the log exists)`, with little below it: before each line of much it would only be noise.
fn mode_beside(heading: &str, siblings: Siblings<'_>, below: &[Block]) -> Option<String> {
    const MOST: usize = 4;
    let own = below.iter().take_while(|block| !matches!(block.kind, BlockKind::Heading(_))).count();
    let modes = || siblings.texts().filter(|other| is_mode(other)).nth(1).is_some();
    (is_mode(heading) && own <= MOST && modes()).then(|| heading.to_owned())
}

fn is_mode(heading: &str) -> bool {
    const LONGEST: usize = 3;
    let (name, bracket) =
        ending_bracket(heading.trim()).map_or((heading.trim(), ""), |(name, inner)| (name, inner));
    let words: Vec<&str> = name.split_whitespace().collect();
    words.last().is_some_and(|last| last.eq_ignore_ascii_case("mode"))
        && (2..=LONGEST).contains(&words.len())
        && words[0].chars().all(|c| c.is_alphabetic() || c == '-')
        && !bracket.to_lowercase().contains("default")
}

/// `Draft mode (`--draft`)` of `Step 4: Draft mode (`--draft`)`: the flag says when.
fn flagged_mode(heading: &str) -> Option<&str> {
    let said = named_step(heading).unwrap_or(heading).trim();
    let (name, flag) = ending_bracket(said)?;
    let last = name.rsplit(' ').next().unwrap_or_default().to_lowercase();
    let flagged = flag.trim_start_matches('`').starts_with("--");
    (flagged && matches!(last.as_str(), "mode" | "flow" | "run" | "path")).then_some(said)
}

/// `Making a new chart` beside `Mending an old chart`: one task of several, without its number.
fn task(heading: &str) -> Option<&str> {
    let said = Numbered::of(heading).map_or(heading, |numbered| numbered.said).trim();
    let mut words = said.split(' ');
    let act = words.next()?.to_lowercase();
    let any = matches!(words.next()?, "a" | "an" | "new" | "existing" | "any");
    (any && is_verb_in_ing(&act) && words.next().is_some()).then_some(said)
}

/// `Issue: slow pumps`, `Problem: The hold leaks`: the trouble that a heading names. `Fix: outdated charts` beside others that mend names one,
/// too, and `Fix: use new charts` what is done about it.
fn trouble(prose: &Prose<'_>, mends: impl Fn() -> bool) -> Option<Range<usize>> {
    const TROUBLES: &[&str] = &["issue", "problem", "symptom", "error", "failure"];
    const LONGEST: usize = 12;
    let [named, colon, rest @ ..] = &prose.words[..] else { return None };
    let mended = || named.is("fix") && mends() && mood_of(rest).mood == Mood::Fragment;
    let named = (named.any(TROUBLES) || mended()) && colon.mark(":") && (1..=LONGEST).contains(&rest.len());
    named.then(|| 2..prose.words.len())
}

/// `Log has no date` under `Edge cases`, `` `light-pass` `` under `Modes`: the case in which what stands under it holds.
fn case_by_name(book: &Book<'_>, block: &Block, depth: u8) -> Option<String> {
    const LONGEST: usize = 8;
    let titled = book.above(depth).is_some_and(|heading| book.headings[heading].depth < 2);
    let above = book.above(depth).map(|heading| book.headings[heading].text.to_lowercase())?;
    let prose = Prose::new(&block.text);
    let text = block.text.as_str();
    // `2. Log has no date`
    let number = Numbered::of(text).map_or(0, |numbered| text.len() - numbered.said.len());
    let start = prose.words.iter().position(|word| word.range.start >= number)?;
    let (said, words) = (start..prose.words.len(), &prose.words[start..]);
    let named = match plain_in(&above)[..] {
        [.., "edge" | "special" | "corner", "cases"] => {
            words.len() <= LONGEST && !matches!(mood_of(words).mood, Mood::Order(..))
        }
        // `Essays / Opinion` under `Structure guidance`, `New crew` under `Common tasks`
        [.., "guidance"] | ["common", "tasks" | "requests"] => {
            words.len() <= LONGEST
                && mood_of(words).mood == Mood::Fragment
                && words
                    .iter()
                    .all(|word| word.kind == WordKind::Plain || matches!(word.lower.as_str(), "/" | "&"))
        }
        [.., "modes" | "profiles" | "presets" | "variants"] => {
            // `Full auto` under `Modes`
            let plain = !titled
                && above.split(' ').count() <= 3
                && (1..=5).contains(&words.len())
                && !words.last().is_some_and(|last| last.any(&["modes", "profiles", "presets", "variants"]))
                && mood_of(words).mood == Mood::Fragment
                && words
                    .iter()
                    .all(|word| word.kind == WordKind::Plain || matches!(word.lower.as_str(), "/" | "&"));
            plain || matches!(words, [name] if name.kind == WordKind::Code)
        }
        // Under `Error handling` stand ways to handle them.
        _ if lists_cases(&above) && !above.contains("handling") => {
            let generic = |word: &Word| {
                word.any(&[
                    "issues",
                    "problems",
                    "errors",
                    "tips",
                    "steps",
                    "checklist",
                    "commands",
                    "help",
                    "logs",
                    "questions",
                    "solutions",
                ])
            };
            (2..=LONGEST).contains(&words.len())
                && !words.last().is_some_and(generic)
                && !matches!(mood_of(words).mood, Mood::Order(..))
                && words.iter().all(|word| matches!(word.kind, WordKind::Plain | WordKind::Code))
        }
        _ => false,
    };
    named.then(|| prose.condensed(said))
}

/// `Night mode` right above `When it is night, …`: that is the mode, and what stands below holds in it.
fn mode_entered(heading: &str, below: &[Block]) -> Option<String> {
    const MODES: &[&str] =
        &["mode", "intent", "path", "flow", "run", "runs", "variant", "session", "sessions"];
    const LONGEST: usize = 4;
    const SHORTEST_WORD: usize = 4;
    let lower = heading.to_lowercase();
    let [names @ .., kind] = &plain_in(&lower)[..] else { return None };
    let first = below.first().filter(|first| first.kind == BlockKind::Paragraph)?;
    let prose = Prose::new(&first.text);
    let words = &prose.words[first_sentence(&prose.words)?];
    let opens = words.first().is_some_and(|word| word.any(&["when", "if"]));
    let said = &words[..mood_of(words).main];
    let shared = |name: &&str| name.len() >= SHORTEST_WORD && said.iter().any(|word| word.is(name));
    let entered = MODES.contains(kind) && (1..LONGEST).contains(&names.len()) && opens;
    (entered && names.iter().any(shared)).then(|| heading.trim_end_matches([':', '.', ' ']).to_owned())
}
