//! Patterns that are slow, fit more than they say, or are never found.

use mentci_authority::{Effect, NamePattern, ToolMatch};
use mentci_expr::{Expr, Function, Node};
use mentci_source::{Code, Finding, Severity};

use super::desk::{Desk, Said};

/// How often a part may be repeated by counts before a pattern is large.
const MOST_REPEATED: u64 = 1_000;

/// What is odd about the patterns of a rule.
pub(super) fn patterns(desk: &Desk<'_>) -> Vec<Said> {
    let mut said = Vec::new();
    for sheet in &desk.rules {
        let allows = sheet.rule.effect == Some(Effect::Allow);
        sheet.each_part(&mut |part| {
            let Node::Call(function, arguments) = part.node() else { return };
            let [subject, literal] = arguments.as_slice() else { return };
            let Some(text) = literal.as_text() else { return };
            let findings = match function {
                Function::Matches => of_regex(text).into_iter().chain(of_host(text)).collect(),
                Function::StartsWith | Function::Contains if allows => {
                    open_host(*function, text).into_iter().collect()
                }
                _ => Vec::new(),
            };
            let findings = findings.into_iter().chain(of_case(*function, subject, text));
            said.extend(findings.map(|finding| (sheet.at, Some(literal.span()), finding)));
        });
        sheet.each_part(&mut |part| {
            said.extend(even_compare(part).map(|finding| (sheet.at, Some(part.span()), finding)));
        });
        let tools =
            if let ToolMatch::OneOf(patterns) = &sheet.rule.tools { patterns.as_slice() } else { &[] };
        let own = sheet
            .rule
            .redaction
            .iter()
            .flat_map(|redaction| &redaction.patterns)
            .map(|one| one.regex.as_str());
        let regexes = tools
            .iter()
            .filter_map(|one| if let NamePattern::Regex(text) = one { Some(text.as_str()) } else { None });
        said.extend(regexes.chain(own).filter_map(slow).map(|finding| (sheet.at, None, finding)));
    }
    said
}

fn of_regex(text: &str) -> Vec<Finding> {
    slow(text).into_iter().chain(leading(text)).chain(ungrouped(text)).collect()
}

/// Counts within counts.
fn slow(text: &str) -> Option<Finding> {
    let size = repeated(text);
    (size > MOST_REPEATED).then(|| {
        let message = format!("`{}` repeats its parts {size} times when it is written out", short(text));
        Finding::new(Code::PATTERN_SLOW, message).help("use `*` or `+`, or smaller counts")
    })
}

/// The largest product of counts that stand in each other, plus those beside it.
fn repeated(text: &str) -> u64 {
    // Each open group: what it holds so far.
    let mut groups = vec![0_u64];
    let (mut closed, mut class, mut chars) = (1_u64, false, text.char_indices());
    while let Some((at, sign)) = chars.next() {
        match sign {
            '\\' => {
                chars.next();
                closed = 1;
            }
            '[' if !class => class = true,
            ']' if class => {
                class = false;
                closed = 1;
            }
            _ if class => {}
            '(' => groups.push(0),
            ')' if groups.len() > 1 => closed = groups.pop().unwrap_or(0).max(1),
            '{' => {
                let most = count(&text[at..]).unwrap_or(0);
                if let Some(group) = groups.last_mut().filter(|_| most > 1) {
                    *group = group.saturating_add(closed.saturating_mul(most));
                    closed = 0;
                }
            }
            _ => {
                // What a group without a count holds counts once.
                if closed > 1
                    && let Some(group) = groups.last_mut()
                {
                    *group = group.saturating_add(closed);
                }
                closed = 1;
            }
        }
    }
    let last = if closed > 1 { closed } else { 0 };
    groups.into_iter().fold(last, u64::saturating_add)
}

/// `{2,30}` is 30.
fn count(text: &str) -> Option<u64> {
    let inner = text.strip_prefix('{')?.split_once('}')?.0;
    let (least, most) = inner.split_once(',').unwrap_or((inner, inner));
    let bound = if most.trim().is_empty() { least } else { most };
    bound.trim().parse().ok()
}

/// A search that begins with anything: the search does that by itself.
fn leading(text: &str) -> Option<Finding> {
    let rest = text.strip_prefix("(?s)").or(text.strip_prefix("(?i)")).unwrap_or(text);
    let start = ["^.*", ".*", ".+?", ".*?"]
        .iter()
        .find(|start| rest.starts_with(**start) && rest.len() > start.len())?;
    (!rest.starts_with(".+")).then_some(())?;
    let message = format!("`{}` begins with `{start}`, so that every text starts a match", short(text));
    let finding = Finding::new(Code::PATTERN_SLOW, message).severity(Severity::Note);
    Some(finding.help("leave the beginning out: a regular expression is searched for anywhere"))
}

/// `^a|b$`: each anchor binds one side.
fn ungrouped(text: &str) -> Option<Finding> {
    let (starts, ends) = (text.starts_with('^'), text.ends_with('$') && !text.ends_with("\\$"));
    let parts = alternatives(text);
    if parts.len() < 2 || (!starts && !ends) {
        return None;
    }
    // Where other alternatives have anchors of their own, each was meant.
    let body = text.strip_prefix('^').unwrap_or(text);
    let body = if ends { body.strip_suffix('$').unwrap_or(body) } else { body };
    if body.contains(['^', '$']) {
        return None;
    }
    let anchor = if starts { "^" } else { "$" };
    let message = format!("in `{}` the `{anchor}` binds one alternative only", short(text));
    let (start, end) = (if starts { "^" } else { "" }, if ends { "$" } else { "" });
    // Groups and repetitions are the work of someone who knows them: there the anchor may be meant.
    let plain = body.chars().all(|c| c.is_alphanumeric() || "|.\\-_/ ".contains(c));
    let severity = if plain { Severity::Warning } else { Severity::Note };
    let finding = Finding::new(Code::PATTERN_LOOSE, message).severity(severity);
    Some(finding.help(format!("group them: `{start}(?:{}){end}`", short(body))))
}

