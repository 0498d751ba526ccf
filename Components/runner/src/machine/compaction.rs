//! The history, compacted: nothing is deleted, and nothing is lost.

use std::collections::{BTreeMap, BTreeSet};

use mentci_authority::{Hook, Role};
use mentci_chatmd::{Block, Element};
use serde_json::{Map, Value};

use super::summary::Summary;
use super::{Cause, Machine};
use crate::end::Stop;
use crate::prompt::ranges;
use crate::transcript::{Said, is_user};

/// What a `<compact/>` asks for.
struct Wanted {
    roles: BTreeSet<Role>,
    latest: usize,
    by_relevance: bool,
    with_summary: bool,
    threshold: Option<u64>,
}

/// One of the messages, as a compaction sees it.
struct Shown {
    number: usize,
    role: Option<Role>,
    /// Calls and their answers bear the number of the first of them.
    group: usize,
    text: String,
    tokens: u64,
    is_user: bool,
}

impl Machine {
    /// Compacts the history as a rule asks: what is kept stays, the rest is one artifact and a summary that stands for it.
    pub(crate) async fn compact(
        &mut self,
        cause: &Cause,
        rule: &str,
        action: &Map<String, Value>,
    ) -> Result<(), Stop> {
        let wanted = Wanted::of(action);
        let before = self.prompt.tokens();
        if wanted.threshold.is_some_and(|threshold| before <= threshold) {
            return self.put(&Said::rule_event("fired", rule, cause.hook.name())).map(drop);
        }
        let event = self.event(Hook::PreCompact);
        let verdict = self.hear(event, &[])?;
        Box::pin(self.act(Cause::of(Hook::PreCompact), verdict)).await?;
        let shown = self.shown();
        let hidden = wanted.hides(&shown, before);
        if hidden.is_empty() {
            return self.put(&Said::rule_event("fired", rule, cause.hook.name())).map(drop);
        }
        self.write_compaction(rule, action, &wanted, &shown, &hidden).await
    }

    async fn write_compaction(
        &mut self,
        rule: &str,
        action: &Map<String, Value>,
        wanted: &Wanted,
        shown: &[Shown],
        hidden: &BTreeSet<usize>,
    ) -> Result<(), Stop> {
        let part = |key: &str| action.get(key).and_then(Value::as_str).unwrap_or_default();
        let texts: Vec<String> = shown
            .iter()
            .filter(|shown| hidden.contains(&shown.number))
            .map(|shown| format!("{}: {}", shown.role.map_or("tool", Role::name), shown.text))
            .collect();
        let whole = texts.join("\n\n");
        let artifact = self.workspace().artifact_of(&whole, "compaction");
        self.workspace().keep_artifacts(&self.session, std::slice::from_ref(&artifact))?;
        let id = artifact.handle.artifact_id.to_string();
        let summary = if wanted.with_summary {
            self.summary_of(&whole).await
        } else {
            Summary { text: String::new(), model: None }
        };
        let before = self.prompt.tokens();
        let after = self.prompt.would_take(hidden, &summary.text);
        let mut said = Said::new(Element::Compaction)
            .by_rule(rule)
            .with("strategy", part("strategy"))
            .with("keep", keep_of(action))
            .with("hides", ranges(hidden))
            .with("tokens_before", before.to_string())
            .with("tokens_after", after.to_string())
            .with("artifact", id.as_str())
            .with("size", artifact.handle.size_bytes.to_string());
        if let Some(model) = summary.model {
            said = said.with("model", model);
        }
        self.put(&said.text(summary.text))?;
        let count = hidden.len();
        let note = format!(
            "The history was compacted: {count} earlier messages are summarised and no longer shown. They stand whole in the \
             artifact {id}."
        );
        self.put(&Said::inserted(Role::Developer, rule).text(note)).map(drop)
    }

