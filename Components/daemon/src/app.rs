//! What every route holds.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use mentci_authority::Hook;
use mentci_host::policy::PolicyRequest;
use mentci_host::{Answer, Ask, Asker, Harness, HookAnswer, HookCall, Request, Response};
use mentci_source::{Code, Finding};
use mentci_workspace::{Told, Workspace, late, uptime_ms};
use tokio::sync::{Semaphore, broadcast, watch};

use crate::Caller;
use crate::access::Guard;
use crate::asked::AskedCalls;
use crate::decision::Decisions;
use crate::lane::{Lane, is_large};
use crate::live::{Bulletin, Live, lines};
use crate::metrics::{Metrics, is_about_events};
use crate::repeat::Repeats;

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
    lane: Lane,
    guard: Arc<Guard>,
    at_a_time: Semaphore,
    in_line: Semaphore,
    live: Live,
    metrics: Metrics,
    repeats: Repeats,
    asked: AskedCalls,
    stopping: watch::Receiver<bool>,
}

impl App {
    /// # Errors
    /// The system gives no thread to decide on.
    pub(crate) fn new(
        workspace: Arc<Workspace>,
        guard: Arc<Guard>,
        stopping: watch::Receiver<bool>,
    ) -> std::io::Result<Self> {
        let (at_a_time, in_line) = (Semaphore::new(AT_A_TIME), Semaphore::new(IN_LINE));
        let lane = Lane::start(workspace.clone())?;
        Ok(Self(Arc::new(Inner {
            workspace,
            lane,
            guard,
            at_a_time,
            in_line,
            live: Live::new(),
            metrics: Metrics::default(),
            repeats: Repeats::default(),
            asked: AskedCalls::default(),
            stopping,
        })))
    }

    /// Answers a request on the pool of threads. Always an answer: what panics, takes too long or finds no room in line is
    /// a [`Response`] with a finding.
    pub async fn ask(&self, request: Request) -> Response {
        match request {
            // What is decided with others is decided in much less time; what is shown of the rules then is looked up apart.
            Request::Hook(call) => match late(&call) {
                Some(finding) => Response::bad([finding]),
                None if goes_by_lane(&call) => self.hook(*call).await,
                None => self.ask_alone(Request::Hook(call)).await,
            },
            request => self.ask_alone(request).await,
        }
    }

    /// Decides one event by the workspace's own rules, and writes it into the log. Always an answer, as of
    /// [`ask`](App::ask): a line with the verdict.
    pub async fn decide(&self, told: Told) -> Response {
        self.decide_within(told, PATIENCE).await
    }

    /// The same for somebody who waits so long: what is not decided by then never is.
    async fn decide_within(&self, told: Told, patience: Duration) -> Response {
        if is_large(&told) {
            let (caller, request) = alone(told);
            return self.answered(caller, request).await;
        }
        let decisions = Decisions::about(&told);
        let decided = tokio::time::timeout(patience, self.0.lane.ask(told)).await;
        let response = match decided {
            Ok(Ok(response)) => response,
            Ok(Err(finding)) => Response::bad([finding]),
            Err(_) => Response::bad([busy("no answer within 30 seconds")]),
        };
        decisions.end(&response);
        self.0.metrics.decided(&response);
        response
    }

    async fn hook(&self, mut call: HookCall) -> Response {
        let Some(mut event) = call.events.pop() else {
            return self.ask_alone(Request::Hook(Box::new(call))).await;
        };
        event.heard_at = call.harness.heard_at();
        let decided = self.decide_within(Told::Event(Box::new(event)), patience(&call)).await;
        let verdicts = decided.verdict().cloned().into_iter().collect();
        let answer = HookAnswer { verdicts, rules: None, earlier: Vec::new() };
        let response = Response::ok(answer).with(decided.findings).at_least(decided.outcome);
        if call.moment.is_none() || call.asker.is_some() {
            return response;
        }
        let told = self.ask_alone(Request::Hook(Box::new(call))).await;
        let (Answer::Hook(mut answer), Answer::Hook(shown)) = (response.answer, told.answer) else {
            return Response::bad(told.findings);
        };
        (answer.rules, answer.earlier) = (shown.rules, shown.earlier);
        Response::ok(answer).with(response.findings).with(told.findings).at_least(response.outcome)
    }

