//! argv of plugins.

use std::path::PathBuf;

use clap::Subcommand;

/// The verbs of plugins.
#[derive(Debug, Subcommand)]
pub(crate) enum Plugins {
    /// List them, and say which are in force
    List,
    /// Show one: what it needs, what may be set, and its rules
    Show {
        /// Its id
        id: String,
    },
    /// Switch one on
    Enable {
        /// Its id
        id: String,
    },
    /// Switch one off, with all its rules
    Disable {
        /// Its id
        id: String,
    },
    /// Set a setting; it holds from the next event on
    Set {
        /// Its id
        id: String,
        /// The setting
        name: String,
        /// Its value
        #[arg(allow_hyphen_values = true)]
        value: String,
    },
    /// Take back what was set: the plugin's own value holds again
    Unset {
        /// Its id
        id: String,
        /// The setting
        name: String,
    },
    /// Copy a plugin's folder into `.pi/plugins`, once it was read whole
    Install {
        /// The folder that holds `plugin.toml`
        #[arg(value_name = "DIR")]
        path: PathBuf,
        /// For every workspace of yours instead of this one
        #[arg(long)]
        user: bool,
    },
    /// Write a plugin to begin with
    New {
        /// Its id: small letters, digits and `-`
        id: String,
        /// For every workspace of yours instead of this one
        #[arg(long)]
        user: bool,
    },
}
