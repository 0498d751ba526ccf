//! Words: what two texts share, regardless of inflection and emphasis.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use mentci_authority::Level;
use mentci_source::Hash;

/// Words that carry no subject: they match everything.
const STOP: &[&str] = &[
    "a", "about", "after", "all", "also", "always", "an", "and", "any", "are", "as", "at", "be", "been",
    "before", "but", "by", "can", "do", "does", "each", "ever", "every", "for", "from", "has", "have", "how",
    "if", "in", "instead", "into", "is", "it", "its", "just", "like", "make", "may", "more", "must", "need",
    "never", "no", "not", "of", "on", "one", "only", "or", "other", "over", "per", "should", "so", "some",
    "such", "sure", "than", "that", "the", "their", "them", "then", "there", "these", "they", "this",
    "those", "to", "too", "unless", "until", "up", "use", "used", "using", "very", "was", "were", "what",
    "when", "where", "which", "while", "who", "will", "with", "without", "would", "you", "your",
];

/// Words at the start of a norm that only say how strongly, and whether, it binds.
const MODAL: &[&str] = &[
    "always",
    "avoid",
    "can",
    "cannot",
    "do",
    "don't",
    "dont",
    "must",
    "never",
    "no",
    "not",
    "please",
    "prefer",
    "shall",
    "should",
    "shouldn't",
    "mustn't",
    "use",
    "using",
    "you",
    "to",
    "may",
    "might",
    "agents",
    "agent",
];

/// Of these, the words that negate.
const NEGATORS: &[&str] = &["avoid", "cannot", "don't", "dont", "never", "no", "not", "shouldn't", "mustn't"];

/// One word of a text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Word {
    /// Lower case, without its inflection.
    pub(crate) stem: String,
    /// Whether it can only be a name: `structural_edit`, `setup.bin`, `DaemonStatus`.
    pub(crate) is_name: bool,
}

/// Whether a word in lower case carries no subject, or only says how strongly a norm binds.
pub(crate) fn is_stop(word: &str) -> bool {
    STOP.contains(&word) || MODAL.contains(&word)
}

/// The words of `text` that carry a subject, in order.
pub(crate) fn content_words(text: &str) -> Vec<Word> {
    tokens(text).filter(|token| !STOP.contains(&lowered(token).as_ref())).map(word).collect()
}

/// The content words of `text`, each once, and whether it is a name.
pub(crate) fn bag(text: &str) -> BTreeMap<String, bool> {
    let mut bag = BTreeMap::new();
    for word in content_words(text) {
        let is_name = bag.entry(word.stem).or_insert(false);
        *is_name |= word.is_name;
    }
    bag
}

/// Names what a norm is about: see [`Tokens::subject`].
pub(crate) fn subject_key(text: &str, literals: &[String]) -> u64 {
    Tokens::of(text).subject(literals)
}

/// A text, split once for all that is asked of its words.
#[derive(Debug)]
pub(crate) struct Tokens<'a> {
    text: &'a str,
    list: Vec<Token<'a>>,
}

/// One token of a text.
#[derive(Debug)]
pub(crate) struct Token<'a> {
    at: usize,
    as_written: &'a str,
    /// In lower case.
    pub(crate) lower: Cow<'a, str>,
}

impl<'a> Tokens<'a> {
    pub(crate) fn of(text: &'a str) -> Self {
        // A word has five letters and a space.
        let mut list = Vec::with_capacity(text.len() / 6 + 1);
        list.extend(placed_tokens(text).map(|(at, token)| Token {
            at,
            as_written: token,
            lower: lowered(token),
        }));
        Self { text, list }
    }

    pub(crate) fn list(&self) -> &[Token<'a>] {
        &self.list
    }

    /// Names what a norm is about, regardless of polarity, strength, case, inflection and punctuation: `Never commit to main`
    /// and `Commit to main` have the same subject. Words keep their order; of `literals`, those that are no words (`-f`, `#[allow]`)
    /// or look like an article (`` `a` ``), count as they stand. An `A` that can only be a name counts, too: `the A record`.
    pub(crate) fn subject(&self, literals: &[String]) -> u64 {
        self.subject_without(0..0, literals)
    }

    /// The subject as if the tokens of a range did not stand there.
    pub(crate) fn subject_without(&self, left_out: Range<usize>, literals: &[String]) -> u64 {
        let (before, rest) = self.list.split_at(left_out.start);
        let all = before.iter().chain(&rest[left_out.len()..]);
        let behind = all.skip_while(|token| token.is_modal());
        let said = behind.filter(|token| !token.is_article() || token.is_letter_name(self.text));
        let stems: Vec<Cow<'_, str>> = said.map(Token::subject_word).collect();
        let mut signs: Vec<&str> =
            literals.iter().map(String::as_str).filter(|literal| is_sign(literal)).collect();
        signs.sort_unstable();
        signs.dedup();
        let parts = stems.iter().map(Cow::as_ref).chain(signs);
        first_bytes(Hash::of("mentci subject 1", parts.map(str::as_bytes)))
    }

