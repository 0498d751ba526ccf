//! The digest as it was: its versions, and what changed between two.

use mentci_host::{Ask, DigestDiff, DigestVersion, HistoryRequest, Request};
use mentci_page::Html;
use mentci_source::Finding;

use crate::ask::{Trouble, asked};
use crate::{Visit, moment, notice};

/// The versions, and the change that was asked for.
pub(super) struct History {
    versions: Vec<DigestVersion>,
    from: String,
    to: String,
    diff: Option<Result<DigestDiff, Vec<Finding>>>,
}

impl History {
    /// What the visit asks for; where versions cannot be told there are none.
    pub(super) fn of(ask: &dyn Ask, visit: &Visit) -> Self {
        let versions = asked!(ask, Request::History(HistoryRequest::List), History);
        let versions = versions.map_or_else(|_| Vec::new(), |(answer, _)| answer.versions);
        let (from, to) = (visit.query.text("from").to_owned(), visit.query.text("to").to_owned());
        let diff = (!from.is_empty()).then(|| {
            let request =
                HistoryRequest::Diff { from: from.clone(), to: (!to.is_empty()).then(|| to.clone()) };
            let told = asked!(ask, Request::History(request), DigestDiff);
            told.map(|(diff, _)| diff).map_err(|Trouble(findings)| findings)
        });
        Self { versions, from, to, diff }
    }

    pub(super) fn write(&self, visit: &Visit, html: &mut Html) {
        html.own("<section aria-labelledby=\"history\"><h2 id=\"history\">What changed</h2>");
        if self.versions.len() < 2 {
            html.own("<p class=\"soft\">As soon as the digest moves, its versions are compared here.</p>");
        } else {
            self.choose(visit, html);
        }
        match &self.diff {
            None => {}
            Some(Err(findings)) => notice::findings(findings, html),
            Some(Ok(diff)) => changed(diff, html),
        }
        html.own("</section>");
    }

    fn choose(&self, visit: &Visit, html: &mut Html) {
        html.element("form", &[("method", "get"), ("action", "/law#history"), ("class", "filter")], |html| {
            self.choice("From", "from", &self.or_version(&self.from, 1), visit, html);
            self.choice("To", "to", &self.or_version(&self.to, 0), visit, html);
            html.own("<button type=\"submit\" class=\"quiet\">Compare</button>");
        });
    }

    /// What was asked for, or else a version: the newest is 0.
    fn or_version(&self, asked: &str, at: usize) -> String {
        let version = self.versions.get(at).map(|version| version.hash.to_string());
        if asked.is_empty() { version.unwrap_or_default() } else { asked.to_owned() }
    }

    fn choice(&self, label: &'static str, name: &str, chosen: &str, visit: &Visit, html: &mut Html) {
        html.element("label", &[], |html| {
            html.own(label);
            html.own(" ");
            html.element("select", &[("name", name)], |html| {
                for version in &self.versions {
                    let hash = version.hash.to_string();
                    let mut said = vec![("value", hash.as_str())];
                    if hash == chosen {
                        said.push(("selected", ""));
                    }
                    let at = moment::read(&version.at);
                    let when = at.map_or_else(|| version.at.clone(), |at| moment::since(at.ms, visit.now.ms));
                    html.leaf("option", &said, &format!("{} · {when}", version.hash.short(12)));
                }
            });
        });
    }
}

fn changed(diff: &DigestDiff, html: &mut Html) {
    if diff.lines.is_empty() {
        html.own("<p class=\"outcome\" role=\"status\">The same line for line.</p>");
        return;
    }
    html.element("ul", &[("class", "diff"), ("id", "diff")], |html| {
        for line in &diff.lines {
            let (class, sign, spoken) = match line.chars().next() {
                Some('+') => ("came", "+", "came: "),
                Some('-') => ("went", "−", "went: "),
                _ => ("", "", ""),
            };
            html.element("li", &[("class", class)], |html| {
                html.leaf("span", &[("aria-hidden", "true")], sign);
                html.leaf("span", &[("class", "unseen")], spoken);
                html.text(line.trim_start_matches(['+', '-']));
            });
        }
    });
}
