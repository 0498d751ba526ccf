//! kill -9 in the middle of it, again and again: nothing is lost, nothing half-written stays.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may stop, and touch files")]

mod story;

use std::time::Duration;

use story::Story;

/// Runs it and kills it after so many half milliseconds; whether it had ended by itself, well.
fn killed(story: &Story, arguments: &[&str], after: u64) -> bool {
    let mut child = story.start(arguments);
    std::thread::sleep(Duration::from_micros(after * 500));
    let _ = child.kill();
    child.wait().unwrap().success()
}

#[test]
fn killed_while_teaching() {
    let story = Story::with_law();
    let mut acknowledged = Vec::new();
    for round in 0..40 {
        let condition = format!("case-{round} comes up");
        let arguments =
            ["lessons", "add", "--skill", "rust", "--condition", &condition, "--resolution", "do that"];
        if killed(&story, &arguments, round) {
            acknowledged.push(condition);
        }
    }
    story.teach("the last case comes up", "do that", "one");
    let text = story.read(".pi/skills/rust/runtime.edn");
    for condition in acknowledged {
        assert_eq!(text.matches(&condition).count(), 1, "{condition}: {text}");
    }
    assert_eq!(story.run(&["compile-rules"]).code, 0);
}

#[test]
fn killed_while_promoting() {
    let story = Story::with_law();
    let ids: Vec<String> =
        (0..12).map(|n| story.teach(&format!("case-{n} comes up"), "do that", "one")).collect();
    for (round, id) in (0..).zip(&ids) {
        killed(&story, &["lessons", "promote", id], 20 + round * 12);
        let runtime = story.read(".pi/skills/rust/runtime.edn");
        let promoted = if story.exists(".pi/skills/rust/promoted.edn") {
            story.read(".pi/skills/rust/promoted.edn")
        } else {
            String::new()
        };
        assert!(ids.iter().all(|id| runtime.contains(id) || promoted.contains(id)), "{runtime}{promoted}");
    }
    let digest = story.run(&["digest", "--skill", "rust"]).out;
    for number in 0..12 {
        assert_eq!(digest.matches(&format!("case-{number} ")).count(), 1, "{digest}");
    }
}

#[test]
fn killed_while_publishing() {
    let story = Story::with_law();
    for number in 0..20 {
        story.write(
            &format!(".pi/skills/s{number}/SKILL.md"),
            format!("# S\n\n- Never touch `part-{number}`.\n"),
        );
    }
    for round in 0..24 {
        story.write(".pi/skills/rust/SKILL.md", format!("{}- Never call `round-{round}`.\n", story::LAW));
        killed(&story, &["compile-rules"], 20 + round * 10);
        let served = story.run(&["inject", "pi"]).out;
        assert!(
            served.contains(&format!("round-{round}`")) || served.contains(&format!("round-{round}\n")),
            "{served}"
        );
    }
    let ran = story.run(&["check", "--json"]);
    assert_eq!(ran.json()["stale"], false, "{}", ran.out);
    let litter = std::fs::read_dir(story.root().join(".pi")).unwrap();
    let litter: Vec<_> = litter
        .map(|entry| entry.unwrap().file_name())
        .filter(|name| name.to_string_lossy().starts_with('.'))
        .collect();
    assert!(litter.is_empty(), "{litter:?}");
}
