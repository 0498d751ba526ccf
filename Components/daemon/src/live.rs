//! What happens, told to everybody who listens.
//!
//! Decisions and what people do are lines of the log, whoever wrote them: this process, a hook's, or the command line's. The
//! log is followed only while somebody listens.

use std::fmt::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::body::Bytes;
use mentci_host::{Answer, LogAnswer, LogRequest, Request};
use mentci_workspace::WatchCycle;
use serde::Serialize;
use serde_json::json;
use tokio::sync::broadcast;

use crate::App;

/// How many bulletins a listener may be behind.
const BEHIND: usize = 64;
/// How many lines are told at a time.
const MOST: usize = 512;
/// How many lines all listeners together are told at a time: deciding has the machine for itself.
const AT_ONCE: usize = 20_000;
/// How many lines each is told all the same.
const LEAST: usize = 5;
/// How often the log is looked at.
const EVERY: Duration = Duration::from_millis(200);
/// By how much less often for each who listens: whoever is told has to be woken for it.
const FOR_EACH: Duration = Duration::from_millis(1);
/// How often it is looked at, however many listen.
const SELDOM: Duration = Duration::from_secs(1);

/// Something happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct News {
    /// What kind: `event` for a line of the log, `watched` for a cycle of the watcher, `lagged` for lines that were too many to
    /// be told, `reset` where the log is another one than it was.
    pub name: &'static str,
    /// The number of the log's line.
    pub seq: Option<u64>,
    /// It, as JSON: a [`LogRow`](mentci_host::LogRow), or a [`WatchCycle`].
    pub data: String,
}

impl News {
    /// Lines that were too many to be told.
    pub(crate) fn lagged(missed: u64) -> Self {
        Self::new("lagged", None, &json!({ "missed": missed }))
    }

    /// The log is another one, whose last line this is.
    pub(crate) fn reset(last: u64) -> Self {
        Self::new("reset", Some(last), &json!({ "last": last }))
    }

    pub(crate) fn new(name: &'static str, seq: Option<u64>, told: &impl Serialize) -> Self {
        // OK because what is told is plain data.
        Self { name, seq, data: serde_json::to_string(told).unwrap_or_default() }
    }

    /// As a server-sent event. JSON has no line breaks.
    pub(crate) fn write(&self, stream: &mut String) {
        // OK to ignore: writing into a string does not fail.
        let _ = write!(stream, "event: {}\ndata: {}\n", self.name, self.data);
        if let Some(seq) = self.seq {
            let _ = writeln!(stream, "id: {seq}");
        }
        stream.push('\n');
    }
}

/// What is told at one time. Written once, however many read it.
#[derive(Debug)]
pub struct Bulletin {
    /// Lines of the log, one after the other; or one thing else.
    pub news: Vec<News>,
    /// All of it, as server-sent events.
    pub(crate) stream: Bytes,
}

impl Bulletin {
    pub(crate) fn new(news: Vec<News>) -> Self {
        let mut stream = String::new();
        for news in &news {
            news.write(&mut stream);
        }
        Self { news, stream: stream.into() }
    }
}

/// Tells.
#[derive(Debug)]
pub(crate) struct Live {
    told: broadcast::Sender<Arc<Bulletin>>,
    /// The last line that everybody knows who listens; none while nobody does.
    seen: Mutex<Option<u64>>,
}

impl Live {
    pub(crate) fn new() -> Self {
        Self { told: broadcast::channel(BEHIND).0, seen: Mutex::new(None) }
    }

    pub(crate) fn subscribe(&self) -> broadcast::Receiver<Arc<Bulletin>> {
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
        self.tell(vec![News::new("watched", None, cycle)]);
    }

    fn tell(&self, news: Vec<News>) {
        if self.listeners() > 0 {
            // OK to ignore: nobody listens any more.
            let _ = self.told.send(Arc::new(Bulletin::new(news)));
        }
    }

    /// How long nothing is looked at.
    fn pause(&self) -> Duration {
        let listeners = u32::try_from(self.listeners()).unwrap_or(u32::MAX);
        FOR_EACH.saturating_mul(listeners).clamp(EVERY, SELDOM)
    }
}

/// Tells the lines of the log as they are written, until the daemon stops.
pub(crate) async fn follow(app: App) {
    loop {
        tokio::select! {
            () = tokio::time::sleep(app.live().pause()) => {}
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
/// told, they are told the newest: by its number each knows how many lines it missed.
async fn tell_since(app: &App, seen: u64) -> Option<u64> {
    let last = lines(app, Some(seen), 0).await?.last;
    if seen > last {
        app.live().tell(vec![News::reset(last)]);
    }
    if seen >= last {
        return Some(last);
    }
    let most = (AT_ONCE / app.live().listeners().max(1)).clamp(LEAST, MOST);
    let after = seen.max(last.saturating_sub(most as u64));
    let answer = lines(app, Some(after), most).await?;
    if !answer.lines.is_empty() {
        app.live().tell(told(&answer));
    }
    Some(answer.lines.last().map_or(last, |row| row.seq))
}

/// Lines of the log as news.
pub(crate) fn told(log: &LogAnswer) -> Vec<News> {
    log.lines.iter().map(|row| News::new("event", Some(row.seq), row)).collect()
}

/// Lines of the log; none when it cannot be read.
pub(crate) async fn lines(app: &App, after: Option<u64>, limit: usize) -> Option<LogAnswer> {
    let request = LogRequest::Lines { after, before: None, session: None, limit: Some(limit) };
    match app.ask(Request::Log(request)).await.answer {
        Answer::Log(answer) => Some(answer),
        _ => None,
    }
}
