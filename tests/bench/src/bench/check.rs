//! Checking a tree in which nothing moved, beside a bare parallel walk that only stats.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use ignore::{WalkBuilder, WalkState};
use mentci_disk::{HashIndex, Keep, RealFs, SourcePattern, discover};

use super::Rows;
use crate::options::Options;
use crate::plant;
use crate::rounds::{Step, in_turn, time};
use crate::table::{Row, Target, Unit};

pub(super) fn bench(options: &Options) -> Rows {
    let count = options.amount(100_000, 10_000);
    let root = plant::texts(options, count).map_err(super::told)?;
    let mut index = settled_index(&root)?;
    index.save(&RealFs, &root).map_err(|error| error.to_string())?;
    let in_memory: Step<'_> = Box::new(|| expect(count, |found| *found = check(&root, &mut index)));
    let from_disk: Step<'_> =
        Box::new(|| expect(count, |found| *found = check(&root, &mut HashIndex::load(&RealFs, &root).value)));
    let careful: Step<'_> = Box::new(|| expect(count, |found| *found = walk(&root, true)));
    let bare: Step<'_> = Box::new(|| expect(count, |found| *found = walk(&root, false)));
    let samples = in_turn(options.amount(21, 5), vec![in_memory, from_disk, bare, careful])?;
    let [ours, loaded, bare, careful] = [0, 1, 2, 3].map(|n| samples[n].median());
    let what = |how: &str| format!("checking {count} unchanged files{how}");
    Ok(vec![
        Row::beside(&what(""), Unit::Seconds, ours, ("bare parallel stat walk", bare), Target::AtMost(1.3)),
        Row::beside(
            &what(", index read from disk"),
            Unit::Seconds,
            loaded,
            ("bare parallel stat walk", bare),
            Target::Told,
        ),
        Row::beside(
            &what(", `.gitignore` respected by both"),
            Unit::Seconds,
            ours,
            ("parallel stat walk", careful),
            Target::Told,
        ),
    ])
}

/// The texts of the tree.
pub(super) fn patterns() -> Vec<SourcePattern> {
    "texts/**/*.md".parse().into_iter().collect()
}

/// An index that knows the whole tree.
fn settled_index(root: &Path) -> Result<HashIndex, String> {
    let mut index = HashIndex::new();
    // Where there is no machine state the file system's time is not asked for, and no file counts as settled.
    std::fs::create_dir_all(root.join(".mentci")).map_err(super::told)?;
    let before = check(root, &mut index);
    // A tree that was planted just now is hashed once more: its times prove nothing yet.
    std::thread::sleep(std::time::Duration::from_millis(50));
    let after = check(root, &mut index);
    let reads = index.counters().reads;
    let again = check(root, &mut index);
    if index.counters().reads == reads {
        Ok(index)
    } else {
        Err(format!("the tree moves: {before}, {after}, {again}"))
    }
}

fn check(root: &Path, index: &mut HashIndex) -> usize {
    let found = discover(&RealFs, root, &patterns()).value.found;
    index.check(&RealFs, root, &found, Keep::Hashes).value.unchanged
}

/// Stats every file below `texts/`; with or without a look at what is ignored.
fn walk(root: &Path, with_rules: bool) -> usize {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut walk = WalkBuilder::new(root.join("texts"));
    walk.standard_filters(with_rules).require_git(false).threads(threads);
    let count = AtomicUsize::new(0);
    walk.build_parallel().run(|| {
        Box::new(|entry| {
            let metadata = entry.ok().and_then(|entry| entry.metadata().ok());
            if metadata.is_some_and(|metadata| metadata.is_file() && metadata.len() > 0) {
                count.fetch_add(1, Ordering::Relaxed);
            }
            WalkState::Continue
        })
    });
    count.into_inner()
}

/// Times `work` and wants it to have seen `count` files.
fn expect(count: usize, work: impl FnOnce(&mut usize)) -> Result<f64, String> {
    let mut found = 0;
    let seconds = time(|| work(&mut found));
    if found == count { Ok(seconds) } else { Err(format!("{found} of {count} files were seen")) }
}
