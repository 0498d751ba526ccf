//! What lies around: the environment and the working directory enter here and nowhere else.
#![expect(clippy::disallowed_methods, reason = "this is the edge where the environment enters")]

use std::path::{Path, PathBuf};

use mentci_daemon::Scope;
use mentci_disk::{RealFs, find_root};
use mentci_host::Harness;
use mentci_telemetry::{Collector, TelemetryError};
use mentci_workspace::Surroundings;

use crate::arguments::Common;

/// What a workspace's folder holds.
const ROOT_MARKS: &[&str] = &["mentci.toml", ".pi", ".git"];

const MANAGED: &str = "/etc/mentci/managed.toml";

/// The configuration's outer layers, by the rules of the XDG base directories.
pub(crate) fn surroundings(common: &Common) -> Surroundings {
    let user = directory("XDG_CONFIG_HOME", ".config").map(|home| home.join("mentci/config.toml"));
    let variables = std::env::vars_os().filter_map(|(name, value)| {
        let is_ours = |name: &String| name.starts_with("MENTCI_") || name == "OTEL_EXPORTER_OTLP_ENDPOINT";
        let name = name.into_string().ok().filter(is_ours)?;
        Some((name, value.to_string_lossy().into_owned()))
    });
    let mut environment: Vec<(String, String)> = variables.collect();
    environment.sort();
    Surroundings {
        user_config: user,
        managed_config: Some(PathBuf::from(MANAGED)),
        state: directory("XDG_STATE_HOME", ".local/state").map(|home| home.join("mentci")),
        environment,
        user: user_name(),
        flags: common.settings.clone(),
        rules: Vec::new(),
        variable: Some(|name| std::env::var(name).ok()),
    }
}

/// The name under which the system knows the user: as the environment says, else as the system does. An account without a name
/// is its number.
fn user_name() -> Option<String> {
    let is_name = |name: &String| !name.is_empty() && !name.contains(char::is_control);
    let said = ["USER", "LOGNAME", "USERNAME"].into_iter().filter_map(std::env::var_os);
    said.filter_map(|name| name.into_string().ok()).find(is_name).or_else(account).filter(is_name)
}

#[cfg(unix)]
fn account() -> Option<String> {
    let uid = uzers::get_effective_uid();
    let name = uzers::get_user_by_uid(uid).and_then(|user| user.name().to_str().map(str::to_owned));
    name.or_else(|| Some(uid.to_string()))
}

#[cfg(not(unix))]
fn account() -> Option<String> {
    None
}

/// The workspace's folder: the one that is named, else the nearest that looks like one, else this one.
///
/// # Errors
/// When the folder does not exist.
pub(crate) fn root(common: &Common) -> Result<PathBuf, String> {
    let here = std::env::current_dir().map_err(|error| format!("there is no working directory: {error}"))?;
    let Some(named) = common.root.clone().or_else(|| std::env::var_os("MENTCI_ROOT").map(PathBuf::from))
    else {
        return Ok(find_root(&RealFs, &here, ROOT_MARKS).unwrap_or(here));
    };
    let root = here.join(&named);
    if is_folder(&root) { Ok(root) } else { Err(format!("`{}` is not a folder", named.display())) }
}

/// The arguments of this process.
pub(crate) fn typed() -> Vec<String> {
    std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect()
}

/// What an installation must know: the program as it is found from anywhere, and the user's folders.
pub(crate) fn harness_surroundings() -> mentci_harness::Surroundings {
    let home = std::env::var_os("HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let set =
        |name: &str| Some((name.to_owned(), std::env::var(name).ok().filter(|path| path.starts_with('/'))?));
    mentci_harness::Surroundings {
        program: program(),
        home: home.unwrap_or_else(|| PathBuf::from("/")).to_string_lossy().into_owned(),
        folders: ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "XDG_CONFIG_HOME"]
            .into_iter()
            .filter_map(set)
            .collect(),
    }
}

