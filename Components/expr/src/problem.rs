//! What is wrong with an expression.

use mentci_source::{Code, Finding, Severity, Source, Span};

/// One problem, at bytes of the expression's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The stable code.
    pub code: Code,
    /// An error refuses the expression, a warning does not.
    pub severity: Severity,
    /// Where.
    pub span: Span,
    /// What is wrong, lower case, the user's words in backticks.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
}

impl Problem {
    /// A problem with the severity of its code, and what that [advises](Code::advice).
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        let help = code.advice().map(str::to_owned);
        Self { code, severity: code.severity(), span, message: message.into(), help }
    }

    /// Adds what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds `did you mean` where something is near.
    #[must_use]
    pub fn meant(mut self, near: Option<&str>) -> Self {
        if let Some(near) = near {
            self.help = Some(format!("did you mean `{near}`?"));
        }
        self
    }

    /// Whether it refuses the expression.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// The finding, where the expression's text starts at byte `start` of `source` and stands there as it is.
    pub fn finding(&self, source: &Source, start: usize) -> Finding {
        let span = Span::new(start + self.span.start as usize, start + self.span.end as usize);
        let finding = Finding::new(self.code, self.message.clone()).severity(self.severity).at(source, span);
        match &self.help {
            Some(help) => finding.help(help.clone()),
            None => finding,
        }
    }
}
