//! The reference: what RULES says, in loops.

use mentci_authority::{Effect, Guard, OnFault};
use serde_json::Value;

use crate::lower::{guard, id};
use crate::model::{Act, Condition, Document, Happening, ModelRule, Step, Tools, When};

/// What is compared.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Told {
    pub(crate) decision: Effect,
    pub(crate) rules: Vec<String>,
    pub(crate) shadow: Vec<String>,
    pub(crate) faults: Vec<(String, Option<Effect>)>,
    pub(crate) actions: Vec<String>,
}

/// A rule's document and place.
type Name = (usize, usize);

/// What happened before, all of it.
#[derive(Default)]
struct Past {
    turn: i64,
    seconds: u64,
    calls: Vec<PastCall>,
    /// Which rule fired in which turn.
    fired: Vec<(Name, i64)>,
}

struct PastCall {
    tool: &'static str,
    seconds: u64,
    turn: i64,
    decision: Effect,
}

impl PastCall {
    fn ran(&self) -> bool {
        !matches!(self.decision, Effect::Block | Effect::Approve)
    }
}

/// Why there is no answer.
#[derive(Clone, Copy, PartialEq)]
enum Trouble {
    Absent,
    /// So of some values of a list and not of others.
    Mixed,
    Other,
}

type Answer = Result<bool, Trouble>;

/// What comes of each event of a session.
pub(crate) fn judge_all(documents: &[Document], session: &[Happening]) -> Vec<Told> {
    let mut past = Past::default();
    session.iter().map(|happening| judge(documents, &mut past, happening)).collect()
}

fn judge(documents: &[Document], past: &mut Past, happening: &Happening) -> Told {
    let (when, call, after) = match happening {
        Happening::Turn { after } => (When::Turn, None, after),
        Happening::Call { after, tool, args, disabled } => {
            (When::Call, Some((*tool, args, *disabled)), after)
        }
    };
    past.seconds += u64::from(*after);
    if when == When::Turn {
        past.turn += 1;
    }
    let mut hearing =
        Hearing { documents, past, call, applied: vec![], acting: vec![], shadow: vec![], faults: vec![] };
    for name in in_order(documents, when) {
        hearing.ask(name);
    }
    hearing.override_rules();
    let told = hearing.conclude(when);
    let Told { decision, .. } = told.0;
    if let Some((tool, ..)) = call {
        past.calls.push(PastCall { tool, seconds: past.seconds, turn: past.turn, decision });
    }
    past.fired.extend(told.1.into_iter().map(|name| (name, past.turn)));
    told.0
}

fn in_order(documents: &[Document], when: When) -> Vec<Name> {
    let mut names: Vec<Name> = Vec::new();
    for (at, document) in documents.iter().enumerate() {
        names.extend((0..document.rules.len()).map(|place| (at, place)));
    }
    names.retain(|name| rule(documents, *name).is_some_and(|rule| rule.hook == when && rule.enabled));
    names.sort_by_key(|name| (rule(documents, *name).map(|rule| rule.order), *name));
    names
}

fn rule(documents: &[Document], (document, place): Name) -> Option<&ModelRule> {
    documents.get(document)?.rules.get(place)
}

struct Hearing<'m> {
    documents: &'m [Document],
    past: &'m Past,
    call: Option<(&'static str, &'m Value, Option<Name>)>,
    applied: Vec<(Name, Effect)>,
    acting: Vec<Name>,
    shadow: Vec<(Name, Effect)>,
    faults: Vec<(Name, Option<Effect>)>,
}

