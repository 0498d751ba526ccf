//! The index of words, made of contents when somebody searches.

use rusqlite::{Connection, params};

use super::super::chunk::newlines;
use super::super::fault::Fault;
use super::chunks::Known;
use super::schema::place;

/// So much text is one row of the index.
const BLOCK_BYTES: usize = 8 * 1024;

/// Takes a content into the index. What was changed is marked as taken in, and has no words.
pub(super) fn add(connection: &Connection, known: &Known) -> Result<(), Fault> {
    let mut reading = known.reading(connection);
    let mut blocks = Blocks { connection, number: known.number, nth: 0, start: 0, line: 1 };
    let mut text = Vec::new();
    for number in 0..reading.count() {
        match reading.chunk(number) {
            Ok(chunk) => text.extend_from_slice(chunk),
            Err(Fault::Artifact(_)) => break,
            Err(fault) => return Err(fault),
        }
        while text.len() > BLOCK_BYTES {
            let end = seam(&text);
            blocks.add(&text[..end])?;
            text.drain(..end);
        }
    }
    if !text.is_empty() {
        blocks.add(&text)?;
    }
    connection
        .prepare_cached("UPDATE artifacts SET is_indexed = 1 WHERE number = ?1")?
        .execute([known.number])?;
    Ok(())
}

struct Blocks<'a> {
    connection: &'a Connection,
    number: i64,
    nth: u64,
    start: u64,
    line: u64,
}

impl Blocks<'_> {
    fn add(&mut self, text: &[u8]) -> Result<(), Fault> {
        let place = place(self.number, self.nth);
        let (start, end) = (self.start, self.start + text.len() as u64);
        let signed = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
        self.connection
            .prepare_cached("INSERT INTO blocks (place, start, end, line) VALUES (?1, ?2, ?3, ?4)")?
            .execute(params![place, signed(start), signed(end), signed(self.line)])?;
        self.connection
            .prepare_cached("INSERT INTO words (rowid, text) VALUES (?1, ?2)")?
            .execute(params![place, String::from_utf8_lossy(text)])?;
        (self.nth, self.start, self.line) = (self.nth + 1, end, self.line + newlines(text));
        Ok(())
    }
}

/// Where a block ends: behind a line, else behind a word, else between characters.
fn seam(text: &[u8]) -> usize {
    let block = &text[..BLOCK_BYTES];
    let line = memchr::memrchr(b'\n', block);
    let word = || block.iter().rposition(u8::is_ascii_whitespace);
    let character = || block.iter().rposition(|byte| byte & 0b1100_0000 != 0b1000_0000).filter(|at| *at > 0);
    line.or_else(word).map(|at| at + 1).or_else(character).unwrap_or(BLOCK_BYTES)
}