    /// See [`polarity`].
    pub(crate) fn polarity(&self, level: Level) -> Polarity {
        polarity_of(self.list.iter().map(Token::plain), level)
    }
}

impl Token<'_> {
    fn is_modal(&self) -> bool {
        MODAL.contains(&self.plain().as_ref())
    }

    /// In lower case, with plain apostrophes.
    fn plain(&self) -> Cow<'_, str> {
        plain_apostrophes(&self.lower)
    }

    fn is_article(&self) -> bool {
        ["a", "an", "the"].contains(&self.lower.as_ref())
    }

    /// Whether this is an `A` that names something: `plan A`, `the A record`. The first word of a sentence is
    /// in capitals anyway, and so is every word of a text that shouts.
    fn is_letter_name(&self, text: &str) -> bool {
        let opens = || {
            let before = text[..self.at].trim_end();
            before.is_empty() || before.ends_with(['.', ':', ';', '!', '?'])
        };
        self.as_written == "A" && text.contains(char::is_lowercase) && !opens()
    }

    /// A word of a subject as it is compared: a name as it stands, any other without its inflection.
    fn subject_word(&self) -> Cow<'_, str> {
        if looks_like_a_name(self.as_written) { Cow::Borrowed(&self.lower) } else { base(&self.lower) }
    }
}

/// In lower case, and nothing new where it is.
pub(crate) fn lowered(token: &str) -> Cow<'_, str> {
    if token.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase()) {
        Cow::Borrowed(token)
    } else {
        Cow::Owned(token.to_lowercase())
    }
}

/// In lower case, with plain apostrophes.
fn plain(token: &str) -> Cow<'_, str> {
    match lowered(token) {
        Cow::Borrowed(lower) => plain_apostrophes(lower),
        Cow::Owned(lower) => plain_apostrophes(&lower).into_owned().into(),
    }
}

fn plain_apostrophes(word: &str) -> Cow<'_, str> {
    if word.contains('\u{2019}') { word.replace('\u{2019}', "'").into() } else { word.into() }
}

/// Whether a norm forbids, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Polarity {
    /// Whether it forbids in the end: `Never avoid tests` does not.
    pub(crate) forbids: bool,
    /// Names the opening words of a norm that negates twice, 0 for any other. Such norms say the same only where they
    /// open in the same words.
    twice: u32,
}

/// The polarity of a norm: that of its level, unless it opens by negating several times.
pub(crate) fn polarity(text: &str, level: Level) -> Polarity {
    polarity_of(tokens(text).map(plain), level)
}

/// The same of words in lower case.
fn polarity_of<'a>(words: impl Iterator<Item = Cow<'a, str>> + Clone, level: Level) -> Polarity {
    let opening = words.take_while(|word| MODAL.contains(&word.as_ref()));
    let negations = opening.clone().filter(|word| NEGATORS.contains(&word.as_ref())).count();
    if negations < 2 {
        return Polarity { forbids: level.is_prohibition(), twice: 0 };
    }
    let opening: Vec<Cow<'_, str>> = opening.collect();
    let opening = first_bytes(Hash::of("mentci opening 1", opening.iter().map(|word| word.as_bytes())));
    // OK because the remainder fits.
    let twice = u32::try_from(opening % u64::from(u32::MAX)).unwrap_or(0).max(1);
    Polarity { forbids: negations % 2 == 1, twice }
}

/// Whether a text opens with a word that negates: `Never …`, `You must not …`.
pub(crate) fn opens_negated(text: &str) -> bool {
    let mut opening = tokens(text).map(plain).take_while(|token| MODAL.contains(&token.as_ref()));
    opening.any(|token| NEGATORS.contains(&token.as_ref()))
}

/// Whether a literal says more than its words: an option, an attribute, a pattern, or a name that elsewhere is an article or a modal word.
fn is_sign(literal: &str) -> bool {
    let is_light = || {
        let lower = lowered(literal);
        ["a", "an", "the"].contains(&lower.as_ref()) || MODAL.contains(&lower.as_ref())
    };
    literal.starts_with('-')
        || literal.len() <= 9 && is_light()
        || literal.contains(|c: char| !(c.is_alphanumeric() || " _-./:'".contains(c)))
}

/// A word of one side as a number, the same on every machine.
pub(crate) fn hash64(side: &str, word: &str) -> u64 {
    first_bytes(Hash::of("mentci word 1", [side.as_bytes(), word.as_bytes()]))
}

