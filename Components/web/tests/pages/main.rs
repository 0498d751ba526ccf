//! Every page: what it says in words, that it is whole, and that nothing that others wrote is ever markup.

#![allow(
    clippy::unwrap_used,
    clippy::too_many_lines,
    clippy::needless_pass_by_value,
    reason = "a test may stop; a page in words is long"
)]
#![allow(clippy::format_push_string, reason = "words are few")]

mod house;
mod read;

use house::House;
use mentci_authority::At;
use mentci_web::{Fields, Reply, Viewer, Visit, answer};
use proptest::prelude::*;
use read::{is_clean, words};

/// Every page there is, with the names that the house knows.
const PAGES: &[(&str, &[(&str, &str)])] = &[
    ("/", &[]),
    ("/approvals", &[]),
    ("/sessions", &[]),
    ("/session", &[("id", "NAME"), ("against", "builtin")]),
    ("/artifact", &[("id", "NAME"), ("session", "NAME")]),
    ("/law", &[]),
    ("/law", &[("from", "NAME")]),
    ("/law", &[("skill", "sema")]),
    ("/lessons", &[]),
    ("/rules", &[]),
    ("/rule", &[("name", "NAME")]),
    ("/plugins", &[]),
    ("/plugin", &[("id", "NAME")]),
    ("/settings", &[]),
    ("/nowhere", &[]),
];

fn visit(path: &str, query: &[(&str, &str)], name: &str) -> Visit {
    let said = |text: &str| if text == "NAME" { name.to_owned() } else { text.to_owned() };
    let query: Vec<(String, String)> =
        query.iter().map(|(key, value)| ((*key).to_owned(), said(value))).collect();
    Visit {
        path: path.to_owned(),
        query: query.into(),
        form: None,
        viewer: Viewer { may_act: true },
        now: At::utc(1_772_487_000_000),
        stream: Some("/live".to_owned()),
    }
}

fn page(house: &House, path: &str, query: &[(&str, &str)]) -> (u16, String) {
    match answer(house, &visit(path, query, &house.text)) {
        Reply::Page { status, html } => (status, html),
        Reply::See { to } => panic!("{path} leads to {to}"),
    }
}

fn sent(house: &House, path: &str, form: Fields) -> Reply {
    answer(house, &Visit { form: Some(form), ..visit(path, &[], &house.text) })
}

#[test]
fn every_page_is_whole_and_has_one_head() {
    let house = House::default();
    for (path, query) in PAGES {
        let (status, html) = page(&house, path, query);
        assert_eq!(status == 404, *path == "/nowhere", "{path}: {}", words(&html));
        is_clean(path, &html);
        assert_eq!(html.matches("<h1").count(), 1, "{path}");
        assert_eq!(html.matches("<main").count(), 1, "{path}");
        for outside in ["http://", "https://", "style=", "<style", "javascript:"] {
            assert!(!html.contains(outside), "{path} holds {outside}");
        }
    }
}

