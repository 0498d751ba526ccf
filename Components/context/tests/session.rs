//! Sessions: the log, the counts, the proof.

mod log;

use std::sync::{Arc, Mutex};

use log::{answer, assistant, call, data, session, user};
use mentci_authority::{At, Effect, Event};
use mentci_context::{CountMemory, Counts, Session, SessionEventKind, SessionFile};
use mentci_detect::Detector;
use mentci_ledger::Decided;
use mentci_source::Hash;
use mentci_tokens::Bytes;
use serde_json::json;

#[test]
fn event_log_append_filter() {
    let mut session = session();
    let first = user(&mut session, "one");
    call(&mut session, "c1");
    let last = user(&mut session, "two");
    let inputs: Vec<_> =
        session.filter(&[SessionEventKind::UserInput]).map(|event| &event.event_id).collect();
    assert_eq!(inputs, [&first, &last]);
    assert_eq!(session.since(2.0).count(), 2);
    assert!(session.events().is_sorted_by(|a, b| a.event_id < b.event_id));
}

#[test]
fn event_log_total_tokens() {
    let mut session = session();
    user(&mut session, "four");
    user(&mut session, "four");
    session.record(SessionEventKind::PhaseResult, data(json!({"phase": "turn_end"})), At::utc(9));
    assert_eq!(session.total_tokens(), 8);
    assert_eq!(session.log().events().map(|event| event.token_estimate).collect::<Vec<_>>(), [4, 4, 0]);
}

#[test]
fn session_wraps_evidence_pack() {
    let mut session = session();
    user(&mut session, "one");
    assistant(&mut session, "two");
    let pack = session.to_evidence_pack();
    assert!(pack.verify().is_ok() && pack.verify_session(&session).is_ok());
    for (index, entry) in pack.entries.iter().enumerate() {
        let proof = pack.prove(index).unwrap();
        assert!(proof.holds(&entry.leaf, &pack.root));
        assert!(!proof.holds(&pack.root, &pack.root));
    }
    assert!(pack.prove(2).is_none());
    user(&mut session, "three");
    assert_eq!(pack.verify_session(&session).unwrap_err().index, 2);
}

#[test]
fn each_content_is_counted_once() {
    let counts = Arc::new(Counts::new(Bytes));
    let mut session = Session::new("s1", counts.clone());
    user(&mut session, "the same");
    user(&mut session, "the same");
    assert_eq!(counts.counted(), 1);
    let kept = counts.take_new();
    let later = Arc::new(Counts::new(Bytes));
    later.import(kept);
    user(&mut Session::new("s2", later.clone()), "the same");
    assert_eq!(later.counted(), 0);
}

/// What is longer than it takes to count is asked of the memory, once, and what it does not know is told to it.
#[test]
fn what_was_counted_before_is_recalled() {
    #[derive(Clone, Default)]
    struct Memory(Arc<Mutex<Vec<(Hash, u64)>>>);
    impl CountMemory for Memory {
        fn recall(&self, content: Hash) -> Option<u64> {
            let noted = self.0.lock().unwrap();
            noted.iter().find(|(hash, _)| *hash == content).map(|(_, tokens)| *tokens)
        }
        fn note(&self, content: Hash, tokens: u64) {
            self.0.lock().unwrap().push((content, tokens));
        }
    }
    let memory = Memory::default();
    let long = "word ".repeat(100);
    let first = Counts::new(Bytes).remembering(memory.clone());
    assert_eq!((first.of(&long), first.of("short"), first.counted()), (500, 5, 2));
    assert_eq!(memory.0.lock().unwrap().len(), 1, "what is short is not worth it");
    let second = Counts::new(Bytes).remembering(memory.clone());
    assert_eq!((second.of(&long), second.of(&long), second.counted()), (500, 500, 0));
    assert_eq!(memory.0.lock().unwrap().len(), 1);
}

