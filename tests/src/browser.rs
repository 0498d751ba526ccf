//! Walks through the daemon's page in a real Chromium.

use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::clients::{driver, folder, installed, node};
use crate::{Scratch, Served};

/// A browser that is logged in to a daemon of its own. Each walk is a browser of its own with the same cookies.
///
/// ```no_run
/// # use mentci_tests::{Browser, Scratch};
/// # use serde_json::json;
/// let workspace = Scratch::new(&[]);
/// let browser = Browser::new(&workspace);
/// browser.walk(json!([{ "open": "/rules" }, { "see": "Before a tool runs" }, { "axe": true }]));
/// ```
pub struct Browser {
    served: Served,
    out: TempDir,
}

impl Browser {
    /// Serves this workspace, and logs in.
    ///
    /// # Panics
    ///
    /// When the daemon does not start.
    pub fn new(workspace: &Scratch) -> Self {
        let out = tempfile::Builder::new().prefix("mentci-page-").tempdir().expect("a temporary folder");
        Self { served: Served::page(workspace), out }
    }

    /// Walks step by step, as `page-drive.mjs` reads them. What was read on the way.
    ///
    /// # Panics
    ///
    /// With what the page showed, when a step does not hold.
    #[expect(clippy::needless_pass_by_value, reason = "a walk is written where it is walked")]
    pub fn walk(&self, steps: Value) -> Vec<Vec<String>> {
        self.walk_as(&steps, &json!({}))
    }

    /// The same in another browser: `javascript`, `width`, `scheme`.
    ///
    /// # Panics
    ///
    /// As [`walk`](Self::walk).
    pub fn walk_as(&self, steps: &Value, how: &Value) -> Vec<Vec<String>> {
        installed("browser/node_modules/playwright-core/package.json");
        let mut story = json!({
            "clients": folder().join("browser"),
            "login": self.served.url(),
            "state": self.out.path().join("state.json"),
            "steps": steps,
        });
        for (key, value) in how.as_object().into_iter().flatten() {
            story[key] = value.clone();
        }
        let script = self.out.path().join("story.json");
        std::fs::write(&script, story.to_string()).expect("a new file");
        let driven =
            Command::new(node()).arg(driver("page-drive.mjs")).arg(script).output().expect("node starts");
        let said = String::from_utf8_lossy(&driven.stderr);
        assert!(driven.status.success(), "{said}");
        serde_json::from_slice(&driven.stdout).unwrap_or_else(|error| panic!("{error}: {said}"))
    }
}
