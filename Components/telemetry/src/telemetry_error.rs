//! Why nothing can be told.

/// Why nothing can be told.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TelemetryError {
    /// An address is none.
    #[error("`{0}` is no address of a collector")]
    Address(String),
    /// A wire that is not spoken here.
    #[error("`{variable}` asks for `{value}`, and telemetry is sent as `http/protobuf` alone")]
    Protocol {
        /// The variable that asks for it.
        variable: &'static str,
        /// What it asks for.
        value: String,
    },
    /// An exporter that is not known here.
    #[error("`{variable}` is `{value}`, and takes `otlp` or `none`")]
    Exporter {
        /// The variable that asks for it.
        variable: &'static str,
        /// What it asks for.
        value: String,
    },
    /// What sends cannot be set up.
    #[error("telemetry cannot be sent: {0}")]
    Setup(String),
}

impl TelemetryError {
    /// What to do about it.
    pub fn help(&self) -> &'static str {
        match self {
            Self::Address(_) => "give the collector's address, such as `http://127.0.0.1:4318`",
            Self::Protocol { .. } => {
                "collectors take it on port 4318: set `OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf`"
            }
            Self::Exporter { .. } => "`none` sends nothing of the kind",
            Self::Setup(_) => "without `telemetry.endpoint` nothing is sent",
        }
    }
}
