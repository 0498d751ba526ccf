//! The tools: what they are called, what they take and which request they are.

use std::sync::Arc;

use mentci_authority::LessonStatus;
use mentci_host::policy::{Input, PolicyRequest};
use mentci_host::{LessonRequest, Request, Teaching};
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Value, json};

use crate::arguments::Arguments;
use crate::caller::Caller;
use crate::output;

/// Every tool, in the order of their listing.
pub(crate) const TOOLS: [ToolRow; 6] = [
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
        output: output::taught,
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
        output: output::digest,
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
        output: output::lessons,
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
        output: output::explained,
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
        output: output::checked,
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
        output: output::noted,
        request: note,
    },
];

/// One tool.
pub(crate) struct ToolRow {
    pub(crate) name: &'static str,
    title: &'static str,
    about: &'static str,
    pub(crate) parameters: &'static [Parameter],
    writes: bool,
    output: fn() -> Value,
    pub(crate) request: fn(&mut Arguments, &Caller) -> Request,
}

/// One parameter. All are text, or an object that is kept as its JSON.
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
}

impl Parameter {
    const fn text(name: &'static str, aliases: &'static str, about: &'static str) -> Self {
        Self { name, aliases, about, required: false, values: &[], max: 0, json: false }
    }

    pub(crate) fn is_named(&self, name: &str) -> bool {
        self.name == name || self.aliases.split_whitespace().any(|alias| alias == name)
    }

    fn schema(&self) -> Value {
        let kind = if self.json { "object" } else { "string" };
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
        Tool::new(self.name, self.about, object(self.input()))
            .with_title(self.title)
            .with_annotations(annotations)
            .with_raw_output_schema(object((self.output)()))
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
    Request::Policy(PolicyRequest::Decide { rules: Vec::new(), event, dry_run: true, lenient: false })
}

fn note(arguments: &mut Arguments, caller: &Caller) -> Request {
    let ids = arguments.take("id").map(|id| id.trim().to_owned()).into_iter().collect();
    // Notifications belong to the session of the harness, of which this server knows nothing.
    let by = caller.client.clone().or_else(|| Some("mcp".to_owned()));
    Request::Policy(PolicyRequest::Acknowledge { ids, session: None, by })
}

fn list(arguments: &mut Arguments, _: &Caller) -> Request {
    let status = arguments.take("status").as_deref().and_then(LessonStatus::parse);
    Request::Lessons(LessonRequest::List { skill: arguments.take("skill"), status })
}
