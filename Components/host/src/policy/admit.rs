//! Admission: an event as a door tells it becomes the event that is decided.

use mentci_authority::{Event, ToolCall, told_text};
use mentci_shell::{Limits, Script, parse, quote};
use serde_json::{Value, json};

use super::command_facts;
use super::plain_path::plain;
use super::touched::{Touched, touched};
use super::vocabulary::canonical;

/// Fills in what rules read and no door tells: the commands that a shell call runs and the files that a call touches.
/// Called once for every event, whichever door it came through. What a door claims to have found already is dropped.
///
/// ```
/// use mentci_authority::{Event, Hook, ToolCall};
/// use mentci_host::policy::admit;
/// let mut event = Event::new(Hook::PreToolCall);
/// let args = serde_json::json!({"command": "sudo rm -rf /"});
/// event.tool = Some(ToolCall { name: "bash".into(), args, ..ToolCall::default() });
/// let event = admit(event);
/// assert_eq!(event.commands[1]["program"], "rm");
/// ```
#[must_use]
pub fn admit(mut event: Event) -> Event {
    (event.commands, event.files, event.unread) = (Vec::new(), Vec::new(), None);
    event.canonical = event.tool.as_ref().and_then(|tool| canonical(&tool.name));
    let Some(mut tool) = event.tool.take() else { return event };
    // Arguments that arrive as the text of an object are that object, for the rules as for the tool.
    if let Value::String(text) = &tool.args
        && let Ok(object @ Value::Object(_)) = serde_json::from_str(text)
    {
        event.told_args = told_text(text, &object);
        tool.args = object;
    }
    let declared = !event.runs.is_empty();
    let folder = folder(&event, &tool).filter(|_| !declared);
    let entered =
        |text: String| folder.as_ref().map_or(text.clone(), |at| format!("cd {}\n{text}", quote(at)));
    let text = if declared { Some(line(&event.runs)) } else { shell_text(&tool) };
    let mut files = touched(&tool);
    let inside = folder.as_deref().filter(|_| text.is_none()).map(|at| within(at, &files));
    files.extend(inside.unwrap_or_default());
    let script = text.map(|text| parse(&entered(text), Limits::default()));
    if let Some(script) = script {
        files.extend(script.files().into_iter().map(|change| Touched { change, lists: false }));
        event.unread = incomplete(&script).or_else(|| untold(&event, &script));
        event.commands = (0..script.commands.len()).filter_map(|at| command_facts::of(&script, at)).collect();
        if folder.is_some() && !event.commands.is_empty() {
            // Nobody typed the step into the folder.
            event.commands.remove(0);
        }
    }
    files.sort();
    files.dedup();
    event.files = files.iter().map(fact).collect();
    event.tool = Some(tool);
    event
}

/// The files of a call where it says in which folder it works: a tool may take them from there, or from where it runs.
fn within(folder: &str, files: &[Touched]) -> Vec<Touched> {
    let relative = files.iter().filter(|file| is_relative(&file.change.path) && file.change.path != folder);
    let moved = |file: &Touched| {
        let mut file = file.clone();
        file.change.path = joined(folder, &file.change.path);
        file
    };
    relative.map(moved).collect()
}

/// The words of a declared command, as a shell would read them.
fn line(words: &[String]) -> String {
    words.iter().map(|word| quote(word)).collect::<Vec<_>>().join(" ")
}

fn incomplete(script: &Script) -> Option<String> {
    script
        .incomplete
        .as_ref()
        .map(|reason| format!("the command is over the bounds of what is read: {reason:?}"))
}

/// Where a client asks about no more than the start of a program that is then told what to do.
fn untold(event: &Event, script: &Script) -> Option<String> {
    let program = script.awaits_typing().filter(|_| event.heard_at.is_some_and(|at| !at.hears_typing))?;
    Some(format!(
        "what is typed into `{program}` is asked about by no hook: give it its commands when it starts"
    ))
}

/// The words that make a tool's name one of a shell.
const SHELL_WORDS: [&str; 8] = ["bash", "cmd", "command", "exec", "powershell", "shell", "terminal", "zsh"];

/// Names that shells have among others: their tools are read where they are handed a command.
const SHELL_NAMES: [&str; 9] =
    ["execute", "job", "popen", "run", "sh", "spawn", "subprocess", "system", "task"];

/// The arguments that hold a command, and nothing else, beside [`SAID_KEYS`].
const LINE_KEYS: [&str; 3] = ["commands", "argv", "program"];

