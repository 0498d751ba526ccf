//! Reading a content, or a part of it, piece by piece: no byte is given that was not verified.

use std::io::Write;
use std::ops::Range;
use std::sync::Arc;

use mentci_authority::{ArtifactError, ArtifactExtent, ArtifactId, ArtifactPart};
use mentci_source::Hash;

use super::chunk::{CHUNK_BYTES, Naming, Sum, artifact_id, chunk_count, newlines};
use super::fault::Fault;
use super::proof::Proofs;

/// The pieces of one content, as the store has them.
pub(crate) trait Chunks {
    /// Puts the bytes of a piece into `buffer`, which is cleared first; whether it is there.
    fn bytes(&mut self, number: u64, buffer: &mut Vec<u8>) -> Result<bool, Fault>;

    /// What is noted of a piece; none when it is not there.
    fn sum(&mut self, number: u64) -> Result<Option<Sum>, Fault>;
}

/// What a store knows of an artifact without reading its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) id: ArtifactId,
    pub(crate) size: u64,
    pub(crate) newlines: u64,
}

/// One content that is being read. It remembers the last piece, since parts begin where others end.
pub(crate) struct Reading<C> {
    shape: Shape,
    chunks: C,
    held: Option<u64>,
    buffer: Vec<u8>,
    proofs: Proofs,
    /// Which pieces it has, by its id.
    proved: Option<Arc<[Sum]>>,
    /// Whether no piece is given before all of them are proved.
    is_strict: bool,
}

/// More is not reserved before the content is there.
const RESERVE: u64 = 16 * 1024 * 1024;

/// A character of UTF-8 has at most so many bytes after its first.
const CONTINUED: u64 = 3;

impl<C: Chunks> Reading<C> {
    pub(crate) fn new(shape: Shape, chunks: C) -> Self {
        let (proofs, proved) = Default::default();
        Self { shape, chunks, held: None, buffer: Vec::new(), proofs, proved, is_strict: false }
    }

    /// Remembers there what is proved, and looks there first.
    pub(crate) fn noting(self, proofs: &Proofs) -> Self {
        Self { proofs: proofs.clone(), ..self }
    }

    /// Gives nothing but what the id names. The others give what the store's notes bear out: who looks through contents proves
    /// those alone in which something was found.
    pub(crate) fn proving(self, proofs: &Proofs) -> Self {
        Self { is_strict: true, ..self.noting(proofs) }
    }

    pub(crate) fn shape(&self) -> Shape {
        self.shape
    }

    pub(crate) fn count(&self) -> u64 {
        chunk_count(self.shape.size)
    }

    /// The whole content.
    pub(crate) fn whole(&mut self) -> Result<Vec<u8>, Fault> {
        let mut content =
            Vec::with_capacity(usize::try_from(self.shape.size.min(RESERVE)).unwrap_or(CHUNK_BYTES));
        for number in 0..self.count() {
            self.fetch(number)?;
            content.extend_from_slice(&self.buffer);
        }
        if artifact_id(&content) == self.shape.id { Ok(content) } else { Err(self.tampered()) }
    }

    /// Writes a part to `to`.
    pub(crate) fn copy(&mut self, part: &ArtifactPart, to: &mut dyn Write) -> Result<ArtifactExtent, Fault> {
        let range = self.range(part)?;
        if range == (0..self.shape.size) {
            // Not a byte is written of what was changed since it was proved.
            self.verify()?;
        }
        let mut at = range.start;
        while at < range.end {
            let piece = self.piece(at, range.end)?;
            to.write_all(piece).map_err(|error| ArtifactError::Stream(error.to_string()))?;
            at += piece.len() as u64;
        }
        Ok(ArtifactExtent { range, size_bytes: self.shape.size })
    }

    /// The bytes of a part: its length is the caller's choice.
    pub(crate) fn bytes(&mut self, part: &ArtifactPart) -> Result<Vec<u8>, Fault> {
        let mut bytes = Vec::new();
        self.copy(part, &mut bytes)?;
        Ok(bytes)
    }

    /// The verified piece with this number.
    pub(crate) fn chunk(&mut self, number: u64) -> Result<&[u8], Fault> {
        if self.held != Some(number) {
            let noted = self.sum(number)?;
            self.fetch(number)?;
            if !self.is_sound(noted) {
                // It may be the note that was changed: the id says which.
                self.prove()?;
                let proved = self.sum(number)?;
                self.fetch(number)?;
                if !self.is_sound(proved) {
                    return Err(self.tampered());
                }
            }
            self.held = Some(number);
        }
        Ok(&self.buffer)
    }

    /// Which bytes a part has.
    fn range(&mut self, part: &ArtifactPart) -> Result<Range<u64>, Fault> {
        match part {
            ArtifactPart::Whole => Ok(0..self.shape.size),
            ArtifactPart::Bytes(range) => self.inside(range),
            ArtifactPart::Text(range) => {
                let range = self.inside(range)?;
                Ok(self.character(range.start)?..self.character(range.end)?)
            }
            ArtifactPart::Lines(lines) => self.lines(*lines.start(), *lines.end()),
        }
    }

    fn inside(&self, range: &Range<u64>) -> Result<Range<u64>, Fault> {
        let size_bytes = self.shape.size;
        let is_outside = range.start > size_bytes || (range.start == size_bytes && range.end > range.start);
        if is_outside || range.end < range.start {
            return Err(ArtifactError::Range { size_bytes }.into());
        }
        Ok(range.start..range.end.min(size_bytes))
    }

