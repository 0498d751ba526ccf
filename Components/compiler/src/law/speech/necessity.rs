//! What is needed, customary or judged: `we don't`, `needs to`, `always`, `never`, `is forbidden`, `takes precedence`.

use mentci_authority::{Force, Level};

use super::lexicon::{
    ACTS, DETERMINERS, FINITE, LEAVE, MADE, ROLES, SUBJECTS, WITHHELD, is_nounish, is_verb,
};
use super::modal::Place;
use super::mood::{MAY, MUST, MUST_NOT, Mood, SHOULD, SHOULD_NOT, has_finite};
use super::word::WordKind;

impl Place<'_> {
    /// `we don't use X`, `I don't want you to X`, `you had better not X`, `you are expected to X`.
    pub(crate) fn custom(&self, lower: &str) -> Option<Mood> {
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
            self.clause
                .get(self.at + at)
                .is_some_and(|next| next.kind == WordKind::Plain && is_verb(&next.lower) && !next.any(TOLD))
        };
        let belongs = |at: usize| {
            self.at > 0
                && !self.pronoun()
                && self.clause.get(self.at + at).is_some_and(|word| word.is("belong"))
        };
        match lower {
            "don't" | "do" if we && self.leaves_free() => Some(MAY),
            "don't" | "doesn't" if belongs(1) => Some(MUST_NOT),
            "do" | "does" if self.next(&["not", "never"]) && belongs(2) => Some(MUST_NOT),
            "belong" | "belongs" if self.belongs_there() => Some(Mood::Order(Level::Must, Force::Implied)),
            "don't" | "doesn't" if plainly && verb(1) => Some(MUST_NOT),
            "do" | "does" if plainly && self.next(&["not"]) && verb(2) => Some(MUST_NOT),
            // `` `anchor` goes on the bow, not on the stern ``: where a thing belongs, and where not.
            "goes" | "go" if self.goes_nowhere_else() => Some(Mood::Order(Level::Must, Force::Implied)),
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
            "expected" if self.next(&["to"]) && self.before(&["not", "aren't", "isn't"]) => Some(MAY),
            "expected" if self.next(&["to"]) && self.subject(&["you", "you're"]) => Some(MUST),
            "does" if self.spares_somebody() => Some(MAY),
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
                    && self.clause.get(self.at + 2).is_some_and(|word| is_verb(&word.lower)) =>
            {
                Some(MUST)
            }
            "require" | "requires" if self.waits_for_leave() => Some(MUST),
            "require" | "requires" if self.at <= 4 && self.subject(&["all", "every", "each", "any"]) => {
                Some(MUST)
            }
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

    /// `We do not require it`, `We don't forbid it`: what is not demanded and not forbidden is left free.
    fn leaves_free(&self) -> bool {
        const LEAVING: &[&str] = &[
            "forbid",
            "prohibit",
            "ban",
            "disallow",
            "discourage",
            "require",
            "enforce",
            "insist",
            "demand",
            "mandate",
            "expect",
        ];
        let denied = usize::from(self.next(&["not"]));
        let verb = self.clause.get(self.at + 1 + denied);
        (denied > 0 || self.word().is("don't")) && verb.is_some_and(|verb| verb.any(LEAVING))
    }

    /// `The agent does not have to ask`.
    fn spares_somebody(&self) -> bool {
        self.next(&["not"])
            && self.after_next(&["have", "need"])
            && self.at > 0
            && self.clause[self.at - 1].any(&["agent", "assistant", "reviewer", "author"])
            && self.clause.get(self.at + 3).is_some_and(|word| word.is("to"))
    }

    /// `Sails belong in the locker`.
    fn belongs_there(&self) -> bool {
        self.at > 0
            && !self.pronoun()
            && !self.told()
            && !self.clause[self.at - 1].any(&["that", "which", "who"])
            && self.next(&["in", "under", "at", "inside", "outside"])
    }

    /// `goes on the bow, not on the stern`.
    fn goes_nowhere_else(&self) -> bool {
        let rest = &self.clause[self.at..];
        (1..=6).contains(&self.at)
            && !self.pronoun()
            && self.next(&["in", "on", "into", "under", "inside", "at"])
            && rest.windows(2).any(|pair| pair[0].mark(",") && pair[1].is("not"))
    }

    /// `needs to`, `has to`, `always`, `never`, `only`.
    pub(crate) fn need(&self, lower: &str) -> Option<Mood> {
        const BOUNDS: &[&str] =
            &["appropriate", "if", "when", "after", "for", "be", "use", "in", "via", "through"];
        if self.at == 0 {
            return None;
        }
        let bound = || !self.pronoun() && !self.told();
        match lower {
            // `Small repairs may wait, anything larger needs a dock`
            "needs" | "requires" if self.of_the_rest() => Some(MUST),
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
                let all = self.subject(&["all", "every", "each"]);
                if self.next(&["to"]) || leave || you || all {
                    return Some(MUST);
                }
                // `The lamp needs oil` tells.
                let kind = self.subject(&["a", "an", "any", "you", "your"]);
                let made = || {
                    self.clause[..self.at]
                        .iter()
                        .any(|word| word.among(MADE) || word.among(ACTS) || word.among(ROLES))
                };
                let first = &self.clause[0];
                let several = lower == "need"
                    && !first.among(DETERMINERS)
                    && !first.among(SUBJECTS)
                    && !first.is("both");
                (kind || several || made()).then_some(SHOULD)
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

    /// `files, tools and forbidden areas`: of which kind the last of several is.
    fn names_beside_others(&self) -> bool {
        self.at > 0
            && self.at + 2 == self.clause.len()
            && self.clause[self.at + 1].kind == WordKind::Plain
            && (self.clause[self.at - 1].any(&["and", "or"]) || self.clause[self.at - 1].mark(","))
            && !has_finite(self.clause)
    }

    /// `The recommended way is …`, `The pilot is the right choice for …`: what is advised.
    fn is_advised(&self) -> bool {
        const ADVISED: &[&str] =
            &["recommended", "preferred", "right", "best", "correct", "idiomatic", "canonical", "safest"];
        let the = |at: usize| self.clause[at].is("the");
        if self.at < 2 || !self.clause[self.at - 1].any(ADVISED) || !the(self.at - 2) {
            return false;
        }
        // `The best way is unknown` tells.
        let is = self.clause[self.at..].iter().position(|word| word.is("is")).map(|is| self.at + is + 1);
        let named = is.and_then(|at| self.clause.get(at)).is_some_and(|next| {
            next.kind == WordKind::Code
                || next.capital
                || next.any(&["to", "by", "with", "via", "through", "using"])
                || next.among(DETERMINERS)
        });
        let opens = self.at == 2 && self.next(&["is", "for", "to"]) && named;
        let told = self.at > 3
            && self.clause[self.at - 3].any(&["is", "are"])
            && self.next(&["when", "for", "if", "whenever", "here", "in"]);
        opens || told
    }

    /// `…, anything larger`, `…, everything else`: the rest of what stands in front.
    fn of_the_rest(&self) -> bool {
        const FARTHEST: usize = 4;
        let near = &self.clause[self.at.saturating_sub(FARTHEST)..self.at];
        near.windows(2)
            .any(|pair| pair[0].mark(",") && pair[1].any(&["anything", "everything", "anyone", "others"]))
    }

    /// `Any change of course requires approval`
    fn waits_for_leave(&self) -> bool {
        self.at <= 6
            && self.subject(&["any", "a", "an"])
            && self.clause[self.at + 1..].iter().take(3).any(|word| word.among(LEAVE))
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
                || next.any(&["had", "was", "were", "did", "saw", "got"])
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
    pub(crate) fn judgement(&self, lower: &str) -> Option<Mood> {
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
            // `Tows by night are off the table`
            "table"
                if self.at > 3
                    && self.clause[self.at - 3].any(&["is", "are"])
                    && self.clause[self.at - 2].is("off")
                    && self.clause[self.at - 1].is("the") =>
            {
                Some(if lifted { MAY } else { MUST_NOT })
            }
            "frowned" if self.at > 1 && self.next(&["upon", "on"]) => Some(SHOULD_NOT),
            "no-no" | "no-go" if self.at > 1 => Some(if lifted { MAY } else { MUST_NOT }),
            "encouraged" if called && !lifted => Some(SHOULD),
            "expected" if called && !lifted && self.at + 1 == self.clause.len() && !self.pronoun() => {
                Some(MUST)
            }
            "unacceptable" | "dishonest" | "dishonesty" | "lying" | "cheating" | "failure" if called => {
                Some(MUST_NOT)
            }
            // `403 Forbidden`: what a server answers.
            "forbidden" if self.at == 1 && self.clause[0].lower == "403" => None,
            "forbidden" | "prohibited" | "banned" | "off-limits" if self.names_beside_others() => None,
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
            "override" | "overrides" if self.at > 0 && self.clause[self.at - 1].any(&["may", "can"]) => {
                Some(MAY)
            }
            "override" | "overrides" | "trump" | "trumps" if self.at > 0 && self.takes_object() => {
                // `It does not override the owner`.
                Some(if self.before(&["not", "never", "don't", "doesn't"]) { MUST_NOT } else { MUST })
            }
            "precedence" => Some(MUST),
            "approach" | "way" | "method" | "choice" | "option" | "tool" | "practice" | "pattern"
                if self.is_advised() =>
            {
                Some(SHOULD)
            }
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

    /// `overrides the chart`, `Scalars override, lists add up`, and neither `Gate overrides` nor `overrides ask twice`.
    fn takes_object(&self) -> bool {
        // `It takes overrides for the night`
        const BEHIND_NOUN: &[&str] = &["for", "in", "from", "of", "to", "via"];
        let ends = self.clause.get(self.at + 1).is_some_and(|next| next.mark(","));
        if ends && self.at == 1 && self.word().is("override") && self.clause[0].lower.ends_with('s') {
            return true;
        }
        self.clause.get(self.at + 1).is_some_and(|next| {
            next.kind != WordKind::Mark
                && !next.among(FINITE)
                && !next.any(BEHIND_NOUN)
                && (!is_verb(&next.lower) || is_nounish(&next.lower))
        })
    }
}
