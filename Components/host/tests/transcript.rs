//! What transcripts tell: the steps that blocks become, and where the transcript stands then.

use std::fmt::Write as _;
use std::sync::Arc;

use mentci_authority::Trust;
use mentci_context::{CompileConfig, ContextCompiler, Counts};
use mentci_host::policy::{Alone, RuleFile, Rulebook};
use mentci_host::transcript::{Conversation, Happened, RuleNames, Step, Transcript, TranscriptReading};
use mentci_pdp::Options;
use mentci_source::Source;

/// The names of the rules that stand in the document itself.
fn names(source: &Source) -> RuleNames {
    let file = RuleFile { pack: "t.chatmd".into(), ..RuleFile::new(source.clone(), Trust::User) };
    let book = Rulebook::read(&[file], Options::default(), &mut Alone);
    assert!(book.is_whole(), "{:#?}", book.findings);
    RuleNames::of(source.path(), &book.program.told_from(0))
}

fn read(text: &str) -> (TranscriptReading, Vec<String>) {
    let source = Source::new("t.chatmd", text);
    let reading = Transcript::read(&source, &names(&source));
    (reading.value, reading.findings.iter().map(ToString::to_string).collect())
}

/// One line a step: its block and time, what happened, and what it changed.
fn shown(steps: &[Step]) -> String {
    let lines = steps.iter().map(|step| format!("{}@{} {}\n", step.block, step.at.ms, what(step)));
    lines.collect()
}

fn what(step: &Step) -> String {
    let (event, decided, deltas, unanswered) = match &step.happened {
        Happened::Event { event, decided, deltas, unanswered, .. } => (event, decided, deltas, unanswered),
        Happened::Act(act) => return format!("{act:?}"),
        Happened::Compacted { hides, summary } => return format!("hides {hides:?}: {summary}"),
    };
    let mut text = format!("{} t{}", event.hook.name(), event.turn.unwrap_or_default());
    if let Some(tool) = &event.tool {
        let id = tool.call_id.as_deref().unwrap_or("-");
        let _ = write!(text, " {}#{id} {}", tool.name, tool.args);
        if let Some(status) = tool.status {
            let _ = write!(text, " {}", status.name());
        }
    }
    if let Some(result) = &event.result {
        let _ = write!(text, " = {}", result.error.clone().unwrap_or_else(|| result.value.to_string()));
    }
    if let Some(message) = &event.message {
        let made = if message.synthetic { " (rule)" } else { "" };
        let _ = write!(text, " {}{made}: {}", message.role.name(), message.text.replace('\n', "/"));
    }
    if decided.decision.name() != "allow" {
        let _ = write!(text, " [{} {}]", decided.decision.name(), decided.rules.join(" "));
    }
    if *unanswered {
        text += " unanswered";
    }
    for delta in deltas {
        let _ = write!(text, " {}", serde_json::to_value(delta).unwrap_or_default());
    }
    text
}

