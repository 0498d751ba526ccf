//! Templates over an event's facts, sandboxed.
//!
//! Reading: a text to a [`Template`], which says at load what is wrong with it. Rendering: a template and facts to text, in
//! bounded work. What a template gave is data: nothing here renders twice.
//!
//! Knows nothing about rules, files or time.

mod template;

pub use template::{MAX_TEMPLATE_BYTES, Template, TemplateError, render};
