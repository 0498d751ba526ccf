//! Code fences: commands complete what leads them in, boxed prose is law, the rest is only pointed at.

use mentci_authority::{EntryKind, Force, Level, OmissionReason};
use mentci_reader::markdown::{Block, BlockKind, RichText, Style};
use mentci_source::Span;

use super::condense::tidy;
use super::draft::{Book, Draft};
use super::forbidden::speaks;
use super::mood::{Mood, mood_of};
use super::norm::with_conditions;
use super::prose::Prose;
use super::sample::{completed, is_demanded, is_literal, led_norm, sample, says, speech};
use super::setting::{LeadIn, Setting};
use super::stance::{Lead, Stance};
use super::steps::named_step;

const SHELLS: &[&str] =
    &["bash", "sh", "shell", "zsh", "console", "shell-session", "fish", "powershell", "ps1", "cmd"];

/// Reads a fence in its setting.
pub(crate) fn read(book: &mut Book<'_>, block: &Block, here: &Setting) {
    let BlockKind::Fence { language, body, .. } = &block.kind else { return };
    let mut inside = None;
    if let Some(lead) = here.lead.as_ref().filter(|lead| lead.when.is_some()) {
        inside.insert(here.clone()).under(lead);
    }
    let here = inside.as_ref().unwrap_or(here);
    let lead = here.lead.as_ref();
    let example = here.section == Stance::Example
        || matches!(lead, Some(LeadIn { lead: Lead::Stance(Stance::Example, _), .. }));
    let kind = if example { Kind::Example } else { kind_of(language, book.source.slice(*body)) };
    match kind {
        Kind::Example => book.omit(*body, OmissionReason::Example),
        Kind::Commands => commands(book, *body, here),
        Kind::Prose if says(here) => speech(book, *body, here),
        Kind::Prose if is_demanded(here) => sample(book, *body, here),
        Kind::Prose if is_literal(book.source.slice(*body), here) => sample(book, *body, here),
        Kind::Prose => prose(book, *body, here),
        Kind::Template => template(book, *body, here),
        Kind::Diagram if super::diagram::decisions(book, *body, here) => {}
        Kind::Code | Kind::Diagram => sample(book, *body, here),
    }
    omit_markers(book, block.span, *body);
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
        "dot" | "graphviz" | "gv" => Kind::Diagram,
        "" | "text" | "txt" | "plain" | "plaintext" => {
            let drawing =
                body.chars().filter(|c| matches!(c, '│' | '─' | '├' | '└' | '┌' | '▼' | '{' | ';')).count();
            let prompts = body.lines().any(|line| unquoted(line).starts_with("$ ") || line.contains("$("));
            if drawing > 3 || prompts { Kind::Code } else { Kind::Prose }
        }
        _ => Kind::Code,
    }
}

/// A line without the marks of the quotation that its fence stands in.
fn unquoted(line: &str) -> &str {
    line.trim().trim_start_matches(['>', ' ']).trim()
}

fn omit_markers(book: &mut Book<'_>, all: Span, body: Span) {
    book.omit(Span { start: all.start, end: body.start }, OmissionReason::Separator);
    book.omit(Span { start: body.end, end: all.end.max(body.end) }, OmissionReason::Separator);
}

/// Commands under one comment.
#[derive(Debug, Default)]
struct Group {
    comment: Option<String>,
    commands: Vec<String>,
    /// Whether its commands stand in comments themselves.
    is_commented: bool,
    span: Option<Span>,
}

impl Group {
    fn is_bad(&self) -> bool {
        let comment = self.comment.as_deref().unwrap_or("").to_lowercase();
        ["bad", "wrong", "❌", "incorrect"].iter().any(|mark| comment.starts_with(mark))
    }

    fn is_sample(&self) -> bool {
        let comment = self.comment.as_deref().unwrap_or("").to_lowercase();
        ["bad", "good", "wrong", "right", "❌", "✅", "correct", "incorrect", "example"]
            .iter()
            .any(|mark| comment.starts_with(mark))
    }
}