#[test]
fn secrets_are_taken_out_before_anything_is_kept() {
    let mut session = session().redacting(Detector::all());
    user(&mut session, "write to ann@example.com");
    answer(&mut session, "c1", "from ann@example.com");
    let kept = session.to_jsonl();
    assert!(!kept.contains("ann@") && kept.contains("[EMAIL]"), "{kept}");
}

/// Lines of `replay`, each with what was decided.
type Lines<'a> = &'a [(&'a str, Option<Effect>)];

fn events(lines: Lines<'_>) -> String {
    let mut session = session();
    for (line, effect) in lines {
        let event: Event = serde_json::from_str(line).expect("a line of `replay`");
        session.take_in(&event, effect.map(|effect| Decided::new(effect, ["pack/rule"])).as_ref());
    }
    let line = |event: &mentci_context::SessionEvent| {
        let text = |part: &str| event.data.get(part).and_then(|part| part.as_str()).unwrap_or("").to_owned();
        format!("{} {} {}\n", event.kind.name(), text("call_id"), text("error")).replace("  ", " ")
    };
    session.events().map(line).collect()
}

const PRE: &str =
    r#"{"event":"pre_tool_call","at":5,"tool":{"name":"exec","args":{"command":"ls"},"call_id":"c1"}}"#;
const POST: &str = r#"{"event":"post_tool_response","tool":{"name":"exec","args":{"command":"ls"},"call_id":"c1"},"result":"ok"}"#;
const PRE_NAMELESS: &str = r#"{"event":"pre_tool_call","tool":{"name":"exec","args":{"command":"ls"}}}"#;
const POST_NAMELESS: &str = r#"{"event":"post_tool_response","tool":{"name":"exec","args":{"command":"ls"}},"result":{"error":"no"}}"#;
const TIMEOUT: &str = r#"{"event":"post_tool_response","tool":{"name":"exec","call_id":"c1","status":"timeout"},"result":{"error":"slow"}}"#;

#[test]
fn every_call_gets_its_end() {
    let told: &[(Lines<'_>, &str)] = &[
        (&[(PRE, None), (POST, None)], "tool_call c1 \ntool_success c1 \n"),
        (&[(PRE, Some(Effect::Allow)), (TIMEOUT, None)], "tool_call c1 \ntool_timeout c1 slow\n"),
        (
            &[(PRE, Some(Effect::Block))],
            "tool_call c1 \nguard_decision c1 \ntool_denied c1 denied by pack/rule\n",
        ),
        // A person allows it, and it is asked again.
        (
            &[(PRE, Some(Effect::Approve)), (PRE, None), (POST, None)],
            "tool_call c1 \nguard_decision c1 \ntool_success c1 \n",
        ),
        // An answer brings its call with it.
        (&[(POST, None)], "tool_call c1 \ntool_success c1 \n"),
        // An id that is used again is numbered; a second answer stands as it is.
        (
            &[(PRE, None), (POST, None), (PRE, None), (POST, None), (PRE, None), (POST, None), (POST, None)],
            "tool_call c1 \ntool_success c1 \ntool_call c1#2 \ntool_success c1#2 \ntool_call c1#3 \n\
             tool_success c1#3 \ntool_success c1 \n",
        ),
        (
            &[(PRE_NAMELESS, None), (PRE_NAMELESS, None), (POST_NAMELESS, None), (POST_NAMELESS, None)],
            "tool_call call-1 \ntool_call call-2 \ntool_error call-1 no\ntool_error call-2 no\n",
        ),
    ];
    for (lines, said) in told {
        assert_eq!(events(lines), *said);
    }
}

#[test]
fn an_id_that_a_file_uses_twice_is_numbered() {
    let line = |kind: &str| format!(r#"{{"kind":"{kind}","data":{{"call_id":"a","tool":"exec"}}}}"#);
    let (call, end) = (line("tool_call"), line("tool_success"));
    let file = [&call, &end, &call, &end, &end].map(String::as_str).join("\n");
    let read = SessionFile::read("s.jsonl", format!("{file}\n").as_bytes());
    let session = read.value.session(None, Arc::new(Counts::new(Bytes)), None).value;
    let ids: Vec<&str> = session.events().map(|event| event.data["call_id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["a", "a", "a#2", "a#2", "a"], "a second end of an ended call stands as it is");
}

#[test]
fn a_session_is_exported_and_read_back() {
    let mut session = session();
    user(&mut session, "one");
    call(&mut session, "c1");
    answer(&mut session, "c1", "naïve ✓ \u{0} text");
    let export = session.to_jsonl();
    let read = SessionFile::read("s.jsonl", export.as_bytes());
    assert_eq!(read.findings, []);
    assert_eq!(read.value.proved, Some(session.to_evidence_pack().root));
    let again = read.value.session(None, Arc::new(Counts::new(Bytes)), None);
    assert_eq!(again.findings, []);
    assert_eq!(again.value.session_id(), "s1");
    assert_eq!(again.value.to_jsonl(), export);
}

/// What a session of these lines says to a model, or that a line was heard.
fn told(lines: &[serde_json::Value]) -> Vec<String> {
    let text = lines.iter().map(|line| format!("{line}\n")).collect::<Vec<_>>().concat();
    let read = SessionFile::read("s.jsonl", text.as_bytes());
    assert!(read.findings.is_empty(), "{:?}", read.findings);
    let session = read.value.session(None, Arc::new(Counts::new(Bytes)), None).value;
    let one = |event: &mentci_context::SessionEvent| {
        let part = |name: &str| event.data.get(name).and_then(|value| value.as_str()).unwrap_or("");
        format!("{} {}{}", event.kind.name(), part("phase"), part("text"))
    };
    session.events().map(one).collect()
}

fn said(hook: &str, role: &str, text: &str) -> serde_json::Value {
    json!({"event": hook, "session": "s1", "message": {"role": role, "text": text}})
}

/// A message is one at whichever hook it is told; one that two hooks tell was said once.
#[test]
fn a_message_is_said_once_whichever_hooks_tell_it() {
    let happens = |hook: &str| json!({"event": hook, "session": "s1"});
    let asked = || said("query_start", "user", "why?");
    let appended = || said("message_appended", "user", "why?");
    let ended = || said("turn_end", "assistant", "so");
    let replied = || said("message_appended", "assistant", "so");
    let cases: &[(&[serde_json::Value], &[&str])] = &[
        // Claude Code, Codex, Gemini CLI: a prompt, and what the turn ended with.
        (
            &[asked(), happens("turn_start"), ended()],
            &["user_input why?", "phase_result turn_start", "phase_result so"],
        ),
        // pi, and the runner: each is told twice.
        (
            &[asked(), happens("turn_start"), appended(), replied(), ended()],
            &[
                "user_input why?",
                "phase_result turn_start",
                "phase_result message_appended",
                "phase_result so",
                "phase_result turn_end",
            ],
        ),
        // The other way round.
        (&[appended(), asked()], &["user_input why?", "phase_result query_start"]),
        // Asked twice: the same hook says so.
        (&[asked(), asked()], &["user_input why?", "user_input why?"]),
        (
            &[asked(), appended(), asked(), appended()],
            &[
                "user_input why?",
                "phase_result message_appended",
                "user_input why?",
                "phase_result message_appended",
            ],
        ),
        // Something stands between: it was said again.
        (
            &[asked(), happens("turn_end"), appended()],
            &["user_input why?", "phase_result turn_end", "user_input why?"],
        ),
        // Another text, another role.
        (&[asked(), said("message_appended", "user", "when?")], &["user_input why?", "user_input when?"]),
        (&[asked(), said("turn_end", "assistant", "why?")], &["user_input why?", "phase_result why?"]),
        // Nothing was said.
        (
            &[happens("query_start"), said("query_start", "user", " "), happens("turn_end")],
            &["phase_result query_start", "phase_result query_start", "phase_result turn_end"],
        ),
    ];
    for (lines, expected) in cases {
        assert_eq!(told(lines), *expected, "{lines:?}");
    }
}

/// What policy refused to pass on was never said to the model.
#[test]
fn a_query_that_was_blocked_is_no_input() {
    let event: Event = serde_json::from_value(said("query_start", "user", "no")).unwrap();
    let mut session = session();
    session.take_in(&event, Some(&Decided::new(Effect::Block, ["pack/no"])));
    assert_eq!(session.events().next().unwrap().data, data(json!({"phase": "query_start"})));
}

/// Lines, and what is said of them: each call by its id with its answer.
type Case<'a> = (&'a [serde_json::Value], &'a [(&'a str, &'a str)]);

/// The calls of a file, as a context sends them with their answers: ids that a line does not tell are given in order.
#[test]
fn calls_without_ids_of_their_own_find_their_answers() {
    let call = |id: serde_json::Value, tool: &str| json!({"kind": "tool_call", "data": {"call_id": id, "tool": tool}});
    let end = |id: serde_json::Value, tool: &str, value: &str| json!({"kind": "tool_success", "data": {"call_id": id, "tool": tool, "value": value}});
    let none = || serde_json::Value::Null;
    let cases: &[Case<'_>] = &[
        (
            &[call(none(), "a"), call(none(), "b"), end(none(), "b", "B"), end(none(), "a", "A")],
            &[("call-1", "A"), ("call-2", "B")],
        ),
        (
            &[call(none(), "a"), call(none(), "a"), end(none(), "a", "1"), end(none(), "a", "2")],
            &[("call-1", "1"), ("call-2", "2")],
        ),
        (
            &[call(json!(""), "a"), end(json!(""), "", "A"), call(json!(""), "a"), end(json!(""), "", "B")],
            &[("call-1", "A"), ("call-2", "B")],
        ),
        // Numbers are ids as well.
        (
            &[call(json!(7), "a"), call(json!(8), "a"), end(json!(8), "a", "B"), end(json!(7), "a", "A")],
            &[("7", "A"), ("8", "B")],
        ),
        // An id that looks like one that is given is not given.
        (
            &[
                call(json!("call-1"), "a"),
                call(none(), "b"),
                end(none(), "b", "B"),
                end(json!("call-1"), "a", "A"),
            ],
            &[("call-1", "A"), ("call-1#2", "B")],
        ),
        (
            &[
                call(json!("c1"), "a"),
                end(json!("c1"), "a", "1"),
                call(json!("c1#2"), "a"),
                call(json!("c1"), "a"),
                end(json!("c1"), "a", "3"),
                end(json!("c1#2"), "a", "2"),
            ],
            &[("c1", "1"), ("c1#2", "2"), ("c1#3", "3")],
        ),
    ];
    for (lines, expected) in cases {
        let text = lines.iter().map(|line| format!("{line}\n")).collect::<Vec<_>>().concat();
        let session = SessionFile::read("s", text.as_bytes())
            .value
            .session(None, Arc::new(Counts::new(Bytes)), None)
            .value;
        let compiled = mentci_context::ContextCompiler::new()
            .compile(&session, &mentci_context::CompileConfig::new(10_000))
            .unwrap();
        let messages = compiled.context.to_messages();
        let answers = messages.iter().filter(|message| message.role == "tool").map(|message| {
            let said = message.content.as_deref().unwrap_or_default();
            (message.tool_call_id.as_deref().unwrap_or_default(), said.lines().nth(1).unwrap_or_default())
        });
        assert_eq!(answers.collect::<Vec<_>>(), *expected, "{text}");
        let calls = messages.iter().flat_map(|message| &message.tool_calls).map(|call| call.id.as_str());
        assert_eq!(calls.collect::<Vec<_>>(), expected.iter().map(|(id, _)| *id).collect::<Vec<_>>());
        assert!(compiled.ledger.events.iter().all(|entry| entry.reason.is_none()), "nothing is dropped");
    }
}
