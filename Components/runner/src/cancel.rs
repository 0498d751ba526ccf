//! The stop signal of what is under way.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::Notify;

/// Stops what is under way: the model's answer, the tools that run. Pressed again and again by whoever holds it.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<State>);

#[derive(Debug, Default)]
struct State {
    pressed: AtomicU64,
    taken: AtomicU64,
    bell: Notify,
}

impl Cancel {
    /// Stops what is under way. Says how often it was pressed since something took note of it: from 2 on, nobody listens.
    pub fn press(&self) -> u64 {
        let pressed = self.0.pressed.fetch_add(1, Ordering::SeqCst) + 1;
        self.0.bell.notify_waiters();
        pressed - self.0.taken.load(Ordering::SeqCst).min(pressed)
    }

    /// Ends when it is pressed; at once, when it was and nobody took note.
    pub(crate) async fn pressed(&self) {
        loop {
            let bell = self.0.bell.notified();
            if self.is_pressed() {
                return;
            }
            bell.await;
        }
    }

    /// Whether it was pressed and nobody took note.
    pub(crate) fn is_pressed(&self) -> bool {
        self.0.pressed.load(Ordering::SeqCst) > self.0.taken.load(Ordering::SeqCst)
    }

    /// Takes note.
    pub(crate) fn take(&self) {
        self.0.taken.store(self.0.pressed.load(Ordering::SeqCst), Ordering::SeqCst);
    }
}
