//! Laws of counting.

use mentci_tokens::{Bytes, Memo, Tokenizer, o200k};

#[test]
fn a_count_is_never_more_than_the_bytes() {
    for text in [
        "a",
        "zwölf Boxkämpfer",
        "```rust\nfn main() {}\n```",
        "\u{1F600}\u{200d}",
        "    \n\n  x",
        &"ab ".repeat(999),
    ] {
        assert!(o200k().count(text) <= Bytes.count(text), "{text}");
    }
}

#[test]
fn a_memo_counts_the_same_and_remembers() {
    let memo = Memo::new(o200k());
    assert!(memo.is_empty());
    for _ in 0..3 {
        assert_eq!(
            memo.count("Use structural_edit over text replacement."),
            o200k().count("Use structural_edit over text replacement.")
        );
    }
    assert_eq!(memo.len(), 1);
}
