//! Guards taken apart: what must hold, in pieces that can be compared.

use mentci_authority::Guard;
use mentci_expr::{
    Budget, Comparison, Compiled, Days, Expr, Function, JsonFacts, LocalTime, Node, TimeRange, UnaryOp, holds,
};
use mentci_source::Span;
use serde_json::Value as Json;

/// One thing that must hold.
#[derive(Debug, Clone)]
pub(super) struct Term {
    /// Its canonical text without its negation; equal texts mean the same.
    key: String,
    /// Whether it must hold or must not.
    positive: bool,
    what: What,
    pub(super) span: Option<Span>,
}

#[derive(Debug, Clone)]
enum What {
    /// A value beside a constant. Negation is folded into the comparison.
    Compare {
        subject: String,
        comparison: Comparison,
        value: Json,
    },
    /// A value's text beside a constant one.
    Text {
        subject: String,
        function: Function,
        text: String,
    },
    Exists {
        subject: String,
    },
    Time {
        range: TimeRange,
        zone: String,
    },
    Day {
        days: Days,
        zone: String,
    },
    /// One of these lists of terms.
    Either(Vec<Vec<Term>>),
    /// Always the same.
    Constant(bool),
    Other,
}

/// What must hold for a guard in normal form to hold.
pub(super) fn terms(guard: &Guard) -> Vec<Term> {
    let mut all = Vec::new();
    of_guard(guard, true, &mut all);
    all
}

fn of_guard(guard: &Guard, positive: bool, all: &mut Vec<Term>) {
    match guard {
        Guard::Always => {
            if !positive {
                all.push(Term::new("true".to_owned(), true, What::Constant(false), None));
            }
        }
        Guard::All(inner) if positive => inner.iter().for_each(|one| of_guard(one, true, all)),
        Guard::Any(inner) if !positive => inner.iter().for_each(|one| of_guard(one, false, all)),
        Guard::All(inner) | Guard::Any(inner) => {
            let alternatives = inner.iter().map(|one| {
                let mut alternative = Vec::new();
                of_guard(one, positive, &mut alternative);
                alternative
            });
            all.push(either(alternatives.collect()));
        }
        Guard::Not(inner) => of_guard(inner, !positive, all),
        Guard::Expr(expr) => of_expr(expr, positive, all),
        Guard::Chain(_) | Guard::Admission(_) | Guard::Script(_) => {
            let key = serde_json::to_string(guard).unwrap_or_default();
            all.push(Term::new(key, positive, What::Other, None));
        }
    }
}

fn either(alternatives: Vec<Vec<Term>>) -> Term {
    let mut keys: Vec<String> = alternatives.iter().map(|terms| shown(terms)).collect();
    keys.sort();
    let span = alternatives.iter().flatten().filter_map(|term| term.span).reduce(Span::join);
    Term::new(keys.join(" or "), true, What::Either(alternatives), span)
}

fn of_expr(expr: &Expr, positive: bool, all: &mut Vec<Term>) {
    match expr.node() {
        Node::And(inner) if positive => inner.iter().for_each(|one| of_expr(one, true, all)),
        Node::Or(inner) if !positive => inner.iter().for_each(|one| of_expr(one, false, all)),
        Node::And(inner) | Node::Or(inner) => {
            let alternatives = inner.iter().map(|one| {
                let mut alternative = Vec::new();
                of_expr(one, positive, &mut alternative);
                alternative
            });
            all.push(either(alternatives.collect()));
        }
        Node::Unary(UnaryOp::Not, inner) => of_expr(inner, !positive, all),
        Node::Compare(first, rest) if rest.len() > 1 && positive => {
            let lefts = std::iter::once(&**first).chain(rest.iter().map(|(_, right)| right));
            for (left, (comparison, right)) in lefts.zip(rest) {
                let span = left.span().join(right.span());
                all.push(single(&Expr::compare(left.clone(), *comparison, right.clone()).at(span), true));
            }
        }
        _ => all.push(single(expr, positive)),
    }
}

