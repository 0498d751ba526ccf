//! A transcript as one page of HTML: who said what, in which turn, and which rule made it so.
//!
//! - Reading: the blocks of a document in exchanges and turns, with what is hidden and which answer belongs to which call
//!   ([`Story`](story::Story)).
//! - Finding: the text and the place of every rule that a block names ([`RuleTexts`]).
//! - Writing: elements that close what they open, and text that is always escaped ([`Html`](html::Html)).
//!
//! The page is one file: no script, nothing fetched, readable in light and dark and on paper. Knows nothing about files,
//! rules in force or time.

mod html;
mod markdown;
mod rules;
mod story;

mod block;
mod call;
mod head;
mod margin;
mod page;

pub use head::grouped;
pub use html::{Attributes, Html};
pub use page::page;
pub use rules::{RuleText, RuleTexts, own_rules, rules_named};
