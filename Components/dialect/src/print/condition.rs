//! Guards as conditions: `args`, `session` and their like where a dialect has them, expressions otherwise.

use mentci_authority::{Admission, Chain, ChainStep, Dialect, Guard, Quota, ScriptId};
use mentci_expr::{Expr, MAX_SOURCE, Node};

use super::doc::Doc;
use super::rule::name_patterns;
use super::sexpr;
use super::sugar::{Clause, Value, of_expr};
use mentci_authority::ToolMatch;

/// How a dialect writes expressions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Words {
    /// The key of an expression.
    pub(super) key: &'static str,
    /// Whether it prefers `args: {path: {contains: x}}` to `contains(arg("path"), "x")`.
    pub(super) sugar: bool,
    /// Whether it writes S-expressions.
    pub(super) lisp: bool,
}

impl Words {
    pub(super) fn of(dialect: Dialect) -> Self {
        Self {
            key: if dialect == Dialect::Toml { "expression" } else { "if" },
            sugar: dialect == Dialect::Yaml,
            lisp: dialect == Dialect::Edn,
        }
    }
}

/// The entries of a `when` that mean `guard`, which is in normal form.
pub(super) fn clauses(guard: &Guard, words: Words) -> Vec<(&'static str, Doc)> {
    let mut groups = Groups::default();
    match guard {
        Guard::Always => {}
        Guard::All(inner) => inner.iter().for_each(|guard| groups.guard(guard, words)),
        other => groups.guard(other, words),
    }
    groups.entries()
}

/// A guard within `any`, `all` or `not`.
fn nested(guard: &Guard, words: Words) -> Doc {
    match guard {
        Guard::Always => Doc::Map(vec![(words.key, Doc::Bool(true))]),
        _ => Doc::Map(clauses(guard, words)),
    }
}

/// An expression as text or as a form.
pub(super) fn phrase(expr: &Expr, words: Words) -> Doc {
    if words.lisp
        && let Some(form) = sexpr::form(expr)
    {
        return Doc::Form(form);
    }
    let text = expr.to_string();
    if text.len() > MAX_SOURCE { Doc::Unsayable("an expression longer than 64 KiB") } else { Doc::Text(text) }
}

/// Maps of conditions: what does not fit into one, because its key is taken or its turn is over, starts the next.
#[derive(Default)]
struct Groups {
    groups: Vec<Group>,
}

