//! The same step on many things, on all cores, with the results in order.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Threads past this number wait for the disk, not for a core.
const MAX_THREADS: usize = 8;

/// `step` over `items` in chunks of `chunk`, on all cores when there are at least two chunks. Each thread makes one
/// `scratch` for all its chunks. Results come in the order of the items.
pub(crate) fn map_chunks<T: Sync, S, R: Send>(
    items: &[T],
    chunk: usize,
    scratch: impl Fn() -> S + Sync,
    step: impl Fn(&mut S, &[T]) -> R + Sync,
) -> Vec<R> {
    let chunk = chunk.max(1);
    let chunks = items.len().div_ceil(chunk);
    // Finding out how many cores there are takes longer than most single chunks.
    let threads = if chunks < 2 { 1 } else { threads().min(chunks) };
    if threads < 2 {
        let mut own = scratch();
        return items.chunks(chunk).map(|part| step(&mut own, part)).collect();
    }
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(items.len().div_ceil(chunk)));
    let work = || {
        let mut own = scratch();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(part) = items.get(index * chunk..) else { break };
            if part.is_empty() {
                break;
            }
            let result = step(&mut own, &part[..part.len().min(chunk)]);
            done.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((index, result));
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(work);
        }
        work();
    });
    in_order(done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner))
}

fn in_order<R>(mut results: Vec<(usize, R)>) -> Vec<R> {
    results.sort_unstable_by_key(|&(index, _)| index);
    results.into_iter().map(|(_, result)| result).collect()
}

fn threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from).min(MAX_THREADS)
}