/// The alternatives at the top of a regular expression.
fn alternatives(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth, mut class) = (Vec::new(), 0, 0_usize, false);
    let mut chars = text.char_indices();
    while let Some((at, sign)) = chars.next() {
        match sign {
            '\\' => drop(chars.next()),
            '[' => class = true,
            ']' => class = false,
            '(' if !class => depth += 1,
            ')' if !class => depth = depth.saturating_sub(1),
            '|' if !class && depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

/// The ends of names of hosts, and of files that rules are about, after which a dot is meant as a dot.
const SUFFIXES: &[&str] = &[
    "com", "net", "org", "io", "dev", "sh", "ru", "cn", "xyz", "app", "co", "gov", "edu", "env", "pem",
    "key", "ssh", "aws", "git", "npmrc", "netrc", "json", "yaml", "yml", "toml", "local",
];

/// A dot that stands for any character where a dot is meant.
fn of_host(text: &str) -> Option<Finding> {
    let bytes = text.as_bytes();
    let loose = |at: usize| {
        let before = at.checked_sub(1).map(|before| bytes[before]);
        let rest = &text[at + 1..];
        let word: &str = &rest[..rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len())];
        let plain = before.is_none_or(|byte| byte.is_ascii_alphanumeric() || b"/-_".contains(&byte));
        plain && SUFFIXES.contains(&word) && !rest[word.len()..].starts_with(['*', '+', '?', '{'])
    };
    let at = text.match_indices('.').map(|(at, _)| at).find(|at| loose(*at))?;
    let message =
        format!("in `{}` the dot before `{}` is any character", short(text), word_at(&text[at + 1..]));
    let finding = Finding::new(Code::PATTERN_LOOSE, message).severity(Severity::Note);
    Some(finding.help("write `\\.` for a dot"))
}

fn word_at(rest: &str) -> &str {
    &rest[..rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len())]
}

/// A permission by the beginning, or a part, of an address: another host may have it too.
fn open_host(function: Function, text: &str) -> Option<Finding> {
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let open = match function {
        Function::StartsWith => host.is_some_and(|host| !host.is_empty() && !host.contains('/')),
        _ => host.is_some_and(|host| !host.is_empty()),
    };
    open.then(|| {
        let message =
            format!("`{}` allows every address that merely has `{}` in it", function.name(), short(text));
        let help = "end it with `/` in `starts_with`, so that no longer name of a host fits";
        Finding::new(Code::PATTERN_LOOSE, message).help(help)
    })
}

/// How a value's text was made even.
fn even(subject: &Expr) -> Option<Function> {
    match subject.node() {
        Node::Call(function @ (Function::Normalize | Function::Lower | Function::Upper), _) => {
            Some(*function)
        }
        _ => None,
    }
}

/// A text that is not written as the value was made.
fn of_case(function: Function, subject: &Expr, text: &str) -> Option<Finding> {
    let made = even(subject)?;
    let literal = match function {
        Function::Contains | Function::StartsWith | Function::EndsWith | Function::Glob => text.to_owned(),
        Function::Matches if text.starts_with("(?i)") => return None,
        Function::Matches => letters(text),
        _ => return None,
    };
    odd(made, &literal).then(|| uneven(made, text))
}

fn odd(made: Function, literal: &str) -> bool {
    let changed = match made {
        Function::Upper => literal.to_uppercase(),
        _ => literal.to_lowercase(),
    };
    changed != *literal || (made == Function::Normalize && literal.contains("  "))
}

fn uneven(made: Function, text: &str) -> Finding {
    let what = match made {
        Function::Upper => "upper case",
        Function::Lower => "lower case",
        _ => "lower case with single spaces",
    };
    let message = format!("`{}` is never found: `{}` gives {what}", short(text), made.name());
    Finding::new(Code::PATTERN_CASE, message)
        .help("write it the same way; a regular expression may begin with `(?i)`")
}

/// The letters of a regular expression that stand for themselves.
fn letters(text: &str) -> String {
    let (mut plain, mut chars) = (String::new(), text.chars());
    while let Some(sign) = chars.next() {
        if sign == '\\' {
            chars.next();
        } else {
            plain.push(sign);
        }
    }
    plain
}

/// `lower(x) == "RM"`.
fn even_compare(part: &Expr) -> Option<Finding> {
    let Node::Compare(first, rest) = part.node() else { return None };
    let (_, second) = rest.first().filter(|_| rest.len() == 1)?;
    let (made, literal) = match (even(first), even(second)) {
        (Some(made), None) => (made, second),
        (None, Some(made)) => (made, &**first),
        _ => return None,
    };
    let texts: Vec<&str> = match literal.node() {
        Node::List(items) => items.iter().filter_map(Expr::as_text).collect(),
        _ => literal.as_text().into_iter().collect(),
    };
    texts.into_iter().find(|text| odd(made, text)).map(|text| uneven(made, text))
}

/// As much of a pattern as a message takes.
fn short(text: &str) -> String {
    let cut: String = text.chars().take(60).collect();
    let more = if cut.len() < text.len() { "…" } else { "" };
    format!("{}{more}", cut.escape_debug())
}
