//! What rules tell the agent: told once, at its event, the most urgent first.
#![allow(clippy::unwrap_used, reason = "a test may stop")]

use std::sync::Arc;

use mentci_authority::{At, DeliverAt, Event, Hook, NotifyPriority};
use mentci_ledger::{
    Act, Batch, Decided, Delta, MAX_WAITING, NOTICE_BYTES, Notice, NoticeState, Record, Said, SessionLedger,
    Windows,
};
use proptest::prelude::*;

const BATCH: Batch = Batch { notices: 3, bytes: 64, begun: false };
const HOUR: i64 = 3_600_000;

fn notice(id: &str, priority: NotifyPriority, deliver_at: DeliverAt, queued_ms: i64) -> Notice {
    Notice {
        id: id.into(),
        rule: "p/r".into(),
        message: format!("message {id}"),
        category: "info".into(),
        priority,
        deliver_at,
        queued_ms,
        expires_ms: queued_ms + HOUR,
    }
}

fn normal(id: &str) -> Notice {
    notice(id, NotifyPriority::Normal, DeliverAt::TurnStart, 0)
}

fn fold(session: &mut SessionLedger, hook: Hook, at_ms: i64, deltas: Vec<Delta>) {
    let event = Event { at: Some(At::utc(at_ms)), session: "s".into(), ..Event::new(hook) };
    session.fold(&Record::of(&event, &Decided::allowed(), deltas));
}

fn queued(notices: impl IntoIterator<Item = Notice>) -> SessionLedger {
    let mut session = SessionLedger::new(Windows::default());
    for notice in notices {
        let at = notice.queued_ms;
        fold(&mut session, Hook::TurnEnd, at, vec![Delta::Queued(Arc::new(notice))]);
    }
    session
}

fn due(session: &SessionLedger, hook: Hook, now_ms: i64) -> Vec<String> {
    session
        .notices()
        .due(hook, false, None, now_ms, BATCH, |_| false)
        .into_iter()
        .map(|notice| notice.id.clone())
        .collect()
}

fn states(session: &SessionLedger, now_ms: i64) -> Vec<(String, NoticeState)> {
    session.notices().all(now_ms).map(|(state, notice)| (notice.id.clone(), state)).collect()
}

#[test]
fn a_batch_that_is_begun_takes_what_fits_and_no_more() {
    let long = |id: &str, bytes: usize| Notice { message: "x".repeat(bytes), ..normal(id) };
    let session = queued([long("a", 30), long("b", 40)]);
    let told = |batch| session.notices().due(Hook::TurnStart, false, None, 0, batch, |_| false).len();
    let whole = Batch::new(3, 64);
    let after = [whole, whole.after(30), whole.after(50), whole.after(90), Batch::new(1, 64).after(1)];
    assert_eq!(after.map(told), [1, 1, 0, 0, 0]);
    assert_eq!(told(Batch::new(3, 5)), 1, "the first always, where nothing was told");
}

#[test]
fn each_waits_for_its_event() {
    use Hook::{
        MessageAppended, PostToolResponse, PreCompact, PreToolCall, QueryStart, SessionEnd, SessionStart,
        TurnEnd, TurnStart,
    };
    let fitting = |deliver_at| {
        let session = queued([notice("n", NotifyPriority::Normal, deliver_at, 0)]);
        Hook::ALL.into_iter().filter(|hook| !due(&session, *hook, 1).is_empty()).collect::<Vec<_>>()
    };
    assert_eq!(fitting(DeliverAt::TurnStart), [TurnStart]);
    assert_eq!(fitting(DeliverAt::AfterTool), [PostToolResponse]);
    assert_eq!(fitting(DeliverAt::TurnEnd), [TurnEnd]);
    let shown = fitting(DeliverAt::Immediate);
    for hook in [SessionStart, QueryStart, TurnStart, PreToolCall, PostToolResponse, TurnEnd] {
        assert!(shown.contains(&hook), "{hook:?}");
    }
    for hook in [MessageAppended, PreCompact, SessionEnd] {
        assert!(!shown.contains(&hook), "{hook:?}");
    }
}

