//! The engines of others on the same policies, in the same run: Cedar, regorus (Rego, its rules keyed by tool), CEL,
//! and PolicyShield, each in a process of its own; and the least that anybody can do, a bare hash map with Aho-Corasick.
//!
//! Everybody is asked two questions before any clock runs: a call that the last rule blocks, and one that no rule is
//! about. Who answers one of them wrong ends the bench.

use std::cell::RefCell;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::rc::Rc;

use aho_corasick::AhoCorasick;
use mentci_authority::{Event, Permission};
use mentci_ledger::{Ledger, Windows};
use mentci_pdp::decide;
use rustc_hash::FxHashMap;

use super::Rows;
use super::policy::{each, least, read, rulebook};
use super::policy_rules::{Shape, yaml};
use crate::options::Options;
use crate::rounds::Step;
use crate::table::{Row, Target, Unit};

/// How many rules everybody has.
const RULES: usize = 1_000;

/// How many questions a round has.
const MANY: usize = 2_000;

pub(super) fn bench(options: &Options) -> Rows {
    let mut rows = Vec::new();
    for shape in [Shape::OwnTool, Shape::OneTool] {
        let peers = Peers::start(options, shape)?;
        let peer = |name| Peers::step(&peers, name);
        let steps = vec![own(shape)?, floor(shape)?, peer("regorus"), peer("cel"), peer("cedar-policy")];
        let [own, floor, rego, cel, cedar] = least(options, steps)?[..] else { continue };
        let what = format!("decide, {} of {RULES}", shape.name());
        let beside = |peer, target| Row::beside(&what, Unit::Seconds, own, peer, target);
        rows.push(beside(("bare hash map and Aho-Corasick", floor), Target::Told));
        let others = [("regorus, keyed by tool", rego), ("cel", cel), ("cedar-policy", cedar)].map(Some);
        let shield = shield(options, shape)?.map(|seconds| ("PolicyShield", seconds));
        let others = others.into_iter().chain([shield]).flatten();
        rows.extend(others.map(|peer| beside(peer, Target::TimesFaster(1.0))));
    }
    Ok(rows)
}

/// The two questions.
struct Calls<C> {
    blocked: C,
    allowed: C,
}

impl Calls<(String, String)> {
    /// Tool and path of each.
    fn of(shape: Shape) -> Self {
        let call = |path| (shape.rule(RULES - 1).0, path);
        Calls { blocked: call(shape.path(RULES)), allowed: call(shape.other_path()) }
    }
}

/// Asks both questions, then gives the step that asks the one about the blocked call again and again.
fn asked<C: 'static>(
    name: &str,
    count: usize,
    calls: Calls<C>,
    mut blocks: impl FnMut(&C) -> Result<bool, String> + 'static,
) -> Result<Step<'static>, String> {
    let told = |error| format!("{name}: {error}");
    let answers = (blocks(&calls.blocked).map_err(told)?, blocks(&calls.allowed).map_err(told)?);
    if answers != (true, false) {
        return Err(format!("{name} blocks the call to block: {}, the other: {}", answers.0, answers.1));
    }
    Ok(Box::new(move || Ok(each(count, || blocks(&calls.blocked)))))
}

fn told(error: impl std::fmt::Display) -> String {
    error.to_string()
}

fn own(shape: Shape) -> Result<Step<'static>, String> {
    let rulebook = rulebook("bench.yaml", &yaml(shape, RULES))?;
    let ledger = Ledger::new(Windows::default());
    let calls = Calls {
        blocked: read(&shape.line(RULES))?,
        allowed: read(&shape.line_of(RULES, &shape.other_path()))?,
    };
    asked("Mentci", MANY, calls, move |event: &Event| {
        Ok(decide(&rulebook.program, event, ledger.view(event)).permission == Permission::Block)
    })
}

/// By tool, the texts that its rules look for.
fn floor(shape: Shape) -> Result<Step<'static>, String> {
    let mut texts: FxHashMap<String, Vec<String>> = FxHashMap::default();
    for (tool, text) in (0..RULES).map(|at| shape.rule(at)) {
        texts.entry(tool).or_default().push(text);
    }
    let rules = texts.into_iter().map(|(tool, texts)| Ok((tool, AhoCorasick::new(texts).map_err(told)?)));
    let rules: FxHashMap<String, AhoCorasick> = rules.collect::<Result<_, String>>()?;
    asked("hash map", MANY, Calls::of(shape), move |(tool, path)| {
        Ok(rules.get(tool).is_some_and(|texts| texts.is_match(path)))
    })
}

/// The program that holds the engines of others.
struct Peers {
    child: Child,
    asks: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Peers {
    /// Starts it with the policy of a shape.
    fn start(options: &Options, shape: Shape) -> Result<Rc<RefCell<Self>>, String> {
        let program = &options.peers;
        let start = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = start.map_err(|error| format!("{}: {error}", program.display()))?;
        let (Some(mut asks), Some(answers)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("the peers have no pipes".to_owned());
        };
        let rules: Vec<_> = (0..RULES).map(|at| shape.rule(at)).collect();
        let Calls { blocked, allowed } = Calls::of(shape);
        let policy = serde_json::json!({ "rules": rules, "blocked": blocked, "allowed": allowed });
        writeln!(asks, "{policy}").map_err(told)?;
        Ok(Rc::new(RefCell::new(Self { child, asks, answers: BufReader::new(answers) })))
    }

    /// The step that lets one engine answer.
    fn step(peers: &Rc<RefCell<Self>>, name: &'static str) -> Step<'static> {
        let peers = Rc::clone(peers);
        Box::new(move || peers.borrow_mut().round(name).map_err(|error| format!("{name}: {error}")))
    }

    fn round(&mut self, name: &str) -> Result<f64, String> {
        writeln!(self.asks, "{name}").map_err(told)?;
        let mut line = String::new();
        self.answers.read_line(&mut line).map_err(told)?;
        line.trim().parse().map_err(|_| "it ended without an answer".to_owned())
    }
}

impl Drop for Peers {
    fn drop(&mut self) {
        // OK because whoever has ended already needs no killing.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// In a Python of its own, which checks both verdicts itself; nothing where it is not installed.
fn shield(options: &Options, shape: Shape) -> Result<Option<f64>, String> {
    let python = options.tools.join("policyshield/bin/python");
    if !python.exists() {
        eprintln!("PolicyShield is not installed in {}: left out", options.tools.display());
        return Ok(None);
    }
    let rules = options.tools.join("policyshield-rules.yaml");
    std::fs::write(&rules, yaml(shape, RULES)).map_err(told)?;
    let calls = [shape.rule(RULES - 1).0, shape.path(RULES), shape.other_path()];
    let rounds = options.amount(41, 5).to_string();
    let output = Command::new(python)
        .args(["-c", include_str!("shield.py")])
        .arg(&rules)
        .args(calls)
        .arg(rounds)
        .output()
        .map_err(told)?;
    let text = String::from_utf8_lossy(&output.stdout);
    let seconds = text.trim().parse().map(Some);
    seconds.map_err(|_| format!("PolicyShield: {}", String::from_utf8_lossy(&output.stderr)))
}
