//! Deciding, and the rules that decide.

use axum::extract::{Extension, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use mentci_authority::{Effect, Event, Verdict};
use mentci_host::policy::{Input, PolicyRequest, problem};
use mentci_host::{Answer, Harness, HookCall, Request};
use mentci_source::{Code, Finding};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::event_schema::event;
use super::{Answered, Api, Asked, Line, Named, Operation, Told, json as to_json, schema, status};
use crate::problem::problems;
use crate::{App, Caller, Scope};

pub(super) fn routes(api: Api) -> Api {
    let rule = "/api/v1/rules/{pack}/{id}";
    api.route(
        Operation::post("/api/v1/decide", "decides one event, and writes it into the log")
            .takes(Scope::Agent)
            .decided_once()
            .query("dry_run", schema::yes_or_no())
            .body(event()),
        decide,
    )
    .route(
        Operation::post("/api/v1/events", "tells events in their order; each is decided and remembered")
            .takes(Scope::Agent)
            .body(schema::object(&["events"], &[("events", json!({"type": "array", "items": event()}))])),
        events,
    )
    .route(
        Operation::post("/api/v1/replay", "puts a recorded session through rules").body(schema::object(
            &["events"],
            &[
                ("events", schema::text()),
                ("rules", json!({"type": "array", "items": schema::words()})),
                ("against", json!({"type": "array", "items": schema::words()})),
                ("zone", schema::or_null(schema::text())),
            ],
        )),
        replay,
    )
    .route(Operation::get("/api/v1/rules", "the rules in force"), rules)
    .route(Operation::get(rule, "one rule in full"), show)
    .route(
        Operation::put(rule, "switches a rule on or off")
            .body(schema::object(&["enabled"], &[("enabled", schema::yes_or_no())])),
        switch,
    )
    .route(
        Operation::post(
            "/api/v1/rules/{pack}/{id}/test",
            "what one rule would do about an event, and why; nothing happens",
        )
        .body(schema::object(&[], &[("event", json!({})), ("session", schema::or_null(schema::session()))])),
        test,
    )
    .route(
        Operation::put("/api/v1/rules/{pack}/{id}/parameters/{name}", "sets a parameter of a rule")
            .body(schema::object(&["value"], &[("value", json!({}))])),
        set,
    )
    .route(Operation::delete("/api/v1/rules/{pack}/{id}/parameters/{name}", "takes back what was set"), unset)
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct How {
    #[serde(default)]
    dry_run: bool,
}

/// A verdict, with what was odd about deciding.
#[derive(Debug, Serialize)]
struct Decided<'a> {
    #[serde(flatten)]
    verdict: &'a Verdict,
    findings: &'a [Finding],
}

async fn decide(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Asked(how): Asked<How>,
    Line(text): Line,
) -> Response {
    let event = Input::Text { name: "event".to_owned(), text };
    let response = if how.dry_run {
        let (rules, beside) = (Vec::new(), None);
        let look =
            PolicyRequest::Decide { rules, event, dry_run: true, lenient: false, beside, dated: false };
        app.ask(Request::Policy(look)).await
    } else {
        app.decide(mentci_workspace::Told::Text { line: event, caller: Some(caller.name.clone()) }).await
    };
    match response.verdict() {
        Some(verdict) => {
            app.asked_calls().note(verdict, &caller.name);
            to_json(&Decided { verdict, findings: &response.findings })
        }
        None => undecided(&response.findings),
    }
}

/// Nothing was decided: whoever looks at the decision alone reads a refusal.
fn undecided(findings: &[Finding]) -> Response {
    let body = json!({"decision": Effect::Block, "findings": findings});
    let mut response = to_json(&body);
    *response.status_mut() = status(findings);
    response
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Events {
    events: Vec<Object>,
}

/// An event that is told as an object, with objects in it: serde takes lists of their values too.
#[derive(Debug, Deserialize)]
#[serde(try_from = "Map<String, Value>")]
struct Object(Event);

impl TryFrom<Map<String, Value>> for Object {
    type Error = String;

    fn try_from(told: Map<String, Value>) -> Result<Self, String> {
        if let Some(key) =
            ["tool", "message", "usage"].into_iter().find(|key| told.get(*key).is_some_and(Value::is_array))
        {
            return Err(format!("`{key}` is an object, and this one is a list"));
        }
        serde_json::from_value(Value::Object(told)).map(Self).map_err(|error| error.to_string())
    }
}

async fn events(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Told(told): Told<Events>,
) -> Response {
    let name = || Some(caller.name.clone());
    let events: Vec<Event> = told.events.into_iter().map(|told| Event { caller: name(), ..told.0 }).collect();
    if let Some(finding) = unfit(&events) {
        return undecided(&[finding]);
    }
    let count = events.len();
    let call = HookCall { events, ..HookCall::new(Harness::Any) };
    let response = app.ask(Request::Hook(Box::new(call))).await;
    match &response.answer {
        // Whoever counts verdicts must not take one event's for another's.
        Answer::Hook(answer) if answer.verdicts.len() != count => undecided(&response.findings),
        Answer::Hook(answer) => {
            answer.verdicts.iter().for_each(|verdict| app.asked_calls().note(verdict, &caller.name));
            Answered(response).into_response()
        }
        _ => Answered(response).into_response(),
    }
}

/// The first event that cannot be decided: then none of them is.
fn unfit(events: &[Event]) -> Option<Finding> {
    let mut wrong = events.iter().enumerate().filter_map(|(at, event)| Some((at, problem(event)?)));
    let (at, why) = wrong.next()?;
    let finding = Finding::new(Code::EVENT_LINE, format!("`events[{at}]`: {why}"));
    Some(finding.help("none of these events was decided: mend it, and tell them again"))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Replay {
    events: String,
    #[serde(default)]
    rules: Vec<String>,
    #[serde(default)]
    against: Vec<String>,
    #[serde(default)]
    zone: Option<String>,
}

async fn replay(State(app): State<App>, Told(told): Told<Replay>) -> Response {
    let Replay { events, rules, against, zone } = told;
    if let Some(path) = rules.iter().chain(&against).find(|path| !is_inside(path)) {
        let message = format!("`{}` is no path in this workspace", path.escape_debug());
        let finding = Finding::new(Code::DAEMON_REQUEST, message);
        let help = "name files of rules relative to the workspace, such as `.pi/rules`, or `builtin`";
        return problems(StatusCode::UNPROCESSABLE_ENTITY, &[finding.help(help)]);
    }
    let events = Input::Text { name: "events.jsonl".to_owned(), text: events };
    let replay = PolicyRequest::Replay { rules, lenient: false, against, zone, events };
    Answered(app.ask(Request::Policy(replay)).await).into_response()
}

/// Whether a path stays in the workspace, whatever it says.
pub(super) fn is_inside(path: &str) -> bool {
    use std::path::{Component, Path};
    let mut parts = Path::new(path).components();
    !path.is_empty() && !path.contains('\0') && parts.all(|part| matches!(part, Component::Normal(_)))
}

async fn rules(State(app): State<App>) -> Answered {
    Answered(app.ask(Request::Policy(PolicyRequest::Rules { paths: Vec::new() })).await)
}

async fn show(State(app): State<App>, Named((pack, id)): Named<(String, String)>) -> Answered {
    Answered(app.ask(Request::Policy(PolicyRequest::Show { rule: format!("{pack}/{id}") })).await)
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Switch {
    pub(super) enabled: bool,
}

async fn switch(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Named((pack, id)): Named<(String, String)>,
    Told(told): Told<Switch>,
) -> Answered {
    let switch = PolicyRequest::Switch { rule: format!("{pack}/{id}"), enabled: told.enabled };
    Answered(app.ask_as(&caller, Request::Policy(switch)).await)
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Trial {
    #[serde(default)]
    event: Option<Value>,
    #[serde(default)]
    session: Option<String>,
}

async fn test(
    State(app): State<App>,
    Named((pack, id)): Named<(String, String)>,
    Told(told): Told<Trial>,
) -> Answered {
    let text = |event: Value| Input::Text { name: "event".to_owned(), text: event.to_string() };
    let event = told.event.map(text);
    let trial = PolicyRequest::Try { rule: format!("{pack}/{id}"), event, session: told.session };
    Answered(app.ask(Request::Policy(trial)).await)
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Setting {
    pub(super) value: Value,
}

async fn set(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Named((pack, id, name)): Named<(String, String, String)>,
    Told(told): Told<Setting>,
) -> Answered {
    Answered(app.ask_as(&caller, parameter(&pack, &id, name, Some(told.value))).await)
}

async fn unset(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Named((pack, id, name)): Named<(String, String, String)>,
) -> Answered {
    Answered(app.ask_as(&caller, parameter(&pack, &id, name, None)).await)
}

fn parameter(pack: &str, id: &str, name: String, value: Option<Value>) -> Request {
    Request::Policy(PolicyRequest::Parameter { rule: format!("{pack}/{id}"), name, value })
}