fn single(expr: &Expr, positive: bool) -> Term {
    let mut positive = positive;
    let what = match (constant(expr), of_node(expr)) {
        (Some(value), _) => What::Constant(value == positive),
        (None, What::Compare { subject, comparison, value }) if !positive => {
            positive = true;
            What::Compare { subject, comparison: opposite(comparison), value }
        }
        (None, what) => what,
    };
    let key = match &what {
        What::Compare { subject, comparison, value } => format!("{subject} {comparison} {value}"),
        _ => expr.to_string(),
    };
    Term::new(key, positive, what, Some(expr.span()))
}

fn of_node(expr: &Expr) -> What {
    match expr.node() {
        Node::Compare(left, rest) if rest.len() == 1 => {
            let (comparison, right) = &rest[0];
            match (json(left), json(right)) {
                (None, Some(value)) => {
                    What::Compare { subject: left.to_string(), comparison: *comparison, value }
                }
                (Some(value), None) => match flipped(*comparison) {
                    Some(comparison) => What::Compare { subject: right.to_string(), comparison, value },
                    None => What::Other,
                },
                _ => What::Other,
            }
        }
        Node::Call(function, arguments) => of_call(*function, arguments),
        _ => What::Other,
    }
}

fn of_call(function: Function, arguments: &[Expr]) -> What {
    let zone = || arguments.get(1).and_then(Expr::as_text).unwrap_or_default().to_owned();
    let text = |at: usize| arguments.get(at).and_then(Expr::as_text);
    match (function, arguments) {
        (Function::Exists, [subject]) => What::Exists { subject: subject.to_string() },
        (Function::TimeOfDay, [_, ..]) => match text(0).and_then(|text| TimeRange::parse(text).ok()) {
            Some(range) => What::Time { range, zone: zone() },
            None => What::Other,
        },
        (Function::DayOfWeek, [_, ..]) => match text(0).and_then(|text| Days::parse(text).ok()) {
            Some(days) => What::Day { days, zone: zone() },
            None => What::Other,
        },
        (
            Function::Contains
            | Function::StartsWith
            | Function::EndsWith
            | Function::Matches
            | Function::Glob,
            [subject, _],
        ) => match text(1) {
            Some(text) => What::Text { subject: subject.to_string(), function, text: text.to_owned() },
            None => What::Other,
        },
        _ => What::Other,
    }
}

/// The value of an expression that asks for nothing.
fn constant(expr: &Expr) -> Option<bool> {
    let mut asks = false;
    super::desk::walk(expr, &mut |part| {
        asks |= match part.node() {
            Node::Name(_) | Node::Broken(_) => true,
            Node::Call(function, _) => function.asks_the_world() || READS.contains(function),
            _ => false,
        };
    });
    (!asks).then(|| value_of(expr)).flatten()
}

/// What reads the event or what is kept, though it does not ask the world.
const READS: &[Function] = &[
    Function::RecentTools,
    Function::StateGet,
    Function::StateHas,
    Function::Session,
    Function::Fact,
    Function::Sender,
    Function::Arg,
    Function::JsonPath,
    Function::TimeOfDay,
    Function::DayOfWeek,
];

/// Work for one constant: more than any sane one needs.
const STEPS: u64 = 100_000;

fn value_of(expr: &Expr) -> Option<bool> {
    let nothing = Json::Null;
    holds(&Compiled::new(expr), &JsonFacts::new(&nothing), &mut Budget::new(STEPS)).ok()
}

/// Whether a predicate over texts holds for a literal one.
pub(super) fn text_holds(function: Function, value: &str, text: &str) -> bool {
    value_of(&Expr::call(function, [Expr::from(value), Expr::from(text)])).unwrap_or(false)
}

fn json(expr: &Expr) -> Option<Json> {
    match expr.node() {
        Node::Null => Some(Json::Null),
        Node::Bool(value) => Some(Json::from(*value)),
        Node::Int(value) => Some(Json::from(*value)),
        Node::Float(value) => Some(Json::from(*value)),
        Node::Text(value) => Some(Json::from(value.as_str())),
        Node::List(items) => items.iter().map(json).collect::<Option<Vec<_>>>().map(Json::from),
        _ => None,
    }
}

fn opposite(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Equal | Comparison::Is => Comparison::NotEqual,
        Comparison::NotEqual | Comparison::IsNot => Comparison::Equal,
        Comparison::Less => Comparison::GreaterOrEqual,
        Comparison::LessOrEqual => Comparison::Greater,
        Comparison::Greater => Comparison::LessOrEqual,
        Comparison::GreaterOrEqual => Comparison::Less,
        Comparison::In => Comparison::NotIn,
        Comparison::NotIn => Comparison::In,
    }
}

