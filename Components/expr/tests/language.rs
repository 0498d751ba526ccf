//! What expressions mean: tables of text and value.

use mentci_expr::{Budget, Compiled, Fault, FaultKind, JsonFacts, evaluate, holds, parse};
use serde_json::{Value as Json, json};

fn facts() -> Json {
    json!({
        "turn_index": 10,
        "context_tokens": 41000,
        "mood": "calm",
        "event": {"name": "pre_tool_call", "tool": {"name": "exec", "args": {
            "command": "sudo rm -rf /etc", "n": 3, "ratio": 2.5, "flags": ["-r", "-f"], "nested": {"a": [{"b": "deep"}]}, "none": null
        }}},
        "at": "2026-03-06T23:30:00+02:00",
        "session_facts": {"user_role": "admin"},
        "facts": {"environment": "production"},
        "parameters": {"threshold": 0.5},
        "plugin": {"settings": {"limit": 7}},
        "texts": {"last_tool": "Error: no such file"},
        "context": {
            "turn": {"number": 4, "token_usage": 0.75, "context_usage": 0.5, "iteration_count": 2},
            "history": {
                "messages": [{"role": "user", "content": "hello"}, {"role": "assistant", "content": "hi"}],
                "tools": [
                    {"name": "grep", "success": true}, {"name": "fetch", "success": false}, {"name": "grep", "success": true}
                ],
                "failures": {"fetch": 3}
            },
            "user": {"id": "ann", "settings": {"theme": "dark"}},
            "state": {"seen": 2},
            "result": {"tool_name": "grep", "success": true, "result": "found it", "error": null},
        },
    })
}

fn value(text: &str) -> Result<Json, Fault> {
    let parsed = parse(text);
    let expr = parsed.expr.unwrap_or_else(|| panic!("`{text}`: {:?}", parsed.problems));
    let program = Compiled::new(&expr);
    let facts = facts();
    evaluate(&program, &JsonFacts::new(&facts), &mut Budget::default()).map(|value| value.to_json())
}

#[track_caller]
fn gives(cases: &[(&str, Json)]) {
    for (text, expected) in cases {
        assert_eq!(value(text).as_ref(), Ok(expected), "`{text}`");
    }
}

#[test]
fn operators_bind_as_in_python() {
    gives(&[
        ("1 + 2 * 3", json!(7)),
        ("(1 + 2) * 3", json!(9)),
        ("10 - 2 - 3", json!(5)),
        ("-2 * -3", json!(6)),
        ("- 2 + 5", json!(3)),
        ("7 % 3 * 2", json!(2)),
        ("not 1 == 2", json!(true)),
        ("not true or true", json!(true)),
        ("true or false and false", json!(true)),
        ("1 if false else 2 if false else 3", json!(3)),
        ("1 + 1 if true else 0", json!(2)),
        ("not 'x' in 'abc'", json!(true)),
        ("'x' not in 'abc' and 1 is not null", json!(true)),
    ]);
}

#[test]
fn comparisons_chain() {
    gives(&[
        ("0 < 1 < 2", json!(true)),
        ("0 < 3 < 2", json!(false)),
        ("1 < 3 > 2 == 2", json!(true)),
        ("0.5 < context.turn.token_usage <= 0.75", json!(true)),
        // The rest of a chain that has failed is not evaluated.
        ("2 < 1 < 1 / 0", json!(false)),
    ]);
}

#[test]
fn numbers_are_exact() {
    gives(&[
        ("9007199254740993 == 9007199254740992.0", json!(false)),
        ("9007199254740993 > 9007199254740992.0", json!(true)),
        ("9223372036854775807 < 1e19", json!(true)),
        ("-9223372036854775808 < 0", json!(true)),
        ("1 == 1.0", json!(true)),
        ("5 / 5 == 1", json!(true)),
        ("-7 % 5", json!(3)),
        ("7 % -5", json!(-3)),
        ("-9223372036854775808 % -1", json!(0)),
        ("1e3", json!(1000.0)),
        ("round(2.5) + round(3.5)", json!(6)),
        ("round(2.675, 2)", json!(2.67)),
        ("round(1234, -2)", json!(1200)),
        ("int(-2.7) + int('5') + int(true)", json!(4)),
    ]);
}

