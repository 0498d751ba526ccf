//! What is decided now: the newest lines of the log, why each was decided so, and the switch that stops everything.

use std::collections::BTreeMap;

use mentci_authority::{Effect, Hook};
use mentci_host::policy::PolicyRequest;
use mentci_host::{Ask, LogRequest, LogRow, Request, asker};
use mentci_page::Html;
use mentci_source::Finding;

use crate::answer::Done;
use crate::ask::{Trouble, asked};
use crate::frame::{Frame, Place, button, empty, form, heading};
use crate::words::{count, effect, excerpt, hook, json, mark, sentence, short_args};
use crate::{Fields, Visit, link, moment, notice};

/// How many lines a page shows.
const MOST: usize = 100;
/// How many lines a filter looks through at a time, and in all; whoever wants more looks further back by a link.
const AT_A_TIME: usize = 1_000;
const FARTHEST: usize = 20_000;

/// `/`
pub(crate) fn page(ask: &dyn Ask, visit: &Visit) -> Done {
    let filter = Filter::of(&visit.query);
    let seen = Seen::of(ask, &filter)?;
    let feed = Feed { seen: &seen, says: says(ask), filter: &filter };
    Frame::new(ask, visit, Place::Now, "Now").done(|html| feed.write(visit, html))
}

/// The lines that a filter lets through, and how far it was looked for them.
#[derive(Default)]
struct Seen {
    /// The newest first.
    lines: Vec<LogRow>,
    /// How many lines were looked at.
    looked: usize,
    /// Before which line nothing was looked at; none where that is the log's start.
    older: Option<u64>,
    findings: Vec<Finding>,
}

impl Seen {
    /// Looks back, until there are enough or it is far enough.
    fn of(ask: &dyn Ask, filter: &Filter) -> Result<Self, Trouble> {
        let mut seen = Self { older: filter.before, ..Self::default() };
        loop {
            let limit = if filter.is_on() { AT_A_TIME } else { MOST };
            let lines = LogRequest::Lines {
                after: None,
                before: seen.older,
                session: filter.session(),
                limit: Some(limit),
            };
            let (answer, findings) = asked!(ask, Request::Log(lines), Log)?;
            let is_all = answer.lines.len() < limit;
            seen.findings = findings;
            seen.take(answer.lines, filter);
            if is_all && seen.lines.len() < MOST {
                seen.older = None;
            }
            if is_all || seen.lines.len() >= MOST || seen.looked >= FARTHEST {
                return Ok(seen);
            }
        }
    }

    fn take(&mut self, lines: Vec<LogRow>, filter: &Filter) {
        for row in lines.into_iter().rev() {
            if self.lines.len() >= MOST {
                return;
            }
            (self.looked, self.older) = (self.looked + 1, Some(row.seq).filter(|seq| *seq > 1));
            self.lines.extend(Some(row).filter(|row| filter.fits(row)));
        }
    }
}

/// What each rule is for, by its full name.
fn says(ask: &dyn Ask) -> BTreeMap<String, String> {
    let rules = asked!(ask, Request::Policy(PolicyRequest::Rules { paths: Vec::new() }), Rules);
    let rules = rules.map_or_else(|_| Vec::new(), |(answer, _)| answer.rules);
    rules.into_iter().filter_map(|row| Some((row.rule, row.says?))).collect()
}

/// Which decisions are shown.
struct Filter {
    decision: String,
    words: String,
    session: String,
    /// Only lines before this one.
    before: Option<u64>,
}

impl Filter {
    fn of(query: &Fields) -> Self {
        let text = |name| query.text(name).to_owned();
        let before = query.text("before").parse().ok();
        Self { decision: text("decision"), words: text("q").to_lowercase(), session: text("session"), before }
    }

    /// The address of the same filter, before a line or from the newest one.
    fn link(&self, before: Option<u64>) -> String {
        let before = before.map(|before| before.to_string()).unwrap_or_default();
        let fields = [("decision", &self.decision), ("q", &self.words), ("session", &self.session)];
        let said = fields.into_iter().chain([("before", &before)]).filter(|(_, value)| !value.is_empty());
        let query: Vec<String> =
            said.map(|(name, value)| format!("{name}={}", link::encoded(value))).collect();
        if query.is_empty() { "/".to_owned() } else { format!("/?{}", query.join("&")) }
    }

    fn session(&self) -> Option<String> {
        (!self.session.is_empty()).then(|| self.session.clone())
    }

