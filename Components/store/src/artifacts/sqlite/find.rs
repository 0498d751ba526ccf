//! Searching: the index of words first, then whatever it does not tell.

use mentci_authority::{ArtifactHit, ArtifactPart, ArtifactScope};
use rusqlite::{Connection, params, params_from_iter};

use super::super::fault::Fault;
use super::super::needle::Needle;
use super::super::odd::nameless;
use super::super::proof::Proofs;
use super::super::scan::{Best, Page, scan};
use super::chunks::{KNOWN, Known, NAMED, find};
use super::schema::PLACE_BITS;
use super::{SqliteArtifactStore, commit, index, lock};

/// More hits are not given.
const MOST_HITS: usize = 1_000;

/// A single artifact that is no larger is looked through at once.
const SMALL_BYTES: u64 = 4 * 1024 * 1024;

/// So much is taken into the index by one search.
const INDEXED_BYTES: u64 = 16 * 1024 * 1024;

/// So much is taken in at a time.
const GROUP_BYTES: u64 = 1024 * 1024;

/// Where something was found in the index, a larger content is not looked through as well.
const SCANNED_BYTES: u64 = 256 * 1024 * 1024;

impl SqliteArtifactStore {
    pub(super) fn find(
        &self,
        scope: &ArtifactScope,
        query: &str,
        most: usize,
    ) -> Result<Vec<ArtifactHit>, Fault> {
        let Some(needle) = Needle::of(query) else { return Ok(Vec::new()) };
        if most == 0 {
            return Ok(Vec::new());
        }
        self.index(scope);
        self.read(|connection| {
            let mut best = Best::new(most.min(MOST_HITS));
            // A damaged index hides nothing: contents are looked through then.
            let _ = look_up(connection, &self.proofs, scope, &needle, most.min(MOST_HITS), &mut best);
            look_through(connection, &self.proofs, scope, &needle, &mut best)?;
            let (hits, mut odd) = best.told(scope)?;
            odd.extend(has_nameless(connection, scope)?.then(nameless));
            Ok((hits, odd))
        })
        .map(|(hits, odd)| {
            self.tell(odd);
            hits
        })
    }

    /// Takes contents that are not in the index into it. When that fails, they are looked through without it.
    fn index(&self, scope: &ArtifactScope) {
        let wanted = self.read(|connection| {
            let all = within(connection, scope)?;
            let is_small = matches!(scope, ArtifactScope::One(_))
                && all.iter().all(|known| known.shape.size <= SMALL_BYTES);
            let mut left = if is_small { 0 } else { INDEXED_BYTES };
            let mut fits = |known: &Known| {
                let fits = known.shape.size <= left;
                left -= if fits { known.shape.size } else { 0 };
                fits
            };
            Ok(all.into_iter().filter(|known| !known.is_indexed && fits(known)).collect::<Vec<_>>())
        });
        let mut wanted = wanted.unwrap_or_default();
        while !wanted.is_empty() {
            let group = next_group(&mut wanted);
            // Whoever stores waits for one group at most.
            let mut writer = lock(&self.writer);
            let Some(connection) = &mut *writer else { break };
            if commit(connection, |connection| take_in(connection, &group)).is_err() {
                break;
            }
            self.fold_log(connection);
        }
    }
}

/// Takes the first contents that are taken in together.
fn next_group(wanted: &mut Vec<Known>) -> Vec<Known> {
    let mut bytes = 0;
    let fits = |known: &&Known| {
        bytes += known.shape.size;
        bytes <= GROUP_BYTES
    };
    let count = wanted.iter().take_while(fits).count().max(1);
    wanted.drain(..count).collect()
}

/// Takes in what is still there, and not taken in by somebody else.
fn take_in(connection: &Connection, wanted: &[Known]) -> Result<(), Fault> {
    for known in wanted {
        let now = find(connection, &known.shape.id)?;
        if let Some(now) = now.filter(|now| !now.is_indexed) {
            index::add(connection, &now)?;
        }
    }
    Ok(())
}