#[test]
fn types_do_not_mix() {
    gives(&[
        ("1 == '1'", json!(false)),
        ("1 == true", json!(false)),
        ("1 != '1'", json!(true)),
        ("null == false", json!(false)),
        ("[1, 2] == [1.0, 2]", json!(true)),
        ("{'a': 1, 'b': [2]} == {'b': [2], 'a': 1}", json!(true)),
        ("1 is true", json!(false)),
        ("arg('none') is null", json!(true)),
    ]);
}

#[test]
fn what_is_not_there_is_null() {
    gives(&[
        ("context.user.settings.size", Json::Null),
        ("context.user.settings['theme']", json!("dark")),
        ("context.user.settings.size.unit", Json::Null),
        ("context.history.messages[9]", Json::Null),
        ("context.history.messages[-1].role", json!("assistant")),
        ("context.history.failures.fetch >= 3", json!(true)),
        ("context.event is None", json!(false)),
        ("arg('missing') == 5", json!(false)),
        ("context.result.error or 'fine'", json!("fine")),
    ]);
}

#[test]
fn operands_decide_as_in_python() {
    gives(&[
        ("0 or 'x'", json!("x")),
        ("'' or null", Json::Null),
        ("1 and 2", json!(2)),
        ("0 and 1 / 0", json!(0)),
        ("true or 1 / 0", json!(true)),
        ("not []", json!(true)),
        ("not {'a': 1}", json!(false)),
        (
            "context.result is not None and context.result.success and len(context.result.result or '') > 5",
            json!(true),
        ),
    ]);
}

#[test]
fn comprehensions_walk() {
    gives(&[
        ("any(t.name == 'fetch' for t in context.history.tools)", json!(true)),
        ("all(t.success for t in context.history.tools)", json!(false)),
        ("all(t.success for t in history.tools if t.name == 'grep')", json!(true)),
        ("[x * 2 for x in [1, 2, 3] if x > 1]", json!([4, 6])),
        ("sum(x for x in [1, 2, 3])", json!(6)),
        ("len([t for t in history.tools if t.name == 'grep']) == 2", json!(true)),
        ("any(any(y > x for y in [1, 2]) for x in [1, 5])", json!(true)),
        ("any(x == 'fetch' for x in history.failures)", json!(true)),
        ("any([])", json!(false)),
        ("all([])", json!(true)),
        ("any(turn_index == 10 for turn_index in [10])", json!(true)),
        ("any(1 / x > 0 for x in [1, 0])", json!(true)),
        ("any(t.name == 'grep' for t in recent_tools(2))", json!(true)),
    ]);
}

