//! Scripts that do not end, or take what they may not: each is stopped, and the machine after it works.
#![cfg(feature = "luau")]

#[allow(dead_code, reason = "each test takes what it needs")]
mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use common::{facts, limits, run_on, run_within};
use mentci_script::{Facts, Fault, Limits, Script, ScriptOutcome, Scripts};

/// What ends in `Steps`.
const ENDLESS: &[(&str, &str)] = &[
    ("while", "while true do end"),
    ("repeat", "repeat until false"),
    ("for", "for i = 1, math.huge do end"),
    ("for that stands", "for i = 1, 2, 0.0000000001 do end"),
    ("iterator", "for x in function() return 1 end do end"),
    ("pcall", "while true do pcall(function() while true do end end) end"),
    ("nested pcall", "local function f() pcall(f) pcall(f) while true do pcall(f) end end f()"),
    ("pcall of pcall", "while true do pcall(pcall, pcall, pcall, pcall, error) end"),
    ("xpcall handler", "while true do xpcall(error, function() while true do end end) end"),
    ("handler that fails", "local function h() error('x') end while true do xpcall(error, h) end"),
    ("handler that loops", "xpcall(function() while true do end end, function() while true do end end)"),
    ("caught, then done", "pcall(function() while true do end end) return true"),
    (
        "caught in a coroutine",
        "while true do coroutine.wrap(function() pcall(function() while true do end end) end)() end",
    ),
    (
        "coroutine",
        "local c = coroutine.wrap(function() while true do coroutine.yield() end end) while true do c() end",
    ),
    (
        "coroutines of coroutines",
        "local function f() coroutine.resume(coroutine.create(f)) end while true do f() end",
    ),
    ("coroutine that is closed", "while true do coroutine.close(coroutine.create(function() end)) end"),
    ("patterns", "return string.find(('a'):rep(100000), ('.-'):rep(30) .. 'b')"),
    ("patterns that capture", "return string.find(('a'):rep(1000), ('(.*)'):rep(20) .. 'b')"),
    ("gsub", "return (('a'):rep(5000):gsub(('a*'):rep(20) .. 'b', ''))"),
    ("gmatch", "for x in ('a'):rep(5000):gmatch(('a?'):rep(30) .. 'b') do end"),
    ("gsub by a function", "('a'):rep(10):gsub('a', function() while true do end end)"),
    ("match of a match", "while true do ('aaa'):match('a-b') end"),
    ("sort by a loop", "table.sort({3, 1, 2}, function() while true do end end)"),
    ("sort of a long list", "local t = {} for i = 1, 30000 do t[i] = -i % 977 end table.sort(t)"),
    ("__index", "local t = setmetatable({}, {__index = function() while true do end end}) return t.x"),
    (
        "__eq",
        "local m = {__eq = function() while true do end end} return setmetatable({}, m) == setmetatable({}, m)",
    ),
    (
        "__lt",
        "local m = {__lt = function() while true do end end} return setmetatable({}, m) < setmetatable({}, m)",
    ),
    ("__concat", "return setmetatable({}, {__concat = function() while true do end end}) .. 'x'"),
    ("__call", "setmetatable({}, {__call = function() while true do end end})()"),
    ("__len", "return #setmetatable({}, {__len = function() while true do end end})"),
    ("__iter", "for x in setmetatable({}, {__iter = function() while true do end end}) do end"),
    ("__tostring", "return tostring(setmetatable({}, {__tostring = function() while true do end end}))"),
    ("__tostring of an error", "error(setmetatable({}, {__tostring = function() while true do end end}))"),
    ("__newindex", "setmetatable({}, {__newindex = function() while true do end end}).x = 1"),
    ("growing", "local s = 'x' while true do s = s .. 'x' end"),
    ("a walk that adds", "local t = {1} for i, v in ipairs(t) do t[i + 1] = v end"),
    ("insert at the front", "local t = {} while true do table.insert(t, 1, 'x') end"),
    (
        "mutual calls",
        "local a, b function a(n) if n > 0 then b(n - 1) end end function b(n) a(n) a(n) end a(100)",
    ),
    ("a heap of work", "local s = ('x'):rep(2000000) while true do local _ = s:sub(2) end"),
];

