//! A model behind HTTP: `policy-engine model serve` with a script.

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

use crate::Scratch;

/// A model's server; it ends with this value.
pub struct ModelServer {
    child: Child,
    url: String,
}

impl ModelServer {
    /// Serves the script at a path in the workspace.
    ///
    /// # Panics
    ///
    /// When it does not start.
    pub fn new(scratch: &Scratch, script: &str) -> Self {
        let mut command = scratch.engine();
        command.args(["model", "serve", "--script", script, "--port", "0"]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts");
        let said = BufReader::new(child.stderr.take().expect("it is piped")).lines().next();
        let said = said.expect("it says where").expect("text");
        let url = said.split_whitespace().find(|word| word.starts_with("http://")).expect("its address");
        Self { child, url: url.to_owned() }
    }

    /// Where it is asked.
    pub fn url(&self) -> &str {
        &self.url
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        // OK to ignore: it may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
