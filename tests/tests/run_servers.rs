//! `policy-engine run` with tools of real MCP servers: the reference server from npm, and one that dies in a call.

use insta::assert_snapshot;
use mentci_tests::{Scratch, clients};

/// What a run of these answers leaves behind the question.
fn transcript(tools: &str, answers: &str) -> String {
    let document = format!("<config model=\"script:answers.json\"/>\n{tools}\n<user>\nGo on.\n</user>\n");
    let scratch = Scratch::new(&[("session.chatmd", &document), ("answers.json", answers)]);
    scratch.must(&["run", "session.chatmd"]);
    let written = scratch.read("session.chatmd");
    written.strip_prefix(&document).expect("what stood there stands").to_owned()
}

#[test]
fn the_reference_server_brings_tools_and_rules_hold_over_them() {
    let server = clients::everything();
    let tools = format!(
        "<tool mcp_server=\"stdio:{} {}\" include=\"echo,get-sum\"/>\n<policy><tool name=\"get-sum\"><quota \
         per_session=\"1\"/></tool></policy>",
        clients::node().display(),
        server.display()
    );
    assert_snapshot!(transcript(&tools, r#"{"format": 1, "steps": [
        {"text": "First.", "calls": [
            {"name": "echo", "args": {"message": "how far"}}, {"name": "get-sum", "args": {"a": 2, "b": 40}}
        ]},
        {"text": "Again.", "calls": [{"name": "get-sum", "args": {"a": 1, "b": 1}}, {"name": "get-env", "args": {}}]},
        {"expect": ["The sum of 2 and 40 is 42."], "text": "Done."}
    ]}"#), @r#"
    <assistant>
    First.
    </assistant>
    <tool_call id="call_1_1" name="echo">
    {"message":"how far"}
    </tool_call>
    <tool_call id="call_1_2" name="get-sum">
    {"a":2,"b":40}
    </tool_call>
    <tool_response id="call_1_1" name="echo" status="success">
    Echo: how far
    </tool_response>
    <tool_response id="call_1_2" name="get-sum" status="success">
    The sum of 2 and 40 is 42.
    </tool_response>
    <assistant>
    Again.
    </assistant>
    <tool_call id="call_2_1" name="get-sum">
    {"a":1,"b":1}
    </tool_call>
    <tool_call id="call_2_2" name="get-env">
    {}
    </tool_call>
    <tool_response id="call_2_1" name="get-sum" status="error" denied="policy" via_rule="get-sum/quota">
    `get-sum` may be called at most 1 time a session
    </tool_response>
    <tool_response id="call_2_2" name="get-env" status="error">
    there is no tool `get-env`
    the tools are `echo`, `get-sum`
    </tool_response>
    <assistant>
    Done.
    </assistant>
    "#);
}

/// Answers `say`; a last word is not said, because it ends in the middle of the call.
const DYING: &str = r#"
import json, os, sys

TOOL = {"name": "say", "description": "Says it.", "inputSchema": {"type": "object"}}
for line in sys.stdin:
    asked = json.loads(line)
    method, params = asked.get("method"), asked.get("params", {})
    if method == "initialize":
        who = {"name": "dying", "version": "1"}
        result = {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": who}
    elif method == "tools/list":
        result = {"tools": [TOOL]}
    elif method == "tools/call":
        if params["arguments"].get("last"):
            os._exit(3)
        result = {"content": [{"type": "text", "text": "said " + params["arguments"]["text"]}]}
    else:
        continue
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}), flush=True)
"#;

#[test]
fn a_server_that_dies_fails_its_call_and_is_reached_once_more() {
    let folder = Scratch::new(&[("dying.py", DYING)]);
    let server = folder.path("dying.py");
    let tools = format!("<tool mcp_server=\"stdio:{} {}\"/>", clients::python().display(), server.display());
    assert_snapshot!(transcript(&tools, r#"{"format": 1, "steps": [
        {"calls": [{"name": "say", "args": {"text": "one"}}]},
        {"calls": [{"name": "say", "args": {"text": "two", "last": true}}]},
        {"calls": [{"name": "say", "args": {"text": "three"}}]},
        {"text": "Done."}
    ]}"#), @r#"
    <tool_call id="call_1_1" name="say">
    {"text":"one"}
    </tool_call>
    <tool_response id="call_1_1" name="say" status="success">
    said one
    </tool_response>
    <tool_call id="call_2_1" name="say">
    {"last":true,"text":"two"}
    </tool_call>
    <tool_response id="call_2_1" name="say" status="error">
    the server ended before it answered
    </tool_response>
    <tool_call id="call_3_1" name="say">
    {"text":"three"}
    </tool_call>
    <tool_response id="call_3_1" name="say" status="success">
    said three
    </tool_response>
    <assistant>
    Done.
    </assistant>
    "#);
}
