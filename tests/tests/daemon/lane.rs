//! Decisions that are asked for at the same time are decided together, and mean what they would one by one.

use std::io::Write;
use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering};

use mentci_tests::{House, Scratch};
use serde_json::{Value, json};

use super::call;

/// A session may send five times.
const RULES: &str = r#"<policy><tool name="send"><quota per_session="5"/></tool></policy>
"#;

const BLOCKING: &str = "version: 1
rules:
- id: no-drop
  when: {tool: sql}
  then: block
  message: tables stay
";

fn workspace() -> Scratch {
    let scratch = Scratch::new(&[
        (".pi/rules/quota.chatmd", RULES),
        (".pi/rules/block.yaml", BLOCKING),
        (".pi/skills/house/SKILL.md", super::SKILL),
    ]);
    scratch.must(&["trust"]);
    scratch
}

/// What so many decide at once, each on a connection of its own: the decisions by their names.
fn at_once(house: &House, threads: usize, each: usize, event: impl Fn(usize) -> Value + Sync) -> Vec<String> {
    let decided = |thread: usize| {
        let answers =
            (0..each).map(|_| house.ask("POST", "/api/v1/decide", None, Some(&event(thread))).json());
        let named = answers.map(|answer| answer["decision"].as_str().unwrap().to_owned());
        named.collect::<Vec<_>>()
    };
    std::thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|thread| scope.spawn(move || decided(thread))).collect();
        running.into_iter().flat_map(|one| one.join().unwrap()).collect()
    })
}

/// What a process of its own decides.
fn decided(workspace: &Scratch, event: &Value) -> Value {
    let mut process = workspace.engine();
    process.args(["decide", "--json"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut process = process.spawn().unwrap();
    process.stdin.take().unwrap().write_all(event.to_string().as_bytes()).unwrap();
    serde_json::from_slice(&process.wait_with_output().unwrap().stdout).unwrap()
}

#[test]
fn one_quota_is_spent_once_by_those_who_ask_at_the_same_time() {
    let workspace = workspace();
    let house = House::new(&workspace);
    let decisions = at_once(&house, 12, 4, |_| call("s1", "send", &json!({"to": "ada"})));
    let allowed = decisions.iter().filter(|decision| *decision == "allow").count();
    assert_eq!((decisions.len(), allowed), (48, 5));
    let verified = workspace.json(&["audit", "verify"]);
    // The trust in its rules is a line too.
    assert_eq!((&verified["lines"], &verified["broken"]), (&json!(49), &Value::Null));
}

#[test]
fn each_gets_its_own_answer() {
    let workspace = workspace();
    let house = House::new(&workspace);
    let event = |thread: usize| {
        let tool = if thread.is_multiple_of(2) { "sql" } else { "read" };
        call(&format!("s{thread}"), tool, &json!({"n": thread}))
    };
    let wrong = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for thread in 0..8_usize {
            let (house, wrong) = (&house, &wrong);
            scope.spawn(move || {
                let expected = if thread.is_multiple_of(2) { "block" } else { "allow" };
                for _ in 0..10 {
                    let answer = house.ask("POST", "/api/v1/decide", None, Some(&event(thread))).json();
                    wrong.fetch_add(usize::from(answer["decision"] != expected), Ordering::Relaxed);
                }
            });
        }
    });
    assert_eq!(wrong.into_inner(), 0);
}

/// A hook's process and the daemon write the same log: neither spends what the other spent.
#[test]
fn hooks_without_the_daemon_count_as_well() {
    let workspace = workspace();
    let house = House::new(&workspace);
    let event = call("s1", "send", &json!({"to": "ada"}));
    let allowed = std::thread::scope(|scope| {
        let asking = scope.spawn(|| at_once(&house, 4, 5, |_| event.clone()));
        let own = (0..6).map(|_| decided(&workspace, &event)["decision"].as_str().unwrap().to_owned());
        let mut decisions: Vec<String> = own.collect();
        decisions.extend(asking.join().unwrap());
        decisions.iter().filter(|decision| *decision == "allow").count()
    });
    assert_eq!(allowed, 5);
}

#[test]
fn a_stop_holds_for_those_in_line() {
    let workspace = workspace();
    let house = House::new(&workspace);
    workspace.must(&["kill", "--session", "s1", "--reason", "enough"]);
    let decisions = at_once(&house, 4, 2, |thread| {
        call(if thread.is_multiple_of(2) { "s1" } else { "s2" }, "read", &json!({}))
    });
    let blocked = decisions.iter().filter(|decision| *decision == "block").count();
    assert_eq!((decisions.len(), blocked), (8, 4));
}
