//! Rows that set one thing against another: `Don't | Do`, `Instead of | Use`, `Excuse | Reality`.

use std::ops::Range;

use mentci_authority::{Force, Level, OmissionReason};
use mentci_reader::markdown::Block;
use mentci_source::Span;

use super::draft::{Book, Draft};
use super::forbidden::speaks;
use super::forced_column::waits_for_leave;
use super::row::{bounding, row_draft};
use super::setting::Setting;
use super::speech::clause::clauses;
use super::speech::column::{Column, blames};
use super::speech::guard::plain_in;
use super::speech::lexicon::{FINITE, is_verb};
use super::speech::mood::{Mood, mood_of};
use super::speech::prose::Prose;
use super::speech::sentence::split_sentences;
use super::speech::thing::points;
use super::speech::verdict::answer;
use super::speech::word::{Word, WordKind};
use super::table::case_of_row;

/// `Excuse | Reality`: only what the answer orders, under the excuse where it does not say itself what it is about.
pub(super) fn excuse_row(
    book: &mut Book<'_>,
    row: &Block,
    (columns, names): (&[Column], &[String]),
    here: &Setting,
) {
    // `Excuse | Rebuttal | Why it matters`: the last argues, whatever it reads like.
    let argues =
        |at: usize| at > 1 && names.get(at).is_some_and(|name| name.to_lowercase().starts_with("why"));
    let mut excuse: Option<(String, Span)> = None;
    for (at, cell) in row.children.iter().enumerate() {
        let prose = Prose::new(&cell.text);
        let all = 0..prose.words.len();
        if columns.get(at) == Some(&Column::Excuse) || at == 0 {
            excuse = excuse.or_else(|| Some((spoken(&prose), prose.span(&all))));
            book.omit(prose.span(&all), OmissionReason::Rationale);
        } else if argues(at) {
            book.omit(prose.span(&all), OmissionReason::Rationale);
        } else {
            cell_orders(book, &prose, here, excuse.as_ref());
        }
    }
}

/// What an excuse says; one that orders is said by somebody, and not by the law: `"Always row": Sail when you can`.
fn spoken(prose: &Prose<'_>) -> String {
    let text = prose.condensed(0..prose.words.len());
    let orders = matches!(mood_of(&prose.words).mood, Mood::Order(..));
    if orders && !text.starts_with(['"', '“', '‘', '\'', '`']) { format!("\"{text}\"") } else { text }
}

/// `You can't verify what you never saw`, `Every one becomes a habit`: how it goes, and no order.
fn observes(words: &[Word]) -> bool {
    let binds = || words.iter().any(|word| word.any(&["must", "shall", "should", "never", "needs", "need"]));
    match words {
        [you, able, ..] if you.is("you") => able.any(&["can't", "cannot", "won't", "can"]),
        [every, ..] => every.any(&["every", "each", "all"]) && !binds(),
        [] => false,
    }
}

/// The orders in a cell, sentence by sentence; the rest argues.
fn cell_orders(book: &mut Book<'_>, prose: &Prose<'_>, here: &Setting, excuse: Option<&(String, Span)>) {
    const LONGEST: usize = 8;
    let mut argued: Option<Range<usize>> = None;
    for sentence in split_sentences(&prose.words) {
        for clause in clauses(&prose.words, sentence.clone()) {
            let span = prose.span(&clause.words);
            let order = match clause.mood {
                Mood::Order(..) if observes(&prose.words[clause.words.clone()]) => None,
                Mood::Order(level, force) => Some((level, force)),
                _ => (retorts(prose, &sentence) || asks_for(&prose.words[clause.words.clone()]))
                    .then_some((Level::Must, Force::Implied)),
            };
            let Some(order) = order else {
                book.omit(span, OmissionReason::Rationale);
                argued = (clause.words == sentence).then(|| sentence.clone());
                continue;
            };
            let own = prose.condensed(clause.words.clone());
            // `Guests are crew. Count them.`: what the order is about stands in front of it.
            let about = argued.take().filter(|argued| {
                argued.len() <= LONGEST
                    && leans(&prose.words[clause.words.clone()])
                    && clause.words.start == argued.end
            });
            let own = about.as_ref().map_or(own.clone(), |about| {
                format!("{}. {own}", prose.condensed(about.clone()).trim_end_matches('.'))
            });
            let topic = excuse.filter(|_| leans(&prose.words[clause.words.clone()]));
            let text = topic.map_or(own.clone(), |(excuse, _)| format!("{excuse}: {own}"));
            let mut draft = row_draft(text, order, prose.literals(clause.words.clone()), span, here);
            draft.original = prose.verbatim(sentence.clone());
            draft.spans.extend(topic.map(|(_, span)| *span));
            draft.spans.extend(about.map(|about| prose.span(&about)));
            book.add(draft);
        }
    }
}

