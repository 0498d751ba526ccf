//! Where a client can show its model what it is told.

use crate::{Effect, Hook};

/// The hooks at which a client shows its model what it is told. What is to be read where it shows nothing waits for the first
/// of these at which it fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeardAt {
    /// Where nothing is denied.
    pub hooks: &'static [Hook],
    /// Those where it shows it beside a denial too.
    pub denied: &'static [Hook],
    /// Whether the same answer denies something else already.
    pub is_denied: bool,
    /// Whether it asks about what is typed into a program that runs already.
    pub hears_typing: bool,
}

impl HeardAt {
    /// Whether the model is shown something at a hook that ends so.
    pub fn hears(&self, hook: Hook, effect: Effect) -> bool {
        let is_denied = self.is_denied || matches!(effect, Effect::Block | Effect::Approve);
        let hooks = if is_denied { self.denied } else { self.hooks };
        hooks.contains(&hook)
    }
}
