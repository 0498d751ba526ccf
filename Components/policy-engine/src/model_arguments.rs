//! The verbs of models, as they are typed.

use clap::Subcommand;
use mentci_host::model::ModelVerb;

use crate::surroundings::absolute;

/// The verbs of language models.
#[derive(Debug, Subcommand)]
pub(crate) enum Model {
    /// Ask for one word, and say how long it took; exit 1 when no answer comes
    Ping {
        /// provider/name, or script:PATH [default: `model.provider` and `model.name` of the configuration]
        #[arg(long, value_name = "NAME")]
        model: Option<String>,
    },
    /// List the models that the provider serves
    List {
        /// Another provider than the configured one, such as ollama
        #[arg(long, value_name = "NAME")]
        provider: Option<String>,
    },
    /// Serve a script on this machine to any client, in both wire formats, and print each request as a line of JSON
    Serve {
        /// The script
        #[arg(long, value_name = "FILE")]
        script: String,
        /// The port [default: one that is free]
        #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
        port: u16,
    },
}

/// What is asked; none for `serve`, which is no question.
pub(crate) fn request(verb: &Model) -> Option<ModelVerb> {
    match verb {
        Model::Ping { model } => Some(ModelVerb::Ping { name: model.as_deref().map(typed) }),
        Model::List { provider } => Some(ModelVerb::List { provider: provider.clone() }),
        Model::Serve { .. } => None,
    }
}

/// A script that is typed stands where the user stands.
pub(crate) fn typed(name: &str) -> String {
    match name.strip_prefix("script:") {
        Some(path) => format!("script:{}", absolute(path.as_ref()).to_string_lossy()),
        None => name.to_owned(),
    }
}
