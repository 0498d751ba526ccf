//! What agents learned: what waits for a person first, beside what it would change.

use mentci_authority::LessonStatus;
use mentci_host::{Ask, LessonRequest, LessonView, Request};
use mentci_page::Html;
use mentci_source::Finding;

use crate::answer::Done;
use crate::ask::asked;
use crate::frame::{Frame, Place, empty, form, heading, hidden};
use crate::words::{count, mark, sentence};
use crate::{Visit, link, moment, notice};

/// `/lessons`
pub(crate) fn page(ask: &dyn Ask, visit: &Visit) -> Done {
    let request = LessonRequest::List { skill: None, status: None };
    let (answer, findings) = asked!(ask, Request::Lessons(request), Lessons)?;
    Frame::new(ask, visit, Place::Lessons, "Lessons")
        .done(|html| write(&answer.lessons, &findings, visit, html))
}

/// The parts of the page, with what stands in each.
const PARTS: &[(&str, &[LessonStatus])] = &[
    ("Waiting for you", &[LessonStatus::Pending]),
    ("In force", &[LessonStatus::Active, LessonStatus::Promoted]),
    ("Out of force", &[LessonStatus::Rejected, LessonStatus::Archived]),
];

fn write(lessons: &[LessonView], findings: &[Finding], visit: &Visit, html: &mut Html) {
    heading(
        "Lessons",
        "What agents learned. A lesson that would loosen an explicit must waits here until a person decides.",
        html,
    );
    notice::findings(findings, html);
    if lessons.is_empty() {
        let help = "An agent teaches one by the tool `update_skill_heuristics`, a person by `policy-engine lessons add`.";
        return empty("No lesson was told yet", help, html);
    }
    html.element("div", &[("id", "lessons"), ("data-live", "")], |html| {
        for (title, statuses) in PARTS {
            let part: Vec<&LessonView> =
                lessons.iter().filter(|lesson| statuses.contains(&lesson.status)).collect();
            section(title, &part, lessons, visit, html);
        }
    });
}

fn section(title: &'static str, part: &[&LessonView], all: &[LessonView], visit: &Visit, html: &mut Html) {
    let is_inbox = title == PARTS[0].0;
    if part.is_empty() && !is_inbox {
        return;
    }
    let id = link::anchor("part", title);
    html.element("section", &[("aria-labelledby", &id), ("id", &format!("{id}-all"))], |html| {
        html.element("h2", &[("id", &id)], |html| {
            html.text(title);
            html.leaf("span", &[("class", "soft")], &format!(" {}", part.len()));
        });
        if part.is_empty() {
            html.own("<p class=\"soft\">Nothing waits.</p>");
        }
        for lesson in part {
            one(lesson, all, visit, html);
        }
    });
}

fn one(lesson: &LessonView, all: &[LessonView], visit: &Visit, html: &mut Html) {
    let near: Vec<&LessonView> =
        all.iter().filter(|other| lesson.near.contains(&other.id) && other.id != lesson.id).collect();
    let against: Vec<&LessonView> = all.iter().filter(|other| lesson.opposed.contains(&other.id)).collect();
    let is_pending = lesson.status == LessonStatus::Pending;
    html.element(
        "article",
        &[("class", "card lesson"), ("id", &link::anchor("lesson", lesson.id.as_str()))],
        |html| {
            let beside = is_pending || !near.is_empty() || !against.is_empty();
            html.element("div", &[("class", if beside { "beside" } else { "alone" })], |html| {
                html.element("div", &[("class", "side-one")], |html| words(lesson, html));
                if beside {
                    html.element("div", &[("class", "side-other")], |html| {
                        others(lesson, &against, &near, html);
                    });
                }
            });
            facts(lesson, visit, html);
            if visit.viewer.may_act {
                judging(lesson, is_pending, html);
            }
        },
    );
}

fn words(lesson: &LessonView, html: &mut Html) {
    html.own("<h3 class=\"small\">The lesson</h3>");
    html.element("dl", &[("class", "said")], |html| {
        html.own("<dt>When</dt>");
        html.leaf("dd", &[], &lesson.condition);
        html.own("<dt>Do</dt>");
        html.leaf("dd", &[], &lesson.resolution);
        if let Some(context) = &lesson.context {
            html.own("<dt>Learned</dt>");
            html.leaf("dd", &[("class", "soft")], context);
        }
    });
}

