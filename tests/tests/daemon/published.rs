//! What people say to lessons, and what they trust, is published by the daemon at once, and is a version of the digest.

use std::time::{Duration, Instant};

use mentci_tests::{House, Scratch};
use serde_json::{Value, json};

use super::{house, token};

const DIGEST: &str = ".pi/absolute_rules.md";

fn digest(workspace: &Scratch) -> Option<String> {
    std::fs::read_to_string(workspace.path(DIGEST)).ok()
}

/// Waits until the digest on disk is as it should be; how long that took.
fn stands(workspace: &Scratch, wanted: impl Fn(&str) -> bool) -> Duration {
    let since = Instant::now();
    while !digest(workspace).is_some_and(|text| wanted(&text)) {
        assert!(since.elapsed() < Duration::from_secs(30), "not published: {:?}", digest(workspace));
        std::thread::sleep(Duration::from_millis(10));
    }
    since.elapsed()
}

/// A daemon whose first digest stands, as an operator asks it.
struct Kept {
    workspace: Scratch,
    house: House,
    operator: String,
}

impl Kept {
    fn new() -> Self {
        let workspace = house();
        let operator = token(&workspace, "ada", "operator");
        let house = House::new(&workspace);
        stands(&workspace, |_| true);
        Self { workspace, house, operator }
    }

    fn ask(&self, method: &str, path: &str, body: Option<&Value>) -> Value {
        let reply = self.house.ask(method, path, Some(&self.operator), body);
        assert_eq!(reply.status, 200, "{path}: {reply:?}");
        reply.json()
    }

    /// Teaches what would loosen the law: it waits for a person.
    fn taught(&self, condition: &str) -> String {
        let lesson = json!({"skill": "house", "condition": condition, "resolution": "skip cargo check"});
        let taught = self.ask("POST", "/api/v1/lessons", Some(&lesson));
        assert_eq!(taught["status"], "pending", "{taught}");
        taught["id"].as_str().unwrap().to_owned()
    }

    /// The versions that were kept, the newest first.
    fn versions(&self) -> Vec<String> {
        let kept = self.ask("GET", "/api/v1/digest/history", None);
        let hashes = kept["versions"].as_array().unwrap().iter();
        hashes.map(|version| version["hash"].as_str().unwrap().to_owned()).collect()
    }

    /// What is answered is the newest version, and differs from the one before it by these words.
    fn is_newest(&self, sign: char, words: &str) {
        let hash = self.ask("GET", "/api/v1/digest", None)["hash"].as_str().unwrap().to_owned();
        let versions = self.versions();
        assert_eq!(versions.first(), Some(&hash), "{versions:?}");
        let moved = self.ask("GET", &format!("/api/v1/digest/diff?from={}&to={hash}", versions[1]), None);
        let mut lines = moved["lines"].as_array().unwrap().iter().filter_map(Value::as_str);
        assert!(lines.any(|line| line.starts_with(sign) && line.contains(words)), "{moved}");
        assert_eq!(self.ask("GET", "/api/v1/findings", None)["stale"], false);
    }
}

#[test]
fn what_is_said_to_a_lesson_over_http_is_published_at_once() {
    let kept = Kept::new();
    let (first, second) = (kept.taught("the build machine is down"), kept.taught("the network is gone"));
    let says = |words: &'static str| move |text: &str| text.contains(words);
    let lacks = |words: &'static str| move |text: &str| !text.contains(words);
    kept.ask("POST", &format!("/api/v1/lessons/{first}/accept"), None);
    stands(&kept.workspace, says("build machine"));
    kept.is_newest('+', "build machine");
    kept.ask("POST", &format!("/api/v1/lessons/{second}/promote"), None);
    stands(&kept.workspace, says("network is gone"));
    kept.is_newest('+', "network is gone");
    kept.ask("POST", &format!("/api/v1/lessons/{first}/reject"), Some(&json!({})));
    stands(&kept.workspace, lacks("build machine"));
    kept.is_newest('-', "build machine");
    kept.ask("POST", &format!("/api/v1/lessons/{second}/archive"), Some(&json!({})));
    stands(&kept.workspace, lacks("network is gone"));
    kept.is_newest('-', "network is gone");
}

#[test]
fn what_is_accepted_on_the_page_is_published_at_once() {
    let kept = Kept::new();
    let id = kept.taught("the build machine is down");
    let page = super::toggle::press;
    let cookie = super::toggle::logged_in(&kept.house);
    assert_eq!(page(&kept.house, &cookie, "/lesson/accept", &format!("id={id}")).status, 303);
    stands(&kept.workspace, |text| text.contains("build machine"));
    kept.is_newest('+', "build machine");
}

/// Whoever compiles it: what an agent's turn has published is a version too.
#[test]
fn every_version_that_is_answered_is_kept() {
    let kept = Kept::new();
    let path = ".pi/skills/house/SKILL.md";
    for number in 1..=3 {
        let law = format!("\n- You MUST sweep room {number}.\n");
        kept.workspace.write(path, &format!("{}{law}", kept.workspace.read(path)));
        let told = kept.ask("POST", "/api/v1/inject", Some(&json!({})));
        assert!(told.to_string().contains(&format!("room {number}")), "{told}");
        kept.is_newest('+', &format!("room {number}"));
    }
}
