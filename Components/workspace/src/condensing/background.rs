//! Asking while a watch goes on: in a thread of its own, so that no save waits for a model.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use mentci_authority::{Model, StatementId};
use mentci_compiler::Question;

use super::{Asked, Limits, ask};

/// What a watch asks. Each statement is asked about once: what nothing came of waits until the watch begins anew.
#[derive(Debug, Default)]
pub(crate) struct Background {
    tried: BTreeSet<StatementId>,
    under_way: Option<(usize, Receiver<Asked>)>,
}

impl Background {
    /// Those of `questions` that may be asked about now; none while others are under way. They count as tried.
    pub(crate) fn next(&mut self, questions: Vec<Question>) -> Vec<Question> {
        if self.under_way.is_some() {
            return Vec::new();
        }
        let mut is_new = |question: &Question| question.is_known || self.tried.insert(question.id.clone());
        let next: Vec<Question> = questions.into_iter().filter(|question| is_new(question)).collect();
        // What is known is asked about beside something new alone.
        if next.iter().all(|question| question.is_known) { Vec::new() } else { next }
    }

    /// Begins to ask.
    pub(crate) fn start(&mut self, model: Arc<dyn Model>, questions: Vec<Question>, limits: Limits) {
        let (tell, told) = channel();
        let number = questions.iter().filter(|question| !question.is_known).count();
        self.under_way = Some((number, told));
        // OK to ignore: a watch that ended hears no more.
        std::thread::spawn(move || drop(tell.send(ask(&model, questions, limits))));
    }

    /// What came of it, once it has come.
    pub(crate) fn finished(&mut self) -> Option<Asked> {
        let (number, told) = self.under_way.as_ref()?;
        let asked = match told.try_recv() {
            Ok(asked) => asked,
            Err(TryRecvError::Empty) => return None,
            Err(TryRecvError::Disconnected) => Asked {
                unanswered: *number,
                failure: Some("a request to a model ended early".to_owned()),
                ..Asked::default()
            },
        };
        self.under_way = None;
        Some(asked)
    }
}
