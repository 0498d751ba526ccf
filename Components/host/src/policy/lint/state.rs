//! What rules keep and read: variables, values, taints, parameters.

use std::collections::{BTreeMap, BTreeSet};

use mentci_authority::{Action, Assigned, Rule, StateScope};
use mentci_expr::{Expr, Function, Node};
use mentci_source::{Code, Finding, Severity};

use super::desk::{Desk, Said, Sheet};

/// Variables, values and taints that are set and never read, or read and never set.
pub(super) fn state(desk: &Desk<'_>) -> Vec<Said> {
    let (mut said, mut read) = (Vec::new(), Read::default());
    let mut set: BTreeMap<(&str, String), usize> = BTreeMap::new();
    for sheet in desk.rules.iter().chain(&desk.others) {
        sheet.each_part(&mut |part| read.part(part));
        read.texts(sheet.rule);
        read.scripts |= sheet.scripted;
        for action in &sheet.rule.actions {
            if let Action::Set { scope, key, .. } = action {
                let scope = if *scope == StateScope::Session { "variable" } else { "value" };
                set.entry((scope, key.clone())).or_insert(sheet.at);
            }
        }
        for taint in &sheet.rule.taints {
            set.entry(("taint", taint.clone())).or_insert(sheet.at);
        }
    }
    for ((kind, name), at) in set.iter().filter(|(_, at)| **at != usize::MAX) {
        if !read.scripts && !read.knows(kind, name) {
            let message = format!("the {kind} `{name}` is set and never read");
            said.push((
                *at,
                None,
                Finding::new(Code::STATE_UNUSED, message).help(match *kind {
                    "taint" => format!("read it as `session: {{taint.{name}: true}}`, or do not set it"),
                    _ => "read it in a condition, or do not set it".to_owned(),
                }),
            ));
        }
    }
    for sheet in desk.rules.iter().filter(|_| !read.scripts) {
        sheet.each_part(&mut |part| {
            let Some((kind, name)) = asked(part) else { return };
            if !set.contains_key(&(kind, name.to_owned())) {
                let message = format!("no rule sets the {kind} `{name}`");
                let near = mentci_source::did_you_mean(
                    name,
                    set.keys().filter(|key| key.0 == kind).map(|key| key.1.as_str()),
                );
                let help = match near {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("a rule sets a {kind} when it fires; this one is never there"),
                };
                let finding = Finding::new(Code::STATE_UNUSED, message).severity(Severity::Warning);
                said.push((sheet.at, Some(part.span()), finding.help(help)));
            }
        });
    }
    said
}

/// What a part asks of what is kept.
fn asked(part: &Expr) -> Option<(&'static str, &str)> {
    let Node::Call(function, arguments) = part.node() else { return None };
    let name = arguments.first()?.as_text()?;
    match function {
        Function::StateGet | Function::StateHas if arguments.len() == 1 => Some(("value", name)),
        Function::Session => name.strip_prefix("taint.").map(|taint| ("taint", taint)),
        _ => None,
    }
}

/// All that is read.
#[derive(Default)]
struct Read {
    names: BTreeSet<String>,
    fields: BTreeSet<String>,
    literals: BTreeSet<String>,
    /// Messages and what else people or tools read: templates name variables in them.
    texts: String,
    any_taint: bool,
    scripts: bool,
}

impl Read {
    fn part(&mut self, part: &Expr) {
        match part.node() {
            Node::Name(name) => drop(self.names.insert(name.clone())),
            Node::Field(_, field) => drop(self.fields.insert(field.clone())),
            Node::Text(text) => {
                self.any_taint |= text == "tainted";
                self.literals.insert(text.clone());
            }
            _ => {}
        }
    }

    fn texts(&mut self, rule: &Rule) {
        for text in texts(rule) {
            self.texts.push_str(&text);
            self.texts.push('\n');
        }
    }

    fn knows(&self, kind: &str, name: &str) -> bool {
        let templated = self.texts.contains(name);
        match kind {
            "variable" => self.names.contains(name) || templated,
            // A message that has the word in it reads nothing.
            "taint" => {
                let key = format!("taint.{name}");
                self.any_taint || self.literals.contains(&key) || self.texts.contains(&key)
            }
            _ => self.fields.contains(name) || self.literals.contains(name) || templated,
        }
    }
}

/// Everything of a rule that may be a template.
fn texts(rule: &Rule) -> Vec<String> {
    let actions = rule.actions.iter().filter(|action| match action {
        // A variable's own name is no reading of it.
        Action::Set { value, .. } => matches!(value, Assigned::Value(_)),
        _ => true,
    });
    let actions = actions.map(|action| match action {
        Action::Set { value: Assigned::Value(value), .. } => value.to_string(),
        other => serde_json::to_string(other).unwrap_or_default(),
    });
    rule.message.iter().chain(&rule.remind).cloned().chain(actions).collect()
}

/// Parameters that nothing reads.
pub(super) fn parameters(desk: &Desk<'_>) -> Vec<Said> {
    let mut said = Vec::new();
    for sheet in desk.rules.iter().filter(|sheet| !sheet.scripted) {
        let mut fields = BTreeSet::new();
        sheet.each_part(&mut |part| {
            if let Some(["parameters", name, ..]) = part.as_path().as_deref() {
                fields.insert((*name).to_owned());
            }
        });
        let texts = texts(sheet.rule).join("\n");
        for name in
            sheet.rule.parameters.keys().filter(|name| !fields.contains(*name) && !texts.contains(*name))
        {
            said.push((sheet.at, None, unread(sheet, name)));
        }
    }
    said
}

fn unread(sheet: &Sheet<'_>, name: &str) -> Finding {
    let message = format!("`{}` never reads its parameter `{name}`", sheet.id());
    Finding::new(Code::PARAMETER_UNREAD, message)
        .help(format!("write `parameters.{name}` in its condition, or take it out"))
}
