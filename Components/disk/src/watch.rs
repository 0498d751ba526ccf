//! What was saved, at once; what comes in bursts, gathered.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};

use mentci_source::{Code, Finding};
use notify::{Config, ErrorKind, EventKindMask, PathOp, RecommendedWatcher, Watcher};

use crate::git_hold::GitHold;
use crate::mailbox::{Mailbox, Progress};
use crate::network::is_network;
use crate::watched::{Notice, Watched};
use crate::{Found, Fs, Kind, RealFs, SourcePattern, WatchSpec, discover_under, poll};

/// Why notifications cannot be had on a local file system.
const LIMIT: &str = "the limit of watches is reached";
const POLLING_HELP: &str =
    "on Linux, raise `fs.inotify.max_user_watches` and `fs.inotify.max_user_instances`";
/// How often a place that keeps changing is walked before it is left to its notifications.
const MAX_WALKS: usize = 5;

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
    /// How long nothing must move until a burst is over; a single save is told at once.
    pub quiet: Duration,
}

impl Default for WatchOptions {
    fn default() -> Self {
        Self {
            poll: PollMode::WhenNeeded,
            poll_every: Duration::from_millis(500),
            quiet: Duration::from_millis(40),
        }
    }
}

/// A watch over the dependency set of a compile. Dropping it ends its threads.
///
/// ```
/// use mentci_disk::{Signal, Watch, WatchOptions, WatchSpec};
/// use std::time::Duration;
/// # let root = tempfile::tempdir().unwrap();
/// # let root = root.path();
/// let spec = WatchSpec { patterns: vec!["AGENTS.md".parse().unwrap()], ..WatchSpec::default() };
/// let mut watch = Watch::new(root, spec, WatchOptions::default());
/// std::fs::write(root.join("AGENTS.md"), "Never unwrap.")?;
/// let Signal::Changed(change) = watch.next(Duration::from_secs(5)) else { panic!("a save is told") };
/// assert!(change.paths.contains("AGENTS.md"));
/// watch.stop_handle().stop();
/// assert_eq!(watch.next(Duration::from_secs(5)), Signal::Stopped);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Watch {
    home: PathBuf,
    shared: Arc<Shared>,
    backend: Backend,
    git: GitHold,
    options: WatchOptions,
}

/// Who tells what moved.
#[derive(Debug)]
enum Backend {
    Notifications(RecommendedWatcher),
    Polling,
}

/// What the watch and the thread that fills its box have in common.
#[derive(Debug)]
pub(crate) struct Shared {
    mailbox: Mutex<Mailbox>,
    wake: Condvar,
    watched: RwLock<Watched>,
}

/// Wakes and ends a [`Watch`] from another thread. Cheap to clone.
#[derive(Debug, Clone)]
pub struct StopHandle {
    shared: Arc<Shared>,
}

impl StopHandle {
    /// Ends the watch: [`Watch::next`] answers [`Signal::Stopped`] from now on.
    pub fn stop(&self) {
        self.shared.post(|mailbox| mailbox.stopped = true);
    }

    /// Whether [`Watch::next`] has something to tell, or is about to have: what can wait gives way to it.
    pub fn has_news(&self) -> bool {
        let mailbox = self.shared.open();
        mailbox.stopped || !mailbox.appeared.is_empty() || mailbox.ready_at().is_some()
    }

    /// Has everything looked at: something moved that no file tells. [`Watch::next`] answers a change without paths at once.
    pub fn look_again(&self) {
        self.shared.post(|mailbox| mailbox.look_again(Instant::now()));
    }
}

impl Watch {
    /// Watches `spec` below `root`. What moves after this returns is reported; so check once **after** it.
    ///
    /// It never fails: where notifications do not work the tree is polled, and the first change says so.
    pub fn new(root: &Path, spec: WatchSpec, options: WatchOptions) -> Self {
        let home = RealFs.canonicalize(root).unwrap_or_else(|_| root.to_owned());
        let shared = Arc::new(Shared {
            mailbox: Mutex::new(Mailbox::new(Instant::now(), options.quiet)),
            wake: Condvar::new(),
            watched: RwLock::new(Watched::new(spec)),
        });
        let git = GitHold::new(&RealFs, &home);
        let mut watch = Self { home, shared, backend: Backend::Polling, git, options };
        watch.start();
        watch
    }