/// The artifacts that are searched, the newest first.
fn within(connection: &Connection, scope: &ArtifactScope) -> Result<Vec<Known>, Fault> {
    let (select, session) = match scope {
        ArtifactScope::One(id) => return Ok(find(connection, id)?.into_iter().collect()),
        ArtifactScope::Session(session) => (
            format!(
                "SELECT {KNOWN} FROM holds JOIN artifacts USING (number) WHERE session = ?1 AND {NAMED}
                 ORDER BY artifacts.held_at DESC, number DESC"
            ),
            Some(session),
        ),
        ArtifactScope::All => {
            (format!("SELECT {KNOWN} FROM artifacts WHERE {NAMED} ORDER BY held_at DESC, number DESC"), None)
        }
    };
    let mut statement = connection.prepare_cached(&select)?;
    let rows = statement.query_map(params_from_iter(session), Known::of)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Whether notes of those that are searched do not say which artifact they are about.
fn has_nameless(connection: &Connection, scope: &ArtifactScope) -> Result<bool, Fault> {
    let (select, session) = match scope {
        ArtifactScope::One(_) => return Ok(false),
        ArtifactScope::Session(session) => (
            format!("SELECT 1 FROM holds JOIN artifacts USING (number) WHERE session = ?1 AND NOT ({NAMED})"),
            Some(session),
        ),
        ArtifactScope::All => (format!("SELECT 1 FROM artifacts WHERE NOT ({NAMED})"), None),
    };
    Ok(connection.prepare_cached(&select)?.exists(params_from_iter(session))?)
}

/// Looks into the blocks that the index names: those with all words, then those with any.
fn look_up(
    connection: &Connection,
    proofs: &Proofs,
    scope: &ArtifactScope,
    needle: &Needle,
    most: usize,
    best: &mut Best,
) -> Result<(), Fault> {
    for joint in [" AND ", " OR "] {
        let Some(phrases) = needle.phrases(joint).filter(|_| !best.is_settled()) else { break };
        for block in blocks(connection, scope, &phrases, most)? {
            block.look(connection, proofs, needle, best)?;
        }
    }
    Ok(())
}

struct Block {
    known: Known,
    start: u64,
    end: u64,
    line: u64,
}

impl Block {
    fn look(
        &self,
        connection: &Connection,
        proofs: &Proofs,
        needle: &Needle,
        best: &mut Best,
    ) -> Result<(), Fault> {
        best.look_into(&mut self.known.reading(connection).noting(proofs), |reading, best| {
            let mut page = Page::new(self.known.shape.id, self.start, self.line);
            page.bytes = reading.bytes(&ArtifactPart::Bytes(self.start..self.end))?;
            page.look(usize::MAX, needle, best);
            Ok(())
        })
    }
}

/// The best blocks of the index for a query of phrases.
fn blocks(
    connection: &Connection,
    scope: &ArtifactScope,
    phrases: &str,
    most: usize,
) -> Result<Vec<Block>, Fault> {
    let (join, value) = match scope {
        ArtifactScope::One(id) => ("AND artifacts.id = ?2", id.as_bytes().to_vec()),
        ArtifactScope::Session(session) => (
            "AND EXISTS (SELECT 1 FROM holds WHERE session = CAST(?2 AS TEXT) AND holds.number = artifacts.number)",
            session.as_bytes().to_vec(),
        ),
        ArtifactScope::All => ("AND ?2 IS NOT NULL", Vec::new()),
    };
    let select = format!(
        "SELECT {KNOWN}, start, end, line FROM words
         JOIN blocks ON blocks.place = words.rowid
         JOIN artifacts ON artifacts.number = blocks.place >> {PLACE_BITS}
         WHERE words MATCH ?1 AND {NAMED} {join} ORDER BY bm25(words), blocks.place LIMIT ?3"
    );
    let mut statement = connection.prepare_cached(&select)?;
    let rows =
        statement.query_map(params![phrases, value, i64::try_from(most).unwrap_or(i64::MAX)], |row| {
            let count = |at: usize| row.get(at).map(|count: i64| u64::try_from(count).unwrap_or(0));
            Ok(Block { known: Known::of(row)?, start: count(5)?, end: count(6)?, line: count(7)? })
        })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Looks through whole contents: the index knows words, and a text may stand inside of one.
fn look_through(
    connection: &Connection,
    proofs: &Proofs,
    scope: &ArtifactScope,
    needle: &Needle,
    best: &mut Best,
) -> Result<(), Fault> {
    let is_settled = best.is_settled();
    let mut left = if best.is_empty() { u64::MAX } else { SCANNED_BYTES };
    for known in within(connection, scope)? {
        if known.is_indexed && (is_settled || known.shape.size > left) {
            continue;
        }
        left = left.saturating_sub(known.shape.size);
        let mut reading = known.reading(connection).noting(proofs);
        best.look_into(&mut reading, |reading, best| scan(reading, needle, best))?;
    }
    Ok(())
}
