//! All rules, by when they are asked.

use mentci_authority::Hook;
use mentci_host::policy::{RuleRow, RulesAnswer};
use mentci_page::Html;
use mentci_source::Finding;

use super::switch;
use crate::frame::{empty, heading};
use crate::words::{count, effect, hook, mark, severity};
use crate::{Fields, Visit, link, notice};

/// Which rules are shown.
pub(super) struct Filter {
    words: String,
    state: String,
}

impl Filter {
    pub(super) fn of(query: &Fields) -> Self {
        Self { words: query.text("q").to_owned(), state: query.text("state").to_owned() }
    }

    fn fits(&self, row: &RuleRow) -> bool {
        let state = match self.state.as_str() {
            "on" => row.enabled,
            "off" => !row.enabled,
            "core" => row.core,
            _ => true,
        };
        let all = format!(
            "{} {} {} {}",
            row.rule,
            row.tools,
            row.name.as_deref().unwrap_or(""),
            row.says.as_deref().unwrap_or("")
        );
        let all = all.to_lowercase();
        state && self.words.to_lowercase().split_whitespace().all(|word| all.contains(word))
    }
}

pub(super) fn write(
    answer: &RulesAnswer,
    findings: &[Finding],
    filter: &Filter,
    visit: &Visit,
    html: &mut Html,
) {
    let on = answer.rules.iter().filter(|row| row.enabled).count();
    let lead = format!(
        "{}, {on} in force. A switch holds from the next event on, in every session.",
        count(answer.rules.len(), "rule")
    );
    heading("Rules", &lead, html);
    notice::findings(findings, html);
    search(filter, html);
    let shown: Vec<&RuleRow> = answer.rules.iter().filter(|row| filter.fits(row)).collect();
    if shown.is_empty() {
        let help = "Rules are files in `.pi/rules`; what is shipped is here without any. Another word may find some.";
        return empty("No rule fits", help, html);
    }
    html.element("div", &[("id", "rules"), ("data-live", "")], |html| {
        for at in Hook::ALL {
            let group: Vec<&RuleRow> = shown.iter().copied().filter(|row| row.hook == at).collect();
            if !group.is_empty() {
                section(at, &group, visit, html);
            }
        }
    });
}

fn search(filter: &Filter, html: &mut Html) {
    html.element(
        "form",
        &[("method", "get"), ("action", "/rules"), ("class", "filter"), ("role", "search")],
        |html| {
            html.own("<label>Find <input type=\"search\" name=\"q\" value=\"");
            html.text(&filter.words);
            html.own("\"></label>");
            html.own("<label>Show <select name=\"state\">");
            for (value, text) in
                [("", "all"), ("on", "in force"), ("off", "switched off"), ("core", "core rules")]
            {
                let mut said = vec![("value", value)];
                if value == filter.state {
                    said.push(("selected", ""));
                }
                html.leaf("option", &said, text);
            }
            html.own("</select></label><button type=\"submit\" class=\"quiet\">Filter</button>");
        },
    );
}

fn section(at: Hook, rules: &[&RuleRow], visit: &Visit, html: &mut Html) {
    let id = format!("at-{}", at.name());
    html.element("section", &[("aria-labelledby", &id), ("class", "group")], |html| {
        html.element("h2", &[("id", &id)], |html| {
            html.text(hook(at));
            html.own(" ");
            html.leaf("code", &[], at.name());
        });
        html.element("ul", &[("class", "rows"), ("role", "list")], |html| {
            for row in rules {
                html.element(
                    "li",
                    &[("class", "row rule"), ("id", &link::anchor("rule", &row.rule))],
                    |html| {
                        one(row, visit, html);
                    },
                );
            }
        });
    });
}

fn one(row: &RuleRow, visit: &Visit, html: &mut Html) {
    html.element("div", &[("class", "what")], |html| {
        html.element("h3", &[], |html| {
            html.leaf("a", &[("href", &link::rule(&row.rule))], row.name.as_deref().unwrap_or(&row.rule));
        });
        if let Some(says) = &row.says {
            html.leaf("p", &[], says);
        }
        html.element("p", &[("class", "facts")], |html| facts(row, html));
    });
    html.element("div", &[("class", "controls")], |html| switch::write(row, "list", visit, html));
}

fn facts(row: &RuleRow, html: &mut Html) {
    match row.effect {
        Some(says) => effect(says, html),
        None => mark("acts", "acts", html),
    }
    severity(row.severity, html);
    if row.core {
        mark("core", "core", html);
    }
    if row.name.is_some() {
        html.leaf("code", &[], &row.rule);
        html.own(" ");
    }
    if row.tools != "*" {
        html.element("span", &[("class", "soft")], |html| {
            html.own("about ");
            html.leaf("code", &[], &row.tools);
        });
        html.own(" ");
    }
    html.leaf("span", &[("class", "place")], &row.at);
    html.own(" ");
}
