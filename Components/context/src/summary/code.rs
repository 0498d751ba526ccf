//! Programs: an outline of what they define, by patterns that many languages share.

use super::lines::{Lines, many};
use super::sample::Sample;

/// Words that may stand before a definition.
const BEFORE: &[&str] = &[
    "pub",
    "pub(crate)",
    "pub(super)",
    "export",
    "default",
    "public",
    "private",
    "protected",
    "internal",
    "static",
    "final",
    "abstract",
    "async",
    "unsafe",
    "extern",
    "override",
    "virtual",
    "inline",
    "const",
    "declare",
    "sealed",
    "open",
    "data",
    "local",
    "partial",
];
/// Words that begin a definition.
const DEFINES: &[&str] = &[
    "fn",
    "def",
    "class",
    "struct",
    "enum",
    "trait",
    "impl",
    "interface",
    "type",
    "func",
    "function",
    "module",
    "mod",
    "namespace",
    "macro_rules!",
    "union",
    "protocol",
    "object",
    "record",
    "defmodule",
    "defn",
    "(defn",
    "(def",
    "CREATE",
    "create",
];

pub(super) fn is_code(sample: &Sample<'_>) -> bool {
    let is_script = sample.lines.first().is_some_and(|line| line.starts_with("#!"));
    let defines = sample.count(|line| defines(line) || imports(line)) > 0;
    (defines || is_script) && sample.mostly(40, is_coded)
}

/// Whether a line defines something.
fn defines(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let Some(first) = words.find(|word| !BEFORE.contains(word)) else { return false };
    let name = words.next().unwrap_or_default();
    let is_generic =
        DEFINES.iter().any(|word| first.strip_prefix(word).is_some_and(|rest| rest.starts_with('<')));
    let is_named = name.starts_with(|one: char| one.is_alphabetic() || "_($<:`\"".contains(one));
    // `class of people` in a sentence defines nothing: a definition opens a body, ends, or has a signature.
    let is_ended =
        line.trim_end().ends_with(['{', ':', ';', '(', ')', ',', '}', '>']) || line.contains(['(', '=']);
    is_generic || DEFINES.contains(&first) && is_named && (is_ended || words.next().is_none())
}

fn imports(line: &str) -> bool {
    let starts = [
        "import ",
        "use ",
        "from ",
        "#include",
        "package ",
        "require(",
        "using ",
        "#define ",
        "extern crate ",
    ];
    let start = starts.iter().find(|start| line.starts_with(**start));
    let is_said = |start: &&str| match *start {
        "from " => line.contains(" import "),
        "use " | "using " => line.trim_end().ends_with(';') || line.contains("::"),
        "import " => !line.trim_end().ends_with('.'),
        _ => true,
    };
    start.is_some_and(is_said)
}

/// Whether a line reads like a program's.
fn is_coded(line: &str) -> bool {
    let bare = line.trim();
    let calls = bare.contains("()")
        || bare.contains(" = ")
        || bare.contains(" == ")
        || bare.contains("->")
        || bare.contains("=>");
    bare.ends_with(['{', '}', ';'])
        || bare.ends_with("):")
        || bare.ends_with("),")
        || calls && !bare.ends_with('.')
        || defines(line)
        || imports(line)
        || ["//", "/*", "* ", "#[", "return ", "if ", "for ", "@", "elif ", "else:", "try:"]
            .iter()
            .any(|start| bare.starts_with(start))
            && !bare.ends_with('.')
}

pub(super) fn summary(text: &str) -> Lines {
    let count = text.lines().count();
    let found = text.lines().filter(|line| line.len() < 400 && defines(line)).count();
    let mut lines = Lines::under(format!("code, {}, {}", many(count, "line"), many(found, "definition")));
    for (at, line) in text.lines().enumerate().filter(|(_, line)| line.len() < 400 && defines(line)) {
        let depth = (line.len() - line.trim_start().len()).min(8);
        let signature = line.trim().trim_end_matches(['{', ':', ' ']);
        lines.push(
            if depth == 0 { 1 } else { 2 },
            format!("{}: {}{signature}", at + 1, " ".repeat(depth / 2)),
        );
    }
    lines
}
