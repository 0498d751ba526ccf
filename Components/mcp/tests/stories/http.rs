//! Raw requests, as a browser, a stranger and a client would send them.

use std::net::SocketAddr;
use std::time::Duration;

use insta::assert_snapshot;
use mentci_mcp::{ServeError, Stop, bind, serve_listener, stop};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::desk::Desk;

const PATIENCE: Duration = Duration::from_secs(10);
const JSON: &str = "content-type: application/json\r\naccept: application/json, text/event-stream\r\n";

struct Served {
    at: SocketAddr,
    desk: std::sync::Arc<Desk>,
    stop: Stop,
    serving: JoinHandle<Result<(), ServeError>>,
}

impl Served {
    async fn new() -> Self {
        let desk = Desk::new();
        let listener = bind("127.0.0.1:0".parse().unwrap()).await.unwrap();
        let at = listener.local_addr().unwrap();
        let (stop, stopped) = stop();
        let serving = tokio::spawn(serve_listener(desk.clone(), listener, stopped));
        Self { at, desk, stop, serving }
    }

    /// Sends a request with these header lines and gives the status, the session and the body.
    async fn send(&self, first: &str, headers: &str, body: &str) -> (u16, Option<String>, String) {
        let mut stream = TcpStream::connect(self.at).await.unwrap();
        let host = if format!("\n{headers}").contains("\nhost:") {
            String::new()
        } else {
            format!("host: {}\r\n", self.at)
        };
        let length = body.len();
        let request = format!(
            "{first} HTTP/1.1\r\n{host}connection: close\r\n{headers}content-length: {length}\r\n\r\n{body}"
        );
        // OK to ignore: a server that refuses a long body may close before it has read it.
        let _ = stream.write_all(request.as_bytes()).await;
        let mut answer = Vec::new();
        let _ = timeout(PATIENCE, stream.read_to_end(&mut answer)).await.expect("it answers and closes");
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        let session = head.lines().find_map(|line| line.strip_prefix("mcp-session-id: ")).map(str::to_owned);
        (status, session, body.to_owned())
    }

    async fn begin(&self) -> String {
        let (status, session, _) = self.send("POST /mcp", JSON, &initialize()).await;
        assert_eq!(status, 200);
        session.expect("a session")
    }
}

fn initialize() -> String {
    let me = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "curl", "version": "1"},
    });
    json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": me}).to_string()
}

fn teach() -> String {
    let lesson = json!({"skill_name": "rust", "condition": "c", "resolution": "r"});
    let call = json!({"name": "update_skill_heuristics", "arguments": lesson});
    json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call}).to_string()
}

#[tokio::test]
async fn strangers_are_kept_out() {
    let served = Served::new().await;
    let port = served.at.port();
    let table = [
        (String::new(), 200),
        (format!("origin: http://127.0.0.1:{port}\r\n"), 200),
        (format!("origin: http://localhost:{port}\r\n"), 200),
        ("origin: http://evil.example\r\n".to_owned(), 403),
        (format!("origin: http://evil.example:{port}\r\n"), 403),
        (format!("origin: https://127.0.0.1:{port}\r\n"), 403),
        ("origin: http://127.0.0.1:1\r\n".to_owned(), 403),
        ("origin: null\r\n".to_owned(), 403),
        (format!("host: localhost:{port}\r\n"), 200),
        (format!("host: [::1]:{port}\r\n"), 200),
        ("host: evil.example\r\n".to_owned(), 403),
        (format!("host: evil.example:{port}\r\n"), 403),
        (format!("host: 127.0.0.1.evil.example:{port}\r\n"), 403),
    ];
    for (header, expected) in table {
        let (status, _, body) = served.send("POST /mcp", &format!("{JSON}{header}"), &initialize()).await;
        assert_eq!(status, expected, "{header}: {body}");
    }
}

#[tokio::test]
async fn only_the_protocol_is_served_and_no_more_than_it_needs() {
    let served = Served::new().await;
    let long = "a".repeat(1024 * 1024 + 1);
    let table = [
        ("POST /mcp", JSON, "{}", 415),
        ("POST /mcp", JSON, "{", 415),
        ("POST /mcp", JSON, r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, 415),
        ("POST /mcp", JSON, long.as_str(), 413),
        (
            "POST /mcp",
            "content-type: text/plain\r\naccept: application/json, text/event-stream\r\n",
            "{}",
            415,
        ),
        ("POST /mcp", "content-type: application/json\r\n", "{}", 406),
        ("GET /", "", "", 404),
        ("GET /mcp/../etc", "", "", 404),
        ("PUT /mcp", JSON, "{}", 405),
    ];
    for (first, headers, body, expected) in table {
        let (status, _, said) = served.send(first, headers, body).await;
        assert_eq!(status, expected, "{first} {headers} {}: {said}", body.len());
    }
}

