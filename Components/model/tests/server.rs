//! Whole requests against the scripted server, and everything that it does wrong on purpose.
#![allow(clippy::unwrap_used, reason = "a test may stop")]

use std::sync::{Arc, Mutex};
use std::time::Duration;

use mentci_authority::{
    ChatMessage, Model, ModelFailure, ModelFailureKind as Kind, ModelPiece, ModelReply, ModelRequest,
    StopReason,
};
use mentci_model::{
    Address, ApiKey, Caps, HttpModel, HttpOptions, Parallel, Pause, Paused, Provider, Purse, Script,
    ScriptServer, ScriptedModel, Spending, Timeouts,
};
use mentci_source::Source;
use serde_json::{Value, json};

const KEY: &str = "sk-test-0123456789abcdef";

/// Writes down for how long it should have waited, and does not wait.
#[derive(Debug, Default)]
struct NoPause(Mutex<Vec<Duration>>);

impl Pause for NoPause {
    fn pause(&self, time: Duration) -> Paused<'_> {
        self.0.lock().unwrap().push(time);
        Box::pin(async {})
    }
}

/// What came of asking a server.
struct Asked {
    answer: Result<ModelReply, ModelFailure>,
    heard: Vec<String>,
    log: Vec<Value>,
    pauses: Vec<Duration>,
}

/// How a model asks.
#[derive(Clone, Copy)]
struct How {
    provider: &'static str,
    stream: bool,
    retries: u32,
}

const CHAT: How = How { provider: "compatible", stream: true, retries: 3 };
const MESSAGES: How = How { provider: "anthropic-compatible", ..CHAT };

fn options(how: How, address: &str, pause: Arc<dyn Pause>, purse: Purse) -> HttpOptions {
    // A first byte is waited for long enough for a busy machine; where nothing ever comes, the test waits as long.
    let short = Duration::from_millis(400);
    HttpOptions {
        provider: Provider::find(how.provider).unwrap(),
        model: "m".to_owned(),
        address: Address::read(address).unwrap(),
        key: ApiKey::new(KEY),
        stream: how.stream,
        max_tokens: None,
        retries: how.retries,
        timeouts: Timeouts { connect: short, first: short, idle: short, total: Duration::from_mins(1) },
        pause,
        seed: 1,
        parallel: Arc::new(Parallel::new(2)),
        purse,
    }
}

fn request() -> ModelRequest {
    ModelRequest { messages: vec![ChatMessage::said("user", "hi")], turn: Some(0), ..ModelRequest::default() }
}

