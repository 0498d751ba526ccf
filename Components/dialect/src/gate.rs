//! What a file that does not read would have gated.

use std::collections::BTreeSet;

use mentci_authority::{Effect, Enforcement, Hook, Rule, ToolMatch};
use mentci_source::{Code, Source, did_you_mean};

use crate::lower::gather::gather;
use crate::tree::Entry;
use crate::{Dialect, Loader, OriginHint};

/// The gates of a file, as far as it could be read: where its rules block, ask or redact.
///
/// What stays in doubt counts as a gate: an effect that is misspelt may have been `block`, and a pattern of tools that does
/// not read may have been about any tool. Rules that only warn or act are no gates.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Gates {
    /// Those that could be read.
    pub named: BTreeSet<Gate>,
    /// Whether something that may hold gates could not be read at all: nobody knows which hooks and tools it named.
    pub unread: bool,
}

/// One gate: where it stands, and about which tools.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Gate {
    /// When it is asked.
    pub hook: Hook,
    /// About which tools.
    pub tools: ToolMatch,
}

/// Reads the gates of a file, and of what it includes, whether or not it reads whole.
///
/// ```
/// use mentci_authority::{ToolMatch, Trust};
/// use mentci_dialect::{Dialect, OriginHint, gates};
/// use mentci_source::Source;
/// let origin = OriginHint { pack: "mine".into(), trust: Trust::Workspace };
/// let of = |text: &str| gates(&Source::new("mine.yaml", text), Dialect::Yaml, &origin, &mut |_| None);
/// let broken = of("- {id: a, when: {tool: deploy, args: {to: {equls: x}}}, then: block}\n");
/// assert_eq!(broken.named.first().unwrap().tools, ToolMatch::exact("deploy"));
/// assert!(of("- {id: a, then: warn, mesage: x}\n").named.is_empty());
/// assert!(of("- {id: a, then: [\n").unread);
/// ```
pub fn gates(source: &Source, dialect: Dialect, origin: &OriginHint, loader: &mut Loader<'_>) -> Gates {
    let gathered = gather(source, dialect, origin, loader);
    let mut gates = gathered.gates;
    gates.unread |= gathered.findings.iter().any(|finding| finding.code == Code::RULE_INCLUDE);
    gates
}

impl Gates {
    /// One more.
    pub(crate) fn add(&mut self, hook: Hook, tools: ToolMatch) {
        self.named.insert(Gate { hook, tools });
    }

    /// Those of another file as well.
    pub(crate) fn join(&mut self, other: Self) {
        self.unread |= other.unread;
        self.named.extend(other.named);
    }

    /// The gate that a rule is, or may have been meant to be.
    pub(crate) fn of_rule(&mut self, rule: &Rule, doubtful: bool) {
        let closes = rule.effect.map_or(doubtful, Effect::closes_on_fault);
        if closes && rule.enabled && rule.mode == Enforcement::Enforce {
            self.add(rule.hook, rule.tools.clone());
        }
    }
}

/// Whether a field that nobody knows may say what a rule decides: by its name, or by what it holds.
pub(crate) fn may_decide(entry: &Entry) -> bool {
    let text = entry.value.as_text().map(|text| text.trim().to_ascii_lowercase()).unwrap_or_default();
    let decides = ["deny", "block", "approve", "redact"];
    decides.contains(&text.as_str()) || is_like_an_effect(&entry.key)
}

/// Whether a name is close to one that says what a rule decides.
pub(crate) fn is_like_an_effect(name: &str) -> bool {
    did_you_mean(name, ["then", "effect", "deny", "block", "approve", "redact"]).is_some()
}
