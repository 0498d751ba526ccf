//! Schema facts: one line a type, with the stretches of the schema that it rests on.

use std::collections::BTreeSet;
use std::sync::Arc;

use mentci_authority::{EntryKind, Omission, OmissionReason, SourceSpan};
use mentci_reader::capnp::{Schema, Subject};
use mentci_source::Source;

use crate::cover::{omit, place};
use crate::fact::FactLine;

/// A schema and its text.
#[derive(Debug, Clone)]
pub struct SchemaSource {
    /// The text.
    pub source: Source,
    /// What it declares.
    pub schema: Arc<Schema>,
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

fn rest(schema: &SchemaSource) -> Vec<Omission> {
    let pieces = schema.schema.pieces.iter();
    pieces
        .filter_map(|piece| {
            let reason = match piece.subject {
                Subject::Type(index) if index < schema.schema.types.len() => return None,
                Subject::Docs(_) | Subject::Comment => OmissionReason::Comment,
                _ => OmissionReason::Description,
            };
            Some(omit(&schema.source, piece.span, reason))
        })
        .collect()
}
