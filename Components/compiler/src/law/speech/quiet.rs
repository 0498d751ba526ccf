//! Quiet rules: limits and prohibitions that no modal word tells: `There are no direct pushes to main`, `Two approvals per merge`, `Prod
//! deploys happen on Tuesdays only`. What tells of a program (`There is no cache`, `The API is limited to 100 requests`) stays a fact, so
//! these rules speak of what people make and do by rule: commits, branches, releases, functions ([`MADE`]).

use mentci_authority::{Force, Level};

use super::lexicon::{DETERMINERS, LEAVE, LETTER_CASES, MADE, QUIET, SUBJECTS, is_verb};
use super::mood::{IMPERATIVE, Mood};
use super::word::{Word, WordKind, first_of};

const MUST_NOT: Mood = Mood::Order(Level::MustNot, Force::Implied);
const MAY: Mood = Mood::Order(Level::May, Force::Implied);

/// What a clause orders that reads as if it only told or named.
pub(crate) fn quiet(clause: &[Word]) -> Option<Mood> {
    let end = clause.iter().rposition(|word| word.kind != WordKind::Mark || word.lower == ")")? + 1;
    let said = Said { words: &clause[..end] };
    if keeps_state(said.words) || goes_one_way(said.words) {
        return Some(IMPERATIVE);
    }
    if !(2..=24).contains(&end) || !said.words.iter().any(|word| word.among(QUIET)) {
        return None;
    }
    said.counted()
        .or_else(|| said.absent())
        .or_else(|| said.guarded())
        .or_else(|| said.confined())
        .or_else(|| said.kept())
        .or_else(|| said.judged())
        .or_else(|| said.formed())
        .or_else(|| said.same_as_itself())
}

/// `The role stays active`, `All other entries are facts verbatim`: how something is held from there on.
fn keeps_state(words: &[Word]) -> bool {
    const LONGEST: usize = 12;
    let [.., before, last] = words else { return false };
    if !(3..=LONGEST).contains(&words.len()) {
        return false;
    }
    let stays = |word: &Word| word.any(&["stays", "stay", "remains", "remain"]);
    let held = last.is("active") && stays(before)
        || words.windows(3).any(|run| stays(&run[0]) && run[1].is("in") && run[2].any(&["force", "effect"]));
    let verbatim = last.is("verbatim") && words.iter().any(|word| word.any(&["is", "are"]));
    let told = || {
        words[0].any(&["it", "which", "if", "when", "whether", "that"])
            || words.iter().any(|word| word.any(&["will", "was", "were", "may", "can", "not", "no"]))
    };
    (held || verbatim) && !told()
}

/// `Everything goes through the pilot`
fn goes_one_way(words: &[Word]) -> bool {
    matches!(words, [all, goes, through, _, ..] if all.is("everything")
        && goes.any(&["goes", "runs", "passes"])
        && through.any(&["through", "via"]))
}

/// `Clarity over brevity`, `Composition over inheritance`: two qualities, the first of which comes first.
pub(crate) fn outranks(clause: &[Word]) -> bool {
    const QUALITIES: &[&str] = &[
        "quality",
        "quantity",
        "composition",
        "inheritance",
        "convention",
        "configuration",
        "explicit",
        "implicit",
        "evidence",
        "evidences",
        "facts",
        "guesses",
        "speed",
        "comfort",
        "cleverness",
        "progress",
        "performance",
        "substance",
        "style",
        "depth",
        "breadth",
        "process",
        "tests",
        "honesty",
        "safety",
        "convenience",
        "data",
        "opinions",
        "opinion",
        "actions",
        "words",
        "trust",
        "reuse",
        "duplication",
        "abstraction",
        "abstractions",
    ];
    let end = clause.iter().rposition(|word| word.kind != WordKind::Mark).map_or(0, |last| last + 1);
    let words = &clause[..end];
    if !(3..=7).contains(&end) || !words[0].capital || words.iter().any(|word| word.kind != WordKind::Plain) {
        return false;
    }
    let quality = |word: &Word| {
        word.any(QUALITIES) || ["ity", "ness", "cy", "ency"].iter().any(|ending| word.lower.ends_with(ending))
    };
    let over = words.iter().position(|word| word.is("over")).filter(|at| (1..end - 1).contains(at));
    over.is_some_and(|over| quality(&words[over - 1]) && quality(&words[end - 1]))
}

