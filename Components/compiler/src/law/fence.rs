//! Code fences: commands complete what leads them in, boxed prose is law, the rest is only pointed at.

use mentci_authority::{Force, Level, OmissionReason};
use mentci_reader::markdown::{Block, BlockKind, RichText};
use mentci_source::Span;

use super::annotation::{Annotated, annotations, fresh_heading};
use super::boxes::boxes;
use super::branched::{branched, cased, counted_branches, questioned};
use super::command::{commands, runs};
use super::composed::whole_draft;
use super::draft::{Book, Draft};
use super::flow::flow;
use super::forbidden::speaks;
use super::inquiry::inquiry;
use super::leaders::leaders;
use super::lines::{counted, instructed, noted, outlined, ruled, staged};
use super::listed::{contrasted, gathered, graded, ranked, specified};
use super::mapping::mapping;
use super::pseudocode::pseudocode;
use super::sample::{
    called, calls, flows, is_demanded, is_law, is_literal, is_name, named, recommends, said, said_by_heading,
    said_by_name, sample, says, speech, told_in_case,
};
use super::scale::{rubric, scale};
use super::schema::schema;
use super::setting::{LeadIn, Setting};
use super::speech::excerpt::is_data;
use super::speech::judgement::verdict;
use super::speech::label::label;
use super::speech::lead::Lead;
use super::speech::lexicon::is_verb;
use super::speech::mood::{Mood, mood_of};
use super::speech::number::opens_step;
use super::speech::prose::Prose;
use super::speech::stance::Stance;
use super::speech::word::Word;
use super::steps::named_step;
use super::template::{form, headed_form, is_checks, is_document, is_labelled, led_form, template};
use super::tool_lines::tool_lines;
use super::tree::tree;

const SHELLS: &[&str] =
    &["bash", "sh", "shell", "zsh", "console", "shell-session", "fish", "powershell", "ps1", "cmd"];

/// Whether what stands in a fence of this language is run.
pub(crate) fn is_shell(language: &str) -> bool {
    SHELLS.contains(&language)
}

/// The fence of code that is all that stands in one of Markdown: its language and its body.
fn code_within(language: &str, text: &str, body: Span) -> Option<(String, Span)> {
    const MARK: &str = "```";
    let (opening, rest) = text.split_once('\n').filter(|_| matches!(language, "markdown" | "md"))?;
    let named = opening.strip_prefix(MARK)?.trim();
    let code = rest.trim_end().strip_suffix(MARK)?;
    let start = body.start + u32::try_from(opening.len() + 1).ok()?;
    let end = start + u32::try_from(code.len()).ok()?;
    let one = !named.is_empty() && named.chars().all(char::is_alphanumeric) && !code.contains(MARK);
    (one && code.ends_with('\n')).then(|| (named.to_lowercase(), Span { start, end }))
}