/// The words that make a tool's name one that runs code, and the command that would run it.
const CODE_WORDS: [(&str, &str); 6] = [
    ("python", "python -c"),
    ("jupyter", "python -c"),
    ("code_interpreter", "python -c"),
    ("execute_code", "python -c"),
    ("run_code", "python -c"),
    ("javascript", "node -e"),
];

/// The arguments in which shell tools take their command, beside [`SAID_KEYS`].
const COMMAND_KEYS: [&str; 7] = ["commands", "script", "code", "input", "chars", "argv", "program"];

/// The arguments that hold the words behind a command.
const WORD_KEYS: [&str; 3] = ["args", "arguments", "argv"];

/// The fact that says where a harness works, where that is not the workspace's root: the workspace itself writes it for the events of hooks.
pub const FOLDER_FACT: &str = "folder";

/// The arguments that say where a command runs.
const FOLDER_KEYS: [&str; 6] =
    ["cwd", "workdir", "working_directory", "working_dir", "directory", "dir_path"];

/// The command string of a shell tool: its text, or its words put together as a shell would read them.
fn shell_text(tool: &ToolCall) -> Option<String> {
    let name = tool.name.to_ascii_lowercase();
    let has = |word: &&str| name.contains(*word);
    if let Some((_, interpreter)) = CODE_WORDS.iter().find(|(word, _)| has(word)) {
        return written(tool).map(|code| format!("{interpreter} {}", quote(&code)));
    }
    let is_shell = canonical(&tool.name) == Some("shell") || SHELL_WORDS.iter().any(has);
    let is_handed = || {
        name == "sh"
            || name == "subprocess"
            || SAID_KEYS.iter().chain(&LINE_KEYS).any(|key| tool.args.get(*key).is_some())
    };
    if !(is_shell || SHELL_NAMES.contains(&name.as_str()) && is_handed()) {
        return said(tool);
    }
    written(tool)
}

/// The arguments in which any tool's command line stands.
const SAID_KEYS: [&str; 7] =
    ["cmd", "command", "command_line", "commandLine", "CommandLine", "shell_command", "shellCommand"];

/// The command line of a tool that nobody knows: more than one word, for one alone may be a tool's own (`command: view`).
fn said(tool: &ToolCall) -> Option<String> {
    let lines = SAID_KEYS.iter().filter_map(|key| tool.args.get(*key)?.as_str());
    let lines: Vec<&str> = lines.filter(|line| !is_patch(line)).collect();
    let is_line = lines.iter().any(|line| line.trim().contains([' ', '\t', '\n', ';', '&', '|', '$', '/']));
    (canonical(&tool.name).is_none() && is_line).then(|| lines.join("\n"))
}

/// Where a call runs: where it says so, from where its harness works.
fn folder(event: &Event, tool: &ToolCall) -> Option<String> {
    let told = FOLDER_KEYS.iter().find_map(|key| tool.args.get(*key)?.as_str());
    let told = told.filter(|folder| !folder.is_empty());
    let from = event.facts.get(FOLDER_FACT).and_then(Value::as_str);
    match (from, told) {
        (Some(from), Some(told)) if is_relative(told) => Some(joined(from, told)),
        (from, told) => told.or(from).map(str::to_owned),
    }
}

/// Whether a path begins where it is used.
fn is_relative(path: &str) -> bool {
    !path.starts_with(['/', '~', '\\', '$']) && path.as_bytes().get(1) != Some(&b':')
}

fn joined(folder: &str, path: &str) -> String {
    format!("{}/{path}", folder.trim_end_matches('/'))
}

/// What a tool that runs text is handed.
fn written(tool: &ToolCall) -> Option<String> {
    let mut texts = Vec::new();
    gather(&tool.args, 0, &mut texts);
    if tool.name == "process" {
        texts.extend(typed(&tool.args));
    }
    (!texts.is_empty()).then(|| texts.join("\n"))
}

/// What OpenClaw's `process` types into a shell that runs: texts, keys by their names, and bytes.
fn typed(args: &Value) -> Vec<String> {
    let texts = ["data", "text", "literal"].into_iter().filter_map(|key| args.get(key)?.as_str());
    let mut texts: Vec<String> = texts.map(str::to_owned).collect();
    let keys = args.get("keys").and_then(Value::as_array).into_iter().flatten();
    let keys: String = keys.filter_map(Value::as_str).map(key).collect();
    let bytes = args.get("hex").and_then(Value::as_array).into_iter().flatten();
    let bytes = bytes.filter_map(|byte| u8::from_str_radix(byte.as_str()?.trim_start_matches("0x"), 16).ok());
    let bytes = String::from_utf8_lossy(&bytes.collect::<Vec<u8>>()).replace('\r', "\n");
    texts.extend([keys, bytes].into_iter().filter(|text| !text.is_empty()));
    texts
}

