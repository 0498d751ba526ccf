//! What each harness tells, as it is heard.

use std::fmt::Write;

use mentci_authority::{Effect, Verdict};
use mentci_harness::{Heard, Payload, hear, reply};
use mentci_host::{Harness, HookAnswer, Part, ShownRules};
use mentci_source::Hash;
use serde_json::{Value, json};

use super::{GATES, answer, tool_hook, verdict};

/// What is heard, in a line.
fn heard(harness: Harness, event: &str, payload: &Value) -> String {
    let payload = Payload::read(payload.to_string().as_bytes()).expect("the payload is an object");
    let heard = hear(harness, event, &payload);
    let events: Vec<String> = heard.call.events.iter().map(told).collect();
    let ask = if heard.can_ask { ", asks" } else { "" };
    format!("{event}: {:?} in `{}`{ask}: {}", heard.point, heard.call.session, events.join("; "))
}

fn told(event: &mentci_authority::Event) -> String {
    let mut text = event.hook.name().to_owned();
    if let Some(tool) = &event.tool {
        let _ = write!(text, " {} {}", tool.name, tool.args);
    }
    if let Some(result) = &event.result {
        let _ = write!(text, " -> {} {}", result.status.map_or("", |status| status.name()), result.value);
    }
    if let Some(message) = &event.message {
        let _ = write!(text, " \"{}\"", message.text);
    }
    text
}

fn all_heard(harness: Harness, events: &[(&str, Value)]) -> String {
    events.iter().map(|(event, payload)| heard(harness, event, payload)).collect::<Vec<_>>().join("\n")
}

