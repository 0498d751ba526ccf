//! Stories of answers: whatever shape a server gives them, what the agent reads was looked through.

use serde_json::{Value, json};

use crate::gate::Play;

const SECRET: &str = "ghp_0123456789abcdefghijABCDEFGHIJ012345";

impl Play {
    /// The line that the client reads where the server answers a call of `echo` with these members.
    async fn answered(&mut self, id: u64, members: &str) -> String {
        self.call(id, "echo", json!({})).await;
        self.server.hear().await;
        let members = members.replace("SECRET", SECRET);
        self.server.say(&format!(r#"{{"jsonrpc":"2.0","id":{id},{members}}}"#)).await;
        self.client.line().await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_shape_of_an_answer_lets_a_secret_through() {
    let mut play = Play::begun(json!({})).await;
    for (id, members) in (1..).zip([
        r#""result":{"content":[{"type":"text","text":"SECRET"}]}"#,
        r#""result":{"content":"SECRET"}"#,
        r#""result":{"content":{"type":"text","text":"SECRET"}}"#,
        r#""result":{"content":[["SECRET"]]}"#,
        r#""result":{"content":[],"extra":"SECRET"}"#,
        r#""result":{"content":[],"extra":{"deep":[{"x":"SECRET"}]}}"#,
        r#""result":{"toolResult":"SECRET"}"#,
        r#""result":"SECRET""#,
        r#""result":["SECRET",{"text":"SECRET"}]"#,
        r#""result":[{"type":"text","text":"SECRET"}]"#,
        r#""result":{"content":[]},"error":{"code":1,"message":"SECRET"}"#,
        r#""error":{"code":1,"message":"x","why":["SECRET"]}"#,
        r#""error":"SECRET""#,
        r#""result":{"content":[]},"more":"SECRET""#,
        r#""result":{"content":[],"_meta":{"x":"SECRET"}}"#,
        r#""result":{"content":[{"type":"text","text":"x","data":"SECRET"}]}"#,
        r#""result":{"content":[{"type":"image","mimeType":"image/png","data":"SECRET"}]}"#,
        r#""result":{"content":[{"type":"resource","resource":{"uri":"x:","blob":"SECRET"}}]}"#,
        r#""result":{"task":{"taskId":"t1","status":"working","statusMessage":"SECRET"}}"#,
        r#""result":{"task":{"taskId":"t2"},"content":[{"type":"text","text":"SECRET"}]}"#,
        r#""result":{"resultType":"input_required","inputRequests":{"a":{"params":{"message":"SECRET"}}},"requestState":"s"}"#,
        r#""result":{"resultType":"input_required","content":"SECRET"}"#,
        r#""result":{"content":[{"type":"text","text":"SECRET","text":"x"}]}"#,
        r#""result":{"content":[{"type":"text","text":"cut \ud83d SECRET"}]}"#,
        r#""result":{"content":[{"type":"text","text":"SECRET"}],"structuredContent":{"a":1e400}}"#,
        r#""result":{"content":[],"structuredContent":{"taskId":"SECRET"}}"#,
        r#""result":{"content":[],"structuredContent":{"a":{"progressToken":"SECRET","requestState":"SECRET"}}}"#,
        r#""result":{"content":[],"taskId":"SECRET"}"#,
        r#""result":{"content":[{"type":"text","text":"x","taskId":"SECRET"}]}"#,
    ]) {
        let line = play.answered(id, members).await;
        let told: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(told["id"], id, "{members}");
        assert!(!line.contains(SECRET), "{members}: {line}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn rules_are_asked_about_all_of_an_answer() {
    let mut play = Play::begun(json!({})).await;
    for (id, result, expected) in [
        (1, json!({"content": [{"type": "text", "text": "a"}], "isError": false, "_meta": {}}), json!("a")),
        (2, json!({"toolResult": "a"}), json!({"toolResult": "a"})),
        (3, json!("a"), json!("a")),
        (
            4,
            json!({"content": [{"type": "text", "text": "a"}], "extra": 1}),
            json!({"content": [{"type": "text", "text": "a"}], "extra": 1}),
        ),
    ] {
        let line = play.answered(id, &format!(r#""result":{result}"#)).await;
        assert_eq!(
            serde_json::from_str::<Value>(&line).unwrap()["result"],
            result,
            "and it goes on as it was"
        );
        assert_eq!(play.rules.last().result.unwrap().value, expected);
    }
    // A picture is told by its size, and goes on as it is.
    let picture = "iVBORw0K".repeat(9_000);
    let blocks = |data: &str| json!({"content": [{"type": "text", "text": "a"}, {"type": "image", "mimeType": "image/png", "data": data}]});
    let line = play.answered(9, &format!(r#""result":{}"#, blocks(&picture))).await;
    assert_eq!(serde_json::from_str::<Value>(&line).unwrap()["result"], blocks(&picture));
    assert_eq!(play.rules.last().result.unwrap().value, blocks("[72000 digits of base64]"));
    for (id, result) in [(5, json!("a")), (6, json!(["a"])), (7, json!({"content": "a", "extra": "a"}))] {
        play.call(id, "masked", json!({})).await;
        play.server.hear().await;
        play.server.say(&json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string()).await;
        let told = play.client.hear().await["result"].to_string();
        assert!(told.contains("[MASKED]") && !told.contains("\"a\""), "{told}");
    }
    for (id, result) in [
        (8, json!("a")),
        (9, json!({"content": "a"})),
        (10, json!({"content": {"type": "text", "text": "a"}})),
    ] {
        play.call(id, "mild", json!({})).await;
        play.server.hear().await;
        play.server.say(&json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string()).await;
        let told = play.client.hear().await["result"]["content"].clone();
        assert_eq!(told[0], json!({"type": "text", "text": "a"}), "a warning takes nothing away");
        assert!(told[1]["text"].as_str().unwrap().contains("be careful"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_read_in_full_is_withheld() {
    let mut play = Play::begun(json!({})).await;
    let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
    let mut told = String::new();
    for (id, members) in (1..).zip([
        r#""result":{"content":[{"type":"text","text":"4711"}],"structuredContent":{"a":1e400}}"#.to_owned(),
        format!(
            r#""result":{{"content":[{{"type":"text","text":"4711"}}],"structuredContent":{{"a":{deep}}}}}"#
        ),
        r#""result":{"content":[{"type":"text","text":"4711"}]},"result":{}"#.to_owned(),
        r#""result":{"content":[{"type":"text","text":"4711\q"}]}"#.to_owned(),
    ]) {
        let answer: Value = serde_json::from_str(&play.answered(id, &members).await).unwrap();
        assert_eq!((&answer["id"], &answer["result"]["isError"]), (&json!(id), &json!(true)));
        told.push_str(answer["result"]["content"][0]["text"].as_str().unwrap());
        told.push_str("\n\n");
    }
    insta::assert_snapshot!(told, @r"
    `echo` ran, and its answer is withheld: it cannot be read in full (number out of range at line 1 column 106)
    help: ask for less of it or for another part, or go on without it; tell the user that the server writes what is no sound JSON

    `echo` ran, and its answer is withheld: it cannot be read in full (recursion limit exceeded at line 1 column 226)
    help: ask for less of it or for another part, or go on without it; tell the user that the server writes what is no sound JSON

    `echo` gave no answer: what it answered is withheld, for it is no message: the key `result` stands twice at line 1 column 89
    help: it may have done its work; look before you call it again, and tell the user if the server stays away

    `echo` gave no answer: what it answered is withheld, for it is no JSON: invalid escape at line 1 column 74
    help: it may have done its work; look before you call it again, and tell the user if the server stays away
    ");
    let ends = play.rules.told().into_iter().filter(|told| told == "post mcp__up__echo error").count();
    assert_eq!(ends, 4, "each has one end");
}

#[tokio::test(flavor = "multi_thread")]
async fn halves_of_a_pair_are_mended_both_ways() {
    let mut play = Play::begun(json!({})).await;
    play.client.say(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"cut \ud83d"}}}"#).await;
    assert_eq!(play.server.hear().await["params"]["arguments"]["text"], "cut \u{fffd}");
    assert_eq!(play.rules.last().tool.unwrap().args["text"], "cut \u{fffd}");
    play.server.say(r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"cut \ude00, whole \ud83d\ude00"}]}}"#).await;
    assert_eq!(
        play.client.line().await,
        r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"cut \ufffd, whole \ud83d\ude00"}]}}"#
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_told_of_a_task_holds_no_secrets_and_its_result_is_handed_over_once() {
    let mut play = Play::begun(json!({})).await;
    play.answered(1, r#""result":{"task":{"taskId":"t1","status":"working"}}"#).await;
    for method in ["notifications/tasks/status", "notifications/progress", "notifications/message"] {
        let params = json!({"taskId": "t1", "progressToken": SECRET, "message": SECRET, "data": [SECRET]});
        play.server.say(&json!({"jsonrpc": "2.0", "method": method, "params": params}).to_string()).await;
        let told = play.client.hear().await["params"].clone();
        assert_eq!(told["progressToken"], SECRET, "a name by which programs speak of something");
        assert!(
            !told["message"].to_string().contains("ghp_") && !told["data"].to_string().contains("ghp_"),
            "{told}"
        );
    }
    for (id, method) in [(2, "tasks/get"), (3, "tasks/result"), (4, "tasks/result")] {
        play.client
            .say(
                &json!({"jsonrpc": "2.0", "id": id, "method": method, "params": {"taskId": "t1"}})
                    .to_string(),
            )
            .await;
        play.server.hear().await;
        let result =
            json!({"statusMessage": SECRET, "content": [{"type": "text", "text": format!("4711 {SECRET}")}]});
        play.server.say(&json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string()).await;
        let told = play.client.hear().await["result"].to_string();
        assert_eq!(told.contains("4711"), id != 4, "{told}");
        assert!(!told.contains(SECRET), "{told}");
    }
    play.client
        .say(r#"{"jsonrpc":"2.0","id":5,"method":"tasks/result","params":{"taskId":"t1","x":1e400}}"#)
        .await;
    assert_eq!(play.client.hear().await["error"]["code"], -32602);
}

#[tokio::test(flavor = "multi_thread")]
async fn bytes_and_names_for_programs_stay() {
    let mut play = Play::begun(json!({})).await;
    let bytes = format!("{}AKIAIOSFODNN7EXAMPLA{}==", "iVBORw0KGgo/+".repeat(8), "A".repeat(30));
    for (id, members) in (1..).zip([
        format!(r#""result":{{"content":[{{"type":"image","mimeType":"image/png","data":"{bytes}"}}]}}"#),
        format!(
            r#""result":{{"content":[{{"type":"resource","resource":{{"uri":"x:","blob":"{bytes}"}}}}]}}"#
        ),
        r#""result":{"resultType":"input_required","inputRequests":{},"requestState":"SECRET"}"#
            .replace("SECRET", SECRET),
        r#""result":{"content":[],"_meta":{"progressToken":"SECRET"}}"#.replace("SECRET", SECRET),
    ]) {
        let line = play.answered(id, &members).await;
        assert_eq!(line, format!(r#"{{"jsonrpc":"2.0","id":{id},{members}}}"#));
    }
}