    fn is_on(&self) -> bool {
        !(self.decision.is_empty() && self.words.is_empty() && self.session.is_empty())
    }

    fn fits(&self, row: &LogRow) -> bool {
        let decision = Effect::parse(&self.decision).is_none_or(|wanted| row.decision == Some(wanted));
        decision && (self.words.is_empty() || self.is_in(row))
    }

    fn is_in(&self, row: &LogRow) -> bool {
        let tool = row.tool.as_deref().unwrap_or("");
        let (of, by) = (row.of.as_deref().unwrap_or(""), row.by.as_deref().unwrap_or(""));
        let rules = row.rules.join(" ");
        let all = format!("{} {} {tool} {} {rules} {of} {} {by}", row.what, row.session, row.args, row.to)
            .to_lowercase();
        self.words.split_whitespace().all(|word| all.contains(word))
    }
}

/// What the page shows.
struct Feed<'f> {
    seen: &'f Seen,
    says: BTreeMap<String, String>,
    filter: &'f Filter,
}

impl Feed<'_> {
    fn write(&self, visit: &Visit, html: &mut Html) {
        html.element("div", &[("class", "switched")], |html| {
            html.element("div", &[], |html| {
                heading("Now", "What agents ask, and what is decided. The newest stands first.", html);
                html.own("<p class=\"live\" id=\"live\" role=\"status\"><span class=\"dot\" aria-hidden=\"true\"></span> <span class=\"words\">As of this moment</span></p>");
            });
            if visit.viewer.may_act {
                html.element("div", &[("class", "controls")], stopping);
            }
        });
        notice::findings(&self.seen.findings, html);
        filters(self.filter, html);
        html.element(
            "ol",
            &[("class", "feed"), ("id", "decisions"), ("data-live", ""), ("aria-label", "Decisions")],
            |html| {
                for row in &self.seen.lines {
                    html.element("li", &[("id", &format!("d-{}", row.seq))], |html| {
                        self.one(row, visit, html);
                    });
                }
            },
        );
        html.element("div", &[("id", "nothing"), ("data-live", "")], |html| {
            if self.seen.lines.is_empty() {
                self.nothing(html);
            }
        });
        html.element("div", &[("id", "older"), ("data-live", "")], |html| self.older(html));
    }

    /// How far it was looked, where that is not all, and the way on.
    fn older(&self, html: &mut Html) {
        if self.seen.older.is_none() && self.filter.before.is_none() {
            return;
        }
        html.element("p", &[("class", "soft")], |html| {
            let is_far = self.filter.is_on() && self.seen.lines.len() < MOST;
            if let Some(before) = self.seen.older {
                if is_far {
                    html.text(&format!("Looked through {}. ", count(self.seen.looked, "line")));
                }
                let words = if is_far { "Look further back" } else { "Older lines" };
                html.leaf("a", &[("href", &self.filter.link(Some(before)))], words);
                html.own(" ");
            }
            if self.filter.before.is_some() {
                html.leaf("a", &[("href", &self.filter.link(None))], "The newest lines");
            }
        });
    }

    fn nothing(&self, html: &mut Html) {
        if self.filter.is_on() {
            return empty("Nothing fits", "Other words, or all decisions, may show some.", html);
        }
        if self.filter.before.is_some() {
            return empty("No older lines", "The log begins after this.", html);
        }
        let help = "`policy-engine install claude` connects an agent; `policy-engine decide` asks by hand. What is decided appears here at once.";
        empty("Nothing was decided yet", help, html);
    }

    fn one(&self, row: &LogRow, visit: &Visit, html: &mut Html) {
        html.element("details", &[], |html| {
            html.element("summary", &[], |html| {
                html.element("span", &[("class", "when")], |html| match row.at {
                    Some(at) => moment::ago(at, visit.now, html),
                    None => html.text("—"),
                });
                match row.decision {
                    Some(decision) => effect(decision, html),
                    None => mark("person", "person", html),
                }
                html.element("span", &[("class", "gist")], |html| gist(row, html));
            });
            html.element("div", &[("class", "why")], |html| self.why(row, html));
        });
    }

    /// Why it was decided so, and all that is known of the call.
    fn why(&self, row: &LogRow, html: &mut Html) {
        if row.decision.is_some() && row.rules.is_empty() {
            html.own("<p class=\"soft\">No rule spoke: the default holds.</p>");
        }
        for rule in &row.rules {
            html.element("p", &[], |html| {
                html.leaf("a", &[("href", &link::rule(rule))], rule);
                html.own(" ");
                sentence(self.says.get(rule).map_or("", String::as_str), html);
            });
        }
        for rule in &row.shadow {
            html.element("p", &[], |html| {
                mark("shadow", "shadow", html);
                html.own(" ");
                html.leaf("a", &[("href", &link::rule(rule))], rule);
            });
        }
        if let Some(why) = &row.why {
            html.leaf("p", &[], why);
        }
        facts(row, html);
        if !row.args.is_null() {
            json(&row.args, html);
        }
    }
}

