//! Compiled expressions: a flat program.

use serde_json::Value as Json;

use crate::expr::{ArithmeticOp, Broken, Comparison, Node, Quantifier, UnaryOp};
use crate::path::{ArgPath, JsonQuery};
use crate::pattern::Pattern;
use crate::variable::{Resolved, resolve};
use crate::{Days, Expr, FaultKind, Function, Named, TimeRange, Variable};

/// Where an operation stands in its program.
pub(crate) type Id = u32;

/// A flat program: names resolved, paths and schedules read; patterns are compiled when they are first used, so that
/// opening a thousand rules compiles none. Cheap to share, not to clone.
///
/// ```
/// use mentci_expr::{Budget, Compiled, JsonFacts, holds, parse};
/// let guard = Compiled::new(&parse("turn_index % 5 == 0").expr.unwrap());
/// let facts = serde_json::json!({"turn_index": 10});
/// assert_eq!(holds(&guard, &JsonFacts::new(&facts), &mut Budget::default()), Ok(true));
/// ```
#[derive(Debug)]
pub struct Compiled {
    ops: Vec<Op>,
    root: Id,
}

/// One operation; its operands stand before it.
#[derive(Debug)]
pub(crate) enum Op {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(Box<str>),
    /// A list or a map of literals.
    Json(Box<Json>),
    Variable(Variable),
    Named(Named, Box<str>),
    /// The variable of the comprehension at this depth.
    Local(u16),
    List(Box<[Id]>),
    Map(Box<[(Box<str>, Id)]>),
    Field(Id, Box<str>),
    Index(Id, Id),
    Not(Id),
    Minus(Id),
    Arithmetic(ArithmeticOp, Id, Id),
    /// From the left: the first operand, then each operator with its right side.
    Count(Id, Box<[(ArithmeticOp, Id)]>),
    Compare(Comparison, Id, Id),
    Chain(Id, Box<[(Comparison, Id)]>),
    And(Box<[Id]>),
    Or(Box<[Id]>),
    If(Id, Id, Id),
    For {
        quantifier: Quantifier,
        list: Id,
        body: Id,
        filter: Option<Id>,
    },
    Call(Function, Box<[Id]>),
    /// A path that was read already.
    Arg(Box<ArgPath>),
    /// A single key of the arguments.
    ArgKey(Box<str>),
    JsonPath(Box<JsonQuery>),
    TimeOfDay(TimeRange, Option<Box<str>>),
    DayOfWeek(Days, Option<Box<str>>),
    Found(Id, Box<Pattern>),
    Fault(FaultKind, Box<str>),
}

impl Compiled {
    /// Compiles. What does not pass [`check`](crate::check()) compiles to a fault.
    pub fn new(expr: &Expr) -> Self {
        let mut compiler = Compiler { ops: Vec::new(), locals: Vec::new() };
        let root = compiler.expr(expr);
        Self { ops: compiler.ops, root }
    }

    /// Whether it asks for a variable.
    pub fn reads(&self, variable: Variable) -> bool {
        self.ops.iter().any(|op| matches!(op, Op::Variable(read) if *read == variable))
    }

    pub(crate) fn root(&self) -> Id {
        self.root
    }

    #[inline]
    pub(crate) fn op(&self, id: Id) -> &Op {
        &self.ops[id as usize]
    }
}

struct Compiler<'e> {
    ops: Vec<Op>,
    locals: Vec<&'e str>,
}

impl<'e> Compiler<'e> {
    fn push(&mut self, op: Op) -> Id {
        self.ops.push(op);
        // OK because an expression of 64 KiB has fewer nodes, and no larger one fits memory.
        Id::try_from(self.ops.len() - 1).unwrap_or(Id::MAX)
    }

    fn expr(&mut self, expr: &'e Expr) -> Id {
        let op = self.op(expr);
        self.push(op)
    }

