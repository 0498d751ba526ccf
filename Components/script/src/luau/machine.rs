//! A machine: one Luau virtual machine, and the scripts that it loaded.

use std::collections::BTreeMap;
use std::sync::Arc;

use mlua::chunk::ChunkMode;
use mlua::chunk::Compiler;
use mlua::state::{GcIncParams, GcMode};
use mlua::{Function, Lua, LuaOptions, StdLib, Table, Value as Luau};
use serde_json::Value;

use mentci_source::Hash;

use crate::scripts::Check;
use crate::{Facts, Fault, Limits, Ran, Script, ScriptError, ScriptOutcome};

use super::calls::Calls;
use super::context::{Context, Current};
use super::json;
use super::meter::Meter;
use super::{chunk_name, raised};

/// What Luau's base library keeps; all else of it is taken out.
const GLOBALS: &[&str] = &[
    "assert",
    "bit32",
    "buffer",
    "coroutine",
    "error",
    "getmetatable",
    "ipairs",
    "math",
    "next",
    "pairs",
    "pcall",
    "rawequal",
    "rawget",
    "rawlen",
    "rawset",
    "select",
    "setmetatable",
    "string",
    "table",
    "tonumber",
    "tostring",
    "type",
    "typeof",
    "unpack",
    "utf8",
    "xpcall",
];

/// What is not a function of its arguments.
const RANDOM: &[&str] = &["random", "randomseed"];

/// How many scripts a machine keeps loaded.
const MAX_LOADED: usize = 256;

/// How much more than at its start a machine may hold and still be put back.
const MAX_GROWTH: usize = 4 << 20;

/// How far the collection of garbage goes at once, in KiB.
const GC_STEP_KIB: i32 = 64;

/// A run of more pulses is not repeated to learn at which line it ended.
const FEW_PULSES: u64 = 1_000_000;

/// How many pulses before its end the lines of a repeated run are noted: its end may come a little earlier.
const NOTED_PULSES: u64 = 50_000;

pub(crate) struct Machine {
    lua: Lua,
    meter: Arc<Meter>,
    calls: Calls,
    context: Context,
    /// The metatable of the globals of a run: they read what all runs share.
    shared: Table,
    loaded: BTreeMap<Hash, Loaded>,
    at_start: usize,
    is_fit: bool,
}

/// A script's function, and the globals that its next run writes to: empty.
struct Loaded {
    function: Function,
    globals: Table,
}

impl Machine {
    pub(crate) fn start(
        clock: &Arc<dyn Fn() -> u64 + Send + Sync>,
        check: &Check,
        name: &str,
    ) -> Result<Self, ScriptError> {
        // OK to blame the script: starting fails only when there is no memory at all.
        Self::furnished(clock, check)
            .map_err(|error| ScriptError::new(name, Fault::Memory, error.to_string()))
    }

    fn furnished(clock: &Arc<dyn Fn() -> u64 + Send + Sync>, check: &Check) -> mlua::Result<Self> {
        let libraries = StdLib::COROUTINE
            | StdLib::TABLE
            | StdLib::STRING
            | StdLib::UTF8
            | StdLib::BIT
            | StdLib::MATH
            | StdLib::BUFFER;
        // Luau's own `pcall`: no function of ours panics.
        let lua = Lua::new_with(libraries, LuaOptions::new().catch_rust_panics(true))?;
        // Larger steps than Luau's own, which fall behind a script that makes large strings.
        lua.gc_set_mode(GcMode::Incremental(GcIncParams::default().step_size(GC_STEP_KIB)));
        strip(&lua.globals())?;
        let meter = Meter::new(clock);
        let calls = Calls::new(check, &meter);
        let context = furnish(&lua, &calls, &meter)?;
        let shared = lua.create_table()?;
        shared.raw_set("__index", lua.globals())?;
        shared.set_readonly(true);
        lua.sandbox(true)?;
        meter.install(&lua);
        let at_start = lua.used_memory();
        Ok(Self { lua, meter, calls, context, shared, loaded: BTreeMap::new(), at_start, is_fit: true })
    }

