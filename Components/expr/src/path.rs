//! Paths into arguments: dotted ones, and JSONPath.

use jsonpath_rust::parser::model::{
    Comparable, Filter, FilterAtom, FnArg, JpQuery, Segment, Selector, Test, TestFunction,
};
use jsonpath_rust::parser::parse_json_path;
use jsonpath_rust::query::js_path_process;
use serde_json::Value as Json;

use crate::operate::{items, keys};
use crate::{Budget, Fault, FaultKind, Type, Value};

/// A path as `arg` takes it: `a.b[0]`, `a["b.c"]`, `items[-1].name`. A key reaches into a list: a number is a place in it,
/// `*` each of its items, and any other key is looked up in each item.
///
/// ```
/// use mentci_expr::{ArgPath, Budget, Value};
/// let json = serde_json::json!({"edits": [{"path": "/etc/hosts"}, {"path": "/tmp/a"}]});
/// let found = |path: &str| {
///     let path = ArgPath::parse(path).unwrap();
///     path.find(Value::from(&json), &mut Budget::default()).unwrap().to_json()
/// };
/// assert_eq!(found("edits[0].path"), "/etc/hosts");
/// assert_eq!(found("edits.0.path"), "/etc/hosts");
/// assert_eq!(found("edits.path"), serde_json::json!(["/etc/hosts", "/tmp/a"]));
/// assert_eq!(found("edits.*.path"), found("edits.path"));
/// assert!(found("edits.name").is_null());
/// assert!(ArgPath::parse("edits[").is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArgPath {
    steps: Vec<Step>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    Key(String),
    Item(i64),
}

impl ArgPath {
    /// Reads a path.
    ///
    /// # Errors
    /// A message, where it is none.
    pub fn parse(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is not a path like `a.b[0]`");
        if text.starts_with('$') {
            return Err(format!("`{text}` is a JSONPath: write `jsonpath(…)`"));
        }
        let mut steps = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            rest = match rest.strip_prefix('[') {
                Some(inside) => bracket(inside, &mut steps).ok_or_else(wrong)?,
                None => key(rest, &mut steps).ok_or_else(wrong)?,
            };
        }
        if steps.is_empty() || text.ends_with('.') {
            return Err(wrong());
        }
        Ok(Self { steps })
    }

    /// The value at the path; the list of values where it reaches into a list, null among them for an item that has none;
    /// null where there is none at all.
    ///
    /// # Errors
    /// [`FaultKind::Budget`], where it reaches more values than may be looked at.
    pub fn find<'a>(&self, value: Value<'a>, budget: &mut Budget) -> Result<Value<'a>, Fault> {
        let mut value = value;
        for (at, step) in self.steps.iter().enumerate() {
            if step.reaches_several(&value) {
                return Self::find_each(&self.steps[at..], value, budget);
            }
            value = step.one(&value);
        }
        Ok(value)
    }

    fn find_each<'a>(steps: &[Step], value: Value<'a>, budget: &mut Budget) -> Result<Value<'a>, Fault> {
        let mut values = vec![value];
        for step in steps {
            let mut reached = Vec::new();
            for value in &values {
                step.reach(value, &mut reached);
            }
            budget.gather(reached.len())?;
            values = reached;
        }
        Ok(if values.iter().all(Value::is_null) { Value::Null } else { Value::List(values) })
    }

    /// The keys and places that it goes through, as they would be written between dots.
    pub fn keys(&self) -> impl Iterator<Item = std::borrow::Cow<'_, str>> {
        self.steps.iter().map(|step| match step {
            Step::Key(key) => key.as_str().into(),
            Step::Item(at) => at.to_string().into(),
        })
    }

    /// The one key, where it is no more than that.
    pub fn as_key(&self) -> Option<&str> {
        match &self.steps[..] {
            [Step::Key(key)] => Some(key),
            _ => None,
        }
    }
}

