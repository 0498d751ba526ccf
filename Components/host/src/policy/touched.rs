//! The files that a tool call names itself: by its arguments, or by the patch in them.

use mentci_authority::ToolCall;
use mentci_shell::{FileChange, FileOp, files_of_patch};
use serde_json::Value;

use super::admit::{MAX_DEPTH, is_patch};
use super::vocabulary::canonical;

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

/// The files that a call names itself, or that the patch in its arguments touches.
pub(super) fn touched(tool: &ToolCall) -> Vec<FileChange> {
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

#[cfg(test)]
mod tests {
    use super::super::admit::admit;
    use super::*;
    use mentci_authority::{Event, Hook};
    use serde_json::json;

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
    fn a_plain_diff_tells_its_files() {
        let mut event = Event::new(Hook::PreToolCall);
        let args = json!({"patch": "--- a/x.rs\n+++ b/x.rs\n@@ -1 +1 @@\n-a\n+b\n"});
        event.tool = Some(ToolCall { name: "apply_patch".into(), args, ..ToolCall::default() });
        assert_eq!(admit(event).files, [json!({"path": "x.rs", "op": "update"})]);
    }
}
