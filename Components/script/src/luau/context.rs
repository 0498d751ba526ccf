//! The context: tables that are filled as they are read.
//!
//! `context` and each fact that is an object are lazy: a field is converted when it is read, wholly, and then is a plain
//! read-only table. Facts that come again as the same `Arc` keep what was converted.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use mlua::{Function, Lua, Table, Value as Luau};
use serde_json::Value;

use crate::Facts;

use super::items::Items;
use super::json;

/// What `getmetatable` answers; the prelude knows it.
const LOCKED: &str = "the context is read-only";

/// Where a lazy table's metatable says of which fact it is; the root's is empty.
const FACT: &str = "fact";

/// Where the registry keeps the `__iter` of lazy tables.
const EACH: &str = "each";

/// How many facts have metatables of their own; more than a host has. What comes then is converted wholly.
const MAX_GROUPS: usize = 64;

/// The facts of the run that goes on.
pub(super) type Current = Arc<Mutex<Option<Arc<dyn Facts>>>>;

pub(super) struct Context {
    root: Table,
    groups: Arc<Mutex<Groups>>,
    items: Items,
    current: Current,
    last: Option<Weak<dyn Facts>>,
    /// Whether the run has looked at a fact.
    is_read: Looked,
}

type Looked = Arc<AtomicBool>;

/// The tables of the facts that are objects, made once, and those of them that something was read from.
#[derive(Default)]
struct Groups {
    tables: BTreeMap<String, Table>,
    read: Vec<Table>,
}

impl Context {
    /// The context of a machine. `each` is the `__iter` of its tables.
    pub(super) fn new(lua: &Lua, current: Current, each: &Function) -> mlua::Result<Self> {
        lua.set_named_registry_value(EACH, each)?;
        let (root, groups, items) = (lua.create_table()?, Arc::default(), Items::default());
        let is_read = Looked::default();
        root.set_metatable(Some(root_meta(lua, &current, &groups, &items, &is_read)?))?;
        root.set_readonly(true);
        Ok(Self { root, groups, items, current, last: None, is_read })
    }

    /// Whether the run that goes on has looked at a fact, as far as that can be told.
    pub(super) fn is_read(&self) -> bool {
        self.is_read.load(Ordering::Relaxed)
    }

    pub(super) fn root(&self) -> &Table {
        &self.root
    }

    pub(super) fn current(&self) -> &Current {
        &self.current
    }

    /// Opens the facts to the next run.
    pub(super) fn open(&mut self, facts: &Arc<dyn Facts>) -> mlua::Result<()> {
        let own = Arc::downgrade(facts);
        if !self.last.as_ref().is_some_and(|last| Weak::ptr_eq(last, &own)) {
            self.forget()?;
            self.items.prune();
            self.last = Some(own);
        }
        *held(&self.current) = Some(Arc::clone(facts));
        // What an earlier run read of the same facts is read again without a look.
        self.is_read.store(!self.root.is_empty(), Ordering::Relaxed);
        Ok(())
    }

    /// Forgets what was converted.
    pub(super) fn forget(&mut self) -> mlua::Result<()> {
        self.last = None;
        let read = std::mem::take(&mut locked(&self.groups).read);
        read.iter().chain([&self.root]).try_for_each(clear)
    }

    /// Closes them: an idle machine keeps no facts alive.
    pub(super) fn close(&self) {
        held(&self.current).take();
    }

    /// Converts what was not read yet, so that a table can be walked.
    pub(super) fn whole(lua: &Lua, current: &Current, table: &Table) -> mlua::Result<()> {
        let (Some(fact), Some(facts)) = (fact_of(table), facts_of(current)) else {
            return Ok(());
        };
        let names: Vec<String> = if fact.is_empty() {
            facts.names().into_iter().map(str::to_owned).collect()
        } else {
            let fields = facts.fact(&fact).and_then(Value::as_object);
            let lists = facts.lists(&fact).iter().map(|(name, _)| (*name).to_owned());
            fields.into_iter().flat_map(serde_json::Map::keys).cloned().chain(lists).collect()
        };
        // By `get`, which asks `__index` for what is missing.
        names.into_iter().try_for_each(|name| table.get::<Luau>(lua.create_string(&name)?).map(|_| ()))
    }

    /// A lazy table as the JSON that it stands for.
    pub(super) fn value(current: &Current, table: &Table) -> Option<Value> {
        let (fact, facts) = (fact_of(table)?, facts_of(current)?);
        if !fact.is_empty() {
            return Some(whole_fact(&*facts, &fact).unwrap_or_else(|| Value::Object(serde_json::Map::new())));
        }
        let fields =
            facts.names().into_iter().filter_map(|name| Some((name.to_owned(), whole_fact(&*facts, name)?)));
        Some(Value::Object(fields.collect()))
    }
}

/// A fact with its lists.
fn whole_fact(facts: &dyn Facts, name: &str) -> Option<Value> {
    let mut whole = facts.fact(name)?.clone();
    if let Value::Object(fields) = &mut whole {
        for (name, items) in facts.lists(name) {
            let items = items.iter().map(|item| Value::clone(item)).collect();
            fields.insert((*name).to_owned(), Value::Array(items));
        }
    }
    Some(whole)
}

/// The facts, for as long as they are needed: the lock is not held while Luau runs.
fn facts_of(current: &Current) -> Option<Arc<dyn Facts>> {
    held(current).clone()
}

fn held(current: &Current) -> MutexGuard<'_, Option<Arc<dyn Facts>>> {
    // OK because an `Option` is whole at any time.
    current.lock().unwrap_or_else(PoisonError::into_inner)
}

