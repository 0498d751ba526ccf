//! What is switched on the page holds for the next hook of whatever session runs, and what admins alone may.

use std::io::Write;
use std::process::Stdio;
use std::time::{Duration, Instant};

use mentci_tests::{House, Reply, Scratch};
use serde_json::json;

use super::{house, token};

/// What a hook of Claude Code is told about a call, as the session's next call would be.
fn hook(workspace: &Scratch) -> String {
    let payload = json!({
        "session_id": "running", "hook_event_name": "PreToolUse", "cwd": workspace.root(),
        "tool_name": "sql", "tool_input": {"query": "drop table a"},
    });
    let mut engine = workspace.engine();
    // A build for tests reads everything for the first time under load.
    engine.env("MENTCI_HOOK_DEADLINE_MS", "8000");
    engine.args(["hook", "claude", "PreToolUse"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = engine.stderr(Stdio::null()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(payload.to_string().as_bytes()).unwrap();
    String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
}

/// Sends a form, as the page's button does.
pub(super) fn press(house: &House, cookie: &str, path: &str, body: &str) -> Reply {
    let (addr, length) = (house.addr(), body.len());
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: {addr}\r\nOrigin: http://{addr}\r\nCookie: {cookie}\r\n\
         Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    );
    house.raw(head.as_bytes())
}

pub(super) fn logged_in(house: &House) -> String {
    let link = house.login().split_once(house.addr()).unwrap().1.to_owned();
    let reply = house.ask("GET", &link, None, None);
    reply.header("set-cookie").unwrap().split(';').next().unwrap().to_owned()
}

#[test]
fn a_switch_on_the_page_holds_for_the_next_hook_of_a_running_session() {
    let workspace = house();
    let house = House::new(&workspace);
    let cookie = logged_in(&house);
    assert!(hook(&workspace).contains("tables stay"));
    for (enabled, denies) in [(false, false), (true, true), (false, false)] {
        let body = format!("rule=house/no-drop&enabled={enabled}");
        assert_eq!(press(&house, &cookie, "/rule/switch", &body).status, 303);
        let since = Instant::now();
        // The very next one: nothing has to be waited for.
        assert_eq!(hook(&workspace).contains("tables stay"), denies, "{enabled}");
        assert!(since.elapsed() < Duration::from_mins(1));
    }
}

#[test]
fn a_stop_stands_on_every_page_until_calls_run_again() {
    let workspace = house();
    let house = House::new(&workspace);
    let cookie = logged_in(&house);
    let page = |path: &str| house.with_head("GET", path, &format!("Cookie: {cookie}\r\n"), None).body;
    let pages =
        ["/", "/approvals", "/sessions", "/law", "/lessons", "/rules", "/plugins", "/settings", "/nowhere"];
    let banner = "Every call is stopped.";
    assert!(pages.iter().all(|path| !page(path).contains(banner)));
    assert_eq!(press(&house, &cookie, "/stop", "reason=it+ran+%3Cb%3Eaway").status, 303);
    for path in pages {
        let html = page(path);
        if path == "/nowhere" {
            continue;
        }
        assert!(html.contains(banner) && html.contains("it ran &lt;b&gt;away"), "{path}: {html}");
        assert!(html.contains("by page since") && html.contains("action=\"/resume\""), "{path}");
    }
    assert!(hook(&workspace).contains("the kill switch is on: it ran"), "{}", hook(&workspace));
    assert!(workspace.must(&["kill", "--list"]).contains("every session"));
    assert_eq!(press(&house, &cookie, "/resume", "").status, 303);
    assert!(pages.iter().all(|path| !page(path).contains(banner)));
    assert_eq!(workspace.must(&["kill", "--list"]), "nothing is stopped\n");
}

#[test]
fn admins_alone_trust_and_install() {
    let workspace = house();
    workspace.must(&["plugins", "new", "tidy"]);
    let folder = workspace.root().join(".pi/plugins/tidy");
    std::fs::rename(&folder, workspace.root().join("tidy")).unwrap();
    let (ada, root) = (token(&workspace, "ada", "operator"), token(&workspace, "root", "admin"));
    let house = House::new(&workspace);
    let install =
        |by: &str, path: &str| house.ask("POST", "/api/v1/plugins", Some(by), Some(&json!({ "path": path })));
    assert_eq!(install(&ada, "tidy").status, 403);
    for path in ["/etc", "../elsewhere", "", "a/../../b"] {
        assert_eq!(install(&root, path).status, 422, "{path}");
    }
    std::os::unix::fs::symlink("/etc", workspace.root().join("out")).unwrap();
    assert!(install(&root, "out").finding().contains("no path in this workspace"));
    let installed = install(&root, "tidy");
    assert_eq!(installed.status, 200, "{installed:?}");
    let trust = |by: &str, trusted: bool| {
        house.ask("PUT", "/api/v1/trust", Some(by), Some(&json!({ "trusted": trusted }))).status
    };
    let state = || {
        let plugins = house.ask("GET", "/api/v1/plugins", Some(&ada), None).json();
        plugins["plugins"][0]["state"].as_str().unwrap().to_owned()
    };
    assert_eq!(state(), "untrusted");
    let stands = || house.ask("GET", "/api/v1/trust", Some(&ada), None).json();
    let named = |told: &serde_json::Value, path: &str| told["untrusted"].to_string().contains(path);
    assert!(stands()["trusted"] == false && named(&stands(), ".pi/plugins/tidy"), "{}", stands());
    assert_eq!((trust(&ada, true), trust(&root, true)), (403, 200));
    assert_eq!(state(), "on");
    assert_eq!(stands(), json!({"trusted": true, "untrusted": []}));
    workspace.write(".pi/rules/extra.yaml", "rules: [{id: all, then: allow, when: {tool: sql}}]\n");
    assert_eq!(stands(), json!({"trusted": false, "untrusted": [".pi/rules/extra.yaml"]}));
    assert_eq!((trust(&root, false), state()), (200, "untrusted".to_owned()));
}

#[test]
fn what_says_neither_on_nor_off_switches_nothing() {
    let workspace = house();
    let house = House::new(&workspace);
    let cookie = logged_in(&house);
    for enabled in ["", "&enabled=", "&enabled=True", "&enabled=1", "&enabled=on"] {
        let refused = press(&house, &cookie, "/rule/switch", &format!("rule=house/no-drop{enabled}"));
        assert_eq!(refused.status, 422, "{enabled}");
        assert!(
            refused.body.contains("`enabled` is `true` or `false`")
                || refused.body.contains("<code>enabled</code>"),
            "{}",
            refused.body
        );
        let refused = press(&house, &cookie, "/plugin/switch", &format!("id=x{enabled}"));
        assert_eq!(refused.status, 422, "{enabled}");
    }
    assert!(hook(&workspace).contains("tables stay"));
}

#[test]
fn a_stop_is_of_whom_it_names_and_of_nobody_by_a_slip() {
    let workspace = house();
    let operator = token(&workspace, "ada", "operator");
    let house = House::new(&workspace);
    let post = |path: &str, body: &serde_json::Value| house.ask("POST", path, Some(&operator), Some(body));
    let stops = || {
        let told = house.ask("GET", "/api/v1/stops", Some(&operator), None).json();
        let stops = told["stops"].as_array().unwrap().clone();
        stops.iter().map(|stop| stop["session"].as_str().unwrap_or("*").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(post("/api/v1/kill", &json!({"session_id": "s1"})).status, 200);
    assert_eq!(stops(), ["s1"]);
    assert_eq!(post("/api/v1/kill-switch", &json!({"reason": "fire"})).status, 200);
    assert_eq!(stops(), ["*", "s1"]);
    let told = house.ask("GET", "/api/v1/stops", Some(&operator), None).json();
    assert_eq!(told["stops"][0]["by"], "ada", "{told}");
    assert!(told["stops"][0]["since"].as_str().unwrap().ends_with('Z'), "{told}");
    for path in ["/api/v1/kill", "/api/v1/kill-switch", "/api/v1/resume"] {
        for (body, said) in [
            (json!({"sesion": "s1"}), "unknown field `sesion`"),
            (json!({"session": ""}), "`session` is empty"),
            (json!({"session_id": " "}), "`session` is empty"),
            (json!({"session": "s1", "session_id": "s2"}), "duplicate field `session`"),
        ] {
            let refused = post(path, &body);
            assert_eq!(refused.status, 422, "{path} {body}");
            assert!(refused.finding().contains(said), "{path} {body}: {refused:?}");
        }
    }
    assert_eq!(stops(), ["*", "s1"], "none of these did anything");
    assert_eq!(post("/api/v1/resume", &json!({"session_id": "s1"})).status, 200);
    assert_eq!(stops(), ["*"]);
    assert_eq!(post("/api/v1/resume", &json!({})).status, 200);
    assert_eq!(stops(), Vec::<String>::new());
}
