//! What a model sees of a session in a budget, and what became of every token that it does not see.

use mentci_context::{DropLedger, LedgerEntry, Parts};
use mentci_host::session::ContextExplained;
use mentci_page::{Html, grouped};

use super::Desk;
use crate::frame::hidden;
use crate::notice;
use crate::words::count;

/// Its class in the style, how many tokens it has, and what it is called.
type Part = (&'static str, fn(&Parts) -> u64, &'static str);

/// The parts of a context, with what they are called.
const PARTS: [Part; 5] = [
    ("kept", |parts| parts.kept, "as said"),
    ("external", |parts| parts.external, "moved to an artifact"),
    ("cleared", |parts| parts.cleared, "cleared, with a handle"),
    ("summarised", |parts| parts.summarised, "summarised"),
    ("dropped", |parts| parts.dropped, "left out"),
];

pub(super) fn write(desk: &Desk, html: &mut Html) {
    html.own("<section aria-labelledby=\"context\"><h2 id=\"context\">What a model sees of it</h2>");
    html.element("form", &[("method", "get"), ("action", "/session#context"), ("class", "filter")], |html| {
        hidden("id", &desk.events.session, html);
        html.own("<label>Budget in tokens <input type=\"number\" name=\"budget\" min=\"1\" max=\"10000000\" value=\"");
        html.text(&desk.budget.to_string());
        html.own("\"></label><button type=\"submit\" class=\"quiet\">Compile</button>");
    });
    match &desk.context {
        Ok(context) => explained(context, html),
        Err(findings) => notice::findings(findings, html),
    }
    html.own("</section>");
}

fn explained(context: &ContextExplained, html: &mut Html) {
    let ledger = &context.ledger;
    html.element("p", &[], |html| {
        html.leaf("strong", &[], &grouped(ledger.token_count));
        html.text(&format!(
            " of {} tokens are sent, counted as {}.",
            grouped(ledger.budget),
            context.tokenizer
        ));
    });
    picture(ledger, html);
    html.element("details", &[], |html| {
        html.leaf("summary", &[], &format!("Every event: {}", count(ledger.events.len(), "line")));
        html.own("<div class=\"wide\"><table><thead><tr><th scope=\"col\">Event</th><th scope=\"col\">Tokens</th><th scope=\"col\">Where they are</th><th scope=\"col\">Why</th></tr></thead><tbody>");
        for entry in &ledger.events {
            html.element("tr", &[], |html| line(entry, html));
        }
        html.own("</tbody></table></div>");
    });
}

/// One bar over all tokens that were said, part by part, with its legend.
fn picture(ledger: &DropLedger, html: &mut Html) {
    let mut all = Parts::default();
    ledger.totals.values().for_each(|totals| all += totals.parts);
    let whole = all.total().max(1);
    html.element(
        "svg",
        &[
            ("class", "parts"),
            ("viewBox", "0 0 1000 28"),
            ("role", "img"),
            ("aria-labelledby", "context-legend"),
            ("preserveAspectRatio", "none"),
        ],
        |html| {
            let mut from = 0;
            for (class, tokens, _) in PARTS {
                let wide = tokens(&all) * 1_000 / whole;
                let (x, width) = (from.to_string(), wide.to_string());
                html.element(
                    "rect",
                    &[("class", class), ("x", &x), ("y", "0"), ("width", &width), ("height", "28")],
                    |_| {},
                );
                from += wide;
            }
        },
    );
    html.element("ul", &[("class", "legend"), ("id", "context-legend")], |html| {
        for (class, tokens, name) in PARTS {
            html.element("li", &[], |html| {
                html.element("span", &[("class", &format!("key {class}")), ("aria-hidden", "true")], |_| {});
                html.text(&format!("{} {name}", grouped(tokens(&all))));
            });
        }
        html.leaf(
            "li",
            &[("class", "soft")],
            &format!("{} added: frames, stand-ins, notes", grouped(ledger.added.total())),
        );
    });
}

fn line(entry: &LedgerEntry, html: &mut Html) {
    html.element("th", &[("scope", "row")], |html| {
        html.leaf("a", &[("href", &format!("#e-{}", entry.event_id))], entry.kind.name());
    });
    html.leaf("td", &[("class", "number")], &grouped(entry.tokens));
    let parts =
        PARTS.iter().map(|(_, tokens, name)| (tokens(&entry.parts), name)).filter(|(tokens, _)| *tokens > 0);
    let told: Vec<String> = parts.map(|(tokens, name)| format!("{} {name}", grouped(tokens))).collect();
    html.leaf("td", &[], &told.join(", "));
    html.leaf(
        "td",
        &[("class", "soft")],
        &entry.reason.map_or_else(String::new, |reason| reason.name().replace('_', " ")),
    );
}
