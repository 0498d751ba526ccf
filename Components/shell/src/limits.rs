//! How much is read of one command string, and what is said when it is not all of it.

use serde::Serialize;

/// Bounds on reading one command string. All are deterministic: the same text stops at the same place everywhere.
///
/// ```
/// use mentci_shell::{Limits, Reason, parse};
/// let limits = Limits { bytes: 4, ..Limits::default() };
/// assert_eq!(parse("echo; rm x", limits).incomplete, Some(Reason::TooLong));
/// assert_eq!(parse("echo", limits).incomplete, None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// How many bytes of the text are read.
    pub bytes: usize,
    /// Steps for each byte of the text; a step reads or copies about one byte.
    pub steps_per_byte: u64,
    /// How many ways stand between a command and the text: `sudo`, `bash -c` and `$(…)` are one each.
    pub depth: usize,
    /// How many commands are told.
    pub commands: usize,
}

impl Limits {
    /// The steps that a text of `bytes` bytes may take: [`steps_per_byte`](Self::steps_per_byte) for each, and 65,536
    /// so that short texts need no thought.
    pub fn steps(&self, bytes: usize) -> u64 {
        (bytes as u64).saturating_mul(self.steps_per_byte).saturating_add(65_536)
    }
}

impl Default for Limits {
    /// 16 MiB, 32 steps for each byte, 32 ways, 10,000 commands.
    fn default() -> Self {
        Self { bytes: 16 << 20, steps_per_byte: 32, depth: 32, commands: 10_000 }
    }
}

/// Why a [`Script`](crate::Script) does not tell everything. Who guards closes the gate on each of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// The text is longer than [`Limits::bytes`]; the rest was not read.
    TooLong,
    /// Reading took more than [`Limits::steps`]; the rest was not read.
    TooManySteps,
    /// Commands stand deeper than [`Limits::depth`]. What is written in the text was read all the same; strings that
    /// would run as scripts down there were not.
    TooDeep,
    /// There are more commands than [`Limits::commands`], or more than 250,000 words; the rest was not read.
    TooManyCommands,
    /// A command runs in a folder whose name is longer than 4,096 bytes; it and the rest are not told.
    FolderTooLong,
}
