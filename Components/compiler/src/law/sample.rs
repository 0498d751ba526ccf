//! Code and texts that a lead-in speaks of: what completes an order, or is forbidden, stands in its norm.

use mentci_authority::{Force, Level, OmissionReason};
use mentci_source::Span;

use super::annotation::{fresh_heading, names_procedure, norm_of_lead};
use super::draft::{Book, Draft};
use super::fence::{command_draft, is_shouted, orders, placed};
use super::setting::{LeadIn, Setting};
use super::speech::condense::tidy;
use super::speech::excerpt::{code, declares, is_data, remarked, text as excerpt};
use super::speech::lead::Lead;
use super::speech::number::Numbered;
use super::speech::stance::Stance;
use super::steps::named_step;

/// Code that an order leads in: what of it fits into a line completes it; more is pointed at where it is forbidden.
pub(crate) fn sample(book: &mut Book<'_>, body: Span, here: &Setting) {
    const SHOWN: &[&str] = &["output", "outputs", "result", "results", "response", "responses", "returns"];
    let forbids = match here.lead.as_ref().map(|lead| (&lead.lead, lead.draft)) {
        Some((Lead::Stance(Stance::Forbid | Stance::Discourage, _), _)) => true,
        Some((_, Some(draft))) => book.drafts[draft].level.is_prohibition(),
        _ => false,
    };
    // `Probe output:` above what the probe answers.
    let shown = here.lead.as_ref().is_some_and(|lead| ends_with(&lead.text, SHOWN));
    let text = book.source.slice(body);
    let told = remarked(text).or_else(|| code(text)).filter(|_| forbids || !shown);
    let empty = book.source.slice(body).trim().is_empty();
    let tells = told.is_some();
    let begun = led_norm(book, here).or_else(|| headed(book, body, here).filter(|_| tells));
    let whole = told.as_ref().is_some_and(|(text, _)| !text.contains('…'));
    let names =
        tells && (names_act(book, here) || names_pattern(here)) || whole && names_data(book, body, here);
    // `The log must hold:` binds, be what it leads in too long to stand here.
    let binds = here.lead.as_ref().is_some_and(|lead| {
        let bound = matches!(lead.lead, Lead::Stem(Level::Must) | Lead::Stance(Stance::Order, _));
        bound && lead.draft.is_none() && has_word(&lead.text, &["must", "shall", "always"])
    });
    let norm = begun.or_else(|| (names || binds && !empty).then(|| norm_of_lead(book, here)));
    if let Some(norm) = norm.filter(|_| binds) {
        book.drafts[norm].force = Force::Explicit;
    }
    match norm.filter(|_| tells || (forbids || binds) && !empty) {
        Some(draft) => {
            if let Some((text, pieces)) = told {
                book.complete(draft, &text, body, pieces);
            } else {
                let pointer = pointer(book, body);
                book.complete(draft, &pointer, body, Vec::new());
            }
        }
        None => book.omit(body, OmissionReason::Code),
    }
}

/// The norm that a heading right above is itself: `A skeleton is mandatory`, `Clocks (never fork)`.
pub(crate) fn headed(book: &mut Book<'_>, body: Span, here: &Setting) -> Option<usize> {
    if here.lead.is_some() || matches!(here.section, Stance::Example | Stance::Describe) {
        return None;
    }
    let heading = fresh_heading(book, body, here)?;
    let span = book.headings[heading].span;
    let within = |inner: &Span| span.start <= inner.start && inner.end <= span.end;
    let own = book.drafts.iter().rposition(|draft| draft.spans.first().is_some_and(within));
    if own.is_some() {
        return own;
    }
    let level = book.headings[heading].forbids_all.and_then(Stance::level)?;
    let norm = norm_of_lead(book, here);
    (book.drafts[norm].level, book.drafts[norm].force) = (level, Force::Explicit);
    Some(norm)
}

/// `Saving the draft:` above code, in a step: what the code does is named, and the code is how.
fn names_act(book: &Book<'_>, here: &Setting) -> bool {
    const LONGEST: usize = 4;
    let told = matches!(here.section, Stance::Example | Stance::Describe);
    here.lead.as_ref().filter(|lead| lead.draft.is_none() && !told).is_some_and(|lead| {
        let mut words = lead.text.split_whitespace();
        let first = words.next().unwrap_or_default().to_lowercase();
        let stepped = || book.open.iter().any(|&heading| named_step(&book.headings[heading].text).is_some());
        matches!(
            lead.lead,
            Lead::Stance(Stance::Neutral | Stance::Order | Stance::Advise | Stance::Describe, _)
        ) && stepped()
            && first.len() > 5
            && first.ends_with("ing")
            && (1..LONGEST).contains(&words.count())
    })
}

