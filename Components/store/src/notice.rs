//! What agents are told, by session.

use mentci_authority::At;
use mentci_ledger::{Act, Notice, NoticeState, Record, Windows};

use crate::{Store, StoreError};

/// A notice, and whose it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoticeRow {
    /// The session whose agent is told.
    pub session: String,
    /// What became of it.
    pub state: NoticeState,
    /// What it says.
    pub notice: Notice,
}

/// The notices of one session, or of all, that are remembered, the oldest first, as they stand at `now_ms`.
///
/// # Errors
/// The store failed.
pub fn notices(
    store: &mut dyn Store,
    session: Option<&str>,
    now_ms: i64,
) -> Result<Vec<NoticeRow>, StoreError> {
    let sessions = match session {
        Some(session) => vec![session.to_owned()],
        None => store.sessions()?.into_iter().map(|row| row.session).collect(),
    };
    let mut rows = Vec::new();
    for session in sessions {
        let loaded = store.load(&session, Windows::default())?;
        let own = loaded.ledger.notices().all(now_ms);
        rows.extend(own.map(|(state, notice)| NoticeRow {
            session: session.clone(),
            state,
            notice: notice.clone(),
        }));
    }
    rows.sort_by_key(|row| row.notice.queued_ms);
    Ok(rows)
}

/// Takes note of notices: those that still wait are not told any more.
///
/// # Errors
/// The store failed; then nothing is noted.
pub fn acknowledge(store: &mut dyn Store, rows: &[&NoticeRow], by: &str, at: At) -> Result<(), StoreError> {
    let act = |row: &&NoticeRow| Act::Acknowledged { notice: row.notice.id.clone(), by: by.to_owned() };
    let records: Vec<_> = rows.iter().map(|row| (Record::act(&row.session, at, act(row)), None)).collect();
    store.append(&records)
}
