//! The lane of decisions: whoever asks waits in line, and those that wait are decided together.
//!
//! One event alone is decided as soon as it arrives. Under load the line grows while others are written, and the next take
//! covers all of it: the more who ask, the less each costs.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use mentci_authority::about_bytes;
use mentci_host::Response;
use mentci_host::policy::Input;
use mentci_source::Finding;
use mentci_workspace::{Told, Workspace};
use tokio::sync::{mpsc, oneshot};

use crate::app::busy;

/// How many are decided together.
const TOGETHER: usize = 128;
/// How many may wait in line.
const IN_LINE: usize = 4_096;
/// An event with so many bytes is decided on its own.
const LARGE: usize = 64 * 1024;

/// The way into the lane. When the last is dropped, it ends.
#[derive(Debug, Clone)]
pub(crate) struct Lane(mpsc::Sender<Question>);

#[derive(Debug)]
struct Question {
    told: Told,
    answer: oneshot::Sender<Response>,
}

impl Lane {
    /// Begins, on a thread of its own.
    ///
    /// # Errors
    /// The system gives no thread.
    pub(crate) fn start(workspace: Arc<Workspace>) -> std::io::Result<Self> {
        let (sender, questions) = mpsc::channel(IN_LINE);
        std::thread::Builder::new().name("lane".to_owned()).spawn(move || decide(&workspace, questions))?;
        Ok(Self(sender))
    }

    /// Decides one event.
    ///
    /// # Errors
    /// The finding that says why it was not decided: too many wait, or deciding it ended in a crash.
    pub(crate) async fn ask(&self, told: Told) -> Result<Response, Finding> {
        let (answer, answered) = oneshot::channel();
        self.0
            .try_send(Question { told, answer })
            .map_err(|_| busy("too many questions wait for an answer"))?;
        answered.await.map_err(|_| busy("answering ended in a crash"))
    }
}

/// Whether an event is so large that looking through it would hold up the others.
pub(crate) fn is_large(told: &Told) -> bool {
    match told {
        Told::Text { line: Input::Text { text, .. }, .. } => text.len() > LARGE,
        Told::Text { line: Input::Path(_), .. } => true,
        Told::Event(event) => {
            let values = [
                event.tool.as_ref().map(|tool| &tool.args),
                event.result.as_ref().map(|result| &result.value),
            ];
            let facts = event.facts.values().chain(event.context.as_ref());
            values.into_iter().flatten().chain(facts).map(about_bytes).sum::<usize>() > LARGE
        }
    }
}

fn decide(workspace: &Workspace, mut questions: mpsc::Receiver<Question>) {
    let mut taken = Vec::with_capacity(TOGETHER);
    while questions.blocking_recv_many(&mut taken, TOGETHER) > 0 {
        // Nobody waits for what was given up: a client that went, or lost patience.
        taken.retain(|question| !question.answer.is_closed());
        let (told, waiting): (Vec<_>, Vec<_>) =
            taken.drain(..).map(|question| (question.told, question.answer)).unzip();
        // What panics takes its own answers along, and nothing else: the store is opened anew by whoever needs it.
        let answers = catch_unwind(AssertUnwindSafe(|| workspace.decide_together(told))).unwrap_or_default();
        for (waiting, answer) in waiting.into_iter().zip(answers) {
            // OK to ignore: whoever asked has gone.
            let _ = waiting.send(answer);
        }
    }
}
