//! Text without its entities and fences, which knows where each byte came from.

use mentci_source::Span;

use crate::entity;

/// Text as it is meant, with the place of each of its bytes in the file.
#[derive(Debug, Clone, Default)]
pub struct Decoded {
    text: String,
    /// Where runs of bytes that stand side by side in both begin: here, and in the file.
    runs: Vec<(u32, u32)>,
}

impl Decoded {
    /// Decodes the entities of `raw`, which stands at byte `at` of its file.
    pub(crate) fn entities(raw: &str, at: usize) -> Self {
        let mut decoded = Self::default();
        decoded.push_entities(raw, at);
        decoded
    }

    /// Decodes the entities of `raw`, and takes the backslashes before quotes off.
    pub(crate) fn without_backslashes(raw: &str, at: usize) -> Self {
        let (mut decoded, mut done) = (Self::default(), 0);
        for quote in memchr::memchr2_iter(b'"', b'\'', raw.as_bytes()) {
            if raw[done..quote].ends_with('\\') {
                decoded.push_entities(&raw[done..quote - 1], at + done);
                done = quote;
            }
        }
        decoded.push_entities(&raw[done..], at + done);
        decoded
    }

    /// Takes `raw` as it stands.
    pub(crate) fn push_verbatim(&mut self, raw: &str, at: usize) {
        self.run(at);
        self.text.push_str(raw);
    }

    pub(crate) fn push_entities(&mut self, raw: &str, at: usize) {
        let mut done = 0;
        for ampersand in memchr::memchr_iter(b'&', raw.as_bytes()) {
            let Some((character, length)) = entity::read(&raw[ampersand..]) else { continue };
            self.push_verbatim(&raw[done..ampersand], at + done);
            self.run(at + ampersand);
            self.text.push(character);
            done = ampersand + length;
        }
        self.push_verbatim(&raw[done..], at + done);
    }

    fn run(&mut self, at: usize) {
        let run = (Span::at(self.text.len()).start, Span::at(at).start);
        match self.runs.last_mut() {
            Some(last) if last.0 == run.0 => *last = run,
            _ => self.runs.push(run),
        }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Gives the text away.
    pub fn into_string(self) -> String {
        self.text
    }

    /// The byte of the file at which byte `at` of the text was written.
    pub fn offset(&self, at: usize) -> usize {
        let after = self.runs.partition_point(|&(here, _)| here as usize <= at);
        let Some(&(here, there)) = self.runs.get(after.saturating_sub(1)) else { return at };
        there as usize + (at - (here as usize).min(at))
    }

    /// The bytes of the file at which `span` of the text was written.
    pub fn span(&self, span: Span) -> Span {
        Span::new(self.offset(span.start as usize), self.offset(span.end as usize))
    }
}

/// Places stand outside equality.
impl PartialEq for Decoded {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Decoded {}