#[test]
fn functions_answer() {
    gives(&[
        ("len('größe') + len([1]) + len({'a': 1})", json!(7)),
        ("min(5, 3, 8) + max([1, 2.5])", json!(5.5)),
        ("sorted(['b', 'a'])", json!(["a", "b"])),
        ("abs(-5) + abs(2.5)", json!(7.5)),
        ("str(5) + str(true) + str([1, 'a'])", json!("5true[1,\"a\"]")),
        ("float('3.5')", json!(3.5)),
        ("bool(turn_index) == True", json!(true)),
        ("lower('ABC') + upper('x') + trim('  y ')", json!("abcXy")),
        ("normalize(' RM \u{200b} -rf ')", json!("rm -rf")),
        ("contains(arg('command'), 'rm -rf')", json!(true)),
        ("contains(arg('flags'), '-r')", json!(true)),
        ("contains(arg('none'), 'x')", json!(false)),
        ("starts_with(arg('n'), '3')", json!(true)),
        // What fails of a list's JSON is asked of its items.
        ("starts_with(arg('flags'), '[')", json!(true)),
        ("starts_with(arg('flags'), '-')", json!(true)),
        ("glob(arg('flags'), '-?') and matches(arg('flags'), '^-[rf]$')", json!(true)),
        ("ends_with(arg('flags'), 'x') or matches(arg('flags'), '^r')", json!(false)),
        // So is what a comparison finds false of an argument's list.
        ("arg('flags') == ['-r', '-f'] and arg('flags') != '-x'", json!(true)),
        ("arg('flags') in ['-r', '-f'] and arg('flags') not in ['-x']", json!(true)),
        ("event.tool.args.flags in ['-f', '-r'] and jsonpath('$.flags') in [['-r', '-f']]", json!(true)),
        ("normalize(arg('flags')) in ['-r', '-f'] and '-x' != arg('flags')", json!(true)),
        ("arg('flags') == null or arg('flags') is null or arg('nothing') == '-r'", json!(false)),
        // What no caller chose is what it is.
        ("['a'] == 'a' or history.tools == 'grep' or ['a'] in ['a']", json!(false)),
        ("normalize(['A  B', ' C', ['D']])", json!(["a b", "c", "[\"d\"]"])),
        ("starts_with(normalize(['RM\u{200b} -rf']), 'rm -rf')", json!(true)),
        ("ends_with(arg('command'), '/etc')", json!(true)),
        (r"matches(arg('command'), r'\brm\s+-rf')", json!(true)),
        (r"matches(arg('command'), '^rm')", json!(false)),
        ("glob(arg('command'), 'sudo*/etc') and not glob(arg('command'), 'rm*')", json!(true)),
        ("glob('a.b', '[a-c].?') and not glob('axb', 'a.b') and glob('[x', '[x')", json!(true)),
        ("exists(arg('n')) and not exists(arg('none'))", json!(true)),
        ("arg('nested.a[0].b') + arg('nested.a[-1][\"b\"]')", json!("deepdeep")),
        ("arg('nested.a.0.b') + arg('nested.a.-1.b')", json!("deepdeep")),
        ("arg('nested.a.b') + arg('nested.a.*.b') + arg('nested.*.b')", json!(["deep", "deep", "deep"])),
        ("arg('nested.a.c') is null and arg('nested.a.5.b') is null and arg('flags.b') is null", json!(true)),
        ("jsonpath('$.nested.a[0].b')", json!("deep")),
        ("jsonpath('$.flags[*]')", json!(["-r", "-f"])),
        ("jsonpath('$..b')", json!(["deep"])),
        ("jsonpath('$.nothing')", Json::Null),
        ("session('user_role') == 'admin' and fact('environment') in ['production']", json!(true)),
        ("state.get('seen') + context.state.get('new', 5) + context.state.seen", json!(9)),
        ("state.has('seen') and not context.state.has('new')", json!(true)),
        ("parameters.threshold < plugin.settings.limit", json!(true)),
        ("mood == 'calm'", json!(true)),
        ("tool_completed('grep') and tool_failed('fetch') and failure_count('fetch') == 3", json!(true)),
        ("ever_called('grep') and count_calls('grep') == 2", json!(true)),
        ("text_contains('Error', 'last_tool') and text_contains('hello', 'last_user')", json!(true)),
        ("context_above_threshold(0.4) and not message_count_above(2)", json!(true)),
    ]);
}

#[test]
fn times_and_days() {
    // A Friday, 23:30 at +02:00.
    gives(&[
        ("time_of_day('22:00-06:00')", json!(true)),
        ("time_of_day('9:00-23:30')", json!(true)),
        ("time_of_day('09:00-23:29')", json!(false)),
        ("time_of_day('21:30-21:30', 'UTC')", json!(true)),
        ("time_of_day('00:30-00:30', '+03:00') and day_of_week('sat', '+03:00')", json!(true)),
        ("day_of_week('Mon-Fri') and day_of_week('Fri-Mon') and day_of_week('Wed,FRIDAY')", json!(true)),
        ("day_of_week('Sat-Thu')", json!(false)),
    ]);
}

#[test]
fn expressions_hold_json() {
    gives(&[
        (
            r#"{"query": "related to " + arg("n2" if false else "command")}"#,
            json!({"query": "related to sudo rm -rf /etc"}),
        ),
        (
            r#"{"a": [1, -2.5e1, null, true, {"b": "\u00e9\ud83d\ude00\n"}]}"#,
            json!({"a": [1, -25.0, null, true, {"b": "é😀\n"}]}),
        ),
        ("[1, 2,]", json!([1, 2])),
        ("r'\\d' + \"'\"", json!("\\d'")),
    ]);
}

