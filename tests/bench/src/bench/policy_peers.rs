//! The engines of others on the same policies, in the same run: Cedar, regorus (Rego, its rules keyed by tool), CEL,
//! and PolicyShield; and the least that anybody can do, a bare hash map with Aho-Corasick.
//!
//! Everybody is asked two questions before any clock runs: a call that the last rule blocks, and one that no rule is
//! about. Who answers one of them wrong ends the bench.

use std::process::Command;

use aho_corasick::AhoCorasick;
use cedar_policy::{
    Authorizer, Context, Decision, Entities, EntityUid, PolicySet, Request, RestrictedExpression,
};
use mentci_authority::{Event, Permission};
use mentci_ledger::{Ledger, Windows};
use mentci_pdp::decide;
use regorus::languages::rego::compiler::Compiler;
use regorus::rvm::vm::RegoVM;
use rustc_hash::FxHashMap;

use super::Rows;
use super::policy::{each, least, read, rulebook};
use super::policy_rules::{Shape, yaml};
use crate::options::Options;
use crate::rounds::Step;
use crate::table::{Row, Target, Unit};

/// How many rules everybody has.
const RULES: usize = 1_000;

/// How many questions a round has: many for those who answer in nanoseconds.
const MANY: usize = 2_000;
const FEW: usize = 20;

pub(super) fn bench(options: &Options) -> Rows {
    let mut rows = Vec::new();
    for shape in [Shape::OwnTool, Shape::OneTool] {
        let steps = vec![own(shape)?, floor(shape)?, rego(shape)?, cel(shape)?, cedar(shape)?];
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

    /// As an engine wants them.
    fn read<C>(self, read: impl Fn(&str, &str) -> Result<C, String>) -> Result<Calls<C>, String> {
        let read = |(tool, path): (String, String)| read(&tool, &path);
        Ok(Calls { blocked: read(self.blocked)?, allowed: read(self.allowed)? })
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

fn cedar(shape: Shape) -> Result<Step<'static>, String> {
    let rule = |at: usize| {
        let (tool, text) = shape.rule(at);
        format!(
            "forbid(principal, action == Action::\"{tool}\", resource) when {{ context.path like \"*{text}*\" }};\n"
        )
    };
    let rules: String = (0..RULES).map(rule).collect();
    let policies: PolicySet =
        format!("permit(principal, action, resource);\n{rules}").parse().map_err(told)?;
    let uid = |text: &str| text.parse::<EntityUid>().map_err(told);
    let calls = Calls::of(shape).read(|tool, path| {
        let path = ("path".to_owned(), RestrictedExpression::new_string(path.to_owned()));
        let context = Context::from_pairs([path]).map_err(told)?;
        let action = uid(&format!("Action::\"{tool}\""))?;
        Request::new(uid("User::\"a\"")?, action, uid("Call::\"c\"")?, context, None).map_err(told)
    })?;
    let (authorizer, entities) = (Authorizer::new(), Entities::empty());
    asked("cedar-policy", FEW, calls, move |request| {
        Ok(authorizer.is_authorized(request, &policies, &entities).decision() == Decision::Deny)
    })
}

const REGO: &str = "package bench
import rego.v1
default deny := false
deny if {
  some text in data.rules[input.tool]
  contains(input.path, text)
}
";

const RULE: &str = "data.bench.deny";

fn rego(shape: Shape) -> Result<Step<'static>, String> {
    let mut rules = serde_json::Map::new();
    for (tool, text) in (0..RULES).map(|at| shape.rule(at)) {
        if let Some(texts) = rules.entry(tool).or_insert_with(|| serde_json::json!([])).as_array_mut() {
            texts.push(text.into());
        }
    }
    let value = |json: serde_json::Value| regorus::Value::from_json_str(&json.to_string()).map_err(told);
    let mut engine = regorus::Engine::new();
    engine.add_policy("bench.rego".to_owned(), REGO.to_owned()).map_err(told)?;
    let policy = engine.compile_with_entrypoint(&RULE.into()).map_err(told)?;
    // Its own machine for compiled policies is several times faster than its interpreter.
    let mut machine = RegoVM::new();
    machine.load_program(Compiler::compile_from_policy(&policy, &[RULE]).map_err(told)?);
    machine.set_data(value(serde_json::json!({ "rules": rules }))?).map_err(told)?;
    let calls =
        Calls::of(shape).read(|tool, path| value(serde_json::json!({ "tool": tool, "path": path })))?;
    asked("regorus", MANY, calls, move |input| {
        machine.set_input(input.clone());
        Ok(machine.execute().map_err(told)? == regorus::Value::from(true))
    })
}

fn cel(shape: Shape) -> Result<Step<'static>, String> {
    let compile = |at: usize| {
        let (tool, text) = shape.rule(at);
        cel::Program::compile(&format!("tool == '{tool}' && path.contains('{text}')")).map_err(told)
    };
    let programs: Vec<cel::Program> = (0..RULES).map(compile).collect::<Result<_, _>>()?;
    let calls = Calls::of(shape).read(|tool, path| {
        let mut context = cel::Context::default();
        context.add_variable("tool", tool).map_err(told)?;
        context.add_variable("path", path).map_err(told)?;
        Ok(context)
    })?;
    asked("cel", FEW, calls, move |context| {
        Ok(programs.iter().any(|program| program.execute(context) == Ok(cel::Value::Bool(true))))
    })
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
