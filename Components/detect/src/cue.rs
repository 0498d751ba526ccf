//! Words that say what a number is: `dob: `, `Passport No. `, `"phone": `.

use std::cell::OnceCell;

/// A set of cues, one bit each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Cues(u16);

impl Cues {
    pub(crate) const SSN: Self = Self(1);
    pub(crate) const CARD: Self = Self(2);
    pub(crate) const PHONE: Self = Self(4);
    pub(crate) const PASSPORT: Self = Self(8);
    pub(crate) const BIRTH: Self = Self(16);
    pub(crate) const INN: Self = Self(32);
    pub(crate) const VERSION: Self = Self(64);
    pub(crate) const SECTION: Self = Self(128);
    pub(crate) const ADDRESS: Self = Self(256);

    pub(crate) fn has(self, cue: Self) -> bool {
        self.0 & cue.0 != 0
    }

    /// The cues in the words of a text.
    pub(crate) fn of(text: &[u8]) -> Self {
        let mut found = 0;
        let mut at = 0;
        while at < text.len() {
            if !is_letter(text[at]) {
                at += 1;
                continue;
            }
            let end = word_end(text, at);
            found |= of_word(&text[at..end]);
            at = end;
        }
        Self(found)
    }
}

fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte >= 128
}

/// Where a word ends; `cellPhone` is two.
fn word_end(text: &[u8], start: usize) -> usize {
    let mut end = start + 1;
    while end < text.len()
        && is_letter(text[end])
        && !(text[end].is_ascii_uppercase() && text[end - 1].is_ascii_lowercase())
    {
        end += 1;
    }
    end
}

const WORDS: &[(&str, Cues)] = &[
    ("ssn", Cues::SSN),
    ("social", Cues::SSN),
    ("card", Cues::CARD),
    ("visa", Cues::CARD),
    ("mastercard", Cues::CARD),
    ("amex", Cues::CARD),
    ("maestro", Cues::CARD),
    ("cc", Cues::CARD),
    ("pan", Cues::CARD),
    ("phone", Cues::PHONE),
    ("telephone", Cues::PHONE),
    ("tel", Cues::PHONE),
    ("mobile", Cues::PHONE),
    ("cell", Cues::PHONE),
    ("fax", Cues::PHONE),
    ("call", Cues::PHONE),
    ("sms", Cues::PHONE),
    ("whatsapp", Cues::PHONE),
    ("тел", Cues::PHONE),
    ("Тел", Cues::PHONE),
    ("телефон", Cues::PHONE),
    ("Телефон", Cues::PHONE),
    ("passport", Cues::PASSPORT),
    ("паспорт", Cues::PASSPORT),
    ("Паспорт", Cues::PASSPORT),
    ("dob", Cues::BIRTH),
    ("birth", Cues::BIRTH),
    ("born", Cues::BIRTH),
    ("birthday", Cues::BIRTH),
    ("birthdate", Cues::BIRTH),
    ("bday", Cues::BIRTH),
    ("dateofbirth", Cues::BIRTH),
    ("рождения", Cues::BIRTH),
    ("geboren", Cues::BIRTH),
    ("inn", Cues::INN),
    ("инн", Cues::INN),
    ("ИНН", Cues::INN),
    ("version", Cues::VERSION),
    ("versions", Cues::VERSION),
    ("ver", Cues::VERSION),
    ("v", Cues::VERSION),
    ("release", Cues::VERSION),
    ("released", Cues::VERSION),
    ("build", Cues::VERSION),
    ("firmware", Cues::VERSION),
    ("section", Cues::SECTION),
    ("chapter", Cues::SECTION),
    ("clause", Cues::SECTION),
    ("figure", Cues::SECTION),
    ("table", Cues::SECTION),
    ("paragraph", Cues::SECTION),
    ("oid", Cues::SECTION),
    ("ip", Cues::ADDRESS),
    ("host", Cues::ADDRESS),
    ("server", Cues::ADDRESS),
    ("address", Cues::ADDRESS),
    ("addr", Cues::ADDRESS),
];

fn of_word(word: &[u8]) -> u16 {
    let is_word = |known: &str| known.len() == word.len() && known.as_bytes().eq_ignore_ascii_case(word);
    WORDS.iter().filter(|(known, _)| is_word(known)).fold(0, |found, (_, cue)| found | cue.0)
}

/// How far before a number its cue may stand, on its line.
const REACH: usize = 40;

/// The cues before a place, looked for when first asked.
#[derive(Debug)]
pub(crate) struct Before<'a> {
    bytes: &'a [u8],
    at: usize,
    key: Cues,
    far: OnceCell<Cues>,
}

impl<'a> Before<'a> {
    /// The cues before `at`; those of the key that the text is the value of reach all of a short text.
    pub(crate) fn new(bytes: &'a [u8], at: usize, key: Cues) -> Self {
        let key = if at <= REACH { key } else { Cues::default() };
        Self { bytes, at, key, far: OnceCell::new() }
    }

    pub(crate) fn has(&self, cue: Cues) -> bool {
        self.key.has(cue) || self.far.get_or_init(|| Cues::of(self.line(REACH))).has(cue)
    }

    /// Whether a cue stands in the last 16 bytes.
    pub(crate) fn near(&self, cue: Cues) -> bool {
        self.key.has(cue) || Cues::of(self.line(16)).has(cue)
    }

    fn line(&self, reach: usize) -> &'a [u8] {
        let mut start = self.at.saturating_sub(reach);
        // A word that the window cuts is none.
        while start > 0 && start < self.at && is_letter(self.bytes[start - 1]) && is_letter(self.bytes[start])
        {
            start += 1;
        }
        let room = &self.bytes[start..self.at];
        memchr::memrchr(b'\n', room).map_or(room, |line| &room[line + 1..])
    }
}
