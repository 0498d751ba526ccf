//! What comments in code say that binds: `// ALWAYS seed the generator`, `# BAD: copies the whole file`, and the comments of a skeleton.

use mentci_authority::{Force, Level, OmissionReason};
use mentci_reader::markdown::RichText;
use mentci_source::Span;

use super::command::in_procedure;
use super::draft::{Book, Draft};
use super::fence::command_draft;
use super::line_remark::{
    LONGEST_CODE, MOST_SHOWN, banned_line, instead_of, judged_line, mend, mended_line, of_line,
    remedied_behind, said_of_line, state,
};
use super::norm::read_sentence;
use super::sample::led_norm;
use super::setting::{LeadIn, Setting};
use super::speech::comment::{Comment, comments};
use super::speech::comment_force::{binds, keeps_within, may_be, names_letters, stresses, writes_letters};
use super::speech::condense::tidy;
use super::speech::excerpt::is_balanced;
use super::speech::judgement::{bare_verdict, verdict};
use super::speech::judgement::{fault_of, judgement};
use super::speech::lead::Lead;
use super::speech::mood::{Mood, mood_of};
use super::speech::prose::Prose;
use super::speech::sentence::split_sentences;
use super::speech::stance::Stance;
use super::speech::word::{Word, WordKind};
use super::steps::named_step;
use super::template::names_template;

/// The lines of code that are shown beside what is said of it, and beside a verdict that says little itself.
const FEW_LINES: usize = 3;
const MOST_LINES: usize = 6;

/// What the comments of a fence are.
#[derive(Debug, Default)]
pub(crate) struct Annotated {
    /// The steps of what is led in.
    pub stepped: bool,
    /// Judgements of the code under them.
    pub judged: bool,
}

/// Reads the comments of a fence. `all` is false where the code is a sample: then only verdicts count.
pub(crate) fn annotations(
    book: &mut Book<'_>,
    body: Span,
    language: &str,
    here: &Setting,
    all: bool,
) -> Annotated {
    let source = book.source.clone();
    let found = comments(source.slice(body), body.start as usize, language);
    let data = matches!(language, "json" | "jsonc" | "json5");
    let skeleton = all && !data && is_skeleton(book, &found, body, here);
    let stepped = all && !data && in_step(book, here);
    let mending = all && !data && in_trouble(book, here);
    let mut whole = None;
    let (mut judged, mut faulty, mut named, mut told) = (None, false, false, false);
    let mut bad_case = None;
    for (at, comment) in found.iter().enumerate() {
        let rich = comment.rich();
        if !comment.trails {
            judged = bare_verdict(rich.as_str());
            faulty = verdict(rich.as_str()).is_some_and(|(level, _)| level.is_prohibition());
        }
        // Below `BAD: two writers` a remark may say what is done in place of its line.
        if faulty && let Some((code, (_, remedy))) = comment.behind().zip(remedied_behind(rich.as_str())) {
            mend(book, comment, code, remedy, here);
            told = true;
            continue;
        }
        if let Some(level) = judged
            && judged_code(book, (comment, &rich), level, (&found, at), (here, all))
        {
            told = true;
            continue;
        }
        if all && !data && judged_line(book, (comment, &rich), (&found, at), here) {
            told = true;
            continue;
        }
        if let (Some(why), [code]) = (fault_of(rich.as_str()), &comment.code[..])
            && code.len() <= LONGEST_CODE
        {
            let text = format!("NEVER `{code}` ({why})");
            state(book, comment, text, (Level::MustNot, vec![code.clone()]), here);
            told = true;
            continue;
        }
        if banned_line(book, comment, rich.as_str(), here) || instead_of(book, comment, rich.as_str(), here) {
            told = true;
            continue;
        }
        if let Some((level, text)) = verdict(rich.as_str()) {
            let text = under_bad_case(text, level, bad_case.take());
            bad_case = case_behind(rich.as_str()).filter(|_| level.is_prohibition() && !comment.trails);
            let (text, literals) = of_line(comment, level, text);
            let draft = command_draft(text, level, literals, (comment.span(), comment.span()), here);
            let draft =
                Draft { force: Force::Explicit, spans: vec![comment.span()], completions: 0, ..draft };
            let norm = book.add(draft);
            told = true;
            // Code of which a part is left out may be what it should not be.
            let cut = level == Level::Must && is_cut(&found[at..]);
            if !(cut || matches!(language, "markdown" | "md")) {
                // `✅ Explicit strategy`: few words, for which the code says what is meant.
                let bare = level == Level::Must && rich.as_str().split_whitespace().count() <= 4;
                let one = comment.code.len() == 1 || level == Level::Must;
                let most = match (bare, one) {
                    (true, _) => (MOST_LINES, 4 * MOST_SHOWN),
                    (false, true) => (FEW_LINES, 3 * MOST_SHOWN / 2),
                    (false, false) => (FEW_LINES, MOST_SHOWN),
                };
                show(book, norm, comment, most);
            }
            if let Some(lead) = here.lead.as_ref().filter(|lead| is_topic(lead)) {
                book.name(norm, &tidy(&lead.text), lead.span, Vec::new());
                named |= names_mending(&lead.text);
            }
            continue;
        }
        // `# → exit 2: no such mark` below a command tells what it prints.
        if rich.as_str().starts_with(['→', '⇒']) {
            continue;
        }
        let prose = Prose::new(&rich);
        let answers = || answers_ban(&found, at) && acts(&prose.words);
        if !(all || stresses(&prose.words) && among_examples(here) || answers()) {
            continue;
        }
        let does = (stepped && !comment.trails && !comment.code.is_empty() || mending) && acts(&prose.words);
        if (does || answers() || binds(comment, &prose, skeleton)) && (!data || opens_order(&prose.words)) {
            let before = book.drafts.len();
            read(book, comment, &prose, here);
            if let Some(code) = comment.behind().filter(|_| mending && book.drafts.len() == before + 1) {
                let code = code.trim_end_matches(',').to_owned();
                book.complete(before, &format!("`{code}`"), comment.span(), vec![code]);
            }
            told |= writes_letters(comment, &prose.words);
            // `# never burn these` above their names.
            let bare = book.drafts.get(before).is_some_and(|norm| !norm.text.contains('`'));
            if book.drafts.len() == before + 1 && bare && points_below(&prose.words) {
                show(book, before, comment, (FEW_LINES, 2 * MOST_SHOWN));
            }
        } else if skeleton {
            let whole = *whole.get_or_insert_with(|| norm_of_skeleton(book, here));
            complete(book, whole, comment, &prose);
        }
    }
    // `Fix:` says nothing that the lines do not say which it stands in front of.
    if let Some(draft) = here.lead.as_ref().and_then(|lead| lead.draft).filter(|_| named)
        && book.drafts[draft].completions == 0
    {
        book.drafts[draft].text.clear();
    }
    Annotated { stepped: whole.is_some(), judged: told }
}

