//! Templates: minijinja without loaders, with bounded work.

mod bounds;
mod operators;
mod words;

use std::fmt;
use std::sync::Arc;

use minijinja::value::{ValueKind, from_args};
use minijinja::{AutoEscape, Environment, ErrorKind, UndefinedBehavior};
use serde_json::Value;

/// The longest template, in bytes.
pub const MAX_TEMPLATE_BYTES: usize = 4096;

/// The longest text that a template gives, in bytes.
const MAX_TEXT_BYTES: usize = 1 << 20;

/// The stack that 4 KiB of anything is parsed on: three times what the deepest found took, unoptimised.
const STACK_BYTES: usize = 32 << 20;

/// How many instructions a rendering may take.
const FUEL: u64 = 50_000;

/// The name of the one template of an environment.
const NAME: &str = "message";

/// A text with `{{ expressions }}` that reads, parsed once.
///
/// ```
/// use mentci_script::Template;
/// let template = Template::read("Token budget at {{ (context.turn.token_usage * 100) | int }}%")?;
/// let facts = serde_json::json!({"context": {"turn": {"token_usage": 0.85}}});
/// assert_eq!(template.render(&facts)?, "Token budget at 85%");
/// assert!(Template::read("{{ broken").is_err());
/// # Ok::<(), mentci_script::TemplateError>(())
/// ```
#[derive(Clone)]
pub struct Template {
    source: Arc<str>,
    parsed: Arc<Environment<'static>>,
    names: Arc<[String]>,
}

/// Facts, taken in once to fill many templates in from. Cloning them is free.
#[derive(Debug, Clone)]
pub struct TemplateFacts(minijinja::Value);

impl From<&Value> for TemplateFacts {
    fn from(facts: &Value) -> Self {
        Self(minijinja::value::Serde(facts).into())
    }
}

/// Why a template gave no text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TemplateError {
    /// It is longer than [`MAX_TEMPLATE_BYTES`].
    #[error("the template is longer than {MAX_TEMPLATE_BYTES} bytes")]
    TooLong,
    /// It does not parse, names what is not there, or does too much.
    #[error("{0}")]
    Failed(String),
}

impl Template {
    /// Reads a template.
    ///
    /// # Errors
    /// - [`TemplateError::TooLong`]
    /// - [`TemplateError::Failed`]: it does not parse, or names a filter, a test or a function that is not there.
    pub fn read(source: &str) -> Result<Self, TemplateError> {
        if source.len() > MAX_TEMPLATE_BYTES {
            return Err(TemplateError::TooLong);
        }
        let (parsed, names) = parsed(source)?;
        if let Some(problem) = words::unknown(source) {
            return Err(TemplateError::Failed(problem));
        }
        Ok(Self { source: source.into(), parsed: Arc::new(parsed), names: names.into() })
    }

    /// Fills it in.
    ///
    /// # Errors
    /// As [`Template::fill`].
    pub fn render(&self, facts: &Value) -> Result<String, TemplateError> {
        self.fill(&facts.into())
    }

    /// Fills it in from facts that were taken in.
    ///
    /// # Errors
    /// - [`TemplateError::Failed`]: an operation does not fit its values, or the work is over its bound.
    pub fn fill(&self, facts: &TemplateFacts) -> Result<String, TemplateError> {
        let template = self.parsed.get_template(NAME).map_err(|error| failed(&error))?;
        let mut text = Bounded(Vec::new());
        template.render_captured_to(facts.0.clone(), &mut text).map_err(|error| failed(&error))?;
        // OK because pieces of text make a text.
        Ok(String::from_utf8_lossy(&text.0).into_owned())
    }

    /// The facts that it names, by their paths, sorted: `context.turn.number`. A fact that it reaches otherwise is not among
    /// them.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The text as it was written.
    pub fn source(&self) -> &str {
        &self.source
    }
}

/// Two templates are the same when their texts are.
impl PartialEq for Template {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source
    }
}

