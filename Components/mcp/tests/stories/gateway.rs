//! Stories of the gateway: what goes through, what does not, and how calls end.

use std::time::Duration;

use mentci_mcp::{GatewayOptions, ServeError};
use serde_json::{Value, json};

use crate::gate::Play;

type Tested = Result<(), Box<dyn std::error::Error>>;

fn sentence(message: &Value) -> String {
    assert_eq!(message["result"]["isError"], true, "{message}");
    message["result"]["content"][0]["text"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_call_goes_through_byte_for_byte() -> Tested {
    let mut play = Play::begun(json!({})).await;
    for line in [
        r#"{"jsonrpc":"2.0","method":"notifications/initialized","z":1.50,"a":[1e3]}"#,
        r#"{"id":1,"jsonrpc":"2.0","method":"resources/read","params":{"uri":"x://\u00e9","future":{"b":12345678901234567890123}}}"#,
        r#"{"jsonrpc":"2.0","id":"s","method":"never/heard/of","params":[1,2]}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}"#,
        r#"{"jsonrpc":"2.0","id":77,"result":{"roots":[]}}"#,
    ] {
        play.client.say(line).await;
        assert_eq!(play.server.line().await, line);
    }
    for line in [
        r#"{"jsonrpc":"2.0","id":1,"result":{"contents":[],"more":12345678901234567890123}}"#,
        r#"{"error":{"code":-32601,"message":"no"},"id":"s","jsonrpc":"2.0"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"messages":[]}}"#,
        r#"{"jsonrpc":"2.0","id":2,"method":"elicitation/create","params":{}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1.0}}"#,
    ] {
        play.server.say(line).await;
        assert_eq!(play.client.line().await, line);
    }
    assert!(play.rules.told().is_empty());
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_is_let_through_is_as_it_was() {
    let mut play = Play::begun(json!({})).await;
    let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"n":1.0},"x":true}}"#;
    play.client.say(call).await;
    assert_eq!(play.server.line().await, call);
    let answer = r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"1"},{"type":"odd","y":1.0}],"_meta":{}}}"#;
    play.server.say(answer).await;
    assert_eq!(play.client.line().await, answer);
    assert_eq!(play.rules.told(), ["pre mcp__up__echo", "post mcp__up__echo success"]);
    let event = play.rules.last();
    assert_eq!((&event.facts["server"], &event.facts["server_tool"]), (&json!("up"), &json!("echo")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_blocked_call_never_reaches_the_server() {
    let mut play = Play::begun(json!({})).await;
    play.call(1, "danger", json!({})).await;
    insta::assert_snapshot!(sentence(&play.client.hear().await), @r"
    `danger` did not run: it is blocked by house (own.yaml:3:5): never
    help: do not make this call again as it is; do what the reason asks for, or go on without it and tell the user
    ");
    play.call(2, "ask", json!({})).await;
    insta::assert_snapshot!(sentence(&play.client.hear().await), @r"
    `ask` did not run: it waits for approval by house (own.yaml:3:5): a person says so
    help: tell the user that `policy-engine approvals grant a1b2` allows this very call, then make the same call again; do not work around it
    ");
    play.call(3, "panic", json!({})).await;
    insta::assert_snapshot!(sentence(&play.client.hear().await), @r"
    `panic` did not run: nothing could be decided about it (the policy engine failed by a defect)
    help: tell the user to run `policy-engine doctor`; do not work around it
    ");
    play.call(4, "odd", json!({})).await;
    insta::assert_snapshot!(sentence(&play.client.hear().await), @r"
    `odd` did not run: nothing could be decided about it (the log is locked)
    help: tell the user to run `policy-engine doctor`; do not work around it
    ");
    play.client.say(r#"{"jsonrpc":"2.0","method":"notifications/x"}"#).await;
    assert_eq!(play.server.hear().await["method"], "notifications/x", "and nothing before it");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_without_an_id_never_reaches_the_server() {
    let mut play = Play::begun(json!({})).await;
    let told = "a `tools/call` has an `id`, which is a text or a number: it did not run";
    let null = "this is no message: the `id` of a request is a text or a number";
    let call = r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"echo"}}"#;
    let with_null = r#"{"jsonrpc":"2.0","id":null,"method":"tools/call","params":{"name":"echo"}}"#;
    for (line, why) in [
        (call.to_owned(), vec![told]),
        (call.replace("tools/", r"tools\/"), vec![told]),
        (with_null.to_owned(), vec![null]),
        (format!("[{call}, {with_null}]"), vec![told, null]),
    ] {
        play.client.say(&line).await;
        for why in why {
            let error = json!({"code": -32600, "message": why});
            assert_eq!(play.client.hear().await, json!({"jsonrpc": "2.0", "id": null, "error": error}));
        }
    }
    play.client.say(r#"[{"jsonrpc":"2.0","method":"notifications/x"}]"#).await;
    assert_eq!(play.server.hear().await["method"], "notifications/x", "and nothing before it");
    assert!(play.rules.told().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn arguments_results_and_warnings_are_what_the_policy_makes_of_them() {
    let mut play = Play::begun(json!({})).await;
    play.call(1, "changed", json!({"to": "ann@example.org"})).await;
    let heard = play.server.hear().await;
    assert_eq!(heard["params"]["arguments"], json!({"to": "[EMAIL]"}));
    assert_eq!(heard["params"]["_meta"], json!({"progressToken": 1}));
    play.server.say(r#"{"jsonrpc":"2.0","id":1,"result":{"content":[]}}"#).await;
    play.client.hear().await;
    assert_eq!(play.round(2, "masked", "4711").await["content"][0]["text"], "[MASKED]");
    assert_eq!(
        play.round(3, "echo", "key AKIAIOSFODNN7EXAMPLA").await["content"][0]["text"],
        "key [AWS_KEY]"
    );
    let warned = play.round(4, "mild", "done").await;
    insta::assert_snapshot!(warned["content"][1]["text"].as_str().unwrap(), @r"
    Notes of the policy engine:
    - [warning] be careful (rule house)
    ");
    let withheld = play.round(5, "secret", "x").await;
    insta::assert_snapshot!(withheld["content"][0]["text"].as_str().unwrap(), @r"
    `secret` ran, and its answer is withheld by house (own.yaml:3:5): not for you
    help: do not make this call again to see it; go on without it and tell the user
    ");
}

/// An error of the protocol is an answer that the agent reads: rules hold for it as for any other.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_call_fails_with_is_what_the_policy_makes_of_it() {
    let mut play = Play::begun(json!({})).await;
    let error = json!({"code": -1, "message": "the code is 4711", "data": {"code": 4711}});
    for (id, tool, told) in [
        (1, "plain", json!({"error": error})),
        (2, "masked", json!({"error": {"code": -1, "message": "[MASKED]"}})),
    ] {
        play.call(id, tool, json!({})).await;
        play.server.hear().await;
        play.server.say(&json!({"jsonrpc": "2.0", "id": id, "error": error}).to_string()).await;
        let heard = play.client.hear().await;
        assert_eq!(heard["error"], told["error"], "{tool}");
    }
    play.call(3, "secret", json!({})).await;
    play.server.hear().await;
    play.server.say(&json!({"jsonrpc": "2.0", "id": 3, "error": error}).to_string()).await;
    let heard = play.client.hear().await;
    assert!(!heard.to_string().contains("4711") && sentence(&heard).contains("not for you"), "{heard}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_is_asked_where_the_client_can_ask() {
    let mut play = Play::begun(json!({"elicitation": {}})).await;
    play.call(1, "ask", json!({"x": 1})).await;
    let asked = play.client.hear().await;
    assert_eq!(asked["method"], "elicitation/create");
    insta::assert_snapshot!(asked["params"]["message"].as_str().unwrap(), @r#"May the agent call `ask` with {"x":1}? Approval is needed by house (own.yaml:3:5): a person says so"#);
    let answer = json!({"action": "accept", "content": {"allow": true}});
    play.client.say(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": answer}).to_string()).await;
    let heard = play.server.hear().await;
    assert_eq!((&heard["id"], &heard["params"]["name"]), (&json!(1), &json!("ask")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_who_does_not_answer_has_not_allowed_it() {
    for answer in [
        json!({"result": {"action": "cancel"}}),
        json!({"result": {"action": "decline"}}),
        json!({"result": {"action": "accept", "content": {"allow": false}}}),
        json!({"error": {"code": -32601, "message": "no"}}),
    ] {
        let mut play = Play::begun(json!({"elicitation": {"form": {}}})).await;
        play.call(1, "ask", json!({})).await;
        let mut message = answer;
        message["id"] = play.client.hear().await["id"].clone();
        play.client.say(&message.to_string()).await;
        assert!(sentence(&play.client.hear().await).contains("did not run"), "{message}");
        // A call that is given up while a person is asked was never the server's.
        play.call(2, "ask", json!({})).await;
        play.client.hear().await;
        play.client
            .say(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}"#)
            .await;
        play.client.say(r#"{"jsonrpc":"2.0","method":"notifications/x"}"#).await;
        assert_eq!(play.server.hear().await["method"], "notifications/x");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_breaks_its_schema_is_an_error() {
    let mut play = Play::begun(json!({})).await;
    play.client.say(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#).await;
    play.server.hear().await;
    let schema = json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]});
    let listed = json!({"tools": [{"name": "count", "outputSchema": schema, "odd": 1}]});
    play.server.say(&json!({"jsonrpc": "2.0", "id": 1, "result": listed}).to_string()).await;
    let tools = play.client.hear().await["result"]["tools"].clone();
    assert_eq!((&tools[0]["odd"], &tools[1]["name"]), (&json!(1), &json!("mentci_get_artifact")));
    for (id, result) in [
        (2, json!({"content": [], "structuredContent": {"n": 3}})),
        (3, json!({"content": [], "structuredContent": {"n": "x"}})),
        (4, json!({"content": []})),
    ] {
        play.call(id, "count", json!({})).await;
        play.server.hear().await;
        play.server.say(&json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string()).await;
        let told = play.client.hear().await;
        if id == 2 {
            assert_eq!(told["result"], result);
        } else if id == 3 {
            insta::assert_snapshot!(sentence(&told), @r#"
            `count` answered, but it is not what its `outputSchema` says: value is not of type "integer" at `/n`
            help: do not rely on the answer below; tell the user that the server breaks its schema
            "#);
            assert!(told["result"].get("structuredContent").is_none());
        } else {
            insta::assert_snapshot!(sentence(&told), @r"
            `count` answered, but it has no structured content, and its `outputSchema` wants some
            help: do not rely on the answer below; tell the user that the server breaks its schema
            ");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_call_has_one_end() {
    let options = GatewayOptions { timeout: Duration::from_millis(300), ..GatewayOptions::default() };
    let mut play = Play::begun_with(options, json!({})).await;
    // It takes too long.
    play.call(1, "slow", json!({})).await;
    play.server.hear().await;
    insta::assert_snapshot!(sentence(&play.client.hear().await), @r"
    `slow` gave no answer: the server gave no sign for 300 ms and was asked to give the call up
    help: it may have done its work; look before you call it again
    ");
    let cancelled = play.server.hear().await;
    assert_eq!(
        (&cancelled["method"], &cancelled["params"]["requestId"]),
        (&json!("notifications/cancelled"), &json!(1))
    );
    // What comes too late, twice, or for nobody is left out.
    let answer = |id: &str| format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[]}}}}"#);
    for id in ["1", "1", "99", "\"1\""] {
        play.server.say(&answer(id)).await;
    }
    // The client gives it up.
    play.call(2, "given-up", json!({})).await;
    play.server.hear().await;
    let given_up =
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2,"reason":"r"}}"#;
    play.client.say(given_up).await;
    assert_eq!(play.server.line().await, given_up);
    play.server.say(&answer("2")).await;
    // The server says that it fails, and the protocol's error.
    play.call(3, "fails", json!({})).await;
    play.server.hear().await;
    play.server
        .say(r#"{"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"password=hunter2secret"}}"#)
        .await;
    let failed = play.client.hear().await;
    assert_eq!((&failed["id"], &failed["error"]["code"]), (&json!(3), &json!(-32602)));
    assert!(!failed.to_string().contains("hunter2"), "{failed}");
    // The server dies.
    play.call(4, "dies", json!({})).await;
    play.server.hear().await;
    play.client.say(r#"{"jsonrpc":"2.0","id":5,"method":"ping"}"#).await;
    play.server.hear().await;
    let Play { rules, mut client, server, serving, .. } = play;
    drop(server);
    let (one, other) = (client.hear().await, client.hear().await);
    insta::assert_snapshot!(sentence(&one), @r"
    `dies` gave no answer: the server ended before it answered (the connection was closed)
    help: it may have done its work; look before you call it again, and tell the user if the server stays away
    ");
    assert_eq!(other["error"]["message"], "the server ended before it answered (the connection was closed)");
    assert!(matches!(serving.await.unwrap(), Err(ServeError::UpstreamEnded(_))));
    assert_eq!(
        rules.told(),
        [
            "pre mcp__up__slow",
            "post mcp__up__slow timeout",
            "pre mcp__up__given-up",
            "post mcp__up__given-up cancelled",
            "pre mcp__up__fails",
            "post mcp__up__fails error",
            "pre mcp__up__dies",
            "post mcp__up__dies error",
        ]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn progress_keeps_a_call_alive() {
    let options = GatewayOptions { timeout: Duration::from_millis(600), ..GatewayOptions::default() };
    let mut play = Play::begun_with(options, json!({})).await;
    play.call(1, "long", json!({})).await;
    play.server.hear().await;
    for _ in 0..4 {
        tokio::time::sleep(Duration::from_millis(250)).await;
        let progress = r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}"#;
        play.server.say(progress).await;
        assert_eq!(play.client.line().await, progress);
    }
    play.server.say(r#"{"jsonrpc":"2.0","id":1,"result":{"content":[]}}"#).await;
    assert_eq!(play.client.hear().await["result"], json!({"content": []}));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_leaves_gives_up_its_calls() {
    let mut play = Play::begun(json!({})).await;
    play.call(1, "echo", json!({})).await;
    play.server.hear().await;
    play.client.leave().await;
    assert!(play.server.is_over().await, "the server is told by the end of its input");
    let Play { rules, server, serving, .. } = play;
    drop(server);
    serving.await.unwrap().unwrap();
    assert_eq!(rules.told().len(), 2, "{:?}", rules.told());
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_lines_are_answered_or_left_out() {
    let mut play = Play::begun(json!({})).await;
    let twice = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","name":"danger"}}"#;
    let other = r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","Arguments":{}}}"#;
    let hidden = r#"{"jsonrpc":"2.0","id":3,"method":"ping","method":"tools/call"}"#;
    let mut told = String::new();
    for line in
        ["garbage", "{}", "3", twice, other, hidden, r#"{"jsonrpc":"2.0","id":4,"method":"tools/call"}"#]
    {
        play.client.say(line).await;
        told.push_str(&play.client.line().await);
        told.push('\n');
    }
    insta::assert_snapshot!(told, @r#"
    {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"this line is not JSON: expected value at line 1 column 1"}}
    {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"this is no message: it has neither `method` nor `result` nor `error`"}}
    {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"this is no message: invalid type: integer `3`, expected a message, which is an object at line 1 column 1"}}
    {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"the key `name` stands twice at line 1 column 76"}}
    {"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"`Arguments` is written otherwise than `arguments`"}}
    {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"this is no message: the key `method` stands twice at line 1 column 62"}}
    {"jsonrpc":"2.0","id":4,"error":{"code":-32602,"message":"`params` is no object"}}
    "#);
    // A batch, which older clients send: each for itself.
    play.client.say(r#"[{"jsonrpc":"2.0","id":5,"method":"ping"},{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"danger"}}]"#).await;
    assert_eq!(play.server.hear().await["method"], "ping");
    assert!(sentence(&play.client.hear().await).contains("blocked"));
    // An id that is in use.
    play.client.say(r#"{"jsonrpc":"2.0","id":5,"method":"ping"}"#).await;
    assert_eq!(play.client.hear().await["error"]["code"], -32600);
    // The server's garbage does not reach the client.
    play.server.say("Server started on port 3000").await;
    play.server.say(r#"{"jsonrpc":"2.0","id":5,"result":{}}"#).await;
    assert_eq!(play.client.hear().await["id"], 5);
}