/// What a key types.
fn key(name: &str) -> &str {
    match name.to_ascii_lowercase().as_str() {
        "enter" | "return" | "c-m" | "c-j" => "\n",
        "space" => " ",
        "tab" => "\t",
        _ => name,
    }
}

/// How deep arguments are looked through for commands and paths.
pub(super) const MAX_DEPTH: usize = 4;

/// Every text that may be run: a tool that takes `command` and `cmd` may run either.
fn gather(args: &Value, depth: usize, texts: &mut Vec<String>) {
    match args {
        Value::String(text) if !is_patch(text) => texts.push(text.clone()),
        Value::Array(words) if depth > 0 => {
            texts.push(spoken(words));
            // A single word may be a whole line, for a tool that hands it to a shell.
            if let [Value::String(line)] = words.as_slice() {
                texts.push(line.clone());
            }
        }
        Value::Object(map) if depth < MAX_DEPTH => {
            let words = WORD_KEYS.iter().find_map(|key| map.get(*key)?.as_array());
            let keys = SAID_KEYS.iter().chain(&COMMAND_KEYS);
            for (key, value) in keys.filter_map(|key| map.get_key_value(*key)) {
                match (value, words) {
                    // Each is a line of its own.
                    (Value::Array(lines), _) if key == "commands" => {
                        for line in lines {
                            gather(line, depth + 1, texts);
                        }
                    }
                    (Value::String(program), Some(words)) if !is_patch(program) => {
                        texts.push(format!("{program} {}", spoken(words)));
                    }
                    _ => gather(value, depth + 1, texts),
                }
            }
        }
        _ => {}
    }
}

/// Words as a shell would read them.
fn spoken(words: &[Value]) -> String {
    words.iter().map(word).collect::<Vec<_>>().join(" ")
}

fn word(value: &Value) -> String {
    value.as_str().map_or_else(|| quote(&value.to_string()), quote)
}

/// Whether a text is a patch, which an argument of a command may be as well.
pub(super) fn is_patch(text: &str) -> bool {
    let text = text.trim_start();
    ["*** Begin Patch", "diff --git ", "--- ", "Index: "].iter().any(|start| text.starts_with(start))
}

fn fact(file: &Touched) -> Value {
    let mut fact = json!({"path": plain(&file.change.path), "op": file.change.op});
    if file.lists {
        fact["lists"] = true.into();
    }
    fact
}

#[cfg(test)]
mod tests {
    use super::*;
    use mentci_authority::Hook;

    #[test]
    fn a_declared_command_is_one_whatever_its_name() {
        let mut event = Event::new(Hook::PreToolCall);
        let args = json!({"arguments": ["-rf", "/"]});
        event.tool = Some(ToolCall { name: "tidy".into(), args, ..ToolCall::default() });
        assert!(admit(event.clone()).commands.is_empty());
        event.runs = ["rm", "-rf", "/"].map(str::to_owned).to_vec();
        let event = admit(event);
        assert_eq!(
            (&event.commands[0]["program"], &event.commands[0]["paths"]),
            (&json!("rm"), &json!(["/"]))
        );
    }

    #[test]
    fn a_command_is_found_in_whatever_shape_it_comes() {
        for args in [
            json!({"command": "rm -rf /"}),
            json!("rm -rf /"),
            json!("{\"command\":\"rm -rf /\"}"),
            json!({"command": "ls", "cmd": "rm -rf /"}),
            json!({"input": {"command": "rm -rf /"}}),
            json!({"command": ["rm", "-rf", "/"]}),
            json!({"command": ["rm -rf /"]}),
            json!({"command": "rm", "args": ["-rf", "/"]}),
            json!({"program": "rm", "args": ["-rf", "/"]}),
            json!({"argv": ["rm", "-rf", "/"]}),
            json!({"command": "rm -rf *", "cwd": "/"}),
            json!({"shell_command": "rm -rf /"}),
            json!({"CommandLine": "rm -rf /"}),
            json!({"commands": ["ls", "rm -rf /"]}),
            json!({"commands": [{"command": "rm", "args": ["-rf", "/"]}]}),
        ] {
            let mut event = Event::new(Hook::PreToolCall);
            event.tool = Some(ToolCall { name: "bash".into(), args: args.clone(), ..ToolCall::default() });
            let programs: Vec<Value> =
                admit(event).commands.iter().map(|command| command["program"].clone()).collect();
            assert!(programs.contains(&json!("rm")), "{args}: {programs:?}");
        }
    }

