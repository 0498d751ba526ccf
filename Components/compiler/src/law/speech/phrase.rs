//! Phrases that say by themselves how what they stand at binds: `not allowed`, `off-limits`, `strongly recommended`. Labels, cells of tables
//! and the ends of sentences all say them; what only one of these says stands there.

use mentci_authority::Level;

const PHRASES: &[(Level, &[&str])] = &[
    (Level::Must, &["must", "always", "shall", "required", "mandatory"]),
    (
        Level::MustNot,
        &[
            "must not",
            "must never",
            "shall not",
            "never",
            "never ever",
            "never ok",
            "never okay",
            "never allowed",
            "never permitted",
            "never acceptable",
            "do not",
            "don't",
            "not allowed",
            "not permitted",
            "not acceptable",
            "not ok",
            "not okay",
            "no longer allowed",
            "forbidden",
            "strictly forbidden",
            "prohibited",
            "strictly prohibited",
            "banned",
            "disallowed",
            "off-limits",
            "off limits",
            "no-go",
        ],
    ),
    (Level::Should, &["should", "recommended", "strongly recommended", "preferred", "encouraged", "advised"]),
    (
        Level::ShouldNot,
        &[
            "should not",
            "avoid",
            "discouraged",
            "not recommended",
            "not advised",
            "not encouraged",
            "deprecated",
        ],
    ),
    (
        Level::May,
        &[
            "may",
            "optional",
            "allowed",
            "always allowed",
            "permitted",
            "fine",
            "ok",
            "okay",
            "not required",
            "no longer required",
            "not needed",
            "not necessary",
            "not mandatory",
            "at your discretion",
        ],
    ),
];

/// The level that a phrase in lower case is the name of.
pub(crate) fn level_of(phrase: &str) -> Option<Level> {
    PHRASES.iter().find(|(_, phrases)| phrases.contains(&phrase)).map(|(level, _)| *level)
}
