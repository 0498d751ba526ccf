//! Facts from JSON.

use serde_json::Value as Json;

use crate::{Facts, Fault, FaultKind, Function, LocalTime, Named, Value, Variable};

/// Facts read from one JSON object, for `policy-engine expr`, tests and tools.
///
/// Each variable stands under its path (`{"turn_index": 5, "event": {"tool": {"name": "exec", "args": {…}}}}`); the
/// whole context object of a TOML rule stands under `context` or at the top. A line of `replay` reads too:
/// `{"event": "pre_tool_call", "at": "2026-03-02T10:00:00Z", "tool": {"name": …, "args": …}, "session_facts": …}`.
/// What ran is what `history.tools` lists; texts and tokens of scopes come from `texts` and `tokens`, by scope, or from
/// the messages of the history.
#[derive(Debug, Clone, Copy)]
pub struct JsonFacts<'j> {
    facts: &'j Json,
}

impl<'j> JsonFacts<'j> {
    /// Facts of an object.
    pub fn new(facts: &'j Json) -> Self {
        Self { facts }
    }

    /// What stands at a dotted path, at the top or under `context`.
    fn at(self, path: &str) -> Option<&'j Json> {
        let walk = |root: &'j Json| path.split('.').try_fold(root, |json, part| json.get(part));
        walk(self.facts).or_else(|| self.facts.get("context").and_then(walk))
    }

    fn first(self, paths: &[&str]) -> Option<&'j Json> {
        paths.iter().find_map(|path| self.at(path))
    }

    fn list(self, path: &str) -> &'j [Json] {
        self.at(path).and_then(Json::as_array).map_or(&[], Vec::as_slice)
    }

    /// How many calls of a tool in the history ended so.
    fn calls(self, tool: &str, success: bool) -> usize {
        let own =
            |call: &&Json| call["name"] == *tool && call["success"].as_bool().unwrap_or(true) == success;
        self.list("history.tools").iter().filter(own).count()
    }

    fn failures(self, tool: &str) -> i64 {
        let counted = self.at("history.failures").and_then(|failures| failures[tool].as_i64());
        counted.unwrap_or_else(|| whole(self.calls(tool, false)))
    }

    fn messages(self) -> i64 {
        self.at("history_length")
            .and_then(Json::as_i64)
            .unwrap_or_else(|| whole(self.list("history.messages").len()))
    }

    /// The text of a scope.
    fn text(self, scope: &str) -> Option<String> {
        if let Some(text) = self.at("texts").and_then(|texts| texts[scope].as_str()) {
            return Some(text.to_owned());
        }
        let messages = self.list("history.messages");
        let text = |message: &Json| message["content"].as_str().unwrap_or_default().to_owned();
        match scope {
            "message" => self.at("message.content").and_then(Json::as_str).map(str::to_owned),
            "context" => Some(messages.iter().map(text).collect::<Vec<_>>().join("\n")),
            _ => {
                let role = scope.strip_prefix("last_")?;
                messages.iter().rev().find(|message| message["role"] == *role).map(text)
            }
        }
    }

    /// What is worked out where it does not stand there by itself.
    fn derived(self, variable: Variable) -> Option<Value<'j>> {
        Some(match variable {
            Variable::TurnIndex | Variable::TurnNumber => Value::from(
                self.first(&["turn_index", "turn.number", "turn"]).filter(|json| json.is_number())?,
            ),
            Variable::HistoryLength => Value::Int(self.messages()),
            Variable::HistoryTotalFailures => {
                let failures = self.at("history.failures")?.as_object()?;
                Value::Int(failures.values().filter_map(Json::as_i64).fold(0, i64::saturating_add))
            }
            Variable::ResultCount => match self.at("result.result")? {
                Json::Array(items) => Value::Int(whole(items.len())),
                Json::Object(map) => Value::Int(whole(map.values().find_map(Json::as_array)?.len())),
                _ => return None,
            },
            Variable::EventName => {
                Value::from(self.first(&["event", "hook"]).filter(|json| json.is_string())?)
            }
            Variable::EventAt => Value::from(self.at("at").filter(|json| json.is_string())?),
            Variable::EventTimestamp => {
                Value::from(self.first(&["now", "at"]).filter(|json| json.is_number())?)
            }
            Variable::EventToolName => Value::from(self.at("tool.name")?),
            Variable::EventToolArgs => Value::from(self.first(&["tool.args", "args"])?),
            Variable::EventToolStatus => Value::from(self.at("tool.status")?),
            Variable::LastRole => Value::from(self.list("history.messages").last()?.get("role")?),
            _ => return None,
        })
    }
}

