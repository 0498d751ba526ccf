//! Whether a guard holds: yes, no, or a fault.

use mentci_expr::{Fault, FaultKind};

/// What a guard gave.
///
/// INVARIANT (order never matters): [`Truth::and`] and [`Truth::or`] are Kleene's. One part that surely does not hold makes
/// the whole surely not hold, whatever else faults; so an index may ask any part first.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Truth {
    Holds,
    Fails,
    Faults(Box<Fault>),
}

impl Truth {
    pub(crate) fn of(value: bool) -> Self {
        if value { Self::Holds } else { Self::Fails }
    }

    pub(crate) fn negated(self) -> Self {
        match self {
            Self::Holds => Self::Fails,
            Self::Fails => Self::Holds,
            fault @ Self::Faults(_) => fault,
        }
    }

    /// Whether it holds of some values of a list and not of others.
    pub(crate) fn is_mixed(&self) -> bool {
        matches!(self, Self::Faults(fault) if fault.kind == FaultKind::Mixed)
    }

    /// All of them: the first that fails decides, else the first fault.
    pub(crate) fn all(parts: impl Iterator<Item = Self>) -> Self {
        Self::fold(parts, &Self::Fails, Self::Holds)
    }

    /// One of them: the first that holds decides, else the first fault.
    pub(crate) fn any(parts: impl Iterator<Item = Self>) -> Self {
        Self::fold(parts, &Self::Holds, Self::Fails)
    }

    fn fold(parts: impl Iterator<Item = Self>, decides: &Self, otherwise: Self) -> Self {
        let mut fault = None;
        for part in parts {
            if part == *decides {
                return part;
            }
            // What cannot be decided at all weighs more than what is so of some values.
            let is_first = fault.as_ref().is_none_or(|fault: &Self| fault.is_mixed() && !part.is_mixed());
            if matches!(part, Self::Faults(_)) && is_first {
                fault = Some(part);
            }
        }
        fault.unwrap_or(otherwise)
    }
}

impl From<Result<bool, Fault>> for Truth {
    fn from(result: Result<bool, Fault>) -> Self {
        result.map_or_else(|fault| Self::Faults(Box::new(fault)), Self::of)
    }
}
