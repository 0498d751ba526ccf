//! What a clause does: order, ask, tell, or merely name.

use mentci_authority::{Force, Level};

use super::lexicon::{
    CONDITIONS, CONNECTIVES, DETERMINERS, FINITE, FINITE_OR_PLURAL, OBJECT_STARTS, SUBJECTS, is_nounish,
    is_verb,
};
use super::word::{Word, WordKind};

/// The mood of a clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mood {
    /// It orders, forbids, advises or permits.
    Order(Level, Force),
    /// It asks.
    Question,
    /// It tells: it has a finite verb and no force.
    Statement,
    /// It names: no finite verb.
    Fragment,
}

/// The mood of a clause, and its leading condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ClauseMood {
    /// What it does.
    pub mood: Mood,
    /// The word after its leading condition; 0 when it has none.
    pub main: usize,
}

const MUST: Mood = Mood::Order(Level::Must, Force::Explicit);
const MUST_NOT: Mood = Mood::Order(Level::MustNot, Force::Explicit);
const SHOULD: Mood = Mood::Order(Level::Should, Force::Explicit);
const SHOULD_NOT: Mood = Mood::Order(Level::ShouldNot, Force::Explicit);
const MAY: Mood = Mood::Order(Level::May, Force::Explicit);
const IMPERATIVE: Mood = Mood::Order(Level::Must, Force::Implied);
const ADVICE: Mood = Mood::Order(Level::Should, Force::Implied);

/// Nouns that look like verbs where only one word follows: `test failures`, `build errors`.
const COMPOUND_HEADS: &[&str] = &[
    "test",
    "build",
    "type",
    "process",
    "state",
    "base",
    "default",
    "order",
    "group",
    "structure",
    "style",
    "version",
    "value",
    "work",
    "output",
    "design",
    "model",
    "number",
    "point",
    "position",
    "key",
    "issue",
    "format",
    "name",
    "document",
    "list",
    "log",
    "query",
    "release",
    "import",
    "export",
    "research",
    "support",
    "surface",
    "target",
    "record",
    "reference",
    "plan",
    "map",
    "index",
    "filter",
    "focus",
    "file",
    "label",
    "link",
    "access",
    "email",
    "error",
    "set",
    "balance",
    "time",
    "lead",
    "account",
    "stream",
    "stage",
    "frame",
    "view",
    "display",
    "present",
    "prompt",
    "profile",
    "post",
    "place",
    "package",
    "order",
    "process",
    "complete",
    "clear",
    "clean",
    "correct",
    "separate",
    "open",
    "free",
    "lower",
];

/// Finds what a clause does. `ends_with_question` is whether its sentence ends in `?`.
pub(crate) fn mood_of(words: &[Word]) -> ClauseMood {
    let words = without_end(words);
    if let Some(inner) = bracketed(words) {
        return ClauseMood { main: 0, ..mood_of(&inner) };
    }
    let start = skip_connectives(words);
    let clause = &words[start..];
    let at = |mood, main: usize| ClauseMood { mood, main: if main == 0 { 0 } else { start + main } };
    if let Some(mood) = order_at(clause) {
        return at(strengthened(mood, &words[..start]), 0);
    }
    if let Some((mood, main)) = conditional(clause) {
        return at(mood, main);
    }
    let waits = clause.first().is_some_and(|word| {
        word.any(&["if", "when", "whenever", "before", "after", "once", "while", "until"])
    });
    if waits && !clause.iter().any(|word| word.depth == 0 && word.any(&["must", "should", "shall"])) {
        return at(if asks(clause) { Mood::Question } else { Mood::Fragment }, 0);
    }
    if let Some(mood) = modal(clause) {
        return at(mood, 0);
    }
    at(plain_mood(clause), 0)
}