impl Eq for Template {}

impl fmt::Debug for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Template").field(&self.source).finish()
    }
}

/// Reads and fills in.
///
/// # Errors
/// As [`Template::read`] and [`Template::render`].
pub fn render(source: &str, facts: &Value) -> Result<String, TemplateError> {
    Template::read(source)?.render(facts)
}

/// Parses on a stack of its own: minijinja recurses once for each sign of `----x`, and 4 KiB of them are too deep for
/// the stack of a thread. Rendering does not recurse.
fn parsed(source: &str) -> Result<(Environment<'static>, Vec<String>), TemplateError> {
    let source = source.to_owned();
    let parse = move || {
        let mut parsed = environment();
        parsed.add_template_owned(NAME, source.clone()).map_err(|error| failed(&error))?;
        let template = parsed.get_template(NAME).map_err(|error| failed(&error))?;
        let declared =
            template.undeclared_variables(true).into_iter().filter(|name| !words::is_function(name));
        let mut names: Vec<String> = declared.chain(words::subscripts(&source)).collect();
        names.sort();
        names.dedup();
        // What was told is told of the text as it was written.
        parsed.add_template_owned(NAME, operators::called(&source)).map_err(|error| failed(&error))?;
        Ok((parsed, names))
    };
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(parse);
    let lost = || TemplateError::Failed("the template could not be parsed".to_owned());
    thread.map_err(|_| lost())?.join().map_err(|_| lost())?
}

fn environment() -> Environment<'static> {
    let mut environment = Environment::new();
    // A message is no page: nothing is escaped, whatever it is called.
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    environment.set_fuel(Some(FUEL));
    // What is not there is empty, and so are its fields: a message must not be lost for one fact.
    environment.set_undefined_behavior(UndefinedBehavior::Chainable);
    environment.set_formatter(|out, state, value| {
        if value.is_none() { Ok(()) } else { minijinja::escape_formatter(out, state, value) }
    });
    // With it a loop nests lists as deep as it turns, and what prints them recurses.
    environment.remove_global("namespace");
    // It tells all the facts at once.
    environment.remove_global("debug");
    bounds::bound(&mut environment);
    environment.remove_filter("indent");
    environment.set_unknown_method_callback(|_, value, method, args| asked(value, method, args));
    environment
}

/// `state.get(key)`, `state.get(key, default)` and `state.has(key)`, as conditions and scripts have them, for any map.
fn asked(
    value: &minijinja::Value,
    method: &str,
    args: &[minijinja::Value],
) -> Result<minijinja::Value, minijinja::Error> {
    let held = |key: &minijinja::Value| value.get_item(key).ok().filter(|held| !held.is_undefined());
    match (value.kind(), method) {
        (ValueKind::Map, "get") => {
            let (key, default): (minijinja::Value, Option<minijinja::Value>) = from_args(args)?;
            Ok(held(&key).or(default).unwrap_or(minijinja::Value::UNDEFINED))
        }
        (ValueKind::Map, "has") => {
            let (key,): (minijinja::Value,) = from_args(args)?;
            Ok(held(&key).is_some().into())
        }
        _ => Err(ErrorKind::UnknownMethod.into()),
    }
}

/// A text that ends where it would be longer than [`MAX_TEXT_BYTES`].
struct Bounded(Vec<u8>);

impl std::io::Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.0.len() + bytes.len() > MAX_TEXT_BYTES {
            return Err(std::io::Error::other(format!("the text is longer than {MAX_TEXT_BYTES} bytes")));
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn failed(error: &minijinja::Error) -> TemplateError {
    if error.kind() == minijinja::ErrorKind::WriteFailure {
        return TemplateError::Failed(format!("the text is longer than {MAX_TEXT_BYTES} bytes"));
    }
    let text = error.to_string().lines().next().unwrap_or_default().replace(" (in message:", " (line ");
    TemplateError::Failed(text)
}