/// `Looks deceive. Check anyway.`: a verb that may be a noun, too, and orders behind what argues.
fn retorts(prose: &Prose<'_>, sentence: &Range<usize>) -> bool {
    const LONGEST: usize = 3;
    let words = &prose.words[sentence.clone()];
    let plain: Vec<&Word> = words.iter().filter(|word| word.kind != WordKind::Mark).collect();
    let closes = words.last().is_some_and(|word| word.mark(".") || word.mark("!"));
    let telling =
        |word: &&&Word| word.among(FINITE) || word.lower.ends_with("ing") || word.kind != WordKind::Plain;
    sentence.start > 0
        && closes
        && (2..=LONGEST).contains(&plain.len())
        && is_verb(&plain[0].lower)
        && !plain.iter().any(|word| telling(&word))
        // `Test debt grows.`
        && !plain[2..].iter().any(|word| word.lower.ends_with('s'))
        && !matches!(plain[1].lower.as_str(), "and" | "or" | "of" | "for")
}

/// `Dry ropes only.`, `A crossing also requires two crews.`: what an answer asks for. `It only needs a minute` argues.
fn asks_for(words: &[Word]) -> bool {
    const LONGEST: usize = 6;
    const DENYING: &[&str] = &["not", "never", "no", "only", "rarely", "it", "that", "this", "you", "nobody"];
    let plain: Vec<&Word> = words.iter().filter(|word| word.kind != WordKind::Mark).collect();
    let Some((last, before)) = plain.split_last().filter(|(_, before)| !before.is_empty()) else {
        return false;
    };
    let narrowed = last.is("only") && plain.len() <= LONGEST && !before.iter().any(|word| word.among(FINITE));
    let verb = plain.iter().take(LONGEST).position(|word| word.any(&["requires", "require"]));
    let asked = verb.is_some_and(|verb| {
        verb > 0 && verb + 1 < plain.len() && !plain[..verb].iter().any(|word| word.any(DENYING))
    });
    (narrowed || asked) && !super::speech::mood::asks(words)
}

/// `Run it.`, `Test first.`: an order that leaves it to its row what it is about.
fn leans(words: &[Word]) -> bool {
    const SHORTEST: usize = 4;
    let plain = words.iter().filter(|word| word.kind != WordKind::Mark).count();
    plain < SHORTEST || points(words) || words.first().is_some_and(|word| word.any(&["it", "they"]))
}

/// `Instead of the council | Use`: the first column names what one has in mind, and not what is bad; the other says with what.
pub(super) fn replaced(columns: &[Column], names: &[String]) -> Option<(usize, usize)> {
    let instead = |name: &String| {
        let lower = name.to_lowercase();
        lower.strip_prefix("instead of ").is_some_and(|rest| !rest.trim().is_empty())
    };
    let [case, act] = columns else { return None };
    let told = *case == Column::Dont && *act == Column::Do;
    (told && names.first().is_some_and(instead) || outdated(names)).then_some((0, 1))
}

