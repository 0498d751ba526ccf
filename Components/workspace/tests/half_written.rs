//! A program that is running while `mentci.toml` is written: it goes on by what held before, and by what is right again.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may stop, and touch files")]

mod tree;

use mentci_host::Outcome;
use tree::{Tree, compile, compiled, teach};

const CONFIG: &str = "[digest]\ntokens = 900\n";

#[test]
fn a_lesson_waits_for_the_configuration_and_is_taken_as_soon_as_it_is_right() {
    let tree = Tree::with_law();
    tree.write("mentci.toml", CONFIG);
    let workspace = tree.open();
    compiled(&workspace);
    let good = tree.files();
    for wrong in ["[digest", "[digest]\ntokns = 900\n", "[sources]\nskills = 3\n"] {
        tree.write("mentci.toml", wrong);
        let before = tree.files();
        assert_eq!(teach(&workspace, "the linker fails", "install `lld`").outcome, Outcome::Bad, "{wrong}");
        assert_eq!(compile(&workspace).outcome, Outcome::Bad, "{wrong}");
        assert_eq!(tree.files(), before, "{wrong}");
    }
    tree.write("mentci.toml", CONFIG);
    assert_eq!(tree.files(), good);
    assert_eq!(teach(&workspace, "the linker fails", "install `lld`").outcome, Outcome::Ok);
    compiled(&workspace);
    assert!(tree.read(".pi/absolute_rules.md").contains("lld"));
}
