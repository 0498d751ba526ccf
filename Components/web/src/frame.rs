//! What stands around every page: its head, the way to the others, and what waits for a person.

use mentci_authority::LessonStatus;
use mentci_host::policy::{PolicyRequest, StopRow};
use mentci_host::{Ask, LessonRequest, Request};
use mentci_page::Html;

use crate::answer::Done;
use crate::ask::asked;
use crate::notice::Call;
use crate::{Reply, Visit, notice, stops, version};

/// The pages that the way leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Now,
    Approvals,
    Sessions,
    Law,
    Lessons,
    Rules,
    Plugins,
    Config,
}

/// One page of the way: its name and its address.
type Step = (Place, &'static str, &'static str);

/// The way: its parts, and the pages in each with their addresses.
const WAY: &[(&str, &[Step])] = &[
    (
        "Watch",
        &[
            (Place::Now, "Now", "/"),
            (Place::Approvals, "Approvals", "/approvals"),
            (Place::Sessions, "Sessions", "/sessions"),
        ],
    ),
    ("Law", &[(Place::Law, "Law", "/law"), (Place::Lessons, "Lessons", "/lessons")]),
    (
        "Settings",
        &[
            (Place::Rules, "Rules", "/rules"),
            (Place::Plugins, "Plugins", "/plugins"),
            (Place::Config, "Configuration", "/settings"),
        ],
    ),
];

/// What waits for a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Waiting {
    pub(crate) approvals: usize,
    pub(crate) lessons: usize,
}

impl Waiting {
    /// Asks for it; what cannot be told is not shown as waiting.
    pub(crate) fn of(ask: &dyn Ask) -> Self {
        let approvals = asked!(ask, Request::Policy(PolicyRequest::Approvals), Approvals);
        let pending = LessonRequest::List { skill: None, status: Some(LessonStatus::Pending) };
        let lessons = asked!(ask, Request::Lessons(pending), Lessons);
        let is_pending = |row: &&mentci_host::policy::ApprovalRow| row.state == "pending";
        Self {
            approvals: approvals.map_or(0, |(answer, _)| answer.approvals.iter().filter(is_pending).count()),
            lessons: lessons.map_or(0, |(answer, _)| answer.lessons.len()),
        }
    }

    fn at(self, place: Place) -> usize {
        match place {
            Place::Approvals => self.approvals,
            Place::Lessons => self.lessons,
            _ => 0,
        }
    }
}

/// A page that is about to be written.
pub(crate) struct Frame<'v> {
    pub(crate) visit: &'v Visit,
    pub(crate) waiting: Waiting,
    pub(crate) stops: Vec<StopRow>,
    pub(crate) place: Place,
    pub(crate) title: String,
    /// The call that was answered, where that is what was done.
    pub(crate) about: Option<Call>,
}

impl<'v> Frame<'v> {
    pub(crate) fn new(ask: &dyn Ask, visit: &'v Visit, place: Place, title: impl Into<String>) -> Self {
        Self {
            visit,
            waiting: Waiting::of(ask),
            stops: stops::of(ask),
            place,
            title: title.into(),
            about: None,
        }
    }

    /// The page, with what `main` writes in its middle.
    pub(crate) fn page(&self, status: u16, main: impl FnOnce(&mut Html)) -> Reply {
        let mut html = Html::default();
        html.own("<!doctype html>\n");
        html.element("html", &[("lang", "en")], |html| {
            html.element("head", &[], |html| head(&self.title, html));
            let stream = self.visit.stream.as_deref().unwrap_or("");
            html.element("body", &[("data-stream", stream)], |html| {
                html.own("<a class=\"skip\" href=\"#main\">Skip to the page</a>");
                self.way(html);
                html.element("main", &[("id", "main"), ("tabindex", "-1")], |html| {
                    stops::banner(&self.stops, self.visit, html);
                    notice::done(self.visit.query.get("done"), self.about.as_ref(), html);
                    main(html);
                });
            });
        });
        html.own("\n");
        Reply::Page { status, html: html.into_string() }
    }

