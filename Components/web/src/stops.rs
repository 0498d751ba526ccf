//! What is stopped, on top of every page: nobody who looks at any of them may miss that nothing runs.

use mentci_host::policy::{PolicyRequest, StopRow};
use mentci_host::{Ask, Request};
use mentci_page::Html;

use crate::ask::asked;
use crate::frame::{button, form, hidden};
use crate::{Visit, link, moment};

/// What is stopped now. Where that cannot be told, the page is shown without it: each decision says it all the same.
pub(crate) fn of(ask: &dyn Ask) -> Vec<StopRow> {
    asked!(ask, Request::Policy(PolicyRequest::Stops), Stops)
        .map_or_else(|_| Vec::new(), |(answer, _)| answer.stops)
}

/// A banner for each stop, with its reason, who did it and when, and for those who may the way to let calls run again. It
/// stands there empty as well, so that it appears by itself.
pub(crate) fn banner(stops: &[StopRow], visit: &Visit, html: &mut Html) {
    html.element(
        "div",
        &[("id", "stops"), ("class", "notices"), ("data-live", ""), ("role", "alert")],
        |html| {
            for stop in stops {
                html.element("div", &[("class", "notice error stopped")], |html| one(stop, visit, html));
            }
        },
    );
}

fn one(stop: &StopRow, visit: &Visit, html: &mut Html) {
    html.element("p", &[], |html| {
        match &stop.session {
            None => html.own("<strong>Every call is stopped.</strong> "),
            Some(session) => {
                html.own("<strong>Every call of the session ");
                html.leaf("a", &[("href", &link::session(session))], session);
                html.own(" is stopped.</strong> ");
            }
        }
        html.leaf("q", &[], &stop.reason);
        html.own(" ");
        html.element("span", &[("class", "soft")], |html| {
            if let Some(by) = &stop.by {
                html.text(&format!("by {by} "));
            }
            if let Some(since) = stop.since.as_deref().and_then(moment::read) {
                html.own("since ");
                moment::ago(since, visit.now, html);
            }
        });
    });
    if visit.viewer.may_act {
        form("/resume", "", html, |html| {
            if let Some(session) = &stop.session {
                hidden("session", session, html);
            }
            button("quiet", "Let calls run again", html);
        });
    }
}
