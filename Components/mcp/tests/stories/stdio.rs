use insta::assert_snapshot;
use mentci_mcp::ServeError;
use serde_json::json;

use crate::wire::Wire;

#[tokio::test]
async fn a_client_that_leaves_ends_the_server() {
    assert!(Wire::begin().await.leave().await.is_ok());
    assert!(Wire::silent().leave().await.is_ok(), "before it said anything");
}

#[tokio::test]
async fn the_stop_signal_ends_the_server() {
    let mut wire = Wire::begin().await;
    wire.stop.take().unwrap().stop();
    assert!(wire.end().await.is_ok());
    let mut wire = Wire::silent();
    wire.stop.take().unwrap().stop();
    assert!(wire.end().await.is_ok(), "before anybody said anything");
}

#[tokio::test]
async fn lines_that_are_no_messages_harm_nothing() {
    let mut wire = Wire::begin().await;
    for line in ["", "hello", "{", "[[[[[[[[", "{\"jsonrpc\":\"2.0\"}", "{\"a\":\u{7}}", "null"] {
        wire.say(line).await;
    }
    assert!(wire.words("get_absolute_rules", json!({})).await.contains("rust-1"));
}

#[tokio::test]
async fn a_client_that_does_not_introduce_itself_is_refused() {
    let mut wire = Wire::silent();
    let answer = wire.ask("tools/list", json!({})).await;
    assert!(answer["error"].is_object(), "{answer}");
    let ended = wire.leave().await;
    assert!(matches!(ended, Ok(()) | Err(ServeError::Handshake(_))), "{ended:?}");
}

#[tokio::test]
async fn a_line_that_is_no_json_is_answered_and_the_talk_goes_on() {
    let mut wire = Wire::begin().await;
    for line in ["hello", "{\"jsonrpc\": oops", &"[".repeat(10_000)] {
        wire.say(line).await;
        let answer = wire.hear().await;
        assert_eq!(answer["error"]["code"], -32700, "{answer}");
        assert_eq!(answer["id"], serde_json::Value::Null);
    }
    wire.say("").await;
    assert!(wire.ask("ping", serde_json::json!({})).await["result"].is_object());
    wire.leave().await.unwrap();
}