/// Reads a fence in its setting.
pub(crate) fn read(book: &mut Book<'_>, block: &Block, here: &Setting) {
    let BlockKind::Fence { language, body, .. } = &block.kind else { return };
    let inner = code_within(language, book.source.slice(*body), *body);
    let (language, body) = inner.as_ref().map_or((language, body), |(language, body)| (language, body));
    let mut inside = None;
    if let Some(lead) = here.lead.as_ref().filter(|lead| lead.when.is_some()) {
        inside.insert(here.clone()).under(lead);
    }
    let here = inside.as_ref().unwrap_or(here);
    let lead = here.lead.as_ref();
    let example = here.section == Stance::Example
        || matches!(lead, Some(LeadIn { lead: Lead::Stance(Stance::Example, _), .. }))
        || lead.is_some_and(|lead| plain(language) && lead.draft.is_none() && shows_output(&lead.text));
    let kind = match kind_of(language, book.source.slice(*body)) {
        _ if example => Kind::Example,
        // A message may look like a document, and is told as it is.
        Kind::Template if plain(language) && says(here) && led(here) => Kind::Prose,
        // `{ship}` in a text to hand on is a blank to fill in.
        Kind::Code if plain(language) && says(here) && is_filled(book.source.slice(*body)) => Kind::Prose,
        kind => kind,
    };
    let banned = is_banned(book, here);
    if read_by_shape(book, *body, (language, &kind), here, (example, banned)) {
        return omit_markers(book, block.span, *body);
    }
    let commented = !matches!(kind, Kind::Prose | Kind::Commands);
    let mut annotated = Annotated::default();
    if commented || example {
        annotated = annotations(
            book,
            *body,
            language,
            here,
            commented && !matches!(kind, Kind::Example | Kind::Template),
        );
    }
    match kind {
        Kind::Template if matches!(language.as_str(), "markdown" | "md") && instructed(book, *body, here) => {
        }
        Kind::Template
            if (plain(language) || is_labelled(book.source.slice(*body))) && led_form(book, *body, here) => {}
        Kind::Prose | Kind::Code | Kind::Commands | Kind::Template
            if plain(language)
                && !(example || banned)
                && (noted(book, *body, here)
                    || counted(book, *body, here)
                    || outlined(book, *body, here)
                    || staged(book, *body, here)) => {}
        Kind::Prose | Kind::Code
            if (plain(language) || is_yaml(language)) && !(example || banned) && ruled(book, *body, here) => {
        }
        Kind::Example => book.omit(*body, OmissionReason::Example),
        Kind::Commands => commands(book, *body, here),
        Kind::Prose if is_dialogue(book.source.slice(*body)) && !says(here) => {
            book.omit(*body, OmissionReason::Example);
        }
        Kind::Prose if is_name(book.source.slice(*body), here) => named(book, *body, here),
        Kind::Prose | Kind::Template if !says(here) && is_checks(book.source.slice(*body)) => {
            template(book, *body, here);
        }
        Kind::Prose | Kind::Template if plain(language) && said_by_name(book, *body, here) => {
            said(book, *body, here);
        }
        Kind::Prose if says(here) => speech(book, *body, here),
        Kind::Prose if plain(language) && told_in_case(book, *body, here) => {}
        Kind::Prose if plain(language) && led_form(book, *body, here) => {}
        Kind::Prose if plain(language) && headed_form(book, *body, here) => {}
        Kind::Prose if is_demanded(here) || sets_recommended(book, *body, here) => sample(book, *body, here),
        Kind::Prose if is_literal(book.source.slice(*body), here) => sample(book, *body, here),
        Kind::Prose if led(here) && tells_only(book.source.slice(*body)) => speech(book, *body, here),
        Kind::Prose if is_law(book, *body, here) && tells_some(book.source.slice(*body)) => {
            said(book, *body, here);
        }
        Kind::Prose if flows(book, *body, here) => said(book, *body, here),
        Kind::Prose => prose(book, *body, here),
        Kind::Template => template(book, *body, here),
        Kind::Diagram if super::diagram::decisions(book, *body, language, here) => {}
        Kind::Code if plain(language) && said_by_name(book, *body, here) => said(book, *body, here),
        Kind::Code if plain(language) && judged_lines(book, *body, here) => {}
        Kind::Code
            if plain(language) && !banned && (branched(book, *body, here) || boxes(book, *body, here)) => {}
        // What is judged line by line is no sample of what to write.
        // A ban above both halves is of the bad one alone.
        Kind::Code if annotated.stepped || annotated.judged && lead.is_none_or(LeadIn::forbids) => {
            book.omit(*body, OmissionReason::Code);
        }
        Kind::Code if calls(language, here) => called(book, *body, here),
        Kind::Code | Kind::Diagram => sample(book, *body, here),
    }
    omit_markers(book, block.span, *body);
}

/// Reads a fence that is drawn, tabled or called in a way of its own; false for any other.
fn read_by_shape(
    book: &mut Book<'_>,
    body: Span,
    (language, kind): (&str, &Kind),
    here: &Setting,
    (example, banned): (bool, bool),
) -> bool {
    let bare = plain(language);
    let free = bare && !example;
    let said = |book: &mut Book<'_>| {
        let named = matches!(kind, Kind::Prose)
            && (said_by_heading(book, here) || used_whole(here))
            && !is_dialogue(book.source.slice(body));
        if named {
            said(book, body, here);
        }
        named
    };
    free && !banned
        && (counted_branches(book, body, here) || cased(book, body, here) || leaders(book, body, here))
        || free && tree(book, body, here)
        || free && !banned && questioned(book, body, here)
        || free
            && !banned
            && (inquiry(book, body, here) || scale(book, body, here) || rubric(book, body, here))
        || bare && matches!(kind, Kind::Prose) && pseudocode(book, body, here)
        || free && !banned && matches!(kind, Kind::Prose | Kind::Code) && flow(book, body, here)
        || free
            && !banned
            && (contrasted(book, body, here)
                || graded(book, body, here)
                || ranked(book, body, here)
                || specified(book, body, here))
        || (bare || matches!(language, "markdown" | "md")) && !example && gathered(book, body, here)
        || free && !banned && (tool_lines(book, body, here) || mapping(book, body, here))
        || said(book)
        || !example && schema(book, body, language, here)
        || free && form(book, body, here)
}

