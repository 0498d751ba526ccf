//! Work on many things at once, with the results in their order.

/// Fewer jobs than this are done on this thread: starting another takes longer.
const WORTH_A_THREAD: usize = 16;

/// Whether so many jobs are done on several processors.
pub(crate) fn is_worth_threads(jobs: usize) -> bool {
    jobs >= WORTH_A_THREAD
}

/// Maps every item, on all processors when there are many.
pub(crate) fn map_parallel<T: Sync, U: Send>(items: &[T], work: impl Fn(&T) -> U + Sync) -> Vec<U> {
    let processors = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let threads = if is_worth_threads(items.len()) { processors() } else { 1 };
    if threads == 1 {
        return items.iter().map(work).collect();
    }
    // Small chunks dealt in turn, so that one long file does not leave the other processors idle.
    let next = std::sync::atomic::AtomicUsize::new(0);
    let (next, work) = (&next, &work);
    let run = || {
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            let Some(item) = items.get(at) else { return done };
            done.push((at, work(item)));
        }
    };
    let mut done: Vec<(usize, U)> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..threads).map(|_| scope.spawn(run)).collect();
        handles
            .into_iter()
            .flat_map(|handle| handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}
