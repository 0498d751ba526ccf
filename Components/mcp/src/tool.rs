//! The tools: what they are called, what they take and which request they are.

use std::sync::Arc;

use mentci_authority::LessonStatus;
use mentci_host::policy::{Input, PolicyRequest};
use mentci_host::session::{ArtifactRequest, ContextQuery, ContextRequest};
use mentci_host::{LessonRequest, Request, Teaching};
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Value, json};

use crate::arguments::Arguments;
use crate::caller::Caller;
use crate::output;

/// The most bytes of an artifact that are given at a time: of any text fewer tokens than clients let through.
const MOST_GIVEN: u64 = 32 << 10;

/// Every tool, in the order of their listing.
pub(crate) const TOOLS: [ToolRow; 10] = [
    ToolRow {
        name: "update_skill_heuristics",
        title: "Teach a lesson",
        about: "Records a lesson for a skill, so that every later session knows it. Call it as soon as a rule, a tool or a \
                command fails under some condition and you have found what works instead, or when the user corrects you: say \
                when (condition) and what to do then (resolution). One lesson a call. Not for one-off facts, opinions or \
                secrets.",
        parameters: &[
            Parameter {
                required: true,
                ..Parameter::text(
                    "skill_name",
                    "skillName",
                    "The skill's name, as in .pi/skills/<name>/SKILL.md",
                )
            },
            Parameter {
                required: true,
                max: 2_000,
                ..Parameter::text("condition", "", "When it happens: at most 2000 characters")
            },
            Parameter {
                required: true,
                max: 2_000,
                ..Parameter::text("resolution", "", "What to do then: at most 2000 characters")
            },
            Parameter {
                max: 8_000,
                ..Parameter::text(
                    "context",
                    "",
                    "How it was found out, for whoever reviews it: at most 8000 characters",
                )
            },
        ],
        writes: true,
        output: Some(output::taught),
        request: teach,
    },
    ToolRow {
        name: "get_absolute_rules",
        title: "Read the Absolute Rules",
        about: "Returns the rules that bind you in this workspace, or all rules of one skill. Call it before you start on a \
                task, and again after your context was compacted.",
        parameters: &[Parameter::text(
            "skill",
            "skill_name skillName",
            "Only this skill's rules, all of them; without it, the workspace's",
        )],
        writes: false,
        output: Some(output::digest),
        request: |arguments, _| Request::Digest { skill: arguments.take("skill") },
    },
    ToolRow {
        name: "list_heuristics",
        title: "List the lessons",
        about: "Lists what agents have taught, with each lesson's id and status. Call it before you teach, to see whether the \
                lesson is known.",
        parameters: &[
            Parameter::text("skill", "skill_name skillName", "Only this skill's lessons"),
            Parameter {
                values: &["pending", "active", "promoted", "archived", "rejected"],
                ..Parameter::text(
                    "status",
                    "",
                    "Only lessons with this status: pending waits for a person, active and promoted are in the rules",
                )
            },
        ],
        writes: false,
        output: Some(output::lessons),
        request: list,
    },
    ToolRow {
        name: "explain_rule",
        title: "Explain a rule",
        about: "Shows where a rule comes from: its line, the words of the law it rests on and the lessons in it. It explains \
                lessons and finding codes too.",
        parameters: &[Parameter {
            required: true,
            ..Parameter::text(
                "rule",
                "rule_id ruleId",
                "A rule's number such as sema-programmer-4, a lesson's id, or a finding's code such as E0601",
            )
        }],
        writes: false,
        output: Some(output::explained),
        request: |arguments, _| Request::Explain { what: arguments.take("rule").unwrap_or_default() },
    },
    ToolRow {
        name: "check_tool_call",
        title: "Ask whether a call may run",
        about: "Says whether policy would allow, redact, ask a person about or block a tool call, and why. It decides nothing and \
                uses nothing up: the call itself is judged again when it is made. Call it before a step that may be forbidden, to \
                plan another way.",
        parameters: &[
            Parameter {
                required: true,
                ..Parameter::text("tool", "tool_name toolName name", "The tool's name")
            },
            Parameter {
                json: true,
                ..Parameter::text("arguments", "args input", "Its arguments: an object, or the JSON of one")
            },
        ],
        writes: false,
        output: Some(output::checked),
        request: check,
    },
    ToolRow {
        name: "acknowledge_notification",
        title: "Take note of a notification",
        about: "Says that you have taken note of what a rule told you, so that it is not told again. Call it with the id of a \
                notification when you have done what it asks for, or know that you need not.",
        parameters: &[Parameter {
            required: true,
            max: 64,
            ..Parameter::text(
                "id",
                "notification notification_id notificationId",
                "The notification's id, or at least the first four characters of it",
            )
        }],
        writes: true,
        output: Some(output::noted),
        request: note,
    },
    ToolRow {
        name: "compile_context",
        title: "Compile a session into a budget",
        about: "Returns a session's log as messages that fit a token budget, and the handles of the large tool outputs that were \
                left out. Call it to take up a session again, or to hand one on to another model.",
        parameters: &[
            Parameter {
                required: true,
                number: true,
                ..Parameter::text("budget", "tokens", "The most tokens of the messages")
            },
            Parameter::text("session", "session_id sessionId", "The session's id; without it, this one"),
            Parameter::text("model", "", "The model that it is for: its tokenizer counts"),
        ],
        writes: false,
        output: Some(output::context),
        request: compile_context,
    },
    ToolRow {
        name: "get_artifact",
        title: "Read a large tool output",
        about: "Returns a part of an artifact, the content of a tool's output that stands in the context as a handle and a summary \
                only: at most 32 KiB at a time, and the range that goes on behind it. Call it when the summary does not hold what \
                you need; ask for lines where you know them, and search a large one first.",
        parameters: &[
            Parameter {
                required: true,
                ..Parameter::text(
                    "handle",
                    "artifact_id artifactId id",
                    "The artifact's id, as its handle has it",
                )
            },
            Parameter::text(
                "range",
                "",
                "A part: 0-1023 are its first 1,024 bytes, lines:10-40 its lines from 10 to 40; without it, its beginning",
            ),
            Parameter::text(
                "session",
                "session_id sessionId",
                "The session that holds it; without it, this one's where the id is cut short",
            ),
        ],
        writes: false,
        output: None,
        request: |arguments, caller| {
            let id = arguments.take("handle").unwrap_or_default();
            // Whoever has the whole id has seen the handle; the start of one is looked for among a session's own.
            let own = || (id.len() < 64).then(|| caller.session.clone());
            let session = arguments.take("session").or_else(own);
            let range = arguments.take("range");
            Request::Artifact(ArtifactRequest::Get { id, range, session, most: Some(MOST_GIVEN) })
        },
    },
    ToolRow {
        name: "search_artifacts",
        title: "Search large tool outputs",
        about: "Looks for words in one artifact, or in all of this session, and returns the lines. Call it before you read a large \
                output whole.",
        parameters: &[
            Parameter {
                required: true,
                max: 500,
                ..Parameter::text("query", "", "The words, or a literal such as E0432 or src/main.rs:12")
            },
            Parameter::text("handle", "artifact_id artifactId id", "Only in this artifact"),
            Parameter::text(
                "session",
                "session_id sessionId",
                "Those of this session; without it, this one's",
            ),
        ],
        writes: false,
        output: Some(output::hits),
        request: |arguments, caller| {
            let (id, named) = (arguments.take("handle"), arguments.take("session"));
            let own = id.as_ref().is_none_or(|id| id.len() < 64).then(|| caller.session.clone());
            let session = named.or(own);
            let query = arguments.take("query").unwrap_or_default();
            Request::Artifact(ArtifactRequest::Search { query, id, session })
        },
    },
    ToolRow {
        name: "list_artifacts",
        title: "List large tool outputs",
        about: "Lists the artifacts of a session, each with its handle, its size and a summary.",
        parameters: &[Parameter::text(
            "session",
            "session_id sessionId",
            "The session's id; without it, this one",
        )],
        writes: false,
        output: Some(output::artifacts),
        request: |arguments, caller| {
            let session = arguments.take("session").unwrap_or_else(|| caller.session.clone());
            Request::Artifact(ArtifactRequest::List { session: Some(session) })
        },
    },
];

