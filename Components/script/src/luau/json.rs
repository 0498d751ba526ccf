//! Values between Luau and JSON.

use mlua::{IntoLua, Lua, Table, Value as Luau};
use serde_json::{Map, Number, Value};

/// The deepest value that goes in either direction.
const MAX_DEPTH: usize = 32;

/// What each value weighs, beside its text.
const WEIGHT: usize = 8;

/// How much may still come out of a run.
#[derive(Debug, Default)]
pub(super) struct Budget {
    pub(super) bytes: usize,
    pub(super) calls: usize,
    /// Whether more was to come out.
    pub(super) is_over: bool,
}

impl Budget {
    fn spend(&mut self, text: usize) -> Result<(), String> {
        let left = self.bytes.checked_sub(text.saturating_add(WEIGHT));
        self.is_over |= left.is_none();
        self.bytes = left.ok_or("the script gives more output than it may")?;
        Ok(())
    }
}

/// A JSON value as read-only Luau. Null is nil; what is deeper than 32 is nil too.
///
/// The limit of memory is lifted meanwhile: guarding each of these steps against it takes longer than the step. What is
/// converted is there already as JSON, and what the script allocates next meets the limit.
pub(super) fn to_luau(lua: &Lua, value: &Value) -> mlua::Result<Luau> {
    match value {
        Value::Array(_) | Value::Object(_) => {
            let limit = lua.set_memory_limit(0)?;
            let converted = Inward(value, MAX_DEPTH).into_lua(lua);
            lua.set_memory_limit(limit)?;
            converted
        }
        single => Inward(single, MAX_DEPTH).into_lua(lua),
    }
}

/// A value on its way in, and how deep it may still nest.
struct Inward<'v>(&'v Value, usize);

impl IntoLua for Inward<'_> {
    fn into_lua(self, lua: &Lua) -> mlua::Result<Luau> {
        let Self(value, depth) = self;
        if depth == 0 {
            return Ok(Luau::Nil);
        }
        Ok(match value {
            Value::Null => Luau::Nil,
            Value::Bool(value) => Luau::Boolean(*value),
            Value::Number(number) => Luau::Number(number.as_f64().unwrap_or(f64::NAN)),
            Value::String(text) => Luau::String(lua.create_string(text)?),
            Value::Array(values) => {
                let values = values.iter().map(|value| Inward(value, depth - 1));
                read_only(lua.create_sequence_from(values)?)
            }
            Value::Object(fields) => {
                let fields = fields.iter().map(|(name, value)| (name.as_str(), Inward(value, depth - 1)));
                read_only(lua.create_table_from(fields)?)
            }
        })
    }
}

pub(super) fn read_only(table: Table) -> Luau {
    table.set_readonly(true);
    Luau::Table(table)
}

/// How the tables of the context are read: they may not be whole.
pub(super) type Lazies<'a> = &'a dyn Fn(&Table) -> Option<Value>;

/// A Luau value as JSON. No metamethod is called.
///
/// # Errors
/// In words: a value that JSON has not, a cycle, a table that is list and map at once, more than the budget.
pub(super) fn to_json(value: &Luau, budget: &mut Budget, lazies: Lazies<'_>) -> Result<Value, String> {
    Outward { budget, lazies, path: Vec::new() }.value(value)
}

struct Outward<'a> {
    budget: &'a mut Budget,
    lazies: Lazies<'a>,
    path: Vec<usize>,
}

