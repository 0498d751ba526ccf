//! Quotations: what is to be said, what is shown, a rule between its marks, or law that is set off.

use std::ops::Range;

use mentci_authority::OmissionReason;
use mentci_reader::markdown::{Block, BlockKind, RichText};
use mentci_source::Span;

use super::draft::Book;
use super::sample::{led_norm, says};
use super::setting::{LeadIn, Setting};
use super::speech::guard::plain_in;
use super::speech::lead::Lead;
use super::speech::prose::Prose;
use super::speech::sentence::split_sentences;
use super::speech::stance::Stance;
use super::walk::walk;

/// Reads a quotation.
pub(super) fn quote(book: &mut Book<'_>, block: &Block, here: &mut Setting, next: Option<&BlockKind>) {
    if is_said(here) {
        said(book, block, here);
        here.pass();
    } else if shows_text(here) {
        book.omit(block.span, OmissionReason::Example);
        here.pass();
    } else if matches!(&here.lead, Some(LeadIn { lead: Lead::Condition, .. })) {
        quoted_in_case(book, block, here, next);
    } else if let Some(rule) = quoted_rule(book, block, here) {
        walk(book, &[rule], here);
    } else {
        walk(book, &block.children, here);
    }
}

/// Whether a quotation is a sample, or what is not to be written: `Never write this:`.
fn shows_text(here: &Setting) -> bool {
    let Some(lead) = &here.lead else { return here.section == Stance::Example };
    match lead.lead {
        Lead::Stance(Stance::Example, _) => true,
        Lead::Stance(Stance::Forbid | Stance::Discourage, _) => lead.draft.is_none(),
        Lead::Stem(level) | Lead::Order(level) => level.is_prohibition() && lead.draft.is_none(),
        _ => false,
    }
}

/// Whether a quotation is what an order says to write or to say.
fn is_said(here: &Setting) -> bool {
    here.lead.as_ref().is_some_and(|lead| lead.draft.is_some() && (says(here) || gives_form(&lead.text)))
}

/// `Each entry follows this form:` above a quotation: that is the form.
fn gives_form(lead: &str) -> bool {
    const FORMS: &[&str] = &[
        "form",
        "format",
        "template",
        "shape",
        "wording",
        "structure",
        "syntax",
        "note",
        "notice",
        "disclaimer",
        "sentence",
        "line",
        "message",
        "paragraph",
        "statement",
        "text",
        "question",
        "phrase",
        "warning",
        "footer",
    ];
    let lower = lead.to_lowercase();
    let words = plain_in(&lower);
    let this = |word: &str| matches!(word, "this" | "following" | "exact");
    // `this note`, `this privacy note`
    words.windows(2).any(|pair| this(pair[0]) && FORMS.contains(&pair[1]))
        || words.windows(3).any(|run| this(run[0]) && FORMS.contains(&run[2]) && words.ends_with(run))
}

/// `> "Ring the bell at each turn."` under `The bell rule`: what stands between the marks is that rule.
fn quoted_rule(book: &Book<'_>, quote: &Block, here: &Setting) -> Option<Block> {
    const RULES: &[&str] = &["rule", "law", "principle", "mantra", "mandate"];
    let [only] = &quote.children[..] else { return None };
    let heading = book.headings[here.heading.filter(|_| here.lead.is_none())?].text.to_lowercase();
    let said = book.source.slice(only.span).trim_end();
    let rule = said.strip_prefix(['"', '“'])?.strip_suffix(['"', '”'])?;
    let whole = only.kind == BlockKind::Paragraph
        && here.section != Stance::Example
        && !rule.contains(['\n', '"', '“', '”', '*', '`', '[']);
    let start = only.span.start as usize + said.find(rule)?;
    (whole && plain_in(&heading).iter().any(|word| RULES.contains(word))).then(|| Block {
        text: RichText::plain(rule, Span::new(start, start + rule.len())),
        ..Block::new(BlockKind::Paragraph, quote.span)
    })
}

/// A quotation under `If the lamp fails:`, which holds in that case.
fn quoted_in_case(book: &mut Book<'_>, block: &Block, here: &mut Setting, next: Option<&BlockKind>) {
    let mut inside = here.clone();
    if let Some(lead) = inside.lead.take() {
        inside.under(&lead);
    }
    walk(book, &block.children, &inside);
    // What is asked there is answered by the list below, in the same case.
    if !matches!(next, Some(BlockKind::List(_))) {
        here.pass();
    }
}

/// The sentences that a long text opens with, the first at least.
fn opening(prose: &Prose<'_>, longest: usize) -> Range<usize> {
    let sentences = split_sentences(&prose.words);
    let ends = |sentence: &Range<usize>| prose.words[sentence.end - 1].range.end;
    let within = sentences.iter().take_while(|sentence| ends(sentence) <= longest).last();
    let end = within.or(sentences.first()).map_or(prose.words.len(), |last| last.end);
    // Line breaks belong to no sentence.
    let whole = sentences.last().is_none_or(|last| last.end == end);
    0..if whole { prose.words.len() } else { end }
}

/// A quotation under an order to say something: its words, of a long one the first.
fn said(book: &mut Book<'_>, quote: &Block, here: &Setting) {
    const LONGEST: usize = 400;
    let norm = led_norm(book, here);
    for block in said_blocks(&quote.children) {
        let prose = Prose::new(&block.text);
        let all = 0..prose.words.len();
        match norm.filter(|_| block.kind == BlockKind::Paragraph) {
            Some(norm) if !all.is_empty() => {
                let kept = opening(&prose, LONGEST);
                let span = prose.span(&kept);
                let lines: Vec<&str> = book
                    .source
                    .slice(span)
                    .lines()
                    .map(|line| line.trim_start_matches(['>', ' ']).trim())
                    .collect();
                let text = lines.join(" ");
                // `**Free of charge**, by day`: the first mark stands in front of the words.
                let text =
                    if text.matches("**").count().is_multiple_of(2) { text } else { text.replace("**", "") };
                let more = if kept == all { "" } else { " …" };
                book.complete(norm, &format!("{}{more}", text.trim()), span, Vec::new());
                if kept != all {
                    book.omit(prose.span(&(kept.end..all.end)), OmissionReason::Example);
                }
            }
            _ => book.omit(block.span, OmissionReason::Example),
        }
    }
}

/// The blocks of a quotation; of a list that is short the texts of its items.
fn said_blocks(blocks: &[Block]) -> impl Iterator<Item = &Block> {
    const MOST: usize = 8;
    blocks.iter().flat_map(|block| {
        let plain = |item: &Block| item.children.len() == 1;
        let listed = matches!(block.kind, BlockKind::List(_))
            && block.children.len() <= MOST
            && block.children.iter().all(plain);
        let items = block.children.iter().filter(move |_| listed).map(|item| &item.children[0]);
        std::iter::once(block).filter(move |_| !listed).chain(items)
    })
}
