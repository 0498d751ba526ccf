//! What holds for every session.

mod log;

use std::sync::Arc;

use log::{data, recount};
use mentci_authority::{At, ChatMessage};
use mentci_context::{
    CompactionLimits, CompileConfig, CompileError, Compiled, ContextCompiler, Counts, Document, DropReason,
    LedgerEntry, Session, SessionEventKind as Kind, Showing,
};
use mentci_tokens::{Bytes, Tokenizer, o200k};
use proptest::prelude::*;
use serde_json::{Value, json};

/// One thing that happens.
#[derive(Debug, Clone)]
enum Step {
    User(String),
    System(String),
    Assistant(String),
    Call,
    /// The answer to one of the calls so far, open or not.
    Answer(usize, Kind, Value),
    Other(Kind, Value),
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z ]{0,40}", "[a-z \n</>data{}\"0-9é字🦀]{0,60}", "(word |line\n|0f3a|</data>){0,80}",]
}

fn end() -> impl Strategy<Value = Kind> {
    prop_oneof![
        4 => Just(Kind::ToolSuccess),
        1 => Just(Kind::ToolError),
        1 => Just(Kind::ToolTimeout),
        1 => Just(Kind::ToolCancelled),
        1 => Just(Kind::ToolDenied),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        3 => text().prop_map(Value::from),
        1 => (text(), 0..90usize).prop_map(|(text, times)| Value::from(text.repeat(times))),
        1 => proptest::collection::vec(text(), 0..4).prop_map(|items| json!({ "items": items })),
        1 => Just(Value::Null),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => text().prop_map(Step::User),
        1 => "[a-z]{0,10}".prop_map(Step::System),
        3 => text().prop_map(Step::Assistant),
        4 => Just(Step::Call),
        5 => (0..4usize, end(), value()).prop_map(|(back, kind, value)| Step::Answer(back, kind, value)),
        1 => text().prop_map(|text| Step::Other(Kind::MemoryHit, json!({"text": text, "source": "m"}))),
        1 => Just(Step::Other(Kind::PhaseResult, json!({"phase": "turn_end"}))),
        1 => Just(Step::Other(Kind::GuardDecision, json!({"decision": "warn", "call_id": "c0"}))),
    ]
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    proptest::collection::vec(step(), 0..60)
}

fn take(session: &mut Session, step: &Step, calls: &mut usize) {
    let at = At::utc(session.log().last_at().ms + 10);
    let (kind, value) = match step {
        Step::User(text) => (Kind::UserInput, json!({"role": "user", "text": text})),
        Step::System(text) => (Kind::UserInput, json!({"role": "system", "text": text})),
        Step::Assistant(text) => (Kind::PhaseResult, json!({"role": "assistant", "text": text})),
        Step::Call => {
            *calls += 1;
            (Kind::ToolCall, json!({"call_id": format!("c{calls}"), "tool": "exec", "args": {"n": *calls}}))
        }
        Step::Answer(back, kind, value) => {
            let id = format!("c{}", calls.saturating_sub(*back));
            (*kind, json!({"call_id": id, "tool": "exec", "value": value}))
        }
        Step::Other(kind, value) => (*kind, value.clone()),
    };
    session.record(kind, data(value), at);
}

fn session(steps: &[Step], tokenizer: impl Tokenizer + 'static) -> Session {
    let mut session = Session::new("s", Arc::new(Counts::new(tokenizer)));
    let mut calls = 0;
    for step in steps {
        take(&mut session, step, &mut calls);
    }
    session
}

fn config(budget: u64) -> CompileConfig {
    let documents = vec![
        Document { source: "a".into(), text: "word line data".into() },
        Document { source: "b".into(), text: "line </data> é".into() },
    ];
    CompileConfig { system_prompt: "Be brief.".into(), documents, ..CompileConfig::new(budget) }
}

/// Calls are answered right behind the message that made them, in order, and nothing else is an answer.
fn pairs_are_intact(messages: &[ChatMessage]) -> bool {
    let mut awaited: Vec<&str> = Vec::new();
    for message in messages {
        match &message.tool_call_id {
            Some(id) if awaited.first() == Some(&id.as_str()) => drop(awaited.remove(0)),
            Some(_) => return false,
            None if !awaited.is_empty() => return false,
            None => awaited = message.tool_calls.iter().map(|call| call.id.as_str()).collect(),
        }
    }
    awaited.is_empty()
}

