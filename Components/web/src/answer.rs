//! Which page a visit is answered by.

use mentci_host::Ask;

use crate::ask::Trouble;
use crate::frame::{Frame, Place, empty, heading};
use crate::{
    Fields, Reply, Visit, act, approvals, config, law, lessons, link, notice, now, plugins, rules, sessions,
};

/// The paths of all pages.
pub const PAGES: &[&str] = &[
    "/",
    "/approvals",
    "/sessions",
    "/session",
    "/artifact",
    "/law",
    "/lessons",
    "/rules",
    "/rule",
    "/plugins",
    "/plugin",
    "/settings",
];

/// The paths to which forms are sent.
pub const ACTS: &[&str] = &[
    "/rule/switch",
    "/rule/parameter",
    "/rule/test",
    "/plugin/switch",
    "/plugin/setting",
    "/lesson/accept",
    "/lesson/reject",
    "/approval/answer",
    "/stop",
    "/resume",
];

/// A page, or why there is none.
pub(crate) type Done = Result<Reply, Trouble>;

/// Answers a visit: a page of what the host says, or where to look after something was done.
///
/// Never panics; a page that there is not is a page that says so, with status 404. What is sent by a viewer who may not act is
/// refused with 403.
pub fn answer(ask: &dyn Ask, visit: &Visit) -> Reply {
    let done = match &visit.form {
        Some(_) if !visit.viewer.may_act => return refused(ask, visit),
        Some(form) => send(ask, visit, form),
        None => look(ask, visit),
    };
    match done {
        Some(done) => done.unwrap_or_else(|trouble| troubled(ask, visit, &trouble)),
        None => absent(ask, visit),
    }
}

fn look(ask: &dyn Ask, visit: &Visit) -> Option<Done> {
    Some(match visit.path.as_str() {
        "/" => now::page(ask, visit),
        "/approvals" => approvals::page(ask, visit),
        "/sessions" => sessions::list(ask, visit),
        "/session" => sessions::page(ask, visit),
        "/artifact" => sessions::artifact(ask, visit),
        "/law" => law::page(ask, visit),
        "/lessons" => lessons::page(ask, visit),
        "/rules" => rules::list(ask, visit),
        "/rule" => rules::page(ask, visit),
        "/plugins" => plugins::list(ask, visit),
        "/plugin" => plugins::page(ask, visit),
        "/settings" => config::page(ask, visit),
        path if ACTS.contains(&path) => Ok(Reply::See { to: behind(visit) }),
        _ => return None,
    })
}

/// Where to look when the address of a form is opened as a page: the page that the form stands on.
fn behind(visit: &Visit) -> String {
    match (place(&visit.path), visit.query.said("rule"), visit.query.said("id")) {
        (Place::Rules, Some(rule), _) => link::rule(rule),
        (Place::Plugins, _, Some(plugin)) => link::plugin(plugin),
        _ => home(&visit.path).to_owned(),
    }
}

fn send(ask: &dyn Ask, visit: &Visit, form: &Fields) -> Option<Done> {
    Some(match visit.path.as_str() {
        "/rule/test" => rules::test(ask, visit, form),
        path => return act::send(ask, visit, path, form),
    })
}

fn troubled(ask: &dyn Ask, visit: &Visit, trouble: &Trouble) -> Reply {
    let is_read = visit.form.is_none();
    let frame = Frame::new(ask, visit, place(&visit.path), "Not done");
    frame.page(if is_read { 404 } else { 422 }, |html| {
        let title = if is_read { "This cannot be shown" } else { "That was not done" };
        heading(title, "", html);
        notice::findings(&trouble.0, html);
        html.element("p", &[], |html| {
            html.leaf("a", &[("href", home(&visit.path))], "Back");
        });
    })
}

fn absent(ask: &dyn Ask, visit: &Visit) -> Reply {
    let frame = Frame::new(ask, visit, place(&visit.path), "No such page");
    frame.page(404, |html| {
        heading("No such page", "", html);
        empty("Nothing is here", "The way on the left leads to all pages.", html);
    })
}

fn refused(ask: &dyn Ask, visit: &Visit) -> Reply {
    let frame = Frame::new(ask, visit, place(&visit.path), "Not allowed");
    frame.page(403, |html| {
        heading(
            "You may look, and not act",
            "Sign in with a token that may: see `policy-engine serve --help`.",
            html,
        );
    })
}

/// The part of the way that a path belongs to.
fn place(path: &str) -> Place {
    let first = path.trim_start_matches('/').split('/').next().unwrap_or("");
    match first.trim_end_matches('s') {
        "approval" => Place::Approvals,
        "session" | "artifact" => Place::Sessions,
        "law" => Place::Law,
        "lesson" => Place::Lessons,
        "rule" => Place::Rules,
        "plugin" => Place::Plugins,
        "setting" => Place::Config,
        _ => Place::Now,
    }
}

fn home(path: &str) -> &'static str {
    match place(path) {
        Place::Now => "/",
        Place::Approvals => "/approvals",
        Place::Sessions => "/sessions",
        Place::Law => "/law",
        Place::Lessons => "/lessons",
        Place::Rules => "/rules",
        Place::Plugins => "/plugins",
        Place::Config => "/settings",
    }
}
