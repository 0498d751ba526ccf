//! From text to schema.

use mentci_source::{Code, Finding, Reading, Source, Span};

use super::duplicate::duplicates;
use super::parser::Parser;
use super::piece::pieces;
use super::shape::facts;
use super::unknown::unknown_types;
use super::{Piece, Schema, Subject, TypeFact};

/// Reads a schema. Never fails: what does not parse is a finding, and reading goes on at the next declaration.
///
/// Findings: `E0301` where it does not parse, `E0302` when it is a binary message (the schema is empty then), `E0303`
/// where a scope gives a name or an ordinal twice, `E0304` where everything parses and a type is named that is neither
/// declared in sight nor imported.
///
/// ```
/// use mentci_reader::capnp;
/// use mentci_source::Source;
///
/// let text = "struct DaemonStatus { version @0 :Text; uptime @1 :UInt64; }\nenum Color { red @0; green @1; }";
/// let reading = capnp::read(&Source::new("status.capnp", text));
/// assert_eq!(reading.value.shape(), "DaemonStatus{version:Text, uptime:UInt64}\nColor(red|green)\n");
///
/// let reading = capnp::read(&Source::new("status.capnp", "struct A { x @0 Text; }\nstruct B {}"));
/// assert_eq!(reading.findings[0].message, "expected `:`, found `Text`");
/// assert_eq!(reading.value.shape(), "A{}\nB{}\n");
/// ```
pub fn read(source: &Source) -> Reading<Schema> {
    if is_binary(source.text()) {
        return binary(source);
    }
    let mut parser = Parser::new(source);
    parser.file();
    let mut schema = std::mem::take(&mut parser.schema);
    schema.types = facts(&schema.declarations);
    schema.pieces = pieces_of(&parser, &schema.types);
    let mut findings = parser.findings;
    if findings.is_empty() {
        // A declaration that does not parse cannot be found, so only a whole schema is searched.
        findings = unknown_types(source, &schema.declarations);
    }
    findings.extend(duplicates(source, &schema.declarations));
    findings.sort_by_key(|finding| finding.span);
    Reading { value: schema, findings }
}

/// What each token and comment belongs to, with types numbered as in `types`.
fn pieces_of(parser: &Parser<'_>, types: &[TypeFact]) -> Vec<Piece> {
    let number = |byte: usize| types.binary_search_by_key(&byte, |fact| fact.span.start as usize).ok();
    let numbered = |subject: &Option<Subject>, otherwise: Subject| {
        match subject {
            Some(Subject::Type(byte)) => number(*byte).map(Subject::Type),
            Some(Subject::Docs(byte)) => number(*byte).map(Subject::Docs),
            subject => subject.clone(),
        }
        .unwrap_or(otherwise)
    };
    let tokens: Vec<(Span, Subject)> = (parser.tokens.iter().zip(&parser.token_subjects))
        .map(|(token, subject)| (token.span, numbered(subject, Subject::Unread)))
        .collect();
    let comments: Vec<(Span, Subject)> = (parser.comments.iter().zip(&parser.comment_subjects))
        .map(|(&span, subject)| (span, numbered(subject, Subject::Comment)))
        .collect();
    pieces(&tokens, &comments)
}

/// A message starts with its segment count and sizes as 32-bit numbers, so it holds NUL bytes; a packed one shows as
/// text that is mostly not UTF-8.
fn is_binary(text: &str) -> bool {
    let head = text.chars().take(256);
    let odd = head.clone().filter(|&c| c == char::REPLACEMENT_CHARACTER).count();
    text.contains('\0') || odd * 8 > head.count()
}

fn binary(source: &Source) -> Reading<Schema> {
    let span = Span::new(0, source.text().len());
    let finding = Finding::new(Code::CAPNP_BINARY, "this is a binary message, not a schema")
        .help("keep messages under another extension, such as `.bin`")
        .at(source, Span::at(0));
    let pieces = vec![Piece { span, subject: Subject::Unread }];
    Reading { value: Schema { pieces, ..Schema::default() }, findings: vec![finding] }
}
