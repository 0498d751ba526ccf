//! How long a script takes: `cargo run --release -p mentci-script --example luau_speed` prints nanoseconds a call.
//!
//! The best of seven rounds, since what else runs on a machine only ever adds. `same facts` is a further script for one
//! event, `new facts` the first script for an event: there the context is converted anew.
#![expect(clippy::disallowed_methods, reason = "it measures")]

use std::sync::Arc;
use std::time::Instant;

use mentci_script::{Facts, Limits, Script, Scripts, Template};
use serde_json::{Value, json};

const ROUNDS: usize = 7;
const CALLS: usize = 5_000;

/// Goal in nanoseconds, name, source.
const CASES: &[(u128, &str, &str)] = &[
    (1_000, "nothing", "return false"),
    (1_000, "trivial condition", "return turn.token_usage > 0.8"),
    (1_000, "trivial condition by context", "return context.turn.token_usage > parameters.threshold"),
    (
        25_000,
        "walks 12 tools",
        "local failed = {}
         for _, tool in ipairs(context.history.tools) do
             if tool.status == 'failed' then failed[tool.name] = (failed[tool.name] or 0) + 1 end
         end
         for name, count in pairs(failed) do
             if count >= 3 then notify(`{name} failed {count} times`) end
         end",
    ),
    (25_000, "returns actions", "return {type = 'log', message = 'x', n = turn.number}"),
    (25_000, "writes a global", "count = turn.number return count > 100"),
    (25_000, "a function", "return function(context) return context.turn.number > 100 end"),
];

fn main() {
    let scripts = Scripts::new(milliseconds());
    println!("{:<32} {:>12} {:>12} {:>12}", "ns a call", "same facts", "new facts", "goal");
    for (goal, name, source) in CASES {
        let script = Script::compile(name, source).expect("OK because the cases are ours");
        let facts = facts();
        let same = best(|| run(&scripts, &script, &facts));
        // Facts are made beforehand: a host has them as they come.
        let events: Vec<Arc<dyn Facts>> = (0..CALLS).map(|_| self::facts()).collect();
        let mut next = events.iter().cycle();
        let new = best(|| next.next().into_iter().for_each(|facts| run(&scripts, &script, facts)));
        println!("{name:<32} {same:>12} {new:>12} {goal:>12}");
    }
    let template = Template::read("Token budget at {{ (context.turn.token_usage * 100) | int }}%");
    let template = template.expect("OK because it is ours");
    let facts = json!({"context": value()});
    let same = best(|| drop(template.render(&facts)));
    println!("{:<32} {same:>12}", "a template");
}

fn run(scripts: &Scripts, script: &Script, facts: &Arc<dyn Facts>) {
    scripts.run(script, facts, &Limits::default()).expect("OK because the cases are ours");
}

/// The nanoseconds of one call, in the best round.
fn best(mut call: impl FnMut()) -> u128 {
    let mut round = || {
        let start = Instant::now();
        (0..CALLS).for_each(|_| call());
        start.elapsed().as_nanos() / CALLS as u128
    };
    (0..ROUNDS).map(|_| round()).min().unwrap_or_default()
}

fn milliseconds() -> impl Fn() -> u64 + Send + Sync {
    let start = Instant::now();
    move || u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX)
}

fn facts() -> Arc<dyn Facts> {
    Arc::new(value())
}

fn value() -> Value {
    let tools: Vec<Value> = (0..12)
        .map(|call| {
            json!({
                "name": if call % 3 == 0 { "exec" } else { "read_file" },
                "status": if call % 3 == 0 { "failed" } else { "ok" },
                "args": {"path": format!("src/file{call}.rs"), "limit": 100},
                "result": "fn main() {}",
                "turn": call,
            })
        })
        .collect();
    json!({
        "turn": {"number": 7, "token_usage": 0.85, "iteration": 3, "max_iterations": 10},
        "history": {"tools": tools, "messages": [], "failures": {"exec": 4}},
        "user": {"id": "u1", "settings": {}},
        "project": {"id": "p1", "settings": {}},
        "state": {"count": 3},
        "event": {"type": "pre_tool_call", "at": 1_700_000_000_000_u64},
        "plugin": {"settings": {"limit": 0.8}},
        "parameters": {"threshold": 0.8},
    })
}
