//! A command line with what stands around it.

use std::collections::BTreeMap;

use mentci_source::Span;

use crate::{
    Command, Operation, Redirect, Word,
    list::RawRedirect,
    marks,
    reader::{Context, LONGEST_FOLDER},
};

/// A command line with what stands around it.
#[derive(Debug, Clone)]
pub(super) struct Line {
    pub(super) env: BTreeMap<String, Word>,
    pub(super) redirects: Vec<Redirect>,
    pub(super) context: Context,
    /// What comes in on standard input, when that can be foretold.
    pub(super) stdin: Option<String>,
    /// What most likely comes in where that is not sure: for what a shell would run of it.
    pub(super) likely: Option<String>,
    /// The programs whose output stands in a here-document.
    pub(super) stdin_of: Vec<String>,
    pub(super) span: Span,
    /// Whether a change of directory or of a variable stays for what follows.
    pub(super) stays: bool,
}

impl Line {
    /// A line with nothing on it.
    pub(super) fn bare(context: Context, span: Span) -> Self {
        let (env, redirects, stdin_of) = (BTreeMap::new(), Vec::new(), Vec::new());
        Self { env, redirects, context, stdin: None, likely: None, stdin_of, span, stays: false }
    }

    /// A command with what this line gives every one.
    pub(super) fn command(&self, command: Command) -> Command {
        Command {
            cwd: self.context.cwd.clone(),
            redirects: self.redirects.clone(),
            via: self.context.via.to_vec(),
            pipe: self.context.pipe,
            pipes_from: self.context.upstream.clone(),
            background: self.context.background,
            span: self.span,
            ..command
        }
    }
}

/// A redirect; one for each file that it may name, when it stands in a loop or names a pattern.
pub(super) fn redirects(raw: &RawRedirect) -> Vec<Redirect> {
    let mut targets = match raw.op {
        Operation::Here => Vec::new(),
        _ => marks::words(&raw.marked, &raw.output_of),
    };
    if targets.is_empty() {
        targets.push(marks::word(&raw.marked, &raw.output_of));
    }
    for target in &mut targets {
        target.fill(raw.likely.as_deref());
    }
    targets.into_iter().map(|target| Redirect { op: raw.op, fd: raw.fd, target }).collect()
}

/// A directory below another, or in its place when it is absolute.
pub(crate) fn join(base: Option<&str>, path: &str) -> String {
    match base {
        // What is too long already stays so: nothing is told there.
        Some(base) if !path.starts_with(['/', '~', '$']) && base.len() > LONGEST_FOLDER => base.to_owned(),
        Some(base) if !path.starts_with(['/', '~', '$']) => {
            let path = path.strip_prefix("./").unwrap_or(path);
            if path == "." { base.to_owned() } else { format!("{}/{path}", base.trim_end_matches('/')) }
        }
        _ => path.to_owned(),
    }
}

pub(super) fn bare_path(path: &str) -> &str {
    path.strip_prefix("./").unwrap_or(path)
}
