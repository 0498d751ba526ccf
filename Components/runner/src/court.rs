//! Who decides: the workspace's rules and the document's, and the log in which it is written down.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use mentci_authority::{Event, Verdict};
use mentci_chatmd::Block;
use mentci_host::transcript::{Phase, Step, Transcript};
use mentci_source::{Finding, Severity, Source};
use mentci_workspace::{Beside, Law, Workspace};
use serde_json::Value;

use crate::end::Stop;
use crate::opened::Asker;
use crate::quotas::Quotas;

/// Decides the events of one run. What stands in the transcript is taken in and not decided again.
pub(crate) struct Court {
    workspace: Arc<Workspace>,
    beside: Arc<Beside>,
    law: Arc<Law>,
    transcript: Transcript,
    /// The run's session in the log: each run has its own, which begins with what the transcript tells.
    session: String,
    /// Its own quotas, which its agents spend from.
    quotas: Quotas,
    /// The quotas of those who ask it: what it calls is spent from all of them.
    askers: Vec<Quotas>,
}

impl Court {
    /// The court of a document: of an agent's, under the law of those who ask it.
    ///
    /// # Errors
    /// What is wrong in its law, or in the workspace's: a run never begins with half of its law.
    pub(crate) fn open(
        workspace: &Arc<Workspace>,
        source: &Source,
        asker: Option<&Asker>,
    ) -> Result<(Self, Vec<Finding>), Vec<Finding>> {
        let (law, askers) =
            asker.map_or_else(Default::default, |asker| (asker.law.clone(), asker.quotas.clone()));
        let beside = Arc::new(Beside::under(source.clone(), law));
        let law = workspace.law(&beside);
        let findings: Vec<Finding> = law.findings().to_vec();
        if law.is_closed() {
            let wrong = findings.into_iter().filter(|finding| finding.severity == Severity::Error);
            return Err(wrong.collect());
        }
        let transcript = Transcript::new(law.names());
        let session = String::new();
        let odd = findings.into_iter().filter(|finding| finding.severity > Severity::Note).collect();
        let quotas =
            Quotas::new(workspace, &beside, new_name(workspace, &format!("{}#before", source.path())));
        let workspace = workspace.clone();
        Ok((Self { workspace, beside, law, transcript, session, quotas, askers }, odd))
    }

    /// Its own quotas.
    pub(crate) fn quotas(&self) -> &Quotas {
        &self.quotas
    }

    /// The quotas of those who ask it.
    pub(crate) fn askers(&self) -> &[Quotas] {
        &self.askers
    }

    /// Begins the run's session in the log with what the transcript tells.
    pub(crate) fn begin(&mut self, name: &str, steps: &[Step]) -> Result<(), Stop> {
        let mut refused = None;
        for _ in 0..TRIES {
            let session = new_name(&self.workspace, name);
            match self.workspace.begin_run(&session, steps, &self.law) {
                Ok(_) => {
                    self.quotas.begin(&session)?;
                    self.session = session;
                    return Ok(());
                }
                Err(finding) => refused = Some(finding),
            }
        }
        let unknown =
            || Finding::new(mentci_source::Code::RUN_DIVERGED, "no session can be begun in the log");
        Err(refused.unwrap_or_else(unknown).into())
    }

    /// Decides an event, which has then happened. `causes` are the rules because of which it happens.
    pub(crate) fn hear(&mut self, event: Event, causes: &[String]) -> Result<Verdict, Stop> {
        let event = Event { session: self.session.clone(), ..event };
        let ruled = self.workspace.decide_event(event, causes, &self.beside);
        let first = |findings: Vec<Finding>| {
            let unknown = || Finding::new(mentci_source::Code::RUN_DIVERGED, "nothing could be decided");
            Stop::from(findings.into_iter().next().unwrap_or_else(unknown))
        };
        ruled.map(|ruled| ruled.verdict).map_err(first)
    }

    /// Takes in what a person said about an approval.
    pub(crate) fn answer(&mut self, approval: &str, granted: bool) -> Result<(), Stop> {
        let answered = self.workspace.answer_request(approval, granted);
        answered.map_err(|findings| match findings.into_iter().next() {
            Some(finding) => finding.into(),
            None => Stop::Diverged,
        })
    }

    /// Reads a block: what it tells.
    pub(crate) fn read(&mut self, block: &Block, said: &str) -> Vec<Step> {
        self.transcript.push_said(block, Some(said))
    }

    /// Takes up a command that is declared as a tool.
    pub(crate) fn declare_command(&mut self, name: &str, words: &[String]) {
        self.transcript.declare_command(name, words);
    }

    /// The words that a call of a declared command runs.
    pub(crate) fn runs(&self, name: &str, args: &Value) -> Vec<String> {
        self.transcript.runs(name, args)
    }

    /// Goes on from here: what is not answered is done anew.
    pub(crate) fn resume(&mut self) -> Vec<Step> {
        self.transcript.resume()
    }

    /// How far the turn has come.
    pub(crate) fn phase(&self) -> Phase {
        self.transcript.position().phase
    }

    /// The last turn in which the model replied.
    pub(crate) fn turn(&self) -> u64 {
        self.transcript.position().turn
    }

    /// Whether blocks must say when they were written.
    pub(crate) fn reads_clock(&self) -> bool {
        self.law.reads_clock()
    }
}

/// A name for a session in the log that no other run has.
fn new_name(workspace: &Workspace, name: &str) -> String {
    let nth = BEGUN.fetch_add(1, Ordering::Relaxed);
    let moment = workspace.seconds() * 1_000.0;
    format!("run:{name}@{moment:.0}.{}.{nth}", std::process::id())
}

/// How often a name is tried that another run has taken.
const TRIES: u32 = 8;

/// The runs that began in this process: two in one millisecond are two.
static BEGUN: AtomicU64 = AtomicU64::new(1);
