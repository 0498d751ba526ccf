//! Methods that are called with what they do not take: the answer says what they do.

use rmcp::ErrorData;
use rmcp::model::{CustomRequest, ErrorCode};
use serde_json::Value;

use crate::arguments::kind;

/// A member of a method's `params`.
struct Member {
    name: &'static str,
    required: bool,
    fits: fn(&Value) -> bool,
    /// What fits, in words.
    wanted: &'static str,
}

const fn text(name: &'static str) -> Member {
    Member { name, required: true, fits: Value::is_string, wanted: "text" }
}

const fn object(name: &'static str) -> Member {
    Member { name, required: true, fits: Value::is_object, wanted: "an object" }
}

const ARGUMENTS: Member = Member { required: false, ..object("arguments") };
const URI: &[Member] = &[text("uri")];

/// The methods that are served and cannot do without `params`, each with what it takes and how to send it instead.
const METHODS: &[(&str, &[Member], &str)] = &[
    (
        "initialize",
        &[text("protocolVersion"), object("capabilities"), object("clientInfo")],
        "`protocolVersion`, `capabilities` and `clientInfo` with its `name` and `version`",
    ),
    ("tools/call", &[text("name"), ARGUMENTS], "the tool's `name` and its `arguments` as an object"),
    ("prompts/get", &[text("name"), ARGUMENTS], "the prompt's `name` and its `arguments` as an object"),
    ("resources/read", URI, "the resource's `uri`, such as `mentci://digest`"),
    ("resources/subscribe", URI, "the resource's `uri`, such as `mentci://digest`"),
    ("resources/unsubscribe", URI, "the resource's `uri`, such as `mentci://digest`"),
    (
        "completion/complete",
        &[object("ref"), object("argument")],
        "`ref`, the prompt or resource as `{\"type\": \"ref/prompt\", \"name\": …}` or `{\"type\": \"ref/resource\", \
         \"uri\": …}`, and `argument` as `{\"name\": …, \"value\": …}`",
    ),
];

/// The answer to a request that fits none of the methods as the protocol has them. Of one that is served, only the `params`
/// can be at fault: whoever is told that there is no such method would not try again.
pub(crate) fn refusal(request: CustomRequest) -> ErrorData {
    let CustomRequest { method, params, .. } = request;
    let Some((_, members, instead)) = METHODS.iter().find(|(name, ..)| *name == method) else {
        return ErrorData::new(ErrorCode::METHOD_NOT_FOUND, method, None);
    };
    let faults = faults(members, params.as_ref());
    let sentence = format!("nothing was done: {faults}\n  help: send `{method}` again with {instead}");
    ErrorData::invalid_params(sentence, None)
}

fn faults(members: &[Member], params: Option<&Value>) -> String {
    let is_given = |params: &&Value| params.as_object().is_some_and(|members| !members.is_empty());
    let Some(params) = params.filter(is_given) else {
        return "`params` is missing or empty".to_owned();
    };
    let fault = |member: &Member| match params.get(member.name) {
        Some(Value::Null) | None => member.required.then(|| format!("`{}` is missing", member.name)),
        Some(value) if (member.fits)(value) => None,
        Some(value) => Some(format!("`{}` must be {}, not {}", member.name, member.wanted, kind(value))),
    };
    let faults: Vec<String> = members.iter().filter_map(fault).collect();
    if faults.is_empty() {
        "its `params` are not as the protocol has them".to_owned()
    } else {
        faults.join("; ")
    }
}
