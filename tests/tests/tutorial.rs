//! The tutorial of rules that act does what it says: its files are written, its commands run, its outputs compared.

#![expect(clippy::disallowed_methods, reason = "tests read the guide")]

use mentci_tests::Scratch;
use mentci_tests::checkout::root;

/// A fence of the page: what stands behind the backticks, and its lines.
struct Fence {
    info: String,
    lines: Vec<String>,
}

fn fences(page: &str) -> Vec<Fence> {
    let (mut fences, mut open): (Vec<Fence>, Option<Fence>) = (Vec::new(), None);
    for line in page.lines() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(_), Some(_)) => fences.extend(open.take()),
            (Some(info), None) => open = Some(Fence { info: info.to_owned(), lines: Vec::new() }),
            (None, Some(fence)) => fence.lines.push(line.to_owned()),
            (None, None) => {}
        }
    }
    fences
}

#[test]
fn sc1_the_tutorial_does_what_it_says() {
    let page =
        std::fs::read_to_string(root().join("Library/guide/rules-that-act.md")).expect("the page stands");
    let scratch = Scratch::new(&[]);
    let mut commands = 0;
    for fence in fences(&page) {
        match fence.info.split_once(' ') {
            Some((_, path)) => scratch.write(path, &(fence.lines.join("\n") + "\n")),
            None if fence.info == "console" => {
                let (command, expected) = fence.lines.split_first().expect("a command");
                let words: Vec<&str> = command.trim_start_matches("$ policy-engine ").split(' ').collect();
                assert_eq!(said(&scratch, &words), expected.join("\n"), "{command}");
                commands += 1;
            }
            None => {}
        }
    }
    assert_eq!(commands, 5);
}

/// What is printed, without the time that it took, which is another each time.
fn said(scratch: &Scratch, words: &[&str]) -> String {
    let output = scratch.run(words);
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    let kept: Vec<&str> =
        text.lines().filter(|line| !line.ends_with(" ms") && !line.ends_with(" µs")).collect();
    kept.join("\n").trim_end().to_owned()
}
