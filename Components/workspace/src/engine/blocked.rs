//! What stands in the way of publishing.

use std::collections::BTreeSet;

use mentci_authority::{CoverageMap, MapEntry, OmissionReason, SkillName};
use mentci_compiler::{LawKind, LawReading, SchemaSource};
use mentci_disk::exists;
use mentci_source::{Code, Finding, Severity};

use super::{Content, Engine, Held, State, is_unreadable};
use crate::layout::DigestPaths;
use crate::source_set::SourceKind;

impl Engine {
    /// Why a skill's digest must not be published now: a source of it is damaged or cannot be read, and nothing good is
    /// known of it.
    pub(super) fn block(&self, skill: &SkillName) -> bool {
        let slot = self.skills.get(skill);
        slot.is_some_and(|slot| {
            slot.paths.iter().any(|path| self.held.get(path).is_some_and(|held| held.state == State::Damaged))
        }) || self.unread().any(|(path, _)| self.skill_at(path).as_ref() == Some(skill))
    }

    /// A source that says nothing where it stated rules: many editors empty a file before they write it; or a schema that no longer
    /// parses and says less. What it said last stays; where that is not known, what was published does.
    pub(crate) fn with_last_law(&self, held: Held, before: Option<&Held>) -> Held {
        if held.state != State::Sound {
            return held;
        }
        if !says_nothing(&held.content) {
            return self.whole_schema(held, before);
        }
        let path = held.content.source().path().to_owned();
        let (content, state) = match before.filter(|before| before.state != State::Damaged) {
            Some(before) if states_rules(&before.content) => (before.content.clone(), State::LastGood),
            None if self.was_published(&held.kind, &path) => (held.content.clone(), State::Damaged),
            _ => return held,
        };
        let (message, remedy) = match held.kind {
            SourceKind::Manifest => (
                "this file stated facts, and says nothing now",
                "write the manifest, or delete the file to take its facts back",
            ),
            _ => (
                "this file stated rules, and says nothing now",
                "write the law, or delete the file to take its rules back",
            ),
        };
        let finding = Finding::new(Code::EMPTIED_FILE, message).help(remedy).in_file(&path);
        Held { content, state, findings: vec![finding], ..held }
    }

    /// A schema that does not parse and says less than it did: what it said last stands in for it.
    fn whole_schema(&self, held: Held, before: Option<&Held>) -> Held {
        let Content::Schema(now) = &held.content else { return held };
        let cut = |finding: &Finding| matches!(finding.code, Code::CAPNP_SYNTAX | Code::CAPNP_BINARY);
        if !held.findings.iter().any(cut) {
            return held;
        }
        let said = |schema: &SchemaSource| schema.law.norms.len() + schema.schema.types.len();
        let path = held.content.source().path().to_owned();
        let stood = before.filter(|before| before.state != State::Damaged);
        let (content, state) = match stood.map(|before| &before.content) {
            Some(content @ Content::Schema(last)) if said(last) > said(now) => {
                (content.clone(), State::LastGood)
            }
            None if self.rules_of(&path) > now.law.norms.len()
                || now.schema.types.is_empty() && self.whole_rests_on(&path) =>
            {
                (held.content.clone(), State::Damaged)
            }
            _ => return held,
        };
        let message = "this schema does not parse, and states fewer rules or types than it did";
        let finding = Finding::new(Code::CAPNP_CUT_SHORT, message)
            .help("mend the schema where it does not parse, or delete the file to take its rules back")
            .in_file(&path);
        let findings = held.findings.iter().cloned().chain([finding]).collect();
        Held { content, findings, state, ..held }
    }

    /// How many rules of the workspace's digest that stands were read from a source.
    fn rules_of(&self, path: &str) -> usize {
        let rests = |entry: &&MapEntry| entry.spans.iter().any(|span| &*span.path == path);
        self.whole_map()
            .map_or(0, |map| map.entries.iter().filter(|entry| entry.level.is_some()).filter(rests).count())
    }

    /// Whether what the disk says of a path stands in the way of the law there: it cannot be read, or a link that leads
    /// nowhere or out of the workspace stands where a skill's law stood.
    pub(super) fn withholds(&self, path: &str, finding: &Finding) -> bool {
        let link = matches!(finding.code, Code::LINK_CYCLE | Code::LINK_LEAVES);
        let stated = || match self.set.kind(path) {
            Some(Ok(SourceKind::Law(LawKind::Skill(skill)))) => {
                self.held.contains_key(path) || self.publishes_rules(&skill)
            }
            _ => false,
        };
        is_unreadable(finding) || link && stated()
    }

    /// Whether something in a digest that stands was read from a source. Lessons that are cleared have gone elsewhere.
    fn was_published(&self, kind: &SourceKind, path: &str) -> bool {
        match kind {
            SourceKind::Law(LawKind::Skill(skill)) => self.publishes_rules(skill),
            SourceKind::Law(LawKind::Workspace) | SourceKind::Schema | SourceKind::Manifest => {
                self.whole_rests_on(path)
            }
            SourceKind::Lessons(..) => false,
        }
    }

    /// Whether a line of the workspace's digest that stands was read from a source.
    fn whole_rests_on(&self, path: &str) -> bool {
        let map = self.whole_map();
        let mut spans = map.iter().flat_map(|map| &map.entries).flat_map(|entry| &entry.spans);
        spans.any(|span| &*span.path == path)
    }

    /// The map of the workspace's digest that stands.
    fn whole_map(&self) -> Option<CoverageMap> {
        let map = self.standing(&DigestPaths::workspace().map)?;
        serde_json::from_str(&map).ok()
    }

