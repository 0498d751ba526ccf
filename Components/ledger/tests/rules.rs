//! What rules use up: once, cooldowns, quotas; and what people do.
#![allow(clippy::unwrap_used, reason = "a test may stop")]

mod log;

use log::Log;
use mentci_authority::{Cooldown, Effect, Hook, Quota, StateScope};
use mentci_ledger::{Act, ApprovalState, Delta, Record, call_hash};
use serde_json::json;

#[test]
fn a_cooldown_skips_whole_turns() {
    for skipped in 0..4_u32 {
        let mut log = Log::new(0);
        let cooldown = Cooldown { turns: skipped, ms: 0 };
        let mut fired = Vec::new();
        for turn in 1..=12_u32 {
            log.turn();
            if !log.now(|view| view.is_resting("p/r", cooldown)) {
                fired.push(turn);
                log.fires(Hook::PreToolCall, "p/r");
                assert_eq!(log.now(|view| view.is_resting("p/r", cooldown)), skipped > 0, "in the same turn");
            }
        }
        let expected: Vec<u32> = (1..=12).step_by(skipped as usize + 1).collect();
        assert_eq!(fired, expected, "cooldown_turns={skipped}");
    }
}

#[test]
fn a_cooldown_of_milliseconds_ends_when_they_have_passed() {
    let mut log = Log::new(0);
    let cooldown = Cooldown { turns: 0, ms: 10_000 };
    log.second = 100;
    assert!(!log.now(|view| view.is_resting("p/r", cooldown)), "it never fired");
    assert_eq!(log.now(|view| view.since_ms("p/r")), None);
    log.fires(Hook::TurnEnd, "p/r");
    for (second, rests) in [(100, true), (109, true), (110, false), (50, true)] {
        log.second = second;
        assert_eq!(log.now(|view| view.is_resting("p/r", cooldown)), rests, "{second}");
    }
    log.second = 107;
    assert_eq!(log.now(|view| view.since_ms("p/r")), Some(7_000));
    assert!(log.now(|view| view.has_fired("p/r")) && !log.now(|view| view.has_fired("p/other")));
}

#[test]
fn a_quota_is_of_the_turn_the_exchange_and_the_session() {
    let quota = Quota { per_turn: Some(1), per_exchange: Some(2), per_session: Some(3) };
    let mut log = Log::new(0);
    let mut admitted = Vec::new();
    for exchange in 1..=3 {
        log.hook(Hook::QueryStart);
        for turn in 1..=3 {
            log.turn();
            for _ in 0..2 {
                let event = log.tool(Hook::PreToolCall, "send");
                if !log.see(&event, |view| view.is_spent("p/q", &quota)) {
                    admitted.push((exchange, turn));
                    log.record(&event, Effect::Allow, vec![Delta::Reserved { rule: "p/q".into() }]);
                }
            }
        }
    }
    assert_eq!(admitted, [(1, 1), (1, 2), (2, 1)]);
    let nothing = Quota { per_session: Some(0), ..Quota::default() };
    assert!(
        log.now(|view| view.is_spent("p/never", &nothing))
            && !log.now(|view| view.is_spent("p/q", &Quota::default()))
    );
}

#[test]
fn a_released_reservation_is_given_back_where_it_was_taken() {
    let quota = Quota { per_turn: Some(1), per_session: Some(2), ..Quota::default() };
    let mut log = Log::new(0);
    let reserve = || vec![Delta::Reserved { rule: "p/q".into() }];
    log.turn();
    let event = log.tool(Hook::PreToolCall, "send");
    log.record(&event, Effect::Allow, reserve());
    let release = vec![Delta::Released { rule: "p/q".into(), turn: 1, exchange: 0 }];
    log.turn();
    log.record(&event, Effect::Allow, reserve());
    assert!(log.now(|view| view.is_spent("p/q", &quota)));
    log.record(&event, Effect::Allow, release.clone());
    assert!(log.now(|view| view.is_spent("p/q", &quota)), "this turn's is still held");
    log.turn();
    assert!(!log.now(|view| view.is_spent("p/q", &quota)));
    for _ in 0..5 {
        log.record(&event, Effect::Allow, release.clone());
    }
    assert_eq!(log.session().rule("p/q").unwrap().reserved.in_session(), 0);
}

#[test]
fn whole_turns_lie_between_admitted_calls() {
    let mut log = Log::new(0);
    let mut admitted = Vec::new();
    for turn in 1..=9 {
        log.turn();
        for _ in 0..2 {
            let event = log.tool(Hook::PreToolCall, "send");
            if !log.see(&event, |view| view.admitted_lately("p/c", 2)) {
                admitted.push(turn);
                log.record(&event, Effect::Allow, vec![Delta::Reserved { rule: "p/c".into() }]);
            }
        }
    }
    assert_eq!(admitted, [1, 4, 7]);
}