    /// The same where nothing is wrong.
    #[expect(clippy::unnecessary_wraps, reason = "every page ends with it")]
    pub(crate) fn done(&self, main: impl FnOnce(&mut Html)) -> Done {
        Ok(self.page(200, main))
    }

    fn way(&self, html: &mut Html) {
        html.element("header", &[("class", "side")], |html| {
            html.own("<a class=\"brand\" href=\"/\"><svg viewBox=\"0 0 24 24\" width=\"22\" height=\"22\" aria-hidden=\"true\" focusable=\"false\"><rect width=\"24\" height=\"24\" rx=\"6\"></rect><path d=\"M6.5 17V7.5l5.5 5 5.5-5V17\"></path></svg>Mentci</a>");
            html.element("nav", &[("aria-label", "Pages"), ("id", "way"), ("data-live", "")], |html| {
                for (part, pages) in WAY {
                    html.element("div", &[("class", "part")], |html| {
                        html.leaf("h2", &[], part);
                        html.element("ul", &[("role", "list")], |html| {
                            for page in *pages {
                                html.element("li", &[], |html| self.step(*page, html));
                            }
                        });
                    });
                }
            });
        });
    }

    fn step(&self, (place, name, to): Step, html: &mut Html) {
        let mut said = vec![("href", to)];
        if place == self.place {
            said.push(("aria-current", "page"));
        }
        html.element("a", &said, |html| {
            html.text(name);
            let waiting = self.waiting.at(place);
            if waiting > 0 {
                html.own(" ");
                html.element("span", &[("class", "badge")], |html| {
                    html.text(&waiting.to_string());
                    html.own("<span class=\"unseen\"> waiting</span>");
                });
            }
        });
    }
}

/// What a browser reads before the page: how to show it, and what to load.
pub(crate) fn head(title: &str, html: &mut Html) {
    html.own(
        "<meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
    );
    html.own(
        "<meta name=\"color-scheme\" content=\"light dark\"><meta name=\"referrer\" content=\"same-origin\">",
    );
    html.leaf("title", &[], &format!("{title} · Mentci"));
    let version = version();
    let at = |file: &str| format!("/assets/{file}?v={version}");
    html.open("link", &[("rel", "stylesheet"), ("href", &at("page.css"))]);
    html.open("link", &[("rel", "icon"), ("type", "image/svg+xml"), ("href", &at("icon.svg"))]);
    html.element("script", &[("src", &at("page.js")), ("defer", "")], |_| {});
}

/// The head of a page's middle: its name and one sentence on what it is for.
pub(crate) fn heading(title: &str, lead: &str, html: &mut Html) {
    html.element("div", &[("class", "heading")], |html| {
        html.leaf("h1", &[], title);
        if !lead.is_empty() {
            html.element("p", &[("class", "lead")], |html| crate::words::sentence(lead, html));
        }
    });
}

/// What stands where there is nothing to show: what would stand there, and what to do about it.
pub(crate) fn empty(title: &str, help: &str, html: &mut Html) {
    html.element("div", &[("class", "empty")], |html| {
        html.leaf("p", &[("class", "empty-title")], title);
        html.element("p", &[], |html| crate::words::sentence(help, html));
    });
}

/// A form that does something.
pub(crate) fn form(action: &str, class: &str, html: &mut Html, inner: impl FnOnce(&mut Html)) {
    html.element("form", &[("method", "post"), ("action", action), ("class", class)], inner);
}

/// A value that a form brings along.
pub(crate) fn hidden(name: &str, value: &str, html: &mut Html) {
    html.open("input", &[("type", "hidden"), ("name", name), ("value", value)]);
}

/// A button that sends its form.
pub(crate) fn button(class: &str, text: &str, html: &mut Html) {
    html.leaf("button", &[("type", "submit"), ("class", class)], text);
}
