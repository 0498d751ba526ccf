//! A model that says what is written: deterministic, offline.

use mentci_authority::{
    Model, ModelAnswer, ModelEar, ModelFailure, ModelFailureKind, ModelPiece, ModelReply, ModelRequest,
};

use crate::{Mishap, Script, Shown, Step};

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
}

impl ScriptedModel {
    /// Plays this script; what goes wrong in it is tried again so many times.
    pub fn new(script: Script, retries: u32) -> Self {
        Self { script, retries }
    }

    fn answer(&self, request: &ModelRequest, ear: &mut ModelEar<'_>) -> Result<ModelReply, ModelFailure> {
        let shown = Shown::of(request);
        let (number, step) = self.script.step(request, &shown).map_err(|words| refused(words, 0))?;
        if let Some(words) = step.unmet(&shown) {
            return Err(refused(format!("step {number} of `{}` {words}", self.script.path), 1));
        }
        let tries = self.endure(step, ear)?;
        if !step.answers() {
            return Err(refused(
                format!("step {number} of `{}` fails and never answers", self.script.path),
                tries,
            ));
        }
        Ok(tell(step, step.reply(number, &shown), ear))
    }

    /// What goes wrong before the answer comes; the number of the try that succeeds.
    fn endure(&self, step: &Step, ear: &mut ModelEar<'_>) -> Result<u32, ModelFailure> {
        let mut tries = 1;
        let mut mishaps = step.mishaps().filter(|mishap| !mishap.is_slowness()).peekable();
        while let Some(mishap) = mishaps.next() {
            let is_last = mishaps.peek().is_none() && !step.answers();
            if is_last || !mishap.may_pass() || tries > self.retries {
                return Err(failed(mishap, tries));
            }
            ear(ModelPiece::Again(&mishap.words()));
            tries += 1;
        }
        Ok(tries)
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
    ModelFailure { kind: ModelFailureKind::Refused, message, tries }
}

fn failed(mishap: &Mishap, tries: u32) -> ModelFailure {
    ModelFailure { kind: mishap.kind(), message: mishap.words(), tries }
}

impl Model for ScriptedModel {
    fn name(&self) -> &str {
        self.script.model.as_deref().unwrap_or("scripted")
    }

    fn ask<'a>(&'a self, request: &'a ModelRequest, ear: &'a mut ModelEar<'a>) -> ModelAnswer<'a> {
        Box::pin(async move { self.answer(request, ear) })
    }
}
