//! A session through other rules: only what they decide differently.

use mentci_authority::Verdict;
use mentci_host::policy::Line;
use mentci_page::Html;

use super::Desk;
use crate::frame::hidden;
use crate::words::{effect, sentence};
use crate::{link, notice};

pub(super) fn write(desk: &Desk, html: &mut Html) {
    html.own("<section aria-labelledby=\"replay\"><h2 id=\"replay\">Replay against other rules</h2>");
    html.own("<p class=\"soft\">What would have been decided differently. Nothing happens, and nothing is remembered.</p>");
    html.element("form", &[("method", "get"), ("action", "/session#replay"), ("class", "filter")], |html| {
        hidden("id", &desk.events.session, html);
        html.own("<label>Files or folders of rules <input type=\"text\" name=\"against\" list=\"packs\" placeholder=\"builtin\" value=\"");
        html.text(&desk.against);
        html.own("\"></label><datalist id=\"packs\"><option value=\"builtin\"></option><option value=\".pi/rules\"></option></datalist>");
        html.own("<button type=\"submit\" class=\"quiet\">Replay</button>");
    });
    match &desk.replayed {
        None => {}
        Some(Err(findings)) => notice::findings(findings, html),
        Some(Ok((lines, odd))) => {
            notice::findings(odd, html);
            differences(lines, html);
        }
    }
    html.own("</section>");
}

fn differences(lines: &[Line], html: &mut Html) {
    if lines.is_empty() {
        html.own("<p class=\"outcome\" role=\"status\">The same in every event.</p>");
        return;
    }
    html.own("<div class=\"wide\"><table><thead><tr><th scope=\"col\">Event</th><th scope=\"col\">Rules in force</th><th scope=\"col\">The other rules</th></tr></thead><tbody>");
    for line in lines {
        if let Line::Difference { line, was, is } = line {
            html.element("tr", &[], |html| {
                html.leaf("th", &[("scope", "row"), ("class", "number")], &line.to_string());
                html.element("td", &[], |html| verdict(was, html));
                html.element("td", &[], |html| verdict(is, html));
            });
        }
    }
    html.own("</tbody></table></div>");
}

fn verdict(verdict: &Verdict, html: &mut Html) {
    effect(verdict.decision, html);
    for reason in &verdict.reasons {
        html.element("p", &[], |html| {
            html.leaf("a", &[("href", &link::rule(&reason.rule))], &reason.rule);
            html.own(" ");
            html.element("span", &[("class", "soft")], |html| sentence(&reason.message, html));
        });
    }
}

/// A line as it stands in a log.
pub(super) fn written(line: &Line) -> String {
    match line {
        Line::Text(text) | Line::Told(text) => text.clone(),
        Line::Value(value) => value.to_string(),
        other => serde_json::to_string(other).unwrap_or_default(),
    }
}

/// Whether a path names something of the workspace: a page is no way to other files.
pub(super) fn is_inside(path: &str) -> bool {
    let is_plain = !path.starts_with(['/', '\\', '~', '-']) && !path.contains(':');
    is_plain && path.split(['/', '\\']).all(|part| part != "..")
}

#[cfg(test)]
mod tests {
    use super::is_inside;

    #[test]
    fn only_paths_of_the_workspace_are_replayed() {
        for (path, inside) in [
            ("builtin", true),
            (".pi/rules/git.yaml", true),
            ("/etc/passwd", false),
            ("../other", false),
            (".pi/../../other", false),
            ("~/rules", false),
            ("C:\\rules", false),
        ] {
            assert_eq!(is_inside(path), inside, "{path}");
        }
    }
}
