//! Asking a model for shorter lines: questions -> groups -> requests -> answers -> verdicts -> lines for the locks.
//!
//! The law never waits for a model: it is published as it is, and again when shorter lines have come. Nothing that a model says
//! counts before the verifier has accepted it.

mod answer;
mod background;
mod called;
mod given;
mod group;
mod named;
mod prompt;
mod secrets;
mod spoken;
mod spoken_form;
mod spoken_login;
mod spoken_word;
mod verdicts;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use mentci_authority::{
    CondensedLine, Model, ModelFailure, ModelFailureKind, ModelReply, ModelRequest, ModelUsage, StatementId,
};
use mentci_compiler::{Joining, Question, Refusal, RefusalReason};
use mentci_model::{Together, ask_together, block_on};

pub(crate) use answer::{Said, unwrapped};
pub(crate) use background::Background;
pub(crate) use prompt::name as prompt_name;
pub(crate) use secrets::Secrets;

use crate::config::Config;
use crate::engine::Answered;
use group::{Form, Group, groups};

/// How much may be asked at a time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Requests under way.
    pub(crate) parallel: usize,
    /// Tokens of one answer, where somebody has said so; else each request says what it is enough for.
    pub(crate) tokens: Option<u64>,
}

impl Limits {
    pub(crate) fn of(config: &Config) -> Self {
        Self {
            parallel: config.number("model.max_parallel").unwrap_or(4),
            tokens: config.number("model.max_tokens").map(|most| most as u64),
        }
    }

    /// Asks all of them. What is configured holds, whether a request would have more or less.
    pub(crate) fn ask(
        self,
        model: &Arc<dyn Model>,
        requests: impl Iterator<Item = ModelRequest>,
    ) -> Result<Together, String> {
        let bounded = requests
            .map(|request| ModelRequest { max_tokens: self.tokens.or(request.max_tokens), ..request });
        block_on(ask_together(model, bounded.collect(), self.parallel)).map_err(|error| error.to_string())
    }
}

/// What came of asking.
#[derive(Debug, Default)]
pub(crate) struct Asked {
    /// Who was asked; none where nobody is named.
    pub(crate) model: Option<String>,
    /// For the locks: accepted lines, and refusals that need not be asked about again.
    pub(crate) lines: BTreeMap<StatementId, Answered>,
    /// What was said of each statement.
    pub(crate) said: Vec<(Question, Said)>,
    /// What was said of what was not asked about.
    pub(crate) strays: Vec<Refusal>,
    /// Statements that hold what looks like a secret: nobody was asked about them.
    pub(crate) withheld: Vec<Question>,
    /// How many statements nothing came of, and why.
    pub(crate) unanswered: usize,
    pub(crate) failure: Option<String>,
    pub(crate) calls: usize,
    pub(crate) failed_calls: usize,
    /// Tokens (o200k) of the statements, and of all that was sent for them.
    pub(crate) law_tokens: usize,
    pub(crate) prompt_tokens: usize,
    /// What the answers took, as the provider counted, and what the tries took at most that gave none.
    pub(crate) usage: ModelUsage,
    pub(crate) lost: ModelUsage,
}

/// Which questions a model may be asked now: not those that it was refused with this prompt before, and of what is known only the
/// rules that a lesson may be put on.
pub(crate) fn open(questions: Vec<Question>, model: &str) -> Vec<Question> {
    let prompt = prompt_name();
    let refused = |question: &Question| {
        question.refused.as_ref().is_some_and(|before| before.model == model && before.prompt == prompt)
    };
    let is_open = |question: &Question| !question.is_known && !refused(question);
    let lessons = questions.iter().filter(|question| is_open(question));
    let joins = lessons.filter_map(|lesson| lesson.joins.as_ref()).filter(|joins| !joins.stands);
    let joined: BTreeSet<StatementId> = joins.flat_map(Joining::ids).cloned().collect();
    questions.into_iter().filter(|question| is_open(question) || joined.contains(&question.id)).collect()
}

/// Asks about these.
pub(crate) fn ask(model: &Arc<dyn Model>, questions: Vec<Question>, limits: Limits) -> Asked {
    let secrets = Secrets::new();
    let (withheld, open): (Vec<_>, Vec<_>) =
        questions.into_iter().partition(|question| secrets.any_in(&question.text));
    let mut asked = Asked { model: Some(model.name().to_owned()), withheld, ..Asked::default() };
    let groups = groups(open);
    let mut answers = together(model, &groups, limits, Form::Schema);
    // A server that cannot hold a model to a schema refuses the request: it is asked for JSON, then for words.
    for form in [Form::Json, Form::Words] {
        if answers.as_ref().is_ok_and(is_refused) {
            // The group is asked about again: only what the try took counts.
            answers.iter().flatten().flatten().for_each(|answer| asked.count(answer));
            answers = together(model, &groups, limits, form);
        }
    }
    match answers {
        Ok(answers) => groups.into_iter().zip(answers).for_each(|(group, answer)| asked.take(group, answer)),
        Err(words) => groups.iter().for_each(|group| asked.fail(group, Some(words.clone()))),
    }
    // What nothing came of is told, whatever became of it: without words for it a compile would pass for whole.
    if asked.unanswered > 0 && asked.failure.is_none() {
        asked.failure = Some("no answer came".to_owned());
    }
    asked
}

