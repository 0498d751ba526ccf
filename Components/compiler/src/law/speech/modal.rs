//! Clauses whose subject must, should, may or must not: the words of RFC 2119, and those that people use in their place.

use mentci_authority::{Force, Level};

use super::imperative::acts;
use super::lexicon::{DETERMINERS, FINITE, FINITE_OR_PLURAL, is_role, is_verb};
use super::mood::{MAY, MUST, MUST_NOT, Mood, SHOULD, SHOULD_NOT, asks, denies_rule, has_finite, mood_of};
use super::word::{Word, WordKind, may_hold};

/// A modal further from the start than this belongs to another thought.
const FARTHEST: usize = 24;

/// What a clause with a subject orders, if it orders.
pub(crate) fn modal(clause: &[Word]) -> Option<Mood> {
    if asks(clause)
        || denies_rule(clause)
        || clause.first().is_some_and(|word| word.any(&["not", "no"]))
        || names_by_modal(clause)
        || asks_within(clause)
    {
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

/// `what path they should follow next`, `which ropes can be reused`: a question that another sentence takes in.
fn asks_within(clause: &[Word]) -> bool {
    const LONGEST: usize = 12;
    let opens = clause
        .first()
        .is_some_and(|first| !first.capital && first.any(&["what", "which", "how", "where", "who"]));
    opens
        && clause.len() <= LONGEST
        && !clause.iter().any(|word| word.mark(",") || word.mark(":") || word.mark("—") || word.mark("→"))
        && !clause.iter().any(|word| word.any(&["must", "never", "is", "are"]))
}

/// `Anything that should never be sold`, `Crates that must not get wet`: what it names, by what holds of it.
fn names_by_modal(clause: &[Word]) -> bool {
    const FARTHEST_MODAL: usize = 4;
    let modal = |word: &Word| {
        word.any(&["must", "mustn't", "should", "shouldn't", "may", "cannot", "can't", "can", "shall"])
    };
    let Some(at) = clause.iter().take(FARTHEST_MODAL + 1).position(modal).filter(|&at| at > 1) else {
        return false;
    };
    let relative = clause[at - 1].any(&["that", "which"]);
    let goes_on = |word: &Word| {
        word.kind == WordKind::Mark && !matches!(word.lower.as_str(), "." | "\n")
            || word.among(FINITE) && !word.any(&["never"])
            || acts(word)
    };
    let rest = clause[at + 1..].iter().skip_while(|word| word.any(&["not", "never", "be", "only"]));
    relative
        && clause[..at - 1].iter().all(|word| word.kind == WordKind::Plain && !word.among(FINITE))
        && !is_verb(&clause[0].lower)
        && !rest.skip(1).any(goes_on)
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
    const OPENING: &[&str] = &["you", "agents", "never", "always", "don't", "do", "so"];
    if !may_hold(clause, OPENING) {
        return None;
    }
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
        // `…, so it is NEVER part of the tow`
        let barred = before.is("so")
            && clause[at].any(&["it", "they"])
            && clause[at + 1].any(&["is", "are"])
            && clause.get(at + 2).is_some_and(|never| never.is("never") && never.shouted);
        let of_thing = before.is("so") && at > 2 && clause[at - 2].mark(",") && binds_thing(&clause[at..]);
        let mood = if agent {
            modal(&clause[at..])
        } else if direct || barred || of_thing {
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

/// `The pilot sleeps, so long names must stand in full`: a thing, and what must or should be so of it.
fn binds_thing(rest: &[Word]) -> bool {
    const LONGEST: usize = 6;
    const MODALS: &[&str] = &["must", "mustn't", "shall", "should", "shouldn't"];
    let outside = || rest.iter().filter(|word| word.depth == 0 && !matches!(word.lower.as_str(), "(" | ")"));
    let Some(modal) = outside().take(LONGEST + 1).position(|word| word.any(MODALS)) else { return false };
    let named = outside().take(modal).all(|word| word.kind != WordKind::Mark);
    // `…, so the boat must have sunk`, `… must be sinking` infer.
    let is = |at: usize, lower: &str| outside().nth(at).is_some_and(|word| word.is(lower));
    let behind = outside().nth(modal + 2);
    let infers = is(modal + 1, "have") && !behind.is_some_and(|word| word.among(DETERMINERS))
        || is(modal + 1, "be") && behind.is_some_and(|word| word.lower.ends_with("ing"));
    modal > 0
        && named
        && !infers
        && !rest[0].any(&["it", "this", "that", "there", "they", "i", "we", "he", "she", "these", "those"])
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

/// `Welcome, but not required`: it takes nothing back.
const EASED: &[&str] =
    &["required", "needed", "necessary", "mandatory", "obligatory", "expected", "encouraged"];

/// Whether a permission says whom or what it leaves out, or how far only it goes: it binds.
pub(crate) fn bounds(clause: &[Word]) -> bool {
    let is = |at: usize, lowers: &[&str]| clause.get(at).is_some_and(|word| word.any(lowers));
    // `You may skip it when only the log changed`: it says what the case is.
    let of_case =
        |at: usize| is(at, &["only"]) && at > 0 && is(at - 1, &["if", "when", "where", "while", "that"]);
    (0..clause.len()).filter(|&at| !of_case(at)).any(|at| {
        is(at, &["except", "excepting", "excluding", "only", "unless"])
            || is(at, &["but"])
                && (is(at + 1, &["not", "never"]) && !is(at + 2, EASED) || at > 0 && is(at - 1, EVERYONE))
            || is(at, &["apart", "aside"]) && is(at + 1, &["from"])
            || is(at, &["other"]) && is(at + 1, &["than"])
            || is(at, &["save"]) && is(at + 1, &["for"])
    })
}

/// What somebody may do without being free to.
pub(crate) const SEEMING: &[&str] = &[
    "not", "appear", "seem", "look", "fail", "forget", "miss", "be", "have", "get", "need", "never", "also",
    "still", "want",
];

/// To do this with something is not to do it.
const REMINDING: [&str; 3] = ["forget", "fail", "neglect"];

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
    if !clause.first().is_some_and(|word| word.any(&["each", "every"])) {
        return None;
    }
    // `Each note = one fault`.
    let equals = clause.iter().any(|word| word.lower == "=");
    let judged = clause.windows(2).any(|pair| pair[0].any(&["is", "are"]) && pair[1].any(TOLD));
    let able =
        clause.iter().any(|word| word.depth == 0 && word.any(&["can", "could", "might", "will", "would"]));
    let each = (has_finite(clause) || equals) && !able && !judged;
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
pub(crate) struct Place<'c> {
    pub(crate) clause: &'c [Word],
    pub(crate) at: usize,
}

impl Place<'_> {
    pub(crate) fn word(&self) -> &Word {
        &self.clause[self.at]
    }

    pub(crate) fn subject(&self, words: &[&str]) -> bool {
        self.clause.first().is_some_and(|word| word.any(words))
    }

    pub(crate) fn agent(&self) -> bool {
        self.subject(&["you", "agents", "agent", "claude"])
    }

    /// `The agent may`, `Any reviewer may`: somebody with a part in the procedure.
    pub(crate) fn role(&self) -> bool {
        let Some(who) = self.at.checked_sub(1).filter(|at| *at <= 3).map(|at| &self.clause[at]) else {
            return false;
        };
        who.kind == WordKind::Plain && is_role(&who.lower)
    }

    /// `During releases nobody may push`, `Without tests nothing is merged`.
    pub(crate) fn rules_out(&self) -> bool {
        const OPENING: &[&str] =
            &["without", "during", "in", "on", "before", "after", "until", "while", "outside", "at"];
        self.subject(OPENING) && self.next(&["may", "can", "must", "shall", "is", "gets", "should"])
    }

    /// `Maintainers may merge, but only after two approvals`.
    pub(crate) fn leaves_out(&self) -> bool {
        let rest = &self.clause[self.at + 1..];
        bounds(rest) && rest.iter().any(|word| word.mark(",")) || self.next(&["only"])
    }

    /// `Everyone but guests`, `All files`, `Any member`.
    pub(crate) fn of_all(&self) -> bool {
        let each = self.subject(&["any", "every"]) && bounds(self.clause);
        self.at > 0 && self.at <= 8 && (self.subject(EVERYONE) || each)
    }

    pub(crate) fn pronoun(&self) -> bool {
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

    pub(crate) fn next(&self, words: &[&str]) -> bool {
        self.clause.get(self.at + 1).is_some_and(|next| next.any(words))
    }

    pub(crate) fn after_next(&self, words: &[&str]) -> bool {
        self.clause.get(self.at + 2).is_some_and(|next| next.any(words))
    }

    pub(crate) fn before(&self, words: &[&str]) -> bool {
        self.clause[..self.at].iter().any(|word| word.any(words))
    }

    /// Whether a finite verb stands before: then the clause tells, and this word belongs to what it tells.
    pub(crate) fn told(&self) -> bool {
        // `All changes`, `Most runs`: no verb stands there.
        let things = self.subject(&["all", "most", "many", "some", "these", "those", "such", "both", "no"]);
        (1..self.at).any(|at| {
            let word = &self.clause[at];
            word.among(FINITE) || word.among(FINITE_OR_PLURAL) && !(things && at == 1)
        })
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
        if mark || !reason && !aside {
            return mark;
        }
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
        // `Functions longer than fifty lines are not allowed`: it measures which ones.
        let measures = word.is("than") && !in_front && !self.told() && self.at <= 6;
        // `Files which bear a header must …`: the clause says which ones.
        let narrows = word.any(&["which", "who", "whose"]) && !in_front && !self.told() && self.at <= 6;
        (reason && !measures && !(narrows && orders_later()))
            || (aside && !in_front && (case || !orders_later()))
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
        // `The audit must have been run`, of what is asked for in few words.
        const LONGEST: usize = 10;
        let due = self.word().is("must")
            && self.at > 0
            && !self.pronoun()
            && self.clause.len() <= LONGEST
            && (self.after_next(&["been"])
                || self.after_next(&["passed", "approved", "signed", "completed"]));
        let after = self.clause.get(self.at + 2);
        !due && self.next(&["have"])
            && after.is_some_and(|word| word.lower.ends_with("ed") || word.any(PARTICIPLES))
    }

    /// The keywords of RFC 2119.
    fn keyword(&self, lower: &str) -> Option<Mood> {
        let negated = || {
            self.next(&["not", "never"]) && !self.after_next(&["only", "just"])
                || self.next(&["no"]) && self.after_next(&["longer"])
                || self.negated_later()
                || self.keeps_from()
        };
        let before = self.at.checked_sub(1).map(|at| &self.clause[at]);
        // `The variable A must be set`: there it is a name.
        let noun = before.is_some_and(|word| {
            word.any(&["the", "a", "this", "that"]) && !(word.is("a") && word.capital && self.at > 1)
        });
        if noun && !self.binds_what_was_said() {
            return None;
        }
        match lower {
            "should" | "shouldn't" if self.spares() => None,
            "must" | "should" if self.remarks() => None,
            "should" if self.foresees() => None,
            "must" | "shall" | "shalt" => Some(if negated() && !self.reminds() { MUST_NOT } else { MUST }),
            "mustn't" if self.next(&REMINDING) && self.after_next(&["to"]) => Some(MUST),
            "mustn't" => Some(MUST_NOT),
            "should" if self.clause.get(self.at + 1).is_some_and(|next| next.is("never") && next.shouted) => {
                Some(MUST_NOT)
            }
            "should" => Some(if negated() && !self.reminds() { SHOULD_NOT } else { SHOULD }),
            "shouldn't" => Some(SHOULD_NOT),
            "required" | "mandatory" | "non-negotiable"
                if self.at > 0
                    && (!self.pronoun() || self.is_named() || self.is_stressed())
                    && !self.needs_none() =>
            {
                Some(MUST)
            }
            "recommended" | "preferred" if self.at > 1 && self.clause[self.at - 1].is("longer") => {
                Some(SHOULD_NOT)
            }
            // `the risk of your preferred course`
            "preferred" if before.is_some_and(|word| word.any(&["your", "their", "our", "my"])) => None,
            "recommended" | "preferred" | "preferable" if self.at > 0 => Some(SHOULD),
            "not" => self.negation(),
            _ => None,
        }
    }

    /// `one lookup, no index file required`: nothing has to be there.
    fn needs_none(&self) -> bool {
        const FARTHEST: usize = 4;
        let near = &self.clause[self.at.saturating_sub(FARTHEST)..self.at];
        let none = near.iter().rposition(|word| word.any(&["no", "zero"]));
        none.is_some_and(|none| near[none + 1..].iter().all(|word| word.kind != WordKind::Mark))
    }

    /// `This must run before every launch`, but not `This must be why it sank`, which guesses, or `This should float`.
    fn binds_what_was_said(&self) -> bool {
        const GUESSED: &[&str] = &["why", "because", "how", "what", "where", "a", "an", "some", "due"];
        let guesses = self.next(&["have", "mean", "seem", "feel", "look"])
            || self.next(&["be"]) && self.after_next(GUESSED);
        self.at == 1
            && self.subject(&["this", "that"])
            && (self.word().shouted || self.word().any(&["must", "mustn't", "shall"]) && !guesses)
    }

    /// `This is unconditionally required`: it says so again, and more.
    fn is_stressed(&self) -> bool {
        let before = self.at.checked_sub(1).map(|at| &self.clause[at]);
        before.is_some_and(|word| word.any(&["unconditionally", "strictly", "absolutely"]))
    }

    /// `must not forget to sound`, `should never fail to sign`: it asks that something is done.
    fn reminds(&self) -> bool {
        self.next(&["not", "never"])
            && self.after_next(&REMINDING)
            && self.clause.get(self.at + 3).is_some_and(|to| to.is("to"))
    }

    /// `It should be noted that the hull is old`: it only remarks.
    fn remarks(&self) -> bool {
        let noted = &["noted", "mentioned", "remembered", "said", "stressed", "emphasized", "understood"];
        self.at == 1
            && self.subject(&["it"])
            && self.next(&["be"])
            && self.after_next(noted)
            && self.clause.get(4).is_some_and(|that| that.is("that"))
    }

    /// `You should see a new folder`, `It should take about a minute`, `The lamps should now burn`: what comes of it.
    fn foresees(&self) -> bool {
        const ABOUT: &[&str] =
            &["about", "around", "roughly", "approximately", "a", "less", "no", "between", "only", "under"];
        self.subject(&["you"]) && self.next(&["see", "notice", "observe"])
            || self.next(&["look"]) && self.after_next(&["like", "similar", "something"])
            || self.pronoun() && self.next(&["take"]) && self.after_next(ABOUT)
            || self.next(&["now"]) && !self.subject(&["you"])
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
        let none = self.subject(&["there"]) && matches!(near, [be, no, ..] if be.is("be") && no.is("no"))
            || matches!(near, [has, no, ..] if has.any(&["have", "contain", "include", "use", "carry"]) && no.is("no"));
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
        // `why and when NOT to reef`: a topic.
        let asked = self
            .at
            .checked_sub(1)
            .is_some_and(|at| self.clause[at].any(&["when", "how", "where", "whether"]));
        if self.at > 1 && asked && self.next(&["to"]) {
            return None;
        }
        if self.next(&["optional"]) {
            return Some(MUST);
        }
        if self.next(&["allowed", "permitted", "acceptable", "accepted", "tolerated", "okay", "ok"])
            || self.next(&["fine"]) && self.after_next(&["to"])
        {
            return Some(MUST_NOT);
        }
        if self.next(&["required", "necessary", "needed", "mandatory", "obligatory"]) {
            // `Ropes not needed on deck should be stowed`
            let told = self.at > 0 && !self.clause[self.at - 1].any(&["is", "are", "was", "were", "it's"]);
            let bound = self.clause[self.at + 2..].iter().any(|word| word.any(&["should", "must", "shall"]));
            return Some(MAY).filter(|_| !(told && bound));
        }
        // `Failures are not retried here`
        let be = self.at.checked_sub(1).is_some_and(|at| self.clause[at].any(&["is", "are"]));
        let here = self
            .clause
            .iter()
            .rev()
            .find(|word| word.kind != WordKind::Mark)
            .is_some_and(|last| last.is("here"));
        let done = self.clause.get(self.at + 1).is_some_and(|next| next.lower.ends_with("ed"));
        if be && here && done && self.at > 1 && !self.pronoun() {
            return Some(MUST_NOT);
        }
        let outright = self.word().shouted && self.at > 0 && !self.pronoun() && !self.is_value();
        (outright && !self.told_of_object()).then_some(MUST_NOT)
    }

    /// `List the hosts you could NOT reach`, `Report each case that did NOT pass`: it says which ones an order is about.
    fn told_of_object(&self) -> bool {
        const TELLING: &[&str] = &["could", "did", "have", "has", "had", "were", "was"];
        const LINKS: &[&str] = &["you", "we", "they", "it", "that", "which", "who", "what"];
        // `What is NOT done in this plan`: the name of something.
        let names = self.clause[0].is("what's")
            || self.clause[0].any(&["what", "which"])
                && self.clause[1..self.at].iter().any(|word| word.any(&["is", "are", "was", "were"]));
        names && !self.clause[1..self.at].iter().any(|word| word.any(&["you", "we", "agents"]))
            || self.at > 3
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
}