    /// Watches another set from now on. What stands in newly watched places is reported as moved.
    pub fn set(&mut self, spec: WatchSpec) {
        let added = self.shared.watched(|watched| spec.without(&watched.spec));
        let dropped = self.shared.watched_mut(|watched| {
            watched.spec = spec;
            watched.prune()
        });
        if let Backend::Notifications(watcher) = &mut self.backend {
            for place in dropped {
                let _ = watcher.unwatch(&place); // it may be gone
            }
        }
        let found = self.watch_under(&added.all_patterns(), "");
        self.report(found);
    }

    /// Waits for a change, at most for `timeout`.
    ///
    /// A single save is delivered at once; a burst when it has been quiet for a moment; nothing while git holds its
    /// index lock, and what a checkout moved is still being told.
    pub fn next(&mut self, timeout: Duration) -> Signal {
        let deadline = Instant::now() + timeout;
        loop {
            match self.shared.wait(deadline) {
                Woken::Stopped => return Signal::Stopped,
                Woken::Quiet => return Signal::Quiet,
                Woken::Appeared(paths) => self.adopt(&paths),
                Woken::Ready(last_event) => {
                    if !self.git.is_held(&RealFs, last_event) {
                        let change = self.shared.post(|mailbox| mailbox.take(Instant::now()));
                        self.follow_links(&change);
                        return Signal::Changed(change);
                    }
                    self.shared.post(|mailbox| mailbox.hold(Instant::now()));
                }
            }
        }
    }

    /// A handle that ends this watch.
    pub fn stop_handle(&self) -> StopHandle {
        StopHandle { shared: self.shared.clone() }
    }

    /// Whether the tree is polled.
    pub fn is_polling(&self) -> bool {
        matches!(self.backend, Backend::Polling)
    }

    /// The directories that are watched now, for tests and `doctor`.
    pub fn directories(&self) -> Vec<Arc<str>> {
        self.shared.watched(|watched| watched.known.iter().cloned().collect())
    }

    fn start(&mut self) {
        let shared = self.shared.clone();
        if self.options.poll == PollMode::Always {
            return self.poll(None);
        }
        if is_network(&self.home) {
            return self.poll(Some("this is a network file system"));
        }
        // Who only reads a file changes nothing: where each is told, a search through the tree keeps the watch busy.
        let config = Config::default().with_event_kinds(EventKindMask::CORE | EventKindMask::ACCESS_CLOSE);
        match RecommendedWatcher::new(move |event| shared.receive(event), config) {
            Ok(watcher) => self.backend = Backend::Notifications(watcher),
            Err(_) => return self.poll(Some(LIMIT)),
        }
        let patterns = self.shared.watched(|watched| watched.spec.all_patterns());
        self.watch_under(&patterns, "");
    }

    /// Polls from now on, and says why with the next change.
    fn poll(&mut self, why: Option<&str>) {
        self.backend = Backend::Polling;
        if let Some(why) = why {
            let note = format!("file notifications do not work here ({why}); the tree is polled");
            let note = Finding::new(Code::WATCH_POLLING, note).help(POLLING_HELP);
            self.shared.post(|mailbox| mailbox.note(note));
        }
        if poll::start(self.shared.clone(), self.home.clone(), self.options.poll_every).is_err() {
            let note = Finding::new(Code::WATCH_POLLING, "no thread could be started to poll the tree");
            self.shared.post(|mailbox| mailbox.note(note));
        }
    }

    /// Watches the directories that have appeared, and reports what they hold already.
    fn adopt(&mut self, paths: &BTreeSet<Arc<str>>) {
        let patterns = self.shared.watched(|watched| watched.spec.all_patterns());
        for path in paths {
            let found = self.watch_under(&patterns, path);
            if !path.is_empty() {
                self.report(found);
            }
        }
    }

    /// Watches what links that have appeared, or lead elsewhere now, lead to. Whoever reads after this misses no edit of it.
    fn follow_links(&mut self, change: &Change) {
        if self.is_polling() {
            return;
        }
        let is_link = |path: &&Arc<str>| {
            RealFs.lstat(&self.home.join(&***path)).is_ok_and(|stat| stat.kind == Kind::Link)
        };
        let links: Vec<Arc<str>> = change.paths.iter().filter(is_link).cloned().collect();
        if links.is_empty() {
            return;
        }
        let patterns = self.shared.watched(|watched| watched.spec.all_patterns());
        for link in links {
            self.watch_under(&patterns, &link);
        }
    }

