//! Keys that files of PolicyShield have and this dialect has not: what to write in their place.

use crate::Dialect;

/// Those of a rule. PolicyShield itself passes over the first two.
const OF_RULES: &[(&str, &str)] = &[
    ("tool_name", "the tools of a rule are `tool` under `when`: `when: {tool: read_file}`"),
    ("blocked_args_patterns", "what arguments hold is asked under `when`: `when: {args: {path: '\\.\\./'}}`"),
    (
        "extends",
        "a rule takes over what another one of its file says by YAML's own merge: `- &base {id: a, …}`, `- {<<: *base, id: b}`",
    ),
];

/// Those that stand beside `rules`.
const AROUND_RULES: &[(&str, &str)] = &[
    (
        "output_rules",
        "a rule looks at outputs with `on: post_tool_response`; `then: redact` and `redact: {patterns: {KEY: 'sk-\\w+'}}` take out what fits",
    ),
    (
        "taint_chain",
        "two rules say it: one with `on: post_tool_response` and `taints: [personal]` says by `when` which outputs taint, one blocks the tools that send, `when: {tool: send, session: {taint.personal: true}}`",
    ),
    (
        "sanitizer",
        "each rule asks for itself: `normalize: true` beside what it looks for, `if: len(arg(\"text\")) > 1000` for how long it may be",
    ),
];

/// What a rule says in the place of this key.
pub(super) fn in_a_rule(dialect: Dialect, key: &str) -> Option<String> {
    if dialect == Dialect::Yaml { of(OF_RULES, key) } else { None }
}

/// What a file of YAML says in the place of this key beside its rules.
pub(super) fn around_rules(key: &str) -> Option<String> {
    of(AROUND_RULES, key)
}

fn of(table: &[(&str, &str)], key: &str) -> Option<String> {
    table.iter().find(|(known, _)| *known == key).map(|(_, help)| (*help).to_owned())
}
