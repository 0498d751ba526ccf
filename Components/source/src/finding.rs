//! What is odd, where, and what to do about it.

use std::fmt;
use std::sync::Arc;

use serde::Serialize;

use crate::{Code, Source, Span};

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing; nothing was lost.
    Note,
    /// Something is not as its author meant it; `check` fails.
    Warning,
    /// Something could not be read or kept; the last good state stays.
    Error,
}

/// One finding: a stable code, a message in lower case without a final period, help on its own line, a place.
///
/// Serialises as `{code, name, severity, message, help, path, line, column}`; absent parts are `null`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The stable code.
    #[serde(flatten)]
    pub code: Code,
    /// How much it matters: the code's own severity unless raised or lowered.
    pub severity: Severity,
    /// What is odd, with the user's words in backticks.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
    /// The file, relative to the workspace.
    pub path: Option<Arc<str>>,
    /// Line, from 1.
    pub line: Option<u32>,
    /// Column in characters, from 1.
    pub column: Option<u32>,
    /// The bytes it is about, for snippets.
    #[serde(skip)]
    pub span: Option<Span>,
}

impl Finding {
    /// A finding without a place, with what its code [advises](Code::advice).
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: code.severity(),
            message: message.into(),
            help: code.advice().map(str::to_owned),
            path: None,
            line: None,
            column: None,
            span: None,
        }
    }

    /// Adds what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Sets the place to `span` of `source`.
    #[must_use]
    pub fn at(mut self, source: &Source, span: Span) -> Self {
        let place = source.place(span.start as usize);
        self.path = Some(source.path().clone());
        (self.line, self.column, self.span) = (Some(place.line), Some(place.column), Some(span));
        self
    }

    /// Sets the place to a whole file.
    #[must_use]
    pub fn in_file(mut self, path: &str) -> Self {
        self.path = Some(path.into());
        self
    }

    /// Changes the severity.
    #[must_use]
    pub fn severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }
}

/// `path:line:column: severity[code]: message`, and the help on its own line.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = &self.path {
            write!(f, "{path}:")?;
            if let (Some(line), Some(column)) = (self.line, self.column) {
                write!(f, "{line}:{column}:")?;
            }
            f.write_str(" ")?;
        }
        let severity = match self.severity {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        write!(f, "{severity}[{}]: {}", self.code.id(), self.message)?;
        if let Some(help) = &self.help {
            write!(f, "\n  help: {help}")?;
        }
        Ok(())
    }
}

/// What reading gives, always: a value, and the findings beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading<T> {
    /// What could be read.
    pub value: T,
    /// What was odd.
    pub findings: Vec<Finding>,
}

impl<T> Reading<T> {
    /// A reading without findings.
    pub fn clean(value: T) -> Self {
        Self { value, findings: Vec::new() }
    }

    /// Turns the value into another, keeping the findings.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Reading<U> {
        Reading { value: f(self.value), findings: self.findings }
    }

    /// Hands the findings to `sink` and keeps the value.
    pub fn take(self, sink: &mut Vec<Finding>) -> T {
        sink.extend(self.findings);
        self.value
    }
}
