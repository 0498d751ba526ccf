//! Actions.

use mentci_authority::{Action, Assigned, DeliverAt, NotifyPriority, Role, StateScope};
use serde_json::Value as Json;

use super::Printer;
use super::tag::Tag;
use crate::chatmd::prose;

const INDENT: usize = 4;

pub(super) fn write(printer: &mut Printer, action: &Action) {
    match action {
        Action::Insert { role, text, synthetic } => {
            let tag = insert(printer, *role, *synthetic);
            told(printer, &tag, text);
        }
        Action::InsertValue { role, value, synthetic } => {
            let mut tag = insert(printer, *role, *synthetic);
            tag.say("value", &value.to_string());
            tag.close(INDENT, &mut printer.out);
        }
        Action::Notify { message, category, priority, deliver_at } => {
            let mut tag = Tag::new("notify");
            tag.say("category", category);
            if *priority != NotifyPriority::default() {
                tag.say("priority", urgency(*priority));
            }
            if *deliver_at != DeliverAt::default() {
                tag.say("deliver_at", moment(*deliver_at));
            }
            told(printer, &tag, message);
        }
        Action::Call { tool, arguments } => {
            let mut tag = Tag::new("call");
            tag.say("tool", tool);
            told(printer, &tag, &arguments.to_string());
        }
        Action::Agent { src, text } => {
            let mut tag = Tag::new("agent");
            tag.say("src", src);
            told(printer, &tag, text);
        }
        Action::Compact { keep, strategy, threshold_tokens } => {
            compact(printer, keep, strategy, *threshold_tokens);
        }
        Action::Set { scope, key, value } => set(printer, *scope, key, value),
        Action::Log { level, message } => {
            if !["debug", "info", "warn", "error"].contains(&level.as_str()) {
                printer.cannot("log level");
            }
            let mut tag = Tag::new("log");
            tag.say("level", level);
            told(printer, &tag, message);
        }
        Action::Emit { event, payload } => {
            let mut tag = Tag::new("emit");
            tag.say("event", event);
            match payload {
                Json::Null => tag.close(INDENT, &mut printer.out),
                payload => told(printer, &tag, &payload.to_string()),
            }
        }
        Action::Stop => Tag::new("stop").close(INDENT, &mut printer.out),
    }
}

fn told(printer: &mut Printer, tag: &Tag, text: &str) {
    if text.is_empty() {
        return tag.close(INDENT, &mut printer.out);
    }
    printer.out.push_str(&prose::written(&tag.begin(INDENT), tag.name, text, INDENT));
    printer.out.push('\n');
}

fn compact(printer: &mut Printer, keep: &[String], strategy: &str, threshold: Option<u64>) {
    let mut tag = Tag::new("compact");
    match threshold {
        None => {}
        Some(tokens) if (1..=u64::from(u32::MAX)).contains(&tokens) => {
            tag.say("threshold_tokens", &tokens.to_string());
        }
        Some(_) => printer.cannot("threshold_tokens"),
    }
    tag.say_list("keep", keep);
    tag.say("strategy", strategy);
    tag.close(INDENT, &mut printer.out);
}

fn set(printer: &mut Printer, scope: StateScope, key: &str, value: &Assigned) {
    let mut tag = Tag::new("set");
    tag.say("var", key);
    if key.trim().is_empty() {
        printer.cannot("set of a variable without a name");
    }
    if scope == StateScope::Plugin {
        tag.say("scope", "plugin");
    }
    match value {
        Assigned::Expr(expr) => {
            tag.say("value", &expr.to_string());
            tag.close(INDENT, &mut printer.out);
        }
        Assigned::Value(json) => told(printer, &tag, &json.to_string()),
    }
}

fn insert(printer: &mut Printer, role: Role, synthetic: bool) -> Tag {
    if role == Role::Tool {
        printer.cannot("insert of a tool's message");
    }
    let mut tag = Tag::new("insert");
    tag.say("role", role.name());
    if !synthetic {
        tag.say("synthetic", "false");
    }
    tag
}

fn urgency(priority: NotifyPriority) -> &'static str {
    match priority {
        NotifyPriority::Low => "low",
        NotifyPriority::Normal => "normal",
        NotifyPriority::High => "high",
        NotifyPriority::Critical => "critical",
    }
}

fn moment(deliver_at: DeliverAt) -> &'static str {
    match deliver_at {
        DeliverAt::TurnStart => "turn_start",
        DeliverAt::AfterTool => "after_tool",
        DeliverAt::TurnEnd => "turn_end",
        DeliverAt::Immediate => "immediate",
    }
}
