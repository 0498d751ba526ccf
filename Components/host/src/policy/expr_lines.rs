//! Expressions over facts, asked directly.

use mentci_authority::plainly;
use mentci_expr::{Budget, Compiled, JsonFacts, Schema, Type, evaluate, read};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::Unambiguous;

/// What an expression gives: `{"value"}` or `{"fault"}`. What does not load is a fault, with the first reason.
///
/// ```
/// use mentci_host::policy::evaluate_expr;
/// let facts = serde_json::json!({"turn_index": 5});
/// assert_eq!(evaluate_expr("turn_index * 2", &facts)["value"], 10);
/// assert_eq!(evaluate_expr("1", &serde_json::json!([]))["fault"], "the facts are a list, and must be a map");
/// assert!(evaluate_expr("trun_index", &facts)["fault"].as_str().unwrap().contains("trun_index"));
/// ```
pub fn evaluate_expr(text: &str, facts: &Value) -> Value {
    if !matches!(facts, Value::Object(_) | Value::Null) {
        let fault = format!("the facts are {}, and must be a map", mentci_expr::Value::from(facts).kind());
        return json!({"fault": fault, "kind": "facts"});
    }
    let schema = schema(facts);
    let parsed = read(text, &schema);
    let Some(expr) = parsed.expr else {
        let problem = parsed.problems.first();
        let message = problem.map_or_else(|| "no expression".to_owned(), |problem| problem.message.clone());
        let help = problem.and_then(|problem| problem.help.clone());
        let column = problem.map(|problem| {
            text.get(..problem.span.start as usize).map_or(0, |before| before.chars().count()) + 1
        });
        return json!({"fault": message, "kind": "load", "help": help, "column": column});
    };
    let program = Compiled::new(&expr);
    let facts = JsonFacts::new(facts);
    match evaluate(&program, &facts, &mut Budget::default()) {
        Ok(value) => json!({"value": value.to_json()}),
        Err(fault) => json!({"fault": fault.message, "kind": fault.kind}),
    }
}

/// Each key of the facts is a name that the expression may use.
fn schema(facts: &Value) -> Schema {
    let keys = facts.as_object().into_iter().flatten().map(|(key, _)| key);
    let mut schema = Schema::of(Type::Any).any_setting();
    for key in keys {
        schema = schema.variable(key, Type::Any);
    }
    let parameters = facts.get("parameters").and_then(Value::as_object).into_iter().flatten();
    for (key, _) in parameters {
        schema = schema.parameter(key, Type::Any);
    }
    schema
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ExprLine {
    expr: String,
    #[serde(default, alias = "context")]
    facts: Value,
}

/// Each line `{"expr", "facts"}` to its value, in order. A line that is no such object is a fault of its own.
pub fn evaluate_lines(text: &str) -> Vec<Value> {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines
        .map(|line| match asked(line) {
            Ok(asked) => evaluate_expr(&asked.expr, &asked.facts),
            Err(error) => {
                let (line, column) = (error.line(), error.column());
                let said = format!("{} at line {line} column {column}", plainly(&error));
                json!({"fault": format!("not a line of `expr` and `facts`: {said}"), "kind": "line"})
            }
        })
        .collect()
}

/// Of a key that stands twice nobody knows which value was meant.
fn asked(line: &str) -> serde_json::Result<ExprLine> {
    serde_json::from_str::<Unambiguous>(line)?;
    serde_json::from_str(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_a_map_in_which_no_key_stands_twice() {
        for (line, fault) in [
            (r#"{"expr":"a","facts":{"a":1,"a":2}}"#, "the key `a` stands twice at line 1 column "),
            (r#"{"expr":"1","facts":{},"facts":{}}"#, "the key `facts` stands twice at line 1 column "),
            (r#"{"expr":"1","facts":[]}"#, "the facts are a list, and must be a map"),
            (r#"{"expr":"1","facts":"a"}"#, "the facts are a string, and must be a map"),
        ] {
            let values = evaluate_lines(line);
            let said = values[0]["fault"].as_str().unwrap_or_default();
            assert!(said.contains(fault), "{line}: {values:?}");
        }
        assert_eq!(evaluate_lines(r#"{"expr":"1"}"#)[0]["value"], 1);
        assert_eq!(evaluate_lines(r#"{"expr":"1","facts":null}"#)[0]["value"], 1);
    }

    #[test]
    fn a_line_with_a_key_that_is_not_known_is_a_fault_of_its_own() {
        let lines = "{\"expr\": \"1 + 1\", \"fcats\": {}}\n{\"expr\": \"n\", \"facts\": {\"n\": 2}}\n{\"expr\": \"n\", \"context\": {\"n\": 3}}";
        let values = evaluate_lines(lines);
        assert_eq!(values[0]["kind"], "line");
        assert!(values[0]["fault"].as_str().unwrap().contains("unknown field `fcats`"), "{values:?}");
        assert_eq!((&values[1]["value"], &values[2]["value"]), (&json!(2), &json!(3)));
    }
}
