//! What the rules that fired do: their actions, with the values that their expressions give.

use std::cell::RefCell;
use std::collections::BTreeMap;

use mentci_authority::{Action, Assigned, Dialect, Effect, Event, Hook, Permission, StateScope, about_bytes};
use mentci_expr::{Budget, Compiled, Expr, Fault, FaultKind, Node, evaluate};
use mentci_ledger::{Delta, LedgerView, keeper};
use serde_json::{Map, Value, json};

use crate::asked::AskedAction;
use crate::decision::{Decision, RuleIndex, Scripted};
use crate::needs::Needs;
use crate::notify::Word;
use crate::program::{CompiledRule, Program};
use crate::world::World;

/// How large a value of the state is at most: every event that comes later reads it.
const STATE_BYTES: usize = 1024 * 1024;

/// What the rules that fired do, as outcomes list it, and what the ledger has to remember of it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Acts {
    /// In order: `{"rule", "type", …}`.
    pub actions: Vec<Map<String, Value>>,
    /// What is to be remembered.
    pub deltas: Vec<Delta>,
    /// What the agent is to be told, in order.
    pub words: Vec<Word>,
    /// The actions that could not be made: the rule's other actions are dropped with it.
    pub faults: Vec<(RuleIndex, Fault)>,
}

/// Renders a template over the facts of a rule: what notifications, logs and values of the TOML dialect are written in.
pub trait Templates {
    /// The text with its expressions filled in. `facts` is `{context, event, result, parameters, plugin, …}`.
    ///
    /// # Errors
    /// What is wrong with the template.
    fn render(&self, template: &str, facts: &Value) -> Result<String, String>;

    /// Takes facts in, from which many templates are then rendered.
    fn over(&self, facts: Value) -> Filling<'_> {
        Box::new(move |template| self.render(template, &facts))
    }
}

/// Renders a template over facts that were taken in: see [`Templates::over`].
pub type Filling<'t> = Box<dyn Fn(&str) -> Result<String, String> + 't>;

/// Templates that stand as they were written.
#[derive(Debug, Clone, Copy, Default)]
pub struct Verbatim;

impl Templates for Verbatim {
    fn render(&self, template: &str, _: &Value) -> Result<String, String> {
        Ok(template.to_owned())
    }
}

/// Makes the actions of the rules that a decision fired, in their order. A rule's actions are one atomic group: when one
/// of them faults, none of them is made.
pub fn act(
    program: &Program,
    event: &Event,
    view: LedgerView<'_>,
    decision: &Decision,
    templates: &dyn Templates,
) -> Acts {
    let mut acts = Acts::default();
    let shared = Shared { templates, fillings: RefCell::default() };
    for &index in &decision.fired {
        let compiled = program.rules.get(index);
        let world = World { event, view, rule: &compiled.rule, scripts: None };
        let scripted = decision.scripted.iter().find(|scripted| scripted.rule == index);
        let told = Told { rule: program.told_of(compiled), trace: program.traces(compiled) };
        let mut group = Group::new(compiled, told, world, &shared, scripted);
        group.permission = decision.permission;
        if let Err(fault) = group.make() {
            group.fails(&fault);
            acts.faults.push((index, fault));
        }
        acts.faults.extend(group.unworded.drain(..).map(|fault| (index, fault)));
        acts.words.append(&mut group.words);
        acts.actions.append(&mut group.actions);
        acts.deltas.append(&mut group.deltas);
        // Consumed on firing, also when an action failed.
        acts.deltas.push(Delta::Fired { rule: compiled.full_name.clone() });
    }
    acts
}

/// The templates of an event's rules. Rules that read the same facts are rendered over the same.
struct Shared<'t> {
    templates: &'t dyn Templates,
    fillings: RefCell<BTreeMap<Needs, Filling<'t>>>,
}

impl Shared<'_> {
    fn render(&self, template: &str, world: &World<'_>) -> Result<String, String> {
        let needs = Needs::of(template);
        if !needs.is_shared() {
            return self.templates.render(template, &world.facts_for(needs));
        }
        let mut fillings = self.fillings.borrow_mut();
        fillings.entry(needs).or_insert_with(|| self.templates.over(world.facts_for(needs)))(template)
    }
}

/// How what a rule does is told.
#[derive(Clone, Copy)]
struct Told<'e> {
    rule: &'e str,
    /// Its document asks that it is seen.
    trace: bool,
}

struct Group<'e, 't> {
    compiled: &'e CompiledRule,
    told: Told<'e>,
    world: World<'e>,
    shared: &'e Shared<'t>,
    scripted: Option<&'e Scripted>,
    /// What came of the call, all rules together.
    permission: Permission,
    actions: Vec<Map<String, Value>>,
    deltas: Vec<Delta>,
    words: Vec<Word>,
    /// The templates that stand as they were written.
    unworded: Vec<Fault>,
}

