//! Asking the host: an answer of the kind that was asked for, or why there is none.

use mentci_host::Response;
use mentci_source::Finding;

/// Why there is no answer, as the host says it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Trouble(pub(crate) Vec<Finding>);

/// An answer with what is odd beside it.
pub(crate) type Told<T> = Result<(T, Vec<Finding>), Trouble>;

/// Asks for one kind of answer: `asked!(ask, request, Rules)`.
macro_rules! asked {
    ($ask:expr, $request:expr, $variant:ident) => {
        $crate::ask::told($ask.ask($request), |answer| match answer {
            mentci_host::Answer::$variant(answer) => Ok(answer),
            _ => Err(()),
        })
    };
}
pub(crate) use asked;

/// What `pick` takes of a response.
pub(crate) fn told<T>(response: Response, pick: fn(mentci_host::Answer) -> Result<T, ()>) -> Told<T> {
    match pick(response.answer) {
        Ok(answer) => Ok((answer, response.findings)),
        Err(()) => Err(Trouble(response.findings)),
    }
}
