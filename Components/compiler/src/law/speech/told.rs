//! Told rules: what a procedure says of itself in the present tense: `The auditor reads the draft`, `Everything else enters the second lane`,
//! `Deploys come after a green run`. What tells of tools and of the world (`The cache holds five entries`, `Agents often forget`) stays a fact:
//! so each rule here wants a subject that is no pronoun and no code, a verb of procedure behind it, and no word that hedges, reports or
//! gives a reason.

use mentci_authority::{Force, Level};

use super::habit::{habit, habit_in_case};
use super::imperative::acts;
use super::implied::implied;
use super::lexicon::{
    ACTS, CONDITIONS, CONNECTIVES, DETERMINERS, FINITE, MADE, ROLES, SUBJECTS, SUFFERED, UNDERGONE,
    is_nounish, is_verb,
};
use super::mood::{IMPERATIVE, Mood};
use super::quiet::Said;
use super::word::{Word, WordKind, first_of};

/// A subject longer than this is no plain one.
const FARTHEST: usize = 9;

/// A clause longer than this is no plain one, unless it is so by what stands behind its colon.
const LONGEST: usize = 40;

/// What a clause orders that tells how the procedure runs.
pub(crate) fn told(clause: &[Word]) -> Option<Mood> {
    clause.first()?.known.told(clause.len(), || find_told(clause))
}

/// What a clause orders that tells how it goes in the case in front of it.
pub(crate) fn told_in_case(rest: &[Word]) -> Option<Mood> {
    if is_verdict_in_case(rest) {
        return Some(IMPERATIVE);
    }
    told(rest).or_else(|| {
        let end = rest.iter().rposition(|word| word.kind != WordKind::Mark)? + 1;
        let start = rest.iter().position(|word| word.kind != WordKind::Mark)?;
        (end - start > 2 && !is_fact(rest) && habit_in_case(Said { words: &rest[start..end] }))
            .then_some(IMPERATIVE)
    })
}

/// `it's dead code`, `that's a cycle`: what something is taken for in a case.
fn is_verdict_in_case(rest: &[Word]) -> bool {
    const FEWEST: usize = 2;
    const MOST: usize = 4;
    const HEDGES: &[&str] = &[
        "probably", "likely", "fine", "ok", "okay", "safe", "expected", "normal", "because", "why", "not",
        "just", "usually", "often", "too", "good", "great", "better", "possible", "unclear", "easy", "hard",
        "up", "time", "all", "enough", "done", "ready", "correct", "wrong", "right", "true", "false",
        "already", "where", "how", "what", "when", "to", "in", "of", "for", "on", "by", "with", "from",
        "also", "still", "problem", "issue",
    ];
    let plain: Vec<&Word> = rest.iter().filter(|word| word.kind != WordKind::Mark).collect();
    let said = match plain[..] {
        [its, ref said @ ..] if its.any(&["it's", "that's"]) => said,
        [it, is, ref said @ ..] if it.any(&["it", "that", "this"]) && is.is("is") => said,
        _ => return false,
    };
    let named = said.first().is_some_and(|first| first.any(&["a", "an"]))
        || said.len() > 1 && said.last().is_some_and(|last| is_nounish(&last.lower));
    (FEWEST..=MOST).contains(&said.len())
        && named
        && said
            .iter()
            .all(|word| word.kind == WordKind::Plain && !word.any(HEDGES) && !word.lower.ends_with("ed"))
}

