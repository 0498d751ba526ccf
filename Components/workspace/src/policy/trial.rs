//! The verbs `rules test` and `script run`: what would happen, and why.

use std::ops::ControlFlow;

use mentci_authority::{At, Event, Hook, Rule};
use mentci_host::Response;
use mentci_host::policy::{Input, ScriptRunAnswer, admit, is_of_kind, sample_event, script_facts, try_on};
use mentci_ledger::{LedgerView, SessionLedger, Shared, Windows};
use mentci_pdp::ScriptAnswer;
use mentci_source::{Code, Finding, Severity};
use mentci_store::{LogLine, LogQuery, Store};
use serde_json::{Map, Value};

use super::named_rule;
use crate::workspace::Workspace;

/// What a rule is tried in.
struct Past {
    /// The event that came of it, where one did.
    event: Option<Event>,
    session: SessionLedger,
    shared: Shared,
}

impl Workspace {
    /// Tries a rule on an event; on the last event of its kind in a session, or one that it is asked about.
    pub(super) fn try_rule(&self, name: &str, event: Option<&Input>, session: Option<&str>) -> Response {
        let book = self.rulebook(&[]);
        let (rule, _) = match named_rule(&book, name) {
            Ok(named) => named,
            Err(finding) => return Response::bad([finding]),
        };
        let session = session.map(|session| self.keeper().name(session));
        let windows = book.program.windows();
        let told = event.map(|input| self.told_event(input, false)).transpose();
        // An event that names a session is tried in that one: it may be new, as for a decision.
        let own = match &told {
            Ok(Some((event, _))) if session.is_none() => self.keeper().name(&event.session),
            _ => String::new(),
        };
        let past = match &session {
            // A new session has no past, but what rules keep across sessions is there.
            None => self.loaded(&own, windows),
            Some(session) if event.is_some() => {
                self.known(session).and_then(|()| self.loaded(session, windows))
            }
            Some(session) => self.known(session).and_then(|()| self.before_last(session, rule, windows)),
        };
        let (event, past) = match (told, past) {
            (Ok(told), Ok(past)) => (told.map(|(event, _)| event), past),
            (Err(finding), _) | (_, Err(finding)) => return Response::bad([finding]),
        };
        let Past { event: last, session: ledger, shared } = past;
        let event = event.or(last).unwrap_or_else(|| sample_event(rule));
        let mut event =
            admit(Event { at: Some(event.at.unwrap_or_else(|| self.on_the_wall(self.now()))), ..event });
        let odd = self.tune(&mut event, &self.own_settings());
        event.session = session.unwrap_or(own);
        let micros = || self.clock.micros();
        let view = LedgerView::new(&ledger, &shared, &event);
        Response::ok(try_on(rule, &event, view, self.outside(), &micros)).with(odd)
    }

    /// Whether the log has a session.
    fn known(&self, session: &str) -> Result<(), Finding> {
        if session.is_empty() {
            return Err(no_session(session)); // an empty query is one of every session
        }
        let query = LogQuery { limit: Some(1), ..LogQuery::of(session) };
        let (lines, _) = self.with_store(|store| store.log(&query));
        let lines = lines.map_err(|error| super::log::store_finding(&error))?;
        if lines.is_empty() { Err(no_session(session)) } else { Ok(()) }
    }

    /// A session as it stands.
    fn loaded(&self, session: &str, windows: Windows) -> Result<Past, Finding> {
        let (loaded, _) = self.with_store(|store| store.load(session, windows));
        let loaded = loaded.map_err(|error| super::log::store_finding(&error))?;
        Ok(Past { event: None, session: loaded.ledger, shared: loaded.shared })
    }

    /// The last event of a rule's kind that a session's log holds, where there is none the last of its hook, with everything
    /// as it stood before that event; a session without one, as it stands.
    fn before_last(&self, session: &str, rule: &Rule, windows: Windows) -> Result<Past, Finding> {
        let mut last: Option<(bool, u64, Event)> = None;
        self.each_line(&LogQuery::of(session), &mut |line| {
            let event = line.body.as_ref().and_then(|body| serde_json::from_str::<Event>(body).ok());
            if let Some(event) = event.filter(|event| event.hook == rule.hook) {
                let fits = is_of_kind(rule, &admit(event.clone()), self.outside());
                if fits || !last.as_ref().is_some_and(|(fits, ..)| *fits) {
                    last = Some((fits, line.seq, event));
                }
            }
            ControlFlow::Continue(())
        })?;
        let Some((_, seq, event)) = last else { return self.loaded(session, windows) };
        let (mut ledger, mut shared) = (SessionLedger::new(windows), Shared::default());
        self.each_line(&LogQuery::default(), &mut |line| {
            if line.seq >= seq {
                return ControlFlow::Break(());
            }
            shared.fold(&line.record);
            if line.record.session == session {
                ledger.fold(&line.record);
            }
            ControlFlow::Continue(())
        })?;
        Ok(Past { event: Some(event), session: ledger, shared })
    }

    /// Hands lines of the log to `each`, in order, until it says stop.
    fn each_line(
        &self,
        query: &LogQuery,
        each: &mut dyn FnMut(&LogLine) -> ControlFlow<()>,
    ) -> Result<(), Finding> {
        let mut query = query.clone();
        loop {
            let (lines, _) = self.read_store(|store| store.log(&query));
            let lines = lines.map_err(|error| super::log::store_finding(&error))?;
            let Some(last) = lines.last() else { return Ok(()) };
            query.after = last.seq;
            if lines.iter().try_for_each(&mut *each).is_break() {
                return Ok(());
            }
        }
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
        let event = match event.map(|input| self.told_event(input, false)).transpose() {
            Ok(told) => told.map_or_else(|| Event::new(Hook::TurnStart), |(event, _)| event),
            Err(finding) => return Response::bad([finding]),
        };
        // One that nothing asks is told by the run.
        let unread = self.scripts.check(&source, event.hook);
        if let Some(finding) = unread.filter(|finding| finding.severity == Severity::Error) {
            return Response::bad([finding]);
        }
        let mut event = admit(Event { at: Some(event.at.unwrap_or_else(|| At::utc(0))), ..event });
        self.place(&mut event);
        let facts = script_facts(path, &event, parameters);
        let start = self.clock.micros();
        let ran = self.scripts.run(&source, event.hook, facts);
        let took_us = self.clock.micros().saturating_sub(start);
        match ran {
            Ok((ScriptAnswer { applies, asked, instead }, steps)) => {
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

fn no_session(session: &str) -> Finding {
    let message = format!("no session is `{}`", session.escape_debug());
    let finding = Finding::new(Code::SESSION_UNKNOWN, message);
    finding.help("`policy-engine session list` shows the sessions of the log")
}
