//! Evaluating: a program over facts.

use std::borrow::Cow;

use crate::expr::{ArithmeticOp, Comparison, Quantifier};
use crate::operate::{
    absent, arithmetic, compare, compare_each, field, index, is_list, items, keys, minus, wrong,
};
use crate::program::{Id, Op};
use crate::{
    Budget, Compiled, Days, Facts, Fault, FaultKind, Function, LocalTime, TimeRange, Type, Value, Variable,
};

/// The value of a program over facts.
///
/// # Errors
/// The first fault in order of evaluation; what `and`, `or` and `if` pass over does not fault.
///
/// ```
/// use mentci_expr::{Budget, Compiled, FaultKind, JsonFacts, evaluate, parse};
/// let facts = serde_json::json!({"context": {"turn": {"number": 5}, "result": null}});
/// let facts = JsonFacts::new(&facts);
/// let value = |text: &str| {
///     let program = Compiled::new(&parse(text).expr.unwrap());
///     evaluate(&program, &facts, &mut Budget::default()).map(|value| value.to_json())
/// };
/// assert_eq!(value("context.turn.number / 2").unwrap(), 2.5);
/// assert_eq!(value("context.result.duration_ms > 5").unwrap_err().kind, FaultKind::Absent);
/// ```
pub fn evaluate<'a>(
    program: &'a Compiled,
    facts: &'a dyn Facts,
    budget: &mut Budget,
) -> Result<Value<'a>, Fault> {
    let mut machine = Machine { program, facts, budget, locals: Vec::new() };
    machine.value(program.root())
}

/// Whether a guard holds.
///
/// # Errors
/// As [`evaluate`]; [`FaultKind::NotBoolean`] where the value is neither true nor false.
pub fn holds(program: &Compiled, facts: &dyn Facts, budget: &mut Budget) -> Result<bool, Fault> {
    match evaluate(program, facts, budget)? {
        Value::Bool(value) => Ok(value),
        other => {
            let message = format!("a guard must be true or false, this is {}", other.kind());
            Err(Fault::new(FaultKind::NotBoolean, message))
        }
    }
}

/// One evaluation. Its recursion is bounded by the depth of expressions.
pub(crate) struct Machine<'a, 'b> {
    program: &'a Compiled,
    pub(crate) facts: &'a dyn Facts,
    pub(crate) budget: &'b mut Budget,
    locals: Vec<Value<'a>>,
}

