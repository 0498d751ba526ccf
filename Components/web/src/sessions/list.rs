//! All sessions of the log.

use mentci_host::session::SessionTotals;
use mentci_page::{Html, grouped};
use mentci_source::Finding;

use crate::frame::{empty, heading};
use crate::{Visit, link, moment, notice};

pub(super) fn write(rows: &[SessionTotals], findings: &[Finding], visit: &Visit, html: &mut Html) {
    heading("Sessions", "What agents did in this workspace, the last used first.", html);
    notice::findings(findings, html);
    if rows.is_empty() {
        let help = "A session is remembered from its first event on: `policy-engine install` connects an agent, `policy-engine session import` brings one in.";
        return empty("No session yet", help, html);
    }
    html.own("<div class=\"wide\" id=\"sessions\" data-live=\"\"><table><thead><tr><th scope=\"col\">Session</th><th scope=\"col\">Last used</th><th scope=\"col\">Began</th><th scope=\"col\">Events</th><th scope=\"col\">State</th></tr></thead><tbody>");
    for row in rows {
        html.element("tr", &[("id", &link::anchor("session", &row.session))], |html| one(row, visit, html));
    }
    html.own("</tbody></table></div>");
}

fn one(row: &SessionTotals, visit: &Visit, html: &mut Html) {
    html.element("th", &[("scope", "row")], |html| {
        html.leaf("a", &[("href", &link::session(&row.session))], &row.session);
    });
    for at in [&row.last, &row.first] {
        html.element("td", &[], |html| match moment::read(at) {
            Some(at) => moment::ago(at, visit.now, html),
            None => html.own("<span class=\"soft\">unknown</span>"),
        });
    }
    html.leaf("td", &[("class", "number")], &grouped(row.events));
    html.element("td", &[], |html| match &row.stopped {
        Some(why) => html.leaf("span", &[("class", "mark block")], &format!("stopped: {why}")),
        None => html.own("<span class=\"soft\">runs</span>"),
    });
}
