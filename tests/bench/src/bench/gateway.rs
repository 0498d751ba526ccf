//! What the gateway adds to a call of a tool: round trips to a small MCP server over its standard streams, straight and
//! through `policy-engine mcp gateway`.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use super::policy_rules::{Shape, yaml};
use super::{Rows, told};
use crate::options::Options;
use crate::rounds::{Step, in_turn, time};
use crate::table::{Row, Target, Unit};

const COUNT: usize = 100;

pub(super) fn bench(options: &Options) -> Rows {
    let root = options.data.join("gateway");
    let _ = fs::remove_dir_all(&root);
    fs::create_dir_all(root.join(".pi/rules")).map_err(told)?;
    fs::write(root.join(".pi/rules/bench.yaml"), yaml(Shape::OwnTool, COUNT)).map_err(told)?;
    let own = std::env::current_exe().map_err(told)?;
    let mut straight = Client::start(Command::new(&own).args(["inner", "mcp-server"]))?;
    let mut guarded = Client::start(&mut through(&options.engine, &root, &own))?;
    let (one, other): (Step<'_>, Step<'_>) = (Box::new(|| straight.call()), Box::new(|| guarded.call()));
    let samples = in_turn(options.amount(2_001, 101), vec![one, other])?;
    let added = |percent| samples[1].percentile(percent) - samples[0].percentile(percent);
    let row = |what: &str, percent, target| {
        let what = format!("what the gateway adds to a call, {COUNT} own rules, remembered{what}");
        Row::beside(
            &what,
            Unit::Seconds,
            added(percent),
            ("the call itself", samples[0].percentile(percent)),
            target,
        )
    };
    Ok(vec![row("", 50, Target::Below(0.3e-3)), row(", the slowest of a hundred", 99, Target::Told)])
}

fn through(engine: &Path, root: &Path, own: &Path) -> Command {
    let mut command = Command::new(engine);
    command.args(["mcp", "gateway", "--root"]).arg(root).arg("--").arg(own).args(["inner", "mcp-server"]);
    command.env("XDG_STATE_HOME", root.join("state")).env("XDG_CONFIG_HOME", root.join("config"));
    command
}

/// Who calls the tool.
struct Client {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    last: u64,
}

impl Client {
    fn start(command: &mut Command) -> Result<Self, String> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(told)?;
        let (to, from) = (child.stdin.take(), child.stdout.take());
        let (Some(to), Some(from)) = (to, from) else { return Err("the server has no streams".to_owned()) };
        let mut client = Self { child, to, from: BufReader::new(from), last: 0 };
        let who = json!({"name": "bench", "version": "1"});
        client.ask(
            "initialize",
            &json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": who}),
        )?;
        writeln!(client.to, "{}", json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))
            .map_err(told)?;
        client.ask("tools/list", &json!({}))?;
        Ok(client)
    }

    fn call(&mut self) -> Result<f64, String> {
        let mut answered = Err(String::new());
        let seconds = time(|| {
            answered =
                self.ask("tools/call", &json!({"name": "echo", "arguments": {"text": "how far is it"}}));
        });
        let answer = answered?;
        if answer["result"]["content"][0]["text"] != "how far is it" {
            return Err(format!("the tool answers otherwise: {answer}"));
        }
        Ok(seconds)
    }

    fn ask(&mut self, method: &str, params: &Value) -> Result<Value, String> {
        self.last += 1;
        let asked = json!({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params});
        writeln!(self.to, "{asked}").and_then(|()| self.to.flush()).map_err(told)?;
        loop {
            let mut line = String::new();
            if self.from.read_line(&mut line).map_err(told)? == 0 {
                return Err("the server ended".to_owned());
            }
            let said: Value = serde_json::from_str(&line).map_err(|error| error.to_string())?;
            if said["id"] == self.last {
                return Ok(said);
            }
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A server with one tool, which says what it is told.
pub(crate) fn server() -> Result<(), String> {
    for line in std::io::stdin().lock().lines() {
        let asked: Value = serde_json::from_str(&line.map_err(told)?).map_err(|error| error.to_string())?;
        let result = match asked["method"].as_str() {
            Some("initialize") => json!({
                "protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
                "serverInfo": {"name": "echo", "version": "1"},
            }),
            Some("tools/list") => json!({"tools": [{"name": "echo", "inputSchema": {"type": "object"}}]}),
            Some("tools/call") => {
                json!({"content": [{"type": "text", "text": asked["params"]["arguments"]["text"]}]})
            }
            _ => continue,
        };
        let answer = json!({"jsonrpc": "2.0", "id": asked["id"], "result": result});
        let mut out = std::io::stdout().lock();
        writeln!(out, "{answer}").and_then(|()| out.flush()).map_err(told)?;
    }
    Ok(())
}
