//! Calls of tools: each has one beginning and one end.
#![allow(clippy::unwrap_used, reason = "a test may stop")]

use std::collections::BTreeMap;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use mentci_authority::{ToolAnswer, ToolCall, ToolFailure, ToolProvider, ToolSpec};
use mentci_context::{
    AlignOptions, GateAnswer, PerceptionAligner, SchemaRegistry, Timeouts, Timer, ToolEvent, ToolEventKind,
    ToolEvents, ToolGate, ToolInterruptHandler,
};
use mentci_tokens::Bytes;
use serde_json::{Value, json};

/// What it was told.
#[derive(Default)]
struct Told(Mutex<Vec<ToolEvent>>);

impl ToolEvents for Told {
    fn record(&self, event: &ToolEvent) {
        self.0.lock().unwrap().push(event.clone());
    }
}

impl Told {
    fn kinds(&self) -> Vec<ToolEventKind> {
        self.0.lock().unwrap().iter().map(|event| event.kind).collect()
    }

    fn text(&self) -> String {
        format!("{:?}", self.0.lock().unwrap())
    }

    fn last(&self) -> Value {
        Value::Object(self.0.lock().unwrap().last().unwrap().data.clone())
    }
}

/// Time as tokio tells it.
struct Clock;

impl Timer for Clock {
    fn sleep(&self, time: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(tokio::time::sleep(time))
    }

    fn now(&self) -> f64 {
        7.0
    }
}

/// Time that never passes.
struct Still;

impl Timer for Still {
    fn sleep(&self, _: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(std::future::pending())
    }

    fn now(&self) -> f64 {
        7.0
    }
}

/// Waits to be polled so many times more.
struct Turns(usize);

impl Future for Turns {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        context.waker().wake_by_ref();
        match self.0.checked_sub(1) {
            None => Poll::Ready(()),
            Some(left) => {
                self.0 = left;
                Poll::Pending
            }
        }
    }
}

/// Tools that do what their names say.
#[derive(Default)]
struct Tools {
    runs: AtomicUsize,
    at_once: AtomicUsize,
    most_at_once: AtomicUsize,
}

/// One more that runs, until it is dropped.
struct Running<'a>(&'a Tools);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.at_once.fetch_sub(1, Ordering::SeqCst);
    }
}

impl ToolProvider for Tools {
    fn tools(&self) -> Vec<ToolSpec> {
        Vec::new()
    }

    fn call<'a>(&'a self, call: &'a ToolCall) -> ToolAnswer<'a> {
        assert!(call.name != "panic_early", "no tool today, {}", secret());
        Box::pin(async move {
            self.runs.fetch_add(1, Ordering::SeqCst);
            let running = self.at_once.fetch_add(1, Ordering::SeqCst) + 1;
            let _running = Running(self);
            self.most_at_once.fetch_max(running, Ordering::SeqCst);
            match call.name.as_str() {
                "echo" => Ok(call.args.clone()),
                "turns" => {
                    Turns(usize::try_from(call.args["turns"].as_u64().unwrap_or(3)).unwrap()).await;
                    Ok(json!("done"))
                }
                "hang" => std::future::pending().await,
                "fail" => Err(ToolFailure::new(call.args["error"].as_str().unwrap_or("it failed"))),
                "panic" => {
                    Turns(1).await;
                    panic!("the tool broke, {}", secret())
                }
                "big" => Ok(json!("INFO job done\n".repeat(1000))),
                "wrong" => Ok(json!({"n": "three"})),
                other => Err(ToolFailure::new(format!("no tool `{other}`"))),
            }
        })
    }
}

/// A secret, put together from parts.
fn secret() -> String {
    ["AKIA", "QZ7W", "M4XN", "T2KD", "R9VB"].concat()
}

struct Stage {
    told: Arc<Told>,
    tools: Arc<Tools>,
    handler: ToolInterruptHandler,
}