#[test]
fn empty_houses_say_what_would_stand_there() {
    let house = House::empty();
    let mut told = String::new();
    for path in ["/", "/approvals", "/sessions", "/law", "/lessons", "/rules", "/plugins"] {
        let (status, html) = page(&house, path, &[]);
        assert_eq!(status, 200, "{path}");
        is_clean(path, &html);
        let title = html.split("empty-title\">").nth(1).unwrap_or("").split('<').next().unwrap();
        told += &format!("{path}: {title}\n");
    }
    insta::assert_snapshot!(told, @r"
    /: Nothing was decided yet
    /approvals: Nothing waits for you
    /sessions: No session yet
    /law: There is no law yet
    /lessons: No lesson was told yet
    /rules: No rule fits
    /plugins: There is no plugin yet
    ");
}

/// What hides, breaks out or turns around.
const HOSTILE: &[&str] = &[
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "'><svg onload=alert(1)>",
    "</textarea><script>alert(1)</script>",
    "</pre></li></ul></main><form action=//evil.example>",
    "javascript:alert(1)",
    "a&b=c#d?e=f%2F../..",
    "]]><!--<!doctype html>",
    "\u{202e}gnp.exe\u{2066}\u{200b}\u{feff}\u{e0041}",
    "nul\0bell\u{7}escape\u{1b}[2Jreturn\rback\u{8}",
    "`<b>` and ``",
    "{{ 7*7 }} {% raw %}",
];

#[test]
fn nothing_that_others_wrote_is_markup() {
    for text in HOSTILE {
        all_clean(text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]
    #[test]
    fn no_text_is_markup(text in "[<>\"'&/a-z`{}%\\u{202e}\\u{0}-\\u{1f} =-]{1,40}") {
        all_clean(&text);
    }
}

fn all_clean(text: &str) {
    let house = House::saying(text);
    for (path, query) in PAGES {
        let (_, html) = page(&house, path, query);
        is_clean(path, &html);
        for hidden in [
            '\u{202e}',
            '\u{2066}',
            '\u{200b}',
            '\u{feff}',
            '\u{e0041}',
            '\0',
            '\u{7}',
            '\u{1b}',
            '\r',
            '\u{8}',
        ] {
            assert!(!html.contains(hidden), "{path} holds {hidden:?}");
        }
    }
    // What is refused is shown again, too.
    for (path, form) in [
        ("/rule/test", Fields::from([("rule", text), ("event", text), ("session", text)])),
        ("/rule/parameter", Fields::from([("rule", text), ("name", text), ("value", text)])),
        ("/plugin/setting", Fields::from([("id", text), ("name", text), ("value", text)])),
        ("/lesson/reject", Fields::from([("id", text), ("reason", text)])),
    ] {
        match sent(&House { refuses: true, ..House::saying(text) }, path, form) {
            Reply::Page { html, .. } => is_clean(path, &html),
            Reply::See { to } => panic!("{path} leads to {to}"),
        }
    }
}

#[test]
fn an_address_cannot_put_words_into_the_page() {
    let (_, html) = page(&House::default(), "/rules", &[("done", "<b>Your account was closed</b>")]);
    assert!(!html.contains("account"));
    let (_, html) = page(&House::default(), "/rules", &[("done", "off")]);
    assert!(html.contains("role=\"status\">Switched off."));
}

#[test]
fn what_is_done_leads_to_where_it_shows() {
    let house = House::default();
    let rule = [("rule", "core/no-rm"), ("enabled", "false")];
    let table: &[(&str, Fields)] = &[
        ("/rule/switch", Fields::from(rule)),
        ("/rule/switch", Fields::from([("rule", "a/b&c"), ("enabled", "true"), ("from", "rule")])),
        ("/rule/parameter", Fields::from([("rule", "a/b"), ("name", "threshold"), ("value", "0.5")])),
        (
            "/rule/parameter",
            Fields::from([("rule", "a/b"), ("name", "threshold"), ("value", "0.5"), ("reset", "1")]),
        ),
        ("/plugin/switch", Fields::from([("id", "deep"), ("enabled", "true")])),
        ("/plugin/setting", Fields::from([("id", "deep"), ("name", "depth"), ("value", "3")])),
        ("/lesson/accept", Fields::from([("id", "0011223344556677")])),
        ("/lesson/reject", Fields::from([("id", "0011223344556677"), ("reason", "no")])),
        ("/approval/answer", Fields::from([("id", "a1"), ("answer", "allow")])),
        ("/approval/answer", Fields::from([("id", "a1"), ("answer", "deny")])),
        // Anything but a plain yes is a no.
        ("/approval/answer", Fields::from([("id", "a1")])),
        ("/stop", Fields::from([("reason", "enough")])),
        ("/stop", Fields::from([("session", "s 1"), ("reason", "enough")])),
        ("/resume", Fields::from([("session", "s 1")])),
    ];
    let mut told = String::new();
    for (path, form) in table {
        let Reply::See { to } = sent(&house, path, form.clone()) else { panic!("{path} shows a page") };
        told += &format!("{path} -> {to}\n    {}\n", house.asked.lock().unwrap().last().unwrap());
    }
    insta::assert_snapshot!(told, @r#"
    /rule/switch -> /rules?done=off#rule-core_2f_no-rm
        {"verb":"policy","policy":"switch","rule":"core/no-rm","enabled":false}
    /rule/switch -> /rule?name=a%2Fb%26c&done=on
        {"verb":"policy","policy":"switch","rule":"a/b&c","enabled":true}
    /rule/parameter -> /rule?name=a%2Fb&done=set#parameters
        {"verb":"policy","policy":"parameter","rule":"a/b","name":"threshold","value":"0.5"}
    /rule/parameter -> /rule?name=a%2Fb&done=reset#parameters
        {"verb":"policy","policy":"parameter","rule":"a/b","name":"threshold","value":null}
    /plugin/switch -> /plugins?done=on#plugin-deep
        {"verb":"policy","policy":"plugins","plugin":"switch","id":"deep","enabled":true}
    /plugin/setting -> /plugin?id=deep&done=set#settings
        {"verb":"policy","policy":"plugins","plugin":"set","id":"deep","name":"depth","value":"3"}
    /lesson/accept -> /lessons?done=accepted
        {"verb":"lessons","lesson":"accept","id":"0011223344556677"}
    /lesson/reject -> /lessons?done=rejected
        {"verb":"lessons","lesson":"reject","id":"0011223344556677","reason":"no"}
    /approval/answer -> /approvals?done=allowed
        {"verb":"policy","policy":"answer","id":"a1","grant":true,"by":null,"words":null}
    /approval/answer -> /approvals?done=denied
        {"verb":"policy","policy":"answer","id":"a1","grant":false,"by":null,"words":null}
    /approval/answer -> /approvals?done=denied
        {"verb":"policy","policy":"answer","id":"a1","grant":false,"by":null,"words":null}
    /stop -> /?done=stopped
        {"verb":"policy","policy":"kill","session":null,"reason":"enough"}
    /stop -> /session?id=s%201&done=stopped
        {"verb":"policy","policy":"kill","session":"s 1","reason":"enough"}
    /resume -> /session?id=s%201&done=resumed
        {"verb":"policy","policy":"resume","session":"s 1"}
    "#);
}

#[test]
fn who_may_not_act_sees_no_form_and_is_refused() {
    let house = House::default();
    for (path, query) in PAGES {
        let looking = Visit { viewer: Viewer { may_act: false }, ..visit(path, query, &house.text) };
        let Reply::Page { html, .. } = answer(&house, &looking) else { panic!("{path}") };
        for form in html.split("<form ").skip(1) {
            let form = form.split("</form>").next().unwrap();
            let is_quiet = form.contains("method=\"get\"") || form.contains("/rule/test");
            let is_locked = form.contains("disabled=\"\"") && !form.contains(">Set<");
            assert!(is_quiet || is_locked, "{path}: {form}");
        }
    }
    for path in ["/rule/switch", "/approval/answer", "/stop", "/rule/test", "/nowhere"] {
        let form =
            Fields::from([("rule", "core/no-rm"), ("enabled", "false"), ("id", "a1"), ("answer", "allow")]);
        let acting = Visit { form: Some(form), viewer: Viewer { may_act: false }, ..visit(path, &[], "") };
        let Reply::Page { status, .. } = answer(&house, &acting) else { panic!("{path} was done") };
        assert_eq!(status, 403, "{path}");
    }
    assert_eq!(house.asked.lock().unwrap().iter().filter(|asked| asked.contains("switch")).count(), 0);
}

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
    core/no-rm
    called by core/no-rm as core/no-rm asked for by core/no-rm in the session core/no-rm 5 min 05 s left
    (button) Allow once
    Words for the agent [text ]
    (button) Deny
    core/no-rm wants to run
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
    Answered
    denied core/no-rm core/no-rm core/no-rm by core/no-rm asked 5 min ago
    “core/no-rm”
    "#);
}

#[test]
fn lines_of_law_open_what_they_rest_on() {
    insta::assert_snapshot!(words(&page(&House::default(), "/law", &[("from", "NAME")]).1), @r"
    Every call is stopped. core/no-rm by core/no-rm since 11 h ago
    (button) Let calls run again
    Every call of the session core/no-rm is stopped. core/no-rm by core/no-rm since 11 h ago
    (button) Let calls run again
    Law
    What every request to a model carries, line for line. Each line opens what it rests on.
    E0706 something is odd about core/no-rm
    core/no-rm
    core/no-rm
    The workspacesema
    1 rule
    41 of 1,500 tokens
    5ad6fa89f373
    .pi/absolute_rules.md
    Absolute Rules, cited by number (1 of 1 skill)
    Must
    sema-1 core/no-rm 3 lessons
    core/no-rm
    core/no-rm:4
    core/no-rm → core/no-rm
    A lesson that nobody reviewed. 0011223344556677
    core/no-rm → core/no-rm
    A lesson that nobody reviewed. 1111
    core/no-rm → core/no-rm
    A lesson that nobody reviewed. 2222
    Law: core/no-rm
    As plain text
    # Absolute Rules, cited by number (1 of 1 skill)
    ## Must
    sema-1 core/no-rm
    Law: core/no-rm
    What changed
    From [one of: b20ab0a020a4 · 30 min ago 96a4257289f9 · core/no-rm]
    To [one of: *b20ab0a020a4 · 30 min ago 96a4257289f9 · core/no-rm]
    (button) Compare
    −went: core/no-rm
    +came: core/no-rm
    Tokens by section
    in the law in its digest
    sema
    | core/no-rm | 600 → 200 | (code) | 300 → 0
    As a table
    SectionRulesIn the lawIn its digest
    core/no-rm | 1 | 600 | 200
    (code) | 1 | 300 | 0
    ");
}

#[test]
fn lessons_that_wait_stand_beside_what_they_would_change() {
    insta::assert_snapshot!(words(&page(&House::default(), "/lessons", &[]).1), @r"
    Every call is stopped. core/no-rm by core/no-rm since 11 h ago
    (button) Let calls run again
    Every call of the session core/no-rm is stopped. core/no-rm by core/no-rm since 11 h ago
    (button) Let calls run again
    Lessons
    What agents learned. A lesson that would loosen an explicit must waits here until a person decides.
    E0706 something is odd about core/no-rm
    core/no-rm
    core/no-rm
    Waiting for you 1
    The lesson
    When
    | core/no-rm
    Do
    | core/no-rm
    Learned
    | core/no-rm
    Why it waits
    It would loosen or contradict
    core/no-rm
    pending sema told by core/no-rm through core/no-rm in 2 sessions 30 min ago 0011223344556677
    (button) Accept
    Why [text ]
    (button) Reject
    In force 1
    The lesson
    When
    | core/no-rm
    Do
    | core/no-rm
    Learned
    | core/no-rm
    Says the opposite
    conflict
    core/no-rm → core/no-rm pending 0011223344556677
    Nearly the same
    core/no-rm → core/no-rm pending 0011223344556677
    active sema on sema-1 told by core/no-rm through core/no-rm in 2 sessions 30 min ago 1111
    (button) Accept
    Why [text ]
    (button) Reject
    Out of force 1
    The lesson
    When
    | core/no-rm
    Do
    | core/no-rm
    Learned
    | core/no-rm
    rejected sema on sema-1 told by core/no-rm through core/no-rm in 2 sessions 30 min ago 2222
    (button) Accept
    ");
}

#[test]
fn a_session_shows_its_story_context_and_other_rules() {
    insta::assert_snapshot!(words(&page(&House::default(), "/session", &[("id", "NAME"), ("against", "builtin")]).1), @r#"
    Every call is stopped. core/no-rm by core/no-rm since 11 h ago
    (button) Let calls run again
    Every call of the session core/no-rm is stopped. core/no-rm by core/no-rm since 11 h ago
    (button) Let calls run again
    Sessions
    core/no-rm
    50 tokens said 5 lines 1 min ago
    stopped: core/no-rm
    (button) Let its calls run again
    E0706 something is odd about core/no-rm
    core/no-rm
    core/no-rm
    5 events: 1 call, 1 blocked | said | tools | decided | context
    What happened
    2 earlier events left out here.
    19:33:21 said user · core/no-rm
    {
    "role": "user",
    "text": "core/no-rm"
    }
    19:33:22 call core/no-rm · core/no-rm
    {
    "args": {
    "command": "core/no-rm"
    },
    "tool": "core/no-rm"
    }
    19:33:23 block core/no-rm
    {
    "decision": "block",
    "rules": [
    "core/no-rm"
    ]
    }
    19:33:24 denied core/no-rm · core/no-rm
    {
    "error": "core/no-rm",
    "tool": "core/no-rm"
    }
    19:33:25 answer core/no-rm · {"x":"core/no-rm"}
    {
    "tool": "core/no-rm",
    "value": {
    "x": "core/no-rm"
    }
    }
    What a model sees of it
    Budget in tokens [number 8000]
    (button) Compile
    640 of 8,000 tokens are sent, counted as core/no-rm.
    600 as said
    300 moved to an artifact
    0 cleared, with a handle
    0 summarised
    100 left out
    40 added: frames, stand-ins, notes
    Every event: 1 line
    EventTokensWhere they areWhy
    user_input | 1,000 | 600 as said, 300 moved to an artifact, 100 left out | middle of history
    Artifacts
    abababababab core/no-rm · 70,000 bytes · core/no-rm
    core/no-rm
    Replay against other rules
    What would have been decided differently. Nothing happens, and nothing is remembered.
    Files or folders of rules [text builtin]
    (button) Replay
    E0706 something is odd about core/no-rm
    core/no-rm
    core/no-rm
    EventRules in forceThe other rules
    4 | allow
    core/no-rm core/no-rm
    | block
    core/no-rm core/no-rm
    "#);
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

#[test]
fn files_outside_of_the_workspace_are_not_asked_for() {
    let house = House::default();
    let (_, html) = page(&house, "/session", &[("id", "NAME"), ("against", "../../secret")]);
    assert!(html.contains("does not lie in the workspace"));
    assert!(!house.asked.lock().unwrap().iter().any(|asked| asked.contains("secret")));
}
