//! A tool against its time.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};

use mentci_authority::{ToolAnswer, ToolCall, ToolFailure, ToolProvider};
use serde_json::Value;

/// How a run ended.
pub(super) enum Ran {
    /// The tool answered or failed.
    Answered(Result<Value, ToolFailure>),
    /// The tool panicked, with these words.
    Panicked(String),
    /// Its time was over.
    TimedOut,
}

/// A tool that runs, and its time. An answer that is there when the time is over counts.
pub(super) struct Race<'a> {
    answer: ToolAnswer<'a>,
    time: Pin<Box<dyn Future<Output = ()> + Send>>,
}

impl<'a> Race<'a> {
    /// Starts a tool; one that panics before it waits has ended.
    pub(super) fn start(
        tools: &'a dyn ToolProvider,
        call: &'a ToolCall,
        time: Pin<Box<dyn Future<Output = ()> + Send>>,
    ) -> Result<Self, Ran> {
        let answer = catch_unwind(AssertUnwindSafe(|| tools.call(call)));
        answer.map(|answer| Self { answer, time }).map_err(|panic| Ran::Panicked(words(&*panic)))
    }
}

impl Future for Race<'_> {
    type Output = Ran;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Ran> {
        let polled = catch_unwind(AssertUnwindSafe(|| self.answer.as_mut().poll(context)));
        match polled {
            Err(panic) => Poll::Ready(Ran::Panicked(words(&*panic))),
            Ok(Poll::Ready(answer)) => Poll::Ready(Ran::Answered(answer)),
            Ok(Poll::Pending) => self.time.as_mut().poll(context).map(|()| Ran::TimedOut),
        }
    }
}

/// What a panic says.
pub(super) fn words(panic: &(dyn Any + Send)) -> String {
    let literal = panic.downcast_ref::<&str>().map(|words| (*words).to_owned());
    literal.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}