impl<'m> Hearing<'m> {
    fn rule(&self, name: Name) -> &'m ModelRule {
        rule(self.documents, name).expect("a rule of the documents")
    }

    fn ask(&mut self, name: Name) {
        let rule = self.rule(name);
        let is_disabled = !rule.core && self.call.is_some_and(|(_, _, disabled)| disabled == Some(name));
        if is_disabled || !self.fits(&rule.tools) || self.rests(name) {
            return;
        }
        // What restricts applies where one of several values fits.
        let restricts = rule.effect != Some(Effect::Allow) && rule.overrides.is_empty();
        let answer = match self.holds(&rule.guard, name) {
            Err(Trouble::Mixed) if restricts => Ok(true),
            answer => answer,
        };
        match answer {
            Ok(false) => {}
            Ok(true) if rule.shadow => self.shadow.push((name, rule.effect.unwrap_or(Effect::Allow))),
            Ok(true) => {
                self.applied.extend(rule.effect.map(|effect| (name, effect)));
                self.acting.push(name);
            }
            Err(trouble) => self.fault(name, trouble),
        }
    }

    fn fault(&mut self, name: Name, trouble: Trouble) {
        let rule = self.rule(name);
        let closes = matches!(rule.effect, Some(Effect::Block | Effect::Approve | Effect::Redact));
        let decided = match rule.on_fault {
            _ if trouble == Trouble::Absent && matches!(rule.tools, Tools::Any) => None,
            Some(OnFault::Block) => Some(Effect::Block),
            Some(OnFault::Approve) => Some(Effect::Approve),
            Some(OnFault::Allow) => None,
            None => closes.then_some(Effect::Block),
        };
        if rule.shadow {
            self.shadow.extend(decided.map(|effect| (name, effect)));
            self.faults.push((name, None));
        } else {
            self.applied.extend(decided.map(|effect| (name, effect)));
            self.faults.push((name, decided));
        }
    }

    fn fits(&self, tools: &Tools) -> bool {
        let Some((tool, ..)) = self.call else { return matches!(tools, Tools::Any) };
        match tools {
            Tools::Any => true,
            Tools::Names(names) => names.contains(&tool),
            Tools::StartsWithT => tool.starts_with('t'),
            Tools::NamedOrEndsWith0 => tool == "t1" || tool.ends_with('0'),
        }
    }

    fn rests(&self, name: Name) -> bool {
        let rule = self.rule(name);
        let last = self.past.fired.iter().rfind(|(fired, _)| *fired == name).map(|(_, turn)| *turn);
        let cools =
            |last: i64| rule.cooldown_turns > 0 && self.past.turn - last <= i64::from(rule.cooldown_turns);
        last.is_some_and(|last| rule.once || cools(last))
    }

    fn override_rules(&mut self) {
        let overriders: Vec<Name> = self.acting.clone();
        let targets = |name: Name| -> Vec<Name> {
            let named = self.rule(name).overrides.iter().copied();
            let may = |target: &Name| {
                let Some(other) = rule(self.documents, *target) else { return false };
                !other.core && self.documents[target.0].trust <= self.documents[name.0].trust
            };
            named.filter(may).collect()
        };
        let (mut out, mut stands): (Vec<Name>, Vec<Name>) = (vec![], vec![]);
        // Whoever nobody names that may still stand takes out whom it names, until nothing changes.
        loop {
            let open: Vec<Name> = overriders
                .iter()
                .copied()
                .filter(|name| !out.contains(name) && !stands.contains(name))
                .collect();
            let free: Vec<Name> = open
                .iter()
                .copied()
                .filter(|name| !open.iter().any(|other| targets(*other).contains(name)))
                .collect();
            if free.is_empty() {
                break;
            }
            for name in free {
                out.extend(targets(name));
                stands.push(name);
            }
        }
        self.applied.retain(|(name, _)| !out.contains(name));
        self.acting.retain(|name| !out.contains(name));
        for (name, decided) in &mut self.faults {
            if out.contains(name) {
                *decided = None;
            }
        }
    }

    fn conclude(mut self, when: When) -> (Told, Vec<Name>) {
        let (fired, actions) = self.act();
        let documents = self.documents;
        let permission = self.applied.iter().map(|(_, effect)| *effect);
        let strictest = permission.filter(|effect| !matches!(effect, Effect::Warn | Effect::Redact)).max();
        let default = documents.iter().filter_map(|document| document.default).max().unwrap_or(Effect::Allow);
        let permission = strictest.unwrap_or(if when == When::Call { default } else { Effect::Allow });
        let has = |effect| self.applied.iter().any(|(_, own)| *own == effect);
        let decision = match permission {
            Effect::Allow if has(Effect::Redact) => Effect::Redact,
            Effect::Allow if has(Effect::Warn) => Effect::Warn,
            other => other,
        };
        self.applied.sort_by_key(|(name, effect)| {
            (std::cmp::Reverse(*effect), rule(documents, *name).map(|rule| rule.order), *name)
        });
        let text = |name: Name| id(name.0, name.1);
        let by_default = strictest.is_none() && permission > Effect::Allow;
        let basis = by_default.then(|| "__default__".to_owned());
        let told = Told {
            decision,
            rules: basis.into_iter().chain(self.applied.iter().map(|(name, _)| text(*name))).collect(),
            shadow: self.shadow.iter().map(|(name, _)| text(*name)).collect(),
            faults: self.faults.iter().map(|(name, decided)| (text(*name), *decided)).collect(),
            actions,
        };
        (told, fired)
    }

    /// Who fires, and what is done: each document has its own caps and its own stop.
    fn act(&self) -> (Vec<Name>, Vec<String>) {
        let (mut fired, mut actions): (Vec<Name>, Vec<String>) = (vec![], vec![]);
        for &name in &self.acting {
            let rule = self.rule(name);
            let before: Vec<&ModelRule> =
                fired.iter().filter(|other| other.0 == name.0).map(|other| self.rule(*other)).collect();
            // What uses something up by firing keeps it where it is surplus.
            let uses_up = rule.once || rule.cooldown_turns > 0;
            if !rule.acts.is_empty() || uses_up {
                let counted = before.iter().filter(|rule| counts(rule)).count();
                let full = self.documents[name.0].max_fired.is_some_and(|most| counted >= most as usize);
                let calls = |rule: &ModelRule| rule.acts.iter().filter(|act| **act == Act::Call).count();
                let called: usize = before.iter().map(|rule| calls(rule)).sum();
                let stopped = before.iter().any(|rule| rule.acts.contains(&Act::Stop));
                if stopped || (full && counts(rule)) || (calls(rule) > 0 && called + calls(rule) > 1) {
                    continue;
                }
            }
            fired.push(name);
            actions.extend(rule.acts.iter().map(|act| format!("{}:{}", id(name.0, name.1), word(*act))));
        }
        (fired, actions)
    }

    fn holds(&self, condition: &Condition, name: Name) -> Answer {
        Ok(match condition {
            Condition::Always => true,
            Condition::Contains(key, text) => says(self.arg(key), &|held| held.contains(text))?,
            Condition::StartsWith(key, text) => says(self.arg(key), &|held| held.starts_with(text))?,
            Condition::EndsWith(key, text) => says(self.arg(key), &|held| held.ends_with(text))?,
            Condition::Equals(key, value) => equals(self.arg(key), value)?,
            Condition::Below(key, than) => number(self.arg(key))? < f64::from(*than),
            Condition::Share(key) => match number(self.arg(key))? {
                0.0 => return Err(Trouble::Other),
                number => 6.0 / number > 2.0,
            },
            Condition::Itself(key) => self.arg(key).as_bool().ok_or(Trouble::Other)?,
            Condition::EverCalled(tool) => self.ran(tool) > 0,
            Condition::CountAtLeast(tool, count) => self.ran(tool) >= *count,
            Condition::CalledSince(tool, turns) => {
                let lately = |call: &&PastCall| {
                    call.ran() && call.tool == *tool && self.past.turn - call.turn <= *turns
                };
                self.past.calls.iter().any(|call| lately(&call))
            }
            Condition::TurnIsEven => self.past.turn % 2 == 0,
            Condition::Chain(steps, ordered) => self.chain(steps, *ordered),
            Condition::Missing(tools) => tools.iter().any(|tool| self.ran(tool) == 0),
            Condition::OverQuota { per_turn, per_session } => {
                let admitted = self.admitted(name);
                let in_turn = admitted.iter().filter(|call| call.turn == self.past.turn).count();
                per_turn.is_some_and(|most| in_turn >= most as usize)
                    || per_session.is_some_and(|most| admitted.len() >= most as usize)
            }
            Condition::CoolingDown(turns) => {
                self.admitted(name).last().is_some_and(|call| self.past.turn - call.turn <= i64::from(*turns))
            }
            Condition::Not(inner) => !self.holds(inner, name)?,
            Condition::All(inner) => return self.kleene(inner, name, false),
            Condition::OneOf(inner) => return self.kleene(inner, name, true),
        })
    }

    /// One that surely decides decides, whatever else is in trouble.
    fn kleene(&self, inner: &[Condition], name: Name, decides: bool) -> Answer {
        let answers: Vec<Answer> = inner.iter().map(|condition| self.holds(condition, name)).collect();
        if answers.contains(&Ok(decides)) {
            return Ok(decides);
        }
        let weightier = answers.iter().find(|answer| answer.is_err() && **answer != Err(Trouble::Mixed));
        weightier.or_else(|| answers.iter().find(|answer| answer.is_err())).copied().unwrap_or(Ok(!decides))
    }

    fn arg(&self, key: &str) -> &Value {
        self.call.and_then(|(_, args, _)| args.get(key)).unwrap_or(&Value::Null)
    }

    fn ran(&self, tool: &str) -> i64 {
        let ran = self.past.calls.iter().filter(|call| call.ran() && call.tool == tool);
        i64::try_from(ran.count()).expect("few")
    }

    /// The calls that a rule's quota holds: all that were let through to its tools.
    fn admitted(&self, name: Name) -> Vec<&PastCall> {
        let rule = self.rule(name);
        if rule.hook != When::Call {
            return Vec::new();
        }
        let fits = |call: &&PastCall| {
            let there = Hearing {
                call: Some((call.tool, &Value::Null, None)),
                applied: vec![],
                acting: vec![],
                shadow: vec![],
                faults: vec![],
                ..*self
            };
            call.ran() && there.fits(&rule.tools)
        };
        self.past.calls.iter().filter(fits).collect()
    }

    fn chain(&self, steps: &[Step], ordered: bool) -> bool {
        // In order, the first calls that will do leave the most to the steps after.
        let mut from = 0;
        for step in steps {
            let fits = |call: &PastCall| {
                self.past.seconds - call.seconds <= step.within_seconds
                    && step.tool.is_none_or(|tool| tool == call.tool)
                    && (step.verdicts.is_empty() || step.verdicts.contains(&call.decision))
            };
            let places: Vec<usize> =
                (from..self.past.calls.len()).filter(|at| fits(&self.past.calls[*at])).collect();
            let Some(last) = places.get(step.min_count as usize - 1) else { return false };
            if ordered {
                from = last + 1;
            }
        }
        true
    }
}

