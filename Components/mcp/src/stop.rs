//! The stop signal, from a thread that hears signals to a future that a server waits on.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::sync::oneshot;

/// A stop signal and the future that it completes.
///
/// ```
/// let (stop, stopped) = mentci_mcp::stop();
/// std::thread::spawn(move || stop.stop());
/// mentci_mcp::block_on(stopped)?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn stop() -> (Stop, Stopped) {
    let (sender, receiver) = oneshot::channel();
    (Stop(sender), Stopped(receiver))
}

/// Stops a server. Dropping it stops it too.
#[derive(Debug)]
pub struct Stop(oneshot::Sender<()>);

impl Stop {
    /// Completes the future.
    pub fn stop(self) {
        // OK to ignore: a server that has ended needs no stop.
        let _ = self.0.send(());
    }
}

/// Completes when its [`Stop`] is used.
#[derive(Debug)]
pub struct Stopped(oneshot::Receiver<()>);

impl Future for Stopped {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        Pin::new(&mut self.0).poll(context).map(drop)
    }
}
