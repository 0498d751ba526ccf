//! The pictures of a document: what stands for each in the text, how many there may be, and what they cost.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mentci_authority::Picture;
use mentci_tokens::Tokenizer;

/// The most pictures of a document.
const MOST: usize = 20;
/// The most bytes of all of them: in base64 a request with them stays below the 32 MB that providers take.
const MOST_BYTES: usize = 20_000_000;
/// The most tokens of a picture: providers shrink one that would take more.
const TOKENS: usize = 1_600;
/// How every mark begins.
const MARK: &str = "[picture `";

/// The pictures that were met in a document, by what stands for them in the text.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pictures(Arc<Mutex<BTreeMap<String, Picture>>>);

impl Pictures {
    /// Keeps a picture; gives what stands for it.
    ///
    /// # Errors
    /// It is none, or one too many.
    pub(crate) fn keep(&self, src: &str, bytes: Vec<u8>) -> Result<String, String> {
        let mime = kind_of(&bytes).ok_or("it is no picture: PNG, JPEG, GIF and WebP are")?;
        let mark = format!("{MARK}{src}`]");
        let mut kept = self.lock();
        let others = || kept.values().filter(|picture| picture.mark != mark);
        if others().count() >= MOST {
            return Err(format!("a document shows at most {MOST} pictures"));
        }
        if others().map(|picture| picture.bytes.len()).sum::<usize>() + bytes.len() > MOST_BYTES {
            return Err(format!("the pictures of a document have at most {MOST_BYTES} bytes together"));
        }
        let picture = Picture { mark: mark.clone(), mime: mime.to_owned(), bytes: bytes.into() };
        kept.insert(mark.clone(), picture);
        Ok(mark)
    }

    /// Those that these texts name.
    pub(crate) fn named_in(&self, texts: &[&str]) -> Vec<Picture> {
        let is_named = |picture: &&Picture| texts.iter().any(|text| text.contains(&picture.mark));
        self.lock().values().filter(is_named).cloned().collect()
    }

    /// Counts texts with the pictures that they name.
    pub(crate) fn counted_by<T: Tokenizer>(&self, texts: T) -> WithPictures<T> {
        WithPictures { pictures: self.clone(), texts }
    }

    fn tokens_in(&self, text: &str) -> usize {
        if !text.contains(MARK) {
            return 0;
        }
        self.lock().keys().filter(|mark| text.contains(mark.as_str())).count() * TOKENS
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Picture>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Counts a text, and the most that the pictures take which it names.
pub(crate) struct WithPictures<T> {
    pictures: Pictures,
    texts: T,
}

impl<T: Tokenizer> Tokenizer for WithPictures<T> {
    fn count(&self, text: &str) -> usize {
        self.texts.count(text) + self.pictures.tokens_in(text)
    }

    fn fits(&self, text: &str, limit: usize) -> bool {
        let pictures = self.pictures.tokens_in(text);
        pictures <= limit && self.texts.fits(text, limit - pictures)
    }
}

/// What a picture is, by its first bytes.
fn kind_of(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some("image/gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use mentci_tokens::Bytes;

    use super::*;

    const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

    #[test]
    fn a_picture_is_known_by_its_first_bytes() {
        for (bytes, mime) in [
            (PNG, Some("image/png")),
            (b"\xff\xd8\xff\xe0rest", Some("image/jpeg")),
            (b"GIF87a", Some("image/gif")),
            (b"GIF89a", Some("image/gif")),
            (b"RIFF\x04\0\0\0WEBPVP8 ", Some("image/webp")),
            (b"RIFF\x04\0\0\0WAVE", None),
            (b"<svg/>", None),
            (b"\x89PNG", None),
            (b"", None),
        ] {
            assert_eq!(kind_of(bytes), mime, "{bytes:?}");
        }
    }

    #[test]
    fn there_is_a_bound_on_their_number_and_on_their_bytes() {
        let pictures = Pictures::default();
        let kept = (0..25).filter(|number| pictures.keep(&format!("{number}.png"), PNG.to_vec()).is_ok());
        assert_eq!(kept.count(), MOST);
        // One that is met again is no more than one.
        assert!(pictures.keep("3.png", PNG.to_vec()).is_ok());
        let large = || [PNG, &vec![0; 3_500_000]].concat();
        let pictures = Pictures::default();
        let kept = (0..9).filter(|number| pictures.keep(&format!("{number}.png"), large()).is_ok());
        assert_eq!(kept.count(), MOST_BYTES / large().len());
    }

    #[test]
    fn they_are_counted_where_they_are_named() {
        let pictures = Pictures::default();
        let mark = pictures.keep("a.png", PNG.to_vec()).expect("OK because it is a picture");
        let counts = pictures.counted_by(Bytes);
        for (text, tokens) in [
            ("See.".to_owned(), 4),
            (mark.clone(), mark.len() + TOKENS),
            (format!("{mark}{mark}"), 2 * mark.len() + TOKENS),
            ("[picture `b.png`]".to_owned(), 17),
        ] {
            assert_eq!(counts.count(&text), tokens, "{text}");
            assert!(counts.fits(&text, tokens) && !counts.fits(&text, tokens - 1), "{text}");
        }
    }
}