/// `Pattern to follow:`, `Required setup:` above code: that is how it is written.
fn names_pattern(here: &Setting) -> bool {
    const LONGEST: usize = 6;
    const BINDING: &[&str] = &["follow", "required", "mandatory", "canonical", "copy"];
    let told = matches!(here.section, Stance::Example | Stance::Describe);
    here.lead.as_ref().filter(|lead| lead.draft.is_none() && !told).is_some_and(|lead| {
        let bound = matches!(
            lead.lead,
            Lead::Stance(Stance::Neutral | Stance::Order | Stance::Advise | Stance::Describe, _)
        );
        let short = (1..=LONGEST).contains(&lead.text.split_whitespace().count());
        bound
            && short
            && has_word(&lead.text, BINDING)
            && !ends_with(&lead.text, &["example", "examples", "follow-up"])
    })
}

/// Data right under a heading: among requirements and guidelines, or by the name of the heading (`const berths = {` under `Berths`).
fn names_data(book: &Book<'_>, body: Span, here: &Setting) -> bool {
    const BINDING: &[&str] = &[
        "guideline",
        "guidelines",
        "standard",
        "standards",
        "convention",
        "conventions",
        "rules",
        "requirements",
        "specification",
        "specs",
    ];
    let free = here.lead.is_none() && here.parent.is_none();
    if !free || matches!(here.section, Stance::Example | Stance::Forbid | Stance::Discourage) {
        return false;
    }
    let Some(heading) = fresh_heading(book, body, here).map(|heading| &book.headings[heading]) else {
        return false;
    };
    let text = book.source.slice(body);
    let binds =
        || is_data(text) && book.open.iter().any(|&heading| has_word(&book.headings[heading].text, BINDING));
    matches!(here.section, Stance::Order | Stance::Advise)
        || here.section != Stance::Describe && binds()
        || here.section != Stance::Describe && declares(text, &heading.text)
}

/// Whether a condition leads in code: `If no tab is open:`.
pub(crate) fn calls(language: &str, here: &Setting) -> bool {
    !language.is_empty() && in_case(here)
}

/// Whether a condition leads in what is to be done. What is seen or shown then is none of it.
fn in_case(here: &Setting) -> bool {
    const SEEN: &[&str] = &[
        "see",
        "sees",
        "get",
        "gets",
        "error",
        "output",
        "message",
        "shows",
        "returns",
        "like",
        "contains",
        "answers",
        "says",
        "prints",
        "reports",
        "replies",
        "responds",
        "displays",
        "reads",
        "complains",
    ];
    here.lead.as_ref().is_some_and(|lead| lead.lead == Lead::Condition && !has_word(&lead.text, SEEN))
}

/// `If no berth is free:` above a short text that orders nothing: that is what is said then.
pub(crate) fn told_in_case(book: &mut Book<'_>, body: Span, here: &Setting) -> bool {
    const MOST: usize = 6;
    let source = book.source.clone();
    let lines = || source.slice(body).lines().map(str::trim).filter(|line| !line.is_empty());
    let short = (1..=MOST).contains(&lines().count());
    let seen = |line: &str| {
        let first = line.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_lowercase();
        matches!(first.as_str(), "error" | "warning" | "fatal" | "panic" | "traceback" | "exception")
    };
    let other = |line: &str| is_shouted(line) || line.starts_with(['-', '*']) || seen(line);
    if !short || !in_case(here) || lines().any(other) {
        return false;
    }
    // `draught = depth - keel`
    let formula = |line: &str| {
        line.split_once(" = ").is_some_and(|(left, right)| {
            [left, right].iter().all(|side| !side.contains(['(', '{', ';', '"', '\'']) && side.contains(' '))
        })
    };
    let sentences =
        lines().any(|line| line.ends_with(['.', '!', '?']) && line.contains(' ') || formula(line));
    let Some(text) = told(book, body).filter(|_| sentences) else { return false };
    let norm = norm_of_lead(book, here);
    book.complete(norm, &format!("\"{text}\""), body, Vec::new());
    true
}

/// Code under a condition: a short call is what to do then.
pub(crate) fn called(book: &mut Book<'_>, body: Span, here: &Setting) {
    let Some((text, pieces)) = code(book.source.slice(body)) else {
        return book.omit(body, OmissionReason::Code);
    };
    let norm = norm_of_lead(book, here);
    book.complete(norm, &text, body, pieces);
}

