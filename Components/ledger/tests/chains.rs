//! Chains: windows, counts, verdicts, order, clocks.
#![allow(clippy::unwrap_used, reason = "a test may stop")]

mod log;

use log::Log;
use mentci_authority::{Chain, ChainStep, Effect, Hook, NamePattern, ToolMatch};
use mentci_ledger::{SessionLedger, Windows};

/// `read`, `read x3`, `re* !block`: tools, how many, which verdicts; each within 60 seconds.
fn step(text: &str) -> ChainStep {
    let mut words = text.split(' ');
    let name = words.next().unwrap();
    let tools = if name == "*" {
        ToolMatch::Any
    } else {
        ToolMatch::one_of(name.split('|').map(NamePattern::classify))
    };
    let mut step = ChainStep { tools, within_ms: 60_000, min_count: 1, verdicts: vec![] };
    for word in words {
        match word.split_at(1) {
            ("x", count) => step.min_count = count.parse().unwrap(),
            ("!", verdict) => step.verdicts.push(Effect::parse(verdict).unwrap()),
            ("@", seconds) => step.within_ms = seconds.parse::<u64>().unwrap() * 1_000,
            _ => panic!("{word}"),
        }
    }
    step
}

fn chain(ordered: bool, steps: &[&str]) -> Chain {
    Chain { steps: steps.iter().map(|text| step(text)).collect(), ordered }
}

fn fits(chain: &Chain, number: usize, name: &str) -> bool {
    let ToolMatch::OneOf(patterns) = &chain.steps[number].tools else {
        panic!("any tool is not asked about")
    };
    patterns.iter().any(|pattern| match pattern {
        NamePattern::Glob(glob) => name.starts_with(glob.trim_end_matches('*')),
        _ => false,
    })
}

fn holds(log: &Log, chain: &Chain) -> bool {
    log.now(|view| view.chain_holds(chain, &|number, name| fits(chain, number, name)).unwrap())
}

/// `3 read`, `3 read block`: second, tool, decision.
fn told(lines: &[&str], now: i64) -> Log {
    let mut log = Log::new(3_600);
    for line in lines {
        let mut words = line.split(' ');
        log.second = words.next().unwrap().parse().unwrap();
        let tool = words.next().unwrap();
        let decision = words.next().map_or(Effect::Allow, |word| Effect::parse(word).unwrap());
        log.call(tool, decision);
    }
    log.second = now;
    log
}

#[test]
fn windows_counts_and_verdicts() {
    let table: &[(&[&str], i64, &[&str], bool)] = &[
        (&[], 0, &["read"], false),
        (&["0 read"], 60, &["read"], true),
        (&["0 read"], 61, &["read"], false),
        (&["0 read"], 0, &["read"], true),
        (&["0 read"], 0, &["write"], false),
        (&["0 read"], 30, &["read", "write"], false),
        (&["0 write", "1 read"], 30, &["read", "write"], true),
        (&["0 read"], 30, &[], true),
        // A count is within its window.
        (&["0 read", "1 read"], 60, &["read x2"], true),
        (&["0 read", "1 read"], 61, &["read x2"], false),
        (&["0 read", "1 read"], 60, &["read x3"], false),
        (&["0 read"], 10, &["read x0"], true),
        (&["0 read"], 10, &["read @9"], false),
        // Denied and waiting calls count, unless the verdict is named.
        (&["0 read block"], 1, &["read"], true),
        (&["0 read approve"], 1, &["read"], true),
        (&["0 read block"], 1, &["read !allow"], false),
        (&["0 read block"], 1, &["read !allow !block"], true),
        // Patterns, lists and any tool.
        (&["0 read_a", "1 read_b"], 2, &["read_* x2"], true),
        (&["0 read_a", "1 rest"], 2, &["read_* x2"], false),
        (&["0 a", "1 b"], 2, &["a|b x2"], true),
        (&["0 a", "1 b", "2 c"], 2, &["* x3"], true),
        (&["0 a", "1 b", "2 c block"], 2, &["* x3 !allow"], false),
    ];
    for (lines, now, steps, expected) in table {
        assert_eq!(
            holds(&told(lines, *now), &chain(false, steps)),
            *expected,
            "{lines:?} at {now}: {steps:?}"
        );
    }
}