/// `Never do this`, `never burn these`: what stands under it is meant.
fn points_below(words: &[Word]) -> bool {
    const POINTING: &[&str] = &["this", "these", "those", "that"];
    let mut last = words.iter().rev().filter(|word| word.kind != WordKind::Mark);
    let (Some(last), Some(before)) = (last.next(), last.next()) else { return false };
    last.any(POINTING) || before.any(&["these", "those"])
}

/// `Fix:`, `Fix recommendation:`: what its comments judge, and no order.
fn names_mending(lead: &str) -> bool {
    const MENDING: &[&str] = &["fix", "fixes", "solution", "remedy", "correct", "better", "recommended"];
    const LONGEST: usize = 2;
    let mut words = lead.split_whitespace();
    words.clone().count() <= LONGEST
        && words
            .next()
            .is_some_and(|first| MENDING.contains(&first.trim_end_matches(':').to_lowercase().as_str()))
}

/// `BAD` above lines with remarks (`/getShips  # verb in a path`), each of which says what is bad; `GOOD` alone above short code, beside what a
/// comment calls bad in words; both alone above short code.
fn judged_code(
    book: &mut Book<'_>,
    (comment, rich): (&Comment, &RichText),
    level: Level,
    (found, at): (&[Comment], usize),
    (here, all): (&Setting, bool),
) -> bool {
    const LONGEST: usize = 100;
    let told =
        || found.iter().any(|other| verdict(other.rich().as_str()).is_some_and(|(own, _)| own != level));
    let remarked = found.get(at + 1).is_some_and(|next| next.trails);
    let (text, code) = match (&comment.beside, &comment.code[..]) {
        (Some(code), _) if comment.trails => {
            let said = rich.as_str();
            if level.is_prohibition()
                && let Some((fault, remedy)) = remedied_behind(said)
            {
                mended_line(book, comment, (fault, remedy), code, here);
                return true;
            }
            let Some(text) = judgement(level, said, said).filter(|_| said.contains(' ')) else {
                return false;
            };
            (format!("{text}: `{code}`"), code)
        }
        (_, [code]) if all && !comment.trails && !remarked && !level.is_prohibition() && told() => {
            (format!("GOOD: `{code}`"), code)
        }
        (_, code) if all && !comment.trails && !remarked && is_paired(found, level) => {
            return judged_lines(book, comment, code, level, here);
        }
        _ => return false,
    };
    if code.len() > LONGEST {
        return false;
    }
    state(book, comment, text, (level, vec![code.clone()]), here);
    true
}

