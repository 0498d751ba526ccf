//! What happens, told to everybody who listens.
//!
//! Decisions and what people do are lines of the log, whoever wrote them: this process, a hook's, or the command line's. The
//! log is followed only while somebody listens.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use mentci_host::{Answer, LogAnswer, LogRequest, Request};
use mentci_workspace::WatchCycle;
use serde::Serialize;
use serde_json::json;
use tokio::sync::broadcast;

use crate::App;

/// How much a listener may be behind.
const BEHIND: usize = 1_024;
/// How many lines all listeners together are told at a time: deciding has the machine for itself.
const AT_ONCE: usize = 5_000;
/// How many lines each is told all the same.
const LEAST: usize = 5;
/// How often the log is looked at.
const EVERY: Duration = Duration::from_millis(200);

/// Something happened. Written once, whoever many read it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct News {
    /// What kind: `event` for a line of the log, `watched` for a cycle of the watcher, `lagged` for lines that were too many to
    /// be told, `reset` where the log is another one than it was.
    pub name: &'static str,
    /// The number of the log's line.
    pub seq: Option<u64>,
    /// It, as JSON: a [`LogRow`](mentci_host::LogRow), or a [`WatchCycle`].
    pub data: Arc<str>,
}

impl News {
    /// The name of what says that the log is another one.
    pub(crate) const RESET: &'static str = "reset";

    /// The log is another one, whose last line this is.
    pub(crate) fn reset(last: u64) -> Self {
        Self::new(Self::RESET, Some(last), &json!({ "last": last }))
    }

    pub(crate) fn new(name: &'static str, seq: Option<u64>, told: &impl Serialize) -> Self {
        // OK because what is told is plain data.
        Self { name, seq, data: serde_json::to_string(told).unwrap_or_default().into() }
    }
}

/// Tells.
#[derive(Debug)]
pub(crate) struct Live {
    told: broadcast::Sender<News>,
    /// The last line that everybody knows who listens; none while nobody does.
    seen: Mutex<Option<u64>>,
}

impl Live {
    pub(crate) fn new() -> Self {
        Self { told: broadcast::channel(BEHIND).0, seen: Mutex::new(None) }
    }

    pub(crate) fn subscribe(&self) -> broadcast::Receiver<News> {
        self.told.subscribe()
    }

    /// Whoever subscribed has read the log up to a line: what stands after it is told, however soon it was written.
    pub(crate) fn tell_after(&self, last: u64) {
        let mut seen = self.seen();
        *seen = Some(seen.map_or(last, |seen| seen.min(last)));
    }

    /// The last line that everybody knows. None where nobody listens, or nobody who listens has read the log yet.
    fn known(&self) -> Option<u64> {
        let mut seen = self.seen();
        if self.listeners() == 0 {
            *seen = None;
        }
        *seen
    }

    fn seen(&self) -> MutexGuard<'_, Option<u64>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many listen.
    pub(crate) fn listeners(&self) -> usize {
        self.told.receiver_count()
    }

    pub(crate) fn watched(&self, cycle: &WatchCycle) {
        self.tell(News::new("watched", None, cycle));
    }

    fn tell(&self, news: News) {
        // OK to ignore: nobody listens.
        let _ = self.told.send(news);
    }
}

/// Tells the lines of the log as they are written, until the daemon stops.
pub(crate) async fn follow(app: App) {
    loop {
        tokio::select! {
            () = tokio::time::sleep(EVERY) => {}
            () = app.stopping() => return,
        }
        let Some(known) = app.live().known() else { continue };
        if let Some(told) = tell_since(&app, known).await {
            // Whoever came meanwhile heard each line that was told: they subscribe before they read.
            *app.live().seen() = Some(told);
        }
    }
}

/// Tells what was written after a line; the newest line's number. Where more was written than all listeners together can be
/// told, they are told the newest, and how many lines they missed.
async fn tell_since(app: &App, seen: u64) -> Option<u64> {
    let last = lines(app, Some(seen), 0).await?.last;
    if seen > last {
        app.live().tell(News::reset(last));
    }
    if seen >= last {
        return Some(last);
    }
    let most = (AT_ONCE / app.live().listeners().max(1)).clamp(LEAST, BEHIND / 2);
    let after = seen.max(last.saturating_sub(most as u64));
    if after > seen {
        app.live().tell(News::new("lagged", None, &json!({ "missed": after - seen })));
    }
    let answer = lines(app, Some(after), most).await?;
    for row in &answer.lines {
        app.live().tell(News::new("event", Some(row.seq), row));
    }
    Some(answer.lines.last().map_or(last, |row| row.seq))
}

/// Lines of the log; none when it cannot be read.
pub(crate) async fn lines(app: &App, after: Option<u64>, limit: usize) -> Option<LogAnswer> {
    let request = LogRequest::Lines { after, session: None, limit: Some(limit) };
    match app.ask(Request::Log(request)).await.answer {
        Answer::Log(answer) => Some(answer),
        _ => None,
    }
}