/// `policy-engine` where the path leads to this very program under that name; else where it stands, quoted for a shell.
fn program() -> String {
    let name = "policy-engine";
    let Ok(own) = std::env::current_exe() else { return name.to_owned() };
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| is_file(path));
    let same = found.is_some_and(|found| {
        use mentci_disk::Fs;
        RealFs.canonicalize(&found).ok() == RealFs.canonicalize(&own).ok()
    });
    let own = own.to_string_lossy();
    let plain = own.chars().all(|c| c.is_ascii_alphanumeric() || "/._-+".contains(c));
    match (same, plain) {
        (true, _) => name.to_owned(),
        (false, true) => own.into_owned(),
        (false, false) => format!("'{}'", own.replace('\'', "'\\''")),
    }
}

/// As [`program`] names it, for where no shell reads it.
pub(crate) fn own_command() -> String {
    let named = program();
    let quoted = named.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
    quoted.map_or(named.clone(), |path| path.replace("'\\''", "'"))
}

/// Where what the daemon does is told, by the standard variables of OpenTelemetry.
///
/// # Errors
/// Why it cannot be told there.
pub(crate) fn collector(endpoint: Option<&str>) -> Result<Option<Collector>, TelemetryError> {
    Collector::read(endpoint, |name| std::env::var(name).ok())
}

/// The headers for a server behind the gateway, a line each.
pub(crate) fn gateway_headers() -> String {
    std::env::var("MCP_GATEWAY_HEADERS").unwrap_or_default()
}

fn is_file(path: &Path) -> bool {
    use mentci_disk::{Fs, Kind};
    RealFs.stat(path).is_ok_and(|stat| stat.kind == Kind::File)
}

/// The workspace of a harness's session: that of the folder in which the session began, wherever its agent went since.
///
/// # Errors
/// When the folder that was named does not exist.
pub(crate) fn session_root(common: &Common, harness: Harness) -> Result<PathBuf, String> {
    let variable = match harness {
        Harness::ClaudeCode => "CLAUDE_PROJECT_DIR",
        Harness::Gemini => "GEMINI_PROJECT_DIR",
        _ => return root(common),
    };
    let is_named = common.root.is_some() || std::env::var_os("MENTCI_ROOT").is_some();
    match std::env::var_os(variable).map(PathBuf::from).filter(|path| !is_named && path.is_absolute()) {
        Some(began) => Ok(find_root(&RealFs, &began, ROOT_MARKS).unwrap_or(began)),
        None => root(common),
    }
}

/// Whether `--json` was typed, where the rest could not be understood.
pub(crate) fn asks_json() -> bool {
    std::env::args_os().skip(1).take_while(|argument| argument != "--").any(|argument| argument == "--json")
}

/// A path as the user typed it, made absolute.
pub(crate) fn absolute(path: &Path) -> PathBuf {
    std::env::current_dir().map_or_else(|_| path.to_owned(), |here| here.join(path))
}

fn is_folder(path: &Path) -> bool {
    use mentci_disk::{Fs, Kind};
    RealFs.stat(path).is_ok_and(|stat| stat.kind == Kind::Dir)
}

/// An XDG directory: only an absolute path counts.
fn directory(variable: &str, below_home: &str) -> Option<PathBuf> {
    let set = std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    set.or_else(|| {
        let home = std::env::var_os("HOME").map(PathBuf::from).filter(|path| path.is_absolute())?;
        Some(home.join(below_home))
    })
}

/// The tokens by which PolicyShield's server knows its clients and its admins.
pub(crate) fn policyshield_tokens() -> Vec<(String, Scope)> {
    let named = [("POLICYSHIELD_API_TOKEN", Scope::Agent), ("POLICYSHIELD_ADMIN_TOKEN", Scope::Admin)];
    let told = named.into_iter().filter_map(|(name, scope)| Some((std::env::var(name).ok()?, scope)));
    told.filter(|(secret, _)| !secret.is_empty()).collect()
}