#[tokio::test]
async fn a_session_is_the_lesson_s_session() {
    let served = Served::new().await;
    let (first, second) = (served.begin().await, served.begin().await);
    for session in [&first, &first, &second] {
        let headers = format!("{JSON}mcp-session-id: {session}\r\n");
        let (status, _, body) = served.send("POST /mcp", &headers, &teach()).await;
        assert_eq!(status, 200, "{body}");
        assert!(body.contains("the lesson is kept"), "{body}");
    }
    let sessions: Vec<_> = served.desk.taught().into_iter().map(|taught| taught.session.unwrap()).collect();
    assert_eq!(sessions, [first.clone(), first, second]);
    assert_eq!(served.desk.taught()[0].author.as_deref(), Some("curl"));
}

#[tokio::test]
async fn a_session_ends_when_it_is_deleted() {
    let served = Served::new().await;
    let headers = format!("{JSON}mcp-session-id: {}\r\n", served.begin().await);
    assert_eq!(served.send("DELETE /mcp", &headers, "").await.0, 204);
    assert_eq!(served.send("POST /mcp", &headers, &teach()).await.0, 404);
    let made_up = format!("{JSON}mcp-session-id: made-up\r\n");
    assert_eq!(served.send("POST /mcp", &made_up, &teach()).await.0, 404);
    assert!(served.desk.taught().is_empty());
}

#[tokio::test]
async fn the_stop_signal_ends_open_streams_too() {
    let served = Served::new().await;
    let session = served.begin().await;
    let mut stream = TcpStream::connect(served.at).await.unwrap();
    let listen = format!(
        "GET /mcp HTTP/1.1\r\nhost: {}\r\naccept: text/event-stream\r\nmcp-session-id: {session}\r\n\r\n",
        served.at
    );
    stream.write_all(listen.as_bytes()).await.unwrap();
    let mut start = [0; 15];
    stream.read_exact(&mut start).await.unwrap();
    assert_eq!(&start, b"HTTP/1.1 200 OK");
    served.stop.stop();
    assert!(timeout(PATIENCE, served.serving).await.expect("it ends").unwrap().is_ok());
}

#[tokio::test]
async fn a_subscriber_hears_over_its_stream() {
    let served = Served::new().await;
    let session = served.begin().await;
    let headers = format!("{JSON}mcp-session-id: {session}\r\n");
    let initialized = json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string();
    assert_eq!(served.send("POST /mcp", &headers, &initialized).await.0, 202);
    let subscribe = json!({"uri": "mentci://digest"});
    let subscribe = json!({"jsonrpc": "2.0", "id": 3, "method": "resources/subscribe", "params": subscribe});
    assert_eq!(served.send("POST /mcp", &headers, &subscribe.to_string()).await.0, 200);
    let mut stream = TcpStream::connect(served.at).await.unwrap();
    let listen = format!("GET /mcp HTTP/1.1\r\nhost: {}\r\n{headers}\r\n", served.at);
    stream.write_all(listen.as_bytes()).await.unwrap();
    let mut start = [0; 15];
    stream.read_exact(&mut start).await.unwrap();
    served.desk.publish("# Absolute Rules\n");
    let heard = async {
        let (mut heard, mut part) = (String::new(), [0; 4096]);
        while !heard.contains("notifications/resources/updated") {
            let read = stream.read(&mut part).await.unwrap();
            assert_ne!(read, 0, "{heard}");
            heard += &String::from_utf8_lossy(&part[..read]);
        }
        heard
    };
    let heard = timeout(PATIENCE, heard).await.expect("it is told");
    assert!(heard.contains("mentci://digest"), "{heard}");
}

#[tokio::test]
async fn addresses_that_others_could_reach_are_refused() {
    for addr in ["0.0.0.0:0", "192.0.2.1:7341", "[::]:0", "[2001:db8::1]:0", "[::ffff:192.0.2.1]:0"] {
        let refused = bind(addr.parse().unwrap()).await;
        assert!(matches!(refused, Err(ServeError::NotLoopback(_))), "{addr}: {refused:?}");
    }
    let error = bind("0.0.0.0:7341".parse().unwrap()).await.unwrap_err();
    assert_snapshot!(format!("{error}\nhelp: {}", error.help()), @r"
    `0.0.0.0:7341` can be reached from other machines, and this server has no access tokens
    help: listen on `127.0.0.1:0` or `[::1]:0`, and reach it from elsewhere through a tunnel
    ");
    let taken = bind("127.0.0.1:0".parse().unwrap()).await.unwrap();
    let again = bind(taken.local_addr().unwrap()).await.unwrap_err();
    assert!(matches!(again, ServeError::Bind { .. }), "{again}");
    assert_eq!(again.help(), "name another port, or port 0 for any free one");
}
