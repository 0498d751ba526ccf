//! What is counted, and when.
#![allow(clippy::unwrap_used, reason = "a test may stop")]

mod log;

use log::Log;
use mentci_authority::{Effect, Event, Hook, Role, ToolStatus, Usage};
use mentci_ledger::{Decided, RECENT, TEXT_BYTES};

#[test]
fn every_call_counts_and_only_what_ran_was_called() {
    let mut log = Log::new(0);
    log.turn();
    log.call("read#1", Effect::Allow).answer("read#1", ToolStatus::Success);
    log.call("read#2", Effect::Warn).answer("read#2", ToolStatus::Error);
    log.call("read#3", Effect::Redact).answer("read#3", ToolStatus::Timeout);
    log.call("read#4", Effect::Block);
    log.call("read#5", Effect::Approve);
    let tally = log.session().tally("read");
    assert_eq!((tally.calls, tally.executed, tally.completed, tally.failed), (5, 3, 1, 2));
    assert_eq!(
        (tally.decided(Effect::Block), tally.decided(Effect::Allow), tally.failed_in_a_row),
        (1, 1, 2)
    );
    assert_eq!(log.session().total_calls(), 5);
    assert_eq!(log.session().tally("Read").calls, 0);
}

/// What happens after an admitted call, and whether the next call sees it as executed.
#[test]
fn an_admitted_call_has_executed_once_its_answer_or_the_next_turn_arrives() {
    type Then = fn(&mut Log) -> &mut Log;
    let table: &[(&str, Then, u64)] = &[
        ("nothing", |log| log, 0),
        ("its answer", |log| log.answer("read#1", ToolStatus::Success), 1),
        ("its failure", |log| log.answer("read#1", ToolStatus::Error), 1),
        ("its refusal", |log| log.answer("read#1", ToolStatus::Invalid), 0),
        ("an answer without an id", |log| log.answer("read", ToolStatus::Success), 1),
        ("the next turn", |log| log.turn(), 1),
        ("a query", |log| log.hook(Hook::QueryStart), 1),
        ("another call", |log| log.call("write#2", Effect::Allow), 0),
        (
            "another's answer",
            |log| log.call("write#2", Effect::Allow).answer("write#2", ToolStatus::Success),
            0,
        ),
        ("the next turn, then its answer", |log| log.turn().answer("read#1", ToolStatus::Success), 1),
        ("the next turn, then its refusal", |log| log.turn().answer("read#1", ToolStatus::Invalid), 0),
        (
            "its answer twice",
            |log| log.answer("read#1", ToolStatus::Success).answer("read#1", ToolStatus::Success),
            1,
        ),
        ("the same call again", |log| log.call("read#1", Effect::Allow).turn(), 1),
    ];
    for (then, step, executed) in table {
        let mut log = Log::new(0);
        log.turn().call("read#1", Effect::Allow);
        step(&mut log);
        assert_eq!(log.now(|view| view.count_calls("read")), *executed, "{then}");
        assert_eq!(log.now(|view| view.ever_called("read")), *executed > 0, "{then}");
    }
}

#[test]
fn a_call_of_which_no_answer_is_reported_has_executed_at_once() {
    let mut log = Log::new(0);
    let event = log.tool(Hook::PreToolCall, "read#1");
    log.record_as(&event, &Decided { unanswered: true, ..Decided::allowed() }, vec![]);
    assert_eq!(log.now(|view| view.count_calls("read")), 1);
    log.turn();
    assert_eq!(log.now(|view| view.count_calls("read")), 1);
    assert_eq!(log.session().recent_tools().len(), 1);
}

#[test]
fn a_denied_call_never_counts_whatever_answer_it_has() {
    let mut log = Log::new(0);
    log.turn().call("read#1", Effect::Block);
    assert!(log.see(&log.tool(Hook::PostToolResponse, "read#1"), |view| view.has_diverged()));
    log.answer("read#1", ToolStatus::Success).turn();
    log.call("write", Effect::Block);
    assert!(log.see(&log.tool(Hook::PostToolResponse, "write"), |view| view.has_diverged()));
    log.answer("write", ToolStatus::Success);
    assert_eq!(log.now(|view| (view.count_calls("read"), view.count_calls("write"))), (0, 0));
    assert_eq!(log.session().recent_tools().len(), 0);
    // A call that waits for a person and is answered ran: the client asked its user itself.
    log.call("send#9", Effect::Approve).answer("send#9", ToolStatus::Success);
    assert_eq!(log.now(|view| view.count_calls("send")), 1);
    // An answer of a call that was never seen is one.
    log.answer("fetch#7", ToolStatus::Success);
    assert_eq!(log.now(|view| view.count_calls("fetch")), 1);
}

