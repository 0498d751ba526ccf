//! The verbs of notifications: what agents are told, and taking note of it.

use mentci_authority::At;
use mentci_host::policy::{NotificationRow, NotificationsAnswer};
use mentci_host::{Outcome, Response};
use mentci_source::{Code, Finding};
use mentci_store::{NoticeRow, acknowledge, notices};

use super::log::store_finding;
use crate::workspace::Workspace;

/// The shortest start of an id that stands for it.
const LEAST: usize = 4;

impl Workspace {
    /// What the agents of this workspace were and will be told, the oldest first. Without `all`, what nobody has taken note
    /// of and for which it is not too late.
    pub(super) fn notifications(&self, session: Option<&str>, all: bool) -> Response {
        let (rows, findings) = self.with_store(|store| notices(store, session, self.now().ms));
        match rows {
            Ok(rows) => {
                let rows = rows.into_iter().map(row);
                let open = |row: &NotificationRow| matches!(row.state, "queued" | "delivered");
                let notifications = rows.filter(|row| all || open(row)).collect();
                Response::ok(NotificationsAnswer { notifications }).with(findings)
            }
            Err(error) => Response::bad(findings.into_iter().chain([store_finding(&error)])),
        }
    }

    /// Takes note of notifications, by id or the start of one: what still waits is not told any more.
    pub(super) fn acknowledge(&self, ids: &[String], session: Option<&str>, by: &str) -> Response {
        let (done, findings) = self.with_store(|store| {
            let rows = notices(store, session, self.now().ms)?;
            let (found, unknown) = find(&rows, ids);
            acknowledge(store, &found, by, self.now())?;
            let found =
                found.into_iter().map(|one| NotificationRow { state: "acknowledged", ..row(one.clone()) });
            Ok((found.collect(), unknown))
        });
        match done {
            Ok((notifications, unknown)) => {
                let worst = if unknown.is_empty() { Outcome::Ok } else { Outcome::Bad };
                let answer = NotificationsAnswer { notifications };
                Response::ok(answer).with(findings).with(unknown).at_least(worst)
            }
            Err(error) => Response::bad(findings.into_iter().chain([store_finding(&error)])),
        }
    }
}

fn row(NoticeRow { session, state, notice }: NoticeRow) -> NotificationRow {
    NotificationRow {
        id: notice.id,
        state: state.name(),
        session,
        priority: notice.priority,
        category: notice.category,
        deliver_at: notice.deliver_at,
        rule: notice.rule,
        message: notice.message,
        queued: At::utc(notice.queued_ms).to_string(),
        expires: At::utc(notice.expires_ms).to_string(),
    }
}

/// What the ids mean, and a finding for each that means nothing or more than one.
fn find<'r>(rows: &'r [NoticeRow], ids: &[String]) -> (Vec<&'r NoticeRow>, Vec<Finding>) {
    let (mut found, mut unknown) = (Vec::new(), Vec::new());
    for id in ids {
        let fits = |row: &&NoticeRow| {
            row.notice.id == *id || (id.len() >= LEAST && row.notice.id.starts_with(id.as_str()))
        };
        let mut fitting = rows.iter().filter(fits);
        match (fitting.next(), fitting.next()) {
            (Some(row), None) => found.push(row),
            (None, _) => unknown.push(unfound(id, "there is no notification")),
            (Some(_), Some(_)) => unknown.push(unfound(id, "more than one notification begins with")),
        }
    }
    (found, unknown)
}

fn unfound(id: &str, what: &str) -> Finding {
    let finding = Finding::new(Code::UNKNOWN_SUBJECT, format!("{what} `{}`", id.escape_debug()));
    finding.help("`policy-engine notifications list --all` shows those that are remembered")
}