    pub(crate) fn is_fit(&self) -> bool {
        self.is_fit && self.lua.used_memory() < self.at_start + MAX_GROWTH
    }

    pub(crate) fn run(
        &mut self,
        script: &Script,
        facts: &Arc<dyn Facts>,
        limits: &Limits,
    ) -> Result<Ran, ScriptError> {
        let ran = self.run_once(script, facts, limits);
        match ran {
            Err(error) if error.line.is_none() && matches!(error.fault, Fault::Answer | Fault::Memory) => {
                // Both runs together have the time of one.
                let limits = Limits { timeout_ms: self.meter.left_ms(), ..*limits };
                let line = self.returned_at(script, facts, &limits);
                Err(error.at(line))
            }
            ran => ran,
        }
    }

    /// The line at which a run ends that is not long: it is run once more, and its last steps are looked at. Nothing of that run
    /// is kept.
    pub(crate) fn returned_at(
        &mut self,
        script: &Script,
        facts: &Arc<dyn Facts>,
        limits: &Limits,
    ) -> Option<u32> {
        let pulses = self.meter.pulses();
        if pulses > FEW_PULSES {
            return None;
        }
        let is_fit = self.is_fit;
        self.meter.install_noting(&self.lua, pulses.saturating_sub(NOTED_PULSES));
        // OK because what a run refused is no memory of its own.
        let _ = self.lua.gc_collect();
        let _ = self.run_once(script, facts, limits);
        self.meter.install(&self.lua);
        self.is_fit &= is_fit;
        self.meter.line()
    }

    fn run_once(
        &mut self,
        script: &Script,
        facts: &Arc<dyn Facts>,
        limits: &Limits,
    ) -> Result<Ran, ScriptError> {
        self.calls.start(limits);
        let outcome = self.answer(script, facts, limits);
        self.context.close();
        let outcome = outcome.map_err(|wrong| self.told(wrong, script, limits));
        // A script that caught what stopped it is stopped all the same.
        let stopped = self.meter.stopped();
        self.is_fit = stopped.is_none() && !outcome.as_ref().is_err_and(|error| error.fault == Fault::Memory);
        if let (Ok(_), Some((fault, line))) = (&outcome, stopped) {
            return Err(raised::stopped(script.name(), fault, limits).at(line));
        }
        let calls = std::mem::take(&mut self.calls.output().calls);
        Ok(Ran { outcome: outcome?, calls, steps: self.meter.steps() })
    }

    fn answer(
        &mut self,
        script: &Script,
        facts: &Arc<dyn Facts>,
        limits: &Limits,
    ) -> Result<ScriptOutcome, Wrong> {
        self.lua.set_memory_limit(self.lua.used_memory().saturating_add(limits.memory_bytes))?;
        let (function, globals) = self.loaded(script)?;
        self.meter.start(limits);
        self.context.open(facts)?;
        let answer = self.asked(script, &function, &globals);
        if !globals.is_empty() {
            self.renew(script.hash())?;
        }
        let answer = answer?;
        let lazies = |table: &Table| Context::value(self.context.current(), table);
        match answer {
            Luau::Nil | Luau::Boolean(false) => Ok(ScriptOutcome::NoMatch),
            Luau::Boolean(true) => Ok(ScriptOutcome::Match),
            Luau::Table(_) => {
                let value = json::to_json(&answer, &mut self.calls.output().budget, &lazies);
                actions(value.map_err(Wrong::Answer)?).map_err(Wrong::Answer)
            }
            other => Err(Wrong::Answer(format!(
                "a {} is no answer: return a boolean, a table, a list of tables or nothing",
                json::kind(&other)
            ))),
        }
    }