impl Outward<'_> {
    fn value(&mut self, value: &Luau) -> Result<Value, String> {
        self.budget.spend(0)?;
        match value {
            Luau::Nil => Ok(Value::Null),
            Luau::Boolean(value) => Ok(Value::Bool(*value)),
            Luau::Integer(value) => Ok(Value::from(*value)),
            Luau::Number(value) => number(*value),
            Luau::String(value) => self.text(value).map(Value::String),
            Luau::Table(table) => self.table(table),
            other => Err(format!("a {} is no data", kind(other))),
        }
    }

    fn text(&mut self, text: &mlua::LuaString) -> Result<String, String> {
        self.budget.spend(text.as_bytes().len())?;
        text.to_str().map(|text| text.to_owned()).map_err(|_| "a string is not UTF-8".to_owned())
    }

    fn table(&mut self, table: &Table) -> Result<Value, String> {
        let own = table.to_pointer().addr();
        if self.path.contains(&own) {
            return Err("a table contains itself".to_owned());
        }
        if self.path.len() >= MAX_DEPTH {
            return Err(format!("a table is deeper than {MAX_DEPTH}"));
        }
        if table.has_metatable()
            && let Some(value) = (self.lazies)(table)
        {
            self.budget.spend(value.to_string().len())?;
            return Ok(value);
        }
        self.path.push(own);
        let value = if table.raw_len() > 0 { self.list(table) } else { self.map(table).map(Value::Object) };
        self.path.pop();
        value
    }

    fn list(&mut self, table: &Table) -> Result<Value, String> {
        let length = table.raw_len();
        self.budget.spend(length.saturating_mul(WEIGHT))?;
        let mut values = vec![Value::Null; length];
        each(table, |key, value| {
            let index = match key {
                Luau::Integer(index) => usize::try_from(index).ok(),
                _ => None,
            };
            let slot = index.and_then(|index| values.get_mut(index.checked_sub(1)?));
            let slot = slot.ok_or_else(|| format!("a list has the key {}", named(&key)))?;
            *slot = self.value(&value)?;
            Ok(())
        })?;
        Ok(Value::Array(values))
    }

    fn map(&mut self, table: &Table) -> Result<Map<String, Value>, String> {
        let mut fields = Map::new();
        each(table, |key, value| {
            let Luau::String(name) = &key else {
                return Err(format!("a table has the key {}, which is no name", named(&key)));
            };
            let name = self.text(name)?;
            fields.insert(name, self.value(&value)?);
            Ok(())
        })?;
        Ok(fields)
    }
}

fn each(table: &Table, mut visit: impl FnMut(Luau, Luau) -> Result<(), String>) -> Result<(), String> {
    let mut wrong = None;
    let walked = table.for_each(|key: Luau, value: Luau| {
        visit(key, value).map_err(|message| {
            wrong = Some(message);
            mlua::Error::StackError
        })
    });
    match (wrong, walked) {
        (Some(message), _) => Err(message),
        (None, Err(error)) => Err(error.to_string()),
        (None, Ok(())) => Ok(()),
    }
}

fn number(value: f64) -> Result<Value, String> {
    // A Luau number is a double: an integral one that a double holds exactly is an integer of JSON.
    #[expect(clippy::cast_possible_truncation, reason = "it is integral, and within 2^53")]
    if value.fract() == 0.0 && value.abs() <= 9_007_199_254_740_992.0 {
        return Ok(Value::from(value as i64));
    }
    Number::from_f64(value)
        .map(Value::Number)
        .ok_or_else(|| format!("the number {} is no data", shown(value)))
}

fn shown(value: f64) -> &'static str {
    if value.is_nan() { "nan" } else { "inf" }
}

fn named(key: &Luau) -> String {
    match key {
        Luau::String(text) => format!("`{}`", text.to_string_lossy().chars().take(40).collect::<String>()),
        Luau::Integer(value) => format!("`{value}`"),
        Luau::Number(value) => format!("`{value}`"),
        Luau::Boolean(value) => format!("`{value}`"),
        other => format!("of type {}", kind(other)),
    }
}

pub(super) fn kind(value: &Luau) -> &'static str {
    match value {
        Luau::Nil => "nil",
        Luau::Boolean(_) => "boolean",
        Luau::Integer(_) | Luau::Number(_) => "number",
        Luau::String(_) => "string",
        Luau::Table(_) => "table",
        Luau::Function(_) => "function",
        Luau::Thread(_) => "thread",
        _ => "userdata",
    }
}
