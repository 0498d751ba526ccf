//! Norms that contradict each other: what one demands another forbids, or both set the same bound to different numbers.

use std::ops::Range;

use mentci_authority::{EntryKind, Norm};
use rustc_hash::FxHashMap;

use crate::gather::Gathered;
use crate::law::is_verb;
use crate::words::{Polarity, Tokens, hash64, stem_of, subject_key};

/// The pairs of norms of one law that contradict each other, by their places: the earlier one first, each later one once.
pub(crate) fn conflicts(norms: &[Gathered<'_>]) -> Vec<(usize, usize)> {
    let mut known: FxHashMap<u64, Vec<(Says, usize)>> = FxHashMap::default();
    let mut pairs = Vec::new();
    for (index, gathered) in norms.iter().enumerate() {
        let other = gathered.claims.iter().find_map(|claim| {
            let there = known.get(&claim.key)?;
            there.iter().find(|(says, _)| says.opposes(claim.says)).map(|(_, index)| *index)
        });
        pairs.extend(other.map(|other| (other, index)));
        for claim in &gathered.claims {
            let there = known.entry(claim.key).or_default();
            if !there.iter().any(|(says, _)| *says == claim.says) {
                there.push((claim.says, index));
            }
        }
    }
    pairs
}

/// A claim of a line of a digest, beside what its subject says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LineClaim {
    pub(crate) claim: Claim,
    pub(crate) line: u32,
}

/// What the norms of a law claim beside what their subjects say; the lines of a digest begin with them, in this order. Few claim more.
pub(crate) fn line_claims(norms: &[Gathered<'_>]) -> Vec<LineClaim> {
    let is_norm = |norm: &Norm| matches!(norm.kind, EntryKind::Norm | EntryKind::Procedure);
    let norms = norms.iter().enumerate().filter(|(_, gathered)| is_norm(gathered.norm));
    let of_norm = |(at, gathered): (usize, &Gathered<'_>)| {
        // OK because no law has four thousand million lines.
        let line = u32::try_from(at).unwrap_or(u32::MAX);
        let more = gathered.claims.iter().filter(|claim| claim.key != gathered.subject);
        more.map(|&claim| LineClaim { claim, line }).collect::<Vec<_>>()
    };
    norms.flat_map(of_norm).collect()
}

/// What a norm says of a thing; opposite norms share the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Claim {
    pub(crate) key: u64,
    pub(crate) says: Says,
}

/// How a norm stands to a thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Says {
    Demands,
    Forbids,
    /// `Retry up to 3 times`: its numbers, as a key.
    Bounds(u64),
}

impl Says {
    pub(crate) fn opposes(self, other: Self) -> bool {
        match (self, other) {
            (Self::Demands, Self::Forbids) | (Self::Forbids, Self::Demands) => true,
            (Self::Bounds(one), Self::Bounds(other)) => one != other,
            _ => false,
        }
    }
}

/// What a norm claims, its subject first or last; `words` are those of its text.
pub(crate) fn claims(norm: &Norm, words: &Tokens<'_>, subject: u64, polarity: Polarity) -> Vec<Claim> {
    let plain = if polarity.forbids { Says::Forbids } else { Says::Demands };
    let claim = |says: Says| move |key: u64| Claim { key, says };
    let mut claims: Vec<Claim> = bound(norm, words).into_iter().collect();
    if let Some(choice) = Choice::of(&norm.text) {
        claims.extend(choice.chosen.iter().map(|text| key(text)).map(claim(Says::Demands)));
        claims.extend(choice.rejected.iter().map(|text| key(text)).map(claim(Says::Forbids)));
        claims.push(claim(Says::Demands)(subject));
        return claims;
    }
    // Without the modal word behind the subject `Commits must not be signed` and `Commits must be signed` are about the same.
    let bare = modal(words).map(|modal| words.subject_without(modal, &norm.literals));
    claims.extend([subject].into_iter().chain(bare).map(claim(plain)));
    claims
}

fn key(text: &str) -> u64 {
    subject_key(text, &[])
}

/// `Use m1, never m2`, `Use m1 not m2`, `Prefer m1 over m2`: what is chosen, and what is rejected for it.
struct Choice {
    chosen: Vec<String>,
    rejected: Vec<String>,
}

impl Choice {
    fn of(text: &str) -> Option<Self> {
        const TURNS: &[&str] =
            &[", never ", ", not ", " not ", " and not ", " instead of ", " rather than ", " over "];
        // Behind a condition it is another choice.
        const BREAKS: &[&str] =
            &[": ", "; ", ". ", " if ", " when ", " unless ", " that ", " is ", " are ", " do "];
        // Most norms choose nothing, which their first word tells.
        let first = text.split(' ').next()?;
        CHOOSING.iter().find(|verb| verb.eq_ignore_ascii_case(first))?;
        let lower = text.to_lowercase();
        let verb = lower.split(' ').next()?;
        let (at, turn) = TURNS.iter().filter_map(|turn| Some((lower.find(turn)?, *turn))).min()?;
        let (head, rest) = (&lower[..at], &lower[at + turn.len()..]);
        if BREAKS.iter().any(|mark| head.contains(mark)) || turn == " over " && verb != "prefer" {
            return None;
        }
        let with_verb = |part: &str| vec![part.to_owned(), format!("{verb} {part}")];
        Some(Self { chosen: with_verb(head), rejected: with_verb(rest) })
    }
}

