//! The watcher: one line a cycle, the last good digest kept, a clean stop.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may stop, and touch files")]

mod story;

use std::io::{BufRead, BufReader};
use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use story::Story;

/// A watcher with its cycles as they come.
struct Watcher {
    child: Child,
    cycles: Receiver<serde_json::Value>,
}

impl Watcher {
    fn start(story: &Story) -> Self {
        let mut child = story.start(&["watch", "--json"]);
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let (sender, cycles) = channel();
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                let _ = sender.send(serde_json::from_str(&line).unwrap());
            }
        });
        Self { child, cycles }
    }

    fn next(&self) -> serde_json::Value {
        self.cycles.recv_timeout(Duration::from_secs(20)).expect("a cycle")
    }

    /// Cycles until one satisfies.
    fn until(&self, fits: impl Fn(&serde_json::Value) -> bool) -> serde_json::Value {
        loop {
            let cycle = self.next();
            if fits(&cycle) {
                return cycle;
            }
        }
    }

    fn signal(&mut self, name: &str) -> i32 {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args([name, &pid]).status().unwrap().success());
        self.child.wait().unwrap().code().unwrap_or(-1)
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn codes(cycle: &serde_json::Value) -> Vec<&str> {
    cycle["findings"].as_array().unwrap().iter().map(|finding| finding["code"].as_str().unwrap()).collect()
}

#[test]
fn a_saved_file_is_published_and_the_stop_is_clean() {
    let story = Story::with_law();
    let mut watcher = Watcher::start(&story);
    assert_eq!(watcher.next()["digests"], 2);
    story.write(".pi/skills/rust/SKILL.md", format!("{}- Never push to `main`.\n", story::LAW));
    let cycle = watcher.next();
    assert_eq!((&cycle["changed"], &cycle["digests"]), (&1.into(), &2.into()), "{cycle}");
    assert!(
        story.read(".pi/absolute_rules.md").contains("`main`")
            || story.read(".pi/absolute_rules.md").contains("main")
    );
    assert_eq!(watcher.signal("-TERM"), 0);
}

#[test]
fn an_interrupt_is_a_clean_stop_too() {
    let story = Story::with_law();
    let mut watcher = Watcher::start(&story);
    watcher.next();
    assert_eq!(watcher.signal("-INT"), 0);
}

#[test]
fn a_new_skill_and_a_removed_one_are_noticed() {
    let story = Story::with_law();
    let watcher = Watcher::start(&story);
    watcher.next();
    let states_it = || story.read(".pi/absolute_rules.md").contains("sql-1");
    story.write(".pi/skills/sql/SKILL.md", "# SQL\n\n- Never select `*`.\n");
    // A file that is made and then written may be looked at in between: its first cycle finds no law in it yet.
    watcher.until(|_| states_it());
    story.remove(".pi/skills/sql/SKILL.md");
    watcher.until(|_| !states_it());
}

#[test]
fn the_last_good_digest_stays_while_a_source_is_damaged() {
    let story = Story::with_law();
    story.teach("the linker fails", "install `lld`", "one");
    let watcher = Watcher::start(&story);
    watcher.next();
    let (good, lessons) = (story.read(".pi/absolute_rules.md"), story.read(".pi/skills/rust/runtime.edn"));
    assert!(good.contains("lld"), "{good}");
    story.write(".pi/skills/rust/runtime.edn", "[{:condition");
    let cycle = watcher.until(|cycle| codes(cycle).contains(&"E0501"));
    assert_eq!(cycle["digests"], 0);
    assert_eq!(story.read(".pi/absolute_rules.md"), good);

    // The rest of the law goes on, with the last good lessons in it.
    story.write(".pi/skills/rust/SKILL.md", format!("{}- Never push to `main`.\n", story::LAW));
    watcher.until(|cycle| cycle["digests"] != 0);
    assert!(story.read(".pi/absolute_rules.md").contains("lld"));
    story.write(".pi/skills/rust/runtime.edn", lessons);
    watcher.until(|cycle| cycle["changed"] != 0);
}

#[test]
fn the_last_good_digest_stays_while_a_source_is_empty() {
    let story = Story::with_law();
    story.teach("the linker fails", "install `lld`", "one");
    let schema = "@0xd4a1c3b2e5f60718;\n# The log must be kept in UTF-8.\nstruct Log { name @0 :Text; }\n";
    story.write("Components/log/log.capnp", schema);
    let watcher = Watcher::start(&story);
    watcher.next();
    let good = story.read(".pi/absolute_rules.md");
    assert!(good.contains("lld") && good.contains("UTF-8"), "{good}");
    for path in [".pi/skills/rust/SKILL.md", ".pi/skills/rust/runtime.edn", "Components/log/log.capnp"] {
        let said = story.read(path);
        story.write(path, "");
        let cycle = watcher.until(|cycle| codes(cycle).contains(&"E0012"));
        assert_eq!(cycle["digests"], 0, "{path}");
        assert_eq!(story.read(".pi/absolute_rules.md"), good, "{path}");
        story.write(path, said);
        watcher.until(|cycle| cycle["changed"] != 0);
        assert_eq!(story.read(".pi/absolute_rules.md"), good, "{path}");
    }
}

#[test]
fn a_lesson_that_is_taught_beside_it_is_published() {
    let story = Story::with_law();
    let watcher = Watcher::start(&story);
    watcher.next();
    story.teach("the linker fails", "install `lld`", "one");
    watcher.until(|cycle| cycle["digests"] != 0);
    assert!(story.read(".pi/absolute_rules.md").contains("lld"));
}

