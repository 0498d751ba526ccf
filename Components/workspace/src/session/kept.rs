//! What of an event may be kept: redacted, and small.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError};

use mentci_authority::{ArtifactHandle, At, Event, NewArtifact, Verdict, is_respelled};
use mentci_context::{AlignOptions, PerceptionAligner, SchemaRegistry};
use mentci_source::{Code, Finding, Severity};
use mentci_tokens::Rough;
use serde_json::{Map, Value};

use super::artifacts::{name, refused};
use crate::workspace::Workspace;

/// Takes out of events what must not be kept, and moves what is large out of them.
#[derive(Clone)]
pub(crate) struct Keeper {
    options: AlignOptions,
    aligner: PerceptionAligner,
    /// Moves whatever it is given.
    mover: PerceptionAligner,
}

impl std::fmt::Debug for Keeper {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Keeper").field("options", &self.options).finish_non_exhaustive()
    }
}

/// The most characters of a summary, and of a name, that are told of an artifact.
const MOST_SUMMARY: usize = 4_096;
const MOST_NAME: usize = 1_024;

/// An event as it may be kept.
pub(crate) struct Kept {
    /// Redacted; a large result is a handle.
    pub(crate) event: Event,
    /// What the handle stands for.
    pub(crate) artifacts: Vec<NewArtifact>,
    /// The result itself, redacted, for where it cannot be moved.
    whole: Option<Value>,
}

impl Kept {
    /// With its large result in its place: nowhere else could take it.
    pub(crate) fn unmoved(mut self) -> Event {
        if let (Some(result), Some(whole)) = (&mut self.event.result, self.whole) {
            result.value = whole;
        }
        self.event
    }
}

impl Keeper {
    fn new(options: AlignOptions) -> Result<Self, String> {
        let align = |options| PerceptionAligner::new(options, SchemaRegistry::default(), Arc::new(Rough));
        let aligner = align(options.clone())?;
        let mover = align(AlignOptions { externalize_bytes: 0, ..options.clone() })?;
        Ok(Self { options, aligner, mover })
    }

    /// The aligner of what tools answer.
    pub(crate) fn aligner(&self) -> &PerceptionAligner {
        &self.aligner
    }

    /// What is kept of an event that was decided so. What admission found out is found out again when it is read. What is moved out
    /// is stored `at` a time, and its handle says when it came: as a file that tells the event does.
    pub(crate) fn keep(&self, event: &Event, verdict: &Verdict, at: f64) -> Kept {
        let mut kept = Event {
            commands: Vec::new(),
            files: Vec::new(),
            unread: None,
            zones: BTreeMap::new(),
            parameters: BTreeMap::new(),
            settings: BTreeMap::new(),
            disabled: Vec::new(),
            ..event.clone()
        };
        kept.sender = kept.sender.as_deref().map(|sender| self.name(sender));
        if let Some(tool) = &mut kept.tool {
            tool.name = self.name(&tool.name);
            tool.call_id = tool.call_id.as_deref().map(|id| self.name(id));
            let args = self.aligner.redact_value(verdict.args.as_ref().unwrap_or(&tool.args));
            let told = kept.told_args.take().filter(|_| verdict.args.is_none() && args == tool.args);
            let is_text_of =
                |text: &String| serde_json::from_str::<Value>(text).is_ok_and(|read| read == args);
            kept.told_args = told.filter(|text| is_respelled(text) && is_text_of(text) && !self.hides(text));
            tool.args = args;
        }
        if let Some(message) = &mut kept.message {
            message.text = self.aligner.redact_text(&message.text);
        }
        for facts in [&mut kept.session_facts, &mut kept.facts, &mut kept.claimed] {
            self.redact(facts);
        }
        for value in [&mut kept.context, &mut kept.emitted].into_iter().flatten() {
            *value = self.aligner.redact_value(value);
        }
        let (mut artifacts, mut whole) = (Vec::new(), None);
        if let Some(result) = &mut kept.result {
            result.error = result.error.as_deref().map(|error| self.aligner.redact_text(error));
            let value = verdict.result.as_ref().unwrap_or(&result.value);
            let told = result.told.take().filter(|_| verdict.result.is_none());
            let aligned = self.aligner.normalize_told(event.tool_name(), value, told.as_deref(), at);
            // One with keys of its own is its own value: it is kept once.
            if Value::Object(result.other.clone()) == result.value {
                result.other.clear();
            } else {
                self.redact(&mut result.other);
            }
            whole = aligned.artifact.is_some().then(|| self.aligner.redact_value(value));
            let mut moved = aligned.value;
            if let (Some(artifact), Some(whole)) = (&aligned.artifact, &whole) {
                moved["form"] = form(artifact, whole, told.as_deref()).into();
                moved["artifact"]["created_at"] = event.at.map_or(at, seconds).into();
            }
            // What was redacted, or is kept as its text, is another value.
            result.told = told.filter(|text| moved == *value && is_respelled(text) && !self.hides(text));
            result.value = moved;
            artifacts.extend(aligned.artifact);
        }
        Kept { event: kept, artifacts, whole }
    }

    /// A name or an id as it may be kept. One that is a secret becomes its kind and a few digits, so that two of them stay
    /// two, and one stays the same.
    pub(crate) fn name(&self, name: &str) -> String {
        self.aligner.detector().redact_name(name)
    }

