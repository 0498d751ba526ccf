//! Why an evaluation gave no value, and how much work it may do.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The kinds of faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// A value that is not there was ordered, counted with or searched: milder, see `Library/grammar.md`.
    Absent,
    /// A value has the wrong type.
    Type,
    /// It holds of some values of a list and not of others: neither true nor false of the list.
    Mixed,
    /// A division by zero.
    ZeroDivision,
    /// A number does not fit.
    Overflow,
    /// A guard gave something else than true or false.
    NotBoolean,
    /// The work, a text or a list is over its bound.
    Budget,
    /// A pattern, path or schedule that does not read.
    Pattern,
    /// A name that nothing stands for.
    Name,
    /// The facts cannot answer.
    Unanswered,
}

/// A fault: the expression has no value. Never dropped: who evaluates a gate closes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// Its kind.
    pub kind: FaultKind,
    /// What happened, lower case, no final period.
    pub message: String,
}

impl Fault {
    /// A fault.
    pub fn new(kind: FaultKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Fault {}

/// How much an evaluation may still do, in steps that are the same on every machine: one for each operation, item and
/// 64 bytes of text that are looked at.
///
/// ```
/// use mentci_expr::{Budget, FaultKind};
/// let mut budget = Budget::new(2);
/// assert!(budget.spend(2).is_ok());
/// assert_eq!(budget.spend(1).unwrap_err().kind, FaultKind::Budget);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Budget {
    steps: u64,
    /// The largest text that an expression may make, in bytes.
    pub max_text: usize,
    /// The most items that a list which an expression makes may have.
    pub max_items: usize,
}

impl Budget {
    /// Steps of one guard by default.
    pub const STEPS: u64 = 1_000_000;

    /// A budget of so many steps, with the default bounds of texts (8 MiB) and lists (100,000 items).
    pub fn new(steps: u64) -> Self {
        Self { steps, max_text: 8 << 20, max_items: 100_000 }
    }

    /// The steps that are left.
    pub fn left(&self) -> u64 {
        self.steps
    }

    /// Takes steps.
    ///
    /// # Errors
    /// [`FaultKind::Budget`] when fewer are left; then none are.
    #[inline]
    pub fn spend(&mut self, steps: u64) -> Result<(), Fault> {
        match self.steps.checked_sub(steps) {
            Some(left) => {
                self.steps = left;
                Ok(())
            }
            None => Err(self.exhausted()),
        }
    }

    #[cold]
    fn exhausted(&mut self) -> Fault {
        self.steps = 0;
        Fault::new(FaultKind::Budget, "the expression took more steps than it may")
    }

    /// Takes the steps of looking at so many bytes.
    pub(crate) fn read(&mut self, bytes: usize) -> Result<(), Fault> {
        self.spend(bytes as u64 / 64)
    }

    /// Takes the steps of making a text of so many bytes.
    pub(crate) fn write(&mut self, bytes: usize) -> Result<(), Fault> {
        if bytes > self.max_text {
            return Err(Fault::new(
                FaultKind::Budget,
                format!("a text would be longer than {} bytes", self.max_text),
            ));
        }
        self.read(bytes)
    }

    /// Takes the steps of making a list of so many items.
    pub(crate) fn gather(&mut self, items: usize) -> Result<(), Fault> {
        if items > self.max_items {
            return Err(Fault::new(
                FaultKind::Budget,
                format!("a list would have more than {} items", self.max_items),
            ));
        }
        self.spend(items as u64)
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self::new(Self::STEPS)
    }
}
