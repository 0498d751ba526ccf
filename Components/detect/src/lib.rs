//! Secrets and personal data, found in text and in whole JSON values in linear time, and replaced by typed marks.
//!
//! - **Find**: [`Detector::find`] gives the [`Hit`]s of a text, in order and apart; [`Detector::has_any`] only asks.
//! - **Redact**: [`Detector::redact`] puts a mark such as `[EMAIL]` in the place of each hit;
//!   [`Detector::redact_value`] does so in a JSON value: keys, nested values, numbers read as text; [`Detector::redact_reader`] in content of any length while it is
//!   read.
//!
//! What is looked for is a choice of [`Kind`]s and patterns of one's own ([`Custom`]). Each kind has an anchor that is
//! searched as fast as memory (a key's prefix, an `@`, a digit) and a check beside it that looks at a bounded stretch
//! of text: no input makes the work more than linear. Knows no policy, reads no files, keeps no text.

mod allow;
mod alphabet;
mod anchors;
mod assignment;
mod birth;
mod bytes;
mod card;
mod cue;
mod custom;
mod detector;
mod elsewhere;
mod email;
mod escape;
mod hit;
mod iban;
mod ip;
mod key;
mod kind;
mod mention;
mod number;
mod paper;
mod phone;
mod provider;
mod redaction;
mod secret;
mod sieve;
mod sink;
mod steps;
mod stream;
mod value;
mod wide;

pub use crate::custom::{Custom, CustomError};
pub use crate::detector::Detector;
pub use crate::hit::{BytesRedaction, Hit, Redaction, ValueRedaction};
pub use crate::kind::{Group, Kind, UnknownKind};
pub use crate::provider::Provider;
pub use crate::steps::Steps;
pub use crate::stream::RedactedReader;
