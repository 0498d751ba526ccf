//! The first compile of 1,000 skills, beside the ruler CLI, which concatenates them.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::Command;

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

/// Takes away all that a compile leaves.
pub(super) fn forget(root: &Path) -> Result<(), String> {
    let published = |path: &Path| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("absolute_rules."))
    };
    let mut homes = vec![root.join(".pi")];
    homes.extend(
        fs::read_dir(root.join(".pi/skills")).map_err(super::told)?.flatten().map(|entry| entry.path()),
    );
    for home in homes {
        for entry in
            fs::read_dir(home).map_err(super::told)?.flatten().filter(|entry| published(&entry.path()))
        {
            fs::remove_file(entry.path()).map_err(super::told)?;
        }
    }
    match fs::remove_dir_all(root.join(".mentci")) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(super::told(error)),
        _ => Ok(()),
    }
}

fn concatenate(options: &Options, root: &Path, nested: bool) -> Result<f64, String> {
    let ruler = options.tools.join("ruler/node_modules/.bin/ruler");
    let mut command = silent(&ruler);
    command.args(ONLY_CONCATENATE).args(nested.then_some("--nested")).current_dir(root);
    let usage = run(&mut command, 0)?;
    Ok(usage.seconds)
}