fn locked(groups: &Mutex<Groups>) -> MutexGuard<'_, Groups> {
    // OK because a table that was not filed is made again.
    groups.lock().unwrap_or_else(PoisonError::into_inner)
}

fn clear(table: &Table) -> mlua::Result<()> {
    table.set_readonly(false);
    let cleared = table.clear();
    table.set_readonly(true);
    cleared
}

/// Of which fact a lazy table is. A script may forge the mark: it then sees what it may see anyway.
fn fact_of(table: &Table) -> Option<String> {
    table.metatable()?.raw_get::<Option<String>>(FACT).ok().flatten()
}

fn root_meta(
    lua: &Lua,
    current: &Current,
    groups: &Arc<Mutex<Groups>>,
    items: &Items,
    is_read: &Looked,
) -> mlua::Result<Table> {
    let (current, groups, items) = (Arc::clone(current), Arc::clone(groups), items.clone());
    let is_read = Arc::clone(is_read);
    let index = lua.create_function(move |lua, (table, name): (Table, Luau)| {
        is_read.store(true, Ordering::Relaxed);
        let (Some(name), Some(facts)) = (text(&name), facts_of(&current)) else {
            return Ok(Luau::Nil);
        };
        let value = match facts.fact(&name) {
            Some(Value::Object(_)) => group(lua, &current, &groups, &items, &name)?,
            None if name == "state" => group(lua, &current, &groups, &items, &name)?,
            Some(value) => json::to_luau(lua, value)?,
            None => Luau::Nil,
        };
        keep(&table, &name, &value)?;
        Ok(value)
    })?;
    meta(lua, "", index)
}

/// The lazy table of a fact that is an object.
fn group(
    lua: &Lua,
    current: &Current,
    groups: &Mutex<Groups>,
    items: &Items,
    name: &str,
) -> mlua::Result<Luau> {
    let mut groups = locked(groups);
    let table = match groups.tables.get(name) {
        Some(table) => table.clone(),
        None if groups.tables.len() >= MAX_GROUPS => {
            let facts = facts_of(current);
            let value = facts.as_ref().and_then(|facts| facts.fact(name));
            return value.map_or(Ok(Luau::Nil), |value| json::to_luau(lua, value));
        }
        None => {
            let table = lua.create_table()?;
            table.set_metatable(Some(group_meta(lua, current, items, name)?))?;
            table.set_readonly(true);
            groups.tables.insert(name.to_owned(), table.clone());
            table
        }
    };
    groups.read.push(table.clone());
    Ok(Luau::Table(table))
}

fn group_meta(lua: &Lua, current: &Current, items: &Items, fact: &str) -> mlua::Result<Table> {
    let functions = if fact == "state" { Some(state_functions(lua, current)?) } else { None };
    let (current, items, own) = (Arc::clone(current), items.clone(), fact.to_owned());
    let index = lua.create_function(move |lua, (table, name): (Table, Luau)| {
        let Some(name) = text(&name) else {
            return Ok(Luau::Nil);
        };
        if let Some((get, has)) = &functions {
            match name.as_str() {
                "get" => return Ok(Luau::Function(get.clone())),
                "has" => return Ok(Luau::Function(has.clone())),
                _ => {}
            }
        }
        let facts = facts_of(&current);
        let Some(facts) = &facts else {
            return Ok(Luau::Nil);
        };
        let list = facts.lists(&own).iter().find(|(list, _)| *list == name);
        let value = match (list, facts.fact(&own).and_then(|fact| fact.get(&name))) {
            (Some((_, list)), _) => items.to_luau(lua, list)?,
            (None, Some(value)) => json::to_luau(lua, value)?,
            (None, None) => return Ok(Luau::Nil),
        };
        keep(&table, &name, &value)?;
        Ok(value)
    })?;
    meta(lua, fact, index)
}

/// `context.state.get(key, default)` and `context.state.has(key)`, with a dot or a colon.
fn state_functions(lua: &Lua, current: &Current) -> mlua::Result<(Function, Function)> {
    let facts = Arc::clone(current);
    let get = lua.create_function(move |lua, (one, two, three): (Luau, Luau, Luau)| {
        let (key, default) = if one.is_table() { (two, three) } else { (one, two) };
        let facts = facts_of(&facts);
        let value = text(&key).and_then(|key| facts.as_ref()?.fact("state")?.get(&key));
        match value {
            None | Some(Value::Null) => Ok(default),
            Some(value) => json::to_luau(lua, value),
        }
    })?;
    let facts = Arc::clone(current);
    let has = lua.create_function(move |_, (one, two): (Luau, Luau)| {
        let key = if one.is_table() { two } else { one };
        let facts = facts_of(&facts);
        let value = text(&key).and_then(|key| facts.as_ref()?.fact("state")?.get(&key));
        Ok(value.is_some_and(|value| !value.is_null()))
    })?;
    Ok((get, has))
}

fn meta(lua: &Lua, fact: &str, index: Function) -> mlua::Result<Table> {
    let meta = lua.create_table()?;
    meta.raw_set("__index", index)?;
    meta.raw_set("__metatable", LOCKED)?;
    meta.raw_set("__iter", lua.named_registry_value::<Function>(EACH)?)?;
    meta.raw_set(FACT, fact)?;
    meta.set_readonly(true);
    Ok(meta)
}

fn keep(table: &Table, name: &str, value: &Luau) -> mlua::Result<()> {
    if value.is_nil() {
        return Ok(());
    }
    table.set_readonly(false);
    let kept = table.raw_set(name, value);
    table.set_readonly(true);
    kept
}

fn text(value: &Luau) -> Option<String> {
    value.as_string().and_then(|text| text.to_str().ok().map(|text| text.to_owned()))
}
