//! The rules of a document beside the workspace's own, and its transcript as a session of the log.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may stop, and lay out workspaces")]

use std::sync::Arc;

use mentci_authority::{Event, Hook, Message, Role, ToolCall};
use mentci_disk::RealFs;
use mentci_host::policy::{Input, PolicyRequest};
use mentci_host::session::{ContextQuery, ContextRequest, SessionRequest};
use mentci_host::transcript::Transcript;
use mentci_host::{Ask, Outcome, Request, Response};
use mentci_source::Source;
use mentci_workspace::{Beside, Ruled, StoppedClock, Surroundings, Workspace};
use serde_json::{Value, json};

struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new(files: &[(&str, &str)]) -> Self {
        let place = Self { folder: tempfile::tempdir().unwrap() };
        for (path, text) in files {
            let path = place.root().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        place
    }

    fn root(&self) -> std::path::PathBuf {
        self.folder.path().join("work")
    }

    fn open(&self) -> Workspace {
        let around =
            Surroundings { state: Some(self.folder.path().join("state")), ..Surroundings::default() };
        let clock = Arc::new(StoppedClock("2026-11-21T12:00:00Z".into()));
        std::fs::create_dir_all(self.root()).unwrap();
        Workspace::open(&self.root(), around, Arc::new(RealFs), clock)
    }
}

fn beside(text: &str) -> Beside {
    Beside::new(Source::new("t.chatmd", text))
}

fn call(name: &str, args: Value) -> Event {
    let tool = Some(ToolCall { name: name.into(), args, call_id: Some("n1".into()), status: None });
    Event { session: "s".into(), tool, ..Event::new(Hook::PreToolCall) }
}

fn at(hook: Hook) -> Event {
    Event { session: "s".into(), ..Event::new(hook) }
}

fn told(ruled: &Ruled) -> String {
    let verdict = &ruled.verdict;
    let actions: Vec<String> = verdict.actions.iter().map(|action| json!(action).to_string()).collect();
    let suppressed: Vec<String> =
        verdict.suppressed.iter().map(|one| format!("{}: {}", one.rule, one.why)).collect();
    format!(
        "{} {:?} {}{}",
        verdict.decision.name(),
        verdict.rules,
        actions.join(" "),
        if suppressed.is_empty() { String::new() } else { format!(" but {}", suppressed.join(", ")) }
    )
}

const LAW: &str = r#"<rules trace="visible">
  <on id="hint" event="pre_tool_call" tool="deploy"><insert role="developer">Tell the team.</insert></on>
  <on id="second" event="pre_tool_call" tool="deploy"><insert role="developer">Not told.</insert></on>
</rules>
<policy><tool name="deploy"><quota per_session="2"/></tool></policy>
"#;

