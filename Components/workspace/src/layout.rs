//! What lives where in a workspace: the one place that spells these paths.

use mentci_authority::SkillName;

/// The workspace's configuration.
pub(crate) const CONFIG: &str = "mentci.toml";
/// The folder of the skills' runtime and digest files.
pub(crate) const SKILLS: &str = ".pi/skills";

/// The three files of one digest, in the order in which they are published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DigestPaths {
    /// `absolute_rules.lock`.
    pub(crate) lock: String,
    /// `absolute_rules.map.json`.
    pub(crate) map: String,
    /// `absolute_rules.md`: the commit point.
    pub(crate) digest: String,
}

impl DigestPaths {
    /// The workspace's: `.pi/absolute_rules.*`.
    pub(crate) fn workspace() -> Self {
        Self::below(".pi")
    }

    /// One skill's: `.pi/skills/<skill>/absolute_rules.*`, wherever its law stands.
    pub(crate) fn skill(skill: &SkillName) -> Self {
        Self::below(&skill_folder(skill))
    }

    fn below(folder: &str) -> Self {
        Self {
            lock: format!("{folder}/absolute_rules.lock"),
            map: format!("{folder}/absolute_rules.map.json"),
            digest: format!("{folder}/absolute_rules.md"),
        }
    }
}

/// The files of lessons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum LessonPlace {
    /// `runtime.edn`: learned.
    Runtime,
    /// `promoted.edn`: folded into the digest, still a source of it.
    Promoted,
    /// `archive.edn`: retired; never compiled.
    Archive,
}

impl LessonPlace {
    pub(crate) const ALL: [Self; 3] = [Self::Runtime, Self::Promoted, Self::Archive];

    pub(crate) fn file(self) -> &'static str {
        match self {
            Self::Runtime => "runtime.edn",
            Self::Promoted => "promoted.edn",
            Self::Archive => "archive.edn",
        }
    }

    pub(crate) fn path(self, skill: &SkillName) -> String {
        format!("{}/{}", skill_folder(skill), self.file())
    }
}

/// `.pi/skills/<skill>`.
pub(crate) fn skill_folder(skill: &SkillName) -> String {
    format!("{SKILLS}/{skill}")
}
