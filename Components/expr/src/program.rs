//! Compiled expressions.

use crate::Expr;

/// A flat program: names resolved, paths and schedules read, patterns compiled when they are first used.
#[derive(Debug)]
pub struct Compiled {
    root: u32,
}

impl Compiled {
    /// Compiles. What does not pass [`check`](crate::check) compiles to a fault.
    pub fn new(expr: &Expr) -> Self {
        let _ = expr;
        Self { root: 0 }
    }

    pub(crate) fn root(&self) -> u32 {
        self.root
    }
}
