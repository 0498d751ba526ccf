//! What is sent: one conversation in both wire formats.
#![allow(clippy::too_many_lines, reason = "what is sent is shown whole")]

use mentci_authority::{ChatCall, ChatMessage, ModelRequest, ToolSpec};
use mentci_model::{Provider, request_body};
use serde_json::json;

fn answer(id: &str, text: &str) -> ChatMessage {
    ChatMessage { tool_call_id: Some(id.to_owned()), ..ChatMessage::said("tool", text) }
}

fn call(id: &str, name: &str, arguments: &str) -> ChatCall {
    ChatCall { id: id.to_owned(), name: name.to_owned(), arguments: arguments.to_owned() }
}

/// A conversation with everything odd in it: two beginnings, a rule's note between a call and its answer, a call without one, an
/// answer without a call, arguments that are no JSON, a name and an id that no provider takes.
fn request() -> ModelRequest {
    let called = ChatMessage {
        content: None,
        tool_calls: vec![
            call("c:1", "fs.read", "{\"path\":\"a\"}"),
            call("c2", "run", "ls -l"),
            call("c3", "run", ""),
        ],
        ..ChatMessage::said("assistant", "")
    };
    ModelRequest {
        messages: vec![
            ChatMessage::said("system", "Be brief."),
            ChatMessage::said("developer", "Obey the rules."),
            ChatMessage::said("user", "Look."),
            called,
            ChatMessage::said("developer", "Mind rule 4."),
            answer("c2", "total 0"),
            answer("c:1", "text of a"),
            answer("gone", "of a call that was compacted"),
            ChatMessage::said("user", "And?"),
        ],
        tools: vec![
            ToolSpec {
                name: "fs.read".to_owned(),
                description: Some("Reads a file.".to_owned()),
                input_schema: json!({ "type": "object", "properties": { "path": { "type": "string" } } }),
                output_schema: None,
            },
            ToolSpec { name: "run".to_owned(), ..ToolSpec::default() },
        ],
        max_tokens: Some(64),
        temperature: Some(1.5),
        reasoning_effort: Some("low".to_owned()),
        answer_schema: Some(json!({ "type": "object" })),
        ..ModelRequest::default()
    }
}

fn body(provider: &str) -> serde_json::Value {
    request_body(Provider::find(provider).expect("it is known"), "m", &request(), true)
}

