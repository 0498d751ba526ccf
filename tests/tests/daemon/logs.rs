//! What the daemon writes of requests.

use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::sync::mpsc::channel;
use std::time::Duration;

use mentci_tests::Scratch;
use serde_json::Value;

use super::{house, token};

/// Starts the daemon with these arguments and asks with `curl`-like bytes; the lines on standard error about requests.
fn lines(workspace: &Scratch, format: &str, asked: &[String]) -> Vec<String> {
    use std::io::{Read, Write};
    let mut command = workspace.engine();
    command.args(["serve", "--port", "0", "--json", "--log-format", format]);
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (sender, receiver) = channel();
    let errors = BufReader::new(child.stderr.take().unwrap());
    std::thread::spawn(move || errors.lines().map_while(Result::ok).for_each(|line| drop(sender.send(line))));
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let addr = serde_json::from_str::<Value>(&line).unwrap()["listening"].as_str().unwrap().to_owned();
    for request in asked {
        let mut stream = std::net::TcpStream::connect(&addr).unwrap();
        stream.write_all(request.replace("ADDR", &addr).as_bytes()).unwrap();
        stream.read_to_end(&mut Vec::new()).unwrap();
    }
    let mut told = Vec::new();
    while told.len() < asked.len() {
        let line = receiver.recv_timeout(Duration::from_mins(1)).expect("a line a request");
        told.extend(Some(line).filter(|line| line.contains("answered")));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    told
}

fn requests(secret: &str) -> Vec<String> {
    let body = r#"{"event":"pre_tool_call","session":"private","tool":{"name":"sql","args":{"query":"drop table hunter2"}}}"#;
    let post = |more: &str| {
        format!(
            "POST /api/v1/decide HTTP/1.1\r\nHost: ADDR\r\n{more}Content-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        )
    };
    vec![
        post(&format!("Authorization: Bearer {secret}\r\nX-Request-Id: mine-1\r\n")),
        post(&format!(
            "Authorization: Bearer {secret}\r\nX-Request-Id: mine-2\r\nX-Idempotency-Key: hunter2-key\r\n"
        )),
        format!(
            "GET /login/hunter2?hunter2=hunter2 HTTP/1.1\r\nHost: ADDR\r\nX-Request-Id: mine-3\r\nConnection: close\r\n\r\n"
        ),
        post("Authorization: Bearer hunter2\r\nX-Request-Id: hunter2 has spaces\r\n"),
    ]
}

#[test]
fn a_request_is_one_object_with_its_verdict_and_no_secret() {
    let workspace = house();
    let secret = token(&workspace, "ci", "agent");
    let told = lines(&workspace, "json", &requests(&secret));
    for line in &told {
        assert!(!line.contains("hunter2") && !line.contains(&secret) && !line.contains("private"), "{line}");
    }
    let rows: Vec<Value> = told.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    let short: Vec<String> = rows
        .iter()
        .map(|row| {
            assert!(
                row["micros"].is_u64() && row["timestamp"].is_string() && row["level"] == "INFO",
                "{row}"
            );
            let id = row["id"].as_str().unwrap();
            let id = if id.starts_with("mine-") { id } else { "(ours)" };
            let verdict = row["verdict"].as_str().unwrap_or("-");
            format!("{id} {} {} {} {verdict}", row["method"], row["route"], row["status"])
        })
        .collect();
    insta::assert_snapshot!(short.join("\n"), @r#"
    mine-1 "POST" "/api/v1/decide" 200 block
    mine-2 "POST" "/api/v1/decide" 200 block
    mine-3 "GET" "/login/{link}" 403 -
    (ours) "POST" "/api/v1/decide" 401 -
    "#);
}

#[test]
fn as_text_the_same_is_said() {
    let workspace = house();
    let secret = token(&workspace, "ci", "agent");
    let told = lines(&workspace, "text", &requests(&secret)[..1]);
    assert!(
        told[0].contains("route=\"/api/v1/decide\"") && told[0].contains("verdict=\"block\""),
        "{}",
        told[0]
    );
    assert!(!told[0].contains("hunter2") && !told[0].contains(&secret), "{}", told[0]);
}