#[test]
fn what_a_client_cannot_show_waits_for_what_it_can() {
    use Hook::{PostToolResponse, PreToolCall, QueryStart, SessionStart, TurnStart};
    let fitting = |shown: &[Hook], deliver_at| {
        let session = queued([notice("n", NotifyPriority::Critical, deliver_at, 0)]);
        let due =
            |hook: &Hook| !session.notices().due(*hook, false, Some(shown), 1, BATCH, |_| false).is_empty();
        shown.iter().copied().filter(due).collect::<Vec<_>>()
    };
    let (prompts, results) =
        ([SessionStart, QueryStart, TurnStart, PreToolCall, PostToolResponse], [PostToolResponse]);
    assert_eq!(fitting(&prompts, DeliverAt::TurnStart), [TurnStart]);
    assert_eq!(fitting(&prompts, DeliverAt::AfterTool), [PostToolResponse]);
    assert_eq!(fitting(&prompts, DeliverAt::TurnEnd), [SessionStart, QueryStart]);
    assert_eq!(fitting(&prompts, DeliverAt::Immediate), prompts);
    for at in [DeliverAt::TurnStart, DeliverAt::AfterTool, DeliverAt::TurnEnd, DeliverAt::Immediate] {
        assert_eq!(fitting(&results, at), results, "{at:?}");
    }
}

#[test]
fn what_is_to_follow_an_answer_is_not_told_before_it() {
    let session = queued([notice("n", NotifyPriority::Normal, DeliverAt::TurnEnd, 5)]);
    let told = |is_new: bool| {
        let shown = [Hook::QueryStart];
        session.notices().due(Hook::QueryStart, false, Some(&shown), 5, BATCH, |_| is_new).len()
    };
    assert_eq!((told(true), told(false)), (0, 1), "the prompt that raised it, and the next");
}

#[test]
fn where_only_prompts_are_shown_a_prompt_is_a_turn() {
    let mut session = queued([]);
    for (prompt, prompts) in [(1, false), (2, true)] {
        fold(&mut session, Hook::QueryStart, prompt, vec![]);
        assert_eq!(session.turns().shows_only_prompts(), prompts, "prompt {prompt}");
    }
    fold(&mut session, Hook::TurnEnd, 2, vec![Delta::Queued(Arc::new(normal("n")))]);
    assert_eq!(session.notices().due(Hook::QueryStart, true, None, 3, BATCH, |_| false).len(), 1);
    fold(&mut session, Hook::TurnStart, 3, vec![]);
    assert!(!session.turns().shows_only_prompts());
}

#[test]
fn the_most_urgent_come_first_and_of_these_the_oldest() {
    let session = queued([
        notice("low", NotifyPriority::Low, DeliverAt::TurnStart, 1),
        notice("second", NotifyPriority::High, DeliverAt::Immediate, 2),
        notice("first", NotifyPriority::Critical, DeliverAt::TurnStart, 4),
        notice("third", NotifyPriority::High, DeliverAt::TurnStart, 3),
    ]);
    assert_eq!(due(&session, Hook::TurnStart, 5), ["first", "second", "third"]);
}

#[test]
fn the_rest_of_a_batch_comes_with_the_next_event() {
    let mut session = queued((0..5).map(|n| normal(&n.to_string())));
    let mut told = Vec::new();
    for at in 1..=3 {
        let now = due(&session, Hook::TurnStart, at);
        told.push(now.len());
        let deltas = now.into_iter().map(|notice| Delta::Delivered { notice }).collect();
        fold(&mut session, Hook::TurnStart, at, deltas);
    }
    assert_eq!(told, [3, 2, 0]);
}

#[test]
fn a_long_message_is_cut_and_always_told() {
    let long = Notice { message: Notice::cut_message(&"ü".repeat(NOTICE_BYTES)), ..normal("long") };
    assert!(long.message.len() <= NOTICE_BYTES && long.message.ends_with('…'));
    let session = queued([long, normal("short")]);
    assert_eq!(due(&session, Hook::TurnStart, 1), ["long"]);
}

