//! The tools that a run brings, by name.

use mentci_authority::ToolSpec;
use serde_json::{Value, json};

use super::files::file_spec;
use super::kept::kept_spec;

/// What such a tool is.
pub(crate) enum Builtin {
    /// It reads or writes files.
    File(ToolSpec),
    /// It asks the workspace.
    Kept(ToolSpec),
}

/// The tool of this name.
pub(crate) fn builtin(name: &str) -> Option<Builtin> {
    file_spec(name).map(Builtin::File).or_else(|| kept_spec(name).map(Builtin::Kept))
}

/// The description of such a tool: what it takes as the properties of an object, and which of them it needs.
pub(super) fn spec(name: &str, about: &str, properties: &Value, required: &Value) -> ToolSpec {
    ToolSpec {
        name: name.to_owned(),
        description: Some(about.to_owned()),
        input_schema: json!({"type": "object", "properties": properties, "required": required}),
        output_schema: None,
    }
}

#[cfg(test)]
mod tests {
    use mentci_chatmd::BUILTIN_TOOLS;

    use super::*;

    #[test]
    fn every_tool_that_a_document_may_name_alone_is_there() {
        let missing: Vec<_> = BUILTIN_TOOLS.iter().filter(|name| builtin(name).is_none()).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
