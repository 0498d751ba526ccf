//! The runtime that the servers run on.

use std::future::Future;
use std::time::Duration;

/// How long a request that is under way may still take when the server has ended.
const GRACE: Duration = Duration::from_millis(500);

/// Runs a future to its end on a runtime of its own.
///
/// It does not wait for a read of standard input that is still blocked, so a stopped server ends.
///
/// # Errors
/// - the threads cannot be started.
pub fn block_on<F: Future>(future: F) -> std::io::Result<F::Output> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let output = runtime.block_on(future);
    runtime.shutdown_timeout(GRACE);
    Ok(output)
}
