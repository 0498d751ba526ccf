use insta::assert_json_snapshot;
use serde_json::{Value, json};

use crate::wire::Wire;

#[tokio::test]
async fn the_tools_are_listed() {
    let mut wire = Wire::begin().await;
    let mut listed = wire.ask("tools/list", json!({})).await["result"]["tools"].clone();
    for tool in listed.as_array_mut().unwrap() {
        // A part of an artifact is words alone: clients show a model either those or the structured content.
        let is_structured = tool["name"] != "get_artifact";
        assert_eq!(tool["outputSchema"]["type"] == "object", is_structured, "{tool}");
        tool.as_object_mut().unwrap().remove("outputSchema");
    }
    assert_json_snapshot!(listed, @r#"
    [
      {
        "annotations": {
          "destructiveHint": false,
          "idempotentHint": true,
          "openWorldHint": false,
          "readOnlyHint": false,
          "title": "Teach a lesson"
        },
        "description": "Records a lesson for a skill, so that every later session knows it. Call it as soon as a rule, a tool or a command fails under some condition and you have found what works instead, or when the user corrects you: say when (condition) and what to do then (resolution). One lesson a call. Not for one-off facts, opinions or secrets.",
        "inputSchema": {
          "additionalProperties": false,
          "properties": {
            "condition": {
              "description": "When it happens: at most 2000 characters",
              "maxLength": 2000,
              "type": "string"
            },
            "context": {
              "description": "How it was found out, for whoever reviews it: at most 8000 characters",
              "maxLength": 8000,
              "type": "string"
            },
            "resolution": {
              "description": "What to do then: at most 2000 characters",
              "maxLength": 2000,
              "type": "string"
            },
            "skill_name": {
              "description": "The skill's name, as in .pi/skills/<name>/SKILL.md",
              "type": "string"
            }
          },
          "required": [
            "skill_name",
            "condition",
            "resolution"
          ],
          "type": "object"
        },
        "name": "update_skill_heuristics",
        "title": "Teach a lesson"
      },
      {
        "annotations": {
          "destructiveHint": false,
          "idempotentHint": true,
          "openWorldHint": false,
          "readOnlyHint": true,
          "title": "Read the Absolute Rules"
        },
        "description": "Returns the rules that bind you in this workspace, or all rules of one skill. Call it before you start on a task, and again after your context was compacted.",
        "inputSchema": {
          "additionalProperties": false,
          "properties": {
            "skill": {
              "description": "Only this skill's rules, all of them; without it, the workspace's",
              "type": "string"
            }
          },
          "type": "object"
        },
        "name": "get_absolute_rules",
        "title": "Read the Absolute Rules"
      },
      {
        "annotations": {
          "destructiveHint": false,
          "idempotentHint": true,
          "openWorldHint": false,
          "readOnlyHint": true,
          "title": "List the lessons"
        },
        "description": "Lists what agents have taught, with each lesson's id and status. Call it before you teach, to see whether the lesson is known.",
        "inputSchema": {
          "additionalProperties": false,
          "properties": {
            "skill": {
              "description": "Only this skill's lessons",
              "type": "string"
            },
            "status": {
              "description": "Only lessons with this status: pending waits for a person, active and promoted are in the rules",
              "enum": [
                "pending",
                "active",
                "promoted",
                "archived",
                "rejected"
              ],
              "type": "string"
            }
          },
          "type": "object"
        },
        "name": "list_heuristics",
        "title": "List the lessons"
      },
      {
        "annotations": {
          "destructiveHint": false,
          "idempotentHint": true,
          "openWorldHint": false,
          "readOnlyHint": true,
          "title": "Explain a rule"
        },
        "description": "Shows where a rule comes from: its line, the words of the law it rests on and the lessons in it. It explains lessons and finding codes too.",
        "inputSchema": {
          "additionalProperties": false,
          "properties": {
            "rule": {
              "description": "A rule's number such as sema-programmer-4, a lesson's id, or a finding's code such as E0601",
              "type": "string"
            }
          },
          "required": [
            "rule"
          ],
          "type": "object"
        },
        "name": "explain_rule",
        "title": "Explain a rule"
      },
      {
        "annotations": {
          "destructiveHint": false,
          "idempotentHint": true,
          "openWorldHint": false,
          "readOnlyHint": true,
          "title": "Ask whether a call may run"
        },
        "description": "Says whether policy would allow, redact, ask a person about or block a tool call, and why. It decides nothing and uses nothing up: the call itself is judged again when it is made. Call it before a step that may be forbidden, to plan another way.",
        "inputSchema": {
          "additionalProperties": false,
          "properties": {
            "arguments": {
              "additionalProperties": true,
              "description": "Its arguments: an object, or the JSON of one",
              "properties": {},
              "type": "object"
            },
            "tool": {
              "description": "The tool's name",
              "type": "string"
            }
          },
          "required": [
            "tool"
          ],
          "type": "object"
        },
        "name": "check_tool_call",
        "title": "Ask whether a call may run"
      },
      {
        "annotations": {
          "destructiveHint": false,
          "idempotentHint": true,
          "openWorldHint": false,
          "readOnlyHint": false,
          "title": "Take note of a notification"
        },
        "description": "Says that you have taken note of what a rule told you, so that it is not told again. Call it with the id of a notification when you have done what it asks for, or know that you need not.",
        "inputSchema": {
          "additionalProperties": false,
          "properties": {
            "id": {
              "description": "The notification's id, or at least the first four characters of it",
              "maxLength": 64,
              "type": "string"
            }
          },
          "required": [
            "id"
          ],
          "type": "object"
        },
        "name": "acknowledge_notification",
        "title": "Take note of a notification"
      },
      {
        "annotations": {
          "destructiveHint": false,
          "idempotentHint": true,
          "openWorldHint": false,
          "readOnlyHint": true,
          "title": "Compile a session into a budget"
        },
        "description": "Returns a session's log as messages that fit a token budget, and the handles of the large tool outputs that were left out. Call it to take up a session again, or to hand one on to another model.",
        "inputSchema": {
          "additionalProperties": false,
          "properties": {
            "budget": {
              "description": "The most tokens of the messages",
              "type": "integer"
            },
            "model": {
              "description": "The model that it is for: its tokenizer counts",
              "type": "string"
            },
            "session": {
              "description": "The session's id; without it, this one",
              "type": "string"
            }
          },
          "required": [
            "budget"
          ],
          "type": "object"
        },
        "name": "compile_context",
        "title": "Compile a session into a budget"
      },
      {
        "annotations": {
          "destructiveHint": false,
          "idempotentHint": true,
          "openWorldHint": false,
          "readOnlyHint": true,
          "title": "Read a large tool output"
        },
        "description": "Returns a part of an artifact, the content of a tool's output that stands in the context as a handle and a summary only: at most 32 KiB at a time, and the range that goes on behind it. Call it when the summary does not hold what you need; ask for lines where you know them, and search a large one first.",
        "inputSchema": {
          "additionalProperties": false,
          "properties": {
            "handle": {
              "description": "The artifact's id, as its handle has it",
              "type": "string"
            },
            "range": {
              "description": "A part: 0-1023 are its first 1,024 bytes, lines:10-40 its lines from 10 to 40; without it, its beginning",
              "type": "string"
            },
            "session": {
              "description": "The session that holds it; without it, this one's where the id is cut short",
              "type": "string"
            }
          },
          "required": [
            "handle"
          ],
          "type": "object"
        },
        "name": "get_artifact",
        "title": "Read a large tool output"
      },
      {
        "annotations": {
          "destructiveHint": false,
          "idempotentHint": true,
          "openWorldHint": false,
          "readOnlyHint": true,
          "title": "Search large tool outputs"
        },
        "description": "Looks for words in one artifact, or in all of this session, and returns the lines. Call it before you read a large output whole.",
        "inputSchema": {
          "additionalProperties": false,
          "properties": {
            "handle": {
              "description": "Only in this artifact",
              "type": "string"
            },
            "query": {
              "description": "The words, or a literal such as E0432 or src/main.rs:12",
              "maxLength": 500,
              "type": "string"
            },
            "session": {
              "description": "Those of this session; without it, this one's",
              "type": "string"
            }
          },
          "required": [
            "query"
          ],
          "type": "object"
        },
        "name": "search_artifacts",
        "title": "Search large tool outputs"
      },
      {
        "annotations": {
          "destructiveHint": false,
          "idempotentHint": true,
          "openWorldHint": false,
          "readOnlyHint": true,
          "title": "List large tool outputs"
        },
        "description": "Lists the artifacts of a session, each with its handle, its size and a summary.",
        "inputSchema": {
          "additionalProperties": false,
          "properties": {
            "session": {
              "description": "The session's id; without it, this one",
              "type": "string"
            }
          },
          "type": "object"
        },
        "name": "list_artifacts",
        "title": "List large tool outputs"
      }
    ]
    "#);
}

/// Strict clients refuse a schema with unions, references or a property without a plain type.
#[tokio::test]
async fn every_schema_is_plain() {
    let mut wire = Wire::begin().await;
    let listed = wire.ask("tools/list", json!({})).await["result"]["tools"].clone();
    for tool in listed.as_array().unwrap() {
        assert_plain(&tool["inputSchema"]);
        if let Some(schema) = tool.get("outputSchema") {
            assert_plain(schema);
        }
        assert_eq!(tool["inputSchema"]["additionalProperties"], false);
    }
}

fn assert_plain(schema: &Value) {
    let plain = schema["type"].as_str().unwrap_or_else(|| panic!("no plain type: {schema}"));
    for key in schema.as_object().unwrap().keys() {
        assert!(!["anyOf", "oneOf", "allOf", "$ref", "$defs", "default"].contains(&key.as_str()), "{schema}");
    }
    match plain {
        "object" => schema["properties"].as_object().unwrap().values().for_each(assert_plain),
        "array" => assert_plain(&schema["items"]),
        _ => {}
    }
    for name in schema["required"].as_array().into_iter().flatten() {
        assert!(schema["properties"][name.as_str().unwrap()].is_object(), "{schema}");
    }
}
