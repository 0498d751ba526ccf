//! What tools may answer: schemas that read, schemas that do not, and answers that break them.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may stop, and read the clock")]

use std::time::Instant;

use insta::assert_snapshot;
use mentci_context::SchemaRegistry;
use serde_json::{Value, json};

fn with(schema: &Value) -> SchemaRegistry {
    let mut schemas = SchemaRegistry::default();
    schemas.register("echo", schema).unwrap();
    schemas
}

fn refused(schema: &Value) -> String {
    SchemaRegistry::default().register("echo", schema).unwrap_err().to_string()
}

#[test]
fn an_answer_is_told_where_it_is_wrong() {
    let schemas = with(&json!({
        "type": "object",
        "required": ["id", "items"],
        "properties": {"id": {"type": "integer"}, "items": {"type": "array", "items": {"type": "string", "maxLength": 3}}},
        "additionalProperties": false
    }));
    assert!(schemas.validate("echo", &json!({"id": 1, "items": ["a"]})).valid);
    let wrong = schemas.validate("echo", &json!({"id": "1", "items": ["a", "long one", 3], "more": true}));
    assert!(!wrong.valid);
    let errors: Vec<String> = wrong
        .errors
        .iter()
        .map(|error| format!("{} {}: {}", error.path, error.keyword, error.message))
        .collect();
    assert_snapshot!(errors.join("\n"), @r#"
    /id type: value is not of type "integer"
    /items/1 maxLength: value is longer than 3 characters
    /items/2 type: value is not of type "string"
     additionalProperties: Additional properties are not allowed ('more' was unexpected)
    "#);
}

#[test]
fn errors_are_bounded_in_number_and_length() {
    let schemas = with(&json!({"items": {"type": "integer"}, "additionalProperties": false}));
    let wrong = schemas.validate("echo", &json!(vec!["x".repeat(10_000); 5000]));
    assert_eq!((wrong.errors.len(), wrong.has_more), (16, true));
    let key = "k".repeat(100_000);
    let wrong = schemas.validate("echo", &json!({key: 1}));
    assert!(wrong.errors.iter().all(|error| error.message.len() <= 240 && error.path.len() <= 240));
}

#[test]
fn errors_do_not_quote_the_answer() {
    let schemas =
        with(&json!({"properties": {"a": {"type": "integer"}, "b": {"enum": [1]}, "c": {"pattern": "^x"}}}));
    let wrong =
        schemas.validate("echo", &json!({"a": "hidden words", "b": "hidden words", "c": "hidden words"}));
    assert_eq!(wrong.errors.len(), 3);
    assert!(wrong.errors.iter().all(|error| !error.message.contains("hidden")), "{:?}", wrong.errors);
}

#[test]
fn schemas_of_2020_12_are_read() {
    let schemas = with(&json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$defs": {"name": {"type": "string", "minLength": 1}},
        "type": "array",
        "prefixItems": [{"$ref": "#/$defs/name"}, {"type": "number"}],
        "unevaluatedItems": false
    }));
    assert!(schemas.validate("echo", &json!(["a", 1])).valid);
    assert!(!schemas.validate("echo", &json!(["a", 1, 2])).valid);
    assert!(!schemas.validate("echo", &json!(["", 1])).valid);
}

