//! Rules: all of them by when they are asked, and one with what may be set and tried.

mod list;
mod one;
mod parameter;
mod switch;
mod trial;

use mentci_host::Ask;
use mentci_host::Request;
use mentci_host::policy::{Input, PolicyRequest, RuleRow, RuleShown, RulesAnswer, TrialAnswer};
use mentci_host::session::{SessionRequest, SessionTotals};
use mentci_source::Finding;

use crate::answer::Done;
use crate::ask::{Told, Trouble, asked};
use crate::frame::{Frame, Place};
use crate::{Fields, Visit};
use trial::Trying;

pub(crate) use parameter::{Field, Kind, Owner, write as write_field};

/// Something wrong was sent: which field, what it held, and why it was refused.
pub(crate) struct Wrong<'w> {
    pub(crate) name: &'w str,
    pub(crate) value: &'w str,
    pub(crate) why: &'w [Finding],
}

fn all(ask: &dyn Ask) -> Told<RulesAnswer> {
    asked!(ask, Request::Policy(PolicyRequest::Rules { paths: Vec::new() }), Rules)
}

/// `/rules`
pub(crate) fn list(ask: &dyn Ask, visit: &Visit) -> Done {
    let (answer, findings) = all(ask)?;
    let filter = list::Filter::of(&visit.query);
    Frame::new(ask, visit, Place::Rules, "Rules")
        .done(|html| list::write(&answer, &findings, &filter, visit, html))
}

/// `/rule?name=…`
pub(crate) fn page(ask: &dyn Ask, visit: &Visit) -> Done {
    let name = visit.query.text("name");
    let desk = Desk::of(ask, name)?;
    let (event, session) = desk.event_to_try(ask, &visit.query);
    let trying = Trying { event, session, sessions: &desk.sessions, result: None, wrong: &[] };
    desk.page(ask, visit, 200, &trying, None)
}

/// `POST /rule/test`
pub(crate) fn test(ask: &dyn Ask, visit: &Visit, form: &Fields) -> Done {
    let desk = Desk::of(ask, form.text("rule"))?;
    // Browsers send line breaks of a field as two signs.
    let (event, mut session) = (form.text("event").replace('\r', ""), form.text("session").to_owned());
    // One event is one line; line breaks stand between the parts of JSON and never in them.
    let input = Input::Text { name: "the event".to_owned(), text: event.replace('\n', " ") };
    let tried =
        tried(ask, &desk.shown.full_name, Some(input), Some(session.as_str()).filter(|id| !id.is_empty()));
    let (result, wrong) = match tried {
        Ok((result, odd)) => {
            // An event that names a session is tried in that one.
            session.clone_from(&result.event.session);
            (Some(result), odd)
        }
        Err(Trouble(why)) => (None, why),
    };
    let status = if result.is_some() { 200 } else { 422 };
    let trying = Trying { event, session, sessions: &desk.sessions, result: result.as_ref(), wrong: &wrong };
    desk.page(ask, visit, status, &trying, None)
}

/// The page of a rule of which a parameter was set to what it cannot be.
pub(crate) fn wrong_value(
    ask: &dyn Ask,
    visit: &Visit,
    rule: &str,
    form: &Fields,
    trouble: &Trouble,
) -> Done {
    let desk = Desk::of(ask, rule)?;
    let (event, session) = desk.event_to_try(ask, &Fields::default());
    let trying = Trying { event, session, sessions: &desk.sessions, result: None, wrong: &[] };
    let wrong = Wrong { name: form.text("name"), value: form.text("value"), why: &trouble.0 };
    desk.page(ask, visit, 422, &trying, Some(&wrong))
}

fn tried(ask: &dyn Ask, rule: &str, event: Option<Input>, session: Option<&str>) -> Told<TrialAnswer> {
    let request = PolicyRequest::Try { rule: rule.to_owned(), event, session: session.map(str::to_owned) };
    asked!(ask, Request::Policy(request), Trial)
}

/// What the page of one rule is made from.
struct Desk {
    shown: RuleShown,
    row: Option<RuleRow>,
    sessions: Vec<SessionTotals>,
}

impl Desk {
    fn of(ask: &dyn Ask, name: &str) -> Result<Self, Trouble> {
        let (shown, _) =
            asked!(ask, Request::Policy(PolicyRequest::Show { rule: name.to_owned() }), PolicyRule)?;
        let row = all(ask)?.0.rules.into_iter().find(|row| row.rule == shown.full_name);
        let sessions = asked!(ask, Request::Session(SessionRequest::List), Sessions);
        let sessions = sessions.map_or_else(|_| Vec::new(), |(answer, _)| answer.sessions);
        Ok(Self { shown, row, sessions: sessions.into_iter().take(30).collect() })
    }

    /// What stands in the field to begin with: a test's event, the last one of a session, or one that the rule is asked about.
    fn event_to_try(&self, ask: &dyn Ask, query: &Fields) -> (String, String) {
        let session = query.text("session").to_owned();
        let example =
            query.text("example").parse::<usize>().ok().and_then(|at| self.shown.shown.tests.get(at));
        let event = example.map(|test| test.event.clone()).or_else(|| {
            let of = Some(session.as_str()).filter(|id| !id.is_empty());
            tried(ask, &self.shown.full_name, None, of).ok().map(|(trial, _)| *trial.event)
        });
        let told = event.map(|event| trial::told(&event)).unwrap_or_default();
        (told, session)
    }

    #[expect(clippy::unnecessary_wraps, reason = "every page ends with it")]
    fn page(
        &self,
        ask: &dyn Ask,
        visit: &Visit,
        status: u16,
        trying: &Trying<'_>,
        wrong: Option<&Wrong<'_>>,
    ) -> Done {
        let frame = Frame::new(ask, visit, Place::Rules, self.shown.full_name.clone());
        let view = one::View { shown: &self.shown, row: self.row.as_ref(), trying, wrong, visit };
        Ok(frame.page(status, |html| view.write(html)))
    }
}
