//! A thousand norms and a model that shortens them by rule: how much is sent, how often, how much at a time.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use mentci_authority::{Level, ModelAnswer, ModelEar, ModelRequest, RuleNo};
use serde_json::{Value, json};

use super::*;

const LIMITS: Limits = Limits { parallel: 4, tokens: None };

/// Shortens what it knows, and counts how many ask it at a time.
#[derive(Default)]
struct Shortener {
    calls: AtomicUsize,
    now: AtomicUsize,
    most: AtomicUsize,
    /// From this call on nobody answers.
    dead_from: Option<usize>,
    /// From this call on the program itself breaks off.
    breaks_from: Option<usize>,
    /// Refuses requests with a schema, as old servers do.
    refuses_schemas: bool,
    /// Refuses them but in JSON mode, as others do.
    has_json_mode: bool,
    sent: Mutex<Vec<String>>,
    /// The most tokens that the last answer may have.
    bound: Mutex<Option<u64>>,
}

impl Shortener {
    fn reply(&self, request: &ModelRequest, call: usize) -> Result<ModelReply, ModelFailure> {
        *self.bound.lock().unwrap() = request.max_tokens;
        let failure = |kind| ModelFailure {
            kind,
            message: "so the test wants it".to_owned(),
            tries: 1,
            lost: ModelUsage::default(),
        };
        assert!(self.breaks_from.is_none_or(|from| call < from), "so the test wants it");
        if self.dead_from.is_some_and(|dead| call >= dead) {
            return Err(failure(ModelFailureKind::Unreachable));
        }
        if self.refuses_schemas
            && request.answer_schema.is_some()
            && !(self.has_json_mode && request.json_mode)
        {
            return Err(failure(ModelFailureKind::Refused));
        }
        let data = request.messages[1].content.clone().unwrap_or_default();
        self.sent.lock().unwrap().push(data.clone());
        let rules: serde_json::Map<String, Value> = serde_json::from_str(&data).unwrap();
        let lines: Vec<Value> = rules
            .iter()
            .map(|(id, text)| {
                let text = text
                    .as_str()
                    .unwrap()
                    .replace("You must always run", "Run")
                    .replace("prior to", "before");
                json!({ "ids": [id.parse::<i64>().unwrap()], "text": text })
            })
            .collect();
        Ok(ModelReply { text: json!({ "lines": lines }).to_string(), ..ModelReply::default() })
    }
}

impl Model for Shortener {
    fn name(&self) -> &'static str {
        "test/shortener"
    }

    fn ask<'a>(&'a self, request: &'a ModelRequest, _ear: &'a mut ModelEar<'a>) -> ModelAnswer<'a> {
        Box::pin(async move {
            let call = self.calls.fetch_add(1, Ordering::SeqCst);
            let now = self.now.fetch_add(1, Ordering::SeqCst) + 1;
            self.most.fetch_max(now, Ordering::SeqCst);
            // The others get their turn.
            std::future::poll_fn(|context| {
                context.waker().wake_by_ref();
                if self.now.load(Ordering::SeqCst) > now { std::task::Poll::Ready(()) } else { once(context) }
            })
            .await;
            let reply = self.reply(request, call);
            self.now.fetch_sub(1, Ordering::SeqCst);
            reply
        })
    }
}

/// Short rules are the dear ones: each brings its id and its share of the prompt.
#[test]
fn short_rules_too_are_asked_about_for_less_than_three_times_their_tokens() {
    let model: Arc<dyn Model> = Arc::new(Shortener::default());
    let asked =
        ask(&model, worded(1_000, |at| format!("You must always run check {at} prior to merging")), LIMITS);
    println!("{} tokens of law, {} sent", asked.law_tokens, asked.prompt_tokens);
    assert!(asked.prompt_tokens <= 3 * asked.law_tokens);
    assert_eq!(asked.accepted(), 1_000);
    // Rules of three words, of which most of what is sent is their ids: in larger groups they share the prompt.
    let asked = ask(&model, worded(1_000, |at| format!("Keep rule {at}")), LIMITS);
    println!("{} tokens of law, {} sent in {} requests", asked.law_tokens, asked.prompt_tokens, asked.calls);
    assert!(asked.prompt_tokens <= 3 * asked.law_tokens);
}

/// Short statements share a prompt with more others than long ones; neither makes an answer that no model writes.
#[test]
fn groups_are_as_large_as_their_statements_are_short() {
    let sizes = |words: &str| {
        let groups = groups(worded(400, |at| format!("{words} {at}")));
        groups.iter().map(|group| group.questions.len()).collect::<Vec<_>>()
    };
    assert_eq!(sizes("Keep"), [192, 192, 16]);
    let long = sizes(
        "Keep the tokens of each request and the signs around it well below what the model of the team may read at",
    );
    assert!(long.len() > 6 && long.iter().all(|&size| size < 70), "{long:?}");
}

#[test]
fn an_answer_is_bounded_as_it_is_configured_and_else_by_what_is_asked() {
    let bound = |tokens| {
        let shortener = Arc::new(Shortener::default());
        let model: Arc<dyn Model> = shortener.clone();
        ask(&model, questions(1), Limits { tokens, ..LIMITS });
        *shortener.bound.lock().unwrap()
    };
    assert_eq!((bound(Some(100)), bound(Some(20_000))), (Some(100), Some(20_000)));
    assert!(bound(None).is_some_and(|most| most > 2_048));
}

