//! The filters, tests and functions that a template names: minijinja looks for them when it renders, and that is too late.

use mentci_source::did_you_mean;

/// The filters that there are.
const FILTERS: &[&str] = &[
    "abs",
    "attr",
    "batch",
    "bool",
    "capitalize",
    "chain",
    "count",
    "d",
    "default",
    "dictsort",
    "e",
    "escape",
    "first",
    "float",
    "format",
    "groupby",
    "int",
    "items",
    "join",
    "last",
    "length",
    "lines",
    "list",
    "lower",
    "map",
    "max",
    "min",
    "pprint",
    "reject",
    "rejectattr",
    "replace",
    "reverse",
    "round",
    "safe",
    "select",
    "selectattr",
    "slice",
    "sort",
    "split",
    "string",
    "sum",
    "title",
    "tojson",
    "trim",
    "unique",
    "upper",
    "zip",
];

/// The tests that there are.
const TESTS: &[&str] = &[
    "boolean",
    "defined",
    "divisibleby",
    "endingwith",
    "eq",
    "equalto",
    "escaped",
    "even",
    "false",
    "filter",
    "float",
    "ge",
    "greaterthan",
    "gt",
    "in",
    "int",
    "integer",
    "iterable",
    "le",
    "lessthan",
    "lower",
    "lt",
    "mapping",
    "ne",
    "none",
    "number",
    "odd",
    "safe",
    "sameas",
    "sequence",
    "startingwith",
    "string",
    "test",
    "true",
    "undefined",
    "upper",
];

/// The functions that there are.
const FUNCTIONS: &[&str] = &["dict", "range"];

/// Words that stand before a bracket and are no functions.
const KEYWORDS: &[&str] =
    &["and", "elif", "else", "filter", "for", "if", "in", "is", "not", "or", "recursive", "set", "with"];

/// What a template names that is not there: `filter nothing is unknown`.
pub(super) fn unknown(template: &str) -> Option<String> {
    let mut line = 1;
    for block in blocks(template) {
        match block {
            Block::Text(text) => line += text.matches('\n').count(),
            Block::Code(code) => {
                let tokens = tokens(code);
                for (at, token) in tokens.iter().enumerate() {
                    if let Some(problem) = problem(&tokens, at) {
                        let line = line + code[..token.start].matches('\n').count();
                        return Some(problem.replace("{line}", &line.to_string()));
                    }
                }
                line += code.matches('\n').count();
            }
        }
    }
    None
}

