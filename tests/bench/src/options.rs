//! What is asked for on the command line.

use std::path::PathBuf;

/// How much is measured, and where.
#[derive(Debug, Clone)]
pub(crate) struct Options {
    /// Smaller trees and fewer rounds: a look, not a measurement.
    pub(crate) quick: bool,
    /// The benches to run; all when empty.
    pub(crate) only: Vec<String>,
    /// Where the trees stand. They are kept for the next run.
    pub(crate) data: PathBuf,
    /// Where the peers are installed.
    pub(crate) tools: PathBuf,
    /// The `policy-engine` to measure.
    pub(crate) engine: PathBuf,
    /// The program that holds the policy engines of others.
    pub(crate) peers: PathBuf,
}

impl Options {
    /// Reads `[--quick] [--data DIR] [--tools DIR] [--engine FILE] [--peers FILE] [NAME…]`.
    pub(crate) fn read(arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self {
            quick: false,
            only: Vec::new(),
            data: "target/bench-data".into(),
            tools: "target/bench-tools".into(),
            engine: "target/release/policy-engine".into(),
            peers: "target/release/mentci-bench-peers".into(),
        };
        let mut arguments = arguments;
        while let Some(argument) = arguments.next() {
            let mut folder =
                || arguments.next().map(PathBuf::from).ok_or(format!("`{argument}` wants a path"));
            match argument.as_str() {
                "--quick" => options.quick = true,
                "--data" => options.data = folder()?,
                "--tools" => options.tools = folder()?,
                "--engine" => options.engine = folder()?,
                "--peers" => options.peers = folder()?,
                name if !name.starts_with('-') => options.only.push(name.to_owned()),
                _ => return Err(format!("unknown argument `{argument}`")),
            }
        }
        options.make_absolute().map_err(|error| format!("the current folder cannot be found: {error}"))
    }

    fn make_absolute(mut self) -> std::io::Result<Self> {
        for path in [&mut self.data, &mut self.tools, &mut self.engine, &mut self.peers] {
            *path = std::path::absolute(&*path)?;
        }
        Ok(self)
    }

    /// `all`, or what `--quick` leaves of it.
    pub(crate) fn amount(&self, all: usize, quick: usize) -> usize {
        if self.quick { quick } else { all }
    }
}
