//! The rule: one type for four dialects.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use mentci_source::{Span, is_hidden};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::bounds::Bounds;
use crate::{Action, Effect, Enforcement, Event, Guard, Hook, NamePattern, RuleSeverity, ToolMatch};

/// A rule's name: unique within its rule set, `pack/id` among all.
///
/// It holds no characters that do not show and is 1 to 200 characters long.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RuleId(Arc<str>);

impl RuleId {
    /// The most characters of an id.
    pub const MAX_CHARS: usize = 200;

    /// Checks a name.
    ///
    /// # Errors
    /// What is wrong with it, for a message: empty, too long, or with characters that do not show.
    pub fn new(text: &str) -> Result<Self, &'static str> {
        if text.trim().is_empty() {
            Err("an id is empty")
        } else if text.chars().count() > Self::MAX_CHARS {
            Err("an id is longer than 200 characters")
        } else if text.chars().any(is_hidden) {
            Err("an id holds characters that do not show")
        } else {
            Ok(Self(text.into()))
        }
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for RuleId {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::new(&text)
    }
}

impl From<RuleId> for String {
    fn from(id: RuleId) -> Self {
        id.0.as_ref().to_owned()
    }
}

impl fmt::Display for RuleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// One rule. Two rules are equal when they mean the same, wherever and in whatever dialect they were written: [`Origin`]
/// stands outside equality.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own in every dialect")]
pub struct Rule {
    /// Its name.
    pub id: RuleId,
    /// A name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Its own version, as its author counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// When it is asked.
    pub hook: Hook,
    /// About which tools.
    #[serde(default)]
    pub tools: ToolMatch,
    /// Under which condition.
    #[serde(default)]
    pub guard: Guard,
    /// What it says about the call; `None` for rules that only act.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effect: Option<Effect>,
    /// What `redact` takes out; the built-in detectors when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redaction: Option<Redaction>,
    /// How long an approval is good for, in seconds; the default stands when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval_seconds: Option<u64>,
    /// What it does when it fires.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<Action>,
    /// Ascending; then the order of the sources. ChatMD's priority p is p, TOML's is 100 - p.
    #[serde(default)]
    pub order: i64,
    /// Fires only the first time in a session.
    #[serde(default)]
    pub once: bool,
    /// How long it rests after firing.
    #[serde(default)]
    pub cooldown: Cooldown,
    /// How much it matters to its author.
    #[serde(default)]
    pub severity: RuleSeverity,
    /// What whoever is denied or warned reads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// What a developer message reminds of after a denial.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remind: Option<String>,
    /// Whether it takes part.
    #[serde(default = "yes")]
    pub enabled: bool,
    /// Cannot be disabled, overridden or loosened.
    #[serde(default)]
    pub core: bool,
    /// Whether it binds.
    #[serde(default)]
    pub mode: Enforcement,
    /// What a fault in it decides; `block` for effects that close a gate, nothing for others, when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_fault: Option<OnFault>,
    /// The rules that it takes out for the calls to which it applies: `pack/rule-id`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub overrides: Vec<String>,
    /// What the guard reads as `parameters.x`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, Value>,
    /// How far its parameters may be set, by their names.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub bounds: BTreeMap<String, Bounds>,
    /// Whose state it reads and writes, where that is not its pack's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<Arc<str>>,
    /// What the guard reads as `plugin.settings.x` where nobody set it: the defaults of the plugin's manifest.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub settings: BTreeMap<String, Value>,
    /// The taints that it sets on the session when it fires.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub taints: Vec<String>,
    /// The zone in which its schedules are read, an IANA name; the event's own when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timezone: Option<String>,
    /// Whether synthetic messages raise it too.
    #[serde(default)]
    pub sees_synthetic: bool,
    /// Its unit tests.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tests: Vec<RuleTest>,
    /// Where it stands.
    pub origin: Origin,
}

fn yes() -> bool {
    true
}

impl Rule {
    /// A rule that is asked at `hook`, about any tool, always, and says nothing yet.
    pub fn new(id: RuleId, hook: Hook, origin: Origin) -> Self {
        Self {
            id,
            name: None,
            description: None,
            version: None,
            hook,
            tools: ToolMatch::Any,
            guard: Guard::Always,
            effect: None,
            redaction: None,
            approval_seconds: None,
            actions: Vec::new(),
            order: 0,
            once: false,
            cooldown: Cooldown::default(),
            severity: RuleSeverity::default(),
            message: None,
            remind: None,
            enabled: true,
            core: false,
            mode: Enforcement::default(),
            on_fault: None,
            overrides: Vec::new(),
            parameters: BTreeMap::new(),
            bounds: BTreeMap::new(),
            owner: None,
            settings: BTreeMap::new(),
            taints: Vec::new(),
            timezone: None,
            sees_synthetic: false,
            tests: Vec::new(),
            origin,
        }
    }

    /// Whether a parameter may be set so, as far as its bounds go.
    pub fn allows(&self, parameter: &str, value: &Value) -> bool {
        self.bounds.get(parameter).is_none_or(|bounds| bounds.hold(value))
    }

    /// Whose state it reads and writes.
    pub fn owner(&self) -> &str {
        self.owner.as_deref().unwrap_or(&self.origin.pack)
    }

    /// The name under which it keeps a variable of the session: what nobody vouches for sets none that others read.
    pub fn variable_key<'k>(&self, key: &'k str) -> Cow<'k, str> {
        match self.origin.trust {
            Trust::Untrusted => Cow::Owned(format!("untrusted/{key}")),
            _ => Cow::Borrowed(key),
        }
    }

    /// Whether it can keep a call from running.
    pub fn is_gate(&self) -> bool {
        self.effect.is_some_and(Effect::closes_on_fault)
    }
}