/// `Legacy pattern | Modern replacement`: what was done once, and what is done now.
fn outdated(names: &[String]) -> bool {
    const OLD: &[&str] = &["legacy", "old", "deprecated", "obsolete", "outdated"];
    const NEW: &[&str] = &["modern", "new", "current", "replacement", "replace", "use", "instead"];
    // `Old path | New path` tells of a move, and of no way to do something.
    const WAYS: &[&str] = &[
        "pattern", "way", "style", "syntax", "idiom", "approach", "api", "call", "method", "command",
        "practice",
    ];
    let lower: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
    let [old, new] = &lower[..] else { return false };
    let (old, new) = (plain_in(old), plain_in(new));
    let replaces = new.last().is_some_and(|last| matches!(*last, "replacement" | "instead"))
        // `Legacy | Modern`
        || new[..] == ["modern"] && old.len() == 1
        || old.last().is_some_and(|last| WAYS.contains(&last.strip_suffix('s').unwrap_or(last)));
    old.first().is_some_and(|first| OLD.contains(first))
        && new.first().is_some_and(|first| NEW.contains(first))
        && replaces
}

/// `Checking one claim | the verifier` under such headers: `Checking one claim: Use the verifier`. Of an outdated way: `Use the new one
/// instead of the old one`.
pub(super) fn replaced_row(
    book: &mut Book<'_>,
    row: &Block,
    ((case, act), names): ((usize, usize), &[String]),
    here: &Setting,
) {
    let (Some(case), Some(act)) = (row.children.get(case), row.children.get(act)) else {
        return book.omit(row.span, OmissionReason::Description);
    };
    let (case, act) = (Prose::new(&case.text), Prose::new(&act.text));
    let (for_what, with) = (0..case.words.len(), 0..act.words.len());
    if for_what.is_empty() || with.is_empty() {
        return book.omit(row.span, OmissionReason::Description);
    }
    let own = mood_of(&act.words).mood;
    let (level, told) = match own {
        Mood::Order(level, _) => (level, act.condensed(with.clone())),
        _ => (Level::Must, format!("Use {}", act.condensed(with.clone()))),
    };
    let left = case.condensed(for_what.clone());
    let text = if outdated(names) { format!("{told} instead of {left}") } else { format!("{left}: {told}") };
    let mut literals = case.literals(for_what);
    literals.extend(act.literals(with));
    book.add(row_draft(text, (level, Force::Implied), literals, row.span, here));
}

