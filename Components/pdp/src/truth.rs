//! Whether a guard holds: yes, no, or a fault.

use mentci_expr::Fault;

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
            if let (Self::Faults(_), None) = (&part, &fault) {
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
