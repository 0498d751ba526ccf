//! Lints, by tool and name.

use toml::de::DeTable;

use super::manifest::{Manifest, Spot, span, text};
use super::{Fact, Lint};

/// The lints under a path of keys: `lints` or `workspace.lints`.
pub(super) fn lints(manifest: &Manifest<'_>, path: &[&str]) -> Vec<Lint> {
    let tools = manifest.table(path).into_iter().flatten();
    let mut found: Vec<Lint> = tools
        .filter_map(|(tool, spot)| Some((tool.get_ref(), spot.get_ref().as_table()?)))
        .flat_map(|(tool, table)| of_tool(manifest, tool, table))
        .collect();
    found.sort_by(|a, b| (&a.tool, &a.name).cmp(&(&b.tool, &b.name)));
    found
}

fn of_tool(manifest: &Manifest<'_>, tool: &str, table: &DeTable<'_>) -> Vec<Lint> {
    let place = |spot| Fact { value: (), path: manifest.source.path().clone(), span: span(spot) };
    let lint = |name: &str, spot| {
        let level = level(spot)?;
        Some(Lint {
            tool: tool.to_owned(),
            name: name.to_owned(),
            level,
            priority: priority(spot),
            place: place(spot),
        })
    };
    table.iter().filter_map(|(name, spot)| lint(name.get_ref(), spot)).collect()
}

/// `"warn"` or `{ level = "warn" }`.
fn level(spot: &Spot<'_>) -> Option<String> {
    spot.get_ref().as_str().map(str::to_owned).or_else(|| text(spot, "level"))
}

fn priority(spot: &Spot<'_>) -> i64 {
    let written = spot.get_ref().as_table().and_then(|table| table.get("priority")?.get_ref().as_integer());
    written.and_then(|digits| digits.as_str().parse().ok()).unwrap_or(0)
}