type Group = Vec<(&'static str, Section)>;

enum Section {
    /// `args`, `session`, `context`: by key.
    Keyed(Vec<(String, Value)>),
    Plain(Doc),
}

impl Groups {
    fn guard(&mut self, guard: &Guard, words: Words) {
        match guard {
            Guard::Expr(expr) => self.expr(expr, words),
            Guard::Always => {}
            Guard::All(inner) => inner.iter().for_each(|guard| self.guard(guard, words)),
            Guard::Any(inner) => {
                self.plain("any", Doc::List(inner.iter().map(|guard| nested(guard, words)).collect()));
            }
            Guard::Not(inner) => self.plain("not", nested(inner, words)),
            Guard::Chain(chain) => self.plain("chain", self::chain(chain)),
            Guard::Script(script) => self.plain("script", self::script(script)),
            Guard::Admission(Admission::Requires(tools)) => self.plain("missing_tools", Doc::texts(tools)),
            Guard::Admission(Admission::Quota(quota)) => self.plain("over_quota", self::quota(*quota)),
            Guard::Admission(Admission::Cooldown { turns }) => {
                self.plain("cooling_down", Doc::Int(i64::from(*turns)));
            }
        }
    }

    fn expr(&mut self, expr: &Expr, words: Words) {
        if !words.sugar {
            return self.plain(words.key, phrase(expr, words));
        }
        let mut bare: Vec<Expr> = Vec::new();
        for part in conjuncts(expr) {
            match sugared(part) {
                Some(clause) => {
                    self.flush(&mut bare, words);
                    self.clause(clause);
                }
                None => bare.push(part.clone()),
            }
        }
        self.flush(&mut bare, words);
    }

    fn flush(&mut self, bare: &mut Vec<Expr>, words: Words) {
        if !bare.is_empty() {
            self.plain(words.key, phrase(&Expr::and(std::mem::take(bare)), words));
        }
    }

    fn plain(&mut self, key: &'static str, doc: Doc) {
        self.clause(Clause::Plain(key, doc));
    }

    fn clause(&mut self, clause: Clause) {
        let clause = match self.groups.last_mut() {
            Some(group) => match fit(group, clause) {
                Ok(()) => return,
                Err(clause) => clause,
            },
            None => clause,
        };
        let mut group = Group::new();
        // OK because everything fits into an empty group.
        let _ = fit(&mut group, clause);
        self.groups.push(group);
    }

    /// The first group as it is, the others under `all`.
    fn entries(self) -> Vec<(&'static str, Doc)> {
        let mut groups = self.groups.into_iter().map(written);
        let mut entries = groups.next().unwrap_or_default();
        let rest: Vec<Doc> = groups.map(Doc::Map).collect();
        if !rest.is_empty() {
            entries.push(("all", Doc::List(rest)));
        }
        entries
    }
}

fn conjuncts(expr: &Expr) -> &[Expr] {
    if let Node::And(operands) = expr.node() { operands } else { std::slice::from_ref(expr) }
}

/// One condition in a dialect's own words; `any` and `not` where all within them has such words.
pub(super) fn sugared(expr: &Expr) -> Option<Clause> {
    if let Some(clause) = of_expr(expr) {
        return Some(clause);
    }
    let inner = |expr: &Expr| {
        let mut groups = Groups::default();
        for part in conjuncts(expr) {
            groups.clause(sugared(part)?);
        }
        Some(Doc::Map(groups.entries()))
    };
    match expr.node() {
        Node::Or(operands) => {
            let all: Option<Vec<Doc>> = operands.iter().map(inner).collect();
            Some(Clause::Plain("any", Doc::List(all?)))
        }
        Node::Unary(mentci_expr::UnaryOp::Not, operand) => Some(Clause::Plain("not", inner(operand)?)),
        _ => None,
    }
}

/// Puts a condition at the end of a group, where it can stand there.
fn fit(group: &mut Group, clause: Clause) -> Result<(), Clause> {
    let last = group.len().checked_sub(1);
    match clause {
        Clause::Plain(key, doc) => {
            if group.iter().any(|(taken, _)| *taken == key) {
                return Err(Clause::Plain(key, doc));
            }
            group.push((key, Section::Plain(doc)));
            Ok(())
        }
        Clause::Keyed(section, key, value) => {
            let at = group.iter().position(|(taken, _)| *taken == section);
            match (at, last) {
                (None, _) => {
                    group.push((section, Section::Keyed(vec![(key, value)])));
                    Ok(())
                }
                (Some(at), Some(last)) if at == last => match &mut group[at].1 {
                    Section::Keyed(entries) => {
                        join(entries, key, value).map_err(|(key, value)| Clause::Keyed(section, key, value))
                    }
                    Section::Plain(_) => Err(Clause::Keyed(section, key, value)),
                },
                _ => Err(Clause::Keyed(section, key, value)),
            }
        }
    }
}

/// Adds a value under a key: a new key, or one more predicate of the last one.
fn join(entries: &mut Vec<(String, Value)>, key: String, value: Value) -> Result<(), (String, Value)> {
    let Some(at) = entries.iter().position(|(taken, _)| *taken == key) else {
        entries.push((key, value));
        return Ok(());
    };
    let last = at + 1 == entries.len();
    match (&mut entries[at].1, value) {
        (Value::Predicates(there), Value::Predicates(more))
            if last
                && more.iter().chain(&*there).all(|(name, _)| *name != "normalize")
                && more.iter().all(|(name, _)| there.iter().all(|(taken, _)| taken != name)) =>
        {
            there.extend(more);
            Ok(())
        }
        (_, value) => Err((key, value)),
    }
}

fn written(group: Group) -> Vec<(&'static str, Doc)> {
    let section = |section| match section {
        Section::Plain(doc) => doc,
        Section::Keyed(entries) => Doc::Data(
            entries
                .into_iter()
                .map(|(key, value)| match value {
                    Value::Bare(doc) => (key, doc),
                    Value::Predicates(predicates) => (key, Doc::Map(predicates)),
                })
                .collect(),
        ),
    };
    group.into_iter().map(|(key, entries)| (key, section(entries))).collect()
}

fn chain(chain: &Chain) -> Doc {
    let steps = Doc::List(chain.steps.iter().map(step).collect());
    if chain.steps.is_empty() {
        return Doc::Unsayable("a chain without steps");
    }
    if chain.ordered { Doc::Map(vec![("steps", steps), ("ordered", Doc::Bool(true))]) } else { steps }
}

fn step(step: &ChainStep) -> Doc {
    let tool = match &step.tools {
        ToolMatch::Any => Doc::text("*"),
        ToolMatch::OneOf(patterns) => name_patterns(patterns),
    };
    let mut fields = vec![("tool", tool), ("within_seconds", Doc::seconds(step.within_ms))];
    if step.min_count != 1 {
        fields.push(("min_count", Doc::count(step.min_count.into())));
    }
    match step.verdicts.as_slice() {
        [] => {}
        [one] => fields.push(("verdict", Doc::Word(one.name()))),
        several => {
            fields.push((
                "verdict",
                Doc::List(several.iter().map(|effect| Doc::Word(effect.name())).collect()),
            ));
        }
    }
    Doc::Map(fields)
}

fn script(script: &ScriptId) -> Doc {
    let mut fields = vec![("file", Doc::text(&script.file))];
    fields.extend(script.timeout_ms.map(|ms| ("timeout", Doc::seconds(ms))));
    fields.extend(script.memory_bytes.map(|bytes| ("memory", Doc::count(bytes))));
    Doc::Map(fields)
}

fn quota(quota: Quota) -> Doc {
    let fields = [
        ("per_turn", quota.per_turn),
        ("per_exchange", quota.per_exchange),
        ("per_session", quota.per_session),
    ];
    Doc::Map(fields.into_iter().filter_map(|(key, count)| Some((key, Doc::Int(i64::from(count?))))).collect())
}
