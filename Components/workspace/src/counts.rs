//! Token counts of injected texts, kept in `.mentci/`: loading the tokenizer's tables takes longer than all else that an
//! injection does.

use mentci_disk::{Edit, Sidecar, WriteOptions, edit_locked, read_optional};
use mentci_source::Hash;
use mentci_tokens::{Tokenizer, o200k};

use crate::workspace::Workspace;

const COUNTS: &str = ".mentci/counts";
/// How many texts are remembered, the newest last.
const KEPT: usize = 64;

impl Workspace {
    /// The o200k tokens of a text. What cannot be remembered is counted again.
    pub(crate) fn count(&self, text: &str) -> usize {
        let name = Hash::of_bytes(text.as_bytes()).to_string();
        let known = read_optional(self.fs.as_ref(), &self.root.join(COUNTS)).ok().flatten();
        if let Some(count) = known.and_then(|known| find(&known, &name)) {
            return count;
        }
        let count = o200k().count(text);
        self.keep_count(text, count);
        count
    }

    /// Remembers a count that was made elsewhere; failing is no harm.
    pub(crate) fn keep_count(&self, text: &str, count: usize) {
        let name = Hash::of_bytes(text.as_bytes()).to_string();
        let sidecar = Sidecar::at(&self.root, ".mentci/counts.lock");
        let _ = edit_locked(self.fs.as_ref(), &sidecar, COUNTS, WriteOptions::default(), |before| {
            let before = before.unwrap_or_default();
            let known = find(before, &name).is_some();
            Ok::<_, String>(if known { Edit::Keep } else { Edit::Replace(added(before, &name, count)) })
        });
    }
}

fn find(known: &[u8], name: &str) -> Option<usize> {
    let known = std::str::from_utf8(known).ok()?;
    let line = known.lines().find(|line| line.starts_with(name))?;
    line.rsplit_once(' ')?.1.parse().ok()
}

fn added(before: &[u8], name: &str, count: usize) -> Vec<u8> {
    let before = String::from_utf8_lossy(before);
    let mut lines: Vec<String> = before.lines().map(str::to_owned).collect();
    lines.push(format!("{name} {count}"));
    let from = lines.len().saturating_sub(KEPT);
    (lines[from..].join("\n") + "\n").into_bytes()
}
