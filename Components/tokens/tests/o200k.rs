//! Counts as o200k makes them, written down from another implementation (`bpe-openai` 0.3.2).

use mentci_tokens::{Bytes, Tokenizer, o200k};

const TEXTS: &[(&str, usize)] = &[
    ("a", 1),
    ("Never edit generated code.", 5),
    ("The tests don't pass; we'll fix them, I'M sure.", 13),
    ("```rust\nfn main() {\n    println!(\"{}\", 1_000_000);\n}\n```\n", 20),
    ("| a | b |\n|---|---|\n| 1 | 2 |\n", 17),
    ("  \n\n\n\t\tx  \r\n\r\n   ", 5),
    ("d41d8cd98f00b204e9800998ecf8427e", 19),
    ("https://example.org/a/b?c=d&e=%20#f", 14),
    ("zwölf Boxkämpfer jagen Viktor", 9),
    ("Никогда не правь сгенерированный код.", 12),
    ("生成されたコードを編集しないでください。", 10),
    ("永远不要编辑生成的代码", 7),
    ("절대 수정하지 마세요", 6),
    ("لا تعدل الكود", 5),
    ("नियम कभी न तोड\u{93c}\u{947}\u{902}", 7),
    ("😀\u{200d}👩\u{200d}👩\u{200d}👧 e\u{301}", 12),
    ("HTTPServer XMLHttpRequest snake_case_name SCREAMING_CASE", 11),
    ("----------------------------------------", 2),
    ("x    y\u{a0}z\u{3000}!", 7),
    ("<|endoftext|>", 7),
    ("\0\u{7f}�", 3),
    ("1234567 ½ ² Ⅳ", 10),
];

/// Each text 20,000 times over.
const REPEATED: &[(&str, usize)] = &[
    ("Never rest. ", 60_001),
    ("\n", 1250),
    (" ", 157),
    ("=", 312),
    ("0123456789abcdef", 100_000),
    ("x = y\n", 80_000),
    ("語", 20_000),
    ("1234567890", 66_667),
];

#[test]
fn counts_are_those_of_o200k() {
    for (text, tokens) in TEXTS {
        assert_eq!(o200k().count(text), *tokens, "{text:?}");
    }
}

#[test]
fn a_long_text_counts_the_same_in_slices() {
    for (text, tokens) in REPEATED {
        assert_eq!(o200k().count(&text.repeat(20_000)), *tokens, "{text:?}");
    }
}

#[test]
fn text_from_all_over_unicode_has_the_sure_bound() {
    let all: String = (0..0x3000_u32).filter_map(|n| char::from_u32(n * 4099 % 0x3000)).collect();
    assert_eq!(o200k().count(&all), Bytes.count(&all));
}
