//! What an expression can ask about: the event, and what the ledger remembers.

use std::borrow::Cow;

use mentci_authority::{Admission, At, Chain, Event, Hook, Role, Rule, ScriptId, ToolStatus};
use mentci_expr::{Facts, Fault, FaultKind, Function, LocalTime, Named, Value, Variable};
use mentci_ledger::LedgerView;
use serde_json::Value as Json;

use crate::names::Names;
use crate::needs::{ALIASES, CONTEXT, FACTS, Needs};
use crate::script::{FactParts, Questioning, ScriptFacts};
use crate::tuned;

/// The facts of one rule's guard at one event.
#[derive(Debug, Clone, Copy)]
pub(crate) struct World<'e> {
    pub(crate) event: &'e Event,
    pub(crate) view: LedgerView<'e>,
    pub(crate) rule: &'e Rule,
    /// None where guards have been looked at already.
    pub(crate) scripts: Option<&'e Questioning<'e>>,
}

impl<'e> World<'e> {
    /// Whether the calls were made before.
    ///
    /// # Errors
    /// The chain looks further back than calls are kept.
    pub(crate) fn chain_holds(&self, chain: &Chain, names: &[Names]) -> Result<bool, Fault> {
        let held = self.view.chain_holds(chain, &|step, name| names[step].fits(name));
        held.map_err(|error| Fault::new(FaultKind::Unanswered, error.to_string()))
    }

    /// Whether a prerequisite is missing, or a quota or cool-down used up.
    pub(crate) fn refuses(&self, admission: &Admission, full_name: &str) -> bool {
        match admission {
            Admission::Requires(tools) => !tools.iter().all(|tool| self.view.ever_called(tool)),
            Admission::Quota(quota) => self.view.is_spent(full_name, quota),
            Admission::Cooldown { turns } => self.view.admitted_lately(full_name, *turns),
        }
    }

    /// Whether a script says so.
    ///
    /// # Errors
    /// It gave no answer.
    pub(crate) fn script_holds(&self, script: &ScriptId) -> Result<bool, Fault> {
        match self.scripts {
            Some(scripts) => scripts.ask(script, self),
            None => Err(Fault::new(FaultKind::Unanswered, format!("`{}` is not asked here", script.file))),
        }
    }

