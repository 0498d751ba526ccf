//! Luau scripts, for judging: compiled once a text, run in machines that are kept.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use mentci_authority::{Hook, HookName, Rule, ScriptId, ToolStatus};
use mentci_pdp::{Asked, FactParts, ScriptAnswer, ScriptFacts, Scripts, asked_problem};
use mentci_script::{Facts, Fault, Limits, List, Ran, Script, ScriptAction, ScriptError, ScriptOutcome};
use mentci_source::{Code, Finding, Severity, Source};
use serde_json::{Value, json};

use crate::clock::Clock;

/// A gate answers while a client waits for it: whatever its rule says, it has this many milliseconds at most.
const GATE_TIMEOUT_MS: u64 = 2_000;

/// How many scripts stay compiled.
const MAX_KEPT: usize = 1_024;

/// Scripts that were asked, compiled, with the machines that run them.
#[derive(Debug)]
pub struct ScriptShelf {
    machines: mentci_script::Scripts,
    clock: Arc<dyn Clock>,
    /// By name and text.
    kept: Mutex<HashMap<(String, Arc<str>), Kept>>,
}

#[derive(Debug, Clone)]
struct Kept {
    script: Result<Script, ScriptError>,
    /// The facts that it has read so far: what it is handed at first.
    reads: BTreeSet<&'static str>,
}

impl ScriptShelf {
    /// No scripts yet; time-outs are measured on `clock`.
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        let own = clock.clone();
        let millis = move || own.micros() / 1_000;
        Self {
            machines: mentci_script::Scripts::new(millis)
                .checking(|action| asked_problem(&asked(action.clone()))),
            clock,
            kept: Mutex::default(),
        }
    }

    /// What is wrong with a script that is asked at a hook, if something is; a warning where it reads, and never answers.
    pub(crate) fn check(&self, source: &Source, hook: Hook) -> Option<Finding> {
        let (error, severity) = match self.kept(source.path(), &source.text().into()).script {
            Ok(script) => (self.unasked(&script, hook)?, Severity::Warning),
            Err(error) => (error, Severity::Error),
        };
        let finding = Finding::new(Code::SCRIPT_UNREADABLE, error.message).severity(severity);
        let mut finding = finding.in_file(source.path());
        (finding.line, finding.column) = (error.line, error.line.map(|_| 1));
        Some(finding)
    }

    /// Whether it only defines functions that nothing asks. One that looks at no fact gives the same answer to every event.
    fn unasked(&self, script: &Script, hook: Hook) -> Option<ScriptError> {
        let script = script.with_entries([], entries(hook, None));
        let facts: Arc<dyn Facts> = Arc::new(Value::Null);
        let limits = Limits { steps: 100_000, timeout_ms: 100, ..Limits::default() };
        self.machines.run(&script, &facts, &limits).err().filter(|error| error.fault == Fault::Unasked)
    }

    /// Runs a script over facts as they stand.
    pub(crate) fn run(
        &self,
        source: &Source,
        hook: Hook,
        facts: Value,
    ) -> Result<(ScriptAnswer, u64), ScriptError> {
        let script = self.kept(source.path(), &source.text().into()).script?;
        let script = script.with_entries(entries(hook, status(&facts["tool"])), entries(hook, None));
        let facts: Arc<dyn Facts> = Arc::new(facts);
        let ran = self.machines.run(&script, &facts, &Limits::default())?;
        let steps = ran.steps;
        Ok((self.sound(&script, &facts, &Limits::default(), ran)?, steps))
    }

    /// What a script wants, each an action that a rule can do.
    fn sound(
        &self,
        script: &Script,
        facts: &Arc<dyn Facts>,
        limits: &Limits,
        ran: Ran,
    ) -> Result<ScriptAnswer, ScriptError> {
        let answer = answer(ran);
        let wrong = |message, line| {
            Err(ScriptError { file: script.name().to_owned(), line, fault: Fault::Answer, message })
        };
        match answer.instead.iter().flatten().find_map(asked_problem) {
            Some(message) => wrong(message, self.machines.returned_at(script, facts, limits)),
            None => Ok(answer),
        }
    }

    fn kept(&self, name: &str, text: &Arc<str>) -> Kept {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (name.to_owned(), text.clone());
        if let Some(kept) = kept.get(&key) {
            return kept.clone();
        }
        if kept.len() == MAX_KEPT {
            kept.clear();
        }
        let new = Kept { script: Script::compile(name, text), reads: BTreeSet::new() };
        kept.insert(key, new.clone());
        new
    }

    fn remember(&self, name: &str, text: &Arc<str>, read: &BTreeSet<&'static str>) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = kept.get_mut(&(name.to_owned(), text.clone())) {
            kept.reads.extend(read);
        }
    }
}

