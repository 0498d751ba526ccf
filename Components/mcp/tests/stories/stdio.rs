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