/// `Correctness > clarity > speed`: what comes first. `Settings > Privacy` is a way through menus.
pub(crate) fn ranks(clause: &[Word]) -> bool {
    const LONGEST: usize = 9;
    let end = clause.iter().rposition(|word| word.kind != WordKind::Mark).map_or(0, |last| last + 1);
    let words = &clause[..end];
    let names = |word: &Word| word.lower.chars().all(|c| c.is_alphabetic() || c == '-');
    let parted = words.iter().enumerate().all(|(at, word)| {
        if word.lower == ">" { (1..end - 1).contains(&at) } else { names(word) && (at == 0 || !word.capital) }
    });
    (3..=LONGEST).contains(&end) && parted && words[0].capital && words.iter().any(|word| word.lower == ">")
}

/// `` `make test` before every push ``: a command, and when it is run.
pub(crate) fn runs_when(clause: &[Word]) -> bool {
    let [run, when, each, _, ..] = clause else { return false };
    run.kind == WordKind::Code
        && when.any(&["before", "after", "on"])
        && each.any(&["every", "each", "any", "all"])
        && !clause.iter().any(|word| word.any(&["is", "are", "was", "were", "runs"]))
}

/// `Skip a step = lying`, `Skipping the review means failure`: what an act is called makes it a prohibition.
pub(crate) fn equated(clause: &[Word]) -> Option<Mood> {
    const WRONG: &[&str] = &[
        "lying",
        "lie",
        "failure",
        "fail",
        "failing",
        "violation",
        "cheating",
        "dishonesty",
        "dishonest",
        "unacceptable",
        "rejection",
        "rejected",
        "sabotage",
        "fraud",
        "negligence",
        "malpractice",
        "wrong",
        "failed",
        "forbidden",
        "prohibited",
    ];
    const LINKS: &[&str] = &["a", "an", "the", "automatic", "instant", "immediate", "just", "pure"];
    let first = clause.iter().find(|word| word.kind != WordKind::Mark)?;
    let gerund = first.lower.len() > 5 && first.lower.ends_with("ing");
    if !(first.capital && (gerund || is_verb(&first.lower))) {
        return counts_as(clause).then_some(IMPERATIVE);
    }
    let equals =
        |word: &Word| word.lower == "=" || word.lower == "==" || gerund && word.any(&["means", "equals"]);
    let at = clause.iter().position(equals).filter(|at| (2..=10).contains(at))?;
    let called = clause[at + 1..].iter().find(|word| !word.any(LINKS))?;
    let denied =
        called.is("not") && clause.iter().any(|word| word.any(&["allowed", "permitted", "acceptable", "ok"]));
    (denied || called.any(WRONG)).then_some(Mood::Order(Level::MustNot, Force::Explicit))
}

/// `Signals = hints to weigh, not orders to follow`: what a thing counts as, and what it does not.
fn counts_as(clause: &[Word]) -> bool {
    const FARTHEST: usize = 5;
    let equals = clause.iter().position(|word| word.lower == "=").filter(|at| (1..=FARTHEST).contains(at));
    let against = |pair: &[Word]| (pair[0].mark(",") || pair[0].mark("—")) && pair[1].is("not");
    equals.is_some_and(|at| {
        clause[..at].iter().all(|word| word.kind == WordKind::Plain) && clause[at..].windows(2).any(against)
    })
}

/// A clause without its end mark.
#[derive(Clone, Copy)]
pub(crate) struct Said<'c> {
    pub(crate) words: &'c [Word],
}

