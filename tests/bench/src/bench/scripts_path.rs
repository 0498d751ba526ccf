//! The whole way of an event: through a workspace that stays open, its log committed to the store; through a process of its
//! own; and how soon what a person changes is in force.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use mentci_authority::{Effect, Verdict};
use mentci_disk::RealFs;
use mentci_host::policy::{Input, Line, PolicyRequest};
use mentci_host::{Answer, Ask, Outcome, Request};
use mentci_workspace::{Surroundings, SystemClock, Workspace};
use serde_json::json;

use super::policy_rules::{Shape, yaml};
use super::scripts::{FILLED, WALK, rules};
use super::{Rows, told};
use crate::child::{run, silent};
use crate::options::Options;
use crate::rounds::{Samples, Step, in_turn, time};
use crate::table::{Row, Target, Unit};

/// How many rules of YAML there are, beside those that act and the shipped packs.
const COUNT: usize = 1_000;

/// What an event may take (the budget), and what 99 of 100 must stay under.
const BUDGET: f64 = 0.050;
const RELIABLE: f64 = 0.100;

/// How soon a change is in force.
const SOON: f64 = 1.0;

/// A rule that asks a script, and one that tells what the log knows.
const MORE: &str = "[[rule]]\nid = \"asks\"\ntrigger = \"on_turn_start\"\n[rule.script]\nfile = \"walk.luau\"\n\
                    [[rule]]\nid = \"counts\"\ntrigger = \"on_turn_start\"\n[rule.parameters]\nleast = 1\n\
                    [rule.condition]\nexpression = \"failure_count('flaky') >= parameters.least\"\n\
                    [rule.action]\ntype = \"log\"\nmessage = \"{{ context.history.failures.flaky }}\"\n";

pub(super) fn bench(options: &Options) -> Rows {
    let place = Place::new(options)?;
    let mut rows = events(options, &place)?;
    rows.extend(changes(options, &place)?);
    rows.extend(processes(options, &place)?);
    Ok(rows)
}

/// A user with rules, and an empty workspace.
struct Place(PathBuf);

impl Place {
    fn new(options: &Options) -> Result<Self, String> {
        let place = Self(options.data.join("acting"));
        if place.0.exists() {
            fs::remove_dir_all(&place.0).map_err(told)?;
        }
        fs::create_dir_all(place.0.join("tree")).map_err(told)?;
        place.write("bench.yaml", &yaml(Shape::OwnTool, COUNT))?;
        place.write("acting.toml", &rules(100, 10))?;
        place.write("walk.luau", WALK)?;
        place.write("more.toml", MORE)?;
        Ok(place)
    }

    fn write(&self, name: &str, text: &str) -> Result<(), String> {
        let rules = self.0.join("config/mentci/rules");
        fs::create_dir_all(&rules).map_err(told)?;
        fs::write(rules.join(name), text).map_err(told)
    }

    fn open(&self) -> Workspace {
        let around = Surroundings {
            state: Some(self.0.join("state/mentci")),
            user_config: Some(self.0.join("config/mentci/config.toml")),
            ..Surroundings::default()
        };
        Workspace::open(&self.0.join("tree"), around, Arc::new(RealFs), Arc::new(SystemClock::new()))
    }
}

/// What a workspace makes of an event, which is written down.
fn decided(workspace: &Workspace, event: &str) -> Result<Verdict, String> {
    let event = Input::Text { name: "event".to_owned(), text: event.to_owned() };
    let asked = PolicyRequest::Decide {
        rules: Vec::new(),
        event,
        dry_run: false,
        lenient: false,
        beside: None,
        dated: false,
    };
    let response = workspace.ask(Request::Policy(asked));
    let findings = response.findings;
    match response.answer {
        Answer::Lines(answer) => match answer.lines.into_iter().next() {
            Some(Line::Verdict(verdict)) if verdict.faults.is_empty() => Ok(*verdict),
            other => Err(format!("no verdict: {other:?} {findings:?}")),
        },
        _ => Err(format!("no verdict: {findings:?}")),
    }
}

