//! Streams in, replies out: both wires, in any pieces.
#![allow(clippy::unwrap_used, reason = "a test may stop")]

use mentci_authority::{ChatMessage, ModelFailureKind, ModelPiece, ModelReply, ModelRequest, ToolSpec};
use mentci_model::{Fault, StreamReader, Wire};
use proptest::prelude::*;

fn read(wire: Wire, chunks: &[&[u8]]) -> Result<(ModelReply, Vec<String>), Fault> {
    let request = ModelRequest {
        messages: vec![ChatMessage::said("user", "hi")],
        tools: vec![ToolSpec { name: "fs.read".to_owned(), ..ToolSpec::default() }],
        ..ModelRequest::default()
    };
    let mut heard = Vec::new();
    let mut ear = |piece: ModelPiece<'_>| heard.push(format!("{piece:?}"));
    let mut reader = StreamReader::events(wire, &request);
    for chunk in chunks {
        if reader.push(chunk, &mut ear)? {
            break;
        }
    }
    let reply = reader.end(&mut ear)?;
    Ok((reply, heard))
}

fn events(lines: &[&str]) -> String {
    lines.iter().flat_map(|line| ["data: ", line, "\n\n"]).collect()
}

fn chat() -> String {
    events(&[
        r#"{"choices":[{"delta":{"role":"assistant","content":""}}]}"#,
        r#"{"choices":[{"delta":{"reasoning_content":"hm"}}]}"#,
        r#"{"choices":[{"delta":{"content":"Grüße "}}]}"#,
        r#"{"choices":[{"delta":{"content":"🦀"}}]}"#,
        r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"fs_read","arguments":""}}]}}]}"#,
        r#"{"choices":[{"delta":{"tool_calls":[{"index":1,"id":"b","function":{"name":"other","arguments":"{}"}}]}}]}"#,
        r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"path\":"}}]}}]}"#,
        r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\"a\"}"}}]}}]}"#,
        r#"{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}"#,
        r#"{"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":3,"prompt_tokens_details":{"cached_tokens":2}}}"#,
        "[DONE]",
    ])
}

fn messages() -> String {
    let lines = [
        r#"{"type":"message_start","message":{"usage":{"input_tokens":5,"cache_read_input_tokens":2,"output_tokens":1}}}"#,
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm"}}"#,
        r#"{"type":"ping"}"#,
        r#"{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}"#,
        r#"{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"Grüße "}}"#,
        r#"{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"🦀"}}"#,
        r#"{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"a","name":"fs_read","input":{}}}"#,
        r#"{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"path\":"}}"#,
        r#"{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"\"a\"}"}}"#,
        r#"{"type":"content_block_start","index":3,"content_block":{"type":"tool_use","id":"b","name":"other","input":{}}}"#,
        r#"{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":3}}"#,
        r#"{"type":"message_stop"}"#,
    ];
    lines.iter().flat_map(|line| ["event: x\ndata: ", line, "\r\n\r\n"]).collect()
}

