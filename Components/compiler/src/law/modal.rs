//! Clauses whose subject must, should, may or must not: the words of RFC 2119, and those that people use in their place.

use mentci_authority::{Force, Level};

use super::lexicon::{FINITE, FINITE_OR_PLURAL, LEAVE, ROLES, SUBJECTS, WITHHELD, is_role, is_verb};
use super::mood::{MAY, MUST, MUST_NOT, Mood, SHOULD, SHOULD_NOT, asks, has_finite, mood_of};
use super::word::{Word, WordKind};

/// A modal further from the start than this belongs to another thought.
const FARTHEST: usize = 24;

/// What a clause with a subject orders, if it orders.
pub(crate) fn modal(clause: &[Word]) -> Option<Mood> {
    if asks(clause) || clause.first().is_some_and(|word| word.any(&["not", "no"])) {
        return None;
    }
    for at in 0..clause.len().min(FARTHEST + 1) {
        let place = Place { clause, at };
        if place.word().depth > 0 || place.word().kind != WordKind::Plain && !place.ends() {
            continue;
        }
        if place.ends() {
            break;
        }
        match place.reads() {
            Says::Order(mood) => return Some(mood),
            Says::Past => break,
            Says::Nothing => {}
        }
    }
    consequence(clause).or_else(|| universal(clause))
}

/// `It is slow, so you must not poll it`, `…, which is why you should never …`: what a sentence that only tells goes over to.
fn consequence(clause: &[Word]) -> Option<Mood> {
    const MODALS: &[&str] = &[
        "must",
        "mustn't",
        "shall",
        "should",
        "shouldn't",
        "may",
        "cannot",
        "can't",
        "never",
        "need",
        "have",
    ];
    const OVER: &[&str] = &["so", "why", "therefore", "thus", "hence", "means"];
    let binds = |mood: &Mood| matches!(mood, Mood::Order(level, Force::Explicit) if *level != Level::May);
    for at in 2..clause.len().saturating_sub(1) {
        let before = &clause[at - 1];
        let turns = before.any(OVER) || (before.is("that") && clause[at - 2].any(&["so", "means"]));
        if clause[at].depth > 0 || !(turns || before.mark(",") || before.mark(";") || before.mark("—")) {
            continue;
        }
        let agent = clause[at].any(&["you", "agents"]) && clause[at + 1].any(MODALS);
        let direct = turns
            && before.any(&["so", "therefore", "thus", "hence"])
            && (clause[at].any(&["never", "always", "don't"])
                || clause[at].is("do") && clause[at + 1].is("not"));
        let mood = if agent {
            modal(&clause[at..])
        } else if direct {
            Some(mood_of(&clause[at..]).mood)
        } else {
            None
        };
        if let Some(mood) = mood.filter(binds) {
            return Some(mood);
        }
    }
    None
}

/// `I must admit`, `You must be wondering`, `It must be said that`: nothing that anybody has to do.
fn confides(clause: &[Word], at: usize) -> bool {
    const SAYS: &[&str] =
        &["admit", "confess", "say", "add", "concede", "stress", "mention", "warn", "apologize", "apologise"];
    const MUSES: &[&str] = &[
        "wondering",
        "thinking",
        "asking",
        "kidding",
        "joking",
        "curious",
        "tempted",
        "puzzled",
        "confused",
        "surprised",
        "mistaken",
        "tired",
        "relieved",
    ];
    const SAID: &[&str] = &["said", "admitted", "conceded"];
    let is = |at: usize, lowers: &[&str]| clause.get(at).is_some_and(|word| word.any(lowers));
    let i = at > 0 && is(at - 1, &["i", "we", "one"]);
    let you = at > 0 && is(at - 1, &["you", "they"]);
    let it = at > 0 && is(at - 1, &["it"]);
    let i_says = i && is(at + 1, SAYS);
    let muses = you && is(at + 1, &["be"]) && (is(at + 2, MUSES) || is(at + 3, MUSES));
    i_says || muses || it && is(at + 1, &["be"]) && is(at + 2, SAID)
}

/// Whether a permission says whom or what it leaves out, or how far only it goes: it binds.
pub(crate) fn bounds(clause: &[Word]) -> bool {
    let is = |at: usize, lowers: &[&str]| clause.get(at).is_some_and(|word| word.any(lowers));
    // `You may skip it when only the log changed`: it says what the case is.
    let of_case =
        |at: usize| is(at, &["only"]) && at > 0 && is(at - 1, &["if", "when", "where", "while", "that"]);
    (0..clause.len()).filter(|&at| !of_case(at)).any(|at| {
        is(at, &["except", "excepting", "excluding", "only", "unless"])
            || is(at, &["but"]) && (is(at + 1, &["not", "never"]) || at > 0 && is(at - 1, EVERYONE))
            || is(at, &["apart", "aside"]) && is(at + 1, &["from"])
            || is(at, &["other"]) && is(at + 1, &["than"])
            || is(at, &["save"]) && is(at + 1, &["for"])
    })
}