    fn shown(&self) -> Vec<Shown> {
        // Calls and answers belong together until every call has its answer.
        let (mut open, mut waiting) = (0, 0_usize);
        let mut list = Vec::new();
        for (number, block, text) in self.prompt.shown() {
            let is_call = block.element() == Some(Element::ToolCall);
            let is_answer = block.element() == Some(Element::ToolResponse);
            let joins = open > 0 && (is_answer || (is_call && waiting > 0));
            let group = if joins { open } else { number };
            open = if is_call || is_answer { group } else { 0 };
            waiting = if is_call { waiting + 1 } else { waiting.saturating_sub(usize::from(is_answer)) };
            let (role, text) = (role_of(block), text.to_owned());
            let tokens = self.prompt.count(&text);
            list.push(Shown { number, role, group, text, tokens, is_user: is_user(block) });
        }
        list
    }
}

/// What is kept, with commas.
fn keep_of(action: &Map<String, Value>) -> String {
    match action.get("keep") {
        Some(Value::Array(parts)) => parts.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(","),
        Some(Value::String(text)) => text.clone(),
        _ => String::new(),
    }
}

fn role_of(block: &Block) -> Option<Role> {
    match block.element() {
        Some(Element::ToolResponse) => Some(Role::Tool),
        _ => block.role(),
    }
}

impl Wanted {
    fn of(action: &Map<String, Value>) -> Self {
        let text = |key: &str| action.get(key).and_then(Value::as_str).unwrap_or_default();
        let kept = keep_of(action);
        let keep: Vec<&str> = kept.split(',').map(str::trim).filter(|part| !part.is_empty()).collect();
        let latest = keep.iter().find_map(|part| part.strip_prefix("latest:")?.trim().parse().ok());
        let strategy = text("strategy");
        Self {
            roles: keep.iter().filter_map(|part| Role::parse(part)).collect(),
            latest: latest.unwrap_or(if keep.contains(&"latest") { 6 } else { 0 }),
            by_relevance: strategy.contains("relevance"),
            with_summary: strategy.is_empty() || strategy.contains("summary"),
            threshold: action.get("threshold_tokens").and_then(Value::as_u64),
        }
    }

    /// The numbers of what is no longer shown.
    fn hides(&self, shown: &[Shown], tokens: u64) -> BTreeSet<usize> {
        let mut kept: BTreeSet<usize> = BTreeSet::new();
        let from = shown.len().saturating_sub(self.latest);
        for (at, one) in shown.iter().enumerate() {
            if at >= from || one.role.is_some_and(|role| self.roles.contains(&role)) {
                kept.insert(one.group);
            }
        }
        if let Some(asked) = shown.iter().rev().find(|one| one.is_user) {
            // The question that is being answered stays.
            kept.insert(asked.group);
            if self.by_relevance {
                self.keep_relevant(shown, asked, tokens, &mut kept);
            }
        }
        shown.iter().filter(|one| !kept.contains(&one.group)).map(|one| one.number).collect()
    }

    /// Keeps what bears on the newest exchange, the best first, in half of the threshold.
    fn keep_relevant(&self, shown: &[Shown], asked: &Shown, tokens: u64, kept: &mut BTreeSet<usize>) {
        let newest: Vec<&str> =
            shown.iter().filter(|one| one.number >= asked.number).map(|one| one.text.as_str()).collect();
        let mut groups: BTreeMap<usize, (String, u64)> = BTreeMap::new();
        for one in shown.iter().filter(|one| !kept.contains(&one.group)) {
            let group = groups.entry(one.group).or_default();
            group.0.push_str(&one.text);
            group.0.push('\n');
            group.1 += one.tokens;
        }
        let numbers: Vec<usize> = groups.keys().copied().collect();
        let texts: Vec<&str> = groups.values().map(|(text, _)| text.as_str()).collect();
        let mut left = self.threshold.unwrap_or(tokens) / 2;
        for kept_one in shown.iter().filter(|one| kept.contains(&one.group)) {
            left = left.saturating_sub(kept_one.tokens);
        }
        for at in mentci_context::most_relevant(&texts, &newest.join("\n")) {
            let (number, cost) = (numbers[at], groups[&numbers[at]].1);
            if cost <= left {
                left -= cost;
                kept.insert(number);
            }
        }
    }
}
