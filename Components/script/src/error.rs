//! Why a script gave no answer.

use std::fmt;

/// Why a script gave no answer, and where.
///
/// Prints as `file:line: message`, as compilers do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct ScriptError {
    /// The name under which the script was compiled.
    pub file: String,
    /// The line, from 1; `None` where there is none, as for a return value.
    pub line: Option<u32>,
    /// What kind of trouble it is.
    pub fault: Fault,
    /// What happened, in lower case, at most 1,000 characters.
    pub message: String,
}

/// The kinds of trouble.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// This build has no Luau.
    NotBuilt,
    /// The source is longer than [`crate::MAX_SCRIPT_BYTES`].
    TooLong,
    /// The source does not parse.
    Syntax,
    /// The script raised an error.
    Raised,
    /// It took more steps than allowed.
    Steps,
    /// It took more time than allowed.
    Time,
    /// It wanted more memory than allowed.
    Memory,
    /// It asked for more actions than allowed.
    Actions,
    /// It handed more to functions than allowed.
    Output,
    /// It returned what is no answer.
    Answer,
    /// It only defines functions, and none by which scripts are asked.
    Unasked,
}

impl ScriptError {
    pub(crate) fn new(file: &str, fault: Fault, message: impl Into<String>) -> Self {
        Self { file: file.to_owned(), line: None, fault, message: bounded(message.into()) }
    }

    #[cfg(feature = "luau")]
    pub(crate) fn at(self, line: Option<u32>) -> Self {
        Self { line, ..self }
    }
}

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.file, self.message),
            None => write!(f, "{}: {}", self.file, self.message),
        }
    }
}

/// A script may raise megabytes.
fn bounded(message: String) -> String {
    match message.char_indices().nth(1000) {
        Some((end, _)) => format!("{}…", &message[..end]),
        None => message,
    }
}