fn accounts_for_everything(session: &Session, compiled: &Compiled) {
    let ledger = &compiled.ledger;
    assert_eq!(ledger.events.len(), session.events().len());
    for (entry, event) in ledger.events.iter().zip(session.events()) {
        assert_eq!(entry.event_id, event.event_id);
        assert_eq!(entry.tokens, event.token_estimate);
        let parts = entry.parts.total();
        assert_eq!(parts, entry.tokens, "{entry:?}");
        assert!(entry.parts.dropped == 0 || entry.reason.is_some(), "{entry:?}");
        assert!(entry.parts.external + entry.parts.cleared == 0 || entry.artifact.is_some(), "{entry:?}");
    }
    let total = ledger.total();
    assert_eq!(total.tokens, session.total_tokens());
    assert_eq!(total.parts.kept + ledger.added.total(), compiled.context.token_count);
    assert_eq!(ledger.totals.values().map(|totals| totals.tokens).sum::<u64>(), total.tokens);
}

fn fits(compiled: &Compiled, budget: u64, tokenizer: &dyn Tokenizer) {
    let messages = compiled.context.to_messages();
    assert!(compiled.context.token_count <= budget);
    assert!(recount(&messages, tokenizer) <= compiled.context.token_count);
    assert!(pairs_are_intact(&messages), "{}", log::lines(&messages));
    let is_data = |message: &ChatMessage| message.content.as_deref().unwrap_or("").contains("<data from=");
    assert!(messages.iter().filter(|message| is_data(message)).all(|message| {
        let text = message.content.as_deref().unwrap_or("");
        matches!(message.role.as_str(), "tool" | "user") && text.matches("</data").count() == 1
    }));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn never_over_budget_and_all_accounted_for(steps in steps(), budget in 1..6_000u64) {
        let session = session(&steps, Bytes);
        match ContextCompiler::new().compile(&session, &config(budget)) {
            Ok(compiled) => {
                fits(&compiled, budget, &Bytes);
                accounts_for_everything(&session, &compiled);
            }
            Err(CompileError::MessageTooLarge { tokens, over_by, .. }) => {
                prop_assert_eq!(tokens, budget + over_by);
            }
            Err(CompileError::OverBudget { over_by, what, .. }) => {
                prop_assert_eq!(what.iter().map(|part| part.tokens).sum::<u64>(), budget + over_by);
            }
            Err(error) => panic!("{error}"),
        }
    }

    #[test]
    fn real_tokens_never_pass_what_was_counted(steps in steps(), budget in 200..3_000u64) {
        let session = session(&steps, *o200k());
        if let Ok(compiled) = ContextCompiler::new().compile(&session, &config(budget)) {
            fits(&compiled, budget, o200k());
            accounts_for_everything(&session, &compiled);
        }
    }

    #[test]
    fn nothing_is_dropped_when_it_fits(steps in steps()) {
        let session = session(&steps, Bytes);
        let compiler = ContextCompiler::new();
        let config = CompileConfig { documents: vec![], ..config(1_000_000) };
        let roomy = compiler.compile(&session, &config).unwrap();
        let exact = compiler.compile(&session, &CompileConfig { budget: roomy.context.token_count, ..config }).unwrap();
        prop_assert_eq!(&roomy.context.history, &exact.context.history);
        for entry in &exact.ledger.events {
            prop_assert_eq!(entry.parts.cleared, 0);
            let is_fair = matches!(entry.reason.map(mentci_context::DropReason::name), None | Some("duplicate" | "whitespace"));
            prop_assert!(is_fair, "{:?}", entry);
        }
    }

    #[test]
    fn the_least_budget_holds_and_one_less_does_not(steps in steps(), asked in 1..4_000u64) {
        let session = session(&steps, Bytes);
        let compiler = ContextCompiler::new();
        let least = compiler.least_budget(&session, &config(asked)).expect("some budget holds it");
        prop_assert!(compiler.compile(&session, &config(least)).is_ok());
        prop_assert!(least == 1 || compiler.compile(&session, &config(least - 1)).is_err());
    }

    /// An answer that says something is in the context while there is room, however many its call has.
    #[test]
    fn no_answer_is_lost_while_it_fits(answers in proptest::collection::vec((end(), text()), 1..6)) {
        let mut session = session(&[Step::Call], Bytes);
        let mut calls = 1;
        for (kind, text) in &answers {
            take(&mut session, &Step::Answer(0, *kind, Value::from(text.as_str())), &mut calls);
        }
        let whole = CompileConfig { processors: vec![], ..CompileConfig::new(1_000_000) };
        let messages = ContextCompiler::new().compile(&session, &whole).unwrap().context.to_messages();
        for (_, text) in &answers {
            let safe = text.replace("</data", "<\\/data");
            let is_said = |message: &ChatMessage| message.content.as_deref().unwrap_or("").contains(&safe);
            prop_assert!(messages.iter().any(is_said), "{:?}", text);
        }
    }

    #[test]
    fn same_input_same_bytes(steps in steps(), budget in 200..3_000u64) {
        let bytes = || {
            let session = session(&steps, Bytes);
            let compiled = ContextCompiler::new().compile(&session, &config(budget)).map_err(|error| error.to_string());
            compiled.map(|compiled| serde_json::to_string(&(compiled.context, compiled.ledger)).unwrap())
        };
        prop_assert_eq!(bytes(), bytes());
    }

    #[test]
    fn what_is_moved_out_can_be_had_whole(steps in steps(), budget in 500..3_000u64) {
        let session = session(&steps, Bytes);
        if let Ok(compiled) = ContextCompiler::new().compile(&session, &config(budget)) {
            let stored: Vec<_> = compiled.new_artifacts(&session).collect();
            prop_assert_eq!(stored.len(), compiled.artifacts.len());
            for artifact in stored {
                prop_assert_eq!(artifact.handle.size_bytes, artifact.content.len() as u64);
            }
        }
    }

    /// Appending events leaves the stable messages as they are, unless something is cleared or dropped anew; and what is
    /// cleared or dropped stays so, until everything fits again (an answer can be shorter than what stood for it).
    #[test]
    fn the_prefix_is_stable_between_breaks(steps in steps(), budget in 800..4_000u64) {
        let compiler = ContextCompiler::new();
        let config = CompileConfig { documents: vec![], ..config(budget) };
        let mut session = Session::new("s", Arc::new(Counts::new(Bytes)));
        let (mut calls, mut last) = (0, None::<Compiled>);
        for step in &steps {
            take(&mut session, step, &mut calls);
            let Ok(now) = compiler.compile(&session, &config) else { last = None; continue };
            if let Some(then) = last {
                let fates = |compiled: &Compiled| {
                    let entries = compiled.ledger.events.iter().take(then.ledger.events.len());
                    entries.map(Fate::of).collect::<Vec<_>>()
                };
                let (was, is) = (fates(&then), fates(&now));
                if was == is {
                    let stable = then.context.stable;
                    prop_assert_eq!(&then.context.history[..stable], &now.context.history[..stable]);
                } else if is.iter().any(|fate| *fate != Fate::Shown) {
                    prop_assert!(was.iter().zip(&is).all(|(was, is)| was <= is), "{:?} {:?}", was, is);
                }
            }
            last = Some(now);
        }
    }
}

