//! The machines that run scripts.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use crate::luau::Machine;
use crate::{Facts, Limits, Ran, Script, ScriptAction, ScriptError};

/// How many machines wait for the next run.
const MAX_IDLE: usize = 8;

/// The machines that run scripts: taken for one run, then put back.
///
/// A machine keeps the functions of the scripts that it ran, by their hash. Nothing that a run wrote is seen by another:
/// its globals are its own, all else is read-only. A machine that was stopped is thrown away.
///
/// ```
/// # #[cfg(feature = "luau")] {
/// use std::sync::Arc;
/// use mentci_script::{Facts, Limits, Script, ScriptOutcome, Scripts};
/// let scripts = Scripts::new(|| 0);
/// let script = Script::compile("budget.luau", "return turn.token_usage > 0.8")?;
/// let facts: Arc<dyn Facts> = Arc::new(serde_json::json!({"turn": {"token_usage": 0.85}}));
/// assert_eq!(scripts.run(&script, &facts, &Limits::default())?.outcome, ScriptOutcome::Match);
///
/// let endless = Script::compile("endless.luau", "while true do end")?;
/// let error = scripts.run(&endless, &facts, &Limits { steps: 1_000, ..Limits::default() }).unwrap_err();
/// assert_eq!(error.to_string(), "endless.luau:1: stopped after 1000 steps");
/// # }
/// # Ok::<(), mentci_script::ScriptError>(())
/// ```
pub struct Scripts {
    idle: Mutex<Vec<Machine>>,
    clock: Arc<dyn Fn() -> u64 + Send + Sync>,
    check: Check,
}

/// What is wrong with an action, if something is.
pub(crate) type Check = Arc<dyn Fn(&ScriptAction) -> Option<String> + Send + Sync>;

impl Scripts {
    /// Machines on a clock, in milliseconds since whenever.
    pub fn new(clock: impl Fn() -> u64 + Send + Sync + 'static) -> Self {
        Self { idle: Mutex::default(), clock: Arc::new(clock), check: Arc::new(|_| None) }
    }

    /// The same, where an action that a function asks for may be wrong: that is raised at the script's line.
    #[must_use]
    pub fn checking(self, check: impl Fn(&ScriptAction) -> Option<String> + Send + Sync + 'static) -> Self {
        Self { check: Arc::new(check), ..self }
    }

    /// Runs a script. Runs on several threads do not wait for each other.
    ///
    /// # Errors
    /// Any [`crate::Fault`] but `TooLong` and `Syntax`. What the script asked for before is then gone.
    pub fn run(&self, script: &Script, facts: &Arc<dyn Facts>, limits: &Limits) -> Result<Ran, ScriptError> {
        self.in_machine(script, |machine| machine.run(script, facts, limits))?
    }

    /// The line at which a script returns its answer, where it takes few steps to it: for whoever finds fault with the answer.
    pub fn returned_at(&self, script: &Script, facts: &Arc<dyn Facts>, limits: &Limits) -> Option<u32> {
        self.in_machine(script, |machine| machine.returned_at(script, facts, limits)).ok()?
    }

    fn in_machine<T>(&self, script: &Script, work: impl FnOnce(&mut Machine) -> T) -> Result<T, ScriptError> {
        let idle = self.idle().pop();
        let mut machine = match idle {
            Some(machine) => machine,
            None => Machine::start(&self.clock, &self.check, script.name())?,
        };
        let done = work(&mut machine);
        if machine.is_fit() {
            self.put_back(machine);
        }
        Ok(done)
    }

    fn put_back(&self, machine: Machine) {
        let mut idle = self.idle();
        if idle.len() < MAX_IDLE {
            idle.push(machine);
        }
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Machine>> {
        // OK because a push and a pop leave the list whole.
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Scripts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scripts").field("idle", &self.idle().len()).finish_non_exhaustive()
    }
}