fn first_bytes(hash: Hash) -> u64 {
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&hash.as_bytes()[..8]);
    u64::from_le_bytes(bytes)
}

/// Runs of characters that words and names are made of, without punctuation at their ends.
pub(crate) fn tokens(text: &str) -> impl Iterator<Item = &str> + Clone {
    placed_tokens(text).map(|(_, token)| token)
}

/// The tokens, and where each begins.
fn placed_tokens(text: &str) -> impl Iterator<Item = (usize, &str)> + Clone {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            rest = &rest[length(rest, false)..];
            if rest.is_empty() {
                return None;
            }
            let (run, behind) = rest.split_at(length(rest, true));
            rest = behind;
            let is_edge = |c: char| !c.is_alphanumeric() && c != '_';
            let run = run.trim_start_matches(is_edge);
            let at = text.len() - rest.len() - run.len();
            let run = run.trim_end_matches(is_edge);
            if !run.is_empty() {
                return Some((at, run));
            }
        }
    })
}

/// The bytes up to the first character that joins words, or joins none.
fn length(text: &str, joins: bool) -> usize {
    let mut at = 0;
    while let Some(&byte) = text.as_bytes().get(at) {
        let (is_joining, width) = match JOINS.get(usize::from(byte)) {
            Some(&is_joining) => (is_joining, 1),
            // A character's first byte: `at` is moved by whole characters.
            None => match text[at..].chars().next() {
                Some(c) => (c == '\u{2019}' || c.is_alphanumeric(), c.len_utf8()),
                None => break,
            },
        };
        if is_joining != joins {
            break;
        }
        at += width;
    }
    at
}

/// The characters of ASCII that words and names are made of.
const JOINS: [bool; 128] = {
    let mut joins = [false; 128];
    let mut byte: u8 = 0;
    while byte < 128 {
        joins[byte as usize] =
            byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'/' | b':' | b'\'');
        byte += 1;
    }
    joins
};

/// A token as it is compared.
pub(crate) fn stem_of(token: &str) -> String {
    word(token).stem
}

fn word(token: &str) -> Word {
    let is_name = looks_like_a_name(token);
    let lower = lowered(token);
    Word { stem: if is_name { lower.into_owned() } else { stem(&lower).into_owned() }, is_name }
}

/// `a_b`, `a/b`, `a::b`, `a.b`, `aB`, `v2x`: no plain word is written so.
pub(crate) fn looks_like_a_name(token: &str) -> bool {
    // As most words are.
    if token.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return false;
    }
    let inner = &token[token.char_indices().nth(1).map_or(token.len(), |(at, _)| at)..];
    let mixed = inner.chars().any(char::is_uppercase) && token.chars().any(char::is_lowercase);
    mixed
        || token.contains(['_', '/', ':', '.'])
        || (token.contains(|c: char| c.is_ascii_digit()) && token.contains(char::is_alphabetic))
}

/// Takes off the commonest English endings: `committing`, `commits`, `committed` and `commit` are one word.
fn stem(word: &str) -> Cow<'_, str> {
    let cut = |ending: &str| word.strip_suffix(ending).filter(|rest| rest.chars().count() >= 3);
    if let Some(rest) = cut("ies") {
        return format!("{rest}y").into();
    }
    if word.ends_with("ss") {
        return word.into();
    }
    let endings = ["ings", "ing", "ed", "es", "s"];
    let rest = endings.into_iter().find_map(cut).unwrap_or(word);
    let rest = rest.strip_suffix('e').filter(|rest| rest.len() >= 3).unwrap_or(rest);
    undouble(rest).into()
}

/// As [`stem`], for norms that are stated once for several: `scraping` is `scrape` and `scrapping` is `scrap`, because behind one short
/// vowel a single letter tells of an `e`.
fn base(word: &str) -> Cow<'_, str> {
    let cut = |ending: &str| word.strip_suffix(ending).filter(|rest| rest.chars().count() >= 3);
    if let Some(rest) = cut("ies") {
        return format!("{rest}y").into();
    }
    if word.ends_with("ss") {
        return word.into();
    }
    let long = ["ing", "ed", "es"].into_iter().find_map(cut);
    if let Some(rest) = long.filter(|rest| is_short(rest)) {
        return format!("{rest}e").into();
    }
    let rest = long.or_else(|| cut("s")).unwrap_or(word);
    let bare = rest.strip_suffix('e').filter(|bare| bare.len() >= 3 && !is_short(bare));
    undouble(bare.unwrap_or(rest)).into()
}

/// `scrap`, `plan`: one vowel, and one consonant behind it that an ending doubles.
fn is_short(word: &str) -> bool {
    let is_vowel = |c: char| "aeiouy".contains(c);
    let mut last = word.chars().rev();
    let closes = last.next().is_some_and(|c| c.is_ascii_lowercase() && !is_vowel(c) && !"wxsz".contains(c));
    closes && last.next().is_some_and(is_vowel) && word.chars().filter(|c| is_vowel(*c)).count() == 1
}

