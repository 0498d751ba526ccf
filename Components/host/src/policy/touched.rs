//! The files that a tool call names itself: by its arguments, or by the patch in them.

use mentci_authority::ToolCall;
use mentci_shell::{FileChange, FileOp, files_of_patch};
use serde_json::Value;

use super::admit::{MAX_DEPTH, is_patch};
use super::spelling::{is_file_address, paths, patterns};
use super::vocabulary::canonical;

/// A file that a call names, and whether only its name, its kind or what lies in it is told of it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Touched {
    pub(super) change: FileChange,
    pub(super) lists: bool,
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

/// The arguments in which a tool names what it reads.
const READ_KEYS: [&str; 37] = [
    "absolutepath",
    "attachment",
    "attachments",
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
    "from",
    "frompath",
    "image",
    "imagepath",
    "infile",
    "inputfile",
    "inputpath",
    "location",
    "notebookpath",
    "path",
    "paths",
    "relativepath",
    "root",
    "source",
    "sourcefile",
    "sourcepath",
    "src",
    "srcpath",
    "targetdirectory",
    "targetfile",
    "uploadpath",
    "uri",
    "uris",
];

/// The arguments in which a tool that reads many files, or looks through them, says which.
const PATTERN_KEYS: [&str; 13] = [
    "fileglob",
    "filepattern",
    "filepatterns",
    "filefilter",
    "glob",
    "globpattern",
    "globs",
    "include",
    "includeglob",
    "includeglobs",
    "includepattern",
    "includepatterns",
    "includes",
];

/// The arguments in which a tool that hands a call on holds the arguments of that call, maybe as JSON text.
const INNER_KEYS: [&str; 12] = [
    "args",
    "arguments",
    "data",
    "input",
    "json",
    "kwargs",
    "options",
    "parameters",
    "params",
    "payload",
    "request",
    "toolinput",
];

/// The arguments that may hold the address of a file.
const ADDRESS_KEYS: [&str; 9] =
    ["address", "href", "link", "resource", "resourceuri", "target", "url", "urls", "website"];

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
pub(super) fn touched(tool: &ToolCall) -> Vec<Touched> {
    let mut files = Vec::new();
    patches(&tool.args, says_patch(&tool.name), 0, &mut |patch| files.extend(files_of_patch(patch)));
    let is_view = tool.args.get("command").is_some_and(|command| command == "view");
    let changes = operation(&tool.name).filter(|op| !(is_view && *op == FileOp::Update));
    let is_reader = changes.is_none() && canonical(&tool.name) != Some("shell");
    let keys = match changes {
        Some(_) => [PATH_KEYS.as_slice(), &TARGET_KEYS].concat(),
        None if is_view || knows_reading(&tool.name) => {
            TARGET_KEYS.iter().filter(|key| !key.starts_with("target") && **key != "to").copied().collect()
        }
        None => TARGET_KEYS.to_vec(),
    };
    let op = changes.unwrap_or(FileOp::Update);
    let mut told = |path: &str, op: FileOp| {
        if path.len() > LONGEST_PATH {
            return;
        }
        files.extend(paths(path).into_iter().map(|path| FileChange { path, op }));
    };
    named_paths(&tool.args, &keys, 0, &mut |path| told(path, op));
    if is_reader {
        // What a tool is aimed at and does not write, it reads.
        named_paths(&tool.args, &read_keys(&keys), 0, &mut |path| {
            if !path.contains("://") || !path.starts_with("http") {
                told(path, FileOp::Read);
            }
        });
    }
    let addressed = changes.unwrap_or(FileOp::Read);
    named_paths(&tool.args, &ADDRESS_KEYS, 0, &mut |path| {
        if is_file_address(path.trim()) {
            told(path, addressed);
        }
    });
    if is_reader && sifts(&tool.name) {
        named_paths(&tool.args, &PATTERN_KEYS, 0, &mut |pattern| {
            files.extend(patterns(pattern).into_iter().map(|path| FileChange { path, op: FileOp::Read }));
        });
    }
    let lists = lists(&tool.name);
    let touched = |change: FileChange| Touched { lists: lists && change.op == FileOp::Read, change };
    files.into_iter().map(touched).collect()
}

/// Whether a name says that what it names is a patch.
fn says_patch(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.contains("patch") || name.contains("diff")
}