/// The comparison with its sides exchanged.
fn flipped(comparison: Comparison) -> Option<Comparison> {
    Some(match comparison {
        Comparison::Equal => Comparison::Equal,
        Comparison::NotEqual => Comparison::NotEqual,
        Comparison::Less => Comparison::Greater,
        Comparison::LessOrEqual => Comparison::GreaterOrEqual,
        Comparison::Greater => Comparison::Less,
        Comparison::GreaterOrEqual => Comparison::LessOrEqual,
        _ => return None,
    })
}

/// Terms as they would be written.
pub(super) fn shown(terms: &[Term]) -> String {
    terms.iter().map(ToString::to_string).collect::<Vec<_>>().join(" and ")
}

impl std::fmt::Display for Term {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", if self.positive { "" } else { "not " }, self.key)
    }
}

impl Term {
    fn new(key: String, positive: bool, what: What, span: Option<Span>) -> Self {
        Self { key, positive, what, span }
    }

    /// A term that always holds of a value, for comparing with what is written.
    pub(super) fn fact(subject: &str, comparison: Comparison, value: Json) -> Self {
        let key = format!("{subject} {comparison} {value}");
        let what = What::Compare { subject: subject.to_owned(), comparison, value };
        Self::new(key, true, what, None)
    }

    /// Always the same, and then whether it holds.
    pub(super) fn constant(&self) -> Option<bool> {
        if let What::Constant(value) = self.what { Some(value) } else { None }
    }

    /// Whether it is a schedule that must not hold.
    pub(super) fn is_negated_schedule(&self) -> bool {
        !self.positive && matches!(self.what, What::Time { .. } | What::Day { .. })
    }

    /// Whether a value is compared here with something that it is not when it is absent.
    pub(super) fn needs(&self, subject: &str) -> bool {
        match &self.what {
            What::Compare { subject: own, comparison, value } => {
                own == subject
                    && match comparison {
                        Comparison::NotEqual | Comparison::IsNot => value.is_null(),
                        Comparison::NotIn => false,
                        _ => !value.is_null(),
                    }
            }
            What::Text { subject: own, .. } | What::Exists { subject: own } => {
                self.positive && own == subject
            }
            _ => false,
        }
    }

    /// The texts of which a value must be one; none where it may be others.
    pub(super) fn named(&self, subject: &str) -> Option<Vec<&str>> {
        match &self.what {
            What::Compare { subject: own, comparison: Comparison::Equal, value } if own == subject => {
                value.as_str().map(|name| vec![name])
            }
            What::Compare { subject: own, comparison: Comparison::In, value } if own == subject => {
                value.as_array()?.iter().map(Json::as_str).collect()
            }
            _ => None,
        }
    }

    fn negated(&self) -> Self {
        let mut other = self.clone();
        match &mut other.what {
            What::Compare { comparison, subject, value } => {
                *comparison = opposite(*comparison);
                other.key = format!("{subject} {comparison} {value}");
            }
            What::Constant(value) => *value = !*value,
            _ => other.positive = !other.positive,
        }
        other
    }

    /// What it is about, where it is about one value.
    fn subject(&self) -> Option<&str> {
        match &self.what {
            What::Compare { subject, .. } | What::Text { subject, .. } | What::Exists { subject } => {
                Some(subject)
            }
            _ => None,
        }
    }

    /// The lists of terms of which one must hold.
    pub(super) fn alternatives(&self) -> Option<&[Vec<Term>]> {
        match &self.what {
            What::Either(alternatives) if self.positive => Some(alternatives),
            _ => None,
        }
    }
}

/// Two terms of which not both can hold, or one that cannot.
pub(super) enum Clash<'t> {
    Alone(&'t Term),
    Both(&'t Term, &'t Term),
    Schedules,
}

