//! What was saved, at once; what comes in bursts, gathered.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use mentci_source::Finding;

use crate::WatchSpec;

/// What moved since the last time.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Change {
    /// Files that were saved or removed, and directories that appeared or went, relative to the workspace.
    pub paths: BTreeSet<Arc<str>>,
    /// Whether notifications were lost or rules of ignoring moved: look at everything.
    pub rescan: bool,
    /// What to tell: polling began, the queue overflowed.
    pub notes: Vec<Finding>,
}

/// What [`Watch::next`] woke up for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Signal {
    /// Something moved.
    Changed(Change),
    /// Nothing moved for as long as was waited.
    Quiet,
    /// [`StopHandle::stop`] was called.
    Stopped,
}

/// When the tree is polled instead of waiting for notifications.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PollMode {
    /// Where notifications do not work: network file systems, the limit of watches reached.
    #[default]
    WhenNeeded,
    /// Always.
    Always,
}

/// How to watch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WatchOptions {
    /// When to poll.
    pub poll: PollMode,
    /// How long between two polls.
    pub poll_every: Duration,
}

impl Default for WatchOptions {
    fn default() -> Self {
        Self { poll: PollMode::WhenNeeded, poll_every: Duration::from_millis(500) }
    }
}

/// A watch over the dependency set of a compile. Dropping it ends its threads.
#[derive(Debug)]
pub struct Watch {}

/// Wakes and ends a [`Watch`] from another thread. Cheap to clone.
#[derive(Debug, Clone)]
pub struct StopHandle {}

impl StopHandle {
    /// Ends the watch: [`Watch::next`] answers [`Signal::Stopped`] from now on.
    pub fn stop(&self) {}
}

impl Watch {
    /// Watches `spec` below `root`. What moves after this returns is reported; so check once **after** it.
    ///
    /// It never fails: where notifications do not work the tree is polled, and the first change says so.
    pub fn new(_root: &Path, _spec: WatchSpec, _options: WatchOptions) -> Self {
        Self {}
    }

    /// Watches another set from now on. What stands in newly watched places is reported as moved.
    pub fn set(&mut self, _spec: WatchSpec) {}

    /// Waits for a change, at most for `timeout`.
    ///
    /// A single save is delivered at once; a burst when it has been quiet for a moment; nothing while git holds its
    /// index lock.
    pub fn next(&mut self, timeout: Duration) -> Signal {
        std::thread::sleep(timeout);
        Signal::Quiet
    }

    /// A handle that ends this watch.
    pub fn stop_handle(&self) -> StopHandle {
        StopHandle {}
    }

    /// Whether the tree is polled.
    pub fn is_polling(&self) -> bool {
        false
    }

    /// The directories that are watched now, for tests and `doctor`.
    pub fn directories(&self) -> Vec<Arc<str>> {
        Vec::new()
    }
}