/// Ready at the second look.
fn once(_: &mut std::task::Context<'_>) -> std::task::Poll<()> {
    thread_local!(static LOOKED: std::cell::Cell<u32> = const { std::cell::Cell::new(0) });
    let looked = LOOKED.get();
    LOOKED.set(looked.wrapping_add(1));
    if looked % 4 == 3 { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
}

fn questions(count: usize) -> Vec<Question> {
    worded(count, |at| {
        format!(
            "You must always run the check number {at} of the nightly suite prior to merging a change to the branch"
        )
    })
}

fn worded(count: usize, words: impl Fn(usize) -> String) -> Vec<Question> {
    let question = |at: usize| {
        let text = words(at);
        Question {
            id: StatementId::of(Some(Level::Must), &text, &[]),
            rule: RuleNo { scope: "x".into(), number: u32::try_from(at).unwrap() + 1 },
            level: Some(Level::Must),
            text,
            literals: Vec::new(),
            place: None,
            refused: None,
            joins: None,
            is_known: false,
        }
    };
    (0..count).map(question).collect()
}

fn asked(shortener: &Arc<Shortener>, count: usize) -> Asked {
    let model: Arc<dyn Model> = shortener.clone();
    ask(&model, questions(count), LIMITS)
}

#[test]
fn a_thousand_norms_are_asked_about_in_parallel_and_for_less_than_three_times_their_tokens() {
    let shortener = Arc::new(Shortener::default());
    let asked = asked(&shortener, 1_000);
    assert_eq!((asked.accepted(), asked.lines.len(), asked.unanswered), (1_000, 1_000, 0));
    assert_eq!(asked.calls, 16);
    assert!((2..=4).contains(&shortener.most.load(Ordering::SeqCst)), "{:?}", shortener.most);
    println!("{} tokens of law, {} sent", asked.law_tokens, asked.prompt_tokens);
    assert!(asked.prompt_tokens <= 3 * asked.law_tokens);
    // The same questions make the same groups.
    let again = Arc::new(Shortener::default());
    super::tests::asked(&again, 1_000);
    let sorted = |shortener: &Shortener| {
        let mut sent = shortener.sent.lock().unwrap().clone();
        sent.sort();
        sent
    };
    assert_eq!(sorted(&again), sorted(&shortener));
}

#[test]
fn a_server_that_refuses_schemas_is_asked_without() {
    let shortener = Arc::new(Shortener { refuses_schemas: true, ..Shortener::default() });
    let asked = asked(&shortener, 100);
    assert_eq!((asked.accepted(), asked.calls, asked.failure), (100, 4, None));
    let shortener =
        Arc::new(Shortener { refuses_schemas: true, has_json_mode: true, ..Shortener::default() });
    let asked = self::asked(&shortener, 100);
    assert_eq!((asked.accepted(), asked.calls, asked.failure), (100, 3, None));
}

#[test]
fn once_nobody_answers_nobody_is_asked_any_more() {
    let dead = Arc::new(Shortener { dead_from: Some(0), ..Shortener::default() });
    let none = asked(&dead, 1_000);
    assert_eq!((none.unanswered, none.calls, none.lines.len()), (1_000, 1, 0));
    assert_eq!(dead.calls.load(Ordering::SeqCst), 1);
    // What was answered before counts.
    let dying = Arc::new(Shortener { dead_from: Some(3), ..Shortener::default() });
    let some = asked(&dying, 1_000);
    assert_eq!(some.accepted() + some.unanswered, 1_000);
    assert!(some.accepted() >= 48 && some.failure.is_some());
    assert!(dying.calls.load(Ordering::SeqCst) < 10);
}

/// A request that breaks off is a failure like others: no compile passes for whole without its answer.
#[test]
fn a_request_that_breaks_off_is_a_failure_that_is_told() {
    let broken = Arc::new(Shortener { breaks_from: Some(0), ..Shortener::default() });
    let none = asked(&broken, 100);
    assert_eq!((none.unanswered, none.accepted(), none.calls, none.failed_calls), (100, 0, 2, 2));
    assert_eq!(none.failure.as_deref(), Some("a request to a model ended early"));
    let breaking = Arc::new(Shortener { breaks_from: Some(1), ..Shortener::default() });
    let some = asked(&breaking, 100);
    assert_eq!((some.unanswered, some.accepted(), some.calls, some.failed_calls), (34, 66, 2, 1));
    assert!(!some.is_whole());
}

#[test]
fn what_was_refused_is_not_asked_again_by_the_same_model_with_the_same_prompt() {
    let refused = |model: &str, prompt: String| {
        let line = CondensedLine {
            line: None,
            refused: Some("same".into()),
            excepts: None,
            model: model.into(),
            prompt,
        };
        let mut questions = questions(1);
        questions[0].refused = Some(line);
        open(questions, "m").len()
    };
    assert_eq!(refused("m", prompt_name()), 0);
    assert_eq!(refused("other", prompt_name()), 1);
    assert_eq!(refused("m", "0-old".into()), 1);
}