impl Scripts for ScriptShelf {
    fn ask(&self, script: &ScriptId, rule: &Rule, facts: &dyn ScriptFacts) -> Result<ScriptAnswer, String> {
        self.ask_within(script, rule, facts, u64::MAX).0
    }
}

impl ScriptShelf {
    /// Asks a script that has so many milliseconds at most, and says how many it took.
    pub(super) fn ask_within(
        &self,
        script: &ScriptId,
        rule: &Rule,
        facts: &dyn ScriptFacts,
        most_ms: u64,
    ) -> (Result<ScriptAnswer, String>, u64) {
        let begun = self.clock.micros();
        let took_ms = || self.clock.micros().saturating_sub(begun) / 1_000;
        let answer = self.answer_within(script, rule, facts, &|| most_ms.saturating_sub(took_ms()));
        (answer, took_ms())
    }

    fn answer_within(
        &self,
        script: &ScriptId,
        rule: &Rule,
        facts: &dyn ScriptFacts,
        left_ms: &dyn Fn() -> u64,
    ) -> Result<ScriptAnswer, String> {
        let unread =
            || format!("{}: the script does not run, because nobody trusts it as it stands", script.file);
        let text = script.text.as_ref().ok_or_else(unread)?;
        let Kept { script: compiled, mut reads } = self.kept(&script.file, text);
        let compiled = compiled.map_err(|error| error.to_string())?;
        let status = status(&facts.fact("tool"));
        let compiled = compiled.with_entries(entries(rule.hook, status), entries(rule.hook, None));
        let own = limits(script, rule);
        // A run has no effect but its answer: one that read what it was not handed is run again with that.
        loop {
            let handed = Arc::new(Handed::new(facts, &reads));
            let shared: Arc<dyn Facts> = handed.clone();
            let limits = Limits { timeout_ms: own.timeout_ms.min(left_ms()), ..own };
            let ran = self.machines.run(&compiled, &shared, &limits);
            let missed = handed.missed();
            let is_stopped = ran.as_ref().is_err_and(|error| error.fault == Fault::Time);
            if missed.is_empty() || is_stopped {
                let sound = ran.and_then(|ran| self.sound(&compiled, &shared, &limits, ran));
                return sound.map_err(|error| error.to_string());
            }
            reads.extend(missed);
            self.remember(&script.file, text, &reads);
        }
    }
}

/// The functions by one of which a script may be asked at a hook: its names in every dialect, `on_tool_call` first. Where it
/// is known how a call ended, only the names that stand for that.
fn entries(hook: Hook, ended: Option<ToolStatus>) -> Vec<String> {
    let own: &[&str] = match hook {
        Hook::PreToolCall => &["tool_call"],
        Hook::PostToolResponse => &["tool_complete", "tool_failure", "tool_response"],
        Hook::EventEmitted => &["event"],
        _ => &[],
    };
    let names =
        own.iter().copied().chain([hook.name()]).flat_map(|name| [format!("on_{name}"), name.to_owned()]);
    let fits = |name: &String| {
        let statuses = HookName::parse(name).map_or(&[][..], |name| name.statuses);
        ended.is_none_or(|ended| statuses.is_empty() || statuses.contains(&ended))
    };
    names.filter(fits).collect()
}

