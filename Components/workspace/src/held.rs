//! One source as it was last read, and the last good reading of it.

use std::sync::{Arc, OnceLock};

use mentci_compiler::lessons::{LessonFile, read_lessons};
use mentci_compiler::{ExplicitLaw, LawReading, SchemaSource, SectionsRead, read_law, read_law_again};
use mentci_disk::SourceBytes;
use mentci_reader::{capnp, unfinished_merges};
use mentci_source::{Code, Finding, Hash, Source, is_utf16, not_text};

use crate::source_set::SourceKind;

/// A source in memory, kept by hash.
#[derive(Debug, Clone)]
pub(crate) struct Held {
    pub(crate) kind: SourceKind,
    pub(crate) hash: Hash,
    pub(crate) bytes: u64,
    pub(crate) content: Content,
    pub(crate) findings: Vec<Finding>,
    /// What its law says in so many words, made when a lesson is first held against it.
    pub(crate) explicit: Arc<OnceLock<ExplicitLaw>>,
    /// Whether `content` is what stands on disk; if not it is the last good reading.
    pub(crate) state: State,
    /// What the sections of a law said that was read again: whoever writes it saves it again.
    pub(crate) sections: Option<Arc<SectionsRead>>,
}

/// How far the content can be relied on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    /// It is what stands on disk.
    Sound,
    /// What stands on disk is damaged; this is what was last read from it.
    LastGood,
    /// What stands on disk is damaged and was never read whole: nothing may be published from it.
    Damaged,
}

/// What a source says.
#[derive(Debug, Clone)]
pub(crate) enum Content {
    Law(Arc<LawReading>),
    Schema(Arc<SchemaSource>),
    Manifest(Source),
    Lessons(Arc<LessonFile>),
}

impl Content {
    pub(crate) fn source(&self) -> &Source {
        match self {
            Self::Law(law) => &law.source,
            Self::Schema(schema) => &schema.source,
            Self::Manifest(source) => source,
            Self::Lessons(file) => &file.source,
        }
    }
}

/// Reads one source, alone or with `many` others; a damaged one leaves the last good content standing.
pub(crate) fn hold(kind: &SourceKind, bytes: &SourceBytes, before: Option<&Held>, many: bool) -> Held {
    let decoded = Source::decode(&bytes.path, &bytes.bytes);
    let odd = no_text(kind, bytes).map_or_else(|| unmerged(kind, &decoded.value), |finding| vec![finding]);
    let mut said = Said::of(kind, &decoded.value, before.filter(|_| !many));
    let findings = if odd.is_empty() {
        decoded.findings.into_iter().chain(said.findings).collect()
    } else {
        // What its reading would find in it is noise.
        said.is_sound = false;
        odd
    };
    let (content, state) = match before {
        _ if said.is_sound => (said.content, State::Sound),
        Some(before) if before.state != State::Damaged => (before.content.clone(), State::LastGood),
        _ => (said.content, State::Damaged),
    };
    Held {
        kind: kind.clone(),
        hash: bytes.hash,
        bytes: bytes.bytes.len() as u64,
        content,
        findings,
        explicit: Arc::default(),
        state,
        sections: said.sections,
    }
}

/// Why bytes are no source of their kind, whatever decodes of them. A manifest is TOML or it is not, and a message in Cap'n Proto's
/// own bytes that bears a schema's name states nothing.
fn no_text(kind: &SourceKind, bytes: &SourceBytes) -> Option<Finding> {
    let judged = match kind {
        SourceKind::Law(_) | SourceKind::Lessons(..) => true,
        SourceKind::Schema => is_utf16(&bytes.bytes),
        SourceKind::Manifest => false,
    };
    judged.then(|| not_text(&bytes.path, &bytes.bytes)).flatten()
}

/// Where git left a merge to a person. Law is asked when it is read: Markdown also shows what such marks look like.
fn unmerged(kind: &SourceKind, source: &Source) -> Vec<Finding> {
    if matches!(kind, SourceKind::Law(_)) { Vec::new() } else { unfinished_merges(source) }
}

/// What the bytes of one source say.
struct Said {
    content: Content,
    is_sound: bool,
    findings: Vec<Finding>,
    sections: Option<Arc<SectionsRead>>,
}

impl Said {
    /// Reads a source, that was read `before` if it was.
    fn of(kind: &SourceKind, source: &Source, before: Option<&Held>) -> Self {
        let said = |content, is_sound, findings| Self { content, is_sound, findings, sections: None };
        let mut findings = Vec::new();
        match kind {
            SourceKind::Law(law) => {
                let (law, sections) = match before {
                    None => (read_law(source, law), None),
                    Some(before) => {
                        let (law, sections) = read_law_again(source, law, before.sections.as_deref());
                        (law, Some(Arc::new(sections)))
                    }
                };
                let is_merged = law.findings.iter().all(|finding| finding.code != Code::MERGE_CONFLICT);
                let findings = law.findings.clone();
                Self { sections, ..said(Content::Law(Arc::new(law)), is_merged, findings) }
            }
            SourceKind::Schema => {
                let schema = Arc::new(capnp::read(source).take(&mut findings));
                said(Content::Schema(Arc::new(SchemaSource::new(source.clone(), schema))), true, findings)
            }
            // What is found in it is found when all manifests are read together.
            SourceKind::Manifest => said(Content::Manifest(source.clone()), is_toml(source), findings),
            SourceKind::Lessons(skill, _) => {
                let file = read_lessons(source, skill).take(&mut findings);
                let is_sound = file.is_sound;
                said(Content::Lessons(Arc::new(file)), is_sound, findings)
            }
        }
    }
}

fn is_toml(source: &Source) -> bool {
    toml::de::DeTable::parse(source.text()).is_ok()
}

/// Whether a finding of the disk says that a file stands there and could not be read.
pub(crate) fn is_unreadable(finding: &Finding) -> bool {
    [Code::UNREADABLE, Code::TOO_LARGE, Code::NOT_A_FILE].contains(&finding.code)
}

#[cfg(test)]
mod tests {
    use mentci_compiler::LawKind;

    use super::*;

    /// A law as it is saved again and again; how many sections were not read each time, where any are kept.
    fn saved(texts: &[&str], many: bool) -> Vec<Option<usize>> {
        let mut held: Option<Held> = None;
        let save = |text: &&str| {
            let bytes = SourceBytes {
                path: "AGENTS.md".into(),
                bytes: text.as_bytes().to_vec(),
                hash: Hash::of_bytes(text.as_bytes()),
                stamp: mentci_disk::Stamp::default(),
            };
            let next = hold(&SourceKind::Law(LawKind::Workspace), &bytes, held.as_ref(), many);
            held.insert(next).sections.as_ref().map(|sections| sections.taken_over())
        };
        texts.iter().map(save).collect()
    }

    #[test]
    fn a_law_that_is_saved_alone_is_read_section_by_section() {
        let law = "# Law\n\n## Git\n\nNever force push.\n\n## Tests\n\nAlways run them.\n";
        let texts = [law, law, &law.replace("run", "repeat"), "# Law\n"];
        assert_eq!(saved(&texts, false), [None, Some(0), Some(1), Some(0)]);
        assert_eq!(saved(&texts, true), [None, None, None, None]);
    }
}
