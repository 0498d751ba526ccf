//! Habits: what is told of the things that a procedure makes and reads, as if it were so already: `Orders are read from the ledger`, `A
//! crate with an empty label is ignored`, `The report groups faults by ship`, `The captain's list wins`. Who tells so of a thing that is
//! still to be made says how to make it. What tells of tools (a subject in code, a name, `This …`) stays a fact.

use mentci_authority::{Force, Level};

use super::imperative::acts;
use super::lexicon::{ACTS, DETERMINERS, FINITE, MADE, SUBJECTS, is_verb};
use super::mood::{IMPERATIVE, Mood};
use super::quiet::Said;
use super::word::WordKind;

const MAY: Mood = Mood::Order(Level::May, Force::Implied);

/// What a clause without its end mark tells as a habit.
pub(crate) fn habit(said: Said<'_>) -> Option<Mood> {
    let binds = said.prevails()
        || said.falls_back()
        || said.is_disposed_of()
        || said.is_drawn_from()
        || said.is_due_first()
        || said.means_it()
        || said.shapes()
        || said.is_of_somebody()
        || said.is_left_to_user()
        || said.goes_to_one_alone()
        || said.belongs()
        || said.lists_what_is_allowed()
        || said.is_nothing_without()
        || said.holds_throughout()
        || said.is_so_by_default()
        || said.is_done_alike()
        || said.branches();
    if said.is_barred() || said.none_is_there() || said.is_given_none() || said.has_no_place() {
        return Some(Mood::Order(Level::MustNot, Force::Implied));
    }
    if binds { Some(IMPERATIVE) } else { said.is_left_free() }
}

/// What a clause behind a condition tells: `When the harbour names a pilot, both ships follow him`. The condition makes a rule of what is
/// told of things by their kind.
pub(crate) fn habit_in_case(rest: Said<'_>) -> bool {
    rest.you_are_in() || rest.inherits() || rest.is_put_there() || rest.is_so_then()
}

