//! What the host found odd, and what was done.

use mentci_page::Html;
use mentci_source::{Finding, Severity};

use crate::words::sentence;

/// A call that a person answered.
pub(crate) struct Call {
    pub(crate) tool: String,
    pub(crate) args: String,
    pub(crate) session: String,
}

/// What a person did, and to which call, told to eyes and to screen readers.
pub(crate) fn done(word: Option<&str>, about: Option<&Call>, html: &mut Html) {
    let Some(said) = word.and_then(crate::done::sentence) else { return };
    html.element("p", &[("class", "notice done"), ("role", "status")], |html| {
        html.text(said);
        if let Some(call) = about {
            html.own(" It was ");
            html.leaf("code", &[], &format!("{} {}", call.tool, call.args));
            html.own(" in the session ");
            html.leaf("code", &[], &call.session);
            html.own(".");
        }
    });
}

/// Findings, the gravest first; nothing where there are none.
pub(crate) fn findings(findings: &[Finding], html: &mut Html) {
    if findings.is_empty() {
        return;
    }
    let mut sorted: Vec<&Finding> = findings.iter().collect();
    sorted.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    let role = if sorted[0].severity == Severity::Error { "alert" } else { "note" };
    html.element("div", &[("class", "notices"), ("role", role)], |html| {
        for finding in sorted {
            let class = format!("notice {}", name(finding.severity));
            html.element("div", &[("class", &class)], |html| one(finding, html));
        }
    });
}

fn one(finding: &Finding, html: &mut Html) {
    html.leaf("strong", &[], &format!("{} ", finding.code.id()));
    sentence(&finding.message, html);
    if let Some(help) = &finding.help {
        html.element("p", &[("class", "soft")], |html| sentence(help, html));
    }
    if let Some(place) = place(finding) {
        html.leaf("p", &[("class", "place")], &place);
    }
}

fn place(finding: &Finding) -> Option<String> {
    let path = finding.path.as_ref()?;
    Some(match (finding.line, finding.column) {
        (Some(line), Some(column)) => format!("{path}:{line}:{column}"),
        _ => path.to_string(),
    })
}

fn name(severity: Severity) -> &'static str {
    match severity {
        Severity::Note => "note",
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
}
