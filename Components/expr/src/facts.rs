//! What the world tells an expression.

use crate::{Fault, Function, Value, Variable};

/// Who answers for the world: the values of variables, and the functions that only a log can answer.
///
/// Implemented by whoever holds an event and its session; [`JsonFacts`](crate::JsonFacts) reads one from JSON.
/// Answers are the same for the same event: no clock, no randomness.
pub trait Facts {
    /// The value of a built-in variable; null where there is none.
    fn variable(&self, variable: Variable) -> Value<'_>;

    /// The value of a name that somebody declared; none where there is none.
    fn named<'a>(&'a self, scope: Named, name: &str) -> Option<Value<'a>>;

    /// Answers a function for which [`Function::asks_the_world`] holds. The arguments have been counted and have the
    /// types of its parameters.
    ///
    /// # Errors
    /// What the world cannot answer: [`FaultKind::Unanswered`](crate::FaultKind::Unanswered).
    fn call<'a>(&'a self, function: Function, arguments: &[Value<'a>]) -> Result<Value<'a>, Fault>;

    /// The wall clock of the event: in its own zone, or in `zone` (an IANA name, `UTC`, or `+02:00`). None where the
    /// event has no time or the zone is not known: `time_of_day` and `day_of_week` fault.
    fn local_time(&self, zone: Option<&str>) -> Option<LocalTime>;
}

/// Who declared a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Named {
    /// `<set var="…">`: a session variable, by its bare name.
    Variable,
    /// `parameters.…` of the rule.
    Parameter,
    /// `plugin.settings.…`.
    Setting,
    /// `context.state.get("…")`, `state.…`.
    State,
    /// `session("…")`: what is known about the session, and the ledger's counters.
    Session,
    /// `fact("…")`: what came with the event.
    Fact,
}

/// Minute and weekday.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LocalTime {
    /// Minutes since midnight, 0 to 1439.
    pub minute: u16,
    /// 0 is Monday, 6 is Sunday.
    pub weekday: u8,
}
