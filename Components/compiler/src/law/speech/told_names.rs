//! Names that say of what stands under them that it only tells, or is left free: `Ideas`, `Removed rules`, `Auto-approved`, `Last resort`.

use super::stance::Stance;

/// What a name of few words says of all that stands under it; nothing for any other name.
pub(crate) fn stance_of_told(words: &[&str]) -> Option<Stance> {
    match words {
        // What befell, threatens or is wished for.
        ["ideas" | "backlog" | "wishlist" | "threats" | "attacks" | "symptoms" | "assumptions"]
        | ["technical" | "tech", "debt"]
        | ["attack" | "threat", "scenarios" | "vectors" | "model"]
        | ["bugs", "we", "had"]
        | ["feature", "requests" | "ideas"]
        | ["what", "went", "wrong"]
        | ["what", "to", "expect"]
        | ["results", "what", "to", "expect"]
        | ["benchmark", "results"]
        | ["what", "users" | "customers", "ask" | "want", ..]
        | ["sample" | "example", "tasks" | "requests" | "questions"]
        | ["activation" | "trigger" | "invocation" | "search", "keywords" | "phrases" | "words" | "terms"] => {
            Some(Stance::Example)
        }
        // What held once, or never did, what others say, and what the words mean.
        ["user", "stories"]
        | ["sample" | "example", "prompts"]
        | ["legend" | "keywords" | "personas" | "previously"]
        | ["key", "words"]
        | ["removed" | "old" | "former" | "retired" | "obsolete", "rules" | "guidelines" | "conventions"]
        | ["rejected", "ideas" | "proposals" | "options"] => Some(Stance::Excuses),
        ["acceptable", "behavior" | "behaviour"]
        | ["approved" | "welcome" | "auto-approved" | "pre-approved" | "tolerated" | "sometimes"]
        | [
            "safe" | "ok" | "okay" | "fine",
            "to",
            "do" | "skip" | "omit" | "ignore" | "edit" | "run" | "delete" | "change",
        ]
        | ["safe", "commands" | "operations" | "actions"]
        | ["things" | "what", "you", "can", "skip"] => Some(Stance::Permit),
        ["frowned", "upon" | "on"]
        | ["unwelcome" | "undesirable" | "undesired" | "unwanted" | "rarely"]
        | ["use", "sparingly" | "rarely"]
        | ["last", "resort"]
        | ["as", "a", "last", "resort"] => Some(Stance::Discourage),
        ["prefer"] => Some(Stance::Advise),
        _ => None,
    }
}

/// `The following rules are deprecated`, `These rules do not apply to drills`: a lead-in to what is not in force, or not there.
pub(crate) fn out_of_force(words: &[&str]) -> bool {
    const RULES: &[&str] = &["rules", "guidelines", "conventions", "requirements", "restrictions", "checks"];
    let Some(at) = words.iter().position(|word| RULES.contains(word)).filter(|at| *at <= 3) else {
        return false;
    };
    let told = matches!(words[0], "the" | "these" | "following" | "all" | "some") || at == 0;
    told && match words[at + 1..] {
        ["are" | "were" | "have", .., last] => matches!(
            last,
            "deprecated"
                | "obsolete"
                | "outdated"
                | "retired"
                | "removed"
                | "repealed"
                | "withdrawn"
                | "gone"
        ),
        ["do", "not", "apply", ..]
        | ["don't", "apply", ..]
        | ["no", "longer", "apply" | "hold", ..]
        | ["can" | "may", "be", "broken" | "relaxed" | "ignored" | "waived" | "skipped" | "bent", ..] => true,
        _ => false,
    }
}
