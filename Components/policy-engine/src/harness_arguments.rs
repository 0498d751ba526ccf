//! argv of agent harnesses.

use clap::{Args, Subcommand};
use mentci_host::Harness;

/// Where something is installed.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct InstallScope {
    /// In this workspace [default]
    #[arg(long, conflicts_with = "user")]
    pub(crate) project: bool,
    /// In every workspace of yours
    #[arg(long)]
    pub(crate) user: bool,
    /// Write nothing; show what would change
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// The verbs of harnesses.
#[derive(Debug, Subcommand)]
pub(crate) enum HarnessVerb {
    /// List them: what is possible, what is not, and why
    List,
}

/// A harness by its name.
pub(crate) fn harness(name: &str) -> Result<Harness, String> {
    Harness::parse(name).ok_or_else(|| {
        let names: Vec<&str> = Harness::ALL.into_iter().map(Harness::name).collect();
        format!("the harnesses are {}", names.join(", "))
    })
}
