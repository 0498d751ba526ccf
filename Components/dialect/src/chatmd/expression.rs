//! Expressions in attributes and bodies: their places are the file's, entities and comments or not.

use mentci_chatmd::{Attribute, Block, Decoded};
use mentci_expr::{Expr, parse};
use mentci_source::{Code, Span};

use crate::fields::File;
use crate::lower::{normal, phrase, rebuild};

/// The expression of an attribute.
pub(crate) fn attribute(file: &mut File<'_>, attribute: &Attribute) -> Option<Expr> {
    let Some(decoded) = &attribute.value else {
        let message = format!("`{}` needs an expression", attribute.name);
        let help = format!("write `{}=\"turn_index > 5\"`", attribute.name);
        file.advise(Code::RULE_VALUE, attribute.name_span, message, help);
        return None;
    };
    read(file, decoded.as_str(), decoded, attribute.value_span)
}

/// The expression that stands in an element; comments beside it are passed over.
pub(crate) fn body(file: &mut File<'_>, block: &Block) -> Option<Expr> {
    let decoded = block.text();
    let text = without_comments(decoded.as_str());
    read(file, &text, &decoded, block.inner_span())
}

fn read(file: &mut File<'_>, text: &str, decoded: &Decoded, whole: Span) -> Option<Expr> {
    let parsed = parse(text);
    for problem in &parsed.problems {
        let finding = phrase::finding(file, problem, decoded.span(problem.span));
        file.findings.push(finding);
    }
    if parsed.expr.is_none() && parsed.problems.is_empty() {
        file.advise(Code::RULE_VALUE, whole, "this is no expression", "write one such as `turn_index > 5`");
    }
    parsed.expr.map(|expr| normal::canonical(rebuild::moved(expr, |span| decoded.span(span))))
}

/// Comments outside strings become spaces, so that places stay.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut at, mut quote) = (0, None);
    while let Some(c) = text[at..].chars().next() {
        let comment = quote.is_none() && text[at..].starts_with("<!--");
        if let Some(length) = comment.then(|| text[at..].find("-->")).flatten() {
            out.push_str(&" ".repeat(length + "-->".len()));
            at += length + "-->".len();
            continue;
        }
        let escaped = quote.is_some() && c == '\\';
        let taken = if escaped { text[at..].chars().take(2).map(char::len_utf8).sum() } else { c.len_utf8() };
        match quote {
            Some(open) if c == open => quote = None,
            None if c == '"' || c == '\'' => quote = Some(c),
            _ => {}
        }
        out.push_str(&text[at..at + taken]);
        at += taken;
    }
    out
}
