//! What rules do, written down and done.

use mentci_authority::{Event, Hook, Role, SuppressedRule, Verdict};
use mentci_source::Hash;
use serde_json::{Map, Value};

use super::Machine;
use super::calls::Runs;
use crate::Waiting;
use crate::end::Stop;
use crate::transcript::Said;

/// How deep what rules cause may cause more.
const MAX_DEPTH: usize = 4;
/// How many acts one point of the session may cause.
const MAX_ACTS: usize = 100;

/// What rules act on: the point of the session, and the rules that caused it. INVARIANT (no cycles): a rule is not asked about
/// what it caused.
#[derive(Debug, Clone)]
pub(crate) struct Cause {
    pub(crate) hook: Hook,
    pub(crate) chain: Vec<String>,
    /// The call that it is about.
    pub(crate) call: Option<String>,
}

impl Cause {
    pub(crate) fn of(hook: Hook) -> Self {
        Self { hook, chain: Vec::new(), call: None }
    }

    pub(crate) fn about(mut self, call: &str) -> Self {
        self.call = Some(call.to_owned());
        self
    }

    /// What this rule caused.
    fn by(&self, rule: &str, hook: Hook) -> Self {
        let mut chain = self.chain.clone();
        chain.push(rule.to_owned());
        Self { hook, chain, call: None }
    }

    pub(crate) fn by_call(&self, rule: &str) -> Self {
        self.by(rule, Hook::PreToolCall)
    }
}

