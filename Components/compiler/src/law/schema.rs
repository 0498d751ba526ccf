//! Data that an order says to write: `Return JSON in this format:` and its keys, `Write the feed like this:` and its tags.

use mentci_source::Span;

use super::draft::Book;
use super::sample::led_norm;
use super::setting::Setting;

/// The names of further fields are left out.
const MOST: usize = 20;

/// Completes the order with the names of the fields; false where no order asks for the data, or where it is short.
pub(crate) fn schema(book: &mut Book<'_>, body: Span, language: &str, here: &Setting) -> bool {
    const SHORTEST: usize = 3;
    let asked = here.lead.as_ref().is_some_and(|lead| lead.draft.is_some() && asks(&lead.text));
    if !asked {
        return false;
    }
    let source = book.source.clone();
    let text = source.slice(body).trim();
    let names = match language {
        _ if text.lines().count() < SHORTEST => return false,
        "json" | "jsonc" | "json5" => keys(text),
        "" if text.starts_with(['{', '[']) => keys(text),
        "yaml" | "yml" => entries(text),
        "xml" => tags(text),
        _ => return false,
    };
    let draft = led_norm(book, here).filter(|&draft| !book.drafts[draft].level.is_prohibition());
    let Some(draft) = draft.filter(|_| !names.is_empty()) else { return false };
    let said = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    book.complete(draft, &said, body, names);
    true
}

/// `Return JSON in this format:`, `Create an XML file with this structure:`.
fn asks(lead: &str) -> bool {
    const WRITING: &[&str] = &[
        "return", "output", "write", "create", "respond", "reply", "produce", "emit", "use", "follow",
        "save", "store", "report", "format", "generate", "print", "provide", "record", "send", "submit",
        "answer", "match", "contain",
    ];
    const DATA: &[&str] = &[
        "format",
        "structure",
        "schema",
        "shape",
        "form",
        "fields",
        "keys",
        "json",
        "xml",
        "yaml",
        "object",
        "layout",
        "template",
    ];
    let lower = lead.to_lowercase();
    let has = |words: &[&str]| lower.split(|c: char| !c.is_alphanumeric()).any(|word| words.contains(&word));
    has(DATA) && has(WRITING) && !has(&["example", "examples", "sample"])
}

fn add(names: &mut Vec<String>, name: &str) {
    let worded = !name.is_empty()
        && name.len() <= 40
        && name.starts_with(|c: char| c.is_alphabetic() || "_$@".contains(c));
    if worded && names.len() < MOST && !names.iter().any(|known| known == name) {
        names.push(name.to_owned());
    }
}

/// `"name": …`.
fn keys(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    for line in text.lines() {
        let mut parts = line.split('"');
        parts.next();
        while let (Some(name), Some(behind)) = (parts.next(), parts.next()) {
            if behind.trim_start().starts_with(':') {
                add(&mut names, name);
            }
        }
    }
    names
}

/// `name: …`.
fn entries(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    let worded = |name: &str| name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
    for line in text.lines() {
        let line = line.trim_start_matches([' ', '-']);
        if let Some((name, rest)) = line.split_once(':')
            && worded(name)
            && (rest.is_empty() || rest.starts_with(' '))
        {
            add(&mut names, name);
        }
    }
    names
}

/// `<name>`.
fn tags(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    for part in text.split('<').skip(1) {
        let end =
            part.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | ':'))).unwrap_or(part.len());
        add(&mut names, &part[..end]);
    }
    names.into_iter().map(|name| format!("<{name}>")).collect()
}
