//! Content that is redacted while it is read: memory holds a stretch of it, and nothing that was found is cut.

use std::io::{self, Read};
use std::ops::Range;

use crate::bytes::{self, Order};
use crate::{Detector, Hit};

/// Gives what `from` gives, with a mark in the place of each hit, as [`Detector::redact_bytes`] does with content that is at hand.
/// Memory does not grow with its length.
///
/// INVARIANT (no hit is cut): what is given ends where no hit stands, and behind it so much was looked at that none can begin before.
///
/// ```
/// use std::io::Read;
/// use mentci_detect::Detector;
/// let mut told = String::new();
/// Detector::all().redact_reader("write to ann@example.com".as_bytes()).read_to_string(&mut told)?;
/// assert_eq!(told, "write to [EMAIL]");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct RedactedReader<R> {
    detector: Detector,
    from: R,
    reach: Reach,
    /// What is looked at. Its beginning was given already, and stands for what it says about what follows.
    held: Vec<u8>,
    /// How much of it was given.
    given: usize,
    order: Option<Order>,
    is_begun: bool,
    is_at_end: bool,
    /// What is to be given, and how much of that was.
    ready: Vec<u8>,
    at: usize,
}

/// How many bytes are looked at together.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reach {
    /// Of those that were given: what stands before a secret tells that it is one.
    pub(crate) before: usize,
    /// That are given at a time.
    pub(crate) window: usize,
    /// Of those that follow: what begins in the window ends there.
    pub(crate) ahead: usize,
    /// At most, where one hit goes on and on.
    pub(crate) most: usize,
}

impl Reach {
    const USUAL: Self = Self { before: 64 << 10, window: 4 << 20, ahead: 256 << 10, most: 64 << 20 };
}

impl<R: Read> RedactedReader<R> {
    pub(crate) fn new(detector: Detector, from: R) -> Self {
        Self::reaching(detector, from, Reach::USUAL)
    }

    pub(crate) fn reaching(detector: Detector, from: R, reach: Reach) -> Self {
        Self {
            detector,
            from,
            reach,
            held: Vec::new(),
            given: 0,
            order: None,
            is_begun: false,
            is_at_end: false,
            ready: Vec::new(),
            at: 0,
        }
    }

    /// Makes the next stretch ready; none is when everything was given.
    fn fill(&mut self) -> io::Result<()> {
        let mut wanted = self.reach.window + self.reach.ahead;
        loop {
            self.take(wanted)?;
            if self.given == self.held.len() {
                return Ok(());
            }
            let hits = bytes::hits(&self.held, self.order, |text| self.detector.redact(text));
            if let Some(cut) = self.cut(&hits) {
                self.give(cut, &hits);
                return Ok(());
            }
            wanted *= 2;
            if wanted > self.reach.most {
                let most = self.reach.most >> 20;
                return Err(io::Error::other(format!("it holds one secret of more than {most} MiB")));
            }
        }
    }

    /// Reads until so many bytes are held that were not given, or to the end.
    fn take(&mut self, wanted: usize) -> io::Result<()> {
        let missing = (self.given + wanted).saturating_sub(self.held.len());
        if !self.is_at_end && missing > 0 {
            let read = self.from.by_ref().take(missing as u64).read_to_end(&mut self.held)?;
            self.is_at_end = read < missing;
        }
        if !self.is_begun {
            (self.is_begun, self.order) = (true, Order::of(&self.held));
        }
        Ok(())
    }

    /// How far can be given: to where no hit stands, and better a line's end than the midst of one. Nowhere, where one hit is longer
    /// than all that is held.
    fn cut(&self, hits: &[Hit]) -> Option<usize> {
        if self.is_at_end {
            return Some(self.held.len());
        }
        let limit = self.held.len() - self.reach.ahead;
        let across = hits.iter().find(|hit| hit.span.start < limit && limit < hit.span.end);
        // A hit that nearly reaches the end may go on.
        let is_whole = |span: &Range<usize>| span.end + self.reach.ahead / 4 <= self.held.len();
        let cut = match across.map(|hit| &hit.span) {
            Some(span) if is_whole(span) => span.end,
            Some(span) => span.start,
            None => limit,
        };
        let cut = self.at_a_break(cut, hits);
        (cut > self.given).then_some(cut)
    }

    /// The end of the last line before a place, where one is near; or else the start of its character.
    fn at_a_break(&self, cut: usize, hits: &[Hit]) -> usize {
        if self.order.is_some() {
            return cut - cut % 2;
        }
        let near = self.given.max(cut.saturating_sub(self.reach.before));
        let is_free = |at: &usize| !hits.iter().any(|hit| hit.span.start < *at && *at < hit.span.end);
        let ends = memchr::memrchr_iter(b'\n', self.held.get(near..cut).unwrap_or_default());
        if let Some(end) = ends.map(|at| near + at + 1).take(MOST_BREAKS).find(is_free) {
            return end;
        }
        let is_start = |at: &usize| self.held.get(*at).is_none_or(|byte| byte & 0xC0 != 0x80);
        (cut.saturating_sub(3)..=cut).rev().find(|at| is_start(at) && is_free(at)).unwrap_or(cut)
    }

