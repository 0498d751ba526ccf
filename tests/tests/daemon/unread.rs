//! A request that is refused before its body came: the connection goes on, or the answer says that it does not.

use std::io::{BufReader, Write};
use std::time::Duration;

use mentci_tests::{House, Reply, read_reply};
use serde_json::json;

use super::{call, house, token};

/// A request in two writes, as many clients send it.
struct Sent<'s> {
    path: &'s str,
    lines: String,
    body: Vec<u8>,
}

impl Sent<'_> {
    fn head(&self, house: &House) -> String {
        format!(
            "POST {} HTTP/1.1\r\nHost: {}\r\n{}Content-Length: {}\r\n\r\n",
            self.path,
            house.addr(),
            self.lines,
            self.body.len()
        )
    }
}

/// What is answered to each, one after another on one connection; it ends where an answer says so.
fn on_one_connection(house: &House, all: &[&Sent<'_>]) -> Vec<Reply> {
    let mut stream = house.connect();
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut replies = Vec::new();
    for sent in all {
        stream.write_all(sent.head(house).as_bytes()).expect("the connection goes on");
        std::thread::sleep(Duration::from_millis(20));
        // Of a connection that ends the rest is nobody's.
        let _ = stream.write_all(&sent.body);
        let reply = read_reply(&mut reader).expect("an answer");
        let ends = reply.header("connection") == Some("close");
        replies.push(reply);
        if ends {
            return replies;
        }
    }
    replies
}

#[test]
fn a_refusal_keeps_the_connection_for_the_next_request() {
    let workspace = house();
    let agent = token(&workspace, "ci", "agent");
    let house = House::new(&workspace);
    let known = format!("Authorization: Bearer {agent}\r\n");
    let json = "Content-Type: application/json\r\n";
    let check = || json!({"tool_name": "read", "args": {}}).to_string().into_bytes();
    let permitted = Sent { path: "/api/v1/check", lines: format!("{known}{json}"), body: check() };
    let kill = || json!({"reason": "t"}).to_string().into_bytes();
    for (what, status, refused) in [
        ("nobody", 401, Sent { path: "/api/v1/kill", lines: json.to_owned(), body: kill() }),
        ("an agent", 403, Sent { path: "/api/v1/kill", lines: format!("{known}{json}"), body: kill() }),
        ("nowhere", 404, Sent { path: "/api/v1/nope", lines: format!("{known}{json}"), body: kill() }),
        ("not taken", 405, Sent { path: "/api/v1/health", lines: format!("{known}{json}"), body: kill() }),
        (
            "no JSON",
            415,
            Sent {
                path: "/api/v1/decide",
                lines: format!("{known}Content-Type: text/plain\r\n"),
                body: call("s1", "read", &json!({})).to_string().into_bytes(),
            },
        ),
        (
            "somewhat too large",
            413,
            Sent { path: "/api/v1/decide", lines: format!("{known}{json}"), body: vec![b' '; 9 << 20] },
        ),
        (
            "another page",
            403,
            Sent {
                path: "/api/v1/decide",
                lines: format!("{known}{json}Origin: http://evil.example\r\n"),
                body: kill(),
            },
        ),
        ("a check of nobody", 200, Sent { path: "/api/v1/check", lines: json.to_owned(), body: check() }),
        (
            "a check that is no JSON",
            200,
            Sent {
                path: "/api/v1/check",
                lines: format!("{known}Content-Type: text/plain\r\n"),
                body: check(),
            },
        ),
    ] {
        let replies = on_one_connection(&house, &[&refused, &permitted, &refused, &permitted]);
        let statuses: Vec<u16> = replies.iter().map(|reply| reply.status).collect();
        assert_eq!(statuses, [status, 200, status, 200], "{what}");
        assert_eq!(replies[1].json()["verdict"], "ALLOW", "{what}");
        if status == 200 {
            assert_eq!(replies[2].json()["verdict"], "BLOCK", "{what}");
        }
    }
}

#[test]
fn a_connection_that_ends_after_a_refusal_says_so() {
    let workspace = house();
    token(&workspace, "ci", "agent");
    let house = House::new(&workspace);
    for (what, lines, body) in [
        ("a body that does not come", "Content-Length: 100\r\n", ""),
        ("a body without end", "Content-Length: 99000000000\r\n", ""),
        ("a body that waits to be asked for", "Expect: 100-continue\r\nContent-Length: 100\r\n", ""),
        ("a body that cannot be read", "Transfer-Encoding: chunked\r\n", "zz\r\n"),
    ] {
        let mut stream = house.connect();
        let host = house.addr();
        write!(stream, "POST /api/v1/kill HTTP/1.1\r\nHost: {host}\r\n{lines}\r\n{body}").unwrap();
        let reply = read_reply(&mut BufReader::new(stream)).expect("an answer");
        assert_eq!((reply.status, reply.header("connection")), (401, Some("close")), "{what}");
    }
}
