//! The lines of a summary, and which of them fit.

use mentci_tokens::Tokenizer;

/// The longest line of a summary, in bytes.
const LONGEST: usize = 160;
/// The most lines that are considered for one summary.
const MOST: usize = 96;

/// Lines in the order in which they are shown, each with how much it matters: 0 is shown first of all.
#[derive(Debug, Default)]
pub(super) struct Lines(Vec<(u8, String)>);

impl Lines {
    /// Lines under a headline.
    pub(super) fn under(headline: impl AsRef<str>) -> Self {
        let mut lines = Self::default();
        lines.push(0, headline);
        lines
    }

    /// Adds a line, cut to what a line may take. Empty ones, and those that are too many, are passed over.
    pub(super) fn push(&mut self, rank: u8, line: impl AsRef<str>) {
        let line = line.as_ref().trim_end();
        if !line.trim_start().is_empty() && self.0.len() < MOST {
            self.0.push((rank, cut(line, LONGEST)));
        }
    }

    /// Those that fit into so many tokens and bytes, the ones that matter most first; in their order.
    pub(super) fn fit(self, tokens: usize, bytes: usize, tokenizer: &dyn Tokenizer) -> String {
        let mut order: Vec<usize> = (0..self.0.len()).collect();
        order.sort_by_key(|&at| self.0[at].0);
        let mut chosen = Vec::new();
        let mut room = (tokens, bytes);
        for at in order {
            let line = &self.0[at].1;
            // A line break between two lines is one token at most.
            let need = (tokenizer.count(line) + 1, line.len() + 1);
            if need.0 <= room.0 && need.1 <= room.1 {
                room = (room.0 - need.0, room.1 - need.1);
                chosen.push(at);
            }
        }
        chosen.sort_unstable();
        self.join(chosen, tokens, tokenizer)
    }

    /// The lines as one text; a sum of counts is no promise of the count of the whole, so the whole is counted.
    fn join(&self, mut chosen: Vec<usize>, tokens: usize, tokenizer: &dyn Tokenizer) -> String {
        loop {
            let lines: Vec<&str> = chosen.iter().map(|&at| self.0[at].1.as_str()).collect();
            let text = lines.join("\n");
            if tokenizer.fits(&text, tokens) || chosen.pop().is_none() {
                return text;
            }
        }
    }
}

/// The text's beginning, at most so many bytes, cut between characters and marked where it is cut.
pub(crate) fn cut(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    match most.checked_sub('…'.len_utf8()) {
        Some(room) => format!("{}…", &text[..text.floor_char_boundary(room)]),
        None => text[..text.floor_char_boundary(most)].to_owned(),
    }
}

/// `1 file`, `2 files`.
pub(super) fn many(count: usize, noun: &str) -> String {
    match (count, noun.strip_suffix('y')) {
        (1, _) => format!("1 {noun}"),
        (_, Some(stem)) if !stem.ends_with(['a', 'e', 'o']) => format!("{count} {stem}ies"),
        _ => format!("{count} {noun}s"),
    }
}

/// `900 bytes`, `12 KB`.
pub(super) fn size(bytes: usize) -> String {
    match bytes {
        0..10_000 => many(bytes, "byte"),
        10_000..10_000_000 => format!("{} KB", bytes / 1000),
        _ => format!("{} MB", bytes / 1_000_000),
    }
}