fn commands(book: &mut Book<'_>, body: Span, here: &Setting) {
    let groups = groups(book.source.slice(body), body.start as usize);
    let commented = groups.iter().any(|group| group.comment.is_some());
    let target = target(book, here);
    let opens = groups.first().is_some_and(|group| group.comment.is_some());
    if let (Target::Topic(text, span, level), true) = (&target, opens && here.lead.is_none())
        && orders(named_step(text).unwrap_or(text))
    {
        let mut draft = command_draft(text.clone(), *level, Vec::new(), (*span, *span), here);
        draft.spans.truncate(1);
        book.add(draft);
    }
    let forbids = matches!(&target, Target::Topic(_, _, level) if level.is_prohibition());
    for group in groups {
        let Some(span) = group.span else { continue };
        let group =
            Group { comment: group.comment.map(|comment| comment.trim_end_matches(':').to_owned()), ..group };
        if group.is_sample() && !(forbids && group.is_bad()) {
            book.omit(span, OmissionReason::Example);
            continue;
        }
        let commands =
            group.commands.iter().map(|command| format!("`{command}`")).collect::<Vec<_>>().join("; ");
        match (&target, commented) {
            (Target::None, _) => book.omit(span, OmissionReason::Code),
            (_, _) if commands.is_empty() => book.omit(span, OmissionReason::Comment),
            (Target::Comments(heading), _) => match group.comment.filter(|comment| orders(comment)) {
                Some(comment) => {
                    let draft = command_draft(
                        format!("{comment}: {commands}"),
                        Level::Must,
                        group.commands,
                        (span, *heading),
                        here,
                    );
                    book.add(draft);
                }
                None => book.omit(span, OmissionReason::Code),
            },
            (Target::Norm(draft), false) => book.complete(*draft, &commands, span, group.commands),
            (Target::Norm(draft), true) => {
                let comment =
                    group.comment.as_deref().map(|comment| format!("{comment}: ")).unwrap_or_default();
                book.complete(*draft, &format!("{comment}{commands}"), span, group.commands);
            }
            (Target::Topic(text, lead, level), _) => {
                let text = match &group.comment {
                    Some(comment) if forbids => format!("{text}: {comment}: {commands}"),
                    Some(comment) => format!("{comment}: {commands}"),
                    None => format!("{text}: {commands}"),
                };
                let draft = command_draft(text, *level, group.commands, (span, *lead), here);
                book.add(Draft { force: if forbids { Force::Explicit } else { draft.force }, ..draft });
            }
        }
    }
}

/// `Step 3: Build image`, `Build the image`: a heading that says what to do, and commands that do it.
fn is_act(heading: &str) -> bool {
    const DETERMINERS: &[&str] = &["the", "a", "an", "your", "all", "each", "every"];
    let named = |name: &str| name.split_whitespace().nth(1).is_some_and(|word| DETERMINERS.contains(&word));
    named_step(heading).map_or_else(|| named(heading) && orders(heading), orders)
}

/// Whether a comment is an order.
pub(crate) fn orders(comment: &str) -> bool {
    let mut rich = RichText::default();
    rich.push(comment, Span::new(0, comment.len()), Style::default());
    matches!(mood_of(&Prose::new(&rich).words).mood, Mood::Order(..))
}

/// What commands complete.
enum Target {
    /// A norm that leads them in.
    Norm(usize),
    /// A condition or a heading: text and bytes.
    Topic(String, Span, Level),
    /// The comments above them, where those order something.
    Comments(Span),
    /// Nothing: they stand for reference.
    None,
}