/// One tool.
pub(crate) struct ToolRow {
    pub(crate) name: &'static str,
    title: &'static str,
    about: &'static str,
    pub(crate) parameters: &'static [Parameter],
    writes: bool,
    /// The shape of its structured content. None where the words are the content itself: clients show a model one of the two, and
    /// some show none but the structured one.
    output: Option<fn() -> Value>,
    pub(crate) request: fn(&mut Arguments, &Caller) -> Request,
}

/// One parameter. All are text, or a number or an object that is kept as its JSON.
pub(crate) struct Parameter {
    pub(crate) name: &'static str,
    /// Names that are accepted too, separated by spaces.
    aliases: &'static str,
    about: &'static str,
    pub(crate) required: bool,
    /// The only values; none for any text.
    pub(crate) values: &'static [&'static str],
    /// The most characters; 0 for no such bound.
    max: u32,
    /// Takes an object, or the JSON of one.
    pub(crate) json: bool,
    /// Takes a whole number, or the digits of one.
    pub(crate) number: bool,
}

impl Parameter {
    const fn text(name: &'static str, aliases: &'static str, about: &'static str) -> Self {
        Self { name, aliases, about, required: false, values: &[], max: 0, json: false, number: false }
    }

    pub(crate) fn is_named(&self, name: &str) -> bool {
        self.name == name || self.aliases.split_whitespace().any(|alias| alias == name)
    }

