//! Tokens by section, as a picture and as a table: what the law says, and what of it the digest keeps.

use mentci_host::{SectionStats, SkillStats};
use mentci_page::{Html, grouped};

use crate::words::excerpt;

/// The most bars of a picture; the rest is one bar.
const MOST: usize = 16;
/// Where bars begin and how long the longest is, in the units of the picture.
const LEFT: u64 = 230;
const LONG: u64 = 400;
const HIGH: u64 = 26;

pub(super) fn write(skills: Vec<&SkillStats>, html: &mut Html) {
    let skills: Vec<&SkillStats> = skills.into_iter().filter(|skill| !skill.sections.is_empty()).collect();
    if skills.is_empty() {
        return;
    }
    html.own("<section aria-labelledby=\"tokens\"><h2 id=\"tokens\">Tokens by section</h2>");
    html.own("<p class=\"legend soft\"><span><span class=\"key in\"></span>in the law</span> <span><span class=\"key out\"></span>in its digest</span></p>");
    for (at, skill) in skills.iter().enumerate() {
        html.leaf("h3", &[("id", &format!("tokens-{at}"))], &skill.skill);
        picture(at, skill, html);
        html.element("details", &[], |html| {
            html.own("<summary>As a table</summary>");
            table(skill, html);
        });
    }
    html.own("</section>");
}

/// The sections as bars: the longest first sections of the law, the others together.
fn bars(skill: &SkillStats) -> Vec<SectionStats> {
    let mut bars: Vec<SectionStats> = skill.sections.iter().take(MOST).cloned().collect();
    let rest = &skill.sections[bars.len()..];
    if !rest.is_empty() {
        bars.push(SectionStats {
            section: format!("({} more sections)", rest.len()),
            tokens_in: rest.iter().map(|section| section.tokens_in).sum(),
            tokens_out: rest.iter().map(|section| section.tokens_out).sum(),
            rules: rest.iter().map(|section| section.rules).sum(),
        });
    }
    bars
}

fn picture(at: usize, skill: &SkillStats, html: &mut Html) {
    let bars = bars(skill);
    let most = bars.iter().map(|bar| bar.tokens_in.max(bar.tokens_out)).max().unwrap_or(0).max(1) as u64;
    let view = format!("0 0 {} {}", LEFT + LONG + 90, HIGH * bars.len() as u64);
    let by = format!("tokens-{at}");
    html.element(
        "svg",
        &[("class", "bars"), ("viewBox", &view), ("role", "img"), ("aria-labelledby", &by)],
        |html| {
            for (row, bar) in bars.iter().enumerate() {
                let top = HIGH * row as u64;
                let long =
                    |tokens: usize| (tokens as u64 * LONG / most).max(u64::from(tokens > 0)).to_string();
                text("name", LEFT - 10, top + 17, &excerpt(&bar.section, 34), html);
                bar_of("in", top + 4, 12, &long(bar.tokens_in), html);
                bar_of("out", top + 16, 5, &long(bar.tokens_out), html);
                let figures =
                    format!("{} → {}", grouped(bar.tokens_in as u64), grouped(bar.tokens_out as u64));
                let end = LEFT + 8 + (bar.tokens_in.max(bar.tokens_out) as u64 * LONG / most);
                text("figure", end, top + 17, &figures, html);
            }
        },
    );
}

fn bar_of(class: &str, top: u64, high: u64, long: &str, html: &mut Html) {
    let (x, y, high) = (LEFT.to_string(), top.to_string(), high.to_string());
    html.element(
        "rect",
        &[("class", class), ("x", &x), ("y", &y), ("width", long), ("height", &high), ("rx", "2")],
        |_| {},
    );
}

fn text(class: &str, x: u64, y: u64, words: &str, html: &mut Html) {
    html.leaf("text", &[("class", class), ("x", &x.to_string()), ("y", &y.to_string())], words);
}

fn table(skill: &SkillStats, html: &mut Html) {
    html.own("<div class=\"wide\"><table><thead><tr><th scope=\"col\">Section</th><th scope=\"col\">Rules</th><th scope=\"col\">In the law</th><th scope=\"col\">In its digest</th></tr></thead><tbody>");
    for section in &skill.sections {
        html.element("tr", &[], |html| {
            html.leaf("th", &[("scope", "row")], &section.section);
            for number in [section.rules, section.tokens_in, section.tokens_out] {
                html.leaf("td", &[("class", "number")], &grouped(number as u64));
            }
        });
    }
    html.own("</tbody></table></div>");
}
