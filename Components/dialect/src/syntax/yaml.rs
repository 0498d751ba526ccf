//! YAML to a tree: spans, budgets, no duplicate keys.
//!
//! The parser gives events; the tree is put together from them without recursion, so that depth costs no stack.

mod scalar;

use std::collections::{BTreeMap, BTreeSet};

use granit_parser::{Event, Parser, ScalarStyle, ScanError, Span as Place};
use mentci_source::{Code, Finding, Source, Span};

use crate::tree::{Entry, Tree, Value, shown};

/// How deep a document may nest.
const MAX_DEPTH: usize = 64;

/// How many values a document may have, those that aliases repeat included.
const MAX_NODES: usize = 250_000;

/// How many values aliases may repeat.
const MAX_REPEATED: usize = 50_000;

/// Reads one document; the first thing that is wrong where it cannot be read.
pub(crate) fn read(source: &Source) -> Result<Tree, Finding> {
    let options = granit_parser::options! { emit_comments: false };
    let mut builder = Builder::new(source);
    for event in Parser::new_from_str_with_options(source.text(), options) {
        let (event, place) = event.map_err(|error| unread(source, &error))?;
        builder.take(event, place)?;
    }
    Ok(builder.root.unwrap_or_else(|| Tree::new(Value::Null, Span::default())))
}

/// A tree in the making.
struct Builder<'s> {
    source: &'s Source,
    open: Vec<Open>,
    root: Option<Tree>,
    /// What an alias repeats, with the number of its values; none while it is being read.
    anchors: BTreeMap<usize, Option<(Tree, usize)>>,
    nodes: usize,
    repeated: usize,
    /// The scalar that was read last is a plain `<<`, which is no key of a map's own.
    merges: bool,
}

/// A list or a map that is not closed yet.
struct Open {
    anchor: usize,
    start: Span,
    /// How many values came before it.
    before: usize,
    held: Held,
}

/// A key that waits for its value.
struct Key {
    name: String,
    span: Span,
    merges: bool,
}

enum Held {
    List(Vec<Tree>),
    Map { entries: Vec<Entry>, seen: BTreeSet<String>, key: Option<Key>, merged: Vec<Tree> },
}

impl<'s> Builder<'s> {
    fn new(source: &'s Source) -> Self {
        Self {
            source,
            open: Vec::new(),
            root: None,
            anchors: BTreeMap::new(),
            nodes: 0,
            repeated: 0,
            merges: false,
        }
    }

    fn take(&mut self, event: Event<'_>, place: Place) -> Result<(), Finding> {
        let span = span(self.source, place);
        if let Some(tag) = event.tag().filter(|tag| tag.core_suffix().is_none()) {
            let message = format!(
                "the tag `{}` means nothing here",
                shown(&format!("{}{}", tag.original_handle(), tag.suffix()))
            );
            let help = "take it off: rules hold texts, numbers, lists and maps, and no objects of programs";
            return Err(self.refuse(span, message).help(help));
        }
        match event {
            Event::DocumentStart(..) if self.root.is_some() => Err(self
                .refuse(span, "the file holds more than one document".to_owned())
                .help("put the rules into one document, without `---`")),
            Event::Scalar(text, style, anchor, tag) => {
                self.count(1, span)?;
                let tag = tag.as_deref().and_then(|tag| tag.core_suffix());
                let value = scalar::read(text, style == ScalarStyle::Plain, tag).map_err(|message| {
                    self.refuse(span, message).help("take the tag off, or write what it names")
                })?;
                let tree = Tree::new(value, span);
                self.anchor(anchor, &tree, 1);
                self.merges = style == ScalarStyle::Plain && tree.as_text() == Some("<<");
                self.put(tree)
            }
            Event::SequenceStart(_, anchor, _) => self.begin(anchor, span, Held::List(Vec::new())),
            Event::MappingStart(_, anchor, _) => {
                let (entries, seen, merged) = (Vec::new(), BTreeSet::new(), Vec::new());
                self.begin(anchor, span, Held::Map { entries, seen, key: None, merged })
            }
            Event::SequenceEnd | Event::MappingEnd => self.end(),
            Event::Alias(anchor) => self.alias(anchor, span),
            _ => Ok(()),
        }
    }

    fn begin(&mut self, anchor: usize, start: Span, held: Held) -> Result<(), Finding> {
        self.count(1, start)?;
        if self.open.len() >= MAX_DEPTH {
            return Err(self.too_much(start));
        }
        if anchor > 0 {
            self.anchors.insert(anchor, None);
        }
        self.open.push(Open { anchor, start, before: self.nodes - 1, held });
        Ok(())
    }

    fn end(&mut self) -> Result<(), Finding> {
        // OK because the parser ends only what it has begun.
        let Some(open) = self.open.pop() else { return Ok(()) };
        let mut whole = open.start;
        let value = match open.held {
            Held::List(items) => {
                for item in &items {
                    whole = whole.join(item.span);
                }
                Value::List(items)
            }
            Held::Map { entries, merged, .. } => {
                let entries = self.merged(entries, merged)?;
                for entry in &entries {
                    whole = whole.join(entry.key_span).join(entry.value.span);
                }
                Value::Map(entries)
            }
        };
        let tree = Tree::new(value, whole);
        self.anchor(open.anchor, &tree, self.nodes - open.before);
        self.put(tree)
    }