impl Said<'_> {
    pub(crate) fn is(&self, at: usize, lowers: &[&str]) -> bool {
        self.words.get(at).is_some_and(|word| word.any(lowers))
    }

    pub(crate) fn first(&self) -> &Word {
        &self.words[0]
    }

    pub(crate) fn position(&self, lowers: &[&str]) -> Option<usize> {
        first_of(self.words, lowers)
    }

    /// Where the copula of a short subject stands.
    pub(crate) fn copula(&self) -> Option<usize> {
        self.position(&["is", "are"]).filter(|at| (1..=6).contains(at))
    }

    /// Whether its first words are of a kind and not of one thing: `Commits`, `Prod deploys`, `All public functions`.
    fn speaks_of_kind(&self, upto: usize) -> bool {
        const SOME: &[&str] =
            &["some", "many", "most", "several", "few", "other", "certain", "both", "only", "no", "such"];
        const LINKS: &[&str] = &["of", "in", "on", "to", "for", "without"];
        let subject = &self.words[..upto.min(self.words.len())];
        let Some((last, before)) = subject.split_last() else { return false };
        let first = &subject[0];
        let whole =
            first.any(&["all", "each", "every", "any"]) || first.any(&["a", "an"]) && subject.len() <= 3;
        let bare = !first.among(DETERMINERS) && !first.among(SUBJECTS) && !first.any(SOME);
        let requests = last.any(&["request", "requests"])
            && before.last().is_some_and(|word| word.any(&["pull", "merge"]));
        let headed = bare
            && first.among(MADE)
            && subject.len() <= 5
            && subject.get(1).is_some_and(|word| word.any(LINKS));
        let plain = subject.iter().all(|word| word.kind == WordKind::Plain);
        plain && (whole || bare) && (requests || last.among(MADE) || headed)
    }

    pub(crate) fn number(&self, at: usize) -> bool {
        const NUMBERS: &[&str] = &[
            "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "twelve",
            "twenty", "half",
        ];
        self.words.get(at).is_some_and(|word| {
            word.kind == WordKind::Plain
                && (word.any(NUMBERS)
                    || word.lower.starts_with(|c: char| c.is_ascii_digit()) && word.lower.len() <= 6)
        })
    }

    /// `There are no direct pushes to main`, `There is no second fix wave`, `There are no exceptions`.
    fn absent(&self) -> Option<Mood> {
        const KINDS: &[&str] = &[
            "direct",
            "second",
            "third",
            "further",
            "manual",
            "unreviewed",
            "untested",
            "unsigned",
            "silent",
            "partial",
            "force",
            "forced",
            "ad-hoc",
            "additional",
            "extra",
            "unilateral",
            "unannounced",
            "undocumented",
            "late",
            "self-approved",
            "out-of-band",
            "drive-by",
        ];
        const LENIENT: &[&str] =
            &["exception", "exceptions", "exemption", "exemptions", "shortcuts", "waivers", "overrides"];
        const ACTS: &[&str] = &[
            "pushes",
            "merges",
            "deploys",
            "deployments",
            "releases",
            "rebases",
            "force-pushes",
            "edits",
            "writes",
            "uploads",
            "logins",
            "rollbacks",
            "hotfixes",
            "reverts",
            "deletions",
            "restarts",
            "overrides",
            "retries",
            "reruns",
            "commits",
            "merge",
            "push",
            "deploy",
            "release",
        ];
        const WHOLE: &[&str] = &[
            "pushes",
            "merges",
            "deploys",
            "deployments",
            "rebases",
            "force-pushes",
            "logins",
            "rollbacks",
            "hotfixes",
        ];
        const ROUNDS: &[&str] = &[
            "wave",
            "round",
            "pass",
            "attempt",
            "try",
            "chance",
            "retry",
            "review",
            "extension",
            "iteration",
        ];
        let no = match self.first().lower.as_str() {
            "there" if self.is(1, &["is", "are"]) && self.is(2, &["no"]) => 2,
            "there's" if self.is(1, &["no"]) => 1,
            _ => return None,
        };
        let is_act = |word: &Word| word.any(ACTS) || word.among(MADE) || word.any(ROUNDS);
        let near = &self.words[no + 1..self.words.len().min(no + 5)];
        let noun = near.iter().position(is_act);
        let kind = near.first().is_some_and(|word| word.any(KINDS)) && noun.is_some_and(|at| at > 0);
        let lenient = near.first().is_some_and(|word| word.any(LENIENT))
            && (near.len() == 1 || near[1].any(&["to", "for", "here", "ever", "even", "from"]));
        let act = near.iter().position(|word| word.any(ACTS)).filter(|at| *at <= 1).map(|at| no + 1 + at);
        let bound = act.is_some_and(|at| {
            self.is(at + 1, &["without", "until", "unless", "outside"])
                || self.words[at].any(WHOLE)
                    && self.is(
                        at + 1,
                        &["to", "into", "onto", "on", "in", "from", "before", "after", "during", "by"],
                    )
        });
        (kind || lenient || bound).then_some(MUST_NOT)
    }

    /// `Deleting branches requires approval`, `A release takes two approvals`, `Merges wait for a review`.
    fn guarded(&self) -> Option<Mood> {
        const CONFIRMING: &[&str] = &["requires", "require", "takes", "take", "demands", "demand"];
        let subject = self.first();
        let gerund =
            subject.kind == WordKind::Plain && subject.lower.len() > 5 && subject.lower.ends_with("ing");
        // `Big turns, swapping the mate, or leaving the route require …`
        let listed = |at: usize| {
            let several = self.words[..at].iter().any(|word| word.is("or"));
            several && subject.capital && !subject.among(SUBJECTS) && !subject.among(DETERMINERS)
        };
        let of_kind = |at: usize| gerund && subject.capital || self.speaks_of_kind(at) || listed(at);
        let subjected = self.copula().filter(|&at| self.is(at + 1, &["subject"]) && self.is(at + 2, &["to"]));
        let waits = self.position(&["wait", "waits"]).filter(|&at| at > 0 && self.is(at + 1, &["for"]));
        let farthest = |at: usize| if listed(at) { 16 } else { 7 };
        let verb = self.position(CONFIRMING).filter(|&at| (1..=farthest(at)).contains(&at));
        let (subject, leave) = verb
            .map(|at| (at, at + 1))
            .or(subjected.map(|at| (at, at + 3)))
            .or(waits.map(|at| (at, at + 2)))?;
        let behind = &self.words[leave.min(self.words.len())..self.words.len().min(leave + 4)];
        let own = behind.iter().all(|word| word.kind == WordKind::Plain);
        // `an explicit user request`
        let asked = || {
            behind.iter().any(|word| word.is("explicit"))
                && behind.iter().any(|word| word.any(&["request", "requests", "instruction", "order"]))
        };
        let leave = behind.iter().any(|word| word.among(LEAVE)) || asked();
        (own && of_kind(subject) && leave).then_some(IMPERATIVE)
    }

    /// `Commits are limited to 5 files`, `Prod deploys happen on Tuesdays only`, `Only admins deploy`.
    fn confined(&self) -> Option<Mood> {
        const CONFINING: &[&str] = &["limited", "restricted", "capped", "confined", "reserved"];
        const WHERE: &[&str] = &[
            "on", "by", "from", "at", "during", "between", "with", "to", "in", "after", "before", "through",
            "via",
        ];
        let last = self.words.len() - 1;
        if self.is(0, &["only"]) {
            let acts = self.words.len() == 3
                && is_verb(&self.words[2].lower)
                && self.words[1].kind == WordKind::Plain;
            return (acts && self.first().capital && self.words[1].lower.ends_with('s'))
                .then_some(super::mood::MUST);
        }
        if let Some(at) = self.copula()
            && let Some(confined) = (at + 1..at + 3).find(|&at| self.is(at, CONFINING))
        {
            let to = self.is(confined + 1, &["to", "at", "for"])
                && !self.words[confined..].iter().any(|word| word.is("by"));
            return (to && self.speaks_of_kind(at)).then_some(IMPERATIVE);
        }
        // `Crates limited to 5 per deck`.
        let limited = (1..self.words.len().min(4)).find(|&at| self.is(at, &["limited", "capped"]));
        if let Some(at) = limited.filter(|_| self.first().capital && !self.first().among(SUBJECTS)) {
            let number = |word: &Word| word.lower.starts_with(|c: char| c.is_ascii_digit());
            let to = self.is(at + 1, &["to", "at"]) && self.words.get(at + 2).is_some_and(number);
            return to.then_some(IMPERATIVE);
        }
        // `Hooks only valid with chains`.
        let valid = (1..self.words.len().min(4)).any(|at| {
            self.is(at, &["only"])
                && self.is(at + 1, &["valid", "allowed", "supported", "permitted", "applicable"])
                && self.is(at + 2, &["with", "for", "in", "when", "on", "if", "under"])
        });
        if valid {
            return Some(super::mood::MUST);
        }
        let only = self.words.iter().rposition(|word| word.is("only")).filter(|&at| at >= 2)?;
        let verb = (1..only.min(5)).find(|&at| self.verb_at(at) && self.speaks_of_kind(at))?;
        let closes = only == last && only > verb + 1 || only > verb && self.is(only + 1, WHERE);
        closes.then_some(super::mood::MUST)
    }

    /// Whether the verb of a kind stands here: `happen`, `are`, `live`.
    fn verb_at(&self, at: usize) -> bool {
        let word = &self.words[at];
        word.any(&["are", "is"])
            || word.kind == WordKind::Plain && is_verb(&word.lower) && !word.among(MADE)
            || word
                .any(&["happen", "happens", "live", "lives", "exist", "occur", "come", "comes", "goes", "go"])
    }

    /// `All commits are signed`, `Commit messages are in English`, `Branches live at most three days`.
    fn kept(&self) -> Option<Mood> {
        const DONE: &[&str] = &[
            "signed",
            "reviewed",
            "squashed",
            "rebased",
            "tested",
            "documented",
            "approved",
            "formatted",
            "linted",
            "prefixed",
            "tagged",
            "covered",
            "versioned",
            "typed",
            "annotated",
            "named",
            "capitalized",
            "capitalised",
            "written",
            "audited",
            "rotated",
            "justified",
            "pinned",
            "checked",
            "verified",
            "scoped",
            "translated",
            "recorded",
            "announced",
            "benchmarked",
            "merged",
            "fuzzed",
            "commented",
            "numbered",
            "dated",
            "proofread",
        ];
        const STYLES: &[&str] = &[
            "english",
            "german",
            "french",
            "spanish",
            "mood",
            "tense",
            "voice",
            "case",
            "person",
            "markdown",
            "imperative",
        ];
        let at = (1..self.words.len().min(7)).find(|&at| self.verb_at(at) && self.speaks_of_kind(at))?;
        let be = self.is(at, &["are", "is"]);
        let all = self.is(0, &["all", "each", "every"]);
        let done = all && be && self.words.get(at + 1).is_some_and(|word| word.any(DONE));
        let rest = &self.words[at + 1..];
        let style =
            rest.last().is_some_and(|word| word.any(STYLES) || word.among(LETTER_CASES)) && rest.len() <= 5;
        let style =
            style && be && (self.is(at + 1, &["in"]) || self.is(at + 1, &["written"]) || rest.len() <= 2);
        let few = (at + 1..self.words.len().min(at + 3)).any(|from| {
            self.is(from, &["at"]) && self.is(from + 1, &["most", "least"]) && self.number(from + 2)
                || self.is(from, &["no"])
                    && self.is(from + 1, &["more", "longer", "fewer", "less", "larger"])
                    && self.is(from + 2, &["than"])
                || self.is(from, &["under", "below"]) && self.number(from + 1)
        });
        let through = self.is(at, &["go", "goes"])
            && self.is(at + 1, &["through"])
            && rest.iter().any(|word| word.among(LEAVE) || word.any(&["ci", "qa"]));
        (done || style || few || through).then_some(IMPERATIVE)
    }

    /// `Branch names follow the pattern X`, `File names use kebab-case`, ``Branches are named `fix/x` ``.
    fn formed(&self) -> Option<Mood> {
        const FORMS: &[&str] = &["pattern", "convention", "conventions", "scheme", "format", "template"];
        let named = |at: usize| self.is(at, &["are"]) && self.is(at + 1, &["named", "prefixed"]);
        let formed = |at: usize| self.is(at, &["follow", "follows", "use", "uses"]);
        let at = (1..self.words.len().min(5)).find(|&at| formed(at) || named(at))?;
        let rest = &self.words[at + 1..];
        let form = if named(at) {
            rest.iter().skip(1).take(3).any(|word| word.kind == WordKind::Code)
        } else {
            rest.iter().take(5).any(|word| word.any(FORMS) || word.among(LETTER_CASES))
        };
        (form && self.speaks_of_kind(at)).then_some(IMPERATIVE)
    }

    /// `Editing gen/ is a violation`, `config.toml is read-only`.
    fn judged(&self) -> Option<Mood> {
        const WRONG: &[&str] = &[
            "violation",
            "violations",
            "defect",
            "mistake",
            "offence",
            "offense",
            "offences",
            "offenses",
            "breach",
            "sin",
            "crime",
        ];
        const FIXED: &[&str] = &["read-only", "write-protected", "readonly", "untouchable", "sacrosanct"];
        let at = self.position(&["is", "are", "counts"]).filter(|at| (1..=10).contains(at))?;
        let subject = self.first();
        let denied = self.is(at + 1, &["not", "never", "no"]);
        let wrong = self.words[at + 1..].iter().take(4).any(|word| word.any(WRONG));
        let gerund =
            subject.kind == WordKind::Plain && subject.lower.len() > 5 && subject.lower.ends_with("ing");
        // `Synonyms anywhere are a violation`.
        let several = self.is(at, &["are"])
            && self.is(at + 1, &["a", "an"])
            && subject.lower.ends_with('s')
            && !subject.among(SUBJECTS)
            && !subject.among(DETERMINERS);
        let deed = gerund || several || subject.any(&["any", "every", "each"]) || self.speaks_of_kind(at);
        if wrong && deed && subject.capital {
            return Some(if denied { MAY } else { MUST_NOT });
        }
        // `… are read-only in production`.
        let there = self.is(at + 2, &["in", "on", "during", "for", "outside"]) && self.words.len() <= at + 6;
        let fixed = self.is(at + 1, FIXED) && (at + 2 == self.words.len() || there);
        (fixed && !denied && self.names_place(at)).then_some(MUST_NOT)
    }

    /// Whether the subject is a file or a folder: `` `config.toml` ``, `The vendor folder`, `Generated files`.
    fn names_place(&self, upto: usize) -> bool {
        const KINDS: &[&str] = &[
            "toml", "json", "yaml", "yml", "md", "lock", "rs", "py", "js", "ts", "tsx", "go", "sql", "txt",
            "cfg", "ini", "env", "xml", "html", "css", "sh", "proto", "capnp", "edn", "c", "h", "cpp",
            "java", "kt", "rb", "php", "lua", "nix", "mod", "sum", "csv", "gradle", "snap",
        ];
        const PLACES: &[&str] = &[
            "folder",
            "folders",
            "directory",
            "directories",
            "file",
            "files",
            "tree",
            "branch",
            "branches",
            "archive",
        ];
        let subject = &self.words[..upto];
        let path = |word: &Word| {
            let (name, kind) = word.lower.rsplit_once('.').unwrap_or((&word.lower, ""));
            !word.lower.contains(char::is_whitespace)
                && (word.lower.contains('/') && !word.lower.contains("::")
                    || !kind.is_empty() && !name.contains('.') && KINDS.contains(&kind))
        };
        let named =
            subject.iter().any(|word| matches!(word.kind, WordKind::Code | WordKind::Plain) && path(word));
        let modified = subject.len() >= 2 + usize::from(subject[0].among(DETERMINERS));
        named || modified && subject.last().is_some_and(|word| word.any(PLACES))
    }

    /// `Delete means delete`.
    fn same_as_itself(&self) -> Option<Mood> {
        let [one, means, other] = self.words else { return None };
        (means.is("means") && one.lower == other.lower && one.kind == WordKind::Plain).then_some(IMPERATIVE)
    }
}