#[test]
fn a_schema_that_is_invalid_names_its_tool_and_place() {
    assert_snapshot!(refused(&json!({"properties": {"a": {"type": "strnig"}}})), @"warning[E0708]: the output schema of `echo` cannot be used: at `/properties/a/type`, value is not valid under any of the schemas listed in the 'anyOf' keyword");
    assert_snapshot!(refused(&json!({"required": "a"})), @r#"warning[E0708]: the output schema of `echo` cannot be used: at `/required`, value is not of type "array""#);
    assert_snapshot!(refused(&json!({"pattern": "(unclosed"})), @r#"warning[E0708]: the output schema of `echo` cannot be used: at `/pattern`, value is not a "regex""#);
    assert_snapshot!(refused(&json!({"pattern": "^(?!a)"})), @r#"warning[E0708]: the output schema of `echo` cannot be used: at `/pattern`, the pattern `^(?!a)` looks around or back, which is not matched in linear time"#);
    assert_snapshot!(refused(&json!(3)), @r#"warning[E0708]: the output schema of `echo` cannot be used: value is not of types "boolean", "object""#);
    assert_snapshot!(refused(&json!({"$ref": "#/$defs/none"})), @"warning[E0708]: the output schema of `echo` cannot be used: Pointer '/$defs/none' does not exist");
}

#[test]
fn nothing_is_fetched() {
    assert_snapshot!(refused(&json!({"$ref": "https://example.com/schema.json"})), @"warning[E0708]: the output schema of `echo` cannot be used: Resource 'https://example.com/schema.json' is not present in a registry and retrieving it failed: Retrieval is disabled, cannot fetch https://example.com/schema.json");
    assert_snapshot!(refused(&json!({"properties": {"a": {"$ref": "file:///etc/passwd"}}})), @"warning[E0708]: the output schema of `echo` cannot be used: Resource 'file:///etc/passwd' is not present in a registry and retrieving it failed: Retrieval is disabled, cannot fetch file:///etc/passwd");
    assert_snapshot!(refused(&json!({"$schema": "https://example.com/my-dialect"})), @"warning[E0708]: the output schema of `echo` cannot be used: Unknown meta-schema: 'https://example.com/my-dialect'. Custom meta-schemas must be registered in the registry before use");
}

#[test]
fn a_broken_schema_leaves_the_last_good_one_and_the_others() {
    let mut schemas = with(&json!({"type": "string"}));
    let listing = json!({"tools": [
        {"name": "echo", "outputSchema": {"type": 3}},
        {"name": "count", "outputSchema": {"type": "integer"}},
        {"name": "plain"},
        {"name": "nothing", "outputSchema": null},
        {"outputSchema": {}},
        "no tool"
    ]});
    let findings = schemas.discover(&listing);
    assert_eq!(findings.len(), 1);
    assert!(findings[0].message.contains("`echo`"));
    assert!(!schemas.validate("echo", &json!(1)).valid, "the last good schema stands");
    assert!(!schemas.validate("count", &json!("x")).valid);
    assert_eq!(schemas.tools().collect::<Vec<_>>(), ["count", "echo"]);
}

#[test]
fn a_listing_is_read_in_each_of_its_shapes() {
    let tools = json!([{"name": "count", "outputSchema": {"type": "integer"}}]);
    for listing in [
        tools.clone(),
        json!({"tools": tools}),
        json!({"jsonrpc": "2.0", "id": 1, "result": {"tools": tools}}),
    ] {
        let mut schemas = SchemaRegistry::default();
        assert_eq!(schemas.discover(&listing), []);
        assert_eq!(schemas.tools().count(), 1, "{listing}");
    }
    let tools: Vec<mentci_authority::ToolSpec> = serde_json::from_value(tools).unwrap();
    let mut schemas = SchemaRegistry::default();
    assert_eq!((schemas.discover_tools(&tools), schemas.tools().count()), (Vec::new(), 1));
    for listing in [json!(null), json!({}), json!({"tools": 3}), json!("x")] {
        assert_eq!(SchemaRegistry::default().discover(&listing), []);
    }
}

#[test]
fn hostile_schemas_are_refused() {
    let mut deep = json!({});
    (0..100).for_each(|_| deep = json!({"not": deep.take()}));
    assert_snapshot!(refused(&deep), @"warning[E0708]: the output schema of `echo` cannot be used: it has more than 64 levels of nesting");
    assert_snapshot!(refused(&json!({"enum": vec!["x"; 30_000]})), @"warning[E0708]: the output schema of `echo` cannot be used: it has more than 20000 values");
    assert_snapshot!(refused(&json!({"description": "x".repeat(1 << 20)})), @"warning[E0708]: the output schema of `echo` cannot be used: it has more than 262144 bytes");
    assert_snapshot!(refused(&json!({"allOf": vec![json!({"pattern": "a"}); 300]})), @"warning[E0708]: the output schema of `echo` cannot be used: it has more than 256 patterns");
    assert!(refused(&json!({"pattern": "((a{100}){100}){100}"})).contains("`echo`"));
}

/// Each level asks for the next one twice: 2^levels visits.
fn doubling(levels: usize) -> Value {
    let level = |n: usize| {
        let next = json!({"$ref": format!("#/$defs/l{}", n + 1)});
        (format!("l{n}"), json!({"anyOf": [next, next]}))
    };
    let mut all: serde_json::Map<String, Value> = (0..levels).map(level).collect();
    all.insert(format!("l{levels}"), json!({"type": "integer"}));
    json!({"$defs": all, "$ref": "#/$defs/l0"})
}

#[test]
fn a_schema_that_unfolds_without_end_is_refused() {
    assert_snapshot!(refused(&doubling(40)), @"warning[E0708]: the output schema of `echo` cannot be used: its references unfold to more than 20000 schemas");
    let anchored = json!({"$defs": {"a": {"$anchor": "a", "$id": "https://example.com/a"}}});
    assert_snapshot!(refused(&anchored), @"warning[E0708]: the output schema of `echo` cannot be used: it holds another document, which has an `$id` of its own");
    let all = |n: usize| {
        (
            format!("d{n}"),
            json!({"anyOf": (0..12).map(|m| json!({"$ref": format!("#/$defs/d{m}")})).collect::<Vec<_>>()}),
        )
    };
    let tangle: serde_json::Map<String, Value> = (0..12).map(all).collect();
    refused(&json!({"$defs": tangle, "$ref": "#/$defs/d0"}));
}

#[test]
fn a_schema_of_a_tree_is_none_of_them() {
    let schemas = with(&json!({
        "$defs": {"node": {"type": "object", "required": ["name"], "properties": {
            "name": {"type": "string"}, "children": {"type": "array", "items": {"$ref": "#/$defs/node"}}
        }}},
        "$ref": "#/$defs/node"
    }));
    let mut tree = json!({"name": 3});
    (0..15).for_each(|_| tree = json!({"name": "n", "children": [{"name": "leaf"}, tree.take()]}));
    let wrong = schemas.validate("echo", &tree);
    assert_eq!((wrong.valid, wrong.errors.len()), (false, 1));
    assert!(wrong.errors[0].path.ends_with("/children/1/name"));
}

#[test]
fn checking_an_answer_takes_a_bounded_number_of_steps() {
    let schema = json!({"anyOf": [{"properties": {"x": {"$ref": "#"}}}, {"properties": {"x": {"$ref": "#"}}}], "required": ["y"]});
    let schemas = with(&schema);
    let mut deep = json!({});
    (0..60).for_each(|_| deep = json!({"y": 1, "x": deep.take()}));
    let begun = Instant::now();
    let wrong = schemas.validate("echo", &deep);
    assert!(!wrong.valid);
    assert_snapshot!(wrong.errors[0].message, @"checking the answer takes more steps than one answer has");
    assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
}

#[test]
fn a_schema_that_is_nothing_but_itself_ends() {
    let again = json!({"$ref": "#"});
    for schema in [
        again.clone(),
        json!({"anyOf": [again, {"type": "string"}]}),
        json!({"allOf": [again]}),
        json!({"not": again}),
        json!({"if": true, "then": again}),
        json!({"$defs": {"a": {"oneOf": [{"$ref": "#/$defs/b"}]}, "b": {"not": {"$ref": "#/$defs/a"}}}, "$ref": "#/$defs/a"}),
        json!({"dependentSchemas": {"a": again}}),
    ] {
        let mut schemas = SchemaRegistry::default();
        if schemas.register("echo", &schema).is_ok() {
            schemas.validate("echo", &json!({"a": 1}));
        }
    }
}

#[test]
fn patterns_are_matched_in_linear_time() {
    let schemas = with(&json!({"pattern": "^(a+)+$"}));
    let begun = Instant::now();
    assert!(!schemas.validate("echo", &json!("a".repeat(50_000) + "b")).valid);
    assert!(begun.elapsed().as_secs() < 5);
}
