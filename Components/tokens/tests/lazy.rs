//! Loading, alone in its process.

use mentci_tokens::{Tokenizer, o200k};

#[test]
fn nothing_is_loaded_until_a_count_needs_it() {
    assert!(o200k().fits("a short line", 12));
    assert_eq!(o200k().count(""), 0);
    let (plain, line) =
        ("hello world", "- Never call `unwrap` outside tests; `thiserror` names 1024 errors — “…”.\n");
    let before = [plain, line].map(|text| o200k().count(text));
    assert!(!o200k().is_loaded(), "plain text is counted by what lies in the program");
    assert_eq!(o200k().count("na\u{ef}ve"), 3);
    assert!(o200k().is_loaded());
    assert_eq!([plain, line].map(|text| o200k().count(text)), before);
}
