//! Templates see the facts however they reach them, though only those that they name are made.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may stop, and touch files")]

use std::fs;
use std::sync::Arc;

use mentci_disk::RealFs;
use mentci_host::policy::{Input, Line, PolicyRequest};
use mentci_host::{Answer, Ask, Request};
use mentci_workspace::{StoppedClock, Surroundings, Workspace};

const EVENT: &str = r#"{"event":"turn_start","session":"s","turn":7,"usage":{"token_usage":0.85}}"#;

/// What a rule tells by a template at a turn.
fn told(template: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let rule = format!(
        "[rule]\nid = \"tells\"\ntrigger = \"on_turn_start\"\n[rule.parameters]\nleast = 3\n[condition]\nexpression = \"true\"\n\
         [action]\ntype = \"log\"\nmessage = '''{template}'''\n"
    );
    fs::write(folder.path().join("tells.toml"), rule).unwrap();
    let clock = Arc::new(StoppedClock("2026-11-21T00:00:00Z".into()));
    let workspace = Workspace::open(folder.path(), Surroundings::default(), Arc::new(RealFs), clock);
    let event = Input::Text { name: "event".into(), text: EVENT.into() };
    let rules = vec!["tells.toml".to_owned()];
    let asked =
        PolicyRequest::Decide { rules, event, dry_run: true, lenient: false, beside: None, dated: true };
    let response = workspace.ask(Request::Policy(asked));
    let Answer::Lines(answer) = response.answer else { panic!("{:?}", response.findings) };
    let Some(Line::Verdict(verdict)) = answer.lines.into_iter().next() else { panic!("no verdict") };
    assert_eq!(verdict.faults, []);
    verdict.actions[0]["message"].as_str().unwrap().to_owned()
}

#[test]
fn facts_are_there_by_whatever_way() {
    let cases = [
        ("{{ context.turn.number }}", "7"),
        ("{{ turn.number }}", "7"),
        ("{{ context.parameters.least }} {{ parameters.least }}", "3 3"),
        ("{{ context['turn'].number }}", "7"),
        ("{{ context['tu' ~ 'rn'].number }}", "7"),
        ("{{ context['\\u0074urn'].number }}", "7"),
        ("{{ (context).turn.number }}", "7"),
        ("{{ context .turn.number }}", "7"),
        ("{% set all = context %}{{ all.turn.number }}", "7"),
        ("{{ context | attr('tu' ~ 'rn') | length }}", "5"),
        (
            "{% for part in context %}{{ part }} {% endfor %}",
            "event history parameters plugin project result state turn user ",
        ),
        ("{{ context | length }}", "9"),
        ("{{ rule }} {{ event.name }}", "tells turn_start"),
        ("{{ context.nothing }}.", "."),
    ];
    for (template, text) in cases {
        assert_eq!(told(template), text, "{template}");
    }
}
