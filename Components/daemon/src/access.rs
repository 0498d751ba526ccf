//! Access: who asks, and what they may.
//!
//! - A token, the cookie of a login, or nothing become a [`Caller`] (`identify`).
//! - Where a request comes from: names that are this machine's, pages that are ours (`origin`).
//! - What each route asks for is said beside the route, as a [`Scope`].

mod caller;
mod headers;
mod identify;
mod login;
mod login_page;
mod origin;
mod scope;
mod secret;
mod throttle;
mod token_file;

pub use caller::Caller;
pub use scope::Scope;
pub use token_file::{Token, TokenFile};

pub(crate) use headers::with_headers;
pub(crate) use identify::{Guard, identify, require};
pub(crate) use login_page::{behind_login, login_routes};
pub(crate) use origin::{Names, own_requests};
pub(crate) use secret::secret;
