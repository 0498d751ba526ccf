//! Printing: a rule set as `<policy>` and `<rules>`.

mod action;
mod guard;
mod rule;
mod tag;
mod tool;

use mentci_authority::{Dialect, Effect, Honeypot, RuleSet, RuleSeverity};

use crate::Unsayable;
use tag::Tag;

/// The canonical text of a set. Rules at the beginning that are what a `<policy>` would say are written as one.
pub(crate) fn print(set: &RuleSet) -> Result<String, Vec<Unsayable>> {
    let mut printer = Printer { out: String::new(), rule: None, unsayable: Vec::new() };
    let rest = printer.policy(set);
    printer.rules(set, rest);
    if printer.unsayable.is_empty() { Ok(printer.out) } else { Err(printer.unsayable) }
}

/// What was printed, and what could not be.
struct Printer {
    out: String,
    /// The rule that is being printed.
    rule: Option<String>,
    unsayable: Vec<Unsayable>,
}

impl Printer {
    fn cannot(&mut self, feature: &str) {
        let one =
            Unsayable { rule: self.rule.clone(), feature: feature.to_owned(), dialect: Dialect::Chatmd };
        if !self.unsayable.contains(&one) {
            self.unsayable.push(one);
        }
    }

    /// Writes `<policy>` with honeypots and constraints; gives how many rules it said.
    fn policy(&mut self, set: &RuleSet) -> usize {
        let constraints = tool::constraints(&set.rules);
        if constraints.is_empty() && set.honeypots.is_empty() {
            return 0;
        }
        self.out.push_str("<policy>\n");
        for honeypot in &set.honeypots {
            self.honeypot(honeypot);
        }
        tool::write(self, &constraints);
        self.out.push_str("</policy>\n");
        constraints.len()
    }

    fn honeypot(&mut self, honeypot: &Honeypot) {
        let mut tag = Tag::new("honeypot");
        tag.say("tool", &tag::patterns(std::slice::from_ref(&honeypot.tool)));
        tag.say_some("message", honeypot.message.as_deref());
        if honeypot.severity != RuleSeverity::default() {
            tag.say("severity", honeypot.severity.name());
        }
        tag.close(2, &mut self.out);
    }

    fn rules(&mut self, set: &RuleSet, from: usize) {
        let rules = &set.rules[from..];
        let tag = self.head(set);
        if rules.is_empty() && set.tests.is_empty() && tag.is_bare() && from > 0 {
            return;
        }
        if from > 0 || !set.honeypots.is_empty() {
            self.out.push('\n');
        }
        tag.open(0, &mut self.out);
        for rule in rules {
            self.rule = Some(rule.id.to_string());
            rule::write(self, rule);
        }
        self.rule = None;
        for test in &set.tests {
            rule::write_test(self, test, 2);
        }
        self.out.push_str("</rules>\n");
    }

    fn head(&mut self, set: &RuleSet) -> Tag {
        let mut tag = Tag::new("rules");
        // A set that bears its file's name need not say it.
        if set.rules.iter().all(|rule| *rule.origin.pack != *set.name) {
            tag.say("name", &set.name);
        }
        tag.say_some("version", set.version.as_deref());
        tag.say_some("description", set.description.as_deref());
        match set.default_effect {
            Some(Effect::Warn | Effect::Redact) => self.cannot("default"),
            Some(effect) => tag.say("default", effect.name()),
            None => {}
        }
        match set.max_fired {
            Some(1) => {}
            Some(0) => self.cannot("max_actions_per_event"),
            Some(count) => tag.say("max_actions_per_event", &count.to_string()),
            None => tag.say("max_actions_per_event", "unlimited"),
        }
        if set.max_calls != 1 {
            tag.say("allow_auto_calls", &set.max_calls.to_string());
        }
        if set.visible_trace {
            tag.say("trace", "visible");
        }
        tag
    }
}
