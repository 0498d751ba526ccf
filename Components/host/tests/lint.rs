//! What the lints say, word for word: message and help of each.
#![allow(clippy::unwrap_used, reason = "a test may stop")]

use mentci_authority::Trust;
use mentci_host::policy::{Known, RuleFile, Tools, UtcOnly, lint, read_file, read_tools};
use mentci_source::Source;

/// What is said of a file's text.
fn said(path: &str, text: &str, tools: Option<&Tools>) -> String {
    let source = Source::new(path, text);
    let (set, findings) = read_file(&RuleFile::new(source.clone(), Trust::User), &mut |_| None);
    assert!(findings.is_empty(), "{findings:#?}");
    let known = Known { sources: &[source], tools, zones: &UtcOnly, in_force: &[] };
    let found = lint(&[set.unwrap()], known);
    found.iter().fold(String::new(), |all, finding| all + &finding.to_string() + "\n")
}

#[test]
fn rules_beside_each_other() {
    let text = r"
rules:
  - {id: yes, when: {tool: exec, if: turn_index > 3}, then: allow}
  - {id: no, when: {tool: exec, if: turn_index > 3}, then: block, message: no}
  - {id: never, when: {tool: exec, if: 3 < turn_index}, then: block, message: never}
  - {id: later, when: {tool: exec, if: turn_index > 9}, then: approve, message: ask}
  - {id: past, when: {tool: exec}, then: allow, overrides: [nn, past]}
";
    insta::assert_snapshot!(said("a.yaml", text, None), @r##"
    a.yaml:3:5: warning[E0241]: `yes` says `allow` where `no` says `block`
      help: the strictest wins: `yes` never decides; it stands beside a.yaml:4:5
    a.yaml:5:5: warning[E0243]: `never` says the same as `no`
      help: it stands at a.yaml:4:5; take one out
    a.yaml:6:5: warning[E0242]: `later` never matters: `no` blocks all that it is about
      help: the block stands at a.yaml:4:5
    a.yaml:7:5: warning[E0246]: there is no rule `nn`
      help: did you mean `no`?
    a.yaml:7:5: warning[E0247]: `past` does not take `past` out: it is the rule itself
      help: take the name out of `overrides`
    "##);
}

#[test]
fn conditions_that_never_or_always_hold() {
    let text = r#"
rules:
  - {id: status, when: {tool: exec, if: event.tool.status == "error"}, then: block, message: no}
  - {id: share, on: turn_start, when: {if: context.turn.token_usage > 80}, then: warn, message: full}
  - {id: all, then: approve, message: no}
  - {id: anyway, when: {tool: exec, if: 1 < 2}, then: approve, message: ask}
  - {id: hours, when: {tool: exec, context: {time_of_day: "!09:00-18:00", day_of_week: "!Mon-Fri"}}, then: block, message: no, timezone: Mars/Base}
"#;
    insta::assert_snapshot!(said("a.yaml", text, None), @r##"
    a.yaml:3:41: warning[E0244]: `status` never applies: `event.tool.status` is null at `pre_tool_call`
      help: ask at `post_tool_response`
    a.yaml:4:44: warning[E0244]: `share` never applies: `turn.token_usage > 80` never holds
      help: it is a share: 1 is all of it, so that 80% is `0.8`
    a.yaml:5:5: warning[E0245]: `all` closes on every call of every tool
      help: name the tools; for calls about which no rule speaks write `default_verdict`
    a.yaml:6:5: note[E0242]: `anyway` never decides: `all` before it asks about all that it is about
      help: take it out, or narrow the one at a.yaml:5:5
    a.yaml:6:41: warning[E0245]: the condition of `anyway` always holds
      help: leave it out, or correct it
    a.yaml:7:5: error[E0259]: there is no timezone `Mars/Base`
      help: write a name of the IANA database such as `Europe/Berlin`, or `UTC`
    a.yaml:7:88: note[E0255]: `not time_of_day("09:00-18:00")` and `not day_of_week("Mon-Fri")` must both hold
      help: for either of them put them under `any:`; `Library/guide/policy.md` tells of schedules
    "##);
}

#[test]
fn names_that_are_not_there() {
    let text = r"
rules:
  - id: names
    when: {tool: raed, args: {pth: x}, session: {taint.web: true}, context: {claimed.role: x}}
    then: block
    parameters: {limit: 3}
    taints: [seen]
  - {id: reads, when: {tool: read, args: {pth: x}}, then: warn, message: careful}
";
    let tools = Tools::from([("read".to_owned(), Some([("path".to_owned(), serde_json::json!({}))].into()))]);
    insta::assert_snapshot!(said("a.yaml", text, Some(&tools)), @r"
    a.yaml:3:5: note[E0248]: the taint `seen` is set and never read
      help: read it as `session: {taint.seen: true}`, or do not set it
    a.yaml:3:5: note[E0249]: `names` never reads its parameter `limit`
      help: write `parameters.limit` in its condition, or take it out
    a.yaml:3:5: warning[E0250]: there is no tool `raed`
      help: did you mean `read`?
    a.yaml:3:5: note[E0257]: `names` stops a call and does not say why
      help: give it a `message` that says what to do instead
    a.yaml:4:50: warning[E0248]: no rule sets the taint `web`
      help: a rule sets a taint when it fires; this one is never there
    a.yaml:4:78: warning[E0256]: `names` rests on the claim `claimed.role`
      help: a caller that says otherwise is not stopped: rest it on `session`, which the host knows
    a.yaml:8:43: warning[E0251]: no tool of `read` takes an argument `pth`
      help: did you mean `path`?
    ");
}

#[test]
fn patterns_and_fields() {
    let text = r#"
rules:
  - {id: slow, when: {tool: exec, args: {command: {regex: '.*(a{99}b){99}'}}}, then: block, message: no}
  - {id: loose, when: {tool: exec, args: {command: {regex: '^evil.com|b'}}}, then: block, message: no}
  - {id: cased, when: {tool: exec, if: 'contains(lower(arg("x")), "RM")'}, then: block, message: no}
  - {id: idle, on: turn_start, then: warn, message: x, once: true, cooldown_turns: 2, remind: y}
"#;
    insta::assert_snapshot!(said("a.yaml", text, None), @r##"
    a.yaml:3:59: warning[E0252]: `.*(a{99}b){99}` repeats its parts 9801 times when it is written out
      help: use `*` or `+`, or smaller counts
    a.yaml:3:59: note[E0252]: `.*(a{99}b){99}` begins with `.*`, so that every text starts a match
      help: leave the beginning out: a regular expression is searched for anywhere
    a.yaml:4:60: warning[E0253]: in `^evil.com|b` the `^` binds one alternative only
      help: group them: `^(?:evil.com|b)`
    a.yaml:4:60: note[E0253]: in `^evil.com|b` the dot before `com` is any character
      help: write `\.` for a dot
    a.yaml:5:67: warning[E0254]: `RM` is never found: `lower` gives lower case
      help: write it the same way; a regular expression may begin with `(?i)`
    a.yaml:6:5: warning[E0258]: `idle`: a rule that fires once never rests
      help: leave `once` or the cooldown out
    a.yaml:6:5: warning[E0258]: `idle`: `remind` follows a denial, and this rule denies nothing
      help: use `actions` with an `insert`
    "##);
}

#[test]
fn patterns_of_another_kind() {
    let text = r"
rules:
  - {id: braces, when: {tool: read, args: {path: {glob: '*.{py,rs}'}}}, then: block, message: no}
  - {id: open, when: {tool: read, args: {path: {glob: 'a[b'}}}, then: block, message: no}
  - {id: signs, when: {tool: {glob: '^mcp_*'}, args: {path: {glob: '.*\.py'}}}, then: block, message: no}
  - {id: text, when: {tool: read, args: {path: {contains: 'rm.*-rf'}}}, then: block, message: no}
  - {id: start, when: {tool: read, args: {path: {starts_with: 'git\s+push'}}}, then: block, message: no}
  - {id: fine, when: {tool: read, args: {path: {glob: ['*.py', '.*', 'a.*', '[ab]?', 'src/{x}'], contains: ['C:\data', '${HOME}', '.env.*', 'a.b']}}}, then: block, message: no}
";
    insta::assert_snapshot!(said("a.yaml", text, None), @r"
    a.yaml:3:57: warning[E0230]: `*.{py,rs}`: braces in a glob are themselves
      help: write a list of globs, one for each
    a.yaml:4:55: warning[E0230]: `a[b`: a bracket that is never closed is itself
      help: close it as in `[ab]`, or take it out
    a.yaml:5:5: warning[E0230]: `^mcp_*`: signs of regular expressions in a glob are themselves
      help: write it as `regex`
    a.yaml:5:68: warning[E0230]: `.*\\.py`: signs of regular expressions in a glob are themselves
      help: write it as `regex`
    a.yaml:6:59: warning[E0230]: `contains` looks for `rm.*-rf` as it stands, signs included
      help: for a regular expression write `regex`
    a.yaml:7:63: warning[E0230]: `starts_with` looks for `git\\s+push` as it stands, signs included
      help: for a regular expression write `regex`
    ");
}

#[test]
fn facts_that_nobody_tells() {
    let text = r"
rules:
  - {id: time, when: {tool: x, context: {time_of_dey: '9:00-18:00', dayofweek: Mon}}, then: block, message: no}
  - {id: count, when: {tool: x, session: {total_cals: {gt: 3}, tool_counts.exec: {gt: 3}}}, then: block, message: no}
  - {id: taint, when: {tool: x, session: {taints: [dirty], tainted.web: true}}, then: block, message: no}
  - {id: sets, on: post_tool_response, then: warn, message: dirty words, taints: [dirty]}
  - {id: fine, when: {tool: x, session: {total_calls: {gt: 3}, tool_count.x: {gt: 1}, tainted: true, tier: gold}, context: {day: Mon}}, then: block, message: no}
";
    let first = text.replace("  - {id: fine", "#");
    insta::assert_snapshot!(said("a.yaml", &first, None), @r"
    a.yaml:3:42: warning[E0286]: `time_of_dey` is none of the facts that the engine keeps
      help: did you mean `time_of_day`?
    a.yaml:3:69: warning[E0286]: `dayofweek` is none of the facts that the engine keeps
      help: did you mean `day_of_week`?
    a.yaml:4:43: warning[E0286]: `total_cals` is none of the facts that the engine keeps
      help: did you mean `total_calls`?
    a.yaml:4:64: warning[E0286]: `tool_counts.exec` is none of the facts that the engine keeps
      help: did you mean `tool_count.exec`?
    a.yaml:5:43: warning[E0286]: `taints` is none of the facts that the engine keeps
      help: did you mean `taint.NAME`?
    a.yaml:5:60: warning[E0286]: `tainted.web` is none of the facts that the engine keeps
      help: did you mean `taint.web`?
    a.yaml:6:5: note[E0248]: the taint `dirty` is set and never read
      help: read it as `session: {taint.dirty: true}`, or do not set it
    ");
    assert_eq!(said("a.yaml", &format!("rules:\n{}\n", text.lines().last().unwrap()), None), "");
}

#[test]
fn rules_that_stand_beside_may_be_named() {
    let read = |path: &str, text: &str| {
        let source = Source::new(path, text);
        read_file(&RuleFile::new(source, Trust::User), &mut |_| None).0.unwrap()
    };
    let own = read(
        "own.yaml",
        "rules: [{id: a, when: {tool: x, session: {taint.web: true}}, then: allow, overrides: [team/b, team/core]}]\n",
    );
    let team = read(
        "team.yaml",
        "rules: [{id: b, when: {tool: x}, then: block, taints: [web]}, {id: core, core: true, then: block}]\n",
    );
    let told = |in_force: &[mentci_authority::RuleSet]| {
        let known = Known { sources: &[], tools: None, zones: &UtcOnly, in_force };
        lint(std::slice::from_ref(&own), known).iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    };
    insta::assert_snapshot!(told(&[]), @r"
    own.yaml:1:9: warning[E0246]: there is no rule `team/b`
      help: `policy-engine rules list` shows the rules; one of another pack is `pack/id`
    own.yaml:1:9: warning[E0246]: there is no rule `team/core`
      help: `policy-engine rules list` shows the rules; one of another pack is `pack/id`
    own.yaml:1:9: warning[E0248]: no rule sets the taint `web`
      help: a rule sets a taint when it fires; this one is never there
    ");
    insta::assert_snapshot!(told(&[team]), @r"
    own.yaml:1:9: warning[E0247]: `a` does not take `core` out: it is core, and core rules are never taken out
      help: take the name out of `overrides`
    ");
}

#[test]
fn many_rules_are_compared_in_bounded_work() {
    let rule = |at: usize| {
        format!(
            "  - {{id: r{at}, when: {{tool: exec, args: {{command: {{contains: \"<{at}>\"}}}}}}, then: block, message: no}}\n"
        )
    };
    let text = format!("rules:\n{}", (0..2_000).map(rule).collect::<String>());
    assert_eq!(said("a.yaml", &text, None), "");
}

#[test]
fn arguments_that_are_something_else() {
    let schemas = r#"[{"name": "exec", "inputSchema": {"properties": {
        "command": {"type": "string"}, "n": {"type": "integer"}, "any": {}, "opt": {"type": ["string", "null"]},
        "edits": {"type": "array", "items": {"type": "object", "properties": {"path": {"type": "string"}}}},
        "o": {"type": "object", "properties": {"k": {"type": "number"}}}, "open": {"type": "object"},
        "one": {"anyOf": [{"type": "string"}, {"type": "integer"}]}}}}]"#;
    let tools = read_tools(&Source::new("tools.json", schemas)).unwrap();
    let odd = r"
rules:
  - {id: a, when: {tool: exec, args: {command: {gt: 5}}}, then: block, message: m}
  - {id: b, when: {tool: exec, args: {command.x: {eq: a}}}, then: block, message: m}
  - {id: c, when: {tool: exec, args: {opt: {eq: 5}}}, then: block, message: m}
  - {id: d, when: {tool: exec, args: {n: {in: [a, b]}}}, then: block, message: m}
  - {id: e, when: {tool: exec, args: {edits.pth: {eq: a}}}, then: block, message: m}
  - {id: f, when: {tool: exec, args: {edits.path: {eq: 5}}}, then: block, message: m}
  - {id: g, when: {tool: exec, if: '0 < event.tool.args.command'}, then: warn}
  - {id: h, when: {tool: exec, args: {o.kk: {exists: true}}}, then: warn}
";
    insta::assert_snapshot!(said("a.yaml", odd, Some(&tools)), @r##"
    a.yaml:3:39: warning[E0251]: `arg("command")` is a string, and is compared with a number
      help: a fault on every call closes a gate on every call, and leaves any other rule unfired
    a.yaml:4:39: warning[E0251]: `command` is a string: `arg("command.x")` is never there
      help: ask about `command`
    a.yaml:5:39: warning[E0251]: `arg("opt")` is a string or null, and is compared with a number
      help: the two are never equal
    a.yaml:6:39: warning[E0251]: `arg("n")` is a whole number, and is compared with a list of what it never is
      help: it equals none of them
    a.yaml:7:39: warning[E0251]: `edits` is a list: `arg("edits.pth")` is never there
      help: ask about `edits`
    a.yaml:8:39: warning[E0251]: `arg("edits.path")` is a string, and is compared with a number
      help: the two are never equal
    a.yaml:9:37: warning[E0251]: `event.tool.args.command` is a string, and is compared with a number
      help: a fault on every call closes a gate on every call, and leaves any other rule unfired
    a.yaml:10:39: warning[E0251]: `o` is a map: `arg("o.kk")` is never there
      help: did you mean `o.k`?
    "##);
    let sound = r#"
rules:
  - {id: a, when: {tool: exec, args: {any: {gt: 5}, any.x: {eq: 1}, n: {gt: 5}, opt: {eq: x}, o.k: {lt: 2.5}}}, then: warn}
  - {id: b, when: {tool: exec, args: {edits.path: {eq: x}, edits.0.path: {eq: y}, edits.*.path: z, open.x: {eq: 1}}}, then: warn}
  - {id: c, when: {tool: exec, args: {one: {gt: 5}, one.x: {eq: 1}, n: {contains: 5}, command: {in: [a, 5]}}}, then: warn}
  - {id: d, when: {tool: exec, if: 'int(arg("command")) > 5 and arg("n") != null'}, then: warn}
"#;
    assert_eq!(said("a.yaml", sound, Some(&tools)), "");
}