/// The patches among arguments. What is said to be one is read whatever stands around it: those who apply patches pass over
/// words before them, and over the here-document that they came in.
fn patches(value: &Value, is_said: bool, depth: usize, told: &mut dyn FnMut(&str)) {
    match value {
        Value::String(text) if is_said || depth < 2 && is_patch(text) => told(text),
        Value::Array(items) if is_said && depth < MAX_DEPTH => {
            for item in items {
                patches(item, true, depth + 1, told);
            }
        }
        Value::Object(map) if depth == 0 || is_said && depth < MAX_DEPTH => {
            for (key, item) in map {
                patches(item, is_said || says_patch(key), depth + 1, told);
            }
        }
        _ => {}
    }
}

/// The arguments in which a tool names what it reads, but for those in which it names what it writes.
fn read_keys(written: &[&'static str]) -> Vec<&'static str> {
    READ_KEYS.iter().filter(|key| !written.contains(key)).copied().collect()
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

/// The paths that arguments name, also in lists and objects within them, and in either as JSON text: `edits: [{file_path: …}]`.
fn named_paths(args: &Value, keys: &[&str], depth: usize, visit: &mut dyn FnMut(&str)) {
    match args {
        Value::Object(map) if depth < MAX_DEPTH => {
            for (key, value) in map {
                let is_named = is_key(key, keys);
                match value {
                    Value::String(text) => match inner(text).filter(|_| is_named || is_key(key, &INNER_KEYS))
                    {
                        Some(value) => {
                            listed(&value, is_named, visit);
                            named_paths(&value, keys, depth + 1, visit);
                        }
                        None if is_named => one_or_many(key, text, visit),
                        None => {}
                    },
                    nested => {
                        listed(nested, is_named, visit);
                        named_paths(nested, keys, depth + 1, visit);
                    }
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

/// The texts of a list of paths, also of lists within it.
fn listed(value: &Value, is_named: bool, visit: &mut dyn FnMut(&str)) {
    let mut open = vec![(value, 0)];
    while let Some((value, depth)) = open.pop().filter(|_| is_named) {
        for item in value.as_array().into_iter().flatten() {
            match item {
                Value::String(path) => visit(path),
                nested if depth < MAX_DEPTH => open.push((nested, depth + 1)),
                _ => {}
            }
        }
    }
}

/// A path; under the name of many, also each of its lines and of what its commas part.
fn one_or_many(key: &str, text: &str, visit: &mut dyn FnMut(&str)) {
    visit(text);
    let is_many = key.ends_with(['s', 'S']) && text.contains([',', '\n', ';']);
    if is_many {
        text.split([',', '\n', ';']).map(str::trim).filter(|path| !path.is_empty()).for_each(visit);
    }
}

/// The longest text that is taken for a path: a picture is longer.
const LONGEST_PATH: usize = 64 << 10;
/// The longest text that is tried as JSON.
const LONGEST_INNER: usize = 256 << 10;

/// The list or object that a text is.
fn inner(text: &str) -> Option<Value> {
    let text = text.trim();
    let may_be = text.starts_with(['{', '[']) && text.len() <= LONGEST_INNER;
    let value: Value = may_be.then(|| serde_json::from_str(text).ok())??;
    (value.is_array() || value.is_object()).then_some(value)
}

/// A tool's own name: that of its server says nothing of what it does, `mcp__editor__read_file` reads.
fn own(name: &str) -> String {
    name.rsplit("__").next().unwrap_or(name).to_ascii_lowercase()
}

/// Whether a tool only reads, by the words of its name: then a `target` of it is read, too.
fn knows_reading(name: &str) -> bool {
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

/// Whether a tool reads many files, or looks through them, by patterns.
fn sifts(name: &str) -> bool {
    let is_known = matches!(canonical(name), Some("read" | "search"));
    let name = own(name);
    (is_known || ["read", "grep", "search", "rg", "pack", "concat"].iter().any(|word| name.contains(word)))
        && !lists(&name)
}

/// Whether a tool tells names, sizes and times of files, and nothing that stands in them.
fn lists(name: &str) -> bool {
    let name = own(name);
    let is_named = ["dir", "find", "glob", "ls", "list", "stat", "tree"].contains(&name.as_str());
    let begins =
        ["list_", "listd", "listf", "list-", "find_file", "glob"].iter().any(|start| name.starts_with(start));
    let ends =
        ["_exists", "_info", "_metadata", "_stat", "_tree", "fileinfo"].iter().any(|end| name.ends_with(end));
    (is_named || begins || ends) && !["content", "read", "text"].iter().any(|word| name.contains(word))
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
        let listed = |path: &str| json!({"path": path, "op": "read", "lists": true});
        for (tool, args, files) in [
            ("Read", json!({"file_path": "/a/../b", "offset": 3}), vec![read("/b")]),
            (
                "Grep",
                json!({"pattern": "x", "path": "src", "glob": "*.rs"}),
                vec![read("*.rs"), read(".rs"), read("src")],
            ),
            ("Grep", json!({"pattern": "x", "glob": ".env*"}), vec![read(".env"), read(".env*")]),
            ("grep", json!({"pattern": "x", "include": "{a,.env}"}), vec![read(".env"), read("a")]),
            ("search_files", json!({"regex": "x", "file_pattern": "!.env"}), vec![]),
            ("Glob", json!({"pattern": "*.rs", "path": "src"}), vec![listed("src")]),
            ("LS", json!({"path": "/w"}), vec![listed("/w")]),
            ("mcp__fs__get_file_info", json!({"path": "/w/.env"}), vec![listed("/w/.env")]),
            ("mcp__fs__directory_tree", json!({"path": "/w"}), vec![listed("/w")]),
            (
                "ReadMcpResourceTool",
                json!({"server": "fs", "uri": "file:///w/%2Eenv"}),
                vec![read("/w/%2Eenv"), read("/w/.env")],
            ),
            ("WebFetch", json!({"url": "file:///w/.env", "prompt": "p"}), vec![read("/w/.env")]),
            ("mcp__x__load", json!({"path": ".env"}), vec![read(".env")]),
            ("mcp__x__upload", json!({"args": "{\"file_paths\": \"[\\\".env\\\"]\"}"}), vec![read(".env")]),
            ("read_files", json!({"file_paths": "[\"a\", [\".env\"]]"}), vec![read(".env"), read("a")]),
            ("read_files", json!({"paths": "a\n.env"}), vec![read(".env"), read("a"), read("a\n.env")]),
            (
                "copy_file",
                json!({"src": ".env", "dst": "x"}),
                vec![read(".env"), json!({"path": "x", "op": "update"})],
            ),
            ("read", json!({"path": "x"}), vec![read("x")]),
            ("read", json!({"filePath": "/w/.env"}), vec![read("/w/.env")]),
            ("ls", json!({"path": "x"}), vec![listed("x")]),
            ("view_image", json!({"path": "a.png"}), vec![read("a.png")]),
            ("list_dir", json!({"dir_path": "x"}), vec![listed("x")]),
            ("read_file", json!({"absolute_path": "/x"}), vec![read("/x")]),
            ("read_file", json!({"target_file": "x"}), vec![read("x")]),
            (
                "read_many_files",
                json!({"include": ["a", "**/.env"]}),
                vec![read("**/.env"), read(".env"), read("a")],
            ),
            ("read_many_files", json!({"paths": ["a"], "recursive": true}), vec![read("a")]),
            (
                "grep_search",
                json!({"pattern": "x", "dir_path": "a", "include": "*.rs"}),
                vec![read("*.rs"), read(".rs"), read("a"), read("a/*.rs"), read("a/.rs")],
            ),
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
    fn a_patch_tells_its_files_whatever_stands_around_it() {
        let patch = "*** Begin Patch\n*** Add File: .pi/rules/a.yaml\n+a\n*** End Patch";
        let diff = "--- a/.pi/rules/a.yaml\n+++ b/.pi/rules/a.yaml\n@@ -1 +1 @@\n-a\n+b\n";
        for text in [
            patch.to_owned(),
            format!("<<'EOF'\n{patch}\nEOF"),
            format!("Here it is:\n\n{patch}\n"),
            format!("```diff\n{diff}```\n"),
            patch.replace('\n', "\r\n"),
            patch.replace("***", "  ***"),
        ] {
            for (tool, args) in [
                ("apply_patch", json!({"command": text})),
                ("apply_patch", json!({"input": text})),
                ("apply_patch", json!({"command": ["apply_patch", text]})),
                ("patch", json!({"patchText": text})),
                ("mcp__git__apply", json!({"diff": text})),
                ("mcp__git__apply", json!({"options": {}, "patches": [{"text": text}]})),
            ] {
                let mut event = Event::new(Hook::PreToolCall);
                event.tool = Some(ToolCall { name: tool.into(), args: args.clone(), ..ToolCall::default() });
                let files = admit(event).files;
                assert!(
                    files.iter().any(|file| file["path"] == ".pi/rules/a.yaml"),
                    "{tool} {args}: {files:?}"
                );
            }
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
