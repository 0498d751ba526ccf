//! Scripts, as a decision sees them: something that is asked about an event and answers.

use std::cell::RefCell;
use std::sync::Arc;

use mentci_authority::{Rule, ScriptId};
use mentci_expr::{Fault, FaultKind};
use serde_json::{Map, Value};

use crate::asked::AskedAction;
use crate::world::World;

/// An action as a script asks for it: `{"type": "notify_self", "message": …}`. Data: no text in it is a template.
pub type Asked = Map<String, Value>;

/// What a script said about an event.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ScriptAnswer {
    /// Whether its rule applies.
    pub applies: bool,
    /// What it asked for while it ran, in order: it stands whatever the script returned.
    pub asked: Vec<Asked>,
    /// What is done in place of the rule's own actions; none where these are meant.
    pub instead: Option<Vec<Asked>>,
}

/// What a script may read: the facts that a template may name, each made only when it is read.
pub trait ScriptFacts {
    /// The names of all facts.
    fn names(&self) -> &'static [&'static str];
    /// The fact of a name; null where there is none.
    fn fact(&self, name: &str) -> Value;
    /// The same in parts: what other events have as well is shared with them.
    fn parts(&self, name: &str) -> FactParts;
}

/// A fact in parts.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FactParts {
    /// The fact without these lists.
    pub value: Value,
    /// The lists that stand in it beside its own fields, by their names. An item is the same `Arc` at every event that has it.
    pub lists: Vec<(&'static str, Vec<Arc<Value>>)>,
}

/// Runs scripts. The same script with the same facts gives the same answer.
pub trait Scripts: Sync {
    /// Asks a script of `rule`.
    ///
    /// # Errors
    /// Why there is no answer, as `file:line: message`: a fault of the rule.
    fn ask(&self, script: &ScriptId, rule: &Rule, facts: &dyn ScriptFacts) -> Result<ScriptAnswer, String>;
}

/// Runs none: every rule that asks a script faults.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoScripts;

impl Scripts for NoScripts {
    fn ask(&self, script: &ScriptId, _: &Rule, _: &dyn ScriptFacts) -> Result<ScriptAnswer, String> {
        Err(format!("the script `{}` cannot be run here", script.file))
    }
}

/// Scripts, and what they asked for while one guard was looked at.
pub(crate) struct Questioning<'s> {
    scripts: &'s dyn Scripts,
    said: RefCell<Said>,
}

/// What the scripts of one rule want done.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Said {
    pub(crate) asked: Vec<AskedAction>,
    pub(crate) instead: Option<Vec<AskedAction>>,
}

impl<'s> Questioning<'s> {
    pub(crate) fn new(scripts: &'s dyn Scripts) -> Self {
        Self { scripts, said: RefCell::default() }
    }

    /// Asks a script, and remembers what it wants done.
    pub(crate) fn ask(&self, script: &ScriptId, world: &World<'_>) -> Result<bool, Fault> {
        let unanswered = |message| Fault::new(FaultKind::Unanswered, message);
        let answer = self.scripts.ask(script, world.rule, world).map_err(unanswered)?;
        let read = |asked: &Vec<Asked>| asked.iter().map(AskedAction::read).collect::<Result<Vec<_>, _>>();
        let asked = read(&answer.asked).map_err(unanswered)?;
        let instead = answer.instead.as_ref().map(read).transpose().map_err(unanswered)?;
        let mut said = self.said.borrow_mut();
        said.asked.extend(asked);
        if let Some(instead) = instead {
            said.instead.get_or_insert_default().extend(instead);
        }
        Ok(answer.applies)
    }

    /// What the scripts wanted since this was last asked.
    pub(crate) fn take(&self) -> Said {
        self.said.take()
    }
}

impl std::fmt::Debug for Questioning<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Questioning")
    }
}
