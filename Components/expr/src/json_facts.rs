//! Facts from JSON.

use serde_json::Value as Json;

use crate::{Facts, Fault, FaultKind, Function, LocalTime, Named, Value, Variable};

/// Facts read from one JSON object: each variable under its path (`{"turn_index": 5, "event": {"tool": {"name": "exec"}},
/// "context": {"turn": {…}}}`), the whole context object of a TOML rule under `context` or at the top.
#[derive(Debug, Clone, Copy)]
pub struct JsonFacts<'j> {
    facts: &'j Json,
}

impl<'j> JsonFacts<'j> {
    /// Facts of an object.
    pub fn new(facts: &'j Json) -> Self {
        Self { facts }
    }
}

impl Facts for JsonFacts<'_> {
    fn variable(&self, variable: Variable) -> Value<'_> {
        let _ = variable;
        Value::Null
    }

    fn named(&self, _: Named, name: &str) -> Option<Value<'_>> {
        self.facts.get(name).map(Value::from)
    }

    fn call<'a>(&'a self, function: Function, _: &[Value<'a>]) -> Result<Value<'a>, Fault> {
        Err(Fault::new(FaultKind::Unanswered, format!("`{}` cannot be answered here", function.name())))
    }

    fn local_time(&self, _: Option<&str>) -> Option<LocalTime> {
        None
    }
}
