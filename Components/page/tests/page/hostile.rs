//! What others wrote is never markup.

use mentci_chatmd::{Block, Document, Element};
use mentci_page::{RuleTexts, page};
use mentci_source::Source;
use proptest::prelude::*;

use super::{is_clean, rendered};

const HOSTILE: &[&str] = &[
    "<script>alert(1)</script>",
    "</style><script>alert(1)</script>",
    "</title><script>",
    "\"><img src=x onerror=alert(1)>",
    "' onmouseover='alert(1)",
    "<svg/onload=alert(1)>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "[x](\u{1}javascript:alert(1))",
    "[x](vbscript:x)",
    "[x](//example.com)",
    "![x](http://example.com/pixel.png)",
    "![x](\"onerror=\"alert(1))",
    "<javascript:alert(1)>",
    "[a]: javascript:alert(1)\n\n[a]",
    "```\"><script>\nx\n```",
    "```</pre><script>\nx\n```",
    "`</code><script>`",
    "| <b> | x |\n|---|---|\n| <script> | y |",
    "1. a\n99999999. b",
    "&lt;script&gt;",
    "&#60;script&#62;",
    "<!-- --><script>",
    "]]><script>",
    "\0<\0script>",
    "\u{202e}gpj.exe",
    "<details open ontoggle=alert(1)>",
    "<style>*{display:none}</style>",
    "<base href=//example.com>",
    "</article></main></body></html><script>",
    "[x](https://example.com/\"onclick=\"alert(1))",
    "<https://example.com/'onclick='alert(1)>",
    "# <script>\n## </h2><script>\n- [ ] <script>",
];

#[test]
fn nothing_of_a_transcript_is_markup() {
    let elements = [
        Element::Assistant,
        Element::User,
        Element::ToolCall,
        Element::ToolResponse,
        Element::Note,
        Element::Compaction,
        Element::RuleEvent,
        Element::Reasoning,
        Element::Config,
        Element::Tool,
        Element::Msg,
    ];
    for hostile in HOSTILE {
        let mut document = Document::default();
        let names = [
            "id",
            "name",
            "via_rule",
            "status",
            "denied",
            "digest",
            "notification",
            "type",
            "rule",
            "event",
            "var",
            "why",
            "hides",
            "strategy",
            "keep",
            "artifact",
            "size",
            "mime",
            "redacted",
            "model",
            "role",
            "tokens_before",
            "title",
        ];
        let said: Vec<(&str, &str)> = names.iter().map(|name| (*name, *hostile)).collect();
        let text: String = elements
            .iter()
            .map(|element| document.push(Block::new(*element, said.iter().copied(), Some(hostile))))
            .collect();
        let text = format!("{text}<user><doc src='{}' local/></user>", hostile.replace('\'', "&apos;"));
        let source = Source::new(format!("{hostile}.chatmd").as_str(), text.as_str());
        is_clean(&page(&source, &Document::read(&source).value, &RuleTexts::new()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_text_gives_a_clean_page(texts in prop::collection::vec(prop_oneof![prop::sample::select(HOSTILE.to_vec()).prop_map(str::to_owned), any::<String>()], 1..6)) {
        let mut document = Document::default();
        let text: String = texts.iter().map(|text| document.push(Block::new(Element::Assistant, [("via_rule", text.as_str())], Some(text)))).collect();
        is_clean(&rendered(&text));
        is_clean(&rendered(&texts.concat()));
    }
}
