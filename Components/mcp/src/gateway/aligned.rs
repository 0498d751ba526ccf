//! What a tool answered, as the agent may read it: checked, redacted, and small.

use std::sync::{PoisonError, RwLock};

use mentci_authority::ToolStatus;
use mentci_context::{AlignOptions, PerceptionAligner, SchemaRegistry};
use mentci_host::session::{ArtifactRequest, Content};
use mentci_host::{Answer, Request};
use serde_json::{Value, json};

use super::court::Court;
use super::{opaque, results};

/// The most errors of a schema that an agent reads.
const MOST_ERRORS: usize = 5;

/// Looks through what tools answer.
pub(super) struct Lens {
    aligner: PerceptionAligner,
    schemas: RwLock<SchemaRegistry>,
    artifact_bytes: usize,
}

/// An answer as rules are asked about it.
#[derive(Debug)]
pub(super) struct Told {
    pub(super) status: ToolStatus,
    pub(super) value: Value,
    /// What went wrong, in words.
    pub(super) error: Option<String>,
}

impl Lens {
    /// As the workspace's configuration says what is redacted.
    pub(super) fn new(court: &Court, artifact_bytes: usize) -> Self {
        let by = |options| PerceptionAligner::by_bytes(options, SchemaRegistry::default());
        // OK because the configuration names kinds that there are, and no patterns; and the default options name nothing.
        let aligner = by(options(court)).or_else(|_| by(AlignOptions::default()));
        let aligner = aligner.expect("OK because the default options name nothing");
        Self { aligner, schemas: RwLock::default(), artifact_bytes }
    }

    /// Takes up the schemas of a listing of tools; what is wrong with them.
    pub(super) fn learn(&self, listing: &Value) -> Vec<String> {
        let mut schemas = self.schemas.write().unwrap_or_else(PoisonError::into_inner);
        schemas.discover(listing).into_iter().map(|finding| finding.message).collect()
    }

    /// The text, without secrets.
    pub(super) fn text(&self, text: &str) -> String {
        self.aligner.redact_text(text)
    }

    /// What rules are asked about: the text of an answer that is one text, else all of it.
    pub(super) fn told(&self, tool: &str, result: &Value) -> Told {
        let value = match one_text(result) {
            Some(text) => Value::from(text),
            None => parts(result),
        };
        if result.get("isError").and_then(Value::as_bool).unwrap_or_default() {
            let error = one_text(result).unwrap_or("the tool says that it failed").to_owned();
            return Told { status: ToolStatus::Error, value, error: Some(error) };
        }
        match self.invalid(tool, result) {
            Some(why) => Told { status: ToolStatus::Error, value, error: Some(why) },
            None => Told { status: ToolStatus::Success, value, error: None },
        }
    }

    /// How an answer breaks its schema.
    fn invalid(&self, tool: &str, result: &Value) -> Option<String> {
        let schemas = self.schemas.read().unwrap_or_else(PoisonError::into_inner);
        if !schemas.tools().any(|known| known == tool) {
            return None;
        }
        let Some(structured) = result.get("structuredContent") else {
            return Some("it has no structured content, and its `outputSchema` wants some".to_owned());
        };
        let checked = schemas.validate(tool, structured);
        let place = |path: &str| if path.is_empty() { String::new() } else { format!(" at `{path}`") };
        let errors = checked.errors.iter().take(MOST_ERRORS);
        let errors: Vec<String> =
            errors.map(|error| format!("{}{}", error.message, place(&error.path))).collect();
        (!checked.valid).then(|| format!("it is not what its `outputSchema` says: {}", errors.join("; ")))
    }

    /// An answer that breaks its schema as the agent reads it: an error, with the texts beside it.
    pub(super) fn broken(tool: &str, result: &mut Value, why: &str) {
        let sentence = format!(
            "`{tool}` answered, but {why}\nhelp: do not rely on the answer below; tell the user that the server breaks its schema"
        );
        let mut contents = vec![json!({"type": "text", "text": sentence})];
        let told = results::contents(result);
        let structured = result.get("structuredContent").filter(|_| told.is_empty());
        contents.extend(structured.map(|value| json!({"type": "text", "text": value.to_string()})));
        contents.extend(told);
        if !result.is_object() {
            *result = json!({});
        }
        if let Value::Object(result) = result {
            result.remove("structuredContent");
            result.insert("content".to_owned(), contents.into());
            result.insert("isError".to_owned(), true.into());
        }
    }

    /// Puts what rules made of the answer in its place.
    pub(super) fn put(result: &mut Value, changed: Value) {
        let stood = |place: String| result.pointer(&place).cloned().map(|picture| (place, picture));
        let pictures: Vec<(String, Value)> = opaque::bytes(result).into_iter().filter_map(stood).collect();
        Self::put_told(result, changed);
        for (place, picture) in pictures {
            // Where the rules left it, it is what it was.
            if let Some(there) = result.pointer_mut(&place).filter(|there| **there == told_of(&picture)) {
                *there = picture;
            }
        }
    }

    fn put_told(result: &mut Value, changed: Value) {
        if let Value::String(text) = &changed
            && one_text(result).is_some()
        {
            result["content"][0]["text"] = text.as_str().into();
            return;
        }
        match (result, changed) {
            (Value::Object(members), Value::Object(changed)) => {
                members.extend(changed.into_iter().filter(|(name, _)| !ENVELOPE.contains(&name.as_str())));
            }
            (Value::Object(members), other) => {
                members.retain(|name, _| ENVELOPE.contains(&name.as_str()));
                let text = other.as_str().map_or_else(|| other.to_string(), str::to_owned);
                members.insert("content".to_owned(), json!([{"type": "text", "text": text}]));
            }
            (result, changed) => *result = changed,
        }
    }