impl Facts for JsonFacts<'_> {
    fn variable(&self, variable: Variable) -> Value<'_> {
        let own = match variable {
            // The event of a bus is the context's; a hook's own is known by its fields.
            Variable::Event => self.at("context.event").or(self.at("event").filter(|json| !json.is_string())),
            _ => self.at(variable.path()),
        };
        own.map(Value::from).or_else(|| self.derived(variable)).unwrap_or(Value::Null)
    }

    fn named<'a>(&'a self, scope: Named, name: &str) -> Option<Value<'a>> {
        let groups: &[&str] = match scope {
            Named::Variable => &["variables"],
            Named::Parameter => &["parameters"],
            Named::Setting => &["plugin.settings"],
            Named::State => &["state"],
            Named::Session => &["session_facts"],
            Named::Fact => &["facts"],
        };
        let group = self.first(groups).and_then(|group| group.get(name));
        let bare = || self.facts.get(name).filter(|_| scope == Named::Variable);
        group.or_else(bare).map(Value::from)
    }

    fn call<'a>(&'a self, function: Function, arguments: &[Value<'a>]) -> Result<Value<'a>, Fault> {
        let text = arguments.first().and_then(Value::as_str).unwrap_or_default();
        let number = arguments.first().and_then(Value::as_float).unwrap_or_default();
        let answer = match function {
            Function::EverCalled => Some(Value::Bool(self.calls(text, true) + self.calls(text, false) > 0)),
            Function::CountCalls => Some(Value::Int(whole(self.calls(text, true) + self.calls(text, false)))),
            Function::ToolCompleted => Some(Value::Bool(self.calls(text, true) > 0)),
            Function::ToolFailed => Some(Value::Bool(self.calls(text, false) > 0 || self.failures(text) > 0)),
            Function::FailureCount => Some(Value::Int(self.failures(text))),
            Function::MessageCountAbove => {
                arguments[0].as_int().map(|least| Value::Bool(self.messages() > least))
            }
            Function::ContextAboveThreshold => {
                let used = self.variable(Variable::TurnContextUsage).as_float();
                used.map(|used| Value::Bool(used > number))
            }
            Function::TextContains => {
                let scope = arguments[1].as_str().unwrap_or_default();
                Some(Value::Bool(self.text(scope).is_some_and(|scope| scope.contains(text))))
            }
            Function::Tokens => self.at("tokens").and_then(|tokens| tokens.get(text)).map(Value::from),
            Function::Now => self.first(&["now", "at"]).filter(|json| json.is_number()).map(Value::from),
            Function::SinceMs => Some(self.at("since_ms").and_then(|since| since.get(text)).into()),
            _ => None,
        };
        answer.ok_or_else(|| {
            let message = format!("the facts do not answer `{}`", function.name());
            Fault::new(FaultKind::Unanswered, message)
        })
    }

    fn local_time(&self, zone: Option<&str>) -> Option<LocalTime> {
        let at = self.at("at")?.as_str()?;
        local(at, zone)
    }
}

fn whole(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// Minute and weekday of an RFC 3339 time, as it is written or at another offset.
fn local(at: &str, zone: Option<&str>) -> Option<LocalTime> {
    let (year, month, day) =
        (at.get(..4)?.parse().ok()?, at.get(5..7)?.parse().ok()?, at.get(8..10)?.parse().ok()?);
    let (hour, minute): (i64, i64) = (at.get(11..13)?.parse().ok()?, at.get(14..16)?.parse().ok()?);
    let sign = at.rfind(['Z', 'z', '+', '-']).filter(|&sign| sign > 15)?;
    let shift = match zone {
        None => 0,
        Some(zone) => offset(zone)? - offset(&at[sign..])?,
    };
    let minutes = days(year, month, day) * 1440 + hour * 60 + minute + shift;
    // The first of January 1970 was a Thursday.
    let weekday = u8::try_from((minutes.div_euclid(1440) + 3).rem_euclid(7)).ok()?;
    Some(LocalTime { minute: u16::try_from(minutes.rem_euclid(1440)).ok()?, weekday })
}

/// Minutes of `Z`, `UTC` or `+02:00`.
fn offset(zone: &str) -> Option<i64> {
    if zone.eq_ignore_ascii_case("z") || zone.eq_ignore_ascii_case("utc") {
        return Some(0);
    }
    let (sign, rest) = (if zone.starts_with('-') { -1 } else { 1 }, zone.strip_prefix(['+', '-'])?);
    let (hours, minutes) = rest.split_once(':')?;
    Some(sign * (hours.parse::<i64>().ok()? * 60 + minutes.parse::<i64>().ok()?))
}

/// Days since 1970-01-01 (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}
