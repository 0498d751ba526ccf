//! How many calls may run at the same time.

use std::collections::{BTreeMap, BTreeSet};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

/// Permits that are handed out in the order in which they were asked for.
#[derive(Debug, Clone)]
pub(super) struct Permits(Arc<Mutex<Desk>>);

/// Who has a permit and who waits for one, by ticket.
#[derive(Debug)]
struct Desk {
    free: usize,
    next: u64,
    waiting: BTreeMap<u64, Waker>,
    granted: BTreeSet<u64>,
}

impl Permits {
    /// As many permits as this, one at least.
    pub(super) fn new(most: usize) -> Self {
        let (waiting, granted) = (BTreeMap::new(), BTreeSet::new());
        Self(Arc::new(Mutex::new(Desk { free: most.max(1), next: 0, waiting, granted })))
    }

    /// Waits for a permit.
    pub(super) fn acquire(&self) -> Acquire {
        Acquire { permits: self.clone(), ticket: None }
    }

    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hands a permit that was given back to the first that waits.
    fn release(&self) {
        let mut desk = self.desk();
        let Some((ticket, waker)) = desk.waiting.pop_first() else {
            desk.free += 1;
            return;
        };
        desk.granted.insert(ticket);
        drop(desk);
        waker.wake();
    }
}

/// A permit; dropping it gives it back.
#[derive(Debug)]
pub(super) struct Permit(Permits);

impl Drop for Permit {
    fn drop(&mut self) {
        self.0.release();
    }
}

/// Waiting for a permit. Dropping it gives up its place, or the permit that was on its way.
#[derive(Debug)]
pub(super) struct Acquire {
    permits: Permits,
    ticket: Option<u64>,
}

impl Future for Acquire {
    type Output = Permit;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Permit> {
        let permits = self.permits.clone();
        let mut desk = permits.desk();
        let is_mine = match self.ticket {
            None => desk.free > 0,
            Some(ticket) => desk.granted.remove(&ticket),
        };
        if !is_mine {
            let ticket = self.ticket.unwrap_or(desk.next);
            desk.next = desk.next.max(ticket + 1);
            self.ticket = Some(ticket);
            desk.waiting.insert(ticket, context.waker().clone());
            return Poll::Pending;
        }
        if self.ticket.take().is_none() {
            desk.free -= 1;
        }
        drop(desk);
        Poll::Ready(Permit(permits))
    }
}

impl Drop for Acquire {
    fn drop(&mut self) {
        let Some(ticket) = self.ticket else { return };
        let mut desk = self.permits.desk();
        desk.waiting.remove(&ticket);
        let was_granted = desk.granted.remove(&ticket);
        drop(desk);
        if was_granted {
            self.permits.release();
        }
    }
}
