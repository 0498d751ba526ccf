//! What is installed for each harness, and where.

use mentci_host::{Harness, Installation, InstalledFile, InstalledHook};

use crate::wishes::{beside, wishes};
use crate::{openclaw, opencode, pi};

/// Where an installation holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// In one workspace.
    Project,
    /// In every workspace of the user.
    User,
}

/// What is known of the surroundings: the program to be run, and the user's folders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Surroundings {
    /// `policy-engine` where that is on the path, else its absolute path.
    pub program: String,
    /// The user's folder, absolute.
    pub home: String,
    /// `CLAUDE_CONFIG_DIR`, `CODEX_HOME`, `GEMINI_CLI_HOME` or `XDG_CONFIG_HOME`, where they are set: by name.
    pub folders: Vec<(String, String)>,
}

/// What belongs to a harness; none for [`Harness::Any`].
///
/// ```
/// use mentci_harness::{Scope, Surroundings, installation};
/// use mentci_host::Harness;
/// let around = Surroundings { program: "policy-engine".into(), home: "/me".into(), folders: vec![] };
/// let user = installation(Harness::ClaudeCode, Scope::User, &around).unwrap();
/// assert_eq!((user.base.as_deref(), user.files[0].path()), (Some("/me/.claude"), "settings.json"));
/// ```
pub fn installation(harness: Harness, scope: Scope, around: &Surroundings) -> Option<Installation> {
    let (own, _) = folder(harness)?;
    let user = user_folder(harness, around)?;
    let below = |path: &str| match scope {
        Scope::Project => format!("{own}/{path}"),
        Scope::User => path.to_owned(),
    };
    let base = (scope == Scope::User).then_some(user);
    Some(Installation {
        harness,
        base,
        files: files(harness, scope, around, &below),
        notes: notes(harness, scope),
        program: around.program.clone(),
        wishes: wishes(harness, scope, around),
        beside: beside(harness, around),
        gate: match harness {
            Harness::ClaudeCode | Harness::Codex => Some("PreToolUse".to_owned()),
            Harness::Gemini => Some("BeforeTool".to_owned()),
            _ => None,
        },
    })
}

/// The folder of a harness's settings for the user.
pub(crate) fn user_folder(harness: Harness, around: &Surroundings) -> Option<String> {
    let (own, variable) = folder(harness)?;
    let home = around.folders.iter().find(|(name, _)| name == variable).map(|(_, folder)| folder.as_str());
    Some(match harness {
        Harness::Opencode => home
            .map_or_else(|| format!("{}/.config/opencode", around.home), |home| format!("{home}/opencode")),
        Harness::Gemini => format!("{}/{own}", home.unwrap_or(&around.home)),
        Harness::Pi => format!("{}/.pi/agent", around.home),
        Harness::Cline => format!("{}/Documents/Cline", around.home),
        _ => home.map_or_else(|| format!("{}/{own}", around.home), str::to_owned),
    })
}

/// The folder of a harness in a workspace, and the variable that names the user's.
fn folder(harness: Harness) -> Option<(&'static str, &'static str)> {
    Some(match harness {
        Harness::Pi => (".pi", ""),
        Harness::ClaudeCode => (".claude", "CLAUDE_CONFIG_DIR"),
        Harness::Codex => (".codex", "CODEX_HOME"),
        Harness::Gemini => (".gemini", "GEMINI_CLI_HOME"),
        Harness::Opencode => (".opencode", "XDG_CONFIG_HOME"),
        Harness::Openclaw => (".openclaw", ""),
        Harness::Cline => (".clinerules", ""),
        Harness::Any => return None,
    })
}

fn files(
    harness: Harness,
    scope: Scope,
    around: &Surroundings,
    below: &dyn Fn(&str) -> String,
) -> Vec<InstalledFile> {
    let own = |path: &str, text: &str, mark: &str| InstalledFile::Own {
        path: below(path),
        text: text.to_owned(),
        mark: mark.to_owned(),
        executable: false,
    };
    match harness {
        Harness::ClaudeCode => {
            vec![hooks(&below("settings.json"), "claude", around, CLAUDE_CODE, ("*", 10, None))]
        }
        Harness::Codex => vec![hooks(&below("hooks.json"), "codex", around, CODEX, (".*", 10, None))],
        Harness::Gemini => {
            vec![hooks(&below("settings.json"), "gemini", around, GEMINI, (".*", 10_000, Some("mentci")))]
        }
        Harness::Cline => CLINE.iter().map(|event| script(event, scope, around, below)).collect(),
        Harness::Opencode => vec![own("plugin/mentci.ts", &plugin(opencode::PLUGIN, around), PLUGIN_MARK)],
        Harness::Openclaw => openclaw::PLUGIN
            .iter()
            .map(|(name, text)| own(&format!("extensions/mentci/{name}"), &plugin(text, around), "mentci"))
            .collect(),
        Harness::Pi => vec![own("extensions/mentci-workspace.ts", pi::EXTENSION, PLUGIN_MARK)],
        Harness::Any => Vec::new(),
    }
}

