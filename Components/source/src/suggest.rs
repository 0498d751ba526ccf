//! "Did you mean": the nearest of the names that exist.

/// The candidate nearest to `word`, if it is near enough to be what was meant: at most a third of its letters differ.
///
/// ```
/// use mentci_source::did_you_mean;
/// assert_eq!(did_you_mean("tokns", ["tokens", "skills"]), Some("tokens"));
/// assert_eq!(did_you_mean("zebra", ["tokens", "skills"]), None);
/// assert_eq!(did_you_mean("T", ["l", "t"]), Some("t"));
/// ```
pub fn did_you_mean<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word: Vec<char> = word.chars().collect();
    let limit = (word.len() / 3).max(1);
    let own = letters(word.iter().copied());
    let mut other = Vec::new();
    let near = candidates.into_iter().filter_map(|candidate| {
        if candidate.chars().map(|c| c.to_ascii_lowercase()).eq(word.iter().map(char::to_ascii_lowercase)) {
            return Some((0, candidate));
        }
        // A law asks for thousands of names: most are told apart by their length or their letters alone.
        if candidate.len() + limit < word.len() || candidate.chars().count() > word.len() + limit {
            return None;
        }
        // One edit takes away at most one letter, and brings at most one.
        let theirs = letters(candidate.chars());
        if missing(own, theirs) > limit || missing(theirs, own) > limit {
            return None;
        }
        other.clear();
        other.extend(candidate.chars());
        Some((distance(&word, &other), candidate)).filter(|&(edits, _)| edits <= limit)
    });
    near.min().map(|(_, candidate)| candidate)
}

/// The letters of a name as a set; those 64 apart share a bit.
fn letters(name: impl Iterator<Item = char>) -> u64 {
    name.fold(0, |set, letter| set | 1 << (u32::from(letter) % 64))
}

/// How many letters of `from` are not in `others`.
fn missing(from: u64, others: u64) -> usize {
    (from & !others).count_ones() as usize
}

/// Optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = vec![0; b.len() + 1];
    let mut above: Vec<usize> = (0..=b.len()).collect();
    let mut row: Vec<usize> = vec![0; b.len() + 1];
    for i in 1..=a.len() {
        row[0] = i;
        for j in 1..=b.len() {
            let substitute = above[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = substitute.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            row[j] = best;
        }
        std::mem::swap(&mut before, &mut above);
        std::mem::swap(&mut above, &mut row);
    }
    above[b.len()]
}
