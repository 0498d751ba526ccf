//! The gateway as clients start it: real processes on both sides, over pipes and over HTTP.

#![expect(clippy::disallowed_methods, reason = "these stories start processes")]

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use mentci_tests::{Scratch, Served, engine};
use serde_json::{Value, json};

const PATIENCE: Duration = Duration::from_mins(1);

const LAW: (&str, &str) = (".pi/skills/house/SKILL.md", "# House\n\n- Never paint the door red.\n");

const RULES: (&str, &str) = (
    ".pi/rules/own.yaml",
    r#"
shield_name: own
rules:
  - id: no-lessons
    when: { tool: "mcp__*__update_skill_heuristics" }
    then: block
    message: "lessons are taught by people here"
  - id: bare
    when: { tool: get_absolute_rules }
    then: block
    message: "this is about no server's tool"
"#,
);

/// A client of a gateway.
struct Client {
    child: Child,
    to: Option<ChildStdin>,
    from: Receiver<Value>,
    /// What the server asked and told beside its answers.
    heard: Vec<Value>,
    last: u64,
}

impl Client {
    /// Starts `policy-engine mcp gateway` in a workspace, and says hello.
    fn start(workspace: &Scratch, arguments: &[&str]) -> Self {
        let mut command = workspace.engine();
        command.args(["mcp", "gateway", "--name", "up"]).args(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the gateway starts");
        let (to, out) = (child.stdin.take(), child.stdout.take().expect("it is piped"));
        let (said, from) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(out).lines().map_while(Result::ok) {
                let _ = said.send(serde_json::from_str(&line).expect("each line is a message"));
            }
        });
        let mut client = Self { child, to, from, heard: Vec::new(), last: 0 };
        let who = json!({"name": "story", "version": "1"});
        let can = json!({"sampling": {}, "elicitation": {}, "roots": {"listChanged": true}});
        let hello = json!({"protocolVersion": "2025-06-18", "capabilities": can, "clientInfo": who});
        let welcome = client.ask("initialize", &hello);
        assert!(welcome["result"]["serverInfo"].is_object(), "{welcome}");
        client.tell(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        client
    }

    fn tell(&mut self, message: &Value) {
        // A gateway that ended reads no more.
        let _ = self.to.as_mut().map(|to| writeln!(to, "{message}").and_then(|()| to.flush()));
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.last += 1;
        self.tell(&json!({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}));
        loop {
            let message = self.from.recv_timeout(PATIENCE).expect("it answers");
            match message["method"].as_str() {
                None if message["id"] == self.last => return message,
                None => {}
                Some(asked) => {
                    if let Some(result) = Self::answer(asked) {
                        self.tell(&json!({"jsonrpc": "2.0", "id": message["id"], "result": result}));
                    }
                    self.heard.push(message);
                }
            }
        }
    }

    /// What this client answers where a server asks.
    fn answer(asked: &str) -> Option<Value> {
        Some(match asked {
            "sampling/createMessage" => {
                json!({"role": "assistant", "content": {"type": "text", "text": "said by the client"}, "model": "none"})
            }
            "elicitation/create" => json!({"action": "decline"}),
            "roots/list" => json!({"roots": [{"uri": "file:///story", "name": "the story's root"}]}),
            _ => return None,
        })
    }

    #[cfg(feature = "clients")]
    fn has_heard(&self, method: &str) -> bool {
        self.heard.iter().any(|message| message["method"] == method)
    }

    /// What a call answers: whether it failed, and its text.
    fn call(&mut self, tool: &str, arguments: &Value) -> (bool, String) {
        let answer = self.ask("tools/call", &json!({"name": tool, "arguments": arguments}));
        let text = answer["result"]["content"][0]["text"].as_str().unwrap_or_default().to_owned();
        assert!(answer["result"].is_object(), "{answer}");
        (answer["result"]["isError"] == true, text)
    }

