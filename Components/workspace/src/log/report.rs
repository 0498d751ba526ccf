//! The log as a page to print.

use std::collections::BTreeMap;
use std::fmt::Write;

use mentci_authority::Effect;
use mentci_host::{LogRow, asker};
use mentci_store::Audit;

use super::csv::plain;

/// How many lines of denials and of people's acts the page shows.
const SHOWN: u64 = 500;

/// What adds up while lines go by.
#[derive(Debug, Default)]
pub(super) struct Report {
    lines: u64,
    first: Option<String>,
    last: Option<String>,
    decisions: BTreeMap<&'static str, u64>,
    rules: BTreeMap<String, u64>,
    tools: BTreeMap<String, [u64; 2]>,
    refused: Shown,
    people: Shown,
}

/// The newest rows of a kind, and how many there were.
#[derive(Debug, Default)]
struct Shown {
    rows: std::collections::VecDeque<String>,
    all: u64,
}

impl Shown {
    fn push(&mut self, row: String) {
        self.all += 1;
        if self.rows.len() as u64 == SHOWN {
            self.rows.pop_front();
        }
        self.rows.push_back(row);
    }
}

impl Report {
    pub(super) fn add(&mut self, row: &LogRow) {
        self.lines += 1;
        let at = row.at.map(|at| at.to_string());
        if self.first.is_none() {
            self.first.clone_from(&at);
        }
        self.last = at.or(self.last.take());
        match row.decision {
            Some(decision) => self.decided(row, decision),
            None => self.people.push(cells(&[
                &when(row),
                &row.what,
                row.by.as_deref().unwrap_or_default(),
                &row.session,
                row.of.as_deref().or(row.approval.as_deref()).unwrap_or_default(),
                &plain(&row.to),
                row.why.as_deref().unwrap_or_default(),
            ])),
        }
    }

    fn decided(&mut self, row: &LogRow, decision: Effect) {
        *self.decisions.entry(decision.name()).or_default() += 1;
        for rule in &row.rules {
            *self.rules.entry(rule.clone()).or_default() += 1;
        }
        let refuses = matches!(decision, Effect::Block | Effect::Approve);
        if let Some(tool) = row.tool.as_ref().filter(|_| row.what == "pre_tool_call") {
            let counts = self.tools.entry(tool.clone()).or_default();
            counts[0] += 1;
            counts[1] += u64::from(refuses);
        }
        if refuses {
            let (tool, args) = (row.tool.as_deref().unwrap_or_default(), row.args.to_string());
            let rules = row.rules.join(", ");
            let who = asker(row.caller.as_deref(), row.sender.as_deref()).unwrap_or_default();
            self.refused.push(cells(&[&when(row), decision.name(), tool, &args, &rules, &row.session, &who]));
        }
    }

    /// The page: it stands by itself, and asks for nothing else.
    pub(super) fn page(self, audit: &Audit, session: Option<&str>, root: &str, now: &str) -> String {
        let mut page = String::from(HEAD);
        let whose = session.map_or_else(String::new, |session| format!(", session {}", escaped(session)));
        let last = audit.last.map(|hash| hash.to_string()).unwrap_or_default();
        let state = if audit.broken.is_none() { "holds" } else { "broken" };
        let _ = write!(
            page,
            "<h1>Decisions of {}{whose}</h1>\n<p>Written {}. Lines {}, from {} to {}.</p>\n\
             <p class=\"{state}\">Chain of {} lines: {}. Last hash <code>{last}</code>.</p>\n",
            escaped(root),
            escaped(now),
            self.lines,
            escaped(&self.first.unwrap_or_default()),
            escaped(&self.last.unwrap_or_default()),
            audit.lines,
            escaped(&audit.to_string()),
        );
        let counted = |(name, count): (&str, u64)| cells(&[name, &count.to_string()]);
        table(
            &mut page,
            "Decisions",
            &[("decision", 0), ("events", 0)],
            self.decisions.into_iter().map(counted),
        );
        let tools = self
            .tools
            .iter()
            .map(|(tool, [all, refused])| cells(&[tool, &all.to_string(), &refused.to_string()]));
        table(&mut page, "Tools", &[("tool", 0), ("calls", 0), ("refused or asked", 0)], tools);
        let rules = self.rules.iter().map(|(rule, count)| cells(&[rule, &count.to_string()]));
        table(&mut page, "Rules", &[("rule", 0), ("took part", 0)], rules);
        let title = format!("Refused or asked: {}", newest(&self.refused));
        table(
            &mut page,
            &title,
            &[
                ("when", 9),
                ("decision", 6),
                ("tool", 7),
                ("arguments", 0),
                ("rules", 8),
                ("session", 7),
                ("who", 6),
            ],
            self.refused.rows.into_iter(),
        );
        let title = format!("What people did: {}", newest(&self.people));
        table(
            &mut page,
            &title,
            &[("when", 9), ("what", 7), ("who", 6), ("session", 7), ("of", 8), ("to", 7), ("words", 0)],
            self.people.rows.into_iter(),
        );
        page.push_str("</main></body></html>\n");
        page
    }
}

fn newest(shown: &Shown) -> String {
    match shown.all {
        all if all > SHOWN => format!("the newest {SHOWN} of {all}"),
        all => all.to_string(),
    }
}

/// Columns are as wide as they say, in letters, however long a word in one of them is; those that say 0 share what is left.
fn table(page: &mut String, title: &str, head: &[(&str, u8)], rows: impl Iterator<Item = String>) {
    let head = head.iter().fold(String::new(), |all, (name, letters)| {
        let width = if *letters == 0 { String::new() } else { format!(" style=\"width:{letters}em\"") };
        all + "<th scope=\"col\"" + &width + ">" + name + "</th>"
    });
    // Writing to a string cannot fail.
    let _ = write!(page, "<h2>{title}</h2>\n<table><thead><tr>{head}</tr></thead><tbody>\n");
    for row in rows {
        let _ = writeln!(page, "<tr>{row}</tr>");
    }
    page.push_str("</tbody></table>\n");
}

fn when(row: &LogRow) -> String {
    row.at.map(|at| at.to_string()).unwrap_or_default()
}

fn cells(texts: &[&str]) -> String {
    texts.iter().fold(String::new(), |all, text| all + "<td>" + &escaped(text) + "</td>")
}

fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            c if c.is_control() && c != '\n' => safe.push('\u{fffd}'),
            c => safe.push(c),
        }
    }
    safe
}

const HEAD: &str = "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Decisions</title>\n<style>\n\
body{font:14px/1.4 system-ui,sans-serif;margin:2em;color:#111;background:#fff}table{border-collapse:collapse;table-layout:fixed;width:100%;margin:0 0 2em;font-size:12px}\n\
th,td{border:1px solid #bbb;padding:.25em .5em;text-align:left;vertical-align:top;overflow-wrap:anywhere}th{background:#eee}\n\
.holds{color:#064}.broken{color:#a00;font-weight:bold}code{overflow-wrap:anywhere}thead{display:table-header-group}tr{break-inside:avoid}@media print{body{margin:0}}\n\
</style></head><body><main>\n";