#[test]
fn claude_code_is_heard() {
    let mut answered = tool_hook("Read", json!({"file_path": "a.txt"}));
    answered["tool_response"] = json!({"type": "text", "file": {"content": "x"}});
    let mut failed = tool_hook("Bash", json!({"command": "false"}));
    failed["error"] = json!("exit 1");
    insta::assert_snapshot!(all_heard(Harness::ClaudeCode, &[
        ("SessionStart", json!({"session_id": "s1", "source": "startup"})),
        ("SessionStart", json!({"session_id": "s1", "source": "compact"})),
        ("SessionStart", json!({"session_id": "s1", "source": "clear"})),
        ("UserPromptSubmit", json!({"session_id": "s1", "prompt": "mend it"})),
        ("PreToolUse", tool_hook("Bash", json!({"command": "ls"}))),
        ("PreToolUse", json!({"session_id": "s1", "permission_mode": "bypassPermissions", "tool_name": "Write", "tool_input": {}})),
        ("PermissionRequest", tool_hook("Bash", json!({"command": "ls"}))),
        ("PostToolUse", answered),
        ("PostToolUseFailure", failed),
        ("PreCompact", json!({"session_id": "s1", "trigger": "auto"})),
        ("Stop", json!({"session_id": "s1", "last_assistant_message": "done"})),
        ("SubagentStop", json!({"session_id": "s1"})),
        ("Notification", json!({"session_id": "s1", "message": "waiting"})),
        ("SessionEnd", json!({"session_id": "s1", "reason": "other"})),
        ("FromTheFuture", json!({"session_id": "s1", "odd": [1, {"deep": null}]})),
    ]), @r#"
    SessionStart: Begin { remembers: true } in `s1`, asks: session_start
    SessionStart: Compacted in `s1`, asks: 
    SessionStart: Begin { remembers: false } in `s1`, asks: session_start
    UserPromptSubmit: Prompt in `s1`, asks: query_start "mend it"; turn_start
    PreToolUse: Gate in `s1`, asks: pre_tool_call Bash {"command":"ls"}
    PreToolUse: Gate in `s1`: pre_tool_call Write {}
    PermissionRequest: Other in `s1`, asks: 
    PostToolUse: Result in `s1`, asks: post_tool_response Read {"file_path":"a.txt"} -> success {"file":{"content":"x"},"type":"text"}
    PostToolUseFailure: Result in `s1`, asks: post_tool_response Bash {"command":"false"} -> error null
    PreCompact: Compacting in `s1`, asks: pre_compact
    Stop: TurnEnd in `s1`, asks: turn_end "done"
    SubagentStop: Other in `s1`, asks: 
    Notification: Other in `s1`, asks: 
    SessionEnd: End in `s1`, asks: session_end
    FromTheFuture: Other in `s1`, asks:
    "#);
}

#[test]
fn codex_is_heard() {
    let mut answered = tool_hook("Bash", json!({"command": "ls"}));
    answered["tool_response"] = json!("a.txt\n");
    insta::assert_snapshot!(all_heard(Harness::Codex, &[
        ("SessionStart", json!({"session_id": "s1", "source": "resume", "model": "m"})),
        ("UserPromptSubmit", json!({"session_id": "s1", "prompt": "mend it"})),
        ("PreToolUse", tool_hook("apply_patch", json!({"command": "*** Begin Patch\n*** End Patch"}))),
        ("PostToolUse", answered),
        ("PreCompact", json!({"session_id": "s1", "trigger": "auto"})),
        ("PostCompact", json!({"session_id": "s1", "trigger": "auto"})),
        ("Stop", json!({"session_id": "s1"})),
        ("SessionEnd", json!({"session_id": "s1"})),
    ]), @r#"
    SessionStart: Begin { remembers: true } in `s1`: session_start
    UserPromptSubmit: Prompt in `s1`: query_start "mend it"; turn_start
    PreToolUse: Gate in `s1`: pre_tool_call apply_patch {"command":"*** Begin Patch\n*** End Patch"}
    PostToolUse: Result in `s1`: post_tool_response Bash {"command":"ls"} -> success "a.txt\n"
    PreCompact: Compacting in `s1`: pre_compact
    PostCompact: Other in `s1`: 
    Stop: TurnEnd in `s1`: turn_end
    SessionEnd: End in `s1`: session_end
    "#);
}

#[test]
fn gemini_is_heard() {
    let mut answered = tool_hook("run_shell_command", json!({"command": "ls"}));
    answered["tool_response"] = json!({"llmContent": "Output: a.txt", "returnDisplay": "a.txt"});
    let mut failed = tool_hook("read_file", json!({"file_path": "b"}));
    failed["tool_response"] = json!({"llmContent": "no file", "error": {"message": "no file"}});
    insta::assert_snapshot!(all_heard(Harness::Gemini, &[
        ("SessionStart", json!({"session_id": "s1", "source": "resume"})),
        ("BeforeAgent", json!({"session_id": "s1", "prompt": "mend it"})),
        ("BeforeModel", json!({"session_id": "s1", "llm_request": {}})),
        ("BeforeModel", json!({"session_id": "s1", "llm_request": {"messages": [{"role": "user", "content": "a\n# Absolute Rules, cited"}]}})),
        ("BeforeModel", json!({"session_id": "s1", "llm_request": {"messages": [{"role": "user", "content": "a summary"}]}})),
        ("BeforeToolSelection", json!({"session_id": "s1", "llm_request": {}})),
        ("BeforeTool", tool_hook("run_shell_command", json!({"command": "ls"}))),
        ("AfterTool", answered),
        ("AfterTool", failed),
        ("AfterModel", json!({"session_id": "s1", "llm_response": {}})),
        ("AfterAgent", json!({"session_id": "s1", "prompt_response": "done"})),
        ("PreCompress", json!({"session_id": "s1", "trigger": "auto"})),
        ("Notification", json!({"session_id": "s1", "notification_type": "ToolPermission"})),
        ("SessionEnd", json!({"session_id": "s1", "reason": "exit"})),
    ]), @r#"
    SessionStart: Begin { remembers: false } in `s1`: session_start
    BeforeAgent: Prompt in `s1`: query_start "mend it"; turn_start
    BeforeModel: Other in `s1`: 
    BeforeModel: Other in `s1`: 
    BeforeModel: Compacting in `s1`: 
    BeforeToolSelection: Other in `s1`: 
    BeforeTool: Gate in `s1`: pre_tool_call run_shell_command {"command":"ls"}
    AfterTool: Result in `s1`: post_tool_response run_shell_command {"command":"ls"} -> success "Output: a.txt"
    AfterTool: Result in `s1`: post_tool_response read_file {"file_path":"b"} -> error "no file"
    AfterModel: Other in `s1`: 
    AfterAgent: TurnEnd in `s1`: turn_end "done"
    PreCompress: Other in `s1`: 
    Notification: Other in `s1`: 
    SessionEnd: End in `s1`: session_end
    "#);
}

/// The rules stand before the first text; what Gemini CLI has beside the texts it keeps itself.
#[test]
fn gemini_is_told_the_rules_in_a_request_without_them() {
    let rules = ShownRules {
        part: Part::Whole,
        text: "# Absolute Rules\n- Run the tests\n".into(),
        hash: Hash::of_bytes(b"rules"),
        tokens: 9,
    };
    let answer = HookAnswer { verdicts: Vec::new(), rules: Some(rules), earlier: Vec::new() };
    for (messages, told) in [
        (
            json!([{"role": "user", "content": "a summary"}, {"role": "model", "content": "yes"}]),
            r#"{"hookSpecificOutput":{"hookEventName":"BeforeModel","llm_request":{"messages":[{"content":"<hook_context># Absolute Rules\n- Run the tests</hook_context>\n\na summary","role":"user"},{"content":"yes","role":"model"}]}}}"#,
        ),
        (json!([{"role": "user", "content": "# Absolute Rules"}]), ""),
        // In a shape that is not known nothing is put.
        (json!([{"role": "user", "content": [{"text": "a summary"}]}]), ""),
        (json!([]), ""),
        (json!("a summary"), ""),
        (json!(null), ""),
    ] {
        let payload = json!({"session_id": "s1", "llm_request": {"messages": messages}});
        let payload = Payload::read(payload.to_string().as_bytes()).unwrap();
        let heard = hear(Harness::Gemini, "BeforeModel", &payload);
        assert_eq!(
            reply(&heard, "BeforeModel", &answer_for(&heard, &answer)).stdout.trim_end(),
            told,
            "{messages}"
        );
    }
}

/// The rules are shown at moments alone.
fn answer_for(heard: &Heard, answer: &HookAnswer) -> HookAnswer {
    if heard.call.moment.is_some() { answer.clone() } else { HookAnswer { rules: None, ..answer.clone() } }
}

#[test]
fn cline_is_heard() {
    let call = json!({"taskId": "c1", "tool_call": {"id": "t1", "name": "run_commands", "input": {"commands": ["ls"]}},
        "preToolUse": {"toolName": "run_commands", "parameters": {"commands": "[\"ls\"]"}}});
    let older = json!({"taskId": "c1", "preToolUse": {"toolName": "execute_command", "parameters": {"command": "ls"}}});
    let answered = json!({"taskId": "c1", "tool_result": {"name": "run_commands", "input": {"commands": ["ls"]},
        "output": [{"query": "ls", "result": "a\n", "success": true}]}, "postToolUse": {"success": true, "executionTimeMs": 3}});
    insta::assert_snapshot!(all_heard(Harness::Cline, &[
        ("TaskStart", json!({"taskId": "c1", "taskStart": {}})),
        ("TaskResume", json!({"taskId": "c1"})),
        ("UserPromptSubmit", json!({"taskId": "c1", "userPromptSubmit": {"prompt": "mend it"}})),
        ("PreToolUse", call),
        ("PreToolUse", older),
        ("PostToolUse", answered),
        ("PreCompact", json!({"taskId": "c1"})),
        ("TaskComplete", json!({"taskId": "c1", "turn": {"outputText": "done"}})),
        ("TaskCancel", json!({"taskId": "c1"})),
        ("SessionShutdown", json!({"taskId": "c1"})),
    ]), @r#"
    TaskStart: Begin { remembers: true } in `c1`: session_start
    TaskResume: Begin { remembers: true } in `c1`: session_start
    UserPromptSubmit: Prompt in `c1`: query_start "mend it"; turn_start
    PreToolUse: Gate in `c1`: pre_tool_call run_commands {"command":"ls"}
    PreToolUse: Gate in `c1`: pre_tool_call execute_command {"command":"ls"}
    PostToolUse: Result in `c1`: post_tool_response run_commands {"command":"ls"} -> success [{"query":"ls","result":"a\n","success":true}]
    PreCompact: Compacting in `c1`: pre_compact
    TaskComplete: TurnEnd in `c1`: turn_end
    TaskCancel: End in `c1`: session_end
    SessionShutdown: End in `c1`: session_end
    "#);
}

#[test]
fn plugins_are_heard() {
    insta::assert_snapshot!(all_heard(Harness::Opencode, &[
        ("session.created", json!({"input": {"sessionID": "s1"}})),
        ("chat.message", json!({"input": {"sessionID": "s1"}, "output": {"parts": [{"type": "text", "text": "mend it"}]}})),
        ("experimental.chat.system.transform", json!({"input": {"sessionID": "s1"}})),
        ("tool.execute.before", json!({"input": {"tool": "bash", "sessionID": "s1", "callID": "t1"}, "output": {"args": {"command": "ls"}}})),
        ("tool.execute.after", json!({"input": {"tool": "bash", "sessionID": "s1", "args": {"command": "ls"}}, "output": {"output": "a\n", "metadata": {"exit": 1}}})),
        ("experimental.session.compacting", json!({"input": {"sessionID": "s1"}})),
        ("session.idle", json!({"input": {"sessionID": "s1"}})),
        ("permission.asked", json!({"input": {"sessionID": "s1"}})),
    ]), @r#"
    session.created: Begin { remembers: true } in `s1`: session_start
    chat.message: Prompt in `s1`: query_start "mend it"; turn_start
    experimental.chat.system.transform: Compacted in `s1`: 
    tool.execute.before: Gate in `s1`: pre_tool_call bash {"command":"ls"}
    tool.execute.after: Result in `s1`: post_tool_response bash {"command":"ls"} -> error "a\n"
    experimental.session.compacting: Compacting in `s1`: pre_compact
    session.idle: TurnEnd in `s1`: turn_end
    permission.asked: Other in `s1`:
    "#);
    insta::assert_snapshot!(all_heard(Harness::Openclaw, &[
        ("session_start", json!({"event": {}, "ctx": {"sessionId": "s1"}})),
        ("before_prompt_build", json!({"event": {"prompt": "mend it"}, "ctx": {"sessionId": "s1"}})),
        ("before_tool_call", json!({"event": {"toolName": "exec", "params": {"command": "ls"}, "toolCallId": "t1"}, "ctx": {"sessionId": "s1"}})),
        ("tool_result", json!({"event": {"toolName": "exec", "message": {"content": [{"type": "text", "text": "a"}], "isError": true}}, "ctx": {"sessionId": "s1"}})),
        ("agent_end", json!({"event": {}, "ctx": {"sessionId": "s1"}})),
        ("llm_input", json!({"event": {}, "ctx": {"sessionId": "s1"}})),
    ]), @r#"
    session_start: Begin { remembers: true } in `s1`: session_start
    before_prompt_build: Prompt in `s1`: query_start "mend it"; turn_start
    before_tool_call: Gate in `s1`: pre_tool_call exec {"command":"ls"}
    tool_result: Result in `s1`: post_tool_response exec null -> error "a"
    agent_end: TurnEnd in `s1`: turn_end
    llm_input: Other in `s1`:
    "#);
    insta::assert_snapshot!(all_heard(Harness::Pi, &[
        ("session_start", json!({"event": {"reason": "startup"}, "session": "s1"})),
        ("before_agent_start", json!({"event": {"prompt": "mend it"}, "session": "s1"})),
        ("tool_call", json!({"event": {"toolName": "bash", "input": {"command": "ls"}, "toolCallId": "t1"}, "session": "s1"})),
        ("tool_result", json!({"event": {"toolName": "bash", "input": {}, "content": [{"type": "text", "text": "a"}]}, "session": "s1"})),
        ("context", json!({"event": {"turn": 2, "usage": {"context_tokens": 9}}, "session": "s1"})),
        ("message_end", json!({"event": {"message": {"role": "assistant", "content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "I look"}]}}, "session": "s1"})),
        ("message_end", json!({"event": {"message": {"role": "toolResult", "content": "x"}}, "session": "s1"})),
        ("session_before_compact", json!({"event": {"preparation": {"tokensBefore": 900}}, "session": "s1"})),
        ("turn_end", json!({"event": {}, "session": "s1"})),
    ]), @r#"
    session_start: Begin { remembers: true } in `s1`, asks: session_start
    before_agent_start: Prompt in `s1`, asks: query_start "mend it"
    tool_call: Gate in `s1`, asks: pre_tool_call bash {"command":"ls"}
    tool_result: Result in `s1`, asks: post_tool_response bash {} -> success "a"
    context: Turn in `s1`, asks: turn_start
    message_end: Turn in `s1`, asks: message_appended "I look"
    message_end: Other in `s1`, asks: 
    session_before_compact: Compacting in `s1`, asks: pre_compact
    turn_end: TurnEnd in `s1`, asks: turn_end
    "#);
}

#[test]
fn cline_takes_commands_as_a_list() {
    for (told, changed, expected) in [
        (json!({"commands": ["ls", "mail a@b.c"]}), "ls\nmail [EMAIL]", json!(["ls", "mail [EMAIL]"])),
        (
            json!({"commands": ["cat <<E\na@b.c\nE", "ls"]}),
            "cat <<E\n[EMAIL]\nE\nls",
            json!(["cat <<E\n[EMAIL]\nE\nls"]),
        ),
    ] {
        let call = json!({"taskId": "c1", "tool_call": {"name": "run_commands", "input": told}});
        let payload = Payload::read(call.to_string().as_bytes()).unwrap();
        let heard = hear(Harness::Cline, "PreToolUse", &payload);
        let changed = Verdict { args: Some(json!({"command": changed})), ..verdict(Effect::Redact) };
        let reply = reply(&heard, "PreToolUse", &answer(changed));
        let value: Value = serde_json::from_str(&reply.stdout).unwrap();
        assert_eq!(value["overrideInput"], json!({"commands": expected}));
    }
    // Lists of anything else stay as they are.
    let odd = json!({"commands": [{"command": "ls", "args": []}]});
    let call = json!({"tool_call": {"name": "run_commands", "input": odd}});
    let payload = Payload::read(call.to_string().as_bytes()).unwrap();
    assert_eq!(hear(Harness::Cline, "PreToolUse", &payload).call.events[0].tool.as_ref().unwrap().args, odd);
}

#[test]
fn cline_is_heard_and_answered_in_the_words_of_older_versions() {
    for (parameters, changed, expected) in [
        (
            json!({"commands": "[\"ls\",\"mail a@b.c\"]"}),
            json!({"command": "ls\nmail [EMAIL]"}),
            json!({"commands": "[\"ls\",\"mail [EMAIL]\"]"}),
        ),
        (
            json!({"commands": "mail a@b.c"}),
            json!({"command": "mail [EMAIL]"}),
            json!({"commands": "mail [EMAIL]"}),
        ),
    ] {
        let call =
            json!({"taskId": "q", "preToolUse": {"toolName": "run_commands", "parameters": parameters}});
        let payload = Payload::read(call.to_string().as_bytes()).unwrap();
        let heard = hear(Harness::Cline, "PreToolUse", &payload);
        let told = heard.call.events[0].tool.as_ref().unwrap().args["command"].as_str().unwrap();
        assert!(told.ends_with("mail a@b.c") && !told.contains('['), "{told}");
        let changed = Verdict { args: Some(changed), ..verdict(Effect::Redact) };
        let reply = reply(&heard, "PreToolUse", &answer(changed));
        let value: Value = serde_json::from_str(&reply.stdout).unwrap();
        assert_eq!(value["overrideInput"], expected);
    }
}

#[test]
fn tools_of_servers_have_one_name() {
    let gemini = |more: Value| {
        let mut call = json!({"session_id": "s", "tool_name": "mcp_fs_write_note", "tool_input": {}});
        call.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        call
    };
    let opencode = |tool: &str, servers: Value| json!({"input": {"tool": tool, "sessionID": "s"}, "output": {"args": {}}, "servers": servers});
    for (harness, event, call, name) in [
        (
            Harness::ClaudeCode,
            "PreToolUse",
            json!({"tool_name": "mcp__fs__write_note"}),
            "mcp__fs__write_note",
        ),
        (Harness::Codex, "PreToolUse", json!({"tool_name": "mcp__fs__write_note"}), "mcp__fs__write_note"),
        (Harness::Gemini, "BeforeTool", gemini(json!({})), "mcp__fs__write_note"),
        (Harness::Gemini, "AfterTool", gemini(json!({})), "mcp__fs__write_note"),
        (
            Harness::Gemini,
            "BeforeTool",
            gemini(json!({"mcp_context": {"server_name": "fs_write", "tool_name": "note"}})),
            "mcp__fs_write__note",
        ),
        (Harness::Gemini, "BeforeTool", json!({"tool_name": "fs__write_note"}), "mcp__fs__write_note"),
        (Harness::Gemini, "BeforeTool", json!({"tool_name": "write_file"}), "write_file"),
        (
            Harness::Opencode,
            "tool.execute.before",
            opencode("fs_write_note", json!(["fs"])),
            "mcp__fs__write_note",
        ),
        (
            Harness::Opencode,
            "tool.execute.after",
            opencode("fs_write_note", json!(["fs"])),
            "mcp__fs__write_note",
        ),
        (Harness::Opencode, "tool.execute.before", opencode("fs_write_note", json!([])), "fs_write_note"),
        (
            Harness::Openclaw,
            "before_tool_call",
            json!({"event": {"toolName": "fs__write_note"}}),
            "mcp__fs__write_note",
        ),
        (
            Harness::Cline,
            "PreToolUse",
            json!({"tool_call": {"name": "fs__write_note", "input": {}}}),
            "mcp__fs__write_note",
        ),
        (Harness::Pi, "tool_call", json!({"event": {"toolName": "fs_write_note"}}), "fs_write_note"),
    ] {
        let payload = Payload::read(call.to_string().as_bytes()).unwrap();
        assert_eq!(hear(harness, event, &payload).call.events[0].tool_name(), name, "{call}");
    }
}

#[test]
fn opencode_is_heard_where_a_server_answers() {
    let text = json!({"type": "text", "text": "4711"});
    for (output, told) in [
        (json!({"title": "", "output": "4711"}), json!("4711")),
        (json!({"content": [text], "isError": false}), json!("4711")),
        (json!({"content": [text, text]}), json!([text, text])),
        (
            json!({"content": [text], "structuredContent": 1}),
            json!({"content": [text], "structuredContent": 1}),
        ),
        (json!({"content": "4711"}), json!("4711")),
        (json!({}), json!(null)),
    ] {
        let call = json!({"input": {"tool": "x", "sessionID": "s"}, "output": output});
        let payload = Payload::read(call.to_string().as_bytes()).unwrap();
        let heard = hear(Harness::Opencode, "tool.execute.after", &payload);
        assert_eq!(heard.call.events[0].result.as_ref().unwrap().value, told, "{output}");
    }
}

#[test]
fn odd_payloads_are_refused_or_passed_over() {
    for text in ["", "  \n", "{}", r#"{"tool_input": [1, 2], "session_id": 7, "tool_name": {"a": 1}}"#] {
        let payload = Payload::read(text.as_bytes()).unwrap();
        for (harness, gate, result, prompt) in GATES {
            for event in [gate, result, prompt] {
                hear(*harness, event, &payload);
            }
        }
    }
    for text in ["[]", "1", "\"x\"", "{\"a\":", "\u{0}", "{'a': 1}"] {
        assert!(Payload::read(text.as_bytes()).is_err(), "{text}");
    }
    assert!(Payload::read(b"{\"a\": \"\xff\"}").is_err());
    let deep = "[".repeat(100_000);
    assert!(Payload::read(format!("{{\"a\": {deep}").as_bytes()).is_err());
}
