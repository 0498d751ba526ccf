//! The first compile of 1,000 skills, beside the ruler CLI, which concatenates them.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::Rows;
use crate::child::{memory, run, silent};
use crate::options::Options;
use crate::plant;
use crate::rounds::{Step, in_turn};
use crate::table::{Row, Target, Unit};

/// What keeps ruler from doing more than concatenating: no other settings, no copies, for one agent.
const ONLY_CONCATENATE: &[&str] = &[
    "apply",
    "--agents",
    "claude",
    "--local-only",
    "--no-gitignore",
    "--no-mcp",
    "--no-backup",
    "--no-skills",
];

/// Numbers the files that were put away.
static AWAY: AtomicUsize = AtomicUsize::new(0);

pub(super) fn bench(options: &Options) -> Rows {
    let count = options.amount(1_000, 100);
    let root = plant::skills(options, count).map_err(super::told)?;
    let flat = plant::for_ruler(options, "flat", count, |name| format!(".ruler/{name}/SKILL.md"))
        .map_err(super::told)?;
    let nested = plant::for_ruler(options, "nested", count, |name| format!("skills/{name}/.ruler/SKILL.md"))
        .map_err(super::told)?;
    let cold: Step<'_> = Box::new(|| {
        forget(&root)?;
        run(&mut compile(options, &root), 1).map(|usage| usage.seconds)
    });
    let warm: Step<'_> = Box::new(|| run(&mut compile(options, &root), 1).map(|usage| usage.seconds));
    let flat: Step<'_> = Box::new(|| concatenate(options, &flat, false));
    let nested: Step<'_> = Box::new(|| concatenate(options, &nested, true));
    let samples = in_turn(options.amount(9, 3), vec![cold, warm, flat, nested])?;
    let [cold, warm, flat, nested] = [0, 1, 2, 3].map(|n| samples[n].median());
    let what = format!("compiling {count} skills, cold");
    let again = format!("compiling {count} skills again, nothing moved");
    Ok(vec![
        Row::beside(
            &what,
            Unit::Seconds,
            cold,
            ("ruler, one file a skill (`--nested`)", nested),
            Target::TimesFaster(10.0),
        ),
        Row::beside(
            &what,
            Unit::Seconds,
            cold,
            ("ruler, all skills in one file", flat),
            Target::TimesFaster(10.0),
        ),
        Row::beside(&again, Unit::Seconds, warm, ("ruler, all skills in one file", flat), Target::Told),
        Row::alone(
            &format!("memory of the cold compile of {count} skills"),
            Unit::Mebibytes,
            peak(options, &root)?,
            Target::Below(150.0),
        ),
    ])
}

fn compile(options: &Options, root: &Path) -> Command {
    let mut command = silent(&options.engine);
    command.arg("compile-rules").arg("--root").arg(root);
    command
}

#[expect(clippy::cast_precision_loss, reason = "mebibytes are told without a fraction")]
fn peak(options: &Options, root: &Path) -> Result<f64, String> {
    forget(root)?;
    let arguments = [OsStr::new("compile-rules"), OsStr::new("--root"), root.as_os_str()];
    Ok(memory(&options.engine, &arguments)? as f64 / f64::from(1 << 20))
}

/// Puts away all that a compile leaves. Nothing is deleted before the next tree is planted: file systems are slow to give
/// the places of files that went just now to new ones, and no first compile has deleted thousands of files before it.
pub(super) fn forget(root: &Path) -> Result<(), String> {
    put_away(root, &[root.join(".pi"), root.join(".mentci")], "absolute_rules.")?;
    let skills = fs::read_dir(root.join(".pi/skills")).map_err(super::told)?;
    let homes: Vec<PathBuf> = skills.flatten().map(|entry| entry.path()).collect();
    put_away(root, &homes, "absolute_rules.")
}

/// Moves the files whose names begin with `prefix` out of `homes`; all files out of `.mentci`.
fn put_away(root: &Path, homes: &[PathBuf], prefix: &str) -> Result<(), String> {
    let away = root.with_extension(plant::AWAY);
    fs::create_dir_all(&away).map_err(super::told)?;
    for home in homes {
        let all = home.ends_with(".mentci");
        for entry in fs::read_dir(home).into_iter().flatten().flatten() {
            if all || entry.file_name().to_string_lossy().starts_with(prefix) {
                let number = AWAY.fetch_add(1, Ordering::Relaxed);
                let place = away.join(format!("{}-{number}", std::process::id()));
                fs::rename(entry.path(), place).map_err(super::told)?;
            }
        }
    }
    Ok(())
}

fn concatenate(options: &Options, root: &Path, nested: bool) -> Result<f64, String> {
    let mut homes = vec![root.to_owned()];
    homes.extend(fs::read_dir(root.join("skills")).into_iter().flatten().flatten().map(|entry| entry.path()));
    put_away(root, &homes, "CLAUDE.md")?;
    let ruler = options.tools.join("ruler/node_modules/.bin/ruler");
    let mut command = silent(&ruler);
    command.args(ONLY_CONCATENATE).args(nested.then_some("--nested")).current_dir(root);
    let usage = run(&mut command, 0)?;
    Ok(usage.seconds)
}
