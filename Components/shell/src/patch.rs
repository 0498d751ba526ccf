//! The files that a patch touches.

use crate::{FileChange, FileOp};

/// The files that a patch touches, in its order: unified diffs, git diffs and `*** Begin Patch` envelopes.
///
/// A rename tells both names. Lines inside of hunks are not taken for headers as long as the hunks say how long they are.
///
/// ```
/// use mentci_shell::{FileOp, files_of_patch};
/// let files = files_of_patch("*** Begin Patch\n*** Delete File: a.rs\n*** End Patch\n");
/// assert_eq!((files[0].path.as_str(), files[0].op), ("a.rs", FileOp::Delete));
/// assert!(files_of_patch("no patch at all").is_empty());
/// ```
pub fn files_of_patch(text: &str) -> Vec<FileChange> {
    let mut patch = Patch::default();
    for line in text.lines() {
        patch.line(line);
    }
    patch.end_file();
    patch.files
}

/// A patch being read.
#[derive(Default)]
struct Patch {
    files: Vec<FileChange>,
    /// The old and the new name of the file that is being read; none for `/dev/null`.
    old: Option<String>,
    new: Option<String>,
    /// What its header says outright.
    op: Option<FileOp>,
    /// Whether a header was read.
    open: bool,
    /// Whether its `---` was read.
    seen: bool,
    /// How many old and new lines the hunk still has.
    left: (u64, u64),
    /// Whether an envelope (`*** Begin Patch`) is open, and its last update.
    envelope: bool,
    updated: Option<usize>,
}

impl Patch {
    fn line(&mut self, line: &str) {
        if self.left != (0, 0) && self.hunk_line(line) {
            return;
        }
        if let Some(rest) = line.trim_start().strip_prefix("*** ") {
            return self.envelope(rest);
        }
        if self.envelope {
            return;
        }
        if let Some(names) = line.strip_prefix("diff --git ") {
            self.end_file();
            self.open = true;
            (self.old, self.new) = git_names(names);
        } else if let Some(name) = line.strip_prefix("--- ") {
            if self.open && self.seen {
                self.end_file();
            }
            self.open = true;
            self.old = file_name(name);
            self.seen = true;
        } else if let Some(name) = line.strip_prefix("+++ ").filter(|_| self.open) {
            self.new = file_name(name);
        } else if let Some(ranges) = line.strip_prefix("@@ -").filter(|_| self.open) {
            self.left = lengths(ranges);
        } else if self.open {
            self.header(line);
        }
    }

    /// A line of a hunk; false when the hunk is over although it says otherwise.
    fn hunk_line(&mut self, line: &str) -> bool {
        let (old, new) = &mut self.left;
        match line.bytes().next() {
            Some(b'-') => *old = old.saturating_sub(1),
            Some(b'+') => *new = new.saturating_sub(1),
            Some(b' ') | None => (*old, *new) = (old.saturating_sub(1), new.saturating_sub(1)),
            Some(b'\\') => {}
            _ => {
                self.left = (0, 0);
                return false;
            }
        }
        true
    }

    /// A line of git's extended header.
    fn header(&mut self, line: &str) {
        if line.starts_with("new file mode") {
            self.op = Some(FileOp::Create);
        } else if line.starts_with("deleted file mode") {
            self.op = Some(FileOp::Delete);
        } else if let Some(name) = line.strip_prefix("rename from ") {
            (self.old, self.op) = (Some(unquote(name)), Some(FileOp::Rename));
        } else if let Some(name) = line.strip_prefix("rename to ") {
            (self.new, self.op) = (Some(unquote(name)), Some(FileOp::Rename));
        } else if let Some(name) = line.strip_prefix("copy to ") {
            (self.new, self.op) = (Some(unquote(name)), Some(FileOp::Create));
        }
    }

    /// A line of an envelope, without its stars.
    fn envelope(&mut self, rest: &str) {
        let rest = rest.trim_end();
        let kinds = [
            ("Add File: ", FileOp::Create),
            ("Update File: ", FileOp::Update),
            ("Delete File: ", FileOp::Delete),
            ("Move to: ", FileOp::Rename),
        ];
        if rest == "Begin Patch" {
            self.end_file();
            self.envelope = true;
        } else if rest == "End Patch" {
            self.envelope = false;
        } else if let Some((path, op)) =
            kinds.iter().find_map(|(kind, op)| Some((rest.strip_prefix(kind)?, *op)))
        {
            if op == FileOp::Rename
                && let Some(file) = self.updated.and_then(|at| self.files.get_mut(at))
            {
                file.op = FileOp::Rename;
            }
            self.updated = (op == FileOp::Update).then_some(self.files.len());
            self.envelope = true;
            self.files.push(FileChange { path: path.trim().to_owned(), op });
        }
    }

