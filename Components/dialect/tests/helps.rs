//! Whatever is refused is refused at a place, and with what to do.

mod common;

use common::reading;
use mentci_dialect::Dialect::{self, Chatmd, Edn, Toml, Yaml};
use mentci_source::Severity;

/// The code, the dialect, line and column, and the file.
type Row = (&'static str, Dialect, (u32, u32), &'static str);

const ROWS: &[Row] = &[
    ("E0203", Yaml, (1, 48), "- {id: r, then: block, when: {args: {command: {holds: x}}}}"),
    ("E0210", Yaml, (1, 34), "- {id: r, then: block, when: '1 >'}"),
    ("E0210", Yaml, (1, 31), "- {id: r, then: block, when: '> 1'}"),
    ("E0210", Yaml, (1, 36), "- {id: r, then: block, when: 'x == \"a'}"),
    ("E0210", Yaml, (1, 31), "- {id: r, then: block, when: '(x > 1'}"),
    ("E0210", Yaml, (1, 31), "- {id: r, then: block, when: '12ab'}"),
    ("E0210", Yaml, (1, 31), "- {id: r, then: block, when: '99999999999999999999 > turn_index'}"),
    (
        "E0210",
        Chatmd,
        (2, 26),
        "<rules>\n<on event=\"turn_end\" if=\"# > 1\"><log message=\"x\"/></on></rules>",
    ),
    ("E0211", Yaml, (1, 31), "- {id: r, then: block, when: 'zzzzzzzz > 1'}"),
    ("E0211", Edn, (1, 32), "{:id \"r\" :then :block :when (> zzzzzzzz 1)}"),
    ("E0212", Yaml, (1, 31), "- {id: r, then: block, when: 'zzzzzzzz(1)'}"),
    ("E0212", Yaml, (1, 31), "- {id: r, then: block, when: 'len()'}"),
    ("E0213", Yaml, (1, 44), "- {id: r, then: block, when: 'matches(\"a\", \"(\")'}"),
    ("E0214", Yaml, (1, 31), "- {id: r, then: block, when: '1 + 1'}"),
    ("E0214", Edn, (1, 29), "{:id \"r\" :then :block :when (+ 1 1)}"),
    ("E0220", Yaml, (1, 1), "5"),
    ("E0220", Yaml, (1, 8), "- {id: 'r"),
    ("E0220", Yaml, (1, 2), "{[a]: 1}"),
    ("E0220", Yaml, (1, 5), "<<: 5"),
    ("E0220", Toml, (2, 8), "[rule]\nid = \"r"),
    ("E0220", Chatmd, (1, 8), "<rules>what is this</rules>"),
    ("E0221", Yaml, (1, 24), "- {id: r, then: block, zzzzzzzz: 1}"),
    ("E0221", Yaml, (1, 24), "- {id: r, then: block, tool_name: exec}"),
    ("E0221", Yaml, (1, 24), "- {id: r, then: block, blocked_args_patterns: {path: x}}"),
    ("E0221", Yaml, (1, 24), "- {id: r, then: block, extends: q}"),
    ("E0221", Yaml, (1, 13), "{rules: [], output_rules: []}"),
    ("E0221", Yaml, (1, 13), "{rules: [], taint_chain: {enabled: true}}"),
    ("E0221", Yaml, (1, 13), "{rules: [], sanitizer: {}}"),
    ("E0221", Toml, (4, 1), "[rule]\nid = \"r\"\ntrigger = \"turn_end\"\nzzzzzzzz = 1\neffect = \"warn\""),
    (
        "E0221",
        Chatmd,
        (1, 29),
        "<rules><on event=\"turn_end\" zzzzzzzz=\"1\"><log message=\"x\"/></on></rules>",
    ),
    ("E0221", Edn, (1, 23), "{:id \"r\" :then :block :zzzzzzzz 1}"),
    ("E0222", Yaml, (1, 38), "- {id: r, then: block, when: {chain: []}}"),
    ("E0222", Yaml, (1, 33), "- {id: r, then: block, enabled: 'no'}"),
    (
        "E0222",
        Toml,
        (4, 12),
        "[rule]\nid = \"r\"\ntrigger = \"turn_end\"\npriority = \"first\"\neffect = \"warn\"",
    ),
    ("E0222", Chatmd, (1, 8), "<rules><on><log message=\"x\"/></on></rules>"),
    ("E0222", Edn, (1, 30), "{:id \"r\" :then :block :when (zzzzzzzz 1)}"),
    ("E0222", Edn, (1, 29), "{:id \"r\" :then :block :when ()}"),
    ("E0223", Yaml, (1, 8), "- {id: '', then: block}"),
    ("E0223", Yaml, (1, 3), "- {then: block}"),
    ("E0224", Yaml, (2, 3), "- {id: r, then: block}\n- {id: r, then: block}"),
    ("E0226", Yaml, (1, 45), "- {id: r, then: block, when: {tool: {regex: '('}}}"),
    ("E0226", Yaml, (1, 48), "- {id: r, then: redact, redact: {patterns: {a: '('}}}"),
    ("E0227", Yaml, (1, 3), "- {id: r}"),
    ("E0228", Yaml, (1, 12), "{include: [away.yaml], rules: []}"),
];

#[test]
fn each_error_has_its_place_and_its_help() {
    for &(code, dialect, place, text) in ROWS {
        same(code, dialect, place, text);
    }
    let deep = format!("- {{id: r, then: block, when: '{}1{}'}}", "(".repeat(200), ")".repeat(200));
    same("E0215", Yaml, (1, 127), &deep);
    let long = format!("- {{id: r, then: block, when: 'x == \"{}\"'}}", "a".repeat(70_000));
    same("E0215", Yaml, (1, 31), &long);
}

fn same(code: &str, dialect: Dialect, place: (u32, u32), text: &str) {
    let findings = reading(text, dialect).findings;
    let errors: Vec<_> = findings.iter().filter(|finding| finding.severity == Severity::Error).collect();
    for finding in &errors {
        let helped = finding.help.as_ref().is_some_and(|help| !help.trim().is_empty());
        assert!(helped, "{finding}");
    }
    let own = errors.iter().find(|finding| finding.code.id() == code);
    let own = own.unwrap_or_else(|| panic!("no {code} in {errors:?}: {text}"));
    let name = format!("mine.{}", dialect.name());
    assert_eq!(own.path.as_deref(), Some(name.as_str()), "{text}");
    assert_eq!((own.line, own.column), (Some(place.0), Some(place.1)), "{own}\n{text}");
}