fn target(book: &Book<'_>, here: &Setting) -> Target {
    if let Some(lead) = &here.lead {
        let preferred = lead.text.to_lowercase().contains("(preferred")
            || lead.text.to_lowercase().contains("(recommended");
        let level = if preferred { Level::Should } else { Level::Must };
        return match (&lead.lead, lead.draft) {
            (_, Some(_)) => completed(book, lead).map_or(Target::None, Target::Norm),
            (Lead::Condition | Lead::Stance(Stance::Neutral | Stance::Order, _), None) => {
                Target::Topic(tidy(&lead.text), lead.span, level)
            }
            (Lead::Stem(level), None) => Target::Topic(tidy(&lead.text), lead.span, *level),
            (Lead::Stance(stance @ (Stance::Forbid | Stance::Discourage), _), None) => {
                let text = if lead.text.is_empty() { "NEVER".to_owned() } else { tidy(&lead.text) };
                Target::Topic(text, lead.span, stance.level().unwrap_or(Level::MustNot))
            }
            _ => Target::None,
        };
    }
    if let Some(parent) = here.parent {
        return Target::Norm(parent);
    }
    let Some(heading) = here.heading.map(|heading| &book.headings[heading]) else { return Target::None };
    if here.after_order {
        return Target::Comments(heading.span);
    }
    if let Some(level) = book.forbids_all().and_then(Stance::level) {
        return Target::Topic(heading.text.clone(), heading.span, level);
    }
    let fresh = !book
        .drafts
        .iter()
        .any(|draft| draft.spans.first().is_some_and(|span| span.start > heading.span.end));
    let first = heading.text.split_whitespace().next().unwrap_or("");
    let reference = first.ends_with("ing") || matches!(here.section, Stance::Describe | Stance::Example);
    let stepwise = !reference && (heading.depth > 2 || is_act(&heading.text));
    if fresh && stepwise {
        Target::Topic(heading.text.clone(), heading.span, Level::Must)
    } else {
        Target::None
    }
}

pub(crate) fn command_draft(
    text: String,
    level: Level,
    literals: Vec<String>,
    (span, lead): (Span, Span),
    here: &Setting,
) -> Draft {
    let mut spans = vec![span, lead];
    let (text, condition) = with_conditions(text, here, &mut spans);
    Draft {
        level,
        force: Force::Implied,
        kind: EntryKind::Norm,
        terse: None,
        condition,
        exceptions: Vec::new(),
        literals,
        original: text.clone(),
        text,
        step: here.step.clone(),
        spans,
        heading: here.heading,
        completions: 1,
        goes_on_in: None,
    }
}

/// Commands with the comment above them; a comment without one starts a group of its own.
fn groups(body: &str, base: usize) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut at = base;
    for line in body.split_inclusive('\n') {
        let span = Span::new(at + (line.len() - line.trim_start().len()), at + line.trim_end().len());
        at += line.len();
        let text = line.trim();
        if text.is_empty() {
            continue;
        }
        let comment = text.strip_prefix('#').map(|comment| comment.trim_start_matches('#').trim().to_owned());
        let opens = comment.as_ref().is_some_and(|comment| {
            groups.last().is_none_or(|group| {
                let goes_on = group.is_commented && is_command(comment);
                !(group.commands.is_empty() || goes_on)
            })
        });
        if opens || groups.is_empty() {
            groups.push(Group::default());
        }
        let Some(group) = groups.last_mut() else { continue };
        group.span = Some(group.span.map_or(span, |all| all.join(span)));
        match comment {
            Some(comment)
                if group.comment.as_ref().is_some_and(|lead| lead.ends_with(':')) && is_command(&comment) =>
            {
                group.is_commented = true;
                group.commands.push(command(&comment));
            }
            Some(comment) => {
                let joined =
                    group.comment.take().map_or(comment.clone(), |before| format!("{before} {comment}"));
                group.comment = Some(joined);
            }
            None => group.commands.push(command(text)),
        }
    }
    groups
}

/// Whether a comment is a command that the one above it leads in: `git push origin HEAD`.
fn is_command(comment: &str) -> bool {
    let mut words = comment.split_whitespace();
    let program = words.next().is_some_and(|word| {
        word.starts_with(|c: char| c.is_ascii_lowercase() || matches!(c, '.' | '/' | '$'))
    });
    program && words.next().is_some() && !comment.ends_with(['.', ':', ','])
}

