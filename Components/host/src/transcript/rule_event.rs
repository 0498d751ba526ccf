//! `<rule_event>`: what a rule did that the model does not see.

use mentci_authority::{Hook, HookName, StateScope};
use mentci_chatmd::Block;
use mentci_ledger::Delta;
use serde_json::Value;

/// What a `<rule_event>` tells.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum RuleEvent {
    /// A rule fired, and set this.
    Fired { rule: String, set: Option<Delta> },
    /// A person answered about the call with this id.
    Approval { rule: Option<String>, call: String, granted: bool },
    /// Agents made so many calls that the quota of a rule counts.
    Reserved { rule: String, count: u64 },
    /// Nothing that changes a session.
    Told,
}

impl RuleEvent {
    /// Reads one.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn read(block: &Block) -> Result<Self, String> {
        let needed = |name: &str| {
            block.value(name).map(str::to_owned).ok_or_else(|| format!("this `<rule_event>` needs `{name}`"))
        };
        match block.value("type").unwrap_or_default() {
            "fired" => Ok(Self::Fired { rule: needed("rule")?, set: None }),
            "set" => Ok(Self::Fired { rule: needed("rule")?, set: set(needed("var")?, block)? }),
            "approval" => {
                let granted = match block.value("granted") {
                    Some("true") => true,
                    Some("false") => false,
                    _ => return Err("`granted` is `true` or `false`".to_owned()),
                };
                Ok(Self::Approval {
                    rule: block.value("rule").map(str::to_owned),
                    call: needed("call")?,
                    granted,
                })
            }
            "reserved" => {
                let count = needed("count")?;
                let count = count.parse().map_err(|_| "`count` is a whole number".to_owned())?;
                Ok(Self::Reserved { rule: needed("rule")?, count })
            }
            "suppressed" | "fault" => Ok(Self::Told),
            other => Err(format!("`{}` is no type of `<rule_event>`", other.escape_debug())),
        }
    }
}

/// What was set in the session. What outlives the session is kept elsewhere, and is not set back to what it was.
fn set(key: String, block: &Block) -> Result<Option<Delta>, String> {
    let text = block.text();
    let value: Value = serde_json::from_str(text.as_str().trim())
        .map_err(|_| format!("the value of `{}` is no JSON", key.escape_debug()))?;
    let is_session = block.value("scope").is_none_or(|scope| scope == "session");
    Ok(is_session.then_some(Delta::Set { scope: StateScope::Session, owner: String::new(), key, value }))
}

/// The hook that a block says it was written at.
pub(super) fn told_hook(block: &Block) -> Option<Hook> {
    block.value("event").and_then(HookName::parse).map(|name| name.hook)
}
