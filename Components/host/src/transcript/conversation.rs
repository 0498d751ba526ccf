//! What a transcript says to a model.

use std::collections::BTreeMap;
use std::sync::Arc;

use mentci_authority::{Event, Hook, Role};
use mentci_context::{Counts, Session, SessionEventKind};
use mentci_ledger::Decided;
use serde_json::{Map, Value, json};

use super::{Happened, Step};

/// The session of which a transcript's context is compiled. What a compaction hides stays in it, as what its summary stands for.
#[derive(Debug, Clone)]
pub struct Conversation {
    session: Session,
    /// The ids of the events of each block that said something.
    events: BTreeMap<usize, Vec<String>>,
}

impl Conversation {
    /// Nothing was said yet.
    pub fn new(session_id: &str, counts: Arc<Counts>) -> Self {
        Self::in_session(Session::new(session_id, counts))
    }

    /// The same in a session that takes secrets out of what is said.
    pub fn in_session(session: Session) -> Self {
        Self { session, events: BTreeMap::new() }
    }

    /// Takes in what happened.
    pub fn take(&mut self, steps: &[Step]) {
        for step in steps {
            match &step.happened {
                Happened::Event { event, decided, said, .. } => {
                    self.event(step, event, decided, said.as_deref());
                }
                Happened::Compacted { hides, summary } => {
                    let hidden = hides.iter().flat_map(|run| self.events.range(run.clone()));
                    let ids: Vec<&String> = hidden.flat_map(|(_, ids)| ids).collect();
                    // What a person or a rule hid is hidden, whoever said it.
                    let data = json!({"events": ids, "summary": summary, "pinned": true});
                    self.session.record(SessionEventKind::Compaction, object(data), step.at);
                }
                Happened::Act(_) => {}
            }
        }
    }

    /// It, as far as it has come.
    pub fn session(&self) -> &Session {
        &self.session
    }

    fn event(&mut self, step: &Step, event: &Event, decided: &Decided, said: Option<&str>) {
        let before = self.session.events().len();
        match (event.hook, said) {
            (Hook::MessageAppended, Some(text)) => {
                let Some(message) = &event.message else { return };
                let kind = match message.role {
                    Role::Assistant | Role::Tool => SessionEventKind::PhaseResult,
                    _ => SessionEventKind::UserInput,
                };
                let data = json!({"role": message.role.name(), "text": text});
                self.session.record(kind, object(data), step.at);
            }
            (Hook::PreToolCall, _) => {
                let event = Event { at: Some(step.at), ..event.clone() };
                self.session.take_in(&event, Some(decided));
            }
            (Hook::PostToolResponse, said) => self.answer(step, event, said),
            _ => {}
        }
        let new = self.session.events().skip(before).map(|event| event.event_id.clone());
        self.events.entry(step.block).or_default().extend(new);
    }

    /// The model reads what stands in the document, word for word.
    fn answer(&mut self, step: &Step, event: &Event, said: Option<&str>) {
        let mut event = Event { at: Some(step.at), ..event.clone() };
        if let (Some(result), Some(said)) = (&mut event.result, said)
            && result.error.is_none()
            && result.value.get("artifact").is_none()
        {
            result.value = Value::String(said.to_owned());
        }
        self.session.take_in(&event, None);
    }
}

fn object(value: Value) -> Map<String, Value> {
    if let Value::Object(object) = value { object } else { Map::new() }
}
