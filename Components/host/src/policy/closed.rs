//! What holds for a file of rules that does not read and never did: its gates are closed, because nobody knows what they
//! said; whoever mends it may work on.

use mentci_authority::{Dialect, Effect, Guard, Hook, Origin, Rule, RuleId, RuleSet, RuleSeverity, Trust};
use mentci_expr::parse;
use mentci_source::Span;

/// A call that reads alone, or that asks what is wrong with the file.
const HARMLESS: &str = r#"event.tool.name in ["read", "Read", "read_file", "readFile", "view", "ls", "LS", "list_dir", "list_directory",
    "glob", "Glob", "grep", "Grep", "search", "search_files", "find"]
    or (len(event.commands) > 0 and all(c.program == "policy-engine" and len(c.operands) > 0
        and c.operands[0] in ["check", "explain"] and c.is_static and len(c.redirects) == 0 for c in event.commands))"#;

/// The rules that stand in for the broken file at `path`.
pub fn closed(path: &str) -> RuleSet {
    let mut set = RuleSet::new(path);
    let edits = format!(
        "len(event.files) > 0 and all(f.path == {path:?} or ends_with(f.path, {:?}) for f in event.files)",
        format!("/{path}")
    );
    let message = format!("`{path}` does not read, and no good version of it is kept: its gates are closed");
    let mends = rule(
        path,
        "mend",
        Effect::Approve,
        Guard::expr_text(&edits),
        format!("{message}; a person may let it be mended"),
    );
    let others = Guard::all([
        Guard::Not(Box::new(Guard::expr_text(HARMLESS))),
        Guard::Not(Box::new(Guard::expr_text(&edits))),
    ]);
    let closes = rule(
        path,
        "closed",
        Effect::Block,
        others,
        format!("{message}; `policy-engine check` says what is wrong"),
    );
    set.rules.extend([mends, closes].into_iter().flatten());
    set
}

fn rule(path: &str, id: &str, effect: Effect, guard: Guard, message: String) -> Option<Rule> {
    let origin = Origin {
        dialect: Dialect::Yaml,
        path: path.into(),
        line: 1,
        column: 1,
        span: Span::default(),
        pack: path.into(),
        trust: Trust::Managed,
    };
    let mut rule = Rule::new(RuleId::new(id).ok()?, Hook::PreToolCall, origin);
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
        assert_eq!(closed("a.yaml").rules.len(), 2);
    }
}
