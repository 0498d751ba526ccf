//! Formatting: a file to its canonical text, where nothing of it would be lost.

use mentci_reader::edn;
use mentci_source::{Code, Finding, Reading, Source, Span};

use crate::fields::File;
use crate::lower::set;
use crate::print::print_named;
use crate::syntax;
use crate::tree::{Tree, Value};
use crate::{Dialect, OriginHint, read};

/// The canonical text of a file of rules; `None`, with a finding, where it does not load or where rewriting it would
/// lose its comments or what it includes.
///
/// A ChatMD document is a conversation with rules in it: it is given back as it stands.
///
/// ```
/// use mentci_authority::Trust;
/// use mentci_dialect::{Dialect, OriginHint, format};
/// use mentci_source::Source;
/// let origin = OriginHint { pack: "mine".into(), trust: Trust::Workspace };
/// let text = "- {id: a, then: block, when: {tool: exec}}\n";
/// let formatted = format(&Source::new("mine.yaml", text), Dialect::Yaml, &origin).value;
/// assert_eq!(formatted.unwrap(), "rules:\n  - id: a\n    when:\n      tool: exec\n    then: block\n");
/// let commented = format(&Source::new("mine.yaml", "# why\nrules: []\n"), Dialect::Yaml, &origin);
/// assert!(commented.value.is_none());
/// assert_eq!(commented.findings[0].message, "the file has comments, which would be lost");
/// ```
pub fn format(source: &Source, dialect: Dialect, origin: &OriginHint) -> Reading<Option<String>> {
    if dialect == Dialect::Chatmd {
        return Reading::clean(Some(source.text().to_owned()));
    }
    let mut file = File::new(source, dialect, origin);
    let head = set::part(&mut file).head;
    if let Some((_, span)) = head.extends.first().or(head.include.first()) {
        return kept(source, *span, "the file includes others, whose rules would be written into it");
    }
    let Reading { value, findings } = read(source, dialect, origin, &mut |_| None);
    let Some(set) = value else { return Reading { value: None, findings } };
    if let Some(comment) = comment(source, dialect) {
        return kept(source, comment, "the file has comments, which would be lost");
    }
    match print_named(&set, dialect, *set.name != *origin.pack) {
        Ok(text) => Reading { value: Some(text), findings },
        Err(unsayable) => {
            let words: Vec<String> = unsayable.iter().map(ToString::to_string).collect();
            kept(source, Span::default(), &words.join("; "))
        }
    }
}

fn kept(source: &Source, span: Span, why: &str) -> Reading<Option<String>> {
    let finding =
        Finding::new(Code::NOT_REWRITTEN, why).help("the file was left as it stands").at(source, span);
    Reading { value: None, findings: vec![finding] }
}

/// The first comment of a file that reads.
fn comment(source: &Source, dialect: Dialect) -> Option<Span> {
    let tree = match dialect {
        Dialect::Edn => {
            let document = edn::read(source).value;
            return document.comments.first().or(document.discarded.first()).copied();
        }
        Dialect::Toml => syntax::toml::read(source).ok()?,
        Dialect::Yaml | Dialect::Chatmd => syntax::yaml::read(source).ok()?,
    };
    let mut texts = Vec::new();
    cover(&tree, &mut texts);
    texts.sort();
    let bytes = source.text().as_bytes();
    let mut covered = texts.into_iter().peekable();
    for (at, _) in bytes.iter().enumerate().filter(|(_, byte)| **byte == b'#') {
        let place = Span::at(at);
        while covered.next_if(|span| span.end as usize <= at).is_some() {}
        let within = covered.peek().is_some_and(|span| span.start as usize <= at);
        let opens = dialect == Dialect::Toml || at == 0 || bytes[at - 1].is_ascii_whitespace();
        if opens && !within {
            return Some(place);
        }
    }
    None
}

/// The bytes of all texts and keys: a `#` in them is no comment.
fn cover(tree: &Tree, texts: &mut Vec<Span>) {
    match &tree.value {
        Value::Text(_) => texts.push(tree.span),
        Value::List(items) => items.iter().for_each(|item| cover(item, texts)),
        Value::Map(entries) => {
            for entry in entries {
                texts.push(entry.key_span);
                cover(&entry.value, texts);
            }
        }
        _ => {}
    }
}