    /// Says no more, and waits for the gateway's end.
    fn leave(&mut self) {
        self.to = None;
        let begun = Instant::now();
        while self.child.try_wait().expect("it can be waited for").is_none() {
            assert!(begun.elapsed() < PATIENCE, "the gateway ends when its client leaves");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // OK to ignore: it may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What is told of every server, however it is reached.
fn is_guarded(mut client: Client) {
    let listed = client.ask("tools/list", &json!({}));
    let names: Vec<&str> = listed["result"]["tools"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|tool| tool["name"].as_str())
        .collect();
    assert!(names.contains(&"update_skill_heuristics"), "{names:?}");
    let lesson = json!({"skill_name": "house", "condition": "it rains", "resolution": "close the windows"});
    let (failed, text) = client.call("update_skill_heuristics", &lesson);
    assert!(failed && text.contains("lessons are taught by people here"), "{text}");
    let (failed, text) = client.call("get_absolute_rules", &json!({}));
    assert!(!failed && text.contains("door red"), "{text}");
    let read = client.ask("resources/read", &json!({"uri": "mentci://digest"}));
    assert!(
        read["result"]["contents"][0]["text"].as_str().unwrap_or_default().contains("door red"),
        "{read}"
    );
    client.leave();
}

#[test]
fn a_server_on_a_pipe_is_guarded() {
    let (workspace, behind) = (Scratch::new(&[RULES]), Scratch::new(&[LAW]));
    let (program, root) = (engine().display().to_string(), behind.root().display().to_string());
    is_guarded(Client::start(&workspace, &["--", &program, "mcp", "--root", &root]));
    let runtime = behind.path(".pi/skills/house/runtime.edn");
    assert!(!runtime.exists(), "the server never heard of it");
    // The call that was denied, and the one that ran with its answer.
    let log = workspace.must(&["session", "list", "--json"]);
    assert!(log.contains("\"events\": 3"), "{log}");
}

#[test]
fn a_server_over_http_is_guarded() {
    let (workspace, behind) = (Scratch::new(&[RULES]), Scratch::new(&[LAW]));
    let served = Served::new(&behind);
    is_guarded(Client::start(&workspace, &["--url", served.url()]));
    assert!(!behind.path(".pi/skills/house/runtime.edn").exists(), "the server never heard of it");
}

/// A server that greets, and then does this when a tool is called.
fn script(deed: &str) -> String {
    let hello = json!({"jsonrpc": "2.0", "id": 1, "result": {
        "protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "odd", "version": "1"},
    }});
    format!(
        "while read -r line; do case \"$line\" in *'\"initialize\"'*) echo '{hello}';; *'\"tools/call\"'*) {deed};; esac; done"
    )
}

#[test]
fn a_server_that_dies_ends_the_call_that_waits_and_the_gateway() {
    let workspace = Scratch::new(&[]);
    let mut client = Client::start(&workspace, &["--", "sh", "-c", &script("exit 3")]);
    let (failed, text) = client.call("anything", &json!({}));
    assert!(
        failed && text.contains("`anything` gave no answer: the server ended before it answered"),
        "{text}"
    );
    client.leave();
    assert_eq!(client.child.wait().unwrap().code(), Some(2), "the client sees that its server is gone");
}

#[test]
fn a_server_that_ends_before_it_answered_fails_a_client_that_has_said_all() {
    let workspace = Scratch::new(&[]);
    let mut engine = workspace.engine();
    engine.args(["mcp", "gateway", "--", "sh", "-c", "read line; exit 0"]);
    let pipes = engine.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = pipes.spawn().expect("it starts");
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"},
    }});
    let mut stdin = child.stdin.take().expect("it is piped");
    writeln!(stdin, "{hello}").expect("it reads");
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("the server ended before it answered"), "{said}");
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_call_that_takes_too_long_is_ended() {
    let workspace = Scratch::new(&[]);
    let silent = script("true");
    let mut client = Client::start(&workspace, &["--timeout", "1", "--", "sh", "-c", &silent]);
    let (failed, text) = client.call("anything", &json!({}));
    assert!(failed && text.contains("gave no sign for 1000 ms"), "{text}");
}

