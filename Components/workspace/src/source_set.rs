//! Which files are sources, and of what kind.

use mentci_authority::SkillName;
use mentci_compiler::LawKind;
use mentci_disk::SourcePattern;
use mentci_source::{Code, Finding};

use crate::config::{Config, LayerName};
use crate::layout::LessonPlace;

/// What a source is read as.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SourceKind {
    Law(LawKind),
    Schema,
    Manifest,
    Lessons(SkillName, LessonPlace),
}

impl SourceKind {
    /// The skill that it belongs to.
    pub(crate) fn skill(&self) -> Option<&SkillName> {
        match self {
            Self::Law(LawKind::Skill(skill)) | Self::Lessons(skill, _) => Some(skill),
            _ => None,
        }
    }

    /// The name in answers.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Law(_) => "law",
            Self::Schema => "schema",
            Self::Manifest => "manifest",
            Self::Lessons(..) => "lessons",
        }
    }
}

/// Where sources may stand, kind by kind.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct SourceSet {
    skills: Vec<SourcePattern>,
    lessons: Vec<SourcePattern>,
    law: Vec<SourcePattern>,
    schemas: Vec<SourcePattern>,
    manifests: Vec<SourcePattern>,
    /// Members that the root manifest excludes.
    excluded: Vec<SourcePattern>,
}

/// The patterns of the configuration that are none.
pub(crate) fn wrong_patterns(config: &Config) -> Vec<Finding> {
    SourceSet::new(config, &[], &[]).1
}

/// The patterns of the workspace's own configuration that none of `paths` matches. What a user's file asks of every workspace may
/// well stand in few of them.
pub(crate) fn empty_patterns<'p>(
    config: &Config,
    paths: &(impl Iterator<Item = &'p str> + Clone),
) -> Vec<Finding> {
    const KEYS: &[&str] = &["sources.skills", "sources.law", "sources.schemas", "sources.manifests"];
    let own = |key: &&str| config.get(key).is_some_and(|value| value.layer == LayerName::Workspace);
    let empty = |glob: &&String| {
        glob.parse::<SourcePattern>().is_ok_and(|pattern| !paths.clone().any(|path| pattern.matches(path)))
    };
    let finding = |key: &str, glob: &String| {
        let message = format!("`{key}` names `{glob}`, where no file stands");
        config.mark(
            key,
            Finding::new(Code::EMPTY_PATTERN, message).help("correct it, unless the file is still to come"),
        )
    };
    let keys = KEYS.iter().filter(|key| own(key));
    keys.flat_map(|key| config.globs(key).iter().filter(empty).map(|glob| finding(key, glob))).collect()
}

impl SourceSet {
    /// The default places, those that the configuration adds, and the manifests of the workspace's members.
    pub(crate) fn new(config: &Config, members: &[String], excluded: &[String]) -> (Self, Vec<Finding>) {
        let mut findings = Vec::new();
        let mut parse = |defaults: &[&str], key: &str| {
            let mut patterns = parse_all(defaults.iter().copied(), &mut Vec::new());
            let mut odd = Vec::new();
            patterns.extend(parse_all(config.globs(key).iter().map(String::as_str), &mut odd));
            findings.extend(odd.into_iter().map(|finding| config.mark(key, finding)));
            patterns
        };
        let mut set = Self {
            skills: parse(&[".pi/skills/*/SKILL.md"], "sources.skills"),
            lessons: parse(&[".pi/skills/*/{runtime,promoted}.edn"], ""),
            law: parse(&[], "sources.law"),
            schemas: parse(&["Components/**/*.capnp"], "sources.schemas"),
            manifests: parse(&["Cargo.toml"], "sources.manifests"),
            excluded: Vec::new(),
        };
        let manifest =
            |folder: &String| format!("{}/Cargo.toml", folder.trim_start_matches("./").trim_end_matches('/'));
        let members: Vec<String> = members.iter().map(manifest).collect();
        let excluded: Vec<String> = excluded.iter().map(manifest).collect();
        // A member outside the workspace is no source of it; the manifest's own findings say what is odd.
        set.manifests.extend(parse_all(members.iter().map(String::as_str), &mut Vec::new()));
        set.excluded = parse_all(excluded.iter().map(String::as_str), &mut Vec::new());
        (set, findings)
    }

    /// Every pattern, for walking and watching.
    pub(crate) fn patterns(&self) -> Vec<SourcePattern> {
        let all = [&self.skills, &self.lessons, &self.law, &self.schemas, &self.manifests];
        all.into_iter().flatten().cloned().collect()
    }

    /// The patterns under which a skill may stand.
    pub(crate) fn skill_patterns(&self) -> Vec<SourcePattern> {
        self.skills.iter().chain(&self.lessons).cloned().collect()
    }

    /// The patterns under which a skill or law may stand; schemas hold law, too.
    pub(crate) fn law_patterns(&self) -> Vec<SourcePattern> {
        self.skills.iter().chain(&self.lessons).chain(&self.law).chain(&self.schemas).cloned().collect()
    }

    /// What a file is read as; `None` when it is no source. A skill's folder whose name is none is a finding.
    pub(crate) fn kind(&self, path: &str) -> Option<Result<SourceKind, Finding>> {
        let any = |patterns: &[SourcePattern]| patterns.iter().any(|pattern| pattern.matches(path));
        if any(&self.lessons) {
            let place =
                if path.ends_with("promoted.edn") { LessonPlace::Promoted } else { LessonPlace::Runtime };
            return Some(skill_of(path).map(|skill| SourceKind::Lessons(skill, place)));
        }
        if any(&self.skills) {
            return Some(skill_of(path).map(|skill| SourceKind::Law(LawKind::Skill(skill))));
        }
        if any(&self.law) {
            return Some(Ok(SourceKind::Law(LawKind::Workspace)));
        }
        if any(&self.schemas) {
            return Some(Ok(SourceKind::Schema));
        }
        (any(&self.manifests) && !any(&self.excluded)).then_some(Ok(SourceKind::Manifest))
    }
}

/// The skill of a file: its folder's name.
fn skill_of(path: &str) -> Result<SkillName, Finding> {
    let folder = path.rsplit('/').nth(1).unwrap_or_default();
    SkillName::parse(folder).map_err(|error| {
        Finding::new(Code::SKILL_NAME, error.to_string())
            .help("rename the folder; until then the skill is passed over")
            .in_file(path)
    })
}

fn parse_all<'a>(
    globs: impl IntoIterator<Item = &'a str>,
    findings: &mut Vec<Finding>,
) -> Vec<SourcePattern> {
    let mut patterns = Vec::new();
    for glob in globs {
        match glob.parse() {
            Ok(pattern) => patterns.push(pattern),
            Err(error) => findings.push(Finding::new(Code::CONFIG_VALUE, format!("{error}"))),
        }
    }
    patterns
}
