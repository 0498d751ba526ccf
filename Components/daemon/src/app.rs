//! What every route holds.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use mentci_host::{Ask, Request, Response};
use mentci_source::{Code, Finding};
use mentci_workspace::Workspace;
use tokio::sync::{Semaphore, broadcast, watch};

use crate::access::Guard;
use crate::live::{Live, News};
use crate::metrics::{Metrics, is_about_events};

/// How many questions are answered at a time; the others wait in line.
const AT_A_TIME: usize = 16;
/// How many may wait in line.
const IN_LINE: usize = 4_096;
/// How long a question may take, with its time in line.
const PATIENCE: Duration = Duration::from_secs(30);

/// What every route holds: whom to ask, and what happens. Cheap to clone.
#[derive(Clone)]
pub struct App(Arc<Inner>);

struct Inner {
    workspace: Arc<Workspace>,
    guard: Arc<Guard>,
    at_a_time: Semaphore,
    in_line: Semaphore,
    live: Live,
    metrics: Metrics,
    stopping: watch::Receiver<bool>,
}

impl App {
    pub(crate) fn new(workspace: Arc<Workspace>, guard: Arc<Guard>, stopping: watch::Receiver<bool>) -> Self {
        let (at_a_time, in_line) = (Semaphore::new(AT_A_TIME), Semaphore::new(IN_LINE));
        Self(Arc::new(Inner {
            workspace,
            guard,
            at_a_time,
            in_line,
            live: Live::new(),
            metrics: Metrics::default(),
            stopping,
        }))
    }

    /// Answers a request on the pool of threads. Always an answer: what panics, takes too long or finds no room in line is
    /// a [`Response`] with a finding.
    pub async fn ask(&self, request: Request) -> Response {
        let decides = is_about_events(&request);
        let answered = self.work(move |workspace| workspace.ask(request)).await;
        let response = answered.unwrap_or_else(|finding| Response::bad([finding]));
        if decides {
            self.0.metrics.decided(&response);
        }
        response
    }

    /// Does blocking work beside the loop.
    ///
    /// # Errors
    /// The finding that says why it was not done, or not in time.
    pub async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Workspace) -> T + Send + 'static,
    ) -> Result<T, Finding> {
        let Ok(_waiting) = self.0.in_line.try_acquire() else {
            return Err(busy("too many questions wait for an answer"));
        };
        let done = tokio::time::timeout(PATIENCE, async {
            // OK to ignore: nobody closes it.
            let _turn = self.0.at_a_time.acquire().await;
            let workspace = self.0.workspace.clone();
            tokio::task::spawn_blocking(move || work(&workspace)).await
        });
        match done.await {
            Ok(Ok(done)) => Ok(done),
            Ok(Err(_)) => Err(busy("answering ended in a crash")),
            Err(_) => Err(busy("no answer within 30 seconds")),
        }
    }

    /// Hears of everything that happens from now on. Whoever is too slow misses what is oldest, and is told how much.
    pub fn listen(&self) -> broadcast::Receiver<News> {
        self.0.live.listen()
    }

    /// Completes when the daemon stops: streams end then.
    pub async fn stopping(&self) {
        let mut stopping = self.0.stopping.clone();
        // OK to ignore: when nobody can say so any more, it stops as well.
        let _ = stopping.wait_for(|stopping| *stopping).await;
    }

    /// The workspace's folder.
    pub fn root(&self) -> &Path {
        self.0.workspace.root()
    }

    pub(crate) fn guard(&self) -> &Arc<Guard> {
        &self.0.guard
    }

    pub(crate) fn metrics(&self) -> &Metrics {
        &self.0.metrics
    }

    pub(crate) fn live(&self) -> &Live {
        &self.0.live
    }
}

fn busy(why: &str) -> Finding {
    Finding::new(Code::DAEMON_BUSY, why).help("ask again; `policy-engine` itself answers without the daemon")
}