/// `The gauge prints:`, `If you get this error:`: what a tool says is no law.
fn shows_output(lead: &str) -> bool {
    const ENDS: &[&[&str]] = &[
        &["prints"],
        &["displays"],
        &["answers", "with"],
        &["responds", "with"],
        &["replies", "with"],
        &["will", "see"],
        &["you", "see"],
        &["you", "get"],
    ];
    const SHOWN: &[&str] = &["error", "warning", "message", "output", "banner"];
    let lower = lead.to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty()).collect();
    let met = matches!(words[..], ["if" | "when" | "whenever", .., "see" | "sees" | "get" | "gets", "this" | "the" | "an" | "a", shown] if SHOWN.contains(&shown));
    met || ENDS.iter().any(|end| words.ends_with(end))
}

/// Whether what stands here is forbidden, or shows what is: nothing that is drawn here is an order.
fn is_banned(book: &Book<'_>, here: &Setting) -> bool {
    let bad = |stance: Stance| {
        matches!(stance, Stance::Forbid | Stance::Discourage | Stance::Mistakes | Stance::Things(_))
    };
    bad(here.section) || book.forbids_all().is_some() || here.lead.as_ref().is_some_and(LeadIn::forbids)
}

enum Kind {
    Example,
    Commands,
    Prose,
    Template,
    Diagram,
    Code,
}

fn kind_of(language: &str, body: &str) -> Kind {
    if SHELLS.contains(&language) {
        return Kind::Commands;
    }
    match language {
        "markdown" | "md" => Kind::Template,
        "dot" | "graphviz" | "gv" | "mermaid" => Kind::Diagram,
        _ if plain(language) && runs(body) => Kind::Commands,
        _ if plain(language) && is_document(body) => Kind::Template,
        _ if plain(language) => {
            let drawing =
                body.chars().filter(|c| matches!(c, '│' | '─' | '├' | '└' | '┌' | '▼' | '{' | ';')).count();
            let prompts = body.lines().any(|line| unquoted(line).starts_with("$ ") || line.contains("$("));
            if drawing > 3
                || prompts
                || judges(body)
                || stepped(body)
                || remarks_paths(body)
                || is_program(body)
            {
                Kind::Code
            } else {
                Kind::Prose
            }
        }
        _ => Kind::Code,
    }
}

