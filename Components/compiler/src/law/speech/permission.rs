//! What somebody is free to do, and what nobody is: `you may`, `is fine`, `cannot`, `only permitted`.

use super::lexicon::FINITE;
use super::modal::{Place, SEEMING, bounds};
use super::mood::{MAY, MUST, MUST_NOT, Mood, SHOULD};
use super::word::WordKind;

impl Place<'_> {
    /// `you may`, `you cannot`, `is fine`.
    pub(crate) fn permission(&self, lower: &str) -> Option<Mood> {
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
            // `Small ships: May skip the survey`. `May cause delays` tells.
            "may" | "can"
                if self.at == 0
                    && self.next(&[
                        "skip", "omit", "defer", "reuse", "combine", "proceed", "choose", "edit", "modify",
                        "commit", "push", "merge", "bypass",
                    ]) =>
            {
                Some(MAY)
            }
            "cannot" | "can't" if self.supposed() => None,
            // `Bots cannot merge`: who has no say. `Subagents cannot see the log` tells.
            "cannot" | "can't" if self.lacks_authority() || self.is_kept_off() => Some(MUST_NOT),
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
            "can" | "may" if self.agent() && self.at <= 2 && !self.next(&["not"]) && !self.befalls(lower) => {
                Some(MAY)
            }
            // `It may not sail without a pilot`: what only may happen has no such guard.
            "may" if self.next(&["not"]) && (!self.pronoun() || bounds(self.clause)) && !self.guesses() => {
                Some(MUST_NOT)
            }
            // `minor: may be fixed later`
            "may" if self.at == 0 && !self.clause[0].capital && self.next(&["be"]) => Some(MAY),
            "may" if self.role() && !self.next(SEEMING) && !self.guesses() => Some(MAY),
            "can" | "may"
                if self.may_be_done()
                    || self.agent_may()
                    || self.bounded_behind(lower)
                    || self.may_be_used(lower) =>
            {
                Some(MAY)
            }
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
            // `Pictures are welcome but not required`
            "welcome" if copula && self.next(&["but"]) && self.after_next(&["not"]) => Some(MAY),
            _ => (copula && FINE.contains(&lower)).then_some(MAY),
        }
    }

    /// `` `$team` may be used inside the trip when the plan asks for it ``, `Old marks may remain within the leg`.
    fn may_be_used(&self, modal: &str) -> bool {
        let used = self.next(&["be"]) && self.after_next(&["used"]);
        let case = || self.clause[self.at..].iter().any(|word| word.any(&["when", "if", "unless"]));
        let remains = || self.next(&["remain"]) && !self.guesses();
        modal == "may" && self.at > 0 && !self.pronoun() && (used && case() || remains())
    }

    /// `may hold a rope only to the bow`: what is left free, and no more.
    fn bounded_behind(&self, modal: &str) -> bool {
        const FARTHEST: usize = 6;
        let behind = &self.clause[self.at + 1..];
        modal == "may"
            && (1..=4).contains(&self.at)
            && !self.pronoun()
            && !self.guesses()
            && bounds(self.clause)
            && behind.iter().take(FARTHEST).any(|word| word.is("only"))
            && self.clause[..self.at].iter().all(|word| word.kind != WordKind::Mark)
    }

    /// `The checks can be run side by side`, `Tests may be skipped for docs`: what an agent does, and is free to do. `The log can be read by
    /// anyone` tells.
    fn may_be_done(&self) -> bool {
        const DONE: &[&str] = &[
            "executed",
            "dispatched",
            "adjusted",
            "skipped",
            "omitted",
            "summarized",
            "summarised",
            "deferred",
            "postponed",
            "relaxed",
            "reused",
            "combined",
            "merged",
            "batched",
            "grouped",
            "shortened",
            "delegated",
            "parallelized",
            "parallelised",
            "waived",
            "dropped",
            "reordered",
            "abbreviated",
        ];
        const FARTHEST: usize = 8;
        // `The checks are independent and can be run side by side`.
        let joined = self.at > 0 && self.clause[self.at - 1].is("and");
        let told = !joined && self.clause[..self.at].iter().any(|word| word.among(FINITE));
        let by = self.clause.get(self.at + 3).is_some_and(|word| word.is("by"));
        self.at <= FARTHEST && self.next(&["be"]) && self.after_next(DONE) && !told && !by
    }

    /// `The agent can search the web`: what it may do, and not what may befall it.
    fn agent_may(&self) -> bool {
        const ACTS: &[&str] = &[
            "search", "use", "write", "read", "create", "call", "run", "ask", "skip", "choose", "decide",
            "add", "edit", "install", "delete", "propose", "suggest", "open", "modify", "change",
        ];
        self.at == 2
            && self.subject(&["the", "your"])
            && self.clause[1].any(&["agent", "assistant"])
            && self.next(ACTS)
    }

    /// `You may see a warning`, `You can find the charts in the hold`: what befalls whoever reads, or is there for them.
    fn befalls(&self, modal: &str) -> bool {
        self.next(&["see", "notice", "need", "encounter", "experience", "receive", "wonder"])
            || self.next(&["find"]) && (modal == "can" || self.after_next(&["that"]))
            || self.next(&["be"]) && self.after_next(&["tempted", "surprised", "wondering", "thinking"])
            || modal == "may" && self.next(&["have"]) && self.after_next(&["noticed", "seen", "heard"])
            || modal == "may" && self.has_perhaps()
    }

    /// `You may have an old chart that the owner knows`: what may be so.
    fn has_perhaps(&self) -> bool {
        self.next(&["have"])
            && self.after_next(&["a", "an", "some"])
            && self.clause[self.at..].iter().any(|word| word.any(&["that", "which"]))
    }

    /// `LOST if the berth cannot be found`: it stands in the case behind a name.
    fn supposed(&self) -> bool {
        let named = self.clause[0].kind == WordKind::Code || self.clause[0].shouted;
        let mut behind = self.clause[..self.at].iter().skip(1).take(2);
        named && behind.any(|word| word.any(&["if", "when", "where"]))
    }

    /// `Bots cannot merge`, `A reviewer can't approve`: several, or a role, and an act that takes authority.
    fn lacks_authority(&self) -> bool {
        const ACTS: &[&str] = &[
            "merge", "push", "approve", "deploy", "commit", "sign", "release", "delete", "publish",
            "override", "edit", "modify",
        ];
        let Some(who) = self.at.checked_sub(1).map(|at| &self.clause[at]) else { return false };
        let several = self.at == 1 && who.capital && who.lower.len() > 3 && who.lower.ends_with('s');
        (several && !self.pronoun() || self.role()) && self.next(ACTS)
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

    /// `Sub-agents CANNOT use the crane`, and not `The owner CANNOT see it`.
    fn is_kept_off(&self) -> bool {
        const STATES: &[&str] = &["see", "hear", "read", "know", "understand", "remember", "be", "have"];
        self.word().shouted && (1..=3).contains(&self.at) && !self.pronoun() && !self.next(STATES)
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
        // `A change may only affect one line`
        if self.next(&["only"])
            && self.after_next(&["affect", "occur", "influence", "concern"])
            && !self.role()
        {
            return true;
        }
        // `may not perfectly match`
        let after =
            self.clause.get(self.at + 2).filter(|word| word.lower.len() > 4 && word.lower.ends_with("ly"));
        if after.is_some() && self.clause.get(self.at + 3).is_some_and(|word| word.any(STATES)) {
            return true;
        }
        let done =
            self.clause.get(self.at + 3).is_some_and(|word| word.lower.ends_with("ed") && !word.any(FOUND));
        // `Tows may run for a long time`
        let lasts = self.next(&["run", "take", "last", "go"])
            && self
                .clause
                .get(self.at + 2)
                .is_some_and(|word| word.any(&["for", "long", "longer", "a", "several", "some"]))
            && self.clause.iter().skip(self.at + 2).take(4).any(|word| {
                word.any(&["while", "time", "long", "longer", "minutes", "hours", "seconds", "days"])
            });
        if lasts {
            return true;
        }
        self.told() || self.after_next(STATES) && !(self.after_next(&["be"]) && done)
    }
}