    /// Whether a digest with numbered rules stands for a skill.
    fn publishes_rules(&self, skill: &SkillName) -> bool {
        const HEAD: u64 = 64 * 1024;
        let path = self.root.join(&DigestPaths::skill(skill).digest);
        let numbered = |line: &str| line.starts_with(|c: char| c.is_ascii_digit());
        let mut head = Vec::new();
        let read = self.fs.read_head(&path, HEAD, &mut head);
        read.is_ok() && String::from_utf8_lossy(&head).lines().any(numbered)
    }

    /// Sources that cannot be read and of which nothing is known: the workspace's digest would miss them.
    pub(super) fn unread(&self) -> impl Iterator<Item = (&str, &Finding)> {
        self.disk_findings.iter().filter(|(path, _)| !self.held.contains_key(*path)).flat_map(
            |(path, findings)| {
                findings
                    .iter()
                    .filter(|finding| self.withholds(path, finding))
                    .map(move |finding| (&**path, finding))
            },
        )
    }

    /// Whether law that may be in force would be missing from the workspace's digest. Lessons that were never read whole are
    /// no law: an agent writes them, and must not be able to freeze the law by damaging them.
    pub(super) fn misses_law(&self) -> bool {
        let lessons = |path: &str| matches!(self.set.kind(path), Some(Ok(SourceKind::Lessons(..))));
        let of_workspace = |path: &str| self.skill_at(path).is_none() && !lessons(path);
        let mut missing = self.unread().map(|(path, _)| path).chain(self.damaged_law());
        missing.any(|path| {
            of_workspace(path)
                || self.skill_at(path).is_some_and(|skill| self.lacks_law(&skill) && self.is_missed(&skill))
        }) || self.skills.iter().any(|(skill, slot)| {
            slot.standing().is_none() && (!self.lacks_law(skill) || self.is_missed(skill))
        })
    }

    /// Whether law of a skill cannot be read, and nothing is known of it.
    pub(super) fn lacks_law(&self, skill: &SkillName) -> bool {
        let law = SourceKind::Law(LawKind::Skill(skill.clone()));
        self.unread().any(|(path, _)| self.set.kind(path).is_some_and(|kind| kind.as_ref() == Ok(&law)))
            || self.damaged_law().any(|path| self.skill_at(path).as_ref() == Some(skill))
    }

    /// Law and schemas that are damaged and of which nothing good is known. A manifest that never said anything is none of
    /// them: what it says are facts, and the law stands without them.
    fn damaged_law(&self) -> impl Iterator<Item = &str> {
        let is_law = |path: &str, held: &Held| match held.content {
            Content::Law(_) | Content::Schema(_) => true,
            Content::Manifest(_) => self.whole_rests_on(path),
            Content::Lessons(_) => false,
        };
        let damaged =
            self.held.iter().filter(move |(path, held)| held.state == State::Damaged && is_law(path, held));
        damaged.map(|(path, _)| &**path)
    }

    /// Whether leaving a skill out would take away what was published, or may have been.
    fn is_missed(&self, skill: &SkillName) -> bool {
        let paths = DigestPaths::skill(skill);
        let is_known = self.skills.get(skill).is_some_and(|slot| slot.standing().is_some());
        !is_known
            && [&paths.digest, &paths.lock].iter().any(|path| exists(self.fs.as_ref(), &self.root.join(path)))
    }

    /// The lessons files of a skill without which the workspace's digest is compiled.
    pub(super) fn aside(&self, skill: &SkillName) -> Vec<Finding> {
        let of_skill = |kind: &SourceKind| kind.name() == "lessons" && kind.skill() == Some(skill);
        let damaged =
            self.held.iter().filter(|(_, held)| held.state == State::Damaged && of_skill(&held.kind));
        let unread = self.unread().map(|(path, _)| path);
        let unread = unread.filter(|path| matches!(self.set.kind(path), Some(Ok(kind)) if of_skill(&kind)));
        let paths: BTreeSet<&str> = damaged.map(|(path, _)| &**path).chain(unread).collect();
        paths
            .into_iter()
            .map(|path| {
                Finding::new(
                    Code::LESSONS_ASIDE,
                    "the lessons of this file are not in the workspace's digest",
                )
                .help("repair the file; the law and the other lessons stay in force")
                .in_file(path)
            })
            .collect()
    }

    /// Whether a source is damaged or unreadable, even where the last good reading stands in.
    pub(crate) fn is_impaired(&self) -> bool {
        let is_told = |held: &Held| held.findings.iter().any(|finding| finding.severity == Severity::Error);
        let mut unsound = self.held.values().filter(|held| held.state != State::Sound);
        let damaged = unsound.any(|held| held.kind != SourceKind::Manifest || is_told(held));
        let unreadable = self
            .disk_findings
            .iter()
            .any(|(path, findings)| findings.iter().any(|finding| self.withholds(path, finding)));
        damaged
            || unreadable
            || !self.workspace_findings.is_empty()
            || self.skills.values().any(|slot| !slot.blocked.is_empty())
    }

    pub(super) fn skill_at(&self, path: &str) -> Option<SkillName> {
        self.set.kind(path)?.ok()?.skill().cloned()
    }
}

/// Whether a source holds nothing, or nothing but its front matter.
fn says_nothing(content: &Content) -> bool {
    let front = |law: &LawReading| {
        law.norms.is_empty()
            && law.omitted.iter().all(|omitted| omitted.reason == OmissionReason::FrontMatter)
    };
    content.source().text().trim().is_empty() || matches!(content, Content::Law(law) if front(law))
}

fn states_rules(content: &Content) -> bool {
    match content {
        Content::Law(law) => !law.norms.is_empty(),
        Content::Schema(schema) => !schema.law.norms.is_empty(),
        Content::Lessons(file) => !file.lessons.is_empty(),
        Content::Manifest(source) => !source.text().trim().is_empty(),
    }
}
