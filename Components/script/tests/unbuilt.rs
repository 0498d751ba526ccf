//! The build without Luau: `cargo test -p mentci-script --no-default-features`.
#![cfg(not(feature = "luau"))]

use mentci_script::{Fault, Script};

#[test]
fn every_script_is_refused_by_name() {
    let error = Script::compile("rule.luau", "return true").unwrap_err();
    assert_eq!(error.fault, Fault::NotBuilt);
    insta::assert_snapshot!(error, @"rule.luau: this build runs no scripts: it was built without the feature `luau`");
}
