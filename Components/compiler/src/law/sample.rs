//! Code and texts that a lead-in speaks of: what completes an order, or is forbidden, stands in its norm.

use mentci_authority::{Force, OmissionReason};
use mentci_source::Span;

use super::annotation::norm_of_lead;
use super::condense::tidy;
use super::draft::{Book, Draft};
use super::fence::{command_draft, is_shouted, orders};
use super::setting::{LeadIn, Setting};
use super::stance::{Lead, Stance};

/// Code that an order leads in: a few lines complete it, more are pointed at where it forbids them.
pub(crate) fn sample(book: &mut Book<'_>, body: Span, here: &Setting) {
    let source = book.source.clone();
    let lines: Vec<String> = source
        .slice(body)
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .map(str::to_owned)
        .collect();
    let lines = without_frame(lines);
    let size: usize = lines.iter().map(String::len).sum();
    let forbids = match here.lead.as_ref().map(|lead| (&lead.lead, lead.draft)) {
        Some((Lead::Stance(Stance::Forbid | Stance::Discourage, _), _)) => true,
        Some((_, Some(draft))) => book.drafts[draft].level.is_prohibition(),
        _ => false,
    };
    let (most, longest) = if forbids { (8, 400) } else { (2, 160) };
    let short = (1..=most).contains(&lines.len()) && size <= longest;
    match led_norm(book, here).filter(|_| short || forbids && !lines.is_empty()) {
        Some(draft) if short => {
            let code = lines.iter().map(|line| format!("`{line}`")).collect::<Vec<_>>().join("; ");
            book.complete(draft, &code, body, lines);
        }
        Some(draft) => {
            let pointer = pointer(book, body);
            book.complete(draft, &pointer, body, Vec::new());
        }
        None => book.omit(body, OmissionReason::Code),
    }
}

/// The lines without imports and remarks, which only frame what is shown; all of them where they are nothing else.
fn without_frame(lines: Vec<String>) -> Vec<String> {
    const FRAME: &[&str] = &["import ", "from ", "//", "use ", "#include", "require("];
    let shows = |line: &String| !FRAME.iter().any(|start| line.starts_with(start));
    if lines.len() > 2 && lines.iter().any(shows) { lines.into_iter().filter(shows).collect() } else { lines }
}

/// Whether a condition leads in code: `If no tab is open:`. What is seen or shown then is no call.
pub(crate) fn calls(language: &str, here: &Setting) -> bool {
    const SEEN: &[&str] =
        &["see", "sees", "get", "gets", "error", "output", "message", "shows", "returns", "like", "contains"];
    !language.is_empty()
        && here.lead.as_ref().is_some_and(|lead| lead.lead == Lead::Condition && !has_word(&lead.text, SEEN))
}

/// Code under a condition: a short call is what to do then.
pub(crate) fn called(book: &mut Book<'_>, body: Span, here: &Setting) {
    let text = book.source.slice(body).trim().to_owned();
    if text.is_empty() || text.lines().count() > 2 || text.len() > 160 {
        return book.omit(body, OmissionReason::Code);
    }
    let norm = norm_of_lead(book, here);
    let lines: Vec<String> = text.lines().map(|line| line.trim().to_owned()).collect();
    let code = lines.iter().map(|line| format!("`{line}`")).collect::<Vec<_>>().join("; ");
    book.complete(norm, &code, body, lines);
}

/// Whether a bare name leads in how something is called: `Claim file:`, `Branch name:`.
pub(crate) fn is_name(body: &str, here: &Setting) -> bool {
    const NAMES: &[&str] =
        &["file", "path", "name", "pattern", "location", "branch", "directory", "folder", "tag"];
    let text = body.trim();
    let one = !text.is_empty() && !text.contains('\n') && text.split_whitespace().count() <= 3;
    let lead = here.lead.as_ref().filter(|lead| lead.draft.is_none() && one);
    lead.is_some_and(|lead| {
        matches!(lead.lead, Lead::Stance(Stance::Neutral | Stance::Order, _))
            && lead.text.split_whitespace().count() <= 4
            && ends_with(&lead.text, NAMES)
            && !has_word(&lead.text, &["error", "output", "result"])
    })
}