/// Without the colon, stop or dash that ends it; a question keeps its mark.
fn without_end(words: &[Word]) -> &[Word] {
    let end = words
        .iter()
        .rposition(|word| !matches!(word.lower.as_str(), ":" | "." | "—" | "," | ";" | "\n" | "!"))
        .map_or(0, |at| at + 1);
    &words[..end.max(1).min(words.len())]
}

/// The words of a clause that stands wholly in brackets.
fn bracketed(words: &[Word]) -> Option<Vec<Word>> {
    let (first, last) = (words.first()?, words.last()?);
    let wholly = first.lower == "("
        && last.lower == ")"
        && words.len() > 3
        && words[1..words.len() - 1].iter().all(|word| word.depth > first.depth);
    wholly.then(|| {
        words[1..words.len() - 1].iter().map(|word| Word { depth: word.depth - 1, ..word.clone() }).collect()
    })
}

/// Whether a finite verb stands at `at`: plural nouns that look like one count only in front of an object.
fn finite_at(clause: &[Word], at: usize) -> bool {
    let word = &clause[at];
    word.any(FINITE)
        || (word.any(FINITE_OR_PLURAL)
            && clause.get(at + 1).is_some_and(|next| {
                next.any(&[
                    "the", "a", "an", "it", "them", "this", "that", "your", "its", "their", "in", "on", "to",
                    "like", "you", "for", "no", "how", "what", "up", "out", "now", "with", "by", "from",
                    "exactly", "both", "only", "one", "at", "more",
                ]) || next.lower.ends_with("ly")
            }))
}

/// Whether the clause ends in a question mark.
pub(crate) fn asks(words: &[Word]) -> bool {
    words
        .iter()
        .rev()
        .find(|word| !matches!(word.lower.as_str(), ")" | "\"" | "”" | "\n"))
        .is_some_and(|word| word.lower == "?")
}

fn plain_mood(clause: &[Word]) -> Mood {
    if asks(clause) {
        return Mood::Question;
    }
    let bracketed_choice =
        clause.iter().any(|word| word.depth == 1 && word.any(&["preferred", "recommended"]))
            && clause.len() <= 14;
    if bracketed_choice {
        return SHOULD;
    }
    if has_finite(clause) { Mood::Statement } else { Mood::Fragment }
}

/// Whether a finite verb stands outside parentheses.
pub(crate) fn has_finite(clause: &[Word]) -> bool {
    let mut subject = false;
    for (at, word) in clause.iter().enumerate().filter(|(_, word)| word.depth == 0) {
        if subject && finite_at(clause, at)
            || word.any(&[
                "it's", "that's", "they're", "you're", "there's", "you've", "i'm", "i've", "we're", "isn't",
                "don't",
            ])
        {
            return true;
        }
        if word.any(&["that", "which", "who", "whose", "where"]) && subject {
            return false;
        }
        subject |= word.kind != WordKind::Mark;
    }
    clause.first().is_some_and(|word| word.any(SUBJECTS)) && clause.len() > 3
}

/// `Always X`, `Only X` make an imperative explicit.
fn strengthened(mood: Mood, before: &[Word]) -> Mood {
    match mood {
        Mood::Order(level, _) if before.iter().any(|word| word.any(&["always", "only"])) => {
            Mood::Order(level, Force::Explicit)
        }
        Mood::Order(Level::Must, _) if before.iter().any(|word| word.any(&["ideally", "preferably"])) => {
            ADVICE
        }
        Mood::Order(Level::Must, Force::Implied) if before.iter().any(|word| word.is("optionally")) => {
            Mood::Order(Level::May, Force::Implied)
        }
        mood => mood,
    }
}

