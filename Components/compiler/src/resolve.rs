//! Resolve: lessons become exceptions of the norms they concern, or stand as case law, or wait.

use std::collections::BTreeMap;

use mentci_authority::{CondensedLine, Force, LessonId, Level, Norm, Omission, RuleLock, StatementId};
use mentci_source::{Code, Finding, Severity};

use crate::against::{Advice, Stake};
use crate::case::{Case, Docket, at_first};
use crate::concern::{Concern, Concerns};
use crate::line::Exception;

/// Where every lesson went.
#[derive(Debug, Default)]
pub(crate) struct Resolved {
    /// For each norm, in the order given, the lessons that stand on its line.
    pub(crate) exceptions: Vec<Vec<Exception>>,
    /// The lessons that stand for themselves.
    pub(crate) cases: Vec<Case>,
    /// Of `cases`, by their place, those that concern several norms equally well.
    pub(crate) ties: BTreeMap<usize, Tie>,
    /// Ties that the lock decides: the lesson stands on a norm's line.
    pub(crate) decided: Vec<Decided>,
    /// The places of the lessons that wait.
    pub(crate) omitted: Vec<Omission>,
    /// What was odd.
    pub(crate) findings: Vec<Finding>,
}

/// A lesson that concerns several norms equally well.
///
/// INVARIANT (ties): who decides a tie chooses among its norms and no others, and none of these is an explicit must or must-not. Other
/// norms, or other words of the lesson, make another tie, which is open again.
#[derive(Debug)]
pub(crate) struct Tie {
    /// Names the lesson and the norms.
    pub(crate) id: StatementId,
    pub(crate) norms: Vec<usize>,
    /// The lesson as an exception.
    pub(crate) exception: String,
}

/// A tie that the lock decides.
#[derive(Debug)]
pub(crate) struct Decided {
    pub(crate) tie: Tie,
    pub(crate) norm: usize,
    pub(crate) known: CondensedLine,
    pub(crate) case: Case,
}

/// Resolves `docket` against `norms`; what is in `waiting` waits all the same, unless a person accepted it. Of ties, those are decided
/// that `lock` decides; none without it.
pub(crate) fn resolve(
    norms: &[&Norm],
    docket: Docket,
    waiting: &BTreeMap<LessonId, String>,
    lock: Option<&RuleLock>,
) -> Resolved {
    // Most skills have no lesson: then nothing is looked up.
    let looked_up = if docket.cases.is_empty() { &[] } else { norms };
    let concerns = Concerns::of(looked_up.iter().copied());
    let stakes: Vec<Option<Stake>> = looked_up.iter().map(|norm| Stake::of(norm)).collect();
    let mut resolved = Resolved {
        exceptions: vec![Vec::new(); norms.len()],
        omitted: docket.omitted,
        findings: docket.findings,
        ..Resolved::default()
    };
    for case in docket.cases {
        let found = concerns.find(&case);
        let elsewhere = || case.ids.iter().find_map(|id| waiting.get(id)).cloned();
        let why = opposed(norms, &stakes, &found, &case)
            .or_else(|| if case.is_accepted { None } else { elsewhere() });
        match why {
            Some(why) => resolved.wait(&case, &why),
            None => resolved.place(norms, found, case, lock),
        }
    }
    resolved
}

/// Why a lesson waits: the first norm that it goes against, or would loosen where it touches it; none when a person accepted it.
fn opposed(norms: &[&Norm], stakes: &[Option<Stake>], found: &Concern, case: &Case) -> Option<String> {
    if case.is_accepted {
        return None;
    }
    let advice = Advice::of(&case.lesson);
    let touched: &[usize] = if let Concern::Binding(touched) = found { touched } else { &[] };
    // What nothing is known of is loosened by a touch.
    let is_loosened = |norm: &&usize| stakes[**norm].as_ref().is_none_or(|stake| stake.is_loosened(&advice));
    let is_opposed = |stake: &Option<Stake>| stake.as_ref().is_some_and(|stake| stake.is_opposed(&advice));
    let norm = touched.iter().find(is_loosened).copied().or_else(|| stakes.iter().position(is_opposed));
    if let Some(norm) = norm {
        return Some(format!("would loosen or contradict `{}`", norms[norm].text));
    }
    let on_a_line = matches!(found, Concern::Norm(norm) if !binds(norms[*norm]));
    let bound = advice.grants && !on_a_line && norms.iter().any(|norm| binds(norm));
    bound.then(|| "gives leave, and could loosen a rule that it does not name".to_owned())
}

