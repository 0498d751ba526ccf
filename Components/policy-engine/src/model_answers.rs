//! The answers of models' verbs, as a person reads them.

use std::fmt::Write;

use mentci_host::model::{ModelsAnswer, PingAnswer};

use crate::paint::{count, line};

pub(crate) fn pinged(answer: &PingAnswer) -> String {
    let address = answer.address.as_ref().map_or_else(String::new, |address| format!(" at {address}"));
    let tokens = format!("{} tokens sent, {} answered", answer.input, answer.output);
    let text = if answer.text.trim().is_empty() { "(nothing)".to_owned() } else { line(&answer.text) };
    format!("{} answers{}: {text}\n{} ms, {tokens}\n", line(&answer.model), line(&address), answer.ms)
}

pub(crate) fn models(answer: &ModelsAnswer) -> String {
    let mut text = String::new();
    for name in &answer.models {
        // Writing into a string does not fail.
        let _ = writeln!(text, "{}", line(name));
    }
    let models = count(answer.models.len(), "model");
    text + &format!("{models} of {} at {}\n", line(&answer.provider), line(&answer.address))
}
