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
    /// A list of these names, each once at most.
    Names(&'static [&'static str]),
    /// One line of text.
    Text,
    /// A list of lines of text.
    Texts,
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
    Names(&'static [&'static str]),
}

/// What makes a context of a session.
const PROCESSORS: &[&str] = &["artifact_attacher", "compactor", "history_selector", "memory_preloader"];

/// Who serves models: a test holds them against the providers of `mentci_model`.
const PROVIDERS: &[&str] = &[
    "anthropic",
    "anthropic-compatible",
    "compatible",
    "llamacpp",
    "ollama",
    "openai",
    "openrouter",
    "vllm",
];

/// What a collector is told.
const SIGNALS: &[&str] = &["metrics", "traces"];

/// Every key, in order of its name.
pub const KEYS: &[Key] = &[
    key(
        "artifacts.backend",
        Kind::Choice(&["sqlite", "files"]),
        Stricter::Neither,
        Default::Choice("sqlite"),
        "where artifacts are kept: in one database, or in a file each",
    ),
    key(
        "artifacts.keep_days",
        Kind::Number(0, 3_650),
        Stricter::Neither,
        Default::Number(30),
        "for how many days after its last use a session keeps its artifacts from `artifact gc`",
    ),
    guarded(
        "context.allow",
        Kind::Texts,
        Stricter::Neither,
        Default::Empty,
        "texts that look like secrets and are none: they are not redacted from what is kept",
    ),
    key(
        "context.budget",
        Kind::Number(1, 100_000_000),
        Stricter::Smaller,
        Default::Unset,
        "the most tokens of a compiled context; unset: it must be said each time",
    ),
    key(
        "context.clear_at_least",
        Kind::Number(0, 10_000_000),
        Stricter::Neither,
        Default::Unset,
        "how many tokens are cleared at least when some must be; unset: a tenth of the budget",
    ),
    key(
        "context.external_bytes",
        Kind::Number(64, 1_000_000_000),
        Stricter::Neither,
        Default::Number(1_024),
        "from how many bytes on a tool's output becomes an artifact",
    ),
    key(
        "context.external_tokens",
        Kind::Number(16, 1_000_000_000),
        Stricter::Neither,
        Default::Number(300),
        "from how many tokens on a tool's output becomes an artifact",
    ),
    key(
        "context.first",
        Kind::Number(0, 1_000),
        Stricter::Neither,
        Default::Number(1),
        "how many exchanges from the beginning of a session stay when some must go",
    ),
    key(
        "context.last",
        Kind::Number(1, 10_000),
        Stricter::Neither,
        Default::Number(6),
        "how many exchanges from the end of a session stay when some must go",
    ),
    key(
        "context.memory",
        Kind::Globs,
        Stricter::Neither,
        Default::Empty,
        "files of notes that contexts may draw on, beside the lessons",
    ),
    key(
        "context.memory_hits",
        Kind::Number(0, 100),
        Stricter::Neither,
        Default::Number(5),
        "how many lessons and notes a context holds at most",
    ),
    key(
        "context.model",
        Kind::Text,
        Stricter::Neither,
        Default::Unset,
        "the model whose tokenizer counts; unset: o200k",
    ),
    key(
        "context.processors",
        Kind::Names(PROCESSORS),
        Stricter::Neither,
        Default::Names(PROCESSORS),
        "what makes a context of a session, in order",
    ),
    guarded(
        "context.redact",
        Kind::Choice(&["all", "secrets"]),
        Stricter::Smaller,
        Default::Choice("secrets"),
        "what is taken out before anything is kept: secrets, or personal data too",
    ),
    guarded(
        "context.summary_model",
        Kind::Text,
        Stricter::Neither,
        Default::Unset,
        "the model that sums up what a run compacts: `provider/name`, a name of the configured provider, or `script:PATH`; unset: an extract",
    ),
    guarded(
        "digest.condense",
        Kind::Choice(&["deterministic", "model"]),
        Stricter::Neither,
        Default::Unset,
        "where shorter lines come from: `model` asks a model and keeps what is verified in the lock, `deterministic` leaves the lock's lines aside; unset: what the lock holds, nobody is asked",
    ),
    guarded(
        "digest.condense_model",
        Kind::Text,
        Stricter::Neither,
        Default::Unset,
        "the model that shortens lines: `provider/name`, a name of the configured provider, or `script:PATH`; unset: `model.name`",
    ),
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
        "hook.artifact_bytes",
        Kind::Number(0, 1_000_000_000),
        Stricter::Neither,
        Default::Number(65_536),
        "from how many bytes on a text in a tool's result is shown to the model as a summary; 0: never",
    ),
    key(
        "hook.deadline_ms",
        Kind::Number(50, 8_000),
        Stricter::Smaller,
        Default::Number(5_000),
        "after how many milliseconds a hook answers without a decision",
    ),
    guarded(
        "hook.on_error",
        Kind::Choice(&["block", "allow"]),
        Stricter::Smaller,
        Default::Choice("block"),
        "what a hook answers to a tool call that it could not decide",
    ),
    key(
        "hook.redact",
        Kind::Choice(&["results", "rules"]),
        Stricter::Smaller,
        Default::Choice("rules"),
        "where a hook takes secrets out of what tools answer: in all results, or where rules say so",
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
    guarded(
        "model.base_url",
        Kind::Text,
        Stricter::Neither,
        Default::Unset,
        "where the provider answers, such as `http://127.0.0.1:8080/v1`; unset: the provider's own address",
    ),
    guarded(
        "model.cap_cost",
        Kind::Share(1_000_000.0),
        Stricter::Smaller,
        Default::Unset,
        "the most money that one run may spend, in the currency of the prices; unset: no cap",
    ),
    guarded(
        "model.cap_tokens",
        Kind::Number(1, 1_000_000_000_000),
        Stricter::Smaller,
        Default::Unset,
        "the most tokens that one run may send and be answered, together; unset: no cap",
    ),
    key(
        "model.connect_seconds",
        Kind::Number(1, 600),
        Stricter::Neither,
        Default::Number(10),
        "for how long a connection is waited for",
    ),
    key(
        "model.first_seconds",
        Kind::Number(1, 86_400),
        Stricter::Neither,
        Default::Number(180),
        "for how long the first byte of an answer is waited for",
    ),
    key(
        "model.idle_seconds",
        Kind::Number(1, 86_400),
        Stricter::Neither,
        Default::Number(90),
        "for how long an answer that began may pause",
    ),
    guarded(
        "model.key_env",
        Kind::Text,
        Stricter::Neither,
        Default::Unset,
        "the name of the environment variable that holds the key, never the key; unset: the provider's own, at its own address",
    ),
    guarded(
        "model.max_parallel",
        Kind::Number(1, 256),
        Stricter::Smaller,
        Default::Number(4),
        "how many requests are under way at a time",
    ),
    guarded(
        "model.max_tokens",
        Kind::Number(1, 10_000_000),
        Stricter::Smaller,
        Default::Unset,
        "the most tokens of one answer; unset: what a request for lines or verdicts takes, else what the provider does",
    ),
    guarded(
        "model.name",
        Kind::Text,
        Stricter::Neither,
        Default::Unset,
        "the model, by the name that its provider gives it; or `script:PATH`",
    ),
    guarded(
        "model.price_input",
        Kind::Share(1_000_000.0),
        Stricter::Neither,
        Default::Unset,
        "what a million tokens cost that are sent, for `model.cap_cost`",
    ),
    guarded(
        "model.price_output",
        Kind::Share(1_000_000.0),
        Stricter::Neither,
        Default::Unset,
        "what a million tokens cost that are answered, for `model.cap_cost`",
    ),
    guarded(
        "model.provider",
        Kind::Choice(PROVIDERS),
        Stricter::Neither,
        Default::Unset,
        "who serves the model; unset: `compatible` when `model.base_url` is set",
    ),
    guarded(
        "model.retries",
        Kind::Number(0, 20),
        Stricter::Smaller,
        Default::Number(4),
        "how often a request that failed is made again",
    ),
    key(
        "model.stream",
        Kind::Choice(&["on", "off"]),
        Stricter::Neither,
        Default::Choice("on"),
        "whether answers are asked for piece by piece",
    ),
    key(
        "model.total_seconds",
        Kind::Number(1, 86_400),
        Stricter::Neither,
        Default::Number(1_800),
        "for how long a whole answer is waited for, retries and all",
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
    guarded(
        "telemetry.endpoint",
        Kind::Text,
        Stricter::Neither,
        Default::Unset,
        "where the daemon tells a collector of OpenTelemetry what it does, over HTTP, such as `http://127.0.0.1:4318`; unset: nowhere",
    ),
    guarded(
        "telemetry.signals",
        Kind::Names(SIGNALS),
        Stricter::Neither,
        Default::Names(SIGNALS),
        "what it tells: a span a request and a decision, and counts",
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
            Default::Empty if matches!(self.kind, Kind::Globs) => Setting::Globs(Vec::new()),
            Default::Empty => Setting::Texts(Vec::new()),
            Default::Names(names) => Setting::Names(names.to_vec()),
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
            Kind::Names(names) => {
                let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
                format!("a list of {}, each once", names.join(", "))
            }
            Kind::Text => "one line of text".to_owned(),
            Kind::Texts => "a list of lines of text".to_owned(),
        }
    }
}