fn stage(timer: impl Timer + 'static, gate: impl ToolGate + 'static) -> Stage {
    let mut schemas = SchemaRegistry::default();
    schemas.register("wrong", &json!({"properties": {"n": {"type": "integer"}}})).unwrap();
    let aligner = PerceptionAligner::new(AlignOptions::default(), schemas, Arc::new(Bytes)).unwrap();
    let (told, tools) = (Arc::new(Told::default()), Arc::new(Tools::default()));
    let handler = ToolInterruptHandler::new(
        tools.clone(),
        Arc::new(aligner),
        told.clone(),
        Arc::new(gate),
        Arc::new(timer),
    );
    Stage { told, tools, handler }
}

fn allow(_: &ToolCall) -> GateAnswer {
    GateAnswer::Allowed
}

/// Runs a future to its end on this thread.
fn run<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    for _ in 0..10_000 {
        if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return value;
        }
    }
    panic!("it does not end");
}

#[test]
fn test_success_event() {
    let stage = stage(Still, allow);
    let event = run(stage.handler.call("echo", json!({"text": "hi"}), None));
    assert_eq!(stage.told.kinds(), [ToolEventKind::Call, ToolEventKind::Success]);
    assert_eq!(
        Value::Object(event.data),
        json!({"call_id": "call_000001", "tool": "echo", "status": "ok", "value": {"text": "hi"}})
    );
    let call = &stage.told.0.lock().unwrap()[0];
    assert_eq!(
        Value::Object(call.data.clone()),
        json!({"call_id": "call_000001", "tool": "echo", "args": {"text": "hi"}})
    );
}

#[test]
fn test_error_event() {
    let stage = stage(Still, allow);
    run(stage.handler.call("fail", json!({"error": format!("TimeoutError: timeout at {}", secret())}), None));
    assert_eq!(
        stage.told.kinds(),
        [ToolEventKind::Call, ToolEventKind::Error],
        "a tool's timeout is not ours"
    );
    assert_eq!(stage.told.last()["error"], json!("TimeoutError: timeout at [AWS_KEY]"));
}

#[tokio::test]
async fn test_timeout_event() {
    let stage = stage(Clock, allow);
    let begun = stage.handler.call("hang", json!({}), Some(Duration::from_millis(20)));
    begun.await;
    assert_eq!(stage.told.kinds(), [ToolEventKind::Call, ToolEventKind::Timeout]);
    assert_eq!(stage.told.last()["timeout_ms"], json!(20));
    assert_eq!(stage.tools.at_once.load(Ordering::SeqCst), 0, "the tool was stopped");
}

#[tokio::test]
async fn time_outs_are_those_of_the_tool() {
    let tools = BTreeMap::from([("hang".to_owned(), Duration::from_millis(10))]);
    let stage = stage(Clock, allow);
    let handler = stage.handler.with_timeouts(Timeouts { default: Duration::from_millis(30), tools });
    handler.call("hang", json!({}), None).await;
    assert_eq!(stage.told.last()["timeout_ms"], json!(10));
    handler.call("turns", json!({"turns": 1_000_000_000}), None).await;
    assert_eq!(stage.told.last()["timeout_ms"], json!(30));
}

#[test]
fn an_answer_that_its_schema_does_not_allow_is_no_success() {
    let stage = stage(Still, allow);
    run(stage.handler.call("wrong", json!({}), None));
    assert_eq!(stage.told.kinds(), [ToolEventKind::Call, ToolEventKind::Error]);
    let last = stage.told.last();
    assert_eq!((&last["status"], &last["errors"][0]["path"]), (&json!("invalid"), &json!("/n")));
    assert_eq!(last["value"], json!({"n": "three"}));
}

#[test]
fn a_large_answer_is_moved_out() {
    let stage = stage(Still, allow);
    let event = run(stage.handler.call("big", json!({}), None));
    let artifact = event.artifact.unwrap();
    assert_eq!(event.data["artifact"]["artifact_id"], json!(artifact.handle.artifact_id.to_string()));
    assert!(event.data["summary"].as_str().unwrap().starts_with("log, 1000 lines"));
    assert!(!event.data.contains_key("value"));
    let long = format!("it failed: {}", "because ".repeat(2000));
    let event = run(stage.handler.call("fail", json!({"error": long}), None));
    assert_eq!(event.artifact.unwrap().content, long.into_bytes());
    assert!(event.data["error"].as_str().unwrap().len() <= 500);
}

