//! The seed's case study, step by step: a norm, a lesson, and the line of the digest that holds both.

mod common;

use common::{Desk, lesson};
use insta::assert_snapshot;
use mentci_authority::Level;
use mentci_compiler::lessons::{Outcome, add_lesson};
use mentci_source::Source;

#[test]
fn structural_edit_learns_its_exception() {
    let mut desk = Desk::new("sema-programmer");
    desk.explicit(Level::Must, "Keep logic and data separate");
    desk.explicit(Level::MustNot, "Never edit generated code");
    desk.explicit(Level::Should, "Schemas should live in `Components/`");
    desk.implied(Level::Must, "Use structural_edit over text replacement");

    // 1. Initial state: the skill's own law.
    let before = desk.compile();
    assert_snapshot!(before.digest.text, @"");

    // 4. Knowledge capture: the agent tells what it learned; it is saved to `runtime.edn`.
    let learned = lesson(
        "sema-programmer",
        "structural_edit fails on module include macros",
        "use text edit to insert #[allow(...)] before the macro",
        "session-1",
    );
    let (runtime, outcome) = add_lesson(None, &learned).expect("a new file takes a lesson");
    assert_eq!(outcome, Outcome::Added);
    assert_snapshot!(runtime, @"");

    // 6. Re-engineering: the exception stands on the norm's line, at once, and says that nobody has reviewed it.
    desk.runtime(&runtime);
    let after = desk.compile();
    assert_snapshot!(after.digest.text, @"");
    assert_snapshot!(desk.workspace().digest.text, @"");
    assert!(after.findings.is_empty(), "{:?}", after.findings);

    // Told again in another session, only its entry grows.
    let again = lesson("sema-programmer", &learned.condition, &learned.resolution, "session-2");
    let (runtime, outcome) = add_lesson(Some(&Source::new("runtime.edn", &runtime)), &again).expect("sound");
    assert_eq!(outcome, Outcome::SessionAdded);
    assert!(runtime.contains(r#":sessions #{"session-1" "session-2"}"#), "{runtime}");

    // A person accepts it: the mark goes.
    desk.accept(&learned.id);
    assert_snapshot!(desk.compile().digest.text, @"");
}
