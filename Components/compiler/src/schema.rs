//! Schemas: one line a type, with the stretches of the schema that it rests on, and the law in their comments and annotations.

use std::collections::BTreeSet;
use std::sync::Arc;

use mentci_authority::{EntryKind, Omission, OmissionReason, SourceSpan};
use mentci_reader::capnp::{Schema, Subject};
use mentci_source::{Source, Span};

use crate::LawReading;
use crate::cover::{gaps, omit, place, trimmed};
use crate::fact::FactLine;
use crate::law::read_remarks;
use crate::remarks::remarks;

/// A schema and its text.
#[derive(Debug, Clone)]
pub struct SchemaSource {
    /// The text.
    pub source: Source,
    /// What it declares.
    pub schema: Arc<Schema>,
    /// What its comments, and the texts of its annotations, order. It holds for the whole workspace.
    pub law: Arc<LawReading>,
}

impl SchemaSource {
    /// Reads the law of a schema that was read from `source`.
    pub fn new(source: Source, schema: Arc<Schema>) -> Self {
        let law = Arc::new(read_remarks(&source, &remarks(&source, &schema)));
        Self { source, schema, law }
    }
}

/// The types of all schemas as lines, those that the law mentions first, and what of the schemas no line rests on.
pub(crate) fn schema_lines(
    schemas: &[SchemaSource],
    mentions: &BTreeSet<&str>,
) -> (Vec<FactLine>, Vec<Omission>) {
    let mut schemas: Vec<&SchemaSource> = schemas.iter().collect();
    schemas.sort_by(|a, b| a.source.path().cmp(b.source.path()));
    let mut lines = Vec::new();
    let mut omitted = Vec::new();
    let mut names = BTreeSet::new();
    for schema in schemas {
        for (index, fact) in schema.schema.types.iter().enumerate() {
            let short = fact.name.rsplit('.').next().unwrap_or(&fact.name);
            let is_mentioned = mentions.contains(fact.name.as_str()) || mentions.contains(short);
            let line = FactLine {
                key: key(&mut names, &fact.name, schema.source.path()),
                kind: EntryKind::Schema,
                text: fact.shape.clone(),
                spans: spans(schema, index),
            };
            lines.push((!is_mentioned, line));
        }
        omitted.extend(rest(schema));
    }
    lines.sort_by_key(|(is_other, _)| *is_other);
    (lines.into_iter().map(|(_, line)| line).collect(), omitted)
}

/// A type keeps its number while its shape changes; of several with one name, the later ones are told apart by path.
fn key(names: &mut BTreeSet<String>, name: &str, path: &str) -> String {
    let plain = format!("schema {name}");
    if names.insert(plain.clone()) { plain } else { format!("schema {name} {path}") }
}

fn spans(schema: &SchemaSource, index: usize) -> Vec<SourceSpan> {
    let own = schema.schema.pieces.iter().filter(|piece| piece.subject == Subject::Type(index));
    own.map(|piece| place(&schema.source, piece.span)).collect()
}

/// What no line rests on; of comments, what is no law.
fn rest(schema: &SchemaSource) -> Vec<Omission> {
    let mut law: Vec<Span> =
        schema.law.norms.iter().flat_map(|norm| &norm.provenance.spans).map(|at| at.span).collect();
    let free = gaps(schema.source.text().len(), &mut law);
    let pieces = schema.schema.pieces.iter();
    pieces
        .flat_map(|piece| {
            let reason = match piece.subject {
                Subject::Type(index) if index < schema.schema.types.len() => return Vec::new(),
                Subject::Docs(_) | Subject::Comment => OmissionReason::Comment,
                _ => OmissionReason::Description,
            };
            let left = within(piece.span, &free);
            left.filter_map(|span| trimmed(&schema.source, span))
                .filter(|span| *span == piece.span || schema.source.slice(*span) != "#")
                .map(|span| omit(&schema.source, span, reason))
                .collect()
        })
        .collect()
}

/// The parts of `span` in `free`, which is sorted and disjoint.
fn within(span: Span, free: &[Span]) -> impl Iterator<Item = Span> {
    let first = free.partition_point(|gap| gap.end <= span.start);
    let gaps = free[first..].iter().take_while(move |gap| gap.start < span.end);
    gaps.map(move |gap| Span { start: gap.start.max(span.start), end: gap.end.min(span.end) })
}