#[test]
fn what_a_stubborn_server_started_ends_with_it() {
    let workspace = Scratch::new(&[]);
    let (server, child) = (workspace.path("server.pid"), workspace.path("child.pid"));
    let stubborn = format!(
        "trap '' TERM HUP; echo $$ > {}; sleep 600 & echo $! > {}; {}; while :; do sleep 1; done",
        server.display(),
        child.display(),
        script("true")
    );
    let mut client = Client::start(&workspace, &["--", "sh", "-c", &stubborn]);
    client.leave();
    for file in [&server, &child] {
        let begun = Instant::now();
        while runs(file) {
            assert!(begun.elapsed() < PATIENCE, "{} still runs", file.display());
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// Whether the process of which a file tells the id runs; one that nobody has waited for yet does not.
fn runs(file: &Path) -> bool {
    let id = std::fs::read_to_string(file).expect("the server wrote it");
    let told = std::fs::read_to_string(format!("/proc/{}/stat", id.trim()));
    told.is_ok_and(|told| !told.rsplit(") ").next().unwrap_or_default().starts_with('Z'))
}

/// The reference server behind the gateway: everything that is no call of a tool goes through as it is, both ways.
#[cfg(feature = "clients")]
#[test]
fn the_reference_server_can_do_behind_the_gateway_what_it_can_without() {
    use mentci_tests::clients;

    let rules = "shield_name: own\nrules:\n- {id: no-env, when: {tool: mcp__up__get-env}, then: block, message: not here}\n";
    let workspace = Scratch::new(&[(".pi/rules/own.yaml", rules)]);
    let (node, server) = (clients::node().display().to_string(), clients::everything().display().to_string());
    let mut client = Client::start(&workspace, &["--", &node, &server, "stdio"]);
    let listed = client.ask("tools/list", &json!({}))["result"]["tools"].to_string();
    assert!(
        listed.contains("trigger-sampling-request") && listed.contains("mentci_get_artifact"),
        "{listed}"
    );

    assert_eq!(client.call("echo", &json!({"message": "hello"})), (false, "Echo: hello".to_owned()));
    let (failed, text) = client.call("get-env", &json!({}));
    assert!(failed && text.contains("not here"), "{text}");
    let (failed, text) = client.call("trigger-sampling-request", &json!({"prompt": "p", "maxTokens": 10}));
    assert!(!failed && text.contains("said by the client"), "{text}");
    let (failed, text) = client.call("get-roots-list", &json!({}));
    assert!(!failed && text.contains("file:///story"), "{text}");
    let (failed, text) = client.call("trigger-elicitation-request", &json!({}));
    assert!(!failed && client.has_heard("elicitation/create"), "{text}");

    let long = json!({"name": "trigger-long-running-operation", "arguments": {"duration": 1, "steps": 2}, "_meta": {"progressToken": "t"}});
    assert_eq!(client.ask("tools/call", &long)["result"]["isError"], Value::Null);
    assert!(client.has_heard("notifications/progress"), "{:?}", client.heard);

    // A call that is given up: the next one does not wait for it, and the log has its end.
    client.last += 1;
    let endless =
        json!({"name": "trigger-long-running-operation", "arguments": {"duration": 600, "steps": 2}});
    client.tell(&json!({"jsonrpc": "2.0", "id": client.last, "method": "tools/call", "params": endless}));
    client.tell(
        &json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": client.last}}),
    );
    assert_eq!(client.call("echo", &json!({"message": "on"})), (false, "Echo: on".to_owned()));
    let read = client.ask("resources/list", &json!({}));
    assert!(read["result"]["resources"].as_array().is_some_and(|all| !all.is_empty()), "{read}");
    client.leave();
}
