//! What the published digest was made of, kept in `.mentci/`, so that an unchanged tree is answered by looking at stat
//! keys alone.
//!
//! INVARIANT (remembered means current): the stat keys are kept only after a walk that came after them found nothing new.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use mentci_authority::SkillName;
use mentci_disk::{Keep, Sidecar, Stamp, WriteOptions, discover_unless, publish, read_optional};
use mentci_source::Hash;

use crate::engine::Engine;
use crate::layout::DigestPaths;
use crate::workspace::{Inner, Workspace};

const INPUTS: &str = ".mentci/inputs";
const SECTIONS: &str = ".mentci/sections.json";
const HEADER: &str = "mentci inputs 1";
/// The coarsest tick of a file system's clock within which a second write could hide.
const TICK_NS: i64 = 20_000_000;

/// What is remembered.
#[derive(Debug)]
pub(crate) struct Remembered {
    sections: Hash,
}

impl Workspace {
    /// Keeps what the published digest was made of. Failing is no harm: the next one compiles.
    pub(crate) fn remember(&self, inner: &mut Inner) {
        self.remember_unless(inner, &|| false);
    }

    /// As [`remember`](Self::remember), unless `stop` says that something else must come first.
    pub(crate) fn remember_unless(&self, inner: &mut Inner, stop: &(dyn Fn() -> bool + Sync)) {
        let Some(inputs) = self.inputs(inner, stop) else { return };
        let Some(whole) = &inner.engine.workspace else { return };
        self.keep_count(&whole.digest.text, whole.tokens);
        let sections = sections_json(whole.sections());
        let text = format!("{HEADER}\n{}\n{}\n{inputs}", inner.settings.hash(), Hash::of_bytes(&sections));
        let Ok(lock) = Sidecar::publishing(&self.root).lock(self.fs.as_ref()) else { return };
        let files = [(SECTIONS, sections.as_slice()), (INPUTS, text.as_bytes())];
        let published = publish(self.fs.as_ref(), &lock, &files, WriteOptions::default());
        // Keys that were remembered in the tick of what they tell of settle when they are found again later.
        if published.is_ok_and(|published| published.written.is_empty()) && self.recall(inner).is_none() {
            // OK to ignore: they are looked at once more.
            let _ = self.fs.touch(&self.root.join(INPUTS));
        }
    }

    /// The stat keys of everything that matters, when nothing moves meanwhile.
    fn inputs(&self, inner: &mut Inner, stop: &(dyn Fn() -> bool + Sync)) -> Option<String> {
        let mut text = String::new();
        let published =
            [DigestPaths::workspace().digest, DigestPaths::workspace().map, DigestPaths::workspace().lock];
        let directories = inner.engine.directories.iter().map(std::string::ToString::to_string);
        for path in published.into_iter().chain(directories) {
            line(&mut text, &path, self.fs.stat(&self.root.join(&path)).ok()?.stamp);
        }
        for found in inner.engine.verify(stop)? {
            line(&mut text, &found.0, found.1);
        }
        Some(text)
    }

    /// Whether everything is as it was when the digest was published.
    pub(crate) fn recall(&self, inner: &Inner) -> Option<Remembered> {
        let fs = self.fs.as_ref();
        let path = self.root.join(INPUTS);
        let written = fs.stat(&path).ok()?.stamp.mtime_ns;
        let bytes = read_optional(fs, &path).ok()??;
        let text = std::str::from_utf8(&bytes).ok()?;
        let mut lines = text.lines();
        if lines.next()? != HEADER || lines.next()? != inner.settings.hash().to_string() {
            return None;
        }
        let sections = Hash::parse(lines.next()?)?;
        lines.all(|line| self.stands(line, written)).then_some(Remembered { sections })
    }

    fn stands(&self, line: &str, written: i64) -> bool {
        let Some((stamp, path)) = parse(line) else { return false };
        // Something written in the tick in which it was remembered may have been written again in that tick.
        let settled = stamp.ctime_ns.max(stamp.mtime_ns).saturating_add(TICK_NS) < written;
        settled && self.fs.stat(&self.root.join(path)).is_ok_and(|now| now.stamp == stamp)
    }

    /// The sections of the skills, as they were published.
    pub(crate) fn recall_sections(&self, remembered: &Remembered) -> Option<BTreeMap<SkillName, String>> {
        let bytes = read_optional(self.fs.as_ref(), &self.root.join(SECTIONS)).ok()??;
        if Hash::of_bytes(&bytes) != remembered.sections {
            return None;
        }
        serde_json::from_slice(&bytes).ok()
    }
}

impl Engine {
    /// The sources with their stat keys, when a walk finds exactly what was read.
    ///
    /// The index learns nothing from a walk that finds something else: what was saved just now must still be new to the
    /// cycle that reads it.
    fn verify(&mut self, stop: &(dyn Fn() -> bool + Sync)) -> Option<Vec<(Arc<str>, Stamp)>> {
        let walked = discover_unless(self.fs.as_ref(), &self.root, &self.set.patterns(), stop)?.value;
        let mut index = self.index.clone();
        let checked = index.check(self.fs.as_ref(), &self.root, &walked.found, Keep::Hashes).value;
        let same = checked.changed.is_empty() && checked.removed.is_empty();
        same.then(|| {
            self.index = index;
            walked.found.into_iter().map(|found| (found.path, found.stamp)).collect()
        })
    }
}

fn sections_json<'a>(sections: impl Iterator<Item = (&'a SkillName, &'a str)>) -> Vec<u8> {
    let sections: BTreeMap<&str, &str> = sections.map(|(name, text)| (name.as_str(), text)).collect();
    serde_json::to_vec(&sections).unwrap_or_default()
}

fn line(text: &mut String, path: &str, stamp: Stamp) {
    let Stamp { size, mtime_ns, ctime_ns, inode, device } = stamp;
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{size} {mtime_ns} {ctime_ns} {inode} {device} {path}");
}

fn parse(line: &str) -> Option<(Stamp, &str)> {
    let mut parts = line.splitn(6, ' ');
    let mut next = || parts.next();
    let stamp = Stamp {
        size: next()?.parse().ok()?,
        mtime_ns: next()?.parse().ok()?,
        ctime_ns: next()?.parse().ok()?,
        inode: next()?.parse().ok()?,
        device: next()?.parse().ok()?,
    };
    Some((stamp, next()?))
}
