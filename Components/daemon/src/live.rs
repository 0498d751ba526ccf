//! What happens, told to everybody who listens.

use mentci_workspace::WatchCycle;
use serde::Serialize;
use serde_json::Value;
use tokio::sync::broadcast;

/// How much a listener may be behind.
const BEHIND: usize = 1_024;

/// Something happened.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "news", rename_all = "snake_case")]
pub enum News {
    /// An event was decided, or a person did something: a line of the log.
    Event {
        /// The line, as the verb `events` shows it.
        event: Value,
    },
    /// The sources of the law moved, or the watcher has something to tell.
    Watched {
        /// The cycle, as `watch --json` prints it.
        cycle: Value,
    },
}

impl News {
    /// The name under which streams tell it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Event { .. } => "event",
            Self::Watched { .. } => "watched",
        }
    }
}

/// Tells.
#[derive(Debug)]
pub(crate) struct Live(broadcast::Sender<News>);

impl Live {
    pub(crate) fn new() -> Self {
        Self(broadcast::channel(BEHIND).0)
    }

    pub(crate) fn listen(&self) -> broadcast::Receiver<News> {
        self.0.subscribe()
    }

    pub(crate) fn watched(&self, cycle: &WatchCycle) {
        // OK because a cycle is plain data.
        let cycle = serde_json::to_value(cycle).unwrap_or_default();
        self.tell(News::Watched { cycle });
    }

    pub(crate) fn tell(&self, news: News) {
        // OK to ignore: nobody listens.
        let _ = self.0.send(news);
    }
}
