//! What pages load: one style, one script, one picture, all embedded.

use mentci_source::Hash;

/// The style of every page.
pub const STYLE: &str = include_str!("page.css");
/// What pages do beyond links and forms.
pub const SCRIPT: &str = include_str!("page.js");
/// The picture in the browser's tab.
pub const ICON: &str = include_str!("icon.svg");

/// Names the assets as they are, so that a browser may keep them.
pub fn version() -> String {
    let parts = [STYLE, SCRIPT, ICON].map(str::as_bytes);
    Hash::of("mentci page 1", parts).short(12)
}
