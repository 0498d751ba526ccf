//! Condense: a statement for which the lock holds a shorter line is stated so; one for which it holds none is a question.
//!
//! INVARIANT (verified at every compile): a line out of a lock counts only where the verifier accepts it now. A lock is a file like
//! others: whoever writes into it can shorten a rule, never change it.

use std::collections::BTreeMap;

use mentci_authority::{CondensedLine, EntryKind, Level, RuleLock, RuleNo, SourceSpan, StatementId};
use mentci_source::{Code, Finding};

use crate::budget::tokens;
use crate::case::at_first;
use crate::gather::Gathered;
use crate::line::Line;
use crate::verify::{Original, Refusal, verify};

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
}

impl Question {
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

/// States in `lines` what `lock` holds shorter. The first of them are those of `norms`, in their order.
pub(crate) fn condense(
    lines: &mut [Line],
    norms: &[Gathered<'_>],
    lock: &RuleLock,
    mode: Condense,
) -> Condensed {
    let mut condensed = Condensed::default();
    // Who has no model pays nothing for it.
    if lock.lines.is_empty() && mode != Condense::Ask {
        return condensed;
    }
    for (at, line) in lines.iter_mut().enumerate() {
        if matches!(
            line.kind,
            EntryKind::Norm | EntryKind::Procedure | EntryKind::Exception | EntryKind::Case
        ) {
            let literals = norms.get(at).map_or(&[][..], |gathered| gathered.norm.literals.as_slice());
            condensed.line(line, literals, lock, mode);
        }
    }
    condensed
}

impl Condensed {
    fn line(&mut self, line: &mut Line, literals: &[String], lock: &RuleLock, mode: Condense) {
        let place = line.provenance.spans.first().cloned();
        let question = |level, text: &str, literals: &[String], place| Question {
            id: StatementId::of(level, text, literals),
            rule: line.rule.clone(),
            level,
            text: text.to_owned(),
            literals: literals.to_vec(),
            place,
            refused: None,
        };
        if let Some(shorter) = self.state(question(line.level, &line.text, literals, place), lock, mode) {
            let terse = line.terse.take();
            line.terse = terse.filter(|terse| tokens(terse) < tokens(&shorter));
            line.text = shorter;
        }
        let mut shorter = Vec::with_capacity(line.exceptions.len());
        for exception in &line.exceptions {
            let asked = question(None, &exception.text, &[], exception.spans.first().cloned());
            shorter.push(self.state(asked, lock, mode));
        }
        for (exception, shorter) in line.exceptions.iter_mut().zip(shorter) {
            exception.text = shorter.unwrap_or_else(|| std::mem::take(&mut exception.text));
        }
    }

    /// The shorter line of a statement, if the lock holds one that is accepted.
    fn state(&mut self, mut asked: Question, lock: &RuleLock, mode: Condense) -> Option<String> {
        let known = lock.lines.get(&asked.id);
        let verdict = known.and_then(|known| known.line.as_ref()).map(|line| asked.verify(line));
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
    let line = known.line.as_deref().unwrap_or_default();
    let shown: String = line.chars().filter(|c| !c.is_control()).take(120).collect();
    let message = format!("the lock's line for `{}` is refused: {refusal}", asked.rule);
    let finding = Finding::new(Code::LOCK_LINE, message)
        .help(format!("`{shown}` is left out; the deterministic line stands in its place"));
    at_first(finding, asked.place.as_slice())
}