/// The name that a bare name leads in.
pub(crate) fn named(book: &mut Book<'_>, body: Span, here: &Setting) {
    let name = book.source.slice(body).trim().to_owned();
    let norm = norm_of_lead(book, here);
    book.complete(norm, &format!("`{name}`"), body, vec![name]);
}

/// The norm that code or a text completes: the one that leads it in, or one that its lead-in has only begun
/// (`You must never run:`, `Confirm first:`).
pub(crate) fn led_norm(book: &mut Book<'_>, here: &Setting) -> Option<usize> {
    let Some(lead) = &here.lead else { return here.parent };
    let level = match &lead.lead {
        _ if lead.draft.is_some() => return completed(book, lead),
        Lead::Stem(level) => *level,
        Lead::Stance(stance @ (Stance::Forbid | Stance::Discourage), _) => stance.level()?,
        _ => return here.parent,
    };
    let named = tidy(&lead.text);
    let text = if named.is_empty() { "NEVER".to_owned() } else { named };
    let draft = command_draft(text, level, Vec::new(), (lead.span, lead.span), here);
    let force = if level.is_prohibition() { Force::Explicit } else { Force::Implied };
    Some(book.add(Draft { spans: vec![lead.span], completions: 0, force, ..draft }))
}

/// The norm of a lead-in that what it leads in completes. Behind a prohibition (``never use `eval`; run this instead:``) that is
/// the order that stands in its place.
pub(crate) fn completed(book: &Book<'_>, lead: &LeadIn) -> Option<usize> {
    let draft = lead.draft?;
    if !(book.drafts[draft].level.is_prohibition() && has_word(&lead.text, &["instead", "rather"])) {
        return Some(draft);
    }
    let orders = |one: &Draft| {
        let begins =
            one.spans.first().is_some_and(|span| lead.span.start <= span.start && span.end <= lead.span.end);
        begins && !one.level.is_prohibition()
    };
    book.drafts.iter().rposition(orders)
}

/// Whether what is led in is what must be there where something is done: `never commit without a trailer like this:`.
pub(crate) fn is_demanded(here: &Setting) -> bool {
    let Some(lead) = &here.lead else { return false };
    let forbids = matches!(lead.lead, Lead::Stance(Stance::Forbid | Stance::Discourage, _));
    forbids && has_word(&lead.text, &["without", "unless", "until", "before", "except"])
}

fn ends_with(text: &str, words: &[&str]) -> bool {
    let lower = text.to_lowercase();
    let last = lower.split(|c: char| !c.is_alphanumeric()).rfind(|word| !word.is_empty());
    last.is_some_and(|last| words.contains(&last))
}

fn has_word(text: &str, words: &[&str]) -> bool {
    text.to_lowercase().split(|c: char| !c.is_alphanumeric()).any(|word| words.contains(&word))
}

/// `the 12 lines at SKILL.md:7`.
fn pointer(book: &Book<'_>, body: Span) -> String {
    let (first, last) = book.source.lines_of(body);
    let path = book.source.path().as_ref();
    let name = path.rsplit('/').next().unwrap_or(path);
    format!("the {} lines at {name}:{first}", last + 1 - first)
}

/// Whether a text without a language under an order is what to write, and orders nothing itself: `feature/<ticket>`.
pub(crate) fn is_literal(body: &str, here: &Setting) -> bool {
    let full = here.lead.as_ref().is_some_and(|lead| lead.draft.is_some());
    let lines = || body.lines().map(str::trim).filter(|line| !line.is_empty());
    full && lines().count() <= 2
        && !lines().any(|line| orders(line) || is_shouted(line) || line.ends_with(':'))
}

/// Whether what leads the fence in is about saying or showing: then the fence is the text, not orders.
pub(crate) fn says(here: &Setting) -> bool {
    const SPEECH: &[&str] = &[
        "present",
        "say",
        "ask",
        "tell",
        "report",
        "announce",
        "show",
        "output",
        "confirm",
        "reply",
        "respond",
        "display",
        "print",
        "print:",
        "prompt",
        "message",
        "template",
        "format",
        "write",
        "return",
        "create",
        "include",
        "offer",
        "suggest",
        "propose",
        "notify",
        "options",
        "structure",
        "append",
        "prepend",
        "insert",
        "paste",
        "instructions",
        "footer",
        "trailer",
        "disclaimer",
        "confirmation",
        "greeting",
        "response",
        "reply",
    ];
    here.lead.as_ref().is_some_and(|lead| has_word(&lead.text, SPEECH))
}

