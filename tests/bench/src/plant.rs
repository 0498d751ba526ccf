//! The trees that are measured. Planting one takes minutes, so each is kept, with a note of what was planted.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::options::Options;
use crate::prose;
use crate::random::Random;

/// Raise it when what is planted changes.
const EDITION: u32 = 4;
/// The ending of folders with what was put away.
pub(crate) const AWAY: &str = "away";
/// Where a planted tree says what it is; hidden names are passed over by all that is measured.
const NOTE: &str = ".planted";

/// A tree of `count` texts below `texts/`, 50 in each directory.
pub(crate) fn texts(options: &Options, count: usize) -> io::Result<PathBuf> {
    planted(options, "texts", count, |root| {
        let mut random = Random::new(1);
        let pool = prose::text(&mut random, 1 << 20);
        for n in 0..count {
            write(&root.join("texts").join(spread(n, "md")), &piece(&pool, n, &mut random))?;
        }
        Ok(())
    })
}

/// A tree of `count` skills.
pub(crate) fn skills(options: &Options, count: usize) -> io::Result<PathBuf> {
    planted(options, "skills", count, |root| write_skills(&root.join(".pi/skills"), count))
}

/// The same skills, where ruler looks for them.
pub(crate) fn for_ruler(
    options: &Options,
    how: &str,
    count: usize,
    place: impl Fn(&str) -> String,
) -> io::Result<PathBuf> {
    planted(options, &format!("ruler-{how}"), count, |root| {
        fs::create_dir_all(root.join(".ruler"))?;
        (0..count).try_for_each(|n| write(&root.join(place(&prose::skill_name(n))), &prose::skill(n)))
    })
}

/// A Rust workspace with `skills` skills and `others` other files, in 50 crates that share a schema or two.
pub(crate) fn workspace(options: &Options, skills: usize, others: usize) -> io::Result<PathBuf> {
    planted(options, "workspace", others, |root| {
        write_skills(&root.join(".pi/skills"), skills)?;
        let mut random = Random::new(2);
        let pool = prose::text(&mut random, 1 << 20);
        for n in 0..others {
            write(&root.join("Components").join(spread(n, "rs")), &piece(&pool, n, &mut random))?;
        }
        write(
            &root.join("Cargo.toml"),
            "[workspace]\nmembers = [\"Components/*\"]\n\n[workspace.package]\nedition = \"2024\"\n",
        )?;
        for n in 0..50.min(others) {
            let home = root.join(format!("Components/d{n}"));
            write(
                &home.join("Cargo.toml"),
                &format!("[package]\nname = \"part-{n}\"\nversion = \"0.1.0\"\nedition.workspace = true\n"),
            )?;
            write(&home.join("src/lib.rs"), "//! A part.\n")?;
            if n % 5 == 0 {
                write(&home.join("schema/part.capnp"), &schema(n))?;
            }
        }
        Ok(())
    })
}

/// A repository whose branches `one` and `two` differ in `skills` skills and in `19 * skills` notes that stand beside them,
/// in the directories that a watch must watch. `one` is checked out.
pub(crate) fn branches(options: &Options, skills: usize) -> io::Result<PathBuf> {
    planted(options, "branches", skills, |root| {
        git(root, &["init", "-q", "-b", "one"])?;
        for (branch, shift) in [("one", 0), ("two", skills)] {
            if shift > 0 {
                git(root, &["checkout", "-q", "-b", branch])?;
            }
            for n in 0..skills {
                let home = root.join(".pi/skills").join(prose::skill_name(n));
                write(&home.join("SKILL.md"), &prose::skill(n + shift))?;
                for note in 0..19 {
                    write(
                        &home.join(format!("note-{note}.md")),
                        &format!("Note {note} of {n} on branch {branch}.\n"),
                    )?;
                }
            }
            git(root, &["add", "-A"])?;
            git(
                root,
                &[
                    "-c",
                    "user.name=bench",
                    "-c",
                    "user.email=bench@example.org",
                    "commit",
                    "-q",
                    "-m",
                    branch,
                ],
            )?;
        }
        git(root, &["checkout", "-q", "one"])
    })
}

/// Runs git, with the user's own settings kept out.
pub(crate) fn git(root: &Path, arguments: &[&str]) -> io::Result<()> {
    let mut command = std::process::Command::new("git");
    command.args(["-c", "gc.auto=0", "-c", "core.fsmonitor=false"]).args(arguments).current_dir(root);
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
    let output = command.output()?;
    if output.status.success() {
        Ok(())
    } else {
        Err(io::Error::other(String::from_utf8_lossy(&output.stderr).into_owned()))
    }
}

/// Writes `count` skills below `home`, each in a directory of its own.
pub(crate) fn write_skills(home: &Path, count: usize) -> io::Result<()> {
    (0..count).try_for_each(|n| write(&home.join(prose::skill_name(n)).join("SKILL.md"), &prose::skill(n)))
}

/// Writes a file and the directories above it.
pub(crate) fn write(path: &Path, text: &str) -> io::Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::write(path, text)
}

/// Plants a tree unless it stands already.
fn planted(
    options: &Options,
    name: &str,
    count: usize,
    plant: impl FnOnce(&Path) -> io::Result<()>,
) -> io::Result<PathBuf> {
    let root = options.data.join(format!("{name}-{count}"));
    let note = format!("{name} {count}, edition {EDITION}\n");
    if fs::read_to_string(root.join(NOTE)).is_ok_and(|found| found == note) {
        return Ok(root);
    }
    eprintln!("planting {name} ({count})");
    if root.exists() {
        fs::remove_dir_all(&root)?;
    }
    // A repository of its own: what is ignored above it does not count.
    fs::create_dir_all(root.join(".git"))?;
    plant(&root)?;
    fs::write(root.join(NOTE), note)?;
    Ok(root)
}

/// The place of the `n`th file: at most 50 in a directory, 50 directories at the top.
fn spread(n: usize, extension: &str) -> PathBuf {
    format!("d{}/s{}/file-{n}.{extension}", n % 50, n / 50 / 50).into()
}

/// A piece of the pool, between 200 and 8,000 bytes long and most often short; its first line tells it from all others.
fn piece(pool: &str, n: usize, random: &mut Random) -> String {
    let length = 200 << random.below(5);
    let length = length + random.below(length);
    let start = random.below(pool.len() - length);
    // The pool is ASCII, so every cut is at a character.
    format!("// file {n}\n{}\n", &pool[start..start + length])
}

fn schema(n: usize) -> String {
    format!(
        "@0x{:x};\n\nstruct Part{n} {{\n  name @0 :Text;\n  size @1 :UInt64;\n}}\n",
        0x9000_0000_0000_0000_u64 + n as u64
    )
}

/// Deletes what was put away.
pub(crate) fn clean(options: &Options) {
    let folders = fs::read_dir(&options.data).into_iter().flatten().flatten().map(|entry| entry.path());
    for folder in folders.filter(|folder| folder.extension().is_some_and(|ending| ending == AWAY)) {
        let _ = fs::remove_dir_all(folder); // the next run tries again
    }
}
