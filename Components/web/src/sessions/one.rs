//! One session: its picture, its events, its context, its artifacts, and other rules.

use mentci_authority::{At, Effect};
use mentci_context::{SessionEvent, SessionEventKind};
use mentci_host::session::ArtifactRow;
use mentci_page::{Html, grouped};
use serde_json::Value;

use super::timeline::decision;
use super::{Desk, replay, timeline, tokens};
use crate::frame::{form, hidden};
use crate::words::{count, effect, excerpt, json, mark, short_args};
use crate::{Visit, link, moment, notice};

pub(super) fn write(desk: &Desk, visit: &Visit, html: &mut Html) {
    html.own("<p class=\"crumbs\"><a href=\"/sessions\">Sessions</a></p>");
    head(desk, visit, html);
    notice::findings(&desk.findings, html);
    html.element("div", &[("id", "picture"), ("data-live", "")], |html| {
        timeline::write(&desk.events.events, html);
    });
    events(desk, html);
    tokens::write(desk, html);
    artifacts(desk, html);
    replay::write(desk, html);
}

fn head(desk: &Desk, visit: &Visit, html: &mut Html) {
    html.element("div", &[("class", "heading switched")], |html| {
        html.element("div", &[], |html| {
            html.leaf("h1", &[], &desk.events.session);
            html.element("p", &[("class", "facts")], |html| {
                html.leaf("span", &[], &format!("{} tokens said", grouped(desk.events.tokens)));
                html.own(" ");
                if let Some(totals) = &desk.totals {
                    html.leaf(
                        "span",
                        &[],
                        &count(usize::try_from(totals.events).unwrap_or(usize::MAX), "line"),
                    );
                    html.own(" ");
                    if let Some(last) = moment::read(&totals.last) {
                        html.element("span", &[], |html| moment::ago(last, visit.now, html));
                        html.own(" ");
                    }
                }
            });
        });
        if visit.viewer.may_act {
            html.element("div", &[("class", "controls")], |html| stopping(desk, html));
        }
    });
}

fn stopping(desk: &Desk, html: &mut Html) {
    let stopped = desk.totals.as_ref().and_then(|totals| totals.stopped.as_ref());
    match stopped {
        Some(why) => {
            html.leaf("p", &[("class", "mark block")], &format!("stopped: {why}"));
            form("/resume", "", html, |html| {
                hidden("session", &desk.events.session, html);
                html.own("<button type=\"submit\" class=\"main\">Let its calls run again</button>");
            });
        }
        None => form("/stop", "", html, |html| {
            hidden("session", &desk.events.session, html);
            html.own("<button type=\"submit\" class=\"danger\">Stop its calls</button>");
        }),
    }
}

fn events(desk: &Desk, html: &mut Html) {
    html.own("<section aria-labelledby=\"events\"><h2 id=\"events\">What happened</h2>");
    if desk.events.left_out > 0 {
        let earlier = count(desk.events.left_out, "earlier event");
        html.leaf("p", &[("class", "soft")], &format!("{earlier} left out here."));
    }
    html.element("ol", &[("class", "feed"), ("id", "story"), ("data-live", "")], |html| {
        for event in &desk.events.events {
            let id = format!("e-{}", event.event_id);
            html.element("li", &[("id", &id)], |html| one(event, html));
        }
    });
    html.own("</section>");
}

fn one(event: &SessionEvent, html: &mut Html) {
    html.element("details", &[], |html| {
        html.element("summary", &[], |html| {
            #[expect(clippy::cast_possible_truncation, reason = "the cast saturates, and a time is shown")]
            let ms = (event.timestamp * 1_000.0) as i64;
            html.leaf(
                "time",
                &[("datetime", &At::utc(ms).to_string()), ("class", "when")],
                &moment::clock(ms),
            );
            html.own(" ");
            match decision(event).and_then(Effect::parse) {
                Some(decided) => effect(decided, html),
                None => mark(event.kind.name(), kind(event.kind), html),
            }
            html.own(" ");
            html.leaf("span", &[("class", "gist")], &gist(event));
        });
        json(&Value::Object(event.data.clone()), html);
    });
}

fn kind(kind: SessionEventKind) -> &'static str {
    match kind {
        SessionEventKind::UserInput => "said",
        SessionEventKind::MemoryHit => "remembered",
        SessionEventKind::ToolCall => "call",
        SessionEventKind::ToolSuccess => "answer",
        SessionEventKind::ToolError => "failed",
        SessionEventKind::ToolTimeout => "too late",
        SessionEventKind::ToolCancelled => "cancelled",
        SessionEventKind::ToolDenied => "denied",
        SessionEventKind::GuardDecision => "decided",
        SessionEventKind::PhaseResult => "phase",
        SessionEventKind::ArtifactStored => "artifact",
        SessionEventKind::Compaction => "compaction",
    }
}

/// What an event is about, on one line.
fn gist(event: &SessionEvent) -> String {
    let text = |key: &str| event.data.get(key).and_then(Value::as_str).unwrap_or("");
    let words: Vec<String> = match event.kind {
        SessionEventKind::ToolCall => {
            vec![text("tool").to_owned(), event.data.get("args").map(short_args).unwrap_or_default()]
        }
        SessionEventKind::GuardDecision => {
            let rules = event.data.get("rules").and_then(Value::as_array);
            rules.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
        }
        _ => {
            let value =
                event.data.get("value").map(|value| excerpt(&value.to_string(), 120)).unwrap_or_default();
            ["role", "tool", "text", "summary", "error", "phase"]
                .map(|key| text(key).to_owned())
                .into_iter()
                .chain([value])
                .collect()
        }
    };
    let said: Vec<String> = words.into_iter().filter(|word| !word.is_empty()).collect();
    excerpt(&said.join(" · "), 160)
}

fn artifacts(desk: &Desk, html: &mut Html) {
    html.own("<section aria-labelledby=\"artifacts\"><h2 id=\"artifacts\">Artifacts</h2>");
    if desk.artifacts.is_empty() {
        html.own("<p class=\"soft\">Nothing large was moved out of this session.</p>");
    }
    html.element("ul", &[("class", "plain")], |html| {
        for row in &desk.artifacts {
            html.element("li", &[], |html| artifact(row, &desk.events.session, html));
        }
    });
    html.own("</section>");
}

fn artifact(row: &ArtifactRow, session: &str, html: &mut Html) {
    let handle = &row.handle;
    let id = handle.artifact_id.to_string();
    let to = format!("{}&id={id}", link::to("/artifact", "session", session));
    html.element("a", &[("href", &to)], |html| html.leaf("code", &[], &id[..12]));
    let facts = format!(" {} · {} bytes · {}", handle.mime_type, grouped(handle.size_bytes), handle.source);
    html.leaf("span", &[("class", "soft")], &facts);
    if !handle.summary.is_empty() {
        html.leaf("p", &[], &excerpt(&handle.summary, 240));
    }
}