/// Why terms cannot all hold; none where they may.
pub(super) fn clash(terms: &[Term]) -> Option<Clash<'_>> {
    if let Some(never) = terms.iter().find(|term| term.constant() == Some(false)) {
        return Some(Clash::Alone(never));
    }
    for (at, one) in terms.iter().enumerate() {
        if let Some(other) = terms[..at].iter().find(|other| excludes(other, one)) {
            return Some(Clash::Both(other, one));
        }
    }
    let hopeless = |term: &&Term| {
        term.alternatives().is_some_and(|all| all.iter().all(|alternative| dead(alternative, terms)))
    };
    terms.iter().find(hopeless).map(Clash::Alone).or_else(|| never_on_time(terms).then_some(Clash::Schedules))
}

/// Whether an alternative cannot hold beside the other terms.
fn dead(alternative: &[Term], beside: &[Term]) -> bool {
    alternative.iter().enumerate().any(|(at, one)| {
        one.constant() == Some(false)
            || alternative[..at].iter().chain(beside).any(|other| excludes(other, one))
    })
}

/// Whether there is no minute of the week at which all schedules hold.
fn never_on_time(terms: &[Term]) -> bool {
    let zones = terms.iter().filter_map(|term| match &term.what {
        What::Time { zone, .. } | What::Day { zone, .. } => Some(zone),
        _ => None,
    });
    let zones: Vec<&String> = zones.collect();
    // One schedule alone always has its time; what stands in two zones is not compared.
    if zones.len() < 2 || zones.iter().any(|zone| *zone != zones[0]) {
        return false;
    }
    let at = |term: &Term, time: LocalTime| match term.what {
        What::Time { range, .. } => range.holds(time) == term.positive,
        What::Day { days, .. } => days.holds(time) == term.positive,
        _ => true,
    };
    let mut times = (0..7).flat_map(|weekday| (0..1440).map(move |minute| LocalTime { minute, weekday }));
    !times.any(|time| terms.iter().all(|term| at(term, time)))
}

/// Whether not both can hold.
pub(super) fn excludes(one: &Term, other: &Term) -> bool {
    if one.key == other.key && one.positive != other.positive {
        return true;
    }
    match (&one.what, &other.what) {
        (What::Exists { subject }, _) if !one.positive => other.needs(subject),
        (_, What::Exists { subject }) if !other.positive => one.needs(subject),
        _ if one.subject().is_none() || one.subject() != other.subject() => false,
        (What::Compare { comparison, value, .. }, What::Compare { comparison: with, value: other, .. }) => {
            apart(*comparison, value, *with, other) || apart(*with, other, *comparison, value)
        }
        (What::Compare { comparison, value, .. }, What::Text { function, text, .. }) => {
            no_text(*comparison, value, *function, text, other.positive)
        }
        (What::Text { function, text, .. }, What::Compare { comparison, value, .. }) => {
            no_text(*comparison, value, *function, text, one.positive)
        }
        (What::Text { function, text, .. }, What::Text { function: with, text: part, .. }) => {
            match (one.positive, other.positive) {
                (true, true) => function == with && ends_apart(*function, text, part),
                (true, false) => brings(*function, text, *with, part),
                (false, true) => brings(*with, part, *function, text),
                (false, false) => false,
            }
        }
        _ => false,
    }
}

/// Whether no value is both.
fn apart(one: Comparison, value: &Json, other: Comparison, with: &Json) -> bool {
    use Comparison::{Equal, Greater, GreaterOrEqual, In, Is, IsNot, Less, LessOrEqual, NotEqual, NotIn};
    match (one, other) {
        (Equal | Is, _) => !fits(value, other, with),
        (In, In | NotEqual | IsNot | NotIn | Less | LessOrEqual | Greater | GreaterOrEqual) => {
            value.as_array().is_some_and(|items| items.iter().all(|item| !fits(item, other, with)))
        }
        (Greater | GreaterOrEqual, Less | LessOrEqual) => match (value.as_f64(), with.as_f64()) {
            (Some(least), Some(most)) => least > most || (least >= most && (one == Greater || other == Less)),
            _ => false,
        },
        _ => false,
    }
}

