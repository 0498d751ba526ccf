//! Time as it is handed in.

use std::pin::Pin;
use std::time::Duration;

/// Whoever knows the time and can wait.
pub trait Timer: Send + Sync {
    /// Ends when the time has passed.
    fn sleep(&self, time: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>>;

    /// The time in seconds since 1970 UTC.
    fn now(&self) -> f64;
}
