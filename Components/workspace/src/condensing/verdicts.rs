//! What came of asking, as an answer tells it.

use std::collections::BTreeMap;

use mentci_authority::{SourceSpan, StatementId};
use mentci_compiler::{Question, Shortened};
use mentci_host::{CondenseAnswer, CondensedRow};
use mentci_source::{Code, Finding, Severity};

use super::{Asked, Said};
use crate::engine::Engine;

/// More refused lines than this are one finding.
const MOST_FINDINGS: usize = 50;

impl Asked {
    /// What is odd. That nothing came of it is an error where a model is required.
    pub(crate) fn findings(&self, engine: &Engine, required: bool) -> Vec<Finding> {
        let mut findings: Vec<Finding> = self.skipped(required).into_iter().collect();
        let refused: Vec<Finding> = self
            .refused()
            .map(|(question, said, refusal)| {
                let line = said.line.as_deref().map(shown);
                let finding = Finding::new(
                    Code::CONDENSE_REFUSED,
                    format!("a shorter line for `{}` is refused: {refusal}", question.rule),
                );
                engine.placed(
                    finding.help(line.unwrap_or_else(|| "the deterministic line stands".to_owned())),
                    question,
                )
            })
            .collect();
        let strays = self.strays.iter().map(|refusal| {
            Finding::new(Code::CONDENSE_REFUSED, format!("a line of the answer is refused: {refusal}"))
        });
        let all: Vec<Finding> = refused.into_iter().chain(strays).collect();
        let more = all.len().saturating_sub(MOST_FINDINGS);
        findings.extend(all.into_iter().take(MOST_FINDINGS));
        findings.extend(
            (more > 0)
                .then(|| Finding::new(Code::CONDENSE_REFUSED, format!("{more} more lines are refused"))),
        );
        findings.extend(
            self.withheld
                .iter()
                .take(MOST_FINDINGS)
                .map(|question| engine.placed(withheld(question), question)),
        );
        findings
    }

    /// The one warning that nothing, or not everything, was shortened.
    fn skipped(&self, required: bool) -> Option<Finding> {
        let words = self.failure.as_ref()?;
        let all = self.unanswered + self.said.len();
        let what = if self.said.is_empty() {
            "the rules were not shortened".to_owned()
        } else {
            format!("{} of {all} rules were not shortened", self.unanswered)
        };
        let finding = Finding::new(Code::CONDENSE_SKIPPED, format!("{what}: {words}"));
        let (severity, help) = if required {
            (Severity::Error, "a model was required, so nothing was published; the last good digest stays")
        } else {
            (
                Severity::Warning,
                "the deterministic lines stand; the next compile asks again, and `--require-model` fails instead",
            )
        };
        Some(finding.help(help).severity(severity))
    }
}

fn withheld(question: &Question) -> Finding {
    let message = format!(
        "`{}` holds what looks like a secret or personal data: no model is asked about it",
        question.rule
    );
    Finding::new(Code::CONDENSE_WITHHELD, message)
}

/// The line, on one line, not longer than a reader has patience for.
fn shown(line: &str) -> String {
    let plain: String = line.chars().map(|c| if c.is_control() { ' ' } else { c }).take(160).collect();
    format!("`{}`", plain.trim())
}

impl Engine {
    /// The finding, at the place of what it is about.
    fn placed(&self, finding: Finding, question: &Question) -> Finding {
        let held = question.place.as_ref().and_then(|place| Some((place, self.held.get(&place.path)?)));
        match held {
            Some((place, held)) => finding.at(held.content.source(), place.span),
            None => finding,
        }
    }

    /// What the locks know and what was asked just now, told.
    pub(crate) fn condense_answer(&self, asked: &Asked, explain: bool) -> CondenseAnswer {
        let lines = self.shortened();
        let (mut accepted, mut unchanged, mut refused) = (0, 0, 0);
        for shortened in lines {
            match shortened.verdict.as_str() {
                "accepted" => accepted += 1,
                "same" => unchanged += 1,
                _ => refused += 1,
            }
        }
        let tokens = self.plain_tokens();
        CondenseAnswer {
            model: asked.model.clone(),
            prompt: super::prompt_name(),
            accepted,
            unchanged,
            refused,
            withheld: asked.withheld.len(),
            unanswered: asked.unanswered,
            newly_accepted: asked.accepted(),
            calls: asked.calls,
            failed_calls: asked.failed_calls,
            law_tokens: asked.law_tokens,
            prompt_tokens: asked.prompt_tokens,
            sent: asked.usage.and(asked.lost).input,
            answered: asked.usage.output,
            lost: asked.lost.output,
            skills_plain: tokens.plain_skills,
            skills: tokens.skills,
            workspace_plain: tokens.plain_workspace,
            workspace: tokens.workspace,
            lines: if explain { self.condensed_rows(asked) } else { Vec::new() },
        }
    }

    fn condensed_rows(&self, asked: &Asked) -> Vec<CondensedRow> {
        let said: BTreeMap<&StatementId, &Said> =
            asked.said.iter().map(|(question, said)| (&question.id, said)).collect();
        let mut rows: Vec<CondensedRow> =
            self.shortened().map(|known| self.condensed_row(known, said.get(&known.id))).collect();
        rows.extend(asked.withheld.iter().map(|question| CondensedRow {
            rule: question.rule.clone(),
            place: question.place.as_ref().map(place),
            source: question.place.as_ref().and_then(|place| self.words(place)),
            deterministic: question.text.clone(),
            line: None,
            verdict: "withheld".to_owned(),
            model: String::new(),
        }));
        rows
    }

    fn condensed_row(&self, known: &Shortened, said: Option<&&Said>) -> CondensedRow {
        let detail =
            said.and_then(|said| said.verdict.as_ref().err()).filter(|refusal| !refusal.detail.is_empty());
        CondensedRow {
            rule: known.rule.clone(),
            place: known.place.as_ref().map(place),
            source: known.place.as_ref().and_then(|place| self.words(place)),
            deterministic: known.deterministic.clone(),
            line: known.line.clone().or_else(|| said.and_then(|said| said.line.clone())),
            verdict: detail.map_or_else(
                || known.verdict.clone(),
                |refusal| format!("{}: {}", known.verdict, refusal.detail),
            ),
            model: known.model.clone(),
        }
    }

    /// What stands at a place of the law, on one line.
    fn words(&self, place: &SourceSpan) -> Option<String> {
        let text = self.held.get(&place.path)?.content.source().text();
        let words = text.get(place.span.start as usize..place.span.end as usize)?;
        Some(words.split_whitespace().collect::<Vec<_>>().join(" "))
    }
}

fn place(place: &SourceSpan) -> String {
    format!("{}:{}", place.path, place.start_line)
}
