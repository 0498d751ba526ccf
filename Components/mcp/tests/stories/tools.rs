use insta::{assert_json_snapshot, assert_snapshot};
use serde_json::{Value, json};

use crate::wire::Wire;

#[tokio::test]
async fn the_server_says_who_it_is_and_when_to_teach() {
    let wire = Wire::begin().await;
    assert_eq!(wire.server["serverInfo"]["name"], "mentci");
    assert_eq!(wire.server["serverInfo"]["version"], env!("CARGO_PKG_VERSION"));
    assert_json_snapshot!(wire.server["capabilities"], @r#"
    {
      "completions": {},
      "prompts": {},
      "resources": {
        "listChanged": true,
        "subscribe": true
      },
      "tools": {}
    }
    "#);
    assert_snapshot!(wire.server["instructions"].as_str().unwrap(), @r"
    Mentci keeps the rules of this workspace: its law, and what agents learned.

    - Before you start on a task, and after your context was compacted, call `get_absolute_rules` (or read `mentci://digest`) and follow it. With a `skill` it gives all rules of that skill.
    - Call `update_skill_heuristics` as soon as a rule, a tool or a command fails under some condition and you have found what works instead, or when the user corrects you. Say when (condition) and what to do then (resolution), so that an agent who was not here understands it. `list_heuristics` shows what is known already.
    - A lesson is in the rules from the next turn on. One that would loosen an explicit rule waits for a person: say so to the user, and keep to the rule.
    - `explain_rule` shows where a rule comes from. Never edit runtime.edn, promoted.edn or absolute_rules.md by hand.
    ");
}

#[tokio::test]
async fn a_lesson_is_taught_with_who_told_it_and_in_which_session() {
    let mut wire = Wire::begin().await;
    let lesson =
        json!({"skill_name": "rust", "condition": "the linker fails", "resolution": "install `lld`"});
    let result = wire.call("update_skill_heuristics", lesson).await;
    assert_json_snapshot!(result, @r#"
    {
      "content": [
        {
          "text": "the lesson is kept; it is part of the rules from the next turn on\nlesson 74f65fba0b413739 (active) in .pi/skills/rust/runtime.edn",
          "type": "text"
        }
      ],
      "isError": false,
      "structuredContent": {
        "id": "74f65fba0b413739",
        "message": "the lesson is kept; it is part of the rules from the next turn on",
        "path": ".pi/skills/rust/runtime.edn",
        "status": "active"
      }
    }
    "#);
    let [taught] = wire.desk.taught().try_into().unwrap();
    assert_eq!((taught.author.as_deref(), taught.source.as_deref()), (Some("teacher"), Some("mcp")));
    assert_eq!(taught.session.as_ref().map(String::len), Some(36), "an id of the connection's own");
    assert_eq!(taught.context, None);
}

#[tokio::test]
async fn one_connection_is_one_session_and_two_are_two() {
    let lesson = json!({"skill_name": "rust", "condition": "c", "resolution": "r"});
    let mut wire = Wire::begin().await;
    wire.call("update_skill_heuristics", lesson.clone()).await;
    wire.call("update_skill_heuristics", lesson.clone()).await;
    let [first, second] = wire.desk.taught().try_into().unwrap();
    assert_eq!(first.session, second.session);
    let mut other = Wire::begin().await;
    other.call("update_skill_heuristics", lesson).await;
    assert_ne!(other.desk.taught()[0].session, first.session);
}

#[tokio::test]
async fn what_other_clients_hand_over_is_taken_too() {
    let table = [
        json!({"skillName": "rust", "condition": "c", "resolution": "r"}),
        json!({"skill_name": "rust", "condition": "c", "resolution": "r", "context": null}),
        json!({"skill_name": "rust", "condition": "c", "resolution": "r", "context": "  "}),
    ];
    for given in table {
        let mut wire = Wire::begin().await;
        let said = wire.words("update_skill_heuristics", given.clone()).await;
        assert!(said.starts_with("the lesson is kept"), "{given}: {said}");
        let taught = &wire.desk.taught()[0];
        assert_eq!((taught.skill.as_str(), taught.context.as_deref()), ("rust", None), "{given}");
    }
    let mut wire = Wire::begin().await;
    assert!(wire.words("get_absolute_rules", Value::Null).await.contains("rust-1"), "no arguments at all");
    assert!(wire.words("get_absolute_rules", json!({"skill_name": "rust"})).await.contains("of rust"));
    assert!(wire.words("list_heuristics", json!({"status": "PENDING"})).await.contains("structural_edit"));
}

#[tokio::test]
async fn a_refusal_says_what_to_do() {
    let mut wire = Wire::begin().await;
    let table = [
        ("update_skill_heuristics", json!({})),
        ("update_skill_heuristics", json!({"skil_name": "rust", "condition": "c", "resolution": "r"})),
        ("update_skill_heuristics", json!({"skill_name": "rust", "condition": ["c"], "resolution": 7})),
        (
            "update_skill_heuristics",
            json!({"skill_name": "rust", "skillName": "rust", "condition": "c", "resolution": "r"}),
        ),
        ("update_skill_heuristics", json!({"skill_name": "rusty", "condition": "c", "resolution": "r"})),
        ("update_skill_heuristics", json!({"skill_name": "../../etc", "condition": "c", "resolution": "r"})),
        ("get_absolute_rules", json!({"skill": "zebra"})),
        ("get_absolute_rules", json!({"\u{1b}[31mred": true})),
        ("list_heuristics", json!({"status": "new"})),
        ("list_heuristics", json!({"skill": "rast"})),
        ("explain_rule", json!({})),
        ("explain_rule", json!({"rule": "zebra-9"})),
    ];
    let mut said = String::new();
    for (tool, given) in table {
        let words = wire.words(tool, given.clone()).await;
        assert!(words.starts_with("refused: "), "{given}: {words}");
        said += &format!("{tool} {given}\n{words}\n\n");
    }
    assert_snapshot!(said, @r#"
    update_skill_heuristics {}
    refused: nothing was done: `skill_name` is missing; `condition` is missing; `resolution` is missing
      help: call `update_skill_heuristics` again with `skill_name`, `condition`, `resolution` and, if you like, `context`

    update_skill_heuristics {"condition":"c","resolution":"r","skil_name":"rust"}
    refused: nothing was done: there is no argument `skil_name` (did you mean `skill_name`?); `skill_name` is missing
      help: call `update_skill_heuristics` again with `skill_name`, `condition`, `resolution` and, if you like, `context`

    update_skill_heuristics {"condition":["c"],"resolution":7,"skill_name":"rust"}
    refused: nothing was done: `condition` must be text, not a list; `resolution` must be text, not a number
      help: call `update_skill_heuristics` again with `skill_name`, `condition`, `resolution` and, if you like, `context`

    update_skill_heuristics {"condition":"c","resolution":"r","skillName":"rust","skill_name":"rust"}
    refused: nothing was done: `skill_name` is given twice
      help: call `update_skill_heuristics` again with `skill_name`, `condition`, `resolution` and, if you like, `context`

    update_skill_heuristics {"condition":"c","resolution":"r","skill_name":"rusty"}
    refused: error[E0106]: no skill is named `rusty`
      help: did you mean `rust`?

    update_skill_heuristics {"condition":"c","resolution":"r","skill_name":"../../etc"}
    refused: error[E0106]: no skill is named `../../etc`
      help: the skills are `rust`, `sema-programmer`

    get_absolute_rules {"skill":"zebra"}
    refused: error[E0106]: no skill is named `zebra`
      help: the skills are `rust`, `sema-programmer`

    get_absolute_rules {"\u001b[31mred":true}
    refused: nothing was done: there is no argument `\u{1b}[31mred`
      help: call `get_absolute_rules` again with at most `skill`

    list_heuristics {"status":"new"}
    refused: nothing was done: `status` must be one of `pending`, `active`, `promoted`, `archived`, `rejected`
      help: call `list_heuristics` again with at most `skill`, `status`

    list_heuristics {"skill":"rast"}
    refused: error[E0106]: no skill is named `rast`
      help: did you mean `rust`?

    explain_rule {}
    refused: nothing was done: `rule` is missing
      help: call `explain_rule` again with `rule`

    explain_rule {"rule":"zebra-9"}
    refused: error[E0706]: nothing is named `zebra-9`
      help: give a rule's number such as `skill-4`, a code such as `E0601`, or a lesson's id
    "#);
    assert!(wire.desk.taught().iter().all(|taught| taught.skill != "rust"), "nothing was kept");
}

#[tokio::test]
async fn the_answers_in_words() {
    let mut wire = Wire::begin().await;
    let table = [
        ("get_absolute_rules", json!({})),
        ("list_heuristics", json!({})),
        ("list_heuristics", json!({"skill": "sema-programmer", "status": "active"})),
        ("explain_rule", json!({"rule": "rust-1"})),
        ("explain_rule", json!({"rule": "E0601"})),
    ];
    let mut said = String::new();
    for (tool, given) in table {
        said += &format!("{tool} {given}\n{}\n\n", wire.words(tool, given.clone()).await);
    }
    let list = wire.call("list_heuristics", json!({"status": "pending"})).await;
    let id = list["structuredContent"]["lessons"][0]["id"].as_str().unwrap().to_owned();
    said += &wire.words("explain_rule", json!({"rule": id})).await;
    assert_snapshot!(said, @r#"
    get_absolute_rules {}
    # Absolute Rules
    rust-1 Never `unwrap` outside tests


    list_heuristics {}
    74f65fba0b413739 rust (active, in rust-1): the linker fails -> install `lld`
    2e8ca5b939567b24 sema-programmer (pending): structural_edit fails -> use text edit

    list_heuristics {"skill":"sema-programmer","status":"active"}
    there are no such lessons
      help: teach one with `update_skill_heuristics`

    explain_rule {"rule":"rust-1"}
    rust-1 Never `unwrap` outside tests
      level: must not
      .pi/skills/rust/SKILL.md:3: Never `unwrap` outside tests.
      lesson 74f65fba0b413739 rust (active, in rust-1): the linker fails -> install `lld`

    explain_rule {"rule":"E0601"}
    E0601 stale-reference (warning): A norm names something that the workspace no longer has. It is compiled all the same; correct the law or restore what it names.

    2e8ca5b939567b24 sema-programmer (pending): structural_edit fails -> use text edit
      told by: pi
      told at: 2026-11-21T00:00:00Z
      kept in: .pi/skills/sema-programmer/runtime.edn
    "#);
}

#[tokio::test]
async fn structured_content_holds_no_null_and_fits_its_schema() {
    let mut wire = Wire::begin().await;
    let listed = wire.ask("tools/list", json!({})).await["result"]["tools"].clone();
    let table = [
        ("update_skill_heuristics", json!({"skill_name": "rust", "condition": "c", "resolution": "r"})),
        ("get_absolute_rules", json!({})),
        ("get_absolute_rules", json!({"skill": "rust"})),
        ("list_heuristics", json!({})),
        ("explain_rule", json!({"rule": "rust-1"})),
        ("explain_rule", json!({"rule": "E0601"})),
    ];
    for (tool, given) in table {
        let content = wire.call(tool, given).await["structuredContent"].clone();
        let row = listed.as_array().unwrap().iter().find(|row| row["name"] == tool).unwrap();
        assert_fits(&content, &row["outputSchema"]);
    }
}

fn assert_fits(value: &Value, schema: &Value) {
    match schema["type"].as_str().unwrap() {
        "object" => {
            let object = value.as_object().unwrap_or_else(|| panic!("{value} is no object"));
            for name in schema["required"].as_array().into_iter().flatten() {
                assert!(object.contains_key(name.as_str().unwrap()), "no {name} in {value}");
            }
            let described = |name: &str| schema["properties"].get(name);
            object
                .iter()
                .filter_map(|(name, value)| Some((value, described(name)?)))
                .for_each(|(value, schema)| assert_fits(value, schema));
        }
        "array" => value.as_array().unwrap().iter().for_each(|item| assert_fits(item, &schema["items"])),
        "string" => assert!(value.is_string(), "{value}"),
        "integer" => assert!(value.is_u64(), "{value}"),
        "boolean" => assert!(value.is_boolean(), "{value}"),
        other => panic!("{other}"),
    }
}

#[tokio::test]
async fn a_long_list_is_cut_and_says_so() {
    let mut wire = Wire::begin().await;
    wire.desk.add_lessons(300);
    let result = wire.call("list_heuristics", json!({})).await;
    let text = result["content"][0]["text"].as_str().unwrap();
    assert_snapshot!(text.lines().last().unwrap(), @"+202 more: name a `skill` or a `status`");
    assert_eq!(result["structuredContent"]["total"], 302);
    assert_eq!(result["structuredContent"]["lessons"].as_array().unwrap().len(), 100);
    wire.desk.forget_lessons();
    assert_snapshot!(wire.words("list_heuristics", json!({})).await, @r"
    there are no such lessons
      help: teach one with `update_skill_heuristics`
    ");
}

#[tokio::test]
async fn a_panic_is_answered_and_the_session_goes_on() {
    let mut wire = Wire::begin().await;
    assert_snapshot!(wire.words("explain_rule", json!({"rule": "panic"})).await, @r"
    refused: `explain_rule` failed by a defect of the policy engine, and nothing was done
      help: call it once more; if it fails again, go on without it and tell the user to look at the server's log
    ");
    let read = wire.ask("resources/read", json!({"uri": "mentci://skills/panic/absolute_rules"})).await;
    assert_snapshot!(read["error"], @r#"{"code":-32603,"message":"the policy engine failed by a defect; its log tells more"}"#);
    assert!(wire.words("get_absolute_rules", json!({})).await.contains("rust-1"));
}

#[tokio::test]
async fn an_unknown_tool_is_an_error_of_the_protocol() {
    let mut wire = Wire::begin().await;
    let answer = wire.ask("tools/call", json!({"name": "learn"})).await;
    assert_snapshot!(answer["error"], @r#"{"code":-32602,"message":"no tool is named `learn`; there are `update_skill_heuristics`, `get_absolute_rules`, `list_heuristics`, `explain_rule`, `check_tool_call`, `acknowledge_notification`, `compile_context`, `get_artifact`, `search_artifacts`, `list_artifacts`"}"#);
}

#[tokio::test]
async fn a_method_called_with_what_it_does_not_take_says_what_it_takes() {
    let mut wire = Wire::begin().await;
    let mut told = String::new();
    for (method, params) in [
        ("tools/call", json!(null)),
        ("tools/call", json!({})),
        ("tools/call", json!({"name": "get_absolute_rules", "arguments": []})),
        ("tools/call", json!({"name": 7, "arguments": "skill"})),
        ("prompts/get", json!({"arguments": {}})),
        ("resources/read", json!({})),
        ("resources/read", json!({"url": "mentci://digest"})),
        ("resources/subscribe", json!({"uri": ["mentci://digest"]})),
        (
            "completion/complete",
            json!({"ref": {"type": "ref/nothing"}, "argument": {"name": "skill", "value": ""}}),
        ),
        ("tools/cal", json!({})),
    ] {
        let answer = wire.ask(method, params).await;
        told.push_str(&format!("{}\n", answer["error"]));
    }
    assert_snapshot!(told, @r#"
    {"code":-32602,"message":"nothing was done: `params` is missing or empty\n  help: send `tools/call` again with the tool's `name` and its `arguments` as an object"}
    {"code":-32602,"message":"nothing was done: `params` is missing or empty\n  help: send `tools/call` again with the tool's `name` and its `arguments` as an object"}
    {"code":-32602,"message":"nothing was done: `arguments` must be an object, not a list\n  help: send `tools/call` again with the tool's `name` and its `arguments` as an object"}
    {"code":-32602,"message":"nothing was done: `name` must be text, not a number; `arguments` must be an object, not text\n  help: send `tools/call` again with the tool's `name` and its `arguments` as an object"}
    {"code":-32602,"message":"nothing was done: `name` is missing\n  help: send `prompts/get` again with the prompt's `name` and its `arguments` as an object"}
    {"code":-32602,"message":"nothing was done: `params` is missing or empty\n  help: send `resources/read` again with the resource's `uri`, such as `mentci://digest`"}
    {"code":-32602,"message":"nothing was done: `uri` is missing\n  help: send `resources/read` again with the resource's `uri`, such as `mentci://digest`"}
    {"code":-32602,"message":"nothing was done: `uri` must be text, not a list\n  help: send `resources/subscribe` again with the resource's `uri`, such as `mentci://digest`"}
    {"code":-32602,"message":"nothing was done: its `params` are not as the protocol has them\n  help: send `completion/complete` again with `ref`, the prompt or resource as `{\"type\": \"ref/prompt\", \"name\": …}` or `{\"type\": \"ref/resource\", \"uri\": …}`, and `argument` as `{\"name\": …, \"value\": …}`"}
    {"code":-32601,"message":"tools/cal"}
    "#);
    assert!(wire.words("get_absolute_rules", json!({})).await.contains("rust-1"));
}

#[tokio::test]
async fn a_notification_is_noted_by_its_id() {
    let mut wire = Wire::begin().await;
    let result = wire.call("acknowledge_notification", json!({"notificationId": " 71a6 "})).await;
    assert_json_snapshot!(result, @r#"
    {
      "content": [
        {
          "text": "noted 71a6ac7bc996: 86 percent of the budget are used",
          "type": "text"
        }
      ],
      "isError": false,
      "structuredContent": {
        "notifications": [
          {
            "category": "warning",
            "deliver_at": "turn_start",
            "expires": "2026-11-21T01:00:00Z",
            "id": "71a6ac7bc996",
            "message": "86 percent of the budget\nare used",
            "priority": "high",
            "queued": "2026-11-21T00:00:00Z",
            "rule": "budget/budget",
            "session": "s1",
            "state": "acknowledged"
          }
        ]
      }
    }
    "#);
    let refused = wire.call("acknowledge_notification", json!({"id": "zzzz"})).await;
    assert_json_snapshot!(refused, @r#"
    {
      "content": [
        {
          "text": "error[E0706]: there is no notification `zzzz`",
          "type": "text"
        }
      ],
      "isError": true
    }
    "#);
}