/// A command without its prompt, and without throwing away its errors.
fn command(line: &str) -> String {
    let line = line.strip_prefix("$ ").unwrap_or(line);
    line.replace(" 2>/dev/null", "")
}

/// Boxed prose: each line is read alone; a line that ends in a colon leads in what is indented under it.
fn prose(book: &mut Book<'_>, body: Span, here: &Setting) {
    let source = book.source.clone();
    let led = matches!(&here.lead, Some(LeadIn { lead: Lead::Order(_) | Lead::Condition, .. }))
        || here.parent.is_some();
    let forbids = book.forbids_all().is_some()
        || matches!(
            &here.lead,
            Some(LeadIn { lead: Lead::Stance(Stance::Forbid | Stance::Discourage, _), .. })
        );
    let mut condition: Option<(usize, String, Span)> = None;
    let mut at = body.start as usize;
    for line in source.slice(body).split_inclusive('\n') {
        let indent = line.len() - line.trim_start().len();
        let span = Span::new(at + indent, at + line.trim_end().len());
        at += line.len();
        let text = unquoted(line).trim_start_matches(['-', '*', '•', '□', '☐', '→']).trim();
        if text.is_empty() {
            continue;
        }
        let mut rich = RichText::default();
        let start = span.start as usize + line.trim().find(text).unwrap_or(0);
        rich.push(text, Span::new(start, start + text.len()), Style::default());
        let words = Prose::new(&rich);
        let shouted = is_shouted(text);
        let mood = mood_of(&words.words).mood;
        let boxed = shouted || led || matches!(mood, Mood::Order(_, Force::Explicit));
        let speaks = matches!(mood, Mood::Order(level, _) if level.is_prohibition()) || speaks(&words.words);
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
        match mood {
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
                book.add(Draft {
                    force,
                    spans,
                    completions: 0,
                    condition: condition.as_ref().map(|(_, lead, _)| lead.clone()),
                    ..draft
                });
            }
            _ => book.omit(span, OmissionReason::Code),
        }
    }
}

/// At least three words, and hardly a small letter.
pub(crate) fn is_shouted(text: &str) -> bool {
    let small = text.chars().filter(|c| c.is_lowercase()).count();
    let large = text.chars().filter(|c| c.is_uppercase()).count();
    text.split_whitespace().count() >= 3 && large > 8 && small * 4 < large
}

/// A template under an order: its headings and labels are part of the order.
fn template(book: &mut Book<'_>, body: Span, here: &Setting) {
    let labels = labels(book.source.slice(body));
    let begun =
        here.lead.as_ref().is_some_and(|lead| lead.draft.is_none() && matches!(lead.lead, Lead::Stem(_)));
    let Some(draft) = led_norm(book, here) else { return book.omit(body, OmissionReason::Example) };
    if labels.is_empty() && begun {
        return speech(book, body, &Setting { lead: None, parent: Some(draft), ..here.clone() });
    }
    if labels.is_empty() {
        return book.omit(body, OmissionReason::Example);
    }
    book.complete(draft, &labels.join("; "), body, labels);
}

/// Headings and bold labels of a template, in order.
fn labels(body: &str) -> Vec<String> {
    let mut labels: Vec<String> = Vec::new();
    for line in body.lines() {
        let text = line.trim().trim_start_matches(['>', '-', ' ']);
        let heading = text.starts_with('#').then(|| text.trim_start_matches('#').trim());
        let bold = text
            .strip_prefix("**")
            .and_then(|rest| rest.split_once("**"))
            .map(|(label, _)| label.trim_end_matches(':'));
        if let Some(label) =
            heading.or(bold).filter(|label| !label.is_empty() && !labels.iter().any(|known| known == label))
        {
            labels.push(label.to_owned());
        }
    }
    labels.truncate(12);
    labels
}
