//! What was done: one word in the address of the page that is shown next, one sentence on it.

/// What a person did, and what a page says of it. The address holds a word of this list and nothing else, so that no link can
/// put words into the page's mouth.
const DONE: &[(&str, &str)] = &[
    ("on", "Switched on. It is in force from the next event on."),
    ("off", "Switched off. It is out of force from the next event on."),
    ("set", "Set. It holds from the next event on."),
    ("reset", "Taken back: the value that its author gave holds again."),
    ("accepted", "Accepted. The lesson is part of the rules now."),
    ("rejected", "Rejected. The lesson stays out, also when it is told again."),
    ("allowed", "Allowed once. The call may run when the agent makes it again."),
    ("denied", "Denied. The agent reads why."),
    ("stopped", "Stopped. Every call is blocked until you let calls run again."),
    ("resumed", "Calls run again."),
];

/// The sentence of a word; none of any other word.
pub(crate) fn sentence(word: &str) -> Option<&'static str> {
    DONE.iter().find(|(own, _)| *own == word).map(|(_, sentence)| *sentence)
}