/// `chart(` on a line of its own, `SELECT name FROM ships`: what a program runs.
fn is_program(body: &str) -> bool {
    const QUERIES: &[&str] = &["SELECT ", "INSERT INTO ", "DELETE FROM ", "CREATE TABLE ", "ALTER TABLE "];
    let opens = |line: &str| {
        ["(", "({", "(["].iter().any(|end| {
            let name = line.strip_suffix(end).and_then(|name| name.rsplit([' ', '.']).next());
            name.is_some_and(|name| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_'))
        })
    };
    body.lines().map(str::trim).any(|line| opens(line) || QUERIES.iter().any(|query| line.starts_with(query)))
}

/// `# Step 1: Moor the barge` above what does it.
fn stepped(body: &str) -> bool {
    body.lines().filter_map(commented).filter(|comment| opens_step(comment)).count() > 1
}

/// The words of a line that is a comment.
fn commented(line: &str) -> Option<&str> {
    let line = line.trim();
    line.strip_prefix("# ").or_else(|| line.strip_prefix("// "))
}

/// `parts/Sail.tsx   # PascalCase for parts` on each line.
fn remarks_paths(body: &str) -> bool {
    let remarked = |line: &str| {
        let Some((path, remark)) = line.trim().split_once("  ") else { return false };
        path.contains(['/', '.']) && !path.contains(' ') && remark.trim_start().starts_with("# ")
    };
    let mut lines = body.lines().filter(|line| !line.trim().is_empty()).peekable();
    lines.peek().is_some() && lines.all(remarked)
}

/// `# BAD: one berth for all` above what it judges.
fn judges(body: &str) -> bool {
    const VERDICTS: &[&str] =
        &["BAD:", "GOOD:", "BAD -", "GOOD -", "WRONG:", "RIGHT:", "CORRECT:", "INCORRECT:"];
    let judged = |line: &str| {
        commented(line).is_some_and(|comment| {
            matches!(comment, "BAD" | "GOOD" | "WRONG" | "RIGHT")
                || VERDICTS.iter().any(|verdict| comment.starts_with(verdict))
        })
    };
    body.lines().any(judged)
}

/// Whether no line of a text orders anything by itself.
fn tells_only(body: &str) -> bool {
    let said =
        |line: &str| line.trim_start_matches(['>', '-', '*', '•', '□', '☐', '→', ' ']).trim().to_owned();
    !body.lines().map(said).any(|line| is_shouted(&line) || orders(&line))
}

/// `rope.size=20` under `Recommended properties:`.
fn sets_recommended(book: &Book<'_>, body: Span, here: &Setting) -> bool {
    here.lead.as_ref().is_some_and(|lead| recommends(&lead.text)) && is_data(book.source.slice(body))
}

/// `Use:` above a text.
fn used_whole(here: &Setting) -> bool {
    let lead = here.lead.as_ref().filter(|lead| lead.lead == Lead::Stem(Level::Must) && lead.draft.is_none());
    lead.is_some_and(|lead| lead.text.trim_end_matches([':', ' ']) == "Use")
}

/// Whether each `{` of a text opens a name that closes at once: `{ship}`, `{{LOG_DIR}}`.
fn is_filled(body: &str) -> bool {
    let named = |part: &str| {
        let end = part.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | ' ' | '.' | '/')));
        end.is_some_and(|end| end > 0 && part[end..].starts_with('}'))
    };
    let mut parts = body.split('{').skip(1).filter(|part| !part.is_empty()).peekable();
    parts.peek().is_some() && parts.all(named) && !body.contains(['│', '─', ';', '$'])
}

/// Whether some line of a text orders nothing by itself, and none is shouted.
fn tells_some(body: &str) -> bool {
    let lines = || body.lines().map(str::trim).filter(|line| !line.is_empty());
    !lines().any(is_shouted) && lines().any(|line| !orders(line))
}

/// Whether a norm leads in what stands here.
fn led(here: &Setting) -> bool {
    here.lead.as_ref().is_some_and(|lead| lead.draft.is_some())
}

fn is_yaml(language: &str) -> bool {
    matches!(language, "yaml" | "yml")
}

/// Whether a fence does not say what it holds.
fn plain(language: &str) -> bool {
    matches!(language, "" | "text" | "txt" | "plain" | "plaintext")
}

/// `User: Can I go?` / `Claude: Yes.`: what two say to each other shows how it goes.
fn is_dialogue(body: &str) -> bool {
    const SPEAKERS: &[&str] =
        &["user", "human", "assistant", "claude", "agent", "you", "ai", "bot", "customer", "partner"];
    let speaks = |line: &str| {
        let name = unquoted(line)
            .trim_start_matches(['*', '['])
            .split_once(':')
            .map(|(name, _)| name.to_lowercase());
        name.is_some_and(|name| SPEAKERS.contains(&name.trim_end_matches(['*', ']'])))
    };
    body.lines().any(speaks) || quotes_over_lines(body)
}

/// `North: "Look at the chart.` and `Write it down."` on a line below: what somebody is told.
fn quotes_over_lines(body: &str) -> bool {
    let odd = |line: &&str| line.matches('"').count() % 2 == 1;
    let mut open = body.lines().map(str::trim).filter(odd);
    let opens =
        open.next().is_some_and(|line| line.split_once(": \"").is_some_and(|(name, _)| !name.contains('"')));
    opens && open.next().is_some_and(|line| line.ends_with('"'))
}

/// A line without the marks of the quotation that its fence stands in.
fn unquoted(line: &str) -> &str {
    line.trim().trim_start_matches(['>', ' ']).trim()
}

