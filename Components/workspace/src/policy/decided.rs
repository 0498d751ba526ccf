//! One event, decided by what is in force and written down.

use std::sync::Arc;

use mentci_authority::{Event, Hook, Verdict};
use mentci_host::policy::{Input, Outside, add_places, admit, problem};
use mentci_host::{Answer, Harness, Response};
use mentci_pdp::Program;
use mentci_source::{Code, Finding};

use super::beside::{Beside, Law};
use super::in_force::InForce;
use super::label::PluginSettings;
use super::log::{commit_all, look, stopped, store_finding};
use super::moment::dated;
use super::tuned::Tuned;
use crate::workspace::Workspace;

/// What came of an event.
#[derive(Debug, Clone, PartialEq)]
pub struct Ruled {
    /// The decision, why, and what rules do about it.
    pub verdict: Verdict,
    /// What was odd about deciding: the store, settings that fit nothing. What is odd in the rules is told by
    /// [`Law::findings`].
    pub findings: Vec<Finding>,
}

/// What decides.
enum InCharge {
    Own(Arc<InForce>),
    Joined(Arc<Law>),
}

impl InCharge {
    fn program(&self) -> &Program {
        match self {
            Self::Own(own) => &own.program,
            Self::Joined(law) => &law.program,
        }
    }

    fn settings(&self) -> &PluginSettings {
        match self {
            Self::Own(own) => &own.settings,
            Self::Joined(law) => &law.settings,
        }
    }

    fn findings(&self) -> &[Finding] {
        match self {
            Self::Own(own) => &own.findings,
            Self::Joined(law) => law.findings(),
        }
    }
}

impl Workspace {
    /// Decides an event of a run by the workspace's rules and those of its document, and writes it down: what a `decide` with
    /// `beside` does, without texts in between.
    ///
    /// `causes` are the rules because of which it happens, as verdicts tell them: none of them is asked about it, so that no
    /// rule re-enters itself. Core rules are asked all the same.
    ///
    /// # Errors
    /// What is wrong with the log, or with the event.
    pub fn decide_event(
        &self,
        event: Event,
        causes: &[String],
        beside: &Beside,
    ) -> Result<Ruled, Vec<Finding>> {
        if let Some(problem) = problem(&event) {
            return Err(vec![Finding::new(Code::EVENT_LINE, problem)]);
        }
        let mut event = admit(event);
        add_places(&mut event, self);
        let law = self.law(beside);
        let causes: Vec<String> = causes.iter().map(|told| law.names().full(told)).collect();
        self.ruled(event, &causes, &InCharge::Joined(law), false)
    }

    /// Answers a request for approval as the person at the terminal.
    ///
    /// # Errors
    /// Why it cannot be answered.
    pub fn answer_request(&self, approval: &str, grant: bool) -> Result<(), Vec<Finding>> {
        let response = self.answer_approval(approval, grant, "user", None);
        match response.answer {
            Answer::Approvals(_) => Ok(()),
            _ => Err(response.findings),
        }
    }

    /// Decides one admitted event by the workspace's rules, and those of a document, and writes it down.
    pub(super) fn decide_here(&self, event: Event, beside: Option<&Beside>, dry_run: bool) -> Response {
        let in_charge = match beside {
            None => InCharge::Own(self.in_force()),
            Some(beside) => InCharge::Joined(self.law(beside)),
        };
        ruled_response(self.ruled(event, &[], &in_charge, dry_run), in_charge.findings())
    }

    fn ruled(
        &self,
        mut event: Event,
        causes: &[String],
        in_charge: &InCharge,
        dry_run: bool,
    ) -> Result<Ruled, Vec<Finding>> {
        if let Some(reason) = self.all_stopped().or_else(|| self.session_stopped(&event.session)) {
            return Ok(Ruled { verdict: stopped(&event, &reason), findings: Vec::new() });
        }
        // The session's name stands in every line: one that is a secret never does.
        event.session = self.keeper().name(&event.session);
        event.at = Some(self.on_the_wall(dated(event.at, self.now())));
        if matches!(in_charge, InCharge::Joined(_)) {
            self.tell_digest(&mut event);
        }
        let (keep, time) = (self.keeping(), self.script_time());
        let (decided, findings) = self.with_store(|store| {
            Tuned::current(store, in_charge.settings()).onto(&mut event);
            self.place(&mut event);
            event.disabled.extend_from_slice(causes);
            let outside = Outside { scripts: &time, ..self.outside() };
            let decided = if dry_run {
                look(store, in_charge.program(), &event, outside)
            } else {
                commit_all(store, in_charge.program(), &event, outside, &keep)
            };
            store.tell_damage();
            decided
        });
        match decided {
            Ok(mut verdict) => {
                if !dry_run {
                    super::journal::write(&verdict);
                }
                name_digest(&event, &mut verdict);
                Ok(Ruled { verdict, findings })
            }
            Err(error) => Err(findings.into_iter().chain([store_finding(&error)]).collect()),
        }
    }

    /// Before a request to the model, a run's rules know the Absolute Rules: `fact('digest_hash')`, `fact('digest_text')`.
    fn tell_digest(&self, event: &mut Event) {
        if event.hook != Hook::TurnStart {
            return;
        }
        let told = |name: &str| event.facts.contains_key(name);
        if told("digest_hash") || told("digest_text") {
            return;
        }
        let Answer::Inject(answer) = self.inject_at(Harness::Any, &[], None::<&Input>).answer else { return };
        if answer.rules > 0 {
            event.facts.insert("digest_hash".to_owned(), answer.hash.to_string().into());
            event.facts.insert("digest_text".to_owned(), answer.text.clone().into());
        }
    }
}

/// A decision as an answer, with what is odd in the rules.
pub(super) fn ruled_response(ruled: Result<Ruled, Vec<Finding>>, of_rules: &[Finding]) -> Response {
    match ruled {
        Ok(ruled) => {
            let outcome = super::replay::outcome(&ruled.verdict);
            super::lines(vec![super::line(ruled.verdict)])
                .with(ruled.findings)
                .with(of_rules.to_vec())
                .at_least(outcome)
        }
        Err(findings) => Response::bad(findings),
    }
}

/// What inserts the Absolute Rules says which they are: the transcript names them by their hash.
pub(super) fn name_digest(event: &Event, verdict: &mut Verdict) {
    let (Some(hash), Some(text)) = (event.facts.get("digest_hash"), event.facts.get("digest_text")) else {
        return;
    };
    for action in &mut verdict.actions {
        if action.get("type").is_some_and(|kind| kind == "insert") && action.get("text") == Some(text) {
            action.insert("digest".to_owned(), hash.clone());
        }
    }
}