/// `Append this block:`, `Worker instructions:`: the norm that hands a text on, word for word, to others.
fn handed_on(book: &mut Book<'_>, text: &str, here: &Setting) -> Option<usize> {
    const VERBS: &[&str] = &["append", "prepend", "insert", "paste", "add"];
    const NAMES: &[&str] = &["instructions", "prompt", "footer", "header", "trailer", "disclaimer", "notice"];
    let lead = here.lead.as_ref().filter(|_| !text.is_empty())?;
    let words = lead.text.split_whitespace().count();
    let neutral = matches!(lead.lead, Lead::Stance(Stance::Neutral | Stance::Order, _));
    let names = words <= 5 && ends_with(&lead.text, NAMES);
    if lead.draft.is_some() && (names || has_word(&lead.text, VERBS)) {
        return completed(book, lead).filter(|&norm| !book.drafts[norm].level.is_prohibition());
    }
    (neutral && names && lead.draft.is_none()).then(|| norm_of_lead(book, here))
}

/// Longer texts are pointed at.
const LONGEST_SPEECH: usize = 240;

/// A text to say or a form to fill in: short ones complete their order, long ones are pointed at.
pub(crate) fn speech(book: &mut Book<'_>, body: Span, here: &Setting) {
    let source = book.source.clone();
    let lines: Vec<&str> =
        source.slice(body).lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let text = lines.join(" / ");
    let short = !text.is_empty() && text.chars().count() <= LONGEST_SPEECH;
    let begun = here.lead.as_ref().is_some_and(|lead| lead.draft.is_none()) && !text.is_empty();
    if let Some(whole) = handed_on(book, &text, here) {
        let long = text.chars().count() > 700;
        let first = lines.first().copied().unwrap_or_default();
        let text = if long { format!("{first} … {}", pointer(book, body)) } else { text };
        return book.complete(whole, &text, body, Vec::new());
    }
    match led_norm(book, here) {
        Some(draft) if short => book.complete(draft, &text, body, Vec::new()),
        Some(draft) if begun => {
            let pointer = pointer(book, body);
            book.complete(draft, &pointer, body, Vec::new());
        }
        _ => book.omit(body, OmissionReason::Example),
    }
}

/// `### Ask the owner`, `### 5. Report the result` right above a fence, or above a condition that leads it in: the fence is what to say.
pub(crate) fn said_by_heading(book: &Book<'_>, here: &Setting) -> bool {
    const VERBS: &[&str] = &[
        "ask", "report", "present", "announce", "tell", "confirm", "notify", "inform", "offer", "reply",
        "respond",
    ];
    let free = match &here.lead {
        None => here.above.is_empty(),
        Some(lead) => lead.lead == Lead::Condition && lead.draft.is_none(),
    };
    let Some(heading) = here.heading.filter(|_| free && here.section != Stance::Example) else {
        return false;
    };
    let mut words =
        book.headings[heading].text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let numbered = |word: &&str| {
        word.chars().all(|c| c.is_ascii_digit())
            || ["step", "phase"].iter().any(|name| word.eq_ignore_ascii_case(name))
    };
    let verb = words.by_ref().find(|word| !numbered(word));
    verb.is_some_and(|verb| VERBS.iter().any(|known| known.eq_ignore_ascii_case(verb)))
        && words.next().is_some()
}

/// What such a heading says to say.
pub(crate) fn said(book: &mut Book<'_>, body: Span, here: &Setting) {
    let source = book.source.clone();
    let lines: Vec<&str> =
        source.slice(body).lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    if lines.is_empty() {
        return;
    }
    let text = lines.join(" / ");
    let norm = norm_of_lead(book, here);
    let text = if text.chars().count() <= LONGEST_SPEECH { text } else { pointer(book, body) };
    book.complete(norm, &text, body, Vec::new());
}