    /// Gives a finished value to what holds it.
    fn put(&mut self, tree: Tree) -> Result<(), Finding> {
        match self.open.last_mut().map(|open| &mut open.held) {
            None => self.root = Some(tree),
            Some(Held::List(items)) => items.push(tree),
            Some(Held::Map { entries, seen, key, merged }) => match key.take() {
                Some(Key { merges: true, .. }) => merged.push(tree),
                Some(Key { name, span, .. }) => {
                    entries.push(Entry { key: name, key_span: span, value: tree });
                }
                None => {
                    let name = match &tree.value {
                        Value::Text(text) => text.clone(),
                        Value::Int(number) => number.to_string(),
                        Value::Bool(value) => value.to_string(),
                        Value::Float(number) => number.to_string(),
                        _ => {
                            let message = "this YAML does not parse: a key must be text".to_owned();
                            return Err(self.refuse(tree.span, message).help("write `key: value`"));
                        }
                    };
                    if !seen.insert(name.clone()) {
                        let message = format!("the key `{}` stands twice", shown(&name));
                        return Err(self.refuse(tree.span, message).help("keep one of them"));
                    }
                    *key = Some(Key { name, span: tree.span, merges: self.merges });
                }
            },
        }
        Ok(())
    }

    /// `<<: *base`: what the base says and the map itself does not.
    fn merged(&self, mut entries: Vec<Entry>, bases: Vec<Tree>) -> Result<Vec<Entry>, Finding> {
        let mut waiting: Vec<Tree> = bases.into_iter().rev().collect();
        while let Some(base) = waiting.pop() {
            match base.value {
                Value::List(items) => waiting.extend(items.into_iter().rev()),
                Value::Map(given) => {
                    for entry in given {
                        if entries.iter().all(|own| own.key != entry.key) {
                            entries.push(entry);
                        }
                    }
                }
                _ => {
                    return Err(self
                        .refuse(base.span, "`<<` merges maps alone".to_owned())
                        .help("name the anchor of a map: `<<: *base`"));
                }
            }
        }
        Ok(entries)
    }

    fn anchor(&mut self, anchor: usize, tree: &Tree, nodes: usize) {
        if anchor > 0 {
            self.anchors.insert(anchor, Some((tree.clone(), nodes)));
        }
    }

    fn alias(&mut self, anchor: usize, span: Span) -> Result<(), Finding> {
        let Some(Some((tree, nodes))) = self.anchors.get(&anchor) else {
            let message = "an alias stands within what it repeats".to_owned();
            return Err(self.refuse(span, message).help("write out what it stands for"));
        };
        let (tree, nodes) = (tree.clone(), *nodes);
        self.repeated += nodes;
        self.count(nodes, span)?;
        if self.repeated > MAX_REPEATED || self.open.len() + depth(&tree) > MAX_DEPTH {
            return Err(self.too_much(span));
        }
        self.put(tree)
    }

    fn count(&mut self, nodes: usize, span: Span) -> Result<(), Finding> {
        self.nodes += nodes;
        if self.nodes > MAX_NODES { Err(self.too_much(span)) } else { Ok(()) }
    }

    fn too_much(&self, span: Span) -> Finding {
        self.refuse(span, "the file holds more than is read".to_owned()).help(TOO_MUCH)
    }

    fn refuse(&self, span: Span, message: String) -> Finding {
        Finding::new(Code::RULE_SYNTAX, message).at(self.source, span)
    }
}

const TOO_MUCH: &str =
    "at most 64 levels and 250,000 values are read, 50,000 of them by aliases; split the file";

const ANCHORED: &str = "set the anchor before its alias: `first: &base {…}`, then `second: *base`";

const WELL_FORMED: &str =
    "close quotes and brackets, indent with spaces alone, and put a text that holds `: ` or ` #` into quotes";

/// How deep a finished value nests: at most [`MAX_DEPTH`], so recursion is bounded.
fn depth(tree: &Tree) -> usize {
    let inside = match &tree.value {
        Value::List(items) => items.iter().map(depth).max(),
        Value::Map(entries) => entries.iter().map(|entry| depth(&entry.value)).max(),
        _ => return 0,
    };
    1 + inside.unwrap_or(0)
}

/// The parser's own words in our manner: one line, no period.
fn unread(source: &Source, error: &ScanError) -> Finding {
    let info = error.info();
    let words = info.lines().next().unwrap_or_default().trim_end_matches('.');
    let mut chars = words.chars();
    let first = chars.next().map(|c| c.to_lowercase().to_string()).unwrap_or_default();
    let at = offset(source, *error.marker());
    let finding = |message: String| Finding::new(Code::RULE_SYNTAX, message).at(source, Span::at(at));
    if words.contains("limit") || words.contains("nesting") || words.contains("too deep") {
        return finding("the file holds more than is read".to_owned()).help(TOO_MUCH);
    }
    let help = if words.contains("anchor") { ANCHORED } else { WELL_FORMED };
    finding(format!("this YAML does not parse: {first}{}", chars.as_str())).help(help)
}

fn span(source: &Source, place: Place) -> Span {
    let (start, end) = (offset(source, place.start), offset(source, place.end));
    Span::new(start, end.max(start))
}

/// Where a mark stands, in bytes; by line and column where it does not tell bytes.
fn offset(source: &Source, mark: granit_parser::Marker) -> usize {
    if let Some(byte) = mark.byte_offset() {
        return byte.min(source.text().len());
    }
    let line = source.span_of_line(u32::try_from(mark.line()).unwrap_or(u32::MAX));
    let text = source.slice(line);
    let within = text.char_indices().nth(mark.col()).map_or(text.len(), |(at, _)| at);
    line.start as usize + within
}
