//! What every turn of an agent costs: `policy-engine inject pi` on an unchanged tree, beside a program that does nothing.

use super::Rows;
use crate::child::{run, silent};
use crate::options::Options;
use crate::plant;
use crate::rounds::{Step, in_turn};
use crate::table::{Row, Target, Unit};

pub(super) fn bench(options: &Options) -> Rows {
    let count = options.amount(1_000, 100);
    let root = plant::skills(options, count).map_err(super::told)?;
    let ask = |verb: &[&str]| {
        let mut command = silent(&options.engine);
        command.args(verb).arg("--root").arg(&root);
        run(&mut command, 1).map(|usage| usage.seconds)
    };
    ask(&["compile-rules"])?;
    let nothing = options.tools.join("true");
    let inject: Step<'_> = Box::new(|| ask(&["inject", "pi"]));
    let check: Step<'_> = Box::new(|| ask(&["compile-rules", "--check"]));
    let nothing: Step<'_> = Box::new(|| run(&mut silent(&nothing), 0).map(|usage| usage.seconds));
    let samples = in_turn(options.amount(51, 5), vec![inject, check, nothing])?;
    let [inject, check, nothing] = [0, 1, 2].map(|n| samples[n].median());
    let beside = |what: &str, ours| {
        Row::beside(what, Unit::Seconds, ours, ("a static program that ends at once", nothing), Target::Told)
    };
    Ok(vec![
        beside(&format!("`inject pi`, {count} skills, nothing moved"), inject),
        beside(&format!("`compile-rules --check`, {count} skills, nothing moved"), check),
    ])
}