impl Step {
    /// Whether it leads from a value to several.
    fn reaches_several(&self, value: &Value<'_>) -> bool {
        match (self, value.kind()) {
            (Self::Key(key), Type::List) => place(key).is_none(),
            (Self::Key(key), Type::Map) => key == EACH && value.get(EACH).is_null(),
            _ => false,
        }
    }

    /// Where it leads to from a value, where that is one at most.
    fn one<'a>(&self, value: &Value<'a>) -> Value<'a> {
        match self {
            Self::Key(key) if value.kind() == Type::List => {
                place(key).map_or(Value::Null, |at| value.item(at))
            }
            Self::Key(key) => value.get(key),
            Self::Item(at) => value.item(*at),
        }
    }

    fn reach<'a>(&self, value: &Value<'a>, reached: &mut Vec<Value<'a>>) {
        match self {
            Self::Key(key) if self.reaches_several(value) => match value.kind() {
                Type::Map => reached.extend(keys(value).map(|key| value.get(key))),
                _ if key == EACH => reached.extend(items(value)),
                _ => items(value).for_each(|item| self.reach(&item, reached)),
            },
            _ => reached.push(self.one(value)),
        }
    }
}

/// The key that stands for each item.
const EACH: &str = "*";

/// The place in a list that a key names.
fn place(key: &str) -> Option<i64> {
    key.parse().ok()
}

fn key<'t>(rest: &'t str, steps: &mut Vec<Step>) -> Option<&'t str> {
    let rest = if steps.is_empty() { rest } else { rest.strip_prefix('.')? };
    let len = rest.find(['.', '[']).unwrap_or(rest.len());
    (len > 0).then(|| steps.push(Step::Key(rest[..len].to_owned())))?;
    Some(&rest[len..])
}

fn bracket<'t>(inside: &'t str, steps: &mut Vec<Step>) -> Option<&'t str> {
    let Some(quote) = inside.chars().next().filter(|c| matches!(c, '"' | '\'')) else {
        let (number, rest) = inside.split_once(']')?;
        steps.push(Step::Item(number.trim().parse().ok()?));
        return Some(rest);
    };
    let (key, rest) = inside[1..].split_once(quote)?;
    steps.push(Step::Key(key.to_owned()));
    rest.strip_prefix(']')
}

/// The longest JSONPath that is read, in bytes.
const MAX_QUERY: usize = 1024;
/// How deep brackets may nest in one.
const MAX_BRACKETS: usize = 6;
/// How many ways its selectors may lead to one value.
const MAX_FAN: u64 = 64;

/// A JSONPath (RFC 9535) whose work is linear in the value.
#[derive(Debug)]
pub(crate) struct JsonQuery {
    query: JpQuery,
    is_singular: bool,
    cost: u64,
}

impl JsonQuery {
    /// Reads one.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        if text.len() > MAX_QUERY || brackets(text) > MAX_BRACKETS {
            return Err(format!(
                "the JSONPath is longer than {MAX_QUERY} bytes or nests more than {MAX_BRACKETS} brackets"
            ));
        }
        let query = parse_json_path(text).map_err(|_| format!("`{text}` is not a JSONPath like `$.a[0]`"))?;
        let work = Work::of(&query.segments);
        if work.descents > 1 || work.fan > MAX_FAN || work.returns {
            return Err(format!(
                "the JSONPath `{text}` is not linear: at most one `..`, few selectors in a bracket, no `$` in a filter"
            ));
        }
        let is_singular = query
            .segments
            .iter()
            .all(|segment| matches!(segment, Segment::Selector(Selector::Name(_) | Selector::Index(_))));
        Ok(Self { cost: work.fan + work.filters, query, is_singular })
    }

    /// The value of a singular path, or null; the list of matches of any other.
    pub(crate) fn find<'a>(&self, value: &Value<'a>, budget: &mut Budget) -> Result<Value<'a>, Fault> {
        let Value::Json(json) = *value else { return Ok(self.nothing()) };
        if !self.is_singular {
            budget.spend(size(json, 0).saturating_mul(self.cost))?;
        }
        let found = js_path_process(&self.query, json)
            .map_err(|_| Fault::new(FaultKind::Pattern, "the JSONPath cannot be followed"))?;
        budget.gather(found.len())?;
        let mut values = found.into_iter().map(|found| Value::from(found.val));
        Ok(if self.is_singular {
            values.next().unwrap_or(Value::Null)
        } else {
            Value::List(values.collect())
        })
    }

    fn nothing<'a>(&self) -> Value<'a> {
        if self.is_singular { Value::Null } else { Value::List(Vec::new()) }
    }
}

