//! Laws: what holds for any text.

use mentci_chatmd::{Block, Calls, Document, Element, Node};
use mentci_source::Source;
use proptest::prelude::*;

/// Text that looks like a document: its words are the format's own.
fn shards() -> impl Strategy<Value = String> {
    let words = [
        "<user>",
        "</user>",
        "<user",
        "<tool_response name=\"x\">",
        "</tool_response>",
        "<rules>",
        "</rules>",
        "<on event='a'",
        "<on>",
        "</on>",
        "<insert role=user>",
        "</insert>",
        "<policy>",
        "</policy>",
        "<doc src=\"",
        "/>",
        ">",
        "\"",
        "'",
        "RAW|",
        "|RAW",
        "RAW",
        "|",
        "<!--",
        "-->",
        "&lt;",
        "&",
        ";",
        "&#x3c;",
        "\n",
        "\r\n",
        "\n<",
        " ",
        "<agent src='a'>",
        "</agent>",
        "<reasoning>",
        "<summary>",
        "</summary>",
        "```",
        "`",
        "é",
        "\u{FEFF}",
        "\0",
        "text",
        "=",
        "<",
        "</",
        "<tool name=x>",
        "</tool>",
        "<deny/>",
        "<msg role=\"assistant\">",
        "</msg>",
        "<",
        "<<<",
    ];
    prop::collection::vec(prop::sample::select(words.to_vec()), 0..40).prop_map(|words| words.concat())
}

/// Documents that read as they are meant, in odd writings.
fn documents() -> impl Strategy<Value = String> {
    let text = prop::sample::select(vec![
        "",
        "x",
        "\n",
        "\n\n",
        " a\n  b ",
        "\r\nc\r\n",
        "&lt;",
        "RAW|<user>|RAW",
        "`<doc src=x/>`",
        "```\n<img>\n```",
        "<doc src='a' local/>",
        "<agent src=\"b\" local>\n <doc src=c/> d\n</agent>",
        "<b>",
        "a & b",
    ]);
    let attributes =
        prop::sample::select(vec!["", " a='\"'", " name=x  local", "\n b=\"&lt;\n\"\t", " c=''"]);
    let law = prop::sample::select(vec![
        "<rules/>",
        "<rules><on event='turn_end' id=a if=\"x > 1\"><stop/></on></rules>",
        "<policy>\n<!-- why -->\n\n\n<tool name='x'><requires tools='y'\n/></tool></policy>",
        "<rules><on id=\"b\" a1=\"000000000000000000000000000000000000000\" a2=\"000000000000000000000000000000000000000000\"\ta3=\"1\"><insert role=user>\n  RAW|<b>|RAW\n</insert></on></rules>",
    ]);
    let between = prop::sample::select(vec![
        "",
        "\n",
        "\n\n\n",
        " ",
        "stray",
        "\n  stray\n\nwords\n",
        "<!-- c -->",
        "\r\n",
    ]);
    let names = prop::sample::select(vec![
        "user",
        "assistant",
        "developer",
        "tool_response",
        "config",
        "tool",
        "reasoning",
    ]);
    let message = (names, attributes, text, any::<bool>()).prop_map(|(name, said, text, empty)| {
        if empty { format!("<{name}{said} />") } else { format!("<{name}{said}>{text}</{name}>") }
    });
    let block = prop_oneof![4 => message, 1 => law.prop_map(str::to_owned)];
    prop::collection::vec((block, between), 0..8).prop_map(|parts| {
        parts.into_iter().flat_map(|(block, between)| [block, between.to_owned()]).collect()
    })
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![shards(), any::<String>(), ".*"]
}

fn read(text: &str) -> Document {
    Document::read(&Source::new("a.chatmd", text)).value
}