/// Whether a bare name leads in how something is called: `Claim file:`, `Branch name:`.
pub(crate) fn is_name(body: &str, here: &Setting) -> bool {
    const NAMES: &[&str] =
        &["file", "path", "name", "pattern", "location", "branch", "directory", "folder", "tag"];
    let text = body.trim();
    let one = !text.is_empty() && !text.contains('\n') && text.split_whitespace().count() <= 3;
    let lead = here.lead.as_ref().filter(|lead| lead.draft.is_none() && one);
    // `Save the log to:` above a path.
    let put = |lead: &LeadIn| {
        matches!(lead.lead, Lead::Stem(Level::Must | Level::Should))
            && text.contains(['/', '.'])
            && ends_with(&lead.text, &["to", "at", "in", "under"])
    };
    lead.is_some_and(|lead| {
        put(lead)
            || matches!(lead.lead, Lead::Stance(Stance::Neutral | Stance::Order, _))
                && lead.text.split_whitespace().count() <= 4
                && ends_with(&lead.text, NAMES)
                && !has_word(&lead.text, &["error", "output", "result"])
    })
}

/// The name that a bare name leads in.
pub(crate) fn named(book: &mut Book<'_>, body: Span, here: &Setting) {
    let name = book.source.slice(body).trim().to_owned();
    let norm = led_norm(book, here).unwrap_or_else(|| norm_of_lead(book, here));
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
        Lead::Stance(Stance::Advise, _) if recommends(&lead.text) => Level::Should,
        _ => return here.parent,
    };
    let named = tidy(&lead.text);
    let text = if named.is_empty() { "NEVER".to_owned() } else { named };
    let draft = command_draft(text, level, Vec::new(), (lead.span, lead.span), here);
    let force = if level.is_prohibition() { Force::Explicit } else { Force::Implied };
    Some(book.add(Draft { spans: vec![lead.span], completions: 0, force, ..draft }))
}

/// `Run the following command. Replace {berth} by its number:`: the order before the last one speaks of what follows.
fn follows_order(book: &Book<'_>, draft: usize) -> Option<usize> {
    let points = |at: usize| book.drafts[at].text.to_lowercase().contains("following command");
    let before = draft.checked_sub(1).filter(|&before| points(before) && !points(draft))?;
    (book.drafts[before].heading == book.drafts[draft].heading).then_some(before)
}

/// `Recommended settings:`: what it leads in is advised.
pub(crate) fn recommends(lead: &str) -> bool {
    const LONGEST: usize = 4;
    let first = lead.split(' ').next().unwrap_or_default().trim_end_matches(':').to_lowercase();
    let shows = has_word(lead, &["version", "example", "usage", "output", "approach"]);
    lead.split(' ').count() <= LONGEST
        && !shows
        && matches!(first.as_str(), "recommended" | "preferred" | "suggested")
}

/// The norm of a lead-in that what it leads in completes. Behind a prohibition (``never use `eval`; run this instead:``) that is
/// the order that stands in its place.
pub(crate) fn completed(book: &Book<'_>, lead: &LeadIn) -> Option<usize> {
    let draft = lead.draft?;
    if let Some(before) = follows_order(book, draft) {
        return Some(before);
    }
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
    book.names_lines.set(true);
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
        "explain",
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
        "inform",
        "emit",
        "warn",
        "remind",
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
        "spawn",
        "delegate",
        "instruct",
    ];
    here.lead.as_ref().is_some_and(|lead| has_word(&lead.text, SPEECH))
}