#[test]
fn the_names_say_whose_a_rule_is() {
    let place = Place::new(&[(
        ".pi/rules/team.yaml",
        "- {id: no-friday, when: {tool: deploy, args: {day: fri}}, then: block}\n",
    )]);
    let (workspace, beside) = (place.open(), beside(LAW));
    let law = workspace.law(&beside);
    assert!(!law.is_closed() && !law.reads_clock());
    assert!(Arc::ptr_eq(&law, &workspace.law(&beside)), "nothing moved: nothing is compiled again");
    let decide = |args| told(&workspace.decide_event(call("deploy", args), &[], &beside).unwrap());
    insta::assert_snapshot!(decide(json!({"day": "fri"})), @r#"block ["team/no-friday"] {"role":"developer","rule":"hint","synthetic":true,"text":"Tell the team.","trace":true,"type":"insert"} but second: max_actions_per_event"#);
    insta::assert_snapshot!(decide(json!({"day": "mon"})), @r#"allow [] {"role":"developer","rule":"hint","synthetic":true,"text":"Tell the team.","trace":true,"type":"insert"} but second: max_actions_per_event"#);
    decide(json!({"day": "tue"}));
    insta::assert_snapshot!(decide(json!({"day": "wed"})), @r#"block ["deploy/quota"] {"reason":"`deploy` may be called at most 2 times a session","rule":"deploy/quota","trace":true,"type":"deny"} {"role":"developer","rule":"hint","synthetic":true,"text":"Tell the team.","trace":true,"type":"insert"} but second: max_actions_per_event"#);
}

#[test]
fn no_rule_is_asked_about_what_it_caused() {
    let place = Place::new(&[]);
    let workspace = place.open();
    let beside =
        beside("<rules><on id=\"r\" event=\"pre_tool_call\" tool=\"x\"><deny reason=\"no\"/></on></rules>");
    let decide = |causes: &[&str]| {
        let causes: Vec<String> = causes.iter().map(|cause| (*cause).to_owned()).collect();
        workspace.decide_event(call("x", json!({})), &causes, &beside).unwrap().verdict.decision.name()
    };
    assert_eq!((decide(&[]), decide(&["r"]), decide(&["other/r"])), ("block", "allow", "block"));
}

#[test]
fn what_does_not_read_is_closed() {
    let place = Place::new(&[
        ("inside.chatmd", "<import src=\"t.chatmd\"/>"),
        ("t.chatmd", "<import src=\"inside.chatmd\"/>"),
    ]);
    std::fs::write(place.folder.path().join("outside.chatmd"), LAW).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(place.folder.path().join("outside.chatmd"), place.root().join("link.chatmd"))
        .unwrap();
    let workspace = place.open();
    let told = |text: &str| {
        let beside = beside(text);
        let law = workspace.law(&beside);
        let findings: Vec<String> = law.findings().iter().map(ToString::to_string).collect();
        let ruled = workspace.decide_event(call("deploy", json!({})), &[], &beside).unwrap();
        format!("closed: {}, {}\n{}", law.is_closed(), ruled.verdict.decision.name(), findings.join("\n"))
    };
    insta::assert_snapshot!(told("<rules><on id=\"a\" event=\"pre_tool_call\" tool=\"deploy\"><deny raeson=\"no\"/></on></rules>"), @r"
    closed: true, block
    t.chatmd:1:61: error[E0221]: `<deny>` has no attribute `raeson`
      help: did you mean `reason`?
    t.chatmd: warning[E0235]: no good version of it is kept: closed until it reads is `pre_tool_call` of `deploy`
      help: mend the document; `policy-engine check` reads it
    ");
    insta::assert_snapshot!(told("<import src=\"inside.chatmd\"/>"), @r"
    closed: true, block
    inside.chatmd:1:14: error[E0228]: `t.chatmd` includes itself
      help: take one of the two out
    t.chatmd: warning[E0235]: no good version of it is kept: calls are blocked until it reads
      help: mend the document; `policy-engine check` reads it
    ");
    insta::assert_snapshot!(told("<import src=\"../outside.chatmd\"/>"), @r"
    closed: true, block
    t.chatmd:1:14: error[E0228]: `../outside.chatmd` lies outside the workspace
      help: name a file by its path from this one
    t.chatmd: warning[E0235]: no good version of it is kept: calls are blocked until it reads
      help: mend the document; `policy-engine check` reads it
    ");
    insta::assert_snapshot!(told("<import src=\"link.chatmd\"/>"), @r"
    closed: true, block
    t.chatmd:1:14: error[E0228]: `link.chatmd` cannot be read
      help: its path counts from the file that names it
    t.chatmd: warning[E0235]: no good version of it is kept: calls are blocked until it reads
      help: mend the document; `policy-engine check` reads it
    t.chatmd: warning[E0007]: `link.chatmd` lies outside the workspace, and is not read
      help: a document imports files of its workspace
    ");
}

const RUN: &str = r#"<rules max_actions_per_event="unlimited">
  <on id="once" event="turn_start" once="true"><insert role="developer">Hello.</insert></on>
  <on id="rest" event="turn_start" cooldown_turns="1"><insert role="developer">Now and then.</insert></on>
  <on id="keep" event="turn_start" if="turn_index == 1"><set var="seen" value="1"/></on>
  <on id="again" event="pre_tool_call" tool="x" if="seen == 1"><deny reason="seen"/></on>
</rules>
<policy><tool name="deploy"><requires tools="build"/><quota per_session="2"/></tool></policy>
<user>Deploy.</user>
<developer synthetic="true" via_rule="once">Hello.</developer>
<developer synthetic="true" via_rule="rest">Now and then.</developer>
<rule_event type="set" rule="keep" event="turn_start" var="seen">1</rule_event>
<tool_call id="c1" name="build">{}</tool_call>
<tool_call id="c2" name="deploy">{}</tool_call>
<tool_call id="c3" name="test">{}</tool_call>
<tool_response id="c1" name="build" status="success">built</tool_response>
<tool_response id="c2" name="deploy" status="success">done</tool_response>
<tool_response id="c3" name="test" status="error" denied="policy">no</tool_response>
"#;

#[test]
fn a_run_goes_on_where_its_transcript_stands() {
    let place = Place::new(&[]);
    let (workspace, beside) = (place.open(), beside(RUN));
    let law = workspace.law(&beside);
    let mut reading = Transcript::read(beside.document(), law.names()).value;
    reading.steps.extend(reading.transcript.resume());
    workspace.begin_run("s", &reading.steps, &law).unwrap();
    assert!(workspace.begin_run("s", &reading.steps, &law).is_err(), "a session is begun once");
    let decide = |event| told(&workspace.decide_event(event, &[], &beside).unwrap());
    let turn = |turn| Event { turn: Some(turn), ..at(Hook::TurnStart) };
    assert_eq!(decide(turn(2)), "allow [] ", "once was, and the other rests");
    assert!(decide(turn(3)).contains("Now and then."));
    assert!(decide(call("x", json!({}))).starts_with("block [\"again\"]"));
    let deploy = |n: i32| decide(Event { ..call("deploy", json!({ "n": n })) });
    assert!(deploy(1).starts_with("allow"), "one of two is spent");
    assert!(deploy(2).starts_with("block"), "both are");
}

#[test]
fn a_run_is_shown_the_rules_once_for_each_state_of_them() {
    let place = Place::new(&[(".pi/skills/rust/SKILL.md", "# Rust\n\nNever unwrap outside tests.\n")]);
    let (workspace, none) = (place.open(), beside("<user>hi</user>"));
    let inserted = |hook| {
        let ruled = workspace.decide_event(at(hook), &[], &none).unwrap();
        let mut shown = ruled.verdict.actions.iter().filter(|action| action["type"] == "insert");
        shown
            .next()
            .map(|action| (action["rule"].clone(), action["digest"].is_string(), action["text"].clone()))
    };
    let (rule, named, text) = inserted(Hook::TurnStart).unwrap();
    assert_eq!((rule, named), (json!("builtin/adaptive-authority"), true));
    assert!(text.as_str().unwrap().contains("unwrap"), "{text}");
    assert_eq!(inserted(Hook::TurnStart), None);
    assert_eq!(inserted(Hook::PreCompact), None);
    assert!(inserted(Hook::TurnStart).is_some(), "it was compacted");
    assert_eq!(inserted(Hook::TurnStart), None);
    std::fs::write(place.root().join(".pi/skills/rust/SKILL.md"), "# Rust\n\nNever panic.\n").unwrap();
    assert!(inserted(Hook::TurnStart).unwrap().2.as_str().unwrap().contains("panic"));
    let elsewhere = Event { session: "other".into(), ..Event::new(Hook::TurnStart) };
    let text = serde_json::to_string(&elsewhere).unwrap();
    let event = Input::Text { name: "event".into(), text };
    let (rules, beside) = (Vec::new(), None);
    let asked = PolicyRequest::Decide { rules, event, dry_run: false, lenient: false, beside, dated: true };
    let said = serde_json::to_string(&workspace.ask(Request::Policy(asked)).answer).unwrap();
    assert!(!said.contains("adaptive-authority"), "{said}");
}

fn shown(response: &Response) -> String {
    let findings: Vec<String> = response.findings.iter().map(ToString::to_string).collect();
    format!("{}\n{}", serde_json::to_string(&response.answer).unwrap(), findings.join("\n"))
}

#[test]
fn the_verbs_of_sessions_read_transcripts() {
    let place = Place::new(&[
        ("t.chatmd", RUN),
        ("strict.yaml", "- {id: no-build, when: {tool: build}, then: block}\n"),
    ]);
    let workspace = place.open();
    let path = || Input::Path("t.chatmd".into());
    let import = |into: Option<&str>| {
        let into = into.map(str::to_owned);
        workspace.ask(Request::Session(SessionRequest::Import { events: path(), into }))
    };
    insta::assert_snapshot!(shown(&import(None)), @r"
    {}
    t.chatmd: error[E1001]: a transcript says no session
      help: `--as SESSION` names the one that it becomes
    ");
    insta::assert_snapshot!(shown(&import(Some("t1"))), @r#"{"sessions":[{"session":"t1","events":15,"first":"1970-01-01T00:00:00.003Z","last":"1970-01-01T00:00:00.012Z"}]}"#);
    let query = ContextQuery { session: "t.chatmd".into(), budget: Some(4_000), ..ContextQuery::default() };
    let compiled = workspace.ask(Request::Context(ContextRequest::Compile(query)));
    assert_eq!(compiled.outcome, Outcome::Ok, "{:?}", compiled.findings);
    assert!(shown(&compiled).contains("Now and then."));
    let replay = |rules: &[&str], against: &[&str]| {
        let owned = |paths: &[&str]| paths.iter().map(|path| (*path).to_owned()).collect();
        let (rules, against) = (owned(rules), owned(against));
        let asked = PolicyRequest::Replay { rules, lenient: false, against, zone: None, events: path() };
        workspace.ask(Request::Policy(asked))
    };
    let outcomes = |response: &Response| {
        let lines = serde_json::to_value(&response.answer).unwrap()["lines"].clone();
        let lines = lines.as_array().cloned().unwrap_or_default();
        let line = |line: &Value| {
            let diverged = if line["diverged"] == true { " diverged" } else { "" };
            format!(
                "{}:{} {} {} {}{diverged}\n",
                line["block"], line["line"], line["event"], line["tool"], line["decision"]
            )
        };
        lines.iter().map(line).collect::<String>()
    };
    insta::assert_snapshot!(outcomes(&replay(&[], &[])), @r#"
    3:8 "query_start" null "allow"
    3:8 "message_appended" null "allow"
    4:9 "turn_start" null "allow"
    4:9 "message_appended" null "allow"
    5:10 "message_appended" null "allow"
    7:12 "pre_tool_call" "build" "allow"
    8:13 "pre_tool_call" "deploy" "block"
    9:14 "pre_tool_call" "test" "allow"
    10:15 "post_tool_response" "build" "allow"
    10:15 "message_appended" null "allow"
    11:16 "post_tool_response" "deploy" "allow" diverged
    11:16 "message_appended" null "allow"
    12:17 "message_appended" null "allow"
    12:17 "turn_end" null "allow"
    "#);
    let strict = outcomes(&replay(&["strict.yaml"], &[]));
    assert!(strict.contains("\"build\" \"block\"\n") && strict.contains("diverged"), "{strict}");
    let differing = shown(&replay(&[], &["strict.yaml"]));
    assert!(differing.contains("no-build"), "{differing}");
}

#[test]
fn a_message_is_seen_by_those_who_want_to() {
    let place = Place::new(&[]);
    let law = "<rules><on id=\"all\" event=\"message_appended\" synthetic=\"include\"><log level=\"info\">seen</log></on></rules>";
    let (workspace, beside) = (place.open(), beside(law));
    for role in Role::ALL {
        for synthetic in [false, true] {
            let message = Some(Message { role, text: "x".into(), tokens: None, synthetic });
            let event = Event { message, ..at(Hook::MessageAppended) };
            let ruled = workspace.decide_event(event, &[], &beside).unwrap();
            assert_eq!(ruled.verdict.actions.len(), 1, "{role:?} {synthetic}");
        }
    }
}
