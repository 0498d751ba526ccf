//! Markdown: what is front matter, and what a file says of itself.
#![allow(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use mentci_reader::markdown::{self, Document};
use mentci_source::{Reading, Source};

fn read(text: &str) -> Reading<Document> {
    markdown::read(&Source::new("SKILL.md", text))
}

#[test]
fn front_matter_that_is_never_closed_ends_where_the_text_begins() {
    // text, the keys, what stands below
    let table: &[(&str, &[&str], &str)] = &[
        (
            "---\nname: a\ndescription: x\nNever push to main.\n",
            &["name", "description"],
            "Never push to main.\n",
        ),
        ("---\nname: u\nNever u.", &["name"], "Never u."),
        ("---\nname: a\n\n# Law\n\n- Never push.\n", &["name"], "\n# Law\n\n- Never push.\n"),
        ("---\nname: a\n# Law\n- Never push.\n", &["name"], "# Law\n- Never push.\n"),
        ("---\nname: a\n- Never push.\n", &["name"], "- Never push.\n"),
        ("---\nname: a\nNote: never push.\n", &["name"], "Note: never push.\n"),
        (
            "---\nname: a\ndescription: >\n  of two\n  lines\n\nNever push.\n",
            &["name", "description"],
            "\nNever push.\n",
        ),
        ("---\r\nname: a\r\nNever push.\r\n", &["name"], "Never push.\r\n"),
        // A ruler further down parts the text.
        (
            "---\nname: a\n\nNever push.\n\n---\n\nNever pull.\n",
            &["name"],
            "\nNever push.\n\n---\n\nNever pull.\n",
        ),
        ("---\nname: a\n\n# Law\n\n- Never push.\n\n---\n", &["name"], "\n# Law\n\n- Never push.\n\n---\n"),
    ];
    for (text, keys, below) in table {
        let reading = read(text);
        let front = reading.value.front_matter.unwrap();
        let found: Vec<&str> = front.entries.iter().map(|entry| entry.key.as_str()).collect();
        assert_eq!((found.as_slice(), &text[front.span.end as usize..]), (*keys, *below), "{text}");
        assert_eq!(reading.findings.len(), 1, "{text}");
        let told = reading.findings[0].to_string();
        assert!(told.starts_with("SKILL.md:1:1: warning[E0102]: the front matter is never closed"), "{told}");
    }
    assert_eq!(read("---\nNever u.\n").value.front_matter, None);
}

#[test]
fn front_matter_that_is_closed_is_read_whole() {
    for text in [
        "---\nname: a\ntags:\n- one\n- two\n---\nNever push.\n",
        "---\nname: a\n\n# what it is for\ndescription: x\n---\nNever push.\n",
        "---\nname: a\ndescription: |\n  one\n\n  two\n---\nNever push.\n",
        "---\nname: a\nno key\n---\nNever push.\n",
    ] {
        let front = read(text).value.front_matter.unwrap();
        assert_eq!(&text[front.span.end as usize..], "Never push.\n", "{text}");
    }
}

