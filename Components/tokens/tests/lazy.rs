//! Loading, alone in its process.

use mentci_tokens::{Tokenizer, o200k};

#[test]
fn nothing_is_loaded_until_a_count_needs_it() {
    assert!(o200k().fits("a short line", 12));
    assert_eq!(o200k().count(""), 0);
    assert!(!o200k().is_loaded());
    assert_eq!(o200k().count("hello world"), 2);
    assert!(o200k().is_loaded());
}
