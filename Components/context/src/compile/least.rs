//! The least budget that holds a session.

use super::{CompileConfig, CompileError, ContextCompiler};
use crate::Session;

/// What each attempt lacks is added so many times; then what is wanted is doubled.
const MOST_ADDED: u32 = 8;

impl ContextCompiler {
    /// The least budget that holds what has to stand in a context: one token less does not. None when no budget does.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use mentci_authority::At;
    /// use mentci_context::{CompileConfig, ContextCompiler, Counts, Session, SessionEventKind};
    /// use serde_json::json;
    ///
    /// let mut session = Session::new("s1", Arc::new(Counts::new(mentci_tokens::Bytes)));
    /// let data = json!({"role": "user", "text": "What is there?"}).as_object().cloned().unwrap_or_default();
    /// session.record(SessionEventKind::UserInput, data, At::utc(1_000));
    /// let compiler = ContextCompiler::new();
    /// assert_eq!(compiler.least_budget(&session, &CompileConfig::new(1)), Some(21));
    /// assert!(compiler.compile(&session, &CompileConfig::new(21)).is_ok());
    /// assert!(compiler.compile(&session, &CompileConfig::new(20)).is_err());
    /// ```
    pub fn least_budget(&self, session: &Session, config: &CompileConfig) -> Option<u64> {
        let lacks = |budget| match self.compile(session, &CompileConfig { budget, ..config.clone() }) {
            Ok(_) => Some(0),
            Err(error) => lacking(&error),
        };
        // What holds nothing is no budget.
        let (mut too_small, mut enough, mut times) = (0, config.budget.max(1), 0);
        loop {
            let lack = lacks(enough)?;
            if lack == 0 {
                break;
            }
            times += 1;
            let more = if times > MOST_ADDED { enough.max(lack) } else { lack };
            too_small = enough;
            enough = enough.checked_add(more)?;
        }
        while enough - too_small > 1 {
            let middle = too_small + (enough - too_small) / 2;
            if lacks(middle)? == 0 { enough = middle } else { too_small = middle }
        }
        Some(enough)
    }
}

/// By how much a budget is too small; none when that is not what is wrong.
fn lacking(error: &CompileError) -> Option<u64> {
    match error {
        CompileError::MessageTooLarge { over_by, .. } | CompileError::OverBudget { over_by, .. } => {
            Some(*over_by)
        }
        CompileError::NoBudget | CompileError::UnknownProcessor { .. } => None,
    }
}
