//! Events that arrived at the same time, decided together: what holds for all of them is looked up once, and what is decided
//! is written in one transaction.

use std::collections::BTreeMap;

use mentci_authority::{Event, Verdict};
use mentci_disk::exists;
use mentci_host::Response;
use mentci_host::policy::{Cascade, Input, Outside, add_places, admit, judge_beside, problem};
use mentci_pdp::Program;
use mentci_source::{Code, Finding};
use mentci_store::{DegradedStore, Drafted, StoreError};

use super::decided::{Ruled, name_digest, ruled_response};
use super::in_force::InForce;
use super::log::{commit, commit_all, stopped, store_finding};
use super::moment::heard;
use super::script_time::ScriptTime;
use super::tuned::Tuned;
use crate::workspace::Workspace;

/// An event as a door has it.
#[derive(Debug, Clone)]
pub enum Told {
    /// As text: one line of JSON.
    Text {
        /// The line.
        line: Input,
        /// As whom the daemon knows whoever told it: by the name of a token, or `local`.
        caller: Option<String>,
    },
    /// Read.
    Event(Box<Event>),
}

/// What came of an event, or why nothing did.
type Decided = Result<Ruled, Vec<Finding>>;

/// An event that waits for its decision, with its place among the others.
struct Waiting {
    number: usize,
    event: Event,
}

impl Workspace {
    /// Decides events that arrived at the same time by the workspace's own rules, and writes them into the log: the answers of
    /// one [`Decide`](mentci_host::policy::PolicyRequest::Decide) after the other, in the same order, in much less time.
    pub fn decide_together(&self, told: Vec<Told>) -> Vec<Response> {
        let wrong = self.wrong_flags();
        if !wrong.is_empty() {
            return told.iter().map(|_| Response::bad(wrong.clone())).collect();
        }
        let in_force = self.in_force();
        let mut answers = Vec::with_capacity(told.len());
        let mut waiting = Vec::with_capacity(told.len());
        let mut mended = BTreeMap::new();
        for (number, told) in told.into_iter().enumerate() {
            match self.read_told(told) {
                Ok((event, findings)) => {
                    waiting.push(Waiting { number, event });
                    if !findings.is_empty() {
                        mended.insert(number, findings);
                    }
                }
                Err(finding) => answers.push((number, Response::bad([finding]))),
            }
        }
        let decided = self.rule_together(waiting, &in_force).into_iter();
        answers
            .extend(decided.map(|(number, decided)| (number, ruled_response(decided, &in_force.findings))));
        answers.sort_by_key(|(number, _)| *number);
        let odd = self.artifact_findings();
        let told = |(number, answer): (usize, Response)| {
            answer.with(mended.remove(&number).unwrap_or_default()).with(odd.clone())
        };
        answers.into_iter().map(told).collect()
    }

    /// The event, admitted, and what was read otherwise than it came.
    fn read_told(&self, told: Told) -> Result<(Event, Vec<Finding>), Finding> {
        match told {
            Told::Text { line, caller } => {
                let (event, findings) = self.told_event(&line, false)?;
                Ok((Event { caller, ..event }, findings))
            }
            Told::Event(event) => {
                if let Some(problem) = problem(&event) {
                    return Err(Finding::new(Code::EVENT_LINE, problem));
                }
                let mut event = admit(self.entered(self.with_skill(*event)));
                add_places(&mut event, self);
                Ok((event, Vec::new()))
            }
        }
    }

