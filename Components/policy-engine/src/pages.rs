//! Completions and manual pages, made from the arguments themselves.

use std::path::Path;

use clap::CommandFactory;
use mentci_host::Outcome;

use crate::arguments::Arguments;
use crate::{output, paint};

/// Prints completions; with `json`, as `{"shell", "script"}`.
pub(crate) fn completions(shell: clap_complete::Shell, json: bool) -> Outcome {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "policy-engine", &mut text);
    if json {
        let script = String::from_utf8_lossy(&text);
        return say(&serde_json::json!({ "shell": shell.to_string(), "script": script, "findings": [] }));
    }
    output::bytes(&text);
    Outcome::Ok
}

/// Writes the manual pages and says where; with `json`, as `{"directory"}`.
pub(crate) fn manual(directory: &Path, json: bool) -> Outcome {
    let written = directory.display().to_string();
    match clap_mangen::generate_to(Arguments::command(), directory) {
        Ok(()) if json => say(&serde_json::json!({ "directory": written, "findings": [] })),
        Ok(()) => {
            output::line(&format!("manual pages written to `{}`", paint::line(&written)));
            Outcome::Ok
        }
        Err(error) => paint::refuse(
            &format!("the manual pages cannot be written to `{}`: {error}", directory.display()),
            "name an existing folder",
        ),
    }
}

fn say(answer: &serde_json::Value) -> Outcome {
    output::line(&format!("{answer:#}"));
    Outcome::Ok
}
