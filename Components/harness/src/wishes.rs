//! What the settings of a harness must say besides, for what is installed to be heard: what each skips without a word.

use mentci_host::{Harness, Want, Wish};
use serde_json::json;

use crate::installation::{Scope, Surroundings, user_folder};

/// Where an administrator's settings of Claude Code stand.
const CLAUDE_MANAGED: [&str; 2] = [
    "/etc/claude-code/managed-settings.json",
    "/Library/Application Support/ClaudeCode/managed-settings.json",
];
/// Where an administrator's settings of Gemini CLI stand, and what they are where nobody else says anything.
const GEMINI_SYSTEM: &str = "/etc/gemini-cli/settings.json";
const GEMINI_DEFAULTS: &str = "/etc/gemini-cli/system-defaults.json";

/// The files of settings that count for a harness, the user's first.
pub(crate) fn beside(harness: Harness, around: &Surroundings) -> Vec<String> {
    let user = user_folder(harness, around).unwrap_or_default();
    match harness {
        Harness::ClaudeCode => {
            let own = [".claude/settings.json", ".claude/settings.local.json"];
            let user = format!("{user}/settings.json");
            let rest = own.iter().chain(&CLAUDE_MANAGED).map(|path| (*path).to_owned());
            std::iter::once(user).chain(rest).collect()
        }
        Harness::Codex => vec![format!("{user}/hooks.json"), ".codex/hooks.json".to_owned()],
        Harness::Gemini => vec![
            format!("{user}/settings.json"),
            ".gemini/settings.json".to_owned(),
            GEMINI_SYSTEM.to_owned(),
        ],
        _ => Vec::new(),
    }
}

/// What must hold for an installation to be heard.
pub(crate) fn wishes(harness: Harness, scope: Scope, around: &Surroundings) -> Vec<Wish> {
    let user = user_folder(harness, around).unwrap_or_default();
    let files = beside(harness, around);
    let everywhere = |keys: &[&str], want: &Want, says: &str| -> Vec<Wish> {
        files.iter().map(|path| odd(path, keys, want.clone(), says)).collect()
    };
    match harness {
        Harness::ClaudeCode => {
            let mut all =
                everywhere(&["disableAllHooks"], &Want::IsNot(json!(true)), "it switches all hooks off");
            let managed = "it lets an administrator's hooks run only";
            let only = Want::IsNot(json!(true));
            all.extend(
                CLAUDE_MANAGED
                    .iter()
                    .map(|path| odd(path, &["allowManagedHooksOnly"], only.clone(), managed)),
            );
            all
        }
        Harness::Codex => codex(&user, scope),
        Harness::Gemini => {
            let mut all = everywhere(
                &["hooksConfig", "enabled"],
                &Want::IsNot(json!(false)),
                "it switches all hooks off",
            );
            all.extend(everywhere(
                &["hooksConfig", "disabled"],
                &Want::HoldsNot(json!("mentci")),
                "it switches the hook `mentci` off",
            ));
            if scope == Scope::Project {
                all.extend(gemini_trust(&user));
            }
            all
        }
        Harness::Openclaw => openclaw(&user),
        Harness::Pi if scope == Scope::Project => pi(&user),
        _ => Vec::new(),
    }
}

fn codex(user: &str, scope: Scope) -> Vec<Wish> {
    let path = format!("{user}/config.toml");
    let hooks = match scope {
        Scope::Project => "{root}/.codex/hooks.json:".to_owned(),
        Scope::User => format!("{user}/hooks.json:"),
    };
    let mut all = vec![
        odd(&path, &["features", "hooks"], Want::IsNot(json!(false)), "it switches all hooks off"),
        odd(
            &path,
            &["hooks", "state"],
            Want::Begins(hooks),
            "Codex skips hooks that were not reviewed: open it here, type `/hooks` and trust them",
        ),
    ];
    if scope == Scope::Project {
        let untrusted = Want::IsNot(json!("untrusted"));
        let says = "the project is not trusted, and Codex skips its hooks";
        all.push(odd(&path, &["projects", "{root}", "trust_level"], untrusted, says));
    }
    all
}