    /// A part of the context that the event brought along: all of it stands instead of what the log gives, and what it does not
    /// say of the event, its result and whose it is the event says.
    fn given(&self, path: &str) -> Option<Value<'e>> {
        let context = self.event.context.as_ref()?;
        let mut value = context;
        for key in path.split('.') {
            value = value.get(key).unwrap_or(&Json::Null);
        }
        let is_told = match path.split('.').next() {
            Some(part @ "result") => context.get(part).is_some(),
            Some("user" | "project") => !value.is_null(),
            _ => true,
        };
        is_told.then(|| Value::from(value))
    }

    /// What came with the event's own name, and what the event brought along of itself: each fills what the event does not know.
    fn brought(&self) -> Option<&'e serde_json::Map<String, Json>> {
        let given = || self.event.context.as_ref()?.get("event");
        self.event.emitted.as_ref().or_else(given)?.as_object()
    }

    /// A field of the tool of an event that has no call of its own.
    fn brought_tool(&self, field: &str) -> Value<'e> {
        let told = self.brought().and_then(|brought| brought.get("tool")?.get(field));
        told.map_or(Value::Null, Value::from)
    }

    /// The event's time, with the offset with which it was told.
    fn at(&self) -> At {
        let now = self.view.now_ms();
        self.event.at.filter(|at| at.ms == now).unwrap_or_else(|| At::utc(now))
    }

    /// The call's arguments; those of the answered call where the answer does not repeat them.
    fn args(&self) -> Value<'e> {
        let Some(tool) = &self.event.tool else { return self.brought_tool("args") };
        match &tool.args {
            Json::Null => self.view.answered_args().map_or(Value::Null, Value::from),
            args => Value::from(args),
        }
    }

    fn status(&self) -> Option<ToolStatus> {
        let of_tool = self.event.tool.as_ref().and_then(|tool| tool.status);
        let of_result = self.event.result.as_ref().map(|result| {
            let failed = result.error.is_some();
            result.status.unwrap_or(if failed { ToolStatus::Error } else { ToolStatus::Success })
        });
        of_tool.or(of_result)
    }

    fn of_turn(&self, variable: Variable) -> Value<'e> {
        match variable {
            Variable::TurnNumber => int(self.view.turn()),
            Variable::TurnTokenUsage => self.view.usage(|usage| usage.token_usage).into(),
            Variable::TurnContextUsage => self.context_usage().into(),
            Variable::TurnIterationCount => int(self.view.iterations()),
            _ => self.view.usage(|usage| usage.max_iterations).map_or(Value::Null, int),
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "a share of the context window needs no more")]
    fn context_usage(&self) -> Option<f64> {
        let window = self.view.usage(|usage| usage.context_window)?;
        (window > 0).then(|| self.view.context_tokens().tokens as f64 / window as f64)
    }

    fn total_failures(&self) -> Value<'e> {
        match self.given("history.failures") {
            Some(Value::Json(Json::Object(failures))) => {
                Value::Int(failures.values().filter_map(Json::as_i64).sum())
            }
            Some(_) => Value::Int(0),
            None => int(self.view.tallies().map(|(_, tally)| tally.failed).sum()),
        }
    }

    /// The result of the call as TOML rules see it: `{tool_name, result, success, duration_ms, error, count}`.
    fn result(&self, variable: Variable) -> Value<'e> {
        let Some(result) = &self.event.result else { return self.ending(variable) };
        match variable {
            Variable::ResultToolName => Value::Text(Cow::Borrowed(self.event.tool_name())),
            Variable::ResultResult => Value::from(&result.value),
            Variable::ResultSuccess => Value::Bool(self.status() == Some(ToolStatus::Success)),
            Variable::ResultDurationMs => result.duration_ms.into(),
            Variable::ResultError => result.error.as_deref().into(),
            Variable::ResultCount => result.count.or_else(|| count(&result.value)).into(),
            _ => {
                let parts = [
                    ("tool_name", Variable::ResultToolName),
                    ("result", Variable::ResultResult),
                    ("success", Variable::ResultSuccess),
                    ("duration_ms", Variable::ResultDurationMs),
                    ("error", Variable::ResultError),
                    ("count", Variable::ResultCount),
                ];
                let known = parts.map(|(key, part)| (Cow::Borrowed(key), self.result(part)));
                let other =
                    result.other.iter().map(|(key, value)| (Cow::Borrowed(key.as_str()), value.into()));
                Value::Map(known.into_iter().chain(other).collect())
            }
        }
    }

    /// The same of an answer that brought nothing, and tells how it ended.
    fn ending(&self, variable: Variable) -> Value<'e> {
        let ended = self.status().filter(|_| self.event.hook == Hook::PostToolResponse);
        match (ended, variable) {
            (Some(status), Variable::ResultSuccess) => Value::Bool(status == ToolStatus::Success),
            (Some(_), Variable::ResultToolName) => Value::Text(Cow::Borrowed(self.event.tool_name())),
            (Some(status), Variable::Result) => map([
                ("tool_name", Value::Text(Cow::Borrowed(self.event.tool_name()))),
                ("success", Value::Bool(status == ToolStatus::Success)),
            ]),
            _ => Value::Null,
        }
    }

    /// The event itself: what is known of it and of its call, and beside that what was emitted or brought along.
    fn event(&self) -> Value<'e> {
        // Where not all could be read, nothing can be said of what was found: what walks it anyway faults.
        let found =
            |variable| if self.event.unread.is_none() { self.of_event(variable) } else { Value::Null };
        let own = [
            ("name", self.of_event(Variable::EventName)),
            ("at", self.of_event(Variable::EventAt)),
            ("timestamp", self.of_event(Variable::EventTimestamp)),
            ("tool", self.tool()),
            ("commands", found(Variable::EventCommands)),
            ("files", found(Variable::EventFiles)),
            ("unread", self.of_event(Variable::EventUnread)),
        ];
        let is_own = |key: &str| own.iter().any(|(name, _)| *name == key);
        let brought = self.brought().into_iter().flatten().filter(|(key, _)| !is_own(key));
        let brought = brought.map(|(key, value)| (Cow::Borrowed(key.as_str()), Value::from(value)));
        let brought: Vec<_> = brought.collect();
        Value::Map(own.map(|(key, value)| (Cow::Borrowed(key), value)).into_iter().chain(brought).collect())
    }

    /// The call: the event's own, or what was brought along of one.
    fn tool(&self) -> Value<'e> {
        if self.event.tool.is_none() {
            let brought = self.brought().and_then(|brought| brought.get("tool"));
            return brought.map_or(Value::Null, Value::from);
        }
        map([
            ("name", self.of_event(Variable::EventToolName)),
            ("args", self.of_event(Variable::EventToolArgs)),
            ("status", self.of_event(Variable::EventToolStatus)),
        ])
    }

    fn of_event(&self, variable: Variable) -> Value<'e> {
        match variable {
            Variable::EventName => Value::from(self.event.hook.name()),
            Variable::EventAt => Value::Text(Cow::Owned(self.at().to_string())),
            Variable::EventTimestamp => Value::Int(self.view.now_ms()),
            Variable::EventToolName if self.event.tool.is_none() => self.brought_tool("name"),
            Variable::EventToolName => self.event.tool.as_ref().map(|tool| tool.name.as_str()).into(),
            Variable::EventToolArgs => self.args(),
            Variable::EventToolStatus => match self.status() {
                None if self.event.tool.is_none() => self.brought_tool("status"),
                status => status.map(ToolStatus::name).into(),
            },
            Variable::EventCommands => list(&self.event.commands),
            Variable::EventFiles => list(&self.event.files),
            Variable::EventUnread => self.event.unread.as_deref().into(),
            _ => self.event(),
        }
    }

    /// The text of a scope; none where nothing was said.
    fn text(&self, scope: &str) -> Option<&'e str> {
        let event = self.event;
        match scope {
            "message" => event.message.as_ref().map(|message| message.text.as_str()),
            // The answered call's own result is the last tool's text, though the log does not have it yet.
            "last_tool" => {
                let result = event.result.as_ref();
                let own = result.and_then(|result| result.error.as_deref().or_else(|| result.value.as_str()));
                own.or_else(|| self.view.last_text(Role::Tool))
            }
            _ => self.view.last_text(Role::parse(scope.strip_prefix("last_")?)?),
        }
    }

    fn tokens(&self, scope: &str) -> u64 {
        let counted = match (scope, &self.event.message) {
            ("context", _) => Some(self.view.context_tokens()),
            ("message", Some(message)) => self.view.last_tokens(message.role),
            _ => {
                scope.strip_prefix("last_").and_then(Role::parse).and_then(|role| self.view.last_tokens(role))
            }
        };
        counted.map_or(0, |count| count.tokens)
    }

    fn tools(&self) -> Option<&'e Vec<Json>> {
        self.event.context.as_ref()?.get("history")?.get("tools")?.as_array()
    }

    /// How many of the recent calls of a tool succeeded, or failed.
    fn ended(&self, tool: &str, success: bool) -> u64 {
        if self.event.context.is_none() {
            let tally = self.view.tally(tool);
            return if success { tally.completed } else { tally.failed };
        }
        let of = |call: &&Json| call["name"] == tool && call["success"] == success;
        self.tools().map_or(0, |tools| tools.iter().filter(of).count() as u64)
    }

    fn failure_count(&self, tool: &str) -> Value<'e> {
        match self.given("history.failures") {
            Some(failures) => Value::Int(failures.get(tool).as_int().unwrap_or(0)),
            None => int(self.view.tally(tool).failed),
        }
    }

    /// Since a rule fired, named by its id among its own pack's, or by its full name.
    fn since_ms(&self, rule: &str) -> Option<i64> {
        self.view.since_ms(&format!("{}/{rule}", self.rule.origin.pack)).or_else(|| self.view.since_ms(rule))
    }

    fn messages(&self) -> Value<'e> {
        let message = |(role, text): (mentci_authority::Role, &'e str)| {
            map([("role", role.name().into()), ("content", text.into())])
        };
        Value::List(self.view.recent_messages().map(message).collect())
    }

    fn calls(&self) -> Value<'e> {
        let call = |call: Cow<'e, mentci_ledger::RecentTool>| match call {
            Cow::Borrowed(call) => map([
                ("name", call.name.as_str().into()),
                ("arguments", (&call.args).into()),
                ("result", (&call.result).into()),
                ("success", call.success.into()),
                ("timestamp", Value::Int(call.at_ms)),
            ]),
            Cow::Owned(call) => map([
                ("name", call.name.into()),
                ("arguments", owned(call.args)),
                ("result", owned(call.result)),
                ("success", call.success.into()),
                ("timestamp", Value::Int(call.at_ms)),
            ]),
        };
        Value::List(self.view.recent_tools().into_iter().map(call).collect())
    }

    fn failures(&self) -> Value<'e> {
        let failed = self.view.tallies().filter(|(_, tally)| tally.failed > 0);
        Value::Map(failed.map(|(tool, tally)| (Cow::Borrowed(tool), int(tally.failed))).collect())
    }

    fn state(&self) -> Value<'e> {
        let kept = self.view.kept(self.rule.owner());
        Value::Map(
            kept.into_iter()
                .flatten()
                .map(|(key, value)| (Cow::Borrowed(key.as_str()), value.into()))
                .collect(),
        )
    }

    /// Everything that a template may name: `context` and its parts, the event, the parameters.
    pub(crate) fn facts(&self) -> Json {
        self.facts_for(Needs::ALL)
    }

    /// The facts that are needed: those that are read by their own names, and in `context` those that are read there.
    pub(crate) fn facts_for(&self, needs: Needs) -> Json {
        let made = |name: &&'static str| ((*name).to_owned(), self.fact(name));
        let parts = CONTEXT.iter().chain(&["parameters", "plugin"]).filter(|name| needs.within(name));
        let mut context: serde_json::Map<String, Json> = parts.map(made).collect();
        let own = FACTS.iter().filter(|name| needs.alone(name)).map(|name| {
            let shared = context.get(*name).cloned();
            ((*name).to_owned(), shared.unwrap_or_else(|| self.fact(name)))
        });
        let mut facts: serde_json::Map<String, Json> = own.collect();
        for name in ALIASES.iter().filter(|name| needs.within(name)) {
            let value = Variable::find(name).map(|variable| self.variable(variable).to_json());
            context.extend(value.map(|value| ((*name).to_owned(), value)));
        }
        // What the event brought along stands, with names that are none of ours.
        for (name, value) in self.event.context.as_ref().and_then(Json::as_object).into_iter().flatten() {
            if !CONTEXT.contains(&name.as_str()) {
                context.insert(name.clone(), value.clone());
                if !FACTS.contains(&name.as_str()) {
                    facts.insert(name.clone(), value.clone());
                }
            }
        }
        facts.insert("context".to_owned(), Json::Object(context));
        Json::Object(facts)
    }

    /// A part of the context: ours, and what the event brought along in its place.
    fn part(&self, name: &str) -> Json {
        let own = match name {
            "turn" => self.fields([
                ("number", Variable::TurnNumber),
                ("token_usage", Variable::TurnTokenUsage),
                ("context_usage", Variable::TurnContextUsage),
                ("iteration_count", Variable::TurnIterationCount),
                ("max_iterations", Variable::TurnMaxIterations),
            ]),
            "history" => self.fields([
                ("messages", Variable::HistoryMessages),
                ("tools", Variable::HistoryTools),
                ("failures", Variable::HistoryFailures),
                ("total_failures", Variable::HistoryTotalFailures),
            ]),
            "user" => self.fields([("id", Variable::UserId), ("settings", Variable::UserSettings)]),
            "project" => self.fields([("id", Variable::ProjectId), ("settings", Variable::ProjectSettings)]),
            "state" => self.variable(Variable::State).to_json(),
            "event" => return self.event().to_json(),
            _ => self.variable(Variable::Result).to_json(),
        };
        match (own, self.event.context.as_ref().and_then(|given| given.get(name))) {
            (Json::Object(mut own), Some(Json::Object(given))) => {
                own.extend(given.clone());
                Json::Object(own)
            }
            (_, Some(given)) => given.clone(),
            (own, None) => own,
        }
    }

    fn fields<const N: usize>(&self, fields: [(&str, Variable); N]) -> Json {
        let value = |(key, variable): (&str, Variable)| (key.to_owned(), self.variable(variable).to_json());
        Json::Object(fields.into_iter().map(value).collect())
    }

    fn session_fact(&self, key: &str) -> Option<Value<'e>> {
        // The ledger's own counters and taints cannot be told otherwise by an event.
        if let Some(tool) = key.strip_prefix("tool_count.") {
            return Some(int(self.view.tally(tool).calls));
        }
        match key {
            "total_calls" => Some(int(self.view.total_calls())),
            "tainted" => Some(Value::Bool(!self.view.taints().is_empty())),
            _ => {
                let taint = key.strip_prefix("taint.").map(|name| Value::Bool(self.view.is_tainted(name)));
                taint.or_else(|| self.event.session_facts.get(key).map(Value::from))
            }
        }
    }
}

