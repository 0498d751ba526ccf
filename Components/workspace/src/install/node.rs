//! The node that a harness runs in: whether it is there, and new enough for the harness beside it.

use std::path::Path;

use mentci_host::Harness;
use serde_json::Value;

use crate::workspace::Workspace;

/// A version as far as harnesses ask: its first two numbers.
type Version = (u32, u32);

impl Workspace {
    /// Why a harness that is a program for node will not start, or not load what is installed for it: there is no node on the
    /// search path, or it is older than the manifest of the harness wants.
    pub(super) fn old_node(&self, harness: Harness) -> Option<String> {
        let name = program_for_node(harness)?;
        let wanted = self.wanted_node(&self.on_path(name)?)?;
        let Some(node) = self.on_path("node") else {
            return Some(format!("{name} wants node, which is not on `PATH`"));
        };
        let (major, minor) = self.node_version(&node)?;
        let oldest = wanted.iter().min()?;
        ((major, minor) < *oldest)
            .then(|| format!("node is {major}.{minor}, and {name} wants {}.{} or newer", oldest.0, oldest.1))
    }

    /// The version of a node: read off the headers beside it, else off the folder that it stands in, as the programs that keep
    /// several of them name it (`…/v22.19.0/bin/node`). None where neither says it.
    fn node_version(&self, node: &Path) -> Option<Version> {
        let node = self.fs.canonicalize(node).ok()?;
        let folder = node.parent()?.parent()?;
        let headers = self.text(&folder.join("include/node/node_version.h"));
        headers.as_deref().and_then(in_headers).or_else(|| version(folder.file_name()?.to_str()?))
    }

    /// What a program wants of node, as the manifest of its package says: `"engines": {"node": ">=22.19.0"}`. None where it is no
    /// package of node's.
    fn wanted_node(&self, program: &Path) -> Option<Vec<Version>> {
        let program = self.fs.canonicalize(program).ok()?;
        let manifest =
            program.ancestors().skip(1).find_map(|folder| self.text(&folder.join("package.json")))?;
        let manifest: Value = serde_json::from_str(&manifest).ok()?;
        let wanted = manifest.pointer("/engines/node")?.as_str()?;
        Some(wanted.split("||").filter_map(version).collect())
    }

    fn text(&self, path: &Path) -> Option<String> {
        let bytes = mentci_disk::read_optional(self.fs.as_ref(), path).ok()??;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// What a harness that runs in node is started by. The others bring all that they need.
fn program_for_node(harness: Harness) -> Option<&'static str> {
    match harness {
        Harness::Pi => Some("pi"),
        Harness::Gemini => Some("gemini"),
        Harness::Openclaw => Some("openclaw"),
        Harness::ClaudeCode | Harness::Codex | Harness::Opencode | Harness::Cline | Harness::Any => None,
    }
}

fn in_headers(text: &str) -> Option<Version> {
    let number = |name: &str| -> Option<u32> {
        let line = text.lines().find(|line| line.contains(&format!("define NODE_{name}_VERSION")))?;
        line.split_whitespace().last()?.parse().ok()
    };
    Some((number("MAJOR")?, number("MINOR")?))
}

/// The first version that a text names: `>=24.16.0 <25`, `v22.19.0`, `20`.
fn version(text: &str) -> Option<Version> {
    let mut numbers = text.trim_start_matches(['>', '=', '^', '~', 'v', ' ']).split(['.', ' ']);
    let mut number = || numbers.next()?.parse().ok();
    let major: u32 = number()?;
    Some((major, number().unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read() {
        for (text, told) in [
            (">=22.19.0", Some((22, 19))),
            (">=24.16.0 <25 ", Some((24, 16))),
            (" >=26.1.0", Some((26, 1))),
            ("v22.3.1", Some((22, 3))),
            ("^20", Some((20, 0))),
            ("20.x", Some((20, 0))),
            ("*", None),
            ("usr", None),
        ] {
            assert_eq!(version(text), told, "{text}");
        }
        let headers = "#define NODE_MAJOR_VERSION 22\n#define NODE_MINOR_VERSION 23\n";
        assert_eq!((in_headers(headers), in_headers("")), (Some((22, 23)), None));
    }
}