#[test]
fn both_wires_say_the_same() {
    let (chat, heard) = read(Wire::ChatCompletions, &[chat().as_bytes()]).unwrap();
    insta::assert_debug_snapshot!(chat, @r#"
    ModelReply {
        text: "Grüße 🦀",
        reasoning: "hm",
        calls: [
            ChatCall {
                id: "a",
                name: "fs.read",
                arguments: "{\"path\":\"a\"}",
            },
            ChatCall {
                id: "b",
                name: "other",
                arguments: "{}",
            },
        ],
        stop: Calls,
        usage: ModelUsage {
            input: 7,
            cached: 2,
            output: 3,
        },
        lost: ModelUsage {
            input: 0,
            cached: 0,
            output: 0,
        },
        retries: 0,
    }
    "#);
    insta::assert_debug_snapshot!(heard, @r#"
    [
        "Reasoning(\"hm\")",
        "Text(\"Grüße \")",
        "Text(\"🦀\")",
        "Call(\"fs.read\")",
        "Call(\"other\")",
    ]
    "#);
    let (messages, heard_again) = read(Wire::Messages, &[messages().as_bytes()]).unwrap();
    assert_eq!((chat, heard), (messages, heard_again));
}

proptest! {
    #[test]
    fn any_split_gives_the_same_reply(cuts in prop::collection::vec(0_usize..3_000, 0..12), is_chat: bool) {
        let (wire, stream) = if is_chat { (Wire::ChatCompletions, chat()) } else { (Wire::Messages, messages()) };
        let bytes = stream.as_bytes();
        let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut % bytes.len()).collect();
        cuts.extend([0, bytes.len()]);
        cuts.sort_unstable();
        let chunks: Vec<&[u8]> = cuts.windows(2).map(|cut| &bytes[cut[0]..cut[1]]).collect();
        prop_assert_eq!(read(wire, &chunks), read(wire, &[bytes]));
    }

    #[test]
    fn no_prefix_is_taken_for_an_answer(cut in 0_usize..3_000, is_chat: bool) {
        let (wire, stream, over) = if is_chat {
            (Wire::ChatCompletions, chat(), "\"finish_reason\":\"tool_calls\"}]}\n")
        } else {
            (Wire::Messages, messages(), "\"output_tokens\":3}}\r\n")
        };
        let end = stream.find(over).unwrap();
        let fault = read(wire, &[&stream.as_bytes()[..cut % end]]).unwrap_err();
        prop_assert_eq!((fault.kind, fault.may_pass), (ModelFailureKind::Garbled, true));
    }

    #[test]
    fn nothing_panics(bytes in prop::collection::vec(any::<u8>(), 0..400), is_chat: bool) {
        let wire = if is_chat { Wire::ChatCompletions } else { Wire::Messages };
        let _ = read(wire, &[b"data: ", &bytes, b"\n\n"]);
    }
}

/// What one chunk with these calls gives, as `id name arguments`.
fn calls(calls: &[&str]) -> Vec<String> {
    let mut lines: Vec<String> = calls
        .iter()
        .map(|call| format!(r#"{{"choices":[{{"delta":{{"tool_calls":[{call}]}}}}]}}"#))
        .collect();
    lines.push(r#"{"choices":[{"delta":{},"finish_reason":"stop"}]}"#.to_owned());
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let (reply, _) = read(Wire::ChatCompletions, &[events(&lines).as_bytes()]).unwrap();
    reply.calls.into_iter().map(|call| format!("{} {} {}", call.id, call.name, call.arguments)).collect()
}

#[test]
fn odd_calls_are_read_as_they_were_meant() {
    let cases: [(&str, &[&str], &[&str]); 7] = [
        ("no id", &[r#"{"index":0,"function":{"name":"a","arguments":"{}"}}"#], &["call_1 a {}"]),
        (
            "the same id twice",
            &[
                r#"{"index":0,"id":"x","function":{"name":"a","arguments":"{}"}}"#,
                r#"{"index":1,"id":"x","function":{"name":"b","arguments":"{}"}}"#,
            ],
            &["x a {}", "x_2 b {}"],
        ),
        (
            "every call at place 0",
            &[
                r#"{"index":0,"id":"x","function":{"name":"a","arguments":"{}"}}"#,
                r#"{"index":0,"id":"y","function":{"name":"b","arguments":"{}"}}"#,
            ],
            &["x a {}", "y b {}"],
        ),
        (
            "no places at all",
            &[
                r#"{"function":{"name":"a","arguments":"{}"}}"#,
                r#"{"function":{"name":"a","arguments":"{\"n\":2}"}}"#,
            ],
            &["call_1 a {}", "call_2 a {\"n\":2}"],
        ),
        (
            "an object for words",
            &[r#"{"index":0,"id":"x","function":{"name":"a","arguments":{"n":1}}}"#],
            &["x a {\"n\":1}"],
        ),
        ("no JSON", &[r#"{"index":0,"id":"x","function":{"name":"a","arguments":"ls -l"}}"#], &["x a ls -l"]),
        ("no arguments", &[r#"{"index":0,"id":"x","function":{"name":"a"}}"#], &["x a {}"]),
    ];
    for (what, given, expected) in cases {
        assert_eq!(calls(given), expected, "{what}");
    }
}

#[test]
fn what_is_no_answer_says_so() {
    let long = format!("data: {}\n\n", "x".repeat(5 << 20));
    let cases: [(Wire, &str, &str); 9] = [
        (Wire::ChatCompletions, "", "the answer is empty"),
        (Wire::ChatCompletions, "data: [DONE]\n\n", "the answer is empty"),
        (Wire::ChatCompletions, "data: {\"choices\":[]}\n\n", "the answer is empty"),
        (
            Wire::ChatCompletions,
            "data: {\"choices\":[{\"del",
            "the answer broke off in the middle of its JSON",
        ),
        (Wire::ChatCompletions, "data: <html>\n\n", "a page of HTML came instead of an answer"),
        (Wire::ChatCompletions, "data: {]\n\n", "what came is no JSON, at byte 2 of 2"),
        (Wire::ChatCompletions, &long, "an event of the answer is longer than 4194304 bytes"),
        (
            Wire::ChatCompletions,
            "data: {\"error\":{\"message\":\"no\\nroom\",\"code\":503}}\n\n",
            "the provider gave up: no room",
        ),
        (
            Wire::Messages,
            "data: {\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"bad\"}}\n\n",
            "the provider gave up: bad",
        ),
    ];
    for (wire, stream, expected) in cases {
        let fault = read(wire, &[stream.as_bytes()]).unwrap_err();
        assert_eq!(fault.message, expected);
        assert_eq!(fault.may_pass, expected != "the provider gave up: bad", "{expected}");
    }
}

#[test]
fn what_is_not_streamed_is_read_too() {
    let chat = r#"{"choices":[{"message":{"content":"Hi","tool_calls":[{"id":"x","type":"function","function":{"name":"fs_read","arguments":"{}"}}]},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":2}}"#;
    let messages = r#"{"type":"message","content":[{"type":"text","text":"Hi"},{"type":"tool_use","id":"x","name":"fs_read","input":{}}],"stop_reason":"tool_use","usage":{"input_tokens":1,"output_tokens":2}}"#;
    let request = ModelRequest {
        tools: vec![ToolSpec { name: "fs.read".to_owned(), ..ToolSpec::default() }],
        ..ModelRequest::default()
    };
    let replies = [(Wire::ChatCompletions, chat), (Wire::Messages, messages)].map(|(wire, body)| {
        let mut reader = StreamReader::whole(wire, &request);
        body.as_bytes().chunks(7).for_each(|chunk| assert!(!reader.push(chunk, &mut |_| {}).unwrap()));
        reader.end(&mut |_| {}).unwrap()
    });
    assert_eq!(replies[0], replies[1]);
    assert_eq!((replies[0].text.as_str(), replies[0].calls[0].name.as_str()), ("Hi", "fs.read"));
}