impl ScriptFacts for World<'_> {
    fn names(&self) -> &'static [&'static str] {
        FACTS
    }

    fn fact(&self, name: &str) -> Json {
        match name {
            "parameters" => Json::Object(tuned::parameters(self.event, self.rule)),
            "plugin" => serde_json::json!({ "settings": tuned::settings(self.event, self.rule) }),
            "session" => Json::Object(self.event.session_facts.clone()),
            "tool" => self.tool().to_json(),
            "rule" => Json::from(self.rule.id.as_str()),
            part if CONTEXT.contains(&part) => self.part(part),
            other => Variable::find(other).map_or(Json::Null, |variable| self.variable(variable).to_json()),
        }
    }

    fn parts(&self, name: &str) -> FactParts {
        if name != "history" || self.event.context.is_some() {
            return FactParts { value: self.fact(name), lists: Vec::new() };
        }
        let value = self.fields([
            ("messages", Variable::HistoryMessages),
            ("failures", Variable::HistoryFailures),
            ("total_failures", Variable::HistoryTotalFailures),
        ]);
        let calls = self.view.recent_tools().into_iter().map(|call| call.fact().clone());
        FactParts { value, lists: vec![("tools", calls.collect())] }
    }
}

fn map<'v, const N: usize>(entries: [(&'static str, Value<'v>); N]) -> Value<'v> {
    Value::Map(entries.map(|(key, value)| (Cow::Borrowed(key), value)).into())
}

