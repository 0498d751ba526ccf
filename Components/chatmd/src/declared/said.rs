//! The attributes of a declaration: each is taken once, and what nobody takes is a finding.

use mentci_source::{Code, Finding, Source, Span, did_you_mean};

use crate::{Attribute, Block};

/// A block whose attributes are taken one by one.
pub(crate) struct Said<'a> {
    source: &'a Source,
    pub(crate) block: &'a Block,
    findings: &'a mut Vec<Finding>,
}

impl<'a> Said<'a> {
    pub(crate) fn new(source: &'a Source, block: &'a Block, findings: &'a mut Vec<Finding>) -> Self {
        Self { source, block, findings }
    }

    /// The text of an attribute; `None` where it is missing or empty.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        let attribute = self.block.attribute(name).filter(|attribute| attribute.value.is_some())?;
        Some(attribute.text().to_owned()).filter(|text| !text.trim().is_empty())
    }

    /// Names with commas between them.
    pub(crate) fn names(&self, name: &str) -> Vec<String> {
        let text = self.text(name).unwrap_or_default();
        text.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect()
    }

    /// `true` for a bare name, `"true"` and `""`; `false` for `"false"` and where it is missing.
    pub(crate) fn switch(&mut self, name: &str) -> bool {
        let block = self.block;
        let Some(attribute) = block.attribute(name) else { return false };
        match attribute.text().trim() {
            "true" | "" | "1" | "yes" => true,
            "false" | "0" | "no" => false,
            _ => {
                self.odd_value(attribute, "`true` or `false`");
                false
            }
        }
    }

    /// A value that `read` understands; otherwise a finding that says what was `wanted`.
    pub(crate) fn value<T>(
        &mut self,
        name: &str,
        wanted: &str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        let block = self.block;
        let attribute = block.attribute(name)?;
        let value = read(attribute.text().trim());
        if value.is_none() {
            self.odd_value(attribute, wanted);
        }
        value
    }

    fn odd_value(&mut self, attribute: &Attribute, wanted: &str) {
        let message = format!(
            "`{}` must be {wanted}, not `{}`",
            attribute.name,
            crate::read::shortened(attribute.text())
        );
        self.note(attribute.span, message, "it is left out");
    }

    /// A finding for each attribute that is not one of `known`, and for each that is said twice.
    pub(crate) fn expect(&mut self, known: &[&str]) {
        let block = self.block;
        for (at, attribute) in block.attributes().iter().enumerate() {
            let name = attribute.name.as_str();
            if !known.contains(&name) {
                let help = match did_you_mean(name, known.iter().copied()) {
                    Some(meant) => format!("did you mean `{meant}`?"),
                    None => format!("`<{}>` knows {}", block.name(), listed(known)),
                };
                self.note(attribute.name_span, format!("unknown attribute `{name}`"), help);
            } else if block.attributes()[..at].iter().any(|earlier| earlier.name == name) {
                self.note(attribute.name_span, format!("`{name}` is said twice"), "the first one stands");
            }
        }
    }

    /// A finding about the whole block.
    pub(crate) fn odd(&mut self, message: impl Into<String>, help: impl Into<String>) {
        self.note(super::opening(self.block), message, help);
    }

    /// A finding about an attribute.
    pub(crate) fn odd_at(&mut self, name: &str, message: impl Into<String>, help: impl Into<String>) {
        let span = self.block.attribute(name).map_or_else(|| super::opening(self.block), |found| found.span);
        self.note(span, message, help);
    }

    fn note(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        let finding = Finding::new(Code::CHATMD_DECLARATION, message).help(help);
        self.findings.push(finding.at(self.source, span));
    }
}

fn listed(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
