//! Reading and hashing a whole tree, beside `b3sum`.

use std::path::Path;

use mentci_disk::{HashIndex, Keep, RealFs, discover};

use super::Rows;
use super::check::patterns;
use crate::child::{run, silent};
use crate::options::Options;
use crate::plant;
use crate::rounds::{Step, in_turn, time};
use crate::table::{Row, Target, Unit};

/// How many names one `b3sum` gets: a command line holds 2 MiB.
const NAMES: usize = 25_000;

pub(super) fn bench(options: &Options) -> Rows {
    let count = options.amount(100_000, 10_000);
    let root = plant::texts(options, count).map_err(super::told)?;
    let found = discover(&RealFs, &root, &patterns()).value.found;
    let names: Vec<String> = found.iter().map(|file| file.path.to_string()).collect();
    let b3sum = options.tools.join("bin/b3sum");
    let ours: Step<'_> = Box::new(|| {
        let mut hashed = 0;
        let seconds = time(|| hashed = rehash(&root));
        if hashed == count { Ok(seconds) } else { Err(format!("{hashed} of {count} files were hashed")) }
    });
    let one: Step<'_> = Box::new(|| hash_all(&b3sum, &root, &names, 1));
    let two: Step<'_> = Box::new(|| hash_all(&b3sum, &root, &names, 2));
    let samples = in_turn(options.amount(7, 3), vec![ours, one, two])?;
    let [ours, one, two] = [0, 1, 2].map(|n| samples[n].median());
    let what = format!("finding and re-hashing {count} files");
    Ok(vec![
        Row::beside(&what, Unit::Seconds, ours, ("b3sum", one), Target::AtMost(1.2)),
        Row::beside(&what, Unit::Seconds, ours, ("two b3sum at once", two), Target::Told),
    ])
}

fn rehash(root: &Path) -> usize {
    let found = discover(&RealFs, root, &patterns()).value.found;
    HashIndex::new().check(&RealFs, root, &found, Keep::Hashes).value.changed.len()
}

/// Hashes all names with `at_once` processes side by side.
fn hash_all(b3sum: &Path, root: &Path, names: &[String], at_once: usize) -> Result<f64, String> {
    let start = std::time::Instant::now();
    let share = names.len().div_ceil(at_once).max(1);
    std::thread::scope(|scope| {
        let work = |part: &[String]| -> Result<(), String> {
            part.chunks(NAMES)
                .try_for_each(|names| run(silent(b3sum).current_dir(root).args(names), 0).map(drop))
        };
        let threads: Vec<_> = names.chunks(share).map(|part| scope.spawn(move || work(part))).collect();
        threads
            .into_iter()
            .try_for_each(|thread| thread.join().unwrap_or_else(|_| Err("a thread died".to_owned())))
    })?;
    Ok(start.elapsed().as_secs_f64())
}
