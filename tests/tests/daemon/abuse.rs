//! Twelve ways to abuse HTTP. Each is answered clearly or cut off, and decisions go on.

use std::io::{BufReader, Write};
use std::time::Duration;

use mentci_tests::{House, read_reply};
use serde_json::{Value, json};

use super::{call, house, token};

/// A POST with this body, as it is.
fn post(path: &str, host: &str, lines: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "POST {path} HTTP/1.1\r\nHost: {host}\r\n{lines}Content-Type: application/json\r\nContent-Length: {length}\r\n\
         Connection: close\r\n\r\n{body}"
    )
}

fn still_decides(house: &House, after: &str) {
    let decided =
        house.ask("POST", "/api/v1/decide", None, Some(&call("s", "sql", &json!({"query": "drop table a"}))));
    assert_eq!((decided.status, decided.json()["decision"].as_str()), (200, Some("block")), "after {after}");
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn what_is_malformed_is_said_to_be() {
    let workspace = house();
    let house = House::new(&workspace);
    let host = house.addr().to_owned();
    let decide = |lines: &str, body: &str| post("/api/v1/decide", &host, lines, body);
    let deep = format!("{}1{}", "[".repeat(10_000), "]".repeat(10_000));
    let cases: Vec<(&str, String, u16)> = vec![
        ("no HTTP", "hello\r\n\r\n".to_owned(), 400),
        ("binary", "\x16\x03\x01\x02\r\n\r\n".to_owned(), 400),
        ("another version", format!("GET / HTTP/9.9\r\nHost: {host}\r\n\r\n"), 400),
        ("no host", "GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n".to_owned(), 403),
        (
            "two hosts",
            format!(
                "GET /healthz HTTP/1.1\r\nHost: {host}\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
            ),
            403,
        ),
        (
            "rebinding",
            "GET /healthz HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n".to_owned(),
            403,
        ),
        (
            "a rebound address",
            format!("GET http://evil.example/healthz HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"),
            403,
        ),
        ("cross-origin", decide("Origin: https://evil.example\r\n", "{}"), 403),
        ("cross-site", decide("Sec-Fetch-Site: cross-site\r\n", "{}"), 403),
        ("a body that is no JSON", decide("", "{\"event\":"), 400),
        ("wrong types", decide("", "{\"event\":\"pre_tool_call\",\"tool\":7}"), 422),
        (
            "a field that nothing reads",
            decide("", "{\"event\":\"pre_tool_call\",\"tool\":{\"name\":\"a\"},\"trusted\":true}"),
            422,
        ),
        (
            "arguments nested for ever",
            decide(
                "",
                &format!("{{\"event\":\"pre_tool_call\",\"tool\":{{\"name\":\"a\",\"args\":{deep}}}}}"),
            ),
            422,
        ),
        (
            "the same key twice",
            decide("", "{\"event\":\"pre_tool_call\",\"tool\":{\"name\":\"a\"},\"tool\":{\"name\":\"sql\"}}"),
            422,
        ),
        ("a number without end", decide("", "{\"event\":\"turn_start\",\"turn\":1e999}"), 422),
        ("a body in a coding", decide("Content-Encoding: gzip\r\n", "{}"), 415),
        ("another origin of this machine", decide("Origin: http://127.0.0.1:9\r\n", "{}"), 403),
        ("a page without an origin", decide("Origin: null\r\n", "{}"), 403),
        (
            "a name that begins as ours",
            "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1.evil.example\r\nConnection: close\r\n\r\n".to_owned(),
            403,
        ),
        (
            "chunks of a kind",
            format!(
                "POST /api/v1/decide HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: xchunked\r\n\r\n5\r\naaaaa\r\n0\r\n\r\n"
            ),
            400,
        ),
        (
            "a name with a space behind",
            format!("GET /healthz HTTP/1.1\r\nHost: {host}\r\nX : b\r\n\r\n"),
            400,
        ),
        ("a zero in a header", format!("GET /healthz HTTP/1.1\r\nHost: {host}\r\nX: a\0b\r\n\r\n"), 400),
        (
            "a method that echoes",
            format!("TRACE /healthz HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"),
            405,
        ),
        (
            "a way through to elsewhere",
            format!("CONNECT evil.example:443 HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"),
            403,
        ),
        ("a list of values", post("/api/v1/events", &host, "", "[[]]"), 422),
        (
            "an object as a list",
            post("/api/v1/events", &host, "", "{\"events\":[{\"event\":\"turn_end\",\"usage\":[1]}]}"),
            422,
        ),
        ("nested for ever", decide("", &deep), 422),
        (
            "another type of body",
            format!(
                "POST /api/v1/decide HTTP/1.1\r\nHost: {host}\r\nContent-Type: text/plain\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{{}}"
            ),
            415,
        ),
        (
            "a length that lies",
            format!("POST /api/v1/decide HTTP/1.1\r\nHost: {host}\r\nContent-Length: -5\r\n\r\n{{}}"),
            400,
        ),
        (
            "two lengths",
            format!(
                "POST /api/v1/decide HTTP/1.1\r\nHost: {host}\r\nContent-Length: 2\r\nContent-Length: 9\r\n\r\n{{}}"
            ),
            400,
        ),
        (
            "length and chunks",
            format!(
                "POST /api/v1/decide HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n2\r\n{{}}\r\n0\r\n\r\n"
            ),
            422,
        ),
        (
            "chunks that are none",
            format!(
                "POST /api/v1/decide HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\nzz\r\n"
            ),
            400,
        ),
        (
            "a header that goes on",
            format!("GET /healthz HTTP/1.1\r\nHost: {host}\r\nX: a\r\n b\r\nConnection: close\r\n\r\n"),
            400,
        ),
        (
            "a head without end",
            format!("GET /healthz HTTP/1.1\r\nHost: {host}\r\nX: {}\r\n\r\n", "a".repeat(200_000)),
            431,
        ),
        (
            "a thousand headers",
            format!("GET /healthz HTTP/1.1\r\nHost: {host}\r\n{}\r\n", "X: a\r\n".repeat(1_000)),
            431,
        ),
        (
            "an address without end",
            format!("GET /{} HTTP/1.1\r\nHost: {host}\r\n\r\n", "a".repeat(200_000)),
            431,
        ),
        (
            "out of the folder",
            format!(
                "GET /assets/../../../../etc/passwd HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
            ),
            404,
        ),
        (
            "out of it, written otherwise",
            format!(
                "GET /assets/%2e%2e%2f%2e%2e%2fetc%2fpasswd HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
            ),
            404,
        ),
        (
            "a path that is no text",
            format!("GET /api/v1/lessons/%ff HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"),
            403,
        ),
        (
            "another method",
            format!("BREW /api/v1/decide HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"),
            405,
        ),
        (
            "no route",
            format!("GET /api/v2/decide HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"),
            404,
        ),
    ];
    for (what, request, expected) in cases {
        let reply = house.try_raw(request.as_bytes());
        let status = reply.as_ref().map(|reply| reply.status);
        assert_eq!(status, Some(expected), "{what}: {reply:?}");
        let told = reply.as_ref().is_some_and(|reply| !reply.body.is_empty());
        if told && status != Some(200) {
            assert!(reply.is_some_and(|reply| reply.finding().starts_with('E')), "{what}: it has no finding");
        }
    }
    still_decides(&house, "all of it");
}

/// Half a character, as programs write where they cut a text, is no way round a rule: it is decided as U+FFFD, and told.
#[test]
fn half_a_character_is_decided_as_a_whole_one() {
    let workspace = house();
    let house = House::new(&workspace);
    for (name, query, decision) in [
        ("sql", "drop table \\ud800", "block"),
        ("sql", "select \\ud800", "allow"),
        ("\\ud800", "x", "allow"),
    ] {
        let body = format!(
            r#"{{"event":"pre_tool_call","session":"s","tool":{{"name":"{name}","args":{{"query":"{query}"}}}}}}"#
        );
        let reply = house.raw(post("/api/v1/decide", house.addr(), "", &body).as_bytes());
        let said = reply.json();
        assert_eq!((reply.status, said["decision"].as_str()), (200, Some(decision)), "{body}: {said}");
        assert!(said["findings"].to_string().contains("E0001"), "{body}: {said}");
    }
}

#[test]
fn what_is_too_large_is_not_read() {
    let workspace = house();
    let house = House::new(&workspace);
    let head = format!(
        "POST /api/v1/decide HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: 99000000000\r\n\r\n",
        house.addr()
    );
    let mut stream = house.connect();
    stream.write_all(head.as_bytes()).unwrap();
    let piece = vec![b' '; 1 << 20];
    // Cut off long before the end: what is written after that is nobody's.
    let written = (0..64).take_while(|_| stream.write_all(&piece).is_ok()).count();
    assert!(written < 64, "64 MiB were taken");
    still_decides(&house, "a body without end");
}

#[test]
fn the_slow_wait_alone() {
    let workspace = house();
    let house = House::new(&workspace);
    let mut slow: Vec<_> = (0..200).map(|_| house.connect()).collect();
    for stream in &mut slow {
        stream.write_all(b"POST /api/v1/decide HTTP/1.1\r\nHost: localhost\r\n").unwrap();
    }
    let mut stuck = house.connect();
    let head =
        format!("POST /api/v1/decide HTTP/1.1\r\nHost: {}\r\nContent-Length: 100\r\n\r\n{{", house.addr());
    stuck.write_all(head.as_bytes()).unwrap();
    still_decides(&house, "two hundred that say nothing");
    // The body that never comes is given up on.
    stuck.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
    let reply = read_reply(&mut BufReader::new(stuck)).expect("an answer");
    assert_eq!(
        (reply.status, reply.finding().as_str()),
        (408, "E1302 the body takes longer than 20 seconds")
    );
}

#[test]
fn a_flood_of_connections_does_not_drown_decisions() {
    let workspace = house();
    let house = House::new(&workspace);
    for round in 0..5 {
        let flood: Vec<_> = (0..150).map(|_| house.connect()).collect();
        still_decides(&house, &format!("flood {round}"));
        drop(flood);
    }
    still_decides(&house, "the floods");
}

#[test]
fn tokens_are_not_guessed() {
    let workspace = house();
    let operator = token(&workspace, "ada", "operator");
    let house = House::new(&workspace);
    let guess = |secret: &str| house.ask("GET", "/api/v1/sessions", Some(secret), None).status;
    let statuses: Vec<u16> = (0..30).map(|n| guess(&format!("mentci_operator_{n:064}"))).collect();
    assert_eq!(statuses[..20], [401; 20]);
    assert_eq!(statuses[25..], [429; 5]);
    // Whoever holds the token is not locked out by those who guess.
    assert_eq!(guess(&operator), 200);
}

#[test]
fn an_approval_is_good_for_one_call_and_cannot_be_forged() {
    let workspace = house();
    let house = House::new(&workspace);
    let deploy = call("s1", "deploy", &json!({"to": "prod"}));
    let decide = |event: &Value| house.ask("POST", "/api/v1/decide", None, Some(event)).json();
    let approval = decide(&deploy)["approval"].as_str().unwrap().to_owned();
    workspace.must(&["approvals", "grant", &approval]);
    // Not for another session, nor for other arguments.
    assert_eq!(decide(&call("s2", "deploy", &json!({"to": "prod"})))["decision"], "approve");
    assert_eq!(decide(&call("s1", "deploy", &json!({"to": "moon"})))["decision"], "approve");
    assert_eq!(decide(&deploy)["decision"], "allow");
    assert_eq!(decide(&deploy)["decision"], "approve");
    // A session is named, not owned: one that nobody knows is a new one.
    let forged = json!({"event": "pre_tool_call", "session": "../../s1", "tool": {"name": "deploy", "args": {"to": "prod"}}});
    assert_eq!(decide(&forged)["decision"], "approve");
}

#[test]
fn no_path_is_read_for_who_asks_over_http() {
    let workspace = house();
    let operator = token(&workspace, "ada", "operator");
    let house = House::new(&workspace);
    let ask = |method: &str, path: &str, body: Option<&Value>| house.ask(method, path, Some(&operator), body);
    assert_eq!(ask("GET", "/api/v1/sessions/%2Fetc%2Fpasswd", None).status, 404);
    assert_eq!(ask("GET", "/api/v1/sessions/..%2F..%2F..%2Fetc%2Fpasswd/export", None).status, 404);
    assert_eq!(ask("GET", "/api/v1/artifacts/%2Fetc%2Fpasswd", None).status, 404);
    for rules in ["/etc/passwd", "../secret.yaml", "a/../../b", ""] {
        let reply = ask("POST", "/api/v1/replay", Some(&json!({"events": "", "rules": [rules]})));
        assert_eq!(reply.status, 422, "{rules}: {reply:?}");
        assert!(reply.finding().contains("no path in this workspace"), "{reply:?}");
    }
}

/// A login is what the daemon gave out, and nothing that looks like it.
#[test]
fn a_login_is_not_forged() {
    let workspace = house();
    let house = House::new(&workspace);
    let link = house.login().split_once(house.addr()).unwrap().1.to_owned();
    let logged_in = house.ask("GET", &link, None, None);
    let cookie = logged_in.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    let (name, secret) = cookie.split_once('=').unwrap();
    let page = |cookie: &str| house.with_head("GET", "/rules", &format!("Cookie: {cookie}\r\n"), None).status;
    assert_eq!(page(&cookie), 200);
    let other = if secret.ends_with('0') { "1" } else { "0" };
    for forged in [
        format!("{name}="),
        format!("{name}={}", "0".repeat(secret.len())),
        format!("{name}={}{other}", &secret[..secret.len() - 1]),
        format!("{name}={}", &secret[..secret.len() - 1]),
        format!("{name}={secret}0"),
        format!("{name}=../../{secret}"),
        format!("other={secret}"),
    ] {
        assert_eq!(page(&forged), 303, "{forged}");
        let head = format!("Cookie: {forged}\r\nOrigin: http://{}\r\n", house.addr());
        assert_eq!(house.with_head("POST", "/stop", &head, None).status, 401, "{forged}");
    }
    // The link was good once.
    assert_eq!(house.ask("GET", &link, None, None).status, 403);
    assert_eq!(page(&cookie), 200);
    still_decides(&house, "forged logins");
}