    fn schema(&self) -> Value {
        let kind = match (self.json, self.number) {
            (true, _) => "object",
            (_, true) => "integer",
            _ => "string",
        };
        let mut schema = json!({"type": kind, "description": self.about});
        if self.json {
            schema["properties"] = json!({});
            schema["additionalProperties"] = json!(true);
        }
        if !self.values.is_empty() {
            schema["enum"] = json!(self.values);
        }
        if self.max > 0 {
            schema["maxLength"] = json!(self.max);
        }
        schema
    }
}

impl ToolRow {
    /// The tool with this name.
    pub(crate) fn find(name: &str) -> Option<&'static Self> {
        TOOLS.iter().find(|row| row.name == name)
    }

    /// The tool as it is listed.
    pub(crate) fn listed(&self) -> Tool {
        let annotations = ToolAnnotations::with_title(self.title)
            .read_only(!self.writes)
            .destructive(false)
            .idempotent(true)
            .open_world(false);
        let tool = Tool::new(self.name, self.about, object(self.input()))
            .with_title(self.title)
            .with_annotations(annotations);
        match self.output {
            Some(output) => tool.with_raw_output_schema(object(output())),
            None => tool,
        }
    }

    /// Whether it answers in structure beside its words.
    pub(crate) fn is_structured(&self) -> bool {
        self.output.is_some()
    }

    /// What strict clients take: one plain type for each property, an optional one is absent from `required`.
    fn input(&self) -> Value {
        let properties: JsonObject =
            self.parameters.iter().map(|parameter| (parameter.name.to_owned(), parameter.schema())).collect();
        let required =
            self.parameters.iter().filter(|parameter| parameter.required).map(|parameter| parameter.name);
        let required: Vec<&str> = required.collect();
        let mut schema = json!({"type": "object", "properties": properties, "additionalProperties": false});
        if !required.is_empty() {
            schema["required"] = json!(required);
        }
        schema
    }
}

fn object(schema: Value) -> Arc<JsonObject> {
    match schema {
        Value::Object(object) => Arc::new(object),
        _ => Arc::default(),
    }
}

fn teach(arguments: &mut Arguments, caller: &Caller) -> Request {
    let mut text = |name| arguments.take(name).unwrap_or_default();
    let (skill, condition, resolution) = (text("skill_name"), text("condition"), text("resolution"));
    Request::Lessons(LessonRequest::Add(Teaching {
        skill,
        condition,
        resolution,
        context: arguments.take("context"),
        session: Some(caller.session.clone()),
        author: caller.client.clone(),
        source: Some("mcp".to_owned()),
    }))
}

fn check(arguments: &mut Arguments, caller: &Caller) -> Request {
    let args = arguments.take("arguments").and_then(|text| serde_json::from_str::<Value>(&text).ok());
    let tool = json!({"name": arguments.take("tool"), "args": args.unwrap_or_else(|| json!({}))});
    let event = json!({"event": "pre_tool_call", "session": caller.session, "tool": tool});
    let event = Input::Text { name: "check_tool_call".to_owned(), text: event.to_string() };
    Request::Policy(PolicyRequest::Decide {
        rules: Vec::new(),
        event,
        dry_run: true,
        lenient: false,
        beside: None,
        dated: false,
    })
}

fn note(arguments: &mut Arguments, caller: &Caller) -> Request {
    let ids = arguments.take("id").map(|id| id.trim().to_owned()).into_iter().collect();
    // Notifications belong to the session of the harness, of which this server knows nothing.
    let by = caller.client.clone().or_else(|| Some("mcp".to_owned()));
    Request::Policy(PolicyRequest::Acknowledge { ids, session: None, by })
}

fn compile_context(arguments: &mut Arguments, caller: &Caller) -> Request {
    Request::Context(ContextRequest::Compile(ContextQuery {
        session: arguments.take("session").unwrap_or_else(|| caller.session.clone()),
        is_id: true,
        budget: arguments.take("budget").and_then(|digits| digits.parse().ok()),
        model: arguments.take("model"),
        ..ContextQuery::default()
    }))
}

fn list(arguments: &mut Arguments, _: &Caller) -> Request {
    let status = arguments.take("status").as_deref().and_then(LessonStatus::parse);
    Request::Lessons(LessonRequest::List { skill: arguments.take("skill"), status })
}