/// How many words at the start only connect.
pub(crate) fn skip_connectives(words: &[Word]) -> usize {
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let next_is_verb = || {
            words.get(at + 1).is_some_and(|next| {
                next.kind == WordKind::Plain
                    && (is_verb(&next.lower) || next.any(&["don't", "do", "never", "not", "you"]))
                    || next.mark(",")
            })
        };
        let skip = match word.kind {
            WordKind::Mark => !matches!(word.lower.as_str(), "(" | "["),
            WordKind::Plain => {
                (word.any(CONNECTIVES)
                    && !(word.any(&["first", "second", "third", "next", "so", "but", "and", "or"])
                        && !next_is_verb()
                        && at + 1 < words.len()
                        && words[at + 1].any(FINITE)))
                    || (word.lower.ends_with("ly")
                        && word.lower.len() > 4
                        && !is_verb(&word.lower)
                        && next_is_verb())
                    || !word.lower.chars().any(char::is_alphanumeric)
                    || (at == 0
                        && numbering(&word.lower)
                        && words.get(1).is_some_and(|next| matches!(next.lower.as_str(), "." | ")" | ":")))
            }
            _ => false,
        };
        if !skip {
            break;
        }
        at += 1;
    }
    at.min(words.len().saturating_sub(1))
}

fn numbering(lower: &str) -> bool {
    lower.chars().all(|c| c.is_ascii_digit())
}

/// A clause that orders from its first word on.
fn order_at(clause: &[Word]) -> Option<Mood> {
    let word = clause.first().filter(|word| word.kind == WordKind::Plain)?;
    let next = clause.get(1);
    let next_any = |lowers: &[&str]| next.is_some_and(|next| next.any(lowers));
    let lower = word.lower.as_str();
    let mood = match lower {
        "do" if next_any(&["not", "n't"]) => negated_imperative(&clause[2..]),
        "do" if next.is_none_or(|next| next.any(FINITE) || next.any(SUBJECTS))
            && (asks(clause) || !next_any(&["it", "this", "that", "these"])) =>
        {
            return None;
        }
        "don't" | "dont" | "never" => negated_imperative(&clause[1..]),
        "must" | "shall" if next_any(&["not", "never"]) => MUST_NOT,
        "must" | "required" | "mandatory" | "shall" => MUST,
        "should" if next_any(&["not", "never"]) => SHOULD_NOT,
        "should" if !asks(clause) => SHOULD,
        "avoid" | "refrain" | "resist" => SHOULD_NOT,
        "no" => return no_order(clause),
        "not" if word.shouted => MUST_NOT,
        "not" if next_any(&["needed", "required", "necessary"]) => MAY,
        "nothing" | "nobody"
            if has_finite(clause) && !next_any(&["has", "had", "was", "is", "were", "will"]) =>
        {
            MUST_NOT
        }
        "only" if word.capital && clause.len() > 3 && !asks(clause) => MUST,
        "only"
            if next.is_some_and(|next| {
                is_verb(&next.lower) || next.any(&["after", "when", "if", "once", "in", "for"])
            }) && !asks(clause) =>
        {
            MUST
        }
        "optional" | "optionally" => MAY,
        "feel" if next_any(&["free"]) => MAY,
        "ensure" | "make" if lower == "ensure" || (next_any(&["sure", "certain"])) => MUST,
        "be" if next_any(&["sure", "certain"]) => MUST,
        "see" | "refer" if !next_any(FINITE) => ADVICE,
        "consider" | "prefer" | "try" | "favor" | "favour" | "aim" | "strive" | "recommend" | "suggest" => {
            soft(lower, clause)
        }
        "it" | "it's" => return it_is(clause),
        _ => return imperative(clause).then(|| softened(clause)),
    };
    Some(mood)
}

fn soft(lower: &str, clause: &[Word]) -> Mood {
    match lower {
        "suggest" if imperative(clause) => IMPERATIVE,
        "prefer" => SHOULD,
        _ => ADVICE,
    }
}

