//! A bound on the work that checking one answer takes.
//!
//! INVARIANT (counted steps): every subschema that is visited counts one step. A schema can ask for exponentially many
//! visits (alternatives that hold each other), which no bound on its size excludes; so each object of the schema is given a
//! keyword of ours that counts, and that unwinds out of the check when the steps of one answer are used up.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use jsonschema::{Keyword, ValidationError, ValidationOptions};
use serde_json::Value;

use super::places;

/// Our keyword. No schema can say it by itself to any effect.
const KEYWORD: &str = "x-mentci-step";

thread_local! {
    /// The steps that are left to the check that runs on this thread.
    static LEFT: Cell<u64> = const { Cell::new(u64::MAX) };
}

/// What unwinds when the steps are used up.
struct UsedUp;

struct Step;

impl<'i> Keyword<'i> for Step {
    fn validate(&self, _: &'i Value) -> Result<(), ValidationError<'i>> {
        count();
        Ok(())
    }

    fn is_valid(&self, _: &'i Value) -> bool {
        count();
        true
    }
}

fn count() {
    let left = LEFT.get();
    if left == 0 {
        // No panic's hook runs: nothing is printed, and `within` is always further up.
        resume_unwind(Box::new(UsedUp));
    }
    LEFT.set(left - 1);
}

/// The options, with the keyword that counts.
pub(super) fn counted(options: ValidationOptions<'_>) -> ValidationOptions<'_> {
    options.with_keyword(KEYWORD, |_, _, _| Ok(Box::new(Step)))
}

/// Runs a check within a number of steps; nothing when they are used up, or the check itself panics.
pub(super) fn within<T>(steps: u64, check: impl FnOnce() -> T) -> Option<T> {
    let before = LEFT.replace(steps);
    let checked = catch_unwind(AssertUnwindSafe(check));
    LEFT.set(before);
    checked.ok()
}

/// The schema with the keyword in every object that is a schema. Recursion is bounded by the schema's depth.
pub(super) fn mark(mut schema: Value) -> Value {
    mark_in(&mut schema);
    schema
}

fn mark_in(schema: &mut Value) {
    let Some(map) = schema.as_object_mut() else { return };
    places::inside_mut(map).for_each(mark_in);
    map.insert(KEYWORD.to_owned(), Value::Bool(true));
}