    /// Runs the chunk, then the function that it returned or defined.
    fn asked(&self, script: &Script, function: &Function, globals: &Table) -> Result<Luau, Wrong> {
        let answer = function.call::<Luau>(())?;
        let entry = match &answer {
            Luau::Function(function) => Some(function.clone()),
            Luau::Nil => {
                let entry = defined(script.entries(), globals)?;
                if entry.is_none() && self.is_idle(script, globals)? {
                    return Err(Wrong::Unasked(unasked(script, globals)));
                }
                entry
            }
            // A table with a `type` is an action, and data alone.
            Luau::Table(module) if module.metatable().is_none() && !module.contains_key("type")? => {
                defined(script.entries(), module)?
            }
            _ => None,
        };
        Ok(entry.map_or(Ok(answer), |entry| entry.call::<Luau>(self.context.root()))?)
    }

    /// Whether a chunk that returned nothing can never answer otherwise: it defines functions, looked at no fact and asked
    /// for nothing, and none of its functions is one that is asked at another time.
    fn is_idle(&self, script: &Script, globals: &Table) -> mlua::Result<bool> {
        let is_other = |name: &String| Ok(globals.raw_get::<Luau>(name.as_str())?.is_function());
        let has_other =
            script.others().iter().map(is_other).collect::<mlua::Result<Vec<bool>>>()?.contains(&true);
        Ok(script.defines() && !has_other && !self.context.is_read() && self.calls.output().calls.is_empty())
    }

    fn loaded(&mut self, script: &Script) -> mlua::Result<(Function, Table)> {
        if !self.loaded.contains_key(script.hash()) {
            if self.loaded.len() >= MAX_LOADED {
                self.loaded.clear();
            }
            // INVARIANT (facts are no imports): no fact is there while a script is loaded. Looking up imports takes steps,
            // which are not the run's.
            self.meter.start(&Limits::default());
            self.context.forget()?;
            let globals = self.globals()?;
            let chunk = self.lua.load(script.bytecode()).set_mode(ChunkMode::Binary);
            let chunk = chunk.set_name(format!("={}", chunk_name(script.name())));
            let function = chunk.set_environment(globals.clone()).into_function()?;
            self.loaded.insert(*script.hash(), Loaded { function, globals });
        }
        let loaded = &self.loaded[script.hash()];
        Ok((loaded.function.clone(), loaded.globals.clone()))
    }

    /// Takes away the globals that a run wrote.
    fn renew(&mut self, hash: &Hash) -> mlua::Result<()> {
        let globals = self.globals()?;
        if let Some(loaded) = self.loaded.get_mut(hash) {
            loaded.function.set_environment(globals.clone())?;
            loaded.globals = globals;
        }
        Ok(())
    }

    fn globals(&self) -> mlua::Result<Table> {
        let globals = self.lua.create_table()?;
        globals.set_metatable(Some(self.shared.clone()))?;
        // Safe because nothing reaches these tables but the assignments that the compiler saw.
        globals.set_safeenv(true);
        Ok(globals)
    }

    fn told(&self, wrong: Wrong, script: &Script, limits: &Limits) -> ScriptError {
        match wrong {
            Wrong::Raised(error) => raised::raised(script.name(), &error, &self.meter, limits),
            Wrong::Answer(message) => ScriptError::new(script.name(), Fault::Answer, message),
            Wrong::Unasked(message) => ScriptError::new(script.name(), Fault::Unasked, message),
        }
    }
}

enum Wrong {
    Raised(mlua::Error),
    Answer(String),
    Unasked(String),
}

impl From<mlua::Error> for Wrong {
    fn from(error: mlua::Error) -> Self {
        Self::Raised(error)
    }
}

/// Takes out whatever is not listed.
fn strip(globals: &Table) -> mlua::Result<()> {
    let mut names = Vec::new();
    globals.for_each(|name: Luau, _: Luau| {
        names.push(name);
        Ok(())
    })?;
    for name in names {
        let is_kept = name.as_string().is_some_and(|name| GLOBALS.iter().any(|kept| *name == **kept));
        if !is_kept {
            globals.raw_set(name, Luau::Nil)?;
        }
    }
    let math: Table = globals.raw_get("math")?;
    RANDOM.iter().try_for_each(|name| math.raw_set(*name, Luau::Nil))
}

