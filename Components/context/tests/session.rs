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
