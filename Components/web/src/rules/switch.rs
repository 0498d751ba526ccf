//! The switch of a rule, or the lock that stands in its place, with its reason.

use mentci_host::policy::RuleRow;
use mentci_page::Html;

use crate::frame::{form, hidden};
use crate::{Visit, link};

/// Why a core rule has no switch.
const CORE: &str = "Core: it cannot be switched off, so that no agent rewrites its own rules.";
/// Why a rule that its file switches off has none.
const BY_FILE: &str = "Switched off in its file: change the file to switch it on.";
const NO_RIGHT: &str = "You may look, and not switch.";

/// The switch. `from` says which page it stands on, so that the same page is shown again.
pub(super) fn write(row: &RuleRow, from: &'static str, visit: &Visit, html: &mut Html) {
    let reason = locked(row, visit);
    let id = link::anchor("switch", &row.rule);
    let explained = format!("{id}-why");
    let label = format!("{} in force", row.rule);
    let mut said = vec![
        ("type", "submit"),
        ("role", "switch"),
        ("class", "switch"),
        ("id", id.as_str()),
        ("aria-checked", if row.enabled { "true" } else { "false" }),
        ("aria-label", label.as_str()),
    ];
    if reason.is_some() {
        said.extend([("disabled", ""), ("aria-describedby", explained.as_str())]);
    }
    form("/rule/switch", "switching", html, |html| {
        hidden("rule", &row.rule, html);
        hidden("from", from, html);
        hidden("enabled", if row.enabled { "false" } else { "true" }, html);
        html.element("button", &said, |html| {
            html.own("<span class=\"knob\" aria-hidden=\"true\"></span>");
            html.leaf("span", &[("class", "state")], if row.enabled { "On" } else { "Off" });
        });
    });
    if let Some(reason) = reason {
        let class = if row.core { "lock" } else { "lock open" };
        html.element("p", &[("class", class), ("id", &explained)], |html| {
            html.own(LOCK);
            html.leaf("span", &[], reason);
        });
    }
}

const LOCK: &str = "<svg viewBox=\"0 0 16 16\" width=\"14\" height=\"14\" aria-hidden=\"true\" focusable=\"false\"><rect x=\"3\" y=\"7\" width=\"10\" height=\"7\" rx=\"1.5\"></rect><path d=\"M5 7V5a3 3 0 0 1 6 0v2\"></path></svg>";

fn locked(row: &RuleRow, visit: &Visit) -> Option<&'static str> {
    let by_file = !row.enabled && !row.stated;
    if row.core {
        Some(CORE)
    } else if by_file {
        Some(BY_FILE)
    } else {
        (!visit.viewer.may_act).then_some(NO_RIGHT)
    }
}
