//! The chain of hashes through the log.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use mentci_authority::At;
use mentci_ledger::Record;
use mentci_source::Hash;
use serde::{Deserialize, Serialize};

use crate::approval::{ApprovalChange, changes};
use crate::settled::Settled;
use crate::{ApprovalRow, Setting};

/// What a walk through the log found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Audit {
    /// How many lines were walked.
    pub lines: u64,
    /// The hash of the last one: whoever notes it elsewhere can tell later that no line before it was changed or taken.
    pub last: Option<Hash>,
    /// The number of the first line that is not what it was, or is missing; `None` when all is well.
    pub broken: Option<u64>,
    /// What is wrong there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<AuditFault>,
}

/// What is wrong with a log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AuditFault {
    /// The line's hash does not cover what it says.
    Changed,
    /// There is no such line.
    Missing,
    /// The line stands in a session that is not the one it was written for.
    OtherSession,
    /// The line does not follow the one before it in its session.
    OutOfOrder,
    /// A request for approval in the table is not what the lines of the log add up to: it was changed, taken away or added.
    Approval {
        /// Which.
        id: String,
    },
    /// A setting in the table is not what the lines of the log add up to: a rule was switched, or a value set, by hand.
    Setting {
        /// Which.
        key: String,
    },
    /// What is kept of a session so that it need not be folded anew is not what its lines add up to.
    Snapshot {
        /// Whose.
        session: String,
    },
    /// What is kept of a session says that it is written as nothing is.
    SnapshotFormat {
        /// Whose.
        session: String,
        /// Its format, as it says.
        format: i64,
    },
    /// The list of sessions says another number of lines than there are.
    Miscounted {
        /// Whose.
        session: String,
        /// How many there are.
        lines: u64,
        /// How many were written, as the list says.
        told: u64,
    },
}

impl fmt::Display for Audit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = self.broken.unwrap_or_default();
        match &self.why {
            None => write!(f, "the log is as it was written"),
            Some(AuditFault::Changed) => write!(f, "line {line} of the log is not what was written"),
            Some(AuditFault::Missing) => write!(f, "line {line} of the log is missing"),
            Some(AuditFault::OtherSession) => {
                write!(f, "line {line} of the log was written for another session than it stands in")
            }
            Some(AuditFault::OutOfOrder) => {
                write!(
                    f,
                    "line {line} of the log stands where it was not written: a line before it is missing"
                )
            }
            Some(AuditFault::Approval { id }) => {
                let id = id.escape_debug();
                write!(f, "the request for approval `{id}` is not what line {line} of the log says")
            }
            Some(AuditFault::Setting { key }) if line > self.lines => {
                write!(f, "the setting `{}` stands in no line of the log", key.escape_debug())
            }
            Some(AuditFault::Setting { key }) => {
                write!(f, "the setting `{}` is not what line {line} of the log says", key.escape_debug())
            }
            Some(AuditFault::Snapshot { session }) => {
                let session = session.escape_debug();
                write!(
                    f,
                    "the snapshot of `{session}` is not what the lines of the log up to {line} add up to"
                )
            }
            Some(AuditFault::SnapshotFormat { session, format }) => {
                let session = session.escape_debug();
                write!(f, "the snapshot of `{session}` has the format {format}, in which none is written")
            }
            Some(AuditFault::Miscounted { session, lines, told }) => {
                let session = session.escape_debug();
                write!(f, "the log holds {lines} lines of `{session}`, where {told} were written")
            }
        }
    }
}

/// The hash of a line: it covers the hash of the line before it, its place, its record and its body.
pub fn audit_hash(before: Option<Hash>, seq: u64, version: u64, record: &str, body: Option<&str>) -> Hash {
    let (seq, version) = (seq.to_le_bytes(), version.to_le_bytes());
    let before = before.as_ref().map_or(&[][..], |hash| hash.as_bytes());
    let has_body = [u8::from(body.is_some())];
    let body = body.unwrap_or_default().as_bytes();
    Hash::of("mentci audit", [before, &seq, &version, record.as_bytes(), &has_body, body])
}

/// A line as it is walked over.
pub(crate) struct Walked<'a> {
    pub(crate) seq: u64,
    /// The session that it stands in. Its hash does not cover that: its record says whose it is.
    pub(crate) session: &'a str,
    pub(crate) version: u64,
    pub(crate) record: &'a str,
    pub(crate) body: Option<&'a str>,
    pub(crate) hash: Option<Hash>,
}

/// Walks line after line.
#[derive(Debug, Default)]
pub(crate) struct Walk {
    last: Option<Hash>,
    lines: u64,
    /// How many lines each session has.
    sessions: BTreeMap<String, u64>,
    /// The requests for approval as the lines make them, each with the number of the line that changed it last.
    approvals: BTreeMap<String, (ApprovalRow, u64)>,
    settings: Settled,
    now_ms: i64,
    broken: Option<(u64, AuditFault)>,
}

