//! What each tool call of an agent costs: `policy-engine hook claude PreToolUse` in a workspace of 100 rules, beside static
//! programs that only answer, and that only remember.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use super::policy_rules::{Shape, yaml};
use super::{Rows, told};
use crate::child::run;
use crate::options::Options;
use crate::rounds::{Step, in_turn};
use crate::table::{Row, Target, Unit};

const COUNT: usize = 100;

/// What Claude Code says before it runs a command.
const CALL: &str = r#"{"session_id":"bench","transcript_path":"/tmp/t.jsonl","cwd":"/tmp","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"cargo test --workspace","description":"run the tests"},"tool_use_id":"toolu_01"}"#;
/// What it says after a tool answered.
const ANSWER: &str = r#"{"session_id":"bench","transcript_path":"/tmp/t.jsonl","cwd":"/tmp","permission_mode":"default","hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"cargo test --workspace"},"tool_response":{"stdout":"ok","stderr":"","interrupted":false},"tool_use_id":"toolu_01"}"#;

pub(super) fn bench(options: &Options) -> Rows {
    let house = House::plant(options)?;
    let answerer = options.tools.join("answer");
    let denied = house.said("PreToolUse", &house.call)?;
    if denied.contains("deny") {
        return Err(format!("an ordinary command is denied: {denied}"));
    }
    let before: Step<'_> = Box::new(|| house.hook("PreToolUse", &house.call));
    let after: Step<'_> = Box::new(|| house.hook("PostToolUse", &house.answer));
    let bare: Step<'_> = Box::new(|| {
        let mut command = Command::new(&answerer);
        command.stdin(open(&house.call)?).stdout(Stdio::null());
        run(&mut command, 0).map(|usage| usage.seconds)
    });
    let samples = in_turn(options.amount(301, 21), vec![before, after, bare])?;
    let daemon = house.daemon()?;
    let through: Step<'_> = Box::new(|| house.hook("PreToolUse", &house.call));
    let again: Step<'_> = Box::new(|| {
        let mut command = Command::new(&answerer);
        command.stdin(open(&house.call)?).stdout(Stdio::null());
        run(&mut command, 0).map(|usage| usage.seconds)
    });
    let with_daemon = in_turn(options.amount(301, 21), vec![through, again])?;
    drop(daemon);
    let [before, after, bare] = [0, 1, 2].map(|n| samples[n].median());
    let slow = samples[0].percentile(99);
    let beside = |what: &str, ours, target| {
        let what = format!("`hook claude {what}`, {COUNT} own rules and the shipped packs, remembered");
        Row::beside(&what, Unit::Seconds, ours, ("a static program that reads and answers", bare), target)
    };
    Ok(vec![
        beside("PreToolUse", before, Target::AtMost(2.5)),
        beside("PostToolUse", after, Target::Told),
        Row::beside(
            "the same `PreToolUse` through the daemon",
            Unit::Seconds,
            with_daemon[0].median(),
            ("a static program that reads and answers", with_daemon[1].median()),
            Target::AtMost(1.5),
        ),
        Row::alone("- the slowest of a hundred", Unit::Seconds, slow, Target::Told),
    ])
}

/// A workspace with rules, a state of its own, and payloads.
struct House {
    engine: PathBuf,
    root: PathBuf,
    call: PathBuf,
    answer: PathBuf,
}

impl House {
    fn plant(options: &Options) -> Result<Self, String> {
        let root = options.data.join("hook");
        // What an earlier run remembered would make a longer log than this one's.
        let _ = fs::remove_dir_all(&root);
        fs::create_dir_all(root.join(".pi/rules")).map_err(told)?;
        fs::write(root.join(".pi/rules/bench.yaml"), yaml(Shape::OwnTool, COUNT)).map_err(told)?;
        let (call, answer) = (root.join("call.json"), root.join("answer.json"));
        fs::write(&call, CALL).map_err(told)?;
        fs::write(&answer, ANSWER).map_err(told)?;
        Ok(Self { engine: options.engine.clone(), root, call, answer })
    }

    fn command(&self, event: &str, payload: &Path) -> Result<Command, String> {
        let mut command = Command::new(&self.engine);
        command.args(["hook", "claude", event, "--root"]).arg(&self.root);
        command
            .env("XDG_STATE_HOME", self.root.join("state"))
            .env("XDG_CONFIG_HOME", self.root.join("config"));
        command.stdin(open(payload)?).stdout(Stdio::null()).stderr(Stdio::null());
        Ok(command)
    }

    /// A daemon that keeps the workspace, listening on its own socket; it ends with this value.
    fn daemon(&self) -> Result<Daemon, String> {
        let mut command = Command::new(&self.engine);
        command.args(["serve", "--port", "0", "--json", "--root"]).arg(&self.root);
        command
            .env("XDG_STATE_HOME", self.root.join("state"))
            .env("XDG_CONFIG_HOME", self.root.join("config"));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut daemon = Daemon(command.spawn().map_err(told)?);
        let mut line = String::new();
        let out = daemon.0.stdout.take().ok_or("the daemon has no output")?;
        BufReader::new(out).read_line(&mut line).map_err(told)?;
        Ok(daemon)
    }

    fn hook(&self, event: &str, payload: &Path) -> Result<f64, String> {
        run(&mut self.command(event, payload)?, 0).map(|usage| usage.seconds)
    }

    fn said(&self, event: &str, payload: &Path) -> Result<String, String> {
        let output = self.command(event, payload)?.stdout(Stdio::piped()).output().map_err(told)?;
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

fn open(path: &Path) -> Result<fs::File, String> {
    fs::File::open(path).map_err(told)
}

struct Daemon(Child);

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
