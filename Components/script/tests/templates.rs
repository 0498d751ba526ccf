//! Templates: what they say, and the traps.

use mentci_script::{MAX_TEMPLATE_BYTES, Template, render};
use serde_json::{Value, json};

fn facts() -> Value {
    json!({
        "context": {"turn": {"number": 7, "token_usage": 0.85}, "history": {"tools": [{"name": "exec"}, {"name": "read_file"}]}},
        "result": {"text": "{{ context.turn.number }} <b>&</b>", "count": 9},
        "large": "x".repeat(100_000),
        "list": (0..1000).collect::<Vec<_>>(),
    })
}

fn told(source: &str) -> String {
    match render(source, &facts()) {
        Ok(text) if text.len() > 200 => format!("{} bytes", text.len()),
        Ok(text) => text,
        Err(error) => format!("error: {error}"),
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn what_templates_say() {
    let sources = [
        "plain",
        "{{ context.turn.number }}",
        "{{ (context.turn.token_usage * 100) | int }}%",
        "{{ result.count }} results{% if result.count > 6 %}, many{% endif %}",
        "{% for tool in context.history.tools %}{{ tool.name }};{% endfor %}",
        "{{ context.history.tools | length }} {{ context.history.tools[0].name | upper }}",
        "[{{ absent }}] [{{ absent.deeper.still }}] [{{ context.turn.absent }}]",
        "{{ absent | default('none') }}",
        // What a tool returned is data: it is neither rendered again nor escaped.
        "{{ result.text }}",
        "{{ result.text | safe }}",
        "{{ context.history.tools }}",
        // Traps.
        "{{ broken",
        "{% if x %}",
        "{{ x | nothing }}",
        "{{ nothing() }}",
        "{{ context.turn.number.real() }}",
        "{{ 1 / 0 }}",
        "{{ 'x' * 1000000000 }}",
        "{{ 9223372036854775807 + 1 }}",
        "{{ range(1000000000) }}",
        "{% for a in list %}{% for b in list %}{{ a }}{% endfor %}{% endfor %}",
        "{% for a in range(100000) %}x{% endfor %}",
        "{% include 'other' %}",
        "{% import 'other' as other %}",
        "{% extends 'message' %}",
        "{% include 'message' %}",
        "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
        "{% set x = x %}{{ x }}",
        "{{ ''.__class__ }}",
        "{{ context.__class__.__mro__ }}",
        "{{ large | replace('x', large) | length }}",
        "{{ large | list | length }}",
        "{{ [large, large] | join }}",
        "{{ list | join(large) }}",
        "{{ [1, 'a', 2.5] | join(', ') }} {{ 'a-b' | replace('-', '+') }}",
        "{% for a in range(11) %}{{ large }}{% endfor %}",
        "{{ 'x' | indent(1000000000) }}",
        "{% set ns = namespace(x=1) %}{% for i in range(9000) %}{% set ns.x = [ns.x] %}{% endfor %}{{ ns.x }}",
        "{{ 1 +\n\n }}",
        "{% filter upper %}x{% endfilter %}",
        "{{ debug() }}",
        "{{ self }}{{ loop }}",
    ];
    let table: String = sources
        .iter()
        .flat_map(|source| [source, "\n    ", &told(source), "\n"].map(str::to_owned))
        .collect();
    insta::assert_snapshot!(table, @r"
    plain
        plain
    {{ context.turn.number }}
        7
    {{ (context.turn.token_usage * 100) | int }}%
        85%
    {{ result.count }} results{% if result.count > 6 %}, many{% endif %}
        9 results, many
    {% for tool in context.history.tools %}{{ tool.name }};{% endfor %}
        exec;read_file;
    {{ context.history.tools | length }} {{ context.history.tools[0].name | upper }}
        2 EXEC
    [{{ absent }}] [{{ absent.deeper.still }}] [{{ context.turn.absent }}]
        [] [] []
    {{ absent | default('none') }}
        none
    {{ result.text }}
        {{ context.turn.number }} <b>&</b>
    {{ result.text | safe }}
        {{ context.turn.number }} <b>&</b>
    {{ context.history.tools }}
        [{'name': 'exec'}, {'name': 'read_file'}]
    {{ broken
        error: syntax error: unexpected end of input, expected end of variable block (line 1)
    {% if x %}
        error: syntax error: unexpected end of input, expected end of block (line 1)
    {{ x | nothing }}
        error: unknown filter: filter nothing is unknown (line 1)
    {{ nothing() }}
        error: unknown function: nothing is unknown (line 1)
    {{ context.turn.number.real() }}
        error: unknown method: number has no method named real (line 1)
    {{ 1 / 0 }}
        error: invalid operation: unable to calculate 1 / 0 (line 1)
    {{ 'x' * 1000000000 }}
        error: invalid operation: the text is longer than 1048576 bytes (line 1)
    {{ 9223372036854775807 + 1 }}
        9223372036854775808
    {{ range(1000000000) }}
        error: invalid operation: range has too many elements (line 1)
    {% for a in list %}{% for b in list %}{{ a }}{% endfor %}{% endfor %}
        error: engine ran out of fuel (line 1)
    {% for a in range(100000) %}x{% endfor %}
        error: invalid operation: a list of more than 50000 elements (line 1)
    {% include 'other' %}
        error: syntax error: unknown statement include (line 1)
    {% import 'other' as other %}
        error: syntax error: unknown statement import (line 1)
    {% extends 'message' %}
        error: syntax error: unknown statement extends (line 1)
    {% include 'message' %}
        error: syntax error: unknown statement include (line 1)
    {% macro m() %}{{ m() }}{% endmacro %}{{ m() }}
        error: syntax error: unknown statement macro (line 1)
    {% set x = x %}{{ x }}
        
    {{ ''.__class__ }}
        
    {{ context.__class__.__mro__ }}
        
    {{ large | replace('x', large) | length }}
        error: invalid operation: the text is longer than 1048576 bytes (line 1)
    {{ large | list | length }}
        100000
    {{ [large, large] | join }}
        200000 bytes
    {{ list | join(large) }}
        error: invalid operation: the text is longer than 1048576 bytes (line 1)
    {{ [1, 'a', 2.5] | join(', ') }} {{ 'a-b' | replace('-', '+') }}
        1, a, 2.5 a+b
    {% for a in range(11) %}{{ large }}{% endfor %}
        error: the text is longer than 1048576 bytes
    {{ 'x' | indent(1000000000) }}
        error: unknown filter: filter indent is unknown (line 1)
    {% set ns = namespace(x=1) %}{% for i in range(9000) %}{% set ns.x = [ns.x] %}{% endfor %}{{ ns.x }}
        error: unknown function: namespace is unknown (line 1)
    {{ 1 +

     }}
        error: syntax error: unexpected end of variable block (line 3)
    {% filter upper %}x{% endfilter %}
        X
    {{ debug() }}
        error: unknown function: debug is unknown (line 1)
    {{ self }}{{ loop }}
    ");
}

#[test]
fn nests_are_read_or_refused_and_never_overflow() {
    let nests = [
        ("{{ ", "not ", "x", "", " }}"),
        ("{{ ", "-", "x", "", " }}"),
        ("{{ ", "(", "x", ")", " }}"),
        ("{{ ", "[", "x", "]", " }}"),
        ("{{ ", "{1:", "x", "}", " }}"),
        ("{{ ", "x[", "x", "]", " }}"),
        ("{{ ", "x(", "x", ")", " }}"),
        ("{{ x", "|upper", "", "", " }}"),
        ("{{ x", ".x", "", "", " }}"),
        ("{{ x", "()", "", "", " }}"),
        ("{{ x", " ~ x", "", "", " }}"),
        ("{{ x", " ** x", "", "", " }}"),
        ("{{ x", " and x", "", "", " }}"),
        ("{{ ", "x if x else ", "x", "", " }}"),
        ("", "{% if x %}", "x", "{% endif %}", ""),
        ("", "{% for x in x %}", "x", "{% endfor %}", ""),
        ("{% if x %}", "{% elif x %}", "x", "", "{% endif %}"),
        ("", "{#", "x", "#}", ""),
    ];
    for (start, open, middle, close, end) in nests {
        let room = MAX_TEMPLATE_BYTES - start.len() - middle.len() - end.len();
        for count in [10, room / (open.len() + close.len())] {
            let source = format!("{start}{}{middle}{}{end}", open.repeat(count), close.repeat(count));
            if let Ok(template) = Template::read(&source) {
                let _ = template.render(&json!({"x": 1}));
            }
        }
        let long = format!("{start}{}{middle}{}{end}", open.repeat(100_000), close.repeat(100_000));
        insta::allow_duplicates! {
            insta::assert_snapshot!(Template::read(&long).unwrap_err(), @"the template is longer than 4096 bytes");
        }
    }
}

#[test]
fn a_template_is_parsed_once_and_compared_by_its_text() {
    let template = Template::read("{{ n }}").unwrap();
    assert_eq!(template.render(&json!({"n": 1})).unwrap(), "1");
    assert_eq!(template.clone().render(&json!({"n": "<2>"})).unwrap(), "<2>");
    assert_eq!(template, Template::read("{{ n }}").unwrap());
    assert_eq!((template.source(), format!("{template:?}")), ("{{ n }}", "Template(\"{{ n }}\")".to_owned()));
}

#[test]
fn one_step_makes_no_more_than_fits() {
    let facts = json!({"list": [1, 2, 3], "n": 100_000_000, "text": "ab"});
    for template in [
        "{{ ([1]*100000000) | sort | length }}",
        "{{ [1]*100000000 }}",
        "{{ ([1]*50000000)|sum }}",
        "{{ 100000000 * [1] }}",
        "{{ list * n }}",
        "{{ text * n }}",
        "{{ range(100000) | length }}",
        "{{ [1] | slice(100000000) | length }}",
        "{{ [1] | batch(100000000, 0) | length }}",
        "{{ '%100000000d' | format(1) }}",
        "{{ list | tojson(100000000) }}",
        "{{ list | tojson(indent=100000000) }}",
    ] {
        let failed = render(template, &facts).unwrap_err().to_string();
        assert!(
            failed.contains("more than 50000 elements") || failed.contains("longer than"),
            "{template}: {failed}"
        );
    }
    let doubled = |sign: &str, start: &str| {
        let steps = format!("{{% set a = a {sign} a %}}").repeat(60);
        render(&format!("{{% set a = {start} %}}{steps}{{{{ a | length }}}}"), &facts)
            .unwrap_err()
            .to_string()
    };
    for (sign, start) in [("+", "[1]"), ("+", "'ab'"), ("~", "'ab'")] {
        let failed = doubled(sign, start);
        assert!(
            failed.contains("more than 50000 elements") || failed.contains("longer than"),
            "{sign}: {failed}"
        );
    }
}

#[test]
fn operators_calculate_as_ever() {
    let facts = json!({"usage": 0.85, "n": 7, "list": [1, 2]});
    for (template, text) in [
        ("{{ (usage * 100) | int }}", "85"),
        ("{{ usage * 100 }}", "85.0"),
        (
            "{{ n * 3 + 1 }} {{ 1 + n * 3 }} {{ n // 2 * 2 }} {{ n / 2 * 2 }} {{ -n * 2 }} {{ n - 2 + 1 }}",
            "22 22 6 7.0 -14 6",
        ),
        ("{{ '-' * 5 }}{{ 3 * 'ab' }} {{ list * 2 }} {{ list + [3] }}", "-----ababab [1, 2, 1, 2] [1, 2, 3]"),
        ("{{ 'a' + 'b' }} {{ 'a' ~ 1 ~ list }} {{ 1 + 2.5 }} {{ n ** 2 * 2 }}", "ab a1[1, 2] 3.5 98"),
        ("{{ 9223372036854775807 + 1 }} {{ true * 3 }}", "9223372036854775808 3"),
        (
            "{{ '%05.1f|%s' | format(2.25, 'x') }} {{ range(3) | join('-') }} {{ list | tojson }}",
            "002.2|x 0-1-2 [1, 2]",
        ),
        ("{% for x in range(2 * 2) if x * x > 1 %}{{ x ~ ',' }}{% endfor %}", "2,3,"),
    ] {
        assert_eq!(render(template, &facts).unwrap(), text, "{template}");
    }
    for (template, said) in [
        ("{{ list * 1.5 }}", "`*` takes no sequence and number"),
        ("{{ 'a' + 1 }}", "`+` takes no string and number"),
    ] {
        let failed = render(template, &facts).unwrap_err().to_string();
        assert!(failed.contains(said), "{failed}");
    }
}
