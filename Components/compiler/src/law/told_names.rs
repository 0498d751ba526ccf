//! Names that say of what stands under them that it only tells, or is left free: `Ideas`, `Removed rules`, `Auto-approved`, `Last resort`.

use super::stance::Stance;

/// What a name of few words says of all that stands under it; nothing for any other name.
pub(super) fn stance_of_told(words: &[&str]) -> Option<Stance> {
    match words {
        // What befell, threatens or is wished for.
        ["ideas" | "backlog" | "wishlist" | "threats" | "attacks"]
        | ["technical" | "tech", "debt"]
        | ["attack" | "threat", "scenarios" | "vectors" | "model"]
        | ["bugs", "we", "had"]
        | ["feature", "requests" | "ideas"]
        | ["what", "went", "wrong"]
        | ["what", "users" | "customers", "ask" | "want", ..]
        | ["sample" | "example", "tasks" | "prompts" | "requests" | "questions"] => Some(Stance::Example),
        // What held once, or never did.
        ["user", "stories"]
        | ["previously"]
        | ["removed" | "old" | "former" | "retired" | "obsolete", "rules" | "guidelines" | "conventions"]
        | ["rejected", "ideas" | "proposals" | "options"] => Some(Stance::Excuses),
        ["acceptable", "behavior" | "behaviour"]
        | ["auto-approved" | "pre-approved" | "tolerated" | "sometimes"]
        | ["safe", "to", "do"]
        | ["safe", "commands" | "operations" | "actions"]
        | ["things" | "what", "you", "can", "skip"] => Some(Stance::Permit),
        ["use", "sparingly" | "rarely"] | ["rarely"] | ["last", "resort"] | ["as", "a", "last", "resort"] => {
            Some(Stance::Discourage)
        }
        ["prefer"] => Some(Stance::Advise),
        _ => None,
    }
}
