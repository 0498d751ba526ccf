//! The runtime that requests need.

use std::io;

/// Waits for what blocks, such as a signal, in a thread of its own.
pub async fn wait_in_thread(block: impl FnOnce() + Send + 'static) {
    let (done, waits) = tokio::sync::oneshot::channel();
    std::thread::spawn(move || {
        block();
        // OK to ignore: nobody waits any more.
        let _ = done.send(());
    });
    // An error is a thread that ended: that is what is waited for.
    let _ = waits.await;
}

/// Runs this to its end on a runtime of its own, in a thread of its own: whoever calls may stand in another runtime.
///
/// # Errors
/// The system gives no thread.
pub fn block_on<T: Send>(future: impl Future<Output = T> + Send) -> io::Result<T> {
    std::thread::scope(|scope| {
        let run = || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            Ok(runtime.block_on(future))
        };
        let thread = std::thread::Builder::new().name("model".to_owned()).spawn_scoped(scope, run)?;
        thread.join().unwrap_or_else(|_| Err(io::Error::other("a request to a model ended early")))
    })
}