fn problem(tokens: &[Token<'_>], at: usize) -> Option<String> {
    let Some(word) = tokens[at].word() else { return handed(tokens, at) };
    let before = |back: usize| at.checked_sub(back).map_or("", |at| tokens[at].text);
    let after = tokens.get(at + 1).map_or("", |token| token.text);
    let is_block = before(1) == "filter" && before(2).is_empty();
    let (what, known, shown) = if before(1) == "|" || is_block {
        ("filter", FILTERS, format!("filter {word}"))
    } else if before(1) == "is" && word != "not" || before(1) == "not" && before(2) == "is" {
        ("test", TESTS, format!("test {word}"))
    } else if after == "(" && before(1) != "." && !KEYWORDS.contains(&word) {
        ("function", FUNCTIONS, word.to_owned())
    } else {
        return None;
    };
    missing(what, known, word, &shown)
}

fn missing(what: &str, known: &[&str], word: &str, shown: &str) -> Option<String> {
    if known.contains(&word) {
        return None;
    }
    let near = did_you_mean(word, known.iter().copied());
    let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
    Some(format!("unknown {what}: {shown} is unknown (line {{line}}){near}"))
}

/// The same for a name that is handed to a filter as text: `map("upper")`, `select("odd")`, `selectattr("n", "odd")`.
fn handed(tokens: &[Token<'_>], at: usize) -> Option<String> {
    let text = tokens[at].text;
    let name = text.strip_prefix(['"', '\''])?.strip_suffix(['"', '\''])?;
    let before = |back: usize| at.checked_sub(back).map_or("", |at| tokens[at].text);
    let filter = |back: usize| if before(back + 1) == "|" { before(back) } else { "" };
    let of_first = if before(1) == "(" { filter(2) } else { "" };
    let of_second = if (before(1), before(3)) == (",", "(") { filter(4) } else { "" };
    match (of_first, of_second) {
        ("map", _) => missing("filter", FILTERS, name, &format!("filter {}", name.escape_debug())),
        ("select" | "reject", _) | (_, "selectattr" | "rejectattr") => {
            missing("test", TESTS, name, &format!("test {}", name.escape_debug()))
        }
        _ => None,
    }
}

/// A piece of a template.
pub(super) enum Block<'t> {
    Text(&'t str),
    Code(&'t str),
}

/// The template's text and its expressions and statements, in order. What is not closed does not parse anyway.
pub(super) fn blocks(template: &str) -> Vec<Block<'_>> {
    let (mut blocks, mut rest) = (Vec::new(), template);
    while let Some(at) = rest.find('{') {
        let close = match rest.as_bytes().get(at + 1) {
            Some(b'{') => "}}",
            Some(b'%') => "%}",
            Some(b'#') => "#}",
            _ => {
                blocks.push(Block::Text(&rest[..=at]));
                rest = &rest[at + 1..];
                continue;
            }
        };
        blocks.push(Block::Text(&rest[..at]));
        let inner = &rest[at + 2..];
        let end = if close == "#}" { inner.find(close) } else { end(inner, close) };
        let Some(end) = end else { break };
        let is_raw = close == "%}" && inner[..end].trim_matches(['-', '+', ' ']) == "raw";
        blocks.push(if close == "#}" { Block::Text(&inner[..end]) } else { Block::Code(&inner[..end]) });
        rest = &inner[end + 2..];
        if is_raw {
            let end = rest.find("endraw").unwrap_or(rest.len());
            blocks.push(Block::Text(&rest[..end]));
            rest = &rest[end..];
        }
    }
    blocks
}

/// Where the code ends: at its sign, outside of texts.
fn end(code: &str, close: &str) -> Option<usize> {
    let mut quote = None;
    let mut chars = code.char_indices();
    while let Some((at, c)) = chars.next() {
        match (quote, c) {
            (Some(_), '\\') => drop(chars.next()),
            (Some(open), c) if open == c => quote = None,
            (None, '"' | '\'') => quote = Some(c),
            (None, _) if code[at..].starts_with(close) => return Some(at),
            _ => {}
        }
    }
    None
}

/// A word, a text or a sign, and where it begins.
pub(super) struct Token<'t> {
    pub(super) text: &'t str,
    pub(super) start: usize,
}

impl<'t> Token<'t> {
    fn word(&self) -> Option<&'t str> {
        self.text.starts_with(|c: char| c.is_alphabetic() || c == '_').then_some(self.text)
    }
}

/// Words, texts and signs; spaces and what trims them are left out.
pub(super) fn tokens(code: &str) -> Vec<Token<'_>> {
    let (mut tokens, mut at) = (Vec::new(), 0);
    while let Some(c) = code[at..].chars().next() {
        let rest = &code[at..];
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let length = match c {
            '"' | '\'' => quoted(rest, c),
            c if is_part(c) => rest.find(|c| !is_part(c)).unwrap_or(rest.len()),
            c => c.len_utf8(),
        };
        if !(c.is_whitespace() || at == 0 && (c == '-' || c == '+')) {
            tokens.push(Token { text: &rest[..length], start: at });
        }
        at += length;
    }
    tokens
}

/// How long a text is, with its quotes.
fn quoted(code: &str, quote: char) -> usize {
    let mut chars = code.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => drop(chars.next()),
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    code.len()
}

/// Whether a name is one of a function.
pub(super) fn is_function(name: &str) -> bool {
    FUNCTIONS.contains(&name)
}

