//! A document, run.

use std::path::{Path, PathBuf};

use mentci_authority::{Dialect, Hook};
use mentci_disk::{LogFile, Sidecar, WriteOptions, exists, publish};
use mentci_source::{Code, Finding};

use crate::end::Stop;
use crate::machine::Machine;
use crate::opened::{Opening, open};
use crate::transcript::is_user;
use crate::{Parts, Reading, RunEnd, RunEvent, RunOptions, RunOutcome};

/// Runs a document until its model is done and nobody types. What happens stands in the document, step by step.
pub async fn run(options: RunOptions, parts: Parts) -> RunEnd {
    let audience = parts.audience.clone();
    let mut end = match Session::open(options, parts).await {
        Ok(session) => session.run().await,
        Err(findings) => RunEnd::failed(findings),
    };
    end.findings = once_each(end.findings);
    audience.hear(&RunEvent::End {
        outcome: end.outcome,
        exit: end.outcome.code(),
        turns: end.turns,
        denied: end.denied,
        usage: end.usage,
    });
    end
}

/// What several readers of one document find is told once.
fn once_each(findings: Vec<Finding>) -> Vec<Finding> {
    let mut told: Vec<Finding> = Vec::with_capacity(findings.len());
    for finding in findings {
        if !told.contains(&finding) {
            told.push(finding);
        }
    }
    told
}

/// A document that is open.
struct Session {
    options: RunOptions,
    parts: Parts,
    path: PathBuf,
    machine: Machine,
    findings: Vec<Finding>,
    /// Somebody changed the document, and it did not read since.
    is_stale: bool,
}

impl Session {
    async fn open(options: RunOptions, parts: Parts) -> Result<Self, Vec<Finding>> {
        let path = document(&options, &parts).map_err(|finding| vec![*finding])?;
        let (file, bytes) = locked(&parts, &path).map_err(|finding| vec![*finding])?;
        let opening = Opening { options: &options, parts: &parts, path: &path, asker: None };
        match open(opening, &bytes).await {
            Ok((mut machine, findings)) => {
                machine.journal.write_to(file);
                Ok(Self { options, parts, path, machine, findings, is_stale: false })
            }
            Err(findings) => {
                // A copy that was made for a run that cannot begin would be in the way of the next try.
                if options.out.is_some() {
                    let _ = parts.workspace.files().remove(&path);
                }
                Err(of_source(findings, &options, &parts))
            }
        }
    }

    async fn run(mut self) -> RunEnd {
        let mut outcome = self.first().await;
        loop {
            match self.parts.audience.next().await {
                Some(Reading::Message(text)) => outcome = Some(self.answer(&text).await),
                Some(Reading::End) => break outcome = outcome.or(Some(RunOutcome::Done)),
                None => break,
            }
        }
        let mut outcome = outcome.unwrap_or_else(|| self.unasked());
        if outcome == RunOutcome::Done
            && let Err(stop) = self.machine.raise(Hook::SessionEnd).await
        {
            outcome = self.stopped(stop);
        }
        self.machine.journal.sync();
        self.findings.append(&mut self.machine.findings);
        let tally = self.machine.tally;
        let below = self.machine.shared.usage();
        RunEnd {
            outcome,
            turns: tally.turns,
            denied: tally.denied,
            usage: tally.usage.and(below),
            findings: self.findings,
        }
    }

    /// What stands there, brought to its end; then what was said on the command line. None where nobody asks anything.
    async fn first(&mut self) -> Option<RunOutcome> {
        let is_asked = self.machine.journal.blocks().any(is_user);
        let mut went = self.machine.resume().await;
        if went.is_ok() && self.machine.journal.has_rest() {
            // Somebody wrote behind what was gone through.
            went = Err(Stop::Diverged);
        }
        if matches!(went, Err(Stop::Diverged)) {
            went = match self.reload().await {
                Ok(()) => self.machine.resume_as_it_stands().await,
                Err(stop) => Err(stop),
            };
        }
        let outcome = self.ended(went);
        match (outcome, self.options.ask.take()) {
            (RunOutcome::Done, Some(text)) => Some(self.answer(&text).await),
            (RunOutcome::Done, None) if !is_asked => None,
            (outcome, _) => Some(outcome),
        }
    }

    /// What the user says next, answered. What somebody else wrote into the document meanwhile is read first.
    async fn answer(&mut self, text: &str) -> RunOutcome {
        if self.is_stale || self.machine.journal.is_changed() {
            let reloaded = self.reload().await;
            if reloaded.is_err() {
                return self.ended(reloaded);
            }
            if let Err(stop) = self.machine.take_in() {
                return self.stopped(stop);
            }
        }
        let went = self.machine.ask(text).await;
        self.ended(went)
    }

    /// Reads the document again; what was not written yet is forgotten. One that does not read stands as it is, and is read
    /// again before anything is appended.
    async fn reload(&mut self) -> Result<(), Stop> {
        let Some(mut file) = self.machine.journal.take_file() else { return Ok(()) };
        self.is_stale = true;
        let opened = match file.read() {
            Ok(bytes) => {
                let opening =
                    Opening { options: &self.options, parts: &self.parts, path: &self.path, asker: None };
                open(opening, &bytes).await.map_err(first_of)
            }
            Err(error) => Err(error.finding(Code::UNREADABLE).into()),
        };
        let opened = match opened {
            Ok(opened) => opened,
            Err(stop) => {
                self.machine.journal.write_to(file);
                return Err(stop);
            }
        };
        self.is_stale = false;
        self.take_over(opened, file);
        Ok(())
    }

