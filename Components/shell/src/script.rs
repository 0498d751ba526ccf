//! The whole of a command string.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::{
    Command, FileChange, Limits, Reason,
    reader::{Context, Reader},
};

/// Everything that a command string runs.
///
/// Serialised, it is the fact that rules read: `{"commands": […], "incomplete": null, …}`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Script {
    /// The commands, in the order that they stand in the text; what a command runs stands after it.
    pub commands: Vec<Command>,
    /// Why this is not everything, when it is not.
    pub incomplete: Option<Reason>,
    /// Whether a quote, a bracket or a here-document is not closed. A shell would refuse to run at least the end.
    pub malformed: bool,
    /// Functions that call themselves in a pipeline or in the background: `:` of the fork bomb.
    pub forks: BTreeSet<String>,
    /// How many steps reading took.
    pub steps: u64,
}

impl Script {
    /// The files that redirects and well-known programs write, move or delete, as far as the text tells.
    ///
    /// ```
    /// use mentci_shell::{FileOp, Limits, parse};
    /// let files = parse("rm -f a.txt && echo hi > 'b c'", Limits::default()).files();
    /// assert_eq!((files[0].path.as_str(), files[0].op), ("a.txt", FileOp::Delete));
    /// assert_eq!((files[1].path.as_str(), files[1].op), ("b c", FileOp::Update));
    /// ```
    pub fn files(&self) -> Vec<FileChange> {
        crate::files::of(&self.commands)
    }

    /// The program that takes what it does from what is typed into it once it runs, where there is one.
    ///
    /// ```
    /// use mentci_shell::{Limits, parse};
    /// assert_eq!(parse("cd /tmp && bash", Limits::default()).awaits_typing(), Some("bash"));
    /// assert_eq!(parse("bash -c ls", Limits::default()).awaits_typing(), None);
    /// ```
    pub fn awaits_typing(&self) -> Option<&str> {
        self.commands.iter().find(|command| crate::typed::awaits_typing(command)).map(|found| &*found.program)
    }
}

/// Reads a command string for a POSIX shell, bash or zsh.
///
/// Never fails and never panics. A text that no shell would take is read as far as it makes sense, and
/// [`Script::malformed`] says so.
///
/// ```
/// use mentci_shell::{Limits, parse};
/// let script = parse("cd /tmp && sudo bash -c 'rm -rf ~'", Limits::default());
/// let programs: Vec<&str> = script.commands.iter().map(|c| c.program.as_str()).collect();
/// assert_eq!(programs, ["cd", "sudo", "bash", "rm"]);
/// assert!(script.commands[3].has_flag(&["recursive"]));
/// assert_eq!(script.commands[3].cwd.as_deref(), Some("/tmp"));
/// ```
pub fn parse(command: &str, limits: Limits) -> Script {
    let mut end = limits.bytes.min(command.len());
    while !command.is_char_boundary(end) {
        end -= 1;
    }
    let mut reader = Reader::new(limits, end);
    if end < command.len() {
        reader.stop(Reason::TooLong);
    }
    reader.read(&command[..end], Context::default());
    reader.finish()
}
