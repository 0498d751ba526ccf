//! Every page: what it says in words, that it is whole, and that nothing that others wrote is ever markup.

#![allow(
    clippy::unwrap_used,
    clippy::too_many_lines,
    clippy::needless_pass_by_value,
    reason = "a test may stop; a page in words is long"
)]
#![allow(clippy::format_push_string, reason = "words are few")]

mod hostile;
mod house;
mod policy;
mod read;
mod told;

use house::House;
use mentci_authority::At;
use mentci_web::{Fields, Reply, Viewer, Visit, answer};
use read::{is_clean, words};

/// Every page there is, with the names that the house knows.
const PAGES: &[(&str, &[(&str, &str)])] = &[
    ("/", &[]),
    ("/approvals", &[]),
    ("/approvals", &[("done", "denied"), ("id", "NAME")]),
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
    /approval/answer -> /approvals?done=allowed&id=a1
        {"verb":"policy","policy":"answer","id":"a1","grant":true,"by":null,"words":null}
    /approval/answer -> /approvals?done=denied&id=a1
        {"verb":"policy","policy":"answer","id":"a1","grant":false,"by":null,"words":null}
    /approval/answer -> /approvals?done=denied&id=a1
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
