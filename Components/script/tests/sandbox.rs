//! What is not there, what cannot be written, and that no run sees another.
#![cfg(feature = "luau")]

#[allow(dead_code, reason = "each test takes what it needs")]
mod common;

use std::sync::Arc;

use common::{limits, run, run_on};
use mentci_script::{Facts, Limits, Script, ScriptOutcome, Scripts};
use serde_json::json;

/// What is nil.
const ABSENT: &[&str] = &[
    "io",
    "os",
    "debug",
    "package",
    "load",
    "loadstring",
    "loadfile",
    "dofile",
    "require",
    "getfenv",
    "setfenv",
    "newproxy",
    "collectgarbage",
    "gcinfo",
    "_G",
    "_VERSION",
    "_ENV",
    "print",
    "warn",
    "module",
    "vector",
    "integer",
    "script",
    "game",
    "shared",
    "raw",
    "whole",
    "math.random",
    "math.randomseed",
    "string.dump",
    "os and os.clock",
    "getmetatable('').__gc",
    "mlua",
    "class",
    "globals",
];

/// What raises.
const REFUSED: &[&str] = &[
    "string.rep = nil",
    "string.evil = 1",
    "math.floor = function() return 0 end",
    "table.insert = nil",
    "coroutine.wrap = nil",
    "rawset(string, 'rep', nil)",
    "rawset(math, 'floor', nil)",
    "getmetatable('').__index = {}",
    "rawset(getmetatable(''), '__index', {})",
    "setmetatable('', {})",
    "setmetatable(string, {})",
    "table.clear(string)",
    "table.insert(table, 1)",
    "table.move({1}, 1, 1, 1, math)",
    "table.clear(context)",
    "context.turn = 1",
    "context.turn.number = 1",
    "context.history.tools[1] = nil",
    "context.history.tools[1].name = 'x'",
    "table.insert(context.history.tools, {})",
    "table.sort(context.history.tools, function() return true end)",
    "table.clear(context.history.tools)",
    "rawset(context, 'turn', 1)",
    "rawset(context.turn, 'number', 1)",
    "rawset(turn, 'new', 1)",
    "setmetatable(context, {})",
    "setmetatable(context.turn, nil)",
    "getmetatable(context).__index = nil",
    "table.clone(context).turn = 1",
    "setmetatable(context.history.tools, {__len = function() return 9 end})",
    "setmetatable({}, getmetatable(context))",
    "coroutine.yield()",
    "coroutine.close(coroutine.running())",
    "coroutine.resume(coroutine.running()) error('dead')",
    "context.state.set('a', 1)",
    "context.state.count = 4",
    "os.execute('true')",
    "io.open('/etc/passwd')",
    "require('x')",
    "require('@self/x')",
    "loadstring('return 1')()",
    "error(setmetatable({}, {__tostring = function() return {} end}))",
    "math.random()",
];

#[test]
fn what_is_absent_is_nil() {
    for name in ABSENT {
        let ran = run(&format!("return ({name}) == nil")).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(ran.outcome, ScriptOutcome::Match, "{name} is there");
    }
}

#[test]
fn what_may_not_be_written_raises() {
    for source in REFUSED {
        let error = run(source).expect_err(source);
        assert_eq!(error.fault, mentci_script::Fault::Raised, "{source}: {error}");
    }
}

#[test]
fn what_is_there() {
    let source = "local names = {'assert', 'bit32', 'buffer', 'coroutine', 'error', 'getmetatable', 'ipairs', 'math', 'next',
        'pairs', 'pcall', 'rawequal', 'rawget', 'rawlen', 'rawset', 'select', 'setmetatable', 'string', 'table',
        'tonumber', 'tostring', 'type', 'typeof', 'unpack', 'utf8', 'xpcall', 'context', 'notify', 'log', 'set_state', 'emit'}
        return #names == 31";
    assert_eq!(run(source).unwrap().outcome, ScriptOutcome::Match);
}

