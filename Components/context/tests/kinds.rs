//! What texts are, and what they are not.

use mentci_context::ContentKind::{self, *};

/// What a text is, what it is called here, and the text.
const TEXTS: &[(ContentKind, &str, &str)] = &[
    (Json, "an object", "{\n  \"name\": \"mentci\",\n  \"items\": [1, 2, 3]\n}\n"),
    (Json, "a list", "[{\"id\": 1}, {\"id\": 2}]"),
    (Text, "a cut object", "{\"name\": \"ment"),
    (Text, "a template", "{{ name }}"),
    (JsonLines, "events", "{\"at\":1,\"event\":\"start\"}\n{\"at\":2,\"event\":\"stop\"}\n"),
    (JsonLines, "lists", "[1,2]\n[3,4]\n[5,6]\n"),
    (
        Diff,
        "git's",
        "diff --git a/src/a.rs b/src/a.rs\nindex 83db48f..bf269f4 100644\n--- a/src/a.rs\n+++ b/src/a.rs\n@@ -1,3 +1,4 @@ fn main() {\n line\n-old\n+new\n+newer\n line\n",
    ),
    (Diff, "plain", "--- old.txt\t2026-01-01\n+++ new.txt\t2026-01-02\n@@ -1 +1 @@\n-a\n+b\n"),
    (Text, "a list with dashes", "- one\n- two\n+ three\n"),
    (
        Search,
        "grep -rn",
        "src/lib.rs:12:pub fn compile() {\nsrc/lib.rs:40:    compile();\ntests/a.rs:3:use compile;\n",
    ),
    (Search, "rg with gaps", "src/lib.rs:12:pub fn compile() {\n--\ntests/a.rs:3:use compile;\n"),
    (Text, "times of day", "lunch 12:30:00\ndinner 19:00:00\n"),
    (
        Log,
        "iso times",
        "2026-03-02T10:00:00.123Z INFO server: listening\n2026-03-02T10:00:01.001Z WARN pool: slow\n2026-03-02T10:00:02.500Z ERROR db: lost\n",
    ),
    (
        Log,
        "python's",
        "2026-03-02 10:00:00,123 - root - INFO - started\n2026-03-02 10:00:01,456 - root - ERROR - failed\n2026-03-02 10:00:02,456 - root - INFO - stopped\n",
    ),
    (
        Log,
        "syslog",
        "Mar  2 10:00:00 host sshd[123]: Accepted publickey\nMar  2 10:00:01 host sshd[123]: session opened\n",
    ),
    (
        Log,
        "a web server's",
        "127.0.0.1 - - [10/Oct/2025:13:55:36 +0000] \"GET / HTTP/1.1\" 200 2326\n127.0.0.1 - - [10/Oct/2025:13:55:37 +0000] \"GET /a HTTP/1.1\" 404 12\n",
    ),
    (Log, "levels in brackets", "[INFO] starting\n[INFO] reading\n[WARN] retrying\n[ERROR] gave up\n"),
    (Log, "go's", "2026/03/02 10:00:00 listening\n2026/03/02 10:00:01 accepted\n"),
    (
        Trace,
        "python",
        "Traceback (most recent call last):\n  File \"a.py\", line 3, in <module>\n    f()\n  File \"a.py\", line 2, in f\n    raise ValueError(\"no\")\nValueError: no\n",
    ),
    (
        Trace,
        "rustc",
        "error[E0308]: mismatched types\n --> src/main.rs:2:5\n  |\n2 |     1\n  |     ^ expected `()`, found integer\n\nerror: could not compile `a` (bin \"a\") due to 1 previous error\n",
    ),
    (
        Trace,
        "cargo test",
        "running 2 tests\ntest a::works ... ok\ntest a::fails ... FAILED\n\nfailures:\n\ntest result: FAILED. 1 passed; 1 failed; 0 ignored\n",
    ),
    (
        Trace,
        "gcc",
        "main.c: In function 'main':\nmain.c:3:5: error: 'x' undeclared (first use in this function)\n    3 |     x = 1;\nmain.c:5:1: warning: control reaches end\n",
    ),
    (
        Trace,
        "tsc",
        "src/a.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.\nsrc/b.ts(9,1): error TS2304: Cannot find name 'x'.\n",
    ),
    (
        Trace,
        "java",
        "Exception in thread \"main\" java.lang.NullPointerException\n\tat com.example.A.run(A.java:10)\n\tat com.example.A.main(A.java:5)\n\tat java.base/x.y(Z.java:1)\n",
    ),
    (
        Trace,
        "node",
        "TypeError: Cannot read properties of undefined (reading 'a')\n    at f (/srv/app/index.js:3:9)\n    at Object.<anonymous> (/srv/app/index.js:6:1)\n    at node:internal/main/run_main_module:28:49\n",
    ),
    (
        Trace,
        "pytest",
        "============ test session starts ============\ncollected 3 items\n\ntests/test_a.py ..F\n\nFAILED tests/test_a.py::test_c - assert 1 == 2\n======= 1 failed, 2 passed in 0.12s =======\n",
    ),
    (
        Trace,
        "go test",
        "=== RUN   TestA\n--- FAIL: TestA (0.00s)\n    a_test.go:5: got 1\nFAIL\nFAIL\texample.com/a\t0.003s\n",
    ),
    (
        Trace,
        "a rust panic",
        "thread 'main' panicked at src/main.rs:2:5:\nindex out of bounds\nnote: run with `RUST_BACKTRACE=1`\n",
    ),
    (Table, "csv", "name,age,city\nAnn,31,Bern\nBob,28,Rome\n\"Lee, C.\",40,Oslo\n"),
    (
        Table,
        "csv with times",
        "time,level,value\n2026-01-01T10:00:00,3,4\n2026-01-01T10:00:01,3,5\n2026-01-01T10:00:02,1,6\n",
    ),
    (Table, "tsv", "id\tname\n1\tAnn\n2\tBob\n3\tCy\n"),
    (Table, "markdown", "| Name | Age |\n|------|-----|\n| Ann | 31 |\n| Bob | 28 |\n"),
    (
        Table,
        "kubectl",
        "NAME                     READY   STATUS    RESTARTS   AGE\nweb-5c9c7f-abcde         1/1     Running   0          3d\ndb-0                     0/1     Pending   2          1h\n",
    ),
    (
        Table,
        "ls -l",
        "-rw-r--r-- 1 ann ann  1024 Jan  1 10:00 a.txt\ndrwxr-xr-x 2 ann ann  4096 Jan  1 10:00 src\n",
    ),
    (
        Prose,
        "sentences with commas",
        "When it rains, it pours, they say.\nWhen it snows, it stays, they hope.\nWhen it blows, it goes, they fear.\n",
    ),
    (
        Code,
        "rust",
        "use std::fmt;\n\n/// A point.\npub struct Point {\n    x: i32,\n    y: i32,\n}\n\nimpl Point {\n    pub fn new() -> Self {\n        Self { x: 0, y: 0 }\n    }\n}\n",
    ),
    (
        Code,
        "python",
        "import os\n\n\nclass A:\n    def run(self, x):\n        return os.path.join(x)\n\n\ndef main():\n    A().run(\"a\")\n",
    ),
    (
        Code,
        "javascript",
        "import x from 'x';\n\nexport function run(a) {\n  const b = a + 1;\n  return b;\n}\n",
    ),
    (Code, "go", "package main\n\nimport \"fmt\"\n\nfunc main() {\n\tfmt.Println(\"hi\")\n}\n"),
    (Code, "c", "#include <stdio.h>\n\nstruct a {\n  int b;\n};\n\nint main(void) {\n  return 0;\n}\n"),
    (
        Prose,
        "an email about code",
        "Dear all, the class of people who use this type of thing is small.\nPlease import the goods from the port before the end of the week.\n",
    ),
    (
        Prose,
        "markdown",
        "# Title\n\nThis page tells how the engine is built and run.\n\n## Building\n\nInstall the tools that are named below, then build.\n",
    ),
    (Prose, "one sentence", "The quick brown fox jumps over the lazy dog."),
    (Prose, "japanese", "これは日本語の文章です。とても短いです。\n二つ目の文もここにあります。\n"),
    (Text, "one word", "ok"),
    (Text, "nothing", ""),
    (Text, "names of files", "Cargo.toml\nREADME.md\nsrc\n"),
    (Text, "a hash", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    (Binary, "NUL", "abc\0def"),
    (Binary, "not read", "\u{fffd}\u{fffd}\u{1}\u{2}PNG"),
];

#[test]
fn each_text_is_what_it_is_and_nothing_else() {
    let wrong: Vec<String> = TEXTS
        .iter()
        .filter(|(kind, _, text)| ContentKind::of(text) != *kind)
        .map(|(kind, name, text)| format!("{name}: {:?}, not {kind:?}", ContentKind::of(text)))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_kind_does_not_change_with_length() {
    for (kind, name, text) in
        TEXTS.iter().filter(|(kind, ..)| matches!(kind, Log | Search | JsonLines | Prose))
    {
        assert_eq!(ContentKind::of(&text.repeat(300)), *kind, "{name}");
    }
}

#[test]
fn bytes_are_told_by_how_they_begin() {
    assert_eq!(ContentKind::of_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"), Binary);
    assert_eq!(ContentKind::of_bytes(b"%PDF-1.7\n1 0 obj"), Binary);
    assert_eq!(ContentKind::of_bytes(b"[1, 2, 3]"), Json);
    assert_eq!(ContentKind::of_bytes(b"caf\xe9 is nearly all of what this sentence says"), Prose);
}
