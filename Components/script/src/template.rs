//! Templates: minijinja without loaders, with bounded work.

use std::fmt;
use std::sync::Arc;

use minijinja::{AutoEscape, Environment, UndefinedBehavior};
use serde_json::Value;

/// The longest template, in bytes.
pub const MAX_TEMPLATE_BYTES: usize = 4096;

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
    source: String,
    parsed: Arc<Environment<'static>>,
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
    /// - [`TemplateError::Failed`]: it does not parse.
    pub fn read(source: &str) -> Result<Self, TemplateError> {
        if source.len() > MAX_TEMPLATE_BYTES {
            return Err(TemplateError::TooLong);
        }
        let mut parsed = environment();
        parsed.add_template_owned(NAME, source.to_owned()).map_err(|error| failed(&error))?;
        Ok(Self { source: source.to_owned(), parsed: Arc::new(parsed) })
    }

    /// Fills it in.
    ///
    /// # Errors
    /// - [`TemplateError::Failed`]: an operation does not fit its values, or the work is over its bound.
    pub fn render(&self, facts: &Value) -> Result<String, TemplateError> {
        let template = self.parsed.get_template(NAME).map_err(|error| failed(&error))?;
        template.render(minijinja::value::Serde(facts)).map_err(|error| failed(&error))
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

fn environment() -> Environment<'static> {
    let mut environment = Environment::new();
    // A message is no page: nothing is escaped, whatever it is called.
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    environment.set_fuel(Some(FUEL));
    // What is not there is empty, and so are its fields: a message must not be lost for one fact.
    environment.set_undefined_behavior(UndefinedBehavior::Chainable);
    environment
}

fn failed(error: &minijinja::Error) -> TemplateError {
    TemplateError::Failed(error.to_string().lines().next().unwrap_or_default().to_owned())
}
