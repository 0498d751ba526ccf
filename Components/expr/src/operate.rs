//! Operators on values.

use std::cmp::Ordering;

use serde_json::Value as Json;

use crate::expr::{ArithmeticOp, Comparison};
use crate::text::too_nested;
use crate::{Budget, Fault, FaultKind, Type, Value};

/// Whether a comparison holds.
pub(crate) fn compare(
    left: &Value<'_>,
    comparison: Comparison,
    right: &Value<'_>,
    budget: &mut Budget,
) -> Result<bool, Fault> {
    match comparison {
        Comparison::Equal => equal(left, right, budget, 0),
        Comparison::NotEqual => Ok(!equal(left, right, budget, 0)?),
        Comparison::Less => Ok(order(left, right, budget)?.is_lt()),
        Comparison::LessOrEqual => Ok(order(left, right, budget)?.is_le()),
        Comparison::Greater => Ok(order(left, right, budget)?.is_gt()),
        Comparison::GreaterOrEqual => Ok(order(left, right, budget)?.is_ge()),
        Comparison::In => is_in(left, right, budget),
        Comparison::NotIn => Ok(!is_in(left, right, budget)?),
        Comparison::Is => same(left, right),
        Comparison::IsNot => Ok(!same(left, right)?),
    }
}

/// Whether a comparison holds of an argument, on its left, that may be a list where one value was thought of: what does not
/// hold of the list is asked of its values, as text functions ask. What holds of some and not of others is a fault.
pub(crate) fn compare_each(
    left: &Value<'_>,
    comparison: Comparison,
    right: &Value<'_>,
    budget: &mut Budget,
) -> Result<bool, Fault> {
    match comparison {
        Comparison::NotEqual => Ok(!compare_each(left, Comparison::Equal, right, budget)?),
        Comparison::NotIn => Ok(!compare_each(left, Comparison::In, right, budget)?),
        Comparison::IsNot => Ok(!compare_each(left, Comparison::Is, right, budget)?),
        _ if !is_list(left) || right.is_null() => compare(left, comparison, right, budget),
        _ => {
            let orders = !matches!(comparison, Comparison::Equal | Comparison::In | Comparison::Is);
            if !orders && compare(left, comparison, right, budget)? {
                return Ok(true);
            }
            if orders && count(left) == 0 {
                return compare(left, comparison, right, budget);
            }
            of_values(left, budget, &mut |value, budget| compare_each(value, comparison, right, budget))
        }
    }
}