impl<'a> Machine<'a, '_> {
    pub(crate) fn value(&mut self, id: Id) -> Result<Value<'a>, Fault> {
        self.budget.spend(1)?;
        match self.program.op(id) {
            Op::Null => Ok(Value::Null),
            Op::Bool(value) => Ok(Value::Bool(*value)),
            Op::Int(number) => Ok(Value::Int(*number)),
            Op::Float(number) => Ok(Value::Float(*number)),
            Op::Text(text) => Ok(Value::Text(Cow::Borrowed(text))),
            Op::Json(json) => Ok(Value::Json(json)),
            Op::Variable(variable) => Ok(self.facts.variable(*variable)),
            Op::Named(scope, name) => Ok(self.facts.named(*scope, name).unwrap_or(Value::Null)),
            Op::ArgKey(key) => Ok(self.facts.variable(Variable::EventToolArgs).get(key)),
            Op::Compare(comparison, left, right) => self.compare(*comparison, *left, *right),
            Op::Arithmetic(operator, left, right) => {
                let (left, right) = (self.value(*left)?, self.value(*right)?);
                arithmetic(left, *operator, right, self.budget)
            }
            Op::And(operands) => self.chain(operands, false),
            Op::Or(operands) => self.chain(operands, true),
            Op::Not(operand) => Ok(Value::Bool(!self.value(*operand)?.is_truthy())),
            _ => self.rare(id),
        }
    }

    /// What stands in fewer guards, out of the way of the rest.
    #[inline(never)]
    fn rare(&mut self, id: Id) -> Result<Value<'a>, Fault> {
        match self.program.op(id) {
            Op::Local(slot) => self.local(*slot as usize),
            Op::List(items) => self.list(items),
            Op::Map(entries) => self.map(entries),
            Op::Field(inner, name) => field(self.value(*inner)?, name),
            Op::Index(inner, key) => {
                let (inner, key) = (self.value(*inner)?, self.value(*key)?);
                index(inner, &key)
            }
            Op::Minus(operand) => minus(&self.value(*operand)?),
            Op::Count(first, rest) => self.count(*first, rest),
            Op::Chain(first, rest) => self.comparisons(*first, rest),
            Op::If(condition, then, otherwise) => {
                let branch = if self.value(*condition)?.is_truthy() { then } else { otherwise };
                self.value(*branch)
            }
            Op::For { quantifier, list, body, filter } => self.walk(*quantifier, *list, *body, *filter),
            Op::Call(function, arguments) => self.call(*function, arguments),
            Op::Arg(path) => path.find(self.facts.variable(Variable::EventToolArgs), self.budget),
            Op::JsonPath(query) => query.find(&self.facts.variable(Variable::EventToolArgs), self.budget),
            Op::TimeOfDay(range, zone) => self.time(zone.as_deref(), |time| TimeRange::holds(*range, time)),
            Op::DayOfWeek(days, zone) => self.time(zone.as_deref(), |time| Days::holds(*days, time)),
            Op::Found(value, pattern) => {
                let value = self.value(*value)?;
                self.holds_of(&value, &|text| pattern.is_found(text)).map(Value::Bool)
            }
            Op::Fault(kind, message) => Err(Fault::new(*kind, &**message)),
            // OK because `value` takes all others.
            _ => Ok(Value::Null),
        }
    }

    #[inline]
    fn compare(&mut self, comparison: Comparison, left: Id, right: Id) -> Result<Value<'a>, Fault> {
        let (own, other) = (self.value(left)?, self.value(right)?);
        self.compared((left, &own), comparison, (right, &other)).map(Value::Bool)
    }

    /// Compares two values, each with what gave it. An argument that is a list is asked value by value: who calls a tool
    /// chooses what an argument is, and a list of one text goes by no rule about that text.
    #[inline]
    fn compared(
        &mut self,
        left: (Id, &Value<'a>),
        comparison: Comparison,
        right: (Id, &Value<'a>),
    ) -> Result<bool, Fault> {
        if is_list(left.1) && self.is_argument(left.0) {
            return compare_each(left.1, comparison, right.1, self.budget);
        }
        let is_symmetric = matches!(comparison, Comparison::Equal | Comparison::NotEqual);
        if is_symmetric && is_list(right.1) && self.is_argument(right.0) {
            return compare_each(right.1, comparison, left.1, self.budget);
        }
        compare(left.1, comparison, right.1, self.budget)
    }

    /// Whether an operation gives what stands in the arguments.
    fn is_argument(&self, id: Id) -> bool {
        match self.program.op(id) {
            Op::ArgKey(_) | Op::Arg(_) | Op::JsonPath(_) | Op::Call(Function::Arg, _) => true,
            Op::Variable(variable) => *variable == Variable::EventToolArgs,
            Op::Field(inner, _) | Op::Index(inner, _) => self.is_argument(*inner),
            Op::Call(Function::Normalize, arguments) => {
                arguments.first().is_some_and(|inner| self.is_argument(*inner))
            }
            _ => false,
        }
    }

    /// `a + b - c`, from the left.
    fn count(&mut self, first: Id, rest: &[(ArithmeticOp, Id)]) -> Result<Value<'a>, Fault> {
        let mut left = self.value(first)?;
        for (operator, right) in rest {
            self.budget.spend(1)?;
            let right = self.value(*right)?;
            left = arithmetic(left, *operator, right, self.budget)?;
        }
        Ok(left)
    }

    /// `a < b < c`: each operand is evaluated once, and none after the first comparison that fails.
    fn comparisons(&mut self, first: Id, rest: &[(Comparison, Id)]) -> Result<Value<'a>, Fault> {
        let (mut left, mut value) = (first, self.value(first)?);
        for (comparison, right) in rest {
            let other = self.value(*right)?;
            if !self.compared((left, &value), *comparison, (*right, &other))? {
                return Ok(Value::Bool(false));
            }
            (left, value) = (*right, other);
        }
        Ok(Value::Bool(true))
    }

    /// The first operand whose truth is `decides`, or the last one.
    #[inline]
    fn chain(&mut self, operands: &[Id], decides: bool) -> Result<Value<'a>, Fault> {
        let mut last = Value::Bool(!decides);
        for operand in operands {
            last = self.value(*operand)?;
            if last.is_truthy() == decides {
                break;
            }
        }
        Ok(last)
    }

    /// A local's value; copying what an expression made is work.
    fn local(&mut self, slot: usize) -> Result<Value<'a>, Fault> {
        let value = self.locals.get(slot).cloned().unwrap_or(Value::Null);
        self.budget.spend(weight(&value))?;
        Ok(value)
    }

    fn list(&mut self, items: &[Id]) -> Result<Value<'a>, Fault> {
        self.budget.gather(items.len())?;
        items.iter().map(|item| self.value(*item)).collect::<Result<_, _>>().map(Value::List)
    }

    fn map(&mut self, entries: &'a [(Box<str>, Id)]) -> Result<Value<'a>, Fault> {
        let entries = entries.iter().map(|(key, value)| Ok((Cow::Borrowed(&**key), self.value(*value)?)));
        entries.collect::<Result<_, _>>().map(Value::Map)
    }

    fn walk(
        &mut self,
        quantifier: Quantifier,
        list: Id,
        body: Id,
        filter: Option<Id>,
    ) -> Result<Value<'a>, Fault> {
        let list = self.value(list)?;
        let mut gathered = Vec::new();
        for item in walked(&list)? {
            self.budget.spend(1)?;
            self.locals.push(item);
            let value = self.body(body, filter);
            self.locals.pop();
            match (quantifier, value?) {
                (Quantifier::Any, Some(value)) if value.is_truthy() => return Ok(Value::Bool(true)),
                (Quantifier::All, Some(value)) if !value.is_truthy() => return Ok(Value::Bool(false)),
                (Quantifier::Each, Some(value)) => {
                    if gathered.len() >= self.budget.max_items {
                        self.budget.gather(gathered.len() + 1)?;
                    }
                    gathered.push(value);
                }
                _ => {}
            }
        }
        Ok(match quantifier {
            Quantifier::Any => Value::Bool(false),
            Quantifier::All => Value::Bool(true),
            Quantifier::Each => Value::List(gathered),
        })
    }

    /// The body for the item at hand; none where the filter leaves it out.
    fn body(&mut self, body: Id, filter: Option<Id>) -> Result<Option<Value<'a>>, Fault> {
        if let Some(filter) = filter
            && !self.value(filter)?.is_truthy()
        {
            return Ok(None);
        }
        self.value(body).map(Some)
    }

    fn time(&self, zone: Option<&str>, holds: impl Fn(LocalTime) -> bool) -> Result<Value<'a>, Fault> {
        match self.facts.local_time(zone) {
            Some(time) => Ok(Value::Bool(holds(time))),
            None => Err(Fault::new(FaultKind::Unanswered, "the event's time in this zone is not known")),
        }
    }
}

/// What a comprehension walks: the items of a list, the keys of a map.
pub(crate) fn walked<'a>(value: &Value<'a>) -> Result<Vec<Value<'a>>, Fault> {
    match value.kind() {
        Type::List => Ok(items(value).collect()),
        Type::Map => Ok(match value {
            Value::Json(serde_json::Value::Object(map)) => {
                map.keys().map(|key| Value::from(key.as_str())).collect()
            }
            _ => keys(value).map(|key| Value::from(key.to_owned())).collect(),
        }),
        Type::Null => Err(absent("walked")),
        other => Err(wrong(&format!("{other} cannot be walked"))),
    }
}

/// How much copying a value costs.
fn weight(value: &Value<'_>) -> u64 {
    match value {
        Value::Text(Cow::Owned(text)) => text.len() as u64 / 64,
        Value::List(items) => items.iter().map(|item| 1 + weight(item)).sum(),
        Value::Map(entries) => {
            entries.iter().map(|(key, value)| 1 + key.len() as u64 / 64 + weight(value)).sum()
        }
        _ => 0,
    }
}
