//! Asking from asynchronous code.

/// The work panicked. Its message went to standard error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Panicked;

/// Runs blocking work on a thread of its own.
///
/// # Errors
/// [`Panicked`]: so that every call is answered, also the one that meets a defect.
pub(crate) async fn on_a_thread<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Panicked> {
    tokio::task::spawn_blocking(work).await.map_err(|_| Panicked)
}
