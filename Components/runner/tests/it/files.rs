//! Tools on files: which paths they take, and what rules read of them.

use insta::assert_snapshot;
use serde_json::json;

use crate::stage::{Stage, calls, document, says};

#[test]
fn a_path_says_the_same_to_the_tool_and_to_the_rules() {
    let head = r#"<tool name="write_file" roots="src,docs"/>
<tool name="read_dir" roots="src"/>
<tool name="apply_patch" roots="src"/>
<rules>
<on id="kept" event="pre_tool_call" if='any(f.path == "src/kept.rs" for f in event.files)'><deny reason="`src/kept.rs` stays as it is"/></on>
</rules>"#;
    let patch =
        "*** Begin Patch\n*** Add File: src/./new.rs\n+a\n*** Add File: src/in/other.rs\n+b\n*** End Patch";
    // Calls of one reply run side by side.
    let replies = vec![
        calls([("read_dir", json!({}))]),
        calls([
            ("write_file", json!({"path": "src/kept.rs", "content": "x"})),
            ("write_file", json!({"path": "src/../src/free.rs", "content": "x"})),
            ("write_file", json!({"path": "kept.rs", "content": "x"})),
            ("apply_patch", json!({"input": patch})),
            ("write_file", json!({"path": "docs/a.md", "content": "x"})),
        ]),
        says("Done."),
    ];
    let stage = Stage::new(&document(head), replies);
    stage.write("src/kept.rs", "1");
    stage.write("docs/b.md", "1");
    assert_snapshot!(stage.transcript(), @r#"
    <tool_call id="c0" name="read_dir">
    {}
    </tool_call>
    <tool_response id="c0" name="read_dir" status="success">
    kept.rs
    </tool_response>
    <tool_call id="call_2" name="write_file">
    {"content":"x","path":"src/kept.rs"}
    </tool_call>
    <tool_call id="c1" name="write_file">
    {"content":"x","path":"src/../src/free.rs"}
    </tool_call>
    <tool_call id="c2" name="write_file">
    {"content":"x","path":"kept.rs"}
    </tool_call>
    <tool_call id="c3" name="apply_patch">
    {"input":"*** Begin Patch\n*** Add File: src/./new.rs\n+a\n*** Add File: src/in/other.rs\n+b\n*** End Patch"}
    </tool_call>
    <tool_call id="c4" name="write_file">
    {"content":"x","path":"docs/a.md"}
    </tool_call>
    <tool_response id="call_2" name="write_file" status="error" denied="policy" via_rule="kept">
    `src/kept.rs` stays as it is
    </tool_response>
    <tool_response id="c1" name="write_file" status="success">
    wrote `src/free.rs`
    </tool_response>
    <tool_response id="c2" name="write_file" status="error">
    `kept.rs` lies outside of what this tool may reach: `src`, `docs`
    </tool_response>
    <tool_response id="c3" name="apply_patch" status="success">
    added `src/new.rs`
    added `src/in/other.rs`
    </tool_response>
    <tool_response id="c4" name="write_file" status="success">
    wrote `docs/a.md`
    </tool_response>
    <assistant>
    Done.
    </assistant>
    "#);
    let mut left: Vec<_> = walk(&stage.path(""));
    left.retain(|path| !path.starts_with(".mentci/"));
    assert_snapshot!(left.join("\n"), @r"
    a.chatmd
    docs/a.md
    docs/b.md
    src/free.rs
    src/in/other.rs
    src/kept.rs
    src/new.rs
    ");
    assert_snapshot!(stage.model.asked.lock().unwrap()[0].tools[0].description.clone().unwrap_or_default(), @r"Writes a text file, new or in the place of what stands there. Paths lie in `src`, `docs`.");
}

fn walk(folder: &std::path::Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(next) = waiting.pop() {
        for entry in std::fs::read_dir(next).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                waiting.push(path);
            } else {
                found.push(path.strip_prefix(folder).unwrap().to_string_lossy().into_owned());
            }
        }
    }
    found.sort();
    found
}
