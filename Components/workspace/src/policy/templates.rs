//! Templates, for judging: parsed once a text.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use mentci_pdp::{Filling, Templates};
use mentci_script::{Template, TemplateError, TemplateFacts};
use serde_json::Value;

/// How many templates stay parsed.
const MAX_KEPT: usize = 4_096;

/// Templates that were rendered, parsed.
#[derive(Debug, Default)]
pub struct TemplateShelf {
    kept: Mutex<HashMap<String, Result<Template, TemplateError>>>,
}

impl TemplateShelf {
    /// What is wrong with a template, if something is.
    pub(crate) fn check(&self, text: &str) -> Option<String> {
        self.kept(text).err().map(|error| error.to_string())
    }

    /// The facts that a template names; none of one that does not read.
    pub(crate) fn names(&self, text: &str) -> Vec<String> {
        self.kept(text).map_or_else(|_| Vec::new(), |template| template.names().to_vec())
    }

    fn kept(&self, text: &str) -> Result<Template, TemplateError> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(template) = kept.get(text) {
            return template.clone();
        }
        if kept.len() == MAX_KEPT {
            kept.clear();
        }
        let read = Template::read(text);
        kept.insert(text.to_owned(), read.clone());
        read
    }
}

impl Templates for TemplateShelf {
    fn render(&self, template: &str, facts: &Value) -> Result<String, String> {
        self.kept(template).and_then(|template| template.render(facts)).map_err(|error| error.to_string())
    }

    fn over(&self, facts: Value) -> Filling<'_> {
        let facts = TemplateFacts::from(&facts);
        Box::new(move |template| {
            self.kept(template).and_then(|template| template.fill(&facts)).map_err(|error| error.to_string())
        })
    }
}
