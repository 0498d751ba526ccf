//! Who is held back, bound or let go in other words than those of RFC 2119: `You will not think for the guests`, `Nothing is stowed without
//! a label`, `Roll calls are no longer optional`, `Drills are exempt from the roll call`.

use super::imperative::acts;
use super::lexicon::{DETERMINERS, is_role, is_verb};
use super::mood::{MAY, MUST, MUST_NOT, Mood, asks};
use super::word::{Word, WordKind, first_of};

/// Who follows the text, by name.
const AGENTS: &[&str] = &["claude", "codex", "gemini", "agent", "agents", "assistant", "copilot"];

/// What may be done is.
const FITTING: &[&str] = &["fine", "ok", "okay", "acceptable", "alright", "allowed", "permitted"];

/// What such a clause orders, forbids or permits; none for any other.
pub(crate) fn held_back(clause: &[Word]) -> Option<Mood> {
    let said = Said(clause);
    if said.lets_off() {
        Some(MAY)
    } else if asks(clause) {
        None
    } else if said.binds() {
        Some(MUST)
    } else {
        said.holds_back().then_some(MUST_NOT)
    }
}

struct Said<'w>(&'w [Word]);

impl Said<'_> {
    fn is(&self, at: usize, lowers: &[&str]) -> bool {
        self.0.get(at).is_some_and(|word| word.any(lowers))
    }

    /// Whether these words stand at `at`, each one of its list.
    fn says(&self, at: usize, phrase: &[&[&str]]) -> bool {
        phrase.iter().enumerate().all(|(place, lowers)| self.is(at + place, lowers))
    }

    /// Whether they stand anywhere, found by the word of the phrase at `by`.
    fn says_around(&self, by: usize, phrase: &[&[&str]]) -> bool {
        let found = first_of(self.0, phrase[by]).and_then(|at| at.checked_sub(by));
        found.is_some_and(|at| self.says(at, phrase))
    }

    /// A verb of what is done, and not of what befalls somebody: `You will not see the pier`.
    fn does(&self, at: usize) -> bool {
        const BEFALLING: &[&str] = &[
            "see",
            "be",
            "find",
            "need",
            "have",
            "get",
            "notice",
            "lose",
            "receive",
            "hear",
            "know",
            "want",
            "regret",
            "believe",
            "recognize",
            "remember",
            "always",
            "usually",
            "only",
            "even",
        ];
        self.0.get(at).is_some_and(|word| is_verb(&word.lower) && !word.any(BEFALLING))
    }

    /// `Drills are exempt from the roll call`, `You don't always need a pilot`. `No boat is exempt` lets none off.
    fn lets_off(&self) -> bool {
        let sometimes = self.says_around(1, &[&["don't", "doesn't", "not"], &["always"], &["need", "have"]]);
        let exempt = self.says_around(1, &[&["is", "are"], &["exempt"], &["from"]])
            && !self.is(0, &["no", "none", "nobody", "nothing", "is", "are"]);
        sometimes || exempt
    }

    /// `Roll calls are no longer optional`, `You're only allowed to sail by day`, `The model is expected to cite the chart`.
    fn binds(&self) -> bool {
        let no_longer = self.says_around(3, &[&["is", "are"], &["no"], &["longer"], &["optional"]]);
        let only: &[&[&str]] = &[&["only"], &["allowed", "permitted"], &["to"]];
        let only = self.is(0, &["you're"]) && self.says(1, only)
            || self.says(0, &[&["you"], &["are"]]) && self.says(2, only);
        let expected: &[&[&str]] = &[&["is", "are"], &["expected"], &["to"]];
        let named =
            self.agent().or_else(|| self.says(0, &[&["the", "this"], &["model", "skill"]]).then_some(2));
        no_longer || only || named.is_some_and(|behind| self.says(behind, expected))
    }

    /// Where the words behind the name of an agent begin.
    fn agent(&self) -> Option<usize> {
        let named = usize::from(self.is(0, &["the", "this"]));
        self.is(named, AGENTS).then_some(named + 1)
    }

    fn holds_back(&self) -> bool {
        self.refrains() || self.is_not_free() || self.nothing_is_done() || self.nobody_does()
    }

    /// `You will not think for them`, `You won't guess`, `Codex can't push`, `The agent will not guess`.
    fn refrains(&self) -> bool {
        let who = if self.is(0, &["you"]) { Some(1) } else { self.agent() };
        who.is_some_and(|at| {
            self.says(at, &[&["will"], &["not", "never"]]) && self.does(at + 2)
                || self.is(at, &["won't"]) && self.does(at + 1)
                || !self.is(0, &["you"]) && self.is(at, &["can't", "cannot"]) && self.does(at + 1)
        })
    }

    /// `You are not free to choose`, `You no longer may sing`, `It is not fine to row alone`, `The log isn't to be edited`.
    fn is_not_free(&self) -> bool {
        self.says(0, &[&["you"], &["are"], &["not"], &["free"], &["to"]])
            || self.says(0, &[&["you"], &["no"], &["longer"], &["may", "can"]])
            || self.says(0, &[&["it"], &["is"], &["not", "never"], FITTING, &["to"]])
            || self.says(0, &[&["it"], &["isn't"], FITTING, &["to"]])
            || self.says_around(0, &[&["isn't", "aren't"], &["to"], &["be"]])
    }

    /// `Nothing is merged without review`, `Apart from logs, nothing may be written to disk`.
    fn nothing_is_done(&self) -> bool {
        const BOUNDS: &[&str] = &["without", "unless", "until", "before"];
        const FARTHEST: usize = 7;
        let Some(at) = first_of(self.0, &["nothing", "nobody"]).filter(|at| *at < FARTHEST) else {
            return false;
        };
        let done = self.0.get(at + 2).is_some_and(|done| done.lower.ends_with("ed"));
        self.says(at + 1, &[&["may", "must", "should"], &["be"]])
            || done
                && self.is(at + 1, &["is", "gets"])
                && self.0[at..].iter().take(FARTHEST).any(|word| word.any(BOUNDS))
    }

    /// `The orchestrator does not write code`, `Workers do not merge`: what somebody with a part in the procedure leaves to others. `The editor
    /// does not need a key` tells.
    fn role_leaves(&self) -> bool {
        const LEFT: &[&str] = &[
            "approve",
            "assign",
            "begin",
            "bypass",
            "change",
            "claim",
            "close",
            "code",
            "commit",
            "communicate",
            "create",
            "decide",
            "delegate",
            "delete",
            "deploy",
            "do",
            "edit",
            "execute",
            "fabricate",
            "fix",
            "grade",
            "guess",
            "implement",
            "invent",
            "judge",
            "make",
            "merge",
            "message",
            "modify",
            "negotiate",
            "override",
            "own",
            "publish",
            "push",
            "refactor",
            "release",
            "rewrite",
            "run",
            "sign",
            "skip",
            "spawn",
            "start",
            "submit",
            "take",
            "talk",
            "touch",
            "write",
        ];
        let named = usize::from(self.0.first().is_some_and(|first| first.among(DETERMINERS)));
        if !self.0.get(named).is_some_and(|who| who.kind == WordKind::Plain && is_role(&who.lower)) {
            return false;
        }
        let not = self.is(named + 1, &["do", "does"]) && self.is(named + 2, &["not", "never"]);
        let act = named + 2 + usize::from(not);
        (not || self.is(named + 1, &["don't", "doesn't"]))
            && self.is(act, LEFT)
            && !self.is(act + 1, &["in", "on", "at", "if", "when", "well", "anymore"])
    }

    /// `Authors don't merge their own work`, `No one edits the chart`, `Zero tolerance for leaks`.
    fn nobody_does(&self) -> bool {
        const THEY: &[&str] = &[
            "authors",
            "reviewers",
            "contributors",
            "maintainers",
            "developers",
            "agents",
            "bots",
            "workers",
        ];
        self.role_leaves()
            || self.says(0, &[THEY, &["don't"]]) && self.does(2)
            || self.says(0, &[&["no"], &["one"]]) && self.0.get(2).is_some_and(acts)
            || self.says(0, &[&["zero"], &["tolerance"], &["for"]])
    }
}
