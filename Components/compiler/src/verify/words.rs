//! The words that the meaning of a norm turns on, by what they decide.

use super::RefusalReason as Reason;

const LISTS: &[(Reason, &[&str])] = &[
    (
        Reason::Polarity,
        &[
            "not",
            "never",
            "no",
            "none",
            "nor",
            "neither",
            "nobody",
            "nothing",
            "nowhere",
            "cannot",
            "not!",
            "avoid",
            "avoids",
            "forbid",
            "forbidden",
            "prohibited",
            "disallow",
            "disallowed",
            "refuse",
            "hardly",
            "seldom",
            "rarely",
            "barely",
            "refrain",
        ],
    ),
    (
        Reason::Level,
        &[
            "must",
            "should",
            "may",
            "can",
            "shall",
            "might",
            "could",
            "would",
            "will",
            "ought",
            "required",
            "require",
            "requires",
            "allowed",
            "allow",
            "allows",
            "permitted",
            "optional",
            "optionally",
            "recommended",
            "prefer",
            "preferred",
            "consider",
            "mandatory",
            "need",
            "needs",
            "encouraged",
            "discouraged",
            "ideally",
            "preferably",
            "ensure",
        ],
    ),
    (
        Reason::Exception,
        &["unless", "except", "excepting", "excluding", "without", "but", "besides", "otherwise"],
    ),
    (
        Reason::Condition,
        &[
            "if", "when", "while", "once", "where", "wherever", "provided", "assuming", "during", "whether",
            "given", "case",
        ],
    ),
    (
        Reason::Order,
        &[
            "before",
            "after",
            "until",
            "till",
            "since",
            "first",
            "then",
            "last",
            "finally",
            "next",
            "already",
            "later",
            "afterwards",
            "immediately",
            "again",
            "still",
            "yet",
            "ago",
            "previous",
            "following",
            "earlier",
        ],
    ),
    (
        Reason::Quantifier,
        &[
            "all",
            "some",
            "any",
            "each",
            "every",
            "only",
            "most",
            "few",
            "fewer",
            "many",
            "much",
            "more",
            "less",
            "least",
            "both",
            "either",
            "always",
            "sometimes",
            "usually",
            "often",
            "twice",
            "one",
            "several",
            "just",
            "alone",
            "generally",
            "typically",
            "mostly",
            "solely",
            "exactly",
            "entire",
            "whole",
            "single",
            "half",
            "least",
            "almost",
            "nearly",
            "even",
            "also",
            "too",
            "same",
            "other",
            "another",
            "own",
        ],
    ),
    (
        Reason::Connective,
        &[
            "and",
            "or",
            "and/or",
            "instead",
            "instead of",
            "over",
            "than",
            "versus",
            "vs",
            "to",
            "from",
            "into",
            "onto",
            "by",
            "with",
            "for",
            "per",
        ],
    ),
];

/// What a word decides; none when it is a word like others.
pub(super) fn decides(word: &str) -> Option<Reason> {
    LISTS.iter().find(|(_, words)| words.contains(&word)).map(|(reason, _)| *reason)
}

/// They open a noun, and their loss changes nothing.
pub(super) const ARTICLES: &[&str] = &["a", "an", "the"];

/// No noun begins with these: what stands in front of one and looks like an article is a name, as in `set pin a to low`.
pub(super) const NO_NOUNS: &[&str] = &[
    "and", "or", "to", "from", "into", "by", "with", "for", "than", "but", "if", "when", "while", "unless",
    "until", "before", "after", "in", "on", "at", "of", "as", "is", "are", "was", "were", "has",
];

/// Words that open a condition at the start of a line.
pub(super) const OPENERS: &[&str] = &[
    "if", "when", "while", "once", "before", "after", "unless", "until", "for", "per", "in", "on", "during",
    "with", "without",
];

/// What opens a clause of its own, which tells a fact: whoever `is allowed to` in it is described, and no level is given.
pub(super) const CLAUSES: &[&str] = &[
    "that", "which", "who", "whose", "if", "when", "whenever", "where", "wherever", "unless", "until",
    "while", "because", "since", "whether", "as", "what", "how", "why", "before", "after", "once",
];

/// No thing begins with these: behind a verb they make another one of it.
pub(super) const PARTICLES: &[&str] = &[
    "in", "on", "at", "up", "off", "out", "over", "down", "away", "back", "as", "of", "about", "under", "so",
];
