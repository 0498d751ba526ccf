//! What to do about a finding of which nothing more special is known.

use crate::Code;

/// By code, for what is written by hand in any of the dialects of rules: so these say nothing of one syntax.
const ADVICE: &[(Code, &str)] = &[
    (Code::GUARD_SYNTAX, "write it as in `turn_index > 5 and arg(\"path\") == \"/etc\"`"),
    (Code::GUARD_NAME, "`Library/grammar.md` lists the variables, such as `turn_index`"),
    (Code::GUARD_CALL, "`Library/grammar.md` lists the functions, such as `len(result)`"),
    (Code::GUARD_PATTERN, "mend the pattern; `Library/grammar.md` says what each function takes"),
    (Code::GUARD_TYPE, "compare it with a value of its own kind, as in `turn_index > 5`"),
    (Code::GUARD_SIZE, "take it apart into several rules"),
    (Code::RULE_SYNTAX, "check the quotes, the brackets and the indentation before this place"),
    (Code::RULE_KEY, "`Library/specs/dialects.md` lists the keys"),
    (Code::RULE_VALUE, "`Library/specs/dialects.md` says what each key takes"),
    (Code::RULE_ID, "an id has 1 to 200 characters that all show, such as `no-force-push`"),
    (Code::RULE_PATTERN, "put a `\\` before a sign that stands for itself, as in `\\(`"),
    (Code::UNSAYABLE, "say that part another way, or write the rule in a dialect that has words for it"),
    (Code::SCRIPT_UNREADABLE, "mend the script there; `Library/specs/scripts.md` says what a script can do"),
    (
        Code::TEMPLATE_UNREADABLE,
        "close each part of it, as in `{{ event.tool.name }}` and `{% if … %}…{% endif %}`",
    ),
];

impl Code {
    /// What to do about a finding of this code whose place knows nothing better to say.
    ///
    /// ```
    /// use mentci_source::Code;
    /// assert_eq!(Code::GUARD_SIZE.advice(), Some("take it apart into several rules"));
    /// assert_eq!(Code::NOT_UTF8.advice(), None);
    /// ```
    pub fn advice(self) -> Option<&'static str> {
        ADVICE.iter().find(|(code, _)| *code == self).map(|(_, advice)| *advice)
    }
}