/// How long a rule rests after it fired.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Cooldown {
    /// Whole turns that are skipped.
    #[serde(default)]
    pub turns: u32,
    /// Milliseconds.
    #[serde(default)]
    pub ms: u64,
}

/// What a fault in a gate decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OnFault {
    /// The call does not run.
    Block,
    /// A person is asked.
    Approve,
    /// The call runs.
    Allow,
}

/// What a `redact` takes out.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Redaction {
    /// The kinds of data, by their names in marks; all when empty and there are no patterns.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kinds: Vec<String>,
    /// The rule's own patterns.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub patterns: Vec<RedactionPattern>,
}

/// A pattern of one's own, replaced by `[NAME]`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct RedactionPattern {
    /// What the mark says.
    pub name: String,
    /// The regular expression.
    pub regex: String,
}

/// Where a rule stands. Never part of what it means: any two origins are equal.
#[derive(Debug, Clone, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// Which syntax.
    pub dialect: Dialect,
    /// The file, relative to the workspace, or `pack:name` for what is shipped.
    pub path: Arc<str>,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// The rule's bytes in the file.
    #[serde(skip)]
    pub span: Span,
    /// The pack, plugin or file that it belongs to: the first half of its full name.
    pub pack: Arc<str>,
    /// Who vouches for it.
    pub trust: Trust,
}

impl PartialEq for Origin {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// `path:line:column`
impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.path, self.line, self.column)
    }
}

/// The four syntaxes, and what is built in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Dialect {
    /// `<rules>` and `<policy>`.
    Chatmd,
    /// `rules:` with `when` and `then`.
    Yaml,
    /// `[rule]`, `[condition]`, `[action]`.
    Toml,
    /// `{:rule/id …}`.
    Edn,
}

impl Dialect {
    /// Every dialect.
    pub const ALL: [Self; 4] = [Self::Chatmd, Self::Yaml, Self::Toml, Self::Edn];

    /// `yaml`: its name and its file's extension.
    pub fn name(self) -> &'static str {
        match self {
            Self::Chatmd => "chatmd",
            Self::Yaml => "yaml",
            Self::Toml => "toml",
            Self::Edn => "edn",
        }
    }

    /// The dialect of a file with this path: by its extension, `.yml`, `.md` and `.xml` included.
    pub fn of_path(path: &str) -> Option<Self> {
        let (_, extension) = path.rsplit_once('.')?;
        match extension.to_ascii_lowercase().as_str() {
            "chatmd" | "md" | "xml" => Some(Self::Chatmd),
            "yaml" | "yml" => Some(Self::Yaml),
            "toml" => Some(Self::Toml),
            "edn" => Some(Self::Edn),
            _ => None,
        }
    }
}

/// Who vouches for a rule, the least trusted first. Only an equally or more trusted layer may override a rule: what is
/// shipped yields to a workspace that the user trusts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Trust {
    /// A workspace that the user has not trusted: it may only tighten.
    #[default]
    Untrusted,
    /// Shipped with the program.
    Builtin,
    /// A workspace that the user trusts.
    Workspace,
    /// The user's own.
    User,
    /// The organisation's.
    Managed,
}

/// A unit test beside a rule: an event and what must come of it. Where it stands is outside equality.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RuleTest {
    /// What it shows.
    #[serde(default)]
    pub name: String,
    /// The events that came before, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub before: Vec<Event>,
    /// The event.
    pub event: Event,
    /// The decision that must come of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<Effect>,
    /// The rules that must take part, by id; unchecked when absent. Empty: the rule beside it takes no part, or no rule at
    /// all where it stands beside none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<Vec<String>>,
    /// Where it stands.
    #[serde(skip)]
    pub line: u32,
}

impl PartialEq for RuleTest {
    fn eq(&self, other: &Self) -> bool {
        let Self { name, before, event, decision, rules, line: _ } = self;
        (name, before, event, decision, rules)
            == (&other.name, &other.before, &other.event, &other.decision, &other.rules)
    }
}

/// What one file of rules says, whatever its dialect.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RuleSet {
    /// Its name: `shield_name`, a pack's name, or the file's stem.
    pub name: String,
    /// Its version, as its author counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// What it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What holds for a call about which no permission rule speaks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default_effect: Option<Effect>,
    /// Tools that exist only to be called by who should not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub honeypots: Vec<Honeypot>,
    /// How many rules of this document may act on one event; ChatMD's default is 1, the others have no bound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_fired: Option<u32>,
    /// How many automatic calls one event may make.
    #[serde(default = "one")]
    pub max_calls: u32,
    /// Whether a trace line is written for each rule that fires.
    #[serde(default)]
    pub visible_trace: bool,
    /// What applies, in source order.
    pub rules: Vec<Rule>,
    /// Tests that belong to the whole file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tests: Vec<RuleTest>,
}

fn one() -> u32 {
    1
}

impl RuleSet {
    /// A set without rules.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            version: None,
            description: None,
            default_effect: None,
            honeypots: Vec::new(),
            max_fired: None,
            max_calls: 1,
            visible_trace: false,
            rules: Vec::new(),
            tests: Vec::new(),
        }
    }
}

/// A tool that no honest agent calls. Calling it is blocked.
#[derive(Debug, Clone, Eq, Serialize, Deserialize)]
pub struct Honeypot {
    /// The tool.
    pub tool: NamePattern,
    /// What the caller reads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// How much it matters.
    #[serde(default)]
    pub severity: RuleSeverity,
    /// Where it stands, `path:line:column`: outside equality.
    #[serde(default)]
    pub at: String,
}

impl PartialEq for Honeypot {
    fn eq(&self, other: &Self) -> bool {
        let Self { tool, message, severity, at: _ } = self;
        (tool, message, severity) == (&other.tool, &other.message, &other.severity)
    }
}
