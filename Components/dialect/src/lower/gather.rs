//! A file with all that it extends and includes, as one set.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use mentci_authority::{Effect, Rule, RuleId, RuleSet};
use mentci_source::{Code, Finding, Source, Span};

use super::set::{Head, Part, part};
use crate::fields::File;
use crate::gate::Gates;
use crate::tree::shown;
use crate::{Dialect, Loader, OriginHint, chatmd};

/// How deep files may include one another.
const MAX_DEPTH: usize = 8;

/// How many files one set may be made of.
const MAX_FILES: usize = 64;

/// All that was read for one set.
pub(crate) struct Gathered {
    pub(crate) set: RuleSet,
    pub(crate) findings: Vec<Finding>,
    /// Every file by its path.
    pub(crate) sources: BTreeMap<Arc<str>, Source>,
    pub(crate) gates: Gates,
}

/// Reads a file and what it names.
pub(crate) fn gather(
    source: &Source,
    dialect: Dialect,
    origin: &OriginHint,
    loader: &mut Loader<'_>,
) -> Gathered {
    let mut gatherer = Gatherer {
        origin,
        loader,
        findings: Vec::new(),
        sources: BTreeMap::new(),
        gates: Gates::default(),
        stack: Vec::new(),
        files: 0,
    };
    let part = gatherer.file(source, dialect);
    let set = set_of(part, origin);
    Gathered { set, findings: gatherer.findings, sources: gatherer.sources, gates: gatherer.gates }
}

fn set_of(part: Part, origin: &OriginHint) -> RuleSet {
    let Part { head, rules } = part;
    RuleSet {
        name: head.name.unwrap_or_else(|| origin.pack.to_string()),
        version: head.version,
        description: head.description,
        default_effect: head.default_effect,
        honeypots: head.honeypots,
        max_fired: head.max_fired,
        max_calls: head.max_calls.unwrap_or(1),
        visible_trace: head.visible_trace.unwrap_or(false),
        rules,
        tests: head.tests,
    }
}

struct Gatherer<'a, 'l> {
    origin: &'a OriginHint,
    loader: &'a mut Loader<'l>,
    findings: Vec<Finding>,
    sources: BTreeMap<Arc<str>, Source>,
    gates: Gates,
    /// The files that are being read, the first one first.
    stack: Vec<Arc<str>>,
    files: usize,
}

impl Gatherer<'_, '_> {
    fn file(&mut self, source: &Source, dialect: Dialect) -> Part {
        self.files += 1;
        self.stack.push(source.path().clone());
        self.sources.insert(source.path().clone(), source.clone());
        let mut file = File::new(source, dialect, self.origin);
        let own = if dialect == Dialect::Chatmd { chatmd::part(&mut file) } else { part(&mut file) };
        self.findings.append(&mut file.findings);
        self.gates.join(file.gates);
        let extends = self.named(source, &own.head.extends);
        let include = self.named(source, &own.head.include);
        self.stack.pop();
        self.join(extends, include, own, source)
    }

    /// The files that one names.
    fn named(&mut self, source: &Source, paths: &[(String, Span)]) -> Vec<Part> {
        let mut seen = BTreeSet::new();
        let once = |(path, _): &&(String, Span)| {
            seen.insert(beside(source.path(), path).unwrap_or_else(|| path.clone()))
        };
        let paths: Vec<&(String, Span)> = paths.iter().filter(once).collect();
        paths.into_iter().filter_map(|(path, span)| self.one(source, path, *span)).collect()
    }

