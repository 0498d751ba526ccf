//! What the sources were the last time they were looked at.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use std::path::Path;
use std::sync::Arc;

use mentci_source::{Code, Finding, Hash, Reading};

use crate::parallel::map_chunks;
use crate::read::{is_missing, read_still};
use crate::target::leaves;
use crate::{
    DiskError, Found, Fs, Sidecar, SourceBytes, SourcePattern, Stamp, WriteOptions, discover, discover_under,
    index_file, publish,
};

/// Where the index is kept.
const FILE: &str = ".mentci/index";
/// A file that is touched to learn the file system's time.
const CLOCK: &str = ".mentci/clock";
/// Past this number of moved paths one walk of everything is cheaper.
const MANY_PATHS: usize = 256;
/// How many files a thread takes at a time.
const CHUNK: usize = 64;

/// Whether the bytes of changed files are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// They are in [`Checked::changed`]: a compile reads each file once.
    Bytes,
    /// Only hashes are.
    Hashes,
}

/// What was done so far: counters, not clocks, prove that a saved file re-reads one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counters {
    /// Stat keys compared.
    pub stats: u64,
    /// Files opened and read.
    pub reads: u64,
    /// Hashes computed.
    pub hashes: u64,
}

/// What a check found, sorted by path.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Checked {
    /// Files whose bytes are new or differ from the last time.
    pub changed: Vec<SourceBytes>,
    /// Files that are gone, or can no longer be read.
    pub removed: Vec<Arc<str>>,
    /// How many files hold what they held.
    pub unchanged: usize,
}

/// Path -> stat key and hash, kept in `.mentci/index`.
///
/// ```
/// use mentci_disk::{HashIndex, Keep, RealFs, discover};
/// # let root = tempfile::tempdir().unwrap();
/// # let root = root.path();
/// std::fs::write(root.join("AGENTS.md"), "Never unwrap.")?;
/// let found = discover(&RealFs, root, &["AGENTS.md".parse().unwrap()]).value.found;
/// let mut index = HashIndex::new();
/// assert_eq!(index.check(&RealFs, root, &found, Keep::Bytes).value.changed[0].bytes, b"Never unwrap.");
/// assert_eq!(index.check(&RealFs, root, &found, Keep::Bytes).value.unchanged, 1);
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// A file whose stat key is as it was is taken to hold the same bytes, unless it was written so shortly before it was
/// read that a second write in the same tick of the clock would not show: then it is hashed again.
#[derive(Debug, Clone, Default)]
pub struct HashIndex {
    pub(crate) entries: BTreeMap<Arc<str>, IndexEntry>,
    counters: Counters,
    /// Whether it differs from what is kept.
    moved: bool,
}

/// What is known about one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct IndexEntry {
    pub(crate) stamp: Stamp,
    pub(crate) hash: Hash,
    /// Whether equal stamps prove equal bytes.
    pub(crate) settled: bool,
}

impl HashIndex {
    /// An empty index.
    pub fn new() -> Self {
        Self::default()
    }

    /// The index kept in `.mentci/index`; an empty one when there is none. Damaged or of another version, it is empty
    /// with the finding `INDEX_REBUILT`.
    pub fn load(fs: &dyn Fs, root: &Path) -> Reading<Self> {
        let mut bytes = Vec::new();
        let decoded = match fs.read_into(&root.join(FILE), u64::MAX >> 1, &mut bytes) {
            Ok(_) => index_file::decode(&bytes),
            Err(error) if is_missing(&error) => return Reading::clean(Self::new()),
            Err(_) => Err("could not be read"),
        };
        match decoded {
            Ok(entries) => Reading::clean(Self { entries, ..Self::default() }),
            Err(why) => Reading { value: Self::new(), findings: vec![rebuilt(why)] },
        }
    }

    /// Keeps the index in `.mentci/index`, if something moved. While another process keeps its own, nothing is written.
    ///
    /// # Errors
    /// When it cannot be written; the next load builds anew.
    pub fn save(&mut self, fs: &dyn Fs, root: &Path) -> Result<(), DiskError> {
        if !self.moved {
            return Ok(());
        }
        let Some(lock) = Sidecar::at(root, ".mentci/index.lock").try_lock(fs)? else { return Ok(()) };
        let bytes = index_file::encode(&self.entries);
        publish(fs, &lock, &[(FILE, &bytes)], WriteOptions::default())?;
        self.moved = false;
        Ok(())
    }

    /// Compares all sources, as [`discover`] found them, with the index, and brings it up to date. What is in the index
    /// and not in `found` is removed. Many files are read in parallel.
    pub fn check(&mut self, fs: &dyn Fs, root: &Path, found: &[Found], keep: Keep) -> Reading<Checked> {
        let compared = compare(found, self.entries.iter());
        self.update(fs, root, &compared, keep)
    }

    /// Compares only what stands at or below `paths`, as a [`Change`](crate::Change) names them: a saved file reads one
    /// file. Only files that one of `patterns` matches count.
    pub fn refresh(
        &mut self,
        fs: &dyn Fs,
        root: &Path,
        patterns: &[SourcePattern],
        paths: &[Arc<str>],
        keep: Keep,
    ) -> Reading<Checked> {
        if paths.len() > MANY_PATHS || paths.iter().any(|path| path.is_empty()) {
            let discovered = discover(fs, root, patterns);
            let mut checked = self.check(fs, root, &discovered.value.found, keep);
            checked.findings.splice(0..0, discovered.findings);
            return checked;
        }
        let mut findings = Vec::new();
        let walks = paths.iter().map(|path| discover_under(fs, root, patterns, path).take(&mut findings));
        let found: BTreeSet<Found> = walks.flat_map(|walk| walk.found).collect();
        let known: BTreeMap<_, _> = paths.iter().flat_map(|path| self.at_or_below(path)).collect();
        let found: Vec<Found> = found.into_iter().collect();
        let compared = compare(&found, known.into_iter());
        let checked = self.update(fs, root, &compared, keep);
        findings.extend(checked.findings);
        findings.dedup();
        Reading { value: checked.value, findings }
    }