impl<'e, 't> Group<'e, 't> {
    fn new(
        compiled: &'e CompiledRule,
        told: Told<'e>,
        world: World<'e>,
        shared: &'e Shared<'t>,
        scripted: Option<&'e Scripted>,
    ) -> Self {
        let (actions, deltas, words) = (Vec::new(), Vec::new(), Vec::new());
        let permission = Permission::default();
        Self {
            compiled,
            told,
            world,
            shared,
            scripted,
            permission,
            actions,
            deltas,
            words,
            unworded: Vec::new(),
        }
    }

    fn make(&mut self) -> Result<(), Fault> {
        let rule = &self.compiled.rule;
        // In the order in which it was asked for: a script runs before what it decides.
        for asked in self.scripted.into_iter().flat_map(|scripted| &scripted.asked) {
            self.asked(asked)?;
        }
        if let Some(instead) = self.scripted.and_then(|scripted| scripted.instead.as_deref()) {
            for asked in instead {
                self.asked(asked)?;
            }
        } else {
            self.effect();
            rule.actions.iter().try_for_each(|action| self.action(action))?;
        }
        let once_run = self.taints_once_run();
        let taint = |name: &String| Delta::Tainted { name: name.clone(), once_run };
        self.deltas.extend(rule.taints.iter().map(taint));
        Ok(())
    }

    /// A call that is refused or waits for a person does nothing, and taints nothing unless it runs. What a rule that itself
    /// refuses says of the session is about the attempt.
    fn taints_once_run(&self) -> bool {
        self.world.event.hook == Hook::PreToolCall
            && self.compiled.rule.effect != Some(Effect::Block)
            && self.permission != Permission::Allow
    }

    /// What an effect leaves in a session: a denial its reminder, or the trace of it that a document asks for. In ChatMD a
    /// denial is an action like others, and a warning a developer's note.
    fn effect(&mut self) {
        let rule = &self.compiled.rule;
        let is_chatmd = rule.origin.dialect == Dialect::Chatmd;
        match rule.effect {
            Some(Effect::Block) if is_chatmd || rule.remind.is_some() || self.told.trace => {
                let (reason, remind) = (self.reason(), self.reminder());
                self.push("deny", json!({"reason": reason, "remind": remind}));
            }
            Some(Effect::Warn) if is_chatmd => {
                let note = json!({"role": "developer", "text": self.reason(), "synthetic": true});
                self.push("insert", note);
            }
            _ => {}
        }
    }

    /// The rule's message. One that cannot be filled in stands as it was written: the verdict's reason has the fault.
    fn reason(&self) -> Option<String> {
        let message = self.compiled.rule.message.as_ref()?;
        Some(self.render(message).unwrap_or_else(|_| message.clone()))
    }

    /// What reminds of a denial; a denial stands also where it cannot be filled in.
    fn reminder(&mut self) -> Option<String> {
        let remind = self.compiled.rule.remind.as_ref()?;
        Some(self.render(remind).unwrap_or_else(|fault| {
            self.unworded.push(fault);
            remind.clone()
        }))
    }

    /// Nothing was done but the denial, which is none of the actions that can fail; ChatMD's session is told so.
    fn fails(&mut self, fault: &Fault) {
        self.actions.clear();
        self.deltas.clear();
        self.words.clear();
        self.unworded.clear();
        self.effect();
        let rule = &self.compiled.rule;
        if rule.origin.dialect == Dialect::Chatmd {
            let text = format!("The actions of rule `{}` failed: {}.", self.told.rule, fault.message);
            self.push("insert", json!({"role": "developer", "text": text, "synthetic": true}));
        }
    }

    fn action(&mut self, action: &Action) -> Result<(), Fault> {
        let fields = match action {
            Action::Insert { role, text, synthetic } => {
                json!({"role": role.name(), "text": self.worded(text)?, "synthetic": synthetic})
            }
            Action::InsertValue { role, value, synthetic } => match self.value(value)? {
                Value::Null => return Ok(()),
                Value::String(text) => json!({"role": role.name(), "text": text, "synthetic": synthetic}),
                other => json!({"role": role.name(), "text": other.to_string(), "synthetic": synthetic}),
            },
            Action::Notify { message, category, priority, deliver_at } => {
                let (message, category) = (self.worded(message)?, category.clone());
                let rule = self.compiled.full_name.clone();
                self.say(Word { rule, message, category, priority: *priority, deliver_at: *deliver_at });
                return Ok(());
            }
            Action::Call { tool, arguments } => json!({"tool": tool, "args": self.object(arguments)?}),
            Action::Agent { src, text } => json!({"src": src, "text": self.worded(text)?}),
            Action::Compact { keep, strategy, threshold_tokens } => {
                json!({"keep": keep, "strategy": strategy, "threshold_tokens": threshold_tokens})
            }
            Action::Set { scope, key, value } => self.set(*scope, key, value)?,
            Action::Log { level, message } => json!({"level": level, "message": self.worded(message)?}),
            Action::Emit { event, payload } => json!({"event": event, "payload": self.filled(payload)?}),
            Action::Stop => json!({}),
        };
        self.push(action.name(), fields);
        Ok(())
    }

