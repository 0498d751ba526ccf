//! PolicyShield's API, so that its clients need no change: the same routes, fields and words.
//!
//! Its plugins take whatever is no answer for permission. So what is refused, whatever the reason, is an answer: 200 with
//! `BLOCK`, or an output that is withheld ([`closed`]).

mod approval;
mod check;
mod closed;
mod health;
mod switch;

use crate::api::Api;

pub(crate) use closed::closed;
pub(crate) use health::OPEN;

/// What `shield_version` says: the version whose fields these are.
const VERSION: &str = "0.14.0";

/// The routes.
pub(crate) fn routes(api: Api) -> Api {
    let api = check::routes(api);
    let api = approval::routes(api);
    let api = switch::routes(api);
    health::routes(api)
}