fn omit_markers(book: &mut Book<'_>, all: Span, body: Span) {
    book.omit(Span { start: all.start, end: body.start }, OmissionReason::Separator);
    book.omit(Span { start: body.end, end: all.end.max(body.end) }, OmissionReason::Separator);
}

/// Whether a comment is an order.
pub(crate) fn orders(comment: &str) -> bool {
    let rich = RichText::plain(comment, Span::new(0, comment.len()));
    matches!(mood_of(&Prose::new(&rich).words).mood, Mood::Order(..))
}

pub(crate) fn command_draft(
    text: String,
    level: Level,
    literals: Vec<String>,
    (span, lead): (Span, Span),
    here: &Setting,
) -> Draft {
    let whole = whole_draft(text, (level, Force::Implied), literals, vec![span, lead], here);
    Draft { step: here.step.clone(), completions: 1, is_of_fence: true, ..whole }
}

/// Boxed prose: each line is read alone; a line that ends in a colon leads in what is indented under it.
fn prose(book: &mut Book<'_>, body: Span, here: &Setting) {
    let source = book.source.clone();
    let led = matches!(&here.lead, Some(LeadIn { lead: Lead::Order(_) | Lead::Condition, .. }))
        || here.parent.is_some();
    let stepped = is_step(book, body, here);
    let forbids = book.forbids_all().is_some()
        || matches!(
            &here.lead,
            Some(LeadIn { lead: Lead::Stance(Stance::Forbid | Stance::Discourage, _), .. })
        );
    let counted = !forbids && here.section != Stance::Describe && counts(source.slice(body));
    let mut condition: Option<(usize, String, Span)> = None;
    let mut forced: Option<(usize, Level, usize)> = None;
    let mut at = body.start as usize;
    for line in source.slice(body).split_inclusive('\n') {
        let indent = line.len() - line.trim_start().len();
        let span = Span::new(at + indent, at + line.trim_end().len());
        at += line.len();
        let text = unquoted(line).trim_start_matches(['-', '*', '•', '□', '☐', '→']).trim();
        if text.is_empty() {
            continue;
        }
        let start = span.start as usize + line.trim().find(text).unwrap_or(0);
        let rich = RichText::plain(text, Span::new(start, start + text.len()));
        let words = Prose::new(&rich);
        let shouted = is_shouted(text);
        // `IRON LAW: NO REPAIR WITHOUT A DRAWING FIRST`
        let mood = match mood_of(&words.words).mood {
            order @ Mood::Order(..) => order,
            _ if shouted => mood_of(&words.words[label(&words, 0..words.words.len()).1]).mood,
            other => other,
        };
        let acts = || {
            words.words.first().is_some_and(|first| is_verb(&first.lower))
                && !text.contains('→')
                && !text.ends_with(':')
        };
        let boxed = shouted || led || stepped && acts() || matches!(mood, Mood::Order(_, Force::Explicit));
        let speaks = mood.forbids() || speaks(&words.words);
        if forbids && !speaks {
            let named = words.condensed(0..words.words.len());
            let literals = words.literals(0..words.words.len());
            let draft = command_draft(format!("NEVER {named}"), Level::MustNot, literals, (span, span), here);
            book.add(Draft { spans: vec![span], completions: 0, ..draft });
            continue;
        }
        if condition.as_ref().is_some_and(|(depth, ..)| indent <= *depth) {
            condition = None;
        }
        forced = forced.filter(|(depth, ..)| indent > *depth);
        if let Some((_, level, lead)) = forced
            && (adds_name(mood, level) || !level.is_prohibition() && asks_what(&words.words))
        {
            let (text, literals) =
                (words.condensed(0..words.words.len()), words.literals(0..words.words.len()));
            book.complete(lead, &text, span, literals);
            continue;
        }
        match mood {
            Mood::Fragment | Mood::Statement | Mood::Order(Level::Must, _) if counted => {
                let all = 0..words.words.len();
                let (text, literals) = (words.condensed(all.clone()), words.literals(all));
                let draft = command_draft(text, Level::Must, literals, (span, span), here);
                book.add(Draft { spans: vec![span], completions: 0, ..draft });
            }
            _ if led && text.ends_with(':') => {
                condition = Some((indent, words.condensed(0..words.words.len()), span));
                book.omit(span, OmissionReason::Description);
            }
            Mood::Order(level, force) if boxed => {
                let mut text = words.condensed(0..words.words.len());
                let mut spans = vec![span];
                if let Some((_, lead, lead_span)) = &condition {
                    text = format!("{lead}: {text}");
                    spans.push(*lead_span);
                }
                let literals = words.literals(0..words.words.len());
                let draft = command_draft(text, level, literals, (span, span), here);
                let opens = words.words.last().is_some_and(|last| last.mark(":"));
                let added = book.add(Draft {
                    force,
                    spans,
                    completions: 0,
                    condition: condition.as_ref().map(|(_, lead, _)| lead.clone()),
                    ..draft
                });
                forced = (opens && force == Force::Explicit).then_some((indent, level, added));
            }
            _ => book.omit(span, OmissionReason::Code),
        }
    }
}

