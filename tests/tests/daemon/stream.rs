//! The live stream.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use mentci_tests::House;
use serde_json::{Value, json};

use super::{call, house, token};

struct Reader(BufReader<TcpStream>);

impl Reader {
    fn new(house: &House, token: &str, more: &str) -> Self {
        Self::open(house, &format!("Authorization: Bearer {token}\r\n{more}"))
    }

    fn open(house: &House, lines: &str) -> Self {
        let mut stream = house.connect();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        let request = format!(
            "GET /api/v1/stream HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{lines}\r\n",
            house.addr()
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut reader = BufReader::new(stream);
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        assert_eq!(line, "HTTP/1.1 200 OK\r\n");
        Self(reader)
    }

    /// The data of the next event of a name; none when the stream ends, or has only said for a minute that it is still there.
    fn next(&mut self, name: &str) -> Option<Value> {
        let wanted = format!("event: {name}");
        let mut is_it = false;
        let until = Instant::now() + Duration::from_mins(1);
        while Instant::now() < until {
            let mut line = String::new();
            if self.0.read_line(&mut line).ok()? == 0 {
                return None;
            }
            let line = line.trim_end();
            if line == wanted {
                is_it = true;
            }
            if let (true, Some(data)) = (is_it, line.strip_prefix("data: ")) {
                return serde_json::from_str(data).ok();
            }
        }
        None
    }
}

#[test]
fn what_happens_is_told_whoever_does_it() {
    let workspace = house();
    let operator = token(&workspace, "ada", "operator");
    let house = House::new(&workspace);
    let mut reader = Reader::new(&house, &operator, "");
    let decide = |tool: &str| {
        house.ask(
            "POST",
            "/api/v1/decide",
            Some(&operator),
            Some(&call("s1", tool, &json!({"query": "drop table a"}))),
        )
    };
    // The first line after the stream's answer, however soon it is written.
    decide("sql");
    let told = reader.next("event").unwrap();
    assert_eq!((told["tool"].as_str(), told["decision"].as_str()), (Some("sql"), Some("block")));
    assert_eq!(told["rules"], json!(["house/no-drop"]));
    // Another process decides: its line is told too.
    workspace.write("event.json", &call("s2", "other", &json!({})).to_string());
    workspace.must(&["decide", "event.json"]);
    let told = reader.next("event").unwrap();
    assert_eq!((told["session"].as_str(), told["tool"].as_str()), (Some("s2"), Some("other")));
    // Who comes back goes on after what it saw.
    let seen = told["seq"].as_u64().unwrap() - 1;
    let mut again = Reader::new(&house, &operator, &format!("Last-Event-ID: {seen}\r\n"));
    assert_eq!(again.next("event").unwrap()["tool"], "other");
}

#[test]
fn the_law_that_moves_is_told() {
    let workspace = house();
    let operator = token(&workspace, "ada", "operator");
    let house = House::new(&workspace);
    let mut reader = Reader::new(&house, &operator, "");
    workspace.write(
        ".pi/skills/house/SKILL.md",
        "---\nname: house\ndescription: d\n---\n# House\n\n- You MUST NOT push on Fridays.\n",
    );
    while reader.next("watched").expect("the watcher tells of it")["changed"] == 0 {}
    let digest = house.ask("GET", "/api/v1/digest", Some(&operator), None).json();
    assert!(digest["text"].as_str().unwrap().contains("Fridays"), "{digest}");
}

#[test]
fn a_stop_ends_streams_in_good_order() {
    let workspace = house();
    let operator = token(&workspace, "ada", "operator");
    let mut house = House::new(&workspace);
    let mut reader = Reader::new(&house, &operator, "");
    assert!(house.stop());
    assert_eq!(reader.next("event"), None);
}

/// Whoever listens by a right that is taken back hears no more, without anything having to happen.
#[test]
fn a_stream_ends_with_the_token_that_it_began_with() {
    let workspace = house();
    let (operator, other) = (token(&workspace, "ada", "operator"), token(&workspace, "eve", "operator"));
    let house = House::new(&workspace);
    let form = format!("token={other}");
    let head = format!(
        "POST /login HTTP/1.1\r\nHost: {addr}\r\nOrigin: http://{addr}\r\nContent-Type: application/x-www-form-urlencoded\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n{form}",
        form.len(),
        addr = house.addr()
    );
    let login = house.raw(head.as_bytes());
    let cookie = login.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    let mut by_token = Reader::new(&house, &other, "");
    let mut by_cookie = Reader::open(&house, &format!("Cookie: {cookie}\r\n"));
    let mut stays = Reader::new(&house, &operator, "");
    workspace.must(&["token", "revoke", "eve"]);
    assert_eq!((by_token.next("none"), by_cookie.next("none")), (None, None));
    house.ask("POST", "/api/v1/decide", Some(&operator), Some(&call("s1", "other", &json!({}))));
    assert!(stays.next("event").is_some());
}

#[test]
fn who_saw_lines_of_a_log_that_is_gone_begins_at_the_present() {
    let workspace = house();
    let operator = token(&workspace, "ada", "operator");
    let house = House::new(&workspace);
    let decide =
        || house.ask("POST", "/api/v1/decide", Some(&operator), Some(&call("s1", "other", &json!({}))));
    decide();
    let last = house.ask("GET", "/api/v1/events?limit=0", Some(&operator), None).json()["last"].clone();
    for seen in ["1000", "9223372036854775807", "18446744073709551615"] {
        let mut reader = Reader::new(&house, &operator, &format!("Last-Event-ID: {seen}\r\n"));
        assert_eq!(reader.next("reset"), Some(json!({"last": last})), "{seen}");
    }
    let mut reader = Reader::new(&house, &operator, "Last-Event-ID: 1000\r\n");
    reader.next("reset");
    decide();
    assert_eq!(reader.next("event").unwrap()["tool"], "other");
}