#[test]
fn a_denied_call_never_runs() {
    let deny = |_: &ToolCall| GateAnswer::Denied { reason: format!("not {}", secret()) };
    let stage = stage(Still, deny);
    run(stage.handler.call("echo", json!({}), None));
    assert_eq!(stage.told.kinds(), [ToolEventKind::Call, ToolEventKind::Denied]);
    assert_eq!(stage.told.last()["error"], json!("not [AWS_KEY]"));
    assert_eq!(stage.tools.runs.load(Ordering::SeqCst), 0);
}

#[test]
fn a_call_that_a_person_must_allow_does_not_run() {
    let stage = stage(Still, |_: &ToolCall| GateAnswer::Approve { reason: "ask ann".into() });
    run(stage.handler.call("echo", json!({}), None));
    assert_eq!(
        (stage.told.kinds()[1], &stage.told.last()["approval"]),
        (ToolEventKind::Denied, &json!(true))
    );
    assert_eq!(stage.tools.runs.load(Ordering::SeqCst), 0);
}

#[test]
fn a_gate_changes_arguments() {
    let stage = stage(Still, |_: &ToolCall| GateAnswer::Changed(json!({"dry_run": true})));
    run(stage.handler.call("echo", json!({"dry_run": false}), None));
    let call = stage.told.0.lock().unwrap()[0].data.clone();
    assert_eq!(
        (&call["args"], &call["changed_args"]),
        (&json!({"dry_run": false}), &json!({"dry_run": true}))
    );
    assert_eq!(stage.told.last()["value"], json!({"dry_run": true}));
}

#[test]
fn what_panics_ends_its_call() {
    for tool in ["panic", "panic_early"] {
        let stage = stage(Still, allow);
        run(stage.handler.call(tool, json!({}), None));
        assert_eq!(stage.told.kinds(), [ToolEventKind::Call, ToolEventKind::Error], "{tool}");
        let error = stage.told.last()["error"].as_str().unwrap().to_owned();
        assert!(error.starts_with("the tool panicked: ") && error.ends_with("[AWS_KEY]"), "{error}");
        assert_eq!(stage.tools.at_once.load(Ordering::SeqCst), 0);
    }
    let stage = stage(Still, |_: &ToolCall| -> GateAnswer { panic!("no gate") });
    run(stage.handler.call("echo", json!({}), None));
    assert_eq!(stage.told.kinds(), [ToolEventKind::Call, ToolEventKind::Denied]);
    assert_eq!(stage.tools.runs.load(Ordering::SeqCst), 0);
}

#[test]
fn nothing_raw_is_recorded() {
    let change =
        |_: &ToolCall| GateAnswer::Changed(json!({"password": format!("{}x", secret()), "key": secret()}));
    for stage in [stage(Still, allow), stage(Still, change)] {
        let args = json!({"password": secret(), (secret()): [secret()]});
        for tool in ["echo", "panic", "panic_early"] {
            run(stage.handler.call(tool, args.clone(), None));
        }
        run(stage.handler.call("fail", json!({"error": secret()}), None));
        assert!(!stage.told.text().contains(&secret()), "{}", stage.told.text());
    }
}

#[test]
fn a_call_that_is_dropped_at_any_point_was_cancelled() {
    let turns = 6;
    for polls in 0..=turns + 1 {
        let stage = stage(Still, allow);
        let mut call = Box::pin(stage.handler.call("turns", json!({"turns": turns}), None));
        let mut has_ended = false;
        for _ in 0..polls {
            has_ended = call.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_ready();
        }
        drop(call);
        let expected: &[ToolEventKind] = match polls {
            0 => &[],
            _ if has_ended => &[ToolEventKind::Call, ToolEventKind::Success],
            _ => &[ToolEventKind::Call, ToolEventKind::Cancelled],
        };
        assert_eq!(stage.told.kinds(), expected, "after {polls} polls");
        assert_eq!(has_ended, polls == turns + 1);
        assert_eq!(stage.tools.at_once.load(Ordering::SeqCst), 0);
    }
}

