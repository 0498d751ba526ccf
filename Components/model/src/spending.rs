//! What may be spent, and what is.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mentci_authority::{
    Model, ModelAnswer, ModelEar, ModelFailure, ModelFailureKind, ModelRequest, ModelUsage,
};

use crate::Shown;
use crate::step::tokens;

/// How much may be spent.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Caps {
    /// The most tokens, sent and answered.
    pub tokens: Option<u64>,
    /// The most money.
    pub cost: Option<f64>,
    /// What a million tokens cost that are sent.
    pub price_input: f64,
    /// What a million tokens cost that are answered.
    pub price_output: f64,
}

/// What was spent, shared by all models of a run.
#[derive(Debug, Default)]
pub struct Spending {
    spent: Mutex<ModelUsage>,
}

impl Spending {
    /// The tokens so far; what is under way counts as it was guessed.
    pub fn so_far(&self) -> ModelUsage {
        *self.lock()
    }

    fn lock(&self) -> MutexGuard<'_, ModelUsage> {
        self.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets so much aside, unless it is over a cap: then the words for it.
    fn reserve(&self, caps: &Caps, guess: ModelUsage) -> Result<(), String> {
        let mut spent = self.lock();
        let then = sum(*spent, guess);
        if let Some(most) = caps.tokens.filter(|most| then.input + then.output > *most) {
            let now = spent.input + spent.output;
            let needs = guess.input + guess.output;
            return Err(format!(
                "the cap of {most} tokens is reached: {now} are spent, and this request takes about {needs}"
            ));
        }
        if let Some(most) = caps.cost.filter(|most| caps.price(then) > *most) {
            let (now, needs) = (caps.price(*spent), caps.price(guess));
            return Err(format!(
                "the cap of {most} is reached: {now:.4} is spent, and this request costs about {needs:.4}"
            ));
        }
        *spent = then;
        Ok(())
    }

    /// Puts what was really taken in the place of what was set aside.
    fn settle(&self, guess: ModelUsage, took: ModelUsage) {
        let mut spent = self.lock();
        spent.input = (spent.input + took.input).saturating_sub(guess.input);
        spent.output = (spent.output + took.output).saturating_sub(guess.output);
    }
}

impl Caps {
    /// What these tokens cost.
    pub fn price(&self, usage: ModelUsage) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "token counts lie far below 2^53")]
        let price = (usage.input as f64 * self.price_input + usage.output as f64 * self.price_output) / 1e6;
        price
    }
}

fn sum(one: ModelUsage, other: ModelUsage) -> ModelUsage {
    ModelUsage {
        input: one.input.saturating_add(other.input),
        cached: 0,
        output: one.output.saturating_add(other.output),
    }
}

/// A model that is not asked once the caps are reached.
///
/// Before a request its tokens are guessed (four bytes each, and `max_tokens` for the answer) and set aside, so that requests in
/// parallel do not pass the cap together; afterwards the provider's own count holds.
pub struct Capped {
    model: Arc<dyn Model>,
    caps: Caps,
    spending: Arc<Spending>,
}

impl Capped {
    /// The model, under these caps.
    pub fn new(model: Arc<dyn Model>, caps: Caps, spending: Arc<Spending>) -> Self {
        Self { model, caps, spending }
    }

    async fn answer(
        &self,
        request: &ModelRequest,
        ear: &mut ModelEar<'_>,
    ) -> Result<mentci_authority::ModelReply, ModelFailure> {
        let input = tokens(Shown::of(request).bytes());
        let guess = ModelUsage { input, cached: 0, output: request.max_tokens.unwrap_or(0) };
        self.spending.reserve(&self.caps, guess).map_err(capped)?;
        // Whoever drops the future has sent the request all the same: what it set aside stays.
        let answer = self.model.ask(request, ear).await;
        let took = match &answer {
            Ok(reply) => counted(reply, guess),
            Err(failure) if was_read(failure.kind) => ModelUsage { output: 0, ..guess },
            Err(_) => ModelUsage::default(),
        };
        self.spending.settle(guess, took);
        answer
    }
}

fn capped(message: String) -> ModelFailure {
    ModelFailure { kind: ModelFailureKind::Capped, message, tries: 0 }
}

/// What an answer took: where the provider counts nothing, four bytes are a token.
fn counted(reply: &mentci_authority::ModelReply, guess: ModelUsage) -> ModelUsage {
    if reply.usage.input + reply.usage.output > 0 {
        return reply.usage;
    }
    let called: usize = reply.calls.iter().map(|call| call.name.len() + call.arguments.len()).sum();
    ModelUsage { output: tokens(reply.text.len() + reply.reasoning.len() + called), ..guess }
}

/// Whether the provider has read the request before it failed.
fn was_read(kind: ModelFailureKind) -> bool {
    matches!(kind, ModelFailureKind::TimedOut | ModelFailureKind::Failed | ModelFailureKind::Garbled)
}

impl Model for Capped {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn ask<'a>(&'a self, request: &'a ModelRequest, ear: &'a mut ModelEar<'a>) -> ModelAnswer<'a> {
        Box::pin(self.answer(request, ear))
    }
}