/// Runs the prelude, and lays the context where all globals are.
fn furnish(lua: &Lua, calls: &Calls, meter: &Arc<Meter>) -> mlua::Result<Context> {
    let (globals, current) = (lua.globals(), Current::default());
    let raw = lua.create_table()?;
    calls.install(lua, &raw, &current)?;
    let own = Arc::clone(&current);
    let whole = lua.create_function(move |lua, table: Table| Context::whole(lua, &own, &table))?;
    raw.raw_set("whole", whole)?;
    raw.raw_set("refused", refused(lua, meter)?)?;
    let compiler = Compiler::new().set_debug_level(0);
    let prelude = lua.load(include_str!("prelude.luau")).set_name("=prelude").set_compiler(compiler);
    let each = prelude.call::<Function>((raw, &globals))?;
    let context = Context::new(lua, current, &each)?;
    globals.raw_set("context", context.root())?;
    globals.set_metatable(Some(aliases(lua, &context)?))?;
    Ok(context)
}

/// Notes that the allocator refused, where that is what was caught: Luau's own word for it, or an error of ours.
fn refused(lua: &Lua, meter: &Arc<Meter>) -> mlua::Result<Function> {
    let meter = Arc::clone(meter);
    lua.create_function(move |lua, caught: Luau| match &caught {
        Luau::Error(error) if !raised::is_memory(error) => Ok(()),
        Luau::Error(_) | Luau::String(_) => Err(meter.refused(lua)),
        _ => Ok(()),
    })
}

/// What no global has may be a fact.
fn aliases(lua: &Lua, context: &Context) -> mlua::Result<Table> {
    let source = "local context, names = ...
        return function(_, name) if names[name] then return context[name] end return nil end";
    let names = lua.create_table_from(crate::ALIASES.iter().map(|name| (*name, true)))?;
    let compiler = Compiler::new().set_debug_level(0);
    let index = lua.load(source).set_name("=prelude").set_compiler(compiler);
    let meta = lua.create_table()?;
    meta.raw_set("__index", index.call::<Function>((context.root(), names))?)?;
    meta.raw_set("__metatable", "locked")?;
    meta.set_readonly(true);
    Ok(meta)
}

/// The function that a script defined to be asked by.
fn defined(entries: &[String], globals: &Table) -> mlua::Result<Option<Function>> {
    for name in entries.iter().map(String::as_str).chain(["evaluate", "run"]) {
        if let Luau::Function(function) = globals.raw_get::<Luau>(name)? {
            return Ok(Some(function));
        }
    }
    Ok(None)
}

/// What is wrong with a script that only defines functions.
fn unasked(script: &Script, globals: &Table) -> String {
    let mut defined: Vec<String> = Vec::new();
    // OK because names that cannot be told are told in general.
    let _ = globals.for_each(|name: Luau, value: Luau| {
        if let (Luau::String(name), true) = (name, value.is_function()) {
            defined.push(format!("`{}`", name.to_string_lossy()));
        }
        Ok(())
    });
    defined.sort();
    let defined =
        if defined.is_empty() { "functions of its own alone".to_owned() } else { defined.join(", ") };
    let names = script.entries().iter().chain(script.others()).take(1).map(String::as_str);
    let asked: Vec<String> = names.chain(["evaluate"]).map(|name| format!("`{name}`")).collect();
    let asked = asked.join(", ");
    format!("the script defines {defined}, and nothing calls that: what is asked is {asked} or `run`")
}

/// A table or a list of tables, each with a `type`.
fn actions(value: Value) -> Result<ScriptOutcome, String> {
    let list = match value {
        Value::Array(list) => list,
        Value::Object(fields) if fields.is_empty() => Vec::new(),
        other => vec![other],
    };
    let action = |value: Value| match value {
        Value::Object(fields) if fields.get("type").is_some_and(Value::is_string) => Ok(fields),
        Value::Object(_) => Err("an action needs a `type` that is a string".to_owned()),
        _ => Err("an answer is a table or a list of tables".to_owned()),
    };
    list.into_iter().map(action).collect::<Result<_, _>>().map(ScriptOutcome::Actions)
}