    /// The hash of a file as it was last read.
    pub fn hash(&self, path: &str) -> Option<Hash> {
        self.entries.get(path).map(|entry| entry.hash)
    }

    /// The known files, sorted.
    pub fn paths(&self) -> impl Iterator<Item = &Arc<str>> {
        self.entries.keys()
    }

    /// What was done since the index was made or loaded.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// Reads what may have moved and says what did.
    fn update(&mut self, fs: &dyn Fs, root: &Path, compared: &Compared<'_>, keep: Keep) -> Reading<Checked> {
        let mut findings = Vec::new();
        let mut checked = Checked { unchanged: compared.unchanged, ..Checked::default() };
        self.counters.stats += (compared.unchanged + compared.suspects.len()) as u64;
        self.counters.reads += compared.suspects.len() as u64;
        for read in read_all(fs, root, &compared.suspects, keep) {
            findings.extend(read.findings);
            match read.value {
                Ok(read) => self.take(read, &mut checked),
                Err(path) => self.forget(path, &mut checked),
            }
        }
        for path in &compared.gone {
            self.forget(path.clone(), &mut checked);
        }
        checked.removed.sort();
        Reading { value: checked, findings }
    }

    fn take(&mut self, (source, settled): (SourceBytes, bool), checked: &mut Checked) {
        self.counters.hashes += 1;
        let entry = IndexEntry { stamp: source.stamp, hash: source.hash, settled };
        let before = self.entries.insert(source.path.clone(), entry);
        self.moved |= before != Some(entry);
        if before.is_some_and(|before| before.hash == source.hash) {
            checked.unchanged += 1;
        } else {
            checked.changed.push(source);
        }
    }

    fn forget(&mut self, path: Arc<str>, checked: &mut Checked) {
        if self.entries.remove(&path).is_some() {
            self.moved = true;
            checked.removed.push(path);
        }
    }

    fn at_or_below(&self, path: &Arc<str>) -> Vec<(&Arc<str>, &IndexEntry)> {
        let first = format!("{path}/");
        let from = (Bound::Included(first.as_str()), Bound::Unbounded);
        let below = self.entries.range::<str, _>(from).take_while(|(known, _)| known.starts_with(&first));
        self.entries.get_key_value(path).into_iter().chain(below).collect()
    }
}

/// The stat keys held against the index.
#[derive(Debug, Default)]
struct Compared<'f> {
    /// Files whose bytes may have moved, sorted.
    suspects: Vec<&'f Found>,
    /// Known files that are no longer there.
    gone: Vec<Arc<str>>,
    unchanged: usize,
}

/// Walks along both lists, which are sorted by path.
fn compare<'f, 'k>(
    found: &'f [Found],
    known: impl Iterator<Item = (&'k Arc<str>, &'k IndexEntry)>,
) -> Compared<'f> {
    let mut compared = Compared::default();
    let mut known = known.peekable();
    for file in found {
        while let Some((path, _)) = known.next_if(|(path, _)| **path < file.path) {
            compared.gone.push(path.clone());
        }
        match known.next_if(|(path, _)| **path == file.path) {
            Some((_, entry)) if entry.settled && entry.stamp == file.stamp => compared.unchanged += 1,
            _ => compared.suspects.push(file),
        }
    }
    compared.gone.extend(known.map(|(path, _)| path.clone()));
    compared
}

/// What one file gave: its bytes and whether they are settled, or the path that could not be read.
type Read = Reading<Result<(SourceBytes, bool), Arc<str>>>;

/// Reads and hashes the files, in parallel where there are many.
fn read_all(fs: &dyn Fs, root: &Path, files: &[&Found], keep: Keep) -> Vec<Read> {
    if files.is_empty() {
        return Vec::new();
    }
    // The file system's own clock, from before the first byte is read; without it nothing counts as settled.
    let clock = root.join(CLOCK);
    let away = clock.parent().is_some_and(|folder| leaves(fs, root, folder));
    let touched = if away { None } else { fs.touch(&clock).ok() };
    let now = touched.map_or(i64::MIN, |stamp| stamp.mtime_ns);
    let read = |buffer: &mut Vec<u8>, part: &[&Found]| -> Vec<Read> {
        part.iter().map(|file| read_one(fs, root, file, keep, now, buffer)).collect()
    };
    map_chunks(files, CHUNK, Vec::new, read).into_iter().flatten().collect()
}

fn read_one(fs: &dyn Fs, root: &Path, file: &Found, keep: Keep, now: i64, buffer: &mut Vec<u8>) -> Read {
    let path = file.path.clone();
    let reading = read_still(fs, root, &path, buffer);
    reading.map(|stamp| {
        let Some(stamp) = stamp else { return Err(path) };
        let hash = Hash::of_bytes(buffer);
        let bytes = if keep == Keep::Bytes { std::mem::take(buffer) } else { Vec::new() };
        Ok((SourceBytes { path, bytes, hash, stamp }, stamp.is_settled(now)))
    })
}

fn rebuilt(why: &str) -> Finding {
    Finding::new(Code::INDEX_REBUILT, format!("the index {why} and is built anew")).in_file(FILE)
}
