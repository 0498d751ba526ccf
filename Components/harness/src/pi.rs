//! The pi coding agent: one extension, loaded as it is.

use mentci_host::Asset;

/// The extension's place, relative to the workspace.
pub const EXTENSION_PATH: &str = ".pi/extensions/mentci-workspace.ts";

/// The extension's text.
pub const EXTENSION: &str = include_str!("../assets/mentci-workspace.ts");

/// The extension as a file for `init` to write and `doctor` to look for.
///
/// ```
/// let asset = mentci_harness::pi::extension();
/// assert_eq!(asset.path, ".pi/extensions/mentci-workspace.ts");
/// assert!(asset.text.contains("before_agent_start"));
/// ```
pub fn extension() -> Asset {
    Asset { path: EXTENSION_PATH.into(), text: EXTENSION.into() }
}
