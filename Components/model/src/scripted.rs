//! A model that says what is written: deterministic, offline.

use mentci_authority::{
    Model, ModelAnswer, ModelEar, ModelFailure, ModelFailureKind, ModelPiece, ModelReply, ModelRequest,
    ModelUsage,
};

use crate::spending::{Reserve, Tried};
use crate::{Fault, Mishap, Purse, Script, Shown, Step, Took};

/// A model that plays a [`Script`]. It remembers nothing: which step is played follows from the request alone, so that a run
/// that was killed goes on where it stood.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// use mentci_authority::{ChatMessage, Model, ModelRequest};
/// use mentci_model::{Script, ScriptedModel};
/// use mentci_source::Source;
/// let script = Script::read(&Source::new("a.jsonl", "{\"text\": \"Hello.\", \"expect\": [\"hi\"]}")).unwrap();
/// let model = ScriptedModel::new(script, 4);
/// let request = ModelRequest { messages: vec![ChatMessage::said("user", "hi")], ..Default::default() };
/// let reply = model.ask(&request, &mut |_| {}).await?;
/// assert_eq!(reply.text, "Hello.");
/// # Ok::<(), mentci_authority::ModelFailure>(()) }).unwrap();
/// ```
#[derive(Debug)]
pub struct ScriptedModel {
    script: Script,
    retries: u32,
    purse: Purse,
}

impl ScriptedModel {
    /// Plays this script; what goes wrong in it is tried again so many times.
    pub fn new(script: Script, retries: u32) -> Self {
        Self { script, retries, purse: Purse::default() }
    }

    /// Every try is paid out of `purse`.
    #[must_use]
    pub fn paid_from(self, purse: Purse) -> Self {
        Self { purse, ..self }
    }

    fn answer(&self, request: &ModelRequest, ear: &mut ModelEar<'_>) -> Result<ModelReply, ModelFailure> {
        let shown = Shown::of(request);
        let (number, step) = self.script.step(request, &shown).map_err(|words| refused(words, 0))?;
        if let Some(words) = step.unmet(&shown) {
            return Err(refused(format!("step {number} of `{}` {words}", self.script.path), 1));
        }
        let mut tried = Tried::default();
        let reserve = self.endure(request, step, ear, &mut tried);
        let mut reserve = reserve.map_err(|fault| fault.failure(tried, None))?;
        if !step.answers() {
            let words = format!("step {number} of `{}` fails and never answers", self.script.path);
            reserve.failed(Took::Nothing);
            return Err(refused(words, tried.times));
        }
        let reply = step.reply(number, &shown);
        reserve.answered(&reply);
        Ok(tell(step, ModelReply { lost: tried.lost, retries: tried.times.saturating_sub(1), ..reply }, ear))
    }

    /// What goes wrong before the answer comes; what is set aside for the try that succeeds.
    fn endure(
        &self,
        request: &ModelRequest,
        step: &Step,
        ear: &mut ModelEar<'_>,
        tried: &mut Tried,
    ) -> Result<Reserve<'_>, Fault> {
        let mut mishaps = step.mishaps().filter(|mishap| !mishap.is_slowness()).peekable();
        loop {
            let mut reserve = self.purse.set_aside(request)?;
            tried.times += 1;
            let Some(mishap) = mishaps.next() else { return Ok(reserve) };
            reserve.failed(mishap.took());
            tried.lost = tried.lost.and(reserve.took());
            let is_last = mishaps.peek().is_none() && !step.answers();
            if is_last || !mishap.may_pass() || tried.times > self.retries {
                return Err(failed(mishap));
            }
            ear(ModelPiece::Again(&mishap.words()));
        }
    }
}

/// Lets the ear hear the pieces.
fn tell(step: &Step, reply: ModelReply, ear: &mut ModelEar<'_>) -> ModelReply {
    step.reasoning.all().iter().for_each(|piece| ear(ModelPiece::Reasoning(piece)));
    step.text.all().iter().for_each(|piece| ear(ModelPiece::Text(piece)));
    reply.calls.iter().for_each(|call| ear(ModelPiece::Call(&call.name)));
    reply
}

fn refused(message: String, tries: u32) -> ModelFailure {
    ModelFailure { kind: ModelFailureKind::Refused, message, tries, lost: ModelUsage::default() }
}

fn failed(mishap: &Mishap) -> Fault {
    let (kind, took) = (mishap.kind(), mishap.took());
    Fault { kind, message: mishap.words(), may_pass: mishap.may_pass(), wait: None, took }
}

impl Model for ScriptedModel {
    fn name(&self) -> &str {
        self.script.model.as_deref().unwrap_or("scripted")
    }

    fn ask<'a>(&'a self, request: &'a ModelRequest, ear: &'a mut ModelEar<'a>) -> ModelAnswer<'a> {
        Box::pin(async move { self.answer(request, ear) })
    }
}