/// Conditions that hold.
const TRUE: &[&str] = &[
    "context.turn.token_usage > 0.8",
    "turn.token_usage > parameters.threshold",
    "turn.token_usage > plugin.settings.limit",
    "turn == context.turn",
    "turn.number == 7 and rawequal(turn, turn)",
    "#history.tools == 3 and #context.history.tools == 3",
    "history.tools[2].name == 'exec'",
    "history.failures.exec == 1",
    "history.nothing == nil and context.nothing == nil",
    "event.type == 'pre_tool_call' and event.at == 1700000000000",
    "user.id == 'u1' and user.settings.quiet == false",
    "result.count > 6",
    "next(project.settings) == nil",
    "context.state.get('count') == 3 and context.state:get('count') == 3",
    "context.state.get('absent') == nil and context.state.get('absent', 5) == 5",
    "state.get('absent', 5) == 5 and state:get('absent', 5) == 5",
    "state.get('nothing', 'x') == 'x' and state.get(nil, 'x') == 'x' and state.get(3, 'x') == 'x'",
    "state.has('count') and state:has('count') and not state.has('absent') and not state.has('nothing')",
    "state.count == 3 and state['get me'] == true and state.seen[2] == 'b'",
    "#state.get('seen') == 2",
    "(function() local n = 0 for k, v in pairs(context.turn) do n += 1 end return n end)() == 3",
    "(function() local n = 0 for k, v in context.turn do n += 1 end return n end)() == 3",
    "(function() local n = 0 for k, v in next, context.turn do n += 1 end return n end)() == 3",
    "(function() local n = 0 for k, v in pairs(state) do n += 1 end return n end)() == 3",
    "(function() local n = 0 for k in pairs(context) do n += 1 end return n end)() == 9",
    "(function() local n = 0 for _, tool in ipairs(history.tools) do if tool.name == 'exec' then n += 1 end end return n end)() == 2",
    "next(context) ~= nil and next(turn) ~= nil",
    "tostring(context) == 'table' and tostring(print) == 'nil' and tostring(tostring) == 'function'",
    "string.format('%s', {}) == 'table' and `{notify}` == 'function' and ('%d'):format(3) == '3'",
    "tostring(setmetatable({}, {__tostring = function() return 'me' end})) == 'me'",
    "string.format('%s %*', setmetatable({}, {__tostring = function() return 'me' end}), nil) == 'me nil'",
    "getmetatable(context) == 'the context is read-only'",
    "rawget(context, 'no') == nil and rawlen({1, 2}) == 2",
    "type(notify) == 'function' and type(context) == 'table' and typeof(1) == 'number'",
    "math.floor(2.5) == 2 and bit32.band(6, 3) == 2 and utf8.len('é') == 1",
    "(function() local t = {3, 1, 2} table.sort(t) return table.concat(t, ',') end)() == '1,2,3'",
    "(function() local t = {3, 1, 2} table.sort(t, function(a, b) return a > b end) return table.concat(t, ',') end)() == '3,2,1'",
    "#(('a,b,c'):split(',')) == 3 and ('hello'):find('l', 1, true) == 3 and (('hello'):gsub('l', 'L')) == 'heLLo'",
    "('key=value'):match('^(%w+)=(%w+)$') == 'key'",
    "(function() local c = coroutine.wrap(function() coroutine.yield(1) coroutine.yield(2) end) return c() + c() end)() == 3",
    "table.concat(table.move({1, 2, 3}, 1, 3, 2), ',') == '1,1,2,3'",
    "select('#', pcall(function() coroutine.wrap(function() error('x') end)() end)) == 2",
];

#[test]
fn the_context_api() {
    let scripts = Scripts::new(|| 0);
    for condition in TRUE {
        let ran = run_on(&scripts, &format!("return {condition}"))
            .unwrap_or_else(|error| panic!("{condition}: {error}"));
        assert_eq!(ran.outcome, ScriptOutcome::Match, "{condition}");
    }
}

