//! A program as a file: opening it costs what is asked of it, not what it holds.
//!
//! The file is a header (a mark, the format's number, the BLAKE3 hash of the rest) and a Cap'n Proto message, whose schema is
//! `schema/pack.capnp`: the index in columns of numbers, and a text for each rule that nobody reads until the rule is asked.

mod file;
mod read;
mod rule;
mod write;

use std::sync::Arc;

use crate::columns::Aligned;
use crate::program::Program;

/// A pack whose bytes are what was packed. What it was packed from stands in its label: whoever opens it decides by that
/// whether to use it.
///
/// ```
/// use mentci_pdp::{Options, Pack, Program};
/// let program = Program::new(&[], Options::default());
/// let bytes = Pack::of(&program, b"made from nothing")?;
/// let pack = Pack::open(bytes)?;
/// assert_eq!(pack.label(), b"made from nothing");
/// assert_eq!(pack.program()?.rules().len(), 0);
/// assert!(Pack::open(b"no pack".to_vec()).is_err());
/// # Ok::<(), mentci_pdp::PackError>(())
/// ```
#[derive(Debug)]
pub struct Pack {
    message: Arc<Aligned>,
    label: std::ops::Range<usize>,
    bytes: usize,
}

/// Why a program cannot be packed, or a file is no pack.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PackError {
    /// It does not start as a pack does.
    #[error("this is no policy pack")]
    NotAPack,
    /// Another version of the program wrote it.
    #[error("its format is {0}, and this program reads {CURRENT}", CURRENT = file::FORMAT)]
    Format(u32),
    /// Its bytes are not those that were packed, or not all of them.
    #[error("it is damaged: {0}")]
    Damaged(&'static str),
    /// A rule that would not come back as it is: its full name.
    #[error("the rule `{0}` cannot be packed: it does not read back as it is")]
    Unpackable(String),
    /// More than a pack may hold.
    #[error("it is larger than {} MiB", file::MAX_BYTES >> 20)]
    TooLarge,
}

impl Pack {
    /// The most bytes of a pack.
    pub const MAX_BYTES: u64 = file::MAX_BYTES as u64;

    /// Packs a program, with what whoever packs it has to say of where it comes from.
    ///
    /// The unit tests of rules are left out: nothing is decided by them.
    ///
    /// # Errors
    /// - [`PackError::Unpackable`]: a rule would not come back as it is, such as one that nests too deep.
    /// - [`PackError::TooLarge`]: past [`Pack::MAX_BYTES`].
    pub fn of(program: &Program, label: &[u8]) -> Result<Vec<u8>, PackError> {
        file::sealed(&write::message(program, label)?)
    }

    /// Checks a file's header and hash, and finds its label. Nothing of a rule is read.
    ///
    /// # Errors
    /// - [`PackError::NotAPack`], [`PackError::Format`]: it was not written by this version of the program.
    /// - [`PackError::Damaged`], [`PackError::TooLarge`]: its bytes are not what was packed.
    pub fn open(bytes: Vec<u8>) -> Result<Self, PackError> {
        let count = bytes.len();
        let message = Arc::new(file::opened(bytes)?);
        let label = read::label(&message)?;
        Ok(Self { message, label, bytes: count })
    }

    /// What it says of where it comes from.
    pub fn label(&self) -> &[u8] {
        &self.message[self.label.clone()]
    }

    /// How many bytes the file has.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The program: an index, and rules that are read when they are asked.
    ///
    /// # Errors
    /// [`PackError::Damaged`]: what it holds does not fit together.
    pub fn program(&self) -> Result<Program, PackError> {
        read::program(&self.message)
    }
}