    /// Where the character begins in which the byte at `at` lies. What is no UTF-8 has none: then `at` itself.
    fn character(&mut self, at: u64) -> Result<u64, Fault> {
        for back in 0..=CONTINUED.min(at) {
            if at - back == self.shape.size || !is_continued(self.piece(at - back, at - back + 1)?) {
                return Ok(at - back);
            }
        }
        Ok(at)
    }

    /// Which bytes the lines from `first` to `last` have.
    fn lines(&mut self, first: u64, last: u64) -> Result<Range<u64>, Fault> {
        let lines = self.line_count()?;
        if first == 0 || first > lines || last < first {
            return Err(ArtifactError::Lines { lines }.into());
        }
        let start = self.after_break(first - 1)?;
        let end = if last >= lines { self.shape.size } else { self.after_break(last)? };
        Ok(start..end)
    }

    fn line_count(&mut self) -> Result<u64, Fault> {
        let size = self.shape.size;
        let is_open = size > 0 && self.piece(size - 1, size)? != b"\n";
        let newlines = match &self.proved {
            Some(pieces) => pieces.iter().map(|sum| sum.newlines).sum(),
            None if self.count() == 1 => newlines(self.chunk(0)?),
            None => self.shape.newlines,
        };
        Ok(newlines + u64::from(is_open))
    }

    /// Where the text behind the nth line break begins; 0 for none.
    fn after_break(&mut self, nth: u64) -> Result<u64, Fault> {
        let mut before = 0;
        for number in 0..self.count() {
            let within = self.newlines(number)?;
            if nth <= before {
                break;
            }
            if before + within >= nth {
                let wanted = usize::try_from(nth - before - 1).unwrap_or(usize::MAX);
                let place = memchr::memchr_iter(b'\n', self.chunk(number)?).nth(wanted);
                let place = place.ok_or_else(|| self.tampered())?;
                return Ok(number * CHUNK_BYTES as u64 + place as u64 + 1);
            }
            before += within;
        }
        if nth == 0 { Ok(0) } else { Err(self.tampered()) }
    }

    fn newlines(&mut self, number: u64) -> Result<u64, Fault> {
        if self.count() == 1 {
            return Ok(newlines(self.chunk(0)?));
        }
        Ok(self.sum(number)?.ok_or_else(|| self.tampered())?.newlines)
    }

    /// What a piece must be: as was proved, or as is noted. A single piece is proved by the id itself.
    fn sum(&mut self, number: u64) -> Result<Option<Sum>, Fault> {
        if self.count() == 1 {
            return Ok(None);
        }
        if self.is_strict {
            self.prove()?;
        }
        match &self.proved {
            Some(pieces) => Ok(usize::try_from(number).ok().and_then(|number| pieces.get(number)).copied()),
            None => self.chunks.sum(number),
        }
    }

    /// The verified bytes from `at` to the end of its piece, at most to `end`.
    fn piece(&mut self, at: u64, end: u64) -> Result<&[u8], Fault> {
        let number = at / CHUNK_BYTES as u64;
        let base = number * CHUNK_BYTES as u64;
        let chunk = self.chunk(number)?;
        let place = |at: u64| usize::try_from(at - base).unwrap_or(CHUNK_BYTES).min(chunk.len());
        let (from, to) = (place(at), place(end));
        Ok(&chunk[from..to])
    }

    /// Reads all of it, once in the life of its store, to see whether it is what the id names.
    pub(crate) fn prove(&mut self) -> Result<(), Fault> {
        if self.proved.is_some() || self.count() == 1 {
            return Ok(());
        }
        self.proved = self.proofs.of(&self.shape.id);
        if self.proved.is_none() {
            self.verify()?;
        }
        Ok(())
    }

    /// The same, whatever was proved before.
    pub(crate) fn verify(&mut self) -> Result<(), Fault> {
        if self.count() == 1 {
            // Its only piece is verified by the id itself.
            return Ok(());
        }
        let (mut naming, mut pieces) = (Naming::default(), Vec::new());
        for number in 0..self.count() {
            self.fetch(number)?;
            naming.add(&self.buffer);
            pieces.push(Sum::of(&self.buffer));
        }
        if naming.id() != self.shape.id {
            return Err(self.tampered());
        }
        let pieces: Arc<[Sum]> = pieces.into();
        self.proofs.add(self.shape.id, pieces.clone());
        self.proved = Some(pieces);
        Ok(())
    }

    /// Puts a piece into the buffer, of the length that it must have, and not verified.
    fn fetch(&mut self, number: u64) -> Result<(), Fault> {
        self.held = None;
        let is_there = self.chunks.bytes(number, &mut self.buffer)?;
        let length = (self.shape.size - number * CHUNK_BYTES as u64).min(CHUNK_BYTES as u64);
        if is_there && self.buffer.len() as u64 == length { Ok(()) } else { Err(self.tampered()) }
    }

    fn is_sound(&self, noted: Option<Sum>) -> bool {
        if self.count() == 1 {
            return artifact_id(&self.buffer) == self.shape.id;
        }
        noted.is_some_and(|sum| sum.hash == Hash::of_bytes(&self.buffer))
    }

    fn tampered(&self) -> Fault {
        ArtifactError::Tampered(self.shape.id).into()
    }
}

fn is_continued(byte: &[u8]) -> bool {
    byte.first().is_some_and(|byte| byte & 0b1100_0000 == 0b1000_0000)
}