fn facts(row: &LogRow, html: &mut Html) {
    html.element("p", &[("class", "facts")], |html| {
        html.leaf("code", &[], &row.what);
        html.own(" ");
        if !row.session.is_empty() {
            html.leaf("a", &[("href", &link::session(&row.session))], &row.session);
            html.own(" ");
        }
        if let Some(who) = asker(row.caller.as_deref(), row.sender.as_deref()) {
            html.leaf("span", &[], &format!("called by {who}"));
            html.own(" ");
        }
        if row.approval.is_some() {
            html.own("<a href=\"/approvals\">Approvals</a>");
        }
        if let (Some(rule), false) = (row.rules.first(), row.session.is_empty()) {
            let to = format!("{}&session={}#test", link::rule(rule), link::encoded(&row.session));
            html.leaf("a", &[("href", &to)], "Test this rule in this session");
            html.own(" ");
        }
    });
}

fn gist(row: &LogRow, html: &mut Html) {
    match (&row.tool, &row.by) {
        (Some(tool), _) => html.leaf("strong", &[], tool),
        (None, Some(by)) => html.leaf("strong", &[], &format!("{} by {by}", row.what.replace('_', " "))),
        (None, None) => html.leaf("span", &[("class", "soft")], when(&row.what)),
    }
    if let Some(of) = &row.of {
        html.own(" ");
        html.leaf("code", &[], &excerpt(of, 80));
    }
    if !row.to.is_null() {
        html.own(" ");
        html.leaf("span", &[], &excerpt(&format!("→ {}", short_args(&row.to)), 120));
    }
    let args = short_args(&row.args);
    if !args.is_empty() {
        html.own(" ");
        html.leaf("code", &[], &args);
    }
    if let Some(first) = row.rules.first() {
        html.own(" ");
        html.leaf("span", &[("class", "soft")], &excerpt(first, 60));
    }
}

/// What an event without a tool is, in words.
fn when(what: &str) -> &str {
    Hook::ALL.into_iter().find(|at| at.name() == what).map_or(what, |at| hook(at))
}

fn stopping(html: &mut Html) {
    html.element("details", &[("class", "stop"), ("id", "stop")], |html| {
        html.own("<summary>Stop everything</summary>");
        form("/stop", "with-reason", html, |html| {
            html.own(
                "<p class=\"soft\">Blocks every call of every session until you let them run again.</p>",
            );
            html.own("<label>Why <input type=\"text\" name=\"reason\" maxlength=\"200\" required></label>");
            button("danger", "Stop every call", html);
        });
        form("/resume", "", html, |html| button("quiet", "Let calls run again", html));
    });
}

fn filters(filter: &Filter, html: &mut Html) {
    html.element(
        "form",
        &[("method", "get"), ("action", "/"), ("class", "filter"), ("role", "search")],
        |html| {
            html.own("<label>Decision <select name=\"decision\">");
            let names = Effect::ALL.iter().rev().map(|effect| effect.name());
            for name in std::iter::once("").chain(names) {
                let mut said = vec![("value", name)];
                if name == filter.decision {
                    said.push(("selected", ""));
                }
                html.leaf("option", &said, if name.is_empty() { "any" } else { name });
            }
            html.own("</select></label>");
            field("Words", "q", &filter.words, html);
            field("Session", "session", &filter.session, html);
            button("quiet", "Filter", html);
            if filter.is_on() {
                html.own("<a href=\"/\">Show all</a>");
            }
        },
    );
}

fn field(label: &str, name: &str, value: &str, html: &mut Html) {
    html.element("label", &[], |html| {
        html.text(label);
        html.own(" ");
        html.open("input", &[("type", "search"), ("name", name), ("value", value)]);
    });
}