/// `committ` is `commit`.
fn undouble(word: &str) -> &str {
    let mut last = word.chars().rev();
    match (last.next(), last.next()) {
        (Some(a), Some(b)) if a == b && a.is_ascii_alphabetic() && !"aeiouls".contains(a) => {
            &word[..word.len() - a.len_utf8()]
        }
        _ => word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_that_are_spelled_nearly_alike_are_two() {
        let all = |words: &str| {
            words.split(' ').map(|word| base(word).into_owned()).collect::<std::collections::BTreeSet<_>>()
        };
        for (one, other) in [
            ("scrap scraps scrapped scrapping", "scrape scrapes scraped scraping"),
            ("plan plans planned planning", "plane planes planed planing"),
            ("fill fills filled filling", "file files filed filing"),
            ("tap taps tapped tapping", "tape tapes taped taping"),
            ("merge merges merged merging", "cache caches cached caching"),
            ("commit commits committed committing", "delete deletes deleted deleting"),
            ("box boxes boxed boxing", "test tests tested testing"),
        ] {
            let (one, other) = (all(one), all(other));
            assert!(one.len() == 1 && other.len() == 1 && one != other, "{one:?} {other:?}");
        }
        // Norms of one subject are stated once for both.
        let key = |deed: &str| subject_key(&format!("Ask the owner before {deed} the data"), &[]);
        assert_ne!(key("scraping"), key("scrapping"));
    }

    #[test]
    fn a_subject_has_no_polarity() {
        for (a, b) in [
            ("Never commit to `main`", "Commit to main."),
            ("Avoid committing to main", "You must commit to the main"),
            ("Do not use mocks", "Use mocks"),
            ("Avoid using mocks", "Mocks"),
        ] {
            assert_eq!(subject_key(a, &[]), subject_key(b, &[]), "{a} / {b}");
        }
        for (a, b) in [
            ("Use tabs not spaces", "Use spaces not tabs"),
            ("Fail if not found", "Fail if found"),
            ("Commit to main", "Commit to develop"),
        ] {
            assert_ne!(subject_key(a, &[]), subject_key(b, &[]), "{a} / {b}");
        }
    }

    #[test]
    fn a_name_that_looks_like_an_article_is_a_name() {
        let key = |name: &str| subject_key(&format!("Never rename `{name}`"), &[name.to_owned()]);
        let names = ["a", "an", "the", "use", "w"].map(key);
        let all = names.iter().collect::<std::collections::BTreeSet<_>>();
        assert_eq!(all.len(), names.len());
        assert!(!names.contains(&subject_key("Never rename", &[])));
    }

    #[test]
    fn a_letter_that_names_something_is_no_article() {
        for (named, plain) in [
            ("Roll back to image A", "Roll back to an image"),
            ("Keep the key of tenant A.", "Keep the key of the tenant."),
            ("Publish the A record before the launch", "Publish a record before the launch"),
            ("If lane A is full, stop", "If a lane is full, stop"),
        ] {
            assert_ne!(subject_key(named, &[]), subject_key(plain, &[]), "{named} / {plain}");
        }
        for (one, other) in [
            ("A backup must exist", "The backup must exist"),
            ("On release: A tag must exist", "On release: a tag must exist"),
            ("NEVER PUSH A TAG", "Never push a tag"),
        ] {
            assert_eq!(subject_key(one, &[]), subject_key(other, &[]), "{one} / {other}");
        }
    }

    #[test]
    fn a_negation_of_a_negation_forbids_nothing() {
        for (text, forbids) in [
            ("Never log secrets", true),
            ("Never avoid logging secrets", false),
            ("Do not test on prod", true),
            ("Don't not test", false),
            ("Never, ever, do not avoid tests", true),
        ] {
            assert_eq!(polarity(text, Level::MustNot).forbids, forbids, "{text}");
        }
        let same = |a: &str, b: &str| polarity(a, Level::MustNot) == polarity(b, Level::MustNot);
        assert!(same("Never log secrets", "Do not log secrets"));
        assert!(same("Never avoid tests", "never avoid the tests"));
        assert!(!same("Never avoid tests", "Don't not test"));
    }

    #[test]
    fn names_are_told_from_words() {
        let names: Vec<_> =
            content_words("Use structural_edit on `setup.bin` and DaemonStatus. Then re-run the Tests v2")
                .into_iter()
                .filter(|word| word.is_name)
                .map(|word| word.stem)
                .collect();
        assert_eq!(names, ["structural_edit", "setup.bin", "daemonstatus", "v2"]);
    }
}
