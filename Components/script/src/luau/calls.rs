//! The functions by which a script asks for actions.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mlua::{Lua, Table, Value as Luau};
use serde_json::{Map, Value};

use crate::scripts::Check;
use crate::{Limits, LogLevel, ScriptAction};

use super::context::{Context, Current};
use super::json::{self, Budget};
use super::meter::Meter;

/// What the run that goes on asked for, and what it may still give.
#[derive(Debug, Default)]
pub(super) struct Output {
    pub(super) calls: Vec<ScriptAction>,
    pub(super) budget: Budget,
}

/// Shared by a machine and its functions.
#[derive(Clone)]
pub(super) struct Calls {
    output: Arc<Mutex<Output>>,
    check: Check,
    meter: Arc<Meter>,
}

impl Calls {
    pub(super) fn new(check: &Check, meter: &Arc<Meter>) -> Self {
        Self { output: Arc::default(), check: Arc::clone(check), meter: Arc::clone(meter) }
    }

    pub(super) fn start(&self, limits: &Limits) {
        let budget = Budget { bytes: limits.output_bytes, calls: limits.calls, is_over: false };
        *self.output() = Output { calls: Vec::new(), budget };
    }

    pub(super) fn output(&self) -> MutexGuard<'_, Output> {
        // OK because a run that ends halfway is started anew.
        self.output.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The raw functions that the prelude wraps: they answer what is wrong as text, so that it is raised at the script's line.
    pub(super) fn install(&self, lua: &Lua, raw: &Table, current: &Current) -> mlua::Result<()> {
        self.function(lua, raw, current, "notify", |message, _, read| {
            notification(read(message)?).map(ScriptAction::Notify)
        })?;
        self.function(lua, raw, current, "log", |level, message, read| {
            let level = level.as_string().and_then(|level| LogLevel::read(&level.to_string_lossy()));
            let level = level.ok_or("log needs a level of `trace`, `debug`, `info`, `warn` or `error`")?;
            Ok(ScriptAction::Log { level, message: line(read(message)?)? })
        })?;
        self.function(lua, raw, current, "set_state", |key, value, read| {
            Ok(ScriptAction::SetState {
                key: name(read(key)?, "set_state needs a key")?,
                value: read(value)?,
            })
        })?;
        self.function(lua, raw, current, "emit", |event, payload, read| {
            Ok(ScriptAction::Emit {
                event: name(read(event)?, "emit needs the name of an event")?,
                payload: read(payload)?,
            })
        })
    }

    fn function<F>(&self, lua: &Lua, raw: &Table, current: &Current, name: &str, read: F) -> mlua::Result<()>
    where
        F: Fn(&Luau, &Luau, &mut dyn FnMut(&Luau) -> Result<Value, String>) -> Result<ScriptAction, String>
            + Send
            + 'static,
    {
        let (own, current) = (self.clone(), Arc::clone(current));
        let function = lua.create_function(move |lua, (one, two): (Luau, Luau)| {
            let mut output = own.output();
            let Output { calls, budget } = &mut *output;
            if calls.len() >= budget.calls {
                return Err(own.meter.asks_too_often(lua));
            }
            let lazies = |table: &Table| Context::value(&current, table);
            match read(&one, &two, &mut |value| json::to_json(value, budget, &lazies)) {
                Ok(action) => match (own.check)(&action) {
                    None => calls.push(action),
                    wrong => return Ok(wrong),
                },
                Err(_) if budget.is_over => return Err(own.meter.gives_too_much(lua)),
                Err(wrong) => return Ok(Some(wrong)),
            }
            Ok(None)
        })?;
        raw.raw_set(name, function)
    }
}

fn notification(value: Value) -> Result<Map<String, Value>, String> {
    match value {
        Value::String(text) => Ok(Map::from_iter([("message".to_owned(), Value::String(text))])),
        Value::Object(fields) if fields.get("message").is_some_and(Value::is_string) => Ok(fields),
        Value::Object(_) => Err("notify needs a `message` that is a string".to_owned()),
        _ => Err("notify needs a message, or a table with a `message`".to_owned()),
    }
}

fn line(value: Value) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(text),
        Value::Null => Err("log needs a message".to_owned()),
        other => Ok(other.to_string()),
    }
}

fn name(value: Value, needs: &str) -> Result<String, String> {
    match value {
        Value::String(text) if !text.is_empty() => Ok(text),
        _ => Err(format!("{needs}, a string that is not empty")),
    }
}
