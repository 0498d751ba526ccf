//! What the user agreed to: trusted configurations and accepted lessons. It lives in the user's state directory, never
//! in the workspace: what a file says about its own standing is a claim.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use mentci_authority::{Lesson, LessonId, SkillName};
use mentci_disk::{Edit, EditError, Fs, Sidecar, WriteOptions, edit_locked, read_optional};
use mentci_source::{Code, Finding, Hash, Reading};
use serde::{Deserialize, Serialize};

/// The format number of `consent.json`. 2 holds the trusted rules as well, 3 each file of them; 1 and 2 are read.
const FORMAT: u32 = 3;
const FILE: &str = "consent.json";

/// What the user agreed to in one workspace.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Consent {
    /// The content of `mentci.toml` that is trusted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub config: Option<Hash>,
    /// The content of all the workspace's rules together that is trusted, as format 2 has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policy: Option<Hash>,
    /// The files of the workspace's rules and plugins that are trusted, by path, each with its content.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, Hash>,
    /// The lessons that a person accepted, with the hash of what they say.
    #[serde(default)]
    pub accepted: BTreeMap<LessonId, Hash>,
}

impl Consent {
    /// The hash that an acceptance is bound to: what the lesson says, and in which skill.
    pub fn hash_of(skill: &SkillName, lesson: &Lesson) -> Hash {
        let parts = [skill.as_str(), &lesson.condition, &lesson.resolution];
        Hash::of("mentci acceptance 1", parts.map(str::as_bytes))
    }

    /// Names what of policy is trusted; none where nothing is.
    pub(crate) fn policy_hash(&self) -> Option<Hash> {
        let all = self.policy.iter().map(|hash| hash.as_bytes().as_slice());
        let files = self.files.iter().flat_map(|(path, hash)| [path.as_bytes(), hash.as_bytes()]);
        let is_some = self.policy.is_some() || !self.files.is_empty();
        is_some.then(|| Hash::of("mentci trusted policy 1", all.chain(files)))
    }

    /// Whether a person accepted this content.
    pub fn accepts(&self, skill: &SkillName, lesson: &Lesson) -> bool {
        self.accepted.get(&lesson.id) == Some(&Self::hash_of(skill, lesson))
    }
}

/// The user's `consent.json`, which holds the consent to every workspace by its path.
#[derive(Debug, Clone)]
pub struct ConsentFile {
    directory: Option<PathBuf>,
    workspace: String,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    format: u32,
    #[serde(default)]
    workspaces: BTreeMap<String, Consent>,
}

impl ConsentFile {
    /// The consent to the workspace at `root`, kept in `directory`. Without a directory nothing is ever trusted.
    pub fn new(directory: Option<PathBuf>, root: &Path) -> Self {
        Self { directory, workspace: root.to_string_lossy().into_owned() }
    }

    /// What the user agreed to. A file that cannot be read is a finding, and nothing is trusted.
    pub fn load(&self, fs: &dyn Fs) -> Reading<Consent> {
        let Some(directory) = &self.directory else { return Reading::clean(Consent::default()) };
        let path = directory.join(FILE);
        let stored = match read_optional(fs, &path) {
            Ok(bytes) => parse(bytes.as_deref()),
            Err(error) => Err(error.finding(Code::UNREADABLE)),
        };
        match stored {
            Ok(mut stored) => Reading::clean(stored.workspaces.remove(&self.workspace).unwrap_or_default()),
            Err(finding) => {
                let finding =
                    finding.help("until it can be read, nothing is trusted").in_file(&path.to_string_lossy());
                Reading { value: Consent::default(), findings: vec![finding] }
            }
        }
    }

    /// Changes what the user agreed to. Safe across processes; the file is for the user's eyes only.
    ///
    /// # Errors
    /// When there is no state directory, or the file is damaged or cannot be written.
    pub fn edit(&self, fs: &dyn Fs, change: impl FnOnce(&mut Consent)) -> Result<(), Finding> {
        let Some(directory) = &self.directory else {
            return Err(no_state());
        };
        let sidecar = Sidecar::at(directory, "consent.lock");
        let edited = edit_locked(fs, &sidecar, FILE, WriteOptions::PRIVATE, |bytes| {
            let mut stored = parse(bytes)?;
            change(stored.workspaces.entry(self.workspace.clone()).or_default());
            stored.format = FORMAT;
            serde_json::to_vec_pretty(&stored)
                .map(Edit::Replace)
                .map_err(|error| Finding::new(Code::UNREADABLE, error.to_string()))
        });
        match edited {
            Ok(_) => Ok(()),
            Err(EditError::Refused(finding)) => Err(finding),
            Err(EditError::Disk(error)) => Err(error.finding(Code::NOT_PUBLISHED)),
        }
    }
}

/// What a person says must be kept where no repository can have written it.
pub(crate) fn no_state() -> Finding {
    Finding::new(Code::UNREADABLE, "there is no place for the user's state")
        .help("set `XDG_STATE_HOME` or `HOME`")
}

fn parse(bytes: Option<&[u8]>) -> Result<Stored, Finding> {
    let Some(bytes) = bytes else { return Ok(Stored { format: FORMAT, ..Stored::default() }) };
    let stored: Stored = serde_json::from_slice(bytes).map_err(|error| {
        Finding::new(Code::UNREADABLE, format!("the record of trust is damaged: {error}"))
    })?;
    if stored.format > FORMAT {
        return Err(Finding::new(Code::FORMAT_NEWER, "the record of trust was written by a newer version"));
    }
    Ok(stored)
}