    /// Watches what `patterns` need at and below `path`, until a walk shows nothing new: whatever appears later is
    /// noticed. Says which files stand there.
    fn watch_under(&mut self, patterns: &[SourcePattern], path: &str) -> Vec<Found> {
        let (mut seen, mut found) = (Vec::new(), Vec::new());
        for _ in 0..if patterns.is_empty() { 0 } else { MAX_WALKS } {
            let walk = discover_under(&RealFs, &self.home, patterns, path).value;
            found.clone_from(&walk.found);
            let places = self.shared.watched_mut(|watched| watched.add(walk));
            if places == seen || !self.watch_places(&places) {
                break;
            }
            seen = places;
        }
        found
    }

    /// Says whether notifications (still) work.
    fn watch_places(&mut self, places: &[PathBuf]) -> bool {
        let Backend::Notifications(watcher) = &mut self.backend else { return false };
        let (mut full, mut committed) = (false, true);
        let mut asked: Vec<PathOp> = places.iter().map(PathOp::watch_non_recursive).collect();
        while let Err(failed) = watcher.update_paths(asked) {
            full |= matches!(failed.source.kind, ErrorKind::MaxFilesWatch);
            committed = failed.origin.is_some();
            if !committed {
                break;
            }
            // A place that is gone again is told by the directory above it.
            asked = failed.remaining;
        }
        if full || !committed {
            self.poll(Some(LIMIT));
            self.shared.post(|mailbox| mailbox.look_at_everything(Instant::now()));
        }
        !full && committed
    }

    fn report(&self, found: Vec<Found>) {
        let now = Instant::now();
        self.shared.post(|mailbox| {
            for file in found {
                mailbox.moved(file.path, Progress::Done, now);
            }
        });
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.stop_handle().stop();
    }
}

/// Why the box was opened.
enum Woken {
    Stopped,
    Quiet,
    Appeared(BTreeSet<Arc<str>>),
    /// Something can be told; the last event was then.
    Ready(Instant),
}

impl Shared {
    /// Changes the box and wakes whoever waits for it.
    pub(crate) fn post<T>(&self, change: impl FnOnce(&mut Mailbox) -> T) -> T {
        let result = change(&mut self.open());
        self.wake.notify_all();
        result
    }

    /// Waits for `duration`; says whether the watch was stopped.
    pub(crate) fn sleep(&self, duration: Duration) -> bool {
        let waited = self.wake.wait_timeout_while(self.open(), duration, |mailbox| !mailbox.stopped);
        waited.unwrap_or_else(PoisonError::into_inner).0.stopped
    }

    pub(crate) fn watched<T>(&self, read: impl FnOnce(&Watched) -> T) -> T {
        read(&self.watched.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn watched_mut<T>(&self, write: impl FnOnce(&mut Watched) -> T) -> T {
        write(&mut self.watched.write().unwrap_or_else(PoisonError::into_inner))
    }

    /// Takes in what the system tells, in the system's thread.
    fn receive(&self, event: notify::Result<notify::Event>) {
        let notices = match event {
            Ok(event) => self.watched(|watched| watched.understand(&event)),
            Err(_) => vec![Notice::Lost],
        };
        if !notices.is_empty() {
            let now = Instant::now();
            self.post(|mailbox| notices.into_iter().for_each(|notice| mailbox.put(notice, now)));
        }
    }

    fn wait(&self, deadline: Instant) -> Woken {
        let mut mailbox = self.open();
        loop {
            let now = Instant::now();
            if mailbox.stopped {
                return Woken::Stopped;
            }
            if !mailbox.appeared.is_empty() {
                return Woken::Appeared(std::mem::take(&mut mailbox.appeared));
            }
            let ready = mailbox.ready_at();
            if ready.is_some_and(|ready| ready <= now) {
                return Woken::Ready(mailbox.last_event());
            }
            if now >= deadline {
                return Woken::Quiet;
            }
            let until = ready.map_or(deadline, |ready| ready.min(deadline));
            let waited = self.wake.wait_timeout(mailbox, until - now);
            mailbox = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn open(&self) -> MutexGuard<'_, Mailbox> {
        self.mailbox.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