#[test]
fn an_event_sees_what_it_brings() {
    let mut log = Log::new(0);
    log.turn().call("read#1", Effect::Allow).answer("read#1", ToolStatus::Error);
    log.call("read#2", Effect::Allow);
    let mut failed = log.tool(Hook::PostToolResponse, "read#2");
    failed.tool.as_mut().unwrap().status = Some(ToolStatus::Error);
    assert_eq!(log.see(&failed, |view| (view.tally("read").failed, view.count_calls("read"))), (2, 2));
    assert_eq!(log.see(&failed, |view| view.tally("write").failed), 0);
    let failures =
        |event: &Event| log.see(event, |view| view.tallies().map(|(_, tally)| tally.failed).sum::<u64>());
    assert_eq!(failures(&failed), 2);
    let mut unseen = log.tool(Hook::PostToolResponse, "fetch#9");
    unseen.tool.as_mut().unwrap().status = Some(ToolStatus::Timeout);
    assert_eq!(failures(&unseen), 2);
    assert_eq!(log.see(&unseen, |view| view.answered_tool().unwrap().success), Some(false));
    assert_eq!(log.now(|view| view.answered_tool()), None);
    // The next turn, however it shows, sees what was left open.
    assert_eq!(log.now(|view| view.count_calls("read")), 1);
    assert_eq!(log.see(&log.event(Hook::TurnStart), |view| view.count_calls("read")), 2);
    let later = Event { turn: Some(9), ..log.tool(Hook::PreToolCall, "write") };
    assert_eq!(log.see(&later, |view| (view.count_calls("read"), view.turn())), (2, 9));
    let message = log.message(Hook::MessageAppended, Role::User, "stop");
    let seen = log.see(&message, |view| {
        (view.last_text(Role::User) == Some("stop"), view.last_role(), view.history_length(), view.exchange())
    });
    assert_eq!(seen, (true, Some(Role::User), 1, 1));
}

#[test]
fn called_since_looks_at_turns() {
    let mut log = Log::new(0);
    log.turn().call("read#1", Effect::Allow).answer("read#1", ToolStatus::Success);
    for (turn, within_0, within_1, within_2) in
        [(1, true, true, true), (2, false, true, true), (3, false, false, true)]
    {
        let seen = log.now(|view| (0..3).map(|turns| view.called_since("read", turns)).collect::<Vec<_>>());
        assert_eq!(seen, [within_0, within_1, within_2], "turn {turn}");
        log.turn();
    }
    assert!(!log.now(|view| view.called_since("write", u64::MAX)));
}

/// The hooks of a log, each with its stated turn, and the turn, exchange and iteration that each event sees.
#[test]
fn turns_and_exchanges() {
    use Hook::{PreToolCall, QueryStart, SessionStart, TurnEnd, TurnStart};
    type Row = (Hook, Option<u64>, (u64, u64, u64));
    let table: &[(&str, &[Row])] = &[
        (
            "counted",
            &[
                (SessionStart, None, (0, 0, 0)),
                (QueryStart, None, (1, 1, 0)),
                (TurnStart, None, (1, 1, 1)),
                (PreToolCall, None, (1, 1, 1)),
                (TurnEnd, None, (1, 1, 1)),
                (TurnStart, None, (2, 1, 2)),
                (QueryStart, None, (2, 2, 0)),
                (TurnStart, None, (3, 2, 1)),
            ],
        ),
        (
            "only prompts: a prompt is a turn",
            &[
                (QueryStart, None, (1, 1, 0)),
                (PreToolCall, None, (1, 1, 0)),
                (QueryStart, None, (2, 2, 0)),
                (QueryStart, None, (3, 3, 0)),
            ],
        ),
        (
            "stated",
            &[
                (TurnStart, Some(5), (5, 0, 1)),
                (PreToolCall, Some(5), (5, 0, 1)),
                (PreToolCall, Some(4), (5, 0, 1)),
                (PreToolCall, Some(7), (7, 0, 1)),
                (TurnStart, Some(7), (7, 0, 2)),
                (QueryStart, Some(7), (7, 1, 0)),
                (TurnStart, Some(8), (8, 1, 1)),
            ],
        ),
        (
            "numbered from 1 again after a resume",
            &[
                (TurnStart, Some(5), (5, 0, 1)),
                (TurnStart, Some(1), (6, 0, 2)),
                (TurnStart, Some(2), (7, 0, 3)),
            ],
        ),
        ("from the middle", &[(PreToolCall, None, (1, 0, 0)), (TurnStart, None, (2, 0, 1))]),
    ];
    for (name, rows) in table {
        let mut log = Log::new(0);
        for (number, (hook, stated, expected)) in rows.iter().enumerate() {
            let event = Event { turn: *stated, ..log.event(*hook) };
            let seen = log.see(&event, |view| (view.turn(), view.exchange(), view.iterations()));
            assert_eq!(seen, *expected, "{name}: row {number}");
            log.record(&event, Effect::Allow, vec![]);
        }
    }
}

