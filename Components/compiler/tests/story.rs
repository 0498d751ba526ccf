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
    assert_snapshot!(before.digest.text, @r#"
    # Absolute Rules, cited as sema-programmer-N (4, c4e3e2a7c6ea)
    ## Must
    1 Keep logic and data separate
    2 Never edit generated code
    ## Do
    4 Use structural_edit over text replacement
    ## Should
    3 Schemas should live in `Components/`
    Law: .pi/skills/sema-programmer/SKILL.md
    "#);

    // 4. Knowledge capture: the agent tells what it learned; it is saved to `runtime.edn`.
    let learned = lesson(
        "sema-programmer",
        "structural_edit fails on module include macros",
        "use text edit to insert #[allow(...)] before the macro",
        "session-1",
    );
    let (runtime, outcome) = add_lesson(None, &learned).expect("a new file takes a lesson");
    assert_eq!(outcome, Outcome::Added);
    assert_snapshot!(runtime, @r#"
    [{:id "1de0f164446cd6c7"
      :condition "structural_edit fails on module include macros"
      :resolution "use text edit to insert #[allow(...)] before the macro"
      :sessions #{"session-1"}
      :status :active}]
    "#);

    // 6. Re-engineering: the exception stands on the norm's line, at once, and says that nobody has reviewed it.
    desk.runtime(&runtime);
    let after = desk.compile();
    assert_snapshot!(after.digest.text, @r#"
    # Absolute Rules, cited as sema-programmer-N (4, 567e08200959)
    ## Must
    1 Keep logic and data separate
    2 Never edit generated code
    ## Do
    4 Use structural_edit over text replacement. EXCEPT structural_edit fails on module include macros: use text edit to insert #[allow(...)] before the macro. (unreviewed)
    ## Should
    3 Schemas should live in `Components/`
    Law: .pi/skills/sema-programmer/SKILL.md
    "#);
    assert_snapshot!(desk.workspace().digest.text, @r#"
    # Absolute Rules, cited by number (4 of 1 skill, 577df5987def)
    ## Must
    sema-programmer-1 Keep logic and data separate
    sema-programmer-2 Never edit generated code
    ## Do
    sema-programmer-4 Use structural_edit over text replacement. EXCEPT structural_edit fails on module include macros: use text edit to insert #[allow(...)] before the macro. (unreviewed)
    ## Should
    sema-programmer-3 Schemas should live in `Components/`
    "#);
    assert!(after.findings.is_empty(), "{:?}", after.findings);

    // Told again in another session, only its entry grows.
    let again = lesson("sema-programmer", &learned.condition, &learned.resolution, "session-2");
    let (runtime, outcome) = add_lesson(Some(&Source::new("runtime.edn", &runtime)), &again).expect("sound");
    assert_eq!(outcome, Outcome::SessionAdded);
    assert!(runtime.contains(r#":sessions #{"session-1" "session-2"}"#), "{runtime}");

    // A person accepts it: the mark goes.
    desk.accept(&learned.id);
    assert_snapshot!(desk.compile().digest.text, @r#"
    # Absolute Rules, cited as sema-programmer-N (4, 9f74674396bd)
    ## Must
    1 Keep logic and data separate
    2 Never edit generated code
    ## Do
    4 Use structural_edit over text replacement. EXCEPT structural_edit fails on module include macros: use text edit to insert #[allow(...)] before the macro.
    ## Should
    3 Schemas should live in `Components/`
    Law: .pi/skills/sema-programmer/SKILL.md
    "#);
}
