//! The events that rules emit: each is judged in its turn, and no rule hears what came of its own.

use std::cmp::Reverse;
use std::collections::VecDeque;

use mentci_authority::{Effect, Event, Hook, Notification, Rule, RuleFault, Trust, Verdict};
use mentci_pdp::Program;
use serde_json::{Map, Value, json};

/// How many events may lie between an event and what it caused in the end.
const MAX_DEPTH: u32 = 4;

/// How many events one event may cause.
const MAX_EVENTS: usize = 100;

/// The events that wait to be judged because of one event.
///
/// INVARIANT (no cycles): the rules that emitted an event, and those before them, are not asked about it or what it causes;
/// beyond that, depth and number are bounded. What is over a bound is dropped, and its rule's fault says so.
#[derive(Debug)]
pub struct Cascade<'p> {
    waiting: VecDeque<(Event, u32)>,
    raised: usize,
    program: &'p Program,
}

impl<'p> Cascade<'p> {
    /// What an event's verdict emitted.
    pub fn of(program: &'p Program, event: &Event, verdict: &mut Verdict) -> Self {
        let mut cascade = Self { waiting: VecDeque::new(), raised: 0, program };
        cascade.raise(event, 0, verdict);
        cascade
    }

    /// Whether nothing was emitted.
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Judges what waits, until nothing does. What rules did about it is added to the verdict; `judge` is shown what the agent
    /// was told so far, so that one event and what it causes tell no more than one event may.
    ///
    /// # Errors
    /// The first that `judge` gives.
    pub fn run<E>(
        mut self,
        verdict: &mut Verdict,
        mut judge: impl FnMut(&Event, &[Notification]) -> Result<Verdict, E>,
    ) -> Result<(), E> {
        while let Some((event, depth)) = self.waiting.pop_front() {
            let mut caused = judge(&event, &verdict.notifications)?;
            self.raise(&event, depth, &mut caused);
            // At an event that was emitted a rule may warn, and the warning goes with the answer to what caused it.
            if caused.decision == Effect::Warn {
                verdict.decision =
                    if verdict.decision == Effect::Allow { Effect::Warn } else { verdict.decision };
                verdict.rules.append(&mut caused.rules);
                verdict.reasons.append(&mut caused.reasons);
            }
            verdict.actions.append(&mut caused.actions);
            verdict.faults.append(&mut caused.faults);
            verdict.suppressed.append(&mut caused.suppressed);
            verdict.notifications.append(&mut caused.notifications);
        }
        // Stable: of equals, what was said first.
        verdict.notifications.sort_by_key(|notification| Reverse(notification.priority));
        Ok(())
    }

    fn raise(&mut self, cause: &Event, depth: u32, verdict: &mut Verdict) {
        let emitted: Vec<_> = verdict.actions.iter().filter(|action| is(action, "emit")).cloned().collect();
        for action in emitted {
            let over = match (depth < MAX_DEPTH, self.raised < MAX_EVENTS) {
                (true, true) => None,
                (false, _) => Some(format!("events are emitted about events, {MAX_DEPTH} deep")),
                (_, false) => Some(format!("one event caused more than {MAX_EVENTS}")),
            };
            match over {
                None => {
                    self.raised += 1;
                    let mut event = emitted_event(cause, &action);
                    event.disabled.extend(self.deaf(text(&action, "rule")));
                    self.waiting.push_back((event, depth + 1));
                }
                Some(why) => verdict.faults.push(self.dropped(&action, &why)),
            }
        }
    }

    /// The rules that do not listen to what a rule emits: nobody who is vouched for acts on the word of one who is not.
    fn deaf(&self, emitter: &str) -> Vec<String> {
        let rule = |index: u32| self.program.rule(index);
        let is_vouched = |rule: &Rule| rule.origin.trust > Trust::Untrusted;
        if self.program.find(emitter).and_then(rule).is_none_or(is_vouched) {
            return Vec::new();
        }
        let all = 0..u32::try_from(self.program.rules().len()).unwrap_or(u32::MAX);
        let listeners = all.filter(|&index| {
            rule(index).is_some_and(|rule| rule.hook == Hook::EventEmitted && is_vouched(rule))
        });
        listeners.filter_map(|index| self.program.full_name(index)).map(str::to_owned).collect()
    }

    fn dropped(&self, action: &Map<String, Value>, why: &str) -> RuleFault {
        let name = text(action, "rule");
        let rule = self.program.find(name).and_then(|index| self.program.rule(index));
        RuleFault {
            rule: name.to_owned(),
            message: format!("the event `{}` is dropped: {why}", text(action, "event").escape_debug()),
            at: rule.map(|rule| rule.origin.to_string()).unwrap_or_default(),
            decided: None,
            is_absence: false,
        }
    }
}

fn is(action: &Map<String, Value>, name: &str) -> bool {
    action.get("type").and_then(Value::as_str) == Some(name)
}

fn text<'a>(action: &'a Map<String, Value>, key: &str) -> &'a str {
    action.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// `{"type": …, "source": the rule, "payload": …, "hook": …}`, where and when its cause was.
fn emitted_event(cause: &Event, action: &Map<String, Value>) -> Event {
    let (name, rule) = (text(action, "event"), text(action, "rule"));
    let payload = action.get("payload").cloned().unwrap_or_default();
    let mut event = Event { hook: Hook::EventEmitted, ..cause.clone() };
    let hook = cause.cause_hook();
    event.emitted = Some(json!({"type": name, "source": rule, "payload": payload, "hook": hook.name()}));
    event.disabled.push(rule.to_owned());
    (event.tool, event.result, event.message, event.usage) = (None, None, None, None);
    (event.commands, event.files, event.unread) = (Vec::new(), Vec::new(), None);
    if let Some(Value::Object(context)) = &mut event.context {
        context.remove("event");
        context.remove("result");
    }
    event
}