/// What ends otherwise, and in what.
const GREEDY: &[(&str, &str, Fault)] = &[
    ("recursion", "local function f() return f() + 1 end return f()", Fault::Raised),
    (
        "recursion by metamethod",
        "local t = setmetatable({}, {}) getmetatable(t).__index = function(t, k) return t[k] end return t.x",
        Fault::Raised,
    ),
    (
        "__index of itself",
        "local t = {} setmetatable(t, {__index = t}) t = setmetatable({}, {__index = t}) getmetatable(t).__index = t return t.x",
        Fault::Raised,
    ),
    ("recursion by sort", "local function f() table.sort({2, 1}, f) end f()", Fault::Raised),
    ("recursion by gsub", "local function f() ('a'):gsub('a', f) end f()", Fault::Raised),
    ("recursion by coroutine", "local function f() coroutine.wrap(f)() end f()", Fault::Raised),
    (
        "recursion by tostring",
        "local t = setmetatable({}, {}) getmetatable(t).__tostring = tostring return tostring(t)",
        Fault::Raised,
    ),
    (
        "a bad comparator",
        "local t = {} for i = 1, 100 do t[i] = i end table.sort(t, function() return true end)",
        Fault::Raised,
    ),
    (
        "plain search",
        "local s = ('a'):rep(100000) return s:find(s:sub(1, 50000) .. 'b', 1, true)",
        Fault::Raised,
    ),
    ("split", "local s = ('a'):rep(100000) return s:split(s:sub(1, 50000) .. 'b')", Fault::Raised),
    ("a long class", "local s = ('a'):rep(100000) return s:find('[' .. s .. ']-b')", Fault::Raised),
    ("move", "table.move({}, 1, 2000000000, 2)", Fault::Raised),
    ("move backwards", "table.move({}, -2000000000, 0, 1, {})", Fault::Raised),
    ("unpack", "return unpack({}, 1, 1e8)", Fault::Raised),
    ("arguments", "return select('#', string.byte(('x'):rep(1e6), 1, -1))", Fault::Raised),
    ("rep too large", "return ('xx'):rep(1e9)", Fault::Raised),
    ("rep", "return ('x'):rep(1e9)", Fault::Memory),
    ("rep of rep", "return ('x'):rep(1e4):rep(1e4)", Fault::Memory),
    ("doubling", "local s = 'x' while true do s = s .. s end", Fault::Memory),
    ("a list", "local t = {} while true do t[#t + 1] = {t} end", Fault::Memory),
    ("concat", "local t = table.create(10000, ('x'):rep(10000)) return table.concat(t)", Fault::Memory),
    ("create", "return table.create(1e7, 0)", Fault::Memory),
    ("buffer", "return buffer.create(1e9)", Fault::Memory),
    ("buffers", "local t = {} for i = 1, 100 do t[i] = buffer.create(1000000) end", Fault::Memory),
    ("format", "local s = ('x'):rep(1e7) return string.format('%s%s%s%s', s, s, s, s)", Fault::Memory),
    ("interpolation", "local s = ('x'):rep(1e7) return `{s}{s}{s}{s}`", Fault::Memory),
    ("gsub", "return (('x'):rep(1e5):gsub('x', ('y'):rep(1e4)))", Fault::Memory),
    (
        "coroutines",
        "local t = {} while true do t[#t + 1] = coroutine.create(function() end) end",
        Fault::Memory,
    ),
    (
        "closures",
        "local t = {} while true do local a = {} t[#t + 1] = function() return a end end",
        Fault::Memory,
    ),
    ("caught and raised", "local ok, e = pcall(string.rep, 'x', 1e9) error(e, 0)", Fault::Memory),
    ("caught", "local ok, hit = pcall(string.rep, 'x', 1e9) return ok and hit", Fault::Memory),
    (
        "caught where it is piled up",
        "pcall(function() local t = {} for i = 1, 1e9 do t[i] = {} end end)",
        Fault::Memory,
    ),
    (
        "caught where words are piled up",
        "local ok = pcall(function() local w = {} for s in ('ab '):rep(30000):gmatch('%S+') do
            table.insert(w, (s .. #w):rep(200)) end end) return ok and false",
        Fault::Memory,
    ),
    ("too much to be asked for", "pcall(string.rep, 'xxxxxxxx', 1e9) return true", Fault::Memory),
    ("a table too large", "pcall(table.create, 1e9, 1) return true", Fault::Memory),
    ("a buffer too large", "pcall(buffer.create, 2^31) return true", Fault::Memory),
    ("caught, and caught again", "pcall(pcall, pcall, string.rep, 'x', 1e9) return true", Fault::Memory),
    ("handled", "xpcall(string.rep, function() return 1 end, 'x', 1e9) return true", Fault::Memory),
    (
        "handled by nobody",
        "pcall(xpcall, string.rep, nil, 'x', 1e9) xpcall(string.rep, print, 'x', 1e9)",
        Fault::Raised,
    ),
    ("in a handler", "xpcall(error, function() return ('x'):rep(1e9) end) return true", Fault::Memory),
    (
        "caught by a coroutine",
        "coroutine.resume(coroutine.create(function() return ('x'):rep(1e9) end)) return true",
        Fault::Memory,
    ),
    (
        "caught around a coroutine",
        "pcall(coroutine.wrap(function() return ('x'):rep(1e9) end)) return true",
        Fault::Memory,
    ),
    (
        "caught where it is notified",
        "pcall(function() notify(('x'):rep(1e9)) end) return true",
        Fault::Memory,
    ),
    ("logging", "while true do pcall(log, 'x') end", Fault::Actions),
    (
        "actions, caught",
        "pcall(function() for i = 1, 70 do notify('m' .. i) end end) return true",
        Fault::Actions,
    ),
    (
        "actions of a coroutine",
        "coroutine.resume(coroutine.create(function() for i = 1, 70 do log('x') end end))",
        Fault::Actions,
    ),
    ("output, caught", "pcall(function() notify(('x'):rep(70000)) end) notify('ok')", Fault::Output),
    ("output, handled", "xpcall(set_state, function() end, 'k', ('x'):rep(70000))", Fault::Output),
    ("output of a list", "pcall(emit, 'e', table.create(70000, 1)) return true", Fault::Output),
    ("globals", "for i = 1, 1e9 do x = {x, ('y'):rep(1000) .. i} end", Fault::Memory),
];

/// After anything, the machines that are left answer as ever.
fn still_works(scripts: &Scripts, after: &str) {
    let ran = run_on(scripts, "return turn.number == 7 and #history.tools == 3");
    assert_eq!(ran.map(|ran| ran.outcome), Ok(ScriptOutcome::Match), "after {after}");
}

#[test]
fn what_does_not_end_is_stopped() {
    let scripts = Scripts::new(|| 0);
    for (what, source) in ENDLESS {
        let error = run_on(&scripts, source).expect_err(what);
        assert_eq!((error.fault, error.line), (Fault::Steps, Some(1)), "{what}: {error}");
        still_works(&scripts, what);
    }
}

#[test]
fn what_takes_too_much_is_stopped() {
    let scripts = Scripts::new(|| 0);
    for (what, source, fault) in GREEDY {
        let error = run_within(&scripts, source, &Limits { steps: 50_000_000, ..limits() }).expect_err(what);
        assert_eq!(error.fault, *fault, "{what}: {error}");
        still_works(&scripts, what);
    }
}

/// What is piled up by functions that tell no line of their own.
const PILED: &[&str] = &[
    "local t = {} for i = 1, 100000 do t[i] = i end local all = {} for i = 1, 100 do
     all[i] = table.clone(t) end",
    "local t = table.create(40000, ('x'):rep(80)) local all = {} for i = 1, 100 do
     all[i] = table.concat(t, tostring(i)) end",
    "local s = ('x'):rep(1000000)
     local r = s:gsub('x', ('y'):rep(1000))",
    "local s = ('x'):rep(2000) local all = {}
     for i = 1, 300000 do all[i] = s .. i end",
];

#[test]
fn memory_is_refused_at_a_line() {
    let scripts = Scripts::new(|| 0);
    for source in PILED {
        let limits = Limits { steps: u64::MAX, memory_bytes: 32 << 20, ..limits() };
        let error = run_within(&scripts, source, &limits).unwrap_err();
        assert_eq!((error.fault, error.line), (Fault::Memory, Some(2)), "{source}: {error}");
    }
}

#[test]
fn the_clock_stops_what_steps_would_let_go_on() {
    let now = Arc::new(AtomicU64::new(0));
    let clock = Arc::clone(&now);
    let scripts = Scripts::new(move || clock.fetch_add(1, Ordering::Relaxed));
    let script = Script::compile("slow.luau", "\nwhile true do end").unwrap();
    let limits = Limits { steps: u64::MAX, timeout_ms: 100, ..Limits::default() };
    let facts: Arc<dyn Facts> = Arc::new(facts());
    let error = scripts.run(&script, &facts, &limits).unwrap_err();
    insta::assert_snapshot!(error, @"slow.luau:2: stopped after 100 ms");
    assert!(now.load(Ordering::Relaxed) < 110);
}

#[test]
fn a_script_may_have_its_own_limits() {
    let scripts = Scripts::new(|| 0);
    let facts: Arc<dyn Facts> = Arc::new(facts());
    let script = Script::compile("big.luau", "return #('x'):rep(1000000) == 1000000").unwrap();
    let small = Limits { memory_bytes: 500_000, ..limits() };
    let error = scripts.run(&script, &facts, &small).unwrap_err();
    insta::assert_snapshot!(error, @r"big.luau:1: wanted more than 488 KiB of memory");
    assert_eq!(scripts.run(&script, &facts, &limits()).unwrap().outcome, ScriptOutcome::Match);
}

#[test]
fn a_nest_of_anything_parses_or_says_no() {
    let nests = [
        ("(", ")"),
        ("{", "}"),
        ("-", ""),
        ("not ", ""),
        ("#", ""),
        ("function() return ", " end"),
        ("f(", ")"),
        ("if x then 1 else ", ""),
        ("x.", "y"),
        ("x[", "]"),
        ("`{", "}`"),
        ("'a' .. ", "'b'"),
        ("2 ^ ", "2"),
        ("x + ", "1"),
        ("x and ", "1"),
        ("do ", " end"),
    ];
    for (open, close) in nests {
        for count in [10, 1_000, 5_000] {
            let source = format!("return {}x{}", open.repeat(count), close.repeat(count));
            let _ = Script::compile("nest.luau", &source);
        }
    }
    let long = "x".repeat(mentci_script::MAX_SCRIPT_BYTES + 1);
    insta::assert_snapshot!(Script::compile("long.luau", &long).unwrap_err(), @"long.luau: the script is longer than 65536 bytes");
}

#[test]
fn garbage_is_no_memory() {
    let source = "for i = 1, 2000 do local s = ('x'):rep(200000) .. i end
        for i = 1, 100 do local s = ('x'):rep(1000000) .. i end
        for i = 1, 20000 do local t = {i, {i}} end
        return true";
    assert_eq!(
        run_within(&Scripts::new(|| 0), source, &Limits::default()).unwrap().outcome,
        ScriptOutcome::Match
    );
}

#[test]
fn a_straight_line_ends_soon() {
    // Between two looks at the meter lies at most one pass over a script without a loop.
    let line = "s = t:sub(2)\n";
    let source = format!("local s, t = '', ('x'):rep(100000)\n{}while true do end", line.repeat(3_000));
    let error = run_on(&Scripts::new(|| 0), &source).unwrap_err();
    assert_eq!(error.fault, Fault::Steps);
}
