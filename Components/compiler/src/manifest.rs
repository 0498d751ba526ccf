//! Facts of the Cargo workspace, as lines, with the stretches of the manifests that they rest on.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use mentci_authority::{EntryKind, Omission, OmissionReason, SourceSpan};
use mentci_reader::cargo::{Dependency, Fact, Piece, Subject, WorkspaceFacts, pieces};
use mentci_source::{Source, Span};

use crate::cover::{omit, place};
use crate::fact::FactLine;

/// Manifests and what they say together.
#[derive(Debug, Clone)]
pub struct ManifestSources {
    /// The root's and the members' manifests.
    pub sources: Vec<Source>,
    /// What they say.
    pub facts: Arc<WorkspaceFacts>,
    /// What each stretch of each manifest belongs to.
    pieces: Arc<Vec<Vec<Piece>>>,
}

impl ManifestSources {
    /// Accounts for every line of `sources`, once, so that each compile need not.
    pub fn new(mut sources: Vec<Source>, facts: Arc<WorkspaceFacts>) -> Self {
        sources.sort_by(|a, b| a.path().cmp(b.path()));
        let pieces = Arc::new(sources.iter().map(pieces).collect());
        Self { sources, facts, pieces }
    }

    /// The facts as lines, and what of the manifests no line rests on. Of the dependencies, those that the law mentions.
    pub(crate) fn lines(&self, mentions: &BTreeSet<&str>) -> (Vec<FactLine>, Vec<Omission>) {
        let mut claims = Claims { manifests: self, taken: BTreeMap::new() };
        let lines = [
            claims.package_line(&self.facts),
            claims.members_line(&self.facts),
            claims.features_line(&self.facts),
            claims.lints_line(&self.facts),
            claims.dependencies_line(&self.facts, mentions),
        ];
        let lines = lines.into_iter().flatten().collect();
        (lines, claims.rest())
    }
}

/// Which pieces are taken. INVARIANT (one home): a piece belongs to the first line that asks for it.
struct Claims<'a> {
    manifests: &'a ManifestSources,
    taken: BTreeMap<usize, BTreeSet<usize>>,
}

