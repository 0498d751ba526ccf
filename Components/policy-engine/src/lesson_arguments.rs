//! argv of lessons.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use mentci_authority::LessonStatus;

/// The verbs of lessons.
#[derive(Debug, Subcommand)]
pub(crate) enum Lessons {
    /// Teach one
    Add(Add),
    /// List them
    List {
        /// Only this skill's
        #[arg(long)]
        skill: Option<String>,
        /// active, pending, promoted, archived or rejected
        #[arg(long, value_parser = status)]
        status: Option<LessonStatus>,
    },
    /// Show one
    Show {
        /// Its id, or the start of it
        id: String,
    },
    /// Let one that waits into the rules
    Accept {
        /// Its id, or the start of it
        id: String,
    },
    /// Refuse one for good
    Reject {
        /// Its id, or the start of it
        id: String,
        /// Why
        #[arg(long)]
        reason: Option<String>,
    },
    /// Retire one into `archive.edn`
    Archive {
        /// Its id, or the start of it
        id: String,
        /// Why
        #[arg(long)]
        reason: String,
    },
    /// Move one into `promoted.edn`
    Promote {
        /// Its id, or the start of it
        id: String,
    },
    /// Teach every lesson of another EDN file
    Import {
        /// The file
        file: PathBuf,
        /// The skill that learns them
        #[arg(long)]
        skill: String,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Add {
    /// The skill that learns it
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) skill: String,
    /// When it applies
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) condition: String,
    /// What to do then
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) resolution: String,
    /// How it was learned
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) context: Option<String>,
    /// The session in which it was learned
    #[arg(long, env = "MENTCI_SESSION")]
    pub(crate) session: Option<String>,
    /// Who tells it
    #[arg(long)]
    pub(crate) author: Option<String>,
    /// Through which door it comes
    #[arg(long, default_value = "cli")]
    pub(crate) source: String,
}

fn status(name: &str) -> Result<LessonStatus, String> {
    LessonStatus::parse(name).ok_or_else(|| "active, pending, promoted, archived or rejected".to_owned())
}
