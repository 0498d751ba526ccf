//! Findings with a bound: a hostile document has as many oddities as bytes.

use mentci_source::{Code, Finding, Severity, Source, Span};

const MOST: usize = 100;

/// What was odd, up to a bound; beyond it they are counted.
#[derive(Debug)]
pub(crate) struct Findings<'a> {
    source: &'a Source,
    found: Vec<Finding>,
    more: usize,
    /// What is odd in law is an error: a gate that is passed over would stand open.
    pub(crate) in_law: bool,
}

impl<'a> Findings<'a> {
    pub(crate) fn new(source: &'a Source) -> Self {
        Self { source, found: Vec::new(), more: 0, in_law: false }
    }

    /// Notes a finding; its texts are only made when it is kept.
    pub(crate) fn note(&mut self, code: Code, span: Span, message: impl FnOnce() -> String, help: &str) {
        if self.found.len() >= MOST {
            self.more += 1;
            return;
        }
        let finding = Finding::new(code, message()).help(help).at(self.source, span);
        let severity = if self.in_law { Severity::Error } else { code.severity() };
        self.found.push(finding.severity(severity));
    }

    /// In the order of their places.
    pub(crate) fn finish(mut self) -> Vec<Finding> {
        self.found.sort_by_key(|finding| finding.span);
        if let (1.., Some(last)) = (self.more, self.found.last_mut()) {
            last.message = format!("{}; and {} more places are odd", last.message, self.more);
        }
        self.found
    }
}