/// Every node is the text of its span, and children stand in order within their parents.
fn check_spans(text: &str, nodes: &[Node], mut from: u32, end: u32) {
    for node in nodes {
        let span = match node {
            Node::Text(passage) | Node::Raw(passage) | Node::Comment(passage) => passage.span(),
            Node::Block(block) => block.span(),
        };
        assert_eq!(from, span.start, "a gap in {text:?}");
        assert_eq!(&text[span.range()], node.written());
        if let Node::Block(block) = node {
            check_spans(text, block.nodes(), block.inner_span().start, block.inner_span().end);
            let _ = block.text();
        }
        from = span.end;
    }
    assert!(from == end || nodes.is_empty(), "bytes are missing in {text:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn print_is_what_was_read(text in any_text()) {
        let document = read(&text);
        prop_assert_eq!(document.print(), text.as_str());
        check_spans(&text, document.nodes(), 0, u32::try_from(text.len()).unwrap());
    }

    #[test]
    fn any_body_is_one_block(body in any_text(), value in any_text()) {
        let block = Block::new(Element::ToolResponse, [("name", value.as_str())], Some(&body));
        let text = block.text();
        prop_assert_eq!(text.as_str(), body.as_str());
        let read = read(block.written());
        let blocks: Vec<&Block> = read.blocks().collect();
        prop_assert_eq!(blocks.len(), 1, "{}", block.written());
        let text = blocks[0].text();
        prop_assert_eq!(text.as_str(), body.as_str());
        prop_assert_eq!(blocks[0].value("name"), Some(value.as_str()));
        prop_assert_eq!(blocks[0].written(), block.written());
    }

    /// Whatever stands before it, closed or not, a block that is appended on a line of its own brings no other block and no
    /// law: it stands whole, or it is text of what was left open before it.
    #[test]
    fn nothing_forges_after_any_text(before in any_text(), body in any_text()) {
        let mut document = read(&before);
        let written = document.print();
        let added = document.push(Block::new(Element::ToolResponse, [("name", "x")], Some(&body)));
        let text = written + &added;
        prop_assert_eq!(document.print(), text.as_str());
        let after = read(&text);
        let start = text.len() - added.trim_start_matches('\n').len();
        let within: Vec<&Block> =
            after.blocks().filter(|block| block.span().start as usize >= start).collect();
        prop_assert!(within.len() <= 1, "{}", text);
        for block in within {
            prop_assert_eq!(block.element(), Some(Element::ToolResponse));
            let text = block.text();
            prop_assert_eq!(text.as_str(), body.as_str());
        }
    }

    /// Formatting keeps what is said, and formatting again changes nothing.
    #[test]
    fn formatting_says_the_same(text in prop_oneof![documents(), any_text()]) {
        let reading = Document::read(&Source::new("a.chatmd", &text));
        if Document::is_well_formed(&reading.findings) {
            let formatted = reading.value.format();
            let again = read(&formatted);
            prop_assert!(reading.value.says_the_same(&again), "{:?} ==> {:?}", text, formatted);
            prop_assert_eq!(again.format(), formatted.as_str());
        }
    }

    #[test]
    fn calls_are_tied_once(names in prop::collection::vec((any::<bool>(), "[ab]?", "[ab]?"), 0..12)) {
        let mut document = Document::default();
        for (is_call, id, name) in &names {
            let element = if *is_call { Element::ToolCall } else { Element::ToolResponse };
            let said = [("id", id.as_str()), ("name", name.as_str())];
            document.push(Block::new(element, said.into_iter().filter(|(_, value)| !value.is_empty()), Some("{}")));
        }
        let calls = Calls::of(&document);
        let tied = (0..names.len()).filter(|&at| calls.answer_of(at).is_some()).count();
        for at in 0..names.len() {
            if let Some(answer) = calls.answer_of(at) {
                prop_assert!(at < answer);
                prop_assert_eq!(calls.call_of(answer), Some(at));
            }
        }
        let made = names.iter().filter(|(is_call, ..)| *is_call).count();
        prop_assert_eq!(tied + calls.unanswered.len(), made);
        prop_assert_eq!(tied + calls.orphans.len(), names.len() - made);
    }

    #[test]
    fn a_decoded_byte_knows_its_place(body in any_text()) {
        let document = read(&format!("<user>{body}</user>"));
        for block in document.blocks() {
            let decoded = block.text();
            for at in 0..=decoded.as_str().len() {
                prop_assert!(decoded.offset(at) <= document.print().len());
            }
        }
    }
}
