//! Completions and manual pages, made from the arguments themselves.

use std::io::Write;
use std::path::Path;

use clap::CommandFactory;
use mentci_host::Outcome;

use crate::arguments::Arguments;
use crate::paint;

pub(crate) fn completions(shell: clap_complete::Shell) -> Outcome {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "policy-engine", &mut text);
    // A closed pipe is the reader's wish.
    let _ = std::io::stdout().write_all(&text);
    Outcome::Ok
}

pub(crate) fn manual(directory: &Path) -> Outcome {
    match clap_mangen::generate_to(Arguments::command(), directory) {
        Ok(()) => Outcome::Ok,
        Err(error) => paint::refuse(
            &format!("the manual pages cannot be written to `{}`: {error}", directory.display()),
            "name an existing folder",
        ),
    }
}