    /// Takes secrets out of everything in a tree that is text; says whether something was taken out. What only programs read
    /// stays: names by which they speak of something, and bytes in base64, which by chance may look like a key.
    fn redact(&self, tree: &mut Value, is_answer: bool) -> bool {
        let aside = taken(tree, opaque::places(tree, is_answer));
        let redacted = self.aligner.redact_value(tree);
        let changed = redacted != *tree;
        *tree = redacted;
        for (place, value) in aside {
            if let Some(there) = tree.pointer_mut(&place) {
                *there = value;
            }
        }
        changed
    }

    /// The same in a whole message, but for what says whose it is; `is_answer` where its result is what a tool answered.
    pub(super) fn redact_message(&self, message: &mut Value, is_answer: bool) -> bool {
        let mut changed = false;
        for (name, value) in message.as_object_mut().into_iter().flatten() {
            if !matches!(name.as_str(), "jsonrpc" | "id" | "method") {
                changed |= self.redact(value, is_answer);
            }
        }
        changed
    }

    /// Moves large texts into artifacts, wherever they stand but in what has a schema; says whether one was moved. A text that
    /// cannot be moved stays.
    pub(super) fn shrink(&self, court: &Court, tool: &str, result: &mut Value) -> bool {
        if self.artifact_bytes == 0 {
            return false;
        }
        let mut moved = false;
        match result {
            Value::String(text) if text.len() >= self.artifact_bytes => {
                if let Some(handle) = stored(court, tool, text) {
                    *text = handle;
                    moved = true;
                }
            }
            Value::Array(items) => {
                for item in items {
                    moved |= self.shrink(court, tool, item);
                }
            }
            Value::Object(members) => {
                for (name, value) in members {
                    if !KEPT_WHOLE.contains(&name.as_str()) {
                        moved |= self.shrink(court, tool, value);
                    }
                }
            }
            _ => {}
        }
        moved
    }
}

/// The members of a result that say what kind of one it is.
const ENVELOPE: [&str; 3] = ["_meta", "isError", "resultType"];

/// The members of which no text becomes an artifact: programs read them.
const KEPT_WHOLE: [&str; 5] = ["_meta", "blob", "data", "requestState", "structuredContent"];

/// What stands in the place of a text that was moved.
fn stored(court: &Court, tool: &str, text: &str) -> Option<String> {
    let content = Content::Bytes { name: "result".to_owned(), bytes: text.as_bytes().to_vec() };
    let (session, source) = (court.session().to_owned(), Some(format!("tool:{}", court.name(tool))));
    let request = ArtifactRequest::Put { content, session, mime: None, source, raw: false };
    let Answer::Artifacts(answer) = court.ask().ask(Request::Artifact(request)).answer else { return None };
    let handle = answer.artifacts.into_iter().next()?.handle;
    Some(format!(
        "[{} bytes of this answer are kept as artifact {}; what follows is a summary]\n{}\n\
         help: `{}` reads it, or lines of it, and `{}` searches it",
        handle.size_bytes,
        handle.artifact_id,
        handle.summary.trim_end(),
        super::extra::GET,
        super::extra::SEARCH,
    ))
}

/// What is redacted, as the configuration says.
fn options(court: &Court) -> AlignOptions {
    let mut options = AlignOptions::default();
    let Answer::Config(config) = court.ask().ask(Request::Config).answer else { return options };
    for row in config.values {
        match row.key {
            "context.redact" if row.value == "all" => options.redact = vec!["personal".to_owned()],
            "context.allow" => {
                let texts = row.value.as_array().into_iter().flatten();
                options.allow = texts.filter_map(|text| text.as_str().map(str::to_owned)).collect();
            }
            _ => {}
        }
    }
    options
}

/// The text of an answer that is one text and nothing else.
fn one_text(result: &Value) -> Option<&str> {
    let is_alone = |name: &String| name == "content" || ENVELOPE.contains(&name.as_str());
    let members = result.as_object().filter(|members| members.keys().all(is_alone))?;
    let [content] = members.get("content")?.as_array()?.as_slice() else { return None };
    content.get("text").filter(|_| content.get("type").is_some_and(|kind| kind == "text"))?.as_str()
}

/// Everything that the agent may read of an answer, whatever shape the server gave it. Of a picture its size is told: its digits
/// are no text, and would make a large one of a small answer.
fn parts(result: &Value) -> Value {
    let mut result = result.clone();
    for place in opaque::bytes(&result) {
        if let Some(there) = result.pointer_mut(&place) {
            *there = told_of(there);
        }
    }
    let Value::Object(members) = result else { return result };
    members.into_iter().filter(|(name, _)| !ENVELOPE.contains(&name.as_str())).collect()
}

/// What is told of bytes in base64.
fn told_of(digits: &Value) -> Value {
    format!("[{} digits of base64]", digits.as_str().unwrap_or_default().len()).into()
}

/// Takes what stands at these places out of a tree.
fn taken(tree: &mut Value, places: Vec<String>) -> Vec<(String, Value)> {
    let take = |place: String| {
        let value = tree.pointer_mut(&place)?.take();
        Some((place, value))
    };
    places.into_iter().filter_map(take).collect()
}
