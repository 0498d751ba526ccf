//! The law as agents see it: the digest, each line with its sources and lessons, its tokens, and what moved.

mod history;
mod line;
mod tokens;

use mentci_authority::RuleNo;
use mentci_host::{Ask, DigestAnswer, Request, RuleAnswer, SkillStats, StatsAnswer};
use mentci_page::{Html, grouped};
use mentci_source::Finding;

use crate::answer::Done;
use crate::ask::{Told, asked};
use crate::frame::{Frame, Place, empty, heading};
use crate::words::{count, pre};
use crate::{Visit, link, notice};
use history::History;

/// What the page shows of one digest.
pub(crate) struct Law {
    digest: DigestAnswer,
    /// The rules that its lines state, by number.
    rules: Vec<RuleAnswer>,
    stats: StatsAnswer,
    findings: Vec<Finding>,
    /// The workspace's digest as it was.
    history: Option<History>,
}

/// `/law`, and `/law?skill=…`
pub(crate) fn page(ask: &dyn Ask, visit: &Visit) -> Done {
    let skill = visit.query.said("skill").map(str::to_owned);
    let (stats, _) = asked!(ask, Request::Stats, Stats)?;
    let (digest, findings) = asked!(ask, Request::Digest { skill }, Digest)?;
    let rules = numbers(&digest).iter().filter_map(|number| explained(ask, number)).collect();
    let history = digest.skill.is_none().then(|| History::of(ask, visit));
    let law = Law { digest, rules, stats, findings, history };
    Frame::new(ask, visit, Place::Law, "Law").done(|html| law.write(visit, html))
}

fn explained(ask: &dyn Ask, number: &RuleNo) -> Option<RuleAnswer> {
    let told: Told<RuleAnswer> = asked!(ask, Request::Explain { what: number.to_string() }, Rule);
    told.ok().map(|(rule, _)| rule)
}

/// The numbers of a digest's rules, in order.
fn numbers(digest: &DigestAnswer) -> Vec<RuleNo> {
    digest.text.lines().filter_map(|line| line::number(line, digest.skill.as_ref())).collect()
}

impl Law {
    fn write(&self, visit: &Visit, html: &mut Html) {
        let lead = match &self.digest.skill {
            Some(skill) => format!("What an agent reads while the skill `{skill}` is active, line for line."),
            None => "What every request to a model carries, line for line. Each line opens what it rests on."
                .to_owned(),
        };
        heading("Law", &lead, html);
        notice::findings(&self.findings, html);
        self.scopes(html);
        if self.digest.rules == 0 && self.digest.text.trim().is_empty() {
            let help = "Law is a `SKILL.md` in `.pi/skills`, `.claude/skills` or `.agents/skills`, or an `AGENTS.md`; `policy-engine init` finds the skills.";
            return empty("There is no law yet", help, html);
        }
        self.figures(html);
        self.lines(html);
        html.element("details", &[("class", "plain-text")], |html| {
            html.own("<summary>As plain text</summary>");
            pre(&self.digest.text, html);
        });
        if let Some(history) = &self.history {
            history.write(visit, html);
        }
        tokens::write(self.skills(), html);
    }

    /// The workspace's digest and each skill's.
    fn scopes(&self, html: &mut Html) {
        if self.stats.skills.is_empty() {
            return;
        }
        html.element("nav", &[("aria-label", "Digests"), ("class", "tabs")], |html| {
            let current = self.digest.skill.as_ref().map(mentci_authority::SkillName::as_str);
            tab("The workspace", "/law", current.is_none(), html);
            for skill in self.stats.skills.iter().filter(|skill| skill.skill != "workspace") {
                tab(
                    &skill.skill,
                    &link::to("/law", "skill", &skill.skill),
                    current == Some(&skill.skill),
                    html,
                );
            }
        });
    }

    fn figures(&self, html: &mut Html) {
        let tokens = self.digest.tokens as u64;
        html.element("ul", &[("class", "figures"), ("aria-label", "In figures")], |html| {
            html.leaf("li", &[], &count(self.digest.rules, "rule"));
            let of = match self.digest.skill {
                None => format!("{} of {} tokens", grouped(tokens), grouped(self.stats.budget as u64)),
                Some(_) => count(self.digest.tokens, "token"),
            };
            html.leaf("li", &[], &of);
            html.element("li", &[], |html| {
                html.leaf("code", &[("title", &self.digest.hash.to_string())], &self.digest.hash.short(12));
            });
            html.element("li", &[], |html| html.leaf("code", &[], &self.digest.path));
        });
    }

    fn lines(&self, html: &mut Html) {
        html.element("div", &[("class", "digest"), ("id", "digest"), ("data-live", "")], |html| {
            for (at, text) in self.digest.text.lines().enumerate() {
                let number = line::number(text, self.digest.skill.as_ref());
                let rule = number.and_then(|number| self.rules.iter().find(|rule| rule.rule == number));
                line::write(at, text, rule, html);
            }
        });
    }

    /// The skills whose tokens are shown: all, or the one.
    fn skills(&self) -> Vec<&SkillStats> {
        let wanted =
            |skill: &&SkillStats| self.digest.skill.as_ref().is_none_or(|name| name.as_str() == skill.skill);
        self.stats.skills.iter().filter(wanted).collect()
    }
}

fn tab(text: &str, to: &str, is_current: bool, html: &mut Html) {
    let mut said = vec![("href", to)];
    if is_current {
        said.push(("aria-current", "page"));
    }
    html.leaf("a", &said, text);
}
