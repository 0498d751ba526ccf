//! The verb `harness list`: what each harness lets a guard do.

use mentci_harness::{CAPABILITIES, Capability};
use mentci_host::Outcome;
use owo_colors::OwoColorize;
use serde_json::{Value, json};

use crate::answers::table;
use crate::output;

/// Prints the table.
pub(crate) fn list(as_json: bool) -> Outcome {
    let text = if as_json { format!("{:#}\n", json!({"harnesses": rows()})) } else { page() };
    output::text(&text);
    Outcome::Ok
}

fn rows() -> Vec<Value> {
    CAPABILITIES.iter().map(row).collect()
}

fn row(capability: &Capability) -> Value {
    let mut row = json!({
        "harness": capability.harness.name(),
        "version": capability.version,
        "fails_open": capability.fails_open,
        "limit": capability.limit,
    });
    for (what, ability) in capability.abilities() {
        row[what.replace(' ', "_")] = json!({"can": ability.can, "how": ability.how, "story": ability.story});
    }
    row
}

fn page() -> String {
    CAPABILITIES.iter().fold(String::new(), |all, capability| {
        let abilities = capability.abilities().into_iter().map(|(what, ability)| {
            let can = if ability.can { "yes" } else { "no" };
            [what, can, ability.how, ability.story.unwrap_or("no story")].map(str::to_owned).to_vec()
        });
        let rest = [("undecided calls run on", capability.fails_open), ("shows of a text", capability.limit)];
        let rest = rest.map(|(what, how)| [what, "", how, "no story"].map(str::to_owned).to_vec());
        let name = format!("{} {}", capability.harness.name().bold(), capability.version);
        format!(
            "{all}{name}\n{}\n",
            table(&["what", "can", "how, or why not", "seen by"], abilities.chain(rest), &[])
        )
    })
}