#[test]
fn the_same_is_not_said_again_within_the_window_told_or_not() {
    let mut session = queued([normal("n")]);
    let said = |session: &SessionLedger, rule: &str, message: &str, now: i64| {
        session.notices().is_repeated(Said::of(rule, message), now, 60_000)
    };
    for _ in 0..2 {
        assert!(said(&session, "p/r", "message n", 59_999));
        assert!(!said(&session, "p/r", "message n", 60_000));
        assert!(!said(&session, "p/other", "message n", 1));
        assert!(!said(&session, "p/r", "other", 1));
        fold(&mut session, Hook::TurnStart, 1, vec![Delta::Delivered { notice: "n".into() }]);
    }
}

#[test]
fn one_that_expired_is_not_told() {
    let session = queued([normal("n")]);
    assert_eq!(due(&session, Hook::TurnStart, HOUR - 1), ["n"]);
    assert!(due(&session, Hook::TurnStart, HOUR).is_empty());
    assert_eq!(states(&session, HOUR), [("n".into(), NoticeState::Expired)]);
}

#[test]
fn one_that_was_noted_is_not_told() {
    let mut session = queued([normal("a"), normal("b")]);
    fold(&mut session, Hook::TurnStart, 1, vec![Delta::Delivered { notice: "a".into() }]);
    for id in ["a", "b", "unknown"] {
        let act = Act::Acknowledged { notice: id.into(), by: "user".into() };
        let record = Record::act("s", At::utc(2), act);
        assert!(!record.is_vital());
        session.fold(&record);
    }
    assert!(due(&session, Hook::TurnStart, 3).is_empty());
    let noted = NoticeState::Acknowledged;
    assert_eq!(states(&session, 3), [("a".into(), noted), ("b".into(), noted)]);
}

#[test]
fn of_a_full_queue_the_least_urgent_and_oldest_falls_out() {
    let mut notices: Vec<_> = (0..MAX_WAITING).map(|n| normal(&n.to_string())).collect();
    notices[7].priority = NotifyPriority::Low;
    let mut all = queued(notices).notices().clone();
    let mut fallen = |notice: Notice| {
        let said = Said::of(&notice.rule, &notice.message);
        all.queue(Arc::new(notice), said, 1).map(|notice| notice.id.clone())
    };
    assert_eq!(fallen(normal("new")).as_deref(), Some("7"));
    assert_eq!(fallen(normal("newer")).as_deref(), Some("0"));
    assert_eq!(fallen(notice("low", NotifyPriority::Low, DeliverAt::TurnStart, 1)).as_deref(), Some("low"));
    assert_eq!(all.all(1).filter(|(state, _)| *state == NoticeState::Dropped).count(), 3);
}

/// What happens to a queue.
#[derive(Debug, Clone)]
enum Step {
    Say { message: u8, priority: NotifyPriority, deliver_at: DeliverAt },
    Happens(Hook),
    Note(usize),
    Passes(i64),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let priorities =
        [NotifyPriority::Low, NotifyPriority::Normal, NotifyPriority::High, NotifyPriority::Critical];
    let places = [DeliverAt::TurnStart, DeliverAt::AfterTool, DeliverAt::TurnEnd, DeliverAt::Immediate];
    let say = (
        any::<u8>(),
        proptest::sample::select(priorities.to_vec()),
        proptest::sample::select(places.to_vec()),
    );
    let step = prop_oneof![
        4 => say.prop_map(|(message, priority, deliver_at)| Step::Say { message, priority, deliver_at }),
        3 => proptest::sample::select(&Hook::ALL[..]).prop_map(Step::Happens),
        1 => any::<usize>().prop_map(Step::Note),
        1 => (1..HOUR).prop_map(Step::Passes),
    ];
    proptest::collection::vec(step, 0..150)
}

