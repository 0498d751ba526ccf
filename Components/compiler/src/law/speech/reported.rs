//! What somebody else said, or said once: no law.

use super::word::{Word, WordKind, may_hold};

/// More words than this in front of `said` are a thought of their own.
const FARTHEST: usize = 8;

/// `The old guide said you should …`, `Many people say that …`, `"…", said the architect`: it tells what others hold.
pub(crate) fn is_reported(words: &[Word]) -> bool {
    let start = words.iter().position(|word| word.kind != WordKind::Mark).unwrap_or(0);
    let words = &words[start..];
    opens_with_report(words) || ends_with_speaker(words) || tells_answer(words)
}

/// `Ask "did you drift?" and the answer is always "no"`, `"Are you sure?" always gets "yes"`: what comes of it.
fn tells_answer(words: &[Word]) -> bool {
    let comes = |run: &[Word]| {
        run[0].is("and") && run[1].is("the") && run[2].any(&["answer", "result", "reply"]) && run[3].is("is")
    };
    let asked =
        words.first().is_some_and(|first| first.any(&["ask", "asking"])) && words.windows(4).any(comes);
    let got = matches!(words, [said, always, gets, ..] if said.kind == WordKind::Quote
        && always.any(&["always", "never"])
        && gets.any(&["gets", "means", "wins", "fails", "works"]));
    asked || got
}

const SAID: &[&str] = &[
    "said",
    "claimed",
    "argued",
    "suggested",
    "insisted",
    "taught",
    "recommended",
    "advised",
    "believed",
    "thought",
    "stated",
    "told",
    "wrote",
    "required",
    "demanded",
];

fn opens_with_report(words: &[Word]) -> bool {
    const OTHERS: &[&str] = &[
        "people",
        "some",
        "many",
        "others",
        "most",
        "critics",
        "folks",
        "blogs",
        "tutorials",
        "they",
        "everyone",
    ];
    const SAY: &[&str] =
        &["say", "claim", "argue", "think", "believe", "insist", "suggest", "says", "claims", "thinks"];
    const OURS: &[&str] = &[
        "we",
        "i",
        "you",
        "what",
        "whatever",
        "everything",
        "anything",
        "if",
        "when",
        "once",
        "after",
        "as",
        "unless",
        "before",
        "whenever",
        "user",
        "users",
        "owner",
        "maintainer",
        "never",
        "always",
        "do",
        "don't",
        "no",
    ];
    let near = &words[..words.len().min(FARTHEST)];
    if !may_hold(near, SAID) && !may_hold(near, SAY) {
        return false;
    }
    let Some(said) = words.iter().take(FARTHEST).position(|word| word.any(SAID) || word.any(SAY)) else {
        return false;
    };
    let subject = &words[..said];
    let told = words.get(said + 1).is_some_and(|next| {
        next.mark(":")
            || next.kind == WordKind::Quote
            || next.any(&[
                "that", "you", "to", "we", "never", "always", "it", "us", "everyone", "people", "agents",
                "not",
            ])
    });
    let plain = subject.iter().all(|word| word.kind == WordKind::Plain && !word.any(OURS));
    let past = words[said].any(SAID)
        && subject.first().is_some_and(|word| {
            word.any(&["the", "our", "an", "a", "some", "that", "its", "their"]) || word.any(OTHERS)
        })
        && !subject.last().is_some_and(|word| word.any(&["is", "are", "be", "as", "must", "should"]));
    let others = subject.first().is_some_and(|word| word.any(OTHERS)) && subject.len() <= 3;
    said > 0 && told && plain && (past || others)
}

/// `…, said the old architect`.
fn ends_with_speaker(words: &[Word]) -> bool {
    let said = words.iter().rposition(|word| {
        word.any(&["said", "says", "wrote", "argued", "claimed", "quipped", "insisted", "warned"])
    });
    let Some(said) = said.filter(|&said| said > 2) else { return false };
    let speaker = words[said + 1..].iter().filter(|word| word.kind != WordKind::Mark);
    let names =
        speaker.clone().all(|word| word.kind == WordKind::Plain && !word.any(&["that", "to", "so", "you"]));
    (words[said - 1].mark(",") || words[said - 1].kind == WordKind::Quote)
        && (1..=5).contains(&speaker.count())
        && names
}