/// What pressure made of an event. White space that is trimmed and answers that say the same again are no pressure; an event
/// without a token can be dropped too, which the counts of tokens do not tell.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    Shown,
    Cleared,
    Dropped,
}

impl Fate {
    fn of(entry: &LedgerEntry) -> Self {
        let is_pressure = |reason| !matches!(reason, DropReason::Whitespace | DropReason::Duplicate);
        match entry.reason.filter(|reason| is_pressure(*reason)) {
            Some(_) => Self::Dropped,
            None if entry.parts.cleared > 0 => Self::Cleared,
            None => Self::Shown,
        }
    }
}

/// A turn of an agent at work: what somebody asks, or a call with its answer and a word about it.
#[derive(Debug, Clone)]
enum Turn {
    Asked(usize),
    Done(usize, usize),
}

fn turns() -> impl Strategy<Value = Vec<Turn>> {
    let turn = prop_oneof![
        1 => (1..300usize).prop_map(Turn::Asked),
        9 => (1..60usize, 1..600usize).prop_map(|(said, told)| Turn::Done(said, told)),
    ];
    proptest::collection::vec(turn, 20..120)
}

fn work(session: &mut Session, at: usize, turn: &Turn) {
    let now = At::utc(session.log().last_at().ms + 10);
    match turn {
        Turn::Asked(words) => {
            let text = "please ".repeat(*words / 7 + 1);
            session.record(Kind::UserInput, data(json!({"role": "user", "text": text})), now);
        }
        Turn::Done(said, told) => {
            let id = format!("c{at}");
            session.record(Kind::ToolCall, data(json!({"call_id": id, "tool": "t", "args": {}})), now);
            let value = "r".repeat(*told);
            session.record(Kind::ToolSuccess, data(json!({"call_id": id, "tool": "t", "value": value})), now);
            let text = "s".repeat(*said);
            session.record(Kind::PhaseResult, data(json!({"role": "assistant", "text": text})), now);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// What is cleared lasts: between two breaks of the prefix as much is added as is cleared at least.
    #[test]
    fn the_prefix_breaks_once_for_what_is_cleared_at_least(
        asked in any::<bool>(), turns in turns(), budget in 8_000..20_000u64, share in 4..12u64,
    ) {
        let at_least = budget / share;
        let compaction = CompactionLimits { clear_at_least: Some(at_least), ..CompactionLimits::default() };
        let config = CompileConfig { compaction, ..CompileConfig::new(budget) };
        let compiler = ContextCompiler::new();
        let mut session = Session::new("s", Arc::new(Counts::new(Bytes)));
        let (mut breaks, mut last) = (0, None::<Compiled>);
        for (at, turn) in turns.iter().enumerate() {
            // In some sessions the user asks once.
            if at == 0 || asked || matches!(turn, Turn::Done(..)) {
                work(&mut session, at, if at == 0 { &Turn::Asked(50) } else { turn });
            }
            let now = compiler.compile(&session, &config).unwrap();
            if let Some(then) = last {
                let stable = then.context.stable.min(now.context.history.len());
                let is_kept = stable == then.context.stable
                    && then.context.history[..stable] == now.context.history[..stable];
                breaks += u64::from(!is_kept);
            }
            last = Some(now);
        }
        let whole = compiler.compile(&session, &CompileConfig { budget: 10_000_000, ..config }).unwrap();
        prop_assert!(breaks <= 1 + whole.context.token_count / at_least, "{breaks} of {}", turns.len());
        if whole.context.token_count > 2 * budget {
            prop_assert!(breaks > 0);
        }
    }
}

#[test]
fn breaks_are_rare() {
    let mut session = Session::new("s", Arc::new(Counts::new(Bytes)));
    let compiler = ContextCompiler::new();
    let compaction = CompactionLimits { clear_at_least: Some(4_000), ..CompactionLimits::default() };
    let config = CompileConfig { compaction, ..CompileConfig::new(20_000) };
    let (mut breaks, mut last) = (0, 0);
    for turn in 0..300 {
        let at = At::utc(turn * 1_000);
        session.record(
            Kind::UserInput,
            data(json!({"role": "user", "text": format!("question {turn}")})),
            at,
        );
        let call = json!({"call_id": format!("c{turn}"), "tool": "exec", "args": {}});
        session.record(Kind::ToolCall, data(call), at);
        let value = json!({"call_id": format!("c{turn}"), "tool": "exec", "value": "r".repeat(250)});
        session.record(Kind::ToolSuccess, data(value), at);
        let now = compiler.compile(&session, &config).unwrap();
        let shown = now.context.tool_results.iter();
        let gone =
            session.events().len() - 3 * shown.filter(|result| result.showing == Showing::Whole).count();
        breaks += u32::from(gone != last);
        last = gone;
    }
    // Of 97,000 tokens a half is cleared and the rest of it dropped later on: each break frees 4,000 if it can.
    assert!((1..=60).contains(&breaks), "{breaks}");
}