/// Folders must be trusted unless that is switched off, and nobody is asked where there is no terminal. A workspace's own
/// settings cannot switch it off; the administrator's overrule the user's.
fn gemini_trust(user: &str) -> Vec<Wish> {
    const SWITCH: &[&str] = &["security", "folderTrust", "enabled"];
    let path = format!("{user}/trustedFolders.json");
    let denied = "the folder is not trusted, and Gemini CLI skips its hooks";
    let unasked = "Gemini CLI skips the hooks of a folder that is not trusted: open it here and trust it, or set \
                   `security.folderTrust.enabled` to false there";
    let trusted = ["TRUST_FOLDER", "TRUST_PARENT"].map(|level| json!(level)).to_vec();
    let named = odd("$GEMINI_CLI_TRUST_WORKSPACE", &[], Want::Is(json!("true")), "");
    let off = |path: &str| odd(path, SWITCH, Want::Is(json!(false)), "");
    let by_user =
        vec![named.clone(), off(&format!("{user}/settings.json")), off(GEMINI_SYSTEM), off(GEMINI_DEFAULTS)];
    let on_not = |path: &str| odd(path, SWITCH, Want::IsNot(json!(true)), "");
    let over_user = vec![named.clone(), on_not(GEMINI_SYSTEM)];
    let over_defaults = vec![named, off(GEMINI_SYSTEM), on_not(&format!("{user}/settings.json"))];
    let mut all = vec![
        odd("$GEMINI_CLI_TRUST_WORKSPACE", &[], Want::IsNot(json!("false")), denied),
        odd("$GEMINI_RESTRICTED_MODE", &[], Want::IsNot(json!("true")), denied),
    ];
    for unless in [by_user, over_user, over_defaults] {
        let not_denied = odd(&path, &[], Want::NearestNot(vec![json!("DO_NOT_TRUST")]), denied);
        let asked = odd(&path, &[], Want::Nearest(trusted.clone()), unasked);
        all.extend([not_denied, asked].map(|wish| Wish { unless: unless.clone(), ..wish }));
    }
    all
}

fn openclaw(user: &str) -> Vec<Wish> {
    let path = format!("{user}/openclaw.json");
    let entry = ["plugins", "entries", "mentci"];
    let below = |rest: &[&'static str]| [entry.as_slice(), rest].concat();
    vec![
        odd(&path, &["plugins", "enabled"], Want::IsNot(json!(false)), "it switches all plugins off"),
        odd(&path, &["plugins", "deny"], Want::HoldsNot(json!("mentci")), "it denies the plugin"),
        odd(
            &path,
            &["plugins", "allow"],
            Want::Holds(json!("mentci")),
            "OpenClaw loads the plugin once `plugins.allow` holds `mentci`",
        ),
        odd(
            &path,
            &below(&["enabled"]),
            Want::Is(json!(true)),
            "OpenClaw loads the plugin once `plugins.entries.mentci.enabled` is true",
        ),
        odd(
            &path,
            &below(&["hooks", "allowConversationAccess"]),
            Want::Is(json!(true)),
            "without `plugins.entries.mentci.hooks.allowConversationAccess` no prompt is heard",
        ),
    ]
}

fn pi(user: &str) -> Vec<Wish> {
    let settings = format!("{user}/settings.json");
    let trust = format!("{user}/trust.json");
    let never = "pi trusts no project, and skips its extensions";
    let denied = "the project is not trusted, and pi skips its extensions";
    let unasked = "pi skips a project's extensions until the project is trusted, in print, json and rpc mode without a word: \
                   open pi here and trust it, or give `--approve`";
    let trusted = odd(&trust, &[], Want::Nearest(vec![json!(true)]), unasked);
    let always = odd(&settings, &["defaultProjectTrust"], Want::Is(json!("always")), never);
    vec![
        odd(&trust, &[], Want::NearestNot(vec![json!(false)]), denied),
        Wish {
            unless: vec![trusted.clone()],
            ..odd(&settings, &["defaultProjectTrust"], Want::IsNot(json!("never")), never)
        },
        Wish { unless: vec![always], asked: true, ..trusted },
    ]
}

fn odd(path: &str, keys: &[&str], want: Want, says: &str) -> Wish {
    let keys = keys.iter().map(|key| (*key).to_owned()).collect();
    Wish { path: path.to_owned(), keys, want, says: says.to_owned(), asked: false, unless: Vec::new() }
}
