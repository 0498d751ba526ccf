//! Line by line through a content.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

use mentci_authority::{ArtifactError, ArtifactHit, ArtifactId, ArtifactScope};
use mentci_source::{Code, Finding, Severity};

use super::fault::Fault;
use super::needle::{self, Needle, Score, WHOLE};
use super::reading::{Chunks, Reading};

/// A longer line is looked at in parts of this length.
const PART_BYTES: usize = 1024;

/// A snippet is no longer.
const SNIPPET_BYTES: usize = 240;

/// The best hits so far; among equals the first.
pub(crate) struct Best {
    most: usize,
    next: usize,
    hits: BTreeMap<(Reverse<Score>, usize), ArtifactHit>,
    /// What was changed since it was stored, each once: not looked through, and told.
    pub(crate) changed: Vec<ArtifactError>,
}

impl Best {
    /// Passes over what was changed; the others are looked through. Another fault ends the search.
    fn pass_over(&mut self, looked: Result<(), Fault>) -> Result<(), Fault> {
        match looked {
            Err(Fault::Artifact(error)) => {
                if !self.changed.contains(&error) {
                    self.changed.push(error);
                }
                Ok(())
            }
            looked => looked,
        }
    }

    /// The hits, and what is said of those that were passed over. Who asked for one alone, which was changed, is told that
    /// instead.
    pub(crate) fn told(self, scope: &ArtifactScope) -> Result<(Vec<ArtifactHit>, Vec<Finding>), Fault> {
        if let (ArtifactScope::One(_), Some(error)) = (scope, self.changed.first()) {
            return Err(error.clone().into());
        }
        let tell = |error: ArtifactError| {
            let message = format!("{error}: it was not searched");
            // The others were: what was asked is answered.
            Finding { severity: Severity::Warning, ..Finding::new(Code::ARTIFACT_TAMPERED, message) }
        };
        Ok((self.hits.into_values().collect(), self.changed.into_iter().map(tell).collect()))
    }

    /// Looks into a content. What was found in one that is not what its id names is not told.
    pub(crate) fn look_into<C: Chunks>(
        &mut self,
        reading: &mut Reading<C>,
        look: impl FnOnce(&mut Reading<C>, &mut Self) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let id = reading.shape().id;
        let mut looked = look(reading, self);
        if looked.is_ok() && self.hits.values().any(|hit| hit.artifact_id == id) {
            looked = reading.prove();
        }
        if matches!(looked, Err(Fault::Artifact(_))) {
            self.hits.retain(|_, hit| hit.artifact_id != id);
        }
        self.pass_over(looked)
    }

    pub(crate) fn new(most: usize) -> Self {
        Self { most, next: 0, hits: BTreeMap::new(), changed: Vec::new() }
    }

    /// Whether nothing better than what is there can come.
    pub(crate) fn is_settled(&self) -> bool {
        self.hits.len() >= self.most && self.hits.keys().all(|(score, _)| score.0 == WHOLE)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.hits.is_empty()
    }

    fn add(&mut self, score: Score, hit: impl FnOnce() -> ArtifactHit) {
        let key = (Reverse(score), self.next);
        if self.hits.len() >= self.most && self.hits.last_key_value().is_none_or(|(last, _)| *last < key) {
            return;
        }
        let hit = hit();
        let is_known = |known: &ArtifactHit| known.artifact_id == hit.artifact_id && known.range == hit.range;
        if self.hits.values().any(is_known) {
            return;
        }
        self.next += 1;
        self.hits.insert(key, hit);
        if self.hits.len() > self.most {
            self.hits.pop_last();
        }
    }
}

/// Looks through a content. Memory does not grow with its length, nor with that of its lines.
pub(crate) fn scan<C: Chunks>(
    reading: &mut Reading<C>,
    needle: &Needle,
    best: &mut Best,
) -> Result<(), Fault> {
    let mut page = Page::new(reading.shape().id, 0, 1);
    for number in 0..reading.count() {
        page.bytes.extend_from_slice(reading.chunk(number)?);
        let end = memchr::memrchr(b'\n', &page.bytes).map_or(0, |at| at + 1);
        // A line without an end is not waited for.
        let end = if end == 0 { page.bytes.len().saturating_sub(needle.len()) } else { end };
        page.look(end, needle, best);
    }
    page.look(page.bytes.len(), needle, best);
    Ok(())
}

/// Some bytes of a content, and where they stand.
pub(crate) struct Page {
    id: ArtifactId,
    start: u64,
    line: u64,
    pub(crate) bytes: Vec<u8>,
}

impl Page {
    pub(crate) fn new(id: ArtifactId, start: u64, line: u64) -> Self {
        Self { id, start, line, bytes: Vec::new() }
    }

    /// Looks through the bytes before `end`, and lets them go.
    pub(crate) fn look(&mut self, end: usize, needle: &Needle, best: &mut Best) {
        let end = end.min(self.bytes.len());
        let lower = needle::lower(&self.bytes);
        if needle.is_in(&lower) {
            self.look_at_lines(&lower, end, needle, best);
        }
        self.line += super::chunk::newlines(&self.bytes[..end]);
        self.start += end as u64;
        self.bytes.drain(..end);
    }

    fn look_at_lines(&self, lower: &[u8], end: usize, needle: &Needle, best: &mut Best) {
        let (mut at, mut line) = (0, self.line);
        while at < end {
            let length = memchr::memchr(b'\n', &lower[at..]).unwrap_or(lower.len() - at);
            let stop = at + length;
            for from in (at..stop.min(end).max(at + 1)).step_by(PART_BYTES) {
                let to = (from + PART_BYTES + needle.len()).min(stop);
                if let Some((score, found)) = needle.find(&lower[from..to], PART_BYTES.min(end - from)) {
                    let found = from + found.start..from + found.end;
                    best.add(score, || self.hit(line, at..stop, &found));
                }
            }
            (at, line) = (stop + 1, line + 1);
        }
    }

    fn hit(&self, line: u64, whole: Range<usize>, found: &Range<usize>) -> ArtifactHit {
        ArtifactHit {
            artifact_id: self.id,
            line,
            range: self.start + found.start as u64..self.start + found.end as u64,
            snippet: snippet(&self.bytes, whole, found),
        }
    }
}

/// What stands around a place, cut between characters.
fn snippet(bytes: &[u8], line: Range<usize>, found: &Range<usize>) -> String {
    let before = SNIPPET_BYTES.saturating_sub(found.len()) / 3;
    let from = if line.len() <= SNIPPET_BYTES {
        line.start
    } else {
        found.start.saturating_sub(before).max(line.start)
    };
    let to = (from + SNIPPET_BYTES).min(line.end);
    let is_inside = |byte: u8| byte & 0b1100_0000 == 0b1000_0000;
    let skipped = bytes[from..to].iter().take(3).take_while(|byte| is_inside(**byte)).count();
    let mut text = String::from_utf8_lossy(&bytes[from + skipped..to]).into_owned();
    if to < line.end && text.ends_with('\u{fffd}') {
        text.pop();
    }
    let end = text.floor_char_boundary(SNIPPET_BYTES);
    text.truncate(end);
    text.truncate(text.trim_end_matches('\r').len());
    text
}
