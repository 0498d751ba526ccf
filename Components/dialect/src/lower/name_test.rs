//! Names of tools and senders: exact, glob or regular expression.

use mentci_authority::NamePattern;
use mentci_expr::{Comparison, Expr, Function, GLOB_HELP, Node, glob_problem, regex_help, regex_problem};
use mentci_source::{Code, Span};

use crate::fields::{File, listed};
use crate::tree::{Entry, Tree, Value, shown};

const KINDS: &[&str] = &["exact", "glob", "regex"];

/// Patterns: a text, `{regex: …}`, `{glob: …}`, `{exact: …}`, or a list of these.
pub(crate) fn patterns(file: &mut File<'_>, key: &str, tree: &Tree) -> Option<Vec<NamePattern>> {
    match &tree.value {
        Value::Text(text) => Some(vec![bare(file, key, text, tree.span)?]),
        Value::Map(entries) => outright(file, key, entries, tree),
        Value::List(items) if items.is_empty() => {
            let message = format!("the list of `{key}` is empty: it fits nothing");
            file.advise(
                Code::RULE_VALUE,
                tree.span,
                message,
                "name what it fits, or leave the condition out",
            );
            None
        }
        Value::List(items) => {
            let all: Vec<Option<Vec<NamePattern>>> = items
                .iter()
                .map(|item| match item.value {
                    Value::List(_) => {
                        file.wrong(key, "a name, a pattern or a list of them", item);
                        None
                    }
                    _ => patterns(file, key, item),
                })
                .collect();
            let all: Option<Vec<Vec<NamePattern>>> = all.into_iter().collect();
            all.map(|all| all.concat())
        }
        _ => {
            file.wrong(key, "a name, a pattern or a list of them", tree);
            None
        }
    }
}

fn bare(file: &mut File<'_>, key: &str, text: &str, span: Span) -> Option<NamePattern> {
    if text.trim().is_empty() {
        file.advise(Code::RULE_VALUE, span, format!("`{key}` is empty"), "leave it out for any");
        return None;
    }
    sound(file, NamePattern::classify(text), true, span)
}

fn outright(file: &mut File<'_>, key: &str, entries: &[Entry], tree: &Tree) -> Option<Vec<NamePattern>> {
    let mut found = Vec::new();
    for entry in entries {
        let make: fn(String) -> NamePattern = match entry.key.as_str() {
            "exact" => NamePattern::Exact,
            "glob" => NamePattern::Glob,
            "regex" => NamePattern::Regex,
            other => {
                let message = format!("`{key}` has no key `{}`", shown(other));
                file.advise(Code::RULE_KEY, entry.key_span, message, format!("it has {}", listed(KINDS)));
                return None;
            }
        };
        let texts = crate::fields::texts(file, &entry.key, &entry.value)?;
        for text in texts {
            found.push(sound(file, make(text), false, entry.value.span)?);
        }
    }
    if found.is_empty() {
        file.wrong(key, "a name, a pattern or a list of them", tree);
        return None;
    }
    Some(found)
}

/// A pattern that can be used, with a warning where it is likely to mean another kind.
fn sound(file: &mut File<'_>, pattern: NamePattern, guessed: bool, span: Span) -> Option<NamePattern> {
    let problem = match &pattern {
        NamePattern::Exact(_) => None,
        NamePattern::Glob(glob) => glob_problem(glob),
        NamePattern::Regex(regex) => regex_problem(regex),
    };
    if let Some(problem) = problem {
        if guessed && matches!(pattern, NamePattern::Regex(_)) && pattern.text().contains('*') {
            let help = format!("for a glob write `{{glob: \"{}\"}}`", shown(pattern.text()));
            file.advise(Code::RULE_PATTERN, span, problem, help);
        } else {
            let help = match &pattern {
                NamePattern::Regex(regex) => regex_help(regex),
                _ => GLOB_HELP,
            };
            file.advise(Code::RULE_PATTERN, span, problem, help);
        }
        return None;
    }
    doubt(file, &pattern, span);
    Some(pattern)
}

fn doubt(file: &mut File<'_>, pattern: &NamePattern, span: Span) {
    match pattern {
        NamePattern::Regex(text) if repeats_a_letter(text) => {
            let message =
                format!("`{}` is a regular expression: its `*` repeats the character before it", shown(text));
            let glob = !text.contains(['|', '(', '[', '^', '$', '\\', '+']);
            let glob = if glob { format!(", or `{{glob: \"{}\"}}`", shown(text)) } else { String::new() };
            let help = format!("write `.*` for any text{glob}");
            file.advise(Code::PATTERN_KIND, span, message, help);
        }
        NamePattern::Glob(text) if text.contains(".*") => {
            let message = format!("`{}` is a glob: its `.` is a dot and its `*` any text", shown(text));
            file.advise(
                Code::PATTERN_KIND,
                span,
                message,
                format!("for a regular expression write `{{regex: \"{}\"}}`", shown(text)),
            );
        }
        _ => {}
    }
}