#[test]
fn faults_are_told_by_kind() {
    use FaultKind as K;
    for (text, kind, message) in [
        ("arg('none') > 5", K::Absent, "a value that is not there cannot be ordered"),
        ("arg('none') + 5 > 1", K::Absent, "a value that is not there cannot be counted with"),
        ("'a' in arg('none')", K::Absent, "a value that is not there cannot be searched"),
        ("len(arg('none'))", K::Absent, "a value that is not there cannot be counted"),
        ("any(x for x in arg('none'))", K::Absent, "a value that is not there cannot be walked"),
        ("max([])", K::Absent, "a value that is not there cannot be found in an empty list"),
        ("arg('n') < 'a'", K::Type, "a whole number and a string cannot be ordered"),
        ("arg('n') + 'a'", K::Type, "a whole number and a string cannot be counted with"),
        ("5 in 'abc'", K::Type, "a string cannot be searched for a whole number"),
        ("mood.size", K::Type, "a string has no field `size`"),
        ("history.tools['a']", K::Type, "a list has no field `a`"),
        ("int('five')", K::Type, "a string does not read as a whole number"),
        ("sorted([1, 'a'])", K::Type, "a string and a whole number cannot be ordered"),
        ("turn_index / 0", K::ZeroDivision, "a division by zero"),
        ("turn_index % 0.0", K::ZeroDivision, "a division by zero"),
        ("9223372036854775807 + 1", K::Overflow, "the number is too large"),
        ("1e308 * 10", K::Overflow, "the number is too large"),
        ("now()", K::Unanswered, "the facts do not answer `now`"),
        (
            "time_of_day('09:00-10:00', 'Europe/Berlin')",
            K::Unanswered,
            "the event's time in this zone is not known",
        ),
        ("context.turn.nope", K::Name, "`context.turn` has no field `nope`"),
        ("starts_with(arg('flags'), '-r')", K::Mixed, "it holds of some items of the list and not of others"),
        ("not glob(arg('flags'), '-r')", K::Mixed, "it holds of some items of the list and not of others"),
        ("arg('flags') == '-r'", K::Mixed, "it holds of some items of the list and not of others"),
        (
            "arg('flags') not in ['-r', '-x']",
            K::Mixed,
            "it holds of some items of the list and not of others",
        ),
        ("1 < arg('flags')", K::Type, "a whole number and a list cannot be ordered"),
        ("arg('flags') > 1", K::Type, "a string and a whole number cannot be ordered"),
        ("matches('a', mood)", K::Pattern, "`matches` takes a literal string"),
    ] {
        let fault = value(text).expect_err(text);
        assert_eq!((fault.kind, fault.message.as_str()), (kind, message), "`{text}`");
    }
}

#[test]
fn a_guard_is_true_or_false() {
    let facts = facts();
    let guard = |text: &str| {
        holds(&Compiled::new(&parse(text).expr.unwrap()), &JsonFacts::new(&facts), &mut Budget::default())
    };
    assert_eq!(guard("turn_index % 5 == 0"), Ok(true));
    let fault = guard("turn_index").unwrap_err();
    assert_eq!(
        (fault.kind, &*fault.message),
        (FaultKind::NotBoolean, "a guard must be true or false, this is a whole number")
    );
}

#[test]
fn work_is_bounded_in_steps() {
    let big = json!({"xs": vec![1; 2000], "event": {"tool": {"args": {"t": "x".repeat(1 << 20)}}}});
    let spent = |text: &str, steps: u64| {
        let program = Compiled::new(&parse(text).expr.unwrap());
        let mut budget = Budget::new(steps);
        evaluate(&program, &JsonFacts::new(&big), &mut budget)
            .map(|_| steps - budget.left())
            .map_err(|fault| fault.kind)
    };
    let nested = "any(any(any(x + y + z < 0 for x in xs) for y in xs) for z in xs)";
    assert_eq!(spent(nested, Budget::STEPS), Err(FaultKind::Budget));
    assert_eq!(spent("turn_index % 5 == 0", 100), Err(FaultKind::Absent));
    assert!(spent("contains(arg('t'), 'y')", Budget::STEPS).unwrap() > 16_000);
    let doubled = "[a + a + a + a + a + a + a + a + a for a in [arg('t')]]";
    assert_eq!(spent(doubled, Budget::STEPS), Err(FaultKind::Budget));
}