#[tokio::test]
async fn whoever_asks_hears_of_it_by_its_id_as_far_as_that_is_legible() {
    let mut wire = Wire::begin().await;
    let mut told = String::new();
    for line in [
        r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":[1]}"#,
        r#"{"jsonrpc":"2.0","id":"four","method":"tools/list","params":"all"}"#,
        r#"{"jsonrpc":"2.0","id":5,"method":"tools/list","params":{"_meta":7}}"#,
        r#"{"id":6,"method":"ping"}"#,
        r#"{"jsonrpc":"1.0","id":7,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":8}"#,
        r#"{"jsonrpc":"2.0","id":9,"method":9}"#,
        r#"{"jsonrpc":"2.0","id":10,"method":"ping","result":{}}"#,
        r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":[1],"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","method":1}"#,
        "{}",
        "null",
        "42",
    ] {
        wire.say(line).await;
        told.push_str(&format!("{}\n", wire.hear().await));
    }
    assert_snapshot!(told, @r#"
    {"error":{"code":-32602,"message":"nothing was done: `params` must be an object, not a list"},"id":3,"jsonrpc":"2.0"}
    {"error":{"code":-32602,"message":"nothing was done: `params` must be an object, not text"},"id":"four","jsonrpc":"2.0"}
    {"error":{"code":-32602,"message":"nothing was done: `_meta` in `params` must be an object, not a number"},"id":5,"jsonrpc":"2.0"}
    {"error":{"code":-32600,"message":"nothing was done: a message says `\"jsonrpc\": \"2.0\"`"},"id":6,"jsonrpc":"2.0"}
    {"error":{"code":-32600,"message":"nothing was done: a message says `\"jsonrpc\": \"2.0\"`"},"id":7,"jsonrpc":"2.0"}
    {"error":{"code":-32600,"message":"nothing was done: a request has a `method`"},"id":8,"jsonrpc":"2.0"}
    {"error":{"code":-32600,"message":"nothing was done: `method` must be text, not a number"},"id":9,"jsonrpc":"2.0"}
    {"error":{"code":-32600,"message":"nothing was done: a request has neither `result` nor `error`"},"id":10,"jsonrpc":"2.0"}
    {"error":{"code":-32600,"message":"nothing was done: `id` must be text or a whole number of 64 bits, not 1.5"},"id":1.5,"jsonrpc":"2.0"}
    {"error":{"code":-32600,"message":"nothing was done: `id` must be text or a whole number, not null"},"id":null,"jsonrpc":"2.0"}
    {"error":{"code":-32600,"message":"nothing was done: `id` must be text or a whole number, not a list"},"id":null,"jsonrpc":"2.0"}
    {"error":{"code":-32600,"message":"nothing was done: `method` must be text, not a number"},"id":null,"jsonrpc":"2.0"}
    {"error":{"code":-32600,"message":"nothing was done: a message says `\"jsonrpc\": \"2.0\"`"},"id":null,"jsonrpc":"2.0"}
    {"error":{"code":-32600,"message":"nothing was done: a message is an object, not null"},"id":null,"jsonrpc":"2.0"}
    {"error":{"code":-32600,"message":"nothing was done: a message is an object, not a number"},"id":null,"jsonrpc":"2.0"}
    "#);
    assert!(wire.ask("ping", json!({})).await["result"].is_object());
}

#[tokio::test]
async fn a_client_that_introduces_itself_badly_is_told_how_and_may_try_again() {
    let mut wire = Wire::silent();
    let answer = wire.ask("initialize", json!({"protocolVersion": 1, "capabilities": {}})).await;
    assert_snapshot!(answer["error"], @r#"{"code":-32602,"message":"nothing was done: `protocolVersion` must be text, not a number; `clientInfo` is missing\n  help: send `initialize` again with `protocolVersion`, `capabilities` and `clientInfo` with its `name` and `version`"}"#);
    let me = json!({"name": "teacher", "version": "1"});
    let well = json!({"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": me});
    assert_eq!(wire.ask("initialize", well).await["result"]["protocolVersion"], "2025-03-26");
}

#[tokio::test]
async fn what_nobody_waits_for_is_not_answered() {
    let mut wire = Wire::begin().await;
    for line in [
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":[1]}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/unheard-of","params":{}}"#,
        r#"{"jsonrpc":"2.0","method":"$/setTrace","params":[]}"#,
        r#"{"id":1,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":1,"error":"no"}"#,
    ] {
        wire.say(line).await;
        assert_eq!(wire.silence().await, None, "{line}");
    }
}

#[tokio::test]
async fn the_messages_of_a_batch_are_served_as_if_each_had_come_alone() {
    let mut wire = Wire::begin().await;
    let batch = json!([
        {"jsonrpc": "2.0", "id": "a", "method": "ping"},
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 77}},
        {"jsonrpc": "2.0", "id": "b", "method": "tools/call", "params": {"name": "get_absolute_rules"}},
        {"jsonrpc": "2.0", "id": "c", "method": "tools/call", "params": {}},
        {"jsonrpc": "2.0", "id": "d", "method": "tools/call", "params": []},
        1,
        [],
    ]);
    wire.say(&batch.to_string()).await;
    let mut told = Vec::new();
    for _ in 0..6 {
        let answer = wire.hear().await;
        let outcome = answer["error"]["code"].as_i64().map_or("served".to_owned(), |code| code.to_string());
        told.push(format!("{}: {outcome}", answer["id"]));
    }
    // Each is answered when it is done.
    told.sort();
    assert_eq!(
        told,
        ["\"a\": served", "\"b\": served", "\"c\": -32602", "\"d\": -32602", "null: -32600", "null: -32600"]
    );
    assert_eq!(wire.silence().await, None);
    wire.say("[]").await;
    assert_snapshot!(wire.hear().await, @r#"{"error":{"code":-32600,"message":"nothing was done: the batch holds no message"},"id":null,"jsonrpc":"2.0"}"#);
}