    /// What stands for an artifact as it is told: no id proves a note, and whoever can write the store's file can write one.
    pub(crate) fn disarmed(&self, handle: &ArtifactHandle) -> ArtifactHandle {
        let told = |text: &str, most: usize| {
            let redacted = self.aligner.redact_text(text);
            let is_odd = |one: char| one.is_control() && !matches!(one, '\n' | '\t');
            redacted.chars().take(most).map(|one| if is_odd(one) { '\u{FFFD}' } else { one }).collect()
        };
        ArtifactHandle {
            summary: told(&handle.summary, MOST_SUMMARY),
            mime_type: told(&handle.mime_type, MOST_NAME),
            source: told(&handle.source, MOST_NAME),
            ..*handle
        }
    }

    /// Whether anything of a text must not be kept.
    fn hides(&self, text: &str) -> bool {
        self.aligner.detector().has_any(text)
    }

    fn redact(&self, facts: &mut Map<String, Value>) {
        if let Value::Object(redacted) = self.aligner.redact_value(&Value::Object(std::mem::take(facts))) {
            *facts = redacted;
        }
    }

    /// What the redacted beginning of a content is, and what it says in short.
    pub(crate) fn beginning(&self, head: &[u8]) -> (String, String) {
        // Its last line may be cut.
        let end = head.iter().rposition(|byte| *byte == b'\n').map_or(head.len(), |at| at + 1);
        let aligned = self.mover.normalize_bytes("user", &head[..end], 0.0);
        let handle = aligned.artifact.map(|artifact| artifact.handle);
        handle.map(|handle| (handle.mime_type, handle.summary)).unwrap_or_default()
    }

    /// Content of a person's as an artifact.
    pub(crate) fn artifact(
        &self,
        bytes: &[u8],
        mime: Option<String>,
        source: String,
        at: f64,
    ) -> NewArtifact {
        let aligned = self.mover.normalize_bytes("user", bytes, at);
        // OK because what is larger than nothing is moved.
        let mut artifact = aligned.artifact.expect("OK because everything is moved");
        artifact.handle.source = source;
        artifact.handle.mime_type = mime.unwrap_or(artifact.handle.mime_type);
        artifact
    }
}

/// A moment in seconds since 1970 UTC.
#[expect(clippy::cast_precision_loss, reason = "milliseconds since 1970 lie far below 2^53")]
fn seconds(at: At) -> f64 {
    at.ms as f64 / 1_000.0
}

/// What a content was before it was moved: a value that came as JSON, or a text, whatever it reads as.
fn form(artifact: &NewArtifact, whole: &Value, told: Option<&str>) -> &'static str {
    let is = |text: &str| artifact.content == text.as_bytes();
    let is_value = !whole.is_string() && (told.is_some_and(is) || is(&whole.to_string()));
    if is_value { JSON } else { TEXT }
}

/// The forms of what stands in an artifact.
pub(super) const JSON: &str = "json";
pub(super) const TEXT: &str = "text";

impl Workspace {
    /// What takes out of events what must not be kept, as the configuration says.
    pub(crate) fn keeper(&self) -> Arc<Keeper> {
        let options = self.align_options();
        let mut held = self.keeper.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(keeper) = held.as_ref().filter(|keeper| keeper.options == options) {
            return keeper.clone();
        }
        // OK because the configuration names kinds that there are, and no patterns.
        let keeper = Keeper::new(options).or_else(|_| Keeper::new(AlignOptions::default()));
        let keeper = Arc::new(keeper.expect("OK because the default options name nothing"));
        *held = Some(keeper.clone());
        keeper
    }

    /// What makes of an event what its line of the log holds. What is large stands in the store of artifacts before the line
    /// names it; where it cannot, it stays in the line, and so does what comes after it: nobody waits for the same store twice.
    /// Asks for nothing but the store of artifacts.
    pub(crate) fn keeping(&self) -> impl Fn(&Event, &Verdict) -> Event {
        let (keeper, at) = (self.keeper(), self.seconds());
        let in_files = self.lock().settings.config.choice("artifacts.backend") == "files";
        let given_up = AtomicBool::new(false);
        move |event, verdict| {
            let kept = keeper.keep(event, verdict, at);
            if kept.artifacts.is_empty() {
                return kept.event;
            }
            if given_up.load(Ordering::Relaxed) {
                return kept.unmoved();
            }
            let stored = self
                .artifacts_of(in_files)
                .and_then(|store| store.store(&event.session, &kept.artifacts).map_err(refused));
            match stored {
                Ok(()) => kept.event,
                Err(why) => {
                    given_up.store(true, Ordering::Relaxed);
                    self.was_not_kept(&why, in_files);
                    kept.unmoved()
                }
            }
        }
    }

    /// Keeps in mind, for whoever asked, that large content stands in the log and why.
    fn was_not_kept(&self, why: &Finding, in_files: bool) {
        let message = format!("large results stay in the log: {}", why.message);
        let mut finding = Finding::new(Code::ARTIFACTS_UNAVAILABLE, message).severity(Severity::Warning);
        finding.help.clone_from(&why.help);
        let finding = finding.in_file(name(in_files));
        *self.unkept.lock().unwrap_or_else(PoisonError::into_inner) = Some(finding);
    }

    pub(crate) fn align_options(&self) -> AlignOptions {
        let inner = self.lock();
        let config = &inner.settings.config;
        let redact =
            if config.choice("context.redact") == "all" { vec!["personal".to_owned()] } else { Vec::new() };
        AlignOptions {
            redact,
            allow: config.texts("context.allow").to_vec(),
            externalize_bytes: config.number("context.external_bytes").unwrap_or(1_024),
            externalize_tokens: config.number("context.external_tokens").unwrap_or(300),
            ..AlignOptions::default()
        }
    }
}