/// `# Link to the first chart` right below `# NEVER: Copy charts`: what is done in place of that.
fn answers_ban(found: &[Comment], at: usize) -> bool {
    let Some(above) = at.checked_sub(1).map(|above| &found[above]) else { return false };
    let bans = verdict(above.rich().as_str()).is_some_and(|(level, _)| level.is_prohibition());
    bans && !above.trails && !found[at].trails && above.code.is_empty() && found[at].code.is_empty()
}

/// Whether a bare verdict stands beside its opposite.
fn is_paired(found: &[Comment], level: Level) -> bool {
    found
        .iter()
        .filter(|other| !other.trails)
        .any(|other| bare_verdict(other.rich().as_str()).is_some_and(|own| own != level))
}

/// The few lines of code right under a bare verdict.
fn judged_lines(
    book: &mut Book<'_>,
    comment: &Comment,
    code: &[String],
    level: Level,
    here: &Setting,
) -> bool {
    const MOST: usize = 3;
    let size: usize = code.iter().map(String::len).sum();
    if !(1..=MOST).contains(&code.len()) || size > MOST_SHOWN || !is_balanced(code.iter().map(String::as_str))
    {
        return false;
    }
    let shown: Vec<String> = code.iter().map(|line| format!("`{}`", line.trim_end_matches(','))).collect();
    let mark = if level.is_prohibition() { "NEVER" } else { "GOOD:" };
    let text = format!("{mark} {}", shown.join("; "));
    state(book, comment, text, (level, code.to_vec()), here);
    true
}

/// Whether the code is a numbered step of a workflow: its comments say what is done in it.
fn in_step(book: &Book<'_>, here: &Setting) -> bool {
    here.lead.is_none()
        && !matches!(here.section, Stance::Example | Stance::Describe)
        && here.heading.is_some_and(|heading| named_step(&book.headings[heading].text).is_some())
        && in_procedure(book)
}

/// `Issue: The log is empty`: what the comments of the code below say is done about it.
fn in_trouble(book: &Book<'_>, here: &Setting) -> bool {
    const TROUBLES: &[&str] = &["issue", "problem", "error", "symptom", "failure"];
    let Some(heading) = here.heading.map(|heading| &book.headings[heading]) else { return false };
    let name = heading.text.split(':').next().unwrap_or_default().to_lowercase();
    // `### The search stalls` under `## Troubleshooting`
    let among = || {
        book.open.iter().any(|&open| {
            let lower = book.headings[open].text.to_lowercase();
            ["troubleshooting", "common issues", "common problems"].iter().any(|cue| lower.contains(cue))
        })
    };
    here.lead.is_none() && heading.condition.is_some() && (TROUBLES.contains(&name.as_str()) || among())
}

/// `**Clear data:**` above code that its comments judge.
fn is_topic(lead: &LeadIn) -> bool {
    const LONGEST: usize = 5;
    matches!(
        lead.lead,
        Lead::Stance(Stance::Neutral | Stance::Order | Stance::Advise, _)
            | Lead::Order(Level::Must | Level::Should)
    ) && (1..=LONGEST).contains(&lead.text.split_whitespace().count())
}

/// Whether the code under the first of these goes on below a comment that judges nothing.
fn is_cut(found: &[Comment]) -> bool {
    let [first, rest @ ..] = found else { return false };
    let judges = |comment: &Comment| {
        let said = comment.rich();
        verdict(said.as_str()).is_some() || bare_verdict(said.as_str()).is_some()
    };
    first.cut
        && first.code.len() > 1
        && rest.iter().find(|comment| !comment.trails).is_some_and(|next| !judges(next))
}

/// `for wrong charts` of `BAD: 500 for wrong charts`: in which case that is bad, and what stands under it good.
fn case_behind(remark: &str) -> Option<String> {
    const LONGEST: usize = 6;
    let words: Vec<&str> = remark.split_whitespace().collect();
    let at = words.iter().rposition(|word| *word == "for")?;
    let all =
        words.get(at + 1).is_some_and(|word| matches!(*word, "everything" | "all" | "every" | "any" | "no"));
    let plain = words[at..].iter().all(|word| word.chars().all(|c| c.is_alphanumeric() || c == '-'));
    (at > 1 && plain && !all && (2..=LONGEST).contains(&(words.len() - at))).then(|| words[at..].join(" "))
}