fn script(text: &str) -> Script {
    Script::read(&Source::new("test.jsonl", text)).unwrap()
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

/// Asks a server that plays this script.
fn ask(how: How, text: &str, request: &ModelRequest) -> Asked {
    ask_paid(how, text, request, Purse::default())
}

/// Asks a server that plays this script, every try paid out of this purse.
fn ask_paid(how: How, text: &str, request: &ModelRequest, purse: Purse) -> Asked {
    block_on(async {
        let server = ScriptServer::bind(script(text), 0).await.unwrap();
        let address = format!("http://{}/v1", server.address().unwrap());
        let pause = Arc::new(NoPause::default());
        let model = HttpModel::new(options(how, &address, pause.clone(), purse)).unwrap();
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let log = Mutex::new(Vec::new());
        let mut heard = Vec::new();
        let mut ear = |piece: ModelPiece<'_>| heard.push(format!("{piece:?}"));
        let serving =
            server.serve(async { drop(stopped.await) }, |line| log.lock().unwrap().push(line.clone()));
        let asking = async {
            let answer = model.ask(request, &mut ear).await;
            drop(stop);
            answer
        };
        let ((), answer) = tokio::join!(serving, asking);
        let pauses = pause.0.lock().unwrap().clone();
        Asked { answer, heard, log: log.into_inner().unwrap(), pauses }
    })
}

const FULL: &str = r#"{"reasoning": ["h", "m"], "text": ["Grüße ", "🦀"], "calls": [{"name": "read", "args": {"path": "é"}}, {"name": "run", "args": {}}], "usage": {"input": 9, "cached": 4, "output": 5}}"#;

#[test]
fn every_form_gives_the_reply_of_the_script() {
    let scripted = ScriptedModel::new(script(FULL), 0);
    let expected = block_on(scripted.ask(&request(), &mut |_| {})).unwrap();
    for how in [CHAT, MESSAGES, How { stream: false, ..CHAT }, How { stream: false, ..MESSAGES }] {
        let asked = ask(how, FULL, &request());
        assert_eq!(asked.answer.as_ref(), Ok(&expected), "{} {}", how.provider, how.stream);
        assert_eq!(asked.log[0]["has_key"], true);
        let reasoned: Vec<&String> =
            asked.heard.iter().filter(|piece| piece.starts_with("Reasoning")).collect();
        assert_eq!(reasoned.len(), if how.stream { 2 } else { 1 });
    }
}

#[test]
fn what_may_pass_is_tried_again() {
    let cases = [
        r#"{"status": 429}"#,
        r#"{"status": 500}"#,
        r#"{"status": 502}"#,
        r#"{"status": 503}"#,
        r#"{"status": 529}"#,
        r#"{"wire": "garbage"}"#,
        r#"{"wire": "html"}"#,
        r#"{"wire": "cut"}"#,
        r#"{"wire": "empty"}"#,
        r#"{"wire": "close"}"#,
        r#"{"wire": "hang"}"#,
        r#"{"wire": "stall"}"#,
    ];
    for how in [CHAT, MESSAGES, How { stream: false, ..CHAT }] {
        for case in cases {
            let asked = ask(how, &format!(r#"{{"fail": {case}, "text": "at last"}}"#), &request());
            assert_eq!(asked.answer.unwrap().text, "at last", "{case}");
            assert_eq!(asked.log.len(), 2, "{case}");
            assert_eq!(asked.pauses.len(), 1, "{case}");
            let again = asked.heard.iter().filter(|piece| piece.starts_with("Again")).count();
            assert_eq!(again, 1, "{case}: {:?}", asked.heard);
        }
    }
}

/// The failure of a script that only fails, as `kind, tries: message`.
fn failure(how: How, fail: &str) -> String {
    let asked = ask(how, &format!(r#"{{"fail": {fail}}}"#), &request());
    let failure = asked.answer.unwrap_err();
    assert_eq!(asked.log.len(), failure.tries as usize, "{failure}");
    format!("{:?}, {}: {}", failure.kind, failure.tries, failure.message)
}

#[test]
fn each_failure_ends_in_words() {
    let once = How { retries: 0, ..CHAT };
    let told: Vec<String> = [
        failure(once, r#"{"status": 401, "message": "no such key: sk-test-0123456789abcdef"}"#),
        failure(once, r#"{"status": 400, "message": "too long"}"#),
        failure(once, r#"{"status": 404, "message": "no model m"}"#),
        failure(CHAT, r#"{"status": 429, "message": "slow down"}"#),
        failure(CHAT, r#"{"status": 429, "retry_after": 3600}"#),
        failure(CHAT, r#"{"status": 500}"#),
        failure(CHAT, r#"{"status": 301}"#),
        failure(once, r#"{"wire": "garbage"}"#),
        failure(once, r#"{"wire": "html"}"#),
        failure(once, r#"{"wire": "cut"}"#),
        failure(once, r#"{"wire": "empty"}"#),
        failure(once, r#"{"wire": "hang"}"#),
        failure(once, r#"{"wire": "stall"}"#),
    ]
    .to_vec();
    insta::assert_snapshot!(told.join("\n"), @r"
    Unauthorized, 1: the key is missing or refused (status 401): no such key: …
    Refused, 1: the request is refused (status 400): too long
    Refused, 1: there is no such model or address (status 404): no model m
    Limited, 4: too many requests (status 429): slow down; tried 4 times
    Limited, 1: too many requests (status 429): so the script wants it; it asks to be left alone for 3600 s
    Failed, 4: the provider failed (status 500): so the script wants it; tried 4 times
    Refused, 1: the provider points elsewhere (status 301), and no redirect is followed
    Garbled, 1: what came is no JSON, at byte 1 of 14
    Garbled, 1: a page of HTML came instead of an answer
    Garbled, 1: the answer broke off in the middle of its JSON
    Garbled, 1: the answer is empty
    TimedOut, 1: no answer came within 0.4 s
    TimedOut, 1: the answer stood still: nothing came within 0.4 s
    ");
}

/// Each try of a server that says much and breaks off is paid for, so that the cap holds between them.
#[test]
fn every_try_is_paid_for() {
    let words = vec!["four bytes make a token ".repeat(40); 20];
    let text = json!({ "fail": { "wire": "cut", "times": 9 }, "text": words }).to_string();
    for how in [CHAT, MESSAGES, How { stream: false, ..CHAT }] {
        for (max_tokens, most) in [(None, 3), (Some(2_000), 1)] {
            let spending = Arc::new(Spending::default());
            let purse = Purse::new(Caps { tokens: Some(3_200), ..Caps::default() }, spending.clone());
            let request = ModelRequest { max_tokens, ..request() };
            let asked = ask_paid(how, &text, &request, purse);
            let failure = asked.answer.unwrap_err();
            assert_eq!((failure.kind, asked.log.len()), (Kind::Capped, failure.tries as usize));
            assert!(failure.tries <= most, "{}", failure.tries);
            assert!(failure.message.contains("the last try: the answer broke off"), "{failure}");
            assert_eq!(failure.lost, spending.so_far(), "{}", how.provider);
            assert!(failure.lost.output >= 2_000 && failure.lost.input > 0, "{:?}", failure.lost);
        }
    }
}

/// What failed tries took stands beside what the answer took; a refusal takes nothing.
#[test]
fn tries_that_are_lost_are_counted() {
    for (fail, takes) in
        [(r#"{"wire": "cut"}"#, true), (r#"{"status": 500}"#, true), (r#"{"status": 429}"#, false)]
    {
        let spending = Arc::new(Spending::default());
        let text = format!(r#"{{"fail": {fail}, "text": "at last"}}"#);
        let asked = ask_paid(CHAT, &text, &request(), Purse::new(Caps::default(), spending.clone()));
        let reply = asked.answer.unwrap();
        assert_eq!(reply.lost.input > 0, takes, "{fail}");
        assert_eq!(reply.usage.and(reply.lost), spending.so_far(), "{fail}");
    }
}

#[test]
fn retry_after_is_obeyed_and_pauses_grow() {
    let asked = ask(
        CHAT,
        r#"{"fail": [{"status": 429, "retry_after": 7}, {"status": 500, "times": 2}], "text": "x"}"#,
        &request(),
    );
    assert_eq!(asked.answer.unwrap().text, "x");
    assert_eq!(asked.pauses[0], Duration::from_secs(7));
    assert!((500..=1_000).contains(&asked.pauses[1].as_millis()), "{:?}", asked.pauses);
    assert!((1_000..=2_000).contains(&asked.pauses[2].as_millis()), "{:?}", asked.pauses);
}

#[test]
fn a_closed_port_is_unreachable() {
    let answer = block_on(async {
        let server = ScriptServer::bind(script("{\"text\": \"x\"}"), 0).await.unwrap();
        let address = format!("http://{}/v1", server.address().unwrap());
        drop(server);
        let model =
            HttpModel::new(options(CHAT, &address, Arc::new(NoPause::default()), Purse::default())).unwrap();
        model.ask(&request(), &mut |_| {}).await
    });
    let failure = answer.unwrap_err();
    assert_eq!((failure.kind, failure.tries), (Kind::Unreachable, 4));
    assert!(failure.message.starts_with("nobody answers at http://127.0.0.1:"), "{failure}");
}

#[test]
fn the_key_is_in_no_word() {
    let text =
        format!(r#"{{"fail": {{"status": 500, "message": "your key is {KEY}", "times": 2}}, "text": "x"}}"#);
    let asked = ask(CHAT, &text, &request());
    let refused = ask(CHAT, &format!(r#"{{"fail": {{"status": 403, "message": "{KEY}"}}}}"#), &request());
    // The server's own words hold it, because the script puts it there; no header is logged.
    let logged = |log: &[Value]| log.iter().map(|line| line["body"].to_string()).collect::<String>();
    let options = options(CHAT, "http://127.0.0.1:1/v1", Arc::new(NoPause::default()), Purse::default());
    let shown = [
        format!("{:?}", asked.heard),
        format!("{:?}", refused.answer),
        logged(&asked.log),
        logged(&refused.log),
        format!("{options:?}"),
        format!("{:?}", HttpModel::new(options.clone()).unwrap()),
    ];
    assert!(asked.heard[0].contains("your key is …"), "{:?}", asked.heard);
    for text in shown {
        assert!(!text.contains(KEY) && !text.contains("sk-test"), "{text}");
    }
}

#[test]
fn the_step_is_found_from_the_request() {
    let text = "{\"text\": \"one\"}\n{\"text\": \"two\"}\n{\"when\": [\"help\"], \"text\": \"any time\"}";
    let said = |turn: Option<u64>, last: &str| {
        let messages = ["a", "b"].map(|text| ChatMessage::said("assistant", text)).to_vec();
        let messages = messages.into_iter().take(1).chain([ChatMessage::said("user", last)]).collect();
        ModelRequest { messages, turn, ..ModelRequest::default() }
    };
    for (request, expected) in [
        (said(None, "x"), "two"),
        (said(Some(0), "x"), "one"),
        (said(Some(1), "x"), "two"),
        (said(Some(7), "help"), "any time"),
    ] {
        let scripted = ScriptedModel::new(script(text), 0);
        assert_eq!(block_on(scripted.ask(&request, &mut |_| {})).unwrap().text, expected);
        assert_eq!(ask(CHAT, text, &request).answer.unwrap().text, expected);
        assert_eq!(ask(MESSAGES, text, &request).answer.unwrap().text, expected);
    }
    let over = said(Some(2), "x");
    let failure = block_on(ScriptedModel::new(script(text), 0).ask(&over, &mut |_| {})).unwrap_err();
    assert_eq!(failure.message, "the script `test.jsonl` is over: answer 3 is asked for, and it holds 2");
    let served = ask(CHAT, text, &over).answer.unwrap_err();
    assert_eq!((served.kind, served.tries), (Kind::Refused, 1));
    assert!(served.message.ends_with(&failure.message), "{served}");
}

#[test]
fn expectations_are_held_against_what_the_model_saw() {
    let text = r#"{"expect": ["user: hi"], "expect_not": ["secret"], "text": "ok"}"#;
    let model = ScriptedModel::new(script(text), 0);
    assert_eq!(block_on(model.ask(&request(), &mut |_| {})).unwrap().stop, StopReason::End);
    for (said, words) in [
        ("ho", "expects the request to hold `user: hi`"),
        ("hi, a secret", "expects the request not to hold `secret`"),
    ] {
        let request = ModelRequest { messages: vec![ChatMessage::said("user", said)], ..request() };
        let failure = block_on(model.ask(&request, &mut |_| {})).unwrap_err();
        assert!(failure.message.contains(words), "{failure}");
        assert!(ask(MESSAGES, text, &request).answer.unwrap_err().message.contains(words));
    }
}

#[test]
fn a_dropped_future_gives_the_request_up() {
    block_on(async {
        let server = ScriptServer::bind(script("{\"fail\": {\"wire\": \"hang\"}}"), 0).await.unwrap();
        let address = format!("http://{}/v1", server.address().unwrap());
        let mut options = options(CHAT, &address, Arc::new(NoPause::default()), Purse::default());
        options.timeouts.first = Duration::from_mins(10);
        options.parallel = Arc::new(Parallel::new(1));
        let model = HttpModel::new(options).unwrap();
        let (seen, mut was_seen) = tokio::sync::mpsc::unbounded_channel();
        let serving = server.serve(std::future::pending(), move |_| {
            let _ = seen.send(());
        });
        let (first, second) = (request(), request());
        let (mut one, mut other) = (|_: ModelPiece<'_>| {}, |_: ModelPiece<'_>| {});
        let mut asking = model.ask(&first, &mut one);
        tokio::select! {
            () = serving => panic!("it serves for ever"),
            _ = &mut asking => panic!("nothing ever comes"),
            // The first request came; when it is dropped, its place is free for the second, which comes too.
            () = async { was_seen.recv().await; } => {}
        }
        drop(asking);
        let asking = model.ask(&second, &mut other);
        let begins = tokio::time::timeout(Duration::from_millis(400), asking).await;
        // It waits for an answer, not for its turn: nobody serves any more, so it is told so at once.
        assert_eq!(begins.expect("it had its turn").unwrap_err().kind, Kind::Unreachable);
    });
}

#[test]
fn a_script_that_does_not_read_names_the_place() {
    let cases = [
        ("", "this script holds no answers"),
        ("{\"text\": \"a\"}\n{\"txt\": \"b\"}", "2:6"),
        ("{\"steps\": [\n  {\"text\": 1}\n]}", "2:"),
        ("{\"steps\": [], \"format\": 2}", "format 2"),
        ("no JSON", "1:"),
    ];
    for (text, expected) in cases {
        let finding = Script::read(&Source::new("s.json", text)).unwrap_err().to_string();
        assert!(finding.contains(expected), "{text}: {finding}");
    }
}
