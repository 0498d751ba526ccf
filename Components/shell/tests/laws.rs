//! What holds for every text: no panic, few steps, and a quoted word comes back.

use std::fmt::Write;

use mentci_shell::{Limits, Reason, files_of_patch, parse, quote};
use proptest::prelude::*;

/// Pieces that open, close and nest.
const PIECES: &[&str] = &[
    "$(",
    "${",
    "${x:-",
    "$((",
    "((",
    "(",
    ")",
    "}",
    "{",
    "`",
    "\"",
    "'",
    "\\",
    "$'",
    "<<A\n",
    "A\n",
    "<(",
    ">",
    ";",
    "|",
    "&",
    "&&",
    "\n",
    " ",
    "rm",
    "sudo ",
    "eval ",
    "bash -c ",
    "if ",
    "fi",
    "case x in ",
    "esac",
    "do",
    "done",
    "for x in ",
    "f() ",
    "x=",
    "x=(",
    "$x",
    "$@",
    "[[ ",
    "]]",
    "{a,b}",
    "*",
    "#",
    "é",
    "\u{FDD0}",
    "\r\n",
    "xargs ",
    "find -exec ",
    "\\;",
    "python -c ",
    "system('rm')",
    "$IFS",
    "echo ",
    "base64 -d",
    "<<<",
    "[",
    "=",
    "!",
    "~",
    "-rf ",
    "$(...)",
    "alias a=",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read(text in any::<String>()) {
        let script = parse(&text, Limits::default());
        prop_assert!(script.commands.iter().all(|command| command.span.end as usize <= text.len()));
        script.files();
        files_of_patch(&text);
    }

    #[test]
    fn any_pieces_are_read_in_linear_steps(pieces in proptest::collection::vec(proptest::sample::select(PIECES), 0..60)) {
        let text = pieces.concat();
        let limits = Limits::default();
        let script = parse(&text, limits);
        prop_assert_eq!(&script, &parse(&text, limits), "the same text reads the same");
        prop_assert!(script.steps <= limits.steps(text.len()) + 64 * (text.len() as u64 + 4096) || script.incomplete.is_some());
        for command in &script.commands {
            prop_assert!(text.get(command.span.range()).is_some(), "spans lie on characters: {:?}", command.span);
        }
        script.files();
    }

    #[test]
    fn a_quoted_word_comes_back(word in "[^\u{FDD0}-\u{FDEF}]*") {
        let script = parse(&format!("echo {}", quote(&word)), Limits::default());
        prop_assert_eq!(script.commands.len(), 1);
        prop_assert_eq!(script.commands[0].args.len(), 1);
        prop_assert_eq!(&script.commands[0].args[0].text, &word);
        prop_assert!(script.commands[0].args[0].is_static);
        prop_assert!(!script.malformed);
    }

    #[test]
    fn a_quoted_script_is_read_inside(word in "[a-z/$*~' -]{1,20}") {
        let inner = format!("echo {}", quote(&word));
        let script = parse(&format!("bash -c {}", quote(&inner)), Limits::default());
        prop_assert_eq!(&script.commands[1].args[0].text, &word);
    }

    #[test]
    fn patches_of_any_lines_are_read(lines in proptest::collection::vec("(---|\\+\\+\\+|@@|diff --git|\\*\\*\\*|-|\\+| |rename to) [ab/x\"\\\\0-9,@]{0,12}", 0..20)) {
        files_of_patch(&lines.join("\n"));
    }
}

