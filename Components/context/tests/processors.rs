//! Each processor by itself, and together.

mod log;

use std::sync::Arc;

use log::{answer, assistant, call, lines, session, user};
use mentci_context::{
    CompileConfig, Compiled, ContextCompiler, Document, Draft, DropReason, Processor, Session,
    SessionEventKind, Showing,
};
use serde_json::json;

fn with(processors: &[&str], budget: u64) -> CompileConfig {
    let processors = processors.iter().map(|name| (*name).to_owned()).collect();
    CompileConfig { processors, ..CompileConfig::new(budget) }
}

fn compile(session: &Session, config: &CompileConfig) -> Compiled {
    ContextCompiler::new().compile(session, config).expect("it fits")
}

/// Exchanges `q0 a0 q1 a1 …`, each of 40 tokens.
fn exchanges(count: usize) -> Session {
    let mut session = session();
    for at in 0..count {
        user(&mut session, &format!("q{at:<15}."));
        assistant(&mut session, &format!("a{at:<14}."));
    }
    session
}

#[test]
fn history_selector() {
    let session = exchanges(10);
    let all = compile(&session, &with(&["history_selector"], 1_000));
    assert_eq!(all.context.history.len(), 20);
    assert!(all.ledger.events.iter().all(|entry| entry.parts.dropped == 0));

    let tight = CompileConfig {
        compaction: mentci_context::CompactionLimits { clear_at_least: Some(1), ..Default::default() },
        ..with(&["history_selector"], 400)
    };
    let kept = compile(&session, &tight);
    let first: Vec<String> = kept
        .context
        .history
        .iter()
        .map(|message| message.content.clone().unwrap())
        .map(|text| text.chars().take(2).collect())
        .collect();
    assert_eq!(first[..3], ["q0", "a0", "<d"]);
    assert_eq!(first.last().unwrap(), "a9");
    assert!(
        kept.ledger.events[2..]
            .iter()
            .filter(|entry| entry.parts.dropped > 0)
            .all(|entry| entry.reason == Some(DropReason::MiddleOfHistory))
    );

    let least = compile(&session, &CompileConfig { budget: 160, ..tight });
    let left = least.context.history.iter().filter(|message| message.role == "assistant").count();
    assert!(least.context.is_within_budget() && left >= 1, "{}", lines(&least.context.history));
    assert!(lines(&least.context.history).contains("q9"));
}

#[test]
fn compactor() {
    let mut session = session();
    user(&mut session, "one \n");
    user(&mut session, "  two");
    for at in 0..8 {
        call(&mut session, &format!("c{at}"));
        answer(&mut session, &format!("c{at}"), &format!("result {at} {}", "-".repeat(400)));
    }
    let roomy = compile(&session, &with(&["compactor"], 10_000));
    assert_eq!(roomy.context.history[0].content.as_deref(), Some("one\n\ntwo"));
    assert!(roomy.context.tool_results.iter().all(|result| result.showing == Showing::Whole));
    assert_eq!(roomy.artifacts, []);

    let tight = compile(&session, &with(&["compactor"], 3_300));
    let showings: Vec<Showing> = tight.context.tool_results.iter().map(|result| result.showing).collect();
    let cleared = showings.iter().filter(|showing| **showing == Showing::Cleared).count();
    assert!(
        cleared > 0 && showings[..cleared].iter().all(|showing| *showing == Showing::Cleared),
        "{showings:?}"
    );
    assert!(showings[showings.len() - 3..].iter().all(|showing| *showing == Showing::Whole));
    // What was cleared is in an artifact, and its placeholder carries the handle.
    let stored: Vec<_> = tight.new_artifacts(&session).collect();
    assert_eq!(stored.len(), cleared);
    assert!(stored[0].content.starts_with(b"result 0 "));
    let placeholder = tight.context.history[2].content.clone().unwrap();
    assert!(placeholder.contains(&stored[0].handle.artifact_id.to_string()), "{placeholder}");
}

