//! What a collector of OpenTelemetry is told, and what becomes of decisions when it is not there.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use mentci_tests::House;
use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceRequest;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::{KeyValue, any_value};
use opentelemetry_proto::tonic::metrics::v1::{metric, number_data_point};
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message;
use serde_json::json;

use super::{call, house};

/// A delivery: where, and what.
type Delivery = (String, Vec<u8>);

/// A collector: its address, and what arrives. One that is mute takes what it is told and never answers.
fn collector(mute: bool) -> (String, Receiver<Delivery>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (told, arrives) = channel();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let told = told.clone();
            std::thread::spawn(move || take(&stream, &told, mute));
        }
    });
    (address, arrives)
}

/// Takes deliveries on one connection.
fn take(stream: &TcpStream, told: &Sender<Delivery>, mute: bool) -> Option<()> {
    let mut reader = BufReader::new(stream);
    loop {
        let (mut first, mut length) = (String::new(), 0);
        reader.read_line(&mut first).ok().filter(|read| *read > 0)?;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).ok()?;
            if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().ok()?;
            }
            if line == "\r\n" {
                break;
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).ok()?;
        told.send((first.split(' ').nth(1)?.to_owned(), body)).ok()?;
        if !mute {
            let mut stream = stream;
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").ok()?;
        }
    }
}

/// A daemon that tells it at once.
fn telling(workspace: &mentci_tests::Scratch, address: &str, more: &[(&str, &str)]) -> House {
    let mut variables = vec![
        ("OTEL_EXPORTER_OTLP_ENDPOINT", address),
        ("OTEL_BSP_SCHEDULE_DELAY", "20"),
        ("OTEL_METRIC_EXPORT_INTERVAL", "100"),
    ];
    variables.extend(more);
    House::with(workspace, &["serve"], &variables)
}

fn next(arrives: &Receiver<Delivery>) -> Delivery {
    arrives.recv_timeout(Duration::from_mins(1)).expect("a delivery")
}

/// Spans as they arrive, until there are so many; and all bytes that came with them.
fn spans(arrives: &Receiver<Delivery>, wanted: usize) -> (Vec<Span>, Vec<u8>) {
    let (mut found, mut bytes) = (Vec::new(), Vec::new());
    while found.len() < wanted {
        let (path, body) = next(arrives);
        bytes.extend_from_slice(&body);
        if path == "/v1/traces" {
            let request = ExportTraceServiceRequest::decode(&body[..]).unwrap();
            let scopes = request.resource_spans.into_iter().flat_map(|resource| resource.scope_spans);
            found.extend(scopes.flat_map(|scope| scope.spans));
        }
    }
    (found, bytes)
}

/// Attributes in their order, `name=value`.
fn shown(attributes: &[KeyValue]) -> Vec<String> {
    let mut shown: Vec<String> = attributes
        .iter()
        .map(|attribute| {
            let value = attribute.value.as_ref().and_then(|value| value.value.as_ref());
            let value = match value {
                Some(any_value::Value::StringValue(text)) => text.clone(),
                Some(any_value::Value::IntValue(number)) => number.to_string(),
                other => format!("{other:?}"),
            };
            format!("{}={value}", attribute.key)
        })
        .collect();
    shown.sort();
    shown
}