/// What somebody may do without being free to.
const SEEMING: &[&str] = &[
    "not", "appear", "seem", "look", "fail", "forget", "miss", "be", "have", "get", "need", "never", "also",
    "still", "want",
];

const EVERYONE: &[&str] =
    &["everyone", "everybody", "anyone", "anybody", "everything", "anything", "all", "any", "anywhere"];

/// `Each step is one action`: said of each, it is meant as a rule.
fn universal(clause: &[Word]) -> Option<Mood> {
    const TOLD: &[&str] = &[
        "unique",
        "independent",
        "different",
        "important",
        "special",
        "valuable",
        "cheap",
        "expensive",
        "available",
        "useful",
        "common",
        "rare",
        "easy",
        "hard",
        "distinct",
        "similar",
        "equal",
        "fast",
        "slow",
    ];
    // `Each note = one fault`.
    let equals = clause.iter().any(|word| word.lower == "=");
    let judged = clause.windows(2).any(|pair| pair[0].any(&["is", "are"]) && pair[1].any(TOLD));
    let able =
        clause.iter().any(|word| word.depth == 0 && word.any(&["can", "could", "might", "will", "would"]));
    let each = clause.first().is_some_and(|word| word.any(&["each", "every"]))
        && (has_finite(clause) || equals)
        && !able
        && !judged;
    each.then_some(Mood::Order(Level::Must, Force::Implied))
}

/// What a word says in its place.
enum Says {
    Order(Mood),
    /// `should have been`: it reports and orders nothing.
    Past,
    Nothing,
}

/// One word of a clause and what stands around it.
#[derive(Clone, Copy)]
struct Place<'c> {
    clause: &'c [Word],
    at: usize,
}

