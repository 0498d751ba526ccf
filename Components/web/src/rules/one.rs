//! One rule: what it says, what may be set about it, what it would do, and its text.

use mentci_authority::{Enforcement, Rule};
use mentci_host::policy::{RuleRow, RuleShown};
use mentci_page::Html;

use super::parameter::{self, Field, Owner};
use super::trial::{self, Trying};
use super::{Wrong, switch};
use crate::words::{effect, hook, mark, pre, sentence, severity, trust};
use crate::{Visit, link};

/// What the page shows.
pub(super) struct View<'v> {
    pub(super) shown: &'v RuleShown,
    pub(super) row: Option<&'v RuleRow>,
    pub(super) trying: &'v Trying<'v>,
    pub(super) wrong: Option<&'v Wrong<'v>>,
    pub(super) visit: &'v Visit,
}

impl View<'_> {
    pub(super) fn write(&self, html: &mut Html) {
        html.own("<p class=\"crumbs\"><a href=\"/rules\">Rules</a></p>");
        self.head(html);
        self.facts(html);
        self.parameters(html);
        trial::write(self.trying, self.shown, html);
        html.own("<section aria-labelledby=\"text\"><h2 id=\"text\">Its text</h2>");
        html.leaf("p", &[("class", "place")], &self.rule().origin.to_string());
        pre(&self.shown.text, html);
        html.own("</section>");
    }

    fn rule(&self) -> &Rule {
        &self.shown.shown
    }

    fn head(&self, html: &mut Html) {
        let rule = self.rule();
        html.element("div", &[("class", "heading switched")], |html| {
            html.element("div", &[], |html| {
                html.leaf("h1", &[], rule.name.as_deref().unwrap_or(&self.shown.full_name));
                html.element("p", &[("class", "facts")], |html| {
                    match rule.effect {
                        Some(says) => effect(says, html),
                        None => mark("acts", "acts", html),
                    }
                    severity(rule.severity, html);
                    if rule.mode == Enforcement::Shadow {
                        mark("shadow", "shadow: recorded, not enforced", html);
                    }
                    html.leaf("code", &[], &self.shown.full_name);
                    html.own(" ");
                });
            });
            if let Some(row) = self.row {
                html.element("div", &[("class", "controls")], |html| {
                    switch::write(row, "rule", self.visit, html);
                });
            }
        });
        for said in [&rule.description, &rule.message].into_iter().flatten() {
            html.leaf("p", &[("class", "lead")], said);
        }
    }

    fn facts(&self, html: &mut Html) {
        let rule = self.rule();
        let mut facts = vec![
            ("Asked", format!("{} (`{}`)", hook(rule.hook), rule.hook.name())),
            (
                "About",
                match rule.tools.to_string().as_str() {
                    "*" => "every tool".to_owned(),
                    tools => format!("`{tools}`"),
                },
            ),
            ("Vouched for by", trust(rule.origin.trust).to_owned()),
            ("Written in", rule.origin.dialect.name().to_owned()),
        ];
        if !rule.overrides.is_empty() {
            facts.push(("Takes out", rule.overrides.join(", ")));
        }
        if rule.once {
            facts.push(("Fires", "once in a session".to_owned()));
        }
        html.element("dl", &[("class", "facts-list")], |html| {
            for (name, value) in &facts {
                html.element("div", &[], |html| {
                    html.leaf("dt", &[], name);
                    html.element("dd", &[], |html| sentence(value, html));
                });
            }
        });
    }

    fn parameters(&self, html: &mut Html) {
        if self.shown.parameters.is_empty() {
            return;
        }
        html.own("<section aria-labelledby=\"parameters\"><h2 id=\"parameters\">Parameters</h2>");
        let owner = Owner { action: "/rule/parameter", key: "rule", name: &self.shown.full_name };
        for row in &self.shown.parameters {
            let bounds = row.bounds.map(|bounds| bounds.to_string());
            let field = Field {
                name: &row.name,
                title: &row.name,
                about: bounds.as_deref(),
                kind: parameter::kind_of(&row.stated),
                value: &row.value,
                stated: &row.stated,
                is_set: row.is_set,
            };
            parameter::write(&field, owner, self.wrong, self.visit, html);
        }
        html.own("</section>");
    }
}

/// The address of an example of a rule: the event of one of its tests.
pub(super) fn example(full_name: &str, at: usize) -> String {
    format!("{}&example={at}#test", link::rule(full_name))
}
