//! Content that is not, or not wholly, UTF-8: what is found is taken out, and every other byte stays as it was.

use crate::sink::Sink;
use crate::{BytesRedaction, Hit, Kind, Redaction};

/// What a byte is read as that is no UTF-8.
const UNREAD: char = char::REPLACEMENT_CHARACTER;

/// How many bytes tell an encoding that does not name itself.
const SAMPLE: usize = 4 << 10;

/// Redacts what can be read in the bytes: as UTF-8, and then as UTF-16 if they are that as well. A mark of UTF-16 at the
/// start of something else hides nothing.
pub(crate) fn redact(raw: &[u8], redact: impl Fn(&str) -> Redaction) -> BytesRedaction {
    let narrow = narrow(raw, &redact);
    let (mut bytes, mut kinds) = (without(raw, &narrow), kinds(&narrow));
    if let Some((order, text)) = Order::of(&bytes).and_then(|order| Some((order, order.read(&bytes)?))) {
        let wide = redact(&text);
        if !wide.hits.is_empty() {
            bytes = order.write(&wide.text);
            kinds.extend(self::kinds(&wide));
        }
    }
    BytesRedaction { bytes, kinds }
}

/// What is found in what can be read of bytes, and where in them: as UTF-8, and as UTF-16 where they are in this order.
pub(crate) fn hits(raw: &[u8], order: Option<Order>, redact: impl Fn(&str) -> Redaction) -> Vec<Hit> {
    let narrow = narrow(raw, &redact).hits;
    let edges: Vec<usize> = narrow.iter().flat_map(|hit| [hit.span.start, hit.span.end]).collect();
    let mut sink = Sink::default();
    for (hit, place) in narrow.into_iter().zip(places(raw, &edges).chunks_exact(2)) {
        sink.push(place[0]..place[1], hit.kind);
    }
    for hit in order.map(|order| wide(raw, order, &redact)).unwrap_or_default() {
        sink.push(hit.span, hit.kind);
    }
    sink.into_hits()
}

/// What is found in bytes that are read as UTF-8, in their [`lossy`] reading.
fn narrow(raw: &[u8], redact: impl Fn(&str) -> Redaction) -> Redaction {
    let text = lossy(raw);
    let mut narrow = redact(&text);
    for hit in &mut narrow.hits {
        // What is no letter is no part of what it stands beside.
        let found = &text[hit.span.clone()];
        let (start, end) = (found.trim_start_matches(UNREAD), found.trim_end_matches(UNREAD));
        if !start.is_empty() {
            hit.span = hit.span.end - start.len()..hit.span.start + end.len();
        }
    }
    narrow
}

/// What is found in bytes that are read as UTF-16, and where in them.
fn wide(raw: &[u8], order: Order, redact: impl Fn(&str) -> Redaction) -> Vec<Hit> {
    let text: String = char::decode_utf16(order.units(raw)).map(|one| one.unwrap_or(UNREAD)).collect();
    let (mut chars, mut read, mut at) = (text.chars(), 0, 0);
    let mut place = |wanted: usize| {
        while read < wanted
            && let Some(one) = chars.next()
        {
            (read, at) = (read + one.len_utf8(), at + 2 * one.len_utf16());
        }
        at
    };
    let found = redact(&text).hits.into_iter();
    found.map(|hit| Hit { span: place(hit.span.start)..place(hit.span.end), kind: hit.kind }).collect()
}

fn kinds(redacted: &Redaction) -> Vec<Kind> {
    redacted.hits.iter().map(|hit| hit.kind.clone()).collect()
}

/// The bytes read as UTF-8, each that is none as one U+FFFD.
fn lossy(raw: &[u8]) -> String {
    let mut text = String::with_capacity(raw.len());
    for chunk in raw.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| UNREAD));
    }
    text
}

/// The bytes with marks in the place of what was found in their [`lossy`] reading.
fn without(raw: &[u8], redacted: &Redaction) -> Vec<u8> {
    let edges: Vec<usize> = redacted.hits.iter().flat_map(|hit| [hit.span.start, hit.span.end]).collect();
    let places = places(raw, &edges);
    let (mut bytes, mut from) = (Vec::with_capacity(raw.len()), 0);
    for (hit, place) in redacted.hits.iter().zip(places.chunks_exact(2)) {
        bytes.extend_from_slice(&raw[from..place[0]]);
        bytes.extend_from_slice(hit.kind.mark().as_bytes());
        from = place[1];
    }
    bytes.extend_from_slice(&raw[from..]);
    bytes
}