/// `What went wrong`: what is to be told.
fn asks_what(words: &[Word]) -> bool {
    words
        .first()
        .is_some_and(|first| first.any(&["what", "which", "how", "why", "when", "where", "who", "whether"]))
}

/// Whether a few lines right under `Step 2: Find the charts` are that step.
fn is_step(book: &Book<'_>, body: Span, here: &Setting) -> bool {
    const MOST: usize = 6;
    here.lead.is_none()
        && !matches!(here.section, Stance::Example | Stance::Describe)
        && book.source.slice(body).lines().count() <= MOST
        && fresh_heading(book, body, here)
            .is_some_and(|heading| named_step(&book.headings[heading].text).is_some())
}

/// Whether a line under `NEVER show:` or `ALWAYS show:` names a further thing that it is said of.
fn adds_name(mood: Mood, level: Level) -> bool {
    match mood {
        Mood::Fragment => true,
        Mood::Question => !level.is_prohibition(),
        Mood::Order(own, Force::Implied) => !own.is_prohibition() && level.is_prohibition(),
        _ => false,
    }
}

/// `Step 1: Look`, `Watch 2: Sail`: each line is a step by its number, and some of them order.
fn counts(text: &str) -> bool {
    const FEWEST: usize = 2;
    const COUNTED: &[&str] = &["step", "phase", "stage", "loop", "round", "pass", "iteration", "day", "week"];
    let step = |line: &str| {
        let (label, rest) = line.split_once(": ")?;
        let (kind, number) = label.split_once(' ')?;
        let counts = COUNTED.contains(&kind.to_lowercase().as_str()) && number.parse::<u32>().is_ok();
        counts.then(|| rest.to_owned())
    };
    let lines = || text.lines().map(unquoted).filter(|line| !line.is_empty());
    lines().count() >= FEWEST
        && lines().all(|line| step(line).is_some())
        && lines().filter_map(step).any(|rest| orders(&rest))
}

/// `❌ WRONG: two copies` above a drawing: what the line says of it. False where no line judges.
fn judged_lines(book: &mut Book<'_>, body: Span, here: &Setting) -> bool {
    let source = book.source.clone();
    let text = source.slice(body);
    if !text.contains(['❌', '✅']) {
        return false;
    }
    let mut judges = false;
    for (line, at) in placed(text, body) {
        let said = line.trim().trim_end_matches([':', ' ']);
        let Some((level, text)) = verdict(said).filter(|_| said.starts_with(['❌', '✅'])) else {
            continue;
        };
        let start = at + line.len() - line.trim_start().len();
        let span = Span::new(start, start + line.trim().len());
        let draft = command_draft(text, level, Vec::new(), (span, span), here);
        book.add(Draft { force: Force::Explicit, spans: vec![span], completions: 0, ..draft });
        judges = true;
    }
    if judges {
        book.omit(body, OmissionReason::Code);
    }
    judges
}

/// At least three words, and hardly a small letter.
pub(crate) fn is_shouted(text: &str) -> bool {
    let small = text.chars().filter(|c| c.is_lowercase()).count();
    let large = text.chars().filter(|c| c.is_uppercase()).count();
    text.split_whitespace().count() >= 3 && large > 8 && small * 4 < large
}

/// A text on one line.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The lines of a body with their places in the source.
pub(super) fn placed(text: &str, body: Span) -> impl Iterator<Item = (&str, usize)> {
    let mut next = body.start as usize;
    text.split_inclusive('\n').map(move |line| {
        let at = next;
        next += line.len();
        (line, at)
    })
}
