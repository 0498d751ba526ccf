//! What can still be read of a damaged store.

use std::path::Path;
use std::time::Duration;

use mentci_authority::At;
use mentci_ledger::{Act, Change, Deed, Record};
use mentci_source::Hash;
use rusqlite::{Connection, params};

use super::load::{parse, signed, unsigned};
use crate::held::Held;
use crate::settled::Settled;
use crate::store::Store;
use crate::{SqliteStore, StoreError};

/// So many records are written at a time.
const BATCH: u32 = 1_000;

/// Who changed a setting of which the line is lost.
const TAKEN_OVER: &str = "taken over from a damaged store";

/// So many lines in a row may be damaged before the rest is given up.
const MOST_DAMAGED: u64 = 10_000;

impl SqliteStore {
    /// Takes over the records and settings of a damaged store that can be read, in their order. Gives how many records there
    /// were. The damaged file is only read.
    pub(crate) fn save(&mut self, damaged: &Path) -> Result<u64, StoreError> {
        let old = super::connect(damaged, Duration::ZERO)?;
        let (mut saved, mut last, mut settled, mut at) = (0, 0, Settled::default(), At::utc(0));
        loop {
            let mut batch = readable(&old, &mut last);
            if batch.is_empty() {
                batch.extend(beyond(&old, &mut last));
            }
            if batch.is_empty() {
                break;
            }
            let batch: Vec<_> = batch.into_iter().map(|line| (line.record, line.body)).collect();
            self.append(&batch)?;
            saved += batch.len() as u64;
            for (record, _) in &batch {
                settled.fold(record, last);
                at = record.at.unwrap_or(at);
            }
        }
        for (layer, key, value) in settings(&old) {
            // The line that told of it may be lost: whoever proves the log must not take it for a change by hand.
            match Deed::of_setting(&key).filter(|told| !settled.says(told, &value)) {
                Some((deed, of)) => {
                    let change = Change::new(deed, &of, TAKEN_OVER).to(value.clone());
                    self.set_by(&layer, &key, Some(&value), &Record::act("", at, Act::Changed(change)))?;
                }
                None => self.set(&layer, &key, Some(&value))?,
            }
        }
        Ok(saved)
    }

    /// Takes over what a store has whose file was taken away while it was open, and this one has not: each line once, however
    /// many processes had it open. Gives how many there were.
    pub(crate) fn take_over(&mut self, gone: &Self) -> Result<u64, StoreError> {
        let (mut saved, mut last, mut settled) = (0, 0, Settled::default());
        loop {
            let mut batch = readable(&gone.connection, &mut last);
            if batch.is_empty() {
                batch.extend(beyond(&gone.connection, &mut last));
            }
            if batch.is_empty() {
                break;
            }
            let mut new = Vec::with_capacity(batch.len());
            for line in batch {
                if !self.has(&line)? {
                    new.push(line.held());
                }
            }
            drop(self.import(&new)?);
            self.fold_log();
            saved += new.len() as u64;
            for held in &new {
                settled.fold(&held.record, last);
            }
        }
        self.settle(&settled, settings(&gone.connection))?;
        Ok(saved)
    }

    /// Whether a line stands here as well.
    fn has(&self, line: &Line) -> Result<bool, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT 1 FROM log WHERE seq = ?1 AND hash = ?2 UNION ALL SELECT 1 FROM imports WHERE name = ?3",
        )?;
        Ok(statement.exists(params![signed(line.seq), line.hash, line.name()])?)
    }

    /// Makes settings what the lines say that were just taken over. `old` are those that stood beside these lines.
    fn settle(
        &mut self,
        told: &Settled,
        old: Vec<(String, String, serde_json::Value)>,
    ) -> Result<(), StoreError> {
        let own = self.settings()?.into_iter().map(|row| (row.layer, row.key));
        for (layer, key) in own.filter(|(_, key)| told.is_taken_back(key)).collect::<Vec<_>>() {
            self.set(&layer, &key, None)?;
        }
        for (layer, key, value) in old {
            if Deed::of_setting(&key).is_some_and(|deed| told.says(&deed, &value)) {
                self.set(&layer, &key, Some(&value))?;
            }
        }
        Ok(())
    }
}

/// A line of a store that is no longer in use.
struct Line {
    seq: u64,
    hash: Vec<u8>,
    record: Record,
    body: Option<String>,
}

impl Line {
    /// Under which a store takes it in once. Its hash stands for all lines before it as well.
    fn name(&self) -> String {
        Hash::of("mentci line taken over", [self.hash.as_slice()]).short(32)
    }

    fn held(self) -> Held {
        Held { name: self.name(), record: self.record, body: self.body }
    }
}

/// The next records after the line `last`, which becomes that of the last of them: as many as can be read.
fn readable(old: &Connection, last: &mut u64) -> Vec<Line> {
    let mut read = || -> Result<Vec<_>, StoreError> {
        let mut found = Vec::new();
        let mut statement =
            old.prepare("SELECT record, body, seq, hash FROM log WHERE seq > ?1 ORDER BY seq LIMIT ?2")?;
        let mut rows = statement.query(params![signed(*last), BATCH])?;
        // What comes before the damage counts.
        while let Ok(Some(row)) = rows.next() {
            let (Ok(text), Ok(body)) = (row.get::<_, String>(0), row.get(1)) else { break };
            let Ok(record) = parse(&text) else { break };
            *last = unsigned(row.get(2)?);
            found.push(Line { seq: *last, hash: row.get(3).unwrap_or_default(), record, body });
        }
        Ok(found)
    };
    read().unwrap_or_default()
}

/// The first record behind the damage after the line `last`, which becomes its own: each line is found by a path of its own
/// through the tree.
fn beyond(old: &Connection, last: &mut u64) -> Option<Line> {
    let end = old.query_row("SELECT seq FROM head", [], |row| row.get(0)).map(unsigned).ok()?;
    let end = end.min(last.saturating_add(MOST_DAMAGED));
    let mut statement = old.prepare("SELECT record, body, hash FROM log WHERE seq = ?1").ok()?;
    for seq in *last + 1..=end {
        let read = |row: &rusqlite::Row<'_>| {
            Ok((row.get::<_, String>(0)?, row.get(1)?, row.get(2).unwrap_or_default()))
        };
        let Ok((text, body, hash)) = statement.query_row(params![signed(seq)], read) else { continue };
        if let Ok(record) = parse(&text) {
            *last = seq;
            return Some(Line { seq, hash, record, body });
        }
    }
    None
}

fn settings(old: &Connection) -> Vec<(String, String, serde_json::Value)> {
    let read = || -> Result<Vec<_>, StoreError> {
        let mut found = Vec::new();
        let mut statement = old.prepare("SELECT layer, key, value FROM settings")?;
        let mut rows = statement.query([])?;
        while let Ok(Some(row)) = rows.next() {
            let text: String = row.get(2)?;
            found.push((row.get(0)?, row.get(1)?, serde_json::from_str(&text)?));
        }
        Ok(found)
    };
    read().unwrap_or_default()
}