fn changed(workspace: &Workspace, change: PolicyRequest) -> Result<(), String> {
    let response = workspace.ask(Request::Policy(change));
    if response.outcome == Outcome::Ok { Ok(()) } else { Err(format!("{:?}", response.findings)) }
}

const TURN: &str = r#"{"event":"turn_start","session":"s","turn":7,"usage":{"token_usage":0.85}}"#;

fn call(tool: &str) -> String {
    format!(
        r#"{{"event":"pre_tool_call","session":"s","turn":7,"tool":{{"name":"{tool}","args":{{"path":"/etc/passwd"}}}}}}"#
    )
}

fn failure() -> &'static str {
    r#"{"event":"post_tool_response","session":"s","turn":7,"tool":{"name":"flaky","args":{}},"result":{"error":"time-out"}}"#
}

fn told_by(verdict: &Verdict, rule: &str) -> Option<String> {
    let action = verdict.actions.iter().find(|action| action["rule"] == rule)?;
    Some(action.get("message")?.as_str()?.to_owned())
}

/// Calls and turns, one after another, in one session that grows.
fn events(options: &Options, place: &Place) -> Rows {
    let workspace = place.open();
    let (blocked, allowed) = (call(&format!("tool_{}", COUNT - 1)), call("list"));
    let mut samples = [Samples::default(), Samples::default(), Samples::default()];
    for round in 0..=options.amount(500, 20) {
        let mut verdicts = Vec::new();
        for (event, samples) in [blocked.as_str(), allowed.as_str(), TURN].iter().zip(&mut samples) {
            let mut verdict = Err(String::new());
            let seconds = time(|| verdict = decided(&workspace, event));
            verdicts.push(verdict?);
            // The first of each makes the pack and opens the store.
            if round > 0 {
                samples.push(seconds);
            }
        }
        let told = (0..10).all(|at| {
            told_by(&verdicts[2], &format!("n{at}")).as_deref() == Some(&*format!("{at}: {FILLED}"))
        });
        if verdicts[0].decision != Effect::Block || verdicts[1].decision == Effect::Block || !told {
            return Err(format!("events are not decided as they should be: {verdicts:?}"));
        }
    }
    let whats =
        ["a call that is blocked", "a call that is allowed", "a turn at which 10 of 102 rules notify"];
    let rows = whats.iter().zip(&samples).flat_map(|(what, samples)| {
        let what = format!(
            "{what}, through an open workspace of {COUNT} more rules and the shipped packs, committed"
        );
        let row = |what: String, percent, target| {
            Row::alone(&what, Unit::Seconds, samples.percentile(percent), Target::Below(target))
        };
        let of = samples.len();
        [
            row(format!("{what}: median of {of}"), 50, BUDGET),
            row(format!("{what}: p99 of {of}"), 99, RELIABLE),
        ]
    });
    Ok(rows.collect())
}

