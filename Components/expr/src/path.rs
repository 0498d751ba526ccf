//! Dotted paths into arguments.

/// A path as [`arg`](crate::Function::Arg) takes it: `a.b[0]`, `["a.b"].c`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArgPath {
    steps: Vec<Step>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    Key(String),
    Item(i64),
}