#[test]
fn a_merge_that_was_left_unfinished_is_told() {
    let told = |text: &str| {
        let findings = read(text).findings.into_iter();
        findings.map(|finding| finding.to_string().lines().next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let at = |line: u32| format!("SKILL.md:{line}:1: error[E0108]: a merge was left unfinished here");
    // text, the lines in which a finding is
    let table: &[(&str, &[u32])] = &[
        ("# A\n<<<<<<< HEAD\n- Never a.\n=======\n- Always a.\n>>>>>>> other\n", &[2]),
        ("<<<<<<< a\nx\n>>>>>>> b\n\n<<<<<<< a\ny\n>>>>>>> b\n", &[1, 5]),
        ("Never a.\n\n<<<<<<< HEAD\n", &[3]),
        ("Never a.\n>>>>>>> other\n", &[2]),
        ("---\n<<<<<<< HEAD\nname: a\n=======\nname: b\n>>>>>>> other\n---\n", &[2]),
        // A fence that one side opens, and one that is cut.
        ("```\na\n<<<<<<< HEAD\n```\n=======\n>>>>>>> other\n", &[3]),
        // Shown, and underlined.
        ("```\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n```\n", &[]),
        ("- So:\n\n  ```\n  <<<<<<< HEAD\n  ```\n", &[]),
        ("Title\n=======\n\nLook for `<<<<<<< HEAD`.\n", &[]),
        ("<<<<<<<\n", &[]),
    ];
    for (text, lines) in table {
        let found: Vec<String> = told(text).into_iter().filter(|told| told.contains("E0108")).collect();
        assert_eq!(found, lines.iter().map(|line| at(*line)).collect::<Vec<_>>(), "{text}");
    }
}

#[test]
fn elements_that_say_something_are_read_without_their_tags() {
    // the text, what each block says, and what stands in the file where it says so
    let table: &[(&str, &[(&str, &str)])] = &[
        ("<action>Sail</action>\n", &[("Sail", "Sail")]),
        ("  <rule>Never\n  sail.</rule>\n", &[("Never sail.", "Never\n  sail.")]),
        (
            "<check if=\"foggy\">\n  <action>Stay</action>\n</check>\n",
            &[("If foggy:", "<check if=\"foggy\">"), ("", "Stay"), ("", "</check>")],
        ),
        ("<ask>Who?</ask>\n", &[("Ask: Who?", "<ask>Who?")]),
        // What nothing closes, what is a placeholder, and what stands in code is no element.
        ("<action>Sail\n", &[("<action>Sail", "<action>Sail")]),
        ("<file>Sail</file>\n", &[("<file>Sail</file>", "<file>Sail</file>")]),
        (
            "Put <action>Sail</action> in it.\n",
            &[("Put <action>Sail</action> in it.", "Put <action>Sail</action> in it.")],
        ),
    ];
    for (text, blocks) in table {
        let source = Source::new("SKILL.md", text);
        let document = markdown::read(&source).value;
        let found: Vec<(&str, &str)> = document
            .blocks
            .iter()
            .map(|block| (block.text.as_str(), source.slice(block.span).trim()))
            .collect();
        assert_eq!(found, *blocks, "{text}");
    }
}

#[test]
fn a_mark_that_closes_a_fence_twice_hides_no_text() {
    // the text, and what the last block says
    let table: &[(&str, &str)] = &[
        ("```\nx\n```\n```\n\n## Law\n\nNever sail.\n", "Never sail."),
        ("```\nx\n```\n```\n\n### Law\n\n<rule>Never sail.</rule>\n", "Never sail."),
        ("```\nx\n```\n```\n# a comment\nsail\n", "# a comment\nsail\n"),
        ("```sh\n## a comment\nsail\n", "## a comment\nsail\n"),
    ];
    for (text, last) in table {
        let reading = read(text);
        assert_eq!(reading.value.blocks.last().unwrap().text.as_str(), *last, "{text}");
        assert!(reading.findings.iter().any(|finding| finding.code.id() == "E0105"), "{text}");
    }
}

#[test]
fn a_line_that_opens_anew_is_one_of_its_own() {
    // the text, and the lines of its first text
    let table: &[(&str, &[&str])] = &[
        ("Good: sail\nBad: drift\n", &["Good: sail", "Bad: drift"]),
        ("**Good:** sail\n**Bad:** drift\n", &["Good: sail", "Bad: drift"]),
        (
            "Set the sails\nGood: all\nMust not: the jib\n",
            &["Set the sails", "Good: all", "Must not: the jib"],
        ),
        ("- Good: sail\n  Bad: drift\n", &["Good: sail", "Bad: drift"]),
        ("> Good: sail\n> Bad: drift\n", &["Good: sail", "Bad: drift"]),
        ("Always sail\nNever drift\n", &["Always sail", "Never drift"]),
        // One sentence, wrapped.
        ("Sail with\nGood luck: it helps\n", &["Sail with Good luck: it helps"]),
        ("You must\nNEVER drift\n", &["You must NEVER drift"]),
        ("Sail on,\nNever mind, and wait\n", &["Sail on, Never mind, and wait"]),
        ("Good: sail\nand wait: always\n", &["Good: sail and wait: always"]),
    ];
    for (text, lines) in table {
        let document = read(text).value;
        let mut block = &document.blocks[0];
        while let Some(child) = block.children.first() {
            block = child;
        }
        assert_eq!(block.text.as_str().lines().collect::<Vec<_>>(), *lines, "{text}");
    }
}
