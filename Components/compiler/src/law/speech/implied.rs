//! What a text says of its own things as if it were so, and means as a rule, though words stand in it that elsewhere only tell: `The report may
//! be drawn`, `The log stays the source of truth`, `The survey is done when the log is signed`.

use mentci_authority::{Force, Level};

use super::imperative::acts;
use super::lexicon::{ACTS, FINITE, MADE, SUBJECTS, is_role, is_verb};
use super::mood::{IMPERATIVE, Mood};
use super::quiet::Said;
use super::word::{Word, WordKind};

/// What such a clause without its end mark orders or permits.
pub(crate) fn implied(said: Said<'_>) -> Option<Mood> {
    if said.is_the_truth()
        || said.is_done_when()
        || said.opens_or_ends_with()
        || said.is_done_only_when()
        || said.each_only()
        || said.roles_only()
        || said.is_of_grade()
        || said.is_decided()
        || said.all_use()
        || said.is_one_of()
    {
        return Some(IMPERATIVE);
    }
    if said.is_last_resort() {
        return Some(Mood::Order(Level::Should, Force::Implied));
    }
    if said.is_not_met() {
        return Some(Mood::Order(Level::MustNot, Force::Implied));
    }
    (said.may_be_made() || said.may_have()).then_some(Mood::Order(Level::May, Force::Implied))
}