impl Machine {
    /// Writes down and does what rules did about an event.
    pub(crate) fn act(&mut self, cause: Cause, verdict: Verdict) -> Waiting<'_, Result<(), Stop>> {
        Box::pin(async move {
            for fault in verdict.faults.iter().filter(|fault| !fault.is_absence) {
                let event = Said::rule_event("fault", &fault.rule, cause.hook.name());
                self.put(&event.text(fault.message.as_str()))?;
            }
            let mut silent: Vec<String> = Vec::new();
            for action in verdict.actions.iter().take(MAX_ACTS) {
                self.act_one(&cause, action, &mut silent).await?;
            }
            self.tell_undone(&cause, &verdict)?;
            for told in &verdict.notifications {
                let id = notification_id(&told.rule, &told.message);
                let said = Said::inserted(Role::Developer, &told.rule).with("notification", id.as_str());
                self.insert(&cause, &said.text(told.message.as_str()), &told.rule).await?;
            }
            let seen: Vec<&str> =
                verdict.actions.iter().filter(|action| leaves_a_block(action)).map(rule_of).collect();
            silent.retain(|rule| !seen.contains(&rule.as_str()));
            silent.dedup();
            for rule in silent {
                self.put(&Said::rule_event("fired", &rule, cause.hook.name()))?;
            }
            self.trace(&cause, &verdict)
        })
    }

    /// Acts beyond the bound are not done, and the document says so.
    fn tell_undone(&mut self, cause: &Cause, verdict: &Verdict) -> Result<(), Stop> {
        let Some(first) = verdict.actions.get(MAX_ACTS) else { return Ok(()) };
        let undone = verdict.actions.len() - MAX_ACTS;
        let text = format!(
            "{undone} of {} acts at this point were not done: the limit is {MAX_ACTS}",
            verdict.actions.len()
        );
        let event = Said::rule_event("fault", rule_of(first), cause.hook.name());
        self.put(&event.text(text)).map(drop)
    }

    /// What rules did, in plain view where their document asks for it, and what they would have done.
    fn trace(&mut self, cause: &Cause, verdict: &Verdict) -> Result<(), Stop> {
        let traced = |action: &&Map<String, Value>| action.get("trace") == Some(&Value::Bool(true));
        let mut did: Vec<(&str, Vec<&str>)> = Vec::new();
        for action in verdict.actions.iter().filter(traced) {
            match did.last_mut() {
                Some((rule, kinds)) if *rule == rule_of(action) => kinds.push(text_of(action, "type")),
                _ => did.push((rule_of(action), vec![text_of(action, "type")])),
            }
        }
        for (rule, kinds) in did {
            let failed = verdict.faults.iter().any(|fault| !fault.is_absence && fault.rule == rule);
            let did = if failed { "its actions failed".to_owned() } else { kinds.join(", ") };
            let text = format!("Rule `{rule}` fired at {}: {did}.", cause.hook.name());
            self.put(&Said::inserted(Role::Developer, rule).text(text))?;
        }
        // What a cap kept from happening is always told; a `<stop/>` is what its document asked for.
        let is_told = |suppressed: &&SuppressedRule| suppressed.trace || suppressed.why != "stop";
        for suppressed in verdict.suppressed.iter().filter(is_told) {
            let said = Said::rule_event("suppressed", &suppressed.rule, cause.hook.name());
            self.put(&said.with("why", suppressed.why.as_str()))?;
        }
        Ok(())
    }

    async fn act_one(
        &mut self,
        cause: &Cause,
        action: &Map<String, Value>,
        silent: &mut Vec<String>,
    ) -> Result<(), Stop> {
        let (rule, text) = (rule_of(action), |key: &str| text_of(action, key));
        match text("type") {
            "insert" => {
                let whose = Role::parse(text("role")).unwrap_or(Role::Developer);
                let mut said = Said::inserted(whose, rule).text(text("text"));
                if let Some(digest) = action.get("digest").and_then(Value::as_str) {
                    said = said.with("digest", digest);
                }
                self.insert(cause, &said, rule).await
            }
            "call" => {
                let args = action.get("args").cloned().unwrap_or_default();
                self.call_by_rule(cause, rule, text("tool"), args, Runs::Tool).await
            }
            "agent" => self.agent_by_rule(cause, rule, text("src"), text("text")).await,
            "compact" => self.compact(cause, rule, action).await,
            "set" => {
                let mut said = Said::rule_event("set", rule, cause.hook.name()).with("var", text("key"));
                if text("scope") != "session" {
                    said = said.with("scope", text("scope"));
                }
                let value = action.get("value").cloned().unwrap_or_default();
                self.put(&said.text(value.to_string())).map(drop)
            }
            "deny" if text("remind").is_empty() => Ok(()),
            "deny" => {
                self.insert(cause, &Said::inserted(Role::Developer, rule).text(text("remind")), rule).await
            }
            _ => {
                silent.push(rule.to_owned());
                Ok(())
            }
        }
    }

    /// A message that a rule wrote. Rules that care for such are asked about it.
    async fn insert(&mut self, cause: &Cause, said: &Said, rule: &str) -> Result<(), Stop> {
        let block = self.put(said)?;
        let next = cause.by(rule, Hook::MessageAppended);
        if next.chain.len() > MAX_DEPTH {
            return Ok(());
        }
        let event = Event { message: Some(self.message(&block)), ..self.event(Hook::MessageAppended) };
        let verdict = self.hear(event, &next.chain)?;
        self.act(next, verdict).await
    }

    /// A developer's message that an action of a rule failed.
    pub(crate) fn failed_action(&mut self, rule: &str, why: &str) -> Result<(), Stop> {
        let text = format!("The actions of rule `{rule}` failed: {why}.");
        self.put(&Said::inserted(Role::Developer, rule).text(text)).map(drop)
    }

    /// Whether what rules cause goes too deep.
    pub(crate) fn is_too_deep(cause: &Cause) -> bool {
        cause.chain.len() > MAX_DEPTH
    }
}

fn leaves_a_block(action: &Map<String, Value>) -> bool {
    matches!(text_of(action, "type"), "insert" | "call" | "agent" | "compact" | "set" | "deny")
}

fn rule_of(action: &Map<String, Value>) -> &str {
    text_of(action, "rule")
}

fn text_of<'a>(action: &'a Map<String, Value>, key: &str) -> &'a str {
    action.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// What a transcript names a notification by: its rule and words. The log's own id is of one run, and the same document run twice
/// leaves the same bytes.
fn notification_id(rule: &str, message: &str) -> String {
    Hash::of("mentci notification told 1", [rule.as_bytes(), message.as_bytes()]).short(12)
}
