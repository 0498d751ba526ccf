//! The answer to our own extensions and plugins, which put it where their harness takes it.

use serde_json::{Map, Value, json};

use crate::heard::{Heard, Point};
use crate::reply::{Outcome, Reply, Ruling};

/// `{"decision": "allow", "reason", "approval": {"id", "why"}, "args", "result", "context"}`, without what there is nothing to
/// say of.
pub(crate) fn reply(heard: &Heard, outcome: &Outcome) -> Reply {
    if heard.point == Point::Other {
        return Reply::default();
    }
    let mut told = Map::new();
    let (decision, reason) = match &outcome.ruling {
        Ruling::Allow => ("allow", None),
        Ruling::Ask(reason) => ("ask", Some(reason)),
        Ruling::Deny(reason) => ("deny", Some(reason)),
    };
    told.insert("decision".into(), decision.into());
    let mut add = |name: &str, value: Option<Value>| {
        if let Some(value) = value {
            told.insert(name.into(), value);
        }
    };
    add("reason", reason.map(|reason| json!(reason)));
    let approval = outcome.asked.as_ref().map(|asked| json!({"id": asked.id, "why": asked.why}));
    add("approval", approval);
    add("args", outcome.args.clone());
    add("result", outcome.result.clone());
    add("context", (!outcome.context.is_empty()).then(|| json!(outcome.context)));
    Reply::json(&Value::Object(told))
}
