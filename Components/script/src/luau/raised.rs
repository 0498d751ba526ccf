//! Luau's errors as ours, with the line of the script.

use crate::{Fault, Limits, ScriptError};

use super::chunk_name;
use super::meter::Meter;

/// How Luau says that the allocator refused.
const REFUSED: &str = "not enough memory";

/// What did not parse: Luau says `:LINE: message`.
pub(super) fn syntax(name: &str, message: &str) -> ScriptError {
    let (line, message) = numbered(message.trim_start_matches(':')).unwrap_or((None, message));
    ScriptError::new(name, Fault::Syntax, lowered(message)).at(line)
}

/// What a run ended in.
pub(super) fn raised(name: &str, error: &mlua::Error, meter: &Meter, limits: &Limits) -> ScriptError {
    if let Some((fault, line)) = meter.stopped() {
        return stopped(name, fault, limits).at(line);
    }
    let text = text_of(error);
    let (message, trace) = text.split_once("\nstack traceback:").unwrap_or((&text, ""));
    let traced = traced(name, trace);
    if is_memory(error) || message.ends_with(REFUSED) {
        return stopped(name, Fault::Memory, limits).at(traced);
    }
    let own = message.strip_prefix(chunk_name(name)).and_then(|rest| rest.strip_prefix(':'));
    let (line, message) = own.and_then(numbered).unwrap_or((traced, message));
    ScriptError::new(name, Fault::Raised, without_address(message)).at(line)
}

pub(super) fn stopped(name: &str, fault: Fault, limits: &Limits) -> ScriptError {
    let message = match fault {
        Fault::Time => format!("stopped after {} ms", limits.timeout_ms),
        Fault::Actions => format!("a script asks for at most {} actions", limits.calls),
        Fault::Output => "the script gives more output than it may".to_owned(),
        Fault::Memory => format!("wanted more than {} KiB of memory", limits.memory_bytes >> 10),
        _ => format!("stopped after {} steps", limits.steps),
    };
    ScriptError::new(name, fault, message)
}

fn text_of(error: &mlua::Error) -> String {
    match error {
        mlua::Error::RuntimeError(text) | mlua::Error::MemoryError(text) => text.clone(),
        mlua::Error::CallbackError { cause, traceback } => {
            format!("{}\nstack traceback:\n{traceback}", text_of(cause))
        }
        other => other.to_string(),
    }
}

/// Whether the allocator refused.
pub(super) fn is_memory(error: &mlua::Error) -> bool {
    match error {
        mlua::Error::MemoryError(_) => true,
        mlua::Error::CallbackError { cause, .. } => is_memory(cause),
        _ => false,
    }
}

/// `12: message`, or `12 in function 'x'`.
fn numbered(text: &str) -> Option<(Option<u32>, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let line = text.get(..digits)?.parse().ok()?;
    Some((Some(line), text.get(digits..)?.trim_start_matches(':').trim_start()))
}

/// The first line of the script in a trace.
fn traced(name: &str, trace: &str) -> Option<u32> {
    let own = trace.lines().find_map(|line| line.trim().strip_prefix(chunk_name(name))?.strip_prefix(':'));
    own.and_then(numbered).and_then(|(line, _)| line)
}

/// `error({})` would tell where the table lives.
fn without_address(message: &str) -> String {
    let kinds = ["table", "function", "thread", "userdata", "buffer"];
    let raised =
        kinds.iter().find(|kind| message.strip_prefix(**kind).is_some_and(|rest| rest.starts_with(": 0x")));
    raised.map_or_else(|| message.to_owned(), |kind| format!("raised a {kind}"))
}

fn lowered(message: &str) -> String {
    let mut letters = message.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}
