//! Quotas that are spent from another session: a document's, by its agents.

use mentci_authority::{Event, Hook};
use mentci_host::policy::admit;
use mentci_ledger::{Decided, Delta, Record};
use mentci_pdp::{reserved, spent};
use mentci_source::Finding;
use mentci_store::{CommitError, Store, StoreError};
use serde_json::json;

use super::beside::{Beside, Law};
use super::log::{TRIES, store_finding};
use crate::workspace::Workspace;

/// What came of a call that spends from another session's quotas.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Spending {
    /// It may run: the rules that count it, as they are told.
    Reserved(Vec<String>),
    /// It would overspend.
    Refused {
        /// The rule, as it is told.
        rule: String,
        /// Why.
        why: String,
    },
}

impl Workspace {
    /// Looks whether a call fits the quotas that hold in a session under a document's law, and with `reserve` reserves it there. The
    /// call itself is none of that session: nothing else is counted.
    ///
    /// # Errors
    /// What is wrong with the log.
    pub fn spend(
        &self,
        session: &str,
        call: &Event,
        beside: &Beside,
        reserve: bool,
    ) -> Result<Spending, Finding> {
        let law = self.law(beside);
        let mut event = admit(call.clone());
        event.session = self.keeper().name(session);
        (event.at, event.turn) = (Some(self.now()), None);
        self.committed(
            &event.session,
            |loaded| {
                let view = loaded.view(&event);
                if let Some((rule, why)) = spent(law.program(), &event, view).next() {
                    return (Spending::Refused { rule: rule.to_owned(), why }, Vec::new());
                }
                let deltas: Vec<Delta> = reserved(law.program(), &event).collect();
                let rules = deltas.iter().map(|delta| told(&law, delta)).collect();
                (Spending::Reserved(rules), if reserve { deltas } else { Vec::new() })
            },
            &law,
        )
    }

    /// Reserves again what a transcript tells that agents reserved.
    ///
    /// # Errors
    /// What is wrong with the log.
    pub fn spend_again(&self, session: &str, rule: &str, count: u64, beside: &Beside) -> Result<(), Finding> {
        let law = self.law(beside);
        let full = law.names().full(rule);
        let deltas = || (0..count.min(MOST)).map(|_| Delta::Reserved { rule: full.clone() }).collect();
        self.committed(&self.keeper().name(session), |_| ((), deltas()), &law)
    }

    /// Writes down what `work` reserves in a session, until nothing was written in between.
    fn committed<T>(
        &self,
        session: &str,
        work: impl Fn(&mentci_store::Loaded) -> (T, Vec<Delta>),
        law: &Law,
    ) -> Result<T, Finding> {
        let windows = law.program().windows();
        let (done, _) = self.with_store(|store| {
            for _ in 0..TRIES {
                let mut loaded = store.load(session, windows)?;
                if loaded.shared.unread.is_some() {
                    // Nobody knows what was spent.
                    return Err(store.error().cloned().unwrap_or(StoreError::Locked));
                }
                let (came, deltas) = work(&loaded);
                if deltas.is_empty() {
                    return Ok(came);
                }
                let event = Event {
                    session: session.to_owned(),
                    at: Some(self.now()),
                    emitted: Some(json!({"type": "spending"})),
                    ..Event::new(Hook::EventEmitted)
                };
                match store.commit(&mut loaded, &Record::of(&event, &Decided::allowed(), deltas), None) {
                    Ok(_) => {
                        store.keep(loaded);
                        return Ok(came);
                    }
                    Err(CommitError::Conflict) => {}
                    Err(CommitError::Store(error)) => return Err(error),
                }
            }
            Err(StoreError::Locked)
        });
        done.map_err(|error| store_finding(&error))
    }
}

/// The most that one line of a transcript reserves.
const MOST: u64 = 100_000;

fn told(law: &Law, delta: &Delta) -> String {
    match delta {
        Delta::Reserved { rule } => law.names().told(rule).to_owned(),
        _ => String::new(),
    }
}