/// Whether a regular expression has a `*` right after a letter, a digit, `_`, `-` or `/`, as globs have.
pub(crate) fn repeats_a_letter(text: &str) -> bool {
    let letter = |byte: u8| byte.is_ascii_alphanumeric() || b"_-/".contains(&byte);
    // `\d*` and `\w*` repeat a class.
    let bytes = text.as_bytes();
    (1..bytes.len())
        .any(|at| bytes[at] == b'*' && letter(bytes[at - 1]) && !(at >= 2 && bytes[at - 2] == b'\\'))
}

/// The regular expression that the whole name must fit.
pub(crate) fn anchored(regex: &str) -> String {
    format!("^(?:{regex})$")
}

/// Whether a name, given by an expression, fits one of the patterns.
pub(crate) fn fits(subject: &Expr, patterns: &[NamePattern], span: Span) -> Expr {
    let literal = |text: &str| Expr::new(Node::Text(text.to_owned()), span);
    let exact: Option<Vec<Expr>> = patterns
        .iter()
        .map(|pattern| if let NamePattern::Exact(name) = pattern { Some(literal(name)) } else { None })
        .collect();
    match exact {
        Some(names) if names.len() > 1 => {
            Expr::compare(subject.clone(), Comparison::In, Expr::new(Node::List(names), span)).at(span)
        }
        _ => Expr::or(patterns.iter().map(|pattern| {
            let subject = subject.clone();
            match pattern {
                NamePattern::Exact(name) => Expr::compare(subject, Comparison::Equal, literal(name)),
                NamePattern::Glob(glob) => Expr::call(Function::Glob, [subject, literal(glob)]),
                NamePattern::Regex(regex) => {
                    Expr::call(Function::Matches, [subject, literal(&anchored(regex))])
                }
            }
            .at(span)
        }))
        .at(span),
    }
}

/// The condition on who calls: a text, a list, or `{name: …}`; `!` negates a text.
pub(crate) fn sender(file: &mut File<'_>, tree: &Tree) -> Option<Expr> {
    let tree = match &tree.value {
        Value::Map(entries) if entries.len() == 1 && entries[0].key == "name" => &entries[0].value,
        Value::Map(entries) => {
            for entry in
                entries.iter().filter(|entry| entry.key != "name" && !KINDS.contains(&entry.key.as_str()))
            {
                let message = format!("`sender` has no key `{}`", shown(&entry.key));
                let help = "it has `name`; `exact`, `glob` and `regex` say how it is meant";
                file.advise(Code::RULE_KEY, entry.key_span, message, help);
            }
            if entries.iter().any(|entry| !KINDS.contains(&entry.key.as_str())) {
                return None;
            }
            tree
        }
        _ => tree,
    };
    let subject = Expr::call(Function::Sender, []).at(tree.span);
    let (without, with) = split(file, tree)?;
    let wanted = (!with.is_empty()).then(|| fits(&subject, &with, tree.span));
    let refused = (!without.is_empty()).then(|| {
        let names: Option<Vec<Expr>> =
            without
                .iter()
                .map(|pattern| {
                    if let NamePattern::Exact(name) = pattern {
                        Some(Expr::from(name.as_str()))
                    } else {
                        None
                    }
                })
                .collect();
        match names {
            Some(mut names) if names.len() == 1 => {
                Expr::compare(subject.clone(), Comparison::NotEqual, names.remove(0).at(tree.span))
                    .at(tree.span)
            }
            Some(names) => {
                let names = Expr::new(Node::List(names), tree.span);
                Expr::compare(subject.clone(), Comparison::NotIn, names).at(tree.span)
            }
            None => Expr::negate(fits(&subject, &without, tree.span)).at(tree.span),
        }
    });
    Some(Expr::and(wanted.into_iter().chain(refused)).at(tree.span))
}

/// Patterns that `!` negates, and the others.
fn split(file: &mut File<'_>, tree: &Tree) -> Option<(Vec<NamePattern>, Vec<NamePattern>)> {
    let items: Vec<&Tree> = match &tree.value {
        Value::List(items) if !items.is_empty() => items.iter().collect(),
        _ => vec![tree],
    };
    let (mut without, mut with) = (Vec::new(), Vec::new());
    for item in items {
        match item.as_text().and_then(|text| text.strip_prefix('!')) {
            Some(name) => without.push(bare(file, "sender", name, item.span)?),
            None => with.extend(patterns(file, "sender", item)?),
        }
    }
    Some((without, with))
}