/// `Don't forget to X` orders X.
fn negated_imperative(rest: &[Word]) -> Mood {
    let forget = rest.first().is_some_and(|word| word.any(&["forget", "fail", "neglect", "hesitate"]));
    let to = rest.get(1).is_some_and(|word| word.any(&["to", "about"]));
    match (forget && to, rest.first().is_some_and(|word| word.is("hesitate"))) {
        (true, true) => MAY,
        (true, false) => MUST,
        _ => MUST_NOT,
    }
}

fn no_order(clause: &[Word]) -> Option<Mood> {
    let next = clause.get(1)?;
    if next.any(&["need", "longer", "matter", "one", "such", "problem", "worries"])
        || next.kind == WordKind::Mark
    {
        return next.is("need").then_some(SHOULD_NOT);
    }
    let tells = clause
        .iter()
        .any(|word| word.any(&["is", "are", "was", "has", "needed", "required", "found", "exists"]));
    let left_over = clause
        .windows(2)
        .any(|pair| pair[0].is("to") && pair[1].kind == WordKind::Plain && is_verb(&pair[1].lower));
    (!tells && !left_over && !asks(clause)).then_some(MUST_NOT)
}

fn it_is(clause: &[Word]) -> Option<Mood> {
    let window = &clause[..clause.len().min(5)];
    if window.iter().any(|word| {
        word.any(&["critical", "essential", "crucial", "imperative", "mandatory", "vital", "required"])
    }) {
        return Some(MUST);
    }
    window.iter().any(|word| word.any(&["best", "better", "recommended", "advisable"])).then_some(SHOULD)
}

/// Whether the clause opens with a verb in the imperative.
pub(crate) fn imperative(clause: &[Word]) -> bool {
    let Some(verb) = clause.first().filter(|word| word.kind == WordKind::Plain) else { return false };
    let head = verb.lower.split(['/', '-']).next().unwrap_or("");
    let is_order_word =
        is_verb(&verb.lower) || (verb.lower.contains(['/', '-']) && is_verb(head) && !is_nounish(head));
    if !is_order_word {
        return unknown_verb(verb, clause.get(1));
    }
    let Some(next) = clause.get(1) else { return !is_nounish(&verb.lower) || verb.shouted };
    if next.kind == WordKind::Plain && finite_at(clause, 1) && !next.any(&["used", "made", "have", "do"]) {
        return false;
    }
    !is_nounish(&verb.lower) || takes_object(verb, next, clause)
}

/// A word in no list, in front of a determiner: `Grok the module`.
fn unknown_verb(word: &Word, next: Option<&Word>) -> bool {
    let plain = word.lower.chars().all(char::is_alphabetic) && word.lower.len() > 2;
    let inflected = ["s", "ing", "ed", "ly", "tion", "ness", "ment", "ity", "er"]
        .iter()
        .any(|end| word.lower.ends_with(end));
    let listed = word.any(CONDITIONS)
        || word.any(CONNECTIVES)
        || word.any(FINITE)
        || word.any(SUBJECTS)
        || word.any(DETERMINERS)
        || word.any(OBJECT_STARTS);
    let other = word.any(&[
        "not",
        "half",
        "rather",
        "quite",
        "such",
        "many",
        "much",
        "almost",
        "nearly",
        "note",
        "thanks",
        "despite",
        "toward",
        "towards",
        "behind",
        "above",
        "below",
        "near",
        "along",
        "upon",
        "onto",
        "than",
        "either",
        "neither",
        "nor",
        "whereas",
        "although",
        "though",
        "because",
        "plus",
        "minus",
        "versus",
        "till",
        "against",
        "concerning",
        "regarding",
    ]);
    plain && word.capital && !inflected && !listed && !other && next.is_some_and(|next| next.any(DETERMINERS))
}

