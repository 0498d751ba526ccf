//! What a script returns and asks for.
#![cfg(feature = "luau")]

#[allow(dead_code, reason = "each test takes what it needs")]
mod common;

use common::{run, run_on};
use mentci_script::{Fault, ScriptOutcome, Scripts};

/// What a source comes to, in one line: the outcome and the calls.
fn told(source: &str) -> String {
    match run(source) {
        Ok(ran) => {
            let outcome = match ran.outcome {
                ScriptOutcome::NoMatch => "no match".to_owned(),
                ScriptOutcome::Match => "match".to_owned(),
                ScriptOutcome::Actions(actions) => serde_json::Value::from(actions).to_string(),
            };
            ran.calls.iter().fold(outcome, |told, call| format!("{told} + {call:?}"))
        }
        Err(error) => format!("error: {error}"),
    }
}

fn table(sources: &[&str]) -> String {
    sources.iter().flat_map(|source| [source, "\n    ", &told(source), "\n"].map(str::to_owned)).collect()
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn returns() {
    insta::assert_snapshot!(table(&[
        "-- nothing",
        "return nil",
        "return false",
        "return true",
        "return true, {type = 'log'}",
        "return {type = 'log', message = 'x', n = 3, half = 0.5, deep = {list = {1, 2}, empty = {}}}",
        "return {{type = 'log'}, {type = 'emit', event = 'e'}}",
        "return {}",
        "return 1",
        "return 'yes'",
        "return {message = 'x'}",
        "return {type = 3}",
        "return {1, 2}",
        "return {{type = 'log'}, 'x'}",
        "return {type = 'log', f = string.rep}",
        "return {type = 'log', f = function() end}",
        "return {type = 'log', c = coroutine.create(function() end)}",
        "return {type = 'log', b = buffer.create(1)}",
        "return coroutine.create(function() end)",
        "local t = {type = 'log'}; t.self = t; return t",
        "local t = {type = 'log'}; t.a = {}; t.b = {t.a, t.a}; return t",
        "return {type = 'log', n = 0/0}",
        "return {type = 'log', n = math.huge}",
        "return {type = 'log', s = '\\xff'}",
        "return {type = 'log', [1] = 'x'}",
        "return {type = 'log', t = {1, 2, [4] = 4}}",
        "return {type = 'log', t = {[2] = 2}}",
        "return {type = 'log', t = {[true] = 2}}",
        "return {type = 'log', t = {[{}] = 2}}",
        "local t = {type = 'log'}; for i = 1, 100 do t = {type = 'log', t = t} end; return t",
        "local t = {}; for i = 1, 30 do t = {t, t} end; return {type = 'log', t = t}",
        "return {type = 'log', s = ('x'):rep(100000)}",
        "return setmetatable({type = 'log'}, {__index = function() return 'x' end, __len = function() return 9 end})",
        "return {type = 'log', turn = turn, tool = history.tools[3]}",
    ]), @r#"
    -- nothing
        no match
    return nil
        no match
    return false
        no match
    return true
        match
    return true, {type = 'log'}
        match
    return {type = 'log', message = 'x', n = 3, half = 0.5, deep = {list = {1, 2}, empty = {}}}
        [{"deep":{"empty":{},"list":[1,2]},"half":0.5,"message":"x","n":3,"type":"log"}]
    return {{type = 'log'}, {type = 'emit', event = 'e'}}
        [{"type":"log"},{"event":"e","type":"emit"}]
    return {}
        []
    return 1
        error: rule.luau:1: a number is no answer: return a boolean, a table, a list of tables or nothing
    return 'yes'
        error: rule.luau:1: a string is no answer: return a boolean, a table, a list of tables or nothing
    return {message = 'x'}
        error: rule.luau:1: an action needs a `type` that is a string
    return {type = 3}
        error: rule.luau:1: an action needs a `type` that is a string
    return {1, 2}
        error: rule.luau:1: an answer is a table or a list of tables
    return {{type = 'log'}, 'x'}
        error: rule.luau:1: an answer is a table or a list of tables
    return {type = 'log', f = string.rep}
        error: rule.luau:1: a function is no data
    return {type = 'log', f = function() end}
        error: rule.luau:1: a function is no data
    return {type = 'log', c = coroutine.create(function() end)}
        error: rule.luau:1: a thread is no data
    return {type = 'log', b = buffer.create(1)}
        error: rule.luau:1: a userdata is no data
    return coroutine.create(function() end)
        error: rule.luau:1: a thread is no answer: return a boolean, a table, a list of tables or nothing
    local t = {type = 'log'}; t.self = t; return t
        error: rule.luau:1: a table contains itself
    local t = {type = 'log'}; t.a = {}; t.b = {t.a, t.a}; return t
        [{"a":{},"b":[{},{}],"type":"log"}]
    return {type = 'log', n = 0/0}
        error: rule.luau:1: the number nan is no data
    return {type = 'log', n = math.huge}
        error: rule.luau:1: the number inf is no data
    return {type = 'log', s = '\xff'}
        error: rule.luau:1: a string is not UTF-8
    return {type = 'log', [1] = 'x'}
        error: rule.luau:1: a list has the key `type`
    return {type = 'log', t = {1, 2, [4] = 4}}
        error: rule.luau:1: a list has the key `4`
    return {type = 'log', t = {[2] = 2}}
        error: rule.luau:1: a table has the key `2`, which is no name
    return {type = 'log', t = {[true] = 2}}
        error: rule.luau:1: a table has the key `true`, which is no name
    return {type = 'log', t = {[{}] = 2}}
        error: rule.luau:1: a table has the key of type table, which is no name
    local t = {type = 'log'}; for i = 1, 100 do t = {type = 'log', t = t} end; return t
        error: rule.luau:1: a table is deeper than 32
    local t = {}; for i = 1, 30 do t = {t, t} end; return {type = 'log', t = t}
        error: rule.luau:1: the script gives more output than it may
    return {type = 'log', s = ('x'):rep(100000)}
        error: rule.luau:1: the script gives more output than it may
    return setmetatable({type = 'log'}, {__index = function() return 'x' end, __len = function() return 9 end})
        [{"type":"log"}]
    return {type = 'log', turn = turn, tool = history.tools[3]}
        [{"tool":{"args":{"path":"a.rs"},"name":"read_file","status":"ok"},"turn":{"iteration":3,"number":7,"token_usage":0.85},"type":"log"}]
    "#);
}

#[test]
fn entries() {
    insta::assert_snapshot!(table(&[
        "return function(context) return context.turn.number == 7 end",
        "function evaluate(context) return context.turn.number == 7 end",
        "function run(context) return {type = 'log', n = context.turn.number} end",
        "return {evaluate = function(context) return context ~= nil end}",
        "return {type = 'log', evaluate = function(context) return true end}",
        "return {evalute = function(context) return true end}",
        "local function evaluate() return true end",
        "evaluate = 3",
        "return function() return function() return true end end",
        "function evaluate() error('no') end",
    ]), @r#"
    return function(context) return context.turn.number == 7 end
        match
    function evaluate(context) return context.turn.number == 7 end
        match
    function run(context) return {type = 'log', n = context.turn.number} end
        [{"n":7,"type":"log"}]
    return {evaluate = function(context) return context ~= nil end}
        match
    return {type = 'log', evaluate = function(context) return true end}
        error: rule.luau:1: a function is no data
    return {evalute = function(context) return true end}
        error: rule.luau:1: a function is no data
    local function evaluate() return true end
        error: rule.luau: the script defines functions of its own alone, and nothing calls that: what is asked is `evaluate` or `run`
    evaluate = 3
        no match
    return function() return function() return true end end
        error: rule.luau:1: a function is no answer: return a boolean, a table, a list of tables or nothing
    function evaluate() error('no') end
        error: rule.luau:1: no
    "#);
}

#[test]
fn calls() {
    insta::assert_snapshot!(table(&[
        "notify('a') log('b') set_state('c', {1}) emit('d') notify('e') return true",
        "notify{message = 'a', priority = 'high', category = 'x'}",
        "log('warn', 'careful') log('error', 3) log({a = 1})",
        "set_state('a', nil) set_state('b', turn.number) emit('e', {turn = turn.number})",
        "emit('e', context.turn)",
        "pcall(notify) return true",
        "notify()",
        "notify{priority = 'high'}",
        "notify(3)",
        "log('loud', 'x')",
        "log()",
        "set_state()",
        "set_state('')",
        "set_state('x', print or function() end)",
        "local x = 1\n\nemit(nil, x)",
        "for i = 1, 65 do log('x') end",
        "for i = 1, 10 do log(('x'):rep(10000)) end",
    ]), @r###"
notify('a') log('b') set_state('c', {1}) emit('d') notify('e') return true
    match + Notify({"message": String("a")}) + Log { level: Info, message: "b" } + SetState { key: "c", value: Array [Number(1)] } + Emit { event: "d", payload: Null } + Notify({"message": String("e")})
notify{message = 'a', priority = 'high', category = 'x'}
    no match + Notify({"category": String("x"), "message": String("a"), "priority": String("high")})
log('warn', 'careful') log('error', 3) log({a = 1})
    no match + Log { level: Warn, message: "careful" } + Log { level: Error, message: "3" } + Log { level: Info, message: "{\"a\":1}" }
set_state('a', nil) set_state('b', turn.number) emit('e', {turn = turn.number})
    no match + SetState { key: "a", value: Null } + SetState { key: "b", value: Number(7) } + Emit { event: "e", payload: Object {"turn": Number(7)} }
emit('e', context.turn)
    no match + Emit { event: "e", payload: Object {"iteration": Number(3), "number": Number(7), "token_usage": Number(0.85)} }
pcall(notify) return true
    match
notify()
    error: rule.luau:1: notify needs a message, or a table with a `message`
notify{priority = 'high'}
    error: rule.luau:1: notify needs a `message` that is a string
notify(3)
    error: rule.luau:1: notify needs a message, or a table with a `message`
log('loud', 'x')
    error: rule.luau:1: log needs a level of `trace`, `debug`, `info`, `warn` or `error`
log()
    error: rule.luau:1: log needs a message
set_state()
    error: rule.luau:1: set_state needs a key, a string that is not empty
set_state('')
    error: rule.luau:1: set_state needs a key, a string that is not empty
set_state('x', print or function() end)
    error: rule.luau:1: a function is no data
local x = 1

emit(nil, x)
    error: rule.luau:3: emit needs the name of an event, a string that is not empty
for i = 1, 65 do log('x') end
    error: rule.luau:1: a script asks for at most 64 actions
for i = 1, 10 do log(('x'):rep(10000)) end
    error: rule.luau:1: the script gives more output than it may
"###);
}

#[test]
fn errors_name_file_and_line() {
    insta::assert_snapshot!(table(&[
        "return x +",
        "local a = 1\nlocal b = 'unfinished",
        "if true then",
        "goto out",
        "local x\nreturn x.y",
        "\n\nerror('spoilt')",
        "error('spoilt', 0)",
        "error({code = 1})",
        "error()",
        "error(setmetatable({}, {__tostring = function() return 'told' end}))",
        "\nassert(false, 'no')",
        "local function f()\n  return nil + 1\nend\nf()",
        "\nstring.find(nil, 'x')",
        "\nlocal s = ('x'):rep(10000000)\nreturn s:find(s)",
        "\ntable.sort({3, 1, 2}, 3)",
        "coroutine.yield(1)",
        "local ok, e = pcall(error, 'x') return {type = 'log', e = e}",
        "\nlocal ok, e = pcall(function() error('x') end) return {type = 'log', e = e}",
        "local ok, e = pcall(notify) return {type = 'log', e = e}",
        "\n\nwhile true do end",
        "\nlocal t = {}\nwhile true do t[#t + 1] = ('x'):rep(100000) .. #t end",
    ]), @r###"
return x +
    error: rule.luau:1: expected identifier when parsing expression, got <eof>
local a = 1
local b = 'unfinished
    error: rule.luau:2: malformed string; did you forget to finish it?
if true then
    error: rule.luau:1: expected 'end' (to close 'then' at column 9), got <eof>
goto out
    error: rule.luau:1: incomplete statement: expected assignment or a function call
local x
return x.y
    error: rule.luau:2: attempt to index nil with 'y'


error('spoilt')
    error: rule.luau:3: spoilt
error('spoilt', 0)
    error: rule.luau:1: spoilt
error({code = 1})
    error: rule.luau:1: raised a table
error()
    error: rule.luau:1: nil
error(setmetatable({}, {__tostring = function() return 'told' end}))
    error: rule.luau:1: told

assert(false, 'no')
    error: rule.luau:2: no
local function f()
  return nil + 1
end
f()
    error: rule.luau:2: attempt to perform arithmetic (add) on nil and number

string.find(nil, 'x')
    error: rule.luau:2: invalid argument #1 to 'find' (string expected, got nil)

local s = ('x'):rep(10000000)
return s:find(s)
    error: rule.luau:3: string.find of 10000000 bytes over 10000000 bytes is too much work

table.sort({3, 1, 2}, 3)
    error: rule.luau:2: invalid argument #2 to 'sort' (function expected, got number)
coroutine.yield(1)
    error: rule.luau:1: attempt to yield across metamethod/C-call boundary
local ok, e = pcall(error, 'x') return {type = 'log', e = e}
    [{"e":"x","type":"log"}]

local ok, e = pcall(function() error('x') end) return {type = 'log', e = e}
    [{"e":"rule.luau:2: x","type":"log"}]
local ok, e = pcall(notify) return {type = 'log', e = e}
    [{"e":"notify needs a message, or a table with a `message`","type":"log"}]


while true do end
    error: rule.luau:3: stopped after 30000 steps

local t = {}
while true do t[#t + 1] = ('x'):rep(100000) .. #t end
    error: rule.luau:3: stopped after 30000 steps
"###);
    let error = run("\nreturn 1 + nil").unwrap_err();
    assert_eq!((error.fault, error.line), (Fault::Raised, Some(2)));
}

#[test]
fn entries_by_name() {
    let scripts = Scripts::new(|| 0);
    let source = "function on_tool_call() return true end function evaluate() return false end";
    let script = mentci_script::Script::compile("rule.luau", source).unwrap();
    let facts: std::sync::Arc<dyn mentci_script::Facts> = std::sync::Arc::new(common::facts());
    let outcome = |script| scripts.run(&script, &facts, &common::limits()).unwrap().outcome;
    let named = |script: &mentci_script::Script, names: &[&str], others: &[&str]| {
        let owned = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
        script.with_entries(owned(names), owned(others))
    };
    assert_eq!(outcome(named(&script, &["pre_tool_call", "on_tool_call"], &[])), ScriptOutcome::Match);
    assert_eq!(outcome(named(&script, &["on_turn_end"], &[])), ScriptOutcome::NoMatch);
    assert_eq!(outcome(script), ScriptOutcome::NoMatch);
}

#[test]
fn functions_that_nothing_calls() {
    let scripts = Scripts::new(|| 0);
    let fault = |source: &str| {
        let script = mentci_script::Script::compile("rule.luau", source).unwrap();
        let script = script.with_entries(["on_tool_complete".to_owned()], ["on_tool_failure".to_owned()]);
        let facts: std::sync::Arc<dyn mentci_script::Facts> = std::sync::Arc::new(common::facts());
        scripts.run(&script, &facts, &common::limits()).err().map(|error| error.to_string())
    };
    insta::assert_snapshot!(fault("function on_tool_compete() return true end").unwrap_or_default(), @r"rule.luau: the script defines `on_tool_compete`, and nothing calls that: what is asked is `on_tool_complete`, `evaluate` or `run`");
    insta::assert_snapshot!(fault("local function on_tool_complete() return true end").unwrap_or_default(), @r"rule.luau: the script defines functions of its own alone, and nothing calls that: what is asked is `on_tool_complete`, `evaluate` or `run`");
    for fine in [
        "function on_tool_failure() return true end",
        "function on_tool_complete() return true end",
        "function helper() return turn.number > 1 end if helper() then notify('x') end",
        "function helper() end notify('always')",
        "function helper() end local _ = context.nothing",
        "function helper() end return false",
        "-- no function yet",
        "",
    ] {
        assert_eq!(fault(fine), None, "{fine}");
    }
}

#[test]
fn a_run_says_how_many_steps_it_took() {
    let scripts = Scripts::new(|| 0);
    let steps = |source| run_on(&scripts, source).unwrap().steps;
    assert!(steps("return true") < 10);
    assert!(steps("for i = 1, 1000 do end") >= 1000);
    assert_eq!(steps("for i = 1, 1000 do end"), steps("for i = 1, 1000 do end"));
}
