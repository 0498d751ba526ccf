//! The house as people see it: what the host answers, as pages of HTML.
//!
//! - Visiting: a [`Visit`] names a page, or something that a person does ([`answer`]).
//! - Asking: a page asks the host for what it shows; what a person does is one request.
//! - Showing: each view is a pure function from answers to HTML; text is escaped by the one writer of
//!   [`mentci_page`], whoever wrote it.
//!
//! Every page works as plain forms and links. [`SCRIPT`] only adds: it fetches a page again when something happened, and
//! counts down. Knows nothing about HTTP, sockets, files or the clock: whoever listens says who visits and when.

mod answer;
mod assets;
mod visit;

mod act;
mod ask;
mod done;
mod frame;
mod link;
mod login;
mod moment;
mod notice;
mod words;

mod approvals;
mod now;
mod sessions;
mod stops;

mod law;
mod lessons;

mod config;
mod plugins;
mod rules;

pub use answer::{ACTS, PAGES, answer};
pub use assets::{ICON, SCRIPT, STYLE, version};
pub use login::login;
pub use visit::{Fields, Reply, Viewer, Visit};
