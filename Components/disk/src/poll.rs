//! Looking again and again, where notifications do not work.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::mailbox::Progress;
use crate::watch::Shared;
use crate::{RealFs, Stamp, discover};

/// The stat keys of all that is watched.
type Snapshot = BTreeMap<Arc<str>, Stamp>;

/// Starts a thread that compares the tree with what it was, every `every`, until the watch is stopped.
pub(crate) fn start(shared: Arc<Shared>, home: PathBuf, every: Duration) -> std::io::Result<JoinHandle<()>> {
    let mut before = snapshot(&shared, &home);
    std::thread::Builder::new().name("mentci-poll".into()).spawn(move || {
        while !shared.sleep(every) {
            let after = snapshot(&shared, &home);
            tell(&shared, &before, &after);
            before = after;
        }
    })
}

fn snapshot(shared: &Shared, home: &Path) -> Snapshot {
    let patterns = shared.watched(|watched| watched.spec.all_patterns());
    let found = discover(&RealFs, home, &patterns).value.found;
    found.into_iter().map(|file| (file.path, file.stamp)).collect()
}

fn tell(shared: &Shared, before: &Snapshot, after: &Snapshot) {
    let paths: BTreeSet<&Arc<str>> = before.keys().chain(after.keys()).collect();
    let mut moved = paths.into_iter().filter(|path| before.get(*path) != after.get(*path)).peekable();
    if moved.peek().is_some() {
        let now = Instant::now();
        shared.post(|mailbox| moved.for_each(|path| mailbox.moved(path.clone(), Progress::Done, now)));
    }
}
