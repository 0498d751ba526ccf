//! What a run of a document asks of its workspace.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use mentci_authority::{ArtifactId, NewArtifact};
use mentci_context::{CompileConfig, PerceptionAligner, SchemaRegistry};
use mentci_disk::Fs;
use mentci_source::{Code, Finding, Severity};

use crate::session::refused;
use crate::workspace::Workspace;

impl Workspace {
    /// How requests are compiled here; the budget is 0 where the configuration names none.
    pub fn request_config(&self) -> CompileConfig {
        let inner = self.lock();
        let own = &inner.settings.config;
        let size = |key, otherwise| own.number(key).unwrap_or(otherwise);
        let mut config = CompileConfig::new(own.number("context.budget").map_or(0, |budget| budget as u64));
        config.processors = own.names("context.processors").iter().map(|name| (*name).to_owned()).collect();
        config.artifacts.min_bytes = size("context.external_bytes", 1_024);
        config.artifacts.min_tokens = own.count("context.external_tokens", 300);
        config.compaction.clear_at_least = own.number("context.clear_at_least").map(|tokens| tokens as u64);
        (config.history.first, config.history.last) = (size("context.first", 1), size("context.last", 6));
        config
    }

    /// The model that sums up what a run compacts; none where none is configured for it.
    pub fn summary_model(&self) -> Option<String> {
        self.lock().settings.config.text("context.summary_model").map(str::to_owned)
    }

    /// What of tools' answers may be kept, as the configuration says; `schemas` says what they may answer.
    ///
    /// # Errors
    /// What is wrong in the configuration.
    pub fn perception(&self, schemas: SchemaRegistry) -> Result<PerceptionAligner, Finding> {
        let tokenizer = Arc::new(mentci_tokens::o200k());
        PerceptionAligner::new(self.align_options(), schemas, tokenizer)
            .map_err(|error| Finding::new(Code::CONFIG_VALUE, error))
    }

    /// Stores artifacts for a session: a handle that is shown can be fetched.
    ///
    /// # Errors
    /// When the store refuses.
    pub fn keep_artifacts(&self, session: &str, artifacts: &[NewArtifact]) -> Result<(), Finding> {
        self.artifacts()?.store(session, artifacts).map(drop).map_err(refused)
    }

    /// What is to be told of artifacts that a run's context names, and that nobody can fetch.
    pub fn lost_artifacts(&self, named: &BTreeSet<ArtifactId>) -> Vec<Finding> {
        self.lost(named, "that the context names")
            .unwrap_or_else(|finding| vec![finding.severity(Severity::Warning)])
    }

    /// A text as an artifact, without secrets; it is not stored yet.
    pub fn artifact_of(&self, text: &str, source: &str) -> NewArtifact {
        let mime = Some("text/plain".to_owned());
        self.keeper().artifact(text.as_bytes(), mime, source.to_owned(), self.seconds())
    }

    /// The text of an artifact; none where there is no such artifact, or it is no text.
    pub fn artifact_text(&self, id: &str) -> Option<String> {
        let id: ArtifactId = id.parse().ok()?;
        let bytes = self.artifacts().ok()?.retrieve(&id).ok()??;
        String::from_utf8(bytes).ok()
    }

    /// Now, as blocks of a transcript tell it (RFC 3339).
    pub fn moment(&self) -> String {
        self.now().to_string()
    }

    /// The files.
    pub fn files(&self) -> &Arc<dyn Fs> {
        &self.fs
    }

    /// A path as it is told: relative to the workspace where it lies inside.
    pub fn told_path(&self, path: &Path) -> String {
        path.strip_prefix(&self.root).unwrap_or(path).to_string_lossy().into_owned()
    }
}
