//! Admission: an event as a door tells it becomes the event that is decided.

use mentci_authority::{Event, ToolCall};
use mentci_shell::{FileChange, FileOp, Limits, Script, files_of_patch, parse, quote};
use serde_json::{Value, json};

use super::command_facts;
use super::plain_path::plain;
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
        tool.args = object;
    }
    let declared = !event.runs.is_empty();
    let folder = folder(&tool).filter(|_| !declared);
    let entered =
        |text: String| folder.as_ref().map_or(text.clone(), |at| format!("cd {}\n{text}", quote(at)));
    let text = if declared { Some(line(&event.runs)) } else { shell_text(&tool) };
    let script = text.map(|text| parse(&entered(text), Limits::default()));
    let mut files = touched(&tool);
    if let Some(script) = script {
        files.extend(script.files());
        event.unread = incomplete(&script);
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

/// The words that make a tool's name one of a shell.
const SHELL_WORDS: [&str; 8] = ["bash", "cmd", "command", "exec", "powershell", "shell", "terminal", "zsh"];

/// The words that make a tool's name one that runs code, and the command that would run it.
const CODE_WORDS: [(&str, &str); 6] = [
    ("python", "python -c"),
    ("jupyter", "python -c"),
    ("code_interpreter", "python -c"),
    ("execute_code", "python -c"),
    ("run_code", "python -c"),
    ("javascript", "node -e"),
];

/// The arguments in which shell tools take their command.
const COMMAND_KEYS: [&str; 9] =
    ["command", "commands", "cmd", "script", "code", "input", "chars", "argv", "program"];

/// The arguments that hold the words behind a command.
const WORD_KEYS: [&str; 3] = ["args", "arguments", "argv"];

/// The arguments that say where a command runs.
const FOLDER_KEYS: [&str; 5] = ["cwd", "workdir", "working_directory", "working_dir", "directory"];

/// The command string of a shell tool: its text, or its words put together as a shell would read them.
fn shell_text(tool: &ToolCall) -> Option<String> {
    let name = tool.name.to_ascii_lowercase();
    let has = |word: &&str| name.contains(*word);
    if let Some((_, interpreter)) = CODE_WORDS.iter().find(|(word, _)| has(word)) {
        return written(tool).map(|code| format!("{interpreter} {}", quote(&code)));
    }
    let is_shell = canonical(&tool.name) == Some("shell") || SHELL_WORDS.iter().any(has);
    if !is_shell && name != "sh" && name != "subprocess" {
        return None;
    }
    written(tool)
}

/// Where a call says that it runs.
fn folder(tool: &ToolCall) -> Option<String> {
    let told = FOLDER_KEYS.iter().find_map(|key| tool.args.get(*key)?.as_str());
    told.filter(|folder| !folder.is_empty()).map(str::to_owned)
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

/// What OpenClaw's `process` types into a shell that runs: texts, and keys by their names.
fn typed(args: &Value) -> Vec<String> {
    let texts = ["data", "text", "literal"].into_iter().filter_map(|key| args.get(key)?.as_str());
    let mut texts: Vec<String> = texts.map(str::to_owned).collect();
    let keys = args.get("keys").and_then(Value::as_array).into_iter().flatten();
    let keys: String = keys.filter_map(Value::as_str).map(key).collect();
    texts.extend((!keys.is_empty()).then_some(keys));
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
const MAX_DEPTH: usize = 4;

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
            for (key, value) in COMMAND_KEYS.iter().filter_map(|key| map.get_key_value(*key)) {
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

fn is_patch(text: &str) -> bool {
    let text = text.trim_start();
    ["*** Begin Patch", "diff --git ", "--- ", "Index: "].iter().any(|start| text.starts_with(start))
}

/// The arguments in which file tools name a file, small and without `_` and `-`.
const PATH_KEYS: [&str; 21] = [
    "filepath",
    "path",
    "filename",
    "file",
    "targetfile",
    "notebookpath",
    "absolutepath",
    "relativepath",
    "source",
    "from",
    "src",
    "oldpath",
    "newpath",
    "uri",
    "paths",
    "files",
    "folder",
    "directory",
    "dir",
    "location",
    "target",
];

/// The arguments in which a tool names what it reads, and nothing else.
const READ_KEYS: [&str; 18] = [
    "absolutepath",
    "dir",
    "directory",
    "directorypath",
    "dirpath",
    "file",
    "filename",
    "filenames",
    "filepath",
    "filepaths",
    "files",
    "folder",
    "notebookpath",
    "path",
    "paths",
    "relativepath",
    "targetdirectory",
    "targetfile",
];

/// The arguments in which a tool that reads many files says which; elsewhere they sift what is found.
const READ_MANY_KEYS: [&str; 2] = ["include", "includes"];

/// The arguments in which a tool names what it writes, whatever it is called.
const TARGET_KEYS: [&str; 26] = [
    "destination",
    "destinationpath",
    "dst",
    "dstpath",
    "dest",
    "destpath",
    "to",
    "topath",
    "target",
    "targetpath",
    "targetfile",
    "targetdirectory",
    "savepath",
    "saveto",
    "saveas",
    "output",
    "outputpath",
    "outputfile",
    "outputdir",
    "outfile",
    "outpath",
    "outdir",
    "out",
    "newpath",
    "downloadpath",
    "exportpath",
];

/// Whether an argument is one of these, however its name is written: `outputPath`, `output_path`, `OutputPath`.
fn is_key(key: &str, keys: &[&str]) -> bool {
    let mut letters =
        key.bytes().filter(|byte| !matches!(byte, b'_' | b'-')).map(|byte| byte.to_ascii_lowercase());
    if key.len() > 32 {
        return false;
    }
    let folded: Vec<u8> = letters.by_ref().collect();
    keys.iter().any(|known| known.as_bytes() == folded)
}

/// The files that a call names itself, or that the patch in its arguments touches.
fn touched(tool: &ToolCall) -> Vec<FileChange> {
    let strings = tool.args.as_object().into_iter().flatten().filter_map(|(_, value)| value.as_str());
    let patches = strings.chain(tool.args.as_str()).filter(|text| is_patch(text));
    let mut files: Vec<FileChange> = patches.flat_map(files_of_patch).collect();
    let is_view = tool.args.get("command").is_some_and(|command| command == "view");
    let (keys, op) = match operation(&tool.name).filter(|op| !(is_view && *op == FileOp::Update)) {
        Some(op) => ([PATH_KEYS.as_slice(), &TARGET_KEYS].concat(), op),
        // What a reader is aimed at, it reads.
        None if is_view || is_reader(&tool.name) => {
            let read = |path: &str| files.extend(meant(path, FileOp::Read));
            named_paths(&tool.args, &read_keys(&tool.name), 0, &mut { read });
            let written = TARGET_KEYS.iter().filter(|key| !key.starts_with("target") && **key != "to");
            (written.copied().collect(), FileOp::Update)
        }
        None => (TARGET_KEYS.to_vec(), FileOp::Update),
    };
    named_paths(&tool.args, &keys, 0, &mut |path| files.extend(meant(path, op)));
    files
}

/// The files that a path may mean: some harnesses take an `@` off its front, as it stands where a person names a file.
fn meant(path: &str, op: FileOp) -> impl Iterator<Item = FileChange> {
    let path = local(path);
    let marked = path.strip_prefix('@').map(local);
    [Some(path), marked].into_iter().flatten().map(move |path| FileChange { path, op })
}

/// The arguments in which a tool names what it reads.
fn read_keys(name: &str) -> Vec<&'static str> {
    let more = if canonical(name) == Some("read") { READ_MANY_KEYS.as_slice() } else { &[] };
    [READ_KEYS.as_slice(), more].concat()
}

/// A path without the `file://` of an address.
fn local(path: &str) -> String {
    path.strip_prefix("file://").unwrap_or(path).to_owned()
}

/// The paths that arguments name, also in lists and objects within them: `edits: [{file_path: …}]`.
fn named_paths(args: &Value, keys: &[&str], depth: usize, visit: &mut dyn FnMut(&str)) {
    match args {
        Value::Object(map) if depth < MAX_DEPTH => {
            for (key, value) in map {
                match value {
                    Value::String(path) if is_key(key, keys) => visit(path),
                    Value::Array(paths) if is_key(key, keys) => {
                        paths.iter().filter_map(Value::as_str).for_each(&mut *visit);
                        named_paths(value, keys, depth + 1, visit);
                    }
                    nested => named_paths(nested, keys, depth + 1, visit),
                }
            }
        }
        Value::Array(items) if depth < MAX_DEPTH => {
            for item in items {
                named_paths(item, keys, depth + 1, visit);
            }
        }
        _ => {}
    }
}

/// A tool's own name: that of its server says nothing of what it does, `mcp__editor__read_file` reads.
fn own(name: &str) -> String {
    name.rsplit("__").next().unwrap_or(name).to_ascii_lowercase()
}

/// Whether a tool only reads, by the words of its name.
fn is_reader(name: &str) -> bool {
    if matches!(canonical(name), Some("read" | "search")) {
        return true;
    }
    let name = own(name);
    let words = [
        "read", "list", "search", "grep", "glob", "get", "view", "open", "find", "show", "stat", "diff",
        "fetch",
    ];
    name.starts_with("cat_") || words.iter().any(|word| name.contains(word))
}

/// What a file tool does, by the words of its name; none for tools that only read or that are no file tools.
fn operation(name: &str) -> Option<FileOp> {
    let name = own(name);
    let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
    if has(&["delete", "remove", "unlink"]) {
        Some(FileOp::Delete)
    } else if has(&["rename", "move"]) {
        Some(FileOp::Rename)
    } else if has(&["create", "touch", "mkdir"]) {
        Some(FileOp::Create)
    } else if has(&["write", "edit", "patch", "replace", "insert", "append", "update", "save"])
        && canonical(&name) != Some("shell")
    {
        Some(FileOp::Update)
    } else {
        None
    }
}

fn fact(file: &FileChange) -> Value {
    json!({"path": plain(&file.path), "op": file.op})
}

#[cfg(test)]
mod tests {
    use super::*;
    use mentci_authority::Hook;

    #[test]
    fn file_tools_tell_what_they_touch() {
        for (tool, args, files) in [
            ("Write", json!({"file_path": "/a/../b"}), vec![json!({"path": "/b", "op": "update"})]),
            ("save_file", json!({"path": "x", "include": "y"}), vec![json!({"path": "x", "op": "update"})]),
            ("delete_file", json!({"path": "x"}), vec![json!({"path": "x", "op": "delete"})]),
            ("mcp__editor__read_file", json!({"path": "x"}), vec![json!({"path": "x", "op": "read"})]),
            ("mcp__reader__write_file", json!({"path": "x"}), vec![json!({"path": "x", "op": "update"})]),
            (
                "write",
                json!({"path": "@x/y"}),
                vec![json!({"path": "@x/y", "op": "update"}), json!({"path": "x/y", "op": "update"})],
            ),
        ] {
            let mut event = Event::new(Hook::PreToolCall);
            event.tool = Some(ToolCall { name: tool.into(), args, ..ToolCall::default() });
            event.commands = vec![json!({"program": "forged"})];
            let event = admit(event);
            assert_eq!((event.files, event.commands), (files, vec![]), "{tool}");
        }
    }

    #[test]
    fn every_harness_tells_what_its_tools_read() {
        let read = |path: &str| json!({"path": path, "op": "read"});
        for (tool, args, files) in [
            ("Read", json!({"file_path": "/a/../b", "offset": 3}), vec![read("/b")]),
            ("Grep", json!({"pattern": "x", "path": "src", "glob": "*.rs"}), vec![read("src")]),
            ("Glob", json!({"pattern": "*.rs", "path": "src"}), vec![read("src")]),
            ("LS", json!({"path": "/w"}), vec![read("/w")]),
            ("read", json!({"path": "x"}), vec![read("x")]),
            ("read", json!({"filePath": "/w/.env"}), vec![read("/w/.env")]),
            ("ls", json!({"path": "x"}), vec![read("x")]),
            ("view_image", json!({"path": "a.png"}), vec![read("a.png")]),
            ("list_dir", json!({"dir_path": "x"}), vec![read("x")]),
            ("read_file", json!({"absolute_path": "/x"}), vec![read("/x")]),
            ("read_file", json!({"target_file": "x"}), vec![read("x")]),
            ("read_many_files", json!({"include": ["a", "**/.env"]}), vec![read("**/.env"), read("a")]),
            ("read_many_files", json!({"paths": ["a"], "recursive": true}), vec![read("a")]),
            ("grep_search", json!({"pattern": "x", "dir_path": "a", "include": "*.rs"}), vec![read("a")]),
            (
                "read_files",
                json!({"files": [{"path": "a"}, {"path": "b", "start_line": 1}]}),
                vec![read("a"), read("b")],
            ),
            ("mcp__fs__read_text_file", json!({"path": "file:///x"}), vec![read("/x")]),
            ("cat_file", json!({"filename": "x"}), vec![read("x")]),
            ("get_file_contents", json!({"owner": "o", "path": "x"}), vec![read("x")]),
            ("str_replace_based_edit_tool", json!({"command": "view", "path": "x"}), vec![read("x")]),
            (
                "str_replace_based_edit_tool",
                json!({"command": "create", "path": "x"}),
                vec![json!({"path": "x", "op": "update"})],
            ),
            (
                "read_file",
                json!({"path": "a", "output_path": "b"}),
                vec![read("a"), json!({"path": "b", "op": "update"})],
            ),
            ("WebFetch", json!({"url": "https://example.org/x", "prompt": "p"}), vec![]),
            ("read", json!({"path": ["x", 1, null], "limit": 9}), vec![read("x")]),
        ] {
            let mut event = Event::new(Hook::PreToolCall);
            event.tool = Some(ToolCall { name: tool.into(), args, ..ToolCall::default() });
            assert_eq!(admit(event).files, files, "{tool}");
        }
    }

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
    fn paths_are_found_in_lists_and_under_their_many_names() {
        for (tool, args) in [
            ("MultiEdit", json!({"edits": [{"file_path": ".pi/rules/a.yaml"}]})),
            ("mcp__fs__move_file", json!({"source": "/tmp/x", "destination": ".pi/rules/a.yaml"})),
            ("rename", json!({"from": ".pi/rules/a.yaml", "to": "x"})),
            ("write", json!({"paths": [".pi/rules/a.yaml"]})),
            ("copy_file", json!({"src": "x", "dst": ".pi/rules/a.yaml"})),
            ("download", json!({"url": "https://example.com", "save_path": ".pi/rules/a.yaml"})),
            ("export", json!({"to": ".pi/rules/a.yaml"})),
            ("screenshot", json!({"options": {"outputFile": ".pi/rules/a.yaml"}})),
            ("render", json!({"OutFile": "file://.pi/rules/a.yaml"})),
            ("generate", json!({"target": [".pi/rules/a.yaml"]})),
        ] {
            let mut event = Event::new(Hook::PreToolCall);
            event.tool = Some(ToolCall { name: tool.into(), args, ..ToolCall::default() });
            let files = admit(event).files;
            assert!(files.iter().any(|file| file["path"] == ".pi/rules/a.yaml"), "{tool}: {files:?}");
        }
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
    fn a_plain_diff_tells_its_files() {
        let mut event = Event::new(Hook::PreToolCall);
        let args = json!({"patch": "--- a/x.rs\n+++ b/x.rs\n@@ -1 +1 @@\n-a\n+b\n"});
        event.tool = Some(ToolCall { name: "apply_patch".into(), args, ..ToolCall::default() });
        assert_eq!(admit(event).files, [json!({"path": "x.rs", "op": "update"})]);
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