/// Texts that made other readers slow: the steps for each byte stay where they are when the text grows sixteenfold.
#[test]
fn worst_cases_stay_linear() {
    let mut table = String::new();
    for unit in [
        "$(",
        "((",
        "$((",
        "`",
        "\"`",
        "\"$(",
        "${x:-",
        "{a,",
        "(",
        "<<A ",
        "$(cat <<A\n",
        "sudo ",
        "eval ",
        "a|",
        "case x in a) ",
        "x=(",
        "{ ",
        "X=$X$X;",
        "find -exec ",
        "a ",
    ] {
        let steps = |bytes: usize| {
            let text = unit.repeat(bytes / unit.len());
            let script = parse(&text, Limits::default());
            (script.steps.div_ceil(text.len() as u64), script.incomplete)
        };
        let ((small, _), (large, incomplete)) = (steps(4 << 10), steps(64 << 10));
        assert!(large <= 40 && large <= small + 34, "{unit:?}: {small} then {large} steps for each byte");
        writeln!(
            table,
            "{unit:?} {large} {}",
            incomplete.map_or("whole".to_owned(), |reason| format!("{reason:?}"))
        )
        .unwrap();
    }
    insta::assert_snapshot!(table, @r##"
    "$(" 3 TooDeep
    "((" 2 TooDeep
    "$((" 2 TooDeep
    "`" 9 whole
    "\"`" 7 TooManyCommands
    "\"$(" 3 TooDeep
    "${x:-" 2 TooDeep
    "{a," 5 whole
    "(" 2 TooDeep
    "<<A " 2 TooManyCommands
    "$(cat <<A\n" 35 TooDeep
    "sudo " 35 TooManySteps
    "eval " 34 TooManySteps
    "a|" 11 TooManyCommands
    "case x in a) " 2 whole
    "x=(" 3 whole
    "{ " 2 whole
    "X=$X$X;" 34 TooManySteps
    "find -exec " 37 TooManySteps
    "a " 11 whole
    "##);
}

/// Looking for the end of an index goes by bytes, and may stop inside a letter.
#[test]
fn letters_of_several_bytes_stand_anywhere() {
    for before in 0..140 {
        let filler = "x".repeat(before);
        for text in [
            format!("${{a[{filler}é]}}"),
            format!("a[{filler}é]=rm"),
            format!("\\é{filler}'é"),
            format!("`{filler}\\é`"),
        ] {
            parse(&text, Limits::default());
        }
    }
}

#[test]
fn ninety_bytes_of_nesting_are_read_whole() {
    let text = format!("{}rm x", "$(".repeat(30));
    let script = parse(&text, Limits::default());
    assert!(script.malformed);
    assert_eq!(script.incomplete, None);
    assert_eq!(script.commands.iter().filter(|command| command.program == "rm").count(), 1);
    let text = format!("{}rm x{}", "$(".repeat(45), ")".repeat(45));
    let script = parse(&text, Limits::default());
    assert_eq!(script.incomplete, Some(Reason::TooDeep), "the ways are more than the depth");
    assert!(script.commands.iter().any(|command| command.program == "rm"), "it is read all the same");
    assert!(script.steps < 2_000, "{}", script.steps);
}

#[test]
fn a_bound_is_told() {
    let cases = [
        (Limits { commands: 3, ..Limits::default() }, "a;b;c;d;e".to_owned(), Reason::TooManyCommands),
        (Limits { commands: 3, ..Limits::default() }, "a|b|c|d|e".to_owned(), Reason::TooManyCommands),
        (Limits { bytes: 3, ..Limits::default() }, "rm é".to_owned(), Reason::TooLong),
        (Limits { depth: 2, ..Limits::default() }, "sudo sudo sudo rm x".to_owned(), Reason::TooDeep),
        (
            Limits { depth: usize::MAX, ..Limits::default() },
            format!("{} rm x", "sudo ".repeat(70)),
            Reason::TooDeep,
        ),
        (Limits::default(), format!("{} rm x", "cd abc; ".repeat(2_000)), Reason::FolderTooLong),
        (Limits { steps_per_byte: 1, ..Limits::default() }, "x=a$x$x;".repeat(100_000), Reason::TooManySteps),
    ];
    for (limits, text, reason) in cases {
        assert_eq!(parse(&text, limits).incomplete, Some(reason), "{}", &text[..text.len().min(40)]);
    }
}

#[test]
fn ten_megabytes_are_read() {
    let text = format!("cat > big.txt <<'EOF'\n{}EOF\nrm x\n", "some line of text\n".repeat(600_000));
    let script = parse(&text, Limits::default());
    assert_eq!(script.incomplete, None);
    assert_eq!(script.commands.len(), 2);
    assert!(script.steps < 8 * text.len() as u64, "{}", script.steps);
}