fn takes_object(verb: &Word, next: &Word, clause: &[Word]) -> bool {
    match next.kind {
        WordKind::Code | WordKind::Quote => true,
        WordKind::Mark => {
            matches!(next.lower.as_str(), "," | ":" | "(" | "→") && clause.len() > 2
                || verb.shouted
                || (next.lower == "." && verb.lower != "default")
        }
        WordKind::Plain => {
            let adverb = next.lower.ends_with("ly")
                || next.lower.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '#' | '-' | '{' | '<'));
            let plain: Vec<&Word> = clause
                .iter()
                .take_while(|word| word.kind != WordKind::Mark)
                .filter(|word| word.kind == WordKind::Plain)
                .collect();
            let tells = (2..clause.len().min(6))
                .take_while(|&at| {
                    !clause[at].any(&[
                        "when", "if", "that", "what", "which", "who", "where", "how", "why", "before",
                        "after", "until", "as", "because", "whether", "whatever",
                    ]) && clause[at].kind != WordKind::Mark
                })
                .any(|at| clause[at].any(FINITE) && !clause[at].any(&["do", "have", "made", "got"]));
            if tells
                && !next
                    .any(&["what", "which", "how", "why", "where", "who", "whether", "that", "if", "when"])
            {
                return false;
            }
            next.any(OBJECT_STARTS)
                || adverb
                || plain.len() > 2
                || (plain.len() == 2 && !verb.any(COMPOUND_HEADS))
        }
    }
}

/// `… if possible`, `ideally` make an order advice.
fn softened(clause: &[Word]) -> Mood {
    let pair = |a: &str, b: &str| clause.windows(2).any(|pair| pair[0].is(a) && pair[1].is(b));
    let soft = pair("if", "possible")
        || pair("where", "possible")
        || pair("when", "possible")
        || pair("if", "practical")
        || pair("where", "practical");
    let soft_word = clause.iter().any(|word| word.depth == 0 && word.any(&["ideally", "preferably"]));
    if soft || soft_word { ADVICE } else { IMPERATIVE }
}

/// A clause that opens with a condition: finds the order after it.
fn conditional(clause: &[Word]) -> Option<(Mood, usize)> {
    let opens = clause.first()?.any(CONDITIONS);
    for (at, word) in clause.iter().enumerate() {
        let separates = word.mark("→") || (opens && (word.mark(",") || word.mark(":") || word.mark("—")));
        if !separates || at + 1 >= clause.len() {
            continue;
        }
        let rest = &clause[at + 1..];
        let skipped = skip_connectives(rest);
        if let Some(mood) = order_at(&rest[skipped..]).or_else(|| modal(&rest[skipped..])) {
            return Some((mood, at + 1));
        }
        if word.mark("→") {
            return Some((IMPERATIVE, at + 1));
        }
    }
    None
}

