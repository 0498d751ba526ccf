//! The verbs of the whole log: its lines, whether they are as they were written, and what is handed to an auditor.

mod csv;
mod report;
mod row;

use mentci_host::policy::TextAnswer;
use mentci_host::{AuditAnswer, LogAnswer, LogFormat, LogRequest, LogRow, Outcome, Response};
use mentci_source::{Code, Finding, Hash};
use mentci_store::{LogQuery, Store, StoreError};

use crate::policy::store_finding;
use crate::workspace::Workspace;

/// How many lines are answered when nobody says how many, and at most.
const SOME: usize = 100;
const MOST: usize = 1_000;
/// How many lines are read at a time where all are read.
const PAGE: usize = 1_000;

impl Workspace {
    /// Carries out a verb of the log.
    pub(crate) fn whole_log(&self, request: &LogRequest) -> Response {
        match request {
            LogRequest::Lines { after, before, session, limit } => {
                let range = (*after, *before);
                self.log_lines(range, session.as_deref(), limit.unwrap_or(SOME).min(MOST))
            }
            LogRequest::Audit { expect } => self.audit(expect.as_deref()),
            LogRequest::Export { format, session } => self.export_log(*format, session.as_deref()),
        }
    }

    fn log_lines(
        &self,
        (after, before): (Option<u64>, Option<u64>),
        session: Option<&str>,
        limit: usize,
    ) -> Response {
        let read = |store: &mut dyn Store| {
            let last = store.last()?;
            let end = before.map_or(last, |before| last.min(before.saturating_sub(1)));
            let mut lines = match after {
                Some(after) => rows(store, after, session, limit)?,
                None => newest(store, end, session, limit)?,
            };
            lines.retain(|row| before.is_none() || row.seq <= end);
            Ok((lines, last))
        };
        let (read, findings) = match session {
            // Those of one session may stand far apart.
            Some(_) => self.read_store(read),
            None => self.with_store(|store| read(store)),
        };
        match read {
            Ok((lines, last)) => Response::ok(LogAnswer { lines, last }).with(findings),
            Err(error) => failed(&error, findings),
        }
    }

    fn audit(&self, expect: Option<&str>) -> Response {
        let expected = expect.map(|text| Hash::parse(text).ok_or(text));
        if let Some(Err(text)) = expected {
            let message = format!("`{}` is no hash of a line", text.escape_debug());
            let finding = Finding::new(Code::SESSION_UNPROVED, message);
            return Response::bad([finding.help("give the 64 digits that `audit verify` printed before")]);
        }
        let (audited, findings) = self.read_store(|store| {
            let audit = store.audit()?;
            let noted = match expected {
                Some(Ok(hash)) => Some((hash, is_line(store, hash)?)),
                _ => None,
            };
            Ok((audit, noted))
        });
        match audited {
            Ok((audit, noted)) => {
                let broken = audit.broken.is_some().then(|| audit.to_string());
                let missing = noted.and_then(|(hash, is_there)| {
                    (!is_there).then(|| format!("no line has the hash `{hash}`"))
                });
                let why = broken.or(missing);
                let outcome = if why.is_some() { Outcome::Findings } else { Outcome::Ok };
                let answer = AuditAnswer { lines: audit.lines, last: audit.last, holds: why.is_none(), why };
                Response::ok(answer).with(findings).at_least(outcome)
            }
            Err(error) => failed(&error, findings),
        }
    }

    fn export_log(&self, format: LogFormat, session: Option<&str>) -> Response {
        let (written, findings) = self.read_store(|store| match format {
            LogFormat::Csv => {
                let mut text = csv::HEAD.to_owned();
                every(store, session, |row| csv::line(&mut text, row)).map(|()| text)
            }
            LogFormat::Json => {
                let mut lines = Vec::new();
                // OK because rows are plain data.
                every(store, session, |row| lines.push(serde_json::to_string(row).unwrap_or_default()))?;
                Ok(format!("[{}]\n", lines.join(",\n ")))
            }
            LogFormat::Report => {
                let mut report = report::Report::default();
                every(store, session, |row| report.add(row))?;
                Ok(report.page(
                    &store.audit()?,
                    session,
                    &self.root.to_string_lossy(),
                    &self.now().to_string(),
                ))
            }
        });
        match written {
            Ok(text) => Response::ok(TextAnswer { text }).with(findings),
            Err(error) => failed(&error, findings),
        }
    }
}

fn rows(
    store: &mut dyn Store,
    after: u64,
    session: Option<&str>,
    limit: usize,
) -> Result<Vec<LogRow>, StoreError> {
    let query = LogQuery { session: session.map(str::to_owned), after, limit: Some(limit) };
    Ok(store.log(&query)?.into_iter().map(row::row).collect())
}

/// The newest lines up to one: looked for backwards, in steps that grow, because a session may have been silent for long.
fn newest(
    store: &mut dyn Store,
    last: u64,
    session: Option<&str>,
    limit: usize,
) -> Result<Vec<LogRow>, StoreError> {
    let mut back = limit as u64;
    loop {
        let after = last.saturating_sub(back);
        let mut found = Vec::new();
        let mut from = after;
        while from < last {
            let page = rows(store, from, session, PAGE)?;
            let Some(end) = page.last().map(|row| row.seq) else { break };
            from = end;
            found.extend(page.into_iter().take_while(|row| row.seq <= last));
            let surplus = found.len().saturating_sub(limit);
            found.drain(..surplus);
        }
        if found.len() >= limit || after == 0 {
            return Ok(found);
        }
        back = back.saturating_mul(8);
    }
}

/// Every line that there is now: what is written while it is read belongs to the next reading.
fn every(
    store: &mut dyn Store,
    session: Option<&str>,
    mut each: impl FnMut(&LogRow),
) -> Result<(), StoreError> {
    let (mut after, end) = (0, store.last()?);
    loop {
        let page = rows(store, after, session, PAGE)?;
        let Some(last) = page.last() else { return Ok(()) };
        after = last.seq;
        page.iter().filter(|row| row.seq <= end).for_each(&mut each);
        if after >= end {
            return Ok(());
        }
    }
}

fn is_line(store: &mut dyn Store, hash: Hash) -> Result<bool, StoreError> {
    let mut is_there = false;
    every(store, None, |row| is_there |= row.hash == hash)?;
    Ok(is_there)
}

fn failed(error: &StoreError, findings: Vec<Finding>) -> Response {
    Response::bad(findings.into_iter().chain([store_finding(error)]))
}