fn list(items: &[Json]) -> Value<'_> {
    Value::List(items.iter().map(Value::from).collect())
}

fn int(number: u64) -> Value<'static> {
    Value::Int(i64::try_from(number).unwrap_or(i64::MAX))
}

/// A value that nobody else holds.
fn owned(json: Json) -> Value<'static> {
    match json {
        Json::String(text) => text.into(),
        Json::Array(items) => Value::List(items.into_iter().map(owned).collect()),
        Json::Object(fields) => {
            Value::Map(fields.into_iter().map(|(key, value)| (Cow::Owned(key), owned(value))).collect())
        }
        scalar => match Value::from(&scalar) {
            Value::Bool(value) => Value::Bool(value),
            Value::Int(number) => Value::Int(number),
            Value::Float(number) => Value::Float(number),
            _ => Value::Null,
        },
    }
}

/// How many items a result holds, where it is a list or says so itself.
fn count(value: &Json) -> Option<i64> {
    let listed = |json: &Json| json.as_array().and_then(|items| i64::try_from(items.len()).ok());
    listed(value).or_else(|| value.get("count")?.as_i64()).or_else(|| listed(value.get("results")?))
}

impl Facts for World<'_> {
    fn variable(&self, variable: Variable) -> Value<'_> {
        match variable {
            Variable::TurnIndex => int(self.view.turn()),
            Variable::ContextTokens => int(self.view.context_tokens().tokens),
            Variable::HistoryLength => int(self.view.history_length()),
            Variable::LastRole => Value::from(self.view.last_role().map_or("none", Role::name)),
            Variable::Sender => self.event.sender.as_deref().into(),
            Variable::Event
            | Variable::EventName
            | Variable::EventAt
            | Variable::EventTimestamp
            | Variable::EventToolName
            | Variable::EventToolArgs
            | Variable::EventToolStatus
            | Variable::EventCommands
            | Variable::EventFiles
            | Variable::EventUnread => self.of_event(variable),
            Variable::HistoryTotalFailures => {
                let told = self.given("history.total_failures").filter(|value| !value.is_null());
                told.unwrap_or_else(|| self.total_failures())
            }
            Variable::ResultCount if self.given("result").is_some() => {
                let told = self.given("result.count").filter(|value| !value.is_null());
                let counted = || self.event.context.as_ref()?.get("result")?.get("result").and_then(count);
                told.unwrap_or_else(|| counted().into())
            }
            _ => self.given(variable.path()).unwrap_or_else(|| match variable {
                Variable::TurnNumber
                | Variable::TurnTokenUsage
                | Variable::TurnContextUsage
                | Variable::TurnIterationCount
                | Variable::TurnMaxIterations => self.of_turn(variable),
                Variable::HistoryMessages => self.messages(),
                Variable::HistoryTools => self.calls(),
                Variable::HistoryFailures => self.failures(),
                Variable::State => self.state(),
                Variable::Result
                | Variable::ResultToolName
                | Variable::ResultResult
                | Variable::ResultSuccess
                | Variable::ResultDurationMs
                | Variable::ResultError
                | Variable::ResultCount => self.result(variable),
                Variable::UserId => self.event.facts.get("user_id").map(Value::from).into(),
                Variable::ProjectId => self.event.facts.get("project_id").map(Value::from).into(),
                _ => Value::Null,
            }),
        }
    }

    fn named(&self, scope: Named, name: &str) -> Option<Value<'_>> {
        match scope {
            Named::Variable => {
                let session = self.view.session();
                session
                    .variable(&self.rule.variable_key(name))
                    .or_else(|| session.variable(name))
                    .map(Value::from)
            }
            Named::Parameter => tuned::parameter(self.event, self.rule, name).map(Value::from),
            Named::Setting => tuned::setting(self.event, self.rule, name).map(Value::from),
            Named::State => match &self.event.context {
                Some(context) => context.get("state")?.get(name).map(Value::from),
                None => self.view.state(self.rule.owner(), name).map(Value::from),
            },
            Named::Session => self.session_fact(name),
            Named::Fact => match name.strip_prefix("claimed.") {
                Some(claim) => self.event.claimed.get(claim).map(Value::from),
                None => self.event.facts.get(name).map(Value::from),
            },
        }
    }

    fn call<'a>(&'a self, function: Function, arguments: &[Value<'a>]) -> Result<Value<'a>, Fault> {
        let text = |at: usize| arguments.get(at).and_then(Value::as_str).unwrap_or_default();
        let number = |at: usize| arguments.get(at).and_then(Value::as_int).unwrap_or(0);
        Ok(match function {
            Function::EverCalled => Value::Bool(self.view.ever_called(text(0))),
            Function::CountCalls => int(self.view.count_calls(text(0))),
            Function::CalledSince => {
                let turns = u64::try_from(number(1)).unwrap_or(0);
                Value::Bool(self.view.called_since(text(0), turns))
            }
            Function::TextContains => {
                Value::Bool(self.text(text(1)).is_some_and(|held| held.contains(text(0))))
            }
            Function::Tokens => int(self.tokens(text(0))),
            Function::Now => Value::Int(self.view.now_ms()),
            Function::SinceMs => self.since_ms(text(0)).into(),
            Function::ToolCompleted => Value::Bool(self.ended(text(0), true) > 0),
            Function::ToolFailed => Value::Bool(self.ended(text(0), false) > 0),
            Function::FailureCount => self.failure_count(text(0)),
            Function::ContextAboveThreshold => {
                let usage = self.variable(Variable::TurnContextUsage).as_float().unwrap_or(0.0);
                Value::Bool(usage > arguments.first().and_then(Value::as_float).unwrap_or(f64::INFINITY))
            }
            Function::MessageCountAbove => {
                let told = self.given("history.messages").map(|messages| match messages {
                    Value::Json(Json::Array(items)) => items.len() as u64,
                    _ => 0,
                });
                let count = told.unwrap_or_else(|| self.view.history_length());
                Value::Bool(i64::try_from(count).unwrap_or(i64::MAX) > number(0))
            }
            other => {
                let message = format!("`{}` cannot be answered here", other.name());
                return Err(Fault::new(FaultKind::Unanswered, message));
            }
        })
    }

    fn local_time(&self, zone: Option<&str>) -> Option<LocalTime> {
        let at = self.event.at?;
        let at = match zone.or(self.rule.timezone.as_deref()) {
            None => at,
            Some(zone) => at.with_offset(offset(zone).or_else(|| self.event.zones.get(zone).copied())?),
        };
        Some(LocalTime { minute: at.minute_of_day(), weekday: at.weekday() })
    }
}

/// The offset of a zone that says it itself: `UTC`, `Z`, `+02:00`.
fn offset(zone: &str) -> Option<i32> {
    if matches!(zone, "UTC" | "Z" | "Etc/UTC") {
        return Some(0);
    }
    let sign = match zone.as_bytes().first()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    let (hours, minutes) = zone[1..].split_once(':')?;
    let (hours, minutes): (i32, i32) = (hours.parse().ok()?, minutes.parse().ok()?);
    (hours <= 14 && minutes < 60).then_some(sign * (hours * 3_600 + minutes * 60))
}