    fn one(&mut self, from: &Source, path: &str, span: Span) -> Option<Part> {
        let mut refuse = |message: String, help: &str| {
            self.findings.push(Finding::new(Code::RULE_INCLUDE, message).help(help).at(from, span));
        };
        let Some(resolved) = beside(from.path(), path) else {
            refuse(
                format!("`{}` lies outside the workspace", shown(path)),
                "name a file by its path from this one",
            );
            return None;
        };
        if self.stack.iter().any(|open| **open == *resolved) {
            refuse(format!("`{}` includes itself", shown(&resolved)), "take one of the two out");
            return None;
        }
        if self.stack.len() >= MAX_DEPTH || self.files >= MAX_FILES {
            let help = "at most 64 files are read for one set, and 8 deep";
            refuse(format!("`{}` is one file too many", shown(&resolved)), help);
            return None;
        }
        let Some(dialect) = Dialect::of_path(&resolved) else {
            refuse(
                format!("`{}` is no file of rules", shown(&resolved)),
                "its extension says its dialect: `.yaml`, `.toml`, `.edn`, `.chatmd`",
            );
            return None;
        };
        let Some(source) = (self.loader)(&resolved) else {
            refuse(
                format!("`{}` cannot be read", shown(&resolved)),
                "its path counts from the file that names it",
            );
            return None;
        };
        Some(self.file(&source, dialect))
    }

    /// What is extended comes first, and own rules replace its rules by their ids; what is included is added before
    /// own rules. What a file does not say of its set, the others say for it.
    fn join(&mut self, extends: Vec<Part>, include: Vec<Part>, own: Part, source: &Source) -> Part {
        let mut whole = Part::default();
        for base in extends {
            whole.head = over(whole.head, base.head);
            self.replace(&mut whole.rules, base.rules, source);
        }
        let mut added = Part::default();
        for part in include {
            added.head = over(added.head, brought(part.head));
            added.rules.extend(part.rules);
        }
        added.head = over(added.head, own.head);
        added.rules.extend(own.rules);
        whole.head = over(whole.head, added.head);
        self.replace(&mut whole.rules, added.rules, source);
        whole
    }

    fn replace(&mut self, base: &mut Vec<Rule>, rules: Vec<Rule>, source: &Source) {
        let places: BTreeMap<RuleId, usize> =
            base.iter().enumerate().map(|(at, rule)| (rule.id.clone(), at)).collect();
        let mut seen: BTreeMap<RuleId, String> = BTreeMap::new();
        for rule in rules {
            if let Some(first) = seen.get(&rule.id) {
                let source = self.sources.get(&rule.origin.path).unwrap_or(source);
                let message = format!("the id `{}` stands twice", shown(rule.id.as_str()));
                let finding =
                    Finding::new(Code::RULE_DUPLICATE, message).help(format!("it stands first at {first}"));
                self.findings.push(finding.at(source, rule.origin.span));
                continue;
            }
            seen.insert(rule.id.clone(), rule.origin.to_string());
            match places.get(&rule.id) {
                Some(&at) => base[at] = rule,
                None => base.push(rule),
            }
        }
    }
}

/// What an included file says of its set for the one that includes it: its tests, its honeypots, and a default that closes.
/// Its name, and its caps on actions, are of its own rules alone.
fn brought(head: Head) -> Head {
    Head {
        default_effect: head.default_effect.filter(|effect| *effect != Effect::Allow),
        honeypots: head.honeypots,
        tests: head.tests,
        ..Head::default()
    }
}

fn over(base: Head, own: Head) -> Head {
    let mut honeypots = base.honeypots;
    honeypots.extend(own.honeypots);
    let mut tests = base.tests;
    tests.extend(own.tests);
    Head {
        name: own.name.or(base.name),
        version: own.version.or(base.version),
        description: own.description.or(base.description),
        default_effect: own.default_effect.or(base.default_effect),
        honeypots,
        max_fired: own.max_fired.or(base.max_fired),
        max_calls: own.max_calls.or(base.max_calls),
        visible_trace: own.visible_trace.or(base.visible_trace),
        tests,
        extends: own.extends,
        include: own.include,
    }
}

/// The path of a file named from another one, relative to the workspace; `None` where it leaves it.
pub fn beside(from: &str, path: &str) -> Option<String> {
    if path.starts_with(['/', '~', '\\']) || path.contains('\0') || path.contains(":\\") {
        return None;
    }
    let mut parts: Vec<&str> =
        from.rsplit_once('/').map_or(Vec::new(), |(folder, _)| folder.split('/').collect());
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}
