//! What a schema says beside its declarations: comments, and texts in annotations.

use std::collections::BTreeSet;

use mentci_reader::capnp::{
    Annotation, Body, Declaration, Docs, Member, MemberKind, Parameters, Schema, Subject,
};
use mentci_source::{Source, Span};

use crate::law::Remark;

/// The remarks of a schema, in the order they stand: doc comments and texts in annotations name what they stand on, other comments the
/// file.
pub(crate) fn remarks(source: &Source, schema: &Schema) -> Vec<Remark> {
    let mut desk = Desk { source, remarks: Vec::new(), documented: BTreeSet::new() };
    let path: &str = source.path();
    let file = path.rsplit('/').next().unwrap_or(path);
    desk.annotations(file, &schema.annotations);
    for declaration in &schema.declarations {
        desk.declaration("", declaration);
    }
    let others = schema.pieces.iter().filter(|piece| piece.subject == Subject::Comment);
    let others: Vec<Span> =
        others.map(|piece| piece.span).filter(|span| !desk.documented.contains(&span.start)).collect();
    desk.comments(file, &others);
    desk.remarks.sort_by_key(|remark| remark.lines.first().map(|(place, _)| *place));
    desk.remarks
}

struct Desk<'s> {
    source: &'s Source,
    remarks: Vec<Remark>,
    /// Where the comments begin that document something.
    documented: BTreeSet<u32>,
}

impl Desk<'_> {
    fn declaration(&mut self, around: &str, declaration: &Declaration) {
        let name = dotted(around, &declaration.name);
        self.beside(&name, &declaration.docs, &declaration.annotations);
        match &declaration.body {
            Body::Struct(members) | Body::Enum(members) => self.members(&name, members),
            Body::Interface { methods, .. } => {
                for method in methods {
                    let method_name = dotted(&name, &method.name);
                    self.beside(&method_name, &method.docs, &method.annotations);
                    for parameters in std::iter::once(&method.takes).chain(&method.gives) {
                        if let Parameters::Listed(members) = parameters {
                            self.members(&method_name, members);
                        }
                    }
                }
            }
            Body::Const { .. } | Body::Annotation { .. } | Body::Using(_) => {}
        }
        for nested in &declaration.nested {
            self.declaration(&name, nested);
        }
    }

    fn members(&mut self, around: &str, members: &[Member]) {
        for member in members {
            let name = dotted(around, &member.name);
            self.beside(&name, &member.docs, &member.annotations);
            if let MemberKind::Union(inner) | MemberKind::Group(inner) = &member.kind {
                self.members(&name, inner);
            }
        }
    }

    fn beside(&mut self, name: &str, docs: &Docs, annotations: &[Annotation]) {
        self.documented.extend(docs.spans.iter().map(|span| span.start));
        self.comments(name, &docs.spans);
        self.annotations(name, annotations);
    }

    /// Comments on lines that follow each other are one remark.
    fn comments(&mut self, subject: &str, comments: &[Span]) {
        let mut last: Option<Span> = None;
        for &comment in comments {
            let follows = last.is_some_and(|last| self.goes_on(last, comment));
            last = Some(comment);
            let line = self.line(comment);
            match self.remarks.last_mut() {
                Some(remark) if follows => remark.lines.push(line),
                _ => self.remarks.push(Remark { subject: subject.to_owned(), lines: vec![line] }),
            }
        }
    }

    /// Whether a comment goes on with the one before it. Behind code a comment ends with its line, unless the next one begins in the
    /// middle of a sentence.
    fn goes_on(&self, last: Span, comment: Span) -> bool {
        let between = self.source.slice(Span { start: last.end, end: comment.start });
        let before = &self.source.text()[..last.start as usize];
        let line = before.rfind('\n').map_or(before, |at| &before[at + 1..]);
        let next = self.line(comment).1;
        let begins = next.trim_start().starts_with(char::is_uppercase);
        between.trim().is_empty() && between.matches('\n').count() <= 1 && (line.trim().is_empty() || !begins)
    }

    /// The line without its `#` and one blank; what is commented out is blank, and so is a ruler.
    fn line(&self, comment: Span) -> (usize, String) {
        let text = self.source.slice(comment);
        let said = text.trim_start_matches('#');
        let said = said.strip_prefix(' ').unwrap_or(said);
        let is_bare = said.trim_start().starts_with('#')
            || !said.contains(char::is_alphanumeric)
            || is_declaration(said.trim_end());
        let start = comment.start as usize + (text.len() - said.len());
        (start, if is_bare { String::new() } else { said.trim_end().to_owned() })
    }

    /// The texts of annotations: `$rule("must never be logged")`.
    fn annotations(&mut self, subject: &str, annotations: &[Annotation]) {
        for annotation in annotations {
            let Some(value) = &annotation.value else { continue };
            let Some((start, text)) = text_in(self.source.slice(value.span)) else { continue };
            let line = (value.span.start as usize + start, text.to_owned());
            self.remarks.push(Remark { subject: subject.to_owned(), lines: vec![line] });
        }
    }
}

/// Whether a line of a comment is code that was commented out: `old @3 :Text;`.
fn is_declaration(line: &str) -> bool {
    let has_ordinal = line.split(" @").skip(1).any(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    has_ordinal || line.ends_with([';', '{', '}'])
}

/// The text of a value `("…")`, and where it begins; none in a value of another type, or of several pieces.
fn text_in(value: &str) -> Option<(usize, &str)> {
    let start = value.find('"')? + 1;
    let len = value[start..].find('"')?;
    let is_alone = |around: &str| around.chars().all(|c| c.is_whitespace() || "()".contains(c));
    let alone = is_alone(&value[..start - 1]) && is_alone(&value[start + len + 1..]);
    alone.then(|| (start, &value[start..start + len]))
}

fn dotted(around: &str, name: &str) -> String {
    match (around, name) {
        ("", name) => name.to_owned(),
        (around, "") => around.to_owned(),
        (around, name) => format!("{around}.{name}"),
    }
}
