//! Variables whose value runs.

/// Variables whose value is a text for a shell: it runs at the next prompt, or by the program that looks at it.
const VARIABLES: &[&str] = &[
    "PROMPT_COMMAND",
    "PAGER",
    "GIT_PAGER",
    "MANPAGER",
    "SYSTEMD_PAGER",
    "EDITOR",
    "VISUAL",
    "FCEDIT",
    "GIT_EDITOR",
    "GIT_SEQUENCE_EDITOR",
    "GIT_SSH_COMMAND",
    "GIT_SSH",
    "GIT_EXTERNAL_DIFF",
    "GIT_ASKPASS",
    "SSH_ASKPASS",
    "GIT_PROXY_COMMAND",
    "LESSOPEN",
    "LESSCLOSE",
    "BROWSER",
    "RSYNC_RSH",
    "CVS_RSH",
    "PSQL_EDITOR",
];

/// Variables that are printed as a prompt: what stands in substitutions runs.
const PROMPTS: &[&str] = &["PS0", "PS1", "PS2", "PS4", "PROMPT", "RPROMPT"];

/// Variables that name a file which every shell reads that is started below.
const SOURCED: &[&str] = &["BASH_ENV", "ENV"];

/// What setting a variable has run.
pub(crate) fn run_by(name: &str, value: &str) -> Option<String> {
    if let Some(body) = value.strip_prefix("()").filter(|body| body.trim_start().starts_with('{')) {
        // A function that is handed on to shells.
        return Some(body.trim_start().to_owned());
    }
    let is_path = value.starts_with(['/', '.', '~', '$', '`']);
    if SOURCED.contains(&name) && is_path {
        return Some(format!(". \"{}\"", value.replace('"', "\\\"")));
    }
    if VARIABLES.contains(&name) || name.starts_with("GIT_CONFIG_VALUE_") {
        return Some(value.trim_start_matches(['!', '|', '-', ' ']).to_owned());
    }
    let expands = PROMPTS.contains(&name) && value.contains(['$', '`']);
    expands.then(|| format!(": \"{}\"", value.replace('"', "\\\"")))
}
