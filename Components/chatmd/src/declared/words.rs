//! The words of a command: no shell reads it, so that nothing in it is more than a word.

use std::fmt;

/// Why a command cannot be taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommandError {
    /// There is no word.
    Empty,
    /// A quote is opened and never closed.
    Quote(char),
    /// This means something to a shell alone.
    Shell(char),
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("the command is empty"),
            Self::Quote(quote) => write!(f, "the command's quote `{quote}` is never closed"),
            Self::Shell(sign) => {
                write!(f, "`{sign}` means something to a shell, and no shell runs this command")
            }
        }
    }
}

impl std::error::Error for CommandError {}

/// The words of a command: parted by space; what stands between quotes is one word.
///
/// # Errors
///
/// - a quote is never closed
/// - a sign that only a shell understands (`|`, `&`, `;`, `<`, `>`, `$`, a backquote) stands outside quotes
///
/// ```
/// use mentci_chatmd::{CommandError, command_words};
/// assert_eq!(command_words("git log --format='%h %s'").unwrap(), ["git", "log", "--format=%h %s"]);
/// assert_eq!(command_words("ls | wc"), Err(CommandError::Shell('|')));
/// ```
pub fn command_words(command: &str) -> Result<Vec<String>, CommandError> {
    let (mut words, mut word): (Vec<String>, Option<String>) = (Vec::new(), None);
    let mut quote = None;
    for c in command.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, '|' | '&' | ';' | '<' | '>' | '$' | '`') => return Err(CommandError::Shell(c)),
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    if let Some(open) = quote {
        return Err(CommandError::Quote(open));
    }
    words.extend(word);
    if words.is_empty() { Err(CommandError::Empty) } else { Ok(words) }
}
