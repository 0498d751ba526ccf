//! The verbs of ChatMD documents, as they are typed.

use clap::Subcommand;

/// The verbs of ChatMD documents.
#[derive(Debug, Subcommand)]
pub(crate) enum Chatmd {
    /// Show the blocks of a document, with their places and the rules that wrote them; exit 1 when something is odd
    Parse {
        /// The document, or `-` for standard input
        file: String,
    },
    /// Rewrite a document in its canonical form; what it says stays. Of standard input, print it
    Fmt {
        /// Write nothing; exit 1 when something would change
        #[arg(long)]
        check: bool,
        /// The document, or `-` for standard input
        file: String,
    },
    /// Say what a reader would silently pass over; exit 1 when there is any, 2 when its law does not load
    Check {
        /// The document, or `-` for standard input
        file: String,
    },
    /// Make a page of HTML of a transcript: who said what, and which rule made it so
    Render {
        /// The file to write [default: standard output]
        #[arg(long, value_name = "FILE")]
        out: Option<String>,
        /// The document, or `-` for standard input
        file: String,
    },
}
