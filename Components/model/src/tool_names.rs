//! Names of tools as providers take them.

use std::collections::BTreeMap;

use mentci_authority::ModelRequest;

/// Providers take letters, digits, `_` and `-`, at most 64: other names are written so, and read back.
#[derive(Debug, Clone, Default)]
pub(crate) struct ToolNames {
    to_wire: BTreeMap<String, String>,
    to_ours: BTreeMap<String, String>,
}

impl ToolNames {
    /// The names of a request: of its tools, and of the calls in its messages.
    pub(crate) fn of(request: &ModelRequest) -> Self {
        let calls = request.messages.iter().flat_map(|message| &message.tool_calls).map(|call| &call.name);
        let all: Vec<&String> = request.tools.iter().map(|tool| &tool.name).chain(calls).collect();
        let mut names = Self::default();
        let (fitting, odd): (Vec<&String>, Vec<&String>) = all.into_iter().partition(|name| fits(name));
        for name in fitting.into_iter().chain(odd) {
            names.take(name);
        }
        names
    }

    fn take(&mut self, name: &str) {
        if self.to_wire.contains_key(name) {
            return;
        }
        let plain: String = name.chars().map(|c| if is_plain(c) { c } else { '_' }).take(60).collect();
        let plain = if fits(name) { name.to_owned() } else { plain };
        let plain = if plain.is_empty() { "tool".to_owned() } else { plain };
        let numbered = (2..).map(|number| format!("{plain}_{number}"));
        let free =
            std::iter::once(plain.clone()).chain(numbered).find(|name| !self.to_ours.contains_key(name));
        let wire = free.unwrap_or(plain);
        self.to_ours.insert(wire.clone(), name.to_owned());
        self.to_wire.insert(name.to_owned(), wire);
    }

    /// The name to send.
    pub(crate) fn wire<'a>(&'a self, name: &'a str) -> &'a str {
        self.to_wire.get(name).map_or(name, String::as_str)
    }

    /// The name that was meant.
    pub(crate) fn ours(&self, wire: &str) -> String {
        self.to_ours.get(wire).map_or(wire, String::as_str).to_owned()
    }
}

fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-'
}

fn fits(name: &str) -> bool {
    !name.is_empty() && name.len() <= 64 && name.chars().all(is_plain)
}