    fn rule_together(&self, waiting: Vec<Waiting>, in_force: &InForce) -> Vec<(usize, Decided)> {
        let (mut decided, mut waiting) = self.stop_together(waiting);
        let (keeper, now) = (self.keeper(), self.on_the_wall(self.now()));
        for Waiting { event, .. } in &mut waiting {
            // As when each is decided on its own: no secret is a session's name, and what is heard happens now.
            event.session = keeper.name(&event.session);
            heard(event, now);
        }
        let (keep, own, program) = (self.keeping(), self.outside(), &in_force.program);
        let (deadline_ms, _) = self.hook_limits();
        self.with_store(|store| {
            let tuned = Tuned::current(store, &in_force.settings);
            for Waiting { event, .. } in &mut waiting {
                tuned.clone().onto(event);
                self.place(event);
            }
            let mut rest = waiting.as_slice();
            while let Some((first, _)) = rest.split_first() {
                let time = ScriptTime::of(&self.scripts, deadline_ms);
                let outside = Outside { scripts: &time, ..own };
                let group = judge_group(store, program, rest, outside, &keep);
                let verdicts =
                    group.unwrap_or_else(|| vec![commit_all(store, program, &first.event, outside, &keep)]);
                let (group, others) = rest.split_at(verdicts.len().clamp(1, rest.len()));
                let told = group.iter().zip(verdicts);
                decided.extend(told.map(|(one, verdict)| {
                    store.tell_damage();
                    (one.number, ruled(&one.event, verdict, store.take_findings()))
                }));
                rest = others;
            }
        });
        decided
    }

    /// What is stopped is answered at once; the rest goes on.
    fn stop_together(&self, waiting: Vec<Waiting>) -> (Vec<(usize, Decided)>, Vec<Waiting>) {
        let all = self.all_stopped();
        let some = exists(self.fs.as_ref(), &self.stops()) || !self.held_stops().is_empty();
        let (mut decided, mut rest) = (Vec::new(), Vec::with_capacity(waiting.len()));
        for one in waiting {
            let own = || self.session_stopped(&one.event.session).filter(|_| some);
            match all.clone().or_else(own) {
                Some(reason) => {
                    let verdict = stopped(&one.event, &reason);
                    decided.push((one.number, Ok(Ruled { verdict, findings: Vec::new() })));
                }
                None => rest.push(one),
            }
        }
        (decided, rest)
    }
}

/// Judges as many as can be written together, and writes them; none where each must be decided on its own.
fn judge_group(
    store: &mut DegradedStore,
    program: &Program,
    waiting: &[Waiting],
    outside: Outside<'_>,
    keep: &dyn Fn(&Event, &Verdict) -> Event,
) -> Option<Vec<Result<Verdict, StoreError>>> {
    let sessions: Vec<&str> = waiting.iter().map(|one| one.event.session.as_str()).collect();
    let (mut verdicts, mut cascade) = (Vec::with_capacity(waiting.len()), None);
    let judge = |number: usize, loaded: &mentci_store::Loaded| {
        let event = &waiting[number].event;
        let judgement = judge_beside(program, event, loaded.view(event), outside, false, &[]);
        let mut verdict = judgement.verdict;
        let kept = keep(event, &verdict);
        let caused = Cascade::of(program, event, &mut verdict);
        verdicts.push(Ok(verdict));
        let drafted = Drafted {
            record: judgement.record.keeping(&kept),
            body: kept.to_line().ok(),
            is_last: !caused.is_empty(),
        };
        cascade = Some(caused);
        drafted
    };
    store.decide_together(&sessions, program.windows(), judge)?;
    if let Some(last) = verdicts.last_mut()
        && let (Ok(verdict), Some(cascade)) = (&mut *last, cascade)
    {
        let caused =
            cascade.run(verdict, |emitted, told| commit(store, program, emitted, outside, keep, told));
        if let Err(error) = caused {
            *last = Err(error);
        }
    }
    Some(verdicts)
}

fn ruled(event: &Event, verdict: Result<Verdict, StoreError>, findings: Vec<Finding>) -> Decided {
    match verdict {
        Ok(mut verdict) => {
            super::journal::write(&verdict);
            name_digest(event, &mut verdict);
            Ok(Ruled { verdict, findings })
        }
        Err(error) => Err(findings.into_iter().chain([store_finding(&error)]).collect()),
    }
}
