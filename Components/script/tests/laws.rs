//! What holds for any script.
#![cfg(feature = "luau")]

#[allow(dead_code, reason = "each test takes what it needs")]
mod common;

use common::{limits, run_on, run_within};
use mentci_script::{Fault, Limits, Ran, ScriptError, Scripts};
use proptest::prelude::*;

/// Words that make scripts which often parse, and sometimes run for long.
const WORDS: &[&str] = &[
    "local x = ",
    "x",
    "1",
    "'a'",
    " + ",
    "..",
    "(",
    ")",
    "{",
    "}",
    ", ",
    "\n",
    "; ",
    "if x then ",
    "while true do ",
    "for i = 1, 9 do ",
    " end ",
    "function f() ",
    "return ",
    "f()",
    "pcall(f)",
    "notify('n') ",
    "context.turn.number",
    "state.get('count')",
    "pairs(context)",
    "for k, v in pairs(context) do ",
    "string.rep('a', 1e6)",
    "emit('e', {1}) ",
    "coroutine.wrap(f)()",
    "error('x') ",
    "turn",
    "= ",
    "nil",
    "true",
    "and ",
    "not ",
    "#",
    "set_state('k', x) ",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// A run ends, within its limits; two runs of one script answer the same, on one machine and on another.
    #[test]
    fn a_run_is_a_function(words in prop::collection::vec(prop::sample::select(WORDS), 0..25)) {
        let source = words.concat();
        let small = Limits { steps: 5_000, memory_bytes: 8 << 20, ..limits() };
        let (scripts, another) = (Scripts::new(|| 0), Scripts::new(|| 0));
        let runs = [&scripts, &scripts, &another].map(|scripts| run_within(scripts, &source, &small));
        // Where exactly a limit is met depends on the garbage that a machine holds.
        let is_stopped = |run: &Result<Ran, ScriptError>| {
            run.as_ref().is_err_and(|error| matches!(error.fault, Fault::Steps | Fault::Memory))
        };
        if !runs.iter().any(is_stopped) {
            let told = runs.map(|run| run.map(|ran| (ran.outcome, ran.calls)));
            prop_assert!(told[0] == told[1] && told[0] == told[2], "{:?}", told);
        }
    }

    /// What does not parse is told at a line of the source.
    #[test]
    fn a_syntax_error_has_its_line(source in "[ -~\n]{0,80}") {
        if let Err(error) = run_on(&Scripts::new(|| 0), &source)
            && error.fault == Fault::Syntax
        {
            let lines = u32::try_from(source.split('\n').count()).unwrap_or(u32::MAX);
            prop_assert!(error.line.is_some_and(|line| (1..=lines).contains(&line)), "{}", error);
        }
    }
}