    async fn ask_alone(&self, request: Request) -> Response {
        self.answered(None, request).await
    }

    /// The same for somebody: what they change is in the log under their name.
    pub async fn ask_as(&self, caller: &Caller, request: Request) -> Response {
        self.answered(Some(caller.name.clone()), request).await
    }

    async fn answered(&self, who: Option<String>, request: Request) -> Response {
        let decides = is_about_events(&request).then(|| Decisions::asked(&request));
        let answered = self.work(move |workspace| match &who {
            Some(who) => workspace.ask_as(who, request),
            None => workspace.ask(request),
        });
        let answered = answered.await;
        let response = answered.unwrap_or_else(|finding| Response::bad([finding]));
        if let Some(decisions) = decides {
            decisions.end(&response);
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

    /// Hears of everything that is written after a line of the log, its last one now. Whoever is too slow misses what is oldest,
    /// and is told how much; where the log cannot be read now, its first news is that it is another one.
    pub async fn listen(&self) -> (broadcast::Receiver<Arc<Bulletin>>, u64) {
        let listener = self.0.live.subscribe();
        let last = lines(self, None, 0).await.map(|log| log.last);
        self.0.live.tell_after(last.unwrap_or(u64::MAX));
        (listener, last.unwrap_or(0))
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

    pub(crate) fn repeats(&self) -> &Repeats {
        &self.0.repeats
    }

    pub(crate) fn asked_calls(&self) -> &AskedCalls {
        &self.0.asked
    }

    pub(crate) fn live(&self) -> &Live {
        &self.0.live
    }
}

/// Whether all that a hook asks is a decision: a result may be shown shortened, and what is warned of at a gate that shows the
/// model nothing is kept for later.
fn goes_by_lane(call: &HookCall) -> bool {
    let [event] = call.events.as_slice() else { return false };
    match event.hook {
        Hook::PostToolResponse => !call.harness.changes_results(),
        Hook::PreToolCall => call.asker.is_some() || call.harness.hears_at_gate(),
        _ => true,
    }
}

/// How long whoever asks waits: another program decides by itself after that, and an event that stood in line until then would
/// be decided, and counted, twice.
fn patience(call: &HookCall) -> Duration {
    let left = |asker: &Asker| Duration::from_millis(asker.until_ms.saturating_sub(uptime_ms()));
    call.asker.as_ref().map_or(PATIENCE, |asker| left(asker).min(PATIENCE))
}

/// The same question, asked on its own, and who asks.
fn alone(told: Told) -> (Option<String>, Request) {
    match told {
        Told::Text { line: event, caller } => {
            let (rules, beside) = (Vec::new(), None);
            let request =
                PolicyRequest::Decide { rules, event, dry_run: false, lenient: false, beside, dated: false };
            (caller, Request::Policy(request))
        }
        Told::Event(event) => {
            (None, Request::Hook(Box::new(HookCall { events: vec![*event], ..HookCall::new(Harness::Any) })))
        }
    }
}

pub(crate) fn busy(why: &str) -> Finding {
    Finding::new(Code::DAEMON_BUSY, why).help("ask again; `policy-engine` itself answers without the daemon")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_waits_no_longer_than_whoever_asks_about_it() {
        let asked = |until_ms: u64| {
            let asker = Some(Asker { build: String::new(), until_ms });
            patience(&HookCall { asker, ..HookCall::new(Harness::Any) })
        };
        assert_eq!(asked(0), Duration::ZERO);
        assert_eq!(asked(u64::MAX), PATIENCE);
        let soon = asked(uptime_ms().saturating_add(10_000));
        assert!(soon > Duration::ZERO && soon <= Duration::from_secs(10), "{soon:?}");
        assert_eq!(patience(&HookCall::new(Harness::Any)), PATIENCE);
    }
}
