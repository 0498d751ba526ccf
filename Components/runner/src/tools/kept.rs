//! The tools on what the workspace keeps: artifacts and lessons, by the verbs that every other door has.

use std::sync::Arc;

use mentci_authority::{ToolAnswer, ToolCall, ToolFailure, ToolProvider, ToolSpec};
use mentci_host::session::ArtifactRequest;
use mentci_host::{Answer, Ask, LessonRequest, Request, Response, Teaching};
use mentci_workspace::Workspace;
use serde_json::{Value, json};

use super::builtin::spec;

/// The most bytes of an artifact that are given at a time, where no range is asked for.
const PART: u64 = 900;
/// The most that are given at a time, whatever is asked for.
const MOST: u64 = 64 << 10;

/// A tool on what the workspace keeps. Artifacts are those of the session.
pub(crate) struct KeptTool {
    pub(crate) spec: ToolSpec,
    pub(crate) workspace: Arc<Workspace>,
    pub(crate) session: String,
    pub(crate) author: String,
}

impl ToolProvider for KeptTool {
    fn tools(&self) -> Vec<ToolSpec> {
        vec![self.spec.clone()]
    }

    fn call<'a>(&'a self, call: &'a ToolCall) -> ToolAnswer<'a> {
        let answer = tokio::task::block_in_place(|| {
            let request = self.request(&call.args)?;
            told(&self.workspace.ask(request))
        });
        Box::pin(async move { answer })
    }
}

impl KeptTool {
    fn request(&self, args: &Value) -> Result<Request, ToolFailure> {
        let said = |keys: &[&str]| keys.iter().find_map(|key| args.get(key)?.as_str()).map(str::to_owned);
        let needed =
            |keys: &[&str]| said(keys).ok_or_else(|| ToolFailure::new(format!("`{}` is missing", keys[0])));
        let session = Some(self.session.clone());
        Ok(match self.spec.name.as_str() {
            "get_artifact" => {
                let range = said(&["range"]).unwrap_or_else(|| format!("0-{}", PART - 1));
                Request::Artifact(ArtifactRequest::Get {
                    id: needed(&["id", "handle", "artifact_id"])?,
                    range: Some(range),
                    session,
                    most: Some(MOST),
                })
            }
            "search_artifacts" => {
                let id = said(&["id", "handle", "artifact_id"]);
                Request::Artifact(ArtifactRequest::Search { query: needed(&["query"])?, id, session })
            }
            "list_artifacts" => Request::Artifact(ArtifactRequest::List { session }),
            _ => Request::Lessons(LessonRequest::Add(Teaching {
                skill: needed(&["skill_name", "skill"])?,
                condition: needed(&["condition"])?,
                resolution: needed(&["resolution"])?,
                context: said(&["context"]),
                session,
                author: Some(self.author.clone()),
                source: Some("run".to_owned()),
            })),
        })
    }
}

/// What a verb answered, as a tool's answer.
fn told(response: &Response) -> Result<Value, ToolFailure> {
    let failure = || {
        let findings = response.findings.iter().map(|finding| match &finding.help {
            Some(help) => format!("{}\n{help}", finding.message),
            None => finding.message.clone(),
        });
        ToolFailure::new(findings.collect::<Vec<_>>().join("\n"))
    };
    Ok(match &response.answer {
        Answer::ArtifactContent(part) => {
            let text =
                part.text.clone().unwrap_or_else(|| format!("[{} bytes that are no text]", part.bytes));
            let (from, end, size) = (part.from, part.from + part.bytes, part.handle.size_bytes);
            if end < size || from > 0 {
                json!(format!("[bytes {from}-{} of {size}]\n{text}", end.saturating_sub(1)))
            } else {
                json!(text)
            }
        }
        Answer::ArtifactHits(found) => {
            let line = |hit: &mentci_authority::ArtifactHit| {
                let id: String = hit.artifact_id.to_string().chars().take(12).collect();
                format!("{id} line {}: {}", hit.line, hit.snippet)
            };
            let lines: Vec<String> = found.hits.iter().map(line).collect();
            json!(if lines.is_empty() { "nothing was found".to_owned() } else { lines.join("\n") })
        }
        Answer::Artifacts(list) => {
            let line = |row: &mentci_host::session::ArtifactRow| {
                let handle = &row.handle;
                let summary = handle.summary.lines().next().unwrap_or("");
                format!(
                    "{} {} bytes {} {}: {summary}",
                    handle.artifact_id, handle.size_bytes, handle.mime_type, handle.source
                )
            };
            let lines: Vec<String> = list.artifacts.iter().map(line).collect();
            json!(if lines.is_empty() { "there are none".to_owned() } else { lines.join("\n") })
        }
        Answer::Taught(taught) => json!(taught.message),
        _ => return Err(failure()),
    })
}

/// What these tools take, by name.
pub(crate) fn kept_spec(name: &str) -> Option<ToolSpec> {
    let text = |about: &str| json!({"type": "string", "description": about});
    let id = text("the artifact's id, or the start of it");
    let (about, properties, required) = match name {
        "get_artifact" => (
            "Gives back what was moved out of the conversation, or a part of it.",
            json!({"id": id, "range": text("`0-1023` for bytes, `lines:10-40` for lines; the first 900 bytes without it")}),
            json!(["id"]),
        ),
        "search_artifacts" => (
            "Looks for words in what was moved out of the conversation.",
            json!({"query": text("what to look for"), "id": id}),
            json!(["query"]),
        ),
        "list_artifacts" => ("Lists what was moved out of the conversation.", json!({}), json!([])),
        "update_skill_heuristics" => (
            "Records a lesson for a skill, so that every later session knows it: when (condition), and what to do then (resolution). \
             One lesson a call. Not for one-off facts, opinions or secrets.",
            json!({
                "skill_name": text("the skill"), "condition": text("when it happens"),
                "resolution": text("what to do then"), "context": text("how it was found out"),
            }),
            json!(["skill_name", "condition", "resolution"]),
        ),
        _ => return None,
    };
    Some(spec(name, about, &properties, &required))
}
