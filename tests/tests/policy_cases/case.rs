//! A case: files of rules, and a session with what stands under its events.

use mentci_authority::{At, Event, Trust};
use mentci_ledger::{Act, Record};
use serde_json::{Value, json};

/// A session under rules.
pub(crate) struct Case {
    /// What it shows.
    pub(crate) name: String,
    /// The files of rules.
    pub(crate) files: Vec<File>,
    /// What happens.
    pub(crate) steps: Vec<Step>,
    /// Its lines as they stand, without what comes of the events.
    lines: Vec<Written>,
}

/// A file of rules.
pub(crate) struct File {
    /// Its path: the dialect is its extension.
    pub(crate) path: String,
    /// Who vouches for it.
    pub(crate) trust: Trust,
    /// Its rules.
    pub(crate) text: String,
}

/// What happens.
pub(crate) enum Step {
    /// An event; unanswered when the log does not hold the call's answer.
    Event { event: Box<Event>, unanswered: bool },
    /// What a person does.
    Act(Doing),
}

/// What a person does, to the approval that was asked for last.
pub(crate) struct Doing {
    act: Value,
    at: At,
    session: String,
}

enum Written {
    Same(String),
    Event(String),
}

const START: &str = "2026-03-02T10:00:00Z";

impl Case {
    /// The cases of a file.
    pub(crate) fn all(text: &str) -> Vec<Self> {
        let cases = text.split("\n== ").enumerate();
        let body = |(at, text): (usize, &str)| match at {
            0 => text
                .strip_prefix("== ")
                .or_else(|| text.split_once("\n== ").map(|(_, body)| body))
                .map(str::to_owned),
            _ => Some(text.to_owned()),
        };
        cases.filter_map(body).map(|body| Self::read(&body)).collect()
    }

    fn read(text: &str) -> Self {
        let (name, body) = text.split_once('\n').unwrap_or((text, ""));
        let mut case =
            Self { name: name.to_owned(), files: Vec::new(), steps: Vec::new(), lines: Vec::new() };
        let mut reader = Reader { at: START.to_owned(), in_events: false };
        for line in body.lines() {
            reader.line(line, &mut case);
        }
        case.mark_answered();
        case
    }

    /// Calls whose answer the log holds wait for it.
    fn mark_answered(&mut self) {
        let mut later: Vec<String> = Vec::new();
        for step in self.steps.iter_mut().rev() {
            let Step::Event { event, unanswered } = step else { continue };
            let Some(id) = event.tool.as_ref().and_then(|tool| tool.call_id.clone()) else { continue };
            match event.hook {
                mentci_authority::Hook::PostToolResponse => later.push(id),
                _ => *unanswered = !later.contains(&id),
            }
        }
    }

    /// Whether the program, which trusts what it is given, decides it too.
    pub(crate) fn is_for_every_door(&self) -> bool {
        let is_act = |step: &Step| matches!(step, Step::Act(doing) if doing.act.is_string());
        self.files.iter().all(|file| file.trust == Trust::User) && !self.steps.iter().any(is_act)
    }

    /// The log of its events.
    pub(crate) fn log(&self) -> String {
        let line = |step: &Step| match step {
            Step::Event { event, .. } => serde_json::to_value(event).expect("an event is JSON"),
            Step::Act(doing) => json!({"act": doing.act, "at": doing.at, "session": doing.session}),
        };
        let mut log: Vec<String> = self.steps.iter().map(|step| line(step).to_string()).collect();
        log.push(String::new());
        log.join(
            "
",
        )
    }

    /// The case as it stands, with these outcomes.
    pub(crate) fn with(&self, outcomes: &[String]) -> String {
        let mut outcomes = outcomes.iter();
        let mut text = format!("== {}\n", self.name);
        for line in &self.lines {
            match line {
                Written::Same(line) => text.extend([line, "\n"]),
                Written::Event(line) => {
                    let outcome = outcomes.next().map_or("", String::as_str);
                    text.extend([line, "\n  > ", outcome, "\n"]);
                }
            }
        }
        text
    }
}

