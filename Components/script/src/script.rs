//! A script that reads.

use std::sync::Arc;

use mentci_source::Hash;

use crate::luau;
use crate::{Fault, ScriptError};

/// The longest script, in bytes.
pub const MAX_SCRIPT_BYTES: usize = 64 << 10;

/// A Luau script that reads, compiled once. Cloning it is free.
///
/// ```
/// # #[cfg(feature = "luau")] {
/// use mentci_script::Script;
/// assert!(Script::compile("budget.luau", "return turn.token_usage > 0.8").is_ok());
/// let error = Script::compile("budget.luau", "local x = 1\nreturn x +").unwrap_err();
/// assert_eq!((error.file.as_str(), error.line), ("budget.luau", Some(2)));
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Script {
    text: Arc<Compiled>,
    entry: Option<Arc<str>>,
}

#[derive(Debug, PartialEq, Eq)]
struct Compiled {
    name: String,
    hash: Hash,
    bytecode: Vec<u8>,
}

impl Script {
    /// Compiles a source. The name, usually the file's path, is what errors say.
    ///
    /// # Errors
    /// - [`Fault::TooLong`]: longer than [`MAX_SCRIPT_BYTES`].
    /// - [`Fault::Syntax`]: it does not parse.
    /// - [`Fault::NotBuilt`]: this build has no Luau.
    pub fn compile(name: &str, source: &str) -> Result<Self, ScriptError> {
        if source.len() > MAX_SCRIPT_BYTES {
            let message = format!("the script is longer than {MAX_SCRIPT_BYTES} bytes");
            return Err(ScriptError::new(name, Fault::TooLong, message));
        }
        let bytecode = luau::compile(name, source)?;
        let hash = Hash::of("a script", [name.as_bytes(), source.as_bytes()]);
        let text = Arc::new(Compiled { name: name.to_owned(), hash, bytecode });
        Ok(Self { text, entry: None })
    }

    /// The same script, which is asked by the function `entry` where it defines one, such as `on_tool_call`.
    #[must_use]
    pub fn with_entry(&self, entry: &str) -> Self {
        Self { text: Arc::clone(&self.text), entry: Some(entry.into()) }
    }

    /// The name that errors say.
    pub fn name(&self) -> &str {
        &self.text.name
    }

    /// The hash of name and source.
    pub fn hash(&self) -> &Hash {
        &self.text.hash
    }

    #[cfg(feature = "luau")]
    pub(crate) fn entry(&self) -> Option<&str> {
        self.entry.as_deref()
    }

    #[cfg(feature = "luau")]
    pub(crate) fn bytecode(&self) -> &[u8] {
        &self.text.bytecode
    }
}