/// A clause whose subject must, should, may or must not.
fn modal(clause: &[Word]) -> Option<Mood> {
    let subject_is_agent = clause.first().is_some_and(|word| word.any(&["you", "agents", "agent", "claude"]));
    let pronoun =
        clause.first().is_some_and(|word| word.any(&["it", "they", "this", "we", "i", "he", "she", "there"]));
    if asks(clause) || clause.first().is_some_and(|word| word.any(&["not", "no"])) {
        return None;
    }
    for (at, word) in clause.iter().enumerate().filter(|(_, word)| word.depth == 0) {
        if at > 0
            && (word.any(&[
                "because", "which", "who", "so", "since", "why", "how", "what", "whose", "as", "than",
            ]) || word.mark(";")
                || word.mark("—")
                || (word.mark(":") && at > 3))
        {
            return None;
        }
        if at > 0
            && word.any(&["that", "if", "when", "unless", "where"])
            && !clause[..at].iter().any(|word| word.mark(","))
            && at > 1
        {
            let later_modal = clause[at..].iter().any(|word| word.any(&["must", "should"]));
            if !later_modal {
                return None;
            }
        }
        if at > 24 {
            return None;
        }
        let next = |lowers: &[&str]| clause.get(at + 1).is_some_and(|next| next.any(lowers));
        let after_next = |lowers: &[&str]| clause.get(at + 2).is_some_and(|next| next.any(lowers));
        let told = (1..at).any(|before| clause[before].any(FINITE) || clause[before].any(FINITE_OR_PLURAL));
        let past = next(&["have"])
            && clause.get(at + 2).is_some_and(|word| {
                word.lower.ends_with("ed")
                    || word
                        .any(&["been", "done", "gone", "seen", "known", "taken", "written", "found", "had"])
            });
        let mood = match word.lower.as_str() {
            _ if word.kind != WordKind::Plain => continue,
            "must" | "shall" if next(&["not", "never"]) => MUST_NOT,
            "mustn't" => MUST_NOT,
            "must" | "shall" => MUST,
            "should" if past => return None,
            "should" if next(&["not", "never"]) => SHOULD_NOT,
            "shouldn't" => SHOULD_NOT,
            "should" => SHOULD,
            "cannot" | "can't" if subject_is_agent && at <= 3 || next(&["be"]) && !pronoun => MUST_NOT,
            "can" | "may" if subject_is_agent && next(&["not"]) => MUST_NOT,
            "can" | "may" if subject_is_agent && at <= 2 => MAY,
            "can" | "may"
                if clause[0].any(&["a", "any", "each", "every"]) && clause[1].any(&["single", "given"]) =>
            {
                MAY
            }
            "needs" | "need"
                if at > 0
                    && !pronoun
                    && !told
                    && !next(&["not"])
                    && !clause[..at].iter().any(|word| word.any(&["don't", "doesn't", "not"])) =>
            {
                if next(&["to"]) { MUST } else { SHOULD }
            }
            "has" | "have" if at > 0 && next(&["to"]) && !pronoun && !told => MUST,
            "never" if at > 0 => MUST_NOT,
            "always"
                if at > 0
                    && !clause[..at]
                        .iter()
                        .any(|word| word.any(&["creators", "people", "users", "humans", "they"])) =>
            {
                if next(&["better"]) || after_next(&["better"]) { SHOULD } else { MUST }
            }
            "unacceptable" | "dishonest" | "dishonesty" | "lying" | "cheating" | "failure"
                if at > 1 && clause[at - 1].any(&["is", "are", "a"]) =>
            {
                MUST_NOT
            }
            "forbidden" | "prohibited" | "disallowed" | "banned" => MUST_NOT,
            "not" if next(&["allowed", "permitted", "acceptable", "okay", "ok", "optional"]) => {
                if next(&["optional"]) { MUST } else { MUST_NOT }
            }
            "not" if word.shouted && at > 0 && !pronoun => MUST_NOT,
            "not" if next(&["required", "necessary", "needed"]) => MAY,
            "required" | "mandatory" | "non-negotiable" if at > 0 && !pronoun => MUST,
            "fine" | "ok" | "okay" | "safe" | "acceptable" | "allowed" | "permitted" | "reasonable"
            | "optional"
                if at > 0 && clause[at - 1].any(&["is", "are", "it's", "be", "also", "perfectly"]) =>
            {
                MAY
            }
            "recommended" | "preferred" | "preferable" if at > 0 => SHOULD,
            "discouraged" => SHOULD_NOT,
            "better" if next(&["than"]) => SHOULD,
            "override" | "overrides" | "trump" | "trumps" if at > 0 => MUST,
            "precedence" => MUST,
            "only"
                if at > 0
                    && (word.shouted
                        || next(&[
                            "appropriate",
                            "if",
                            "when",
                            "after",
                            "for",
                            "be",
                            "use",
                            "in",
                            "via",
                            "through",
                        ])) =>
            {
                MUST
            }
            "supposed" | "ought" => SHOULD,
            _ => continue,
        };
        return Some(mood);
    }
    let universal = clause.first().is_some_and(|word| word.any(&["each", "every"])) && has_finite(clause);
    universal.then_some(Mood::Order(Level::Must, Force::Implied))
}