impl Said<'_> {
    /// `The owner's list wins`, `Both charts win over any sketch`, `The last entry takes precedence`.
    fn prevails(&self) -> bool {
        const OVER: &[&str] = &[
            "on", "over", "in", "for", "when", "whenever", "if", "where", "against", "always", "every", "and",
        ];
        let wins = self.verb(&["win", "wins", "prevail", "prevails"]);
        let supersedes = self.verb(&["supersedes", "supersede"]).is_some_and(|at| at + 1 < self.words.len());
        let closes = |at: usize| {
            self.words
                .get(at)
                .is_none_or(|next| next.any(OVER) || next.kind == WordKind::Mark && next.depth == 0)
        };
        let takes = self.verb(&["take", "takes"]).filter(|&at| self.is(at + 1, &["precedence", "priority"]));
        // `Quick wins`.
        let named = |at: usize| at + 1 == self.words.len() && (at == 1 || self.number(0));
        // `Any sketch yields to the chart`.
        let yields = self.verb(&["yields", "yield", "loses", "lose", "defers", "defer"]).is_some_and(|at| {
            self.is(at + 1, &["to"]) && self.is(0, &["any", "each", "every", "all", "a", "an"])
        });
        wins.is_some_and(|at| closes(at + 1) && !named(at)) || takes.is_some() || supersedes || yields
    }

    /// `The clerk tries the ledger and falls back to the slate`.
    fn falls_back(&self) -> bool {
        let Some(at) = self.position(&["falls", "fall"]).filter(|&at| at > 0) else { return false };
        let back = self.is(at + 1, &["back"]) && self.is(at + 2, &["to", "on"]);
        back && !self.first().among(SUBJECTS) && self.first().kind == WordKind::Plain
    }

    /// `A crate without a label is ignored`, `Unsigned notes are discarded`: what becomes of a kind of things.
    fn is_disposed_of(&self) -> bool {
        const DONE: &[&str] = &[
            "ignored",
            "skipped",
            "discarded",
            "dropped",
            "deferred",
            "retained",
            "deduplicated",
            "deduped",
            "escalated",
            "surfaced",
            "noted",
            "quoted",
            "cited",
            "captured",
        ];
        // `A move is held for approval`, `A duplicate is kept once`, `Open points are written as notes`.
        const HOW: &[(&str, &[&str])] = &[
            ("held", &["for", "until", "back"]),
            (
                "kept",
                &[
                    "once", "until", "as", "in", "with", "out", "apart", "verbatim", "separate", "only",
                    "open", "closed",
                ],
            ),
            ("written", &["as", "in", "to", "under", "with", "once", "per"]),
            ("reported", &["as", "in", "to", "with", "under", "separately"]),
            ("recorded", &["as", "in", "under", "with"]),
            ("resolved", &["before", "by"]),
            ("marked", &["as", "with"]),
            ("treated", &["as", "like"]),
        ];
        self.is_of_kind(DONE)
            || HOW.iter().any(|(done, how)| {
                self.verb(&["is", "are"])
                    .is_some_and(|at| self.kind() && self.is(at + 1, &[done]) && self.is(at + 2, how))
            })
    }

    /// Whether it is told of a kind, not of one thing.
    fn kind(&self) -> bool {
        let first = self.first();
        first.any(&["a", "an", "any", "each", "every", "all"]) || !first.among(DETERMINERS)
    }

    /// `Bills without a seal will be rejected`: what will not be taken is not to be made.
    pub(crate) fn will_be_barred(&self) -> bool {
        const BARRED: &[&str] = &["rejected", "refused", "reverted", "declined", "closed"];
        // A server rejects tokens.
        const MADE: &[&str] = &[
            "prs",
            "pr",
            "commits",
            "patches",
            "pull",
            "submissions",
            "contributions",
            "changes",
            "branches",
        ];
        let will = self.position(&["will"]).filter(|at| (1..=6).contains(at));
        will.is_some_and(|at| {
            let kind =
                self.first().capital && !self.first().among(SUBJECTS) && !self.first().among(DETERMINERS);
            let made = self.words[..at].iter().any(|word| word.any(MADE));
            self.is(at + 1, &["be"]) && self.is(at + 2, BARRED) && self.closes(at + 3) && kind && made
        })
    }

    /// `A crate with an empty label is disabled`: it shall not be.
    fn is_barred(&self) -> bool {
        self.is_of_kind(&["disabled", "rejected", "refused"])
    }

    /// `No crate lives in two holds`, `No list leaves the office unsigned`.
    fn none_is_there(&self) -> bool {
        const BEING: &[&str] = &[
            "lives", "appears", "goes", "leaves", "ships", "merges", "lands", "enters", "passes", "crosses",
        ];
        let at = self.position(BEING).filter(|at| (2..=5).contains(at));
        self.is(0, &["no"])
            && at.is_some_and(|at| {
                at + 1 < self.words.len()
                    && self.words[1..at]
                        .iter()
                        .all(|word| word.kind == WordKind::Plain && !word.among(FINITE))
            })
    }

    /// `A crate that is empty gets no mark`: what a kind of things is not to be given.
    fn is_given_none(&self) -> bool {
        let at = self
            .position(&["gets", "get", "receives", "receive", "takes"])
            .filter(|at| (2..=14).contains(at));
        let denied = |at: usize| {
            self.is(at - 1, &["not"]) && self.is(at - 2, &["does", "do"]) && self.is(at, &["get", "receive"])
        };
        at.is_some_and(|at| {
            (self.is(at + 1, &["no"]) || denied(at))
                && at + 2 < self.words.len()
                && self.is(0, &["a", "an", "any", "each", "every"])
                && self.words[1..at].iter().all(|word| word.kind != WordKind::Mark || word.depth > 0)
        })
    }

    /// Whether all of a kind are one of these.
    fn is_of_kind(&self, what: &[&str]) -> bool {
        let Some(at) = self.verb(&["is", "are"]) else { return false };
        self.kind() && self.is(at + 1, what) && self.closes(at + 2)
    }

    /// `A voyage means its way out and home`: how a word is to be taken.
    fn means_it(&self) -> bool {
        self.verb(&["means"]).is_some_and(|at| {
            at <= 3 && self.is(0, &["a", "an"]) && self.is(at + 1, &["its", "all", "every"])
        })
    }

    /// `A crate that leaks belongs on deck`: where it is to be put. `It belongs to the ship` tells whose it is.
    fn belongs(&self) -> bool {
        const THERE: &[&str] = &["in", "on", "at", "under", "inside", "into", "behind", "beside"];
        let Some(at) = self.position(&["belongs", "belong"]).filter(|at| (1..=16).contains(at)) else {
            return false;
        };
        // `Sails that belong in the plan` only says which ones.
        if self.is(at - 1, &["that", "which", "who"]) {
            return false;
        }
        self.is(at + 1, THERE) && !self.first().among(SUBJECTS) && self.first().kind == WordKind::Plain
    }

    /// `Lamps have no place below`, `There is no place for lamps`: what belongs nowhere.
    fn has_no_place(&self) -> bool {
        let Some(at) = self.position(&["no"]).filter(|at| (2..=8).contains(at)) else { return false };
        let has = self.is(at - 1, &["have", "has", "is"]);
        let there = self.is(at + 2, &["in", "on", "at", "inside", "for", "here", "below", "above"]);
        has && there
            && self.is(at + 1, &["place", "business", "room"])
            && !self.first().any(&["this", "that", "it"])
    }

    /// `Allowed marks are a cross and a ring`.
    fn lists_what_is_allowed(&self) -> bool {
        let allowed = self.is(0, &["allowed", "permitted", "accepted", "valid"]);
        allowed && self.first().capital && self.copula().is_some_and(|at| at > 1 && at + 1 < self.words.len())
    }

    /// `A voyage is incomplete without a log`.
    fn is_nothing_without(&self) -> bool {
        let Some(at) = self.verb(&["is", "are"]) else { return false };
        self.is(at + 1, &["incomplete", "invalid", "unfinished", "void"])
            && self.is(at + 2, &["without", "until", "unless"])
    }

    /// `Bills are drafts by default`, `A log is required for all long voyages`: what is so unless somebody says otherwise.
    fn is_so_by_default(&self) -> bool {
        let Some(at) = self.verb(&["is", "are", "stay", "stays", "remain", "remains"]) else { return false };
        let words = &self.words[at + 1..];
        let by_default = words.windows(2).position(|pair| pair[0].is("by") && pair[1].is("default"));
        let made = self.words[at - 1].among(MADE)
            || self.words[at - 1].among(ACTS)
            || self.is(at - 1, &["requests"]) && self.is(0, &["pull", "merge"]);
        let plain = by_default.is_some_and(|by| (1..=3).contains(&by) && self.closes(at + 1 + by + 2));
        let standard = self.is(at + 1, &["standard", "routine", "expected"])
            && self.is(at + 2, &["for", "in"])
            && self.is(at + 3, &["all", "every", "each", "any"]);
        (made && self.kind() && plain) || (made && standard)
    }

    /// `Both crews keep the log identically`, `All bills show the toll the same way`.
    fn is_done_alike(&self) -> bool {
        let all = self.is(0, &["both", "all", "every", "each"]);
        let manner = |at: usize| {
            self.is(at, &["identically"])
                || self.is(at, &["the"])
                    && self.is(at + 1, &["same"])
                    && self.is(at + 2, &["way", "order", "form", "format", "shape", "layout", "steps"])
        };
        all && !self.is(1, &["of"])
            && (3..self.words.len()).any(manner)
            && !self.words.iter().any(|word| word.any(&["are", "is", "work", "works", "behave", "behaves"]))
    }

    /// `The chosen course holds for the whole voyage`.
    fn holds_throughout(&self) -> bool {
        let Some(at) = self.verb(&["holds", "hold", "applies", "apply"]) else { return false };
        let whole = self.is(at + 2, &["all", "every", "each"]) || self.is(at + 3, &["whole", "entire"]);
        self.is(at + 1, &["for", "to", "throughout"]) && whole
    }

    /// `Orders are read from the ledger`, `Prices are taken per crate`: whence something comes.
    fn is_drawn_from(&self) -> bool {
        const CARRIED_OUT: &[&str] = &[
            "executed",
            "run",
            "created",
            "opened",
            "dispatched",
            "delegated",
            "made",
            "written",
            "posted",
            "submitted",
            "published",
            "invoked",
            "drawn",
            "updated",
            "merged",
            "drafted",
            "filed",
            "raised",
            "deployed",
            "released",
            "reviewed",
            "approved",
            "recorded",
        ];
        const DRAWN: &[&str] = &[
            "read",
            "taken",
            "drawn",
            "derived",
            "copied",
            "chosen",
            "picked",
            "decided",
            "collected",
            "archived",
        ];
        let Some(at) = self.verb(&["is", "are"]) else { return false };
        // `Errands are run through the mate`, `Charts are still drawn with chalk`: by what way it is done.
        let done = at + 1 + usize::from(self.is(at + 1, &["still", "always", "all", "only", "then"]));
        let way = self.is(done, CARRIED_OUT) && self.is(done + 1, &["via", "through", "with", "using"]);
        let pointed = self.is(0, &["this", "that", "these", "those"]);
        let drawn = self.is(at + 1, DRAWN) && self.is(at + 2, &["from", "to", "per", "in", "into", "out"]);
        !pointed && (drawn || way && self.kind())
    }

    /// `` `late` requires its `early` done first ``: what comes before a thing that has a name in code.
    fn is_due_first(&self) -> bool {
        let Some(at) =
            self.position(&["requires", "require", "needs", "need"]).filter(|at| (1..=3).contains(at))
        else {
            return false;
        };
        let last = self.words.len() - 1;
        !self.first().among(SUBJECTS) && at < last && self.is(last, &["first", "beforehand"])
    }

    /// `A crate whose label is lost still counts, without a price`.
    pub(crate) fn still_goes_on(&self) -> bool {
        const ON: &[&str] = &[
            "runs", "counts", "applies", "needs", "gets", "requires", "goes", "passes", "holds", "receives",
            "run", "count", "apply", "need", "get", "require", "go", "pass", "hold", "receive",
        ];
        let Some(at) = self.position(&["still"]).filter(|&at| at > 1) else { return false };
        self.is(0, &["a", "an", "any", "each", "every"]) && self.is(at + 1, ON)
    }

    /// `The report groups faults by ship`, `A bill keeps its number`, `PLAN.md names crates by their mark`: the form of what is made.
    fn shapes(&self) -> bool {
        const SHAPING: &[&str] = &[
            "groups",
            "keeps",
            "specifies",
            "cites",
            "references",
            "cross-references",
            "inherits",
            "orders",
            "sorts",
            "repeats",
            "omits",
            "mirrors",
            "quotes",
            "states",
        ];
        const FORMS: &[&str] =
            &["structure", "template", "format", "layout", "convention", "conventions", "scheme", "order"];
        // `The bill follows the layout of the ledger`.
        let formed = self.verb(&["follows"]).filter(|&at| {
            let near = &self.words[at + 1..self.words.len().min(at + 6)];
            near.iter().any(|word| word.any(FORMS))
        });
        let Some(at) = self.verb(SHAPING).or(formed) else { return false };
        let subject = &self.words[..at];
        let file = at == 1 && self.first().capital && self.first().lower.ends_with(".md");
        let made = self.is(0, &["the", "a", "an", "each", "every"]) && subject[at - 1].among(MADE);
        // `A crate that is marked late keeps its place until noon`.
        let until = || {
            self.is(0, &["a", "an", "each", "every"])
                && self.is(at, &["keeps"])
                && self.words[at..].iter().any(|word| word.is("until"))
        };
        (file || made || until()) && at + 1 < self.words.len()
    }

    /// `The last word is the owner's`: whose it is to decide.
    fn is_of_somebody(&self) -> bool {
        const WHO: &[&str] = &["user's", "owner's", "human's", "author's", "maintainer's", "caller's"];
        let Some(at) = self.verb(&["is", "are", "stays", "stay", "remains", "remain"]) else { return false };
        self.is(at + 1, &["the", "your"]) && self.is(at + 2, WHO) && self.closes(at + 3)
    }

    /// `User picks the route`, `then the user confirms it`: a step that the agent leaves to somebody.
    fn is_left_to_user(&self) -> bool {
        const DOING: &[&str] = &[
            "confirms", "picks", "chooses", "selects", "approves", "decides", "runs", "narrates", "applies",
            "accepts", "signs", "writes", "reviews", "tests", "answers", "edits",
        ];
        // `User edits on two decks` may be things.
        const NAMES: &[&str] = &["runs", "reviews", "tests", "answers", "edits", "signs"];
        let at = usize::from(self.is(0, &["the"]));
        let who = self.is(at, &["user", "caller", "human", "owner"]);
        let object = self.words.get(at + 2);
        let plainly = object.is_some_and(|next| next.among(DETERMINERS) || next.kind == WordKind::Code);
        who && self.is(at + 1, DOING) && object.is_some() && (plainly || !self.is(at + 1, NAMES))
            || self.is_somebodys_call()
    }

    /// `A change of course is the owner's decision`
    fn is_somebodys_call(&self) -> bool {
        let Some(at) = self.position(&["decision", "call", "choice"]).filter(|&at| at > 3) else {
            return false;
        };
        let owned = self.words[at - 1].lower.ends_with("'s") || self.is(at - 1, &["your", "user's"]);
        let is = self.is(at - 3, &["is", "are"]) && self.is(at - 2, &["the"]);
        owned && is && self.closes(at + 1)
    }

    /// `Goes to the mate alone`: the subject is what was spoken of.
    fn goes_to_one_alone(&self) -> bool {
        let last = self.words.len() - 1;
        let goes = self.is(0, &["goes", "belongs", "applies"]) && self.is(1, &["to", "into", "in"]);
        goes && self.first().capital && self.is(last, &["alone", "only"])
    }

    /// `Weight over 9 goes by cart; otherwise asks the mate`: it says what is done in each case.
    fn branches(&self) -> bool {
        let Some(at) = self.position(&["otherwise"]).filter(|&at| at > 2) else { return false };
        let parted =
            self.words[at - 1].mark(";") || self.words[at - 1].mark(",") || self.words[at - 1].mark("—");
        parted && self.words.get(at + 1).is_some_and(acts) && !self.first().among(SUBJECTS)
    }

    /// `` `open` crates pass freely ``, `` `[]` is valid when nothing is found ``.
    fn is_left_free(&self) -> Option<Mood> {
        let last = self.words.len() - 1;
        let verb = last > 1 && self.words[last - 1].kind == WordKind::Plain && {
            let word = &self.words[last - 1];
            is_verb(&word.lower) || acts(word)
        };
        let freely = verb && self.is(last, &["freely"]) && !self.first().among(SUBJECTS);
        let valid = self.copula().is_some_and(|at| {
            self.is(at + 1, &["valid", "acceptable", "fine", "ok", "okay", "permissible"])
                && self.is(at + 2, &["when", "if", "where"])
                && !self.first().among(SUBJECTS)
        });
        (freely || valid).then_some(MAY)
    }

    /// `you are in quiet mode`.
    fn you_are_in(&self) -> bool {
        let near = &self.words[..self.words.len().min(6)];
        self.is(0, &["you"])
            && self.is(1, &["are"])
            && self.is(2, &["in"])
            && near.iter().any(|word| word.is("mode"))
    }

    /// `it lives in the hold`, of what the condition speaks of.
    fn is_put_there(&self) -> bool {
        const PUT: &[&str] =
            &["lives", "live", "goes", "go", "belongs", "belong", "moves", "move", "stays", "stay"];
        self.is(0, &["it", "they"])
            && self.is(1, PUT)
            && self.is(2, &["in", "into", "to", "under", "on", "at"])
    }

    /// `the crate is blocked`: how it is to be taken in such a case.
    fn is_so_then(&self) -> bool {
        const SO: &[&str] =
            &["blocked", "skipped", "dropped", "ignored", "kept", "treated", "rejected", "discarded"];
        self.verb(&["is", "are"]).is_some_and(|at| {
            self.is(at + 1, SO)
                && self.is(0, &["the", "a", "an", "both", "all", "each"])
                && self.closes(at + 2)
        })
    }

    /// `both ships follow the pilot`, `crates take the mark of the ship`.
    fn inherits(&self) -> bool {
        const TAKING: &[&str] = &[
            "inherit", "inherits", "follow", "follows", "use", "uses", "adopt", "adopts", "read", "reads",
            "apply", "applies", "keep", "keeps", "reuse", "reuses", "match", "matches",
        ];
        let Some(at) = self.verb(TAKING).filter(|&at| at <= 4) else { return false };
        let near =
            |word: &super::word::Word| word.kind == WordKind::Plain && !word.capital && !word.among(FINITE);
        !self.is(0, &["this", "that", "these", "those"])
            && self.words[..at].iter().all(near)
            && at + 1 < self.words.len()
    }

    /// Whether a clause ends here, or only says when, how or why it is so.
    fn closes(&self, at: usize) -> bool {
        const GOING_ON: &[&str] = &[
            "when", "if", "unless", "until", "and", "or", "with", "without", "for", "in", "from", "by", "at",
            "as",
        ];
        self.words.get(at).is_none_or(|next| next.any(GOING_ON) || next.kind == WordKind::Mark)
    }
}