struct Reader {
    at: String,
    in_events: bool,
}

impl Reader {
    fn line(&mut self, line: &str, case: &mut Case) {
        if self.in_events && line.starts_with("  > ") {
            return;
        }
        let mut written = Written::Same(line.to_owned());
        if let Some(head) = line.strip_prefix("---- ") {
            self.in_events = head == "events";
            if !self.in_events {
                case.files.push(file(head));
            }
        } else if !self.in_events {
            let file = case.files.last_mut().expect("a file of rules stands before its text");
            file.text.extend([line, "\n"]);
        } else if let Some(step) = self.step(line) {
            if matches!(step, Step::Event { .. }) {
                written = Written::Event(line.to_owned());
            }
            case.steps.push(step);
        }
        case.lines.push(written);
    }

    fn step(&mut self, line: &str) -> Option<Step> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let mut event = match word {
            "" | "#" => return None,
            "at" => {
                rest.clone_into(&mut self.at);
                return None;
            }
            "!" => return Some(Step::Act(self.doing(rest))),
            "call" => call("pre_tool_call", rest),
            "done" => call("post_tool_response", rest),
            "turn" => json!({"event": "turn_start"}),
            "says" => said(rest),
            _ => serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}")),
        };
        let object = event.as_object_mut().expect("an event is an object");
        object.entry("at").or_insert_with(|| self.at.as_str().into());
        object.entry("session").or_insert_with(|| "s1".into());
        let event = serde_json::from_value(event).unwrap_or_else(|error| panic!("{line}: {error}"));
        Some(Step::Event { event: Box::new(event), unanswered: true })
    }

    fn doing(&self, rest: &str) -> Doing {
        let act = match rest {
            "grant" | "deny" => rest.into(),
            json => serde_json::from_str(json).unwrap_or_else(|error| panic!("{json}: {error}")),
        };
        let at = serde_json::from_value(self.at.as_str().into()).expect("a time");
        Doing { act, at, session: "s1".to_owned() }
    }
}

impl Doing {
    pub(crate) fn record(&self, approval: Option<&str>) -> Record {
        let (approval, by) = (approval.unwrap_or_default().to_owned(), "a person".to_owned());
        let act = match self.act.as_str() {
            Some("grant") => Act::Granted { approval, by, words: None },
            Some(_) => Act::Denied { approval, by, words: None },
            None => serde_json::from_value(self.act.clone()).expect("an act"),
        };
        Record::act(&self.session, self.at, act)
    }
}

/// `rules.yaml`, or `rules.yaml untrusted`.
fn file(head: &str) -> File {
    let (path, trust) = head.split_once(' ').unwrap_or((head, "user"));
    let trust = serde_json::from_value(trust.into()).unwrap_or_else(|_| panic!("no such trust: {trust}"));
    File { path: path.to_owned(), trust, text: String::new() }
}

/// `exec {"command": "ls"}`, and what else the event holds: `exec {…} {"sender": "x"}`.
fn call(hook: &str, rest: &str) -> Value {
    let (name, rest) = rest.split_once(' ').unwrap_or((rest, "{}"));
    let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
    let args = values
        .next()
        .map_or_else(|| json!({}), |args| args.unwrap_or_else(|error| panic!("{rest}: {error}")));
    let mut event = json!({"event": hook, "tool": {"name": name, "args": args}});
    let more = values.next().map(|more| more.unwrap_or_else(|error| panic!("{rest}: {error}")));
    for (key, value) in more.as_ref().and_then(Value::as_object).into_iter().flatten() {
        match key.as_str() {
            "id" => event["tool"]["call_id"] = value.clone(),
            _ => event[key] = value.clone(),
        }
    }
    event
}

/// `user please`
fn said(rest: &str) -> Value {
    let (role, text) = rest.split_once(' ').unwrap_or((rest, ""));
    json!({"event": "message_appended", "message": {"role": role, "text": text}})
}