    /// Makes ready what was not given up to a place, and lets go of what says nothing more.
    fn give(&mut self, cut: usize, hits: &[Hit]) {
        (self.at, self.ready) = (0, Vec::with_capacity(cut - self.given));
        let mut from = self.given;
        for hit in hits.iter().filter(|hit| hit.span.end > self.given && hit.span.start < cut) {
            self.ready.extend_from_slice(&self.held[from..hit.span.start.max(from)]);
            self.ready.extend_from_slice(&self.mark(hit));
            from = hit.span.end.min(cut);
        }
        self.ready.extend_from_slice(&self.held[from..cut]);
        let old = cut.saturating_sub(self.reach.before);
        let old = if self.order.is_some() { old - old % 2 } else { old };
        self.held.drain(..old);
        self.given = cut - old;
    }

    /// The mark of a hit, in the letters of the content.
    fn mark(&self, hit: &Hit) -> Vec<u8> {
        let mark = hit.kind.mark();
        match self.order {
            Some(order) if hit.span.start.is_multiple_of(2) && hit.span.end.is_multiple_of(2) => {
                order.write(&mark)
            }
            _ => mark.into_bytes(),
        }
    }
}

/// So many ends of lines are looked at.
const MOST_BREAKS: usize = 64;

impl<R: Read> Read for RedactedReader<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        if self.at == self.ready.len() {
            (self.at, self.ready) = (0, Vec::new());
            self.fill()?;
        }
        let count = to.len().min(self.ready.len() - self.at);
        to[..count].copy_from_slice(&self.ready[self.at..self.at + count]);
        self.at += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// So little that most texts are longer.
    const SHORT: Reach = Reach { before: 256, window: 400, ahead: 512, most: 16 << 10 };

    fn streamed(content: &[u8], reach: Reach) -> io::Result<Vec<u8>> {
        let mut told = Vec::new();
        RedactedReader::reaching(Detector::all(), content, reach).read_to_end(&mut told).map(|_| told)
    }

    fn pem(lines: usize) -> String {
        let body = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n".repeat(lines);
        format!("-----BEGIN PRIVATE KEY-----\n{body}-----END PRIVATE KEY-----")
    }

    fn piece() -> impl Strategy<Value = String> {
        let secrets = [
            "ann@example.com".to_owned(),
            "ghp_0123456789abcdefghijABCDEFGHIJ012345".to_owned(),
            "password = \"correct horse battery staple\"".to_owned(),
            "{\"api_key\": \"f81d4fae7dec11d0a76500a0c91e6bf6\"}".to_owned(),
            "postgres://app:s3cr3tpw@db.example.com/x".to_owned(),
            pem(2),
            pem(30),
        ];
        prop_oneof![
            3 => proptest::sample::select(secrets.to_vec()),
            6 => "[a-z]{1,9}( [a-z]{1,9}){0,30}",
            2 => proptest::sample::select(vec!["\n".to_owned(), " ".to_owned(), "é名\n".to_owned(), " ".repeat(90)]),
            1 => "[a-f0-9]{1,300}",
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(120))]

        #[test]
        fn what_is_read_in_stretches_is_redacted_as_the_whole(pieces in prop::collection::vec(piece(), 0..80)) {
            let text = pieces.join(" ");
            let told = String::from_utf8(streamed(text.as_bytes(), SHORT).unwrap()).unwrap();
            prop_assert_eq!(told, Detector::all().redact(&text).text);
        }

        #[test]
        fn bytes_of_any_kind_are_redacted_as_the_whole(pieces in prop::collection::vec(prop_oneof![
            4 => piece().prop_map(String::into_bytes),
            1 => prop::collection::vec(128_u8..=255, 0..9),
        ], 0..60)) {
            let raw = [b"x".to_vec(), pieces.concat()].concat();
            prop_assert_eq!(streamed(&raw, SHORT).unwrap(), Detector::all().redact_bytes(&raw).bytes);
        }

        #[test]
        fn utf_16_is_redacted_too(pieces in prop::collection::vec(piece(), 0..60), is_little in any::<bool>()) {
            let (text, order) = (pieces.join(" "), if is_little { Order::Little } else { Order::Big });
            let wide = order.write(&format!("\u{feff}{text}"));
            let told = streamed(&wide, SHORT).unwrap();
            let expected = Detector::all().redact(&text).text;
            prop_assert_eq!(told, order.write(&format!("\u{feff}{expected}")));
        }
    }

    #[test]
    fn a_secret_without_an_end_is_taken_out_or_nothing_is_given() {
        let text = format!("before\n{}after\n", pem(200));
        let told = String::from_utf8(streamed(text.as_bytes(), SHORT).unwrap()).unwrap();
        assert_eq!(told, Detector::all().redact(&text).text);
        let refused = streamed(pem(2_000).as_bytes(), SHORT).unwrap_err().to_string();
        assert_eq!(refused, "it holds one secret of more than 0 MiB");
    }
}