    fn push(&mut self, name: &str, fields: Value) {
        if let Value::Object(fields) = fields {
            self.push_fields(name, fields);
        }
    }

    fn push_fields(&mut self, name: &str, fields: impl IntoIterator<Item = (String, Value)>) {
        let mut all = Map::new();
        all.insert("rule".to_owned(), self.told.rule.into());
        all.insert("type".to_owned(), name.into());
        if self.told.trace {
            all.insert("trace".to_owned(), true.into());
        }
        all.extend(fields.into_iter().filter(|(_, value)| !value.is_null()));
        self.actions.push(all);
    }

    fn say(&mut self, word: Word) {
        self.push_fields("notify", word.fields());
        self.words.push(word);
    }

    fn set(&mut self, scope: StateScope, key: &str, value: &Assigned) -> Result<Value, Fault> {
        let value = match value {
            Assigned::Expr(expr) => self.value(expr)?,
            Assigned::Value(value) => self.filled(value)?,
        };
        self.assign(scope, key, &value)
    }

    /// What a script asked for: its texts are data and stand as they are.
    fn asked(&mut self, asked: &AskedAction) -> Result<(), Fault> {
        match asked {
            AskedAction::Notify { message, category, priority, deliver_at } => {
                let (message, category) = (message.clone(), category.clone());
                let rule = self.compiled.full_name.clone();
                self.say(Word { rule, message, category, priority: *priority, deliver_at: *deliver_at });
            }
            AskedAction::Fields(name, fields) => self.push(name, fields.clone()),
            AskedAction::SetState { key, value } => {
                let fields = self.assign(StateScope::Plugin, key, value)?;
                self.push("set", fields);
            }
        }
        Ok(())
    }

    /// What is kept is read at every event from then on: a tool's output is not kept whole.
    fn assign(&mut self, scope: StateScope, key: &str, value: &Value) -> Result<Value, Fault> {
        let bytes = about_bytes(value);
        if bytes > STATE_BYTES {
            let message =
                format!("the value of `{key}` has {bytes} bytes: a value of the state has at most 1 MiB");
            return Err(Fault::new(FaultKind::Budget, message));
        }
        let rule = &self.compiled.rule;
        let (owner, kept_as) = match scope {
            StateScope::Session => (String::new(), rule.variable_key(key)),
            StateScope::Plugin => (keeper(rule.owner(), self.world.event).into_owned(), key.into()),
        };
        self.deltas.push(Delta::Set { scope, owner, key: kept_as.into_owned(), value: value.clone() });
        Ok(json!({"scope": scope, "key": key, "value": value}))
    }

    fn value(&self, expr: &Expr) -> Result<Value, Fault> {
        let program = Compiled::new(expr);
        evaluate(&program, &self.world, &mut Budget::default()).map(|value| value.to_json())
    }

    fn object(&self, expr: &Expr) -> Result<Value, Fault> {
        let value = self.written(expr)?;
        if value.is_object() {
            return Ok(value);
        }
        Err(Fault::new(FaultKind::Type, "the body of a call must give an object"))
    }

    /// The value of an expression in which the texts that stand as they are are filled in. What it computes is data.
    fn written(&self, expr: &Expr) -> Result<Value, Fault> {
        Ok(match expr.node() {
            Node::Text(text) => Value::String(self.render(text)?),
            Node::List(items) => {
                Value::Array(items.iter().map(|item| self.written(item)).collect::<Result<_, _>>()?)
            }
            Node::Map(entries) => {
                let write = |(key, value): &(String, Expr)| Ok((key.clone(), self.written(value)?));
                Value::Object(entries.iter().map(write).collect::<Result<_, Fault>>()?)
            }
            _ => self.value(expr)?,
        })
    }

    /// What a rule tells. That of a core rule is told also where it cannot be filled in: no parameter silences it.
    fn worded(&mut self, template: &str) -> Result<String, Fault> {
        match self.render(template) {
            Err(fault) if self.compiled.rule.core => {
                self.unworded.push(fault);
                Ok(template.to_owned())
            }
            rendered => rendered,
        }
    }

    fn render(&self, template: &str) -> Result<String, Fault> {
        if !template.contains('{') {
            return Ok(template.to_owned());
        }
        let rendered = self.shared.render(template, &self.world);
        rendered.map_err(|message| Fault::new(FaultKind::Unanswered, message))
    }

    /// A value whose strings are filled in. What a template gave is data and is never rendered again.
    fn filled(&self, value: &Value) -> Result<Value, Fault> {
        Ok(match value {
            Value::String(text) => Value::String(self.render(text)?),
            Value::Array(items) => {
                Value::Array(items.iter().map(|item| self.filled(item)).collect::<Result<_, _>>()?)
            }
            Value::Object(map) => {
                let fill = |(key, value): (&String, &Value)| Ok((key.clone(), self.filled(value)?));
                Value::Object(map.iter().map(fill).collect::<Result<_, Fault>>()?)
            }
            scalar => scalar.clone(),
        })
    }
}