    /// A tool of a name that says nothing.
    #[test]
    fn what_a_shell_runs_is_run_where_its_harness_works() {
        for (folder, args, cwd) in [
            (".pi/rules", json!({"command": "rm a.yaml"}), ".pi/rules"),
            ("/etc", json!({"command": "rm passwd"}), "/etc"),
            (".pi", json!({"command": "rm a.yaml", "workdir": "rules"}), ".pi/rules"),
            (".pi", json!({"command": "rm a", "cwd": "/srv"}), "/srv"),
            (".pi", json!({"command": "rm a", "dir_path": "rules"}), ".pi/rules"),
        ] {
            let mut event = Event::new(Hook::PreToolCall);
            event.facts.insert(FOLDER_FACT.to_owned(), folder.into());
            event.tool = Some(ToolCall { name: "bash".into(), args: args.clone(), ..ToolCall::default() });
            let event = admit(event);
            assert_eq!(event.commands[0]["cwd"], cwd, "{folder} {args}");
            assert_eq!(event.commands.len(), 1, "{folder} {args}");
        }
    }

    #[test]
    fn a_command_line_is_one_whatever_the_tool_is_called() {
        for (tool, args, programs) in [
            ("mcp__box__go", json!({"command": "rm -rf /"}), vec!["rm"]),
            ("mcp__box__go", json!({"commandLine": "ls; rm -rf /"}), vec!["ls", "rm"]),
            ("str_replace_based_edit_tool", json!({"command": "view", "path": "a"}), vec![]),
            ("str_replace_based_edit_tool", json!({"command": "view a", "path": "a"}), vec![]),
            ("mcp__memory__act", json!({"command": "view"}), vec![]),
            ("mcp__box__go", json!({"text": "rm -rf /"}), vec![]),
        ] {
            let mut event = Event::new(Hook::PreToolCall);
            event.tool = Some(ToolCall { name: tool.into(), args, ..ToolCall::default() });
            let event = admit(event);
            let found: Vec<&str> = event.commands.iter().filter_map(|one| one["program"].as_str()).collect();
            assert_eq!(found, programs, "{tool}");
        }
    }

    #[test]
    fn what_is_typed_into_a_running_shell_is_a_command() {
        let mut event = Event::new(Hook::PreToolCall);
        let args = json!({"session_id": 1, "chars": "rm -rf /\n"});
        event.tool = Some(ToolCall { name: "write_stdin".into(), args, ..ToolCall::default() });
        assert_eq!(admit(event).commands[0]["program"], "rm");
        for args in [
            json!({"action": "submit", "sessionId": "s", "data": "rm -rf /"}),
            json!({"action": "write", "data": "rm -rf /\n"}),
            json!({"action": "paste", "text": "rm -rf /"}),
            json!({"action": "send-keys", "literal": "rm -rf /"}),
            json!({"action": "send-keys", "hex": ["72", "6d", "20", "2d", "72", "66", "20", "2f", "0d"]}),
            json!({"action": "send-keys", "keys": ["r", "m", "Space", "-rf", "Space", "/", "Enter"]}),
        ] {
            let mut event = Event::new(Hook::PreToolCall);
            event.tool = Some(ToolCall { name: "process".into(), args: args.clone(), ..ToolCall::default() });
            let event = admit(event);
            assert_eq!(
                (event.canonical, &event.commands[0]["program"], &event.commands[0]["paths"]),
                (Some("shell"), &json!("rm"), &json!(["/"])),
                "{args}"
            );
        }
        let mut event = Event::new(Hook::PreToolCall);
        let args = json!({"action": "poll", "sessionId": "s"});
        event.tool = Some(ToolCall { name: "process".into(), args, ..ToolCall::default() });
        assert!(admit(event).commands.is_empty());
    }

    #[test]
    fn every_shell_of_claude_code_tells_its_commands() {
        for name in ["Bash", "Monitor", "PowerShell"] {
            let mut event = Event::new(Hook::PreToolCall);
            let args = json!({"command": "rm -rf /", "description": "x"});
            event.tool = Some(ToolCall { name: name.into(), args, ..ToolCall::default() });
            let event = admit(event);
            assert_eq!((event.canonical, &event.commands[0]["program"]), (Some("shell"), &json!("rm")));
        }
    }

