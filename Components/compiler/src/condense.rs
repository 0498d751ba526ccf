//! Condense: a statement for which the lock holds a shorter line is stated so; one for which it holds none is a question.
//!
//! INVARIANT (verified at every compile): a line out of a lock counts only where the verifier accepts it now. A lock is a file like
//! others: whoever writes into it can shorten a rule, never change it.

use std::collections::{BTreeMap, BTreeSet};

use mentci_authority::{CondensedLine, EntryKind, Level, NormId, RuleLock, RuleNo, SourceSpan, StatementId};
use mentci_source::{Code, Finding};

use crate::budget::tokens;
use crate::case::at_first;
use crate::gather::Gathered;
use crate::line::Line;
use crate::merge::Joining;
use crate::resolve::{Decided, Resolved, Tie};
use crate::verify::{Original, Refusal, RefusalReason, verify};

/// Where shorter lines come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Condense {
    /// From nowhere: every line is the deterministic one. What the lock holds is kept and left aside.
    Deterministic,
    /// From the lock.
    #[default]
    Locked,
    /// From the lock; what it does not hold is a [`Question`].
    Ask,
}

/// A statement for which there is no shorter line yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// Names the statement.
    pub id: StatementId,
    /// The rule that it belongs to.
    pub rule: RuleNo,
    /// Its level and polarity; none for a lesson that stands as an exception.
    pub level: Option<Level>,
    /// The deterministic line.
    pub text: String,
    /// What must survive verbatim.
    pub literals: Vec<String>,
    /// Where it stands.
    pub place: Option<SourceSpan>,
    /// What was refused before, and for whom.
    pub refused: Option<CondensedLine>,
    /// The rules that a lesson may stand on; none for a rule.
    pub joins: Option<Joining>,
    /// Whether the lock states it already: then it is asked about only beside a lesson that may stand on it.
    pub is_known: bool,
}

impl Question {
    /// About a lesson that stands on a rule as an exception.
    pub(crate) fn of_exception(rule: &RuleNo, joins: Joining, place: Option<SourceSpan>) -> Self {
        Self {
            id: StatementId::of(None, &joins.text, &[]),
            rule: rule.clone(),
            level: None,
            text: joins.text.clone(),
            literals: Vec::new(),
            place,
            refused: None,
            joins: Some(joins),
            is_known: false,
        }
    }

    /// Whether this line is a shorter form of the statement.
    ///
    /// # Errors
    /// Why it is none.
    pub fn verify(&self, line: &str) -> Result<(), Refusal> {
        verify(&Original { text: &self.text, level: self.level, literals: &self.literals }, line)
    }
}

/// What the lock knows of one statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shortened {
    /// Names the statement.
    pub id: StatementId,
    /// The rule that it belongs to.
    pub rule: RuleNo,
    /// Where it stands.
    pub place: Option<SourceSpan>,
    /// The deterministic line.
    pub deterministic: String,
    /// The shorter line; none where it was refused.
    pub line: Option<String>,
    /// `accepted`, or the name of the reason.
    pub verdict: String,
    /// Who said it.
    pub model: String,
}

/// The lines of a law, condensed.
#[derive(Debug, Default)]
pub(crate) struct Condensed {
    /// What stays in the lock: of the statements that are there.
    pub(crate) lines: BTreeMap<StatementId, CondensedLine>,
    pub(crate) questions: Vec<Question>,
    pub(crate) shortened: Vec<Shortened>,
    pub(crate) findings: Vec<Finding>,
}

