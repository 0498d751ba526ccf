//! A session as a picture: what was said, called, decided and moved out, from left to right.

#![expect(clippy::cast_precision_loss, reason = "a page shows at most some hundred events")]

use mentci_context::{SessionEvent, SessionEventKind};
use mentci_page::Html;
use serde_json::Value;

use crate::words::count;

/// The lanes of the picture, from the top.
const LANES: [&str; 4] = ["said", "tools", "decided", "context"];
/// In the units of the picture.
const LEFT: f64 = 80.0;
const LONG: f64 = 820.0;
const HIGH: f64 = 34.0;

pub(super) fn write(events: &[SessionEvent], html: &mut Html) {
    if events.is_empty() {
        return;
    }
    let places = places(events);
    let high = HIGH * 4.0 + 8.0;
    let view = format!("0 0 {} {high}", LEFT + LONG + 20.0);
    html.element(
        "div",
        &[("class", "wide"), ("tabindex", "0"), ("role", "region"), ("aria-label", "Timeline")],
        |html| {
            html.element(
                "svg",
                &[
                    ("class", "timeline"),
                    ("viewBox", &view),
                    ("role", "img"),
                    ("aria-labelledby", "timeline-title"),
                ],
                |html| {
                    html.leaf("title", &[("id", "timeline-title")], &summary(events));
                    for (lane, name) in LANES.iter().enumerate() {
                        lane_of(lane, name, html);
                    }
                    for (event, x) in events.iter().zip(places) {
                        mark(event, x, html);
                    }
                },
            );
        },
    );
}

/// What the picture says to those who do not see it; the events stand below it in words.
fn summary(events: &[SessionEvent]) -> String {
    let of = |wanted: &dyn Fn(&SessionEvent) -> bool| events.iter().filter(|event| wanted(event)).count();
    let calls = of(&|event| event.kind == SessionEventKind::ToolCall);
    let blocked = of(&|event| decision(event) == Some("block"));
    format!("{}: {}, {blocked} blocked", count(events.len(), "event"), count(calls, "call"))
}

/// Where each event stands: by its time, and in order where many stand in one moment.
fn places(events: &[SessionEvent]) -> Vec<f64> {
    let (first, last) = (events[0].timestamp, events[events.len() - 1].timestamp);
    let (spread, steps) = (last - first, (events.len().max(2) - 1) as f64);
    let place = |(at, event): (usize, &SessionEvent)| {
        let by_order = at as f64 / steps;
        let by_time = if spread > 0.0 { (event.timestamp - first) / spread } else { by_order };
        // A pause of a night leaves room for what happened before and after it.
        LEFT + LONG * (by_order * 0.7 + by_time.clamp(0.0, 1.0) * 0.3)
    };
    events.iter().enumerate().map(place).collect()
}

fn lane_of(lane: usize, name: &str, html: &mut Html) {
    let y = middle(lane);
    let (text_y, y) = (format!("{:.0}", y + 4.0), format!("{y:.0}"));
    html.leaf("text", &[("class", "name"), ("x", "0"), ("y", &text_y)], name);
    let (from, to) = (format!("{LEFT:.0}"), format!("{:.0}", LEFT + LONG));
    html.element("line", &[("class", "lane"), ("x1", &from), ("y1", &y), ("x2", &to), ("y2", &y)], |_| {});
}

fn middle(lane: usize) -> f64 {
    HIGH * (lane as f64 + 0.5) + 4.0
}

fn mark(event: &SessionEvent, x: f64, html: &mut Html) {
    let (lane, class) = lane(event);
    let (cx, cy) = (format!("{x:.1}"), format!("{:.1}", middle(lane)));
    match class {
        // Refusals have a shape of their own.
        "block" | "tool_denied" | "tool_error" => {
            let (x, y) = (format!("{:.1}", x - 5.0), format!("{:.1}", middle(lane) - 5.0));
            html.element(
                "rect",
                &[("class", class), ("x", &x), ("y", &y), ("width", "10"), ("height", "10")],
                |_| {},
            );
        }
        _ => html.element("circle", &[("class", class), ("cx", &cx), ("cy", &cy), ("r", "4.5")], |_| {}),
    }
}

fn lane(event: &SessionEvent) -> (usize, &'static str) {
    match event.kind {
        SessionEventKind::GuardDecision => (
            2,
            match decision(event) {
                Some("block") => "block",
                Some("approve") => "approve",
                Some("warn") => "warn",
                Some("redact") => "redact",
                _ => "allow",
            },
        ),
        SessionEventKind::UserInput | SessionEventKind::PhaseResult | SessionEventKind::MemoryHit => {
            (0, event.kind.name())
        }
        SessionEventKind::ArtifactStored | SessionEventKind::Compaction => (3, event.kind.name()),
        kind => (1, kind.name()),
    }
}

pub(super) fn decision(event: &SessionEvent) -> Option<&str> {
    let is_decision = event.kind == SessionEventKind::GuardDecision;
    event.data.get("decision").and_then(Value::as_str).filter(|_| is_decision)
}
