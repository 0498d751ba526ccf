//! Lead-ins that say in so many words how what stands under them binds: `You are not authorized to:`, `Typical failures:`.

use mentci_authority::Level;

use super::lead::Lead;
use super::stance::Stance;

/// `Commit messages must:`: what stands under it is said of these, and not of who reads.
pub(crate) fn binds_things(names: &[&str]) -> bool {
    const READERS: &[&str] = &[
        "you", "we", "i", "agents", "agent", "it", "they", "he", "she", "claude", "everyone", "always",
        "who", "what",
    ];
    const LONGEST: usize = 5;
    let Some((last, subject)) = names.split_last() else { return false };
    matches!(*last, "must" | "shall")
        && (1..=LONGEST).contains(&subject.len())
        && !subject.iter().any(|word| READERS.contains(word))
}

/// `You are not authorized to:`, `It is not your job to:`, `We no longer:`, `Things you can do:`: what a lead-in takes away or gives in
/// so many words.
pub(crate) fn leave(names: &[&str]) -> Option<Lead> {
    const GIVEN: &[&str] = &["authorized", "authorised", "trusted", "permitted", "entitled", "allowed"];
    const LEAVE: &[&str] = &["permission", "authority", "permissions", "rights", "mandate", "clearance"];
    const ENDS: &[&str] = &["closed", "rejected", "reverted", "declined", "refused"];
    let stance = match names {
        [.., "not" | "isn't" | "aren't" | "never", given, "to"] if GIVEN.contains(given) => Stance::Forbid,
        [.., "no" | "not" | "lack" | "lacks", leave, "to"] if LEAVE.contains(leave) => Stance::Forbid,
        [.., "ask" | "asks" | "tell" | "want", "you", "not", "to"]
        | [.., "not" | "isn't" | "never", "your" | "our" | "my", "job" | "place" | "role" | "call", "to"]
        | ["we" | "you" | "agents", "no", "longer"] => Stance::Forbid,
        ["what", "will" | "gets" | "would", .., end] if ENDS.contains(end) => Stance::Forbid,
        [.., "bad" | "terrible" | "poor" | "horrible", "idea", "to"] => Stance::Discourage,
        [.., "is" | "are" | "you're", given, "to"] if GIVEN.contains(given) => Stance::Permit,
        [.., "has" | "have", leave, "to"] if LEAVE.contains(leave) => Stance::Permit,
        ["allow" | "allows" | "allowlist" | "permit"] => Stance::Permit,
        ["what" | "things" | "anything", "you" | "agents", "can" | "may", "do", rest @ ..]
        | ["things", "that", "you" | "agents", "can" | "may", "do", rest @ ..]
            if rest.len() <= 3 =>
        {
            Stance::Permit
        }
        _ => return None,
    };
    // What stands in front of the items is half of their sentence.
    let denies = stance == Stance::Forbid && names.contains(&"not") && names.last() == Some(&"to");
    Some(if denies { Lead::Stem(Level::MustNot) } else { Lead::Stance(stance, None) })
}

/// `The following is wrong:`, `Typical failures:`, `How crews fail:`, `It is a mistake to:`, `At no time:`: what stands under it is bad;
/// `People often:` tells what others do.
pub(crate) fn blames(names: &[&str]) -> Option<Lead> {
    const BAD: &[&str] = &["wrong", "mistakes", "errors", "bad", "incorrect", "bugs"];
    const FAULTS: &[&str] = &["failures", "mistakes", "errors", "faults", "offences"];
    const THEY: &[&str] =
        &["people", "agents", "users", "developers", "teams", "others", "beginners", "models", "they"];
    const OFTEN: &[&str] = &["often", "sometimes", "usually", "commonly", "frequently", "tend"];
    match names {
        ["the", "following", "is" | "are", bad] | ["these" | "those", "are", bad] | ["this", "is", bad]
            if BAD.contains(bad) =>
        {
            Some(Lead::Stance(Stance::Forbid, None))
        }
        ["typical" | "frequent" | "classic", faults] if FAULTS.contains(faults) => {
            Some(Lead::Stance(Stance::Forbid, None))
        }
        ["things", they, "get", "wrong"] | ["how", they, "fail"] if THEY.contains(they) => {
            Some(Lead::Stance(Stance::Forbid, None))
        }
        ["a", "bad", _, "will" | "does"]
        | ["what", "bad", .., "look" | "looks", "like"]
        | ["you" | "you're", .., "wrong", "if", "you"]
        | ["you", "are", "about", "to", "violate", ..]
        | ["common", "reasons", "for", "failure"]
        | ["do", "the", "opposite", "of", "these" | "this"]
        | [
            "at" | "in" | "on" | "under" | "by",
            "no",
            "time" | "case" | "account" | "circumstances" | "means" | "way",
        ]
        | ["no"] => Some(Lead::Stance(Stance::Forbid, None)),
        ["what", "happens", "if" | "when", ..]
        | ["a", "bad", _]
        | ["a", "bad", _, _]
        | ["if", .., "you", "will" | "would"]
        | [.., "from", "having", "to"]
        | ["the", "attacker's" | "attackers", ..]
        | ["here", "is", "what", "went", "wrong", ..]
        | ["what", "went", "wrong", ..] => Some(Lead::Told),
        // `Lazy crews tend to`, `Sailors that fail usually`
        [first, .., "tend", "to"] | [first, .., "often" | "usually" | "sometimes" | "typically"]
            if names.len() <= 6 && !matches!(*first, "you" | "we" | "i" | "always" | "how" | "most") =>
        {
            Some(Lead::Told)
        }
        ["it" | "it's", .., "a", "bug" | "mistake" | "error" | "fault", "to"] => {
            Some(Lead::Stem(Level::MustNot))
        }
        [they, often] | [they, often, "to"] if THEY.contains(they) && OFTEN.contains(often) => {
            Some(Lead::Told)
        }
        ["the", "user" | "guest" | "customer", "may" | "might" | "will", "ask" | "say", ..] => {
            Some(Lead::Told)
        }
        ["the" | "this", "script" | "tool" | "command" | "hook", "does" | "performs", ..] => Some(Lead::Told),
        _ => None,
    }
}
