//! The build without Luau: every script is refused, by name.

use std::sync::Arc;

use crate::{Facts, Fault, Limits, Ran, Script, ScriptError};

pub(crate) fn compile(name: &str, _: &str) -> Result<Vec<u8>, ScriptError> {
    Err(not_built(name))
}

pub(crate) struct Machine;

impl Machine {
    pub(crate) fn start(_: &Arc<dyn Fn() -> u64 + Send + Sync>, name: &str) -> Result<Self, ScriptError> {
        Err(not_built(name))
    }

    #[expect(clippy::unused_self, reason = "the shape of the real one")]
    pub(crate) fn run(
        &mut self,
        script: &Script,
        _: &Arc<dyn Facts>,
        _: &Limits,
    ) -> Result<Ran, ScriptError> {
        Err(not_built(script.name()))
    }

    #[expect(clippy::unused_self, reason = "the shape of the real one")]
    pub(crate) fn is_fit(&self) -> bool {
        false
    }
}

fn not_built(name: &str) -> ScriptError {
    ScriptError::new(
        name,
        Fault::NotBuilt,
        "this build runs no scripts: it was built without the feature `luau`",
    )
}
