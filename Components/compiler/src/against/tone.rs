//! Words that say how a lesson stands to what it speaks of.

/// Behind these stands what is not to be done.
pub(super) const LEAVING: &[&str] = &["instead of", "rather than", "without", "not", "never"];

pub(super) const PRONOUN: &[&str] = &["it", "its", "them", "this", "that", "these", "those"];

/// Verbs, as stems, that take something away.
pub(super) const TAKING: &[&str] = &[
    "skip",
    "omit",
    "bypas",
    "bypass",
    "disabl",
    "forgo",
    "ignor",
    "waiv",
    "exclud",
    "exempt",
    "suppres",
    "suppress",
    "silenc",
    "mut",
    "lower",
    "reduc",
    "relax",
    "weaken",
    "loosen",
    "postpon",
    "defer",
    "delay",
    "drop",
    "forget",
    "neglect",
    "deselect",
    "deactivat",
    "unset",
    "quarantin",
    "circumvent",
    "evad",
    "xfail",
    "stub",
    "delet",
    "remov",
    "optional",
    "unnecessary",
    "unneed",
    "pointles",
    "pointless",
];

/// `lines may be longer`, `blocking is fine`.
pub(super) const FREEING: &[&str] =
    &["may", "fine", "ok", "okay", "allowed", "permitted", "acceptable", "exempt", "optional", "suffices"];

/// `leave … out`, `turn … off`.
pub(super) const PAIRED: &[(&str, &str)] = &[
    ("leav", "out"),
    ("leav", "away"),
    ("leav", "off"),
    ("turn", "off"),
    ("switch", "off"),
    ("comment", "out"),
    ("opt", "out"),
    ("tak", "out"),
    ("put", "off"),
    ("do", "later"),
    ("leav", "open"),
    ("leav", "unsigned"),
];
/// `use it`, `do that anyway`, `it is fine`.
pub(super) const ANAPHORA: &[&str] = &[
    "anyway",
    "fine",
    "ok",
    "okay",
    "allow",
    "regardles",
    "regardless",
    "directly",
    "still",
    "now",
    "here",
    "again",
    "safe",
    "go",
    "ahead",
    "simply",
];

/// `deploy anyway`.
pub(super) const PRESSING: &[&str] =
    &["anyway", "anyhow", "directly", "immediately", "regardless", "straight", "yourself", "nevertheless"];

/// `tests are optional`.
pub(super) const BELITTLING: &[&str] = &[
    "optional",
    "unnecessary",
    "unneeded",
    "pointless",
    "skip",
    "skipped",
    "skipping",
    "bypass",
    "omit",
    "disable",
    "forgo",
    "ignore",
    "void",
    "waive",
    "waived",
];

/// `remove sudo from the script`, `replace it with doas`.
pub(super) const REMOVING: &[&str] =
    &["remov", "replac", "drop", "delet", "revert", "undo", "strip", "refus", "reject", "stop", "swap"];

/// `merging is fine`.
pub(super) const PERMITTING: &[&str] = &[
    "fine",
    "ok",
    "okay",
    "allowed",
    "permitted",
    "acceptable",
    "tolerable",
    "enough",
    "suffices",
    "suffice",
    "sufficient",
    "optional",
    "harmless",
    "safe",
    "justified",
    "legitimate",
    "exempt",
    "trust",
    "assume",
];

/// `the step is optional` as a condition.
pub(super) const EXEMPTING: &[&str] =
    &["optional", "unnecessary", "unneeded", "allowed", "permitted", "exempt", "pointless", "void", "waived"];

/// `upgrade first, back up afterwards`.
pub(super) const POSTPONING: &[&str] =
    &["later", "afterwards", "afterward", "eventually", "first", "after", "soon", "tomorrow"];