#[test]
fn as_chat_completions() {
    insta::assert_json_snapshot!(body("vllm"), @r#"
    {
      "max_tokens": 64,
      "messages": [
        {
          "content": "Be brief.\n\nObey the rules.",
          "role": "system"
        },
        {
          "content": "Look.",
          "role": "user"
        },
        {
          "content": null,
          "role": "assistant",
          "tool_calls": [
            {
              "function": {
                "arguments": "{\"path\":\"a\"}",
                "name": "fs_read"
              },
              "id": "c:1",
              "type": "function"
            },
            {
              "function": {
                "arguments": "{\"raw\":\"ls -l\"}",
                "name": "run"
              },
              "id": "c2",
              "type": "function"
            },
            {
              "function": {
                "arguments": "{}",
                "name": "run"
              },
              "id": "c3",
              "type": "function"
            }
          ]
        },
        {
          "content": "text of a",
          "role": "tool",
          "tool_call_id": "c:1"
        },
        {
          "content": "total 0",
          "role": "tool",
          "tool_call_id": "c2"
        },
        {
          "content": "no answer of this call is on record",
          "role": "tool",
          "tool_call_id": "c3"
        },
        {
          "content": "<developer>\nMind rule 4.\n</developer>",
          "role": "user"
        },
        {
          "content": "<tool_response>\nof a call that was compacted\n</tool_response>",
          "role": "user"
        },
        {
          "content": "And?",
          "role": "user"
        }
      ],
      "model": "m",
      "reasoning_effort": "low",
      "response_format": {
        "json_schema": {
          "name": "answer",
          "schema": {
            "type": "object"
          },
          "strict": true
        },
        "type": "json_schema"
      },
      "stream": true,
      "stream_options": {
        "include_usage": true
      },
      "temperature": 1.5,
      "tools": [
        {
          "function": {
            "description": "Reads a file.",
            "name": "fs_read",
            "parameters": {
              "properties": {
                "path": {
                  "type": "string"
                }
              },
              "type": "object"
            }
          },
          "type": "function"
        },
        {
          "function": {
            "name": "run",
            "parameters": {
              "properties": {},
              "type": "object"
            }
          },
          "type": "function"
        }
      ]
    }
    "#);
}

#[test]
fn as_messages() {
    insta::assert_json_snapshot!(body("anthropic"), @r#"
    {
      "max_tokens": 64,
      "messages": [
        {
          "content": [
            {
              "text": "Look.",
              "type": "text"
            }
          ],
          "role": "user"
        },
        {
          "content": [
            {
              "id": "id_633a31",
              "input": {
                "path": "a"
              },
              "name": "fs_read",
              "type": "tool_use"
            },
            {
              "id": "c2",
              "input": {
                "raw": "ls -l"
              },
              "name": "run",
              "type": "tool_use"
            },
            {
              "id": "c3",
              "input": {},
              "name": "run",
              "type": "tool_use"
            }
          ],
          "role": "assistant"
        },
        {
          "content": [
            {
              "content": "text of a",
              "tool_use_id": "id_633a31",
              "type": "tool_result"
            },
            {
              "content": "total 0",
              "tool_use_id": "c2",
              "type": "tool_result"
            },
            {
              "content": "no answer of this call is on record",
              "tool_use_id": "c3",
              "type": "tool_result"
            },
            {
              "text": "<developer>\nMind rule 4.\n</developer>",
              "type": "text"
            },
            {
              "text": "<tool_response>\nof a call that was compacted\n</tool_response>",
              "type": "text"
            },
            {
              "text": "And?",
              "type": "text"
            }
          ],
          "role": "user"
        }
      ],
      "model": "m",
      "output_config": {
        "effort": "low",
        "format": {
          "schema": {
            "type": "object"
          },
          "type": "json_schema"
        }
      },
      "stream": true,
      "system": [
        {
          "cache_control": {
            "type": "ephemeral"
          },
          "text": "Be brief.\n\nObey the rules.",
          "type": "text"
        }
      ],
      "temperature": 1.0,
      "tools": [
        {
          "description": "Reads a file.",
          "input_schema": {
            "properties": {
              "path": {
                "type": "string"
              }
            },
            "type": "object"
          },
          "name": "fs_read"
        },
        {
          "input_schema": {
            "properties": {},
            "type": "object"
          },
          "name": "run"
        }
      ]
    }
    "#);
}

#[test]
fn openai_has_its_own_words() {
    let body = body("openai");
    assert_eq!((&body["max_completion_tokens"], &body["max_tokens"]), (&json!(64), &serde_json::Value::Null));
    let roles: Vec<&str> =
        body["messages"].as_array().into_iter().flatten().filter_map(|m| m["role"].as_str()).collect();
    assert_eq!(roles, ["system", "user", "assistant", "tool", "tool", "tool", "developer", "user", "user"]);
}

#[test]
fn nothing_is_asked_where_nothing_was_said() {
    let none = ModelRequest::default();
    for provider in mentci_model::PROVIDERS {
        let body = request_body(provider, "m", &none, false);
        assert_eq!(body["stream"], false, "{}", provider.name);
        assert_eq!(
            (&body["tools"], &body["temperature"]),
            (&serde_json::Value::Null, &serde_json::Value::Null)
        );
    }
}

#[test]
fn a_picture_stands_where_the_text_names_it() {
    let picture = |mark: &str| mentci_authority::Picture {
        mark: mark.to_owned(),
        mime: "image/png".to_owned(),
        bytes: b"\x89PNG".as_slice().into(),
    };
    let request = ModelRequest {
        messages: vec![
            ChatMessage::said("system", "Of [a] nothing is shown here."),
            ChatMessage::said("user", "See [b], then [a]: which?"),
            ChatMessage::said("user", "Nothing new is in [a]."),
        ],
        pictures: vec![picture("[a]"), picture("[b]"), picture("[c]")],
        ..ModelRequest::default()
    };
    let body =
        |provider: &str| request_body(Provider::find(provider).expect("it is known"), "m", &request, true);
    insta::assert_json_snapshot!(body("openai")["messages"], @r#"
    [
      {
        "content": "Of [a] nothing is shown here.",
        "role": "system"
      },
      {
        "content": [
          {
            "text": "See [b]",
            "type": "text"
          },
          {
            "image_url": {
              "url": "data:image/png;base64,iVBORw=="
            },
            "type": "image_url"
          },
          {
            "text": ", then [a]",
            "type": "text"
          },
          {
            "image_url": {
              "url": "data:image/png;base64,iVBORw=="
            },
            "type": "image_url"
          },
          {
            "text": ": which?",
            "type": "text"
          }
        ],
        "role": "user"
      },
      {
        "content": "Nothing new is in [a].",
        "role": "user"
      }
    ]
    "#);
    insta::assert_json_snapshot!(body("anthropic")["messages"], @r#"
    [
      {
        "content": [
          {
            "text": "See [b]",
            "type": "text"
          },
          {
            "source": {
              "data": "iVBORw==",
              "media_type": "image/png",
              "type": "base64"
            },
            "type": "image"
          },
          {
            "text": ", then [a]",
            "type": "text"
          },
          {
            "source": {
              "data": "iVBORw==",
              "media_type": "image/png",
              "type": "base64"
            },
            "type": "image"
          },
          {
            "text": ": which?",
            "type": "text"
          },
          {
            "text": "Nothing new is in [a].",
            "type": "text"
          }
        ],
        "role": "user"
      }
    ]
    "#);
}
