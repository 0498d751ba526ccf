//! What a document declares: settings, tools, imports, and what is said of odd ones.

use mentci_chatmd::{
    Block, Config, Declarations, Document, Embedded, ReasoningEffort, ToolKind, command_words,
};
use mentci_source::{Reading, Source};

fn declared(text: &str) -> Reading<Declarations> {
    let source = Source::new("a.chatmd", text);
    Declarations::read(&source, &Document::read(&source).value)
}

fn told(reading: &Reading<Declarations>) -> String {
    reading.findings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

fn findings(text: &str) -> String {
    told(&declared(text))
}

#[test]
fn settings() {
    let reading = declared(
        "<config model=\"gpt-5\"  max_tokens=\"100_000\" temperature=0.2 reasoning_effort='low' show/>\n<user/>",
    );
    assert_eq!(
        reading.value.config,
        Config {
            model: Some("gpt-5".to_owned()),
            max_tokens: Some(100_000),
            temperature: Some(0.2),
            reasoning_effort: Some(ReasoningEffort::Low),
            show_tool_call: true,
            ..Config::default()
        }
    );
    assert_eq!(reading.findings, []);
}

#[test]
fn each_kind_of_tool() {
    let reading = declared(
        "<tool name=\"read_file\" roots=\"src, docs\"/>\n\
         <tool name=\"log\" command=\"git log --format='%h %s'\" description=\"the history\" local/>\n\
         <tool mcp_server=\"stdio:npx -y some-server\" include=\"a,b\" name=\"c\"/>\n\
         <tool mcp_server=\"https://example.com/mcp\"/>\n\
         <tool name=\"research\" agent=\"./research.md\" local>\n  Looks things up.\n</tool>\n\
         <tool name=\"up\" args_schema=\"{text:string}\">To UPPER</tool>",
    );
    insta::assert_debug_snapshot!(
        reading.value.tools.iter().map(|tool| (&tool.name, &tool.kind, &tool.description)).collect::<Vec<_>>(),
        @r#"
    [
        (
            Some(
                "read_file",
            ),
            Builtin,
            None,
        ),
        (
            Some(
                "log",
            ),
            Command {
                words: [
                    "git",
                    "log",
                    "--format=%h %s",
                ],
            },
            Some(
                "the history",
            ),
        ),
        (
            None,
            Mcp {
                server: Stdio {
                    words: [
                        "npx",
                        "-y",
                        "some-server",
                    ],
                },
                include: [
                    "a",
                    "b",
                    "c",
                ],
            },
            None,
        ),
        (
            None,
            Mcp {
                server: Http {
                    url: "https://example.com/mcp",
                },
                include: [],
            },
            None,
        ),
        (
            Some(
                "research",
            ),
            Agent {
                src: "./research.md",
            },
            Some(
                "Looks things up.",
            ),
        ),
        (
            Some(
                "up",
            ),
            Builtin,
            Some(
                "To UPPER",
            ),
        ),
    ]
    "#
    );
    assert_eq!(reading.value.tools[0].roots, ["src", "docs"]);
    assert_eq!(reading.value.tools[5].args_schema.as_deref(), Some("{text:string}"));
    assert_eq!(reading.findings, []);
    let named = |name| reading.value.tool(name).map(|tool| &tool.kind);
    assert!(matches!(named("b"), Some(ToolKind::Mcp { .. })));
    assert!(matches!(named("up"), Some(ToolKind::Builtin)));
    assert_eq!(named("d"), None);
}

#[test]
fn odd_settings() {
    insta::assert_snapshot!(findings(
        "<config modell=\"m\" max_tokens=\"many\" temperature=\"3\" reasoning_effort=\"hihg\" show=\"maybe\"/>\n<config model=\"n\" model=\"o\"/>"
    ), @r"
    a.chatmd:1:9: warning[E0268]: unknown attribute `modell`
      help: did you mean `model`?
    a.chatmd:1:20: warning[E0268]: `max_tokens` must be a number of tokens, from 1, not `many`
      help: it is left out
    a.chatmd:1:38: warning[E0268]: `temperature` must be a number from 0 to 2, not `3`
      help: it is left out
    a.chatmd:1:54: warning[E0268]: `reasoning_effort` must be `none`, `minimal`, `low`, `medium`, `high` or `xhigh`, not `hihg`
      help: it is left out
    a.chatmd:1:78: warning[E0268]: `show` must be `true` or `false`, not `maybe`
      help: it is left out
    a.chatmd:2:1: warning[E0269]: a second `<config>`
      help: the first that says a setting stands
    a.chatmd:2:19: warning[E0268]: `model` is said twice
      help: the first one stands
    ");
}

#[test]
fn odd_tools() {
    insta::assert_snapshot!(findings(
        "<tool/>\n<tool name=\"a\"/>\n<tool name=\"a\" command=\"b\"/>\n<tool name=\"c\" command=\"ls | wc\"/>\n\
         <tool name=\"d\" command=\"\"/>\n<tool name=\"e\" command=\"echo 'x\"/>\n<tool mcp_server=\"npx server\"/>\n\
         <tool mcp_server=\"stdio:\"/>\n<tool name=\"f\" agent/>\n<tool name=\"g\" agent=\"x.md\" command=\"y\"/>\n\
         <tool name=\"h\" comand=\"z\" timeout_seconds=\"0\"/>\n<import/>\n<import source=\"a.md\"/>"
    ), @r#"
    a.chatmd:1:1: warning[E0268]: this `<tool>` has no name
      help: write `name="…"`, by which the agent calls it; it is left out
    a.chatmd:3:1: warning[E0269]: the tool `a` is declared twice
      help: the first one stands
    a.chatmd:4:16: warning[E0268]: `|` means something to a shell, and no shell runs this command
      help: quote it, or put the line into a script and name that; the tool is left out
    a.chatmd:5:16: warning[E0268]: the command is empty
      help: name a program; the tool is left out
    a.chatmd:6:16: warning[E0268]: the command's quote `'` is never closed
      help: close it; the tool is left out
    a.chatmd:7:7: warning[E0268]: `npx server` is no server
      help: write `stdio:PROGRAM ARGUMENTS…` or `https://…`; the tools of it are left out
    a.chatmd:8:7: warning[E0268]: the command is empty
      help: name a program; the tool is left out
    a.chatmd:9:16: warning[E0268]: `agent` names no document
      help: write `agent="reviewer.chatmd"`; the tool is left out
    a.chatmd:10:1: warning[E0268]: this `<tool>` is both `command` and `agent`
      help: declare two tools; this one is left out
    a.chatmd:11:16: warning[E0268]: unknown attribute `comand`
      help: did you mean `command`?
    a.chatmd:11:27: warning[E0268]: `timeout_seconds` must be a number of seconds, from 1, not `0`
      help: it is left out
    a.chatmd:12:1: warning[E0268]: this `<import>` names no file
      help: write `<import src="tools.chatmd"/>`
    a.chatmd:13:1: warning[E0268]: this `<import>` names no file
      help: write `<import src="tools.chatmd"/>`
    a.chatmd:13:9: warning[E0268]: unknown attribute `source`
      help: `<import>` knows `src`, `file`, `local`
    "#);
}

#[test]
fn what_is_declared_late_has_no_force() {
    let reading = declared("<user>hi</user>\n<tool name=\"sh\" command=\"sh -c\"/>\n<config model=\"m\"/>");
    assert_eq!(reading.value, Declarations::default());
    insta::assert_snapshot!(told(&reading), @r"
    a.chatmd:2:1: warning[E0280]: this `<tool>` stands after the first message and has no force
      help: move it into the document's head, before the first message
    a.chatmd:3:1: warning[E0280]: this `<config>` stands after the first message and has no force
      help: move it into the document's head, before the first message
    ");
}

#[test]
fn what_a_document_says_stands_before_what_it_imports() {
    let mut own = declared("<config model=\"m\"/><tool name=\"a\" command=\"x\"/>").value;
    own.import(declared("<config model=\"n\" max_tokens=\"5\"/><tool name=\"a\"/><tool name=\"b\"/>").value);
    assert_eq!((own.config.model.as_deref(), own.config.max_tokens), (Some("m"), Some(5)));
    let names: Vec<Option<&str>> = own.tools.iter().map(|tool| tool.name.as_deref()).collect();
    assert_eq!(names, [Some("a"), Some("b")]);
    assert!(matches!(own.tools[0].kind, ToolKind::Command { .. }));
}

#[test]
fn imports_are_named_in_two_ways() {
    let reading = declared(
        "<import src=\"./a.md\" local/>\n<import file=\"b.md\"/>\n<import src=\"https://example.com/c.md\"/>",
    );
    let imports: Vec<(&str, bool)> =
        reading.value.imports.iter().map(|import| (import.src.as_str(), import.is_remote())).collect();
    assert_eq!(imports, [("./a.md", false), ("b.md", false), ("https://example.com/c.md", true)]);
    assert_eq!(reading.findings, []);
}

#[test]
fn what_a_text_embeds() {
    let text = "<user><doc src=\"a.md\" local strip/><img src='b.png'/><agent src=\"c.md\" local>do</agent><doc/></user>";
    let document = Document::read(&Source::new("a.chatmd", text)).value;
    let embedded: Vec<Embedded> =
        document.blocks().flat_map(Block::children).filter_map(Embedded::of).collect();
    assert!(matches!(&embedded[0], Embedded::Doc { from, strip: true } if from.src == "a.md"));
    assert!(matches!(&embedded[1], Embedded::Img(from) if from.src == "b.png"));
    assert!(matches!(&embedded[2], Embedded::Agent(from) if from.src == "c.md"));
    assert_eq!(embedded.len(), 3);
}

#[test]
fn words_of_commands() {
    let cases: &[(&str, &[&str])] = &[
        ("git log", &["git", "log"]),
        ("  a   'b c'  \"d\" ", &["a", "b c", "d"]),
        ("a ''", &["a", ""]),
        ("a --x='y z'", &["a", "--x=y z"]),
        ("grep '|' f", &["grep", "|", "f"]),
    ];
    for (command, words) in cases {
        assert_eq!(command_words(command).unwrap(), *words, "{command}");
    }
    for odd in ["", "  ", "'a", "a | b", "a && b", "a; b", "a > b", "a $HOME", "a `b`"] {
        assert!(command_words(odd).is_err(), "{odd}");
    }
}

/// A quote of double ones that people escape with a backslash, as in JSON.
#[test]
fn a_backslash_spares_a_quote_where_the_tag_reads_no_other_way() {
    let reading = declared(
        "<tool name=\"search\" command=\"search\" description=\"pass\n{\\\"search\\\": [\\\"query\\\"]}\" />\n<tool name=\"next\"/>",
    );
    assert_eq!(reading.value.tools[0].description.as_deref(), Some("pass\n{\"search\": [\"query\"]}"));
    assert_eq!(reading.value.tools[1].name.as_deref(), Some("next"));
    let plain = declared("<tool name=\"a\" command='dir C:\\' description=\"C:\\\"/>");
    assert_eq!(plain.value.tools[0].description.as_deref(), Some("C:\\"));
}