fn contains(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

#[test]
fn a_decision_is_a_span_with_its_tool_its_verdict_and_its_rules_and_never_its_arguments() {
    let workspace = house();
    let (address, arrives) = collector(false);
    let house = telling(&workspace, &address, &[]);
    let drop_table = call("private", "sql", &json!({"query": "drop table hunter2"}));
    let head =
        "X-Request-Id: mine-1\r\ntraceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\r\n";
    assert_eq!(house.with_head("POST", "/api/v1/decide", head, Some(&drop_table)).status, 200);
    let (spans, bytes) = spans(&arrives, 2);
    let named = |name: &str| spans.iter().find(|span| span.name == name).expect("it is told");
    let (request, decision) = (named("POST /api/v1/decide"), named("decide"));
    insta::assert_snapshot!(shown(&decision.attributes).join("\n"), @r"
    gen_ai.tool.name=sql
    mentci.decision=block
    mentci.hook=pre_tool_call
    mentci.rules=no-drop
    ");
    insta::assert_snapshot!(shown(&request.attributes).join("\n"), @r"
    http.request.method=POST
    http.response.status_code=200
    http.route=/api/v1/decide
    id=mine-1
    verdict=block
    ");
    // The decision stands under its request, and the request under what its sender does.
    assert_eq!(decision.parent_span_id, request.span_id);
    assert_eq!(request.parent_span_id, [0x00, 0xf0, 0x67, 0xaa, 0x0b, 0xa9, 0x02, 0xb7]);
    assert_eq!((decision.trace_id[0], &decision.trace_id), (0x4b, &request.trace_id));
    assert!(decision.end_time_unix_nano >= decision.start_time_unix_nano);
    for secret in ["hunter2", "private", "drop table"] {
        assert!(!contains(&bytes, secret), "{secret} is told");
    }
    assert!(contains(&bytes, "service.name") && contains(&bytes, "mentci"));
}

#[test]
fn whoever_decides_together_or_by_another_door_is_told_of_too() {
    let workspace = house();
    let (address, arrives) = collector(false);
    let house = telling(&workspace, &address, &[("OTEL_SERVICE_NAME", "keeper")]);
    let events =
        json!({"events": [call("s", "read", &json!({})), call("s", "deploy", &json!({"to": "hunter2"}))]});
    assert_eq!(house.ask("POST", "/api/v1/events", None, Some(&events)).status, 200);
    let check = json!({"tool_name": "sql", "args": {"query": "drop table hunter2"}});
    assert_eq!(house.ask("POST", "/api/v1/check", None, Some(&check)).status, 200);
    let (spans, bytes) = spans(&arrives, 5);
    let mut told: Vec<String> = spans
        .iter()
        .filter(|span| span.name == "decide")
        .map(|span| shown(&span.attributes).join(" "))
        .map(|line| {
            line.split(' ').filter(|word| !word.starts_with("mentci.approval=")).collect::<Vec<_>>().join(" ")
        })
        .collect();
    told.sort();
    insta::assert_snapshot!(told.join("\n"), @r"
    gen_ai.tool.name=deploy mentci.decision=approve mentci.hook=pre_tool_call mentci.rules=ask-deploy
    gen_ai.tool.name=read mentci.decision=allow mentci.hook=pre_tool_call
    gen_ai.tool.name=sql mentci.decision=block mentci.hook=pre_tool_call mentci.rules=no-drop
    ");
    assert!(!contains(&bytes, "hunter2") && contains(&bytes, "keeper"));
}

#[test]
fn decisions_are_counted_by_what_came_of_them() {
    let workspace = house();
    let (address, arrives) = collector(false);
    let house = telling(&workspace, &address, &[("OTEL_TRACES_EXPORTER", "none")]);
    for tool in ["sql", "read", "sql"] {
        let event = call("s", tool, &json!({"query": "drop table a"}));
        assert_eq!(house.ask("POST", "/api/v1/decide", None, Some(&event)).status, 200);
    }
    // Counts are told again and again: the last of them hold all three.
    let counts = loop {
        let (path, body) = next(&arrives);
        assert_eq!(path, "/v1/metrics", "no traces are sent");
        let request = ExportMetricsServiceRequest::decode(&body[..]).unwrap();
        let scopes = request.resource_metrics.into_iter().flat_map(|resource| resource.scope_metrics);
        let metrics: Vec<_> = scopes.flat_map(|scope| scope.metrics).collect();
        let mut counts = Vec::new();
        for metric in &metrics {
            match &metric.data {
                Some(metric::Data::Sum(sum)) => counts.extend(sum.data_points.iter().map(|point| {
                    let value = match point.value {
                        Some(number_data_point::Value::AsInt(value)) => value,
                        _ => -1,
                    };
                    format!("{} {} = {value}", metric.name, shown(&point.attributes).join(" "))
                })),
                Some(metric::Data::Histogram(histogram)) => {
                    counts.extend(histogram.data_points.iter().map(|point| {
                        let attributes = shown(&point.attributes).join(" ");
                        format!("{} in {} {attributes} = {}", metric.name, metric.unit, point.count)
                    }));
                }
                _ => {}
            }
        }
        counts.sort();
        if counts.iter().any(|line| line.starts_with("http.server") && line.ends_with("= 3")) {
            break counts;
        }
    };
    insta::assert_snapshot!(counts.join("\n"), @r"
    http.server.request.duration in s http.request.method=POST http.response.status_code=200 http.route=/api/v1/decide = 3
    mentci.decision.duration in s mentci.decision=allow = 1
    mentci.decision.duration in s mentci.decision=block = 2
    mentci.decisions mentci.decision=allow = 1
    mentci.decisions mentci.decision=block = 2
    ");
}

#[test]
fn a_collector_that_never_answers_delays_no_decision() {
    let workspace = house();
    let (address, arrives) = collector(true);
    // One span waits at most: all others find the queue full.
    let variables = [("OTEL_BSP_MAX_QUEUE_SIZE", "1"), ("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "1")];
    let mut house = telling(&workspace, &address, &variables);
    let decide = || {
        let event = call("s", "sql", &json!({"query": "drop table a"}));
        house.ask("POST", "/api/v1/decide", None, Some(&event)).json()["decision"].clone()
    };
    assert_eq!(decide(), "block");
    // From here on what tells it is stuck, because the collector has what it was told and does not answer.
    while next(&arrives).0 != "/v1/traces" {}
    for _ in 0..50 {
        assert_eq!(decide(), "block");
    }
    assert!(house.stop(), "it ends in good order");
    let traces = arrives.try_iter().filter(|(path, _)| path == "/v1/traces").count();
    assert!(traces < 50, "none of the fifty waited for its delivery: {traces}");
}

#[test]
fn a_collector_that_is_gone_or_misnamed_keeps_no_daemon_from_deciding() {
    let workspace = house();
    for variables in [
        &[("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9")][..],
        &[("OTEL_EXPORTER_OTLP_ENDPOINT", "nowhere at all")],
        &[("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9"), ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")],
    ] {
        let house = House::with(&workspace, &["serve"], variables);
        let event = call("s", "sql", &json!({"query": "drop table a"}));
        let decided = house.ask("POST", "/api/v1/decide", None, Some(&event));
        assert_eq!(decided.json()["decision"], "block", "{variables:?}");
    }
}

#[test]
fn a_workspace_that_nobody_trusts_sends_nothing_anywhere() {
    let workspace = house();
    workspace.write("mentci.toml", "[telemetry]\nendpoint = \"http://127.0.0.1:9\"\n");
    workspace.must(&["trust", "--revoke"]);
    let endpoint = |config: &serde_json::Value| {
        let values = config["values"].as_array().cloned().unwrap_or_default();
        values.into_iter().find(|value| value["key"] == "telemetry.endpoint").expect("it is a key")
    };
    let untrusted = endpoint(&workspace.json(&["config"]));
    workspace.must(&["trust"]);
    let trusted = endpoint(&workspace.json(&["config"]));
    assert_eq!((&untrusted["value"], &trusted["value"]), (&json!(null), &json!("http://127.0.0.1:9")));
}