#[test]
fn a_query_and_its_message_are_one_in_either_order() {
    let mut log = Log::new(0);
    let query = log.message(Hook::QueryStart, Role::User, "do it");
    log.record(&query, Effect::Allow, vec![]);
    log.said(Role::User, "do it").said(Role::Assistant, "done");
    assert_eq!((log.session().turns().exchange, log.session().history_length()), (1, 2));
    log.said(Role::User, "again").hook(Hook::QueryStart);
    assert_eq!((log.session().turns().exchange, log.session().history_length()), (2, 3));
    log.said(Role::User, "and again").said(Role::User, "and again");
    assert_eq!((log.session().turns().exchange, log.session().history_length()), (4, 5));
}

#[test]
fn texts_and_tokens() {
    let mut log = Log::new(0);
    assert_eq!((log.now(|view| view.last_role()), log.now(|view| view.history_length())), (None, 0));
    log.said(Role::User, "héllo").said(Role::Assistant, "yes");
    let mut counted = log.message(Hook::MessageAppended, Role::System, "be kind");
    counted.message.as_mut().unwrap().tokens = Some(2);
    log.record(&counted, Effect::Allow, vec![]);
    assert_eq!(log.now(|view| view.last_tokens(Role::System).unwrap().tokens), 2);
    let user = log.now(|view| view.last_tokens(Role::User).unwrap());
    assert_eq!((user.tokens, user.is_estimated), (6, true), "no more than one token a byte");
    assert_eq!(log.now(|view| view.context_tokens().tokens), 11);
    let usage = Usage { context_tokens: Some(500), history_length: Some(40), ..Usage::default() };
    let stated = Event { usage: Some(usage), ..log.event(Hook::TurnStart) };
    log.record(&stated, Effect::Allow, vec![]);
    log.said(Role::User, "1234");
    assert_eq!(log.now(|view| (view.context_tokens().tokens, view.history_length())), (504, 41));

    log.said(Role::User, &"ü".repeat(TEXT_BYTES));
    let last = log.session().last_text(Role::User).unwrap().clone();
    assert!(last.is_cut && last.text.len() == TEXT_BYTES && last.tokens.tokens == 2 * TEXT_BYTES as u64);
}

#[test]
fn the_recent_past_is_bounded() {
    let mut log = Log::new(0);
    for number in 0..200 {
        log.said(Role::User, &format!("message {number}"));
        let id = format!("read#{number}");
        log.call(&id, Effect::Allow).answer(&id, ToolStatus::Success);
    }
    let session = log.session();
    assert_eq!((session.recent_messages().len(), session.recent_tools().len()), (RECENT, RECENT));
    assert_eq!(session.recent_messages().next_back().unwrap().text, "message 199");
    assert_eq!(session.recent_tools().next_back().unwrap().args["id"], "199");
    assert_eq!(session.tally("read").executed, 200);
}

#[test]
fn a_name_of_any_length_is_a_tool() {
    let mut log = Log::new(0);
    let (ample, longer) = ("x".repeat(100_000), "x".repeat(100_001));
    log.call(&ample, Effect::Allow).call("", Effect::Allow);
    assert_eq!((log.session().tally(&ample).calls, log.session().tally(&longer).calls), (1, 0));
    assert!(log.session().tallies().all(|(name, _)| name.len() < 300));
}

#[test]
fn more_calls_at_once_than_are_followed_count_as_executed() {
    let mut log = Log::new(0);
    log.turn();
    for number in 0..1_000 {
        log.call(&format!("read#{number}"), Effect::Allow);
    }
    assert!(log.now(|view| view.count_calls("read")) >= 700);
    log.turn();
    assert_eq!(log.now(|view| view.count_calls("read")), 1_000);
}