impl Claims<'_> {
    fn package_line(&mut self, facts: &WorkspaceFacts) -> Option<FactLine> {
        let parts = [
            ("edition", &facts.edition),
            ("MSRV", &facts.msrv),
            ("resolver", &facts.resolver),
            ("version", &facts.version),
            ("license", &facts.license),
        ];
        let mut words = Vec::new();
        let mut spans = Vec::new();
        for (name, fact) in parts {
            let Some(Fact { value, path, span }) = fact else { continue };
            words.push(format!("{name} {value}"));
            spans.extend(self.take(path, *span));
        }
        line("package", "", &words, spans)
    }

    fn members_line(&mut self, facts: &WorkspaceFacts) -> Option<FactLine> {
        let mut names = Vec::new();
        let mut spans = self.take_entry("workspace.members");
        for member in &facts.members {
            names.push(member.name.clone());
            spans.extend(self.take(&member.manifest, member.span));
        }
        line("members", "members: ", &names, spans)
    }

    /// The members' own features: `features: core: fast, slow (default: fast); cli: web`.
    fn features_line(&mut self, facts: &WorkspaceFacts) -> Option<FactLine> {
        let (mut words, mut spans) = (Vec::new(), Vec::new());
        for member in facts.members.iter().filter(|member| !member.features.is_empty()) {
            words.push(format!("{}: {}", member.name, features_of(&member.features)));
            for name in member.features.keys() {
                spans.extend(self.take_entry_in(&member.manifest, &format!("features.{name}")));
            }
        }
        let all = (!words.is_empty()).then(|| words.join("; "));
        line("features", "features: ", all.as_slice(), spans)
    }

    fn lints_line(&mut self, facts: &WorkspaceFacts) -> Option<FactLine> {
        let mut words = Vec::new();
        let mut spans = Vec::new();
        for lint in &facts.lints {
            let tool = if lint.tool == "rust" { String::new() } else { format!("{}::", lint.tool) };
            words.push(format!("{tool}{} {}", lint.name, lint.level));
            spans.extend(self.take(&lint.place.path, lint.place.span));
        }
        line("lints", "lints: ", &words, spans)
    }

    fn dependencies_line(&mut self, facts: &WorkspaceFacts, mentions: &BTreeSet<&str>) -> Option<FactLine> {
        let root = self.manifests.root();
        let shared = facts.dependencies.iter().map(|dependency| (root.clone(), dependency));
        let own = facts.members.iter().flat_map(|member| {
            let own = member.dependencies.iter().filter(|dependency| !dependency.inherited);
            own.map(|dependency| (Some(member.manifest.clone()), dependency))
        });
        let mentioned =
            shared.chain(own).filter(|(_, dependency)| mentions.contains(dependency.name.as_str()));
        let mut words: BTreeMap<&str, String> = BTreeMap::new();
        let mut spans = Vec::new();
        for (path, dependency) in mentioned {
            if words.contains_key(dependency.name.as_str()) {
                continue;
            }
            words.insert(&dependency.name, described(dependency));
            spans.extend(path.and_then(|path| self.take(&path, dependency.span)));
        }
        line("dependencies", "dependencies: ", &words.into_values().collect::<Vec<_>>(), spans)
    }

    /// The piece of `path` that holds `span`, unless another line has it.
    fn take(&mut self, path: &str, span: Span) -> Option<SourceSpan> {
        let manifests = self.manifests;
        let file = manifests.sources.iter().position(|source| **source.path() == *path)?;
        let index = manifests.pieces[file].iter().position(|piece| piece.span.contains(span))?;
        let fresh = self.taken.entry(file).or_default().insert(index);
        fresh.then(|| place(&manifests.sources[file], manifests.pieces[file][index].span))
    }

    /// The entries of this dotted path in every manifest.
    fn take_entry(&mut self, dotted: &str) -> Vec<SourceSpan> {
        let manifests = self.manifests;
        let files = manifests.sources.iter().zip(manifests.pieces.iter());
        let entry = |piece: &&Piece| matches!(&piece.subject, Subject::Entry(path) if path == dotted);
        let found = files.flat_map(|(source, pieces)| {
            pieces.iter().filter(entry).map(|piece| (source.path().clone(), piece.span))
        });
        found.collect::<Vec<_>>().into_iter().filter_map(|(path, span)| self.take(&path, span)).collect()
    }

    /// The entry of this dotted path in one manifest.
    fn take_entry_in(&mut self, path: &Arc<str>, dotted: &str) -> Option<SourceSpan> {
        let manifests = self.manifests;
        let file = manifests.sources.iter().position(|source| source.path() == path)?;
        let is_it = |piece: &&Piece| matches!(&piece.subject, Subject::Entry(path) if path == dotted);
        let span = manifests.pieces[file].iter().find(is_it)?.span;
        self.take(path, span)
    }

    fn rest(&self) -> Vec<Omission> {
        let mut omitted = Vec::new();
        for (file, (source, pieces)) in
            self.manifests.sources.iter().zip(self.manifests.pieces.iter()).enumerate()
        {
            let taken = self.taken.get(&file);
            let left = pieces
                .iter()
                .enumerate()
                .filter(|(index, _)| !taken.is_some_and(|taken| taken.contains(index)));
            omitted.extend(left.map(|(_, piece)| omit(source, piece.span, reason(&piece.subject))));
        }
        omitted
    }
}

impl ManifestSources {
    /// The root manifest: the one with the shortest path.
    fn root(&self) -> Option<Arc<str>> {
        self.sources
            .iter()
            .map(Source::path)
            .min_by_key(|path| (path.matches('/').count(), path.len()))
            .cloned()
    }
}

fn reason(subject: &Subject) -> OmissionReason {
    match subject {
        Subject::Header(_) => OmissionReason::Heading,
        Subject::Comment => OmissionReason::Comment,
        Subject::Entry(_) | Subject::Unread => OmissionReason::Description,
    }
}

/// `fast, slow (default: fast)`.
fn features_of(features: &BTreeMap<String, Vec<String>>) -> String {
    let names: Vec<&str> = features.keys().map(String::as_str).filter(|name| *name != "default").collect();
    let default = features.get("default").map(|on| format!("default: {}", on.join(", ")));
    match (names.is_empty(), default) {
        (_, None) => names.join(", "),
        (true, Some(default)) => default,
        (false, Some(default)) => format!("{} ({default})", names.join(", ")),
    }
}

fn described(dependency: &Dependency) -> String {
    match &dependency.version {
        Some(version) => format!("{} {version}", dependency.name),
        None => dependency.name.clone(),
    }
}

fn line(name: &str, prefix: &str, words: &[String], spans: Vec<SourceSpan>) -> Option<FactLine> {
    (!words.is_empty()).then(|| FactLine {
        key: format!("workspace {name}"),
        kind: EntryKind::Workspace,
        text: format!("{prefix}{}", words.join(", ")),
        spans,
    })
}