/// `Final rule`, `The first law` right above a short text: the text is that rule.
pub(crate) fn is_law(book: &Book<'_>, body: Span, here: &Setting) -> bool {
    const MOST: usize = 4;
    const LAWS: &[&str] = &["rule", "law", "mandate", "commandment", "invariant"];
    let free = here.lead.is_none() && here.parent.is_none();
    if !free || matches!(here.section, Stance::Example | Stance::Describe) {
        return false;
    }
    let lines = book.source.slice(body).lines().filter(|line| !line.trim().is_empty()).count();
    (1..=MOST).contains(&lines)
        && fresh_heading(book, body, here)
            .is_some_and(|heading| ends_with(&book.headings[heading].text, LAWS))
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

/// A text to say or a form to fill in: it completes its order, and where it is long its outer lines do.
pub(crate) fn speech(book: &mut Book<'_>, body: Span, here: &Setting) {
    let source = book.source.clone();
    let lines: Vec<&str> =
        source.slice(body).lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let text = lines.join(" / ");
    if let Some(whole) = handed_on(book, &text, here) {
        let long = text.chars().count() > 700;
        let first = lines.first().copied().unwrap_or_default();
        let text = if long { format!("{first} … {}", pointer(book, body)) } else { text };
        return book.complete(whole, &text, body, Vec::new());
    }
    match (led_norm(book, here), told(book, body)) {
        (Some(draft), Some(_)) if outline(book, body, draft) => {}
        (Some(draft), Some(text)) => book.complete(draft, &text, body, Vec::new()),
        _ => book.omit(body, OmissionReason::Example),
    }
}

/// A text of numbered parts, each with what belongs into it: part by part it completes its order. False where it is none, or short.
fn outline(book: &mut Book<'_>, body: Span, norm: usize) -> bool {
    const FEWEST: usize = 3;
    const LONG: usize = 420;
    let source = book.source.clone();
    let text = source.slice(body);
    if text.len() <= LONG || book.drafts[norm].level.is_prohibition() {
        return false;
    }
    let mut parts: Vec<(String, Span)> = Vec::new();
    for (line, at) in placed(text, body) {
        let said = line.trim().trim_start_matches(['-', '*', '•', ' ']);
        if said.is_empty() {
            continue;
        }
        let opens = Numbered::of(line).is_some_and(|item| item.mark == '.');
        let start = at + line.len() - line.trim_start().len();
        let span = Span::new(start, at + line.trim_end().len());
        match parts.last_mut().filter(|_| !opens) {
            Some((part, whole)) if line.starts_with(' ') => {
                let mark = if part.contains(": ") { "; " } else { ": " };
                *part = format!("{part}{mark}{said}");
                *whole = whole.join(span);
            }
            None if opens => parts.push((said.to_owned(), span)),
            _ => return false,
        }
    }
    if parts.len() < FEWEST {
        return false;
    }
    for (part, span) in parts {
        book.complete(norm, &part, span, Vec::new());
    }
    book.omit(body, OmissionReason::Example);
    true
}

/// What of a text stands in a line; what does not fit is pointed at.
pub(crate) fn told(book: &Book<'_>, body: Span) -> Option<String> {
    let (text, whole) = excerpt(book.source.slice(body))?;
    Some(if whole { text } else { format!("{text} {}", pointer(book, body)) })
}

/// `### Ask the owner`, `### 5. Report the result` right above a fence, or above a condition that leads it in: the fence is what to say.
pub(crate) fn said_by_heading(book: &Book<'_>, here: &Setting) -> bool {
    const VERBS: &[&str] = &[
        "ask", "report", "present", "announce", "tell", "confirm", "notify", "inform", "offer", "reply",
        "respond", "write", "draft", "compose",
    ];
    // `Show the closing message`, and not `Show the log`.
    const SHOWING: &[&str] = &["show", "display", "print", "output", "send"];
    const SHOWN: &[&str] = &[
        "message",
        "summary",
        "banner",
        "report",
        "menu",
        "results",
        "confirmation",
        "prompt",
        "warning",
        "notice",
        "status",
        "greeting",
        "options",
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
    let among = |word: &str, known: &[&str]| known.iter().any(|known| known.eq_ignore_ascii_case(word));
    let Some(verb) = words.by_ref().find(|word| !numbered(word)) else { return false };
    among(verb, VERBS) && words.next().is_some()
        || among(verb, SHOWING) && words.any(|word| among(word, SHOWN))
}

/// What such a heading says to say.
pub(crate) fn said(book: &mut Book<'_>, body: Span, here: &Setting) {
    let Some(text) = told(book, body) else { return };
    let norm = norm_of_lead(book, here);
    book.complete(norm, &text, body, Vec::new());
}

/// Whether a bare name leads in a text under a heading that speaks of what is to be said: `Banners`, `Output`.
pub(crate) fn said_by_name(book: &Book<'_>, body: Span, here: &Setting) -> bool {
    const TEXTS: &[&str] = &["template", "shape", "banner", "disclaimer", "wording", "checklist"];
    const NAMES: &[&str] = &[
        "output",
        "outputs",
        "message",
        "messages",
        "banner",
        "banners",
        "response",
        "responses",
        "reply",
        "replies",
        "template",
        "templates",
        "report",
        "reports",
        "wording",
        "phrasing",
    ];
    const LONGEST: usize = 5;
    let bare = here.lead.as_ref().filter(|lead| lead.draft.is_none()).is_some_and(|lead| {
        matches!(lead.lead, Lead::Condition | Lead::Stance(Stance::Neutral | Stance::Order, _))
            && (1..=LONGEST).contains(&lead.text.split_whitespace().count())
    });
    let follows = |lead: &LeadIn| {
        let bound = matches!(lead.lead, Lead::Stance(Stance::Neutral | Stance::Order | Stance::Describe, _));
        lead.draft.is_none() && bound && has_word(&lead.text, &["follow", "follows"])
    };
    // `Invitation template:`
    let texts = |lead: &LeadIn| {
        let bare =
            matches!(lead.lead, Lead::Stance(Stance::Neutral | Stance::Order, _)) && lead.draft.is_none();
        bare && ends_with(&lead.text, TEXTS)
    };
    if here.section != Stance::Example && here.lead.as_ref().is_some_and(texts)
        || is_checklist(book, body, here)
    {
        return true;
    }
    // `Canonical form (in one line):`
    let canonical = |lead: &LeadIn| {
        let bare =
            matches!(lead.lead, Lead::Stance(Stance::Neutral | Stance::Order, _)) && lead.draft.is_none();
        let name = lead.text.split(" (").next().unwrap_or_default();
        // `Minimal pattern:` above `lead -> steer -> moor`
        let text = book.source.slice(body).trim();
        let drawn = !text.contains('\n')
            && (text.contains("->") || text.contains('→'))
            && has_word(name, &["minimal", "standard", "default", "recommended", "basic", "core"])
            && ends_with(name, &["pattern", "flow", "loop", "chain", "sequence"]);
        let formed = has_word(name, &["canonical", "exact", "required"])
            && ends_with(name, &["format", "form", "syntax", "shape"]);
        bare && (drawn || formed)
    };
    if here.section != Stance::Example && here.lead.as_ref().is_some_and(canonical) {
        return true;
    }
    // `Commits follow one pattern:`
    if here.section != Stance::Example && here.lead.as_ref().is_some_and(follows) {
        return true;
    }
    bare && here.section != Stance::Example
        && book.open.iter().any(|&heading| {
            let heading = &book.headings[heading];
            heading.stance != Stance::Example && has_word(&heading.text, NAMES)
        })
}

/// `- [ ] Weigh anchor` under `Tick these off:`, or right under the name of a procedure: what is to be done.
pub(crate) fn is_checklist(book: &Book<'_>, body: Span, here: &Setting) -> bool {
    let boxes = |line: &str| {
        ["- [ ]", "* [ ]", "[ ]", "☐", "□"].iter().any(|mark| line.trim_start().starts_with(mark))
    };
    let text = book.source.slice(body);
    if !text.contains("[ ]") && !text.contains(['☐', '□'])
        || matches!(here.section, Stance::Example | Stance::Describe)
    {
        return false;
    }
    let led = match &here.lead {
        Some(lead) => lead.draft.is_none() && !matches!(lead.lead, Lead::Stance(Stance::Example, _)),
        None => here.parent.is_none() && fresh_heading(book, body, here).is_some(),
    };
    led && text.lines().filter(|line| boxes(line)).count() > 1
}

/// `draft -> check -> FAIL? -> mend` right under `Main loop`: one way, drawn with arrows.
pub(crate) fn flows(book: &Book<'_>, body: Span, here: &Setting) -> bool {
    const LEAST: usize = 3;
    const MOST: usize = 4;
    const MOST_DOWN: usize = 24;
    let text = book.source.slice(body);
    let downward = |line: &str| line.contains('↓') && !line.contains(char::is_alphanumeric);
    let down = text.contains('↓')
        && !text.contains(['├', '└', '┌'])
        && text.lines().count() <= MOST_DOWN
        && text.lines().filter(|line| downward(line)).count() > 1;
    let arrows = text.matches("->").count() + text.matches('→').count();
    let lines = || text.lines().filter(|line| !line.trim().is_empty());
    let told = matches!(here.section, Stance::Example | Stance::Describe) || here.lead.is_some();
    let across = arrows >= LEAST
        && lines().count() <= MOST
        && lines().all(|line| line.contains("->") || line.contains('→'));
    if told || !(across || down) {
        return false;
    }
    let heading = fresh_heading(book, body, here).map(|heading| book.headings[heading].text.to_lowercase());
    heading
        .is_some_and(|heading| names_procedure(&heading) || ends_with(&heading, &["loop", "cycle", "flow"]))
}
