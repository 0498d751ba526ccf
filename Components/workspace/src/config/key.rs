//! The keys, once: what each takes, what it is by default, and who may change it.

use mentci_source::did_you_mean;

use super::Setting;

/// What a key takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// A whole number within bounds, both included.
    Number(u64, u64),
    /// A share from 0 to this.
    Share(f64),
    /// One of these names, the strictest first.
    Choice(&'static [&'static str]),
    /// A list of source patterns.
    Globs,
}

/// Which way a value is stricter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stricter {
    /// Smaller numbers and earlier names bind more.
    Smaller,
    /// Larger numbers bind more.
    Larger,
    /// Neither way: a managed layer sets the value.
    Neither,
}

/// One key of the configuration.
#[derive(Debug)]
pub struct Key {
    /// `digest.tokens`.
    pub name: &'static str,
    /// What it takes.
    pub kind: Kind,
    /// Which way it is stricter: what a managed layer caps.
    pub stricter: Stricter,
    /// Whether an untrusted workspace may only tighten it.
    pub guarded: bool,
    /// What it does.
    pub about: &'static str,
    default: Default,
}

#[derive(Debug)]
enum Default {
    Unset,
    Number(u64),
    Share(f64),
    Choice(&'static str),
    Empty,
}

/// Every key, in order of its name.
pub const KEYS: &[Key] = &[
    key(
        "digest.max_chars",
        Kind::Number(500, 9_500),
        Stricter::Smaller,
        Default::Number(9_500),
        "the most characters of the workspace's digest",
    ),
    key(
        "digest.schema_share",
        Kind::Share(1.0),
        Stricter::Smaller,
        Default::Share(0.25),
        "the share of the budget that schema and manifest facts may take",
    ),
    key(
        "digest.skill_tokens",
        Kind::Number(100, 1_000_000),
        Stricter::Smaller,
        Default::Unset,
        "the most tokens of one skill's digest; unset: no bound",
    ),
    key(
        "digest.tokens",
        Kind::Number(100, 2_400),
        Stricter::Smaller,
        Default::Number(1_500),
        "the budget of the workspace's digest",
    ),
    key(
        "inject.mode",
        Kind::Choice(&["system-prompt", "full-every-turn"]),
        Stricter::Neither,
        Default::Choice("system-prompt"),
        "how the digest reaches the model",
    ),
    guarded(
        "lessons.promote",
        Kind::Choice(&["manual", "auto"]),
        Stricter::Smaller,
        Default::Choice("manual"),
        "who promotes lessons: a person, or `compile-rules` when they are due",
    ),
    guarded(
        "lessons.promote_sessions",
        Kind::Number(1, 1_000),
        Stricter::Larger,
        Default::Number(2),
        "in how many sessions a lesson was told when it is due",
    ),
    guarded(
        "lessons.share",
        Kind::Share(0.5),
        Stricter::Smaller,
        Default::Share(0.15),
        "the share of the budget that unreviewed lessons may take",
    ),
    key(
        "log.level",
        Kind::Choice(&["off", "error", "warn", "info", "debug", "trace"]),
        Stricter::Neither,
        Default::Choice("warn"),
        "how much of what rules write to the log is printed on standard error",
    ),
    key(
        "notify.batch",
        Kind::Number(1, 100),
        Stricter::Neither,
        Default::Number(10),
        "how many notifications one event tells the agent at most",
    ),
    key(
        "notify.dedupe",
        Kind::Number(0, 86_400),
        Stricter::Neither,
        Default::Number(60),
        "for how many seconds the same rule does not tell the same again",
    ),
    key(
        "notify.expires",
        Kind::Number(1, 2_592_000),
        Stricter::Neither,
        Default::Number(3_600),
        "after how many seconds a notification is not worth telling any more",
    ),
    guarded(
        "policy.default",
        Kind::Choice(&["block", "allow"]),
        Stricter::Smaller,
        Default::Choice("allow"),
        "what holds for a call about which no rule says whether it may run",
    ),
    guarded(
        "policy.on_engine_failure",
        Kind::Choice(&["block", "allow"]),
        Stricter::Smaller,
        Default::Choice("allow"),
        "what a harness does with a tool call while this program cannot be asked",
    ),
    guarded(
        "policy.packs",
        Kind::Choice(&["all", "core"]),
        Stricter::Smaller,
        Default::Choice("all"),
        "which of the shipped packs are in force",
    ),
    guarded(
        "policy.strict",
        Kind::Choice(&["block", "last-good", "warn"]),
        Stricter::Smaller,
        Default::Choice("last-good"),
        "what becomes of a file of rules that does not read",
    ),
    key("sources.law", Kind::Globs, Stricter::Neither, Default::Empty, "more law: Markdown files for all"),
    key("sources.manifests", Kind::Globs, Stricter::Neither, Default::Empty, "more Cargo manifests"),
    key("sources.schemas", Kind::Globs, Stricter::Neither, Default::Empty, "more Cap'n Proto schemas"),
    key(
        "sources.skills",
        Kind::Globs,
        Stricter::Neither,
        Default::Empty,
        "more skills: `…/<skill>/SKILL.md`",
    ),
    key(
        "watch.debounce_ms",
        Kind::Number(1, 2_000),
        Stricter::Neither,
        Default::Number(40),
        "how long a burst of changes must be quiet; a single save is acted on at once",
    ),
    key(
        "watch.poll",
        Kind::Choice(&["auto", "always"]),
        Stricter::Neither,
        Default::Choice("auto"),
        "whether the tree is polled instead of waiting for notifications",
    ),
];

const fn key(
    name: &'static str,
    kind: Kind,
    stricter: Stricter,
    default: Default,
    about: &'static str,
) -> Key {
    Key { name, kind, stricter, guarded: false, about, default }
}

const fn guarded(
    name: &'static str,
    kind: Kind,
    stricter: Stricter,
    default: Default,
    about: &'static str,
) -> Key {
    Key { name, kind, stricter, guarded: true, about, default }
}

impl Key {
    /// The key with this name.
    pub fn find(name: &str) -> Option<&'static Self> {
        KEYS.iter().find(|key| key.name == name)
    }

    /// The nearest key to a name that is none, or the nearest table of keys.
    pub fn near(name: &str) -> Option<&'static str> {
        let tables = KEYS.iter().filter_map(|key| key.name.split_once('.')).map(|(table, _)| table);
        let tables = tables.filter(|table| *table != name);
        did_you_mean(name, KEYS.iter().map(|key| key.name)).or_else(|| did_you_mean(name, tables))
    }

    /// What it is when no layer says otherwise.
    pub fn default(&self) -> Setting {
        match self.default {
            Default::Unset => Setting::Unset,
            Default::Number(number) => Setting::Number(number),
            Default::Share(share) => Setting::Share(share),
            Default::Choice(name) => Setting::Choice(name),
            Default::Empty => Setting::Globs(Vec::new()),
        }
    }

    /// The environment variable of the key: `MENTCI_DIGEST_TOKENS`.
    pub fn variable(&self) -> String {
        format!("MENTCI_{}", self.name.replace('.', "_").to_uppercase())
    }

    /// What it takes, for people: ``a whole number from 100 to 2400``.
    pub fn takes(&self) -> String {
        match self.kind {
            Kind::Number(least, most) => format!("a whole number from {least} to {most}"),
            Kind::Share(most) => format!("a number from 0 to {most}"),
            Kind::Choice(names) => {
                names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" or ")
            }
            Kind::Globs => "a list of patterns relative to the workspace".to_owned(),
        }
    }
}