impl Place<'_> {
    fn word(&self) -> &Word {
        &self.clause[self.at]
    }

    fn subject(&self, words: &[&str]) -> bool {
        self.clause.first().is_some_and(|word| word.any(words))
    }

    fn agent(&self) -> bool {
        self.subject(&["you", "agents", "agent", "claude"])
    }

    /// `The agent may`, `Any reviewer may`: somebody with a part in the procedure.
    fn role(&self) -> bool {
        let Some(who) = self.at.checked_sub(1).filter(|at| *at <= 3).map(|at| &self.clause[at]) else {
            return false;
        };
        who.kind == WordKind::Plain && is_role(&who.lower)
    }

    /// `During releases nobody may push`, `Without tests nothing is merged`.
    fn rules_out(&self) -> bool {
        const OPENING: &[&str] =
            &["without", "during", "in", "on", "before", "after", "until", "while", "outside", "at"];
        self.subject(OPENING) && self.next(&["may", "can", "must", "shall", "is", "gets", "should"])
    }

    /// `Maintainers may merge, but only after two approvals`.
    fn leaves_out(&self) -> bool {
        let rest = &self.clause[self.at + 1..];
        bounds(rest) && rest.iter().any(|word| word.mark(",")) || self.next(&["only"])
    }

    /// `Everyone but guests`, `All files`, `Any member`.
    fn of_all(&self) -> bool {
        let each = self.subject(&["any", "every"]) && bounds(self.clause);
        self.at > 0 && self.at <= 8 && (self.subject(EVERYONE) || each)
    }

    fn pronoun(&self) -> bool {
        self.subject(&["it", "they", "this", "we", "i", "he", "she", "there"])
    }

    /// `This log is required`: it names what it points at.
    fn is_named(&self) -> bool {
        let plain = |word: &Word| word.kind == WordKind::Plain && !word.among(FINITE);
        self.at == 3
            && self.clause[0].is("this")
            && plain(&self.clause[1])
            && self.clause[2].any(&["is", "are"])
            || self.at == 4
                && self.clause[0].is("this")
                && self.clause[1..3].iter().all(plain)
                && self.clause[3].is("is")
    }

    fn next(&self, words: &[&str]) -> bool {
        self.clause.get(self.at + 1).is_some_and(|next| next.any(words))
    }

    fn after_next(&self, words: &[&str]) -> bool {
        self.clause.get(self.at + 2).is_some_and(|next| next.any(words))
    }

    fn before(&self, words: &[&str]) -> bool {
        self.clause[..self.at].iter().any(|word| word.any(words))
    }

    /// Whether a finite verb stands before: then the clause tells, and this word belongs to what it tells.
    fn told(&self) -> bool {
        (1..self.at).any(|at| self.clause[at].among(FINITE) || self.clause[at].among(FINITE_OR_PLURAL))
    }

    /// Whether the main clause ends here: with a reason, a comparison, or a condition that holds no order.
    fn ends(&self) -> bool {
        let word = self.word();
        if self.at == 0 {
            return false;
        }
        let reason = word.any(&[
            "because", "which", "who", "so", "since", "why", "how", "what", "whose", "as", "than", "whether",
        ]);
        let mark = word.mark(";") || word.mark("—") || (word.mark(":") && self.at > 3);
        let aside = self.at > 1 && word.any(&["that", "if", "when", "unless", "where"]);
        // `A bug can mean X when the answer should be Y`: the modal word is that of the case.
        let case = aside && !word.is("that") && self.told();
        let in_front = self.clause[..self.at].iter().any(|word| word.mark(","));
        let orders_later = || {
            let rest = &self.clause[self.at..];
            let bound = rest
                .windows(3)
                .any(|three| three[0].any(&["is", "are"]) && three[1].is("to") && three[2].is("be"));
            bound || rest.iter().any(|word| word.any(&["must", "should"]))
        };
        // `Files which bear a header must …`: the clause says which ones.
        let narrows = word.any(&["which", "who", "whose"]) && !in_front && !self.told() && self.at <= 6;
        (reason && !(narrows && orders_later())) || mark || (aside && !in_front && (case || !orders_later()))
    }

    fn reads(&self) -> Says {
        let lower = self.word().lower.as_str();
        let joined = self.at > 0 && self.clause[self.at - 1].is("and") && self.next(&["be"]);
        if matches!(lower, "should" | "must") && !joined && (self.reports() || confides(self.clause, self.at))
        {
            return Says::Past;
        }
        let found = self
            .keyword(lower)
            .or_else(|| self.permission(lower))
            .or_else(|| self.custom(lower))
            .or_else(|| self.need(lower))
            .or_else(|| self.judgement(lower));
        found.map_or(Says::Nothing, Says::Order)
    }

    /// `should have added`, `should have been`.
    fn reports(&self) -> bool {
        const PARTICIPLES: &[&str] =
            &["been", "done", "gone", "seen", "known", "taken", "written", "found", "had"];
        let after = self.clause.get(self.at + 2);
        self.next(&["have"]) && after.is_some_and(|word| word.lower.ends_with("ed") || word.any(PARTICIPLES))
    }

    /// The keywords of RFC 2119.
    fn keyword(&self, lower: &str) -> Option<Mood> {
        let negated = || {
            self.next(&["not", "never"]) && !self.after_next(&["only", "just"])
                || self.negated_later()
                || self.keeps_from()
        };
        let before = self.at.checked_sub(1).map(|at| &self.clause[at]);
        // `The variable A must be set`: there it is a name.
        let noun = before.is_some_and(|word| {
            word.any(&["the", "a", "this", "that"]) && !(word.is("a") && word.capital && self.at > 1)
        });
        if noun {
            return None;
        }
        match lower {
            "should" | "shouldn't" if self.spares() => None,
            "must" | "shall" | "shalt" => Some(if negated() { MUST_NOT } else { MUST }),
            "mustn't" => Some(MUST_NOT),
            "should" if self.clause.get(self.at + 1).is_some_and(|next| next.is("never") && next.shouted) => {
                Some(MUST_NOT)
            }
            "should" => Some(if negated() { SHOULD_NOT } else { SHOULD }),
            "shouldn't" => Some(SHOULD_NOT),
            "required" | "mandatory" | "non-negotiable"
                if self.at > 0 && (!self.pronoun() || self.is_named()) =>
            {
                Some(MUST)
            }
            "recommended" | "preferred" | "preferable" if self.at > 0 => Some(SHOULD),
            "not" => self.negation(),
            _ => None,
        }
    }

    /// `should generally be avoided`, `must by no means run`: what it asks is that something is not done.
    fn keeps_from(&self) -> bool {
        const FARTHEST: usize = 3;
        const KEPT: &[&str] = &["avoided", "forbidden", "prohibited", "banned", "disallowed", "discouraged"];
        let rest = &self.clause[self.at + 1..];
        let near = &rest[..rest.len().min(FARTHEST)];
        let kept = near.windows(2).any(|pair| pair[0].is("be") && pair[1].any(KEPT));
        // `You should always avoid it`, `There must be no lamps`.
        let avoids = matches!(near, [avoid, ..] if avoid.is("avoid"))
            || matches!(near, [always, avoid, ..] if always.any(&["always", "generally", "also"]) && avoid.is("avoid"));
        let none = self.subject(&["there"]) && matches!(near, [be, no, ..] if be.is("be") && no.is("no"));
        let never = avoids
            || none
            || matches!(near, [by, no, ..] if by.any(&["by", "under", "in", "on", "at"]) && no.is("no"));
        kept || never
    }

    /// `You should not need to ask`, `You shouldn't have to restart it`: it tells what will not come about.
    fn spares(&self) -> bool {
        let denied = usize::from(self.next(&["not", "never"]));
        let at =
            |at: usize, lowers: &[&str]| self.clause.get(self.at + at).is_some_and(|word| word.any(lowers));
        (denied > 0 || self.word().is("shouldn't"))
            && at(1 + denied, &["need", "have"])
            && at(2 + denied, &["to"])
    }

    /// `must, as long as the build runs, not be edited`.
    fn negated_later(&self) -> bool {
        let rest = &self.clause[self.at + 1..];
        rest.first().is_some_and(|word| word.mark(","))
            && rest[1..]
                .iter()
                .position(|word| word.mark(","))
                .is_some_and(|at| rest.get(at + 2).is_some_and(|word| word.any(&["not", "never"])))
    }

    fn negation(&self) -> Option<Mood> {
        if self.next(&["optional"]) {
            return Some(MUST);
        }
        if self.next(&["allowed", "permitted", "acceptable", "accepted", "tolerated", "okay", "ok"]) {
            return Some(MUST_NOT);
        }
        if self.next(&["required", "necessary", "needed", "mandatory", "obligatory"]) {
            return Some(MAY);
        }
        let outright = self.word().shouted && self.at > 0 && !self.pronoun() && !self.is_value();
        (outright && !self.told_of_object()).then_some(MUST_NOT)
    }

    /// `List the hosts you could NOT reach`, `Report each case that did NOT pass`: it says which ones an order is about.
    fn told_of_object(&self) -> bool {
        const TELLING: &[&str] = &["could", "did", "have", "has", "had", "were", "was"];
        const LINKS: &[&str] = &["you", "we", "they", "it", "that", "which", "who", "what"];
        self.at > 3
            && is_verb(&self.clause[0].lower)
            && self.clause[self.at - 1].any(TELLING)
            && self.clause[self.at - 2].any(LINKS)
    }

    /// `marks each finding ADDRESSED or NOT ADDRESSED`: one of two names.
    fn is_value(&self) -> bool {
        let other = self.at.checked_sub(2).map(|at| &self.clause[at]);
        let joined = self.clause[self.at - 1].any(&["or", "and", "/"]) || self.clause[self.at - 1].mark(",");
        let value = self.clause.get(self.at + 1).is_some_and(|next| next.shouted);
        joined && value && other.is_some_and(|other| other.shouted && other.kind == WordKind::Plain)
    }

    /// `you may`, `you cannot`, `is fine`.
    fn permission(&self, lower: &str) -> Option<Mood> {
        const FINE: &[&str] =
            &["fine", "ok", "okay", "safe", "acceptable", "allowed", "permitted", "reasonable", "optional"];
        let copula =
            self.at > 0 && self.clause[self.at - 1].any(&["is", "are", "it's", "be", "also", "perfectly"]);
        match lower {
            // `Sailing is only permitted by day`.
            "allowed" | "permitted" | "acceptable" | "ok" | "okay" | "fine"
                if self.at > 1
                    && self.clause[self.at - 1].is("only")
                    && self.clause[self.at - 2].any(&["is", "are"]) =>
            {
                Some(MUST)
            }
            // `Reading is always allowed`.
            "always"
                if self.at > 0
                    && self.clause[self.at - 1].any(&["is", "are"])
                    && self.clause.get(self.at + 1).is_some_and(|next| FINE.contains(&&*next.lower)) =>
            {
                Some(MAY)
            }
            // `You can no longer push`, `You no longer need to ask`.
            "can" | "may" if self.next(&["no"]) && self.after_next(&["longer"]) => Some(MUST_NOT),
            "longer"
                if self.at > 1
                    && self.clause[self.at - 1].is("no")
                    && (self.next(&[
                        "need",
                        "needs",
                        "have",
                        "has",
                        "required",
                        "needed",
                        "necessary",
                        "mandatory",
                    ])) =>
            {
                Some(MAY)
            }
            "longer"
                if self.at > 1
                    && self.clause[self.at - 1].is("no")
                    && self.next(&["allowed", "permitted", "acceptable", "ok", "okay"]) =>
            {
                Some(MUST_NOT)
            }
            "cannot" | "can't" if self.supposed() => None,
            "cannot" | "can't"
                if (self.agent() && self.at <= 3) || (self.next(&["be"]) && !self.pronoun()) =>
            {
                Some(MUST_NOT)
            }
            "can" | "may" if self.agent() && self.next(&["never"]) => (lower == "may").then_some(MUST_NOT),
            "might" if self.agent() && self.next(&["want"]) && self.after_next(&["to"]) => Some(SHOULD),
            "nobody" | "nothing" | "none" if self.at > 0 && self.rules_out() => Some(MUST_NOT),
            "can" | "may" if self.agent() && self.does_none() => Some(MUST_NOT),
            "free" if self.next(&["to"]) && copula => Some(MAY),
            "can" | "may" if self.agent() && self.next(&["not"]) && !self.guesses() => Some(MUST_NOT),
            "can" | "may" if self.agent() && self.at <= 2 && !self.next(&["not"]) => Some(MAY),
            // `It may not sail without a pilot`: what only may happen has no such guard.
            "may" if self.next(&["not"]) && (!self.pronoun() || bounds(self.clause)) && !self.guesses() => {
                Some(MUST_NOT)
            }
            "may" if self.role() && !self.next(SEEMING) && !self.guesses() => Some(MAY),
            // `Small repositories can use the short form instead`.
            "can" | "may" if self.at > 0 && !self.pronoun() && self.takes_instead() => Some(MAY),
            "may"
                if !self.pronoun()
                    && self.at > 0
                    && !self.next(&["not"])
                    && self.leaves_out()
                    && !self.guesses() =>
            {
                Some(MAY)
            }
            "may" if self.of_all() && !self.next(&["not"]) && !self.guesses() => Some(MAY),
            "can" | "may" if self.of_all() && !self.next(&["not"]) && bounds(self.clause) => Some(MAY),
            "can" | "may" if self.at > 1 && self.subject(&["a", "any", "each", "every"]) => {
                self.clause[1].any(&["single", "given"]).then_some(MAY)
            }
            "allowed" | "permitted" | "acceptable" | "approved" if self.alone() => Some(MUST),
            _ => (copula && FINE.contains(&lower)).then_some(MAY),
        }
    }

    /// `LOST if the berth cannot be found`: it stands in the case behind a name.
    fn supposed(&self) -> bool {
        let named = self.clause[0].kind == WordKind::Code || self.clause[0].shouted;
        let mut behind = self.clause[..self.at].iter().skip(1).take(2);
        named && behind.any(|word| word.any(&["if", "when", "where"]))
    }

    /// `can use the short form instead`, `may run the quick check instead`.
    fn takes_instead(&self) -> bool {
        let rest = &self.clause[self.at + 1..];
        let acts = rest.first().is_some_and(|word| word.any(&["use", "run", "take", "call", "pass", "skip"]));
        acts && rest.iter().take(9).any(|word| word.is("instead"))
    }

    /// `The only licences allowed`, `The only allowed formatter`: nothing else is.
    fn alone(&self) -> bool {
        let near = self.at.saturating_sub(5);
        (near..self.at).any(|at| {
            self.clause[at].is("only")
                && at > 0
                && self.clause[at - 1].is("the")
                && !(at > 1 && self.clause[at - 2].any(&["not", "isn't", "aren't"]))
        })
    }

    /// `You can do neither of these`, `You may touch nothing without asking`.
    fn does_none(&self) -> bool {
        let rest = &self.clause[self.at + 1..];
        let end = rest.iter().position(|word| word.kind == WordKind::Mark).unwrap_or(rest.len());
        let rest = &rest[..end];
        let none = rest.windows(2).any(|pair| pair[0].any(&["neither", "none"]) && pair[1].is("of"));
        let nothing = rest.iter().position(|word| word.is("nothing")).is_some_and(|at| {
            rest[at..].iter().any(|word| word.any(&["without", "until", "unless", "except", "else", "but"]))
        });
        none || nothing
    }

    /// `Tests may not exist yet`: it says what can be so.
    fn guesses(&self) -> bool {
        const STATES: &[&str] = &[
            "be",
            "have",
            "exist",
            "know",
            "work",
            "matter",
            "need",
            "want",
            "see",
            "show",
            "match",
            "appear",
            "happen",
            "reflect",
            "notice",
            "always",
            "fit",
            "apply",
            "even",
            "yet",
            "fully",
            "realize",
            "support",
            "contain",
            "understand",
            "agree",
            "like",
            "remember",
            "hold",
            "help",
            "make",
            "look",
            "get",
            "pass",
            "finish",
            "find",
            "only",
            "remain",
        ];
        const FOUND: &[&str] =
            &["needed", "required", "supported", "expected", "related", "installed", "updated", "used"];
        let done =
            self.clause.get(self.at + 3).is_some_and(|word| word.lower.ends_with("ed") && !word.any(FOUND));
        self.told() || self.after_next(STATES) && !(self.after_next(&["be"]) && done)
    }

    /// `we don't use X`, `I don't want you to X`, `you had better not X`, `you are expected to X`.
    fn custom(&self, lower: &str) -> Option<Mood> {
        const TOLD: &[&str] = &[
            "know",
            "have",
            "need",
            "want",
            "see",
            "expect",
            "care",
            "think",
            "mean",
            "get",
            "support",
            "believe",
            "mind",
            "recommend",
            "like",
        ];
        let plainly = self.at == 1 && self.subject(&["we", "you", "agents", "claude"])
            || self.at == 2 && self.subject(&["the"]) && self.clause[1].any(&["agent", "assistant"]);
        let we = self.at == 1 && self.subject(&["we"]);
        let verb = |at: usize| {
            self.clause.get(self.at + at).is_some_and(|next| {
                next.kind == WordKind::Plain && super::lexicon::is_verb(&next.lower) && !next.any(TOLD)
            })
        };
        let belongs = |at: usize| {
            self.at > 0
                && !self.pronoun()
                && self.clause.get(self.at + at).is_some_and(|word| word.is("belong"))
        };
        match lower {
            "don't" | "doesn't" if belongs(1) => Some(MUST_NOT),
            "do" | "does" if self.next(&["not", "never"]) && belongs(2) => Some(MUST_NOT),
            "belong" | "belongs"
                if self.at > 0
                    && !self.pronoun()
                    && !self.told()
                    && !self.clause[self.at - 1].any(&["that", "which", "who"])
                    && self.next(&["in", "under", "at", "inside", "outside"]) =>
            {
                Some(Mood::Order(Level::Must, Force::Implied))
            }
            "don't" | "doesn't" if plainly && verb(1) => Some(MUST_NOT),
            "do" | "does" if plainly && self.next(&["not"]) && verb(2) => Some(MUST_NOT),
            // `Preferences don't count unless they bear on safety`.
            "don't" | "doesn't"
                if self.at > 0
                    && !self.pronoun()
                    && self.next(&["count"])
                    && self.after_next(&["unless", "as"]) =>
            {
                Some(MUST_NOT)
            }
            "require" | "demand" if we => Some(MUST),
            "expect" if we && !self.next(&["this", "that", "it", "to", "the", "a", "an", "you", "them"]) => {
                Some(MUST)
            }
            "forbid" | "disallow" | "prohibit" | "ban" if we => Some(MUST_NOT),
            "recommend" | "prefer" | "encourage" | "favor" | "favour" if we => Some(SHOULD),
            "discourage" if we => Some(SHOULD_NOT),
            "don't" if self.subject(&["i", "we"]) && self.next(&["want"]) && self.after_next(&["you"]) => {
                Some(MUST_NOT)
            }
            "had" if self.next(&["better"]) => {
                Some(if self.after_next(&["not"]) { SHOULD_NOT } else { SHOULD })
            }
            "expected" if self.next(&["to"]) && self.subject(&["you", "you're"]) => Some(MUST),
            "aren't" | "isn't" if self.next(&["optional"]) => Some(MUST),
            "aren't" | "isn't" if self.next(&["allowed", "permitted", "acceptable", "okay", "ok"]) => {
                Some(MUST_NOT)
            }
            "aren't" | "isn't" if self.next(&["required", "necessary", "needed", "mandatory"]) => Some(MAY),
            "you're" if self.next(&["not"]) && self.after_next(&["to"]) => Some(MUST_NOT),
            "are"
                if self.at == 1
                    && self.subject(&["you", "agents"])
                    && self.next(&["to"])
                    && self
                        .clause
                        .get(self.at + 2)
                        .is_some_and(|word| super::lexicon::is_verb(&word.lower)) =>
            {
                Some(MUST)
            }
            "require" | "requires" if self.at <= 4 && self.subject(&["all", "every", "each"]) => Some(MUST),
            "don't" | "won't" if self.agent() && self.next(&["have", "need"]) && self.after_next(&["to"]) => {
                Some(MAY)
            }
            "do" if self.agent()
                && self.next(&["not"])
                && self.after_next(&["have", "need"])
                && self.clause.get(self.at + 3).is_some_and(|word| word.is("to")) =>
            {
                Some(MAY)
            }
            "needn't" if self.agent() => Some(MAY),
            "no" if self.subject(&["there", "there's"]) && self.next(&["need"]) => Some(MAY),
            _ => None,
        }
    }

    /// `needs to`, `has to`, `always`, `never`, `only`.
    fn need(&self, lower: &str) -> Option<Mood> {
        const BOUNDS: &[&str] =
            &["appropriate", "if", "when", "after", "for", "be", "use", "in", "via", "through"];
        if self.at == 0 {
            return None;
        }
        let bound = || !self.pronoun() && !self.told();
        match lower {
            "need" if self.next(&["not"]) && !self.pronoun() => Some(MAY),
            "needs" | "need"
                if bound() && !self.next(&["not"]) && !self.before(&["don't", "doesn't", "not"]) =>
            {
                // `Production deploys need approval`.
                let leave = self.clause[self.at + 1..].iter().take(3).any(|word| word.among(LEAVE));
                if self.needs_what_is_there() {
                    return None;
                }
                // `You also need a plan`.
                let you = self.clause[..self.at].iter().any(|word| word.is("you")) && self.before(&["also"]);
                Some(if self.next(&["to"]) || leave || you { MUST } else { SHOULD })
            }
            // `Approval is needed for repairs`.
            "is" | "are"
                if self.next(&["needed"])
                    && self.clause[..self.at].iter().any(|word| word.among(LEAVE))
                    && !self.before(&["no", "not", "if"]) =>
            {
                Some(MUST)
            }
            "is" | "are"
                if !self.pronoun()
                    && self.next(&["needed"])
                    && self.after_next(&["before", "first", "prior"]) =>
            {
                (!self.before(&["no", "not"])).then_some(MUST)
            }
            "is" | "are" if !self.pronoun() && self.next(&["to"]) && self.after_next(&["be"]) => {
                let avoided =
                    self.clause.get(self.at + 3).is_some_and(|word| word.any(&["avoided", "discouraged"]));
                Some(if avoided { SHOULD_NOT } else { MUST })
            }
            "is" | "are" if !self.pronoun() && self.next(&["not", "never"]) && self.after_next(&["to"]) => {
                Some(MUST_NOT)
            }
            "has" | "have" if bound() && self.next(&["to"]) => Some(MUST),
            "never" if self.told_past() || self.tells_never() => None,
            "never" if self.next(&["optional"]) => Some(MUST),
            "never" if self.next(&["required", "needed", "necessary", "mandatory"]) => Some(MAY),
            "never" => Some(MUST_NOT),
            "always" if self.clause[self.at - 1].any(&["can", "may", "could", "will", "would", "might"]) => {
                None
            }
            "always" if !self.before(&["creators", "people", "users", "humans", "they"]) => {
                let compares = self.next(&["better"]) || self.after_next(&["better"]);
                Some(if compares { SHOULD } else { MUST })
            }
            "only" if self.word().shouted || self.next(BOUNDS) => Some(MUST),
            _ => None,
        }
    }

    /// `The diffs need it`, `It needs information that was not given`: a reason, which tells.
    fn needs_what_is_there(&self) -> bool {
        let rest = &self.clause[self.at + 1..];
        let rest = &rest[..rest.iter().position(|word| word.kind == WordKind::Mark).unwrap_or(rest.len())];
        let pronoun =
            rest.first().is_some_and(|word| word.any(&["it", "them", "this", "that", "these", "those"]));
        pronoun && rest.len() <= 2
            || rest.iter().any(|word| word.any(&["was", "were", "wasn't", "weren't"])) && !self.next(&["to"])
    }

    /// `This never happens`, `It never hurts to ask`: it tells.
    fn tells_never(&self) -> bool {
        self.pronoun()
            && self
                .next(&["happens", "hurts", "works", "fails", "matters", "occurs", "ends", "comes", "happen"])
    }

    /// `we never used X`: a story.
    fn told_past(&self) -> bool {
        let past = self.clause.get(self.at + 1).is_some_and(|next| {
            next.lower.ends_with("ed") && !next.lower.ends_with("eed")
                || next.any(&["had", "was", "were", "did", "saw"])
        });
        let passive =
            self.before(&["is", "are", "be", "been", "must", "should", "may", "can", "get", "gets", "being"]);
        past && !passive && !self.withholds()
    }

    /// `Credentials never stored in plain text`: what is not done to a thing, and nobody who did not do it.
    fn withholds(&self) -> bool {
        let [_, done, behind @ ..] = &self.clause[self.at..] else { return false };
        let subject = &self.clause[..self.at];
        let thing = subject.len() <= 6
            && !subject.iter().any(|word| word.among(SUBJECTS) || word.among(ROLES) || word.among(FINITE));
        let goes_on = behind.first().is_none_or(|next| {
            next.kind == WordKind::Mark
                || next.lower.ends_with("ly")
                || next.any(&[
                    "in", "to", "with", "from", "by", "into", "on", "as", "at", "without", "outside", "via",
                ])
        });
        done.among(WITHHELD) && thing && goes_on && !has_finite(behind)
    }

    /// `is forbidden`, `takes precedence`, `is better than`.
    fn judgement(&self, lower: &str) -> Option<Mood> {
        if self.at > 0 && self.clause[self.at - 1].any(&["was", "were"]) {
            return None;
        }
        let lifted = self.at > 0 && self.clause[self.at - 1].any(&["not", "isn't", "aren't", "longer"]);
        let called = self.at > 1 && self.clause[self.at - 1].any(&["is", "are", "a"]);
        match lower {
            "must" if called && self.clause[self.at - 1].is("a") && self.at + 1 == self.clause.len() => {
                Some(MUST)
            }
            // `Skipping it is not an option`, `Guessing is no option`.
            "option"
                if self.at > 2
                    && self.at + 1 == self.clause.len()
                    && self.clause[0].lower.ends_with("ing") =>
            {
                let before = &self.clause[..self.at];
                let denied = matches!(before, [.., not, an] if an.is("an") && not.any(&["not", "never", "isn't"]))
                    || before.last().is_some_and(|word| word.is("no"));
                denied.then_some(MUST_NOT)
            }
            "no-no" | "no-go" if self.at > 1 => Some(if lifted { MAY } else { MUST_NOT }),
            "encouraged" if called && !lifted => Some(SHOULD),
            "expected" if called && !lifted && self.at + 1 == self.clause.len() && !self.pronoun() => {
                Some(MUST)
            }
            "unacceptable" | "dishonest" | "dishonesty" | "lying" | "cheating" | "failure" if called => {
                Some(MUST_NOT)
            }
            "forbidden" | "prohibited" | "disallowed" | "banned" | "off-limits" | "discouraged" if lifted => {
                Some(MAY)
            }
            "forbidden" | "prohibited" | "disallowed" | "banned" | "off-limits" | "taboo" => Some(MUST_NOT),
            "off" if self.next(&["limits"]) => Some(if lifted { MAY } else { MUST_NOT }),
            "out" if self.next(&["of"]) && self.after_next(&["bounds"]) => Some(MUST_NOT),
            "discouraged" => Some(SHOULD_NOT),
            "inadvisable" | "unwise" if called && !lifted => Some(SHOULD_NOT),
            // `Committing on Friday is a bad idea`, where it ends.
            "idea"
                if self.at > 3 && self.at + 1 == self.clause.len() && self.clause[self.at - 1].is("bad") =>
            {
                self.clause[self.at - 3].any(&["is", "are"]).then_some(SHOULD_NOT)
            }
            "better" if self.next(&["than"]) => Some(SHOULD),
            "supposed" | "ought"
                if lifted || self.next(&["not", "never"]) || self.after_next(&["never", "not"]) =>
            {
                Some(SHOULD_NOT)
            }
            "supposed" | "ought" => Some(SHOULD),
            // `The loop is not meant to run at each turn`.
            "meant" if lifted && self.next(&["to"]) => Some(SHOULD_NOT),
            "override" | "overrides" | "trump" | "trumps" if self.at > 0 => {
                // `It does not override the owner`.
                Some(if self.before(&["not", "never", "don't", "doesn't"]) { MUST_NOT } else { MUST })
            }
            "precedence" => Some(MUST),
            "wins" | "prevails"
                if (self.at > 1 || self.clause[0].kind == WordKind::Code)
                    && !self.pronoun()
                    && (self.at + 1 == self.clause.len() || self.next(&["without", "over"])) =>
            {
                Some(MUST)
            }
            _ => None,
        }
    }
}
