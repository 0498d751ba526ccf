//! What holds for a file of rules that does not read and never did: what its gates name is closed, because nobody knows
//! what they would have let through; whoever only reads, or mends the file, may work on.

use std::collections::BTreeMap;

use mentci_authority::{
    Dialect, Effect, Guard, Hook, Origin, Rule, RuleId, RuleSet, RuleSeverity, ToolMatch, Trust,
};
use mentci_dialect::{Gate, Gates};
use mentci_expr::parse;
use mentci_source::Span;

/// A call that reads alone, or that asks what is wrong with the file.
const HARMLESS: &str = r#"event.tool.name in ["read", "Read", "read_file", "readFile", "view", "ls", "LS", "list_dir", "list_directory",
    "glob", "Glob", "grep", "Grep", "search", "search_files", "find"]
    or (len(event.commands) > 0 and event.unread is null and all(c.is_static and len(c.redirects) == 0 and len(c.env) == 0
        and (c.program == "policy-engine" and len(c.operands) > 0 and c.operands[0] in ["check", "explain"]
            or c.path in ["cat", "head", "tail", "ls", "grep", "wc", "nl", "stat", "pwd"]) for c in event.commands))"#;

/// The rules that stand in for the broken file at `path`: its gates closed, as far as they could be read, and edits of it
/// asked about. None where it gates nothing.
pub fn closed(path: &str, gates: &Gates) -> RuleSet {
    let mut set = RuleSet::new(path);
    let shut = shut(gates);
    if shut.is_empty() {
        return set;
    }
    let edits = format!(
        "len(event.files) > 0 and all(f.op != \"read\" and (f.path == {path:?} or ends_with(f.path, {:?})) for f in event.files)",
        format!("/{path}")
    );
    let message = format!("`{path}` does not read, and no good version of it is kept: its gates are closed");
    let mends = Guard::expr_text(&edits);
    let asked = format!("{message}; a person may let it be mended");
    set.rules.extend(rule(path, "mend", Hook::PreToolCall, Effect::Approve, mends, asked));
    for (hook, tools) in shut {
        let others = Guard::all([
            Guard::Not(Box::new(Guard::expr_text(HARMLESS))),
            Guard::Not(Box::new(Guard::expr_text(&edits))),
        ]);
        let id =
            if hook == Hook::PreToolCall { "closed".to_owned() } else { format!("closed-{}", hook.name()) };
        let told = format!("{message}; `policy-engine check` says what is wrong");
        let closes = rule(path, &id, hook, Effect::Block, others, told);
        set.rules.extend(closes.map(|rule| Rule { tools, ..rule }));
    }
    set
}

/// Which tools are closed at each hook. Where nobody knows what was named, every call is: what does not run is closed at all
/// other hooks too.
fn shut(gates: &Gates) -> BTreeMap<Hook, ToolMatch> {
    let mut shut: BTreeMap<Hook, ToolMatch> = BTreeMap::new();
    if gates.unread {
        shut.insert(Hook::PreToolCall, ToolMatch::Any);
    }
    for Gate { hook, tools } in &gates.named {
        let all = match (shut.remove(hook), tools.clone()) {
            (None, tools) => tools,
            (Some(ToolMatch::OneOf(mut all)), ToolMatch::OneOf(more)) => {
                all.extend(more);
                all.sort();
                all.dedup();
                ToolMatch::OneOf(all)
            }
            _ => ToolMatch::Any,
        };
        shut.insert(*hook, all);
    }
    shut
}

fn rule(path: &str, id: &str, hook: Hook, effect: Effect, guard: Guard, message: String) -> Option<Rule> {
    let origin = Origin {
        dialect: Dialect::Yaml,
        path: path.into(),
        line: 1,
        column: 1,
        span: Span::default(),
        pack: path.into(),
        trust: Trust::Managed,
    };
    let mut rule = Rule::new(RuleId::new(id).ok()?, hook, origin);
    (rule.effect, rule.guard, rule.message) = (Some(effect), guard, Some(message));
    (rule.severity, rule.core) = (RuleSeverity::Critical, true);
    Some(rule)
}

trait ExprText {
    /// The guard of an expression that is written here; one that does not read never holds.
    fn expr_text(text: &str) -> Guard;
}

impl ExprText for Guard {
    fn expr_text(text: &str) -> Guard {
        parse(text).expr.map_or_else(|| Guard::Any(Vec::new()), Guard::expr)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_expressions_read() {
        assert!(parse(HARMLESS).expr.is_some(), "{:?}", parse(HARMLESS).problems);
    }

    #[test]
    fn what_gates_name_is_closed_and_nothing_else() {
        let gate = |hook, name: &str| Gate { hook, tools: ToolMatch::exact(name) };
        let told = |named: Vec<Gate>, unread| {
            let set = closed("a.yaml", &Gates { named: named.into_iter().collect(), unread });
            set.rules.iter().map(|rule| format!("{} {}", rule.id, rule.tools)).collect::<Vec<_>>()
        };
        assert!(told(vec![], false).is_empty(), "what only advises blocks nothing");
        assert_eq!(told(vec![], true), ["mend *", "closed *"]);
        let (pre, post) = (Hook::PreToolCall, Hook::PostToolResponse);
        let both = vec![gate(pre, "b"), gate(pre, "a"), gate(post, "c")];
        assert_eq!(told(both, false), ["mend *", "closed a, b", "closed-post_tool_response c"]);
        assert_eq!(told(vec![gate(pre, "b")], true), ["mend *", "closed *"]);
    }
}