#[test]
fn an_approval_is_for_one_call_once_and_not_for_ever() {
    let mut log = Log::new(0);
    let event = log.tool(Hook::PreToolCall, "send#1");
    let call = call_hash("send", &event.tool.as_ref().unwrap().args);
    let requested = Delta::Requested { approval: "a1".into(), rule: "p/ask".into(), expires_ms: 60_000 };
    log.record(&event, Effect::Approve, vec![requested]);
    let state = |log: &Log| log.now(|view| view.approval(&call).map(|approval| approval.state));
    assert_eq!(state(&log), Some(ApprovalState::Pending));
    log.act(Act::Granted { approval: "another".into(), by: "ada".into(), words: None });
    assert_eq!(state(&log), Some(ApprovalState::Pending));
    log.act(Act::Granted { approval: "a1".into(), by: "ada".into(), words: None });
    assert_eq!(state(&log), Some(ApprovalState::Granted));
    assert_eq!(log.now(|view| view.approval(&call_hash("send", &json!({"id": "2"}))).cloned()), None);
    log.second = 59;
    assert_eq!(state(&log), Some(ApprovalState::Granted));
    log.second = 60;
    assert_eq!(state(&log), None, "expired");
    log.second = 10;
    log.record(&event, Effect::Allow, vec![Delta::Used { approval: "a1".into() }]);
    assert_eq!(state(&log), None, "used");
}

#[test]
fn requests_are_bounded() {
    let mut log = Log::new(0);
    for number in 0..1_000 {
        let event = log.tool(Hook::PreToolCall, &format!("send#{number}"));
        let requested = Delta::Requested {
            approval: format!("a{number}"),
            rule: "p/ask".into(),
            expires_ms: 1_000 + number,
        };
        log.record(&event, Effect::Approve, vec![requested]);
    }
    assert_eq!(log.session().approvals(0).count(), 256);
    assert!(log.session().approvals(0).any(|(_, approval)| approval.id == "a999"));
}

#[test]
fn taints_variables_and_the_kill_switch() {
    let mut log = Log::new(0);
    let event = log.event(Hook::PostToolResponse);
    let set = |key: &str, scope| Delta::Set { scope, owner: "pack".into(), key: key.into(), value: json!(7) };
    let deltas = vec![
        Delta::Tainted { name: "web".into(), once_run: false },
        set("mine", StateScope::Session),
        set("ours", StateScope::Plugin),
    ];
    log.record(&event, Effect::Allow, deltas);
    assert!(log.session().is_tainted("web") && !log.session().is_tainted("file"));
    assert_eq!((log.session().variable("mine"), log.session().variable("ours")), (Some(&json!(7)), None));
    assert_eq!(log.now(|view| view.state("pack", "ours").cloned()), Some(json!(7)));
    assert_eq!(log.ledger.shared().version, 1);

    log.act(Act::TaintCleared { name: "web".into(), by: "ada".into() });
    assert!(!log.session().is_tainted("web"));
    log.act(Act::Killed { reason: "mine".into(), by: "ada".into() });
    assert_eq!(log.now(|view| view.killed().map(str::to_owned)).as_deref(), Some("mine"));
    let mut all =
        Record::act("", mentci_authority::At::utc(0), Act::Killed { reason: "all".into(), by: "ada".into() });
    log.ledger.fold(&all);
    assert_eq!(log.now(|view| view.killed().map(str::to_owned)).as_deref(), Some("all"));
    all = Record::act("", mentci_authority::At::utc(0), Act::Resumed { by: "ada".into() });
    log.ledger.fold(&all);
    log.act(Act::Resumed { by: "ada".into() });
    assert_eq!(log.now(|view| view.killed().map(str::to_owned)), None);
}

#[test]
fn a_line_of_the_log() {
    let mut log = Log::new(0);
    log.second = 1;
    let mut event = log.tool(Hook::PreToolCall, "exec#c1");
    event.tool.as_mut().unwrap().args = json!({"command": "x".repeat(5_000)});
    let mut decided = mentci_ledger::Decided::new(Effect::Redact, ["p/secrets"]);
    decided.redacted = Some(json!({"command": "[KEY]"}));
    let record = Record::of(&event, &decided, vec![Delta::Fired { rule: "p/secrets".into() }]);
    let text = serde_json::to_string_pretty(&record).unwrap();
    insta::assert_snapshot!(text, @r#"
    {
      "format": 1,
      "session": "s1",
      "at": "1970-01-01T00:00:01Z",
      "what": {
        "event": {
          "hook": "pre_tool_call",
          "call": {
            "name": "exec",
            "hash": "dde12727a999971f9ff5f02fdefb777c623193194af93d1f9dfdcda3f7676e47",
            "call_id": "c1",
            "args": {
              "command": "[KEY]"
            }
          },
          "decision": "redact",
          "rules": [
            "p/secrets"
          ]
        }
      },
      "deltas": [
        {
          "fired": {
            "rule": "p/secrets"
          }
        }
      ]
    }
    "#);
}