/// Whether no lesson may loosen a norm unasked.
fn binds(norm: &Norm) -> bool {
    norm.level == Level::MustNot || norm.force == Force::Explicit && norm.level.is_binding()
}

impl Resolved {
    fn place(&mut self, norms: &[&Norm], concern: Concern, case: Case, lock: Option<&RuleLock>) {
        match concern {
            // What a must-not forbids is no person's exception yet.
            Concern::Norm(norm) if !case.is_accepted && norms[norm].level == Level::MustNot => {
                self.stand(case);
            }
            Concern::Norm(norm) => {
                self.claim(&case);
                self.exceptions[norm].push(exception(&case));
            }
            Concern::Tie(tied) => {
                let tie = Tie::of(norms, &case, &tied);
                if let Some((norm, known)) = tie.decided(norms, lock) {
                    self.claim(&case);
                    self.exceptions[norm].push(exception(&case));
                    self.decided.push(Decided { tie, norm, known, case });
                } else {
                    self.findings.push(ambiguous(norms, &case, &tied));
                    self.ties.insert(self.cases.len(), tie);
                    self.stand(case);
                }
            }
            // Beneath an explicit norm a lesson helps to keep it, and is no exception to it.
            Concern::Nothing | Concern::Binding(_) => self.stand(case),
        }
    }

    fn stand(&mut self, case: Case) {
        self.claim(&case);
        self.cases.push(case);
    }

    /// A claim is worth knowing where the lesson is compiled all the same, marked as unreviewed.
    fn claim(&mut self, case: &Case) {
        self.findings.extend(case.claim.clone().map(|claim| claim.severity(Severity::Note)));
    }

    fn wait(&mut self, case: &Case, why: &str) {
        self.findings.push(case.why_it_waits(why));
        self.omitted.extend(case.omissions());
    }
}

impl Tie {
    /// An explicit must or must-not is left out: which of them a lesson loosens is for a person to say.
    fn of(norms: &[&Norm], case: &Case, tied: &[usize]) -> Self {
        let tied: Vec<usize> = tied.iter().copied().filter(|&norm| !binds(norms[norm])).collect();
        let names: Vec<String> = tied.iter().map(|&norm| norms[norm].id.as_str().to_owned()).collect();
        let id = StatementId::of(Some(Level::Should), &case.standing_alone(), &names);
        Self { id, norms: tied, exception: case.statement() }
    }

    /// The norm that a lock puts the lesson on, when it is one of these.
    fn decided(&self, norms: &[&Norm], lock: Option<&RuleLock>) -> Option<(usize, CondensedLine)> {
        let known = lock?.lines.get(&self.id)?;
        let chosen = known.excepts.as_ref()?;
        let norm = self.norms.iter().find(|&&norm| norms[norm].id == *chosen)?;
        Some((*norm, known.clone()))
    }
}

fn exception(case: &Case) -> Exception {
    Exception {
        text: case.statement(),
        is_reviewed: case.is_accepted,
        lessons: case.ids.clone(),
        spans: case.spans.clone(),
    }
}

fn ambiguous(norms: &[&Norm], case: &Case, tied: &[usize]) -> Finding {
    let texts: Vec<String> = tied.iter().take(3).map(|&norm| format!("`{}`", norms[norm].text)).collect();
    let message = format!("the lesson `{}` concerns {} equally well", case.lesson.id, texts.join(" and "));
    let finding = Finding::new(Code::AMBIGUOUS_LESSON, message)
        .help("it stands under Case law; name the norm's own words in the condition to tie it to one");
    at_first(finding, &case.spans)
}
