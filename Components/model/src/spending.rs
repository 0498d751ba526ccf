//! What may be spent, and what is.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mentci_authority::{ModelFailureKind, ModelReply, ModelRequest, ModelUsage};

use crate::step::tokens;
use crate::{Fault, Shown, Took};

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
        let then = spent.and(guess);
        if let Some(most) = caps.tokens.filter(|most| then.total() > *most) {
            let now = spent.total();
            let needs = guess.total();
            return Err(format!(
                "the cap of {most} tokens is reached: {now} are spent or set aside, and this request may take {needs}"
            ));
        }
        if let Some(most) = caps.cost.filter(|most| caps.price(then) > *most) {
            let (now, needs) = (caps.price(*spent), caps.price(guess));
            return Err(format!(
                "the cap of {most} is reached: {now:.4} is spent or set aside, and this request may cost {needs:.4}"
            ));
        }
        *spent = then;
        Ok(())
    }

    /// Puts what was really taken in the place of what was set aside.
    fn settle(&self, guess: ModelUsage, took: ModelUsage) {
        let mut spent = self.lock();
        spent.input = spent.input.saturating_add(took.input).saturating_sub(guess.input);
        spent.output = spent.output.saturating_add(took.output).saturating_sub(guess.output);
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

/// Caps, and what is spent under them: every try is paid out of it.
///
/// Before a try its tokens are guessed (four bytes each, and `max_tokens` for the answer) and set aside, so that requests in
/// parallel do not pass a cap together; afterwards the provider's own count holds. A try that gives no answer is paid for with what it
/// took at most.
#[derive(Debug, Clone, Default)]
pub struct Purse {
    caps: Caps,
    spending: Arc<Spending>,
}

impl Purse {
    /// With these caps; `spending` is what else is paid under them.
    pub fn new(caps: Caps, spending: Arc<Spending>) -> Self {
        Self { caps, spending }
    }

    /// Sets aside what one try takes.
    ///
    /// # Errors
    /// A cap would be passed.
    pub(crate) fn set_aside(&self, request: &ModelRequest) -> Result<Reserve<'_>, Fault> {
        let input = tokens(Shown::of(request).bytes());
        let guess = ModelUsage { input, cached: 0, output: request.max_tokens.unwrap_or(0) };
        self.spending.reserve(&self.caps, guess).map_err(capped)?;
        Ok(Reserve { spending: &self.spending, guess, took: guess })
    }
}

fn capped(message: String) -> Fault {
    Fault { kind: ModelFailureKind::Capped, message, may_pass: false, wait: None, took: Took::Nothing }
}

/// What is set aside for one try. Whoever drops the try has sent the request all the same: it stays.
#[derive(Debug)]
pub(crate) struct Reserve<'a> {
    spending: &'a Spending,
    guess: ModelUsage,
    took: ModelUsage,
}

impl Reserve<'_> {
    /// So many bytes of an answer came: where they are more than was set aside, they count.
    pub(crate) fn heard(&mut self, bytes: usize) {
        self.settle(ModelUsage { output: self.guess.output.max(tokens(bytes)), ..self.guess });
    }

    /// The answer came: the provider's own count holds.
    pub(crate) fn answered(&mut self, reply: &ModelReply) {
        self.settle(counted(reply, self.guess));
    }

    /// No answer came.
    pub(crate) fn failed(&mut self, took: Took) {
        self.settle(match took {
            Took::Nothing => ModelUsage::default(),
            Took::Request => ModelUsage { output: 0, ..self.guess },
            Took::Answer => self.took,
        });
    }

    /// What the try takes, as far as it is known.
    pub(crate) fn took(&self) -> ModelUsage {
        self.took
    }

    fn settle(&mut self, took: ModelUsage) {
        self.spending.settle(self.took, took);
        self.took = took;
    }
}

/// What an answer took: where the provider counts nothing, four bytes are a token.
fn counted(reply: &ModelReply, guess: ModelUsage) -> ModelUsage {
    if reply.usage.total() > 0 {
        return reply.usage;
    }
    let called: usize = reply.calls.iter().map(|call| call.name.len() + call.arguments.len()).sum();
    ModelUsage { output: tokens(reply.text.len() + reply.reasoning.len() + called), ..guess }
}

/// How often a request was tried, and what the tries took that gave no answer.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Tried {
    pub(crate) times: u32,
    pub(crate) lost: ModelUsage,
}