/// A plugin's text, with the program where that is not on the path.
fn plugin(text: &str, around: &Surroundings) -> String {
    let program =
        around.program.trim_matches('\'').replace("'\\''", "'").replace('\\', "\\\\").replace('"', "\\\"");
    text.replace("?? \"policy-engine\"", &format!("?? \"{program}\""))
}

/// What every version of our plugins says of itself.
const PLUGIN_MARK: &str = "Mentci's door into";

/// Events that are answered, and whether they are about tools.
type Events = &'static [(&'static str, bool)];

const CLAUDE_CODE: Events = &[
    ("SessionStart", false),
    ("UserPromptSubmit", false),
    ("PreToolUse", true),
    ("PostToolUse", true),
    ("PostToolUseFailure", true),
    ("PreCompact", false),
    ("Stop", false),
    ("SessionEnd", false),
];

const CODEX: Events = &[
    ("SessionStart", false),
    ("UserPromptSubmit", false),
    ("PreToolUse", true),
    ("PostToolUse", true),
    ("PreCompact", false),
    ("Stop", false),
    ("SessionEnd", false),
];

const GEMINI: Events = &[
    ("SessionStart", false),
    ("BeforeAgent", false),
    ("BeforeModel", false),
    ("BeforeTool", true),
    ("AfterTool", true),
    ("AfterAgent", false),
    ("SessionEnd", false),
];

const CLINE: &[&str] = &[
    "TaskStart",
    "TaskResume",
    "TaskCancel",
    "TaskComplete",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PreCompact",
    "SessionShutdown",
];

fn hooks(
    path: &str,
    name: &str,
    around: &Surroundings,
    events: Events,
    (matcher, timeout, named): (&str, u64, Option<&str>),
) -> InstalledFile {
    let hook = |(event, of_tools): &(&str, bool)| InstalledHook {
        event: (*event).to_owned(),
        matcher: of_tools.then(|| matcher.to_owned()),
        command: command(around, name, event),
        timeout,
        name: named.map(str::to_owned),
    };
    InstalledFile::Hooks {
        path: path.to_owned(),
        mark: format!("policy-engine hook {name} "),
        hooks: events.iter().map(hook).collect(),
    }
}

/// `policy-engine hook claude PreToolUse`
fn command(around: &Surroundings, name: &str, event: &str) -> String {
    format!("{} hook {name} {event}", around.program)
}

fn script(event: &str, scope: Scope, around: &Surroundings, below: &dyn Fn(&str) -> String) -> InstalledFile {
    let folder = if scope == Scope::Project { "hooks" } else { "Hooks" };
    let text = format!(
        "#!/bin/sh\n# Written by `policy-engine install cline`.\nexec {}\n",
        command(around, "cline", event)
    );
    let mark = "Written by `policy-engine install cline`".to_owned();
    InstalledFile::Own { path: below(&format!("{folder}/{event}")), text, mark, executable: true }
}

fn notes(harness: Harness, scope: Scope) -> Vec<String> {
    let notes: &[&str] = match (harness, scope) {
        (Harness::Codex, _) => &[
            "Codex skips hooks that were not reviewed, without a word: open Codex here, type `/hooks` and trust them",
        ],
        (Harness::Gemini, Scope::Project) => &["Gemini CLI runs a project's hooks in a trusted folder only"],
        (Harness::Openclaw, _) => &[
            "OpenClaw loads the plugin once it is allowed: add `mentci` to `plugins.allow`, and to `plugins.entries` with `enabled` and `hooks.allowConversationAccess`",
        ],
        (Harness::Pi, Scope::Project) => &[
            "pi skips a project's extensions in print, json and rpc mode unless the project is trusted or `--approve` is given",
        ],
        (Harness::Cline, _) => &["a denial ends Cline's whole run: it has no milder one"],
        _ => &[],
    };
    notes.iter().map(|note| (*note).to_owned()).collect()
}
