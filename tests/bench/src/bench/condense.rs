//! Shorter lines by a model: 1,000 rules and a model that was written beforehand; then the same from the lock, beside a compile that
//! knows of no such lines.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::{Rows, told};
use crate::child::{run, silent};
use crate::options::Options;
use crate::rounds::{Step, in_turn};
use crate::table::{Row, Target, Unit};

/// Rules of a skill.
const A_SKILL: usize = 50;
/// So many of these rules are asked about in one request: `Components/workspace/src/condensing/group.rs`.
const A_GROUP: usize = 84;

pub(super) fn bench(options: &Options) -> Rows {
    let count = options.amount(1_000, 200);
    let root = options.data.join("condense");
    let _ = fs::remove_dir_all(&root);
    plant(&root, count).map_err(told)?;
    let first = condensed(&options.engine, &root)?;
    let again = condensed(&options.engine, &root)?;
    let mut locked = compile(options, &root, &[]);
    let mut plain = compile(options, &root, &["--condense", "deterministic"]);
    let locked: Step<'_> = Box::new(|| run(&mut locked, 1).map(|usage| usage.seconds));
    let plain: Step<'_> = Box::new(|| run(&mut plain, 1).map(|usage| usage.seconds));
    let samples = in_turn(options.amount(9, 3), vec![locked, plain])?;
    let number = |answer: &Value, key: &str| answer[key].as_f64().unwrap_or(f64::NAN);
    let times = number(&first, "prompt_tokens") / number(&first, "law_tokens");
    let saved = number(&first, "skills") / number(&first, "skills_plain");
    let compiled = format!("compiling {count} rules with shorter lines from the lock");
    let without = ("the same without them", samples[1].median());
    #[expect(clippy::cast_precision_loss, reason = "requests are few")]
    let requests = count.div_ceil(A_GROUP) as f64;
    Ok(vec![
        Row::beside(&compiled, Unit::Seconds, samples[0].median(), without, Target::AtMost(2.0)),
        Row::alone(
            &format!("requests for {count} rules"),
            Unit::Count,
            number(&first, "calls"),
            Target::Exactly(requests),
        ),
        Row::alone(
            "requests of a second compile",
            Unit::Count,
            number(&again, "calls"),
            Target::Exactly(0.0),
        ),
        Row::alone("tokens sent, for one token of law", Unit::Count, times, Target::Below(3.0)),
        Row::alone("tokens of the skills' digests, for one before", Unit::Count, saved, Target::Below(0.8)),
    ])
}

fn compile(options: &Options, root: &Path, more: &[&str]) -> Command {
    let mut command = silent(&options.engine);
    command.arg("compile-rules").arg("--root").arg(root).args(more);
    command
}

/// Compiles with the written model; what `condensed` says of it.
fn condensed(engine: &Path, root: &Path) -> Result<Value, String> {
    let model = format!("script:{}", root.join("model.json").display());
    let mut command = Command::new(engine);
    command
        .args(["compile-rules", "--json", "--condense", "model", "--model"])
        .arg(model)
        .arg("--root")
        .arg(root);
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().map_err(told)?;
    let answer: Value = serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
    Ok(answer["condensed"].clone())
}

fn plant(root: &Path, count: usize) -> std::io::Result<()> {
    let rules: Vec<usize> = (0..count).collect();
    for (at, rules) in rules.chunks(A_SKILL).enumerate() {
        let home = root.join(format!(".pi/skills/skill-{at:04}"));
        fs::create_dir_all(&home)?;
        let law: String =
            rules.iter().fold("# Checks\n\n".to_owned(), |law, at| law + &format!("- {}.\n", rule(*at)));
        fs::write(home.join("SKILL.md"), law)?;
    }
    let steps: Vec<Value> = rules.chunks(A_GROUP).map(step).collect();
    fs::write(root.join("model.json"), json!({ "model": "written", "steps": steps }).to_string())
}

fn rule(at: usize) -> String {
    format!("You must always run check {at} of the nightly suite prior to merging a change to the branch")
}

/// The answer to the group of these rules.
fn step(rules: &[usize]) -> Value {
    let line = |(id, at): (usize, &usize)| json!({ "ids": [id], "text": format!("Run check {at} of nightly suite before merging change to branch") });
    let lines: Vec<Value> = (1..).zip(rules).map(line).collect();
    let named = |at: Option<&usize>| at.map(|at| format!("run check {at} of")).unwrap_or_default();
    json!({ "when": [named(rules.first()), named(rules.last())], "text": json!({ "lines": lines }).to_string() })
}
