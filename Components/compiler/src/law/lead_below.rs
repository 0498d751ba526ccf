//! Which norm of a list or a paragraph leads in the commands or the list that stand right under it.

use mentci_authority::Level;
use mentci_reader::markdown::{Block, BlockKind};
use mentci_source::Span;

use super::draft::{Book, Draft};
use super::setting::LeadIn;
use super::speech::lead::Lead;

/// `- Inspect the live state:` as the last item, and a fence right under the list: the item leads it in.
pub(super) fn led_by_item(book: &Book<'_>, list: &Block) -> Option<LeadIn> {
    let [only] = &list.children.last()?.children[..] else { return None };
    let text = only.text.as_str().trim_end();
    let (draft, norm) = book.drafts.iter().enumerate().next_back()?;
    let own =
        norm.spans.first().is_some_and(|span| only.span.start <= span.start && span.end <= only.span.end);
    let orders = matches!(norm.level, Level::Must | Level::Should | Level::May);
    (text.ends_with(':') && own && orders).then(|| LeadIn {
        lead: Lead::Order(norm.level),
        text: text.to_owned(),
        span: only.span,
        draft: Some(draft),
        when: None,
    })
}

/// `1. Create one berth a ship` in a list, and `quay berth create …` right under it: of the orders in the list, the one that the command
/// shares its words with leads it in.
pub(super) fn led_by_words(book: &Book<'_>, list: &Block, fence: &Block) -> Option<LeadIn> {
    const LEAST: usize = 2;
    let BlockKind::Fence { language, body, .. } = &fence.kind else { return None };
    let text = book.source.slice(*body);
    if !super::fence::is_shell(language) || text.contains("# ") {
        return None;
    }
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 1);
        words.map(str::to_lowercase).collect()
    };
    let run = words(text.lines().find(|line| !line.trim().is_empty())?);
    let inside = |span: &Span| list.span.start <= span.start && span.end <= list.span.end;
    let shared = |norm: &Draft| words(&norm.text).iter().filter(|word| run.contains(word)).count();
    let mut found: Vec<(usize, usize)> = book
        .drafts
        .iter()
        .enumerate()
        .rev()
        .take(list.children.len() * 2)
        .filter(|(_, norm)| norm.spans.first().is_some_and(inside) && !norm.level.is_prohibition())
        .map(|(at, norm)| (shared(norm), at))
        .collect();
    found.sort_unstable();
    let (most, draft) = found.pop().filter(|(shared, _)| *shared >= LEAST)?;
    if found.last().is_some_and(|(next, _)| *next == most) {
        return None;
    }
    Some(LeadIn::of_draft(&book.drafts, draft, book.drafts[draft].spans[0]))
}

/// ``Call `hail` with the name of the ship.`` and `hail(name="…")` right under it: an order that names what the fence calls.
pub(super) fn led_by_name(book: &Book<'_>, paragraph: &Block, fence: &Block) -> Option<LeadIn> {
    let BlockKind::Fence { body, .. } = &fence.kind else { return None };
    let mut lines = book.source.slice(*body).lines().filter(|line| !line.trim().is_empty());
    let only = lines.next().map(str::trim).filter(|_| lines.next().is_none())?;
    let (draft, norm) = book.drafts.iter().enumerate().next_back()?;
    let own = norm
        .spans
        .first()
        .is_some_and(|span| paragraph.span.start <= span.start && span.end <= paragraph.span.end);
    let calls = |literal: &String| {
        let rest = only.strip_prefix(literal.as_str());
        literal.len() > 2 && rest.is_some_and(|rest| rest.starts_with(['(', ' ']))
    };
    let positive = matches!(norm.level, Level::Must | Level::Should | Level::May);
    (own && positive && norm.literals.iter().any(calls))
        .then(|| LeadIn::of_draft(&book.drafts, draft, paragraph.span))
}

/// `5. Hand out a short report` alone in its list, and points right under it: what it gives.
pub(super) fn led_by_giving(book: &Book<'_>, list: &Block, next: &Block) -> Option<LeadIn> {
    const GIVING: &[&str] = &[
        "output", "report", "return", "produce", "deliver", "present", "list", "record", "collect", "gather",
    ];
    let [item] = &list.children[..] else { return None };
    let numbered = |item: &Block| matches!(item.kind, BlockKind::Item { number: Some(_), .. });
    let [only] = &item.children[..] else { return None };
    let first = only.text.as_str().split_whitespace().next()?.to_lowercase();
    let points = matches!(next.kind, BlockKind::List(_)) && !next.children.iter().any(numbered);
    let (draft, norm) = book.drafts.iter().enumerate().next_back()?;
    let own =
        norm.spans.first().is_some_and(|span| only.span.start <= span.start && span.end <= only.span.end);
    (numbered(item) && points && own && GIVING.contains(&first.as_str()) && norm.level == Level::Must).then(
        || LeadIn {
            lead: Lead::Order(norm.level),
            text: only.text.as_str().trim().to_owned(),
            span: only.span,
            draft: Some(draft),
            when: None,
        },
    )
}

/// `2. Fill the template.`, a fence at the margin, and `3. …` in a list that goes on counting: the fence belongs to the second step.
pub(super) fn led_by_step(book: &Book<'_>, list: &Block, rest: &[Block]) -> Option<LeadIn> {
    let number = |item: &Block| match item.kind {
        BlockKind::Item { number, .. } => number,
        _ => None,
    };
    let item = list.children.last()?;
    let next = rest.iter().find(|block| !matches!(block.kind, BlockKind::Fence { .. }))?;
    let goes_on = number(item)?.checked_add(1) == number(next.children.first()?);
    let [only] = &item.children[..] else { return None };
    if !goes_on || !matches!(rest.first().map(|block| &block.kind), Some(BlockKind::Fence { .. })) {
        return None;
    }
    let (draft, norm) = book.drafts.iter().enumerate().next_back()?;
    let own =
        norm.spans.first().is_some_and(|span| item.span.start <= span.start && span.end <= item.span.end);
    (own && matches!(norm.level, Level::Must | Level::Should | Level::May)).then(|| LeadIn {
        lead: Lead::Order(norm.level),
        text: only.text.as_str().trim().to_owned(),
        span: only.span,
        draft: Some(draft),
        when: None,
    })
}