/// A good act under a bad one, with the case of that.
fn under_bad_case(text: String, level: Level, case: Option<String>) -> String {
    match case.filter(|_| level == Level::Must) {
        Some(case) if !text.contains(&case) && case_behind(&text).is_none() => format!("{case}: {text}"),
        _ => text,
    }
}

/// The code under a comment, where it is short, completes what the comment says.
fn show(book: &mut Book<'_>, norm: usize, comment: &Comment, (lines, most): (usize, usize)) {
    let size: usize = comment.code.iter().map(String::len).sum();
    // What is taken in shows nothing of how it is used: `import logging`.
    let imports = |line: &String| {
        line.strip_prefix("import ").is_some_and(|name| name.chars().all(char::is_alphanumeric))
    };
    let whole = is_balanced(comment.code.iter().map(String::as_str)) && !comment.code.iter().all(imports);
    if !comment.trails && (1..=lines).contains(&comment.code.len()) && size <= most && whole {
        let code = comment.code.iter().map(|line| format!("`{line}`")).collect::<Vec<_>>().join("; ");
        book.complete(norm, &code, comment.span(), comment.code.clone());
    }
}

/// Whether only a heading says that the code is a sample.
fn among_examples(here: &Setting) -> bool {
    here.section == Stance::Example
        && !matches!(here.lead, Some(LeadIn { lead: Lead::Stance(Stance::Example, _), .. }))
}

/// Reads a comment that orders; short code under it shows how.
fn read(book: &mut Book<'_>, comment: &Comment, prose: &Prose<'_>, here: &Setting) {
    let outside = Setting { lead: None, parent: None, ..here.clone() };
    let before = book.drafts.len();
    let written = writes_letters(comment, &prose.words);
    let named = || (written || names_letters(&prose.words)).then_some(Level::Must);
    if let Some(level) = listed(comment, prose).or_else(named) {
        let all = 0..prose.words.len();
        let (text, literals) = (prose.condensed(all.clone()), prose.literals(all));
        let text = match &comment.beside {
            Some(code) if written => format!("`{code}`: {text}"),
            _ => text,
        };
        let draft = command_draft(text, level, literals, (comment.span(), comment.span()), &outside);
        book.add(Draft { spans: vec![comment.span()], completions: 0, ..draft });
        return;
    }
    let outside =
        if among_examples(here) { Setting { section: Stance::Neutral, ..outside } } else { outside };
    for sentence in split_sentences(&prose.words) {
        read_sentence(book, prose, sentence, &outside, before);
    }
    let acts = book.drafts.len() == before + 1
        && book.drafts.last().is_some_and(|draft| matches!(draft.level, Level::Must | Level::Should));
    if acts {
        show(book, before, comment, (FEW_LINES, 120));
    }
    let about_line = stresses(&prose.words) || keeps_within(&prose.words);
    if let Some(code) = comment.beside.as_ref().filter(|_| acts && about_line) {
        return book.complete(before, &format!("`{code}`"), comment.span(), vec![code.clone()]);
    }
    if comment.trails && book.drafts.len() == before + 1 {
        said_of_line(&mut book.drafts[before], comment, prose);
    }
}

/// `Add what you tune: speed; colour`, `Can be static or animated`: the level of a comment that is one norm as a whole.
fn listed(comment: &Comment, prose: &Prose<'_>) -> Option<Level> {
    if may_be(&prose.words) {
        return Some(Level::May);
    }
    let colon = prose.words.iter().position(|word| word.mark(":"))?;
    match mood_of(&prose.words[..colon]).mood {
        Mood::Order(level, _) => Some(level).filter(|_| comment.lists()),
        _ => None,
    }
}

/// `Never change this`: among data, other words of force tell what there is (`required by the server`).
fn opens_order(words: &[Word]) -> bool {
    let first = words.iter().find(|word| word.kind != WordKind::Mark);
    first.is_some_and(|word| word.any(&["always", "never", "must", "do", "don't", "mustn't"]))
}

