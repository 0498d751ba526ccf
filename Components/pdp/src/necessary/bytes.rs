//! What a guard needs as bytes, which are looked at as they stand.
//!
//! A sign, then: `&` and `|` the number of their parts and the parts; `c` and `f` nothing; `C` and `F` a field and texts;
//! `~` texts; `0` nothing. Before parts and texts stands how many bytes they take: what decides nothing any more is passed over
//! unread. No bytes at all need nothing.

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
    write_measured(bytes, |bytes| {
        bytes.push(u8::try_from(parts.len()).ok()?);
        parts.iter().try_for_each(|part| part.write(bytes))
    })
}

fn write_texts(texts: &[String], bytes: &mut Vec<u8>) -> Option<()> {
    write_measured(bytes, |bytes| texts.iter().try_for_each(|text| write_text(text, bytes)))
}

/// Before what is written stands how many bytes it takes.
fn write_measured(bytes: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>) -> Option<()>) -> Option<()> {
    let start = bytes.len() + size_of::<Length>();
    bytes.extend_from_slice(&Length::default().to_le_bytes());
    write(bytes)?;
    let length = Length::try_from(bytes.len() - start).ok()?;
    bytes[start - size_of::<Length>()..start].copy_from_slice(&length.to_le_bytes());
    Some(())
}

/// How many bytes parts or texts take.
type Length = u16;

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
    reader.part(0).unwrap_or(true)
}

struct Reader<'n, 's, 'e> {
    rest: &'n [u8],
    sight: &'s Sight<'e>,
}

impl<'n> Reader<'n, '_, '_> {
    /// Whether a part is so.
    fn part(&mut self, depth: usize) -> Option<bool> {
        match self.byte()? {
            b'0' => Some(false),
            b'&' => self.parts(false, depth),
            b'|' => self.parts(true, depth),
            b'c' => Some(self.sight.has_any(Of::Commands)),
            b'f' => Some(self.sight.has_any(Of::Files)),
            b'C' => self.field(Of::Commands),
            b'F' => self.field(Of::Files),
            b'~' => {
                let sight = self.sight;
                self.texts(|text| sight.holds(text))
            }
            _ => None,
        }
    }

    /// Up to the part that decides.
    fn parts(&mut self, decides: bool, depth: usize) -> Option<bool> {
        if depth > MAX_DEPTH {
            return None;
        }
        let mut parts = self.measured()?;
        for _ in 0..parts.byte()? {
            if parts.part(depth + 1)? == decides {
                return Some(decides);
            }
        }
        Some(!decides)
    }

    fn field(&mut self, of: Of) -> Option<bool> {
        let (field, sight) = (self.text()?, self.sight);
        self.texts(|text| sight.has(of, field, text))
    }

    /// Whether one of the texts is as asked.
    fn texts(&mut self, is_so: impl Fn(&str) -> bool) -> Option<bool> {
        let mut texts = self.measured()?;
        while !texts.rest.is_empty() {
            if is_so(texts.text()?) {
                return Some(true);
            }
        }
        Some(false)
    }

    /// What is measured; this one goes on behind it.
    fn measured(&mut self) -> Option<Self> {
        let (length, rest) = self.rest.split_first_chunk::<{ size_of::<Length>() }>()?;
        let (own, rest) = rest.split_at_checked(Length::from_le_bytes(*length).into())?;
        self.rest = rest;
        Some(Self { rest: own, sight: self.sight })
    }

    fn text(&mut self) -> Option<&'n str> {
        let length = usize::from(self.byte()?);
        let (text, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        std::str::from_utf8(text).ok()
    }

    fn byte(&mut self) -> Option<u8> {
        let (byte, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*byte)
    }
}
