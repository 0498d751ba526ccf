//! What is wrong, in the words that people read.

mod common;

use common::said;
use mentci_dialect::Dialect;

fn yaml(text: &str) -> String {
    said(text, Dialect::Yaml)
}

/// One rule with this `when`, on one line.
fn when(when: &str) -> String {
    yaml(&format!("- {{id: r, then: block, when: {when}}}\n"))
}

#[test]
fn unknown_keys() {
    insta::assert_snapshot!(yaml("rulez: []\nrules: []\n"), @r"
    mine.yaml:1:1: error[E0221]: a file of rules has no key `rulez`
      help: did you mean `rules`?
    ");
    insta::assert_snapshot!(yaml("- {id: r, then: block, when: {args: {a: b}}, tool: exec}"), @r"
    mine.yaml:1:46: error[E0221]: a rule has no key `tool`
      help: `tool` belongs under `when`
    ");
    insta::assert_snapshot!(yaml("- {id: r, thn: block, sevrity: high}"), @r"
    mine.yaml:1:3: error[E0227]: the rule `r` neither decides nor does anything
      help: give it `then` or `actions`
    mine.yaml:1:11: error[E0221]: a rule has no key `thn`
      help: did you mean `then`?
    mine.yaml:1:23: error[E0221]: a rule has no key `sevrity`
      help: did you mean `severity`?
    ");
    insta::assert_snapshot!(when("{tol: exec}"), @r"
    mine.yaml:1:31: error[E0221]: a condition has no key `tol`
      help: did you mean `tool`?
    ");
    insta::assert_snapshot!(when("{args: {command: {containz: x}}}"), @r"
    mine.yaml:1:48: error[E0203]: there is no predicate `containz`
      help: did you mean `contains`?
    ");
    insta::assert_snapshot!(when("{args: {command: {nested: {eq: 1}}}}"), @r"
    mine.yaml:1:48: error[E0203]: there is no predicate `nested`
      help: the predicates are `regex`, `contains`, `not_contains`, `eq`, `ne`, `in`, `not_in`, `gt`, `gte`, `lt`, `lte`, `starts_with`, `ends_with`, `glob`, `exists`; a dotted key as in `a.b` reaches what is nested
    ");
    insta::assert_snapshot!(when("{sender: {nmae: bob}}"), @r"
    mine.yaml:1:40: error[E0221]: `sender` has no key `nmae`
      help: it has `name`; `exact`, `glob` and `regex` say how it is meant
    ");
    insta::assert_snapshot!(when("{chain: [{tool: x, within_second: 5}]}"), @r"
    mine.yaml:1:39: error[E0222]: a step needs `within_seconds`
      help: say how far back is looked
    mine.yaml:1:49: error[E0221]: a step has no key `within_second`
      help: did you mean `within_seconds`?
    ");
}

#[test]
fn wrong_values() {
    insta::assert_snapshot!(yaml("- {id: r, then: blok}"), @r"
    mine.yaml:1:17: error[E0222]: `then` cannot be the text `blok`
      help: did you mean `block`?
    ");
    insta::assert_snapshot!(yaml("- {id: r, then: block, enabled: 'no', once: 1, message: 5}"), @r"
    mine.yaml:1:33: error[E0222]: `enabled` must be `true` or `false`, not the text `no`
      help: write `enabled: true`
    mine.yaml:1:45: error[E0222]: `once` must be `true` or `false`, not the number `1`
      help: write `once: true`
    mine.yaml:1:57: error[E0222]: `message` must be text, not the number `5`
      help: put it in quotes
    ");
    insta::assert_snapshot!(yaml("- {id: r, then: block, severity: hi, priority: first, cooldown_turns: -1}"), @r"
    mine.yaml:1:34: error[E0222]: `severity` cannot be the text `hi`
      help: it is one of `low`, `medium`, `high`, `critical`
    mine.yaml:1:48: error[E0222]: `priority` must be a whole number, not the text `first`
      help: write `priority: 10`
    mine.yaml:1:71: error[E0222]: `cooldown_turns` must be a whole number from 0 to 4294967295, not the number `-1`
      help: write `cooldown_turns: 10`
    ");
    insta::assert_snapshot!(yaml("- {id: r, then: block, on: pre_tool_cal}"), @r"
    mine.yaml:1:28: error[E0222]: `on` cannot be the text `pre_tool_cal`: there is no such hook
      help: did you mean `pre_tool_call`?
    ");
    insta::assert_snapshot!(yaml("- {id: r, then: block, on: turn_end}"), @r"
    mine.yaml:1:3: error[E0222]: `block` is decided at `pre_tool_call`, not at `turn_end`
      help: at other hooks a rule can warn, redact or act
    ");
    insta::assert_snapshot!(yaml("- {id: r, then: block, redact: [email], approve: 5}"), @r#"
    mine.yaml:1:24: error[E0222]: `redact` is for rules whose effect is `redact`
      help: write `then: "redact"`, or leave it out
    mine.yaml:1:41: error[E0222]: `approve` is for rules whose effect is `approve`
      help: write `then: "approve"`, or leave it out
    "#);
    insta::assert_snapshot!(yaml("- {id: r}"), @r"
    mine.yaml:1:3: error[E0227]: the rule `r` neither decides nor does anything
      help: give it `then` or `actions`
    ");
    insta::assert_snapshot!(yaml("- {id: r, then: block, when: }"), @r"
    mine.yaml:1:28: error[E0222]: `when` must be a map of conditions or an expression, not nothing
      help: leave `when` out for a rule that always applies
    ");
    insta::assert_snapshot!(yaml("5"), @r#"
    mine.yaml:1:1: error[E0220]: a file of rules is a map with `rules`, or a list of rules, not the number `5`
      help: write `rules: [{id: "no-shell", when: {tool: "exec"}, then: "block"}]`
    "#);
    insta::assert_snapshot!(yaml(""), @r"
    mine.yaml:1:1: error[E0220]: the file is empty
      help: a file without rules says so: `rules: []`
    ");
    insta::assert_snapshot!(yaml("rules: {a: 1}"), @r#"
    mine.yaml:1:8: error[E0222]: `rules` must be a list of rules, not a map
      help: write `rules: [{id: "no-shell", when: {tool: "exec"}, then: "block"}]`
    "#);
}

#[test]
fn ids() {
    insta::assert_snapshot!(yaml("- then: block\n- {id: 5, then: block}\n- {id: \"a\\u0007\", then: block}\n- {id: '', then: block}"), @r"
    mine.yaml:1:3: error[E0223]: this rule has no `id`
      help: give it one that is unique in its set
    mine.yaml:2:8: error[E0223]: `id` must be text, not the number `5`
      help: put it in quotes
    mine.yaml:3:8: error[E0223]: an id holds characters that do not show: `a\u{7}`
      help: an id has 1 to 200 characters that all show, such as `no-force-push`
    mine.yaml:4:8: error[E0223]: an id is empty: ``
      help: an id has 1 to 200 characters that all show, such as `no-force-push`
    ");
    insta::assert_snapshot!(yaml("- {id: a, then: block}\n- {id: a, then: allow}"), @r"
    mine.yaml:2:3: error[E0224]: the id `a` stands twice
      help: it stands first at mine.yaml:1:3
    ");
}

#[test]
fn names_that_look_like_others() {
    for id in ["a\u{202e}b", "a\u{200b}b", "a\u{feff}"] {
        let said = yaml(&format!("- {{id: \"{id}\", then: block}}"));
        assert!(said.contains("an id holds characters that do not show: `a\\u{"), "{said}");
    }
}

#[test]
fn predicates_take_what_they_compare() {
    insta::assert_snapshot!(when("{args: {a: {gt: '5'}, b: {lte: 2}, c: {regex: 5}, d: {contains: 443}}}"), @r"
    mine.yaml:1:46: error[E0222]: `gt` must be a number, not the text `5`
      help: write `gt: 0.5`
    mine.yaml:1:76: error[E0222]: `regex` must be text, not the number `5`
      help: put it in quotes
    ");
}

#[test]
fn patterns_and_schedules() {
    insta::assert_snapshot!(when("{tool: '(?<=x)y'}"), @r"
    mine.yaml:1:37: error[E0226]: the regex `(?<=x)y` looks behind (`(?<=`), which cannot be matched in linear time
      help: write what stands around it into the pattern, or into a condition of its own
    ");
    insta::assert_snapshot!(when("{tool: '*.*'}"), @r#"
    mine.yaml:1:37: error[E0226]: the regex `*.*` does not read: repetition operator missing expression
      help: for a glob write `{glob: "*.*"}`
    "#);
    insta::assert_snapshot!(when("{tool: []}"), @r"
    mine.yaml:1:37: error[E0222]: the list of `tool` is empty: it fits nothing
      help: name what it fits, or leave the condition out
    ");
    insta::assert_snapshot!(when("{args: {c: {regex: '(?!x)y'}, d: {regex: '(a)\\1'}}}"), @r"
    mine.yaml:1:49: error[E0213]: the regex `(?!x)y` looks ahead (`(?!`), which cannot be matched in linear time
      help: ask for what must not stand there in a condition of its own
    mine.yaml:1:71: error[E0213]: the regex `(a)\1` refers back to a group (`\1`), which cannot be matched in linear time
      help: write out what may stand there again
    ");
    insta::assert_snapshot!(when("{context: {time_of_day: '!25:00-18:00', day_of_week: '!Mon-Fry'}}"), @r#"
    mine.yaml:1:54: error[E0213]: `25:00-18:00` is not a time range like `09:00-18:00`
      help: write two times of 24 hours: `"09:00-18:00"`
    mine.yaml:1:83: error[E0213]: `Fry` is not a day of the week like `Mon`
      help: write days, or a range of them: `"Mon-Fri"`
    "#);
    insta::assert_snapshot!(when("{args: {a..b: x, '$.x[': y}}"), @r#"
    mine.yaml:1:38: error[E0213]: `a..b` is not a path like `a.b[0]`
      help: write the keys with dots between them: `"edits[0].path"`
    mine.yaml:1:47: error[E0213]: `$.x[` is not a JSONPath like `$.a[0]`
      help: write it as in `"$.edits[*].path"`
    "#);
}

#[test]
fn globs_that_are_regexes() {
    insta::assert_snapshot!(when("{tool: 'delete_*|x'}"), @r"
    mine.yaml:1:37: warning[E0230]: `delete_*|x` is a regular expression: its `*` repeats the character before it
      help: write `.*` for any text
    ");
    insta::assert_snapshot!(when("{tool: {glob: 'fs.*'}}"), @r#"
    mine.yaml:1:44: warning[E0230]: `fs.*` is a glob: its `.` is a dot and its `*` any text
      help: for a regular expression write `{regex: "fs.*"}`
    "#);
    insta::assert_snapshot!(when("{args: {path: '/etc/*'}}"), @r#"
    mine.yaml:1:44: warning[E0230]: `/etc/*` is a regular expression: its `*` repeats the character before it
      help: write `.*` for any text, or `{glob: "/etc/*"}`
    "#);
}

#[test]
fn conditions_that_cannot_be_read() {
    insta::assert_snapshot!(when("{if: 'turn_index > 3 and'}"), @r"
    mine.yaml:1:54: error[E0210]: the expression ends where a value is missing
      help: add the value, as in `turn_index > 5`, or take the last operator off
    ");
    insta::assert_snapshot!(when("{if: 'turn_indx > 3'}"), @r"
    mine.yaml:1:36: error[E0211]: there is no variable `turn_indx`
      help: did you mean `turn_index`?
    ");
    insta::assert_snapshot!(when("{args: {}, session: [], any: [], not: {}}"), @r#"
    mine.yaml:1:37: error[E0222]: `args` must be a map with something in it, not an empty map
      help: write `args: {key: "value"}`
    mine.yaml:1:50: error[E0222]: `session` must be a map with something in it, not an empty list
      help: write `session: {key: "value"}`
    mine.yaml:1:59: error[E0222]: `any` must be a list of conditions, not an empty list
      help: write `any: [{tool: "exec"}]`
    mine.yaml:1:68: error[E0222]: this condition is empty
      help: take it out, or say what it asks
    "#);
    insta::assert_snapshot!(when("{chain: [{tool: x}, {tool: y, within_seconds: 0, verdict: nope, min_count: 0}]}"), @r"
    mine.yaml:1:39: error[E0222]: a step needs `within_seconds`
      help: say how far back is looked
    mine.yaml:1:76: error[E0222]: `within_seconds` must be seconds above 0, at most ten years, not the number `0`
      help: write `within_seconds: 60`
    mine.yaml:1:88: error[E0222]: `verdict` cannot be the text `nope`
      help: it is one of `allow`, `warn`, `redact`, `approve`, `block`
    mine.yaml:1:105: error[E0222]: `min_count` must be a whole number from 1 to 4294967295, not the number `0`
      help: write `min_count: 10`
    ");
    insta::assert_snapshot!(when("{args: {n: {gt: [1]}, m: {in: 5}, k: {exists: maybe}, l: {regex: {}}}}"), @r#"
    mine.yaml:1:46: error[E0222]: `gt` must be a number, not a list
      help: write `gt: 0.5`
    mine.yaml:1:60: error[E0222]: `in` must be a list with something in it, not the number `5`
      help: write `in: ["a", "b"]`
    mine.yaml:1:76: error[E0222]: `exists` must be `true` or `false`, not the text `maybe`
      help: write `exists: true`
    mine.yaml:1:95: error[E0222]: `regex` must be text, not an empty map
      help: write `regex: "…"`
    "#);
}

#[test]
fn an_action_without_its_type_and_a_script_without_bounds() {
    insta::assert_snapshot!(yaml("- {id: r, actions: [{message: hi}]}"), @r"
    mine.yaml:1:21: error[E0222]: an action needs its `type`
      help: its `type` is one of `insert`, `notify`, `notify_self`, `call`, `agent`, `compact`, `set`, `set_state`, `log`, `emit`, `emit_event`, `stop`
    ");
    let untold = yaml("- {id: r, actions: [{log: hi}]}");
    assert!(untold.contains("`log` must be a map of the action's fields, not the text `hi`"), "{untold}");
    for memory in ["256 MB", "65536"] {
        assert_eq!(when(&format!("{{script: {{file: a.luau, memory: {memory}}}}}")), "");
    }
    for memory in ["257 MB", "1099511627776"] {
        let said = when(&format!("{{script: {{file: a.luau, memory: {memory}}}}}"));
        assert!(said.contains("`256 MB` at most, not the"), "{said}");
    }
}

#[test]
fn actions_and_tests_that_cannot_be_read() {
    insta::assert_snapshot!(yaml("- {id: r, actions: [{type: deny}, {type: insrt}, {insert: {role: usr}}, 5, {log: {level: loud, message: x}}, {set: {key: a}}]}"), @r#"
    mine.yaml:1:28: error[E0222]: there is no action `deny`
      help: a rule denies by its effect `block`, with `message` and `remind` beside it
    mine.yaml:1:42: error[E0222]: there is no action `insrt`
      help: did you mean `insert`?
    mine.yaml:1:59: error[E0222]: this action needs `text`
      help: write `text: "…"`
    mine.yaml:1:66: error[E0222]: `role` cannot be the text `usr`
      help: did you mean `user`?
    mine.yaml:1:73: error[E0222]: an action must be a map, not the number `5`
      help: write its keys and their values: `{key: "value"}`
    mine.yaml:1:90: error[E0222]: `level` cannot be the text `loud`
      help: it is one of `debug`, `info`, `warn`, `warning`, `error`
    mine.yaml:1:116: error[E0222]: this action needs `value`
      help: or `expr`, an expression
    "#);
    insta::assert_snapshot!(yaml("- {id: r, actions: [{emit: {event: 'tool.{{ event.tool.name }}'}}, {set_state: {key: 'n-{{ turn.number }}', value: 1}}]}"), @r"
    mine.yaml:1:28: error[E0222]: `event` is a name, and no template
      help: templates stand in `payload`
    mine.yaml:1:80: error[E0222]: `key` is a name, and no template
      help: templates stand in `value`
    ");
    insta::assert_snapshot!(yaml("- {id: r, then: block, tests: [{name: x, tool: exec}, {tool: exec, expect: block, colour: red}, {args: {}, expect: block}]}"), @r#"
    mine.yaml:1:32: error[E0222]: this test expects nothing
      help: give `decision`, `rules` or both
    mine.yaml:1:83: error[E0221]: a test has no key `colour`
      help: `Library/specs/dialects.md` lists the keys
    mine.yaml:1:97: error[E0222]: this event has `args` and no `tool`
      help: write `tool: "…"`
    "#);
}

#[test]
fn yaml_that_does_not_parse() {
    insta::assert_snapshot!(yaml("rules:\n  - id: a\n    id: b\n"), @r"
    mine.yaml:3:5: error[E0220]: the key `id` stands twice
      help: keep one of them
    ");
    insta::assert_snapshot!(yaml("rules:\n  - id: a\n   then: [block\n"), @r"
    mine.yaml:3:4: error[E0220]: this YAML does not parse: while parsing a block collection, did not find expected '-' indicator
      help: close quotes and brackets, indent with spaces alone, and put a text that holds `: ` or ` #` into quotes
    ");
    insta::assert_snapshot!(yaml("rules:\n\t- id: a\n"), @r"
    mine.yaml:2:2: error[E0220]: this YAML does not parse: tabs disallowed within this context (block indentation)
      help: close quotes and brackets, indent with spaces alone, and put a text that holds `: ` or ` #` into quotes
    ");
    insta::assert_snapshot!(yaml("rules: []\n---\nrules: []\n"), @r"
    mine.yaml:2:1: error[E0220]: the file holds more than one document
      help: put the rules into one document, without `---`
    ");
    insta::assert_snapshot!(yaml("rules: *nobody\n"), @r"
    mine.yaml:1:8: error[E0220]: this YAML does not parse: while parsing node, found unknown anchor
      help: set the anchor before its alias: `first: &base {…}`, then `second: *base`
    ");
    insta::assert_snapshot!(yaml("rules:\n- {id: a, when: {tool: !!python/object x}, then: block}\n"), @r"
    mine.yaml:2:40: error[E0220]: the tag `!!python/object` means nothing here
      help: take it off: rules hold texts, numbers, lists and maps, and no objects of programs
    ");
    insta::assert_snapshot!(yaml("rules: !mine\n- {id: a, when: {tool: x}, then: block}\n"), @r"
    mine.yaml:2:3: error[E0220]: the tag `!mine` means nothing here
      help: take it off: rules hold texts, numbers, lists and maps, and no objects of programs
    ");
    insta::assert_snapshot!(yaml("rules: !!seq\n- {id: a, when: !!map {tool: !!str x}, then: block, message: m}\n"), @"");
}

#[test]
fn what_is_taken_out() {
    let redacts = |choice: &str| yaml(&format!("- {{id: r, then: redact, redact: {choice}}}\n"));
    insta::assert_snapshot!(redacts("[emial]"), @r"
    mine.yaml:1:34: error[E0222]: there is no kind of data `emial`
      help: did you mean `email`?
    ");
    insta::assert_snapshot!(redacts("[ssn, foo]"), @r"
    mine.yaml:1:39: error[E0222]: there is no kind of data `foo`
      help: kinds are named as their marks: `email`, `credit_card`, `aws_key`; groups are `secrets`, `personal` and `all`
    ");
    insta::assert_snapshot!(redacts("{kinds: [Credit card, GITHUB_TOKENS]}"), @r"
    mine.yaml:1:55: error[E0222]: there is no kind of data `GITHUB_TOKENS`
      help: did you mean `github_token`?
    ");
    insta::assert_snapshot!(redacts("{kinds: [email], patterns: {cust-id: 'C[0-9]+', ok_1: 'K[0-9]+', any: 'x*'}}"), @r"
    mine.yaml:1:70: error[E0226]: the name `cust-id` cannot stand in a mark: use letters, digits and `_`, at most 64
      help: its name is a word such as `ticket`, and it fits one character at least, as `T-[0-9]+` does
    mine.yaml:1:103: error[E0226]: the pattern `any` matches the empty text
      help: its name is a word such as `ticket`, and it fits one character at least, as `T-[0-9]+` does
    ");
    insta::assert_snapshot!(redacts("{patterns: [{name: a b, regex: a}, {name: a, regex: '(?=a)'}]}"), @r"
    mine.yaml:1:64: error[E0226]: the name `a b` cannot stand in a mark: use letters, digits and `_`, at most 64
      help: its name is a word such as `ticket`, and it fits one character at least, as `T-[0-9]+` does
    mine.yaml:1:85: error[E0226]: the regex `(?=a)` looks ahead (`(?=`), which cannot be matched in linear time
      help: write what stands around it into the pattern, or into a condition of its own
    ");
    for choice in ["[email, PII, credit-card]", "secrets", "{kinds: [all], patterns: {CUST_ID: 'C[0-9]+'}}"] {
        assert_eq!(redacts(choice), "", "{choice}");
    }
}

#[test]
fn lists_that_fit_nothing() {
    insta::assert_snapshot!(when("{context: {time_of_day: []}}"), @r"
    mine.yaml:1:54: error[E0222]: the list of `time_of_day` is empty: it fits nothing
      help: name what it fits, or leave the condition out
    ");
    insta::assert_snapshot!(when("{context: {day_of_week: [], environment: []}}"), @r"
    mine.yaml:1:54: error[E0222]: the list of `day_of_week` is empty: it fits nothing
      help: name what it fits, or leave the condition out
    mine.yaml:1:71: error[E0222]: the list of `environment` is empty: it fits nothing
      help: name what it fits, or leave the condition out
    ");
}

#[test]
fn each_condition_is_true_or_false() {
    insta::assert_snapshot!(when("{not: {if: '1 + 1'}}"), @r"
    mine.yaml:1:42: error[E0214]: a guard must be true or false, this is a whole number
      help: compare it: `1 + 1 > 0`
    ");
    insta::assert_snapshot!(when("{if: context.turn.number, args: {path: x}}"), @r"
    mine.yaml:1:35: error[E0214]: a guard must be true or false, this is a whole number
      help: compare it: `context.turn.number > 0`
    ");
    insta::assert_snapshot!(when("{all: [{if: 1 + 1}, {any: [{if: '\"x\"'}, {if: turn_index > 1}]}]}"), @r#"
    mine.yaml:1:42: error[E0214]: a guard must be true or false, this is a whole number
      help: compare it: `1 + 1 > 0`
    mine.yaml:1:63: error[E0214]: a guard must be true or false, this is a string
      help: compare it: `"x" != ""`
    "#);
    insta::assert_snapshot!(said("<policy><tool name=\"exec\"><validate><check if=\"1+1\"/></validate></tool></policy>", Dialect::Chatmd), @r"
    mine.chatmd:1:48: error[E0214]: a guard must be true or false, this is a whole number
      help: compare it: `1 + 1 > 0`
    ");
    assert_eq!(when("{not: {if: parameters.x}, if: event.tool.args.force}").matches(": error[").count(), 1);
}