    fn all(&mut self, exprs: &'e [Expr]) -> Box<[Id]> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    fn op(&mut self, expr: &'e Expr) -> Op {
        match expr.node() {
            Node::Null => Op::Null,
            Node::Bool(value) => Op::Bool(*value),
            Node::Int(number) => Op::Int(*number),
            Node::Float(number) => Op::Float(*number),
            Node::Text(text) => Op::Text(text.as_str().into()),
            Node::List(_) | Node::Map(_) if literal(expr).is_some() => {
                Op::Json(Box::new(literal(expr).unwrap_or_default()))
            }
            Node::List(items) => Op::List(self.all(items)),
            Node::Map(entries) => {
                Op::Map(entries.iter().map(|(key, value)| (key.as_str().into(), self.expr(value))).collect())
            }
            Node::Name(_) | Node::Field(..) => self.path(expr),
            Node::Index(inner, key) => Op::Index(self.expr(inner), self.expr(key)),
            Node::Call(function, arguments) => self.call(*function, arguments),
            Node::Unary(UnaryOp::Not, operand) => Op::Not(self.expr(operand)),
            Node::Unary(UnaryOp::Minus, operand) => Op::Minus(self.expr(operand)),
            Node::Arithmetic(first, rest) => self.arithmetic(first, rest),
            Node::Compare(first, rest) => self.compare(first, rest),
            Node::And(operands) => Op::And(self.all(operands)),
            Node::Or(operands) => Op::Or(self.all(operands)),
            Node::If { condition, then, otherwise } => {
                Op::If(self.expr(condition), self.expr(then), self.expr(otherwise))
            }
            Node::For { quantifier, body, variable, list, filter } => {
                let list = self.expr(list);
                self.locals.push(variable);
                let filter = filter.as_ref().map(|filter| self.expr(filter));
                let body = self.expr(body);
                self.locals.pop();
                Op::For { quantifier: *quantifier, list, body, filter }
            }
            Node::Broken(broken) => {
                fault(kind_of(*broken), &format!("the expression holds what is {broken}"))
            }
        }
    }

    fn arithmetic(&mut self, first: &'e Expr, rest: &'e [(ArithmeticOp, Expr)]) -> Op {
        let first = self.expr(first);
        match rest {
            [(operator, right)] => Op::Arithmetic(*operator, first, self.expr(right)),
            _ => {
                Op::Count(first, rest.iter().map(|(operator, right)| (*operator, self.expr(right))).collect())
            }
        }
    }

    fn compare(&mut self, first: &'e Expr, rest: &'e [(Comparison, Expr)]) -> Op {
        let first = self.expr(first);
        match rest {
            [(comparison, right)] => Op::Compare(*comparison, first, self.expr(right)),
            _ => Op::Chain(
                first,
                rest.iter().map(|(comparison, right)| (*comparison, self.expr(right))).collect(),
            ),
        }
    }

    fn path(&mut self, expr: &'e Expr) -> Op {
        let Some(path) = expr.as_path() else {
            return match expr.node() {
                Node::Field(inner, field) => Op::Field(self.expr(inner), field.as_str().into()),
                // OK because a name is always a path.
                _ => Op::Null,
            };
        };
        if let Some(slot) = self.locals.iter().rposition(|local| *local == path[0]) {
            return self.fields(Op::Local(u16::try_from(slot).unwrap_or(u16::MAX)), &path[1..]);
        }
        match resolve(&path) {
            Resolved::Variable { variable: Variable::State, used } if used < path.len() => {
                self.fields(Op::Named(Named::State, path[used].into()), &path[used + 1..])
            }
            Resolved::Variable { variable, used } => self.fields(Op::Variable(variable), &path[used..]),
            Resolved::Named { scope, used } => {
                self.fields(Op::Named(scope, path[used - 1].into()), &path[used..])
            }
            Resolved::NoField { at, .. } => {
                fault(FaultKind::Name, &format!("`{}` has no field `{}`", path[..at].join("."), path[at]))
            }
            Resolved::Group { .. } => {
                fault(FaultKind::Name, &format!("`{}` is a group of names and no value", path.join(".")))
            }
        }
    }