/// States in `lines` what `lock` holds shorter. The first of them are those of `norms`, in their order, then the lessons that stand for
/// themselves in `resolved`.
pub(crate) fn condense(
    lines: &mut [Line],
    norms: &[Gathered<'_>],
    resolved: &Resolved,
    lock: &RuleLock,
    mode: Condense,
) -> Condensed {
    let mut condensed = Condensed::default();
    // Who has no model pays nothing for it.
    if lock.lines.is_empty() && mode != Condense::Ask {
        return condensed;
    }
    let mut rules = Vec::with_capacity(norms.len());
    for (at, line) in lines.iter_mut().enumerate() {
        if !matches!(
            line.kind,
            EntryKind::Norm | EntryKind::Procedure | EntryKind::Exception | EntryKind::Case
        ) {
            continue;
        }
        let literals = norms.get(at).map_or(&[][..], |gathered| gathered.norm.literals.as_slice());
        let tie = at.checked_sub(norms.len()).and_then(|case| resolved.ties.get(&case));
        let asked = question(line, literals, tie.map(|tie| joining(tie, &rules)));
        if at < norms.len() && !resolved.ties.is_empty() {
            rules.push((asked.clone(), line.norm.clone()));
        }
        condensed.line(line, asked, lock, mode);
    }
    condensed.beside(rules.into_iter().map(|(rule, _)| rule));
    for decided in &resolved.decided {
        condensed.decided(decided, &lines[decided.norm]);
    }
    condensed
}

fn question(line: &Line, literals: &[String], tie: Option<(StatementId, Joining)>) -> Question {
    let plain = || StatementId::of(line.level, &line.text, literals);
    let (id, joins) = tie.map_or_else(|| (plain(), None), |(id, joins)| (id, Some(joins)));
    Question {
        id,
        rule: line.rule.clone(),
        level: line.level,
        text: line.text.clone(),
        literals: literals.to_vec(),
        place: line.provenance.spans.first().cloned(),
        refused: None,
        joins,
        is_known: false,
    }
}

/// The rules that a tied lesson may stand on, out of all `rules`.
fn joining(tie: &Tie, rules: &[(Question, NormId)]) -> (StatementId, Joining) {
    let rules = tie.norms.iter().filter_map(|&norm| rules.get(norm));
    let rules = rules.map(|(rule, norm)| (rule.id.clone(), norm.clone())).collect();
    (tie.id.clone(), Joining { text: tie.exception.clone(), rules, stands: false })
}

impl Condensed {
    fn line(&mut self, line: &mut Line, asked: Question, lock: &RuleLock, mode: Condense) {
        let rule = (asked.id.clone(), line.norm.clone());
        if let Some(shorter) = self.state(asked, lock, mode) {
            let terse = line.terse.take();
            line.terse = terse.filter(|terse| tokens(terse) < tokens(&shorter));
            line.text = shorter;
        }
        let mut shorter = Vec::with_capacity(line.exceptions.len());
        for exception in &line.exceptions {
            let joins = Joining { text: exception.text.clone(), rules: vec![rule.clone()], stands: true };
            let place = exception.spans.first().cloned();
            let asked = Question::of_exception(&line.rule, joins, place);
            shorter.push(self.state(asked, lock, mode));
        }
        for (exception, shorter) in line.exceptions.iter_mut().zip(shorter) {
            exception.text = shorter.unwrap_or_else(|| std::mem::take(&mut exception.text));
        }
    }

    /// Beside a lesson that may stand on them, rules are asked about that the lock states already.
    fn beside(&mut self, rules: impl Iterator<Item = Question>) {
        let open: BTreeSet<&StatementId> = self.questions.iter().map(|question| &question.id).collect();
        let joins = self.questions.iter().filter_map(|question| question.joins.as_ref());
        let joined: BTreeSet<&StatementId> = joins.flat_map(Joining::ids).collect();
        let known = rules.filter(|rule| joined.contains(&rule.id) && !open.contains(&rule.id));
        let known: Vec<Question> = known.map(|rule| Question { is_known: true, ..rule }).collect();
        self.questions.extend(known);
    }

    /// What the lock says of a lesson that it puts on the line of a rule.
    fn decided(&mut self, decided: &Decided, line: &Line) {
        self.lines.insert(decided.tie.id.clone(), decided.known.clone());
        let exception = line.exceptions.iter().find(|exception| exception.lessons == decided.case.ids);
        self.shortened.push(Shortened {
            id: decided.tie.id.clone(),
            rule: line.rule.clone(),
            place: decided.case.spans.first().cloned(),
            deterministic: decided.case.standing_alone(),
            line: exception.map(|exception| format!("{} EXCEPT {}", line.text, exception.text)),
            verdict: "accepted".to_owned(),
            model: decided.known.model.clone(),
        });
    }

    /// The shorter line of a statement, if the lock holds one that is accepted.
    fn state(&mut self, mut asked: Question, lock: &RuleLock, mode: Condense) -> Option<String> {
        let known = lock.lines.get(&asked.id);
        // A lesson that stands on a rule is no statement of its own: here, what the lock puts it on is none of its rules.
        let strays = known.is_some_and(|known| known.excepts.is_some()) && mode != Condense::Deterministic;
        let verdict = known.and_then(|known| known.line.as_ref()).map(|line| asked.verify(line));
        let other = "the lesson concerns another rule";
        let verdict = verdict.or_else(|| strays.then(|| Err(Refusal::with(RefusalReason::Merged, other))));
        if let (Some(known), Some(Err(refusal))) = (known, &verdict) {
            self.findings.extend((mode != Condense::Deterministic).then(|| tampered(&asked, known, refusal)));
        } else if let Some(known) = known {
            self.lines.insert(asked.id.clone(), known.clone());
            self.shortened.push(shortened(&asked, known));
        }
        if let Some(Ok(())) = verdict {
            return known.and_then(|known| known.line.clone()).filter(|_| mode != Condense::Deterministic);
        }
        if mode == Condense::Ask {
            asked.refused = known.filter(|known| known.line.is_none()).cloned();
            self.questions.push(asked);
        }
        None
    }
}

fn shortened(asked: &Question, known: &CondensedLine) -> Shortened {
    Shortened {
        id: asked.id.clone(),
        rule: asked.rule.clone(),
        place: asked.place.clone(),
        deterministic: asked.text.clone(),
        line: known.line.clone(),
        verdict: known.refused.clone().unwrap_or_else(|| "accepted".to_owned()),
        model: known.model.clone(),
    }
}

/// The finding for a line of a lock that does not say what the law says.
fn tampered(asked: &Question, known: &CondensedLine, refusal: &Refusal) -> Finding {
    let line = known.line.as_deref().or_else(|| Some(known.excepts.as_ref()?.as_str())).unwrap_or_default();
    let shown: String = line.chars().filter(|c| !c.is_control()).take(120).collect();
    let message = format!("the lock's line for `{}` is refused: {refusal}", asked.rule);
    let finding = Finding::new(Code::LOCK_LINE, message)
        .help(format!("`{shown}` is left out; the deterministic line stands in its place"));
    at_first(finding, asked.place.as_slice())
}
