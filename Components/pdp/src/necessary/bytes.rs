//! What a guard needs as bytes, which are looked at as they stand.
//!
//! A sign, then: `&` and `|` the number of their parts and the parts; `c` and `f` nothing; `C` and `F` a field and texts;
//! `~` texts; `0` nothing. No bytes at all need nothing.

use super::{Necessary, Of, Sight};

impl Necessary {
    /// None where it cannot be written: then nothing is needed.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        match self {
            Self::Nothing => {}
            needed if needed.write(&mut bytes).is_none() => bytes.clear(),
            _ => {}
        }
        bytes
    }

    fn write(&self, bytes: &mut Vec<u8>) -> Option<()> {
        match self {
            Self::Nothing => return None,
            Self::Never => bytes.push(b'0'),
            Self::All(parts) => write_parts(b'&', parts, bytes)?,
            Self::Any(parts) => write_parts(b'|', parts, bytes)?,
            Self::There(Of::Commands) => bytes.push(b'c'),
            Self::There(Of::Files) => bytes.push(b'f'),
            Self::Is(of, field, texts) => {
                bytes.push(if *of == Of::Commands { b'C' } else { b'F' });
                write_text(field, bytes)?;
                write_texts(texts, bytes)?;
            }
            Self::Stands(texts) => {
                bytes.push(b'~');
                write_texts(texts, bytes)?;
            }
        }
        Some(())
    }
}

fn write_parts(sign: u8, parts: &[Necessary], bytes: &mut Vec<u8>) -> Option<()> {
    bytes.push(sign);
    bytes.push(u8::try_from(parts.len()).ok()?);
    parts.iter().try_for_each(|part| part.write(bytes))
}

fn write_texts(texts: &[String], bytes: &mut Vec<u8>) -> Option<()> {
    bytes.extend(u16::try_from(texts.len()).ok()?.to_le_bytes());
    texts.iter().try_for_each(|text| write_text(text, bytes))
}

fn write_text(text: &str, bytes: &mut Vec<u8>) -> Option<()> {
    bytes.push(u8::try_from(text.len()).ok()?);
    bytes.extend_from_slice(text.as_bytes());
    Some(())
}

/// How deep parts may stand in parts: conditions nest no deeper.
const MAX_DEPTH: usize = 128;

/// Whether what is needed is there; also where it does not read.
pub(super) fn look(needed: &[u8], sight: &Sight<'_>) -> bool {
    if needed.is_empty() {
        return true;
    }
    let mut reader = Reader { rest: needed, sight };
    reader.part(true, 0).unwrap_or(true)
}

struct Reader<'n, 's> {
    rest: &'n [u8],
    sight: &'s Sight<'s>,
}

impl<'n> Reader<'n, '_> {
    /// Whether a part is so. One that decides nothing any more is passed over.
    fn part(&mut self, counts: bool, depth: usize) -> Option<bool> {
        match self.byte()? {
            b'0' => Some(false),
            b'&' => self.parts(counts, false, depth),
            b'|' => self.parts(counts, true, depth),
            b'c' => Some(self.sight.has_any(Of::Commands)),
            b'f' => Some(self.sight.has_any(Of::Files)),
            b'C' => self.field(counts, Of::Commands),
            b'F' => self.field(counts, Of::Files),
            b'~' => {
                let sight = self.sight;
                self.texts(counts, |text| sight.holds(text))
            }
            _ => None,
        }
    }

    fn parts(&mut self, counts: bool, decides: bool, depth: usize) -> Option<bool> {
        if depth > MAX_DEPTH {
            return None;
        }
        let mut is_over = false;
        for _ in 0..self.byte()? {
            is_over |= self.part(counts && !is_over, depth + 1)? == decides && counts;
        }
        Some(is_over == decides)
    }

    fn field(&mut self, counts: bool, of: Of) -> Option<bool> {
        let (field, sight) = (self.pass_text()?, self.sight);
        if !counts {
            return self.texts(false, |_| false);
        }
        let field = std::str::from_utf8(field).ok()?;
        self.texts(true, |text| sight.has(of, field, text))
    }

    /// Whether one of the texts is as asked; after the first that is, they are passed over.
    fn texts(&mut self, counts: bool, is_so: impl Fn(&str) -> bool) -> Option<bool> {
        let (count, rest) = self.rest.split_first_chunk::<2>()?;
        self.rest = rest;
        let mut found = false;
        for _ in 0..u16::from_le_bytes(*count) {
            if found || !counts {
                self.pass_text()?;
            } else {
                found = is_so(self.text()?);
            }
        }
        Some(found)
    }

    fn text(&mut self) -> Option<&'n str> {
        std::str::from_utf8(self.pass_text()?).ok()
    }

    fn pass_text(&mut self) -> Option<&'n [u8]> {
        let length = usize::from(self.byte()?);
        let (text, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(text)
    }

    fn byte(&mut self) -> Option<u8> {
        let (byte, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*byte)
    }
}