    /// Goes on with the document as it was read again, and with what this run counted.
    fn take_over(&mut self, (machine, findings): (Machine, Vec<Finding>), file: LogFile) {
        let (tally, below) = (self.machine.tally, self.machine.shared.usage());
        self.findings.append(&mut self.machine.findings);
        self.findings.extend(findings);
        self.machine = machine;
        self.machine.journal.write_to(file);
        let own = &mut self.machine.tally;
        (own.turns, own.denied, own.usage) = (tally.turns, tally.denied, tally.usage.and(below));
    }

    fn ended(&mut self, went: Result<(), Stop>) -> RunOutcome {
        went.map_or_else(|stop| self.stopped(stop), |()| RunOutcome::Done)
    }

    fn stopped(&mut self, stop: Stop) -> RunOutcome {
        match stop {
            Stop::Limit => RunOutcome::Limit,
            Stop::Cancelled => {
                self.parts.cancel.take();
                RunOutcome::Cancelled
            }
            Stop::Failed(finding) => {
                self.parts.audience.hear(&RunEvent::Failed { finding: &finding });
                self.findings.push(*finding);
                RunOutcome::Failed
            }
            Stop::Diverged => {
                self.findings.push(Finding::new(
                    Code::RUN_DIVERGED,
                    "the document was rewritten while it was gone through again",
                ));
                RunOutcome::Failed
            }
        }
    }

    fn unasked(&mut self) -> RunOutcome {
        let path = self.parts.workspace.told_path(&self.path);
        let finding = Finding::new(Code::RUN_UNASKED, "this document asks nothing").in_file(&path);
        self.findings.push(finding.help("end it with `<user>…</user>`, or say `--ask TEXT`"));
        RunOutcome::Failed
    }
}

/// What is wrong with a copy is wrong with the document that was copied.
fn of_source(mut findings: Vec<Finding>, options: &RunOptions, parts: &Parts) -> Vec<Finding> {
    let Some(out) = &options.out else { return findings };
    let (copy, source) = (parts.workspace.told_path(out), parts.workspace.told_path(&options.file));
    for finding in findings.iter_mut().filter(|finding| finding.path.as_deref() == Some(copy.as_str())) {
        finding.path = Some(source.as_str().into());
    }
    findings
}

fn first_of(findings: Vec<Finding>) -> Stop {
    let unread = || Finding::new(Code::UNREADABLE, "the document cannot be read again");
    findings.into_iter().next().unwrap_or_else(unread).into()
}

/// The file that is run: the document, or a new copy of it.
fn document(options: &RunOptions, parts: &Parts) -> Result<PathBuf, Box<Finding>> {
    let Some(out) = &options.out else { return Ok(options.file.clone()) };
    let fs = &**parts.workspace.files();
    let told = parts.workspace.told_path(out);
    if Dialect::of_path(&told) != Some(Dialect::Chatmd) {
        let finding = Finding::new(Code::RUN_OUT, "a document that is run ends in `.chatmd`").in_file(&told);
        return Err(Box::new(finding.help(format!("name the copy `{told}.chatmd`"))));
    }
    if exists(fs, out) {
        let finding = Finding::new(Code::RUN_OUT, "this file is there already").in_file(&told);
        return Err(Box::new(
            finding.help("run it to go on from where it stands, or name another one with `--out`"),
        ));
    }
    let mut bytes = Vec::new();
    fs.read_into(&options.file, u64::MAX >> 1, &mut bytes)
        .map_err(|error| Box::new(unreadable(parts, &options.file, &error)))?;
    let (Some(folder), Some(name)) = (out.parent(), out.file_name().and_then(|name| name.to_str())) else {
        return Err(Box::new(Finding::new(Code::RUN_OUT, "this is no path of a file").in_file(&told)));
    };
    let unwritten = |error: mentci_disk::DiskError| Box::new(error.finding(Code::RUN_OUT).in_file(&told));
    let lock = Sidecar::at(parts.workspace.root(), ".mentci/edit.lock").lock(fs).map_err(unwritten)?;
    drop(lock);
    let lock = Sidecar::at(folder, ".mentci-out.lock").lock(fs).map_err(unwritten)?;
    let written = publish(fs, &lock, &[(name, &bytes)], WriteOptions::default()).map(drop).map_err(unwritten);
    let _ = fs.remove(&folder.join(".mentci-out.lock"));
    written.map(|()| out.clone())
}

fn locked(parts: &Parts, path: &Path) -> Result<(LogFile, Vec<u8>), Box<Finding>> {
    let told = parts.workspace.told_path(path);
    if let Err(error) = parts.workspace.files().stat(path) {
        return Err(Box::new(unreadable(parts, path, &error)));
    }
    match LogFile::open(parts.workspace.files().clone(), parts.workspace.root(), path) {
        Ok(Some(opened)) => Ok(opened),
        Ok(None) => {
            let finding = Finding::new(Code::RUN_LOCKED, "another run has this document").in_file(&told);
            Err(Box::new(finding.help("wait until it ends, or run a copy with `--out FILE`")))
        }
        Err(error) => Err(Box::new(error.finding(Code::UNREADABLE).in_file(&told))),
    }
}

fn unreadable(parts: &Parts, path: &Path, error: &std::io::Error) -> Finding {
    let why = match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
        std::io::ErrorKind::InvalidInput | std::io::ErrorKind::IsADirectory => {
            "it is not a regular file".to_owned()
        }
        _ => error.to_string(),
    };
    Finding::new(Code::UNREADABLE, why).in_file(&parts.workspace.told_path(path))
}