/// How the call ended that an event is about.
fn status(tool: &Value) -> Option<ToolStatus> {
    match tool["status"].as_str()? {
        "error" | "cancelled" => Some(ToolStatus::Error),
        "timeout" => Some(ToolStatus::Timeout),
        _ => Some(ToolStatus::Success),
    }
}

fn limits(script: &ScriptId, rule: &Rule) -> Limits {
    let own = Limits::default();
    let timeout_ms = script.timeout_ms.unwrap_or(own.timeout_ms);
    // Packs that were written before there was a bound are read as well.
    let memory_bytes = script.memory_bytes.map(|bytes| bytes.min(ScriptId::MOST_MEMORY));
    let memory_bytes = memory_bytes.and_then(|bytes| usize::try_from(bytes).ok());
    Limits {
        timeout_ms: if rule.is_gate() { timeout_ms.min(GATE_TIMEOUT_MS) } else { timeout_ms },
        memory_bytes: memory_bytes.unwrap_or(own.memory_bytes),
        ..own
    }
}

/// The facts that a run is handed, and those that it looked for in vain.
struct Handed {
    names: &'static [&'static str],
    facts: Vec<(&'static str, FactParts)>,
    /// One a name that was not handed: set when it was looked for.
    missed: Vec<(&'static str, OnceLock<()>)>,
}

impl Handed {
    fn new(facts: &dyn ScriptFacts, reads: &BTreeSet<&'static str>) -> Self {
        let names = facts.names();
        let (handed, other): (Vec<&'static str>, Vec<&'static str>) =
            names.iter().partition(|name| reads.contains(*name));
        Self {
            names,
            facts: handed.into_iter().map(|name| (name, facts.parts(name))).collect(),
            missed: other.into_iter().map(|name| (name, OnceLock::new())).collect(),
        }
    }

    fn parts(&self, name: &str) -> Option<&FactParts> {
        self.facts.iter().find(|(handed, _)| *handed == name).map(|(_, parts)| parts)
    }

    fn missed(&self) -> BTreeSet<&'static str> {
        let looked_for = self.missed.iter().filter(|(_, looked)| looked.get().is_some());
        looked_for.map(|(name, _)| *name).collect()
    }
}

impl Facts for Handed {
    fn names(&self) -> Vec<&str> {
        self.names.to_vec()
    }

    fn fact(&self, name: &str) -> Option<&Value> {
        if let Some((_, looked)) = self.missed.iter().find(|(missed, _)| *missed == name) {
            let _ = looked.set(());
        }
        self.parts(name).map(|parts| &parts.value).filter(|value| !value.is_null())
    }

    fn lists(&self, fact: &str) -> &[List] {
        self.parts(fact).map_or(&[], |parts| &parts.lists)
    }
}

/// What a run came to, as the decision point takes it.
fn answer(ran: Ran) -> ScriptAnswer {
    let asked = ran.calls.into_iter().map(asked).collect();
    match ran.outcome {
        ScriptOutcome::NoMatch => ScriptAnswer { applies: false, asked, instead: None },
        ScriptOutcome::Match => ScriptAnswer { applies: true, asked, instead: None },
        ScriptOutcome::Actions(actions) => ScriptAnswer { applies: true, asked, instead: Some(actions) },
    }
}

/// An action that a script asked for by a function, as it would have returned it.
fn asked(action: ScriptAction) -> Asked {
    let (name, fields) = match action {
        ScriptAction::Notify(fields) => ("notify_self", Value::Object(fields)),
        ScriptAction::Log { level, message } => ("log", json!({"level": level.as_str(), "message": message})),
        ScriptAction::SetState { key, value } => ("set_state", json!({"key": key, "value": value})),
        ScriptAction::Emit { event, payload } => ("emit_event", json!({"event": event, "payload": payload})),
    };
    let mut asked = Asked::new();
    asked.insert("type".to_owned(), name.into());
    if let Value::Object(fields) = fields {
        asked.extend(fields);
    }
    asked
}