#[test]
fn memory_preloader() {
    let mut session = session();
    user(&mut session, "How is src/lib.rs formatted?");
    let document = |source: &str, text: &str| Document { source: source.into(), text: text.into() };
    let documents = vec![
        document("a", "deploys happen on friday"),
        document("b", "src/lib.rs is formatted with rustfmt </data>"),
        document("c", &format!("formatted {}", "x".repeat(500))),
    ];
    let config = CompileConfig { documents, ..with(&["memory_preloader"], 300) };
    let compiled = compile(&session, &config);
    let hits: Vec<&str> = compiled.context.memory_hits.iter().map(|hit| hit.source.as_str()).collect();
    assert_eq!(hits, ["b"]);
    let messages = compiled.context.to_messages();
    let last = messages.last().unwrap();
    assert_eq!(
        (last.role.as_str(), last.content.as_deref()),
        ("user", Some("<data from=\"memory:b\">\nsrc/lib.rs is formatted with rustfmt <\\/data>\n</data>"))
    );
    let kept: Vec<(&str, bool)> =
        compiled.ledger.memory.iter().map(|entry| (entry.source.as_str(), entry.kept)).collect();
    assert_eq!(kept, [("b", true), ("c", false)]);
}

#[test]
fn artifact_attacher() {
    let mut session = session();
    user(&mut session, "Read it.");
    call(&mut session, "c1");
    let text = "a line of the log\n".repeat(600);
    answer(&mut session, "c1", &text);
    call(&mut session, "c2");
    answer(&mut session, "c2", "short");
    let compiled = compile(&session, &with(&["artifact_attacher"], 4_000));
    let showings: Vec<Showing> = compiled.context.tool_results.iter().map(|result| result.showing).collect();
    assert_eq!(showings, [Showing::External, Showing::Whole]);
    let [artifact] = &compiled.new_artifacts(&session).collect::<Vec<_>>()[..] else {
        panic!("one artifact")
    };
    assert_eq!(artifact.content, text.as_bytes());
    let handle = &artifact.handle;
    assert_eq!((handle.size_bytes, handle.source.as_str()), (10_800, "tool:exec"));
    assert_eq!(compiled.context.artifact_refs, std::slice::from_ref(handle));
    let shown = compiled.context.history[2].content.clone().unwrap();
    assert!(shown.contains(&handle.artifact_id.to_string()) && shown.len() < 400, "{shown}");
    let entry = &compiled.ledger.events[2];
    assert_eq!(
        (entry.parts.external, entry.tokens, entry.artifact),
        (10_800, 10_800, Some(handle.artifact_id))
    );
}

/// Drops whatever a tool named `noise` gave.
struct Quiet;

impl Processor for Quiet {
    fn name(&self) -> &'static str {
        "quiet"
    }

    fn process(&self, draft: &mut Draft<'_>) {
        for at in 0..draft.len() {
            if draft.event(at).is_some_and(|event| event.data.get("tool") == Some(&json!("exec"))) {
                draft.drop_event(at);
            }
        }
    }
}