#[test]
fn no_run_sees_another() {
    let scripts = Scripts::new(|| 0);
    let matches = |source| run_on(&scripts, source).unwrap().outcome == ScriptOutcome::Match;
    // Globals, of the same script and of another.
    let counts = "count = (count or 0) + 1 return count == 1";
    assert!(matches(counts) && matches(counts) && matches("return count == nil"));
    let defines = "if known == nil then function known() end return true end return false";
    assert!(matches(defines) && matches(defines));
    // Names that shadow the library or the context.
    assert!(matches("math = {floor = 3} turn = 3 return math.floor == 3 and turn == 3"));
    assert!(matches("return math.floor(2.5) == 2 and turn.number == 7"));
    // A function that is not defined again is not there.
    assert!(matches("function evaluate() return true end"));
    assert!(!matches("x = 1"));
    // What was asked for before an error is gone.
    assert!(run_on(&scripts, "leaked = 1 notify('lost') error('x')").is_err());
    let ran = run_on(&scripts, "return leaked == nil").unwrap();
    assert_eq!((ran.outcome, ran.calls.len()), (ScriptOutcome::Match, 0));
}

#[test]
fn facts_are_those_of_the_run() {
    let scripts = Scripts::new(|| 0);
    let script = Script::compile(
        "rule.luau",
        "return turn.number == 1 and context.turn.number == 1 and state.get('n') == 1",
    )
    .unwrap();
    let facts = |number: i32| -> Arc<dyn Facts> {
        Arc::new(json!({"turn": {"number": number}, "state": {"n": number}}))
    };
    let matches = |facts: &Arc<dyn Facts>| {
        scripts.run(&script, facts, &limits()).unwrap().outcome == ScriptOutcome::Match
    };
    let (one, two) = (facts(1), facts(2));
    assert!(
        matches(&one)
            && matches(&one)
            && !matches(&two)
            && matches(&one)
            && matches(&facts(1))
            && !matches(&facts(2))
    );
    let none: Arc<dyn Facts> = Arc::new(json!({}));
    let script =
        Script::compile("rule.luau", "return context.turn == nil and turn == nil and state.get('n', 4) == 4")
            .unwrap();
    assert_eq!(scripts.run(&script, &none, &limits()).unwrap().outcome, ScriptOutcome::Match);
}

#[test]
fn only_what_is_read_is_asked_for() {
    struct Asked(std::sync::Mutex<Vec<String>>, serde_json::Value);
    impl Facts for Asked {
        fn names(&self) -> Vec<&str> {
            self.1.names()
        }
        fn fact(&self, name: &str) -> Option<&serde_json::Value> {
            self.0.lock().unwrap().push(name.to_owned());
            self.1.fact(name)
        }
    }
    let asked = Arc::new(Asked(std::sync::Mutex::default(), common::facts()));
    let facts: Arc<dyn Facts> = Arc::<Asked>::clone(&asked);
    let script = Script::compile("rule.luau", "return turn.number == 7 and turn.iteration == 3").unwrap();
    Scripts::new(|| 0).run(&script, &facts, &limits()).unwrap();
    assert!(asked.0.lock().unwrap().iter().all(|name| name == "turn"));
}

#[test]
fn deep_and_large_facts_do_no_harm() {
    let mut deep = json!(1);
    for _ in 0..100 {
        deep = json!([deep]);
    }
    let facts: Arc<dyn Facts> =
        Arc::new(json!({"turn": deep, "event": {"deep": deep, "large": "x".repeat(50 << 20)}, "result": 3}));
    let scripts = Scripts::new(|| 0);
    let run = |source| scripts.run(&Script::compile("rule.luau", source)?, &facts, &Limits::default());
    assert_eq!(
        run("return turn[1][1][1] ~= nil and event.deep[1] ~= nil and result == 3").unwrap().outcome,
        ScriptOutcome::Match
    );
    assert_eq!(run("return #event.large > 0").unwrap_err().fault, mentci_script::Fault::Memory);
    assert_eq!(run("return result == 3").unwrap().outcome, ScriptOutcome::Match);
}

#[test]
fn threads_share_the_machines() {
    let scripts = Scripts::new(|| 0);
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let scripts = &scripts;
            scope.spawn(move || {
                let facts: Arc<dyn Facts> = Arc::new(json!({"turn": {"number": thread}}));
                let source = "log(turn.number) seen = (seen or 0) + 1 return seen == 1";
                let script = Script::compile("rule.luau", source).unwrap();
                for _ in 0..50 {
                    let ran = scripts.run(&script, &facts, &limits()).unwrap();
                    assert_eq!(ran.outcome, ScriptOutcome::Match);
                    assert!(format!("{:?}", ran.calls).contains(&format!("\"{thread}\"")));
                }
            });
        }
    });
}
