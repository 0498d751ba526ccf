//! Sessions: all of them, and one with what happened, what a model sees of it, and what other rules make of it.

mod artifact;
mod list;
mod one;
mod replay;
mod timeline;
mod tokens;

use mentci_host::policy::{Input, Line, LinesAnswer, PolicyRequest};
use mentci_host::session::{
    ArtifactRequest, ArtifactRow, ContextExplained, ContextQuery, ContextRequest, SessionEvents,
    SessionRequest, SessionTotals,
};
use mentci_host::{Ask, Request};
use mentci_source::{Code, Finding};

use crate::answer::Done;
use crate::ask::{Told, Trouble, asked};
use crate::frame::{Frame, Place};
use crate::{Visit, words};

/// The most events that one page shows.
const MOST: usize = 500;
/// The most bytes of an artifact that one page shows.
const MOST_BYTES: u64 = 1 << 20;
/// The budget that a context is shown in where nobody names one.
const BUDGET: u64 = 8_000;

/// `/sessions`
pub(crate) fn list(ask: &dyn Ask, visit: &Visit) -> Done {
    let (answer, findings) = asked!(ask, Request::Session(SessionRequest::List), Sessions)?;
    Frame::new(ask, visit, Place::Sessions, "Sessions")
        .done(|html| list::write(&answer.sessions, &findings, visit, html))
}

/// `/session?id=…`
pub(crate) fn page(ask: &dyn Ask, visit: &Visit) -> Done {
    let desk = Desk::of(ask, visit)?;
    let title = format!("Session {}", words::excerpt(&desk.events.session, 40));
    Frame::new(ask, visit, Place::Sessions, title).done(|html| one::write(&desk, visit, html))
}

/// `/artifact?session=…&id=…`
pub(crate) fn artifact(ask: &dyn Ask, visit: &Visit) -> Done {
    let (id, session) = (visit.query.text("id").to_owned(), visit.query.said("session").map(str::to_owned));
    let range = Some(visit.query.said("range").unwrap_or("0-65535").to_owned());
    let request = ArtifactRequest::Get { id, range, session: session.clone(), most: Some(MOST_BYTES) };
    let (content, findings) = asked!(ask, Request::Artifact(request), ArtifactContent)?;
    Frame::new(ask, visit, Place::Sessions, "Artifact")
        .done(|html| artifact::write(&content, session.as_deref(), &findings, html))
}

/// What the page of one session is made from.
struct Desk {
    events: SessionEvents,
    totals: Option<SessionTotals>,
    findings: Vec<Finding>,
    budget: u64,
    context: Result<ContextExplained, Vec<Finding>>,
    artifacts: Vec<ArtifactRow>,
    /// What other rules were asked for, and what they make of it.
    against: String,
    replayed: Option<Replayed>,
}

impl Desk {
    fn of(ask: &dyn Ask, visit: &Visit) -> Result<Self, Trouble> {
        let totals = asked!(ask, Request::Session(SessionRequest::List), Sessions)?.0.sessions;
        // Only sessions of the log: a page is no way to files.
        let id = visit.query.text("id");
        let totals = totals.into_iter().find(|row| row.session == id).ok_or_else(|| unknown(id))?;
        let show = SessionRequest::Show { of: id.to_owned(), last: Some(MOST) };
        let (events, findings) = asked!(ask, Request::Session(show), SessionEvents)?;
        let budget = visit.query.text("budget").parse().unwrap_or(BUDGET);
        let against = visit.query.text("against").to_owned();
        let replayed = (!against.is_empty()).then(|| replayed(ask, id, &against));
        Ok(Self {
            context: explained(ask, id, budget),
            artifacts: artifacts(ask, id),
            totals: Some(totals),
            events,
            findings,
            budget,
            against,
            replayed,
        })
    }
}

fn unknown(id: &str) -> Trouble {
    let message = format!("no session is `{}`", id.escape_debug());
    Trouble(vec![
        Finding::new(Code::SESSION_UNKNOWN, message).help("the page of sessions lists those of the log"),
    ])
}

fn explained(ask: &dyn Ask, id: &str, budget: u64) -> Result<ContextExplained, Vec<Finding>> {
    let query =
        ContextQuery { session: id.to_owned(), is_id: true, budget: Some(budget), ..ContextQuery::default() };
    let told: Told<ContextExplained> =
        asked!(ask, Request::Context(ContextRequest::Explain(query)), ContextExplained);
    told.map(|(answer, _)| answer).map_err(|Trouble(findings)| findings)
}

fn artifacts(ask: &dyn Ask, id: &str) -> Vec<ArtifactRow> {
    let request = ArtifactRequest::List { session: Some(id.to_owned()) };
    let told = asked!(ask, Request::Artifact(request), Artifacts);
    told.map_or_else(|_| Vec::new(), |(answer, _)| answer.artifacts)
}

/// The lines with what is odd beside them, or why there are none.
type Replayed = Result<(Vec<Line>, Vec<Finding>), Vec<Finding>>;

/// Only the lines of which the rules in force and the others make different things.
fn replayed(ask: &dyn Ask, id: &str, against: &str) -> Replayed {
    let paths: Vec<String> = against.split_whitespace().map(str::to_owned).collect();
    if let Some(path) = paths.iter().find(|path| !replay::is_inside(path)) {
        let message = format!("`{}` does not lie in the workspace", path.escape_debug());
        return Err(vec![
            Finding::new(Code::UNREADABLE, message)
                .help("name files and folders as the workspace has them, or `builtin`"),
        ]);
    }
    let export = SessionRequest::Export { of: id.to_owned(), handles: true, evidence: false };
    let exported: Told<LinesAnswer> = asked!(ask, Request::Session(export), Lines);
    let (lines, _) = exported.map_err(|Trouble(findings)| findings)?;
    let text: String = lines.lines.iter().map(|line| replay::written(line) + "\n").collect();
    let events = Input::Text { name: "the session".to_owned(), text };
    let request =
        PolicyRequest::Replay { rules: Vec::new(), lenient: true, against: paths, zone: None, events };
    let told: Told<LinesAnswer> = asked!(ask, Request::Policy(request), Lines);
    told.map(|(answer, odd)| (answer.lines, odd)).map_err(|Trouble(findings)| findings)
}
