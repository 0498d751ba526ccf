//! The verbs `rules test` and `script run`: what would happen, and why.

use mentci_authority::{At, Event, Hook};
use mentci_host::Response;
use mentci_host::policy::{Input, ScriptRunAnswer, admit, sample_event, script_facts, try_on};
use mentci_pdp::ScriptAnswer;
use mentci_source::{Code, Finding};
use mentci_store::{LogQuery, Store};
use serde_json::{Map, Value};

use super::named_rule;
use super::scripts::answer;
use crate::workspace::Workspace;

impl Workspace {
    /// Tries a rule on an event; on the last event of its kind in a session, or one that it is asked about.
    pub(super) fn try_rule(&self, name: &str, event: Option<&Input>, session: Option<&str>) -> Response {
        let book = self.rulebook(&[]);
        let (rule, _) = match named_rule(&book, name) {
            Ok(named) => named,
            Err(finding) => return Response::bad([finding]),
        };
        let event = match (event, session) {
            (Some(input), _) => match self.told_event(input, false) {
                Ok((event, _)) => event,
                Err(finding) => return Response::bad([finding]),
            },
            (None, Some(session)) => {
                self.last_event(session, rule.hook).unwrap_or_else(|| sample_event(rule))
            }
            (None, None) => sample_event(rule),
        };
        let mut event = admit(Event { at: Some(event.at.unwrap_or_else(|| self.now())), ..event });
        let odd = self.tune(&mut event, &self.own_settings());
        let micros = || self.clock.micros();
        let windows = book.program.windows();
        // A new session has no past, but what rules keep across sessions is there.
        session.unwrap_or_default().clone_into(&mut event.session);
        let (loaded, findings) = self.with_store(|store| store.load(&event.session, windows));
        let answer = match loaded {
            Ok(loaded) => try_on(rule, &event, loaded.view(&event), self.outside(), &micros),
            Err(error) => {
                return Response::bad(findings.into_iter().chain([super::log::store_finding(&error)]));
            }
        };
        Response::ok(answer).with(odd)
    }

    /// The last event of a hook that a session's log holds.
    fn last_event(&self, session: &str, hook: Hook) -> Option<Event> {
        let query = LogQuery { limit: Some(usize::MAX), ..LogQuery::of(session) };
        let (lines, _) = self.read_store(|store| store.log(&query));
        let events = lines.ok()?.into_iter().rev().filter_map(|line| line.body);
        let mut events = events.filter_map(|body| serde_json::from_str::<Event>(&body).ok());
        events.find(|event| event.hook == hook)
    }

    /// Runs a script over an event's context, as a rule would that asks it and has these parameters.
    pub(super) fn run_script(
        &self,
        path: &str,
        event: Option<&Input>,
        parameters: Map<String, Value>,
    ) -> Response {
        let paths = self.shown(&[path.to_owned()]);
        let source = match self.input(&Input::Path(paths.concat())) {
            Ok(source) => source,
            Err(finding) => return Response::bad([finding]),
        };
        if let Some(finding) = self.scripts.check(&source) {
            return Response::bad([finding]);
        }
        let event = match event.map(|input| self.told_event(input, false)).transpose() {
            Ok(told) => told.map_or_else(|| Event::new(Hook::TurnStart), |(event, _)| event),
            Err(finding) => return Response::bad([finding]),
        };
        let mut event = admit(Event { at: Some(event.at.unwrap_or_else(|| At::utc(0))), ..event });
        self.place(&mut event);
        let facts = script_facts(path, &event, parameters);
        let start = self.clock.micros();
        let ran = self.scripts.run(&source, event.hook, facts);
        let took_us = self.clock.micros().saturating_sub(start);
        match ran {
            Ok(ran) => {
                let steps = ran.steps;
                let ScriptAnswer { applies, asked, instead } = answer(ran);
                let outcome = match (applies, &instead) {
                    (false, _) => "no_match",
                    (true, None) => "match",
                    (true, Some(_)) => "actions",
                };
                let actions = instead.unwrap_or_default();
                let outcome = outcome.to_owned();
                Response::ok(ScriptRunAnswer { outcome, actions, asked, steps, took_us })
            }
            Err(error) => {
                let mut finding = Finding::new(Code::SCRIPT_FAILED, error.message).in_file(source.path());
                (finding.line, finding.column) = (error.line, error.line.map(|_| 1));
                Response::bad([finding])
            }
        }
    }
}