#[test]
fn a_call_that_is_dropped_while_it_waits_its_turn_was_cancelled() {
    for polls in 0..6 {
        let stage = stage(Still, allow);
        let handler = stage.handler.with_parallel(1);
        let context = &mut Context::from_waker(Waker::noop());
        let mut first = Box::pin(handler.call("turns", json!({"turns": 3}), None));
        let mut second = Box::pin(handler.call("turns", json!({"turns": 3}), None));
        for _ in 0..polls {
            let _ = first.as_mut().poll(context);
            let _ = second.as_mut().poll(context);
            if polls > 3 {
                break;
            }
        }
        drop(second);
        drop(first);
        let ends = stage.told.kinds().iter().filter(|kind| kind.is_end()).count();
        assert_eq!(ends * 2, stage.told.kinds().len(), "after {polls} polls");
        // The turn was given back, however the two ended.
        run(handler.call("echo", json!({}), None));
        assert_eq!(stage.told.kinds().last(), Some(&ToolEventKind::Success));
    }
}

#[test]
fn a_turn_that_was_on_its_way_is_given_on() {
    let stage = stage(Still, allow);
    let handler = stage.handler.with_parallel(1);
    let context = &mut Context::from_waker(Waker::noop());
    let mut calls: Vec<_> =
        (0..3).map(|_| Box::pin(handler.call("turns", json!({"turns": 0}), None))).collect();
    let mut hanging = Box::pin(handler.call("hang", json!({}), None));
    assert!(hanging.as_mut().poll(context).is_pending());
    assert!(calls.iter_mut().all(|call| call.as_mut().poll(context).is_pending()));
    drop(hanging);
    // The first of those that wait has the turn now; it is dropped before it takes it.
    drop(calls.remove(0));
    for call in calls {
        run(call);
    }
    assert_eq!(stage.told.kinds().iter().filter(|kind| **kind == ToolEventKind::Success).count(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_calls_have_one_beginning_and_one_end_each() {
    let stage = stage(Clock, |call: &ToolCall| match call.args["n"].as_u64() {
        Some(n) if n % 10 == 9 => GateAnswer::Denied { reason: "every tenth".into() },
        _ => GateAnswer::Allowed,
    });
    let handler = Arc::new(stage.handler.with_parallel(16));
    let names = ["turns", "echo", "fail", "panic_early", "hang"];
    let mut running = Vec::new();
    for n in 0..10_000_usize {
        let handler = handler.clone();
        let tool = if n % 500 == 4 { "hang" } else { names[n % 4] };
        running.push(tokio::spawn(async move {
            handler.call(tool, json!({"n": n, "turns": n % 7}), Some(Duration::from_millis(20))).await
        }));
    }
    running.iter().step_by(101).for_each(tokio::task::JoinHandle::abort);
    for call in running {
        let _ = call.await;
    }
    let mut calls: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for event in stage.told.0.lock().unwrap().iter() {
        let call = calls.entry(event.call_id.clone()).or_default();
        *(if event.kind.is_end() { &mut call.1 } else { &mut call.0 }) += 1;
    }
    assert!(calls.values().all(|call| *call == (1, 1)));
    // One that was aborted before it was first polled never began.
    assert!(calls.len() >= 9_900, "{}", calls.len());
    let most = stage.tools.most_at_once.load(Ordering::SeqCst);
    assert!((1..=16).contains(&most), "{most} at once");
}

#[test]
fn an_event_becomes_one_of_the_session() {
    let stage = stage(Still, allow);
    let event = run(stage.handler.run(
        ToolCall { name: "echo".into(), args: json!(1), call_id: Some("c7".into()), status: None },
        None,
    ));
    let told = event.session_event("0".repeat(32), 7.0, 3);
    assert_eq!(serde_json::to_value(told).unwrap()["kind"], json!("tool_success"));
    assert_eq!(event.call_id, "c7");
    for kind in ToolEventKind::ALL {
        assert_eq!(serde_json::to_value(kind).unwrap(), serde_json::to_value(kind.session_kind()).unwrap());
    }
}