/// What a person changes in one process, and another that stays open decides by.
fn changes(options: &Options, place: &Place) -> Rows {
    let (open, other) = (place.open(), place.open());
    let turn = |rule: &str| decided(&open, TURN).map(|verdict| told_by(&verdict, rule));
    let is_blocked =
        |tool: &str| decided(&open, &call(tool)).map(|verdict| verdict.decision == Effect::Block);
    let mut failures = 0;
    let mut round = 0;
    // Everything is in force once, and both have opened what they need.
    turn("n0")?.ok_or("`n0` does not notify")?;
    decided(&other, TURN)?;

    let file: Step<'_> = Box::new(|| {
        round += 1;
        let tool = format!("fresh_{round}");
        if is_blocked(&tool)? {
            return Err(format!("`{tool}` is blocked by nothing"));
        }
        let text = format!("rules:\n- id: fresh\n  when: {{tool: {tool}}}\n  then: block\n");
        in_force("a file of rules", || place.write("fresh.yaml", &text), || is_blocked(&tool))
    });
    let switch: Step<'_> = Box::new(|| {
        let set = |enabled| changed(&other, PolicyRequest::Switch { rule: "acting/n0".to_owned(), enabled });
        set(true)?;
        turn("n0")?.ok_or("a rule that is on does not notify")?;
        in_force("a switch", || set(false), || Ok(turn("n0")?.is_none()))
    });
    let parameter: Step<'_> = Box::new(|| {
        let set = |value: Option<u32>| {
            let (rule, name) = ("more/counts".to_owned(), "least".to_owned());
            changed(&other, PolicyRequest::Parameter { rule, name, value: value.map(|value| json!(value)) })
        };
        set(None)?;
        decided(&other, failure())?;
        turn("counts")?.ok_or("a rule whose threshold is passed does not tell")?;
        let seconds = in_force("a parameter", || set(Some(1_000_000)), || Ok(turn("counts")?.is_none()));
        set(None)?;
        seconds
    });
    let samples = in_turn(options.amount(21, 3), vec![file, switch, parameter])?;
    let fact: Step<'_> = Box::new(|| {
        let before: u64 = turn("counts")?.and_then(|count| count.parse().ok()).unwrap_or(failures);
        failures = before + 1;
        let wanted = Some(failures.to_string());
        in_force("a fact", || decided(&other, failure()).map(drop), || Ok(turn("counts")? == wanted))
    });
    let facts = in_turn(options.amount(21, 3), vec![fact])?;
    let whats = [
        "a new file of rules, until a decision goes by it",
        "a rule switched by another process, until a decision goes by it",
        "a parameter set by another process, until a decision goes by it",
        "a failure told to another process, until a rule's facts hold it",
    ];
    let row = |(what, samples): (&&str, &Samples)| {
        let what = format!("{what}: worst of {}", samples.len());
        Row::alone(&what, Unit::Seconds, samples.percentile(100), Target::Below(SOON))
    };
    Ok(whats.iter().zip(samples.iter().chain(&facts)).map(row).collect())
}

/// From a change to the end of the first decision, which must go by it already.
fn in_force(
    what: &str,
    change: impl FnOnce() -> Result<(), String>,
    is_so: impl FnOnce() -> Result<bool, String>,
) -> Result<f64, String> {
    let mut so = Ok(false);
    let seconds = time(|| so = change().and_then(|()| is_so()));
    if so? { Ok(seconds) } else { Err(format!("{what} is not in force at the next decision")) }
}

/// `policy-engine decide` by a fresh pack, its decision written down.
fn processes(options: &Options, place: &Place) -> Rows {
    let event = place.0.join("event.json");
    fs::write(&event, call(&format!("tool_{}", COUNT - 1))).map_err(told)?;
    let ask = |dry: bool| {
        let mut command = silent(&options.engine);
        command
            .arg("decide")
            .args(dry.then_some("--dry-run"))
            .arg("--root")
            .arg(place.0.join("tree"))
            .arg(&event);
        command.env("XDG_STATE_HOME", place.0.join("state")).env("XDG_CONFIG_HOME", place.0.join("config"));
        let usage = run(&mut command, 1)?;
        if usage.code == 1 { Ok(usage.seconds) } else { Err("`decide` does not block".to_owned()) }
    };
    let (written, dry): (Step<'_>, Step<'_>) = (Box::new(|| ask(false)), Box::new(|| ask(true)));
    let nothing = options.tools.join("true");
    let nothing: Step<'_> = Box::new(|| run(&mut silent(&nothing), 0).map(|usage| usage.seconds));
    let samples = in_turn(options.amount(31, 5), vec![written, dry, nothing])?;
    let [written, dry, nothing] = [0, 1, 2].map(|n| samples[n].median());
    let beside = |what: &str, ours| {
        let what = format!("`decide{what}` in a process of its own, a fresh pack, a session of many calls");
        Row::beside(&what, Unit::Seconds, ours, ("a static program that ends at once", nothing), Target::Told)
    };
    Ok(vec![beside("", written), beside(" --dry-run", dry)])
}
