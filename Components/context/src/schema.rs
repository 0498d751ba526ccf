//! What each tool may answer, as a JSON Schema.

mod bounds;
mod places;
mod steps;
mod unfold;
mod validation;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jsonschema::{PatternOptions, Validator};
use mentci_authority::ToolSpec;
use mentci_source::{Code, Finding, Severity};
use serde_json::Value;

pub use validation::{SchemaError, Validation};

/// The JSON Schemas (2020-12 unless a schema names another draft) of what tools answer, by tool.
///
/// Nothing is ever fetched: a schema that refers to another document is refused. A schema is at most 256 KiB and 64 levels
/// deep, holds at most 256 patterns, each matched in linear time, and its references unfold to at most 20,000 schemas; checking
/// one answer takes a bounded number of steps. Whoever breaks a bound gets a finding, or an error of the answer, and never a stopped session.
///
/// ```
/// use mentci_context::SchemaRegistry;
/// use serde_json::json;
/// let mut schemas = SchemaRegistry::default();
/// schemas.register("count", &json!({"type": "object", "properties": {"n": {"type": "integer"}}})).unwrap();
/// assert!(schemas.validate("count", &json!({"n": 3})).valid);
/// let wrong = schemas.validate("count", &json!({"n": "three"}));
/// assert_eq!((wrong.valid, wrong.errors[0].path.as_str()), (false, "/n"));
/// assert!(schemas.validate("another", &json!(null)).valid, "no schema, nothing to violate");
/// ```
#[derive(Debug, Clone, Default)]
pub struct SchemaRegistry {
    validators: BTreeMap<String, Arc<Validator>>,
    /// Why the last schema of a tool was refused.
    refused: BTreeMap<String, Finding>,
    /// Every tool of a listing, with a schema or without.
    listed: BTreeSet<String>,
}

impl SchemaRegistry {
    /// Sets the schema of a tool's answers. A schema that does not read leaves the last good one.
    ///
    /// # Errors
    /// - `E0708 tool-schema`: the schema is invalid, refers to another document, or breaks a bound. The finding names the
    ///   tool and the place in the schema.
    pub fn register(&mut self, tool: &str, schema: &Value) -> Result<(), Finding> {
        let bounded = bounds::check(schema).and_then(|()| unfold::check(schema)).and_then(|()| build(schema));
        let validator = bounded.map_err(|problem| {
            let finding = problem.finding(tool);
            self.refused.insert(tool.to_owned(), finding.clone());
            finding
        })?;
        self.refused.remove(tool);
        self.validators.insert(tool.to_owned(), Arc::new(validator));
        Ok(())
    }

    /// Takes up the `outputSchema` (or `output_schema`) of every tool of an MCP `tools/list`: the whole answer, its `result`, or the plain list
    /// of tools. Tools without one are passed over; a schema that does not read is a finding, and the others stand.
    pub fn discover(&mut self, listing: &Value) -> Vec<Finding> {
        let tools = tools(listing).into_iter().filter_map(|tool| {
            let schema = tool.get("outputSchema").or_else(|| tool.get("output_schema"));
            Some((tool.get("name").and_then(Value::as_str)?, schema.filter(|schema| !schema.is_null())))
        });
        let (mut findings, mut seen) = (Vec::new(), BTreeSet::new());
        for (name, schema) in tools {
            if !seen.insert(name) {
                let message =
                    format!("the tool `{}` is listed twice: its last schema stands", name.escape_debug());
                findings.push(Finding::new(Code::TOOL_SCHEMA, message).severity(Severity::Warning));
            }
            findings.extend(self.list(name, schema).err());
        }
        findings
    }

    /// As [`Self::discover`], of tools as their provider tells of them.
    pub fn discover_tools(&mut self, tools: &[ToolSpec]) -> Vec<Finding> {
        let tools = tools.iter();
        tools.filter_map(|tool| self.list(&tool.name, tool.output_schema.as_ref()).err()).collect()
    }

    fn list(&mut self, tool: &str, schema: Option<&Value>) -> Result<(), Finding> {
        self.listed.insert(tool.to_owned());
        schema.map_or(Ok(()), |schema| self.register(tool, schema))
    }

    /// Why the schema that was last given for a tool was refused, if it was.
    pub fn refusal(&self, tool: &str) -> Option<&Finding> {
        self.refused.get(tool)
    }

    /// The tools that were listed, with a schema or without.
    pub fn listed(&self) -> impl Iterator<Item = &str> {
        self.listed.iter().map(String::as_str)
    }

    /// Whether an answer is what the tool's schema says; a tool without a schema may answer anything.
    pub fn validate(&self, tool: &str, data: &Value) -> Validation {
        self.validators
            .get(tool)
            .map_or_else(Validation::default, |validator| validation::check(validator, data))
    }

    /// The tools that have a schema.
    pub fn tools(&self) -> impl Iterator<Item = &str> {
        self.validators.keys().map(String::as_str)
    }
}

/// The tools of a listing in any of its shapes.
fn tools(listing: &Value) -> Vec<&Value> {
    let inner = listing.pointer("/result/tools").or_else(|| listing.get("tools")).unwrap_or(listing);
    inner.as_array().map(|tools| tools.iter().collect()).unwrap_or_default()
}

/// What is wrong with a schema, and where.
#[derive(Debug)]
struct Problem {
    place: String,
    why: String,
}

impl Problem {
    fn finding(self, tool: &str) -> Finding {
        let place = if self.place.is_empty() { String::new() } else { format!("at `{}`, ", self.place) };
        let message = format!("the output schema of `{tool}` cannot be used: {place}{}", self.why);
        Finding::new(Code::TOOL_SCHEMA, message)
    }
}

fn build(schema: &Value) -> Result<Validator, Problem> {
    let patterns = PatternOptions::regex().size_limit(1 << 18).dfa_size_limit(1 << 20);
    let options = jsonschema::options().with_pattern_options(patterns).offline();
    let options = steps::counted(options);
    options.build(&steps::mark(schema.clone())).map_err(|error| {
        let place = error.instance_path().as_str();
        let pattern = schema.pointer(place).and_then(Value::as_str).filter(|pattern| looks_around(pattern));
        let why = pattern.map_or_else(
            || validation::short(&error.masked().to_string()),
            |pattern| {
                let pattern = validation::short(pattern);
                format!("the pattern `{pattern}` looks around or back, which is not matched in linear time")
            },
        );
        Problem { place: validation::short(place), why }
    })
}

/// Whether a pattern asks for what ECMA 262 has and no linear matcher does: look-around, and references to groups.
fn looks_around(pattern: &str) -> bool {
    let refers = || pattern.as_bytes().windows(2).any(|pair| matches!(pair, [b'\\', b'1'..=b'9' | b'k']));
    ["(?=", "(?!", "(?<=", "(?<!"].iter().any(|sign| pattern.contains(sign)) || refers()
}
