//! Functions: what the crate answers by itself, and what it asks the world.

use std::borrow::Cow;

use crate::evaluate::{Machine, walked};
use crate::expr::ArithmeticOp;
use crate::operate::{absent, arithmetic, characters, count, items, mixed, order, overflow, wrong};
use crate::path::ArgPath;
use crate::program::{Id, scope_of};
use crate::text::{normalize, text_of};
use crate::{Fault, FaultKind, Function, Parameter, Type, Value, Variable};

impl<'a> Machine<'a, '_> {
    /// Calls a function whose arguments have been counted.
    pub(crate) fn call(&mut self, function: Function, arguments: &[Id]) -> Result<Value<'a>, Fault> {
        if function.asks_the_world() {
            return self.ask(function, arguments);
        }
        let first = match arguments.first() {
            Some(first) => self.value(*first)?,
            None => Value::Null,
        };
        let rest = arguments.get(1..).unwrap_or_default();
        match function {
            Function::Contains | Function::StartsWith | Function::EndsWith => {
                self.text_holds(function, &first, rest[0])
            }
            Function::Lower | Function::Upper | Function::Trim | Function::Normalize => {
                self.reform(function, first)
            }
            Function::Exists => Ok(Value::Bool(!first.is_null())),
            Function::Bool => Ok(Value::Bool(first.is_truthy())),
            // A text is its own, however long it is.
            Function::Str if matches!(first, Value::Text(_)) => Ok(first),
            Function::Str => Ok(Value::Text(text_of(first, self.budget)?.unwrap_or(Cow::Borrowed("null")))),
            Function::Int => int(first),
            Function::Float => float(first),
            Function::Len => self.len(&first),
            Function::Abs => abs(&first),
            Function::Round => self.round(&first, rest),
            Function::Sum => self.sum(&first),
            Function::Min | Function::Max => self.extreme(function, first, rest),
            Function::Sorted => self.sorted(&first),
            Function::Any | Function::All => self.truths(function, &first),
            Function::Arg => self.arg(&first),
            Function::RecentTools => self.recent_tools(&first),
            Function::Session | Function::Fact | Function::StateGet | Function::StateHas => {
                self.kept(function, &first, rest)
            }
            _ => Err(Fault::new(FaultKind::Pattern, format!("`{}` takes a literal string", function.name()))),
        }
    }

    fn ask(&mut self, function: Function, arguments: &[Id]) -> Result<Value<'a>, Fault> {
        let mut values = Vec::with_capacity(arguments.len());
        for (at, argument) in arguments.iter().enumerate() {
            let value = self.value(*argument)?;
            let sound = match function.parameter(at) {
                Some(Parameter::Int) => matches!(value, Value::Int(_)),
                Some(Parameter::Number) => matches!(value, Value::Int(_) | Value::Float(_)),
                _ => matches!(value, Value::Text(_)),
            };
            if !sound {
                return Err(argument_fault(function, &value));
            }
            values.push(value);
        }
        self.facts.call(function, &values)
    }

    fn text_holds(&mut self, function: Function, value: &Value<'a>, needle: Id) -> Result<Value<'a>, Fault> {
        let needle = self.value(needle)?;
        let Value::Text(needle) = &needle else { return Err(argument_fault(function, &needle)) };
        let holds = self.holds_of(value, &|text| {
            Ok(match function {
                Function::Contains => memchr::memmem::find(text.as_bytes(), needle.as_bytes()).is_some(),
                Function::StartsWith => text.starts_with(&**needle),
                _ => text.ends_with(&**needle),
            })
        })?;
        Ok(Value::Bool(holds))
    }

    /// Whether a test holds of a value's text. One that fails of a list's text is asked of its items too: what holds of some
    /// and not of others is neither true nor false of the list, so a gate closes and a permission is not given.
    pub(crate) fn holds_of(
        &mut self,
        value: &Value<'a>,
        is_so: &dyn Fn(&str) -> Result<bool, Fault>,
    ) -> Result<bool, Fault> {
        let Some(text) = text_of(value.clone(), self.budget)? else { return Ok(false) };
        if is_so(&text)? {
            return Ok(true);
        }
        let (mut some, mut all) = (false, true);
        for item in items(value) {
            let holds = self.holds_of(&item, is_so)?;
            (some, all) = (some || holds, all && holds);
        }
        if some && !all {
            return Err(mixed());
        }
        Ok(some)
    }

    /// The value's text in another form; null of null.
    fn reform(&mut self, function: Function, value: Value<'a>) -> Result<Value<'a>, Fault> {
        // Each item has a normal form of its own.
        if function == Function::Normalize && value.kind() == Type::List {
            let items: Vec<_> = items(&value).collect();
            let reformed = items.into_iter().map(|item| self.reform_text(function, item));
            return reformed.collect::<Result<_, _>>().map(Value::List);
        }
        self.reform_text(function, value)
    }

    fn reform_text(&mut self, function: Function, value: Value<'a>) -> Result<Value<'a>, Fault> {
        let Some(text) = text_of(value, self.budget)? else { return Ok(Value::Null) };
        self.budget.write(text.len())?;
        // Forms are made character by character: they cost more than a look.
        self.budget.spend(text.len() as u64 / 8)?;
        Ok(match function {
            Function::Lower => Value::from(text.to_lowercase()),
            Function::Upper => Value::from(text.to_uppercase()),
            Function::Normalize => Value::from(normalize(&text)),
            _ => match text {
                Cow::Borrowed(text) => Value::from(text.trim()),
                Cow::Owned(text) => Value::from(text.trim().to_owned()),
            },
        })
    }

    fn len(&mut self, value: &Value<'a>) -> Result<Value<'a>, Fault> {
        let len = match value {
            Value::Text(text) => {
                self.budget.read(text.len())?;
                characters(text)
            }
            Value::Null => return Err(absent("counted")),
            other if matches!(other.kind(), Type::List | Type::Map) => count(other),
            other => return Err(wrong(&format!("{} has no length", other.kind()))),
        };
        i64::try_from(len).map(Value::Int).map_err(|_| overflow())
    }

    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        reason = "checked against the bounds"
    )]
    fn round(&mut self, value: &Value<'a>, digits: &[Id]) -> Result<Value<'a>, Fault> {
        let Some(digits) = digits.first() else {
            return match value {
                Value::Int(number) => Ok(Value::Int(*number)),
                Value::Float(number) => whole(number.round_ties_even()),
                other => Err(not_number(other)),
            };
        };
        let digits = self.value(*digits)?;
        let Value::Int(digits) = digits else { return Err(argument_fault(Function::Round, &digits)) };
        let digits = digits.clamp(-30, 30) as i32;
        match value {
            Value::Int(number) if digits >= 0 => Ok(Value::Int(*number)),
            Value::Int(number) => {
                let unit = 10f64.powi(-digits);
                whole((*number as f64 / unit).round_ties_even() * unit)
            }
            Value::Float(number) if digits >= 0 => {
                let places = usize::try_from(digits).unwrap_or(0);
                format!("{number:.places$}").parse().map(Value::Float).map_err(|_| overflow())
            }
            Value::Float(number) => {
                let unit = 10f64.powi(-digits);
                Ok(Value::Float((number / unit).round_ties_even() * unit))
            }
            other => Err(not_number(other)),
        }
    }

    fn sum(&mut self, list: &Value<'a>) -> Result<Value<'a>, Fault> {
        let mut sum = Value::Int(0);
        for item in walked(list)? {
            self.budget.spend(1)?;
            if !matches!(item, Value::Int(_) | Value::Float(_)) {
                return Err(not_number(&item));
            }
            sum = arithmetic(sum, ArithmeticOp::Add, item, self.budget)?;
        }
        Ok(sum)
    }

    fn extreme(&mut self, function: Function, first: Value<'a>, rest: &[Id]) -> Result<Value<'a>, Fault> {
        let values = if rest.is_empty() {
            walked(&first)?
        } else {
            let mut values = vec![first];
            for id in rest {
                values.push(self.value(*id)?);
            }
            values
        };
        let mut values = values.into_iter();
        let Some(mut best) = values.next() else { return Err(absent("found in an empty list")) };
        // One alone is compared with itself, so that its type is looked at.
        order(&best, &best, self.budget)?;
        for value in values {
            self.budget.spend(1)?;
            let ordering = order(&value, &best, self.budget)?;
            if if function == Function::Min { ordering.is_lt() } else { ordering.is_gt() } {
                best = value;
            }
        }
        Ok(best)
    }

    fn sorted(&mut self, list: &Value<'a>) -> Result<Value<'a>, Fault> {
        let mut values = walked(list)?;
        self.budget.gather(values.len())?;
        let mut fault = None;
        values.sort_by(|left, right| {
            if fault.is_some() {
                return std::cmp::Ordering::Equal;
            }
            let ordering = self.budget.spend(1).and_then(|()| order(left, right, self.budget));
            ordering.unwrap_or_else(|found| {
                fault = Some(found);
                std::cmp::Ordering::Equal
            })
        });
        fault.map_or(Ok(Value::List(values)), Err)
    }

    fn truths(&mut self, function: Function, list: &Value<'a>) -> Result<Value<'a>, Fault> {
        let values = walked(list)?;
        self.budget.spend(values.len() as u64)?;
        Ok(Value::Bool(match function {
            Function::Any => values.iter().any(Value::is_truthy),
            _ => values.iter().all(Value::is_truthy),
        }))
    }

    fn arg(&mut self, path: &Value<'a>) -> Result<Value<'a>, Fault> {
        let Value::Text(path) = path else { return Err(argument_fault(Function::Arg, path)) };
        self.budget.read(path.len())?;
        let path = ArgPath::parse(path).map_err(|message| Fault::new(FaultKind::Pattern, message))?;
        path.find(self.facts.variable(Variable::EventToolArgs), self.budget)
    }

    fn recent_tools(&mut self, last: &Value<'a>) -> Result<Value<'a>, Fault> {
        let Value::Int(last) = last else { return Err(argument_fault(Function::RecentTools, last)) };
        let tools = self.facts.variable(Variable::HistoryTools);
        if tools.is_null() {
            return Ok(Value::List(Vec::new()));
        }
        let mut tools = walked(&tools)?;
        self.budget.gather(tools.len())?;
        let last = usize::try_from(*last).unwrap_or(0);
        Ok(Value::List(tools.split_off(tools.len().saturating_sub(last))))
    }

    fn kept(&mut self, function: Function, key: &Value<'a>, default: &[Id]) -> Result<Value<'a>, Fault> {
        let Value::Text(key) = key else { return Err(argument_fault(function, key)) };
        let found = self.facts.named(scope_of(function), key);
        match (function, found, default.first()) {
            (Function::StateHas, found, _) => Ok(Value::Bool(found.is_some())),
            (_, Some(value), _) => Ok(value),
            (_, None, Some(default)) => self.value(*default),
            (_, None, None) => Ok(Value::Null),
        }
    }
}

fn argument_fault(function: Function, value: &Value<'_>) -> Fault {
    if value.is_null() {
        return absent(&format!("given to `{}`", function.name()));
    }
    wrong(&format!("`{}` does not take {}", function.name(), value.kind()))
}

fn not_number(value: &Value<'_>) -> Fault {
    if value.is_null() { absent("counted with") } else { wrong(&format!("{} is not a number", value.kind())) }
}

#[expect(clippy::cast_possible_truncation, reason = "checked against the bounds")]
fn whole<'a>(number: f64) -> Result<Value<'a>, Fault> {
    const BOUND: f64 = 9_223_372_036_854_775_808.0;
    if (-BOUND..BOUND).contains(&number) { Ok(Value::Int(number as i64)) } else { Err(overflow()) }
}

fn int(value: Value<'_>) -> Result<Value<'_>, Fault> {
    match value {
        Value::Int(number) => Ok(Value::Int(number)),
        Value::Float(number) => whole(number.trunc()),
        Value::Bool(value) => Ok(Value::Int(i64::from(value))),
        Value::Text(text) => {
            text.trim().parse().map(Value::Int).map_err(|_| wrong("a string does not read as a whole number"))
        }
        other => Err(not_number(&other)),
    }
}

fn float(value: Value<'_>) -> Result<Value<'_>, Fault> {
    match value {
        Value::Text(text) => {
            let number = text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
            number.map(Value::Float).ok_or_else(|| wrong("a string does not read as a number"))
        }
        Value::Bool(value) => Ok(Value::Float(f64::from(u8::from(value)))),
        other => other.as_float().map(Value::Float).ok_or_else(|| not_number(&other)),
    }
}

fn abs<'a>(value: &Value<'_>) -> Result<Value<'a>, Fault> {
    match value {
        Value::Int(number) => number.checked_abs().map(Value::Int).ok_or_else(overflow),
        Value::Float(number) => Ok(Value::Float(number.abs())),
        other => Err(not_number(other)),
    }
}