    #[test]
    fn plain_names_are_shells_where_they_are_handed_a_command() {
        let programs = |name: &str, args: &Value| {
            let mut event = Event::new(Hook::PreToolCall);
            event.tool = Some(ToolCall { name: name.into(), args: args.clone(), ..ToolCall::default() });
            admit(event).commands.len()
        };
        for name in SHELL_NAMES {
            assert_eq!(programs(name, &json!({"command": "rm -rf /"})), 1, "{name}");
        }
        assert_eq!(programs("Spawn", &json!({"program": "rm", "args": ["-rf", "/"]})), 1);
        for (name, args) in [
            ("task", json!({"prompt": "rm -rf /", "description": "x"})),
            ("run", json!({"input": "hello"})),
            ("runner", json!({"command": "view"})),
        ] {
            assert_eq!(programs(name, &args), 0, "{name}");
        }
    }

    #[test]
    fn a_file_tool_may_say_in_which_folder_it_works() {
        let files = |args: Value| {
            let mut event = Event::new(Hook::PreToolCall);
            event.tool = Some(ToolCall { name: "write".into(), args, ..ToolCall::default() });
            let files = admit(event).files;
            files.iter().map(|file| file["path"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        let both = [".pi/rules/a.yaml", "a.yaml"];
        assert_eq!(files(json!({"file_path": "a.yaml", "cwd": ".pi/rules"})), both);
        assert_eq!(
            files(json!({"file_path": "rules/a.yaml", "workdir": ".pi/"})),
            [".pi/rules/a.yaml", "rules/a.yaml"]
        );
        assert_eq!(files(json!({"file_path": "/w/a.yaml", "cwd": ".pi/rules"})), ["/w/a.yaml"]);
    }

    #[test]
    fn a_patch_in_a_command_names_its_files() {
        let patch = "*** Begin Patch\n*** Add File: secret\n+hi\n*** Delete File: old\n*** End Patch";
        for command in [
            json!(format!("apply_patch <<'EOF'\n{patch}\nEOF")),
            json!(format!("apply_patch <<EOF\n{patch}\nEOF\n")),
            json!(format!("apply_patch '{patch}'")),
            json!(format!("bash -lc \"apply_patch '{patch}'\"")),
            json!(format!("cat <<'EOF' | apply_patch\n{patch}\nEOF")),
            json!(format!("echo '{patch}' | apply_patch")),
            json!(["apply_patch", patch]),
            json!(["bash", "-lc", format!("apply_patch <<'EOF'\n{patch}\nEOF")]),
        ] {
            for key in ["command", "cmd"] {
                let mut event = Event::new(Hook::PreToolCall);
                let args = json!({key: command});
                event.tool = Some(ToolCall { name: "exec_command".into(), args, ..ToolCall::default() });
                let files = admit(event).files;
                assert_eq!(
                    files,
                    [json!({"path": "old", "op": "delete"}), json!({"path": "secret", "op": "create"})],
                    "{command}"
                );
            }
        }
        let mut event = Event::new(Hook::PreToolCall);
        let args = json!({"command": format!("cd sub && apply_patch <<'EOF'\n{patch}\nEOF")});
        event.tool = Some(ToolCall { name: "Bash".into(), args, ..ToolCall::default() });
        assert_eq!(admit(event).files[1]["path"], "sub/secret");
    }

    #[test]
    fn a_command_runs_where_its_call_says() {
        let mut event = Event::new(Hook::PreToolCall);
        let args = json!({"command": "tee a.yaml", "workdir": ".pi/rules"});
        event.tool = Some(ToolCall { name: "bash".into(), args, ..ToolCall::default() });
        let event = admit(event);
        assert_eq!(event.commands.len(), 1);
        assert_eq!(event.files, [json!({"path": ".pi/rules/a.yaml", "op": "update"})]);
    }

    #[test]
    fn code_that_a_tool_runs_is_read_as_code() {
        let mut event = Event::new(Hook::PreToolCall);
        let args = json!({"code": "import os\nos.system('rm -rf /')"});
        event.tool = Some(ToolCall { name: "execute_python".into(), args, ..ToolCall::default() });
        let event = admit(event);
        assert_eq!(
            (&event.commands[0]["program"], &event.commands[1]["program"]),
            (&json!("python"), &json!("rm"))
        );
    }
}
