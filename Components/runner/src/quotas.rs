//! The quotas of a document, as the calls of its agents count against them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mentci_authority::Event;
use mentci_source::Finding;
use mentci_workspace::{Beside, Spending, Workspace};

/// The quotas of one document in the session that its run has in the log. Whoever holds this spends from them.
///
/// INVARIANT (one purse): what a document allows its session it allows the session with all its agents, so that nobody is
/// asked in order to spend twice.
#[derive(Clone)]
pub(crate) struct Quotas {
    workspace: Arc<Workspace>,
    beside: Arc<Beside>,
    session: Arc<Mutex<String>>,
    /// What agents reserved and the transcript does not tell yet, by rule.
    untold: Arc<Mutex<BTreeMap<String, u64>>>,
}

impl Quotas {
    /// The quotas of a document whose run has not begun: until then they are those of a session by this name.
    pub(crate) fn new(workspace: &Arc<Workspace>, beside: &Arc<Beside>, before: String) -> Self {
        let session = Arc::new(Mutex::new(before));
        Self { workspace: workspace.clone(), beside: beside.clone(), session, untold: Arc::default() }
    }

    /// The run's session begins, under this name: what agents reserved before holds in it.
    pub(crate) fn begin(&self, session: &str) -> Result<(), Finding> {
        session.clone_into(&mut held(&self.session));
        let untold = held(&self.untold).clone();
        untold.into_iter().try_for_each(|(rule, count)| self.reserve_again(&rule, count))
    }

    /// Why a call would overspend, with the rule that says so; none where it would not. Nothing is reserved.
    pub(crate) fn refusal(&self, call: &Event) -> Result<Option<(String, String)>, Finding> {
        match self.workspace.spend(&self.session(), call, &self.beside, false)? {
            Spending::Refused { rule, why } => Ok(Some((rule, why))),
            Spending::Reserved(_) => Ok(None),
        }
    }

    /// Reserves a call that runs.
    pub(crate) fn reserve(&self, call: &Event) -> Result<(), Finding> {
        if let Spending::Reserved(rules) = self.workspace.spend(&self.session(), call, &self.beside, true)? {
            let mut untold = held(&self.untold);
            for rule in rules {
                *untold.entry(rule).or_default() += 1;
            }
        }
        Ok(())
    }

    /// Reserves again what a transcript tells.
    pub(crate) fn reserve_again(&self, rule: &str, count: u64) -> Result<(), Finding> {
        self.workspace.spend_again(&self.session(), rule, count, &self.beside)
    }

    /// What is to be told in the transcript.
    pub(crate) fn untold(&self) -> BTreeMap<String, u64> {
        std::mem::take(&mut held(&self.untold))
    }

    fn session(&self) -> String {
        held(&self.session).clone()
    }
}

fn held<T>(one: &Mutex<T>) -> MutexGuard<'_, T> {
    one.lock().unwrap_or_else(PoisonError::into_inner)
}
