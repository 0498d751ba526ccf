//! A `git checkout` under a watch: one compile, nothing missed.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use super::Rows;
use super::compile::forget;
use crate::options::Options;
use crate::plant;
use crate::rounds::Samples;
use crate::table::{Row, Target, Unit};
use crate::watcher::Watcher;

/// How long nothing must come until a checkout counts as over.
const QUIET: Duration = Duration::from_secs(3);

pub(super) fn bench(options: &Options) -> Rows {
    let skills = options.amount(1_000, 50);
    let root = plant::branches(options, skills).map_err(super::told)?;
    plant::git(&root, &["checkout", "-q", "-f", "one"]).map_err(super::told)?;
    forget(&root)?;
    let (watcher, _) = Watcher::engine(&options.engine, &root)?;
    let (mut most, mut missed) = (0, 0);
    let (mut checkout, mut after) = (Samples::default(), Samples::default());
    for round in 0..options.amount(6, 2) {
        let branch = if round % 2 == 0 { "two" } else { "one" };
        let start = Instant::now();
        plant::git(&root, &["checkout", "-q", branch]).map_err(super::told)?;
        let done = Instant::now();
        checkout.push(done.duration_since(start).as_secs_f64());
        let cycles = watcher.quiet(QUIET)?;
        let last = cycles.last().ok_or("a checkout was missed")?;
        after.push(last.at.saturating_duration_since(done).as_secs_f64());
        most = most.max(cycles.iter().filter(|cycle| cycle.digests > 0).count());
        let read: u64 = cycles.iter().map(|cycle| cycle.changed).sum();
        missed += skills.saturating_sub(usize::try_from(read).unwrap_or(usize::MAX));
        must_be_current(options, &root)?;
    }
    let files = skills * 20;
    let what = format!("`git checkout` of {files} files, {skills} of them skills");
    Ok(vec![
        Row::alone(&format!("{what}: compiles, at most"), Unit::Count, count(most), Target::Exactly(1.0)),
        Row::alone(&format!("{what}: skills missed"), Unit::Count, count(missed), Target::Exactly(0.0)),
        Row::beside(
            &format!("{what}: from its end to the digests"),
            Unit::Seconds,
            after.median(),
            ("the checkout itself", checkout.median()),
            Target::Told,
        ),
    ])
}

#[expect(clippy::cast_precision_loss, reason = "small counts")]
fn count(number: usize) -> f64 {
    number as f64
}

/// A compile by another process must find nothing to do: what the watch published is what stands in the law.
pub(super) fn must_be_current(options: &Options, root: &Path) -> Result<(), String> {
    let mut command = Command::new(&options.engine);
    let output = command
        .args(["compile-rules", "--check", "--json", "--root"])
        .arg(root)
        .output()
        .map_err(super::told)?;
    let answer: serde_json::Value =
        serde_json::from_slice(&output.stdout).map_err(|error| format!("the check is not JSON: {error}"))?;
    match stale(&answer) {
        Some(false) => Ok(()),
        Some(true) => Err("the watch has missed something: digests are out of date".to_owned()),
        None => Err("the check does not say whether digests are out of date".to_owned()),
    }
}

/// The field `stale`, wherever it stands in the answer.
fn stale(answer: &serde_json::Value) -> Option<bool> {
    match answer {
        serde_json::Value::Object(fields) => fields
            .get("stale")
            .and_then(serde_json::Value::as_bool)
            .or_else(|| fields.values().find_map(stale)),
        _ => None,
    }
}