impl Said<'_> {
    /// `The log stays the source of truth`, `The chart is the single source of truth for depths`.
    fn is_the_truth(&self) -> bool {
        const NEAREST: usize = 5;
        let Some(at) = self.verb(&["is", "are", "stays", "remains", "stay", "remain"]) else { return false };
        let truth = self.words[at..]
            .windows(3)
            .position(|run| run[0].any(&["source", "sources"]) && run[1].is("of") && run[2].is("truth"));
        truth.is_some_and(|truth| truth <= NEAREST)
            && !self.words[at..].iter().take(NEAREST).any(|word| word.any(&["not", "no"]))
            && !self.first().among(SUBJECTS)
            && !self.first().any(&["what", "which", "if"])
    }

    /// `The survey is done when the log is signed`.
    fn is_done_when(&self) -> bool {
        let Some(at) = self.verb(&["is", "are", "counts", "count"]) else { return false };
        let as_ = usize::from(self.is(at + 1, &["as"]));
        self.is(at + 1 + as_, &["done", "complete", "completed", "finished"])
            && self.is(at + 2 + as_, &["when", "once"])
            && !self.first().any(&["it", "that", "this"])
    }

    /// `A report ends with the next step`, `Each log opens with its date`.
    fn opens_or_ends_with(&self) -> bool {
        const FARTHEST: usize = 6;
        let verbs = ["ends", "opens", "closes", "starts", "begins"];
        let Some(at) = self.verb(&verbs).filter(|at| (2..=FARTHEST).contains(at)) else { return false };
        let kind = self.first().any(&["a", "an", "each", "every", "all"]);
        let named = self.words[..at].iter().any(|word| word.among(MADE) || word.among(ACTS));
        let not = usize::from(self.is(at + 1, &["not"]));
        let with = self.is(at + 1 + not, &["with"]) && (not == 0 || self.position(&["but"]).is_some());
        kind && named && with
    }

    /// `A chart that contradicts the log is kept only when the mate signs it`.
    fn is_done_only_when(&self) -> bool {
        let Some(only) = self.position(&["only"]).filter(|&only| only > 4) else { return false };
        let told = self.words[..only].iter().any(|word| word.any(&["that", "which", "who"]));
        self.first().any(&["a", "an", "any", "every", "each"])
            && told
            && self.is(only - 2, &["is", "are"])
            && self.words[only - 1].lower.ends_with("ed")
            && self.is(only + 1, &["when", "if", "after", "once"])
    }

    /// `Each gets only its own chart`: each of those that the sentence before names.
    fn each_only(&self) -> bool {
        self.is(0, &["each"]) && self.words.len() > 3 && acts(&self.words[1]) && self.is(2, &["only"])
    }

    /// `Workers write only to the log`, `Reviewers return findings only`: all that several with a part in the procedure do.
    fn roles_only(&self) -> bool {
        let the = usize::from(self.is(0, &["the"]));
        let [who, verb, rest @ ..] = &self.words[the..] else { return false };
        let several = who.lower.ends_with('s') && is_role(&who.lower);
        let acts = verb.kind == WordKind::Plain && is_verb(&verb.lower) && !verb.among(FINITE);
        let last = rest.iter().rposition(|word| word.kind != WordKind::Mark);
        let only = rest.first().is_some_and(|next| next.is("only"))
            || last.is_some_and(|last| rest[last].is("only"));
        several && acts && only && rest.len() > 1
    }

    /// `A missing flag is WARN`, `Old files under `logs/` are CRITICAL`: how something is graded.
    fn is_of_grade(&self) -> bool {
        const GRADES: &[&str] = &[
            "warn", "warning", "info", "critical", "error", "blocker", "high", "medium", "low", "pass",
            "fail",
        ];
        let at = self.words.iter().rposition(|word| word.any(&["is", "are"]) && word.depth == 0);
        let Some(at) = at.filter(|&at| at > 0) else { return false };
        let ends = |at: usize| self.words.get(at).is_none_or(|next| next.depth > 0 || next.lower == "(");
        self.words.get(at + 1).is_some_and(|grade| grade.shouted && grade.any(GRADES))
            && ends(at + 2)
            && !self.first().among(SUBJECTS)
            && !self.words.iter().any(|word| word.any(&["was", "were", "if", "when", "that"]))
    }

    /// `The final verdict is REQUEST CHANGES`, `final status follows the mate's`: what is decided.
    fn is_decided(&self) -> bool {
        const FARTHEST: usize = 5;
        const DECIDED: &[&str] = &["verdict", "recommendation", "decision", "rating"];
        const AT_LAST: &[&str] = &["status", "outcome", "result", "conclusion", "grade"];
        let verbs = ["is", "becomes", "remains", "stays", "follows"];
        let Some(at) = self.verb(&verbs).filter(|at| (1..=FARTHEST).contains(at)) else { return false };
        let (before, behind) = (&self.words[..at], &self.words[at + 1..]);
        let last = before.iter().any(|word| word.any(&["final", "overall"]));
        let named = before.last().is_some_and(|name| name.any(DECIDED) || last && name.any(AT_LAST));
        let shouted =
            !behind.is_empty() && behind.iter().all(|word| word.shouted && word.kind == WordKind::Plain);
        named && (shouted || last && self.words[at].is("follows"))
    }

    /// `All writes to the log use the script`.
    fn all_use(&self) -> bool {
        const FARTHEST: usize = 8;
        let use_ = self.words.iter().take(FARTHEST).rposition(|word| word.any(&["use", "uses"]));
        let Some(at) = use_.filter(|&at| at > 1) else { return false };
        self.first().any(&["all", "every", "each"])
            && self.words[1..at].iter().all(|word| word.kind == WordKind::Plain)
            && self.words.get(at + 1).is_some_and(|next| {
                next.kind == WordKind::Code || next.any(&["the", "a", "an", "one", "its"])
            })
    }

    /// `` `size` is `small` or `large` ``.
    fn is_one_of(&self) -> bool {
        const FEWEST: usize = 2;
        let [name, is, rest @ ..] = self.words else { return false };
        let code = |word: &&Word| word.kind == WordKind::Code;
        name.kind == WordKind::Code
            && is.is("is")
            && rest.iter().filter(code).count() >= FEWEST
            && rest.iter().any(|word| word.is("or"))
            && rest.iter().all(|word| {
                word.kind == WordKind::Code || word.mark(",") || word.any(&["or", "either", "one", "of"])
            })
    }

    /// `Tarring by hand is the last resort`.
    fn is_last_resort(&self) -> bool {
        let Some(at) = self.verb(&["is", "are"]) else { return false };
        let article = usize::from(self.is(at + 1, &["the", "a"]));
        self.is(at + 1 + article, &["last"])
            && self.is(at + 2 + article, &["resort"])
            && self.words.len() <= at + 4 + article
    }

    /// `The check is not met by a promise`.
    fn is_not_met(&self) -> bool {
        let Some(at) = self.verb(&["is", "are"]) else { return false };
        self.is(at + 1, &["not", "never"])
            && self.is(at + 2, &["satisfied", "met", "fulfilled", "proven"])
            && self.is(at + 3, &["by", "with"])
    }

    /// `The report may be drawn with chalk`, `What is left may be kept in the hold`.
    fn may_be_made(&self) -> bool {
        const FARTHEST: usize = 12;
        const MADE_SO: &[&str] = &[
            "written",
            "drawn",
            "rendered",
            "added",
            "used",
            "included",
            "inlined",
            "kept",
            "split",
            "merged",
            "reused",
            "combined",
            "shortened",
            "quoted",
            "attached",
            "grouped",
            "batched",
            "edited",
            "moved",
            "stored",
        ];
        let Some(at) = self.position(&["may"]).filter(|at| (1..=FARTHEST).contains(at)) else { return false };
        let named = self.words[..at].iter().any(|word| word.among(MADE) || word.among(ACTS));
        let what = self.is(0, &["what"]) && acts(&self.words[1]);
        let told = self.words[..at].iter().any(|word| word.among(FINITE));
        self.is(at + 1, &["be"])
            && self.is(at + 2, MADE_SO)
            && (named && !told && !self.first().among(SUBJECTS) || what)
    }

    /// `A crate may carry several labels`.
    fn may_have(&self) -> bool {
        const FARTHEST: usize = 4;
        const HAVING: &[&str] = &["get", "have", "carry", "hold", "span", "cite", "include"];
        let Some(at) = self.position(&["may"]).filter(|at| (2..=FARTHEST).contains(at)) else { return false };
        self.first().any(&["a", "an", "each", "every"])
            && self.words[1..at].iter().all(|word| word.kind == WordKind::Plain && !word.among(FINITE))
            && self.is(at + 1, HAVING)
            && self.is(at + 2, &["several", "many", "more", "any", "one", "multiple", "no", "up"])
    }
}