/// What stands in the tables beside the log.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    /// How many lines each session has, by the list.
    pub(crate) sessions: BTreeMap<String, u64>,
    /// The requests for approval; one that does not read is `None`.
    pub(crate) approvals: BTreeMap<String, Option<ApprovalRow>>,
    pub(crate) settings: Vec<Setting>,
    /// The first snapshot that is not what its session's lines make, with the last line that it covers.
    pub(crate) snapshot: Option<(u64, AuditFault)>,
}

impl Walk {
    pub(crate) fn line(&mut self, line: &Walked<'_>) {
        self.lines += 1;
        let before = match self.sessions.get_mut(line.session) {
            Some(lines) => lines,
            None => self.sessions.entry(line.session.to_owned()).or_default(),
        };
        *before += 1;
        let hash = audit_hash(self.last, line.seq, line.version, line.record, line.body);
        let told = Told::of(line.record);
        let fault = if line.seq != self.lines {
            Some((self.lines, AuditFault::Missing))
        } else if Some(hash) != line.hash {
            Some((line.seq, AuditFault::Changed))
        } else if told.session.as_deref() != Some(line.session) {
            Some((line.seq, AuditFault::OtherSession))
        } else if line.version != *before {
            Some((line.seq, AuditFault::OutOfOrder))
        } else {
            None
        };
        self.broken = self.broken.take().or(fault);
        self.last = line.hash;
        self.now_ms = told.at.map_or(self.now_ms, |at| at.ms);
        self.fold(line);
    }

    /// What the line says about requests for approval and settings. Most say nothing of them, and are not taken apart for it.
    fn fold(&mut self, line: &Walked<'_>) {
        let keys = ["\"requested\":", "\"used\":", "\"granted\":", "\"denied\":", "\"changed\":"];
        if !keys.iter().any(|key| line.record.contains(key)) {
            return;
        }
        let Ok(record) = serde_json::from_str::<Record>(line.record) else { return };
        self.settings.fold(&record, line.seq);
        for change in changes(&record, self.now_ms) {
            self.apply(change, line.seq);
        }
    }

    fn apply(&mut self, change: ApprovalChange<'_>, seq: u64) {
        let id = change.id().to_owned();
        let before = self.approvals.get(&id).map(|(row, _)| row.clone());
        self.approvals.extend(change.made(before).map(|row| (id, (row, seq))));
    }

    /// The first request that is not, or not so, in the table; or is there and in no line.
    fn strange(&self, table: &BTreeMap<String, Option<ApprovalRow>>) -> Option<(u64, AuditFault)> {
        let fault = |id: &String| AuditFault::Approval { id: id.clone() };
        let mut told = self.approvals.iter();
        let odd = told.find(|(id, (row, _))| table.get(*id).and_then(Option::as_ref) != Some(row));
        let added = || table.keys().find(|id| !self.approvals.contains_key(*id));
        odd.map(|(id, (_, line))| (*line, fault(id))).or_else(|| Some((self.lines + 1, fault(added()?))))
    }

    /// The end: `last` is the hash that the head of the log names.
    pub(crate) fn end(self, lines: u64, last: Option<Hash>, tables: &Tables) -> Audit {
        let is_cut = (self.lines, self.last) != (lines, last);
        let after = self.lines + 1;
        let cut = is_cut.then_some((after, AuditFault::Missing));
        let strange =
            self.strange(&tables.approvals).or_else(|| self.settings.strange(&tables.settings, self.lines));
        let snapshot = tables.snapshot.clone();
        let broken = self.broken.or(cut);
        let broken = broken.or_else(|| Some((after, miscounted(&self.sessions, &tables.sessions)?)));
        let broken = broken.or(strange).or(snapshot);
        let (broken, why) = broken.unzip();
        Audit { lines: self.lines, last: self.last, broken, why }
    }
}

/// What a record says of itself: its session and its time. One that does not read is nobody's.
#[derive(Default, Deserialize)]
struct Told<'a> {
    #[serde(borrow)]
    session: Option<Cow<'a, str>>,
    #[serde(default)]
    at: Option<At>,
}

impl<'a> Told<'a> {
    fn of(record: &'a str) -> Self {
        serde_json::from_str(record).unwrap_or_default()
    }
}

fn miscounted(sessions: &BTreeMap<String, u64>, told: &BTreeMap<String, u64>) -> Option<AuditFault> {
    let of = |counts: &BTreeMap<String, u64>, session: &String| counts.get(session).copied().unwrap_or(0);
    let wrong = |session: &&String| of(sessions, session) != of(told, session);
    let session = sessions.keys().chain(told.keys()).find(wrong)?;
    let (lines, told) = (of(sessions, session), of(told, session));
    Some(AuditFault::Miscounted { session: session.clone(), lines, told })
}