#[test]
fn a_processor_of_ones_own_drops_calls_with_their_answers() {
    let mut session = session();
    user(&mut session, "Go.");
    call(&mut session, "c1");
    answer(&mut session, "c1", "noise");
    let quiet = ContextCompiler::new().with(Arc::new(Quiet));
    let compiled = quiet.compile(&session, &with(&["quiet", "compactor"], 1_000)).unwrap();
    assert_eq!(compiled.ledger.events[1].reason, Some(DropReason::Chosen));
    assert_eq!(compiled.ledger.processors[0].name, "quiet");
    insta::assert_snapshot!(lines(&compiled.context.to_messages()), @r#"
    user: Go.
    user: <data from="context">
    earlier messages that are left out here: 1
    </data>
    "#);
}

#[test]
fn a_compaction_in_the_log_is_done_and_says_what_it_stands_for() {
    let mut session = session();
    let old = user(&mut session, "An old question.");
    let reply = assistant(&mut session, "An old answer.");
    user(&mut session, "A new question.");
    call(&mut session, "c1");
    let result = answer(&mut session, "c1", &"long ".repeat(60));
    log::say(
        &mut session,
        SessionEventKind::Compaction,
        json!({"events": [old, reply], "summary": "They greeted."}),
    );
    log::say(&mut session, SessionEventKind::Compaction, json!({"events": [result, "nonsense", 7]}));
    let compiled = compile(&session, &CompileConfig::new(10_000));
    assert_eq!(compiled.ledger.events[0].parts.summarised, 16);
    assert_eq!(compiled.ledger.events[4].parts.cleared, 300);
    assert_eq!(compiled.artifacts.len(), 1);
    let shown = lines(&compiled.context.to_messages());
    assert!(shown.contains("They greeted.") && !shown.contains("An old"), "{shown}");
}

/// Twenty exchanges that a summary stands for, and twenty more behind it.
fn summed_up(summary: &str) -> Session {
    let mut session = session();
    let talk = |session: &mut Session, numbers: std::ops::Range<usize>| -> Vec<String> {
        let exchange = |number| {
            let asked = user(session, &format!("Question {number} about crate {number}."));
            [asked, assistant(session, &format!("Answer {number}: an import is missing."))]
        };
        numbers.flat_map(exchange).collect()
    };
    let old = talk(&mut session, 0..20);
    log::say(&mut session, SessionEventKind::Compaction, json!({"events": old, "summary": summary}));
    talk(&mut session, 20..40);
    session
}

/// What stands for many goes behind what stands for itself; where it is gone, nothing is called summarised.
#[test]
fn a_summary_stays_as_long_as_what_is_first() {
    let session = summed_up("SUMMARY: push to a branch, use nightly.");
    let least = ContextCompiler::new().least_budget(&session, &CompileConfig::new(1)).unwrap();
    for budget in (least..2_400).step_by(50) {
        let compiled = compile(&session, &CompileConfig::new(budget));
        let shown = lines(&compiled.context.to_messages());
        let is_shown = shown.contains("SUMMARY");
        let of = |number: usize| shown.contains(&format!("Question {number} "));
        assert!(is_shown || !(20..39).any(of), "{budget}: {shown}");
        let events = &compiled.ledger.events[..40];
        let summarised: u64 = events.iter().map(|event| event.parts.summarised).sum();
        let dropped: u64 = events.iter().map(|event| event.parts.dropped).sum();
        assert_eq!((summarised > 0, dropped > 0), (is_shown, !is_shown), "{budget}");
        assert!(is_shown || events.iter().all(|event| event.reason.is_some()));
    }
    let shown = |budget| lines(&compile(&session, &CompileConfig::new(budget)).context.to_messages());
    assert!(shown(600).contains("SUMMARY") && !shown(least).contains("SUMMARY"), "{}", shown(600));
    assert!(shown(least).contains("left out here: 79"), "{}", shown(least));
    // One that leaves no room for anything else is not waited for.
    let huge = summed_up(&"SUMMARY ".repeat(200));
    let compiled = compile(&huge, &CompileConfig::new(1_000));
    let shown = lines(&compiled.context.to_messages());
    assert!(!shown.contains("SUMMARY") && shown.contains("Question 35 "), "{shown}");
}

#[test]
fn a_long_single_exchange_loses_its_oldest_steps() {
    let mut session = session();
    user(&mut session, "Do all of it.");
    for at in 0..200 {
        call(&mut session, &format!("c{at}"));
        answer(&mut session, &format!("c{at}"), "done");
    }
    let compiled = compile(&session, &CompileConfig::new(1_500));
    let shown = lines(&compiled.context.to_messages());
    assert!(shown.starts_with("user: Do all of it.\nuser: <data from=\"context\">\n"), "{shown}");
    assert!(shown.ends_with("[c199]: <data from=\"tool:exec\">\ndone\n</data>\n"), "{shown}");
    insta::assert_snapshot!(compiled.ledger.to_table(), @r"
    kind                events     tokens       kept   external    cleared summarised    dropped
    user_input               1         13         13          0          0          0          0
    tool_call              200       4000        320          0          0          0       3680
    tool_success           200        800         64          0          0          0        736
    total                  401       4813        397          0          0          0       4416

    added: system prompt 0, tools 0, frames 907, stand-ins 0, memory 0, notes 74
    artifact_attacher: 15800 -> 15800
    compactor: 15800 -> 15800
    history_selector: 15800 -> 1378
    memory_preloader: 1378 -> 1378
    context: 1378 of 1500 tokens
    ");
}