    fn fields(&mut self, root: Op, fields: &[&str]) -> Op {
        fields.iter().fold(root, |inner, field| Op::Field(self.push(inner), (*field).into()))
    }

    fn call(&mut self, function: Function, arguments: &'e [Expr]) -> Op {
        let (least, most) = function.arity();
        if !(least..=most).contains(&arguments.len()) {
            return fault(
                FaultKind::Type,
                &format!("`{}` has too few or too many arguments", function.name()),
            );
        }
        let literal = |at: usize| arguments.get(at).and_then(Expr::as_text);
        let op =
            match function {
                Function::Sender => return Op::Variable(Variable::Sender),
                Function::Arg => literal(0).map(|text| ArgPath::parse(text).map(arg)),
                Function::JsonPath => {
                    literal(0).map(|text| JsonQuery::parse(text).map(Box::new).map(Op::JsonPath))
                }
                Function::TimeOfDay => literal(0)
                    .map(|text| TimeRange::parse(text).map(|range| Op::TimeOfDay(range, zone(literal(1))))),
                Function::DayOfWeek => {
                    literal(0).map(|text| Days::parse(text).map(|days| Op::DayOfWeek(days, zone(literal(1)))))
                }
                Function::Matches => literal(1)
                    .map(|text| Ok(Op::Found(self.expr(&arguments[0]), Box::new(Pattern::regex(text))))),
                Function::Glob => literal(1)
                    .map(|text| Ok(Op::Found(self.expr(&arguments[0]), Box::new(Pattern::glob(text))))),
                Function::Session | Function::Fact | Function::StateGet if arguments.len() == 1 => {
                    literal(0).map(|key| Ok(Op::Named(scope_of(function), key.into())))
                }
                _ => None,
            };
        match op {
            Some(Ok(op)) => op,
            Some(Err(message)) => fault(FaultKind::Pattern, &message),
            None if needs_literal(function) => {
                fault(FaultKind::Pattern, &format!("`{}` takes a literal string", function.name()))
            }
            None => Op::Call(function, self.all(arguments)),
        }
    }
}

/// The scope that a function reads by key.
pub(crate) fn scope_of(function: Function) -> Named {
    match function {
        Function::Session => Named::Session,
        Function::Fact => Named::Fact,
        _ => Named::State,
    }
}

fn needs_literal(function: Function) -> bool {
    use Function as F;
    matches!(function, F::JsonPath | F::TimeOfDay | F::DayOfWeek | F::Matches | F::Glob)
}

fn arg(path: ArgPath) -> Op {
    match path.as_key() {
        Some(key) => Op::ArgKey(key.into()),
        None => Op::Arg(Box::new(path)),
    }
}

fn zone(literal: Option<&str>) -> Option<Box<str>> {
    literal.map(Into::into)
}

fn fault(kind: FaultKind, message: &str) -> Op {
    Op::Fault(kind, message.into())
}

fn kind_of(broken: Broken) -> FaultKind {
    if broken == Broken::TooDeep { FaultKind::Budget } else { FaultKind::Name }
}

/// The JSON of what consists of literals only.
fn literal(expr: &Expr) -> Option<Json> {
    Some(match expr.node() {
        Node::Null => Json::Null,
        Node::Bool(value) => Json::Bool(*value),
        Node::Int(number) => Json::from(*number),
        Node::Float(number) => Json::from(*number),
        Node::Text(text) => Json::String(text.clone()),
        Node::List(items) => Json::Array(items.iter().map(literal).collect::<Option<_>>()?),
        Node::Map(entries) => {
            let entries = entries.iter().map(|(key, value)| Some((key.clone(), literal(value)?)));
            Json::Object(entries.collect::<Option<_>>()?)
        }
        _ => return None,
    })
}
