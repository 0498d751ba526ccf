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
    /// The functions by one of which it is asked, before `evaluate` and `run`.
    entries: Arc<[String]>,
    /// Those by which it is asked at other times.
    others: Arc<[String]>,
}

#[derive(Debug, PartialEq, Eq)]
struct Compiled {
    name: String,
    hash: Hash,
    bytecode: Vec<u8>,
    /// Whether it defines functions.
    #[cfg_attr(not(feature = "luau"), allow(dead_code, reason = "nothing runs"))]
    defines: bool,
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
        let text = Arc::new(Compiled { name: name.to_owned(), hash, bytecode, defines: defines(source) });
        Ok(Self { text, entries: Arc::default(), others: Arc::default() })
    }

    /// The same script, which is asked by the first of the functions `entries` that it defines, such as `on_tool_call`. One
    /// that defines one of `others` alone, as `on_tool_failure`, has nothing to say this time.
    #[must_use]
    pub fn with_entries(
        &self,
        entries: impl IntoIterator<Item = String>,
        others: impl IntoIterator<Item = String>,
    ) -> Self {
        Self {
            text: Arc::clone(&self.text),
            entries: entries.into_iter().collect(),
            others: others.into_iter().collect(),
        }
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
    pub(crate) fn entries(&self) -> &[String] {
        &self.entries
    }

    #[cfg(feature = "luau")]
    pub(crate) fn others(&self) -> &[String] {
        &self.others
    }

    #[cfg(feature = "luau")]
    pub(crate) fn defines(&self) -> bool {
        self.text.defines
    }

    #[cfg(feature = "luau")]
    pub(crate) fn bytecode(&self) -> &[u8] {
        &self.text.bytecode
    }
}

/// Whether a source defines functions: the word stands before what is commented out.
fn defines(source: &str) -> bool {
    source.lines().any(|line| line.split("--").next().is_some_and(|code| code.contains("function")))
}
