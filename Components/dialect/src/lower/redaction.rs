//! What a rule that redacts takes out: kinds of data, and patterns of its own.

use mentci_authority::{Redaction, RedactionPattern};
use mentci_detect::{Custom, Detector, Kind};
use mentci_expr::{regex_help, regex_problem};
use mentci_source::Code;

use crate::fields::{Fields, File, text, texts};
use crate::tree::{Tree, Value, shown};

/// Kinds, or `{kinds, patterns}`.
pub(crate) fn redaction(file: &mut File<'_>, tree: &Tree) -> Option<Redaction> {
    if !matches!(tree.value, Value::Map(_)) {
        return kinds(file, "redact", tree).map(|kinds| Redaction { kinds, patterns: Vec::new() });
    }
    let mut fields = Fields::of(file, "`redact`", tree)?;
    let kinds = fields.take("kinds").and_then(|entry| kinds(file, "kinds", &entry.value)).unwrap_or_default();
    let patterns = fields.take("patterns").map(|entry| patterns(file, &entry.value)).unwrap_or_default();
    fields.close(file, |_| None);
    Some(Redaction { kinds, patterns })
}

/// Names of kinds and groups of data: one that nothing has would take nothing out.
fn kinds(file: &mut File<'_>, key: &str, tree: &Tree) -> Option<Vec<String>> {
    let named = texts(file, key, tree)?;
    let items =
        if let Value::List(items) = &tree.value { items.as_slice() } else { std::slice::from_ref(tree) };
    for (name, item) in named.iter().zip(items) {
        let Err(unknown) = Kind::named(name) else { continue };
        let message = format!("there is no kind of data `{}`", shown(name));
        let help = match unknown.suggestion {
            Some(near) => format!("did you mean `{}`?", near.to_lowercase()),
            None => "kinds are named as their marks: `email`, `credit_card`, `aws_key`; groups are `secrets`, `personal` and `all`".to_owned(),
        };
        file.advise(Code::RULE_VALUE, item.span, message, help);
    }
    Some(named)
}

/// `{NAME: regex}`, or a list of `{name, regex}`.
fn patterns(file: &mut File<'_>, tree: &Tree) -> Vec<RedactionPattern> {
    match &tree.value {
        Value::Map(entries) => {
            entries.iter().filter_map(|entry| pattern(file, entry.key.clone(), &entry.value)).collect()
        }
        Value::List(items) => items
            .iter()
            .filter_map(|item| {
                let mut fields = Fields::of(file, "a pattern", item)?;
                let name = fields.text(file, &["name"]);
                let regex = fields.take("regex");
                fields.close(file, |_| None);
                let (Some(name), Some(regex)) = (name, regex) else {
                    let example = file.map(&[("name", "\"ticket\""), ("regex", "\"T-[0-9]+\"")]);
                    let help = format!("write `{example}`");
                    file.advise(Code::RULE_VALUE, item.span, "a pattern needs `name` and `regex`", help);
                    return None;
                };
                pattern(file, name, &regex.value)
            })
            .collect(),
        _ => {
            file.wrong("patterns", "a map of names and regular expressions", tree);
            Vec::new()
        }
    }
}

fn pattern(file: &mut File<'_>, name: String, tree: &Tree) -> Option<RedactionPattern> {
    let regex = text(file, &name, tree)?;
    if let Some(problem) = regex_problem(&regex) {
        file.advise(Code::RULE_PATTERN, tree.span, problem, regex_help(&regex));
        return None;
    }
    // Whoever decides leaves out a pattern that no detector takes, and would say so to nobody.
    if let Err(problem) = Detector::new([], [Custom { name: name.clone(), regex: regex.clone() }]) {
        let help =
            "its name is a word such as `ticket`, and it fits one character at least, as `T-[0-9]+` does";
        file.advise(Code::RULE_PATTERN, tree.span, problem.to_string().escape_debug().to_string(), help);
        return None;
    }
    Some(RedactionPattern { name, regex })
}
