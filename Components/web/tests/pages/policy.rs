//! The pages of rules, plugins, decisions and approvals.

use mentci_web::{Fields, Reply};

use super::house::House;
use super::read::words;
use super::{page, sent};

#[test]
fn rules_stand_by_when_they_are_asked() {
    insta::assert_snapshot!(words(&page(&House::default(), "/rules", &[]).1), @r"
    Every call is stopped. core/no-rm by core/no-rm since 11 h ago
    (button) Let calls run again
    Every call of the session core/no-rm is stopped. core/no-rm by core/no-rm since 11 h ago
    (button) Let calls run again
    Rules
    3 rules, 1 in force. A switch holds from the next event on, in every session.
    E0706 something is odd about core/no-rm
    core/no-rm
    core/no-rm
    Find [search ]
    Show [one of: *all in force switched off core rules]
    (button) Filter
    Before a tool runs pre_tool_call
    core/no-rm
    core/no-rm
    block high core core/no-rm about core/no-rm core/no-rm
    (switch, checked: true, locked) On
    Core: it cannot be switched off, so that no agent rewrites its own rules.
    After a tool answered post_tool_response
    builtin/hint
    core/no-rm
    acts high about core/no-rm core/no-rm
    (switch, checked: false) Off
    mine/off
    core/no-rm
    acts high about core/no-rm core/no-rm
    (switch, checked: false, locked) Off
    Switched off in its file: change the file to switch it on.
    ");
}

#[test]
fn a_rule_shows_its_switch_parameters_and_test() {
    insta::assert_snapshot!(words(&page(&House::default(), "/rule", &[("name", "NAME")]).1), @r#"
    Every call is stopped. core/no-rm by core/no-rm since 11 h ago
    (button) Let calls run again
    Every call of the session core/no-rm is stopped. core/no-rm by core/no-rm since 11 h ago
    (button) Let calls run again
    Rules
    core/no-rm
    block core/no-rm
    (switch, checked: true, locked) On
    Core: it cannot be switched off, so that no agent rewrites its own rules.
    core/no-rm
    core/no-rm
    Asked
    | Before a tool runs (pre_tool_call)
    About
    | every tool
    Vouched for by
    | this workspace, which you trust
    Written in
    | toml
    Takes out
    | core/no-rm
    Parameters
    threshold
    from 0 to 0.95
    Set by you. Its author says 0.8.
    [number 0.5] (button) Set (button) Take back
    strict
    As its author says: true.
    [one of: *true false] (button) Set
    words
    As its author says: core/no-rm.
    [text core/no-rm] (button) Set
    list
    Set by you. Its author says [].
    [[
    "core/no-rm"
    ]] (button) Set (button) Take back
    Test
    Change the event and see what the rule makes of it. Nothing happens, and nothing is remembered.
    The event, as JSON
    [{
    "event": "pre_tool_call",
    "tool": {
    "args": {
    "command": "core/no-rm"
    },
    "name": "core/no-rm"
    }
    }]
    In the session [one of: *a new one core/no-rm]
    (button) Test
    Events of its tests: core/no-rm
    Its text
    core/no-rm:3:1
    core/no-rm
    "#);
}

#[test]
fn a_test_shows_what_each_part_gave() {
    let form = Fields::from([("rule", "NAME"), ("event", "{\"event\":\"pre_tool_call\"}"), ("session", "")]);
    let Reply::Page { html, .. } = sent(&House::default(), "/rule/test", form) else { panic!("no page") };
    let outcome = html.split("id=\"outcome\"").nth(1).unwrap();
    insta::assert_snapshot!(words(&format!("<main><p{outcome}")), @r#"
    It fires. Alone, it says block asked in 12 µs
    Not asked: core/no-rm.
    What its condition gave
    all of → gives true
    core/no-rm → gives true
    args.count → gives 7
    core/no-rm → gives fault: core/no-rm
    args.path → gives "core/no-rm"
    What it would do: 1 action
    {
    "message": "core/no-rm"
    }
    Fault core/no-rm Decided instead: block
    Its text
    core/no-rm:3:1
    core/no-rm
    "#);
}

#[test]
fn a_wrong_value_stays_in_its_field_with_the_reason() {
    let house = House { refuses: true, ..House::default() };
    let form = Fields::from([("rule", "NAME"), ("name", "threshold"), ("value", "much")]);
    let Reply::Page { status, html } = sent(&house, "/rule/parameter", form) else { panic!("no page") };
    assert_eq!(status, 422);
    let field = html.split("<input").find(|part| part.contains("aria-invalid")).unwrap();
    assert!(
        field.contains("value=\"much\"") && field.contains("aria-describedby=\"value-threshold-wrong\""),
        "{field}"
    );
    assert!(html.contains("id=\"value-threshold-wrong\""));
}

#[test]
fn decisions_tell_why() {
    insta::assert_snapshot!(words(&page(&House::default(), "/", &[]).1), @r#"
    Every call is stopped. core/no-rm by core/no-rm since 11 h ago
    (button) Let calls run again
    Every call of the session core/no-rm is stopped. core/no-rm by core/no-rm since 11 h ago
    (button) Let calls run again
    Now
    What agents ask, and what is decided. The newest stands first.
    As of this moment
    Stop everything
    Blocks every call of every session until you let them run again.
    Why [text ]
    (button) Stop every call
    (button) Let calls run again
    E0706 something is odd about core/no-rm
    core/no-rm
    core/no-rm
    Decision [one of: *any block approve redact warn allow]
    Words [search ]
    Session [search ]
    (button) Filter
    10 s agoperson rule switched by core/no-rm core/no-rm → core/no-rm
    rule_switched core/no-rm called by core/no-rm
    10 s agoperson killed by core/no-rm
    core/no-rm
    killed core/no-rm called by core/no-rm
    10 s agoblock exec core/no-rm core/no-rm
    core/no-rm core/no-rm
    shadow core/no-rm
    pre_tool_call core/no-rm called by core/no-rm ApprovalsTest this rule in this session
    {
    "command": "core/no-rm",
    "more": "core/no-rm"
    }
    10 s agoallow Before each request to the model
    No rule spoke: the default holds.
    turn_start core/no-rm called by core/no-rm
    "#);
}

#[test]
fn decisions_are_filtered() {
    let count = |query: &[(&str, &str)]| page(&House::default(), "/", query).1.matches("<li id=\"d-").count();
    assert_eq!(count(&[]), 4);
    assert_eq!(count(&[("decision", "block")]), 1);
    assert_eq!(count(&[("q", "RM exec")]), 1);
    assert_eq!(count(&[("q", "nowhere")]), 0);
}

#[test]
fn approvals_show_what_exactly_will_run() {
    insta::assert_snapshot!(words(&page(&House::default(), "/approvals", &[]).1), @r#"
    Every call is stopped. core/no-rm by core/no-rm since 11 h ago
    (button) Let calls run again
    Every call of the session core/no-rm is stopped. core/no-rm by core/no-rm since 11 h ago
    (button) Let calls run again
    Approvals
    Calls that wait for a person. An answer is good for exactly this call, once.
    E0706 something is odd about core/no-rm
    core/no-rm
    core/no-rm
    core/no-rm wants to run
    answered or expired meanwhile
    {
    "lines": [
    1,
    2
    ],
    "path": "core/no-rm"
    }
    called by core/no-rm as core/no-rm asked for by core/no-rm in the session core/no-rm 5 min 05 s left
    (button) Allow once
    Words for the agent [text ]
    (button) Deny
    core/no-rm wants to run
    answered or expired meanwhile
    core/no-rm
    called by core/no-rm as core/no-rm asked for by core/no-rm in the session core/no-rm 5 min 05 s left
    (button) Allow once
    Words for the agent [text ]
    (button) Deny
    Answered
    denied core/no-rm core/no-rm core/no-rm by core/no-rm asked 5 min ago
    “core/no-rm”
    "#);
}

/// What is said to have been answered is what the log holds of that request, and nothing where it holds another answer.
#[test]
fn an_answer_names_the_call_that_it_was_about() {
    let said = |done: &str, id: &str| {
        let told = words(&page(&House::default(), "/approvals", &[("done", done), ("id", id)]).1);
        told.lines()
            .find(|line| line.starts_with("Allowed") || line.starts_with("Denied"))
            .unwrap()
            .to_owned()
    };
    insta::assert_snapshot!(said("denied", "NAME"), @r#"Denied. The agent reads why. It was core/no-rm "core/no-rm" in the session core/no-rm."#);
    assert_eq!(said("denied", "a1"), "Denied. The agent reads why.");
    assert_eq!(said("denied", "nobody"), "Denied. The agent reads why.");
    assert_eq!(said("allowed", "NAME"), "Allowed once. The call may run when the agent makes it again.");
}

/// The host has the newest first.
#[test]
fn who_waits_longest_stands_first() {
    let html = page(&House::default(), "/approvals", &[]).1;
    let at = |id: &str| html.find(&format!("id=\"approval-{id}\"")).unwrap();
    assert!(at("a2") < at("a1"));
}

#[test]
fn a_plugin_shows_settings_of_every_kind() {
    insta::assert_snapshot!(words(&page(&House::default(), "/plugin", &[("id", "NAME")]).1), @r"
    Every call is stopped. core/no-rm by core/no-rm since 11 h ago
    (button) Let calls run again
    Every call of the session core/no-rm is stopped. core/no-rm by core/no-rm since 11 h ago
    (button) Let calls run again
    Plugins
    core/no-rm
    core/no-rm
    in force version core/no-rm 1 rule core/no-rm
    (switch, checked: true) On
    core/no-rm
    E0706 something is odd about core/no-rm
    core/no-rm
    core/no-rm
    Vouched for by
    | this workspace, which you trust
    Needs
    | core/no-rm is there.
    Settings
    core/no-rm
    on
    core/no-rm
    As its author says: true.
    [one of: *true false] (button) Set
    core/no-rm
    depth
    core/no-rm
    Set by you. Its author says 3. From 1 to 9.
    [number 5] (button) Set (button) Take back
    core/no-rm
    share
    core/no-rm
    As its author says: 0.5.
    [number 0.5] (button) Set
    core/no-rm
    words
    core/no-rm
    As its author says: core/no-rm.
    [text core/no-rm] (button) Set
    core/no-rm
    mode
    core/no-rm
    Set by you. Its author says deep.
    [one of: deep *core/no-rm] (button) Set (button) Take back
    Its rules
    core/no-rm · Before each request to the model
    ");
}