fn brackets(text: &str) -> usize {
    let (mut depth, mut most) = (0usize, 0);
    for byte in text.bytes() {
        match byte {
            b'[' | b'(' => depth += 1,
            b']' | b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        most = most.max(depth);
    }
    most
}

/// How many values a JSON value holds, itself included.
fn size(json: &Json, depth: usize) -> u64 {
    if depth > 256 {
        return u64::from(u32::MAX);
    }
    1 + match json {
        Json::Array(items) => items.iter().map(|item| size(item, depth + 1)).sum::<u64>(),
        Json::Object(map) => map.values().map(|value| size(value, depth + 1)).sum(),
        Json::String(text) => text.len() as u64 / 64,
        _ => 0,
    }
}

/// What a query costs.
#[derive(Default)]
struct Work {
    descents: usize,
    fan: u64,
    filters: u64,
    /// Whether a filter starts from the root again.
    returns: bool,
}

impl Work {
    fn of(segments: &[Segment]) -> Self {
        let mut work = Self { fan: 1, ..Self::default() };
        for segment in segments {
            work.segment(segment);
        }
        work
    }

    fn segment(&mut self, segment: &Segment) {
        match segment {
            Segment::Descendant(inner) => {
                self.descents += 1;
                self.segment(inner);
            }
            Segment::Selector(selector) => self.selector(selector),
            Segment::Selectors(selectors) => {
                self.fan = self.fan.saturating_mul(selectors.len().max(1) as u64);
                for selector in selectors {
                    self.selector(selector);
                }
            }
        }
    }

    fn selector(&mut self, selector: &Selector) {
        if let Selector::Filter(filter) = selector {
            self.filter(filter);
        }
    }

    fn filter(&mut self, filter: &Filter) {
        self.filters += 1;
        match filter {
            Filter::Or(parts) | Filter::And(parts) => parts.iter().for_each(|part| self.filter(part)),
            Filter::Atom(FilterAtom::Filter { expr, .. }) => self.filter(expr),
            Filter::Atom(FilterAtom::Test { expr, .. }) => self.test(expr),
            Filter::Atom(FilterAtom::Comparison(comparison)) => {
                let (left, right) = comparison.vals();
                self.comparable(left);
                self.comparable(right);
            }
        }
    }

    fn comparable(&mut self, comparable: &Comparable) {
        if let Comparable::Function(function) = comparable {
            self.function(function);
        }
    }

    fn test(&mut self, test: &Test) {
        match test {
            Test::RelQuery(segments) => segments.iter().for_each(|segment| self.segment(segment)),
            Test::AbsQuery(_) => self.returns = true,
            Test::Function(function) => self.function(function),
        }
    }

    fn function(&mut self, function: &TestFunction) {
        let arguments: Vec<&FnArg> = match function {
            TestFunction::Custom(_, arguments) => arguments.iter().collect(),
            TestFunction::Length(argument) => vec![argument],
            TestFunction::Value(argument) | TestFunction::Count(argument) => vec![argument],
            TestFunction::Search(left, right) | TestFunction::Match(left, right) => vec![left, right],
        };
        for argument in arguments {
            match argument {
                FnArg::Literal(_) => {}
                FnArg::Test(test) => self.test(test),
                FnArg::Filter(filter) => self.filter(filter),
            }
        }
    }
}
