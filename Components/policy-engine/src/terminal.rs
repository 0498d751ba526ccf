//! Whoever watches a run: a person at a terminal, or a program that reads lines.

use std::collections::BTreeMap;
use std::io::{BufRead, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use mentci_runner::{Audience, Question, Reading, RunEvent, Waiting};
use owo_colors::OwoColorize;

use crate::output;
use crate::paint::{line, plain};

/// The longest line that is shown of a call or an answer.
const WIDTH: usize = 160;

/// A person at a terminal; nobody answers where the input is none.
#[derive(Debug, Default)]
pub(crate) struct Terminal {
    is_person: bool,
    asking: AtomicBool,
    /// The last piece of text did not end its line.
    is_open: AtomicBool,
}

impl Terminal {
    pub(crate) fn new() -> Self {
        let is_person = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
        Self { is_person, ..Self::default() }
    }

    /// Whether a person is asked, and nothing else goes on.
    pub(crate) fn is_asking(&self) -> bool {
        self.asking.load(Ordering::SeqCst)
    }

    fn ask(&self, prompt: &str) -> Option<String> {
        self.close();
        let _ = write!(anstream::stdout(), "{prompt}");
        let _ = std::io::stdout().flush();
        self.asking.store(true, Ordering::SeqCst);
        let mut answer = String::new();
        let read = std::io::stdin().lock().read_line(&mut answer);
        self.asking.store(false, Ordering::SeqCst);
        read.ok().filter(|length| *length > 0).map(|_| answer.trim().to_owned())
    }

    fn piece(&self, text: &str) {
        let _ = write!(anstream::stdout(), "{}", plain(text));
        let _ = std::io::stdout().flush();
        self.is_open.store(
            !text.ends_with('\n') && !text.is_empty()
                || (text.is_empty() && self.is_open.load(Ordering::SeqCst)),
            Ordering::SeqCst,
        );
    }

    fn close(&self) {
        if self.is_open.swap(false, Ordering::SeqCst) {
            let _ = writeln!(anstream::stdout());
        }
    }

    fn tell(&self, text: &str) {
        self.close();
        let _ = writeln!(anstream::stdout(), "{text}");
    }

    fn block(&self, element: &str, attributes: &BTreeMap<&str, &str>, text: &str) {
        let part = |name: &str| attributes.get(name).copied().unwrap_or_default();
        let by = attributes.get("via_rule").map(|rule| format!(" [{}]", line(rule))).unwrap_or_default();
        let name = if part("name").is_empty() { part("function_name") } else { part("name") };
        match element {
            "tool_call" => {
                self.tell(&format!("{} {}{} {}", "->".cyan(), line(name).bold(), by, short(text).dimmed()));
            }
            "tool_response" => {
                let status = if part("denied").is_empty() {
                    part("status").to_owned()
                } else {
                    format!("denied by {}", part("denied"))
                };
                let mark = if part("status") == "success" {
                    "<-".green().to_string()
                } else {
                    "<-".red().to_string()
                };
                self.tell(&format!(
                    "{mark} {} {}{by} {}",
                    line(name).bold(),
                    line(&status),
                    short(text).dimmed()
                ));
            }
            "compaction" => self.tell(&format!(
                "{} {} -> {} tokens{by}",
                "compacted".yellow(),
                line(part("tokens_before")),
                line(part("tokens_after"))
            )),
            "note" => self.tell(&format!("{} {}", "note".yellow(), line(text))),
            "assistant" | "reasoning" if by.is_empty() => self.close(),
            "rule_event" | "user" if by.is_empty() => {}
            _ => self.tell(&format!("{} {}{by} {}", "+".yellow(), line(element), short(text).dimmed())),
        }
    }
}

impl Audience for Terminal {
    fn hear(&self, event: &RunEvent<'_>) {
        match event {
            RunEvent::Text { text } => self.piece(text),
            RunEvent::Again { reason } => self.tell(&format!("{} {}", "again".yellow(), line(reason))),
            RunEvent::Block { element, attributes, text } => self.block(element, attributes, text),
            RunEvent::Failed { finding } if self.is_person => {
                self.tell(&format!("{} {}", "error".red(), line(&finding.message)));
            }
            RunEvent::End { .. } => self.close(),
            _ => {}
        }
    }

    fn approve<'a>(&'a self, question: &'a Question) -> Waiting<'a, Option<bool>> {
        Box::pin(async move {
            if !self.is_person {
                return None;
            }
            let Question { rule, reason, tool, args } = question;
            let prompt = format!(
                "{} {} {}\n  {} ({})\n  allow it? [y/N] ",
                "?".yellow().bold(),
                line(tool).bold(),
                line(&args.to_string()),
                line(reason),
                line(rule),
            );
            let answer = self.ask(&prompt).unwrap_or_default();
            Some(matches!(answer.to_ascii_lowercase().as_str(), "y" | "yes"))
        })
    }

    fn next(&self) -> Waiting<'_, Option<Reading>> {
        Box::pin(async move {
            if !self.is_person {
                return None;
            }
            loop {
                match self.ask("> ") {
                    None => return Some(Reading::End),
                    Some(text) if matches!(text.as_str(), "/exit" | "/quit") => return Some(Reading::End),
                    Some(text) if text.is_empty() => {}
                    Some(text) => return Some(Reading::Message(text)),
                }
            }
        })
    }
}

fn short(text: &str) -> String {
    let text = line(text);
    match text.char_indices().nth(WIDTH) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

/// A program that reads one JSON event a line; nobody answers and nobody types.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lines;

impl Audience for Lines {
    fn hear(&self, event: &RunEvent<'_>) {
        if let Ok(text) = serde_json::to_string(event) {
            output::line(&text);
        }
    }

    fn approve<'a>(&'a self, _: &'a Question) -> Waiting<'a, Option<bool>> {
        Box::pin(async { None })
    }

    fn next(&self) -> Waiting<'_, Option<Reading>> {
        Box::pin(async { None })
    }
}