/// `Don't | Do`.
pub(super) fn contrast_row(
    book: &mut Book<'_>,
    row: &Block,
    (columns, names): (&[Column], &[String]),
    here: &Setting,
) {
    let before = book.drafts.len();
    let when = case_of_row(row, columns);
    let bans = columns.contains(&Column::Dont);
    let bounds =
        |at: usize| at > 0 && names.get(at).is_some_and(|name| bounding(name).is_some() || says_when(name));
    for (at, cell) in row.children.iter().enumerate() {
        let prose = Prose::new(&cell.text);
        let all = 0..prose.words.len();
        let text = prose.condensed(all.clone());
        let none = matches!(text.to_lowercase().as_str(), "nothing" | "none" | "n/a" | "-" | "—");
        if text.is_empty() || none || at == 0 && when.is_some() || bans && bounds(at) {
            continue;
        }
        let own = mood_of(&prose.words).mood;
        if columns.get(at) == Some(&Column::Do) && remedies(book, before, &prose, own) {
            let remedy = prose.span(&all);
            let ban = &mut book.drafts[before];
            // `NEVER guess the depth: sound it` could be read as one ban.
            ban.text = format!("{}; instead {}", ban.text, prose.lowered(all.clone()));
            ban.literals.extend(prose.literals(all));
            ban.spans.push(remedy);
            continue;
        }
        let (level, text) = match (columns.get(at), own) {
            (Some(Column::Dont), _)
                if names.get(at).is_some_and(|name| blames(name)) && is_lack(&prose.words) =>
            {
                (Level::MustNot, format!("NEVER {}", lacking(&prose)))
            }
            (Some(Column::Dont), _) if is_constraint(&prose.words) => {
                (Level::MustNot, format!("NEVER {text}"))
            }
            (Some(Column::Dont | Column::Do), Mood::Order(level, _)) if level.is_prohibition() => {
                (level, text)
            }
            (Some(Column::Dont), Mood::Order(level, _)) if speaks(&prose.words) => (level, text),
            // `Do not post outside | Crew lists`.
            (Some(Column::Dont), _) if names.get(at).is_some_and(|name| bans_act(name)) => {
                (Level::MustNot, format!("{}: {text}", names[at].trim_start_matches(['❌', ' '])))
            }
            (Some(Column::Dont), _) => (Level::MustNot, format!("NEVER {}", prose.lowered(all.clone()))),
            (Some(Column::Do), Mood::Order(..)) => (Level::Must, to_what(&prose, text, row, columns)),
            (Some(Column::Do), _) => (Level::Must, chosen(&prose, row, columns, names.get(at))),
            // `Lock waits and long queues` beside `Long trips` is what comes of them.
            (column, Mood::Order(level, force))
                if column != Some(&Column::Telling)
                    || force == Force::Explicit && !prose.words[0].any(&["no", "every", "each"]) =>
            {
                match names.get(at).filter(|name| waits_for_leave(name)) {
                    Some(name) => (level, format!("{name}: {text}")),
                    None => (level, text),
                }
            }
            _ => {
                book.omit(prose.span(&all), OmissionReason::Rationale);
                continue;
            }
        };
        let mut draft =
            row_draft(text, (level, Force::Implied), prose.literals(all.clone()), prose.span(&all), here);
        bound(&mut draft, row, names);
        if let Some((case, span)) = &when {
            draft.text = format!("{case}: {}", draft.text);
            draft.spans.push(*span);
        }
        book.add(draft);
    }
}

/// `NOT NULL without a default`: a name that opens with what denies.
fn is_constraint(words: &[Word]) -> bool {
    matches!(words, [not, null, ..] if not.is("not") && not.shouted && null.is("null") && null.shouted)
}

/// Whether what a cell orders is done instead of what the only ban of its row names: both are one rule then.
fn remedies(book: &Book<'_>, before: usize, prose: &Prose<'_>, own: Mood) -> bool {
    const LONGEST: usize = 200;
    let [ban] = &book.drafts[before..] else { return false };
    ban.text.starts_with("NEVER ")
        && ban.text.len() + prose.text.as_str().len() <= LONGEST
        && matches!(own, Mood::Order(Level::Must, Force::Implied))
        && prose.words[0].capital
}

/// `Sail slowly` beside the mistake `Too many buoys on a short leg`: so short a remedy says little without it.
fn to_what(prose: &Prose<'_>, text: String, row: &Block, columns: &[Column]) -> String {
    const SHORTEST: usize = 3;
    let plain = prose.words.iter().filter(|word| word.kind != WordKind::Mark);
    let code = prose.words.iter().any(|word| word.kind == WordKind::Code);
    let mistake = row.children.first().filter(|_| columns.first() == Some(&Column::Dont));
    let Some(mistake) = mistake.filter(|_| plain.count() < SHORTEST && !code) else { return text };
    let mistake = Prose::new(&mistake.text);
    format!("{}: {text}", mistake.condensed(0..mistake.words.len()))
}

/// `Never include`, `Do not post outside`: a header that bans an act, of which the cells name the things.
fn bans_act(header: &str) -> bool {
    let lower = header.to_lowercase().replace('’', "'");
    let plain: Vec<&str> = lower.split_whitespace().filter(|word| *word != "❌").collect();
    let (["never" | "don't", act, ..] | ["do", "not", act, ..]) = plain[..] else { return false };
    is_verb(act) && !matches!(act, "do" | "use")
}

