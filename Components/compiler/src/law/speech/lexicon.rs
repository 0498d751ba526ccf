//! The words that reading turns on. Lists, not cleverness: a word that is missing is added to its list in `lexicon/`.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

/// A set of word lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Lists(u32);

impl Lists {
    /// Whether the two share a list.
    pub(crate) fn meet(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

macro_rules! lists {
    ($($(#[doc = $doc:literal])+ $name:ident $file:literal $bit:literal)*) => {
        $($(#[doc = $doc])+
        pub(crate) const $name: Lists = Lists(1 << $bit);)*

        /// Each word with the lists that hold it.
        static TABLE: LazyLock<FxHashMap<&'static str, Lists>> = LazyLock::new(|| {
            let mut table: FxHashMap<&'static str, Lists> = FxHashMap::default();
            $(for word in include_str!(concat!("lexicon/", $file, ".txt")).split_whitespace() {
                table.entry(word).or_default().0 |= $name.0;
            })*
            table
        });
    };
}

lists! {
    /// Verbs that open an order when they stand first.
    VERBS "verbs" 0
    /// Of these, the words that are as often nouns or adjectives: they order only when what follows reads like an object.
    NOUNISH "nounish" 1
    /// Words after a nounish word that make it an order: what follows is an object or an adverbial.
    OBJECT_STARTS "object_starts" 2
    /// Finite verbs: a clause that holds one after its subject tells, it does not order.
    FINITE "finite" 3
    /// Verbs in the third person that are as often plural nouns: finite only in front of an object.
    FINITE_OR_PLURAL "finite_or_plural" 4
    /// Subjects that tell: a clause that opens with one of them orders nothing by itself.
    SUBJECTS "subjects" 5
    /// Words that open a condition.
    CONDITIONS "conditions" 6
    /// Words that open a sentence without changing what it orders.
    CONNECTIVES "connectives" 7
    /// Words whose loss changes nothing.
    FILLERS "fillers" 8
    /// Determiners: a word that is no known verb and stands first in front of one is a verb all the same.
    DETERMINERS "determiners" 9
    /// What people make and do by rule: `commits`, `functions`, `releases`.
    MADE "made" 10
    /// What somebody else gives who agrees: `approval`, `reviews`.
    LEAVE "leave" 11
    /// Words without which, and without those of the two lists above, no clause is a quiet rule.
    LIMITS "limits" 12
    /// How letters are written: `kebab-case`.
    LETTER_CASES "letter_cases" 13
    /// Steps and acts of a procedure.
    ACTS "acts" 14
    /// Who takes part in a procedure.
    ROLES "roles" 15
    /// Verbs of what happens to somebody, or of what he does wrong: a story.
    SUFFERED "suffered" 16
    /// Verbs of what `you` undergo.
    UNDERGONE "undergone" 17
    /// What is never done to a thing by rule, in the participle.
    WITHHELD "withheld" 18
}

/// The words of quiet rules.
pub(crate) const QUIET: Lists = Lists(MADE.0 | LEAVE.0 | LIMITS.0);

/// A word in lower case as it stands in the lists, and those that hold it.
pub(crate) fn listed(lower: &str) -> Option<(&'static str, Lists)> {
    TABLE.get_key_value(lower).map(|(word, lists)| (*word, *lists))
}

/// The lists that hold a word in lower case.
pub(crate) fn lists_of(lower: &str) -> Lists {
    TABLE.get(lower).copied().unwrap_or_default()
}

/// Whether a word is a role, one or several: `reviewer`, `owners`.
pub(crate) fn is_role(lower: &str) -> bool {
    let of_several = || lower.strip_suffix('s').is_some_and(|one| lists_of(one).meet(ROLES));
    lists_of(lower).meet(ROLES) || of_several()
}

/// Whether this is the base form of a known verb, or of one with `re-` before it.
pub(crate) fn is_verb(lower: &str) -> bool {
    let again =
        || lower.strip_prefix("re-").or_else(|| lower.strip_prefix("re")).filter(|base| base.len() > 3);
    let verb = |base: &str| lists_of(base).meet(VERBS);
    // `minimise`
    let american = || lower.strip_suffix("ise").map(|stem| format!("{stem}ize"));
    verb(lower)
        || lower.len() > 6 && american().is_some_and(|base| verb(&base))
        || again().is_some_and(verb)
        || prefixed(lower).is_some_and(verb)
}

/// The word behind a prefix with a hyphen: `pre-install`, `double-check`.
fn prefixed(lower: &str) -> Option<&str> {
    const PREFIXES: &[&str] = &[
        "auto", "back", "batch", "bulk", "co", "cross", "de", "double", "down", "dry", "force", "hand",
        "hard", "hot", "lazy", "mass", "mis", "out", "over", "pre", "quick", "self", "soft", "spell", "sub",
        "triple", "type", "un", "under", "up",
    ];
    let (prefix, base) = lower.split_once('-')?;
    PREFIXES.contains(&prefix).then_some(base)
}

/// Whether this is a known finite verb and nothing else.
pub(crate) fn is_finite(lower: &str) -> bool {
    lists_of(lower).meet(FINITE)
}

/// Whether a verb is as often a noun.
pub(crate) fn is_nounish(lower: &str) -> bool {
    // `down-rank`
    let acts = || lower.starts_with("down-") || lower.starts_with("up-");
    lists_of(lower).meet(NOUNISH)
        || prefixed(lower).is_some_and(|base| lists_of(base).meet(NOUNISH)) && !acts()
}

/// Whether a text opens with a word of a condition: `In tests`, `When offline`.
pub(crate) fn opens_condition(text: &str) -> bool {
    let first = text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_lowercase();
    let turns = ["only", "even", "rather", "instead", "like", "of", "using"].contains(&first.as_str());
    lists_of(&first).meet(CONDITIONS) && !turns
}