#[test]
fn the_second_watcher_follows_and_takes_over() {
    let story = Story::with_law();
    let mut first = Watcher::start(&story);
    first.next();
    let second = Watcher::start(&story);
    assert_eq!(codes(&second.next()), ["E0808"]);
    story.write(".pi/skills/rust/SKILL.md", format!("{}- Never push to `main`.\n", story::LAW));
    assert_eq!(first.next()["digests"], 2);
    let followed = second.next();
    assert_eq!((&followed["changed"], &followed["digests"]), (&1.into(), &0.into()));
    assert_eq!(first.signal("-TERM"), 0);
    std::thread::sleep(Duration::from_millis(1_500));
    story.write(".pi/skills/rust/SKILL.md", story::LAW);
    assert_eq!(second.until(|cycle| cycle["changed"] == 1)["digests"], 2);
}

#[test]
fn a_changed_configuration_and_a_person_s_consent_are_taken_up() {
    let story = Story::with_law();
    let id = story.teach("a prototype calls `unwrap` outside tests", "call `unwrap` outside tests", "one");
    let watcher = Watcher::start(&story);
    watcher.next();
    assert!(!story.read(".pi/absolute_rules.md").contains("prototype"));
    assert_eq!(story.run(&["lessons", "accept", &id]).code, 0);
    watcher.until(|cycle| cycle["digests"] != 0);
    assert!(story.read(".pi/absolute_rules.md").contains("prototype"));
    story.write("mentci.toml", "digest.tokns = 3\n");
    let cycle = watcher.until(|cycle| !codes(cycle).is_empty());
    assert_eq!(codes(&cycle), ["E0702", "E0803"]);
    assert_eq!(cycle["findings"][1]["message"], "the digests stand still, as they were published last");
}

/// A configuration as an editor saves it halfway, or with a slip.
const HALF_WRITTEN: &[(&str, &str)] =
    &[("[sources", "E0701"), ("[digest]\ntokns = 900\n", "E0702"), ("[sources]\nskills = 3\n", "E0703")];

#[test]
fn a_half_written_configuration_publishes_nothing_and_loses_nothing() {
    let story = Story::new();
    let config = "[sources]\nskills = [\"law/*/SKILL.md\"]\n";
    story.write("law/rust/SKILL.md", story::LAW);
    story.write("mentci.toml", config);
    let watcher = Watcher::start(&story);
    assert_eq!(watcher.next()["digests"], 2);
    let good = story.digests();
    for (text, code) in HALF_WRITTEN {
        story.write("mentci.toml", text);
        let cycle = watcher.until(|cycle| codes(cycle).contains(code));
        assert_eq!(cycle["digests"], 0, "{text}: {cycle}");
        assert_eq!(story.digests(), good, "{text}");
        let injected = story.run(&["inject", "pi"]);
        assert!(injected.code == 0 && injected.out.contains("rust-1"), "{text}: {}", injected.shown());
        let taught = ["lessons", "add", "--skill", "rust", "--condition", "a", "--resolution", "b"];
        assert_eq!(story.run(&taught).code, 2, "{text}");
        assert_eq!(story.digests(), good, "{text}");
    }
    // What is written meanwhile is law as soon as the configuration is right.
    story.write("law/rust/SKILL.md", format!("{}- Never push to `main`.\n", story::LAW));
    story.write("mentci.toml", config);
    watcher.until(|cycle| cycle["digests"] == 2);
    assert!(story.read(".pi/absolute_rules.md").contains("`main`"));
}

#[test]
fn a_law_that_is_gone_is_told() {
    let story = Story::with_law();
    let watcher = Watcher::start(&story);
    watcher.next();
    story.remove(".pi/skills/rust/SKILL.md");
    watcher.until(|cycle| codes(cycle).contains(&"E0605"));
}

#[test]
fn a_digest_that_another_hand_changed_is_put_back() {
    let story = Story::with_law();
    let watcher = Watcher::start(&story);
    watcher.next();
    let paths = [
        ".pi/absolute_rules.md",
        ".pi/absolute_rules.map.json",
        ".pi/absolute_rules.lock",
        ".pi/skills/rust/absolute_rules.md",
        ".pi/skills/rust/absolute_rules.lock",
    ];
    for path in paths {
        let good = story.read(path);
        for harm in ["taken away", "other text"] {
            match harm {
                "taken away" => story.remove(path),
                _ if is_lock(path) => continue,
                _ => story.write(path, "Do as you like.\n"),
            }
            let cycle = watcher.next();
            assert_eq!(codes(&cycle), ["E0805"], "{path} {harm}: {cycle}");
            // A lock is put back before anything is compiled.
            let digests = i32::from(!is_lock(path));
            let counts = (&cycle["changed"], &cycle["digests"]);
            assert_eq!(counts, (&0.into(), &digests.into()), "{path} {harm}: {cycle}");
            assert_eq!(story.read(path), good, "{path} {harm}");
        }
    }
    // Nothing that was put back woke it again.
    story.write(".pi/skills/rust/SKILL.md", format!("{}- Never push to `main`.\n", story::LAW));
    let cycle = watcher.next();
    assert_eq!((&cycle["changed"], &cycle["digests"]), (&1.into(), &2.into()), "{cycle}");
}

#[test]
fn the_lines_are_short() {
    let story = Story::with_law();
    let mut child = story.start(&["watch"]);
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(line.starts_with("1 changed, 2 digests, ") && line.ends_with("s\n"), "{line}");
}

fn is_lock(path: &str) -> bool {
    std::path::Path::new(path).extension().is_some_and(|extension| extension == "lock")
}
