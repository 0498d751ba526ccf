//! The configuration in force: each value with the layer that says so. It is changed in files, not here.

use mentci_host::{Ask, ConfigRow, Request, StatusAnswer};
use mentci_page::Html;
use serde_json::Value;

use crate::answer::Done;
use crate::ask::asked;
use crate::frame::{Frame, Place, heading};
use crate::words::{count, sentence};
use crate::{Visit, notice};

/// `/settings`
pub(crate) fn page(ask: &dyn Ask, visit: &Visit) -> Done {
    let (config, findings) = asked!(ask, Request::Config, Config)?;
    let status = asked!(ask, Request::Status, Status).ok().map(|(status, _)| status);
    Frame::new(ask, visit, Place::Config, "Configuration").done(|html| {
        heading("Configuration", "Each value with the layer that says so. It is changed in `mentci.toml` and your own configuration.", html);
        notice::findings(&findings, html);
        if let Some(status) = &status {
            workspace(status, html);
        }
        html.own("<p><a href=\"/rules\">Rules</a> and <a href=\"/plugins\">plugins</a> have switches and values of their own.</p>");
        table(&config.values, html);
    })
}

fn workspace(status: &StatusAnswer, html: &mut Html) {
    let trusted = if status.trusted {
        "You trust its configuration and rules."
    } else {
        "You have not trusted it: it may only tighten. `policy-engine trust` changes that."
    };
    html.element("p", &[], |html| {
        html.own("The workspace ");
        html.leaf("code", &[], &status.root);
        html.text(&format!(
            " has {} and {}. ",
            count(status.skills, "skill"),
            count(status.sources, "source")
        ));
        sentence(trusted, html);
        for path in &status.untrusted {
            html.own(" ");
            html.leaf("code", &[], path);
        }
    });
}

fn table(rows: &[ConfigRow], html: &mut Html) {
    html.own("<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Configuration\"><table><thead><tr><th scope=\"col\">Key</th><th scope=\"col\">Value</th><th scope=\"col\">Said by</th><th scope=\"col\">What it does</th></tr></thead><tbody>");
    for row in rows {
        let class = if row.layer == "built-in" { "" } else { "own" };
        html.element("tr", &[("class", class)], |html| {
            html.element("th", &[("scope", "row")], |html| html.leaf("code", &[], row.key));
            html.element("td", &[], |html| match &row.value {
                Value::Null => html.own("<span class=\"soft\">unset</span>"),
                value => html.leaf("code", &[], &value.to_string()),
            });
            let said = row
                .origin
                .as_ref()
                .map_or_else(|| row.layer.to_owned(), |origin| format!("{}: {origin}", row.layer));
            html.leaf("td", &[], &said);
            html.element("td", &[("class", "soft")], |html| sentence(row.about, html));
        });
    }
    html.own("</tbody></table></div>");
}
