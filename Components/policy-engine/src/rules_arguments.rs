//! argv of rules and scripts.

use clap::Subcommand;

/// The verbs of rules.
#[derive(Debug, Subcommand)]
pub(crate) enum Rules {
    /// List them
    List {
        /// Files and folders; the workspace's own when there are none
        #[arg(value_name = "PATH")]
        paths: Vec<String>,
    },
    /// Show one
    Show {
        /// Its id, or `pack/id`
        rule: String,
    },
    /// Show whether one would fire, why, and what it would do; nothing happens
    Test {
        /// Its id, or `pack/id`
        rule: String,
        /// The file that holds the event, or `-`; without it the session's last of its kind, or a plain one
        #[arg(long, value_name = "FILE")]
        event: Option<String>,
        /// The session whose log the rule sees [default: a new one]
        #[arg(long, value_name = "SESSION")]
        from_session: Option<String>,
    },
    /// Switch one on
    Enable {
        /// Its id, or `pack/id`
        rule: String,
    },
    /// Switch one off
    Disable {
        /// Its id, or `pack/id`
        rule: String,
    },
    /// Set a parameter of one; it holds from the next event on
    Set {
        /// Its id, or `pack/id`
        rule: String,
        /// The parameter
        name: String,
        /// Its value
        #[arg(allow_hyphen_values = true)]
        value: String,
    },
    /// Take back what was set: the rule's own value holds again
    Unset {
        /// Its id, or `pack/id`
        rule: String,
        /// The parameter
        name: String,
    },
}

/// The verbs of scripts.
#[derive(Debug, Subcommand)]
pub(crate) enum Script {
    /// Run one over the context of an event, and show what it answers
    Run {
        /// The script
        file: String,
        /// The file that holds the event, or `-` [default: a turn that starts]
        #[arg(long, value_name = "FILE")]
        event: Option<String>,
        /// A parameter that it reads as `parameters.NAME`; a value that is no JSON is text
        #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parameter, allow_hyphen_values = true)]
        parameters: Vec<(String, serde_json::Value)>,
    },
}

/// `most=3`
fn parameter(text: &str) -> Result<(String, serde_json::Value), String> {
    let (name, value) =
        text.split_once('=').ok_or("a parameter is set by its name and its value: `most=3`")?;
    if name.trim().is_empty() {
        return Err("a parameter needs a name: `most=3`".to_owned());
    }
    let json = serde_json::from_str(value.trim());
    Ok((name.trim().to_owned(), json.unwrap_or_else(|_| value.into())))
}
