//! The Luau sandbox: the only place that knows `mlua`.

mod calls;
mod context;
mod items;
mod json;
mod machine;
mod meter;
mod raised;

use mlua::chunk::Compiler;

use crate::{ALIASES, Fault, ScriptError};

pub(crate) use machine::Machine;

/// Compiles a source to bytecode, with lines.
pub(crate) fn compile(name: &str, source: &str) -> Result<Vec<u8>, ScriptError> {
    // INVARIANT (facts are no imports): a global, and a chain such as `math.floor`, is looked up when a script is loaded, and
    // what was found then stands for good. Chains from what changes from run to run are switched off here; the global
    // itself is looked up in any case, so that no fact may be there while a script is loaded.
    // `next` is here so that a walk `in next, t` asks ours, which completes the tables of the context.
    let changing = ALIASES.iter().copied().chain(["context", "next"]);
    let compiler = Compiler::new().set_debug_level(1).set_mutable_globals(changing);
    compiler.compile(source).map_err(|error| match error {
        mlua::Error::SyntaxError { message, .. } => raised::syntax(name, &message),
        other => ScriptError::new(name, Fault::Syntax, other.to_string()),
    })
}

/// The name of a chunk, which stands in the messages that a script catches. Lines are read back out of messages by it, so
/// that a name which could be mistaken for something else is not used.
fn chunk_name(name: &str) -> &str {
    let is_plain = !name.is_empty() && name.len() <= 200 && !name.contains([':', '\n', '\r', '\0', '[', '"']);
    if is_plain { name } else { "script" }
}