/// Whether a value stands in a comparison to another; `true` where that cannot be told.
fn fits(value: &Json, comparison: Comparison, with: &Json) -> bool {
    let numbers = value.as_f64().zip(with.as_f64());
    match comparison {
        Comparison::Equal | Comparison::Is => same(value, with),
        Comparison::NotEqual | Comparison::IsNot => !same(value, with),
        Comparison::In => with.as_array().is_none_or(|items| items.iter().any(|item| same(item, value))),
        Comparison::NotIn => with.as_array().is_none_or(|items| !items.iter().any(|item| same(item, value))),
        Comparison::Less => numbers.is_none_or(|(a, b)| a < b),
        Comparison::LessOrEqual => numbers.is_none_or(|(a, b)| a <= b),
        Comparison::Greater => numbers.is_none_or(|(a, b)| a > b),
        Comparison::GreaterOrEqual => numbers.is_none_or(|(a, b)| a >= b),
    }
}

#[expect(clippy::float_cmp, reason = "two constants are the same or they are not")]
fn same(one: &Json, other: &Json) -> bool {
    match one.as_f64().zip(other.as_f64()) {
        Some((a, b)) => a == b,
        None => one == other,
    }
}

/// Whether a value that compares so never has such a text.
fn no_text(comparison: Comparison, value: &Json, function: Function, text: &str, positive: bool) -> bool {
    let misses =
        |value: &Json| value.as_str().is_some_and(|value| text_holds(function, value, text) != positive);
    match comparison {
        Comparison::Equal => misses(value),
        Comparison::In => value.as_array().is_some_and(|items| !items.is_empty() && items.iter().all(misses)),
        _ => false,
    }
}

/// Whether no text both starts, or ends, with these.
fn ends_apart(function: Function, one: &str, other: &str) -> bool {
    match function {
        Function::StartsWith => !one.starts_with(other) && !other.starts_with(one),
        Function::EndsWith => !one.ends_with(other) && !other.ends_with(one),
        _ => false,
    }
}

/// Whether a text of which the first holds always has the second too.
fn brings(first: Function, text: &str, second: Function, part: &str) -> bool {
    match (first, second) {
        (_, Function::Contains) if !matches!(first, Function::Matches | Function::Glob) => {
            text.contains(part)
        }
        (Function::StartsWith, Function::StartsWith) => text.starts_with(part),
        (Function::EndsWith, Function::EndsWith) => text.ends_with(part),
        _ => first == second && text == part,
    }
}

/// Whether all of `weaker` hold whenever all of `stronger` do.
pub(super) fn implies(stronger: &[Term], weaker: &[Term]) -> bool {
    weaker.iter().all(|term| brought(stronger, term))
}

fn brought(stronger: &[Term], term: &Term) -> bool {
    if term.constant() == Some(true) || stronger.iter().any(|one| entails(one, term)) {
        return true;
    }
    let of_one = term.alternatives().is_some_and(|all| {
        all.iter()
            .any(|alternative| alternative.iter().all(|part| stronger.iter().any(|one| entails(one, part))))
    });
    of_one
        || stronger
            .iter()
            .filter_map(Term::alternatives)
            .any(|all| all.iter().all(|alternative| alternative.iter().any(|one| entails_any(one, term))))
}

/// As [`entails`], one level into alternatives.
fn entails_any(one: &Term, term: &Term) -> bool {
    entails(one, term)
        || term.alternatives().is_some_and(|all| {
            all.iter().any(|alternative| matches!(alternative.as_slice(), [part] if entails(one, part)))
        })
}

fn entails(one: &Term, other: &Term) -> bool {
    if one.key == other.key && one.positive == other.positive {
        return true;
    }
    // A term that is kept as it was written has no opposite to compare with.
    !matches!(other.what, What::Other | What::Either(_) | What::Time { .. } | What::Day { .. })
        && excludes(one, &other.negated())
}

/// Whether terms always hold: none, or alternatives of which two are opposites.
pub(super) fn always(terms: &[Term]) -> bool {
    terms.iter().all(|term| {
        term.constant() == Some(true)
            || term.alternatives().is_some_and(|all| {
                let alone: Vec<&Term> = all
                    .iter()
                    .filter_map(|one| if let [term] = one.as_slice() { Some(term) } else { None })
                    .collect();
                let opposite = |one: &&Term| {
                    alone.iter().any(|other| {
                        let other = other.negated();
                        one.key == other.key && one.positive == other.positive
                    })
                };
                all.iter().any(Vec::is_empty)
                    || alone.iter().any(|term| term.constant() == Some(true))
                    || alone.iter().any(opposite)
            })
    })
}