    /// Tells the file whose header was read.
    fn end_file(&mut self) {
        if !std::mem::take(&mut self.open) {
            return;
        }
        self.seen = false;
        let op = self.op.take();
        let (old, new) = (self.old.take(), self.new.take());
        let mut tell = |path: Option<String>, op| self.files.extend(path.map(|path| FileChange { path, op }));
        match (old, new, op) {
            (old, new, Some(FileOp::Create)) => tell(new.or(old), FileOp::Create),
            (old, new, Some(FileOp::Delete)) => tell(old.or(new), FileOp::Delete),
            (None, new, _) => tell(new, FileOp::Create),
            (old, None, _) => tell(old, FileOp::Delete),
            (old, new, _) if old == new => tell(new, FileOp::Update),
            (old, new, Some(_)) => {
                tell(old, FileOp::Rename);
                tell(new, FileOp::Rename);
            }
            // `--- a.orig` over `+++ a`: which of them a tool writes is its own choice, so both are told.
            (old, new, None) => {
                tell(old, FileOp::Update);
                tell(new, FileOp::Update);
            }
        }
    }
}

/// `a/x b/x`: both names, when they are the same or quoted.
fn git_names(names: &str) -> (Option<String>, Option<String>) {
    if let Some(rest) = names.strip_prefix('"')
        && let Some((old, new)) = rest.split_once("\" ")
    {
        return (Some(strip(&unescape(old), 'a')), Some(strip(&unquote(new), 'b')));
    }
    let halves = names.len() / 2;
    let same = names.get(..halves).zip(names.get(halves + 1..));
    let (old, new) = match same.filter(|(old, new)| strip(old, 'a') == strip(new, 'b')) {
        Some(halves) => halves,
        None => names.split_once(" b/").unwrap_or((names, names)),
    };
    (Some(strip(old, 'a')), Some(strip(new, 'b')))
}

/// The name behind `---` or `+++`: without its prefix, and without a time behind a tab.
fn file_name(text: &str) -> Option<String> {
    let name = if text.starts_with('"') {
        unquote(text)
    } else {
        text.split('\t').next().unwrap_or(text).trim_end().to_owned()
    };
    if name == "/dev/null" {
        return None;
    }
    Some(strip(&strip(&name, 'a'), 'b'))
}

fn strip(name: &str, prefix: char) -> String {
    name.strip_prefix(prefix).and_then(|rest| rest.strip_prefix('/')).unwrap_or(name).to_owned()
}

/// A name in quotes as git writes them.
fn unquote(text: &str) -> String {
    match text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(inner) => unescape(inner),
        None => text.to_owned(),
    }
}

/// `\303\251`, `\t`, `\"`.
fn unescape(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes().peekable();
    while let Some(byte) = rest.next() {
        match (byte, rest.peek().copied()) {
            (b'\\', Some(b'0'..=b'7')) => {
                let mut value = 0_u8;
                for _ in 0..3 {
                    if let Some(digit) = rest.next_if(|byte| (b'0'..=b'7').contains(byte)) {
                        value = value.wrapping_mul(8).wrapping_add(digit - b'0');
                    }
                }
                bytes.push(value);
            }
            (b'\\', Some(escaped)) => {
                rest.next();
                bytes.push(match escaped {
                    b'n' => b'\n',
                    b't' => b'\t',
                    other => other,
                });
            }
            _ => bytes.push(byte),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// `12,7 +12,9 @@`: how many old and new lines.
fn lengths(ranges: &str) -> (u64, u64) {
    let mut parts = ranges.split([' ', '+']).filter(|part| !part.is_empty());
    let mut length = || {
        let part = parts.next().unwrap_or_default();
        part.split_once(',').map_or(1, |(_, length)| length.parse().unwrap_or(0))
    };
    (length(), length())
}