fn find_told(clause: &[Word]) -> Option<Mood> {
    let start = clause.iter().position(|word| word.kind != WordKind::Mark)?;
    let end = clause.iter().rposition(|word| word.kind != WordKind::Mark || word.lower == ")")? + 1;
    let links = clause[start].any(&["then", "and", "also", "otherwise", "instead", "afterwards"]);
    let start = start + usize::from(links);
    let start = start + usize::from(links && clause.get(start).is_some_and(|next| next.mark(",")));
    let mut said = Said { words: clause.get(start..end)? };
    // What a colon adds to a rule may be long.
    if said.words.len() > LONGEST {
        said.words = &said.words[..said.words.iter().position(|word| word.mark(":"))?];
    }
    if !(2..=LONGEST).contains(&said.words.len()) {
        return None;
    }
    // What has been done is part of when it is over.
    let ends = |at: usize| said.is(at + 1, &["only"]) && said.is_reached(at + 1);
    if said.still_goes_on() || said.verb(&["is", "are"]).is_some_and(ends) {
        return Some(IMPERATIVE);
    }
    if said.will_be_barred() {
        return Some(Mood::Order(Level::MustNot, Force::Implied));
    }
    if let Some(mood) = implied(said) {
        return Some(mood);
    }
    if is_fact(clause) {
        return None;
    }
    let rule = said.moves()
        || said.takes_place()
        || said.is_confined()
        || said.has_part()
        || said.stands_for()
        || said.takes_all()
        || said.contrasts()
        || said.is_given()
        || said.addresses()
        || said.holds_for()
        || said.demands()
        || said.uses();
    if said.verb(&["is", "are"]).is_some_and(|at| {
        said.is(at + 1, &["out"]) && said.is(at + 2, &["of"]) && said.is(at + 3, &["scope", "bounds"])
    }) {
        return Some(Mood::Order(Level::MustNot, Force::Implied));
    }
    if said.stands_for_none() || said.waits_for_none() {
        return Some(Mood::Order(Level::MustNot, Force::Implied));
    }
    rule.then_some(IMPERATIVE).or_else(|| said.outweighs()).or_else(|| said.waives()).or_else(|| habit(said))
}

/// Words of those who tell how the world is: what is frequent, possible, past or a reason.
pub(crate) fn is_fact(clause: &[Word]) -> bool {
    const HEDGES: &[&str] = &[
        "often",
        "usually",
        "typically",
        "sometimes",
        "generally",
        "frequently",
        "normally",
        "mostly",
        "rarely",
        "commonly",
        "likely",
        "probably",
        "automatically",
        "already",
        "silently",
        "naturally",
        "inevitably",
        "tend",
        "tends",
        "can",
        "could",
        "may",
        "might",
        "will",
        "would",
        "was",
        "were",
        "had",
        "did",
        "been",
        "i",
        "me",
        "my",
        "nobody",
    ];
    const REASONS: &[&str] = &[
        "because", "since", "so", "as", "that", "which", "while", "though", "although", "what", "how", "why",
        "where", "who",
    ];
    // `… or a note on why it could not be done`.
    let asks = |word: &Word| word.any(&["why", "whether", "how"]);
    let told = first_of(clause, HEDGES).is_some_and(|at| !clause[..at].iter().any(asks));
    let opens = clause.iter().find(|word| word.kind != WordKind::Mark).is_some_and(|word| word.any(REASONS));
    told || opens || clause.iter().any(|word| word.lower == "?")
}

/// Prepositions that say where, whither or when.
const PLACES: &[&str] = &[
    "to", "into", "in", "on", "under", "through", "at", "before", "after", "behind", "beside", "inside",
    "back",
];

