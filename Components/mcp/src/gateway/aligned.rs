//! What a tool answered, as the agent may read it: checked, redacted, and small.

use std::sync::{PoisonError, RwLock};

use mentci_authority::ToolStatus;
use mentci_context::{AlignOptions, PerceptionAligner, SchemaRegistry};
use mentci_host::session::{ArtifactRequest, Content};
use mentci_host::{Answer, Request};
use serde_json::{Value, json};

use super::court::Court;

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

    /// What rules are asked about: the text of an answer that is one text, else its content and structured content.
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
        match result.get_mut("content").map(Value::take) {
            Some(Value::Array(told)) if !told.is_empty() => contents.extend(told),
            _ => contents.extend(
                result
                    .get("structuredContent")
                    .map(|structured| json!({"type": "text", "text": structured.to_string()})),
            ),
        }
        if let Value::Object(result) = result {
            result.remove("structuredContent");
            result.insert("content".to_owned(), contents.into());
            result.insert("isError".to_owned(), true.into());
        }
    }

    /// Puts what rules made of the answer in its place.
    pub(super) fn put(result: &mut Value, changed: Value) {
        match changed {
            Value::String(text) if one_text(result).is_some() => result["content"][0]["text"] = text.into(),
            Value::Object(changed) => {
                for (name, value) in changed {
                    if matches!(name.as_str(), "content" | "structuredContent") {
                        result[name.as_str()] = value;
                    }
                }
            }
            other => {
                let text = other.as_str().map_or_else(|| other.to_string(), str::to_owned);
                result["content"] = json!([{"type": "text", "text": text}]);
            }
        }
    }

    /// Takes secrets out of everything that is text; says whether something was taken out.
    pub(super) fn redact(&self, result: &mut Value) -> bool {
        let mut changed = false;
        for content in result.get_mut("content").and_then(Value::as_array_mut).into_iter().flatten() {
            changed |= self.redact_content(content);
        }
        for name in ["structuredContent", "_meta", "message", "data"] {
            if let Some(value) = result.get_mut(name) {
                changed |= self.redact_value(value);
            }
        }
        changed
    }

    /// Bytes in base64 are no text: by chance they may look like a key.
    fn redact_content(&self, content: &mut Value) -> bool {
        let data = content.get_mut("data").filter(|data| data.is_string()).map(Value::take);
        let blob = content.pointer_mut("/resource/blob").filter(|blob| blob.is_string()).map(Value::take);
        let changed = self.redact_value(content);
        if let Some(data) = data {
            content["data"] = data;
        }
        if let Some(blob) = blob {
            content["resource"]["blob"] = blob;
        }
        changed
    }

    fn redact_value(&self, value: &mut Value) -> bool {
        let redacted = self.aligner.redact_value(value);
        let changed = redacted != *value;
        *value = redacted;
        changed
    }

    /// Moves large texts into artifacts; says whether one was moved. A text that cannot be moved stays.
    pub(super) fn shrink(&self, court: &Court, tool: &str, result: &mut Value) -> bool {
        if self.artifact_bytes == 0 {
            return false;
        }
        let mut moved = false;
        for content in result.get_mut("content").and_then(Value::as_array_mut).into_iter().flatten() {
            let place = if content.get("text").is_some() { "/text" } else { "/resource/text" };
            let Some(text) = content.pointer_mut(place) else { continue };
            let Some(large) = text.as_str().filter(|text| text.len() >= self.artifact_bytes) else {
                continue;
            };
            if let Some(handle) = stored(court, tool, large) {
                *text = handle.into();
                moved = true;
            }
        }
        moved
    }
}

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
    let [content] = result.get("content")?.as_array()?.as_slice() else { return None };
    let is_plain = result.get("structuredContent").is_none() && content.get("type")? == "text";
    content.get("text").filter(|_| is_plain)?.as_str()
}

/// The parts of an answer that the agent reads.
fn parts(result: &Value) -> Value {
    let named = ["content", "structuredContent"];
    named.iter().filter_map(|name| Some(((*name).to_owned(), result.get(*name)?.clone()))).collect()
}