fn together(
    model: &Arc<dyn Model>,
    groups: &[Group],
    limits: Limits,
    form: Form,
) -> Result<Together, String> {
    limits.ask(model, groups.iter().map(|group| group.request(form).0))
}

fn is_refused(answers: &Together) -> bool {
    matches!(answers.first(), Some(Some(Err(failure))) if failure.kind == ModelFailureKind::Refused)
}

impl Asked {
    /// Whether something came of it, or nothing was to be asked.
    pub(crate) fn is_whole(&self) -> bool {
        self.failure.is_none()
    }

    fn take(&mut self, group: Group, answer: Option<Result<ModelReply, ModelFailure>>) {
        let Some(answer) = answer else { return self.fail(&group, None) };
        self.count(&answer);
        match answer {
            Ok(reply) => self.read(group, &reply),
            Err(failure) => self.fail(&group, Some(failure.message)),
        }
    }

    /// Each try is a request: one that gave no answer was made and paid for all the same.
    fn count(&mut self, answer: &Result<ModelReply, ModelFailure>) {
        let (tries, failed, lost) = match answer {
            Ok(reply) => (reply.retries.saturating_add(1), reply.retries, reply.lost),
            Err(failure) => (failure.tries, failure.tries, failure.lost),
        };
        self.calls += tries as usize;
        self.failed_calls += failed as usize;
        self.lost = self.lost.and(lost);
        let sent = usize::try_from(lost.input).unwrap_or(usize::MAX);
        self.prompt_tokens = self.prompt_tokens.saturating_add(sent);
    }

    fn read(&mut self, group: Group, reply: &ModelReply) {
        self.law_tokens += group.law_tokens;
        self.prompt_tokens = self.prompt_tokens.saturating_add(group.request(Form::Schema).1);
        self.usage = self.usage.and(reply.usage);
        match answer::read(reply, &group) {
            Ok(reading) => {
                self.strays.extend(reading.strays);
                for (question, said) in group.questions.into_iter().zip(reading.said) {
                    self.keep(&question, &said);
                    self.said.push((question, said));
                }
            }
            Err(refusal) => {
                self.failed_calls += 1;
                self.fail(&group, Some(refusal.to_string()));
            }
        }
    }

    fn fail(&mut self, group: &Group, words: Option<String>) {
        self.unanswered += group.questions.len();
        if self.failure.is_none() {
            self.failure = words;
        }
    }

    /// What the lock keeps: a refused line is nowhere written down, only why it was refused. Of a lesson that came to stand on a rule it
    /// keeps which, and what was said of its words there.
    fn keep(&mut self, question: &Question, said: &Said) {
        let plain = CondensedLine {
            line: None,
            refused: None,
            excepts: None,
            model: self.model.clone().unwrap_or_default(),
            prompt: prompt_name(),
        };
        let mut insert = |asked: &Question, line| {
            self.lines.insert(asked.id.clone(), Answered { asked: asked.clone(), line });
        };
        let kept = |line: &Option<String>, verdict: &Result<(), Refusal>| CondensedLine {
            line: line.clone().filter(|_| verdict.is_ok()),
            refused: verdict.as_ref().err().map(|refusal| refusal.reason.name().to_owned()),
            ..plain.clone()
        };
        match &said.joined {
            Some(joined) => {
                insert(question, CondensedLine { excepts: Some(joined.norm.clone()), ..plain.clone() });
                insert(&joined.exception, kept(&joined.line, &joined.verdict));
            }
            None => insert(question, kept(&said.line, &said.verdict)),
        }
    }

    /// The lines that were refused because they say something else, or nothing.
    pub(crate) fn refused(&self) -> impl Iterator<Item = (&Question, &Said, &Refusal)> {
        let refused = self
            .said
            .iter()
            .filter_map(|(question, said)| Some((question, said, said.verdict.as_ref().err()?)));
        refused.filter(|(_, _, refusal)| refusal.reason != RefusalReason::Same)
    }

    pub(crate) fn accepted(&self) -> usize {
        self.said.iter().filter(|(_, said)| said.verdict.is_ok()).count()
    }
}

#[cfg(test)]
mod tests;