/// What it would loosen, the lessons that say the opposite, and those that say nearly the same.
fn others(lesson: &LessonView, against: &[&LessonView], near: &[&LessonView], html: &mut Html) {
    if lesson.status == LessonStatus::Pending {
        html.own("<h3 class=\"small\">Why it waits</h3>");
        waiting(lesson.waits.as_deref().unwrap_or("waits for a person"), html);
    }
    for other in against {
        html.own("<h3 class=\"small\">Says the opposite</h3>");
        mark("conflict", "conflict", html);
        another(other, html);
    }
    for other in near {
        html.own("<h3 class=\"small\">Nearly the same</h3>");
        another(other, html);
    }
}

/// Another lesson, in one paragraph that leads to it.
fn another(other: &LessonView, html: &mut Html) {
    html.element("p", &[], |html| {
        html.leaf("strong", &[], &other.condition);
        html.own(" → ");
        html.text(&other.resolution);
        html.own(" ");
        mark(other.status.name(), other.status.name(), html);
        let to = format!("#{}", link::anchor("lesson", other.id.as_str()));
        html.leaf("a", &[("href", &to)], other.id.as_str());
    });
}

/// The law that it would loosen stands as a quotation, beside the lesson.
fn waiting(why: &str, html: &mut Html) {
    let quoted = why.split_once('`').and_then(|(verb, rest)| Some((verb, rest.strip_suffix('`')?)));
    match quoted {
        Some((verb, law)) => {
            html.leaf("p", &[], &format!("It {}", verb.trim_end()));
            html.leaf("blockquote", &[("class", "against")], law);
        }
        None => html.element("p", &[], |html| sentence(&format!("It {why}."), html)),
    }
}

fn facts(lesson: &LessonView, visit: &Visit, html: &mut Html) {
    html.element("p", &[("class", "facts")], |html| {
        mark(lesson.status.name(), lesson.status.name(), html);
        html.leaf("code", &[], lesson.skill.as_str());
        html.own(" ");
        if let Some(rule) = &lesson.rule {
            html.element("span", &[("class", "soft")], |html| {
                html.own("on ");
                let to = format!("/law#{}", link::anchor("line", &rule.to_string()));
                html.leaf("a", &[("href", &to)], &rule.to_string());
            });
            html.own(" ");
        }
        let told = [
            lesson.author.as_deref().map(|author| format!("told by {author}")),
            lesson.source.as_deref().map(|door| format!("through {door}")),
        ];
        for fact in told.iter().flatten() {
            html.leaf("span", &[("class", "soft")], fact);
            html.own(" ");
        }
        if lesson.sessions.len() > 1 {
            html.leaf(
                "span",
                &[("class", "soft")],
                &format!("in {}", count(lesson.sessions.len(), "session")),
            );
            html.own(" ");
        }
        if let Some(at) = lesson.at.as_deref().and_then(moment::read) {
            html.element("span", &[("class", "soft")], |html| moment::ago(at, visit.now, html));
            html.own(" ");
        }
        html.leaf("code", &[("class", "soft")], lesson.id.as_str());
        html.own(" ");
    });
}

/// Accepting and rejecting. What is in force may still be rejected; what was rejected may be taken in all the same.
fn judging(lesson: &LessonView, is_pending: bool, html: &mut Html) {
    if lesson.status == LessonStatus::Archived {
        return;
    }
    let label = |what: &str| format!("{what} the lesson {}", lesson.condition);
    html.element("div", &[("class", "judging")], |html| {
        if !lesson.accepted || lesson.status == LessonStatus::Rejected {
            form("/lesson/accept", "", html, |html| {
                hidden("id", lesson.id.as_str(), html);
                html.leaf("button", &[("type", "submit"), ("class", if is_pending { "main" } else { "quiet" }), ("aria-label", &label("Accept"))], "Accept");
            });
        }
        if lesson.status != LessonStatus::Rejected {
            form("/lesson/reject", "with-reason", html, |html| {
                hidden("id", lesson.id.as_str(), html);
                html.own("<label>Why <input type=\"text\" name=\"reason\" maxlength=\"500\" placeholder=\"optional\"></label>");
                html.leaf("button", &[("type", "submit"), ("class", "quiet"), ("aria-label", &label("Reject"))], "Reject");
            });
        }
    });
}