/// The facts that are named by a text in brackets: `parameters["q"]` is `parameters.q`.
pub(super) fn subscripts(template: &str) -> Vec<String> {
    let mut names = Vec::new();
    for block in blocks(template) {
        if let Block::Code(code) = block {
            let tokens = tokens(code);
            let begins = |at: &usize| {
                let before = at.checked_sub(1).map_or("", |at| tokens[at].text);
                tokens[*at].word().is_some() && before != "." && before != "|"
            };
            names.extend((0..tokens.len()).filter(begins).filter_map(|at| subscript(&tokens[at..])));
        }
    }
    names
}

/// The path that tokens begin with, where a text in brackets is part of it.
fn subscript(tokens: &[Token<'_>]) -> Option<String> {
    let (mut path, mut rest, mut found) = (tokens.first()?.text.to_owned(), tokens.get(1..)?, None);
    loop {
        let text = |at: usize| rest.get(at).map_or("", |token| token.text);
        let (name, taken) = match (text(0), text(1), text(2)) {
            (".", name, _) if rest.get(1).is_some_and(|token| token.word().is_some()) => (name, 2),
            ("[", name, "]") if name.len() > 2 && name.starts_with(['"', '\'']) => {
                (&name[1..name.len() - 1], 3)
            }
            _ => return found,
        };
        path = format!("{path}.{name}");
        if taken == 3 {
            found = Some(path.clone());
        }
        rest = rest.get(taken..)?;
    }
}

#[cfg(test)]
mod tests {
    use minijinja::Environment;

    use super::*;

    #[test]
    fn all_that_are_known_are_there() {
        let environment = super::super::environment();
        let is_there = |source: &str| Environment::render_str(&environment, source, ());
        for filter in FILTERS {
            assert_eq!(is_there(&format!("{{{{ '{filter}' is filter }}}}")).unwrap(), "True", "{filter}");
        }
        for test in TESTS {
            assert_eq!(is_there(&format!("{{{{ '{test}' is test }}}}")).unwrap(), "True", "{test}");
        }
    }

    #[test]
    fn facts_in_brackets_are_named() {
        let names = subscripts(
            "{{ parameters[\"q\"] + context['plugin'].settings['a'].b - a[0]['c'] ~ 'x'['y'] }} a['b']",
        );
        assert_eq!(names, ["parameters.q", "context.plugin.settings.a"]);
    }

    #[test]
    fn what_is_not_there_is_named_with_its_line() {
        for (template, said) in [
            (
                "{{ a | lenght }}",
                Some("unknown filter: filter lenght is unknown (line 1); did you mean `length`?"),
            ),
            (
                "a\n\n{{ a\n | uper }}",
                Some("unknown filter: filter uper is unknown (line 4); did you mean `upper`?"),
            ),
            (
                "{% filter uper %}a{% endfilter %}",
                Some("unknown filter: filter uper is unknown (line 1); did you mean `upper`?"),
            ),
            (
                "{% if false %}{{ a | nothing_at_all }}{% endif %}",
                Some("unknown filter: filter nothing_at_all is unknown (line 1)"),
            ),
            ("{{ a is not nun }}", Some("unknown test: test nun is unknown (line 1)")),
            ("{{ rang(3) }}", Some("unknown function: rang is unknown (line 1); did you mean `range`?")),
            ("{{ \"x\" | nofilter }}", Some("unknown filter: filter nofilter is unknown (line 1)")),
            ("{{- '}} | lenght' | length -}} | lenght {# | lenght #} {", None),
            ("{% raw %}{{ a | lenght }}{% endraw %}{{ a.get('x') | d('|lenght') }}", None),
            (
                "{% if not (a is defined) and (b) %}{% for i in range(3) if (i) %}{{ loop.cycle(1, 2) }}{% endfor %}{% endif %}",
                None,
            ),
            ("{{ \"a\\\" | lenght\" }}", None),
        ] {
            assert_eq!(unknown(template).as_deref(), said, "{template}");
        }
    }
}
