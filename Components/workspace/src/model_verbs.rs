//! The verbs of language models: whether one answers, and which there are.

use mentci_authority::{ChatMessage, ModelFailure, ModelReply, ModelRequest};
use mentci_host::model::{ModelVerb, ModelsAnswer, PingAnswer};
use mentci_host::{Outcome, Response};
use mentci_model::block_on;
use mentci_source::{Code, Finding};

use crate::workspace::Workspace;

/// As little as shows that a model answers.
const PING: &str = "Answer with the one word: pong";
/// Models that reason spend tokens before they say a word.
const PING_TOKENS: u64 = 256;

impl Workspace {
    pub(crate) fn model_verb(&self, verb: &ModelVerb) -> Response {
        let response = match verb {
            ModelVerb::Ping { name } => self.ping(name.as_deref()),
            ModelVerb::List { provider } => self.models(provider.as_deref()),
        };
        response.unwrap_or_else(|finding| Response::bad([finding])).with(self.model_findings())
    }

    /// What the configuration says about models and does not hold.
    fn model_findings(&self) -> Vec<Finding> {
        let is_ours = |finding: &&Finding| finding.message.starts_with("`model.");
        self.lock().settings.findings.iter().filter(is_ours).cloned().collect()
    }

    fn ping(&self, name: Option<&str>) -> Result<Response, Finding> {
        // A ping waits for nobody: one try shows what is wrong.
        let config = self.model_config()?;
        let (model, address) = self.model_of(&config, name, 0)?;
        let address = address.map(|address| address.to_string());
        let messages = vec![ChatMessage::said("user", PING)];
        let request = ModelRequest { messages, max_tokens: Some(PING_TOKENS), ..ModelRequest::default() };
        let start = self.clock.micros();
        let mut ear = |_: mentci_authority::ModelPiece<'_>| {};
        let answer = block_on(model.ask(&request, &mut ear));
        let ms = self.clock.micros().saturating_sub(start) / 1_000;
        Ok(match answer {
            Err(error) => lost(&error),
            Ok(Ok(reply)) => Response::ok(pinged(model.name(), address, &reply, ms)),
            Ok(Err(failure)) => unanswered(&failure),
        })
    }

    fn models(&self, provider: Option<&str>) -> Result<Response, Finding> {
        let (model, provider) = self.provider(provider)?;
        Ok(match block_on(model.models()) {
            Err(error) => lost(&error),
            Ok(Ok(mut models)) => {
                models.sort();
                let address = model.address().to_string();
                Response::ok(ModelsAnswer { provider: provider.name.to_owned(), address, models })
            }
            Ok(Err(failure)) => unanswered(&failure),
        })
    }
}

fn pinged(model: &str, address: Option<String>, reply: &ModelReply, ms: u64) -> PingAnswer {
    let said = if reply.text.trim().is_empty() { &reply.reasoning } else { &reply.text };
    let text = said.trim().chars().take(200).collect();
    PingAnswer {
        model: model.to_owned(),
        address,
        text,
        ms,
        input: reply.usage.and(reply.lost).input,
        output: reply.usage.and(reply.lost).output,
    }
}

fn unanswered(failure: &ModelFailure) -> Response {
    no_answer(failed(&failure.message).help(help(failure)))
}

/// The request itself ended early: no answer came, and nobody wrote anything wrong.
fn lost(error: &std::io::Error) -> Response {
    no_answer(failed(&error.to_string()))
}

fn no_answer(finding: Finding) -> Response {
    Response { outcome: Outcome::Findings, ..Response::bad([finding]) }
}

fn failed(message: &str) -> Finding {
    Finding::new(Code::MODEL_FAILED, message)
}

fn help(failure: &ModelFailure) -> &'static str {
    use mentci_authority::ModelFailureKind as Kind;
    match failure.kind {
        Kind::Unreachable => "is the server running, and is `model.base_url` its address?",
        Kind::TimedOut => {
            "a model that is loaded first takes its time: `model.first_seconds` waits for longer"
        }
        Kind::Unauthorized => "the key is read from the variable that `model.key_env` names",
        Kind::Limited => "wait, or lower `model.max_parallel`",
        Kind::Refused => "`policy-engine model list` shows the models that there are",
        Kind::Failed => "the provider's own log may say more",
        Kind::Garbled => "is `model.base_url` the address of a model's server, with its `/v1`?",
        Kind::Capped => "raise `model.cap_tokens` or `model.cap_cost`",
    }
}
