//! Where a rule comes from, and what a code means.

use mentci_authority::{CoverageMap, MapEntry, RuleNo};
use mentci_compiler::scope_of;
use mentci_source::{Code, Finding, did_you_mean};

use crate::Response;
use crate::answer::{CodeAnswer, LessonAnswer, RuleAnswer, RuleSource};
use crate::snapshot::Snapshot;

/// Explains a finding's code; `None` when the text is no code.
pub fn explain_code(what: &str) -> Option<CodeAnswer> {
    Code::find(what).map(|code| CodeAnswer {
        code: code.id(),
        name: code.name(),
        severity: code.severity(),
        explanation: code.explanation(),
    })
}

impl Snapshot {
    pub(crate) fn explain(&self, what: &str) -> Response {
        if let Some(code) = explain_code(what) {
            return Response::ok(code);
        }
        if let Some(answer) = RuleNo::parse(what).and_then(|rule| self.rule(&rule)) {
            return Response::ok(answer);
        }
        match self.lesson(what) {
            Ok(lesson) => Response::ok(LessonAnswer { lesson: lesson.clone(), message: String::new() }),
            Err(_) => Response::bad([self.unknown(what)]),
        }
    }

    /// The skill's own map says most of a rule; the workspace's says it shorter.
    fn rule(&self, rule: &RuleNo) -> Option<RuleAnswer> {
        let skill = self.skills.iter().find(|skill| scope_of(&skill.name) == rule.scope);
        let own = skill.and_then(|skill| self.rule_in(&skill.map(), rule));
        own.or_else(|| self.rule_in(&self.workspace.as_ref()?.map(), rule))
    }

    fn rule_in(&self, map: &CoverageMap, rule: &RuleNo) -> Option<RuleAnswer> {
        let entry = map.entries.iter().find(|entry| entry.rule.as_ref() == Some(rule))?;
        Some(self.answer_of(entry, rule))
    }

    fn answer_of(&self, entry: &MapEntry, rule: &RuleNo) -> RuleAnswer {
        let words = |span: &mentci_authority::SourceSpan| RuleSource {
            span: span.clone(),
            words: self
                .source(&span.path)
                .map_or_else(String::new, |source| source.slice(span.span).to_owned()),
        };
        RuleAnswer {
            rule: rule.clone(),
            level: entry.level,
            kind: entry.kind,
            tier: entry.tier,
            line: entry.text.clone(),
            sources: entry.spans.iter().map(words).collect(),
            lessons: self.views(&entry.lessons).cloned().collect(),
        }
    }

    fn unknown(&self, what: &str) -> Finding {
        let given: String = what.chars().take(64).collect();
        let names: Vec<String> = self
            .skills
            .iter()
            .flat_map(|skill| &skill.digest.lines)
            .filter_map(|line| line.rule.as_ref())
            .map(ToString::to_string)
            .collect();
        let codes = mentci_source::CODES.iter().flat_map(|code| [code.id(), code.name()]);
        let near = did_you_mean(&given, codes.chain(names.iter().map(String::as_str)));
        let help = near.map_or_else(
            || "give a rule's number such as `skill-4`, a code such as `E0601`, or a lesson's id".to_owned(),
            |near| format!("did you mean `{near}`?"),
        );
        Finding::new(Code::UNKNOWN_SUBJECT, format!("nothing is named `{}`", given.escape_debug())).help(help)
    }
}