/// Whether a test holds of all values of a list, or of none. A fault of one is that of the list, unless another one fits.
fn of_values(
    list: &Value<'_>,
    budget: &mut Budget,
    is_so: &mut dyn FnMut(&Value<'_>, &mut Budget) -> Result<bool, Fault>,
) -> Result<bool, Fault> {
    let (mut some, mut all, mut fault) = (false, true, None);
    for value in items(list) {
        budget.spend(1)?;
        match is_so(&value, budget) {
            Ok(holds) => (some, all) = (some || holds, all && holds),
            Err(mixed @ Fault { kind: FaultKind::Mixed | FaultKind::Budget, .. }) => return Err(mixed),
            Err(found) => fault = Some(found),
        }
    }
    match fault {
        Some(fault) if !some => Err(fault),
        Some(_) => Err(mixed()),
        None if some && !all => Err(mixed()),
        None => Ok(some),
    }
}

/// `is`: with null, true or false.
fn same(left: &Value<'_>, right: &Value<'_>) -> Result<bool, Fault> {
    match (left, right) {
        (left, Value::Null) => Ok(left.is_null()),
        (Value::Bool(left), Value::Bool(right)) => Ok(left == right),
        (_, Value::Bool(_)) => Ok(false),
        (_, right) => {
            Err(wrong(&format!("`is` compares with null, true and false, not with {}", right.kind())))
        }
    }
}

/// Equality: false across types, but a whole number equals a float of the same value.
pub(crate) fn equal(
    left: &Value<'_>,
    right: &Value<'_>,
    budget: &mut Budget,
    depth: usize,
) -> Result<bool, Fault> {
    match (left, right) {
        (Value::Null, Value::Null) => Ok(true),
        (Value::Bool(left), Value::Bool(right)) => Ok(left == right),
        (Value::Int(left), Value::Int(right)) => Ok(left == right),
        (Value::Int(_) | Value::Float(_), Value::Int(_) | Value::Float(_)) => {
            Ok(numbers(left, right) == Some(Ordering::Equal))
        }
        (Value::Text(left), Value::Text(right)) => {
            if left.len() != right.len() {
                return Ok(false);
            }
            budget.read(left.len())?;
            Ok(left == right)
        }
        _ => {
            too_nested(depth)?;
            budget.spend(1)?;
            match (left.kind(), right.kind()) {
                (Type::List, Type::List) => lists(left, right, budget, depth),
                (Type::Map, Type::Map) => maps(left, right, budget, depth),
                _ => Ok(false),
            }
        }
    }
}

fn lists(left: &Value<'_>, right: &Value<'_>, budget: &mut Budget, depth: usize) -> Result<bool, Fault> {
    if count(left) != count(right) {
        return Ok(false);
    }
    for (left, right) in items(left).zip(items(right)) {
        if !equal(&left, &right, budget, depth + 1)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn maps(left: &Value<'_>, right: &Value<'_>, budget: &mut Budget, depth: usize) -> Result<bool, Fault> {
    if count(left) != count(right) {
        return Ok(false);
    }
    for key in keys(left) {
        budget.read(key.len())?;
        let there = has_key(right, key);
        if !there || !equal(&left.get(key), &right.get(key), budget, depth + 1)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Items of a list or entries of a map.
pub(crate) fn count(value: &Value<'_>) -> usize {
    match value {
        Value::Json(Json::Array(items)) => items.len(),
        Value::Json(Json::Object(map)) => map.len(),
        Value::List(items) => items.len(),
        Value::Map(entries) => entries.len(),
        _ => 0,
    }
}

/// The items of a list; none of what is no list.
pub(crate) fn items<'v, 'a>(value: &'v Value<'a>) -> Box<dyn Iterator<Item = Value<'a>> + 'v> {
    match value {
        Value::Json(Json::Array(items)) => Box::new(items.iter().map(Value::from)),
        Value::List(items) => Box::new(items.iter().cloned()),
        _ => Box::new(std::iter::empty()),
    }
}

/// The keys of a map, in their order; none of what is no map.
pub(crate) fn keys<'v>(value: &'v Value<'_>) -> Box<dyn Iterator<Item = &'v str> + 'v> {
    match value {
        Value::Json(Json::Object(map)) => Box::new(map.keys().map(String::as_str)),
        Value::Map(entries) => Box::new(entries.iter().map(|(key, _)| &**key)),
        _ => Box::new(std::iter::empty()),
    }
}

fn has_key(value: &Value<'_>, key: &str) -> bool {
    match value {
        Value::Json(json) => json.get(key).is_some(),
        Value::Map(entries) => entries.iter().any(|(own, _)| own == key),
        _ => false,
    }
}

/// Order: of two numbers, or of two strings by their characters.
///
/// # Errors
/// [`FaultKind::Absent`] where one is null, [`FaultKind::Type`] for any other types.
pub(crate) fn order(left: &Value<'_>, right: &Value<'_>, budget: &mut Budget) -> Result<Ordering, Fault> {
    if let (Value::Text(left), Value::Text(right)) = (left, right) {
        budget.read(left.len().min(right.len()))?;
        return Ok(left.cmp(right));
    }
    if let Some(ordering) = numbers(left, right) {
        return Ok(ordering);
    }
    Err(either(left, right, "ordered"))
}

/// The exact order of two numbers, whatever their types.
fn numbers(left: &Value<'_>, right: &Value<'_>) -> Option<Ordering> {
    match (left, right) {
        (Value::Int(left), Value::Int(right)) => Some(left.cmp(right)),
        (Value::Float(left), Value::Float(right)) => left.partial_cmp(right),
        (Value::Int(left), Value::Float(right)) => int_with_float(*left, *right),
        (Value::Float(left), Value::Int(right)) => int_with_float(*right, *left).map(Ordering::reverse),
        _ => None,
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the float was cut to a whole number within bounds")]
fn int_with_float(int: i64, float: f64) -> Option<Ordering> {
    const BOUND: f64 = 9_223_372_036_854_775_808.0;
    if float.is_nan() {
        None
    } else if float >= BOUND {
        Some(Ordering::Less)
    } else if float < -BOUND {
        Some(Ordering::Greater)
    } else {
        let whole = int.cmp(&(float.trunc() as i64));
        Some(whole.then(0.0.partial_cmp(&float.fract())?))
    }
}

fn is_in(needle: &Value<'_>, hay: &Value<'_>, budget: &mut Budget) -> Result<bool, Fault> {
    match (hay, needle) {
        (Value::Text(hay), Value::Text(needle)) => {
            budget.read(hay.len())?;
            Ok(memchr::memmem::find(hay.as_bytes(), needle.as_bytes()).is_some())
        }
        (Value::Null, _) => Err(absent("searched")),
        (Value::Text(_), Value::Null) => Err(absent("searched for")),
        _ if hay.kind() == Type::Map => Ok(needle.as_str().is_some_and(|key| has_key(hay, key))),
        (Value::Json(Json::Array(items)), _) => {
            for item in items {
                budget.spend(1)?;
                if equal(needle, &Value::from(item), budget, 0)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        (Value::List(items), _) => {
            for item in items {
                budget.spend(1)?;
                if equal(needle, item, budget, 0)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        _ => Err(wrong(&format!("{} cannot be searched for {}", hay.kind(), needle.kind()))),
    }
}

/// `left operator right`.
pub(crate) fn arithmetic<'a>(
    left: Value<'a>,
    operator: ArithmeticOp,
    right: Value<'a>,
    budget: &mut Budget,
) -> Result<Value<'a>, Fault> {
    match (left, right) {
        (Value::Int(left), Value::Int(right)) => whole(left, operator, right),
        (Value::Text(left), Value::Text(right)) if operator == ArithmeticOp::Add => {
            budget.write(left.len() + right.len())?;
            Ok(Value::Text(left + right))
        }
        (left, right) if operator == ArithmeticOp::Add && is_list(&left) && is_list(&right) => {
            budget.gather(count(&left) + count(&right))?;
            Ok(Value::List(items(&left).chain(items(&right)).collect()))
        }
        (left, right) => match (left.as_float(), right.as_float()) {
            (Some(left), Some(right)) => float(left, operator, right),
            _ => Err(either(&left, &right, "counted with")),
        },
    }
}

/// Whether a value is a list: numbers and texts, of which most are, are seen without a look inside.
#[inline]
pub(crate) fn is_list(value: &Value<'_>) -> bool {
    matches!(value, Value::Json(_) | Value::List(_)) && value.kind() == Type::List
}

fn whole<'a>(left: i64, operator: ArithmeticOp, right: i64) -> Result<Value<'a>, Fault> {
    let result = match operator {
        ArithmeticOp::Add => left.checked_add(right),
        ArithmeticOp::Subtract => left.checked_sub(right),
        ArithmeticOp::Multiply => left.checked_mul(right),
        ArithmeticOp::Divide => return divide(left, right),
        ArithmeticOp::Remainder if right == 0 => return Err(zero()),
        // The sign of the divisor, as in Python; of the least number and -1 there is no remainder.
        ArithmeticOp::Remainder => {
            let rest = left.wrapping_rem(right);
            Some(if rest != 0 && (rest < 0) != (right < 0) { rest + right } else { rest })
        }
    };
    result.map(Value::Int).ok_or_else(overflow)
}

/// Division of whole numbers: a float, of the exact quotient where there is one.
#[expect(clippy::cast_precision_loss, reason = "a quotient is a float")]
fn divide<'a>(left: i64, right: i64) -> Result<Value<'a>, Fault> {
    match right {
        0 => Err(zero()),
        _ => Ok(Value::Float(left as f64 / right as f64)),
    }
}

fn float<'a>(left: f64, operator: ArithmeticOp, right: f64) -> Result<Value<'a>, Fault> {
    let result = match operator {
        ArithmeticOp::Add => left + right,
        ArithmeticOp::Subtract => left - right,
        ArithmeticOp::Multiply => left * right,
        ArithmeticOp::Divide | ArithmeticOp::Remainder if right == 0.0 => return Err(zero()),
        ArithmeticOp::Divide => left / right,
        ArithmeticOp::Remainder => {
            let rest = left % right;
            if rest != 0.0 && (rest < 0.0) != (right < 0.0) { rest + right } else { rest }
        }
    };
    if result.is_finite() { Ok(Value::Float(result)) } else { Err(overflow()) }
}

/// `-value`.
pub(crate) fn minus<'a>(value: &Value<'_>) -> Result<Value<'a>, Fault> {
    match value {
        Value::Int(number) => number.checked_neg().map(Value::Int).ok_or_else(overflow),
        Value::Float(number) => Ok(Value::Float(-number)),
        Value::Null => Err(absent("counted with")),
        other => Err(wrong(&format!("{} has no minus", other.kind()))),
    }
}

/// `value.field`: null of null, and where a map has no such key.
pub(crate) fn field<'a>(value: Value<'a>, field: &str) -> Result<Value<'a>, Fault> {
    match value {
        Value::Null => Ok(Value::Null),
        Value::Json(Json::Object(_)) => Ok(value.get(field)),
        Value::Map(entries) => {
            let found = entries.into_iter().find(|(key, _)| key == field);
            Ok(found.map_or(Value::Null, |(_, value)| value))
        }
        other => Err(wrong(&format!("{} has no field `{field}`", other.kind()))),
    }
}

/// `value[key]`.
pub(crate) fn index<'a>(value: Value<'a>, key: &Value<'_>) -> Result<Value<'a>, Fault> {
    match (value.kind(), key) {
        (_, Value::Null) => Err(absent("looked up")),
        (Type::Null, _) => Ok(Value::Null),
        (Type::List, Value::Int(at)) => Ok(value.item(*at)),
        (Type::Map, Value::Text(key)) => field(value, key),
        (kind, key) => Err(wrong(&format!("{kind} has no index that is {}", key.kind()))),
    }
}

fn either(left: &Value<'_>, right: &Value<'_>, verb: &str) -> Fault {
    if left.is_null() || right.is_null() {
        return absent(verb);
    }
    wrong(&format!("{} and {} cannot be {verb}", left.kind(), right.kind()))
}

/// A value that is not there was used.
pub(crate) fn absent(verb: &str) -> Fault {
    Fault::new(FaultKind::Absent, format!("a value that is not there cannot be {verb}"))
}

/// A value has the wrong type.
pub(crate) fn wrong(message: &str) -> Fault {
    Fault::new(FaultKind::Type, message)
}

/// What is asked of a list holds of some of its values and not of others.
pub(crate) fn mixed() -> Fault {
    Fault::new(FaultKind::Mixed, "it holds of some items of the list and not of others")
}

/// A number does not fit.
pub(crate) fn overflow() -> Fault {
    Fault::new(FaultKind::Overflow, "the number is too large")
}

fn zero() -> Fault {
    Fault::new(FaultKind::ZeroDivision, "a division by zero")
}

/// The length of a text in characters.
pub(crate) fn characters(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().count() }
}