/// Plays a session: what was told at each event, and the session in the end.
struct Play {
    session: SessionLedger,
    now_ms: i64,
    told: Vec<String>,
    /// Every notice, by its number.
    said: Vec<Notice>,
}

impl Play {
    fn of(steps: &[Step]) -> Self {
        let mut play = Self { session: queued([]), now_ms: 0, told: vec![], said: vec![] };
        for step in steps {
            play.take(step);
        }
        play
    }

    fn take(&mut self, step: &Step) {
        match step {
            Step::Say { message, priority, deliver_at } => {
                let id = format!("n{}", self.said.len());
                let notice = notice(&id, *priority, *deliver_at, self.now_ms);
                let notice = Notice { message: "x".repeat(usize::from(*message)), ..notice };
                self.said.push(notice.clone());
                fold(
                    &mut self.session,
                    Hook::MessageAppended,
                    self.now_ms,
                    vec![Delta::Queued(Arc::new(notice))],
                );
            }
            Step::Happens(hook) => {
                let now = self.due(*hook);
                let told = now.iter().map(|notice| Delta::Delivered { notice: notice.clone() }).collect();
                fold(&mut self.session, *hook, self.now_ms, told);
                self.told.extend(now);
            }
            Step::Note(number) => {
                if let Some(notice) = self.said.get(number % self.said.len().max(1)) {
                    let act = Act::Acknowledged { notice: notice.id.clone(), by: "user".into() };
                    self.session.fold(&Record::act("s", At::utc(self.now_ms), act));
                }
            }
            Step::Passes(ms) => self.now_ms += ms,
        }
    }

    fn due(&self, hook: Hook) -> Vec<String> {
        due(&self.session, hook, self.now_ms)
    }

    fn waits(&self, id: &str) -> bool {
        let is = |(state, notice): (NoticeState, &Notice)| state == NoticeState::Queued && notice.id == id;
        self.session.notices().all(self.now_ms).any(is)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn none_is_told_twice(steps in steps()) {
        let mut told = Play::of(&steps).told;
        let all = told.len();
        told.sort();
        told.dedup();
        prop_assert_eq!(told.len(), all);
    }

    #[test]
    fn what_waits_is_told_at_its_events(steps in steps()) {
        let mut play = Play::of(&steps);
        let waiting: Vec<String> = play.said.iter().map(|notice| notice.id.clone()).filter(|id| play.waits(id)).collect();
        // Enough of each for all that fits in no batch.
        for _ in 0..MAX_WAITING {
            for hook in [Hook::TurnStart, Hook::PostToolResponse, Hook::TurnEnd] {
                play.take(&Step::Happens(hook));
            }
        }
        for id in waiting {
            prop_assert!(play.told.contains(&id), "{} is never told", id);
        }
        prop_assert!(play.session.notices().is_empty());
    }

    #[test]
    fn one_alone_is_never_held_back(steps in steps(), message in any::<u8>()) {
        let mut play = Play::of(&steps);
        play.now_ms += 2 * HOUR;
        play.take(&Step::Say { message, priority: NotifyPriority::Low, deliver_at: DeliverAt::AfterTool });
        let id = play.said.last().unwrap().id.clone();
        prop_assert_eq!(play.due(Hook::PostToolResponse), [id]);
    }

    #[test]
    fn what_is_told_is_in_order_and_a_snapshot_changes_nothing(steps in steps()) {
        let play = Play::of(&steps);
        let text = serde_json::to_string(&play.session).unwrap();
        prop_assert_eq!(&serde_json::from_str::<SessionLedger>(&text).unwrap(), &play.session);
        for hook in Hook::ALL {
            let due = play.session.notices().due(hook, false, None, play.now_ms, BATCH, |_| false);
            prop_assert!(due.len() <= BATCH.notices);
            let order: Vec<_> = due.iter().map(|notice| (std::cmp::Reverse(notice.priority), notice.queued_ms)).collect();
            prop_assert!(order.is_sorted());
        }
    }
}
