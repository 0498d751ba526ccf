//! `policy-engine run` against a model behind HTTP, streamed, in both wire formats: the same transcript as by the script itself.

#![expect(clippy::disallowed_methods, reason = "tests start processes and read files")]

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

use mentci_tests::{Scratch, checkout::read};

const LAW: &str = "---
name: mentci-rust
description: How the Rust of this workspace is written
---
# Rust

- You MUST NOT call `unwrap` outside tests.
";

const SCRIPT: &str = "Library/guide/examples/sema.model.json";

/// A clean workspace with the example that ships.
fn example() -> Scratch {
    let document = read("Library/guide/examples/sema.chatmd");
    let scratch = Scratch::new(&[
        (".pi/skills/mentci-rust/SKILL.md", LAW),
        ("Library/guide/examples/sema.chatmd", &document),
        (SCRIPT, &read(SCRIPT)),
    ]);
    scratch.must(&["compile-rules"]);
    scratch
}

/// A model's server; it ends with this value.
struct ModelServer {
    child: Child,
    url: String,
}

impl ModelServer {
    fn of(scratch: &Scratch) -> Self {
        let mut command = scratch.engine();
        command.args(["model", "serve", "--script", SCRIPT, "--port", "0"]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts");
        let said = BufReader::new(child.stderr.take().expect("it is piped")).lines().next();
        let said = said.expect("it says where").expect("text");
        let url = said.split_whitespace().find(|word| word.starts_with("http://")).expect("its address");
        Self { child, url: url.to_owned() }
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        // OK to ignore: it may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What a run of the example leaves.
fn transcript(scratch: &Scratch, model: &str, settings: &[(&str, &str)]) -> String {
    let mut command = scratch.engine();
    command.args(["run", "Library/guide/examples/sema.chatmd", "--out", "sema.chatmd", "--model", model]);
    let output = command.envs(settings.iter().copied()).output().expect("it starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    scratch.read("sema.chatmd")
}

#[test]
fn both_wires_write_what_the_script_itself_writes() {
    let expected = transcript(&example(), &format!("script:{SCRIPT}"), &[]);
    for provider in ["compatible", "anthropic-compatible"] {
        let scratch = example();
        let server = ModelServer::of(&scratch);
        let settings = [("MENTCI_MODEL_PROVIDER", provider), ("MENTCI_MODEL_BASE_URL", &server.url)];
        assert_eq!(transcript(&scratch, "sema-script", &settings), expected, "{provider}");
    }
}
