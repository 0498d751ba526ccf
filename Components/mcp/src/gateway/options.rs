//! How a gateway behaves.

use std::time::Duration;

use uuid::Uuid;

/// How a gateway behaves.
#[derive(Debug, Clone)]
pub struct GatewayOptions {
    /// The server's name in the names of its tools; what the server calls itself when absent.
    pub name: Option<String>,
    /// The name of a server that does not say its own.
    pub fallback: String,
    /// The session to which the calls belong.
    pub session: String,
    /// How long a call may take without a sign of progress; zero for ever.
    pub timeout: Duration,
    /// From how many bytes a text of an answer becomes an artifact; zero for never.
    pub artifact_bytes: usize,
    /// Whether a client that can ask its person is asked to, where a rule wants approval.
    pub elicit: bool,
}

impl Default for GatewayOptions {
    /// Five minutes, 32 KiB, people are asked.
    fn default() -> Self {
        Self {
            name: None,
            fallback: "server".to_owned(),
            session: "gateway".to_owned(),
            timeout: Duration::from_mins(5),
            artifact_bytes: 32 * 1024,
            elicit: true,
        }
    }
}

/// The name of a session that is like no other.
pub fn new_session() -> String {
    format!("mcp-{}", Uuid::now_v7())
}
