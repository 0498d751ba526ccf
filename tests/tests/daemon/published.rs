//! What people say to lessons, and what they trust, is published by the daemon at once, and is a version of the digest. What they
//! switch and set is in force for the very next decision, whoever asks.

use std::time::{Duration, Instant};

use mentci_tests::{House, Scratch};
use serde_json::{Value, json};

use super::{call, house, token};

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

#[test]
fn what_is_trusted_over_http_is_published_at_once() {
    let kept = Kept::new();
    let admin = token(&kept.workspace, "root", "admin");
    for room in 1..=8 {
        let lesson = json!({
            "skill": "house", "condition": format!("room {room} is swept in the morning"),
            "resolution": format!("open window number {room} for ten minutes"),
        });
        let taught = kept.ask("POST", "/api/v1/lessons", Some(&lesson));
        assert_eq!(taught["status"], "active", "{taught}");
    }
    // How much room lessons have that nobody looked at is what a workspace may widen only once it is trusted.
    kept.workspace.write("mentci.toml", "[digest]\ntokens = 300\n\n[lessons]\nshare = 0.5\n");
    let swept = |text: &str| text.lines().filter(|line| line.contains("is swept")).count();
    stands(&kept.workspace, |text| text.contains("+7 lessons") && swept(text) == 1);
    for (trusted, rooms, sign) in [(true, 5, '+'), (false, 1, '-'), (true, 5, '+')] {
        let reply =
            kept.house.ask("PUT", "/api/v1/trust", Some(&admin), Some(&json!({ "trusted": trusted })));
        assert_eq!(reply.status, 200, "{reply:?}");
        stands(&kept.workspace, |text| swept(text) == rooms);
        kept.is_newest(sign, "is swept");
    }
}

/// A plugin with a setting, and a rule with a parameter.
const PLUGIN: (&str, &str) = (
    "gate/plugin.toml",
    "[plugin]\nid = \"gate\"\nname = \"Gate\"\nversion = \"1.0.0\"\n[rules]\ninclude = [\"rules/*.toml\"]\n\
     [settings.closed]\nname = \"Closed\"\ntype = \"bool\"\ndefault = true\n",
);
const GATE: (&str, &str) = (
    "gate/rules/gate.toml",
    "[rule]\nid = \"gate\"\ntrigger = \"on_tool_call\"\ntool = \"fetch\"\neffect = \"block\"\nmessage = \"closed\"\n\
     [condition]\nexpression = \"plugin.settings.closed\"\n",
);
const MOST: (&str, &str) = (
    ".pi/rules/most.toml",
    "[rule]\nid = \"most\"\ntrigger = \"on_tool_call\"\ntool = \"count\"\neffect = \"block\"\nmessage = \"too many\"\n\
     [rule.parameters]\nmost = 5\n[condition]\nexpression = \"parameters.most < 3\"\n",
);

const OPEN: (&str, &str) = (
    ".pi/rules/open.yaml",
    "rules:\n- id: open\n  when: {tool: deploy}\n  then: allow\n  overrides: [ask-deploy]\n",
);

/// Each route that moves what is in force, one after the other, with the call that it concerns and what is decided then: over
/// HTTP, and by a process of its own.
#[test]
fn what_moves_the_rules_holds_for_the_very_next_decision() {
    let workspace = house();
    for (path, text) in [PLUGIN, GATE, MOST, OPEN] {
        workspace.write(path, text);
    }
    workspace.must(&["trust"]);
    let (agent, admin) = (token(&workspace, "ci", "agent"), token(&workspace, "root", "admin"));
    let house = House::new(&workspace);
    let sql = call("s1", "sql", &json!({"query": "drop table a"}));
    let (fetch, count) = (call("s1", "fetch", &json!({})), call("s1", "count", &json!({})));
    let deploy = call("s1", "deploy", &json!({}));
    let (rule, most) = ("/api/v1/rules/house/no-drop", "/api/v1/rules/most/most/parameters/most");
    let setting = "/api/v1/plugins/gate/settings/closed";
    let steps = [
        ("PUT", rule, json!({"enabled": false}), &sql, "allow"),
        ("PUT", rule, json!({"enabled": true}), &sql, "block"),
        ("PUT", most, json!({"value": 2}), &count, "block"),
        ("DELETE", most, Value::Null, &count, "allow"),
        // What nobody trusts may not open, and may close.
        ("PUT", "/api/v1/trust", json!({"trusted": false}), &deploy, "approve"),
        ("PUT", "/api/v1/trust", json!({"trusted": true}), &deploy, "allow"),
        ("POST", "/api/v1/plugins", json!({"path": "gate"}), &fetch, "block"),
        ("PUT", "/api/v1/trust", json!({"trusted": true}), &fetch, "block"),
        ("PUT", setting, json!({"value": false}), &fetch, "allow"),
        ("DELETE", setting, Value::Null, &fetch, "block"),
        ("PUT", "/api/v1/plugins/gate", json!({"enabled": false}), &fetch, "allow"),
        ("PUT", "/api/v1/plugins/gate", json!({"enabled": true}), &fetch, "block"),
        ("POST", "/api/v1/kill", json!({"session": "s1"}), &count, "block"),
        ("POST", "/api/v1/resume", json!({"session": "s1"}), &count, "allow"),
        ("POST", "/api/v1/kill", json!({}), &count, "block"),
        ("POST", "/api/v1/resume", json!({}), &count, "allow"),
    ];
    for (method, path, body, event, wanted) in steps {
        let body = (!body.is_null()).then_some(body);
        let moved = house.ask(method, path, Some(&admin), body.as_ref());
        assert_eq!(moved.status, 200, "{method} {path}: {moved:?}");
        let decided = house.ask("POST", "/api/v1/decide", Some(&agent), Some(event)).json();
        assert_eq!(decided["decision"], wanted, "{method} {path} {body:?}: {decided}");
        workspace.write("event.json", &event.to_string());
        let alone = workspace.run(&["decide", &workspace.path("event.json").to_string_lossy()]);
        let alone: Value = serde_json::from_slice(&alone.stdout).unwrap();
        assert_eq!(alone["decision"], wanted, "{method} {path} {body:?}: {alone}");
    }
}