/// Where places of the [`lossy`] reading, which rise, lie in the bytes themselves.
fn places(raw: &[u8], wanted: &[usize]) -> Vec<usize> {
    let mut wanted = wanted.iter().copied().peekable();
    let (mut found, mut read, mut at) = (Vec::new(), 0, 0);
    for chunk in raw.utf8_chunks() {
        let valid = chunk.valid().len();
        while let Some(place) = wanted.next_if(|place| *place < read + valid) {
            found.push(at + (place - read));
        }
        (read, at) = (read + valid, at + valid);
        for _ in chunk.invalid() {
            let mark = UNREAD.len_utf8();
            while wanted.next_if(|place| *place < read + mark).is_some() {
                found.push(at);
            }
            (read, at) = (read + mark, at + 1);
        }
    }
    // What is left is the end.
    found.extend(wanted.map(|_| raw.len()));
    found
}

/// The order of the bytes of UTF-16.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Order {
    Little,
    Big,
}

impl Order {
    /// By its mark, or by the zeroes that every second byte of a western text is.
    pub(crate) fn of(raw: &[u8]) -> Option<Self> {
        match raw {
            [0xff, 0xfe, ..] => return Some(Self::Little),
            [0xfe, 0xff, ..] => return Some(Self::Big),
            _ => {}
        }
        let head = &raw[..raw.len().min(SAMPLE)];
        let zeroes = |at: usize| head.iter().skip(at).step_by(2).filter(|byte| **byte == 0).count();
        let (even, odd, enough) = (zeroes(0), zeroes(1), head.len() / 4);
        match (even, odd) {
            (0, odd) if odd > enough => Some(Self::Little),
            (even, 0) if even > enough => Some(Self::Big),
            _ => None,
        }
    }

    /// The text, if that is what the bytes are.
    fn read(self, raw: &[u8]) -> Option<String> {
        let is_whole = raw.len().is_multiple_of(2);
        is_whole.then(|| char::decode_utf16(self.units(raw)).collect::<Result<_, _>>().ok()).flatten()
    }

    fn units(self, raw: &[u8]) -> impl Iterator<Item = u16> {
        raw.as_chunks::<2>().0.iter().map(move |unit| match self {
            Self::Little => u16::from_le_bytes(*unit),
            Self::Big => u16::from_be_bytes(*unit),
        })
    }

    pub(crate) fn write(self, text: &str) -> Vec<u8> {
        let bytes = |unit: u16| match self {
            Self::Little => unit.to_le_bytes(),
            Self::Big => unit.to_be_bytes(),
        };
        text.encode_utf16().flat_map(bytes).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Detector;

    #[test]
    fn every_other_byte_stays() {
        let cases: [(&[u8], &[u8]); 5] = [
            (b"\xff\xfe bin \0 ann@example.com \x80", b"\xff\xfe bin \0 [EMAIL] \x80"),
            (b"ann@example.com\xe9", b"[EMAIL]\xe9"),
            (b"caf\xe9, caf\xe9", b"caf\xe9, caf\xe9"),
            (b"\xe9\xe9ann@example.com bob@example.com\xf0\x9f", b"\xe9\xe9[EMAIL] [EMAIL]\xf0\x9f"),
            (b"", b""),
        ];
        for (raw, expected) in cases {
            assert_eq!(Detector::all().redact_bytes(raw).bytes, expected, "{}", raw.escape_ascii());
        }
    }

    #[test]
    fn wide_text_is_read_and_written_as_it_came() {
        for order in [Order::Little, Order::Big] {
            for mark in ["", "\u{feff}"] {
                let raw = order.write(&format!("{mark}to ann@example.com, ŝ\r\n"));
                let expected = order.write(&format!("{mark}to [EMAIL], ŝ\r\n"));
                assert_eq!(Detector::all().redact_bytes(&raw).bytes, expected);
            }
        }
    }

    proptest! {
        #[test]
        fn bytes_without_a_hit_are_the_same(raw in prop::collection::vec(any::<u8>(), 0..200)) {
            let redacted = Detector::all().redact_bytes(&raw);
            prop_assert!(!redacted.kinds.is_empty() || redacted.bytes == raw);
        }

        #[test]
        fn what_lies_around_a_hit_is_the_same(
            before in prop::collection::vec(0x80_u8..=0xbf, 0..20),
            after in prop::collection::vec(0x80_u8..=0xbf, 0..20),
        ) {
            let whole = |middle: &[u8]| [&before, &b" "[..], middle, &b" "[..], &after].concat();
            let redacted = Detector::all().redact_bytes(&whole(b"ann@example.com"));
            prop_assert_eq!(redacted.bytes, whole(b"[EMAIL]"));
        }
    }
}