/// Verbs that choose among means.
const CHOOSING: &[&str] = &[
    "use", "prefer", "choose", "pick", "call", "run", "push", "commit", "write", "log", "store", "return",
    "import", "indent", "install", "deploy", "merge", "rebase", "build", "test", "read", "send", "put",
    "keep", "name", "target",
];

/// Where the modal behind a subject stands among the words. Behind a condition it belongs to what follows that.
fn modal(words: &Tokens<'_>) -> Option<Range<usize>> {
    /// As many words as a subject has, and those of the modal behind it.
    const OPENING: usize = 8;
    let opening: Vec<Part> =
        words.list().iter().take(OPENING + 2).map(|token| Part::of(&token.lower)).collect();
    let (at, length) =
        (1..opening.len().min(OPENING)).find_map(|at| Some((at, modal_length(&opening[at..])?)))?;
    (opening[0] != Part::Condition).then_some(at..at + length)
}

/// The words of the modal with which the rest of a sentence begins: `is not allowed`, `must never`, `always`.
fn modal_length(rest: &[Part]) -> Option<usize> {
    let is = |at: usize, part: Part| rest.get(at) == Some(&part);
    match rest.first()? {
        Part::Be => {
            let not = usize::from(is(1, Part::Not));
            is(1 + not, Part::Judging).then_some(2 + not)
        }
        Part::Modal => Some(1 + usize::from(is(1, Part::Not) || is(1, Part::Ever))),
        Part::Ever => Some(1),
        _ => None,
    }
}

/// What a word is to the modal of its sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Be,
    Modal,
    Not,
    /// `never`, `always`.
    Ever,
    Judging,
    Condition,
    Other,
}

impl Part {
    /// Of a word in lower case.
    fn of(word: &str) -> Self {
        match word {
            "is" | "are" => Self::Be,
            "must" | "should" | "shall" | "may" | "can" | "cannot" | "mustn't" | "shouldn't" | "can't" => {
                Self::Modal
            }
            "not" => Self::Not,
            "never" | "always" => Self::Ever,
            "allowed" | "permitted" | "forbidden" | "prohibited" | "banned" | "required" | "ok" | "fine" => {
                Self::Judging
            }
            "if" | "when" | "unless" | "after" | "before" | "while" => Self::Condition,
            _ => Self::Other,
        }
    }
}

/// `Retry up to 3 times`, `Indent with 4 spaces`: all but the numbers, as a key, and the numbers. A step may do a thing again.
fn bound(norm: &Norm, said: &Tokens<'_>) -> Option<Claim> {
    /// Before a number, these say that it is a measure; behind other words it is a name: `step 3`, `module 12`.
    const MEASURES: &[&str] = &[
        "to", "most", "least", "than", "under", "over", "below", "above", "within", "exactly", "about",
        "every", "after", "for", "with", "at", "of", "is", "be", "by", "maximum", "minimum", "max", "min",
        "limit", "only",
    ];
    const MODALS: &[&str] = &["must", "always", "should", "never", "not", "don't", "may", "shall"];
    let words = said.list();
    if norm.step.is_some()
        || !words.iter().any(|word| may_count(&word.lower) && number(&word.lower).is_some())
    {
        return None;
    }
    let (mut frame, mut numbers) = (Vec::new(), Vec::new());
    for (at, word) in words.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| words[at].lower.as_ref());
        let orders = at == 1 || at > 1 && MODALS.contains(&words[at - 2].lower.as_ref());
        let counts = |verb: &str| orders && is_verb(verb) && at + 1 < words.len();
        let measures = |word: &str| MEASURES.contains(&word) || counts(word);
        match number(&word.lower).filter(|_| before.is_some_and(measures)) {
            Some((number, unit)) => {
                numbers.push(number);
                frame.push(format!("#{unit}"));
            }
            None => frame.push(stem_of(&word.lower)),
        }
    }
    let key = hash64(&format!("bound {}", norm.level.is_prohibition()), &frame.join(" "));
    let says = Says::Bounds(hash64("numbers", &numbers.join(" ")));
    (!numbers.is_empty() && frame.len() > numbers.len() + 1).then_some(Claim { key, says })
}

/// Whether a word in lower case begins as a number does, in digits or as `two` to `ten`.
fn may_count(word: &str) -> bool {
    let first = word.as_bytes().first().copied().unwrap_or(0);
    first.is_ascii_digit() || word.len() <= 5 && b"tfsen".contains(&first)
}

/// A number and what sticks to it: `3`, `100ms`, `five`. `word` is in lower case.
fn number(word: &str) -> Option<(String, String)> {
    const WORDS: &[&str] =
        &["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    if let Some(number) = WORDS.iter().position(|name| *name == word).filter(|&number| number > 1) {
        return Some((number.to_string(), String::new()));
    }
    let end = word.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ','))).unwrap_or(word.len());
    let (digits, unit) = word.split_at(end);
    let sound = digits.starts_with(|c: char| c.is_ascii_digit()) && digits.matches('.').count() <= 1;
    let unit_like = unit.len() <= 3 && unit.chars().all(|c| c.is_ascii_lowercase());
    (sound && unit_like).then(|| (digits.to_owned(), unit.to_owned()))
}
