//! `run`, as it is typed.

use std::path::PathBuf;

use clap::Args;

/// A document, run.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes:
  0    the model is done
  1    a bound was reached before it was: replies, or one call over and over
  2    it cannot go on; the document holds every whole step
  130  somebody stopped it")]
pub(crate) struct Run {
    /// The document; what happens is appended to it
    #[arg(value_name = "FILE.chatmd")]
    pub(crate) file: PathBuf,
    /// Write into a new copy of the document instead
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// The model: `provider/name`, or `script:PATH` [default: the document's, or `model.name`]
    #[arg(long, value_name = "NAME")]
    pub(crate) model: Option<String>,
    /// The most tokens of a request [default: the document's, `context.budget`, or 128000]
    #[arg(long, value_name = "TOKENS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) budget: Option<u64>,
    /// Say yes to every approval that rules ask for
    #[arg(long, conflicts_with = "no_approvals")]
    pub(crate) yes: bool,
    /// Say no to every approval, also in a terminal
    #[arg(long)]
    pub(crate) no_approvals: bool,
    /// The most replies of the model in one exchange [default: the document's, or 50]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_turns: Option<u64>,
    /// What the user says first
    #[arg(long, value_name = "TEXT")]
    pub(crate) ask: Option<String>,
}
