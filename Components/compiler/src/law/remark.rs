//! Remarks: law that stands beside what it is about, such as the comments of a schema.
//!
//! A remark describes first of all; what a type is, and what its program does, is often said in words that would order in a playbook. So only
//! what says `must` or `must not`, or orders by `never`, `always` or `do not`, is law, and it says of what.

use std::collections::HashMap;

use mentci_authority::{EntryKind, Force, Level, Norm, NormId, Scope};
use mentci_reader::markdown::{Block, BlockKind, read_within};
use mentci_source::Source;

use super::outline::Outline;
use super::section::Document;
use super::{LawKind, LawReading};

/// A text beside what it is about, in lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Remark {
    /// What it is about: `Session.token`, or the file's name.
    pub(crate) subject: String,
    /// Its lines, without what marks them as a comment, and where each begins in the source.
    pub(crate) lines: Vec<(usize, String)>,
}

/// Reads the law of remarks. What is no law is not listed: that is left to whoever knows the rest of the source.
pub(crate) fn read_remarks(source: &Source, remarks: &[Remark]) -> LawReading {
    let mut norms: Vec<Norm> = Vec::new();
    let mut by_id: HashMap<NormId, usize> = HashMap::new();
    for norm in remarks.iter().flat_map(|remark| remark.law(source)) {
        if let Some(&first) = by_id.get(&norm.id) {
            norms[first].provenance.spans.extend(norm.provenance.spans);
        } else {
            by_id.insert(norm.id.clone(), norms.len());
            norms.push(norm);
        }
    }
    LawReading {
        source: source.clone(),
        kind: LawKind::Workspace,
        norms,
        omitted: Vec::new(),
        findings: Vec::new(),
    }
}

impl Remark {
    fn law(&self, source: &Source) -> Vec<Norm> {
        let said = || self.lines.iter().map(|(_, line)| line);
        if !said().any(|line| may_order(line)) || said().any(|line| is_licence(line)) {
            return Vec::new();
        }
        let mut blocks = self.blocks();
        drop_code(&mut blocks);
        let outline = Outline::of(&blocks);
        let norms = Document { source, outline: &outline, blocks: &blocks }.read().norms(&Scope::Workspace);
        norms.into_iter().filter(is_law).map(|norm| self.named(norm)).collect()
    }

    fn blocks(&self) -> Vec<Block> {
        let mut text = String::new();
        let mut starts = Vec::with_capacity(self.lines.len());
        for (place, line) in &self.lines {
            starts.push((text.len(), *place));
            text.push_str(line);
            text.push('\n');
        }
        read_within(&text, |at| {
            let line = starts.partition_point(|(start, _)| *start <= at).saturating_sub(1);
            starts.get(line).map_or(at, |(start, place)| place + (at - start))
        })
    }

    /// The norm with what it is about.
    fn named(&self, mut norm: Norm) -> Norm {
        norm.text = self.with_subject(&norm.text);
        // What is left out of a short form may be what names the subject.
        norm.terse = None;
        norm.step = None;
        if norm.kind == EntryKind::Procedure {
            norm.kind = EntryKind::Norm;
        }
        norm.id = NormId::of(Some(norm.level), &norm.text, norm.condition.as_deref(), "");
        norm
    }

    /// `must not be empty` is said of the subject, all else behind its name; what names it already stays.
    fn with_subject(&self, text: &str) -> String {
        let subject = &self.subject;
        let opening = text.split_whitespace().next().unwrap_or_default();
        if words(text).any(|word| word == subject) {
            text.to_owned()
        } else if opening.eq_ignore_ascii_case("must") {
            format!("{subject} {}{}", opening.to_lowercase(), &text[opening.len()..])
        } else {
            format!("{subject}: {text}")
        }
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.')).map(|word| word.trim_matches('.'))
}

/// Code and raw HTML in a remark are examples.
fn drop_code(blocks: &mut Vec<Block>) {
    blocks.retain(|block| !matches!(block.kind, BlockKind::Fence { .. } | BlockKind::Html));
    for block in blocks {
        drop_code(&mut block.children);
    }
}

const ORDERING: &[&str] = &["must", "mustn't", "never", "always", "not", "don't"];

/// Whether a line has a word by which a remark orders: most have none, and need not be read.
fn may_order(line: &str) -> bool {
    line.split(|c: char| !(c.is_alphabetic() || c == '\''))
        .any(|word| ORDERING.iter().any(|ordering| word.eq_ignore_ascii_case(ordering)))
}

fn is_licence(line: &str) -> bool {
    let line = line.to_lowercase();
    ["copyright", "licensed under", "permission is hereby", "warranties"]
        .iter()
        .any(|word| line.contains(word))
}

/// Whether a norm of a remark orders, and does not only describe.
fn is_law(norm: &Norm) -> bool {
    if !matches!(norm.level, Level::Must | Level::MustNot) {
        return false;
    }
    let text = norm.text.to_lowercase().replace('\u{2019}', "'");
    let says_must = norm.force == Force::Explicit && is_demand(&text);
    says_must || clauses(&text).any(|clause| orders(clause, norm.level))
}

/// `must`, said neither of ourselves, nor of what is not named, nor of what must be so already.
fn is_demand(text: &str) -> bool {
    const UNNAMED: &[&str] = &["we", "i", "let's", "they"];
    let words: Vec<&str> = text.split_whitespace().collect();
    let Some(at) = words.iter().position(|word| matches!(*word, "must" | "mustn't")) else { return false };
    let is_unnamed = words[..at].iter().any(|word| UNNAMED.contains(word));
    let is_past = |word: &&str| word.ends_with("ed") || ["been", "come"].contains(word);
    let is_guess = words.get(at + 1) == Some(&"have") && words.get(at + 2).is_some_and(is_past);
    // `Imported files must be:` goes on in a list.
    let is_whole = words.len() > at + if words.get(at + 1) == Some(&"be") { 2 } else { 1 };
    !is_unnamed && !is_guess && is_whole
}

/// `never reorder fields`, `do not use`, `always bump the version`: not `never used here`, `don't want to wait`.
fn orders(clause: &str, level: Level) -> bool {
    const FEELING: &[&str] = &["want", "need", "have", "know", "care", "mean", "exist", "matter", "support"];
    let told = |verb: &str| !(FEELING.contains(&verb) || verb.ends_with("ed") || verb.ends_with("ing"));
    let mut words = clause.split_whitespace();
    match (words.next(), words.next(), words.next()) {
        (Some("never" | "don't"), Some(verb), _) | (Some("do"), Some("not"), Some(verb)) => {
            level == Level::MustNot && told(verb)
        }
        (Some("always"), Some(verb), _) => {
            level == Level::Must && super::is_verb(verb) && told(verb) && !verb.ends_with('s')
        }
        _ => false,
    }
}

fn clauses(text: &str) -> impl Iterator<Item = &str> {
    text.split([',', ';', ':', '.']).flat_map(|part| part.split(" - ")).map(str::trim)
}
