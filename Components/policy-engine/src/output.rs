//! Standard output: an answer that could not be written is no answer. Standard error, where findings go.

use std::io::{Error, ErrorKind, Write};
use std::sync::OnceLock;

use mentci_host::Outcome;
use mentci_source::Finding;
use owo_colors::OwoColorize;

use crate::snippet::Snippets;

/// Why the first of what was not written was not.
static FAILED: OnceLock<Error> = OnceLock::new();

/// Writes bytes as they are, and sends them off.
pub(crate) fn bytes(bytes: &[u8]) {
    let mut out = std::io::stdout().lock();
    note(out.write_all(bytes).and_then(|()| out.flush()));
}

/// Writes a text in one piece, its colours only where they are shown: line by line, a long one would be a system call for each.
pub(crate) fn text(text: &str) {
    if anstream::AutoStream::choice(&std::io::stdout()) == anstream::ColorChoice::Never {
        bytes(anstream::adapter::strip_str(text).to_string().as_bytes());
    } else {
        let mut out = anstream::stdout();
        note(out.write_all(text.as_bytes()).and_then(|()| out.flush()));
    }
}

/// Writes a text and the end of its line.
pub(crate) fn line(line: &str) {
    text(&format!("{line}\n"));
}

/// Writes findings to standard error, each in one piece: a compile may have thousands.
pub(crate) fn findings<'a>(findings: impl IntoIterator<Item = &'a Finding>, snippets: &mut Snippets) {
    let are_plain = anstream::AutoStream::choice(&std::io::stderr()) == anstream::ColorChoice::Never;
    for finding in findings {
        let text = format!("{}\n", snippets.render(finding));
        // OK to ignore: there is nowhere else to tell it.
        let _ = if are_plain {
            std::io::stderr().lock().write_all(anstream::adapter::strip_str(&text).to_string().as_bytes())
        } else {
            anstream::stderr().write_all(text.as_bytes())
        };
    }
}

/// Whether something could not be written.
pub(crate) fn has_failed() -> bool {
    FAILED.get().is_some()
}

/// The exit code of the process: nothing is done that could not be told.
pub(crate) fn code(code: u8) -> u8 {
    let Some(error) = FAILED.get() else { return code };
    let head = "error".red().bold().to_string();
    let help = "free some space where the output goes, and ask again";
    // OK to ignore: the code tells it too.
    let _ = writeln!(
        anstream::stderr(),
        "{head}: the answer could not be written to standard output: {error}\n  = help: {help}"
    );
    Outcome::Bad.code()
}

/// A closed pipe is the reader's wish.
fn note(written: std::io::Result<()>) {
    if let Err(error) = written
        && error.kind() != ErrorKind::BrokenPipe
    {
        // OK to ignore: the first one says why.
        let _ = FAILED.set(error);
    }
}
