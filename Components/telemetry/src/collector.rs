//! Where telemetry goes.

use std::time::Duration;

use reqwest::Url;

use crate::TelemetryError;

/// How long one delivery may take, where nobody says.
const TIMEOUT: Duration = Duration::from_secs(10);

/// A collector: where it takes traces and metrics, each or neither.
///
/// ```
/// use mentci_telemetry::Collector;
///
/// let collector = Collector::read(Some("http://127.0.0.1:4318"), |_| None).unwrap().unwrap();
/// assert_eq!(collector.traces.unwrap().as_str(), "http://127.0.0.1:4318/v1/traces");
/// assert_eq!(Collector::read(None, |_| None), Ok(None));
/// assert!(Collector::read(Some("somewhere"), |_| None).is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collector {
    /// Where it takes traces.
    pub traces: Option<Url>,
    /// Where it takes metrics.
    pub metrics: Option<Url>,
    /// How long one delivery may take.
    pub timeout: Duration,
}

/// A kind of telemetry, by its variables and its path under a collector's address.
struct Signal {
    endpoint: &'static str,
    exporter: &'static str,
    protocol: &'static str,
    path: &'static str,
}

const TRACES: Signal = Signal {
    endpoint: "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    exporter: "OTEL_TRACES_EXPORTER",
    protocol: "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL",
    path: "v1/traces",
};

const METRICS: Signal = Signal {
    endpoint: "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT",
    exporter: "OTEL_METRICS_EXPORTER",
    protocol: "OTEL_EXPORTER_OTLP_METRICS_PROTOCOL",
    path: "v1/metrics",
};

impl Collector {
    /// The collector at `endpoint`, as the standard variables of OpenTelemetry have it; none where nothing is to be sent. An
    /// address of one kind stands as it is, under the common one each kind has its path.
    ///
    /// # Errors
    /// - [`TelemetryError::Address`]: an address is none.
    /// - [`TelemetryError::Protocol`], [`TelemetryError::Exporter`]: a variable asks for what is not done here.
    pub fn read(
        endpoint: Option<&str>,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Option<Self>, TelemetryError> {
        let told = |name: &str| variable(name).filter(|value| !value.trim().is_empty());
        if told("OTEL_SDK_DISABLED").is_some_and(|value| value.trim().eq_ignore_ascii_case("true")) {
            return Ok(None);
        }
        let (traces, metrics) = (TRACES.address(endpoint, &told)?, METRICS.address(endpoint, &told)?);
        let timeout = told("OTEL_EXPORTER_OTLP_TIMEOUT").and_then(|value| value.trim().parse().ok());
        let timeout = timeout.map_or(TIMEOUT, Duration::from_millis);
        Ok((traces.is_some() || metrics.is_some()).then_some(Self { traces, metrics, timeout }))
    }

    /// Whether all of it stays on this machine.
    pub(crate) fn is_loopback(&self) -> bool {
        self.traces.iter().chain(&self.metrics).all(is_loopback)
    }
}

impl Signal {
    fn address(
        &self,
        endpoint: Option<&str>,
        told: &impl Fn(&str) -> Option<String>,
    ) -> Result<Option<Url>, TelemetryError> {
        let own = told(self.endpoint);
        if own.is_none() && endpoint.is_none() {
            return Ok(None);
        }
        match told(self.exporter).as_deref().map(str::trim) {
            None | Some("otlp") => {}
            Some("none") => return Ok(None),
            Some(value) => {
                return Err(TelemetryError::Exporter { variable: self.exporter, value: value.to_owned() });
            }
        }
        for variable in [self.protocol, "OTEL_EXPORTER_OTLP_PROTOCOL"] {
            // The kind's own variable stands over the common one.
            match told(variable).as_deref().map(str::trim) {
                None => {}
                Some("http/protobuf") => break,
                Some(value) => return Err(TelemetryError::Protocol { variable, value: value.to_owned() }),
            }
        }
        let under = || endpoint.map(|base| format!("{}/{}", base.trim().trim_end_matches('/'), self.path));
        own.or_else(under).map(|text| read_address(&text)).transpose()
    }
}

/// An address without anything secret in it: those who configure it are shown it.
fn read_address(text: &str) -> Result<Url, TelemetryError> {
    let url = Url::parse(text.trim()).ok().filter(|url| {
        let is_web = matches!(url.scheme(), "http" | "https") && url.host_str().is_some();
        is_web && url.username().is_empty() && url.password().is_none()
    });
    url.ok_or_else(|| TelemetryError::Address(without_user(text).escape_debug().to_string()))
}

fn without_user(text: &str) -> String {
    match text.split_once('@') {
        Some((_, rest)) => format!("…@{rest}"),
        None => text.to_owned(),
    }
}

fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may stop")]
mod tests {
    use super::Collector;

    /// What comes of these variables under the configured address.
    fn read(endpoint: Option<&str>, variables: &[(&str, &str)]) -> String {
        let find =
            |name: &str| variables.iter().find(|(own, _)| *own == name).map(|(_, value)| (*value).to_owned());
        match Collector::read(endpoint, find) {
            Ok(None) => "nothing".to_owned(),
            Ok(Some(collector)) => {
                let shown = |url: Option<reqwest::Url>| url.map_or("-".to_owned(), |url| url.to_string());
                format!("{} {}", shown(collector.traces), shown(collector.metrics))
            }
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn the_standard_variables_say_where_it_goes() {
        let base = Some("http://c.test:4318/");
        for (endpoint, variables, expected) in [
            (None, &[][..], "nothing"),
            (base, &[][..], "http://c.test:4318/v1/traces http://c.test:4318/v1/metrics"),
            (
                Some("http://c.test/under"),
                &[][..],
                "http://c.test/under/v1/traces http://c.test/under/v1/metrics",
            ),
            (base, &[("OTEL_SDK_DISABLED", "TRUE")][..], "nothing"),
            (base, &[("OTEL_TRACES_EXPORTER", "none")][..], "- http://c.test:4318/v1/metrics"),
            (base, &[("OTEL_TRACES_EXPORTER", "none"), ("OTEL_METRICS_EXPORTER", "none")][..], "nothing"),
            (
                base,
                &[("OTEL_TRACES_EXPORTER", "console")][..],
                "`OTEL_TRACES_EXPORTER` is `console`, and takes `otlp` or `none`",
            ),
            (
                None,
                &[("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "https://t.example/in")][..],
                "https://t.example/in -",
            ),
            (
                base,
                &[("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")][..],
                "`OTEL_EXPORTER_OTLP_PROTOCOL` asks for `grpc`, and telemetry is sent as `http/protobuf` alone",
            ),
            (None, &[("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")][..], "nothing"),
            (Some("c.example:4318"), &[][..], "`c.example:4318/v1/traces` is no address of a collector"),
            (Some("http://me:secret@c.test"), &[][..], "`…@c.test/v1/traces` is no address of a collector"),
        ] {
            assert_eq!(read(endpoint, variables), expected, "{variables:?}");
        }
    }
}