fn counts(rule: &ModelRule) -> bool {
    (rule.effect.is_some() && !is_constraint(rule))
        || rule.acts.iter().any(|act| matches!(act, Act::Insert | Act::Call))
}

/// Whether a rule is what a policy says of tools that it names: it admits a call, or not, and does nothing else.
fn is_constraint(rule: &ModelRule) -> bool {
    let is_admission = || matches!(guard(&rule.guard).normal(), Guard::Admission(_));
    rule.acts.is_empty() && !matches!(rule.tools, Tools::Any) && is_admission()
}

fn word(act: Act) -> &'static str {
    match act {
        Act::Insert => "insert",
        Act::Set => "set",
        Act::Call => "call",
        Act::Stop => "stop",
    }
}

fn number(value: &Value) -> Result<f64, Trouble> {
    match value {
        Value::Null => Err(Trouble::Absent),
        other => other.as_f64().ok_or(Trouble::Other),
    }
}

fn same(left: &Value, right: &Value) -> bool {
    match (left.as_f64(), right.as_f64()) {
        (Some(left), Some(right)) => left.total_cmp(&right).is_eq(),
        _ => left == right,
    }
}

/// Whether a text is so; of a list, whether all its items are where its JSON is not. Items that disagree are trouble.
fn says(value: &Value, is_so: &dyn Fn(&str) -> bool) -> Answer {
    match value {
        Value::Null => Ok(false),
        Value::String(text) => Ok(is_so(text)),
        other if is_so(&other.to_string()) => Ok(true),
        Value::Array(items) => {
            let answers = items.iter().map(|item| says(item, is_so)).collect::<Result<Vec<_>, _>>()?;
            let so = answers.iter().filter(|answer| **answer).count();
            if so > 0 && so < answers.len() { Err(Trouble::Mixed) } else { Ok(so > 0) }
        }
        _ => Ok(false),
    }
}

/// Whether a value is another one; of a list, whether all its items are.
fn equals(value: &Value, other: &Value) -> Answer {
    match value {
        _ if same(value, other) => Ok(true),
        Value::Array(items) => {
            let so = items.iter().filter(|item| same(item, other)).count();
            if so > 0 && so < items.len() { Err(Trouble::Mixed) } else { Ok(so > 0) }
        }
        _ => Ok(false),
    }
}
