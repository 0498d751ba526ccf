//! The Cargo workspace: which manifests belong to it, and what they say together.

use std::sync::Arc;

use mentci_compiler::{ManifestSources, Names};
use mentci_disk::{Found, Stamp, read_source};
use mentci_reader::cargo::{member_patterns, read_workspace};
use mentci_source::{Code, Source};

use super::{Content, Engine, SourceSet, State};

const ROOT: &str = "Cargo.toml";

impl Engine {
    /// Works out where sources may stand: the root manifest says where its members are.
    pub(crate) fn reset_set(&mut self) {
        let root = self.root_manifest();
        let patterns = root.map(|source| member_patterns(&source).value).unwrap_or_default();
        let texts = |patterns: &[mentci_reader::cargo::Pattern]| -> Vec<String> {
            patterns.iter().map(|pattern| pattern.text.clone()).collect()
        };
        let (members, excluded) = (texts(&patterns.members), texts(&patterns.exclude));
        (self.set, self.set_findings) = SourceSet::new(&self.config, &members, &excluded);
    }

    fn root_manifest(&self) -> Option<Source> {
        let found = Found { path: ROOT.into(), stamp: Stamp::default() };
        let bytes = read_source(self.fs.as_ref(), &self.root, &found).value?;
        Some(Source::decode(ROOT, &bytes.bytes).value)
    }

    /// Reads the manifests together again.
    pub(super) fn read_manifests(&mut self) {
        let mut sources: Vec<Source> = Vec::new();
        for held in self.held.values() {
            // Which side of an unfinished merge holds is not known.
            let is_merged = held.findings.iter().all(|finding| finding.code != Code::MERGE_CONFLICT);
            if let Content::Manifest(source) = &held.content
                && (is_merged || held.state == State::LastGood)
            {
                sources.push(source.clone());
            }
        }
        let Some(at) = sources.iter().position(|source| &**source.path() == ROOT) else {
            self.manifests = None;
            return;
        };
        let root = sources.remove(at);
        let read = read_workspace(&root, &sources);
        sources.insert(0, root);
        self.manifests = Some((ManifestSources::new(sources, Arc::new(read.value)), read.findings));
    }

    /// Collects the names of the workspace again; says whether they changed.
    pub(super) fn rename(&mut self) -> bool {
        let mut names = Names::default();
        for skill in self.skills.keys() {
            names.add_skill(skill.as_str());
        }
        for held in self.held.values() {
            if let Content::Schema(schema) = &held.content {
                names.add_schema(&schema.schema);
            }
        }
        if let Some((manifests, _)) = &self.manifests {
            names.add_workspace(&manifests.facts);
        }
        let changed = *self.names != names;
        if changed {
            self.names = Arc::new(names);
        }
        changed
    }
}
