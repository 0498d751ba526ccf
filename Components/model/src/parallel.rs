//! How many requests are under way at a time.

use tokio::sync::{Semaphore, SemaphorePermit};

/// As many requests at a time as are allowed; the others wait for their turn.
#[derive(Debug)]
pub struct Parallel(Semaphore);

impl Parallel {
    /// At most so many at a time, and at least one.
    pub fn new(most: usize) -> Self {
        Self(Semaphore::new(most.clamp(1, Semaphore::MAX_PERMITS)))
    }

    /// Waits for a turn, which lasts until it is dropped.
    pub(crate) async fn turn(&self) -> Option<SemaphorePermit<'_>> {
        // OK because: nobody closes it.
        self.0.acquire().await.ok()
    }
}
