//! The suite of reading: sources above the line, what reading makes of them below it.
//!
//! `UPDATE=1 cargo test -p mentci-tests --test law` writes what is read now; read the difference before you commit it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use mentci_authority::{Force, SkillName};
use mentci_compiler::{LawKind, LawReading, SectionsRead, read_law, read_law_again};
use mentci_source::Source;

const LINE: &str = "======== is read as ========\n";

#[test]
fn each_case_is_read_as_it_says() {
    let mut failures = Vec::new();
    for path in cases() {
        let text = read(&path);
        let (law, expected) = text.split_once(LINE).unwrap_or((&text, ""));
        let actual = shown(&law_of(law));
        if actual != expected && updating() {
            write(&path, &format!("{law}{LINE}{actual}"));
        } else if actual != expected {
            failures.push(format!("{}\n--- expected\n{expected}\n--- actual\n{actual}", path.display()));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn every_line_of_every_case_is_accounted_for_in_one_list() {
    for path in cases() {
        let text = read(&path);
        let law = law_of(text.split(LINE).next().unwrap_or(""));
        let gaps = gaps(&law);
        assert!(gaps.is_empty(), "{}: lines {gaps:?}", path.display());
        assert_eq!(overlaps(&law), Vec::<String>::new(), "{}", path.display());
    }
}

/// Reads `before`, then `after`; says how many sections of it were not read again.
fn taken_over(before: &str, after: &str) -> usize {
    let sections = |text: &str, before: Option<&SectionsRead>| {
        read_law_again(&Source::new("SKILL.md", text), &LawKind::Workspace, before).1
    };
    sections(after, Some(&sections(before, None))).taken_over()
}

#[test]
fn a_section_is_read_again_when_something_that_it_hangs_on_moves() {
    const LAW: &str = "# Harbour\n\n## Ropes\n\nNever leave a rope loose.\n\n## Lamps\n\nLight the [lamps].\n\n## Bells\n\nRing twice.\n";
    // So long that its rule says on which lines the rest of it stands.
    let letter = format!("\nUse this template:\n\n```text\n{}```\n", "Dear captain of the ship\n".repeat(40));
    let long = format!("{LAW}{letter}");
    let rows = [
        ("nothing moves", LAW, LAW.to_owned(), 3),
        ("one section", LAW, LAW.replace("twice", "once"), 2),
        ("text in front of all", LAW, LAW.replace("# Harbour\n", "# Harbour\n\nOf the quay.\n"), 3),
        ("the name of another section", LAW, LAW.replace("Ropes", "Cleats"), 0),
        ("a title that forbids", LAW, LAW.replace("# Harbour", "# Never"), 0),
        ("where a link leads", LAW, format!("{LAW}\n[lamps]: lamps.md\n"), 2),
        ("the line that a rule names", &long, long.replace("loose.\n", "loose.\nCoil it.\n"), 1),
    ];
    for (name, before, after, expected) in rows {
        assert_eq!(taken_over(before, &after), expected, "{name}");
    }
}

/// What law is made of, in no sensible order.
const PIECES: &[&str] = &[
    "**",
    "*",
    "`",
    "```\n",
    "```bash\n",
    "- ",
    "1. ",
    "| ",
    "|---|\n",
    "\n",
    "\n\n",
    "# ",
    "## Never\n",
    "> ",
    "\"",
    "“",
    "(",
    ")",
    "]",
    "—",
    " → ",
    ": ",
    "; ",
    ", never ",
    "don't ",
    "Do not ",
    "<b>",
    "</b>",
    "<!--",
    "-->",
    "\r\n",
    "\u{200b}",
    "é",
    "漢",
    "❌ ",
    "✅ ",
    "[ ] ",
    "&amp;",
    "\\*",
    "\t",
    "...",
    "…",
    " no ",
    "Never:\n\n",
    "If it fails",
    ", stop",
    "You MUST ",
    "git push",
    "the tree ",
    "unless asked",
    ". ",
    "? ",
    "Exception: ",
    "This does not apply to ",
    "1.",
    "  ",
    "Use ",
    "src/x.rs",
    "↓\n",
    "├─ fog → ",
    "\n  → ",
    "# BAD\n",
    "# GOOD\n",
    "\"say `x`\" ",
    "_Depth:_ ",
    "(3-5 casts)",
    "from ",
    "either way",
    " is not",
    "|",
];

proptest::proptest! {
    #[test]
    fn any_text_is_accounted_for_and_keeps_its_literals(picks in proptest::collection::vec(0..PIECES.len(), 0..60)) {
        accounts_for(&picks.iter().map(|&pick| PIECES[pick]).collect::<String>())?;
    }

    /// Whole sentences meet marks that nobody would put there.
    #[test]
    fn any_case_with_cuts_and_pieces_is_accounted_for(
        case in proptest::prelude::any::<proptest::sample::Index>(),
        edits in proptest::collection::vec((proptest::prelude::any::<proptest::sample::Index>(), 0..25_usize, 0..PIECES.len()), 1..40),
    ) {
        let cases = cases();
        let text = read(&cases[case.index(cases.len())]);
        let mut law: Vec<char> = text.split(LINE).next().unwrap_or("").chars().collect();
        for (place, cut, pick) in edits {
            let at = place.index(law.len() + 1);
            // Every other edit cuts.
            let (end, piece) = if cut % 2 == 0 { (at, PIECES[pick]) } else { ((at + cut).min(law.len()), "") };
            law.splice(at..end, piece.chars());
        }
        accounts_for(&law.into_iter().collect::<String>())?;
    }
}

proptest::proptest! {
    // Each case reads a long law up to sixteen times.
    #![proptest_config(proptest::test_runner::Config::with_cases(64))]

    /// What stands as it stood is not read again: nothing moves by it.
    #[test]
    fn a_source_that_is_read_again_says_what_it_would_say_the_first_time(
        picks in proptest::collection::vec(proptest::prelude::any::<proptest::sample::Index>(), 2..8),
        edits in proptest::collection::vec((proptest::prelude::any::<proptest::sample::Index>(), 0..200_usize, 0..PIECES.len()), 1..8),
    ) {
        let cases = cases();
        let law = |pick: &proptest::sample::Index| read(&cases[pick.index(cases.len())]);
        let parts = picks.iter().map(law).map(|case| case.split(LINE).next().unwrap_or("").to_owned());
        let mut text: Vec<char> = parts.collect::<Vec<_>>().join("\n\n## Part\n\n").chars().collect();
        let mut sections = None;
        for (place, cut, pick) in edits {
            let source = Source::new("SKILL.md", &text.iter().collect::<String>());
            let (law, read) = read_law_again(&source, &LawKind::Workspace, sections.as_ref());
            proptest::prop_assert_eq!(law, read_law(&source, &LawKind::Workspace));
            sections = Some(read);
            let at = place.index(text.len() + 1);
            // Every other edit cuts.
            let (end, piece) = if cut % 2 == 0 { (at, PIECES[pick]) } else { ((at + cut).min(text.len()), "") };
            text.splice(at..end, piece.chars());
        }
    }
}

/// What holds for every text, whatever it says.
fn accounts_for(text: &str) -> Result<(), proptest::test_runner::TestCaseError> {
    let law = law_of(text);
    proptest::prop_assert_eq!(gaps(&law), Vec::<u32>::new());
    proptest::prop_assert_eq!(overlaps(&law), Vec::<String>::new());
    for norm in &law.norms {
        proptest::prop_assert!(
            norm.text.contains(char::is_alphanumeric) && !norm.text.contains('\n'),
            "{:?}",
            norm.text
        );
        for literal in &norm.literals {
            proptest::prop_assert!(norm.text.contains(literal.as_str()), "{literal:?} in {:?}", norm.text);
        }
    }
    proptest::prop_assert_eq!(law_of(text).norms, law.norms);
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "a test writes its cases only when it is asked to")]
fn updating() -> bool {
    std::env::var_os("UPDATE").is_some()
}

fn law_of(text: &str) -> LawReading {
    let skill = SkillName::parse("x").expect("x is a name");
    read_law(&Source::new("SKILL.md", text), &LawKind::Skill(skill))
}

/// `level~ text {if: condition} [literals]`, then `- reason: passed over`.
fn shown(law: &LawReading) -> String {
    let mut shown = String::new();
    for norm in &law.norms {
        let force = if norm.force == Force::Implied { "~" } else { "" };
        let _ = write!(shown, "{}{force} {}", norm.level.name(), norm.text);
        if let Some(condition) = &norm.condition {
            let _ = write!(shown, " {{if: {condition}}}");
        }
        for exception in &norm.exceptions {
            let _ = write!(shown, " {{except: {exception}}}");
        }
        if !norm.literals.is_empty() {
            let _ = write!(shown, " {:?}", norm.literals);
        }
        shown.push('\n');
    }
    for omission in &law.omitted {
        let text = law.source.slice(omission.span.span);
        let reason = serde_json::to_value(omission.reason).expect("a reason is a string");
        let _ = writeln!(shown, "- {}: {}", reason.as_str().unwrap_or(""), text.replace('\n', "⏎"));
    }
    for finding in &law.findings {
        let _ = writeln!(shown, "{finding}");
    }
    shown
}

/// Non-blank lines in neither list.
fn gaps(law: &LawReading) -> Vec<u32> {
    let norms = law.norms.iter().flat_map(|norm| &norm.provenance.spans);
    let spans: Vec<_> = norms.chain(law.omitted.iter().map(|omission| &omission.span)).collect();
    (1..=law.source.line_count())
        .filter(|&line| !law.source.slice(law.source.span_of_line(line)).trim().is_empty())
        .filter(|&line| !spans.iter().any(|span| span.start_line <= line && line <= span.end_line))
        .collect()
}

/// Omissions that share bytes with a norm.
fn overlaps(law: &LawReading) -> Vec<String> {
    let norms: Vec<_> = law.norms.iter().flat_map(|norm| &norm.provenance.spans).collect();
    let shared = |span| norms.iter().any(|norm| norm.span.overlaps(span));
    law.omitted
        .iter()
        .filter(|omission| shared(omission.span.span))
        .map(|omission| law.source.slice(omission.span.span).to_owned())
        .collect()
}

fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("suite/law");
    #[expect(clippy::disallowed_methods, reason = "a test reads its own cases")]
    let entries = std::fs::read_dir(folder).expect("the suite stands beside the tests");
    let mut cases: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    cases.sort();
    assert!(cases.len() > 10, "the suite is there");
    cases
}

#[expect(clippy::disallowed_methods, reason = "a test reads its own cases")]
fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("a case can be read")
}

#[expect(clippy::disallowed_methods, reason = "a test writes its own cases when asked to")]
fn write(path: &Path, text: &str) {
    std::fs::write(path, text).expect("a case can be written");
}
