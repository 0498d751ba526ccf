//! What large texts say in short.
#![allow(clippy::disallowed_methods, reason = "a test may read the clock")]

use std::time::Instant;

use insta::assert_snapshot;
use mentci_context::{summarize, summarize_bytes};
use mentci_tokens::{Bytes, Tokenizer, o200k};

fn short(text: &str) -> String {
    let summary = summarize(text, 200, o200k());
    assert!(summary.text.len() < text.len(), "{} is no shorter than {}", summary.text, text.len());
    assert!(o200k().fits(&summary.text, 200), "{}", summary.text);
    summary.text
}

fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(line).collect::<Vec<_>>().concat()
}

#[test]
fn json_tells_its_shape_its_counts_and_its_ends() {
    let item = |n: usize| serde_json::json!({"id": n, "name": format!("user {n}"), "tags": ["a", "b"]});
    let items: Vec<_> = (0..120).map(item).collect();
    let text = serde_json::json!({"total": 120, "next": null, "items": items}).to_string();
    assert_snapshot!(short(&text), @r#"
    json object, 3 keys, 5335 bytes
    shape: {items: [120 x {id: number, name: text, tags: [2]}], next: null, total: number}
    items: 120 items
    next: null
    total: 120
    items[0] {"id":0,"name":"user 0","tags":["a","b"]}
    items[1] {"id":1,"name":"user 1","tags":["a","b"]}
    items[2] {"id":2,"name":"user 2","tags":["a","b"]}
    items[118] {"id":118,"name":"user 118","tags":["a","b"]}
    items[119] {"id":119,"name":"user 119","tags":["a","b"]}
    "#);
    let text = serde_json::Value::from(items).to_string();
    assert_snapshot!(short(&text), @r#"
    json list, 120 items, 5301 bytes
    shape: {id: number, name: text, tags: [2 x text]}
    [0] {"id":0,"name":"user 0","tags":["a","b"]}
    [1] {"id":1,"name":"user 1","tags":["a","b"]}
    [2] {"id":2,"name":"user 2","tags":["a","b"]}
    [118] {"id":118,"name":"user 118","tags":["a","b"]}
    [119] {"id":119,"name":"user 119","tags":["a","b"]}
    "#);
}

#[test]
fn numbers_are_told_with_the_digits_that_they_came_with() {
    let pad = "lorem ipsum ".repeat(200);
    let text = format!(
        r#"{{"id": 98765432109876543210987, "is": "1.10", "items": [2.50, {{"w": 1E+2}}], "pad": "{pad}", "price": -0.50}}"#
    );
    let told = short(&text);
    for line in [
        "shape: {id: number, is: text, items: [2 x number], pad: text, price: number}",
        "id: 98765432109876543210987",
        "is: \"1.10\"",
        "items[0] 2.50",
        "items[1] {\"w\":1E+2}",
        "price: -0.50",
    ] {
        assert!(told.lines().any(|one| one == line), "{line}\n{told}");
    }
    let told = short(&format!("[{}1.0]", "0.10, ".repeat(300)));
    assert!(told.contains("[0] 0.10\n") && told.contains("[300] 1.0"), "{told}");
}

#[test]
fn json_lines_tell_their_keys() {
    let text = lines(500, |n| format!("{{\"at\": {n}, \"event\": \"tick\"}}\n"));
    assert_snapshot!(short(&(text + "{\"at\": 500, \"error\": \"gone\"}\n")), @r#"
    json lines, 501 lines, 14 KB
    shape: {at: number, event: text}
    keys: at 501, error 1, event 500
    first: {"at": 0, "event": "tick"}
    last: {"at": 500, "error": "gone"}
    "#);
}

#[test]
fn a_log_tells_its_levels_its_first_error_and_its_end() {
    let line = |n| match n {
        40 => "2026-03-02T10:00:40Z ERROR worker: job 40 failed: connection refused\n".to_owned(),
        n => format!("2026-03-02T10:{:02}:{:02}Z INFO worker: job {n} done\n", n / 60, n % 60),
    };
    let end = "2026-03-02T11:00:00Z WARN worker: draining\n2026-03-02T11:00:01Z ERROR worker: 1 job lost\n\
               2026-03-02T11:00:02Z INFO worker: stopped\n";
    assert_snapshot!(short(&(lines(400, line) + end)), @r"
    log, 403 lines, 2 errors, 1 warning, 400 info
    first error: 2026-03-02T10:00:40Z ERROR worker: job 40 failed: connection refused
    last error: 2026-03-02T11:00:01Z ERROR worker: 1 job lost
    first: 2026-03-02T10:00:00Z INFO worker: job 0 done
    end: 2026-03-02T11:00:00Z WARN worker: draining
    end: 2026-03-02T11:00:01Z ERROR worker: 1 job lost
    end: 2026-03-02T11:00:02Z INFO worker: stopped
    ");
}

#[test]
fn a_diff_tells_its_files_and_where() {
    let hunk = " context that does not matter here\n".repeat(30);
    let text = format!(
        "diff --git a/src/a.rs b/src/a.rs\nindex 1..2 100644\n--- a/src/a.rs\n+++ b/src/a.rs\n\
         @@ -1,32 +1,32 @@ fn main() {{\n{hunk}-old\n--- looks like a head\n+new\n+++ newer\n\
         diff --git a/gone.txt b/gone.txt\ndeleted file mode 100644\n--- a/gone.txt\n+++ /dev/null\n\
         @@ -1,2 +0,0 @@\n-a\n-b\n"
    );
    assert_snapshot!(short(&text), @r"
    diff, 2 files, +2 -4, 2 hunks
    src/a.rs +2 -2
      @@ -1,32 +1,32 @@ fn main() {
    gone.txt +0 -2
      @@ -1,2 +0,0 @@
    ");
}

#[test]
fn a_search_tells_its_files_and_first_hits() {
    let text = lines(90, |n| format!("src/part_{}.rs:{}:    let value = compile({n});\n", n % 4, n + 1));
    assert_snapshot!(short(&text), @r"
    search, 90 hits in 4 files
    src/part_0.rs 23
    src/part_1.rs 23
    src/part_2.rs 22
    src/part_3.rs 22
    src/part_0.rs:1: let value = compile(0);
    src/part_1.rs:2: let value = compile(1);
    src/part_2.rs:3: let value = compile(2);
    src/part_3.rs:4: let value = compile(3);
    src/part_0.rs:5: let value = compile(4);
    src/part_1.rs:6: let value = compile(5);
    src/part_2.rs:7: let value = compile(6);
    src/part_3.rs:8: let value = compile(7);
    ");
}

#[test]
fn code_tells_its_outline() {
    let body = "        let value = self.value + 1;\n".repeat(20);
    let text = format!(
        "use std::fmt;\n\n/// Counts.\npub struct Counter {{\n    value: u64,\n}}\n\nimpl Counter {{\n    \
         pub fn next(&mut self) -> u64 {{\n{body}    }}\n\n    fn reset(&mut self) {{\n{body}    }}\n}}\n\n\
         fn main() {{\n{body}}}\n"
    );
    assert_snapshot!(short(&text), @r"
    code, 77 lines, 5 definitions
    4: pub struct Counter
    8: impl Counter
    9:   pub fn next(&mut self) -> u64
    32:   fn reset(&mut self)
    56: fn main()
    ");
    let text = format!(
        "import os\n\nclass Store:\n    def get(self, key):\n{body}\n    async def put(self, key):\n{body}\n\
         def main():\n{body}"
    );
    assert_snapshot!(short(&text), @r"
    code, 68 lines, 4 definitions
    3: class Store
    4:   def get(self, key)
    26:   async def put(self, key)
    48: def main()
    ");
}

#[test]
fn a_table_tells_its_columns_and_ends() {
    let text = lines(200, |n| format!("{n},item {n},{}\n", n * 3));
    assert_snapshot!(short(&format!("id,name,price\n{text}")), @r"
    table, 200 rows, 3 columns
    id,name,price
    0,item 0,0
    1,item 1,3
    2,item 2,6
    …
    198,item 198,594
    199,item 199,597
    ");
    let text = lines(50, |n| format!("| {n} | item {n} |\n"));
    assert_snapshot!(short(&format!("| id | name |\n|---|---|\n{text}")), @r"
    table, 50 rows, 2 columns
    | id | name |
    | 0 | item 0 |
    | 1 | item 1 |
    | 2 | item 2 |
    …
    | 48 | item 48 |
    | 49 | item 49 |
    ");
}

#[test]
fn a_run_of_tests_tells_what_failed() {
    let passed = lines(100, |n| format!("test unit::case_{n} ... ok\n"));
    let text = format!(
        "running 102 tests\n{passed}test unit::reads ... FAILED\ntest unit::writes ... FAILED\n\nfailures:\n\n\
         ---- unit::reads stdout ----\nthread 'unit::reads' panicked at src/unit.rs:3:9:\n\
         assertion `left == right` failed\n  left: 1\n right: 2\n\n\
         test result: FAILED. 100 passed; 2 failed; 0 ignored\n"
    );
    assert_snapshot!(short(&text), @r"
    errors and tests, 113 lines, 2 failing tests, 100 passing tests
    thread 'unit::reads' panicked at src/unit.rs:3:9:
    assertion `left == right` failed
      left: 1
     right: 2
    test unit::reads ... FAILED
    test unit::writes ... FAILED
    test result: FAILED. 100 passed; 2 failed; 0 ignored
    ");
}

#[test]
fn a_stack_tells_what_was_raised() {
    let frames = lines(40, |n| format!("  File \"/srv/app/part_{n}.py\", line {n}, in call\n    call()\n"));
    let text = format!("Traceback (most recent call last):\n{frames}ValueError: the port 80 is taken\n");
    assert_snapshot!(short(&text), @r#"
    errors and tests, 82 lines, 1 error, 40 frames
    Traceback (most recent call last):
      File "/srv/app/part_0.py", line 0, in call
        call()
      File "/srv/app/part_1.py", line 1, in call
    end: ValueError: the port 80 is taken
    "#);
}

#[test]
fn a_compiler_tells_its_first_error() {
    let warnings = "warning: unused variable: `x`\n --> src/a.rs:1:1\n".repeat(30);
    let text = format!(
        "{warnings}error[E0425]: cannot find value `y` in this scope\n --> src/main.rs:2:5\n  |\n2 |     y\n  |     ^ not found\n\n\
         error: could not compile `a` (bin \"a\") due to 1 previous error; 30 warnings emitted\n"
    );
    assert_snapshot!(short(&text), @r#"
    errors and tests, 67 lines, 1 error, 30 warnings
    error[E0425]: cannot find value `y` in this scope
     --> src/main.rs:2:5
      |
    2 |     y
    error: could not compile `a` (bin "a") due to 1 previous error; 30 warnings emitted
    "#);
}

#[test]
fn prose_tells_its_headings_and_its_beginning() {
    let text = "Each part of the engine does one thing and hands on what it made.\n".repeat(30);
    let text = format!(
        "# The engine\n\n{text}\n## Building\n\n{text}\n```sh\n# not a heading\n```\n## Running\n\n{text}"
    );
    assert_snapshot!(short(&text), @r"
    text, 101 lines, 1273 words
    Each part of the engine does one thing and hands on what it made.
    # The engine
    ## Building
    ## Running
    Each part of the engine does one thing and hands on what it made.
    Each part of the engine does one thing and hands on what it made.
    Each part of the engine does one thing and hands on what it made.
    ");
}

#[test]
fn what_is_of_no_kind_tells_its_ends() {
    assert_snapshot!(short(&lines(300, |n| format!("entry_{n}\n"))), @r"
    text, 300 lines, 2890 bytes
    entry_0
    entry_1
    entry_2
    entry_3
    entry_4
    …
    entry_298
    entry_299
    ");
}

#[test]
fn binary_content_tells_its_type_and_size() {
    let png = [b"\x89PNG\r\n\x1a\n".as_slice(), &[0; 5000]].concat();
    let summary = summarize_bytes(&png, 200, &Bytes);
    assert_eq!(summary.mime_type, "image/png");
    assert_snapshot!(summary.text, @r"
    binary, image/png, 5008 bytes
    starts with 89 50 4e 47 0d 0a 1a 0a 00 00 00 00 00 00 00 00
    ");
}

#[test]
fn a_summary_fits_however_little_room_there_is() {
    let text = "2026-03-02T10:00:00Z INFO worker: job done\n".repeat(100);
    for tokens in 0..60 {
        assert!(o200k().fits(&summarize(&text, tokens, o200k()).text, tokens));
        assert!(summarize(&text, tokens, &Bytes).text.len() <= tokens);
    }
    assert_eq!(summarize("", 200, &Bytes).text, "");
    assert!(summarize("ab", 200, &Bytes).text.len() < 2);
}

#[test]
fn ten_megabytes_of_one_line_take_no_longer_than_of_many() {
    let texts = ["x", "a,", "at: ", "[", "\n", "1:1:", "{\"a\":", "-", "E 10:00 "];
    for text in texts.map(|part| part.repeat((10 << 20) / part.len())) {
        let begun = Instant::now();
        summarize(&text, 200, &Bytes);
        assert!(begun.elapsed().as_secs() < 10, "{:?} took {:?}", &text[..8], begun.elapsed());
    }
}
