//! An action's fields.

use mentci_authority::{Action, Assigned, DeliverAt, Dialect, NotifyPriority, StateScope};

use super::condition::{Words, phrase};
use super::doc::Doc;

pub(super) fn action(action: &Action, dialect: Dialect) -> Doc {
    let words = Words::of(dialect);
    let mut fields = vec![("type", Doc::Word(kind(action, dialect)))];
    let mut put = |key, doc: Doc| fields.push((key, doc));
    match action {
        Action::Insert { role, text, synthetic } => {
            put("role", Doc::Word(role.name()));
            put("text", Doc::text(text));
            if !synthetic {
                put("synthetic", Doc::Bool(false));
            }
        }
        Action::InsertValue { role, value, synthetic } => {
            put("role", Doc::Word(role.name()));
            put("expr", phrase(value, words));
            if !synthetic {
                put("synthetic", Doc::Bool(false));
            }
        }
        Action::Notify { message, category, priority, deliver_at } => {
            put("message", Doc::text(message));
            put("category", Doc::text(category));
            if *priority != NotifyPriority::default() {
                put("priority", Doc::Word(priority_name(*priority)));
            }
            if *deliver_at != DeliverAt::default() {
                put("deliver_at", Doc::Word(delivery_name(*deliver_at)));
            }
        }
        Action::Call { tool, arguments } => {
            put("tool", Doc::text(tool));
            put("args", phrase(arguments, words));
        }
        Action::Agent { src, text } => {
            put("src", Doc::text(src));
            put("text", Doc::text(text));
        }
        Action::Compact { keep, strategy, threshold_tokens } => {
            put("keep", Doc::texts(keep));
            put("strategy", Doc::text(strategy));
            if let Some(tokens) = threshold_tokens {
                put("threshold_tokens", Doc::count(*tokens));
            }
        }
        Action::Set { key, value, scope: _ } => {
            put("key", Doc::text(key));
            match value {
                Assigned::Expr(expr) => put("expr", phrase(expr, words)),
                Assigned::Value(value) => put("value", Doc::json(value)),
            }
        }
        Action::Log { level, message } => {
            put("level", Doc::text(level));
            put("message", Doc::text(message));
        }
        Action::Emit { event, payload } => {
            put("event", Doc::text(event));
            if !payload.is_null() {
                put("payload", Doc::json(payload));
            }
        }
        Action::Stop => {}
    }
    Doc::Map(fields)
}

fn kind(action: &Action, dialect: Dialect) -> &'static str {
    match action {
        Action::Set { scope: StateScope::Plugin, .. } => "set_state",
        Action::Notify { .. } if dialect == Dialect::Toml => "notify_self",
        Action::Emit { .. } if dialect == Dialect::Toml => "emit_event",
        other => other.name(),
    }
}

fn priority_name(priority: NotifyPriority) -> &'static str {
    match priority {
        NotifyPriority::Low => "low",
        NotifyPriority::Normal => "normal",
        NotifyPriority::High => "high",
        NotifyPriority::Critical => "critical",
    }
}

fn delivery_name(delivery: DeliverAt) -> &'static str {
    match delivery {
        DeliverAt::TurnStart => "turn_start",
        DeliverAt::AfterTool => "after_tool",
        DeliverAt::TurnEnd => "turn_end",
        DeliverAt::Immediate => "immediate",
    }
}
