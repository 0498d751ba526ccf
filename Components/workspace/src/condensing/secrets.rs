//! What no model is sent.

use mentci_detect::Detector;

use super::given::gives_a_credential;
use super::spoken::tells_a_secret;

/// Looks for what must not leave this machine.
#[derive(Debug)]
pub(crate) struct Secrets(Detector);

impl Secrets {
    pub(crate) fn new() -> Self {
        Self(Detector::all())
    }

    /// Whether a text holds what looks like a secret or like personal data, tells one in words, or gives one to a command.
    pub(crate) fn any_in(&self, text: &str) -> bool {
        self.0.has_any(text) || tells_a_secret(text) || gives_a_credential(text)
    }
}