#[test]
fn a_run_with_everything_in_it() {
    let (reading, findings) = read(include_str!("transcripts/everything.chatmd"));
    assert_eq!(findings, Vec::<String>::new());
    insta::assert_snapshot!(shown(&reading.steps), @r#"
    4@4 message_appended t0 system: You help.
    5@5 query_start t0 user: Find it.
    5@5 message_appended t0 user: Find it.
    6@6 turn_start t1
    6@6 message_appended t1 developer (rule): Be kind. {"fired":{"rule":"t.chatmd/hello"}}
    7@7 event_emitted t1 {"fired":{"rule":"t.chatmd/count"}} {"set":{"key":"n","scope":"session","value":1}}
    9@9 message_appended t1 assistant: Searching.
    10@10 pre_tool_call t1 search#c1 {"q":"a"}
    11@11 pre_tool_call t1 rm#c2 {"path":"/"} denied = no [block t.chatmd/no-rm] {"fired":{"rule":"t.chatmd/no-rm"}}
    12@12 post_tool_response t1 search#c1 {"q":"a"} success = {"count":1}
    12@12 message_appended t1 tool: {"count":1}
    13@13 message_appended t1 tool: no
    14@14 message_appended t1 developer (rule): use trash {"fired":{"rule":"t.chatmd/no-rm"}}
    15@15 pre_tool_call t1 more#call_3 {"q":"a"} {"fired":{"rule":"t.chatmd/enrich"}}
    16@16 post_tool_response t1 more#call_3 {"q":"a"} timeout = too slow
    16@16 message_appended t1 tool (rule): too slow
    17@17 turn_end t1
    17@17 turn_start t2
    17@17 event_emitted t2 {"fired":{"rule":"t.chatmd/count"}} {"set":{"key":"n","scope":"session","value":2}}
    18@18 message_appended t2 assistant: Found.
    19@19 turn_end t2
    19@19 pre_compact t2 {"fired":{"rule":"t.chatmd/tidy"}}
    19@19 hides [5..=16]: The user wants it found.
    21@21 query_start t2 user: Thanks.
    21@21 message_appended t2 user: Thanks.
    "#);
    insta::assert_debug_snapshot!(reading.transcript.position(), @r"
    Position {
        blocks: 21,
        turn: 2,
        exchange: 2,
        phase: Idle,
        is_asked: true,
        calls: 3,
        digest: None,
    }
    ");
}

#[test]
fn what_people_write_by_hand() {
    let (reading, findings) = read(include_str!("transcripts/by_hand.chatmd"));
    insta::assert_snapshot!(shown(&reading.steps), @r#"
    1@1 query_start t0 user: uppercase it
    1@1 message_appended t0 user: uppercase it
    2@2 turn_start t1
    2@2 pre_tool_call t1 uppercase#call_1 {"text":"Hello"}
    3@3 pre_tool_call t1 lower#z {"text":"Hello"}
    4@4 post_tool_response t1 lower#z {"text":"Hello"} success = "hello"
    4@4 message_appended t1 tool: hello
    5@5 post_tool_response t1 uppercase#call_1 {"text":"Hello"} success = "HELLO"
    5@5 message_appended t1 tool: HELLO
    6@6 turn_end t1
    6@6 turn_start t2
    6@6 message_appended t2 assistant: Done.
    7@7 pre_tool_call t2 say#call_3 "not json" unanswered
    8@8 turn_end t2
    8@8 query_start t2 user: again
    8@8 message_appended t2 user: again
    9@9 post_tool_response t2 nothing#- null error = ?
    10@10 turn_start t3
    10@10 pre_tool_call t3 lower#z#2 {} unanswered
    13@13 pre_compact t3
    13@13 hides []: x
    14@1772445600000 turn_end t3
    14@1772445600000 query_start t3 user: dated
    14@1772445600000 message_appended t3 user: dated
    15@1772445600001 query_start t3 user: undated
    15@1772445600001 message_appended t3 user: undated
    "#);
    insta::assert_snapshot!(findings.join("\n"), @r"
    t.chatmd:9:1: warning[E1030]: `odd` is no status of a call: it counts as an error
      help: `Library/specs/transcript.md` says what blocks hold
    t.chatmd:9:1: warning[E1030]: this `<tool_response>` answers no call
      help: `Library/specs/transcript.md` says what blocks hold
    t.chatmd:11:1: warning[E1030]: `dance` is no type of `<rule_event>`
      help: `Library/specs/transcript.md` says what blocks hold
    t.chatmd:12:1: warning[E1030]: the value of `v` is no JSON
      help: `Library/specs/transcript.md` says what blocks hold
    t.chatmd:13:1: warning[E1030]: `3-1` are no numbers of blocks
      help: `Library/specs/transcript.md` says what blocks hold
    t.chatmd:15:1: warning[E1030]: `soon` is no RFC 3339 time: failed to parse four digit integer as year: invalid digit, expected 0-9 but got s
      help: `Library/specs/transcript.md` says what blocks hold
    ");
}

#[test]
fn a_killed_run_goes_on_from_its_open_calls() {
    let text = "<user>go</user><tool_call id=\"a\" name=\"x\">{}</tool_call><tool_call id=\"b\" name=\"y\">{\"n\":1}</tool_call>\
                <tool_response id=\"a\" name=\"x\">done</tool_response><rule_event type=\"approval\" rule=\"ask\" call=\"b\" granted=\"true\"/>";
    let (mut reading, _) = read(text);
    let open: Vec<_> = reading.transcript.open_calls().map(|call| (call.id.clone(), call.granted)).collect();
    assert_eq!(open, [("b".to_owned(), Some(true))]);
    insta::assert_snapshot!(shown(&reading.steps), @r"
    1@1 query_start t0 user: go
    1@1 message_appended t0 user: go
    2@2 turn_start t1
    ");
    insta::assert_snapshot!(shown(&reading.transcript.resume()), @r#"
    2@2 pre_tool_call t1 x#a {}
    4@4 post_tool_response t1 x#a {} success = "done"
    4@4 message_appended t1 tool: done
    5@3 pre_tool_call t1 y#b {"n":1} [approve t.chatmd/ask] {"requested":{"approval":"47421b7ef452","expires_ms":9223372036854775807,"rule":"t.chatmd/ask"}}
    5@3 Granted { approval: "47421b7ef452", by: "user", words: None }
    "#);
    insta::assert_snapshot!(shown(&reading.transcript.finish()), @r#"
    3@3 pre_tool_call t1 y#b {"n":1} unanswered
    5@5 turn_end t1
    "#);
}

#[test]
fn what_a_compaction_hides_is_what_its_summary_stands_for() {
    let (reading, _) = read(include_str!("transcripts/compacted.chatmd"));
    let mut conversation = Conversation::new("s", Arc::new(Counts::new(mentci_tokens::Bytes)));
    conversation.take(&reading.steps);
    let compiled = ContextCompiler::new().compile(conversation.session(), &CompileConfig::new(4_000));
    let compiled = compiled.unwrap_or_else(|error| panic!("{error}"));
    let said: Vec<String> = compiled
        .context
        .to_messages()
        .iter()
        .map(|message| format!("{:?}: {}", message.role, message.content.clone().unwrap_or_default()))
        .collect();
    insta::assert_snapshot!(said.join("\n"), @r#"
    "system": You help.
    "user": <data from="compaction">
    The user asked for 42.
    </data>
    "user": And now?
    "#);
    insta::assert_snapshot!(format!("{:?}", compiled.ledger.totals), @r"{UserInput: Totals { events: 4, tokens: 52, parts: Parts { kept: 17, external: 0, cleared: 0, summarised: 35, dropped: 0 } }, ToolCall: Totals { events: 1, tokens: 15, parts: Parts { kept: 0, external: 0, cleared: 0, summarised: 15, dropped: 0 } }, ToolSuccess: Totals { events: 1, tokens: 37, parts: Parts { kept: 0, external: 0, cleared: 0, summarised: 37, dropped: 0 } }, PhaseResult: Totals { events: 1, tokens: 7, parts: Parts { kept: 0, external: 0, cleared: 0, summarised: 7, dropped: 0 } }, Compaction: Totals { events: 1, tokens: 22, parts: Parts { kept: 22, external: 0, cleared: 0, summarised: 0, dropped: 0 } }}");
}