/// Whether the comments of the code say how something is built: under a name of its structure, or numbered under an order.
fn is_skeleton(book: &Book<'_>, found: &[Comment], body: Span, here: &Setting) -> bool {
    const MOST: usize = 20;
    let text = match &here.lead {
        Some(LeadIn { lead: Lead::Stance(stance, _), .. })
            if !matches!(stance, Stance::Neutral | Stance::Order) =>
        {
            return false;
        }
        Some(lead) => lead.text.to_lowercase(),
        None => match fresh_heading(book, body, here) {
            Some(heading) => book.headings[heading].text.to_lowercase(),
            None => return false,
        },
    };
    let named = names_template(&text) && !text.contains("format");
    let numbered = found.iter().filter(|comment| comment.is_numbered() && !comment.trails).count() > 2;
    let steps = found.iter().filter(|comment| comment.is_step() && !comment.trails).count() > 1;
    let orders = here.section == Stance::Order
        || here.lead.is_none() && names_procedure(&text)
        || matches!(&here.lead, Some(LeadIn { lead: Lead::Order(_) | Lead::Stance(Stance::Order, _), .. }));
    !matches!(here.section, Stance::Example | Stance::Describe)
        && (1..=MOST).contains(&found.len())
        && (named || steps || numbered && (orders || each_orders(found)))
}

/// `1. Tie twice`, `2. Never tie wet`, `3. Coil the rest`: nearly all that is numbered orders, and some of it stands for no line of code
/// under it, as what only tells a reader of the code does.
fn each_orders(found: &[Comment]) -> bool {
    let numbered = || found.iter().filter(|comment| comment.is_numbered() && !comment.trails);
    let ordering = numbered().filter(|comment| acts(&Prose::new(&comment.rich()).words)).count();
    ordering * 4 >= numbered().count() * 3 && numbered().any(|comment| comment.code.is_empty())
}

/// `Core workflow`, `Processing steps`.
pub(crate) fn names_procedure(heading: &str) -> bool {
    const NAMES: &[&str] = &["workflow", "workflows", "process", "procedure", "steps", "pipeline"];
    heading
        .rsplit(|c: char| !c.is_alphanumeric())
        .find(|word| !word.is_empty())
        .is_some_and(|last| NAMES.contains(&last))
}

/// The heading, where nothing stands between it and the fence.
pub(crate) fn fresh_heading(book: &Book<'_>, body: Span, here: &Setting) -> Option<usize> {
    let heading = here.heading?;
    let end = book.headings[heading].span.end;
    let between = (end <= body.start).then(|| book.source.slice(Span { start: end, end: body.start }))?;
    let bare = |line: &str| line.trim().is_empty() || line.trim_start().starts_with(['`', '~']);
    between.lines().all(bare).then_some(heading)
}

/// The norm that the comments of a skeleton complete.
fn norm_of_skeleton(book: &mut Book<'_>, here: &Setting) -> usize {
    led_norm(book, here).unwrap_or_else(|| norm_of_lead(book, here))
}

/// A norm that a name begins: the lead-in, or the heading.
pub(crate) fn norm_of_lead(book: &mut Book<'_>, here: &Setting) -> usize {
    let (text, span) = match (&here.lead, here.heading) {
        (Some(lead), _) => (tidy(&lead.text), lead.span),
        (None, Some(heading)) => (book.headings[heading].text.clone(), book.headings[heading].span),
        (None, None) => (String::new(), Span::default()),
    };
    let draft = command_draft(text, Level::Must, Vec::new(), (span, span), here);
    book.add(Draft { spans: vec![span], completions: 0, ..draft })
}

/// `1. Open the gate`.
fn acts(words: &[Word]) -> bool {
    let first = |word: &Word| word.lower.starts_with(char::is_alphabetic) && !word.is("step");
    let start = words.iter().position(first);
    start.is_some_and(|start| matches!(mood_of(&words[start..]).mood, Mood::Order(..)))
}

/// A comment of a skeleton, behind the line whose block it fills.
fn complete(book: &mut Book<'_>, whole: usize, comment: &Comment, prose: &Prose<'_>) {
    let all = 0..prose.words.len();
    let said = prose.condensed(all.clone());
    if !said.contains(char::is_alphanumeric) {
        return book.omit(comment.span(), OmissionReason::Comment);
    }
    let opener = comment.opener.as_ref().filter(|opener| opener.len() <= 60 && !comment.is_numbered());
    let mut text = opener.map_or_else(|| said.clone(), |opener| format!("`{opener}`: {said}"));
    let mut literals: Vec<String> = opener.cloned().into_iter().chain(prose.literals(all)).collect();
    // `// Two lamps` above `<Lamps count={2} />`
    let element = |code: &str| code.starts_with('<') && code.ends_with("/>");
    if let [code] = &comment.code[..]
        && (comment.is_numbered() && acts(&prose.words) || opener.is_none() && element(code))
        && code.len() <= LONGEST_CODE
    {
        text = format!("{text}: `{code}`");
        literals.push(code.clone());
    }
    book.complete(whole, &text, comment.span(), literals);
}