#[test]
fn in_order() {
    let table: &[(&[&str], &[&str], bool)] = &[
        (&["0 read", "1 send"], &["read", "send"], true),
        (&["0 send", "1 read"], &["read", "send"], false),
        (&["0 send", "1 read"], &["send", "read"], true),
        // Calls of one moment keep the order of the log.
        (&["0 read", "0 send"], &["read", "send"], true),
        (&["0 send", "0 read"], &["read", "send"], false),
        // Noise between and after pushes nothing out.
        (&["0 read", "1 noise", "2 send", "3 noise", "4 read"], &["read", "send"], true),
        (&["0 read", "1 send", "2 read"], &["read", "send", "read"], true),
        (&["0 read", "1 send"], &["read", "send", "read"], false),
        // One call is one step's.
        (&["0 read"], &["read", "read"], false),
        (&["0 read", "1 read"], &["read", "read"], true),
        // A count is taken whole before the next step.
        (&["0 read", "1 send", "2 read", "3 send"], &["read x2", "send"], true),
        (&["0 read", "1 send", "2 read"], &["read x2", "send"], false),
        (&["0 read", "1 read", "2 send", "3 send"], &["read x2", "send x2"], true),
        (&["0 read", "1 send", "2 read", "3 send"], &["read x2", "send x2"], false),
        (&["0 a", "1 b", "2 send"], &["a|b x2", "send"], true),
        (&["0 a", "1 b", "2 send"], &["* x2", "send"], true),
    ];
    for (lines, steps, expected) in table {
        assert_eq!(holds(&told(lines, 10), &chain(true, steps)), *expected, "{lines:?}: {steps:?}");
    }
    // Each step has its own window.
    let log = told(&["0 read", "50 send"], 60);
    assert!(holds(&log, &chain(true, &["read", "send @10"])));
    assert!(!holds(&log, &chain(true, &["read", "send @9"])));
    assert!(!holds(&log, &chain(true, &["read @59", "send @10"])));
}

#[test]
fn the_current_call_is_not_counted() {
    let log = told(&[], 0);
    let send = log.tool(Hook::PreToolCall, "send");
    assert!(!log.see(&send, |view| view.chain_holds(&chain(false, &["send"]), &|_, _| false).unwrap()));
}

#[test]
fn noise_pushes_nothing_out() {
    let mut log = told(&["0 read_secret"], 59);
    for number in 0..20_000 {
        log.call(if number % 2 == 0 { "noise" } else { "sound" }, Effect::Block);
    }
    log.second = 60;
    assert!(holds(&log, &chain(true, &["read_secret", "noise"])));
}

#[test]
fn what_is_older_than_the_longest_window_is_dropped() {
    let mut log = Log::new(10);
    for (second, decision) in (0..10_000).zip(Effect::ALL.into_iter().cycle()) {
        log.second = second;
        log.call(if second % 3 == 0 { "read" } else { "send" }, decision);
        assert!(log.session().kept_calls() <= 11);
    }
    assert_eq!(log.session().kept_calls(), 11);
    let chain = chain(false, &["* x11 @10"]);
    assert!(holds(&log, &chain));
}

#[test]
fn a_chain_that_looks_further_than_is_kept_is_not_answered() {
    let session = SessionLedger::new(Windows { longest_ms: 1_000 });
    let error = session.chain_holds(&chain(false, &["read"]), 0, &|_, _| false).unwrap_err();
    insta::assert_snapshot!(error, @"calls are kept for 1000 ms, and the chain looks further back");
}

#[test]
fn a_clock_that_goes_back_stands_still() {
    let mut log = told(&["100 read"], 20);
    // An hour back is the same moment: the call is not in the future, and not forgotten.
    assert!(holds(&log, &chain(false, &["read @0"])));
    assert_eq!(log.now(|view| view.now_ms()), 100_000);
    log.call("send", Effect::Allow);
    assert_eq!(log.session().now_ms(), 100_000);
    assert!(holds(&log, &chain(true, &["read", "send"])));
    log.second = 160;
    assert!(holds(&log, &chain(true, &["read", "send"])));
    log.second = i64::MAX / 1_000;
    assert!(!holds(&log, &chain(false, &["read"])));
    log.call("far", Effect::Allow);
    assert_eq!(log.session().kept_calls(), 1);
}

#[test]
fn times_at_the_ends_of_numbers() {
    let mut log = told(&["0 read"], i64::MIN / 1_000);
    log.call("read", Effect::Allow);
    let windows = Windows { longest_ms: u64::MAX };
    let mut session = SessionLedger::new(windows);
    log.records.iter().for_each(|record| session.fold(record));
    let mut chain = chain(false, &["read x2"]);
    chain.steps[0].within_ms = u64::MAX;
    assert_eq!(session.chain_holds(&chain, i64::MIN, &|_, _| false), Ok(true));
    assert_eq!(session.chain_holds(&chain, i64::MAX, &|_, _| false), Ok(true));
}