impl Said<'_> {
    /// Whether the words in front of `at` name what is spoken of: `New findings on old code`, `The [strong] menu`.
    pub(crate) fn subject(&self, at: usize) -> bool {
        let words = &self.words[..at];
        let first = self.first();
        let named = |word: &Word| {
            word.depth > 0
                || word.kind != WordKind::Mark && !word.among(FINITE)
                || matches!(word.lower.as_str(), "(" | ")" | "/" | "," | "-" | "&")
        };
        let pointed = first.any(&["this", "that", "these", "those"]) && at > 1;
        let opens = first.among(SUBJECTS) && !pointed
            || first.among(CONDITIONS) && !first.is("only")
            || first.among(CONNECTIVES) && !first.any(&["first", "second", "next"])
            || first.lower.ends_with("ing") && first.capital && !first.is("everything");
        at > 0
            && words.iter().filter(|word| word.depth == 0).count() <= FARTHEST
            && first.kind == WordKind::Plain
            && !opens
            && !words[at - 1].among(DETERMINERS)
            && words.iter().all(named)
            && !words[1..].iter().any(|word| {
                word.depth == 0
                    && word.any(&["that", "who", "which", "you", "not", "no", "to", "if", "when", "unless"])
            })
    }

    /// The place of the first of these verbs behind a subject.
    pub(crate) fn verb(&self, verbs: &[&str]) -> Option<usize> {
        self.position(verbs).filter(|&at| self.subject(at))
    }

    /// `Late findings go to the ledger`, `The menu comes after the tests`, `The branch stays until it is merged`.
    fn moves(&self) -> bool {
        const STAYING: &[&str] = &[
            "put",
            "until",
            "in",
            "on",
            "where",
            "with",
            "out",
            "inside",
            "within",
            "under",
            "below",
            "intact",
            "unchanged",
            "untouched",
            "open",
            "closed",
            "green",
            "private",
            "local",
            "here",
            "off",
            "at",
        ];
        const ROUTES: &[&str] =
            &["tier", "model", "route", "path", "lane", "priority", "precedence", "slot", "track", "queue"];
        let goes = self.verb(&["go", "goes"]).is_some_and(|at| {
            self.is(at + 1, PLACES)
                || self.is(at + 1, &["first", "last"])
                    && self.words.get(at + 2).is_none_or(|next| {
                        next.kind == WordKind::Mark || next.any(&["so", "because", "and", "before", "after"])
                    })
        });
        let all = self.first().any(&["all", "every"]);
        let comes = self.verb(&["come", "comes"]).is_some_and(|at| {
            self.is(at + 1, &["before", "after", "first", "last", "next"])
                || all && self.is(at + 1, &["from", "out"])
        });
        let stays = self.verb(&["stay", "stays"]).is_some_and(|at| self.is(at + 1, STAYING))
            || self.is(0, &["it", "they"]) && self.is(1, &["stay", "stays"]) && self.is(2, &["put", "until"]);
        let joins =
            self.verb(&["join", "joins", "enter", "enters", "re-enter", "re-enters", "leave", "leaves"]);
        let lands = self.verb(&["land", "lands"]).is_some_and(|at| self.is(at + 1, &["in", "on", "under"]));
        let joins = joins.is_some_and(|at| self.is(at + 1, &["the", "this", "that"]));
        let surfaces = self.verb(&["surface", "surfaces", "escalate", "escalates", "return", "returns"]);
        let surfaces = surfaces.is_some_and(|at| self.is(at + 1, &["to"]));
        let takes = self.verb(&["take", "takes", "get", "gets"]).is_some_and(|at| {
            self.is(at + 1, &["the", "a", "an"])
                && self.words[at..].iter().take(6).any(|word| word.any(ROUTES))
        });
        goes || comes || stays || lands || joins || surfaces || takes
    }

    /// `The loop starts when a review fails`, `Cleanup runs for option 1`, `The review happens once`.
    fn takes_place(&self) -> bool {
        const RUNS: &[&str] = &[
            "runs",
            "starts",
            "begins",
            "ends",
            "stops",
            "closes",
            "triggers",
            "fires",
            "happens",
            "applies",
            "terminates",
            "opens",
            "resumes",
            "repeats",
            "restarts",
            "finishes",
        ];
        const WHEN: &[&str] = &[
            "when", "whenever", "once", "after", "before", "until", "for", "only", "at", "with", "as",
            "twice",
        ];
        // `All writing happens in the cabin`.
        let all = self.first().any(&["all", "every"])
            && self
                .verb(&["happens", "happen"])
                .is_some_and(|at| self.is(at + 1, &["in", "inside", "on", "at"]));
        if all || self.has_steps() || self.goes_in_turn() {
            return true;
        }
        let Some(at) = self.position(RUNS) else { return false };
        let timed = self.is(at + 1, WHEN) || self.is(at + 1, &["in"]) && self.number(at + 2);
        let bare = at == 0 && self.first().capital && self.is(1, &["for", "only", "after", "before", "once"]);
        let act = at > 0 && self.subject(at) && self.words[at - 1].among(ACTS);
        let once = self.words[at].is("happens") && at > 0 && self.subject(at) && self.is(at + 1, &["once"]);
        timed && (bare || act) || once
    }

    /// `The review reads its parts in turn`, `Phases run in parallel`: the order of what a procedure does.
    fn goes_in_turn(&self) -> bool {
        const DOING: &[&str] = &[
            "executes",
            "runs",
            "processes",
            "proceeds",
            "handles",
            "takes",
            "goes",
            "walks",
            "works",
            "execute",
            "run",
            "proceed",
            "happen",
            "go",
            "dispatches",
        ];
        const TURNS: &[&str] = &["sequence", "order", "parallel", "turn", "series", "batches"];
        let Some(at) = self.verb(DOING).filter(|&at| at > 0) else { return false };
        let noun = &self.words[at - 1];
        let act = noun.among(ACTS)
            || noun.is("pipeline")
            || noun.lower.strip_suffix('s').is_some_and(|one| super::lexicon::lists_of(one).meet(ACTS));
        let rest = &self.words[at + 1..];
        let turned = rest.windows(2).any(|pair| pair[0].is("in") && pair[1].any(TURNS))
            || rest.iter().any(|word| word.any(&["sequentially", "serially", "strictly"]))
            || rest.windows(4).any(|run| {
                run[0].is("one") && run[1].any(&["at", "by", "after"]) && run[2].any(&["a", "one"])
            });
        act && turned
    }

    /// `This happens in two steps`, `The work proceeds in three phases`.
    fn has_steps(&self) -> bool {
        const PARTS: &[&str] = &["steps", "phases", "stages", "passes", "rounds", "parts", "legs", "waves"];
        let near = &self.words[..self.words.len().min(10)];
        let Some(at) = near.iter().rposition(|word| word.any(PARTS)) else { return false };
        let counted = at > 2 && self.number(at - 1) && self.is(at - 2, &["in"]);
        let goes = at > 3
            && (self
                .is(at - 3, &["happens", "proceeds", "runs", "unfolds", "done", "place", "goes", "works"]));
        let whole = self.is(0, &["this", "it", "the", "everything"]) || self.first().lower.ends_with('s');
        counted && goes && whole
    }

    /// `A voyage is only over when the log is signed`: `only` stands in front of the end that it bounds.
    fn is_reached(&self, only: usize) -> bool {
        const REACHED: &[&str] = &[
            "complete",
            "done",
            "finished",
            "over",
            "ready",
            "acceptable",
            "accepted",
            "final",
            "closed",
            "eligible",
            "justified",
            "warranted",
            "appropriate",
            "allowed",
            "resolved",
            "approved",
            "fixed",
            "verified",
        ];
        self.is(only + 1, REACHED)
            && self.is(only + 2, &["when", "once", "if", "after", "with", "for", "in", "where"])
    }

    /// `The recipes below are for trial runs only`, `Rulings are made only at the cap`, `You decide only after the vote`.
    fn is_confined(&self) -> bool {
        const BOUNDS: &[&str] = &[
            "as", "at", "on", "to", "by", "from", "before", "with", "during", "once", "until", "through",
            "via", "for", "when", "after", "if", "in", "inside", "under",
        ];
        const TOOLS: &[&str] = &[
            "works",
            "work",
            "supported",
            "supports",
            "available",
            "visible",
            "fails",
            "affects",
            "matters",
            "helps",
            "valid",
            "true",
            "returned",
            "loaded",
            "differ",
            "differs",
            "exposed",
        ];
        let Some(only) = self.words.iter().rposition(|word| word.depth == 0 && word.is("only")) else {
            return false;
        };
        let last = only + 1 == self.words.len();
        let bound = self.is_reached(only)
            || self.is(only + 1, BOUNDS)
            || self.is(only + 1, &["actionable", "permitted"]);
        let verb = (1..only).find(|&at| {
            self.words[at].among(FINITE)
                || at + 1 == only && acts(&self.words[at])
                || self.is(at, &["go", "go", "run", "happen", "exists", "adjudicate", "decide"])
        });
        let near = self.words.len().min(only + 2);
        let tool = self.words[..near].iter().any(|word| word.any(TOOLS))
            || self.words[..only].iter().any(|word| word.any(&["not", "don't", "isn't"]));
        let agent = self.is(0, &["you"]) && only == 2;
        let subject = verb.is_some_and(|at| self.subject(at)) || agent;
        (bound || last && only > 2) && subject && !tool
    }

    /// `The implementer writes the report and returns the status`, `Agent follows the rule`: what a role of the procedure does.
    fn has_part(&self) -> bool {
        let near = self.words.len().min(4);
        let Some(role) = (0..near).find(|&at| self.words[at].among(ROLES)) else { return false };
        let named = self.is(0, &["the", "each"])
            || self.words[..=role].iter().take(1 + role).all(|word| word.capital)
            || role == 0 && self.first().capital;
        let plain = self.words[..role]
            .iter()
            .all(|word| word.kind == WordKind::Plain && !word.among(FINITE) && !word.any(PLACES));
        let verb = role + 1;
        let aside =
            |word: &Word| word.lower.ends_with("ly") || word.any(&["also", "then", "always", "still"]);
        let verb = verb + usize::from(self.words.get(verb).is_some_and(aside));
        let acting = self.words.get(verb).is_some_and(|word| {
            let calls =
                word.is("loads") && self.words.get(verb + 1).is_some_and(|next| next.kind == WordKind::Code);
            (acts(word) || word.any(&["gets", "verdicts", "takes", "keeps", "goes"]))
                && (!word.among(SUFFERED) || calls)
        });
        // `Reviewer notes stay private`, `Controller fixes cost you context`: the verb is a noun.
        let object = |at: usize| {
            self.words.get(at).is_some_and(|word| word.among(DETERMINERS) || word.any(&["you", "your"]))
        };
        let noun = self.words.get(verb + 1).is_some_and(|next| {
            let links = next.among(DETERMINERS)
                || next.among(CONDITIONS)
                || next.among(CONNECTIVES)
                || next.lower.ends_with("ly");
            next.among(FINITE) || next.kind == WordKind::Plain && !links && object(verb + 2)
        });
        named && plain && acting && !noun && verb + 1 < self.words.len()
    }

    /// `The end state is handing over the keys`, `X is the next step`, `A finding that blocks is the owner's decision`.
    fn stands_for(&self) -> bool {
        const POINTS: &[(&str, &str)] = &[
            ("terminal", "state"),
            ("final", "state"),
            ("end", "state"),
            ("terminal", "outcome"),
            ("next", "step"),
            ("first", "step"),
            ("last", "step"),
            ("final", "step"),
            ("starting", "point"),
            ("final", "gate"),
            ("final", "say"),
            ("exit", "condition"),
            ("stop", "condition"),
        ];
        let point = |from: usize, upto: usize| {
            self.words[from..upto]
                .windows(2)
                .position(|pair| POINTS.iter().any(|(a, b)| pair[0].is(a) && pair[1].is(b)))
        };
        let Some(be) = self.position(&["is"]).filter(|at| (1..=14).contains(at)) else { return false };
        let told = self.is(0, &["this", "that", "it", "there", "here"])
            || self.is(be + 1, &["not", "when", "where"]);
        let subject = self.is(0, &["the"]) && point(0, be).is_some_and(|at| at + 2 == be || at <= 1);
        let behind =
            self.is(be + 1, &["the", "your"]) && point(be + 1, self.words.len().min(be + 5)).is_some();
        let owner = self.words[be + 1..].iter().take(5).any(|word| word.any(&["decision", "call"]))
            && self.words[be + 1..]
                .iter()
                .take(4)
                .any(|word| word.lower.ends_with("'s") || word.lower.ends_with("’s"));
        // `A repair round is one repair plus one check`.
        let counted =
            self.is(0, &["a", "an"]) && self.number(be + 1) && !self.is(be + 2, &["of"]) && self.subject(be);
        !told && (subject || behind || owner || counted)
    }

    /// `Everything else enters the second lane` (`moves`), `A failed merge stops everything`, `Everything signed`.
    fn takes_all(&self) -> bool {
        let stops = self.verb(&["stops", "blocks", "halts", "stop", "block", "halt"]).is_some_and(|at| {
            self.is(at + 1, &["everything", "all"])
                || self.is(at + 1, &["the"])
                    && self.is(
                        at + 2,
                        &[
                            "line", "release", "merge", "build", "loop", "run", "deploy", "rollout",
                            "pipeline",
                        ],
                    )
        });
        let follows = self.verb(&["follows", "follow"]).is_some_and(|at| {
            self.words[..at].iter().any(|word| {
                word.any(&["process", "workflow", "procedure", "all", "every", "entire", "whole"])
            })
        });
        let whole = self.is(0, &["everything"])
            && self.words.len() <= 3
            && !self.is(1, &["else"])
            && self.words.iter().all(|word| word.kind == WordKind::Plain && !word.among(FINITE));
        stops || follows || whole && !self.is(1, &["you", "i", "we", "about", "that"])
    }

    /// `A brief describes one task, not the session`, `… rather than the session`: what is said of an artefact, against what it is not to be.
    fn contrasts(&self) -> bool {
        const HOLDING: &[&str] = &[
            "describes",
            "documents",
            "covers",
            "names",
            "states",
            "reports",
            "lists",
            "addresses",
            "carries",
            "summarizes",
            "cites",
            "quotes",
            "flows",
            "starts",
            "ends",
            "derives",
            "describe",
            "cover",
            "name",
            "state",
            "report",
            "list",
            "flow",
            "start",
            "end",
            "belong",
            "belongs",
            "runs",
            "run",
            "executes",
            "execute",
        ];
        let denies = |from: usize| {
            self.words[from..].windows(2).any(|pair| {
                matches!(pair[0].lower.as_str(), "," | "(") && pair[1].is("not")
                    || pair[0].is("rather") && pair[1].is("than")
            })
        };
        // `Charts are drawn, not guessed`: how all of a kind come about.
        let done = |word: Option<&Word>| {
            word.is_some_and(|word| {
                word.lower.ends_with("ed") || word.any(&["drawn", "written", "made", "taken", "given"])
            })
        };
        let kind = !self.first().among(DETERMINERS) || self.is(0, &["a", "an", "each", "every", "all"]);
        let made_so = self.verb(&["is", "are"]).filter(|_| kind).is_some_and(|at| {
            done(self.words.get(at + 1))
                && self.words.get(at + 2).is_some_and(|comma| comma.mark(","))
                && self.is(at + 3, &["not", "never"])
                && done(self.words.get(at + 4))
        });
        let about = self.is(0, &["this"]) && self.is(1, &["is"]) && self.is(2, &["about"]);
        let aims = self.is(0, &["the", "your"])
            && self.is(1, &["goal", "aim", "point", "focus"])
            && self.is(2, &["is"])
            && self
                .words
                .windows(2)
                .any(|pair| (pair[0].mark("—") || pair[0].mark(",")) && pair[1].is("not"));
        aims || about && denies(3) || made_so || self.verb(HOLDING).is_some_and(denies)
    }

    /// `The final review gets a package, too`: what a step of the procedure is given.
    fn is_given(&self) -> bool {
        let Some(at) = self.verb(&["get", "gets", "receives", "receive"]) else { return false };
        let act = self.words[at - 1].among(ACTS) || self.words[at - 1].among(MADE);
        act && (self.is(at + 1, &["a", "an", "its", "their"]) || self.number(at + 1))
    }

    /// `You tell the crew what they carry`: said to the agent, of what it does.
    fn addresses(&self) -> bool {
        let verb = 1 + usize::from(
            self.words.get(1).is_some_and(|word| word.lower.ends_with("ly") || word.is("then")),
        );
        let does = self.words.get(verb).is_some_and(|word| {
            word.kind == WordKind::Plain && is_verb(&word.lower) && !word.among(UNDERGONE)
        });
        self.is(0, &["you"]) && does && verb + 2 < self.words.len()
    }

    /// `Native viewing requires a profile`, `Raw chords require focus`: what must be there.
    fn demands(&self) -> bool {
        const VAGUE: &[&str] =
            &["more", "less", "much", "some", "no", "fewer", "little", "you", "us", "that", "care"];
        let Some(at) = self.verb(&["require", "requires"]) else { return false };
        let some = self.first().any(&["most", "many", "some", "few", "several", "this", "that"]);
        // `The bot requires a token` tells of one thing.
        let one = self.first().among(DETERMINERS) && !self.first().any(&["a", "an"]);
        !some && !one && at + 1 < self.words.len() && !self.is(at + 1, VAGUE)
    }

    /// `Headings use `--accent``, `Branch names use `feat/``: what all of a kind are made with.
    fn uses(&self) -> bool {
        let Some(at) = self.verb(&["use"]) else { return false };
        let first = self.first();
        let kind = !first.among(DETERMINERS)
            && !first.any(&["both", "these", "those", "they", "some", "many", "most"]);
        // `Changes use `<ins>` tags` tells of a format.
        let named = |word: &Word| word.kind != WordKind::Plain || word.any(&["and", "or"]);
        let code = self.words.get(at + 1).is_some_and(|next| next.kind == WordKind::Code);
        // `Bills, logs, and tolls use the words of the ledger verbatim`.
        let strictly =
            self.words.last().is_some_and(|last| last.any(&["verbatim", "exclusively", "throughout"]));
        kind && first.capital && (strictly || code && self.words[at + 1..].iter().all(named))
    }

    /// `A green build is not a substitute for a review`, `A preview does not authorize the release`: what is not to be taken for it.
    fn stands_for_none(&self) -> bool {
        const SUBSTITUTES: &[&str] =
            &["substitute", "replacement", "permission", "authorization", "excuse", "approval"];
        const LEAVE: &[&str] = &[
            "authorize",
            "authorise",
            "replace",
            "justify",
            "excuse",
            "override",
            "supersede",
            "waive",
            "constitute",
            "grant",
            "satisfy",
        ];
        const ENOUGH: &[&str] = &["enough", "sufficient", "proof", "evidence", "grounds"];
        let is = self.verb(&["is", "are"]).filter(|&at| self.is(at + 1, &["not", "no", "never"]));
        let alone = |at: usize| {
            self.words[..at].iter().any(|word| word.any(&["alone", "itself", "themselves", "own"]))
                || self.words[at + 3..].iter().any(|word| word.any(&["alone", "itself", "themselves"]))
        };
        let near = |at: usize| {
            self.words[at + 2..].iter().take(3).any(|word| word.any(SUBSTITUTES))
                || self.is(at + 2, ENOUGH) && alone(at)
        };
        // `A clean hull does not count as a survey`.
        let counts = |at: usize| {
            self.is(at + 2, &["count", "qualify", "serve", "pass"]) && self.is(at + 3, &["as", "for"])
        };
        let does = self
            .verb(&["does", "do"])
            .or(self.is(0, &["it"]).then_some(1))
            .filter(|&at| self.is(at + 1, &["not", "never"]));
        // `Reading the log by itself is not enough`.
        let deed = || {
            let gerund = self.first().capital && self.first().lower.ends_with("ing");
            let at = self.copula().filter(|_| gerund)?;
            Some(self.is(at + 1, &["not", "never"]) && self.is(at + 2, ENOUGH) && alone(at))
        };
        is.is_some_and(near)
            || deed() == Some(true)
            || does.is_some_and(|at| self.is(at + 2, LEAVE) || counts(at))
    }

    /// `No rope is cut before the mate agrees`: what has to come first.
    fn waits_for_none(&self) -> bool {
        let Some(at) = self.copula().filter(|at| (2..=6).contains(at)) else { return false };
        let done = self.words.get(at + 1).is_some_and(|next| {
            next.lower.ends_with("ed")
                || next.any(&["written", "cut", "made", "done", "sent", "taken", "run", "begun"])
        });
        let rest = &self.words[at + 1..];
        self.is(0, &["no"])
            && done
            && rest.iter().take(5).any(|word| word.any(&["before", "until", "without"]))
    }

    /// `This applies to every ship`, `The rule holds for all of them`.
    fn holds_for(&self) -> bool {
        let this = self.is(0, &["this", "these"]) && self.is(1, &["applies", "apply"]) && self.is(2, &["to"]);
        let rule = self.is(0, &["the", "this", "that"]) && self.is(1, &["rule", "limit", "gate", "rules"]);
        let holds = rule && self.is(2, &["holds", "applies", "apply", "hold"]) && self.is(3, &["for", "to"]);
        this || holds
    }

    /// `Small mends do not need the whole suite`: nobody has to give it to them.
    fn waives(&self) -> Option<Mood> {
        let at = self.verb(&["do", "does"])?;
        let needs = self.is(at + 1, &["not"])
            && self.is(at + 2, &["need", "require"])
            && self.is(at + 3, &["a", "an", "the", "any"]);
        (needs && self.first().capital).then_some(Mood::Order(Level::May, Force::Implied))
    }

    /// `One good sample beats many`.
    fn outweighs(&self) -> Option<Mood> {
        let at = self.verb(&["beats", "beat", "outweighs"])?;
        let counts = self.number(0) || self.is(0, &["fewer", "less"]);
        let many = self.words[at + 1..]
            .iter()
            .any(|word| word.any(&["many", "several", "dozens", "ten", "more", "five"]));
        (counts && many).then_some(Mood::Order(Level::Should, Force::Implied))
    }
}