/// `When` behind `Do | Don't`.
fn says_when(header: &str) -> bool {
    matches!(header.to_lowercase().trim(), "when" | "if" | "where" | "condition")
}

/// `Never | Unless`, `Don't | Exception`: what the row takes out of its ban.
fn bound(draft: &mut Draft, row: &Block, names: &[String]) {
    for (cell, name) in row.children.iter().zip(names).skip(1) {
        let prose = Prose::new(&cell.text);
        let all = 0..prose.words.len();
        if prose.words.is_empty() || answer(&prose).is_some() {
            continue;
        }
        let excepts = bounding(name).filter(|_| draft.level.is_prohibition());
        let case = || says_when(name).then(|| format!("; {}: ", name.to_lowercase()));
        if let Some(joint) = excepts.map(str::to_owned).or_else(case) {
            draft.text.push_str(&joint);
            draft.text.push_str(&prose.lowered(all.clone()));
            draft.literals.extend(prose.literals(all.clone()));
            draft.spans.push(prose.span(&all));
        }
    }
}

/// `Instead of | Use` above names: `Use the pump instead of the bucket`. A name alone would not say what becomes of it.
fn chosen(prose: &Prose<'_>, row: &Block, columns: &[Column], header: Option<&String>) -> String {
    const LISTING: &[&str] = &[
        "include", "add", "document", "keep", "store", "record", "log", "report", "write", "put", "show",
        "mention", "list", "post", "always",
    ];
    let name = prose.condensed(0..prose.words.len());
    // `Include | Exclude`, `Add to the log | Do not post outside`: lists of their own.
    let lists = |header: &&String| {
        let first =
            header.trim_start_matches(['✅', ' ']).split(' ').next().unwrap_or_default().to_lowercase();
        LISTING.contains(&first.as_str())
    };
    if let Some(header) = header.filter(lists) {
        return format!("{}: {name}", header.trim_start_matches(['✅', ' ']));
    }
    let used = header
        .is_some_and(|header| header.split(' ').next().is_some_and(|word| word.eq_ignore_ascii_case("use")));
    let rejected =
        columns.iter().position(|column| *column == Column::Dont).and_then(|at| row.children.get(at));
    let rejected = rejected
        .map(|cell| Prose::new(&cell.text))
        .filter(|cell| !cell.words.is_empty() && (used || names_thing(prose) && names_thing(cell)))
        .filter(|cell| !matches!(mood_of(&cell.words).mood, Mood::Order(..)));
    let name = if used { format!("Use {name}") } else { name };
    match rejected {
        Some(cell) => format!("{name} instead of {}", cell.lowered(0..cell.words.len())),
        None => name,
    }
}

/// `Keyset pages`: a few plain words that name something.
fn names_thing(prose: &Prose<'_>) -> bool {
    const LONGEST: usize = 8;
    let plain = |word: &Word| {
        word.kind != WordKind::Mark && !word.lower.contains(|c: char| c.is_ascii_digit())
            || matches!(word.lower.as_str(), "," | "/")
    };
    prose.words.len() <= LONGEST
        && prose.words.iter().all(plain)
        && !prose.words.iter().any(|word| word.any(&["wrong", "will", "fails", "hangs"]))
        && mood_of(&prose.words).mood == Mood::Fragment
}

/// `No rope on deck`, `Not checking the tide`, `Never checking`: a lack, and no prohibition.
fn is_lack(words: &[Word]) -> bool {
    const LONGEST: usize = 8;
    let Some([first, next]) = words.get(..2) else { return false };
    let acts = next.lower.len() > 5 && next.lower.ends_with("ing");
    words.len() <= LONGEST && (first.is("no") || first.any(&["not", "never"]) && acts)
}

/// `without rope on deck`, `not checking the tide`.
fn lacking(prose: &Prose<'_>) -> String {
    let (first, all) = (&prose.words[0], 0..prose.words.len());
    if first.is("no") { format!("without {}", prose.lowered(1..all.end)) } else { prose.lowered(all) }
}
