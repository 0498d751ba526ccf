use insta::{assert_json_snapshot, assert_snapshot};
use serde_json::{Value, json};

use crate::wire::Wire;

const DIGEST: &str = "mentci://digest";
const RUST: &str = "mentci://skills/rust/absolute_rules";

#[tokio::test]
async fn the_digests_are_listed() {
    let mut wire = Wire::begin().await;
    assert_json_snapshot!(wire.ask("resources/list", json!({})).await["result"], @r#"
    {
      "resources": [
        {
          "description": "The rules that bind every agent in this workspace",
          "mimeType": "text/markdown",
          "name": "digest",
          "title": "Absolute Rules",
          "uri": "mentci://digest"
        },
        {
          "description": "All rules of the skill rust",
          "mimeType": "text/markdown",
          "name": "rust",
          "title": "Absolute Rules of rust",
          "uri": "mentci://skills/rust/absolute_rules"
        },
        {
          "description": "All rules of the skill sema-programmer",
          "mimeType": "text/markdown",
          "name": "sema-programmer",
          "title": "Absolute Rules of sema-programmer",
          "uri": "mentci://skills/sema-programmer/absolute_rules"
        }
      ]
    }
    "#);
    assert_json_snapshot!(wire.ask("resources/templates/list", json!({})).await["result"], @r#"
    {
      "resourceTemplates": [
        {
          "description": "All rules of one skill",
          "mimeType": "text/markdown",
          "name": "skill",
          "title": "Absolute Rules of a skill",
          "uriTemplate": "mentci://skills/{name}/absolute_rules"
        }
      ]
    }
    "#);
}

#[tokio::test]
async fn a_thousand_skills_come_in_pages() {
    let mut wire = Wire::begin().await;
    wire.desk.add_skills((0..1_000).map(|n| format!("skill-{n:04}")));
    let (mut uris, mut cursor, mut pages) = (Vec::new(), json!({}), 0);
    loop {
        let page = wire.ask("resources/list", cursor).await["result"].clone();
        uris.extend(page["resources"].as_array().unwrap().iter().map(|row| row["uri"].to_string()));
        pages += 1;
        match &page["nextCursor"] {
            Value::String(next) => cursor = json!({"cursor": next}),
            _ => break,
        }
    }
    assert_eq!((uris.len(), pages), (1_003, 3));
    uris.sort();
    uris.dedup();
    assert_eq!(uris.len(), 1_003);
    let answer = wire.ask("resources/list", json!({"cursor": "../x"})).await;
    assert_snapshot!(answer["error"]["message"], @r#""this cursor is none that the server gave""#);
}

#[tokio::test]
async fn a_digest_is_read() {
    let mut wire = Wire::begin().await;
    assert_json_snapshot!(wire.ask("resources/read", json!({"uri": DIGEST})).await["result"], @r##"
    {
      "contents": [
        {
          "mimeType": "text/markdown",
          "text": "# Absolute Rules\nrust-1 Never `unwrap` outside tests\n",
          "uri": "mentci://digest"
        }
      ]
    }
    "##);
    let skill = wire.ask("resources/read", json!({"uri": RUST})).await["result"].clone();
    assert_eq!(skill["contents"][0]["text"], "# Absolute Rules of rust\n");
}

#[tokio::test]
async fn what_is_not_there_is_refused_with_a_sentence() {
    let mut wire = Wire::begin().await;
    let table = [
        "mentci://skills/zebra/absolute_rules",
        "mentci://skills/rusty/absolute_rules",
        "mentci://skills/../absolute_rules",
        "mentci://skills//absolute_rules",
        "mentci://digest/",
        "file:///etc/passwd",
    ];
    let mut said = String::new();
    for uri in table {
        let answer = wire.ask("resources/read", json!({"uri": uri})).await;
        assert_eq!(answer["error"]["code"], -32002, "{uri}: {answer}");
        said += &format!("{uri}\n{}\n\n", answer["error"]["message"].as_str().unwrap());
    }
    assert_snapshot!(said, @r"
    mentci://skills/zebra/absolute_rules
    error[E0106]: no skill is named `zebra`
      help: the skills are `rust`, `sema-programmer`

    mentci://skills/rusty/absolute_rules
    error[E0106]: no skill is named `rusty`
      help: did you mean `rust`?

    mentci://skills/../absolute_rules
    `..` is not a skill name; list the resources to see the skills

    mentci://skills//absolute_rules
    `` is not a skill name; list the resources to see the skills

    mentci://digest/
    no resource is named `mentci://digest/`; read `mentci://digest` or `mentci://skills/{name}/absolute_rules`

    file:///etc/passwd
    no resource is named `file:///etc/passwd`; read `mentci://digest` or `mentci://skills/{name}/absolute_rules`
    ");
    assert!(wire.ask("resources/subscribe", json!({"uri": "file:///etc/passwd"})).await["error"].is_object());
}

#[tokio::test]
async fn a_subscriber_hears_of_what_moved_and_of_nothing_else() {
    let mut wire = Wire::begin().await;
    assert_eq!(wire.ask("resources/subscribe", json!({"uri": DIGEST})).await["result"], json!({}));
    assert_eq!(wire.ask("resources/subscribe", json!({"uri": RUST})).await["result"], json!({}));
    wire.desk.publish("# Absolute Rules\nrust-1 Never panic\n");
    assert_json_snapshot!(wire.hear().await, @r#"
    {
      "jsonrpc": "2.0",
      "method": "notifications/resources/updated",
      "params": {
        "uri": "mentci://digest"
      }
    }
    "#);
    assert_eq!(wire.silence().await, None, "the skill's digest stands as it stood");
    wire.desk.publish("# Absolute Rules\nrust-1 Never panic\n");
    assert_eq!(wire.silence().await, None, "the same text again");
    wire.ask("resources/unsubscribe", json!({"uri": DIGEST})).await;
    wire.desk.publish("# Absolute Rules\n");
    assert_eq!(wire.silence().await, None, "unsubscribed");
}

#[tokio::test]
async fn a_new_skill_changes_the_list() {
    let mut wire = Wire::begin().await;
    // The list is known once an answer has come after it.
    wire.ask("resources/subscribe", json!({"uri": RUST})).await;
    assert_eq!(wire.silence().await, None);
    wire.desk.add_skills(["capnp".to_owned()]);
    wire.desk.publish("# Absolute Rules\n");
    assert_json_snapshot!(wire.hear().await, @r#"
    {
      "jsonrpc": "2.0",
      "method": "notifications/resources/list_changed"
    }
    "#);
    assert_eq!(wire.silence().await, None);
}

/// The newest protocol has no `initialize`: every request says who asks, and changes come by `subscriptions/listen`.
#[tokio::test]
async fn the_newest_protocol_listens() {
    let mut wire = Wire::silent();
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "newest", "version": "1"},
    });
    let found = wire.ask("server/discover", json!({"_meta": meta})).await;
    assert!(found["result"]["instructions"].as_str().unwrap().contains("update_skill_heuristics"), "{found}");
    let filter = json!({"resourceSubscriptions": [DIGEST, "file:///x"], "resourcesListChanged": true});
    let listen = json!({"_meta": meta, "notifications": filter});
    let line =
        json!({"jsonrpc": "2.0", "id": "listening", "method": "subscriptions/listen", "params": listen});
    wire.say(&line.to_string()).await;
    let accepted = wire.hear().await;
    assert_eq!(accepted["params"]["notifications"]["resourceSubscriptions"], json!([DIGEST]), "{accepted}");
    assert_eq!(wire.silence().await, None);
    wire.desk.publish("# Absolute Rules\nrust-1 Never panic\n");
    let updated = wire.hear().await;
    assert_eq!(updated["method"], "notifications/resources/updated");
    assert_eq!(updated["params"]["uri"], DIGEST);
    let lesson = json!({"skill_name": "rust", "condition": "c", "resolution": "r"});
    let call = json!({"_meta": meta, "name": "update_skill_heuristics", "arguments": lesson});
    wire.ask("tools/call", call).await;
    assert_eq!(wire.desk.taught()[0].author.as_deref(), Some("newest"));
}
